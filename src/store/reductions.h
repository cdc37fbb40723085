// The error of the reduced elastic parts of a run, followed from step to step.

#ifndef RICO_STORE_REDUCTIONS_H
#define RICO_STORE_REDUCTIONS_H

#include "ricochet/run.h"
#include "scene/scene.h"

typedef struct rico_reductions rico_reductions;

// *out is NULL where the scene has no reduced part, which all others take.
rico_status rico_reductions_create(rico_context *ctx, rico_scene *scene, rico_simulation *sim,
                                   rico_reductions **out);
void rico_reductions_destroy(rico_reductions *all);

// After each step; row: one that is written, at which errors are looked at.
rico_status rico_reductions_step(rico_reductions *all, bool row);

// The part with the largest error over its largest state.
void rico_reductions_tell(const rico_reductions *all, rico_runner_result *result);

#endif
