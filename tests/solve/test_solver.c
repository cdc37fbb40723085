// The life of a solver: names, options, limits, interruption, history, best iterate.

#include "support.h"

#include "ricochet/generate.h"
#include "ricochet/solver.h"

typedef struct fixture {
    rico_context *ctx;
    rico_problem *problem;
    rico_solver *solver;
    double *r;
    int64_t rows;
} fixture;


static int make(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    f->ctx = rico_context_create(NULL);
    rico_random_heap heap = rico_random_heap_default();
    heap.contacts = 60;
    heap.bodies = 80;
    heap.friction = 0.4;
    heap.seed = 5;
    if (rico_generate_random(f->ctx, &heap, &f->problem)) return -1;
    if (rico_solver_create(f->ctx, "nsgs", &f->solver)) return -1;
    f->rows = rico_problem_rows(f->problem);
    f->r = calloc((size_t)f->rows, sizeof *f->r);
    *state = f;
    return 0;
}


static int unmake(void **state)
{
    fixture *f = *state;
    rico_solver_destroy(f->solver);
    rico_problem_destroy(f->problem);
    rico_context_destroy(f->ctx);
    free(f->r);
    free(f);
    return 0;
}


static void test_registry_is_complete(void **state)
{
    (void)state;
    int count = 0;
    for (const rico_solver_info *info; (info = rico_solver_at(count)); count++) {
        assert_true(info->name[0] && info->family[0] && info->summary[0] && info->reference[0]);
        assert_true(info->takes & (RICO_TAKES_REDUCED | RICO_TAKES_GLOBAL));
        assert_ptr_equal(rico_solver_find(info->name), info);
        for (int i = 0; i < info->option_count; i++) {
            const rico_option_info *option = &info->options[i];
            assert_true(option->name[0] && option->help[0]);
            if (option->type == RICO_CHOICE)
                assert_non_null(option->choices[(int)option->standard]);
            else
                assert_true(option->standard >= option->low && option->standard <= option->high);
        }
    }
    assert_true(count > 0);
    assert_null(rico_solver_at(-1));
    assert_null(rico_solver_find("no such solver"));
    for (int stop = 0; stop < RICO_STOPS; stop++) {
        assert_true(rico_stop_name((rico_stop)stop)[0]);
        assert_true(rico_stop_sentence((rico_stop)stop)[0]);
    }
}


