// Samplers in a system: how they are added. What they do between steps is in step/sample.c.

#include "model/sampler.h"

#include "model/add.h"

#include <math.h>
#include <string.h>

static rico_status check(const rico_system *system, const char *name, const rico_sampler *sampler)
{
    rico_context *ctx = system->ctx;
    if (!(sampler->every > 0.0) || !isfinite(sampler->every))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "sampler %s: every %g, expected more than 0", name,
                         sampler->every);
    if (!sampler->update || sampler->count < 1)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "sampler %s needs velocities to set and a function that does", name);
    for (int64_t i = 0; i < sampler->count; i++)
        if (sampler->dof[i] < 0 || sampler->dof[i] >= system->nv)
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "sampler %s: velocity %lld, expected 0 to %lld", name,
                             (long long)sampler->dof[i], (long long)system->nv - 1);
    return RICO_OK;
}


rico_status rico_system_add_sampler(rico_system *system, const char *name, const rico_sampler *sampler)
{
    rico_context *ctx = system->ctx;
    rico_status status = rico_system_open(system, name);
    if (status == RICO_OK) status = check(system, name, sampler);
    if (status != RICO_OK) return status;
    rico_bound_sampler *list =
        rico_grow(ctx, system->sampler, system->sampler_count, system->sampler_count + 1, sizeof *list);
    if (!list) return RICO_NO_MEMORY;
    system->sampler = list;
    rico_bound_sampler *made = &list[system->sampler_count];
    *made = (rico_bound_sampler){.name = rico_model_copy_text(ctx, name),
                                 .given = *sampler,
                                 .dof = rico_alloc(ctx, sampler->count, sizeof *made->dof)};
    system->sampler_count++; // released whatever happens
    if (!made->name || !made->dof) return RICO_NO_MEMORY;
    memcpy(made->dof, sampler->dof, (size_t)sampler->count * sizeof *made->dof);
    made->given.dof = made->dof;
    return RICO_OK;
}


void rico_system_release_samplers(rico_system *system)
{
    for (int64_t i = 0; i < system->sampler_count; i++) {
        rico_free(system->ctx, system->sampler[i].name);
        rico_free(system->ctx, system->sampler[i].dof);
    }
    rico_free(system->ctx, system->sampler);
}
