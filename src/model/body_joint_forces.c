// Forces in joints that follow from the state: springs, dampers and torques along a coordinate, bushings, laws between two points.
//
// Along a function g of the relative pose (body_joints.c), with G its row of velocities, a force f(t, g, g') is the generalized force
// G'f on both bodies. Its tangents are
//
//     K = -(f_g G'G + f_g' G'(dg'/dq) + f dG'/dq),     C = -f_g' G'G,
//
// dG/dq and dg'/dq by central differences along displacements and turns of each body: what they are off by only costs Newton's loop.

#include "model/add.h"
#include "model/body_joint_view.h"

#include <string.h>

enum { MOST = 6 }; // velocities of a body

typedef struct joint_force {
    rico_joint_pair pair;
    int rows;
    const rico_joint_row *row[RICO_JOINT_ROWS];
    double stiffness[RICO_JOINT_ROWS], damping[RICO_JOINT_ROWS], free;
    bool wraps;         // an angle: the way from `free` is the shorter one
    rico_joint_law law; // in the place of spring and damper; or NULL
    void *user;
    int64_t first[2]; // of the velocities of each side in the system; -1: it has none
    bool driven;      // held by what moves as a function of time
} joint_force;

// One row at a state.
typedef struct pull {
    double g, rate, G[2][MOST];
    double force, by_g, by_rate, elastic;
} pull;


// --- at a state ------------------------------------------------------------------------------------------------------

// Value, rate and G of a row.
static bool look(const joint_force *own, int r, const rico_joint_view *at, const double *v, pull *out)
{
    rico_joint_value row;
    double n[3], m[3];
    memset(&row, 0, sizeof row);
    memset(out, 0, sizeof *out);
    if (!own->row[r]->value(0.0, at->p, at->C, &row)) return false;
    out->g = row.g;
    if (v) out->rate = rico_joint_row_rate(&own->pair, at, &row, v);
    rico_joint_wrench(at, &row, n, m);
    for (int s = 0; s < 2; s++) {
        double force[3], torque[3];
        if (own->first[s] < 0) continue;
        rico_joint_on_side(at, s, n, m, force, torque);
        rico_joint_add_columns(own->pair.bodies, &at->side[s], force, torque, 1.0, out->G[s]);
    }
    return true;
}


static double stretch(const joint_force *own, double g)
{
    return own->wraps ? remainder(g - own->free, 2.0 * M_PI) : g - own->free;
}


static bool weigh(const joint_force *own, int r, double t, pull *out)
{
    if (own->law)
        return own->law(own->user, t, out->g, out->rate, &out->force, &out->by_g, &out->by_rate) &&
               isfinite(out->force);
    out->elastic = -own->stiffness[r] * stretch(own, out->g);
    out->force = out->elastic - own->damping[r] * out->rate;
    out->by_g = -own->stiffness[r];
    out->by_rate = -own->damping[r];
    return true;
}


static bool forces(void *user, double *scratch, double t, const double *q, const double *v, double *applied,
                   double *damping, double *conservative)
{
    (void)scratch;
    const joint_force *own = user;
    rico_joint_view at;
    if (!rico_joint_see(&own->pair, t, q, &at)) return false;
    for (int r = 0; r < own->rows; r++) {
        pull is;
        if (!look(own, r, &at, v, &is) || !weigh(own, r, t, &is)) return false;
        for (int s = 0; s < 2; s++)
            for (int i = 0; own->first[s] >= 0 && i < own->pair.bodies->v_size; i++) {
                int64_t to = own->first[s] + i;
                if (own->law || own->driven) {
                    applied[to] += is.force * is.G[s][i];
                    continue;
                }
                conservative[to] += is.elastic * is.G[s][i];
                damping[to] += (is.force - is.elastic) * is.G[s][i];
            }
    }
    return true;
}


static bool potential(void *user, double *scratch, const double *q, double *V)
{
    (void)scratch;
    const joint_force *own = user;
    rico_joint_view at;
    *V = 0.0;
    if (!rico_joint_see(&own->pair, 0.0, q, &at)) return false;
    for (int r = 0; r < own->rows; r++) {
        pull is;
        if (!look(own, r, &at, NULL, &is)) return false;
        double way = stretch(own, is.g);
        *V += 0.5 * own->stiffness[r] * way * way;
    }
    return true;
}


// --- tangents --------------------------------------------------------------------------------------------------------

// The view with side s displaced along, or turned about, its j-th velocity.
static void displace(const joint_force *own, int s, int j, double by, rico_joint_view *at)
{
    const rico_joint_frame *frame = &own->pair.side[s];
    rico_joint_side *side = &at->side[s];
    int dimension = own->pair.bodies->dimension;
    if (j < dimension) {
        side->x[j] += by;
    } else {
        double turn[4] = {cos(0.5 * by), 0.0, 0.0, 0.0}, R[9], turned[9], before[3], after[3];
        turn[dimension == 3 ? j - 2 : 3] = sin(0.5 * by);
        rico_quaternion_to_matrix(turn, turned);
        rico_mat3_multiply(side->R, turned, R);
        rico_mat3_times(side->R, side->arm, before);
        rico_mat3_times(R, side->arm, after);
        for (int i = 0; i < 3; i++) side->x[i] += after[i] - before[i];
        memcpy(side->R, R, sizeof R);
        for (int i = 0; i < 9; i += 3) rico_mat3_times(R, frame->axes + i, side->axes + i);
    }
    rico_joint_relate(at);
}


