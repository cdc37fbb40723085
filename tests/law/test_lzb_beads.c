// LZB on a thousand steel beads (B9 of docs/theory/impact-laws.md).

#include "impacts.h"

// B9: 1000 steel beads at 1e-8 s, 2.97 million steps. Energy to 2e-7, velocities to the digits given.
static void test_thousand_beads(void **state)
{
    rico_context *ctx = *state;
    const double pi = acos(-1.0), m = 4.0 / 3.0 * pi * 1e-6 * 7780.0;
    const double K = rico_hertz_stiffness(203e9, 0.3, 0.01);
    assert_near(m, 0.032589, 5e-7);
    assert_near(K, 1.0516e10, 1e6);
    assert_near(rico_contact_time_unit(m, K, 1.5, 1.0), 2.4917e-5, 5e-10);

    double *mass = malloc(1000 * sizeof *mass), *u = calloc(1000, sizeof *u);
    assert_true(mass && u);
    for (int i = 0; i < 1000; i++) mass[i] = m;
    u[0] = 1.0;
    rico_impact *impact = chain_of(ctx, 1000, mass, RICO_CHAIN_FREE);
    assert_ok(ctx, rico_impact_set_stiffness(impact, RICO_ALL_CONTACTS, K));
    rico_impact_law *law = law_on(ctx, "lzb", impact);
    assert_ok(ctx, rico_impact_law_set(law, "step", "1e-8"));
    rico_impact_result r = apply(ctx, law, u);
    assert_int_equal(r.stop, RICO_IMPACT_DONE);
    assert_near((double)r.steps, 2966099.0, 300.0);
    assert_near(rico_outcome_energy_ratio(&r), 1.0, 2e-7);
    const double ends[] = {r.velocity[0], r.velocity[1], r.velocity[998], r.velocity[999]};
    assert_all_near(4, ends, (double[]){-0.07092, -0.03018, 0.14805, 0.98578}, 5.1e-6);
    for (int j = 0; j < 999; j++) assert_int_equal(r.impacts[j], 1);
    double momentum = 0.0;
    for (int i = 0; i < 1000; i++) momentum += r.velocity[i];
    assert_near(momentum, 1.0, 1e-12);
    rico_impact_law_destroy(law);
    rico_impact_destroy(impact);
    free(mass);
    free(u);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_thousand_beads)};
    return cmocka_run_group_tests(tests, make_context, drop_context);
}
