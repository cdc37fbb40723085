// All contacts of two shapes that are made of pieces: the nearest, and where a face, side or edge of one runs along the other, what it
// rests on: corners, ends and marks over a face, ends over a side, edges across a side, rims across edges.
//
// Each contact is that of its own two features, with its own gap and normal. What stands nearly opposite a face or along a side is looked at
// before it gets near, so that nothing comes or goes at once as a body tips.

#include "collide/contact.h"

#include <float.h>
#include <math.h>

// How far normals of faces and sides may be turned from that of the pair to be looked at.
static const double FACING = 0.9, ALONG = 0.4;

typedef struct manifold {
    const rico_duo *duo;
    const rico_found *found;
    double margin, slack;
    double least; // smallest gap so far
    int64_t count;
    double sum[3];
    // where they go; or NULL: counted, and their points on a added up
    const rico_pose *B;
    rico_meeting_list *out;
    int64_t before;
    bool whole;
} manifold;


static bool known(const manifold *m, uint32_t fa, uint32_t fb)
{
    for (int64_t i = m->before; m->out && i < m->out->count; i++)
        if (m->out->item[i].feature_a == fa && m->out->item[i].feature_b == fb) return true;
    return false;
}


static void put(manifold *m, uint32_t fa, uint32_t fb, const rico_spot *t)
{
    m->count++;
    rico_vec3_add(m->sum, t->on_a, m->sum);
    if (!m->out) return;
    // round-off of crossings, where lines are steep: no two points are nearer than the nearest
    rico_spot world = *t;
    if (world.gap < m->found->gap) {
        rico_vec3_add_scaled(m->found->gap - world.gap, world.n, world.on_b);
        world.gap = m->found->gap;
    }
    m->least = fmin(m->least, world.gap);
    rico_spot_to_world(m->B, &world);
    rico_meeting item = {.feature_a = fa, .feature_b = fb, .gap = world.gap};
    rico_vec3_copy(world.n, item.normal);
    rico_vec3_copy(world.on_a, item.on_a);
    rico_vec3_copy(world.on_b, item.on_b);
    m->whole &= rico_meeting_put(m->out, &item);
}


// Whether the contact is one of the pair: not past the margin, not deeper than the pair is, facing as the pair does, and within both features.
static bool belongs(const manifold *m, const rico_piece *a, const rico_piece *b, const rico_spot *t)
{
    if (!(t->gap <= m->margin && t->gap >= m->found->gap - m->slack)) return false;
    if (!(rico_vec3_dot(t->n, m->found->n) > FACING)) return false;
    double x[3], y[3];
    for (int i = 0; i < 3; i++) {
        x[i] = t->on_a[i] - m->duo->a.radius * t->n[i];
        y[i] = -t->on_b[i] - m->duo->b.radius * t->n[i];
    }
    return (!a || rico_piece_holds(&m->duo->a, a, t->n, x, m->slack)) &&
           (!b || rico_piece_holds(&m->duo->b, b, t->n, y, m->slack));
}


static void try_features(manifold *m, const rico_piece *a, const rico_piece *b)
{
    rico_spot t;
    rico_vec3_copy(m->found->n, t.n);
    if (rico_pieces_touch(m->duo, a, b, &t) && belongs(m, a, b, &t)) put(m, a->feature, b->feature, &t);
}


// A rim over a face has a lowest point only if it is tilted.
static bool tilted(const rico_piece *disc, const double n[3])
{
    double cross[3];
    rico_vec3_cross(disc->u, n, cross);
    return rico_vec3_norm(cross) > 8.0 * DBL_EPSILON;
}


