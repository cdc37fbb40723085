// Cohesion in a step: which contacts hold tension, and which bonds are left.
//
// Tension acts where a contact is closed, not before it closes: in one that touched in the step before, or that is closed where the
// simulation starts. A bond is there from the start alone, and gone once its contact has opened.

#include "model/friction.h"
#include "step/simulation.h"

#include <float.h>
#include <math.h>
#include <string.h>

static double cohesion_of(const rico_simulation *sim, int64_t c)
{
    const rico_constraint *constraint = rico_step_constraint(sim, c);
    return constraint->rubs ? constraint->rubs->given.cohesion : 0.0;
}


static bool any_cohesion(const rico_system *system)
{
    for (int i = 0; i < system->friction_count; i++)
        if (system->friction[i]->given.cohesion > 0.0) return true;
    return false;
}


// Closed where it starts: by the share of its size that a scheme leaves, a user's tolerance, or a millionth of a millionth.
static bool starts_closed(const rico_simulation *sim, int64_t row, double gap)
{
    double share = fmax(sim->closed, 1e-12), reach = rico_step_reach(sim, row);
    return gap <= fmax(share * reach, rico_step_option(sim, RICO_STEP_GAP));
}


rico_status rico_step_bond_start(rico_simulation *sim)
{
    if (!any_cohesion(sim->system)) return RICO_OK;
    sim->contacts.h = sim->h = 0.0;
    rico_status status = rico_assembly_gaps(sim->assembly, *sim->now.t, sim->now.q, sim->gap);
    for (int64_t c = 0; status == RICO_OK && c < sim->constraints; c++) {
        int64_t row = rico_step_constraint(sim, c)->row;
        bool closed = cohesion_of(sim, c) > 0.0 && starts_closed(sim, row, sim->gap[row]);
        sim->now.bond[c] = closed ? 1.0 : 0.0;
    }
    sim->gap_current = false;
    return status;
}


rico_status rico_step_bond_begin(rico_simulation *sim)
{
    rico_contacts *contacts = &sim->contacts;
    if (!any_cohesion(sim->system)) return RICO_OK;
    if (!rico_renew(sim->ctx, &contacts->tension, contacts->constraint_room, sizeof *contacts->tension))
        return RICO_NO_MEMORY;
    if (!contacts->pull && !rico_renew(sim->ctx, &contacts->pull, sim->nv, sizeof *contacts->pull))
        return RICO_NO_MEMORY;
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(sim, c);
        bool first = sim->steps == 0 && sim->now.bond[c] > 0.0;
        bool closed = first || sim->now.doing[c] != RICO_OPEN;
        bool bonds = constraint->rubs && constraint->rubs->given.bond;
        contacts->tension[c] = closed && (!bonds || sim->now.bond[c] > 0.0) ? cohesion_of(sim, c) : 0.0;
    }
    return RICO_OK;
}


void rico_step_bond_end(rico_simulation *sim)
{
    for (int64_t c = 0; sim->contacts.tension && c < sim->constraints; c++)
        if (sim->next.doing[c] == RICO_OPEN) sim->next.bond[c] = 0.0;
}
