// Basins of attraction: the grid, what the cell mapping says, and what simulations make of it.

#include "lab/basins.h"

#include "base/random.h"
#include "base/suggest.h"
#include "lab/cell_map.h"
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SCOUTS = 64, SEED = 15 };


void rico_basins_name(const rico_basins *basins, int64_t index, char name[RICO_SCENE_NAME])
{
    const rico_scene *scene = rico_scene_family_scene(basins->family);
    if (index < basins->nq)
        rico_scene_position_name(scene, index, name);
    else
        rico_scene_velocity_name(scene, index - basins->nq, name);
}


void rico_basins_centre(const rico_basins *basins, int64_t cell, double at[2])
{
    const rico_basins_order *order = basins->order;
    int64_t place[2] = {cell / order->cells[1], cell % order->cells[1]};
    for (int k = 0; k < 2; k++)
        at[k] = order->low[k] +
                (order->high[k] - order->low[k]) * ((double)place[k] + 0.5) / (double)order->cells[k];
}


static void state_of(const rico_basins *basins, int64_t cell, double *x)
{
    double at[2];
    rico_basins_centre(basins, cell, at);
    memcpy(x, basins->start, (size_t)(basins->nq + basins->nv) * sizeof *x);
    for (int k = 0; k < 2; k++)
        if (basins->index[k] >= 0) x[basins->index[k]] = at[k];
}


// The cell that a state lies in.
static int64_t cell_of(const rico_basins *basins, const double *x)
{
    const rico_basins_order *order = basins->order;
    int64_t cell = 0;
    for (int k = 0; k < 2; k++) {
        double share = basins->index[k] < 0
                           ? 0.0
                           : (x[basins->index[k]] - order->low[k]) / (order->high[k] - order->low[k]);
        if (!(share >= 0.0 && share < 1.0)) return RICO_CELL_SINK;
        cell = cell * order->cells[k] + (int64_t)floor(share * (double)order->cells[k]);
    }
    return cell;
}


// ---- the beginning ----------------------------------------------------------------------------------------------------

static rico_status find_name(const rico_basins *basins, const char *name, int64_t *out)
{
    char known[RICO_SCENE_NAME], best[RICO_SCENE_NAME] = "", words[160] = "";
    rico_suggestion near;
    int closest = -1;
    for (*out = 0; *out < basins->nq + basins->nv; ++*out) {
        rico_basins_name(basins, *out, known);
        if (strcmp(known, name) == 0) return RICO_OK;
        rico_suggest_start(&near, name);
        rico_suggest_offer(&near, known);
        if (!near.best || (closest >= 0 && near.distance >= closest)) continue;
        closest = near.distance;
        memcpy(best, known, sizeof best);
    }
    if (best[0]) snprintf(words, sizeof words, "; did you mean \"%s\"?", best);
    return rico_fail(basins->ctx, RICO_BAD_ARGUMENT, "the scene has no position or velocity \"%s\"%s", name,
                     words);
}


static rico_status check(rico_context *ctx, const rico_basins_order *order)
{
    if (!order->name[0])
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a position or velocity for the first axis is needed");
    if (order->cells[0] < 1 || order->cells[1] < 1 || (!order->name[1] && order->cells[1] != 1))
        return rico_fail(
            ctx, RICO_BAD_ARGUMENT,
            "%lld x %lld cells are no grid: one at least along each axis, one where there is no axis",
            (long long)order->cells[0], (long long)order->cells[1]);
    for (int k = 0; k < 2 && order->name[k]; k++)
        if (!(order->low[k] < order->high[k]) || !isfinite(order->low[k]) || !isfinite(order->high[k]))
            return rico_fail(ctx, RICO_BAD_ARGUMENT,
                             "the range of %s goes from %g to %g: the lower end comes first", order->name[k],
                             order->low[k], order->high[k]);
    if (order->name[1] && strcmp(order->name[0], order->name[1]) == 0)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "both axes are %s: two that differ are needed",
                         order->name[0]);
    if (!order->period && !(order->time > 0.0 && isfinite(order->time)))
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "either the period of the driving or a time for the map is needed");
    return RICO_OK;
}


