// Projected conjugate gradients: the operator on a face, columns known by hand, every kind of block, what it refuses.

#include "solve/column.h"
#include "solve/solver_runs.h"

#include "la/dense.h"
#include "solve/face.h"

// P is an orthogonal projector, P (W + C) P symmetric and the preconditioner symmetric and definite on the face.
static void test_face_operators(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (int dimension = 2; dimension <= 3; dimension++) {
        rico_problem *p = heap_of(ctx, 40, 30, 0.3, 3, dimension, true, 4);
        int64_t m = rico_problem_rows(p);
        size_t bytes = (size_t)m * sizeof(double);
        double *r = calloc((size_t)m, sizeof *r), *u = malloc(bytes), *x = malloc(bytes), *y = malloc(bytes);
        double *Ax = malloc(bytes), *Ay = malloc(bytes), *kept = malloc(bytes);
        run_solver(ctx, p, "nsgs", (const char *const[]){"max-iter", "3", NULL}, r);
        assert_ok(ctx, rico_problem_velocity(p, r, u, NULL));
        rico_face face;
        assert_ok(ctx, rico_face_create(p, &face));
        rico_face_identify(&face, r, u);
        int slides = 0, sticks = 0, open = 0;
        for (int64_t a = 0; a < p->block_count; a++) {
            if (p->kind[a] == RICO_EQUALITY) continue;
            open += face.block[a].free == 0;
            slides += face.block[a].free == dimension - 1;
            sticks += face.block[a].free == dimension;
        }
        assert_true(open > 0 && slides > 0 && sticks > 0);

        rico_random random;
        rico_random_seed(&random, 3);
        for (int draw = 0; draw < 20; draw++) {
            for (int64_t i = 0; i < m; i++) {
                x[i] = rico_random_normal(&random);
                y[i] = rico_random_normal(&random);
            }
            memcpy(kept, x, bytes);
            rico_face_restrict(&face, x);
            rico_face_restrict(&face, y);
            assert_near(rico_dot(m, kept, y), rico_dot(m, x, y), 1e-12 * (double)m); // P = P'
            memcpy(kept, x, bytes);
            rico_face_restrict(&face, kept);
            for (int64_t i = 0; i < m; i++) assert_near(kept[i], x[i], 1e-14); // P = P P

            rico_face_times(&face, x, Ax);
            rico_face_times(&face, y, Ay);
            double size = rico_norm(m, Ax) * rico_norm(m, y) + 1.0;
            assert_near(rico_dot(m, y, Ax), rico_dot(m, x, Ay), 1e-12 * size);
            assert_true(rico_dot(m, x, Ax) > 0.0);
            rico_face_precondition(&face, x, Ax);
            rico_face_precondition(&face, y, Ay);
            size = rico_norm(m, Ax) * rico_norm(m, y) + 1.0;
            assert_near(rico_dot(m, y, Ax), rico_dot(m, x, Ay), 1e-12 * size);
            assert_true(rico_dot(m, x, Ax) > 0.0);
        }
        rico_face_destroy(&face);
        free(r);
        free(u);
        free(x);
        free(y);
        free(Ax);
        free(Ay);
        free(kept);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


// A column at rest, a column pushed but held, one whose lowest contact slides: friction mu times the weight there.
static void test_columns(void **state)
{
    (void)state;
    enum { HEIGHT = 60 };
    rico_context *ctx = rico_context_create(NULL);
    static const double pushes[] = {0.0, 0.3, 0.8};
    for (int k = 0; k < 3; k++) {
        rico_problem *p = column_problem(ctx, HEIGHT, 0.5, 1.0, pushes[k]);
        double r[3 * HEIGHT] = {0};
        rico_report report = run_solver(ctx, p, "pcg", (const char *const[]){"tol", "1e-10", NULL}, r);
        assert_int_equal(report.stop, RICO_CONVERGED);
        assert_at_most(report.iterations, 40); // nsgs needs thousands of sweeps
        // all masses weigh and are pushed alike: contact k passes on what is pushed above, or slides
        double share = pushes[k] < 0.5 ? pushes[k] : 0.5;
        for (int c = 0; c < HEIGHT; c++) {
            assert_near(r[3 * c], HEIGHT - c, 1e-5);
            assert_near(r[3 * c + 1], -share * (HEIGHT - c), 1e-5);
        }
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


static void test_heaps(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (uint64_t seed = 1; seed <= 8; seed++) {
        rico_problem *p = heap_of(ctx, 40, 45, 0.4, seed % 2 ? 4 : 0, seed % 3 ? 3 : 2, seed % 4 < 2, seed);
        double *r = calloc((size_t)rico_problem_rows(p), sizeof *r);
        rico_report report = run_solver(ctx, p, "pcg", (const char *const[]){"tol", "1e-10", NULL}, r);
        if (report.stop != RICO_CONVERGED)
            fail_msg("seed %d: %s at %.3g", (int)seed, rico_stop_name(report.stop), report.residual.relative);
        free(r);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


static void test_refuses_an_unsymmetric_matrix(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    int64_t start[] = {0, 2, 4}, row[] = {0, 1, 0, 1};
    double value[] = {1, 0.5, -0.5, 1}, nearly[] = {1, 0.5, 0.5 + 1e-4, 1}, q[] = {-1, -1}, r[2] = {0};
    const rico_block blocks[] = {{RICO_UNILATERAL, 1, 0}, {RICO_UNILATERAL, 1, 0}};
    rico_sparse_view W = {2, 2, start, row, value};
    rico_problem *p = NULL;
    rico_solver *solver = NULL;
    assert_ok(ctx, rico_problem_create_reduced(ctx, 2, blocks, &W, q, &p));
    assert_ok(ctx, rico_solver_create(ctx, "pcg", &solver));
    assert_int_equal(rico_solver_setup(solver, p), RICO_UNSUPPORTED);
    assert_non_null(strstr(rico_message(ctx), "pcg needs a symmetric W"));
    rico_solver_destroy(solver);
    rico_problem_destroy(p);

    W.value = nearly;
    assert_ok(ctx, rico_problem_create_reduced(ctx, 2, blocks, &W, q, &p));
    rico_report report = run_solver(ctx, p, "pcg", (const char *const[]){"tol", "1e-12", NULL}, r);
    assert_int_equal(report.stop, RICO_CONVERGED);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


static void test_admits_defeat(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_problem *p = hopeless_problem(ctx);
    double r[4] = {0};
    rico_report report = run_solver(ctx, p, "pcg", (const char *const[]){"max-iter", "50", NULL}, r);
    assert_int_not_equal(report.stop, RICO_CONVERGED);
    for (int i = 0; i < 4; i++) assert_true(isfinite(r[i]));
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_face_operators), cmocka_unit_test(test_columns),
        cmocka_unit_test(test_heaps),          cmocka_unit_test(test_refuses_an_unsymmetric_matrix),
        cmocka_unit_test(test_admits_defeat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
