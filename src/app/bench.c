// rico bench: every chosen solver on every problem, each in a process of its own.

#include "app/app.h"
#include "base/paths.h"
#include "base/table.h"
#include "lab/bench_report.h"
#include "lab/bench_run.h"
#include "lab/choose.h"
#include "store/target.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

typedef struct bench_settings {
    const char *solvers, *output;
    double tol, time_limit;
    int64_t jobs, repeat, memory_limit;
    int clock;
    rico_cli_words set;
    bool flops, resume, profiles_per_set, campaign, cells, json, quiet;
} bench_settings;

// A machine this many times overbooked still gives every cell its time.
static const double BUSY_FACTOR = 8.0;

enum { MEMORY_LEAST = 256 }; // megabytes

static const char *const CLOCKS[] = {"wall", "cpu", "least", NULL};

static const rico_cli_option OPTIONS[] = {
    {.name = "solvers",
     .value = "LIST",
     .help = "solvers to compare, separated by commas, or 'all'; NAME:OPTION=VALUE:... sets options of one",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(bench_settings, solvers)},
    {.name = "tol",
     .value = "X",
     .help = "solved means a relative residual of at most X",
     .kind = RICO_CLI_REAL,
     .field = offsetof(bench_settings, tol),
     .low = 0.0,
     .high = 1.0},
    {.name = "time-limit",
     .value = "S",
     .help = "seconds for each cell, setup and solve together",
     .kind = RICO_CLI_REAL,
     .field = offsetof(bench_settings, time_limit),
     .low = 1e-3,
     .high = 1e6},
    {.name = "memory-limit",
     .value = "MB",
     .help = "megabytes of memory for each cell, at least 256; 0 is no limit",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(bench_settings, memory_limit),
     .low = 0,
     .high = 1e9},
    {.name = "set",
     .value = "OPTION=VALUE",
     .help = "an option for all solvers; may be repeated",
     .kind = RICO_CLI_LIST,
     .field = offsetof(bench_settings, set)},
    {.name = "repeat",
     .value = "N",
     .help = "run short cells until they sum up to 20 ms, at most N times, and keep the best time",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(bench_settings, repeat),
     .low = 1,
     .high = 1e6},
    {.name = "clock",
     .help =
         "seconds of the wall clock, of the processor, or the lesser: neither waiting nor threads count then",
     .kind = RICO_CLI_CHOICE,
     .field = offsetof(bench_settings, clock),
     .choices = CLOCKS},
    {.name = "flops",
     .help = "count floating-point operations too, and compare solvers by them; an error on machines whose "
             "processor does not count them",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(bench_settings, flops)},
    {.name = "jobs",
     .value = "N",
     .help = "cells at a time; more than 1 disturbs the times",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(bench_settings, jobs),
     .low = 1,
     .high = 256},
    {.name = "output",
     .value = "DIR",
     .help = "write results.csv, results.json and the performance profiles into the folder DIR",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(bench_settings, output)},
    {.name = "resume",
     .help = "keep the cells that DIR/results.csv holds already, and run the others",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(bench_settings, resume)},
    {.name = "campaign",
     .help =
         "print table 6 of Acary, Bremond and Huber 2018 too: the fastest of each set, per contact; and the "
         "residuals that each solver reaches within the limit",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(bench_settings, campaign)},
    {.name = "profiles-per-set",
     .help = "draw a performance profile by time for every set too",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(bench_settings, profiles_per_set)},
    {.name = "cells",
     .help = "print a line for every cell as it ends",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(bench_settings, cells)},
    {.name = "json",
     .help = "print one JSON document instead of tables",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(bench_settings, json)},
    {.name = "quiet",
     .help = "show no progress, even on a terminal",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(bench_settings, quiet)},
    {0},
};

// All that a benchmark holds while it runs.
typedef struct bench {
    rico_app *app;
    const bench_settings *settings;
    rico_collection problems;
    rico_contest contest;
    rico_contenders contenders;
    rico_bench_table table;
    rico_bench_file file;
    char *options;
    int64_t found; // cells taken over from an earlier run
} bench;


// The words of --set in one line, as the results keep them.
static rico_status join_options(rico_context *ctx, const rico_cli_words *words, char **out)
{
    size_t size = 1;
    for (int64_t i = 0; i < words->count; i++) size += strlen(words->item[i]) + 1;
    *out = rico_alloc(ctx, (int64_t)size, 1);
    if (*out == NULL) return RICO_NO_MEMORY;
    size_t used = 0;
    for (int64_t i = 0; i < words->count; i++)
        used += (size_t)snprintf(*out + used, size - used, "%s%s", i > 0 ? ":" : "", words->item[i]);
    return RICO_OK;
}


