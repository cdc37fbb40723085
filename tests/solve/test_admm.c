// Alternating directions: known answers, heaps of every kind, all rules and accelerations, no news from no solution.

#include "solve/cases.h"

static const solver_choice standard = {"admm", {NULL}};
static const solver_choice plain = {"admm", {"acceleration=none", "rule=balance"}};
static const solver_choice nesterov = {"admm", {"acceleration=nesterov", "relax=1"}};
static const solver_choice fixed = {"admm", {"rule=fixed", "penalty=0.1"}};
static const solver_choice outer = {"admm", {"coulomb=outer"}};
static const solver_choice in_rows = {"admm", {"space=rows", "storage=sparse"}};
static const solver_choice in_dofs = {"admm", {"space=dofs", "storage=sparse"}};
static const solver_choice *const all[] = {&standard, &plain, &nesterov, &fixed, &outer, &in_rows, &in_dofs};
enum { ALL = sizeof all / sizeof all[0] };


static void test_block_on_a_plane(void **state)
{
    (void)state;
    check_each(ALL, all, check_block_on_a_plane);
}


static void test_mixed_blocks(void **state)
{
    (void)state;
    check_each(ALL, all, check_mixed_blocks);
}


static void test_heaps(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    check_heaps(ctx, &standard, "1e-8", 0.3, 16);
    check_heaps(ctx, &in_rows, "1e-8", 0.3, 6);
    check_heaps(ctx, &in_dofs, "1e-8", 0.3, 6);
    check_heaps(ctx, &fixed, "1e-6", 0.2, 6);
    rico_context_destroy(ctx);
}


static void test_heaps_without_acceleration(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    check_heaps(ctx, &plain, "1e-5", 0.2, 6);
    check_heaps(ctx, &nesterov, "1e-5", 0.2, 6);
    check_heaps(ctx, &outer, "1e-5", 0.2, 6);
    rico_context_destroy(ctx);
}


static void test_unsymmetric(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (int i = 0; i < ALL; i++) check_unsymmetric(ctx, all[i], "1e-12");
    rico_context_destroy(ctx);
}


static void test_no_solution(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    check_no_solution(ctx, &standard);
    check_no_solution(ctx, &plain);
    rico_context_destroy(ctx);
}


// Anderson's extrapolation is worth its vectors: over a dozen redundant heaps, less than half the iterations.
static void test_acceleration_accelerates(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    int64_t fast = 0, slow = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        rico_random_heap heap = rico_random_heap_default();
        heap.contacts = 60;
        heap.bodies = 20;
        heap.friction = 0.3;
        heap.seed = seed;
        rico_problem *p = NULL;
        assert_ok(ctx, rico_generate_random(ctx, &heap, &p));
        double *r = calloc((size_t)rico_problem_rows(p), sizeof *r);
        rico_report report;
        must_solve(ctx, &standard, p, "1e-7", r, &report);
        fast += report.iterations;
        memset(r, 0, (size_t)rico_problem_rows(p) * sizeof *r);
        must_solve(ctx, &(solver_choice){"admm", {"acceleration=none"}}, p, "1e-7", r, &report);
        slow += report.iterations;
        free(r);
        rico_problem_destroy(p);
    }
    assert_true(2 * fast < slow);
    rico_context_destroy(ctx);
}


// Once set up, a run on the same matrices repeats bit for bit, whatever rho the first one ended with.
static void test_runs_repeat(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random_heap heap = rico_random_heap_default();
    heap.contacts = 40;
    heap.bodies = 15;
    rico_problem *p = NULL;
    assert_ok(ctx, rico_generate_random(ctx, &heap, &p));
    size_t m = (size_t)rico_problem_rows(p);
    double *r = calloc(m, sizeof *r), *s = calloc(m, sizeof *s);
    rico_report report;
    rico_solver *solver = make_solver(ctx, &standard, "1e-8");
    assert_ok(ctx, rico_solver_setup(solver, p));
    assert_ok(ctx, rico_solver_solve(solver, r, NULL, &report));
    assert_ok(ctx, rico_solver_solve(solver, s, NULL, &report));
    assert_memory_equal(r, s, m * sizeof *r);
    rico_solver_destroy(solver);
    free(r);
    free(s);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_block_on_a_plane),
        cmocka_unit_test(test_mixed_blocks),
        cmocka_unit_test(test_heaps),
        cmocka_unit_test(test_heaps_without_acceleration),
        cmocka_unit_test(test_unsymmetric),
        cmocka_unit_test(test_no_solution),
        cmocka_unit_test(test_acceleration_accelerates),
        cmocka_unit_test(test_runs_repeat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
