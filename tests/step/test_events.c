// The event-driven scheme against exact solutions with impacts, and what it refuses.

#include "diary.h"

// f = -2, e = 1 from height 1: impacts at 1, 3, 5, 7 with speed 2; each interval a parabola.
static void elastic_ball(void **state)
{
    rico_context *ctx = *state;
    rico_system *system = bouncing_ball(ctx, -2.0, 1.0);
    const double q = 1.0, v = 0.0;
    diary log = {0};
    rico_simulation *exact = start(ctx, system, &q, &v);
    assert_ok(ctx, run_to(exact, 8.5, &log));
    assert_int_equal(log.count, 4);
    for (int k = 0; k < 4; k++) {
        assert_int_equal(log.event[k].kind, RICO_EVENT_IMPACT);
        assert_near(log.event[k].t, 1.0 + 2.0 * k, 1e-10);
        assert_near(log.event[k].impulse[0], 4.0, 1e-9);
        assert_near(log.event[k].energy_lost, 0.0, 1e-9);
        assert_string_equal(log.name[k], "ground");
    }
    assert_near(rico_simulation_position(exact)[0], 2.0 * 1.5 - 1.5 * 1.5, 1e-9);
    assert_near(rico_simulation_velocity(exact)[0], 2.0 - 2.0 * 1.5, 1e-9);
    assert_true(rico_simulation_time(exact) == 8.5);
    assert_ledger(exact, 1e-10);
    rico_simulation_destroy(exact);
    rico_system_destroy(system);
}


// e = 1/2: impacts at 3 - 2^(1-k) accumulate at t = 3 (Ballard). A run that ends before is served, one that passes is
// refused, with the limit and the contact in the sentence and the state of an earlier moment.
static void accumulation(void **state)
{
    rico_context *ctx = *state;
    rico_system *system = bouncing_ball(ctx, -2.0, 0.5);
    const double q = 1.0, v = 0.0;
    diary log = {0};
    rico_simulation *exact = start(ctx, system, &q, &v);
    assert_ok(ctx, run_to(exact, 2.9, &log));
    assert_int_equal(log.count, 5);
    for (int k = 0; k < 5; k++) {
        double before = ldexp(2.0, -k);
        assert_near(log.event[k].t, 3.0 - ldexp(2.0, -k), 1e-10);
        assert_near(log.event[k].energy_lost, 0.375 * before * before, 1e-9);
    }
    assert_int_equal(run_to(exact, 4.0, &log), RICO_UNSUPPORTED);
    assert_non_null(strstr(rico_message(ctx), "contact ground accumulate at t = 3"));
    assert_true(rico_simulation_time(exact) < 3.0 && rico_simulation_time(exact) > 2.9);
    assert_true(rico_simulation_position(exact)[0] >= -1e-12);
    rico_simulation_destroy(exact);
    rico_system_destroy(system);
}


// With the option `accumulation` a run passes that point: the ball rests from t = 3 on, and carries its weight. What is left out are hops of the share's
// square of the first one's height.
static void accumulation_passed(void **state)
{
    static const double SHARE[] = {1e-2, 1e-4};
    rico_context *ctx = *state;
    for (int k = 0; k < 2; k++) {
        rico_system *system = bouncing_ball(ctx, -2.0, 0.5);
        const double q = 1.0, v = 0.0;
        diary log = {0};
        rico_simulation *exact;
        assert_ok(ctx, rico_simulation_create(system, "event-driven", &exact));
        assert_ok(ctx, rico_simulation_set_number(exact, "accumulation", SHARE[k]));
        assert_ok(ctx, rico_simulation_start(exact, 0.0, &q, &v));
        assert_ok(ctx, run_to(exact, 4.0, &log));
        assert_near(rico_simulation_position(exact)[0], 0.0, 1e-12);
        assert_near(rico_simulation_velocity(exact)[0], 0.0, 1e-12);
        assert_near(rico_simulation_force(exact)[0], 2.0, 1e-10);
        // intervals are 1, 1/2, 1/4, ...: the last impact is so far from the limit
        double last = log.event[log.count - 1].t;
        assert_true(last < 3.0 && last > 3.0 - 2.0 * SHARE[k]);
        assert_ledger(exact, 1e-9);
        rico_simulation_destroy(exact);
        rico_system_destroy(system);
    }
}


