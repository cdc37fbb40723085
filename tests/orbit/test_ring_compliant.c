// Orbits of rings whose walls give way: one particle in closed form, and the limit of rigid walls.

#include "failing_memory.h"
#include "ring_patterns.h"

// One particle against a spring of stiffness k: in contact until t_c with the frequency w = (1 + k)^(1/2) around -k/(1 + k), free from there to T/2,
// tan(w t_c)/w = -tan(T/2 - t_c).
static double depth_in_closed_form(double k, double T)
{
    double w = sqrt(1.0 + k), low = 0.0, high = 0.5 * M_PI / w;
    for (int i = 0; i < 200; i++) {
        double t = 0.5 * (low + high);
        *(tan(w * t) / w < -tan(0.5 * T - t) ? &low : &high) = t;
    }
    double centre = -k / (1.0 + k);
    return -1.0 - (centre - 1.0 / (1.0 + k) / cos(w * low));
}


static void one_particle(void **state)
{
    (void)state;
    const pattern alone = at_start(1, (const int[]){0, -1});
    for (double T = 3.7; T < 6.0; T += 0.5) {
        rico_ring_orbit *rigid = solve_feasible(1, 0.0, T, &alone);
        for (double k = 1e3; k < 2e6; k *= 10.0) {
            rico_ring_compliant *soft;
            assert_ok(ctx, rico_ring_compliant_solve(rigid, k, 1.0, 0.0, &soft));
            assert_at_most(soft->residual, 1e-10 * sqrt(1.0 + k));
            assert_near(soft->deepest, depth_in_closed_form(k, T), 1e-8);
            assert_near(soft->y[0], -1.0 - soft->deepest, 1e-12);
            rico_ring_compliant_destroy(soft);
        }
        rico_ring_orbit_destroy(rigid);
    }
}


// The distance from the rigid orbit at T/4 falls with the time of contact: like k^(-1/2) for springs, k^(-2/5) for Hertz's law.
static void stiff_limit(void **state)
{
    (void)state;
    enum { P = 6 };
    const pattern mixed = pattern_of(P, (const int[]){0, 2, -1}, (const int[]){3, -1});
    rico_ring_orbit *rigid = solve_feasible(P, 0.06, PERIOD, &mixed);
    const double exponents[] = {1.0, 1.5}, orders[] = {0.5, 0.4};
    double y[P], v[P];
    rico_ring_orbit_at(rigid, 0.25 * PERIOD, y, v);
    for (int i = 0; i < 2; i++) {
        double before = 0.0;
        for (double k = 1e4; k < 2e6; k *= 10.0) {
            rico_ring_compliant *soft;
            double far = 0.0;
            assert_ok(ctx, rico_ring_compliant_solve(rigid, k, exponents[i], 0.0, &soft));
            for (int n = 0; n < P; n++) far = fmax(far, fabs(soft->quarter[n] - y[n]));
            if (before > 0.0) assert_near(log10(before / far), orders[i], 0.05);
            before = far;
            rico_ring_compliant_destroy(soft);
        }
    }
    rico_ring_orbit_destroy(rigid);
}


static void refusals(void **state)
{
    (void)state;
    const pattern alone = at_start(1, (const int[]){0, -1});
    rico_ring_orbit *rigid = solve_feasible(1, 0.0, 4.0, &alone), *none = solve(1, 0.0, 7.0, &alone);
    rico_ring_compliant *soft;
    assert_int_equal(rico_ring_compliant_solve(rigid, 0.0, 1.0, 0.0, &soft), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_ring_compliant_solve(rigid, 1e3, 0.5, 0.0, &soft), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_ring_compliant_solve(none, 1e3, 1.0, 0.0, &soft), RICO_BAD_ARGUMENT);
    assert_null(soft);

    // so soft that Newton's method falls to the ring at rest, which is not what was asked for
    rico_ring_orbit *tall = solve_feasible(1, 0.0, 3.7, &alone);
    assert_int_equal(rico_ring_compliant_solve(tall, 30.0, 1.0, 0.0, &soft), RICO_SINGULAR);
    rico_ring_orbit_destroy(tall);
    rico_ring_compliant_destroy(NULL);
    rico_ring_orbit_destroy(rigid);
    rico_ring_orbit_destroy(none);
}


static rico_status act(rico_context *context, void *user)
{
    const pattern *of = user;
    rico_ring ring = {2, 0.05, PERIOD, of->of};
    rico_ring_orbit *rigid = NULL;
    rico_ring_compliant *soft = NULL;
    rico_status status = rico_ring_solve(context, &ring, &rigid);
    if (status == RICO_OK) status = rico_ring_compliant_solve(rigid, 100.0, 1.0, 1e-6, &soft);
    rico_ring_compliant_destroy(soft);
    rico_ring_orbit_destroy(rigid);
    return status;
}


static void memory(void **state)
{
    (void)state;
    pattern one = at_start(2, (const int[]){0, -1});
    assert_true(every_allocation_fails(act, &one) > 5);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_particle),
        cmocka_unit_test(stiff_limit),
        cmocka_unit_test(refusals),
        cmocka_unit_test(memory),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
