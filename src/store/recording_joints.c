// What a recording holds of the joints between bodies: reactions, coordinates and efforts, for each row of the state.

#include "store/recording_joints.h"

#include "base/context.h"
#include "model/body_joints.h"

#include <string.h>


// Where it acts, so that a viewer needs nothing else: a kind with play has "+play" behind its name.
static void add_place(rico_text *out, const rico_system *system, int64_t index)
{
    const rico_joint_spot spot = rico_joint_element_spot(system, index);
    rico_text_add(out, "%s%s %lld %lld", spot.kind, spot.loose ? "+play" : "", (long long)spot.body[0],
                  (long long)spot.body[1]);
    const double *const part[] = {spot.point[0], spot.point[1], spot.axis};
    for (int i = 0; i < 9; i++) rico_text_add(out, " %.17g", part[i / 3][i % 3]);
    rico_text_add(out, "\n");
}


rico_status rico_joint_plan_make(rico_context *ctx, const rico_system *system, bool rates,
                                 rico_joint_plan *out)
{
    int64_t count = rico_system_joint_elements(system), tables = 0;
    *out = (rico_joint_plan){.names = {.ctx = ctx}, .places = {.ctx = ctx}};
    out->joint[0] = (rico_column){"reaction", RICO_NUMBER_REAL, RICO_JOINT_REACTION * count, NULL,
                                  "of each line of notes/joints: force on its second body and torque about "
                                  "its point there, then of the "
                                  "first; axes of the world. Forces at the end of the step where the scheme "
                                  "has some, else means over it"};
    out->joint[1] =
        (rico_column){"coordinate", RICO_NUMBER_REAL, RICO_JOINT_COORDINATES * count, NULL,
                      "angle and its rate, displacement and its rate; 0 for those it does not have"};
    out->joint[2] =
        (rico_column){"effort", RICO_NUMBER_REAL, RICO_JOINT_EFFORTS * count, NULL,
                      "force or torque along the coordinate of what acts along one, and its power"};
    out->rate[0] = (rico_column){"a", RICO_NUMBER_REAL, rico_system_velocities(system), NULL,
                                 "rates of the velocities of notes/velocities"};
    if (count > 0)
        out->table[tables++] = (rico_table){
            "joints",  "joints between bodies and what acts in them", false, 0, RICO_JOINT_COLUMNS,
            out->joint};
    if (rates)
        out->table[tables++] = (rico_table){
            "accelerations", "of the smooth motion, at the end of the step", false, 0, 1, out->rate};
    out->table_count = tables;
    for (int64_t i = 0; i < count; i++) {
        rico_joint_element_info info = rico_system_joint_element(system, i);
        rico_text_add(&out->names, "%c%c%c %s\n", info.turns ? 't' : '-', info.slides ? 's' : '-',
                      info.acts ? 'a' : '-', info.name);
        add_place(&out->places, system, i);
    }
    return out->names.status != RICO_OK ? out->names.status : out->places.status;
}


void rico_joint_plan_release(rico_context *ctx, rico_joint_plan *plan)
{
    rico_free(ctx, plan->names.data);
    rico_free(ctx, plan->places.data);
    memset(plan, 0, sizeof *plan);
}


rico_status rico_joints_capture(const rico_system *system, double t, const double *q, const double *v,
                                const double *rows, double *out)
{
    int64_t count = rico_system_joint_elements(system);
    double *coordinate = out + RICO_JOINT_REACTION * count,
           *effort = coordinate + RICO_JOINT_COORDINATES * count;
    for (int64_t i = 0; i < count; i++) {
        rico_joint_element_state is;
        rico_status status = rico_system_joint_element_at(system, i, t, q, v, rows, &is);
        if (status != RICO_OK) return status;
        const double *part[4] = {is.reaction.force_b, is.reaction.torque_b, is.reaction.force_a,
                                 is.reaction.torque_a};
        for (int k = 0; k < 4; k++)
            memcpy(out + RICO_JOINT_REACTION * i + 3 * k, part[k], 3 * sizeof(double));
        const double own[RICO_JOINT_COORDINATES] = {is.angle, is.spin, is.displacement, is.speed};
        memcpy(coordinate + RICO_JOINT_COORDINATES * i, own, sizeof own);
        bool slides = rico_system_joint_element(system, i).slides;
        effort[RICO_JOINT_EFFORTS * i] = is.effort;
        effort[RICO_JOINT_EFFORTS * i + 1] = is.effort * (slides ? is.speed : is.spin);
    }
    return RICO_OK;
}
