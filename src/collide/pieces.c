// Pieces of convex surfaces and the normals at which two of them meet; what they are is in pieces.h.

#include "collide/pieces.h"

#include <float.h>
#include <math.h>

// --- sides -----------------------------------------------------------------------------------------------------------

static rico_piece *add(rico_side *side, rico_piece_type type, uint32_t feature, double z)
{
    rico_piece *piece = &side->piece[side->count++];
    *piece = (rico_piece){.type = type, .feature = feature, .Q = side->Q};
    for (int i = 0; i < 3; i++) piece->p[i] = side->sign * side->x[i] + z * side->u[i];
    rico_vec3_copy(side->u, piece->u);
    return piece;
}


static void add_face(rico_side *side, uint32_t feature, double z)
{
    rico_piece *face = add(side, RICO_PIECE_FACE, feature, z);
    rico_vec3_scale(z < 0.0 ? -1.0 : 1.0, side->u, face->u);
    face->r = side->shape->size[0];
}


static void add_ring(rico_side *side, uint32_t feature, double z, double r, double t, double low, double high)
{
    rico_piece *ring = add(side, RICO_PIECE_RING, feature, z);
    ring->r = r;
    ring->t = t;
    ring->low = low;
    ring->high = high;
}


static void add_pieces(rico_side *side)
{
    const double *s = side->shape->size;
    double half = 0.5 * s[1], slant = rico_hypot(s[0], s[1]);
    switch (side->form) {
    case RICO_FORM_SPHERE:
        add(side, RICO_PIECE_POINT, 0, 0.0);
        side->radius = s[0];
        break;
    case RICO_FORM_CAPSULE:
        add_ring(side, RICO_CAPSULE_SIDE, 0.0, 0.0, 0.0, -half, half);
        add(side, RICO_PIECE_POINT, RICO_CAPSULE_BOTTOM, -half);
        add(side, RICO_PIECE_POINT, RICO_CAPSULE_TOP, half);
        side->radius = s[0];
        break;
    case RICO_FORM_CYLINDER:
        add_face(side, RICO_BOTTOM_CAP, -half);
        add_face(side, RICO_TOP_CAP, half);
        add_ring(side, RICO_SIDE, 0.0, s[0], 0.0, -half, half);
        add(side, RICO_PIECE_DISC, RICO_BOTTOM_RIM, -half)->r = s[0];
        add(side, RICO_PIECE_DISC, RICO_TOP_RIM, half)->r = s[0];
        break;
    case RICO_FORM_CONE:
        add_face(side, RICO_BOTTOM_CAP, -half);
        add_ring(side, RICO_SIDE, half, 0.0, s[0] / slant, -slant, 0.0);
        add(side, RICO_PIECE_DISC, RICO_BOTTOM_RIM, -half)->r = s[0];
        add(side, RICO_PIECE_POINT, RICO_TOP_RIM, half);
        break;
    case RICO_FORM_ELLIPSOID:
        add(side, RICO_PIECE_ELLIPSOID, 0, 0.0);
        break;
    default:
        break;
    }
}


// A side with its own axes turned by R and put at x, then reflected if sign < 0.
static void side_of(const rico_shape *shape, const double x[3], const double R[9], double sign,
                    rico_side *side)
{
    side->form = rico_form_of(shape);
    side->shape = shape;
    side->polytope = side->form == RICO_FORM_POLYTOPE ? rico_polytope_of(shape) : NULL;
    side->sign = sign;
    side->radius = 0.0;
    side->size = shape->reach;
    side->count = 0;
    rico_vec3_copy(x, side->x);
    memcpy(side->R, R, sizeof side->R);
    for (int i = 0; i < 3; i++) side->u[i] = sign * R[3 * i + 2];
    if (side->form == RICO_FORM_ELLIPSOID) {
        const double *s = shape->size;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                double sum = 0.0;
                for (int k = 0; k < 3; k++) sum += R[3 * i + k] * s[k] * s[k] * R[3 * j + k];
                side->Q[3 * i + j] = sum;
            }
    }
    add_pieces(side);
}


