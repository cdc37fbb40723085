// Contacts of two features, and the nearest one of two shapes that are made of pieces.

#include "collide/contact.h"

#include <float.h>
#include <math.h>

// --- features as pieces ----------------------------------------------------------------------------------------------

bool rico_side_piece(const rico_side *side, uint32_t feature, rico_piece *out)
{
    if (side->polytope) {
        const rico_polytope *p = side->polytope;
        int32_t k = (int32_t)feature;
        if (k < p->vertices)
            rico_polytope_vertex(side, k, out);
        else if ((k -= p->vertices) < p->edges)
            rico_polytope_edge(side, k, out);
        else if ((k -= p->edges) < p->faces)
            rico_polytope_face(side, k, out);
        else
            return false;
        return true;
    }
    for (int i = 0; i < side->count; i++)
        if (side->piece[i].feature == feature) {
            *out = side->piece[i];
            return true;
        }
    // a mark
    double own[3], up[3] = {0.0, 0.0, 1.0};
    if ((side->form != RICO_FORM_CYLINDER && side->form != RICO_FORM_CONE) ||
        !rico_feature_point(side->shape, feature, up, own))
        return false;
    *out = (rico_piece){.type = RICO_PIECE_POINT, .feature = feature};
    rico_mat3_times(side->R, own, out->p);
    for (int i = 0; i < 3; i++) out->p[i] = side->sign * (out->p[i] + side->x[i]);
    return true;
}


// --- points ----------------------------------------------------------------------------------------------------------

// The point of a curved piece or corner at n.
static void support(const rico_piece *piece, const double n[3], double x[3])
{
    double H[9] = {0};
    rico_vec3_set(0.0, 0.0, 0.0, x);
    rico_piece_bend(piece, n, x, H);
}


// The line of a ring at n: q + l g.
static void ring_line(const rico_piece *ring, const double n[3], double q[3], double g[3])
{
    for (int i = 0; i < 3; i++) {
        q[i] = ring->p[i] + ring->r * n[i];
        g[i] = ring->u[i] - ring->t * n[i];
    }
    rico_vec3_normalise(g);
}


double rico_ring_place(const rico_piece *ring, const double n[3], const double x[3])
{
    double q[3], g[3], d[3];
    ring_line(ring, n, q, g);
    rico_vec3_subtract(x, q, d);
    return rico_vec3_dot(g, d);
}


// The points of two rings, x of a and -x of b: where their lines cross, seen along n, or the middle of where they run side by side.
static void rings_point(const rico_piece *a, const rico_piece *b, const double n[3], double x[3])
{
    double qa[3] = {0.0}, ga[3] = {0.0}, qb[3] = {0.0}, gb[3] = {0.0}, d[3], cross[3], low = a->low,
           high = a->high, l = 0.0;
    ring_line(a, n, qa, ga);
    ring_line(b, n, qb, gb);
    // the sum qa + l ga + qb + m gb is along n
    rico_vec3_add(qa, qb, d);
    rico_vec3_cross(ga, gb, cross);
    double sine = rico_vec3_dot(cross, n);
    if (fabs(sine) > 1e-14) {
        double turned[3];
        rico_vec3_cross(d, gb, turned);
        l = -rico_vec3_dot(turned, n) / sine;
    }
    if (!(fabs(sine) > 1e-14) || !(l >= low && l <= high)) {
        // parallel: places of b's ends on a's line
        double along = rico_vec3_dot(ga, gb) < 0.0 ? -1.0 : 1.0, base = -rico_vec3_dot(d, ga);
        double p = base - along * b->low, q = base - along * b->high;
        low = fmax(low, fmin(p, q));
        high = fmin(high, fmax(p, q));
        l = fabs(sine) > 1e-14 ? fmax(low, fmin(high, l)) : 0.5 * (low + high);
    }
    for (int i = 0; i < 3; i++) x[i] = qa[i] + l * ga[i];
}


