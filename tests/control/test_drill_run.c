// Motions of drill-strings with friction: startup, stick-slip, two motions at one speed, sensors, controllers, cost and refusals. Periods
// and ranges were found by another program with steps of 1e-4 and 1e-5 s.

#include "control/drill_numbers.h"

#include <float.h>

static const double STEP = 1e-4;


static rico_drill_run *start(const rico_state_space *controller, const rico_drill_schedule *schedule)
{
    rico_drill_run *run;
    assert_ok(ctx, rico_drill_run_create(ctx, rico_drill_table(), controller, schedule, NULL, STEP, &run));
    return run;
}


static void advance(rico_drill_run *run, double time)
{
    assert_ok(ctx, rico_drill_run_advance(run, (int64_t)llround(time / STEP)));
}


static bool sticks_since(const rico_drill_run *run, double time)
{
    int64_t count;
    const rico_drill_interval *interval = rico_drill_run_intervals(run, &count);
    for (int64_t i = 0; i < count; i++)
        if (interval[i].sticks && !(interval[i].end <= time)) return true;
    return false;
}


// Startup to 5.5 rpm under SoftTorque: groups of two slips, whatever torque was left at the bit before.
static void stick_slip_after_startup(void **state)
{
    const double left[] = {0.1, 0.272};
    rico_state_space *controller = soft_torque();
    (void)state;
    for (int i = 0; i < 2; i++) {
        const rico_drill_schedule schedule = rico_drill_startup(rpm(3.5), rpm(5.5), left[i]);
        rico_drill_run *run = start(controller, &schedule);
        advance(run, 100.0);
        assert_false(sticks_since(run, 60.0)); // off bottom it turns
        advance(run, 300.0);
        rico_drill_run_watch(run);
        advance(run, 60.0);
        rico_drill_cycle cycle = rico_drill_run_cycle(run, 5e-3);
        rico_drill_range range = rico_drill_run_range(run);
        assert_int_equal(cycle.slips, 2);
        assert_near(cycle.period, 13.1874, 2e-4);
        assert_near(cycle.slip[0], 1.1285, 2e-4);
        assert_near(cycle.stick[0], 1.8772, 2e-4);
        assert_near(cycle.slip[1], 1.1430, 2e-4);
        assert_near(cycle.stick[1], 9.0388, 2e-4);
        assert_true(range.bit_low == 0.0);
        assert_near(range.bit_high * 30.0 / PI, 53.89, 6e-3);
        assert_near(range.top_low * 30.0 / PI, 3.569, 6e-4);
        assert_near(range.top_high * 30.0 / PI, 9.066, 6e-4);
        // an integral keeps the mean speed of the top drive, and so that of the bit
        assert_near(cycle.top_mean, rpm(5.5), 1e-3 * rpm(5.5));
        assert_near(cycle.bit_mean, rpm(5.5), 1e-3 * rpm(5.5));
        // lifted off bottom it turns again, and the cycle is over
        rico_drill_schedule lifted = rico_drill_constant(rpm(5.5));
        lifted.alpha[0] = 0.0;
        lifted.initial = 0.1;
        assert_ok(ctx, rico_drill_run_follow(run, &lifted));
        advance(run, 60.0);
        assert_false(sticks_since(run, 500.0));
        assert_int_equal(rico_drill_run_cycle(run, 5e-3).slips, 0);
        rico_drill_run_destroy(run);
    }
    rico_state_space_destroy(controller);
}


static rico_drill_cycle cycle_with(double step)
{
    rico_state_space *controller = soft_torque();
    const rico_drill_schedule schedule = rico_drill_constant(rpm(5.5));
    rico_drill_run *run;
    assert_ok(ctx, rico_drill_run_create(ctx, rico_drill_table(), controller, &schedule, NULL, step, &run));
    assert_ok(ctx, rico_drill_run_steady(run, 1.5));
    assert_ok(ctx, rico_drill_run_advance(run, (int64_t)llround(160.0 / step)));
    rico_drill_cycle cycle = rico_drill_run_cycle(run, 1e-2);
    assert_int_equal(cycle.slips, 2);
    rico_drill_run_destroy(run);
    rico_state_space_destroy(controller);
    return cycle;
}


