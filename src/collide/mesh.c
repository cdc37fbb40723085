// Surfaces from triangles: joining them at their edges, and refusing what is no surface.

#include "collide/surface.h"

#include "base/context.h"
#include "la/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Counts edges, and those with one face; refuses edges with three and those whose faces disagree.
static rico_status count_edges(rico_context *ctx, const rico_polytope_side *side, int32_t sides,
                               int32_t *edges, int32_t *open)
{
    *edges = *open = 0;
    for (int32_t k = 0, next; k < sides; k = next) {
        for (next = k + 1; next < sides && side[next].low == side[k].low && side[next].high == side[k].high;)
            next++;
        ++*edges;
        *open += next - k == 1;
        if (next - k > 2)
            return rico_fail(ctx, RICO_BAD_ARGUMENT,
                             "triangles %d, %d and %d of a mesh share one edge (vertices %d and %d)",
                             side[k].face + 1, side[k + 1].face + 1, side[k + 2].face + 1, side[k].low + 1,
                             side[k].high + 1);
        if (next - k == 2 && side[k].forward == side[k + 1].forward)
            return rico_fail(ctx, RICO_BAD_ARGUMENT,
                             "triangles %d and %d of a mesh disagree on which side is outside",
                             side[k].face + 1, side[k + 1].face + 1);
    }
    return RICO_OK;
}


static void set_edges(rico_polytope *mesh, const rico_polytope_side *side, int32_t sides)
{
    int32_t e = 0, beyond = mesh->faces;
    for (int32_t k = 0; k < sides; e++) {
        bool two = k + 1 < sides && side[k + 1].low == side[k].low && side[k + 1].high == side[k].high;
        const rico_polytope_side *left = &side[two && !side[k].forward ? k + 1 : k];
        int32_t *edge = &mesh->edge[4 * e];
        edge[0] = left->forward ? left->low : left->high;
        edge[1] = left->forward ? left->high : left->low;
        edge[2] = left->face;
        mesh->loop_edge[left->place] = e;
        if (two) {
            const rico_polytope_side *right = left == &side[k] ? &side[k + 1] : &side[k];
            edge[3] = right->face;
            mesh->loop_edge[right->place] = e;
        } else {
            edge[3] = beyond++;
        }
        k += two ? 2 : 1;
    }
}


// An open edge ends in the direction that leaves its triangle within its plane.
static void set_open_planes(rico_polytope *mesh)
{
    for (int32_t e = 0; e < mesh->edges; e++) {
        const int32_t *edge = &mesh->edge[4 * e];
        if (edge[3] < mesh->faces) continue;
        double along[3], *n = &mesh->plane[4 * edge[3]];
        rico_vec3_subtract(&mesh->vertex[3 * edge[1]], &mesh->vertex[3 * edge[0]], along);
        rico_vec3_cross(along, &mesh->plane[4 * edge[2]], n);
        rico_vec3_normalise(n);
        n[3] = rico_vec3_dot(n, &mesh->vertex[3 * edge[0]]);
    }
}


static rico_status check_triangles(rico_context *ctx, const double *vertex, int32_t vertices,
                                   const int32_t *triangle, int32_t triangles)
{
    for (int32_t f = 0; f < triangles; f++) {
        const int32_t *t = &triangle[3 * f];
        for (int k = 0; k < 3; k++)
            if (t[k] < 0 || t[k] >= vertices)
                return rico_fail(ctx, RICO_BAD_ARGUMENT,
                                 "triangle %d of a mesh has a vertex %lld; there are %d", f + 1,
                                 (long long)t[k] + 1, vertices);
        double u[3], w[3], c[3];
        rico_vec3_subtract(&vertex[3 * t[1]], &vertex[3 * t[0]], u);
        rico_vec3_subtract(&vertex[3 * t[2]], &vertex[3 * t[0]], w);
        rico_vec3_cross(u, w, c);
        double longest = fmax(rico_vec3_norm(u), rico_vec3_norm(w));
        if (!(rico_vec3_norm(c) > 1e-14 * longest * longest))
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "triangle %d of a mesh has no area", f + 1);
    }
    return RICO_OK;
}


