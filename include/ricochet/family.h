// Families of scenes: what orbits (ricochet/orbit.h) are sought in.
//
//     rico_scene_family *family;
//     rico_scene_family_options options = {.path = "oscillator.yaml", .parameter = "omega", .period = "2*pi/omega"};
//     rico_scene_family_create(ctx, &options, &family);
//     rico_orbits_create(ctx, rico_scene_family_systems(family), NULL, &orbits);

#ifndef RICOCHET_FAMILY_H
#define RICOCHET_FAMILY_H

#include "ricochet/orbit.h"
#include "ricochet/scene.h"

RICO_API_BEGIN

// The systems of a scene over one of its parameters, with the scheme "event-driven" whatever the scene says.
typedef struct rico_scene_family rico_scene_family;

typedef struct rico_scene_family_options {
    const char *path;       // of the file; of a text, what messages call it
    const char *text;       // what stands in for the file, or NULL
    int64_t override_count; // as rico_scene_load() takes them
    const char *const *overrides;
    const char *parameter; // NULL: none, the value is not read
    const char
        *period;   // of what drives the scene: a formula of its parameters, "2*pi/omega"; NULL: nothing does
    char *excerpt; // or NULL: as in rico_scene_options
    size_t excerpt_size;
} rico_scene_family_options;

// Reads the scene once. Refuses a parameter that it does not have.
rico_status rico_scene_family_create(rico_context *ctx, const rico_scene_family_options *options,
                                     rico_scene_family **out);
void rico_scene_family_destroy(rico_scene_family *family);
const rico_family *rico_scene_family_systems(const rico_scene_family *family);
rico_scene *rico_scene_family_scene(
    rico_scene_family *family); // as read, for its names and its initial state
double rico_scene_family_value(const rico_scene_family *family); // the parameter in the scene; 0 without one
// The scene at a value, event-driven.
rico_status rico_scene_family_at(rico_scene_family *family, double value, rico_scene **out);

RICO_API_END

#endif
