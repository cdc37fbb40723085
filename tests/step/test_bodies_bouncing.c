// Balls that bounce (spec 09, F3 and the bars of issue H): heights, the last impact, and energy that is kept for 100 s.

#include "step/bodies.h"

static const double R = 0.1;


static int64_t put_ball(scene *s, double x, double y, double height, double restitution)
{
    use_material(s, 0.0, restitution);
    rico_body ball = free_body(make_shape(s, "sphere", R, 0.0, 0.0), 1000.0, x, y, R + height);
    return put_body(s, &ball);
}


// From event to event: impacts at sqrt(2h/g) (1 + 2 (e + ... + e^n)), heights h e^2n.
static void test_event_driven(void **state)
{
    (void)state;
    for (int ground = 0; ground < GROUNDS; ground++) {
        scene s;
        const double first = 0.4515236409857309;
        open_scene(&s, 0.0, -EARTH, 1);
        int64_t ball = put_ball(&s, 0.1, 0.2, 1.0, 0.5);
        put_ground(&s, ground, 1.0);
        begin_scene(&s, "event-driven", first / 64.0);
        double time = first, height = 1.0;
        step_scene(&s, 64);
        for (int n = 1; n < 5; n++) { // the tops
            height *= 0.25, time = first * pow(0.5, n);
            s.h = time;
            step_scene(&s, 1);
            double v[3];
            velocity_of(&s, ball, v);
            assert_near(stand_of(&s, ball).position[2], R + height, 1e-9);
            assert_near(v[2], 0.0, 1e-8);
            step_scene(&s, 1);
        }
        close_scene(&s);
    }
}


// In time steps, to first order: the heights of the first rebounds, and rest after the last.
static void test_time_steps(void **state)
{
    (void)state;
    static const char *const SCHEMES[] = {"moreau-jean-projected", "midpoint-projection"};
    for (int k = 0; k < 2; k++)
        for (int ground = 0; ground < GROUNDS; ground++) {
            scene s;
            const double h = 1e-4, first = 0.4515236409857309;
            open_scene(&s, 0.0, -EARTH, 1);
            int64_t ball = put_ball(&s, 0.1, 0.2, 1.0, 0.5);
            put_ground(&s, ground, 1.0);
            begin_scene(&s, SCHEMES[k], h);
            double top[3] = {0.0};
            for (int n = 0; n < 3; n++) {
                double until = first * (3.0 - 2.0 * pow(0.5, n + 1));
                while (rico_simulation_time(s.sim) < until) {
                    step_scene(&s, 1);
                    if (rico_simulation_time(s.sim) > first * (3.0 - 4.0 * pow(0.5, n + 1)))
                        top[n] = fmax(top[n], stand_of(&s, ball).position[2] - R);
                }
                assert_near(top[n], pow(0.25, n + 1), 2e-4);
            }
            while (rico_simulation_time(s.sim) < 1.3545709229571927 + 50.0 * h) step_scene(&s, 1);
            assert_near(stand_of(&s, ball).position[2], R, 1e-9);
            assert_at_most(restless(&s), 1e-6);
            close_scene(&s);
        }
}


// e = 1: nothing is lost in 100 s.
static void test_elastic_ball(void **state)
{
    (void)state;
    static const char *const SCHEMES[] = {"moreau-jean-projected", "midpoint-projection", "event-driven"};
    for (int k = 0; k < 3; k++)
        for (int ground = 0; ground < GROUNDS; ground++) {
            scene s;
            open_scene(&s, 0.0, -EARTH, 1);
            put_ball(&s, 0.1, 0.2, 1.0, 1.0);
            put_ground(&s, ground, 1.0);
            begin_scene(&s, SCHEMES[k], 0.01);
            step_scene(&s, 1);
            double start = energy_of(&s), worst = 0.0;
            for (int n = 1; n < 10000; n++) {
                step_scene(&s, 1);
                worst = fmax(worst, fabs(energy_of(&s) / start - 1.0));
            }
            assert_at_most(worst, 1e-9);
            close_scene(&s);
        }
}


// 64 balls in a box, without gravity and with it.
static void test_elastic_gas(void **state)
{
    (void)state;
    for (int heavy = 0; heavy < 2; heavy++) {
        scene s;
        rico_random random;
        rico_random_seed(&random, 3);
        open_scene(&s, 0.0, heavy ? -EARTH : 0.0, 1);
        use_material(&s, 0.0, 1.0);
        const rico_shape *ball = make_shape(&s, "sphere", R, 0.0, 0.0);
        for (int i = 0; i < 64; i++) {
            int layer = i / 16;
            rico_body body =
                free_body(ball, 1000.0, -0.9 + 0.6 * (i % 4), -0.9 + 0.6 * (i / 4 % 4), -0.9 + 0.6 * layer);
            for (int j = 0; j < 3; j++) body.velocity[j] = rico_random_range(&random, -1.0, 1.0);
            put_body(&s, &body);
        }
        const rico_shape *wall = make_shape(&s, "box", 4.0, 4.0, 1.0);
        for (int i = 0; i < 6; i++) {
            rico_body body = rico_body_default();
            body.type = RICO_BODY_FIXED;
            body.shape = wall;
            body.stand.position[i / 2] = i % 2 ? 1.7 : -1.7;
            if (i / 2 == 0) turn_body(&body, 0.0, 0.5 * M_PI, 0.0);
            if (i / 2 == 1) turn_body(&body, 0.5 * M_PI, 0.0, 0.0);
            put_body(&s, &body);
        }
        begin_scene(&s, "moreau-jean-projected", 0.01);
        step_scene(&s, 1);
        double start = energy_of(&s), worst = 0.0;
        int steps = getenv("RICO_LONG") ? 10000 : 1000;
        for (int n = 1; n < steps; n++) {
            step_scene(&s, 1);
            worst = fmax(worst, fabs(energy_of(&s) / start - 1.0));
        }
        if (getenv("RICO_LONG"))
            printf("64 elastic balls, gravity %d: %.3g in %d steps\n", heavy, worst, steps);
        assert_at_most(worst, 1e-9);
        close_scene(&s);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_event_driven), cmocka_unit_test(test_time_steps),
                                       cmocka_unit_test(test_elastic_ball),
                                       cmocka_unit_test(test_elastic_gas)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
