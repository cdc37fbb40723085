// Problems and checks that the tests of several solvers share.

#ifndef RICO_TESTS_SOLVE_CASES_H
#define RICO_TESTS_SOLVE_CASES_H

#include "dense_reference.h"
#include "solve/solver_runs.h"

// Up to four "option=value" texts, NULL for none.
typedef struct solver_choice {
    const char *name;
    const char *set[4];
} solver_choice;


static inline rico_solver *make_solver(rico_context *ctx, const solver_choice *choice, const char *tol)
{
    rico_solver *solver = NULL;
    assert_ok(ctx, rico_solver_create(ctx, choice->name, &solver));
    assert_ok(ctx, rico_solver_set(solver, "tol", tol));
    for (int i = 0; i < 4 && choice->set[i]; i++) {
        char option[64];
        const char *equals = strchr(choice->set[i], '=');
        snprintf(option, sizeof option, "%.*s", (int)(equals - choice->set[i]), choice->set[i]);
        assert_ok(ctx, rico_solver_set(solver, option, equals + 1));
    }
    return solver;
}


// Solves from r as it stands; the residual that comes back.
static inline double solve_with(rico_context *ctx, const solver_choice *choice, rico_problem *p,
                                const char *tol, double *r, rico_report *report)
{
    rico_solver *solver = make_solver(ctx, choice, tol);
    assert_ok(ctx, rico_solver_setup(solver, p));
    assert_ok(ctx, rico_solver_solve(solver, r, NULL, report));
    rico_solver_destroy(solver);
    return report->residual.relative;
}


// The same, and it has to reach the tolerance.
static inline void must_solve(rico_context *ctx, const solver_choice *choice, rico_problem *p,
                              const char *tol, double *r, rico_report *report)
{
    if (solve_with(ctx, choice, p, tol, r, report) <= strtod(tol, NULL)) return;
    fail_msg("%s %s %s on %lld rows: residual %.3g after %lld iterations, %s: %s", choice->name,
             choice->set[0] ? choice->set[0] : "", choice->set[0] && choice->set[1] ? choice->set[1] : "",
             (long long)rico_problem_rows(p), report->residual.relative, (long long)report->iterations,
             rico_stop_name(report->stop), report->note);
}


// The check of one choice after the other.
static inline void check_each(int count, const solver_choice *const *choices,
                              void (*check)(rico_context *ctx, const solver_choice *choice))
{
    rico_context *ctx = rico_context_create(NULL);
    for (int i = 0; i < count; i++) check(ctx, choices[i]);
    rico_context_destroy(ctx);
}


enum { PLANE_CASES = 4 };

// A mass of 2 on a plane with mu = 1/2: an impulse of the step f, and the r that answers it.
static inline rico_problem *block_on_a_plane(rico_context *ctx, int which, double expected[3])
{
    int64_t start[] = {0, 1, 2, 3}, row[] = {0, 1, 2};
    double mass[] = {2, 2, 2}, one[] = {1, 1, 1}, w[3] = {0};
    const rico_block contact = {RICO_COULOMB_3D, 3, 0.5};
    rico_sparse_view M = {3, 3, start, row, mass}, H = {3, 3, start, row, one};
    static const struct {
        double f[3], r[3];
    } cases[PLANE_CASES] = {
        {{-4, 0, 0}, {4, 0, 0}},       // held
        {{-4, 1.9, 0}, {4, -1.9, 0}},  // pushed, sticks
        {{-4, 3, 4}, {4, -1.2, -1.6}}, // slides along (3, 4)/5 with friction 2
        {{1, 3, 4}, {0, 0, 0}},        // takes off
    };
    rico_problem *p = NULL;
    assert_ok(ctx, rico_problem_create_global(ctx, 1, &contact, &M, &H, cases[which].f, w, &p));
    memcpy(expected, cases[which].r, sizeof cases[which].r);
    return p;
}


