// Audits: how far a run breaks its constraints, and how fast errors fall with the step.

#ifndef RICOCHET_AUDIT_H
#define RICOCHET_AUDIT_H

#include "ricochet/simulation.h"

RICO_API_BEGIN

// Constraints broken over a run, per step the largest over all constraints. At the position level: the depth -g of a
// contact, |g| of a joint's row. At the velocity level: the closing speed of a contact whose gap is closed at the end of
// the step, |u| of a joint's row. Means are over time. All zero before the first step.
typedef struct rico_violation {
    double position_max, position_mean;
    double velocity_max, velocity_mean;
    double time; // observed so far
} rico_violation;

// Adds the step that the simulation has just done, of length h > 0.
rico_status rico_violation_observe(rico_simulation *sim, double h, rico_violation *violation);

// Errors at the ends t_1, ..., t_N of the steps, |e_k| being the 2-norm over coordinates:
//
//     uniform = max |e_k|,     l1 = sum h |e_k|,     l2 = (sum h |e_k|^2)^(1/2).
//
// Velocities jump. Near a jump that a run and its reference place in different steps, |e_k| is as large as the jump, for
// any h: the uniform norm of velocities does not fall once there are impacts; the l1 norm falls like h at best, l2 like
// h^(1/2). Between jumps, and for positions, all three are meaningful.
typedef struct rico_errors {
    double uniform, l1, l2;
} rico_errors;

// A family of runs that differ in the step alone.
typedef struct rico_study {
    int count;
    const double *h; // steps asked for; each is shortened so that a whole number of them makes the duration
    double duration;

    // A started simulation, on a system of its own, and its end. All runs have as many coordinates.
    rico_status (*create)(void *user, double h, rico_simulation **sim);
    void (*destroy)(void *user, rico_simulation *sim);

    // The solution at time t, velocities after the jumps there. NULL: the run with the smallest step is the reference,
    // interpolated between its steps; it should be several times finer than the next, whose errors flatter otherwise.
    bool (*exact)(void *user, double t, double *q, double *v);
    void *user;
} rico_study;

typedef struct rico_study_row {
    double h; // used
    int64_t steps;
    bool reference; // the run that the others are compared with: no errors
    rico_errors position, velocity;
    rico_violation violation;
} rico_study_row;

// Slopes of log error over log h by least squares, without the reference; NaN where fewer than two errors are positive.
typedef struct rico_orders {
    rico_errors position, velocity;
} rico_orders;

// Does the runs, fills one row for each (in the order of h) and the orders.
rico_status rico_study_run(rico_context *ctx, const rico_study *study, rico_study_row *rows,
                           rico_orders *orders);

// The slope for count pairs, those with a positive error; NaN where fewer than two are left.
double rico_order_fit(int count, const double *h, const double *error);

RICO_API_END

#endif
