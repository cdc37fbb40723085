// Controllers of a scene by name: their table, and what they stand for.

#ifndef RICO_SCENE_SCENE_CONTROLLERS_H
#define RICO_SCENE_SCENE_CONTROLLERS_H

#include "scene/schema.h"

extern const rico_schema rico_scene_controller_schema;

// Puts the parts, forces and relations that the controllers of a file stand for into it, as if they had been written there. Messages about
// them point to the controller.
rico_status rico_scene_expand_controllers(rico_document *document, rico_node *root);

#endif
