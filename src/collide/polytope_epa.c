// Polytopes in each other: the facet of their difference that is nearest to the origin, after van den Bergen (2001).
//
// A polytope with corners among those of the difference {b - a} grows around the origin, from the simplex that GJK ended on: the farthest corner of the
// difference along the normal of its nearest face is added until there is none beyond that face. A closed surface of triangles, each with the origin
// behind it, meets every ray from the origin, so the difference holds the ball whose radius is the least distance of a plane: no way out is shorter.
// That bound asks for no more than that the surface is closed; round-off in what a new corner sees cannot break it.

#include "collide/polytope.h"

#include "la/vec3.h"

#include <float.h>
#include <math.h>

enum { CORNERS = 28, TRIANGLES = 2 * CORNERS, RIM = 64 };

typedef struct triangle {
    int corner[3];
    double n[3], distance, noise; // unit normal, outwards; how well the distance is known
} triangle;

typedef struct growth {
    const rico_polytope_pair *pair;
    int corners, triangles, sides;
    int32_t a[CORNERS], b[CORNERS];
    double y[CORNERS][3];
    triangle triangle[TRIANGLES];
    int rim[RIM][2];
} growth;


// Adds the triangle i, j, k, against the clock seen from outside. False: flat, or the origin is not clearly behind it.
static bool add(growth *g, int i, int j, int k)
{
    if (g->triangles == TRIANGLES) return false;
    triangle *t = &g->triangle[g->triangles++];
    double u[3], w[3];
    *t = (triangle){.corner = {i, j, k}};
    rico_vec3_subtract(g->y[j], g->y[i], u);
    rico_vec3_subtract(g->y[k], g->y[i], w);
    rico_vec3_cross(u, w, t->n);
    double area = rico_vec3_norm(t->n), reach = rico_vec3_norm_inf(g->y[i]);
    if (!(area > 0.0)) return false;
    rico_vec3_scale(1.0 / area, t->n, t->n);
    t->distance = rico_vec3_dot(t->n, g->y[i]);
    // corners are known to round-off of the size, which turns a slender triangle more
    double turned = 3.0 * (rico_vec3_norm_inf(u) + rico_vec3_norm_inf(w)) / area;
    t->noise = 2.0 * DBL_EPSILON * g->pair->scale * (1.0 + 2.0 * turned * reach);
    return t->distance > t->noise;
}


static void add_corner(growth *g, int32_t i, int32_t j, const double y[3])
{
    g->a[g->corners] = i;
    g->b[g->corners] = j;
    rico_vec3_copy(y, g->y[g->corners]);
    g->corners++;
}


static bool start(growth *g, const rico_simplex *s)
{
    static const int FACE[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
    double u[3], w[3], d[3], n[3];
    for (int k = 0; k < 4; k++) add_corner(g, s->a[k], s->b[k], s->y[k]);
    rico_vec3_subtract(s->y[1], s->y[0], u);
    rico_vec3_subtract(s->y[2], s->y[0], w);
    rico_vec3_subtract(s->y[3], s->y[0], d);
    rico_vec3_cross(u, w, n);
    bool turn = rico_vec3_dot(n, d) > 0.0; // the last corner must be behind the first face
    for (int k = 0; k < 4; k++)
        if (!add(g, FACE[k][0], FACE[k][turn ? 2 : 1], FACE[k][turn ? 1 : 2])) return false;
    return true;
}


// A side of a triangle that goes: twice, and it is none of the rim around all of them.
static bool take_side(growth *g, int from, int to)
{
    for (int k = 0; k < g->sides; k++)
        if (g->rim[k][0] == to && g->rim[k][1] == from) {
            g->sides--;
            g->rim[k][0] = g->rim[g->sides][0];
            g->rim[k][1] = g->rim[g->sides][1];
            return true;
        }
    if (g->sides == RIM) return false;
    g->rim[g->sides][0] = from;
    g->rim[g->sides][1] = to;
    g->sides++;
    return true;
}


// Replaces all triangles that see the last corner from their outer side by those from their rim to it.
static bool cover(growth *g)
{
    int last = g->corners - 1;
    g->sides = 0;
    for (int k = 0; k < g->triangles;) {
        const triangle *t = &g->triangle[k];
        if (!(rico_vec3_dot(t->n, g->y[last]) > t->distance)) {
            k++;
            continue;
        }
        for (int i = 0; i < 3; i++)
            if (!take_side(g, t->corner[i], t->corner[(i + 1) % 3])) return false;
        g->triangle[k] = g->triangle[--g->triangles];
    }
    for (int k = 0; k < g->sides; k++)
        if (!add(g, g->rim[k][0], g->rim[k][1], last)) return false;
    return true;
}


// The facet by its three corners, and the ball without it.
static void finish(const growth *g, int best, rico_simplex *facet, double *depth)
{
    const triangle *t = &g->triangle[best];
    facet->count = 3;
    facet->apart = false;
    for (int k = 0; k < 3; k++) {
        facet->a[k] = g->a[t->corner[k]];
        facet->b[k] = g->b[t->corner[k]];
        rico_vec3_copy(g->y[t->corner[k]], facet->y[k]);
    }
    // from a to b, where a is left behind
    rico_vec3_scale(-1.0, t->n, facet->v);
    *depth = INFINITY;
    for (int k = 0; k < g->triangles; k++)
        if (k != best) *depth = fmin(*depth, g->triangle[k].distance - g->triangle[k].noise);
}


bool rico_polytope_epa(const rico_polytope_pair *pair, const rico_simplex *simplex, rico_simplex *facet,
                       double *depth)
{
    growth g; // larger than it is worth to clear
    g.pair = pair;
    g.corners = g.triangles = 0;
    if (!start(&g, simplex)) return false;
    for (;;) {
        int best = 0;
        for (int k = 1; k < g.triangles; k++)
            if (g.triangle[k].distance < g.triangle[best].distance) best = k;
        const triangle *t = &g.triangle[best];
        // the corner of {b - a} farthest along n: of a along -n, of b along n
        double back[3], x[3], y[3];
        rico_vec3_scale(-1.0, t->n, x);
        rico_pair_turn_back(pair, x, back);
        int32_t i = rico_polytope_support(pair->a, x, g.a[t->corner[0]]);
        int32_t j = rico_polytope_support(pair->b, back, g.b[t->corner[0]]);
        rico_pair_point(pair, j, y);
        rico_vec3_subtract(y, &pair->a->vertex[3 * i], y);
        if (!(rico_vec3_dot(t->n, y) > t->distance + t->noise)) {
            finish(&g, best, facet, depth);
            return true;
        }
        if (g.corners == CORNERS) return false;
        add_corner(&g, i, j, y);
        if (!cover(&g)) return false;
    }
}
