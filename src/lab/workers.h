// Many pieces of work on a few threads of this process, each thread with a context of its own, a sibling of the caller's.
//
// Pieces are numbered. Whichever thread is free takes the next one; what it answers is handed to the thread that called, in
// the order in which pieces end. Whoever needs another order sorts by number: no answer depends on the others.

#ifndef RICO_LAB_WORKERS_H
#define RICO_LAB_WORKERS_H

#include "base/context.h"

// How a piece ended, beside what it answers itself.
typedef struct rico_work_end {
    bool late;    // its time was over: its context was interrupted
    bool stopped; // all work was being stopped
} rico_work_end;

typedef struct rico_workers {
    rico_context *ctx; // of the caller; an interrupt of it ends everything
    int threads;
    int64_t count;  // pieces
    double seconds; // for each of them; 0: no limit
    size_t answer;  // bytes
    void *user;     // of the functions below

    // On one of the threads. `answer` comes zeroed; `ctx` is interrupted when the time is over or everything ends.
    void (*work)(void *user, rico_context *ctx, int64_t piece, void *answer);
    // On the calling thread, once for each piece that was begun. Anything but RICO_OK ends everything.
    rico_status (*ended)(void *user, int64_t piece, void *answer, const rico_work_end *end);
} rico_workers;

// Returns when all is done or was stopped, and no thread is left. An interrupt is no failure: the caller's context tells.
rico_status rico_workers_run(const rico_workers *workers);

#endif
