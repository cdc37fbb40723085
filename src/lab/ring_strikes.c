// Orbits of rings with any number of impacts, in words, tables and pictures.

#include "lab/ring_strikes.h"

#include "draw/figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SHOWN = 6, TIMES = 400, CIRCLE = 181, LABEL = 16 };


rico_status rico_ring_strike_read(rico_context *ctx, const char *word, double period,
                                  rico_ring_strike *strike, const char **rest)
{
    char *mark = NULL, *end = NULL;
    *strike = (rico_ring_strike){.particle = strtoll(word, &mark, 10)};
    bool marked = mark != word && (*mark == '@' || *mark == '^');
    double share = marked ? strtod(mark + 1, &end) : 0.0;
    if (!marked || end == mark + 1 || !isfinite(share))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "'%s' is no impact; 1@0.25 and 1^0.25 are", word);
    strike->upper = *mark == '^';
    strike->time = share * period;
    *rest = end;
    return RICO_OK;
}


static rico_status add_strikes(const rico_ring_sequence *orbit, rico_sheet *sheet)
{
    double *time = NULL, *particle = NULL, *impulse = NULL;
    rico_status status = rico_sheet_add(sheet, "strike_time", orbit->count, NULL, &time);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "strike_particle", orbit->count, NULL, &particle);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "impulse", orbit->count, NULL, &impulse);
    for (int64_t j = 0; j < orbit->count && status == RICO_OK; j++) {
        time[j] = orbit->strike[j].time;
        particle[j] = (double)orbit->strike[j].particle;
        impulse[j] = orbit->strike[j].impulse;
    }
    return status;
}


rico_status rico_ring_sequence_sheet(const rico_ring_sequence *orbit, int64_t samples, rico_sheet *sheet)
{
    int64_t p = orbit->particles, first = sheet->count + 1;
    double *t = NULL, *state = rico_alloc(sheet->ctx, 2 * p, sizeof *state);
    rico_status status = state ? RICO_OK : RICO_NO_MEMORY;
    if (status == RICO_OK) status = rico_sheet_add(sheet, "time", samples + 1, NULL, &t);
    for (int64_t n = 0; n < p && status == RICO_OK; n++) {
        char name[RICO_SHEET_NAME];
        snprintf(name, sizeof name, "y%lld", (long long)n);
        status = rico_sheet_add(sheet, name, samples + 1, NULL, NULL);
    }
    for (int64_t i = 0; i <= samples && status == RICO_OK; i++) {
        t[i] = orbit->period * (double)i / (double)samples;
        rico_ring_sequence_at(orbit, t[i], state, state + p);
        for (int64_t n = 0; n < p; n++) sheet->column[first + n].value[i] = state[n];
    }
    rico_free(sheet->ctx, state);
    return status == RICO_OK ? add_strikes(orbit, sheet) : status;
}


rico_status rico_ring_sequence_draw(const rico_ring_sequence *orbit, const rico_ring_stability *stability,
                                    const char *title, const char *path)
{
    rico_sheet sheet = {.ctx = orbit->ctx};
    rico_figure_series curve[SHOWN], spectrum[2];
    char label[SHOWN][LABEL];
    double circle[2 * CIRCLE];
    int count = 0;
    rico_status status = rico_ring_sequence_sheet(orbit, TIMES, &sheet);
    for (; status == RICO_OK && count < SHOWN && count < orbit->particles; count++) {
        snprintf(label[count], LABEL, "%d", count);
        curve[count] = (rico_figure_series){.label = label[count],
                                            .words = true,
                                            .count = TIMES + 1,
                                            .x = sheet.column[0].value,
                                            .y = sheet.column[1 + count].value};
    }
    for (int k = 0; k < CIRCLE; k++) {
        circle[k] = cos(2.0 * M_PI * k / (CIRCLE - 1));
        circle[CIRCLE + k] = sin(2.0 * M_PI * k / (CIRCLE - 1));
    }
    spectrum[0] = (rico_figure_series){.count = CIRCLE, .x = circle, .y = circle + CIRCLE, .colour = -1};
    if (stability)
        spectrum[1] = (rico_figure_series){.style = RICO_SERIES_POINTS,
                                           .count = stability->count,
                                           .x = stability->real,
                                           .y = stability->imag};
    const rico_figure_panel panels[] = {
        {.title = "motion", .x_label = "t", .y_label = "y", .series_count = count, .series = curve},
        {.title = "Floquet multipliers",
         .x_label = "real part",
         .y_label = "imaginary part",
         .equal = true,
         .series_count = 2,
         .series = spectrum}};
    const rico_figure figure = {.title = title, .panel_count = stability ? 2 : 1, .panels = panels};
    if (status == RICO_OK) status = rico_figure_write(orbit->ctx, &figure, path);
    rico_sheet_release(&sheet);
    return status;
}


