// Orbits and branches of rings of impact oscillators as tables and pictures.

#ifndef RICO_LAB_RING_REPORT_H
#define RICO_LAB_RING_REPORT_H

#include "lab/sheet.h"
#include "ricochet/ring.h"

// A period of an orbit: `time`, `y0`, `y1`, ...; with a stability also its multipliers.
rico_status rico_ring_orbit_sheet(const rico_ring_orbit *orbit, const rico_ring_stability *stability,
                                  rico_sheet *sheet);

// Motion of the particles around those that strike, of all by colour, and the multipliers around the unit circle.
rico_status rico_ring_draw(rico_context *ctx, const rico_ring_orbit *orbit,
                           const rico_ring_stability *stability, const char *title, const char *path);

// Points of a branch, gathered by rico_ring_points_note(), which is an observe() of rico_ring_path.
typedef struct rico_ring_points {
    rico_context *ctx;
    int64_t count, room;
    double *value;      // RICO_RING_COLUMNS for each point
    rico_status status; // of what went wrong on the way
} rico_ring_points;

enum { RICO_RING_COLUMNS = 9 };
const char *rico_ring_column_name(int column);
bool rico_ring_points_note(void *points, const rico_ring_orbit *orbit);
rico_status rico_ring_points_sheet(const rico_ring_points *points, rico_sheet *sheet);
void rico_ring_points_release(rico_ring_points *points);

// Speeds, energy, gap and the largest multiplier over the parameter.
rico_status rico_ring_points_draw(const rico_ring_points *points, rico_ring_parameter parameter,
                                  const char *title, const char *path);

#endif
