// The Newmark family against what it must reduce to, against a direct solution of its equations, and its bookkeeping.

#include "systems.h"

static int setup(void **state)
{
    *state = rico_context_create(NULL);
    return *state ? 0 : 1;
}


static int teardown(void **state)
{
    rico_context_destroy(*state);
    return 0;
}


// A scheme with options "name", value, ..., NULL.
typedef struct variant {
    const char *scheme;
    const char *option[5];
    double value[5];
} variant;


static rico_simulation *start(rico_context *ctx, rico_system *system, const variant *with, const double *q,
                              const double *v)
{
    rico_simulation *sim;
    assert_ok(ctx, rico_simulation_create(system, with->scheme, &sim));
    for (int i = 0; i < 5 && with->option[i]; i++)
        assert_ok(ctx, rico_simulation_set_number(sim, with->option[i], with->value[i]));
    assert_ok(ctx, rico_simulation_start(sim, 0.0, q, v));
    return sim;
}


// Two schemes that are the same on paper walk the same way through impacts with friction.
static void same(void **state)
{
    rico_context *ctx = *state;
    static const variant PAIRS[][2] = {
        // Acary 2016, eq. 29: Newmark with 2 beta = gamma = theta is the variant of Moreau-Jean
        {{"newmark", {"gamma", "beta"}, {0.5, 0.25}}, {"moreau-jean", {"theta"}, {0.5}}},
        {{"newmark", {"gamma", "beta"}, {0.7, 0.35}}, {"moreau-jean-variant", {"theta"}, {0.7}}},
        // the alphas at zero
        {{"hht", {"alpha", "gamma", "beta"}, {0.0, 0.6, 0.4}}, {"newmark", {"gamma", "beta"}, {0.6, 0.4}}},
        {{"generalized-alpha", {"alpha-m", "alpha-f", "gamma", "beta"}, {0.0, 0.0, 0.6, 0.4}},
         {"newmark", {"gamma", "beta"}, {0.6, 0.4}}},
        {{"kh-generalized-alpha", {"alpha-m", "alpha-f", "gamma", "beta"}, {0.0, 0.0, 0.6, 0.4}},
         {"newmark", {"gamma", "beta"}, {0.6, 0.4}}},
        {{"generalized-alpha", {"alpha-m", "alpha-f", "gamma", "beta"}, {0.0, 0.2, 0.7, 0.36}},
         {"hht", {"alpha"}, {0.2}}},
        // rho-inf = 1/2: alpha_m = 0, alpha_f = 1/3, gamma = 5/6, beta = 4/9 (eq. 27)
        {{"generalized-alpha", {"rho-inf"}, {0.5}}, {"hht", {"alpha"}, {1.0 / 3.0}}},
    };
    for (size_t pair = 0; pair < sizeof PAIRS / sizeof *PAIRS; pair++) {
        random_system one, two;
        rico_random random;
        rico_random_seed(&random, 5);
        random_system_create(ctx, &random, 6, 3, 3, 0.8, 0.5, true, &one);
        rico_random_seed(&random, 5);
        random_system_create(ctx, &random, 6, 3, 3, 0.8, 0.5, true, &two);
        rico_simulation *a = start(ctx, one.system, &PAIRS[pair][0], one.q, one.v);
        rico_simulation *b = start(ctx, two.system, &PAIRS[pair][1], two.q, two.v);
        double impulses = 0.0;
        for (int k = 0; k < 100; k++) {
            assert_ok(ctx, rico_simulation_step(a, 0.01));
            assert_ok(ctx, rico_simulation_step(b, 0.01));
            for (int i = 0; i < 6; i++) {
                assert_near(rico_simulation_position(a)[i], rico_simulation_position(b)[i], 1e-10);
                assert_near(rico_simulation_velocity(a)[i], rico_simulation_velocity(b)[i], 1e-10);
            }
            impulses += rico_simulation_impulse(a)[0];
        }
        assert_true(impulses > 0.1);
        rico_simulation_destroy(a);
        rico_simulation_destroy(b);
        random_system_destroy(&one);
        random_system_destroy(&two);
    }
}


