// Systems that tests of time stepping share: random linear ones, oscillators, the bouncing ball, the impacting stick, a
// nonlinear one.

#ifndef RICO_TESTS_STEP_SYSTEMS_H
#define RICO_TESTS_STEP_SYSTEMS_H

#include "ricochet/ricochet.h"
#include "support.h"

// A random linear system: n coordinates, M and K symmetric positive definite (dense), C symmetric semidefinite, a
// load of time, `contacts` contacts of the given dimension with random gradients, restitutions in [0, e_max] and
// friction mu; gaps start open, so that positions that keep all of them exist.
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
                                .offset = -gap + rico_random_range(random, 0.0, 0.05)};
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

// m = 1 on a spring k with a damper c, above a ground at q = -offset.
static inline rico_system *bouncing_oscillator(rico_context *ctx, double k, double c, double offset, double e)
{
    const int64_t start[] = {0, 1}, row[] = {0}, dof[] = {0};
    const double one[] = {1.0};
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_matrix_part part = {.size = 1, .M = {1, 1, start, row, one}, .K = {1, 1, start, row, &k}};
    if (c != 0.0) part.C = (rico_sparse_view){1, 1, start, row, &c};
    assert_ok(ctx, rico_system_add_matrices(system, "oscillator", &part, NULL));
    rico_contact contact = {
        .dimension = 1, .restitution = e, .reach = {1, dof}, .gradient = one, .offset = offset};
    assert_ok(ctx, rico_system_add_contact(system, "ground", &contact, NULL));
    return system;
}


// Four coordinates with masses m(q_i) = 1 + cos^2(q_i)/2, the potential sum q^2 + q^4/4 and a curved contact: the
// Lagrangian's own force -m' v^2/2 and no dissipation.
enum { CURVED = 4 };

static inline bool curved_mass(void *user, const double *q, double *M)
{
    (void)user;
    memset(M, 0, CURVED * CURVED * sizeof *M);
    for (int i = 0; i < CURVED; i++) M[i * CURVED + i] = 1.0 + 0.5 * cos(q[i]) * cos(q[i]);
    return true;
}


static inline bool curved_force(void *user, double t, const double *q, const double *v, double *f)
{
    (void)user, (void)t;
    for (int i = 0; i < CURVED; i++) f[i] = 0.5 * cos(q[i]) * sin(q[i]) * v[i] * v[i];
    return true;
}


static inline bool curved_potential(void *user, const double *q, double *V)
{
    (void)user;
    *V = 0.0;
    for (int i = 0; i < CURVED; i++) *V += q[i] * q[i] * (1.0 + 0.25 * q[i] * q[i]);
    return true;
}


static inline bool curved_gradient(void *user, const double *q, double *g)
{
    (void)user;
    for (int i = 0; i < CURVED; i++) g[i] = 2.0 * q[i] + q[i] * q[i] * q[i];
    return true;
}


static inline bool curved_gap(void *user, double t, const double *q, double *gap)
{
    (void)user, (void)t;
    *gap = q[0] + 0.3 * sin(q[1]) + 0.2;
    return true;
}


// The user data is the contact's dimension.
static inline bool curved_frame(void *user, double t, const double *q, double *H)
{
    (void)t;
    int dimension = *(const int *)user;
    memset(H, 0, (size_t)(dimension * CURVED) * sizeof *H);
    H[0] = 1.0;
    H[1] = 0.3 * cos(q[1]);
    for (int i = 1; i < dimension; i++) H[i * CURVED + i + 1] = 1.0;
    return true;
}


static inline rico_system *curved_system(rico_context *ctx, int dimension, double e, double mu)
{
    static int dimensions[] = {0, 1, 2, 3};
    const int64_t dof[] = {0, 1, 2, 3};
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_callback_part part = {.size = CURVED,
                               .mass = curved_mass,
                               .force = curved_force,
                               .potential = curved_potential,
                               .gradient = curved_gradient};
    assert_ok(ctx, rico_system_add_callbacks(system, "curved", &part, NULL));
    rico_contact contact = {.dimension = dimension,
                            .restitution = e,
                            .friction = dimension > 1 ? mu : 0.0,
                            .reach = {CURVED, dof},
                            .gap = curved_gap,
                            .frame = curved_frame,
                            .user = &dimensions[dimension]};
    assert_ok(ctx, rico_system_add_contact(system, "ground", &contact, NULL));
    return system;
}


// Everything in a step's balance, without signs: what its residual is compared with.
static inline double energy_scale(const rico_ledger *ledger)
{
    double sum = fabs(ledger->kinetic) + fabs(ledger->potential) + fabs(ledger->algorithmic) +
                 fabs(ledger->external) + fabs(ledger->normal) + fabs(ledger->tangential) +
                 fabs(ledger->joint) + fabs(ledger->damping) + fabs(ledger->projection);
    for (int i = 0; i < RICO_NUMERICAL_TERMS; i++) sum += fabs(ledger->numerical[i]);
    return sum;
}

#endif