static rico_status prepare(rico_basins *out)
{
    const rico_basins_order *order = out->order;
    rico_context *ctx = out->ctx;
    rico_scene_family_options options = {.path = order->scene,
                                         .override_count = order->set_count,
                                         .overrides = order->set,
                                         .period = order->period,
                                         .excerpt = order->excerpt,
                                         .excerpt_size = order->excerpt_size};
    rico_status status = rico_scene_family_create(ctx, &options, &out->family);
    if (status != RICO_OK) return status;
    rico_scene *scene = rico_scene_family_scene(out->family);
    out->nq = rico_system_positions(rico_scene_system(scene));
    out->nv = rico_system_velocities(rico_scene_system(scene));
    out->t = rico_scene_times(scene).start;
    int64_t size = out->nq + out->nv;
    for (int k = 0; status == RICO_OK && k < 2; k++) {
        out->index[k] = -1;
        if (order->name[k]) status = find_name(out, order->name[k], &out->index[k]);
    }
    const rico_family *systems = rico_scene_family_systems(out->family);
    out->period = order->time;
    if (status == RICO_OK && systems->period) status = systems->period(systems->user, 0.0, &out->period);
    if (status == RICO_OK && !(out->period > 0.0))
        status = rico_fail(ctx, RICO_BAD_ARGUMENT, "the period must be positive, not %g", out->period);
    if (status != RICO_OK) return status;
    out->count = order->cells[0] * order->cells[1];
    out->plane = size == 2 && out->index[1] >= 0;
    out->start = rico_alloc(ctx, size, sizeof *out->start);
    out->scale = rico_alloc(ctx, size, sizeof *out->scale);
    out->basin = rico_alloc(ctx, out->count, sizeof *out->basin);
    out->simulated = rico_alloc(ctx, out->count, sizeof *out->simulated);
    if (!out->start || !out->scale || !out->basin || !out->simulated) return RICO_NO_MEMORY;
    memcpy(out->start, rico_scene_position(scene), (size_t)out->nq * sizeof *out->start);
    memcpy(out->start + out->nq, rico_scene_velocity(scene), (size_t)out->nv * sizeof *out->start);
    for (int64_t i = 0; i < size; i++) out->scale[i] = INFINITY; // until states are known: nothing is far
    for (int k = 0; k < 2; k++)
        if (out->index[k] >= 0) {
            out->scale[out->index[k]] = order->high[k] - order->low[k];
            out->start[out->index[k]] = 0.5 * (order->low[k] + order->high[k]);
        }
    for (int64_t c = 0; c < out->count; c++) out->basin[c] = RICO_BASIN_UNDECIDED;
    return RICO_OK;
}


// ---- simulations --------------------------------------------------------------------------------------------------------

static rico_status make_traces(rico_basins *basins, int64_t count, const char *stage, rico_basin_traces *out)
{
    *out = (rico_basin_traces){
        .basins = basins, .count = count, .periods = basins->order->periods, .stage = stage};
    out->x = rico_alloc(basins->ctx, count * (basins->nq + basins->nv), sizeof *out->x);
    out->end = rico_alloc(basins->ctx, count, sizeof *out->end);
    return out->x && out->end ? RICO_OK : RICO_NO_MEMORY;
}


static void free_traces(rico_basins *basins, rico_basin_traces *traces)
{
    if (traces->note[0] && !basins->note[0]) memcpy(basins->note, traces->note, sizeof basins->note);
    rico_free(basins->ctx, traces->x);
    rico_free(basins->ctx, traces->end);
}


// Motions that are at nothing known go on from where they are, after another attractor has been found; those that cannot begin there, from `first`.
static rico_status go_on(rico_basins *basins, const double *first, rico_basin_traces *all)
{
    int64_t size = basins->nq + basins->nv;
    rico_basin_traces rest;
    rico_status status = make_traces(basins, all->count, all->stage, &rest);
    for (int pass = 0; status == RICO_OK && pass < 2; pass++) {
        int open = pass == 0 ? RICO_BASIN_UNDECIDED : RICO_BASIN_IMPOSSIBLE;
        const double *from = pass == 0 ? all->x : first;
        rest.count = 0;
        if (pass == 0) rest.periods = 40 + basins->order->periods / 4;
        if (pass == 1) rest.periods = basins->order->periods;
        for (int64_t j = 0; j < all->count; j++)
            if (all->end[j] == open)
                memcpy(rest.x + rest.count++ * size, from + j * size, (size_t)size * sizeof *rest.x);
        status = rico_basin_trace(&rest);
        for (int64_t j = 0, k = 0; status == RICO_OK && j < all->count; j++) {
            if (all->end[j] != open) continue;
            memcpy(all->x + j * size, rest.x + k * size, (size_t)size * sizeof *rest.x);
            all->end[j] = rest.end[k++];
        }
    }
    free_traces(basins, &rest);
    return status;
}


