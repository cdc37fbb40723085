// The condition of a square operator as LSMR sees it on the way to a solution of A x = b (Fong and Saunders 2011).
//
// Golub and Kahan's bidiagonalization spans the directions that b excites; the ratio of the largest to the smallest diagonal
// entry of the factor that LSMR builds estimates the condition there, from below, without a threshold for singular values of zero.

#ifndef RICO_LA_LSMR_H
#define RICO_LA_LSMR_H

#include "base/context.h"

typedef struct rico_two_sided {
    void (*times)(void *user, const double *x, double *y);           // y = A x
    void (*transpose_times)(void *user, const double *x, double *y); // y = A'x
    void *user;
} rico_two_sided;

// Runs until |A'r| has fallen by `tol`, or for `steps`. NaN where A'b = 0.
rico_status rico_lsmr_condition(rico_context *ctx, int64_t n, const rico_two_sided *A, const double *b,
                                double tol, int64_t steps, double *condition);

#endif
