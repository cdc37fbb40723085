// A bar against a rigid wall: its nonsmooth modes in closed form, and the waves in it followed exactly.
//
//     rho u_tt = E u_xx on (0, L),   u(0, t) = 0,   0 <= -ES u_x(L, t) _|_ g0 - u(L, t) >= 0,   c = sqrt(E/rho).
//
// A continuous bar needs no law of impact: contact lasts, and the energy stays. docs/theory/modes.md.

#ifndef RICOCHET_BAR_H
#define RICOCHET_BAR_H

#include "ricochet/context.h"
#include "ricochet/modes.h"

RICO_API_BEGIN

typedef struct rico_bar {
    double length, speed; // L, c
    double stiffness;     // ES: force for a unit strain
    double gap;           // g0 > 0 at rest
} rico_bar;

// ---- modes in closed form -----------------------------------------------------------------------------------

// Mode m = 1, 2, ... at one period: u(x, t) = integral of phi from ct - x to ct + x, phi = +-alpha. Free for T - contact, then in contact.
typedef struct rico_bar_mode {
    rico_bar bar;
    int64_t m;
    double period, contact; // T, and for how long it touches in it: (2m-1) c T = 4 L - c contact
    double alpha, energy;
} rico_bar_mode;

// Periods of mode m: low < T <= high; at high it grazes, towards low the energy grows without bound.
rico_status rico_bar_mode_range(rico_context *ctx, const rico_bar *bar, int64_t m, double *low, double *high);
rico_status rico_bar_mode_at(rico_context *ctx, const rico_bar *bar, int64_t m, double period,
                             rico_bar_mode *out);
// Displacement, velocity and strain (each may be NULL) at x in [0, L] and any time; times 0 to T - contact are free.
void rico_bar_mode_field(const rico_bar_mode *mode, double x, double t, double *u, double *v, double *strain);
double rico_bar_mode_force(const rico_bar_mode *mode, double t); // of the wall, >= 0
// Of the linear mode m of the free bar that just touches: frequency (2m-1) pi c/(2L), energy ES g0^2 ((2m-1) pi)^2/(16 L).
double rico_bar_grazing_energy(const rico_bar *bar, int64_t m);

// ---- waves on a grid: exact at a Courant number of one ------------------------------------------------------

// Cells of size L/N, steps of L/(N c): the wave v - sigma/(rho c) moves one cell to the right in a step, v + sigma/(rho c) one to
// the left, so that states that are constant in cells are followed exactly.
typedef struct rico_bar_wave rico_bar_wave;

rico_status rico_bar_wave_create(rico_context *ctx, const rico_bar *bar, int64_t cells, rico_bar_wave **out);
void rico_bar_wave_destroy(rico_bar_wave *wave);
// Velocities and strains of the cells, and the displacement at x = 0, at time 0. The end, u(L), follows.
void rico_bar_wave_start(rico_bar_wave *wave, const double *velocity, const double *strain, double held_end);
// A spring at x = 0 in the place of the support: u_x(0) = a u(0), a > 0; infinite (the default): held.
rico_status rico_bar_wave_set_spring(rico_bar_wave *wave, double a);
// What a contact that begins within a step makes of it. By default the end is put on the wall and the wave turned round whole: the energy stays exactly, but the end is no
// longer where the strains say. With averages the wave that leaves is the mean of the part before and the part after: the strains keep to the
// end however often that happens, and each time a little energy of that cell is lost. For motions that settle, under forces and damping.
void rico_bar_wave_set_averages(rico_bar_wave *wave, bool averages);
// One step with a wall at the distance `gap` from the end at rest (g0 for one that stands still) and a force per mass in each cell, NULL for
// none.
void rico_bar_wave_step(rico_bar_wave *wave, double gap, const double *force);
double rico_bar_wave_time_step(const rico_bar_wave *wave);
double rico_bar_wave_end(const rico_bar_wave *wave);    // u(L)
double rico_bar_wave_held(const rico_bar_wave *wave);   // u(0)
double rico_bar_wave_push(const rico_bar_wave *wave);   // the wall's mean force in the step before
double rico_bar_wave_energy(const rico_bar_wave *wave); // of the bar, and of the spring at x = 0
void rico_bar_wave_state(const rico_bar_wave *wave, double *velocity, double *strain);

// Periodic motions on the grid: free for n1 steps from time 0, where the end leaves the wall, then in contact for n2. With the contacts prescribed a step is linear,
// and the states that come back are the kernel of a matrix less one; of those with u(L) = g0 this is the one of least energy.
typedef struct rico_bar_periodic {
    int64_t cells, free_steps, contact_steps; // N, n1 >= 1, n2 >= 0
    double spring;                            // a at x = 0; infinite: held
    int64_t freedom;                          // dimension of the kernel: out, as all below
    double period, energy;
    double residual; // of the return under the contact law itself, over the size of the state
    bool admissible; // that is round-off: the wall never pulls, and the end never passes it
} rico_bar_periodic;
// Fills velocities and strains of the cells at time 0 and u(0). RICO_SINGULAR if no state that closes the gap comes back.
rico_status rico_bar_wave_periodic(rico_context *ctx, const rico_bar *bar, rico_bar_periodic *search,
                                   double *velocity, double *strain, double *held);

