// Free rigid bodies as a part: Newton and Euler, on positions and unit quaternions.
//
//     m dv = (m g + F) dt + impulses,     I dw = (kappa I w x w + R'T) dt + impulses,     x' = v,  R' = R [w],
//
// v in the axes of the world, w and I in those of the body. A step turns a body by the exponential R exp(h w).
//
// The factor kappa = tan(a/2) / (a/2), a = h |w|, is 1 + O(h^2). With it the midpoint rule I (w1 - w0) = h kappa I w x w,
// w = (w0 + w1)/2, reads I w1 = cay(-kappa h w) I w0 = exp(-h w) I w0: R1 I w1 = R0 I w0, so that angular momentum is
// kept in space by the very rotation that the step does, and kinetic energy is, as kappa I w x w works nothing along w. Without
// it, energy and the size of the momentum are kept, its direction up to O(h^2).

#include "collide/stand.h"
#include "la/dense.h"
#include "la/quaternion.h"
#include "model/add.h"
#include "model/bodies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Angle from which on a displacement of a body says little of where its points go.
static const double FAR_TURN = 0.5;

// Beyond this turn in a step kappa stays where it is: at pi it has a pole.
static const double LARGEST_TURN = 2.5;

enum { SPACE = 6, PLANE = 3 };


static const rico_bodies *bodies_of(const rico_part *part)
{
    return part->data;
}


// --- kinematics ----------------------------------------------------------------------------------------------------

// Axes of a body of space, row by row, from its seven positions.
static void axes_of(const double *q, double R[9])
{
    rico_quaternion_to_matrix(q + 3, R);
}


static bool retract(const rico_part *part, double *scratch, const double *q, double h, const double *v,
                    double *out)
{
    (void)scratch;
    const rico_bodies *bodies = bodies_of(part);
    if (bodies->dimension == 2) {
        for (int64_t i = 0; i < PLANE * bodies->free; i++) out[i] = q[i] + h * v[i];
        return true;
    }
    for (int64_t i = 0; i < bodies->free; i++, q += 7, v += SPACE, out += 7) {
        double phi[3] = {h * v[3], h * v[4], h * v[5]}, turn[4], turned[4];
        for (int k = 0; k < 3; k++) out[k] = q[k] + h * v[k];
        if (phi[0] == 0.0 && phi[1] == 0.0 && phi[2] == 0.0) {
            memmove(out + 3, q + 3, 4 * sizeof *out);
            continue;
        }
        rico_quaternion_exp(phi, turn);
        rico_quaternion_multiply(q + 3, turn, turned);
        if (!rico_quaternion_normalise(turned)) return false;
        memcpy(out + 3, turned, sizeof turned);
    }
    return true;
}


static int64_t point_reach(const rico_part *part, const rico_point *point, int64_t *dof)
{
    const rico_bodies *bodies = bodies_of(part);
    if (point->item < 0 || point->item >= bodies->free) return -1;
    for (int i = 0; i < bodies->v_size; i++) dof[i] = point->item * bodies->v_size + i;
    return bodies->v_size;
}


static bool point(const rico_part *part, const double *q, const rico_point *p, double *x)
{
    const rico_bodies *bodies = bodies_of(part);
    const double *own = q + p->item * bodies->q_size;
    if (bodies->dimension == 3) {
        rico_quaternion_rotate(own + 3, p->local, x);
        for (int i = 0; i < 3; i++) x[i] += own[i];
        return true;
    }
    double c = cos(own[2]), s = sin(own[2]);
    x[0] = own[0] + c * p->local[0] - s * p->local[1];
    x[1] = own[1] + s * p->local[0] + c * p->local[1];
    x[2] = 0.0;
    return true;
}


// n.(v + R (w x s)) = n.v + (s x R'n).w
static bool point_rows(const rico_part *part, const double *q, const rico_point *p, const double *frame,
                       int size, double *rows)
{
    const rico_bodies *bodies = bodies_of(part);
    const double *own = q + p->item * bodies->q_size, *s = p->local;
    if (bodies->dimension == 3) {
        double R[9], n[3];
        axes_of(own, R);
        for (int j = 0; j < size; j++, rows += SPACE) {
            rico_vec3_copy(frame + 3 * j, rows);
            rico_mat3_transpose_times(R, frame + 3 * j, n);
            rico_vec3_cross(s, n, rows + 3);
        }
        return true;
    }
    double cosine = cos(own[2]), sine = sin(own[2]);
    double arm[2] = {cosine * s[0] - sine * s[1], sine * s[0] + cosine * s[1]};
    for (int j = 0; j < size; j++, rows += PLANE) {
        const double *axis = frame + 3 * j;
        rows[0] = axis[0];
        rows[1] = axis[1];
        rows[2] = axis[1] * arm[0] - axis[0] * arm[1];
    }
    return true;
}


