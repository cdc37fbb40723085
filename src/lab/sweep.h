// A sweep: a scene over a grid of parameters, its runs on threads of this process, its table in a folder.
//
// The table grows run by run and can be resumed: a row that is there is not run again. It does not depend on the number of
// threads nor on the order in which runs end.

#ifndef RICO_LAB_SWEEP_H
#define RICO_LAB_SWEEP_H

#include "lab/sweep_grid.h"
#include "lab/sweep_points.h"

// What is asked for; texts are the caller's.
typedef struct rico_sweep_order {
    const char *scene, *dir;
    int64_t over_count, measure_count, point_count, set_count;
    const char *const *over, *const *measure, *const *points, *const *set;
    const char *section, *after; // of points; may be NULL
    int threads;
    double time_limit; // seconds of a run
    bool keep;         // result files, as DIR/cell-N.h5
    bool figures;

    // After every run, with how many have ended of those that there were to do; may be NULL.
    void (*progress)(void *user, int64_t ended, int64_t missing);
    void *user;
} rico_sweep_order;

typedef struct rico_sweep {
    rico_context *ctx;
    const rico_sweep_order *order;
    rico_sweep_grid grid;
    rico_sweep_points points;
    char *table, *note, *cloud;  // paths: of the table; of what the sweep is of; of the points
    char *figure, *cloud_figure; // of pictures; NULL where there is none
    int64_t ended, missing;      // runs of now; of those that the table lacked
    FILE *rows, *dots;           // the tables, open at their ends
    int64_t *cell;               // those that are missing
} rico_sweep;

// Does all of it: checks, runs what the table lacks, sorts it, draws. An interrupt ends it with what was done in the table.
// To be released in any case.
rico_status rico_sweep_run(rico_context *ctx, const rico_sweep_order *order, rico_sweep *sweep);
void rico_sweep_close(rico_sweep *sweep);

// --- for its own files -----------------------------------------------------------------------------------------

// The settings of a cell, those of all runs first, what points need last; NULL without memory. `swept` is where the texts of
// its own lie.
typedef char rico_swept[RICO_SWEEP_AXES][2 * RICO_SWEEP_NAME + 1];
const char **rico_sweep_overrides(rico_context *ctx, const rico_sweep *sweep, int64_t cell, rico_swept swept,
                                  int64_t *count);

// Asks the first cell's run, of which only the start is simulated, for all columns.
rico_status rico_sweep_check_columns(const rico_sweep *sweep);

// Runs what is missing.
rico_status rico_sweep_run_cells(rico_sweep *sweep);

#endif
