// Which columns a figure of a run shows, panel by panel: as a user says it, or those that a run offers.

#ifndef RICO_DRAW_PLOT_PANELS_H
#define RICO_DRAW_PLOT_PANELS_H

#include "base/context.h"
#include "draw/curves.h"

enum { RICO_PLOT_NAME = 160, RICO_PLOT_COLUMNS = 32, RICO_PLOT_PANELS = 26 };

typedef struct rico_plot_column {
    char name[RICO_PLOT_NAME], label[RICO_PLOT_NAME];
} rico_plot_column;

typedef struct rico_plot_panel {
    char title[RICO_PLOT_NAME], x[RICO_PLOT_NAME]; // x is "" for time
    char x_label[2 * RICO_PLOT_NAME], y_label[2 * RICO_PLOT_NAME];
    int64_t count;
    rico_plot_column y[RICO_PLOT_COLUMNS];
} rico_plot_panel;

typedef struct rico_plot_panels {
    int64_t count;
    rico_plot_panel *item; // rico_free() releases it
} rico_plot_panels;

// Adds a panel from "y1,y2", or, when `titled`, from "title: y1,y2 vs x", whose title and x may be left out. Names of
// columns have colons too (gap:end): only one with a blank behind it ends a title.
rico_status rico_plot_panels_add(rico_context *ctx, rico_plot_panels *panels, const char *text, const char *x,
                                 bool titled);

// Positions, velocities, energies, works, gaps, impulses: what the first run has that does not stay zero, and all
// others have too.
rico_status rico_plot_panels_default(rico_context *ctx, rico_plot_panels *panels, int64_t file_count,
                                     rico_columns *const *files, const char *x);

#endif