// An oscillator x'' = -x with an elastic stop at x = a: between blows a cosine, by its phase exactly.
static void stopped_oscillator(void **state)
{
    rico_context *ctx = *state;
    const int64_t index[] = {0, 1}, dof[] = {0};
    const double one = 1.0, minus = -1.0, a = 0.5, q = 0.0, v = 1.0;
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_matrix_part part = {.size = 1, .M = {1, 1, index, dof, &one}, .K = {1, 1, index, dof, &one}};
    assert_ok(ctx, rico_system_add_matrices(system, "mass", &part, NULL));
    rico_contact stop = {
        .dimension = 1, .restitution = 1.0, .reach = {1, dof}, .gradient = &minus, .offset = a};
    assert_ok(ctx, rico_system_add_contact(system, "stop", &stop, NULL));

    diary log = {0};
    rico_simulation *exact = start(ctx, system, &q, &v);
    assert_ok(ctx, run_to(exact, 20.0, &log));
    // x = sin t up to asin(a); each blow throws the phase back by pi - 2 asin(a)
    double skip = M_PI - 2.0 * asin(a), phase = 20.0;
    int blows = 0;
    for (double next = asin(a); next <= 20.0; next += 2.0 * M_PI - skip, blows++) phase += skip;
    assert_int_equal(log.count, blows);
    assert_true(blows >= 4);
    assert_near(rico_simulation_position(exact)[0], sin(phase), 1e-8);
    assert_near(rico_simulation_velocity(exact)[0], cos(phase), 1e-8);
    assert_ledger(exact, 1e-9);
    rico_simulation_destroy(exact);
    rico_system_destroy(system);
}


// x'' = -1 + 2 sin t above x = 0, plastic: rests until 2 sin t = 1, flies, lands without rebound and rests again where
// the force still presses. The landing solves 2 (sin t0 - sin t + cos t0 (t - t0)) = (t - t0)^2 / 2.
static bool shake(void *user, double t, double *f)
{
    (void)user;
    *f = 2.0 * sin(t) - 1.0;
    return true;
}


static void plastic_driven(void **state)
{
    rico_context *ctx = *state;
    const int64_t start_of[] = {0, 1}, dof[] = {0};
    const double one = 1.0, q = 0.0, v = 0.0;
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_matrix_part part = {.size = 1, .M = {1, 1, start_of, dof, &one}, .load = shake};
    assert_ok(ctx, rico_system_add_matrices(system, "mass", &part, NULL));
    rico_contact contact = {.dimension = 1, .reach = {1, dof}, .gradient = &one};
    assert_ok(ctx, rico_system_add_contact(system, "table", &contact, NULL));

    double t0 = M_PI / 6.0, low = 2.0, high = 6.0;
    for (int k = 0; k < 60; k++) {
        double t = 0.5 * (low + high), s = t - t0;
        if (2.0 * (sin(t0) - sin(t) + cos(t0) * s) > 0.5 * s * s)
            low = t;
        else
            high = t;
    }
    diary log = {0};
    rico_simulation *exact = start(ctx, system, &q, &v);
    assert_int_equal(rico_simulation_contact_state(exact, 0), RICO_SLIDING);
    assert_ok(ctx, run_to(exact, 6.0, &log));
    assert_int_equal(log.count, 2);
    assert_int_equal(log.event[0].kind, RICO_EVENT_LIFT_OFF);
    assert_near(log.event[0].t, t0, 1e-10);
    assert_int_equal(log.event[1].kind, RICO_EVENT_IMPACT);
    assert_int_equal(log.event[1].after, RICO_SLIDING);
    assert_near(log.event[1].t, low, 1e-9);
    double speed = 2.0 * (cos(t0) - cos(low)) - (low - t0);
    assert_near(log.event[1].impulse[0], -speed, 1e-8);
    assert_near(log.event[1].energy_lost, 0.5 * speed * speed, 1e-8);
    assert_true(sin(low) < 0.5);
    assert_near(rico_simulation_force(exact)[0], 1.0 - 2.0 * sin(6.0), 1e-9);
    assert_near(rico_simulation_position(exact)[0], 0.0, 1e-12);

    // and again one period later
    assert_ok(ctx, run_to(exact, 2.0 * M_PI + 2.0, &log));
    assert_int_equal(log.count, 3);
    assert_near(log.event[2].t, 2.0 * M_PI + t0, 1e-9);
    assert_ledger(exact, 1e-8);
    rico_simulation_destroy(exact);
    rico_system_destroy(system);
}