// One column of the tangents of row r: along velocity j of side s.
static bool column(const joint_force *own, int r, const rico_joint_view *at, const double *v, const pull *is,
                   int s, int j, double K[2][MOST], double C[2][MOST])
{
    double apart = rico_vec3_norm(at->d), step = j >= own->pair.bodies->dimension ? 1e-6
                                                 : apart > 0.0                    ? 1e-6 * apart
                                                                                  : 1.0;
    pull side[2];
    for (int k = 0; k < 2; k++) {
        rico_joint_view moved = *at;
        displace(own, s, j, k == 0 ? -step : step, &moved);
        if (!look(own, r, &moved, v, &side[k])) return false;
    }
    double rate = (side[1].rate - side[0].rate) / (2.0 * step);
    for (int o = 0; o < 2; o++)
        for (int i = 0; i < own->pair.bodies->v_size; i++) {
            double turning = (side[1].G[o][i] - side[0].G[o][i]) / (2.0 * step);
            K[o][i] -= (is->by_g * is->G[s][j] + is->by_rate * rate) * is->G[o][i] + is->force * turning;
            C[o][i] -= is->by_rate * is->G[s][j] * is->G[o][i];
        }
    return true;
}


static bool tangents(void *user, double *scratch, double t, const double *q, const double *v, double *K,
                     double *C)
{
    (void)scratch;
    const joint_force *own = user;
    rico_joint_view at;
    pull is[RICO_JOINT_ROWS];
    int n = own->pair.bodies->v_size;
    if (!rico_joint_see(&own->pair, t, q, &at)) return false;
    for (int r = 0; r < own->rows; r++)
        if (!look(own, r, &at, v, &is[r]) || !weigh(own, r, t, &is[r])) return false;
    // entries stand column by column, of each column both sides: bind()
    int64_t k = 0;
    for (int s = 0; s < 2; s++)
        for (int j = 0; own->first[s] >= 0 && j < n; j++) {
            double by_q[2][MOST] = {{0.0}}, by_v[2][MOST] = {{0.0}};
            for (int r = 0; r < own->rows; r++)
                if (!column(own, r, &at, v, &is[r], s, j, by_q, by_v)) return false;
            for (int o = 0; o < 2; o++)
                for (int i = 0; own->first[o] >= 0 && i < n; i++, k++) {
                    K[k] = by_q[o][i];
                    C[k] = by_v[o][i];
                }
        }
    return true;
}


// --- reports ---------------------------------------------------------------------------------------------------------

static bool report(const void *data, double t, const double *q, const double *v, rico_joint_reaction *out,
                   double *effort)
{
    const joint_force *own = data;
    rico_joint_view at;
    if (!rico_joint_see(&own->pair, t, q, &at)) return false;
    for (int r = 0; r < own->rows; r++) {
        rico_joint_value row;
        pull is;
        double n[3], m[3], force[3], torque[3];
        memset(&row, 0, sizeof row);
        if (!look(own, r, &at, v, &is) || !weigh(own, r, t, &is) ||
            !own->row[r]->value(0.0, at.p, at.C, &row))
            return false;
        rico_joint_wrench(&at, &row, n, m);
        rico_joint_on_side(&at, 0, n, m, force, torque);
        rico_vec3_add_scaled(is.force, force, out->force_a);
        rico_vec3_add_scaled(is.force, torque, out->torque_a);
        rico_vec3_add_scaled(is.force, n, out->force_b);
        rico_vec3_add_scaled(is.force, m, out->torque_b);
        if (own->rows == 1) *effort = is.force;
    }
    return true;
}


// --- into a system ---------------------------------------------------------------------------------------------------

static rico_status bind(rico_system *system, const char *name, joint_force *own)
{
    int64_t row[4 * MOST * MOST], col[4 * MOST * MOST], count = 0;
    int n = own->pair.bodies->v_size;
    bool damped = own->law != NULL;
    for (int r = 0; r < own->rows; r++) damped |= own->damping[r] != 0.0;
    for (int s = 0; s < 2; s++)
        for (int j = 0; own->first[s] >= 0 && j < n; j++)
            for (int o = 0; o < 2; o++)
                for (int i = 0; own->first[o] >= 0 && i < n; i++) {
                    row[count] = own->first[o] + i;
                    col[count++] = own->first[s] + j;
                }
    if (count == 0)
        return rico_fail(system->ctx, RICO_BAD_ARGUMENT, "%s acts on two bodies that are not free", name);
    const rico_interaction made = {.K = {count, row, col},
                                   .C = {count, row, col},
                                   .damped = damped,
                                   .stiff = true,
                                   .forces = forces,
                                   .tangents = tangents,
                                   .potential = own->law || own->driven ? NULL : potential,
                                   .user = own};
    return rico_system_add_interaction(system, name, &made);
}


