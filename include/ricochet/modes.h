// Nonsmooth modes: periodic motions of a conservative linear system against one rigid obstacle.
//
//     M u'' + K u = w lambda,   0 <= lambda _|_ g = w'u + g0 >= 0,   and an elastic impact where the gap closes.
//
//     rico_modes *modes;
//     rico_modes_create(ctx, 2, M, K, w, 1.0, &modes);
//     rico_modes_orbit orbit;
//     rico_modes_one(modes, 9.0, &orbit);               // one impact in each period of 9
//
// In modes of the linear system (K Phi = M Phi diag(omega^2), Phi'M Phi = I, b = Phi'w) a motion of period T with k
// impacts is the sum of their impulses' responses, so that its impulses p and durations s satisfy
//
//     Sigma(s) p = -g0 (1, ..., 1),     Pi(s) p = 0     (k equations each, k - 1 of the second independent),
//
// docs/theory/modes.md. A branch of such motions is a curve in the space of durations: the backbone of a nonsmooth mode.

#ifndef RICOCHET_MODES_H
#define RICOCHET_MODES_H

#include "ricochet/context.h"
#include "ricochet/model.h"

RICO_API_BEGIN

// ---- the system ---------------------------------------------------------------------------------------------

typedef struct rico_modes rico_modes;

// M and K are n x n, column after column, symmetric and positive definite; w is not zero and g0 > 0 is the gap at rest.
rico_status rico_modes_create(rico_context *ctx, int64_t n, const double *M, const double *K, const double *w,
                              double g0, rico_modes **out);
// The same from frequencies omega > 0, ascending, and b: positions other than the gap are then unknown.
rico_status rico_modes_create_spectral(rico_context *ctx, int64_t n, const double *omega, const double *b,
                                       double g0, rico_modes **out);
// That of a scene's system: linear, without damping, joints or moving obstacles, with one contact without friction. Its constant forces
// shift the position of rest, from which the gap is taken. Restitution counts as 1.
rico_status rico_modes_create_of(rico_system *system, rico_modes **out);
void rico_modes_destroy(rico_modes *modes);

int64_t rico_modes_count(const rico_modes *modes);
const double *rico_modes_frequencies(const rico_modes *modes);    // omega, ascending
const double *rico_modes_participations(const rico_modes *modes); // b
const double *rico_modes_shapes(const rico_modes *modes);         // Phi, column after column; NULL if unknown
double rico_modes_gap_at_rest(const rico_modes *modes);           // g0
// The elastic impact of velocities in modes: R = I - 2 b b'/(b'b), a reflection.
void rico_modes_reflect(const rico_modes *modes, double *velocity);
// Energy of the linear mode j that just touches the obstacle; infinite for one that does not move the gap.
double rico_modes_grazing_energy(const rico_modes *modes, int64_t j);

// ---- k impacts per period -----------------------------------------------------------------------------------

enum { RICO_MODES_IMPACTS = 64 }; // the most impacts of an orbit

// A motion of k impacts per period: the first at time 0, the others after the durations.
typedef struct rico_modes_orbit {
    int64_t impacts;
    double duration
        [RICO_MODES_IMPACTS]; // from each impact to the next, the first of the next period for the last
    double impulse[RICO_MODES_IMPACTS];
    double period, energy;
    double residual;    // largest entry of Pi p over b'b times the largest impulse: 0 for a solution
    double penetration; // deepest that was found below the obstacle, 0 if nowhere
    bool admissible;    // all impulses positive, and the gap nowhere below -1e-9 g0, between samples too
} rico_modes_orbit;

// Sigma and Pi, k x k each, for durations s; RICO_SINGULAR where the period is that of a linear mode, or a multiple.
rico_status rico_modes_matrices(const rico_modes *modes, int64_t k, const double *s, double *Sigma,
                                double *Pi);

// The impulses that close the gap at each impact, whatever Pi says: `residual` tells whether the impacts are elastic.
rico_status rico_modes_at(const rico_modes *modes, int64_t k, const double *s, rico_modes_orbit *out);
// One impact per period: there is a candidate for every period.
rico_status rico_modes_one(const rico_modes *modes, double period, rico_modes_orbit *out);
// Two impacts, all of them: durations s in (0, period/2) at which Pi_21 vanishes, ascending, at most `room`; `count` is how
// many there are. Half the period, the orbit of one impact told twice, is left out.
rico_status rico_modes_pairs(const rico_modes *modes, double period, int64_t room, double *s, int64_t *count);
// Any number of impacts, by Newton's method from the durations in `orbit`, with the period held.
rico_status rico_modes_refine(const rico_modes *modes, rico_modes_orbit *orbit);

