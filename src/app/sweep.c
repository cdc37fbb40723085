// rico sweep: a scene over a grid of parameters, every run in a process of its own.

#include "app/app.h"
#include "base/file.h"
#include "base/paths.h"
#include "base/replace_file.h"
#include "base/table.h"
#include "base/text.h"
#include "lab/measure_column.h"
#include "lab/pool.h"
#include "lab/sweep_draw.h"
#include "lab/sweep_points.h"
#include "store/columns.h"
#include "store/origin.h"
#include "store/runner.h"
#include "store/target.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

typedef struct sweep_settings {
    rico_cli_words over, measure, set, points;
    const char *output, *section, *after;
    int64_t jobs;
    double time_limit;
    bool keep, quiet, no_figure;
} sweep_settings;

static const rico_cli_option OPTIONS[] = {
    {.name = "over",
     .value = "NAME=VALUES",
     .help =
         "a parameter, or a key such as scheme, and its values: a:b:n evenly, log:a:b:n by even factors, or "
         "a,b,c; may be repeated",
     .kind = RICO_CLI_LIST,
     .field = offsetof(sweep_settings, over)},
    {.name = "measure",
     .value = "COLUMN:TAKE",
     .help = "a number to keep of every run; may be repeated; energy:last without it",
     .kind = RICO_CLI_LIST,
     .field = offsetof(sweep_settings, measure)},
    {.name = "points",
     .value = "COLUMN",
     .help =
         "keep this column wherever the motion meets the --section, in DIR/points.csv, and draw it over the "
         "parameter: a bifurcation diagram; may be repeated",
     .kind = RICO_CLI_LIST,
     .field = offsetof(sweep_settings, points)},
    {.name = "section",
     .value = "WHERE",
     .help = "every:PERIOD (a formula of the parameters, as 2*pi/omega), up:COLUMN or down:COLUMN (where it "
             "passes "
             "zero), or impacts (the last row before each)",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(sweep_settings, section)},
    {.name = "after",
     .value = "T",
     .help = "leave points before the time T out; may be a formula of the parameters",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(sweep_settings, after)},
    {.name = "set",
     .value = "NAME=VALUE",
     .help = "a parameter for all runs; may be repeated",
     .kind = RICO_CLI_LIST,
     .field = offsetof(sweep_settings, set)},
    {.name = "output",
     .value = "DIR",
     .help = "the folder of the table and the figure; SCENE-sweep in this folder unless told otherwise",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(sweep_settings, output)},
    {.name = "jobs",
     .value = "N",
     .help = "runs at a time; 0 is one for each core",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(sweep_settings, jobs),
     .low = 0,
     .high = 1024},
    {.name = "time-limit",
     .value = "S",
     .help = "seconds for each run",
     .kind = RICO_CLI_REAL,
     .field = offsetof(sweep_settings, time_limit),
     .low = 0.001,
     .high = 1e9},
    {.name = "keep",
     .help = "keep the result files, as DIR/cell-N.h5",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(sweep_settings, keep)},
    {.name = "no-figure",
     .help = "write the table alone",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(sweep_settings, no_figure)},
    {.name = "quiet",
     .help = "show no progress",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(sweep_settings, quiet)},
    {0},
};

// What a run sends back.
typedef struct answer {
    rico_status status;
    double value[RICO_SWEEP_MEASURES];
    char note[RICO_SWEEP_NOTE];
} answer;

typedef struct sweep sweep;

typedef struct task {
    sweep *all;
    int64_t cell;
    pid_t process;
} task;

struct sweep {
    rico_app *app;
    const sweep_settings *settings;
    const char *scene, *dir;
    rico_sweep_grid grid;
    rico_sweep_points points;
    char *table, *note, *cloud; // paths: of the table; of what the sweep is of; of the points
    FILE *rows, *dots;          // the tables, open at their ends
    task *tasks;                // by slot
    int64_t next, ended, missing;
    bool interrupted, shows, visible;
};


