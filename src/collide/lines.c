// Spheres and capsules among themselves: the distance of two points or segments, less the two radii.
//
// Where the segments cross inside both, the normal is their common perpendicular, from the cross product and not from the points,
// so that it stays exact however near the axes come.

#include "collide/round.h"

#include <float.h>
#include <math.h>

// A segment in space, relative to an origin of the pair: c + t u, |t| <= half.
typedef struct line {
    double c[3], u[3], half, radius;
} line;


static line line_of(const rico_shape *shape, const rico_pose *pose, const double origin[3])
{
    line l = {.u = {pose->R[2], pose->R[5], pose->R[8]}, .radius = shape->size[0]};
    l.half = rico_form_of(shape) == RICO_FORM_CAPSULE ? 0.5 * shape->size[1] : 0.0;
    rico_vec3_subtract(pose->x, origin, l.c);
    return l;
}


static double clamp(double t, double half)
{
    return fmax(-half, fmin(half, t));
}


// Where on `l` the feature stands: its end, or the foot of the point x taken as if the line went on; *fixed says which.
static double place(const line *l, uint32_t feature, const double x[3], bool *fixed)
{
    *fixed = l->half == 0.0 || feature != RICO_CAPSULE_SIDE;
    if (*fixed) return feature == RICO_CAPSULE_TOP ? l->half : -l->half;
    double d[3];
    rico_vec3_subtract(x, l->c, d);
    return rico_vec3_dot(l->u, d);
}


static void at(const line *l, double t, double x[3])
{
    for (int i = 0; i < 3; i++) x[i] = l->c[i] + t * l->u[i];
}


// Parameters of the common perpendicular of two lines; false: parallel to round-off.
static bool crossing(const line *a, const line *b, double *s, double *t)
{
    double d[3], cross[3];
    rico_vec3_subtract(b->c, a->c, d);
    rico_vec3_cross(a->u, b->u, cross);
    double sine2 = rico_vec3_dot(cross, cross);
    // below, neither parameter is known better than the length of the lines
    if (!(sine2 > 16.0 * DBL_EPSILON * DBL_EPSILON)) return false;
    double du[3], dv[3];
    rico_vec3_cross(d, b->u, du);
    rico_vec3_cross(d, a->u, dv);
    *s = rico_vec3_dot(du, cross) / sine2;
    *t = rico_vec3_dot(dv, cross) / sine2;
    return true;
}


static uint32_t feature_at(const line *l, double t)
{
    if (l->half == 0.0) return RICO_CAPSULE_BOTTOM;
    return t <= -l->half ? RICO_CAPSULE_BOTTOM : t >= l->half ? RICO_CAPSULE_TOP : RICO_CAPSULE_SIDE;
}


// The nearest points of two segments by their parameters. Of parallel ones the middle of where they run side by side.
static void nearest_parameters(const line *a, const line *b, double *s, double *t)
{
    double d[3];
    rico_vec3_subtract(b->c, a->c, d);
    double da = rico_vec3_dot(d, a->u), db = rico_vec3_dot(d, b->u), c = rico_vec3_dot(a->u, b->u);
    if (a->half > 0.0 && b->half > 0.0) {
        if (crossing(a, b, s, t)) {
            if (fabs(*s) < a->half && fabs(*t) < b->half) return;
        } else {
            double low = fmax(-a->half, da - b->half), high = fmin(a->half, da + b->half);
            if (low <= high) {
                *s = 0.5 * (low + high);
                *t = clamp(c * *s - db, b->half);
                return;
            }
        }
    }
    // one of the ends is the nearest of its segment: four feet; where round-off cannot tell a foot inside from an end beside it, the foot
    double best = INFINITY;
    bool ends = true;
    for (int k = 0; k < 4; k++) {
        double end = k % 2 ? 1.0 : -1.0, p, q, x[3], y[3];
        if (k < 2 ? b->half == 0.0 && a->half > 0.0 : a->half == 0.0) continue;
        if (k < 2) {
            p = end * a->half;
            q = clamp(c * p - db, b->half);
        } else {
            q = end * b->half;
            p = clamp(c * q + da, a->half);
        }
        at(a, p, x);
        at(b, q, y);
        rico_vec3_subtract(y, x, y);
        double square = rico_vec3_dot(y, y), noise = 16.0 * DBL_EPSILON * best;
        bool both = k < 2 ? fabs(q) >= b->half : fabs(p) >= a->half;
        if (!(best < INFINITY) || square < best - noise || (square <= best + noise && ends && !both))
            best = square, ends = both, *s = p, *t = q;
    }
}