// One corner, end or rim of a side against one face, side or edge of the other; `turned`: the holder is of b.
static void end_over(manifold *m, const rico_piece *holder, const rico_piece *end, bool turned)
{
    if (holder->type == RICO_PIECE_FACE) {
        // a corner over it is past the margin, or not: without its points
        double radii = m->duo->a.radius + m->duo->b.radius;
        double gap = -rico_piece_reach(end, holder->u) - rico_piece_reach(holder, holder->u) - radii;
        if (gap > m->margin + m->slack) return;
        if (end->type == RICO_PIECE_DISC && !tilted(end, holder->u)) return;
    }
    try_features(m, turned ? end : holder, turned ? holder : end);
}


// Marks of the caps of `side` that face the holder.
static void marks_over(manifold *m, const rico_piece *holder, const rico_side *side, bool turned)
{
    for (int i = 0; i < side->count; i++) {
        const rico_piece *cap = &side->piece[i];
        if (cap->type != RICO_PIECE_FACE || rico_vec3_dot(cap->u, m->found->n) < FACING) continue;
        uint32_t first = cap->feature == RICO_TOP_CAP ? RICO_TOP_MARK : RICO_BOTTOM_MARK;
        for (uint32_t k = 0; k < RICO_MARKS; k++) {
            rico_piece mark;
            if (rico_side_piece(side, first + k, &mark)) end_over(m, holder, &mark, turned);
        }
    }
}


// Everything of `side` that ends over a holder of the other one.
static void ends_over(manifold *m, const rico_piece *holder, const rico_side *side, bool turned)
{
    if (side->polytope) {
        double reach = rico_side_reach(side, m->found->n), depth = m->margin - m->found->gap + m->slack;
        for (int32_t k = 0; k < side->polytope->vertices; k++) {
            rico_piece vertex;
            rico_polytope_vertex(side, k, &vertex);
            if (rico_vec3_dot(vertex.p, m->found->n) >= reach - 2.0 * depth)
                end_over(m, holder, &vertex, turned);
        }
        return;
    }
    for (int i = 0; i < side->count; i++)
        if (side->piece[i].type < RICO_PIECE_RING) end_over(m, holder, &side->piece[i], turned);
    if (holder->type == RICO_PIECE_FACE) marks_over(m, holder, side, turned);
}


static bool aligned(const manifold *m, const rico_piece *piece)
{
    double facing = rico_vec3_dot(piece->u, m->found->n);
    if (piece->type == RICO_PIECE_FACE) return facing > FACING;
    return piece->type == RICO_PIECE_RING && fabs(facing - piece->t) < ALONG;
}


// A cap of `one` (a's, or b's if turned) over a rim or an edge that bounds a face of the other.
static void try_crossing(manifold *m, const rico_piece *cap, const rico_piece *met, bool turned)
{
    uint32_t first = cap->feature == RICO_TOP_CAP ? RICO_TOP_CROSSING : RICO_BOTTOM_CROSSING;
    for (uint32_t k = 0; k < 2; k++) {
        rico_spot t;
        uint32_t fa = turned ? met->feature : first + k, fb = turned ? first + k : met->feature;
        const rico_piece *line = met->type == RICO_PIECE_RING ? met : NULL;
        rico_vec3_copy(m->found->n, t.n);
        if (rico_features_touch(m->duo, fa, fb, &t) &&
            belongs(m, turned ? line : NULL, turned ? NULL : line, &t) && !known(m, fa, fb))
            put(m, fa, fb, &t);
    }
}


static void crossings(manifold *m, const rico_piece *cap)
{
    const rico_side *b = &m->duo->b;
    if (!b->polytope) {
        for (int j = 0; j < b->count; j++)
            if (b->piece[j].type == RICO_PIECE_FACE && aligned(m, &b->piece[j])) {
                rico_piece rim;
                uint32_t feature = b->piece[j].feature == RICO_TOP_CAP ? RICO_TOP_RIM : RICO_BOTTOM_RIM;
                if (rico_side_piece(b, feature, &rim)) try_crossing(m, cap, &rim, false);
            }
        return;
    }
    for (int32_t f = 0; f < b->polytope->faces; f++) {
        rico_piece face, edge;
        rico_polytope_face(b, f, &face);
        if (!aligned(m, &face)) continue;
        for (int32_t k = b->polytope->loop[f]; k < b->polytope->loop[f + 1]; k++) {
            rico_polytope_edge(b, b->polytope->loop_edge[k], &edge);
            try_crossing(m, cap, &edge, false);
        }
    }
}


