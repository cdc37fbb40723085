// Linear control: systems in state space, their responses and norms, and controllers that keep them stable under friction
// (docs/theory/control.md).
//
// A system is x' = A x + B u, y = C x + D u with dense matrices, column by column; a generalized plant has the inputs (w, u) and the
// outputs (z, y), those that a controller u = K y uses last.

#ifndef RICOCHET_CONTROL_H
#define RICOCHET_CONTROL_H

#include "ricochet/context.h"

RICO_API_BEGIN

// ---- systems ------------------------------------------------------------------------------------------------

// Fields may be read, never written.
typedef struct rico_state_space {
    rico_context *ctx;
    int64_t states, inputs, outputs;
    double *a, *b, *c, *d;
} rico_state_space;

// Copies of the matrices given; d NULL means zero, states = 0 a static gain. Entries must be finite.
rico_status rico_state_space_create(rico_context *ctx, int64_t states, int64_t inputs, int64_t outputs,
                                    const double *a, const double *b, const double *c, const double *d,
                                    rico_state_space **out);
void rico_state_space_destroy(rico_state_space *sys);

// y = D u, with D of outputs x inputs.
rico_status rico_state_space_gain(rico_context *ctx, int64_t outputs, int64_t inputs, const double *d,
                                  rico_state_space **out);

// numerator(s)/denominator(s), coefficients from the highest power down; the numerator's degree is at most the denominator's.
rico_status rico_state_space_transfer(rico_context *ctx, int64_t numerator_degree, const double *numerator,
                                      int64_t denominator_degree, const double *denominator,
                                      rico_state_space **out);

// The product of sections (b2 s^2 + b1 s + b0)/(a2 s^2 + a1 s + a0), each six numbers b2 b1 b0 a2 a1 a0; a2, or a2 and a1, may be zero.
rico_status rico_state_space_sections(rico_context *ctx, int64_t count, const double *sections,
                                      rico_state_space **out);

// Outputs of `first` drive `second`; outputs of both added; both side by side.
rico_status rico_state_space_series(const rico_state_space *first, const rico_state_space *second,
                                    rico_state_space **out);
rico_status rico_state_space_parallel(const rico_state_space *one, const rico_state_space *other,
                                      rico_state_space **out);
rico_status rico_state_space_append(const rico_state_space *one, const rico_state_space *other,
                                    rico_state_space **out);

// The inputs and outputs listed, in that order, each as often as listed.
rico_status rico_state_space_select(const rico_state_space *sys, int64_t inputs, const int64_t *input,
                                    int64_t outputs, const int64_t *output, rico_state_space **out);

// The system with its own outputs fed back: u = M y + E r, z = G y, with M of inputs x outputs, E of inputs x references, G of
// results x outputs. RICO_SINGULAR when I - M D is: the loop is then not well posed.
rico_status rico_state_space_connect(const rico_state_space *sys, const double *m, int64_t references,
                                     const double *e, int64_t results, const double *g,
                                     rico_state_space **out);

// Negative feedback: y = forward(r - back(y)).
rico_status rico_state_space_feedback(const rico_state_space *forward, const rico_state_space *back,
                                      rico_state_space **out);

// Redheffer's star product: the last `down` outputs of `upper` drive the first inputs of `lower`, whose first `up` outputs drive the last
// inputs of `upper`. The linear fractional transformation F_l(plant, controller) takes all of the lower one.
rico_status rico_state_space_star(const rico_state_space *upper, const rico_state_space *lower, int64_t down,
                                  int64_t up, rico_state_space **out);
rico_status rico_state_space_lft(const rico_state_space *plant, const rico_state_space *controller,
                                 rico_state_space **out);

// ---- responses ----------------------------------------------------------------------------------------------

// G(i omega) into response[2 (i + j outputs)], real and imaginary part after each other. RICO_SINGULAR at a pole.
rico_status rico_state_space_response(const rico_state_space *sys, double omega, double *response);

// Singular values of G(i omega), descending: min(inputs, outputs) of them.
rico_status rico_state_space_singular_values(const rico_state_space *sys, double omega, double *values);

// Eigenvalues of A: `states` of them; and the largest real part, -infinity for a static gain.
rico_status rico_state_space_poles(const rico_state_space *sys, double *real, double *imag);
rico_status rico_state_space_abscissa(const rico_state_space *sys, double *abscissa);

// Invariant zeros, where the system matrix [A - s B; C D] loses rank: at most `states`; *count says how many.
rico_status rico_state_space_zeros(const rico_state_space *sys, double *real, double *imag, int64_t *count);

// What a loop with one input and one output withstands when closed by negative feedback.
typedef struct rico_margins {
    bool stable; // the closed loop as it is; otherwise the margins are distances only
    double gain,
        gain_frequency; // smallest factor above 1 that brings the loop to -1; infinite when none does
    double down, down_frequency;   // largest factor below 1; 0 when none does
    double phase, phase_frequency; // smallest angle, in radians, from a crossing of |L| = 1 to -1
    double delay, delay_frequency; // shortest delay that brings the loop to -1
} rico_margins;

