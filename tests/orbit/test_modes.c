// Orbits of k impacts per period of two masses and of others: the numbers of theory, and properties of the equations.

#include "failing_memory.h"
#include "orbit/modes.h"

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
    assert_int_equal(count, 4);
    for (int64_t i = 0; i < count; i++) {
        assert_near(range[i].low, LOW[i], 0.0055);
        assert_near(range[i].high, HIGH[i], 0.0055);
        assert_int_equal(range[i].high_end, RICO_MODES_END_GRAZING);
    }
    assert_near(range[0].high, 2.0 * PI / rico_modes_frequencies(modes)[1], 1e-9);
    assert_near(range[1].high, 4.0 * PI / rico_modes_frequencies(modes)[1], 1e-9);
    assert_near(range[2].high, 2.0 * PI / rico_modes_frequencies(modes)[0], 1e-9);
    assert_near(range[3].high, 10.0 * PI / rico_modes_frequencies(modes)[1], 1e-9);
    // the energy grows without bound where Sigma vanishes
    for (int i = 0; i < 2; i++) {
        double Sigma, Pi;
        assert_int_equal(range[i].low_end, RICO_MODES_END_ENERGY);
        assert_ok(ctx, rico_modes_matrices(modes, 1, &range[i].low, &Sigma, &Pi));
        assert_near(Sigma, 0.0, 1e-9);
        assert_int_equal(range[i + 2].low_end, RICO_MODES_END_TOUCH);
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


static rico_modes *random_system(rico_context *ctx, rico_random *random, int64_t n, double scale)
{
    double M[36], K[36], a[36] = {0.0}, c[36] = {0.0}, w[6];
    for (int64_t i = 0; i < n * n; i++) {
        a[i] = rico_random_normal(random);
        c[i] = rico_random_normal(random);
    }
    for (int64_t i = 0; i < n; i++) {
        w[i] = rico_random_normal(random);
        for (int64_t j = 0; j < n; j++) {
            M[i + n * j] = K[i + n * j] = i == j ? 1.0 : 0.0;
            for (int64_t k = 0; k < n; k++) {
                M[i + n * j] += a[i + n * k] * a[j + n * k];
                K[i + n * j] += c[i + n * k] * c[j + n * k];
            }
        }
    }
    rico_modes *modes;
    assert_ok(ctx, rico_modes_create(ctx, n, M, K, w, scale, &modes));
    return modes;
}


// C6: an impact is a reflection that keeps the energy; Pi is skew, Sigma symmetric; an orbit told twice is an orbit.
static void test_reduced_equations(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random random;
    rico_random_seed(&random, 7);
    for (int trial = 0; trial < 60; trial++) {
        int64_t n = 1 + trial % 6, k = 1 + trial % 4;
        rico_modes *modes = random_system(ctx, &random, n, 0.5);
        double v[6], once[6], s[8], Sigma[64], Pi[64], square = 0.0, after = 0.0;
        for (int64_t i = 0; i < n; i++) once[i] = v[i] = rico_random_normal(&random);
        rico_modes_reflect(modes, once);
        for (int64_t i = 0; i < n; i++) {
            square += v[i] * v[i];
            after += once[i] * once[i];
        }
        assert_near(after, square, 1e-12 * square);
        rico_modes_reflect(modes, once);
        for (int64_t i = 0; i < n; i++) assert_near(once[i], v[i], 1e-13 * sqrt(square));

        for (int64_t i = 0; i < k; i++) s[i] = s[i + k] = 0.3 + rico_random_unit(&random);
        assert_ok(ctx, rico_modes_matrices(modes, 2 * k, s, Sigma, Pi));
        double size = 0.0;
        for (int64_t i = 0; i < 4 * k * k; i++) size = fmax(size, fabs(Sigma[i]) + fabs(Pi[i]));
        for (int64_t i = 0; i < 2 * k; i++)
            for (int64_t l = 0; l < 2 * k; l++) {
                assert_near(Sigma[l + 2 * k * i], Sigma[i + 2 * k * l], 1e-12 * size);
                assert_near(Pi[l + 2 * k * i], -Pi[i + 2 * k * l], 1e-12 * size);
            }
        // the sums of repeated columns are the matrices of one round
        double one[64], two[64];
        assert_ok(ctx, rico_modes_matrices(modes, k, s, one, two));
        for (int64_t i = 0; i < k; i++)
            for (int64_t l = 0; l < k; l++) {
                double bound = 1e-11 * (size + fabs(one[l + k * i]) + fabs(two[l + k * i]));
                assert_near(Sigma[l + 2 * k * i] + Sigma[l + 2 * k * (i + k)], one[l + k * i], bound);
                assert_near(Pi[l + 2 * k * i] + Pi[l + 2 * k * (i + k)], two[l + k * i], bound);
            }
        rico_modes_destroy(modes);
    }
    rico_context_destroy(ctx);
}


// The derivative of F = Pi p against differences: k - 1 of its rows drive Newton's method.
static void test_derivative(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random random;
    rico_random_seed(&random, 11);
    for (int trial = 0; trial < 20; trial++) {
        int64_t k = 2 + trial % 3;
        rico_modes *modes = random_system(ctx, &random, 3, 1.0);
        double s[4], p[4], F[4], J[16], up[4], down[4], orthogonal = 0.0, size = 0.0, h = 1e-6;
        for (int64_t i = 0; i < k; i++) s[i] = 0.5 + rico_random_unit(&random);
        assert_ok(ctx, rico_modes_elastic(modes, k, s, p, F, J));
        for (int64_t i = 0; i < k; i++) {
            orthogonal += p[i] * F[i];
            size += fabs(p[i]) * fabs(F[i]);
        }
        assert_near(orthogonal, 0.0, 1e-10 * size);
        for (int64_t m = 0; m < k; m++) {
            double kept = s[m], scale = 0.0;
            s[m] = kept + h;
            assert_ok(ctx, rico_modes_elastic(modes, k, s, p, up, NULL));
            s[m] = kept - h;
            assert_ok(ctx, rico_modes_elastic(modes, k, s, p, down, NULL));
            s[m] = kept;
            for (int64_t l = 0; l < k; l++) scale = fmax(scale, fabs(J[l + k * m]) + fabs(F[l]));
            for (int64_t l = 0; l < k; l++)
                assert_near((up[l] - down[l]) / (2.0 * h), J[l + k * m], 1e-4 * (1.0 + scale));
        }
        rico_modes_destroy(modes);
    }
    rico_context_destroy(ctx);
}


// C10: twice the gap, twice the motion, four times the energy, the same periods. And one mass, whose backbone is known.
static void test_scaling(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_modes *modes = two_masses(ctx, 1.0), *twice = two_masses(ctx, 2.0), *one;
    for (double T = 5.4; T < 7.7; T += 0.3) {
        rico_modes_orbit a, b;
        assert_ok(ctx, rico_modes_one(modes, T, &a));
        assert_ok(ctx, rico_modes_one(twice, T, &b));
        assert_near(b.impulse[0], 2.0 * a.impulse[0], 1e-12 * b.impulse[0]);
        assert_near(b.energy, 4.0 * a.energy, 1e-12 * b.energy);
    }
    rico_modes_destroy(modes);
    rico_modes_destroy(twice);
    const double m = 2.0, k = 18.0, w = -1.0, g0 = 0.5, omega = 3.0;
    assert_ok(ctx, rico_modes_create(ctx, 1, &m, &k, &w, g0, &one));
    for (double part = 0.55; part < 1.0; part += 0.1) {
        rico_modes_orbit orbit;
        double T = 2.0 * PI * part / omega, rate, c = cos(0.5 * omega * T);
        assert_ok(ctx, rico_modes_one(one, T, &orbit));
        assert_true(orbit.admissible);
        assert_near(orbit.energy, k * g0 * g0 / (2.0 * c * c), 1e-11 * orbit.energy);
        rico_modes_gap(one, &orbit, 0.0, NULL, &rate);
        assert_near(-rate, g0 * omega * tan(0.5 * omega * T), 1e-11 * rate);
    }
    rico_modes_destroy(one);
    rico_context_destroy(ctx);
}


static void test_refusals(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    const double M[] = {1, 0, 0, 1}, K[] = {2, -1, -1, 1}, loose[] = {1, -1, -1, 1}, skew[] = {2, -1, 0, 1};
    const double w[] = {0, -1}, none[] = {0, 0}, omega[] = {2, 1};
    rico_modes *modes;
    assert_int_equal(rico_modes_create(ctx, 2, M, loose, w, 1.0, &modes), RICO_SINGULAR);
    assert_int_equal(rico_modes_create(ctx, 2, loose, K, w, 1.0, &modes), RICO_SINGULAR);
    assert_int_equal(rico_modes_create(ctx, 2, M, skew, w, 1.0, &modes), RICO_BAD_INPUT);
    assert_int_equal(rico_modes_create(ctx, 2, M, K, none, 1.0, &modes), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_modes_create(ctx, 2, M, K, w, 0.0, &modes), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_modes_create_spectral(ctx, 2, omega, w, 1.0, &modes), RICO_BAD_ARGUMENT);
    modes = two_masses(ctx, 1.0);
    rico_modes_orbit orbit;
    double s[2] = {1.0, -1.0};
    int64_t count;
    assert_int_equal(rico_modes_at(modes, 2, s, &orbit), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_modes_at(modes, 17, s, &orbit), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_modes_one(modes, 2.0 * PI / rico_modes_frequencies(modes)[0], &orbit),
                     RICO_SINGULAR);
    assert_int_equal(rico_modes_pairs(modes, -1.0, 2, s, &count), RICO_BAD_ARGUMENT);
    rico_modes_destroy(modes);
    rico_context_destroy(ctx);
}


static rico_status build_and_ask(rico_context *ctx, void *user)
{
    (void)user;
    const double M[] = {1, 0, 0, 1}, K[] = {2, -1, -1, 1}, w[] = {0, -1};
    rico_modes *modes;
    rico_modes_orbit orbit;
    rico_modes_stick stick;
    double u[4], v[4];
    int64_t count;
    rico_status status = rico_modes_create(ctx, 2, M, K, w, 1.0, &modes);
    if (status != RICO_OK) return status;
    status = rico_modes_one(modes, 9.0, &orbit);
    if (status == RICO_OK) status = rico_modes_state(modes, &orbit, 0.0, u, v);
    if (status == RICO_OK) status = rico_modes_multipliers(modes, &orbit, u, v);
    if (status == RICO_OK) status = rico_modes_sticks(modes, 7.0, 20, 1, &stick, &count);
    rico_modes_destroy(modes);
    return status;
}


static void test_no_memory(void **state)
{
    (void)state;
    assert_true(every_allocation_fails(build_and_ask, NULL) > 10);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear_modes),
        cmocka_unit_test(test_one_impact),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_two_impacts),
        cmocka_unit_test(test_reduced_equations),
        cmocka_unit_test(test_derivative),
        cmocka_unit_test(test_scaling),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
