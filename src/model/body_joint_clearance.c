// Joints with play: a pin in a hole, a ball in a socket, a slider in a channel, as contacts with exact gaps.
//
// Pin and ball: with c the center of the ball, or of an end of the pin, and r the part of c - P_a across the axis of the hole (of a
// socket, all of it), gap = play - |r| along N = -r/|r|. A pin that may tilt is two balls of its radius at its ends, in a cylinder: a
// cylinder in a cylinder but for the square of the tilt. A slider's corners have gap = radius + play - n.(c - P_a) from straight walls n.
//
// Bodies touch where their surfaces do: b at c + radius r/|r|, a farther along by the gap. The velocity of b against a there, along N, is
// the rate of the gap exactly. In the very center r has no direction; the gap is the whole play then, and any will do.

#include "model/add.h"
#include "model/body_joint_view.h"

#include <stdio.h>
#include <string.h>

typedef struct rico_bound_clearance {
    rico_bound_joint joint; // the pair and its kind; no rows
    double play, radius;
    double along;     // of the end or corner, from the point of b along the axis
    bool socket;      // a ball: the axis does not count
    int wall;         // 0, 1: a slider's wall across that axis; -1: none
    double sign;      // on which side
    double across[2]; // of its corner, along the first two axes of b
} rico_bound_clearance;

// Where two surfaces touch: on a, on b, and the frame there, the normal towards b's inside first.
typedef struct touch {
    double gap, frame[9], x[2][3];
} touch;

enum { MOST_CONTACTS = 16 };

// --- geometry --------------------------------------------------------------------------------------------------------

// A tangent that turns with n as a_1 does when a_3 is turned into n the short way: smooth but for n = -a_3.
static void tangent_of(const double *axes, const double n[3], double out[3])
{
    double below = 1.0 + rico_vec3_dot(axes + 6, n), along = rico_vec3_dot(axes, n);
    rico_vec3_copy(axes, out);
    if (below < 1e-8) return;
    for (int i = 0; i < 3; i++) out[i] -= along / below * (axes[6 + i] + n[i]);
}


static void touch_pin(const rico_bound_clearance *own, const rico_joint_view *at, touch *out)
{
    const double *a = at->side[0].axes, *b = at->side[1].axes;
    double c[3], r[3], n[3], away;
    rico_vec3_copy(at->side[1].x, c);
    rico_vec3_add_scaled(own->along, b + 6, c);
    rico_vec3_subtract(c, at->side[0].x, r);
    if (!own->socket) rico_vec3_add_scaled(-rico_vec3_dot(a + 6, r), a + 6, r);
    away = rico_vec3_norm(r);
    rico_vec3_copy(a, n);
    if (away > 0.0) rico_vec3_scale(1.0 / away, r, n);
    out->gap = own->play - away;
    rico_vec3_scale(-1.0, n, out->frame);
    for (int s = 0; s < 2; s++) {
        rico_vec3_copy(c, out->x[s]);
        rico_vec3_add_scaled(own->radius + (s == 0 ? out->gap : 0.0), n, out->x[s]);
    }
    if (own->socket)
        tangent_of(a, n, out->frame + 3);
    else
        rico_vec3_copy(a + 6, out->frame + 3);
    rico_vec3_cross(out->frame, out->frame + 3, out->frame + 6);
    // in the plane the axis is across it, and the tangent in it
    if (own->joint.pair[0].bodies->dimension == 2) rico_vec3_copy(out->frame + 6, out->frame + 3);
}


static void touch_wall(const rico_bound_clearance *own, const rico_joint_view *at, touch *out)
{
    const double *a = at->side[0].axes, *b = at->side[1].axes;
    double c[3], n[3], d[3];
    rico_vec3_copy(at->side[1].x, c);
    rico_vec3_add_scaled(own->along, b + 6, c);
    for (int i = 0; i < 2; i++) rico_vec3_add_scaled(own->across[i], b + 3 * i, c);
    rico_vec3_scale(own->sign, a + 3 * own->wall, n);
    rico_vec3_subtract(c, at->side[0].x, d);
    out->gap = own->radius + own->play - rico_vec3_dot(n, d);
    for (int s = 0; s < 2; s++) rico_vec3_copy(c, out->x[s]);
    rico_vec3_add_scaled(out->gap, n, out->x[0]);
    rico_vec3_scale(-1.0, n, out->frame);
    rico_vec3_copy(a + 6, out->frame + 3);
    rico_vec3_cross(out->frame, out->frame + 3, out->frame + 6);
}


