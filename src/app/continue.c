// rico continue: branches of periodic orbits of a scene over a parameter.

#include "app/app.h"
#include "app/orbit_options.h"
#include "base/paths.h"
#include "base/system.h"
#include "base/table.h"
#include "lab/branch.h"
#include "store/target.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

enum { EXCERPT = 512 };

typedef struct continue_settings {
    rico_orbit_words where;
    const char *over, *measure, *output, *figure, *csv;
    double from, to, resolution;
    int64_t points, doublings, brute, jobs;
    int way;
    bool keep_sequence, resume, overwrite, quiet;
} continue_settings;

enum { WAY_BOTH, WAY_UP, WAY_DOWN };
static const char *const WAYS[] = {"both", "up", "down", NULL};

static const rico_cli_option OPTIONS[] = {
    {.name = "over",
     .value = "PARAMETER",
     .help = "the parameter of the scene that changes along the branch, or, of a conservative one, period",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(continue_settings, over)},
    {.name = "from",
     .value = "X",
     .help = "the lower end of its range",
     .kind = RICO_CLI_REAL,
     .field = offsetof(continue_settings, from),
     .low = -1e300,
     .high = 1e300},
    {.name = "to",
     .value = "X",
     .help = "the upper end of its range",
     .kind = RICO_CLI_REAL,
     .field = offsetof(continue_settings, to),
     .low = -1e300,
     .high = 1e300},
    {.name = "way",
     .help = "from the orbit of the scene upwards, downwards or both",
     .kind = RICO_CLI_CHOICE,
     .field = offsetof(continue_settings, way),
     .choices = WAYS},
    RICO_ORBIT_OPTIONS(continue_settings, where),
    {.name = "doublings",
     .value = "N",
     .help = "follow orbits of twice the period where they begin, and those of twice that, N times",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(continue_settings, doublings),
     .low = 0,
     .high = 5},
    {.name = "simulate",
     .value = "N",
     .help = "simulate the scene at N values of the range too, and draw what it settles to",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(continue_settings, brute),
     .low = 0,
     .high = 100000},
    {.name = "jobs",
     .value = "N",
     .help = "simulations at a time; 0 is one for each core",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(continue_settings, jobs),
     .low = 0,
     .high = 256},
    {.name = "measure",
     .value = "NAME",
     .help = "the position or velocity that is drawn; the first position unless told otherwise",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(continue_settings, measure)},
    {.name = "resolution",
     .value = "X",
     .help = "points of a branch differ by that share of the range at most",
     .kind = RICO_CLI_REAL,
     .field = offsetof(continue_settings, resolution),
     .low = 1e-6,
     .high = 1.0},
    {.name = "points",
     .value = "N",
     .help = "points of each branch at most",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(continue_settings, points),
     .low = 2,
     .high = 1000000},
    {.name = "keep-sequence",
     .help = "end where the sequence of events changes instead of going on with another one",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(continue_settings, keep_sequence)},
    {.name = "output",
     .value = "FILE.h5",
     .help = "the points; the scene's name with -branch.h5 in this folder unless told otherwise",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(continue_settings, output)},
    {.name = "overwrite",
     .help = "replace a file of points that is there; no other file is ever replaced",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(continue_settings, overwrite)},
    {.name = "resume",
     .help = "go on with branches that were stopped",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(continue_settings, resume)},
    {.name = "figure",
     .value = "FIGURE",
     .help = "draw branches, special points and the largest multiplier: a file .svg, .png or .pdf",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(continue_settings, figure)},
    {.name = "csv",
     .value = "FILE",
     .help = "write the points as a table too",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(continue_settings, csv)},
    {.name = "quiet",
     .help = "show no progress",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(continue_settings, quiet)},
    {0},
};

typedef struct watcher {
    rico_app *app;
    bool progress;
    int64_t branch, points;
} watcher;


