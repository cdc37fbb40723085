// The scenes in Ricochet, through its public functions.
//
// usage: bodies_ours SCENE RESULT SCHEME [impact=LAW] [OPTION=VALUE...]
//
// Nothing is tuned to a scene but what the words say: a scheme, a law of multiple impacts, options of the scheme.

#include "scene.h"

#include <ricochet/bodies.h>
#include <ricochet/ricochet.h>
#include <stdlib.h>
#include <string.h>

typedef struct engine {
    const scene *scene;
    rico_context *ctx;
    rico_bodies *bodies;
    rico_shape **shape; // of each body, then the half-space
    rico_system *system;
    rico_simulation *sim;
    rico_place place;
} engine;

static bool step(void *user, double h)
{
    engine *ours = user;
    if (rico_simulation_step(ours->sim, h) == RICO_OK) return true;
    fprintf(stderr, "%s\n", rico_message(ours->ctx));
    return false;
}

static void state(void *user, int body, double x[STATE])
{
    const engine *ours = user;
    int64_t index = body + ours->scene->planes;
    const double *q = rico_simulation_position(ours->sim) + ours->place.q;
    const double *v = rico_simulation_velocity(ours->sim) + ours->place.v;
    v += rico_bodies_velocity(ours->bodies, index);
    rico_stand at;
    if (!rico_bodies_stand(ours->bodies, index, 0.0, q, &at)) return;
    memcpy(x, at.position, sizeof at.position);
    memcpy(x + 3, at.orientation, sizeof at.orientation);
    memcpy(x + 7, v, 3 * sizeof *x);
    // spin to the axes of the world: w + 2 q0 (u x w) + 2 u x (u x w)
    const double *u = at.orientation + 1, *w = v + 3;
    double once[3], twice[3];
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        once[i] = u[j] * w[k] - u[k] * w[j];
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        twice[i] = u[j] * once[k] - u[k] * once[j];
        x[10 + i] = w[i] + 2.0 * at.orientation[0] * once[i] + 2.0 * twice[i];
    }
}

// those that the step let act
static double contacts(void *user)
{
    const engine *ours = user;
    const char *active = rico_simulation_active(ours->sim);
    int64_t count = rico_simulation_constraints(ours->sim);
    double sum = 0.0;
    for (int64_t i = 0; i < count; i++) sum += active[i] != 0;
    return sum;
}

static rico_status add_planes(engine *ours)
{
    const scene *scene = ours->scene;
    rico_shape **half_space = &ours->shape[scene->bodies];
    rico_status status = rico_shape_create(ours->ctx, "plane", NULL, 0, half_space);
    for (int i = 0; i < scene->planes && !status; i++) {
        rico_body wall = rico_body_default();
        wall.type = RICO_BODY_FIXED;
        wall.shape = *half_space;
        memcpy(wall.stand.position, scene->plane[i], sizeof wall.stand.position);
        scene_plane_turn(scene->plane[i], wall.stand.orientation);
        status = rico_bodies_add(ours->bodies, &wall, NULL);
    }
    return status;
}

static rico_status add_bodies(engine *ours)
{
    const scene *scene = ours->scene;
    rico_status status = RICO_OK;
    for (int i = 0; i < scene->bodies && !status; i++) {
        const scene_body *from = &scene->body[i];
        double size[3] = {2.0 * from->half[0], 2.0 * from->half[1], 2.0 * from->half[2]};
        status = from->box ? rico_shape_create(ours->ctx, "box", size, 3, &ours->shape[i])
                           : rico_shape_create(ours->ctx, "sphere", from->half, 1, &ours->shape[i]);
        if (status) break;
        rico_body body = rico_body_default();
        body.shape = ours->shape[i];
        body.mass = from->mass;
        memcpy(body.stand.position, from->state, sizeof body.stand.position);
        memcpy(body.stand.orientation, from->state + 3, sizeof body.stand.orientation);
        memcpy(body.velocity, from->state + 7, sizeof body.velocity);
        memcpy(body.spin, from->state + 10, sizeof body.spin);
        status = rico_bodies_add(ours->bodies, &body, NULL);
    }
    return status;
}

static rico_status build(engine *ours)
{
    const scene *scene = ours->scene;
    rico_contact_law law = {.friction = scene->friction, .restitution = scene->restitution};
    rico_status status = rico_bodies_create(ours->ctx, 3, &ours->bodies);
    if (!status) status = rico_bodies_set_gravity(ours->bodies, scene->gravity);
    if (!status) status = rico_bodies_set_material(ours->bodies, "default", law, NULL);
    if (!status) status = add_planes(ours);
    if (!status) status = add_bodies(ours);
    if (!status) status = rico_system_create(ours->ctx, &ours->system);
    if (!status) status = rico_system_add_bodies(ours->system, "bodies", ours->bodies, &ours->place);
    return status;
}

// The words of the command line after the scheme.
static rico_status set_options(engine *ours, int count, char **word)
{
    rico_status status = RICO_OK;
    for (int i = 0; i < count && !status; i++) {
        char name[64];
        const char *value = strchr(word[i], '=');
        if (!value) return RICO_BAD_ARGUMENT;
        snprintf(name, sizeof name, "%.*s", (int)(value - word[i]), word[i]);
        status = !strcmp(name, "impact") ? rico_simulation_set_impact(ours->sim, value + 1, NULL)
                                         : rico_simulation_set(ours->sim, name, value + 1);
    }
    return status;
}

static rico_status start(engine *ours)
{
    size_t positions = (size_t)rico_system_positions(ours->system);
    size_t velocities = (size_t)rico_system_velocities(ours->system);
    double *q = calloc(positions + velocities, sizeof *q);
    if (!q) return RICO_NO_MEMORY;
    double *v = q + positions;
    rico_bodies_start(ours->bodies, q + ours->place.q, v + ours->place.v);
    rico_status status = rico_simulation_start(ours->sim, 0.0, q, v);
    free(q);
    return status;
}

int main(int count, char **word)
{
    if (count < 4) {
        fprintf(stderr, "usage: bodies_ours SCENE RESULT SCHEME [impact=LAW] [OPTION=VALUE...]\n");
        return 2;
    }
    scene scene;
    scene_result result;
    if (!scene_read(word[1], &scene) || !scene_result_create(&scene, &result)) return 1;
    engine ours = {.scene = &scene, .ctx = rico_context_create(NULL)};
    if (!ours.ctx) return 1;
    ours.shape = calloc((size_t)scene.bodies + 1, sizeof(rico_shape *));
    rico_status status = ours.shape ? build(&ours) : RICO_NO_MEMORY;
    if (!status) status = rico_simulation_create(ours.system, word[3], &ours.sim);
    if (!status) status = set_options(&ours, count - 4, word + 4);
    if (!status) status = start(&ours);
    if (status) fprintf(stderr, "%s\n", rico_message(ours.ctx));
    scene_engine engine = {&ours, step, state, contacts};
    bool good =
        !status && scene_run(&scene, &engine, &result) && scene_result_write(word[2], &scene, &result);
    rico_simulation_destroy(ours.sim);
    rico_system_destroy(ours.system);
    rico_bodies_destroy(ours.bodies);
    for (int i = 0; ours.shape && i <= scene.bodies; i++) rico_shape_destroy(ours.shape[i]);
    free(ours.shape);
    rico_context_destroy(ours.ctx);
    scene_result_release(&result);
    scene_release(&scene);
    return good ? 0 : 1;
}
