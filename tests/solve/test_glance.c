// A glance at a few contacts: the same bits as the sweeps that it stands in for, or nothing.

#include "failing_memory.h"
#include "support.h"

#include "base/context.h"
#include "base/random.h"
#include "ricochet/solver.h"
#include "solve/glance.h"

enum { CONTACTS = 6, ROWS = 3 * CONTACTS, OUTSIDE = 20 };

// Contacts of any kind, most of which know nothing of each other, in units of any size.
static rico_problem *draw_problem(rico_context *ctx, rico_random *random, int64_t blocks)
{
    static const rico_block_kind kinds[] = {RICO_UNILATERAL, RICO_COULOMB_2D, RICO_COULOMB_3D};
    rico_block block[OUTSIDE] = {{0}};
    double W[9 * OUTSIDE * OUTSIDE] = {0.0}, q[3 * OUTSIDE];
    double compliance = pow(10.0, rico_random_range(random, -12.0, 12.0));
    double speed = pow(10.0, rico_random_range(random, -12.0, 12.0));
    double coupling = rico_random_below(random, 2) ? 0.0 : pow(10.0, rico_random_range(random, -6.0, 0.0));
    int64_t rows = 0, owner[3 * OUTSIDE];
    for (int64_t a = 0; a < blocks; a++) {
        int64_t kind = rico_random_below(random, 3);
        double mu = rico_random_below(random, 4) ? rico_random_range(random, 0.0, 2.0) : 0.0;
        block[a] = (rico_block){.kind = kinds[kind], .size = kind + 1, .friction = kind > 0 ? mu : 0.0};
        for (int64_t i = 0; i <= kind; i++) owner[rows++] = a;
    }
    // W = G G', and G as good as block-diagonal
    for (int64_t i = 0; i < rows; i++)
        for (int64_t k = 0; k < rows; k++) {
            double g = rico_random_normal(random) * (owner[i] == owner[k] ? 1.0 : coupling);
            W[i * rows + k] = g;
        }
    double product[9 * OUTSIDE * OUTSIDE];
    for (int64_t i = 0; i < rows; i++) {
        q[i] = rico_random_below(random, 8) ? speed * rico_random_normal(random) : 0.0;
        for (int64_t j = 0; j < rows; j++) {
            double sum = 0.0;
            for (int64_t k = 0; k < rows; k++) sum += W[i * rows + k] * W[j * rows + k];
            product[i * rows + j] = compliance * sum;
        }
    }
    rico_problem *p = NULL;
    assert_ok(ctx, rico_problem_create_dense(ctx, blocks, block, rows, product, rows, 1, q, &p));
    return p;
}


static rico_report solve(rico_context *ctx, rico_problem *p, const char *history, double *r, double *u)
{
    rico_solver *solver = NULL;
    rico_report report;
    assert_ok(ctx, rico_solver_create(ctx, "auto", &solver));
    assert_ok(ctx, rico_solver_set(solver, "history", history));
    assert_ok(ctx, rico_solver_setup(solver, p));
    assert_ok(ctx, rico_solver_solve(solver, r, u, &report));
    rico_solver_destroy(solver);
    return report;
}


// A history is asked for, so that nothing is left out: what comes then must come from the glance too, impulses, velocities, counts and all
// the forms of the residual.
static void test_same_bits_as_the_whole_way(void **state)
{
    (void)state;
    enum { DRAWS = 4000 };
    rico_context *ctx = rico_context_create(NULL);
    rico_random random;
    rico_random_seed(&random, 71);
    int glanced = 0;
    for (int draw = 0; draw < DRAWS; draw++) {
        rico_problem *p = draw_problem(ctx, &random, rico_random_below(&random, CONTACTS + 1));
        assert_true(rico_glance_takes(p));
        int64_t rows = rico_problem_rows(p), sweeps;
        double r[ROWS] = {0.0}, u[ROWS] = {0.0}, whole_r[ROWS] = {0.0}, whole_u[ROWS] = {0.0};
        for (int64_t i = 0; draw % 3 == 0 && i < rows; i++) whole_r[i] = r[i] = rico_random_normal(&random);
        double seen_r[ROWS], seen_u[ROWS];
        memcpy(seen_r, r, sizeof r);
        memcpy(seen_u, u, sizeof u);
        rico_residual residual;
        bool seen = rico_glance(p, 1e-8, seen_r, seen_u, &residual, &sweeps);
        if (!seen) assert_memory_equal(seen_r, r, sizeof r);
        if (!seen) assert_memory_equal(seen_u, u, sizeof u);
        glanced += seen;

        rico_report report = solve(ctx, p, "false", r, u), whole = solve(ctx, p, "true", whole_r, whole_u);
        assert_memory_equal(r, whole_r, sizeof r);
        assert_memory_equal(u, whole_u, sizeof u);
        assert_int_equal(report.stop, whole.stop);
        assert_int_equal(report.iterations, whole.iterations);
        assert_memory_equal(&report.residual, &whole.residual, sizeof whole.residual);
        assert_string_equal(report.note, whole.note);
        if (seen) assert_memory_equal(seen_r, r, sizeof r);
        if (seen) assert_memory_equal(&residual, &report.residual, sizeof residual);
        rico_problem_destroy(p);
    }
    assert_in_range(glanced, DRAWS / 3, DRAWS - DRAWS / 10);
    rico_context_destroy(ctx);
}


