// Prediction and correction over many contacts: one contact at its digits and counts, and random systems against other solvers.

#include "failing_memory.h"
#include "support.h"

#include "ricochet/bipotential.h"
#include "ricochet/problem.h"
#include "ricochet/solver.h"

enum { MOST = 90 };

static const double CASES[5][4] = {{0.20, 0.20, 0.20, 0.20},
                                   {0.30, 0.25, 0.30, 0.25},
                                   {0.30, 0.15, 0.30, 0.15},
                                   {0.30, 0.15, 0.20, 0.20},
                                   {0.30, 0.15, 0.05, 0.20}};


static rico_bipotential law_of(rico_context *ctx, const double value[4])
{
    rico_bipotential law;
    assert_ok(ctx, rico_bipotential_make(ctx, "orthotropic", &law));
    memcpy(law.value, value, sizeof law.value);
    assert_ok(ctx, rico_bipotential_check(ctx, &law));
    return law;
}


// A dense matrix as a view.
typedef struct square {
    int64_t start[MOST + 1], row[MOST * MOST];
    double value[MOST * MOST];
} square;


static rico_sparse_view view_of(int64_t n, square *s)
{
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) s->row[j * n + i] = i;
    for (int64_t j = 0; j <= n; j++) s->start[j] = j * n;
    return (rico_sparse_view){n, n, s->start, s->row, s->value};
}


// W = I, free = (-1, 1, 0.5): the exact solution and the number of iterations to 1e-13 (1 + |r|) at rho = 0.9, of another program. |r| is about 1.02, |free| 1.5.
static void one_contact_has_its_digits_and_counts(void **state)
{
    rico_context *ctx = *state;
    static const double R[5][2] = {{-.178885438, -.089442719},
                                   {-.273104069, -.103461505},
                                   {-.285873733, -.045486835},
                                   {-.212132034, -.106066017},
                                   {-.025951105, -.149437730}};
    static const int COUNT[5] = {16, 18, 18, 19, 38};
    static const double FREE[3] = {-1.0, 1.0, 0.5}, RHO[3] = {0.9, 0.5, 0.3};
    static square s = {.value = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    for (int k = 0; k < 15; k++) {
        const double *c = CASES[k % 5];
        rico_bipotential law = law_of(ctx, c);
        rico_uzawa_system system = {1, &law, view_of(3, &s), FREE};
        rico_uzawa_options options = {.rho = RHO[k / 5],
                                      .tol = 1e-13 * 2.02 / fmax(1.02, RHO[k / 5] * 1.5),
                                      .most = 1000,
                                      .no_halving = true};
        rico_uzawa_report report;
        double r[3] = {0.0}, u[3];
        assert_ok(ctx, rico_uzawa_solve(ctx, &system, &options, r, u, &report));
        assert_true(report.converged);
        if (k < 5) assert_int_equal(report.iterations, COUNT[k]);
        assert_near(r[0], 1.0, 1e-12);
        assert_near(r[1], R[k % 5][0], 6e-10);
        assert_near(r[2], R[k % 5][1], 6e-10);
        assert_near(u[0], 0.0, 1e-12);
        assert_near(u[1], 1.0 + r[1], 1e-15);
        // the slip rule, and the rim of the ellipse
        assert_near(c[2] * c[2] * u[1] * r[2], c[3] * c[3] * u[2] * r[1], 1e-13);
        assert_near(hypot(r[1] / c[0], r[2] / c[1]), 1.0, 1e-12);
        assert_near(report.gap, 0.0, 1e-12);
    }
}


// Other units of force and length: the same numbers of iterations, reactions scaled.
static void units_do_not_matter(void **state)
{
    rico_context *ctx = *state;
    static square s;
    rico_bipotential law = law_of(ctx, CASES[4]);
    int64_t iterations = 0;
    for (int k = 0; k < 3; k++) {
        double length = pow(1e-9, k), force = pow(1e7, k), r[3] = {0.0}, u[3];
        double free[3] = {-length, length, 0.5 * length};
        for (int i = 0; i < 9; i++) s.value[i] = i % 4 == 0 ? length / force : 0.0;
        rico_uzawa_system system = {1, &law, view_of(3, &s), free};
        rico_uzawa_options options = rico_uzawa_options_default();
        rico_uzawa_report report;
        assert_ok(ctx, rico_uzawa_solve(ctx, &system, &options, r, u, &report));
        assert_true(report.converged && (k == 0 || llabs(report.iterations - iterations) <= 1));
        iterations = report.iterations;
        assert_near(r[2] / force, -.149437730, 6e-10);
    }
}


// A random symmetric positive definite W of `rows`, and free velocities that press.
static void random_system(rico_random *random, int64_t rows, int64_t each, square *s, double *free)
{
    static double G[MOST * MOST];
    for (int64_t k = 0; k < rows * rows; k++) G[k] = rico_random_normal(random);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < rows; j++) {
            double sum = i == j ? 0.3 * (double)rows : 0.0;
            for (int64_t k = 0; k < rows; k++) sum += G[i * rows + k] * G[j * rows + k];
            s->value[j * rows + i] = sum / (double)rows;
        }
    for (int64_t i = 0; i < rows; i++) free[i] = rico_random_normal(random) - (i % each == 0 ? 1.0 : 0.0);
}


