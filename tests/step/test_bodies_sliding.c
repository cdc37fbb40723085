// A block on an incline and a block that slides to rest (spec 09, F1 and F2), on plane, box and triangles, in a turned world.

#include "step/bodies.h"

static const double SLOPE = M_PI / 9.0; // 20 degrees


// A block of w x 0.3 x height on a slope; gravity is turned, the ground is not.
static int64_t block_on_slope(scene *s, double slope, int ground, uint64_t seed, double friction, double w,
                              double height, double speed)
{
    open_scene(s, EARTH * sin(slope), -EARTH * cos(slope), seed);
    use_material(s, friction, 0.0);
    put_ground(s, ground, 3.0);
    rico_body block = free_body(make_shape(s, "box", w, 0.3, height), 1000.0, -1.0, 0.1, 0.5 * height);
    block.velocity[0] = speed;
    return put_body(s, &block);
}


static double off(const double x[3], double along)
{
    return fmax(fabs(x[0] - along), fmax(fabs(x[1]), fabs(x[2])));
}


// Below the limit nothing creeps.
static void test_rests(void **state)
{
    (void)state;
    int64_t steps = getenv("RICO_LONG") ? 1000000 : 2000;
    for (int ground = 0; ground < GROUNDS; ground++)
        for (uint64_t seed = 0; seed < 2; seed++) {
            scene s;
            block_on_slope(&s, SLOPE, ground, seed, 0.37, 0.4, 0.2, 0.0);
            begin_scene(&s, "moreau-jean-projected", 1e-2);
            double fastest = 0.0;
            for (int64_t n = 0; n < steps; n++) {
                step_scene(&s, 1);
                fastest = fmax(fastest, restless(&s));
            }
            if (getenv("RICO_LONG"))
                printf("rests: ground %d: %.3g m, %.3g m/s\n", ground, moved(&s), fastest);
            assert_at_most(fastest, 1e-12);
            assert_at_most(moved(&s), 1e-12);
            close_scene(&s);
        }
}


// Above it, v = g (sin - mu cos) t from the first step.
static void test_slides(void **state)
{
    (void)state;
    static const char *const SCHEMES[] = {"moreau-jean-projected", "midpoint-projection", "moreau-jean"};
    for (size_t k = 0; k < 3; k++)
        for (int ground = 0; ground < GROUNDS; ground++)
            for (uint64_t seed = 0; seed < 3; seed++) {
                scene s;
                double v[3], w[3];
                int64_t block = block_on_slope(&s, SLOPE, ground, seed, 0.3, 0.4, 0.2, 0.0);
                begin_scene(&s, SCHEMES[k], 1e-2);
                for (int n = 1; n <= 200; n++) {
                    step_scene(&s, 1);
                    velocity_of(&s, block, v);
                    spin_of(&s, block, w);
                    assert_at_most(off(v, 0.5897022230518818 * 0.01 * n), 1e-12);
                    assert_at_most(off(w, 0.0), 1e-11);
                }
                assert_near(stand_of(&s, block).position[0], -1.0 + 0.5897022230518818 * 0.5 * 4.0, 1e-11);
                assert_near(stand_of(&s, block).position[2], 0.1, 1e-13);
                close_scene(&s);
            }
}


// On the edge mu = tan, what moves keeps its speed. (What rests there stays at rest to 1e-7 m/s only: the problem is degenerate, and its
// residual of 1e-10 knows the velocity to about the root of it.)
static void test_on_the_edge(void **state)
{
    (void)state;
    for (int ground = 0; ground < GROUNDS; ground++)
        for (int k = 0; k < 2; k++) {
            scene s;
            double v[3];
            int64_t block = block_on_slope(&s, SLOPE, ground, 3, tan(SLOPE), 0.4, 0.2, k ? 0.5 : 0.0);
            begin_scene(&s, "moreau-jean-projected", 1e-2);
            step_scene(&s, 300);
            velocity_of(&s, block, v);
            assert_at_most(off(v, k ? 0.5 : 0.0), k ? 1e-12 : 1e-6);
            close_scene(&s);
        }
}


