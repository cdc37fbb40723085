// The normal at which two convex shapes are farthest apart, or deepest in each other: the lowest F over all pairs of pieces.
//
// Every candidate normal is judged by the support functions of the whole shapes, so that none can be taken that does not separate them
// as far as it says: a piece that does not reach farthest there only loses.

#include "collide/search.h"

#include <float.h>
#include <math.h>

typedef struct search {
    const rico_duo *duo;
    rico_found best;
    double slack; // less than this is no improvement
} search;


static double reach(const rico_duo *duo, const double n[3])
{
    return rico_side_reach(&duo->a, n) + rico_side_reach(&duo->b, n);
}


static void consider(search *s, const rico_piece *a, const rico_piece *b, const double start[3])
{
    double n[2][3];
    int count = rico_pieces_meet(a, b, start, n);
    for (int i = 0; i < count; i++) {
        double value = reach(s->duo, n[i]);
        if (!(value < s->best.value - s->slack)) continue;
        s->best.value = value;
        rico_vec3_copy(n[i], s->best.n);
        s->best.a = *a;
        s->best.b = *b;
    }
}


// Two sides or edges that run side by side have a whole circle in common, on which F is that of two points.
static void consider_parallel(search *s, const rico_piece *a, const rico_piece *b)
{
    double cross[3];
    rico_vec3_cross(a->u, b->u, cross);
    if (rico_vec3_dot(cross, cross) > 1e-12) return;
    rico_piece point = *b;
    point.type = RICO_PIECE_POINT;
    double n[2][3];
    if (!rico_pieces_meet(a, &point, s->best.n, n)) return;
    double value = reach(s->duo, n[0]);
    if (!(value < s->best.value - s->slack)) return;
    s->best.value = value;
    rico_vec3_copy(n[0], s->best.n);
    s->best.a = *a;
    s->best.b = *b;
}


// Starts around the circle of a ring, on which F can have two minima even of shapes that are apart.
static void around_ring(search *s, const rico_piece *ring, const rico_piece *a, const rico_piece *b)
{
    double e[3], f[3];
    rico_across(ring->u, e, f);
    for (int k = 0; k < 4; k++) {
        double start[3];
        rico_vec3_scale(k % 2 ? -1.0 : 1.0, k < 2 ? e : f, start);
        consider(s, a, b, start);
    }
}


// Shapes in each other: F has several minima on the sphere.
static void around_axes(search *s, const rico_piece *a, const rico_piece *b, const double middle[3])
{
    for (int k = 0; k < 6; k++) {
        double start[3];
        const double *R = k < 3 ? s->duo->a.R : s->duo->b.R;
        for (int i = 0; i < 3; i++) start[i] = R[3 * i + k % 3] + 0.1 * middle[i];
        if (rico_vec3_dot(start, middle) < 0.0) rico_vec3_scale(-1.0, start, start);
        if (rico_vec3_normalise(start)) consider(s, a, b, start);
    }
}


// One pair of pieces from as many starts as its kind asks for.
static void try_pair(search *s, const rico_piece *a, const rico_piece *b, const double middle[3])
{
    if (a->type == RICO_PIECE_RING && b->type == RICO_PIECE_RING) {
        consider_parallel(s, a, b);
        consider(s, a, b, middle);
        return;
    }
    const rico_piece *ring = a->type == RICO_PIECE_RING ? a : b->type == RICO_PIECE_RING ? b : NULL;
    const rico_piece *other = a->type == RICO_PIECE_RING ? b : a;
    bool closed = (a->type == RICO_PIECE_POINT && b->type != RICO_PIECE_ELLIPSOID) ||
                  (b->type == RICO_PIECE_POINT && a->type != RICO_PIECE_ELLIPSOID);
    consider(s, a, b, s->best.n);
    if (closed || (ring && other->type == RICO_PIECE_POINT)) return;
    consider(s, a, b, middle);
    if (ring)
        around_ring(s, ring, a, b);
    else if (s->best.value > 0.0)
        around_axes(s, a, b, middle);
}


static void against_round(search *s, const double middle[3])
{
    const rico_side *a = &s->duo->a, *b = &s->duo->b;
    for (int i = 0; i < a->count; i++)
        if (a->piece[i].type == RICO_PIECE_FACE) consider(s, &a->piece[i], &b->piece[b->count - 1], middle);
    for (int j = 0; j < b->count; j++)
        if (b->piece[j].type == RICO_PIECE_FACE) consider(s, &a->piece[a->count - 1], &b->piece[j], middle);
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++)
            if (a->piece[i].type != RICO_PIECE_FACE && b->piece[j].type != RICO_PIECE_FACE)
                try_pair(s, &a->piece[i], &b->piece[j], middle);
}


static void against_polytope(search *s, const double middle[3])
{
    const rico_side *a = &s->duo->a, *b = &s->duo->b;
    const rico_polytope *p = b->polytope;
    rico_piece piece, point;
    rico_polytope_vertex(b, 0, &point);
    for (int i = 0; i < a->count; i++)
        if (a->piece[i].type == RICO_PIECE_FACE) consider(s, &a->piece[i], &point, middle);
    for (int32_t k = 0; k < p->faces; k++) {
        rico_polytope_face(b, k, &piece);
        consider(s, &a->piece[a->count - 1], &piece, middle);
    }
    for (int32_t k = 0; k < p->edges; k++) {
        rico_polytope_edge(b, k, &piece);
        for (int i = 0; i < a->count; i++)
            if (a->piece[i].type != RICO_PIECE_FACE) try_pair(s, &a->piece[i], &piece, middle);
    }
    for (int32_t k = 0; k < p->vertices; k++) {
        rico_polytope_vertex(b, k, &piece);
        for (int i = 0; i < a->count; i++)
            if (a->piece[i].type != RICO_PIECE_FACE) try_pair(s, &a->piece[i], &piece, middle);
    }
}


void rico_search(const rico_duo *duo, rico_found *out)
{
    double middle[3];
    rico_vec3_scale(-1.0, duo->a.x, middle);
    if (!rico_vec3_normalise(middle)) rico_vec3_set(0.6, 0.64, 0.48, middle);
    search s = {.duo = duo, .slack = 2.0 * DBL_EPSILON * duo->size};
    s.best.value = INFINITY;
    rico_vec3_copy(middle, s.best.n);
    if (duo->b.polytope)
        against_polytope(&s, middle);
    else
        against_round(&s, middle);
    *out = s.best;
    out->gap = -s.best.value - duo->a.radius - duo->b.radius;
}