static rico_status make_table(bench *job)
{
    rico_context *ctx = job->app->ctx;
    rico_bench_table *table = &job->table;
    *table = (rico_bench_table){
        .problems = &job->problems,
        .solvers = job->contenders.count,
        .tol = job->settings->tol,
        .time_limit = job->settings->time_limit,
        .options = job->options,
        .clock = (rico_bench_clock)job->settings->clock,
        .flops = job->settings->flops,
    };
    table->labels = rico_alloc(ctx, table->solvers, sizeof *table->labels);
    table->cell = rico_alloc(ctx, job->problems.count * table->solvers, sizeof *table->cell);
    if (table->labels == NULL || table->cell == NULL) return RICO_NO_MEMORY;
    for (int64_t s = 0; s < table->solvers; s++) table->labels[s] = job->contenders.item[s].label;
    return RICO_OK;
}


// Whether this machine counts floating-point operations; each cell opens counters of its own.
static rico_status try_flops(rico_context *ctx)
{
    rico_flops_source machine = rico_flops_machine();
    rico_flops flops;
    rico_status status = rico_flops_open(ctx, &machine, &flops);
    rico_flops_close(&flops);
    return status;
}


// Checks everything first and touches the folder of the output last, so that bad usage leaves no trace.
static rico_status prepare(bench *job, const rico_cli_words *paths)
{
    rico_context *ctx = job->app->ctx;
    const bench_settings *settings = job->settings;
    if (paths->count == 0) return rico_fail(ctx, RICO_BAD_ARGUMENT, "no DIR or FILE given to bench");
    if (settings->output == NULL && (settings->resume || settings->profiles_per_set))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "option '--%s' needs '--output'",
                         settings->resume ? "resume" : "profiles-per-set");

    // OpenBLAS maps a buffer of over a hundred, and tries for ever when it cannot
    if (settings->memory_limit > 0 && settings->memory_limit < MEMORY_LEAST)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "option '--memory-limit' must be 0 or at least %d, got %lld",
                         MEMORY_LEAST, (long long)settings->memory_limit);

    // a solver's own limit is on the wall clock; by another clock it only has to end some time
    double wall_limit = settings->time_limit * (settings->clock == RICO_CLOCK_WALL ? 1.0 : BUSY_FACTOR);
    job->contest = (rico_contest){.tol = settings->tol,
                                  .time_limit = wall_limit,
                                  .option_count = settings->set.count,
                                  .options = settings->set.item};
    rico_status status = rico_contenders_read(ctx, settings->solvers, &job->contest, &job->contenders);
    if (status == RICO_OK) status = join_options(ctx, &settings->set, &job->options);
    if (status == RICO_OK) status = rico_collection_gather(ctx, paths->count, paths->item, &job->problems);
    if (status == RICO_OK && settings->flops) status = try_flops(ctx);
    if (status == RICO_OK) status = make_table(job);
    if (status != RICO_OK || settings->output == NULL) return status;

    status = rico_path_make_folder(ctx, settings->output);
    if (status != RICO_OK) return status;
    return settings->resume
               ? rico_bench_file_resume(ctx, settings->output, &job->table, &job->found, &job->file)
               : rico_bench_file_create(ctx, settings->output, &job->file);
}


static rico_cell_limits choose_limits(const bench *job)
{
    // a solver ends by itself at its limit; one that does not gets as much again, and time to measure anew
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    double wall = 2.0 * job->contest.time_limit + 10.0;
    return (rico_cell_limits){.wall_seconds = wall,
                              .cpu_seconds = wall * (double)(processors > 0 ? processors : 1),
                              .memory = job->settings->memory_limit * 1000000};
}


// In the child: one cell.
static void measure(void *user, void *answer)
{
    const rico_bench_task *task = user;
    const bench *job = task->user;
    bool by_wall = job->settings->clock == RICO_CLOCK_WALL;
    rico_measure_task cell = {.ctx = job->app->ctx,
                              .contender = &job->contenders.item[task->solver],
                              .contest = &job->contest,
                              .problem = task->problem,
                              .most_runs = job->settings->repeat,
                              .busy_limit = by_wall ? 0.0 : job->settings->time_limit,
                              .flops = job->settings->flops};
    rico_measure_solver(&cell, answer);
}