static bool turn_rows(const rico_part *part, const double *q, const rico_point *p, const double axis[3],
                      double *rows)
{
    const rico_bodies *bodies = bodies_of(part);
    double R[9];
    for (int i = 0; i < bodies->dimension; i++) rows[i] = 0.0;
    if (bodies->dimension == 2) {
        rows[2] = axis[2];
        return true;
    }
    axes_of(q + p->item * bodies->q_size, R);
    rico_mat3_transpose_times(R, axis, rows + 3); // velocities are in the axes of the body
    return true;
}


// --- how far they go -----------------------------------------------------------------------------------------------

// By how much a body shifts and turns under d.
static void way_of(const rico_bodies *bodies, const rico_bound_body *body, const double *d, double *shift,
                   double *turn)
{
    *shift = rico_norm(bodies->dimension, d + body->v);
    *turn = rico_norm(bodies->v_size - bodies->dimension, d + body->v + bodies->dimension);
}


static double reach_of(const rico_bound_body *body)
{
    return body->given.shape ? body->given.shape->reach + rico_vec3_norm(body->center) : 0.0;
}


static double longest(const rico_part *part, const double *d)
{
    const rico_bodies *bodies = bodies_of(part);
    double longest = 0.0, shift, turn;
    for (int64_t b = 0; b < bodies->count; b++) {
        const rico_bound_body *body = &bodies->body[b];
        if (body->item < 0) continue;
        way_of(bodies, body, d, &shift, &turn);
        longest = fmax(longest, shift + turn * reach_of(body));
    }
    return longest;
}


static bool flung(const rico_part *part, const double *d)
{
    const rico_bodies *bodies = bodies_of(part);
    double shift, turn;
    for (int64_t b = 0; b < bodies->count; b++) {
        const rico_bound_body *body = &bodies->body[b];
        if (body->item < 0 || !body->given.shape) continue;
        way_of(bodies, body, d, &shift, &turn);
        if (shift > 2.0 * reach_of(body) || turn > FAR_TURN) return true;
    }
    return false;
}


static void cut(const rico_part *part, double longest, double *d, double *lack)
{
    const rico_bodies *bodies = bodies_of(part);
    for (int64_t b = 0; b < bodies->count; b++) {
        const rico_bound_body *body = &bodies->body[b];
        if (body->item < 0 || !body->given.shape) continue;
        double *own = d + body->v, shift = rico_norm(bodies->dimension, own);
        if (!(shift > longest)) continue;
        for (int i = 0; i < bodies->v_size; i++) {
            double less = (longest / shift - 1.0) * own[i];
            own[i] += less;
            lack[body->v + i] += less;
        }
    }
}


// --- mass and load -------------------------------------------------------------------------------------------------

static bool mass(const rico_part *part, double *scratch, const double *q, double *value)
{
    (void)scratch, (void)q;
    const rico_bodies *bodies = bodies_of(part);
    const rico_csc *pattern = &part->pattern;
    int size = bodies->v_size, first = bodies->dimension;
    for (int64_t b = 0; b < bodies->count; b++) {
        const rico_bound_body *body = &bodies->body[b];
        if (body->item < 0) continue;
        for (int j = 0; j < size; j++)
            for (int64_t k = pattern->start[body->v + j]; k < pattern->start[body->v + j + 1]; k++) {
                int64_t i = pattern->row[k] - body->v;
                if (i < 0 || i >= size)
                    value[k] = (i < 0 ? body - 1 : body)->link[j < first ? 0 : 1];
                else if (i < first || j < first)
                    value[k] = i == j ? body->mass - body->shared[0] : 0.0;
                else
                    value[k] =
                        first == 3 ? body->inertia[3 * (i - 3) + j - 3] : body->inertia[8] - body->shared[1];
            }
    }
    return true;
}


