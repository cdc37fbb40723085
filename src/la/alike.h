// Products with symmetric matrices whose columns come in runs on the same rows, as those of a node of a mesh do.
//
// Such products wait for memory: what a run shares, the indices and the entries of x, is read once for all its columns, and of the matrix
// the upper triangle alone. Rows ascend in each column.

#ifndef RICO_LA_ALIKE_H
#define RICO_LA_ALIKE_H

#include "la/csc.h"

// A column from which on `run` of them have the same rows, at most 3; 0 inside a run. Of those rows `before` lie before the run and `own` in it.
typedef struct rico_alike {
    int32_t run, own;
    int64_t before;
} rico_alike;

// One for each column. The caller frees it by rico_free(). NULL: no memory.
rico_alike *rico_alike_find(const rico_csc *pattern);

// y = y + alpha A x with the values on the pattern.
void rico_alike_add(const rico_csc *pattern, const rico_alike *alike, const double *value, double alpha,
                    const double *x, double *y);

// x'A x.
double rico_alike_square(const rico_csc *pattern, const rico_alike *alike, const double *value,
                         const double *x);

#endif
