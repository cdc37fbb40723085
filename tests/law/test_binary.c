// The binary collision model: one pair at a time, its orders, and sequences that never end. Cases by the numbers of
// docs/theory/impact-laws.md.

#include "impacts.h"

static rico_impact *chain_with(rico_context *ctx, int64_t balls, const double *mass, double e)
{
    rico_impact *impact = chain_of(ctx, balls, mass, RICO_CHAIN_FREE);
    assert_ok(ctx, rico_impact_set_restitution(impact, RICO_ALL_CONTACTS, e));
    return impact;
}


// Eq. 14-15: one pair, and a ball against the wall.
static void test_one_pair(void **state)
{
    rico_context *ctx = *state;
    const double mass[] = {2.0, 0.7}, u[] = {1.5, -0.4};
    for (int k = 0; k <= 10; k++) {
        double e = 0.1 * k, m1 = mass[0], m2 = mass[1];
        rico_impact *impact = chain_with(ctx, 2, mass, e);
        rico_impact_law *law = law_on(ctx, "binary", impact);
        rico_impact_result r = apply(ctx, law, u);
        assert_near(r.velocity[0], ((m1 - e * m2) * u[0] + (1.0 + e) * m2 * u[1]) / (m1 + m2), 1e-15);
        assert_near(r.velocity[1], ((1.0 + e) * m1 * u[0] + (m2 - e * m1) * u[1]) / (m1 + m2), 1e-15);
        assert_int_equal(r.collisions, 1);
        assert_books(ctx, impact, u, &r, 1e-15);
        rico_impact_law_destroy(law);
        rico_impact_destroy(impact);

        impact = chain_of(ctx, 1, NULL, RICO_CHAIN_WALL);
        assert_ok(ctx, rico_impact_set_restitution(impact, 0, e));
        law = law_on(ctx, "binary", impact);
        r = apply(ctx, law, u);
        assert_near(r.velocity[0], -e * u[0], 1e-15);
        rico_impact_law_destroy(law);
        rico_impact_destroy(impact);
    }
}


// B5: elastic equal balls pass the velocity on, whatever the order (P9).
static void test_elastic_equal_masses(void **state)
{
    rico_context *ctx = *state;
    const char *const orders[] = {"left-to-right", "right-to-left", "random", "user"};
    rico_impact *impact = chain_with(ctx, 100, NULL, 1.0);
    rico_impact_law *law = law_on(ctx, "binary", impact);
    double u[100] = {1.0};
    int64_t order[99];
    for (int64_t j = 0; j < 99; j++) order[j] = (37 * j) % 99;
    assert_ok(ctx, rico_impact_law_set_order(law, 99, order));
    for (int k = 0; k < 4; k++) {
        assert_ok(ctx, rico_impact_law_set(law, "order", orders[k]));
        rico_impact_result r = apply(ctx, law, u);
        assert_int_equal(r.stop, RICO_IMPACT_DONE);
        assert_int_equal(r.collisions, 99);
        for (int i = 0; i < 100; i++) assert_near(r.velocity[i], i == 99 ? 1.0 : 0.0, 1e-15);
        assert_books(ctx, impact, u, &r, 1e-14);
    }
    rico_impact_law_destroy(law);

    // C5: Moreau's outcome is 140 percent away
    double moreau[100];
    law = law_on(ctx, "moreau", impact);
    rico_impact_result r = apply(ctx, law, u);
    memcpy(moreau, r.velocity, sizeof moreau);
    double binary[100] = {0};
    binary[99] = 1.0;
    assert_near(rico_outcome_gap(100, moreau, binary), 140.0, 1e-12);
    assert_near(rico_outcome_gap(100, binary, moreau), 140.0, 1e-12);
    rico_impact_law_destroy(law);
    rico_impact_destroy(impact);
}


