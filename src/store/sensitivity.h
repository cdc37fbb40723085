// Derivatives along a run of a scene: of coordinates by parameters of the scene and by initial coordinates, carried from step to step.
//
// Names are the scene's: of "x" and "v_x", with "mu" (a parameter), "x@0" and "v_x@0" (where the motion starts).

#ifndef RICO_STORE_SENSITIVITY_H
#define RICO_STORE_SENSITIVITY_H

#include "ricochet/derivatives.h"
#include "ricochet/scene.h"

typedef struct rico_sensitivity rico_sensitivity;

// How the scene was made, to build it again beside the value of a parameter; and names between commas.
typedef struct rico_sensitivity_options {
    rico_scene_options scene;
    const char *of, *with;
} rico_sensitivity_options;

// For a simulation of the scene at its start. Both must outlive this.
rico_status rico_sensitivity_create(rico_context *ctx, rico_scene *scene, rico_simulation *sim,
                                    const rico_sensitivity_options *options, rico_sensitivity **out);
void rico_sensitivity_destroy(rico_sensitivity *sensitivity);

// To be called after every step.
rico_status rico_sensitivity_step(rico_sensitivity *sensitivity);

// Names "x_by_mu" for every pair, those of one coordinate together, and their values after the last step.
int64_t rico_sensitivity_count(const rico_sensitivity *sensitivity);
const char *rico_sensitivity_name(const rico_sensitivity *sensitivity, int64_t index);
rico_status rico_sensitivity_values(rico_sensitivity *sensitivity, double *values);
int64_t rico_sensitivity_of_count(const rico_sensitivity *sensitivity);
int64_t rico_sensitivity_with_count(const rico_sensitivity *sensitivity);

// The number of a coordinate among the positions or the velocities of the simulation.
int64_t rico_sensitivity_coordinate(const rico_sensitivity *sensitivity, int64_t of, bool *velocity);

// How good they are.
typedef struct rico_sensitivity_report {
    int64_t steps, differences; // steps, and those differentiated by differences
    int64_t blows;              // steps in which a contact came in and was stopped or sent back
    int64_t one_sided;          // steps in which what is carried along led off a threshold of some contact
    double first_time;          // of the first of them, and what its contact was about to do
    char first[160];
} rico_sensitivity_report;
const rico_sensitivity_report *rico_sensitivity_tell(const rico_sensitivity *sensitivity);

#endif
