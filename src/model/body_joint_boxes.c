// Bounded forces along the coordinates of joints: motors that hold a velocity with a largest force, and Coulomb's friction.
//
// The row is that of the coordinate, u = G v - velocity, and its impulse p a box: -u in the normal cone of |p| <= bound. So u = 0 exactly while the
// bound is not met: nothing creeps.

#include "model/add.h"
#include "model/body_joints.h"

#include <math.h>

rico_status rico_system_hold_joint(rico_system *system, const char *name, int64_t joint, bool turns,
                                   double velocity, double bound, int64_t *index)
{
    const rico_bound_joint *of = NULL;
    rico_status status = rico_joint_coordinate_of(system, name, joint, turns, &of);
    if (status != RICO_OK) return status;
    if (!isfinite(velocity) || !(bound >= 0.0 && isfinite(bound)))
        return rico_fail(
            system->ctx, RICO_BAD_ARGUMENT,
            "%s: a velocity of %g and a bound of %g, expected finite numbers, the bound at least 0", name,
            velocity, bound);
    rico_bound_joint made = rico_joint_along(of, turns);
    made.held = velocity;
    made.box = (rico_box_bound){.acts = true, .force = bound};
    return rico_bound_joint_add(system, name, &made, false, 0.0, index);
}


// --- friction --------------------------------------------------------------------------------------------------------

static void add_group(rico_box_bound *box, int64_t row, int64_t rows, double share)
{
    if (rows <= 0 || !(share > 0.0)) return;
    box->group[box->groups].row = row;
    box->group[box->groups].rows = rows;
    box->group[box->groups++].share = share;
}


static rico_status check_friction(const rico_system *system, const char *name, int64_t joint, bool turns,
                                  const rico_joint_friction *given)
{
    rico_context *ctx = system->ctx;
    const double number[] = {given->friction, given->radius, given->width};
    static const char *const NAMES[] = {"friction", "radius", "width"};
    for (int i = 0; i < 3; i++)
        if (!(number[i] >= 0.0 && isfinite(number[i])))
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "%s: its %s is %g, expected at least 0", name, NAMES[i],
                             number[i]);
    if (turns && given->radius == 0.0)
        return rico_fail(
            ctx, RICO_BAD_ARGUMENT,
            "%s: friction of a pin needs its radius; write 'friction: {friction: %g, radius: ...}'", name,
            given->friction);
    if (rico_bound_joint_of(system, joint)->loose)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "%s: a joint with a clearance rubs at its contacts; give the friction there", name);
    return RICO_OK;
}


rico_status rico_system_rub_joint(rico_system *system, const char *name, int64_t joint,
                                  const rico_joint_friction *given, int64_t *index)
{
    const rico_bound_joint *of = rico_bound_joint_of(system, joint);
    if (!of || !of->kind || !(of->kind->flags & RICO_JOINT_RUBS))
        return rico_fail(system->ctx, RICO_BAD_ARGUMENT,
                         "%s: friction is of revolute and prismatic joints; others rub with a clearance",
                         name);
    bool turns = of->kind->flags & RICO_JOINT_TURNS;
    rico_status status = check_friction(system, name, joint, turns, given);
    if (status != RICO_OK) return status;
    const rico_constraint *constraint = system->constraint[joint];
    int64_t row = constraint->row, places = rico_joint_places(of->kind, of->pair[0].bodies->dimension),
            turning = constraint->size - places;
    double mu = given->friction, arm = turns ? mu * given->radius : mu;
    rico_bound_joint made = rico_joint_along(of, turns);
    made.box.acts = true;
    add_group(&made.box, row, places < 2 ? places : 2, arm);
    if (turns) add_group(&made.box, row + 2, places - 2, arm);
    if (given->width > 0.0)
        add_group(&made.box, row + places, turning < 2 ? turning : 2, 2.0 * arm / given->width);
    if (!turns && given->radius > 0.0)
        add_group(&made.box, row + places + 2, turning - 2, mu / given->radius);
    return rico_bound_joint_add(system, name, &made, false, 0.0, index);
}
