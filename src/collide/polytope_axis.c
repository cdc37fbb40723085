// The direction in which two polytopes are farthest apart.
//
// s(n) = n.(c_B - c_A) - h_A(n) - h_B(-n) is piecewise, with one pair of vertices (a, b) on each piece, where it is n.(b - a). Where the polytopes
// overlap its largest value stands at a corner of the pieces: the normal of a face of A or B, or the cross product of two edges whose
// arcs of normals cross on the sphere. Where they are apart it may also stand inside a piece (n along b - a: two vertices) or on a side of one
// (a vertex and an edge); GJK finds those two features. Every candidate is judged by its own s(n), and named by its features.

#include "collide/polytope_feature.h"

#include "la/mat3.h"
#include "la/vec3.h"

#include <math.h>

// A candidate must be better than the one before it by this part of the size: ties go to faces, faces of A first, so that
// round-off does not choose.
static const double CLEARLY = 2e-15;

enum {
    BATCH = 64,     // edges that are turned in one go
    STAR_MOST = 24, // edges of one vertex that are looked at in one go
};


void rico_polytope_pair_set(rico_polytope_pair *pair, const rico_polytope *a, const rico_pose *A,
                            const rico_polytope *b, const rico_pose *B)
{
    double between[3], transposed[9];
    pair->a = a;
    pair->b = b;
    rico_vec3_subtract(B->x, A->x, between);
    rico_mat3_transpose_times(A->R, between, pair->t);
    rico_mat3_transpose(A->R, transposed);
    rico_mat3_multiply(transposed, B->R, pair->R);
    pair->scale = fmax(fmax(a->size, b->size), rico_vec3_norm_inf(pair->t));
}


// --- two boxes ---------------------------------------------------------------------------------------------------------

// The edge of a box along axis i at the vertex v.
static uint32_t box_edge(const rico_polytope *box, int i, int32_t v)
{
    int32_t low = v & ~(1 << i), high = v | 1 << i;
    for (int32_t k = box->star[low]; k < box->star[low + 1]; k++)
        if (box->neighbour[k] == high) return rico_edge_feature(box, box->star_edge[k]);
    return 0;
}


// s along n or -n, whichever is larger; n is turned to be that one.
static double box_gap(const rico_polytope_pair *pair, double n[3])
{
    const double *a = pair->a->half, *b = pair->b->half, *R = pair->R;
    double along = rico_vec3_dot(n, pair->t), reach = 0.0;
    for (int i = 0; i < 3; i++) {
        reach += fabs(n[i]) * a[i];
        reach += fabs(n[0] * R[i] + n[1] * R[3 + i] + n[2] * R[6 + i]) * b[i];
    }
    if (along < 0.0) rico_vec3_scale(-1.0, n, n);
    return fabs(along) - reach;
}


static bool box_faces(const rico_polytope_pair *pair, double margin, rico_axis *best)
{
    const rico_polytope *a = pair->a, *b = pair->b;
    const double *R = pair->R;
    for (int k = 0; k < 6; k++) {
        double n[3] = {0.0, 0.0, 0.0}, back[3];
        int i = k % 3;
        if (k < 3)
            n[i] = 1.0;
        else
            rico_vec3_set(R[i], R[3 + i], R[6 + i], n);
        double along = rico_vec3_dot(n, pair->t), gap = box_gap(pair, n);
        if (!(gap > best->gap + CLEARLY * pair->scale)) continue;
        best->gap = gap;
        rico_vec3_copy(n, best->normal);
        rico_pair_turn_back(pair, n, back);
        best->feature_a =
            k < 3 ? rico_face_feature(a, 2 * i + (along >= 0.0)) : (uint32_t)rico_polytope_support(a, n, 0);
        best->feature_b =
            k < 3 ? (uint32_t)rico_polytope_support(b, back, 0) : rico_face_feature(b, 2 * i + (along < 0.0));
        if (gap > margin) return false;
    }
    return true;
}