rico_status rico_surface_join(rico_context *ctx, const double *vertex, int32_t vertices,
                              const int32_t *triangle, int32_t triangles, rico_polytope **out, bool *closed)
{
    int32_t sides = 3 * triangles, edges, open;
    *out = NULL;
    rico_status status = check_triangles(ctx, vertex, vertices, triangle, triangles);
    if (status != RICO_OK) return status;
    rico_polytope_side *side = rico_alloc(ctx, sides, sizeof *side);
    if (!side) return RICO_NO_MEMORY;
    for (int32_t k = 0; k < sides; k++) {
        int32_t from = triangle[k], to = triangle[k % 3 == 2 ? k - 2 : k + 1];
        side[k] = (rico_polytope_side){from < to ? from : to, from < to ? to : from, k / 3, k, from < to};
    }
    qsort(side, (size_t)sides, sizeof *side, rico_polytope_compare_sides);
    status = count_edges(ctx, side, sides, &edges, &open);
    rico_polytope *mesh = NULL;
    if (status == RICO_OK) {
        mesh = rico_polytope_room(ctx, vertices, edges, triangles, triangles + open);
        if (!mesh) status = RICO_NO_MEMORY;
    }
    if (status == RICO_OK) {
        memcpy(mesh->vertex, vertex, 3 * (size_t)vertices * sizeof *vertex);
        memcpy(mesh->loop_vertex, triangle, (size_t)sides * sizeof *triangle);
        for (int32_t f = 0; f <= triangles; f++) mesh->loop[f] = 3 * f;
        for (int32_t f = 0; f < triangles; f++) rico_polytope_set_plane(mesh, f);
        set_edges(mesh, side, sides);
        set_open_planes(mesh);
        rico_polytope_set_stars(mesh);
        for (int32_t v = 0; v < vertices; v++) mesh->size = fmax(mesh->size, rico_vec3_norm(&vertex[3 * v]));
        *out = mesh;
        *closed = open == 0;
    }
    rico_free(ctx, side);
    return status;
}


// --- triangles that cross ------------------------------------------------------------------------------------------------

// Six times the volume of a tetrahedron, 0 within round-off.
static double side_of(const double a[3], const double b[3], const double c[3], const double d[3])
{
    double u[3], v[3], w[3], n[3];
    rico_vec3_subtract(b, a, u);
    rico_vec3_subtract(c, a, v);
    rico_vec3_subtract(d, a, w);
    rico_vec3_cross(u, v, n);
    double volume = rico_vec3_dot(n, w);
    double most = rico_vec3_norm(u) * rico_vec3_norm(v) * rico_vec3_norm(w);
    return fabs(volume) <= 1e-13 * most ? 0.0 : volume;
}


static bool pierces(const double p[3], const double q[3], const double *corner[3])
{
    double from = side_of(corner[0], corner[1], corner[2], p),
           to = side_of(corner[0], corner[1], corner[2], q);
    if (!(from * to < 0.0)) return false;
    double turn[3];
    for (int k = 0; k < 3; k++) turn[k] = side_of(p, q, corner[k], corner[(k + 1) % 3]);
    return (turn[0] > 0.0 && turn[1] > 0.0 && turn[2] > 0.0) ||
           (turn[0] < 0.0 && turn[1] < 0.0 && turn[2] < 0.0);
}


typedef struct rico_crossing {
    const rico_polytope *mesh;
    int32_t face, other;
} rico_crossing;


static bool look_for_crossing(void *user, int32_t other)
{
    rico_crossing *c = user;
    if (other <= c->face) return true;
    const int32_t *s = &c->mesh->loop_vertex[3 * c->face], *t = &c->mesh->loop_vertex[3 * other];
    for (int turn = 0; turn < 2; turn++) {
        const int32_t *edges = turn ? t : s, *whole = turn ? s : t;
        const double *corner[3];
        for (int k = 0; k < 3; k++) corner[k] = &c->mesh->vertex[3 * whole[k]];
        for (int k = 0; k < 3; k++) {
            int32_t p = edges[k], q = edges[(k + 1) % 3];
            bool shared = false;
            for (int i = 0; i < 3; i++) shared |= whole[i] == p || whole[i] == q;
            if (shared || !pierces(&c->mesh->vertex[3 * p], &c->mesh->vertex[3 * q], corner)) continue;
            c->other = other;
            return false;
        }
    }
    return true;
}


static rico_status check_crossing(rico_context *ctx, const rico_surface *s)
{
    for (int32_t f = 0; f < s->mesh->faces; f++) {
        rico_crossing crossing = {s->mesh, f, -1};
        double lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY};
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < 3; i++) {
                double x = s->mesh->vertex[3 * s->mesh->loop_vertex[3 * f + k] + i];
                lower[i] = fmin(lower[i], x), upper[i] = fmax(upper[i], x);
            }
        if (!rico_surface_visit(s, lower, upper, look_for_crossing, &crossing))
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "triangles %d and %d of a mesh cross each other", f + 1,
                             crossing.other + 1);
    }
    return RICO_OK;
}


// Two triangles that lie on each other at their edge leave no outside between them.
static rico_status check_folds(rico_context *ctx, const rico_polytope *mesh)
{
    for (int32_t e = 0; e < mesh->edges; e++) {
        const int32_t *edge = &mesh->edge[4 * e];
        if (edge[3] >= mesh->faces) continue;
        const double *left = &mesh->plane[4 * edge[2]], *right = &mesh->plane[4 * edge[3]];
        double c[3];
        rico_vec3_cross(left, right, c);
        if (rico_vec3_dot(left, right) < 0.0 && rico_vec3_norm(c) < 1e-10)
            return rico_fail(ctx, RICO_BAD_ARGUMENT,
                             "triangles %d and %d of a mesh are folded onto each other", edge[2] + 1,
                             edge[3] + 1);
    }
    return RICO_OK;
}


// --- vertices that are the same ------------------------------------------------------------------------------------------

