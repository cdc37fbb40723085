// Relations of a scene: their table.

#ifndef RICO_SCENE_SCENE_RELATIONS_H
#define RICO_SCENE_SCENE_RELATIONS_H

#include "scene/schema.h"

extern const rico_schema rico_scene_relation_schema;

#endif
