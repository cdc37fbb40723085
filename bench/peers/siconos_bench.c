// Siconos' numerics and our default solver side by side, on every problem of a collection.
//
// Every solver of theirs and ours runs on a problem before the next problem comes, all in processes of their own
// and by the same loop as `rico bench`: whatever disturbs the machine disturbs both. The results go to
// DIR/results.csv, from which a run goes on where it was ended; the comparison to DIR/comparison.md.

#include "app/app.h"
#include "base/paths.h"
#include "compare.h"
#include "lab/bench_run.h"
#include "lab/choose.h"
#include "ricochet/fclib.h"
#include "siconos_solve.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

// A machine this many times overbooked still gives every cell its time.
static const double BUSY_FACTOR = 8.0;

typedef struct peers_settings {
    const char *solver, *output, *theirs;
    double tol, time_limit;
    int64_t repeat;
    bool quiet;
} peers_settings;

static const rico_cli_option OPTIONS[] = {
    {.name = "solver",
     .value = "NAME",
     .help = "ours",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(peers_settings, solver)},
    {.name = "theirs",
     .value = "LIST",
     .help = "which of Siconos' solvers, separated by commas, with whatever follows an '@'; 'all' for all",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(peers_settings, theirs)},
    {.name = "tol",
     .value = "X",
     .help = "solved means a relative residual of at most X",
     .kind = RICO_CLI_REAL,
     .field = offsetof(peers_settings, tol),
     .low = 0.0,
     .high = 1.0},
    {.name = "time-limit",
     .value = "S",
     .help = "seconds for each cell",
     .kind = RICO_CLI_REAL,
     .field = offsetof(peers_settings, time_limit),
     .low = 1e-3,
     .high = 1e4},
    {.name = "repeat",
     .value = "N",
     .help = "run short cells until they sum up to 20 ms, at most N times, and keep the best time",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(peers_settings, repeat),
     .low = 1,
     .high = 1e6},
    {.name = "output",
     .value = "DIR",
     .help = "folder of the results; what it holds already is not run again",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(peers_settings, output)},
    {.name = "quiet",
     .help = "show no progress, even on a terminal",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(peers_settings, quiet)},
    {0},
};

// All that a run holds. The solvers of the table are theirs, in the order of their table, then ours twice.
typedef struct peers {
    rico_app *app;
    const peers_settings *settings;
    rico_collection problems;
    rico_contest contest;
    rico_contenders ours;
    int64_t their_count;
    const peer_solver **theirs;
    peer_team *team;
    double *condensation;
    rico_bench_table table;
    rico_bench_file file;
} peers;


// ---- in the child ----

// W and q of a global problem as a problem that never had another form.
static rico_status condense(rico_context *ctx, rico_problem *problem, rico_problem **out)
{
    int64_t count = rico_problem_block_count(problem);
    rico_block *blocks = rico_alloc(ctx, count, sizeof *blocks);
    if (blocks == NULL) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < count; i++) blocks[i] = rico_problem_block(problem, i);
    rico_sparse_view W;
    rico_status status = rico_problem_delassus(problem, &W);
    if (status == RICO_OK) {
        status =
            rico_problem_create_reduced(ctx, count, blocks, &W, rico_problem_free_velocity(problem), out);
        rico_sparse_release(ctx, &W);
    }
    rico_free(ctx, blocks);
    return status;
}


