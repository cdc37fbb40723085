// Starting a scene from a state of another run.

#ifndef RICO_STORE_START_FROM_H
#define RICO_STORE_START_FROM_H

#include "base/text.h"
#include "scene/scene.h"

// Puts the simulation where the run in the result file at `path` was at time t: the row that has this time, to a
// billionth of the run's length; NaN takes the last. Positions and velocities must have the names that the scene gives
// them. Time stays the scene's. `note` receives a line that says where the state comes from.
rico_status rico_start_from(rico_context *ctx, const char *path, double t, rico_scene *scene,
                            rico_simulation *sim, rico_text *note);

#endif
