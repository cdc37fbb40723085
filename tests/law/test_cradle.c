// The law of the cradle against sorting and isotonic regression; what is monotone and what cyclically;
// Newton's H for different restitutions; fixed points against pivots; kinetic angles of blocks; fine meshes.

#include "impacts.h"

#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}


// Nearest ascending sequence, by pooling neighbours that are out of order.
static void pool(int64_t n, const double *u, double *out)
{
    double mean[16] = {0.0};
    int64_t size[16] = {0}, blocks = 0;
    for (int64_t i = 0; i < n; i++) {
        mean[blocks] = u[i];
        size[blocks++] = 1;
        while (blocks > 1 && mean[blocks - 2] > mean[blocks - 1]) {
            int64_t all = size[blocks - 2] + size[blocks - 1];
            mean[blocks - 2] =
                (mean[blocks - 2] * (double)size[blocks - 2] + mean[blocks - 1] * (double)size[blocks - 1]) /
                (double)all;
            size[--blocks - 1] = all;
        }
    }
    for (int64_t k = 0, i = 0; k < blocks; k++)
        for (int64_t m = 0; m < size[k]; m++) out[i++] = mean[k];
}


// Equal balls: e sort(u) + (1-e) pool(u). Against a wall velocities are sorted with their signs turned.
static void test_sorts(void **state)
{
    rico_context *ctx = *state;
    rico_random random;
    rico_random_seed(&random, 7);
    for (int run = 0; run < 40; run++) {
        int64_t n = 3 + run % 5;
        double e = run % 4 == 0 ? 1.0 : rico_random_unit(&random), u[16] = {0.0}, sorted[16] = {0.0},
               pooled[16] = {0.0};
        for (int64_t i = 0; i < n; i++) sorted[i] = u[i] = rico_random_normal(&random);
        qsort(sorted, (size_t)n, sizeof *sorted, ascending);
        pool(n, u, pooled);
        for (int64_t i = 0; i < n; i++) sorted[i] = e * sorted[i] + (1.0 - e) * pooled[i];
        rico_impact *impact = chain_of(ctx, n, NULL, RICO_CHAIN_FREE);
        assert_ok(ctx, rico_impact_set_restitution(impact, RICO_ALL_CONTACTS, e));
        rico_impact_law *law = law_on(ctx, "cradle", impact);
        rico_impact_result r = apply(ctx, law, u);
        assert_all_near(n, r.velocity, sorted, 1e-13);
        assert_books(ctx, impact, u, &r, 1e-12);
        rico_impact_law_destroy(law);
        rico_impact_destroy(impact);

        impact = chain_of(ctx, n, NULL, RICO_CHAIN_WALL);
        law = law_on(ctx, "cradle", impact);
        for (int64_t i = 0; i < n; i++) sorted[i] = -fabs(u[i]);
        qsort(sorted, (size_t)n, sizeof *sorted, ascending);
        assert_all_near(n, apply(ctx, law, u).velocity, sorted, 1e-13);
        rico_impact_law_destroy(law);
        rico_impact_destroy(impact);
    }
    rico_impact_result r;
    rico_impact *impact = chain_of(ctx, 3, (double[]){1.0, 0.5, 1.0}, RICO_CHAIN_FREE);
    rico_impact_law *law = law_on(ctx, "cradle", impact);
    assert_int_equal(rico_impact_law_apply(law, (double[]){1.0, 0.0, 0.0}, &r), RICO_BAD_ARGUMENT);
    assert_non_null(strstr(rico_message(ctx), "degrees"));
    rico_impact_law_destroy(law);
    rico_impact_destroy(impact);
    impact = chain_of(ctx, 3, NULL, RICO_CHAIN_FREE);
    law = law_on(ctx, "cradle", impact);
    assert_ok(ctx, rico_impact_set_restitution(impact, 1, 0.5));
    assert_int_equal(rico_impact_law_apply(law, (double[]){1.0, 0.0, 0.0}, &r), RICO_BAD_ARGUMENT);
    rico_impact_law_destroy(law);
    rico_impact_destroy(impact);
}