// Joints, many contacts and problems by M and H are not glanced at.
static void test_takes_what_is_small_alone(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random random;
    rico_random_seed(&random, 5);
    rico_problem *large = draw_problem(ctx, &random, OUTSIDE), *joint = NULL;
    assert_false(rico_glance_takes(large));
    const rico_block block = {.kind = RICO_EQUALITY, .size = 1};
    assert_ok(ctx,
              rico_problem_create_dense(ctx, 1, &block, 1, (double[]){2.0}, 1, 1, (double[]){1.0}, &joint));
    assert_false(rico_glance_takes(joint));
    rico_problem_destroy(joint);
    rico_problem_destroy(large);
    rico_context_destroy(ctx);
}


// A ball on a table and another on its way up, then with other velocities: the solver follows without a setup of its own.
static void test_follows_new_vectors(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    const rico_block blocks[] = {{.kind = RICO_UNILATERAL, .size = 1}, {.kind = RICO_UNILATERAL, .size = 1}};
    const double W[] = {2.0, 0.0, 0.0, 4.0};
    rico_problem *p = NULL;
    rico_solver *solver = NULL;
    rico_report report;
    double r[2] = {0.0, 0.0};
    assert_ok(ctx, rico_problem_create_dense(ctx, 2, blocks, 2, W, 2, 1, (double[]){-3.0, 1.0}, &p));
    assert_ok(ctx, rico_solver_create(ctx, "auto", &solver));
    assert_int_equal(rico_solver_update(solver), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_solver_solve(solver, r, NULL, &report), RICO_BAD_ARGUMENT);
    assert_ok(ctx, rico_solver_setup(solver, p));
    assert_ok(ctx, rico_solver_solve(solver, r, NULL, &report));
    assert_true(report.stop == RICO_CONVERGED && r[0] == 1.5 && r[1] == 0.0);
    assert_ok(ctx, rico_problem_set_free_velocity(p, (double[]){1.0, -2.0}));
    assert_ok(ctx, rico_solver_update(solver));
    assert_ok(ctx, rico_solver_solve(solver, r, NULL, &report));
    assert_true(report.stop == RICO_CONVERGED && r[0] == 0.0 && r[1] == 0.5);
    r[0] = NAN;
    assert_int_equal(rico_solver_solve(solver, r, NULL, &report), RICO_BAD_INPUT);
    rico_solver_destroy(solver);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// Two contacts that press on each other: no glance solves them, and what is made then may not find the memory. It may be asked again.
static rico_status solve_coupled(rico_context *ctx, void *user)
{
    (void)user;
    const rico_block blocks[] = {{.kind = RICO_UNILATERAL, .size = 1}, {.kind = RICO_UNILATERAL, .size = 1}};
    const double W[] = {2.0, 1.0, 1.0, 2.0};
    rico_problem *p = NULL;
    rico_solver *solver = NULL;
    rico_report report;
    double r[2] = {0.0, 0.0};
    rico_status status = rico_problem_create_dense(ctx, 2, blocks, 2, W, 2, 1, (double[]){-3.0, -3.0}, &p);
    if (!status) status = rico_solver_create(ctx, "auto", &solver);
    if (!status) status = rico_solver_setup(solver, p);
    if (!status) {
        status = rico_solver_solve(solver, r, NULL, &report);
        if (status) assert_true(r[0] == 0.0 && r[1] == 0.0);
        if (status) assert_ok(ctx, rico_solver_solve(solver, r, NULL, &report));
        assert_true(fabs(r[0] - 1.0) < 1e-7 && fabs(r[1] - 1.0) < 1e-7);
    }
    rico_solver_destroy(solver);
    rico_problem_destroy(p);
    return status;
}


static void test_memory_runs_out(void **state)
{
    (void)state;
    assert_true(every_allocation_fails(solve_coupled, NULL) > 3);
}


// Numbers at the ends of what a double holds: r = -q / W, or a sentence where that is none.
static void test_ends_of_doubles(void **state)
{
    (void)state;
    static const struct {
        double W, q;
    } cases[] = {{1.0, -1e-310}, {1e-310, -1e-5}, {1e300, -1e-5}, {1e-300, -1e200}, {1e-320, -1.0}};
    rico_context *ctx = rico_context_create(NULL);
    for (int k = 0; k < 10; k++) {
        const rico_block block = {.kind = RICO_UNILATERAL, .size = 1};
        double W = cases[k / 2].W, q = cases[k / 2].q, r = 0.0, u = 0.0, expected = -q / W;
        rico_problem *p = NULL;
        rico_solver *solver = NULL;
        rico_report report;
        assert_ok(ctx, rico_problem_create_dense(ctx, 1, &block, 1, &W, 1, 1, &q, &p));
        assert_ok(ctx, rico_solver_create(ctx, "auto", &solver));
        assert_ok(ctx, rico_solver_set(solver, "history", k % 2 ? "true" : "false"));
        assert_ok(ctx, rico_solver_setup(solver, p));
        rico_status status = rico_solver_solve(solver, &r, &u, &report);
        if (isfinite(expected)) {
            assert_ok(ctx, status);
            assert_int_equal(report.stop, RICO_CONVERGED);
            assert_true(fabs(r - expected) <= 1e-8 * expected && isfinite(u));
        } else {
            assert_int_equal(status, RICO_BAD_INPUT);
            assert_non_null(strstr(rico_message(ctx), "row 0"));
            assert_true(r == 0.0 && u == 0.0);
        }
        rico_solver_destroy(solver);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bits_as_the_whole_way), cmocka_unit_test(test_takes_what_is_small_alone),
        cmocka_unit_test(test_follows_new_vectors), cmocka_unit_test(test_memory_runs_out),
        cmocka_unit_test(test_ends_of_doubles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
