// The solver of cone programs against enumeration of vertices, the conditions of optimality, and proofs that are checked.

#include "limit/cone_program.h"
#include "support.h"

enum { M = 3, N = 7 };


static bool solve_3(double A[M][M], double b[M], double x[M])
{
    double det = A[0][0] * (A[1][1] * A[2][2] - A[1][2] * A[2][1]) -
                 A[0][1] * (A[1][0] * A[2][2] - A[1][2] * A[2][0]) +
                 A[0][2] * (A[1][0] * A[2][1] - A[1][1] * A[2][0]);
    if (fabs(det) < 1e-9) return false;
    for (int k = 0; k < M; k++) {
        double B[M][M];
        memcpy(B, A, sizeof B);
        for (int i = 0; i < M; i++) B[i][k] = b[i];
        x[k] = (B[0][0] * (B[1][1] * B[2][2] - B[1][2] * B[2][1]) -
                B[0][1] * (B[1][0] * B[2][2] - B[1][2] * B[2][0]) +
                B[0][2] * (B[1][0] * B[2][1] - B[1][1] * B[2][0])) /
               det;
    }
    return true;
}


// The least c'x over all vertices of A x = b, x >= 0; INFINITY: there is none.
static double least_vertex(double A[M][N], double b[M], const double c[N])
{
    double least = INFINITY;
    for (int i = 0; i < N; i++)
        for (int j = i + 1; j < N; j++)
            for (int k = j + 1; k < N; k++) {
                double B[M][M], x[M];
                for (int r = 0; r < M; r++) B[r][0] = A[r][i], B[r][1] = A[r][j], B[r][2] = A[r][k];
                if (!solve_3(B, b, x) || x[0] < -1e-11 || x[1] < -1e-11 || x[2] < -1e-11) continue;
                least = fmin(least, c[i] * x[0] + c[j] * x[1] + c[k] * x[2]);
            }
    return least;
}


static rico_csc sparse(rico_context *ctx, int rows, int cols, const double *A)
{
    int64_t row[512], col[512], count = 0;
    double value[512];
    rico_csc out;
    for (int j = 0; j < cols; j++)
        for (int i = 0; i < rows; i++)
            if (A[i * cols + j] != 0.0) row[count] = i, col[count] = j, value[count++] = A[i * cols + j];
    assert_ok(ctx, rico_csc_from_triplets(ctx, "A", rows, cols, count, row, col, value, &out));
    return out;
}


static void test_linear_programs(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random random;
    rico_random_seed(&random, 11);
    int seen[4] = {0};
    for (int trial = 0; trial < 400; trial++) {
        double A[M][N], b[M], c[N], units = pow(10.0, 12.0 * rico_random_unit(&random) - 6.0);
        for (int i = 0; i < M; i++)
            for (int j = 0; j < N; j++) A[i][j] = 2.0 * rico_random_unit(&random) - 1.0;
        for (int i = 0; i < M; i++) b[i] = units * (2.0 * rico_random_unit(&random) - 1.0);
        for (int j = 0; j < N; j++) c[j] = rico_random_unit(&random) - (trial % 4 == 0 ? 0.6 : 0.2);
        rico_csc sparse_A = sparse(ctx, M, N, &A[0][0]);
        rico_cone_program_kind kind[N];
        for (int j = 0; j < N; j++) kind[j] = RICO_PROGRAM_RAY;
        rico_cone_program *program;
        rico_cone_program_answer a;
        assert_ok(ctx, rico_cone_program_create(ctx, &sparse_A, b, N, kind, &program));
        assert_ok(ctx, rico_cone_program_solve(program, c, &a));
        double least = least_vertex(A, b, c);
        seen[a.finding]++;
        if (a.finding == RICO_PROGRAM_OPTIMAL) assert_near(a.value, least, 1e-9 * (units + fabs(least)));
        if (a.finding == RICO_PROGRAM_INFEASIBLE) { // A'y <= 0 and b'y = 1
            double by = 0.0, size = 0.0;
            assert_true(isinf(least));
            for (int i = 0; i < M; i++) by += b[i] * a.y[i], size = fmax(size, fabs(a.y[i]));
            assert_near(by, 1.0, 1e-9);
            for (int j = 0; j < N; j++) {
                double sum = 0.0;
                for (int i = 0; i < M; i++) sum += A[i][j] * a.y[i];
                assert_at_most(sum, 1e-7 * size);
            }
        }
        if (a.finding == RICO_PROGRAM_UNBOUNDED) { // A x = 0, x >= 0, c'x = -1
            double cx = 0.0, size = 0.0;
            for (int j = 0; j < N; j++) cx += c[j] * a.x[j], size = fmax(size, a.x[j]);
            assert_near(cx, -1.0, 1e-9);
            for (int j = 0; j < N; j++) assert_true(a.x[j] >= 0.0);
            for (int i = 0; i < M; i++) {
                double sum = 0.0;
                for (int j = 0; j < N; j++) sum += A[i][j] * a.x[j];
                assert_at_most(fabs(sum), 1e-7 * size);
            }
        }
        rico_cone_program_destroy(program);
        rico_csc_destroy(&sparse_A);
    }
    assert_true(seen[RICO_PROGRAM_OPTIMAL] > 50 && seen[RICO_PROGRAM_INFEASIBLE] > 20 &&
                seen[RICO_PROGRAM_UNBOUNDED] > 20);
    assert_int_equal(seen[RICO_PROGRAM_UNSURE], 0);
    rico_context_destroy(ctx);
}