static bool touch_at(const rico_bound_clearance *own, double t, const double *q, rico_joint_view *at,
                     touch *out)
{
    if (!rico_joint_see(&own->joint.pair[0], t, q, at)) return false;
    if (own->wall >= 0)
        touch_wall(own, at, out);
    else
        touch_pin(own, at, out);
    return true;
}


// What a unit of row k does to side s: a force, and its torque about the side's point.
static void on_side(const touch *is, const rico_joint_view *at, int k, int s, double force[3],
                    double torque[3])
{
    double arm[3];
    rico_vec3_scale(s == 1 ? 1.0 : -1.0, is->frame + 3 * k, force);
    rico_vec3_subtract(is->x[s], at->side[s].x, arm);
    rico_vec3_cross(arm, force, torque);
}


// --- what the model asks -----------------------------------------------------------------------------------------------

static bool value(const rico_constraint *constraint, rico_assembly *assembly, double *scratch, double t,
                  const double *q, double *g)
{
    (void)assembly, (void)scratch;
    rico_joint_view at;
    touch is;
    if (!touch_at(constraint->owned, t, q, &at, &is)) return false;
    *g = is.gap;
    return true;
}


static bool frame(const rico_constraint *constraint, rico_assembly *assembly, double *scratch, double t,
                  const double *q, double *H)
{
    (void)assembly, (void)scratch;
    const rico_bound_clearance *own = constraint->owned;
    const rico_joint_pair *pair = &own->joint.pair[0];
    rico_joint_view at;
    touch is;
    if (!touch_at(own, t, q, &at, &is)) return false;
    memset(H, 0, (size_t)(constraint->dof_count * constraint->size) * sizeof *H);
    for (int k = 0; k < constraint->size; k++)
        for (int s = 0; s < 2; s++) {
            double force[3], torque[3];
            if (pair->column[s] < 0) continue;
            on_side(&is, &at, k, s, force, torque);
            rico_joint_add_columns(pair->bodies, &at.side[s], force, torque, 1.0,
                                   H + k * constraint->dof_count + pair->column[s]);
        }
    return true;
}


static bool rate(const rico_constraint *constraint, rico_assembly *assembly, double *scratch, double t,
                 const double *q, double *w)
{
    (void)assembly, (void)scratch;
    rico_joint_view at;
    touch is;
    if (!touch_at(constraint->owned, t, q, &at, &is)) return false;
    for (int k = 0; k < constraint->size; k++) {
        w[k] = 0.0;
        for (int s = 0; s < 2; s++) {
            double force[3], torque[3];
            if (!at.side[s].moved) continue;
            on_side(&is, &at, k, s, force, torque);
            w[k] += rico_vec3_dot(force, at.side[s].dx) + rico_vec3_dot(torque, at.side[s].spin);
        }
    }
    return true;
}


static void size(const rico_constraint *constraint, double t, const double *q, double *out)
{
    const rico_bound_clearance *own = constraint->owned;
    rico_joint_view at;
    for (int k = 0; k < constraint->size; k++) out[k] = 0.0;
    if (!rico_joint_see(&own->joint.pair[0], t, q, &at)) return;
    out[0] = own->play + own->radius + fabs(own->along);
    for (int s = 0; s < 2; s++)
        out[0] += rico_vec3_norm(at.side[s].x) + rico_vec3_norm(own->joint.pair[0].side[s].point);
}


static const rico_constraint_kind PLAY = {.value = value, .frame = frame, .rate = rate, .size = size};


bool rico_is_clearance(const rico_constraint *constraint)
{
    return constraint->kind == &PLAY;
}


bool rico_clearance_reaction(const rico_constraint *constraint, double t, const double *q, const double *rows,
                             rico_joint_reaction *out)
{
    rico_joint_view at;
    touch is;
    memset(out, 0, sizeof *out);
    if (!touch_at(constraint->owned, t, q, &at, &is)) return false;
    for (int k = 0; k < constraint->size; k++) {
        double force[3], torque[3];
        on_side(&is, &at, k, 0, force, torque);
        rico_vec3_add_scaled(rows[k], force, out->force_a);
        rico_vec3_add_scaled(rows[k], torque, out->torque_a);
        on_side(&is, &at, k, 1, force, torque);
        rico_vec3_add_scaled(rows[k], force, out->force_b);
        rico_vec3_add_scaled(rows[k], torque, out->torque_b);
    }
    return true;
}


// --- into a system -------------------------------------------------------------------------------------------------------

