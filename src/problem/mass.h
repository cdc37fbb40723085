// A mass matrix that falls apart into small diagonal blocks: rigid bodies, particles, lumped masses.
//
// The blocks are the connected components of the pattern of M, so they are found whatever the numbering. Each is
// factored densely by LU in plain loops: at size 6 a call of LAPACK costs more than the work.

#ifndef RICO_PROBLEM_MASS_H
#define RICO_PROBLEM_MASS_H

#include "la/csc.h"

typedef struct rico_mass_blocks {
    rico_context *ctx;
    int64_t count;         // bodies
    int64_t *start;        // count + 1: body b owns the places start[b] .. start[b+1]-1
    int64_t *dof;          // dof at each place, increasing within a body
    int64_t *place;        // place of each dof
    int64_t *of_dof;       // body of each dof
    int64_t *factor_start; // count + 1: where each body's factor begins
    double *factor;        // LU factors, column-major
    int32_t *pivot;        // of each place
} rico_mass_blocks;

enum { RICO_MASS_BLOCK_LIMIT = 64 }; // a component larger than this is not "small"

// RICO_UNSUPPORTED when a component is larger than the limit (no message: it is a question, not an error);
// RICO_SINGULAR when a block cannot be factored.
rico_status rico_mass_blocks_create(const rico_csc *M, rico_mass_blocks **out);

// The same with more in one block than M itself couples: dof i and partner[i] come to lie together.
rico_status rico_mass_blocks_create_joined(const rico_csc *M, const int64_t *partner, rico_mass_blocks **out);
void rico_mass_blocks_destroy(rico_mass_blocks *bodies);

// x <- M_b^-1 x for one body, x in the order of its places.
void rico_mass_blocks_solve(const rico_mass_blocks *bodies, int64_t body, double *x);

// x <- M^-1 x for all of them, x in the order of the dofs.
void rico_mass_blocks_solve_all(const rico_mass_blocks *bodies, double *x);

#endif
