// Proximal point algorithm: redundant contacts, both rules, relaxation, limits that reach the inner solver, and an
// honest end where no solution exists.

#include "dense_reference.h"

#include "problem/shift.h"
#include "ricochet/generate.h"
#include "ricochet/solver.h"
#include "solve/method.h"


static const char *const members[] = {"ppa-nsn-ac", "ppa-nsn-ac-gp", "ppa-nsgs"};
enum { MEMBERS = sizeof members / sizeof members[0] };


static rico_solver *make_solver(rico_context *ctx, const char *name, double tol)
{
    rico_solver *solver = NULL;
    assert_ok(ctx, rico_solver_create(ctx, name, &solver));
    assert_ok(ctx, rico_solver_set_number(solver, "tol", tol));
    return solver;
}


static rico_report run(rico_context *ctx, rico_solver *solver, rico_problem *p, double *r)
{
    rico_report report;
    rico_residual residual;
    assert_ok(ctx, rico_solver_setup(solver, p));
    memset(r, 0, (size_t)rico_problem_rows(p) * sizeof *r);
    assert_ok(ctx, rico_solver_solve(solver, r, NULL, &report));
    for (int64_t i = 0; i < rico_problem_rows(p); i++) assert_true(isfinite(r[i]));
    assert_ok(ctx, rico_problem_residual(p, r, NULL, &residual));
    assert_near(residual.relative, report.residual.relative, 1e-3 * residual.relative + 1e-15);
    return report;
}


// Fewer velocities than contact rows: W has less than full rank.
static rico_problem *redundant_heap(rico_context *ctx, uint64_t seed, int dimension, bool reduced)
{
    rico_random_heap heap = rico_random_heap_default();
    heap.contacts = 60;
    heap.bodies = 12;
    heap.joints = seed % 2 ? 2 : 0;
    heap.friction = 0.5;
    heap.dimension = dimension;
    heap.reduced = reduced;
    heap.seed = seed;
    rico_problem *p = NULL;
    assert_ok(ctx, rico_generate_random(ctx, &heap, &p));
    return p;
}


