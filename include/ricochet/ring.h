// Rings of coupled impact oscillators: periodic orbits in which each particle strikes its wall at most once, their stability
// and their branches.
//
// Particle n of p, in a ring, has the mass 1, a spring of stiffness 1 to its place and springs of stiffness `coupling` to both
// neighbours; it strikes a wall at y = -1 without loss:
//
//     y_n'' + y_n - coupling (y_{n+1} - 2 y_n + y_{n-1}) = lambda_n,     0 <= lambda_n, y_n + 1 >= 0, one of them 0.
//
// Sought are motions of period T, even in time; particles then strike at 0 or at T/2 (mod T), or never: the pattern.
// docs/theory/ring.md has the equations. Particles count from 0.

#ifndef RICOCHET_RING_H
#define RICOCHET_RING_H

#include "ricochet/context.h"

RICO_API_BEGIN

typedef enum rico_ring_impact { RICO_RING_NEVER, RICO_RING_AT_HALF, RICO_RING_AT_START } rico_ring_impact;

typedef struct rico_ring {
    int64_t particles;               // at least 1
    double coupling;                 // not negative
    double period;                   // positive
    const rico_ring_impact *pattern; // one for each particle, not all of them RICO_RING_NEVER
} rico_ring;

// Why a solution of the boundary value problem is no orbit, or why a branch ends.
typedef enum rico_ring_verdict {
    RICO_RING_FEASIBLE,       // nothing is wrong
    RICO_RING_SINGULAR,       // the boundary value problem has none or many solutions
    RICO_RING_DIVERGES,       // the same, with amplitudes that grow beyond bounds
    RICO_RING_NO_IMPACT,      // a particle of the pattern does not come with a speed: grazing
    RICO_RING_TOUCHES,        // a particle that should never strike reaches the wall
    RICO_RING_SECOND_CONTACT, // a particle that strikes reaches the wall once more
    RICO_RING_VERDICTS
} rico_ring_verdict;

// The verdict in words; never NULL.
const char *rico_ring_verdict_words(rico_ring_verdict verdict);

// The modes of the ring's free motion; the library's.
typedef struct rico_ring_motion rico_ring_motion;

typedef struct rico_ring_orbit {
    rico_ring ring;          // its pattern is a copy
    double *y, *v;           // after the impacts at 0
    double *y_half, *v_half; // before those at T/2
    double condition;        // of the matrix of the boundary value problem, in the 2-norm
    double residual;         // of its solution, the largest entry
    int determinant_sign;    // of that matrix
    double energy;           // 1/2 v.v + 1/2 y.y + coupling/2 sum (y_{n+1} - y_n)^2
    double amplitude;        // the largest |y| and |v| at 0
    double gap;              // the smallest minimum of y + 1, the impacts themselves left out
    double gap_time;         // in [0, T/2]
    int64_t gap_particle;
    double gap_uncertainty; // the true minimum is no further below than that
    double slowest;         // of the speeds after impact
    int64_t slowest_particle;
    rico_ring_verdict verdict;
    rico_ring_motion *motion;
    rico_context *ctx;
} rico_ring_orbit;

// Solves the boundary value problem and judges the solution. RICO_SINGULAR where it has none; a solution that is no orbit is
// returned with its verdict.
rico_status rico_ring_solve(rico_context *ctx, const rico_ring *ring, rico_ring_orbit **orbit);
void rico_ring_orbit_destroy(rico_ring_orbit *orbit);

// Positions and velocities, p of each, at any time; after the impacts where there are some.
void rico_ring_orbit_at(const rico_ring_orbit *orbit, double t, double *y, double *v);

// Floquet multipliers of an orbit.
typedef struct rico_ring_stability {
    int64_t count;       // 2 p
    double *real, *imag; // by falling modulus
    double *monodromy;   // 2 p x 2 p, by columns: positions first, from just before T/2 - T to just after T
    double largest;      // modulus
    int64_t off_circle;  // multipliers whose modulus differs from 1 by more than the tolerance
    bool stable;         // there is none
    double symplectic;   // largest entry of Mon' J Mon - J
    rico_context *ctx;
} rico_ring_stability;

