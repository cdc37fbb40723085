// Coulomb's law by convex problems: known answers, agreement with Gauss-Seidel, the relaxation and what it is worth,
// and giving up in words.

#include "solve/cases.h"

static const char *const coulomb[] = {
    "pana-pgs-fp-vi-upk",    "pana-pgs-eg-vi-upk", "pana-pgs-convexqp-pg", "pana-convexqp-pg",
    "tresca-nsgs-fp-vi-upk", "tresca-fp-vi-upk",   "tresca-eg-vi-upk",     "tresca-convexqp-pg",
    "aclm-nsgs-fp-vi-upk",   "aclm-fp-vi-upk",     "aclm-eg-vi-upk",       "aclm-convexqp-pg",
};
enum { COULOMB = sizeof coulomb / sizeof coulomb[0] };


static void solve(rico_context *ctx, rico_problem *p, const char *name, const char *tol, double *r,
                  rico_report *report)
{
    solve_with(ctx, &(solver_choice){name, {"max-iter=3000"}}, p, tol, r, report);
}


static rico_problem *heap(rico_context *ctx, int dimension, double friction, uint64_t seed)
{
    rico_random_heap options = rico_random_heap_default();
    options.contacts = 20;
    options.bodies = 40;
    options.joints = 2;
    options.dimension = dimension;
    options.friction = friction;
    options.friction_spread = 0.5;
    options.reduced = seed % 2;
    options.seed = seed;
    rico_problem *p = NULL;
    assert_ok(ctx, rico_generate_random(ctx, &options, &p));
    return p;
}


static void test_block_on_a_plane(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (int k = 0; k < COULOMB; k++)
        for (int i = 0; i < PLANE_CASES; i++) {
            rico_report report;
            double r[3] = {0}, expected[3];
            rico_problem *p = block_on_a_plane(ctx, i, expected);
            solve(ctx, p, coulomb[k], "1e-12", r, &report);
            assert_int_equal(report.stop, RICO_CONVERGED);
            for (int j = 0; j < 3; j++) assert_near(r[j], expected[j], 1e-10);
            rico_problem_destroy(p);
        }
    rico_context_destroy(ctx);
}


