// The contact of two features of polytopes: a vertex and a face by the plane, two edges by the cross product of their lines, two vertices or a
// vertex and an edge by their distance. A pure function of the poses, the same for every way that led to the two features.

#include "collide/polytope_feature.h"

#include "la/mat3.h"
#include "la/vec3.h"

#include <math.h>

static void touch_face(const rico_polytope_pair *pair, bool second, int32_t f, int32_t v, rico_touch *out)
{
    double own[3];
    if (second) {
        const double *plane = &pair->b->plane[4 * f];
        rico_vec3_copy(&pair->a->vertex[3 * v], out->on_a);
        rico_vec3_subtract(out->on_a, pair->t, own);
        rico_mat3_transpose_times(pair->R, own, own);
        out->gap = rico_vec3_dot(plane, own) - plane[3];
        rico_pair_turn(pair, plane, out->normal);
        rico_vec3_scale(-1.0, out->normal, out->normal);
        rico_vec3_copy(out->on_a, out->on_b);
        rico_vec3_add_scaled(out->gap, out->normal, out->on_b);
    } else {
        const double *plane = &pair->a->plane[4 * f];
        rico_pair_point(pair, v, out->on_b);
        out->gap = rico_vec3_dot(plane, out->on_b) - plane[3];
        rico_vec3_copy(plane, out->normal);
        rico_vec3_copy(out->on_b, out->on_a);
        rico_vec3_add_scaled(-out->gap, out->normal, out->on_a);
    }
}


// An edge as a line in the axes of a: its first end, its vector, and the normals beside it.
typedef struct rico_line {
    double from[3], along[3], left[3], right[3];
} rico_line;


static rico_line line_of(const rico_polytope_pair *pair, bool second, int32_t edge)
{
    rico_line line = {.from = {0.0}};
    const rico_polytope *p = second ? pair->b : pair->a;
    const int32_t *e = &p->edge[4 * edge];
    rico_vec3_subtract(&p->vertex[3 * e[1]], &p->vertex[3 * e[0]], line.along);
    rico_vec3_copy(&p->plane[4 * e[2]], line.left);
    rico_vec3_copy(&p->plane[4 * e[3]], line.right);
    if (second) {
        rico_pair_point(pair, e[0], line.from);
        rico_pair_turn(pair, line.along, line.along);
        rico_pair_turn(pair, line.left, line.left);
        rico_pair_turn(pair, line.right, line.right);
    } else {
        rico_vec3_copy(&p->vertex[3 * e[0]], line.from);
    }
    return line;
}


// A normal of an edge lies between those of its two faces; where lines cross with one beyond, that of the face is the nearest
// that is one. n leaves the edge's polytope.
static bool clamp_to_arc(const rico_line *line, double n[3])
{
    double inward[3];
    rico_vec3_cross(line->left, line->along, inward);
    double limit = 1e-9 * rico_vec3_norm(line->along);
    if (rico_vec3_dot(n, inward) > limit) {
        rico_vec3_copy(line->left, n);
        return true;
    }
    rico_vec3_cross(line->along, line->right, inward);
    if (rico_vec3_dot(n, inward) > limit) {
        rico_vec3_copy(line->right, n);
        return true;
    }
    return false;
}


// Edges that run side by side: the normal is the hint without what runs along them, the points are the middle of where they overlap.
static bool touch_parallel(const rico_line *p, const rico_line *q, const double hint[3], rico_touch *out)
{
    double u[3], d[3], n[3], length = rico_vec3_norm(p->along);
    rico_vec3_scale(1.0 / length, p->along, u);
    rico_vec3_copy(hint, n);
    rico_vec3_add_scaled(-rico_vec3_dot(u, n), u, n);
    if (!rico_vec3_normalise(n)) return false;
    rico_vec3_subtract(q->from, p->from, d);
    double start = rico_vec3_dot(u, d), end = start + rico_vec3_dot(u, q->along);
    double low = fmax(0.0, fmin(start, end)), high = fmin(length, fmax(start, end));
    double middle = 0.5 * (low + high), t = end != start ? (middle - start) / (end - start) : 0.0;
    for (int i = 0; i < 3; i++) {
        out->on_a[i] = p->from[i] + middle * u[i];
        out->on_b[i] = q->from[i] + t * q->along[i];
    }
    rico_vec3_subtract(out->on_b, out->on_a, d);
    out->gap = rico_vec3_dot(n, d);
    rico_vec3_copy(n, out->normal);
    return true;
}


