// What 'rico check --angles' says: whether motions depend continuously on their data.

#ifndef RICO_APP_CHECK_ANGLES_H
#define RICO_APP_CHECK_ANGLES_H

#include "ricochet/scene.h"

#include <stdio.h>

// The angle of every pair of contacts of the scene, where it was taken, and the verdict.
rico_status rico_check_angles(FILE *out, rico_context *ctx, rico_scene *scene);

#endif
