// Springs and dampers between points of bodies, as interactions with exact tangents.
//
// With d = p_b - p_a, l = |d|, u = d/l and J the velocity of a point by the velocities of its body, the force F = k (l - l0) + c l'
// pulls a along J_a'u and b along -J_b'u.

#include "la/quaternion.h"
#include "model/add.h"
#include "model/body_joints.h"

#include <string.h>

enum { MOST = 6 }; // velocities of a body

// One end of a spring at a state.
typedef struct end {
    int n;               // velocities of its body; 0: it stands on what is not free
    double x[3], dx[3];  // the point and its velocity
    double J[3 * MOST];  // row by row
    double R[9], arm[3]; // axes of the body; from its center to the point, in them
    double spin[3];      // in them
} end;

typedef struct line {
    end side[2];
    double length, u[3], force; // force: F, positive when it pulls
    double elastic;             // its share k (l - l0)
} line;


// v = NULL: the place alone.
static bool end_at(const rico_bodies *bodies, int64_t index, const double own[3], double t, const double *q,
                   const double *v, end *out)
{
    memset(out, 0, sizeof *out);
    rico_vec3_copy(own, out->x);
    if (index < 0) return true;
    const rico_bound_body *body = &bodies->body[index];
    rico_pose pose;
    if (!rico_bodies_pose(bodies, body, t, q, &pose)) return false;
    rico_pose_point(&pose, own, out->x);
    if (body->given.type == RICO_BODY_MOVED) {
        rico_stand stand;
        double velocity[3] = {0.0}, spin[3] = {0.0}, arm[3];
        if (!body->given.motion(body->given.user, t, &stand, velocity, spin)) return false;
        rico_vec3_subtract(out->x, pose.x, arm);
        rico_vec3_cross(spin, arm, out->dx);
        rico_vec3_add(out->dx, velocity, out->dx);
    }
    if (body->item < 0 || !v) return true;

    int n = out->n = bodies->v_size;
    memcpy(out->R, pose.R, sizeof out->R);
    rico_vec3_subtract(own, body->center, out->arm);
    if (n == 6)
        rico_vec3_copy(v + body->v + 3, out->spin);
    else
        out->spin[2] = v[body->v + 2];
    for (int j = 0; j < n; j++) {
        double along[3] = {0.0, 0.0, 0.0}, turned[3], moved[3];
        if (j < bodies->dimension) {
            out->J[j * n + j] = 1.0;
            continue;
        }
        along[n == 6 ? j - 3 : 2] = 1.0;
        rico_vec3_cross(along, out->arm, turned);
        rico_mat3_times(pose.R, turned, moved);
        for (int i = 0; i < 3; i++) out->J[i * n + j] = moved[i];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < n; j++) out->dx[i] += out->J[i * n + j] * v[body->v + j];
    return true;
}


static bool line_at(const rico_bound_spring *spring, double t, const double *q, const double *v, line *out)
{
    const rico_bodies *bodies = spring->bodies;
    const rico_body_spring *given = &spring->given;
    double d[3], rate = 0.0;
    q += bodies->place.q;
    v += bodies->place.v;
    if (!end_at(bodies, given->a, given->on_a, t, q, v, &out->side[0]) ||
        !end_at(bodies, given->b, given->on_b, t, q, v, &out->side[1]))
        return false;
    rico_vec3_subtract(out->side[1].x, out->side[0].x, d);
    out->length = rico_vec3_norm(d);
    for (int i = 0; i < 3; i++) {
        out->u[i] = out->length > 0.0 ? d[i] / out->length : 0.0;
        rate += out->u[i] * (out->side[1].dx[i] - out->side[0].dx[i]);
    }
    out->elastic = given->stiffness * (out->length - given->rest);
    out->force = out->elastic + given->damping * rate;
    return true;
}


// g = J'w, with the sign of the side: how the length changes with its velocities when w = u.
static void pull(const end *side, double sign, const double w[3], double *g)
{
    for (int j = 0; j < side->n; j++) {
        g[j] = 0.0;
        for (int i = 0; i < 3; i++) g[j] += sign * side->J[i * side->n + j] * w[i];
    }
}


