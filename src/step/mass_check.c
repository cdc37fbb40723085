// Is the mass one that the scheme can take? Positive definite but for nodes that have none, and these where no velocity is divided by.
//
// A node without mass is in equilibrium with its neighbours in every step: h theta weighs its force, and the end of the step is where that mean asks it to
// be. Its velocity v_{k+1} = (dq/h - (1-theta) v_k)/theta acts on nothing, but keeps (theta = 1/2) or slowly loses an error that changes its sign at every
// step. dq/h stands in its place: it changes no position, no force and no energy. Contacts that stop such a node by its velocity alone would let it ring
// between the places where they act and do not, unless theta = 1.

#include "base/option.h"
#include "step/simulation.h"

#include <string.h>

// Nodes without mass are for schemes that solve with M + h theta C + h^2 theta^2 K.
static rico_status check_massless(const rico_simulation *sim, const rico_part *part)
{
    int theta = rico_option_find(sim->scheme->info.options, sim->scheme->info.option_count, "theta");
    int metric = rico_option_find(sim->scheme->info.options, sim->scheme->info.option_count, "metric");
    if (sim->scheme->massless == RICO_MASSLESS_NONE)
        return rico_fail(
            sim->ctx, RICO_UNSUPPORTED,
            "part %s has nodes without mass, and %s divides by the mass; combined-projection and "
            "trapezoidal-position do not",
            part->name, sim->scheme->info.name);
    if (sim->scheme->massless == RICO_MASSLESS_VELOCITY && rico_scheme_option(sim, theta) != 1.0)
        return rico_fail(sim->ctx, RICO_UNSUPPORTED,
                         "part %s has nodes without mass, which %s cannot hold with theta = %g; theta = 1, "
                         "combined-projection or trapezoidal-position do",
                         part->name, sim->scheme->info.name, rico_scheme_option(sim, theta));
    if (sim->impacts)
        return rico_fail(sim->ctx, RICO_UNSUPPORTED,
                         "part %s has nodes without mass, and a law of multiple impacts divides by the mass",
                         part->name);
    if (metric >= 0 && rico_scheme_option(sim, metric) != 0.0)
        return rico_fail(sim->ctx, RICO_UNSUPPORTED,
                         "part %s has nodes without mass, and %s divides by the mass to project positions; "
                         "metric = identity or trapezoidal-position do not",
                         part->name, sim->scheme->info.name);
    return RICO_OK;
}


// Notes which velocities have none.
static rico_status list_massless(rico_simulation *sim)
{
    const rico_system *system = sim->system;
    int64_t count = 0, found = 0;
    for (int64_t p = 0; p < system->part_count; p++) count += system->part[p]->massless;
    rico_free(sim->ctx, sim->massless);
    sim->massless = NULL;
    sim->massless_count = 0;
    if (count == 0) return RICO_OK;
    sim->massless = rico_alloc(sim->ctx, count, sizeof *sim->massless);
    if (!sim->massless) return RICO_NO_MEMORY;
    for (int64_t p = 0; p < system->part_count; p++) {
        const rico_place *place = &system->part[p]->place;
        for (int64_t j = place->v; system->part[p]->massless > 0 && j < place->v + place->v_size; j++)
            if (found < count && sim->assembly->M[rico_csc_find(&system->pattern, j, j)] == 0.0)
                sim->massless[found++] = j;
    }
    sim->massless_count = found;
    return RICO_OK;
}


// A matrix M that is not positive definite is refused before the first step. That of a large mesh is not factored to find out what is known.
rico_status rico_step_check_mass(rico_simulation *sim)
{
    const rico_system *system = sim->system;
    rico_status status = RICO_OK;
    bool known = system->part_count > 0;
    for (int64_t p = 0; p < system->part_count; p++) {
        const rico_part *part = system->part[p];
        known &= part->definite;
        if (part->massless > 0) status = check_massless(sim, part);
        if (status != RICO_OK) return status;
    }
    status = list_massless(sim);
    if (known || status != RICO_OK) return status;
    rico_csc M = system->pattern;
    M.value = rico_alloc(sim->ctx, rico_csc_count(&M), sizeof *M.value);
    if (!M.value) return RICO_NO_MEMORY;
    memcpy(M.value, sim->assembly->M, (size_t)rico_csc_count(&M) * sizeof *M.value);
    // ones for what has none, so that the rest can be looked at
    for (int64_t k = 0; k < sim->massless_count; k++)
        M.value[rico_csc_find(&M, sim->massless[k], sim->massless[k])] = 1.0;
    rico_factor *factor = NULL;
    status = rico_factor_create(RICO_CHOLESKY, &M, &factor);
    rico_factor_destroy(factor);
    rico_free(sim->ctx, M.value);
    if (status == RICO_SINGULAR) rico_fail_in(sim->ctx, status, "the mass matrix");
    return status;
}


// The velocities that contacts and joints press on.
static void mark_pressed(const rico_simulation *sim, double *pressed)
{
    const rico_csc *H = &sim->assembly->H;
    memset(pressed, 0, (size_t)sim->nv * sizeof *pressed);
    for (int64_t row = 0; row < sim->rows; row++)
        for (int64_t k = H->start[row]; sim->next.p[row] != 0.0 && k < H->start[row + 1]; k++)
            pressed[H->row[k]] = 1.0;
}


void rico_step_settle_massless(rico_simulation *sim)
{
    const rico_system *system = sim->system;
    bool all = sim->scheme->massless == RICO_MASSLESS_POSITION;
    double *pressed = sim->vector.change;
    int64_t p = 0;
    if (sim->massless_count == 0 || sim->scheme->info.statics) return;
    if (!all) mark_pressed(sim, pressed);
    for (int64_t k = 0; k < sim->massless_count; k++) {
        int64_t j = sim->massless[k];
        while (j >= system->part[p]->place.v + system->part[p]->place.v_size) p++;
        int64_t at = j - system->part[p]->place.v + system->part[p]->place.q;
        if (all || pressed[j] == 0.0) sim->next.v[j] = (sim->next.q[at] - sim->now.q[at]) / sim->h;
    }
    rico_step_end_velocity(sim, sim->next.v, sim->u_after);
}
