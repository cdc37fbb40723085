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
    double slack;   // less than this is no improvement
    rico_near near; // what can be better
    bool fits;      // the pieces of the best reach farthest at its normal
    bool brief;     // from one start each
} search;


static double reach(const rico_duo *duo, const double n[3])
{
    return rico_side_reach(&duo->a, n) + rico_side_reach(&duo->b, n);
}


// Takes a candidate that is better, or as good and, unlike the best so far, on pieces that do reach farthest: parallel edges share normals.
static bool take(search *s, const rico_piece *a, const rico_piece *b, const double n[3])
{
    double value = reach(s->duo, n);
    if (!(value < s->best.value + s->slack)) return false;
    bool face = a->type == RICO_PIECE_FACE || b->type == RICO_PIECE_FACE;
    bool fits = face || rico_piece_reach(a, n) + rico_piece_reach(b, n) >= value - 8.0 * s->slack;
    if (!(value < s->best.value - s->slack) && !(fits && !s->fits)) return false;
    s->fits = fits;
    s->best.proven = false;
    s->best.value = value;
    rico_vec3_copy(n, s->best.n);
    s->best.a = *a;
    s->best.b = *b;
    return true;
}


static bool consider(search *s, const rico_piece *a, const rico_piece *b, const double start[3])
{
    double n[2][3];
    int count = rico_pieces_meet(a, b, start, s->best.value + s->slack, n);
    bool better = false;
    for (int i = 0; i < count; i++) better |= take(s, a, b, n[i]);
    return better;
}


// Whether F of a piece of a and an edge of the polytope b is above `limit` on all of the arc of the edge's normals. On a part of the arc, n.w is a sinusoid, with
// w from one to the other: concave where it is positive, and where it is not, no lower than its lower end over the cosine of half the part. What a disc adds, r
// sqrt(1 - m^2), is least where m = n.u is largest, which is one, too.
static bool above_on_arc(const rico_duo *duo, const rico_piece *a, const rico_piece *edge, double limit)
{
    enum { PARTS = 4 };
    const double *left = edge->beside[0], *right = edge->beside[1], *size = duo->a.shape->size;
    double w[3], c = rico_vec3_dot(left, right), sign = duo->b.sign, add = 0.0;
    if (c < -0.9) return false;
    rico_vec3_add(a->p, edge->p, w);
    double wl = sign * rico_vec3_dot(left, w), wr = sign * rico_vec3_dot(right, w);
    double ul = rico_vec3_dot(left, a->u), ur = rico_vec3_dot(right, a->u);
    if (a->type == RICO_PIECE_RING) add = a->r;
    if (a->type == RICO_PIECE_ELLIPSOID) add = fmin(size[0], fmin(size[1], size[2]));
    double w0 = wl, u0 = ul, n0 = 1.0;
    for (int k = 1; k <= PARTS; k++) {
        double t = (double)k / PARTS, f = 1.0 - t, norm = sqrt(f * f + t * t + 2.0 * f * t * c);
        double w1 = (f * wl + t * wr) / norm, u1 = (f * ul + t * ur) / norm;
        // of the normals at both ends of the part
        double g = t - 1.0 / PARTS,
               cosine = ((1.0 - g) * f + g * t + ((1.0 - g) * t + g * f) * c) / (n0 * norm);
        double half = sqrt(0.5 * (1.0 + fmin(cosine, 1.0))), low = fmin(w0, w1);
        double m = fmax(fabs(u0), fabs(u1)) / half;
        if (a->type == RICO_PIECE_DISC) add = a->r * sqrt(fmax(1.0 - m * m, 0.0));
        if (!((low < 0.0 ? low / half : low) + add > limit)) return false;
        w0 = w1, u0 = u1, n0 = norm;
    }
    return true;
}


// Whether an edge can have a better normal with a piece of a than the best so far.
static bool hopeless(const search *s, const rico_piece *a, const rico_piece *b)
{
    return s->duo->b.polytope && b->type == RICO_PIECE_RING && a->type != RICO_PIECE_FACE &&
           above_on_arc(s->duo, a, b, s->best.value + 64.0 * s->slack);
}


// Two sides or edges that run side by side have a whole circle in common, on which F is that of two points.
static bool consider_parallel(search *s, const rico_piece *a, const rico_piece *b)
{
    double cross[3];
    rico_vec3_cross(a->u, b->u, cross);
    if (rico_vec3_dot(cross, cross) > 1e-12) return false;
    rico_piece point = *b;
    point.type = RICO_PIECE_POINT;
    double n[2][3];
    if (!rico_pieces_meet(a, &point, s->best.n, INFINITY, n)) return false;
    return take(s, a, b, n[0]);
}


