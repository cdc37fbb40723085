// Joints in result files: forces and torques of joints against Newton's law of each body, coordinates, motors, and accelerations.

#include "joint_runs.h"

#define CRANK                                                                                                \
    "gravity: [0, -9.81]\n"                                                                                  \
    "bodies:\n"                                                                                              \
    "  crank: {position: [0.25, 0], spin: 2*pi, velocity: [0, 0.5*pi], mass: 1, inertia: 0.1}\n"             \
    "  rod: {position: [1.25, 0], spin: -2*pi/3, velocity: [0, 0.5*pi], mass: 2, inertia: 0.3}\n"            \
    "  slider: {position: [2, 0], mass: 3, inertia: 0.2}\n"                                                  \
    "joints:\n"                                                                                              \
    "  shaft: {kind: revolute, between: [world, crank], at: [0, 0], motor: {velocity: 360}}\n"               \
    "  crank-pin: {kind: revolute, between: [crank, rod], at: [0.5, 0]}\n"                                   \
    "  wrist-pin: {kind: revolute, between: [rod, slider], at: [2, 0]}\n"                                    \
    "  guide: {kind: prismatic, between: [world, slider], at: [2, 0], axis: [1, 0]}\n"

// Torques on the crank about its center.
#define TORQUES                                                                                              \
    "shaft.tz + shaft.motor.tz + crank-pin.a.tz - 0.1*crank.dw - crank.x*shaft.fy + crank.y*shaft.fx + "     \
    "crank.x*crank-pin.a.fy - crank.y*crank-pin.a.fx"

static void test_newton(void **state)
{
    (void)state;
    static const char *const SCHEMES[] = {"generalized-alpha-constrained", "event-driven"};
    // forces on each body, and torques about its center
    static const char *const LAWS[] = {
        "shaft.fx + crank-pin.a.fx - crank.a_x", "shaft.fy + crank-pin.a.fy - 9.81 - crank.a_y",
        "crank-pin.fx + wrist-pin.a.fx - 2*rod.a_x", "crank-pin.fy + wrist-pin.a.fy - 2*9.81 - 2*rod.a_y",
        "wrist-pin.fx + guide.fx - 3*slider.a_x", "wrist-pin.fy + guide.fy - 3*9.81 - 3*slider.a_y",
        "wrist-pin.tz + guide.tz - 0.2*slider.dw",
        // action and reaction, axes and coordinates
        "shaft.fx + shaft.a.fx", "crank-pin.fy + crank-pin.a.fy", "shaft.motor.tz + shaft.motor.a.tz",
        "guide.displacement + 2 - slider.x", "guide.v - slider.v_x", "sin(shaft.angle - crank.angle)",
        "shaft.w - crank.w", "crank-pin.w + crank.w - rod.w", "shaft.motor.torque - shaft.motor.tz",
        "shaft.motor.power - shaft.motor.torque*shaft.w", "guide.fx", "crank-pin.tx"};
    for (size_t s = 0; s < sizeof SCHEMES / sizeof *SCHEMES; s++) {
        char text[2000];
        snprintf(text, sizeof text, CRANK "time: {end: 1, step: 5e-3}\nscheme: %s\n", SCHEMES[s]);
        rico_columns *columns = run_text(text);
        for (size_t k = 0; k < sizeof LAWS / sizeof *LAWS; k++) {
            double off = largest(columns, LAWS[k], 1);
            if (!(off <= 1e-9 * 300.0)) fail_msg("%s: %s is off by %g", SCHEMES[s], LAWS[k], off);
        }
        assert_true(largest(columns, TORQUES, 1) <= 1e-9 * 300.0);
        assert_true(largest(columns, "shaft.motor.torque", 1) > 10.0);
        rico_columns_destroy(columns);
    }
}


// Schemes of impulses have means over the step: those of a resting weight are its weight, and the last row of force:JOINT is the same.
static void test_means(void **state)
{
    (void)state;
    static const char *const SCHEMES[] = {"moreau-jean", "moreau-jean-projected", "midpoint-projection"};
    for (size_t s = 0; s < sizeof SCHEMES / sizeof *SCHEMES; s++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "gravity: [0, 0, -10]\nbodies: {a: {mass: 2, inertia: [1, 1, 1], position: [1, 0, 0]}}\n"
                 "joints: {clamp: {kind: fixed, between: [world, a], at: [0, 0, 0]}}\n"
                 "time: {end: 0.2, step: 1e-2}\nscheme: %s\n",
                 SCHEMES[s]);
        rico_columns *columns = run_text(text);
        static const char *const LAWS[] = {"clamp.fz - 20",   "clamp.ty + 20", "clamp.a.fz + 20",
                                           "clamp.a.ty - 20", "clamp.fx",      "clamp.tz"};
        for (size_t k = 0; k < sizeof LAWS / sizeof *LAWS; k++)
            assert_near(largest(columns, LAWS[k], 1), 0.0, 1e-9);
        assert_false(rico_columns_has(columns, "a.a_x")); // they know no accelerations
        assert_false(rico_columns_has(columns, "clamp.angle"));
        rico_columns_destroy(columns);
    }
}


// A gear acts on both of its pairs: the torques are as the teeth.
static void test_coupling(void **state)
{
    (void)state;
    rico_columns *columns = run_text(
        "gravity: [0, 0]\nbodies: {one: {mass: 1, inertia: 1, position: [0, 0]}, two: {mass: 1, inertia: 3, "
        "position: [5, "
        "0]}}\n"
        "joints:\n  left: {kind: revolute, between: [world, one], at: [0, 0], motor: {position: 10*t^2}}\n"
        "  right: {kind: revolute, between: [world, two], at: [5, 0]}\n"
        "  mesh: {kind: gear, of: [left, right], teeth: [20, 40]}\n"
        "time: {end: 1, step: 1e-2}\nscheme: event-driven\n");
    // the second wheel turns at minus half of 20 degrees/s^2
    assert_near(largest(columns, "mesh.second.tz + 3*pi/18", 1), 0.0, 1e-9);
    assert_near(largest(columns, "mesh.tz + 3*pi/36", 1), 0.0, 1e-9);
    assert_near(largest(columns, "left.motor.torque - pi/9 - 3*pi/36", 1), 0.0, 1e-9);
    rico_columns_destroy(columns);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_newton), cmocka_unit_test(test_means),
                                       cmocka_unit_test(test_coupling)};
    return cmocka_run_group_tests(tests, context_start, context_end);
}
