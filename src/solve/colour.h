// Colouring of the blocks: blocks of one colour do not feel each other, so a sweep may do them in any order or at
// once with the same result to the last bit.
//
// What gets a colour is a unit of `chunk` successive blocks, the last one perhaps shorter, which is swept from its
// first block to its last. Units of one block give the most to do at once; units of some hundred keep neighbours in
// memory together and the order of the sweep near the given one, both of which large problems need.
//
// First fit in the order of the units, hence deterministic; at most 64 colours, kept as bits of a word. A unit that
// finds all of them taken by its neighbours goes to a remainder that is swept one after the other: with so many
// neighbours on one body there is nothing to do at once anyway.

#ifndef RICO_SOLVE_COLOUR_H
#define RICO_SOLVE_COLOUR_H

#include "la/block.h"

enum { RICO_COLOUR_LIMIT = 64 };

typedef struct rico_colouring {
    rico_context *ctx;
    int64_t blocks;
    int64_t chunk;  // blocks of a unit
    int64_t count;  // units
    int colours;    // used, at most RICO_COLOUR_LIMIT
    int64_t *order; // units, colour after colour, increasing within each, then the remainder
    int64_t
        start[RICO_COLOUR_LIMIT + 1]; // colour c owns order[start[c]] .. order[start[c+1] - 1]; the remainder
                                      // begins at start[colours]
} rico_colouring;

// Neighbours are units with a stored block (a, b) or (b, a), a in one and b in the other.
rico_status rico_colour_matrix(const rico_block_matrix *W, int64_t chunk, rico_colouring **out);

// Neighbours are units that share an item (a degree of freedom): block a has the items item[start[a]] ..
// item[start[a+1] - 1], numbered from 0 to items - 1.
rico_status rico_colour_incidence(rico_context *ctx, int64_t blocks, int64_t chunk, const int64_t *start,
                                  const int64_t *item, int64_t items, rico_colouring **out);

// The blocks of unit u: *first to *last - 1.
void rico_colouring_unit(const rico_colouring *colouring, int64_t unit, int64_t *first, int64_t *last);

void rico_colouring_destroy(rico_colouring *colouring);

#endif
