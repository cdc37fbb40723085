// LU factors of a few unknowns: what they solve, put back into the equations.

#include "support.h"

#include "la/small_lu.h"

static void solves(void **state)
{
    (void)state;
    enum { COUNT = 3 };
    rico_random random;
    rico_random_seed(&random, 7);
    for (int trial = 0; trial < 500; trial++) {
        int64_t n = 1 + rico_random_below(&random, RICO_SMALL_LU);
        double a[RICO_SMALL_LU * RICO_SMALL_LU], lu[RICO_SMALL_LU * RICO_SMALL_LU], b[COUNT * RICO_SMALL_LU],
            x[COUNT * RICO_SMALL_LU];
        int32_t pivot[RICO_SMALL_LU];
        for (int64_t k = 0; k < n * n; k++) lu[k] = a[k] = rico_random_normal(&random);
        for (int64_t k = 0; k < COUNT * n; k++) x[k] = b[k] = rico_random_normal(&random);
        if (trial % 3 == 0) lu[0] = a[0] = 0.0; // needs an exchange
        if (n == 1 && trial % 3 == 0) {
            assert_false(rico_small_lu(n, lu, pivot));
            continue;
        }
        assert_true(rico_small_lu(n, lu, pivot));
        rico_small_lu_solve(n, lu, pivot, COUNT, x);
        for (int64_t c = 0; c < COUNT; c++)
            for (int64_t i = 0; i < n; i++) {
                double sum = 0.0, terms = fabs(b[i + c * n]);
                for (int64_t j = 0; j < n; j++) {
                    sum += a[i + j * n] * x[j + c * n];
                    terms += fabs(a[i + j * n] * x[j + c * n]);
                }
                assert_near(sum, b[i + c * n], 1e-13 * terms);
            }
    }
}


// A column of zeros, or of what is no number, has no pivot.
static void refuses(void **state)
{
    (void)state;
    double singular[] = {1.0, 2.0, 2.0, 4.0}, broken[] = {NAN, NAN, 1.0, 2.0};
    int32_t pivot[2];
    assert_false(rico_small_lu(2, singular, pivot));
    assert_false(rico_small_lu(2, broken, pivot));
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solves),
        cmocka_unit_test(refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
