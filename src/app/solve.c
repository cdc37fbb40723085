// rico solve: reads FCLIB files, solves them one by one, says how it went, writes the solutions.

#include "app/app.h"
#include "app/history.h"
#include "app/solve_report.h"
#include "base/paths.h"
#include "lab/choose.h"
#include "lab/progress.h"
#include "ricochet/fclib.h"
#include "store/target.h"

#include <string.h>

typedef struct solve_settings {
    const char *solver, *tol, *max_iter, *time_limit;
    rico_cli_words set;
    const char *write, *history;
    double memory;
    int guess;
    bool json, quiet;
} solve_settings;

enum { GUESS_NONE, GUESS_FILE };
static const char *const GUESSES[] = {"none", "file", NULL};

// The limits are options of the solver under the same names: it checks them, so that there is one set of
// ranges.
static const rico_cli_option OPTIONS[] = {
    {.name = "solver",
     .value = "NAME",
     .help = "the method; 'rico solvers' lists them",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(solve_settings, solver)},
    {.name = "tol",
     .value = "X",
     .help = "solved means a relative residual of at most X",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(solve_settings, tol)},
    {.name = "max-iter",
     .value = "N",
     .help = "at most N iterations for each file",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(solve_settings, max_iter)},
    {.name = "time-limit",
     .value = "S",
     .help = "at most S seconds for each file; 0 is no limit",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(solve_settings, time_limit)},
    {.name = "set",
     .value = "OPTION=VALUE",
     .help = "an option of the solver, as 'rico solvers NAME' lists them; may be repeated",
     .kind = RICO_CLI_LIST,
     .field = offsetof(solve_settings, set)},
    {.name = "guess",
     .help = "start from zero, or from the first guess that the file holds",
     .kind = RICO_CLI_CHOICE,
     .field = offsetof(solve_settings, guess),
     .choices = GUESSES},
    {.name = "write",
     .value = "DIR",
     .help = "put a copy of each file, with the solution found, into the folder DIR",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(solve_settings, write)},
    {.name = "history",
     .value = "FILE.csv",
     .help = "write the residual at every check to FILE.csv",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(solve_settings, history)},
    RICO_MEMORY_OPTION(solve_settings, memory),
    {.name = "json",
     .help = "print one JSON document instead of a table",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(solve_settings, json)},
    {.name = "quiet",
     .help = "show no progress, even on a terminal",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(solve_settings, quiet)},
    {0},
};

// What all files share.
typedef struct solve_job {
    rico_app *app;
    const solve_settings *settings;
    const rico_cli_words *files;
    rico_solve_report report;
    rico_progress progress;
    rico_history_file history;
} solve_job;


// ---- before the first file: everything that can be wrong with the words ----

// "name=value" of --set, applied to the solver.
static rico_status apply_set(rico_context *ctx, rico_solver *solver, const rico_solver_info *info,
                             const char *word)
{
    char name[64];
    size_t length = strcspn(word, "=");
    if (word[length] != '=' || length == 0)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "option '--set' needs OPTION=VALUE, got '%s'", word);
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name), word);
    rico_status status = rico_choose_option(ctx, info, name);
    if (status == RICO_OK) status = rico_solver_set(solver, name, word + length + 1);
    return status == RICO_OK ? RICO_OK : rico_fail_in(ctx, status, "--set");
}


// A new solver with every option of the command line set.
static rico_status make_solver(rico_context *ctx, const solve_settings *settings, rico_solver **out)
{
    const rico_solver_info *info;
    rico_solver *solver = NULL;
    rico_status status = rico_choose_solver(ctx, settings->solver, &info);
    if (status == RICO_OK) status = rico_solver_create(ctx, info->name, &solver);

    const struct {
        const char *word, *name, *value;
    } limits[] = {{"--tol", "tol", settings->tol},
                  {"--max-iter", "max-iter", settings->max_iter},
                  {"--time-limit", "time-limit", settings->time_limit},
                  {"--history", "history", settings->history != NULL ? "true" : NULL}};
    for (size_t i = 0; status == RICO_OK && i < sizeof limits / sizeof limits[0]; i++) {
        if (limits[i].value == NULL) continue;
        status = rico_solver_set(solver, limits[i].name, limits[i].value);
        if (status != RICO_OK) rico_fail_in(ctx, status, limits[i].word);
    }
    for (int64_t i = 0; status == RICO_OK && i < settings->set.count; i++)
        status = apply_set(ctx, solver, info, settings->set.item[i]);

    if (status != RICO_OK) {
        rico_solver_destroy(solver);
        return status;
    }
    *out = solver;
    return RICO_OK;
}


