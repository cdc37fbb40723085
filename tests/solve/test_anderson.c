// Anderson's acceleration: Krylov behaviour on affine maps, restarts, and sweeps that need fewer of them.

#include "solve/column.h"
#include "solve/solver_runs.h"

#include "solve/anderson.h"

enum { N = 8 };

// A contraction x -> A x + b with a random A of norm below 0.9.
typedef struct affine {
    double A[N][N], b[N];
} affine;

static affine draw_affine(uint64_t seed)
{
    affine g;
    rico_random random;
    rico_random_seed(&random, seed);
    for (int i = 0; i < N; i++) {
        double sum = 0.0;
        for (int j = 0; j < N; j++) {
            g.A[i][j] = rico_random_range(&random, -1.0, 1.0);
            sum += fabs(g.A[i][j]);
        }
        for (int j = 0; j < N; j++) g.A[i][j] *= 0.9 / sum;
        g.b[i] = rico_random_range(&random, -1.0, 1.0);
    }
    return g;
}


static void apply(const affine *g, const double *x, double *y)
{
    for (int i = 0; i < N; i++) {
        y[i] = g->b[i];
        for (int j = 0; j < N; j++) y[i] += g->A[i][j] * x[j];
    }
}


// With a window as large as the space an affine map is at its fixed point after N + 1 evaluations (Walker and Ni
// 2011: the iterates are those of GMRES).
static void test_affine_maps_end(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        affine g = draw_affine(seed);
        rico_anderson mixer;
        assert_ok(ctx, rico_anderson_create(ctx, N, N, &mixer));
        if (seed % 2)
            for (int i = 0; i < N; i++) mixer.weight[i] = 1.0 + i; // another norm, the same end
        double x[N] = {0}, G[N];
        apply(&g, x, G);
        double begin = rico_anderson_step(&mixer, x, G);
        for (int k = 0; k <= N + 1; k++) {
            apply(&g, x, G);
            int used = rico_anderson_mix(&mixer, x, G, x);
            assert_int_equal(used, k < N ? k : N);
            if (k == 0) assert_memory_equal(x, G, sizeof x); // nothing to look back on yet
        }
        apply(&g, x, G);
        assert_at_most(rico_anderson_step(&mixer, x, G), 1e-7 * begin);
        rico_anderson_destroy(&mixer);
    }
    rico_context_destroy(ctx);
}


static void test_restart_forgets(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    affine g = draw_affine(3);
    rico_anderson mixer;
    assert_ok(ctx, rico_anderson_create(ctx, N, 3, &mixer));
    double x[N] = {0}, G[N];
    for (int k = 0; k < 6; k++) { // the window is full after three
        apply(&g, x, G);
        assert_int_equal(rico_anderson_mix(&mixer, x, G, x), k < 3 ? k : 3);
    }
    rico_anderson_restart(&mixer);
    apply(&g, x, G);
    assert_int_equal(rico_anderson_mix(&mixer, x, G, x), 0);
    assert_memory_equal(x, G, sizeof x);

    // the same point twice gives a difference of zero, which must do no harm
    double next[N];
    apply(&g, x, G);
    rico_anderson_restart(&mixer);
    rico_anderson_mix(&mixer, x, G, next);
    assert_int_equal(rico_anderson_mix(&mixer, x, G, next), 0);
    assert_memory_equal(next, G, sizeof next);
    rico_anderson_destroy(&mixer);
    rico_context_destroy(ctx);
}


// A passenger v = S x + t arrives where x does, also after a restart.
static void test_passengers_follow(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    affine g = draw_affine(4), along = draw_affine(5);
    rico_anderson mixer;
    assert_ok(ctx, rico_anderson_create(ctx, N, 3, &mixer));
    assert_ok(ctx, rico_anderson_board(&mixer, N));
    double x[N] = {0}, G[N], v[N], expected[N];
    for (int k = 0; k < 9; k++) {
        if (k == 5) rico_anderson_restart(&mixer);
        apply(&g, x, G);
        apply(&along, G, v);
        int used = rico_anderson_mix(&mixer, x, G, x);
        rico_anderson_carry(&mixer, used, true, v);
        apply(&along, x, expected);
        for (int i = 0; i < N; i++) assert_near(v[i], expected[i], 1e-12);
    }
    rico_anderson_destroy(&mixer);
    rico_context_destroy(ctx);
}


