// The slider-crank in space with play in its crank pin and its chamber (examples/slider-crank-space), in short: what the experiment of
// that name checks over whole revolutions.

#include "joint_runs.h"

// Its scene with overrides up to NULL.
static rico_columns *run_crank(const char *const *overrides)
{
    char path[1024];
    const char *here = strstr(__FILE__, "tests/store/");
    rico_results *results = NULL;
    rico_columns *columns = NULL;
    rico_runner_options options = rico_runner_defaults();
    rico_runner_result end;
    snprintf(path, sizeof path, "%.*sexamples/slider-crank-space/crank.yaml", (int)(here - __FILE__),
             __FILE__);
    options.scene = path;
    options.overrides = overrides;
    while (overrides[options.override_count]) options.override_count++;
    options.results = &results;
    assert_ok(ctx, rico_runner_run(ctx, &options, &end));
    assert_ok(ctx, rico_columns_take(ctx, results, &columns));
    return columns;
}


// Neither pin nor chamber is entered, no step gains energy beyond the work of weights, and the plane is kept.
static void check(rico_columns *columns, double plane)
{
    assert_true(largest(columns, "min(0, gap:pin.play1, gap:pin.play2)", 0) <= 1e-15);
    assert_true(largest(columns, "min(0, gap:chamber.play1, gap:chamber.play2)", 0) <= 1e-15);
    assert_true(largest(columns, "max(0, normal + tangential + joint)", 0) <= 1e-9);
    assert_true(largest(columns, "residual", 0) <= 1e-12);
    assert_true(largest(columns, "max(abs(rod.z), abs(slider.z), abs(crank.z))", 0) <= plane);
}


static void test_free_crank(void **state)
{
    (void)state;
    const char *const small[] = {"time.end=0.006", NULL}, *const large[] = {"time.end=0.006", "play=5e-3",
                                                                            NULL};
    rico_columns *columns = run_crank(small);
    check(columns, 1e-12);
    // the first touch, at 0.457 ms, ends the constant speeds
    assert_true(largest(columns, "t < 4.5e-4 ? rod.w_z + 75 : 0", 0) <= 1e-2);
    assert_true(largest(columns, "t < 4.5e-4 ? impulse:pin.play1 : 0", 0) == 0.0);
    assert_true(largest(columns, "t > 4.5e-4 && t < 4.7e-4 ? impulse:pin.play1 : 0", 0) > 1e-4);
    rico_columns_destroy(columns);
    columns = run_crank(large);
    check(columns, 1e-12);
    assert_true(largest(columns, "t < 1.43e-3 ? impulse:pin.play1 : 0", 0) == 0.0);
    assert_true(largest(columns, "t > 1.43e-3 && t < 1.45e-3 ? impulse:pin.play1 : 0", 0) > 1e-4);
    rico_columns_destroy(columns);
}


static void test_driven(void **state)
{
    (void)state;
    const char *const overrides[] = {"time.end=0.006", "joints.shaft.motor.velocity=150*180/pi", NULL};
    rico_columns *columns = run_crank(overrides);
    assert_true(largest(columns, "min(0, gap:pin.play1, gap:pin.play2)", 0) <= 1e-15);
    assert_true(largest(columns, "crank.w_z - 150", 0) <= 1e-9);
    rico_columns_destroy(columns);
}


// Every contact problem by a solver that knows nothing of the joints, which are eliminated: what it leaves is judged with them, and it
// must be asked for more where that differs.
static void test_solver(void **state)
{
    (void)state;
    const char *const overrides[] = {"time.end=0.0075", "solver=auto", "scheme.frames=middle", NULL};
    rico_columns *columns = run_crank(overrides);
    check(columns, 1e-6);
    rico_columns_destroy(columns);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_crank),
        cmocka_unit_test(test_driven),
        cmocka_unit_test(test_solver),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