// One cell: a solver of theirs, or ours.
static void measure(void *user, void *answer)
{
    const rico_bench_task *task = user;
    const peers *job = task->user;
    rico_context *ctx = job->app->ctx;
    rico_measure *result = answer;
    peer_team team = job->team[task->solver];
    rico_problem *problem = task->problem;
    if (team == PEER_THEIRS_CONDENSED || team == PEER_OURS_CONDENSED) {
        result->status = condense(ctx, task->problem, &problem);
        if (result->status != RICO_OK) {
            snprintf(result->note, sizeof result->note, "%s", rico_message(ctx));
            return;
        }
    }
    if (task->solver < job->their_count) {
        peer_task theirs = {.ctx = ctx,
                            .solver = job->theirs[task->solver],
                            .problem = problem,
                            .tol = job->settings->tol,
                            .time_limit = job->settings->time_limit,
                            .most_runs = job->settings->repeat};
        peer_measure(&theirs, answer);
    } else {
        rico_measure_task ours = {.ctx = ctx,
                                  .contender = &job->ours.item[0],
                                  .contest = &job->contest,
                                  .problem = problem,
                                  .most_runs = job->settings->repeat,
                                  .busy_limit = job->settings->time_limit};
        rico_measure_solver(&ours, answer);
    }
}


// ---- before and after ----

// Is a name, up to its '@', in the list?
static bool is_chosen(const char *list, const char *name)
{
    if (strcmp(list, "all") == 0) return true;
    size_t length = strcspn(name, "@");
    for (const char *at = list;; at++) {
        size_t word = strcspn(at, ",");
        if (word == length && strncmp(at, name, length) == 0) return true;
        at += word;
        if (*at == '\0') return false;
    }
}


static rico_status list_solvers(peers *job)
{
    rico_context *ctx = job->app->ctx;
    int total = 0;
    while (peer_solver_at(total) != NULL) total++;
    job->theirs = rico_alloc(ctx, total, sizeof *job->theirs);
    job->team = rico_alloc(ctx, total + 2, sizeof *job->team);
    job->table.labels = rico_alloc(ctx, total + 2, sizeof *job->table.labels);
    if (job->theirs == NULL || job->team == NULL || job->table.labels == NULL) return RICO_NO_MEMORY;
    for (int i = 0; i < total; i++) {
        const peer_solver *solver = peer_solver_at(i);
        if (!is_chosen(job->settings->theirs, solver->name)) continue;
        job->team[job->their_count] = solver->form == PEER_CONDENSED ? PEER_THEIRS_CONDENSED : PEER_THEIRS;
        job->table.labels[job->their_count] = solver->name;
        job->theirs[job->their_count++] = solver;
    }
    if (job->their_count == 0)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "none of Siconos' solvers is named by '%s'",
                         job->settings->theirs);
    job->team[job->their_count] = PEER_OURS;
    job->table.labels[job->their_count] = "rico";
    job->team[job->their_count + 1] = PEER_OURS_CONDENSED;
    job->table.labels[job->their_count + 1] = "rico@cond";
    job->table.solvers = job->their_count + 2;
    return RICO_OK;
}


// ---- how long forming W and q takes ----

typedef struct reduction {
    rico_context *ctx;
    rico_problem *given, *copy;
} reduction;

static rico_status reduction_prepare(void *user)
{
    reduction *run = user;
    return rico_problem_copy_data(run->ctx, run->given, &run->copy);
}


static rico_status reduction_run(void *user, bool *again)
{
    reduction *run = user;
    *again = true;
    return rico_problem_reduce(run->copy);
}


static void reduction_discard(void *user)
{
    reduction *run = user;
    rico_problem_destroy(run->copy);
    run->copy = NULL;
}


// By our own function, and counted in favour of Siconos: its own takes longer.
static rico_status time_reduction(rico_context *ctx, rico_problem *problem, int64_t most_runs,
                                  double *seconds)
{
    reduction run = {.ctx = ctx, .given = problem};
    rico_trial trial = {reduction_prepare, reduction_run, reduction_discard, &run};
    rico_timing timing;
    rico_status status = rico_time_trial(&trial, most_runs, &timing);
    *seconds = timing.wall;
    return status;
}


// ---- the run ----

