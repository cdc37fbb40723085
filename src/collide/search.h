// The pair of pieces and the normal at which two convex shapes are farthest apart, or deepest in each other.

#ifndef RICO_COLLIDE_SEARCH_H
#define RICO_COLLIDE_SEARCH_H

#include "collide/pieces.h"

// In the axes of the pair, pieces.h.
typedef struct rico_found {
    double value, gap, n[3];
    rico_piece a, b;
} rico_found;

// Whether the normal is proven to be the best of all: its points stand within their pieces and opposite each other, and either the shapes
// are apart, where F has one minimum, or balls within each that touch it there are together as large as the depth. proof.c.
bool rico_found_proven(const rico_duo *duo, const rico_found *found, double slack);

void rico_search(const rico_duo *duo, rico_found *out);

// The contacts of a pair with a curved shape that is no capsule or sphere, or with a polytope.
extern const rico_meeting_kind rico_pieces_meeting;

#endif