// Refuses names that would make one output overwrite another, or an input. Touches nothing.
static rico_status check_outputs(rico_context *ctx, const solve_settings *settings,
                                 const rico_cli_words *files)
{
    const char *dir = settings->write, *history = settings->history;
    for (int64_t i = 0; dir != NULL && i < files->count; i++) {
        const char *name = rico_path_base(files->item[i]);
        for (int64_t j = 0; j < i; j++) {
            if (strcmp(name, rico_path_base(files->item[j])) == 0)
                return rico_fail(ctx, RICO_BAD_ARGUMENT,
                                 "'%s' and '%s' would both be written to '%s' in the folder '%s'",
                                 files->item[j], files->item[i], name, dir);
        }
        char *target;
        rico_status status = rico_path_join(ctx, dir, name, &target);
        if (status != RICO_OK) return status;
        for (int64_t j = 0; status == RICO_OK && j < files->count; j++) {
            if (rico_path_same(target, files->item[j]))
                status = rico_fail(ctx, RICO_BAD_ARGUMENT, "'--write %s' would overwrite the input file '%s'",
                                   dir, files->item[j]);
        }
        if (status == RICO_OK) status = rico_target_check(ctx, target, RICO_TARGET_PROBLEM, NULL, NULL);
        rico_free(ctx, target);
        if (status != RICO_OK) return status;
    }
    for (int64_t i = 0; history != NULL && i < files->count; i++) {
        if (rico_path_same(history, files->item[i]))
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "'--history %s' would overwrite the input file '%s'",
                             history, files->item[i]);
    }
    return RICO_OK;
}


// Checks everything first and makes files and folders last, so that bad usage leaves no trace.
static rico_status prepare(solve_job *job)
{
    rico_context *ctx = job->app->ctx;
    if (job->files->count == 0) return rico_fail(ctx, RICO_BAD_ARGUMENT, "no FILE given to solve");

    rico_solver *trial;
    rico_status status = make_solver(ctx, job->settings, &trial);
    if (status != RICO_OK) return status;
    rico_solver_destroy(trial);

    status = check_outputs(ctx, job->settings, job->files);
    if (status == RICO_OK && job->settings->write != NULL)
        status = rico_path_make_folder(ctx, job->settings->write);
    if (status == RICO_OK && job->settings->history != NULL)
        status = rico_history_open(ctx, job->settings->history, &job->history);
    return status;
}


// ---- one file ----

static int64_t count_contacts(const rico_problem *problem)
{
    int64_t contacts = 0, blocks = rico_problem_block_count(problem);
    for (int64_t i = 0; i < blocks; i++) contacts += rico_problem_block(problem, i).kind != RICO_EQUALITY;
    return contacts;
}


// Writes a copy of the file with r and its velocities as solution; *target is where, for the caller to free.
static rico_status write_copy(rico_context *ctx, const char *dir, const char *file, const rico_fclib *data,
                              double *r, double *u, char **target)
{
    rico_problem *problem = data->problem;
    rico_fclib_state solution = {.u = u, .r = r};
    rico_status status = rico_path_join(ctx, dir, rico_path_base(file), target);
    if (status == RICO_OK && rico_problem_is_global(problem)) {
        solution.v = rico_alloc(ctx, rico_problem_dofs(problem), sizeof *solution.v);
        status = solution.v == NULL ? RICO_NO_MEMORY : rico_problem_velocity(problem, r, u, solution.v);
    }
    if (status == RICO_OK) {
        rico_fclib_extras extras = {
            .title = data->title,
            .description = data->description,
            .math_info = data->math_info,
            .solution = &solution,
            .guess_count = data->guess_count,
            .guesses = data->guesses,
        };
        status = rico_fclib_write(problem, &extras, *target);
    }
    rico_free(ctx, solution.v);
    return status;
}


static rico_status run_solver(solve_job *job, const rico_fclib *data, double *r, double *u,
                              rico_solve_result *result)
{
    rico_context *ctx = job->app->ctx;
    rico_solver *solver;
    rico_status status = make_solver(ctx, job->settings, &solver);
    if (status != RICO_OK) return status;

    rico_solver_set_progress(solver, rico_progress_entry, &job->progress);
    status = rico_solver_setup(solver, data->problem);
    if (status == RICO_OK) status = rico_solver_solve(solver, r, u, &result->report);
    if (status == RICO_OK && job->settings->history != NULL) {
        int64_t count;
        const rico_history_entry *entries = rico_solver_history(solver, &count);
        rico_history_add(&job->history, result->file, entries, count);
    }
    rico_solver_destroy(solver);

    // an unsolved problem may be one without a solution; an interrupted one was given no time to show it
    if (status == RICO_OK && !rico_solve_succeeded(result) && result->report.stop != RICO_STOPPED)
        result->existence_checked = rico_problem_existence(data->problem, &result->existence) == RICO_OK;
    return status;
}


// Complains about a file in one line; the library's messages about files start with their path already.
static void complain(solve_job *job, const char *file, const char *message)
{
    rico_progress_erase(&job->progress);
    fprintf(job->app->err, "rico solve: ");
    size_t length = strlen(file);
    if (strncmp(message, file, length) != 0 || message[length] != ':') {
        rico_print_plain(job->app->err, file);
        fprintf(job->app->err, ": ");
    }
    rico_print_plain(job->app->err, message);
    fprintf(job->app->err, "\n");
}


