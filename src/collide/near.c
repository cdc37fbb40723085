// Which pieces of two shapes in each other can have the best normal, once a good one is known.
//
// With points x of A and y of B (reflected), F(n) = (h_A(n) - n.x) + (h_B(n) - n.y) + n.(x + y), and neither bracket is negative. A normal with
// F(n) < d leaves less than d + |x + y| in each: the plane that supports A there passes x that close. On the normals of a rim, an edge or a
// corner the bracket is no less than on those of the faces and sides around it, so only what has one near x counts.

#include "collide/contact.h"

#include <math.h>

// How far the planes of a face, or those along a ring, pass x, at least.
static double passes(const rico_piece *piece, const double x[3])
{
    double d[3], cross[3];
    rico_vec3_subtract(piece->p, x, d);
    double along = rico_vec3_dot(piece->u, d);
    if (piece->type == RICO_PIECE_FACE) return along;
    rico_vec3_cross(piece->u, d, cross);
    return piece->t * along - sqrt(1.0 - piece->t * piece->t) * rico_vec3_norm(cross) + piece->r;
}


bool rico_side_holds(const rico_side *side, const double x[3], double slack)
{
    const rico_polytope *p = side->polytope;
    for (int32_t k = 0; p && k < p->faces; k++)
        if (p->plane[4 * k + 3] - side->sign * rico_vec3_dot(p->plane + 4 * k, x) < -slack) return false;
    for (int i = 0; i < side->count; i++) {
        const rico_piece *piece = &side->piece[i];
        if (piece->type < RICO_PIECE_RING) continue;
        if (passes(piece, x) < -slack) return false;
        if (side->form != RICO_FORM_CAPSULE) continue;
        double d[3];
        rico_vec3_subtract(x, piece->p, d);
        if (fabs(rico_vec3_dot(d, piece->u)) > piece->high + slack) return false;
    }
    return true;
}


bool rico_near_set(const rico_duo *duo, const rico_found *found, double slack, rico_near *near)
{
    rico_found at = *found;
    rico_spot t;
    double sum[3];
    near->limit = INFINITY;
    rico_vec3_set(0.0, 0.0, 0.0, near->x);
    rico_vec3_set(0.0, 0.0, 0.0, near->y);
    if (!(found->value < INFINITY)) return false;
    // pieces that do not reach farthest have points that are in neither shape
    if (at.a.type != RICO_PIECE_FACE && at.b.type != RICO_PIECE_FACE &&
        rico_piece_reach(&at.a, at.n) + rico_piece_reach(&at.b, at.n) < found->value - 8.0 * slack)
        return false;
    at.gap = -found->value - duo->a.radius - duo->b.radius;
    bool several = rico_found_spot(duo, &at, &t);
    for (int i = 0; i < 3; i++) {
        near->x[i] = t.on_a[i] - duo->a.radius * t.n[i];
        near->y[i] = -t.on_b[i] - duo->b.radius * t.n[i];
    }
    if (!rico_piece_holds(&duo->a, &at.a, t.n, near->x, slack) ||
        !rico_piece_holds(&duo->b, &at.b, t.n, near->y, slack))
        return false;
    if (several && (!rico_side_holds(&duo->a, near->x, slack) || !rico_side_holds(&duo->b, near->y, slack)))
        return false;
    rico_vec3_add(near->x, near->y, sum);
    near->limit = found->value + rico_vec3_norm(sum) + 64.0 * slack;
    return true;
}


bool rico_near_piece(const rico_near *near, const rico_side *side, const rico_piece *piece, const double x[3])
{
    if (side->form != RICO_FORM_CYLINDER && side->form != RICO_FORM_CONE) return true;
    if (piece->type == RICO_PIECE_FACE || piece->type == RICO_PIECE_RING)
        return passes(piece, x) < near->limit;
    uint32_t cap = piece->feature == RICO_TOP_RIM ? RICO_TOP_CAP : RICO_BOTTOM_CAP;
    for (int i = 0; i < side->count; i++) {
        const rico_piece *around = &side->piece[i];
        bool beside =
            around->type == RICO_PIECE_RING || (around->type == RICO_PIECE_FACE && around->feature == cap);
        if (beside && passes(around, x) < near->limit) return true;
    }
    return false;
}


bool rico_near_face(const rico_near *near, const rico_side *side, int32_t face)
{
    const double *plane = side->polytope->plane + 4 * face;
    return plane[3] - side->sign * rico_vec3_dot(plane, near->y) < near->limit;
}


bool rico_near_edge(const rico_near *near, const rico_side *side, int32_t edge)
{
    const int32_t *e = side->polytope->edge + 4 * edge;
    return rico_near_face(near, side, e[2]) || rico_near_face(near, side, e[3]);
}


bool rico_near_vertex(const rico_near *near, const rico_side *side, int32_t vertex)
{
    const rico_polytope *p = side->polytope;
    for (int32_t k = p->star[vertex]; k < p->star[vertex + 1]; k++)
        if (rico_near_edge(near, side, p->star_edge[k])) return true;
    return false;
}
