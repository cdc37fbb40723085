// Dense kernels against naive computations and known spectra.

#include "matrices.h"

#include "la/dense.h"


enum { MOST = 40 };

static void test_vectors(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 31);
    for (int64_t n = 0; n <= 20; n++) {
        double x[20], y[20], z[20], dot = 0.0, square = 0.0, largest = 0.0;
        random_vector(&random, 20, x);
        random_vector(&random, 20, y);
        memcpy(z, y, sizeof z);
        for (int64_t i = 0; i < n; i++) {
            dot += x[i] * y[i];
            square += x[i] * x[i];
            largest = fmax(largest, fabs(x[i]));
        }
        assert_near(rico_dot(n, x, y), dot, 1e-13);
        assert_near(rico_norm(n, x), sqrt(square), 1e-13);
        assert_true(rico_norm_inf(n, x) == largest);
        rico_axpy(n, -2.5, x, y);
        for (int64_t i = 0; i < 20; i++) assert_true(y[i] == (i < n ? z[i] + -2.5 * x[i] : z[i]));
        assert_true(rico_all_finite(n, x));
    }
}


// Norms beyond the range of squares, and numbers that are none.
static void test_extreme_values(void **state)
{
    (void)state;
    const double huge[] = {3e200, -4e200}, tiny[] = {3e-200, 4e-200}, tiniest[] = {0.0, 5e-324, 0.0};
    assert_near(rico_norm(2, huge) / 5e200, 1.0, 1e-15);
    assert_near(rico_norm(2, tiny) / 5e-200, 1.0, 1e-15);
    assert_true(rico_norm(3, tiniest) == 5e-324);
    assert_true(rico_norm(0, NULL) == 0.0);

    double x[9] = {0.0};
    for (int i = 0; i < 9; i++) {
        const double bad[] = {NAN, INFINITY, -INFINITY};
        for (int b = 0; b < 3; b++) {
            x[i] = bad[b];
            assert_false(rico_all_finite(9, x));
            assert_true(b == 0 ? isnan(rico_norm(9, x)) : rico_norm(9, x) == INFINITY);
            assert_true(b == 0 ? isnan(rico_norm_inf(9, x)) : rico_norm_inf(9, x) == INFINITY);
        }
        x[i] = -0.0;
        assert_true(rico_all_finite(9, x));
    }
    x[2] = INFINITY;
    x[5] = NAN;
    assert_true(isnan(rico_norm_inf(9, x)));
}


static void test_products(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 32);
    for (int trial = 0; trial < 30; trial++) {
        int64_t m = rico_random_below(&random, MOST), n = rico_random_below(&random, MOST);
        double a[MOST * MOST], x[MOST], y[MOST], old[MOST], z[MOST];
        random_vector(&random, MOST * MOST, a);
        random_vector(&random, MOST, x);
        random_vector(&random, MOST, old);
        memcpy(y, old, sizeof y);
        memcpy(z, old, sizeof z);
        rico_dense_times(m, n, 2.0, a, x, -1.0, y);
        rico_dense_transpose_times(m, n, 0.5, a, x, 3.0, z);
        for (int64_t i = 0; i < m; i++) {
            double sum = -old[i];
            for (int64_t j = 0; j < n; j++) sum += 2.0 * a[i + j * m] * x[j];
            assert_near(y[i], sum, 1e-12);
        }
        for (int64_t j = 0; j < n; j++) {
            double sum = 3.0 * old[j];
            for (int64_t i = 0; i < m; i++) sum += 0.5 * a[i + j * m] * x[i];
            assert_near(z[j], sum, 1e-12);
        }
        // beta = 0 does not look at y
        for (int i = 0; i < MOST; i++) y[i] = z[i] = NAN;
        rico_dense_times(m, n, 1.0, a, x, 0.0, y);
        rico_dense_transpose_times(m, n, 1.0, a, x, 0.0, z);
        assert_true(rico_all_finite(m, y) && rico_all_finite(n, z));
        assert_true(isnan(y[m]) && isnan(z[n]));
    }
}


// B'B + 1 for a random B.
static void random_definite(rico_random *random, int64_t n, double *a)
{
    double b[MOST * MOST];
    random_vector(random, n * n, b);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            a[i + j * n] = i == j ? 1.0 : 0.0;
            for (int64_t k = 0; k < n; k++) a[i + j * n] += b[k + i * n] * b[k + j * n];
        }
}


