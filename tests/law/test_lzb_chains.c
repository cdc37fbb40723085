// LZB on chains of equal elastic balls: the exponent of elasticity (B10 of docs/theory/impact-laws.md). Figures are
// those of the specification, at its steps or, where these take too long for a test, at longer ones with the tolerance
// that first order asks for.

#include "chains.h"

// B10: 100 elastic balls, from Moreau's outcome (small eta) to that of binary collisions (large eta).
static void test_exponents(void **state)
{
    rico_context *ctx = *state;
    const struct {
        double eta, step, first, last, dispersion, moreau, binary, tol, gap_tol;
    } cases[] = {
        // the first two with ten times the specification's step: 1e-6 takes half a minute (bench level)
        {0.001, 1e-5, -0.98001, 0.02001, 9.552, 0.04, 140.0, 4e-4, 0.25},
        {0.01, 1e-5, -0.91920, 0.02617, 8.422, 34.9, 139.6, 4e-4, 0.1},
        {0.1, 2e-4, -0.62353, 0.06400, 4.081, 84.5, 136.8, 1e-4, 0.06},
        {0.3, 4e-4, -0.37753, 0.14232, 1.632, NAN, NAN, 1.5e-4, 0.0},
        {0.4, 4e-4, -0.31242, 0.18610, 1.386, NAN, NAN, 1.5e-4, 0.0},
        {0.5, 4e-4, -0.26403, 0.23438, 1.536, NAN, NAN, 1.5e-4, 0.0},
        {1.0, 2e-4, -0.13221, 0.63904, 5.299, 130.2, 85.0, 5.1e-6, 0.051},
        {1.5, 2e-4, -0.07100, 0.98573, 9.668, 134.8, 16.9, 5.1e-6, 0.051},
        {2.0, 2e-4, -0.03781, 0.99776, 9.905, 137.3, 6.70, 5.1e-6, 0.051},
        {3.0, 2e-4, -0.01035, 0.99988, 9.948, 139.3, 1.55, 5.1e-6, 0.051},
    };
    int64_t forward = 100;
    double least = INFINITY, at = 0.0;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        chain_outcome out =
            strike(ctx, (chain_case){.balls = 100, .eta = cases[k].eta, .e = 1.0, .step = cases[k].step});
        assert_near(out.v[0], cases[k].first, cases[k].tol);
        assert_near(out.v[99], cases[k].last, cases[k].tol);
        assert_near(out.dispersion, cases[k].dispersion, 2e-3);
        if (!isnan(cases[k].moreau)) {
            assert_near(out.moreau_gap, cases[k].moreau, cases[k].gap_tol);
            assert_near(out.binary_gap, cases[k].binary, cases[k].gap_tol);
        }
        if (cases[k].eta >= 1.0) assert_int_equal(out.repeated, 1);
        if (cases[k].eta == 0.001) assert_int_equal(out.good_moreau, 100);
        if (cases[k].eta == 3.0) assert_int_equal(out.good_binary, 100);
        if (cases[k].eta == 0.4) assert_true(out.good_moreau < 50 && out.good_binary < 50);
        assert_true(out.forward <= forward); // fewer and fewer balls go forward
        forward = out.forward;
        if (out.dispersion < least) {
            least = out.dispersion;
            at = cases[k].eta;
        }
    }
    assert_near(at, 0.4, 0.0); // strongest dispersion
}


// B10: three balls, unlike a hundred, have a C_KE that grows with eta throughout.
static void test_three_balls(void **state)
{
    rico_context *ctx = *state;
    const double exponents[] = {0.1, 0.2, 0.4, 0.7, 1.0, 1.5, 2.0, 3.0};
    double before = 0.0;
    for (int k = 0; k < 8; k++) {
        chain_outcome out =
            strike(ctx, (chain_case){.balls = 3, .eta = exponents[k], .e = 1.0, .step = 1e-4});
        assert_true(out.dispersion > before);
        before = out.dispersion;
    }
    assert_at_most(before, sqrt(2.0));
}


// P13 and the other measures on outcomes known by hand.
static void test_measures(void **state)
{
    (void)state;
    const double one[] = {0.0, 0.0, 0.0, 2.0}, even[] = {1.0, -1.0, 1.0, 1.0}, unit[] = {1.0, 1.0, 1.0, 1.0};
    const double rest[4] = {0.0};
    assert_near(rico_outcome_dispersion(4, unit, one), sqrt(3.0), 1e-15);
    assert_near(rico_outcome_dispersion(4, unit, even), 0.0, 1e-15);
    assert_near(rico_outcome_dispersion(4, unit, rest), 0.0, 0.0);
    assert_near(rico_outcome_dispersion(2, (double[]){3.0, 1.0}, unit), 0.5, 1e-15); // T = 3/2, 1/2
    assert_near(rico_outcome_gap(4, even, one), 50.0 * sqrt(4.0), 1e-13);
    assert_int_equal(rico_outcome_good(4, even, one, 0.51), 4);
    assert_int_equal(rico_outcome_good(4, even, one, 0.5), 0);
    assert_int_equal(rico_outcome_stuck(4, (double[]){1e-3, -9e-4, 0.0, 2.0}, 1.0, 1e-3), 2);
    rico_impact_result result = {.energy_before = 2.0, .energy_after = 0.5};
    assert_near(rico_outcome_energy_ratio(&result), 0.25, 0.0);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exponents),
        cmocka_unit_test(test_three_balls),
        cmocka_unit_test(test_measures),
    };
    return cmocka_run_group_tests(tests, make_context, drop_context);
}
