// Multifrontal LU of block-sparse matrices whose pattern stays and whose values, and active rows, change.
//
// Made for the Newton and interior-point systems of contact problems: small dense blocks on the pattern of W, factored
// hundreds of times. The order of elimination (minimum degree) and the supernodes come once from the block pattern;
// each factorization assembles dense fronts and works on them with BLAS. Rows are exchanged inside the pivots of a
// supernode only: the caller refines, and judges what it gets.
//
// Each block may be active in part: of the rows and columns of block a, the first active[a] take part (0: the block is
// absent). That is how open contacts leave a Newton system and sliding ones shrink.

#ifndef RICO_LA_FRONT_LU_H
#define RICO_LA_FRONT_LU_H

#include "la/block.h"

typedef struct rico_front_lu rico_front_lu;

// Analyses the pattern of `a`, which must outlive the factor. Allocates index arrays only; numbers come with the first
// factorization.
rico_status rico_front_lu_create(const rico_block_matrix *a, rico_front_lu **out);
void rico_front_lu_destroy(rico_front_lu *lu);

// Floating-point operations of a factorization with every block active, and numbers it stores.
double rico_front_lu_flops(const rico_front_lu *lu);
double rico_front_lu_entries(const rico_front_lu *lu);

// Bytes that the first factorization asks for: factors, the largest front, the stack of contributions. It refuses to begin where
// the context may not have that much more (rico_foresee()).
double rico_front_lu_bytes(const rico_front_lu *lu);

// Factors the matrix that has the pattern of `a` and `value` in place of its values (same places, same strides).
// RICO_SINGULAR, with a sentence, when a pivot is exactly zero or not a number.
rico_status rico_front_lu_factor(rico_front_lu *lu, const int32_t *active, const double *value);

// The sign of the determinant of what was factored last, +1 or -1.
int rico_front_lu_sign(const rico_front_lu *lu);

// Solves in place; x has the rows of `a`, of which only active ones are read and written.
void rico_front_lu_solve(rico_front_lu *lu, double *x);

#endif
