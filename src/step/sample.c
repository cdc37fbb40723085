// Samplers between steps: clocked velocities, set where a step ends.

#include "step/sample.h"

#include "la/dense.h"
#include "model/sampler.h"

#include <math.h>
#include <string.h>

// how far from an instant a step may end, of the time between two
static const double NEAR = 1e-6;


static bool due(const rico_bound_sampler *sampler, double t)
{
    double phase = t / sampler->given.every;
    return fabs(phase - nearbyint(phase)) <= NEAR;
}


rico_status rico_step_sample_check(const rico_simulation *sim, double h)
{
    for (int64_t i = 0; i < sim->system->sampler_count; i++) {
        const rico_bound_sampler *sampler = &sim->system->sampler[i];
        double every = sampler->given.every, from = *sim->now.t,
               next = (floor(from / every + NEAR) + 1.0) * every;
        if (from + h <= next + NEAR * every) continue;
        return rico_fail(sim->ctx, RICO_BAD_ARGUMENT,
                         "a step of %g from t = %.10g passes over t = %.10g, where %s is sampled every %g: "
                         "take steps that end there",
                         h, from, next, sampler->name, every);
    }
    return RICO_OK;
}


static rico_status update(rico_simulation *sim, const rico_bound_sampler *sampler, double *values)
{
    const rico_sampler *given = &sampler->given;
    double *scratch = sim->assembly->scratch + sampler->scratch_at, t = *sim->now.t;
    if (given->update(given->user, scratch, t, sim->now.q, sim->now.v, values) &&
        rico_all_finite(given->count, values))
        return RICO_OK;
    return rico_fail(sim->ctx, RICO_BAD_INPUT,
                     "the update of %s was refused, or is no finite number, at t = %.17g", sampler->name, t);
}


rico_status rico_step_sample(rico_simulation *sim)
{
    const rico_system *system = sim->system;
    double *fresh = sim->vector.ahead; // at the end of a step, nobody's
    bool any = false;
    memcpy(fresh, sim->now.v, (size_t)sim->nv * sizeof *fresh);
    for (int64_t i = 0; i < system->sampler_count; i++) {
        const rico_bound_sampler *sampler = &system->sampler[i];
        if (!due(sampler, *sim->now.t)) continue;
        double *values = sim->vector.column;
        rico_status status = update(sim, sampler, values);
        if (status != RICO_OK) return status;
        for (int64_t k = 0; k < sampler->given.count; k++) fresh[sampler->dof[k]] = values[k];
        any = true;
    }
    if (!any) return RICO_OK;
    memcpy(sim->now.v, fresh, (size_t)sim->nv * sizeof *fresh);
    sim->level = false;
    if (sim->option[RICO_STEP_LEDGER] == 0.0) return RICO_OK;
    double kinetic, potential, before = sim->ledger.kinetic;
    rico_status status = rico_step_energies(sim, &sim->now, &kinetic, &potential);
    if (status != RICO_OK) return status;
    sim->ledger.kinetic = sim->total.kinetic = kinetic;
    sim->ledger.external += kinetic - before;
    sim->total.external += kinetic - before;
    return RICO_OK;
}
