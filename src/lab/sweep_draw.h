// The figure of a sweep: a panel for every measure.

#ifndef RICO_LAB_SWEEP_DRAW_H
#define RICO_LAB_SWEEP_DRAW_H

#include "lab/sweep_grid.h"

// Draws over the first parameter whose values are numbers, a curve for every combination of the others; where these are
// many and the parameters two, as colours over both. *drawn stays false when neither is possible.
rico_status rico_sweep_draw(const rico_sweep_grid *grid, const char *path, bool *drawn);

#endif
