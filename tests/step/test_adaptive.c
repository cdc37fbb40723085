// Runs of many steps: where they end, what error control promises, how impacts are met, what underflow leaves.

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


// What on_step sees.
typedef struct watcher {
    int64_t calls, stop_after;
    double time[64];
    void *bytes; // the state after each step, when wanted
} watcher;

static bool watch(void *user, rico_simulation *sim)
{
    watcher *self = user;
    if (self->calls < 64) self->time[self->calls] = rico_simulation_time(sim);
    if (self->bytes) rico_simulation_save(sim, self->bytes);
    self->calls++;
    return self->calls != self->stop_after;
}


static rico_simulation *start(rico_context *ctx, rico_system *system, const char *scheme, double q, double v)
{
    rico_simulation *sim;
    assert_ok(ctx, rico_simulation_create(system, scheme, &sim));
    assert_ok(ctx, rico_simulation_start(sim, 0.0, &q, &v));
    return sim;
}


// x'' = -x
static rico_system *oscillator(rico_context *ctx)
{
    const int64_t column[] = {0, 1}, row[] = {0};
    const double one = 1.0;
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_matrix_part part = {.size = 1, .M = {1, 1, column, row, &one}, .K = {1, 1, column, row, &one}};
    assert_ok(ctx, rico_system_add_matrices(system, "mass", &part, NULL));
    return system;
}


static void fixed_runs(void **state)
{
    rico_context *ctx = *state;
    rico_system *system = oscillator(ctx);
    rico_simulation *sim;
    assert_ok(ctx, rico_simulation_create(system, "moreau-jean", &sim));
    rico_run_options options = rico_run_defaults(0.3);
    rico_run_report report;
    const double q = 1.0, v = 0.0;
    assert_int_equal(rico_simulation_run(sim, 1.0, &options, NULL, NULL, NULL), RICO_BAD_ARGUMENT);
    assert_ok(ctx, rico_simulation_start(sim, 0.0, &q, &v));

    watcher seen = {0};
    assert_ok(ctx, rico_simulation_run(sim, 1.0, &options, watch, &seen, &report));
    assert_int_equal(seen.calls, 4);
    assert_near(seen.time[2], 0.9, 1e-15);
    assert_true(rico_simulation_time(sim) == 1.0);
    assert_int_equal(report.accepted, 4);
    assert_near(report.h_smallest, 0.1, 1e-12);

    // whole steps end within h/2: 0.9 before 1.0
    options.exact_end = false;
    assert_ok(ctx, rico_simulation_start(sim, 0.0, &q, &v));
    assert_ok(ctx, rico_simulation_run(sim, 1.0, &options, NULL, NULL, &report));
    assert_int_equal(report.accepted, 3);
    assert_near(rico_simulation_time(sim), 0.9, 1e-15);

    // ten steps of 0.1 are ten, whatever 0.1 is in binary
    options = rico_run_defaults(0.1);
    assert_ok(ctx, rico_simulation_start(sim, 0.0, &q, &v));
    assert_ok(ctx, rico_simulation_run(sim, 1.0, &options, NULL, NULL, &report));
    assert_int_equal(report.accepted, 10);

    seen = (watcher){.stop_after = 2};
    assert_ok(ctx, rico_simulation_start(sim, 0.0, &q, &v));
    assert_ok(ctx, rico_simulation_run(sim, 1.0, &options, watch, &seen, &report));
    assert_true(report.stopped);
    assert_near(rico_simulation_time(sim), 0.2, 1e-15);

    assert_int_equal(rico_simulation_run(sim, 0.1, &options, NULL, NULL, NULL), RICO_BAD_ARGUMENT);
    options.h = 0.0;
    assert_int_equal(rico_simulation_run(sim, 1.0, &options, NULL, NULL, NULL), RICO_BAD_ARGUMENT);
    options = rico_run_defaults(0.1);
    options.adaptive = true;
    options.h_min = 1.0;
    assert_int_equal(rico_simulation_run(sim, 1.0, &options, NULL, NULL, NULL), RICO_BAD_ARGUMENT);
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
}


// The error after ten radians follows the tolerance, for both orders of the theta-method: error per step below tol
// needs steps like tol^(1/(p+1)), and the sum of errors goes like tol^(p/(p+1)).
static void tolerance(void **state)
{
    rico_context *ctx = *state;
    for (int order = 1; order <= 2; order++) {
        double last = 0.0;
        int64_t steps = 0;
        for (int k = 0; k < 3; k++) {
            rico_system *system = oscillator(ctx);
            rico_simulation *sim;
            const double q = 1.0, v = 0.0;
            assert_ok(ctx, rico_simulation_create(system, "moreau-jean", &sim));
            assert_ok(ctx, rico_simulation_set_number(sim, "theta", order == 2 ? 0.5 : 0.7));
            assert_ok(ctx, rico_simulation_start(sim, 0.0, &q, &v));
            rico_run_options options = rico_run_defaults(0.1);
            options.adaptive = true;
            options.atol = options.rtol = pow(10.0, -4 - k);
            rico_run_report report;
            assert_ok(ctx, rico_simulation_run(sim, 10.0, &options, NULL, NULL, &report));
            assert_true(rico_simulation_time(sim) == 10.0);
            double error = fabs(rico_simulation_position(sim)[0] - cos(10.0));
            assert_at_most(error, 100.0 * pow(options.rtol, order / (order + 1.0)));
            if (k > 0) {
                double expected = pow(10.0, order / (order + 1.0)); // 3.2 or 4.6
                assert_true(last / error > 0.6 * expected && last / error < 1.6 * expected);
                double more = (double)report.accepted / (double)steps;
                assert_near(more, pow(10.0, 1.0 / (order + 1.0)), 0.5);
            }
            last = error;
            steps = report.accepted;
            rico_simulation_destroy(sim);
            rico_system_destroy(system);
        }
    }
}


