// What joints of bodies do and where they are: reactions and coordinates at a state, and a list of all that have some.

#include "model/add.h"
#include "model/body_joint_view.h"

#include <string.h>

int rico_system_joint_pairs(const rico_system *system, int64_t constraint)
{
    const rico_bound_joint *joint = rico_bound_joint_of(system, constraint);
    return joint ? joint->pairs : 0;
}


static rico_status not_one(const rico_system *system, int64_t constraint)
{
    return rico_fail(system->ctx, RICO_BAD_ARGUMENT, "constraint %lld is no joint of bodies",
                     (long long)constraint);
}


rico_status rico_system_joint_reaction(const rico_system *system, int64_t constraint, int pair, double t,
                                       const double *q, const double *rows, rico_joint_reaction *out)
{
    const rico_bound_joint *joint = rico_bound_joint_of(system, constraint);
    rico_joint_view at;
    if (!joint || pair < 0 || pair >= joint->pairs) return not_one(system, constraint);
    memset(out, 0, sizeof *out);
    if (rico_is_clearance(system->constraint[constraint])) {
        if (rico_clearance_reaction(system->constraint[constraint], t, q, rows, out)) return RICO_OK;
        return not_one(system, constraint);
    }
    bool seen = rico_joint_see(&joint->pair[pair], t, q, &at);
    for (int r = 0; seen && r < joint->rows; r++) {
        rico_joint_value row;
        double n[3], m[3], force[3], torque[3], by = joint->factor[pair] * rows[r];
        seen = rico_joint_row_at(joint, pair, r, &at, &row);
        rico_joint_wrench(&at, &row, n, m);
        rico_joint_on_side(&at, 0, n, m, force, torque);
        rico_vec3_add_scaled(by, force, out->force_a);
        rico_vec3_add_scaled(by, torque, out->torque_a);
        rico_vec3_add_scaled(by, n, out->force_b);
        rico_vec3_add_scaled(by, m, out->torque_b);
    }
    if (seen) return RICO_OK;
    return rico_fail(system->ctx, RICO_BAD_INPUT, "joint %s has no direction at t = %.17g",
                     system->constraint[constraint]->name, t);
}


bool rico_joint_coordinate_at(const rico_joint_pair *pair, bool turns, double t, const double *q,
                              const double *v, double *value, double *rate)
{
    rico_joint_value row;
    rico_joint_view at;
    memset(&row, 0, sizeof row);
    if (!rico_joint_see(pair, t, q, &at) ||
        !(turns ? rico_joint_angle : rico_joint_slide).value(0.0, at.p, at.C, &row))
        return false;
    *value = row.g;
    if (v) *rate = rico_joint_row_rate(pair, &at, &row, v);
    return true;
}


rico_status rico_system_joint_coordinate(const rico_system *system, int64_t constraint, bool turns, double t,
                                         const double *q, double *out)
{
    const rico_bound_joint *joint = rico_bound_joint_of(system, constraint);
    if (!joint) return not_one(system, constraint);
    if (rico_joint_coordinate_at(&joint->pair[0], turns, t, q, NULL, out, NULL)) return RICO_OK;
    return rico_fail(system->ctx, RICO_BAD_INPUT, "joint %s has no coordinate at t = %.17g",
                     system->constraint[constraint]->name, t);
}


rico_status rico_system_joint_rate(const rico_system *system, int64_t constraint, bool turns, double t,
                                   const double *q, const double *v, double *out)
{
    const rico_bound_joint *joint = rico_bound_joint_of(system, constraint);
    if (!joint) return not_one(system, constraint);
    double value;
    if (rico_joint_coordinate_at(&joint->pair[0], turns, t, q, v, &value, out)) return RICO_OK;
    return rico_fail(system->ctx, RICO_BAD_INPUT, "joint %s has no coordinate at t = %.17g",
                     system->constraint[constraint]->name, t);
}


// --- elements --------------------------------------------------------------------------------------------------------

