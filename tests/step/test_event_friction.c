// The event-driven scheme against exact solutions with friction: sticking, sliding, and forces that are not unique or do not
// exist.

#include "belt.h"
#include "diary.h"

// Sticks from x = 0 at speed w until x = mu at t = mu/w. Then x = mu + w sin s (at rest on the belt, nothing breaks
// smoothly): v = w cos s < w slides backwards, friction mu forwards; caught when v = w again, s = 2 pi, x = mu. With
// the coefficient of sliding equal to that of sticking it slides on at once.
static void belt_sliding(void **state)
{
    rico_context *ctx = *state;
    double speed = 0.5;
    const double mu = 0.8, q[] = {0.0, 0.0}, v[] = {0.0, 0.5};
    rico_system *system = block_on_belt(ctx, &speed, mu);
    diary log = {0};
    rico_simulation *exact = start(ctx, system, q, v);
    assert_int_equal(rico_simulation_contact_state(exact, 0), RICO_STICKING);
    assert_ok(ctx, run_to(exact, 5.0, &log));
    assert_int_equal(log.count, 1);
    assert_int_equal(log.event[0].kind, RICO_EVENT_SLIP);
    assert_near(log.event[0].t, mu / speed, 1e-9);
    double s = 5.0 - mu / speed;
    assert_near(rico_simulation_position(exact)[1], mu + 0.5 * sin(s), 1e-8);
    assert_near(rico_simulation_velocity(exact)[1], 0.5 * cos(s), 1e-8);
    assert_near(rico_simulation_force(exact)[0], 1.0, 1e-9);
    assert_near(rico_simulation_force(exact)[1], mu, 1e-9);
    assert_ledger(exact, 1e-9);
    rico_simulation_destroy(exact);
    rico_system_destroy(system);
}


// From x0 = mu + 2 at rest on a belt of speed w = 1/2: slides as x = mu + 2 cos t, whose speed reaches the belt's at
// -2 sin t = w, t = pi + asin(w/2); there the spring pulls with x = mu - 2 cos(asin(w/2)) = -1.137 and |x| > mu: it
// slides on, faster than the belt, friction reversed: x = -mu + A cos(t - t1 + phi), and so on until |x| <= mu.
static void belt_capture(void **state)
{
    rico_context *ctx = *state;
    double speed = 0.5;
    const double mu = 0.8, w = 0.5, q[] = {0.0, 2.8}, v[] = {0.0, 0.0};
    rico_system *system = block_on_belt(ctx, &speed, mu);
    diary log = {0};
    rico_simulation *exact = start(ctx, system, q, v);
    assert_ok(ctx, run_to(exact, 10.0, &log));

    double t1 = M_PI + asin(w / 2.0), x1 = mu + 2.0 * cos(t1);
    assert_true(x1 < -mu);
    // x = -mu + (x1 + mu) cos s + w sin s; its speed is w again when tan(s/2) = -(x1 + mu)/w
    double s2 = 2.0 * atan2(-(x1 + mu), w);
    double x2 = -mu + (x1 + mu) * cos(s2) + w * sin(s2), t2 = t1 + s2;
    assert_near((-(x1 + mu)) * sin(s2) + w * cos(s2), w, 1e-12);
    assert_true(fabs(x2) < mu);
    double t3 = t2 + (mu - x2) / w; // rides on the belt until the spring wins
    assert_int_equal(log.count, 3);
    assert_int_equal(log.event[0].kind, RICO_EVENT_REVERSE);
    assert_near(log.event[0].t, t1, 1e-9);
    assert_int_equal(log.event[1].kind, RICO_EVENT_STICK);
    assert_near(log.event[1].t, t2, 1e-9);
    assert_int_equal(log.event[2].kind, RICO_EVENT_SLIP);
    assert_near(log.event[2].t, t3, 1e-9);
    assert_near(rico_simulation_position(exact)[1], mu + w * sin(10.0 - t3), 1e-8);
    assert_ledger(exact, 1e-9);
    rico_simulation_destroy(exact);
    rico_system_destroy(system);
}


