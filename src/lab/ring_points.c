// Points of a branch of orbits of a ring, gathered for a table and a picture.

#include "lab/ring_report.h"

#include "draw/figure.h"

#include <math.h>

enum { COUPLING, PERIOD, STRIKING, SLOWEST, ENERGY, AMPLITUDE, GAP, LARGEST, OFF_CIRCLE };


const char *rico_ring_column_name(int column)
{
    static const char *const NAMES[RICO_RING_COLUMNS] = {
        "coupling",  "period", "striking",           "slowest_impact", "energy",
        "amplitude", "gap",    "largest_multiplier", "off_circle"};
    return NAMES[column];
}


bool rico_ring_points_note(void *points, const rico_ring_orbit *orbit)
{
    rico_ring_points *self = points;
    if (self->count == self->room) {
        int64_t room = self->room > 0 ? 2 * self->room : 64;
        double *grown = rico_grow(self->ctx, self->value, RICO_RING_COLUMNS * self->room,
                                  RICO_RING_COLUMNS * room, sizeof *grown);
        if (!grown) {
            self->status = RICO_NO_MEMORY;
            return false;
        }
        self->value = grown;
        self->room = room;
    }
    rico_ring_stability *stability;
    self->status = rico_ring_stability_create(orbit, 0.0, &stability);
    if (self->status != RICO_OK) return false;
    int64_t striking = 0;
    for (int64_t n = 0; n < orbit->ring.particles; n++) striking += orbit->ring.pattern[n] != RICO_RING_NEVER;
    double *row = self->value + RICO_RING_COLUMNS * self->count++;
    row[COUPLING] = orbit->ring.coupling;
    row[PERIOD] = orbit->ring.period;
    row[STRIKING] = (double)striking;
    row[SLOWEST] = orbit->slowest;
    row[ENERGY] = orbit->energy;
    row[AMPLITUDE] = orbit->amplitude;
    row[GAP] = orbit->gap;
    row[LARGEST] = stability->largest;
    row[OFF_CIRCLE] = (double)stability->off_circle;
    rico_ring_stability_destroy(stability);
    return !rico_context_interrupted(self->ctx);
}


void rico_ring_points_release(rico_ring_points *points)
{
    rico_free(points->ctx, points->value);
    points->value = NULL;
}


rico_status rico_ring_points_sheet(const rico_ring_points *points, rico_sheet *sheet)
{
    for (int k = 0; k < RICO_RING_COLUMNS; k++) {
        double *column;
        rico_status status = rico_sheet_add(sheet, rico_ring_column_name(k), points->count, NULL, &column);
        if (status != RICO_OK) return status;
        for (int64_t i = 0; i < points->count; i++) column[i] = points->value[RICO_RING_COLUMNS * i + k];
    }
    return RICO_OK;
}


static bool spans_decades(int64_t count, const double *y)
{
    double low = INFINITY, high = 0.0;
    for (int64_t i = 0; i < count; i++) {
        low = fmin(low, y[i]);
        high = fmax(high, y[i]);
    }
    return low > 0.0 && high > 100.0 * low && high > 10.0;
}


rico_status rico_ring_points_draw(const rico_ring_points *points, rico_ring_parameter parameter,
                                  const char *title, const char *path)
{
    static const struct {
        int column;
        const char *label;
    } SHOWN[] = {{SLOWEST, "slowest impact"},
                 {ENERGY, "energy"},
                 {GAP, "smallest gap"},
                 {LARGEST, "largest multiplier"}};
    enum { PANELS = sizeof SHOWN / sizeof *SHOWN };
    rico_sheet sheet = {.ctx = points->ctx};
    rico_status status = rico_ring_points_sheet(points, &sheet);
    rico_figure_series series[PANELS];
    rico_figure_panel panels[PANELS];
    int x = parameter == RICO_RING_COUPLING ? COUPLING : PERIOD;
    for (int k = 0; k < PANELS && status == RICO_OK; k++) {
        series[k] = (rico_figure_series){.style = RICO_SERIES_LINE,
                                         .count = points->count,
                                         .x = sheet.column[x].value,
                                         .y = sheet.column[SHOWN[k].column].value};
        panels[k] = (rico_figure_panel){.x_label = parameter == RICO_RING_COUPLING ? "coupling" : "T",
                                        .y_label = SHOWN[k].label,
                                        .log_y = spans_decades(points->count, series[k].y),
                                        .series_count = 1,
                                        .series = &series[k]};
    }
    rico_figure figure = {.title = title, .columns = 2, .panel_count = PANELS, .panels = panels};
    if (status == RICO_OK) status = rico_figure_write(points->ctx, &figure, path);
    rico_sheet_release(&sheet);
    return status;
}
