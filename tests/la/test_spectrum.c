// Extreme eigenvalues: against known spectra.

#include "matrices.h"

#include "la/dense.h"
#include "la/spectrum.h"

typedef struct grid {
    int64_t n;
    double factor;
    int products;
} grid;


// Second differences: eigenvalues factor (2 - 2 cos(k pi / (n + 1))).
static void second_differences(void *user, const double *x, double *y)
{
    grid *g = user;
    g->products++;
    for (int64_t i = 0; i < g->n; i++) {
        double left = i > 0 ? x[i - 1] : 0.0, right = i + 1 < g->n ? x[i + 1] : 0.0;
        y[i] = g->factor * (2.0 * x[i] - left - right);
    }
}


typedef struct diagonal {
    int64_t n;
    const double *values;
} diagonal;


static void diagonal_times(void *user, const double *x, double *y)
{
    const diagonal *d = user;
    for (int64_t i = 0; i < d->n; i++) y[i] = d->values[i] * x[i];
}


static void break_down(void *user, const double *x, double *y)
{
    diagonal_times(user, x, y);
    y[0] = NAN;
}


static void test_lanczos_finds_known_spectra(void **state)
{
    (void)state;
    limited memory;
    rico_context *ctx = limited_context(&memory);
    const double pi = acos(-1.0);
    const int64_t orders[] = {1, 2, 50, 200};
    for (int trial = 0; trial < 4; trial++) {
        grid g = {orders[trial], 1.0, 0};
        double low = 4.0 * pow(sin(pi / (double)(2 * (g.n + 1))), 2.0), high = 4.0 - low;
        if (g.n == 1) low = high = 2.0;

        // n steps see the whole space
        rico_spectrum spectrum;
        assert_ok(ctx, rico_lanczos(ctx, g.n, second_differences, &g, 1000, 5, &spectrum));
        assert_true(spectrum.exact);
        assert_int_equal(spectrum.iterations, g.n);
        assert_int_equal(g.products, g.n);
        assert_near(spectrum.largest, high, 1e-13);
        assert_near(spectrum.smallest, low, 1e-13);

        // fewer stay inside the spectrum, and get closer
        rico_spectrum rough;
        double gap = INFINITY;
        for (int steps = 1; steps < g.n && steps <= 40; steps += 3) {
            assert_ok(ctx, rico_lanczos(ctx, g.n, second_differences, &g, steps, 5, &rough));
            assert_int_equal(rough.iterations, steps);
            assert_false(rough.exact);
            assert_true(rough.largest <= high + 1e-13 && rough.smallest >= low - 1e-13);
            assert_true(high - rough.largest <= gap + 1e-13);
            gap = high - rough.largest;
        }
        if (g.n >= 50) assert_at_most(gap, 0.05);
    }
    limited_finish(&memory, ctx);
}


// An operator with d different eigenvalues closes the Krylov space after d steps, whatever their multiplicities.
static void test_lanczos_knows_when_it_is_done(void **state)
{
    (void)state;
    limited memory;
    rico_context *ctx = limited_context(&memory);
    double values[300];
    const double levels[] = {-3.0, 0.0, 1.5, 8.0};
    const double scales[] = {1.0, 1e-12, 1e12};
    for (int s = 0; s < 3; s++) {
        for (int i = 0; i < 300; i++) values[i] = levels[i % 4] * scales[s];
        diagonal d = {300, values};
        rico_spectrum spectrum;
        assert_ok(ctx, rico_lanczos(ctx, 300, diagonal_times, &d, 50, 6, &spectrum));
        assert_true(spectrum.exact);
        assert_int_equal(spectrum.iterations, 4);
        assert_near(spectrum.largest, 8.0 * scales[s], 1e-13 * scales[s]);
        assert_near(spectrum.smallest, -3.0 * scales[s], 1e-13 * scales[s]);
    }

    // zero, and nothing
    for (int i = 0; i < 300; i++) values[i] = 0.0;
    diagonal d = {300, values};
    rico_spectrum spectrum;
    assert_ok(ctx, rico_lanczos(ctx, 300, diagonal_times, &d, 50, 6, &spectrum));
    assert_true(spectrum.exact && spectrum.largest == 0.0 && spectrum.smallest == 0.0);
    assert_int_equal(spectrum.iterations, 1);
    assert_ok(ctx, rico_lanczos(ctx, 0, diagonal_times, NULL, 50, 6, &spectrum));
    assert_true(spectrum.exact && spectrum.largest == 0.0 && spectrum.smallest == 0.0);
    assert_int_equal(spectrum.iterations, 0);
    limited_finish(&memory, ctx);
}


// Without reorthogonalization, an isolated eigenvalue would turn up again and again and T be full of its copies. The
// small end of a spectrum over ten orders of magnitude tells: it is found to the precision of the large end.
static void test_lanczos_keeps_its_basis_orthogonal(void **state)
{
    (void)state;
    limited memory;
    rico_context *ctx = limited_context(&memory);
    double values[60];
    for (int i = 0; i < 60; i++) values[i] = pow(10.0, -(double)i / 6.0);
    diagonal d = {60, values};
    rico_spectrum spectrum;
    assert_ok(ctx, rico_lanczos(ctx, 60, diagonal_times, &d, 60, 7, &spectrum));
    assert_near(spectrum.largest, 1.0, 1e-14);
    assert_near(spectrum.smallest, values[59], 1e-14);
    limited_finish(&memory, ctx);
}


