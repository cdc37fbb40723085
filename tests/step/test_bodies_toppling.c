// Things that fall over (spec 09, F9, F10, F14, F18): a ladder, a rocking block, dominoes, Painleve's rod.

#include "step/bodies.h"

// A slender rod along z from -l to l, of unit mass, sharp at both ends: edges as wide as given, or points.
static rico_body slender(scene *s, double l, double wide)
{
    double corner[8][3];
    rico_shape *hull;
    for (int k = 0; k < 8; k++)
        rico_vec3_set(k & 2 ? 0.0 : (k & 1 ? 0.002 : -0.002) * l,
                      (k & 4 ? 0.5 : -0.5) * (k & 2 ? wide : fmax(wide, 0.01 * l)),
                      k & 2 ? (k & 1 ? l : -l) : 0.0, corner[k]);
    assert_ok(s->ctx, rico_shape_hull(s->ctx, &corner[0][0], 8, &hull));
    rico_body rod = free_body(keep_shape(s, hull), 0.0, 0.0, 0.0, 0.0);
    rod.mass = 1.0;
    rod.has_inertia = true;
    rod.inertia[0] = rod.inertia[4] = l * l / 3.0;
    rod.inertia[8] = 0.1 * l * l;
    return rod;
}


// --- a ladder ------------------------------------------------------------------------------------------------------

// Leaves the wall when sin th = (2/3) sin th0, turning at sqrt(g sin th0 / L).
static void ladder(int ground, double h, double *angle, double *rate)
{
    scene s;
    const double l = 1.0, from = M_PI / 3.0;
    open_scene(&s, 0.0, -EARTH, 2);
    use_material(&s, 0.0, 0.0);
    rico_body rod = slender(&s, l, 0.4);
    rod.stand = rico_stand_at(l * cos(from), 0.0, l * sin(from));
    turn_body(&rod, 0.0, from - 0.5 * M_PI, 0.0); // top at the wall x = 0
    int64_t index = put_body(&s, &rod);
    int64_t floor = put_ground(&s, ground, 3.0);
    put_fixed(&s, make_shape(&s, "box", 1.0, 2.0, 8.0), -0.5, 0.0, 0.0);
    begin_midway(&s, h);
    for (bool leaning = true; leaning;) {
        double spin[3];
        rico_stand at = stand_of(&s, index);
        *angle = asin(at.position[2] / l);
        spin_of(&s, index, spin);
        *rate = fabs(spin[1]);
        step_scene(&s, 1);
        leaning = false;
        for (int64_t c = 0; c < rico_simulation_constraints(s.sim); c++) {
            int64_t a, b;
            uint32_t x, y;
            rico_constraint_info info = rico_simulation_constraint(s.sim, c);
            rico_bodies_contact(s.bodies, info.key, &a, &b, &x, &y);
            leaning |= a != floor && b != floor && rico_simulation_impulse(s.sim)[info.row] > 0.0;
        }
        assert_true(*angle > 0.1);
    }
    close_scene(&s);
}


static void test_ladder(void **state)
{
    (void)state;
    for (int ground = 0; ground < GROUNDS; ground++) {
        double angle, rate;
        ladder(ground, 1e-3, &angle, &rate);
        assert_near(angle * 180.0 / M_PI, 35.26438968, 0.3);
        assert_near(rate, 2.06103241, 0.01);
    }
}


// --- a rocking block -----------------------------------------------------------------------------------------------

static void test_rocking(void **state)
{
    (void)state;
    const double R = 0.5, al = 0.25, th0 = 0.1, h = 1e-4;
    for (int ground = 0; ground < GROUNDS; ground++) {
        scene s;
        open_scene(&s, 0.0, -EARTH, 2);
        use_material(&s, 3.0, 0.0);
        put_ground(&s, ground, 3.0);
        rico_body block = free_body(make_shape(&s, "box", 2.0 * R * sin(al), 0.3, 2.0 * R * cos(al)), 1000.0,
                                    -R * sin(al - th0), 0.0, R * cos(al - th0));
        turn_body(&block, 0.0, th0, 0.0); // on the edge at x = 0
        int64_t index = put_body(&s, &block);
        begin_midway(&s, h);
        double before = 0.0, after = 0.0, spin[3], time = 0.0, top = 0.0;
        while (after == 0.0 && rico_simulation_time(s.sim) < 0.5) {
            spin_of(&s, index, spin);
            before = fmin(before, spin[1]), time = rico_simulation_time(s.sim);
            step_scene(&s, 1);
            spin_of(&s, index, spin);
            if (fabs(spin[1]) < 0.95 * fabs(before) && fabs(before) > 0.5) after = spin[1];
        }
        // the step of the impact may fall into two
        step_scene(&s, 1);
        spin_of(&s, index, spin);
        after = spin[1];
        while (spin[1] < 0.0) {
            step_scene(&s, 1);
            spin_of(&s, index, spin);
            rico_stand at = stand_of(&s, index);
            top = fmax(top, 2.0 * fabs(at.orientation[2]));
        }
        assert_near(time, 0.287070021628, 2.0 * h);
        assert_near(fabs(before), 0.764486921218, 1e-3);
        assert_near(after / before, 0.908186921418, 2e-3);
        assert_near(top, 0.0782776300206, 3e-4);
        close_scene(&s);
    }
}