// Multipliers of an orbit with verdict RICO_RING_FEASIBLE. Two of them are always +1 in one Jordan block, which splits by
// the root of round-off: tolerance 0 is 1e-5, more for a matrix with entries beyond 1e4.
rico_status rico_ring_stability_create(const rico_ring_orbit *orbit, double tolerance,
                                       rico_ring_stability **stability);
void rico_ring_stability_destroy(rico_ring_stability *stability);

typedef enum rico_ring_parameter { RICO_RING_COUPLING, RICO_RING_PERIOD } rico_ring_parameter;

// A branch of orbits of one pattern, followed in one parameter.
typedef struct rico_ring_path {
    rico_ring_parameter parameter;
    double to;
    double largest_step; // 0: a two-hundredth of the way
    bool
        switching; // where a particle grazes at 0 or T/2, go on with the pattern in which it strikes, and the reverse
    bool (*observe)(void *user, const rico_ring_orbit *orbit); // at every point; false ends; may be NULL
    void *user;
} rico_ring_path;

typedef struct rico_ring_end {
    double value;             // the last with an orbit, to 1e-9
    rico_ring_verdict reason; // RICO_RING_FEASIBLE: arrived, or ended by observe()
    int64_t particle;         // that grazes, where one does; -1 otherwise
    double time;              // of that, in [0, T/2]
    int64_t points, switches;
    int64_t
        crossings; // of a singular matrix under a solution that does not mind: other orbits may branch off there
} rico_ring_end;

// Follows a branch from an orbit, which must be feasible.
rico_status rico_ring_continue(rico_context *ctx, const rico_ring *ring, const rico_ring_path *path,
                               rico_ring_end *end);

// An interval of a parameter with orbits of one pattern.
typedef struct rico_ring_interval {
    double low, high;                    // to 1e-9
    rico_ring_verdict low_end, high_end; // RICO_RING_FEASIBLE where the search ended, not the interval
    int64_t low_particle, high_particle;
} rico_ring_interval;

// Where in [from, to] there are orbits: what a scan with `step` finds, ends bisected. *count is their number, of which the
// first `room` are written.
rico_status rico_ring_intervals(rico_context *ctx, const rico_ring *ring, rico_ring_parameter parameter,
                                double from, double to, double step, int64_t room,
                                rico_ring_interval *intervals, int64_t *count);

// --- walls that give way -----------------------------------------------------------------------------------------

// The orbit of a ring whose walls push back with stiffness d^exponent at the depth d, of the same period and even as well.
typedef struct rico_ring_compliant {
    int64_t particles;
    double *y;       // at 0, where all are at rest
    double *quarter; // positions, then velocities, at T/4
    double energy;
    double deepest;      // of the depths at 0 and T/2
    double residual;     // the largest velocity at T/2
    int64_t iterations;  // of Newton's method
    int64_t evaluations; // of accelerations, in all of them
    rico_context *ctx;
} rico_ring_compliant;

// Finds it from the rigid orbit by shooting: positions at 0 such that all are at rest at T/2. Exponents from 1, a spring, to 3; 3/2 is that
// of Hertz. `tolerance` is that of the integration (0: 1e-11).
rico_status rico_ring_compliant_solve(const rico_ring_orbit *rigid, double stiffness, double exponent,
                                      double tolerance, rico_ring_compliant **orbit);
void rico_ring_compliant_destroy(rico_ring_compliant *orbit);

// --- any number of impacts -------------------------------------------------------------------------------------

// One impact of an orbit: of whom, at which wall, when, and how strong.
typedef struct rico_ring_strike {
    int64_t particle;
    bool upper;     // at the upper wall instead of the lower one
    double time;    // in [0, T), or below 0 by round-off
    double impulse; // above 0 at the lower wall, below 0 at the upper one
} rico_ring_strike;