static bool box_edges(const rico_polytope_pair *pair, double margin, rico_axis *best)
{
    const rico_polytope *a = pair->a, *b = pair->b;
    const double *R = pair->R;
    for (int k = 0; k < 9; k++) {
        int i = k / 3, j = k % 3;
        // e_i x R_j
        double n[3], back[3];
        n[i] = 0.0;
        n[(i + 1) % 3] = -R[3 * ((i + 2) % 3) + j];
        n[(i + 2) % 3] = R[3 * ((i + 1) % 3) + j];
        double square = rico_vec3_dot(n, n);
        if (square < 1e-24) continue; // parallel to round-off: its arcs hold nothing that faces do not
        rico_vec3_scale(1.0 / sqrt(square), n, n);
        double gap = box_gap(pair, n);
        if (!(gap > best->gap + CLEARLY * pair->scale)) continue;
        best->gap = gap;
        rico_vec3_copy(n, best->normal);
        rico_pair_turn_back(pair, n, back);
        best->feature_a = box_edge(a, i, rico_polytope_support(a, n, 0));
        best->feature_b = box_edge(b, j, rico_polytope_support(b, back, 0));
        if (gap > margin) return false;
    }
    return true;
}


// --- any two -----------------------------------------------------------------------------------------------------------

// The normals of the two faces beside an edge of a; or of b, turned round, in the axes of a. And its direction.
static void arc_of(const rico_polytope_pair *pair, bool second, int32_t edge, double n[2][3],
                   double direction[3])
{
    const rico_polytope *p = second ? pair->b : pair->a;
    const int32_t *e = &p->edge[4 * edge];
    rico_vec3_subtract(&p->vertex[3 * e[1]], &p->vertex[3 * e[0]], direction);
    for (int side = 0; side < 2; side++) {
        rico_vec3_copy(&p->plane[4 * e[2 + side]], n[side]);
        if (!second) continue;
        rico_pair_turn(pair, n[side], n[side]);
        rico_vec3_scale(-1.0, n[side], n[side]);
    }
    if (second) rico_pair_turn(pair, direction, direction);
}


// How far n, across the edge, reaches along the middle of the edge's arc, but for a positive factor. The ends of the arc of a sharp edge, let alone
// of a triangle's two faces, add up to little or nothing; edge x (left - right) points along the middle, too, and is longest there.
static double along_middle(const double arc[2][3], const double edge[3], const double n[3])
{
    double d[3], middle[3];
    if (rico_vec3_dot(arc[0], arc[1]) > 0.0) return rico_vec3_dot(n, arc[0]) + rico_vec3_dot(n, arc[1]);
    rico_vec3_subtract(arc[0], arc[1], d);
    rico_vec3_cross(edge, d, middle);
    return rico_vec3_dot(n, middle);
}


// Whether two edges make a face of the difference of the polytopes: their arcs cross on the sphere, each between the other's ends. Then
// n is the crossing. Edges and arcs are at right angles, so the sides of the arcs' circles are the signs of dot products with the edges.
static bool arcs_cross(const double p[2][3], const double along_p[3], const double q[2][3],
                       const double along_q[3], double n[3])
{
    double p0 = rico_vec3_dot(p[0], along_q), p1 = rico_vec3_dot(p[1], along_q);
    if ((p0 > 0.0) == (p1 > 0.0)) return false;
    double q0 = rico_vec3_dot(q[0], along_p), q1 = rico_vec3_dot(q[1], along_p);
    if ((q0 > 0.0) == (q1 > 0.0)) return false;
    rico_vec3_cross(along_p, along_q, n);
    double square = rico_vec3_dot(n, n);
    double parallel = 1e-24 * rico_vec3_dot(along_p, along_p) * rico_vec3_dot(along_q, along_q);
    if (square <= parallel) return false;
    rico_vec3_scale(1.0 / sqrt(square), n, n);
    // round-off of a small cross product points anywhere, along the edges too: take that away
    rico_vec3_add_scaled(-rico_vec3_dot(along_p, n) / rico_vec3_dot(along_p, along_p), along_p, n);
    rico_vec3_normalise(n);
    // both arcs must lie on the same side of the sphere as the crossing, which has two ends
    double middle_p = along_middle(p, along_p, n), middle_q = along_middle(q, along_q, n);
    if ((middle_p > 0.0) != (middle_q > 0.0)) return false;
    if (middle_p < 0.0) rico_vec3_scale(-1.0, n, n);
    return true;
}


// s(n), climbing from the vertices i and j.
double rico_polytope_gap_along(const rico_polytope_pair *pair, const double n[3], int32_t i, int32_t j)
{
    double back[3], x[3];
    rico_pair_turn_back(pair, n, back);
    i = rico_polytope_support(pair->a, n, i);
    rico_pair_point(pair, rico_polytope_support(pair->b, back, j), x);
    rico_vec3_subtract(x, &pair->a->vertex[3 * i], x);
    return rico_vec3_dot(n, x);
}


