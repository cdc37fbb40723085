// Things that spin on a point of the ground (spec 09, F12, F13): a heavy top, and the rattleback that turns back.

#include "step/bodies.h"

// --- a top ---------------------------------------------------------------------------------------------------------

// The thin disc of the page on a tip without size: m = 0.5, center at 0.1, spin 300, released at 60 degrees.
static int64_t put_top(scene *s, int ground, double spin, double tilt, double precession)
{
    static const double AXIS = 0.1;
    double corner[5][3] = {
        {0.0, 0.0, -AXIS}, {0.02, 0.0, 0.0}, {-0.02, 0.0, 0.0}, {0.0, 0.02, 0.0}, {0.0, -0.02, 0.0}};
    rico_shape *hull;
    open_scene(s, 0.0, -EARTH, 0);
    use_material(s, 3.0, 0.0); // at the release it needs 1.39 to stay where it is
    put_ground(s, ground, 1.0);
    assert_ok(s->ctx, rico_shape_hull(s->ctx, &corner[0][0], 5, &hull));
    rico_body top = free_body(keep_shape(s, hull), 0.0, AXIS * sin(tilt), 0.0, AXIS * cos(tilt));
    turn_body(&top, 0.0, tilt, 0.0);
    top.mass = 0.5;
    top.has_inertia = true;
    top.inertia[0] = top.inertia[4] = 3.125e-4;
    top.inertia[8] = 6.25e-4;
    double axis[3] = {sin(tilt), 0.0, cos(tilt)}, up[3] = {0.0, 0.0, 1.0}, arm[3];
    double along = spin - precession * cos(tilt);
    for (int i = 0; i < 3; i++) top.spin[i] = along * axis[i] + precession * up[i];
    rico_vec3_scale(AXIS, axis, arm);
    rico_vec3_cross(top.spin, arm, top.velocity);
    return put_body(s, &top);
}


// Tilt and azimuth at 0.1 s, by steps of h.
static void nutate(int ground, double h, double *tilt, double *azimuth)
{
    scene s;
    int64_t top = put_top(&s, ground, 300.0, M_PI / 3.0, 0.0);
    begin_midway(&s, h);
    step_scene(&s, (int64_t)(0.1 / h + 0.5));
    rico_stand at = stand_of(&s, top);
    double up[3] = {0.0, 0.0, 1.0}, axis[3];
    rico_quaternion_rotate(at.orientation, up, axis);
    *tilt = acos(axis[2]);
    *azimuth = atan2(axis[1], axis[0]);
    close_scene(&s);
}


static void test_top(void **state)
{
    (void)state;
    for (int ground = 0; ground < GROUNDS; ground++) {
        double tilt[3], azimuth[3];
        for (int k = 0; k < 3; k++) nutate(ground, 1e-3 * pow(0.5, k), &tilt[k], &azimuth[k]);
        for (int k = 0; k < 3; k++) tilt[k] -= 1.18830506, azimuth[k] -= 0.28220977;
        assert_at_most(fabs(tilt[2]), 1e-4);
        assert_at_most(fabs(azimuth[2]), 5e-4);
        assert_near(tilt[1] / tilt[2], 4.0, 0.2);
        assert_near(azimuth[1] / azimuth[2], 4.0, 0.2);
    }
}


// Steady precession at 60 degrees.
static void test_steady_top(void **state)
{
    (void)state;
    scene s;
    int64_t top = put_top(&s, ON_PLANE, 300.0, M_PI / 3.0, 2.72087837);
    begin_midway(&s, 2.5e-4);
    double up[3] = {0.0, 0.0, 1.0}, axis[3], worst = 0.0;
    for (int n = 0; n < 2000; n++) {
        step_scene(&s, 1);
        rico_quaternion_rotate(stand_of(&s, top).orientation, up, axis);
        worst = fmax(worst, fabs(acos(axis[2]) - M_PI / 3.0));
    }
    assert_at_most(worst, 1e-4);
    assert_near(atan2(axis[1], axis[0]), 0.5 * 2.72087837, 2e-3);
    close_scene(&s);
}