static bool load(const rico_part *part, double *scratch, double t, double *f)
{
    (void)scratch, (void)t;
    const rico_bodies *bodies = bodies_of(part);
    for (int64_t b = 0; b < bodies->count; b++) {
        const rico_bound_body *body = &bodies->body[b];
        if (body->item < 0) continue;
        for (int i = 0; i < bodies->dimension; i++) f[body->v + i] += body->mass * bodies->gravity[i];
    }
    return true;
}


// --- forces --------------------------------------------------------------------------------------------------------

// kappa and its derivative with respect to a.
static double kappa(double a, double *slope)
{
    *slope = 0.0;
    if (a >= LARGEST_TURN) a = LARGEST_TURN;
    double x = 0.5 * a;
    if (x < 1e-2) {
        double s = x * x;
        *slope = x * (1.0 / 3.0 + s * (4.0 / 15.0 + s * (17.0 / 105.0)));
        return 1.0 + s * (1.0 / 3.0 + s * (2.0 / 15.0 + s * (17.0 / 315.0)));
    }
    double tangent = tan(x);
    if (a < LARGEST_TURN) *slope = 0.5 * (x * (1.0 + tangent * tangent) - tangent) / (x * x);
    return tangent / x;
}


// Adds kappa I w x w.
static void add_gyroscopic(const rico_bound_body *body, double h, const double *w, double *f)
{
    double momentum[3], torque[3], slope;
    rico_mat3_times(body->inertia, w, momentum);
    rico_vec3_cross(momentum, w, torque);
    rico_vec3_add_scaled(kappa(h * rico_vec3_norm(w), &slope), torque, f);
}


// C = -d/dw [kappa I w x w] = kappa ([w] I - [I w]) - (I w x w) kappa' h w'/|w|.
static void gyroscopic_damping(const rico_bound_body *body, double h, const double *w, double C[9])
{
    double momentum[3], torque[3], cross[9], turned[9], slope, norm = rico_vec3_norm(w);
    rico_mat3_times(body->inertia, w, momentum);
    rico_vec3_cross(momentum, w, torque);
    double factor = kappa(h * norm, &slope);
    rico_mat3_cross(w, cross);
    rico_mat3_multiply(cross, body->inertia, turned);
    rico_mat3_cross(momentum, cross);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            C[3 * i + j] = factor * (turned[3 * i + j] - cross[3 * i + j]) -
                           (norm > 0.0 ? torque[i] * slope * h * w[j] / norm : 0.0);
}


// The stand of a body's own axes at its positions.
static void stand_of(const rico_bodies *bodies, const rico_bound_body *body, const double *q, rico_stand *out)
{
    double arm[3];
    if (bodies->dimension == 3)
        memcpy(out->orientation, q + 3, sizeof out->orientation);
    else
        rico_quaternion_set(cos(0.5 * q[2]), 0.0, 0.0, sin(0.5 * q[2]), out->orientation);
    rico_quaternion_rotate(out->orientation, body->center, arm);
    for (int i = 0; i < 3; i++) out->position[i] = (i < bodies->dimension ? q[i] : 0.0) - arm[i];
}


// What a body's own function applies, along its velocities.
static bool given_force(const rico_bodies *bodies, const rico_bound_body *body, double t, const double *q,
                        const double *v, double *f)
{
    double velocity[3] = {v[0], v[1], 0.0}, spin[3] = {0.0, 0.0, 0.0}, force[3] = {0.0, 0.0, 0.0},
           torque[3] = {0.0, 0.0, 0.0};
    bool space = bodies->dimension == 3;
    rico_stand stand;
    stand_of(bodies, body, q, &stand);
    if (space) {
        velocity[2] = v[2];
        rico_quaternion_rotate(stand.orientation, v + 3, spin);
    } else {
        spin[2] = v[2];
    }
    if (!body->given.force(body->given.user, t, &stand, velocity, spin, force, torque)) return false;
    for (int i = 0; i < 3; i++)
        if (!isfinite(force[i]) || !isfinite(torque[i])) return false;
    memcpy(f, force, (size_t)bodies->dimension * sizeof *f);
    if (space)
        rico_quaternion_rotate_back(stand.orientation, torque, f + 3);
    else
        f[2] = torque[2];
    return true;
}