// What each motion that stayed at nothing known ends at.
static rico_status settle(rico_basins *basins, const double *first, rico_basin_traces *all)
{
    int64_t size = basins->nq + basins->nv;
    rico_status status = RICO_OK;
    for (int64_t i = 0; status == RICO_OK && i < all->count; i++) {
        if (all->end[i] != RICO_BASIN_UNDECIDED) continue;
        int64_t before = basins->attractors;
        status = rico_basin_attract(basins, all->x + i * size, &all->end[i]);
        if (status == RICO_OK && basins->attractors > before) status = go_on(basins, first, all);
    }
    return status;
}


// Simulates cells; *changed: how many of them end elsewhere than the map said.
static rico_status simulate(rico_basins *basins, int64_t count, const int64_t *cell, const char *stage,
                            int64_t *changed)
{
    int64_t size = basins->nq + basins->nv;
    rico_basin_traces traces;
    double *first = rico_alloc(basins->ctx, count * size, sizeof *first);
    rico_status status = make_traces(basins, count, stage, &traces);
    *changed = 0;
    if (!first) status = RICO_NO_MEMORY;
    for (int64_t i = 0; status == RICO_OK && i < count; i++) state_of(basins, cell[i], first + i * size);
    if (status == RICO_OK) memcpy(traces.x, first, (size_t)(count * size) * sizeof *first);
    if (status == RICO_OK) status = rico_basin_trace(&traces);
    if (status == RICO_OK) status = settle(basins, first, &traces);
    rico_free(basins->ctx, first);
    for (int64_t i = 0; status == RICO_OK && i < count; i++) {
        *changed += basins->basin[cell[i]] != RICO_BASIN_UNDECIDED && basins->basin[cell[i]] != traces.end[i];
        basins->basin[cell[i]] = traces.end[i];
        basins->simulated[cell[i]] = 1;
    }
    free_traces(basins, &traces);
    return status;
}


// ---- the cell mapping -------------------------------------------------------------------------------------------------------

// All cells over one period: their images, and the sizes of coordinates that no axis has.
static rico_status map_cells(rico_basins *basins, int64_t *image)
{
    int64_t size = basins->nq + basins->nv;
    rico_basin_traces traces;
    rico_status status = make_traces(basins, basins->count, "map", &traces);
    traces.periods = 1;
    for (int64_t c = 0; status == RICO_OK && c < basins->count; c++) state_of(basins, c, traces.x + c * size);
    if (status == RICO_OK) status = rico_basin_trace(&traces);
    for (int64_t i = 0; status == RICO_OK && i < size; i++) {
        double largest = 0.0;
        if (isfinite(basins->scale[i])) continue;
        for (int64_t c = 0; c < basins->count; c++)
            largest = fmax(largest, fabs(traces.x[c * size + i] - basins->start[i]));
        basins->scale[i] = largest > 0.0 ? largest : 1.0;
    }
    for (int64_t c = 0; status == RICO_OK && c < basins->count; c++) {
        bool over = traces.end[c] == RICO_BASIN_FAILED || traces.end[c] == RICO_BASIN_IMPOSSIBLE;
        image[c] = over ? RICO_CELL_SINK : cell_of(basins, traces.x + c * size);
        if (!over) continue;
        basins->basin[c] = traces.end[c];
        basins->simulated[c] = 1;
    }
    free_traces(basins, &traces);
    return status;
}


// Groups, the attractor of each by a simulation of one of its cells, and so of all that end in it.
static rico_status follow_map(rico_basins *basins, const int64_t *image)
{
    rico_cell_map map;
    int64_t changed;
    rico_status status = rico_cell_map_make(basins->ctx, basins->count, image, &map);
    if (status != RICO_OK) return status;
    basins->groups = map.groups;
    status = simulate(basins, map.groups, map.first, "groups", &changed);
    for (int64_t c = 0; status == RICO_OK && c < basins->count; c++) {
        if (basins->simulated[c] || map.group[c] < 0) continue;
        basins->basin[c] = basins->basin[map.first[map.group[c]]];
        basins->mapped += basins->basin[c] >= 0;
    }
    rico_cell_map_release(basins->ctx, &map);
    return status;
}