// Looks at face f of a (or of b): its normal as a direction.
static void try_face(const rico_polytope_pair *pair, bool second, int32_t f, int32_t *other, rico_axis *best)
{
    const rico_polytope *p = second ? pair->b : pair->a, *q = second ? pair->a : pair->b;
    const double *plane = &p->plane[4 * f];
    double n[3], x[3], gap;
    if (second) {
        rico_pair_turn(pair, plane, n);
        rico_vec3_scale(-1.0, n, n);
        *other = rico_polytope_support(q, n, *other);
        // n.(b - a) with b on the face: measured in b's axes from its plane
        double a[3], own[3];
        rico_vec3_subtract(&q->vertex[3 * *other], pair->t, a);
        rico_mat3_transpose_times(pair->R, a, own);
        gap = rico_vec3_dot(plane, own) - plane[3];
    } else {
        rico_vec3_copy(plane, n);
        rico_pair_turn_back(pair, n, x);
        *other = rico_polytope_support(q, x, *other);
        rico_pair_point(pair, *other, x);
        gap = rico_vec3_dot(n, x) - plane[3];
    }
    if (!(gap > best->gap + CLEARLY * pair->scale)) return;
    best->gap = gap;
    rico_vec3_copy(n, best->normal);
    best->feature_a = second ? (uint32_t)*other : rico_face_feature(pair->a, f);
    best->feature_b = second ? rico_face_feature(pair->b, f) : (uint32_t)*other;
}


static void try_edges(const rico_polytope_pair *pair, int32_t e, const double p[2][3],
                      const double along_p[3], int32_t g, const double q[2][3], const double along_q[3],
                      rico_axis *best)
{
    double n[3], between[3];
    if (!arcs_cross(p, along_p, q, along_q, n)) return;
    rico_pair_point(pair, pair->b->edge[4 * g], between);
    rico_vec3_subtract(between, &pair->a->vertex[3 * pair->a->edge[4 * e]], between);
    // edges that are nearly parallel give a direction full of round-off: it counts for what it is along its own supports
    double gap = rico_vec3_dot(n, between);
    if (!(gap > best->gap + CLEARLY * pair->scale)) return;
    gap = fmin(gap, rico_polytope_gap_along(pair, n, pair->a->edge[4 * e], pair->b->edge[4 * g]));
    if (!(gap > best->gap + CLEARLY * pair->scale)) return;
    best->gap = gap;
    rico_vec3_copy(n, best->normal);
    best->feature_a = rico_edge_feature(pair->a, e);
    best->feature_b = rico_edge_feature(pair->b, g);
}


bool rico_polytope_arcs(const rico_polytope_pair *pair, int32_t e, int32_t g, rico_axis *out)
{
    double p[2][3], along_p[3], q[2][3], along_q[3], between[3];
    arc_of(pair, false, e, p, along_p);
    arc_of(pair, true, g, q, along_q);
    if (!arcs_cross(p, along_p, q, along_q, out->normal)) return false;
    rico_pair_point(pair, pair->b->edge[4 * g], between);
    rico_vec3_subtract(between, &pair->a->vertex[3 * pair->a->edge[4 * e]], between);
    out->gap = rico_vec3_dot(out->normal, between);
    out->feature_a = rico_edge_feature(pair->a, e);
    out->feature_b = rico_edge_feature(pair->b, g);
    return true;
}


bool rico_polytope_axis_among_all(const rico_polytope_pair *pair, double margin, rico_axis *best)
{
    int32_t hint = 0;
    best->gap = -INFINITY;
    for (int32_t f = 0; f < pair->a->faces; f++) {
        try_face(pair, false, f, &hint, best);
        if (best->gap > margin) return false;
    }
    hint = 0;
    for (int32_t f = 0; f < pair->b->faces; f++) {
        try_face(pair, true, f, &hint, best);
        if (best->gap > margin) return false;
    }
    // edges of b are turned a batch at a time
    for (int32_t first = 0; first < pair->b->edges; first += BATCH) {
        double q[BATCH][2][3], along_q[BATCH][3];
        int32_t count = pair->b->edges - first < BATCH ? pair->b->edges - first : BATCH;
        for (int32_t k = 0; k < count; k++) arc_of(pair, true, first + k, q[k], along_q[k]);
        for (int32_t e = 0; e < pair->a->edges; e++) {
            double p[2][3], along_p[3];
            arc_of(pair, false, e, p, along_p);
            for (int32_t k = 0; k < count; k++)
                try_edges(pair, e, p, along_p, first + k, q[k], along_q[k], best);
        }
        if (best->gap > margin) return false;
    }
    return true;
}


