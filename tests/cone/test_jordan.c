// The Jordan algebra: spectrum, square root, inverse, Nesterov-Todd scaling, step to the boundary.

#include "support.h"

#include "law.h"

#include "cone/jordan.h"

typedef long double wide;


// x_N^2 - |x_T|^2 of the stored doubles, in long double and factored.
static wide wide_det(const double x[3])
{
    bool first = fabs(x[1]) > fabs(x[2]);
    wide large = first ? x[1] : x[2], small = first ? x[2] : x[1];
    return ((wide)x[0] - large) * ((wide)x[0] + large) - small * small;
}


// A point of int L with x_N = (1 + gap) |x_T|, of random size and direction.
static void interior(rico_random *random, double gap, double x[3])
{
    double unit[2], size = pow(10.0, rico_random_range(random, -6.0, 6.0));
    random_unit(random, unit);
    x[1] = size * unit[0];
    x[2] = size * unit[1];
    x[0] = hypot(x[1], x[2]) * (1.0 + gap);
}


static void multiply(const double A[9], const double x[3], double y[3])
{
    for (int i = 0; i < 3; i++) y[i] = A[3 * i] * x[0] + A[3 * i + 1] * x[1] + A[3 * i + 2] * x[2];
}


static void assert_near3(const double x[3], const double y[3], double bound)
{
    for (int i = 0; i < 3; i++) assert_near(x[i], y[i], bound);
}


static void test_product_and_matrices(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 1);
    for (int n = 0; n < 100000; n++) {
        double x[3], y[3], xy[3], yx[3], A[9], Q[9], z[3], square[3], twice[3], square_y[3];
        for (int i = 0; i < 3; i++) {
            x[i] = rico_random_normal(&random);
            y[i] = rico_random_normal(&random);
        }
        double size = norm3(x) * norm3(y);

        rico_jordan_product(x, y, xy);
        rico_jordan_product(y, x, yx);
        assert_near3(xy, yx, 1e-15 * size);
        assert_near(xy[0], x[0] * y[0] + x[1] * y[1] + x[2] * y[2], 1e-15 * size);
        assert_near(xy[2], x[0] * y[2] + y[0] * x[2], 1e-15 * size);
        rico_jordan_arrow(x, A);
        multiply(A, y, z);
        assert_near3(z, xy, 1e-15 * size);
        rico_jordan_product(x, (double[3]){1, 0, 0}, z);
        assert_near3(z, x, 0.0);

        // Q(x) y = 2 x.(x.y) - x^2.y, from its definition
        rico_jordan_product(x, xy, twice);
        rico_jordan_product(x, x, square);
        rico_jordan_product(square, y, square_y);
        rico_jordan_quadratic(x, Q);
        multiply(Q, y, z);
        for (int i = 0; i < 3; i++) assert_near(z[i], 2.0 * twice[i] - square_y[i], 1e-14 * norm3(x) * size);

        // the product may overwrite a factor
        memcpy(z, x, sizeof x);
        rico_jordan_product(z, y, z);
        assert_memory_equal(z, xy, sizeof z);
    }
}