// 13.1874 s are those of the step 1e-4. The scheme is of first order: twice the period of 1e-4 less that of 2e-4 is that of fine steps, within
// what whole steps tell.
static void period_over_steps(void **state)
{
    rico_drill_cycle coarse = cycle_with(2e-4), usual = cycle_with(1e-4), fine = cycle_with(1e-5);
    (void)state;
    assert_near(usual.period, 13.1874, 2e-4);
    assert_near(fine.period, usual.period, 1e-3);
    assert_near(fine.period, 2.0 * usual.period - coarse.period, 4e-4);
    for (int i = 0; i < 2; i++) {
        assert_near(fine.slip[i], usual.slip[i], 1e-3);
        assert_near(fine.stick[i], usual.stick[i], 1e-3);
    }
}


// The same loop without torque before the bit bites, or for higher speeds: no stick-slip. Both motions are possible at 5.5 rpm.
static void startup_without_stick_slip(void **state)
{
    const double last[] = {5.5, 7.0, 10.0, 14.0}, left[] = {0.0, 0.272, 0.272, 0.272};
    rico_state_space *controller = soft_torque();
    (void)state;
    for (int i = 0; i < 4; i++) {
        const rico_drill_schedule schedule = rico_drill_startup(rpm(3.5), rpm(last[i]), left[i]);
        rico_drill_run *run = start(controller, &schedule);
        advance(run, 400.0);
        assert_false(sticks_since(run, 200.0));
        rico_drill_run_destroy(run);
    }
    rico_state_space_destroy(controller);
}


static void slower_startup(void **state)
{
    rico_state_space *controller = soft_torque();
    const rico_drill_schedule schedule = rico_drill_startup(rpm(3.5), rpm(5.0), 0.272);
    (void)state;
    rico_drill_run *run = start(controller, &schedule);
    advance(run, 400.0);
    rico_drill_run_watch(run);
    advance(run, 60.0);
    rico_drill_range range = rico_drill_run_range(run);
    assert_near(range.bit_high * 30.0 / PI, 54.49, 6e-3);
    assert_near(range.top_low * 30.0 / PI, 3.203, 6e-4);
    assert_near(range.top_high * 30.0 / PI, 8.384, 6e-4);
    rico_drill_run_destroy(run);
    rico_state_space_destroy(controller);
}


// Steady rotation at 5.5 rpm, the bit's speed changed by 10 or 50 %.
static void disturbances(void **state)
{
    rico_state_space *controller = soft_torque();
    const rico_drill_schedule schedule = rico_drill_constant(rpm(5.5));
    (void)state;
    for (int i = 0; i < 3; i++) {
        const double factor[] = {1.0, 1.1, 1.5};
        rico_drill_run *run = start(controller, &schedule);
        assert_ok(ctx, rico_drill_run_steady(run, factor[i]));
        advance(run, 300.0);
        rico_drill_run_watch(run);
        advance(run, 20.0);
        rico_drill_range range = rico_drill_run_range(run);
        double swing = range.bit_high - range.bit_low;
        if (i == 0) assert_true(swing < 1e-9); // round-off of angles of 200 rad
        // e^-0.52 of the third mode is left, which holds nearly all of a swing of 2 times 0.1
        if (i == 1) assert_true(swing < 0.65 * 0.2 * rpm(5.5) && !sticks_since(run, 0.0));
        if (i == 2) assert_true(range.bit_low == 0.0 && sticks_since(run, 300.0));
        if (i == 0) {
            rico_drill_steady steady;
            assert_ok(ctx, rico_drill_equilibrium(ctx, rico_drill_table(), rpm(5.5), &steady, NULL));
            assert_near(range.bit_torque, steady.bit, 1e-10);
            assert_near(range.drive_torque, steady.drive, 1e-10);
        }
        rico_drill_run_destroy(run);
    }
    rico_state_space_destroy(controller);
}