rico_status rico_joint_element_add(rico_system *system, const char *name, const rico_joint_element *made)
{
    rico_joint_element *list = rico_model_room(system->ctx, system->element, system->element_count,
                                               &system->element_room, sizeof *list);
    if (!list) return RICO_NO_MEMORY;
    system->element = list;
    rico_joint_element *own = &list[system->element_count];
    *own = *made;
    own->info.name = own->name = rico_model_copy_text(system->ctx, name);
    if (!own->name) return RICO_NO_MEMORY;
    system->element_count++;
    return RICO_OK;
}


void rico_joint_elements_destroy(rico_system *system)
{
    for (int64_t i = 0; i < system->element_count; i++) {
        rico_free(system->ctx, system->element[i].name);
        rico_free(system->ctx, system->element[i].owned);
    }
    rico_free(system->ctx, system->element);
}


int64_t rico_system_joint_elements(const rico_system *system)
{
    return system->element_count;
}


rico_joint_element_info rico_system_joint_element(const rico_system *system, int64_t index)
{
    return system->element[index].info;
}


rico_joint_spot rico_joint_element_spot(const rico_system *system, int64_t index)
{
    const rico_joint_element *element = &system->element[index];
    const rico_joint_element_info *info = &element->info;
    rico_joint_spot out = {.kind = "force"};
    for (int s = 0; s < 2; s++) {
        const rico_joint_frame *side = &element->pair.side[s];
        out.body[s] = side->body;
        rico_vec3_copy(side->point, out.point[s]);
    }
    rico_vec3_copy(element->pair.side[0].axes + 6, out.axis);
    for (int64_t c = info->constraint; c >= 0 && c < info->constraint + info->constraints; c++) {
        const rico_bound_joint *joint = rico_bound_joint_of(system, c);
        bool play = rico_is_clearance(system->constraint[c]);
        out.loose |= play;
        if (joint && joint->kind)
            out.kind = joint->kind->name;
        else if (c == info->constraint)
            out.kind = rico_system_constraint(system, c).joint ? "effort" : "stop";
    }
    return out;
}


static void add_reaction(rico_joint_reaction *to, const rico_joint_reaction *more)
{
    rico_vec3_add(to->force_a, more->force_a, to->force_a);
    rico_vec3_add(to->torque_a, more->torque_a, to->torque_a);
    rico_vec3_add(to->force_b, more->force_b, to->force_b);
    rico_vec3_add(to->torque_b, more->torque_b, to->torque_b);
}


rico_status rico_system_joint_element_at(const rico_system *system, int64_t index, double t, const double *q,
                                         const double *v, const double *rows, rico_joint_element_state *out)
{
    const rico_joint_element *element = &system->element[index];
    rico_joint_element_info info = element->info;
    bool seen = true;
    memset(out, 0, sizeof *out);
    for (int64_t c = info.constraint; c >= 0 && c < info.constraint + info.constraints; c++) {
        rico_joint_reaction part;
        const double *own = rows + system->constraint[c]->row;
        rico_status status = rico_system_joint_reaction(system, c, info.pair, t, q, own, &part);
        if (status != RICO_OK) return status;
        add_reaction(&out->reaction, &part);
        const rico_bound_joint *joint = rico_bound_joint_of(system, c);
        if (joint && !joint->kind) out->effort = joint->factor[0] * own[0];
    }
    if (element->force) seen = element->force(element->data, t, q, v, &out->reaction, &out->effort);
    const rico_joint_pair *pair = &element->pair;
    if (seen && info.turns) seen = rico_joint_coordinate_at(pair, true, t, q, v, &out->angle, &out->spin);
    if (seen && info.slides)
        seen = rico_joint_coordinate_at(pair, false, t, q, v, &out->displacement, &out->speed);
    if (seen) return RICO_OK;
    return rico_fail(system->ctx, RICO_BAD_INPUT, "joint %s has no coordinate at t = %.17g", info.name, t);
}