void rico_duo_of(const rico_shape *a, const rico_pose *A, const rico_shape *b, const rico_pose *B,
                 rico_duo *duo)
{
    static const double ZERO[3] = {0}, UNIT[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    double d[3], x[3], R[9], turned[9];
    rico_vec3_subtract(A->x, B->x, d);
    rico_mat3_transpose_times(B->R, d, x);
    rico_mat3_transpose(B->R, turned);
    rico_mat3_multiply(turned, A->R, R);
    side_of(a, x, R, 1.0, &duo->a);
    side_of(b, ZERO, UNIT, -1.0, &duo->b);
    duo->size = duo->a.size + duo->b.size;
}


static double polytope_reach(const rico_polytope *p, double sign, const double n[3])
{
    double most = -INFINITY, m[3] = {sign * n[0], sign * n[1], sign * n[2]};
    if (p->half[0] > 0.0) return fabs(n[0]) * p->half[0] + fabs(n[1]) * p->half[1] + fabs(n[2]) * p->half[2];
    for (int32_t i = 0; i < p->vertices; i++) {
        double along = rico_vec3_dot(p->vertex + 3 * i, m);
        most = along > most ? along : most;
    }
    return most;
}


// How long the part of n across u is, both of about unit length.
static inline double length_across(const double n[3], const double u[3])
{
    double cross[3];
    rico_vec3_cross(n, u, cross);
    return sqrt(rico_vec3_dot(cross, cross));
}


double rico_side_reach(const rico_side *side, const double n[3])
{
    const double *s = side->shape->size;
    if (side->polytope) return polytope_reach(side->polytope, side->sign, n);
    double middle = side->sign * rico_vec3_dot(n, side->x), rise = 0.5 * s[1] * rico_vec3_dot(n, side->u),
           base;
    switch (side->form) {
    case RICO_FORM_CYLINDER:
        return middle + fabs(rise) + s[0] * length_across(n, side->u);
    case RICO_FORM_CONE:
        base = s[0] * length_across(n, side->u) - rise;
        return middle + (base > rise ? base : rise);
    case RICO_FORM_CAPSULE:
        return middle + fabs(rise);
    default:
        return rico_piece_reach(&side->piece[0], n);
    }
}


void rico_polytope_face(const rico_side *side, int32_t face, rico_piece *out)
{
    const rico_polytope *p = side->polytope;
    const double *plane = p->plane + 4 * face;
    *out = (rico_piece){.type = RICO_PIECE_FACE, .feature = (uint32_t)(p->vertices + p->edges + face)};
    rico_vec3_scale(side->sign, plane, out->u);
    rico_vec3_scale(side->sign * plane[3], plane, out->p);
}


void rico_polytope_edge(const rico_side *side, int32_t edge, rico_piece *out)
{
    const rico_polytope *p = side->polytope;
    const double *x = p->vertex + 3 * p->edge[4 * edge], *y = p->vertex + 3 * p->edge[4 * edge + 1];
    *out = (rico_piece){.type = RICO_PIECE_RING, .feature = (uint32_t)(p->vertices + edge)};
    for (int i = 0; i < 3; i++) {
        out->p[i] = side->sign * 0.5 * (x[i] + y[i]);
        out->u[i] = side->sign * (y[i] - x[i]);
    }
    double length = rico_vec3_norm(out->u);
    rico_vec3_scale(1.0 / length, out->u, out->u);
    out->low = -0.5 * length;
    out->high = 0.5 * length;
    for (int k = 0; k < 2; k++) out->beside[k] = p->plane + 4 * p->edge[4 * edge + 2 + k];
}


void rico_polytope_vertex(const rico_side *side, int32_t vertex, rico_piece *out)
{
    *out = (rico_piece){.type = RICO_PIECE_POINT, .feature = (uint32_t)vertex};
    rico_vec3_scale(side->sign, side->polytope->vertex + 3 * vertex, out->p);
}


// --- support ---------------------------------------------------------------------------------------------------------

// The part of n across u, and its length.
static inline double part_across(const double n[3], const double u[3], double out[3])
{
    double along = rico_vec3_dot(n, u);
    for (int i = 0; i < 3; i++) out[i] = n[i] - along * u[i];
    // once more, for where n and u are nearly parallel
    along = rico_vec3_dot(out, u);
    for (int i = 0; i < 3; i++) out[i] -= along * u[i];
    return rico_vec3_norm(out);
}


double rico_piece_reach(const rico_piece *piece, const double n[3])
{
    double reach = rico_vec3_dot(n, piece->p), w[3];
    switch (piece->type) {
    case RICO_PIECE_DISC:
        return reach + piece->r * length_across(n, piece->u);
    case RICO_PIECE_ELLIPSOID:
        rico_mat3_times(piece->Q, n, w);
        return reach + sqrt(rico_vec3_dot(n, w));
    case RICO_PIECE_RING:
        return reach + piece->r;
    default:
        return reach;
    }
}


void rico_side_farthest(const rico_side *side, const double n[3], rico_piece *out)
{
    double most = -INFINITY;
    if (side->polytope && side->polytope->half[0] > 0.0) {
        double m[3];
        rico_vec3_scale(side->sign, n, m);
        rico_polytope_vertex(side, rico_polytope_support(side->polytope, m, 0), out);
        return;
    }
    if (side->polytope) {
        int32_t best = 0;
        for (int32_t k = 0; k < side->polytope->vertices; k++) {
            double reach = side->sign * rico_vec3_dot(side->polytope->vertex + 3 * k, n);
            if (reach > most) most = reach, best = k;
        }
        rico_polytope_vertex(side, best, out);
        return;
    }
    const rico_piece *far = NULL;
    for (int i = 0; i < side->count; i++) {
        if (side->piece[i].type >= RICO_PIECE_RING) continue;
        double reach = rico_piece_reach(&side->piece[i], n);
        if (reach > most) most = reach, far = &side->piece[i];
    }
    *out = far ? *far : side->piece[side->count - 1];
}


void rico_piece_bend(const rico_piece *piece, const double n[3], double G[3], double H[9])
{
    double w[3], length;
    rico_vec3_add(G, piece->p, G);
    switch (piece->type) {
    case RICO_PIECE_DISC:
        length = part_across(n, piece->u, w);
        if (!(length > 0.0)) return;
        rico_vec3_scale(1.0 / length, w, w);
        rico_vec3_add_scaled(piece->r, w, G);
        rico_vec3_cross(piece->u, w, w);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) H[3 * i + j] += piece->r / length * w[i] * w[j];
        return;
    case RICO_PIECE_ELLIPSOID:
        rico_mat3_times(piece->Q, n, w);
        length = sqrt(rico_vec3_dot(n, w));
        rico_vec3_add_scaled(1.0 / length, w, G);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                H[3 * i + j] += (piece->Q[3 * i + j] - w[i] / length * (w[j] / length)) / length;
        return;
    case RICO_PIECE_RING:
        // h = n.p + r on the circle: as that of a ball there
        rico_vec3_add_scaled(piece->r, n, G);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) H[3 * i + j] += piece->r * ((i == j) - n[i] * n[j]);
        return;
    default:
        return;
    }
}


