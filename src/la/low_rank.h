// A square block matrix of low rank as a product of thin ones: W = C'B, with as many rows in B and C as W has rank.
//
// The Delassus matrix of n velocities has rank n at most, however many contacts there are. Whoever knows M and H has
// the two factors for nothing; from W alone they are found by elimination on the diagonal that goes round the pivots
// at round-off. Contacts that an earlier pivot made redundant take no further part, and the next contact is always
// the one with the fewest neighbours left, so that the factors stay sparse.

#ifndef RICO_LA_LOW_RANK_H
#define RICO_LA_LOW_RANK_H

#include "la/block.h"

// B and C in block columns: those of block a have entries in the rows row[start[a]] .. row[start[a+1]-1], the same in
// both. Entry k of block a holds as many numbers as the block has rows, from place[a] + (k - start[a]) * size on.
typedef struct rico_low_rank {
    rico_context *ctx;
    int64_t rank, blocks;
    int64_t *offset; // blocks + 1: first row of W of each block
    int64_t *start;  // blocks + 1
    int32_t *row;    // increasing within a block
    int64_t *place;  // blocks + 1
    double *b, *c;   // the same array when W is symmetric
} rico_low_rank;

// Factors W, the symmetric part of which must be positive semidefinite. RICO_UNSUPPORTED, without a message, when that
// cannot be done: W is not semidefinite, C'B is not W to 1e-9, or the rank exceeds `limit`. On failure *out stays
// untouched.
rico_status rico_low_rank_create(const rico_block_matrix *W, int64_t limit, rico_low_rank *out);

// B = C = a matrix with one column per row of the partition offset[0..blocks], at most INT32_MAX rows: for W = H'M^-1 H
// with M left to the caller.
rico_status rico_low_rank_from_csc(const rico_csc *a, int64_t blocks, const int64_t *offset,
                                   rico_low_rank *out);

// Releases the arrays and empties the struct; takes an empty (all zero) one.
void rico_low_rank_destroy(rico_low_rank *factors);

void rico_low_rank_times(const rico_low_rank *factors, const double *x, double *y);           // y = B x
void rico_low_rank_transpose_times(const rico_low_rank *factors, const double *x, double *y); // y = C'x

#endif
