// Many values of every run of a sweep: taken from its columns.

#include "lab/sweep_points.h"

#include "base/suggest.h"
#include "scene/formula.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static const struct {
    const char *name;
    rico_section section;
    bool takes; // something behind a colon
} SECTIONS[] = {
    {"every", RICO_SECTION_EVERY, true},
    {"up", RICO_SECTION_UP, true},
    {"down", RICO_SECTION_DOWN, true},
    {"impacts", RICO_SECTION_IMPACTS, false},
};
enum { SECTION_COUNT = sizeof SECTIONS / sizeof *SECTIONS };


// --- the words -----------------------------------------------------------------------------------------------

static rico_status read_section(rico_sweep_points *points, const char *text)
{
    size_t length = strcspn(text, ":");
    const char *of = text + length + (text[length] == ':');
    for (int i = 0; i < SECTION_COUNT; i++) {
        if (strlen(SECTIONS[i].name) != length || strncmp(SECTIONS[i].name, text, length) != 0) continue;
        if ((*of != '\0') != SECTIONS[i].takes || strlen(of) >= sizeof points->of) break;
        points->section = SECTIONS[i].section;
        snprintf(points->of, sizeof points->of, "%s", of);
        return RICO_OK;
    }
    return rico_fail(points->ctx, RICO_BAD_ARGUMENT,
                     "option '--section' needs every:PERIOD, up:COLUMN, down:COLUMN or impacts, got '%s'",
                     text);
}


// What the runs must write for it.
static void choose_overrides(rico_sweep_points *points)
{
    if (points->section == RICO_SECTION_EVERY) {
        snprintf(points->override[points->override_count++], sizeof points->override[0], "output.interval=%s",
                 points->of);
    } else {
        // every row, so that a crossing lies within one step
        snprintf(points->override[points->override_count++], sizeof points->override[0], "output.every=1");
    }
}


rico_status rico_points_ask(rico_sweep_points *points, const rico_sweep_grid *grid, int64_t count,
                            const char *const *columns, const char *section, const char *after)
{
    rico_context *ctx = grid->ctx;
    *points = (rico_sweep_points){.ctx = ctx, .grid = grid};
    if (count == 0 && !section && !after) return RICO_OK;
    if (count == 0)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "option '--%s' needs '--points COLUMN': what to keep there",
                         section ? "section" : "after");
    if (!section)
        return rico_fail(
            ctx, RICO_BAD_ARGUMENT,
            "option '--points' needs '--section': every:PERIOD, up:COLUMN, down:COLUMN or impacts");
    if (count > RICO_POINTS_COLUMNS)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a sweep keeps points of at most %d columns",
                         RICO_POINTS_COLUMNS);
    rico_status status = read_section(points, section);
    if (status != RICO_OK) return status;
    for (int64_t i = 0; i < count; i++) {
        if (strlen(columns[i]) >= RICO_SWEEP_NAME)
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "'--points %s' is too long", columns[i]);
        snprintf(points->column[points->column_count++], RICO_SWEEP_NAME, "%s", columns[i]);
    }
    if (after && strlen(after) >= sizeof points->after)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "'--after %s' is too long", after);
    snprintf(points->after, sizeof points->after, "%s", after ? after : "");
    choose_overrides(points);
    points->cell = rico_alloc(ctx, grid->count, sizeof *points->cell);
    return points->cell ? RICO_OK : RICO_NO_MEMORY;
}


void rico_points_release(rico_sweep_points *points)
{
    for (int64_t i = 0; points->cell && i < points->grid->count; i++)
        rico_free(points->ctx, points->cell[i].value);
    if (points->ctx) rico_free(points->ctx, points->cell);
    *points = (rico_sweep_points){0};
}


// --- from the columns of a run -----------------------------------------------------------------------------------

// Numbers over time, as read.
typedef struct track {
    int64_t count;
    double *t, *y;
} track;


static void release_track(rico_context *ctx, track *own)
{
    rico_free(ctx, own->t);
    rico_free(ctx, own->y);
}


static rico_status read_track(rico_columns *columns, const char *name, const char *time, track *out)
{
    int64_t rows = 0, times = 0;
    rico_status status = rico_columns_read(columns, name, &rows, &out->y);
    if (status == RICO_OK) status = rico_columns_read(columns, time, &times, &out->t);
    out->count = rows < times ? rows : times;
    return status;
}


// Positions and velocities are sampled by the run itself, at the very times of the section.
static bool sampled_name(const rico_columns *columns, const char *name, char out[RICO_SWEEP_NAME])
{
    const char *known;
    for (int64_t i = 0; (known = rico_columns_position(columns, i)) != NULL; i++)
        if (strcmp(known, name) == 0)
            return snprintf(out, RICO_SWEEP_NAME, "samples.q[%lld]", (long long)i) > 0;
    for (int64_t i = 0; (known = rico_columns_velocity(columns, i)) != NULL; i++)
        if (strcmp(known, name) == 0)
            return snprintf(out, RICO_SWEEP_NAME, "samples.v[%lld]", (long long)i) > 0;
    return false;
}


// The value at a time, along a straight line from row to row; beyond the ends that of the end.
static double value_at(const track *own, double t)
{
    if (own->count == 0) return NAN;
    int64_t low = 0, high = own->count - 1; // the last row that is not behind t
    while (low < high) {
        int64_t middle = high - (high - low) / 2;
        if (own->t[middle] <= t)
            low = middle;
        else
            high = middle - 1;
    }
    if (own->t[low] >= t || low + 1 >= own->count) return own->y[low];
    double part = (t - own->t[low]) / (own->t[low + 1] - own->t[low]);
    return own->y[low] + part * (own->y[low + 1] - own->y[low]);
}


