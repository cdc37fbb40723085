// The life of a scene that is split in space, and its steps: see space.h.

#include "space.h"

#include "ricochet/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Steps for which copies of all bodies stay where bodies were driven beyond what is copied.
enum { STAY = 8 };


// --- life --------------------------------------------------------------------------------------------------------

void rico_space_destroy(rico_space *space)
{
    if (!space) return;
    rico_context *ctx = space->ctx;
    rico_space_destroy_local(space);
    rico_mpi_split_release(&space->split);
    rico_free(space->own, space->reach);
    rico_free(space->own, space->option);
    rico_free(space->own, space->happening);
    rico_scene_destroy(space->scene);
    rico_crew_destroy(space->crew);
    rico_context_destroy(space->own);
    rico_free(ctx, space);
}


// A text of the first rank to all, which release it.
static rico_status tell_text(rico_space *space, const char *text, char **out)
{
    int64_t length = text ? (int64_t)strlen(text) : 0;
    MPI_Bcast(&length, 1, MPI_INT64_T, 0, space->crew->comm);
    *out = rico_alloc(space->own, length + 1, 1);
    rico_status status = rico_crew_agree(space->crew, *out ? RICO_OK : RICO_NO_MEMORY);
    if (status) return status;
    if (text) memcpy(*out, text, (size_t)length);
    MPI_Bcast(*out, (int)length, MPI_CHAR, 0, space->crew->comm);
    return RICO_OK;
}


// The scene on the ranks that have none, from the same text and settings; files that it names are read by each.
static rico_status make_scene(rico_space *space, const rico_helped_run *run)
{
    enum { MOST = 256 };
    char *path = NULL, *text = NULL, *override[MOST] = {NULL};
    int64_t count = run ? run->override_count : 0;
    rico_status status = RICO_OK;
    if (count > MOST) status = rico_fail(space->own, RICO_UNSUPPORTED, "more than %d settings", MOST);
    status = rico_crew_agree(space->crew, status);
    if (!status) MPI_Bcast(&count, 1, MPI_INT64_T, 0, space->crew->comm);
    if (!status) status = tell_text(space, run ? run->path : NULL, &path);
    if (!status) status = tell_text(space, run ? run->text : NULL, &text);
    for (int64_t i = 0; !status && i < count; i++)
        status = tell_text(space, run ? run->overrides[i] : NULL, &override[i]);
    rico_status mine = RICO_OK;
    if (!status && !run) {
        const rico_scene_options options = {.path = path,
                                            .text = text,
                                            .length = (int64_t)strlen(text),
                                            .override_count = count,
                                            .overrides = (const char *const *) override};
        mine = rico_scene_create(space->own, &options, &space->scene);
        if (!mine) space->all = rico_scene_body_set(space->scene, NULL, NULL);
        if (!mine && !space->all)
            mine = rico_fail(space->own, RICO_INTERNAL, "the scene has lost its bodies");
    }
    if (!status) status = rico_crew_agree(space->crew, mine);
    rico_free(space->own, path);
    rico_free(space->own, text);
    for (int64_t i = 0; i < count && i < MOST; i++) rico_free(space->own, override[i]);
    return status;
}


// The scheme and its options, and where the run stands.
static rico_status tell_scheme(rico_space *space)
{
    MPI_Comm comm = space->crew->comm;
    const rico_simulation *sim = space->whole;
    if (sim) {
        snprintf(space->scheme, sizeof space->scheme, "%s", sim->scheme->info.name);
        space->options = RICO_STEP_OPTIONS + sim->scheme->info.option_count;
        space->head = rico_space_head_of(sim);
    }
    MPI_Bcast(space->scheme, sizeof space->scheme, MPI_CHAR, 0, comm);
    MPI_Bcast(&space->options, 1, MPI_INT, 0, comm);
    MPI_Bcast(&space->head, (int)sizeof space->head, MPI_BYTE, 0, comm);
    MPI_Bcast(&space->every_step, (int)sizeof space->every_step, MPI_BYTE, 0, comm);
    space->option = rico_alloc(space->own, space->options, sizeof *space->option);
    rico_status status = rico_crew_agree(space->crew, space->option ? RICO_OK : RICO_NO_MEMORY);
    if (status) return status;
    if (sim) memcpy(space->option, sim->option, (size_t)space->options * sizeof *space->option);
    MPI_Bcast(space->option, space->options, MPI_DOUBLE, 0, comm);
    return RICO_OK;
}


