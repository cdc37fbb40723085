// What a benchmark came to: a summary by set and solver, a JSON document, performance profiles.

#ifndef RICO_LAB_BENCH_REPORT_H
#define RICO_LAB_BENCH_REPORT_H

#include "lab/bench_table.h"

// One solver on one set of problems, or on all.
typedef struct rico_bench_sum {
    int64_t cells; // that were run
    int64_t outcomes[RICO_OUTCOMES];
    double mean; // geometric mean of the seconds, the time limit standing in for every cell not solved
    double flops_by_contact; // mean over what was solved; NaN where nothing was counted
} rico_bench_sum;

// `set` NULL takes all problems.
rico_bench_sum rico_bench_summarize(const rico_bench_table *table, const char *set, int64_t solver);

// The sets, each once, in the order of the problems; a new array of `*count` names that rico_free() releases.
rico_status rico_bench_sets(rico_context *ctx, const rico_bench_table *table, int64_t *count,
                            const char ***sets);

// The table on the terminal: every set, then all of them.
rico_status rico_bench_print(rico_context *ctx, const rico_bench_table *table, FILE *out);

// Table 6 of Acary, Bremond and Huber 2018: the fastest solver of each problem of a set (NULL: of all), mean and standard
// deviation over the problems that some solver solves, in seconds and in seconds per contact.
typedef struct rico_bench_campaign {
    int64_t problems, unsolved;
    double seconds, seconds_deviation, by_contact, by_contact_deviation; // NaN where there are none
} rico_bench_campaign;
rico_bench_campaign rico_bench_campaign_of(const rico_bench_table *table, const char *set);

// Its section 8.2 names other measures: the residual that a solver has reached at the limit of time (median and worst over the
// set), time per contact, and per contact and iteration, of what it solved. `room`: a number for each problem.
typedef struct rico_bench_measures {
    int64_t cells;
    double residual, worst, by_contact, by_iteration;
} rico_bench_measures;
rico_bench_measures rico_bench_measure(const rico_bench_table *table, const char *set, int64_t solver,
                                       double *room);

// Both on the terminal.
rico_status rico_bench_print_campaign(rico_context *ctx, const rico_bench_table *table, FILE *out);

// The whole as one JSON document.
rico_status rico_bench_write_json(rico_context *ctx, const rico_bench_table *table, bool interrupted,
                                  FILE *out);

// Writes DIR/profile-time.svg, DIR/profile-iterations.svg and, where they are counted, DIR/profile-flops.svg; with `per_set`,
// also DIR/profile-time-SET.svg.
// Only problems on which every solver was run are counted; where there is none, nothing is written.
rico_status rico_bench_draw(rico_context *ctx, const rico_bench_table *table, bool per_set, const char *dir);

#endif
