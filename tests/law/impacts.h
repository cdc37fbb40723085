// What the tests of impact laws share: small systems, one call to apply a law, and the books that must always close.

#ifndef RICO_TESTS_LAW_IMPACTS_H
#define RICO_TESTS_LAW_IMPACTS_H

#include "dense_reference.h"
#include "ricochet/impact.h"
#include "support.h"

static inline int make_context(void **state)
{
    *state = rico_context_create(NULL);
    return *state ? 0 : 1;
}


static inline int drop_context(void **state)
{
    rico_context_destroy(*state);
    return 0;
}


static inline rico_impact *chain_of(rico_context *ctx, int64_t balls, const double *mass,
                                    rico_chain_wall wall)
{
    rico_impact *impact = NULL;
    assert_ok(ctx, rico_chain_create(ctx, balls, mass, wall, &impact));
    return impact;
}


// From dense row-major M (n x n) and W (n x h).
static inline rico_impact *impact_of(rico_context *ctx, int64_t n, int64_t h, const double *M,
                                     const double *W)
{
    size_t cells = (size_t)(n * (n + h));
    if (cells == 0) cells = 1;
    int64_t *start = calloc((size_t)(n + h + 2), sizeof *start), *row = calloc(cells, sizeof *row);
    double *value = calloc(cells, sizeof *value);
    int64_t *W_start = start + n + 1, *W_row = row + n * n, count = 0;
    double *W_value = value + n * n;
    for (int64_t j = 0; j < n; j++) {
        for (int64_t i = 0; i < n; i++) {
            row[j * n + i] = i;
            value[j * n + i] = M[i * n + j];
        }
        start[j + 1] = (j + 1) * n;
    }
    for (int64_t j = 0; j < h; j++) {
        for (int64_t i = 0; i < n; i++)
            if (W[i * h + j] != 0.0) {
                W_row[count] = i;
                W_value[count++] = W[i * h + j];
            }
        W_start[j + 1] = count;
    }
    const rico_sparse_view mass = {n, n, start, row, value}, gradients = {n, h, W_start, W_row, W_value};
    rico_impact *impact = NULL;
    assert_ok(ctx, rico_impact_create(ctx, &mass, &gradients, &impact));
    free(start);
    free(row);
    free(value);
    return impact;
}


// A system of two contacts whose Delassus matrix is [[a, b], [b, a]]: M is its inverse and W the identity, so that
// generalized and gap velocities are the same.
static inline rico_impact *pair_of(rico_context *ctx, double a, double b)
{
    const double scale = 1.0 / (a * a - b * b), identity[] = {1.0, 0.0, 0.0, 1.0};
    const double M[] = {a * scale, -b * scale, -b * scale, a * scale};
    return impact_of(ctx, 2, 2, M, identity);
}


// A random positive definite M and a random W; rank limits the columns of W to combinations of that many.
static inline rico_impact *random_impact(rico_context *ctx, rico_random *random, int64_t n, int64_t h,
                                         int64_t rank)
{
    double *M = calloc((size_t)(n * n) + 1, sizeof *M), *W = calloc((size_t)(n * h) + 1, sizeof *W);
    for (int64_t i = 0; i < n; i++) M[i * n + i] = 0.5;
    for (int64_t k = 0; k < n; k++) {
        double v[16];
        assert_true(n <= 16);
        for (int64_t i = 0; i < n; i++) v[i] = rico_random_normal(random);
        for (int64_t i = 0; i < n * n; i++) M[i] += v[i / n] * v[i % n] / (double)n;
    }
    for (int64_t j = 0; j < h; j++)
        for (int64_t i = 0; i < n && j < rank; i++) W[i * h + j] = rico_random_normal(random);
    for (int64_t j = rank; j < h; j++)
        for (int64_t k = 0; k < rank; k++) {
            double weight = rico_random_range(random, -1.0, 1.0);
            for (int64_t i = 0; i < n; i++) W[i * h + j] += weight * W[i * h + k];
        }
    rico_impact *impact = impact_of(ctx, n, h, M, W);
    free(M);
    free(W);
    return impact;
}


static inline rico_impact_law *law_on(rico_context *ctx, const char *name, const rico_impact *impact)
{
    rico_impact_law *law = NULL;
    assert_ok(ctx, rico_impact_law_create(ctx, name, &law));
    assert_ok(ctx, rico_impact_law_setup(law, impact));
    return law;
}


static inline rico_impact_result apply(rico_context *ctx, rico_impact_law *law, const double *u)
{
    rico_impact_result result;
    assert_ok(ctx, rico_impact_law_apply(law, u, &result));
    return result;
}


// Every law: Lambda >= 0, gamma+ = gamma- + G Lambda = W'u+, T+ - T- = Lambda'(gamma+ + gamma-)/2 = -sum of the losses.
static inline void assert_books(rico_context *ctx, const rico_impact *impact, const double *u,
                                const rico_impact_result *r, double tol)
{
    (void)ctx;
    int64_t h = rico_impact_contacts(impact);
    double *gamma = calloc((size_t)h + 1, sizeof *gamma);
    double work = 0.0, loss = 0.0, scale = fmax(r->energy_before, r->energy_after), speed = 0.0;
    rico_impact_gap_velocity(impact, r->velocity, gamma);
    for (int64_t i = 0; i < rico_impact_dofs(impact); i++) speed = fmax(speed, fabs(u[i]));
    for (int64_t j = 0; j < h; j++) speed = fmax(speed, fmax(fabs(gamma[j]), fabs(r->gap_before[j])));
    for (int64_t j = 0; j < h; j++) {
        assert_at_most(-r->impulse[j], 0.0);
        assert_near(r->gap_after[j], gamma[j], tol * speed);
        work += 0.5 * (r->gap_before[j] + gamma[j]) * r->impulse[j];
        loss += r->loss[j];
        scale += 0.5 * (fabs(r->gap_before[j]) + fabs(gamma[j]) + speed) * r->impulse[j]; // of the terms
    }
    assert_near(r->energy_after - r->energy_before, work, tol * scale);
    assert_near(r->energy_before - r->energy_after, loss, tol * scale);
    assert_near(r->energy_before, rico_impact_kinetic_energy(impact, u), tol * scale);
    free(gamma);
}


static inline void assert_all_near(int64_t count, const double *value, const double *expected, double tol)
{
    for (int64_t i = 0; i < count; i++)
        if (!(fabs(value[i] - expected[i]) <= tol))
            fail_msg("entry %lld is %.17g, expected %.17g within %.3g", (long long)i, value[i], expected[i],
                     tol);
}

#endif
