// The direction of two polytopes that are apart, where it may stand between vertices and edges.
//
// With points x of A and y of B, s(n) <= distance <= |y - x| for every n: a direction whose s(n) comes up to the length between two such points
// is the best of all, and these are the nearest points. So features are tried, those that GJK ended on first, until one is proven
// by this; a tie that misleads GJK costs time and nothing else.

#include "collide/polytope_feature.h"

#include "la/vec3.h"

#include <math.h>

// Lengths and s(n) are known to this part of the size.
static const double NOISE = 2e-15;

// Nearer than this, directions that differ by much have the same s(n) to round-off.
static const double NEAR = 1e-9;

// The sine of an angle that no round-off makes up.
static const double CLEAR = 1e-6;

enum { AROUND_MOST = 24 }; // neighbours of one vertex that are looked at

typedef struct rico_apart {
    const rico_polytope_pair *pair;
    rico_axis *best;
    double judged; // s along its normal
    double upper;  // the smallest length between points of both
    double noise;
    int32_t a, b; // where to climb from
    bool points;  // the best is between vertices and edges
} rico_apart;


static bool proven(const rico_apart *it)
{
    return it->judged >= it->upper - it->noise;
}


// Takes two features between whose points n runs, if they are the nearest and better than the best.
static void take(rico_apart *it, const rico_touch *touch, uint32_t feature_a, uint32_t feature_b)
{
    double judged = rico_polytope_gap_along(it->pair, touch->normal, it->a, it->b), turned[3];
    if (!(judged >= touch->gap - 2.0 * it->noise)) return;
    if (it->points) {
        if (!(judged > it->judged)) return;
    } else {
        // a face or two edges that point the same way, as far as two points can tell, are the better name
        rico_vec3_subtract(touch->normal, it->best->normal, turned);
        if (!(judged > it->judged - it->noise) || rico_vec3_norm(turned) * touch->gap <= 0.5 * it->noise)
            return;
    }
    it->judged = judged;
    it->points = true;
    it->best->gap = touch->gap;
    rico_vec3_copy(touch->normal, it->best->normal);
    it->best->feature_a = feature_a;
    it->best->feature_b = feature_b;
}


// Whether the foot of a point on an edge stands between its ends, up to `slack`; `on` is in the axes of a.
static bool on_edge(const rico_polytope_pair *pair, bool second, int32_t edge, const double on[3],
                    double slack)
{
    const rico_polytope *p = second ? pair->b : pair->a;
    const int32_t *e = &p->edge[4 * edge];
    double from[3], to[3], d[3];
    if (second) {
        rico_pair_point(pair, e[0], from);
        rico_pair_point(pair, e[1], to);
    } else {
        rico_vec3_copy(&p->vertex[3 * e[0]], from);
        rico_vec3_copy(&p->vertex[3 * e[1]], to);
    }
    rico_vec3_subtract(to, from, to);
    rico_vec3_subtract(on, from, d);
    double length = rico_vec3_norm(to), at = rico_vec3_dot(d, to) / length;
    return at >= -slack && at <= length + slack;
}


// Two vertices, or a vertex and an edge.
static void try_features(rico_apart *it, uint32_t feature_a, uint32_t feature_b)
{
    const rico_polytope_pair *pair = it->pair;
    rico_touch touch;
    int32_t i, j;
    if (!rico_feature_touch(pair, feature_a, feature_b, it->best->normal, &touch)) return;
    touch.gap = fabs(touch.gap);
    if (!(touch.gap <= it->upper + it->noise)) return;
    if (rico_feature_rank(pair->a, feature_a, &i) == 1 && !on_edge(pair, false, i, touch.on_a, it->noise))
        return;
    if (rico_feature_rank(pair->b, feature_b, &j) == 1 && !on_edge(pair, true, j, touch.on_b, it->noise))
        return;
    it->upper = fmin(it->upper, touch.gap);
    // from a to b, whatever the hint said
    double d[3];
    rico_vec3_subtract(touch.on_b, touch.on_a, d);
    if (rico_vec3_dot(d, touch.normal) < 0.0) rico_vec3_scale(-1.0, touch.normal, touch.normal);
    take(it, &touch, feature_a, feature_b);
}


// --- what GJK ended on -------------------------------------------------------------------------------------------------

