// A scene as the library sees it: ricochet/scene.h, and what only our own rooms ask of one.

#ifndef RICO_SCENE_SCENE_H
#define RICO_SCENE_SCENE_H

#include "ricochet/scene.h"
#include "scene/parameters.h"
#include "scene/schema.h"

const rico_parameters *rico_scene_parameters(const rico_scene *scene);

// What it asks to be written beside the rows of every n-th step: the state at given times, rows around impacts.
typedef struct rico_scene_output {
    double interval; // from one time to the next; 0: the times below
    int64_t count;
    double *time; // ascending; rico_free() releases them
    bool impacts;
} rico_scene_output;
rico_status rico_scene_read_output(const rico_scene *scene, rico_scene_output *out);

// The tables that check scenes and print their reference.
const rico_schema *rico_scene_schema(void);

#endif
