// Poisson's law where gradients depend on each other and restitutions differ: one outcome of many, the same in any order of
// the contacts and in any units of their gaps, and the range told.

#include "impacts.h"

enum { DOFS = 3, CONTACTS = 6 };

static void say_range(const rico_impact_result *r, double *low, double *high)
{
    const char *between = strstr(r->note, "between ");
    assert_non_null(between);
    assert_int_equal(sscanf(between, "between %lf and %lf", low, high), 2);
}


// One wall given twice: the compression is halved, restitution is the mean, and losses range from (1 - 0.9^2)/2 to
// (1 - 0.2^2)/2.
static void test_wall_twice(void **state)
{
    const double one = 1.0, walls[] = {1.0, 1.0}, u = -1.0, e[2][2] = {{0.2, 0.9}, {0.9, 0.2}};
    for (int order = 0; order < 2; order++) {
        rico_impact *impact = impact_of(*state, 1, 2, &one, walls);
        for (int j = 0; j < 2; j++) assert_ok(*state, rico_impact_set_restitution(impact, j, e[order][j]));
        rico_impact_law *law = law_on(*state, "poisson", impact);
        rico_impact_result r = apply(*state, law, &u);
        double low, high;
        assert_near(r.velocity[0], 0.55, 1e-11);
        say_range(&r, &low, &high);
        assert_near(low, 0.095, 1e-5);
        assert_near(high, 0.48, 1e-5);
        assert_books(*state, impact, &u, &r, 1e-12);
        rico_impact_law_destroy(law);
        rico_impact_destroy(impact);
    }
}


// More contacts than coordinates, at random: shuffled, and gaps in other units, the velocity after is the same.
static void test_order_and_units(void **state)
{
    rico_random random;
    rico_random_seed(&random, 3);
    int told = 0;
    for (int trial = 0; trial < 100; trial++) {
        double M[DOFS * DOFS] = {1.0, 0.2, 0.0, 0.2, 2.0, 0.1, 0.0, 0.1, 1.5}, W[DOFS * CONTACTS],
                        e[CONTACTS], u[DOFS];
        for (int i = 0; i < DOFS * CONTACTS; i++) W[i] = rico_random_range(&random, -1.0, 1.0);
        for (int j = 0; j < CONTACTS; j++) e[j] = rico_random_unit(&random);
        // every gap closes along -(1, 1, 1) and its like
        for (int j = 0; j < CONTACTS; j++) W[j] = 1.0 + fabs(W[j]);
        for (int i = 0; i < DOFS; i++) u[i] = i == 0 ? -1.0 : rico_random_range(&random, -0.2, 0.2);
        double after[DOFS], range[2] = {0.0, 0.0};
        int64_t order[CONTACTS];
        for (int64_t j = 0; j < CONTACTS; j++) order[j] = j;
        for (int pass = 0; pass < 4; pass++) {
            double mixed[DOFS * CONTACTS];
            for (int j = 0; j < CONTACTS; j++) {
                double unit = pass < 2 ? 1.0 : pow(10.0, rico_random_range(&random, -6.0, 6.0));
                for (int i = 0; i < DOFS; i++) mixed[i * CONTACTS + j] = unit * W[i * CONTACTS + order[j]];
            }
            rico_impact *impact = impact_of(*state, DOFS, CONTACTS, M, mixed);
            for (int j = 0; j < CONTACTS; j++)
                assert_ok(*state, rico_impact_set_restitution(impact, j, e[order[j]]));
            rico_impact_law *law = law_on(*state, "poisson", impact);
            rico_impact_result r = apply(*state, law, u);
            if (pass == 0) {
                memcpy(after, r.velocity, sizeof after);
                if (r.note[0]) say_range(&r, &range[0], &range[1]);
                told += r.note[0] != '\0';
            }
            assert_all_near(DOFS, r.velocity, after, 1e-9);
            assert_true(range[0] <= range[1]);
            rico_impact_law_destroy(law);
            rico_impact_destroy(impact);
            rico_random_shuffle(&random, order, CONTACTS);
        }
    }
    assert_true(told > 20);
}


// Independent gradients, or one restitution: nothing to choose, nothing said.
static void test_silence(void **state)
{
    const double M[] = {1.0, 0.0, 0.0, 1.0}, W[] = {1.0, 0.0, 0.0, 1.0}, one = 1.0, walls[] = {1.0, 1.0};
    const double u[] = {-1.0, -0.5};
    for (int k = 0; k < 2; k++) {
        rico_impact *impact = k == 0 ? impact_of(*state, 2, 2, M, W) : impact_of(*state, 1, 2, &one, walls);
        assert_ok(*state, rico_impact_set_restitution(impact, 0, 0.5));
        assert_ok(*state, rico_impact_set_restitution(impact, 1, k == 0 ? 0.9 : 0.5));
        rico_impact_law *law = law_on(*state, "poisson", impact);
        rico_impact_result r = apply(*state, law, u);
        assert_string_equal(r.note, "");
        assert_near(r.velocity[0], 0.5, 1e-14);
        rico_impact_law_destroy(law);
        rico_impact_destroy(impact);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wall_twice),
        cmocka_unit_test(test_order_and_units),
        cmocka_unit_test(test_silence),
    };
    return cmocka_run_group_tests_name("poisson share", tests, make_context, drop_context);
}