static void test_spectrum(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 2);
    for (int n = 0; n < 100000; n++) {
        double x[3], lambda[2], c[2][3], z[3], square[3];
        random_vector(&random, -3.0, 3.0, 3, x);
        rico_jordan_spectrum(x, lambda, c);
        assert_true(lambda[0] <= lambda[1]);
        for (int i = 0; i < 3; i++)
            assert_near(lambda[0] * c[0][i] + lambda[1] * c[1][i], x[i], 1e-15 * norm3(x));
        assert_near(lambda[0] * lambda[1], rico_jordan_det(x), 2e-15 * fabs(rico_jordan_det(x)));
        assert_near(lambda[0] + lambda[1], 2.0 * x[0], 1e-15 * norm3(x));

        // idempotents, orthogonal, that sum to the unit
        for (int i = 0; i < 2; i++) {
            rico_jordan_product(c[i], c[i], z);
            assert_near3(z, c[i], 1e-15);
        }
        rico_jordan_product(c[0], c[1], z);
        assert_near3(z, (double[3]){0, 0, 0}, 1e-15);
        for (int i = 0; i < 3; i++) assert_near(c[0][i] + c[1][i], i == 0 ? 1.0 : 0.0, 0.0);

        // squares through the spectrum
        rico_jordan_product(x, x, square);
        for (int i = 0; i < 3; i++)
            assert_near(square[i], lambda[0] * lambda[0] * c[0][i] + lambda[1] * lambda[1] * c[1][i],
                        2e-15 * norm3(x) * norm3(x));
    }
    double lambda[2], c[2][3];
    rico_jordan_spectrum((double[3]){0, 0, 0}, lambda, c);
    assert_true(lambda[0] == 0.0 && lambda[1] == 0.0 && c[0][0] == 0.5 && c[1][0] == 0.5);
}


// Near the boundary, where x_N - |x_T| has lost its digits, against long double as far as that reaches.
static void test_determinant_keeps_its_digits(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 3);
    for (int n = 0; n < 100000; n++) {
        double x[3], lambda[2], c[2][3];
        interior(&random, pow(10.0, rico_random_range(&random, -14.0, 2.0)), x);
        double exact = (double)wide_det(x), wide_error = 1e-19 * x[0] * x[0];
        assert_near(rico_jordan_det(x), exact, 3e-16 * exact + wide_error);
        rico_jordan_spectrum(x, lambda, c);
        assert_near(lambda[0] * lambda[1], exact, 2e-15 * exact + wide_error);
    }

    // (5 + e)^2 - 3^2 - 4^2 = 10 e + e^2; squares out of the range of double
    double e = 0x1p-50;
    assert_near(rico_jordan_det((double[3]){5.0 + e, 3.0, 4.0}), 10.0 * e, 1e-14 * e);
    double lambda[2], c[2][3];
    rico_jordan_spectrum((double[3]){5e200, 3e200, 3e200}, lambda, c);
    assert_near(lambda[0] / 1e200, 5.0 - sqrt(18.0), 1e-15);
    rico_jordan_spectrum((double[3]){-5e-200, 3e-200, -4e-200}, lambda, c);
    assert_near(lambda[0] * 1e200, -10.0, 1e-14);
}


static void test_square_root_and_inverse(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 4);
    for (int n = 0; n < 100000; n++) {
        double x[3], root[3], square[3], inv[3], unit[3], opposite_inv[3];
        interior(&random, pow(10.0, rico_random_range(&random, -14.0, 2.0)), x);

        rico_jordan_sqrt(x, root);
        rico_jordan_product(root, root, square);
        assert_near3(square, x, 1e-15 * norm3(x));
        assert_true(hypot(root[1], root[2]) <= root[0] * (1.0 + 1e-15));

        rico_jordan_inverse(x, inv);
        rico_jordan_product(x, inv, unit);
        assert_near3(unit, (double[3]){1, 0, 0}, 2e-15 * norm3(x) * norm3(inv));
        assert_near(inv[0], x[0] / rico_jordan_det(x), 2e-15 * inv[0]);

        // of -int L as well
        rico_jordan_inverse((double[3]){-x[0], -x[1], -x[2]}, opposite_inv);
        for (int i = 0; i < 3; i++) assert_near(opposite_inv[i], -inv[i], 2e-15 * norm3(inv));
    }

    // boundary and apex
    double root[3], s = sqrt(2.5);
    rico_jordan_sqrt((double[3]){0, 0, 0}, root);
    assert_near3(root, (double[3]){0, 0, 0}, 0.0);
    rico_jordan_sqrt((double[3]){5, 3, -4}, root);
    assert_near3(root, (double[3]){s, 1.5 / s, -2.0 / s}, 1e-15);
}


