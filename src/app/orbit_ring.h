// What the files of `rico orbit ring` share.

#ifndef RICO_APP_ORBIT_RING_H
#define RICO_APP_ORBIT_RING_H

#include "app/app.h"
#include "lab/ring_report.h"

enum { MOST_PARTICLES = 2000, CELL = 24, LISTED = 12, ROWS = 12 };

enum { FOLLOW_NOTHING, FOLLOW_COUPLING, FOLLOW_PERIOD };

typedef struct orbit_settings {
    int64_t particles;
    double coupling, period, to, step, tolerance, upper;
    const char *at_start, *at_half, *output, *csv, *strikes, *intervals, *map, *periods;
    int follow;
    bool switching;
} orbit_settings;

void rico_orbit_print_stability(FILE *out, const rico_ring_stability *stability);
void rico_orbit_print_end(FILE *out, const rico_ring_end *end, rico_ring_parameter parameter);

// An orbit of a list of strikes, or its branch; *code becomes 1 where there is none.
rico_status rico_orbit_strikes(rico_app *app, const orbit_settings *settings, int *code);

// Intervals of a parameter with orbits of a pattern, or all of them over couplings.
rico_status rico_orbit_intervals(rico_app *app, const orbit_settings *settings, const rico_ring *ring);

#endif
