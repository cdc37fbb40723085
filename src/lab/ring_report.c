// Orbits of rings of impact oscillators as a table and a picture.

#include "lab/ring_report.h"

#include "draw/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TIMES = 400, SHOWN = 6, CIRCLE = 181, LABEL = 16, AROUND = 8 };


// Positions of all particles at TIMES + 1 moments of one period, those of a moment behind one another.
static rico_status sample(const rico_ring_orbit *orbit, double **time, double **y)
{
    int64_t p = orbit->ring.particles;
    rico_context *ctx = orbit->ctx;
    *time = rico_alloc(ctx, TIMES + 1, sizeof **time);
    *y = rico_alloc(ctx, (TIMES + 1) * p, sizeof **y);
    double *v = rico_alloc(ctx, p, sizeof *v);
    bool made = *time && *y && v;
    for (int64_t i = 0; i <= TIMES && made; i++) {
        (*time)[i] = orbit->ring.period * (double)i / TIMES;
        rico_ring_orbit_at(orbit, (*time)[i], *y + i * p, v);
    }
    rico_free(ctx, v);
    if (made) return RICO_OK;
    rico_free(ctx, *time);
    rico_free(ctx, *y);
    return RICO_NO_MEMORY;
}


rico_status rico_ring_orbit_sheet(const rico_ring_orbit *orbit, const rico_ring_stability *stability,
                                  rico_sheet *sheet)
{
    int64_t p = orbit->ring.particles;
    double *time, *y;
    rico_status status = sample(orbit, &time, &y);
    if (status != RICO_OK) return status;
    status = rico_sheet_add(sheet, "time", TIMES + 1, time, NULL);
    for (int64_t n = 0; n < p && status == RICO_OK; n++) {
        char name[RICO_SHEET_NAME];
        double *column;
        snprintf(name, sizeof name, "y%lld", (long long)n);
        status = rico_sheet_add(sheet, name, TIMES + 1, NULL, &column);
        for (int64_t i = 0; i <= TIMES && status == RICO_OK; i++) column[i] = y[i * p + n];
    }
    rico_free(orbit->ctx, y);
    rico_free(orbit->ctx, time);
    if (status == RICO_OK && stability)
        status = rico_sheet_add(sheet, "multiplier_real", stability->count, stability->real, NULL);
    if (status == RICO_OK && stability)
        status = rico_sheet_add(sheet, "multiplier_imag", stability->count, stability->imag, NULL);
    return status;
}


// The particles to be shown by curves: the first that strike, then their neighbours.
static int choose(const rico_ring *ring, int64_t chosen[SHOWN])
{
    int count = 0;
    for (int64_t away = 0; away <= 2; away++)
        for (int64_t n = 0; n < ring->particles && count < SHOWN; n++) {
            bool wanted = ring->pattern[(n + away) % ring->particles] != RICO_RING_NEVER ||
                          ring->pattern[(n + ring->particles - away) % ring->particles] != RICO_RING_NEVER;
            for (int k = 0; k < count; k++) wanted = wanted && chosen[k] != n;
            if (wanted) chosen[count++] = n;
        }
    return count;
}


typedef struct drawing {
    double *time, *y, *column, *place, *circle; // columns: those of the particles that are shown
    double *window;                             // positions around those that strike
    int64_t chosen[SHOWN];
    char label[SHOWN][LABEL];
    rico_figure_series curve[SHOWN + 1], profile[2], spectrum[2];
    double wall[2], span[2];
    rico_figure_map map;
    rico_figure_panel panel[4];
} drawing;


static void fill_motion(drawing *self, const rico_ring_orbit *orbit)
{
    int64_t p = orbit->ring.particles;
    int count = choose(&orbit->ring, self->chosen);
    for (int k = 0; k < count; k++) {
        double *column = self->column + k * (TIMES + 1);
        for (int64_t i = 0; i <= TIMES; i++) column[i] = self->y[i * p + self->chosen[k]];
        snprintf(self->label[k], LABEL, "%lld", (long long)self->chosen[k]);
        self->curve[k] = (rico_figure_series){
            .label = self->label[k], .words = true, .count = TIMES + 1, .x = self->time, .y = column};
    }
    self->wall[0] = self->wall[1] = -1.0;
    self->span[1] = orbit->ring.period;
    self->curve[count] = (rico_figure_series){.count = 2, .x = self->span, .y = self->wall, .colour = -1};
    self->panel[0] = (rico_figure_panel){.title = "particles around the impacts",
                                         .x_label = "t",
                                         .y_label = "y",
                                         .series_count = count + 1,
                                         .series = self->curve};
}


