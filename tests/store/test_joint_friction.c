// Friction in joints and motors with a largest force: set-valued, so that what sticks stays for ever, against closed forms.

#include "joint_runs.h"

static const char *const SCHEMES[] = {"moreau-jean", "moreau-jean-projected", "midpoint-projection",
                                      "midpoint-joints"};
enum { SCHEME_COUNT = 3 };


// On a slope of 0.3 rad friction of tan(0.3) holds: to the last bit, for a hundred thousand steps. A millionth less does not.
static void test_limit(void **state)
{
    (void)state;
    for (int k = 0; k < SCHEME_COUNT; k++) {
        rico_columns *columns = run_print("gravity: [10*sin(0.3), -10*cos(0.3)]\n"
                                          "bodies: {a: {mass: 2, inertia: 1, position: [0, 0]}, b: {mass: 2, "
                                          "inertia: 1, position: [0, 5]}}\n"
                                          "joints:\n"
                                          "  holds: {kind: prismatic, between: [world, a], at: [0, 0], axis: "
                                          "[1, 0], friction: tan(0.3)*(1 + 1e-9)}\n"
                                          "  slips: {kind: prismatic, between: [world, b], at: [0, 5], axis: "
                                          "[1, 0], friction: tan(0.3)*(1 - 1e-6)}\n"
                                          "time: {end: 100, step: 1e-3}\noutput: {every: 1000}\nscheme: %s\n",
                                          SCHEMES[k]);
        assert_true(largest(columns, "a.x", 0) == 0.0);
        assert_near(last(columns, "holds.friction.force"), -20.0 * sin(0.3), 1e-9);
        // 10 sin(0.3) 1e-6 t^2/2
        assert_near(last(columns, "b.x") / (0.5 * 1e-5 * sin(0.3) * 1e4), 1.0, 1e-4);
        rico_columns_destroy(columns);
    }
}


// Thrown, a slider stops after v^2/(2 mu g) and stays; one thrown obliquely in space has both walls press.
static void test_slide(void **state)
{
    (void)state;
    for (int k = 0; k < SCHEME_COUNT; k++) {
        rico_columns *columns =
            run_print("gravity: [0, -6, -8]\n"
                      "bodies: {a: {mass: 2, inertia: [1, 1, 1], velocity: [1, 0, 0]}}\n"
                      "joints: {rail: {kind: prismatic, between: [world, a], at: [0, 0, 0], axis: "
                      "[1, 0, 0], friction: 0.1}}\n"
                      "time: {end: 2, step: 1e-3}\nscheme: %s\n",
                      SCHEMES[k]);
        assert_near(last(columns, "a.x"), 0.5, 1e-6);
        assert_true(last(columns, "a.v_x") == 0.0);
        assert_near(last(columns, "total.tangential"), -1.0, 1e-9);
        assert_true(largest(columns, "ledger.residual", 1) <= 1e-13);
        rico_columns_destroy(columns);
    }
}


// A balanced wheel on a rough pin: the weight is all that presses, w = w0 - mu r m g t/J, then 0 for ever.
static void test_wheel(void **state)
{
    (void)state;
    for (int k = 0; k < SCHEME_COUNT; k++) {
        rico_columns *columns = run_print(
            "gravity: [0, -10]\nbodies: {wheel: {mass: 3, inertia: 0.2, position: [1, 2], spin: 5}}\n"
            "joints: {pin: {kind: revolute, between: [world, wheel], at: [1, 2], friction: {friction: 0.2, "
            "radius: 0.05}}}\n"
            "time: {end: 5, step: 1e-3}\nscheme: %s\n",
            SCHEMES[k]);
        assert_true(largest(columns, "wheel.w - max(0, 5 - 0.3*t/0.2)", 0) <= 2e-12);
        assert_true(last(columns, "wheel.w") == 0.0);
        assert_near(largest(columns, "pin.friction.torque", 1), 0.3, 1e-12);
        rico_columns_destroy(columns);
    }
}


