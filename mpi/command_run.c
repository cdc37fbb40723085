// rico-mpi run: a scene whose contact problems are shared among ranks.
//
// The first rank is `rico run`, with all its words: bodies, collisions, results and checkpoints are its own. Problems of
// enough contacts go to all ranks; the others wait for them. Since a shared problem has the same solution on any number
// of ranks, to the last bit, so has the run.

#include "base/number.h"
#include "commands.h"
#include "rico_mpi.h"
#include "step/helper.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LEAST_CONTACTS = 1000 }; // worth telling others about
enum { MOST_SWEEPS = 2000 };    // a problem that these do not solve goes back to the first rank's solvers
typedef enum order { ORDER_END, ORDER_SOLVE } order;

// One problem, on all ranks: the first has it, the others have NULL.
static rico_status solve_together(rico_context *ctx, rico_problem *problem, double tol, double *r,
                                  rico_report *report)
{
    rico_mpi_options options = rico_mpi_defaults();
    rico_mpi_problem *shared = NULL;
    rico_mpi_report found;
    options.tol = tol;
    options.max_iterations = MOST_SWEEPS;
    rico_status status = rico_mpi_take(ctx, MPI_COMM_WORLD, problem, &options, &shared);
    if (status) return status;
    // everybody needs room for all impulses, the first rank excepted, which has it
    int64_t rows = 0;
    rico_mpi_facts facts = rico_mpi_describe(shared);
    rows = 3 * facts.contacts;
    double *all = r ? r : rico_alloc(ctx, rows, sizeof *all);
    int room = all != NULL;
    MPI_Allreduce(MPI_IN_PLACE, &room, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    status = room ? rico_mpi_guess(shared, all)
                  : rico_fail(ctx, RICO_NO_MEMORY, "no memory for %" PRId64 " impulses", rows);
    if (!status) status = rico_mpi_solve(shared, &options, &found);
    if (!status && found.solve.stop == RICO_CONVERGED) status = rico_mpi_gather(shared, all, NULL, NULL);
    if (!status && report) *report = found.solve;
    if (!r) rico_free(ctx, all);
    rico_mpi_destroy(shared);
    return status;
}


static rico_status ask_everybody(void *user, rico_problem *problem, double tol, double *r,
                                 rico_report *report)
{
    int what = ORDER_SOLVE;
    MPI_Bcast(&what, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&tol, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return solve_together(user, problem, tol, r, report);
}


// The others: problem after problem, until the first rank has done. What fails, fails there too, with a sentence.
static void serve(rico_context *ctx)
{
    for (;;) {
        int what = ORDER_END;
        double tol = 0.0;
        MPI_Bcast(&what, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (what == ORDER_END) return;
        MPI_Bcast(&tol, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        solve_together(ctx, NULL, tol, NULL, NULL);
    }
}


// mpirun ends everybody when a rank dies, with SIGTERM first: whoever is stuck in a message can only say so.
static void on_end(int number)
{
    static const char sentence[] =
        "rico-mpi run: ended from outside, by mpirun or because another rank died; the result "
        "file holds the last checkpoint, from which --resume goes on with any number of ranks\n";
    ssize_t written = write(STDERR_FILENO, sentence, sizeof sentence - 1);
    (void)written;
    _exit(128 + number);
}


// Takes "--share-from N" out of the words; false when N is no number.
static bool take_least(int *argc, char **argv, int64_t *least)
{
    for (int i = 0; i < *argc; i++) {
        if (strcmp(argv[i], "--share-from") != 0) continue;
        if (i + 1 >= *argc || !rico_text_to_integer(argv[i + 1], least) || *least < 1) return false;
        for (int k = i; k + 2 <= *argc; k++) argv[k] = argv[k + 2];
        *argc -= 2;
        return true;
    }
    return true;
}


static int run(rico_app *app, int argc, char **argv)
{
    int rank, code = RICO_EXIT_DONE;
    int64_t least = LEAST_CONTACTS;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!take_least(&argc, argv, &least)) {
        rico_fail(app->ctx, RICO_BAD_ARGUMENT,
                  "option '--share-from' needs a number of contacts, at least 1");
        return rico_app_complain(app, &rico_mpi_command_run, RICO_BAD_ARGUMENT);
    }
    if (rank > 0) {
        serve(app->ctx);
        return RICO_EXIT_DONE;
    }
    rico_helper helper = {.least_contacts = least, .solve = ask_everybody, .user = app->ctx};
    struct sigaction told = {.sa_handler = on_end};
    sigemptyset(&told.sa_mask);
    sigaction(SIGTERM, &told, NULL);
    rico_context_lend(app->ctx, &helper);
    code = rico_command_run.run(app, argc, argv);
    rico_context_lend(app->ctx, NULL);
    int what = ORDER_END;
    MPI_Bcast(&what, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return code;
}


const rico_command rico_mpi_command_run = {
    .name = "run",
    .operands = "SCENE.yaml [--share-from N] [options of rico run]",
    .summary = "simulate a scene, large contact problems shared among the ranks",
    .run = run,
};
