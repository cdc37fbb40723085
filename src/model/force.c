// Forces that a caller computes from the whole state, as interactions without tangents.

#include "model/add.h"

#include <math.h>
#include <string.h>

struct rico_bound_force {
    rico_force given;
    int64_t *dof;
};


static bool add_forces(void *user, double *scratch, double t, const double *q, const double *v,
                       double *applied, double *damping, double *conservative)
{
    (void)damping, (void)conservative;
    const rico_bound_force *own = user;
    const int64_t count = own->given.reach.dof_count;
    memset(scratch, 0, (size_t)count * sizeof *scratch);
    if (!own->given.force(own->given.user, t, q, v, scratch)) return false;
    for (int64_t i = 0; i < count; i++) {
        if (!isfinite(scratch[i])) return false;
        applied[own->dof[i]] += scratch[i];
    }
    return true;
}


static bool no_tangents(void *user, double *scratch, double t, const double *q, const double *v, double *K,
                        double *C)
{
    (void)user, (void)scratch, (void)t, (void)q, (void)v, (void)K, (void)C;
    return true;
}


static rico_status check_reach(const rico_system *system, const char *name, const rico_reach *reach)
{
    if (reach->dof_count < 1 || !reach->dof)
        return rico_fail(system->ctx, RICO_BAD_ARGUMENT, "force %s acts on no velocity", name);
    for (int64_t i = 0; i < reach->dof_count; i++)
        if (reach->dof[i] < 0 || reach->dof[i] >= system->nv)
            return rico_fail(system->ctx, RICO_BAD_ARGUMENT,
                             "force %s acts on velocity %lld, but there are %lld", name,
                             (long long)reach->dof[i], (long long)system->nv);
    return RICO_OK;
}


rico_status rico_system_add_force(rico_system *system, const char *name, const rico_force *force)
{
    rico_context *ctx = system->ctx;
    rico_status status = rico_system_open(system, name);
    if (status != RICO_OK) return status;
    if (!force->force) return rico_fail(ctx, RICO_BAD_ARGUMENT, "force %s has no function", name);
    status = check_reach(system, name, &force->reach);
    if (status != RICO_OK) return status;
    rico_bound_force **list = rico_model_room(ctx, system->force, system->force_count, &system->force_room,
                                              sizeof(rico_bound_force *));
    if (!list) return RICO_NO_MEMORY;
    system->force = list;

    rico_bound_force *own = rico_alloc(ctx, 1, sizeof *own);
    if (!own) return RICO_NO_MEMORY;
    own->given = *force;
    own->dof = rico_alloc(ctx, force->reach.dof_count, sizeof *own->dof);
    if (!own->dof) {
        rico_free(ctx, own);
        return RICO_NO_MEMORY;
    }
    memcpy(own->dof, force->reach.dof, (size_t)force->reach.dof_count * sizeof *own->dof);
    own->given.reach.dof = own->dof;
    list[system->force_count++] = own;
    const rico_interaction made = {.scratch = force->reach.dof_count,
                                   .symmetric = true,
                                   .stiff = true,
                                   .forces = add_forces,
                                   .tangents = no_tangents,
                                   .limit = "it was refused",
                                   .user = own};
    return rico_system_add_interaction(system, name, &made);
}


void rico_forces_destroy(rico_system *system)
{
    for (int64_t i = 0; i < system->force_count; i++) {
        rico_free(system->ctx, system->force[i]->dof);
        rico_free(system->ctx, system->force[i]);
    }
    rico_free(system->ctx, system->force);
}
