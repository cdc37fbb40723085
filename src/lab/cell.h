// Work in a process of its own: what crashes, hangs or eats the memory there harms nothing here.
//
// The answer is a block of bytes of a size agreed on beforehand, sent through a pipe at the end. Several cells
// may run side by side; rico_cell_wait() watches over all of them.

#ifndef RICO_LAB_CELL_H
#define RICO_LAB_CELL_H

#include "base/context.h"

#include <sys/types.h>

typedef struct rico_cell_limits {
    double wall_seconds; // killed after that
    double cpu_seconds;  // the same for the processor's time; 0 is no limit
    int64_t memory;      // bytes of address space beyond what we use already; 0 is no limit
} rico_cell_limits;

typedef enum rico_cell_end {
    RICO_CELL_RUNNING,
    RICO_CELL_DONE,       // the answer is there
    RICO_CELL_TIMEOUT,    // killed at a limit of time
    RICO_CELL_CRASHED,    // ended without an answer
    RICO_CELL_INTERRUPTED // Ctrl-C reached it: it says nothing about the work
} rico_cell_end;

typedef struct rico_cell {
    rico_cell_end end;
    char reason[64]; // of a crash: "SIGSEGV", "exit code 3"
    unsigned char *answer;
    size_t size, received;
    pid_t process;
    int pipe;
    double deadline; // on rico_clock()
    bool killed;
} rico_cell;

// The work: fills `answer`, which comes zeroed. Runs in the child, with the standard output and error thrown away.
typedef void (*rico_cell_work)(void *user, void *answer);

// Starts the work in a child. rico_cell_release() ends and frees it, at any time.
rico_status rico_cell_start(rico_context *ctx, const rico_cell_limits *limits, rico_cell_work work,
                            void *user, size_t size, rico_cell *cell);
void rico_cell_release(rico_context *ctx, rico_cell *cell);

// Waits until one of the running cells ends, a signal comes, or the seconds are over; kills those past their
// limits. Whoever calls looks at the ends afterwards. `cells` may hold empty places (all zero).
rico_status rico_cell_wait(rico_context *ctx, rico_cell *const *cells, int count, double seconds);

#endif
