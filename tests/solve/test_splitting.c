// The splitting family: local solvers against the exact one, every member on heaps of both forms, relaxation, steps,
// tolerances, and problems without a solution.

#include "dense_reference.h"
#include "solve/column.h"
#include "solve/solver_runs.h"

#include "solve/local_solvers.h"

static const char *const members[] = {"nsgs",           "nsgs-exact",     "nsgs-ac",
                                      "nsgs-jm",        "nsgs-ac-gp",     "nsgs-jm-gp",
                                      "nsgs-fp-ds-one", "nsgs-fp-vi-upk", "psor-ac"};
enum { MEMBERS = sizeof members / sizeof members[0] };

static const rico_rho_rule rules[] = {RICO_RHO_ONE, RICO_RHO_NORM, RICO_RHO_SPECTRAL, RICO_RHO_SPLIT,
                                      RICO_RHO_SPLIT_CONDITION};
enum { RULES = sizeof rules / sizeof rules[0] };


// A definite W with |W| near 1, moderately coupled: with mu < 1/2 the contact has one solution.
static void draw_contact(rico_random *random, double W[9], double q[3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++)
            W[3 * i + j] = W[3 * j + i] =
                i == j ? rico_random_range(random, 0.5, 1.5) : rico_random_range(random, -0.2, 0.2);
    q[0] = rico_random_range(random, -1.0, 0.3);
    for (int i = 1; i < 3; i++) q[i] = rico_random_range(random, -0.4, 0.4);
}


// Called again from where it ended, as sweeps do, each local solver arrives at the exact solution, with every rule.
static void test_local_solvers_agree_with_the_exact_one(void **state)
{
    (void)state;
    enum { DRAWS = 300, CALLS = 400 };
    rico_random random;
    rico_random_seed(&random, 7);
    int states[4] = {0};
    for (int draw = 0; draw < DRAWS; draw++) {
        double W[9], q[3], mu = rico_random_range(&random, 0.0, 0.5);
        draw_contact(&random, W, q);
        rico_one_contact contact;
        rico_one_contact_prepare(&contact, W, mu);
        double exact[3] = {0.0};
        states[rico_one_contact_solve(&contact, q, exact)]++;

        const rico_local_solver *solver;
        for (int s = 0; (solver = rico_local_solver_at((rico_local_kind)s)); s++)
            for (int k = 0; k < RULES; k++) {
                rico_rho rho = rico_rho_from_block(rules[k], 3, W);
                rico_local_tuning tuning = {rho, rho.normal};
                rico_local_limits limits = {1e-14, 100};
                double r[3] = {0.3, 0.1, -0.2};
                for (int call = 0; call < CALLS; call++) solver->solve(&contact, &tuning, &limits, q, r);
                for (int i = 0; i < 3; i++)
                    if (!(fabs(r[i] - exact[i]) <= 1e-9))
                        fail_msg("%s, rule %d, draw %d: r[%d] = %.15g, exactly %.15g", solver->name, k, draw,
                                 i, r[i], exact[i]);
            }
    }
    assert_true(states[RICO_OPEN] > 20 && states[RICO_STICKING] > 20 && states[RICO_SLIDING] > 20);
}


// Where Newton's method converges, one call suffices: the local iteration is a real one.
static void test_local_newton_solves_in_one_call(void **state)
{
    (void)state;
    enum { DRAWS = 500 };
    static const rico_local_kind kinds[] = {RICO_LOCAL_ALART_CURNIER, RICO_LOCAL_JEAN_MOREAU,
                                            RICO_LOCAL_ALART_CURNIER_GP, RICO_LOCAL_JEAN_MOREAU_GP,
                                            RICO_LOCAL_PROJECTIONS};
    rico_random random;
    rico_random_seed(&random, 8);
    int solved[5] = {0};
    for (int draw = 0; draw < DRAWS; draw++) {
        double W[9], q[3], mu = rico_random_range(&random, 0.1, 0.5);
        draw_contact(&random, W, q);
        rico_one_contact contact;
        rico_one_contact_prepare(&contact, W, mu);
        for (int s = 0; s < 5; s++) {
            const rico_local_solver *solver = rico_local_solver_at(kinds[s]);
            rico_rho rho = rico_rho_from_block(solver->rule, 3, W);
            rico_local_tuning tuning = {rho, rho.normal};
            rico_local_limits limits = {1e-14, 1000};
            double r[3] = {0.0}, u[3];
            solver->solve(&contact, &tuning, &limits, q, r);
            for (int i = 0; i < 3; i++)
                u[i] = q[i] + W[3 * i] * r[0] + W[3 * i + 1] * r[1] + W[3 * i + 2] * r[2];
            if (coulomb_defect(mu, u, r) <= 1e-12) solved[s]++;
        }
    }
    for (int s = 0; s < 5; s++)
        if (solved[s] < DRAWS * 95 / 100)
            fail_msg("%s solves %d of %d", rico_local_solver_at(kinds[s])->name, solved[s], DRAWS);
}


