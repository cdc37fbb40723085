// Convex polytopes as shapes: their making, mass, bounds and support.

#include "collide/polytope.h"

#include "base/context.h"
#include "la/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void rico_polytope_destroy(rico_context *ctx, rico_polytope *polytope)
{
    if (!polytope) return;
    rico_free(ctx, polytope->vertex);
    rico_free(ctx, polytope->edge);
    rico_free(ctx, polytope);
}


// One block for all numbers of each kind; the plane stands behind the vertices, all indices behind the edges.
rico_polytope *rico_polytope_room(rico_context *ctx, int32_t vertices, int32_t edges, int32_t faces,
                                  int32_t planes)
{
    rico_polytope *p = rico_alloc(ctx, 1, sizeof *p);
    if (!p) return NULL;
    *p = (rico_polytope){.vertices = vertices, .edges = edges, .faces = faces};
    p->vertex = rico_alloc(ctx, 3 * (int64_t)vertices + 4 * (int64_t)planes, sizeof *p->vertex);
    p->edge = rico_alloc(ctx, 12 * (int64_t)edges + vertices + faces + 2, sizeof *p->edge);
    if (!p->vertex || !p->edge) {
        rico_polytope_destroy(ctx, p);
        return NULL;
    }
    p->plane = p->vertex + 3 * (int64_t)vertices;
    p->loop = p->edge + 4 * (int64_t)edges;
    p->loop_vertex = p->loop + faces + 1;
    p->loop_edge = p->loop_vertex + 2 * (int64_t)edges;
    p->star = p->loop_edge + 2 * (int64_t)edges;
    p->neighbour = p->star + vertices + 1;
    p->star_edge = p->neighbour + 2 * (int64_t)edges;
    return p;
}


// Newell's normal, taken about the first vertex so that nothing is lost far from the origin; the offset is that of the outermost vertex. A cross
// product is known to round-off of a face's length over its width, and a slender face so tilted would cut through its neighbours: the
// longer format takes that away.
void rico_polytope_set_plane(rico_polytope *p, int32_t face)
{
    int32_t begin = p->loop[face], end = p->loop[face + 1];
    const double *first = &p->vertex[3 * p->loop_vertex[begin]];
    double n[3], offset = -INFINITY;
    long double sum[3] = {0.0L, 0.0L, 0.0L}, largest = 0.0L;
    for (int32_t k = begin + 1; k + 1 < end; k++) {
        const double *second = &p->vertex[3 * p->loop_vertex[k]],
                     *third = &p->vertex[3 * p->loop_vertex[k + 1]];
        long double u[3], w[3];
        for (int i = 0; i < 3; i++) {
            u[i] = (long double)second[i] - first[i];
            w[i] = (long double)third[i] - first[i];
        }
        for (int i = 0; i < 3; i++)
            sum[i] += u[(i + 1) % 3] * w[(i + 2) % 3] - u[(i + 2) % 3] * w[(i + 1) % 3];
    }
    for (int i = 0; i < 3; i++) largest = fmaxl(largest, fabsl(sum[i]));
    for (int i = 0; i < 3; i++) n[i] = largest > 0.0L ? (double)(sum[i] / largest) : 0.0;
    rico_vec3_normalise(n);
    for (int32_t k = begin; k < end; k++)
        offset = fmax(offset, rico_vec3_dot(n, &p->vertex[3 * p->loop_vertex[k]]));
    rico_vec3_copy(n, &p->plane[4 * face]);
    p->plane[4 * face + 3] = offset;
}


int rico_polytope_compare_sides(const void *a, const void *b)
{
    const rico_polytope_side *p = a, *q = b;
    if (p->low != q->low) return p->low < q->low ? -1 : 1;
    if (p->high != q->high) return p->high < q->high ? -1 : 1;
    if (p->forward != q->forward) return p->forward ? -1 : 1;
    return (p->place > q->place) - (p->place < q->place);
}


