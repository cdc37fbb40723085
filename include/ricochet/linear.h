// The linear system that a scene is near its initial state, for everything that control.h does with one.

#ifndef RICOCHET_LINEAR_H
#define RICOCHET_LINEAR_H

#include "ricochet/control.h"
#include "ricochet/scene.h"

RICO_API_BEGIN

// Inputs are coordinates or states, on whose equation a unit acts; outputs are formulas of t, coordinates, velocities and states, as in a scene.
typedef struct rico_linear_options {
    int64_t inputs, outputs;
    const char *const *input;
    const char *const *output;
} rico_linear_options;

// What the linear system does not say.
typedef struct rico_linear_notes {
    double imbalance; // largest rate of a velocity or state at the initial state, 0 in equilibrium
    int64_t left_out; // contacts and relations, as if they were open
} rico_linear_notes;

// x' = A x + B u, y = C x + D u with x the deviations of positions and velocities, velocities alone for what is of first order and whose
// integral nobody reads. Joints must have constant gradients; rigid bodies and sampled parts are refused.
rico_status rico_scene_linearize(rico_scene *scene, const rico_linear_options *options,
                                 rico_linear_notes *notes, rico_state_space **out);

RICO_API_END

#endif