void rico_polytope_axis_climb(const rico_polytope_pair *pair, int32_t i, int32_t j, rico_axis *best)
{
    const rico_polytope *a = pair->a, *b = pair->b;
    for (int round = 0; round < 32; round++) {
        double before = best->gap;
        double q[STAR_MOST][2][3], along_q[STAR_MOST][3];
        int32_t hint = j, count = 0;
        // faces around the vertex of a, then those around the vertex of b
        for (int32_t k = a->star[i]; k < a->star[i + 1]; k++) {
            const int32_t *e = &a->edge[4 * a->star_edge[k]];
            try_face(pair, false, e[0] == i ? e[2] : e[3], &hint, best);
        }
        hint = i;
        for (int32_t k = b->star[j]; k < b->star[j + 1]; k++) {
            const int32_t *e = &b->edge[4 * b->star_edge[k]];
            try_face(pair, true, e[0] == j ? e[2] : e[3], &hint, best);
            if (count < STAR_MOST) {
                arc_of(pair, true, b->star_edge[k], q[count], along_q[count]);
                count++;
            }
        }
        for (int32_t k = a->star[i]; k < a->star[i + 1]; k++) {
            double p[2][3], along_p[3];
            arc_of(pair, false, a->star_edge[k], p, along_p);
            for (int32_t m = 0; m < count; m++)
                try_edges(pair, a->star_edge[k], p, along_p, b->star_edge[b->star[j] + m], q[m], along_q[m],
                          best);
        }
        if (!(best->gap > before)) return;
        double back[3];
        rico_pair_turn_back(pair, best->normal, back);
        i = rico_polytope_support(a, best->normal, i);
        j = rico_polytope_support(b, back, j);
    }
}


// --- two boxes that are apart ------------------------------------------------------------------------------------------

// Whether the vertex of the axis lies in its face, seen along the normal: then no other direction is better.
static bool face_settles(const rico_polytope_pair *pair, const rico_axis *axis)
{
    int32_t f, v;
    bool second = rico_feature_rank(pair->b, axis->feature_b, &f) == 2;
    const rico_polytope *p = second ? pair->b : pair->a;
    double x[3], own[3];
    if (second) {
        rico_vec3_subtract(&pair->a->vertex[3 * axis->feature_a], pair->t, x);
        rico_mat3_transpose_times(pair->R, x, own);
    } else {
        if (rico_feature_rank(pair->a, axis->feature_a, &f) != 2) return false;
        rico_feature_rank(pair->b, axis->feature_b, &v);
        rico_pair_point(pair, v, own);
    }
    for (int32_t k = p->loop[f]; k < p->loop[f + 1]; k++) {
        const int32_t *e = &p->edge[4 * p->loop_edge[k]];
        const double *from = &p->vertex[3 * e[0]];
        double d[3], to[3], out[3];
        rico_vec3_subtract(&p->vertex[3 * e[1]], from, d);
        rico_vec3_subtract(own, from, to);
        rico_vec3_cross(d, &p->plane[4 * f], out);
        if ((e[2] == f ? 1.0 : -1.0) * rico_vec3_dot(out, to) > 0.0) return false;
    }
    return true;
}


static bool box_axis(const rico_polytope_pair *pair, double margin, rico_axis *out)
{
    if (!box_faces(pair, margin, out) || !box_edges(pair, margin, out)) return false;
    // apart, but along a direction that may not be the best
    if (out->gap <= 0.0 || face_settles(pair, out)) return true;
    rico_simplex simplex;
    if (!rico_polytope_gjk(pair, margin, &simplex)) return false;
    if (simplex.apart) rico_polytope_apart(pair, &simplex, out);
    return out->gap <= margin;
}


// --- overlapping ---------------------------------------------------------------------------------------------------------

// A point of both polytopes, from a simplex of their difference that holds the origin, in the axes of a.
static bool common_point(const rico_polytope_pair *pair, const rico_simplex *s, double w[3])
{
    double weight[4], total = 0.0;
    for (int k = 0; k < 4; k++) {
        double c[3];
        rico_vec3_cross(s->y[(k + 1) % 4], s->y[(k + 2) % 4], c);
        weight[k] = fabs(rico_vec3_dot(c, s->y[(k + 3) % 4]));
        total += weight[k];
    }
    if (!(total > 0.0)) return false;
    rico_vec3_set(0.0, 0.0, 0.0, w);
    for (int k = 0; k < 4; k++) rico_vec3_add_scaled(weight[k] / total, &pair->a->vertex[3 * s->a[k]], w);
    return true;
}


