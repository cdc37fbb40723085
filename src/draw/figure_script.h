// The script that makes gnuplot draw a figure.

#ifndef RICO_DRAW_FIGURE_SCRIPT_H
#define RICO_DRAW_FIGURE_SCRIPT_H

#include "draw/figure.h"

#include <stdio.h>

// The kind of picture that the ending of a path asks for; -1 for none that we draw.
int rico_figure_terminal(const char *path);

// Refuses a size that leaves the axes no room.
rico_status rico_figure_check_size(rico_context *ctx, const rico_figure *figure, int terminal);

// Writes the whole script, data included. Panels of one figure have axes of one size, wherever their numbers and
// legends are longer or shorter.
void rico_figure_script(FILE *out, const rico_figure *figure, int terminal, const char *path);

#endif
