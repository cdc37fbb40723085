// The maps of the variational analysis: projections, subspaces, monotonicity, cyclic monotonicity (P5 to P7, C12 of
// docs/theory/impact-laws.md).

#include "impacts.h"

static double dot(int64_t n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}


// x'My by polarization of the kinetic energy.
static double mass_product(const rico_impact *impact, const double *x, const double *y)
{
    int64_t n = rico_impact_dofs(impact);
    double sum[16];
    for (int64_t i = 0; i < n; i++) sum[i] = x[i] + y[i];
    return rico_impact_kinetic_energy(impact, sum) - rico_impact_kinetic_energy(impact, x) -
           rico_impact_kinetic_energy(impact, y);
}


static void draw(rico_random *random, int64_t n, double *x)
{
    for (int64_t i = 0; i < n; i++) x[i] = rico_random_normal(random);
}


// P6, with W of any rank: P_perp^2 = P_perp, M P_perp symmetric, W'P = 0, P_perp F = F, W'F = I on the range of G,
// F G = M^-1 W.
static void test_projectors(void **state)
{
    rico_context *ctx = *state;
    rico_random random;
    rico_random_seed(&random, 4);
    for (int run = 0; run < 200; run++) {
        int64_t n = 2 + rico_random_below(&random, 7), h = 1 + rico_random_below(&random, 8);
        int64_t rank = 1 + rico_random_below(&random, n < h ? n : h);
        rico_impact *impact = random_impact(ctx, &random, n, h, rank);
        rico_impact_maps *maps = NULL;
        assert_ok(ctx, rico_impact_maps_create(impact, &maps));
        assert_int_equal(rico_impact_rank(maps), rank);

        double u[16], w[16], kernel[16], range[16], twice[16], other[16], gamma[16], lifted[16];
        draw(&random, n, u);
        draw(&random, n, w);
        assert_ok(ctx, rico_impact_split(maps, u, kernel, range));
        for (int64_t i = 0; i < n; i++) assert_near(kernel[i] + range[i], u[i], 1e-14);
        assert_ok(ctx, rico_impact_split(maps, range, NULL, twice));
        assert_all_near(n, twice, range, 1e-8);
        rico_impact_gap_velocity(impact, kernel, gamma);
        for (int64_t j = 0; j < h; j++) assert_near(gamma[j], 0.0, 1e-8);
        assert_near(mass_product(impact, kernel, range), 0.0, 1e-8);
        assert_ok(ctx, rico_impact_split(maps, w, NULL, other));
        assert_near(mass_product(impact, w, range), mass_product(impact, other, u), 1e-8);

        // F W'u = P_perp u, and W'F gives gamma back
        double back[16];
        rico_impact_gap_velocity(impact, u, gamma);
        assert_ok(ctx, rico_impact_lift(maps, gamma, lifted));
        assert_all_near(n, lifted, range, 1e-8);
        rico_impact_gap_velocity(impact, lifted, back);
        assert_all_near(h, back, gamma, 1e-8);

        // norms: |gamma| in G^- is |P_perp u| in M
        double norm = rico_impact_contact_norm(maps, gamma);
        assert_near(norm * norm, mass_product(impact, range, range), 1e-7 * (1.0 + norm * norm));
        rico_impact_maps_destroy(maps);
        rico_impact_destroy(impact);
    }
}


