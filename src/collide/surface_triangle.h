// One triangle of a surface as a convex shape of its own: a polytope of two faces, back to back.

#ifndef RICO_COLLIDE_SURFACE_TRIANGLE_H
#define RICO_COLLIDE_SURFACE_TRIANGLE_H

#include "collide/surface.h"

typedef struct rico_triangle {
    rico_shape shape;
    rico_polytope polytope;
    double vertex[9], plane[8];
    int32_t edge[12], loop[3], loop_vertex[6], loop_edge[6], star[4], neighbour[6], star_edge[6];
    uint32_t name[8]; // what its features are called in the surface; both faces have the name of the triangle
} rico_triangle;

// Fills it in place: it points into itself.
void rico_triangle_set(rico_triangle *triangle, const rico_polytope *mesh, int32_t face);

// The other way round: what a feature of the surface is called in one triangle that has it.
int32_t rico_triangle_of_feature(const rico_polytope *mesh, uint32_t feature);
uint32_t rico_triangle_local(const rico_triangle *triangle, uint32_t feature);

#endif