// B6: Table 1, one sweep over ten balls with e = 1/2.
static void test_one_sweep_dissipative(void **state)
{
    rico_context *ctx = *state;
    rico_impact *impact = chain_with(ctx, 10, NULL, 0.5);
    rico_impact_law *law = law_on(ctx, "binary", impact);
    const double u[10] = {1.0};
    assert_ok(ctx, rico_impact_law_set_number(law, "sweeps", 1.0));
    rico_impact_result r = apply(ctx, law, u);
    for (int i = 0; i < 9; i++) assert_near(r.velocity[i], 0.25 * pow(0.75, i), 1e-15);
    assert_near(r.velocity[9], pow(0.75, 9), 1e-15);
    assert_int_equal(r.collisions, 9);
    assert_int_equal(r.stop, RICO_IMPACT_SWEPT);
    assert_books(ctx, impact, u, &r, 1e-14);
    rico_impact_law_destroy(law);
    rico_impact_destroy(impact);
}


// B7: Table 2, one sweep over an elastic decorated chain; C6: the same run to its end.
static void test_decorated_chain(void **state)
{
    rico_context *ctx = *state;
    const double mass[] = {1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0}, u[7] = {1.0};
    const double swept[] = {1.0 / 3.0,    -4.0 / 9.0,     8.0 / 27.0,   -32.0 / 81.0,
                            64.0 / 243.0, -256.0 / 729.0, 512.0 / 729.0};
    const double done[] = {-0.1934156, -0.1810700, -0.0182899, 0.0292638, 0.1170553, 0.6242951, 0.8584057};
    rico_impact *impact = chain_with(ctx, 7, mass, 1.0);
    rico_impact_law *law = law_on(ctx, "binary", impact);
    assert_ok(ctx, rico_impact_law_set(law, "sweeps", "1"));
    rico_impact_result r = apply(ctx, law, u);
    assert_all_near(7, r.velocity, swept, 1e-15);
    assert_int_equal(r.stop, RICO_IMPACT_SWEPT);

    assert_ok(ctx, rico_impact_law_set(law, "sweeps", "0"));
    r = apply(ctx, law, u);
    assert_all_near(7, r.velocity, done, 5.1e-8);
    assert_int_equal(r.collisions, 18);
    assert_int_equal(r.stop, RICO_IMPACT_DONE);
    assert_near(r.energy_after, 0.5, 1e-14);
    rico_impact_law_destroy(law);
    rico_impact_destroy(impact);
}


// C7, and N = ceil(pi / acos z) - 1 for three balls, the first striking two at rest, z < 1.
static void test_three_balls(void **state)
{
    rico_context *ctx = *state;
    const double u[] = {1.0, 0.0, 0.0};
    const struct {
        double middle, e;
        int64_t collisions;
        double v[3]; // NAN where it is not given
    } cases[] = {
        {1.0, 0.9, 3, {0.047625, 0.049875, 0.9025}},
        {1.0, 0.5, 3, {0.203125, 0.234375, 0.5625}},
        {1.0, 0.1, 6, {NAN, NAN, NAN}},
        {1.0, 0.08, 10, {NAN, NAN, NAN}},
        {0.1, 1.0, 7, {NAN, NAN, NAN}},
        {0.01, 1.0, 22, {NAN, NAN, NAN}},
    };
    const double pi = acos(-1.0);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const double mass[] = {1.0, cases[k].middle, 1.0};
        double e = cases[k].e, ratio = cases[k].middle, z = 0.0;
        rico_impact *impact = chain_with(ctx, 3, mass, e);
        rico_impact_law *law = law_on(ctx, "binary", impact);
        rico_impact_result r = apply(ctx, law, u);
        assert_int_equal(r.stop, RICO_IMPACT_DONE);
        assert_int_equal(r.collisions, cases[k].collisions);
        assert_ok(ctx, rico_binary_criterion(impact, 0, 1, &z));
        assert_near(z, 0.5 * (sqrt(e) + 1.0 / sqrt(e)) / (1.0 + ratio), 1e-14);
        assert_near(r.criterion, z, 0.0);
        assert_int_equal(r.collisions, (int64_t)ceil(pi / acos(z)) - 1);
        for (int i = 0; i < 3; i++)
            if (!isnan(cases[k].v[i])) assert_near(r.velocity[i], cases[k].v[i], 1e-15);
        rico_impact_law_destroy(law);
        rico_impact_destroy(impact);
    }

    // the same count over a grid of masses and restitutions
    for (int a = 0; a < 6; a++)
        for (int b = 0; b < 6; b++)
            for (int c = 1; c <= 5; c++) {
                const double mass[] = {0.3 + 0.37 * a, 1.0, 0.4 + 0.29 * b};
                double z = 0.0;
                rico_impact *impact = chain_with(ctx, 3, mass, 0.2 * c);
                rico_impact_law *law = law_on(ctx, "binary", impact);
                rico_impact_result r = apply(ctx, law, u);
                assert_ok(ctx, rico_binary_criterion(impact, 0, 1, &z));
                double count = pi / acos(z);
                if (z < 0.999 && fabs(count - nearbyint(count)) > 1e-9) {
                    assert_int_equal(r.stop, RICO_IMPACT_DONE);
                    assert_int_equal(r.collisions, (int64_t)ceil(count) - 1);
                }
                rico_impact_law_destroy(law);
                rico_impact_destroy(impact);
            }
}


