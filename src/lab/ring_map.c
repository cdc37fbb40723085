// Where over coupling and period a pattern of a ring has orbits.

#include "lab/ring_map.h"

#include "draw/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROOM = 64, LEAST = 6 };    // intervals of a band; steps in it
static const double ASIDE = 1e-9; // of a linear period, where the problem is singular
enum { AT, LOW, HIGH, LOW_REASON, HIGH_REASON, FIELDS };

// The intervals found so far, FIELDS numbers for each.
typedef struct found {
    rico_context *ctx;
    int64_t count, room;
    double *value;
} found;


// Room for one more, NULL without memory.
static double *add(found *list)
{
    if (list->count == list->room) {
        int64_t room = 2 * list->room + ROOM;
        double *more = rico_grow(list->ctx, list->value, FIELDS * list->room, FIELDS * room, sizeof *more);
        if (!more) return NULL;
        list->value = more;
        list->room = room;
    }
    return list->value ? list->value + FIELDS * list->count++ : NULL;
}


static rico_status note(found *list, double coupling, const rico_ring_interval *seen)
{
    double *last = list->value && list->count > 0 ? list->value + FIELDS * (list->count - 1) : NULL;
    // the same interval on both sides of a linear period that does not matter to it
    bool joins = last && last[AT] == coupling && seen->low - last[HIGH] < 4.0 * ASIDE * seen->low;
    if (!joins) {
        last = add(list);
        if (!last) return RICO_NO_MEMORY;
        last[AT] = coupling;
        last[LOW] = seen->low;
        last[LOW_REASON] = (double)seen->low_end;
    }
    last[HIGH] = seen->high;
    last[HIGH_REASON] = (double)seen->high_end;
    return RICO_OK;
}


// One band between linear periods.
static rico_status scan_band(found *list, const rico_ring *ring, double low, double high, double step)
{
    rico_ring_interval seen[ROOM];
    int64_t count = 0;
    double from = low * (1.0 + ASIDE), to = high * (1.0 - ASIDE);
    if (!(to > from)) return RICO_OK;
    rico_status status = rico_ring_intervals(list->ctx, ring, RICO_RING_PERIOD, from, to,
                                             fmin(step, (to - from) / LEAST), ROOM, seen, &count);
    for (int64_t i = 0; i < count && i < ROOM && status == RICO_OK; i++)
        status = note(list, ring->coupling, &seen[i]);
    return status;
}


// All periods at one coupling, from low to high; linear periods fall with the wave number.
static rico_status scan(found *list, const rico_ring *ring, const rico_ring_area *area)
{
    double low = area->period_low;
    rico_status status = RICO_OK;
    for (int64_t k = ring->particles / 2; k >= 0 && status == RICO_OK; k--) {
        double linear = 2.0 * M_PI / rico_ring_frequency(ring->particles, ring->coupling, k);
        double high = fmin(linear, area->period_high);
        if (high <= low) continue;
        status = scan_band(list, ring, low, high, area->step);
        low = high;
    }
    if (status == RICO_OK && low < area->period_high)
        status = scan_band(list, ring, low, area->period_high, area->step);
    return status;
}


static rico_status add_intervals(const found *list, rico_sheet *sheet)
{
    static const char *const NAMES[FIELDS] = {"coupling", "low", "high", "low_reason", "high_reason"};
    rico_status status = RICO_OK;
    double *column = NULL, *x = NULL, *y = NULL;
    for (int field = 0; field < FIELDS && status == RICO_OK; field++) {
        status = rico_sheet_add(sheet, NAMES[field], list->count, NULL, &column);
        for (int64_t i = 0; i < list->count && status == RICO_OK; i++)
            column[i] = list->value[FIELDS * i + field];
    }
    // strokes: two ends and a gap, which is not a number
    if (status == RICO_OK) status = rico_sheet_add(sheet, "x", 3 * list->count, NULL, &x);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "y", 3 * list->count, NULL, &y);
    for (int64_t i = 0; i < list->count && status == RICO_OK; i++) {
        x[3 * i] = x[3 * i + 1] = list->value[FIELDS * i + AT];
        y[3 * i] = list->value[FIELDS * i + LOW];
        y[3 * i + 1] = list->value[FIELDS * i + HIGH];
    }
    return status;
}