// A pendulum of length 1 under gravity 1, wall at x = a, by its angle and by Cartesian coordinates with a joint.
static bool angle_mass(void *user, const double *q, double *M)
{
    (void)user, (void)q;
    *M = 1.0;
    return true;
}


static bool angle_potential(void *user, const double *q, double *V)
{
    (void)user;
    *V = -cos(q[0]);
    return true;
}


static bool angle_gradient(void *user, const double *q, double *g)
{
    (void)user;
    *g = sin(q[0]);
    return true;
}


static bool wall_gap(void *user, double t, const double *q, double *gap)
{
    (void)t;
    *gap = *(const double *)user - sin(q[0]);
    return true;
}


static bool wall_frame(void *user, double t, const double *q, double *H)
{
    (void)user, (void)t;
    *H = -cos(q[0]);
    return true;
}


static bool rod_value(void *user, double t, const double *q, double *g)
{
    (void)user, (void)t;
    *g = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0);
    return true;
}


static bool rod_frame(void *user, double t, const double *q, double *H)
{
    (void)user, (void)t;
    H[0] = q[0];
    H[1] = q[1];
    return true;
}


static void pendulum(void **state)
{
    rico_context *ctx = *state;
    double wall = 0.3;
    const int64_t dof[] = {0, 1}, diagonal[] = {0, 1, 2};
    const double e = 0.8, angle = -1.0, rest = 0.0, t_end = 9.0;

    rico_system *small, *large;
    assert_ok(ctx, rico_system_create(ctx, &small));
    rico_callback_part part = {.size = 1,
                               .constant_mass = true,
                               .mass = angle_mass,
                               .potential = angle_potential,
                               .gradient = angle_gradient};
    assert_ok(ctx, rico_system_add_callbacks(small, "pendulum", &part, NULL));
    rico_contact contact = {.dimension = 1,
                            .restitution = e,
                            .reach = {1, dof},
                            .gap = wall_gap,
                            .frame = wall_frame,
                            .user = &wall};
    assert_ok(ctx, rico_system_add_contact(small, "wall", &contact, NULL));
    diary log = {0};
    rico_simulation *by_angle = start(ctx, small, &angle, &rest);
    assert_ok(ctx, run_to(by_angle, t_end, &log));

    const double ones[] = {1.0, 1.0}, weight[] = {0.0, -1.0}, minus = -1.0;
    const double q[] = {sin(angle), -cos(angle)}, v[] = {0.0, 0.0};
    assert_ok(ctx, rico_system_create(ctx, &large));
    rico_matrix_part bob = {.size = 2, .M = {2, 2, diagonal, dof, ones}, .force = weight};
    assert_ok(ctx, rico_system_add_matrices(large, "bob", &bob, NULL));
    rico_joint rod = {.size = 1, .reach = {2, dof}, .value = rod_value, .frame = rod_frame};
    assert_ok(ctx, rico_system_add_joint(large, "rod", &rod, NULL));
    rico_contact plane = {
        .dimension = 1, .restitution = e, .reach = {1, dof}, .gradient = &minus, .offset = wall};
    assert_ok(ctx, rico_system_add_contact(large, "wall", &plane, NULL));
    diary again = {0};
    rico_simulation *by_place = start(ctx, large, q, v);
    assert_ok(ctx, run_to(by_place, t_end, &again));

    // energy tells the speed of the first blow; the other description tells everything
    double speed = sqrt(2.0 * (cos(asin(wall)) - cos(angle)));
    assert_true(log.count >= 2);
    assert_int_equal(log.count, again.count);
    assert_near(again.event[0].impulse[0], (1.0 + e) * speed / cos(asin(wall)), 1e-8);
    assert_near(log.event[0].energy_lost, 0.5 * (1.0 - e * e) * speed * speed, 1e-8);
    for (int k = 0; k < log.count; k++) {
        assert_near(again.event[k].t, log.event[k].t, 1e-8);
        assert_near(again.event[k].energy_lost, log.event[k].energy_lost, 1e-8);
    }
    double theta = rico_simulation_position(by_angle)[0], omega = rico_simulation_velocity(by_angle)[0];
    assert_near(rico_simulation_position(by_place)[0], sin(theta), 1e-8);
    assert_near(rico_simulation_velocity(by_place)[0], omega * cos(theta), 1e-8);
    // the rod carries weight and centrifugal force: lambda q = -(omega^2 + cos theta) q
    assert_near(rico_simulation_force(by_place)[0], -(omega * omega + cos(theta)), 1e-8);
    assert_ledger(by_angle, 1e-9);
    assert_ledger(by_place, 1e-9);
    rico_simulation_destroy(by_angle);
    rico_simulation_destroy(by_place);
    rico_system_destroy(small);
    rico_system_destroy(large);
}


