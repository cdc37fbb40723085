// What rico check says of rigid bodies.

#ifndef RICO_APP_CHECK_BODIES_H
#define RICO_APP_CHECK_BODIES_H

#include "app/app.h"
#include "ricochet/scene.h"

// Masses, inertias, shapes, and who touches whom at the start; `sim` may be NULL. Prints nothing for a scene without bodies.
void rico_check_bodies(rico_context *ctx, FILE *out, rico_scene *scene, rico_simulation *sim);

#endif
