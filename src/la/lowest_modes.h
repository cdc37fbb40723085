// The lowest eigenvalues and vectors of K x = lambda M x, sparse and symmetric, M positive definite.

#ifndef RICO_LA_LOWEST_MODES_H
#define RICO_LA_LOWEST_MODES_H

#include "la/csc.h"

// `count` of them, ascending; vectors (order x count, NULL: none) with x'Mx = 1. K and M are values on one pattern, full, not a triangle alone. K - shift M
// must be positive definite, so `shift` lies below the lowest: 0 for a body that is held, some way below 0, by about the lowest eigenvalue asked
// for, for one that is free. RICO_SINGULAR otherwise.
rico_status rico_lowest_modes(rico_context *ctx, const rico_csc *pattern, const double *K, const double *M,
                              double shift, int64_t count, double *values, double *vectors);

#endif
