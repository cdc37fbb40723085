// Random pairs of shapes whose gap and normal are known by how they are made: a point of support of each, chosen on a corner, a rim, an edge,
// a side or a face, is put opposite the other's at the asked gap along a common normal. The formulas here are their own, by kind, so that
// they test those of the library.

#ifndef RICO_BENCH_PAIRS_H
#define RICO_BENCH_PAIRS_H

#include "base/random.h"
#include "la/quaternion.h"
#include "ricochet/shape.h"

typedef enum pair_kind {
    PAIR_SPHERE,
    PAIR_CAPSULE,
    PAIR_CYLINDER,
    PAIR_CONE,
    PAIR_ELLIPSOID,
    PAIR_BOX,
    PAIR_PLANE,
    PAIR_KINDS
} pair_kind;

static const struct {
    const char *name;
    int sizes, strata; // strata: corners and curved pieces, edges and sides, faces
} PAIR_KIND[PAIR_KINDS] = {{"sphere", 1, 1},    {"capsule", 2, 2}, {"cylinder", 2, 3}, {"cone", 2, 3},
                           {"ellipsoid", 3, 1}, {"box", 3, 3},     {"plane", 0, 3}};

typedef struct pair_half {
    pair_kind kind;
    double size[3];
    double n[3], x[3]; // outer normal and point of support, in own axes
    double H[9];       // Hessian of the support function; HARD along directions where the normal is held
} pair_half;

typedef struct pair {
    pair_half a, b;
    rico_stand at_a, at_b;
    double gap, normal[3], size;
    double
        firm; // smallest eigenvalue of H_a + H_b + gap across the normal: <= 0, the gap is no maximum over normals
} pair;

#define PAIR_HARD 1e8

// 0, or +-1e-1 ... +-1e-12.
static inline double pair_any_gap(rico_random *random)
{
    double power = -1.0 - (double)rico_random_below(random, 12);
    int64_t sign = rico_random_below(random, 25);
    return sign == 0 ? 0.0 : (sign % 2 ? 1.0 : -1.0) * pow(10.0, power);
}


static inline void pair_direction(rico_random *random, double n[3])
{
    do
        for (int i = 0; i < 3; i++) n[i] = rico_random_normal(random);
    while (!rico_vec3_normalise(n));
}


static inline void pair_bend(pair_half *half, double radius, const double t[3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) half->H[3 * i + j] += radius * t[i] * t[j];
}


static inline void pair_ball(pair_half *half, double radius)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) half->H[3 * i + j] += radius * ((i == j) - half->n[i] * half->n[j]);
}


static inline void pair_pick_capsule(rico_random *random, pair_half *half, int stratum)
{
    double r = half->size[0], l = half->size[1], *n = half->n;
    pair_direction(random, n);
    if (stratum == 1) {
        n[2] = 0.0;
        rico_vec3_normalise(n);
        pair_bend(half, PAIR_HARD, (double[]){0.0, 0.0, 1.0});
    }
    rico_vec3_scale(r, n, half->x);
    half->x[2] += stratum == 1 ? rico_random_range(random, -0.5, 0.5) * l : copysign(0.5 * l, n[2]);
    pair_ball(half, r);
}


// A rim of radius r at height z.
static inline void pair_pick_rim(pair_half *half, double r, double z)
{
    double *n = half->n, across = hypot(n[0], n[1]);
    rico_vec3_set(r * n[0] / across, r * n[1] / across, z, half->x);
    pair_bend(half, r / across, (double[]){-n[1] / across, n[0] / across, 0.0});
}


static inline void pair_pick_face(rico_random *random, pair_half *half, double up, double r, double z)
{
    double angle = rico_random_range(random, 0.0, 6.283185307179586);
    double radius = 0.9 * r * sqrt(rico_random_unit(random));
    rico_vec3_set(0.0, 0.0, up, half->n);
    rico_vec3_set(radius * cos(angle), radius * sin(angle), z, half->x);
    pair_ball(half, PAIR_HARD);
}


