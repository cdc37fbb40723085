// Linear systems with W and a block diagonal: what interior points and splitting methods solve at each step.
//
//     (F W G + diag(d)) y = F b,   x = G y,     F and G block diagonal, d > 0,
//
// which is (W + F^-1 diag(d) G^-1) x = b without ever forming what would lose its digits there: near the end of an
// interior-point run the diagonal blocks have eigenvalues twenty orders apart, and F, G are the frames where they are
// diagonal. d = INFINITY fixes y at 0.
//
// Two spaces to do it in. In that of the rows, I + d^-1/2 F W G d^-1/2 is factored. In that of the velocities, with
// W = C' N^-1 B (B = C = H and N = M of a global problem; N = I and thin B, C found from W, la/low_rank.h) and the
// compliance X = G d^-1 F,
//
//     (N + B X C') v = B X b,     x = X (b - C'v),
//
// which is far smaller when contacts are redundant, but runs out of digits where X is large. Either matrix is factored
// as sparse or as dense.

#ifndef RICO_SOLVE_CONE_SYSTEM_H
#define RICO_SOLVE_CONE_SYSTEM_H

#include "problem/problem.h"

typedef enum rico_space { RICO_SPACE_AUTO, RICO_SPACE_ROWS, RICO_SPACE_DOFS } rico_space;
typedef enum rico_storage { RICO_STORAGE_AUTO, RICO_STORAGE_SPARSE, RICO_STORAGE_DENSE } rico_storage;

// The blocks of F and G belong to cells: one per contact, one per row of an equality (joints can be large).
typedef struct rico_cone_system {
    rico_context *ctx;
    rico_problem *problem;
    bool dofs;  // works on velocities
    bool exact; // the systems are those of W itself, not of thin factors that equal it to some eleven digits
    int64_t cells, rows;
    int64_t *offset;      // cells + 1: first row of each cell
    int64_t *place;       // cells + 1: where the numbers of each block of F and G begin, row-major
    double *left, *right; // F and G, the identity at first; for the caller to fill
    double *shift;        // d, one entry per row; for the caller to fill
    struct rico_cone_matrix *matrix;
} rico_cone_system;

// Forms and analyses. With `symmetric` the caller promises F = G'; if W is symmetric too, Cholesky factors are used.
// Forms W on a global problem with more velocities than rows, or when told to work on rows.
rico_status rico_cone_system_create(rico_problem *problem, rico_space space, rico_storage storage,
                                    bool symmetric, rico_cone_system **out);
void rico_cone_system_destroy(rico_cone_system *system);

// Factors with F, G and d as they stand. RICO_SINGULAR when that cannot be done. Nothing of ours is allocated.
rico_status rico_cone_system_factor(rico_cone_system *system);

// x for a right-hand side b, with the last factors; b and x may be the same.
rico_status rico_cone_system_solve(rico_cone_system *system, const double *b, double *x);

// u = W r, through whichever form of the problem is there; and the same with the W that the systems hold, where that
// is not exact.
rico_status rico_cone_system_response(rico_cone_system *system, const double *r, double *u);
void rico_cone_system_model(rico_cone_system *system, const double *r, double *u);

// The order of the matrix that is factored, and whether it is dense.
int64_t rico_cone_system_order(const rico_cone_system *system, bool *dense);

#endif