// Sum of y_i . (x_i+1 - x_i) over a cycle of h x count velocities before, y = -Lambda, x the mean: positive
// breaks cyclic monotonicity.
static double cycle_sum(rico_context *ctx, rico_impact_law *law, int64_t h, int count, const double *gamma)
{
    double x[16][8] = {{0.0}}, y[16][8] = {{0.0}}, sum = 0.0;
    for (int k = 0; k < count; k++) {
        rico_impact_result r;
        assert_ok(ctx, rico_impact_law_map_contact(law, gamma + k * h, &r));
        for (int64_t j = 0; j < h; j++) {
            x[k][j] = 0.5 * (r.gap_before[j] + r.gap_after[j]);
            y[k][j] = -r.impulse[j];
        }
    }
    for (int k = 0; k < count; k++)
        for (int64_t j = 0; j < h; j++) sum += y[k][j] * (x[(k + 1) % count][j] - x[k][j]);
    return sum;
}


// The cradle is maximal monotone and not cyclically so (as Winandy and Leine's law), and neither is
// Poisson's: two witnesses that anyone can work out by hand.
static void test_not_cyclic(void **state)
{
    rico_context *ctx = *state;
    rico_impact *impact = chain_of(ctx, 3, NULL, RICO_CHAIN_FREE);
    rico_impact_law *law = law_on(ctx, "cradle", impact);
    rico_impact_law_trial trial = rico_impact_law_trial_default();
    rico_impact_law_findings f;
    for (int admissible = 0; admissible < 2; admissible++) {
        trial.admissible = admissible;
        assert_ok(ctx, rico_impact_law_check(law, &trial, &f));
        assert_true(f.kinematic && f.kinetic && f.energetic && f.monotone);
        assert_true(f.failures == 0);
        if (!admissible) {
            assert_true(!f.cyclic);
            assert_true(cycle_sum(ctx, law, 2, trial.cycle, f.cycle_witness) > 0.0);
        }
    }
    rico_impact_law_destroy(law);
    rico_impact_destroy(impact);

    // G = [1, -0.95; -0.95, 1], e = 0.8. (-2, 2): LC = (2, 0), Lambda = (3.6, 1.42), mean (-0.8745, 1); (-2,
    // 4): Lambda = (3.6, 0), mean (-0.2, 2.29); with (0, 0) between them the sum is 3.6 (-0.8745) + 1.42 +
    // 3.6 (0.8745 - 0.2) = 0.7
    const double poisson[] = {-2.0, 2.0, 0.0, 0.0, -2.0, 4.0};
    impact = pair_of(ctx, 1.0, -0.95);
    assert_ok(ctx, rico_impact_set_restitution(impact, RICO_ALL_CONTACTS, 0.8));
    law = law_on(ctx, "poisson", impact);
    assert_near(cycle_sum(ctx, law, 2, 3, poisson), 0.7, 1e-12);
    trial.admissible = false;
    trial.given = poisson;
    trial.given_count = 3;
    assert_ok(ctx, rico_impact_law_check(law, &trial, &f));
    assert_true(f.monotone && !f.cyclic);
    rico_impact_law_destroy(law);
    law = law_on(ctx, "newton", impact);
    assert_at_most(cycle_sum(ctx, law, 2, 3, poisson), 1e-12);
    rico_impact_law_destroy(law);
    rico_impact_destroy(impact);
}


// H of Newton's law for different restitutions: from the mean velocity back to the impulses, for every gamma-.
static void test_newton_law(void **state)
{
    rico_context *ctx = *state;
    rico_random random;
    rico_random_seed(&random, 31);
    for (int run = 0; run < 60; run++) {
        int64_t n = 4 + run % 3, h = 2 + run % 3;
        rico_impact *impact = random_impact(ctx, &random, n, h, h);
        rico_impact_maps *maps = NULL;
        double gamma[8], mean[8], impulse[8];
        for (int64_t j = 0; j < h; j++) {
            assert_ok(ctx, rico_impact_set_restitution(impact, j, 0.95 * rico_random_unit(&random)));
            gamma[j] = rico_random_normal(&random);
        }
        assert_ok(ctx, rico_impact_maps_create(impact, &maps));
        rico_impact_law *law = law_on(ctx, "newton", impact);
        rico_impact_result r;
        assert_ok(ctx, rico_impact_law_map_contact(law, gamma, &r));
        for (int64_t j = 0; j < h; j++) mean[j] = 0.5 * (r.gap_before[j] + r.gap_after[j]);
        assert_ok(ctx, rico_impact_newton_law(maps, mean, impulse));
        for (int64_t j = 0; j < h; j++) assert_near(impulse[j], r.impulse[j], 1e-9 * (1.0 + r.impulse[j]));
        assert_ok(ctx, rico_impact_set_restitution(impact, 0, 1.0));
        assert_int_equal(rico_impact_newton_law(maps, mean, impulse), RICO_BAD_ARGUMENT);
        rico_impact_law_destroy(law);
        rico_impact_maps_destroy(maps);
        rico_impact_destroy(impact);
    }
}


