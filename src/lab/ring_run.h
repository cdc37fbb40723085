// Rings of impact oscillators as mechanical systems, run by the event-driven integrator: the second way to their orbits.

#ifndef RICO_LAB_RING_RUN_H
#define RICO_LAB_RING_RUN_H

#include "lab/sheet.h"
#include "ricochet/model.h"
#include "ricochet/ring.h"

// Masses, springs and elastic walls at -1 and, unless it is INFINITY, at `upper`.
rico_status rico_ring_system(rico_context *ctx, int64_t particles, double coupling, double upper,
                             rico_system **out);

typedef struct rico_ring_run {
    int64_t periods, samples; // how long, and how many rows for each period
    int64_t first, last;      // particles whose positions are columns
    double tolerance;         // of the integrator
} rico_ring_run;

// Runs the ring from the state of the orbit at 0: `time`, `y40`, ...; `off`, the largest distance of a position from the orbit's; and
// once more as a grid over `grid_time` and `grid_particle` the positions `grid_y`.
rico_status rico_ring_run_sheet(const rico_ring_orbit *orbit, const rico_ring_run *run, rico_sheet *sheet);

// How far the state of an orbit is from itself after a period of the event-driven integrator, from the middle of its longest flight.
rico_status rico_ring_return_error(const rico_ring_sequence *orbit, double *error);

#endif