// Solves and writes what was read. `data` stays the caller's.
static rico_status solve_data(solve_job *job, const rico_fclib *data, rico_solve_result *result,
                              char **written)
{
    rico_context *ctx = job->app->ctx;
    const solve_settings *settings = job->settings;
    result->read = true;
    result->contacts = count_contacts(data->problem);
    result->rows = rico_problem_rows(data->problem);
    result->dofs = rico_problem_dofs(data->problem);

    double *r = rico_alloc(ctx, result->rows, sizeof *r);
    double *u = rico_alloc(ctx, result->rows, sizeof *u);
    rico_status status = r == NULL || u == NULL ? RICO_NO_MEMORY : RICO_OK;
    if (status == RICO_OK && settings->guess == GUESS_FILE) {
        result->guessed = data->guess_count > 0 && data->guesses[0].r != NULL;
        if (result->guessed)
            memcpy(r, data->guesses[0].r, (size_t)result->rows * sizeof *r);
        else
            complain(job, result->file, "holds no guess; starting from zero");
    }
    if (status == RICO_OK) status = run_solver(job, data, r, u, result);
    result->status = status;
    if (status == RICO_OK && settings->write != NULL)
        status = write_copy(ctx, settings->write, result->file, data, r, u, written);
    rico_free(ctx, r);
    rico_free(ctx, u);
    return status;
}


// Reads, solves, reports and writes one file; returns its exit code.
static int solve_file(solve_job *job, int64_t index)
{
    rico_context *ctx = job->app->ctx;
    const char *file = job->files->item[index];
    rico_solve_result result = {.file = file, .message = ""};
    rico_fclib *data = NULL;
    char *written = NULL;

    rico_progress_file(&job->progress, index, file, "reading");
    rico_status status = rico_fclib_read(ctx, file, &data);
    result.status = status;
    if (status == RICO_OK) {
        rico_progress_file(&job->progress, index, file, "preparing");
        status = solve_data(job, data, &result, &written);
    }
    rico_progress_erase(&job->progress);

    int code = rico_exit_of(status);
    if (status != RICO_OK) {
        result.message = rico_message(ctx);
        complain(job, file, result.message);
    } else {
        result.written = written;
    }
    if (result.status == RICO_OK && !rico_solve_succeeded(&result))
        code = rico_exit_worst(code, RICO_EXIT_UNSOLVED);
    rico_solve_report_add(&job->report, &result);

    rico_free(ctx, written);
    rico_fclib_destroy(ctx, data);
    return code;
}


// ---- all of them ----

static int solve_all(solve_job *job)
{
    rico_app *app = job->app;
    int code = RICO_EXIT_DONE;
    rico_solve_report_begin(&job->report, app, job->settings->json, job->settings->solver, job->files);
    job->progress = rico_progress_start(app->err, job->settings->quiet, job->files->count);
    for (int64_t i = 0; i < job->files->count; i++) {
        // nobody left to tell, or asked to stop
        if (!rico_app_flush(app) || rico_context_interrupted(app->ctx)) break;
        code = rico_exit_worst(code, solve_file(job, i));
    }
    rico_solve_report_end(&job->report, job->files->count, rico_context_interrupted(app->ctx));
    if (!job->settings->json) rico_app_tell_memory(app, job->settings->memory > 0.0);
    return code;
}


// The default of an option that every solver has, as text; it stays NULL should there be none of that name.
static void set_default(const char *name, const char **field, char *text, size_t size)
{
    int count;
    const rico_option_info *common = rico_solver_common_options(&count);
    for (int i = 0; i < count; i++) {
        if (strcmp(common[i].name, name) != 0) continue;
        snprintf(text, size, "%.15g", common[i].standard);
        *field = text;
    }
}


static int run(rico_app *app, int argc, char **argv)
{
    const rico_command *self = &rico_command_solve;
    solve_settings settings = {.solver = rico_default_solver()};
    char tol[32], max_iter[32], time_limit[32];
    set_default("tol", &settings.tol, tol, sizeof tol);
    set_default("max-iter", &settings.max_iter, max_iter, sizeof max_iter);
    set_default("time-limit", &settings.time_limit, time_limit, sizeof time_limit);
    rico_cli_words files;
    int code;
    if (!rico_app_parse(app, self, argc, argv, &settings, &files, &code)) return code;

    solve_job job = {.app = app, .settings = &settings, .files = &files};
    rico_app_limit_memory(app, settings.memory);
    rico_status status = prepare(&job);
    if (status == RICO_OK) {
        code = solve_all(&job);
        status = rico_history_close(&job.history);
    }
    if (status != RICO_OK) code = rico_exit_worst(code, rico_app_complain(app, self, status));
    rico_cli_release(app->ctx, self->options, &settings, &files);
    return code;
}


const rico_command rico_command_solve = {
    .name = "solve",
    .operands = "FILE... [options]",
    .summary = "solve friction-contact problems in FCLIB files",
    .text = "Reads FCLIB files, solves them, and prints a line for each: contacts, iterations, residual\n"
            "(in velocities, over max(|q|, |u|): docs/theory/residual.md), the natural map over |q| as the\n"
            "literature has it, seconds, and why the solver stopped.\n"
            "A file that cannot be read or solved does not stop the others.",
    .example = "  rico solve heap.hdf5 --tol 1e-10 --time-limit 60 --write solved",
    .options = OPTIONS,
    .run = run,
};
