// rico: the command line. The table of subcommands, the signals, and the way out.

#include "app/app.h"
#include "app/completion.h"
#include "app/manual.h"
#include "base/suggest.h"
#include "base/system.h"
#include "la/blas.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const rico_command *const COMMANDS[] = {
    &rico_command_run,     &rico_command_check,  &rico_command_plot,      &rico_command_converge,
    &rico_command_sweep,   &rico_command_export, &rico_command_reproduce, &rico_command_impact,
    &rico_command_schemes, &rico_command_laws,   &rico_command_solve,     &rico_command_solvers,
    &rico_command_fit,     &rico_command_orbit,  &rico_command_continue,  &rico_command_modes,
    &rico_command_ring,    &rico_command_info,   &rico_command_generate,  &rico_command_bench,
    &rico_command_basins,  &rico_command_limit,  &rico_command_control,   &rico_command_import,
    &rico_command_view,
};
static const char SUMMARY[] =
    "Simulates mechanics with contact, impact and dry friction, and solves contact problems, exactly.";
enum { COMMAND_COUNT = sizeof COMMANDS / sizeof COMMANDS[0] };

static const rico_manual_exit EXITS[] = {
    {RICO_EXIT_DONE, "everything done, every problem solved"},
    {RICO_EXIT_UNSOLVED, "a problem was not solved to the tolerance"},
    {RICO_EXIT_BAD_INPUT, "bad usage, or a file that does not hold what it should"},
    {RICO_EXIT_SYSTEM, "the system could not: no such file, unwritable folder, full disk"},
    {RICO_EXIT_INTERRUPTED,
     "interrupted: the first Ctrl-C ends the work and prints what is there, the second kills"},
};
enum { EXIT_COUNT = sizeof EXITS / sizeof EXITS[0] };

// A signal handler has no other way to know whom to interrupt. Set once, before the handler is.
static rico_context *interrupt_target;

static void on_interrupt(int number)
{
    (void)number;
    rico_context_interrupt(interrupt_target);
}


static void watch_signals(rico_context *ctx)
{
    interrupt_target = ctx;

    // the first Ctrl-C asks, and puts back the default: the second one kills; nohup's choice is left alone
    struct sigaction old, ask = {.sa_handler = on_interrupt, .sa_flags = SA_RESETHAND | SA_RESTART};
    sigemptyset(&ask.sa_mask);
    if (sigaction(SIGINT, NULL, &old) == 0 && old.sa_handler != SIG_IGN) sigaction(SIGINT, &ask, NULL);

    // a reader that went away shows as EPIPE at the next flush, where files can still be closed in order
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGPIPE, &ignore, NULL);
    sigaction(SIGXFSZ, &ignore, NULL); // a file at its size limit: a refused write, like a full disk
}


// When a standard stream comes closed (`rico ... >&-`), the next file opened would take its number, and what
// we print would land in a data file. Something that refuses writing takes the place instead.
static void occupy_standard_streams(void)
{
    for (int stream = 0; stream <= 2; stream++) {
        if (fcntl(stream, F_GETFD) == -1 && errno == EBADF) {
            int taken = open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
            if (taken == -1) exit(RICO_EXIT_SYSTEM);
        }
    }
}


static void print_usage(FILE *out)
{
    fprintf(out,
            "Usage: rico COMMAND [words]\n"
            "       rico help [COMMAND]\n"
            "       rico --version\n"
            "\n"
            "%s\n"
            "\n"
            "Commands:\n",
            SUMMARY);
    for (int i = 0; i < COMMAND_COUNT; i++)
        fprintf(out, "  %-11s%s\n", COMMANDS[i]->name, COMMANDS[i]->summary);
    fprintf(out, "  %-11s%s\n", "help", "print this text, or that of a command");
}


static void print_help(FILE *out)
{
    print_usage(out);
    fprintf(out, "\nExit codes; with several files, the largest that any of them gives:\n");
    for (int i = 0; i < EXIT_COUNT; i++) fprintf(out, "  %-5d%s\n", EXITS[i].code, EXITS[i].meaning);
    fprintf(out, "\n"
                 "Example:\n"
                 "  rico run ball.yaml\n"
                 "  rico plot ball.h5\n"
                 "  rico generate random --contacts 20 --output heap.hdf5\n"
                 "  rico solve heap.hdf5\n");
}


