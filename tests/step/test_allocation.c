// Once sizes are stable a step allocates nothing: every scheme of the table on every kind of plant.

#include "moving_schemes.h"
#include "plants.h"

// malloc and free, counted.
static void *count_allocate(void *user, size_t size)
{
    ++*(int64_t *)user;
    return malloc(size);
}


static void count_release(void *user, void *block)
{
    (void)user;
    free(block);
}


// The first run meets every set of contacts that the second one will; the second, on the same path, takes nothing.
static void steps(void **state)
{
    (void)state;
    const rico_scheme_info *scheme;
    for (int s = 0; (scheme = moving_scheme_at(s)); s++)
        for (int kind = 0; kind < PLANTS; kind++) {
            if (scheme->own_error) continue; // each event poses a problem of its own
            int64_t count = 0;
            const rico_allocator counting = {count_allocate, count_release, &count};
            rico_context *ctx = rico_context_create(&counting);
            plant one;
            rico_simulation *sim;
            bool touched = false;
            plant_create(ctx, kind, &one);
            assert_ok(ctx, rico_simulation_create(one.system, scheme->name, &sim));
            for (int run = 0; run < 2; run++) {
                assert_ok(ctx, rico_simulation_start(sim, 0.0, one.q, one.v));
                int64_t before = count;
                for (int k = 0; k < one.steps; k++) {
                    assert_ok(ctx, rico_simulation_step(sim, one.h));
                    for (int64_t i = 0; i < rico_system_rows(one.system); i++)
                        touched |= rico_simulation_impulse(sim)[i] != 0.0;
                }
                if (run == 1 && count != before)
                    fail_msg("%s on plant %d: %lld allocations in %d steps", scheme->name, kind,
                             (long long)(count - before), one.steps);
            }
            assert_true(touched && count > 0);
            rico_simulation_destroy(sim);
            plant_destroy(&one);
            rico_context_destroy(ctx);
        }
}


// So do adaptive runs, after the first.
static void adaptive(void **state)
{
    (void)state;
    const rico_scheme_info *scheme;
    for (int s = 0; (scheme = moving_scheme_at(s)); s++) {
        if (scheme->equal_steps) continue;
        int64_t count = 0, before = 0;
        const rico_allocator counting = {count_allocate, count_release, &count};
        rico_context *ctx = rico_context_create(&counting);
        plant one;
        rico_simulation *sim;
        plant_create(ctx, 0, &one);
        assert_ok(ctx, rico_simulation_create(one.system, scheme->name, &sim));
        rico_run_options options = rico_run_defaults(1e-2);
        options.adaptive = true;
        options.h_impact = 1e-4;
        for (int run = 0; run < 2; run++) {
            assert_ok(ctx, rico_simulation_start(sim, 0.0, one.q, one.v));
            before = count;
            rico_status status = rico_simulation_run(sim, 0.5, &options, NULL, NULL, NULL);
            if (status != RICO_UNSUPPORTED) assert_ok(ctx, status); // a scheme of several steps
        }
        assert_int_equal(count - before, 0);
        rico_simulation_destroy(sim);
        plant_destroy(&one);
        rico_context_destroy(ctx);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps),
        cmocka_unit_test(adaptive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
