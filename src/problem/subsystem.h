// The symmetric part of W on chosen rows, scaled, with a diagonal that can be changed: T (W + W')/2 T / omega + D.

#ifndef RICO_PROBLEM_SUBSYSTEM_H
#define RICO_PROBLEM_SUBSYSTEM_H

#include "problem/problem.h"

typedef struct rico_subsystem {
    rico_context *ctx;
    int64_t size;
    int64_t *row;        // row of the problem behind each of ours
    int64_t *place;      // ours behind each row of the problem, -1 for none
    double *scale;       // T
    double omega;        // mean diagonal of T W T, so that ours is of order 1; 1 if that is 0
    rico_csc S;          // lower triangle of T (W + W')/2 T / omega; diagonal blocks of W are stored in full
    rico_csc A;          // the same pattern, for S + D
    rico_factor *factor; // Cholesky factor of A
} rico_subsystem;

// scale has one entry per row of the (reduced) problem; rows with scale 0 stay out.
rico_status rico_subsystem_create(rico_problem *problem, const double *scale, rico_subsystem *out);
void rico_subsystem_destroy(rico_subsystem *s);

// Where A keeps the entry (i, j), i >= j, of our numbering; -1 if it does not.
int64_t rico_subsystem_entry(const rico_subsystem *s, int64_t i, int64_t j);

void rico_subsystem_times(const rico_subsystem *s, const double *x, double *y); // y = S x

// A = alpha S + shift I, ready for the caller to add to; then the Cholesky factor of what A holds.
void rico_subsystem_reset(rico_subsystem *s, double alpha, double shift);
rico_status rico_subsystem_factor(rico_subsystem *s); // RICO_SINGULAR if A is not positive definite

// The factor of S + shift I for the smallest shift from 1e-9 on that works, which it returns. Files store W rounded,
// sometimes to eight digits, which leaves eigenvalues of that size below zero where W has a kernel: such a W is taken
// for semidefinite. RICO_SINGULAR when not even 1e-5 is enough.
rico_status rico_subsystem_factor_shifted(rico_subsystem *s, double *shift);

// b becomes its component in the kernel of S. work has `size` entries. RICO_SINGULAR if S is indefinite.
rico_status rico_subsystem_kernel(rico_subsystem *s, double *b, double *work);

#endif
