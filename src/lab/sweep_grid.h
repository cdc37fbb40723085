// The grid of a sweep: values of parameters, cells, and what was measured in them, as a CSV file that can be resumed.

#ifndef RICO_LAB_SWEEP_GRID_H
#define RICO_LAB_SWEEP_GRID_H

#include "base/context.h"

#include <stdio.h>

enum { RICO_SWEEP_NAME = 96, RICO_SWEEP_AXES = 4, RICO_SWEEP_MEASURES = 16, RICO_SWEEP_NOTE = 256 };

typedef struct rico_sweep_axis {
    char name[RICO_SWEEP_NAME];
    int64_t count;
    char (*text)[RICO_SWEEP_NAME]; // as the scene gets them
    double *number;                // NaN for words
    bool numbers, log;             // all are numbers; spaced by factors
} rico_sweep_axis;

typedef enum rico_sweep_end {
    RICO_SWEEP_MISSING,
    RICO_SWEEP_DONE,
    RICO_SWEEP_FAILED,  // the run stopped with a sentence
    RICO_SWEEP_TIMEOUT, // killed
    RICO_SWEEP_CRASHED
} rico_sweep_end;

typedef struct rico_sweep_cell {
    rico_sweep_end end;
    double value[RICO_SWEEP_MEASURES];
    char note[RICO_SWEEP_NOTE]; // why it did not come to its end
} rico_sweep_cell;

// A number that every run gives: "energy:last".
typedef struct rico_sweep_measure {
    char text[RICO_SWEEP_NAME], column[RICO_SWEEP_NAME];
    int take;
} rico_sweep_measure;

typedef struct rico_sweep_grid {
    rico_context *ctx;
    int axis_count, measure_count;
    rico_sweep_axis axis[RICO_SWEEP_AXES];
    rico_sweep_measure measure[RICO_SWEEP_MEASURES];
    int64_t count; // cells, the first parameter changing slowest
    rico_sweep_cell *cell;
} rico_sweep_grid;

// "name=a:b:n", "name=log:a:b:n" or "name=a,b,c".
rico_status rico_sweep_add_axis(rico_sweep_grid *grid, const char *text);
rico_status rico_sweep_add_measure(rico_sweep_grid *grid, const char *text);
// To be called once behind those two.
rico_status rico_sweep_make_cells(rico_sweep_grid *grid);
void rico_sweep_release(rico_sweep_grid *grid);

// Which value of each axis a cell has.
void rico_sweep_place(const rico_sweep_grid *grid, int64_t cell, int64_t place[RICO_SWEEP_AXES]);
const char *rico_sweep_end_name(rico_sweep_end end);

// The cell that the first fields of a record are about; -1 when the grid has none such.
int64_t rico_sweep_find(const rico_sweep_grid *grid, char *const *field);

// Fills in the cells that the file holds; no file is none. A file of another grid is refused.
rico_status rico_sweep_load(rico_sweep_grid *grid, const char *path);
// Writes head and cells that are there, in order; the file appears whole or not at all.
rico_status rico_sweep_save(const rico_sweep_grid *grid, const char *path);
// One line, for a file that is open at its end.
void rico_sweep_write_row(const rico_sweep_grid *grid, int64_t cell, FILE *out);

#endif