// An arm about an upright axis, with the weight m g along it, m l w^2 across it and m g l bending it over a bearing of some width:
// but for the little that slowing down presses, w' = -(a w^2 + b), w = sqrt(b/a) tan(atan(w0 sqrt(a/b)) - t sqrt(a b)).
static void test_arm(void **state)
{
    (void)state;
    double m = 2.0, l = 0.5, J = 0.1 + m * l * l, mu = 0.15, r = 0.03, width = 0.2;
    double a = mu * r * m * l / J, b = mu * r * (m * 10.0 + 2.0 * m * 10.0 * l / width) / J;
    double want = sqrt(b / a) * tan(atan(8.0 * sqrt(a / b)) - sqrt(a * b));
    for (int k = 0; k < SCHEME_COUNT; k++) {
        rico_columns *columns = run_print(
            "gravity: [0, 0, -10]\n"
            "bodies: {arm: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0], spin: [0, 0, 8], "
            "velocity: [0, 4, 0]}}\n"
            "joints: {pin: {kind: revolute, between: [world, arm], at: [0, 0, 0], axis: [0, 0, 1],\n"
            "  friction: {friction: 0.15, radius: 0.03, width: 0.2}}}\n"
            "time: {end: 1, step: 5e-4}\nscheme: %s\n",
            SCHEMES[k]);
        assert_near(last(columns, "pin.w"), want, k == 2 ? 3e-4 : 0.1);
        rico_columns_destroy(columns);
    }
}


// A pendulum on a rough pin: J th'' = -m g l sin(th) - mu r |N| sign(th'), with N that of the motion itself, by fine steps of Runge and Kutta's.
static double swing(double theta, double w)
{
    double m = 2.0, g = 10.0, l = 0.5, J = 0.1 + m * l * l, arm = 0.3 * 0.02, a = 0.0;
    for (int n = 0; n < 60; n++) {
        double along = m * (l * w * w + g * cos(theta)), across = m * (l * a + g * sin(theta));
        a = (-m * g * l * sin(theta) - arm * hypot(along, across) * (w > 0.0 ? 1.0 : -1.0)) / J;
    }
    return a;
}


static void test_pendulum(void **state)
{
    (void)state;
    enum { STEPS = 4000 };
    double theta = 0.5, w = 0.0, h = 2.0 / STEPS;
    bool swings = true;
    w = -1e-12; // released, it moves down
    for (int i = 0; i < STEPS && swings; i++) {
        double a1 = swing(theta, w), w2 = w + 0.5 * h * a1, a2 = swing(theta + 0.5 * h * w, w2),
               w3 = w + 0.5 * h * a2, a3 = swing(theta + 0.5 * h * w2, w3), w4 = w + h * a3,
               a4 = swing(theta + h * w3, w4);
        theta += h / 6.0 * (w + 2.0 * w2 + 2.0 * w3 + w4);
        w += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    }
    for (int k = 0; k < SCHEME_COUNT; k++) {
        rico_columns *columns =
            run_print("gravity: [0, -10]\n"
                      "bodies: {bob: {mass: 2, inertia: 0.1, position: [0.5*sin(0.5), -0.5*cos(0.5)]}}\n"
                      "joints: {pin: {kind: revolute, between: [world, bob], at: [0, 0], friction: "
                      "{friction: 0.3, radius: 0.02}}}\n"
                      "time: {end: 2, step: 1e-3}\nscheme: %s\n",
                      SCHEMES[k]);
        double off = fabs(last(columns, "pin.angle") - (theta - 0.5));
        if (!(off <= (k >= 2 ? 2e-4 : 2e-2))) fail_msg("%s: off by %g", SCHEMES[k], off);
        rico_columns_destroy(columns);
    }
}


