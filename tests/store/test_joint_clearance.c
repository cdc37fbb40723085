// Joints with play: pins in holes, balls in sockets, sliders in channels, against closed forms and joints without play.

#include "joint_runs.h"

typedef struct way {
    const char *scheme;
    double step, bound; // of time; what it may be off by
} way;

static const way WAYS[] = {{"moreau-jean", 1e-4, 2e-3},
                           {"moreau-jean-projected", 1e-4, 2e-3},
                           {"midpoint-projection", 1e-3, 1e-4},
                           {"generalized-alpha-constrained", 1e-3, 1e-4},
                           {"event-driven", 1e-2, 1e-8}};
enum { WAYS_COUNT = sizeof WAYS / sizeof *WAYS };


// A pendulum theta'' = -k sin(theta), released at rest, by Runge and Kutta's fourth-order steps.
static double pendulum(double k, double theta, double t)
{
    enum { STEPS = 20000 };
    double h = t / STEPS, w = 0.0;
    for (int i = 0; i < STEPS; i++) {
        double a1 = -k * sin(theta), w2 = w + 0.5 * h * a1, a2 = -k * sin(theta + 0.5 * h * w),
               w3 = w + 0.5 * h * a2, a3 = -k * sin(theta + 0.5 * h * w2), w4 = w + h * a3,
               a4 = -k * sin(theta + h * w3);
        theta += h / 6.0 * (w + 2.0 * w2 + 2.0 * w3 + w4);
        w += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    }
    return theta;
}


// A disc that rolls in a hole swings as a pendulum of 3/2 of the play, without friction of the play alone.
static void test_disc(void **state)
{
    (void)state;
    for (int k = 0; k < WAYS_COUNT; k++)
        for (int rolls = 0; rolls < 2; rolls++) {
            rico_columns *columns = run_print(
                "gravity: [0, -10]\n"
                "bodies: {disc: {mass: 2, inertia: 0.09, position: [0.1*sin(0.8), -0.1*cos(0.8)]}}\n"
                "joints: {pin: {kind: revolute, between: [world, disc], at: [[0, 0], [0, 0]],\n"
                "  clearance: {play: 0.1, radius: 0.3, friction: %g}}}\n"
                "time: {end: 0.5, step: %g}\nscheme: %s\n",
                rolls ? 2.0 : 0.0, WAYS[k].step, WAYS[k].scheme);
            double theta = pendulum(rolls ? 10.0 / 0.15 : 100.0, 0.8, 0.5);
            double off = fabs(last(columns, "disc.x") - 0.1 * sin(theta));
            if (!(off <= WAYS[k].bound)) fail_msg("%s, %d: off by %g", WAYS[k].scheme, rolls, off);
            // rolling: 0.3 times the turn of the disc is 0.4 times minus that of its center, less that of the center
            if (rolls) assert_near(last(columns, "disc.angle"), -(theta - 0.8) / 3.0, 40.0 * WAYS[k].bound);
            if (strcmp(WAYS[k].scheme, "moreau-jean") != 0)
                assert_true(largest(columns, "min(0, gap:pin.play)", 0) <= 1e-10);
            rico_columns_destroy(columns);
        }
}


// Dropped from the very center, where no direction is the nearest: the fall takes sqrt(2 play/g), and nothing is ever not a number.
static void test_center(void **state)
{
    (void)state;
    for (int k = 0; k < WAYS_COUNT; k++) {
        rico_columns *columns =
            run_print("gravity: [0, 0, -10]\n"
                      "bodies: {ball: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [1, 2, 3]}}\n"
                      "joints: {cup: {kind: spherical, between: [world, ball], at: [1, 2, 3],\n"
                      "  clearance: {play: 0.05, radius: 0.1, friction: 0.2}}}\n"
                      "time: {end: 0.3, step: %g}\nscheme: %s\n",
                      WAYS[k].step, WAYS[k].scheme);
        assert_near(last(columns, "ball.z"), 2.95, 1e-3);
        assert_near(last(columns, "cup.fz"), 10.0, 1e-6);
        assert_true(largest(columns, "ball.x + ball.y + ball.w_x - 3", 0) <= 1e-9);
        assert_true(largest(columns, "ball.z - 3 + 5*min(t, 0.1)^2", 0) <= 2.0 * WAYS[k].step);
        rico_columns_destroy(columns);
    }
}


// Without friction a ball in its socket hangs on a massless rod of the length of the play.
static void test_socket(void **state)
{
    (void)state;
    rico_columns *columns[2];
    static const char *const JOINT[] = {"kind: spherical, at: [[1, 0, 0], [0, 0, 0]], clearance: {play: 0.5}",
                                        "kind: distance, at: [[1, 0, 0], [0, 0, 0]], length: 0.5"};
    for (int k = 0; k < 2; k++)
        columns[k] =
            run_print("gravity: [0, 0, -10]\n"
                      "bodies: {ball: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [1.3, 0, -0.4],\n"
                      "  velocity: [0, 1.1, 0], spin: [1, 2, 3]}}\n"
                      "joints: {cup: {between: [world, ball], %s}}\n"
                      "time: {end: 1, step: 1e-2}\nscheme: {name: event-driven, rtol: 1e-10}\n",
                      JOINT[k]);
    static const char *const NAMES[] = {"ball.x", "ball.y", "ball.z", "ball.w_x", "cup.fx", "cup.fz"};
    for (int i = 0; i < 6; i++) assert_near(last(columns[0], NAMES[i]), last(columns[1], NAMES[i]), 1e-7);
    for (int k = 0; k < 2; k++) rico_columns_destroy(columns[k]);
}


