// What is found out about the bodies behind a Delassus matrix, for the files that find it and write it down (hidden_bodies.h).

#ifndef RICO_SOLVE_HIDDEN_MOTIONS_H
#define RICO_SOLVE_HIDDEN_MOTIONS_H

#include "la/clique_cover.h"
#include "solve/compressed_groups.h"

enum { RICO_HIDDEN_SQUARE = RICO_TWIST * RICO_TWIST };

// Squares are row-major, with their own width as the stride, in RICO_HIDDEN_SQUARE numbers each.
typedef struct rico_hidden_motions {
    rico_context *ctx;
    const rico_compressed *s;
    rico_clique_cover cover;  // bodies as cliques of groups
    double *size;             // of each group: W is in units in which the mean of its diagonal is one
    double *W;                // Wc in these, laid out as there
    double *unit;             // of each group: L of order d, W_gg = L L'
    int32_t *rank;            // n of each clique, 0 while it is not known
    double *G;                // of each place of the cover: n x d
    double *mass, *response;  // of each clique: M of order n, and its inverse
    int32_t *rest_rank;       // of each group: of the body that only it touches, 0 for none
    double *rest, *rest_mass; // G of that, n x d, and M
    double *A, *b, *work;     // equations
    rico_status status;       // memory that there was not
} rico_hidden_motions;

// Finds all of it. *found tells whether it is W.
rico_status rico_hidden_motions_find(rico_hidden_motions *motions, bool *found);
void rico_hidden_motions_destroy(rico_hidden_motions *motions);

#endif
