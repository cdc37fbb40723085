// Where over coupling and period a pattern of a ring of impact oscillators has orbits.

#ifndef RICO_LAB_RING_MAP_H
#define RICO_LAB_RING_MAP_H

#include "lab/sheet.h"
#include "ricochet/ring.h"

typedef struct rico_ring_area {
    double coupling_low, coupling_high;
    int64_t couplings; // at least 1
    double period_low, period_high;
    double step; // of the scan in the period, shorter where linear periods lie close
} rico_ring_area;

// Intervals of the period, their ends bisected: `coupling`, `low`, `high`, why they end (`low_reason`, `high_reason`: verdicts), and
// once more as strokes to be drawn, `x` and `y`. Curves over `gamma`: where one particle strikes alone, `T_inf`, at which its amplitude
// diverges; and the linear periods `T_1` to `T_{p/2}`. The scan goes from linear period to linear period: at these the boundary value problem is
// singular, and tongues of orbits hang below them.
rico_status rico_ring_map(const rico_ring *ring, const rico_ring_area *area, rico_sheet *sheet);

// The strokes and the curves of such a sheet.
rico_status rico_ring_map_draw(const rico_sheet *sheet, const char *title, const char *path);

#endif
