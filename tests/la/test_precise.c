// Sums of products in twice the precision.

#include "support.h"

#include "la/precise.h"

#include <float.h>

static void test_what_cancels_leaves_the_rest(void **state)
{
    (void)state;
    // (1 + e)(1 - e) - 1 = -e^2, lost in plain arithmetic
    double e = ldexp(1.0, -30);
    assert_true((1.0 + e) * (1.0 - e) - 1.0 == 0.0);
    assert_true(rico_dot_precise(-1.0, 1, (double[]){1.0 + e}, (double[]){1.0 - e}) == -e * e);

    assert_true(rico_dot_precise(1e16, 2, (double[]){1.0, -1.0}, (double[]){1.0, 1e16}) == 1.0);
    assert_true(rico_dot_precise(3.5, 0, NULL, NULL) == 3.5);
}


// x.y with y made so that the sum nearly vanishes, against the definition in integers.
static void test_against_integers(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 1);
    for (int draw = 0; draw < 10000; draw++) {
        double x[3], y[3];
        int64_t exact = 0;
        for (int k = 0; k < 2; k++) {
            int64_t a = rico_random_below(&random, 1 << 30), b = rico_random_below(&random, 1 << 30);
            x[k] = (double)a;
            y[k] = (double)(k == 0 ? b : -b);
            exact += k == 0 ? a * b : -a * b;
        }
        int64_t rest = rico_random_below(&random, 1000);
        int64_t start = (rest - exact) & ~(int64_t)1023; // takes away all but a few of the 60 bits
        exact += start;
        assert_true(rico_dot_precise((double)start, 2, x, y) ==
                    (double)(exact - start + (int64_t)(double)start));
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_cancels_leaves_the_rest),
        cmocka_unit_test(test_against_integers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