static inline void pair_pick_cylinder(rico_random *random, pair_half *half, int stratum)
{
    double r = half->size[0], h = half->size[1], *n = half->n;
    double up = rico_random_unit(random) < 0.5 ? -1.0 : 1.0;
    if (stratum == 2) {
        pair_pick_face(random, half, up, r, 0.5 * up * h);
        return;
    }
    do pair_direction(random, n);
    while (fabs(n[2]) < 0.05 || hypot(n[0], n[1]) < 0.05);
    if (stratum == 1) {
        n[2] = 0.0;
        rico_vec3_normalise(n);
        rico_vec3_set(r * n[0], r * n[1], rico_random_range(random, -0.5, 0.5) * h, half->x);
        pair_bend(half, r, (double[]){-n[1], n[0], 0.0});
        pair_bend(half, PAIR_HARD, (double[]){0.0, 0.0, 1.0});
        return;
    }
    pair_pick_rim(half, r, copysign(0.5 * h, n[2]));
}


static inline void pair_pick_cone(rico_random *random, pair_half *half, int stratum)
{
    double r = half->size[0], h = half->size[1], *n = half->n, slant = hypot(r, h);
    if (stratum == 2) {
        pair_pick_face(random, half, -1.0, r, -0.5 * h);
        return;
    }
    double across, side;
    do {
        pair_direction(random, n);
        across = hypot(n[0], n[1]);
        side = (h * n[2] - r * across) / slant; // > 0: the apex
    } while (fabs(side) < 0.05 || across < 0.05);
    if (stratum == 1) {
        double c[2] = {n[0] / across, n[1] / across}, down = rico_random_range(random, 0.05, 0.95);
        rico_vec3_set(h / slant * c[0], h / slant * c[1], r / slant, n);
        rico_vec3_set(down * r * c[0], down * r * c[1], (0.5 - down) * h, half->x);
        pair_bend(half, down * r * slant / h, (double[]){-c[1], c[0], 0.0});
        pair_bend(half, PAIR_HARD, (double[]){-r / slant * c[0], -r / slant * c[1], h / slant});
        return;
    }
    if (side > 0.0)
        rico_vec3_set(0.0, 0.0, 0.5 * h, half->x);
    else
        pair_pick_rim(half, r, -0.5 * h);
}


static inline void pair_pick_ellipsoid(rico_random *random, pair_half *half)
{
    const double *s = half->size;
    pair_direction(random, half->n);
    double w[3], h = 0.0;
    for (int i = 0; i < 3; i++) h += s[i] * s[i] * half->n[i] * half->n[i];
    h = sqrt(h);
    for (int i = 0; i < 3; i++) w[i] = s[i] * s[i] * half->n[i], half->x[i] = w[i] / h;
    for (int i = 0; i < 3; i++) half->H[4 * i] += s[i] * s[i] / h;
    pair_bend(half, -1.0 / (h * h * h), w);
}


// Stratum 0: a vertex, 1: an edge, 2: a face; `free` axes carry the point anywhere between the ends.
static inline void pair_pick_box(rico_random *random, pair_half *half, int stratum)
{
    do pair_direction(random, half->n);
    while (fabs(half->n[0]) < 0.05 || fabs(half->n[1]) < 0.05 || fabs(half->n[2]) < 0.05);
    int first = (int)rico_random_below(random, 3);
    for (int k = 0; k < stratum; k++) half->n[(first + k) % 3] = 0.0;
    rico_vec3_normalise(half->n);
    for (int i = 0; i < 3; i++) {
        bool free = half->n[i] == 0.0;
        half->x[i] =
            half->size[i] * (free ? rico_random_range(random, -0.49, 0.49) : copysign(0.5, half->n[i]));
        if (free) pair_bend(half, PAIR_HARD, (double[]){i == 0, i == 1, i == 2});
    }
}


static inline void pair_pick(rico_random *random, pair_half *half, int stratum)
{
    memset(half->H, 0, sizeof half->H);
    switch (half->kind) {
    case PAIR_SPHERE:
        pair_direction(random, half->n);
        rico_vec3_scale(half->size[0], half->n, half->x);
        pair_ball(half, half->size[0]);
        break;
    case PAIR_CAPSULE:
        pair_pick_capsule(random, half, stratum);
        break;
    case PAIR_CYLINDER:
        pair_pick_cylinder(random, half, stratum);
        break;
    case PAIR_CONE:
        pair_pick_cone(random, half, stratum);
        break;
    case PAIR_ELLIPSOID:
        pair_pick_ellipsoid(random, half);
        break;
    case PAIR_BOX:
        pair_pick_box(random, half, stratum);
        break;
    default:
        pair_pick_face(random, half, 1.0, half->size[0], 0.0);
    }
}


