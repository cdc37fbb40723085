// Small complex matrices: residuals, and singular values that are known beforehand or by another way.

#include "phases.h"

#include "control/complex.h"

enum { N = 7, M = 4 };


static void fill(rico_random *random, int64_t count, double complex *a)
{
    for (int64_t i = 0; i < count; i++)
        a[i] = rico_random_range(random, -1.0, 1.0) + rico_random_range(random, -1.0, 1.0) * I;
}


static void test_solve(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 61);
    for (int turn = 0; turn < 50; turn++) {
        double complex a[N * N], lu[N * N], b[N * M], x[N * M];
        fill(&random, N * N, a);
        fill(&random, N * M, b);
        a[0] = 0.0; // no first pivot
        memcpy(lu, a, sizeof a);
        memcpy(x, b, sizeof b);
        assert_true(rico_complex_solve(N, lu, M, x));
        for (int j = 0; j < M; j++)
            for (int i = 0; i < N; i++) {
                double complex sum = -b[i + j * N];
                double size = 1.0;
                for (int k = 0; k < N; k++) {
                    sum += a[i + k * N] * x[k + j * N];
                    size += cabs(x[k + j * N]);
                }
                assert_at_most(cabs(sum), 1e-13 * size);
            }
    }
    double complex singular[] = {1.0, I, 2.0, 2.0 * I}, right[] = {1.0, 1.0};
    assert_false(rico_complex_solve(2, singular, 1, right));
}


// A = B B* + I, its factor, and L^-1 of it.
static void test_cholesky(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 62);
    double complex b[N * N], a[N * N], l[N * N], x[N * M], y[N * M];
    fill(&random, N * N, b);
    fill(&random, N * M, x);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            a[i + j * N] = i == j ? 1.0 : 0.0;
            for (int k = 0; k < N; k++) a[i + j * N] += b[i + k * N] * conj(b[j + k * N]);
        }
    memcpy(l, a, sizeof a);
    memcpy(y, x, sizeof x);
    assert_true(rico_complex_cholesky(N, l));
    rico_complex_forward(N, l, M, y);
    for (int j = 0; j < N; j++)
        for (int i = j; i < N; i++) {
            double complex sum = -a[i + j * N];
            for (int k = 0; k <= j; k++) sum += l[i + k * N] * conj(l[j + k * N]);
            assert_at_most(cabs(sum), 1e-13);
        }
    for (int j = 0; j < M; j++)
        for (int i = 0; i < N; i++) {
            double complex sum = -x[i + j * N];
            for (int k = 0; k <= i; k++) sum += l[i + k * N] * y[k + j * N];
            assert_at_most(cabs(sum), 1e-13);
        }
    double complex negative[] = {1.0, 2.0 * I, -2.0 * I, 1.0};
    assert_false(rico_complex_cholesky(2, negative));
}


// Columns 3 u, 1e-9 v with u and v orthogonal; wide, tall and of rank 1; the largest also as the root of an eigenvalue of M*M.
static void test_singular(void **state)
{
    (void)state;
    const double root = sqrt(0.5);
    double complex known[] = {3.0 * root, 3.0 * root * I, 1e-9 * root * I, 1e-9 * root},
                   row[] = {3.0, 4.0 * I, 0.0};
    double complex one[] = {1.0, I, 2.0, 2.0 * I, 3.0, 3.0 * I}, wrong[] = {1.0, NAN};
    double values[8];
    assert_true(rico_complex_singular(2, 2, known, values));
    assert_near(values[0], 3.0, 1e-15);
    assert_near(values[1], 1e-9, 1e-24);
    assert_true(rico_complex_singular(1, 3, row, values));
    assert_near(values[0], 5.0, 1e-15);
    assert_true(rico_complex_singular(2, 3, one, values));
    assert_near(values[0], sqrt(28.0), 1e-14);
    assert_near(values[1], 0.0, 1e-15);
    assert_false(rico_complex_singular(2, 1, wrong, values));
    rico_random random;
    rico_random_seed(&random, 63);
    for (int turn = 0; turn < 60; turn++) {
        int64_t rows = 1 + turn % 4, cols = 1 + turn / 4 % 4, least = rows < cols ? rows : cols;
        double complex a[16];
        double square = 0.0, sum = 0.0;
        fill(&random, rows * cols, a);
        for (int64_t i = 0; i < rows * cols; i++) square += creal(a[i] * conj(a[i]));
        double largest = sigma(rows, cols, a);
        assert_true(rico_complex_singular(rows, cols, a, values));
        assert_near(values[0], largest, 1e-13);
        for (int64_t i = 0; i < least; i++) {
            sum += values[i] * values[i];
            assert_true(i == 0 || values[i] <= values[i - 1]);
        }
        assert_near(sum, square, 1e-13 * square);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_solve), cmocka_unit_test(test_cholesky),
                                       cmocka_unit_test(test_singular)};
    return cmocka_run_group_tests(tests, context_start, context_end);
}