// A pin of some width in space, loaded in its middle, moves as the pin in the plane, half of the force at each end; its axis stays.
static void test_width(void **state)
{
    (void)state;
    for (int k = 0; k < WAYS_COUNT; k++) {
        rico_columns *plane =
            run_print("gravity: [0, -10]\n"
                      "bodies: {disc: {mass: 2, inertia: 0.09, position: [0.1*sin(0.8), -0.1*cos(0.8)]}}\n"
                      "joints: {pin: {kind: revolute, between: [world, disc], at: [[0, 0], [0, 0]],\n"
                      "  clearance: {play: 0.1, radius: 0.3, friction: 0.1}}}\n"
                      "time: {end: 0.2, step: %g}\nscheme: %s\n",
                      WAYS[k].step, WAYS[k].scheme);
        rico_columns *space = run_print("gravity: [0, -10, 0]\n"
                                        "bodies: {disc: {mass: 2, inertia: [0.2, 0.2, 0.09], position: "
                                        "[0.1*sin(0.8), -0.1*cos(0.8), 0]}}\n"
                                        "joints: {pin: {kind: revolute, between: [world, disc], at: [[0, 0, "
                                        "0], [0, 0, 0]], axis: [0, 0, 1],\n"
                                        "  clearance: {play: 0.1, radius: 0.3, width: 0.2, friction: 0.1}}}\n"
                                        "time: {end: 0.2, step: %g}\nscheme: %s\n",
                                        WAYS[k].step, WAYS[k].scheme);
        assert_near(last(space, "disc.x"), last(plane, "disc.x"), 1e-6);
        assert_near(last(space, "disc.w_z"), last(plane, "disc.w"), 1e-5);
        assert_true(largest(space, "disc.z", 0) + largest(space, "disc.w_x", 0) +
                        largest(space, "disc.w_y", 0) <=
                    1e-9);
        assert_true(largest(space, "impulse:pin.play1 - impulse:pin.play2", 1) <= 1e-7);
        rico_columns_destroy(plane);
        rico_columns_destroy(space);
    }
}


// A slider in its channel: thrown, it slides v^2/(2 mu g) and stays for ever; pushed at one end it tilts until two corners touch.
static void test_slider(void **state)
{
    (void)state;
    for (int k = 0; k < WAYS_COUNT; k++) {
        rico_columns *columns =
            run_print("gravity: [0, -10]\n"
                      "bodies: {slider: {mass: 2, inertia: 0.05, position: [0, -0.01], velocity: [1, 0]}}\n"
                      "joints: {guide: {kind: prismatic, between: [world, slider], at: [[0, 0], [0, 0]], "
                      "axis: [1, 0],\n"
                      "  clearance: {play: 0.01, radius: 0.02, width: 0.4, friction: 0.25}}}\n"
                      "time: {end: 1, step: %g}\nscheme: %s\n",
                      WAYS[k].step, WAYS[k].scheme);
        assert_near(last(columns, "guide.displacement"), 0.2, WAYS[k].bound);
        assert_near(last(columns, "slider.v_x"), 0.0, 1e-12);
        assert_near(last(columns, "guide.fy"), 20.0, 1e-6);
        assert_near(last(columns, "slider.y"), -0.01, 1e-6);
        rico_columns_destroy(columns);
    }
    rico_columns *tilted =
        run_text("gravity: [0, 0]\n"
                 "bodies: {slider: {mass: 2, inertia: 0.05, position: [0, 0], torque: 3}}\n"
                 "joints: {guide: {kind: prismatic, between: [world, slider], at: [0, 0], axis: [1, 0],\n"
                 "  clearance: {play: 0.01, radius: 0.02, width: 0.4}}}\n"
                 "time: {end: 0.2, step: 1e-4}\nscheme: moreau-jean-projected\n");
    // corners at 0.2 sin + 0.02 cos = 0.03
    double angle = last(tilted, "slider.angle");
    assert_near(0.2 * sin(angle) + 0.02 * cos(angle), 0.03, 1e-9);
    assert_near(last(tilted, "guide.tz"), -3.0, 1e-6);
    rico_columns_destroy(tilted);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_disc), cmocka_unit_test(test_center),
                                       cmocka_unit_test(test_socket), cmocka_unit_test(test_width),
                                       cmocka_unit_test(test_slider)};
    return cmocka_run_group_tests(tests, context_start, context_end);
}