// --- the rattleback ------------------------------------------------------------------------------------------------

enum { SECONDS = 4 };

// Spin about the vertical after each second, and when it turns to the other side (INFINITY: not at all). Returns the energy lost, relative.
static double rattle(double spin, double slant, double h, double out[SECONDS], double *reversal)
{
    const double tilt = 0.5 * M_PI / 180.0, high = hypot(0.03 * sin(tilt), 0.02 * cos(tilt));
    scene s;
    open_scene(&s, 0.0, -EARTH, 0);
    use_material(&s, 1.0, 0.0);
    put_ground(&s, ON_PLANE, 1.0);
    rico_body stone = free_body(make_shape(&s, "ellipsoid", 0.2, 0.03, 0.02), 0.0, 0.0, 0.0, high);
    turn_body(&stone, tilt, 0.0, 0.0);
    stone.mass = 1.0;
    stone.center[2] = -0.01;
    stone.has_inertia = true;
    stone.inertia[0] = 2e-4, stone.inertia[4] = 1.6e-3, stone.inertia[8] = 1.7e-3;
    stone.inertia[1] = stone.inertia[3] = slant;
    // turns about its own axis without slip: v = w x (center - lowest point)
    double own[3] = {0.0, 0.0, -0.01}, around[3] = {0.0, 0.0, spin}, center[3], arm[3];
    double low[3] = {0.0, (0.02 * 0.02 - 0.03 * 0.03) * sin(tilt) * cos(tilt) / high, -high};
    rico_quaternion_rotate(stone.stand.orientation, own, center);
    rico_quaternion_rotate(stone.stand.orientation, around, stone.spin);
    rico_vec3_subtract(center, low, arm);
    rico_vec3_cross(stone.spin, arm, stone.velocity);
    int64_t index = put_body(&s, &stone), a_second = (int64_t)(1.0 / h + 0.5);
    begin_midway(&s, h);
    step_scene(&s, 1);
    double start = energy_of(&s), w[3];
    *reversal = INFINITY;
    for (int64_t n = 2; n <= SECONDS * a_second + a_second / 2; n++) {
        step_scene(&s, 1);
        spin_of(&s, index, w);
        if (w[2] * spin < 0.0) *reversal = fmin(*reversal, rico_simulation_time(s.sim));
        if (n % a_second == 0 && n <= SECONDS * a_second) out[n / a_second - 1] = w[2];
    }
    double lost = 1.0 - energy_of(&s) / start;
    close_scene(&s);
    return lost;
}


// -5 rad/s are turned back at 4.15 s, +5 are not; the mirror image does the opposite.
static void test_rattleback(void **state)
{
    (void)state;
    static const double EXPECTED[3] = {-4.9738, -4.2287, -1.7448};
    double spin[SECONDS], mirrored[SECONDS], when, lost[2];
    for (int k = 0; k < 2; k++) lost[k] = rattle(-5.0, -2e-5, k ? 5e-4 : 1e-3, spin, &when);
    for (int i = 0; i < 3; i++) assert_near(spin[i], EXPECTED[i], 0.03);
    assert_near(when, 4.15, 0.02);
    assert_at_most(lost[1], 0.01);
    assert_near(lost[0] / lost[1], 4.0, 0.5);
    rattle(5.0, 2e-5, 5e-4, mirrored, &when);
    for (int i = 0; i < SECONDS; i++) assert_near(mirrored[i], -spin[i], 1e-3);
    rattle(5.0, -2e-5, 1e-3, spin, &when);
    assert_true(when == INFINITY);
    for (int i = 0; i < SECONDS; i++) assert_near(spin[i], 5.0, 0.1);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_top), cmocka_unit_test(test_steady_top),
                                       cmocka_unit_test(test_rattleback)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
