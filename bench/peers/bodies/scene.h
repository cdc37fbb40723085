// Scenes of rigid bodies as every engine of this comparison reads them, and what an engine writes about its run.
//
// A scene is a text, a word and numbers on each line, in any order:
//
//     measure WHAT                      how the run is judged, judge.c
//     gravity X Y Z
//     step H N K                        N steps of H; the state is kept every K steps
//     contact MU E                      friction and restitution of every pair
//     plane PX PY PZ NX NY NZ           a half-space that stands still: a point of its face, the outer normal
//     sphere R 0 0 M  POSE MOTION       solid and uniform, of mass M
//     box HX HY HZ M  POSE MOTION       half lengths
//
// with POSE = x y z qw qx qy qz and MOTION = vx vy vz wx wy wz, both in the axes of the world.
//
// A result is a text as well: `cpu SECONDS` for all steps, `contacts MEAN` over the last third of the steps, and a line
// `state STEP BODY POSE MOTION` for each state that was kept.

#ifndef RICO_BENCH_BODIES_SCENE_H
#define RICO_BENCH_BODIES_SCENE_H

#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { MAX_PLANES = 6, STATE = 13 };

typedef struct scene_body {
    bool box;
    double half[3]; // of a sphere: the radius, 0, 0
    double mass;
    double state[STATE];
} scene_body;

typedef struct scene {
    char measure[32];
    double gravity[3], step, friction, restitution;
    int steps, keep;
    int planes, bodies;
    double plane[MAX_PLANES][6];
    scene_body *body;
} scene;

// False, with a sentence on stderr: it cannot be read.
bool scene_read(const char *path, scene *out);
void scene_release(scene *scene);

// What a run leaves: state[kept][body][STATE].
typedef struct scene_result {
    double cpu, contacts;
    int kept;
    int *at; // the step of each that was kept
    double *state;
} scene_result;

bool scene_result_create(const scene *scene, scene_result *out);
bool scene_result_read(const char *path, const scene *scene, scene_result *out);
bool scene_result_write(const char *path, const scene *scene, const scene_result *result);
void scene_result_release(scene_result *result);

// An engine: what stands behind the loop that all native ones share.
typedef struct scene_engine {
    void *user;
    bool (*step)(void *user, double h);
    void (*state)(void *user, int body, double state[STATE]);
    double (*contacts)(void *user);
} scene_engine;

// Takes all steps, by the clock of this process. False: a step failed.
bool scene_run(const scene *scene, const scene_engine *engine, scene_result *out);

// inertia about the axes of the body
void scene_inertia(const scene_body *body, double diagonal[3]);

// The quaternion that takes z to the normal of a plane.
void scene_plane_turn(const double plane[6], double q[4]);

#ifdef __cplusplus
}
#endif

#endif
