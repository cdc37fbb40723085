// Random small problems against an independent judge: nobody says converged where it disagrees, auto solves all that can be
// solved, and proves that there is no solution where a certificate exists.
//
// RICO_DRAWS sets how many problems are drawn (10^5 for the full experiment: `make experiment-small`).

#include "solve/small_problems.h"

#include "problem/problem.h"

enum { DRAWS = 1200 };

static int draws(void)
{
    const char *asked = getenv("RICO_DRAWS");
    return asked ? atoi(asked) : DRAWS;
}


// A problem of a seed in units of a random size, 1e-12 to 1e12 for W and for q.
static small_problem scaled_problem(const small_problem *p, uint64_t seed)
{
    rico_random random;
    small_problem scaled = *p;
    rico_random_seed(&random, 77 * seed + 1);
    double matrix = pow(10.0, rico_random_range(&random, -12.0, 12.0));
    scale_problem(&scaled, matrix, pow(10.0, rico_random_range(&random, -12.0, 12.0)));
    return scaled;
}


// Runs a solver; its claim of success must hold before the independent judge. RICO_BREAKDOWN when it takes no such problem.
static rico_stop run_judged(rico_context *ctx, const char *name, const small_problem *p, uint64_t seed,
                            double most_iterations)
{
    static const double tol = 1e-9;
    rico_problem *problem = build_problem(ctx, p);
    rico_solver *solver = NULL;
    rico_report report = {.stop = RICO_BREAKDOWN};
    double r[SMALL_ROWS] = {0};
    assert_ok(ctx, rico_solver_create(ctx, name, &solver));
    assert_ok(ctx, rico_solver_set_number(solver, "tol", tol));
    if (most_iterations > 0.0) assert_ok(ctx, rico_solver_set_number(solver, "max-iter", most_iterations));
    rico_status status = rico_solver_setup(solver, problem);
    if (status == RICO_OK) status = rico_solver_solve(solver, r, NULL, &report);
    if (status != RICO_OK && status != RICO_UNSUPPORTED && status != RICO_SINGULAR)
        fail_msg("%s, seed %d: %s", name, (int)seed, rico_message(ctx));
    // the two measures differ by what mu makes of an error, 10 at most
    double far = report.stop == RICO_CONVERGED ? independent_residual(p, r) : 0.0;
    if (!(far <= 30.0 * tol)) fail_msg("%s, seed %d: converged, but %.3g away", name, (int)seed, far);
    rico_solver_destroy(solver);
    rico_problem_destroy(problem);
    return report.stop;
}


// In the plane every combination of states is searched: the answer exists, or it does not.
static void test_auto_in_the_plane(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    int solvable = 0, impossible = 0, proved = 0, certified = 0, certificates = 0;
    for (int seed = 1; seed <= draws() / 2; seed++) {
        small_problem p = draw_problem((uint64_t)seed, 2), scaled = scaled_problem(&p, (uint64_t)seed);
        long double distance = search_states(&p);
        rico_stop stop = run_judged(ctx, "auto", &scaled, (uint64_t)seed, 0.0);
        if (p.constructed || distance < 1e-10L) {
            solvable++;
            if (stop != RICO_CONVERGED) fail_msg("seed %d: solvable, %s", seed, rico_stop_name(stop));
        } else if (distance > 1e-7L) {
            impossible++;
            proved += stop == RICO_NO_SOLUTION;
            if (stop == RICO_CONVERGED)
                fail_msg("seed %d: converged %.3Lg away from any answer", seed, distance);
        }
        bool certain = least_closing(&p) > 1e-6L;
        certificates += certain;
        certified += certain && stop == RICO_NO_SOLUTION;
    }
    print_message("%d solvable; %d not, %d proved; %d certificates, %d found\n", solvable, impossible, proved,
                  certificates, certified);
    assert_true(solvable > 0 && impossible > 0);
    assert_true(proved >= 0.97 * impossible && certified >= 0.99 * certificates);
    rico_context_destroy(ctx);
}