static double residual(int64_t n, const double *a, const double *x, const double *b)
{
    double worst = 0.0;
    for (int64_t i = 0; i < n; i++) {
        double sum = -b[i];
        for (int64_t j = 0; j < n; j++) sum += a[i + j * n] * x[j];
        worst = fmax(worst, fabs(sum));
    }
    return worst;
}


static void test_factorizations_solve(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random random;
    rico_random_seed(&random, 33);
    for (int64_t n = 0; n <= 30; n += 3) {
        double a[MOST * MOST] = {0.0}, factor[MOST * MOST], b[3 * MOST], x[3 * MOST];
        int32_t pivot[MOST];
        random_vector(&random, 3 * MOST, b);
        random_definite(&random, n, a);
        memcpy(factor, a, sizeof a);
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < j; i++) factor[i + j * n] = NAN; // the upper triangle is not read
        assert_ok(ctx, rico_dense_cholesky(ctx, n, factor));
        memcpy(x, b, sizeof x);
        rico_dense_cholesky_solve(n, factor, 3, x);
        for (int k = 0; k < 3; k++) assert_at_most(residual(n, a, x + k * n, b + k * n), 1e-10);
        assert_memory_equal(x + 3 * n, b + 3 * n, (size_t)(3 * (MOST - n)) * sizeof *b);

        random_vector(&random, MOST * MOST, a);
        memcpy(factor, a, sizeof a);
        assert_ok(ctx, rico_dense_lu(ctx, n, factor, pivot));
        memcpy(x, b, sizeof x);
        rico_dense_lu_solve(n, factor, pivot, 3, x);
        for (int k = 0; k < 3; k++) assert_at_most(residual(n, a, x + k * n, b + k * n), 1e-10);
    }
    rico_context_destroy(ctx);
}


static void test_singular_matrices_are_named(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    int32_t pivot[3];
    double indefinite[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 2.0, 0.0, 2.0, 1.0};
    assert_int_equal(rico_dense_cholesky(ctx, 3, indefinite), RICO_SINGULAR);
    assert_string_equal(rico_message(ctx), "a dense matrix of order 3 is not positive definite at column 2");
    double with_nan[1] = {NAN};
    assert_int_equal(rico_dense_cholesky(ctx, 1, with_nan), RICO_BAD_INPUT);
    assert_string_equal(rico_message(ctx), "Cholesky factorization of a dense matrix that is not finite");
    assert_int_equal(rico_dense_lu(ctx, 1, with_nan, pivot), RICO_BAD_INPUT);
    assert_string_equal(rico_message(ctx), "LU factorization of a dense matrix that is not finite");
    double hole[9] = {1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 4.0, 5.0, 6.0};
    assert_int_equal(rico_dense_lu(ctx, 3, hole, pivot), RICO_SINGULAR);
    assert_string_equal(rico_message(ctx), "a dense matrix of order 3 is singular: zero pivot in column 1");
    rico_context_destroy(ctx);
}


// Second differences have the eigenvalues 2 - 2 cos(k pi / (n + 1)), k = 1..n.
static void second_differences(int64_t n, double *a)
{
    for (int64_t k = 0; k < n * n; k++) a[k] = 0.0;
    for (int64_t i = 0; i < n; i++) {
        a[i + i * n] = 2.0;
        if (i + 1 < n) a[i + 1 + i * n] = a[i + (i + 1) * n] = -1.0;
    }
}


static void test_eigenvalues(void **state)
{
    (void)state;
    limited memory;
    rico_context *ctx = limited_context(&memory);
    const double pi = acos(-1.0);
    const int64_t orders[] = {0, 1, 2, 7, 40};
    for (int trial = 0; trial < 5; trial++) {
        int64_t n = orders[trial];
        double a[MOST * MOST] = {0.0}, vectors[MOST * MOST], values[MOST], again[MOST];
        second_differences(n, a);
        memcpy(vectors, a, sizeof a);
        for (int64_t j = 1; j < n; j++) vectors[j * n] = NAN; // the upper triangle is not read
        assert_ok(ctx, rico_dense_eigen(ctx, n, vectors, true, values));
        for (int64_t k = 0; k < n; k++) {
            assert_near(values[k], 2.0 - 2.0 * cos((double)(k + 1) * pi / (double)(n + 1)), 1e-14 * 40);
            // A v = lambda v, |v| = 1
            const double *v = vectors + k * n;
            assert_near(rico_norm(n, v), 1.0, 1e-13);
            double product[MOST];
            rico_dense_times(n, n, 1.0, a, v, 0.0, product);
            rico_axpy(n, -values[k], v, product);
            assert_at_most(rico_norm(n, product), 1e-13);
        }
        assert_ok(ctx, rico_dense_eigen(ctx, n, a, false, again));
        for (int64_t k = 0; k < n; k++) assert_near(again[k], values[k], 1e-13);
    }
    double bad[4] = {1.0, NAN, 0.0, 1.0}, values[2];
    assert_int_equal(rico_dense_eigen(ctx, 2, bad, false, values), RICO_BAD_INPUT);
    assert_string_equal(rico_message(ctx), "eigenvalues of a dense matrix that is not finite");
    limited_finish(&memory, ctx);
}


