// Second-order cones of dimension 1 to 3: the identities that define the scaling, and the way to the boundary.

#include "support.h"

#include "cone/lorentz.h"

static void draw_interior(rico_random *random, int n, double *x)
{
    double norm = 0.0;
    for (int i = 1; i < n; i++) {
        x[i] = rico_random_normal(random);
        norm = hypot(norm, x[i]);
    }
    x[0] = norm + exp(rico_random_range(random, -6.0, 2.0));
}


static void test_scaling(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 3);
    for (int trial = 0; trial < 3000; trial++) {
        int n = 1 + trial % 3;
        double r[3], z[3], a[3], b[3], back[3];
        rico_lorentz_scaling s;
        draw_interior(&random, n, r);
        draw_interior(&random, n, z);
        rico_lorentz_scale(n, r, z, &s);
        rico_lorentz_times(n, &s, r, a);
        rico_lorentz_inverse(n, &s, z, b);
        rico_lorentz_inverse(n, &s, a, back);
        double size = hypot(a[0], b[0]);
        for (int i = 0; i < n; i++) {
            assert_near(a[i], b[i], 1e-10 * size);
            assert_near(back[i], r[i], 1e-9 * r[0]);
            // S^2 r = z
            double sum = 0.0, terms = 0.0;
            for (int j = 0; j < n; j++) {
                double term = rico_lorentz_square(n, &s, i, j) * r[j];
                sum += term;
                terms += fabs(term);
            }
            assert_near(sum, z[i], 1e-12 * terms + 1e-10 * z[0]);
        }
    }
}


static void test_division_undoes_the_product(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 4);
    for (int trial = 0; trial < 3000; trial++) {
        int n = 1 + trial % 3;
        double x[3], y[3], product[3], back[3];
        draw_interior(&random, n, x);
        for (int i = 0; i < n; i++) y[i] = rico_random_normal(&random);
        rico_lorentz_product(n, x, y, product);
        rico_lorentz_divide(n, x, product, back);
        for (int i = 0; i < n; i++) assert_near(back[i], y[i], 1e-9);
    }
}


// At the reach the point is on the surface; just short of it inside. An infinite reach means d in the cone.
static void test_reach(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 5);
    int infinite = 0;
    for (int trial = 0; trial < 3000; trial++) {
        int n = 1 + trial % 3;
        double x[3], d[3], at[3], size = 0.0;
        draw_interior(&random, n, x);
        for (int i = 0; i < n; i++) d[i] = rico_random_normal(&random);
        double reach = rico_lorentz_reach(n, x, d);
        if (isinf(reach)) {
            assert_true(rico_lorentz_depth(n, d) >= -1e-12);
            infinite++;
            continue;
        }
        for (int i = 0; i < n; i++) {
            at[i] = x[i] + reach * d[i];
            size += fabs(x[i]) + reach * fabs(d[i]);
        }
        assert_near(rico_lorentz_depth(n, at), 0.0, 1e-7 * size);
        for (int i = 0; i < n; i++) at[i] = x[i] + 0.999 * reach * d[i];
        assert_true(rico_lorentz_depth(n, at) > 0.0);
    }
    assert_true(infinite > 300 && infinite < 2000);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scaling),
        cmocka_unit_test(test_division_undoes_the_product),
        cmocka_unit_test(test_reach),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