// --- where two pieces meet -------------------------------------------------------------------------------------------

// F bent along e and f across n: (p q; q s) and the slopes, of the sum of two pieces.
typedef struct bowl {
    double p, q, s, ge, gf, e[3], f[3], size;
} bowl;


// Adds what a piece has of it, as rico_piece_bend says it.
static void bowl_add(const rico_piece *piece, const double n[3], bowl *at)
{
    double w[3], We[3], Wf[3], length, along_e, along_f;
    at->ge += rico_vec3_dot(at->e, piece->p);
    at->gf += rico_vec3_dot(at->f, piece->p);
    switch (piece->type) {
    case RICO_PIECE_DISC:
        length = part_across(n, piece->u, w);
        if (!(length > 0.0)) return;
        rico_vec3_scale(1.0 / length, w, w);
        at->ge += piece->r * rico_vec3_dot(at->e, w);
        at->gf += piece->r * rico_vec3_dot(at->f, w);
        rico_vec3_cross(piece->u, w, We);
        along_e = rico_vec3_dot(at->e, We), along_f = rico_vec3_dot(at->f, We);
        length = piece->r / length;
        at->p += length * along_e * along_e;
        at->q += length * along_e * along_f;
        at->s += length * along_f * along_f;
        return;
    case RICO_PIECE_ELLIPSOID:
        rico_mat3_times(piece->Q, n, w);
        rico_mat3_times(piece->Q, at->e, We);
        rico_mat3_times(piece->Q, at->f, Wf);
        length = 1.0 / sqrt(rico_vec3_dot(n, w));
        along_e = length * rico_vec3_dot(at->e, w), along_f = length * rico_vec3_dot(at->f, w);
        at->ge += along_e;
        at->gf += along_f;
        at->p += (rico_vec3_dot(at->e, We) - along_e * along_e) * length;
        at->q += (rico_vec3_dot(at->e, Wf) - along_e * along_f) * length;
        at->s += (rico_vec3_dot(at->f, Wf) - along_f * along_f) * length;
        return;
    default:
        return;
    }
}


