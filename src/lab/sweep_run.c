// The runs of a sweep: one on a thread, in memory unless its file is to be kept, and all of them into the table.

#include "lab/sweep.h"

#include "base/paths.h"
#include "base/system.h"
#include "lab/measure_column.h"
#include "lab/workers.h"
#include "store/runner.h"
#include "store/target.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

// What a run answers.
typedef struct answer {
    rico_status status;
    double value[RICO_SWEEP_MEASURES];
    char note[RICO_SWEEP_NOTE];
    rico_points_cell points; // the cell takes them over
} answer;


// --- one run -------------------------------------------------------------------------------------------------

// DIR/cell-N.h5, and while it is written DIR/cell-N.PID.h5: a result that is kept takes the place of one that an earlier
// sweep has kept, and of nothing else.
static rico_status cell_path(rico_context *ctx, const rico_sweep *sweep, int64_t cell, bool draft, char **out)
{
    char name[96];
    if (draft)
        snprintf(name, sizeof name, "cell-%lld.%ld.h5", (long long)cell, (long)getpid());
    else
        snprintf(name, sizeof name, "cell-%lld.h5", (long long)cell);
    return rico_path_join(ctx, sweep->order->dir, name, out);
}


static rico_status take_measures(rico_context *ctx, const rico_sweep *sweep, rico_columns *columns,
                                 answer *out)
{
    rico_status status = RICO_OK;
    for (int i = 0; status == RICO_OK && i < sweep->grid.measure_count; i++) {
        const rico_sweep_measure *measure = &sweep->grid.measure[i];
        int64_t rows = 0, times = 0;
        double *y = NULL, *t = NULL;
        status = rico_columns_read(columns, measure->column, &rows, &y);
        if (status == RICO_OK)
            status = rico_columns_read(columns, rico_columns_time_of(columns, measure->column), &times, &t);
        if (status == RICO_OK)
            out->value[i] =
                rico_measure_take(measure->take, rows < times ? rows : times, t, y, -INFINITY, INFINITY);
        rico_free(ctx, y);
        rico_free(ctx, t);
    }
    return status;
}


const char **rico_sweep_overrides(rico_context *ctx, const rico_sweep *sweep, int64_t cell, rico_swept swept,
                                  int64_t *count)
{
    const rico_sweep_grid *grid = &sweep->grid;
    int64_t place[RICO_SWEEP_AXES], fixed = sweep->order->set_count;
    *count = fixed + grid->axis_count + sweep->points.override_count;
    const char **overrides = rico_alloc(ctx, *count, sizeof *overrides);
    if (!overrides) return NULL;
    rico_sweep_place(grid, cell, place);
    for (int64_t i = 0; i < fixed; i++) overrides[i] = sweep->order->set[i];
    for (int i = 0; i < grid->axis_count; i++) {
        snprintf(swept[i], sizeof swept[i], "%s=%s", grid->axis[i].name, grid->axis[i].text[place[i]]);
        overrides[fixed + i] = swept[i];
    }
    for (int i = 0; i < sweep->points.override_count; i++)
        overrides[fixed + grid->axis_count + i] = sweep->points.override[i];
    return overrides;
}


// Runs a cell, into a file where a path is given, and opens the columns of its result.
static rico_status run_cell(rico_context *ctx, const rico_sweep *sweep, int64_t cell, const char *path,
                            bool only_start, rico_columns **out)
{
    rico_swept swept;
    rico_results *results = NULL;
    rico_runner_options options = rico_runner_defaults();
    options.overrides = rico_sweep_overrides(ctx, sweep, cell, swept, &options.override_count);
    if (!options.overrides) return RICO_NO_MEMORY;
    options.scene = sweep->order->scene;
    options.output = path;
    options.results = path ? NULL : &results;
    options.overwrite = true;
    options.only_start = only_start;
    rico_runner_result result;
    rico_status status = rico_runner_run(ctx, &options, &result);
    rico_free(ctx, (void *)options.overrides);
    if (status == RICO_OK)
        return path ? rico_columns_open(ctx, path, out) : rico_columns_take(ctx, results, out);
    rico_results_destroy(results);
    return status;
}


static rico_status take_all(rico_context *ctx, const rico_sweep *sweep, rico_columns *columns, answer *out)
{
    rico_status status = take_measures(ctx, sweep, columns, out);
    if (status == RICO_OK && sweep->points.column_count > 0)
        status = rico_points_take(ctx, &sweep->points, columns, &out->points);
    return status;
}


static rico_status keep_result(rico_context *ctx, const char *path, const char *kept)
{
    rico_status status = rico_target_check(ctx, kept, RICO_TARGET_RESULT, NULL, NULL);
    if (status == RICO_OK && rename(path, kept) != 0)
        status = rico_fail(ctx, RICO_IO_ERROR, "%s: %s", kept, rico_system_words(errno));
    return status;
}


