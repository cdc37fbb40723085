// Nonlinear energy sinks on oscillators with friction and algebraic variables: harmonic projection, slow invariant manifold,
// equilibria and relaxation of the slow flow, and the differential algebraic inclusion itself in time (docs/theory/nes.md).
//
// Complex numbers are pairs: real part, imaginary part. A real motion r(t) at the frequency w has the complex amplitude phi with
// phi e^{iwt} = r' + i w r, so that N = |phi| is the amplitude of the velocity.

#ifndef RICOCHET_NES_H
#define RICOCHET_NES_H

#include "ricochet/context.h"
#include "ricochet/export.h"

RICO_API_BEGIN

// ---- complex amplitudes and harmonic projection -------------------------------------------------------------

// phi of a position and a velocity at the time t, and back.
void rico_complexify(double w, double t, double r, double v, double phi[2]);
void rico_realify(double w, double t, const double phi[2], double *r, double *v);

// A nonlinearity of some positions r and velocities v.
typedef double (*rico_projected)(void *user, const double *r, const double *v);

// <f>_k = (1/T) integral over one period of f e^{-ikwt} dt for k = 0 .. harmonics, by the trapezoidal rule with `samples` points: exact for
// polynomials as long as degree * count + harmonics < samples. Each of the variables moves with `count` harmonics, whose amplitudes are
// frozen: v is the real part of the sum of phi_j e^{ijwt}, j = 1 .. count. phi has 2 count numbers for each, out 2 (harmonics + 1).
rico_status rico_project(rico_context *ctx, double w, int64_t variables, int64_t count, const double *phi,
                         rico_projected f, void *user, int64_t harmonics, int64_t samples, double *out);

// The same of Sign(v): between the instants where v changes its sign, which are bisected to round-off, the integrals are exact. For one
// harmonic of phase delta <Sign>_1 is (2/pi) e^{i delta}.
rico_status rico_project_sign(rico_context *ctx, int64_t count, const double *phi, int64_t harmonics,
                              double *out);

// ---- one oscillator, one sink -------------------------------------------------------------------------------

typedef enum rico_nes_coupling {
    RICO_NES_CUBIC, // gamma s^3
    RICO_NES_GAP,   // gamma (|s| - gap) sgn s beyond the gap, nothing within
    RICO_NES_OTHER  // a function of the caller's, odd
} rico_nes_coupling;

// x'' + w1^2 x + eps (a0 x' + alpha0 Sign(x') + beta z + lambda (x' - y') + Gamma(x - y) - f0 sin wt) contains 0,
// eps (y'' + lambda (y' - x') + Gamma(y - x)) = 0,  z = x^3/3,  w = w1 + sigma eps.
typedef struct rico_nes {
    double eps;                        // mass of the sink over that of the oscillator
    double omega1;                     // w1
    double a0, alpha0, beta;           // viscous damping, friction, force of the algebraic variable
    double sigma;                      // detuning
    double lambda, gamma;              // of the sink: damping, stiffness
    double f0;                         // force
    rico_nes_coupling coupling;        // Gamma
    double gap;                        // of RICO_NES_GAP
    double (*force)(void *, double s); // of RICO_NES_OTHER
    void *user;
} rico_nes;

// Table 1 of Lamarque and Ture Savadkoohi 2018: eps = 1e-3, w1 = 1, all others 0.1, f0 = 4.019.
rico_nes rico_nes_table(void);

// Gamma(s), and kappa(N2) with <Gamma(s)>_1 = kappa phi/(2 i w1): the stiffness of the linear spring with the same projection.
double rico_nes_gamma(const rico_nes *nes, double s);
double rico_nes_stiffness(const rico_nes *nes, double n2);