static void test_one_projection_is_one_projection(void **state)
{
    (void)state;
    // W = 2 I, rho = 1/2, mu = 1
    double W[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2}, q[3] = {-2, 4, 0}, r[3] = {0};
    rico_one_contact contact;
    rico_one_contact_prepare(&contact, W, 1.0);
    rico_rho rho = rico_rho_from_block(RICO_RHO_SPECTRAL, 3, W);
    rico_local_tuning tuning = {rho, rho.normal};
    rico_local_limits limits = {1e-14, 100};
    rico_local_solver_at(RICO_LOCAL_ONE_PROJECTION)->solve(&contact, &tuning, &limits, q, r);
    // hat = (-2 + 4, 4, 0), z = r - hat/2 = (-1, -2, 0), whose nearest point on the ray (1, -1, 0) is (1/2, -1/2, 0)
    assert_near(r[0], 0.5, 1e-14);
    assert_near(r[1], -0.5, 1e-14);
    assert_near(r[2], 0.0, 1e-14);
    assert_null(rico_local_solver_at(RICO_LOCAL_KINDS));
}


// Heaps with joints, in space and in the plane, as M and H and as W: every member gets there.
static void test_every_member_solves_heaps(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    const char *const options[] = {"tol", "1e-9", "max-iter", "20000", NULL};
    for (int k = 0; k < MEMBERS; k++)
        for (int variant = 0; variant < 4; variant++) {
            rico_problem *p = heap_of(ctx, 30, 40, 0.4, variant < 2 ? 3 : 0, variant == 3 ? 2 : 3,
                                      variant % 2 == 1, 3 + (uint64_t)variant);
            double *r = calloc((size_t)rico_problem_rows(p), sizeof *r);
            rico_report report = run_solver(ctx, p, members[k], options, r);
            if (report.stop != RICO_CONVERGED || !(report.residual.relative <= 1e-9))
                fail_msg("%s, variant %d: %s at %.3g", members[k], variant, rico_stop_name(report.stop),
                         report.residual.relative);
            free(r);
            rico_problem_destroy(p);
        }
    rico_context_destroy(ctx);
}