// Small disturbances of a rotation grow or decay as eigenvalues say: the third mode, -0.001719 at 5.5 rpm and 0.001662 at 5.
static void small_disturbances_follow_eigenvalues(void **state)
{
    const double speed[] = {5.5, 5.0}, real[] = {-0.001719, 0.001662};
    rico_state_space *controller = soft_torque();
    (void)state;
    for (int i = 0; i < 2; i++) {
        const rico_drill_schedule schedule = rico_drill_constant(rpm(speed[i]));
        rico_drill_run *run = start(controller, &schedule);
        assert_ok(ctx, rico_drill_run_steady(run, 1.0001));
        double swing[2];
        advance(run, 500.0); // the second mode is gone, e^-5.5 of it
        for (int k = 0; k < 2; k++) {
            if (k) advance(run, 196.0);
            rico_drill_run_watch(run);
            advance(run, 4.0);
            rico_drill_range range = rico_drill_run_range(run);
            swing[k] = range.bit_high - range.bit_low;
        }
        assert_near(log(swing[1] / swing[0]) / 200.0, real[i], 3e-6);
        rico_drill_run_destroy(run);
    }
    rico_state_space_destroy(controller);
}


// A string scaled to the field moves as in the laboratory: time stays, angles by c2.
static void motion_is_invariant_under_scaling(void **state)
{
    rico_drill_string *full;
    rico_state_space *small = soft_torque(), *large;
    (void)state;
    assert_ok(ctx, rico_drill_scaled(ctx, rico_drill_table(), 1.0 / 6250.0, 1.0 / 10.0, &full));
    assert_ok(ctx, rico_drill_soft_torque(ctx, 2.93 * 625.0, 1.87 * 625.0, &large));
    const rico_drill_schedule slow = rico_drill_startup(rpm(3.5), rpm(5.5), 0.272),
                              fast = rico_drill_startup(rpm(35.0), rpm(55.0), 0.272 * 6250.0);
    rico_drill_run *a = start(small, &slow), *b;
    assert_ok(ctx, rico_drill_run_create(ctx, full, large, &fast, NULL, STEP, &b));
    for (int i = 0; i < 10; i++) {
        advance(a, 10.0);
        advance(b, 10.0);
        for (int k = 0; k < 4; k++) {
            assert_near(rico_drill_run_speeds(b)[k], 10.0 * rico_drill_run_speeds(a)[k], 1e-7);
            assert_near(rico_drill_run_angles(b)[k], 10.0 * rico_drill_run_angles(a)[k], 1e-6);
        }
    }
    rico_drill_run_destroy(a);
    rico_drill_run_destroy(b);
    rico_drill_destroy(ctx, full);
    rico_state_space_destroy(small);
    rico_state_space_destroy(large);
}


// (35-36): constant T_ini off bottom, the law of the string at the end, no jump between.
static void schedules(void **state)
{
    const rico_drill_schedule schedule = rico_drill_startup(1.0, 2.0, 0.1);
    rico_drill_asked before = rico_drill_schedule_at(&schedule, -1.0);
    (void)state;
    assert_true(before.speed == 0.0 && before.alpha == 0.0 && before.feed == 0.0);
    for (double t = -1.0; t < 200.0; t += 0.01) {
        rico_drill_asked now = rico_drill_schedule_at(&schedule, t);
        assert_true(fabs(now.alpha - before.alpha) < 2e-4 && fabs(now.speed - before.speed) < 4e-4);
        assert_near(now.alpha, t <= 110.0 ? 0.0 : t >= 170.0 ? 1.0 : (t - 110.0) / 60.0, 1e-12);
        assert_near(now.feed, fmin(fmax(t / 30.0, 0.0), 1.0), 1e-12);
        before = now;
    }
    assert_true(before.speed == 2.0 && before.alpha == 1.0);
}


// x + ratio T(x) = a, odd, and the friction never changes the sign: |x| <= |a|.
static void resolvent(void **state)
{
    rico_random random;
    (void)state;
    rico_random_seed(&random, 3);
    for (int i = 0; i < 10000; i++) {
        double decay = rico_random_range(&random, 0.0, 50.0), base = rico_random_unit(&random),
               drop = rico_random_unit(&random), ratio = rico_random_range(&random, 0.0, 0.02),
               a = rico_random_range(&random, -0.2, 0.2) * (i % 3 ? 1.0 : 50.0);
        double x = rico_drill_resolvent(a, ratio, base, drop, decay), size = fabs(a);
        assert_true(rico_drill_resolvent(-a, ratio, base, drop, decay) == -x);
        assert_true(fabs(x) <= size && x * a >= 0.0);
        if (size <= ratio * (base + drop))
            assert_true(x == 0.0);
        else
            assert_near(fabs(x) + ratio * (base + drop * exp(-decay * fabs(x))), size, 4e-16 * (1.0 + size));
    }
    assert_true(isnan(rico_drill_resolvent(1.0, 1.0, 1.0, 1.0, 1.0)));
}


