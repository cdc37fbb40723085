// Joints between bodies as constraints: values, rows, rates and reactions, all from the relative pose of two frames.
//
// With d = P_b - P_a, n = sum_i (dg/dp_i) a_i and m = sum_ij (dg/dC_ij) b_j x a_i, a function g(p, C) changes by
//
//     dg/dt = n.(P_b' - P_a') + (n x d).w_a + m.(w_b - w_a),
//
// w in the axes of the world. So a multiplier l of g is the force l n at P_b on b with the torque l m, and what is opposite
// at the same place on a: about P_a, the force -l n and the torque l (n x d - m).

#include "model/body_joint_view.h"

#include "model/add.h"

#include <stdio.h>
#include <string.h>

// --- what the model asks -------------------------------------------------------------------------------------------

static const rico_bound_joint *bound(const rico_constraint *constraint)
{
    return constraint->owned;
}


static bool value(const rico_constraint *constraint, rico_assembly *assembly, double *scratch, double t,
                  const double *q, double *g)
{
    (void)assembly, (void)scratch;
    const rico_bound_joint *joint = bound(constraint);
    rico_joint_view at[RICO_JOINT_PAIRS];
    double position = 0.0, velocity;
    if (joint->box.acts) {
        *g = 0.0;
        return true;
    }
    if (joint->motion && !joint->motion(joint->user, t, &position, &velocity)) return false;
    for (int k = 0; k < joint->pairs; k++)
        if (!rico_joint_see(&joint->pair[k], t, q, &at[k])) return false;
    for (int r = 0; r < joint->rows; r++) {
        double sum = -joint->shift[r] - position;
        for (int k = 0; k < joint->pairs; k++) {
            rico_joint_value row;
            if (!rico_joint_row_at(joint, k, r, &at[k], &row)) return false;
            sum += joint->factor[k] * row.g;
        }
        if (joint->period[r] > 0.0) sum = remainder(sum, joint->period[r]);
        g[r] = sum + joint->base;
    }
    return true;
}


static bool frame(const rico_constraint *constraint, rico_assembly *assembly, double *scratch, double t,
                  const double *q, double *H)
{
    (void)assembly, (void)scratch;
    const rico_bound_joint *joint = bound(constraint);
    int64_t n_dof = constraint->dof_count;
    memset(H, 0, (size_t)(n_dof * constraint->size) * sizeof *H);
    for (int k = 0; k < joint->pairs; k++) {
        rico_joint_view at;
        if (!rico_joint_see(&joint->pair[k], t, q, &at)) return false;
        for (int r = 0; r < joint->rows; r++) {
            double force[2][3], torque[2][3];
            if (!rico_joint_sides(joint, k, r, &at, force, torque)) return false;
            for (int s = 0; s < 2; s++)
                if (joint->pair[k].column[s] >= 0)
                    rico_joint_add_columns(joint->pair[k].bodies, &at.side[s], force[s], torque[s],
                                           joint->factor[k], H + r * n_dof + joint->pair[k].column[s]);
        }
    }
    return true;
}


static bool rate(const rico_constraint *constraint, rico_assembly *assembly, double *scratch, double t,
                 const double *q, double *w)
{
    (void)assembly, (void)scratch;
    const rico_bound_joint *joint = bound(constraint);
    double position, velocity = joint->held;
    if (joint->motion && !joint->motion(joint->user, t, &position, &velocity)) return false;
    for (int r = 0; r < joint->rows; r++) w[r] = -velocity;
    for (int k = 0; k < joint->pairs; k++) {
        rico_joint_view at;
        if (!rico_joint_see(&joint->pair[k], t, q, &at)) return false;
        for (int r = 0; r < joint->rows; r++) {
            double force[2][3], torque[2][3];
            if (!rico_joint_sides(joint, k, r, &at, force, torque)) return false;
            for (int s = 0; s < 2; s++) {
                if (!at.side[s].moved) continue;
                w[r] += joint->factor[k] *
                        (rico_vec3_dot(force[s], at.side[s].dx) + rico_vec3_dot(torque[s], at.side[s].spin));
            }
        }
    }
    return true;
}


