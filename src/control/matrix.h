// Small dense matrices for formulas of control: products, blocks and solves that read as they are written.
//
// All matrices of one computation lie on a pad and go with it. The first failure stays in the pad: whatever follows does nothing and
// returns empty matrices, so that a formula is checked once, at its end.

#ifndef RICO_CONTROL_MATRIX_H
#define RICO_CONTROL_MATRIX_H

#include "base/context.h"
#include "ricochet/control.h"

typedef struct rico_pad {
    rico_context *ctx;
    void *blocks; // the one taken last; each begins with the address of the one before
    rico_status status;
} rico_pad;

// rows x cols, column by column; a is NULL once the pad has failed.
typedef struct rico_mat {
    int64_t rows, cols;
    double *a;
} rico_mat;

rico_pad rico_pad_open(rico_context *ctx);
rico_status rico_pad_close(rico_pad *pad); // releases everything, returns what became of it
void *rico_pad_take(rico_pad *pad, int64_t count, size_t size);

static inline double *rico_mat_at(rico_mat a, int64_t i, int64_t j)
{
    return a.a + i + j * a.rows;
}

rico_mat rico_mat_zero(rico_pad *pad, int64_t rows, int64_t cols);
rico_mat rico_mat_eye(rico_pad *pad, int64_t n);
rico_mat rico_mat_copy(rico_pad *pad, int64_t rows, int64_t cols, const double *a);
rico_mat rico_mat_transpose(rico_pad *pad, rico_mat a);
rico_mat rico_mat_product(rico_pad *pad, rico_mat a, rico_mat b);
rico_mat rico_mat_product3(rico_pad *pad, rico_mat a, rico_mat b, rico_mat c);
rico_mat rico_mat_sum(rico_pad *pad, double alpha, rico_mat a, double beta, rico_mat b);
rico_mat rico_mat_part(rico_pad *pad, rico_mat a, int64_t row, int64_t rows, int64_t col, int64_t cols);
void rico_mat_put(rico_pad *pad, rico_mat into, int64_t row, int64_t col, rico_mat a);
rico_mat rico_mat_beside(rico_pad *pad, rico_mat a, rico_mat b); // [a b]
rico_mat rico_mat_over(rico_pad *pad, rico_mat a, rico_mat b);   // [a; b]

// A^-1 B. A matrix whose condition exceeds 1e14 leaves RICO_SINGULAR.
rico_mat rico_mat_divide(rico_pad *pad, rico_mat a, rico_mat b);

// A = U diag(s) V', U and V square; s has min(rows, cols) entries.
typedef struct rico_mat_svd {
    rico_mat u, vt;
    double *s;
} rico_mat_svd;

rico_mat_svd rico_mat_svd_of(rico_pad *pad, rico_mat a);
double rico_mat_norm(rico_pad *pad, rico_mat a); // largest singular value
double rico_mat_largest(rico_mat a);             // largest absolute entry

// The real Schur form A = U T U' and its eigenvalues.
typedef struct rico_mat_schur {
    rico_mat t, u;
    double *real, *imag;
} rico_mat_schur;

rico_mat_schur rico_mat_schur_of(rico_pad *pad, rico_mat a);

// Smallest eigenvalue of a symmetric matrix; largest |eigenvalue| of a general one.
double rico_mat_least_eigenvalue(rico_pad *pad, rico_mat a);
double rico_mat_spectral_radius(rico_pad *pad, rico_mat a);

// The matrices of a system on the pad, and a system made of such.
typedef struct rico_quad {
    rico_mat a, b, c, d;
} rico_quad;

rico_quad rico_quad_of(rico_pad *pad, const rico_state_space *sys);
void rico_quad_make(rico_pad *pad, rico_quad quad, rico_state_space **out);

#endif