// A point of the slow invariant manifold phi1 = phi2 (1 - i lambda/w1 - kappa/w1^2), phi1 of v = (x + eps y)/(1 + eps), phi2 of s = x - y.
typedef struct rico_nes_point {
    double n1, n2, n3; // |phi1| = H1(N2), |phi2|, and |phi3| = N1^3/(4 w1^2) of z
    double phase;      // delta1 - delta2
    double slope;      // dH1/dN2
    double fast[2][2]; // the two eigenvalues of the fast flow, real and imaginary parts
    bool stable;       // both decay
} rico_nes_point;

rico_nes_point rico_nes_manifold(const rico_nes *nes, double n2);

// The same with `harmonics` odd harmonics of s (1, 3, 5, ...), that of w1 being n2: phi gets 2 harmonics numbers, the amplitudes of s as
// multiples of e^{i delta2}, and n1 what v must have. At most RICO_NES_HARMONICS.
enum { RICO_NES_HARMONICS = 8 };
rico_status rico_nes_manifold_harmonics(rico_context *ctx, const rico_nes *nes, double n2, int64_t harmonics,
                                        double *phi, double *n1);

// All N2 <= reach with H1(N2) = n1, ascending: for the cubic coupling 1 or 3. At most `room` are written, *count tells how many there are.
// reach = 0 chooses one for RICO_NES_CUBIC and for a gap that is not 0; the same holds below.
rico_status rico_nes_inverse(rico_context *ctx, const rico_nes *nes, double n1, double reach, int64_t room,
                             double *n2, int64_t *count);

// Where the manifold folds, dH1/dN2 = 0, and where a jump from there lands at the same N1 (NAN where nowhere): in closed form for the cubic
// coupling, by a scan and bisection for others.
typedef struct rico_nes_fold {
    rico_nes_point at;
    double landing;
} rico_nes_fold;

rico_status rico_nes_folds(rico_context *ctx, const rico_nes *nes, double reach, int64_t room,
                           rico_nes_fold *fold, int64_t *count);

// An equilibrium of the slow flow: a periodic response. f0 is what it takes, whatever nes->f0 is.
typedef struct rico_nes_equilibrium {
    rico_nes_point at;
    double f0, delta1, delta2;
    double eigenvalue[4][2]; // of the averaged model there
    bool stable;
} rico_nes_equilibrium;

rico_status rico_nes_equilibrium_at(rico_context *ctx, const rico_nes *nes, double n2,
                                    rico_nes_equilibrium *out);

// As eqs (47) of the chapter print it, with eta = 1 or -1: f0 and delta1, without a0 and beta, and whether eta is the sign that
// it should be. Not right (docs/theory/nes.md); here so that its numbers can be compared.
rico_status rico_nes_equilibrium_printed(rico_context *ctx, const rico_nes *nes, double n2, double eta,
                                         double *f0, double *delta1, bool *compatible);

// All equilibria for nes->f0 with N2 <= reach, ascending; and the N2 where f0(N2) turns.
rico_status rico_nes_equilibria(rico_context *ctx, const rico_nes *nes, double reach, int64_t room,
                                rico_nes_equilibrium *out, int64_t *count);
rico_status rico_nes_turning_points(rico_context *ctx, const rico_nes *nes, double reach, int64_t room,
                                    rico_nes_equilibrium *out, int64_t *count);

// ---- slow and averaged flow ---------------------------------------------------------------------------------

// d(N2, delta2)/d tau1 on the manifold, tau1 = eps t; infinite at folds.
void rico_nes_slow_flow(const rico_nes *nes, double n2, double delta2, double rate[2]);

// d(phi1, phi2)/dt of the averaged model.
void rico_nes_averaged_flow(const rico_nes *nes, const double phi[4], double rate[4]);

// Runge and Kutta's method of order four over `steps` steps of dt, in place.
rico_status rico_nes_averaged_advance(rico_context *ctx, const rico_nes *nes, double dt, int64_t steps,
                                      double phi[4]);

// ---- the inclusion in time ----------------------------------------------------------------------------------

