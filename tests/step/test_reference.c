// Seven machines without accumulation: the event-driven reference against their exact motion, the schemes against the
// reference at the order that they claim.
//
// Positions at 25 moments, so that no moment is lucky; the order is the slope of log error over log h by least squares
// through four sizes of steps. Through an impact no scheme with impulses in its step knows the moment better than h: order
// 1 is all there is, and what is asserted. Velocities jump at moments that differ, so they are not compared.

#include "machines.h"
#include "moving_schemes.h"

enum { MOMENTS = 25, SIZES = 4, GRIDS = 4 };

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


// The moments of a machine and where the reference has it then.
static void reference(rico_context *ctx, const machine *what, double *time, double (*q)[3], bool compare)
{
    rico_system *system = what->build(ctx);
    rico_simulation *exact;
    assert_ok(ctx, rico_simulation_create(system, "event-driven", &exact));
    assert_ok(ctx, rico_simulation_start(exact, 0.0, what->q, what->v));
    for (int k = 0; k < MOMENTS; k++) {
        time[k] = what->t_end * (k + 1) / MOMENTS;
        rico_run_options options = rico_run_defaults(what->t_end / MOMENTS);
        assert_ok(ctx, rico_simulation_run(exact, time[k], &options, NULL, NULL, NULL));
        const double *there = rico_simulation_position(exact), *fast = rico_simulation_velocity(exact);
        double where[3], speed[3];
        if (compare) what->exact(time[k], where, speed);
        for (int64_t i = 0; i < what->n; i++) {
            q[k][i] = there[i];
            if (!compare) continue;
            assert_near(there[i], where[i], 2e-8);
            assert_near(fast[i], speed[i], 2e-8);
        }
    }
    const rico_ledger *ledger = rico_simulation_ledger_total(exact);
    double energy = 1.0 + ledger->kinetic + fabs(ledger->potential);
    assert_at_most(fabs(ledger->residual), 1e-12 * energy);
    assert_at_most(fabs(ledger->numerical[0]), 1e-8 * energy);
    assert_true(rico_simulation_statistics(exact)->events > 0);
    rico_simulation_destroy(exact);
    rico_system_destroy(system);
}


static void exact_motions(void **state)
{
    double time[MOMENTS], q[MOMENTS][3];
    for (int m = 0; m < MACHINE_COUNT; m++) reference(*state, &MACHINES[m], time, q, true);
}


// Mean distance from the reference with `per` steps between moments.
static double distance(rico_context *ctx, const machine *what, const char *scheme, int per, double (*q)[3])
{
    rico_system *system = what->build(ctx);
    rico_simulation *sim;
    double h = what->t_end / (MOMENTS * per), sum = 0.0;
    assert_ok(ctx, rico_simulation_create(system, scheme, &sim));
    assert_ok(ctx, rico_simulation_start(sim, 0.0, what->q, what->v));
    for (int k = 0; k < MOMENTS; k++) {
        for (int i = 0; i < per; i++) assert_ok(ctx, rico_simulation_step(sim, h));
        const double *there = rico_simulation_position(sim);
        for (int64_t i = 0; i < what->n; i++) sum += fabs(there[i] - q[k][i]) / MOMENTS;
    }
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
    return sum;
}


// The error of an impact depends on where in a step it falls: the mean over a handful of grids near each size does not.
static double typical_distance(rico_context *ctx, const machine *what, const char *scheme, int level,
                               double (*q)[3])
{
    double sum = 0.0;
    for (int r = 0; r < GRIDS; r++) sum += distance(ctx, what, scheme, (1 << level) * (10 + 2 * r) / 10, q);
    return sum / GRIDS;
}


static double slope(const double *error)
{
    double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    for (int k = 0; k < SIZES; k++) {
        double a = -k * log(2.0), b = log(error[k]);
        x += a;
        y += b;
        xx += a * a;
        xy += a * b;
    }
    return (SIZES * xy - x * y) / (SIZES * xx - x * x);
}


static void orders(void **state)
{
    rico_context *ctx = *state;
    const rico_scheme_info *scheme;
    for (int m = 0; m < MACHINE_COUNT; m++) {
        double time[MOMENTS], q[MOMENTS][3];
        reference(ctx, &MACHINES[m], time, q, false);
        for (int s = 0; (scheme = moving_scheme_at(s)); s++) {
            if (scheme->own_error) continue; // it is the reference
            // without a law of impact, what it does at one is another motion
            bool lawless = strcmp(scheme->name, "trapezoidal-position") == 0 ||
                           strcmp(scheme->name, "contact-stabilized") == 0;
            if (lawless && MACHINES[m].impacts) continue;
            double error[SIZES];
            for (int k = 0; k < SIZES; k++)
                error[k] = typical_distance(ctx, &MACHINES[m], scheme->name, 4 + k, q);
            double order = slope(error);
            if (!(order > 0.75 && order < MACHINES[m].order_most) || error[SIZES - 1] > 0.02)
                fail_msg("%s with %s: order %.3f, error %.3g at the finest steps", MACHINES[m].name,
                         scheme->name, order, error[SIZES - 1]);
        }
    }
}


// Before the first event every scheme of the table has the order that it states. Motions that a scheme does exactly
// (parabolas, rest) have no order to measure.
static void smooth_orders(void **state)
{
    rico_context *ctx = *state;
    const rico_scheme_info *scheme;
    int measured = 0;
    for (int s = 0; (scheme = moving_scheme_at(s)); s++) {
        if (scheme->order == 0) continue;
        for (int m = 0; m < MACHINE_COUNT; m++) {
            double error[SIZES];
            for (int k = 0; k < SIZES; k++) {
                rico_system *system = MACHINES[m].build(ctx);
                rico_simulation *sim;
                rico_run_options options = rico_run_defaults(MACHINES[m].first / (64 << k));
                double q[3], v[3];
                assert_ok(ctx, rico_simulation_create(system, scheme->name, &sim));
                assert_ok(ctx, rico_simulation_start(sim, 0.0, MACHINES[m].q, MACHINES[m].v));
                assert_ok(ctx, rico_simulation_run(sim, MACHINES[m].first, &options, NULL, NULL, NULL));
                MACHINES[m].exact(MACHINES[m].first, q, v);
                error[k] = 0.0;
                for (int64_t i = 0; i < MACHINES[m].n; i++) {
                    error[k] += fabs(rico_simulation_position(sim)[i] - q[i]);
                    error[k] += fabs(rico_simulation_velocity(sim)[i] - v[i]);
                }
                rico_simulation_destroy(sim);
                rico_system_destroy(system);
            }
            if (error[0] < 1e-12) continue;
            double order = slope(error);
            if (fabs(order - scheme->order) > 0.1)
                fail_msg("%s with %s: order %.3f, stated %d", MACHINES[m].name, scheme->name, order,
                         scheme->order);
            measured++;
        }
    }
    assert_true(measured >= 12);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(exact_motions, setup, teardown),
        cmocka_unit_test_setup_teardown(smooth_orders, setup, teardown),
        cmocka_unit_test_setup_teardown(orders, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