static inline void check_block_on_a_plane(rico_context *ctx, const solver_choice *choice)
{
    for (int i = 0; i < PLANE_CASES; i++) {
        rico_report report;
        double r[3] = {0}, expected[3];
        rico_problem *p = block_on_a_plane(ctx, i, expected);
        must_solve(ctx, choice, p, "1e-12", r, &report);
        for (int k = 0; k < 3; k++) assert_near(r[k], expected[k], 1e-10);
        rico_problem_destroy(p);
    }
}


// The frictionless block on a table with a rod said twice that holds its speed, and beside it a contact without
// friction on a mass of its own.
static inline void check_mixed_blocks(rico_context *ctx, const solver_choice *choice)
{
    int64_t start5[] = {0, 1, 2, 3, 4, 5}, row5[] = {0, 1, 2, 3, 4};
    int64_t startH[] = {0, 1, 2, 3, 4, 5, 6}, rowH[] = {0, 1, 1, 2, 3, 4};
    double mass[] = {2, 4, 1, 1, 1}, one[] = {1, 1, 1, 1, 1, 1}, f[] = {-6, 8, -3, 2, 1},
           w[] = {0, -1, -1, 0, 0, 0};
    double r[6] = {0}, u[6];
    const rico_block blocks[] = {{RICO_UNILATERAL, 1, 0}, {RICO_EQUALITY, 2, 0}, {RICO_COULOMB_3D, 3, 0.0}};
    rico_sparse_view M = {5, 5, start5, row5, mass}, H = {5, 6, startH, rowH, one};
    rico_problem *p = NULL;
    rico_report report;
    assert_ok(ctx, rico_problem_create_global(ctx, 3, blocks, &M, &H, f, w, &p));
    must_solve(ctx, choice, p, "1e-11", r, &report);
    assert_near(r[0], 6.0, 1e-9);         // carries the weight
    assert_near(r[1] + r[2], -4.0, 1e-9); // 4 v = 8 + r, v = 1
    assert_near(r[3], 3.0, 1e-9);
    assert_true(r[4] == 0.0 && r[5] == 0.0); // without friction nothing tangential
    assert_ok(ctx, rico_problem_velocity(p, r, u, NULL));
    assert_near(u[4], 2.0, 1e-14);
    rico_problem_destroy(p);
}


// Random heaps, of full rank and far from it, in space and in the plane, with and without joints, both forms. What is
// found must be confirmed by the other form.
static inline void check_heaps(rico_context *ctx, const solver_choice *choice, const char *tol,
                               double friction, int count)
{
    for (int seed = 1; seed <= count; seed++) {
        rico_random_heap heap = rico_random_heap_default();
        heap.contacts = 40;
        heap.bodies = seed % 2 ? 50 : 12;
        heap.joints = seed % 3 ? 0 : 4;
        heap.dimension = seed % 4 ? 3 : 2;
        heap.friction = friction;
        heap.friction_spread = 0.5;
        heap.seed = (uint64_t)seed;
        rico_problem *forms[2] = {NULL, NULL};
        assert_ok(ctx, rico_generate_random(ctx, &heap, &forms[0]));
        heap.reduced = true;
        assert_ok(ctx, rico_generate_random(ctx, &heap, &forms[1]));
        int64_t m = rico_problem_rows(forms[0]);
        for (int form = 0; form < 2; form++) {
            double *r = calloc((size_t)m, sizeof *r), bound = strtod(tol, NULL);
            rico_report report;
            rico_residual residual;
            must_solve(ctx, choice, forms[form], tol, r, &report);
            assert_ok(ctx, rico_problem_residual(forms[1 - form], r, NULL, &residual));
            assert_at_most(residual.relative, 2.0 * bound + 1e-13);
            free(r);
        }
        rico_problem_destroy(forms[0]);
        rico_problem_destroy(forms[1]);
    }
}