// Alart and Curnier's fixed point comes to the velocities of the pivots, of any rank; too few sweeps are told.
static void test_fixed_point(void **state)
{
    rico_context *ctx = *state;
    static const char *const NAMES[] = {"moreau", "newton", "poisson"};
    rico_random random;
    rico_random_seed(&random, 77);
    for (int run = 0; run < 30; run++) {
        int64_t n = 5, h = 2 + run % 5;
        rico_impact *impact = random_impact(ctx, &random, n, h, run % 3 == 0 ? 2 : (h < n ? h : n));
        double u[16];
        for (int64_t i = 0; i < n; i++) u[i] = rico_random_normal(&random);
        assert_ok(ctx, rico_impact_set_restitution(impact, RICO_ALL_CONTACTS, rico_random_unit(&random)));
        for (int l = 0; l < 3; l++) {
            rico_impact_law *law = law_on(ctx, NAMES[l], impact), *other = law_on(ctx, NAMES[l], impact);
            assert_ok(ctx, rico_impact_law_set(other, "solver", "fixed-point"));
            rico_impact_result a = apply(ctx, law, u), b = apply(ctx, other, u);
            assert_int_equal(b.stop, RICO_IMPACT_DONE);
            assert_all_near(n, b.velocity, a.velocity, 1e-9);
            assert_books(ctx, impact, u, &b, 1e-12);
            rico_impact_law_destroy(law);
            rico_impact_law_destroy(other);
        }
        rico_impact_destroy(impact);
    }
    rico_impact *impact = chain_of(ctx, 40, NULL, RICO_CHAIN_FREE);
    rico_impact_law *law = law_on(ctx, "moreau", impact);
    const double u[40] = {1.0};
    assert_ok(ctx, rico_impact_law_set(law, "solver", "fixed-point"));
    assert_ok(ctx, rico_impact_law_set_number(law, "max-sweeps", 3.0));
    assert_int_equal(apply(ctx, law, u).stop, RICO_IMPACT_MAX_COUNT);
    rico_impact_law_destroy(law);
    rico_impact_destroy(impact);
}


// A block of width w and height h on its two lower corners: slender ones, h >= sqrt(2) w, have a kinetic
// angle of at least pi/2 (NB section 3.1), and rock under Moreau's law with e = 0 instead of stopping.
static void test_block(void **state)
{
    rico_context *ctx = *state;
    for (double height = 0.2; height < 6.0; height *= 1.3) {
        double inertia = (1.0 + height * height) / 12.0, angle = 0.0;
        const double M[] = {1.0, 0.0, 0.0, inertia}, W[] = {1.0, 1.0, -0.5, 0.5};
        rico_impact *impact = impact_of(ctx, 2, 2, M, W);
        assert_ok(ctx, rico_impact_kinetic_angle(impact, 0, 1, &angle));
        assert_int_equal(angle >= 0.5 * acos(-1.0), height >= sqrt(2.0));
        assert_ok(ctx, rico_impact_set_restitution(impact, RICO_ALL_CONTACTS, 0.0));
        rico_impact_law *law = law_on(ctx, "moreau", impact);
        // turns about its left corner onto the right one
        rico_impact_result r = apply(ctx, law, (double[]){-0.5, -1.0});
        if (height < sqrt(2.0))
            assert_all_near(2, r.velocity, (double[]){0.0, 0.0}, 1e-14);
        else
            assert_true(r.gap_after[0] > 0.0);
        rico_impact_law_destroy(law);
        rico_impact_destroy(impact);
    }
}