// Times at which a column passes zero. One that stands at zero has passed when it goes on to the other side.
static rico_status find_crossings(rico_context *ctx, const rico_sweep_points *points, rico_columns *columns,
                                  int64_t *count, double **times)
{
    track own = {0};
    double sign = points->section == RICO_SECTION_UP ? 1.0 : -1.0;
    rico_status status = read_track(columns, points->of, rico_columns_time_of(columns, points->of), &own);
    if (status == RICO_OK) *times = rico_alloc(ctx, own.count, sizeof **times);
    if (status == RICO_OK && !*times) status = RICO_NO_MEMORY;
    for (int64_t i = 1; status == RICO_OK && i < own.count; i++) {
        double before = sign * own.y[i - 1], after = sign * own.y[i];
        if (!(before < 0.0 && after >= 0.0)) continue;
        (*times)[(*count)++] = own.t[i - 1] + (own.t[i] - own.t[i - 1]) * before / (before - after);
    }
    release_track(ctx, &own);
    return status;
}


// Times of the last rows before a contact closes: events bear the end of the step in which it does.
static rico_status find_impacts(rico_context *ctx, rico_columns *columns, int64_t *count, double **times)
{
    track closes = {0}, rows = {0};
    rico_status status = read_track(columns, "events.closes", "events.t", &closes);
    if (status == RICO_OK) status = read_track(columns, "t", "t", &rows);
    if (status == RICO_OK) *times = rico_alloc(ctx, closes.count, sizeof **times);
    if (status == RICO_OK && !*times) status = RICO_NO_MEMORY;
    for (int64_t i = 0, row = 0; status == RICO_OK && i < closes.count; i++) {
        if (closes.y[i] != 1.0) continue;
        while (row + 1 < rows.count && rows.t[row + 1] < closes.t[i]) row++;
        (*times)[(*count)++] = rows.t[row];
    }
    release_track(ctx, &closes);
    release_track(ctx, &rows);
    return status;
}


static rico_status find_times(rico_context *ctx, const rico_sweep_points *points, rico_columns *columns,
                              int64_t *count, double **times)
{
    switch (points->section) {
    case RICO_SECTION_EVERY:
        return rico_columns_read(columns, "samples.t", count, times);
    case RICO_SECTION_UP:
    case RICO_SECTION_DOWN:
        return find_crossings(ctx, points, columns, count, times);
    case RICO_SECTION_IMPACTS:
        return find_impacts(ctx, columns, count, times);
    }
    return RICO_INTERNAL;
}


// A formula of the parameters that the run was given.
static rico_status find_after(rico_context *ctx, const rico_sweep_points *points, const rico_results *results,
                              double *after)
{
    *after = -INFINITY;
    if (!points->after[0]) return RICO_OK;
    int64_t count = rico_results_parameter_count(results);
    rico_symbol *symbol = rico_alloc(ctx, count, sizeof *symbol);
    for (int64_t i = 0; symbol && i < count; i++) {
        const rico_note *own = rico_results_parameter(results, i);
        symbol[i] = (rico_symbol){.name = own->name, .kind = RICO_SYMBOL_CONSTANT, .value = own->real};
    }
    const rico_scope scope = {count, symbol, NULL};
    rico_status status =
        symbol ? rico_formula_constant(ctx, points->after, &scope, NULL, after) : RICO_NO_MEMORY;
    if (status == RICO_BAD_INPUT) {
        char sentence[400];
        snprintf(sentence, sizeof sentence, "%s", rico_message(ctx));
        status = rico_fail(ctx, RICO_BAD_ARGUMENT, "in '--after %s': %s", points->after, sentence);
    }
    rico_free(ctx, symbol);
    return status;
}


// Fills one column of the points; rows come in the order of the times that are kept.
static rico_status fill_column(rico_context *ctx, const rico_sweep_points *points, rico_columns *columns,
                               int column, int64_t count, const double *times, double after,
                               rico_points_cell *out)
{
    char name[RICO_SWEEP_NAME];
    int width = points->column_count + 1;
    track own = {0};
    bool sampled =
        points->section == RICO_SECTION_EVERY && sampled_name(columns, points->column[column], name);
    if (!sampled) snprintf(name, sizeof name, "%s", points->column[column]);
    rico_status status = read_track(columns, name, rico_columns_time_of(columns, name), &own);
    int64_t row = 0;
    for (int64_t i = 0; status == RICO_OK && i < count; i++) {
        if (times[i] < after) continue;
        out->value[row * width] = times[i];
        out->value[row * width + 1 + column] = sampled && i < own.count ? own.y[i] : value_at(&own, times[i]);
        row++;
    }
    release_track(ctx, &own);
    return status;
}


rico_status rico_points_take(rico_context *ctx, const rico_sweep_points *points, rico_columns *columns,
                             rico_points_cell *out)
{
    int64_t count = 0;
    double *times = NULL, after;
    *out = (rico_points_cell){0};
    rico_status status = find_after(ctx, points, rico_columns_results(columns), &after);
    if (status == RICO_OK) status = find_times(ctx, points, columns, &count, &times);
    for (int64_t i = 0; status == RICO_OK && i < count; i++) out->count += times[i] >= after;
    if (status == RICO_OK) {
        out->value = rico_alloc(ctx, out->count * (points->column_count + 1), sizeof *out->value);
        if (!out->value) status = RICO_NO_MEMORY;
    }
    for (int c = 0; status == RICO_OK && c < points->column_count; c++)
        status = fill_column(ctx, points, columns, c, count, times, after, out);
    rico_free(ctx, times);
    if (status != RICO_OK) {
        rico_free(ctx, out->value);
        *out = (rico_points_cell){0};
    }
    return status;
}