// Is a neighbour thought to end elsewhere? Where no motion begins there is no boundary of basins.
static bool at_boundary(const rico_basins *basins, int64_t cell)
{
    const rico_basins_order *order = basins->order;
    int64_t x = cell / order->cells[1], y = cell % order->cells[1];
    for (int64_t i = x - 1; i <= x + 1; i++)
        for (int64_t j = y - 1; j <= y + 1; j++) {
            if (i < 0 || j < 0 || i >= order->cells[0] || j >= order->cells[1]) continue;
            int other = basins->basin[i * order->cells[1] + j];
            if (other != basins->basin[cell] && other != RICO_BASIN_IMPOSSIBLE) return true;
        }
    return false;
}


// Simulates what the map leaves open and what lies at a boundary, until no boundary moves.
static rico_status mend(rico_basins *basins, int64_t *list)
{
    rico_status status = RICO_OK;
    for (int64_t count = 1, changed; status == RICO_OK && count > 0;) {
        count = 0;
        for (int64_t c = 0; c < basins->count; c++)
            if (!basins->simulated[c] && (basins->basin[c] < 0 || at_boundary(basins, c))) list[count++] = c;
        status = simulate(basins, count, list, "boundaries", &changed);
        basins->corrected += changed;
    }
    return status;
}


// Cells that nobody simulated, taken at random: what the map says of them is tried, and others again until all of a sample agree.
static rico_status check_some(rico_basins *basins, int64_t *list)
{
    rico_random random;
    rico_status status = RICO_OK;
    rico_random_seed(&random, SEED);
    for (int64_t changed = 1; status == RICO_OK && changed > 0;) {
        int64_t count = 0;
        for (int64_t c = 0; c < basins->count; c++)
            if (!basins->simulated[c]) list[count++] = c;
        rico_random_shuffle(&random, list, count);
        if (count > basins->order->checks) count = basins->order->checks;
        status = simulate(basins, count, list, "checks", &changed);
        basins->checked += count;
        basins->agreed += count - changed;
        basins->corrected += changed;
        if (status == RICO_OK && changed > 0) status = mend(basins, list);
    }
    return status;
}


// A slice: everything is simulated, some cells first, so that most attractors are known to the others.
static rico_status simulate_all(rico_basins *basins, int64_t *list)
{
    int64_t count = 0, changed, stride = basins->count / SCOUTS + 1;
    for (int64_t c = 0; c < basins->count; c += stride)
        if (!basins->simulated[c]) list[count++] = c;
    rico_status status = simulate(basins, count, list, "scouts", &changed);
    count = 0;
    for (int64_t c = 0; c < basins->count; c++)
        if (!basins->simulated[c]) list[count++] = c;
    return status == RICO_OK ? simulate(basins, count, list, "cells", &changed) : status;
}


static void count_cells(rico_basins *basins)
{
    for (int64_t c = 0; c < basins->count; c++) {
        int end = basins->basin[c];
        if (end >= 0)
            basins->attractor[end].cells++;
        else
            basins->ends[-end - 1]++;
    }
}


rico_status rico_basins_find(rico_context *ctx, const rico_basins_order *order, rico_basins *out)
{
    *out = (rico_basins){.ctx = ctx, .order = order};
    rico_status status = check(ctx, order);
    if (status == RICO_OK) status = prepare(out);
    int64_t *image = status == RICO_OK ? rico_alloc(ctx, out->count, sizeof *image) : NULL;
    if (status == RICO_OK && !image) status = RICO_NO_MEMORY;
    if (status == RICO_OK) status = map_cells(out, image);
    if (status == RICO_OK && out->plane) {
        status = follow_map(out, image);
        if (status == RICO_OK) status = mend(out, image);
        if (status == RICO_OK) status = check_some(out, image);
    } else if (status == RICO_OK) {
        status = simulate_all(out, image);
    }
    if (status == RICO_OK) count_cells(out);
    rico_free(ctx, image);
    return status;
}


void rico_basins_release(rico_basins *basins)
{
    rico_context *ctx = basins->ctx;
    for (int64_t a = 0; a < basins->attractors; a++) rico_free(ctx, basins->attractor[a].x);
    rico_free(ctx, basins->start);
    rico_free(ctx, basins->scale);
    rico_free(ctx, basins->basin);
    rico_free(ctx, basins->simulated);
    rico_scene_family_destroy(basins->family);
    *basins = (rico_basins){.ctx = ctx};
}
