// What others read of a shape, without its inside: for results, pictures and listings.

#ifndef RICO_COLLIDE_LOOK_H
#define RICO_COLLIDE_LOOK_H

#include "base/context.h"
#include "ricochet/shape.h"

double rico_shape_reach(const rico_shape *shape); // radius of the ball about its origin that holds it
void rico_shape_sizes(const rico_shape *shape, double size[3]);

// The shapes of a compound and where they stand in it; anything else is its only piece.
int64_t rico_shape_pieces(const rico_shape *shape);
const rico_shape *rico_shape_piece(const rico_shape *shape, int64_t index, rico_stand *stand);

// Corners and faces of what has some: convex polytopes, surfaces, polygons. A face is a run of corners, against the clock seen
// from outside.
typedef struct rico_shape_faces {
    int64_t vertices, faces;
    const double *vertex;  // 3 numbers each; NULL: `planar`
    const double *planar;  // 2 numbers each, and a single face of all of them
    const int32_t *loop;   // faces + 1: where the corners of each begin in `corner`
    const int32_t *corner; // of both, NULL in the plane
} rico_shape_faces;
bool rico_shape_has_faces(const rico_shape *shape, rico_shape_faces *out);

#endif
