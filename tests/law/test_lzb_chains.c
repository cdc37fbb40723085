// LZB on chains of equal balls: the elasticity exponent, dissipation (B10, B12 of docs/theory/impact-laws.md). Figures
// are those of the specification, at its steps or, where these take too long for a test, at longer ones with the
// tolerance that first order asks for.

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


// B12: Hertz, energetic restitution below 1.
static void test_dissipation(void **state)
{
    rico_context *ctx = *state;
    const struct {
        double e, energy, last; // NAN where only the energy is given
    } cases[] = {{0.99, 0.46767, 0.67185}, {0.98, 0.21873, 0.45479}, {0.96, 0.05285, 0.20422},
                 {0.94, 0.02103, NAN},     {0.92, 0.01563, NAN},     {0.90, 0.01251, NAN},
                 {0.88, 0.01026, NAN}};
    double elastic = 0.98573;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        double step = cases[k].e > 0.95 ? 1e-3 : 2e-3;
        chain_outcome out = strike(
            ctx, (chain_case){.balls = 100, .eta = 1.5, .e = cases[k].e, .step = step, .start_tol = 1e-5});
        assert_near(out.energy_ratio, cases[k].energy, 7e-4);
        if (!isnan(cases[k].last)) assert_near(out.v[99], cases[k].last, 6e-4);
        if (cases[k].e == 0.98) assert_near(out.v[99] / elastic - 1.0, -0.539, 1e-3);
        assert_true(out.moreau_gap > 100.0); // Moreau's law is far away for every e but 0
    }
}


// Table 4: below which e all balls are stuck, relative velocities under 0.1 percent.
static void test_stuck_chains(void **state)
{
    rico_context *ctx = *state;
    const struct {
        int64_t balls;
        double e;
        bool stuck;
        double fastest; // relative velocity, NAN where the specification's depends on its start tolerance
    } cases[] = {{3, 0.10, true, 8.7e-4},   {3, 0.12, false, 3.8e-3}, {10, 0.50, true, 8.6e-4},
                 {10, 0.55, false, 6.9e-3}, {20, 0.64, true, NAN},    {20, 0.66, false, 1.3e-3},
                 {50, 0.80, true, NAN},     {50, 0.82, false, NAN}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        chain_outcome out = strike(ctx, (chain_case){.balls = cases[k].balls,
                                                     .eta = 1.5,
                                                     .e = cases[k].e,
                                                     .step = cases[k].balls < 20 ? 2e-4 : 1e-3,
                                                     .start_tol = cases[k].balls < 20 ? 1e-6 : 1e-5});
        int64_t stuck = rico_outcome_stuck(out.contacts, out.gap, 1.0, 1e-3);
        assert_int_equal(stuck == out.contacts, cases[k].stuck);
        if (!isnan(cases[k].fastest)) assert_near(out.fastest_gap, cases[k].fastest, 0.1 * cases[k].fastest);
    }
    chain_outcome pair = strike(ctx, (chain_case){.balls = 2, .eta = 1.5, .e = 0.0, .step = 1e-4});
    assert_at_most(pair.fastest_gap, 1e-3);
    pair = strike(ctx, (chain_case){.balls = 2, .eta = 1.5, .e = 0.01, .step = 1e-4});
    assert_near(pair.fastest_gap, 0.01, 1e-4);
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
        cmocka_unit_test(test_exponents),   cmocka_unit_test(test_three_balls),
        cmocka_unit_test(test_dissipation), cmocka_unit_test(test_stuck_chains),
        cmocka_unit_test(test_measures),
    };
    return cmocka_run_group_tests(tests, make_context, drop_context);
}
