// Running the cells of a benchmark that are not there yet, some at a time.

#ifndef RICO_APP_BENCH_RUN_H
#define RICO_APP_BENCH_RUN_H

#include "app/app.h"
#include "app/bench_table.h"
#include "app/measure.h"
#include "app/table.h"

typedef struct rico_bench_run {
    rico_app *app;
    rico_bench_table *table;
    const rico_contest *contest;
    const rico_contenders *contenders;
    rico_bench_file *file; // every cell is added as it ends
    int jobs;
    int64_t most_runs;
    double busy_limit; // see rico_measure_task
    int64_t memory;    // bytes for each cell, 0 for no limit
    bool print_cells, quiet;
} rico_bench_run;

// Runs what the table lacks. A file that cannot be read is complained about and its cells are left out; *code
// then says so. An interrupt ends the run with RICO_OK; so does an output that nobody reads any more.
rico_status rico_bench_run_cells(const rico_bench_run *run, int *code);

#endif