static bool forces(const rico_part *part, double *scratch, double t, const double *q, const double *v,
                   double *applied, double *damping, double *conservative)
{
    (void)damping, (void)conservative;
    const rico_bodies *bodies = bodies_of(part);
    if (part->idle) return true;
    for (int64_t b = 0; b < bodies->count; b++) {
        const rico_bound_body *body = &bodies->body[b];
        double f[SPACE];
        if (body->item < 0) continue;
        if (bodies->dimension == 3 && !body->isotropic)
            add_gyroscopic(body, *scratch, v + body->v + 3, applied + body->v + 3);
        if (!body->given.force) continue;
        if (!given_force(bodies, body, t, q + body->q, v + body->v, f)) return false;
        for (int i = 0; i < bodies->v_size; i++) applied[body->v + i] += f[i];
    }
    return true;
}


// Columns of K and C of a body's own function, by central differences along each of its motions.
static bool given_tangents(const rico_bodies *bodies, const rico_bound_body *body, double t, const double *q,
                           const double *v, double *K, double *C)
{
    int n = bodies->v_size;
    double size_q = 1.0, size_v = 1.0, f[2][SPACE], moved[7], push[SPACE];
    for (int i = 0; i < bodies->q_size; i++) size_q = fmax(size_q, fabs(q[i]));
    for (int i = 0; i < n; i++) size_v = fmax(size_v, fabs(v[i]));
    for (int j = 0; j < 2 * n; j++) {
        double step = 6e-6 * (j < n ? size_q : size_v);
        for (int side = 0; side < 2; side++) {
            double by = side ? -step : step, turn[4], phi[3] = {0.0, 0.0, 0.0};
            memcpy(moved, q, (size_t)bodies->q_size * sizeof *moved);
            memcpy(push, v, (size_t)n * sizeof *push);
            if (j >= n) {
                push[j - n] += by;
            } else if (n == PLANE || j < 3) {
                moved[j] += by;
            } else {
                phi[j - 3] = by;
                rico_quaternion_exp(phi, turn);
                rico_quaternion_multiply(q + 3, turn, moved + 3);
            }
            if (!given_force(bodies, body, t, moved, push, f[side])) return false;
        }
        for (int i = 0; i < n; i++) (j < n ? K : C)[i + n * (j % n)] = -(f[0][i] - f[1][i]) / (2.0 * step);
    }
    return true;
}


static bool tangents(const rico_part *part, double *scratch, double t, const double *q, const double *v,
                     double *K, double *C)
{
    const rico_bodies *bodies = bodies_of(part);
    const rico_csc *pattern = &part->pattern;
    int n = bodies->v_size;
    size_t bytes = (size_t)rico_csc_count(pattern) * sizeof *K;
    memset(K, 0, bytes);
    memset(C, 0, bytes);
    for (int64_t b = 0; b < bodies->count; b++) {
        const rico_bound_body *body = &bodies->body[b];
        double own_K[SPACE * SPACE] = {0.0}, own_C[SPACE * SPACE] = {0.0}, spin[9] = {0.0};
        if (body->item < 0 || (body->isotropic && !body->given.force)) continue;
        if (n == SPACE && !body->isotropic) gyroscopic_damping(body, *scratch, v + body->v + 3, spin);
        if (body->given.force && !given_tangents(bodies, body, t, q + body->q, v + body->v, own_K, own_C))
            return false;
        for (int i = 0; n == SPACE && i < 9; i++) own_C[3 + i / 3 + n * (3 + i % 3)] += spin[i];
        for (int j = 0; j < n; j++)
            for (int64_t k = pattern->start[body->v + j]; k < pattern->start[body->v + j + 1]; k++) {
                int64_t i = pattern->row[k] - body->v;
                if (i < 0 || i >= n) continue; // of a neighbour, which shares its mass
                K[k] = own_K[i + n * j];
                C[k] = own_C[i + n * j];
            }
    }
    return true;
}


static bool potential(const rico_part *part, double *scratch, const double *q, double *V)
{
    (void)part, (void)scratch, (void)q;
    *V = 0.0;
    return true;
}


static void pace(const rico_part *part, double *scratch, double h)
{
    (void)part;
    *scratch = h;
}


static void release(rico_part *part)
{
    (void)part; // the set is its user's
}


