// The event-driven integrator against exact solutions, and what it refuses.

#include "systems.h"

static int setup(void **state)
{
    *state = rico_context_create(NULL);
    return *state ? 0 : 1;
}


static int teardown(void **state)
{
    rico_context_destroy(*state);
    return 0;
}


// Events as they come.
typedef struct diary {
    int count;
    rico_event event[64];
    int stop_after;
} diary;

static bool note(void *user, const rico_event *event)
{
    diary *self = user;
    if (self->count < 64) self->event[self->count] = *event;
    self->count++;
    return self->count != self->stop_after;
}


static rico_event_driven *start(rico_context *ctx, rico_system *system, const double *q, const double *v)
{
    rico_event_driven *exact;
    assert_ok(ctx, rico_event_driven_create(system, &exact));
    assert_ok(ctx, rico_event_driven_start(exact, 0.0, q, v));
    return exact;
}


static void assert_ledger(const rico_event_driven *exact, double tol)
{
    assert_at_most(fabs(rico_event_driven_ledger(exact)->residual), tol);
    assert_at_most(fabs(rico_event_driven_ledger(exact)->projection), tol);
    assert_at_most(rico_event_driven_statistics(exact)->drift, 1.0000001e-10);
}


// f = -2, e = 1 from height 1: impacts at 1, 3, 5, 7 with speed 2; each interval a parabola.
static void elastic_ball(void **state)
{
    rico_context *ctx = *state;
    rico_system *system = bouncing_ball(ctx, -2.0, 1.0);
    const double q = 1.0, v = 0.0;
    diary log = {0};
    rico_event_driven *exact = start(ctx, system, &q, &v);
    assert_ok(ctx, rico_event_driven_run(exact, 8.5, note, &log));
    assert_int_equal(log.count, 4);
    for (int k = 0; k < 4; k++) {
        assert_int_equal(log.event[k].kind, RICO_EVENT_IMPACT);
        assert_near(log.event[k].t, 1.0 + 2.0 * k, 1e-10);
        assert_near(log.event[k].impulse[0], 4.0, 1e-9);
        assert_near(log.event[k].energy_lost, 0.0, 1e-9);
        assert_string_equal(log.event[k].name, "ground");
    }
    assert_near(rico_event_driven_position(exact)[0], 2.0 * 1.5 - 1.5 * 1.5, 1e-9);
    assert_near(rico_event_driven_velocity(exact)[0], 2.0 - 2.0 * 1.5, 1e-9);
    assert_true(rico_event_driven_time(exact) == 8.5);
    assert_ledger(exact, 1e-10);
    rico_event_driven_destroy(exact);
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
    rico_event_driven *exact = start(ctx, system, &q, &v);
    assert_ok(ctx, rico_event_driven_run(exact, 2.9, note, &log));
    assert_int_equal(log.count, 5);
    for (int k = 0; k < 5; k++) {
        double before = ldexp(2.0, -k);
        assert_near(log.event[k].t, 3.0 - ldexp(2.0, -k), 1e-10);
        assert_near(log.event[k].energy_lost, 0.375 * before * before, 1e-9);
    }
    assert_int_equal(rico_event_driven_run(exact, 4.0, note, &log), RICO_UNSUPPORTED);
    assert_non_null(strstr(rico_message(ctx), "contact ground accumulate at t = 3"));
    assert_true(rico_event_driven_time(exact) < 3.0 && rico_event_driven_time(exact) > 2.9);
    assert_true(rico_event_driven_position(exact)[0] >= -1e-12);
    rico_event_driven_destroy(exact);
    rico_system_destroy(system);
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
    rico_event_driven *exact = start(ctx, system, &q, &v);
    assert_ok(ctx, rico_event_driven_run(exact, 20.0, note, &log));
    // x = sin t up to asin(a); each blow throws the phase back by pi - 2 asin(a)
    double skip = M_PI - 2.0 * asin(a), phase = 20.0;
    int blows = 0;
    for (double next = asin(a); next <= 20.0; next += 2.0 * M_PI - skip, blows++) phase += skip;
    assert_int_equal(log.count, blows);
    assert_true(blows >= 4);
    assert_near(rico_event_driven_position(exact)[0], sin(phase), 1e-8);
    assert_near(rico_event_driven_velocity(exact)[0], cos(phase), 1e-8);
    assert_ledger(exact, 1e-9);
    rico_event_driven_destroy(exact);
    rico_system_destroy(system);
}


