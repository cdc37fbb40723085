// An impact at the start of a time step, by a law of multiple impacts.
//
// The positions of the step's start stand still, as the laws have it. Contacts take part that are closed, or that the
// velocity would close before the end of the step; when one of them approaches, the law maps v_k to v_k^+ among them
// all. Contacts that v_k^+ would close are taken in and the law is applied again, until none approaches. The scheme then
// steps from v_k^+ without restitution: contacts of the impact may not close again before the step ends. Energy splits
// in the same way: T(v_k^+) - T(v_k) is what the law took at each contact, the rest is the scheme's own balance.

#include "la/dense.h"
#include "step/simulation.h"

#include <math.h>
#include <string.h>

enum { MOST_REPEATS = 64 };
static const double TOUCHES = 1e-9;  // gap that counts as closed, over its reach
static const double APPROACH = 1e-9; // velocity that counts as none, over the largest one met


rico_status rico_simulation_set_impact(rico_simulation *sim, const char *name, rico_impact_law **law)
{
    rico_context *ctx = sim->ctx;
    if (name && !sim->scheme->impacts)
        return rico_fail(ctx, RICO_UNSUPPORTED,
                         "the scheme %s does not take laws of multiple impacts; moreau-jean does",
                         sim->scheme->info.name);
    if (!sim->struck) sim->struck = rico_alloc(ctx, sim->nv, sizeof *sim->struck);
    if (!sim->struck) return RICO_NO_MEMORY;
    rico_impacts *made = NULL;
    rico_status status = name ? rico_impacts_create(sim->assembly, name, &made) : RICO_OK;
    if (status != RICO_OK) return status;
    rico_impacts_destroy(sim->impacts);
    sim->impacts = made;
    if (law) *law = made ? made->law : NULL;
    return RICO_OK;
}


// Marks who takes part beside those that do already; true when one of them approaches.
static rico_status gather(rico_simulation *sim, double h, bool *approaches)
{
    double t = *sim->now.t;
    rico_status status =
        rico_assembly_retract(sim->assembly, t, sim->now.q, h, sim->now.v, sim->vector.ahead);
    if (status == RICO_OK) status = rico_assembly_gaps(sim->assembly, t + h, sim->vector.ahead, sim->gap);
    if (status != RICO_OK) return status;
    sim->gap_current = false;
    rico_step_local_velocity(sim, sim->now.v, sim->u_before);
    double still = APPROACH * fmax(*sim->now.scale, rico_norm_inf(sim->rows, sim->u_before));
    *approaches = false;
    for (int64_t c = 0; c < sim->constraints; c++) {
        int64_t row = rico_step_constraint(sim, c)->row;
        if (sim->gap[row] > fmax(sim->closed, TOUCHES) * rico_step_reach(sim, row)) continue;
        sim->hit[c] = 1;
        *approaches |= sim->u_before[row] < -still;
    }
    return RICO_OK;
}


rico_status rico_step_impact_begin(rico_simulation *sim, double h)
{
    bool approaches;
    memcpy(sim->struck, sim->now.v, (size_t)sim->nv * sizeof *sim->struck);
    memset(sim->hit, 0, (size_t)sim->constraints);
    rico_status status = rico_impacts_begin(sim->impacts);
    if (status == RICO_OK) status = rico_step_frames(sim, 0.0, sim->now.q);
    if (status == RICO_OK) memcpy(sim->blow, sim->u_before, (size_t)sim->rows * sizeof *sim->blow);
    if (status == RICO_OK) status = gather(sim, h, &approaches);
    for (int n = 0; status == RICO_OK && approaches && n < MOST_REPEATS; n++) {
        status = rico_impacts_apply(sim->impacts, *sim->now.t, sim->now.q, sim->hit, sim->now.v);
        if (status == RICO_OK) status = gather(sim, h, &approaches);
    }
    return status;
}


void rico_step_impact_book(rico_simulation *sim)
{
    for (int64_t c = 0; c < sim->constraints; c++) {
        sim->next.normal_work[c] -= sim->impacts->loss[c];
        sim->ledger.normal -= sim->impacts->loss[c];
    }
}


void rico_step_impact_end(rico_simulation *sim, bool good)
{
    memcpy(sim->now.v, sim->struck, (size_t)sim->nv * sizeof *sim->struck);
    if (!good) return;
    memcpy(sim->u_before, sim->blow, (size_t)sim->rows * sizeof *sim->blow);
    for (int64_t c = 0; c < sim->constraints; c++) {
        double impulse = sim->impacts->impulse[c];
        if (impulse == 0.0) continue;
        sim->next.p[rico_step_constraint(sim, c)->row] += impulse;
        sim->active[c] = 1;
    }
}
