// Random linear systems against half-spaces, with their matrices at hand, and the explicit schemes.

#ifndef RICO_TESTS_STEP_PLAIN_H
#define RICO_TESTS_STEP_PLAIN_H

#include "systems.h"

enum { FEW = 6 };

static const char *const SCHEMES[] = {"paoli-position", "paoli-velocity", "sweeping"};


// A system of n coordinates with M and K dense, the load a cos(w t + i), and `count` half-spaces A q + b >= 0.
typedef struct plain {
    rico_system *system;
    int n, count;
    double M[FEW * FEW], K[FEW * FEW], C[FEW * FEW], A[FEW * FEW], b[FEW], load[FEW], q[FEW], v[FEW], e;
} plain;


static inline bool plain_load(void *user, double t, double *f)
{
    const plain *self = user;
    for (int i = 0; i < self->n; i++) f[i] = self->load[i] * cos(3.0 * t + i);
    return true;
}


static inline void plain_create(rico_context *ctx, rico_random *random, int n, int count, double e,
                                plain *out)
{
    int64_t start[FEW + 1], row[FEW * FEW], dof[FEW];
    assert_true(n >= 1 && n <= FEW && count <= FEW);
    memset(out, 0, sizeof *out);
    out->n = n, out->count = count, out->e = e;
    for (int j = 0; j <= n; j++) start[j] = (int64_t)j * n;
    for (int k = 0; k < n * n; k++) row[k] = k % n;
    for (int i = 0; i < n; i++) {
        dof[i] = i;
        out->q[i] = rico_random_normal(random);
        out->v[i] = rico_random_normal(random);
        out->load[i] = 3.0 * rico_random_normal(random);
    }
    random_spd(random, n, n, 0.5, out->M);
    random_spd(random, n, n, 0.5, out->K);
    random_spd(random, n, n, 0.0, out->C);
    assert_ok(ctx, rico_system_create(ctx, &out->system));
    rico_matrix_part part = {.size = n,
                             .M = {n, n, start, row, out->M},
                             .K = {n, n, start, row, out->K},
                             .C = {n, n, start, row, out->C},
                             .load = plain_load,
                             .user = out};
    assert_ok(ctx, rico_system_add_matrices(out->system, "plain", &part, NULL));
    for (int c = 0; c < count; c++) {
        double gap = 0.0;
        for (int i = 0; i < n; i++) gap += (out->A[c * n + i] = rico_random_normal(random)) * out->q[i];
        out->b[c] = rico_random_range(random, 0.0, 0.1) - gap;
        rico_contact contact = {.dimension = 1,
                                .restitution = e,
                                .reach = {n, dof},
                                .gradient = out->A + (ptrdiff_t)c * n,
                                .offset = out->b[c]};
        assert_ok(ctx, rico_system_add_contact(out->system, "face", &contact, NULL));
    }
}


static inline rico_simulation *start_ball(rico_context *ctx, rico_system *system, const char *scheme,
                                          double q, double v)
{
    rico_simulation *sim;
    assert_ok(ctx, rico_simulation_create(system, scheme, &sim));
    assert_ok(ctx, rico_simulation_start(sim, 0.0, &q, &v));
    return sim;
}

#endif