// Infinite sequences: e <= 7 - 4 sqrt(3) for equal masses. Just above it the sequence is finite but round-off hides
// its end, and the result says that it does not know.
static void test_infinite_sequences(void **state)
{
    rico_context *ctx = *state;
    const double u[] = {1.0, 0.0, 0.0}, limit = 7.0 - 4.0 * sqrt(3.0);
    const struct {
        double e;
        rico_impact_stop stop;
    } cases[] = {{0.0, RICO_IMPACT_INFINITE},
                 {0.03, RICO_IMPACT_INFINITE},
                 {limit * (1.0 - 1e-9), RICO_IMPACT_INFINITE},
                 {0.0718, RICO_IMPACT_DECAYED}, // exactly 503 collisions
                 {0.09, RICO_IMPACT_DONE}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        rico_impact *impact = chain_with(ctx, 3, NULL, cases[k].e);
        rico_impact_law *law = law_on(ctx, "binary", impact);
        rico_impact_result r = apply(ctx, law, u);
        assert_int_equal(r.stop, cases[k].stop);
        assert_int_equal(r.criterion >= 1.0, cases[k].stop == RICO_IMPACT_INFINITE);
        assert_true((r.note[0] != '\0') == (r.stop != RICO_IMPACT_DONE));
        // the limit of an infinite sequence is a common velocity
        if (r.stop != RICO_IMPACT_DONE)
            for (int i = 0; i < 3; i++) assert_near(r.velocity[i], 1.0 / 3.0, 1e-12);
        assert_books(ctx, impact, u, &r, 1e-14);
        rico_impact_law_destroy(law);
        rico_impact_destroy(impact);
    }

    double z = 0.0;
    rico_impact *impact = chain_with(ctx, 3, NULL, limit);
    assert_ok(ctx, rico_binary_criterion(impact, 0, 1, &z));
    assert_near(z, 1.0, 1e-14);
    assert_near(limit, 0.0717967697, 5e-11);
    assert_int_equal(rico_binary_criterion(impact, 0, 0, &z), RICO_BAD_ARGUMENT);

    // two restitutions: z from the trace of two collisions, against the collisions themselves
    rico_impact_law *law = law_on(ctx, "binary", impact);
    for (int a = 0; a <= 8; a++)
        for (int b = 0; b <= 8; b++) {
            assert_ok(ctx, rico_impact_set_restitution(impact, 0, 0.025 * a));
            assert_ok(ctx, rico_impact_set_restitution(impact, 1, 0.025 * b));
            assert_ok(ctx, rico_binary_criterion(impact, 0, 1, &z));
            rico_impact_result r = apply(ctx, law, u);
            if (z > 1.001) assert_int_equal(r.stop, RICO_IMPACT_INFINITE);
            if (z < 0.95) assert_int_equal(r.stop, RICO_IMPACT_DONE);
        }
    rico_impact_law_destroy(law);
    rico_impact_destroy(impact);

    // more contacts: only the decay can tell
    double v[10] = {1.0};
    impact = chain_with(ctx, 10, NULL, 0.3);
    law = law_on(ctx, "binary", impact);
    rico_impact_result r = apply(ctx, law, v);
    assert_int_equal(r.stop, RICO_IMPACT_DECAYED);
    for (int i = 0; i < 10; i++) assert_near(r.velocity[i], 0.1, 1e-9);

    // and a limit on the count comes before that
    assert_ok(ctx, rico_impact_law_set(law, "max-collisions", "20"));
    r = apply(ctx, law, v);
    assert_int_equal(r.stop, RICO_IMPACT_MAX_COUNT);
    assert_int_equal(r.collisions, 20);
    assert_books(ctx, impact, v, &r, 1e-13);
    rico_impact_law_destroy(law);
    rico_impact_destroy(impact);
}