static const double SIGN[2] = {-1.0, 1.0}; // of a and b in the length


static int64_t body_of(const rico_bound_spring *spring, int side)
{
    return side ? spring->given.b : spring->given.a;
}


static int64_t first_velocity(const rico_bound_spring *spring, int side)
{
    return spring->bodies->place.v + spring->bodies->body[body_of(spring, side)].v;
}


// Held by a body that is moved: its energy is no function of the state, and all that it does is work from outside.
static bool driven(const rico_bound_spring *spring)
{
    for (int s = 0; s < 2; s++) {
        int64_t body = body_of(spring, s);
        if (body >= 0 && spring->bodies->body[body].given.type == RICO_BODY_MOVED) return true;
    }
    return false;
}


static bool forces(void *user, double *scratch, double t, const double *q, const double *v, double *applied,
                   double *damping, double *conservative)
{
    (void)scratch;
    const rico_bound_spring *spring = user;
    line at;
    if (!line_at(spring, t, q, v, &at)) return false;
    for (int s = 0; s < 2; s++) {
        double g[MOST];
        pull(&at.side[s], SIGN[s], at.u, g);
        for (int j = 0; j < at.side[s].n; j++) {
            int64_t i = first_velocity(spring, s) + j;
            if (driven(spring)) {
                applied[i] -= at.force * g[j];
                continue;
            }
            conservative[i] -= at.elastic * g[j];
            damping[i] -= (at.force - at.elastic) * g[j];
        }
    }
    return true;
}


static bool potential(void *user, double *scratch, const double *q, double *V)
{
    (void)scratch;
    const rico_bound_spring *spring = user;
    const rico_body_spring *given = &spring->given;
    end a, b;
    double d[3];
    q += spring->bodies->place.q;
    if (!end_at(spring->bodies, given->a, given->on_a, 0.0, q, NULL, &a) ||
        !end_at(spring->bodies, given->b, given->on_b, 0.0, q, NULL, &b))
        return false;
    rico_vec3_subtract(b.x, a.x, d);
    double stretch = rico_vec3_norm(d) - given->rest;
    *V = 0.5 * given->stiffness * stretch * stretch;
    return true;
}


// d(l')/dq of one side: the line turns, and with the body the velocity of the point does.
static void rate_gradient(const line *at, int s, double *g)
{
    const end *side = &at->side[s];
    double relative[3], along, across[3];
    rico_vec3_subtract(at->side[1].dx, at->side[0].dx, relative);
    along = rico_vec3_dot(relative, at->u);
    for (int i = 0; i < 3; i++)
        across[i] = at->length > 0.0 ? (relative[i] - along * at->u[i]) / at->length : 0.0;
    pull(side, SIGN[s], across, g);
    if (side->n == 0) return;
    double local[3], moved[3], turned[3];
    rico_mat3_transpose_times(side->R, at->u, local);
    rico_vec3_cross(side->spin, side->arm, moved);
    rico_vec3_cross(moved, local, turned);
    for (int i = 0; i < 3; i++)
        if (side->n == 6)
            g[3 + i] += SIGN[s] * turned[i];
        else if (i == 2)
            g[2] += SIGN[s] * turned[i];
}


// Minus the derivative of -F J'u by the turn of its own body: d(arm x R'u) = arm x (R'u x dphi).
// The axes i and j are those of the body, 0 to 2.
static double own_turn(const end *side, const double u[3], int i, int j)
{
    double local[3], axis[3] = {j == 0, j == 1, j == 2}, turned[3], out[3];
    rico_mat3_transpose_times(side->R, u, local);
    rico_vec3_cross(local, axis, turned);
    rico_vec3_cross(side->arm, turned, out);
    return i == 0 ? out[0] : i == 1 ? out[1] : out[2];
}


