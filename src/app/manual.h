// The manual page, from the tables that the help is printed from.

#ifndef RICO_APP_MANUAL_H
#define RICO_APP_MANUAL_H

#include "app/app.h"

typedef struct rico_manual_exit {
    int code;
    const char *meaning;
} rico_manual_exit;

void rico_manual_begin(FILE *out, const char *summary, int count, const rico_command *const *commands);

// The section of one command, with the defaults that `settings` holds.
void rico_manual_command(FILE *out, const rico_command *command, const void *settings);

void rico_manual_end(FILE *out, int count, const rico_manual_exit *exits);

#endif