// A block of mass 1 on a belt of speed w, held by a spring k = 1, friction mu, gravity 1: q = (height, along). It sticks
// until the spring pulls with mu, then slides as an oscillator about mu and is caught again.
typedef struct belt {
    double speed;
} belt;

static bool belt_rate(void *user, double t, const double *q, double *w)
{
    (void)t, (void)q;
    w[0] = 0.0;
    w[1] = -((const belt *)user)->speed;
    return true;
}


static rico_system *block_on_belt(rico_context *ctx, belt *moving, double mu)
{
    const int64_t two[] = {0, 1, 2}, index[] = {0, 1}, spring[] = {0, 0, 1}, row[] = {1};
    const double ones[] = {1.0, 1.0}, force[] = {-1.0, 0.0}, frame[] = {1.0, 0.0, 0.0, 1.0};
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_matrix_part part = {
        .size = 2, .M = {2, 2, two, index, ones}, .K = {2, 2, spring, row, ones}, .force = force};
    assert_ok(ctx, rico_system_add_matrices(system, "block", &part, NULL));
    rico_contact contact = {.dimension = 2,
                            .friction = mu,
                            .reach = {2, index},
                            .gradient = frame,
                            .rate = belt_rate,
                            .user = moving};
    assert_ok(ctx, rico_system_add_contact(system, "belt", &contact, NULL));
    return system;
}


// Sticks from x = 0 at speed w until x = mu at t = mu/w. Then x = mu + w sin s (at rest on the belt, nothing breaks
// smoothly): v = w cos s < w slides backwards, friction mu forwards; caught when v = w again, s = 2 pi, x = mu. With
// the coefficient of sliding equal to that of sticking it slides on at once.
static void belt_sliding(void **state)
{
    rico_context *ctx = *state;
    belt moving = {0.5};
    const double mu = 0.8, q[] = {0.0, 0.0}, v[] = {0.0, 0.5};
    rico_system *system = block_on_belt(ctx, &moving, mu);
    diary log = {0};
    rico_event_driven *exact = start(ctx, system, q, v);
    assert_int_equal(rico_event_driven_state(exact, 0), RICO_STICKING);
    assert_ok(ctx, rico_event_driven_run(exact, 5.0, note, &log));
    assert_int_equal(log.count, 1);
    assert_int_equal(log.event[0].kind, RICO_EVENT_SLIP);
    assert_near(log.event[0].t, mu / moving.speed, 1e-9);
    double s = 5.0 - mu / moving.speed;
    assert_near(rico_event_driven_position(exact)[1], mu + 0.5 * sin(s), 1e-8);
    assert_near(rico_event_driven_velocity(exact)[1], 0.5 * cos(s), 1e-8);
    assert_near(rico_event_driven_force(exact)[0], 1.0, 1e-9);
    assert_near(rico_event_driven_force(exact)[1], mu, 1e-9);
    assert_ledger(exact, 1e-9);
    rico_event_driven_destroy(exact);
    rico_system_destroy(system);
}