static const rico_command *find_command(const char *name)
{
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(COMMANDS[i]->name, name) == 0) return COMMANDS[i];
    }
    return NULL;
}


static int refuse(rico_app *app, const char *what, const char *word)
{
    rico_suggestion near;
    rico_suggest_start(&near, word);
    for (int i = 0; i < COMMAND_COUNT; i++) rico_suggest_offer(&near, COMMANDS[i]->name);
    rico_suggest_offer(&near, "help");
    rico_suggest_offer(&near, "--help");
    rico_suggest_offer(&near, "--version");
    char hint[RICO_SUGGEST_SENTENCE];
    rico_suggest_sentence(&near, "", hint);
    fprintf(app->err, "rico: unknown %s '%s'%s\n", what, word,
            hint[0] != '\0' ? hint : "; 'rico help' lists what there is");
    return RICO_EXIT_BAD_INPUT;
}


// All commands behind one another, each telling of itself: their defaults are known to them alone.
static int print_manual(rico_app *app)
{
    char ask[] = "--help";
    char *words[] = {ask, NULL};
    app->help = RICO_HELP_MAN;
    rico_manual_begin(app->out, SUMMARY, COMMAND_COUNT, COMMANDS);
    for (int i = 0; i < COMMAND_COUNT; i++) COMMANDS[i]->run(app, 1, words);
    rico_manual_end(app->out, EXIT_COUNT, EXITS);
    return RICO_EXIT_DONE;
}


static int run_help(rico_app *app, int argc, char **argv)
{
    // these two are for the build, which installs what they print
    if (argc == 1 && strcmp(argv[0], "--man") == 0) return print_manual(app);
    if (argc == 1 && strcmp(argv[0], "--bash") == 0) {
        rico_completion_bash(app->out, COMMAND_COUNT, COMMANDS);
        return RICO_EXIT_DONE;
    }
    if (argc == 0 || rico_cli_wants_help(argc, argv) || strcmp(argv[0], "help") == 0) {
        print_help(app->out);
        return RICO_EXIT_DONE;
    }
    const rico_command *command = find_command(argv[0]);
    if (command == NULL) return refuse(app, "command", argv[0]);
    if (argc > 1) {
        fprintf(app->err, "rico help: one command at a time, got also '%s'\n", argv[1]);
        return RICO_EXIT_BAD_INPUT;
    }
    char ask[] = "--help";
    char *words[] = {ask, NULL};
    return command->run(app, 1, words);
}


static int run(rico_app *app, int argc, char **argv)
{
    if (argc < 2) {
        print_usage(app->err);
        return RICO_EXIT_BAD_INPUT;
    }
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) return run_help(app, 0, NULL);
    if (strcmp(word, "help") == 0) return run_help(app, argc - 2, argv + 2);
    if (strcmp(word, "--version") == 0) {
        fprintf(app->out, "rico %s\n", rico_version());
        return RICO_EXIT_DONE;
    }
    const rico_command *command = find_command(word);
    if (command == NULL) return refuse(app, word[0] == '-' ? "option" : "command", word);
    return command->run(app, argc - 2, argv + 2);
}


// Makes sure that what was printed has arrived. A reader that went away knows that it did: no word about it.
static int finish_output(rico_app *app, int code)
{
    bool good = rico_app_flush(app);
    if (good && fclose(app->out) != 0) {
        good = false;
        app->out_errno = errno;
    }
    if (good) return code;
    bool nobody_reads = app->out_errno == EPIPE || app->out_errno == EBADF;
    if (!nobody_reads)
        fprintf(app->err, "rico: cannot write to the standard output: %s\n",
                app->out_errno != 0 ? rico_system_words(app->out_errno) : "unknown reason");
    return rico_exit_worst(code, RICO_EXIT_SYSTEM);
}


int main(int argc, char **argv)
{
    occupy_standard_streams();
    rico_app app = {.ctx = rico_context_create(NULL), .out = stdout, .err = stderr};
    if (app.ctx == NULL) {
        fprintf(stderr, "rico: out of memory\n");
        return RICO_EXIT_SYSTEM;
    }
    watch_signals(app.ctx);
    rico_blas_serial(); // our threads are those of kernels and of runs side by side

    int code = run(&app, argc, argv);
    if (rico_context_interrupted(app.ctx)) code = RICO_EXIT_INTERRUPTED;
    code = finish_output(&app, code);

    rico_context_destroy(app.ctx);
    return code;
}