// Starts on the arc of an edge's normals: its ends and its middle.
static void along_arc(search *s, const rico_piece *a, const rico_piece *edge)
{
    const rico_polytope *p = s->duo->b.polytope;
    const int32_t *e = p->edge + 4 * ((int32_t)edge->feature - p->vertices);
    const double *left = p->plane + 4 * e[2], *right = p->plane + 4 * e[3];
    for (int k = 0; k < 3; k++) {
        double start[3];
        for (int i = 0; i < 3; i++) start[i] = s->duo->b.sign * ((k != 1) * left[i] + (k != 0) * right[i]);
        if (rico_vec3_normalise(start)) consider(s, a, edge, start);
    }
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
    bool arc = ring && ring == b && s->duo->b.polytope;
    // an edge has its own starts, which are all over its normals
    if (s->brief || !arc || closed) consider(s, a, b, s->best.n);
    if (s->brief || closed || (ring && other->type == RICO_PIECE_POINT)) return;
    if (!arc) consider(s, a, b, middle);
    if (arc)
        along_arc(s, a, b);
    else if (ring)
        around_ring(s, ring, a, b);
    else
        around_axes(s, a, b, middle);
}


// The pieces of a round side that can be the best, in their order.
static int near_pieces(const search *s, const rico_side *side, const double x[3], const rico_piece *list[5])
{
    int count = 0;
    for (int i = 0; i < side->count; i++)
        if (rico_near_piece(&s->near, side, &side->piece[i], x)) list[count++] = &side->piece[i];
    return count;
}


static void against_round(search *s, const double middle[3])
{
    const rico_side *a = &s->duo->a, *b = &s->duo->b;
    const rico_piece *of_a[5], *of_b[5];
    int count_a = near_pieces(s, a, s->near.x, of_a), count_b = near_pieces(s, b, s->near.y, of_b);
    for (int i = 0; i < count_a; i++)
        if (of_a[i]->type == RICO_PIECE_FACE) consider(s, of_a[i], &b->piece[b->count - 1], middle);
    for (int j = 0; j < count_b; j++)
        if (of_b[j]->type == RICO_PIECE_FACE) consider(s, &a->piece[a->count - 1], of_b[j], middle);
    for (int i = 0; i < count_a; i++)
        for (int j = 0; j < count_b; j++)
            if (of_a[i]->type != RICO_PIECE_FACE && of_b[j]->type != RICO_PIECE_FACE)
                try_pair(s, of_a[i], of_b[j], middle);
}


// One edge or vertex against all pieces but caps.
static void against_piece(search *s, const rico_piece *piece, const rico_piece *of_a[5], int count,
                          const double middle[3])
{
    for (int i = 0; i < count; i++)
        if (of_a[i]->type != RICO_PIECE_FACE && !hopeless(s, of_a[i], piece))
            try_pair(s, of_a[i], piece, middle);
}


static void against_polytope(search *s, const double middle[3])
{
    const rico_side *a = &s->duo->a, *b = &s->duo->b;
    const rico_polytope *p = b->polytope;
    const rico_piece *of_a[5];
    rico_piece piece, point;
    int count = near_pieces(s, a, s->near.x, of_a);
    rico_polytope_vertex(b, 0, &point);
    for (int i = 0; i < count; i++)
        if (of_a[i]->type == RICO_PIECE_FACE) consider(s, of_a[i], &point, middle);
    for (int32_t k = 0; k < p->faces; k++) {
        if (!rico_near_face(&s->near, b, k)) continue;
        rico_polytope_face(b, k, &piece);
        consider(s, &a->piece[a->count - 1], &piece, middle);
    }
    for (int32_t k = 0; k < p->edges; k++) {
        if (!rico_near_edge(&s->near, b, k)) continue;
        rico_polytope_edge(b, k, &piece);
        against_piece(s, &piece, of_a, count, middle);
    }
    for (int32_t k = 0; k < p->vertices; k++) {
        if (!rico_near_vertex(&s->near, b, k)) continue;
        rico_polytope_vertex(b, k, &piece);
        against_piece(s, &piece, of_a, count, middle);
    }
}


// --- a short way ------------------------------------------------------------------------------------------------------

enum { OPTIONS = 16 };

static bool option(rico_piece list[OPTIONS], int *count, const rico_piece *piece)
{
    if (*count == OPTIONS) return false;
    for (int i = 0; i < *count; i++)
        if (list[i].feature == piece->feature) return false;
    list[(*count)++] = *piece;
    return true;
}


// Pieces of a round side whose normals come near n: faces first, then rings, then what reaches farthest.
static int round_options(const rico_side *side, const double n[3], const double before[3],
                         rico_piece list[OPTIONS])
{
    int count = 0;
    rico_piece far;
    for (int i = 0; i < side->count; i++) {
        const rico_piece *at = &side->piece[i];
        double facing = rico_vec3_dot(at->u, n), was = rico_vec3_dot(at->u, before);
        bool near = at->type == RICO_PIECE_FACE
                        ? facing > 0.2
                        : at->type == RICO_PIECE_RING &&
                              (fabs(facing - at->t) < 0.5 || (facing - at->t) * (was - at->t) < 0.0);
        if (near) option(list, &count, at);
    }
    rico_side_farthest(side, n, &far);
    option(list, &count, &far);
    rico_side_farthest(side, before, &far);
    option(list, &count, &far);
    return count;
}


