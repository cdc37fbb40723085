// Linear systems in feedback with relations, x' = A x + e(t) + B lambda, y = C x + c0(t) + D lambda: a part whose velocities are the
// states, and a relation for each output.

#ifndef RICO_TESTS_STEP_LURE_H
#define RICO_TESTS_STEP_LURE_H

#include "support.h"

#include "ricochet/ricochet.h"

enum { LURE_STATES = 4, LURE_OUTPUTS = 4 };

typedef struct lure lure;

typedef struct lure_row {
    const lure *whole;
    int index;
} lure_row;

struct lure {
    int n, m;
    double A[LURE_STATES][LURE_STATES], B[LURE_STATES][LURE_OUTPUTS], C[LURE_OUTPUTS][LURE_STATES],
        D[LURE_OUTPUTS][LURE_OUTPUTS];
    void (*input)(double t, double *e); // or NULL
    rico_relation tie;                  // law, bounds and factor of all of them
    lure_row row[LURE_OUTPUTS];
};


static inline bool lure_mass(void *user, const double *q, double *M)
{
    const lure *self = user;
    (void)q;
    for (int i = 0; i < self->n * self->n; i++) M[i] = i % (self->n + 1) == 0;
    return true;
}


static inline bool lure_force(void *user, double t, const double *q, const double *v, double *f)
{
    const lure *self = user;
    (void)q;
    for (int i = 0; i < self->n; i++) f[i] = 0.0;
    if (self->input) self->input(t, f);
    for (int i = 0; i < self->n; i++)
        for (int j = 0; j < self->n; j++) f[i] += self->A[i][j] * v[j];
    return true;
}


static inline bool lure_damping(void *user, double t, const double *q, const double *v, double *C)
{
    const lure *self = user;
    (void)t, (void)q, (void)v;
    for (int i = 0; i < self->n; i++)
        for (int j = 0; j < self->n; j++) C[i + j * self->n] = -self->A[i][j];
    return true;
}


static inline bool lure_stiffness(void *user, double t, const double *q, const double *v, double *K)
{
    const lure *self = user;
    (void)t, (void)q, (void)v;
    for (int i = 0; i < self->n * self->n; i++) K[i] = 0.0;
    return true;
}


static inline bool lure_action(void *user, double *scratch, double t, const double *q, double *B)
{
    const lure_row *row = user;
    (void)scratch, (void)t, (void)q;
    for (int i = 0; i < row->whole->n; i++) B[i] = row->whole->B[i][row->index];
    return true;
}


static inline bool lure_output(void *user, double *scratch, double t, const double *q, const double *v,
                               double *y, double *by_q, double *by_v)
{
    const lure_row *row = user;
    (void)scratch, (void)t, (void)q;
    *y = 0.0;
    for (int i = 0; i < row->whole->n; i++) {
        by_q[i] = 0.0;
        by_v[i] = row->whole->C[row->index][i];
        *y += by_v[i] * v[i];
    }
    return true;
}


static inline rico_status lure_system(rico_context *ctx, lure *self, rico_system **out)
{
    static const int64_t dof[LURE_STATES] = {0, 1, 2, 3};
    int64_t index[LURE_OUTPUTS];
    rico_status status = rico_system_create(ctx, out);
    if (status != RICO_OK) return status;
    rico_callback_part part = {.size = self->n,
                               .constant_mass = true,
                               .mass = lure_mass,
                               .force = lure_force,
                               .stiffness = lure_stiffness,
                               .damping = lure_damping,
                               .user = self};
    status = rico_system_add_callbacks(*out, "plant", &part, NULL);
    for (int k = 0; k < self->m && status == RICO_OK; k++) {
        char name[] = {'y', (char)('1' + k), '\0'};
        rico_relation relation = self->tie;
        self->row[k] = (lure_row){self, k};
        relation.affine = true;
        relation.reach = (rico_reach){self->n, dof};
        relation.action = lure_action;
        relation.output = lure_output;
        relation.user = &self->row[k];
        status = rico_system_add_relation(*out, name, &relation, &index[k]);
    }
    for (int i = 0; i < self->m; i++)
        for (int j = 0; j < self->m && status == RICO_OK; j++)
            if (self->D[i][j] != 0.0)
                status = rico_system_feed_through(*out, index[i], index[j], self->D[i][j]);
    if (status != RICO_OK) {
        rico_system_destroy(*out);
        *out = NULL;
    }
    return status;
}


static inline rico_simulation *lure_start(rico_context *ctx, rico_system *system, double theta,
                                          const double *x)
{
    rico_simulation *sim;
    double zero[LURE_STATES] = {0.0};
    assert_ok(ctx, rico_simulation_create(system, "moreau-jean", &sim));
    assert_ok(ctx, rico_simulation_set_number(sim, "theta", theta));
    assert_ok(ctx, rico_simulation_start(sim, 0.0, zero, x));
    return sim;
}

#endif