// Q(w) s = x with w in int L, held against the size of the terms that make up Q(w) s.
static void check_scaling(const double x[3], const double s[3])
{
    double w[3], w_sqrt[3], square[3];
    rico_jordan_nesterov_todd(x, s, w, w_sqrt);
    assert_true(w[0] > 0.0 && w_sqrt[0] > 0.0);
    rico_jordan_product(w_sqrt, w_sqrt, square);
    assert_near3(square, w, 2e-15 * norm3(w));

    wide dot = (wide)w[0] * s[0] + (wide)w[1] * s[1] + (wide)w[2] * s[2], det = wide_det(w);
    double terms = norm3(w) * norm3(w) * norm3(s);
    for (int i = 0; i < 3; i++) {
        wide image = 2.0L * w[i] * dot - det * (i == 0 ? s[i] : -s[i]);
        assert_near((double)image, x[i], 4e-15 * (norm3(x) + terms));
    }

    // the scaled points coincide: Q(w_sqrt) s = Q(w_sqrt^-1) x
    double Q[9], inverse[3], Q_inverse[9], scaled_s[3], scaled_x[3];
    rico_jordan_quadratic(w_sqrt, Q);
    rico_jordan_inverse(w_sqrt, inverse);
    rico_jordan_quadratic(inverse, Q_inverse);
    multiply(Q, s, scaled_s);
    multiply(Q_inverse, x, scaled_x);
    // the rounding of w_sqrt changes its inverse by its condition
    double condition = norm3(w_sqrt) * norm3(inverse);
    double room = norm3(w) * norm3(s) + condition * norm3(inverse) * norm3(inverse) * norm3(x);
    assert_near3(scaled_x, scaled_s, 1e-14 * room);
}


// The scaling point of the stored doubles, computed in long double.
static void wide_scaling(const double x[3], const double s[3], wide w[3])
{
    wide x_root = sqrtl(wide_det(x)), s_root = sqrtl(wide_det(s));
    wide dot = ((wide)x[0] * s[0] + (wide)x[1] * s[1] + (wide)x[2] * s[2]) / x_root / s_root;
    for (int i = 0; i < 3; i++) {
        wide sum = x[i] / x_root + (i == 0 ? s[i] : -s[i]) / s_root;
        w[i] = sqrtl(x_root / s_root) * sum / sqrtl(2.0L * (1.0L + dot));
    }
}


static void test_nesterov_todd(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 5);
    for (int n = 0; n < 50000; n++) {
        double x[3], s[3], w[3], w_sqrt[3];

        // comfortable points
        interior(&random, pow(10.0, rico_random_range(&random, -1.0, 1.0)), x);
        interior(&random, pow(10.0, rico_random_range(&random, -1.0, 1.0)), s);
        check_scaling(x, s);

        // anything inside, however close to the boundary
        double gap = pow(10.0, rico_random_range(&random, -12.0, 0.0));
        interior(&random, gap, x);
        interior(&random, pow(10.0, rico_random_range(&random, -12.0, 0.0)), s);
        check_scaling(x, s);

        // near complementarity, as at the end of an interior-point method: for s = tau x^-1, w = x / sqrt(tau);
        // the rounding of s moves its small spectral value by epsilon/gap
        double tau = pow(10.0, rico_random_range(&random, -10.0, 2.0));
        rico_jordan_inverse(x, s);
        for (int i = 0; i < 3; i++) s[i] *= tau;
        check_scaling(x, s);
        rico_jordan_nesterov_todd(x, s, w, w_sqrt);
        double bound = (1e-14 + 1e-15 / gap) * norm3(x) / sqrt(tau);
        for (int i = 0; i < 3; i++) assert_near(w[i], x[i] / sqrt(tau), bound);

        // but for given x and s no digit is lost, as far as long double can tell
        wide exact[3];
        wide_scaling(x, s, exact);
        for (int i = 0; i < 3; i++) assert_near(w[i], (double)exact[i], (4e-15 + 4e-19 / gap) * norm3(w));
    }

    // a known pair, then the same with determinants out of the range of double
    double w[3], w_sqrt[3];
    rico_jordan_nesterov_todd((double[3]){2, 1, 0}, (double[3]){2, 1, 0}, w, w_sqrt);
    assert_near3(w, (double[3]){1, 0, 0}, 1e-15);
    rico_jordan_nesterov_todd((double[3]){2e180, 1e180, 0}, (double[3]){2e-180, 1e-180, 0}, w, w_sqrt);
    assert_near(w[0] / 1e180, 1.0, 1e-14);
    assert_near(w[1] / 1e180, 0.0, 1e-14);
}


