// Plants: one system of each kind that a step meets (linear, nonlinear, with friction, with joints), with an initial
// state and a step size. For tests that go through every scheme of the table.

#ifndef RICO_TESTS_STEP_PLANTS_H
#define RICO_TESTS_STEP_PLANTS_H

#include "systems.h"

typedef struct plant {
    rico_system *system;
    random_system random; // of the plants that are random
    int64_t nq, nv;
    double q[16], v[16], h;
    int steps;
} plant;

enum { PLANTS = 6 };

static inline void plant_state(plant *self, int64_t n, const double *q, const double *v)
{
    self->nq = self->nv = n;
    memcpy(self->q, q, (size_t)n * sizeof *q);
    memcpy(self->v, v, (size_t)n * sizeof *v);
}


static inline bool rod_value(void *user, double t, const double *q, double *g)
{
    (void)user, (void)t;
    *g = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0);
    return true;
}


static inline bool rod_frame(void *user, double t, const double *q, double *H)
{
    (void)user, (void)t;
    H[0] = q[0];
    H[1] = q[1];
    return true;
}


// A pendulum in Cartesian coordinates: a joint, and a wall with friction.
static inline rico_system *jointed(rico_context *ctx)
{
    const int64_t column[] = {0, 1, 2}, dof[] = {0, 1};
    const double ones[] = {1.0, 1.0}, weight[] = {0.0, -1.0}, wall[] = {-1.0, 0.0, 0.0, 1.0};
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_matrix_part bob = {.size = 2, .M = {2, 2, column, dof, ones}, .force = weight};
    assert_ok(ctx, rico_system_add_matrices(system, "bob", &bob, NULL));
    rico_joint rod = {.size = 1, .reach = {2, dof}, .value = rod_value, .frame = rod_frame};
    assert_ok(ctx, rico_system_add_joint(system, "rod", &rod, NULL));
    rico_contact plane = {.dimension = 2,
                          .restitution = 0.5,
                          .friction = 0.2,
                          .reach = {2, dof},
                          .gradient = wall,
                          .offset = 0.3};
    assert_ok(ctx, rico_system_add_contact(system, "wall", &plane, NULL));
    return system;
}


// A double pendulum by its angles: mass and forces by functions, the lower end above a rough floor.
static inline bool arm_mass(void *user, const double *q, double *M)
{
    (void)user;
    M[0] = 2.0;
    M[1] = M[2] = cos(q[0] - q[1]);
    M[3] = 1.0;
    return true;
}


static inline bool arm_force(void *user, double t, const double *q, const double *v, double *f)
{
    (void)user, (void)t;
    f[0] = -sin(q[0] - q[1]) * v[1] * v[1];
    f[1] = sin(q[0] - q[1]) * v[0] * v[0];
    return true;
}


static inline bool arm_potential(void *user, const double *q, double *V)
{
    (void)user;
    *V = -2.0 * cos(q[0]) - cos(q[1]);
    return true;
}


static inline bool arm_gradient(void *user, const double *q, double *g)
{
    (void)user;
    g[0] = 2.0 * sin(q[0]);
    g[1] = sin(q[1]);
    return true;
}


static inline bool arm_gap(void *user, double t, const double *q, double *gap)
{
    (void)user, (void)t;
    *gap = 1.9 - cos(q[0]) - cos(q[1]);
    return true;
}


static inline bool arm_frame(void *user, double t, const double *q, double *H)
{
    (void)user, (void)t;
    H[0] = sin(q[0]);
    H[1] = sin(q[1]);
    H[2] = cos(q[0]);
    H[3] = cos(q[1]);
    return true;
}


static inline rico_system *arm(rico_context *ctx)
{
    const int64_t dof[] = {0, 1};
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_callback_part part = {.size = 2,
                               .mass = arm_mass,
                               .force = arm_force,
                               .potential = arm_potential,
                               .gradient = arm_gradient};
    assert_ok(ctx, rico_system_add_callbacks(system, "arm", &part, NULL));
    rico_contact floor = {.dimension = 2,
                          .restitution = 0.3,
                          .friction = 0.4,
                          .reach = {2, dof},
                          .gap = arm_gap,
                          .frame = arm_frame};
    assert_ok(ctx, rico_system_add_contact(system, "floor", &floor, NULL));
    return system;
}


static inline void plant_create(rico_context *ctx, int kind, plant *self)
{
    rico_random random;
    memset(self, 0, sizeof *self);
    self->h = 2e-3;
    self->steps = 500;
    rico_random_seed(&random, 100u + (uint64_t)kind);
    switch (kind) {
    case 0:
        self->system = bouncing_ball(ctx, -2.0, 0.5);
        plant_state(self, 1, (double[]){0.1}, (double[]){0.0});
        break;
    case 1:
        self->system = impacting_stick(ctx, 0.5, 0.3);
        plant_state(self, 3, (double[]){0.0, 0.5 * M_SQRT1_2 + 0.01, 0.25 * M_PI},
                    (double[]){-0.5, 0.1, 0.1});
        self->steps = 100;
        break;
    case 2:
        self->system = jointed(ctx);
        plant_state(self, 2, (double[]){0.0, -1.0}, (double[]){0.8, 0.0});
        break;
    case 3:
        self->system = arm(ctx);
        plant_state(self, 2, (double[]){0.4, 0.3}, (double[]){0.0, 0.0});
        break;
    default:
        // contacts in space (4) and without friction (5), fewer than coordinates
        random_system_create(ctx, &random, 12, kind == 4 ? 3 : 5, kind == 4 ? 3 : 1, 0.6, 0.5, true,
                             &self->random);
        self->system = self->random.system;
        plant_state(self, 12, self->random.q, self->random.v);
    }
}


static inline void plant_destroy(plant *self)
{
    if (self->random.system)
        random_system_destroy(&self->random);
    else
        rico_system_destroy(self->system);
}

#endif
