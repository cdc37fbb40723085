// Nearest points of two polytopes that are apart, after Gilbert, Johnson and Keerthi (1988).
//
// The difference {b - a} is convex; a simplex of at most four of its vertices walks towards the origin. Only the vertices it
// ends on are used: gap and normal are computed from them elsewhere.

#include "collide/polytope.h"

#include "la/vec3.h"

#include <math.h>

// The part of the simplex that holds the point nearest to the origin, by weights: how many are kept, and which.
typedef struct rico_part {
    int count, keep[4];
    double v[3], square;
} rico_part;


static void take(rico_part *best, const double v[3], int count, int k0, int k1, int k2)
{
    double square = rico_vec3_dot(v, v);
    if (!(square < best->square)) return;
    *best = (rico_part){count, {k0, k1, k2, 0}, {v[0], v[1], v[2]}, square};
}


// Each of the functions below offers the nearest point of a feature where the foot lies inside it; ends offer themselves.
static void try_point(const double y[4][3], int i, rico_part *best)
{
    take(best, y[i], 1, i, 0, 0);
}


static void try_segment(const double y[4][3], int i, int j, rico_part *best)
{
    double d[3], v[3];
    rico_vec3_subtract(y[j], y[i], d);
    double square = rico_vec3_dot(d, d), along = -rico_vec3_dot(y[i], d);
    if (!(along > 0.0 && along < square)) return;
    for (int k = 0; k < 3; k++) v[k] = y[i][k] + along / square * d[k];
    take(best, v, 2, i, j, 0);
}


static void try_triangle(const double y[4][3], int i, int j, int k, rico_part *best)
{
    double u[3], w[3], n[3], c[3], v[3];
    rico_vec3_subtract(y[j], y[i], u);
    rico_vec3_subtract(y[k], y[i], w);
    rico_vec3_cross(u, w, n);
    double square = rico_vec3_dot(n, n);
    if (!(square > 0.0)) return;
    // inside when each corner and the origin lie on the same side of the opposite edge
    const int corner[4] = {i, j, k, i};
    for (int side = 0; side < 3; side++) {
        double d[3];
        rico_vec3_subtract(y[corner[side + 1]], y[corner[side]], d);
        rico_vec3_cross(n, d, c);
        if (!(-rico_vec3_dot(c, y[corner[side]]) > 0.0)) return;
    }
    rico_vec3_scale(rico_vec3_dot(n, y[i]) / square, n, v);
    take(best, v, 3, i, j, k);
}


static bool holds_origin(const double y[4][3])
{
    for (int i = 0; i < 4; i++) {
        double u[3], w[3], d[3], n[3];
        const double *o = y[(i + 1) % 4];
        rico_vec3_subtract(y[(i + 2) % 4], o, u);
        rico_vec3_subtract(y[(i + 3) % 4], o, w);
        rico_vec3_subtract(y[i], o, d);
        rico_vec3_cross(u, w, n);
        double corner = rico_vec3_dot(n, d), origin = -rico_vec3_dot(n, o);
        // a weight between 0 and 1: that of a flat simplex, whose corner is round-off, is far above where the origin is off its plane
        if (corner == 0.0 || (corner > 0.0) != (origin > 0.0) || fabs(origin) > fabs(corner)) return false;
    }
    return true;
}


static rico_part nearest_part(const double y[4][3], int count)
{
    rico_part best = {.square = INFINITY};
    int last =
        count - 1; // the newest vertex: the nearest point lies on a part with it, but round-off may disagree
    if (count == 4 && holds_origin(y)) return (rico_part){.count = 4, .square = 0.0};
    for (int i = 0; i < count; i++) try_point(y, i, &best);
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++) try_segment(y, i, j, &best);
    for (int i = 0; i + 1 < last; i++)
        for (int j = i + 1; j < last; j++) try_triangle(y, i, j, last, &best);
    if (count == 4) try_triangle(y, 0, 1, 2, &best);
    return best;
}


static void reduce(rico_simplex *s, const rico_part *part)
{
    rico_simplex old = *s;
    s->count = part->count;
    for (int k = 0; k < part->count; k++) {
        int from = part->keep[k];
        s->a[k] = old.a[from];
        s->b[k] = old.b[from];
        rico_vec3_copy(old.y[from], s->y[k]);
    }
    rico_vec3_copy(part->v, s->v);
}


static void push(const rico_polytope_pair *pair, int32_t i, int32_t j, rico_simplex *s)
{
    double x[3];
    s->a[s->count] = i;
    s->b[s->count] = j;
    rico_pair_point(pair, j, x);
    rico_vec3_subtract(x, &pair->a->vertex[3 * i], s->y[s->count]);
    s->count++;
}


bool rico_polytope_gjk(const rico_polytope_pair *pair, double margin, rico_simplex *s)
{
    double back[3], touching = 1e-15 * pair->scale;
    rico_vec3_copy(pair->t, s->v);
    if (rico_vec3_dot(s->v, s->v) == 0.0) s->v[0] = 1.0;
    s->count = 0;
    s->apart = false;
    int32_t i = 0, j = 0;
    for (int round = 0; round < 64; round++) {
        rico_pair_turn_back(pair, s->v, back);
        i = rico_polytope_support(pair->a, s->v, i);
        j = rico_polytope_support(pair->b, back, j);
        for (int k = 0; k < s->count; k++)
            if (s->a[k] == i && s->b[k] == j) return s->apart = true;
        double square = rico_vec3_dot(s->v, s->v);
        push(pair, i, j, s);
        double reached = rico_vec3_dot(s->v, s->y[s->count - 1]);
        if (reached > 0.0 && reached * reached > margin * margin * square) return false;
        // the new vertex is no nearer than what the simplex has, within round-off
        if (s->count > 1 && square - reached <= 1e-16 * square) {
            s->count--;
            return s->apart = true;
        }
        rico_part part = nearest_part(s->y, s->count);
        if (part.count == 4) return true;
        if (s->count > 1 && part.square >= square) {
            s->count--;
            return s->apart = true;
        }
        reduce(s, &part);
        if (part.square <= touching * touching) return true; // directions come from faces and edges
    }
    return s->apart = true;
}