// Moreau's decomposition: u = prox_T + prox_Tperp, orthogonal in M, the first in T; the same in contact velocities; and
// the projection is idempotent and nonexpansive.
static void test_projections(void **state)
{
    rico_context *ctx = *state;
    rico_random random;
    rico_random_seed(&random, 6);
    for (int run = 0; run < 200; run++) {
        int64_t n = 2 + rico_random_below(&random, 6), h = 1 + rico_random_below(&random, 8);
        int64_t rank = 1 + rico_random_below(&random, n < h ? n : h);
        rico_impact *impact = random_impact(ctx, &random, n, h, rank);
        rico_impact_maps *maps = NULL;
        assert_ok(ctx, rico_impact_maps_create(impact, &maps));
        double u[16], w[16], tangent[16], polar[16], LC[16], gamma[16], cone[16], cone_polar[16], LC2[16];
        draw(&random, n, u);
        draw(&random, n, w);
        assert_ok(ctx, rico_impact_project_velocity(maps, u, tangent, polar, LC));
        rico_impact_gap_velocity(impact, tangent, gamma);
        for (int64_t j = 0; j < h; j++) {
            assert_at_most(-gamma[j], 1e-9);
            assert_at_most(-LC[j], 0.0);
        }
        for (int64_t i = 0; i < n; i++) assert_near(tangent[i] + polar[i], u[i], 1e-13);
        assert_near(mass_product(impact, tangent, polar), 0.0, 1e-9);

        double again[16], tangent_w[16];
        assert_ok(ctx, rico_impact_project_velocity(maps, tangent, again, NULL, NULL));
        assert_all_near(n, again, tangent, 1e-9);
        assert_ok(ctx, rico_impact_project_velocity(maps, w, tangent_w, NULL, NULL));
        double before[16], after[16];
        for (int64_t i = 0; i < n; i++) {
            before[i] = u[i] - w[i];
            after[i] = tangent[i] - tangent_w[i];
        }
        assert_at_most(rico_impact_kinetic_energy(impact, after),
                       rico_impact_kinetic_energy(impact, before) * (1.0 + 1e-9));

        // W' prox_T(u) = prox_K(W'u)
        double of_u[16];
        rico_impact_gap_velocity(impact, u, of_u);
        assert_ok(ctx, rico_impact_project_contact(maps, of_u, cone, cone_polar, LC2));
        assert_all_near(h, cone, gamma, 1e-9);
        for (int64_t j = 0; j < h; j++) assert_near(cone[j] + cone_polar[j], of_u[j], 1e-13);
        rico_impact_maps_destroy(maps);
        rico_impact_destroy(impact);
    }
}


// P6: Z = P + F S W' and S = W' Z F for every inequality law; Z by its prox formula: Newton prox_T - eps prox_Tperp,
// Poisson prox_T of that.
static void test_maps_of_laws(void **state)
{
    rico_context *ctx = *state;
    const char *const laws[] = {"moreau", "newton", "poisson"};
    rico_random random;
    rico_random_seed(&random, 9);
    for (int run = 0; run < 60; run++) {
        int64_t n = 2 + rico_random_below(&random, 5), h = 1 + rico_random_below(&random, 6);
        rico_impact *impact = random_impact(ctx, &random, n, h, n < h ? n : h);
        rico_impact_maps *maps = NULL;
        assert_ok(ctx, rico_impact_maps_create(impact, &maps));
        double e = rico_random_unit(&random), u[16], gamma[16], kernel[16], lifted[16];
        assert_ok(ctx, rico_impact_set_restitution(impact, RICO_ALL_CONTACTS, e));
        draw(&random, n, u);
        rico_impact_gap_velocity(impact, u, gamma);
        assert_ok(ctx, rico_impact_split(maps, u, kernel, NULL));
        double tangent[16], polar[16], formula[16], twice[16];
        assert_ok(ctx, rico_impact_project_velocity(maps, u, tangent, polar, NULL));
        for (int64_t i = 0; i < n; i++) formula[i] = tangent[i] - e * polar[i];
        assert_ok(ctx, rico_impact_project_velocity(maps, formula, twice, NULL, NULL));
        for (int l = 0; l < 3; l++) {
            rico_impact_law *law = law_on(ctx, laws[l], impact);
            rico_impact_result result;
            assert_ok(ctx, rico_impact_law_map_contact(law, gamma, &result));
            double S[16], Z[16], ZF[16], WZF[16];
            assert_null(result.velocity);
            assert_true(isnan(result.energy_before));
            memcpy(S, result.gap_after, (size_t)h * sizeof *S);
            assert_ok(ctx, rico_impact_lift(maps, S, lifted));
            result = apply(ctx, law, u);
            memcpy(Z, result.velocity, (size_t)n * sizeof *Z);
            for (int64_t i = 0; i < n; i++) assert_near(Z[i], kernel[i] + lifted[i], 1e-7);
            assert_all_near(n, Z, l == 2 ? twice : formula, 1e-8);

            assert_ok(ctx, rico_impact_lift(maps, gamma, lifted));
            result = apply(ctx, law, lifted);
            memcpy(ZF, result.velocity, (size_t)n * sizeof *ZF);
            rico_impact_gap_velocity(impact, ZF, WZF);
            assert_all_near(h, WZF, S, 1e-7);
            rico_impact_law_destroy(law);
        }
        rico_impact_maps_destroy(maps);
        rico_impact_destroy(impact);
    }
}


