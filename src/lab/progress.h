// One line on the terminal that says how far a solve has come; nothing when nobody watches.

#ifndef RICO_LAB_PROGRESS_H
#define RICO_LAB_PROGRESS_H

#include "ricochet/solver.h"

#include <stdio.h>

typedef struct rico_progress {
    FILE *out;
    bool on;      // someone watches
    bool visible; // the line stands on the terminal now
    double last;  // when it was last drawn, on rico_clock()
    int64_t index, count;
    const char *file;
} rico_progress;

// Watches over `count` files. Stays off unless `out` is a terminal that can erase a line, or when quiet.
rico_progress rico_progress_start(FILE *out, bool quiet, int64_t count);

// The file number `index` (from 0) comes next. `file` stays the caller's.
void rico_progress_file(rico_progress *progress, int64_t index, const char *file, const char *stage);

// For rico_solver_set_progress(), with the progress as `user`; draws at most ten times per second.
void rico_progress_entry(void *progress, const rico_history_entry *entry);

// Erases the line; call it before printing anything else.
void rico_progress_erase(rico_progress *progress);

// The line itself, cut to `width` characters; what the terminal shows, without its control codes.
void rico_progress_line(const rico_progress *progress, const char *stage, const rico_history_entry *entry,
                        int width, char *line, size_t size);

#endif
