// Completion for bash, from the tables of commands, schemes and solvers.

#ifndef RICO_APP_COMPLETION_H
#define RICO_APP_COMPLETION_H

#include "app/app.h"

// Prints a script for bash-completion.
void rico_completion_bash(FILE *out, int count, const rico_command *const *commands);

#endif
