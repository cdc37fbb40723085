// Problems made by the program, for tests, demonstrations and benchmarks: random heaps, and scenes placed by geometry.

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

// Scenes: spheres in a box, a bed of blocks, a chain, a wall, a tower, an aqueduct, crossed capsules, spheres in a chute. Bodies stand where geometry puts them, in an
// equilibrium under gravity; contacts are numbered body by body, as a collision detector would emit them. The load is
// one time step of gravity, h g with h = 0.01 and g = 9.81, and random velocities on top. w = 0, so that a solution
// always exists. Bodies are laid one after the other until the scene has as many contacts as asked for, in time
// proportional to that number; the last body may bring up to 15 more, a
// voussoir 23. An aqueduct stands by friction, once an arch is closed; a chute flows; the others stand without, at any
// number.
typedef struct rico_scene_kind {
    const char *name;
    const char *summary; // one line
    bool layered;        // reads layers and aligned
} rico_scene_kind;

// The table of kinds; NULL past its end.
const rico_scene_kind *rico_scene_kind_at(int index);

typedef struct rico_scene_recipe {
    const char *kind;    // a name of the table
    int64_t contacts;    // >= 1
    double friction;     // mu >= 0 of every contact
    double perturbation; // deviation of the random velocities over h g, >= 0; 0 leaves the scene at rest
    int64_t
        step; // the load of this time step, >= 0: same bodies, random velocities turned by 0.1 step radians
    int64_t layers; // of a layered kind, 1 to 1000
    bool aligned;   // of a layered kind: blocks stand on one another in columns that do not touch
    bool reduced;   // give W and q instead of M, H, f, w
    uint64_t seed;  // of the random velocities; bodies and contacts do not depend on it
} rico_scene_recipe;

rico_scene_recipe rico_scene_recipe_default(void);
rico_status rico_generate_scene(rico_context *ctx, const rico_scene_recipe *recipe, rico_problem **out);

RICO_API_END

#endif
