// Simulations of cells, on threads: each goes on until it stays at an attractor that is known.

#include "lab/basins.h"
#include "lab/workers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CHUNK = 32 }; // cells in a piece of work: a scene is read for each piece
static const double FAR = 100.0;

typedef struct answer {
    rico_status status;
    int64_t cells;
    char note[RICO_BASIN_NOTE];
} answer;


rico_status rico_basin_start(const rico_basins *basins, rico_simulation *sim, const double *x)
{
    return rico_simulation_start(sim, basins->t, x, x + basins->nq);
}


rico_status rico_basin_step(const rico_basins *basins, rico_simulation *sim, double h, double *x)
{
    rico_status status = rico_simulation_step(sim, h);
    if (status != RICO_OK) return status;
    memcpy(x, rico_simulation_position(sim), (size_t)basins->nq * sizeof *x);
    memcpy(x + basins->nq, rico_simulation_velocity(sim), (size_t)basins->nv * sizeof *x);
    return RICO_OK;
}


static bool serious(rico_status status)
{
    return status == RICO_NO_MEMORY || status == RICO_INTERRUPTED;
}


// Where it is, over the sizes of the grid.
static double distance_away(const rico_basins *basins, const double *x)
{
    double worst = 0.0;
    for (int64_t i = 0; i < basins->nq + basins->nv; i++) {
        double away = fabs(x[i] - basins->start[i]) / basins->scale[i];
        if (!(away <= worst)) worst = isnan(away) ? INFINITY : away;
    }
    return worst;
}


// One period. What fails late, where times have lost digits, is tried once more from the phase of the cells: the driving cannot tell.
static rico_status advance(const rico_basins *basins, rico_simulation *sim, double *x)
{
    rico_status status = rico_basin_step(basins, sim, basins->period, x);
    if (status == RICO_OK || serious(status) || rico_simulation_steps(sim) == 0) return status;
    if (rico_basin_start(basins, sim, x) != RICO_OK) return status;
    return rico_basin_step(basins, sim, basins->period, x);
}


static rico_status trace_one(const rico_basin_traces *self, rico_simulation *sim, double *x, int *end)
{
    const rico_basins *basins = self->basins;
    rico_basin_capture capture = {0};
    rico_status status = rico_basin_start(basins, sim, x);
    *end = RICO_BASIN_UNDECIDED;
    if (status != RICO_OK) *end = RICO_BASIN_IMPOSSIBLE;
    for (int64_t n = 0; status == RICO_OK && *end == RICO_BASIN_UNDECIDED && n < self->periods; n++) {
        status = advance(basins, sim, x);
        *end = status != RICO_OK ? RICO_BASIN_FAILED
               : distance_away(basins, x) > FAR
                   ? RICO_BASIN_AWAY
                   : rico_basin_captured(basins, x, n == self->periods - 1, &capture);
    }
    return status;
}


// Its cells are its own: it writes into the arrays of all.
static void run_piece(void *user, rico_context *ctx, int64_t piece, void *place)
{
    rico_basin_traces *self = user;
    const rico_basins *basins = self->basins;
    const rico_basins_order *order = basins->order;
    answer *out = place;
    rico_scene_family_options options = {
        .path = order->scene, .override_count = order->set_count, .overrides = order->set};
    rico_scene_family *family = NULL;
    rico_simulation *sim = NULL;
    void *owner = NULL;
    const rico_family *systems = NULL;
    out->status = rico_scene_family_create(ctx, &options, &family);
    if (out->status == RICO_OK) {
        systems = rico_scene_family_systems(family);
        out->status = systems->make(systems->user, 0.0, &sim, &owner);
    }
    int64_t size = basins->nq + basins->nv, first = piece * CHUNK;
    for (int64_t i = first; out->status == RICO_OK && i < first + CHUNK && i < self->count; i++) {
        rico_status status = trace_one(self, sim, self->x + i * size, &self->end[i]);
        if (serious(status)) out->status = status;
        if (status != RICO_OK && !out->note[0])
            snprintf(out->note, sizeof out->note, "%.190s", rico_message(ctx));
        out->cells++;
    }
    if (out->status != RICO_OK && !out->note[0])
        snprintf(out->note, sizeof out->note, "%.190s", rico_message(ctx));
    if (sim) systems->drop(systems->user, sim, owner);
    rico_scene_family_destroy(family);
}


static rico_status take(void *user, int64_t piece, void *place, const rico_work_end *end)
{
    rico_basin_traces *self = user;
    const rico_basins_order *order = self->basins->order;
    const answer *from = place;
    (void)piece;
    if (end->stopped) return RICO_OK;
    if (from->note[0] && !self->note[0]) memcpy(self->note, from->note, sizeof self->note);
    if (from->status != RICO_OK) return rico_fail(self->basins->ctx, from->status, "%s", from->note);
    self->done += from->cells;
    if (order->watch) order->watch(order->user, self->stage, self->done, self->count);
    return RICO_OK;
}


rico_status rico_basin_trace(rico_basin_traces *traces)
{
    rico_context *ctx = traces->basins->ctx;
    traces->done = 0;
    if (traces->count == 0) return RICO_OK;
    rico_workers workers = {.ctx = ctx,
                            .threads = traces->basins->order->threads,
                            .count = (traces->count + CHUNK - 1) / CHUNK,
                            .answer = sizeof(answer),
                            .user = traces,
                            .work = run_piece,
                            .ended = take};
    rico_status status = rico_workers_run(&workers);
    if (status == RICO_OK && rico_context_interrupted(ctx))
        status = rico_fail(ctx, RICO_INTERRUPTED, "interrupted");
    return status;
}
