// Dense matrices through BLAS and LAPACK, column-major. Work space comes from the context, nothing is hidden.

#ifndef RICO_LA_DENSE_H
#define RICO_LA_DENSE_H

#include "base/context.h"

double rico_dot(int64_t n, const double *x, const double *y);
double rico_norm(int64_t n, const double *x);     // 2-norm, safe against overflow
double rico_norm_inf(int64_t n, const double *x); // NaN if any entry is NaN
bool rico_all_finite_long(int64_t n, const double *x);

// Short vectors are what small systems are made of: these stand here to be compiled into their callers' loops.
static inline void rico_axpy(int64_t n, double alpha, const double *x, double *y)
{
    for (int64_t i = 0; i < n; i++) y[i] += alpha * x[i];
}


static inline bool rico_all_finite(int64_t n, const double *x)
{
    if (n > 8) return rico_all_finite_long(n, x);
    double sum = 0.0; // 0 x is 0 for a finite x and NaN otherwise
    for (int64_t i = 0; i < n; i++) sum += 0.0 * x[i];
    return sum == 0.0;
}

// y = beta y + alpha A x, and the same with A'; A is rows x cols with leading dimension rows. x and y must not
// overlap. beta = 0 ignores what y held.
void rico_dense_times(int64_t rows, int64_t cols, double alpha, const double *a, const double *x, double beta,
                      double *y);
void rico_dense_transpose_times(int64_t rows, int64_t cols, double alpha, const double *a, const double *x,
                                double beta, double *y);

// C = A'B, with A rows x m and B rows x n.
void rico_dense_transpose_product(int64_t rows, int64_t m, int64_t n, const double *a, const double *b,
                                  double *c);

// In-place factorizations of an n x n matrix and their solves (count right-hand sides, in place). Here and below, a
// matrix that is not finite gives RICO_BAD_INPUT.
// Cholesky reads and writes the lower triangle alone.
rico_status rico_dense_cholesky(rico_context *ctx, int64_t n, double *a); // RICO_SINGULAR if not definite
void rico_dense_cholesky_solve(int64_t n, const double *a, int64_t count, double *b);
rico_status rico_dense_lu(rico_context *ctx, int64_t n, double *a,
                          int32_t *pivot); // RICO_SINGULAR on a zero pivot
void rico_dense_lu_solve(int64_t n, const double *a, const int32_t *pivot, int64_t count, double *b);

// The solution of A x = b of minimum norm, in the least-squares sense, for a square matrix of any rank; b becomes x, A is
// destroyed. Directions below rcond times the largest do not count. work has rico_dense_minimum_norm_work(n) entries.
int64_t rico_dense_minimum_norm_work(int64_t n);
rico_status rico_dense_minimum_norm(rico_context *ctx, int64_t n, double *a, double *b, double rcond,
                                    double *work, int32_t *pivot, int64_t *rank);

// Eigenvalues (ascending) of a symmetric matrix, read from its lower triangle and destroyed; vectors replace it
// when wanted.
rico_status rico_dense_eigen(rico_context *ctx, int64_t n, double *a, bool vectors, double *eigenvalues);

// Singular values (descending) of a rows x cols matrix, destroyed.
rico_status rico_dense_singular_values(rico_context *ctx, int64_t rows, int64_t cols, double *a,
                                       double *values);

#endif