// Two sides or edges across each other; nearly parallel ones are held by their ends.
static void lines_over(manifold *m, const rico_piece *a, const rico_piece *b)
{
    double cross[3];
    rico_vec3_cross(a->u, b->u, cross);
    if (rico_vec3_norm(cross) > 1e-6 && !known(m, a->feature, b->feature)) try_features(m, a, b);
}


static void against_polytope(manifold *m)
{
    const rico_side *a = &m->duo->a, *b = &m->duo->b;
    const rico_polytope *p = b->polytope;
    rico_piece piece;
    for (int i = 0; i < a->count; i++)
        if (aligned(m, &a->piece[i])) {
            ends_over(m, &a->piece[i], b, false);
            if (a->piece[i].type == RICO_PIECE_FACE) crossings(m, &a->piece[i]);
        }
    for (int32_t f = 0; f < p->faces; f++) {
        rico_polytope_face(b, f, &piece);
        if (aligned(m, &piece)) ends_over(m, &piece, a, true);
    }
    double reach = rico_side_reach(b, m->found->n), depth = m->margin - m->found->gap + m->slack;
    for (int32_t k = 0; k < p->edges; k++) {
        rico_polytope_edge(b, k, &piece);
        double top =
            rico_vec3_dot(piece.p, m->found->n) + piece.high * fabs(rico_vec3_dot(piece.u, m->found->n));
        if (top < reach - 2.0 * depth || !aligned(m, &piece)) continue;
        for (int i = 0; i < a->count; i++) {
            if (a->piece[i].type == RICO_PIECE_RING && aligned(m, &a->piece[i]))
                lines_over(m, &a->piece[i], &piece);
            // ends of a side that runs along the edge
            if (a->piece[i].type == RICO_PIECE_RING && aligned(m, &a->piece[i]) &&
                m->found->b.feature == piece.feature)
                ends_over(m, &piece, a, true);
        }
    }
}


static void against_round(manifold *m)
{
    const rico_side *a = &m->duo->a, *b = &m->duo->b;
    for (int i = 0; i < a->count; i++)
        if (aligned(m, &a->piece[i])) {
            ends_over(m, &a->piece[i], b, false);
            if (a->piece[i].type == RICO_PIECE_FACE) crossings(m, &a->piece[i]);
        }
    for (int j = 0; j < b->count; j++)
        if (aligned(m, &b->piece[j])) ends_over(m, &b->piece[j], a, true);
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++)
            if (a->piece[i].type == RICO_PIECE_RING && b->piece[j].type == RICO_PIECE_RING &&
                aligned(m, &a->piece[i]) && aligned(m, &b->piece[j]))
                lines_over(m, &a->piece[i], &b->piece[j]);
}


static bool single(const rico_side *side)
{
    return side->form == RICO_FORM_SPHERE || side->form == RICO_FORM_ELLIPSOID;
}


static void gather(manifold *m)
{
    if (single(&m->duo->a) || single(&m->duo->b)) return;
    if (m->duo->b.polytope)
        against_polytope(m);
    else
        against_round(m);
}


// --- the nearest -----------------------------------------------------------------------------------------------------

