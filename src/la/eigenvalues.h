// Eigenvalues of a general dense matrix.

#ifndef RICO_LA_EIGENVALUES_H
#define RICO_LA_EIGENVALUES_H

#include "base/context.h"

// Of the n x n matrix a, column by column, which is destroyed; pairs of conjugates follow each other. RICO_SINGULAR: a is not finite.
rico_status rico_eigenvalues(rico_context *ctx, int64_t n, double *a, double *real, double *imag);

#endif
