// Balls and rollers (spec 09, F5 to F8): sliding to rolling, down a slope, on a turntable, off a sphere.

#include "step/bodies.h"

static const double RADIUS = 0.1;


// A body with the inertia k m R^2 about every axis, at rest height on the ground.
static rico_body ball_on_ground(scene *s, double k, double x, double y)
{
    rico_body ball = free_body(make_shape(s, "sphere", RADIUS, 0.0, 0.0), 0.0, x, y, RADIUS);
    ball.mass = 2.0;
    ball.has_inertia = true;
    for (int i = 0; i < 9; i += 4) ball.inertia[i] = k * ball.mass * RADIUS * RADIUS;
    return ball;
}


static double apart(const double x[3], double a, double b, double c)
{
    return fmax(fabs(x[0] - a), fmax(fabs(x[1] - b), fabs(x[2] - c)));
}


// Slips until t = k v0 / ((1 + k) mu g), then rolls at v0 / (1 + k) for ever. The step divides t, so that all is exact.
static void test_sliding_to_rolling(void **state)
{
    (void)state;
    static const double INERTIA[] = {0.4, 0.5, 2.0 / 3.0, 1.0};
    for (int i = 0; i < 4; i++)
        for (int ground = 0; ground < GROUNDS; ground++) {
            scene s;
            double k = INERTIA[i], v0 = 2.0, mu = 0.2, v[3], w[3];
            double end = k * v0 / ((1.0 + k) * mu * EARTH), speed = v0 / (1.0 + k);
            double way = 0.5 * (v0 + speed) * end;
            open_scene(&s, 0.0, -EARTH, (uint64_t)i);
            use_material(&s, mu, 0.0);
            put_ground(&s, ground, 4.0);
            rico_body ball = ball_on_ground(&s, k, -1.0, 0.2);
            ball.velocity[0] = v0;
            int64_t index = put_body(&s, &ball);
            begin_midway(&s, end / 30.0);
            step_scene(&s, 15);
            velocity_of(&s, index, v);
            spin_of(&s, index, w);
            assert_at_most(apart(v, 0.5 * (v0 + speed), 0.0, 0.0), 1e-12);
            assert_at_most(apart(w, 0.0, 0.5 * speed / RADIUS, 0.0), 1e-11);
            step_scene(&s, 15);
            assert_near(stand_of(&s, index).position[0], -1.0 + way, 1e-12);
            step_scene(&s, 60);
            velocity_of(&s, index, v);
            spin_of(&s, index, w);
            assert_at_most(apart(v, speed, 0.0, 0.0), 1e-12);
            assert_at_most(apart(w, 0.0, speed / RADIUS, 0.0), 1e-11);
            assert_near(stand_of(&s, index).position[0], -1.0 + way + 2.0 * end * speed, 1e-12);
            if (i == 0) {
                assert_near(end, 0.29124799767, 1e-11);
                assert_near(way, 0.49928228172, 1e-11);
            }
            close_scene(&s);
        }
}


// How far a ball with a spin is from v0 - (2/7) u0 once it rolls, and half way from its parabola: the slip u = v + R n x w keeps its direction.
static double billiards(int ground, const double spin[3], int steps)
{
    scene s;
    double v[3], slip[2] = {2.0 - RADIUS * spin[1], RADIUS * spin[0]};
    double end = 2.0 / 7.0 * hypot(slip[0], slip[1]) / (0.2 * EARTH), worst = 0.0;
    open_scene(&s, 0.0, -EARTH, 3);
    use_material(&s, 0.2, 0.0);
    put_ground(&s, ground, 4.0);
    rico_body ball = ball_on_ground(&s, 0.4, -1.0, 0.2);
    ball.velocity[0] = 2.0;
    rico_vec3_copy(spin, ball.spin);
    int64_t index = put_body(&s, &ball);
    begin_midway(&s, end / (2 * steps));
    step_scene(&s, steps);
    rico_stand at = stand_of(&s, index);
    for (int j = 0; j < 2; j++) {
        double start = j ? 0.2 : -1.0, v0 = j ? 0.0 : 2.0, brake = -2.0 / 7.0 * slip[j] / end;
        worst = fmax(worst, fabs(at.position[j] - (start + 0.5 * end * v0 + brake * end * end / 8.0)));
    }
    step_scene(&s, steps + 4);
    velocity_of(&s, index, v);
    worst = fmax(worst, apart(v, 2.0 - 2.0 / 7.0 * slip[0], -2.0 / 7.0 * slip[1], 0.0));
    close_scene(&s);
    return worst;
}