// The edge between two vertices; -1: none.
static int32_t edge_between(const rico_polytope *p, int32_t v, int32_t w)
{
    for (int32_t k = p->star[v]; k < p->star[v + 1]; k++)
        if (p->neighbour[k] == w) return p->star_edge[k];
    return -1;
}


// A vertex or an edge from the vertices of a simplex on one side; false: more than that.
static bool small_feature(const rico_polytope *p, const int32_t *vertex, int count, uint32_t *feature,
                          bool *is_edge)
{
    int32_t v = vertex[0], w = -1;
    for (int k = 1; k < count; k++) {
        if (vertex[k] == v || vertex[k] == w) continue;
        if (w >= 0) return false;
        w = vertex[k];
    }
    *is_edge = w >= 0;
    *feature = (uint32_t)v;
    if (!*is_edge) return true;
    int32_t edge = edge_between(p, v, w);
    if (edge >= 0) *feature = rico_edge_feature(p, edge);
    return edge >= 0;
}


// The features that GJK ended on; of edges that run side by side one by its end that stands beside the other.
static void try_simplex(rico_apart *it, const rico_simplex *simplex)
{
    uint32_t feature_a, feature_b;
    bool edge_a, edge_b;
    if (!small_feature(it->pair->a, simplex->a, simplex->count, &feature_a, &edge_a) ||
        !small_feature(it->pair->b, simplex->b, simplex->count, &feature_b, &edge_b))
        return;
    if (!edge_a || !edge_b) {
        try_features(it, feature_a, feature_b);
        return;
    }
    for (int k = 0; k < 2; k++) {
        const int32_t *e = &it->pair->a->edge[4 * ((int32_t)feature_a - it->pair->a->vertices)];
        const int32_t *g = &it->pair->b->edge[4 * ((int32_t)feature_b - it->pair->b->vertices)];
        try_features(it, (uint32_t)e[k], feature_b);
        try_features(it, feature_a, (uint32_t)g[k]);
    }
}


// So near that s(n) no longer tells normals apart that the points still do: each vertex and edge of the simplex.
static void try_parts(rico_apart *it, const rico_simplex *simplex)
{
    const rico_polytope *a = it->pair->a, *b = it->pair->b;
    for (int i = 0; i < simplex->count; i++)
        for (int j = 0; j < simplex->count; j++) {
            try_features(it, (uint32_t)simplex->a[i], (uint32_t)simplex->b[j]);
            for (int k = 0; k < i; k++) {
                int32_t e = edge_between(a, simplex->a[k], simplex->a[i]);
                if (e >= 0) try_features(it, rico_edge_feature(a, e), (uint32_t)simplex->b[j]);
            }
            for (int k = 0; k < j; k++) {
                int32_t g = edge_between(b, simplex->b[k], simplex->b[j]);
                if (g >= 0) try_features(it, (uint32_t)simplex->a[i], rico_edge_feature(b, g));
            }
        }
}


// --- what else there is ------------------------------------------------------------------------------------------------

// Every vertex of one list against the vertices of the other and the edges that begin there.
static void try_lists(rico_apart *it, const int32_t *of_a, int32_t count_a, const int32_t *of_b,
                      int32_t count_b)
{
    const rico_polytope *a = it->pair->a, *b = it->pair->b;
    for (int32_t m = 0; m < count_a; m++)
        for (int32_t n = 0; n < count_b; n++) {
            int32_t i = of_a ? of_a[m] : m, j = of_b ? of_b[n] : n;
            try_features(it, (uint32_t)i, (uint32_t)j);
            for (int32_t k = a->star[i]; k < a->star[i + 1]; k++)
                if (a->edge[4 * a->star_edge[k]] == i || of_a)
                    try_features(it, rico_edge_feature(a, a->star_edge[k]), (uint32_t)j);
            for (int32_t k = b->star[j]; k < b->star[j + 1]; k++)
                if (b->edge[4 * b->star_edge[k]] == j || of_b)
                    try_features(it, (uint32_t)i, rico_edge_feature(b, b->star_edge[k]));
        }
}


