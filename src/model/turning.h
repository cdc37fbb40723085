// How the rows of a constraint turn as the system moves: second derivatives, for schemes that ask joints and contacts to
// hold at the level of accelerations and linearize the forces of constraints.
//
// With G = H' the rows of one constraint (size x n, n the velocities it touches) and w its rate,
//
//     u = G v + w,    du/dt = G a + gamma,    gamma = d(G v + w)/dq v + d(G v + w)/dt,
//
// a derivative by q along a velocity being taken along the retraction of its part, where coordinates are rotations too.

#ifndef RICO_MODEL_TURNING_H
#define RICO_MODEL_TURNING_H

#include "model/assembly.h"

// Of one constraint: n entries of v and a, those of its own velocities; entry (i, j) of a matrix stands at i + j n, for
// velocity i and row j, as in H.
struct rico_turning {
    const double *v, *a;
    double *gamma; // size
    double *Dv;    // d(G v + w)/dq; NULL: gamma alone is wanted
    double *Da;    // d(G a + gamma)/dq
    double *Cv;    // d gamma/dv
};

// Work space of the differences that stand in where a kind has no derivatives of its own.
typedef struct rico_turning_space {
    rico_context *ctx;
    double *moved, *along; // positions and velocities of the system
    double *rows, *slopes; // of one constraint: blocks of H, and all derivatives of one
    int64_t row_room, slope_room;
} rico_turning_space;

rico_status rico_turning_create(rico_assembly *assembly, rico_turning_space *out);
rico_status rico_turning_reserve(rico_assembly *assembly,
                                 rico_turning_space *space); // for the set of the step
void rico_turning_destroy(rico_turning_space *space);

// Constraint c of the set at (t, q). pace: a time over which what is driven by t changes little, for differences.
rico_status rico_assembly_turn(rico_assembly *assembly, rico_turning_space *space, int64_t c, double t,
                               const double *q, double pace, const rico_turning *x);

// L = d(G'force)/dq for a force of constraint c: entry (k, i) at k + i n, velocity k's share by velocity i's direction.
rico_status rico_assembly_bend(rico_assembly *assembly, rico_turning_space *space, int64_t c, double t,
                               const double *q, const double *force, double *L);

#endif
