// Seconds that a piece of work takes, by the wall clock and by the processor's, and the floating-point operations in it
// where they are counted; the best of several when short.

#ifndef RICO_LAB_TIMING_H
#define RICO_LAB_TIMING_H

#include "lab/flops.h"

// One run of the work, made anew each time so that every run starts cold.
typedef struct rico_trial {
    rico_status (*prepare)(void *user);          // not timed; fresh data
    rico_status (*run)(void *user, bool *again); // timed; `again` says whether more runs are worth it
    void (*discard)(void *user);                 // not timed; called after every prepare, failed or not
    void *user;
    rico_context *ctx;
    rico_flops *flops; // counts the run; NULL where nothing is counted
} rico_trial;

typedef struct rico_timing {
    double wall, cpu; // the least of all runs, each
    double flops;     // the least too; NaN where nothing is counted
    int64_t runs;
} rico_timing;

// Runs once, then again until the runs sum up to 20 ms or there were `most` of them. The status is that of the
// first step that failed; the times then are those of the runs before.
rico_status rico_time_trial(const rico_trial *trial, int64_t most, rico_timing *timing);

#endif