// Two contacts, the first with friction mu; gyroscopic terms make W unsymmetric, its symmetric part stays definite.
static inline rico_problem *unsymmetric_problem(rico_context *ctx, double mu)
{
    int64_t start[] = {0, 6, 12, 18, 24, 30, 36}, row[36];
    double value[36], q[6] = {-1, 2, 0.5, -0.5, -1, 1};
    rico_random random;
    rico_random_seed(&random, 11);
    for (int k = 0; k < 36; k++) {
        row[k] = k % 6;
        value[k] = (k % 7 == 0 ? 4.0 : 0.0) + rico_random_range(&random, -0.4, 0.4);
    }
    const rico_block blocks[] = {{RICO_COULOMB_3D, 3, mu}, {RICO_COULOMB_3D, 3, 0.3}};
    rico_sparse_view W = {6, 6, start, row, value};
    rico_problem *p = NULL;
    assert_ok(ctx, rico_problem_create_reduced(ctx, 2, blocks, &W, q, &p));
    return p;
}


static inline void check_unsymmetric(rico_context *ctx, const solver_choice *choice, const char *tol)
{
    double r[6] = {0};
    rico_report report;
    rico_problem *p = unsymmetric_problem(ctx, 0.8);
    must_solve(ctx, choice, p, tol, r, &report);
    rico_problem_destroy(p);
}


// A body pressed into the ground with no way out, and rows that nothing answers to: there is no solution, and no
// solver may say that it found one. What comes back is finite and no worse than r = 0.
static inline void check_no_solution(rico_context *ctx, const solver_choice *choice)
{
    double r[4] = {0};
    rico_report report;
    rico_problem *p = hopeless_problem(ctx);
    solve_with(ctx, choice, p, "1e-8", r, &report);
    assert_int_not_equal(report.stop, RICO_CONVERGED);
    for (int i = 0; i < 4; i++) assert_true(isfinite(r[i]));
    rico_problem_destroy(p);

    // wedged between two planes that close in on it: W = (1, -1; -1, 1), q = (-1, -1)
    int64_t start2[] = {0, 2, 4}, row2[] = {0, 1, 0, 1};
    double value2[] = {1, -1, -1, 1}, q2[2] = {-1, -1}, r2[2] = {0};
    const rico_block pair[] = {{RICO_UNILATERAL, 1, 0}, {RICO_UNILATERAL, 1, 0}};
    rico_sparse_view W2 = {2, 2, start2, row2, value2};
    assert_ok(ctx, rico_problem_create_reduced(ctx, 2, pair, &W2, q2, &p));
    solve_with(ctx, choice, p, "1e-8", r2, &report);
    assert_int_not_equal(report.stop, RICO_CONVERGED);
    assert_true(isfinite(r2[0]) && isfinite(r2[1]));
    rico_problem_destroy(p);
}


// A context that counts what it allocates.
static inline void *count_allocation(void *user, size_t size)
{
    ++*(int64_t *)user;
    return malloc(size);
}


static inline void counted_release(void *user, void *block)
{
    (void)user;
    free(block);
}


// Once set up, the named solvers take no memory of the context while they solve the problem that `make` makes.
static inline void check_solving_allocates_nothing(int solvers, const char *const *names,
                                                   rico_problem *(*make)(rico_context *ctx))
{
    int64_t count = 0;
    rico_allocator allocator = {count_allocation, counted_release, &count};
    rico_context *ctx = rico_context_create(&allocator);
    rico_problem *p = make(ctx);
    double *r = calloc((size_t)rico_problem_rows(p), sizeof *r);
    for (int k = 0; k < solvers; k++) {
        rico_solver *solver = NULL;
        rico_report report;
        assert_ok(ctx, rico_solver_create(ctx, names[k], &solver));
        assert_ok(ctx, rico_solver_setup(solver, p));
        memset(r, 0, (size_t)rico_problem_rows(p) * sizeof *r);
        int64_t before = count;
        assert_ok(ctx, rico_solver_solve(solver, r, NULL, &report));
        assert_true(report.iterations > 0);
        assert_int_equal(count, before);
        rico_solver_destroy(solver);
    }
    free(r);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}

#endif