// With Q = I the elliptic cone is one that the solvers of problems have: the same impulses.
static void associated_friction_is_that_of_the_solvers(void **state)
{
    rico_context *ctx = *state;
    static square s;
    rico_random random;
    rico_random_seed(&random, 25);
    for (int k = 0; k < 20; k++) {
        enum { CONTACTS = 12, ROWS = 36 };
        double free[ROWS], r[ROWS] = {0.0}, u[ROWS], other[ROWS] = {0.0}, its[ROWS];
        rico_bipotential law[CONTACTS];
        rico_block block[CONTACTS];
        random_system(&random, ROWS, 3, &s, free);
        for (int c = 0; c < CONTACTS; c++) {
            double mu[2] = {rico_random_range(&random, 0.1, 0.5), rico_random_range(&random, 0.1, 0.5)};
            law[c] = law_of(ctx, (double[]){mu[0], mu[1], 0.0, 0.0});
            block[c] = (rico_block){.kind = RICO_ELLIPTIC, .size = 3, .friction = mu[0], .friction_2 = mu[1]};
        }
        rico_sparse_view W = view_of(ROWS, &s);
        rico_uzawa_system system = {CONTACTS, law, W, free};
        rico_uzawa_options options = rico_uzawa_options_default();
        rico_uzawa_report report;
        options.momentum = k % 2;
        assert_ok(ctx, rico_uzawa_solve(ctx, &system, &options, r, u, &report));
        assert_true(report.converged);
        rico_problem *problem;
        rico_solver *solver;
        rico_report result;
        assert_ok(ctx, rico_problem_create_reduced(ctx, CONTACTS, block, &W, free, &problem));
        assert_ok(ctx, rico_solver_create(ctx, "nsgs", &solver));
        assert_ok(ctx, rico_solver_set_number(solver, "tol", 1e-12));
        assert_ok(ctx, rico_solver_setup(solver, problem));
        assert_ok(ctx, rico_solver_solve(solver, other, its, &result));
        for (int i = 0; i < ROWS; i++) assert_near(r[i], other[i], 1e-8);
        rico_solver_destroy(solver);
        rico_problem_destroy(problem);
    }
}


// Slip rules of their own, laws of all kinds in one system: every contact obeys its law, and its bipotential says so.
static void mixed_systems_obey_every_law(void **state)
{
    rico_context *ctx = *state;
    static square s;
    rico_random random;
    rico_random_seed(&random, 31);
    for (int k = 0; k < 20; k++) {
        rico_bipotential law[20];
        double free[MOST], r[MOST] = {0.0}, u[MOST];
        int64_t rows = 0, contacts = 0;
        const rico_bipotential_info *info;
        for (int i = 0; (info = rico_bipotential_at(i)) != NULL; i++) {
            assert_ok(ctx, rico_bipotential_make(ctx, info->name, &law[contacts]));
            rows += law[contacts++].info->size;
        }
        for (int c = 0; c < 5; c++, rows += 3) law[contacts++] = law_of(ctx, CASES[c]);
        random_system(&random, rows, 3, &s, free);
        rico_uzawa_system system = {contacts, law, view_of(rows, &s), free};
        rico_uzawa_options options = rico_uzawa_options_default();
        rico_uzawa_report report;
        options.momentum = k % 2;
        assert_ok(ctx, rico_uzawa_solve(ctx, &system, &options, r, u, &report));
        assert_true(report.converged);
        assert_near(report.gap, 0.0, 1e-9);
        int64_t row = 0;
        for (int64_t c = 0; c < contacts; row += law[c++].info->size) {
            double x[RICO_BIPOTENTIAL_ROWS];
            for (int i = 0; i < law[c].info->size; i++) x[i] = -u[row + i];
            assert_at_most(rico_bipotential_miss(&law[c], 1.0, x, r + row), 1e-9);
        }
    }
}


