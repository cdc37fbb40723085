// Gauss-Seidel: answers known by hand, both forms alike, every kind of block, repeatability.

#include "solve/cases.h"

static double solve(rico_context *ctx, rico_problem *p, const char *tol, double *r, rico_report *report)
{
    return solve_with(ctx, &(solver_choice){"nsgs", {NULL}}, p, tol, r, report);
}


static void test_block_on_a_plane(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (int i = 0; i < PLANE_CASES; i++) {
        rico_report report;
        double r[3] = {0}, expected[3];
        rico_problem *p = block_on_a_plane(ctx, i, expected);
        assert_at_most(solve(ctx, p, "1e-14", r, &report), 1e-14);
        for (int k = 0; k < 3; k++) assert_near(r[k], expected[k], 1e-13);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


// The same heap, global (v updated contact by contact) and reduced (rows of W): same iterates up to round-off.
static void test_both_forms_agree(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (uint64_t seed = 1; seed <= 8; seed++) {
        rico_random_heap heap = rico_random_heap_default();
        heap.contacts = 50;
        heap.bodies = 60;
        heap.joints = seed % 2 ? 5 : 0;
        heap.dimension = seed % 3 ? 3 : 2;
        heap.friction = 0.3;
        heap.seed = seed;
        rico_problem *global = NULL, *reduced = NULL;
        assert_ok(ctx, rico_generate_random(ctx, &heap, &global));
        heap.reduced = true;
        assert_ok(ctx, rico_generate_random(ctx, &heap, &reduced));

        int64_t m = rico_problem_rows(global);
        double *a = calloc((size_t)m, sizeof *a), *b = calloc((size_t)m, sizeof *b);
        rico_report first, second;
        assert_at_most(solve(ctx, global, "1e-10", a, &first), 1e-10);
        assert_at_most(solve(ctx, reduced, "1e-10", b, &second), 1e-10);
        assert_true(llabs(first.iterations - second.iterations) <= 1 + first.iterations / 10);

        // and what solves one form solves the other
        rico_residual residual;
        assert_ok(ctx, rico_problem_residual(reduced, a, NULL, &residual));
        assert_at_most(residual.relative, 2e-10);
        free(a);
        free(b);
        rico_problem_destroy(global);
        rico_problem_destroy(reduced);
    }
    rico_context_destroy(ctx);
}


// The residual that comes with the answer, recomputed here from W, q and mu alone.
static void test_residual_is_confirmed(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random_heap heap = rico_random_heap_default();
    heap.contacts = 40;
    heap.bodies = 12; // more rows than dofs: W is singular
    heap.friction = 0.2;
    heap.reduced = true;
    rico_problem *p = NULL;
    assert_ok(ctx, rico_generate_random(ctx, &heap, &p));
    int64_t m = rico_problem_rows(p);
    double *r = calloc((size_t)m, sizeof *r);
    rico_report report;
    double relative = solve(ctx, p, "1e-7", r, &report);
    assert_at_most(relative, 1e-7);

    rico_sparse_view W;
    assert_ok(ctx, rico_problem_delassus(p, &W));
    double *Wd = dense_copy(&W), square = 0.0, qq = 0.0, rr = 0.0, uu = 0.0;
    const double *q = rico_problem_free_velocity(p);
    for (int64_t a = 0; a < m / 3; a++) {
        double u[3];
        for (int i = 0; i < 3; i++) {
            u[i] = q[3 * a + i];
            for (int64_t j = 0; j < m; j++) u[i] += Wd[(3 * a + i) * m + j] * r[j];
            qq += q[3 * a + i] * q[3 * a + i];
            rr += r[3 * a + i] * r[3 * a + i];
            uu += u[i] * u[i];
        }
        double defect = coulomb_defect(rico_problem_block(p, a).friction, u, &r[3 * a]);
        square += defect * defect;
    }
    assert_near(report.residual.relative_max, sqrt(square / fmax(qq, fmax(rr, uu))), 1e-12);
    rico_sparse_release(ctx, &W);
    free(Wd);
    free(r);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


static void test_unsymmetric_matrix(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    // two contacts; gyroscopic terms make W unsymmetric, its symmetric part stays definite
    int64_t start[] = {0, 6, 12, 18, 24, 30, 36}, row[36];
    double value[36], q[6] = {-1, 2, 0.5, -0.5, -1, 1}, r[6] = {0};
    rico_random random;
    rico_random_seed(&random, 11);
    for (int k = 0; k < 36; k++) {
        row[k] = k % 6;
        value[k] = (k % 7 == 0 ? 4.0 : 0.0) + rico_random_range(&random, -0.4, 0.4);
    }
    const rico_block blocks[] = {{RICO_COULOMB_3D, 3, 0.8}, {RICO_COULOMB_3D, 3, 0.3}};
    rico_sparse_view W = {6, 6, start, row, value};
    rico_problem *p = NULL;
    rico_report report;
    assert_ok(ctx, rico_problem_create_reduced(ctx, 2, blocks, &W, q, &p));
    assert_at_most(solve(ctx, p, "1e-14", r, &report), 1e-14);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// The frictionless block on a table, with a rod that holds its speed: unilateral and equality side by side.
static void test_unilateral_and_equality_blocks(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    int64_t start2[] = {0, 1, 2}, row2[] = {0, 1}, startH[] = {0, 1, 2, 3}, rowH[] = {0, 1, 1};
    double mass[] = {2, 4}, one[] = {1, 1, 1}, f[] = {-6, 8}, w[] = {0, -1, -1}, r[3] = {0};
    // the second and third rows are one redundant equality block: v_2 = 1, said twice
    const rico_block blocks[] = {{RICO_UNILATERAL, 1, 0}, {RICO_EQUALITY, 2, 0}};
    rico_sparse_view M = {2, 2, start2, row2, mass}, H = {2, 3, startH, rowH, one};
    rico_problem *p = NULL;
    rico_report report;
    assert_ok(ctx, rico_problem_create_global(ctx, 2, blocks, &M, &H, f, w, &p));
    assert_at_most(solve(ctx, p, "1e-12", r, &report), 1e-12);
    assert_near(r[0], 6.0, 1e-11);         // carries the weight
    assert_near(r[1] + r[2], -4.0, 1e-10); // 4 v = 8 + r, v = 1
    assert_near(r[1], r[2], 1e-5);         // shared evenly, up to round-off over the regularization
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


static void test_rows_that_nothing_answers_to(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    int64_t start[] = {0, 0, 0, 0, 0}, none = 0;
    double nothing = 0.0, q[4] = {-1, 0.5, 0, -1}, r[4] = {0};
    const rico_block blocks[] = {{RICO_COULOMB_3D, 3, 0.5}, {RICO_UNILATERAL, 1, 0}};
    rico_sparse_view W = {4, 4, start, &none, &nothing};
    rico_problem *p = NULL;
    rico_report report;
    assert_ok(ctx, rico_problem_create_reduced(ctx, 2, blocks, &W, q, &p));
    solve(ctx, p, "1e-8", r, &report);
    assert_int_not_equal(report.stop, RICO_CONVERGED); // W = 0 and q < 0: there is no solution
    for (int i = 0; i < 4; i++) assert_true(isfinite(r[i]));
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


static void test_orders_are_repeatable(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random_heap heap = rico_random_heap_default();
    heap.contacts = 30;
    heap.bodies = 40;
    rico_problem *p = NULL;
    assert_ok(ctx, rico_generate_random(ctx, &heap, &p));
    size_t bytes = (size_t)rico_problem_rows(p) * sizeof(double);
    static const char *const orders[] = {"given", "shuffled-once", "shuffled"};
    double *first = malloc(bytes), *second = malloc(bytes), *given = malloc(bytes);
    for (int k = 0; k < 3; k++) {
        rico_report report;
        rico_solver *solver = NULL;
        assert_ok(ctx, rico_solver_create(ctx, "nsgs", &solver));
        assert_ok(ctx, rico_solver_set(solver, "order", orders[k]));
        assert_ok(ctx, rico_solver_set(solver, "max-iter", "4"));
        assert_ok(ctx, rico_solver_set(solver, "tol", "0"));
        assert_ok(ctx, rico_solver_setup(solver, p));
        memset(first, 0, bytes);
        memset(second, 0, bytes);
        assert_ok(ctx, rico_solver_solve(solver, first, NULL, &report));
        assert_ok(ctx, rico_solver_solve(solver, second, NULL, &report));
        assert_memory_equal(first, second, bytes);
        if (k == 0)
            memcpy(given, first, bytes);
        else
            assert_memory_not_equal(first, given, bytes);
        rico_solver_destroy(solver);
    }
    free(first);
    free(second);
    free(given);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_block_on_a_plane),
        cmocka_unit_test(test_both_forms_agree),
        cmocka_unit_test(test_residual_is_confirmed),
        cmocka_unit_test(test_unsymmetric_matrix),
        cmocka_unit_test(test_unilateral_and_equality_blocks),
        cmocka_unit_test(test_rows_that_nothing_answers_to),
        cmocka_unit_test(test_orders_are_repeatable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