// The corner or curved piece of a side that reaches farthest along n; *several: others reach as far.
static void farthest(const rico_side *side, const double n[3], double slack, rico_piece *out, bool *several)
{
    double most = -INFINITY;
    *several = false;
    if (side->polytope) {
        int32_t best = 0;
        for (int32_t k = 0; k < side->polytope->vertices; k++) {
            double reach = side->sign * rico_vec3_dot(side->polytope->vertex + 3 * k, n);
            if (reach > most - slack) *several = reach <= most + slack;
            if (reach > most) most = reach, best = k;
        }
        rico_polytope_vertex(side, best, out);
        return;
    }
    for (int i = 0; i < side->count; i++) {
        const rico_piece *piece = &side->piece[i];
        if (piece->type >= RICO_PIECE_RING) continue;
        double reach = rico_piece_reach(piece, n), cross[3];
        if (reach > most - slack) *several = reach <= most + slack;
        rico_vec3_cross(piece->u, n, cross);
        if (piece->type == RICO_PIECE_DISC && piece->r * rico_vec3_norm(cross) <= slack) *several = true;
        if (reach > most) most = reach, *out = *piece;
    }
}


bool rico_found_spot(const rico_duo *duo, rico_found *found, rico_spot *t)
{
    bool several = false;
    double slack = 1e-11 * duo->size;
    if (found->proven) {
        found->a = found->met_a;
        found->b = found->met_b;
        *t = found->spot;
        return found->several;
    }
    rico_vec3_copy(found->n, t->n);
    t->gap = found->gap;
    if (found->a.type == RICO_PIECE_FACE) farthest(&duo->b, t->n, slack, &found->b, &several);
    if (found->b.type == RICO_PIECE_FACE) farthest(&duo->a, t->n, slack, &found->a, &several);
    rico_contact_points(duo, &found->a, &found->b, t);
    if (!several) return false;
    // flat on flat, or a line on a face: the middle of what they rest on stands within both
    manifold m = {
        .duo = duo, .found = found, .margin = found->gap + slack, .slack = slack, .least = INFINITY};
    gather(&m);
    if (m.count == 0) return true;
    double middle[3];
    rico_vec3_scale(1.0 / (double)m.count, m.sum, middle);
    // in the plane of the contact
    double off = rico_vec3_dot(t->n, t->on_a) - rico_vec3_dot(t->n, middle);
    for (int i = 0; i < 3; i++) {
        t->on_a[i] = middle[i] + off * t->n[i];
        t->on_b[i] = t->on_a[i] + t->gap * t->n[i];
    }
    return true;
}


static bool meet(const rico_shape *a, const rico_pose *A, const rico_shape *b, const rico_pose *B,
                 double margin, rico_meeting_list *out)
{
    rico_duo duo;
    rico_found found;
    rico_spot t;
    rico_duo_of(a, A, b, B, &duo);
    rico_search(&duo, &found);
    if (!(found.gap <= margin)) return true;
    manifold m = {
        .duo = &duo, .found = &found, .margin = margin, .slack = 1e-13 * duo.size, .least = INFINITY};
    m.B = B;
    m.out = out;
    m.before = out->count;
    m.whole = true;
    gather(&m);
    // the nearest itself, where none of these is it
    if (m.least <= found.gap + 4.0 * DBL_EPSILON * duo.size) return m.whole;
    rico_found_spot(&duo, &found, &t);
    if (!known(&m, found.a.feature, found.b.feature)) put(&m, found.a.feature, found.b.feature, &t);
    return m.whole;
}


static bool again(const rico_shape *a, const rico_pose *A, const rico_shape *b, const rico_pose *B,
                  rico_meeting *m)
{
    rico_duo duo;
    rico_spot t;
    rico_duo_of(a, A, b, B, &duo);
    rico_mat3_transpose_times(B->R, m->normal, t.n);
    if (!rico_features_touch(&duo, m->feature_a, m->feature_b, &t)) return false;
    rico_spot_to_world(B, &t);
    m->gap = t.gap;
    rico_vec3_copy(t.n, m->normal);
    rico_vec3_copy(t.on_a, m->on_a);
    rico_vec3_copy(t.on_b, m->on_b);
    return true;
}


const rico_meeting_kind rico_pieces_meeting = {meet, again, rico_pieces_nearest};
