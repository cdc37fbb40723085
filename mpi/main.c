// rico-mpi: what `rico` does, over the ranks of mpirun.
//
// Every rank reads the same words; the first one prints. A complaint is one sentence, once, whichever rank met it.

#include "commands.h"

#include "la/blas.h"

#include <fcntl.h>
#include <petscsys.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const rico_command *const COMMANDS[] = {&rico_mpi_command_solve, &rico_mpi_command_run};
enum { COMMAND_COUNT = sizeof COMMANDS / sizeof COMMANDS[0] };

// A signal handler has no other way to know whom to interrupt.
static rico_context *interrupt_target;

static void on_interrupt(int number)
{
    (void)number;
    rico_context_interrupt(interrupt_target);
}


// mpirun passes Ctrl-C on as SIGINT or SIGTERM: the first asks, the second kills.
static void watch_signals(rico_context *ctx)
{
    interrupt_target = ctx;
    struct sigaction ask = {.sa_handler = on_interrupt, .sa_flags = SA_RESETHAND | SA_RESTART};
    sigemptyset(&ask.sa_mask);
    sigaction(SIGINT, &ask, NULL);
    sigaction(SIGTERM, &ask, NULL);
}


static void print_help(FILE *out)
{
    fprintf(out, "Usage: mpirun -n RANKS rico-mpi COMMAND [words]\n"
                 "       rico-mpi COMMAND --help\n"
                 "       rico-mpi --version\n"
                 "\n"
                 "What rico does, shared among the ranks of mpirun. Results do not depend on their number.\n"
                 "\n"
                 "Commands:\n");
    for (int i = 0; i < COMMAND_COUNT; i++)
        fprintf(out, "  %-11s%s\n", COMMANDS[i]->name, COMMANDS[i]->summary);
    fprintf(out, "\nExit codes are those of rico: 'rico help' lists them.\n");
}


static int choose(rico_app *app, int argc, char **argv)
{
    if (argc == 0 || strcmp(argv[0], "help") == 0 || strcmp(argv[0], "--help") == 0) {
        print_help(app->out);
        return argc == 0 ? RICO_EXIT_BAD_INPUT : RICO_EXIT_DONE;
    }
    if (strcmp(argv[0], "--version") == 0) {
        fprintf(app->out, "rico-mpi %s\n", rico_version());
        return RICO_EXIT_DONE;
    }
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(COMMANDS[i]->name, argv[0]) == 0) return COMMANDS[i]->run(app, argc - 1, argv + 1);
    fprintf(app->err, "rico-mpi: unknown command '%s'; 'rico-mpi help' lists what there is\n", argv[0]);
    return RICO_EXIT_BAD_INPUT;
}


// A broken connection or a rank that died: MPI ends everybody, and one sentence says what is left.
static void on_mpi_failure(MPI_Comm *comm, int *code, ...)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0, rank = 0;
    MPI_Error_string(*code, text, &length);
    MPI_Comm_rank(*comm, &rank);
    fprintf(stderr,
            "rico-mpi: rank %d lost the others (%s); files that were being written are as they were before\n",
            rank, text);
    MPI_Abort(*comm, RICO_EXIT_SYSTEM);
}


int main(int argc, char **argv)
{
    // words are ours: PETSc reads only its environment, and leaves signals alone
    if (MPI_Init(NULL, NULL) != MPI_SUCCESS) return RICO_EXIT_SYSTEM;
    setenv("PETSC_OPTIONS", "-no_signal_handler", 0);
    if (PetscInitialize(NULL, NULL, NULL, NULL) != 0) return RICO_EXIT_SYSTEM;
    PetscPushErrorHandler(PetscReturnErrorHandler, NULL);
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(on_mpi_failure, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);

    int rank, code = RICO_EXIT_SYSTEM;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    rico_context *ctx = rico_context_create(NULL);
    FILE *nowhere = rank == 0 ? NULL : fopen("/dev/null", "w");
    if (ctx && (rank == 0 || nowhere)) {
        rico_app app = {.ctx = ctx,
                        .program = "rico-mpi",
                        .out = rank == 0 ? stdout : nowhere,
                        .err = rank == 0 ? stderr : nowhere};
        watch_signals(ctx);
        code = choose(&app, argc - 1, argv + 1);
        if (!rico_app_flush(&app)) code = rico_exit_worst(code, RICO_EXIT_SYSTEM);
    }
    if (nowhere) fclose(nowhere);
    rico_context_destroy(ctx);
    MPI_Allreduce(MPI_IN_PLACE, &code, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Errhandler_free(&handler);
    PetscFinalize();
    MPI_Finalize();
    // mpirun makes a speech of every rank that does not end with 0: one is enough
    return rank == 0 ? code : RICO_EXIT_DONE;
}
