// Eigenvalues of general matrices against those that they were made with.

#include "support.h"

#include "la/eigenvalues.h"
#include "ricochet/ricochet.h"

#include <math.h>


// The companion matrix of (x - 3)(x^2 + 2 x + 5): 3 and -1 +- 2i.
static void test_companion(void **state)
{
    rico_context *ctx = rico_context_create(NULL);
    double a[9] = {0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 15.0, 1.0, 1.0}, real[3], imag[3];
    int alone = 0;
    (void)state;
    assert_ok(ctx, rico_eigenvalues(ctx, 3, a, real, imag));
    for (int i = 0; i < 3; i++) {
        bool single = fabs(imag[i]) < 1e-12;
        alone += single;
        assert_near(real[i], single ? 3.0 : -1.0, 1e-12);
        if (!single) assert_near(fabs(imag[i]), 2.0, 1e-12);
    }
    assert_int_equal(alone, 1);
    rico_context_destroy(ctx);
}


static void test_not_finite(void **state)
{
    rico_context *ctx = rico_context_create(NULL);
    double a[4] = {1.0, 0.0, NAN, 1.0}, real[2], imag[2];
    (void)state;
    assert_int_equal(rico_eigenvalues(ctx, 2, a, real, imag), RICO_SINGULAR);
    assert_int_equal(rico_eigenvalues(ctx, 0, a, real, imag), RICO_OK);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_companion), cmocka_unit_test(test_not_finite)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