// Takes away what round-off left of n along u and v, that are nearly parallel perhaps.
static void straighten(const double u[3], const double v[3], double n[3])
{
    double cosine = rico_vec3_dot(u, v), cross[3];
    rico_vec3_cross(u, v, cross);
    double sine2 = rico_vec3_dot(cross, cross);
    for (int k = 0; k < 2; k++) {
        if (!rico_vec3_normalise(n)) return;
        double nu = rico_vec3_dot(n, u), nv = rico_vec3_dot(n, v);
        rico_vec3_add_scaled(-(nu - cosine * nv) / sine2, u, n);
        rico_vec3_add_scaled(-(nv - cosine * nu) / sine2, v, n);
    }
}


// A normal of a segment is across it, or at an end leads off it, outward: takes away what round-off of points close to each other left of n that is
// not. `end`: 0 inside, or the sign of the end, whose contact with a feature that is not the nearest may lead inward by more than `noise`.
static void outward(const line *l, double end, double noise, double n[3])
{
    if (l->half == 0.0) return;
    for (int k = 0; k < 2; k++) {
        double along = rico_vec3_dot(l->u, n);
        if (end * along > 0.0 || (end != 0.0 && fabs(along) > noise)) return;
        rico_vec3_add_scaled(-along, l->u, n);
    }
}


// Gap, normal and points from the parameters; `hint` decides where the points coincide. Relative to the origin of the pair.
static void join(const line *a, const line *b, double s, double t, bool inside_a, bool inside_b,
                 const double hint[3], rico_meeting *m)
{
    double x[3], y[3], w[3], n[3];
    at(a, s, x);
    at(b, t, y);
    rico_vec3_subtract(y, x, w);
    rico_vec3_copy(w, n);
    bool crossed = false;
    if (inside_a && inside_b) {
        double cross[3];
        rico_vec3_cross(a->u, b->u, cross);
        double side = rico_vec3_dot(cross, w);
        if (side == 0.0) side = rico_vec3_dot(cross, hint);
        if (rico_vec3_norm(cross) > 4.0 * DBL_EPSILON) {
            rico_vec3_scale(side < 0.0 ? -1.0 : 1.0, cross, n);
            straighten(a->u, b->u, n);
            crossed = true;
        }
    }
    double size = a->half + b->half + rico_vec3_norm_inf(y),
           noise = 16.0 * DBL_EPSILON * size / rico_vec3_norm(w);
    for (int k = 0; !crossed && k < 2 && rico_vec3_normalise(n); k++) {
        double back[3];
        outward(a, inside_a ? 0.0 : s < 0.0 ? -1.0 : 1.0, noise, n);
        rico_vec3_scale(-1.0, n, back);
        outward(b, inside_b ? 0.0 : t < 0.0 ? -1.0 : 1.0, noise, back);
        rico_vec3_scale(-1.0, back, n);
    }
    // an end right on the other's axis: any direction across that axis will do
    if (!rico_vec3_normalise(n)) {
        const double *u = inside_a || b->half == 0.0 ? a->u : b->u;
        double along = rico_vec3_dot(u, hint);
        for (int i = 0; i < 3; i++) n[i] = hint[i] - (a->half + b->half > 0.0 ? along * u[i] : 0.0);
        if (!rico_vec3_normalise(n)) rico_vec3_set(u[1], -u[0], 0.0, n);
        if (!rico_vec3_normalise(n)) rico_vec3_set(1.0, 0.0, 0.0, n);
    }
    m->gap = rico_vec3_dot(n, w) - a->radius - b->radius;
    rico_vec3_copy(n, m->normal);
    for (int i = 0; i < 3; i++) {
        m->on_a[i] = x[i] + a->radius * n[i];
        m->on_b[i] = m->on_a[i] + m->gap * n[i];
    }
}


static void to_world(const double origin[3], double on_a[3], double on_b[3])
{
    rico_vec3_add(on_a, origin, on_a);
    rico_vec3_add(on_b, origin, on_b);
}


static const double UP[3] = {0.0, 0.0, 1.0};


// The contact of two features; relative to the origin of the pair. False: two sides that have become parallel.
static bool features_meet(const line *a, const line *b, rico_meeting *m)
{
    double s, t, x[3];
    bool end_a = a->half == 0.0 || m->feature_a != RICO_CAPSULE_SIDE;
    bool end_b = b->half == 0.0 || m->feature_b != RICO_CAPSULE_SIDE, fixed;
    if (!end_a && !end_b) {
        if (!crossing(a, b, &s, &t)) return false;
    } else if (end_a) {
        s = place(a, m->feature_a, a->c, &fixed);
        at(a, s, x);
        t = place(b, m->feature_b, x, &fixed);
    } else {
        t = place(b, m->feature_b, b->c, &fixed);
        at(b, t, x);
        s = place(a, m->feature_a, x, &fixed);
    }
    double hint[3];
    rico_vec3_copy(rico_vec3_norm(m->normal) > 0.0 ? m->normal : UP, hint);
    join(a, b, s, t, !end_a, !end_b, hint, m);
    return true;
}