static rico_status write_json_file(bench *job, bool interrupted)
{
    rico_context *ctx = job->app->ctx;
    char *path;
    rico_status status = rico_path_join(ctx, job->settings->output, "results.json", &path);
    if (status != RICO_OK) return status;
    rico_target target;
    status = rico_target_open(ctx, path, RICO_TARGET_JSON, &target);
    if (status == RICO_OK) status = rico_bench_write_json(ctx, &job->table, interrupted, target.out);
    status = rico_target_close(&target, status);
    rico_free(ctx, path);
    return status;
}


static rico_status report(bench *job)
{
    rico_app *app = job->app;
    const bench_settings *settings = job->settings;
    bool interrupted = rico_context_interrupted(app->ctx);
    rico_status status = RICO_OK;
    if (settings->output != NULL) {
        status = write_json_file(job, interrupted);
        if (status == RICO_OK)
            status = rico_bench_draw(app->ctx, &job->table, settings->profiles_per_set, settings->output);
    }
    if (status == RICO_OK && settings->json)
        status = rico_bench_write_json(app->ctx, &job->table, interrupted, app->out);
    else if (status == RICO_OK)
        status = rico_bench_print(app->ctx, &job->table, app->out);
    if (status == RICO_OK && settings->campaign && !settings->json)
        status = rico_bench_print_campaign(app->ctx, &job->table, app->out);
    if (status == RICO_OK && !settings->json && settings->output != NULL) {
        fprintf(app->out, "results%s in ", interrupted ? " so far" : "");
        rico_print_plain(app->out, settings->output);
        fprintf(app->out, "%s\n", interrupted ? "; '--resume' goes on from here" : "");
    }
    return status;
}


static void release(bench *job)
{
    rico_context *ctx = job->app->ctx;
    rico_free(ctx, job->table.labels);
    rico_free(ctx, job->table.cell);
    rico_free(ctx, job->options);
    rico_contenders_release(ctx, &job->contenders);
    rico_collection_release(ctx, &job->problems);
}


static int run(rico_app *app, int argc, char **argv)
{
    const rico_command *self = &rico_command_bench;
    bench_settings settings = {.solvers = rico_default_solver(),
                               .tol = 1e-8,
                               .time_limit = 4.0,
                               .jobs = 1,
                               .repeat = 100,
                               .clock = RICO_CLOCK_LEAST,
                               .memory_limit = 4096};
    rico_cli_words paths;
    int code;
    if (!rico_app_parse(app, self, argc, argv, &settings, &paths, &code)) return code;

    bench job = {.app = app, .settings = &settings};
    rico_status status = prepare(&job, &paths);
    if (status == RICO_OK) {
        rico_bench_run run_of = {.ctx = app->ctx,
                                 .out = app->out,
                                 .err = app->err,
                                 .heard = rico_app_heard,
                                 .unread = rico_app_note,
                                 .owner = app,
                                 .table = &job.table,
                                 .file = &job.file,
                                 .work = measure,
                                 .user = &job,
                                 .limits = choose_limits(&job),
                                 .jobs = (int)settings.jobs,
                                 .print_cells = settings.cells && !settings.json,
                                 .quiet = settings.quiet};
        status = rico_bench_run_cells(&run_of);
        code = rico_exit_worst(code, app->worst);
        rico_status reported = report(&job);
        if (status == RICO_OK) status = reported;
    }
    rico_status closed = rico_bench_file_close(app->ctx, &job.file);
    if (status == RICO_OK) status = closed;
    if (status != RICO_OK) code = rico_exit_worst(code, rico_app_complain(app, self, status));
    release(&job);
    rico_cli_release(app->ctx, self->options, &settings, &paths);
    return code;
}


const rico_command rico_command_bench = {
    .name = "bench",
    .operands = "DIR|FILE... [options]",
    .summary = "compare solvers on a collection of problems",
    .text = "Runs every solver on every problem, each in a process of its own, so that one that crashes or\n"
            "hangs costs one cell of the table. Seconds are those of setup and solve together, from zero,\n"
            "with the problem in memory. Whether a cell is solved is decided by a residual computed anew.\n"
            "Prints how many each solver solves in every set (the folder that a file lies in).",
    .example = "  rico bench heaps --solvers nsgs,nsgs:order=shuffled --time-limit 2 --output compared",
    .options = OPTIONS,
    .run = run,
};
