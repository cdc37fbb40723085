// Marks on a linear axis that are round, do not collide, and share what is common to them: a power of ten, a number that
// all of them begin with.

#ifndef RICO_DRAW_FIGURE_TICKS_H
#define RICO_DRAW_FIGURE_TICKS_H

#include <stdbool.h>
#include <stddef.h>

enum { RICO_TICKS = 24, RICO_TICK_LABEL = 24 };

// A mark shows (at - offset) / 10^power.
typedef struct rico_ticks {
    int count, power;
    double offset;
    double at[RICO_TICKS];
    char label[RICO_TICKS][RICO_TICK_LABEL];
} rico_ticks;

// Chooses marks for low < high on an axis of `length` letter sizes; labels stand side by side (`across`) or above one another.
void rico_ticks_choose(double low, double high, double length, bool across, rico_ticks *out);

// What stands beside the axis: "x10^{-3}", "+ 0.12", both or "". In gnuplot's markup.
void rico_ticks_common(const rico_ticks *ticks, char *text, size_t size);

#endif
