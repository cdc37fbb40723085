// Strains of elastic parts that are too large for linear elasticity, noted for the summary of a run.

#ifndef RICO_STORE_STRAIN_WATCH_H
#define RICO_STORE_STRAIN_WATCH_H

#include "ricochet/run.h"
#include "ricochet/scene.h"

// Looks at the state, where it is time to: at the start and the last step and every so many, without inertia after every one. The largest strain
// over its part's limit goes into the result.
rico_status rico_strain_watch(rico_context *ctx, const rico_scene *scene, rico_simulation *sim, bool last,
                              rico_runner_result *result);

#endif
