// Many values of every run of a sweep: columns where the motion meets a section, once per period, at each crossing or at
// each impact. Poincare sections and bifurcation diagrams.

#ifndef RICO_LAB_SWEEP_POINTS_H
#define RICO_LAB_SWEEP_POINTS_H

#include "lab/sweep_grid.h"
#include "store/columns.h"

enum { RICO_POINTS_COLUMNS = 8 };

typedef enum rico_section {
    RICO_SECTION_EVERY,  // at the start and every so many seconds from there
    RICO_SECTION_UP,     // where a column passes zero upwards
    RICO_SECTION_DOWN,   // or downwards
    RICO_SECTION_IMPACTS // the last row before each contact that closes
} rico_section;

// The points of one run: `count` rows, each a time and the columns.
typedef struct rico_points_cell {
    int64_t count;
    double *value;
} rico_points_cell;

typedef struct rico_sweep_points {
    rico_context *ctx;
    const rico_sweep_grid *grid;
    int column_count; // 0: none are asked for
    char column[RICO_POINTS_COLUMNS][RICO_SWEEP_NAME];
    rico_section section;
    char of[RICO_SWEEP_NAME];    // the period as a formula, or the column that passes zero
    char after[RICO_SWEEP_NAME]; // points before that time are left out; a formula, "" for none
    char override[2][RICO_SWEEP_NAME + 32];
    int override_count;     // what the runs need beside the settings of the user
    rico_points_cell *cell; // by cell of the grid
} rico_sweep_points;

// From the words of the command line; `after` and `section` may be NULL. The cells of the grid must have been made.
rico_status rico_points_ask(rico_sweep_points *points, const rico_sweep_grid *grid, int64_t count,
                            const char *const *columns, const char *section, const char *after);
void rico_points_release(rico_sweep_points *points);

// Takes the points from the columns of a run. `ctx` is that of the run's thread, a sibling of the sweep's.
rico_status rico_points_take(rico_context *ctx, const rico_sweep_points *points, rico_columns *columns,
                             rico_points_cell *out);

// Hands the points of a run over to their cell; nothing is left in `taken`.
void rico_points_put(rico_sweep_points *points, int64_t cell, rico_points_cell *taken);

// As a table: values of the parameters, t, columns. Loading keeps the points of cells that the grid has as done.
void rico_points_write(const rico_sweep_points *points, int64_t cell, FILE *out);
rico_status rico_points_save(const rico_sweep_points *points, const char *path);
rico_status rico_points_load(rico_sweep_points *points, const char *path);

// Dots over the first parameter that is a number. *drawn is false where there is none.
rico_status rico_points_draw(const rico_sweep_points *points, const char *path, bool *drawn);

#endif