// P7 and P2: Lambda = 2 (1+e)/(1-e) LC(mean) and the loss is 2 Phi(mean) = (1-e^2)/2 |prox_Kperp(gamma-)|^2.
static void test_dissipation_potential(void **state)
{
    rico_context *ctx = *state;
    rico_random random;
    rico_random_seed(&random, 10);
    for (int run = 0; run < 100; run++) {
        int64_t n = 3 + rico_random_below(&random, 4), h = 1 + rico_random_below(&random, 3);
        rico_impact *impact = random_impact(ctx, &random, n, h, h);
        rico_impact_maps *maps = NULL;
        assert_ok(ctx, rico_impact_maps_create(impact, &maps));
        double e = 0.95 * rico_random_unit(&random), u[16], mean[16], impulse[16], polar[16], potential = 0.0;
        assert_ok(ctx, rico_impact_set_restitution(impact, RICO_ALL_CONTACTS, e));
        draw(&random, n, u);
        rico_impact_law *law = law_on(ctx, "newton", impact);
        rico_impact_result r = apply(ctx, law, u);
        for (int64_t j = 0; j < h; j++) mean[j] = 0.5 * (r.gap_before[j] + r.gap_after[j]);
        assert_ok(ctx, rico_impact_dissipation(maps, e, mean, impulse, &potential));
        assert_all_near(h, impulse, r.impulse, 1e-9);
        double loss = r.energy_before - r.energy_after;
        assert_near(loss, 2.0 * potential, 1e-9);
        assert_ok(ctx, rico_impact_project_contact(maps, r.gap_before, NULL, polar, NULL));
        double norm = rico_impact_contact_norm(maps, polar);
        assert_near(loss, 0.5 * (1.0 - e * e) * norm * norm, 1e-9);

        // Phi is homogeneous of degree 2, and -Lambda its gradient
        double scaled = 0.0, moved = 0.0, twice[16], step[16];
        for (int64_t j = 0; j < h; j++) {
            twice[j] = 2.0 * mean[j];
            step[j] = mean[j] + 1e-6 * (double)(j + 1);
        }
        assert_ok(ctx, rico_impact_dissipation(maps, e, twice, NULL, &scaled));
        assert_near(scaled, 4.0 * potential, 1e-9 * (1.0 + scaled));
        assert_ok(ctx, rico_impact_dissipation(maps, e, step, NULL, &moved));
        double slope = 0.0;
        for (int64_t j = 0; j < h; j++) slope -= impulse[j] * 1e-6 * (double)(j + 1);
        assert_near(moved - potential, slope, 1e-8);
        assert_int_equal(rico_impact_dissipation(maps, 1.0, mean, NULL, &scaled), RICO_BAD_ARGUMENT);
        rico_impact_law_destroy(law);
        rico_impact_maps_destroy(maps);
        rico_impact_destroy(impact);
    }
}


// P5: Newton and Poisson with one restitution are nonexpansive for every gamma-, Newton's also cyclically monotone.
static void test_global_restitution_is_monotone(void **state)
{
    rico_context *ctx = *state;
    rico_random random;
    rico_random_seed(&random, 12);
    for (int run = 0; run < 12; run++) {
        int64_t n = 3 + rico_random_below(&random, 4), h = 2 + rico_random_below(&random, 4);
        int64_t rank = run % 3 == 0 && h > 2 ? 2 : (n < h ? n : h);
        rico_impact *impact = random_impact(ctx, &random, n, h, rank);
        double e = run % 4 == 0 ? 1.0 : rico_random_unit(&random);
        assert_ok(ctx, rico_impact_set_restitution(impact, RICO_ALL_CONTACTS, e));
        for (int l = 0; l < 3; l++) {
            rico_impact_law *law = law_on(ctx, rico_impact_law_at(l)->name, impact);
            rico_impact_law_trial trial = rico_impact_law_trial_default();
            rico_impact_law_findings f;
            trial.tol = 1e-8;
            trial.samples = 100;
            for (int admissible = 0; admissible < 2; admissible++) {
                trial.admissible = admissible;
                trial.cycle = 3 + run % 3;
                assert_ok(ctx, rico_impact_law_check(law, &trial, &f));
                assert_int_equal(f.samples, 100);
                assert_int_equal(f.failures, 0);
                assert_true(f.kinetic && f.energetic && f.monotone);
                assert_true(f.kinetic_witness == NULL && f.energetic_witness == NULL &&
                            f.pair_witness == NULL);
                assert_at_most(f.expansion, 1.0 + 1e-8);
                if (admissible || l == 2) assert_true(f.kinematic && !f.kinematic_witness);
                if (l < 2) assert_true(f.cyclic && !f.cycle_witness);
                assert_int_equal(f.pairs, 99 * 100 / 2);
                assert_int_equal(f.cycles, 5000);
            }
            rico_impact_law_destroy(law);
        }
        rico_impact_destroy(impact);
    }
}


