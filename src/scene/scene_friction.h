// Friction of contacts in a scene: a coefficient, or a law.

#ifndef RICO_SCENE_SCENE_FRICTION_H
#define RICO_SCENE_SCENE_FRICTION_H

#include "scene/scene_private.h"
#include "scene/schema.h"

extern const rico_schema rico_scene_friction_schema;

// Where contacts lie whose friction is read: their tangents are formulas of a scene's coordinates, or their own, in the plane or in space.
typedef enum rico_friction_place {
    RICO_FRICTION_LISTED,
    RICO_FRICTION_PLANE,
    RICO_FRICTION_SPACE
} rico_friction_place;

// The friction of `node`, a mapping of the schema or NULL: none. A coefficient alone is Coulomb's, *law = 0; whatever goes beyond is a law
// of the system, *mu its largest coefficient.
rico_status rico_scene_read_friction(rico_scene *scene, const rico_node *node, rico_friction_place place,
                                     double *mu, int *law);

// Rows of moments that a contact of so many dimensions has by a law.
int rico_scene_friction_moments(const rico_scene *scene, int law, int dimension);

void rico_scene_friction_destroy(rico_scene *scene);

#endif
