// The pair of pieces and the normal at which two convex shapes are farthest apart, or deepest in each other.

#ifndef RICO_COLLIDE_SEARCH_H
#define RICO_COLLIDE_SEARCH_H

#include "collide/pieces.h"

// A contact in the axes of the pair, B not reflected.
typedef struct rico_spot {
    double gap, n[3], on_a[3], on_b[3];
} rico_spot;

// In the axes of the pair, pieces.h.
typedef struct rico_found {
    double value, gap, n[3];
    rico_piece a, b;
    // once it is proven: its contact, as rico_found_spot says it
    bool proven, several;
    rico_spot spot;
    rico_piece met_a, met_b;
} rico_found;

// Whether the normal is proven to be the best of all: its points stand within their pieces and opposite each other, and either the shapes
// are apart, where F has one minimum, or balls within each that touch it there are together as large as the depth. proof.c.
bool rico_found_proven(const rico_duo *duo, rico_found *found, double slack);

// What can be better than a normal that is known: pieces near the points x of a and y of b, reflected, that belong to it. near.c. False, and everything is
// near: the points stand beyond their pieces.
typedef struct rico_near {
    double limit, x[3], y[3];
} rico_near;

bool rico_near_set(const rico_duo *duo, const rico_found *found, double slack, rico_near *near);
bool rico_near_piece(const rico_near *near, const rico_side *side, const rico_piece *piece,
                     const double x[3]);
// Of a polytope, which is the second side.
bool rico_near_face(const rico_near *near, const rico_side *side, int32_t face);
bool rico_near_edge(const rico_near *near, const rico_side *side, int32_t edge);
bool rico_near_vertex(const rico_near *near, const rico_side *side, int32_t vertex);

void rico_search(const rico_duo *duo, rico_found *out);

// The contacts of a pair with a curved shape that is no capsule or sphere, or with a polytope.
extern const rico_meeting_kind rico_pieces_meeting;

#endif
