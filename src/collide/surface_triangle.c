// One triangle of a surface as a convex shape of its own.

#include "collide/surface_triangle.h"

#include "la/vec3.h"

#include <math.h>
#include <string.h>

static const rico_shape_kind TRIANGLE = {
    .info = {"triangle", "one of a surface", "", false, false},
    .class = RICO_POLYTOPE,
    .size_count = -1,
    .support = rico_polytope_shape_support,
    .bounds = rico_polytope_shape_bounds,
};


void rico_triangle_set(rico_triangle *t, const rico_polytope *mesh, int32_t face)
{
    // edge k runs from vertex k to the next; the front is face 0, the back face 1
    static const int32_t EDGE[12] = {0, 1, 0, 1, 1, 2, 0, 1, 2, 0, 0, 1};
    static const int32_t LOOP[3] = {0, 3, 6}, VERTEX[6] = {0, 1, 2, 0, 2, 1}, SIDE[6] = {0, 1, 2, 2, 1, 0};
    static const int32_t STAR[4] = {0, 2, 4, 6}, NEIGHBOUR[6] = {1, 2, 2, 0, 0, 1};
    static const int32_t STAR_EDGE[6] = {0, 2, 1, 0, 2, 1};
    memcpy(t->edge, EDGE, sizeof EDGE);
    memcpy(t->loop, LOOP, sizeof LOOP);
    memcpy(t->loop_vertex, VERTEX, sizeof VERTEX);
    memcpy(t->loop_edge, SIDE, sizeof SIDE);
    memcpy(t->star, STAR, sizeof STAR);
    memcpy(t->neighbour, NEIGHBOUR, sizeof NEIGHBOUR);
    memcpy(t->star_edge, STAR_EDGE, sizeof STAR_EDGE);
    double size = 0.0;
    for (int k = 0; k < 3; k++) {
        int32_t v = mesh->loop_vertex[3 * face + k];
        rico_vec3_copy(&mesh->vertex[3 * v], &t->vertex[3 * k]);
        size = fmax(size, rico_vec3_norm(&t->vertex[3 * k]));
        t->name[k] = (uint32_t)v;
        t->name[3 + k] = rico_edge_feature(mesh, mesh->loop_edge[3 * face + k]);
    }
    t->name[6] = t->name[7] = rico_face_feature(mesh, face);
    memcpy(t->plane, &mesh->plane[4 * face], 4 * sizeof *t->plane);
    for (int i = 0; i < 4; i++) t->plane[4 + i] = -t->plane[i];
    t->polytope = (rico_polytope){3,
                                  3,
                                  2,
                                  t->vertex,
                                  t->edge,
                                  t->plane,
                                  t->loop,
                                  t->loop_vertex,
                                  t->loop_edge,
                                  t->star,
                                  t->neighbour,
                                  t->star_edge,
                                  size,
                                  {0.0, 0.0, 0.0}};
    t->shape = (rico_shape){.kind = &TRIANGLE, .features = 8, .reach = size, .data = &t->polytope};
}


int32_t rico_triangle_of_feature(const rico_polytope *mesh, uint32_t feature)
{
    int32_t index;
    int rank = rico_feature_rank(mesh, feature, &index);
    if (rank == 2) return index;
    return mesh->edge[4 * (rank == 1 ? index : mesh->star_edge[mesh->star[index]]) + 2];
}


uint32_t rico_triangle_local(const rico_triangle *t, uint32_t feature)
{
    for (uint32_t k = 0; k < 7; k++)
        if (t->name[k] == feature) return k;
    return 6;
}