// Small friction: one solution, and every member finds the velocity that Gauss-Seidel finds.
static void test_agree_with_gauss_seidel(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (uint64_t seed = 1; seed <= 4; seed++) {
        rico_problem *p = heap(ctx, seed <= 2 ? 3 : 2, 0.1, seed);
        int64_t m = rico_problem_rows(p);
        double *r = calloc((size_t)m, sizeof *r), *u = calloc((size_t)m, sizeof *u);
        double *expected = calloc((size_t)m, sizeof *expected);
        rico_report report;
        solve(ctx, p, "nsgs", "1e-12", r, &report);
        assert_int_equal(report.stop, RICO_CONVERGED);
        assert_ok(ctx, rico_problem_velocity(p, r, expected, NULL));
        for (int k = 0; k < COULOMB; k++) {
            memset(r, 0, (size_t)m * sizeof *r);
            solve(ctx, p, coulomb[k], "1e-10", r, &report);
            if (report.stop != RICO_CONVERGED)
                fail_msg("%s on heap %d: %s at %.3g", coulomb[k], (int)seed, rico_stop_name(report.stop),
                         report.residual.relative);
            assert_ok(ctx, rico_problem_velocity(p, r, u, NULL));
            for (int64_t i = 0; i < m; i++) assert_near(u[i], expected[i], 1e-6);

            // a warm start from there costs nothing
            solve(ctx, p, coulomb[k], "1e-10", r, &report);
            assert_int_equal(report.iterations, 0);
        }
        free(r);
        free(u);
        free(expected);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


// Without friction the relaxation is the problem itself, whichever engine.
static void test_frictionless_relaxation_is_exact(void **state)
{
    (void)state;
    static const char *const engines[] = {"gs", "fp", "eg", "pg", "apgd"};
    rico_context *ctx = rico_context_create(NULL);
    for (uint64_t seed = 1; seed <= 2; seed++) {
        rico_problem *p = heap(ctx, 3, 0.0, seed);
        int64_t m = rico_problem_rows(p);
        double *r = calloc((size_t)m, sizeof *r);
        rico_report report;
        for (int e = 0; e < 6; e++) {
            rico_solver *solver = NULL;
            assert_ok(ctx, rico_solver_create(ctx, e < 5 ? "soclcp" : "qp", &solver));
            if (e < 5) assert_ok(ctx, rico_solver_set(solver, "inner", engines[e]));
            assert_ok(ctx, rico_solver_set(solver, "tol", "1e-10"));
            assert_ok(ctx, rico_solver_setup(solver, p));
            memset(r, 0, (size_t)m * sizeof *r);
            assert_ok(ctx, rico_solver_solve(solver, r, NULL, &report));
            assert_int_equal(report.stop, RICO_CONVERGED);
            assert_at_most(report.residual.relative, 1e-10);
            rico_solver_destroy(solver);
        }
        free(r);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


// With friction it solves K* 3 u, orthogonal to r in K, which is not Coulomb's law: the report says both.
static void test_relaxation_says_what_it_solved(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    static const char *const names[] = {"soclcp", "qp"};
    for (int k = 0; k < 2; k++) {
        rico_problem *p = heap(ctx, 3, 0.5, 5);
        int64_t m = rico_problem_rows(p);
        double *r = calloc((size_t)m, sizeof *r), *u = calloc((size_t)m, sizeof *u);
        rico_report report;
        solve(ctx, p, names[k], "1e-11", r, &report);
        assert_int_equal(report.stop, RICO_STALLED);
        assert_non_null(strstr(report.note, "associated problem"));
        assert_true(report.residual.relative > 1e-4);

        // the r that came out is the associated solution: in the cone, u in the dual, no power
        assert_ok(ctx, rico_problem_velocity(p, r, u, NULL));
        bool slides = false;
        for (int64_t a = 0; a < rico_problem_block_count(p); a++) {
            rico_block block = rico_problem_block(p, a);
            if (block.kind != RICO_COULOMB_3D) continue;
            const double *x = &r[rico_problem_block_offset(p, a)];
            const double *v = &u[rico_problem_block_offset(p, a)];
            assert_at_most(hypot(x[1], x[2]) - block.friction * x[0], 1e-8);
            assert_at_most(block.friction * hypot(v[1], v[2]) - v[0], 1e-8);
            assert_near(x[0] * v[0] + x[1] * v[1] + x[2] * v[2], 0.0, 1e-8);
            slides = slides || (x[0] > 1e-3 && v[0] > 1e-3); // pushed and lifting off at once: not Coulomb
        }
        assert_true(slides);
        free(r);
        free(u);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


static void test_unsymmetric_matrix(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_problem *p = unsymmetric_problem(ctx, 0.4);
    for (int k = 0; k < COULOMB; k++) {
        double r[6] = {0}, u[6];
        rico_report report;
        solve(ctx, p, coulomb[k], "1e-11", r, &report);
        assert_int_equal(report.stop, RICO_CONVERGED);
        assert_ok(ctx, rico_problem_velocity(p, r, u, NULL));
        for (int a = 0; a < 2; a++)
            assert_at_most(coulomb_defect(rico_problem_block(p, a).friction, &u[3 * a], &r[3 * a]), 1e-9);
    }
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// W = 0 and q < 0: no impulse helps. Every member stops, does not claim success, and returns numbers. Gauss-Seidel leaves
// rows alone that nothing answers to, the gradient follows them to infinity and notices.
static void test_no_solution(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_problem *p = hopeless_problem(ctx);
    for (int k = 0; k < COULOMB + 2; k++) {
        double r[4] = {0};
        rico_report report;
        const char *name = k < COULOMB ? coulomb[k] : k == COULOMB ? "soclcp" : "qp";
        solve(ctx, p, name, "1e-8", r, &report);
        assert_int_equal(report.stop, strstr(name, "gs-") ? RICO_STALLED : RICO_DIVERGED);
        assert_true(report.note[0]);
        for (int i = 0; i < 4; i++) assert_true(isfinite(r[i]));
    }
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// One sliding contact: a threshold from the last normal impulse gives r_N <- 1 - mu |W_NT| r_N, which with
// mu |W_NT| = 1.35 moves away from the answer 1 / 2.35, while the contact solved as a whole has it at once.
static void test_thresholds_that_cycle(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    int64_t start[] = {0, 2, 4}, row[] = {0, 1, 0, 1};
    double value[] = {1.0, -0.9, -0.9, 1.0}, q[] = {-1.0, 20.0};
    const rico_block contact = {RICO_COULOMB_2D, 2, 1.5};
    rico_sparse_view W = {2, 2, start, row, value};
    rico_problem *p = NULL;
    rico_report report;
    assert_ok(ctx, rico_problem_create_reduced(ctx, 1, &contact, &W, q, &p));
    double r[2] = {0};
    solve(ctx, p, "nsgs", "1e-12", r, &report);
    assert_int_equal(report.stop, RICO_CONVERGED);
    assert_near(r[0], 1.0 / (1.0 + 1.5 * 0.9), 1e-10);
    assert_near(r[1], -1.5 * r[0], 1e-10);

    static const char *const names[] = {"tresca-nsgs-fp-vi-upk", "tresca-eg-vi-upk"};
    for (int k = 0; k < 2; k++) {
        rico_solver *solver = NULL;
        assert_ok(ctx, rico_solver_create(ctx, names[k], &solver));
        assert_ok(ctx, rico_solver_set(solver, "inner-tol-factor", "1e-6"));
        assert_ok(ctx, rico_solver_setup(solver, p));
        memset(r, 0, sizeof r);
        assert_ok(ctx, rico_solver_solve(solver, r, NULL, &report));
        assert_int_equal(report.stop, RICO_STALLED);
        assert_non_null(strstr(report.note, "no progress"));
        assert_true(report.residual.relative > 1e-3);
        rico_solver_destroy(solver);
    }
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


static void test_limits_and_new_vectors(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_problem *p = heap(ctx, 3, 0.3, 7);
    int64_t m = rico_problem_rows(p);
    double *r = calloc((size_t)m, sizeof *r), *q = malloc((size_t)m * sizeof *q);
    for (int k = 0; k < COULOMB; k++) {
        rico_solver *solver = NULL;
        rico_report report;
        assert_ok(ctx, rico_solver_create(ctx, coulomb[k], &solver));
        assert_ok(ctx, rico_solver_set(solver, "tol", "0"));
        assert_ok(ctx, rico_solver_set(solver, "max-iter", "3"));
        assert_ok(ctx, rico_solver_setup(solver, p));
        memset(r, 0, (size_t)m * sizeof *r);
        assert_ok(ctx, rico_solver_solve(solver, r, NULL, &report));
        assert_int_equal(report.stop, RICO_MAX_ITERATIONS);
        assert_int_equal(report.iterations, 3);

        // the clock runs inside the convex problems too: one that could go on for hours stops
        assert_ok(ctx, rico_solver_set(solver, "max-iter", "1000000000"));
        assert_ok(ctx, rico_solver_set(solver, "patience", "1000000000"));
        assert_ok(ctx, rico_solver_set(solver, "inner-max-iter", "1000000000"));
        assert_ok(ctx, rico_solver_set(solver, "time-limit", "0.02"));
        assert_ok(ctx, rico_solver_solve(solver, r, NULL, &report));
        assert_int_equal(report.stop, RICO_TIME_LIMIT);

        for (int64_t i = 0; i < m; i++) q[i] = -0.7 * rico_problem_free_velocity(p)[i];
        assert_ok(ctx, rico_problem_set_free_velocity(p, q));
        assert_ok(ctx, rico_solver_update(solver));
        assert_ok(ctx, rico_solver_set(solver, "time-limit", "0"));
        assert_ok(ctx, rico_solver_set(solver, "tol", "1e-7"));
        assert_ok(ctx, rico_solver_set(solver, "max-iter", "3000"));
        assert_ok(ctx, rico_solver_solve(solver, r, NULL, &report));
        assert_int_equal(report.stop, RICO_CONVERGED);
        assert_true(report.iterations > 0);
        rico_solver_destroy(solver);
    }
    free(r);
    free(q);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


static rico_problem *rough_heap(rico_context *ctx)
{
    return heap(ctx, 3, 0.2, 3);
}


static void test_solving_allocates_nothing(void **state)
{
    (void)state;
    check_solving_allocates_nothing(COULOMB, coulomb, rough_heap);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_block_on_a_plane),
        cmocka_unit_test(test_agree_with_gauss_seidel),
        cmocka_unit_test(test_frictionless_relaxation_is_exact),
        cmocka_unit_test(test_relaxation_says_what_it_solved),
        cmocka_unit_test(test_unsymmetric_matrix),
        cmocka_unit_test(test_no_solution),
        cmocka_unit_test(test_thresholds_that_cycle),
        cmocka_unit_test(test_limits_and_new_vectors),
        cmocka_unit_test(test_solving_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
