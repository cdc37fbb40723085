// A rank's simulation: some of the free bodies of the scene, and all that nobody moves freely.
//
// Bodies keep their order, features and masses: a contact has the key here that it has in the whole, and a body the
// same numbers whoever else is there.

#include "space.h"

#include <stdlib.h>
#include <string.h>

void rico_space_destroy_local(rico_space *space)
{
    rico_context *ctx = space->own;
    rico_space_local *local = &space->local;
    rico_space_destroy_watch(space);
    if (local->set) { // else it is the whole, which is the run's
        rico_simulation_destroy(local->sim);
        rico_system_destroy(local->system);
        rico_free(ctx, local->set->body);
        rico_free(ctx, local->set->exclusion);
        rico_free(ctx, local->set);
    }
    rico_free(ctx, local->item);
    rico_free(ctx, local->own);
    rico_free(ctx, local->origin);
    rico_free(ctx, local->told);
    rico_free(ctx, local->counts);
    rico_free(ctx, local->send);
    rico_free(ctx, local->hear);
    *local = (rico_space_local){0};
}


// Where in the rank's set a body of the scene is, -1: nowhere.
static int64_t find(const rico_space_local *local, int64_t body)
{
    int64_t low = 0, high = local->bodies;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (local->origin[middle] < body)
            low = middle + 1;
        else
            high = middle;
    }
    return low < local->bodies && local->origin[low] == body ? low : -1;
}


static rico_status take_exclusions(rico_space *space, rico_bodies *set)
{
    const rico_bodies *all = space->all;
    rico_context *ctx = space->own;
    set->exclusion_count = 0;
    set->exclusion_room = all->exclusion_count;
    set->exclusion = rico_alloc(ctx, 2 * all->exclusion_count, sizeof *set->exclusion);
    if (!set->exclusion) return RICO_NO_MEMORY;
    for (int64_t k = 0; k < all->exclusion_count; k++) {
        int64_t a = find(&space->local, all->exclusion[2 * k]),
                b = find(&space->local, all->exclusion[2 * k + 1]);
        if (a < 0 || b < 0) continue;
        set->exclusion[2 * set->exclusion_count] = a;
        set->exclusion[2 * set->exclusion_count++ + 1] = b;
    }
    return RICO_OK;
}


// The bodies of the records, and those that are not free.
static rico_status make_set(rico_space *space, const rico_space_records *from)
{
    rico_context *ctx = space->own;
    rico_space_local *local = &space->local;
    const rico_bodies *all = space->all;
    int64_t most = all->count - all->free + from->bodies, next = 0;
    rico_bodies *set = rico_alloc(ctx, 1, sizeof *set);
    if (!set) return RICO_NO_MEMORY;
    *set = *all;
    local->set = set;
    set->ctx = ctx;
    set->whole = all;
    set->bound = false;
    set->spring_count = set->beam_count = set->exclusion_count = 0;
    set->count = set->free = 0;
    set->exclusion = NULL;
    set->room = most;
    set->body = rico_alloc(ctx, most, sizeof *set->body);
    local->count = from->bodies;
    local->item = rico_alloc(ctx, from->bodies, sizeof *local->item);
    local->own = rico_alloc(ctx, from->bodies, sizeof *local->own);
    local->origin = rico_alloc(ctx, most, sizeof *local->origin);
    local->told = rico_alloc(ctx, from->bodies * space->crew->size, 1);
    if (!set->body || !local->item || !local->own || !local->origin || !local->told) return RICO_NO_MEMORY;
    for (int64_t b = 0; b < all->count; b++) {
        const rico_bound_body *given = &all->body[b];
        bool here = given->item < 0 || (next < from->bodies && from->body[next].item == given->item);
        if (!here) continue;
        rico_bound_body *made = &set->body[set->count];
        *made = *given;
        local->origin[set->count++] = b;
        if (given->item < 0) continue;
        made->item = next;
        made->q = next * all->q_size;
        made->v = next * all->v_size;
        made->ghost = from->body[next].is_copy;
        local->item[next] = (int32_t)given->item;
        local->own[next++] = !made->ghost;
    }
    set->free = next;
    local->bodies = set->count;
    return take_exclusions(space, set);
}


static rico_status make_simulation(rico_space *space, const rico_space_records *from)
{
    rico_context *ctx = space->own;
    rico_space_local *local = &space->local;
    rico_status status = rico_system_create(ctx, &local->system);
    if (!status) status = rico_system_add_bodies(local->system, "bodies", local->set, NULL);
    if (!status) status = rico_system_complete(local->system);
    if (status) return status;
    // products with large matrices may add up otherwise
    rico_free(ctx, local->system->alike);
    local->system->alike = NULL;
    status = rico_simulation_create_in(ctx, local->system, space->scheme, &local->sim);
    if (status) return status;
    rico_simulation *sim = local->sim;
    memcpy(sim->option, space->option, (size_t)space->options * sizeof *sim->option);
    sim->iteration.group = space->all->v_size;
    double *q = rico_alloc(ctx, sim->nq, sizeof *q), *v = rico_alloc(ctx, sim->nv, sizeof *v);
    if (q && v) {
        for (int64_t b = 0; b < from->bodies; b++) {
            memcpy(q + b * space->all->q_size, from->body[b].q, (size_t)space->all->q_size * sizeof *q);
            memcpy(v + b * space->all->v_size, from->body[b].v, (size_t)space->all->v_size * sizeof *v);
        }
        sim->loading = local->set->mute = true;
        status = rico_simulation_start(sim, space->head.t, q, v);
        sim->loading = local->set->mute = false;
    } else {
        status = RICO_NO_MEMORY;
    }
    rico_free(ctx, q);
    rico_free(ctx, v);
    if (!status) status = rico_space_put(space, sim, from, local);
    sim->warned_paradox = true; // who looks at it from everywhere would say it once for each rank
    sim->share = sim->contacts.share = &space->share;
    return status;
}


rico_status rico_space_make_local(rico_space *space, const rico_space_records *from)
{
    rico_space_destroy_local(space);
    space->made++;
    rico_status status = make_set(space, from);
    if (!status) status = make_simulation(space, from);
    if (!status) status = rico_space_make_watch(space, from);
    return status;
}
