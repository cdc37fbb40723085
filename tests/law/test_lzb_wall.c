// LZB on a chain of balls thrown at a wall (B14 of docs/theory/impact-laws.md).

#include "chains.h"

// B14: 100 elastic balls against a wall. The specification's figures carry the error of its step, 1e-3: with 5e-5 the
// top ball rebounds at 1.875 for eta = 3/2.
static void test_wall(void **state)
{
    rico_context *ctx = *state;
    chain_case c = {.balls = 100, .wall = RICO_CHAIN_WALL, .eta = 1.5, .e = 1.0, .step = 1e-3};
    chain_outcome hertz = strike(ctx, c);
    assert_near(-hertz.v[0], 1.8529, 2e-4);
    assert_true(hertz.repeated > 10);
    assert_int_equal(rico_outcome_stuck(100, hertz.gap, 1.0, 1e-3), 0); // detached from one another

    c.eta = 2.0;
    chain_outcome out = strike(ctx, c);
    assert_near(-out.v[0], 1.4777, 2e-4);
    assert_true(-out.v[0] < -hertz.v[0]);

    // about 70 balls in the middle are nearly stuck for eta = 1, about 80 for 0.1
    c.eta = 1.0;
    out = strike(ctx, c);
    assert_near(-out.v[0], 1.5044, 1e-4);
    int64_t tight = rico_outcome_stuck(100, out.gap, 1.0, 1e-3),
            loose = rico_outcome_stuck(100, out.gap, 1.0, 1e-2);
    assert_true(tight < 70 && loose > 70);
    c.eta = 0.1;
    out = strike(ctx, c);
    assert_near(-out.v[0], 1.0429, 1e-4);
    assert_near((double)rico_outcome_stuck(100, out.gap, 1.0, 1e-3), 80.0, 6.0);

    // dissipation: half the energy at 0.99, all of it at 0.96, with the chain stuck to the wall
    c.eta = 1.5;
    c.e = 0.99;
    out = strike(ctx, c);
    assert_near(out.energy_ratio, 0.476, 6e-4);
    c.e = 0.96;
    c.step = 4e-3;
    c.start_tol = 1e-4;
    out = strike(ctx, c);
    assert_at_most(out.energy_ratio, 1e-4);
    assert_at_most(out.fastest_gap, 5e-3);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_wall)};
    return cmocka_run_group_tests(tests, make_context, drop_context);
}
