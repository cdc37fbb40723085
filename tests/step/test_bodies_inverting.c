// A tippe top (spec 09, F13): a ball whose center of mass is off its middle, spun fast, turns over on a rough floor.
//
// Friction acts at the point of contact only, at a from the center of mass, a = -R z + offset e. The angular momentum L about the center then
// changes by a x (N z + T), and a itself by offset w x e: J = -L.a (Jellett's) stays exactly, with sliding friction of any kind.

#include "step/bodies.h"

static const double RADIUS = 0.02, MASS = 0.02, OFFSET = 0.3 * 0.02, SPIN = 200.0;
static const double ACROSS = 131.0 / 350.0 * 0.02 * 0.0004,
                    ALONG = 0.4 * 0.02 * 0.0004; // between 0.7 and 1.3 of each other

// J at the end over that at the start less 1; largest gain of a step; what is left of the energy; the axis and its spin
typedef struct journey {
    double jellett, gain, left, tilt, spin;
} journey;


// How high the axis of the body points, and J, at the state of the simulation.
static double jellett(const scene *s, int64_t top, double *up)
{
    rico_stand at = stand_of(s, top);
    const double *w = rico_simulation_velocity(s->sim) + rico_bodies_velocity(s->bodies, top) + 3;
    const double own[3] = {ACROSS * w[0], ACROSS * w[1], ALONG * w[2]}, z[3] = {0.0, 0.0, 1.0};
    const double *q = rico_simulation_position(s->sim) + rico_bodies_position(s->bodies, top) + 3;
    double world[3], L[3], axis[3];
    rico_quaternion_rotate(q, own, world);
    rico_quaternion_rotate_back(s->turn, world, L);
    rico_quaternion_rotate(at.orientation, z, axis);
    *up = axis[2];
    return RADIUS * L[2] - OFFSET * rico_vec3_dot(L, axis);
}


// `end` seconds by steps of h, from a tilt of 0.1 rad.
static journey invert(int ground, double friction, double end, double h)
{
    scene s;
    journey out = {0};
    double up, tilt = 0.1;
    open_scene(&s, 0.0, -EARTH, 7);
    use_material(&s, friction, 0.0);
    put_ground(&s, ground, 1.0);
    rico_body body = free_body(make_shape(&s, "sphere", RADIUS, 0.0, 0.0), 0.0, 0.0, 0.0, RADIUS);
    turn_body(&body, 0.0, tilt, 0.0);
    body.mass = MASS;
    body.center[2] = -OFFSET;
    body.has_inertia = true;
    body.inertia[0] = body.inertia[4] = ACROSS;
    body.inertia[8] = ALONG;
    rico_vec3_set(SPIN * sin(tilt), 0.0, SPIN * cos(tilt), body.spin);
    int64_t top = put_body(&s, &body);
    begin_midway(&s, h);
    double start = jellett(&s, top, &up), last = energy_of(&s), first = last, spin[3];
    for (int64_t i = 0; i < (int64_t)(end / h + 0.5); i++) {
        step_scene(&s, 1);
        out.gain = fmax(out.gain, energy_of(&s) - last);
        last = energy_of(&s);
    }
    out.jellett = jellett(&s, top, &up) / start - 1.0;
    spin_of(&s, top, spin);
    out.tilt = acos(up);
    out.spin = spin[2];
    out.left = last / first;
    close_scene(&s);
    return out;
}


// J stays, to the second order of the step, whether it slides or rolls; no step gains energy.
static void test_jellett(void **state)
{
    (void)state;
    for (int ground = 0; ground < GROUNDS; ground++)
        for (int k = 0; k < 3; k++) {
            static const double FRICTION[3] = {0.0, 0.016, 0.3};
            journey coarse = invert(ground, FRICTION[k], 2.0, 1e-3),
                    fine = invert(ground, FRICTION[k], 2.0, 5e-4);
            assert_at_most(fabs(coarse.jellett), 1e-4);
            assert_near(coarse.jellett / fine.jellett, 4.0, 0.4);
            assert_at_most(fmax(coarse.gain, fine.gain), 1e-8 * 0.067);
        }
}


// On a floor that is nearly smooth it slides all the way and stands on its head, where J leaves it (1 - 0.3)/(1 + 0.3) of its spin. On a rough
// one it rolls before it has risen, dissipates no more, and stays: dry friction at a point does not turn a top over that sticks.
static void test_turns_over(void **state)
{
    (void)state;
    journey smooth = invert(ON_PLANE, 0.016, 33.0, 1e-3), rough = invert(ON_PLANE, 0.3, 4.0, 1e-3);
    assert_true(smooth.tilt > 3.1 && rough.tilt < 0.2);
    assert_near(smooth.spin / SPIN, 0.7 / 1.3, 0.01);
    assert_true(smooth.left < 0.4 && rough.left > 0.98);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_jellett), cmocka_unit_test(test_turns_over)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
