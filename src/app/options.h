// The words of a command line, read by a table of options; the help is printed from the same table.
//
// Options are `--name value` or `--name=value`, anywhere among the operands; `--` ends them. Given twice, the
// last one counts, except for lists, which collect. Numbers must be numbers to their last character.

#ifndef RICO_APP_OPTIONS_H
#define RICO_APP_OPTIONS_H

#include "base/context.h"

#include <stdio.h>

typedef enum rico_cli_kind {
    RICO_CLI_FLAG,    // bool: no value
    RICO_CLI_TEXT,    // const char *
    RICO_CLI_LIST,    // rico_cli_words: may be given again and again
    RICO_CLI_INTEGER, // int64_t
    RICO_CLI_REAL,    // double
    RICO_CLI_CHOICE   // int: index in choices
} rico_cli_kind;

typedef struct rico_cli_option {
    const char *name;  // without dashes; NULL ends the table
    const char *value; // what the value is called in the help; NULL for a flag or a choice
    const char *help;  // one sentence, no full stop; its default is added where the settings hold one
    rico_cli_kind kind;
    size_t field;               // where the settings keep it: offsetof(), of the type that the kind says
    double low, high;           // inclusive range of numbers
    const char *const *choices; // NULL-terminated
} rico_cli_option;

// Words of the command line, in order; the words themselves belong to argv.
typedef struct rico_cli_words {
    int64_t count;
    const char **item;
} rico_cli_words;

// Does a word before `--` ask for help?
bool rico_cli_wants_help(int argc, char **argv);

// Reads all words into `settings` (which holds the defaults on entry) and `operands`. RICO_BAD_ARGUMENT
// leaves a sentence that names the offending word; nothing needs to be released then.
rico_status rico_cli_parse(rico_context *ctx, const rico_cli_option *options, int argc, char **argv,
                           void *settings, rico_cli_words *operands);

// Frees the operands and the lists in the settings.
void rico_cli_release(rico_context *ctx, const rico_cli_option *options, void *settings,
                      rico_cli_words *operands);

// The two ends of a line of help: "--guess none|file", and "(default: none)" or "" for what has none. The texts are cut at
// RICO_CLI_NAMES and `size`.
enum { RICO_CLI_NAMES = 64 };
void rico_cli_option_names(const rico_cli_option *option, char names[RICO_CLI_NAMES]);
void rico_cli_option_default(const rico_cli_option *option, const void *settings, char *text, size_t size);

// Prints the table as help, --help included, with the defaults that `settings` holds.
void rico_cli_print_options(FILE *out, const rico_cli_option *options, const void *settings);

#endif