static rico_status check(rico_context *ctx, const char *name, const rico_joint_clearance *given)
{
    const double number[] = {given->play, given->radius, given->width, given->friction, given->restitution};
    static const char *const NAMES[] = {"play", "radius", "width", "friction", "restitution"};
    for (int i = 0; i < 5; i++)
        if (!(number[i] >= 0.0 && isfinite(number[i])))
            return rico_fail(ctx, RICO_BAD_ARGUMENT,
                             "joint %s: the %s of its clearance is %g, expected at least 0", name, NAMES[i],
                             number[i]);
    if (given->play == 0.0)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "joint %s: a clearance without play is none; leave it out",
                         name);
    return RICO_OK;
}


static rico_status add_contact(rico_system *system, const char *name, const rico_joint_clearance *given,
                               const rico_bound_clearance *made, int64_t *index)
{
    rico_context *ctx = system->ctx;
    rico_status status = rico_system_open(system, name);
    if (status != RICO_OK) return status;
    rico_bound_clearance *own = rico_alloc(ctx, 1, sizeof *own);
    if (!own) return RICO_NO_MEMORY;
    int64_t dof[4 * 6];
    *own = *made;
    rico_constraint constraint = {.kind = &PLAY,
                                  .size = own->joint.pair[0].bodies->dimension,
                                  .moves = rico_bound_joint_driven(&own->joint),
                                  .restitution = given->restitution,
                                  .friction = given->friction,
                                  .stiffness = 1.0,
                                  .exponent = 1.5,
                                  .dof_count = rico_bound_joint_columns(&own->joint, dof),
                                  .owned = own};
    if (constraint.dof_count == 0)
        status = rico_fail(ctx, RICO_BAD_ARGUMENT, "joint %s holds two bodies that are not free", name);
    if (status == RICO_OK) status = rico_system_add_constraint(system, name, &constraint, dof, NULL, index);
    if (status != RICO_OK) rico_free(ctx, own);
    return status;
}


// Ends of a pin, or its middle; the ball.
static int list_pin(const rico_joint_clearance *given, bool socket, rico_bound_clearance base,
                    rico_bound_clearance *out)
{
    int count = !socket && given->width > 0.0 && base.joint.pair[0].bodies->dimension == 3 ? 2 : 1;
    base.socket = socket;
    for (int i = 0; i < count; i++) {
        out[i] = base;
        out[i].along = count == 1 ? 0.0 : (i == 0 ? -0.5 : 0.5) * given->width;
    }
    return count;
}


// Corners of a slider against the walls on their own sides: of a rectangle or, in space, of a box of square section.
static int list_slider(const rico_joint_clearance *given, rico_bound_clearance base,
                       rico_bound_clearance *out)
{
    int walls = base.joint.pair[0].bodies->dimension - 1, count = 0;
    int ends = given->width > 0.0 ? 2 : 1, sides = ends == 2 && walls == 2 ? 2 : 1;
    for (int wall = 0; wall < walls; wall++)
        for (int sign = -1; sign <= 1; sign += 2)
            for (int end = 0; end < ends; end++)
                for (int side = 0; side < sides; side++) {
                    rico_bound_clearance *own = &out[count++];
                    *own = base;
                    own->wall = wall;
                    own->sign = sign;
                    own->along = ends == 1 ? 0.0 : (end == 0 ? -0.5 : 0.5) * given->width;
                    own->across[wall] = sign * given->radius;
                    if (sides == 2) own->across[1 - wall] = (side == 0 ? -1.0 : 1.0) * given->radius;
                }
    return count;
}


rico_status rico_clearance_add(rico_system *system, const char *name, const rico_bound_joint *joint,
                               const rico_joint_clearance *given, int64_t *first, int64_t *count)
{
    rico_bound_clearance base = {.joint = *joint, .play = given->play, .radius = given->radius, .wall = -1},
                         made[MOST_CONTACTS];
    rico_status status = check(system->ctx, name, given);
    if (status != RICO_OK) return status;
    base.joint.rows = 0;
    unsigned flags = joint->kind->flags;
    int made_count = flags & RICO_JOINT_SLIDES && !(flags & RICO_JOINT_TURNS)
                         ? list_slider(given, base, made)
                         : list_pin(given, !(flags & RICO_JOINT_AXIS), base, made);
    *count = made_count;
    for (int i = 0; status == RICO_OK && i < made_count; i++) {
        char full[RICO_JOINT_NAME];
        int64_t index = -1;
        if (made_count == 1)
            snprintf(full, sizeof full, "%.80s.play", name);
        else
            snprintf(full, sizeof full, "%.80s.play%d", name, i + 1);
        status = add_contact(system, full, given, &made[i], &index);
        if (i == 0) *first = index;
    }
    return status;
}