static void test_singular_values(void **state)
{
    (void)state;
    limited memory;
    rico_context *ctx = limited_context(&memory);
    // the bidiagonal matrix with 1 on the diagonal and -1 below, one row more than columns: D'D are second differences
    const double pi = acos(-1.0);
    for (int64_t n = 0; n < 30; n += 5) {
        int64_t m = n + 1;
        double tall[MOST * MOST] = {0.0}, wide[MOST * MOST] = {0.0}, values[MOST], same[MOST];
        for (int64_t j = 0; j < n; j++) {
            tall[j + j * m] = wide[j + j * n] = 1.0;
            tall[j + 1 + j * m] = wide[j + (j + 1) * n] = -1.0;
        }
        assert_ok(ctx, rico_dense_singular_values(ctx, m, n, tall, values));
        assert_ok(ctx, rico_dense_singular_values(ctx, n, m, wide, same));
        for (int64_t k = 0; k < n; k++) {
            double expected = 2.0 * sin((double)(n - k) * pi / (double)(2 * (n + 1)));
            assert_near(values[k], expected, 1e-14 * 10);
            assert_near(same[k], expected, 1e-14 * 10);
        }
    }
    double bad[4] = {1.0, 2.0, INFINITY, 3.0}, values[2];
    assert_int_equal(rico_dense_singular_values(ctx, 2, 2, bad, values), RICO_BAD_INPUT);
    assert_string_equal(rico_message(ctx), "singular values of a dense matrix that is not finite");
    limited_finish(&memory, ctx);
}


// LAPACK's 32-bit sizes are guarded before anything is touched.
static void test_orders_beyond_lapack_are_refused(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    double a = 1.0, value;
    int32_t pivot;
    int64_t large = (int64_t)INT32_MAX + 1;
    assert_int_equal(rico_dense_cholesky(ctx, large, &a), RICO_BAD_ARGUMENT);
    assert_string_equal(rico_message(ctx),
                        "Cholesky factorization of a dense matrix of order 2147483648: 0 to "
                        "2147483647 is possible");
    assert_int_equal(rico_dense_cholesky(ctx, -1, &a), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_dense_lu(ctx, large, &a, &pivot), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_dense_eigen(ctx, 32766, &a, true, &value), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_dense_eigen(ctx, large, &a, false, &value), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_dense_singular_values(ctx, large, 1, &a, &value), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_dense_singular_values(ctx, 1, large, &a, &value), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_dense_singular_values(ctx, 1, -1, &a, &value), RICO_BAD_ARGUMENT);
    rico_context_destroy(ctx);
}


static void test_memory_runs_out(void **state)
{
    (void)state;
    limited memory;
    rico_context *ctx = limited_context(&memory);
    for (int what = 0; what < 3; what++) {
        rico_status status = RICO_NO_MEMORY;
        int64_t limit = 0;
        for (; status != RICO_OK && limit < 10; limit++) {
            double a[25], values[5];
            second_differences(5, a);
            memory.left = limit;
            status = what < 2 ? rico_dense_eigen(ctx, 5, a, what == 1, values)
                              : rico_dense_singular_values(ctx, 5, 5, a, values);
            memory.left = INT64_MAX;
            assert_true(status == RICO_OK || status == RICO_NO_MEMORY);
            assert_int_equal(memory.live, 1);
        }
        assert_true(status == RICO_OK && limit > 1);
    }
    limited_finish(&memory, ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_extreme_values),
        cmocka_unit_test(test_products),
        cmocka_unit_test(test_factorizations_solve),
        cmocka_unit_test(test_singular_matrices_are_named),
        cmocka_unit_test(test_eigenvalues),
        cmocka_unit_test(test_singular_values),
        cmocka_unit_test(test_orders_beyond_lapack_are_refused),
        cmocka_unit_test(test_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
