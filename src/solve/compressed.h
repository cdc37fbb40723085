// Newton systems of contact problems, compressed to what the bodies can tell apart.
//
// Every Newton-like method here ends in dr = c - C W dr with a block-diagonal C (zero for an open contact). Contacts
// of one pair of bodies see the rest of the world through at most six numbers, the relative twist of the pair: their
// rows of W span a space of that dimension, whatever their number. With an orthonormal basis E of the rows of each
// such group, W = E' Wc E and p = E dr, the system becomes (I + S Wc) p = E c with S = E C E' of order six per pair of
// bodies, and dr = c - C E' Wc p. Neither C nor W need be inverted, and redundant contacts disappear instead of making
// the matrix singular.
//
// Equality blocks are groups of their own, with (W dr) = c as their equation.

#ifndef RICO_SOLVE_COMPRESSED_H
#define RICO_SOLVE_COMPRESSED_H

#include "la/front_lu.h"
#include "problem/problem.h"

typedef struct rico_compressed rico_compressed;

// Finds the groups and their bases and analyses the system's pattern, for a problem that has W.
rico_status rico_compressed_create(const rico_problem *problem, rico_compressed **out);
void rico_compressed_destroy(rico_compressed *system);

// Factors for C: nine numbers per block, row-major with stride 3, of which a block of n rows uses the leading n x n;
// not read for equalities. RICO_SINGULAR as rico_front_lu_factor().
rico_status rico_compressed_factor(rico_compressed *system, const double *C);

// dr from c, m entries each (not the same array), with the C of the last factorization; one step of iterative
// refinement when asked to.
void rico_compressed_solve(rico_compressed *system, const double *C, const double *c, double *dr,
                           bool refine);

// W dr for the dr of the last solve, which found it on its way.
void rico_compressed_product(const rico_compressed *system, double *W_dr);

// The sign of det(I + C W) for the C of the last factorization; with equalities, of the bordered matrix.
int rico_compressed_sign(const rico_compressed *system);

typedef struct rico_compressed_stats {
    int64_t groups, rows; // of the compressed system
    double flops;         // of one factorization
} rico_compressed_stats;
rico_compressed_stats rico_compressed_statistics(const rico_compressed *system);

#endif