// The bit sticks exactly, angles and all, while torque stays below T_s.
static void sticking_is_exact(void **state)
{
    const rico_drill_schedule schedule = rico_drill_constant(rpm(5.5));
    (void)state;
    rico_drill_run *run = start(NULL, &schedule);
    advance(run, 0.5);
    assert_true(rico_drill_run_speeds(run)[0] == 0.0 && rico_drill_run_angles(run)[0] == 0.0);
    assert_true(rico_drill_run_speeds(run)[3] > 0.0);
    assert_near(rico_drill_run_time(run), 0.5, 1e-12);
    rico_drill_run_destroy(run);
}


// Noise and counts change what a controller is told, by their seed alone.
static void sensors(void **state)
{
    rico_state_space *controller = soft_torque();
    const rico_drill_schedule schedule = rico_drill_constant(rpm(7.0));
    const rico_drill_sensors noisy = {
        .speed_noise = 0.02, .torque_noise = 0.05, .counts = 32768.0, .every = 10, .seed = 5};
    rico_drill_sensors other = noisy, coarse = {.counts = 131072.0, .every = 100};
    rico_drill_run *run[4];
    double end[4];
    (void)state;
    other.seed = 6;
    const rico_drill_sensors *all[] = {&noisy, &noisy, &other, &coarse};
    for (int i = 0; i < 4; i++) {
        assert_ok(ctx, rico_drill_run_create(ctx, rico_drill_table(), controller, &schedule, all[i], STEP,
                                             &run[i]));
        assert_ok(ctx, rico_drill_run_steady(run[i], 1.0));
        advance(run[i], 30.0);
        end[i] = rico_drill_run_speeds(run[i])[3];
        assert_near(end[i], rpm(7.0), 0.05);
        rico_drill_run_destroy(run[i]);
    }
    assert_true(end[0] == end[1] && end[0] != end[2]);
    assert_near(end[3], rpm(7.0), 2e-3);
    rico_state_space_destroy(controller);
}


// A controller of a state, sampled every step or every tenth, is the one whose integral is exact: a ramp of the integrator.
static void controller_is_held(void **state)
{
    const double a = -2.0, b[] = {1.0, 0.5}, c = 3.0;
    rico_state_space *lag;
    rico_drill_schedule schedule = rico_drill_constant(1.0);
    (void)state;
    schedule.feed[0] = 0.0;
    assert_ok(ctx, rico_state_space_create(ctx, 1, 2, 1, &a, b, &c, NULL, &lag));
    // a top drive held by its wall: e is constant, (1 - 0, 0 - 0)
    const rico_drill_link link = {0, 1, 1.0, 0.0};
    const double inertia[] = {1.0, 1.0}, wall[] = {0.0, 1e3};
    const rico_drill_string string = {2, 1, inertia, &link, wall, {2.0, 1.0, 1.0}};
    const int64_t every[] = {1, 10};
    for (int i = 0; i < 2; i++) {
        const rico_drill_sensors sampled = {.every = every[i]};
        rico_drill_run *run;
        assert_ok(ctx, rico_drill_run_create(ctx, &string, lag, &schedule, &sampled, 0.01, &run));
        assert_ok(ctx, rico_drill_run_advance(run, 101)); // the last of them asks at t = 1
        assert_near(rico_drill_run_torque(run), c * b[0] * (1.0 - exp(-2.0)) / 2.0, 1e-12);
        rico_drill_run_destroy(run);
    }
    rico_state_space_destroy(lag);
}