typedef struct rico_named_point {
    double x[3];
    int64_t name;
} rico_named_point;


static int compare_points(const void *a, const void *b)
{
    const rico_named_point *p = a, *q = b;
    for (int i = 0; i < 3; i++)
        if (p->x[i] != q->x[i]) return p->x[i] < q->x[i] ? -1 : 1;
    return (p->name > q->name) - (p->name < q->name);
}


// Joins vertices that are the same, and leaves out those of no triangle; each keeps the place of its first.
static rico_status join_vertices(rico_context *ctx, const double *vertex, int64_t vertices,
                                 const int64_t *triangle, int64_t triangles, double *joined, int32_t *corner,
                                 int32_t *count)
{
    rico_named_point *sorted = rico_alloc(ctx, vertices, sizeof *sorted);
    int32_t *first = rico_alloc(ctx, 2 * vertices, sizeof *first);
    if (!sorted || !first) {
        rico_free(ctx, sorted);
        rico_free(ctx, first);
        return RICO_NO_MEMORY;
    }
    int32_t *name = first + vertices;
    for (int64_t v = 0; v < vertices; v++) {
        for (int i = 0; i < 3; i++) sorted[v].x[i] = vertex[3 * v + i] + 0.0; // -0 is 0
        sorted[v].name = v;
        name[v] = -1;
    }
    qsort(sorted, (size_t)vertices, sizeof *sorted, compare_points);
    for (int64_t v = 0; v < vertices; v++) {
        const double *x = sorted[v].x, *last = v > 0 ? sorted[v - 1].x : x;
        bool same = v > 0 && x[0] == last[0] && x[1] == last[1] && x[2] == last[2];
        first[sorted[v].name] = same ? first[sorted[v - 1].name] : (int32_t)sorted[v].name;
    }
    *count = 0;
    for (int64_t k = 0; k < 3 * triangles; k++) {
        int32_t v = first[triangle[k]];
        if (name[v] < 0) {
            name[v] = (*count)++;
            rico_vec3_copy(&vertex[3 * v], &joined[3 * name[v]]);
        }
        corner[k] = name[v];
    }
    rico_free(ctx, sorted);
    rico_free(ctx, first);
    return RICO_OK;
}


static rico_status check_mesh(rico_context *ctx, const double *vertex, int64_t vertices,
                              const int64_t *triangle, int64_t triangles)
{
    if (vertices < 3 || triangles < 1)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a mesh of %lld vertices and %lld triangles is none",
                         (long long)vertices, (long long)triangles);
    if (vertices > INT32_MAX / 16 || triangles > INT32_MAX / 16)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a mesh of %lld vertices and %lld triangles is too large",
                         (long long)vertices, (long long)triangles);
    for (int64_t k = 0; k < 3 * vertices; k++)
        if (!isfinite(vertex[k]))
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "vertex %lld of a mesh is not finite",
                             (long long)(k / 3 + 1));
    for (int64_t k = 0; k < 3 * triangles; k++)
        if (triangle[k] < 0 || triangle[k] >= vertices)
            return rico_fail(ctx, RICO_BAD_ARGUMENT,
                             "triangle %lld of a mesh has vertex %lld; there are %lld",
                             (long long)(k / 3 + 1), (long long)(triangle[k] + 1), (long long)vertices);
    return RICO_OK;
}


rico_status rico_shape_mesh(rico_context *ctx, const double *vertex, int64_t vertices,
                            const int64_t *triangle, int64_t triangles, rico_shape **out)
{
    *out = NULL;
    rico_status status = check_mesh(ctx, vertex, vertices, triangle, triangles);
    if (status != RICO_OK) return status;
    double *joined = rico_alloc(ctx, 3 * vertices, sizeof *joined);
    int32_t *corner = rico_alloc(ctx, 3 * triangles, sizeof *corner), count = 0;
    rico_polytope *mesh = NULL;
    rico_shape *shape = NULL;
    bool closed = false;
    status = joined && corner
                 ? join_vertices(ctx, vertex, vertices, triangle, triangles, joined, corner, &count)
                 : RICO_NO_MEMORY;
    if (status == RICO_OK)
        status = rico_surface_join(ctx, joined, count, corner, (int32_t)triangles, &mesh, &closed);
    rico_free(ctx, joined);
    rico_free(ctx, corner);
    if (status == RICO_OK) status = rico_surface_finish(ctx, &rico_surface_kinds[0], mesh, closed, &shape);
    if (status == RICO_OK) status = check_crossing(ctx, rico_surface_of(shape));
    if (status == RICO_OK) status = check_folds(ctx, rico_surface_of(shape)->mesh);
    if (status == RICO_OK && closed && !(shape->unit.mass > 0.0))
        status = rico_fail(ctx, RICO_BAD_ARGUMENT,
                           "a closed mesh of %lld triangles is inside out: its volume is %g",
                           (long long)triangles, shape->unit.mass);
    if (status != RICO_OK) {
        rico_shape_destroy(shape);
        return status;
    }
    *out = shape;
    return RICO_OK;
}
