// Exact sums: what they round to, and that no order of their terms shows.

#include "support.h"

#include "exact.h"

#include <float.h>

static double sum_of(int count, const double *x)
{
    rico_exact sum = {0};
    for (int i = 0; i < count; i++) rico_exact_add(&sum, x[i]);
    return rico_exact_value(&sum);
}


static void keeps_what_it_is_given(void **state)
{
    (void)state;
    const double values[] = {
        1.0,          -1.0,          0.1,    -3.7e300,           DBL_MAX, -DBL_MAX, DBL_MIN,
        DBL_TRUE_MIN, -DBL_TRUE_MIN, 1e-310, 4503599627370497.5, 0.0,     1e-100};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        double back = sum_of(1, &values[i]);
        assert_true(back == values[i]);
    }
}


static void cancels_exactly(void **state)
{
    (void)state;
    const double x[] = {1e300, 1.0, -1e300, 1e-300, -1.0};
    assert_true(sum_of(5, x) == 1e-300);
    const double y[] = {DBL_MAX, DBL_MAX, -DBL_MAX, -DBL_MAX, -DBL_TRUE_MIN};
    assert_true(sum_of(5, y) == -DBL_TRUE_MIN);
}


static void rounds_to_nearest(void **state)
{
    (void)state;
    // half a unit in the last place goes to the even neighbour; anything beyond it goes up
    const double half[] = {1.0, 0x1p-53}, odd[] = {1.0 + 0x1p-52, 0x1p-53},
                 more[] = {1.0, 0x1p-53, 0x1p-1000};
    assert_true(sum_of(2, half) == 1.0);
    assert_true(sum_of(2, odd) == 1.0 + 0x1p-51);
    assert_true(sum_of(3, more) == 1.0 + 0x1p-52);
}


static void does_not_see_the_order(void **state)
{
    (void)state;
    enum { COUNT = 2000 };
    static double x[COUNT];
    rico_random random;
    rico_random_seed(&random, 7);
    for (int i = 0; i < COUNT; i++)
        x[i] = ldexp(rico_random_unit(&random) - 0.5, (int)(600.0 * (rico_random_unit(&random) - 0.5)));
    double first = sum_of(COUNT, x);
    for (int again = 0; again < 20; again++) {
        for (int i = COUNT - 1; i > 0; i--) {
            int j = (int)(rico_random_unit(&random) * (i + 1));
            double kept = x[i];
            x[i] = x[j];
            x[j] = kept;
        }
        assert_true(sum_of(COUNT, x) == first);
    }
    // integers: the sum is known
    rico_exact sum = {0};
    for (int i = 1; i <= COUNT; i++) rico_exact_add(&sum, i % 2 ? (double)i : -(double)i);
    assert_true(rico_exact_value(&sum) == -COUNT / 2.0);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_what_it_is_given),
        cmocka_unit_test(cancels_exactly),
        cmocka_unit_test(rounds_to_nearest),
        cmocka_unit_test(does_not_see_the_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
