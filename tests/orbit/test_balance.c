// Harmonic balance with the contact law as it is: numbers of one mass, convergence, independence of alpha.

#include "failing_memory.h"
#include "ricochet/modes.h"

static rico_modes *one_mass(rico_context *ctx)
{
    const double one = 1.0, w = -1.0;
    rico_modes *modes;
    assert_ok(ctx, rico_modes_create(ctx, 1, &one, &one, &w, 1.0, &modes));
    return modes;
}


// m = k = g0 = 1, alpha = 5, 512 points: mean energy and penetration.
static void test_one_mass(void **state)
{
    (void)state;
    static const struct {
        double omega;
        int harmonics;
        double energy, penetration, digit;
    } EXPECTED[] = {{1.2, 2, 1.230464, 0.17444, 6e-6},  {1.2, 5, 0.915062, 0.08300, 6e-6},
                    {1.2, 10, 0.798311, 0.04205, 6e-6}, {1.2, 20, 0.736183, 0.02076, 6e-6},
                    {1.5, 5, 4.718897, 0.2210, 6e-5},   {1.5, 10, 3.164255, 0.1021, 6e-5},
                    {1.5, 20, 2.555333, 0.0496, 6e-5}};
    rico_context *ctx = rico_context_create(NULL);
    rico_modes *modes = one_mass(ctx);
    for (size_t i = 0; i < sizeof EXPECTED / sizeof *EXPECTED; i++) {
        double force[32] = {0.0};
        rico_modes_balance b = {.omega = EXPECTED[i].omega, .harmonics = EXPECTED[i].harmonics, .alpha = 5.0};
        assert_ok(ctx, rico_modes_balance_solve(modes, &b, force));
        assert_near(b.energy, EXPECTED[i].energy, 6e-7);
        assert_near(b.penetration, EXPECTED[i].penetration, EXPECTED[i].digit);
        assert_at_most(b.residual, 1e-11);
    }
    rico_modes_destroy(modes);
    rico_context_destroy(ctx);
}


// C9: deeper and deeper harmonics penetrate less and less, and the energy comes down to the exact one, 2/3 at 1.2 and 2 at 1.5.
static void test_convergence(void **state)
{
    (void)state;
    static const double OMEGA[] = {1.2, 1.5}, EXACT[] = {2.0 / 3.0, 2.0};
    rico_context *ctx = rico_context_create(NULL);
    rico_modes *modes = one_mass(ctx);
    for (int i = 0; i < 2; i++) {
        double before = INFINITY, error = INFINITY;
        rico_modes_orbit orbit;
        assert_ok(ctx, rico_modes_one(modes, 2.0 * acos(-1.0) / OMEGA[i], &orbit));
        double c = cos(acos(-1.0) / OMEGA[i]);
        assert_near(orbit.energy, 0.5 / (c * c), 1e-12);
        assert_near(orbit.energy, EXACT[i], 1e-12);
        for (int N = 5; N <= 80; N *= 2) {
            double force[128] = {0.0};
            rico_modes_balance b = {.omega = OMEGA[i], .harmonics = N, .points = 2048, .alpha = 5.0};
            assert_ok(ctx, rico_modes_balance_solve(modes, &b, force));
            assert_true(b.penetration < 0.6 * before);
            assert_true(fabs(b.energy - EXACT[i]) < 0.6 * error);
            before = b.penetration;
            error = fabs(b.energy - EXACT[i]);
        }
    }
    // one harmonic does not bounce: the mass comes to rest
    double force[2] = {0.0};
    rico_modes_balance b = {.omega = 1.5, .harmonics = 1, .alpha = 5.0};
    if (rico_modes_balance_solve(modes, &b, force) == RICO_OK) assert_near(b.energy, 0.0, 1e-12);
    rico_modes_destroy(modes);
    rico_context_destroy(ctx);
}


// C12: lambda = max(lambda - alpha g, 0) says the same for every alpha; asked for at points, so does the whole motion.
static void test_alpha(void **state)
{
    (void)state;
    static const double ALPHA[] = {0.1, 1.0, 5.0, 30.0};
    rico_context *ctx = rico_context_create(NULL);
    rico_modes *modes = one_mass(ctx);
    rico_random random;
    rico_random_seed(&random, 5);
    for (int trial = 0; trial < 2000; trial++) {
        double lambda = rico_random_normal(&random), gap = rico_random_normal(&random);
        if (trial % 3 == 0) lambda = 0.0;
        if (trial % 4 == 0) gap = 0.0;
        bool holds = lambda >= 0.0 && gap >= 0.0 && lambda * gap == 0.0;
        for (int a = 0; a < 4; a++)
            assert_int_equal(fabs(rico_modes_complementarity(lambda, gap, ALPHA[a])) < 1e-14, holds);
    }
    double reference[16], energy = NAN;
    for (int a = 0; a < 4; a++) {
        double force[16] = {0.0};
        if (a > 0) memcpy(force, reference, sizeof force);
        rico_modes_balance b = {.omega = 1.2, .harmonics = 15, .points = 16, .alpha = ALPHA[a]};
        assert_ok(ctx, rico_modes_balance_solve(modes, &b, force));
        if (a == 0) {
            memcpy(reference, force, sizeof force);
            energy = b.energy;
            assert_true(energy > 0.1);
            assert_at_most(b.penetration, 1e-10);
        }
        for (int j = 0; j < 16; j++) assert_near(force[j], reference[j], 1e-10);
        assert_near(b.energy, energy, 1e-10);
    }
    rico_modes_destroy(modes);
    rico_context_destroy(ctx);
}


static void test_refusals(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_modes *modes = one_mass(ctx);
    double force[8] = {0.0};
    rico_modes_balance b = {.omega = -1.0, .harmonics = 3, .alpha = 1.0};
    assert_int_equal(rico_modes_balance_solve(modes, &b, force), RICO_BAD_ARGUMENT);
    b = (rico_modes_balance){.omega = 1.2, .harmonics = 3, .points = 6, .alpha = 1.0};
    assert_int_equal(rico_modes_balance_solve(modes, &b, force), RICO_BAD_ARGUMENT);
    b = (rico_modes_balance){.omega = 1.2, .harmonics = 3, .alpha = 0.0};
    assert_int_equal(rico_modes_balance_solve(modes, &b, force), RICO_BAD_ARGUMENT);
    b = (rico_modes_balance){.omega = 0.5, .harmonics = 3, .alpha = 1.0};
    assert_int_equal(rico_modes_balance_solve(modes, &b, force), RICO_SINGULAR);
    rico_modes_destroy(modes);
    rico_context_destroy(ctx);
}


static rico_status solve_once(rico_context *ctx, void *user)
{
    (void)user;
    const double one = 1.0, w = -1.0;
    rico_modes *modes;
    double force[4] = {0.0};
    rico_modes_balance b = {.omega = 1.2, .harmonics = 3, .alpha = 5.0};
    rico_status status = rico_modes_create(ctx, 1, &one, &one, &w, 1.0, &modes);
    if (status != RICO_OK) return status;
    status = rico_modes_balance_solve(modes, &b, force);
    rico_modes_destroy(modes);
    return status;
}


static void test_no_memory(void **state)
{
    (void)state;
    assert_true(every_allocation_fails(solve_once, NULL) > 5);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_mass), cmocka_unit_test(test_convergence), cmocka_unit_test(test_alpha),
        cmocka_unit_test(test_refusals), cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
