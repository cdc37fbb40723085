// Moreau-Jean, its variant and Fremond's law: identities, signs, the stick that gains energy, the bouncing ball.

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


// The identity closes to round-off at every step of random linear systems, 1 to 50 contacts, in every dimension.
static void identity(void **state)
{
    rico_context *ctx = *state;
    static const char *const SCHEMES[] = {"moreau-jean", "moreau-jean-variant", "moreau-jean-fremond"};
    rico_random random;
    rico_random_seed(&random, 1);
    double used = 0.0;
    for (int s = 0; s < 3; s++)
        for (int dimension = 1; dimension <= 3; dimension++)
            for (int trial = 0; trial < 8; trial++) {
                static const int64_t CONTACTS[] = {1, 2, 3, 5, 8, 12, 20, 50};
                int64_t n = 4 + rico_random_below(&random, 20) + (trial == 7 ? 40 : 0);
                random_system system;
                random_system_create(ctx, &random, n, CONTACTS[trial], dimension, 0.9, 0.8, trial % 2,
                                     &system);
                rico_simulation *sim;
                assert_ok(ctx, rico_simulation_create(system.system, SCHEMES[s], &sim));
                assert_ok(ctx,
                          rico_simulation_set_number(sim, "theta", rico_random_range(&random, 0.3, 1.0)));
                assert_ok(ctx, rico_simulation_set_number(sim, "tol", 1e-6));
                assert_ok(ctx, rico_simulation_start(sim, 0.0, system.q, system.v));
                for (int k = 0; k < 20; k++) {
                    assert_ok(ctx, rico_simulation_step(sim, 0.01));
                    const rico_ledger *ledger = rico_simulation_ledger(sim);
                    assert_at_most(fabs(ledger->residual), 1e-12 * energy_scale(ledger));
                    used += fabs(ledger->normal) + fabs(ledger->tangential);
                }
                rico_simulation_destroy(sim);
                random_system_destroy(&system);
            }
    assert_true(used > 1.0);
}


// The classical scheme gains energy by friction at the first impact of the stick and over the whole run; with
// Fremond's law no step does. e = 1: normal works vanish.
static void stick(void **state)
{
    rico_context *ctx = *state;
    const double q[] = {0.5 * sin(M_PI / 4), 0.5 * cos(M_PI / 4) + 0.01, M_PI / 4}, v[] = {-0.5, 0.1, 0.1};
    for (int fremond = 0; fremond < 2; fremond++) {
        rico_system *system = impacting_stick(ctx, 1.0, 0.01);
        rico_simulation *sim;
        assert_ok(ctx, rico_simulation_create(system, fremond ? "moreau-jean-fremond" : "moreau-jean", &sim));
        assert_ok(ctx, rico_simulation_start(sim, 0.0, q, v));
        double first = 0.0, largest = -INFINITY;
        for (int k = 0; k < 2000; k++) {
            assert_ok(ctx, rico_simulation_step(sim, 1e-4));
            const rico_ledger *ledger = rico_simulation_ledger(sim);
            assert_at_most(fabs(ledger->residual), 1e-12 * energy_scale(ledger));
            assert_at_most(fabs(ledger->normal), 1e-13);
            if (first == 0.0) first = ledger->tangential;
            largest = fmax(largest, ledger->tangential);
        }
        double total = rico_simulation_ledger_total(sim)->tangential;
        if (fremond) {
            assert_true(first < 0.0 && total < 0.0);
            assert_at_most(largest, 1e-15);
        } else {
            assert_true(first > 1e-6 && total > 1e-6);
        }
        rico_simulation_destroy(sim);
        rico_system_destroy(system);
    }
}


// f = -2, e = 1/2, q = 1 at rest: impacts at t = 1, 2, 2.5, ... accumulate at t = 3 (Ballard), then rest under the
// explicit forecast. The rule "closing" lets a contact go whenever it separates, so the ball hops by O(h) for ever.
static void ball(void **state)
{
    rico_context *ctx = *state;
    rico_system *system = bouncing_ball(ctx, -2.0, 0.5);
    rico_simulation *sim;
    const double q = 1.0, v = 0.0, h = 1e-3;
    double impact[8] = {0.0};
    int count = 0;
    assert_ok(ctx, rico_simulation_create(system, "moreau-jean", &sim));
    assert_ok(ctx, rico_simulation_set(sim, "activation", "explicit"));
    assert_ok(ctx, rico_simulation_start(sim, 0.0, &q, &v));
    while (rico_simulation_time(sim) < 4.0 - 0.5 * h) {
        assert_ok(ctx, rico_simulation_step(sim, h));
        double p = rico_simulation_impulse(sim)[0];
        if (p > 10.0 * 2.0 * h && count < 8) impact[count++] = rico_simulation_time(sim);
        if (rico_simulation_time(sim) > 3.1) {
            assert_near(p, 2.0 * h, 1e-12);
            assert_near(rico_simulation_velocity(sim)[0], 0.0, 1e-15);
        }
    }
    assert_near(impact[0], 1.0, 2 * h);
    assert_near(impact[1], 2.0, 4 * h);
    assert_near(impact[2], 2.5, 6 * h);
    assert_near(impact[3], 2.75, 8 * h);
    assert_near(rico_simulation_position(sim)[0], 0.0, 2 * h);
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
}


// A saved state continues bit for bit.
static void resume(void **state)
{
    rico_context *ctx = *state;
    const double q[] = {0.5 * sin(M_PI / 4), 0.5 * cos(M_PI / 4) + 0.01, M_PI / 4}, v[] = {-0.5, 0.1, 0.1};
    rico_system *one = impacting_stick(ctx, 1.0, 0.3), *two = impacting_stick(ctx, 1.0, 0.3);
    rico_simulation *a, *b;
    assert_ok(ctx, rico_simulation_create(one, "moreau-jean", &a));
    assert_ok(ctx, rico_simulation_create(two, "moreau-jean", &b));
    assert_ok(ctx, rico_simulation_start(a, 0.0, q, v));
    for (int k = 0; k < 700; k++) assert_ok(ctx, rico_simulation_step(a, 1e-4));
    int64_t size = rico_simulation_state_size(a);
    void *bytes = malloc((size_t)size);
    rico_simulation_save(a, bytes);
    assert_ok(ctx, rico_simulation_load(b, bytes, size));
    for (int k = 0; k < 1300; k++) {
        assert_ok(ctx, rico_simulation_step(a, 1e-4));
        assert_ok(ctx, rico_simulation_step(b, 1e-4));
    }
    assert_memory_equal(rico_simulation_position(a), rico_simulation_position(b), 3 * sizeof(double));
    assert_memory_equal(rico_simulation_velocity(a), rico_simulation_velocity(b), 3 * sizeof(double));
    assert_memory_equal(rico_simulation_ledger_total(a), rico_simulation_ledger_total(b),
                        sizeof(rico_ledger));
    assert_int_equal(rico_simulation_load(b, bytes, size - 8), RICO_BAD_INPUT);
    free(bytes);
    rico_simulation_destroy(a);
    rico_simulation_destroy(b);
    rico_system_destroy(one);
    rico_system_destroy(two);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(identity, setup, teardown),
        cmocka_unit_test_setup_teardown(stick, setup, teardown),
        cmocka_unit_test_setup_teardown(ball, setup, teardown),
        cmocka_unit_test_setup_teardown(resume, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
