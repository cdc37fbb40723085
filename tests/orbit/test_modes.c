// Orbits of k impacts per period of two masses and of others: the numbers of theory, and properties of the equations.

#include "orbit/modes.h"
#include "support.h"

static const double PI = 3.14159265358979323846;

// Two masses, M = I, wall on the right of the second.
static rico_modes *two_masses(rico_context *ctx, double g0)
{
    const double M[] = {1, 0, 0, 1}, K[] = {2, -1, -1, 1}, w[] = {0, -1};
    rico_modes *modes;
    assert_ok(ctx, rico_modes_create(ctx, 2, M, K, w, g0, &modes));
    return modes;
}


static double trace(const rico_modes *modes, const rico_modes_orbit *orbit)
{
    int64_t size = 2 * rico_modes_count(modes);
    double *a = calloc((size_t)(size * size), sizeof *a), sum = 0.0;
    assert_ok(modes->ctx, rico_modes_monodromy(modes, orbit, a));
    for (int64_t i = 0; i < size; i++) sum += a[i + size * i];
    free(a);
    return sum;
}


static void test_linear_modes(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_modes *modes = two_masses(ctx, 1.0);
    const double *omega = rico_modes_frequencies(modes);
    assert_near(omega[0], (sqrt(5.0) - 1.0) / 2.0, 1e-14);
    assert_near(omega[1], (sqrt(5.0) + 1.0) / 2.0, 1e-14);
    assert_near(2.0 * PI / omega[0], 10.16640738, 5e-9);
    assert_near(2.0 * PI / omega[1], 3.88322208, 5e-9);
    assert_near(rico_modes_grazing_energy(modes, 0), 0.26393202, 5e-9);
    assert_near(rico_modes_grazing_energy(modes, 1), 4.73606798, 5e-9);
    rico_modes_destroy(modes);
    rico_context_destroy(ctx);
}


static void test_one_impact(void **state)
{
    (void)state;
    static const struct {
        double T, p, E, trace;
    } EXPECTED[] = {{9.0, 0.66750455, 0.34579761, 0.06776439},   {7.0, 1.94720121, 0.88619927, 2.93837003},
                    {8.0, 3.41167746, 14.13247979, -3.19237866}, {10.0, NAN, 0.26395873, 1.79603153},
                    {7.5, NAN, 1.06278968, 6.96717915},          {6.0, NAN, 3.99909765, NAN}};
    rico_context *ctx = rico_context_create(NULL);
    rico_modes *modes = two_masses(ctx, 1.0);
    for (size_t i = 0; i < sizeof EXPECTED / sizeof *EXPECTED; i++) {
        rico_modes_orbit orbit;
        assert_ok(ctx, rico_modes_one(modes, EXPECTED[i].T, &orbit));
        if (!isnan(EXPECTED[i].p)) assert_near(orbit.impulse[0], EXPECTED[i].p, 6e-9);
        assert_near(orbit.energy, EXPECTED[i].E, 6e-9);
        if (!isnan(EXPECTED[i].trace)) assert_near(trace(modes, &orbit), EXPECTED[i].trace, 6e-9);
        assert_true(orbit.admissible);
    }
    rico_modes_destroy(modes);
    rico_context_destroy(ctx);
}


// Admissible periods, read off a scan with steps of 0.005; three of the ends are linear modes.
static void test_ranges(void **state)
{
    (void)state;
    static const double LOW[] = {3.54, 5.30, 7.99, 18.35}, HIGH[] = {3.883, 7.766, 10.166, 19.416};
    rico_context *ctx = rico_context_create(NULL);
    rico_modes *modes = two_masses(ctx, 1.0);
    rico_modes_range range[16];
    int64_t count;
    assert_ok(ctx, rico_modes_ranges(modes, 0.5, 20.0, 0.01, 16, range, &count));
    for (int64_t i = 0; i < count; i++)
        printf("%.12f %s  %.12f %s\n", range[i].low, rico_modes_end_name(range[i].low_end), range[i].high,
               rico_modes_end_name(range[i].high_end));
    assert_int_equal(count, 4);
    for (int64_t i = 0; i < count; i++) {
        assert_near(range[i].low, LOW[i], 0.0055);
        assert_near(range[i].high, HIGH[i], 0.0055);
    }
    rico_modes_destroy(modes);
    rico_context_destroy(ctx);
}


static void test_two_impacts(void **state)
{
    (void)state;
    static const struct {
        double T, s, p, E;
    } EXPECTED[] = {{8.0, 1.4932235945, 1.8172204557, 4.1163811086},
                    {16.0, 6.5910985331, 2.1678080949, 1.9724903943}};
    rico_context *ctx = rico_context_create(NULL);
    rico_modes *modes = two_masses(ctx, 1.0);
    for (int i = 0; i < 2; i++) {
        double s[8];
        int64_t count;
        bool met = false;
        assert_ok(ctx, rico_modes_pairs(modes, EXPECTED[i].T, 8, s, &count));
        for (int64_t c = 0; c < count; c++) {
            rico_modes_orbit orbit;
            double durations[2] = {s[c], EXPECTED[i].T - s[c]};
            assert_ok(ctx, rico_modes_at(modes, 2, durations, &orbit));
            assert_near(orbit.impulse[0], orbit.impulse[1], 1e-11);
            printf("T %g s %.10f E %.10f p %.10f admissible %d\n", EXPECTED[i].T, s[c], orbit.energy,
                   orbit.impulse[0], orbit.admissible);
            if (fabs(s[c] - EXPECTED[i].s) > 6e-11) continue;
            met = true;
            assert_near(orbit.impulse[0], EXPECTED[i].p, 6e-11);
            assert_near(orbit.energy, EXPECTED[i].E, 6e-11);
            assert_true(orbit.admissible);
        }
        assert_true(met);
    }
    rico_modes_destroy(modes);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear_modes),
        cmocka_unit_test(test_one_impact),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_two_impacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
