// Proof that a normal is the best of all.
//
// Apart: F is convex and homogeneous, so where it is negative it has one minimum on the sphere, and points a, b of the two shapes with
// b - a = gap n show that this is it. In each other by depth d: let a ball of radius r_a within A touch its surface at a, and one of
// radius r_b within B at b. The difference B - A then holds a ball of radius r_a + r_b that touches its surface at -d n, and
// if that is at least d, it holds the ball of radius d about the origin: no normal leads out on a shorter way.

#include "collide/contact.h"

#include <float.h>
#include <math.h>

static double distance_from_axis(const rico_piece *piece, const double x[3], double *along)
{
    double d[3], cross[3];
    rico_vec3_subtract(x, piece->p, d);
    *along = rico_vec3_dot(d, piece->u);
    rico_vec3_cross(d, piece->u, cross);
    return rico_vec3_norm(cross);
}


// The largest ball within a polytope that touches the face at x.
static double ball_in_polytope(const rico_side *side, const rico_piece *face, const double x[3])
{
    const rico_polytope *p = side->polytope;
    int32_t own = (int32_t)face->feature - p->vertices - p->edges;
    double radius = INFINITY, y[3];
    rico_vec3_scale(side->sign, x, y);
    for (int32_t k = 0; k < p->faces; k++) {
        if (k == own) continue;
        const double *plane = p->plane + 4 * k;
        double facing = 1.0 - rico_vec3_dot(plane, p->plane + 4 * own);
        if (facing > 0.0) radius = fmin(radius, (plane[3] - rico_vec3_dot(plane, y)) / facing);
    }
    return radius;
}


// The radius of a ball within the side, without what rounds it off, that touches it at x; 0 on corners, edges and rims.
static double ball_within(const rico_side *side, const rico_piece *piece, const double x[3])
{
    const double *s = side->shape->size;
    double along, slant = rico_hypot(s[0], s[1]);
    if (piece->type == RICO_PIECE_ELLIPSOID) {
        double low = fmin(s[0], fmin(s[1], s[2])), high = fmax(s[0], fmax(s[1], s[2]));
        return low * low / high;
    }
    if (piece->type == RICO_PIECE_FACE && side->polytope) return ball_in_polytope(side, piece, x);
    if (piece->type == RICO_PIECE_FACE) {
        double inside = s[0] - distance_from_axis(piece, x, &along);
        return side->form == RICO_FORM_CYLINDER ? fmin(inside, 0.5 * s[1]) : inside * s[1] / (slant + s[0]);
    }
    if (piece->type != RICO_PIECE_RING) return 0.0;
    double away = distance_from_axis(piece, x, &along);
    if (side->form == RICO_FORM_CYLINDER) return fmin(s[0], fmin(along - piece->low, piece->high - along));
    // a cone: off its base, and not past its axis; `along` counts from the apex down
    if (side->form == RICO_FORM_CONE) return fmin((s[1] + along) / (1.0 + s[0] / slant), away * slant / s[1]);
    return 0.0;
}


// What is left across n of the slope of F, where both pieces are curved or corners, or along the circle of a ring.
static double slope_left(const rico_piece *a, const rico_piece *b, const double n[3])
{
    double G[3] = {0}, H[9] = {0}, side[3];
    if (a->type == RICO_PIECE_FACE || b->type == RICO_PIECE_FACE) return 0.0;
    if (a->type == RICO_PIECE_RING && b->type == RICO_PIECE_RING) return 0.0;
    rico_piece_bend(a, n, G, H);
    rico_piece_bend(b, n, G, H);
    if (a->type == RICO_PIECE_RING || b->type == RICO_PIECE_RING) {
        rico_vec3_cross(a->type == RICO_PIECE_RING ? a->u : b->u, n, side);
        rico_vec3_normalise(side);
        return fabs(rico_vec3_dot(side, G));
    }
    rico_vec3_cross(G, n, side);
    return rico_vec3_norm(side);
}


// How far y stands off the line of a ring, seen along n.
static double off_line(const rico_piece *ring, const double n[3], const double y[3])
{
    double side[3], d[3];
    rico_vec3_cross(ring->u, n, side);
    rico_vec3_normalise(side);
    rico_vec3_subtract(y, ring->p, d);
    return fabs(rico_vec3_dot(d, side));
}


// --- what bulges around the contact -----------------------------------------------------------------------------------

// M across n0 with h(n) - n.x >= n'M n / 2 for all n: [p q; q s] along e and f.
typedef struct bulge {
    double e[3], f[3], p, q, s;
} bulge;


static void bulge_along(bulge *b, double amount, const double g[3])
{
    double x = rico_vec3_dot(g, b->e), y = rico_vec3_dot(g, b->f);
    amount = fmax(amount, 0.0);
    b->p += amount * x * x;
    b->q += amount * x * y;
    b->s += amount * y * y;
}


static void bulge_all(bulge *b, double amount)
{
    amount = fmax(amount, 0.0);
    b->p += amount;
    b->s += amount;
}