// Marks the cells of a problem that nobody can run, and times its condensation.
static rico_status look_at(peers *job, int64_t index)
{
    rico_context *ctx = job->app->ctx;
    rico_fclib *data = NULL;
    rico_status status = rico_fclib_read(ctx, job->problems.item[index].file, &data);
    if (status != RICO_OK) return status;
    peer_kind kind = peer_kind_of(data->problem);
    for (int64_t s = 0; s < job->table.solvers; s++) {
        rico_bench_cell *cell = rico_bench_at(&job->table, index, s);
        bool takes = s < job->their_count ? peer_solver_takes(job->theirs[s], &kind)
                                          : kind.global || job->team[s] == PEER_OURS;
        cell->contacts = kind.contacts;
        if (!takes) cell->outcome = RICO_OUTCOME_UNSUPPORTED;
    }
    if (kind.global)
        status = time_reduction(ctx, data->problem, job->settings->repeat, &job->condensation[index]);
    rico_fclib_destroy(ctx, data);
    return status;
}


static rico_status prepare(peers *job, const rico_cli_words *paths)
{
    rico_context *ctx = job->app->ctx;
    const peers_settings *settings = job->settings;
    if (settings->output == NULL) return rico_fail(ctx, RICO_BAD_ARGUMENT, "option '--output' is missing");
    job->contest = (rico_contest){.tol = settings->tol, .time_limit = BUSY_FACTOR * settings->time_limit};
    rico_status status = rico_contenders_read(ctx, settings->solver, &job->contest, &job->ours);
    if (status == RICO_OK && job->ours.count != 1)
        status = rico_fail(ctx, RICO_BAD_ARGUMENT, "one solver of ours, got '%s'", settings->solver);
    if (status == RICO_OK) status = list_solvers(job);
    if (status == RICO_OK) status = rico_collection_gather(ctx, paths->count, paths->item, &job->problems);
    if (status != RICO_OK) return status;

    job->table.problems = &job->problems;
    job->table.tol = settings->tol;
    job->table.time_limit = settings->time_limit;
    job->table.options = settings->solver;
    job->table.clock = RICO_CLOCK_LEAST;
    job->table.cell = rico_alloc(ctx, job->problems.count * job->table.solvers, sizeof *job->table.cell);
    job->condensation = rico_alloc(ctx, job->problems.count, sizeof *job->condensation);
    if (job->table.cell == NULL || job->condensation == NULL) return RICO_NO_MEMORY;
    for (int64_t p = 0; status == RICO_OK && p < job->problems.count; p++) status = look_at(job, p);

    int64_t found;
    if (status == RICO_OK) status = rico_path_make_folder(ctx, settings->output);
    if (status == RICO_OK)
        status = rico_bench_file_resume(ctx, settings->output, &job->table, &found, &job->file);
    return status;
}


static void write_processor(FILE *out)
{
    FILE *info = fopen("/proc/cpuinfo", "r");
    char line[256];
    while (info != NULL && fgets(line, sizeof line, info) != NULL) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || colon == NULL) continue;
        line[strcspn(line, "\n")] = '\0';
        fprintf(out, "%s, ", colon + 2);
        break;
    }
    if (info != NULL) fclose(info);
}


static void write_head(const peers *job, FILE *out)
{
    char day[32] = "";
    time_t now = time(NULL);
    strftime(day, sizeof day, "%Y-%m-%d", localtime(&now));
    struct utsname machine = {0};
    uname(&machine);
    fprintf(out,
            "# Siconos and Ricochet side by side, %s\n\n"
            "Printed by `make bench-peers` (bench/peers/siconos_solve.c tells the protocol,\n"
            "docs/guide/benchmarks.md how to read it) on ",
            day);
    write_processor(out);
    fprintf(out, "%s %s.\nSiconos " SICONOS_VERSION ", Ricochet %s with the solver `%s`.\n\n",
            machine.sysname, machine.machine, rico_version(), job->settings->solver);
    fprintf(
        out,
        "Solved: relative residual at most %g, within %g seconds. Seconds: the lesser of wall and processor\n"
        "time, one thread, cold start, problem in memory. Siconos: the fastest in hindsight of all its\n"
        "solvers; \"solve it\" says how many of those that were run do. The time limit stands in for a\n"
        "problem that is not solved. `@cond`: a global problem, given as W and q to both.\n\n",
        job->settings->tol, job->settings->time_limit);
}