static rico_status add(rico_system *system, const char *name, const joint_force *made, bool turns,
                       bool slides)
{
    rico_status status = rico_system_open(system, name);
    if (status != RICO_OK) return status;
    joint_force *own = rico_alloc(system->ctx, 1, sizeof *own);
    if (!own) return RICO_NO_MEMORY;
    *own = *made;
    const rico_bodies *bodies = own->pair.bodies;
    for (int s = 0; s < 2; s++) {
        int64_t body = own->pair.side[s].body;
        own->first[s] = -1;
        if (body < 0) continue;
        if (bodies->body[body].item >= 0) own->first[s] = bodies->place.v + bodies->body[body].v;
        own->driven |= bodies->body[body].given.type == RICO_BODY_MOVED;
    }
    rico_joint_element element = {
        .info = {.constraint = -1, .turns = turns, .slides = slides, .acts = turns || slides},
        .pair = own->pair,
        .force = report,
        .data = own,
        .owned = own};
    status = rico_joint_element_add(system, name, &element);
    if (status != RICO_OK) {
        rico_free(system->ctx, own);
        return status;
    }
    return bind(system, name, own);
}


static rico_status check_number(rico_context *ctx, const char *name, const char *what, double x,
                                bool positive)
{
    if (isfinite(x) && (x >= 0.0 || !positive)) return RICO_OK;
    return rico_fail(ctx, RICO_BAD_ARGUMENT, "%s: its %s is %g, expected %s", name, what, x,
                     positive ? "a number of at least 0" : "a finite number");
}


rico_status rico_system_spring_joint(rico_system *system, const char *name, int64_t joint, bool turns,
                                     double stiffness, double damping, double free)
{
    const rico_bound_joint *of = NULL;
    rico_status status = rico_joint_coordinate_of(system, name, joint, turns, &of);
    if (status == RICO_OK) status = check_number(system->ctx, name, "stiffness", stiffness, false);
    if (status == RICO_OK) status = check_number(system->ctx, name, "damping", damping, true);
    if (status == RICO_OK) status = check_number(system->ctx, name, "free coordinate", free, false);
    if (status != RICO_OK) return status;
    joint_force made = {.pair = of->pair[0],
                        .rows = 1,
                        .row = {turns ? &rico_joint_angle : &rico_joint_slide},
                        .stiffness = {stiffness},
                        .damping = {damping},
                        .free = free,
                        .wraps = turns};
    return add(system, name, &made, turns, !turns);
}


rico_status rico_system_force_joint(rico_system *system, const char *name, int64_t joint, bool turns,
                                    rico_joint_law law, void *user)
{
    const rico_bound_joint *of = NULL;
    rico_status status = rico_joint_coordinate_of(system, name, joint, turns, &of);
    if (status != RICO_OK) return status;
    if (!law) return rico_fail(system->ctx, RICO_BAD_ARGUMENT, "%s has no law", name);
    joint_force made = {.pair = of->pair[0],
                        .rows = 1,
                        .row = {turns ? &rico_joint_angle : &rico_joint_slide},
                        .law = law,
                        .user = user};
    return add(system, name, &made, turns, !turns);
}


rico_status rico_joint_add_span(rico_system *system, const char *name, const rico_joint_pair *pair,
                                rico_joint_law law, void *user)
{
    if (!law) return rico_fail(system->ctx, RICO_BAD_ARGUMENT, "%s has no law", name);
    joint_force made = {.pair = *pair, .rows = 1, .row = {&rico_joint_reach}, .law = law, .user = user};
    return add(system, name, &made, false, false);
}


rico_status rico_joint_add_bushing(rico_system *system, const rico_body_joint *given,
                                   const rico_bound_joint *bound)
{
    joint_force made = {.pair = bound->pair[0], .rows = bound->rows};
    bool any = false;
    for (int r = 0; r < bound->rows; r++) {
        rico_status status = check_number(system->ctx, given->name, "stiffness", given->stiffness[r], true);
        if (status == RICO_OK)
            status = check_number(system->ctx, given->name, "damping", given->damping[r], true);
        if (status != RICO_OK) return status;
        made.row[r] = bound->row[0][r];
        made.stiffness[r] = given->stiffness[r];
        made.damping[r] = given->damping[r];
        any |= given->stiffness[r] > 0.0 || given->damping[r] > 0.0;
    }
    if (!any)
        return rico_fail(system->ctx, RICO_BAD_ARGUMENT,
                         "joint %s has neither stiffness nor damping; give one above 0", given->name);
    return add(system, given->name, &made, false, false);
}