// A rho far too large settles by halving, and does not without it.
static void too_large_a_step_is_halved(void **state)
{
    rico_context *ctx = *state;
    static square s;
    rico_random random;
    rico_random_seed(&random, 5);
    double free[9], r[9] = {0.0}, u[9], ruled[9] = {0.0};
    random_system(&random, 9, 3, &s, free);
    rico_bipotential law[3];
    for (int c = 0; c < 3; c++) law[c] = law_of(ctx, CASES[2 + c]);
    rico_uzawa_system system = {3, law, view_of(9, &s), free};
    rico_uzawa_options options = {.rho = 50.0, .tol = 1e-12, .most = 20000};
    rico_uzawa_report report;
    assert_ok(ctx, rico_uzawa_solve(ctx, &system, &options, r, u, &report));
    assert_true(report.converged && report.halvings > 0 && report.rho < 50.0);
    options.rho = 0.0;
    assert_ok(ctx, rico_uzawa_solve(ctx, &system, &options, ruled, u, &report));
    assert_true(report.converged);
    for (int i = 0; i < 9; i++) assert_near(r[i], ruled[i], 1e-9);
    options.rho = 50.0;
    options.no_halving = true;
    options.most = 2000;
    memset(r, 0, sizeof r);
    assert_ok(ctx, rico_uzawa_solve(ctx, &system, &options, r, u, &report));
    for (int i = 0; i < 9; i++) assert_true(isfinite(r[i]));
    assert_false(report.converged);
}


static void nonsense_is_refused(void **state)
{
    rico_context *ctx = *state;
    static square s = {.value = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    rico_bipotential law = law_of(ctx, CASES[0]);
    double free[3] = {-1, 0, 0}, r[3] = {0.0}, u[3];
    rico_uzawa_system system = {1, &law, view_of(3, &s), free};
    rico_uzawa_options options = rico_uzawa_options_default();
    rico_uzawa_report report;
    system.W.cols = 2;
    assert_int_equal(rico_uzawa_solve(ctx, &system, &options, r, u, &report), RICO_BAD_ARGUMENT);
    system.W.cols = 3;
    options.rho = -1.0;
    assert_int_equal(rico_uzawa_solve(ctx, &system, &options, r, u, &report), RICO_BAD_ARGUMENT);
    options.rho = 0.0;
    free[1] = NAN;
    assert_int_equal(rico_uzawa_solve(ctx, &system, &options, r, u, &report), RICO_BAD_INPUT);
    free[1] = 0.0;
    law.value[0] = -1.0;
    assert_int_equal(rico_uzawa_solve(ctx, &system, &options, r, u, &report), RICO_BAD_ARGUMENT);
    // nothing at all is a system
    system = (rico_uzawa_system){0};
    assert_ok(ctx, rico_uzawa_solve(ctx, &system, &options, r, u, &report));
    assert_true(report.converged);
}


static rico_status solve_in(rico_context *own, void *user)
{
    static square s = {.value = {2, 0, 0, 0, 1, 0, 0, 0, 1}};
    static const double FREE[3] = {-1.0, 1.0, 0.5};
    double r[3] = {0.0}, u[3];
    rico_uzawa_report report;
    rico_uzawa_options options = rico_uzawa_options_default();
    rico_uzawa_system system = {1, user, view_of(3, &s), FREE};
    return rico_uzawa_solve(own, &system, &options, r, u, &report);
}


static void every_allocation_may_fail(void **state)
{
    rico_bipotential law = law_of(*state, CASES[4]);
    assert_true(every_allocation_fails(solve_in, &law) >= 4);
}


static int setup(void **state)
{
    *state = rico_context_create(NULL);
    return *state ? 0 : -1;
}


static int teardown(void **state)
{
    rico_context_destroy(*state);
    return 0;
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_contact_has_its_digits_and_counts),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(associated_friction_is_that_of_the_solvers),
        cmocka_unit_test(mixed_systems_obey_every_law),
        cmocka_unit_test(too_large_a_step_is_halved),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
