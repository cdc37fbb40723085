// rico-mpi solve: one FCLIB file, shared among ranks.

#include "base/clock.h"
#include "base/number.h"
#include "base/paths.h"
#include "commands.h"
#include "rico_mpi.h"

#include <inttypes.h>
#include <string.h>

typedef struct settings {
    double tol, time_limit, memory;
    int64_t max_iter, parts;
    const char *write;
    int method;
    double penalty;
    bool progress, json;
} settings;

static const char *const METHODS[] = {[RICO_MPI_SWEEPS] = "sweeps",
                                      [RICO_MPI_ADMM] = "admm",
                                      [RICO_MPI_NEWTON] = "newton",
                                      [RICO_MPI_AUTO] = "auto",
                                      NULL};

static const rico_cli_option OPTIONS[] = {
    {.name = "tol",
     .value = "X",
     .help = "solved means a relative residual of at most X",
     .kind = RICO_CLI_REAL,
     .field = offsetof(settings, tol),
     .low = 0.0,
     .high = 1.0},
    {.name = "max-iter",
     .value = "N",
     .help = "at most N sweeps and Newton systems",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(settings, max_iter),
     .low = 0.0,
     .high = 1e15},
    {.name = "time-limit",
     .value = "S",
     .help = "at most S seconds; 0 is no limit",
     .kind = RICO_CLI_REAL,
     .field = offsetof(settings, time_limit),
     .low = 0.0,
     .high = 1e9},
    {.name = "method",
     .help = "auto: sweeps, and Newton's methods where sweeps would take longer; sweeps or newton alone; all "
             "with "
             "the same bits on any number of ranks. admm, with one factorization by MUMPS, has them only "
             "within the "
             "tolerance",
     .kind = RICO_CLI_CHOICE,
     .field = offsetof(settings, method),
     .choices = METHODS},
    {.name = "penalty",
     .value = "X",
     .help = "of admm, over |W_aa|; 0 is by the largest eigenvalue of W",
     .kind = RICO_CLI_REAL,
     .field = offsetof(settings, penalty),
     .low = 0.0,
     .high = 1e12},
    {.name = "parts",
     .value = "N",
     .help = "parts that bodies are cut into, whatever the number of ranks; 0 is as the problem wants. The "
             "result "
             "depends on them, within the tolerance",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(settings, parts),
     .low = 0.0,
     .high = 4096.0},
    {.name = "memory",
     .value = "GB",
     .help = "what a rank may use; 0 is what its machine has left",
     .kind = RICO_CLI_REAL,
     .field = offsetof(settings, memory),
     .low = 0.0,
     .high = 1e9},
    {.name = "write",
     .value = "DIR",
     .help = "put a copy of the file, with the solution found, into the folder DIR",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(settings, write)},
    {.name = "progress",
     .help = "print the residual at every check",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(settings, progress)},
    {.name = "json",
     .help = "print one JSON document",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(settings, json)},
    {0},
};


static void show(void *user, int64_t iteration, double seconds, double residual)
{
    rico_app *app = user;
    fprintf(app->err, "%8" PRId64 " iterations %10.2f s   residual %.3e\n", iteration, seconds, residual);
}


static void tell_memory(void *user, double bytes)
{
    rico_app *app = user;
    fprintf(app->err, "rico-mpi solve: up to %.1f MB more for Newton's systems\n", bytes / 1e6);
}


static void print_words(rico_app *app, const char *file, const rico_mpi_facts *facts,
                        const rico_mpi_report *report, double setup)
{
    const rico_report *solve = &report->solve;
    fprintf(app->out,
            "%s: %" PRId64 " contacts, %" PRId64 " bodies in %d parts and %d colours, on %d rank%s\n"
            "  memory foreseen      %.2f GB for the rank that needs most\n"
            "  contacts             %" PRId64 " on the fullest rank, %" PRId64 " on two ranks\n"
            "  %-21s%" PRId64 " sweeps, %" PRId64 " Newton systems, %" PRId64
            " products in %.2f s (setup %.2f s)\n"
            "  residual             %.3e (natural map over |q| %.3e)\n"
            "  sent in one          %.1f messages, %.0f bytes by the busiest rank; %.2f sums of %.0f bytes\n"
            "  digest               %016" PRIx64 "\n",
            file, facts->contacts, facts->bodies, facts->parts, facts->colours, facts->ranks,
            facts->ranks == 1 ? "" : "s", facts->foreseen / 1e9, facts->most_contacts, facts->shared_contacts,
            rico_stop_name(solve->stop), report->sweeps, report->systems, report->products, solve->seconds,
            setup, solve->residual.relative, solve->residual.relative_q, report->messages, report->bytes,
            report->reductions, report->reductions > 0.0 ? report->reduced_bytes / report->reductions : 0.0,
            report->digest);
    if (solve->note[0]) fprintf(app->out, "  %s\n", solve->note);
}


