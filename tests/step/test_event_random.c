// The event-driven scheme and time stepping on random systems.

#include "diary.h"

// Random systems with plastic contacts, some of them sliding in curves through space: time stepping with short steps must
// come out near, the ledger must close. Those that start with a contact too deep are left out.
static void random_systems(void **state)
{
    rico_context *ctx = *state;
    int done = 0, events = 0;
    for (int seed = 0; seed < 106; seed += 2) {
        int64_t n = 3 + seed % 6, contacts = 1 + (seed / 3) % 3;
        random_system one, two;
        rico_random random, again;
        rico_random_seed(&random, (uint64_t)seed);
        again = random;
        random_system_create(ctx, &random, n, contacts, 1 + seed % 3, 0.0, 0.6, seed % 5 == 0, &one);
        random_system_create(ctx, &again, n, contacts, 1 + seed % 3, 0.0, 0.6, seed % 5 == 0, &two);
        rico_simulation *exact;
        rico_simulation *sim;
        assert_ok(ctx, rico_simulation_create(one.system, "event-driven", &exact));
        assert_ok(ctx, rico_simulation_create(two.system, "moreau-jean", &sim));
        if (rico_simulation_start(exact, 0.0, one.q, one.v) == RICO_OK) {
            rico_run_options options = rico_run_defaults(2e-3);
            assert_ok(ctx, run_to(exact, 2.0, NULL));
            const rico_ledger *ledger = rico_simulation_ledger_total(exact);
            assert_at_most(fabs(ledger->residual), 1e-9 * (1.0 + ledger->kinetic + ledger->potential));
            assert_ok(ctx, rico_simulation_start(sim, 0.0, two.q, two.v));
            assert_ok(ctx, rico_simulation_run(sim, 2.0, &options, NULL, NULL, NULL));
            for (int64_t i = 0; i < n; i++)
                assert_near(rico_simulation_position(sim)[i], rico_simulation_position(exact)[i], 0.03);
            done++;
            events += (int)rico_simulation_statistics(exact)->events;
        }
        rico_simulation_destroy(sim);
        rico_simulation_destroy(exact);
        random_system_destroy(&one);
        random_system_destroy(&two);
    }
    assert_true(done > 20 && events > 60);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(random_systems, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