// Threads share the chunks of long vectors and change no bit.
static void test_threads_change_nothing(void **state)
{
    (void)state;
    enum { LONG = 10000, THREADS = 3 };
    rico_context *ctx = rico_context_create(NULL);
    double *x[2], *G = malloc(LONG * sizeof *G);
    rico_anderson mixer[2];
    for (int m = 0; m < 2; m++) {
        x[m] = calloc(LONG, sizeof *x[m]);
        assert_ok(ctx, rico_anderson_create(ctx, LONG, 4, &mixer[m]));
    }
    mixer[1].threads = THREADS;
    for (int k = 0; k < 8; k++)
        for (int m = 0; m < 2; m++) {
            for (int i = 0; i < LONG; i++) G[i] = 0.9 * cos(x[m][i] + i) + 0.05 * x[m][(i + 1) % LONG];
            double step = rico_anderson_step(&mixer[m], x[m], G);
            assert_true(m == 0 || step == rico_anderson_step(&mixer[0], x[1], G));
            rico_anderson_mix(&mixer[m], x[m], G, x[m]);
            if (m == 1) assert_memory_equal(x[0], x[1], LONG * sizeof *x[0]);
        }
    for (int m = 0; m < 2; m++) {
        free(x[m]);
        rico_anderson_destroy(&mixer[m]);
    }
    free(G);
    rico_context_destroy(ctx);
}


// Contact k of a column carries what is above it; acceleration finds that in far fewer sweeps.
static void test_column(void **state)
{
    (void)state;
    enum { HEIGHT = 30 };
    rico_context *ctx = rico_context_create(NULL);
    rico_problem *p = column_problem(ctx, HEIGHT, 1.0, 0.5, 2.0, 0.0);
    const char *const options[] = {"tol", "1e-11", NULL};
    double r[3 * HEIGHT] = {0}, plain[3 * HEIGHT] = {0};
    rico_report fast = run_solver(ctx, p, "nsgs-anderson", options, r);
    rico_report slow = run_solver(ctx, p, "nsgs", options, plain);
    assert_int_equal(fast.stop, RICO_CONVERGED);
    assert_int_equal(slow.stop, RICO_CONVERGED);
    for (int k = 0; k < HEIGHT; k++) {
        assert_near(r[3 * k], 2.0 * (HEIGHT - k), 1e-6);
        assert_near(r[3 * k + 1], 0.0, 1e-6);
    }
    assert_true(5 * fast.iterations < slow.iterations);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


static void test_heaps_of_both_forms(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (uint64_t seed = 1; seed <= 8; seed++) {
        rico_problem *p = heap_of(ctx, 40, 45, 0.4, seed % 2 ? 4 : 0, seed % 3 ? 3 : 2, seed % 4 < 2, seed);
        double *r = calloc((size_t)rico_problem_rows(p), sizeof *r);
        rico_report report =
            run_solver(ctx, p, "nsgs-anderson", (const char *const[]){"tol", "1e-10", NULL}, r);
        assert_int_equal(report.stop, RICO_CONVERGED);
        free(r);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


// An allowed growth of nothing refuses every accelerated point: what is left are plain sweeps, at little extra cost.
static void test_safeguard(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_problem *p = heap_of(ctx, 30, 40, 0.4, 0, 3, true, 6);
    double *r = calloc((size_t)rico_problem_rows(p), sizeof *r);
    rico_report plain = run_solver(ctx, p, "nsgs", NULL, r);
    memset(r, 0, (size_t)rico_problem_rows(p) * sizeof *r);
    rico_report wary = run_solver(ctx, p, "nsgs-anderson", (const char *const[]){"growth", "0", NULL}, r);
    assert_int_equal(wary.stop, RICO_CONVERGED);
    assert_true(wary.iterations <= 3 * plain.iterations + 10);
    free(r);
    rico_problem_destroy(p);

    p = hopeless_problem(ctx);
    double none[4] = {0};
    rico_report report =
        run_solver(ctx, p, "nsgs-anderson", (const char *const[]){"max-iter", "300", NULL}, none);
    assert_int_not_equal(report.stop, RICO_CONVERGED);
    for (int i = 0; i < 4; i++) assert_true(isfinite(none[i]));
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


static void test_window_may_change_after_setup(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_problem *p = column_problem(ctx, 20, 1.0, 0.5, 1.0, 0.0);
    rico_solver *solver = NULL;
    rico_report narrow, wide;
    double r[60] = {0};
    assert_ok(ctx, rico_solver_create(ctx, "nsgs-anderson", &solver));
    assert_ok(ctx, rico_solver_set(solver, "window", "1"));
    assert_ok(ctx, rico_solver_setup(solver, p));
    assert_ok(ctx, rico_solver_solve(solver, r, NULL, &narrow));
    assert_ok(ctx, rico_solver_set(solver, "window", "20"));
    memset(r, 0, sizeof r);
    assert_ok(ctx, rico_solver_solve(solver, r, NULL, &wide));
    assert_int_equal(narrow.stop, RICO_CONVERGED);
    assert_int_equal(wide.stop, RICO_CONVERGED);
    assert_true(wide.iterations < narrow.iterations);
    assert_int_equal(rico_solver_set(solver, "window", "51"), RICO_BAD_ARGUMENT);
    rico_solver_destroy(solver);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_affine_maps_end),
        cmocka_unit_test(test_restart_forgets),
        cmocka_unit_test(test_passengers_follow),
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_column),
        cmocka_unit_test(test_heaps_of_both_forms),
        cmocka_unit_test(test_safeguard),
        cmocka_unit_test(test_window_may_change_after_setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