// --- branches ------------------------------------------------------------------------------------------------

enum { COUPLING, PERIOD, ENERGY, SLOWEST, GAP, LARGEST };


const char *rico_ring_trail_name(int column)
{
    static const char *const NAMES[RICO_RING_TRAIL] = {"coupling", "period", "energy",
                                                       "slowest",  "gap",    "largest_multiplier"};
    return NAMES[column];
}


bool rico_ring_trail_note(void *trail, const rico_ring_sequence *orbit)
{
    rico_ring_trail *self = trail;
    rico_ring_stability *stability = NULL;
    if (self->count == self->room) {
        int64_t room = 2 * self->room + 64;
        double *more = rico_grow(self->ctx, self->value, RICO_RING_TRAIL * self->room, RICO_RING_TRAIL * room,
                                 sizeof *more);
        self->status = more ? RICO_OK : RICO_NO_MEMORY;
        if (!more) return false;
        self->value = more;
        self->room = room;
    }
    self->status = rico_ring_sequence_stability(orbit, 0.0, &stability);
    if (self->status != RICO_OK) return false;
    double *row = self->value + RICO_RING_TRAIL * self->count++;
    row[COUPLING] = orbit->coupling;
    row[PERIOD] = orbit->period;
    row[ENERGY] = orbit->energy;
    row[SLOWEST] = orbit->slowest;
    row[GAP] = orbit->gap;
    row[LARGEST] = stability->largest;
    rico_ring_stability_destroy(stability);
    return !rico_context_interrupted(self->ctx);
}


rico_status rico_ring_trail_sheet(const rico_ring_trail *trail, rico_sheet *sheet)
{
    rico_status status = RICO_OK;
    for (int field = 0; field < RICO_RING_TRAIL && status == RICO_OK; field++) {
        double *column;
        status = rico_sheet_add(sheet, rico_ring_trail_name(field), trail->count, NULL, &column);
        for (int64_t i = 0; i < trail->count && status == RICO_OK; i++)
            column[i] = trail->value[RICO_RING_TRAIL * i + field];
    }
    return status;
}


rico_status rico_ring_trail_draw(const rico_ring_trail *trail, rico_ring_parameter parameter,
                                 const char *title, const char *path)
{
    static const struct {
        int field;
        const char *label;
        bool logarithmic;
    } SHOW[] = {{ENERGY, "energy", false},
                {SLOWEST, "slowest impact", false},
                {GAP, "smallest gap", false},
                {LARGEST, "largest multiplier", true}};
    enum { PANELS = sizeof SHOW / sizeof *SHOW };
    bool period = parameter == RICO_RING_PERIOD;
    rico_sheet sheet = {.ctx = trail->ctx};
    rico_figure_series series[PANELS];
    rico_figure_panel panel[PANELS];
    rico_status status = rico_ring_trail_sheet(trail, &sheet);
    for (int k = 0; k < PANELS && status == RICO_OK; k++) {
        series[k] = (rico_figure_series){.count = trail->count,
                                         .x = sheet.column[period ? PERIOD : COUPLING].value,
                                         .y = sheet.column[SHOW[k].field].value};
        panel[k] = (rico_figure_panel){.x_label = period ? "T" : "gamma",
                                       .y_label = SHOW[k].label,
                                       .log_y = SHOW[k].logarithmic,
                                       .series_count = 1,
                                       .series = &series[k]};
    }
    const rico_figure figure = {.title = title, .panel_count = PANELS, .panels = panel};
    if (status == RICO_OK) status = rico_figure_write(trail->ctx, &figure, path);
    rico_sheet_release(&sheet);
    return status;
}


void rico_ring_trail_release(rico_ring_trail *trail)
{
    rico_free(trail->ctx, trail->value);
    trail->value = NULL;
}
