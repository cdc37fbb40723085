// Shapes in the plane: how they are made, their area and their bounds.

#include "collide/planar.h"

#include "base/context.h"
#include "la/vec3.h"

#include <float.h>
#include <math.h>
#include <string.h>

static double cross(const double a[2], const double b[2])
{
    return a[0] * b[1] - a[1] * b[0];
}


// --- cores ---------------------------------------------------------------------------------------------------------

static void edges_of(rico_polygon *core)
{
    for (int32_t i = 0; core->count > 1 && i < core->count; i++) {
        const double *from = core->vertex + 2 * i, *to = core->vertex + 2 * ((i + 1) % core->count);
        double along[2] = {to[0] - from[0], to[1] - from[1]}, length = rico_hypot(along[0], along[1]);
        core->normal[2 * i] = along[1] / length;
        core->normal[2 * i + 1] = -along[0] / length;
        core->length[i] = length;
    }
}


// Area, center and inertia of core and border: the polygon by triangles from its first vertex, a strip along each edge, and sectors at
// the vertices that make one disc together. About the first vertex, where nothing cancels, then about the center.
static void area_of(const rico_polygon *core, rico_mass_properties *out)
{
    const double *v = core->vertex, r = core->radius, sector = r * r / 2.0;
    double area = 0.0, first[2] = {0.0, 0.0}, polar = 0.0;
    for (int32_t i = 1; i + 1 < core->count; i++) {
        double a[2] = {v[2 * i] - v[0], v[2 * i + 1] - v[1]},
               b[2] = {v[2 * i + 2] - v[0], v[2 * i + 3] - v[1]};
        double own = cross(a, b) / 2.0;
        area += own;
        for (int k = 0; k < 2; k++) {
            first[k] += own * (a[k] + b[k]) / 3.0;
            polar += own * (a[k] * a[k] + a[k] * b[k] + b[k] * b[k]) / 6.0;
        }
    }
    for (int32_t i = 0; r > 0.0 && i < core->count; i++) {
        const double *n = core->normal + 2 * i, *to = v + 2 * ((i + 1) % core->count);
        double a[2] = {v[2 * i] - v[0], v[2 * i + 1] - v[1]},
               length = core->count > 1 ? core->length[i] : 0.0;
        double strip = length * r, angle = 2.0 * acos(-1.0), from[2] = {1.0, 0.0}, till[2] = {1.0, 0.0};
        if (core->count > 1) {
            // strip beside the edge
            area += strip;
            for (int k = 0; k < 2; k++) {
                double middle = a[k] + (to[k] - v[2 * i + k]) / 2.0 + n[k] * r / 2.0;
                first[k] += strip * middle;
                polar += strip * middle * middle;
            }
            polar += strip * (length * length + r * r) / 12.0;
            // sector at the vertex, from the normal of the edge before to that of this one
            const double *last = core->normal + 2 * ((i + core->count - 1) % core->count);
            memcpy(from, last, sizeof from);
            memcpy(till, n, sizeof till);
            angle = atan2(cross(last, n), last[0] * n[0] + last[1] * n[1]);
            if (angle < 0.0) angle += 2.0 * acos(-1.0);
        }
        // moments of the sector about its vertex: r^3/3 times the integral of (cos, sin), and r^4 angle / 4
        double moment[2] = {r * r * r / 3.0 * (till[1] - from[1]), r * r * r / 3.0 * (from[0] - till[0])};
        area += sector * angle;
        for (int k = 0; k < 2; k++) {
            first[k] += sector * angle * a[k] + moment[k];
            polar += sector * angle * a[k] * a[k] + 2.0 * a[k] * moment[k];
        }
        polar += r * r * r * r * angle / 4.0;
    }
    double shift[2] = {first[0] / area, first[1] / area};
    out->mass = area;
    rico_vec3_set(v[0] + shift[0], v[1] + shift[1], 0.0, out->center);
    out->inertia[8] = polar - area * (shift[0] * shift[0] + shift[1] * shift[1]);
}