// Pairs the sides of all loops into edges; false: one has no partner, or three faces.
static bool pair_sides(rico_polytope *p, rico_polytope_side *side)
{
    int32_t sides = p->loop[p->faces];
    for (int32_t f = 0; f < p->faces; f++)
        for (int32_t k = p->loop[f]; k < p->loop[f + 1]; k++) {
            int32_t from = p->loop_vertex[k];
            int32_t to = p->loop_vertex[k + 1 < p->loop[f + 1] ? k + 1 : p->loop[f]];
            side[k] = (rico_polytope_side){from < to ? from : to, from < to ? to : from, f, k, from < to};
        }
    qsort(side, (size_t)sides, sizeof *side, rico_polytope_compare_sides);
    for (int32_t e = 0; e < p->edges; e++) {
        const rico_polytope_side *left = &side[2 * e], *right = &side[2 * e + 1];
        if (left->low != right->low || left->high != right->high || !left->forward || right->forward)
            return false;
        int32_t *edge = &p->edge[4 * e];
        edge[0] = left->low, edge[1] = left->high;
        edge[2] = left->face, edge[3] = right->face;
        p->loop_edge[left->place] = p->loop_edge[right->place] = e;
    }
    return true;
}


void rico_polytope_set_stars(rico_polytope *p)
{
    for (int32_t e = 0; e < p->edges; e++) {
        p->star[p->edge[4 * e] + 1]++;
        p->star[p->edge[4 * e + 1] + 1]++;
    }
    for (int32_t v = 0; v < p->vertices; v++) p->star[v + 1] += p->star[v];
    for (int32_t e = 0; e < p->edges; e++)
        for (int end = 0; end < 2; end++) {
            int32_t place = p->star[p->edge[4 * e + end]]++;
            p->neighbour[place] = p->edge[4 * e + 1 - end];
            p->star_edge[place] = e;
        }
    // each beginning has moved to the next
    for (int32_t v = p->vertices; v > 0; v--) p->star[v] = p->star[v - 1];
    p->star[0] = 0;
}


rico_status rico_polytope_build(rico_context *ctx, const double *vertex, int32_t vertices,
                                const int32_t *loop, const int32_t *loop_vertex, int32_t faces, bool *closed,
                                rico_polytope **out)
{
    int32_t sides = loop[faces];
    *out = NULL;
    *closed = sides % 2 == 0;
    if (!*closed) return RICO_OK;
    rico_polytope *p = rico_polytope_room(ctx, vertices, sides / 2, faces, faces);
    rico_polytope_side *side = rico_alloc(ctx, sides, sizeof *side);
    if (!p || !side) {
        rico_polytope_destroy(ctx, p);
        rico_free(ctx, side);
        return RICO_NO_MEMORY;
    }
    memcpy(p->vertex, vertex, 3 * (size_t)vertices * sizeof *vertex);
    memcpy(p->loop, loop, ((size_t)faces + 1) * sizeof *loop);
    memcpy(p->loop_vertex, loop_vertex, (size_t)sides * sizeof *loop_vertex);
    *closed = pair_sides(p, side);
    rico_free(ctx, side);
    if (!*closed) {
        rico_polytope_destroy(ctx, p);
        return RICO_OK;
    }
    rico_polytope_set_stars(p);
    for (int32_t f = 0; f < faces; f++) rico_polytope_set_plane(p, f);
    for (int32_t v = 0; v < vertices; v++) p->size = fmax(p->size, rico_vec3_norm(&vertex[3 * v]));
    *out = p;
    return RICO_OK;
}


void rico_polytope_install(rico_shape *shape, rico_polytope *p)
{
    rico_volume_sum sum = {0};
    for (int32_t v = 0; v < p->vertices; v++)
        rico_vec3_add_scaled(1.0 / p->vertices, &p->vertex[3 * v], sum.origin);
    for (int32_t f = 0; f < p->faces; f++)
        for (int32_t k = p->loop[f] + 1; k + 1 < p->loop[f + 1]; k++)
            rico_volume_add(&sum, &p->vertex[3 * p->loop_vertex[p->loop[f]]],
                            &p->vertex[3 * p->loop_vertex[k]], &p->vertex[3 * p->loop_vertex[k + 1]]);
    shape->data = p;
    shape->features = (uint32_t)(p->vertices + p->edges + p->faces);
    shape->reach = p->size;
    shape->unit = rico_volume_mass(&sum);
}