// The first rank begins with everything, the others with nothing.
static rico_status begin(rico_space *space)
{
    rico_context *ctx = space->own;
    rico_space_local *local = &space->local;
    const rico_bodies *all = space->all;
    double least = INFINITY;
    for (int64_t b = 0; b < all->count; b++) {
        const rico_bound_body *body = &all->body[b];
        if (body->item >= 0 && body->given.shape) least = fmin(least, body->given.shape->reach);
    }
    space->margin = isfinite(least) ? least : 0.0;
    space->everything = space->crew->size == 1;
    local->count = space->whole ? all->free : 0;
    local->item = rico_alloc(ctx, local->count, sizeof *local->item);
    local->own = rico_alloc(ctx, local->count, sizeof *local->own);
    if (!local->item || !local->own) return RICO_NO_MEMORY;
    local->sim = space->whole;
    local->watch = space->watch;
    for (int64_t b = 0; b < local->count; b++) {
        local->item[b] = (int32_t)b;
        local->own[b] = true;
    }
    return rico_space_create_split(space);
}


rico_status rico_space_create(rico_context *ctx, MPI_Comm comm, const rico_helped_run *run, rico_space **out)
{
    rico_space *space = rico_alloc(ctx, 1, sizeof *space);
    rico_context *own = rico_context_sibling(ctx);
    rico_crew *crew = NULL;
    *out = NULL;
    if (!space || !own || rico_crew_create(own, comm, &crew) != RICO_OK) MPI_Abort(comm, 1);
    space->ctx = ctx;
    space->own = own;
    space->crew = crew;
    space->whole = run ? run->sim : NULL;
    space->watch = run ? run->watch : NULL;
    space->every_step = run && run->every_step;
    if (run) space->all = rico_part_bodies(run->sim->system->part[0]);
    rico_status status = make_scene(space, run);
    if (!status) status = tell_scheme(space);
    if (!status) status = rico_crew_agree(crew, begin(space));
    if (status) {
        rico_fail(ctx, status, "%s", rico_message(own));
        rico_space_destroy(space);
        return status;
    }
    rico_space_make_share(space);
    *out = space;
    return RICO_OK;
}


// --- what all ranks add to a step -------------------------------------------------------------------------------------

// The largest share of a violation, of equal ones that of the contact that comes first, as one simulation finds it.
static rico_status merge_worst(rico_space *space, double *worst)
{
    int size = space->crew->size;
    double *all = rico_alloc(space->own, 4 * (int64_t)size, sizeof *all);
    rico_status status = rico_crew_agree(space->crew, all ? RICO_OK : RICO_NO_MEMORY);
    if (!status) {
        MPI_Allgather(worst, 4, MPI_DOUBLE, all, 4, MPI_DOUBLE, space->crew->comm);
        for (int r = 0; r < size; r++) {
            const double *of = all + 4 * r;
            rico_contact_key key, mine;
            memcpy(&key, &of[3], sizeof key);
            memcpy(&mine, &worst[3], sizeof mine);
            worst[0] = fmax(worst[0], of[0]);
            if (of[1] < worst[1] || (of[1] == worst[1] && key >= mine)) continue;
            memcpy(&worst[1], &of[1], 3 * sizeof *of);
        }
    }
    rico_free(space->own, all);
    return status;
}


// Events that are counted here, to those of the others.
static void count_events(rico_space *space, rico_step_stats *stats)
{
    const rico_space_local *local = &space->local;
    const rico_simulation *sim = local->sim;
    int64_t count[2] = {0, 0};
    for (int64_t k = 0; k < sim->events.count; k++) {
        const rico_event *event = &sim->events.event[k];
        if (!rico_space_counts(local, rico_step_constraint(sim, event->contact))) continue;
        count[0]++;
        count[1] += event->kind == RICO_EVENT_IMPACT;
    }
    rico_crew_reduce(space->crew, count, 2, MPI_INT64_T, MPI_SUM);
    stats->events = space->head.stats.events + count[0];
    stats->impacts = space->head.stats.impacts + count[1];
}