// --- one run, in its own process -----------------------------------------------------------------------------

// DIR/cell-N.h5, and while it is written DIR/cell-N.PID.h5, its points DIR/cell-N.PID.points: should we be killed, our processes may still be at work when
// the next sweep begins.
static rico_status cell_path(const sweep *all, int64_t cell, pid_t process, const char *ending, char **out)
{
    char name[96];
    if (process > 0)
        snprintf(name, sizeof name, "cell-%lld.%ld.%s", (long long)cell, (long)process, ending);
    else
        snprintf(name, sizeof name, "cell-%lld.h5", (long long)cell);
    return rico_path_join(all->app->ctx, all->dir, name, out);
}


static rico_status take_measures(const sweep *all, const char *path, answer *out)
{
    rico_context *ctx = all->app->ctx;
    rico_columns *columns = NULL;
    rico_status status = rico_columns_open(ctx, path, &columns);
    for (int i = 0; status == RICO_OK && i < all->grid.measure_count; i++) {
        const rico_sweep_measure *measure = &all->grid.measure[i];
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
    rico_columns_destroy(columns);
    return status;
}


static int64_t override_count(const sweep *all)
{
    return all->settings->set.count + all->grid.axis_count + all->points.override_count;
}


// The settings of a cell, those of all runs first, what points need last; NULL without memory. `swept` is where the texts of its own lie.
static const char **overrides_of(const sweep *all, int64_t cell,
                                 char swept[RICO_SWEEP_AXES][2 * RICO_SWEEP_NAME + 1])
{
    const rico_sweep_grid *grid = &all->grid;
    int64_t place[RICO_SWEEP_AXES], fixed = all->settings->set.count;
    const char **overrides = rico_alloc(all->app->ctx, override_count(all), sizeof *overrides);
    if (!overrides) return NULL;
    rico_sweep_place(grid, cell, place);
    for (int64_t i = 0; i < fixed; i++) overrides[i] = all->settings->set.item[i];
    for (int i = 0; i < grid->axis_count; i++) {
        snprintf(swept[i], sizeof swept[i], "%s=%s", grid->axis[i].name, grid->axis[i].text[place[i]]);
        overrides[fixed + i] = swept[i];
    }
    for (int i = 0; i < all->points.override_count; i++)
        overrides[fixed + grid->axis_count + i] = all->points.override[i];
    return overrides;
}


static rico_status run_cell(const sweep *all, int64_t cell, const char *path, bool only_start, answer *out)
{
    rico_context *ctx = all->app->ctx;
    char swept[RICO_SWEEP_AXES][2 * RICO_SWEEP_NAME + 1];
    const char **overrides = overrides_of(all, cell, swept);
    if (!overrides) return RICO_NO_MEMORY;
    rico_runner_options options = rico_runner_defaults();
    options.scene = all->scene;
    options.override_count = override_count(all);
    options.overrides = overrides;
    options.output = path;
    options.overwrite = true;
    options.only_start = only_start;
    rico_runner_result result;
    rico_status status = rico_runner_run(ctx, &options, &result);
    rico_free(ctx, overrides);
    return status == RICO_OK ? take_measures(all, path, out) : status;
}


static rico_status take_points(const sweep *all, int64_t cell, const char *result)
{
    rico_context *ctx = all->app->ctx;
    rico_points_cell points = {0};
    char *path = NULL;
    if (all->points.column_count == 0) return RICO_OK;
    rico_status status = rico_points_take(&all->points, result, &points);
    if (status == RICO_OK) status = cell_path(all, cell, getpid(), "points", &path);
    if (status == RICO_OK) status = rico_points_send(&all->points, path, &points);
    rico_free(ctx, points.value);
    rico_free(ctx, path);
    return status;
}


// A result that is kept takes the place of one that an earlier sweep has kept, and of nothing else.
static rico_status keep_result(const sweep *all, const char *path, const char *kept)
{
    rico_status status = rico_target_check(all->app->ctx, kept, RICO_TARGET_RESULT, NULL, NULL);
    if (status == RICO_OK && rename(path, kept) != 0)
        status = rico_fail(all->app->ctx, RICO_IO_ERROR, "%s: %s", kept, strerror(errno));
    return status;
}


static void work(void *user, void *place)
{
    const task *own = user;
    const sweep *all = own->all;
    answer *out = place;
    char *path = NULL, *kept = NULL;
    out->status = cell_path(all, own->cell, getpid(), "h5", &path);
    if (out->status == RICO_OK) out->status = cell_path(all, own->cell, 0, "h5", &kept);
    if (out->status == RICO_OK) out->status = run_cell(all, own->cell, path, false, out);
    if (out->status == RICO_OK) out->status = take_points(all, own->cell, path);
    if (out->status == RICO_OK && all->settings->keep) out->status = keep_result(all, path, kept);
    if (out->status != RICO_OK) snprintf(out->note, sizeof out->note, "%s", rico_message(all->app->ctx));
    if (path) unlink(path);
    rico_free(all->app->ctx, path);
    rico_free(all->app->ctx, kept);
}


// --- all of them ---------------------------------------------------------------------------------------------

static void show_progress(sweep *all)
{
    if (!all->shows) return;
    fprintf(all->app->err, "\r\033[K%lld of %lld runs", (long long)all->ended, (long long)all->missing);
    fflush(all->app->err);
    all->visible = true;
}


static rico_status next(void *user, int slot, void **out, size_t *size, bool *any)
{
    sweep *all = user;
    while (all->next < all->grid.count && all->grid.cell[all->next].end != RICO_SWEEP_MISSING) all->next++;
    *any = all->next < all->grid.count;
    if (!*any) return RICO_OK;
    all->tasks[slot] = (task){.all = all, .cell = all->next++};
    *out = &all->tasks[slot];
    *size = sizeof(answer);
    return RICO_OK;
}


static void begun(void *user, int slot, const rico_cell *cell)
{
    ((sweep *)user)->tasks[slot].process = cell->process;
}


// A process that was killed could not clean up behind itself.
static void remove_draft(const sweep *all, task *own)
{
    static const char *const ENDINGS[] = {"h5", "points"};
    for (int i = 0; i < 2 && own->process > 0; i++) {
        char *path = NULL;
        if (cell_path(all, own->cell, own->process, ENDINGS[i], &path) == RICO_OK) unlink(path);
        rico_free(all->app->ctx, path);
    }
    own->process = 0;
}


// Points go to their table before the row of the run does: whatever comes between the two, they are there.
static rico_status receive_points(sweep *all, const task *own)
{
    char *path = NULL;
    if (all->points.column_count == 0) return RICO_OK;
    rico_status status = cell_path(all, own->cell, own->process, "points", &path);
    if (status == RICO_OK) status = rico_points_receive(&all->points, path, own->cell);
    rico_free(all->app->ctx, path);
    if (status != RICO_OK) return status;
    rico_points_write(&all->points, own->cell, all->dots);
    if (fflush(all->dots) == 0 && !ferror(all->dots)) return RICO_OK;
    return rico_fail(all->app->ctx, RICO_IO_ERROR, "%s: cannot be written: %s", all->cloud, strerror(errno));
}


static rico_status ended(void *user, int slot, const rico_cell *process)
{
    sweep *all = user;
    int64_t index = all->tasks[slot].cell;
    rico_sweep_cell *cell = &all->grid.cell[index];
    const answer *got = (const answer *)(const void *)process->answer;
    switch (process->end) {
    case RICO_CELL_DONE:
        cell->end = got->status == RICO_OK ? RICO_SWEEP_DONE : RICO_SWEEP_FAILED;
        memcpy(cell->value, got->value, sizeof cell->value);
        memcpy(cell->note, got->note, sizeof cell->note);
        break;
    case RICO_CELL_TIMEOUT:
        cell->end = RICO_SWEEP_TIMEOUT;
        snprintf(cell->note, sizeof cell->note, "stopped after %g s", all->settings->time_limit);
        break;
    case RICO_CELL_CRASHED:
        cell->end = RICO_SWEEP_CRASHED;
        snprintf(cell->note, sizeof cell->note, "%s", process->reason);
        break;
    default:
        all->interrupted = true;
        return RICO_OK;
    }
    rico_status status = cell->end == RICO_SWEEP_DONE ? receive_points(all, &all->tasks[slot]) : RICO_OK;
    remove_draft(all, &all->tasks[slot]);
    if (status != RICO_OK) return status;
    rico_sweep_write_row(&all->grid, index, all->rows);
    if (fflush(all->rows) != 0 || ferror(all->rows))
        return rico_fail(all->app->ctx, RICO_IO_ERROR, "%s: cannot be written: %s", all->table,
                         strerror(errno));
    all->ended++;
    show_progress(all);
    return RICO_OK;
}


static bool stop(void *user)
{
    return ((sweep *)user)->interrupted;
}


static rico_status run_cells(sweep *all)
{
    rico_context *ctx = all->app->ctx;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int64_t jobs = all->settings->jobs > 0 ? all->settings->jobs : cores > 0 ? cores : 1;
    for (int64_t i = 0; i < all->grid.count; i++) all->missing += all->grid.cell[i].end == RICO_SWEEP_MISSING;
    all->shows = !all->settings->quiet && isatty(fileno(all->app->err));
    all->tasks = rico_alloc(ctx, jobs, sizeof *all->tasks);
    if (!all->tasks) return RICO_NO_MEMORY;
    all->rows = fopen(all->table, "a");
    if (all->rows && all->points.column_count > 0) all->dots = fopen(all->cloud, "a");
    if (!all->rows || (all->points.column_count > 0 && !all->dots)) {
        if (all->rows) fclose(all->rows);
        return rico_fail(ctx, RICO_IO_ERROR, "%s: cannot be written: %s", all->rows ? all->cloud : all->table,
                         strerror(errno));
    }
    const rico_pool pool = {.ctx = ctx,
                            .jobs = (int)jobs,
                            .limits = {.wall_seconds = all->settings->time_limit},
                            .work = work,
                            .user = all,
                            .next = next,
                            .begun = begun,
                            .ended = ended,
                            .stop = stop};
    rico_status status = rico_pool_run(&pool);
    for (int64_t i = 0; i < jobs; i++) remove_draft(all, &all->tasks[i]); // of runs that an interrupt ended
    fclose(all->rows);
    if (all->dots) fclose(all->dots);
    if (all->visible) fprintf(all->app->err, "\r\033[K");
    if (all->interrupted) rico_context_interrupt(ctx);
    return status;
}


// All that the runs have in common, as text: the scene, settings, points, other files, the program.
static rico_status describe(const sweep *all, rico_text *out)
{
    rico_context *ctx = all->app->ctx;
    char *text = NULL, swept[RICO_SWEEP_AXES][2 * RICO_SWEEP_NAME + 1];
    size_t length;
    rico_scene *scene = NULL;
    const char **overrides = overrides_of(all, 0, swept);
    if (!overrides) return RICO_NO_MEMORY;
    // a mistake in the scene or a name would cost every cell: the first one's scene is read before anything runs
    rico_status status = rico_scene_load(ctx, all->scene, override_count(all), overrides, NULL, 0, &scene);
    if (status == RICO_OK) status = rico_file_load(ctx, all->scene, &text, &length);
    if (status == RICO_OK) {
        rico_text_add(out, "%s%s", text, length > 0 && text[length - 1] != '\n' ? "\n" : "");
        for (int64_t i = 0; i < all->settings->set.count; i++)
            rico_text_add(out, "# --set %s\n", all->settings->set.item[i]);
        if (all->points.column_count > 0)
            rico_text_add(out, "# --section %s --after %s\n", all->settings->section, all->points.after);
        rico_text files = {.ctx = ctx};
        rico_origin_list_files(scene, &files);
        for (const char *at = files.data; at && *at; at += strcspn(at, "\n") + 1)
            rico_text_add(out, "# file %.*s\n", (int)strcspn(at, "\n"), at);
        rico_text_add(out, "# rico %s\n", rico_version());
        status = files.status != RICO_OK ? files.status : out->status;
        rico_free(ctx, files.data);
    }
    rico_scene_destroy(scene);
    rico_free(ctx, text);
    rico_free(ctx, overrides);
    return status;
}


// The description stands beside the table: a sweep can only be resumed if it is the same.
static rico_status check_same(const sweep *all, const char *now)
{
    rico_context *ctx = all->app->ctx;
    char *held = NULL, line_held[RICO_ORIGIN_LINE], line_now[RICO_ORIGIN_LINE];
    size_t size;
    bool described = access(all->note, F_OK) == 0;
    if (!described && access(all->table, F_OK) == 0)
        return rico_fail(ctx, RICO_BAD_INPUT,
                         "'%s' is there without '%s', which says what it is of; choose another --output",
                         all->table, all->note);
    if (!described) return rico_replace_file(ctx, all->note, now, (int64_t)strlen(now));
    rico_status status = rico_file_load(ctx, all->note, &held, &size);
    int64_t line = status == RICO_OK ? rico_origin_compare(held, now, line_held, line_now) : 0;
    rico_free(ctx, held);
    if (line == 0) return status;
    return rico_fail(
        ctx, RICO_BAD_INPUT,
        "'%s' holds a sweep of another scene or with other settings: line %lld of '%s' is '%s', and '%s' "
        "now; choose another --output",
        all->dir, (long long)line, all->note, line_held, line_now);
}


// A name that no run has would cost every run: the first one's columns are asked for before anything runs.
static rico_status check_columns(const sweep *all)
{
    rico_context *ctx = all->app->ctx;
    char *path = NULL;
    answer first;
    rico_points_cell points = {0};
    rico_status status = cell_path(all, 0, getpid(), "h5", &path);
    if (status == RICO_OK) status = run_cell(all, 0, path, true, &first);
    if (status == RICO_OK && all->points.column_count > 0)
        status = rico_points_take(&all->points, path, &points);
    if (path) unlink(path);
    rico_free(ctx, path);
    rico_free(ctx, points.value);
    return status;
}


static rico_status prepare(sweep *all)
{
    const sweep_settings *settings = all->settings;
    rico_context *ctx = all->app->ctx;
    rico_status status = RICO_OK;
    if (settings->over.count == 0)
        status = rico_fail(ctx, RICO_BAD_ARGUMENT, "option '--over' is needed: what to sweep over");
    for (int64_t i = 0; status == RICO_OK && i < settings->over.count; i++)
        status = rico_sweep_add_axis(&all->grid, settings->over.item[i]);
    for (int64_t i = 0; status == RICO_OK && i < settings->measure.count; i++)
        status = rico_sweep_add_measure(&all->grid, settings->measure.item[i]);
    if (status == RICO_OK && settings->measure.count == 0 && settings->points.count == 0)
        status = rico_sweep_add_measure(&all->grid, "energy:last");
    if (status == RICO_OK) status = rico_sweep_make_cells(&all->grid);
    if (status == RICO_OK)
        status = rico_points_ask(&all->points, &all->grid, settings->points.count, settings->points.item,
                                 settings->section, settings->after);
    rico_text now = {.ctx = ctx};
    if (status == RICO_OK) status = describe(all, &now);
    bool there = rico_path_is_folder(all->dir);
    if (status == RICO_OK) status = rico_path_make_folder(ctx, all->dir);
    if (status == RICO_OK) status = rico_path_join(ctx, all->dir, "sweep.csv", &all->table);
    if (status == RICO_OK) status = rico_path_join(ctx, all->dir, "sweep.yaml", &all->note);
    if (status == RICO_OK) status = rico_path_join(ctx, all->dir, "points.csv", &all->cloud);
    if (status == RICO_OK) status = check_columns(all);
    if (status != RICO_OK && !there) rmdir(all->dir); // bad usage leaves no trace
    if (status == RICO_OK) status = check_same(all, now.data);
    if (status == RICO_OK) status = rico_sweep_load(&all->grid, all->table);
    if (status == RICO_OK) status = rico_sweep_save(&all->grid, all->table);
    if (status == RICO_OK && all->points.column_count > 0)
        status = rico_points_load(&all->points, all->cloud);
    if (status == RICO_OK && all->points.column_count > 0)
        status = rico_points_save(&all->points, all->cloud);
    rico_free(ctx, now.data);
    return status;
}


static void print_path(FILE *out, const char *before, const char *path)
{
    if (!path) return;
    fprintf(out, "%s", before);
    rico_print_plain(out, path);
}


static void print_summary(sweep *all, const char *figure, const char *cloud)
{
    FILE *out = all->app->out;
    int64_t counts[RICO_SWEEP_CRASHED + 1] = {0}, shown = 0;
    for (int64_t i = 0; i < all->grid.count; i++) counts[all->grid.cell[i].end]++;
    fprintf(out, "%lld runs now, %lld before", (long long)all->ended,
            (long long)(all->grid.count - all->missing));
    for (int e = RICO_SWEEP_DONE; e <= RICO_SWEEP_CRASHED; e++)
        if (counts[e] > 0)
            fprintf(out, "%s%lld %s", e == RICO_SWEEP_DONE ? ": " : ", ", (long long)counts[e],
                    rico_sweep_end_name((rico_sweep_end)e));
    if (counts[RICO_SWEEP_MISSING] > 0) fprintf(out, ", %lld not run", (long long)counts[RICO_SWEEP_MISSING]);
    fprintf(out, "\n");
    for (int64_t i = 0; i < all->grid.count && shown < 5; i++) {
        const rico_sweep_cell *cell = &all->grid.cell[i];
        int64_t place[RICO_SWEEP_AXES];
        if (cell->end <= RICO_SWEEP_DONE) continue;
        rico_sweep_place(&all->grid, i, place);
        for (int k = 0; k < all->grid.axis_count; k++)
            fprintf(out, "%s%s=%s", k ? " " : "  ", all->grid.axis[k].name, all->grid.axis[k].text[place[k]]);
        fprintf(out, ": %s: ", rico_sweep_end_name(cell->end));
        rico_print_plain(out, cell->note);
        fprintf(out, "\n");
        shown++;
    }
    print_path(out, "written to ", all->table);
    print_path(out, ", ", figure);
    print_path(out, ", ", all->points.column_count > 0 ? all->cloud : NULL);
    print_path(out, ", ", cloud);
    fprintf(out, "\n");
}


static rico_status draw(sweep *all, const char *name, bool dots, bool *drawn, char **path)
{
    rico_status status = rico_path_join(all->app->ctx, all->dir, name, path);
    if (status != RICO_OK || all->settings->no_figure || rico_context_interrupted(all->app->ctx))
        return status;
    return dots ? rico_points_draw(&all->points, *path, drawn) : rico_sweep_draw(&all->grid, *path, drawn);
}


static rico_status finish(sweep *all)
{
    rico_context *ctx = all->app->ctx;
    char *figure = NULL, *cloud = NULL;
    bool drawn = false, dotted = false, points = all->points.column_count > 0;
    rico_status status = rico_sweep_save(&all->grid, all->table); // in order now
    if (status == RICO_OK && points) status = rico_points_save(&all->points, all->cloud);
    if (status == RICO_OK && all->grid.measure_count > 0)
        status = draw(all, "sweep.svg", false, &drawn, &figure);
    if (status == RICO_OK && points) status = draw(all, "points.svg", true, &dotted, &cloud);
    if (status == RICO_OK) print_summary(all, drawn ? figure : NULL, dotted ? cloud : NULL);
    rico_free(ctx, figure);
    rico_free(ctx, cloud);
    return status;
}


// Runs that gave no numbers, by whatever end, are more than a line in the table: whoever calls must notice.
static int judge(const sweep *all)
{
    int64_t failed = 0;
    for (int64_t i = 0; i < all->grid.count; i++) failed += all->grid.cell[i].end > RICO_SWEEP_DONE;
    if (failed == 0) return RICO_EXIT_DONE;
    fprintf(all->app->err, "rico sweep: %lld of %lld runs did not come to their end; '%s' says why\n",
            (long long)failed, (long long)all->grid.count, all->table);
    return RICO_EXIT_UNSOLVED;
}


static int run(rico_app *app, int argc, char **argv)
{
    const rico_command *self = &rico_command_sweep;
    sweep_settings settings = {.time_limit = 86400.0};
    rico_cli_words scenes;
    int code;
    if (!rico_app_parse(app, self, argc, argv, &settings, &scenes, &code)) return code;

    char *output = NULL;
    sweep all = {.app = app, .settings = &settings, .grid = {.ctx = app->ctx}};
    rico_status status = RICO_OK;
    if (scenes.count != 1)
        status =
            rico_fail(app->ctx, RICO_BAD_ARGUMENT, "one SCENE is needed, got %lld", (long long)scenes.count);
    if (status == RICO_OK) status = rico_path_with_ending(app->ctx, scenes.item[0], "-sweep", &output);
    if (status == RICO_OK) {
        all.scene = scenes.item[0];
        all.dir = settings.output ? settings.output : output;
        status = prepare(&all);
    }
    if (status == RICO_OK) status = run_cells(&all);
    if (status == RICO_OK) status = finish(&all);
    code = status == RICO_OK ? judge(&all) : rico_app_complain(app, self, status);
    rico_points_release(&all.points);
    rico_sweep_release(&all.grid);
    rico_free(app->ctx, all.tasks);
    rico_free(app->ctx, all.table);
    rico_free(app->ctx, all.note);
    rico_free(app->ctx, all.cloud);
    rico_free(app->ctx, output);
    rico_cli_release(app->ctx, self->options, &settings, &scenes);
    return code;
}


static void print_takes(FILE *out)
{
    fprintf(out, "\nTAKE is one of");
    for (int i = 0; rico_measure_name(i); i++) fprintf(out, "%s %s", i ? "," : "", rico_measure_name(i));
    fprintf(out, ".\n");
}


const rico_command rico_command_sweep = {
    .name = "sweep",
    .operands = "SCENE.yaml --over NAME=VALUES [options]",
    .summary = "run a scene over a grid of parameters, on all cores",
    .text =
        "Runs the scene for every combination of the values, each run in a process of its own: one that "
        "fails\n"
        "or crashes costs its own cell and says so in its row. Writes DIR/sweep.csv with the measures of "
        "every\n"
        "cell, and draws them. Given again, the command runs the cells that are not there yet. Ends with 1\n"
        "when a run failed, crashed or was stopped.",
    .print_more = print_takes,
    .example =
        "  rico sweep stick.yaml --over mu=0:0.5:6 --measure energy:last --measure total.tangential:last\n"
        "  rico sweep stick.yaml --over mu=log:0.01:1:5 --over e=0,0.5,1 --measure events.t:rows --output "
        "grid\n"
        "  rico sweep ball.yaml --over e=0.5:0.9:5 --points v_z --section impacts --output bounces",
    .options = OPTIONS,
    .run = run,
};