static bool watch(void *user, const rico_branch_point *point, const char *note)
{
    watcher *self = user;
    FILE *out = self->app->out;
    if (self->progress) fprintf(self->app->err, "\r\033[K");
    if (point->branch != self->branch) {
        self->branch = point->branch;
        self->points = 0;
    }
    self->points++;
    if (point->kind != RICO_POINT_ORDINARY) {
        fprintf(out, "%6lld  %-16s %14.10g %14.10g %12.6g  ", (long long)point->branch + 1,
                rico_orbit_point_name((rico_orbit_point)point->kind), point->value, point->period,
                point->growth);
        rico_print_plain(out, note);
        fprintf(out, "\n");
    }
    if (self->progress) {
        fprintf(self->app->err, "branch %lld, point %lld at %.6g", (long long)point->branch + 1,
                (long long)self->points, point->value);
        fflush(self->app->err);
    }
    return rico_app_flush(self->app);
}


// NAME-branch.h5 of SCENE.yaml.
static rico_status default_output(rico_context *ctx, const char *scene, char **out)
{
    return rico_path_with_ending(ctx, scene, "-branch.h5", out);
}


static rico_status check(rico_context *ctx, const continue_settings *settings, const rico_cli_words *scenes)
{
    if (scenes->count != 1)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "one SCENE is needed, got %lld", (long long)scenes->count);
    if (!settings->over) return rico_fail(ctx, RICO_BAD_ARGUMENT, "over which parameter? --over is needed");
    if (isnan(settings->from) || isnan(settings->to) || !(settings->to > settings->from))
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "--from and --to are needed, the lower and the upper end of the range");
    if (strcmp(settings->over, "period") == 0 && !settings->where.conservative)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "--over period is for scenes that keep their energy: --conservative");
    if (settings->resume && settings->overwrite)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "option '--overwrite' begins anew: it does not go with '--resume'");
    rico_status status = RICO_OK;
    if (settings->figure) status = rico_target_check(ctx, settings->figure, RICO_TARGET_PICTURE, NULL, NULL);
    if (status == RICO_OK && settings->csv)
        status = rico_target_check(ctx, settings->csv, RICO_TARGET_TABLE, NULL, NULL);
    return status;
}


static rico_branch_order make_order(const continue_settings *settings, const char *scene, const char *output)
{
    bool period = strcmp(settings->over, "period") == 0;
    rico_branch_order order = {
        .where = rico_orbit_words_order(&settings->where, scene, period ? NULL : settings->over),
        .low = settings->from,
        .high = settings->to,
        .resolution = settings->resolution,
        .points = settings->points,
        .doublings = settings->doublings,
        .keep_sequence = settings->keep_sequence,
        .up_only = settings->way == WAY_UP,
        .down_only = settings->way == WAY_DOWN,
        .measure = settings->measure,
        .output = output,
        .resume = settings->resume,
        .overwrite = settings->overwrite};
    order.where.over_period = period;
    return order;
}


// Endings, and what was written where.
static void print_end(rico_app *app, const rico_branches *branches, const rico_branch_order *order)
{
    fprintf(app->out, "\n");
    for (int64_t b = 0; b < branches->branches; b++) {
        int64_t points = 0, stable = 0;
        for (int64_t i = 0; i < branches->count; i++)
            if (branches->point[i].branch == b) {
                points++;
                stable += branches->point[i].stable;
            }
        fprintf(app->out, "branch %lld: %lld points, %lld of them stable; ", (long long)b + 1,
                (long long)points, (long long)stable);
        rico_print_plain(app->out, branches->ending[b]);
        fprintf(app->out, "\n");
    }
    if (branches->count == 0) return;
    fprintf(app->out, "%lld points are in ", (long long)branches->count);
    rico_print_plain(app->out, order->output);
    fprintf(app->out, branches->stopped ? "; --resume goes on from there\n" : "\n");
}


static rico_status draw(rico_app *app, const continue_settings *settings, const rico_branches *branches,
                        const rico_branch_order *order)
{
    rico_brute brute = {.ctx = app->ctx};
    rico_sheet sheet = {.ctx = app->ctx};
    rico_status status = RICO_OK;
    if (settings->csv) {
        status = rico_branches_sheet(branches, &sheet);
        if (status == RICO_OK) status = rico_sheet_write_csv(&sheet, settings->csv);
        rico_sheet_release(&sheet);
    }
    bool simulated = status == RICO_OK && settings->brute > 0 && !order->where.over_period;
    int threads = settings->jobs > 0 ? (int)settings->jobs : rico_system_cores();
    if (simulated) status = rico_brute_run(app->ctx, branches, order, settings->brute, threads, &brute);
    if (status == RICO_OK && brute.failed > 0) {
        fprintf(app->out, "%lld of %lld simulations failed: ", (long long)brute.failed,
                (long long)settings->brute);
        rico_print_plain(app->out, brute.note);
        fprintf(app->out, "\n");
    }
    if (status == RICO_OK && settings->figure)
        status = rico_branches_draw(branches, &brute, order, settings->figure);
    rico_brute_release(&brute);
    return status;
}