// The two points of lines that n joins, p + s u and q + t w with (d + t w - s u) x n = 0; c = u x w. False: seen along n they are parallel.
static bool join_lines(const rico_line *p, const rico_line *q, const double c[3], const double n[3],
                       rico_touch *out)
{
    double d[3], x[3], across = rico_vec3_dot(c, n);
    double whole = rico_vec3_dot(p->along, p->along) * rico_vec3_dot(q->along, q->along);
    if (across * across <= 1e-10 * whole) return false; // the points would be anywhere
    rico_vec3_subtract(q->from, p->from, d);
    rico_vec3_cross(d, q->along, x);
    double s = rico_vec3_dot(x, n) / across;
    rico_vec3_cross(d, p->along, x);
    double t = rico_vec3_dot(x, n) / across;
    for (int i = 0; i < 3; i++) {
        out->on_a[i] = p->from[i] + s * p->along[i];
        out->on_b[i] = q->from[i] + t * q->along[i];
    }
    rico_vec3_subtract(out->on_b, out->on_a, d);
    out->gap = rico_vec3_dot(n, d);
    return true;
}


static bool touch_edges(const rico_polytope_pair *pair, int32_t e, int32_t g, const double hint[3],
                        rico_touch *out)
{
    rico_line p = line_of(pair, false, e), q = line_of(pair, true, g);
    double c[3], n[3], d[3];
    rico_vec3_cross(p.along, q.along, c);
    double square = rico_vec3_dot(c, c);
    double parallel = 1e-16 * rico_vec3_dot(p.along, p.along) * rico_vec3_dot(q.along, q.along);
    if (square <= parallel) return touch_parallel(&p, &q, hint, out);
    rico_vec3_scale(1.0 / sqrt(square), c, n);
    // round-off of a small cross product points anywhere, along the edges too: take that away
    rico_vec3_add_scaled(-rico_vec3_dot(p.along, n) / rico_vec3_dot(p.along, p.along), p.along, n);
    rico_vec3_normalise(n);
    // it leaves a and enters b, as the normals beside the edges do
    double outward = rico_vec3_dot(n, p.left) + rico_vec3_dot(n, p.right) - rico_vec3_dot(n, q.left) -
                     rico_vec3_dot(n, q.right);
    if (outward < 0.0) rico_vec3_scale(-1.0, n, n);
    bool clamped = clamp_to_arc(&p, n);
    if (!clamped) {
        rico_vec3_scale(-1.0, n, n);
        clamped = clamp_to_arc(&q, n);
        rico_vec3_scale(-1.0, n, n);
    }
    if (!join_lines(&p, &q, c, n, out)) return touch_parallel(&p, &q, n, out);
    // where n is at right angles to both, any two points of the lines have the same gap: the ends, which are exact
    rico_vec3_subtract(q.from, p.from, d);
    if (!clamped) out->gap = rico_vec3_dot(n, d);
    rico_vec3_copy(n, out->normal);
    return true;
}


