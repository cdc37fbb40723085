// Completion for bash.

#include "app/completion.h"

#include "ricochet/simulation.h"
#include "ricochet/solver.h"

#include <string.h>

// What completes a word: names known when this is printed, names asked for when the key is pressed, or files.
static void print_schemes(FILE *out)
{
    for (int i = 0; rico_scheme_at(i) != NULL; i++)
        fprintf(out, "%s%s", i ? " " : "", rico_scheme_at(i)->name);
}


static void print_solvers(FILE *out)
{
    for (int i = 0; rico_solver_at(i) != NULL; i++)
        fprintf(out, "%s%s", i ? " " : "", rico_solver_at(i)->name);
}


static void print_words(FILE *out, const rico_cli_option *option)
{
    for (int i = 0; option->choices[i] != NULL; i++) fprintf(out, "%s%s", i ? " " : "", option->choices[i]);
}


static bool takes_file(const rico_cli_option *option)
{
    return option->value != NULL &&
           (strstr(option->value, "FILE") || strstr(option->value, "DIR") || strstr(option->value, "FIGURE"));
}


// How the value of an option is completed.
static void print_value(FILE *out, const rico_cli_option *option)
{
    fprintf(out, "            --%s) ", option->name);
    if (option->kind == RICO_CLI_CHOICE) {
        fprintf(out, "_rico_words '");
        print_words(out, option);
        fprintf(out, "'");
    } else if (strncmp(option->name, "scheme", 6) == 0) {
        fprintf(out, "_rico_list '");
        print_schemes(out);
        fprintf(out, "'");
    } else if (strncmp(option->name, "solver", 6) == 0) {
        fprintf(out, "_rico_list '");
        print_solvers(out);
        fprintf(out, "'");
    } else if (takes_file(option)) {
        fprintf(out, "_rico_files ''");
    } else {
        fprintf(out, ":"); // a number or a text: nothing to offer
    }
    fprintf(out, "; return ;;\n");
}


static void print_operands(FILE *out, const rico_command *command)
{
    bool named = strncmp(command->operands, "[NAME]", 6) == 0;
    fprintf(out, "        ");
    if (strncmp(command->operands, "SCENE", 5) == 0) {
        fprintf(out, "_rico_files '@(yaml|yml)'");
    } else if (strncmp(command->operands, "FILE.h5", 7) == 0) {
        fprintf(out, "_rico_files 'h5'");
    } else if (named && strcmp(command->name, "schemes") == 0) {
        fprintf(out, "_rico_words '");
        print_schemes(out);
        fprintf(out, "'");
    } else if (named && strcmp(command->name, "solvers") == 0) {
        fprintf(out, "_rico_words '");
        print_solvers(out);
        fprintf(out, "'");
    } else if (strcmp(command->name, "reproduce") == 0) {
        fprintf(out,
                "_rico_words \"$(\"${COMP_WORDS[0]}\" reproduce --list 2>/dev/null | sed '1d;s/ .*//')\"");
    } else {
        fprintf(out, "_rico_files ''");
    }
    fprintf(out, "\n");
}


static void print_command(FILE *out, const rico_command *command)
{
    fprintf(out, "    %s)\n        case $before in\n", command->name);
    for (const rico_cli_option *option = command->options; option->name != NULL; option++)
        if (option->kind != RICO_CLI_FLAG) print_value(out, option);
    fprintf(out, "        esac\n        if [[ $word == -* ]]; then\n            _rico_words '");
    for (const rico_cli_option *option = command->options; option->name != NULL; option++)
        fprintf(out, "--%s ", option->name);
    fprintf(out, "--help'\n            return\n        fi\n");
    print_operands(out, command);
    fprintf(out, "        ;;\n");
}


void rico_completion_bash(FILE *out, int count, const rico_command *const *commands)
{
    fprintf(out, "# Completion of rico for bash. Printed by `rico help --bash`.\n\n");
    fprintf(out, "_rico_words() {\n    COMPREPLY=($(compgen -W \"$1\" -- \"$word\"))\n}\n\n");
    // the last of names separated by commas
    fprintf(out, "_rico_list() {\n"
                 "    local start=\n"
                 "    [[ $word == *,* ]] && start=${word%%,*},\n"
                 "    COMPREPLY=($(compgen -P \"$start\" -W \"$1\" -- \"${word##*,}\"))\n"
                 "}\n\n");
    // files with an ending, and folders; all files for ''
    fprintf(out, "_rico_files() {\n"
                 "    compopt -o filenames 2>/dev/null\n"
                 "    local IFS=$'\\n'\n"
                 "    if [[ $1 ]]; then\n"
                 "        local extended=$(shopt -p extglob)\n"
                 "        shopt -s extglob\n"
                 "        COMPREPLY=($(compgen -d -- \"$word\") $(compgen -f -X \"!*.$1\" -- \"$word\"))\n"
                 "        $extended\n"
                 "    else\n"
                 "        COMPREPLY=($(compgen -f -- \"$word\"))\n"
                 "    fi\n"
                 "}\n\n");
    fprintf(out, "_rico() {\n"
                 "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
                 "    COMPREPLY=()\n"
                 "    if ((COMP_CWORD == 1)); then\n        _rico_words '");
    for (int i = 0; i < count; i++) fprintf(out, "%s ", commands[i]->name);
    fprintf(out, "help --help --version'\n        return\n    fi\n    case ${COMP_WORDS[1]} in\n");
    for (int i = 0; i < count; i++) print_command(out, commands[i]);
    fprintf(out, "    help)\n        _rico_words '");
    for (int i = 0; i < count; i++) fprintf(out, "%s%s", i ? " " : "", commands[i]->name);
    fprintf(out, "'\n        ;;\n    esac\n}\n\ncomplete -F _rico rico\n");
}
