// What simulations settle to over a parameter: brute force, to lay beside the branches.

#include "lab/branch.h"
#include "lab/workers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SETTLE_PERIODS = 300, MARKS = 48, MOMENTS = 6000 };

typedef struct answer {
    rico_status status;
    int64_t count;
    double mark[MARKS];
    char note[200];
} answer;

typedef struct work {
    const rico_branches *branches;
    const rico_branch_order *order;
    int64_t values;
    rico_brute *out;
} work;


static double value_at(const work *self, int64_t piece)
{
    const rico_branch_order *order = self->order;
    return order->low + (order->high - order->low) * ((double)piece + 0.5) / (double)self->values;
}


// Once in each period of the driving.
static rico_status strobe(const work *self, rico_simulation *sim, double period, answer *out)
{
    rico_status status = RICO_OK;
    int64_t measure = self->branches->measure, nq = self->branches->search.nq;
    for (int64_t n = 0; status == RICO_OK && n < SETTLE_PERIODS + MARKS; n++) {
        status = rico_simulation_step(sim, period);
        if (status != RICO_OK || n < SETTLE_PERIODS) continue;
        out->mark[out->count++] = measure < nq ? rico_simulation_position(sim)[measure]
                                               : rico_simulation_velocity(sim)[measure - nq];
    }
    return status;
}


// The maxima of the second half of the scene's time.
static rico_status maxima(const work *self, rico_context *ctx, rico_simulation *sim, double time, answer *out)
{
    int64_t measure = self->branches->measure, nq = self->branches->search.nq;
    double *y = rico_alloc(ctx, MOMENTS, sizeof *y);
    rico_status status = y ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t n = 0; status == RICO_OK && n < 2 * MOMENTS; n++) {
        status = rico_simulation_step(sim, 0.5 * time / MOMENTS);
        if (status == RICO_OK && n >= MOMENTS)
            y[n - MOMENTS] = measure < nq ? rico_simulation_position(sim)[measure]
                                          : rico_simulation_velocity(sim)[measure - nq];
    }
    if (status == RICO_OK) out->count = rico_branch_maxima(MOMENTS, y, 1, MARKS, out->mark);
    rico_free(ctx, y);
    return status;
}


static void run_one(void *user, rico_context *ctx, int64_t piece, void *place)
{
    const work *self = user;
    const rico_orbit_order *where = &self->order->where;
    answer *out = place;
    rico_scene_family_options options = {.path = where->scene,
                                         .override_count = where->set_count,
                                         .overrides = where->set,
                                         .parameter = where->parameter,
                                         .period = where->period};
    rico_scene_family *family = NULL;
    rico_simulation *sim = NULL;
    void *owner = NULL;
    double value = value_at(self, piece), period = 0.0;
    const rico_family *systems = NULL;
    out->status = rico_scene_family_create(ctx, &options, &family);
    if (out->status == RICO_OK) {
        systems = rico_scene_family_systems(family);
        out->status = systems->make(systems->user, value, &sim, &owner);
    }
    if (out->status == RICO_OK) {
        rico_scene *scene = owner; // at this value, with its own initial state
        rico_scene_time times = rico_scene_times(scene);
        out->status =
            rico_simulation_start(sim, times.start, rico_scene_position(scene), rico_scene_velocity(scene));
        if (out->status == RICO_OK && systems->period)
            out->status = systems->period(systems->user, value, &period);
        // the phase of the driving at t = 0
        if (out->status == RICO_OK && systems->period && times.start != 0.0)
            out->status =
                rico_simulation_step(sim, period * ceil(times.start / period + 1e-12) - times.start);
        if (out->status == RICO_OK)
            out->status = systems->period ? strobe(self, sim, period, out)
                                          : maxima(self, ctx, sim, times.end - times.start, out);
    }
    if (out->status != RICO_OK) snprintf(out->note, sizeof out->note, "%.190s", rico_message(ctx));
    if (sim) systems->drop(systems->user, sim, owner);
    rico_scene_family_destroy(family);
}


static rico_status take(void *user, int64_t piece, void *place, const rico_work_end *end)
{
    work *self = user;
    rico_brute *out = self->out;
    const answer *from = place;
    (void)end;
    if (from->status != RICO_OK) {
        out->failed++;
        if (!out->note[0]) snprintf(out->note, sizeof out->note, "%s", from->note);
    }
    if (out->count + from->count > out->room) {
        int64_t room = 2 * out->room + MARKS;
        double *value = rico_grow(out->ctx, out->value, out->room, room, sizeof *value);
        if (value) out->value = value;
        double *mark = rico_grow(out->ctx, out->mark, out->room, room, sizeof *mark);
        if (mark) out->mark = mark;
        if (!value || !mark) return RICO_NO_MEMORY;
        out->room = room;
    }
    for (int64_t i = 0; i < from->count; i++) {
        out->value[out->count] = value_at(self, piece);
        out->mark[out->count++] = from->mark[i];
    }
    return RICO_OK;
}


rico_status rico_brute_run(rico_context *ctx, const rico_branches *branches, const rico_branch_order *order,
                           int64_t values, int threads, rico_brute *out)
{
    *out = (rico_brute){.ctx = ctx};
    work self = {branches, order, values, out};
    rico_workers workers = {.ctx = ctx,
                            .threads = threads,
                            .count = values,
                            .answer = sizeof(answer),
                            .user = &self,
                            .work = run_one,
                            .ended = take};
    return rico_workers_run(&workers);
}


void rico_brute_release(rico_brute *brute)
{
    rico_free(brute->ctx, brute->value);
    rico_free(brute->ctx, brute->mark);
    rico_context *ctx = brute->ctx;
    *brute = (rico_brute){.ctx = ctx};
}