// Two points, or a point and a line (along, of unit length; NULL: none): the distance, with the sign that the hint has.
static bool touch_points(const double a[3], const double b[3], const double *along, bool line_of_b,
                         const double hint[3], rico_touch *out)
{
    double d[3];
    rico_vec3_subtract(b, a, d);
    rico_vec3_copy(a, out->on_a);
    rico_vec3_copy(b, out->on_b);
    if (along) {
        double shift = rico_vec3_dot(along, d);
        rico_vec3_add_scaled(line_of_b ? -shift : shift, along, line_of_b ? out->on_b : out->on_a);
        for (int k = 0; k < 2; k++) rico_vec3_add_scaled(-rico_vec3_dot(along, d), along, d);
    }
    double length = rico_vec3_norm(d);
    bool behind = rico_vec3_dot(d, hint) < 0.0;
    out->gap = behind ? -length : length;
    if (length > 0.0) {
        rico_vec3_scale(1.0 / out->gap, d, out->normal);
        return true;
    }
    rico_vec3_copy(hint, out->normal);
    if (along) rico_vec3_add_scaled(-rico_vec3_dot(along, hint), along, out->normal);
    return rico_vec3_normalise(out->normal);
}


bool rico_feature_touch(const rico_polytope_pair *pair, uint32_t feature_a, uint32_t feature_b,
                        const double hint[3], rico_touch *out)
{
    int32_t i, j;
    int rank_a = rico_feature_rank(pair->a, feature_a, &i),
        rank_b = rico_feature_rank(pair->b, feature_b, &j);
    if (rank_a == 2 && rank_b == 0) {
        touch_face(pair, false, i, j, out);
        return true;
    }
    if (rank_a == 0 && rank_b == 2) {
        touch_face(pair, true, j, i, out);
        return true;
    }
    if (rank_a == 1 && rank_b == 1) return touch_edges(pair, i, j, hint, out);
    if (rank_a + rank_b > 1) return false;
    double along[3], a[3], b[3];
    rico_vec3_copy(&pair->a->vertex[3 * (rank_a ? pair->a->edge[4 * i] : i)], a);
    rico_pair_point(pair, rank_b ? pair->b->edge[4 * j] : j, b);
    if (rank_a + rank_b == 0) return touch_points(a, b, NULL, false, hint, out);
    const int32_t *edge = rank_a ? &pair->a->edge[4 * i] : &pair->b->edge[4 * j];
    const double *vertex = rank_a ? pair->a->vertex : pair->b->vertex;
    rico_vec3_subtract(&vertex[3 * edge[1]], &vertex[3 * edge[0]], along);
    rico_vec3_normalise(along);
    if (rank_b) rico_pair_turn(pair, along, along);
    return touch_points(a, b, along, rank_b == 1, hint, out);
}


bool rico_feature_touch_along(const rico_polytope_pair *pair, uint32_t feature_a, uint32_t feature_b,
                              const double n[3], rico_touch *out)
{
    int32_t i, j;
    int rank_a = rico_feature_rank(pair->a, feature_a, &i),
        rank_b = rico_feature_rank(pair->b, feature_b, &j);
    if (rank_a + rank_b != 2) return false;
    rico_vec3_copy(n, out->normal);
    if (rank_a == 1) {
        rico_line p = line_of(pair, false, i), q = line_of(pair, true, j);
        double c[3];
        rico_vec3_cross(p.along, q.along, c);
        return join_lines(&p, &q, c, n, out) || touch_parallel(&p, &q, n, out);
    }
    rico_touch straight;
    touch_face(pair, rank_b == 2, rank_b == 2 ? j : i, rank_b == 2 ? i : j, &straight);
    double slope = rico_vec3_dot(straight.normal, n);
    if (!(slope > 1e-3)) return false;
    out->gap = straight.gap / slope;
    rico_vec3_copy(straight.on_a, out->on_a);
    rico_vec3_copy(straight.on_b, out->on_b);
    rico_vec3_copy(rank_b == 2 ? out->on_a : out->on_b, rank_b == 2 ? out->on_b : out->on_a);
    rico_vec3_add_scaled(rank_b == 2 ? out->gap : -out->gap, n, rank_b == 2 ? out->on_b : out->on_a);
    return true;
}


void rico_touch_to_world(const rico_touch *touch, const rico_pose *A, rico_meeting *out)
{
    out->gap = touch->gap;
    rico_mat3_times(A->R, touch->normal, out->normal);
    rico_pose_point(A, touch->on_a, out->on_a);
    rico_pose_point(A, touch->on_b, out->on_b);
}
