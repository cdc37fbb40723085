// The solver `dense`: joints hold exactly wherever they stand among the blocks, contacts as any other solver finds them.

#include "solve/solver_runs.h"

#include "problem/problem.h"
#include "solve/dense.h"

static void test_joints_hold_exactly(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (uint64_t seed = 1; seed <= 12; seed++) {
        rico_problem *p = heap_of(ctx, 12, 9, 0.4, 3, 2 + (int)(seed % 2), seed % 3 == 0, seed);
        int64_t m = rico_problem_rows(p);
        double *r = calloc((size_t)m, sizeof *r), *u = calloc((size_t)m, sizeof *u);
        rico_solver *solver = NULL;
        rico_report report;
        assert_ok(ctx, rico_solver_create(ctx, "dense", &solver));
        assert_ok(ctx, rico_solver_set(solver, "tol", "1e-10"));
        assert_ok(ctx, rico_solver_setup(solver, p));
        assert_ok(ctx, rico_solver_solve(solver, r, u, &report));
        assert_int_equal(report.stop, RICO_CONVERGED);
        double size = 0.0;
        for (int64_t i = 0; i < m; i++)
            size = fmax(size, fabs(rico_problem_free_velocity(p) ? p->q[i] : 1.0));
        for (int64_t a = 0; a < rico_problem_block_count(p); a++) {
            if (rico_problem_block(p, a).kind != RICO_EQUALITY) continue;
            for (int64_t i = p->offset[a]; i < p->offset[a + 1]; i++)
                assert_at_most(fabs(u[i]), 1e-12 * size);
        }
        // from its own answer, nothing is left to do
        assert_ok(ctx, rico_solver_update(solver));
        assert_ok(ctx, rico_solver_solve(solver, r, u, &report));
        assert_int_equal(report.stop, RICO_CONVERGED);
        assert_int_equal(report.iterations, 0);
        rico_solver_destroy(solver);
        rico_problem_destroy(p);
        free(r);
        free(u);
    }
    rico_context_destroy(ctx);
}


// Two rows that say the same: one of them is left out, and the other does for both.
static void test_dependent_rows(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_dense dense = {0};
    const rico_block block[] = {{RICO_EQUALITY, 2, 0.0}, {RICO_UNILATERAL, 1, 0.0}};
    const int64_t offset[] = {0, 2};
    const double W[] = {2, 2, 1, 2, 2, 1, 1, 1, 3}, c[] = {-1, -1, -2};
    double p[3] = {0}, u[3];
    assert_ok(ctx, rico_dense_reserve(ctx, &dense, 3, 2));
    memcpy(dense.W, W, sizeof W);
    rico_dense_prepare(&dense, 2, block, offset, 3);
    assert_int_equal(dense.joint_rows, 2);
    assert_int_equal(dense.pivots, 1);
    rico_dense_begin(&dense, c);
    assert_true(rico_dense_settle(&dense, 2.0, p));
    rico_dense_finish(&dense, p);
    rico_residual residual = rico_dense_judge(&dense, c, p, 0.0, u);
    assert_at_most(residual.relative, 1e-15);
    assert_near(p[2], 0.6, 1e-15); // 3 - 1/2 against -2 + 1/2
    rico_dense_destroy(ctx, &dense);
    rico_context_destroy(ctx);
}


static void test_large_problems_are_refused(void **state)
{
    (void)state;
    enum { ROWS = 3001 };
    rico_context *ctx = rico_context_create(NULL);
    int64_t *start = calloc(ROWS + 1, sizeof *start), *row = calloc(ROWS, sizeof *row);
    double *one = calloc(ROWS, sizeof *one);
    rico_block *block = calloc(ROWS, sizeof *block);
    for (int64_t i = 0; i < ROWS; i++) {
        start[i + 1] = i + 1;
        row[i] = i;
        one[i] = 1.0;
        block[i] = (rico_block){RICO_UNILATERAL, 1, 0.0};
    }
    rico_sparse_view W = {ROWS, ROWS, start, row, one};
    rico_problem *p = NULL;
    rico_solver *solver = NULL;
    assert_ok(ctx, rico_problem_create_reduced(ctx, ROWS, block, &W, one, &p));
    assert_ok(ctx, rico_solver_create(ctx, "dense", &solver));
    assert_int_equal(rico_solver_setup(solver, p), RICO_UNSUPPORTED);
    assert_string_equal(rico_message(ctx), "the solver dense takes at most 3000 rows, got 3001");
    rico_solver_destroy(solver);
    rico_problem_destroy(p);
    free(start);
    free(row);
    free(one);
    free(block);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_joints_hold_exactly),
        cmocka_unit_test(test_dependent_rows),
        cmocka_unit_test(test_large_problems_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