// Solves the n x n system A x = b by Gauss with row exchanges; A row-major.
static void gauss(int n, double *A, double *b)
{
    for (int j = 0; j < n; j++) {
        int best = j;
        for (int i = j + 1; i < n; i++)
            if (fabs(A[i * n + j]) > fabs(A[best * n + j])) best = i;
        for (int c = 0; c < n; c++) {
            double swap = A[j * n + c];
            A[j * n + c] = A[best * n + c];
            A[best * n + c] = swap;
        }
        double swap = b[j];
        b[j] = b[best];
        b[best] = swap;
        for (int i = 0; i < n; i++) {
            if (i == j) continue;
            double factor = A[i * n + j] / A[j * n + j];
            for (int c = 0; c < n; c++) A[i * n + c] -= factor * A[j * n + c];
            b[i] -= factor * b[j];
        }
    }
    for (int i = 0; i < n; i++) b[i] /= A[i * n + i];
}


// Eq. 25 (and 30) of a damped oscillator (m = 1, k, c), as printed, for the unknowns q, v, a, w: with v = -e v_k where
// the contact acts, else w = 0.
static void oscillator_step(double am, double af, double beta, double gamma, bool kh, double k, double c,
                            double h, bool acts, double e, double *q, double *v, double *a)
{
    double s = kh ? 1.0 - am : 1.0 - af;
    double past = (1.0 - s) * (-c * *v) + af * (-k * *q) - am * *a;
    double A[16] = {
        (1.0 - af) * k,
        s * c,
        1.0 - am,
        0.0, // balance of forces
        1.0,
        0.0,
        -h * h * beta,
        -0.5 * h,
        0.0,
        1.0,
        -h * gamma,
        -1.0,
        0.0,
        acts ? 1.0 : 0.0,
        0.0,
        acts ? 0.0 : 1.0,
    };
    double b[4] = {past, *q + h * *v + h * h * (0.5 - beta) * *a, *v + h * (1.0 - gamma) * *a,
                   acts ? -e * *v : 0.0};
    gauss(4, A, b);
    *q = b[0];
    *v = b[1];
    *a = b[2];
}


static void direct(void **state)
{
    rico_context *ctx = *state;
    const double k = 30.0, c = 0.7, h = 0.02, e = 0.6, am = 0.1, af = 0.3, gamma = 0.8, beta = 0.6;
    const variant VARIANTS[] = {
        {"generalized-alpha", {"alpha-m", "alpha-f", "gamma", "beta"}, {am, af, gamma, beta}},
        {"kh-generalized-alpha", {"alpha-m", "alpha-f", "gamma", "beta"}, {am, af, gamma, beta}},
    };
    for (int kh = 0; kh < 2; kh++) {
        double q = 1.0, v = 0.0, a = -k * q;
        rico_system *system = bouncing_oscillator(ctx, k, c, 0.3, e);
        rico_simulation *sim = start(ctx, system, &VARIANTS[kh], &q, &v);
        int impacts = 0;
        for (int step = 0; step < 200; step++) {
            bool acts = q + 0.3 + h * v <= 0.0 && v <= 0.0;
            assert_ok(ctx, rico_simulation_step(sim, h));
            double before = v;
            oscillator_step(am, af, beta, gamma, kh, k, c, h, acts, e, &q, &v, &a);
            assert_near(rico_simulation_position(sim)[0], q, 1e-11);
            assert_near(rico_simulation_velocity(sim)[0], v, 1e-11);
            if (acts) {
                impacts++;
                assert_true(rico_simulation_impulse(sim)[0] > 0.0);
                assert_near(rico_simulation_velocity_after(sim)[0], -e * before, 1e-12);
            }
        }
        assert_true(impacts >= 2);
        rico_simulation_destroy(sim);
        rico_system_destroy(system);
    }
}


static bool sine(void *user, double t, double *x)
{
    (void)user;
    *x = sin(t);
    return true;
}


static bool cosine(void *user, double t, double *x)
{
    (void)user;
    *x = cos(t);
    return true;
}


// |q| = 1 in the plane of coordinates 2 and 3
static bool circle(void *user, double t, const double *q, double *g)
{
    (void)user, (void)t;
    *g = 0.5 * (q[2] * q[2] + q[3] * q[3] - 1.0);
    return true;
}


