// The error of the reduced elastic parts of a run, followed from step to step.

#include "store/reductions.h"

#include "base/context.h"
#include "ricochet/elastic.h"

#include <math.h>
#include <stdio.h>

// One part: its error, and the largest norms of it and of the state, with the time of the former.
typedef struct followed {
    const char *name;
    int64_t part;
    rico_place place;
    rico_elastic_reduced reduced;
    rico_elastic_error *error;
    double worst, scale, t, fast, speed;
} followed;

struct rico_reductions {
    rico_context *ctx;
    rico_simulation *sim;
    int64_t count;
    followed *part;
};


rico_status rico_reductions_create(rico_context *ctx, rico_scene *scene, rico_simulation *sim,
                                   rico_reductions **out)
{
    const rico_system *system = rico_scene_system(scene);
    int64_t parts = rico_scene_elastic_count(scene), count = 0;
    *out = NULL;
    for (int64_t i = 0; i < parts; i++)
        count += rico_scene_elastic_part(scene, i, NULL, NULL, NULL)->reduction != NULL;
    if (count == 0) return RICO_OK;
    rico_reductions *all = rico_alloc(ctx, 1, sizeof *all);
    if (!all) return RICO_NO_MEMORY;
    *all = (rico_reductions){.ctx = ctx, .sim = sim, .part = rico_alloc(ctx, count, sizeof *all->part)};
    rico_status status = all->part ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t i = 0; status == RICO_OK && i < parts; i++) {
        followed own = {0};
        (void)rico_scene_elastic_part(scene, i, &own.name, &own.part, &own.place);
        if (!rico_elastic_reduction_of(system, own.part, &own.reduced)) continue;
        status = rico_elastic_error_create(system, ctx, own.part, &own.error);
        if (status == RICO_OK) all->part[all->count++] = own;
    }
    if (status == RICO_OK) status = rico_reductions_step(all, true);
    if (status != RICO_OK) {
        rico_reductions_destroy(all);
        return status;
    }
    *out = all;
    return RICO_OK;
}


void rico_reductions_destroy(rico_reductions *all)
{
    if (!all) return;
    for (int64_t i = 0; i < all->count; i++) rico_elastic_error_destroy(all->part[i].error);
    rico_free(all->ctx, all->part);
    rico_free(all->ctx, all);
}


rico_status rico_reductions_step(rico_reductions *all, bool row)
{
    rico_status status = RICO_OK;
    for (int64_t i = 0; all && status == RICO_OK && i < all->count; i++) {
        followed *own = &all->part[i];
        const double *q = rico_simulation_position(all->sim) + own->place.q,
                     *v = rico_simulation_velocity(all->sim) + own->place.v;
        double t = rico_simulation_time(all->sim);
        rico_elastic_error_norms now;
        rico_elastic_error_follow(own->error, t, v);
        if (!row) continue;
        status = rico_elastic_error_look(own->error, q, v, &now);
        if (status != RICO_OK) return status;
        if (now.error > own->worst) own->worst = now.error, own->t = t;
        own->scale = fmax(own->scale, now.state);
        own->fast = fmax(own->fast, now.fast);
        own->speed = fmax(own->speed, now.speed);
    }
    return status;
}


void rico_reductions_tell(const rico_reductions *all, rico_runner_result *result)
{
    for (int64_t i = 0; all && i < all->count; i++) {
        const followed *own = &all->part[i];
        double share = own->worst > 0.0 ? own->worst / own->scale : 0.0;
        if (result->reduced > 0 && share <= result->reduction_error) continue;
        snprintf(result->reduced_part, sizeof result->reduced_part, "%s", own->name);
        result->reduction_error = share;
        result->reduction_time = own->t;
        result->reduction_fast = own->speed > 0.0 ? own->fast / own->speed : 0.0;
        result->reduced = own->reduced.full;
        result->reduced_to = own->reduced.kept + own->reduced.modes;
        result->reduction_next = own->reduced.next;
    }
}
