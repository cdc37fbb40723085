// Products over runs of columns on the same rows against the plain ones.

#include "support.h"

#include "base/context.h"
#include "la/alike.h"
#include "ricochet/ricochet.h"

enum { N = 7 };


// Columns 0 to 2 and 3 to 4 are on the same rows, 5 and 6 as 3 and 4 but for one row; values by a formula.
static void test_products(void **state)
{
    rico_context *ctx = *state;
    int64_t start[N + 1] = {0, 3, 6, 9, 11, 13, 16, 18};
    int64_t row[18] = {0, 1, 2, 0, 1, 2, 0, 1, 2, 3, 4, 3, 4, 3, 5, 6, 5, 6};
    double value[18], x[N], y[N];
    rico_csc a = {.ctx = ctx, .rows = N, .cols = N, .start = start, .row = row, .value = value};
    for (int k = 0; k < 18; k++) value[k] = 1.0 / (k + 1);
    for (int i = 0; i < N; i++) x[i] = i * i - 3.0, y[i] = i;
    unsigned char *alike = rico_alike_find(&a);
    const unsigned char expected[N] = {3, 1, 1, 2, 1, 1, 1};
    assert_non_null(alike);
    assert_memory_equal(alike, expected, N);
    rico_alike_add(&a, alike, value, -2.0, x, y);
    double square = 0.0;
    for (int j = 0; j < N; j++) {
        double sum = 0.0;
        for (int64_t k = start[j]; k < start[j + 1]; k++) sum += value[k] * x[row[k]];
        assert_near(y[j], j - 2.0 * sum, 1e-13);
        square += sum * x[j];
    }
    assert_near(rico_alike_square(&a, alike, value, x), square, 1e-11);
    rico_free(ctx, alike);
}


// Four alike make a run of three and one of one.
static void test_longest_run(void **state)
{
    rico_context *ctx = *state;
    int64_t start[] = {0, 1, 2, 3, 4}, row[] = {2, 2, 2, 2};
    double value[] = {1.0, 2.0, 3.0, 4.0};
    rico_csc a = {.ctx = ctx, .rows = 4, .cols = 4, .start = start, .row = row, .value = value};
    unsigned char *alike = rico_alike_find(&a);
    assert_non_null(alike);
    assert_int_equal(alike[0], 3);
    assert_int_equal(alike[3], 1);
    rico_free(ctx, alike);
}


static int setup(void **state)
{
    *state = rico_context_create(NULL);
    return *state ? 0 : 1;
}


static int teardown(void **state)
{
    rico_context_destroy(*state);
    return 0;
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_products, setup, teardown),
                                       cmocka_unit_test_setup_teardown(test_longest_run, setup, teardown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
