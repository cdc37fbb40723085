// The results of a benchmark: one cell for each problem and solver, kept in a file that grows line by line.

#ifndef RICO_LAB_BENCH_TABLE_H
#define RICO_LAB_BENCH_TABLE_H

#include "lab/collection.h"
#include "lab/contender.h"

#include <stdio.h>

typedef enum rico_outcome {
    RICO_OUTCOME_NONE,        // not run
    RICO_OUTCOME_SOLVED,      // the residual of the r that came back is at most tol, within the time limit
    RICO_OUTCOME_UNSOLVED,    // the solver gave up
    RICO_OUTCOME_TIMEOUT,     // it used up the time limit, or was killed there
    RICO_OUTCOME_UNSUPPORTED, // it does not take such problems
    RICO_OUTCOME_FAILED,      // it reported an error
    RICO_OUTCOME_NO_MEMORY,   // it ran out of the memory it was given
    RICO_OUTCOME_CRASHED,     // it took its process down
    RICO_OUTCOMES
} rico_outcome;

const char *rico_outcome_name(rico_outcome outcome); // "solved", "timeout", ...

typedef enum rico_bench_clock { RICO_CLOCK_WALL, RICO_CLOCK_CPU, RICO_CLOCK_LEAST } rico_bench_clock;

typedef struct rico_bench_cell {
    rico_outcome outcome;
    char stop[24]; // the solver's word for it, "" when it did not come to say it
    int64_t contacts, rows;
    int64_t iterations;          // -1 when unknown, as the numbers below are NaN
    double residual, relative_q; // recomputed from r on a problem that the solver never saw
    double wall, cpu;            // seconds of setup and solve
    double flops;                // floating-point operations of the same; NaN where they are not counted
    int64_t runs;                // of which the seconds are the least
    char note[256];
} rico_bench_cell;

typedef struct rico_bench_table {
    const rico_collection *problems;
    int64_t solvers;
    const char **labels;
    double tol, time_limit;
    const char *options; // of --set, in one line; "" for none
    rico_bench_clock clock;
    rico_bench_cell *cell; // [problem * solvers + solver]
    bool flops;            // floating-point operations are counted
} rico_bench_table;

rico_bench_cell *rico_bench_at(const rico_bench_table *table, int64_t problem, int64_t solver);

// Seconds by the clock of the table; NaN when there are none.
double rico_bench_seconds(const rico_bench_table *table, const rico_bench_cell *cell);

// Gives a cell that has all its numbers the outcome they add up to.
void rico_bench_judge(const rico_bench_table *table, rico_bench_cell *cell);

// The file of results, open for adding.
typedef struct rico_bench_file {
    FILE *out;
    char *path;
} rico_bench_file;

// Makes the file DIR/results.csv; refuses one that exists.
rico_status rico_bench_file_create(rico_context *ctx, const char *dir, rico_bench_file *file);

// Opens the file to go on with it, or makes it: takes over the cells that belong to the table, counts them, and
// drops a last line that was never finished.
rico_status rico_bench_file_resume(rico_context *ctx, const char *dir, rico_bench_table *table,
                                   int64_t *found, rico_bench_file *file);

// Adds one line and sees it through to the system.
rico_status rico_bench_file_add(rico_context *ctx, rico_bench_file *file, const rico_bench_table *table,
                                int64_t problem, int64_t solver);
rico_status rico_bench_file_close(rico_context *ctx, rico_bench_file *file);

#endif