void rico_contact_points(const rico_duo *duo, const rico_piece *a, const rico_piece *b, rico_spot *t)
{
    double x[3];
    const double *n = t->n;
    bool own = a->type < RICO_PIECE_RING;
    if (own || (a->type == RICO_PIECE_RING && b->type >= RICO_PIECE_RING)) {
        // of a corner, a curved piece, or two lines; a line over a face from its middle
        if (own) {
            support(a, n, x);
        } else if (b->type == RICO_PIECE_RING) {
            rings_point(a, b, n, x);
        } else {
            double g[3];
            ring_line(a, n, x, g);
            rico_vec3_add_scaled(0.5 * (a->low + a->high), g, x);
        }
        for (int i = 0; i < 3; i++) {
            t->on_a[i] = x[i] + duo->a.radius * n[i];
            t->on_b[i] = t->on_a[i] + t->gap * n[i];
        }
        return;
    }
    if (b->type < RICO_PIECE_RING) {
        support(b, n, x);
    } else {
        double g[3];
        if (b->type == RICO_PIECE_RING) {
            ring_line(b, n, x, g);
            rico_vec3_add_scaled(0.5 * (b->low + b->high), g, x);
        } else {
            rico_vec3_copy(b->p, x);
        }
    }
    for (int i = 0; i < 3; i++) {
        t->on_b[i] = -x[i] - duo->b.radius * n[i];
        t->on_a[i] = t->on_b[i] - t->gap * n[i];
    }
}


double rico_face_inset(const rico_side *side, const rico_piece *piece, const double x[3])
{
    const rico_polytope *p = side->polytope;
    int32_t face = (int32_t)piece->feature - p->vertices - p->edges;
    double own[3], least = INFINITY;
    rico_vec3_scale(side->sign, x, own);
    for (int32_t k = p->loop[face]; k < p->loop[face + 1]; k++) {
        int32_t next = k + 1 < p->loop[face + 1] ? k + 1 : p->loop[face];
        const double *v = p->vertex + 3 * p->loop_vertex[k], *w = p->vertex + 3 * p->loop_vertex[next];
        double edge[3], d[3], cross[3];
        rico_vec3_subtract(w, v, edge);
        rico_vec3_subtract(own, v, d);
        rico_vec3_cross(edge, d, cross);
        least = fmin(least, rico_vec3_dot(cross, p->plane + 4 * face) / rico_vec3_norm(edge));
    }
    return least;
}


bool rico_piece_holds(const rico_side *side, const rico_piece *piece, const double n[3], const double x[3],
                      double slack)
{
    if (piece->type == RICO_PIECE_RING) {
        double l = rico_ring_place(piece, n, x);
        return l >= piece->low - slack && l <= piece->high + slack;
    }
    if (piece->type != RICO_PIECE_FACE) return true;
    if (!side->polytope) {
        double d[3], across[3];
        rico_vec3_subtract(x, piece->p, d);
        double along = rico_vec3_dot(d, piece->u);
        for (int i = 0; i < 3; i++) across[i] = d[i] - along * piece->u[i];
        return rico_vec3_norm(across) <= piece->r + slack;
    }
    return rico_face_inset(side, piece, x) >= -slack;
}


// --- crossings: a cap over which the rim crosses an edge or another rim -----------------------------------------------

static bool is_crossing(const rico_side *side, uint32_t feature)
{
    return (side->form == RICO_FORM_CYLINDER || side->form == RICO_FORM_CONE) &&
           feature >= RICO_BOTTOM_CROSSING && feature < RICO_ROUND_FEATURES;
}


// Of the line q + l g with the cylinder over the cap: the root that `second` says. False: it passes by.
static bool line_crossing(const rico_piece *cap, const double q[3], const double g[3], bool second,
                          double x[3])
{
    double d[3], dp[3], gp[3];
    rico_vec3_subtract(q, cap->p, d);
    double da = rico_vec3_dot(d, cap->u), ga = rico_vec3_dot(g, cap->u);
    for (int i = 0; i < 3; i++) {
        dp[i] = d[i] - da * cap->u[i];
        gp[i] = g[i] - ga * cap->u[i];
    }
    double A = rico_vec3_dot(gp, gp), B = rico_vec3_dot(dp, gp), C = rico_vec3_dot(dp, dp) - cap->r * cap->r;
    double root = B * B - A * C;
    if (!(root > 0.0 && A > 0.0)) return false;
    double l = (-B + (second ? 1.0 : -1.0) * sqrt(root)) / A;
    for (int i = 0; i < 3; i++) x[i] = q[i] + l * g[i];
    return true;
}