static void test_options_are_checked(void **state)
{
    fixture *f = *state;
    rico_solver *none = NULL;
    assert_int_equal(rico_solver_create(f->ctx, "nsgz", &none), RICO_BAD_ARGUMENT);
    assert_non_null(strstr(rico_message(f->ctx), "nsgz"));

    static const struct {
        const char *name, *value, *words;
    } wrong[] = {
        {"tolerance", "1e-8", "no option \"tolerance\""},
        {"tol", "small", "\"small\" is not a number"},
        {"tol", "1e-8x", "not a number"},
        {"tol", "-1", "outside"},
        {"tol", "nan", "outside"},
        {"tol", "", "not a number"},
        {"max-iter", "1.5", "whole number"},
        {"max-iter", "1e400", "not a number"},
        {"history", "maybe", "neither true nor false"},
        {"order", "sorted", "none of given, shuffled-once, shuffled"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(rico_solver_set(f->solver, wrong[i].name, wrong[i].value), RICO_BAD_ARGUMENT);
        assert_non_null(strstr(rico_message(f->ctx), wrong[i].words));
    }

    double value;
    assert_ok(f->ctx, rico_solver_set(f->solver, "tol", "1e-5"));
    assert_ok(f->ctx, rico_solver_get_number(f->solver, "tol", &value));
    assert_true(value == 1e-5);
    assert_ok(f->ctx, rico_solver_set(f->solver, "order", "shuffled"));
    assert_ok(f->ctx, rico_solver_get_number(f->solver, "order", &value));
    assert_true(value == 2.0);
    assert_int_equal(rico_solver_set_number(f->solver, "order", 4.0), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_solver_get_number(f->solver, "nothing", &value), RICO_BAD_ARGUMENT);
}


static void test_calls_in_the_wrong_order_are_refused(void **state)
{
    fixture *f = *state;
    rico_report report;
    assert_int_equal(rico_solver_solve(f->solver, f->r, NULL, &report), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_solver_update(f->solver), RICO_BAD_ARGUMENT);
    assert_ok(f->ctx, rico_solver_setup(f->solver, f->problem));
    f->r[7] = INFINITY;
    assert_int_equal(rico_solver_solve(f->solver, f->r, NULL, &report), RICO_BAD_INPUT);
    assert_string_equal(rico_message(f->ctx), "the starting point has r[7] = inf");
    rico_solver_destroy(NULL);
}


static void count_checks(void *user, const rico_history_entry *entry)
{
    (void)entry;
    ++*(int *)user;
}


static void test_solves_and_tells_how(void **state)
{
    fixture *f = *state;
    rico_report report;
    double *u = calloc((size_t)f->rows, sizeof *u);
    int checks = 0;
    rico_solver_set_progress(f->solver, count_checks, &checks);
    assert_ok(f->ctx, rico_solver_set(f->solver, "tol", "1e-10"));
    assert_ok(f->ctx, rico_solver_set(f->solver, "history", "true"));
    assert_ok(f->ctx, rico_solver_setup(f->solver, f->problem));
    assert_ok(f->ctx, rico_solver_solve(f->solver, f->r, u, &report));
    assert_int_equal(report.stop, RICO_CONVERGED);
    assert_at_most(report.residual.relative, 1e-10);

    // what was reported is what the problem says of the r that came out, and u is its velocity
    rico_residual residual;
    double *again = calloc((size_t)f->rows, sizeof *again);
    assert_ok(f->ctx, rico_problem_residual(f->problem, f->r, again, &residual));
    assert_true(residual.relative == report.residual.relative);
    assert_memory_equal(u, again, (size_t)f->rows * sizeof *u);

    int64_t count;
    const rico_history_entry *history = rico_solver_history(f->solver, &count);
    assert_int_equal(count, checks);
    assert_true(count >= 2 && history[0].iteration == 0);
    for (int64_t i = 1; i < count; i++) {
        assert_true(history[i].iteration > history[i - 1].iteration);
        assert_true(history[i].seconds >= history[i - 1].seconds);
    }
    assert_true(history[count - 1].residual == report.residual.relative);

    // from the solution there is nothing to do
    assert_ok(f->ctx, rico_solver_solve(f->solver, f->r, NULL, &report));
    assert_int_equal(report.stop, RICO_CONVERGED);
    assert_int_equal(report.iterations, 0);
    free(u);
    free(again);
}


static void test_limits_are_honoured(void **state)
{
    fixture *f = *state;
    rico_report report;
    assert_ok(f->ctx, rico_solver_set(f->solver, "tol", "0"));
    assert_ok(f->ctx, rico_solver_set(f->solver, "max-iter", "7"));
    assert_ok(f->ctx, rico_solver_setup(f->solver, f->problem));
    assert_ok(f->ctx, rico_solver_solve(f->solver, f->r, NULL, &report));
    assert_int_equal(report.stop, RICO_MAX_ITERATIONS);
    assert_int_equal(report.iterations, 7);

    assert_ok(f->ctx, rico_solver_set(f->solver, "max-iter", "1000000000"));
    assert_ok(f->ctx, rico_solver_set(f->solver, "time-limit", "0.02"));
    memset(f->r, 0, (size_t)f->rows * sizeof *f->r);
    assert_ok(f->ctx, rico_solver_solve(f->solver, f->r, NULL, &report));
    assert_true(report.stop == RICO_TIME_LIMIT || report.stop == RICO_STALLED);

    rico_context_interrupt(f->ctx);
    memset(f->r, 0, (size_t)f->rows * sizeof *f->r);
    assert_ok(f->ctx, rico_solver_solve(f->solver, f->r, NULL, &report));
    assert_int_equal(report.stop, RICO_STOPPED);
    rico_context_clear_interrupt(f->ctx);
}


// A starting point better than anything that the iterations find comes back untouched.
static void test_best_iterate_is_kept(void **state)
{
    fixture *f = *state;
    rico_report good, report;
    assert_ok(f->ctx, rico_solver_set(f->solver, "tol", "1e-12"));
    assert_ok(f->ctx, rico_solver_setup(f->solver, f->problem));
    assert_ok(f->ctx, rico_solver_solve(f->solver, f->r, NULL, &good));
    assert_int_equal(good.stop, RICO_CONVERGED);

    double *kept = malloc((size_t)f->rows * sizeof *kept);
    memcpy(kept, f->r, (size_t)f->rows * sizeof *kept);
    assert_ok(f->ctx, rico_solver_set(f->solver, "tol", "0"));
    assert_ok(f->ctx, rico_solver_set(f->solver, "max-iter", "3"));
    assert_ok(f->ctx, rico_solver_solve(f->solver, f->r, NULL, &report));
    assert_true(report.residual.relative <= good.residual.relative);
    free(kept);
}


static void test_update_follows_new_vectors(void **state)
{
    fixture *f = *state;
    rico_report report;
    assert_ok(f->ctx, rico_solver_setup(f->solver, f->problem));
    assert_ok(f->ctx, rico_solver_solve(f->solver, f->r, NULL, &report));

    int64_t n = rico_problem_dofs(f->problem);
    double *force = malloc((size_t)n * sizeof *force);
    for (int64_t i = 0; i < n; i++) force[i] = -0.5 * rico_problem_force(f->problem)[i];
    assert_ok(f->ctx, rico_problem_set_force(f->problem, force, NULL));
    assert_ok(f->ctx, rico_solver_update(f->solver));
    assert_ok(f->ctx, rico_solver_solve(f->solver, f->r, NULL, &report));
    assert_int_equal(report.stop, RICO_CONVERGED);
    assert_true(report.iterations > 0);
    free(force);
}


// Forces of 1e-19 are forces: small data is solved like any other, and r = 0 is the answer where there is none.
static void test_small_data_is_data(void **state)
{
    fixture *f = *state;
    rico_report report;
    int64_t n = rico_problem_dofs(f->problem);
    double *force = malloc((size_t)n * sizeof *force), *zero = calloc((size_t)f->rows, sizeof *zero);
    for (int64_t i = 0; i < n; i++) force[i] = 1e-19;
    assert_ok(f->ctx, rico_problem_set_force(f->problem, force, zero));
    assert_ok(f->ctx, rico_solver_setup(f->solver, f->problem));
    assert_ok(f->ctx, rico_solver_solve(f->solver, f->r, NULL, &report));
    assert_int_equal(report.stop, RICO_CONVERGED);
    double size = 0.0;
    for (int64_t i = 0; i < f->rows; i++) size = fmax(size, fabs(f->r[i]));
    assert_true(size > 1e-21);

    memset(force, 0, (size_t)n * sizeof *force);
    assert_ok(f->ctx, rico_problem_set_force(f->problem, force, zero));
    for (int64_t i = 0; i < f->rows; i++) f->r[i] = 1.0;
    assert_ok(f->ctx, rico_solver_setup(f->solver, f->problem));
    assert_ok(f->ctx, rico_solver_solve(f->solver, f->r, NULL, &report));
    assert_int_equal(report.stop, RICO_CONVERGED);
    for (int64_t i = 0; i < f->rows; i++) assert_true(f->r[i] == 0.0);
    free(force);
    free(zero);
}


// A start that is off by twenty orders of magnitude, or whose velocities overflow, is not the caller's verdict: the solution is found all the same.
static void test_wild_starts_are_dropped(void **state)
{
    fixture *f = *state;
    static const double sizes[] = {1e20, 1e306};
    static const char *const names[] = {"nsgs", "auto"};
    for (int k = 0; k < 4; k++) {
        rico_solver *solver = NULL;
        rico_report report;
        assert_ok(f->ctx, rico_solver_create(f->ctx, names[k / 2], &solver));
        assert_ok(f->ctx, rico_solver_setup(solver, f->problem));
        for (int64_t i = 0; i < f->rows; i++) f->r[i] = i % 2 ? sizes[k % 2] : -sizes[k % 2];
        assert_ok(f->ctx, rico_solver_solve(solver, f->r, NULL, &report));
        if (report.stop != RICO_CONVERGED)
            fail_msg("%s from %g: %s, residual %g", names[k / 2], sizes[k % 2], report.note,
                     report.residual.relative);
        rico_solver_destroy(solver);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_registry_is_complete),
        cmocka_unit_test_setup_teardown(test_options_are_checked, make, unmake),
        cmocka_unit_test_setup_teardown(test_calls_in_the_wrong_order_are_refused, make, unmake),
        cmocka_unit_test_setup_teardown(test_solves_and_tells_how, make, unmake),
        cmocka_unit_test_setup_teardown(test_limits_are_honoured, make, unmake),
        cmocka_unit_test_setup_teardown(test_best_iterate_is_kept, make, unmake),
        cmocka_unit_test_setup_teardown(test_update_follows_new_vectors, make, unmake),
        cmocka_unit_test_setup_teardown(test_small_data_is_data, make, unmake),
        cmocka_unit_test_setup_teardown(test_wild_starts_are_dropped, make, unmake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