rico_status rico_state_space_margins(const rico_state_space *loop, rico_margins *out);

// Poles of the loop closed by negative feedback through each of `count` gains: `states` of them a gain.
rico_status rico_state_space_root_locus(const rico_state_space *loop, int64_t count, const double *gain,
                                        double *real, double *imag);

// ---- norms --------------------------------------------------------------------------------------------------

// Largest singular value of G(i omega) over all frequencies, within the relative tolerance, and where (infinity: in D). The system must
// be stable.
rico_status rico_hinf_norm(const rico_state_space *sys, double tolerance, double *norm, double *frequency);

// Root of the mean square of the response to white noise; the system must be stable, D zero.
rico_status rico_h2_norm(const rico_state_space *sys, double *norm);

// ---- matrix equations, n x n ------------------------------------------------------------------------------------

// The X for which A'X + X A - X R X + Q = 0 and A - R X is stable; R and Q are symmetric, of any sign.
// RICO_SINGULAR when there is none.
rico_status rico_riccati(rico_context *ctx, int64_t n, const double *a, const double *r, const double *q,
                         double *x);

// A X + X A' + Q = 0; Q is symmetric. RICO_SINGULAR when two eigenvalues of A add up to zero.
rico_status rico_lyapunov(rico_context *ctx, int64_t n, const double *a, const double *q, double *x);

// ---- syntheses ----------------------------------------------------------------------------------------------

// The central controller with ||F_l(plant, K)|| < gamma (Glover and Doyle 1988), from `measured` outputs y to `controls` inputs u. *found is
// false, and K NULL, when no controller comes below gamma, or when that of the formulas does not keep it in double precision; what the theory
// cannot treat is refused: D12 or D21 without full rank, modes that cannot be stabilized, zeros on the imaginary axis.
rico_status rico_hinf_controller(const rico_state_space *plant, int64_t measured, int64_t controls,
                                 double gamma, bool *found, rico_state_space **controller);

// The least gamma by bisection, within the relative tolerance from above, its controller, and the norm that the closed loop has.
typedef struct rico_hinf {
    double gamma; // least bound found feasible
    double norm;  // of the closed loop, by rico_hinf_norm
    rico_state_space *controller;
} rico_hinf;

rico_status rico_hinf_synthesis(const rico_state_space *plant, int64_t measured, int64_t controls,
                                double tolerance, rico_hinf *out);

// ---- structured singular values -----------------------------------------------------------------------------

// Two full blocks: the first meets the first `outputs` rows and `inputs` columns of a response, the second the rest.
typedef struct rico_blocks {
    int64_t outputs, inputs;
} rico_blocks;

// min over d of sigma_max(diag(d I, I) N diag(I/d, I)) for a complex matrix of rows x cols, as from rico_state_space_response. For two
// full blocks this is the structured singular value itself. d, which may be NULL, is 0 or infinite where no d attains it.
rico_status rico_mu(rico_context *ctx, int64_t rows, int64_t cols, const double *n, rico_blocks blocks,
                    double *mu, double *d);

// Skewed: mu = 1/k with the least k for which mu(diag(k I, I) N) = 1; infinite, d not a number, when
// |N22| >= 1.
rico_status rico_skewed_mu(rico_context *ctx, int64_t rows, int64_t cols, const double *n, rico_blocks blocks,
                           double *mu, double *d);

// Controllers that keep ||D diag(k I, I) F_l(plant, K) D^-1|| below 1 for the largest k, D = diag(d I, I): first with d a number, then with a
// stable d(s) of second order without zeros in the right half plane, by the D-K iteration. Refused when the performance alone, N22, cannot come
// below 1.
typedef struct rico_dk_options {
    rico_blocks blocks;
    int64_t measured, controls;
    int64_t iterations;  // of D and K after the constant d; 0: that alone
    int64_t frequencies; // spaced by equal ratios between low and high, in rad/s
    double low, high;
    double tolerance; // of k, relative
} rico_dk_options;

typedef struct rico_dk {
    double k, constant_k; // largest with d(s), and with a constant d
    double d;             // that constant
    double skewed_mu;     // largest over the frequencies for the controller
    double constant_mu;   // and for that of the constant d
    int64_t steps;        // of the iteration that improved k
    rico_state_space *controller;
} rico_dk;

rico_status rico_dk_synthesis(const rico_state_space *plant, const rico_dk_options *options, rico_dk *out);

// ---- circle criterion ---------------------------------------------------------------------------------------

// f(q) of a nonlinearity in the loop q = G_cl v, v = -f(q), with f(0) = 0.
typedef double (*rico_sector_function)(void *user, double q);

// The equilibrium is stable for every f with |f(q)| <= gamma |q|, gamma = 1/||G_cl||. [low, high] is where f obeys; infinite where it does as
// far as `reach`.
typedef struct rico_sector {
    double gamma, frequency; // and that of the peak of G_cl
    double low, high;
} rico_sector;

rico_status rico_circle_criterion(const rico_state_space *closed, rico_sector_function f, void *user,
                                  double reach, rico_sector *out);

RICO_API_END

#endif