// The observer turns SoftTorque's stick-slip at 5.5 rpm into steady rotation after a disturbance of one half.
static void observer_avoids_stick_slip(void **state)
{
    const rico_drill_observer want = {
        .bit = 1.0, .effort = 0.5, .bit_noise = 0.1, .speed_noise = 0.02, .torque_noise = 0.05};
    rico_state_space *controller;
    rico_drill_steady steady;
    (void)state;
    assert_ok(ctx, rico_drill_equilibrium(ctx, rico_drill_table(), rpm(5.5), &steady, NULL));
    assert_ok(ctx, rico_drill_observer_create(ctx, rico_drill_table(), steady.delta, &want, &controller));
    const rico_drill_schedule schedule = rico_drill_constant(rpm(5.5));
    rico_drill_run *run = start(controller, &schedule);
    assert_ok(ctx, rico_drill_run_steady(run, 1.5));
    advance(run, 300.0);
    assert_false(sticks_since(run, 0.0));
    rico_drill_run_watch(run);
    advance(run, 10.0);
    rico_drill_range range = rico_drill_run_range(run);
    assert_near(range.bit_low, rpm(5.5), 1e-3);
    assert_near(range.bit_high, rpm(5.5), 1e-3);
    // another controller, or none, takes over
    assert_ok(ctx, rico_drill_run_control(run, NULL));
    advance(run, 1.0);
    assert_near(rico_drill_run_torque(run), steady.drive, 1e-12);
    rico_drill_run_destroy(run);
    rico_state_space_destroy(controller);
}


// The high gain of table 3, with 99 parts in 100 of the largest k = 0.133 for d = 0.178.
static rico_state_space *high_gain(void)
{
    const rico_drill_weights weights = rico_drill_high_gain();
    const double k = 0.99 * 0.133, d = 0.178;
    rico_drill_steady steady;
    rico_drill_plant *plant;
    rico_state_space *weighted, *scaled, *found, *controller;
    bool exists;
    assert_ok(ctx, rico_drill_equilibrium(ctx, rico_drill_table(), rpm(5.5), &steady, NULL));
    assert_ok(ctx, rico_drill_plant_create(ctx, rico_drill_table(), steady.delta, &plant));
    assert_ok(ctx, rico_drill_weighted_plant(ctx, plant, &weights, &weighted));
    double b[12 * 5], c[12 * 6];
    assert_int_equal(weighted->states, 12);
    for (int i = 0; i < 12 * 5; i++) b[i] = weighted->b[i] / (i < 12 ? d : 1.0);
    for (int i = 0; i < 12 * 6; i++) c[i] = weighted->c[i] * (i % 6 == 0 ? k * d : 1.0);
    assert_ok(ctx, rico_state_space_create(ctx, 12, 5, 6, weighted->a, b, c, weighted->d, &scaled));
    assert_ok(ctx, rico_hinf_controller(scaled, 2, 1, 1.0, &exists, &found));
    assert_true(exists);
    assert_ok(ctx, rico_drill_controller(found, &weights, &controller));
    rico_state_space *all[] = {weighted, scaled, found};
    for (int i = 0; i < 3; i++) rico_state_space_destroy(all[i]);
    rico_drill_plant_destroy(ctx, plant);
    return controller;
}


// A bit half as fast again comes back without sticking; one twice as fast ends in swings of the top drive with 267 Nm. Inside the sector that
// the circle criterion proves, -2.499 rpm and more, it comes back too.
static void disturbances_under_high_gain(void **state)
{
    const double factor[] = {1.5, 1.0 - 2.4 / 5.5, 2.0};
    rico_state_space *controller = high_gain();
    const rico_drill_schedule schedule = rico_drill_constant(rpm(5.5));
    rico_drill_steady steady;
    (void)state;
    assert_ok(ctx, rico_drill_equilibrium(ctx, rico_drill_table(), rpm(5.5), &steady, NULL));
    for (int i = 0; i < 3; i++) {
        rico_drill_run *run = start(controller, &schedule);
        assert_ok(ctx, rico_drill_run_steady(run, factor[i]));
        double most = 0.0;
        for (int k = 0; k < 20000; k++) {
            assert_ok(ctx, rico_drill_run_advance(run, 50));
            most = fmax(most, fabs(rico_drill_run_torque(run) - steady.drive));
        }
        if (i < 2) {
            assert_false(sticks_since(run, 0.0));
            assert_near(rico_drill_run_speeds(run)[0], rpm(5.5), 1e-3);
            assert_true(most < 2.0);
        } else {
            assert_near(most, 267.0, 1.5);
        }
        rico_drill_run_destroy(run);
    }
    rico_state_space_destroy(controller);
}