static void work(void *user, rico_context *ctx, int64_t piece, void *place)
{
    const rico_sweep *sweep = user;
    answer *out = place;
    char *path = NULL, *kept = NULL;
    int64_t cell = sweep->cell[piece];
    rico_columns *columns = NULL;
    if (sweep->order->keep) {
        out->status = cell_path(ctx, sweep, cell, true, &path);
        if (out->status == RICO_OK) out->status = cell_path(ctx, sweep, cell, false, &kept);
    }
    if (out->status == RICO_OK) out->status = run_cell(ctx, sweep, cell, path, false, &columns);
    if (out->status == RICO_OK) out->status = take_all(ctx, sweep, columns, out);
    rico_columns_destroy(columns);
    if (out->status == RICO_OK && path) out->status = keep_result(ctx, path, kept);
    if (out->status != RICO_OK) snprintf(out->note, sizeof out->note, "%s", rico_message(ctx));
    if (path) unlink(path);
    rico_free(ctx, path);
    rico_free(ctx, kept);
}


rico_status rico_sweep_check_columns(const rico_sweep *sweep)
{
    answer first = {0};
    rico_columns *columns = NULL;
    rico_status status = run_cell(sweep->ctx, sweep, 0, NULL, true, &columns);
    if (status == RICO_OK) status = take_all(sweep->ctx, sweep, columns, &first);
    rico_columns_destroy(columns);
    rico_free(sweep->ctx, first.points.value);
    return status;
}


// --- all of them ---------------------------------------------------------------------------------------------

static rico_status push(rico_context *ctx, FILE *file, const char *path)
{
    if (fflush(file) == 0 && !ferror(file)) return RICO_OK;
    return rico_fail(ctx, RICO_IO_ERROR, "%s: cannot be written: %s", path, rico_system_words(errno));
}


// Points go to their table before the row of the run does: whatever comes between the two, they are there.
static rico_status write_points(rico_sweep *sweep, int64_t index, answer *got)
{
    if (sweep->points.column_count == 0) return RICO_OK;
    rico_points_put(&sweep->points, index, &got->points);
    rico_points_write(&sweep->points, index, sweep->dots);
    return push(sweep->ctx, sweep->dots, sweep->cloud);
}


static rico_status write_row(rico_sweep *sweep, int64_t index, answer *got)
{
    rico_status status =
        sweep->grid.cell[index].end == RICO_SWEEP_DONE ? write_points(sweep, index, got) : RICO_OK;
    if (status != RICO_OK) return status;
    rico_sweep_write_row(&sweep->grid, index, sweep->rows);
    return push(sweep->ctx, sweep->rows, sweep->table);
}


static rico_status ended(void *user, int64_t piece, void *place, const rico_work_end *end)
{
    rico_sweep *sweep = user;
    answer *got = place;
    int64_t index = sweep->cell[piece];
    rico_sweep_cell *cell = &sweep->grid.cell[index];
    bool cut = got->status == RICO_INTERRUPTED;
    rico_status status = RICO_OK;
    if (!(cut && end->stopped &&
          !end->late)) { // one that Ctrl-C ended says nothing: it is run again another time
        cell->end = got->status == RICO_OK ? RICO_SWEEP_DONE
                    : cut && end->late     ? RICO_SWEEP_TIMEOUT
                                           : RICO_SWEEP_FAILED;
        memcpy(cell->value, got->value, sizeof cell->value);
        memcpy(cell->note, got->note, sizeof cell->note);
        if (cell->end == RICO_SWEEP_TIMEOUT)
            snprintf(cell->note, sizeof cell->note, "stopped after %g s", sweep->order->time_limit);
        status = write_row(sweep, index, got);
        sweep->ended++;
        if (sweep->order->progress) sweep->order->progress(sweep->order->user, sweep->ended, sweep->missing);
    }
    rico_free(sweep->ctx, got->points.value);
    return status;
}


static rico_status open_table(rico_context *ctx, const char *path, FILE **out)
{
    *out = fopen(path, "a");
    if (*out) return RICO_OK;
    return rico_fail(ctx, RICO_IO_ERROR, "%s: cannot be written: %s", path, rico_system_words(errno));
}


rico_status rico_sweep_run_cells(rico_sweep *sweep)
{
    rico_context *ctx = sweep->ctx;
    sweep->cell = rico_alloc(ctx, sweep->grid.count, sizeof *sweep->cell);
    if (!sweep->cell) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < sweep->grid.count; i++)
        if (sweep->grid.cell[i].end == RICO_SWEEP_MISSING) sweep->cell[sweep->missing++] = i;
    rico_status status = open_table(ctx, sweep->table, &sweep->rows);
    if (status == RICO_OK && sweep->points.column_count > 0)
        status = open_table(ctx, sweep->cloud, &sweep->dots);
    const rico_workers workers = {.ctx = ctx,
                                  .threads = sweep->order->threads,
                                  .count = sweep->missing,
                                  .seconds = sweep->order->time_limit,
                                  .answer = sizeof(answer),
                                  .user = sweep,
                                  .work = work,
                                  .ended = ended};
    if (status == RICO_OK) status = rico_workers_run(&workers);
    if (sweep->rows) fclose(sweep->rows);
    if (sweep->dots) fclose(sweep->dots);
    sweep->rows = sweep->dots = NULL;
    return status;
}
