// Whom sensors touch, and the energy of single bodies.

#include "step/bodies.h"

static void test_a_ball_falls_through(void **state)
{
    (void)state;
    scene s;
    open_scene(&s, 0.0, -EARTH, 4);
    put_ground(&s, ON_PLANE, 1.0);
    rico_body gate = free_body(make_shape(&s, "box", 1.0, 1.0, 0.1), 0.0, 0.0, 0.0, 0.5);
    gate.type = RICO_BODY_FIXED;
    gate.sensor = true;
    int64_t sensor = put_body(&s, &gate), seen[2], touched = 0;
    rico_body body = free_body(make_shape(&s, "sphere", 0.1, 0.0, 0.0), 1000.0, 0.0, 0.0, 1.0);
    int64_t ball = put_body(&s, &body);
    begin_scene(&s, "moreau-jean-projected", 1e-3);
    for (int k = 0; k < 600; k++) {
        double t = rico_simulation_time(s.sim), z = stand_of(&s, ball).position[2];
        int64_t count = rico_bodies_sense(s.bodies, sensor, t, rico_simulation_position(s.sim), 2, seen);
        bool inside = z <= 0.65 && z >= 0.35;
        if (fabs(fabs(z - 0.5) - 0.15) > 1e-12) assert_int_equal(count, inside);
        if (count > 0) assert_int_equal(seen[0], ball);
        touched += count;
        double kinetic = rico_bodies_kinetic(s.bodies, ball, rico_simulation_velocity(s.sim));
        assert_near(kinetic, rico_simulation_ledger(s.sim)->kinetic, 1e-12 * (1.0 + kinetic));
        step_scene(&s, 1);
    }
    assert_true(touched > 50);
    // it rests on the ground, which does not feel the gate: both are fixed
    assert_int_equal(rico_bodies_sense(s.bodies, 0, 0.0, rico_simulation_position(s.sim), 0, NULL), 1);
    assert_true(rico_bodies_kinetic(s.bodies, sensor, rico_simulation_velocity(s.sim)) == 0.0);
    close_scene(&s);
}


// Kinetic energies of all bodies make up that of the ledger, turning ones too.
static void test_energies_add_up(void **state)
{
    (void)state;
    scene s;
    open_scene(&s, 0.0, 0.0, 6);
    for (int k = 0; k < 5; k++) {
        rico_body body = free_body(make_shape(&s, "box", 0.1, 0.2, 0.3), 500.0, k, 0.0, 0.0);
        body.velocity[1] = 0.3 * k;
        rico_vec3_set(0.1 * k, 2.0, -1.0, body.spin);
        put_body(&s, &body);
    }
    begin_scene(&s, "moreau-jean-projected", 1e-3);
    step_scene(&s, 3);
    double sum = 0.0;
    for (int64_t b = 0; b < 5; b++) sum += rico_bodies_kinetic(s.bodies, b, rico_simulation_velocity(s.sim));
    assert_near(sum, rico_simulation_ledger(s.sim)->kinetic, 1e-14 * sum);
    close_scene(&s);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_ball_falls_through),
                                       cmocka_unit_test(test_energies_add_up)};
    return cmocka_run_group_tests_name("sensors", tests, NULL, NULL);
}