// C12: G = [[1, -0.95], [-0.95, 1]], E = diag(0, 1): the pair given expands by 1/0.0975, and G - E G E is indefinite.
static void test_monotonicity_lost(void **state)
{
    rico_context *ctx = *state;
    const double given[] = {-1.0, -0.1, -1.19, 0.1};
    rico_impact *impact = pair_of(ctx, 1.0, -0.95);
    assert_ok(ctx, rico_impact_set_restitution(impact, 0, 0.0));
    double margin = 0.0;
    assert_ok(ctx, rico_impact_newton_margin(impact, &margin));
    assert_near(margin, 0.5 - sqrt(0.25 + 0.95 * 0.95), 1e-14); // of [[1, -0.95], [-0.95, 0]]

    rico_impact_law *law = law_on(ctx, "newton", impact);
    rico_impact_result r;
    assert_ok(ctx, rico_impact_law_map_contact(law, given, &r));
    assert_all_near(2, r.gap_after, (double[]){0.0, 0.1}, 1e-14);
    assert_ok(ctx, rico_impact_law_map_contact(law, given + 2, &r));
    assert_all_near(2, r.gap_after, (double[]){0.0, -0.1}, 1e-14);

    rico_impact_law_trial trial = rico_impact_law_trial_default();
    rico_impact_law_findings f;
    trial.samples = 0;
    trial.given_count = 2;
    trial.given = given;
    trial.cycle = 2;
    assert_ok(ctx, rico_impact_law_check(law, &trial, &f));
    assert_false(f.monotone);
    assert_false(f.cyclic);
    assert_near(f.expansion, 1.0 / 0.0975, 1e-10);
    assert_all_near(4, f.pair_witness, given, 0.0);
    assert_non_null(f.cycle_witness);
    assert_false(f.kinematic);
    assert_all_near(2, f.kinematic_witness, given + 2, 0.0);

    // energy growth needs an opening contact: E = diag(1, 0), gamma- = (-1, 0.95)
    const double opening[] = {-1.0, 0.95};
    assert_ok(ctx, rico_impact_set_restitution(impact, 0, 1.0));
    assert_ok(ctx, rico_impact_set_restitution(impact, 1, 0.0));
    trial.given_count = 1;
    trial.given = opening;
    assert_ok(ctx, rico_impact_law_check(law, &trial, &f));
    assert_false(f.energetic);
    assert_near(f.worst_energy, 0.5 / 0.0975 / 0.5 - 1.0, 1e-10);
    assert_all_near(2, f.energetic_witness, opening, 0.0);

    // what random sampling finds without help, and what it does not find among admissible velocities (P4)
    trial = rico_impact_law_trial_default();
    trial.admissible = false;
    trial.samples = 400;
    assert_ok(ctx, rico_impact_law_check(law, &trial, &f));
    assert_false(f.monotone);
    assert_false(f.energetic);
    assert_true(f.expansion > 1.5);
    trial.admissible = true;
    assert_ok(ctx, rico_impact_law_check(law, &trial, &f));
    assert_true(f.energetic && f.kinematic && f.kinetic);
    rico_impact_law_destroy(law);
    rico_impact_destroy(impact);
}


// P5: Newton with different restitutions is nonexpansive while G - E G E is semidefinite, on random 2 x 2 cases; where
// it is not, some violate it. Poisson with different ones can violate it too.
static void test_different_restitutions(void **state)
{
    rico_context *ctx = *state;
    rico_random random;
    rico_random_seed(&random, 14);
    int64_t pairs = 0, newton = 0, poisson = 0;
    for (int run = 0; run < 150; run++) {
        rico_impact *impact = pair_of(ctx, 1.0, rico_random_range(&random, -0.98, 0.98));
        double margin = 0.0;
        for (int j = 0; j < 2; j++)
            assert_ok(ctx, rico_impact_set_restitution(impact, j, rico_random_unit(&random)));
        assert_ok(ctx, rico_impact_newton_margin(impact, &margin));
        rico_impact_law_trial trial = rico_impact_law_trial_default();
        rico_impact_law_findings f;
        trial.samples = 60;
        trial.admissible = false;
        rico_impact_law *law = law_on(ctx, "newton", impact);
        assert_ok(ctx, rico_impact_law_check(law, &trial, &f));
        if (margin >= 0.0) {
            assert_true(f.monotone);
            pairs += f.pairs;
        } else {
            newton += !f.monotone;
        }
        rico_impact_law_destroy(law);
        law = law_on(ctx, "poisson", impact);
        assert_ok(ctx, rico_impact_law_check(law, &trial, &f));
        poisson += !f.monotone;
        rico_impact_law_destroy(law);
        rico_impact_destroy(impact);
    }
    assert_true(pairs > 20000);
    assert_true(newton > 0 && poisson > 0);
}