// From x0 = mu + 2 at rest on a belt of speed w = 1/2: slides as x = mu + 2 cos t, whose speed reaches the belt's at
// -2 sin t = w, t = pi + asin(w/2); there the spring pulls with x = mu - 2 cos(asin(w/2)) = -1.137 and |x| > mu: it
// slides on, faster than the belt, friction reversed: x = -mu + A cos(t - t1 + phi), and so on until |x| <= mu.
static void belt_capture(void **state)
{
    rico_context *ctx = *state;
    belt moving = {0.5};
    const double mu = 0.8, w = 0.5, q[] = {0.0, 2.8}, v[] = {0.0, 0.0};
    rico_system *system = block_on_belt(ctx, &moving, mu);
    diary log = {0};
    rico_event_driven *exact = start(ctx, system, q, v);
    assert_ok(ctx, rico_event_driven_run(exact, 10.0, note, &log));

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
    assert_near(rico_event_driven_position(exact)[1], mu + w * sin(10.0 - t3), 1e-8);
    assert_ledger(exact, 1e-9);
    rico_event_driven_destroy(exact);
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
    rico_event_driven *exact = start(ctx, system, &q, &v);
    assert_int_equal(rico_event_driven_state(exact, 0), RICO_SLIDING);
    assert_ok(ctx, rico_event_driven_run(exact, 6.0, note, &log));
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
    assert_near(rico_event_driven_force(exact)[0], 1.0 - 2.0 * sin(6.0), 1e-9);
    assert_near(rico_event_driven_position(exact)[0], 0.0, 1e-12);

    // and again one period later
    assert_ok(ctx, rico_event_driven_run(exact, 2.0 * M_PI + 2.0, note, &log));
    assert_int_equal(log.count, 3);
    assert_near(log.event[2].t, 2.0 * M_PI + t0, 1e-9);
    assert_ledger(exact, 1e-8);
    rico_event_driven_destroy(exact);
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
    rico_event_driven *by_angle = start(ctx, small, &angle, &rest);
    assert_ok(ctx, rico_event_driven_run(by_angle, t_end, note, &log));

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
    rico_event_driven *by_place = start(ctx, large, q, v);
    assert_ok(ctx, rico_event_driven_run(by_place, t_end, note, &again));

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
    double theta = rico_event_driven_position(by_angle)[0], omega = rico_event_driven_velocity(by_angle)[0];
    assert_near(rico_event_driven_position(by_place)[0], sin(theta), 1e-8);
    assert_near(rico_event_driven_velocity(by_place)[0], omega * cos(theta), 1e-8);
    // the rod carries weight and centrifugal force: lambda q = -(omega^2 + cos theta) q
    assert_near(rico_event_driven_force(by_place)[0], -(omega * omega + cos(theta)), 1e-8);
    assert_ledger(by_angle, 1e-9);
    assert_ledger(by_place, 1e-9);
    rico_event_driven_destroy(by_angle);
    rico_event_driven_destroy(by_place);
    rico_system_destroy(small);
    rico_system_destroy(large);
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
    rico_event_driven *exact = start(ctx, system, q, v);
    assert_ok(ctx, rico_event_driven_run(exact, 6.0, note, &log));
    assert_int_equal(log.count, 1);
    assert_int_equal(log.event[0].kind, RICO_EVENT_STICK);
    assert_near(log.event[0].t, 5.0, 1e-8);
    assert_near(rico_event_driven_position(exact)[1], 0.6 * 12.5, 1e-8);
    assert_near(rico_event_driven_position(exact)[2], 0.8 * 12.5, 1e-8);
    assert_near(rico_event_driven_velocity(exact)[1], 0.0, 1e-14);
    assert_ledger(exact, 1e-8);
    rico_event_driven_destroy(exact);
    rico_system_destroy(system);

    system = puck(ctx, pushed, mu);
    log = (diary){0};
    exact = start(ctx, system, q, v);
    assert_ok(ctx, rico_event_driven_run(exact, 12.0, note, &log));
    assert_int_equal(rico_event_driven_state(exact, 0), RICO_STICKING);
    assert_near(rico_event_driven_force(exact)[1], -0.3, 1e-9);
    assert_near(rico_event_driven_force(exact)[2], 0.4, 1e-9);
    assert_ledger(exact, 1e-7);
    rico_event_driven_destroy(exact);
    rico_system_destroy(system);
}