// The edges beside a face whose plane is nearer to w (in p's axes) than `depth`; -1: more than there is room for.
static int32_t edges_near(const rico_polytope *p, const double w[3], double depth, int32_t list[BATCH])
{
    int32_t count = 0;
    for (int32_t e = 0; e < p->edges; e++) {
        const double *left = &p->plane[4 * p->edge[4 * e + 2]], *right = &p->plane[4 * p->edge[4 * e + 3]];
        if (left[3] - rico_vec3_dot(left, w) > depth && right[3] - rico_vec3_dot(right, w) > depth) continue;
        if (count == BATCH) return -1;
        list[count++] = e;
    }
    return count;
}


// Among those features alone that can be the best. With w in both polytopes, h_A(n) - n.w and h_B(-n) + n.w are not negative and add up to
// -s(n): a direction better than -depth leaves less than `depth` between w and the support of each. On the arc of an edge that is no less than
// the smaller of its ends, which are the distances of w from the planes beside it.
static bool axis_around(const rico_polytope_pair *pair, const double w[3], rico_axis *best)
{
    const rico_polytope *a = pair->a, *b = pair->b;
    double own[3], nearest = INFINITY, slack = 1e-12 * pair->scale;
    int32_t of_a[BATCH], of_b[BATCH], hint = 0, start = 0, index;
    rico_vec3_subtract(w, pair->t, own);
    rico_mat3_transpose_times(pair->R, own, own);
    // the face of a nearest to w is a start
    for (int32_t f = 0; f < a->faces; f++) {
        double distance = a->plane[4 * f + 3] - rico_vec3_dot(&a->plane[4 * f], w);
        if (distance < nearest) nearest = distance, start = f;
    }
    best->gap = -INFINITY;
    try_face(pair, false, start, &hint, best);
    rico_feature_rank(b, best->feature_b, &index);
    rico_polytope_axis_climb(pair, a->loop_vertex[a->loop[start]], index, best);
    for (int32_t f = 0; f < a->faces; f++)
        if (a->plane[4 * f + 3] - rico_vec3_dot(&a->plane[4 * f], w) <= slack - best->gap)
            try_face(pair, false, f, &hint, best);
    hint = 0;
    for (int32_t f = 0; f < b->faces; f++)
        if (b->plane[4 * f + 3] - rico_vec3_dot(&b->plane[4 * f], own) <= slack - best->gap)
            try_face(pair, true, f, &hint, best);
    int32_t count_a = edges_near(a, w, slack - best->gap, of_a);
    int32_t count_b = edges_near(b, own, slack - best->gap, of_b);
    if (count_a < 0 || count_b < 0) return false;
    double q[BATCH][2][3], along_q[BATCH][3];
    for (int32_t k = 0; k < count_b; k++) arc_of(pair, true, of_b[k], q[k], along_q[k]);
    for (int32_t e = 0; e < count_a; e++) {
        double p[2][3], along_p[3];
        arc_of(pair, false, of_a[e], p, along_p);
        for (int32_t k = 0; k < count_b; k++)
            try_edges(pair, of_a[e], p, along_p, of_b[k], q[k], along_q[k], best);
    }
    return true;
}


// How many different vertices there are among those of a simplex on one side, which come first in `list`.
static int distinct(const int32_t *vertex, int count, int32_t list[4])
{
    int kinds = 0;
    for (int k = 0; k < count; k++) {
        int j = 0;
        while (j < kinds && list[j] != vertex[k]) j++;
        if (j == kinds) list[kinds++] = vertex[k];
    }
    return kinds;
}


// The edge between two vertices, or the face with three of them; -1: none.
static int32_t edge_of(const rico_polytope *p, const int32_t v[2])
{
    for (int32_t k = p->star[v[0]]; k < p->star[v[0] + 1]; k++)
        if (p->neighbour[k] == v[1]) return p->star_edge[k];
    return -1;
}


static int32_t face_of(const rico_polytope *p, const int32_t v[3])
{
    for (int32_t k = p->star[v[0]]; k < p->star[v[0] + 1]; k++) {
        const int32_t *e = &p->edge[4 * p->star_edge[k]];
        int32_t f = e[0] == v[0] ? e[2] : e[3], found = 0;
        for (int32_t j = p->loop[f]; j < p->loop[f + 1]; j++)
            found += p->loop_vertex[j] == v[1] || p->loop_vertex[j] == v[2];
        if (found == 2) return f;
    }
    return -1;
}


