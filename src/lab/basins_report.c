// Basins as a table and a picture.

#include "lab/basins.h"

#include "draw/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LABEL = 80 };


rico_status rico_basins_sheet(const rico_basins *basins, rico_sheet *sheet)
{
    char name[RICO_SCENE_NAME];
    double *column[2] = {NULL, NULL}, *end = NULL, *simulated = NULL, at[2];
    rico_status status = RICO_OK;
    for (int k = 0; status == RICO_OK && k < 2; k++) {
        if (basins->index[k] < 0) continue;
        rico_basins_name(basins, basins->index[k], name);
        status = rico_sheet_add(sheet, name, basins->count, NULL, &column[k]);
    }
    if (status == RICO_OK) status = rico_sheet_add(sheet, "attractor", basins->count, NULL, &end);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "simulated", basins->count, NULL, &simulated);
    for (int64_t c = 0; status == RICO_OK && c < basins->count; c++) {
        rico_basins_centre(basins, c, at);
        for (int k = 0; k < 2; k++)
            if (column[k]) column[k][c] = at[k];
        end[c] = basins->basin[c] + 1;
        simulated[c] = basins->simulated[c];
    }
    return status;
}


// Points of an attractor on the axes: q is a coordinate of the state or, without a second axis, nothing.
static void take_points(const rico_basins *basins, const rico_attractor *attractor, double *x, double *y)
{
    int64_t size = basins->nq + basins->nv;
    for (int64_t k = 0; k < attractor->points; k++) {
        x[k] = attractor->x[k * size + basins->index[0]];
        y[k] = basins->index[1] >= 0 ? attractor->x[k * size + basins->index[1]] : 0.0;
    }
}


// "1: orbit of 2 periods, 31.5 %"
static void label_of(const rico_basins *basins, int64_t a, char label[LABEL])
{
    const rico_attractor *one = &basins->attractor[a];
    char periods[40] = "";
    if (one->kind != RICO_ATTRACTOR_REST && !one->cloud && one->points > 1)
        snprintf(periods, sizeof periods, " of %lld periods", (long long)one->points);
    snprintf(label, LABEL, "%lld: %s%s, %.1f %%", (long long)a + 1, rico_attractor_kind_name(one->kind),
             periods, 100.0 * (double)one->cells / (double)basins->count);
}


rico_status rico_basins_draw(const rico_basins *basins, const char *path)
{
    rico_context *ctx = basins->ctx;
    const rico_basins_order *order = basins->order;
    int64_t nx = order->cells[0], ny = order->cells[1], points = 0;
    rico_figure_series series[RICO_ATTRACTORS];
    char label[RICO_ATTRACTORS][LABEL], names[2][RICO_SCENE_NAME] = {"", ""};
    for (int64_t a = 0; a < basins->attractors; a++) points += basins->attractor[a].points;
    double *room = rico_alloc(ctx, nx + ny + basins->count + 2 * points, sizeof *room), at[2];
    if (!room) return RICO_NO_MEMORY;
    double *x = room, *y = x + nx, *z = y + ny, *dots = z + basins->count;
    for (int64_t c = 0; c < basins->count; c++) {
        rico_basins_centre(basins, c, at);
        x[c / ny] = at[0];
        y[c % ny] = at[1];
        z[c] = basins->basin[c] >= 0 ? basins->basin[c] + 1 : NAN;
    }
    for (int64_t a = 0; a < basins->attractors; a++) {
        const rico_attractor *attractor = &basins->attractor[a];
        take_points(basins, attractor, dots, dots + attractor->points);
        label_of(basins, a, label[a]);
        series[a] = (rico_figure_series){.label = label[a],
                                         .style = RICO_SERIES_POINTS,
                                         .words = true,
                                         .count = attractor->points,
                                         .x = dots,
                                         .y = dots + attractor->points};
        dots += 2 * attractor->points;
    }
    for (int k = 0; k < 2; k++)
        if (basins->index[k] >= 0) rico_basins_name(basins, basins->index[k], names[k]);
    const rico_figure_map map = {nx, ny, x, y, z, true};
    const rico_figure_panel panel = {.x_label = names[0],
                                     .y_label = names[1],
                                     .x_low = order->low[0],
                                     .x_high = order->high[0],
                                     .y_low = order->low[1],
                                     .y_high = order->high[1],
                                     .series_count = basins->attractors,
                                     .series = series,
                                     .map = &map};
    const rico_figure figure = {.title = rico_scene_title(rico_scene_family_scene(basins->family)),
                                .panel_count = 1,
                                .panels = &panel};
    rico_status status = rico_figure_write(ctx, &figure, path);
    rico_free(ctx, room);
    return status;
}
