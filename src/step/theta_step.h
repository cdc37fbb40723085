// What the theta-methods share: the residual of the equation of motion, the end of Newton's loop and the books.
//
//     M (v_{k+1} - v_k) = h [ load_theta + F(t_theta, q_theta, v_theta) ] + H p,    x_theta = (1-theta) x_k + theta x_{k+1}
//     q_{k+1} = q_k + d,    d = h v_mean + correction,    q_theta = q_k + theta d
//
// v_mean gives v_{k+1} the weight `weight`; the correction is what schemes that project add to the displacement.

#ifndef RICO_STEP_THETA_STEP_H
#define RICO_STEP_THETA_STEP_H

#include "step/simulation.h"

// Their options: theta alone for those that do not project, all of them for the others.
enum { RICO_THETA, RICO_THETA_SOLVE, RICO_THETA_METRIC, RICO_THETA_VIOLATION, RICO_THETA_OPTIONS };
extern const rico_option_info rico_theta_options[], rico_midpoint_options[], rico_jointed_options[];

typedef struct rico_theta_step {
    double h, theta, weight;
    const double *load;       // load_theta
    const double *correction; // of the displacement; NULL: none
    const double *impulse;    // added to the right-hand side; NULL: none
    bool along; // friction, forces and books see the displacement, its correction included, over h
} rico_theta_step;

// Refuses what the contact law cannot have, warns once where the scheme may create energy.
rico_status rico_theta_check(rico_simulation *sim, double weight);

// mean = (1 - weight) v_k + weight v
void rico_theta_blend(const rico_simulation *sim, double weight, const double *v, double *mean);

// d = h v_mean + correction, for the velocity v at the end.
void rico_theta_displacement(const rico_simulation *sim, const rico_theta_step *step, const double *v,
                             double *d);

// right = h (load + F) + impulse - M (v - v_k) at the velocity v, with M, C and K evaluated at q_theta on the way. Its derivative
// is -(M + h theta C + h theta weight h K) by v and -h theta K by the correction, but for the derivative of M. Uses
// vector.weighted; work has one velocity.
rico_status rico_theta_residual(rico_simulation *sim, const rico_theta_step *step, const double *v,
                                double *right, double *mean, double *work);

// Sets the iteration matrix M + h theta C + h^2 theta weight K.
rico_status rico_theta_matrix(rico_simulation *sim, const rico_theta_step *step, bool *changed);

// The velocity that moves positions by no more than their round-off in a step: below it, nothing settles.
double rico_theta_floor(const rico_simulation *sim);
// Whether changes of velocities beyond `enough` are what round-off in the terms K q of the forces makes of them.
bool rico_theta_within_noise(const rico_simulation *sim, double enough, const double *change);

// The change from old to new is at most newton-tol of the velocities, or round-off.
bool rico_theta_settled(const rico_simulation *sim, const double *old, const double *new);

// What a scheme has of its own in Newton's loop.
typedef struct rico_theta_ways {
    // who acts, from the velocity without impulses: into sim->active
    rico_status (*activate)(rico_simulation *sim, const rico_theta_step *step, const double *v_free);
    // adds to the offset of the law in sim->offset; NULL: nothing
    void (*offset)(rico_simulation *sim, const rico_theta_step *step, double omega);
    // two iterates agree, after n iterations
    bool (*settled)(const rico_simulation *sim, int n, const double *old, const double *new);
} rico_theta_ways;

// next.v and next.p of the step, theta_newton.c. On return the frames are those of the impulses.
rico_status rico_theta_newton(rico_simulation *sim, const rico_theta_step *step, const rico_theta_ways *ways);

// Fills the ledger from now and next; M, K and the frames are those of the step.
rico_status rico_theta_book(rico_simulation *sim, const rico_theta_step *step);

// "Newton's loop did not settle ...": with the velocity that its last two iterates do not agree on, and the reason where
// it is a force that jumps with that velocity; the advice otherwise.
rico_status rico_theta_unsettled(rico_simulation *sim, int iterations, const double *old, const double *new,
                                 const char *advice);

#endif