// Gap and its velocity at a time after the first impact, any real number; at an impact, after it.
void rico_modes_gap(const rico_modes *modes, const rico_modes_orbit *orbit, double t, double *gap,
                    double *rate);
// Modal positions and velocities at that time (either may be NULL), and the same in the coordinates of M and K.
void rico_modes_modal(const rico_modes *modes, const rico_modes_orbit *orbit, double t, double *q, double *v);
rico_status rico_modes_state(const rico_modes *modes, const rico_modes_orbit *orbit, double t, double *u,
                             double *v);

// Derivative of the state after a period by that before it, in modes (q, v), just after the first impact, 2n x 2n: products of
// flows and saltation matrices. And its eigenvalues: two are 1, as for every family of orbits of a conservative system.
rico_status rico_modes_monodromy(const rico_modes *modes, const rico_modes_orbit *orbit, double *out);
rico_status rico_modes_multipliers(const rico_modes *modes, const rico_modes_orbit *orbit, double *real,
                                   double *imaginary);

// ---- backbones ----------------------------------------------------------------------------------------------

// How a branch of admissible orbits ends.
typedef enum rico_modes_end {
    RICO_MODES_END_OPEN,    // where the search stopped: at a limit given, or after the points asked for
    RICO_MODES_END_ENERGY,  // the energy grows without bound
    RICO_MODES_END_GRAZING, // all impulses vanish: a linear mode that touches the obstacle
    RICO_MODES_END_LOST,    // an impulse vanishes: a junction with a branch of fewer impacts
    RICO_MODES_END_TOUCH,   // the gap closes between impacts: a junction with a branch of more
    RICO_MODES_END_STUCK,   // Newton's method finds no further orbit
    RICO_MODES_END_STICKING // of a sequence of branches: they approach an orbit that sticks
} rico_modes_end;
const char *rico_modes_end_name(rico_modes_end end); // in a few words

// A range of periods in which the orbits of one impact are admissible, with its ends.
typedef struct rico_modes_range {
    double low, high;
    rico_modes_end low_end, high_end;
} rico_modes_range;
// All ranges that are longer than `step` in [low, high], ascending, ends to 1e-10 of their own; at most `room`.
rico_status rico_modes_ranges(const rico_modes *modes, double low, double high, double step, int64_t room,
                              rico_modes_range *ranges, int64_t *count);

// Follows admissible orbits of k impacts from `start` (k >= 2) along the curve of durations by pseudo-arclength, in steps of at most
// `step`, towards longer (direction > 0) or shorter periods at first. Fills at most `room` orbits, the start first, and says why
// it ended: the last is the last admissible one, some 1e-8 of a step before that end.
rico_status rico_modes_follow(const rico_modes *modes, const rico_modes_orbit *start, int direction,
                              double step, int64_t room, rico_modes_orbit *orbits, int64_t *count,
                              rico_modes_end *end);

// Bridges of two impacts: periods in [low, high] at which Sigma is singular and solvable for equal durations, sum b^2 tan(omega T/4)/omega = 0.
// There the impulses p -+ d are free: energy varies at a fixed period. Ascending, at most `room`.
rico_status rico_modes_bridges(const rico_modes *modes, double low, double high, int64_t room, double *period,
                               int64_t *count);
// The orbit of a bridge with impulses p + d and p - d.
rico_status rico_modes_bridge(const rico_modes *modes, double period, double d, rico_modes_orbit *out);

// ---- one sticking per period --------------------------------------------------------------------------------

// A symmetric motion that leaves the obstacle, flies for `flight`, comes back without speed of the gap and sticks for `rest`.
typedef struct rico_modes_stick {
    double flight, rest, period, energy;
    double impulse;     // of an impact in the middle of the flight, 0 without one
    double residual;    // of the equations, over their size
    double penetration; // deepest below the obstacle in flight
    double pull;        // most that the obstacle would have to pull
    bool admissible;    // neither, beyond round-off
} rico_modes_stick;
// Those with flights up to `flight`, ascending, by Newton's method from the best points of a grid of `cells` x `cells` durations; at most
// `room`. Rests are shorter than the longest period of the system held by the obstacle. Needs the matrices, and n >= 2.
rico_status rico_modes_sticks(const rico_modes *modes, double flight, int64_t cells, int64_t room,
                              rico_modes_stick *sticks, int64_t *count);
// The same with one impact besides, in the middle of the flight: one impact and one sticking per period.
rico_status rico_modes_sticks_with_impact(const rico_modes *modes, double flight, int64_t cells, int64_t room,
                                          rico_modes_stick *sticks, int64_t *count);
