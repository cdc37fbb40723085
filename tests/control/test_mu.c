// Structured singular values of two blocks: sweeps over the phase of a perturbation, bounds, invariance, and what is refused.

#include "phases.h"

static const rico_blocks ONE = {1, 1};


static void random_matrix(rico_random *random, int64_t count, double size, double *n)
{
    for (int64_t i = 0; i < 2 * count; i++) n[i] = rico_random_range(random, -size, size);
}


// mu = 1/t with the least t for which some |delta| <= t, |Delta_P| <= t make I - N diag(delta, Delta_P) singular: |F_u(N, delta)| = 1/t then.
static void test_phases(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 41);
    for (int turn = 0; turn < 25; turn++) {
        int64_t rows = 2 + turn % 3, cols = 2 + turn / 3 % 3;
        double n[2 * ROWS * COLS], mu, d;
        random_matrix(&random, rows * cols, 2.0, n);
        assert_ok(ctx, rico_mu(ctx, rows, cols, n, ONE, &mu, &d));
        assert_near(over_phases(rows, cols, n, 1.0 / mu), mu, 1e-6 * mu);
        assert_true(over_phases(rows, cols, n, 0.98 / mu) < mu);
    }
}


// Skewed: some |delta| = k brings |F_u(N, delta)| to 1, none below k.
static void test_skewed_phases(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 42);
    for (int turn = 0; turn < 25; turn++) {
        int64_t rows = 2 + turn % 3, cols = 2 + turn / 3 % 3;
        double n[2 * ROWS * COLS], skewed, mu, d, best;
        random_matrix(&random, rows * cols, 0.2, n);
        for (int64_t j = 0; j < cols; j++) n[2 * j * rows] *= 8.0; // the first row matters most
        assert_ok(ctx, rico_skewed_mu(ctx, rows, cols, n, ONE, &skewed, &best));
        assert_near(over_phases(rows, cols, n, 1.0 / skewed), 1.0, 1e-6);
        assert_true(over_phases(rows, cols, n, 0.95 / skewed) < 1.0);
        // by its definition: mu(diag(k I, I) N) = 1
        for (int64_t j = 0; j < cols; j++) {
            n[2 * j * rows] /= skewed;
            n[2 * j * rows + 1] /= skewed;
        }
        assert_ok(ctx, rico_mu(ctx, rows, cols, n, ONE, &mu, &d));
        assert_near(mu, 1.0, 1e-8);
        assert_near(log(best), log(d), 1e-3);
    }
}


// rho(N) <= mu(N) <= sigma_max(N) with square blocks of 2 and 2, and mu(D N D^-1) = mu(N).
static void test_bounds(void **state)
{
    (void)state;
    const rico_blocks two = {2, 2};
    rico_random random;
    rico_random_seed(&random, 43);
    for (int turn = 0; turn < 40; turn++) {
        double n[2 * ROWS * COLS], a[4 * ROWS * ROWS], real[2 * ROWS], imag[2 * ROWS], zero[2 * ROWS] = {0.0};
        double mu, d, radius = 0.0, again, moved, factor = pow(10.0, rico_random_range(&random, -3.0, 3.0));
        double complex m[ROWS * COLS];
        random_matrix(&random, ROWS * COLS, 1.0, n);
        for (int j = 0; j < COLS; j++)
            for (int i = 0; i < ROWS; i++) {
                double complex value = at(n, ROWS, i, j);
                m[i + j * ROWS] = value;
                a[i + 2 * ROWS * j] = a[ROWS + i + 2 * ROWS * (ROWS + j)] = creal(value);
                a[ROWS + i + 2 * ROWS * j] = cimag(value);
                a[i + 2 * ROWS * (ROWS + j)] = -cimag(value);
            }
        rico_state_space *sys;
        assert_ok(ctx, rico_state_space_create(ctx, 2 * ROWS, 1, 1, a, zero, zero, NULL, &sys));
        assert_ok(ctx, rico_state_space_poles(sys, real, imag));
        for (int i = 0; i < 2 * ROWS; i++) radius = fmax(radius, hypot(real[i], imag[i]));
        rico_state_space_destroy(sys);
        assert_ok(ctx, rico_mu(ctx, ROWS, COLS, n, two, &mu, &d));
        assert_true(radius <= mu * (1.0 + 1e-12));
        assert_true(mu <= sigma(ROWS, COLS, m) * (1.0 + 1e-12));
        for (int j = 0; j < COLS; j++)
            for (int i = 0; i < 2 * ROWS; i++)
                n[i + 2 * ROWS * j] *= (i < 4 ? factor : 1.0) / (j < 2 ? factor : 1.0);
        assert_ok(ctx, rico_mu(ctx, ROWS, COLS, n, two, &again, &moved));
        assert_near(again, mu, 1e-9 * mu);
        assert_near(log(moved * factor / d), 0.0, 1e-3);
    }
}


static void test_uncoupled(void **state)
{
    (void)state;
    // |N11| = 3, N22 = 2 or 1/2, nothing or one thing between them
    double n[] = {0.0, 3.0, 0.0, 0.0, 0.0, 0.0, -2.0, 0.0}, mu, d;
    assert_ok(ctx, rico_mu(ctx, 2, 2, n, ONE, &mu, &d));
    assert_near(mu, 3.0, 1e-15);
    assert_near(d, 1.0, 0.0);
    n[4] = 100.0;
    assert_ok(ctx, rico_mu(ctx, 2, 2, n, ONE, &mu, &d));
    assert_near(mu, 3.0, 1e-15);
    assert_near(d, 0.0, 0.0);
    assert_ok(ctx, rico_skewed_mu(ctx, 2, 2, n, ONE, &mu, &d));
    assert_true(isinf(mu));
    n[6] = 0.5;
    assert_ok(ctx, rico_skewed_mu(ctx, 2, 2, n, ONE, &mu, &d));
    assert_near(mu, 3.0, 1e-15);
    assert_near(d, 0.0, 0.0);
    // 2 x 2 of ones by hand: mu = |N11| + |N22| = 2; skewed with N22 = 1/2, all real and positive: k 1 + k 1/2 = 1/2
    const double ones[] = {1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0};
    const double half[] = {1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.5, 0.0};
    assert_ok(ctx, rico_mu(ctx, 2, 2, ones, ONE, &mu, &d));
    assert_near(mu, 2.0, 1e-10);
    assert_ok(ctx, rico_skewed_mu(ctx, 2, 2, half, ONE, &mu, NULL));
    assert_near(mu, 3.0, 1e-9);
}


static void test_refused(void **state)
{
    (void)state;
    const double n[8] = {1.0}, wrong[8] = {1.0, NAN};
    double mu, d;
    assert_refused(rico_mu(ctx, 2, 2, n, (rico_blocks){2, 1}, &mu, &d), RICO_BAD_ARGUMENT,
                   "does not leave a second one");
    assert_refused(rico_skewed_mu(ctx, 2, 2, n, (rico_blocks){0, 1}, &mu, &d), RICO_BAD_ARGUMENT,
                   "a first block of 0 x 1");
    assert_refused(rico_mu(ctx, 2, 2, wrong, ONE, &mu, &d), RICO_BAD_INPUT, "not finite");
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_phases), cmocka_unit_test(test_skewed_phases),
                                       cmocka_unit_test(test_bounds), cmocka_unit_test(test_uncoupled),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, context_start, context_end);
}