typedef enum rico_nes_friction {
    RICO_NES_SIGN,         // alpha0 Sign(x')
    RICO_NES_SAINT_VENANT, // alpha0 q, q' = stiffness x' as long as |q| <= 1: a spring and a slider in a row
    RICO_NES_DAHL,         // alpha0 q, q' = stiffness (x' - |x'| q)
    RICO_NES_BOUC_WEN      // alpha0 q, q' = stiffness (x' - shape |x'| |q|^{n-1} q - (1 - shape) x' |q|^n)
} rico_nes_friction;

// One modal coordinate x_i.
typedef struct rico_dai_master {
    double omega, a0, alpha0, beta, f0;
    rico_nes_friction friction;
    double stiffness;       // of friction other than RICO_NES_SIGN
    double shape, exponent; // of RICO_NES_BOUC_WEN: n = exponent
} rico_dai_master;

// A sink of mass eps on a master.
typedef struct rico_dai_sink {
    int64_t on; // master
    double eps, lambda, gamma;
    rico_nes_coupling coupling;
    double gap;
    double (*force)(void *, double s);
    void *user;
} rico_dai_sink;

// Algebraic variables of the caller's, z_1 .. z_m with G(z, x) = 0, and the forces h0(z) on the masters.
typedef struct rico_dai_algebra {
    int64_t count; // m
    // G (m numbers), P = dG/dz (m x m, regular) and Q = dG/dx (m x n), both column by column
    void (*constraint)(void *user, const double *z, const double *x, double *G, double *P, double *Q);
    void (*force)(void *user, const double *z, double *h); // h0, n numbers
    void *user;
} rico_dai_algebra;

// x_i'' + omega_i^2 x_i + eps (a0 x_i' + alpha0 friction + h_i - f0 sin wt) + sum of eps_k (lambda_k (x_i' - y_k') + Gamma_k(x_i - y_k)) = 0,
// eps_k (y_k'' + lambda_k (y_k' - x_i') - Gamma_k(x_i - y_k)) = 0. Without an algebra z_i = x_i^3/3 and h_i = beta z_i.
typedef struct rico_dai_model {
    double eps, w; // of all masters
    int64_t masters, sinks;
    const rico_dai_master *master;
    const rico_dai_sink *sink;
    const rico_dai_algebra *algebra; // or NULL
} rico_dai_model;

// The model of one oscillator and one sink in these terms; both are the caller's.
rico_dai_model rico_nes_as_dai(const rico_nes *nes, rico_dai_master *master, rico_dai_sink *sink);

// Projected on the first harmonic: d phi/dt of all x, then of all y, every nonlinearity by quadrature over `samples` points, the sign graph
// exactly, z by its constraint at each of them. Friction with memory goes round its loop until that closes; its error is O(samples^-2).
rico_status rico_dai_projected_flow(rico_context *ctx, const rico_dai_model *model, int64_t samples,
                                    const double *phi, double *rate);

typedef enum rico_dai_scheme {
    RICO_DAI_MIDPOINT, // forces averaged along the step, friction by its resolvent, z by the constraint
    RICO_DAI_LITERAL   // of the chapter: Euler's, explicit but for friction, z by its differential equation
} rico_dai_scheme;

// What became of the energy since the start: energy + viscous + friction + damper + algebra = initial + work up to round-off for
// RICO_DAI_MIDPOINT with cubic couplings, and as good as Simpson's rule for others. What RICO_DAI_LITERAL leaves open it made itself.
typedef struct rico_dai_ledger {
    double energy, work;    // now; of the forces
    double viscous, damper; // taken by a0, by the dampers of sinks
    double friction;        // taken by friction, what its springs hold included
    double algebra;         // taken by h0 of the caller's; that of z_i = x_i^3/3 has its energy
} rico_dai_ledger;

typedef struct rico_dai rico_dai;

// Copies the model.
rico_status rico_dai_create(rico_context *ctx, const rico_dai_model *model, rico_dai **out);
void rico_dai_destroy(rico_dai *dai);