// The sliding rod of Painleve: with gamma = 1/2 and mu = 3 pressing the end makes it dig in, 1 + 3 sin^2 - 9 sin cos < 0,
// and gravity presses: no force exists. At mu = 0.1 it does, and the fall's first force is known.
static void painleve(void **state)
{
    rico_context *ctx = *state;
    const double gamma = 0.5, q[] = {0.0, 0.5 * cos(gamma), gamma}, v[] = {1.0, 0.0, 0.0};
    rico_system *system = impacting_stick(ctx, 0.0, 3.0);
    rico_event_driven *exact;
    assert_ok(ctx, rico_event_driven_create(system, &exact));
    assert_int_equal(rico_event_driven_start(exact, 0.0, q, v), RICO_UNSUPPORTED);
    assert_non_null(strstr(rico_message(ctx), "end"));
    assert_non_null(strstr(rico_message(ctx), "Painleve"));
    rico_event_driven_destroy(exact);
    rico_system_destroy(system);

    system = impacting_stick(ctx, 0.0, 0.1);
    exact = start(ctx, system, q, v);
    assert_ok(ctx, rico_event_driven_run(exact, 0.0, NULL, NULL));
    double push = 1.0 + 3.0 * sin(gamma) * sin(gamma) - 0.1 * 3.0 * sin(gamma) * cos(gamma);
    assert_near(rico_event_driven_force(exact)[0], 10.0 / push, 1e-9);
    assert_near(rico_event_driven_force(exact)[1], -1.0 / push, 1e-9);
    rico_event_driven_destroy(exact);
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
    rico_event_driven *exact = start(ctx, system, q, still);
    assert_ok(ctx, rico_event_driven_run(exact, 1.0, NULL, NULL));
    assert_int_equal(rico_event_driven_state(exact, 0), RICO_STICKING);
    assert_int_equal(rico_event_driven_state(exact, 1), RICO_STICKING);
    const double *r = rico_event_driven_force(exact);
    assert_near(r[0] + r[2], 1.0, 1e-12);
    assert_near(r[1] + r[3], -0.3, 1e-12);
    assert_near(rico_event_driven_position(exact)[0], 0.0, 1e-12);

    // sliding at speed 1: decelerates with 0.5 - 0.3 and stops at t = 5
    diary log = {0};
    assert_ok(ctx, rico_event_driven_start(exact, 0.0, q, moving));
    assert_ok(ctx, rico_event_driven_run(exact, 6.0, note, &log));
    assert_int_equal(log.count, 2);
    assert_near(log.event[0].t, 5.0, 1e-9);
    assert_near(rico_event_driven_position(exact)[0], 2.5, 1e-9);
    assert_ledger(exact, 1e-9);
    rico_event_driven_destroy(exact);
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
    rico_event_driven *exact = start(ctx, system, zero, zero);
    assert_ok(ctx, rico_event_driven_run(exact, 7.0, note, &log));
    assert_int_equal(log.count, 0);
    assert_near(rico_event_driven_position(exact)[1], 0.0, 1e-12);
    const double *force = rico_event_driven_force(exact);
    assert_near(force[0] + force[2], 1.0, 1e-12);
    assert_near(force[1] + force[3], -0.9, 1e-12);
    assert_true(fabs(force[1]) <= 0.1 * force[0] + 1e-9 && fabs(force[3]) <= force[2] + 1e-9);
    rico_event_driven_destroy(exact);
    rico_system_destroy(system);
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
    rico_event_driven *exact = start(ctx, system, q, &v);
    assert_ok(ctx, rico_event_driven_run(exact, 10.0, note, &log));
    assert_true(log.count >= 2);
    const double *at = rico_event_driven_position(exact), w = rico_event_driven_velocity(exact)[0];
    assert_near(hypot(at[0], at[1]), 1.0, 1e-8);
    assert_near(0.5 * w * w - at[0], 0.5 * 1.5 * 1.5 - 1.0, 1e-8);
    assert_near(log.event[0].impulse[0], 2.0 * sqrt(1.5 * 1.5 - 2.0 * (1.0 - sqrt(0.75))) / sqrt(0.75), 1e-8);
    assert_ledger(exact, 1e-8);
    rico_event_driven_destroy(exact);
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
    rico_event_driven *exact = start(ctx, system, &q, &v);
    assert_int_equal(rico_event_driven_run(exact, 3.0, NULL, NULL), RICO_UNSUPPORTED);
    assert_true(rico_event_driven_time(exact) < 2.0);
    assert_true(rico_event_driven_time(exact) > 1.9);
    assert_true(rico_event_driven_statistics(exact)->impacts > 5);
    rico_event_driven_destroy(exact);
    rico_system_destroy(system);
}


