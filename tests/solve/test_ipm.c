// Interior points: known answers, heaps of every kind, all treatments of friction and spaces, superlinear ends.

#include "solve/cases.h"

#include "solve/cone_system.h"

static const solver_choice newton = {"ipm", {NULL}};
static const solver_choice in_rows = {"ipm", {"space=rows"}};
static const solver_choice in_rows_sparse = {"ipm", {"space=rows", "storage=sparse"}};
static const solver_choice in_dofs = {"ipm", {"space=dofs"}};
static const solver_choice in_dofs_sparse = {"ipm", {"space=dofs", "storage=sparse"}};
static const solver_choice fixed_point = {"ipm", {"coulomb=fixed-point", "patience=200"}};
static const solver_choice outer = {"ipm", {"coulomb=outer", "patience=500"}};
static const solver_choice *const all[] = {&newton,         &in_rows,     &in_rows_sparse, &in_dofs,
                                           &in_dofs_sparse, &fixed_point, &outer};
enum { ALL = sizeof all / sizeof all[0] };


// Velocities as unknowns, and convex problems one after the other, leave fewer digits.
static bool tight(const solver_choice *choice)
{
    return choice != &in_dofs && choice != &in_dofs_sparse && choice != &outer;
}


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
    check_heaps(ctx, &newton, "1e-10", 0.3, 24);
    check_heaps(ctx, &in_rows_sparse, "1e-10", 0.3, 8);
    check_heaps(ctx, &in_dofs_sparse, "1e-8", 0.3, 8);
    rico_context_destroy(ctx);
}


// With little friction the two treatments that freeze it converge as well.
static void test_heaps_with_frozen_friction(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    check_heaps(ctx, &fixed_point, "1e-8", 0.1, 8);
    check_heaps(ctx, &outer, "1e-8", 0.1, 8);
    rico_context_destroy(ctx);
}


static void test_unsymmetric(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (int i = 0; i < ALL; i++) check_unsymmetric(ctx, all[i], tight(all[i]) ? "1e-12" : "1e-9");
    rico_context_destroy(ctx);
}


static void test_no_solution(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (int i = 0; i < ALL; i++)
        if (all[i] != &in_dofs && all[i] != &in_dofs_sparse) check_no_solution(ctx, all[i]);
    rico_context_destroy(ctx);
}


// A body that rests pressed on the ground: the gap, and with it the residual, falls faster and faster.
static void test_end_is_superlinear(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    int64_t start[] = {0, 1, 2, 3}, row[] = {0, 1, 2};
    double value[] = {0.5, 0.5, 0.5}, q[] = {-2, 0.3, 0.1}, r[3] = {0};
    const rico_block contact = {RICO_COULOMB_3D, 3, 0.5};
    rico_sparse_view W = {3, 3, start, row, value};
    rico_problem *p = NULL;
    rico_report report;
    rico_solver *solver = make_solver(ctx, &newton, "1e-12");
    assert_ok(ctx, rico_problem_create_reduced(ctx, 1, &contact, &W, q, &p));
    assert_ok(ctx, rico_solver_set(solver, "history", "true"));
    assert_ok(ctx, rico_solver_setup(solver, p));
    assert_ok(ctx, rico_solver_solve(solver, r, NULL, &report));
    assert_int_equal(report.stop, RICO_CONVERGED);
    int64_t count;
    const rico_history_entry *history = rico_solver_history(solver, &count);
    double last = history[count - 2].residual / history[count - 1].residual;
    double before = history[count - 3].residual / history[count - 2].residual;
    assert_true(last > 1e3 && last > before);
    rico_solver_destroy(solver);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// From far away to twelve digits in a dozen steps: the last ones gain more than a digit each.
static void test_end_is_fast(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random_heap heap = rico_random_heap_default();
    heap.contacts = 30;
    heap.bodies = 40;
    heap.friction = 0.3;
    rico_problem *p = NULL;
    assert_ok(ctx, rico_generate_random(ctx, &heap, &p));
    double *r = calloc((size_t)rico_problem_rows(p), sizeof *r);
    rico_report report;
    rico_solver *solver = make_solver(ctx, &newton, "1e-12");
    assert_ok(ctx, rico_solver_set(solver, "history", "true"));
    assert_ok(ctx, rico_solver_setup(solver, p));
    assert_ok(ctx, rico_solver_solve(solver, r, NULL, &report));
    assert_int_equal(report.stop, RICO_CONVERGED);
    assert_true(report.iterations <= 15);
    int64_t count;
    const rico_history_entry *history = rico_solver_history(solver, &count);
    double gain[2] = {history[count - 3].residual / history[count - 2].residual,
                      history[count - 2].residual / history[count - 1].residual};
    assert_true(gain[0] > 20.0 && gain[1] > 20.0);
    rico_solver_destroy(solver);
    free(r);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// The next time step from the last one's impulses, put a little into the cones, takes fewer iterations than from zero.
static void test_warm_start(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random_heap heap = rico_random_heap_default();
    heap.contacts = 60;
    heap.bodies = 60;
    heap.friction = 0.4;
    heap.reduced = true;
    rico_problem *p = NULL;
    assert_ok(ctx, rico_generate_random(ctx, &heap, &p));
    int64_t m = rico_problem_rows(p);
    double *r = calloc((size_t)m, sizeof *r), *cold = calloc((size_t)m, sizeof *cold),
           *q = malloc((size_t)m * sizeof *q);
    rico_report first, warm, again;
    rico_solver *solver = make_solver(ctx, &newton, "1e-8");
    assert_ok(ctx, rico_solver_setup(solver, p));
    assert_ok(ctx, rico_solver_solve(solver, r, NULL, &first));
    assert_int_equal(first.stop, RICO_CONVERGED);

    for (int64_t i = 0; i < m; i++) q[i] = 1.001 * rico_problem_free_velocity(p)[i];
    assert_ok(ctx, rico_problem_set_free_velocity(p, q));
    assert_ok(ctx, rico_solver_update(solver));
    assert_ok(ctx, rico_solver_solve(solver, cold, NULL, &again));
    assert_ok(ctx, rico_solver_set(solver, "inside", "1e-3"));
    assert_ok(ctx, rico_solver_solve(solver, r, NULL, &warm));
    assert_int_equal(again.stop, RICO_CONVERGED);
    assert_int_equal(warm.stop, RICO_CONVERGED);
    assert_true(warm.iterations > 0 && warm.iterations < again.iterations);
    rico_solver_destroy(solver);
    free(r);
    free(cold);
    free(q);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_block_on_a_plane),
        cmocka_unit_test(test_mixed_blocks),
        cmocka_unit_test(test_heaps),
        cmocka_unit_test(test_heaps_with_frozen_friction),
        cmocka_unit_test(test_unsymmetric),
        cmocka_unit_test(test_no_solution),
        cmocka_unit_test(test_end_is_superlinear),
        cmocka_unit_test(test_end_is_fast),
        cmocka_unit_test(test_warm_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
