// Curves that own their numbers, gathered for a panel of a figure.

#ifndef RICO_DRAW_CURVES_H
#define RICO_DRAW_CURVES_H

#include "draw/figure.h"
#include "store/columns.h"

typedef struct rico_curves {
    int64_t count, room;
    rico_figure_series *series; // labels, x and y are ours
} rico_curves;

// Adds a curve of `count` points and takes over x and y, which are freed here when it fails. The label is copied.
rico_status rico_curves_add(rico_context *ctx, rico_curves *curves, const char *label, int64_t count,
                            double *x, double *y);
void rico_curves_release(rico_context *ctx, rico_curves *curves);

// Adds column y of a result over column x (NULL: the time that goes with y), for rows of time in [from, to].
rico_status rico_curves_read(rico_context *ctx, rico_curves *curves, rico_columns *columns, const char *x,
                             const char *y, double from, double to, const char *label);

#endif
