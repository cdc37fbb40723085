// The first domino meets the second (spec 09, F14), event-driven: at asin(s/h), with the speed that its fall has given it.

#include "joint_runs.h"

static const double TALL = 0.048, THICK = 0.0075, TILT = 0.16; // lets go just beyond its balance, 0.155


// Two dominoes, faces s apart, the first about to fall over its edge; until `end`.
static rico_columns *fall(double s, double end)
{
    return run_print(
        "parameters: {h: %.17g, d: %.17g, s: %.17g, tilt: %.17g, half: \"hypot(h, d)/2\", lean: \"atan2(d, "
        "h)\"}\n"
        "gravity: [0, -9.81]\n"
        "materials: {wood: {friction: 2}}\n"
        "bodies:\n"
        "  ground: {fixed: true, shape: line, material: wood}\n"
        "  one: {shape: {rectangle: {size: [d, h]}}, density: 1000, material: wood,\n"
        "        position: [half*sin(tilt - lean), half*cos(tilt - lean)], rotation: -tilt*180/pi}\n"
        "  two: {shape: {rectangle: {size: [d, h]}}, density: 1000, material: wood, position: [s + d/2, "
        "h/2]}\n"
        "time: {end: %.17g, step: 1e-3}\n"
        "scheme: event-driven\n",
        TALL, THICK, s, TILT, end);
}


static void test_first_touch(void **state)
{
    (void)state;
    static const double SHARE[] = {0.25, 0.5, 0.8};
    for (int k = 0; k < 3; k++) {
        double angle = asin(SHARE[k]), half = 0.5 * hypot(TALL, THICK), lean = atan2(THICK, TALL);
        double inertia = (TALL * TALL + THICK * THICK) / 3.0; // about the edge, over the mass
        double rate = sqrt(2.0 * 9.81 * half * (cos(TILT - lean) - cos(angle - lean)) / inertia);
        int64_t count;
        double *t, *speed;
        rico_columns *whole = fall(SHARE[k] * TALL, 0.4);
        assert_ok(ctx, rico_columns_read(whole, "events.t", &count, &t));
        assert_ok(ctx, rico_columns_read(whole, "events.speed", &count, &speed));
        assert_true(count > 0);
        // the upper edge comes in along x
        assert_near(speed[0], -TALL * cos(angle) * rate, 1e-8);
        rico_columns *until = fall(SHARE[k] * TALL, t[0] - 1e-12);
        assert_near(last(until, "one.angle"), -angle, 1e-9);
        assert_near(last(until, "one.w"), -rate, 1e-7);
        // about its edge, which stays where it is
        assert_near(last(until, "one.x") - half * sin(angle - lean), 0.0, 1e-10);
        assert_near(last(until, "one.y") - half * cos(angle - lean), 0.0, 1e-10);
        rico_columns_destroy(until);
        rico_columns_destroy(whole);
        rico_free(ctx, t);
        rico_free(ctx, speed);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_first_touch)};
    return cmocka_run_group_tests(tests, context_start, context_end);
}
