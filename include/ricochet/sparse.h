// Sparse matrices as callers hand them in: compressed columns, 64-bit indices.

#ifndef RICOCHET_SPARSE_H
#define RICOCHET_SPARSE_H

#include <stdint.h>

// A matrix in compressed sparse columns, owned by whoever made it. Column j holds the entries
// start[j] .. start[j+1]-1 of row[] and value[]. Rows need not be sorted; repeated entries add up.
typedef struct rico_sparse_view {
    int64_t rows, cols;
    const int64_t *start; // cols + 1
    const int64_t *row;
    const double *value;
} rico_sparse_view;

#endif