int32_t rico_polytope_support(const rico_polytope *p, const double n[3], int32_t start)
{
    const double *x = p->vertex;
    if (p->half[0] > 0.0) return (n[0] > 0.0) | (n[1] > 0.0) << 1 | (n[2] > 0.0) << 2;
    if (p->vertices <= 16) {
        int32_t best = 0;
        double most = rico_vec3_dot(n, x);
        for (int32_t v = 1; v < p->vertices; v++) {
            double along = rico_vec3_dot(n, &x[3 * v]);
            if (along > most) most = along, best = v;
        }
        return best;
    }
    // on a convex polytope a vertex that no neighbour exceeds is the farthest
    double most = rico_vec3_dot(n, &x[3 * start]);
    for (int32_t here = start;; here = start) {
        for (int32_t k = p->star[here]; k < p->star[here + 1]; k++) {
            double along = rico_vec3_dot(n, &x[3 * p->neighbour[k]]);
            if (along > most) most = along, start = p->neighbour[k];
        }
        if (start == here) return here;
    }
}


// --- the kinds -------------------------------------------------------------------------------------------------------

void rico_polytope_shape_support(const rico_shape *shape, const double n[3], double x[3])
{
    const rico_polytope *p = rico_polytope_of(shape);
    rico_vec3_copy(&p->vertex[3 * rico_polytope_support(p, n, 0)], x);
}


void rico_polytope_shape_bounds(const rico_shape *shape, const rico_pose *pose, double lower[3],
                                double upper[3])
{
    const rico_polytope *p = rico_polytope_of(shape);
    for (int i = 0; i < 3; i++) {
        const double *row = &pose->R[3 * i];
        double low = INFINITY, high = -INFINITY;
        if (p->half[0] > 0.0) {
            high = fabs(row[0]) * p->half[0] + fabs(row[1]) * p->half[1] + fabs(row[2]) * p->half[2];
            low = -high;
        } else {
            for (int32_t v = 0; v < p->vertices; v++) {
                double along = rico_vec3_dot(row, &p->vertex[3 * v]);
                low = fmin(low, along);
                high = fmax(high, along);
            }
        }
        lower[i] = pose->x[i] + low;
        upper[i] = pose->x[i] + high;
    }
}


static void release(rico_shape *shape)
{
    rico_polytope_destroy(shape->ctx, shape->data);
}


// Vertex: bit i tells the side along axis i. Face 2 i + s: side s of axis i.
static rico_status complete_box(rico_context *ctx, rico_shape *shape)
{
    static const int32_t LOOP[] = {0, 4, 8, 12, 16, 20, 24};
    static const int32_t VERTEX[] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
    double vertex[24];
    bool closed;
    rico_polytope *p;
    for (int v = 0; v < 8; v++)
        for (int i = 0; i < 3; i++) vertex[3 * v + i] = (v >> i & 1 ? 0.5 : -0.5) * shape->size[i];
    rico_status status = rico_polytope_build(ctx, vertex, 8, LOOP, VERTEX, 6, &closed, &p);
    if (status != RICO_OK) return status;
    for (int i = 0; i < 3; i++) p->half[i] = 0.5 * shape->size[i];
    rico_polytope_install(shape, p);
    return RICO_OK;
}


const rico_shape_kind rico_polytope_kinds[] = {
    {.info = {"box", "a block, its middle at the origin", "x y z", false, true},
     .class = RICO_POLYTOPE,
     .size_count = 3,
     .complete = complete_box,
     .support = rico_polytope_shape_support,
     .bounds = rico_polytope_shape_bounds,
     .release = release},
    {.info = {"hull", "the convex hull of points", "", false, true},
     .class = RICO_POLYTOPE,
     .size_count = -1,
     .support = rico_polytope_shape_support,
     .bounds = rico_polytope_shape_bounds,
     .release = release},
};
const int rico_polytope_kind_count = 2;