// All particles at the moments of impact, and a part of the ring around those that strike, in colours.
static void fill_ring(drawing *self, const rico_ring_orbit *orbit)
{
    const rico_ring *ring = &orbit->ring;
    int64_t p = ring->particles, first = p, last = -1;
    for (int64_t n = 0; n < p; n++) {
        self->place[n] = (double)n;
        if (ring->pattern[n] == RICO_RING_NEVER) continue;
        if (first == p) first = n;
        last = n;
    }
    first = first > AROUND ? first - AROUND : 0;
    last = last + AROUND < p ? last + AROUND : p - 1;
    int64_t count = last - first + 1;
    for (int64_t i = 0; i <= TIMES; i++)
        memcpy(self->window + i * count, self->y + i * p + first, (size_t)count * sizeof *self->window);
    self->map = (rico_figure_map){TIMES + 1, count, self->time, self->place + first, self->window};
    self->panel[1] =
        (rico_figure_panel){.title = "positions", .x_label = "t", .y_label = "particle", .map = &self->map};
    self->profile[0] = (rico_figure_series){
        .label = "0", .words = true, .style = RICO_SERIES_BOTH, .count = p, .x = self->place, .y = orbit->y};
    self->profile[1] = (rico_figure_series){.label = "T/2",
                                            .words = true,
                                            .style = RICO_SERIES_BOTH,
                                            .count = p,
                                            .x = self->place,
                                            .y = orbit->y_half};
    self->panel[2] = (rico_figure_panel){.title = "at the impacts",
                                         .x_label = "particle",
                                         .y_label = "y",
                                         .series_count = 2,
                                         .series = self->profile};
}


static void fill_spectrum(drawing *self, const rico_ring_stability *stability)
{
    for (int k = 0; k < CIRCLE; k++) {
        self->circle[k] = cos(2.0 * M_PI * k / (CIRCLE - 1));
        self->circle[CIRCLE + k] = sin(2.0 * M_PI * k / (CIRCLE - 1));
    }
    self->spectrum[0] =
        (rico_figure_series){.count = CIRCLE, .x = self->circle, .y = self->circle + CIRCLE, .colour = -1};
    self->spectrum[1] = (rico_figure_series){
        .style = RICO_SERIES_POINTS, .count = stability->count, .x = stability->real, .y = stability->imag};
    self->panel[3] = (rico_figure_panel){.title = "Floquet multipliers",
                                         .x_label = "real part",
                                         .y_label = "imaginary part",
                                         .equal = true,
                                         .series_count = 2,
                                         .series = self->spectrum};
}


rico_status rico_ring_draw(rico_context *ctx, const rico_ring_orbit *orbit,
                           const rico_ring_stability *stability, const char *title, const char *path)
{
    drawing self = {0};
    rico_status status = sample(orbit, &self.time, &self.y);
    if (status != RICO_OK) return status;
    self.column = rico_alloc(ctx, SHOWN * (TIMES + 1), sizeof *self.column);
    self.place = rico_alloc(ctx, orbit->ring.particles, sizeof *self.place);
    self.circle = rico_alloc(ctx, 2 * CIRCLE, sizeof *self.circle);
    self.window = rico_alloc(ctx, (TIMES + 1) * orbit->ring.particles, sizeof *self.window);
    status = RICO_NO_MEMORY;
    if (self.column && self.place && self.circle && self.window) {
        fill_motion(&self, orbit);
        fill_ring(&self, orbit);
        if (stability) fill_spectrum(&self, stability);
        rico_figure figure = {.title = title, .panel_count = stability ? 4 : 3, .panels = self.panel};
        status = rico_figure_write(ctx, &figure, path);
    }
    rico_free(ctx, self.window);
    rico_free(ctx, self.circle);
    rico_free(ctx, self.place);
    rico_free(ctx, self.column);
    rico_free(ctx, self.y);
    rico_free(ctx, self.time);
    return status;
}
