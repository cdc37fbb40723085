// Least squares with signs: min |A x - b| over x >= 0 (Lawson and Hanson 1974, chapter 23), for small dense systems.
//
// What is left, A x - b, is the proof that b cannot be reached: it has an angle of at least 90 degrees with every column,
// and an acute one with b. A variable of either sign is two columns of opposite signs.

#ifndef RICO_LA_NNLS_H
#define RICO_LA_NNLS_H

#include "base/context.h"

typedef struct rico_nnls {
    rico_context *ctx;
    int64_t rows, room;     // room: columns that fit
    int64_t count, passive; // columns in use; those that are not held at 0
    double promise;         // most that any column, made a unit vector, still has in common with b - A x
    double *A;              // column by column; the caller fills it
    double *size;           // |a_j|
    double *x;
    double *left;    // b - A x
    double *Q, *R;   // of the passive columns, in the order in which they came
    double *y, *z;   // Q'b, and the solution on the passive columns
    int64_t *column; // these columns
    bool *is_passive, *refused;
} rico_nnls;

rico_status rico_nnls_create(rico_context *ctx, int64_t rows, int64_t room, rico_nnls *out);
void rico_nnls_destroy(rico_nnls *nnls);

// Solves for the first `count` columns of A; returns |A x - b|. Columns within `tol` of depending on those in use are
// left out, and the search ends when no other promises more than tol |b|.
double rico_nnls_solve(rico_nnls *nnls, int64_t count, const double *b, double tol);

#endif
