// Systems that tests of time stepping share: random linear ones, the bouncing ball, the impacting stick.

#ifndef RICO_TESTS_STEP_SYSTEMS_H
#define RICO_TESTS_STEP_SYSTEMS_H

#include "ricochet/ricochet.h"
#include "support.h"

// A random linear system: n coordinates, M and K symmetric positive definite (dense), C symmetric semidefinite, a
// load of time, `contacts` contacts of the given dimension with random gradients, restitutions in [0, e_max] and
// friction mu; gaps start open or closed at random.
typedef struct random_system {
    rico_system *system;
    int64_t n;
    double *q, *v; // an initial state
    double load[64], frequency;
} random_system;

static inline bool random_load(void *user, double t, double *f)
{
    const random_system *self = user;
    for (int64_t i = 0; i < self->n; i++) f[i] = self->load[i] * sin(self->frequency * t + (double)i);
    return true;
}


// B B' / n + shift on a full pattern.
static inline void random_spd(rico_random *random, int64_t n, int64_t rank, double shift, double *a)
{
    double *b = malloc((size_t)(n * rank) * sizeof *b);
    for (int64_t i = 0; i < n * rank; i++) b[i] = rico_random_normal(random);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            double sum = i == j ? shift : 0.0;
            for (int64_t k = 0; k < rank; k++) sum += b[i * rank + k] * b[j * rank + k] / (double)n;
            a[i + j * n] = sum;
        }
    free(b);
}


static inline void random_system_create(rico_context *ctx, rico_random *random, int64_t n, int64_t contacts,
                                        int dimension, double e_max, double mu, bool damped,
                                        random_system *out)
{
    assert_true(n <= 64);
    size_t cells = (size_t)(n * n);
    double *M = malloc(cells * sizeof *M), *K = malloc(cells * sizeof *K), *C = malloc(cells * sizeof *C);
    int64_t *start = malloc((size_t)(n + 1) * sizeof *start), *row = malloc(cells * sizeof *row);
    for (int64_t j = 0; j <= n; j++) start[j] = j * n;
    for (int64_t k = 0; k < n * n; k++) row[k] = k % n;
    random_spd(random, n, n, 0.5, M);
    random_spd(random, n, n, 0.5, K);
    random_spd(random, n, (n + 1) / 2, 0.0, C);

    memset(out, 0, sizeof *out);
    out->n = n;
    out->frequency = rico_random_range(random, 0.5, 5.0);
    out->q = malloc((size_t)n * sizeof(double));
    out->v = malloc((size_t)n * sizeof(double));
    for (int64_t i = 0; i < n; i++) {
        out->load[i] = rico_random_normal(random);
        out->q[i] = rico_random_normal(random);
        out->v[i] = rico_random_normal(random);
    }
    assert_ok(ctx, rico_system_create(ctx, &out->system));
    rico_matrix_part part = {
        .size = n, .M = {n, n, start, row, M}, .K = {n, n, start, row, K}, .load = random_load, .user = out};
    if (damped) part.C = (rico_sparse_view){n, n, start, row, C};
    assert_ok(ctx, rico_system_add_matrices(out->system, "random", &part, NULL));

    int64_t *dof = malloc((size_t)n * sizeof *dof);
    double *gradient = malloc((size_t)(3 * n) * sizeof *gradient);
    for (int64_t i = 0; i < n; i++) dof[i] = i;
    for (int64_t c = 0; c < contacts; c++) {
        for (int64_t i = 0; i < dimension * n; i++) gradient[i] = rico_random_normal(random);
        double gap = 0.0;
        for (int64_t i = 0; i < n; i++) gap += gradient[i] * out->q[i];
        rico_contact contact = {.dimension = dimension,
                                .restitution = rico_random_range(random, 0.0, e_max),
                                .friction = dimension > 1 ? mu * rico_random_unit(random) : 0.0,
                                .reach = {n, dof},
                                .gradient = gradient,
                                .offset = -gap + rico_random_range(random, -0.01, 0.05)};
        assert_ok(ctx, rico_system_add_contact(out->system, "contact", &contact, NULL));
    }
    free(M);
    free(K);
    free(C);
    free(start);
    free(row);
    free(dof);
    free(gradient);
}


static inline void random_system_destroy(random_system *self)
{
    rico_system_destroy(self->system);
    free(self->q);
    free(self->v);
}


// A point mass above the ground under the constant force f (Acary 2012, example 1).
static inline rico_system *bouncing_ball(rico_context *ctx, double f, double e)
{
    const int64_t start[] = {0, 1}, row[] = {0}, dof[] = {0};
    const double one[] = {1.0}, force[] = {f};
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_matrix_part part = {.size = 1, .M = {1, 1, start, row, one}, .force = force};
    assert_ok(ctx, rico_system_add_matrices(system, "ball", &part, NULL));
    rico_contact contact = {.dimension = 1, .restitution = e, .reach = {1, dof}, .gradient = one};
    assert_ok(ctx, rico_system_add_contact(system, "ground", &contact, NULL));
    return system;
}


// The impacting stick (Acary and Collins-Craft 2024, section 5.1): q = (x, y, gamma), one end may touch the ground.
static inline bool stick_gap(void *user, double t, const double *q, double *gap)
{
    (void)t;
    double half = 0.5 * *(const double *)user;
    *gap = q[1] - half * cos(q[2]);
    return true;
}


static inline bool stick_frame(void *user, double t, const double *q, double *H)
{
    (void)t;
    double half = 0.5 * *(const double *)user;
    // C = (x + l/2 sin gamma, y - l/2 cos gamma): normal along y, tangent along x
    H[0] = 0.0;
    H[1] = 1.0;
    H[2] = half * sin(q[2]);
    H[3] = 1.0;
    H[4] = 0.0;
    H[5] = half * cos(q[2]);
    return true;
}


static inline rico_system *impacting_stick(rico_context *ctx, double e, double mu)
{
    static double length = 1.0;
    const int64_t start[] = {0, 1, 2, 3}, row[] = {0, 1, 2}, dof[] = {0, 1, 2};
    const double mass[] = {1.0, 1.0, 1.0 / 12.0}, force[] = {0.0, -10.0, 0.0};
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_matrix_part part = {.size = 3, .M = {3, 3, start, row, mass}, .force = force};
    assert_ok(ctx, rico_system_add_matrices(system, "stick", &part, NULL));
    rico_contact contact = {.dimension = 2,
                            .restitution = e,
                            .friction = mu,
                            .reach = {3, dof},
                            .gap = stick_gap,
                            .frame = stick_frame,
                            .user = &length};
    assert_ok(ctx, rico_system_add_contact(system, "end", &contact, NULL));
    return system;
}

#endif