static void bowl_at(const rico_piece *a, const rico_piece *b, const double n[3], double value, bowl *at)
{
    rico_across(n, at->e, at->f);
    // F is homogeneous: on the sphere its Hessian is H - F I
    at->p = at->s = -value;
    at->q = at->ge = at->gf = 0.0;
    bowl_add(a, n, at);
    bowl_add(b, n, at);
    at->size = fabs(at->p) + fabs(at->q) + fabs(at->s) + fabs(at->ge) + fabs(at->gf);
}


// The step of Newton with mu I added; its length.
static double bowl_step(const bowl *at, double mu, const double n[3], double next[3])
{
    double p = at->p + mu, s = at->s + mu, determinant = p * s - at->q * at->q;
    double x = -(s * at->ge - at->q * at->gf) / determinant, y = -(p * at->gf - at->q * at->ge) / determinant;
    double length = rico_hypot(x, y), factor = length > 1.0 ? 1.0 / length : 1.0;
    for (int i = 0; i < 3; i++) next[i] = n[i] + factor * (x * at->e[i] + y * at->f[i]);
    rico_vec3_normalise(next);
    return length;
}


// Along its axis a disc has a kink; off it, down the slope of the rest, if that is steeper.
static void leave_pole(const rico_piece *disc, const rico_piece *other, double n[3])
{
    double cross[3], G[3] = {0}, H[9] = {0};
    if (disc->type != RICO_PIECE_DISC) return;
    rico_vec3_cross(disc->u, n, cross);
    if (rico_vec3_dot(cross, cross) > 1e-6) return;
    rico_vec3_add(G, disc->p, G);
    rico_piece_bend(other, n, G, H);
    double along = rico_vec3_dot(G, n), kept[3];
    for (int i = 0; i < 3; i++) G[i] -= along * n[i];
    rico_vec3_copy(n, kept);
    if (!rico_vec3_normalise(G)) return;
    for (int i = 0; i < 3; i++) n[i] = kept[i] - 0.2 * G[i];
    rico_vec3_normalise(n);
}


// Whether F is lowest at the pole of a disc that n is near: there it has a kink that the rest is too flat to lead away from, and the cap is
// what meets, not the rim.
static bool at_pole(const rico_piece *disc, const rico_piece *other, const double n[3])
{
    double cross[3], pole[3], G[3] = {0}, H[9] = {0};
    if (disc->type != RICO_PIECE_DISC) return false;
    rico_vec3_cross(disc->u, n, cross);
    if (rico_vec3_dot(cross, cross) > 0.1) return false;
    rico_vec3_scale(rico_vec3_dot(disc->u, n) < 0.0 ? -1.0 : 1.0, disc->u, pole);
    rico_vec3_add(G, disc->p, G);
    rico_piece_bend(other, pole, G, H);
    rico_vec3_cross(pole, G, cross);
    return rico_vec3_dot(cross, cross) < disc->r * disc->r;
}


