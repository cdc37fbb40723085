// Block-sparse square matrices on a partition of the rows: the Delassus matrix, contact by contact.
//
// Block rows are compressed, blocks are dense, row-major and contiguous in the order in which a sweep reads
// them. Every row holds its diagonal block, zero if nothing was assembled there. Partitions into 3 (or 2, or 1)
// everywhere take faster paths; any mixture works.

#ifndef RICO_LA_BLOCK_H
#define RICO_LA_BLOCK_H

#include "la/csc.h"

typedef struct rico_block_matrix {
    rico_context *ctx;
    int64_t blocks;    // number of block rows (= block columns)
    int64_t rows;      // offset[blocks]
    int uniform;       // common block size if it is 1, 2 or 3, else 0
    bool whole;        // a copy: its arrays are in one block of memory, that of offset
    int64_t *offset;   // blocks + 1: first scalar row of each block row (owned copy)
    int64_t *start;    // blocks + 1: block row i holds the blocks start[i] .. start[i+1]-1
    int32_t *col;      // block column of each block, increasing within a row
    int64_t *place;    // where in value[] each block begins; count + 1 entries
    int64_t *diagonal; // index of the diagonal block of each row
    double *value;
} rico_block_matrix;

// Gathers a square CSC matrix into blocks of the partition offset[0..blocks], which runs from 0 to the order of the
// matrix with at least one row in each of at most INT32_MAX blocks. On failure *out stays untouched.
rico_status rico_block_from_csc(const rico_csc *a, int64_t blocks, const int64_t *offset,
                                rico_block_matrix *out);
rico_status rico_block_to_csc(const rico_block_matrix *a, rico_csc *out); // drops exact zeros

rico_status rico_block_copy(const rico_block_matrix *a, double factor, rico_block_matrix *out); // factor * A
rico_status rico_block_transpose(const rico_block_matrix *a, rico_block_matrix *out);

// Releases the arrays and empties the struct; takes an empty (all zero) one.
void rico_block_destroy(rico_block_matrix *a);

int64_t rico_block_count(const rico_block_matrix *a);
int rico_block_size(const rico_block_matrix *a, int64_t block); // rows of a block row

// The place of block (row, col) among all, by bisection. It must be there.
int64_t rico_block_find(const rico_block_matrix *a, int64_t row, int64_t col);

// y = A x + b (b NULL means 0). x and y must not overlap; b may be y.
void rico_block_times(const rico_block_matrix *a, const double *x, const double *b, double *y);

// One block row of the same: y_i = (A x + b)_i, with b_i (NULL means 0) and y_i of the size of the row. y_i must
// not be part of x. The result is bitwise that of rico_block_times().
void rico_block_row_times(const rico_block_matrix *a, int64_t i, const double *x, const double *b_i,
                          double *y_i);

double rico_block_norm_frobenius(const rico_block_matrix *a);
double rico_block_norm_inf(const rico_block_matrix *a);

#endif