// The small spectral value of x + t d: nonnegative in L, concave in t.
static wide margin(const double x[3], const double d[3], wide t)
{
    wide a = x[0] + t * d[0], b = x[1] + t * d[1], c = x[2] + t * d[2];
    return a - sqrtl(b * b + c * c);
}


static void test_step(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 6);
    int limited = 0, inner = 0;
    for (int n = 0; n < 100000; n++) {
        double x[3], d[3];
        interior(&random, pow(10.0, rico_random_range(&random, -8.0, 1.0)), x);
        random_vector(&random, -3.0, 3.0, 3, d);
        double scale = norm3(x) / (norm3(d) + 1e-300);
        for (int i = 0; i < 3; i++) d[i] *= scale;

        double t = rico_jordan_step(x, d, 1.0);
        wide round_off = 4e-16L * (norm3(x) + t * norm3(d));
        assert_true(t >= 0.0 && t <= 1.0);
        assert_true(margin(x, d, t) >= -round_off);
        if (t == 1.0) {
            limited++;
            continue;
        }
        // on the boundary, and nothing further along is inside
        inner++;
        assert_true(margin(x, d, t) <= round_off);
        for (int k = 1; k <= 3; k++) assert_true(margin(x, d, t + 0.3L * k * (1.0L - t)) <= round_off);
    }
    assert_true(limited > 10000 && inner > 10000);

    // from the surface, the apex, along a generatrix; d in the cone; far sizes
    static const struct {
        double x[3], d[3], expected;
    } cases[] = {
        {{5, 3, 4}, {-5, -3, -4}, 1.0}, {{5, 3, 4}, {0, 1, 0}, 0.0},  {{5, 3, 4}, {0, 4, -3}, 0.0},
        {{5, 3, 4}, {0, -1, 0}, 6.0},   {{0, 0, 0}, {-1, 0, 0}, 0.0}, {{0, 0, 0}, {1, 2, 0}, 0.0},
        {{0, 0, 0}, {5, 3, 4}, 10.0},   {{1, 0, 0}, {-1, 0, 0}, 1.0}, {{1, 0, 0}, {0, 0, 0}, 10.0},
        {{1, 0, 0}, {-1, 1, 0}, 0.5},   {{5, 3, 4}, {5, 3, 4}, 10.0}, {{1, 0, 0}, {0, 0, 0.05}, 10.0},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++)
        assert_near(rico_jordan_step(cases[n].x, cases[n].d, 10.0), cases[n].expected, 1e-14);
    assert_near(rico_jordan_step((double[3]){1e200, 0, 0}, (double[3]){-1e200, 1e200, 0}, 10.0), 0.5, 1e-15);
    assert_near(rico_jordan_step((double[3]){1e-200, 0, 0}, (double[3]){-1e200, 1e200, 0}, 10.0), 0.0,
                1e-300);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_product_and_matrices),
        cmocka_unit_test(test_spectrum),
        cmocka_unit_test(test_determinant_keeps_its_digits),
        cmocka_unit_test(test_square_root_and_inverse),
        cmocka_unit_test(test_nesterov_todd),
        cmocka_unit_test(test_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
