// The residuals of every check, as a CSV file: file, iteration, seconds, residual.

#ifndef RICO_APP_HISTORY_H
#define RICO_APP_HISTORY_H

#include "ricochet/solver.h"
#include "store/target.h"

// Zero is a history that is not kept; adding to it and closing it do nothing.
typedef struct rico_history_file {
    rico_target target;
} rico_history_file;

// Makes the file, with its head: it is known at once whether it can be written. Entries go to it when it is closed.
// `path` stays the caller's.
rico_status rico_history_open(rico_context *ctx, const char *path, rico_history_file *history);

void rico_history_add(rico_history_file *history, const char *file, const rico_history_entry *entries,
                      int64_t count);

// Closes the file; says so when something could not be written, now or earlier.
rico_status rico_history_close(rico_history_file *history);

#endif
