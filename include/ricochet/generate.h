// Problems made by the program: random ones with known properties, for tests, demonstrations and benchmarks.

#ifndef RICOCHET_GENERATE_H
#define RICOCHET_GENERATE_H

#include "ricochet/problem.h"

RICO_API_BEGIN

// A heap of rigid bodies touching at random points. Every body has six velocities and a random inertia; each
// contact joins two bodies (or one and the ground); every body is touched when there are contacts enough. Gravity
// and random velocities load it. w = 0, so that a solution always exists.
typedef struct rico_random_heap {
    int64_t contacts;       // >= 0
    int64_t bodies;         // >= 1; fewer bodies than contacts / 2 make W rank-deficient
    double friction;        // mu >= 0 of every contact
    double friction_spread; // each mu is drawn in friction (1 -/+ spread), 0 <= spread <= 1
    int64_t joints;         // equality blocks of 3 rows (ball joints) between random bodies, >= 0
    int dimension;          // 3, or 2: bodies in a plane with three velocities
    bool reduced;           // give W and q instead of M, H, f, w
    uint64_t seed;
} rico_random_heap;

rico_random_heap rico_random_heap_default(void);
rico_status rico_generate_random(rico_context *ctx, const rico_random_heap *options, rico_problem **out);

RICO_API_END

#endif
