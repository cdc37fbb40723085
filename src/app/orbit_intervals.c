// rico orbit ring --intervals and --map: where a pattern has orbits.

#include "app/orbit_ring.h"
#include "base/table.h"
#include "lab/ring_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 256 };


// "LOW:HIGH", or "LOW:HIGH:N" where a number is wanted.
static rico_status read_range(rico_context *ctx, const char *name, const char *text, double ends[2],
                              int64_t *count)
{
    char *end = NULL;
    ends[0] = strtod(text, &end);
    bool good = end != text && *end == ':';
    const char *second = good ? end + 1 : text;
    if (good) ends[1] = strtod(second, &end);
    good = good && end != second && isfinite(ends[0]) && isfinite(ends[1]) && ends[1] >= ends[0];
    if (count) {
        good = good && *end == ':';
        const char *third = good ? end + 1 : text;
        if (good) *count = strtoll(third, &end, 10);
        good = good && end != third && *count >= 1 && *count <= 100000;
    }
    if (good && *end == '\0') return RICO_OK;
    return rico_fail(ctx, RICO_BAD_ARGUMENT, "--%s '%s': a range is needed, as %s", name, text,
                     count ? "0:1.1:12, the last how many" : "2:6.28");
}


static void print_intervals(FILE *out, int64_t count, const rico_ring_interval *interval)
{
    rico_print_column columns[] = {
        {"from", 14, true}, {"to", 14, true}, {"begins", 46, false}, {"ends", 46, false}};
    rico_table_head(out, columns, 4);
    for (int64_t i = 0; i < count; i++) {
        char low[CELL], high[CELL];
        snprintf(low, sizeof low, "%.9f", interval[i].low);
        snprintf(high, sizeof high, "%.9f", interval[i].high);
        const char *at_low = interval[i].low_end == RICO_RING_FEASIBLE
                                 ? "before"
                                 : rico_ring_verdict_words(interval[i].low_end);
        const char *at_high = interval[i].high_end == RICO_RING_FEASIBLE
                                  ? "beyond"
                                  : rico_ring_verdict_words(interval[i].high_end);
        const char *cells[] = {low, high, at_low, at_high};
        rico_table_row(out, columns, 4, cells);
    }
}


static rico_status write_intervals(rico_app *app, const char *path, int64_t count,
                                   const rico_ring_interval *interval)
{
    static const char *const NAMES[] = {"low", "high", "low_reason", "high_reason"};
    rico_sheet sheet = {.ctx = app->ctx};
    rico_status status = RICO_OK;
    for (int k = 0; k < 4 && status == RICO_OK; k++) {
        double *column;
        status = rico_sheet_add(&sheet, NAMES[k], count, NULL, &column);
        for (int64_t i = 0; i < count && status == RICO_OK; i++) {
            const double field[] = {interval[i].low, interval[i].high, (double)interval[i].low_end,
                                    (double)interval[i].high_end};
            column[i] = field[k];
        }
    }
    if (status == RICO_OK) status = rico_sheet_write_csv(&sheet, path);
    rico_sheet_release(&sheet);
    return status;
}


static rico_status find_intervals(rico_app *app, const orbit_settings *settings, const rico_ring *ring)
{
    const char *text = settings->intervals, *equals = strchr(text, '=');
    bool period = strncmp(text, "period=", 7) == 0, coupling = strncmp(text, "coupling=", 9) == 0;
    if (!period && !coupling)
        return rico_fail(app->ctx, RICO_BAD_ARGUMENT,
                         "--intervals '%s': period=2:6.28 or coupling=0:1 is needed", text);
    double ends[2];
    rico_status status = read_range(app->ctx, "intervals", equals + 1, ends, NULL);
    if (status != RICO_OK) return status;
    rico_ring_interval *interval = rico_alloc(app->ctx, ROOM, sizeof *interval);
    if (!interval) return RICO_NO_MEMORY;
    int64_t count = 0;
    double step = settings->step > 0.0 ? settings->step : (ends[1] - ends[0]) / 500.0;
    status = rico_ring_intervals(app->ctx, ring, period ? RICO_RING_PERIOD : RICO_RING_COUPLING, ends[0],
                                 ends[1], step, ROOM, interval, &count);
    int64_t kept = count < ROOM ? count : ROOM;
    if (status == RICO_OK) {
        fprintf(app->out, "%lld interval%s of the %s with orbits, as a scan with step %.3g sees them\n\n",
                (long long)count, count == 1 ? "" : "s", period ? "period" : "coupling", step);
        print_intervals(app->out, kept, interval);
    }
    if (status == RICO_OK && settings->csv) status = write_intervals(app, settings->csv, kept, interval);
    rico_free(app->ctx, interval);
    return status;
}


static rico_status find_map(rico_app *app, const orbit_settings *settings, const rico_ring *ring)
{
    double couplings[2], periods[2];
    rico_sheet sheet = {.ctx = app->ctx};
    rico_ring_area area = {0};
    rico_status status = read_range(app->ctx, "map", settings->map, couplings, &area.couplings);
    if (status == RICO_OK) status = read_range(app->ctx, "periods", settings->periods, periods, NULL);
    if (status != RICO_OK) return status;
    area.coupling_low = couplings[0];
    area.coupling_high = couplings[1];
    area.period_low = periods[0];
    area.period_high = periods[1];
    area.step = settings->step > 0.0 ? settings->step : 0.02;
    status = rico_ring_map(ring, &area, &sheet);
    if (status == RICO_OK)
        fprintf(app->out, "%lld intervals of the period with orbits, at %lld couplings from %.6g to %.6g\n",
                (long long)sheet.column[0].count, (long long)area.couplings, area.coupling_low,
                area.coupling_high);
    if (status == RICO_OK && settings->csv) status = rico_sheet_write_csv(&sheet, settings->csv);
    if (status == RICO_OK && settings->output)
        status = rico_ring_map_draw(&sheet, "periods with orbits", settings->output);
    rico_sheet_release(&sheet);
    return status;
}


rico_status rico_orbit_intervals(rico_app *app, const orbit_settings *settings, const rico_ring *ring)
{
    return settings->map ? find_map(app, settings, ring) : find_intervals(app, settings, ring);
}
