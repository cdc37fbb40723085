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

// From the axes of a to those of the world.
void rico_touch_to_world(const rico_touch *touch, const rico_pose *A, rico_meeting *out);

#endif
