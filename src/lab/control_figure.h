// What linear control draws of a system: responses over frequencies, poles and zeros, the root locus of a loop.

#ifndef RICO_LAB_CONTROL_FIGURE_H
#define RICO_LAB_CONTROL_FIGURE_H

#include "ricochet/control.h"

typedef struct rico_control_view {
    const rico_state_space *sys;
    bool pairs; // its inputs and outputs are of interest; otherwise its poles alone
    const char *title;
    const char *const *input, *const *output; // names, as many as the system has
    double from, to;                          // rad/s
    int64_t points;
    double gain_low, gain_high; // of the root locus, drawn for one input and one output
} rico_control_view;

// Frequencies that show the system: a decade beyond its slowest and fastest modes.
rico_status rico_control_range(const rico_state_space *sys, double *from, double *to);

// Frequency k of those of a view, equal ratios apart.
double rico_control_frequency(const rico_control_view *view, int64_t k);

rico_status rico_control_draw(const rico_control_view *view, const char *path);

// Columns omega, and magnitude and phase in degrees of each response.
rico_status rico_control_write(const rico_control_view *view, const char *path);

#endif
