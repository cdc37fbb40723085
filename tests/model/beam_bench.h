// Beams on a bench: one of them alone, its energy, forces and tangents, and Newton's loop for its statics.

#ifndef RICO_TESTS_BEAM_BENCH_H
#define RICO_TESTS_BEAM_BENCH_H

#include "support.h"

#include "la/dense.h"
#include "la/factor.h"
#include "la/quaternion.h"
#include "model/assembly.h"
#include "model/beam.h"

#include <float.h>

enum { MOST_NODES = 65, MOST = 7 * MOST_NODES };

// The beam of the flexible pendulum, spec/03 part D3.
static const double LENGTH = 1.0, YOUNG = 2.1e11, AREA = 1e-4, MOMENT = 8.33e-10;

typedef struct bench {
    rico_context *ctx;
    rico_bodies *bodies;
    rico_system *system;
    rico_assembly *assembly;
    rico_random random;
    int dimension;
    int64_t n, nv;
    double q[MOST], v[MOST];
} bench;


static inline double draw(bench *self)
{
    return rico_random_range(&self->random, -1.0, 1.0);
}


static inline rico_beam beam_of(void)
{
    rico_beam beam = rico_beam_default();
    beam.name = "rod";
    beam.section = (rico_section){.area = AREA,
                                  .shear = {5.0 / 6.0 * AREA, 5.0 / 6.0 * AREA},
                                  .torsion = 1.2 * MOMENT,
                                  .bending = {MOMENT, MOMENT}};
    beam.young = YOUNG;
    beam.poisson = 0.3;
    beam.density = 7800.0;
    return beam;
}


static inline void begin(bench *self, int dimension)
{
    memset(self, 0, sizeof *self);
    self->dimension = dimension;
    self->ctx = rico_context_create(NULL);
    rico_random_seed(&self->random, 5);
    assert_ok(self->ctx, rico_bodies_create(self->ctx, dimension, &self->bodies));
    assert_ok(self->ctx, rico_system_create(self->ctx, &self->system));
}


static inline void complete(bench *self)
{
    rico_place place;
    assert_ok(self->ctx, rico_system_add_bodies(self->system, "bodies", self->bodies, &place));
    assert_ok(self->ctx, rico_system_complete(self->system));
    assert_ok(self->ctx, rico_assembly_create(self->ctx, self->system, &self->assembly));
    self->nv = rico_system_velocities(self->system);
    assert_true(rico_system_positions(self->system) <= MOST);
    rico_bodies_start(self->bodies, self->q, self->v);
}


static inline void end(bench *self)
{
    rico_assembly_destroy(self->assembly);
    rico_system_destroy(self->system);
    rico_bodies_destroy(self->bodies);
    rico_context_destroy(self->ctx);
}


// A straight beam along x, its sections' axes those of the world.
static inline void add_straight(bench *self, rico_beam beam, int64_t elements)
{
    rico_stand stand[MOST_NODES];
    self->n = elements;
    for (int64_t i = 0; i <= elements; i++) {
        stand[i] = (rico_stand){.orientation = {1.0, 0.0, 0.0, 0.0}};
        stand[i].position[0] = LENGTH * (double)i / (double)elements;
    }
    beam.nodes = elements + 1;
    beam.stand = stand;
    assert_ok(self->ctx, rico_bodies_add_beam(self->bodies, &beam, NULL));
}


static inline void set_up(bench *self, int dimension, int64_t elements, bool clamped)
{
    rico_beam beam = beam_of();
    begin(self, dimension);
    beam.clamped[0] = clamped;
    add_straight(self, beam, elements);
    complete(self);
}


static inline double energy(bench *self, const double *q)
{
    double V;
    assert_ok(self->ctx, rico_assembly_potential(self->assembly, 0.0, q, &V));
    return V;
}


static inline void forces(bench *self, const double *q, const double *v, double *f)
{
    assert_ok(self->ctx, rico_assembly_forces(self->assembly, 0.0, q, v, f, NULL, NULL));
}


// Where a node stands in q and v; -1: clamped.
static inline const rico_bound_body *node(const bench *self, int64_t i)
{
    return &self->bodies->body[i];
}


static inline void disturb(bench *self, double shift, double turn)
{
    double d[MOST], moved[MOST];
    int width = self->dimension == 2 ? 3 : 6;
    for (int64_t i = 0; i < self->nv; i++) d[i] = (i % width < self->dimension ? shift : turn) * draw(self);
    assert_ok(self->ctx, rico_assembly_retract(self->assembly, 0.0, self->q, 1.0, d, moved));
    memcpy(self->q, moved, sizeof moved);
}


// What acts on the last node: a force that keeps its direction and a torque in the axes of the world.
typedef struct push {
    double force[3], torque[3];
} push;


static inline void add_push(const bench *self, const push *at_end, double factor, const double *q, double *f)
{
    const rico_bound_body *last = node(self, self->n);
    double *own = f + last->v;
    for (int i = 0; i < self->dimension; i++) own[i] += factor * at_end->force[i];
    if (self->dimension == 2) {
        own[2] += factor * at_end->torque[2];
        return;
    }
    double torque[3];
    rico_quaternion_rotate_back(q + last->q + 3, at_end->torque, torque);
    for (int i = 0; i < 3; i++) own[3 + i] += factor * torque[i];
}


// K on the system's pattern at q.
static inline rico_csc stiffness(bench *self, const double *q)
{
    rico_csc K = self->system->pattern;
    assert_ok(self->ctx, rico_assembly_tangents(self->assembly, 0.0, q, self->v));
    K.value = self->assembly->K;
    return K;
}


// Newton from the state in q, the load put on in `parts` steps. Returns iterations of the last.
static inline int settle(bench *self, const push *at_end, int parts)
{
    rico_factor *factor = NULL;
    int turns = 0;
    for (int k = 1; k <= parts; k++)
        for (turns = 0; turns < 60; turns++) {
            double f[MOST], d[MOST], moved[MOST];
            forces(self, self->q, self->v, f);
            add_push(self, at_end, (double)k / parts, self->q, f);
            const rico_csc K = stiffness(self, self->q);
            if (factor)
                assert_ok(self->ctx, rico_factor_refactor(factor, &K));
            else
                assert_ok(self->ctx, rico_factor_create(RICO_LU, &K, &factor));
            assert_ok(self->ctx, rico_factor_solve(factor, 1, f, d));
            assert_ok(self->ctx, rico_assembly_retract(self->assembly, 0.0, self->q, 1.0, d, moved));
            memcpy(self->q, moved, sizeof moved);
            if (rico_norm_inf(self->nv, d) < 1e-14) break;
        }
    rico_factor_destroy(factor);
    return turns;
}

#endif