static int32_t vertices_around(const rico_polytope *p, int32_t v, int32_t list[AROUND_MOST + 1])
{
    int32_t count = 0;
    list[count++] = v;
    for (int32_t k = p->star[v]; k < p->star[v + 1] && count <= AROUND_MOST; k++)
        list[count++] = p->neighbour[k];
    return count;
}


// To the vertices that the best direction ends on.
static void climb(rico_apart *it)
{
    double back[3];
    rico_pair_turn_back(it->pair, it->best->normal, back);
    it->a = rico_polytope_support(it->pair->a, it->best->normal, it->a);
    it->b = rico_polytope_support(it->pair->b, back, it->b);
}


// Around the vertices that the best direction ends on, as long as that helps.
static void search_around(rico_apart *it)
{
    for (int round = 0; round < 8 && !proven(it); round++) {
        int32_t of_a[AROUND_MOST + 1], of_b[AROUND_MOST + 1];
        double before = it->judged;
        climb(it);
        int32_t count_a = vertices_around(it->pair->a, it->a, of_a);
        int32_t count_b = vertices_around(it->pair->b, it->b, of_b);
        try_lists(it, of_a, count_a, of_b, count_b);
        if (!(it->judged > before)) return;
    }
}


// --- features that are alone ---------------------------------------------------------------------------------------------

// Whether all edges at a vertex lead back from n, in p's own axes, by more than any round-off, but the edge `own`.
static bool leads_back(const rico_polytope *p, int32_t vertex, int32_t own, const double n[3])
{
    const double *x = &p->vertex[3 * vertex];
    for (int32_t k = p->star[vertex]; k < p->star[vertex + 1]; k++) {
        double d[3];
        if (p->star_edge[k] == own) continue;
        rico_vec3_subtract(&p->vertex[3 * p->neighbour[k]], x, d);
        double along = rico_vec3_dot(n, d);
        if (!(along < 0.0 && along * along > CLEAR * CLEAR * rico_vec3_dot(d, d))) return false;
    }
    return true;
}


static bool alone(const rico_polytope *p, uint32_t feature, const double n[3])
{
    int32_t k;
    int rank = rico_feature_rank(p, feature, &k);
    if (rank == 0) return leads_back(p, k, -1, n);
    // of a face the other side's vertex tells
    if (rank == 2) return true;
    return leads_back(p, p->edge[4 * k], k, n) && leads_back(p, p->edge[4 * k + 1], k, n);
}


bool rico_polytope_lone(const rico_polytope_pair *pair, const rico_axis *axis)
{
    double back[3];
    rico_pair_turn_back(pair, axis->normal, back);
    return alone(pair->a, axis->feature_a, axis->normal) && alone(pair->b, axis->feature_b, back);
}


bool rico_polytope_apart_by_points(const rico_polytope_pair *pair, const rico_simplex *simplex,
                                   rico_axis *best)
{
    rico_axis found = {.gap = -INFINITY};
    rico_apart it = {pair,          &found,        -INFINITY, rico_vec3_norm(simplex->v), NOISE * pair->scale,
                     simplex->a[0], simplex->b[0], true};
    if (simplex->count > 2 || !(it.upper > NEAR * pair->scale)) return false;
    rico_vec3_copy(simplex->v, found.normal);
    try_simplex(&it, simplex);
    if (!proven(&it) || !rico_polytope_lone(pair, &found)) return false;
    *best = found;
    return true;
}


void rico_polytope_apart(const rico_polytope_pair *pair, const rico_simplex *simplex, rico_axis *best)
{
    rico_apart it = {pair,          best,          best->gap, rico_vec3_norm(simplex->v), NOISE * pair->scale,
                     simplex->a[0], simplex->b[0], false};
    try_simplex(&it, simplex);
    if (!it.points && it.upper < NEAR * pair->scale) {
        try_parts(&it, simplex);
        climb(&it);
        try_lists(&it, &it.a, 1, &it.b, 1);
    }
    if (proven(&it)) return;
    search_around(&it);
    if (proven(&it)) return;
    // everything: what GJK says of the length may be what misleads
    it.upper = INFINITY;
    rico_axis all;
    rico_polytope_axis_among_all(pair, INFINITY, &all);
    if (all.gap > it.judged) {
        *best = all;
        it.judged = all.gap;
        it.points = false;
    }
    try_lists(&it, NULL, pair->a->vertices, NULL, pair->b->vertices);
}
