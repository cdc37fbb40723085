// Scenes of rigid bodies for tests: a ground of any kind, a world that may be turned as a whole, and readings in its own axes.
//
// Everything is put in and read in the axes of the scene, z upwards. The world that the library sees is that, turned by `turn`: what
// holds must hold in all of them.

#ifndef RICO_TESTS_STEP_BODIES_H
#define RICO_TESTS_STEP_BODIES_H

#include "support.h"

#include "la/quaternion.h"
#include "ricochet/bodies.h"
#include "ricochet/simulation.h"
#include "ricochet/source.h"

enum { MOST_SHAPES = 64 };
enum { ON_PLANE, ON_BOX, ON_MESH, GROUNDS };

#define EARTH 9.81

typedef struct scene {
    rico_context *ctx;
    rico_bodies *bodies;
    rico_system *system;
    rico_simulation *sim;
    rico_shape *shape[MOST_SHAPES];
    int shapes, material;
    double turn[4], gravity[3], h;
    double *start_q, *start_v;
} scene;


// --- what is in it -------------------------------------------------------------------------------------------------

// In space, gravity (gx, 0, gz); turned: by a rotation drawn from the seed, 0: not at all.
static inline void open_scene(scene *s, double gx, double gz, uint64_t seed)
{
    memset(s, 0, sizeof *s);
    rico_quaternion_identity(s->turn);
    if (seed) {
        rico_random random;
        double phi[3];
        rico_random_seed(&random, seed);
        for (int i = 0; i < 3; i++) phi[i] = rico_random_range(&random, -1.5, 1.5);
        rico_quaternion_exp(phi, s->turn);
    }
    s->ctx = rico_context_create(NULL);
    assert_ok(s->ctx, rico_bodies_create(s->ctx, 3, &s->bodies));
    assert_ok(s->ctx, rico_system_create(s->ctx, &s->system));
    double down[3] = {gx, 0.0, gz};
    rico_quaternion_rotate(s->turn, down, s->gravity);
    assert_ok(s->ctx, rico_bodies_set_gravity(s->bodies, s->gravity));
}


static inline void close_scene(scene *s)
{
    rico_simulation_destroy(s->sim);
    rico_system_destroy(s->system);
    rico_bodies_destroy(s->bodies);
    for (int k = 0; k < s->shapes; k++) rico_shape_destroy(s->shape[k]);
    rico_context_destroy(s->ctx);
    free(s->start_q);
    free(s->start_v);
}


// All bodies that follow are of this material.
static inline void use_material(scene *s, double friction, double restitution)
{
    char name[32];
    snprintf(name, sizeof name, "material-%d", s->material + 1);
    assert_ok(s->ctx,
              rico_bodies_set_material(s->bodies, name,
                                       (rico_contact_law){.friction = friction, .restitution = restitution},
                                       &s->material));
}


static inline const rico_shape *keep_shape(scene *s, rico_shape *shape)
{
    assert_true(s->shapes < MOST_SHAPES);
    return s->shape[s->shapes++] = shape;
}


static inline const rico_shape *make_shape(scene *s, const char *kind, double x, double y, double z)
{
    rico_shape *made;
    const double sizes[3] = {x, y, z};
    int count = 0;
    for (int k = 0; rico_shape_kind_at(k); k++) {
        const rico_shape_info *info = rico_shape_kind_at(k);
        if (strcmp(info->name, kind) != 0) continue;
        for (const char *c = info->sizes; *c; c++) count += c == info->sizes || c[-1] == ' ';
    }
    assert_ok(s->ctx, rico_shape_create(s->ctx, kind, sizes, count, &made));
    return keep_shape(s, made);
}


// A flat skin of triangles over [-half, half]^2, whose edges run in all directions.
static inline const rico_shape *make_skin(scene *s, double half, int cells)
{
    rico_random random;
    rico_shape *made;
    int n = cells + 1;
    double *vertex = malloc((size_t)(n * n) * 3 * sizeof *vertex), width = 2.0 * half / cells;
    int64_t *triangle = malloc((size_t)(cells * cells) * 6 * sizeof *triangle), count = 0;
    assert_true(vertex && triangle);
    rico_random_seed(&random, 5);
    for (int i = 0; i < n * n; i++) {
        int row = i / n;
        double shift = width * 0.2;
        vertex[3 * i] = -half + width * (i % n) + rico_random_range(&random, -shift, shift);
        vertex[3 * i + 1] = -half + width * row + rico_random_range(&random, -shift, shift);
        vertex[3 * i + 2] = 0.0;
    }
    for (int i = 0; i < cells * cells; i++) {
        int64_t a = i / cells * n + i % cells;
        int64_t corner[6] = {a, a + 1, a + n + 1, a, a + n + 1, a + n};
        for (int k = 0; k < 6; k++) triangle[count++] = corner[k];
    }
    assert_ok(s->ctx, rico_shape_mesh(s->ctx, vertex, n * n, triangle, count / 3, &made));
    free(vertex);
    free(triangle);
    return keep_shape(s, made);
}


static inline int64_t put_body(scene *s, const rico_body *body)
{
    int64_t index;
    rico_body turned = *body;
    turned.material = s->material;
    rico_quaternion_rotate(s->turn, body->stand.position, turned.stand.position);
    rico_quaternion_multiply(s->turn, body->stand.orientation, turned.stand.orientation);
    rico_quaternion_rotate(s->turn, body->velocity, turned.velocity);
    rico_quaternion_rotate(s->turn, body->spin, turned.spin);
    assert_ok(s->ctx, rico_bodies_add(s->bodies, &turned, &index));
    return index;
}