// The caller's function stops a run; wrong calls and wrong numbers are refused in words.
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
    diary log = {.stop_after = 2};
    rico_event_driven *exact;
    assert_ok(ctx, rico_event_driven_create(system, &exact));
    assert_int_equal(rico_event_driven_run(exact, 1.0, NULL, NULL), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_event_driven_set(exact, "colour", "red"), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_event_driven_set_number(exact, "rtol", -1.0), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_event_driven_start(exact, 0.0, &below, &v), RICO_BAD_INPUT);
    assert_non_null(strstr(rico_message(ctx), "ground"));
    assert_int_equal(rico_event_driven_start(exact, NAN, &q, &v), RICO_BAD_INPUT);
    assert_ok(ctx, rico_event_driven_start(exact, 0.0, &q, &v));
    assert_ok(ctx, rico_event_driven_run(exact, 10.0, note, &log));
    assert_near(rico_event_driven_time(exact), 3.0, 1e-9);
    assert_int_equal(rico_event_driven_run(exact, 1.0, NULL, NULL), RICO_BAD_ARGUMENT);
    assert_ok(ctx, rico_event_driven_set(exact, "max-events", "3"));
    assert_int_equal(rico_event_driven_run(exact, 10.0, NULL, NULL), RICO_UNSUPPORTED);
    rico_context_interrupt(ctx);
    assert_int_equal(rico_event_driven_run(exact, 10.0, NULL, NULL), RICO_INTERRUPTED);
    rico_context_clear_interrupt(ctx);
    rico_event_driven_destroy(exact);
    rico_system_destroy(system);

    double when = 0.5;
    const int64_t column[] = {0, 1}, dof[] = {0};
    const double one = 1.0;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_matrix_part part = {.size = 1, .M = {1, 1, column, dof, &one}, .load = sour, .user = &when};
    assert_ok(ctx, rico_system_add_matrices(system, "ball", &part, NULL));
    exact = start(ctx, system, &q, &v);
    assert_int_equal(rico_event_driven_run(exact, 1.0, NULL, NULL), RICO_BAD_INPUT);
    assert_non_null(strstr(rico_message(ctx), "load of part ball"));
    double t = rico_event_driven_time(exact);
    assert_true(t <= 0.5);
    assert_near(rico_event_driven_position(exact)[0], 1.0 - 0.5 * t * t, 1e-9);
    rico_event_driven_destroy(exact);
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
    rico_event_driven *exact = start(ctx, system, zero, zero);
    assert_ok(ctx, rico_event_driven_run(exact, 10.0, note, &log));
    assert_int_equal(log.count, 6);
    for (int k = 0; k < 6; k++) {
        assert_int_equal(log.event[k].kind, k % 2 == 0 ? RICO_EVENT_SLIP : RICO_EVENT_STICK);
        int half = k / 2;
        assert_near(log.event[k].t, (k % 2 == 0 ? t0 : low) + M_PI * half, 1e-9);
    }
    double s = low - t0, way = cos(t0) * s - (sin(low) - sin(t0)) - 0.3 * s * s;
    assert_near(rico_event_driven_position(exact)[1], way, 1e-9); // there, back and there again
    assert_ledger(exact, 1e-9);
    rico_event_driven_destroy(exact);
    rico_system_destroy(system);
}


