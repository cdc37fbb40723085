// Colouring of the blocks: blocks of one colour do not feel each other, so a sweep may do them in any order or at
// once with the same result to the last bit.
//
// First fit in the order of the blocks, hence deterministic; at most 64 colours, kept as bits of a word. A block that
// finds all of them taken by its neighbours goes to a remainder that is swept one after the other: with so many
// neighbours on one body there is nothing to do at once anyway.

#ifndef RICO_SOLVE_COLOUR_H
#define RICO_SOLVE_COLOUR_H

#include "la/block.h"

enum { RICO_COLOUR_LIMIT = 64 };

typedef struct rico_colouring {
    rico_context *ctx;
    int64_t count;  // blocks
    int colours;    // used, at most RICO_COLOUR_LIMIT
    int64_t *order; // blocks, colour after colour, increasing within each, then the remainder
    int64_t
        start[RICO_COLOUR_LIMIT + 1]; // colour c owns order[start[c]] .. order[start[c+1] - 1]; the remainder
                                      // begins at start[colours]
} rico_colouring;

// Neighbours are blocks a /= b with a stored block (a, b) or (b, a).
rico_status rico_colour_matrix(const rico_block_matrix *W, rico_colouring **out);

// Neighbours are blocks that share an item (a degree of freedom): block a has the items item[start[a]] ..
// item[start[a+1] - 1], numbered from 0 to items - 1.
rico_status rico_colour_incidence(rico_context *ctx, int64_t blocks, const int64_t *start,
                                  const int64_t *item, int64_t items, rico_colouring **out);

void rico_colouring_destroy(rico_colouring *colouring);

#endif