// A rim of radius r: |m| - m.e = (m.t)^2 / (|m| + m.e) >= (n.t)^2 / 2 for the part m of n in its plane. A line that goes on by l both ways, a disc
// of radius l in a face: l |n.g| >= l (n.g)^2. A cylinder holds the sum of its disc and line, a cone their hull, which is half of each at least.
static void bulge_of(const rico_side *side, const rico_piece *piece, const double n[3], const double x[3],
                     bulge *b)
{
    double t[3], along;
    if (piece->type == RICO_PIECE_ELLIPSOID) {
        bulge_all(b, ball_within(side, piece, x));
    } else if (piece->type == RICO_PIECE_FACE) {
        bulge_all(b, 2.0 * (side->polytope ? rico_face_inset(side, piece, x)
                                           : piece->r - distance_from_axis(piece, x, &along)));
    } else if (piece->type == RICO_PIECE_DISC || piece->type == RICO_PIECE_RING) {
        bool ring = piece->type == RICO_PIECE_RING, cone = ring && side->form == RICO_FORM_CONE;
        double radius = cone ? 0.5 * distance_from_axis(piece, x, &along) : piece->r;
        rico_vec3_cross(piece->u, n, t);
        rico_vec3_normalise(t);
        bulge_along(b, radius, t);
        if (!ring) return;
        double g[3], place = rico_ring_place(piece, n, x), l = fmin(place - piece->low, piece->high - place);
        rico_vec3_cross(t, n, g);
        bulge_along(b, cone ? l : 2.0 * l, g);
    }
}


// The point of a side that is farthest along n.
static void support(const rico_side *side, const double n[3], double out[3])
{
    rico_piece piece;
    double H[9] = {0};
    rico_side_farthest(side, n, &piece);
    rico_vec3_set(0.0, 0.0, 0.0, out);
    rico_piece_bend(&piece, n, out, H);
}


// F(n) >= d n.n0 + n'(M_a + M_b) n / 2 with the points x of A and y of B, x + y = d n0. With c = n.n0 and the smaller eigenvalue
// m of the sum that is at least d where 1 + c >= 2 d / m; around -n0 the farthest point of the difference on that side must do.
static bool bulges_enough(const rico_duo *duo, const rico_found *at, const double x[3], const double y[3])
{
    bulge b = {0};
    double d = at->value, down[3], far_a[3], far_b[3], side[3];
    rico_across(at->n, b.e, b.f);
    bulge_of(&duo->a, &at->a, at->n, x, &b);
    bulge_of(&duo->b, &at->b, at->n, y, &b);
    double least = 0.5 * (b.p + b.s) - rico_hypot(0.5 * (b.p - b.s), b.q);
    if (!(d < 0.5 * least)) return false;
    double cosine = 1.0 - 2.0 * d / least, sine = sqrt(1.0 - cosine * cosine);
    rico_vec3_scale(-1.0, at->n, down);
    support(&duo->a, down, far_a);
    support(&duo->b, down, far_b);
    rico_vec3_add(far_a, far_b, far_a);
    rico_vec3_cross(far_a, down, side);
    return cosine * rico_vec3_dot(far_a, down) - sine * rico_vec3_norm(side) >= d;
}


static bool proves(const rico_duo *duo, rico_found *found, double slack)
{
    rico_found at = *found;
    rico_spot t;
    double x[3], y[3];
    at.gap = -found->value - duo->a.radius - duo->b.radius;
    bool several = rico_found_spot(duo, &at, &t);
    found->several = several;
    found->spot = t;
    found->met_a = at.a;
    found->met_b = at.b;
    // the pieces are those that reach farthest
    if (at.a.type != RICO_PIECE_FACE && at.b.type != RICO_PIECE_FACE &&
        rico_piece_reach(&at.a, at.n) + rico_piece_reach(&at.b, at.n) < found->value - 8.0 * slack)
        return false;
    // points that stand opposite each other up to `left` are as far apart as the gap up to left^2 / 2 gap
    double left = fmax(16.0 * slack, sqrt(8.0 * slack * fabs(found->value)));
    if (slope_left(&at.a, &at.b, at.n) > left) return false;
    for (int i = 0; i < 3; i++) {
        x[i] = t.on_a[i] - duo->a.radius * t.n[i];
        y[i] = -t.on_b[i] - duo->b.radius * t.n[i];
    }
    if (!rico_piece_holds(&duo->a, &at.a, t.n, x, slack) || !rico_piece_holds(&duo->b, &at.b, t.n, y, slack))
        return false;
    // the middle of contacts that were taken within a margin may be beside them all
    if (several && !(rico_side_holds(&duo->a, x, 8.0 * slack) && rico_side_holds(&duo->b, y, 8.0 * slack)))
        return false;
    if (at.a.type == RICO_PIECE_RING && at.b.type == RICO_PIECE_RING && off_line(&at.b, t.n, y) > left)
        return false;
    if (found->value <= 4.0 * slack) return true;
    return ball_within(&duo->a, &at.a, x) + ball_within(&duo->b, &at.b, y) >= found->value ||
           bulges_enough(duo, &at, x, y);
}


bool rico_found_proven(const rico_duo *duo, rico_found *found, double slack)
{
    found->proven = false;
    found->proven = proves(duo, found, slack);
    return found->proven;
}