static void test_every_member_admits_defeat(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    const char *const options[] = {"max-iter", "500", NULL};
    for (int k = 0; k < MEMBERS; k++) {
        rico_problem *p = hopeless_problem(ctx);
        double r[4] = {0};
        rico_report report = run_solver(ctx, p, members[k], options, r);
        assert_int_not_equal(report.stop, RICO_CONVERGED);
        assert_true(report.residual.relative > 1e-3);
        for (int i = 0; i < 4; i++) assert_true(isfinite(r[i]));
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


// One block that ends up sticking: u = (1/omega) W r + q vanishes after the first sweep, so r = -omega W^-1 q (eq. 118).
static void test_omega_is_the_relaxation_of_the_source(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    int64_t start[] = {0, 3, 6, 9}, row[] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
    double value[] = {2, 0.5, 0, 0.5, 1, 0, 0, 0, 4}, q[] = {-2, 0.5, 0.4};
    // -W^-1 q by hand: the upper block has the determinant 1.75
    double held[3] = {2.25 / 1.75, -2.0 / 1.75, -0.1};
    const rico_block block = {RICO_COULOMB_3D, 3, 1.0};
    rico_sparse_view W = {3, 3, start, row, value};
    static const char *const omegas[] = {"0.5", "1", "1.5"};
    for (int k = 0; k < 3; k++) {
        rico_problem *p = NULL;
        rico_solver *solver = NULL;
        rico_report report;
        double r[3] = {0};
        assert_ok(ctx, rico_problem_create_reduced(ctx, 1, &block, &W, q, &p));
        assert_ok(ctx, rico_solver_create(ctx, "psor-ac", &solver));
        assert_ok(ctx, rico_solver_set(solver, "omega", omegas[k]));
        assert_ok(ctx, rico_solver_set(solver, "max-iter", "1"));
        assert_ok(ctx, rico_solver_set(solver, "tol", "0"));
        assert_ok(ctx, rico_solver_setup(solver, p));
        assert_ok(ctx, rico_solver_solve(solver, r, NULL, &report));
        for (int i = 0; i < 3; i++) assert_near(r[i], atof(omegas[k]) * held[i], 1e-12);
        rico_solver_destroy(solver);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


static void test_omega_keeps_the_solution(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_problem *p = heap_of(ctx, 30, 40, 0.3, 2, 3, true, 9);
    size_t m = (size_t)rico_problem_rows(p), bytes = m * sizeof(double);
    double *plain = calloc(m, sizeof *plain), *relaxed = calloc(m, sizeof *relaxed);
    rico_report first = run_solver(ctx, p, "nsgs-ac", NULL, plain);
    rico_report second = run_solver(ctx, p, "psor-ac", (const char *const[]){"omega", "1", NULL}, relaxed);
    assert_int_equal(first.iterations, second.iterations);
    assert_memory_equal(plain, relaxed, bytes);

    static const char *const omegas[] = {"0.4", "0.8", "1.2", "1.4"};
    for (int k = 0; k < 4; k++) {
        memset(relaxed, 0, bytes);
        const char *const options[] = {"omega", omegas[k], NULL};
        rico_report report = run_solver(ctx, p, "psor-ac", options, relaxed);
        assert_int_equal(report.stop, RICO_CONVERGED);
        assert_true(report.iterations != first.iterations);
    }

    rico_solver *solver = NULL;
    assert_ok(ctx, rico_solver_create(ctx, "psor-ac", &solver));
    assert_int_equal(rico_solver_set(solver, "omega", "0"), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_solver_set(solver, "omega", "2"), RICO_BAD_ARGUMENT);
    rico_solver_destroy(solver);
    assert_ok(ctx, rico_solver_create(ctx, "nsgs", &solver));
    assert_int_equal(rico_solver_set(solver, "omega", "1"), RICO_BAD_ARGUMENT); // it has none
    rico_solver_destroy(solver);
    free(plain);
    free(relaxed);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// Steps and tolerances change the way, not the end.
static void test_rules_lead_to_the_same_end(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_problem *p = heap_of(ctx, 25, 35, 0.3, 0, 3, true, 4);
    double *r = calloc((size_t)rico_problem_rows(p), sizeof *r);
    static const char *const names[] = {"default", "one", "norm", "spectral", "split", "split-condition"};
    for (int k = 0; k < 6; k++)
        for (int adaptive = 0; adaptive < 2; adaptive++)
            for (int m = 2; m < MEMBERS; m++) {
                // a unit step is no contraction for one projection on these W
                if (strcmp(members[m], "nsgs-fp-ds-one") == 0 && k == 1) continue;
                const char *const options[] = {"rho-rule", names[k], "local-tol-rule",
                                               adaptive ? "adaptive" : "fixed", NULL};
                memset(r, 0, (size_t)rico_problem_rows(p) * sizeof *r);
                rico_report report = run_solver(ctx, p, members[m], options, r);
                if (report.stop != RICO_CONVERGED)
                    fail_msg("%s, %s, %s: %s at %.3g", members[m], names[k], options[3],
                             rico_stop_name(report.stop), report.residual.relative);
            }
    free(r);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// Light masses, so that W is large: blocks may all be within a tenth of the residual, in their own units of impulses,
// and nothing moves, while the whole is not. That must not be the end.
static void test_adaptive_tolerance_does_not_stall(void **state)
{
    (void)state;
    enum { HEIGHT = 60 };
    rico_context *ctx = rico_context_create(NULL);
    rico_problem *p = column_problem(ctx, HEIGHT, 0.01, 0.5, 1.0, 0.0);
    double r[3 * HEIGHT] = {0};
    rico_report report =
        run_solver(ctx, p, "nsgs-ac", (const char *const[]){"local-tol-rule", "adaptive", NULL}, r);
    assert_int_equal(report.stop, RICO_CONVERGED);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// A tight tolerance and few local iterations make local-max-iter felt, and the options are there to be set.
static void test_local_iterations_are_limited(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_problem *p = heap_of(ctx, 25, 35, 0.3, 0, 3, true, 4);
    size_t m = (size_t)rico_problem_rows(p);
    double *few = calloc(m, sizeof *few), *many = calloc(m, sizeof *many);
    const char *const one[] = {"local-max-iter", "1", "max-iter", "2", "tol", "0", NULL};
    const char *const lots[] = {"local-max-iter", "1000", "max-iter", "2", "tol", "0", NULL};
    run_solver(ctx, p, "nsgs-fp-vi-upk", one, few);
    run_solver(ctx, p, "nsgs-fp-vi-upk", lots, many);
    assert_memory_not_equal(few, many, m * sizeof *few);
    free(few);
    free(many);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_local_solvers_agree_with_the_exact_one),
        cmocka_unit_test(test_local_newton_solves_in_one_call),
        cmocka_unit_test(test_one_projection_is_one_projection),
        cmocka_unit_test(test_every_member_solves_heaps),
        cmocka_unit_test(test_every_member_admits_defeat),
        cmocka_unit_test(test_omega_is_the_relaxation_of_the_source),
        cmocka_unit_test(test_omega_keeps_the_solution),
        cmocka_unit_test(test_rules_lead_to_the_same_end),
        cmocka_unit_test(test_adaptive_tolerance_does_not_stall),
        cmocka_unit_test(test_local_iterations_are_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
