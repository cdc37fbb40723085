// Small dense complex matrices, in place and without memory: systems, Cholesky's factor, singular values, Schur forms.
//
// Not by LAPACK: the complex matrix-vector kernels of OpenBLAS 0.3.21, which Debian 12 has, read behind the end of their matrix
// (OpenBLAS issues 4013 and 5000).

#ifndef RICO_CONTROL_COMPLEX_H
#define RICO_CONTROL_COMPLEX_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

// B = A^-1 B of n x cols by Gauss with row pivots; A is destroyed. False when a pivot is zero or not a number.
bool rico_complex_solve(int64_t n, double complex *a, int64_t cols, double complex *b);

// The lower triangle of A = L L* becomes L. False when A is not positive definite.
bool rico_complex_cholesky(int64_t n, double complex *a);

// A = L^-1 A of n x cols.
void rico_complex_forward(int64_t n, const double complex *l, int64_t cols, double complex *a);

// The min(rows, cols) singular values, descending; A is destroyed. False when it is not finite.
bool rico_complex_singular(int64_t rows, int64_t cols, double complex *a, double *values);

// A real Schur form A = U T U', as LAPACK leaves it, becomes a complex one: T upper triangular.
void rico_complex_schur(int64_t n, double complex *t, double complex *u);

// Brings the `count` eigenvalues of least real part to the front, ascending; the first `count` columns of U span their subspace.
void rico_complex_schur_order(int64_t n, int64_t count, double complex *t, double complex *u);

#endif