// The vertex of a polytope that is nearest to x, which stands reflected as it is.
static int32_t nearest_vertex(const rico_side *side, const double x[3])
{
    const rico_polytope *p = side->polytope;
    double own[3], least = INFINITY;
    int32_t best = 0;
    rico_vec3_scale(side->sign, x, own);
    for (int32_t k = 0; p && k < p->vertices; k++) {
        double d[3];
        rico_vec3_subtract(p->vertex + 3 * k, own, d);
        double square = rico_vec3_dot(d, d);
        if (square < least) least = square, best = k;
    }
    return best;
}


// Pieces of a polytope around the point of `a` that reaches farthest along n: the vertex nearest to it, its edges and what faces n.
static int polytope_options(const rico_duo *duo, const double n[3], rico_piece list[OPTIONS])
{
    const rico_side *side = &duo->b;
    const rico_polytope *p = side->polytope;
    int count = 0;
    double x[3] = {0}, H[9] = {0};
    rico_piece piece;
    rico_side_farthest(&duo->a, n, &piece);
    rico_piece_bend(&piece, n, x, H);
    rico_vec3_scale(-1.0, x, x);
    int32_t vertex = nearest_vertex(side, x);
    for (int32_t k = 0; p && k < p->faces; k++)
        if (side->sign * rico_vec3_dot(p->plane + 4 * k, n) > 0.97) {
            rico_polytope_face(side, k, &piece);
            option(list, &count, &piece);
        }
    rico_side_farthest(side, n, &piece);
    int32_t corner[2] = {(int32_t)piece.feature, vertex};
    for (int end = 0; p && end < (corner[0] == corner[1] ? 1 : 2); end++) {
        rico_polytope_vertex(side, corner[end], &piece);
        option(list, &count, &piece);
        for (int32_t k = p->star[corner[end]]; k < p->star[corner[end] + 1]; k++) {
            rico_polytope_edge(side, p->star_edge[k], &piece);
            option(list, &count, &piece);
        }
    }
    return count;
}


static int options(const rico_duo *duo, const rico_side *side, const double n[3], const double before[3],
                   rico_piece list[OPTIONS])
{
    return side->polytope ? polytope_options(duo, n, list) : round_options(side, n, before, list);
}


// From normal to normal by what reaches farthest there, until one is proven to be the best of all. False: none was.
static bool walk(search *s)
{
    double n[3], before[3];
    rico_vec3_copy(s->best.n, n);
    rico_vec3_copy(n, before);
    for (int step = 0; step < 6; step++) {
        rico_piece a[OPTIONS], b[OPTIONS];
        double reached = s->best.value;
        // what reaches farthest, straight
        rico_side_farthest(&s->duo->a, n, &a[0]);
        rico_side_farthest(&s->duo->b, n, &b[0]);
        if (consider(s, &a[0], &b[0], n) && rico_found_proven(s->duo, &s->best, s->slack)) return true;
        rico_vec3_copy(n, before);
        if (s->best.value < INFINITY) rico_vec3_copy(s->best.n, n);
        int count_a = options(s->duo, &s->duo->a, n, before, a),
            count_b = options(s->duo, &s->duo->b, n, before, b);
        for (int i = 0; i < count_a; i++)
            for (int j = 0; j < count_b; j++) {
                if (hopeless(s, &a[i], &b[j])) continue;
                if (a[i].type == RICO_PIECE_RING && b[j].type == RICO_PIECE_RING &&
                    consider_parallel(s, &a[i], &b[j]) && rico_found_proven(s->duo, &s->best, s->slack))
                    return true;
                if (consider(s, &a[i], &b[j], n) && rico_found_proven(s->duo, &s->best, s->slack))
                    return true;
            }
        if (!(s->best.value < reached - s->slack)) return false;
        rico_vec3_copy(n, before);
        rico_vec3_copy(s->best.n, n);
    }
    return false;
}


// The face of a polytope that keeps a shape farthest off, as a start.
static void best_face(search *s)
{
    rico_piece piece, free;
    rico_side_farthest(&s->duo->a, s->best.n, &free);
    for (int32_t k = 0; k < s->duo->b.polytope->faces; k++) {
        rico_polytope_face(&s->duo->b, k, &piece);
        double value = rico_side_reach(&s->duo->a, piece.u) + rico_vec3_dot(piece.u, piece.p);
        if (!(value < s->best.value - s->slack)) continue;
        s->best = (rico_found){.value = value, .a = free, .b = piece};
        s->fits = true;
        rico_vec3_copy(piece.u, s->best.n);
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
    if (duo->b.polytope) best_face(&s);
    bool proven = (duo->b.polytope && rico_found_proven(duo, &s.best, s.slack)) || walk(&s);
    // what the walk missed: from one start each, and if that is no proof, with what is still near, from several
    for (int pass = 0; pass < 2 && !proven; pass++) {
        s.brief = pass == 0;
        rico_near_set(duo, &s.best, s.slack, &s.near);
        if (duo->b.polytope)
            against_polytope(&s, middle);
        else
            against_round(&s, middle);
        proven = s.brief && s.best.value < INFINITY && rico_found_proven(duo, &s.best, s.slack);
    }
    *out = s.best;
    out->gap = -s.best.value - duo->a.radius - duo->b.radius;
}