static rico_status add_limits(const rico_ring *ring, int64_t count, const double *gamma, rico_sheet *sheet)
{
    double *column;
    char name[RICO_SHEET_NAME];
    int64_t striking = 0;
    for (int64_t n = 0; n < ring->particles; n++) striking += ring->pattern[n] != RICO_RING_NEVER;
    rico_status status = rico_sheet_add(sheet, "gamma", count, gamma, NULL);
    if (status == RICO_OK && striking == 1) {
        status = rico_sheet_add(sheet, "T_inf", count, NULL, &column);
        for (int64_t i = 0; i < count && status == RICO_OK; i++)
            column[i] = rico_ring_blow_up_period(ring->particles, gamma[i]);
    }
    for (int64_t k = 1; k <= ring->particles / 2 && status == RICO_OK; k++) {
        snprintf(name, sizeof name, "T_%lld", (long long)k);
        status = rico_sheet_add(sheet, name, count, NULL, &column);
        for (int64_t i = 0; i < count && status == RICO_OK; i++)
            column[i] = 2.0 * M_PI / rico_ring_frequency(ring->particles, gamma[i], k);
    }
    return status;
}


rico_status rico_ring_map(const rico_ring *ring, const rico_ring_area *area, rico_sheet *sheet)
{
    rico_context *ctx = sheet->ctx;
    found list = {.ctx = ctx};
    rico_ring here = *ring;
    if (!(area->couplings >= 1 && area->period_high > area->period_low && area->period_low > 0.0 &&
          area->step > 0.0))
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "no map over %lld couplings and periods from %g to %g with step %g",
                         (long long)area->couplings, area->period_low, area->period_high, area->step);
    double *gamma = rico_alloc(ctx, area->couplings, sizeof *gamma);
    rico_status status = gamma ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t i = 0; i < area->couplings && status == RICO_OK; i++) {
        double share = area->couplings > 1 ? (double)i / (double)(area->couplings - 1) : 0.0;
        here.coupling = gamma[i] = area->coupling_low + share * (area->coupling_high - area->coupling_low);
        status = scan(&list, &here, area);
        if (status == RICO_OK && rico_context_interrupted(ctx))
            status = rico_fail(ctx, RICO_INTERRUPTED, "interrupted");
    }
    if (status == RICO_OK) status = add_intervals(&list, sheet);
    if (status == RICO_OK) status = add_limits(ring, area->couplings, gamma, sheet);
    rico_free(ctx, list.value);
    rico_free(ctx, gamma);
    return status;
}


rico_status rico_ring_map_draw(const rico_sheet *sheet, const char *title, const char *path)
{
    const rico_sheet_column *x, *y, *gamma;
    rico_status status = rico_sheet_find(sheet, "x", &x);
    if (status == RICO_OK) status = rico_sheet_find(sheet, "y", &y);
    if (status == RICO_OK) status = rico_sheet_find(sheet, "gamma", &gamma);
    if (status != RICO_OK) return status;
    int64_t limits = sheet->count - (gamma - sheet->column) - 1;
    rico_figure_series *series = rico_alloc(sheet->ctx, limits + 1, sizeof *series);
    if (!series) return RICO_NO_MEMORY;
    series[0] = (rico_figure_series){
        .label = "orbits", .words = true, .count = x->count, .x = x->value, .y = y->value, .colour = 1};
    for (int64_t k = 1; k <= limits; k++) {
        bool blow = strcmp(gamma[k].name, "T_inf") == 0, first = strcmp(gamma[k].name, "T_1") == 0;
        series[k] = (rico_figure_series){.label = blow    ? "T_inf"
                                                  : first ? "linear periods"
                                                          : NULL,
                                         .words = !blow,
                                         .count = gamma->count,
                                         .x = gamma->value,
                                         .y = gamma[k].value,
                                         .dashed = !blow,
                                         .colour = blow ? 2 : -1};
    }
    rico_figure_panel panel = {
        .x_label = "gamma", .y_label = "T", .series_count = limits + 1, .series = series};
    rico_figure figure = {.title = title, .panel_count = 1, .panels = &panel};
    status = rico_figure_write(sheet->ctx, &figure, path);
    rico_free(sheet->ctx, series);
    return status;
}
