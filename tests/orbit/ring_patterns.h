// Patterns of rings in the words of the chapter, where particles count from 1 (particle p is number 0 here).

#ifndef RICO_TESTS_ORBIT_RING_PATTERNS_H
#define RICO_TESTS_ORBIT_RING_PATTERNS_H

#include "one_context.h"
#include "ricochet/ring.h"

enum { MOST = 128 };

static const double CRITICAL =
    7.0 / 36.0; // the coupling at which T = 3 pi / 2 is the period of the fastest mode
#define PERIOD (1.5 * M_PI)

typedef struct pattern {
    rico_ring_impact of[MOST];
} pattern;


// Particles that strike at 0 and at T/2, by lists that end with -1.
static inline pattern pattern_of(int64_t p, const int *at_start, const int *at_half)
{
    pattern made = {{RICO_RING_NEVER}};
    for (; *at_start >= 0; at_start++) made.of[*at_start % p] = RICO_RING_AT_START;
    for (; *at_half >= 0; at_half++) made.of[*at_half % p] = RICO_RING_AT_HALF;
    return made;
}


static inline pattern at_start(int64_t p, const int *list)
{
    return pattern_of(p, list, (const int[]){-1});
}


static inline pattern alternating(int64_t p)
{
    pattern made = {{RICO_RING_NEVER}};
    for (int64_t n = 0; n < p; n++) made.of[n] = n % 2 == 0 ? RICO_RING_AT_START : RICO_RING_AT_HALF;
    return made;
}


static inline rico_ring_orbit *solve(int64_t p, double coupling, double period, const pattern *of)
{
    rico_ring_orbit *orbit;
    rico_ring ring = {p, coupling, period, of->of};
    assert_ok(ctx, rico_ring_solve(ctx, &ring, &orbit));
    return orbit;
}


static inline rico_ring_orbit *solve_feasible(int64_t p, double coupling, double period, const pattern *of)
{
    rico_ring_orbit *orbit = solve(p, coupling, period, of);
    if (orbit->verdict != RICO_RING_FEASIBLE)
        fail_msg("coupling %.9g, period %.9g: %s (particle %lld, gap %g at %g, slowest %g of %lld)", coupling,
                 period, rico_ring_verdict_words(orbit->verdict), (long long)orbit->gap_particle, orbit->gap,
                 orbit->gap_time, orbit->slowest, (long long)orbit->slowest_particle);
    return orbit;
}

#endif
