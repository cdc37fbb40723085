// LZB on chains of graded stiffness and of alternating masses (B11, B13 of docs/theory/impact-laws.md).

#include "chains.h"

// B11: K_i = K_{i-1} + alpha K_1. Dispersion is strongest near alpha = 20; steep gradients lead to Moreau's outcome one
// way and near the binary one the other way; impacts repeat.
static void test_stiffness_gradient(void **state)
{
    rico_context *ctx = *state;
    const struct {
        double alpha, step, dispersion;
    } mild[] = {{6.0, 1e-4, NAN}, {10.0, 1e-4, 5.402}, {20.0, 1e-4, 4.956}, {30.0, 1e-4, 5.080}};
    chain_case c = {.balls = 100, .eta = 1.5, .e = 1.0};
    double dispersion[4];
    for (int k = 0; k < 4; k++) {
        c.gradient = mild[k].alpha;
        c.step = mild[k].step;
        chain_outcome out = strike(ctx, c);
        dispersion[k] = out.dispersion;
        if (!isnan(mild[k].dispersion)) assert_near(out.dispersion, mild[k].dispersion, 0.01);
        assert_true(out.repeated > 1);
    }
    assert_true(dispersion[2] < dispersion[0] && dispersion[2] < dispersion[1] &&
                dispersion[2] < dispersion[3]);

    c.gradient = 1e4;
    c.step = 1e-5;
    chain_outcome out = strike(ctx, c);
    assert_near(out.moreau_gap, 9.9, 0.11);
    c.gradient = -1e4;
    out = strike(ctx, c);
    assert_near(out.binary_gap, 8.7, 0.2);
    assert_true(out.v[0] < -0.01 && out.v[1] < -0.01); // the first two balls still rebound
}


// B13: 101 balls of masses 1, eps, 1, ... C_KE has minima at eps = 0.64 and 1.55.
static void test_decorated_chain(void **state)
{
    rico_context *ctx = *state;
    double mass[101], dispersion[6];
    const double ratio[] = {0.62, 0.64, 0.66, 1.5, 1.55, 1.6};
    const double expected[] = {2.442, 1.741, 2.019, 1.973, 1.705, 2.145};
    chain_case c = {.balls = 101, .mass = mass, .eta = 1.5, .e = 1.0, .step = 1e-3, .start_tol = 1e-5};
    for (int k = 0; k < 6; k++) {
        rico_chain_decorate(101, ratio[k], mass);
        dispersion[k] = strike(ctx, c).dispersion;
        assert_near(dispersion[k], expected[k], 0.02);
    }
    assert_true(dispersion[1] < dispersion[0] && dispersion[1] < dispersion[2]);
    assert_true(dispersion[4] < dispersion[3] && dispersion[4] < dispersion[5]);

    // heavy balls between light ones: close to Moreau
    rico_chain_decorate(101, 100.0, mass);
    c.step = 1e-2;
    chain_outcome out = strike(ctx, c);
    assert_near(out.v[0], -0.98020, 2e-5);
    assert_near(out.moreau_gap, 3.6, 0.051);

    // light balls between heavy ones: these behave as a chain of their own, whose last ball leaves with 0.986
    rico_chain_decorate(101, 0.01, mass);
    c.step = 1e-3;
    out = strike(ctx, c);
    assert_near(out.v[100], 0.986, 3e-3);
    assert_near(out.v[98], 0.147, 0.01);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stiffness_gradient),
        cmocka_unit_test(test_decorated_chain),
    };
    return cmocka_run_group_tests(tests, make_context, drop_context);
}
