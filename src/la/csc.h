// Sparse matrices in compressed columns: assembly from triplets, transpose, products, norms.
//
// Invariant of every rico_csc made here: start[0] = 0, start nondecreasing, rows sorted and unique in a column.

#ifndef RICO_LA_CSC_H
#define RICO_LA_CSC_H

#include "base/context.h"
#include "ricochet/sparse.h"

typedef struct rico_csc {
    rico_context *ctx;
    int64_t rows, cols;
    int64_t *start; // cols + 1
    int64_t *row;
    double *value;
} rico_csc;

// Sorts, sums duplicates and checks what a caller handed in: sizes, monotone start, rows in range, finite
// values. `name` ("W", "M", ...) is what messages call the matrix; places in them count from 0. An all-zero view
// is the 0 x 0 matrix. On failure *out stays untouched, here as everywhere below.
rico_status rico_csc_from_view(rico_context *ctx, const char *name, const rico_sparse_view *view,
                               rico_csc *out);

// The same from count triplets (row[k], col[k], value[k]).
rico_status rico_csc_from_triplets(rico_context *ctx, const char *name, int64_t rows, int64_t cols,
                                   int64_t count, const int64_t *row, const int64_t *col, const double *value,
                                   rico_csc *out);

rico_status rico_csc_copy(const rico_csc *a, rico_csc *out);
rico_status rico_csc_transpose(const rico_csc *a, rico_csc *out);
rico_status rico_csc_multiply(const rico_csc *a, const rico_csc *b, rico_csc *out); // A B

// Releases the arrays and empties the struct; takes an empty (all zero) one.
void rico_csc_destroy(rico_csc *a);

rico_sparse_view rico_csc_view(const rico_csc *a);
int64_t rico_csc_count(const rico_csc *a); // stored entries

// Where entry (row, col) is stored, in columns with sorted rows: it must be.
int64_t rico_csc_find(const rico_csc *a, int64_t row, int64_t col);

// y = beta y + alpha A x, and the same with A'. x and y must not overlap. beta = 0 ignores what y held.
void rico_csc_times(const rico_csc *a, double alpha, const double *x, double beta, double *y);
void rico_csc_transpose_times(const rico_csc *a, double alpha, const double *x, double beta, double *y);

double rico_csc_norm_frobenius(const rico_csc *a);
double rico_csc_norm_one(const rico_csc *a); // largest column sum

// Largest row sum. Needs work space of one number per row; -1 when memory runs out (message left in ctx).
double rico_csc_norm_inf(const rico_csc *a);

// |A - A'|_F / |A|_F, 0 for an empty matrix; -1 when memory runs out (message left in ctx). Square matrices only.
double rico_csc_symmetry_defect(const rico_csc *a);

#endif