static rico_status finish(rico_space *space)
{
    rico_simulation *sim = space->local.sim;
    rico_space_head head = rico_space_head_of(sim);
    rico_status status = merge_worst(space, head.worst);
    if (status) return status;
    count_events(space, &head.stats);
    head.stats.factorizations = space->local.system->linear ? 1 : head.stats.newton_iterations;
    memcpy(sim->now.worst, head.worst, sizeof head.worst);
    memcpy(sim->next.worst, head.worst, sizeof head.worst);
    sim->stats = head.stats;
    space->head = head;
    if (space->every_step) return rico_space_gather(space);
    status = rico_space_watch(space);
    if (!status && space->whole) rico_space_put_head(space, space->whole);
    space->ahead = true;
    return status;
}


// --- a step --------------------------------------------------------------------------------------------------------

// The rank's own step. All leave together, with the state of before where it is to be tried again or has failed.
static rico_status try_step(rico_space *space, double h, bool *again)
{
    rico_simulation *sim = space->local.sim;
    space->failed = space->struck = space->silent = false;
    rico_status status = rico_simulation_step(sim, h), mine = status;
    if (space->struck) {
        *again = true; // everywhere, and every simulation has undone it
        return RICO_OK;
    }
    if (!status && rico_space_flung(space, h)) space->struck = true;
    if (space->failed) mine = RICO_OK; // by another
    double flung = space->struck;
    rico_space_meet(space, 1, &flung, mine != RICO_OK);
    if (space->silent) mine = RICO_OK;
    bool bad = space->failed || flung > 0.0;
    *again = bad && !space->failed;
    if (bad && !status) {
        rico_status back = rico_step_restore(sim, sim->before);
        if (back) mine = back;
    }
    return rico_crew_agree(space->crew, mine);
}


static rico_status step(rico_space *space, double h)
{
    int size = space->crew->size;
    bool again = true;
    rico_status status = RICO_OK;
    double interrupted = rico_context_interrupted(space->ctx);
    space->failed = false;
    rico_space_meet(space, 1, &interrupted, false);
    if (interrupted > 0.0)
        status = rico_fail(space->own, RICO_INTERRUPTED, "interrupted at t = %.17g", space->head.t);
    while (!status && again) {
        again = false;
        space->whole_steps += size > 1 && space->everything > 0;
        status = rico_space_arrange(space, h);
        if (!status) status = try_step(space, h, &again);
        if (again) space->everything = STAY;
    }
    if (!status && size > 1 && space->everything > 0) space->everything--;
    if (!status) status = finish(space);
    return status ? rico_fail(space->ctx, status, "%s", rico_message(space->own)) : RICO_OK;
}


// Keeps account of the work of what all ranks do together.
static rico_status with_account(rico_space *space, rico_status (*act)(rico_space *space, double h), double h)
{
    double began = rico_crew_clock(), waited = space->crew->traffic.waiting;
    rico_status status = act(space, h);
    space->work += rico_crew_clock() - began - (space->crew->traffic.waiting - waited);
    return status;
}


rico_status rico_space_step(rico_space *space, double h)
{
    return with_account(space, step, h);
}


static rico_status gather(rico_space *space, double h)
{
    (void)h;
    rico_status status = rico_space_gather(space);
    space->ahead = status != RICO_OK;
    return status ? rico_fail(space->ctx, status, "%s", rico_message(space->own)) : RICO_OK;
}


rico_status rico_space_catch_up(rico_space *space)
{
    return with_account(space, gather, 0.0);
}


rico_space_facts rico_space_tell(rico_space *space)
{
    int64_t count[] = {space->moved, space->made};
    double work[] = {space->work, (double)rico_context_memory(space->own).peak};
    rico_crew_reduce(space->crew, &count[0], 1, MPI_INT64_T, MPI_SUM);
    rico_crew_reduce(space->crew, &count[1], 1, MPI_INT64_T, MPI_MAX);
    rico_crew_reduce(space->crew, work, 2, MPI_DOUBLE, MPI_MAX);
    return (rico_space_facts){.moved = count[0],
                              .made = count[1],
                              .everywhere = space->whole_steps,
                              .gathered = space->gathered,
                              .work = work[0],
                              .memory = work[1]};
}