// The axis of a face and a vertex, or of two edges, by their vertices.
static void name_facet(const rico_polytope_pair *pair, const rico_simplex *simplex, rico_axis *out)
{
    int32_t a[4], b[4];
    int of_a = distinct(simplex->a, simplex->count, a), of_b = distinct(simplex->b, simplex->count, b);
    if (of_a == 3 && of_b == 1) {
        int32_t f = face_of(pair->a, a);
        if (f >= 0) try_face(pair, false, f, &b[0], out);
    } else if (of_a == 1 && of_b == 3) {
        int32_t f = face_of(pair->b, b);
        if (f >= 0) try_face(pair, true, f, &a[0], out);
    } else if (of_a == 2 && of_b == 2) {
        int32_t e = edge_of(pair->a, a), g = edge_of(pair->b, b);
        double p[2][3], along_p[3], q[2][3], along_q[3];
        if (e < 0 || g < 0) return;
        arc_of(pair, false, e, p, along_p);
        arc_of(pair, true, g, q, along_q);
        try_edges(pair, e, p, along_p, g, q, along_q, out);
    }
}


// What GJK ended on, of polytopes apart: proven where s(n) comes up to the length between its points.
static bool try_simplex(const rico_polytope_pair *pair, const rico_simplex *simplex, rico_axis *out)
{
    name_facet(pair, simplex, out);
    return out->gap >= rico_vec3_norm(simplex->v) - CLEARLY * pair->scale;
}


static void axis_apart(const rico_polytope_pair *pair, const rico_simplex *simplex, rico_axis *out)
{
    double back[3];
    if (try_simplex(pair, simplex, out) || rico_polytope_apart_by_points(pair, simplex, out)) return;
    rico_pair_turn_back(pair, simplex->v, back);
    int32_t i = rico_polytope_support(pair->a, simplex->v, simplex->a[0]);
    int32_t j = rico_polytope_support(pair->b, back, simplex->b[0]);
    rico_polytope_axis_climb(pair, i, j, out);
    rico_polytope_apart(pair, simplex, out);
}


// In each other: the nearest facet of the difference, if it is proven. Where other features have its direction, too, their order decides.
static bool axis_inside(const rico_polytope_pair *pair, const rico_simplex *simplex, rico_axis *out)
{
    rico_simplex facet;
    double depth;
    if (!rico_polytope_epa(pair, simplex, &facet, &depth)) return false;
    name_facet(pair, &facet, out);
    if (!(out->gap > -INFINITY) || !rico_polytope_lone(pair, out)) {
        out->gap = -INFINITY;
        rico_polytope_axis_climb(pair, facet.a[0], facet.b[0], out);
    }
    // no point of the facet is nearer than its corners are along the normal
    for (int k = 0; k < 3; k++) depth = fmin(depth, -rico_vec3_dot(out->normal, facet.y[k]));
    return -out->gap <= depth + CLEARLY * pair->scale;
}


bool rico_polytope_axis(const rico_polytope_pair *pair, double margin, rico_axis *out)
{
    out->gap = -INFINITY;
    if (pair->a->half[0] > 0.0 && pair->b->half[0] > 0.0) return box_axis(pair, margin, out);
    rico_simplex simplex;
    if (!rico_polytope_gjk(pair, margin, &simplex)) return false;
    if (simplex.apart) {
        axis_apart(pair, &simplex, out);
        return out->gap <= margin;
    }
    if (simplex.count < 4) {
        // they touch, and no direction says more than that: one that says as much is the best
        rico_polytope_axis_climb(pair, simplex.a[0], simplex.b[0], out);
        if (out->gap >= -CLEARLY * pair->scale) return out->gap <= margin;
    } else if (axis_inside(pair, &simplex, out)) {
        return true;
    }
    out->gap = -INFINITY;
    double w[3];
    if (!(simplex.count == 4 && common_point(pair, &simplex, w) && axis_around(pair, w, out)))
        rico_polytope_axis_among_all(pair, INFINITY, out);
    // apart after all: a flat simplex, or one that touches the origin to round-off, does not tell
    if (out->gap > 0.0) {
        rico_vec3_set(INFINITY, 0.0, 0.0, simplex.v);
        rico_polytope_apart(pair, &simplex, out);
    }
    return out->gap <= margin;
}