// B8, P9: disordered chains with e = 0.9. Collisions grow fast with the length; orders differ, each keeps momentum,
// loses energy and ends with no contact closing.
static void test_disordered_chains(void **state)
{
    rico_context *ctx = *state;
    rico_random random;
    rico_random_seed(&random, 3);
    int64_t before = 0;
    for (int64_t n = 10; n <= 30; n += 10) {
        double mass[30], u[30] = {1.0}, kept[30];
        for (int64_t i = 0; i < n; i++) mass[i] = rico_random_range(&random, 0.5, 1.5);
        rico_impact *impact = chain_with(ctx, n, mass, 0.9);
        rico_impact_law *law = law_on(ctx, "binary", impact);
        for (int k = 0; k < 3; k++) {
            assert_ok(ctx, rico_impact_law_set(law, "order", k ? "random" : "left-to-right"));
            assert_ok(ctx, rico_impact_law_set_number(law, "seed", k));
            rico_impact_result r = apply(ctx, law, u);
            double momentum = 0.0;
            for (int64_t i = 0; i < n; i++) momentum += mass[i] * r.velocity[i];
            assert_int_equal(r.stop, RICO_IMPACT_DONE);
            assert_near(momentum, mass[0], 1e-12);
            assert_at_most(r.energy_after, r.energy_before);
            assert_books(ctx, impact, u, &r, 1e-12);
            for (int64_t j = 0; j + 1 < n; j++) assert_at_most(-r.gap_after[j], 1e-12);
            if (k == 0) {
                assert_true(r.collisions > 2 * before && r.collisions > n); // Table 3: 53, 189, 991
                before = r.collisions;
                memcpy(kept, r.velocity, (size_t)n * sizeof *kept);
            } else if (n == 30) {
                assert_true(rico_outcome_gap(n, r.velocity, kept) > 1.0);
            }
        }
        rico_impact_law_destroy(law);
        rico_impact_destroy(impact);
    }
}


// The seed decides the random order and nothing else does.
static void test_random_order_is_reproducible(void **state)
{
    rico_context *ctx = *state;
    double mass[20], u[20] = {1.0}, first[20];
    for (int i = 0; i < 20; i++) mass[i] = 1.0 + 0.3 * sin(3.0 * i);
    rico_impact *impact = chain_with(ctx, 20, mass, 1.0);
    rico_impact_law *law = law_on(ctx, "binary", impact);
    assert_ok(ctx, rico_impact_law_set(law, "order", "random"));
    rico_impact_result r = apply(ctx, law, u);
    memcpy(first, r.velocity, sizeof first);
    r = apply(ctx, law, u);
    assert_memory_equal(first, r.velocity, sizeof first);
    assert_ok(ctx, rico_impact_law_set(law, "seed", "2"));
    r = apply(ctx, law, u);
    assert_memory_not_equal(first, r.velocity, sizeof first);
    rico_impact_law_destroy(law);
    rico_impact_destroy(impact);
}


