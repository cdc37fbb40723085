// A search for orbits of a ring in which each particle strikes a given number of times, from impacts at random.

#ifndef RICO_LAB_RING_SEARCH_H
#define RICO_LAB_RING_SEARCH_H

#include "lab/sheet.h"
#include "ricochet/ring.h"

enum { RICO_RING_SEARCHED = 8 };

typedef struct rico_ring_search {
    int64_t particles; // at most RICO_RING_SEARCHED
    double coupling;
    int64_t strikes[RICO_RING_SEARCHED]; // of each particle, in a period
    double upper;   // place of the upper wall, where every second impact of a particle is; INFINITY: none
    int64_t starts; // of Newton's method at each period
    uint64_t seed;
} rico_ring_search;

// For each period, `T`: from how many starts Newton's method found a solution (`solutions`), how many of these have no impulse that pulls
// (`pushing`), how many are orbits (`orbits`), and of how many different energies (`different`), orbits of a part of the period left out. For each of these last:
// `period`, `energy`, `gap`, `slowest`, `largest_multiplier`, and `even`, 1 where it is even about some moment.
rico_status rico_ring_search_sheet(const rico_ring_search *search, int64_t count, const double *periods,
                                   rico_sheet *sheet);

// All orbits of two neighbours with two impacts each and y_2(t) = y_1(t + T/2), by going through the one unknown time. One of them strikes at 0 and at s +
// T/2, the other at T/2 and at s; gaps that close give both impulses, and one equation for s remains, whose changes of sign on a grid of `cells`
// are bisected. For each period, `T`: `roots`, those with impulses that push (`pushing`), and `orbits`, all of period T and no part of it.
rico_status rico_ring_scan_sheet(double coupling, int64_t cells, int64_t count, const double *periods,
                                 rico_sheet *sheet);

#endif
