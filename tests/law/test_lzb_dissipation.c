// LZB on chains of equal balls that lose energy (B12 of docs/theory/impact-laws.md), at steps that suit a test, with the
// tolerance that first order asks for.

#include "chains.h"

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
        chain_outcome out =
            strike(ctx, (chain_case){.balls = cases[k].balls,
                                     .eta = 1.5,
                                     .e = cases[k].e,
                                     .step = cases[k].balls < 20 ? 2e-4 : 5e-5 * (double)cases[k].balls,
                                     .start_tol = cases[k].balls < 20 ? 1e-6 : 2e-5});
        int64_t stuck = rico_outcome_stuck(out.contacts, out.gap, 1.0, 1e-3);
        assert_int_equal(stuck == out.contacts, cases[k].stuck);
        if (!isnan(cases[k].fastest)) assert_near(out.fastest_gap, cases[k].fastest, 0.1 * cases[k].fastest);
    }
    chain_outcome pair = strike(ctx, (chain_case){.balls = 2, .eta = 1.5, .e = 0.0, .step = 1e-4});
    assert_at_most(pair.fastest_gap, 1e-3);
    pair = strike(ctx, (chain_case){.balls = 2, .eta = 1.5, .e = 0.01, .step = 1e-4});
    assert_near(pair.fastest_gap, 0.01, 1e-4);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dissipation),
        cmocka_unit_test(test_stuck_chains),
    };
    return cmocka_run_group_tests(tests, make_context, drop_context);
}