// K = -d(force)/dq, C = -d(force)/dv of the velocities of both ends, in the order of the entries.
static bool tangents(void *user, double *scratch, double t, const double *q, const double *v, double *K,
                     double *C)
{
    (void)scratch;
    const rico_bound_spring *spring = user;
    const rico_body_spring *given = &spring->given;
    line at;
    if (!line_at(spring, t, q, v, &at)) return false;
    // F/l, and its limit where the spring is closed
    double slack = at.length > 0.0 ? at.force / at.length : given->rest == 0.0 ? given->stiffness : 0.0;
    double g[2][MOST], rate[2][MOST];
    for (int s = 0; s < 2; s++) {
        pull(&at.side[s], SIGN[s], at.u, g[s]);
        rate_gradient(&at, s, rate[s]);
    }
    int first = spring->bodies->dimension;
    int64_t k = 0;
    for (int s = 0; s < 2; s++)
        for (int r = 0; r < 2; r++)
            for (int j = 0; j < at.side[r].n; j++)
                for (int i = 0; i < at.side[s].n; i++, k++) {
                    const end *one = &at.side[s], *two = &at.side[r];
                    double across = 0.0;
                    for (int d = 0; d < 3; d++) across += one->J[d * one->n + i] * two->J[d * two->n + j];
                    K[k] = given->stiffness * g[s][i] * g[r][j] + given->damping * g[s][i] * rate[r][j] +
                           slack * (SIGN[s] * SIGN[r] * across - g[s][i] * g[r][j]);
                    C[k] = given->damping * g[s][i] * g[r][j];
                    if (s == r && i >= first && j >= first)
                        K[k] += at.force * SIGN[s] *
                                own_turn(one, at.u, first == 3 ? i - 3 : 2, first == 3 ? j - 3 : 2);
                }
    return true;
}


// What it does to both of its ends, for reports.
static bool report(const void *data, double t, const double *q, const double *v, rico_joint_reaction *out,
                   double *effort)
{
    const rico_bound_spring *spring = data;
    line at;
    (void)effort;
    if (!line_at(spring, t, q, v, &at)) return false;
    rico_vec3_add_scaled(at.force, at.u, out->force_a);
    rico_vec3_add_scaled(-at.force, at.u, out->force_b);
    return true;
}


static rico_status bind(rico_system *system, rico_bodies *bodies, rico_bound_spring *spring)
{
    spring->bodies = bodies;
    int64_t row[4 * MOST * MOST], col[4 * MOST * MOST], count = 0;
    for (int s = 0; s < 2; s++)
        for (int r = 0; r < 2; r++) {
            int64_t one = body_of(spring, s), two = body_of(spring, r);
            if (one < 0 || two < 0 || bodies->body[one].item < 0 || bodies->body[two].item < 0) continue;
            for (int j = 0; j < bodies->v_size; j++)
                for (int i = 0; i < bodies->v_size; i++) {
                    row[count] = first_velocity(spring, s) + i;
                    col[count++] = first_velocity(spring, r) + j;
                }
        }
    if (count == 0)
        return rico_fail(bodies->ctx, RICO_BAD_ARGUMENT, "%s joins two bodies that are not free",
                         spring->name);
    const rico_interaction made = {.K = {count, row, col},
                                   .C = {count, row, col},
                                   .damped = spring->given.damping > 0.0,
                                   .stiff = true,
                                   .forces = forces,
                                   .tangents = tangents,
                                   .potential = driven(spring) ? NULL : potential,
                                   .user = spring};
    rico_joint_element element = {.info = {.constraint = -1}, .force = report, .data = spring};
    element.pair.bodies = bodies;
    for (int s = 0; s < 2; s++) {
        element.pair.side[s].body = body_of(spring, s);
        rico_vec3_copy(s ? spring->given.on_b : spring->given.on_a, element.pair.side[s].point);
    }
    rico_status status = rico_joint_element_add(system, spring->name, &element);
    return status == RICO_OK ? rico_system_add_interaction(system, spring->name, &made) : status;
}


rico_status rico_bodies_bind_springs(rico_system *system, rico_bodies *bodies)
{
    rico_status status = RICO_OK;
    for (int64_t i = 0; status == RICO_OK && i < bodies->spring_count; i++)
        status = bind(system, bodies, &bodies->spring[i]);
    return status;
}