// Lengths of what a displacement is made of, and 1 for products of axes.
static void size(const rico_constraint *constraint, double t, const double *q, double *out)
{
    const rico_bound_joint *joint = bound(constraint);
    memset(out, 0, (size_t)joint->rows * sizeof *out);
    for (int k = 0; k < joint->pairs; k++) {
        rico_joint_view at;
        if (!rico_joint_see(&joint->pair[k], t, q, &at)) continue;
        double length = 0.0;
        for (int s = 0; s < 2; s++)
            length += rico_vec3_norm(at.side[s].x) + rico_vec3_norm(joint->pair[k].side[s].point);
        for (int r = 0; r < joint->rows; r++) {
            rico_joint_value row;
            if (!rico_joint_row_at(joint, k, r, &at, &row)) continue;
            double sum = rico_vec3_norm(row.p) * length;
            for (int i = 0; i < 9; i++) sum += fabs(row.C[i]);
            out[r] += fabs(joint->factor[k]) * sum;
        }
    }
}


// --- how the rows turn -----------------------------------------------------------------------------------------------

// Velocities of a side, and its accelerations while v and the spin in the axes of its body stay as they are: a point at r from the center
// has w x (w x r), and so has an axis.
typedef struct motion {
    double w[3], dx[3], ddx[3], axes[9], twice[9];
} motion;


static void move_side(const rico_bodies *bodies, const rico_joint_side *at, const double *v, motion *out)
{
    memset(out, 0, sizeof *out);
    if (!v) return;
    double arm[3];
    if (bodies->dimension == 3)
        rico_mat3_times(at->R, v + 3, out->w);
    else
        out->w[2] = v[2];
    rico_mat3_times(at->R, at->arm, arm);
    rico_vec3_cross(out->w, arm, out->dx);
    rico_vec3_cross(out->w, out->dx, out->ddx);
    for (int i = 0; i < bodies->dimension; i++) out->dx[i] += v[i];
    for (int i = 0; i < 9; i += 3) {
        rico_vec3_cross(out->w, at->axes + i, out->axes + i);
        rico_vec3_cross(out->w, out->axes + i, out->twice + i);
    }
}


// First and second derivatives of p and C in time.
static void change(const rico_joint_view *at, const motion by[2], rico_joint_change *once,
                   rico_joint_change *twice)
{
    double dd[3], ddd[3];
    rico_vec3_subtract(by[1].dx, by[0].dx, dd);
    rico_vec3_subtract(by[1].ddx, by[0].ddx, ddd);
    for (int i = 0; i < 3; i++) {
        const double *a = at->side[0].axes + 3 * i, *da = by[0].axes + 3 * i, *dda = by[0].twice + 3 * i;
        once->p[i] = rico_vec3_dot(da, at->d) + rico_vec3_dot(a, dd);
        twice->p[i] = rico_vec3_dot(dda, at->d) + 2.0 * rico_vec3_dot(da, dd) + rico_vec3_dot(a, ddd);
        for (int j = 0; j < 3; j++) {
            const double *b = at->side[1].axes + 3 * j, *db = by[1].axes + 3 * j, *ddb = by[1].twice + 3 * j;
            once->C[3 * i + j] = rico_vec3_dot(da, b) + rico_vec3_dot(a, db);
            twice->C[3 * i + j] = rico_vec3_dot(dda, b) + 2.0 * rico_vec3_dot(da, db) + rico_vec3_dot(a, ddb);
        }
    }
}


// gamma: the second derivative of g in time while velocities stay as they are.
static bool drift(const rico_constraint *constraint, double t, const double *q, const double *v,
                  double *gamma)
{
    const rico_bound_joint *joint = bound(constraint);
    memset(gamma, 0, (size_t)joint->rows * sizeof *gamma);
    for (int k = 0; k < joint->pairs; k++) {
        const rico_joint_pair *pair = &joint->pair[k];
        rico_joint_view at;
        motion by[2];
        rico_joint_change once, twice;
        if (!rico_joint_see(pair, t, q, &at)) return false;
        for (int s = 0; s < 2; s++)
            move_side(pair->bodies, &at.side[s], pair->column[s] < 0 ? NULL : v + pair->column[s], &by[s]);
        change(&at, by, &once, &twice);
        for (int r = 0; r < joint->rows; r++) {
            const rico_joint_row *row = joint->row[k][r];
            rico_joint_value is;
            if (!rico_joint_row_at(joint, k, r, &at, &is)) return false;
            double sum = row->curve ? row->curve(joint->setting, at.p, at.C, &is, &once) : 0.0;
            for (int i = 0; i < 3; i++) sum += is.p[i] * twice.p[i];
            for (int i = 0; i < 9; i++) sum += is.C[i] * twice.C[i];
            gamma[r] += joint->factor[k] * sum;
        }
    }
    return true;
}


// What is driven has accelerations that its functions do not tell: its gamma is by differences, turning.c.
static const rico_constraint_kind STILL = {.value = value,
                                           .frame = frame,
                                           .rate = rate,
                                           .size = size,
                                           .drift = drift},
                                  DRIVEN = {.value = value, .frame = frame, .rate = rate, .size = size};


