// The grid of a sweep: parameters, cells, and the CSV file.

#include "lab/sweep_grid.h"

#include "base/csv.h"
#include "base/number.h"
#include "base/suggest.h"
#include "lab/measure_column.h"
#include "lab/range.h"
#include "store/target.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CELLS_MAX = 10000000 };

static const char *const ENDS[] = {"", "done", "failed", "timeout", "crashed"};
enum { END_COUNT = sizeof ENDS / sizeof *ENDS };


const char *rico_sweep_end_name(rico_sweep_end end)
{
    return ENDS[end];
}


// --- parameters ----------------------------------------------------------------------------------------------

static rico_status add_value(rico_context *ctx, rico_sweep_axis *axis, const char *text, size_t length)
{
    if (length == 0 || length >= RICO_SWEEP_NAME)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "'--over %s=...' has a value that is empty or too long",
                         axis->name);
    char(*more)[RICO_SWEEP_NAME] =
        rico_grow(ctx, axis->text, axis->count, axis->count + 1, sizeof *axis->text);
    if (!more) return RICO_NO_MEMORY;
    axis->text = more;
    double *numbers = rico_grow(ctx, axis->number, axis->count, axis->count + 1, sizeof *axis->number);
    if (!numbers) return RICO_NO_MEMORY;
    axis->number = numbers;
    snprintf(axis->text[axis->count], RICO_SWEEP_NAME, "%.*s", (int)length, text);
    if (!rico_text_to_real(axis->text[axis->count], &axis->number[axis->count])) {
        axis->number[axis->count] = NAN;
        axis->numbers = false;
    }
    axis->count++;
    return RICO_OK;
}


static rico_status refuse_values(rico_context *ctx, const char *text)
{
    return rico_fail(ctx, RICO_BAD_ARGUMENT, "option '--over' needs name=a:b:n or name=a,b,c, got '%s'",
                     text);
}


static rico_status add_range(rico_context *ctx, rico_sweep_axis *axis, const char *whole,
                             const rico_range *range)
{
    if (!(range->count >= 2.0 && range->count <= RICO_RANGE_MOST))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "option '--over' needs from 2 to %d values, got '%s'",
                         RICO_RANGE_MOST, whole);
    if (range->log && !(range->from > 0.0 && range->to > 0.0))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "option '--over' needs positive ends for log, got '%s'",
                         whole);
    rico_status status = RICO_OK;
    for (int64_t i = 0; status == RICO_OK && i < (int64_t)range->count; i++) {
        char value[64];
        // ten digits: 0.3, not 0.30000000000000004
        snprintf(value, sizeof value, "%.10g", rico_range_value(range, i));
        status = add_value(ctx, axis, value, strlen(value));
    }
    return status;
}


rico_status rico_sweep_add_axis(rico_sweep_grid *grid, const char *text)
{
    rico_context *ctx = grid->ctx;
    rico_range range;
    if (grid->axis_count == RICO_SWEEP_AXES)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a sweep has at most %d parameters", RICO_SWEEP_AXES);
    if (!rico_range_parse(text, &range) || range.name_length >= RICO_SWEEP_NAME)
        return refuse_values(ctx, text);
    rico_sweep_axis *axis = &grid->axis[grid->axis_count++];
    axis->numbers = true;
    axis->log = range.log;
    snprintf(axis->name, sizeof axis->name, "%.*s", range.name_length, text);
    for (int i = 0; i < grid->axis_count - 1; i++)
        if (strcmp(grid->axis[i].name, axis->name) == 0)
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "'%s' is swept over twice", axis->name);

    if (!range.list) return add_range(ctx, axis, text, &range);
    rico_status status = RICO_OK;
    for (const char *at = range.list, *word; status == RICO_OK && at;) {
        size_t length = rico_range_word(&at, &word);
        status = add_value(ctx, axis, word, length);
    }
    return status;
}


rico_status rico_sweep_add_measure(rico_sweep_grid *grid, const char *text)
{
    rico_context *ctx = grid->ctx;
    const char *colon = strrchr(text, ':');
    if (grid->measure_count == RICO_SWEEP_MEASURES)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a sweep has at most %d measures", RICO_SWEEP_MEASURES);
    if (!colon || colon == text || strlen(text) >= RICO_SWEEP_NAME)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "option '--measure' needs COLUMN:TAKE, as in energy:last, got '%s'", text);
    rico_sweep_measure *measure = &grid->measure[grid->measure_count];
    snprintf(measure->text, sizeof measure->text, "%s", text);
    snprintf(measure->column, sizeof measure->column, "%.*s", (int)(colon - text), text);
    measure->take = rico_measure_find(colon + 1);
    if (measure->take >= 0) {
        grid->measure_count++;
        return RICO_OK;
    }
    rico_suggestion near;
    char hint[RICO_SUGGEST_SENTENCE];
    rico_suggest_start(&near, colon + 1);
    for (int i = 0; rico_measure_name(i); i++) rico_suggest_offer(&near, rico_measure_name(i));
    return rico_fail(ctx, RICO_BAD_ARGUMENT, "'%s' in '--measure %s' takes no number from a column%s",
                     colon + 1, text, rico_suggest_sentence(&near, "", hint));
}


rico_status rico_sweep_make_cells(rico_sweep_grid *grid)
{
    grid->count = 1;
    for (int i = 0; i < grid->axis_count; i++) {
        if (grid->count > CELLS_MAX / grid->axis[i].count)
            return rico_fail(grid->ctx, RICO_BAD_ARGUMENT, "the grid has more than %d cells", CELLS_MAX);
        grid->count *= grid->axis[i].count;
    }
    grid->cell = rico_alloc(grid->ctx, grid->count, sizeof *grid->cell);
    return grid->cell ? RICO_OK : RICO_NO_MEMORY;
}


