// What is in a surface although none of its triangles says where it leads out: the way over one of the triangles.
//
// A body wholly inside a closed mesh crosses no triangle, and one deep in a ridge may cross some that are closed to it by the others. Such a body is
// pushed out along the normal of the triangle over which the way is shortest, among those that it would leave through, if there are any.

#include "collide/surface_meet.h"

#include "collide/pieces.h"
#include "la/mat3.h"
#include "la/vec3.h"

#include <math.h>

// The point of b that is farthest along d, all in the axes of the surface; of polytopes and surfaces also which vertex it is.
static int32_t reach_of(const rico_encounter *it, const double d[3], double x[3])
{
    const rico_polytope *p = it->other                             ? it->other->mesh
                             : it->b->kind->class == RICO_POLYTOPE ? rico_polytope_of(it->b)
                                                                   : NULL;
    double own[3], at[3];
    int32_t best = 0;
    rico_mat3_transpose_times(it->seen.R, d, own);
    if (p) {
        double most = -INFINITY;
        for (int32_t v = 0; v < p->vertices; v++) {
            double along = rico_vec3_dot(own, &p->vertex[3 * v]);
            if (along > most) most = along, best = v;
        }
        rico_vec3_copy(&p->vertex[3 * best], at);
    } else {
        it->b->kind->support(it->b, own, at);
    }
    rico_pose_point(&it->seen, at, x);
    return best;
}


// --- inside or not -----------------------------------------------------------------------------------------------------

// A line upwards from a point, and how many triangles it has crossed.
typedef struct rico_plumb {
    const rico_polytope *mesh;
    double x[3];
    int64_t crossed;
} rico_plumb;


// On which side of the line from v to w, seen from above, x stands: the same for both triangles of an edge, to the last bit.
static bool left_of(const rico_plumb *plumb, int32_t v, int32_t w)
{
    bool turned = v > w;
    const double *p = &plumb->mesh->vertex[3 * (turned ? w : v)],
                 *q = &plumb->mesh->vertex[3 * (turned ? v : w)];
    double side = (q[0] - p[0]) * (plumb->x[1] - p[1]) - (q[1] - p[1]) * (plumb->x[0] - p[0]);
    return (side > 0.0) != turned;
}


static bool cross_triangle(void *user, int32_t face)
{
    rico_plumb *plumb = user;
    const int32_t *v = &plumb->mesh->loop_vertex[3 * face];
    bool left = left_of(plumb, v[0], v[1]);
    if (left_of(plumb, v[1], v[2]) != left || left_of(plumb, v[2], v[0]) != left) return true;
    const double *plane = &plumb->mesh->plane[4 * face];
    double height = rico_vec3_dot(plane, plumb->x) - plane[3];
    // the plane is above the point: where it faces up the point is below it
    if (plane[2] != 0.0 && (height < 0.0) == (plane[2] > 0.0)) plumb->crossed++;
    return true;
}


static bool is_inside(const rico_surface *s, const double x[3])
{
    rico_plumb plumb = {s->mesh, {x[0], x[1], x[2]}, 0};
    double lower[3] = {x[0], x[1], x[2]}, upper[3] = {x[0], x[1], INFINITY};
    if (!s->closed) return false;
    rico_surface_visit(s, lower, upper, cross_triangle, &plumb);
    return plumb.crossed % 2 == 1;
}


// --- the way out -------------------------------------------------------------------------------------------------------

typedef struct rico_exit {
    double gap, x[3];
    int32_t face, vertex;
    bool through; // the point that is deepest stands under the triangle itself
} rico_exit;


static void try_exit(const rico_encounter *it, int32_t face, rico_exit *best)
{
    const double *plane = &it->s->mesh->plane[4 * face];
    rico_exit way = {.face = face};
    double down[3];
    rico_vec3_scale(-1.0, plane, down);
    way.vertex = reach_of(it, down, way.x);
    way.gap = rico_vec3_dot(plane, way.x) - plane[3];
    if (!(way.gap < 0.0)) return;
    way.through = rico_surface_in_face(it->s->mesh, face, way.x, 1e-12 * it->pair.scale);
    if (best->face >= 0 && (way.through != best->through ? best->through : !(way.gap > best->gap))) return;
    *best = way;
}


// The name of b's point of support along the triangle's normal.
static uint32_t name_of(const rico_encounter *it, const rico_exit *way)
{
    if (it->b->kind->class != RICO_ROUND) return (uint32_t)way->vertex;
    rico_triangle tile;
    rico_duo duo;
    rico_piece piece;
    double n[3];
    rico_triangle_set(&tile, it->s->mesh, way->face);
    rico_duo_of(it->b, it->B, &tile.shape, it->A, &duo);
    rico_vec3_scale(-1.0, &it->s->mesh->plane[4 * way->face], n);
    rico_side_farthest(&duo.a, n, &piece);
    return piece.feature;
}


bool rico_surface_push_out(rico_encounter *it)
{
    double x[3];
    if (it->out->count > it->first) return true;
    if (!it->crossed) {
        const double up[3] = {0.0, 0.0, 1.0};
        reach_of(it, up, x);
        if (!is_inside(it->s, x)) return true;
    }
    rico_exit best = {.face = -1};
    for (int32_t f = 0; f < it->s->mesh->faces; f++) try_exit(it, f, &best);
    if (best.face < 0 || best.gap > it->margin) return true;
    rico_meeting *m = rico_meeting_add(it->out);
    if (!m) return false;
    *m = (rico_meeting){.feature_a = rico_face_feature(it->s->mesh, best.face),
                        .feature_b = name_of(it, &best),
                        .gap = best.gap};
    rico_mat3_times(it->A->R, &it->s->mesh->plane[4 * best.face], m->normal);
    rico_pose_point(it->A, best.x, m->on_b);
    rico_vec3_copy(m->on_b, m->on_a);
    rico_vec3_add_scaled(-best.gap, m->normal, m->on_a);
    return true;
}