// In space an answer is known by construction.
static void test_auto_in_space(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    int solvable = 0, certified = 0, certificates = 0;
    for (int seed = 1; seed <= draws() / 2; seed++) {
        small_problem p = draw_problem((uint64_t)seed, 3), scaled = scaled_problem(&p, (uint64_t)seed);
        rico_stop stop = run_judged(ctx, "auto", &scaled, (uint64_t)seed, 0.0);
        bool certain = least_closing(&p) > 1e-6L;
        if (p.constructed && stop != RICO_CONVERGED)
            fail_msg("seed %d: solvable, %s", seed, rico_stop_name(stop));
        solvable += p.constructed;
        certificates += certain;
        certified += certain && stop == RICO_NO_SOLUTION;
    }
    print_message("%d solvable; %d certificates, %d found\n", solvable, certificates, certified);
    assert_true(solvable > 0 && certified >= 0.99 * certificates);
    rico_context_destroy(ctx);
}


// Every solver of the table may fail, and none may be wrong.
static void test_nobody_is_wrong(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    int converged = 0;
    for (int seed = 1; seed <= draws() / 60; seed++) {
        int dimension = 2 + seed % 2;
        small_problem p = draw_problem((uint64_t)seed + 1000000, dimension);
        p = scaled_problem(&p, (uint64_t)seed);
        const rico_solver_info *info;
        for (int i = 0; (info = rico_solver_at(i)); i++)
            converged += run_judged(ctx, info->name, &p, (uint64_t)seed, 300.0) == RICO_CONVERGED;
    }
    print_message("%d times converged\n", converged);
    assert_true(converged > draws() / 60);
    rico_context_destroy(ctx);
}


// The same problem in other units takes the same iterations to the same answer; by powers of four, to the bit.
static void test_units(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (int seed = 1; seed <= 60; seed++) {
        small_problem p = draw_problem((uint64_t)seed + 2000000, 2 + seed % 2);
        double r[2][SMALL_ROWS] = {{0}};
        rico_report report[2];
        const double matrix = ldexp(1.0, 40), vector = ldexp(1.0, -36);
        for (int k = 0; k < 2; k++) {
            if (k == 1) scale_problem(&p, matrix, vector);
            rico_problem *problem = build_problem(ctx, &p);
            rico_solver *solver = NULL;
            assert_ok(ctx, rico_solver_create(ctx, "auto", &solver));
            assert_ok(ctx, rico_solver_setup(solver, problem));
            assert_ok(ctx, rico_solver_solve(solver, r[k], NULL, &report[k]));
            rico_solver_destroy(solver);
            rico_problem_destroy(problem);
        }
        assert_int_equal(report[0].stop, report[1].stop);
        assert_int_equal(report[0].iterations, report[1].iterations);
        for (int i = 0; i < p.rows; i++) assert_true(r[1][i] == r[0][i] * (vector / matrix));
    }
    rico_context_destroy(ctx);
}


// A contact as large as |W_aa| = 0, a friction of 1e12, walls that close in: said, not guessed.
static void test_edges(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    small_problem nothing = {.contacts = 4, .dimension = 3, .rows = 12, .mu = {0.5, 0.5, 0.5, 0.5}};
    for (int c = 0; c < 4; c++) nothing.q[3 * c] = -1.0;
    assert_int_equal(run_judged(ctx, "auto", &nothing, 0, 0.0), RICO_NO_SOLUTION);
    for (int c = 0; c < 4; c++) nothing.q[3 * c] = 1.0;
    assert_int_equal(run_judged(ctx, "auto", &nothing, 0, 0.0), RICO_CONVERGED);

    for (int seed = 1; seed <= 20; seed++) {
        small_problem rough = draw_problem((uint64_t)seed + 3000000, 2 + seed % 2);
        for (int c = 0; c < rough.contacts; c++) rough.mu[c] = 1e12;
        run_judged(ctx, "auto", &rough, (uint64_t)seed, 0.0);
    }

    // one coordinate between two walls that come nearer: named as what cannot be
    small_problem squeezed = {.contacts = 2, .dimension = 2, .rows = 4, .mu = {0.3, 0.3}};
    squeezed.W[0][0] = squeezed.W[2][2] = 1.0;
    squeezed.W[0][2] = squeezed.W[2][0] = -1.0;
    squeezed.q[0] = -0.5;
    squeezed.q[2] = -0.25;
    assert_int_equal(run_judged(ctx, "auto", &squeezed, 0, 0.0), RICO_NO_SOLUTION);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_auto_in_the_plane),
        cmocka_unit_test(test_auto_in_space),
        cmocka_unit_test(test_nobody_is_wrong),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