// Of two circles seen along the cap's normal: the point in the plane of the other one.
static bool rim_crossing(const rico_piece *cap, const rico_piece *rim, bool second, double x[3])
{
    double d[3], side[3], e[3];
    for (int i = 0; i < 3; i++) d[i] = -rim->p[i] - cap->p[i];
    double along = rico_vec3_dot(d, cap->u);
    for (int i = 0; i < 3; i++) e[i] = d[i] - along * cap->u[i];
    double length = rico_vec3_norm(e);
    if (!rico_vec3_normalise(e)) return false;
    double at = 0.5 * (length * length + cap->r * cap->r - rim->r * rim->r) / length;
    double root = cap->r * cap->r - at * at, facing = rico_vec3_dot(rim->u, cap->u);
    if (!(root > 0.0) || fabs(facing) < 0.1) return false;
    rico_vec3_cross(cap->u, e, side);
    for (int i = 0; i < 3; i++) x[i] = cap->p[i] + at * e[i] + (second ? 1.0 : -1.0) * sqrt(root) * side[i];
    // up along the cap's normal to the plane of the rim
    for (int i = 0; i < 3; i++) d[i] = -rim->p[i] - x[i];
    rico_vec3_add_scaled(rico_vec3_dot(d, rim->u) / facing, cap->u, x);
    return true;
}


// `cap` of one side over an edge or rim of the other; x: the point of the other, both reflected as the other is.
static bool crossing_point(const rico_side *one, uint32_t feature, const rico_side *other, uint32_t met,
                           rico_piece *cap, double x[3])
{
    bool top = feature >= RICO_TOP_CROSSING, second = (feature - RICO_BOTTOM_CROSSING) % 2;
    rico_piece piece;
    if (!rico_side_piece(one, top ? RICO_TOP_CAP : RICO_BOTTOM_CAP, cap)) return false;
    if (!rico_side_piece(other, met, &piece)) return false;
    if (piece.type == RICO_PIECE_DISC) return rim_crossing(cap, &piece, second, x);
    if (piece.type != RICO_PIECE_RING) return false;
    double q[3], g[3];
    rico_vec3_scale(-1.0, piece.p, q);
    rico_vec3_scale(-1.0, piece.u, g);
    return line_crossing(cap, q, g, second, x);
}


static bool crossing(const rico_duo *duo, uint32_t fa, uint32_t fb, rico_spot *t)
{
    bool first = is_crossing(&duo->a, fa);
    const rico_side *one = first ? &duo->a : &duo->b, *other = first ? &duo->b : &duo->a;
    rico_piece cap;
    double x[3], d[3];
    if (!crossing_point(one, first ? fa : fb, other, first ? fb : fa, &cap, x)) return false;
    rico_vec3_subtract(x, cap.p, d);
    rico_vec3_copy(cap.u, t->n);
    t->gap = rico_vec3_dot(d, cap.u);
    for (int i = 0; i < 3; i++) {
        // seen from a; from b all is reflected
        double far = first ? x[i] : -x[i],
               near = first ? x[i] - t->gap * cap.u[i] : -(x[i] - t->gap * cap.u[i]);
        t->on_a[i] = first ? near : far;
        t->on_b[i] = first ? far : near;
    }
    return true;
}


// --- contacts of two features ----------------------------------------------------------------------------------------

bool rico_pieces_touch(const rico_duo *duo, const rico_piece *a, const rico_piece *b, rico_spot *t)
{
    double n[2][3];
    int count = rico_pieces_meet(a, b, t->n, INFINITY, n);
    if (count == 0) return false;
    bool second = count == 2 && rico_vec3_dot(n[1], t->n) > rico_vec3_dot(n[0], t->n);
    const double *at = n[second];
    // points nearly in each other: their direction says nothing, and the other side of them is no contact
    double value = rico_piece_reach(a, at) + rico_piece_reach(b, at);
    if (a->type == RICO_PIECE_DISC && b->type == RICO_PIECE_FACE && !(rico_vec3_norm(b->u) > 0.0))
        return false;
    rico_vec3_copy(at, t->n);
    t->gap = -value - duo->a.radius - duo->b.radius;
    rico_contact_points(duo, a, b, t);
    return true;
}


