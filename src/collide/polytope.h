// Convex polytopes: box, hull, and one triangle of a surface (two faces, back to back).

#ifndef RICO_COLLIDE_POLYTOPE_H
#define RICO_COLLIDE_POLYTOPE_H

#include "collide/shape.h"

// Features count vertices first, then edges, then faces.
typedef struct rico_polytope {
    int32_t vertices, edges, faces;
    double *vertex; // 3 numbers each
    int32_t *edge;  // 4 each: from, to, the face on its left seen from outside, the face on its right
    double *plane;  // 4 each: outer unit normal n and offset, n.x = offset on the face
    int32_t *loop;  // faces + 1: where the loop of each begins in the next two
    int32_t *loop_vertex,
        *loop_edge;     // vertices against the clock seen from outside, and the edge from each to the next
    int32_t *star;      // vertices + 1: where the neighbours of each begin
    int32_t *neighbour; // vertices that share an edge with it
} rico_polytope;

static inline const rico_polytope *rico_polytope_of(const rico_shape *shape)
{
    return shape->data;
}

#endif