// A draw shot stops dead, exactly; where friction turns the axis of the spin, to second order.
static void test_billiards(void **state)
{
    (void)state;
    const double draw[3] = {0.0, -50.0, 0.0}, masse[3] = {-30.0, -20.0, 0.0};
    for (int ground = 0; ground < GROUNDS; ground++) {
        assert_at_most(billiards(ground, draw, 16), 1e-12);
        double coarse = billiards(ground, masse, 32), fine = billiards(ground, masse, 64);
        assert_at_most(fine, 1.2e-3);
        assert_near(coarse / fine, 4.0, 0.3);
    }
}


// A ball or a roller on a slope: a = g sin / (1 + k) where friction suffices, else g (sin - mu cos), spun up by mu g cos / (k R).
static void test_rolling_down(void **state)
{
    (void)state;
    const double slope = 0.4;
    for (int roller = 0; roller < 2; roller++)
        for (int slips = 0; slips < 2; slips++)
            for (int ground = 0; ground < GROUNDS; ground++) {
                scene s;
                double k = roller ? 0.5 : 0.4, least = k / (1.0 + k) * tan(slope), v[3], w[3];
                double mu = slips ? 0.9 * least : 1.001 * least;
                open_scene(&s, EARTH * sin(slope), -EARTH * cos(slope), 7);
                use_material(&s, mu, 0.0);
                put_ground(&s, ground, 4.0);
                rico_body body = ball_on_ground(&s, k, -1.0, 0.2);
                if (roller) {
                    body = free_body(make_shape(&s, "cylinder", RADIUS, 0.3, 0.0), 700.0, -1.0, 0.2, RADIUS);
                    turn_body(&body, 0.5 * M_PI, 0.0, 0.0);
                }
                int64_t index = put_body(&s, &body);
                begin_midway(&s, 0.01);
                step_scene(&s, 100);
                velocity_of(&s, index, v);
                spin_of(&s, index, w);
                double rate = slips ? EARTH * (sin(slope) - mu * cos(slope)) : EARTH * sin(slope) / (1.0 + k);
                double turn = slips ? mu * EARTH * cos(slope) / (k * RADIUS) : rate / RADIUS;
                assert_at_most(apart(v, rate, 0.0, 0.0), 1e-9);
                assert_at_most(apart(w, 0.0, turn, 0.0), 1e-8);
                close_scene(&s);
            }
}


// --- on a turntable ------------------------------------------------------------------------------------------------

static bool turning(void *user, double t, rico_stand *stand, double velocity[3], double spin[3])
{
    double rate = *(const double *)user;
    *stand = rico_stand_at(0.0, 0.0, -0.5);
    stand->orientation[0] = cos(0.5 * rate * t);
    stand->orientation[3] = sin(0.5 * rate * t);
    memset(velocity, 0, 3 * sizeof *velocity);
    rico_vec3_set(0.0, 0.0, rate, spin);
    return true;
}