bool rico_features_touch(const rico_duo *duo, uint32_t fa, uint32_t fb, rico_spot *t)
{
    rico_piece a, b;
    if (is_crossing(&duo->a, fa) || is_crossing(&duo->b, fb)) return crossing(duo, fa, fb, t);
    if (!rico_side_piece(&duo->a, fa, &a) || !rico_side_piece(&duo->b, fb, &b)) return false;
    return rico_pieces_touch(duo, &a, &b, t);
}


// --- the nearest -----------------------------------------------------------------------------------------------------

void rico_spot_to_world(const rico_pose *B, rico_spot *t)
{
    double x[3];
    rico_mat3_times(B->R, t->n, x);
    rico_vec3_copy(x, t->n);
    rico_pose_point(B, t->on_a, x);
    rico_vec3_copy(x, t->on_a);
    rico_pose_point(B, t->on_b, x);
    rico_vec3_copy(x, t->on_b);
}


// How a side bends at the contact, in the axes of the world. x: its point, reflected as the side is.
static void bend_of(const rico_side *side, const rico_piece *piece, const double n[3], const double x[3],
                    const rico_pose *B, rico_bend *out)
{
    double G[3] = {0}, H[9] = {0}, turned[9], turn[9];
    *out = (rico_bend){.held = piece->type == RICO_PIECE_FACE ? 2 : piece->type == RICO_PIECE_RING};
    if (piece->type == RICO_PIECE_RING) {
        // along the circle a side bends as the circle through the contact does: its radius over the length of n across
        double d[3], across[3], side_way[3], c = sqrt(1.0 - piece->t * piece->t);
        rico_vec3_subtract(x, piece->p, d);
        double along = rico_vec3_dot(d, piece->u);
        for (int i = 0; i < 3; i++) across[i] = d[i] - along * piece->u[i];
        bool round = piece->r > 0.0 || piece->t > 0.0;
        double radius = round ? rico_vec3_norm(across) / c : 0.0, hard[3];
        rico_vec3_cross(piece->u, n, side_way);
        rico_vec3_normalise(side_way);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) H[3 * i + j] = radius * side_way[i] * side_way[j];
        rico_vec3_cross(side_way, n, hard);
        rico_mat3_times(B->R, hard, out->hard);
    } else {
        rico_piece_bend(piece, n, G, H);
    }
    rico_mat3_multiply(B->R, H, turned);
    rico_mat3_transpose(B->R, turn);
    rico_mat3_multiply(turned, turn, out->H);
    double world[3];
    rico_mat3_times(B->R, n, world);
    rico_bend_ball(side->radius, world, out);
}


bool rico_pieces_nearest(const rico_shape *a, const rico_pose *A, const rico_shape *b, const rico_pose *B,
                         rico_nearest *out)
{
    rico_duo duo;
    rico_found found;
    rico_spot t;
    rico_bend bend_a, bend_b;
    double core_a[3], core_b[3];
    rico_duo_of(a, A, b, B, &duo);
    rico_search(&duo, &found);
    bool several = rico_found_spot(&duo, &found, &t);
    for (int i = 0; i < 3; i++) {
        core_a[i] = t.on_a[i] - duo.a.radius * t.n[i];
        core_b[i] = -t.on_b[i] - duo.b.radius * t.n[i];
    }
    bend_of(&duo.a, &found.a, t.n, core_a, B, &bend_a);
    bend_of(&duo.b, &found.b, t.n, core_b, B, &bend_b);
    rico_spot_to_world(B, &t);
    out->gap = t.gap;
    rico_vec3_copy(t.n, out->normal);
    rico_vec3_copy(t.on_a, out->on_a);
    rico_vec3_copy(t.on_b, out->on_b);
    out->feature_a = found.a.feature;
    out->feature_b = found.b.feature;
    // two faces, or a face and a side, meet in more than a point
    out->smooth = !several;
    rico_nearest_turn(A, B, &bend_a, &bend_b, out);
    return true;
}
