// rico sweep: a scene over a grid of parameters.

#include "lab/sweep.h"
#include "app/app.h"
#include "base/paths.h"
#include "base/system.h"
#include "base/table.h"
#include "lab/measure_column.h"

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
     .help = "runs at a time, each on a thread; 0 is one for each core",
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

// How far it has come, on a terminal.
typedef struct watcher {
    FILE *out;
    bool on, visible;
} watcher;


static void show_progress(void *user, int64_t ended, int64_t missing)
{
    watcher *self = user;
    if (!self->on) return;
    fprintf(self->out, "\r\033[K%lld of %lld runs", (long long)ended, (long long)missing);
    fflush(self->out);
    self->visible = true;
}


static void print_path(FILE *out, const char *before, const char *path)
{
    if (!path) return;
    fprintf(out, "%s", before);
    rico_print_plain(out, path);
}


// The first few runs that gave no numbers, and why.
static void print_failures(FILE *out, const rico_sweep_grid *grid)
{
    int64_t shown = 0;
    for (int64_t i = 0; i < grid->count && shown < 5; i++) {
        const rico_sweep_cell *cell = &grid->cell[i];
        int64_t place[RICO_SWEEP_AXES];
        if (cell->end <= RICO_SWEEP_DONE) continue;
        rico_sweep_place(grid, i, place);
        for (int k = 0; k < grid->axis_count; k++)
            fprintf(out, "%s%s=%s", k ? " " : "  ", grid->axis[k].name, grid->axis[k].text[place[k]]);
        fprintf(out, ": %s: ", rico_sweep_end_name(cell->end));
        rico_print_plain(out, cell->note);
        fprintf(out, "\n");
        shown++;
    }
}


static void print_summary(FILE *out, const rico_sweep *sweep)
{
    const rico_sweep_grid *grid = &sweep->grid;
    int64_t counts[RICO_SWEEP_CRASHED + 1] = {0};
    for (int64_t i = 0; i < grid->count; i++) counts[grid->cell[i].end]++;
    fprintf(out, "%lld runs now, %lld before", (long long)sweep->ended,
            (long long)(grid->count - sweep->missing));
    for (int e = RICO_SWEEP_DONE; e <= RICO_SWEEP_CRASHED; e++)
        if (counts[e] > 0)
            fprintf(out, "%s%lld %s", e == RICO_SWEEP_DONE ? ": " : ", ", (long long)counts[e],
                    rico_sweep_end_name((rico_sweep_end)e));
    if (counts[RICO_SWEEP_MISSING] > 0) fprintf(out, ", %lld not run", (long long)counts[RICO_SWEEP_MISSING]);
    fprintf(out, "\n");
    print_failures(out, grid);
    print_path(out, "written to ", sweep->table);
    print_path(out, ", ", sweep->figure);
    print_path(out, ", ", sweep->points.column_count > 0 ? sweep->cloud : NULL);
    print_path(out, ", ", sweep->cloud_figure);
    fprintf(out, "\n");
}


// Runs that gave no numbers, by whatever end, are more than a line in the table: whoever calls must notice.
static int judge(rico_app *app, const rico_sweep *sweep)
{
    int64_t failed = 0;
    for (int64_t i = 0; i < sweep->grid.count; i++) failed += sweep->grid.cell[i].end > RICO_SWEEP_DONE;
    if (failed == 0) return RICO_EXIT_DONE;
    fprintf(app->err, "rico sweep: %lld of %lld runs did not come to their end; '%s' says why\n",
            (long long)failed, (long long)sweep->grid.count, sweep->table);
    return RICO_EXIT_UNSOLVED;
}


static int sweep_scene(rico_app *app, const sweep_settings *settings, const char *scene, const char *dir)
{
    watcher watch = {.out = app->err, .on = !settings->quiet && isatty(fileno(app->err))};
    const rico_sweep_order order = {
        .scene = scene,
        .dir = dir,
        .over_count = settings->over.count,
        .over = settings->over.item,
        .measure_count = settings->measure.count,
        .measure = settings->measure.item,
        .point_count = settings->points.count,
        .points = settings->points.item,
        .set_count = settings->set.count,
        .set = settings->set.item,
        .section = settings->section,
        .after = settings->after,
        .threads = settings->jobs > 0 ? (int)settings->jobs : rico_system_cores(),
        .time_limit = settings->time_limit,
        .keep = settings->keep,
        .figures = !settings->no_figure,
        .progress = show_progress,
        .user = &watch,
    };
    rico_sweep sweep;
    rico_status status = rico_sweep_run(app->ctx, &order, &sweep);
    if (watch.visible) fprintf(app->err, "\r\033[K");
    if (status == RICO_OK) print_summary(app->out, &sweep);
    int code = status == RICO_OK ? judge(app, &sweep) : rico_app_complain(app, &rico_command_sweep, status);
    rico_sweep_close(&sweep);
    return code;
}


static int run(rico_app *app, int argc, char **argv)
{
    const rico_command *self = &rico_command_sweep;
    sweep_settings settings = {.time_limit = 86400.0};
    rico_cli_words scenes;
    int code;
    if (!rico_app_parse(app, self, argc, argv, &settings, &scenes, &code)) return code;

    char *output = NULL;
    rico_status status = RICO_OK;
    if (scenes.count != 1)
        status =
            rico_fail(app->ctx, RICO_BAD_ARGUMENT, "one SCENE is needed, got %lld", (long long)scenes.count);
    if (status == RICO_OK) status = rico_path_with_ending(app->ctx, scenes.item[0], "-sweep", &output);
    code = status == RICO_OK
               ? sweep_scene(app, &settings, scenes.item[0], settings.output ? settings.output : output)
               : rico_app_complain(app, self, status);
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
        "Runs the scene for every combination of the values, several runs at a time: one that fails costs "
        "its\n"
        "own cell and says so in its row. Writes DIR/sweep.csv with the measures of every cell, and draws "
        "them;\n"
        "the table is the same however many run at a time. Given again, the command runs the cells that are\n"
        "not there yet. Ends with 1 when a run failed or was stopped.",
    .print_more = print_takes,
    .example =
        "  rico sweep stick.yaml --over mu=0:0.5:6 --measure energy:last --measure total.tangential:last\n"
        "  rico sweep stick.yaml --over mu=log:0.01:1:5 --over e=0,0.5,1 --measure events.t:rows --output "
        "grid\n"
        "  rico sweep ball.yaml --over e=0.5:0.9:5 --points v_z --section impacts --output bounces",
    .options = OPTIONS,
    .run = run,
};
