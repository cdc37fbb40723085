// Options `accept` and `sweeps`: few sweeps over many bodies are accepted on request alone, and counted.

#include "step/bodies.h"

enum { BALLS = 64 };

// A block of balls, each layer a little beside the one below, that falls onto the ground and into itself.
static void drop(scene *s, const char *accept, const char *sweeps)
{
    const double r = 0.05;
    open_scene(s, 0.0, -EARTH, 1);
    use_material(s, 0.5, 0.0);
    const rico_shape *ball = make_shape(s, "sphere", r, 0.0, 0.0);
    for (int i = 0; i < BALLS; i++) {
        int layer = i / 16, row = i / 4 % 4;
        rico_body body = free_body(ball, 1000.0, 2.1 * r * (i % 4) + 0.013 * layer, 2.1 * r * row,
                                   r + 0.001 + 2.02 * r * layer);
        put_body(s, &body);
    }
    put_ground(s, ON_PLANE, 1.0);
    build_scene(s, "moreau-jean-projected");
    assert_ok(s->ctx, rico_simulation_set(s->sim, "tol", "1e-9"));
    assert_ok(s->ctx, rico_simulation_set(s->sim, "accept", accept));
    assert_ok(s->ctx, rico_simulation_set(s->sim, "sweeps", sweeps));
    start_scene(s, 1.0 / 240.0);
    step_scene(s, 60);
}


static void test_counted(void **state)
{
    (void)state;
    scene s;
    drop(&s, "0.5", "10");
    const rico_step_stats *stats = rico_simulation_statistics(s.sim);
    assert_true(stats->loose_steps > 4);

    assert_true(stats->loose_residual > 1e-6 && stats->loose_residual <= 0.5);
    assert_true(stats->loose_time > 0.0 && stats->loose_time < 0.25 + 1e-9);
    // ten sweeps stop what falls, if not exactly
    assert_true(fabs(energy_of(&s)) < 1e4);
    close_scene(&s);
}


// Without being asked, nothing beyond what the scheme itself allows is accepted: 1e-7 after a hit.
static void test_not_asked(void **state)
{
    (void)state;
    scene s;
    drop(&s, "0", "3");
    const rico_step_stats *stats = rico_simulation_statistics(s.sim);
    assert_true(stats->loose_residual <= 1e-7);

    close_scene(&s);
}


static void test_refused(void **state)
{
    (void)state;
    scene s;
    open_scene(&s, 0.0, -EARTH, 1);
    use_material(&s, 0.5, 0.0);
    rico_body body = free_body(make_shape(&s, "sphere", 0.1, 0.0, 0.0), 1000.0, 0.0, 0.0, 1.0);
    put_body(&s, &body);
    build_scene(&s, "moreau-jean-projected");
    assert_int_equal(rico_simulation_set(s.sim, "accept", "-1"), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_simulation_set(s.sim, "sweeps", "2.5"), RICO_BAD_ARGUMENT);
    start_scene(&s, 0.01);
    step_scene(&s, 1);
    close_scene(&s);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_counted), cmocka_unit_test(test_not_asked),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