// The elastic ball, f = -2 from height 1: blows at 1, 3, 5. Flights are parabolas, which the midpoint rule does exactly,
// so all error is that of the moment of the blows: it shrinks with h_impact, while steps in between are as long as
// h_max lets them.
static void impacts(void **state)
{
    rico_context *ctx = *state;
    double last = INFINITY;
    for (int k = 0; k < 3; k++) {
        rico_system *system = bouncing_ball(ctx, -2.0, 1.0);
        rico_simulation *sim = start(ctx, system, "moreau-jean", 1.0, 0.0);
        rico_run_options options = rico_run_defaults(0.05);
        options.adaptive = true;
        options.h_impact = 1e-3 * pow(10.0, -k);
        options.h_min = 1e-9;
        options.h_max = 0.25;
        rico_run_report report;
        assert_ok(ctx, rico_simulation_run(sim, 6.5, &options, NULL, NULL, &report));
        double exact = 2.0 * 1.5 - 1.5 * 1.5;
        double error = fabs(rico_simulation_position(sim)[0] - exact);
        assert_int_equal(report.blows, 3);
        assert_at_most(error, 30.0 * options.h_impact);
        assert_at_most(error, 0.5 * last + 1e-12);
        assert_true(report.accepted < 200);
        assert_near(report.h_largest, 0.25, 1e-12);
        last = error;
        rico_simulation_destroy(sim);
        rico_system_destroy(system);
    }
}


// No step is small enough for a tolerance that no number meets; the run stops, names the place, and leaves the state of
// the last accepted step, byte for byte.
static void underflow(void **state)
{
    rico_context *ctx = *state;
    rico_system *system = oscillator(ctx);
    rico_simulation *sim = start(ctx, system, "moreau-jean", 1.0, 0.0);
    size_t size = (size_t)rico_simulation_state_size(sim);
    watcher seen = {.bytes = malloc(size)};
    void *after = malloc(size);
    rico_run_options options = rico_run_defaults(0.1);
    options.adaptive = true;
    rico_run_report report;
    assert_ok(ctx, rico_simulation_run(sim, 0.5, &options, watch, &seen, &report));
    options.rtol = 1e-30;
    options.atol = 0.0;
    assert_int_equal(rico_simulation_run(sim, 1.0, &options, watch, &seen, &report), RICO_SINGULAR);
    assert_non_null(strstr(rico_message(ctx), "step "));
    assert_non_null(strstr(rico_message(ctx), "t = 0.5"));
    assert_non_null(strstr(rico_message(ctx), "h_min"));
    assert_non_null(strstr(rico_message(ctx), "[0]"));
    rico_simulation_save(sim, after);
    assert_memory_equal(seen.bytes, after, size);

    // with a tolerance that can be met it goes on
    options = rico_run_defaults(0.1);
    options.adaptive = true;
    assert_ok(ctx, rico_simulation_run(sim, 1.0, &options, NULL, NULL, NULL));
    assert_near(rico_simulation_position(sim)[0], cos(1.0), 1e-3);
    free(seen.bytes);
    free(after);
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
}


// A scheme of two steps has no error that halving would tell.
static void constant_step(void **state)
{
    rico_context *ctx = *state;
    rico_system *system = oscillator(ctx);
    rico_simulation *sim = start(ctx, system, "schatzman-paoli", 1.0, 0.0);
    rico_run_options options = rico_run_defaults(0.01);
    assert_ok(ctx, rico_simulation_run(sim, 1.0, &options, NULL, NULL, NULL));
    options.adaptive = true;
    assert_int_equal(rico_simulation_run(sim, 2.0, &options, NULL, NULL, NULL), RICO_UNSUPPORTED);
    assert_non_null(strstr(rico_message(ctx), "schatzman-paoli"));
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
}


// Free flight is exact for the scheme, so its steps grow until a forecast looks past the ground: the step that lets the
// ball through must not stand. f = -2 from q = 1: impact at t = 1, then v = 2 - 2 t + 1 with e = 1/2.
static void forecast_too_far(void **state)
{
    rico_context *ctx = *state;
    rico_system *system = bouncing_ball(ctx, -2.0, 0.5);
    rico_simulation *sim;
    const double q = 1.0, v = 0.0;
    rico_run_options options = rico_run_defaults(1e-2);
    options.adaptive = true;
    assert_ok(ctx, rico_simulation_create(system, "moreau-jean", &sim));
    assert_ok(ctx, rico_simulation_start(sim, 0.0, &q, &v));
    assert_ok(ctx, rico_simulation_run(sim, 1.5, &options, NULL, NULL, NULL));
    assert_near(rico_simulation_position(sim)[0], 0.25, 1e-5);
    assert_near(rico_simulation_velocity(sim)[0], 0.0, 1e-5);
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(fixed_runs, setup, teardown),
        cmocka_unit_test_setup_teardown(tolerance, setup, teardown),
        cmocka_unit_test_setup_teardown(impacts, setup, teardown),
        cmocka_unit_test_setup_teardown(underflow, setup, teardown),
        cmocka_unit_test_setup_teardown(forecast_too_far, setup, teardown),
        cmocka_unit_test_setup_teardown(constant_step, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
