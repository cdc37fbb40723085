// Running the cells of a benchmark that are not there yet, some at a time.

#ifndef RICO_LAB_BENCH_RUN_H
#define RICO_LAB_BENCH_RUN_H

#include "lab/bench_table.h"
#include "lab/cell.h"
#include "lab/measure.h"

// What a cell has to do: the solver of this number on this problem.
typedef struct rico_bench_task {
    void *user;
    rico_problem *problem; // read, and not touched since
    int64_t solver;
} rico_bench_task;

typedef struct rico_bench_run {
    rico_context *ctx;
    FILE *out, *err;                                 // the table of cells; progress and complaints
    bool (*heard)(void *owner);                      // false when nobody reads `out` any more
    void (*unread)(void *owner, rico_status status); // a problem was complained about
    void *owner;
    rico_bench_table *table;
    rico_bench_file *file; // every cell is added as it ends
    rico_cell_work work;   // takes a rico_bench_task, answers with a rico_measure and r
    void *user;            // for the work
    rico_cell_limits limits;
    int jobs;
    bool print_cells, quiet;
} rico_bench_run;

// Runs what the table lacks. A file that cannot be read is complained about and its cells are left out. An interrupt ends the
// run with RICO_OK; so does an output that nobody reads any more.
rico_status rico_bench_run_cells(const rico_bench_run *run);

#endif
