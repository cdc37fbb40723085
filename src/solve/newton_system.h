// The linear system of one Newton step on G(r) = map(W r + q, r): J d = -G, J = D_u W + D_r, block-diagonal D_u and D_r.
//
// On the global form the same step comes from a system in velocities and impulses (newton_mixed.h). On W, a block that
// does not look at velocities (an open contact: r = 0) gives its own step at once. Only the others, the
// active ones, are factored: densely when they are few or W is full, by blocks on W's own pattern otherwise
// (la/front_lu.h), and by a general sparse LU when the blocks turn out to need more pivoting than that.

#ifndef RICO_SOLVE_NEWTON_SYSTEM_H
#define RICO_SOLVE_NEWTON_SYSTEM_H

#include "la/front_lu.h"
#include "problem/problem.h"
#include "solve/newton_mixed.h"

typedef enum rico_newton_linear {
    RICO_NEWTON_AUTO,
    RICO_NEWTON_SPARSE,
    RICO_NEWTON_DENSE,
    RICO_NEWTON_MIXED // in velocities and impulses, W unknown (newton_mixed.h)
} rico_newton_linear;

typedef struct rico_newton_system {
    rico_context *ctx;
    const rico_problem *problem;

    // Written by whoever evaluates the map: 9 numbers per block, row-major with the block's own width. An equality
    // uses only du[0], which stands for du[0] times the identity, and no dr.
    double *du, *dr;

    // The step and W times it, m entries each; valid after a solve.
    double *d, *Wd;
    double longest; // how much of d to take at most: 1, unless d is out of all proportion

    rico_newton_mixed *mixed; // NULL where W is there; else nothing below is used

    int32_t *active;      // rows of each block to be solved for: all or none
    int64_t active_rows;  // their rows
    int64_t *place;       // of each block's first row among the active rows
    double *right;        // m: right-hand side, solution, correction
    double *buffer;       // the largest block, squared
    int64_t dense_limit;  // active rows up to which a dense matrix is used
    double *dense;        // dense_limit squared, column-major
    int32_t *pivot;       // dense_limit
    rico_front_lu *front; // NULL when it does not pay
    double *value;        // J on the pattern of W, for it
    rico_csc transposed;  // the active matrix by rows, which is its transpose by columns
    rico_factor *factor;  // of that
    int refusals;         // systems that fronts could not solve
    int64_t dense_steps, front_steps, sparse_steps, mixed_steps; // how often each was used
} rico_newton_system;

rico_status rico_newton_system_create(rico_problem *problem, rico_newton_linear linear,
                                      rico_newton_system **out);
void rico_newton_system_destroy(rico_newton_system *system);

// Solves for d with W + shift |W_aa| on the diagonal in the place of W. When that is singular, larger shifts are tried,
// and *shift tells which one was used. RICO_SINGULAR, with a sentence, when none helps; nothing else can fail but
// memory inside the sparse factorization.
rico_status rico_newton_system_solve(rico_newton_system *system, const double *G, double *shift);

#endif