// Two contacts at the ends of a bar, e = 0 and 0.9 (WBL section 7). One rigid body: H is not monotone. Cut
// into linear elements with their consistent masses, the ends hardly feel each other: from some number of
// pieces on it is.
static void test_discretization(void **state)
{
    rico_context *ctx = *state;
    double margin = 0.0, before = 0.0;
    const double rigid[] = {1.0, 0.0, 0.0, 1.0 / 12.0}, ends[] = {1.0, 1.0, -0.5, 0.5};
    rico_impact *impact = impact_of(ctx, 2, 2, rigid, ends);
    assert_ok(ctx, rico_impact_set_restitution(impact, 0, 0.0));
    assert_ok(ctx, rico_impact_set_restitution(impact, 1, 0.9));
    assert_ok(ctx, rico_impact_newton_margin(impact, &before));
    assert_true(before < -0.1);
    rico_impact_destroy(impact);
    before /= 4.0; // over G_11 = 4
    for (int64_t pieces = 1; pieces <= 6; pieces++) {
        int64_t n = pieces + 1;
        double M[64] = {0.0}, W[16] = {0.0};
        for (int64_t k = 0; k < pieces; k++) {
            double part = 1.0 / (6.0 * (double)pieces);
            M[k * n + k] += 2.0 * part;
            M[(k + 1) * n + k + 1] += 2.0 * part;
            M[k * n + k + 1] = M[(k + 1) * n + k] = part;
        }
        W[0] = W[2 * pieces + 1] = 1.0;
        impact = impact_of(ctx, n, 2, M, W);
        assert_ok(ctx, rico_impact_set_restitution(impact, 0, 0.0));
        assert_ok(ctx, rico_impact_set_restitution(impact, 1, 0.9));
        assert_ok(ctx, rico_impact_newton_margin(impact, &margin));
        rico_sparse_view G = rico_impact_delassus(impact);
        margin /= G.value[0];
        assert_true(margin >= before - 1e-12);
        before = margin;
        rico_impact_destroy(impact);
    }
    assert_true(margin > 0.1);
}


// Reduced coordinates (NB 4): the gaps of a chain with the mass D^-1 and constraints z >= 0 have its impacts,
// z_0 apart.
static void test_reduced(void **state)
{
    rico_context *ctx = *state;
    static const char *const NAMES[] = {"moreau", "newton", "poisson", "binary", "hertz"};
    const double mass[] = {1.0, 0.5, 2.0}, u[] = {1.0, 0.2, -0.4}, identity[] = {1.0, 0.0, 0.0, 1.0};
    const double a = 3.0, b = -2.0, c = 2.5,
                 determinant = a * c - b * b; // D = [1/m1 + 1/m2, -1/m2; -1/m2, 1/m2 + 1/m3]
    const double M[] = {c / determinant, -b / determinant, -b / determinant, a / determinant};
    const double z[] = {u[1] - u[0], u[2] - u[1]};
    rico_impact *chain = chain_of(ctx, 3, mass, RICO_CHAIN_FREE),
                *reduced = impact_of(ctx, 2, 2, M, identity);
    assert_ok(ctx, rico_impact_set_restitution(chain, RICO_ALL_CONTACTS, 0.6));
    assert_ok(ctx, rico_impact_set_restitution(reduced, RICO_ALL_CONTACTS, 0.6));
    for (int l = 0; l < 5; l++) {
        rico_impact_law *first = law_on(ctx, NAMES[l], chain), *second = law_on(ctx, NAMES[l], reduced);
        rico_impact_result r = apply(ctx, first, u), s = apply(ctx, second, z);
        assert_all_near(2, s.velocity, r.gap_after, 1e-9);
        assert_all_near(2, s.impulse, r.impulse, 1e-9);
        assert_near(r.energy_before - r.energy_after, s.energy_before - s.energy_after, 1e-9);
        rico_impact_law_destroy(first);
        rico_impact_law_destroy(second);
    }
    rico_impact_destroy(chain);
    rico_impact_destroy(reduced);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sorts),      cmocka_unit_test(test_not_cyclic),
        cmocka_unit_test(test_newton_law), cmocka_unit_test(test_fixed_point),
        cmocka_unit_test(test_block),      cmocka_unit_test(test_discretization),
        cmocka_unit_test(test_reduced)};
    return cmocka_run_group_tests(tests, make_context, drop_context);
}