// B14: an elastic chain against a wall, taken from the wall upward, rebounds as a whole. N = n (n+1) / 2: ball by ball
// each velocity is turned round.
static void test_wall(void **state)
{
    rico_context *ctx = *state;
    double u[100];
    for (int i = 0; i < 100; i++) u[i] = 1.0;
    rico_impact *impact = chain_of(ctx, 100, NULL, RICO_CHAIN_WALL);
    rico_impact_law *law = law_on(ctx, "binary", impact);
    assert_ok(ctx, rico_impact_law_set(law, "order", "right-to-left"));
    rico_impact_result r = apply(ctx, law, u);
    assert_int_equal(r.stop, RICO_IMPACT_DONE);
    assert_int_equal(r.collisions, 5050);
    for (int i = 0; i < 100; i++) assert_near(r.velocity[i], -1.0, 1e-13);
    rico_impact_law_destroy(law);
    rico_impact_destroy(impact);
}


// A general system: contacts are judged by G alone, the rule being that of one contact.
static void test_general_system(void **state)
{
    rico_context *ctx = *state;
    rico_random random;
    rico_random_seed(&random, 8);
    for (int run = 0; run < 100; run++) {
        int64_t n = 2 + rico_random_below(&random, 5), h = 1 + rico_random_below(&random, 6);
        rico_impact *impact = random_impact(ctx, &random, n, h, n < h ? n : h);
        rico_impact_law *law = law_on(ctx, "binary", impact);
        double u[16];
        for (int64_t i = 0; i < n; i++) u[i] = rico_random_normal(&random);
        assert_ok(ctx, rico_impact_set_restitution(impact, RICO_ALL_CONTACTS, 0.8));
        assert_ok(ctx, rico_impact_law_set(law, "max-collisions", "100000"));
        rico_impact_result r = apply(ctx, law, u);
        assert_books(ctx, impact, u, &r, 1e-10);
        assert_at_most(r.energy_after, r.energy_before * (1.0 + 1e-12));
        if (r.stop == RICO_IMPACT_DONE)
            for (int64_t j = 0; j < h; j++) assert_at_most(-r.gap_after[j], 1e-9);
        rico_impact_law_destroy(law);
        rico_impact_destroy(impact);
    }
}


static void test_refused_orders(void **state)
{
    rico_context *ctx = *state;
    rico_impact *impact = chain_with(ctx, 4, NULL, 1.0);
    rico_impact_law *law = law_on(ctx, "binary", impact);
    assert_int_equal(rico_impact_law_set_order(law, 2, (int64_t[]){0, 1}), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_impact_law_set_order(law, 3, (int64_t[]){0, 1, 1}), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_impact_law_set_order(law, 3, (int64_t[]){0, 1, 3}), RICO_BAD_ARGUMENT);
    assert_ok(ctx, rico_impact_law_set_order(law, 3, (int64_t[]){2, 0, 1}));
    assert_int_equal(rico_impact_law_set(law, "order", "sideways"), RICO_BAD_ARGUMENT);
    assert_non_null(strstr(rico_message(ctx), "left-to-right"));
    assert_int_equal(rico_impact_law_set(law, "seed", "1.5"), RICO_BAD_ARGUMENT);

    rico_context_interrupt(ctx);
    rico_impact_result r = apply(ctx, law, (double[]){1.0, 0.0, 0.0, 0.0});
    rico_context_clear_interrupt(ctx);
    assert_int_equal(r.stop, RICO_IMPACT_STOPPED);
    rico_impact_law_destroy(law);
    rico_impact_destroy(impact);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_pair),
        cmocka_unit_test(test_elastic_equal_masses),
        cmocka_unit_test(test_one_sweep_dissipative),
        cmocka_unit_test(test_decorated_chain),
        cmocka_unit_test(test_three_balls),
        cmocka_unit_test(test_infinite_sequences),
        cmocka_unit_test(test_disordered_chains),
        cmocka_unit_test(test_random_order_is_reproducible),
        cmocka_unit_test(test_wall),
        cmocka_unit_test(test_general_system),
        cmocka_unit_test(test_refused_orders),
    };
    return cmocka_run_group_tests(tests, make_context, drop_context);
}