static const rico_part_kind BODIES = {.mass = mass,
                                      .load = load,
                                      .forces = forces,
                                      .tangents = tangents,
                                      .potential = potential,
                                      .retract = retract,
                                      .pace = pace,
                                      .release = release,
                                      .point_reach = point_reach,
                                      .point = point,
                                      .point_rows = point_rows,
                                      .turn_rows = turn_rows,
                                      .longest = longest,
                                      .cut = cut,
                                      .flung = flung};


const rico_bodies *rico_part_bodies(const rico_part *part)
{
    return part->kind == &BODIES ? part->data : NULL;
}


// --- into a system -------------------------------------------------------------------------------------------------

// Whether entry (i, j) of a body's block may differ from zero: with a force of its own all, else what its inertia has.
static bool entry(const rico_bodies *bodies, const rico_bound_body *body, int i, int j)
{
    if (i == j || body->given.force) return true;
    return bodies->dimension == 3 && i >= 3 && j >= 3 && !body->isotropic;
}


// Whether velocity j of a body shares its mass with that of the next one.
static bool linked(const rico_bodies *bodies, int64_t body, int j)
{
    return body >= 0 && bodies->body[body].link[j < bodies->dimension ? 0 : 1] > 0.0;
}


static rico_status take_pattern(const rico_bodies *bodies, rico_part *part)
{
    rico_context *ctx = part->ctx;
    rico_csc *pattern = &part->pattern;
    int n = bodies->v_size;
    int64_t at = 0, size = bodies->free * n;
    pattern->ctx = ctx;
    pattern->rows = pattern->cols = size;
    pattern->start = rico_alloc(ctx, size + 1, sizeof *pattern->start);
    pattern->row = rico_alloc(ctx, size * (n + 2), sizeof *pattern->row);
    pattern->value = rico_alloc(ctx, size * (n + 2), sizeof *pattern->value);
    if (!pattern->start || !pattern->row || !pattern->value) return RICO_NO_MEMORY;
    for (int64_t b = 0; b < bodies->count; b++) {
        const rico_bound_body *body = &bodies->body[b];
        for (int j = 0; body->item >= 0 && j < n; j++) {
            pattern->start[body->v + j] = at;
            if (linked(bodies, b - 1, j)) pattern->row[at++] = body->v - n + j;
            for (int i = 0; i < n; i++)
                if (entry(bodies, body, i, j)) pattern->row[at++] = body->v + i;
            if (linked(bodies, b, j)) pattern->row[at++] = body->v + n + j;
        }
    }
    pattern->start[size] = at;
    return RICO_OK;
}


static void describe(const rico_bodies *bodies, rico_part *part)
{
    bool moved = false;
    const rico_bodies *all = bodies->whole ? bodies->whole : bodies;
    for (int64_t b = 0; b < all->count; b++) {
        const rico_bound_body *body = &all->body[b];
        if (body->item < 0) continue;
        moved |= body->given.force || (bodies->dimension == 3 && !body->isotropic);
    }
    part->constant_mass = part->constant_load = part->loaded = true;
    part->constant_tangents = part->symmetric = part->idle = !moved;
    part->stiff = part->damped = false;
    part->stiff = moved;
    part->curved = bodies->dimension == 3;
    part->trusted = !moved;
    part->scratch = 1;
    part->point_reach = part->group = bodies->v_size;
}


static int in_order(const void *one, const void *two)
{
    const int64_t *a = one, *b = two;
    if (a[0] != b[0]) return a[0] < b[0] ? -1 : 1;
    return a[1] < b[1] ? -1 : a[1] > b[1];
}


rico_status rico_system_add_bodies(rico_system *system, const char *name, rico_bodies *bodies,
                                   rico_place *place)
{
    rico_context *ctx = system->ctx;
    if (bodies->bound)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "%s: these bodies are in a system already", name);
    // bodies that stand still or are moved may be in the way of other parts
    if (bodies->free == 0 && system->part_count == 0 && !bodies->whole)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "%s: no body is free to move", name);
    if (bodies->exclusion_count > 1)
        qsort(bodies->exclusion, (size_t)bodies->exclusion_count, 2 * sizeof *bodies->exclusion, in_order);
    rico_part *part = NULL;
    rico_status status = rico_bodies_check_laws(bodies, system);
    if (status == RICO_OK) status = rico_part_create(system, name, &BODIES, &part);
    if (status == RICO_OK) {
        part->data = bodies;
        describe(bodies, part);
        status = take_pattern(bodies, part);
    }
    if (status == RICO_OK)
        status =
            rico_part_add(system, part, bodies->free * bodies->q_size, bodies->free * bodies->v_size, place);
    if (status != RICO_OK) {
        rico_part_destroy(part);
        return status;
    }
    bodies->part = system->part_count - 1;
    bodies->place = part->place;
    bodies->bound = true;
    status = rico_bodies_bind_springs(system, bodies);
    if (status == RICO_OK) status = rico_bodies_bind_beams(system, bodies);
    const rico_contact_source source = rico_bodies_source(bodies);
    if (status == RICO_OK) status = rico_system_add_source(system, name, &source);
    return status;
}