// An orbit in which particles strike as often as the list says, at times that are unknowns; not even in time unless it comes out so.
typedef struct rico_ring_sequence {
    int64_t particles;
    double coupling, period;
    double upper; // place of a second wall, above the particles at rest; INFINITY: none
    int64_t count;
    rico_ring_strike *strike; // by rising time
    double residual;          // largest gap at an impact and mean velocity there, over the largest impulse
    int64_t iterations;       // of Newton's method
    double *y, *v;            // at 0, after what strikes there
    double energy, amplitude;
    double gap; // the smallest minimum of the gaps, the impacts themselves left out
    double gap_time;
    int64_t gap_particle;
    double slowest; // of the speeds after impact, below 0 where an impulse pulls
    int64_t slowest_particle;
    rico_ring_verdict verdict;
    rico_ring_motion *motion;
    rico_context *ctx;
} rico_ring_sequence;

// Finds the orbit next to the times in `start`, of which particles, coupling, period, upper, count, and particle, upper and time of the
// strikes are read. Newton's method closes every gap at its impact and makes the mean velocity there zero, which is the law of impact without
// loss. RICO_SINGULAR where it finds nothing; a solution that is no orbit is returned with its verdict.
rico_status rico_ring_sequence_solve(rico_context *ctx, const rico_ring_sequence *start,
                                     rico_ring_sequence **sequence);
void rico_ring_sequence_destroy(rico_ring_sequence *sequence);

// Positions and velocities, p of each, at any time; after the impacts where there are some.
void rico_ring_sequence_at(const rico_ring_sequence *sequence, double t, double *y, double *v);

// Multipliers from just after 0 over a period; the sequence must be feasible. As rico_ring_stability_create().
rico_status rico_ring_sequence_stability(const rico_ring_sequence *sequence, double tolerance,
                                         rico_ring_stability **stability);

// A branch of such orbits, followed in one parameter.
typedef struct rico_ring_sequence_path {
    rico_ring_parameter parameter;
    double to;
    double largest_step; // 0: a two-hundredth of the way
    bool (*observe)(void *user,
                    const rico_ring_sequence *sequence); // at every point; false ends; may be NULL
    void *user;
} rico_ring_sequence_path;

// Follows a branch from an orbit found next to `start`, which must be feasible. Of `end`, switches and crossings stay 0.
rico_status rico_ring_sequence_follow(rico_context *ctx, const rico_ring_sequence *start,
                                      const rico_ring_sequence_path *path, rico_ring_end *end);

// Periodic response of particle d to a unit impulse on particle 0 at time 0 (mod T), at the time s in [0, T]: place, velocity
// and acceleration. Infinite where T is a multiple of a linear period.
void rico_ring_green(int64_t particles, double coupling, double period, int64_t d, double s,
                     double response[3]);

// Neighbours strike both at 0 and at T/2, T = 4 pi / (1 + 4 coupling)^(1/2) and no other: positions at t in [0, T/2] of a particle that strikes
// faster at T/2 and of one that strikes faster at 0. `share` from 0, where all move together, to 1, where each has one impact
// and grazes at the other. NAN unless 0 < coupling < 3/4.
void rico_ring_bridge(double coupling, double share, double t, double y[2], double v[2]);
// Multipliers of these two particles, share below 1.
rico_status rico_ring_bridge_stability(rico_context *ctx, double coupling, double share,
                                       rico_ring_stability **stability);

// The linear mode of wave number 2 pi k / p, its frequency (1 + 4 coupling sin^2(pi k / p))^(1/2).
double rico_ring_frequency(int64_t particles, double coupling, int64_t k);

// The period below which an orbit with one striking particle does not exist: its amplitude grows beyond bounds there.
double rico_ring_blow_up_period(int64_t particles, double coupling);

// The mode in which all particles strike at T/2 together, T in (pi, 2 pi): the position at |t| <= T/2 and the speed.
double rico_ring_in_phase(double period, double t);
double rico_ring_in_phase_speed(double period);

// The mode in which neighbours strike in turn: y[0] of a particle that strikes at T/2, y[1] of one that strikes at 0, for t in
// [0, T/2]; the speed; and the period above which, up to 2 pi / (1 + 4 coupling)^(1/2), its first branch exists.
void rico_ring_out_of_phase(double coupling, double period, double t, double y[2]);
double rico_ring_out_of_phase_speed(double coupling, double period);
double rico_ring_out_of_phase_start(double coupling);

RICO_API_END

#endif