// Programs with known interior points of both sides: what comes out is feasible on both, and the two values meet. Twice, small and large.
static void test_second_order_cones(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random random;
    rico_random_seed(&random, 5);
    for (int trial = 0; trial < 60; trial++) {
        enum { ROWS = 6, CONES = 5, FREE = 2, COLS = 3 * CONES + FREE };
        double A[ROWS * COLS], b[ROWS] = {0.0}, c[COLS], y[ROWS], x[COLS];
        rico_cone_program_kind kind[CONES + FREE];
        for (int i = 0; i < ROWS * COLS; i++) A[i] = 2.0 * rico_random_unit(&random) - 1.0;
        for (int i = 0; i < ROWS; i++) y[i] = 2.0 * rico_random_unit(&random) - 1.0;
        for (int j = 0; j < COLS; j++)
            x[j] = 2.0 * rico_random_unit(&random) - 1.0, c[j] = 2.0 * rico_random_unit(&random) - 1.0;
        for (int k = 0; k < CONES + FREE; k++) kind[k] = k < CONES ? RICO_PROGRAM_CONE : RICO_PROGRAM_FREE;
        for (int k = 0; k < CONES; k++) x[3 * k] = 2.0, c[3 * k] = 2.0;
        for (int j = 3 * CONES; j < COLS; j++) c[j] = 0.0;
        for (int j = 0; j < COLS; j++)
            for (int i = 0; i < ROWS; i++) b[i] += A[i * COLS + j] * x[j], c[j] += A[i * COLS + j] * y[i];
        rico_csc sparse_A = sparse(ctx, ROWS, COLS, A);
        rico_cone_program *program;
        rico_cone_program_answer a;
        assert_ok(ctx, rico_cone_program_create(ctx, &sparse_A, b, CONES + FREE, kind, &program));
        assert_ok(ctx, rico_cone_program_solve(program, c, &a));
        assert_int_equal(a.finding, RICO_PROGRAM_OPTIMAL);
        double cx = 0.0, by = 0.0;
        for (int i = 0; i < ROWS; i++) {
            double sum = -b[i];
            for (int j = 0; j < COLS; j++) sum += A[i * COLS + j] * a.x[j];
            assert_at_most(fabs(sum), 1e-9);
            by += b[i] * a.y[i];
        }
        for (int j = 0; j < COLS; j++) {
            cx += c[j] * a.x[j];
            x[j] = c[j];
            for (int i = 0; i < ROWS; i++) x[j] -= A[i * COLS + j] * a.y[i];
            if (j >= 3 * CONES) assert_at_most(fabs(x[j]), 1e-9);
        }
        for (int k = 0; k < CONES; k++) {
            assert_at_most(hypot(a.x[3 * k + 1], a.x[3 * k + 2]) - a.x[3 * k], 1e-9);
            assert_at_most(hypot(x[3 * k + 1], x[3 * k + 2]) - x[3 * k], 1e-9);
        }
        assert_near(cx, by, 1e-9);
        assert_near(cx, a.value, 1e-9);
        rico_cone_program_destroy(program);
        rico_csc_destroy(&sparse_A);
    }
    rico_context_destroy(ctx);
}


// Equations that repeat each other, and then contradict each other.
static void test_dependent_equations(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    const double A[] = {1, 1, 0, 2, 2, 0, 0, 0, 1}, c[] = {1, 2, 1};
    rico_cone_program_kind kind[3] = {RICO_PROGRAM_RAY, RICO_PROGRAM_RAY, RICO_PROGRAM_RAY};
    rico_csc sparse_A = sparse(ctx, 3, 3, A);
    for (int wrong = 0; wrong < 2; wrong++) {
        double b[] = {1, 2 + 0.5 * wrong, 3};
        rico_cone_program *program;
        rico_cone_program_answer a;
        assert_ok(ctx, rico_cone_program_create(ctx, &sparse_A, b, 3, kind, &program));
        assert_ok(ctx, rico_cone_program_solve(program, c, &a));
        assert_int_equal(a.finding, wrong ? RICO_PROGRAM_INFEASIBLE : RICO_PROGRAM_OPTIMAL);
        if (!wrong) assert_near(a.value, 4.0, 1e-12);
        if (wrong) assert_near(b[0] * a.y[0] + b[1] * a.y[1] + b[2] * a.y[2], 1.0, 1e-12);
        if (wrong) assert_at_most(fabs(a.y[0] + 2.0 * a.y[1]) + fabs(a.y[2]), 1e-9);
        rico_cone_program_destroy(program);
    }
    rico_csc_destroy(&sparse_A);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear_programs),
        cmocka_unit_test(test_second_order_cones),
        cmocka_unit_test(test_dependent_equations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
