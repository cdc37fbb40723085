// rico-mpi run: a scene over the ranks.
//
// The first rank is `rico run`, with all its words: results and checkpoints are its own. Where the scene can be split in space
// (space.h), every step is that of all ranks. Where it cannot, the first rank steps, problems of enough contacts go to all ranks, and
// the others wait for them. Either way, the run is the same on any number of ranks, to the last bit.

#include "base/number.h"
#include "commands.h"
#include "rico_mpi.h"
#include "space.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LEAST_CONTACTS = 1000 }; // worth telling others about
enum { MOST_SWEEPS = 2000 };    // a problem that these do not solve goes back to the first rank's solvers
typedef enum order { ORDER_END, ORDER_SOLVE, ORDER_SPLIT, ORDER_STEP, ORDER_CATCH_UP, ORDER_TELL } order;

// The first rank's run.
typedef struct run_state {
    rico_app *app;
    rico_space *space; // NULL: not split
    bool keep_whole, quiet;
    int64_t least;
} run_state;

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


static void give_order(int what, double number)
{
    MPI_Bcast(&what, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&number, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}


static rico_status ask_everybody(void *user, rico_problem *problem, double tol, double *r,
                                 rico_report *report)
{
    const run_state *state = user;
    give_order(ORDER_SOLVE, tol);
    return solve_together(state->app->ctx, problem, tol, r, report);
}


// Says which way the run goes, and why.
static rico_status begin_run(void *user, const rico_helped_run *run)
{
    run_state *state = user;
    FILE *out = state->quiet ? NULL : state->app->out;
    const char *obstacle = state->keep_whole ? "--whole asks for it" : rico_space_obstacle(run);
    if (obstacle) {
        if (out)
            fprintf(out,
                    "the first rank moves the bodies (%s); contact problems of %" PRId64
                    " contacts or more are shared\n",
                    obstacle, state->least);
        return RICO_OK;
    }
    give_order(ORDER_SPLIT, 0.0);
    rico_status status = rico_space_create(state->app->ctx, MPI_COMM_WORLD, run, &state->space);
    if (!status && out)
        fprintf(out, "split in space: %" PRId64 " free bodies in %d parts on %d rank%s\n",
                state->space->all->free, state->space->split.parts, state->space->crew->size,
                state->space->crew->size == 1 ? "" : "s");
    return status;
}


static rico_status step_together(void *user, rico_simulation *sim, double h, bool *done)
{
    run_state *state = user;
    *done = state->space && state->space->whole == sim;
    if (!*done) return RICO_OK;
    give_order(ORDER_STEP, h);
    return rico_space_step(state->space, h);
}


static bool is_ahead(void *user, const rico_simulation *sim)
{
    const run_state *state = user;
    return state->space && state->space->whole == sim && state->space->ahead;
}


static rico_status catch_up(void *user)
{
    const run_state *state = user;
    give_order(ORDER_CATCH_UP, 0.0);
    return rico_space_catch_up(state->space);
}


static rico_status tell_happenings(void *user, const rico_contact_watch *watch)
{
    const rico_space *space = ((const run_state *)user)->space;
    rico_status status = RICO_OK;
    for (int64_t k = 0; !status && k < space->happenings; k++)
        status = watch->write(watch->user, &space->happening[k]);
    return status;
}


static void tell_split(const run_state *state)
{
    if (!state->space || state->quiet) return;
    give_order(ORDER_TELL, 0.0);
    const rico_space_facts facts = rico_space_tell(state->space);
    fprintf(state->app->out,
            "split in space: %" PRId64 " bodies changed ranks, %" PRId64 " arrangements, %" PRId64
            " steps with copies of all, %" PRId64
            " problems solved by the first rank; %.2f s of work and %.1f MB on the busiest rank\n",
            facts.moved, facts.made, facts.everywhere, facts.gathered, facts.work, 1e-6 * facts.memory);
}


// The others: order after order, until the first rank has done. What fails, fails there too, with a sentence.
static void serve(rico_context *ctx)
{
    rico_space *space = NULL;
    for (int what = ORDER_SOLVE; what != ORDER_END;) {
        double number = 0.0;
        MPI_Bcast(&what, 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Bcast(&number, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        if (what == ORDER_SOLVE) solve_together(ctx, NULL, number, NULL, NULL);
        if (what == ORDER_SPLIT) rico_space_create(ctx, MPI_COMM_WORLD, NULL, &space);
        if (what == ORDER_STEP) rico_space_step(space, number);
        if (what == ORDER_CATCH_UP) rico_space_catch_up(space);
        if (what == ORDER_TELL) rico_space_tell(space);
    }
    rico_space_destroy(space);
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


// Takes a flag out of the words.
static bool take_flag(int *argc, char **argv, const char *flag)
{
    for (int i = 0; i < *argc; i++) {
        if (strcmp(argv[i], flag) != 0) continue;
        for (int k = i; k + 1 <= *argc; k++) argv[k] = argv[k + 1];
        --*argc;
        return true;
    }
    return false;
}


static bool has_flag(int argc, char **argv, const char *flag)
{
    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], flag) == 0) return true;
    return false;
}


static int run(rico_app *app, int argc, char **argv)
{
    int rank, code = RICO_EXIT_DONE;
    int64_t least = LEAST_CONTACTS;
    bool whole = take_flag(&argc, argv, "--whole");
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
    run_state state = {
        .app = app, .keep_whole = whole, .quiet = has_flag(argc, argv, "--quiet"), .least = least};
    rico_helper helper = {.least_contacts = least,
                          .solve = ask_everybody,
                          .begin = begin_run,
                          .step = step_together,
                          .is_ahead = is_ahead,
                          .catch_up = catch_up,
                          .tell = tell_happenings,
                          .user = &state};
    struct sigaction told = {.sa_handler = on_end};
    sigemptyset(&told.sa_mask);
    sigaction(SIGTERM, &told, NULL);
    rico_context_lend(app->ctx, &helper);
    code = rico_command_run.run(app, argc, argv);
    rico_context_lend(app->ctx, NULL);
    tell_split(&state);
    give_order(ORDER_END, 0.0);
    if (has_flag(argc, argv, "--help"))
        fprintf(app->out,
                "\nOver several ranks also:\n"
                "  --share-from N                     where a scene cannot be split in space, problems of N\n"
                "                                     contacts or more are shared; 1000 unless told\n"
                "  --whole                            do not split it, though it can be\n");
    rico_space_destroy(state.space);
    return code;
}


const rico_command rico_mpi_command_run = {
    .name = "run",
    .operands = "SCENE.yaml [--share-from N] [--whole] [options of rico run]",
    .summary = "simulate a scene, split in space over the ranks or large contact problems shared",
    .run = run,
};