static bool again(const rico_shape *a, const rico_pose *A, const rico_shape *b, const rico_pose *B,
                  rico_meeting *m)
{
    line la = line_of(a, A, A->x), lb = line_of(b, B, A->x);
    if (!features_meet(&la, &lb, m)) return false;
    to_world(A->x, m->on_a, m->on_b);
    return true;
}


static bool find(const line *a, const line *b, rico_meeting *m)
{
    double s, t;
    nearest_parameters(a, b, &s, &t);
    m->feature_a = feature_at(a, s);
    m->feature_b = feature_at(b, t);
    bool inside_a = a->half > 0.0 && m->feature_a == RICO_CAPSULE_SIDE;
    bool inside_b = b->half > 0.0 && m->feature_b == RICO_CAPSULE_SIDE;
    join(a, b, s, t, inside_a, inside_b, UP, m);
    return inside_a && inside_b;
}


// Ends of each over the side of the other: what two capsules side by side rest on.
static bool ends(const line *a, const line *b, double margin, const double origin[3], double *least,
                 rico_meeting_list *out)
{
    for (int k = 0; k < 4; k++) {
        const line *one = k < 2 ? a : b, *other = k < 2 ? b : a;
        if (one->half == 0.0 || other->half == 0.0) continue;
        double x[3];
        bool fixed;
        uint32_t end = k % 2 ? RICO_CAPSULE_TOP : RICO_CAPSULE_BOTTOM;
        at(one, k % 2 ? one->half : -one->half, x);
        if (fabs(place(other, RICO_CAPSULE_SIDE, x, &fixed)) >= other->half) continue;
        rico_meeting m = {.feature_a = k < 2 ? end : RICO_CAPSULE_SIDE,
                          .feature_b = k < 2 ? RICO_CAPSULE_SIDE : end};
        features_meet(a, b, &m);
        if (m.gap > margin) continue;
        *least = fmin(*least, m.gap);
        to_world(origin, m.on_a, m.on_b);
        if (!rico_meeting_put(out, &m)) return false;
    }
    return true;
}


static bool meet(const rico_shape *a, const rico_pose *A, const rico_shape *b, const rico_pose *B,
                 double margin, rico_meeting_list *out)
{
    line la = line_of(a, A, A->x), lb = line_of(b, B, A->x);
    rico_meeting m = {0};
    find(&la, &lb, &m);
    if (m.gap > margin) return true;
    double least = INFINITY, size = la.half + lb.half + la.radius + lb.radius;
    int64_t before = out->count;
    if (!ends(&la, &lb, margin, A->x, &least, out)) return false;
    // an end over a side is among those already, but for round-off at its own end; two sides add nothing where their ends are as near
    bool side = (la.half > 0.0 && m.feature_a == RICO_CAPSULE_SIDE) ||
                (lb.half > 0.0 && m.feature_b == RICO_CAPSULE_SIDE);
    if (side && least <= m.gap + 4.0 * DBL_EPSILON * size) return true;
    for (int64_t k = before; k < out->count; k++)
        if (out->item[k].feature_a == m.feature_a && out->item[k].feature_b == m.feature_b) return true;
    to_world(A->x, m.on_a, m.on_b);
    return rico_meeting_put(out, &m);
}


static bool nearest(const rico_shape *a, const rico_pose *A, const rico_shape *b, const rico_pose *B,
                    rico_nearest *out)
{
    line la = line_of(a, A, A->x), lb = line_of(b, B, A->x);
    rico_meeting m = {0};
    find(&la, &lb, &m);
    to_world(A->x, m.on_a, m.on_b);
    out->gap = m.gap;
    rico_vec3_copy(m.normal, out->normal);
    rico_vec3_copy(m.on_a, out->on_a);
    rico_vec3_copy(m.on_b, out->on_b);
    out->feature_a = m.feature_a;
    out->feature_b = m.feature_b;
    out->smooth = true;
    rico_bend bend_a = {.held = la.half > 0.0 && m.feature_a == RICO_CAPSULE_SIDE};
    rico_bend bend_b = {.held = lb.half > 0.0 && m.feature_b == RICO_CAPSULE_SIDE};
    rico_vec3_copy(la.u, bend_a.hard);
    rico_vec3_copy(lb.u, bend_b.hard);
    rico_bend_ball(la.radius, m.normal, &bend_a);
    rico_bend_ball(lb.radius, m.normal, &bend_b);
    rico_nearest_turn(A, B, &bend_a, &bend_b, out);
    return true;
}


const rico_meeting_kind rico_line_meeting = {meet, again, nearest};
