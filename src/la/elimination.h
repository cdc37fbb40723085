// Elimination on a symmetric pattern: an order, its tree, and how long the columns of the factor come out.
//
// None of this needs the pattern of the factor, only room for a few numbers for each column, so that what a factorization would
// cost can be known of matrices far too large for one. Order: minimum degree (AMD), or nested dissection (METIS) where that is
// cheaper and the matrix worth it. Tree: Liu, ACM Trans. Math. Softw. 12 (1986).
// Lengths of columns: Gilbert, Ng and Peyton, SIAM J. Matrix Anal. Appl. 15 (1994).

#ifndef RICO_LA_ELIMINATION_H
#define RICO_LA_ELIMINATION_H

#include "base/context.h"

typedef struct rico_elimination {
    rico_context *ctx;
    int64_t count;    // columns; they may be blocks of several rows
    int64_t *perm;    // position in the order -> column
    int64_t *inverse; // column -> position
    int64_t *
        parent; // of each position: its parent in the tree, -1 for a root; every subtree is contiguous and ends with its root
    int64_t
        *below; // of each position: columns that its column of the factor has entries for below the diagonal
    int64_t *rows; // the rows of these
    double flops;  // operations of an LU factorization
} rico_elimination;

// The neighbours of column j, without itself and each once, are neighbour[start[j]] .. neighbour[start[j+1] - 1]; it has the rows
// offset[j] .. offset[j+1] - 1. On failure *out stays untouched.
rico_status rico_elimination_create(rico_context *ctx, int64_t count, const int64_t *start,
                                    const int64_t *neighbour, const int64_t *offset, rico_elimination *out);
void rico_elimination_destroy(rico_elimination *e); // also one of zeros

#endif
