// The projection onto the cone in a metric of its own: y in K, R(y - x) in K*, orthogonal to each other, which characterizes it.

#include "support.h"

#include "cone/skew.h"
#include "ricochet/cone.h"

static void test_optimality(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 4);
    int sides[3] = {0};
    for (int round = 0; round < 20000; round++) {
        int rows = round % 4 ? 3 : 2;
        double B[9], R[9] = {0}, mu = exp(rico_random_range(&random, -3.0, 2.0)), x[3] = {0}, y[3],
                     s[3] = {0};
        for (int i = 0; i < 9; i++) B[i] = rico_random_normal(&random);
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < rows; j++) {
                for (int k = 0; k < rows; k++) R[i * rows + j] += B[i * rows + k] * B[j * rows + k];
                if (i == j) R[i * rows + j] += 0.05;
            }
        for (int i = 0; i < rows; i++) x[i] = rico_random_normal(&random);
        rico_skew skew;
        assert_true(rico_skew_create(rows, mu, R, &skew));
        memcpy(y, x, sizeof y);
        rico_skew_project(&skew, rows, y);
        double size = 0.0, slip = hypot(y[1], rows > 2 ? y[2] : 0.0), along = 0.0;
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < rows; j++) s[i] += R[i * rows + j] * (y[j] - x[j]);
            size += fabs(s[i]);
            along += s[i] * y[i];
        }
        double scale = 1.0 + size;
        assert_true(slip <= mu * y[0] + 1e-12);
        assert_true(mu * hypot(s[1], rows > 2 ? s[2] : 0.0) <= s[0] + 1e-8 * scale);
        assert_near(along, 0.0, 1e-8 * scale);
        sides[size == 0.0 ? 0 : y[0] == 0.0 ? 1 : 2]++;
    }
    for (int i = 0; i < 3; i++) assert_true(sides[i] > 500);
}


// R = 1: Euclid's. And where there is no metric or no cone, none is made.
static void test_euclidean_and_refusals(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 9);
    const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, flat[9] = {1, 0, 0, 0, 1, 0, 0, 0, 0};
    rico_skew skew;
    for (int round = 0; round < 1000; round++) {
        double x[3], y[3];
        for (int i = 0; i < 3; i++) x[i] = y[i] = rico_random_normal(&random);
        assert_true(rico_skew_create(3, 0.7, one, &skew));
        rico_skew_project(&skew, 3, x);
        rico_coulomb_project(0.7, y);
        for (int i = 0; i < 3; i++) assert_near(x[i], y[i], 1e-12);
    }
    assert_false(rico_skew_create(3, 0.7, flat, &skew));
    assert_false(rico_skew_create(3, 0.0, one, &skew));
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_optimality),
        cmocka_unit_test(test_euclidean_and_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
