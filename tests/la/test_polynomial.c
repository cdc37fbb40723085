// Real roots of polynomials built from roots that are known.

#include "support.h"

#include "la/polynomial.h"

#include <float.h>

// c = lead (t - x[0]) ... (t - x[count-1]) (t^2 + 2 p t + p^2 + s^2)^pairs
static int expand(double lead, int count, const double *x, int pairs, double p, double s, double c[5])
{
    int degree = 0;
    c[0] = lead;
    for (int k = 0; k < count; k++) {
        c[++degree] = 0.0;
        for (int i = degree; i > 0; i--) c[i] = c[i - 1] - x[k] * c[i];
        c[0] *= -x[k];
    }
    for (int k = 0; k < pairs; k++) {
        degree += 2;
        c[degree] = c[degree - 1] = 0.0;
        for (int i = degree; i >= 0; i--)
            c[i] = (p * p + s * s) * c[i] + (i > 0 ? 2.0 * p * c[i - 1] : 0.0) + (i > 1 ? c[i - 2] : 0.0);
    }
    return degree;
}


static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}


static void test_known_roots(void **state)
{
    (void)state;
    static const struct {
        int count;
        double x[4];
        int pairs;
    } cases[] = {
        {1, {2.0}, 0},
        {2, {-1.0, 3.0}, 0},
        {3, {-4.0, 0.0, 1.0}, 0},
        {4, {-3.0, -1.0, 0.5, 2.0}, 0},
        {0, {0.0}, 1},
        {1, {1.5}, 1},
        {2, {-2.0, 1.0}, 1},
        {0, {0.0}, 2},
        {2, {1e-8, 1e8}, 0},
        {4, {1.0, 2.0, 3.0, 4.0}, 0},
        {3, {-1e-3, 1.0, 1e3}, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (double lead = -3.0; lead <= 3.0; lead += 6.0) {
            double c[5], roots[4];
            int degree = expand(lead, cases[i].count, cases[i].x, cases[i].pairs, 1.0, 0.5, c);
            assert_int_equal(rico_polynomial_real_roots(degree, c, roots), cases[i].count);
            for (int k = 0; k < cases[i].count; k++)
                assert_near(roots[k], cases[i].x[k], 1e-13 * fabs(cases[i].x[k]));
        }
}


static void test_degenerate(void **state)
{
    (void)state;
    double roots[4];
    assert_int_equal(rico_polynomial_real_roots(4, (double[]){0.0, 0.0, 0.0, 0.0, 0.0}, roots), 0);
    assert_int_equal(rico_polynomial_real_roots(0, (double[]){0.0}, roots), 0);
    assert_int_equal(rico_polynomial_real_roots(3, (double[]){7.0, 0.0, 0.0, 0.0}, roots), 0);

    // a vanishing or minute leading coefficient
    assert_int_equal(rico_polynomial_real_roots(4, (double[]){-6.0, 1.0, 1.0, 0.0, 0.0}, roots), 2);
    assert_near(roots[0], -3.0, 1e-15);
    assert_near(roots[1], 2.0, 1e-15);
    assert_int_equal(rico_polynomial_real_roots(3, (double[]){-6.0, 1.0, 1.0, 1e-200}, roots), 3);
    assert_near(roots[0], -1e200, 1e186);
    assert_near(roots[2], 2.0, 1e-14);

    // roots of even and odd multiplicity
    assert_int_equal(rico_polynomial_real_roots(2, (double[]){1.0, -2.0, 1.0}, roots), 1);
    assert_near(roots[0], 1.0, 1e-15);
    assert_int_equal(rico_polynomial_real_roots(4, (double[]){1.0, 0.0, -2.0, 0.0, 1.0}, roots), 2);
    assert_near(roots[0], -1.0, 1e-15);
    assert_near(roots[1], 1.0, 1e-15);
    assert_int_equal(rico_polynomial_real_roots(4, (double[]){0.0, 0.0, 0.0, 0.0, 5.0}, roots), 1);
    assert_true(roots[0] == 0.0);
    assert_int_equal(rico_polynomial_real_roots(3, (double[]){-8.0, 12.0, -6.0, 1.0}, roots), 1);
    assert_near(roots[0], 2.0, 1e-5);
}


// Random roots, close pairs among them: every one is met by a computed root to what its condition allows, and
// each computed root leaves a value of no more than rounding.
static void test_random_roots(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 1);
    for (int draw = 0; draw < 100000; draw++) {
        double x[4] = {0.0}, c[5], roots[4];
        int count = (int)rico_random_below(&random, 5),
            pairs = count <= 2 && rico_random_below(&random, 2) == 0;
        for (int k = 0; k < count; k++) x[k] = rico_random_normal(&random);
        if (count >= 2 && draw % 3 == 0) x[1] = x[0] + pow(10.0, rico_random_range(&random, -7.0, 0.0));
        qsort(x, (size_t)count, sizeof *x, ascending);
        int degree = expand(rico_random_normal(&random), count, x, pairs, rico_random_normal(&random),
                            0.01 + rico_random_unit(&random), c);
        int found = rico_polynomial_real_roots(degree, c, roots);
        for (int k = 0; k < found; k++) {
            double value = 0.0, size = 0.0;
            for (int i = degree; i >= 0; i--) {
                value = value * roots[k] + c[i];
                size = size * fabs(roots[k]) + fabs(c[i]);
            }
            assert_at_most(fabs(value), 64.0 * DBL_EPSILON * size);
            if (k > 0) assert_true(roots[k] > roots[k - 1]);
        }
        for (int k = 0; k < count; k++) {
            double nearest = INFINITY, slope = 0.0, size = 0.0;
            for (int i = degree; i > 0; i--) slope = slope * x[k] + i * c[i];
            for (int i = degree; i >= 0; i--) size = size * fabs(x[k]) + fabs(c[i]);
            for (int i = 0; i < found; i++) nearest = fmin(nearest, fabs(roots[i] - x[k]));
            // the coefficients are rounded, which moves a root by rounding over slope, a pair by the square root
            double simple = 64.0 * DBL_EPSILON * size / fabs(slope);
            assert_at_most(nearest, simple < 1e-9 ? simple : 1e-3);
        }
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_roots),
        cmocka_unit_test(test_degenerate),
        cmocka_unit_test(test_random_roots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