// How far from its start a ball is after one circle, 7 pi / Om.
static double after_a_circle(int ground, double h)
{
    static double rate = 2.0;
    scene s;
    open_scene(&s, 0.0, -EARTH, 0);
    use_material(&s, 0.8, 0.0);
    rico_body table = rico_body_default();
    table.type = RICO_BODY_MOVED;
    table.shape =
        ground == ON_BOX ? make_shape(&s, "box", 4.0, 4.0, 1.0) : make_shape(&s, "cylinder", 2.0, 1.0, 0.0);
    table.motion = turning;
    table.user = &rate;
    put_body(&s, &table);
    rico_body ball = ball_on_ground(&s, 0.4, 0.5, 0.2);
    // rolls without slip at the start: v + R n x w = Om n x r
    ball.velocity[0] = 0.3;
    ball.velocity[1] = -0.1;
    double slip[2] = {-rate * 0.2 - 0.3, rate * 0.5 + 0.1};
    ball.spin[0] = slip[1] / RADIUS;
    ball.spin[1] = -slip[0] / RADIUS;
    int64_t index = put_body(&s, &ball);
    begin_midway(&s, h);
    int64_t steps = (int64_t)(7.0 * M_PI / rate / h + 0.5);
    double v[3], speed = hypot(0.3, 0.1), r = speed / (2.0 / 7.0 * rate), worst = 0.0;
    // the center of the circle lies to the left of the velocity
    double center[2] = {0.5 + 0.1 / speed * r, 0.2 + 0.3 / speed * r};
    for (int64_t n = 0; n < steps; n++) {
        step_scene(&s, 1);
        velocity_of(&s, index, v);
        assert_at_most(fabs(v[2]), 1e-10);
        rico_stand at = stand_of(&s, index);
        worst = fmax(worst, fabs(hypot(at.position[0] - center[0], at.position[1] - center[1]) - r));
    }
    rico_stand at = stand_of(&s, index);
    worst = fmax(worst, hypot(at.position[0] - 0.5, at.position[1] - 0.2));
    close_scene(&s);
    return worst;
}


static void test_turntable(void **state)
{
    (void)state;
    for (int ground = ON_BOX; ground <= ON_MESH; ground++) {
        double T = 7.0 * M_PI / 2.0, coarse = after_a_circle(ground, T / 500.0),
               fine = after_a_circle(ground, T / 1000.0);
        assert_at_most(fine, 0.02);
        assert_near(coarse / fine, 4.0, 0.2);
    }
}


// --- off a sphere --------------------------------------------------------------------------------------------------

// The angle from the top at which a ball leaves a sphere of radius 1.
static double leaves(double friction, double h)
{
    const double from = 0.2, k = friction > 0.0 ? 0.4 : 0.0;
    scene s;
    open_scene(&s, 0.0, -EARTH, 2);
    use_material(&s, friction, 0.0);
    put_fixed(&s, make_shape(&s, "sphere", 1.0, 0.0, 0.0), 0.0, 0.0, 0.0);
    rico_body ball = ball_on_ground(&s, 0.4, 0.0, 0.0);
    double far = 1.0 + RADIUS, speed = sqrt(2.0 * EARTH * far * (1.0 - cos(from)) / (1.0 + k));
    ball.stand = rico_stand_at(far * sin(from), 0.0, far * cos(from));
    ball.velocity[0] = speed * cos(from), ball.velocity[2] = -speed * sin(from);
    if (friction > 0.0) ball.spin[1] = speed / RADIUS;
    int64_t index = put_body(&s, &ball);
    begin_midway(&s, h);
    double angle = 0.0;
    for (;;) {
        step_scene(&s, 1);
        rico_stand at = stand_of(&s, index);
        angle = atan2(at.position[0], at.position[2]);
        double distance = hypot(at.position[0], at.position[2]);
        bool pressed = rico_simulation_constraints(s.sim) && rico_simulation_impulse(s.sim)[0] > 0.0;
        if (!pressed && angle > from + 0.1) break;
        assert_near(distance, far, 1e-4);
    }
    close_scene(&s);
    return angle * 180.0 / M_PI;
}


static void test_leaves_a_sphere(void **state)
{
    (void)state;
    assert_near(leaves(0.0, 1e-4), 48.18968510, 0.03);
    assert_near(leaves(50.0, 1e-4), 53.96812093, 0.03);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sliding_to_rolling), cmocka_unit_test(test_billiards),
        cmocka_unit_test(test_rolling_down),       cmocka_unit_test(test_turntable),
        cmocka_unit_test(test_leaves_a_sphere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
