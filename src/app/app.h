// What the subcommands of `rico` share: where they print, how they end, and how they describe themselves.

#ifndef RICO_APP_APP_H
#define RICO_APP_APP_H

#include "app/options.h"
#include "base/context.h"

#include <stdio.h>

// How the program ends. When several files disagree, the largest code wins.
enum {
    RICO_EXIT_DONE = 0,         // everything done, every problem solved
    RICO_EXIT_UNSOLVED = 1,     // a problem was not solved to the tolerance
    RICO_EXIT_BAD_INPUT = 2,    // bad usage, or a file that does not hold what it should
    RICO_EXIT_SYSTEM = 3,       // the system could not: no such file, unwritable folder, full disk, no memory
    RICO_EXIT_INTERRUPTED = 130 // 128 + SIGINT, as shells have it
};

typedef enum rico_help_form { RICO_HELP_TEXT, RICO_HELP_MAN } rico_help_form;

typedef struct rico_app {
    rico_context *ctx;
    FILE *out, *err;
    int out_errno;   // why `out` could not be written to, when that is known
    bool out_failed; // stays set from the first failure on
    rico_help_form help;
    const char *program; // whose command complains; NULL: rico
    int worst;           // exit code of what went wrong on the way, RICO_EXIT_DONE while nothing has
} rico_app;

// A subcommand. Its help is printed from this, so that help and behaviour cannot drift apart.
typedef struct rico_command {
    const char *name;
    const char *operands;          // "FILE..."
    const char *summary;           // one line, for the list of commands
    const char *text;              // paragraphs of the help
    void (*print_more)(FILE *out); // what the help says below them, from a table of the library; may be NULL
    const char *example;           // lines that can be typed, each with two leading blanks
    const rico_cli_option *options;
    int (*run)(rico_app *app, int argc, char **argv); // words after the command's name; returns the exit code
} rico_command;

extern const rico_command rico_command_run;
extern const rico_command rico_command_check;
extern const rico_command rico_command_import;
extern const rico_command rico_command_reproduce;
extern const rico_command rico_command_schemes;
extern const rico_command rico_command_laws;
extern const rico_command rico_command_impact;
extern const rico_command rico_command_fit;
extern const rico_command rico_command_limit;
extern const rico_command rico_command_modes;
extern const rico_command rico_command_control;
extern const rico_command rico_command_orbit;
extern const rico_command rico_command_ring;
extern const rico_command rico_command_continue;
extern const rico_command rico_command_basins;
extern const rico_command rico_command_export;
extern const rico_command rico_command_plot;
extern const rico_command rico_command_view;
extern const rico_command rico_command_converge;
extern const rico_command rico_command_sweep;
extern const rico_command rico_command_solve;
extern const rico_command rico_command_solvers;
extern const rico_command rico_command_info;
extern const rico_command rico_command_generate;
extern const rico_command rico_command_bench;

// Reads the words of a command into its settings, which hold the defaults on entry. Returns true to go on.
// False means that the help or a complaint was printed, and *code is how to end. The caller releases what was
// read with rico_cli_release() only after true.
bool rico_app_parse(rico_app *app, const rico_command *command, int argc, char **argv, void *settings,
                    rico_cli_words *operands, int *code);

// Prints "rico COMMAND: message of the context" and returns the exit code that belongs to the status.
int rico_app_complain(rico_app *app, const rico_command *command, rico_status status);

// An option `memory` of a command, a number of GB in its settings.
#define RICO_MEMORY_OPTION(settings, member)                                                                 \
    {                                                                                                        \
        .name = "memory", .value = "GB",                                                                     \
        .help =                                                                                              \
            "memory that may be used: what needs more is told and refused; 0 is what the machine has left",  \
        .kind = RICO_CLI_REAL, .field = offsetof(settings, member), .low = 0.0, .high = 1e9                  \
    }

// From now on so many GB and no more, or what the machine has left when that is 0.
void rico_app_limit_memory(rico_app *app, double gigabytes);

// A line on the memory that was foreseen and used, where it was much or when `asked`.
void rico_app_tell_memory(rico_app *app, bool asked);

// Pushes out what was printed. False when it could not be written, now or earlier: the command should end.
bool rico_app_flush(rico_app *app);

// The same two for mechanisms that know nothing of commands; `app` is the rico_app. What went wrong is kept in its `worst`.
bool rico_app_heard(void *app);
void rico_app_note(void *app, rico_status status);

int rico_exit_of(rico_status status);
int rico_exit_worst(int a, int b);

#endif