// --- Painleve ------------------------------------------------------------------------------------------------------

// Where 1 + 3 cos^2 - 3 mu sin cos < 0 no smooth motion exists: the tip stops by an impact without collision, whatever the step.
static void test_painleve(void **state)
{
    (void)state;
    const double l = 0.5, angle = atan(2.0);
    for (int ground = 0; ground < GROUNDS; ground++)
        for (int k = 0; k < 3; k++) {
            scene s;
            double h = 1e-3 * pow(0.1, k), v[3], spin[3];
            open_scene(&s, 0.0, -EARTH, 0);
            use_material(&s, 1.4, 0.0);
            put_ground(&s, ground, 2.0);
            rico_body rod = slender(&s, l, 0.0);
            rod.stand = rico_stand_at(l * cos(angle), 0.0, l * sin(angle));
            turn_body(&rod, 0.0, 0.5 * M_PI - angle, 0.0);
            rod.velocity[0] = -1.0;
            int64_t index = put_body(&s, &rod);
            begin_scene(&s, "moreau-jean-projected", h);
            step_scene(&s, 1);
            velocity_of(&s, index, v);
            spin_of(&s, index, spin);
            double tip[2] = {v[0] - spin[1] * l * sin(angle), v[2] + spin[1] * l * cos(angle)}, p = 0.0;
            for (int64_t c = 0; c < rico_simulation_constraints(s.sim); c++)
                p += rico_simulation_impulse(s.sim)[3 * c];
            assert_at_most(hypot(tip[0], tip[1]), 1e-12);
            assert_near(p, 0.3, 10.0 * h); // finite, as the step goes to 0
            close_scene(&s);
        }
}


// --- dominoes ------------------------------------------------------------------------------------------------------

static const double TALL = 0.048, THICK = 0.0075, WIDE = 0.024;


// One domino about its edge, which is held: by a groove, as it were; falls from 2.6948 rad/s on.
static double one_domino(double rate, double tilt)
{
    scene s;
    double half = 0.5 * hypot(TALL, THICK), lean = atan2(THICK, TALL);
    open_scene(&s, 0.0, -EARTH, 0);
    use_material(&s, 5.0, 0.0);
    put_ground(&s, ON_PLANE, 1.0);
    rico_body domino = free_body(make_shape(&s, "box", THICK, WIDE, TALL), 1000.0, -half * sin(lean - tilt),
                                 0.0, half * cos(lean - tilt));
    turn_body(&domino, 0.0, tilt, 0.0);
    domino.spin[1] = rate;
    rico_vec3_set(rate * half * cos(lean - tilt), 0.0, rate * half * sin(lean - tilt), domino.velocity);
    int64_t index = put_body(&s, &domino);
    begin_midway(&s, 1e-4);
    double angle = tilt;
    while (angle < 0.5 && rico_simulation_time(s.sim) < 2.0) {
        step_scene(&s, 1);
        rico_stand at = stand_of(&s, index);
        angle = 2.0 * asin(at.orientation[2]);
        if (rico_simulation_time(s.sim) > 0.05 && angle < 1e-4) break;
    }
    close_scene(&s);
    return angle;
}


static void test_one_domino(void **state)
{
    (void)state;
    double balance = atan2(THICK, TALL);
    assert_near(balance * 180.0 / M_PI, 8.8806591505, 1e-9);
    assert_true(one_domino(0.0, balance + 1e-4) > 0.5);
    assert_true(one_domino(0.0, balance - 1e-4) < 1e-3);
    assert_true(one_domino(2.694811458 * 1.001, 0.0) > 0.5);
    assert_true(one_domino(2.694811458 * 0.999, 0.0) < 1e-3);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ladder), cmocka_unit_test(test_rocking),
                                       cmocka_unit_test(test_painleve), cmocka_unit_test(test_one_domino)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
