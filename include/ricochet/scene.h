// Scenes: one YAML file says what moves, what touches, and how time advances.
//
//     const char *set[] = {"mu=0.3"};
//     status = rico_scene_load(ctx, "stick.yaml", 1, set, NULL, 0, &scene);
//     status = rico_scene_simulate(scene, &sim);
//     while (status == RICO_OK && rico_simulation_time(sim) < rico_scene_times(scene).end)
//         status = rico_simulation_step(sim, rico_scene_times(scene).step);
//
// docs/guide/scenes.md explains the file. run.h runs a whole scene into a result file in one call.

#ifndef RICOCHET_SCENE_H
#define RICOCHET_SCENE_H

#include "ricochet/bodies.h"
#include "ricochet/elastic.h"
#include "ricochet/simulation.h"

RICO_API_BEGIN

typedef struct rico_scene rico_scene;

// How time advances, as the scene says.
typedef struct rico_scene_time {
    double start, end, step;
    int64_t every; // steps from one row of output to the next
    bool adaptive;
    double rtol, atol, impact_step; // of adaptive steps; impact_step 0: the standard one
    int64_t max_steps;              // likewise
} rico_scene_time;

// Reads, checks and builds: a file, or `length` bytes of text that messages call `name`; files that the text names are sought
// beside it. Overrides are "name=value" for parameters, "time.step=1e-5" or "scheme=hht" for keys of the file. Messages read
// "file:line:column: sentence"; on failure `excerpt` (unless NULL, room for `size` bytes) receives the line with a caret, or
// "". *out stays untouched then.
rico_status rico_scene_load(rico_context *ctx, const char *path, int64_t override_count,
                            const char *const *overrides, char *excerpt, size_t size, rico_scene **out);
rico_status rico_scene_parse(rico_context *ctx, const char *name, const char *text, int64_t length,
                             int64_t override_count, const char *const *overrides, char *excerpt, size_t size,
                             rico_scene **out);

// The same with all that there is to choose. `extend`, unless NULL, is handed the system when the parts of the scene are in
// it, to add what a scene cannot say: contact sources (ricochet/source.h), parts, which begin at zero, pins. What it adds
// must live as long as the scene.
typedef struct rico_scene_options {
    const char *path; // of the file; of a text, what messages call it
    const char *text; // what stands in for the file, or NULL
    int64_t length;   // of the text
    int64_t override_count;
    const char *const *overrides;
    rico_status (*extend)(void *user, rico_system *system);
    void *user;
    char *excerpt; // or NULL
    size_t excerpt_size;
} rico_scene_options;
rico_status rico_scene_create(rico_context *ctx, const rico_scene_options *options, rico_scene **out);
void rico_scene_destroy(rico_scene *scene);

// What the functions below return is the scene's, and stays as it is until the scene is destroyed.
const char *rico_scene_title(const rico_scene *scene);
const char *rico_scene_scheme(const rico_scene *scene);
bool rico_scene_has_time(
    const rico_scene *scene); // one of an impact alone needs none; simulating it is refused then
rico_scene_time rico_scene_times(const rico_scene *scene);
const double *rico_scene_position(
    const rico_scene *scene); // the initial state, as many numbers as the system has
const double *rico_scene_velocity(const rico_scene *scene);
rico_system *rico_scene_system(rico_scene *scene);

// The rigid bodies of the scene, and where their coordinates and contacts are in its system (either may be NULL); NULL without any.
const rico_bodies *rico_scene_body_set(const rico_scene *scene, rico_place *place, int64_t *source);

// Its elastic parts in the order of the file: how each was added to the system, its name, its number among the system's parts and where its
// unknowns are (any of these may be NULL); NULL past the last. The mesh and all that this points at are the scene's.
int64_t rico_scene_elastic_count(const rico_scene *scene);
const rico_elastic_part *rico_scene_elastic_part(const rico_scene *scene, int64_t index, const char **name,
                                                 int64_t *part, rico_place *place);

// The parameters in the order of the file, overrides and formulas done; NULL past the last. `value` may be NULL.
const char *rico_scene_parameter(const rico_scene *scene, int64_t index, double *value);

// The other files that the scene was read from, "K.mtx" or "model.h5:/beam/K"; NULL past the last.
const char *rico_scene_file(const rico_scene *scene, int64_t index);

// What positions and velocities are called: "gamma", "bar[3]"; "v_gamma", "v_bar[3]".
enum { RICO_SCENE_NAME = 96 };
void rico_scene_position_name(const rico_scene *scene, int64_t index, char name[RICO_SCENE_NAME]);
void rico_scene_velocity_name(const rico_scene *scene, int64_t index, char name[RICO_SCENE_NAME]);

// A simulation of the scene's system with its scheme, options and solver, at its initial state. The scene must outlive
// it.
rico_status rico_scene_simulate(rico_scene *scene, rico_simulation **out);

RICO_API_END

#endif
