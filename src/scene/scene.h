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

// What lists of names in results say of the position (or velocity) at an index: its name, or "block[0..4223]" for all of an elastic part.
// Returns how many it stands for.
int64_t rico_scene_name_run(const rico_scene *scene, int64_t index, bool velocity,
                            char name[RICO_SCENE_NAME]);

// Numbers that a scene with elastic parts asks for beside its state: how many, what they are called ("tip.u_x", "floor.fy"), and their values
// at the end of a step of length h (0: the start) that began with velocities v_before.
typedef struct rico_scene_state {
    double t, h;
    const double *q, *v, *v_before;
} rico_scene_state;
int64_t rico_scene_probes(const rico_scene *scene);
void rico_scene_probe_name(const rico_scene *scene, int64_t index, char name[RICO_SCENE_NAME]);
rico_status rico_scene_read_probes(const rico_scene *scene, rico_context *ctx, rico_simulation *sim,
                                   const rico_scene_state *state, double *values);

// Contacts of meshes: their source, the elastic parts of nodes and of faces (-1: none) and the groups of these; Coulomb's mu.
typedef struct rico_scene_touch_info {
    int64_t source, nodes, faces, group[2];
    double friction;
} rico_scene_touch_info;
int64_t rico_scene_touches(const rico_scene *scene);
rico_scene_touch_info rico_scene_touch_at(const rico_scene *scene, int64_t index);

// A simulation with the scene's scheme, options and solver, not started.
rico_status rico_scene_prepare(rico_scene *scene, rico_simulation **out);

// The tables that check scenes and print their reference.
const rico_schema *rico_scene_schema(void);

#endif