// A position on the circle, two numbers for one velocity: the retraction turns it.
static bool circle_retract(void *user, const double *q, const double *dq, double *out)
{
    (void)user;
    out[0] = cos(dq[0]) * q[0] - sin(dq[0]) * q[1];
    out[1] = sin(dq[0]) * q[0] + cos(dq[0]) * q[1];
    return true;
}


static bool circle_force(void *user, double t, const double *q, const double *v, double *f)
{
    (void)user, (void)t, (void)v;
    *f = -q[1];
    return true;
}


static bool circle_gap(void *user, double t, const double *q, double *gap)
{
    (void)user, (void)t;
    *gap = 0.5 - q[1];
    return true;
}


static bool circle_frame(void *user, double t, const double *q, double *H)
{
    (void)user, (void)t;
    *H = -q[0];
    return true;
}


static void on_a_circle(void **state)
{
    rico_context *ctx = *state;
    const int64_t dof[] = {0};
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_callback_part part = {.size = 1,
                               .q_size = 2,
                               .constant_mass = true,
                               .mass = angle_mass,
                               .force = circle_force,
                               .retract = circle_retract};
    assert_ok(ctx, rico_system_add_callbacks(system, "wheel", &part, NULL));
    rico_contact contact = {
        .dimension = 1, .restitution = 1.0, .reach = {1, dof}, .gap = circle_gap, .frame = circle_frame};
    assert_ok(ctx, rico_system_add_contact(system, "stop", &contact, NULL));
    const double q[] = {1.0, 0.0}, v = 1.5;
    diary log = {0};
    rico_simulation *exact = start(ctx, system, q, &v);
    assert_ok(ctx, run_to(exact, 10.0, &log));
    assert_true(log.count >= 2);
    const double *at = rico_simulation_position(exact), w = rico_simulation_velocity(exact)[0];
    assert_near(hypot(at[0], at[1]), 1.0, 1e-8);
    assert_near(0.5 * w * w - at[0], 0.5 * 1.5 * 1.5 - 1.0, 1e-8);
    assert_near(log.event[0].impulse[0], 2.0 * sqrt(1.5 * 1.5 - 2.0 * (1.0 - sqrt(0.75))) / sqrt(0.75), 1e-8);
    assert_ledger(exact, 1e-8);
    rico_simulation_destroy(exact);
    rico_system_destroy(system);
}


// A ball between two walls that close in on it: events ever denser, by no fixed ratio, until there is no room.
static bool closing_rate(void *user, double t, const double *q, double *w)
{
    (void)user, (void)t, (void)q;
    *w = -0.5;
    return true;
}


static bool left_gap(void *user, double t, const double *q, double *gap)
{
    (void)user;
    *gap = q[0] + 1.0 - 0.5 * t;
    return true;
}


static bool right_gap(void *user, double t, const double *q, double *gap)
{
    (void)user;
    *gap = 1.0 - 0.5 * t - q[0];
    return true;
}


static bool left_frame(void *user, double t, const double *q, double *H)
{
    (void)user, (void)t, (void)q;
    *H = 1.0;
    return true;
}


static bool right_frame(void *user, double t, const double *q, double *H)
{
    (void)user, (void)t, (void)q;
    *H = -1.0;
    return true;
}