static inline int64_t put_fixed(scene *s, const rico_shape *shape, double x, double y, double z)
{
    rico_body body = rico_body_default();
    body.type = RICO_BODY_FIXED;
    body.shape = shape;
    body.stand = rico_stand_at(x, y, z);
    return put_body(s, &body);
}


// The half-space z <= 0, as far as `half` where it ends.
static inline int64_t put_ground(scene *s, int kind, double half)
{
    if (kind == ON_PLANE) return put_fixed(s, make_shape(s, "plane", 0.0, 0.0, 0.0), 0.0, 0.0, 0.0);
    if (kind == ON_BOX)
        return put_fixed(s, make_shape(s, "box", 2.0 * half, 2.0 * half, 1.0), 0.0, 0.0, -0.5);
    return put_fixed(s, make_skin(s, half, 20), 0.0, 0.0, 0.0);
}


static inline rico_body free_body(const rico_shape *shape, double density, double x, double y, double z)
{
    rico_body body = rico_body_default();
    body.shape = shape;
    body.density = density;
    body.stand = rico_stand_at(x, y, z);
    return body;
}


static inline void turn_body(rico_body *body, double x, double y, double z)
{
    const double phi[3] = {x, y, z};
    rico_quaternion_exp(phi, body->stand.orientation);
}


// --- its motion ----------------------------------------------------------------------------------------------------

// Complete, at its start; options of the simulation may still be set.
static inline void build_scene(scene *s, const char *scheme)
{
    rico_place place;
    assert_ok(s->ctx, rico_system_add_bodies(s->system, "bodies", s->bodies, &place));
    s->start_q = calloc((size_t)place.q_size, sizeof *s->start_q);
    s->start_v = calloc((size_t)place.v_size, sizeof *s->start_v);
    assert_true(s->start_q && s->start_v);
    rico_bodies_start(s->bodies, s->start_q, s->start_v);
    assert_ok(s->ctx, rico_simulation_create(s->system, scheme, &s->sim));
}


static inline void start_scene(scene *s, double h)
{
    s->h = h;
    assert_ok(s->ctx, rico_simulation_start(s->sim, 0.0, s->start_q, s->start_v));
}


// With contact frames half way, for what rolls and spins: of second order.
static inline void begin_midway(scene *s, double h)
{
    build_scene(s, "moreau-jean-projected");
    assert_ok(s->ctx, rico_simulation_set(s->sim, "frames", "middle"));
    start_scene(s, h);
}


static inline void begin_scene(scene *s, const char *scheme, double h)
{
    build_scene(s, scheme);
    start_scene(s, h);
}


static inline void step_scene(scene *s, int64_t steps)
{
    for (int64_t i = 0; i < steps; i++) assert_ok(s->ctx, rico_simulation_step(s->sim, s->h));
}


// --- readings ------------------------------------------------------------------------------------------------------

static inline rico_stand stand_of(const scene *s, int64_t body)
{
    rico_stand turned, own = rico_stand_at(0.0, 0.0, 0.0);
    double back[4];
    assert_true(rico_bodies_stand(s->bodies, body, rico_simulation_time(s->sim),
                                  rico_simulation_position(s->sim), &turned));
    rico_quaternion_conjugate(s->turn, back);
    rico_quaternion_rotate(back, turned.position, own.position);
    rico_quaternion_multiply(back, turned.orientation, own.orientation);
    return own;
}


static inline void velocity_of(const scene *s, int64_t body, double out[3])
{
    rico_quaternion_rotate_back(
        s->turn, rico_simulation_velocity(s->sim) + rico_bodies_velocity(s->bodies, body), out);
}


// The angular velocity in the axes of the scene.
static inline void spin_of(const scene *s, int64_t body, double out[3])
{
    const double *q = rico_simulation_position(s->sim) + rico_bodies_position(s->bodies, body) + 3;
    double world[3];
    rico_quaternion_rotate(q, rico_simulation_velocity(s->sim) + rico_bodies_velocity(s->bodies, body) + 3,
                           world);
    rico_quaternion_rotate_back(s->turn, world, out);
}


// How fast the fastest point of the state moves: the largest velocity of a center, or angular.
static inline double restless(const scene *s)
{
    double most = 0.0;
    for (int64_t i = 0; i < rico_system_velocities(s->system); i++)
        most = fmax(most, fabs(rico_simulation_velocity(s->sim)[i]));
    return most;
}


// The largest change of a position since the start, quaternions included.
static inline double moved(const scene *s)
{
    double most = 0.0;
    for (int64_t i = 0; i < rico_system_positions(s->system); i++)
        most = fmax(most, fabs(rico_simulation_position(s->sim)[i] - s->start_q[i]));
    return most;
}


// Kinetic, and potential against gravity.
static inline double energy_of(const scene *s)
{
    double energy = rico_simulation_ledger(s->sim)->kinetic;
    for (int64_t b = 0; b < rico_bodies_count(s->bodies); b++) {
        if (rico_bodies_type(s->bodies, b) != RICO_BODY_FREE) continue;
        const double *center = rico_simulation_position(s->sim) + rico_bodies_position(s->bodies, b);
        energy -= rico_bodies_mass(s->bodies, b) * rico_vec3_dot(s->gravity, center);
    }
    return energy;
}

#endif