// A puck on a table in space: slides straight for v0/(mu g), over v0^2/(2 mu g), and stays. With a force b across it
// turns while it slows, and stays all the same as long as b < mu g.
static rico_system *puck(rico_context *ctx, const double *force, double mu)
{
    const int64_t column[] = {0, 1, 2, 3}, index[] = {0, 1, 2};
    const double ones[] = {1.0, 1.0, 1.0}, frame[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_matrix_part part = {.size = 3, .M = {3, 3, column, index, ones}, .force = force};
    assert_ok(ctx, rico_system_add_matrices(system, "puck", &part, NULL));
    rico_contact contact = {.dimension = 3, .friction = mu, .reach = {3, index}, .gradient = frame};
    assert_ok(ctx, rico_system_add_contact(system, "table", &contact, NULL));
    return system;
}


static void puck_in_space(void **state)
{
    rico_context *ctx = *state;
    const double straight[] = {-2.0, 0.0, 0.0}, pushed[] = {-2.0, 0.3, -0.4}, q[] = {0, 0, 0},
                 v[] = {0, 3, 4};
    const double mu = 0.5;
    rico_system *system = puck(ctx, straight, mu);
    diary log = {0};
    rico_simulation *exact = start(ctx, system, q, v);
    assert_ok(ctx, run_to(exact, 6.0, &log));
    assert_int_equal(log.count, 1);
    assert_int_equal(log.event[0].kind, RICO_EVENT_STICK);
    assert_near(log.event[0].t, 5.0, 1e-8);
    assert_near(rico_simulation_position(exact)[1], 0.6 * 12.5, 1e-8);
    assert_near(rico_simulation_position(exact)[2], 0.8 * 12.5, 1e-8);
    assert_near(rico_simulation_velocity(exact)[1], 0.0, 1e-14);
    assert_ledger(exact, 1e-8);
    rico_simulation_destroy(exact);
    rico_system_destroy(system);

    system = puck(ctx, pushed, mu);
    log = (diary){0};
    exact = start(ctx, system, q, v);
    assert_ok(ctx, run_to(exact, 12.0, &log));
    assert_int_equal(rico_simulation_contact_state(exact, 0), RICO_STICKING);
    assert_near(rico_simulation_force(exact)[1], -0.3, 1e-9);
    assert_near(rico_simulation_force(exact)[2], 0.4, 1e-9);
    assert_ledger(exact, 1e-7);
    rico_simulation_destroy(exact);
    rico_system_destroy(system);
}


// The sliding rod of Painleve: with gamma = 1/2 and mu = 3 pressing the end makes it dig in, 1 + 3 sin^2 - 9 sin cos < 0,
// and gravity presses: no force exists. At mu = 0.1 it does, and the fall's first force is known.
static void painleve(void **state)
{
    rico_context *ctx = *state;
    const double gamma = 0.5, q[] = {0.0, 0.5 * cos(gamma), gamma}, v[] = {1.0, 0.0, 0.0};
    rico_system *system = impacting_stick(ctx, 0.0, 3.0);
    rico_simulation *exact;
    assert_ok(ctx, rico_simulation_create(system, "event-driven", &exact));
    assert_int_equal(rico_simulation_start(exact, 0.0, q, v), RICO_UNSUPPORTED);
    assert_non_null(strstr(rico_message(ctx), "end"));
    assert_non_null(strstr(rico_message(ctx), "Painleve"));
    rico_simulation_destroy(exact);
    rico_system_destroy(system);

    system = impacting_stick(ctx, 0.0, 0.1);
    exact = start(ctx, system, q, v);
    assert_ok(ctx, run_to(exact, 0.0, NULL));
    double push = 1.0 + 3.0 * sin(gamma) * sin(gamma) - 0.1 * 3.0 * sin(gamma) * cos(gamma);
    assert_near(rico_simulation_force(exact)[0], 10.0 / push, 1e-9);
    assert_near(rico_simulation_force(exact)[1], -1.0 / push, 1e-9);
    rico_simulation_destroy(exact);
    rico_system_destroy(system);
}


// Two contacts of one block carry it together: four rows, three velocities. Redundant, but the sum is the weight.
static void redundant(void **state)
{
    rico_context *ctx = *state;
    const int64_t column[] = {0, 1, 2, 3}, index[] = {0, 1, 2};
    const double mass[] = {1.0, 1.0, 0.5}, force[] = {0.3, -1.0, 0.0}; // x, y, rotation
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_matrix_part part = {.size = 3, .M = {3, 3, column, index, mass}, .force = force};
    assert_ok(ctx, rico_system_add_matrices(system, "block", &part, NULL));
    for (int side = -1; side <= 1; side += 2) {
        const double frame[] = {0.0, 1.0, (double)side, 1.0, 0.0, 0.0};
        rico_contact contact = {.dimension = 2, .friction = 0.5, .reach = {3, index}, .gradient = frame};
        assert_ok(ctx, rico_system_add_contact(system, side < 0 ? "left" : "right", &contact, NULL));
    }
    const double q[] = {0, 0, 0}, still[] = {0, 0, 0}, moving[] = {1.0, 0.0, 0.0};
    rico_simulation *exact = start(ctx, system, q, still);
    assert_ok(ctx, run_to(exact, 1.0, NULL));
    assert_int_equal(rico_simulation_contact_state(exact, 0), RICO_STICKING);
    assert_int_equal(rico_simulation_contact_state(exact, 1), RICO_STICKING);
    const double *r = rico_simulation_force(exact);
    assert_near(r[0] + r[2], 1.0, 1e-12);
    assert_near(r[1] + r[3], -0.3, 1e-12);
    assert_near(rico_simulation_position(exact)[0], 0.0, 1e-12);

    // sliding at speed 1: decelerates with 0.5 - 0.3 and stops at t = 5
    diary log = {0};
    assert_ok(ctx, rico_simulation_start(exact, 0.0, q, moving));
    assert_ok(ctx, run_to(exact, 6.0, &log));
    assert_int_equal(log.count, 2);
    assert_near(log.event[0].t, 5.0, 1e-9);
    assert_near(rico_simulation_position(exact)[0], 2.5, 1e-9);
    assert_ledger(exact, 1e-9);
    rico_simulation_destroy(exact);
    rico_system_destroy(system);
}


// Two feet in one place, rough and smooth, carry a block together: shared alike, the push would be too much for the smooth
// one, but the rough one can take it. Nothing moves, whatever the push up to the weight times the larger friction.
static bool growing_push(void *user, double t, double *f)
{
    (void)user;
    f[0] = -1.0;
    f[1] = 0.2 + 0.1 * t;
    return true;
}


static void unequal_feet(void **state)
{
    rico_context *ctx = *state;
    const int64_t column[] = {0, 1, 2}, dof[] = {0, 1};
    const double ones[] = {1.0, 1.0}, frame[] = {1.0, 0.0, 0.0, 1.0}, zero[] = {0.0, 0.0};
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_matrix_part part = {.size = 2, .M = {2, 2, column, dof, ones}, .load = growing_push};
    assert_ok(ctx, rico_system_add_matrices(system, "block", &part, NULL));
    rico_contact contact = {.dimension = 2, .friction = 0.1, .reach = {2, dof}, .gradient = frame};
    assert_ok(ctx, rico_system_add_contact(system, "smooth", &contact, NULL));
    contact.friction = 1.0;
    assert_ok(ctx, rico_system_add_contact(system, "rough", &contact, NULL));
    diary log = {0};
    rico_simulation *exact = start(ctx, system, zero, zero);
    assert_ok(ctx, run_to(exact, 7.0, &log));
    assert_int_equal(log.count, 0);
    assert_near(rico_simulation_position(exact)[1], 0.0, 1e-12);
    const double *force = rico_simulation_force(exact);
    assert_near(force[0] + force[2], 1.0, 1e-12);
    assert_near(force[1] + force[3], -0.9, 1e-12);
    assert_true(fabs(force[1]) <= 0.1 * force[0] + 1e-9 && fabs(force[3]) <= force[2] + 1e-9);
    rico_simulation_destroy(exact);
    rico_system_destroy(system);
}


// A block at rest, pushed by sin t against friction 0.6: nothing moves until the first slip, so that all scales come from
// the run itself. It slides with v = cos t0 - cos t - 0.6 (t - t0) until that vanishes, and again in each half period.
static bool push_load(void *user, double t, double *f)
{
    (void)user;
    f[0] = -1.0;
    f[1] = sin(t);
    return true;
}


static void from_rest(void **state)
{
    rico_context *ctx = *state;
    const int64_t column[] = {0, 1, 2}, dof[] = {0, 1};
    const double ones[] = {1.0, 1.0}, frame[] = {1.0, 0.0, 0.0, 1.0}, zero[] = {0.0, 0.0};
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_matrix_part part = {.size = 2, .M = {2, 2, column, dof, ones}, .load = push_load};
    assert_ok(ctx, rico_system_add_matrices(system, "block", &part, NULL));
    rico_contact contact = {.dimension = 2, .friction = 0.6, .reach = {2, dof}, .gradient = frame};
    assert_ok(ctx, rico_system_add_contact(system, "table", &contact, NULL));

    double t0 = asin(0.6), low = t0 + 1.0, high = t0 + M_PI;
    for (int k = 0; k < 60; k++) {
        double t = 0.5 * (low + high);
        if (cos(t0) - cos(t) > 0.6 * (t - t0))
            low = t;
        else
            high = t;
    }
    diary log = {0};
    rico_simulation *exact = start(ctx, system, zero, zero);
    assert_ok(ctx, run_to(exact, 10.0, &log));
    assert_int_equal(log.count, 6);
    for (int k = 0; k < 6; k++) {
        assert_int_equal(log.event[k].kind, k % 2 == 0 ? RICO_EVENT_SLIP : RICO_EVENT_STICK);
        int half = k / 2;
        assert_near(log.event[k].t, (k % 2 == 0 ? t0 : low) + M_PI * half, 1e-9);
    }
    double s = low - t0, way = cos(t0) * s - (sin(low) - sin(t0)) - 0.3 * s * s;
    assert_near(rico_simulation_position(exact)[1], way, 1e-9); // there, back and there again
    assert_ledger(exact, 1e-9);
    rico_simulation_destroy(exact);
    rico_system_destroy(system);
}


// A point on a rough plane, held by springs, circulatory and gyroscopic forces and shaken: it slides, sticks, slips again and
// sticks again. Reference for the second time that it sticks: three methods that agree to 1e-10.
static bool point_mass(void *user, const double *q, double *M)
{
    (void)user, (void)q;
    memset(M, 0, 9 * sizeof *M);
    M[0] = M[4] = M[8] = 1.3;
    return true;
}


static bool shaken_forces(void *user, double t, const double *q, const double *v, double *f)
{
    (void)user;
    static const double K[4] = {2.0873217493902265, 0.139874379927552, 0.139874379927552, 2.8412597119921603};
    const double circ = 0.47907697010770206, gyr = 0.0198610537408295, c = 0.05, w = 1.524626680883699;
    const double *s = q + 1, *u = v + 1;
    double shake = sin(w * t);
    f[0] = -1.3 * 5.0 + 0.13032795839444222 * s[0] + 0.38569545014398265 * s[1];
    f[1] = -K[0] * s[0] - K[1] * s[1] + circ * s[1] + gyr * u[1] - c * u[0] - 0.3509481011581063 * shake;
    f[2] = -K[2] * s[0] - K[3] * s[1] - circ * s[0] - gyr * u[0] - c * u[1] - 0.9382901548282104 * shake;
    return true;
}


static void slip_in_space(void **state)
{
    rico_context *ctx = *state;
    static const double RTOL[] = {1e-8, 1e-10, 1e-12};
    double last[2] = {0.0, 0.0};
    for (int k = 0; k < 3; k++) {
        rico_system *system;
        const int64_t dof[] = {0, 1, 2};
        const double frame[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
        const double q[] = {0.0, 0.01221327077751526, -0.4134043579490556};
        const double v[] = {0.0, 1.2940638143982073, 1.0067243153057943};
        assert_ok(ctx, rico_system_create(ctx, &system));
        rico_callback_part part = {.size = 3, .mass = point_mass, .force = shaken_forces};
        assert_ok(ctx, rico_system_add_callbacks(system, "point", &part, NULL));
        rico_contact plane = {.dimension = 3, .friction = 0.25, .reach = {3, dof}, .gradient = frame};
        assert_ok(ctx, rico_system_add_contact(system, "plane", &plane, NULL));
        rico_simulation *exact;
        assert_ok(ctx, rico_simulation_create(system, "event-driven", &exact));
        assert_ok(ctx, rico_simulation_set_number(exact, "rtol", RTOL[k]));
        assert_ok(ctx, rico_simulation_set_number(exact, "atol", 1e-2 * RTOL[k]));
        assert_ok(ctx, rico_simulation_start(exact, 0.0, q, v));
        diary log = {0};
        assert_ok(ctx, run_to(exact, 5.6, &log));
        double slip = 0.0, stick = 0.0;
        for (int i = 0; i < log.count; i++) {
            if (log.event[i].kind == RICO_EVENT_SLIP) slip = log.event[i].t;
            if (log.event[i].kind == RICO_EVENT_STICK && slip > 0.0) stick = log.event[i].t;
        }
        const double *at = rico_simulation_position(exact);
        assert_near(stick, 5.5140324, 1e-7);
        if (k > 0) assert_at_most(hypot(at[1] - last[0], at[2] - last[1]), 1e-8);
        last[0] = at[1];
        last[1] = at[2];
        rico_simulation_destroy(exact);
        rico_system_destroy(system);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(belt_sliding, setup, teardown),
        cmocka_unit_test_setup_teardown(belt_capture, setup, teardown),
        cmocka_unit_test_setup_teardown(puck_in_space, setup, teardown),
        cmocka_unit_test_setup_teardown(painleve, setup, teardown),
        cmocka_unit_test_setup_teardown(redundant, setup, teardown),
        cmocka_unit_test_setup_teardown(unequal_feet, setup, teardown),
        cmocka_unit_test_setup_teardown(from_rest, setup, teardown),
        cmocka_unit_test_setup_teardown(slip_in_space, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