static void print_json(rico_app *app, const char *file, const rico_mpi_facts *facts,
                       const rico_mpi_report *report, double setup)
{
    const rico_report *solve = &report->solve;
    const char *base = rico_path_base(file);
    fprintf(app->out, "{\"file\": \"");
    for (; *base; base++)
        if (*base == '"' || *base == '\\')
            fprintf(app->out, "\\%c", *base);
        else if ((unsigned char)*base >= 0x20)
            fputc(*base, app->out);
    fprintf(app->out,
            "\", \"ranks\": %d, \"parts\": %d, \"colours\": %d, \"contacts\": %" PRId64
            ", \"bodies\": %" PRId64 ", \"most_contacts\": %" PRId64 ", \"shared_contacts\": %" PRId64
            ", \"stop\": \"%s\", \"sweeps\": %" PRId64 ", \"systems\": %" PRId64 ", \"products\": %" PRId64
            ", \"residual\": %.17g, \"relative_q\": %.17g"
            ", \"setup_seconds\": %.6f, \"seconds\": %.6f, \"work_seconds\": %.6f, \"messages\": %.3f, "
            "\"bytes\": %.1f"
            ", \"reductions\": %.3f, \"reduced_bytes\": %.1f, \"foreseen_bytes\": %.0f, \"newton_bytes\": "
            "%.0f, \"digest\": \"%016" PRIx64 "\"}\n",
            facts->ranks, facts->parts, facts->colours, facts->contacts, facts->bodies, facts->most_contacts,
            facts->shared_contacts, rico_stop_name(solve->stop), report->sweeps, report->systems,
            report->products, solve->residual.relative, solve->residual.relative_q, setup, solve->seconds,
            report->work, report->messages, report->bytes, report->reductions, report->reduced_bytes,
            facts->foreseen, report->newton_bytes, report->digest);
}


// Everything that can be wrong with where to write, on the first rank; the others follow it.
static rico_status check_write(rico_app *app, const settings *s, const char *file, char **target)
{
    if (!s->write) return RICO_OK;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    rico_status status = rico_path_join(app->ctx, s->write, rico_path_base(file), target);
    if (!status && rico_path_same(*target, file))
        status = rico_fail(app->ctx, RICO_BAD_ARGUMENT, "'--write %s' would overwrite the input file '%s'",
                           s->write, file);
    if (!status && rank == 0) status = rico_path_make_folder(app->ctx, s->write);
    int failed = status != RICO_OK;
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return failed && !status ? rico_fail(app->ctx, RICO_IO_ERROR, "the first rank cannot write there")
                             : status;
}


static rico_status solve_file(rico_app *app, const settings *s, const char *file, int *code)
{
    rico_mpi_options options = rico_mpi_defaults();
    options.tol = s->tol;
    options.max_iterations = s->max_iter;
    options.time_limit = s->time_limit;
    options.method = (rico_mpi_method)s->method;
    options.penalty = s->penalty;
    options.parts = (int)s->parts;
    options.memory = 1e9 * s->memory;
    if (s->progress) options.progress = show;
    if (!s->json) options.foreseen = tell_memory;
    options.user = app;

    char *target = NULL;
    rico_mpi_problem *problem = NULL;
    rico_mpi_report report;
    double began = rico_clock();
    rico_status status = check_write(app, s, file, &target);
    if (!status) status = rico_mpi_read(app->ctx, MPI_COMM_WORLD, file, &options, &problem);
    double setup = rico_clock() - began;
    if (!status) {
        rico_mpi_facts facts = rico_mpi_describe(problem);
        if (!s->json)
            fprintf(app->err, "rico-mpi solve: up to %.2f GB of memory on a rank\n", facts.foreseen / 1e9);
        status = rico_mpi_solve(problem, &options, &report);
        if (!status) (s->json ? print_json : print_words)(app, file, &facts, &report, setup);
        if (!status && report.solve.stop != RICO_CONVERGED)
            *code = report.solve.stop == RICO_STOPPED ? RICO_EXIT_INTERRUPTED : RICO_EXIT_UNSOLVED;
    }
    if (!status && target) status = rico_mpi_write(problem, target);
    rico_mpi_destroy(problem);
    rico_free(app->ctx, target);
    return status;
}


static int run(rico_app *app, int argc, char **argv)
{
    const rico_command *self = &rico_mpi_command_solve;
    rico_mpi_options standard = rico_mpi_defaults();
    settings s = {.tol = standard.tol, .max_iter = standard.max_iterations, .method = RICO_MPI_AUTO};
    rico_cli_words files;
    int code = RICO_EXIT_DONE;
    if (!rico_app_parse(app, self, argc, argv, &s, &files, &code)) return code;
    rico_status status = RICO_OK;
    if (files.count != 1)
        status =
            rico_fail(app->ctx, RICO_BAD_ARGUMENT, "one FILE is solved at a time, got %" PRId64, files.count);
    code = RICO_EXIT_DONE;
    if (!status) status = solve_file(app, &s, files.item[0], &code);
    if (status) code = rico_app_complain(app, self, status);
    rico_cli_release(app->ctx, self->options, &s, &files);
    return code;
}


const rico_command rico_mpi_command_solve = {
    .name = "solve",
    .operands = "FILE [options]",
    .summary = "solve the friction-contact problem of a global FCLIB file",
    .text = "Reads a global FCLIB file, each rank its part, and sweeps over its contacts until the residual\n"
            "is small enough, or until Newton's methods promise to be there before. Bodies are cut into "
            "parts that do not depend on the ranks: any number of\n"
            "them gives the same impulses, to the last bit, as the digest shows.",
    .example = "  mpirun -n 2 rico-mpi solve heap.hdf5 --tol 1e-6 --write solved",
    .options = OPTIONS,
    .run = run,
};