static void test_seeds_decide_everything(void **state)
{
    (void)state;
    limited memory;
    rico_context *ctx = limited_context(&memory);
    grid g = {100, 1.0, 0};
    rico_spectrum a, b, c;
    assert_ok(ctx, rico_lanczos(ctx, 100, second_differences, &g, 10, 1, &a));
    assert_ok(ctx, rico_lanczos(ctx, 100, second_differences, &g, 10, 1, &b));
    assert_ok(ctx, rico_lanczos(ctx, 100, second_differences, &g, 10, 2, &c));
    assert_true(a.largest == b.largest && a.smallest == b.smallest);
    assert_true(a.largest != c.largest);
    limited_finish(&memory, ctx);
}


static void test_power_iteration(void **state)
{
    (void)state;
    limited memory;
    rico_context *ctx = limited_context(&memory);
    const double pi = acos(-1.0);
    double found;
    const double factors[] = {1.0, -1.0, 1e150};
    for (int f = 0; f < 3; f++) {
        grid g = {10, factors[f], 0};
        double expected = 4.0 * pow(cos(pi / 22.0), 2.0);
        assert_ok(ctx, rico_power(ctx, 10, second_differences, &g, 100000, 1e-14, 8, &found));
        assert_near(found / factors[f], expected, 1e-10);
        assert_true(g.products < 100000);

        // stopped early, it is inside the spectrum
        g.products = 0;
        assert_ok(ctx, rico_power(ctx, 10, second_differences, &g, 3, 0.0, 8, &found));
        assert_int_equal(g.products, 3);
        assert_true(found / factors[f] < expected && found / factors[f] > 0.0);
    }
    double zero[4] = {0.0};
    diagonal d = {4, zero};
    found = NAN;
    assert_ok(ctx, rico_power(ctx, 4, diagonal_times, &d, 10, 1e-8, 8, &found));
    assert_true(found == 0.0);
    found = NAN;
    assert_ok(ctx, rico_power(ctx, 0, diagonal_times, &d, 10, 1e-8, 8, &found));
    assert_true(found == 0.0);
    limited_finish(&memory, ctx);
}


static void test_failures_are_told(void **state)
{
    (void)state;
    limited memory;
    rico_context *ctx = limited_context(&memory);
    double values[5] = {1.0, 2.0, 3.0, 4.0, 5.0}, found = 42.0;
    diagonal d = {5, values};
    rico_spectrum spectrum = {.largest = 42.0};

    assert_int_equal(rico_lanczos(ctx, 5, diagonal_times, &d, 0, 1, &spectrum), RICO_BAD_ARGUMENT);
    assert_string_equal(rico_message(ctx), "Lanczos: 0 iterations on an operator of order 5");
    assert_int_equal(rico_power(ctx, -5, diagonal_times, &d, 3, 0.0, 1, &found), RICO_BAD_ARGUMENT);
    assert_string_equal(rico_message(ctx), "power iteration: 3 iterations on an operator of order -5");
    assert_int_equal(rico_lanczos(ctx, INT64_MAX / 2, diagonal_times, &d, 9, 1, &spectrum), RICO_NO_MEMORY);
    assert_int_equal(rico_lanczos(ctx, 5, break_down, &d, 3, 1, &spectrum), RICO_BAD_INPUT);
    assert_string_equal(rico_message(ctx), "Lanczos: the operator's product is not finite at iteration 1");
    assert_int_equal(rico_power(ctx, 5, break_down, &d, 3, 0.0, 1, &found), RICO_BAD_INPUT);
    assert_string_equal(rico_message(ctx),
                        "power iteration: the operator's product is not finite at iteration 1");

    for (int what = 0; what < 2; what++) {
        rico_status status = RICO_NO_MEMORY;
        int64_t limit = 0;
        for (; status != RICO_OK && limit < 10; limit++) {
            assert_true(spectrum.largest == 42.0 && found == 42.0);
            memory.left = limit;
            status = what == 0 ? rico_power(ctx, 5, diagonal_times, &d, 3, 0.0, 1, &found)
                               : rico_lanczos(ctx, 5, diagonal_times, &d, 3, 1, &spectrum);
            memory.left = INT64_MAX;
            assert_true(status == RICO_OK || status == RICO_NO_MEMORY);
            assert_int_equal(memory.live, 1);
        }
        assert_true(status == RICO_OK && limit > 2);
        found = 42.0;
    }
    limited_finish(&memory, ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lanczos_finds_known_spectra),
        cmocka_unit_test(test_lanczos_knows_when_it_is_done),
        cmocka_unit_test(test_lanczos_keeps_its_basis_orthogonal),
        cmocka_unit_test(test_seeds_decide_everything),
        cmocka_unit_test(test_power_iteration),
        cmocka_unit_test(test_failures_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
