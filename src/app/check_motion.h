// What 'rico check --motion' says: whether a motion that a table holds solves the scene's problem with impacts.

#ifndef RICO_APP_CHECK_MOTION_H
#define RICO_APP_CHECK_MOTION_H

#include "ricochet/scene.h"

#include <stdio.h>

// Reads t, positions and velocities by their names from a table of comma-separated values; two rows of one time are the velocities before and
// after an impact. Findings beyond `tolerance`, over the largest speed or energy, count.
rico_status rico_check_motion(FILE *out, rico_context *ctx, rico_scene *scene, const char *path,
                              double tolerance);

#endif