static rico_status follow(rico_app *app, const continue_settings *settings, const char *scene,
                          const char *output, char *excerpt, int *code)
{
    rico_branches branches;
    watcher seen = {.app = app, .progress = !settings->quiet && isatty(fileno(app->err)), .branch = -1};
    rico_branch_order order = make_order(settings, scene, output);
    order.where.excerpt = excerpt;
    order.where.excerpt_size = EXCERPT;
    order.watch = watch;
    order.user = &seen;
    fprintf(app->out, "branch  point                     value         period     growth\n");
    rico_status status = rico_branches_follow(app->ctx, &order, &branches);
    if (seen.progress) fprintf(app->err, "\r\033[K");
    if (branches.count > 0) {
        // what failed is told before anything else is asked for
        if (status != RICO_OK && status != RICO_INTERRUPTED)
            *code = rico_app_complain(app, &rico_command_continue, status);
        print_end(app, &branches, &order);
        rico_status drawn = branches.stopped ? RICO_OK : draw(app, settings, &branches, &order);
        if (status != RICO_OK && status != RICO_INTERRUPTED) {
            if (*code == RICO_EXIT_BAD_INPUT) *code = RICO_EXIT_UNSOLVED;
            status = RICO_OK;
        } else if (branches.stopped) {
            *code = RICO_EXIT_INTERRUPTED;
            status = RICO_OK;
        } else {
            status = drawn;
        }
    }
    rico_branches_release(&branches);
    return status;
}


static int run(rico_app *app, int argc, char **argv)
{
    const rico_command *self = &rico_command_continue;
    continue_settings settings = {
        .where = {.settle = NAN, .pieces = 1}, .from = NAN, .to = NAN, .resolution = 0.02, .points = 1000};
    rico_cli_words scenes;
    char excerpt[EXCERPT] = "", *output = NULL;
    int code;
    if (!rico_app_parse(app, self, argc, argv, &settings, &scenes, &code)) return code;
    rico_status status = check(app->ctx, &settings, &scenes);
    bool asked = status == RICO_OK;
    if (status == RICO_OK && !settings.output) status = default_output(app->ctx, scenes.item[0], &output);
    if (status == RICO_OK)
        status = follow(app, &settings, scenes.item[0], settings.output ? settings.output : output, excerpt,
                        &code);
    if (status != RICO_OK) {
        code = rico_app_complain(app, self, status);
        if (asked && (status == RICO_UNSUPPORTED || status == RICO_SINGULAR)) code = RICO_EXIT_UNSOLVED;
        if (excerpt[0]) fprintf(app->err, "%s\n", excerpt);
    }
    rico_free(app->ctx, output);
    rico_cli_release(app->ctx, self->options, &settings, &scenes);
    return code;
}


const rico_command rico_command_continue = {
    .name = "continue",
    .operands = "SCENE.yaml --over PARAMETER --from X --to X [options]",
    .summary = "branches of periodic orbits of a scene over a parameter",
    .text =
        "Finds a periodic orbit as 'rico orbit' does and follows it over a parameter of the scene, through "
        "folds\n"
        "and unstable parts, to both sides. Folds, period doublings, tori and changes of the sequence of "
        "events\n"
        "(an impact that comes or goes by grazing, a stick that becomes a slip) are located and named; the "
        "branch goes\n"
        "on with the new sequence where there is one. Points go to an HDF5 file as they are found: whatever "
        "stops the\n"
        "work, they are there, and --resume goes on. --simulate lays beside them what simulations settle to.",
    .example = "  rico continue examples/impact-oscillator/oscillator.yaml --over omega --period 2*pi/omega "
               "--from 2.3 --to 2.8 --resolution 0.1",
    .options = OPTIONS,
    .run = run,
};