static bool circle_frame(void *user, double t, const double *q, double *H)
{
    (void)user, (void)t;
    H[0] = q[2];
    H[1] = q[3];
    return true;
}


// A prescribed motion and a joint on the nonlinear system: both hold at the velocity level, and positions follow.
static void joints(void **state)
{
    rico_context *ctx = *state;
    static const variant SCHEMES[] = {{"newmark", {"gamma", "beta"}, {0.6, 0.4}},
                                      {"hht", {"alpha"}, {0.1}},
                                      {"generalized-alpha", {NULL}, {0}},
                                      {"kh-generalized-alpha", {NULL}, {0}}};
    const double q[CURVED] = {0.0, 0.1, 1.0, 0.0}, v[CURVED] = {1.0, 0.0, 0.0, 0.5}, h = 1e-3;
    const int64_t dof[] = {2, 3};
    for (size_t s = 0; s < 4; s++) {
        rico_system *system = curved_system(ctx, 1, 0.5, 0.0);
        rico_motion motion = {.position = sine, .velocity = cosine};
        rico_joint joint = {.size = 1, .reach = {2, dof}, .value = circle, .frame = circle_frame};
        int64_t moved, held;
        assert_ok(ctx, rico_system_prescribe(system, "shaker", &motion, &moved));
        assert_ok(ctx, rico_system_add_joint(system, "rail", &joint, &held));
        rico_simulation *sim = start(ctx, system, &SCHEMES[s], q, v);
        for (int k = 0; k < 1000; k++) {
            double t = (k + 1) * h;
            assert_ok(ctx, rico_simulation_step(sim, h));
            assert_near(rico_simulation_velocity(sim)[0], cos(t), 1e-12);
            // (h/2) w moves q with the mean velocity, a trapezoidal rule for the prescribed one
            assert_near(rico_simulation_position(sim)[0], sin(t), 1e-5);
            int64_t row = rico_system_constraint(system, held).row;
            assert_near(rico_simulation_velocity_after(sim)[row], 0.0, 1e-12);
            const double *at = rico_simulation_position(sim);
            assert_near(hypot(at[2], at[3]), 1.0, 2e-3);
        }
        rico_simulation_destroy(sim);
        rico_system_destroy(system);
    }
}


// More rows than are solved densely: the sparse system of twice the size gives the law just as well.
static void many_contacts(void **state)
{
    rico_context *ctx = *state;
    static const variant SCHEMES[] = {
        {"newmark", {"gamma", "beta"}, {0.6, 0.4}},
        {"generalized-alpha", {"rho-inf"}, {0.6}},
        {"generalized-alpha", {"alpha-m", "alpha-f", "gamma", "beta"}, {0.2, 0.3, 0.7, 0.35}}};
    rico_random random;
    rico_random_seed(&random, 6);
    for (int s = 0; s < 3; s++) {
        random_system system;
        random_system_create(ctx, &random, 20, 900, 1, 0.5, 0.0, true, &system);
        rico_simulation *sim = start(ctx, system.system, &SCHEMES[s], system.q, system.v);
        assert_ok(ctx, rico_simulation_step(sim, 0.05));
        int64_t active = 0, pushing = 0;
        for (int64_t c = 0; c < 900; c++) {
            if (!rico_simulation_active(sim)[c]) continue;
            double e = rico_system_constraint(system.system, c).restitution;
            double y = rico_simulation_velocity_after(sim)[c] + e * rico_simulation_velocity_before(sim)[c];
            double p = rico_simulation_impulse(sim)[c];
            active++;
            pushing += p > 1e-8;
            assert_true(p >= 0.0);
            assert_at_most(-y, 1e-8);
            assert_at_most(fmin(p, y), 1e-8);
        }
        assert_true(active > 400 && pushing > 3);
        assert_at_most(fabs(rico_simulation_ledger(sim)->residual),
                       1e-12 * energy_scale(rico_simulation_ledger(sim)));
        rico_simulation_destroy(sim);
        random_system_destroy(&system);
    }
}


