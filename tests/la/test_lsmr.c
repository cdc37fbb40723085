// The condition by LSMR: exact on what a diagonal matrix shows, blind to what b does not excite, never above the truth.

#include "support.h"

#include "la/lsmr.h"

enum { N = 40 };
typedef struct matrix {
    double a[N][N];
} matrix;


static void times(void *user, const double *x, double *y)
{
    const matrix *A = user;
    for (int i = 0; i < N; i++) {
        y[i] = 0.0;
        for (int j = 0; j < N; j++) y[i] += A->a[i][j] * x[j];
    }
}


static void transpose_times(void *user, const double *x, double *y)
{
    const matrix *A = user;
    for (int i = 0; i < N; i++) {
        y[i] = 0.0;
        for (int j = 0; j < N; j++) y[i] += A->a[j][i] * x[j];
    }
}


// Values from 1 to 1000 in as few kinds as steps bring out: the estimate comes within a factor of ten of 1000, and stays below.
static void test_known_values(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    matrix A = {{{0}}};
    const rico_two_sided op = {times, transpose_times, &A};
    double b[N], found;
    for (int i = 0; i < N; i++) {
        A.a[i][(i + 7) % N] = pow(10.0, 3.0 * (i % 5) / 4.0);
        b[i] = 1.0 + 0.01 * i;
    }
    assert_ok(ctx, rico_lsmr_condition(ctx, N, &op, b, 1e-14, 200, &found));
    assert_true(found <= 1000.0 * (1.0 + 1e-6));
    assert_true(found >= 100.0);

    // singular directions that b does not touch count for nothing
    for (int j = 0; j < N; j++) A.a[3][j] = 0.0;
    b[3] = 0.0;
    assert_ok(ctx, rico_lsmr_condition(ctx, N, &op, b, 1e-14, 200, &found));
    assert_true(isfinite(found) && found <= 1000.0 * (1.0 + 1e-6));

    for (int i = 0; i < N; i++) b[i] = 0.0;
    assert_ok(ctx, rico_lsmr_condition(ctx, N, &op, b, 1e-14, 200, &found));
    assert_true(isnan(found));
    rico_context_destroy(ctx);
}


static void test_orthogonal_has_condition_one(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    matrix A = {{{0}}};
    const rico_two_sided op = {times, transpose_times, &A};
    double b[N], found;
    for (int i = 0; i < N; i++) {
        A.a[i][(3 * i + 1) % N] = i % 2 ? -5.0 : 5.0;
        b[i] = i + 1.0;
    }
    assert_ok(ctx, rico_lsmr_condition(ctx, N, &op, b, 1e-14, 200, &found));
    assert_near(found, 1.0, 1e-12);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_values),
        cmocka_unit_test(test_orthogonal_has_condition_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