// The modal state when it leaves the obstacle.
rico_status rico_modes_stick_state(const rico_modes *modes, const rico_modes_stick *stick, double *q,
                                   double *v);

// ---- from touch to touch ------------------------------------------------------------------------------------

// Where a branch ends by touching between impacts another begins, of as many impacts more as there are touches. From the `last` orbit of the one: an orbit
// of the other, a little way along, and the direction in which rico_modes_follow leads on from there. RICO_SINGULAR if there is none.
rico_status rico_modes_beyond(const rico_modes *modes, const rico_modes_orbit *last, rico_modes_orbit *next,
                              int *direction);

// The end of one branch of a sequence.
typedef struct rico_modes_junction {
    int64_t impacts;
    double period, energy;
} rico_modes_junction;
// Follows a branch to its end, the one that begins there to its own, and so on while they touch, `room` of them at most; `orbits` (may be NULL, else as long) takes
// the last orbit of each. `end` is how the last one ends, or RICO_MODES_END_STICKING if `stick` (may be NULL) is given and every branch ends
// nearer to its energy than the one before, the last within 1e-3 of its period: with ever more, ever weaker impacts they approach the orbit that rests.
rico_status rico_modes_sequence(const rico_modes *modes, const rico_modes_orbit *start, int direction,
                                double step, const rico_modes_stick *stick, int64_t room,
                                rico_modes_junction *junctions, rico_modes_orbit *orbits, int64_t *count,
                                rico_modes_end *end);

// ---- harmonic balance ---------------------------------------------------------------------------------------

// Motions that are even in time, lambda = l_0 + sum l_j cos(j omega t), with 0 <= lambda _|_ g >= 0 as lambda = max(lambda - alpha g, 0), nothing
// smoothed: projected on the cosines (`points` > 2 harmonics over the period), or asked for at points (`points` = harmonics + 1, in the
// middle of as many parts of half a period: collocation). No law of impact: being periodic takes its place.
typedef struct rico_modes_balance {
    double omega;      // of the period
    int64_t harmonics; // N: N + 1 unknowns
    int64_t points;    // 0: 512
    double alpha;      // > 0; the solution at points does not depend on it
    double
        compliance; // of a wall that gives way, lambda = max(-g, 0)/compliance: contact regularized; 0: rigid
    double push;    // a force push cos(omega t) along the gap besides, 0 for none; needs a harmonic
    double energy;  // mean over the period: out, as all below
    double penetration; // deepest at the points
    double residual;    // largest entry, over the largest force
    int64_t iterations; // of the semismooth Newton method
} rico_modes_balance;
// Solves from the harmonics in `force` (N + 1), or, where they are all zero, from those of one impact per period. RICO_SINGULAR if it finds none.
rico_status rico_modes_balance_solve(const rico_modes *modes, rico_modes_balance *balance, double *force);
// The gap at a time; the impact is at time 0.
double rico_modes_balance_gap(const rico_modes *modes, const rico_modes_balance *balance, const double *force,
                              double t);
// The same with a kink among the shape functions: an impulse p at time 0 beside the cosines of the force, whose harmonics beyond N move the gap as they would
// a free mass, a periodic parabola of time. Of third order in 1/N instead of first. The force between impacts is zero where the gap stays open at the points,
// which `penetration` says; `residual`, `iterations` and alpha have no part in it.
rico_status rico_modes_balance_kink(const rico_modes *modes, rico_modes_balance *balance, double *impulse);
// lambda - max(lambda - alpha g, 0): zero exactly where 0 <= lambda _|_ g >= 0, whatever alpha > 0.
double rico_modes_complementarity(double lambda, double gap, double alpha);

// ---- Gauss' principle ---------------------------------------------------------------------------------------

// Cosine series of N harmonics that minimise the integral of (q'' + Omega^2 q)^2 over a period, with the gap closed at time 0 (rest is the least otherwise) and
// nowhere negative: a quadratic program, whose inequalities turn out to hold by themselves. What comes out is no motion between impacts: the
// integral makes the least of the force as a whole, not of what acts where the gap is open; `astray` says how much does. docs/theory/modes.md.
typedef struct rico_modes_gauss {
    double omega;      // of the period
    int64_t harmonics; // N
    double cost;       // mean of (q'' + Omega^2 q)^2: out, as all below
    double energy;     // mean over the period
    double astray;     // part of the cost from the half of the period away from the impact: 0 for a motion
} rico_modes_gauss;
// Fills q, n values for each harmonic 0 ... N, mode after mode.
rico_status rico_modes_gauss_solve(const rico_modes *modes, rico_modes_gauss *gauss, double *q);

RICO_API_END

#endif
