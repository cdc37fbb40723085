// The contact of two features of polytopes.

#ifndef RICO_COLLIDE_POLYTOPE_FEATURE_H
#define RICO_COLLIDE_POLYTOPE_FEATURE_H

#include "collide/polytope.h"

// A contact in the axes of a.
typedef struct rico_touch {
    double gap, normal[3], on_a[3], on_b[3];
} rico_touch;

// Gap, normal and points of two features, their planes and lines going on for ever. `hint` is a normal not far from it: it tells the sign, and
// stands in where the features do not say (parallel edges, vertices in one place). False: these two never make a contact.
bool rico_feature_touch(const rico_polytope_pair *pair, uint32_t feature_a, uint32_t feature_b,
                        const double hint[3], rico_touch *out);

// The same along a given direction: where a line along n pierces the face, or crosses both edges. False: none does.
bool rico_feature_touch_along(const rico_polytope_pair *pair, uint32_t feature_a, uint32_t feature_b,
                              const double n[3], rico_touch *out);

// A manifold under construction.
typedef struct rico_manifold {
    const rico_polytope_pair *pair;
    const rico_pose *A;
    const rico_axis *axis;
    double least, margin; // gaps that count; what is below the least by round-off is raised to it
    int64_t first;        // of the contacts of the pair in the list
    bool (*counts)(void *user, uint32_t feature_a, uint32_t feature_b); // or NULL: all do
    void *user;
} rico_manifold;

// Adds a contact by its features, unless it is there already, does not count, or is farther than the margin. False: out of memory.
bool rico_polytope_add(const rico_manifold *manifold, uint32_t feature_a, uint32_t feature_b,
                       rico_meeting_list *out);

// Adds the corners of the overlap of the two faces that look at each other along the axis.
bool rico_polytope_overlap(const rico_manifold *manifold, rico_meeting_list *out);

// From the axes of a to those of the world.
void rico_touch_to_world(const rico_touch *touch, const rico_pose *A, rico_meeting *out);

#endif