// Newton for a stationary F on the sphere, downhill, with as much of I as that takes (Levenberg).
static bool newton_free(const rico_piece *a, const rico_piece *b, const double start[3], double n[3])
{
    rico_vec3_copy(start, n);
    leave_pole(a, b, n);
    leave_pole(b, a, n);
    double value = rico_piece_reach(a, n) + rico_piece_reach(b, n), kept = 0.0;
    double noise = 4.0 * DBL_EPSILON * (rico_vec3_norm_inf(a->p) + rico_vec3_norm_inf(b->p) + a->r + b->r);
    for (int iteration = 0; iteration < 40; iteration++) {
        bowl at;
        if (at_pole(a, b, n) || at_pole(b, a, n)) return false;
        bowl_at(a, b, n, value, &at);
        double lowest = 0.5 * (at.p + at.s) - rico_hypot(0.5 * (at.p - at.s), at.q), length = 0.0;
        double mu = lowest > 1e-14 * at.size ? kept : fmax(kept, 1e-3 * at.size - lowest), next[3],
               tried = value;
        int attempt = 0;
        for (; attempt < 12; attempt++) {
            length = bowl_step(&at, mu, n, next);
            if (!(length < INFINITY)) return false;
            tried = rico_piece_reach(a, next) + rico_piece_reach(b, next);
            if (tried <= value + noise + DBL_EPSILON * at.size || length < 1e-8) break;
            mu = fmax(8.0 * mu, 1e-2 * at.size);
        }
        if (attempt == 12) break; // at a kink: the pole of a disc
        rico_vec3_copy(next, n);
        value = tried;
        if (length < 1e-8) break; // quadratic: the step just done left 1e-16
        // what this step took is where the next begins
        kept = mu > 0.02 * at.size ? 0.125 * mu : 0.0;
    }
    return true;
}


// F on the circle of a ring, at the unit vector `across` of its plane.
static double ring_value(const rico_piece *ring, const rico_piece *free, const double across[3], double n[3])
{
    double c = sqrt(1.0 - ring->t * ring->t);
    for (int i = 0; i < 3; i++) n[i] = ring->t * ring->u[i] + c * across[i];
    return rico_vec3_dot(n, ring->p) + rico_piece_reach(free, n);
}


// From `across`, a unit vector of the ring's plane, nearly to where F of ring and disc is lowest on the circle, in numbers alone: n.w and m = n.u of the disc
// are first-degree in cosine and sine, and F = n.w + r sqrt(1 - m^2). What round-off this costs near the disc's pole, newton_ring mends. False: that is
// above `worth`.
static bool slide_on_ring(const rico_piece *ring, const rico_piece *disc, double worth, double across[3])
{
    bool arrived = false;
    double side[3], w[3], c = sqrt(1.0 - ring->t * ring->t), x = 1.0, y = 0.0;
    rico_vec3_cross(ring->u, across, side);
    rico_vec3_add(ring->p, disc->p, w);
    double wx = c * rico_vec3_dot(w, across), wy = c * rico_vec3_dot(w, side);
    double m0 = ring->t * rico_vec3_dot(ring->u, disc->u), mx = c * rico_vec3_dot(disc->u, across),
           my = c * rico_vec3_dot(disc->u, side);
    double m = m0 + mx, q = sqrt(fmax(1.0 - m * m, 1e-12)), value = wx + disc->r * q;
    for (int iteration = 0; iteration < 12; iteration++) {
        double dm = my * x - mx * y, q3 = q * q * q;
        double slope = wy * x - wx * y - disc->r * m * dm / q;
        double bend = -(wx * x + wy * y) - disc->r * (dm * dm / q3 - m * (m - m0) / q);
        double step = bend > 0.0 ? -slope / bend : slope > 0.0 ? -0.5 : 0.5;
        step = fmax(-0.7, fmin(0.7, step));
        double nx = x, ny = y, tried = value;
        for (int attempt = 0; attempt < 6; attempt++, step *= 0.25) {
            double length = sqrt(1.0 + step * step);
            nx = (x - step * y) / length;
            ny = (y + step * x) / length;
            m = m0 + mx * nx + my * ny;
            q = sqrt(fmax(1.0 - m * m, 1e-12));
            tried = wx * nx + wy * ny + disc->r * q;
            if (tried <= value) break;
        }
        if (!(tried <= value)) break;
        x = nx, y = ny, value = tried;
        arrived = fabs(step) < 1e-4;
        if (arrived) break;
    }
    // lowest to a step of 1e-4, and so to its square
    if (arrived &&
        value + ring->t * rico_vec3_dot(w, ring->u) > worth + 1e-6 * (disc->r + fabs(wx) + fabs(wy)))
        return false;
    for (int i = 0; i < 3; i++) across[i] = x * across[i] + y * side[i];
    rico_vec3_normalise(across);
    return true;
}


