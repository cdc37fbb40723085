// Two masses with a cubic spring: against the linear system's closed forms, an integrator of the test's own, and symmetry in time.

#include "ricochet/forced.h"
#include "support.h"

static const double PI = 3.14159265358979323846;
static const rico_duffing LINEAR = {.mass = {1, 1}, .stiffness = 1, .gap = 1, .restitution = 1};

static rico_modes *two_masses(rico_context *ctx)
{
    const double M[] = {1, 0, 0, 1}, K[] = {2, -1, -1, 1}, w[] = {0, -1};
    rico_modes *modes;
    assert_ok(ctx, rico_modes_create(ctx, 2, M, K, w, 1.0, &modes));
    return modes;
}


// The free linear orbit of a period, as a start.
static rico_duffing_orbit linear_orbit(rico_context *ctx, const rico_modes *modes, double T)
{
    rico_modes_orbit one;
    double u[2], v[2];
    assert_ok(ctx, rico_modes_one(modes, T, &one));
    assert_ok(ctx, rico_modes_state(modes, &one, 0.0, u, v));
    return (rico_duffing_orbit){.period = T, .u1 = u[0], .v1 = v[0], .v2 = v[1], .energy = one.energy};
}


// Without the cubic spring shooting finds the closed forms: T = 9 has E = 0.34579761, T = 7 has 0.88619927.
static void test_linear(void **state)
{
    (void)state;
    static const double PERIOD[] = {9.0, 7.0}, ENERGY[] = {0.34579761, 0.88619927};
    rico_context *ctx = rico_context_create(NULL);
    rico_modes *modes = two_masses(ctx);
    for (int i = 0; i < 2; i++) {
        rico_duffing_orbit expected = linear_orbit(ctx, modes, PERIOD[i]), orbit = expected;
        orbit.u1 += 0.02;
        orbit.v2 -= 0.02;
        orbit.v1 = 0.01;
        assert_ok(ctx, rico_duffing_refine(ctx, &LINEAR, &orbit));
        assert_true(orbit.admissible);
        assert_near(orbit.u1, expected.u1, 1e-8);
        assert_near(orbit.v1, 0.0, 1e-8);
        assert_near(orbit.v2, expected.v2, 1e-8);
        assert_near(orbit.energy, ENERGY[i], 1e-7);
    }
    rico_modes_destroy(modes);
    rico_context_destroy(ctx);
}


// Stoermer and Verlet's method in small steps, which shares nothing with the library's.
static void drift_and_kick(double cubic, double T, int steps, double *x)
{
    double h = T / steps;
    for (int i = 0; i < steps; i++) {
        for (int half = 0; half < 2; half++) {
            double apart = x[0] - x[1], f = apart + cubic * apart * apart * apart;
            x[2] += 0.5 * h * (-x[0] - f);
            x[3] += 0.5 * h * f;
            if (half == 0) {
                x[0] += h * x[2];
                x[1] += h * x[3];
            }
        }
    }
}


// The backbone deforms continuously with either sign: from the linear orbit in steps of eps; the orbit is periodic under the other integrator,
// even in time though nothing asks for it, and bounces back as fast as it came.
static void test_cubic(void **state)
{
    (void)state;
    enum { SAMPLES = 200 };
    rico_context *ctx = rico_context_create(NULL);
    rico_modes *modes = two_masses(ctx);
    double energy[2];
    for (int sign = 0; sign < 2; sign++) {
        rico_duffing system = LINEAR;
        rico_duffing_orbit orbit = linear_orbit(ctx, modes, 9.0);
        double before = orbit.energy, trace[4 * SAMPLES];
        for (int i = 1; i <= 5; i++) {
            system.cubic = (sign ? -0.05 : 0.05) * i;
            assert_ok(ctx, rico_duffing_refine(ctx, &system, &orbit));
            assert_true(orbit.admissible);
            assert_true(fabs(orbit.energy - before) < 0.1 * before);
            assert_near(orbit.v1, 0.0, 1e-7);
            before = orbit.energy;
        }
        double x[4] = {orbit.u1, 1.0, orbit.v1, orbit.v2};
        drift_and_kick(system.cubic, 9.0, 200000, x);
        assert_near(x[0], orbit.u1, 1e-7);
        assert_near(x[1], 1.0, 1e-7);
        assert_near(x[2], orbit.v1, 1e-7);
        assert_near(x[3], -orbit.v2, 1e-7);
        assert_ok(ctx, rico_duffing_trace(ctx, &system, &orbit, SAMPLES, trace));
        for (int i = 1; i < SAMPLES; i++)
            for (int c = 0; c < 2; c++) assert_near(trace[4 * i + c], trace[4 * (SAMPLES - i) + c], 1e-7);
        energy[sign] = orbit.energy;
    }
    // a stiffer spring raises the free frequency towards that of the orbit, which then needs less energy
    double linear = linear_orbit(ctx, modes, 9.0).energy;
    assert_true(energy[0] < linear && energy[1] > linear);
    rico_modes_destroy(modes);
    rico_context_destroy(ctx);
}