// What follows from the vertices, which must be finite, convex and against the clock.
static rico_status complete(rico_context *ctx, rico_shape *shape, const double *vertex, int32_t count,
                            double radius)
{
    rico_polygon *core = rico_alloc(ctx, 1, sizeof *core + 5 * (size_t)count * sizeof *core->number);
    if (!core) return RICO_NO_MEMORY;
    core->count = count;
    core->radius = radius;
    core->vertex = core->number;
    core->normal = core->vertex + 2 * count;
    core->length = core->normal + 2 * count;
    memcpy(core->vertex, vertex, 2 * (size_t)count * sizeof *vertex);
    edges_of(core);
    shape->data = core;
    shape->features = count > 1 ? 2 * (uint32_t)count : 1;
    for (int32_t i = 0; i < count; i++)
        shape->reach = fmax(shape->reach, rico_hypot(vertex[2 * i], vertex[2 * i + 1]) + radius);
    if (shape->solid) area_of(core, &shape->unit);
    return RICO_OK;
}


static rico_status make_disc(rico_context *ctx, rico_shape *shape)
{
    return complete(ctx, shape, (double[]){0.0, 0.0}, 1, shape->size[0]);
}


static rico_status make_rectangle(rico_context *ctx, rico_shape *shape)
{
    double x = 0.5 * shape->size[0], y = 0.5 * shape->size[1];
    return complete(ctx, shape, (double[]){-x, -y, x, -y, x, y, -x, y}, 4, 0.0);
}


static rico_status make_capsule(rico_context *ctx, rico_shape *shape)
{
    double x = 0.5 * shape->size[1];
    return complete(ctx, shape, (double[]){-x, 0.0, x, 0.0}, 2, shape->size[0]);
}


static rico_status make_segment(rico_context *ctx, rico_shape *shape)
{
    double x = 0.5 * shape->size[0];
    return complete(ctx, shape, (double[]){-x, 0.0, x, 0.0}, 2, 0.0);
}


static rico_status make_line(rico_context *ctx, rico_shape *shape)
{
    (void)ctx;
    shape->reach = INFINITY;
    return RICO_OK;
}


// --- kinds ---------------------------------------------------------------------------------------------------------

static void support(const rico_shape *shape, const double n[3], double x[3])
{
    const rico_polygon *core = rico_polygon_of(shape);
    const double *best = core->vertex;
    double size = rico_hypot(n[0], n[1]), grow = size > 0.0 ? core->radius / size : 0.0;
    for (int32_t i = 1; i < core->count; i++) {
        const double *v = core->vertex + 2 * i;
        if (n[0] * v[0] + n[1] * v[1] > n[0] * best[0] + n[1] * best[1]) best = v;
    }
    rico_vec3_set(best[0] + grow * n[0], best[1] + grow * n[1], 0.0, x);
}


static void bounds(const rico_shape *shape, const rico_pose *pose, double lower[3], double upper[3])
{
    const rico_polygon *core = rico_polygon_of(shape);
    for (int i = 0; i < 2; i++) {
        double least = INFINITY, most = -INFINITY;
        for (int32_t k = 0; k < core->count; k++) {
            const double *v = core->vertex + 2 * k;
            double x = pose->R[3 * i] * v[0] + pose->R[3 * i + 1] * v[1];
            least = x < least ? x : least;
            most = x > most ? x : most;
        }
        lower[i] = pose->x[i] + least - core->radius;
        upper[i] = pose->x[i] + most + core->radius;
    }
    lower[2] = upper[2] = 0.0;
}


// A half-plane along the axes has an end where its edge is.
static void line_bounds(const rico_shape *shape, const rico_pose *pose, double lower[3], double upper[3])
{
    (void)shape;
    const double n[2] = {pose->R[1], pose->R[4]};
    for (int i = 0; i < 2; i++) {
        bool along = n[1 - i] == 0.0;
        lower[i] = along && n[i] < 0.0 ? pose->x[i] : -INFINITY;
        upper[i] = along && n[i] > 0.0 ? pose->x[i] : INFINITY;
    }
    lower[2] = upper[2] = 0.0;
}


static void release(rico_shape *shape)
{
    rico_free(shape->ctx, shape->data);
}