// An orientation that takes `own` to `n`, random about it.
static inline void pair_turn(rico_random *random, const double own[3], const double n[3], double q[4])
{
    double any[4], r[3], axis[3], twist[4], turn[4];
    for (int i = 0; i < 4; i++) any[i] = rico_random_normal(random);
    rico_quaternion_normalise(any);
    for (int pass = 0; pass < 2; pass++) { // the second takes away what round-off left of the first
        rico_quaternion_rotate(any, own, r);
        rico_vec3_cross(r, n, axis);
        rico_quaternion_set(1.0 + rico_vec3_dot(r, n), axis[0], axis[1], axis[2], twist);
        if (twist[0] < 1e-3) { // nearly opposite: half a turn about something across first
            double e[3] = {fabs(r[0]) < 0.6, fabs(r[0]) >= 0.6, 0.0};
            rico_vec3_cross(r, e, axis);
            rico_vec3_normalise(axis);
            rico_quaternion_set(0.0, axis[0], axis[1], axis[2], twist);
            pass--;
        }
        rico_quaternion_normalise(twist);
        rico_quaternion_multiply(twist, any, turn);
        rico_quaternion_normalise(turn);
        memcpy(any, turn, sizeof turn);
    }
    memcpy(q, any, sizeof any);
}


static inline double pair_firmness(const pair *p)
{
    double H[9], e[3], f[3], axis[3] = {fabs(p->normal[0]) < 0.6, fabs(p->normal[0]) >= 0.6, 0.0}, M[3] = {0};
    rico_vec3_cross(p->normal, axis, e);
    rico_vec3_normalise(e);
    rico_vec3_cross(p->normal, e, f);
    for (int side = 0; side < 2; side++) {
        double oe[3], of[3], He[3];
        const double *q = side ? p->at_b.orientation : p->at_a.orientation;
        memcpy(H, side ? p->b.H : p->a.H, sizeof H);
        rico_quaternion_rotate_back(q, e, oe);
        rico_quaternion_rotate_back(q, f, of);
        rico_mat3_times(H, oe, He);
        M[0] += rico_vec3_dot(oe, He);
        M[1] += rico_vec3_dot(of, He);
        rico_mat3_times(H, of, He);
        M[2] += rico_vec3_dot(of, He);
    }
    double trace = M[0] + M[2], split = hypot(0.5 * (M[0] - M[2]), M[1]);
    double determinant = M[0] * M[2] - M[1] * M[1], larger = 0.5 * trace + split;
    return (larger > 0.0 ? determinant / larger : 0.0) + p->gap;
}


// A pair of these kinds (the second may be a plane), on these strata, sizes of about `scale`, at a gap of `relative` times the size.
static inline void pair_make(rico_random *random, pair_kind a, pair_kind b, int stratum_a, int stratum_b,
                             double scale, double relative, pair *out)
{
    double down[3], ra[3], rb[3];
    *out = (pair){.a.kind = a, .b.kind = b};
    for (int i = 0; i < 3; i++) {
        out->a.size[i] = scale * rico_random_range(random, 0.3, 1.5);
        out->b.size[i] = scale * rico_random_range(random, 0.3, 1.5);
    }
    out->size = 2.0 * scale;
    out->gap = relative * scale;
    pair_pick(random, &out->a, stratum_a);
    pair_pick(random, &out->b, stratum_b);
    pair_direction(random, out->normal);
    rico_vec3_scale(-1.0, out->normal, down);
    pair_turn(random, out->a.n, out->normal, out->at_a.orientation);
    pair_turn(random, out->b.n, down, out->at_b.orientation);
    rico_quaternion_rotate(out->at_a.orientation, out->a.x, ra);
    rico_quaternion_rotate(out->at_b.orientation, out->b.x, rb);
    for (int i = 0; i < 3; i++) {
        out->at_a.position[i] = -ra[i];
        out->at_b.position[i] = out->gap * out->normal[i] - rb[i];
    }
    out->firm = pair_firmness(out);
}


// --- upright -----------------------------------------------------------------------------------------------------------

// A shape that stands upright is a prism over a rectangle or a disc, or a point, and a ball besides: half sizes x, y, z; disc; ball.
typedef struct pair_prism {
    double half[3], disc, ball;
} pair_prism;

static inline void pair_prism_add(const pair_half *half, pair_prism *sum)
{
    const double *s = half->size;
    for (int i = 0; half->kind == PAIR_BOX && i < 3; i++) sum->half[i] += 0.5 * s[i];
    if (half->kind == PAIR_SPHERE || half->kind == PAIR_CAPSULE) sum->ball += s[0];
    if (half->kind == PAIR_CYLINDER) sum->disc += s[0];
    if (half->kind == PAIR_CYLINDER || half->kind == PAIR_CAPSULE) sum->half[2] += 0.5 * s[1];
}