// Forced and damped, without the cubic spring: the orbit of Green's functions. Then the branch with it comes back to itself.
static void test_forced(void **state)
{
    (void)state;
    enum { ROOM = 200 };
    rico_context *ctx = rico_context_create(NULL);
    rico_modes *modes = two_masses(ctx);
    const double *shape = rico_modes_shapes(modes), T = 9.4;
    double force[] = {0.1 * shape[0], 0.1 * shape[2]}, q[2], v[2];
    rico_forced drive = {T, force, 0.0, 0.02, 1.0};
    rico_forced_motion *motion;
    rico_forced_response response;
    rico_forced_orbit exact;
    assert_ok(ctx, rico_forced_motion_create(modes, &drive, &motion));
    assert_ok(ctx,
              rico_forced_settle(motion, &(rico_forced_search){.transient = 2000, .longest = 1}, &response));
    assert_ok(ctx, rico_forced_orbit_of(motion, 1, &exact));
    rico_forced_orbit_state(modes, &drive, &exact, exact.time[0], q, v);
    rico_duffing system = LINEAR;
    system.damping = 0.02;
    system.force[0] = 0.1;
    double expected[] = {shape[0] * q[0] + shape[2] * q[1], shape[0] * v[0] + shape[2] * v[1],
                         shape[1] * v[0] + shape[3] * v[1], 2.0 * PI * exact.time[0] / T};
    rico_duffing_orbit orbit = {.period = T,
                                .u1 = expected[0] + 0.01,
                                .v1 = expected[1] - 0.01,
                                .v2 = expected[2],
                                .phase = expected[3] + 0.02};
    assert_ok(ctx, rico_duffing_refine(ctx, &system, &orbit));
    assert_near(orbit.u1, expected[0], 1e-7);
    assert_near(orbit.v1, expected[1], 1e-7);
    assert_near(orbit.v2, expected[2], 1e-7);
    assert_near(remainder(orbit.phase - expected[3], 2.0 * PI), 0.0, 1e-7);
    assert_near(orbit.energy, exact.energy, 1e-4);
    // along the branch the two methods stay together
    static rico_duffing_orbit branch[ROOM];
    int64_t count;
    assert_ok(ctx, rico_duffing_follow(ctx, &system, &orbit, -1, 0.05, ROOM, branch, &count));
    assert_true(count > 20);
    for (int64_t i = 0; i < count; i += 10) {
        if (!branch[i].admissible) continue;
        rico_forced now = drive;
        rico_forced_orbit same = {.impacts = 1, .multiple = 1};
        now.period = branch[i].period;
        same.time[0] = branch[i].phase * now.period / (2.0 * PI);
        assert_ok(ctx, rico_forced_refine(modes, &now, &same));
        rico_forced_orbit_state(modes, &now, &same, same.time[0], q, v);
        assert_near(shape[1] * v[0] + shape[3] * v[1], branch[i].v2, 1e-6 * (1.0 + fabs(branch[i].v2)));
    }
    // the same system with a cubic spring, by steps
    for (int i = 1; i <= 4; i++) {
        system.cubic = 0.05 * i;
        assert_ok(ctx, rico_duffing_refine(ctx, &system, &orbit));
        assert_true(orbit.admissible);
    }
    rico_forced_motion_destroy(motion);
    rico_modes_destroy(modes);
    rico_context_destroy(ctx);
}


static void test_refusals(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_duffing system = LINEAR;
    rico_duffing_orbit orbit = {.period = 9.0, .u1 = 0.5, .v2 = -0.3};
    int64_t count;
    system.mass[1] = 0.0;
    assert_int_equal(rico_duffing_refine(ctx, &system, &orbit), RICO_BAD_ARGUMENT);
    system = LINEAR;
    system.restitution = 1.1;
    assert_int_equal(rico_duffing_refine(ctx, &system, &orbit), RICO_BAD_ARGUMENT);
    system = LINEAR;
    system.cubic = NAN;
    assert_int_equal(rico_duffing_refine(ctx, &system, &orbit), RICO_BAD_ARGUMENT);
    orbit.period = -1.0;
    assert_int_equal(rico_duffing_refine(ctx, &LINEAR, &orbit), RICO_BAD_ARGUMENT);
    orbit.period = 9.0;
    assert_int_equal(rico_duffing_follow(ctx, &LINEAR, &orbit, 1, -0.1, 1, &orbit, &count),
                     RICO_BAD_ARGUMENT);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear),
        cmocka_unit_test(test_cubic),
        cmocka_unit_test(test_forced),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
