// A motion with its contacts held to given states, up to an event and through it: the smooth pieces that an orbit is made of.
//
// Between events the event-driven scheme integrates a smooth vector field; the event that ends a piece is the zero of one of its
// two numbers for each contact (rico_event_roots()); an impact at the end maps velocities. Held to its states of contacts, and to
// who strikes at its end, such a piece is a smooth function of where it begins and of how long it lasts, also beyond the point at
// which the motion itself would do something else. That is what Newton's method on orbits needs, and what it differentiates.

#ifndef RICO_STEP_SEGMENT_H
#define RICO_STEP_SEGMENT_H

#include "step/simulation.h"

// The states of all contacts, as the event-driven scheme has them.
typedef struct rico_held_states {
    char *state, *onset;    // constraints
    double *slide, *anchor; // rows
} rico_held_states;

typedef struct rico_segment {
    rico_held_states during, after; // after: of the event at its end; not read where there is none
    int64_t
        contact; // the event: a contact and which of its two numbers vanishes; -1: none, time alone ends it
    int which;
    int64_t blows; // impacts at its end, one after the other at the same instant
    char *strikes; // blows * constraints: who takes part
    int64_t steps; // equal ones of the integrator
} rico_segment;

// Follows a segment over the time s from (t, x): x = (q, v), moved onto the constraints that hold, becomes the state after the
// event. *event, unless NULL, receives the number that vanishes at it (0 where there is none). unfolding: a force of that times M v is added.
rico_status rico_segment_follow(rico_simulation *sim, const rico_segment *segment, double t, double s,
                                double unfolding, double *x, double *event);

// The gaps of all contacts (0 for joints) at n + 1 moments of the segment, from its start to its end: n + 1 times as many numbers as there are constraints.
rico_status rico_segment_gaps(rico_simulation *sim, const rico_segment *segment, double t, double s,
                              double unfolding, const double *x, int64_t n, double *gaps);

// So many steps that twice as many end at the same state up to tol, over the sizes `scale` (nq + nv): into segment->steps.
rico_status rico_segment_choose_steps(rico_simulation *sim, rico_segment *segment, double t, double s,
                                      double unfolding, const double *x, const double *scale, double tol);

// dx/dt at (t, x) in the states of `mode`.
rico_status rico_segment_rate(rico_simulation *sim, const rico_held_states *mode, double t, double unfolding,
                              const double *x, double *rate);

// How much gaps, joint values and the motions of obstacles at x change from t to `later`: the largest, gaps over `length`, speeds over `speed`.
rico_status rico_segment_walls_move(rico_simulation *sim, double t, double later, const double *x,
                                    double length, double speed, double *most);

// A change of q, small, in velocities: the least-squares solution of G dv = dq, G the derivative of the retraction at (t, q).
rico_status rico_segment_tangent(rico_simulation *sim, double t, const double *q, const double *dq,
                                 double *dv);

// Makes a simulation ready for these functions, near (t, q, v): its contacts may be anywhere. Refuses one that cannot be cut into segments.
rico_status rico_segment_prepare(rico_simulation *sim, double t, const double *q, const double *v);

// Sizes of positions, in velocities, and of velocities, of a motion whose largest kinetic energy is `energy` and whose states take a
// time `pace` to change: scale has 2 nv entries. M is that of the last state that was looked at.
double rico_segment_kinetic(rico_simulation *sim, double t, const double *x);
void rico_segment_scales(const rico_simulation *sim, double energy, double pace, double *scale);

#endif
