// Products with matrices whose columns come in runs on the same rows, as those of a node of a mesh do.
//
// Such products wait for memory: what a run shares, the indices and the entries of x, is read once for all its columns. Of a
// symmetric matrix both triangles are read all the same: where x is nearly a rigid motion, the terms of a whole row cancel before they are
// summed further, and half of them do not.

#ifndef RICO_LA_ALIKE_H
#define RICO_LA_ALIKE_H

#include "la/csc.h"

// For each column how many there are from it on that have the same rows, at most 3; 1 inside a run. The caller frees it by rico_free(). NULL: no memory.
unsigned char *rico_alike_find(const rico_csc *pattern);

// y = y + alpha A'x with the values on the pattern.
void rico_alike_add(const rico_csc *pattern, const unsigned char *alike, const double *value, double alpha,
                    const double *x, double *y);

// x'A x.
double rico_alike_square(const rico_csc *pattern, const unsigned char *alike, const double *value,
                         const double *x);

#endif
