// One solver on one problem, measured: what goes on inside a cell of a benchmark.

#ifndef RICO_LAB_MEASURE_H
#define RICO_LAB_MEASURE_H

#include "lab/contender.h"
#include "lab/timing.h"

// What comes out of a cell, with r right behind it.
typedef struct rico_measure {
    rico_status status; // RICO_OK: the rest holds
    rico_stop stop;     // what the solver says; success is decided elsewhere
    int64_t iterations;
    rico_timing timing; // setup and solve; the problem in memory, the start from zero
    char note[256];     // the solver's, or the message of a failure
} rico_measure;

typedef struct rico_measure_task {
    rico_context *ctx;
    const rico_contender *contender;
    const rico_contest *contest;
    rico_problem *problem; // read, and not touched since
    int64_t most_runs;
    double busy_limit; // interrupts the solver once wall and processor both show that many seconds; 0 never
    bool flops;        // counts floating-point operations too, or fails
} rico_measure_task;

size_t rico_measure_size(int64_t rows);
double *rico_measure_impulses(void *answer);

// For rico_cell_start(), with the task as `user`: the answer is a rico_measure and the rows of r.
void rico_measure_solver(void *task, void *answer);

// A copy of a problem from its data alone: nothing that was computed from them on the way comes along.
rico_status rico_problem_copy_data(rico_context *ctx, rico_problem *problem, rico_problem **out);

#endif
