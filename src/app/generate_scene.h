// rico generate --scene: the contact problems that a scene meets on its way, as a collection.

#ifndef RICO_APP_GENERATE_SCENE_H
#define RICO_APP_GENERATE_SCENE_H

#include "app/app.h"

typedef struct rico_scene_harvest {
    const char *scene, *output; // its path; a folder
    const rico_cli_words *set;
    int64_t every; // steps from one problem to the next
    bool reduced;
} rico_scene_harvest;

rico_status rico_generate_from_scene(rico_app *app, const rico_scene_harvest *options);

#endif
