// The convex hull of points as a polytope, by qhull: coplanar facets merged, flat input refused with the reason.

#include "collide/polytope.h"

#include "base/context.h"
#include "la/vec3.h"

#include <libqhull_r/qhull_ra.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The loops of a hull on their way into a polytope.
typedef struct rico_loops {
    rico_context *ctx;
    int32_t faces, sides, vertices;
    int32_t *loop, *vertex; // points by their number, until they are renumbered
    int32_t *name;          // of each point: its number among the vertices, -1: it is none
    double *point;
} rico_loops;


static void loops_release(rico_loops *loops)
{
    rico_free(loops->ctx, loops->loop);
    rico_free(loops->ctx, loops->vertex);
    rico_free(loops->ctx, loops->name);
    rico_free(loops->ctx, loops->point);
}


// Refuses points that span less than space: how thick they are is measured against how long they are.
static rico_status check_span(rico_context *ctx, const double *x, int64_t count)
{
    if (count < 4)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a hull needs at least 4 points, got %lld",
                         (long long)count);
    for (int64_t i = 0; i < 3 * count; i++)
        if (!isfinite(x[i]))
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "point %lld of a hull is not finite",
                             (long long)(i / 3 + 1));
    // the farthest from the first, then from their line, then from their plane
    double axis[3][3], far[3] = {0.0, 0.0, 0.0};
    for (int rank = 0; rank < 3; rank++)
        for (int64_t i = 1; i < count; i++) {
            double d[3];
            rico_vec3_subtract(&x[3 * i], x, d);
            for (int k = 0; k < rank; k++) rico_vec3_add_scaled(-rico_vec3_dot(axis[k], d), axis[k], d);
            double length = rico_vec3_norm(d);
            if (length > far[rank]) {
                far[rank] = length;
                rico_vec3_scale(1.0 / length, d, axis[rank]);
            }
        }
    static const char *const SPAN[] = {"lie in one place", "lie on one line", "lie in one plane"};
    for (int rank = 0; rank < 3; rank++)
        if (!(far[rank] > 1e-10 * far[0]))
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "the %lld points of a hull %s", (long long)count,
                             SPAN[rank]);
    return RICO_OK;
}


// Copies the facets of qhull; each is a loop, turned so that it runs against the clock seen from outside.
static rico_status copy_facets(qhT *qh, rico_loops *loops)
{
    int64_t sides = 0;
    // qhull ends its list with a facet that is none
    for (const facetT *facet = qh->facet_list; facet->next; facet = facet->next)
        sides += qh_setsize(qh, facet->vertices);
    loops->loop = rico_alloc(loops->ctx, (int64_t)qh->num_facets + 1, sizeof *loops->loop);
    loops->vertex = rico_alloc(loops->ctx, sides, sizeof *loops->vertex);
    if (!loops->loop || !loops->vertex) return RICO_NO_MEMORY;
    for (facetT *facet = qh->facet_list; facet->next; facet = facet->next) {
        setT *ring = qh_facet3vertex(qh, facet);
        int32_t begin = loops->sides;
        for (int k = 0; k < qh_setsize(qh, ring); k++) {
            const vertexT *vertex = SETelemt_(ring, k, vertexT);
            loops->vertex[loops->sides++] = qh_pointid(qh, vertex->point);
        }
        double area[3] = {0.0, 0.0, 0.0}, u[3], w[3], c[3];
        for (int32_t k = begin + 1; k + 1 < loops->sides; k++) {
            const double *o = &loops->point[3 * loops->vertex[begin]];
            rico_vec3_subtract(&loops->point[3 * loops->vertex[k]], o, u);
            rico_vec3_subtract(&loops->point[3 * loops->vertex[k + 1]], o, w);
            rico_vec3_cross(u, w, c);
            rico_vec3_add(area, c, area);
        }
        if (rico_vec3_dot(area, facet->normal) < 0.0)
            for (int32_t i = begin, j = loops->sides - 1; i < j; i++, j--) {
                int32_t keep = loops->vertex[i];
                loops->vertex[i] = loops->vertex[j];
                loops->vertex[j] = keep;
            }
        qh_settempfree(qh, &ring);
        loops->loop[++loops->faces] = loops->sides;
    }
    return RICO_OK;
}


static rico_status run_qhull(rico_loops *loops, int64_t count)
{
    qhT engine;
    char command[64], *words = NULL;
    size_t length;
    double largest = 0.0;
    // corners that were computed lie in one plane up to more than qhull's own round-off
    for (int64_t i = 0; i < 3 * count; i++) largest = fmax(largest, fabs(loops->point[i]));
    snprintf(command, sizeof command, "qhull C-%.3e", 1e-13 * largest);
    FILE *silent = open_memstream(&words, &length); // what qhull has to say is said in our words
    if (!silent) return RICO_NO_MEMORY;
    qh_zero(&engine, silent);
    int failed = qh_new_qhull(&engine, 3, (int)count, loops->point, False, command, silent, silent);
    rico_status status = RICO_OK;
    if (failed)
        status = rico_fail(loops->ctx, RICO_BAD_ARGUMENT, "qhull found no hull of %lld points (its code %d)",
                           (long long)count, failed);
    else
        status = copy_facets(&engine, loops);
    int left, total;
    qh_freeqhull(&engine, !qh_ALL);
    qh_memfreeshort(&engine, &left, &total);
    fclose(silent);
    free(words);
    return status;
}