// The sums since the start close too, over changes of h; and a saved state, filters and all, continues bit for bit.
static void books(void **state)
{
    rico_context *ctx = *state;
    static const variant SCHEMES[] = {{"newmark", {"gamma", "beta"}, {0.6, 0.4}},
                                      {"hht", {"alpha"}, {0.1}},
                                      {"generalized-alpha", {"rho-inf"}, {0.3}},
                                      {"kh-generalized-alpha", {"rho-inf"}, {0.3}}};
    for (int s = 0; s < 4; s++) {
        random_system one, two;
        rico_random random;
        rico_random_seed(&random, 7);
        random_system_create(ctx, &random, 8, 4, 2, 0.8, 0.5, true, &one);
        rico_random_seed(&random, 7);
        random_system_create(ctx, &random, 8, 4, 2, 0.8, 0.5, true, &two);
        rico_simulation *a = start(ctx, one.system, &SCHEMES[s], one.q, one.v);
        rico_simulation *b = start(ctx, two.system, &SCHEMES[s], two.q, two.v);
        rico_ledger first = *rico_simulation_ledger(a);
        double largest = energy_scale(&first);
        for (int k = 0; k < 60; k++) {
            assert_ok(ctx, rico_simulation_step(a, k < 20 ? 0.01 : k < 40 ? 0.02 : 0.03));
            largest = fmax(largest, energy_scale(rico_simulation_ledger(a)));
        }
        const rico_ledger *total = rico_simulation_ledger_total(a);
        double change =
            total->kinetic + total->potential + total->algorithmic - first.kinetic - first.potential;
        double works = total->external + total->damping + total->normal + total->tangential;
        for (int i = 0; i < RICO_NUMERICAL_TERMS; i++) works += total->numerical[i];
        assert_near(change, works, 1e-12 * largest);
        assert_true(total->numerical[3] > 0.0);

        int64_t size = rico_simulation_state_size(a);
        void *bytes = malloc((size_t)size);
        rico_simulation_save(a, bytes);
        assert_ok(ctx, rico_simulation_load(b, bytes, size));
        for (int k = 0; k < 50; k++) {
            assert_ok(ctx, rico_simulation_step(a, 0.03));
            assert_ok(ctx, rico_simulation_step(b, 0.03));
        }
        assert_memory_equal(rico_simulation_position(a), rico_simulation_position(b), 8 * sizeof(double));
        assert_memory_equal(rico_simulation_velocity(a), rico_simulation_velocity(b), 8 * sizeof(double));
        assert_memory_equal(rico_simulation_ledger_total(a), rico_simulation_ledger_total(b),
                            sizeof(rico_ledger));
        free(bytes);
        rico_simulation_destroy(a);
        rico_simulation_destroy(b);
        random_system_destroy(&one);
        random_system_destroy(&two);
    }
}


// A linear system takes one factorization of S, one of M, and keeps them; options that contradict each other are refused.
static void economy(void **state)
{
    rico_context *ctx = *state;
    const double q = 1.0, v = 0.0;
    rico_system *system = bouncing_oscillator(ctx, 30.0, 0.1, 0.3, 0.5);
    rico_simulation *sim;
    assert_ok(ctx, rico_simulation_create(system, "generalized-alpha", &sim));
    assert_ok(ctx, rico_simulation_set(sim, "alpha-m", "0.1"));
    assert_ok(ctx, rico_simulation_set(sim, "gamma", "0.6"));
    assert_int_equal(rico_simulation_start(sim, 0.0, &q, &v), RICO_BAD_ARGUMENT);
    assert_non_null(strstr(rico_message(ctx), "all four"));
    assert_ok(ctx, rico_simulation_set(sim, "alpha-f", "0.2"));
    assert_ok(ctx, rico_simulation_set(sim, "beta", "0.4"));
    assert_ok(ctx, rico_simulation_start(sim, 0.0, &q, &v));
    for (int k = 0; k < 100; k++) assert_ok(ctx, rico_simulation_step(sim, 0.01));
    assert_int_equal(rico_simulation_statistics(sim)->factorizations, 2);
    assert_int_equal(rico_simulation_statistics(sim)->newton_iterations, 100);
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(same, setup, teardown),
        cmocka_unit_test_setup_teardown(direct, setup, teardown),
        cmocka_unit_test_setup_teardown(joints, setup, teardown),
        cmocka_unit_test_setup_teardown(many_contacts, setup, teardown),
        cmocka_unit_test_setup_teardown(books, setup, teardown),
        cmocka_unit_test_setup_teardown(economy, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