void rico_sweep_release(rico_sweep_grid *grid)
{
    for (int i = 0; i < grid->axis_count; i++) {
        rico_free(grid->ctx, grid->axis[i].text);
        rico_free(grid->ctx, grid->axis[i].number);
    }
    rico_free(grid->ctx, grid->cell);
}


void rico_sweep_place(const rico_sweep_grid *grid, int64_t cell, int64_t place[RICO_SWEEP_AXES])
{
    for (int i = grid->axis_count - 1; i >= 0; i--) {
        place[i] = cell % grid->axis[i].count;
        cell /= grid->axis[i].count;
    }
}


// --- the file ------------------------------------------------------------------------------------------------

static int field_count(const rico_sweep_grid *grid)
{
    return grid->axis_count + grid->measure_count + 2;
}


static const char *head_of(const rico_sweep_grid *grid, int field)
{
    if (field < grid->axis_count) return grid->axis[field].name;
    field -= grid->axis_count;
    if (field < grid->measure_count) return grid->measure[field].text;
    return field == grid->measure_count ? "outcome" : "note";
}


static void write_head(const rico_sweep_grid *grid, FILE *out)
{
    for (int i = 0; i < field_count(grid); i++) {
        if (i > 0) fputc(',', out);
        rico_csv_field(out, head_of(grid, i));
    }
    fputc('\n', out);
}


void rico_sweep_write_row(const rico_sweep_grid *grid, int64_t index, FILE *out)
{
    const rico_sweep_cell *cell = &grid->cell[index];
    int64_t place[RICO_SWEEP_AXES];
    rico_sweep_place(grid, index, place);
    for (int i = 0; i < grid->axis_count; i++) {
        rico_csv_field(out, grid->axis[i].text[place[i]]);
        fputc(',', out);
    }
    for (int i = 0; i < grid->measure_count; i++) {
        if (cell->end == RICO_SWEEP_DONE) fprintf(out, "%.17g", cell->value[i]);
        fputc(',', out);
    }
    fprintf(out, "%s,", ENDS[cell->end]);
    rico_csv_field(out, cell->note);
    fputc('\n', out);
}


rico_status rico_sweep_save(const rico_sweep_grid *grid, const char *path)
{
    rico_target target;
    rico_status status = rico_target_open(grid->ctx, path, RICO_TARGET_TABLE, &target);
    if (status != RICO_OK) return status;
    write_head(grid, target.out);
    for (int64_t i = 0; i < grid->count; i++)
        if (grid->cell[i].end != RICO_SWEEP_MISSING) rico_sweep_write_row(grid, i, target.out);
    return rico_target_close(&target, RICO_OK);
}


int64_t rico_sweep_find(const rico_sweep_grid *grid, char *const *field)
{
    int64_t index = 0;
    for (int i = 0; i < grid->axis_count; i++) {
        const rico_sweep_axis *axis = &grid->axis[i];
        int64_t place = 0;
        while (place < axis->count && strcmp(axis->text[place], field[i]) != 0) place++;
        if (place == axis->count) return -1;
        index = index * axis->count + place;
    }
    return index;
}


static bool read_record(rico_sweep_grid *grid, int64_t index, char **field)
{
    rico_sweep_cell cell = {0};
    char **value = field + grid->axis_count;
    for (int i = 1; i < END_COUNT; i++)
        if (strcmp(ENDS[i], value[grid->measure_count]) == 0) cell.end = (rico_sweep_end)i;
    for (int i = 0; i < grid->measure_count; i++) {
        char *end = NULL;
        cell.value[i] = value[i][0] ? strtod(value[i], &end) : NAN;
        if (end && *end) return false;
    }
    snprintf(cell.note, sizeof cell.note, "%s", value[grid->measure_count + 1]);
    if (cell.end == RICO_SWEEP_MISSING) return false;
    grid->cell[index] = cell;
    return true;
}


rico_status rico_sweep_load(rico_sweep_grid *grid, const char *path)
{
    rico_context *ctx = grid->ctx;
    if (access(path, F_OK) != 0) return RICO_OK;
    rico_csv csv = {0};
    rico_status status = rico_csv_load(ctx, path, &csv);
    if (status != RICO_OK) return status;
    char *field[RICO_CSV_FIELDS];
    int wanted = field_count(grid), got = rico_csv_next(&csv, field);
    bool same = got == wanted;
    for (int i = 0; same && i < wanted; i++) same = strcmp(field[i], head_of(grid, i)) == 0;
    if (got > 0 && !same)
        status = rico_fail(
            ctx, RICO_BAD_INPUT,
            "%s: holds a sweep over other parameters or of other measures; choose another --output", path);
    while (status == RICO_OK && got > 0 && (got = rico_csv_next(&csv, field)) > 0) {
        int64_t index = got == wanted ? rico_sweep_find(grid, field) : -1;
        if (got == wanted && index < 0) // saving would lose it
            status = rico_fail(
                ctx, RICO_BAD_INPUT,
                "%s:%lld: a cell that the grid does not have; keep the values or choose another --output",
                path, (long long)csv.line);
        else if (got != wanted || !read_record(grid, index, field))
            status =
                rico_fail(ctx, RICO_BAD_INPUT, "%s:%lld: is no line of a sweep", path, (long long)csv.line);
    }
    rico_free(ctx, csv.text);
    return status;
}