// Vertices that only two faces share lie on an edge: the hull does not need them. Then numbers the rest.
static rico_status renumber(rico_loops *loops, int64_t count)
{
    int32_t *name = loops->name = rico_alloc(loops->ctx, count, sizeof *name);
    if (!name) return RICO_NO_MEMORY;
    for (int32_t k = 0; k < loops->sides; k++) name[loops->vertex[k]]++;
    int32_t sides = 0;
    for (int32_t f = 0, begin = 0; f < loops->faces; f++) {
        int32_t end = loops->loop[f + 1];
        for (int32_t k = begin; k < end; k++)
            if (name[loops->vertex[k]] > 2) loops->vertex[sides++] = loops->vertex[k];
        loops->loop[f + 1] = sides;
        begin = end;
    }
    loops->sides = sides;
    for (int64_t i = 0; i < count; i++) {
        if (name[i] <= 2) {
            name[i] = -1;
            continue;
        }
        memmove(&loops->point[3 * loops->vertices], &loops->point[3 * i], 3 * sizeof *loops->point);
        name[i] = loops->vertices++;
    }
    for (int32_t k = 0; k < sides; k++) loops->vertex[k] = name[loops->vertex[k]];
    return RICO_OK;
}


// Cuts faces with more sides than clipping has room for into pieces of the same plane.
static rico_status split_large(rico_loops *loops)
{
    int32_t more = 0;
    for (int32_t f = 0; f < loops->faces; f++)
        more += (loops->loop[f + 1] - loops->loop[f]) / (RICO_FACE_MOST - 2);
    if (more == 0) return RICO_OK;
    int32_t *loop = rico_alloc(loops->ctx, loops->faces + more + 1, sizeof *loop);
    int32_t *vertex = rico_alloc(loops->ctx, loops->sides + 2 * more, sizeof *vertex);
    if (!loop || !vertex) {
        rico_free(loops->ctx, loop);
        rico_free(loops->ctx, vertex);
        return RICO_NO_MEMORY;
    }
    int32_t faces = 0, sides = 0;
    for (int32_t f = 0; f < loops->faces; f++) {
        int32_t first = loops->loop[f], end = loops->loop[f + 1];
        // a fan of pieces about the first vertex, each beginning where the one before it ended
        for (int32_t k = first + 1; k + 1 < end;) {
            vertex[sides++] = loops->vertex[first];
            int32_t last = k + RICO_FACE_MOST - 2 < end - 1 ? k + RICO_FACE_MOST - 2 : end - 1;
            for (int32_t j = k; j <= last; j++) vertex[sides++] = loops->vertex[j];
            loop[++faces] = sides;
            k = last;
        }
    }
    rico_free(loops->ctx, loops->loop);
    rico_free(loops->ctx, loops->vertex);
    loops->loop = loop, loops->vertex = vertex;
    loops->faces = faces, loops->sides = sides;
    return RICO_OK;
}


// How far a vertex stands out of a face at most: what is left of round-off in qhull.
static double bulge(const rico_polytope *p)
{
    double most = 0.0;
    for (int32_t f = 0; f < p->faces; f++) {
        int32_t v = rico_polytope_support(p, &p->plane[4 * f], p->loop_vertex[p->loop[f]]);
        most = fmax(most, rico_vec3_dot(&p->plane[4 * f], &p->vertex[3 * v]) - p->plane[4 * f + 3]);
    }
    return most;
}


static rico_status hull_polytope(rico_loops *loops, int64_t count, rico_polytope **out)
{
    bool closed = false;
    rico_status status = run_qhull(loops, count);
    if (status == RICO_OK) status = renumber(loops, count);
    if (status == RICO_OK) status = split_large(loops);
    if (status == RICO_OK)
        status = rico_polytope_build(loops->ctx, loops->point, loops->vertices, loops->loop, loops->vertex,
                                     loops->faces, &closed, out);
    if (status != RICO_OK) return status;
    if (closed && bulge(*out) <= 1e-9 * (*out)->size) return RICO_OK;
    rico_polytope_destroy(loops->ctx, *out);
    *out = NULL;
    return rico_fail(loops->ctx, RICO_BAD_ARGUMENT,
                     "the hull of %lld points is too thin somewhere to be told from a flat one",
                     (long long)count);
}


rico_status rico_shape_hull(rico_context *ctx, const double *points, int64_t count, rico_shape **out)
{
    *out = NULL;
    if (count > INT32_MAX / 16)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a hull of %lld points is too large", (long long)count);
    rico_status status = check_span(ctx, points, count);
    if (status != RICO_OK) return status;
    rico_loops loops = {.ctx = ctx};
    rico_polytope *polytope = NULL;
    rico_shape *shape;
    loops.point = rico_alloc(ctx, 3 * count, sizeof *points);
    if (!loops.point) return RICO_NO_MEMORY;
    memcpy(loops.point, points, 3 * (size_t)count * sizeof *points);
    status = hull_polytope(&loops, count, &polytope);
    loops_release(&loops);
    if (status != RICO_OK) return status;
    status = rico_shape_begin(ctx, &rico_polytope_kinds[1], &shape);
    if (status != RICO_OK) {
        rico_polytope_destroy(ctx, polytope);
        return status;
    }
    rico_polytope_install(shape, polytope);
    *out = shape;
    return RICO_OK;
}