static rico_status report(const peers *job)
{
    rico_context *ctx = job->app->ctx;
    peer_comparison comparison = {.table = &job->table, .team = job->team, .condensation = job->condensation};
    char *path;
    rico_status status = rico_path_join(ctx, job->settings->output, "comparison.md", &path);
    if (status != RICO_OK) return status;
    FILE *out = fopen(path, "w");
    if (out == NULL) {
        status = rico_fail(ctx, RICO_IO_ERROR, "cannot write '%s': %s", path, strerror(errno));
    } else {
        write_head(job, out);
        peer_compare(&comparison, out);
        fclose(out);
        peer_compare(&comparison, job->app->out);
        fprintf(job->app->out, "\nkept in %s\n", path);
    }
    rico_free(ctx, path);
    return status;
}


static void release(peers *job)
{
    rico_context *ctx = job->app->ctx;
    rico_bench_file_close(ctx, &job->file);
    rico_contenders_release(ctx, &job->ours);
    rico_collection_release(ctx, &job->problems);
    rico_free(ctx, job->table.cell);
    rico_free(ctx, job->table.labels);
    rico_free(ctx, job->theirs);
    rico_free(ctx, job->team);
    rico_free(ctx, job->condensation);
}


static int run(rico_app *app, int argc, char **argv);

static const rico_command COMMAND = {
    .name = "siconos_bench",
    .operands = "DIR|FILE... --output DIR [options]",
    .summary = "compare Siconos' solvers with ours",
    .text =
        "Runs every solver of Siconos' numerics and ours on every problem, problem by problem, and prints\n"
        "the fastest of theirs beside ours. A run that was ended goes on from the results in --output.",
    .example = "  siconos_bench problems --output out/peers",
    .options = OPTIONS,
    .run = run,
};


static int run(rico_app *app, int argc, char **argv)
{
    peers_settings settings = {
        .solver = rico_default_solver(), .theirs = "all", .tol = 1e-8, .time_limit = 4.0, .repeat = 100};
    rico_cli_words paths;
    int code;
    if (!rico_app_parse(app, &COMMAND, argc, argv, &settings, &paths, &code)) return code;

    peers job = {.app = app, .settings = &settings};
    rico_status status = prepare(&job, &paths);
    if (status == RICO_OK) {
        // the ladder of tolerances takes several runs; each ends by itself at the limit of processor time
        rico_bench_run cells = {
            .ctx = app->ctx,
            .out = app->out,
            .err = app->err,
            .heard = rico_app_heard,
            .unread = rico_app_note,
            .owner = app,
            .table = &job.table,
            .file = &job.file,
            .work = measure,
            .user = &job,
            .limits = {.wall_seconds = 10.0 * BUSY_FACTOR * settings.time_limit + 10.0, .memory = 4000000000},
            .jobs = 1,
            .print_cells = !settings.quiet && !isatty(STDOUT_FILENO),
            .quiet = settings.quiet};
        status = rico_bench_run_cells(&cells);
        code = rico_exit_worst(code, app->worst);
        if (status == RICO_OK) status = report(&job);
    }
    if (status != RICO_OK) code = rico_exit_worst(code, rico_app_complain(app, &COMMAND, status));
    release(&job);
    rico_cli_release(app->ctx, OPTIONS, &settings, &paths);
    return code;
}


int main(int argc, char **argv)
{
    // one thread for both: OpenBLAS reads this when it is loaded, so that the program starts itself anew
    if (getenv("OPENBLAS_NUM_THREADS") == NULL) {
        setenv("OPENBLAS_NUM_THREADS", "1", 1);
        setenv("OMP_NUM_THREADS", "1", 1);
        execvp(argv[0], argv);
    }
    rico_app app = {.ctx = rico_context_create(NULL), .out = stdout, .err = stderr};
    if (app.ctx == NULL) return RICO_EXIT_SYSTEM;
    int code = run(&app, argc - 1, argv + 1);
    rico_context_destroy(app.ctx);
    return code;
}