// Positions and velocities of masters, then those of sinks, NULL without any; t = 0, z on the constraint, the ledger empty.
rico_status rico_dai_start(rico_dai *dai, const double *x, const double *v, const double *y, const double *u);

// `steps` steps of dt, which must be below 1/w. One that fails ends the call; those before it stay done.
rico_status rico_dai_advance(rico_dai *dai, rico_dai_scheme scheme, double dt, int64_t steps);

double rico_dai_time(const rico_dai *dai);
const double *rico_dai_x(const rico_dai *dai); // masters: positions, velocities, algebraic variables
const double *rico_dai_v(const rico_dai *dai);
const double *rico_dai_z(const rico_dai *dai);
const double *rico_dai_y(const rico_dai *dai); // sinks: positions, velocities
const double *rico_dai_u(const rico_dai *dai);
double rico_dai_constraint(const rico_dai *dai); // largest |G| now: |x_i^3/3 - z_i|
rico_dai_ledger rico_dai_energy(const rico_dai *dai);

// The resolvent of h Sign: 0 for |a| <= h, else a - h sgn a. Nonexpansive in a.
double rico_nes_resolvent(double a, double h);

// ---- responses ----------------------------------------------------------------------------------------------

// Amplitudes of v, s and z, row by row, 32 rows to a window of two periods of w. A jump is where the mean of N2 over a window crosses the
// threshold: up to a strongly modulated response's branch of large N2, and down from it.
typedef struct rico_nes_response {
    int64_t count;
    double *t, *x, *y, *z;      // at each row
    double *now1, *now2, *now3; // N1, N2, N3 there
    double *n1, *n2, *n3;       // means over the window that ends there, NAN before the first has
    double *g;                  // largest |x^3/3 - z| since the row before
    int64_t downs, ups;
    double *down, *up;       // instants, between rows by straight lines
    double *down_n1, *up_n1; // and the mean of N1 there
    double period;           // between the last two jumps down; NAN with fewer
    double low, high;        // of the mean of N1 from the first jump down on, or over the last half without
} rico_nes_response;

typedef enum rico_nes_model {
    RICO_NES_ACCURATE, // RICO_DAI_MIDPOINT
    RICO_NES_LITERAL,  // RICO_DAI_LITERAL
    RICO_NES_AVERAGED  // the averaged model
} rico_nes_model;

// From x = y = x0 at rest (phi1 = i w x0, phi2 = 0 in the averaged model) to t = end.
rico_status rico_nes_respond(rico_context *ctx, const rico_nes *nes, rico_nes_model model, double x0,
                             double dt, double end, double threshold, rico_nes_response **out);
void rico_nes_response_destroy(rico_context *ctx, rico_nes_response *response);

// ---- design -------------------------------------------------------------------------------------------------

typedef enum rico_nes_outcome {
    RICO_NES_REST,     // the force does not move the oscillator: f0 <= alpha0
    RICO_NES_PERIODIC, // it ends on an equilibrium
    RICO_NES_MODULATED // it jumps between the branches of the manifold for good
} rico_nes_outcome;

// What a sink does to the oscillator under nes->f0, by the manifold, its equilibria and the averaged model from x0.
typedef struct rico_nes_design {
    rico_nes_outcome outcome;
    double up, down; // N1 at the folds: where s jumps to large amplitudes, and back; NAN without folds
    double high;     // largest N1 after the first half of the run
    double alone;    // N1 without a sink, the largest
    double worst;    // N1 of the largest stable equilibrium, NAN without any
    int64_t equilibria;
    bool detached; // a stable equilibrium above the upper fold's: the response may be caught there
} rico_nes_design;

rico_status rico_nes_design_judge(rico_context *ctx, const rico_nes *nes, double x0, double dt, double end,
                                  rico_nes_design *out);

RICO_API_END

#endif
