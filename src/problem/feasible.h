// The velocity that lies deepest in the dual cone, by an interior-point method on the reduced problem.
//
//     maximize t   with   W x + q - t e in K*,   equality rows of W x + q = 0,   t <= 1,     e = (1, 0, 0)
//     dual:  minimize q'r + tau   with   W r = 0,   r in K (free on equality rows),   sum r_N + tau = 1,   tau >= 0
//
// in units where the largest |q_i| is 1. Theory and use: docs/theory/existence.md.

#ifndef RICO_PROBLEM_FEASIBLE_H
#define RICO_PROBLEM_FEASIBLE_H

#include "problem/problem.h"

typedef enum rico_feasible_cone {
    RICO_CONE_DUAL,    // K*: mu |u_T| <= u_N
    RICO_CONE_NORMALS, // u_N >= 0 alone, which every solution satisfies
    RICO_CONE_NONE     // contacts left out: the equality rows alone
} rico_feasible_cone;

typedef struct rico_feasible {
    bool regular;      // false: W is not positive semidefinite to round-off, nothing was found
    double margin;     // largest t of x as W x + q gives it, <= 1; 1 when no contact takes part
    double violation;  // largest |W x + q| on equality rows, in the same units
    double rounding;   // what rounding may have done to both
    double dual_value; // q'r + tau: an upper bound of every margin up to the error W r
    int iterations;
} rico_feasible;

// Searches on a reduced problem. x and r have m entries; rows that do not take part get 0. r is the dual point:
// in K (in R+ along the normals for RICO_CONE_NORMALS), free on equality rows.
rico_status rico_feasible_search(rico_problem *problem, rico_feasible_cone cone, double *x, double *r,
                                 rico_feasible *out);

// Replaces r by its component in the kernel of W restricted to the rows where take[] is 1; rows where it is 0
// become 0. RICO_SINGULAR when W is not positive semidefinite.
rico_status rico_feasible_kernel(rico_problem *problem, const double *take, double *r);

#endif