// Random systems with plastic contacts, some of them sliding in curves through space: time stepping with short steps must
// come out near, the ledger must close. Those that start with a contact too deep are left out.
static void random_systems(void **state)
{
    rico_context *ctx = *state;
    int done = 0, events = 0;
    for (int seed = 0; seed < 106; seed += 2) {
        int64_t n = 3 + seed % 6, contacts = 1 + (seed / 3) % 3;
        random_system one, two;
        rico_random random, again;
        rico_random_seed(&random, (uint64_t)seed);
        again = random;
        random_system_create(ctx, &random, n, contacts, 1 + seed % 3, 0.0, 0.6, seed % 5 == 0, &one);
        random_system_create(ctx, &again, n, contacts, 1 + seed % 3, 0.0, 0.6, seed % 5 == 0, &two);
        rico_event_driven *exact;
        rico_simulation *sim;
        assert_ok(ctx, rico_event_driven_create(one.system, &exact));
        assert_ok(ctx, rico_simulation_create(two.system, "moreau-jean", &sim));
        if (rico_event_driven_start(exact, 0.0, one.q, one.v) == RICO_OK) {
            rico_run_options options = rico_run_defaults(2e-3);
            assert_ok(ctx, rico_event_driven_run(exact, 2.0, NULL, NULL));
            const rico_ledger *ledger = rico_event_driven_ledger(exact);
            assert_at_most(fabs(ledger->residual), 1e-9 * (1.0 + ledger->kinetic + ledger->potential));
            assert_ok(ctx, rico_simulation_start(sim, 0.0, two.q, two.v));
            assert_ok(ctx, rico_simulation_run(sim, 2.0, &options, NULL, NULL, NULL));
            for (int64_t i = 0; i < n; i++)
                assert_near(rico_simulation_position(sim)[i], rico_event_driven_position(exact)[i], 0.03);
            done++;
            events += (int)rico_event_driven_statistics(exact)->events;
        }
        rico_simulation_destroy(sim);
        rico_event_driven_destroy(exact);
        random_system_destroy(&one);
        random_system_destroy(&two);
    }
    assert_true(done > 20 && events > 60);
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
        rico_event_driven *exact;
        assert_ok(ctx, rico_event_driven_create(system, &exact));
        assert_ok(ctx, rico_event_driven_set_number(exact, "rtol", RTOL[k]));
        assert_ok(ctx, rico_event_driven_set_number(exact, "atol", 1e-2 * RTOL[k]));
        assert_ok(ctx, rico_event_driven_start(exact, 0.0, q, v));
        diary log = {0};
        assert_ok(ctx, rico_event_driven_run(exact, 5.6, note, &log));
        double slip = 0.0, stick = 0.0;
        for (int i = 0; i < log.count; i++) {
            if (log.event[i].kind == RICO_EVENT_SLIP) slip = log.event[i].t;
            if (log.event[i].kind == RICO_EVENT_STICK && slip > 0.0) stick = log.event[i].t;
        }
        const double *at = rico_event_driven_position(exact);
        assert_near(stick, 5.5140324, 1e-7);
        if (k > 0) assert_at_most(hypot(at[1] - last[0], at[2] - last[1]), 1e-8);
        last[0] = at[1];
        last[1] = at[2];
        rico_event_driven_destroy(exact);
        rico_system_destroy(system);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(elastic_ball, setup, teardown),
        cmocka_unit_test_setup_teardown(accumulation, setup, teardown),
        cmocka_unit_test_setup_teardown(stopped_oscillator, setup, teardown),
        cmocka_unit_test_setup_teardown(belt_sliding, setup, teardown),
        cmocka_unit_test_setup_teardown(belt_capture, setup, teardown),
        cmocka_unit_test_setup_teardown(plastic_driven, setup, teardown),
        cmocka_unit_test_setup_teardown(pendulum, setup, teardown),
        cmocka_unit_test_setup_teardown(puck_in_space, setup, teardown),
        cmocka_unit_test_setup_teardown(slip_in_space, setup, teardown),
        cmocka_unit_test_setup_teardown(painleve, setup, teardown),
        cmocka_unit_test_setup_teardown(redundant, setup, teardown),
        cmocka_unit_test_setup_teardown(unequal_feet, setup, teardown),
        cmocka_unit_test_setup_teardown(on_a_circle, setup, teardown),
        cmocka_unit_test_setup_teardown(squeezed, setup, teardown),
        cmocka_unit_test_setup_teardown(from_rest, setup, teardown),
        cmocka_unit_test_setup_teardown(random_systems, setup, teardown),
        cmocka_unit_test_setup_teardown(refusals, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
