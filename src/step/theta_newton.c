// Newton's loop of the theta-methods: the velocities and impulses of a step.

#include "la/dense.h"
#include "step/relations.h"
#include "step/theta_step.h"

#include <string.h>

// Frames and contacts at the velocity v, where they are not those of the start of the step.
static rico_status frames_at(rico_simulation *sim, const rico_theta_step *step, const double *v, double *mean)
{
    rico_theta_displacement(sim, step, v, mean);
    rico_status status =
        rico_assembly_retract(sim->assembly, *sim->now.t, sim->now.q, 1.0, mean, sim->vector.ahead);
    if (status == RICO_OK) status = rico_step_frames_again(sim, step->h, sim->vector.ahead, mean, v);
    return status;
}


rico_status rico_theta_newton(rico_simulation *sim, const rico_theta_step *step, const rico_theta_ways *ways)
{
    const rico_system *system = sim->system;
    double omega = rico_step_law(sim)->omega(step->weight);
    double *right = sim->vector.right, *mean = sim->vector.mean, *v = sim->vector.iterate,
           *work = sim->vector.change, *next = sim->next.v;
    bool late = rico_step_option(sim, RICO_STEP_FRAMES) != 0.0 && !system->constant_frames;
    bool once = system->linear && !late && !system->bent;
    int most = (int)rico_step_option(sim, RICO_STEP_NEWTON_MAX), n = 0;
    const double *at = sim->now.v;
    for (bool done = false; !done;) {
        bool changed;
        rico_status status = rico_theta_residual(sim, step, at, right, mean, work);
        if (status == RICO_OK) status = rico_theta_matrix(sim, step, &changed);
        if (status == RICO_OK) status = rico_iteration_solve(&sim->iteration, 1, right, next);
        if (status != RICO_OK) return status;
        if (sim->share && !system->linear) {
            // what a share finds unchanged may be another matrix elsewhere; what it had in the step before, others may not
            double anywhere = changed || n == 0;
            if (n > 0) rico_step_largest(sim, 1, &anywhere);
            changed = anywhere > 0.0;
        }
        rico_axpy(sim->nv, 1.0, at, next);
        if (n == 0) {
            status = ways->activate(sim, step, next);
            rico_contacts_activate(&sim->contacts, sim->active);
        } else if (late) {
            status = frames_at(sim, step, v, mean);
        }
        if (n > 0 && system->bent && status == RICO_OK) status = rico_step_relations_about(sim, step->h, v);
        if (status != RICO_OK) return status;
        if (!once || sim->contacts.rows > 0) rico_step_law_offset(sim, step->weight, sim->offset);
        if (ways->offset) ways->offset(sim, step, omega);
        bool same = !once && rico_step_same_problem(sim, n == 0, next, sim->offset);
        if (same && !changed && !late && !system->bent) {
            // solved already: forces that depend on the velocity are none
            memcpy(next, v, (size_t)sim->nv * sizeof *next);
            n++;
            break;
        }
        status = rico_contacts_solve(&sim->contacts, &sim->iteration, changed || !system->constant_frames,
                                     omega, sim->offset, next, sim->next.p, sim->next.scale);
        if (status != RICO_OK) return status;
        n++;
        done = once || (n > 1 && (same || ways->settled(sim, n, at, next)));
        if (!done && n >= most) return rico_theta_unsettled(sim, n, at, next, "take a smaller step");
        if (!done) memcpy(v, next, (size_t)sim->nv * sizeof *v);
        at = v;
    }
    sim->stats.newton_last = n;
    sim->stats.newton_iterations += n;
    return RICO_OK;
}