// Responses to a wall at g0 + A cos(2 pi t/T) or a force per mass F cos(2 pi t/T) in all cells, damped by a force per mass -d v; T is
// a whole number of steps.
typedef struct rico_bar_forced {
    int64_t cells, steps;        // N, of a period: T = steps L/(N c)
    double wall, force, damping; // A, F, d
    int64_t transient, longest;  // periods to wait, and those of the response to try
    double tolerance;            // of the return, over the size of the state; 0: 1e-6
    int64_t multiple;            // the response's period in those of the force, 0 if none: out, as all below
    double energy;               // mean over the time looked at
    double contact;              // part of that time in which the end touches
    double residual;
} rico_bar_forced;
// Contacts are averaged (rico_bar_wave_set_averages). Goes on from the state of the wave, which is left at the end of what was looked at. With `end` (may be NULL: `longest` times `steps` values) the end's
// displacement after each step that was looked at.
rico_status rico_bar_wave_settle(rico_bar_wave *wave, rico_bar_forced *drive, double *end);

// ---- boundary elements in time ------------------------------------------------------------------------------

// The same end of the bar from its boundary data alone (retarded potentials), steps of L/(N c): u0 and v0 hold N + 1 values at
// x = 0, h, ..., L, u0 linear and v0 constant (at the mean of its ends) between them. Fills u(L, t), and the wall's force over each step, for `steps`.
rico_status rico_bar_boundary(rico_context *ctx, const rico_bar *bar, int64_t cells, const double *u0,
                              const double *v0, int64_t steps, double *end, double *push);

// Periodic motions by shooting with boundary elements: the state, displacements u at the nodes 1 ... N and velocities v of the cells, must come back after `steps` steps, N at least. The
// contacts are what they come to be, so that Newton's method is semismooth: its derivatives are those of the contacts of the moment. From the state given
// to the nearest that comes back (steps of least size), with the end on the wall at the start, which leaves rest out; the period is held.
typedef struct rico_bar_shot {
    int64_t cells, steps;
    double period, energy; // out, as all below
    double residual;       // of the return, over the size of the state
    int64_t iterations;
} rico_bar_shot;
// RICO_SINGULAR if no state that comes back is found.
rico_status rico_bar_boundary_periodic(rico_context *ctx, const rico_bar *bar, rico_bar_shot *shot, double *u,
                                       double *v);

// ---- the bar as a chain of masses ---------------------------------------------------------------------------

// n masses rho S L/n and springs n ES/L, the first held, in its modes: the contact node's alone. Frequencies are
// sqrt(2k/m) sqrt(1 - cos((2p-1) pi/(2n+1))); rho S = ES/c^2.
rico_status rico_bar_chain(rico_context *ctx, const rico_bar *bar, int64_t n, rico_modes **out);
// Displacement of mass j = 1 ... n in its mode p = 1 ... n, of modal mass one: a force F on mass j drives mode p with that times F.
double rico_bar_chain_shape(const rico_bar *bar, int64_t n, int64_t p, int64_t j);
// A forced chain in two parts: the last mass, which strikes, is shot through a period of the force; the others, which are linear, answer to N harmonics of its motion (Schreyer and Leine 2016). What they push it
// with is smoother than its own motion, so that few harmonics do.
typedef struct rico_bar_mixed {
    int64_t masses, harmonics, steps; // n >= 2, N >= 1, of a period
    double period;
    const double *load; // amplitudes of cos(2 pi t/T), one for each mass
    double mass_damping, stiffness_damping, restitution;
    double velocity;             // of the last mass at time 0: in, a guess, and out
    int64_t impacts, iterations; // out
    double residual;             // of what comes back, over the gap: out
} rico_bar_mixed;
// Newton's method from the motion of the last mass in `end`, `steps` + 1 values over a period, which it replaces. RICO_SINGULAR if none is found.
rico_status rico_bar_chain_mixed(rico_context *ctx, const rico_bar *bar, rico_bar_mixed *mixed, double *end);
// Wave number at a frequency in a grid of size dx, arccos(1 - omega^2 dx^2/(2 c^2))/dx; NAN beyond the cut-off 2c/dx.
double rico_bar_chain_wave_number(const rico_bar *bar, double dx, double omega);

// ---- finite differences -------------------------------------------------------------------------------------

// Schemes for w_t + c w_x = 0 on a ring of cells, at the Courant number nu = c dt/dx.
typedef enum rico_advection {
    RICO_ADVECT_UPWIND,
    RICO_ADVECT_LAX_FRIEDRICHS,
    RICO_ADVECT_LAX_WENDROFF,
    RICO_ADVECT_MACCORMACK,
    RICO_ADVECT_FTCS,   // unstable at every nu
    RICO_ADVECT_MINMOD, // Lax-Wendroff limited: no new extremum
    RICO_ADVECT_KINDS
} rico_advection;
// One step from w to out (not the same array), n >= 3 cells, 0 <= nu.
void rico_advect(rico_advection kind, double nu, int64_t n, const double *w, double *out);

RICO_API_END

#endif