rico_status rico_system_pin_body(rico_system *system, const rico_bodies *bodies, const char *name,
                                 int64_t body, int64_t *index)
{
    if (!bodies->bound || body < 0 || body >= bodies->count || bodies->body[body].item < 0)
        return rico_fail(system->ctx, RICO_BAD_ARGUMENT, "pin %s: body %lld is not free, or in no system",
                         name, (long long)body);
    const rico_bound_body *own = &bodies->body[body];
    int n = bodies->dimension;
    rico_constraint made = {.kind = &rico_pin_kind, .joint = true, .size = n, .dof_count = n};
    rico_emitted *between = &made.between;
    rico_stand_point(&own->given.stand, own->center, between->a.local);
    between->a.part = -1;
    between->b = rico_bodies_point(bodies, bodies->part, body, own->center);
    between->dimension = n;
    int64_t dof[3];
    double gradient[9] = {0.0};
    for (int i = 0; i < n; i++) {
        dof[i] = bodies->place.v + own->v + i;
        gradient[i + n * i] = 1.0;
    }
    rico_mat3_identity(between->frame);
    return rico_system_add_constraint(system, name, &made, dof, gradient, index);
}


void rico_bodies_start(const rico_bodies *bodies, double *q, double *v)
{
    for (int64_t b = 0; b < bodies->count; b++) {
        const rico_bound_body *body = &bodies->body[b];
        const rico_stand *stand = &body->given.stand;
        double x[3];
        if (body->item < 0) continue;
        double *own_q = q + body->q, *own_v = v + body->v;
        rico_quaternion_rotate(stand->orientation, body->center, x);
        rico_vec3_add(stand->position, x, x);
        memcpy(own_q, x, (size_t)bodies->dimension * sizeof *x);
        memcpy(own_v, body->given.velocity, (size_t)bodies->dimension * sizeof *own_v);
        if (bodies->dimension == 3) {
            memcpy(own_q + 3, stand->orientation, sizeof stand->orientation);
            rico_quaternion_rotate_back(stand->orientation, body->given.spin, own_v + 3);
        } else {
            own_q[2] = 2.0 * atan2(stand->orientation[3], stand->orientation[0]);
            own_v[2] = body->given.spin[2];
        }
    }
}


bool rico_bodies_stand(const rico_bodies *bodies, int64_t body, double t, const double *q, rico_stand *out)
{
    const rico_bound_body *of = &bodies->body[body];
    double velocity[3], spin[3];
    *out = of->given.stand;
    if (of->given.type == RICO_BODY_MOVED)
        return of->given.motion(of->given.user, t, out, velocity, spin) &&
               rico_quaternion_normalise(out->orientation);
    if (of->item >= 0) stand_of(bodies, of, q + of->q, out);
    return true;
}


bool rico_bodies_pose(const rico_bodies *bodies, const rico_bound_body *body, double t, const double *q,
                      rico_pose *out)
{
    rico_stand stand;
    if (!rico_bodies_stand(bodies, body - bodies->body, t, q, &stand)) return false;
    if (bodies->dimension == 3 || body->item < 0) return rico_pose_of(&stand, out);
    // in the plane from the angle itself, which may count many turns
    double c = cos(q[body->q + 2]), s = sin(q[body->q + 2]);
    const double R[9] = {c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0};
    memcpy(out->R, R, sizeof out->R);
    out->x[0] = q[body->q] - c * body->center[0] + s * body->center[1];
    out->x[1] = q[body->q + 1] - s * body->center[0] - c * body->center[1];
    out->x[2] = 0.0;
    return true;
}
