// Which contacts a step lets act: a forecast of the gap at the end of the step.

#include "step/activation.h"

#include <float.h>
#include <math.h>
#include <string.h>

const char *const rico_activation_names[] = {"closing", "explicit", "free", NULL};


// A resting contact separates at the round-off of the last contact problem: that is no separation.
static bool closing(const rico_simulation *sim, double speed)
{
    return speed <= 1e-12 * *sim->now.scale;
}


// The same for its gap: the round-off of its terms and of what a resting contact was pushed by, or what a scheme that
// projects leaves, or what a user asks for. Without it a block that rests at 2e-22 m is let fall for a step.
static double closed(const rico_simulation *sim, double h, int64_t row)
{
    double own = fmax(sim->closed, 16.0 * DBL_EPSILON) * rico_step_reach(sim, row);
    own = fmax(own, rico_step_option(sim, RICO_STEP_GAP));
    return fmax(own, 1e-12 * h * *sim->now.scale);
}


static double normal_speed(const rico_simulation *sim, int64_t row, const double *v)
{
    const rico_csc *H = &sim->assembly->H;
    double sum = sim->assembly->w[row];
    for (int64_t k = H->start[row]; k < H->start[row + 1]; k++) sum += H->value[k] * v[H->row[k]];
    return sum;
}


rico_status rico_step_activate(rico_simulation *sim, double h, double theta, const double *v_free)
{
    rico_activation rule = (rico_activation)rico_step_option(sim, RICO_STEP_ACTIVATION);
    double gamma = rico_step_option(sim, RICO_STEP_GAMMA), t = *sim->now.t;
    const double *q = sim->now.q;
    rico_status status = RICO_OK;

    memset(sim->active, 0, (size_t)sim->constraints);
    if (sim->rows == 0) return RICO_OK;
    if (rule == RICO_ACTIVATE_CLOSING) {
        status = rico_assembly_retract(sim->assembly, t, q, h, sim->now.v, sim->vector.ahead);
        if (status != RICO_OK) return status;
        q = sim->vector.ahead;
        t += h;
    }
    status = rico_assembly_gaps(sim->assembly, t, q, sim->gap);
    if (status != RICO_OK) return status;
    sim->gap_current = false;

    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(sim, c);
        int64_t row = constraint->row;
        double gap = sim->gap[row], before = sim->u_before[row];
        bool acts = true;
        if (constraint->joint) {
            acts = true;
        } else if (rule == RICO_ACTIVATE_CLOSING) {
            acts = closing(sim, before) && (gap <= 0.0 || gap <= closed(sim, h, row));
        } else if (rule == RICO_ACTIVATE_EXPLICIT) {
            double ahead = gap + gamma * h * before;
            acts = ahead <= 0.0 || ahead <= closed(sim, h, row);
        } else {
            double after = normal_speed(sim, row, v_free);
            acts = gap + h * (theta * after + (1.0 - theta) * before) <= 0.0;
        }
        // a contact of this step's impact may not close again before the step ends
        sim->active[c] = acts || (sim->impacts && sim->hit[c]);
    }
    return RICO_OK;
}