// The gap of the origin from a product of two sets, by its gaps from each.
static inline double pair_product(double one, double other)
{
    return one > 0.0 && other > 0.0 ? hypot(one, other) : fmax(one, other);
}


// Spheres, capsules, cylinders and boxes with all axes parallel: their difference is a prism and a ball, so the gap is known at every offset d,
// on the borders between faces, edges, rims and corners most of all, where the offsets are put here: 0, or touching in a coordinate, or by `gap` more or less.
static inline void pair_upright(rico_random *random, pair_kind a, pair_kind b, double scale_a, double scale_b,
                                double gap, pair *out)
{
    pair_prism sum = {0};
    double d[3];
    *out = (pair){.a.kind = a, .b.kind = b, .size = scale_a + scale_b};
    for (int i = 0; i < 3; i++) {
        out->a.size[i] = scale_a * rico_random_range(random, 0.3, 1.5);
        out->b.size[i] = scale_b * rico_random_range(random, 0.3, 1.5);
    }
    pair_prism_add(&out->a, &sum);
    pair_prism_add(&out->b, &sum);
    for (int i = 0; i < 3; i++) {
        double edge = sum.half[i] + sum.ball + (i < 2 ? sum.disc : 0.0), inner = sum.half[i];
        double by = gap * (double)(rico_random_below(random, 3) - 1) * fmin(scale_a, scale_b);
        const double places[] = {0.0, edge + by, inner + by, rico_random_range(random, 0.0, 1.5) * edge};
        d[i] = places[rico_random_below(random, 4)] * (rico_random_unit(random) < 0.5 ? -1.0 : 1.0);
        out->at_b.position[i] = d[i];
    }
    out->at_a.orientation[0] = out->at_b.orientation[0] = 1.0;
    double flat = pair_product(fabs(d[0]) - sum.half[0], fabs(d[1]) - sum.half[1]) - sum.disc;
    out->gap = pair_product(flat, fabs(d[2]) - sum.half[2]) - sum.ball;
}


// The same pair turned as a whole.
static inline void pair_turn_all(rico_random *random, pair *p)
{
    double q[4], x[3];
    for (int i = 0; i < 4; i++) q[i] = rico_random_normal(random);
    rico_quaternion_normalise(q);
    memcpy(p->at_a.orientation, q, sizeof q);
    memcpy(p->at_b.orientation, q, sizeof q);
    rico_quaternion_rotate(q, p->at_b.position, x);
    rico_vec3_copy(x, p->at_b.position);
}


// h of a shape in its own axes: how far it reaches along the unit vector n.
static inline double pair_reach(pair_kind kind, const double s[3], const double n[3])
{
    double across = hypot(n[0], n[1]);
    switch (kind) {
    case PAIR_SPHERE:
        return s[0];
    case PAIR_CAPSULE:
        return s[0] + 0.5 * s[1] * fabs(n[2]);
    case PAIR_CYLINDER:
        return s[0] * across + 0.5 * s[1] * fabs(n[2]);
    case PAIR_CONE:
        return fmax(0.5 * s[1] * n[2], s[0] * across - 0.5 * s[1] * n[2]);
    case PAIR_ELLIPSOID:
        return sqrt(s[0] * s[0] * n[0] * n[0] + s[1] * s[1] * n[1] * n[1] + s[2] * s[2] * n[2] * n[2]);
    case PAIR_BOX:
        return 0.5 * (s[0] * fabs(n[0]) + s[1] * fabs(n[1]) + s[2] * fabs(n[2]));
    default:
        return n[2] > 1.0 - 1e-15 ? 0.0 : INFINITY;
    }
}


// s(n) = n.(c_B - c_A) - h_A(n) - h_B(-n): for no n above the gap.
static inline double pair_separation(const pair *p, const double n[3])
{
    double own_a[3], own_b[3], down[3], d[3];
    rico_vec3_scale(-1.0, n, down);
    rico_quaternion_rotate_back(p->at_a.orientation, n, own_a);
    rico_quaternion_rotate_back(p->at_b.orientation, down, own_b);
    rico_vec3_subtract(p->at_b.position, p->at_a.position, d);
    return rico_vec3_dot(n, d) - pair_reach(p->a.kind, p->a.size, own_a) -
           pair_reach(p->b.kind, p->b.size, own_b);
}

#endif