// Whether n is clearly none of the normals of an edge, which lie between those of its faces. n: of the side as it is, or reflected.
static bool off_arc(const rico_piece *ring, const double n[3])
{
    const double *left = ring->beside[0], *right = ring->beside[1];
    if (!left) return false;
    double c = rico_vec3_dot(left, right), l = rico_vec3_dot(left, n), r = rico_vec3_dot(right, n);
    if (c < -0.9) return false;
    // reflected or not, both are seen from the same side
    if (l + r < 0.0) l = -l, r = -r;
    return r - c * l < -1e-3 || l - c * r < -1e-3;
}


// The same on the circle of a ring, in one angle.
static bool newton_ring(const rico_piece *ring, const rico_piece *free, const double start[3], double worth,
                        double n[3])
{
    double across[3], c = sqrt(1.0 - ring->t * ring->t);
    double length = part_across(start, ring->u, across);
    if (!(length > 1e-8)) {
        double f[3];
        rico_across(ring->u, across, f);
        length = 1.0;
    }
    rico_vec3_scale(1.0 / length, across, across);
    if (free->type == RICO_PIECE_DISC &&
        (!slide_on_ring(ring, free, worth, across) || (worth < INFINITY && off_arc(ring, across))))
        return false;
    double value = ring_value(ring, free, across, n);
    double noise = 4.0 * DBL_EPSILON * (rico_vec3_norm_inf(ring->p) + rico_vec3_norm_inf(free->p) + free->r);
    double kept = 0.0;
    for (int iteration = 0; iteration < 40; iteration++) {
        double G[3], H[9] = {0}, side[3], Ht[3], next[3], step = 0.0, tried = value;
        rico_vec3_copy(ring->p, G);
        rico_piece_bend(free, n, G, H);
        rico_vec3_cross(ring->u, across, side);
        rico_mat3_times(H, side, Ht);
        // n' = c side, n'' = -c across
        double slope = c * rico_vec3_dot(side, G), pull = c * rico_vec3_dot(across, G);
        double curl = c * c * rico_vec3_dot(side, Ht), size = curl + fabs(pull) + fabs(slope),
               bend = curl - pull;
        double mu = bend > 1e-10 * size ? kept : fmax(kept, 1e-2 * size - bend);
        int attempt = 0;
        for (; attempt < 10; attempt++) {
            step = fmax(-1.0, fmin(1.0, -slope / (bend + mu)));
            for (int i = 0; i < 3; i++) next[i] = across[i] + step * side[i];
            rico_vec3_normalise(next);
            tried = ring_value(ring, free, next, n);
            if (tried <= value + noise + DBL_EPSILON * size || fabs(step) < 1e-8) break;
            mu = fmax(8.0 * mu, 1e-2 * size);
        }
        if (attempt == 10) break; // at a kink
        kept = mu > 0.02 * size ? 0.125 * mu : 0.0;
        part_across(next, ring->u, across);
        rico_vec3_normalise(across);
        value = tried;
        if (!(fabs(step) > 1e-8)) break;
    }
    ring_value(ring, free, across, n);
    return true;
}