// --- into a system -------------------------------------------------------------------------------------------------

const rico_bound_joint *rico_bound_joint_of(const rico_system *system, int64_t constraint)
{
    if (constraint < 0 || constraint >= system->constraint_count) return NULL;
    const rico_constraint *of = system->constraint[constraint];
    return of->kind == &STILL || of->kind == &DRIVEN || rico_is_clearance(of) ? bound(of) : NULL;
}


// Where the velocities of each side stand among those of the constraint; two pairs may share a body.
int64_t rico_bound_joint_columns(rico_bound_joint *joint, int64_t *dof)
{
    int64_t count = 0;
    for (int k = 0; k < joint->pairs; k++)
        for (int s = 0; s < 2; s++) {
            rico_joint_pair *pair = &joint->pair[k];
            const rico_bodies *bodies = pair->bodies;
            int64_t body = pair->side[s].body, at = 0;
            pair->column[s] = -1;
            if (body < 0 || bodies->body[body].item < 0) continue;
            int64_t first = bodies->place.v + bodies->body[body].v;
            while (at < count && dof[at] != first) at++;
            for (int i = 0; at == count && i < bodies->v_size; i++) dof[at + i] = first + i;
            if (at == count) count += bodies->v_size;
            pair->column[s] = at;
        }
    return count;
}


bool rico_bound_joint_driven(const rico_bound_joint *joint)
{
    for (int k = 0; k < joint->pairs; k++)
        for (int s = 0; s < 2; s++) {
            int64_t body = joint->pair[k].side[s].body;
            if (body >= 0 && joint->pair[k].bodies->body[body].given.type == RICO_BODY_MOVED) return true;
        }
    return joint->motion != NULL || joint->held != 0.0;
}


// Drives and stops have the coordinate that their row is.
rico_status rico_bound_joint_list(rico_system *system, const char *name, const rico_bound_joint *joint,
                                  int64_t first, int64_t count)
{
    rico_status status = RICO_OK;
    unsigned flags = joint->kind                             ? joint->kind->flags
                     : joint->row[0][0] == &rico_joint_angle ? RICO_JOINT_TURNS
                                                             : RICO_JOINT_SLIDES;
    for (int k = 0; status == RICO_OK && k < joint->pairs; k++) {
        char full[RICO_JOINT_NAME];
        snprintf(full, sizeof full, "%.80s%s", name, k > 0 ? ".second" : "");
        rico_joint_element element = {.pair = joint->pair[k],
                                      .info = {.constraint = first,
                                               .constraints = count,
                                               .pair = k,
                                               .turns = flags & RICO_JOINT_TURNS,
                                               .slides = flags & RICO_JOINT_SLIDES,
                                               .acts = !joint->kind}};
        status = rico_joint_element_add(system, full, &element);
    }
    return status;
}


rico_status rico_bound_joint_put(rico_system *system, const char *name, const rico_bound_joint *made,
                                 bool stop, double restitution, int64_t *index)
{
    rico_context *ctx = system->ctx;
    rico_status status = rico_system_open(system, name);
    if (status != RICO_OK) return status;
    rico_bound_joint *own = rico_alloc(ctx, 1, sizeof *own);
    if (!own) return RICO_NO_MEMORY;
    int64_t dof[4 * 6];
    *own = *made;
    rico_constraint constraint = {.kind = rico_bound_joint_driven(own) ? &DRIVEN : &STILL,
                                  .joint = !stop,
                                  .size = own->rows,
                                  .moves = rico_bound_joint_driven(own),
                                  .restitution = restitution,
                                  .box = own->box,
                                  .stiffness = stop ? 1.0 : 0.0,
                                  .exponent = stop ? 1.5 : 0.0,
                                  .dof_count = rico_bound_joint_columns(own, dof),
                                  .owned = own};
    if (constraint.dof_count == 0)
        status = rico_fail(ctx, RICO_BAD_ARGUMENT, "joint %s holds two bodies that are not free", name);
    if (status == RICO_OK) status = rico_system_add_constraint(system, name, &constraint, dof, NULL, index);
    if (status != RICO_OK) rico_free(ctx, own);
    return status;
}


rico_status rico_bound_joint_add(rico_system *system, const char *name, const rico_bound_joint *made,
                                 bool stop, double restitution, int64_t *index)
{
    int64_t place = -1;
    rico_status status = rico_bound_joint_put(system, name, made, stop, restitution, &place);
    if (status == RICO_OK) status = rico_bound_joint_list(system, name, made, place, 1);
    if (status == RICO_OK && index) *index = place;
    return status;
}