// A motor of at most 3 N m turns a wheel of 2 kg m^2 up to 2 rad/s and holds that exactly; a load of 4 N m from t = 3 s on drags it back.
static void test_motor(void **state)
{
    (void)state;
    for (int k = 0; k < SCHEME_COUNT; k++) {
        rico_columns *columns = run_print("gravity: [0, 0]\nbodies: {wheel: {mass: 1, inertia: 2, position: "
                                          "[0, 0], torque: '-1 - 3*min(1, max(0, 1e9*(t - 3)))'}}\n"
                                          "joints: {axle: {kind: revolute, between: [world, wheel], at: [0, "
                                          "0], motor: {velocity: 360/pi, bound: 3}}}\n"
                                          "time: {end: 4, step: 1e-3}\nscheme: %s\n",
                                          SCHEMES[k]);
        assert_true(largest(columns, "min(0, t - 3)*(wheel.w - min(2, t))", 0) <= 1e-9);
        assert_near(last(columns, "wheel.w"), 1.5, 1e-3);
        assert_near(last(columns, "axle.motor.torque"), 3.0, 1e-9);
        assert_true(largest(columns, "max(0, axle.motor.torque - 3)", 1) <= 1e-9);
        assert_true(largest(columns, "ledger.residual", 1) <= 1e-12);
        rico_columns_destroy(columns);
    }
}


// Schemes that hold joints with any force say so; the crank of a press with friction everywhere runs in the others.
static void test_schemes(void **state)
{
    (void)state;
    static const char *const OTHERS[] = {"event-driven", "generalized-alpha-constrained", "newmark",
                                         "schatzman-paoli"};
    for (int k = 0; k < 4; k++) {
        char text[600];
        rico_runner_options options = rico_runner_defaults();
        rico_runner_result end;
        snprintf(text, sizeof text,
                 "gravity: [0, -10]\nbodies: {wheel: {mass: 3, inertia: 0.2, position: [0, 0], spin: 5}}\n"
                 "joints: {pin: {kind: revolute, between: [world, wheel], at: [0, 0], friction: {friction: "
                 "0.2, radius: 0.05}}}\n"
                 "time: {end: 1, step: 1e-3}\nscheme: %s\n",
                 OTHERS[k]);
        options.scene = "s";
        options.text = text;
        assert_int_equal(rico_runner_run(ctx, &options, &end), RICO_UNSUPPORTED);
        assert_non_null(strstr(rico_message(ctx), "pin.friction is bounded"));
    }
    for (int k = 0; k < SCHEME_COUNT; k++) {
        rico_columns *columns = run_print(
            "gravity: [0, -9.81]\nbodies:\n  crank: {position: [0.25, 0], mass: 1, inertia: 0.1}\n  rod: "
            "{position: [1.25, 0], mass: 2, inertia: 0.3}\n  slider: {position: [2, 0], mass: 3, inertia: "
            "0.2}\njoints:\n  shaft: {kind: revolute, between: [world, crank], at: [0, 0], motor: {velocity: "
            "360, bound: 40}, friction: {friction: 0.1, radius: 0.02}}\n  crank-pin: {kind: revolute, "
            "between: [crank, rod], at: [0.5, 0], friction: {friction: 0.1, radius: 0.02}}\n  wrist-pin: "
            "{kind: revolute, between: [rod, slider], at: [2, 0], friction: {friction: 0.1, radius: 0.02}}\n "
            " guide: {kind: prismatic, between: [world, slider], at: [2, 0], axis: [1, 0], friction: "
            "{friction: 0.1, width: 0.3}}\ntime: {end: 2, step: 1e-3}\nscheme: %s\n",
            SCHEMES[k]);
        assert_true(largest(columns, "ledger.residual", 1) <= 1e-9);
        assert_true(last(columns, "total.tangential") < -1.0);
        assert_true(largest(columns, "max(0, abs(shaft.friction.torque) - 0.002*hypot(shaft.fx, shaft.fy))",
                            1) <= 1e-8);
        rico_columns_destroy(columns);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_limit),    cmocka_unit_test(test_slide),
                                       cmocka_unit_test(test_wheel),    cmocka_unit_test(test_arm),
                                       cmocka_unit_test(test_pendulum), cmocka_unit_test(test_motor),
                                       cmocka_unit_test(test_schemes)};
    return cmocka_run_group_tests(tests, context_start, context_end);
}