// n on the ring and lowest along w: closed form.
static int ring_and_point(const rico_piece *ring, const double w[3], double n[3])
{
    double across[3], c = sqrt(1.0 - ring->t * ring->t);
    if (!(part_across(w, ring->u, across) > 0.0)) {
        double f[3];
        rico_across(ring->u, across, f);
    }
    rico_vec3_normalise(across);
    for (int i = 0; i < 3; i++) n[i] = ring->t * ring->u[i] - c * across[i];
    return 1;
}


// Both circles: n = x u + y v +- z (u x v).
static int ring_and_ring(const rico_piece *a, const rico_piece *b, double n[2][3])
{
    double cross[3], cosine = rico_vec3_dot(a->u, b->u);
    rico_vec3_cross(a->u, b->u, cross);
    double sine2 = rico_vec3_dot(cross, cross);
    if (!(sine2 > 1e-30)) return 0;
    double x = (a->t - cosine * b->t) / sine2, y = (b->t - cosine * a->t) / sine2;
    double rest = 1.0 - x * a->t - y * b->t;
    if (rest < 0.0) return 0;
    double z = sqrt(rest / sine2);
    for (int i = 0; i < 3; i++) {
        n[0][i] = x * a->u[i] + y * b->u[i] + z * cross[i];
        n[1][i] = x * a->u[i] + y * b->u[i] - z * cross[i];
    }
    // what round-off left of the three conditions, where the lines are nearly parallel or the circles only just cross
    for (int k = 0; k < 4; k++) {
        double *m = n[k / 2], rise = rico_vec3_dot(m, cross);
        double ra = a->t - rico_vec3_dot(m, a->u), rb = b->t - rico_vec3_dot(m, b->u);
        double dx = (ra - cosine * rb) / sine2, dy = (rb - cosine * ra) / sine2;
        double rest_of = 0.5 * (1.0 - rico_vec3_dot(m, m)) - dx * a->t - dy * b->t;
        rico_vec3_add_scaled(dx, a->u, m);
        rico_vec3_add_scaled(dy, b->u, m);
        if (fabs(rise) > 1e-6) rico_vec3_add_scaled(rest_of / rise, cross, m);
    }
    return rico_vec3_normalise(n[0]) && rico_vec3_normalise(n[1]) ? 2 : 0;
}


// A point outside the cylinder over a disc: straight to its rim. q: the point seen from the middle of the disc, reflected.
static int disc_and_point(const rico_piece *disc, const double w[3], double n[3])
{
    double across[3], length = part_across(w, disc->u, across);
    if (!(length > disc->r)) return 0;
    // in the plane of the axis and the point to the last bit: across it F bends with the radius, however near the point is
    double along = rico_vec3_dot(w, disc->u);
    for (int i = 0; i < 3; i++) n[i] = (disc->r - length) * (across[i] / length) - along * disc->u[i];
    return rico_vec3_normalise(n) ? 1 : 0;
}


int rico_pieces_meet(const rico_piece *a, const rico_piece *b, const double start[3], double worth,
                     double n[2][3])
{
    double w[3];
    if (a->type < b->type) {
        const rico_piece *kept = a;
        a = b;
        b = kept;
    }
    rico_vec3_add(a->p, b->p, w);
    switch (a->type) {
    case RICO_PIECE_FACE:
        rico_vec3_copy(a->u, n[0]);
        return 1;
    case RICO_PIECE_RING:
        if (b->type == RICO_PIECE_RING) return ring_and_ring(a, b, n);
        if (b->type == RICO_PIECE_POINT) return ring_and_point(a, w, n[0]);
        return newton_ring(a, b, start, worth, n[0]) ? 1 : 0;
    case RICO_PIECE_DISC:
        if (b->type == RICO_PIECE_POINT) return disc_and_point(a, w, n[0]);
        return newton_free(a, b, start, n[0]) ? 1 : 0;
    case RICO_PIECE_ELLIPSOID:
        return newton_free(a, b, start, n[0]) ? 1 : 0;
    default:
        rico_vec3_scale(-1.0, w, n[0]);
        return rico_vec3_normalise(n[0]) ? 1 : 0;
    }
}
