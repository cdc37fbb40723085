// A preconditioner of M + H C H' in two levels, the same on any number of ranks.
//
// Below: every part of the cut (split.h) with one layer of the bodies that it touches is factored exactly; those of the
// layer touch nothing but the part, their other neighbours standing still. Of a solution each part keeps its own
// bodies (restricted additive Schwarz: Cai, Sarkis 1999). Above: each part brings the few motions that cost it little
// while its neighbours would pay for them, solutions of
//
//     A_N x = lambda A_D x,     lambda <= TOLERABLE,
//
// A_N the part with its inner contacts alone, A_D the same with its border held (Spillane et al. 2014): the six rigid
// motions of a part that hangs together, and more where open or sliding contacts let pieces of it go. All parts'
// motions together are a dense system that every rank solves.

#ifndef RICO_MPI_SCHWARZ_H
#define RICO_MPI_SCHWARZ_H

#include "body_matrix.h"
#include "la/front_lu.h"

enum { RICO_MPI_MODES = 16, RICO_MPI_COARSE = 1536 }; // of a part, at most; of all parts together

typedef struct rico_mpi_piece {
    int64_t first, own, count; // own bodies, the first of them, and with the layer
    int32_t *body;             // of the rank, in the numbers of the rank
    int64_t contacts;
    int64_t *contact; // that touch the part, in the common order
    int64_t *pair;    // two for each: blocks (first, second) and (second, first) of the pattern, or -1
    rico_block_matrix pattern; // without values
    int32_t *active;
    rico_front_lu *lu;
    double *modes;      // 6 own by RICO_MPI_MODES, column after column
    int ready, brought; // of those: left by the last system; soft enough for the coarse level
} rico_mpi_piece;

typedef struct rico_mpi_schwarz {
    rico_mpi_body_matrix *matrix;
    rico_mpi_piece *piece;
    double *value, *x;            // of the largest piece
    double *work, *other;         // vectors of the largest piece, RICO_MPI_MODES of them
    double *coarse_move;          // six for each body
    double *left;                 // likewise
    double *spread;               // RICO_MPI_MODES motions of every body
    int *modes;                   // of all parts
    int64_t *start;               // all parts + 1: first coarse unknown of each
    int *rank_count, *rank_start; // of the coarse unknowns, by ranks
    int64_t order;
    double *E, *a;
    int32_t *pivot;
    int most; // modes of a part
} rico_mpi_schwarz;

// Analyses. *bytes: what the first factorization will ask for on this rank.
rico_status rico_mpi_schwarz_create(rico_mpi_body_matrix *matrix, rico_mpi_schwarz **out, double *bytes);
void rico_mpi_schwarz_destroy(rico_mpi_schwarz *schwarz);

// For C of the matrix as it stands, and `symmetric` (likewise 9 for each contact, symmetric and semidefinite) in its
// place for the motions of parts.
rico_status rico_mpi_schwarz_factor(rico_mpi_schwarz *schwarz, const double *symmetric);

// z = P r for own bodies.
rico_status rico_mpi_schwarz_apply(rico_mpi_schwarz *schwarz, const double *r, double *z);

#endif
