// Surfaces of triangles from inside: meshes and height fields.

#ifndef RICO_COLLIDE_SURFACE_H
#define RICO_COLLIDE_SURFACE_H

#include "collide/polytope.h"

// One box of the static tree over the triangles. A leaf holds order[first ... first + count).
typedef struct rico_surface_node {
    double lower[3], upper[3];
    int32_t first, count; // count 0: children stand at first and first + 1
} rico_surface_node;

typedef struct rico_surface {
    rico_polytope *
        mesh; // vertices, edges and triangles, named as those of a polytope; open edges have a plane of their own on the right
    uint8_t *ridge;  // of each edge: strictly convex, or open
    uint8_t *corner; // of each vertex: some direction has it alone as the farthest of its surroundings
    bool closed;
    int32_t nodes;
    rico_surface_node *node;
    int32_t *order;
} rico_surface;

static inline const rico_surface *rico_surface_of(const rico_shape *shape)
{
    return shape->data;
}

void rico_surface_destroy(rico_context *ctx, rico_surface *surface);

// Tree, ridges, corners and the shape itself around a mesh, which it owns from then on, also on failure.
rico_status rico_surface_finish(rico_context *ctx, const rico_shape_kind *kind, rico_polytope *mesh,
                                bool closed, rico_shape **out);

// Edges between triangles given by three vertices each. Refuses what no surface is, with the triangles counted from 1.
rico_status rico_surface_join(rico_context *ctx, const double *vertex, int32_t vertices,
                              const int32_t *triangle, int32_t triangles, rico_polytope **out, bool *closed);

// Calls visit for every triangle whose box overlaps the given one (in the surface's axes), until it says false.
bool rico_surface_visit(const rico_surface *surface, const double lower[3], const double upper[3],
                        bool (*visit)(void *user, int32_t triangle), void *user);

// Whether n lies in the cone of normals of a vertex: none of its neighbours stands out along n.
bool rico_surface_in_cone(const rico_surface *surface, int32_t vertex, const double n[3]);

#endif