const rico_shape_kind rico_planar_kinds[] = {
    {{"disc", "a disc", "radius", true, true}, RICO_PLANAR, 1, make_disc, support, bounds, release},
    {{"rectangle", "a rectangle", "x y", true, true},
     RICO_PLANAR,
     2,
     make_rectangle,
     support,
     bounds,
     release},
    {{"capsule-2d", "all points within a radius of a segment along x", "radius length", true, true},
     RICO_PLANAR,
     2,
     make_capsule,
     support,
     bounds,
     release},
    {{"segment", "a segment along x, without area", "length", true, false},
     RICO_PLANAR,
     1,
     make_segment,
     support,
     bounds,
     release},
    {{"line", "the half-plane y <= 0", "", true, false}, RICO_PLANAR, 0, make_line, NULL, line_bounds, NULL},
    {{"polygon", "a convex polygon", "", true, true}, RICO_PLANAR, -1, NULL, support, bounds, release},
};
const int rico_planar_kind_count = sizeof rico_planar_kinds / sizeof *rico_planar_kinds;


// --- polygons ------------------------------------------------------------------------------------------------------

// Every corner turns to the same side, by more than round-off, and all of them once around.
static rico_status check_corners(rico_context *ctx, const double *point, int64_t count, double *side)
{
    double turned = 0.0, size = 0.0;
    for (int64_t i = 0; i < 2 * count; i++) {
        if (!isfinite(point[i]))
            return rico_fail(ctx, RICO_BAD_INPUT, "vertex %lld of a polygon is at (%g, %g)",
                             (long long)(i / 2), point[i - i % 2], point[i - i % 2 + 1]);
        size = fmax(size, fabs(point[i]));
    }
    for (int64_t i = 0; i < count; i++) {
        const double *at = point + 2 * i, *last = point + 2 * ((i + count - 1) % count),
                     *next = point + 2 * ((i + 1) % count);
        double a[2] = {at[0] - last[0], at[1] - last[1]}, b[2] = {next[0] - at[0], next[1] - at[1]};
        double area = cross(a, b),
               noise = 8.0 * DBL_EPSILON * size * (rico_hypot(a[0], a[1]) + rico_hypot(b[0], b[1]));
        if (!(fabs(area) > noise))
            return rico_fail(ctx, RICO_BAD_INPUT,
                             "vertex %lld of a polygon lies on one line with its neighbours", (long long)i);
        if (i == 0) *side = copysign(1.0, area);
        if (area * *side < 0.0)
            return rico_fail(ctx, RICO_BAD_INPUT, "a polygon is convex; at vertex %lld it turns inwards",
                             (long long)i);
        turned += *side * atan2(area, a[0] * b[0] + a[1] * b[1]);
    }
    if (turned > 3.0 * acos(-1.0))
        return rico_fail(ctx, RICO_BAD_INPUT,
                         "a polygon goes around once; this one of %lld vertices crosses itself",
                         (long long)count);
    return RICO_OK;
}


rico_status rico_shape_polygon(rico_context *ctx, const double *points, int64_t count, rico_shape **out)
{
    double side = 1.0;
    *out = NULL;
    if (count < 3 || count > INT32_MAX / 8)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a polygon has at least 3 vertices, got %lld",
                         (long long)count);
    rico_status status = check_corners(ctx, points, count, &side);
    if (status != RICO_OK) return status;
    double *ordered = rico_alloc(ctx, 2 * count, sizeof *ordered);
    if (!ordered) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < count; i++) // against the clock
        memcpy(ordered + 2 * i, points + 2 * (side > 0.0 ? i : count - 1 - i), 2 * sizeof *ordered);
    rico_shape *shape = NULL;
    status = rico_shape_begin(ctx, &rico_planar_kinds[rico_planar_kind_count - 1], &shape);
    if (status == RICO_OK) status = complete(ctx, shape, ordered, (int32_t)count, 0.0);
    rico_free(ctx, ordered);
    if (status != RICO_OK) {
        rico_shape_destroy(shape);
        return status;
    }
    *out = shape;
    return RICO_OK;
}
