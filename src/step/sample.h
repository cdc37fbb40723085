// Samplers between steps: clocked velocities, set where a step ends.

#ifndef RICO_STEP_SAMPLE_H
#define RICO_STEP_SAMPLE_H

#include "step/simulation.h"

// Refuses a step over an instant of a sampler.
rico_status rico_step_sample_check(const rico_simulation *sim, double h);

// Lets the samplers that are due act on the state now, and books what they change.
rico_status rico_step_sample(rico_simulation *sim);

#endif
