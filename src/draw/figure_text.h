// Text in figures: harmless to gnuplot, with Greek letters and indices where names have them.

#ifndef RICO_DRAW_FIGURE_TEXT_H
#define RICO_DRAW_FIGURE_TEXT_H

#include <stdbool.h>
#include <stdio.h>

// Writes text in single quotes for gnuplot's enhanced mode: a quote is doubled, control characters and markup are made
// harmless. With `symbols`, names are set as in print: theta becomes a letter, v_theta one with an index.
void rico_figure_quote(FILE *out, const char *text, bool symbols);

// About how wide a text comes out, over the size of its letters: Helvetica by three widths.
double rico_figure_text_width(const char *text, bool symbols);

#endif