// The checks run on laws that are no map of complementarity: binary collisions and LZB.
static void test_checks_on_other_laws(void **state)
{
    rico_context *ctx = *state;
    const double mass[] = {1.0, 0.5, 1.0, 2.0};
    rico_impact *impact = chain_of(ctx, 4, mass, RICO_CHAIN_FREE);
    assert_ok(ctx, rico_impact_set_restitution(impact, RICO_ALL_CONTACTS, 0.9));
    for (int l = 3; l < 5; l++) {
        rico_impact_law *law = law_on(ctx, rico_impact_law_at(l)->name, impact);
        if (l == 4) assert_ok(ctx, rico_impact_law_set(law, "relative-step", "2e-3"));
        rico_impact_law_trial trial = rico_impact_law_trial_default();
        rico_impact_law_findings f;
        trial.samples = 20;
        trial.tol = 1e-5; // of lzb's start tolerance
        assert_ok(ctx, rico_impact_law_check(law, &trial, &f));
        assert_int_equal(f.samples + f.failures, 20);
        assert_true(f.kinematic && f.kinetic && f.energetic);
        rico_impact_law_destroy(law);
    }
    rico_impact_destroy(impact);
}


static void test_refused_trials(void **state)
{
    rico_context *ctx = *state;
    rico_impact_law *law = NULL;
    rico_impact_law_findings f;
    rico_impact_law_trial trial = rico_impact_law_trial_default();
    assert_ok(ctx, rico_impact_law_create(ctx, "newton", &law));
    assert_int_equal(rico_impact_law_check(law, &trial, &f), RICO_BAD_ARGUMENT);
    rico_impact *impact = chain_of(ctx, 3, NULL, RICO_CHAIN_FREE);
    assert_ok(ctx, rico_impact_law_setup(law, impact));
    trial.cycle = 1;
    assert_int_equal(rico_impact_law_check(law, &trial, &f), RICO_BAD_ARGUMENT);
    trial.cycle = 3;
    trial.samples = -1;
    assert_int_equal(rico_impact_law_check(law, &trial, &f), RICO_BAD_ARGUMENT);
    trial.samples = 1;
    trial.given_count = 1;
    assert_int_equal(rico_impact_law_check(law, &trial, &f), RICO_BAD_ARGUMENT);
    trial.given_count = 0;
    trial.tol = NAN;
    assert_int_equal(rico_impact_law_check(law, &trial, &f), RICO_BAD_ARGUMENT);
    rico_impact_result r;
    assert_int_equal(rico_impact_law_map_contact(law, (double[]){NAN, 0.0}, &r), RICO_BAD_INPUT);
    rico_impact_law_destroy(law);
    rico_impact_destroy(impact);

    // gamma outside the range of W': contact 1 and 2 are opposite, their velocities cannot both be negative
    const double M[] = {1.0}, W[] = {1.0, -1.0}, gamma[] = {-1.0, -1.0};
    rico_impact_maps *maps = NULL;
    impact = impact_of(ctx, 1, 2, M, W);
    assert_ok(ctx, rico_impact_maps_create(impact, &maps));
    assert_int_equal(rico_impact_project_contact(maps, gamma, NULL, NULL, NULL), RICO_BAD_INPUT);
    assert_int_equal(rico_impact_rank(maps), 1);
    double impulse[2];
    rico_impact_pseudo_inverse(maps, (double[]){1.0, -1.0}, impulse);
    assert_all_near(2, impulse, (double[]){0.5, -0.5}, 1e-15);
    assert_near(dot(2, impulse, impulse), 0.5, 1e-15);
    rico_impact_maps_destroy(maps);
    rico_impact_destroy(impact);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_projectors),
        cmocka_unit_test(test_projections),
        cmocka_unit_test(test_maps_of_laws),
        cmocka_unit_test(test_dissipation_potential),
        cmocka_unit_test(test_global_restitution_is_monotone),
        cmocka_unit_test(test_monotonicity_lost),
        cmocka_unit_test(test_different_restitutions),
        cmocka_unit_test(test_checks_on_other_laws),
        cmocka_unit_test(test_refused_trials),
    };
    return cmocka_run_group_tests(tests, make_context, drop_context);
}