static void squeezed(void **state)
{
    rico_context *ctx = *state;
    const int64_t column[] = {0, 1}, dof[] = {0};
    const double one = 1.0, q = 0.1, v = 0.7;
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_matrix_part part = {.size = 1, .M = {1, 1, column, dof, &one}};
    assert_ok(ctx, rico_system_add_matrices(system, "ball", &part, NULL));
    rico_contact left = {.dimension = 1,
                         .restitution = 1.0,
                         .reach = {1, dof},
                         .gap = left_gap,
                         .frame = left_frame,
                         .rate = closing_rate};
    rico_contact right = left;
    right.gap = right_gap;
    right.frame = right_frame;
    assert_ok(ctx, rico_system_add_contact(system, "left", &left, NULL));
    assert_ok(ctx, rico_system_add_contact(system, "right", &right, NULL));
    rico_simulation *exact = start(ctx, system, &q, &v);
    assert_ok(ctx, run_to(exact, 1.9, NULL));
    assert_int_equal(run_to(exact, 3.0, NULL), RICO_UNSUPPORTED);
    assert_true(rico_simulation_time(exact) < 2.0);
    assert_true(rico_simulation_time(exact) > 1.9);
    assert_true(rico_simulation_statistics(exact)->impacts > 5);
    rico_simulation_destroy(exact);
    rico_system_destroy(system);
}


// Wrong calls and wrong numbers are refused in words; what fails leaves the state of the last step that did not.
static bool sour(void *user, double t, double *f)
{
    *f = t > *(const double *)user ? NAN : -1.0;
    return true;
}


static void refusals(void **state)
{
    rico_context *ctx = *state;
    rico_system *system = bouncing_ball(ctx, -2.0, 1.0);
    const double q = 1.0, v = 0.0, below = -0.1;
    diary log = {0};
    rico_simulation *exact;
    assert_ok(ctx, rico_simulation_create(system, "event-driven", &exact));
    assert_int_equal(run_to(exact, 1.0, NULL), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_simulation_set(exact, "colour", "red"), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_simulation_set_number(exact, "rtol", -1.0), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_simulation_start(exact, 0.0, &below, &v), RICO_BAD_INPUT);
    assert_non_null(strstr(rico_message(ctx), "ground"));
    assert_int_equal(rico_simulation_start(exact, NAN, &q, &v), RICO_BAD_INPUT);
    assert_ok(ctx, rico_simulation_start(exact, 0.0, &q, &v));
    assert_ok(ctx, run_to(exact, 3.5, &log));
    assert_int_equal(log.count, 2);
    assert_int_equal(run_to(exact, 1.0, NULL), RICO_BAD_ARGUMENT);
    assert_ok(ctx, rico_simulation_set(exact, "max-events", "3"));
    assert_int_equal(run_to(exact, 10.0, NULL), RICO_UNSUPPORTED);
    rico_context_interrupt(ctx);
    assert_int_equal(run_to(exact, 10.0, NULL), RICO_INTERRUPTED);
    rico_context_clear_interrupt(ctx);
    rico_simulation_destroy(exact);
    rico_system_destroy(system);

    double when = 0.5;
    const int64_t column[] = {0, 1}, dof[] = {0};
    const double one = 1.0;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_matrix_part part = {.size = 1, .M = {1, 1, column, dof, &one}, .load = sour, .user = &when};
    assert_ok(ctx, rico_system_add_matrices(system, "ball", &part, NULL));
    exact = start(ctx, system, &q, &v);
    assert_int_equal(run_to(exact, 1.0, NULL), RICO_BAD_INPUT);
    assert_non_null(strstr(rico_message(ctx), "load of part ball"));
    double t = rico_simulation_time(exact);
    assert_true(t <= 0.5);
    assert_near(rico_simulation_position(exact)[0], 1.0 - 0.5 * t * t, 1e-9);
    rico_simulation_destroy(exact);
    rico_system_destroy(system);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(elastic_ball, setup, teardown),
        cmocka_unit_test_setup_teardown(accumulation, setup, teardown),
        cmocka_unit_test_setup_teardown(accumulation_passed, setup, teardown),
        cmocka_unit_test_setup_teardown(stopped_oscillator, setup, teardown),
        cmocka_unit_test_setup_teardown(plastic_driven, setup, teardown),
        cmocka_unit_test_setup_teardown(pendulum, setup, teardown),
        cmocka_unit_test_setup_teardown(on_a_circle, setup, teardown),
        cmocka_unit_test_setup_teardown(squeezed, setup, teardown),
        cmocka_unit_test_setup_teardown(refusals, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