// The unit mass on a plane again: held, sticking, sliding, taking off, by every member and both rules.
static void test_block_on_a_plane(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    int64_t start[] = {0, 1, 2, 3}, row[] = {0, 1, 2};
    double half[] = {0.5, 0.5, 0.5};
    const rico_block contact = {RICO_COULOMB_3D, 3, 0.5};
    rico_sparse_view W = {3, 3, start, row, half};
    static const struct {
        double q[3], r[3];
    } cases[] = {{{-2, 0, 0}, {4, 0, 0}},
                 {{-2, 0.95, 0}, {4, -1.9, 0}},
                 {{-2, 1.5, 2}, {4, -1.2, -1.6}},
                 {{0.5, 1.5, 2}, {0, 0, 0}}};
    static const char *const rules[] = {"heuristic", "residual"};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        rico_problem *p = NULL;
        assert_ok(ctx, rico_problem_create_reduced(ctx, 1, &contact, &W, cases[k].q, &p));
        for (int i = 0; i < MEMBERS; i++)
            for (int j = 0; j < 2; j++) {
                double r[3];
                rico_solver *solver = make_solver(ctx, members[i], 1e-12);
                assert_ok(ctx, rico_solver_set(solver, "alpha-rule", rules[j]));
                assert_int_equal(run(ctx, solver, p, r).stop, RICO_CONVERGED);
                for (int c = 0; c < 3; c++) assert_near(r[c], cases[k].r[c], 1e-11);
                rico_solver_destroy(solver);
            }
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


// Redundant contacts, from W or from M and H, in space and in the plane.
static void test_rank_deficient_heaps(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        rico_problem *p = redundant_heap(ctx, seed, seed % 3 ? 3 : 2, seed % 2);
        double *r = calloc((size_t)rico_problem_rows(p), sizeof *r);
        for (int i = 0; i < MEMBERS; i++) {
            double tol = i == 2 ? 1e-7 : 1e-10;
            rico_solver *solver = make_solver(ctx, members[i], tol);
            rico_report report = run(ctx, solver, p, r);
            if (report.stop != RICO_CONVERGED)
                fail_msg("%s, seed %d: %s, residual %g", members[i], (int)seed, report.note,
                         report.residual.relative);
            rico_solver_destroy(solver);
        }
        free(r);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


// Other settings find a solution as well.
static void test_options(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_problem *p = redundant_heap(ctx, 4, 3, true);
    double *r = calloc((size_t)rico_problem_rows(p), sizeof *r);
    static const struct {
        const char *option, *value;
    } cases[] = {{"scaled", "false"},        {"omega", "0.7"},          {"omega", "1.2"},
                 {"alpha", "1e-3"},          {"alpha", "1e3"},          {"inner-tol", "1e-3"},
                 {"alpha-rule", "residual"}, {"inner-iterations", "15"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rico_solver *solver = make_solver(ctx, "ppa-nsn-ac-gp", 1e-9);
        assert_ok(ctx, rico_solver_set(solver, cases[i].option, cases[i].value));
        rico_report report = run(ctx, solver, p, r);
        if (report.stop != RICO_CONVERGED)
            fail_msg("%s=%s: %s, residual %g", cases[i].option, cases[i].value, report.note,
                     report.residual.relative);
        rico_solver_destroy(solver);
    }

    // the residual rule with other sigma and nu, on steps that shrink with the error
    rico_solver *solver = make_solver(ctx, "ppa-nsn-ac-gp", 1e-9);
    assert_ok(ctx, rico_solver_set(solver, "alpha-rule", "residual"));
    assert_ok(ctx, rico_solver_set(solver, "sigma", "0.1"));
    assert_ok(ctx, rico_solver_set(solver, "nu", "1.5"));
    rico_report fast = run(ctx, solver, p, r);
    assert_int_equal(fast.stop, RICO_CONVERGED);

    // a parameter that does not shrink: each step gains a constant factor, many are needed
    assert_ok(ctx, rico_solver_set(solver, "sigma", "0.1"));
    assert_ok(ctx, rico_solver_set(solver, "nu", "0"));
    rico_report slow = run(ctx, solver, p, r);
    assert_true(slow.iterations > 2 * fast.iterations);
    rico_solver_destroy(solver);
    free(r);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// The first step from x = 0 with a fixed alpha, done by hand: W + alpha |W_aa| solved by Gauss-Seidel.
static void test_one_step_is_the_shifted_problem(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_problem *p = redundant_heap(ctx, 2, 3, true), *shifted = NULL;
    int64_t m = rico_problem_rows(p);
    double *r = calloc((size_t)m, sizeof *r), *expected = calloc((size_t)m, sizeof *expected),
           *x = calloc((size_t)m, sizeof *x), *alpha = calloc((size_t)p->block_count, sizeof *alpha);
    rico_solver *solver = make_solver(ctx, "ppa-nsn-ac-gp", 0.0);
    assert_ok(ctx, rico_solver_set(solver, "alpha", "0.5"));
    assert_ok(ctx, rico_solver_set(solver, "inner-tol", "1e-12"));
    assert_ok(ctx, rico_solver_set(solver, "max-iter", "1"));
    assert_int_equal(run(ctx, solver, p, r).stop, RICO_MAX_ITERATIONS);
    rico_solver_destroy(solver);

    assert_ok(ctx, rico_problem_create_shifted(p, &shifted));
    for (int64_t a = 0; a < p->block_count; a++) alpha[a] = 0.5 * p->block_norm[a];
    rico_problem_shift(shifted, p, alpha, x);
    solver = make_solver(ctx, "nsgs", 1e-13);
    assert_int_equal(run(ctx, solver, shifted, expected).stop, RICO_CONVERGED);
    rico_solver_destroy(solver);
    for (int64_t i = 0; i < m; i++) assert_near(r[i], expected[i], 1e-8);
    rico_problem_destroy(shifted);
    rico_problem_destroy(p);
    free(r);
    free(expected);
    free(x);
    free(alpha);
    rico_context_destroy(ctx);
}


// A solver set up once follows new vectors, and a new matrix when told.
static void test_updates(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_problem *p = redundant_heap(ctx, 3, 3, true);
    int64_t m = rico_problem_rows(p);
    double *r = calloc((size_t)m, sizeof *r), *q = calloc((size_t)m, sizeof *q);
    rico_solver *solver = make_solver(ctx, "ppa-nsn-ac", 1e-10);
    rico_report report = run(ctx, solver, p, r);
    assert_int_equal(report.stop, RICO_CONVERGED);
    for (int64_t i = 0; i < m; i++) q[i] = 0.7 * rico_problem_free_velocity(p)[i];
    assert_ok(ctx, rico_problem_set_free_velocity(p, q));
    assert_ok(ctx, rico_solver_update(solver));
    assert_ok(ctx, rico_solver_solve(solver, r, NULL, &report));
    assert_int_equal(report.stop, RICO_CONVERGED);

    // three times the matrix, so that a third of the impulses solves it: the solver knows only if it looks again
    int64_t count = p->W.place[rico_block_count(&p->W)];
    for (int64_t k = 0; k < count; k++) p->W.value[k] *= 3.0;
    for (int64_t a = 0; a < p->block_count; a++) p->block_norm[a] *= 3.0;
    for (int64_t i = 0; i < m; i++) r[i] = 0.0;
    assert_ok(ctx, rico_solver_update_matrix(solver));
    assert_ok(ctx, rico_solver_solve(solver, r, NULL, &report));
    assert_int_equal(report.stop, RICO_CONVERGED);
    assert_true(report.iterations < 40);
    rico_solver_destroy(solver);
    free(r);
    free(q);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// Two contacts pressed against each other have no solution; impulses would grow for ever.
static void test_impossible_problem(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    int64_t start[] = {0, 2, 4}, row[] = {0, 1, 0, 1};
    double squeeze[] = {1, -1, -1, 1}, q[] = {-1, -1};
    const rico_block pair[2] = {{RICO_UNILATERAL, 1, 0}, {RICO_UNILATERAL, 1, 0}};
    rico_sparse_view W = {2, 2, start, row, squeeze};
    rico_problem *p = NULL;
    assert_ok(ctx, rico_problem_create_reduced(ctx, 2, pair, &W, q, &p));
    for (int i = 0; i < MEMBERS; i++) {
        double r[2];
        rico_solver *solver = make_solver(ctx, members[i], 1e-8);
        rico_report report = run(ctx, solver, p, r);
        assert_true(report.stop == RICO_DIVERGED || report.stop == RICO_STALLED);
        assert_true(strlen(report.note) > 10);
        rico_solver_destroy(solver);
    }
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


static void interrupt(void *user, const rico_history_entry *entry)
{
    if (entry->iteration >= 1) rico_context_interrupt(user);
}


// Interrupts before the first step begins: what stops is the step, which would not end by itself.
static void interrupt_at_once(void *user, const rico_history_entry *entry)
{
    (void)entry;
    rico_context_interrupt(user);
}


// The clock and the flag of the outer run hold inside the steps too.
static void test_limits_reach_the_steps(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_problem *p = redundant_heap(ctx, 6, 3, true);
    double *r = calloc((size_t)rico_problem_rows(p), sizeof *r);
    for (int i = 0; i < MEMBERS; i++) {
        rico_solver *solver = make_solver(ctx, members[i], 0.0);
        assert_ok(ctx, rico_solver_set(solver, "inner-tol", "1e-12"));
        assert_ok(ctx, rico_solver_set(solver, "inner-iterations", "1e12"));
        assert_ok(ctx, rico_solver_set(solver, "patience", "1e9"));
        assert_ok(ctx, rico_solver_set(solver, "time-limit", "0.05"));
        rico_report report = run(ctx, solver, p, r);
        assert_int_equal(report.stop, RICO_TIME_LIMIT);

        assert_ok(ctx, rico_solver_set(solver, "time-limit", "0"));
        rico_solver_set_progress(solver, interrupt, ctx);
        report = run(ctx, solver, p, r);
        assert_int_equal(report.stop, RICO_STOPPED);
        assert_int_equal(report.iterations, 1);
        rico_context_clear_interrupt(ctx);
        rico_solver_destroy(solver);
    }

    // and within a step that would not end by itself
    rico_solver *solver = make_solver(ctx, "ppa-nsgs", 0.0);
    assert_ok(ctx, rico_solver_set(solver, "inner-tol", "1e-12"));
    assert_ok(ctx, rico_solver_set(solver, "inner-iterations", "1e12"));
    assert_ok(ctx, rico_solver_set(solver, "patience", "1e9"));
    rico_solver_set_progress(solver, interrupt_at_once, ctx);
    assert_int_equal(run(ctx, solver, p, r).stop, RICO_STOPPED);
    rico_solver_destroy(solver);
    rico_context_clear_interrupt(ctx);
    free(r);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_block_on_a_plane),
        cmocka_unit_test(test_rank_deficient_heaps),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_one_step_is_the_shifted_problem),
        cmocka_unit_test(test_updates),
        cmocka_unit_test(test_impossible_problem),
        cmocka_unit_test(test_limits_reach_the_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
