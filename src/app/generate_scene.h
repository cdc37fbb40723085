// rico generate --scene, cubes and wall-fem: the contact problems that a motion meets on its way, as a collection.

#ifndef RICO_APP_GENERATE_SCENE_H
#define RICO_APP_GENERATE_SCENE_H

#include "app/app.h"
#include "lab/elastic_recipe.h"

typedef struct rico_scene_harvest {
    const char *scene, *output; // its path; a folder
    const rico_cli_words *set;
    int64_t every; // steps from one problem to the next
    bool reduced;
} rico_scene_harvest;

rico_status rico_generate_from_scene(rico_app *app, const rico_scene_harvest *options);

// The first `count` problems that elastic bodies meet. name: of the files; description: how to make them again.
typedef struct rico_elastic_harvest {
    const char *name, *description, *output;
    const rico_elastic_recipe *recipe;
    int64_t count;
    bool reduced;
} rico_elastic_harvest;

rico_status rico_generate_elastic(rico_app *app, const rico_elastic_harvest *options);

#endif
