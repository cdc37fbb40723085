// The points of a curve on their way into a figure: as many as the eye can tell.

#ifndef RICO_DRAW_FIGURE_POINTS_H
#define RICO_DRAW_FIGURE_POINTS_H

#include "draw/figure.h"

#include <stdio.h>

typedef struct rico_figure_range {
    double low, high;
} rico_figure_range;

// The window that the points are seen through.
typedef struct rico_figure_window {
    rico_figure_range x, y;
    bool log_x, log_y;
} rico_figure_window;

// Writes "x y" lines; a blank line breaks the curve where a number is not finite. Curves over an ascending x keep the
// extremes of every stretch. Others, phase portraits, keep every point that a straight line would miss by a fraction of a
// pixel.
void rico_figure_points(FILE *out, const rico_figure_series *whole, const rico_figure_window *window);

#endif