// At 5.5 rpm both motions go on: rotation that comes from above, stick-slip once it is there. Below 5.19 rpm rotation is unstable.
static void diagram(void **state)
{
    rico_state_space *controller = soft_torque();
    const double down[] = {rpm(7.0), rpm(5.5), rpm(3.5)}, up[] = {rpm(4.5), rpm(5.5), rpm(12.0)};
    const rico_drill_sweep gentle = {1.0, 300.0, 40.0, 1e-3, 0.02}, struck = {1.5, 300.0, 40.0, 1e-3, 0.02};
    rico_drill_range range[3];
    rico_drill_cycle cycle[3];
    (void)state;
    assert_ok(ctx, rico_drill_diagram(ctx, rico_drill_table(), controller, &gentle, 3, down, range, NULL));
    for (int i = 0; i < 2; i++) {
        assert_near(range[i].bit_low, down[i], 0.05);
        assert_near(range[i].bit_torque, rico_drill_friction(&rico_drill_table()->bit, down[i]), 1e-4);
    }
    assert_true(range[2].bit_low == 0.0);
    assert_ok(ctx, rico_drill_diagram(ctx, rico_drill_table(), controller, &struck, 3, up, range, cycle));
    for (int i = 0; i < 3; i++) assert_true(range[i].bit_low == 0.0);
    assert_near(range[1].bit_high * 30.0 / PI, 53.9, 0.2);
    assert_true(cycle[1].slips == 2 && cycle[2].slips == 1);
    assert_near(cycle[1].period, 13.1874, 0.02);
    assert_near(cycle[2].bit_mean, rpm(12.0), 2e-2 * rpm(12.0));
    rico_state_space_destroy(controller);
}


// A longer string: torques of friction and the momentum of all discs add up, whatever the links do.
static void momentum_of_many_discs(void **state)
{
    enum { DISCS = 300 };
    static double inertia[DISCS], wall[DISCS];
    static rico_drill_link link[DISCS - 1];
    double friction = 0.0;
    (void)state;
    for (int i = 0; i < DISCS; i++) {
        inertia[i] = 0.01 + 1e-4 * i;
        wall[i] = i ? 0.01 : 0.0;
        friction += wall[i];
        if (i) link[i - 1] = (rico_drill_link){i - 1, i, 100.0, 0.01};
    }
    const rico_drill_string string = {DISCS, DISCS - 1, inertia, link, wall, {0.5, 0.2, 5.0}};
    const rico_drill_schedule schedule = rico_drill_constant(2.0);
    rico_drill_run *run;
    assert_ok(ctx, rico_drill_run_create(ctx, &string, NULL, &schedule, NULL, STEP, &run));
    assert_ok(ctx, rico_drill_run_steady(run, 1.0));
    assert_ok(ctx, rico_drill_run_advance(run, 1000));
    rico_drill_range range = rico_drill_run_range(run);
    assert_near(range.bit_low, 2.0, 1e-9);
    assert_near(range.drive_torque, friction + rico_drill_friction(&string.bit, 2.0), 1e-12);
    assert_near(range.bit_torque, rico_drill_friction(&string.bit, 2.0), 1e-9);
    rico_drill_run_destroy(run);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stick_slip_after_startup),
        cmocka_unit_test(period_over_steps),
        cmocka_unit_test(startup_without_stick_slip),
        cmocka_unit_test(slower_startup),
        cmocka_unit_test(disturbances),
        cmocka_unit_test(small_disturbances_follow_eigenvalues),
        cmocka_unit_test(motion_is_invariant_under_scaling),
        cmocka_unit_test(schedules),
        cmocka_unit_test(resolvent),
        cmocka_unit_test(sticking_is_exact),
        cmocka_unit_test(sensors),
        cmocka_unit_test(controller_is_held),
        cmocka_unit_test(observer_avoids_stick_slip),
        cmocka_unit_test(disturbances_under_high_gain),
        cmocka_unit_test(diagram),
        cmocka_unit_test(momentum_of_many_discs),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