// Tips over its lower edge when tan > width / height, by the acceleration g (sin h/2 - cos w/2) m / I about it.
static void test_tips(void **state)
{
    (void)state;
    const double height = 0.5, h = 1e-3;
    for (int ground = 0; ground < GROUNDS; ground++)
        for (int k = 0; k < 4; k++) {
            static const double SHARE[4] = {1.0 + 1e-9, 1.0 - 1e-9, 1.1, 0.7};
            scene s;
            double w[3], width = SHARE[k] * tan(SLOPE) * height;
            int64_t block = block_on_slope(&s, SLOPE, ground, 4, 0.9, width, height, 0.0);
            begin_scene(&s, "moreau-jean-projected", h);
            double rate = EARTH * 0.5 * (height * sin(SLOPE) - width * cos(SLOPE)) * 3.0 /
                          (height * height + width * width);
            step_scene(&s, 1);
            spin_of(&s, block, w);
            if (SHARE[k] > 1.0) assert_at_most(restless(&s), 1e-12);
            if (SHARE[k] < 1.0) assert_near(w[1], rate * h, 1e-14 + 1e-6 * rate * h);
            step_scene(&s, 200);
            if (SHARE[k] > 1.0) assert_at_most(restless(&s), 1e-12);
            spin_of(&s, block, w);
            if (SHARE[k] < 1.0) assert_true(w[1] > 100.0 * rate * h);
            close_scene(&s);
        }
}


// Stops after v / (mu g) and v^2 / (2 mu g), alike in every direction. One step's length falls on the stop, so that Moreau-Jean's
// piecewise linear velocity is the exact one.
static void test_stops(void **state)
{
    (void)state;
    const double way = 1.146788990825688, time = 0.764525993883792;
    for (int kind = 0; kind < 2; kind++)
        for (int ground = 0; ground < GROUNDS; ground++) {
            double least = INFINITY, most = 0.0;
            for (int degree = 0; degree < 360; degree += ground == ON_PLANE && !kind ? 1 : 9) {
                scene s;
                open_scene(&s, 0.0, -EARTH, (uint64_t)degree);
                use_material(&s, 0.4, 0.0);
                put_ground(&s, ground, 3.0);
                rico_body block = free_body(make_shape(&s, "box", 0.2, 0.2, 0.02), 1000.0, 0.0, 0.0, 0.01);
                double angle = degree * M_PI / 180.0;
                block.velocity[0] = 3.0 * cos(angle), block.velocity[1] = 3.0 * sin(angle);
                if (kind) turn_body(&block, 0.0, 0.0, 0.3 * degree);
                int64_t index = put_body(&s, &block);
                build_scene(&s, "moreau-jean-projected");
                assert_ok(s.ctx, rico_simulation_set_number(s.sim, "tol", 1e-13));
                start_scene(&s, time / 40.0);
                step_scene(&s, 50);
                rico_stand end = stand_of(&s, index);
                double stopped = hypot(end.position[0], end.position[1]);
                least = fmin(least, stopped), most = fmax(most, stopped);
                assert_near(end.position[0], way * cos(angle), 1e-6);
                assert_near(end.position[1], way * sin(angle), 1e-6);
                assert_at_most(restless(&s), 1e-12);
                close_scene(&s);
            }
            if (getenv("RICO_LONG")) printf("stops: ground %d: spread %.3g\n", ground, (most - least) / way);
            assert_at_most((most - least) / way, 1e-10);
            assert_near(most, way, 1e-10);
        }
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rests), cmocka_unit_test(test_slides),
                                       cmocka_unit_test(test_on_the_edge), cmocka_unit_test(test_tips),
                                       cmocka_unit_test(test_stops)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
