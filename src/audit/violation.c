// Constraints broken by a run, at the level of positions and of velocities.

#include "ricochet/audit.h"
#include "step/simulation.h"

#include <math.h>

rico_status rico_violation_observe(rico_simulation *sim, double h, rico_violation *violation)
{
    const double *gap, *u = rico_simulation_velocity_after(sim);
    rico_status status = rico_simulation_gap(sim, &gap);
    if (status != RICO_OK) return status;

    double position = 0.0, velocity = 0.0;
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *constraint = sim->system->constraint[c];
        int64_t row = constraint->row;
        if (!constraint->joint) {
            position = fmax(position, -gap[row]);
            if (gap[row] <= 0.0) velocity = fmax(velocity, -u[row]);
            continue;
        }
        for (int64_t i = row; i < row + constraint->size; i++) {
            position = fmax(position, fabs(gap[i]));
            velocity = fmax(velocity, fabs(u[i]));
        }
    }

    double time = violation->time + h;
    violation->position_max = fmax(violation->position_max, position);
    violation->velocity_max = fmax(violation->velocity_max, velocity);
    violation->position_mean += (position - violation->position_mean) * (h / time);
    violation->velocity_mean += (velocity - violation->velocity_mean) * (h / time);
    violation->time = time;
    return RICO_OK;
}
