// Names the rows of joints that follow from others where a motion starts.

#include "la/dense.h"
#include "la/dependent.h"
#include "ricochet/joints.h"
#include "step/joint_response.h"
#include "step/simulation.h"

#include <stdio.h>
#include <string.h>

enum { NAMED = 6, ROOM = 1024 };


// What a row of a joint between bodies holds with, in the axes of the world.
static void describe(const rico_simulation *sim, int64_t c, int64_t at, char *text, size_t room)
{
    double unit[8] = {0.0};
    rico_joint_reaction reaction;
    text[0] = '\0';
    if (at >= 8 || rico_system_joint_pairs(sim->system, c) == 0) return;
    unit[at] = 1.0;
    if (rico_system_joint_reaction(sim->system, c, 0, *sim->now.t, sim->now.q, unit, &reaction) != RICO_OK)
        return;
    bool force = rico_norm(3, reaction.force_b) > 1e-9;
    const double *x = force ? reaction.force_b : reaction.torque_b;
    // no -0: who reads takes it for a number
    snprintf(text, room, ", a %s (%.3g, %.3g, %.3g)", force ? "force along" : "torque about", x[0] + 0.0,
             x[1] + 0.0, x[2] + 0.0);
}


static void name_row(const rico_simulation *sim, int64_t row, int64_t count, char *list)
{
    char what[96];
    size_t used = strlen(list);
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *joint = rico_step_constraint(sim, c);
        if (row < joint->row || row >= joint->row + joint->size) continue;
        describe(sim, c, row - joint->row, what, sizeof what);
        snprintf(list + used, ROOM - used, "%srow %lld of %s%s", count ? "; " : "",
                 (long long)(row - joint->row), joint->name, what);
    }
}


// Friction and bounded motors give way: they say nothing that others could say again.
static bool holds(const rico_constraint *constraint)
{
    return constraint->joint && !constraint->box.acts;
}


rico_status rico_step_look_for_redundancy(rico_simulation *sim)
{
    int64_t rows = 0, redundant = 0;
    for (int64_t c = 0; c < sim->constraints; c++)
        if (holds(rico_step_constraint(sim, c))) rows += rico_step_constraint(sim, c)->size;
    if (rows == 0) return RICO_OK;
    int64_t *row = rico_alloc(sim->ctx, 2 * rows, sizeof *row), at = 0;
    if (!row) return RICO_NO_MEMORY;
    int64_t *list = row + rows;
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *joint = rico_step_constraint(sim, c);
        for (int64_t i = 0; holds(joint) && i < joint->size; i++) row[at++] = joint->row + i;
    }
    rico_status status = rico_dependent_rows(&sim->assembly->H, rows, row, RICO_REDUNDANT, list, &redundant);
    if (status == RICO_OK && redundant > 0) {
        char names[ROOM] = "";
        for (int64_t k = 0; k < redundant && k < NAMED; k++) name_row(sim, row[list[k]], k, names);
        rico_log(sim->ctx, RICO_LOG_WARNING,
                 "%lld of the %lld rows of joints follow from the others (%s%s): their impulses are not "
                 "determined, and the smallest are taken",
                 (long long)redundant, (long long)rows, names, redundant > NAMED ? "; ..." : "");
    }
    rico_free(sim->ctx, row);
    return status;
}
