// Sparse factorizations: solutions against residuals and dense computations, singular matrices, ranks, memory.

#include "matrices.h"

#include "la/dense.h"
#include "la/factor.h"
#include "suitesparse_memory.h"


// --- SuiteSparse's memory: counted, and failing on demand ---------------------------------------------------

// SuiteSparse takes plain function pointers, so that this cannot but be static.
static struct {
    int64_t calls;       // so far
    int64_t first, last; // calls that fail, counted from 0
    int64_t live;        // blocks not given back
} below;


static bool below_fails(void)
{
    int64_t call = below.calls++;
    return call >= below.first && call <= below.last;
}


static void *below_malloc(size_t size)
{
    if (below_fails()) return NULL;
    below.live++;
    return malloc(size);
}


static void *below_calloc(size_t count, size_t size)
{
    if (below_fails()) return NULL;
    below.live++;
    return calloc(count, size);
}


static void *below_realloc(void *block, size_t size)
{
    if (below_fails()) return NULL;
    if (!block) below.live++;
    return realloc(block, size);
}


static void below_free(void *block)
{
    if (block) below.live--;
    free(block);
}


static void below_allow_all(void)
{
    below.first = INT64_MAX;
    below.last = INT64_MAX;
}


static int install_memory(void **state)
{
    (void)state;
    below_allow_all();
    suitesparse_memory(below_malloc, below_calloc, below_realloc, below_free);
    return 0;
}


// --- matrices -----------------------------------------------------------------------------------------------

// The Laplacian of a grid of side^dimension points plus `shift` times the identity; symmetric positive definite,
// with enough fill in three dimensions for the supernodal code.
static rico_csc laplacian(rico_context *ctx, int64_t side, int dimension, double shift)
{
    int64_t n = 1;
    for (int d = 0; d < dimension; d++) n *= side;
    int64_t most = n * (1 + 2 * dimension), count = 0;
    int64_t *row = malloc((size_t)most * sizeof *row), *col = malloc((size_t)most * sizeof *col);
    double *value = malloc((size_t)most * sizeof *value);
    assert_true(row && col && value);
    for (int64_t i = 0; i < n; i++) {
        row[count] = col[count] = i;
        value[count++] = 2.0 * dimension + shift;
        int64_t stride = 1;
        for (int d = 0; d < dimension; d++, stride *= side) {
            if (i / stride % side + 1 == side) continue;
            row[count] = i;
            col[count] = i + stride;
            value[count++] = -1.0;
            row[count] = i + stride;
            col[count] = i;
            value[count++] = -1.0;
        }
    }
    rico_csc made;
    assert_ok(ctx, rico_csc_from_triplets(ctx, "laplacian", n, n, count, row, col, value, &made));
    free(row);
    free(col);
    free(value);
    return made;
}


// Random, square, made regular by a dominant diagonal.
static rico_csc random_regular(rico_context *ctx, rico_random *random, int64_t n, int64_t per_row)
{
    int64_t count = n * (per_row + 1), k = 0;
    int64_t *row = malloc((size_t)count * sizeof *row), *col = malloc((size_t)count * sizeof *col);
    double *value = malloc((size_t)count * sizeof *value);
    assert_true(row && col && value);
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < per_row; j++, k++) {
            row[k] = i;
            col[k] = rico_random_below(random, n);
            value[k] = rico_random_range(random, -1.0, 1.0);
        }
        row[k] = col[k] = i;
        value[k++] = 2.0 * (double)per_row;
    }
    rico_csc made;
    assert_ok(ctx, rico_csc_from_triplets(ctx, "regular", n, n, count, row, col, value, &made));
    free(row);
    free(col);
    free(value);
    return made;
}


// max |A x - b| (or with A') over `count` right-hand sides.
static double worst_residual(const rico_csc *a, bool transpose, int64_t count, const double *b,
                             const double *x)
{
    double worst = 0.0, *r = malloc((size_t)a->rows * sizeof *r);
    assert_non_null(r);
    for (int64_t k = 0; k < count; k++) {
        memcpy(r, b + k * a->rows, (size_t)a->rows * sizeof *r);
        if (transpose)
            rico_csc_transpose_times(a, -1.0, x + k * a->cols, 1.0, r);
        else
            rico_csc_times(a, -1.0, x + k * a->cols, 1.0, r);
        worst = fmax(worst, rico_norm_inf(a->rows, r));
    }
    free(r);
    return worst;
}


// --- tests --------------------------------------------------------------------------------------------------

static void check_solves(rico_factor *factor, const rico_csc *a, bool transpose, rico_random *random)
{
    const int64_t counts[] = {1, 3, 16, 37};
    for (int trial = 0; trial < 4; trial++) {
        int64_t count = counts[trial], n = a->rows;
        double *b = malloc((size_t)(n * count) * sizeof *b), *x = malloc((size_t)(n * count) * sizeof *x);
        assert_true(b && x);
        random_vector(random, n * count, b);
        rico_status status = transpose ? rico_factor_solve_transpose(factor, count, b, x)
                                       : rico_factor_solve(factor, count, b, x);
        assert_ok(a->ctx, status);
        assert_at_most(worst_residual(a, transpose, count, b, x), 1e-12);

        // in place gives the same bits
        status = transpose ? rico_factor_solve_transpose(factor, count, b, b)
                           : rico_factor_solve(factor, count, b, b);
        assert_ok(a->ctx, status);
        assert_memory_equal(b, x, (size_t)(n * count) * sizeof *b);
        free(b);
        free(x);
    }
}


static void test_cholesky_solves(void **state)
{
    (void)state;
    limited memory;
    rico_context *ctx = limited_context(&memory);
    rico_random random;
    rico_random_seed(&random, 21);
    const int64_t sides[] = {1, 2, 40, 12};
    const int dimensions[] = {1, 2, 2, 3};
    for (int trial = 0; trial < 4; trial++) {
        rico_csc a = laplacian(ctx, sides[trial], dimensions[trial], 0.5);
        rico_csc b = laplacian(ctx, sides[trial], dimensions[trial], 2.0);
        rico_factor *factor;
        assert_ok(ctx, rico_factor_create(RICO_CHOLESKY, &a, &factor));
        check_solves(factor, &a, false, &random);
        check_solves(factor, &a, true, &random);
        assert_ok(ctx, rico_factor_refactor(factor, &b));
        check_solves(factor, &b, false, &random);

        rico_factor_stats stats = rico_factor_statistics(factor);
        assert_int_equal(stats.rank, a.cols);
        assert_int_equal(stats.analyses, 1);
        assert_int_equal(stats.factorizations, 2);
        assert_int_equal(stats.solves, 6 * (1 + 3 + 16 + 37));
        assert_in_range(stats.entries, (rico_csc_count(&a) + a.cols) / 2, a.cols * (a.cols + 1) / 2);
        assert_true(stats.reciprocal_condition > 0.05 && stats.reciprocal_condition <= 1.0);
        rico_factor_destroy(factor);
        rico_csc_destroy(&a);
        rico_csc_destroy(&b);
    }
    limited_finish(&memory, ctx);
    assert_int_equal(below.live, 0);
}


// Another order: the same solutions, fewer entries on a large grid of space, and the same bits when done again.
static void test_nested_dissection_solves(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_csc a = laplacian(ctx, 18, 3, 0.5);
    rico_factor *plain = NULL, *cut = NULL, *again = NULL;
    rico_random random;
    rico_random_seed(&random, 7);
    assert_ok(ctx, rico_factor_create(RICO_CHOLESKY, &a, &plain));
    assert_ok(ctx, rico_factor_create_ordered(RICO_CHOLESKY, RICO_NESTED_DISSECTION, &a, &cut));
    assert_ok(ctx, rico_factor_create_ordered(RICO_CHOLESKY, RICO_NESTED_DISSECTION, &a, &again));
    check_solves(cut, &a, false, &random);
    assert_true(rico_factor_statistics(cut).entries < rico_factor_statistics(plain).entries);
    assert_true(rico_factor_statistics(cut).bytes >= 8 * rico_factor_statistics(cut).entries);
    double *x = calloc((size_t)(2 * a.cols), sizeof *x), *y = x + a.cols;
    assert_non_null(x);
    for (int64_t i = 0; i < a.cols; i++) x[i] = y[i] = sin((double)i);
    assert_ok(ctx, rico_factor_solve(cut, 1, x, x));
    assert_ok(ctx, rico_factor_solve(again, 1, y, y));
    assert_memory_equal(x, y, (size_t)a.cols * sizeof *x);
    free(x);
    rico_factor_destroy(plain);
    rico_factor_destroy(cut);
    rico_factor_destroy(again);
    rico_csc_destroy(&a);
    rico_context_destroy(ctx);
}


// What stands above the diagonal must not be looked at.
static void test_cholesky_reads_the_lower_triangle(void **state)
{
    (void)state;
    limited memory;
    rico_context *ctx = limited_context(&memory);
    const double table[] = {4.0, 99.0, -50.0, 1.0, 3.0, 7.0, 2.0, 0.5, 5.0};
    const double whole[] = {4.0, 1.0, 2.0, 1.0, 3.0, 0.5, 2.0, 0.5, 5.0};
    rico_csc a = csc_of(ctx, 3, 3, table), full = csc_of(ctx, 3, 3, whole);
    rico_factor *factor;
    double b[3] = {1.0, -2.0, 3.0}, x[3];
    assert_ok(ctx, rico_factor_create(RICO_CHOLESKY, &a, &factor));
    assert_ok(ctx, rico_factor_solve(factor, 1, b, x));
    assert_at_most(worst_residual(&full, false, 1, b, x), 1e-15);
    rico_factor_destroy(factor);
    rico_csc_destroy(&a);
    rico_csc_destroy(&full);
    limited_finish(&memory, ctx);
}


static void test_indefinite_matrices_are_refused(void **state)
{
    (void)state;
    limited memory;
    rico_context *ctx = limited_context(&memory);
    // definite but for one row that stands alone: the message must name it whatever the ordering
    const double table[] = {4,      1, 0, 0, 0, /**/ 1, 4, 0, 1, 0, /**/ 0, 0, -2, 0, 0,
                            /**/ 0, 1, 0, 4, 1, /**/ 0, 0, 0, 1, 4};
    rico_csc a = csc_of(ctx, 5, 5, table);
    rico_factor *factor = NULL;
    assert_int_equal(rico_factor_create(RICO_CHOLESKY, &a, &factor), RICO_SINGULAR);
    assert_null(factor);
    assert_string_equal(rico_message(ctx), "a matrix of order 5 is not positive definite at column 2");
    rico_csc_destroy(&a);

    // LDL' would go through this one
    const double saddle[] = {1.0, 2.0, 2.0, 1.0};
    a = csc_of(ctx, 2, 2, saddle);
    assert_int_equal(rico_factor_create(RICO_CHOLESKY, &a, &factor), RICO_SINGULAR);
    rico_csc_destroy(&a);

    // positive semidefinite: the last pivot is exactly zero
    const double semi[] = {1.0, -1.0, -1.0, 1.0};
    a = csc_of(ctx, 2, 2, semi);
    assert_int_equal(rico_factor_create(RICO_CHOLESKY, &a, &factor), RICO_SINGULAR);
    rico_csc_destroy(&a);

    // supernodal, and by refactoring: the factor then solves nothing until it is good again
    rico_csc good = laplacian(ctx, 12, 3, 0.1), bad = laplacian(ctx, 12, 3, -3.0);
    rico_random random;
    rico_random_seed(&random, 22);
    assert_ok(ctx, rico_factor_create(RICO_CHOLESKY, &good, &factor));
    assert_int_equal(rico_factor_refactor(factor, &bad), RICO_SINGULAR);
    assert_non_null(strstr(rico_message(ctx), "a matrix of order 1728 is not positive definite at column "));
    double *x = calloc((size_t)good.cols, sizeof *x);
    assert_int_equal(rico_factor_solve(factor, 1, x, x), RICO_BAD_ARGUMENT);
    assert_string_equal(rico_message(ctx), "a solve with a factor whose last factorization failed");
    assert_true(rico_factor_statistics(factor).reciprocal_condition == 0.0);
    assert_ok(ctx, rico_factor_refactor(factor, &good));
    check_solves(factor, &good, false, &random);
    free(x);
    rico_factor_destroy(factor);
    rico_csc_destroy(&good);
    rico_csc_destroy(&bad);
    limited_finish(&memory, ctx);
    assert_int_equal(below.live, 0);
}


static void test_lu_solves(void **state)
{
    (void)state;
    limited memory;
    rico_context *ctx = limited_context(&memory);
    rico_random random;
    rico_random_seed(&random, 23);
    const int64_t orders[] = {1, 2, 30, 600};
    for (int trial = 0; trial < 4; trial++) {
        rico_csc a = random_regular(ctx, &random, orders[trial], 4), b;
        assert_ok(ctx, rico_csc_copy(&a, &b));
        for (int64_t k = 0; k < rico_csc_count(&b); k++) b.value[k] *= 1.0 + 0.1 * rico_random_unit(&random);
        rico_factor *factor;
        assert_ok(ctx, rico_factor_create(RICO_LU, &a, &factor));
        check_solves(factor, &a, false, &random);
        check_solves(factor, &a, true, &random);
        assert_ok(ctx, rico_factor_refactor(factor, &b));
        check_solves(factor, &b, false, &random);
        check_solves(factor, &b, true, &random);

        rico_factor_stats stats = rico_factor_statistics(factor);
        assert_int_equal(stats.rank, a.cols);
        assert_int_equal(stats.analyses, 1);
        assert_int_equal(stats.factorizations, 2);
        assert_true(stats.entries >= rico_csc_count(&a));
        assert_true(stats.reciprocal_condition > 1e-4 && stats.reciprocal_condition <= 1.0);
        rico_factor_destroy(factor);
        rico_csc_destroy(&a);
        rico_csc_destroy(&b);
    }
    limited_finish(&memory, ctx);
    assert_int_equal(below.live, 0);
}


static void test_lu_names_a_singular_column(void **state)
{
    (void)state;
    limited memory;
    rico_context *ctx = limited_context(&memory);
    rico_factor *factor = NULL;

    // an empty column
    const double hole[] = {2.0, 0.0, 1.0, 1.0, 0.0, 3.0, 4.0, 0.0, 1.0};
    rico_csc a = csc_of(ctx, 3, 3, hole);
    assert_int_equal(rico_factor_create(RICO_LU, &a, &factor), RICO_SINGULAR);
    assert_string_equal(rico_message(ctx), "a matrix of order 3 is singular: no pivot in column 1");
    assert_null(factor);
    rico_csc_destroy(&a);

    // nothing at all
    assert_ok(ctx, rico_csc_from_triplets(ctx, "A", 4, 4, 0, NULL, NULL, NULL, &a));
    assert_int_equal(rico_factor_create(RICO_LU, &a, &factor), RICO_SINGULAR);
    rico_csc_destroy(&a);

    // regular pattern, dependent values; regular again later
    const double regular[] = {1.0, 2.0, 2.0, 5.0}, dependent[] = {1.0, 2.0, 2.0, 4.0};
    a = csc_of(ctx, 2, 2, regular);
    rico_csc b = csc_of(ctx, 2, 2, dependent);
    assert_ok(ctx, rico_factor_create(RICO_LU, &a, &factor));
    assert_int_equal(rico_factor_refactor(factor, &b), RICO_SINGULAR);
    double x[2] = {1.0, 1.0};
    assert_int_equal(rico_factor_solve(factor, 1, x, x), RICO_BAD_ARGUMENT);
    assert_ok(ctx, rico_factor_refactor(factor, &a));
    assert_ok(ctx, rico_factor_solve(factor, 1, x, x)); // [1 2; 2 5] (3, -1) = (1, 1)
    assert_near(x[0], 3.0, 1e-14);
    assert_near(x[1], -1.0, 1e-14);
    rico_factor_destroy(factor);
    rico_csc_destroy(&a);
    rico_csc_destroy(&b);
    limited_finish(&memory, ctx);
    assert_int_equal(below.live, 0);
}


// The product of random factors of inner dimension r has rank r (with probability one).
static rico_csc random_of_rank(rico_context *ctx, rico_random *random, int64_t rows, int64_t cols,
                               int64_t rank)
{
    rico_csc left = random_csc(ctx, random, rows, rank, 20 * rows * rank);
    rico_csc right = random_csc(ctx, random, rank, cols, 20 * rank * cols);
    rico_csc product;
    assert_ok(ctx, rico_csc_multiply(&left, &right, &product));
    rico_csc_destroy(&left);
    rico_csc_destroy(&right);
    return product;
}


static void test_qr_least_squares_and_minimum_norm(void **state)
{
    (void)state;
    limited memory;
    rico_context *ctx = limited_context(&memory);
    rico_random random;
    rico_random_seed(&random, 24);
    const int64_t shapes[][3] = {{1, 1, 1},   {20, 8, 8},  {8, 20, 8}, {15, 15, 15},
                                 {20, 12, 5}, {12, 20, 7}, {9, 9, 1}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        int64_t m = shapes[s][0], n = shapes[s][1], rank = shapes[s][2];
        rico_csc a = random_of_rank(ctx, &random, m, n, rank), turned;
        assert_ok(ctx, rico_csc_transpose(&a, &turned));
        rico_factor *factor, *across;
        assert_ok(ctx, rico_factor_create(RICO_QR, &a, &factor));
        assert_ok(ctx, rico_factor_create(RICO_QR, &turned, &across));
        rico_factor_stats stats = rico_factor_statistics(factor);
        assert_int_equal(stats.rank, rank);
        assert_int_equal(rico_factor_statistics(across).rank, rank);
        assert_true((stats.reciprocal_condition > 0.0) == (rank == (m < n ? m : n)));

        // the residual of least squares is orthogonal to the range: A'(A x - b) = 0; at most `rank` nonzeros
        double b[37 * 20], x[37 * 20], r[20], z[20];
        random_vector(&random, 37 * 20, b);
        assert_ok(ctx, rico_factor_solve(factor, 37, b, x));
        for (int k = 0; k < 37; k++) {
            memcpy(r, b + k * m, (size_t)m * sizeof *r);
            rico_csc_times(&a, -1.0, x + k * n, 1.0, r);
            rico_csc_transpose_times(&a, 1.0, r, 0.0, z);
            assert_at_most(rico_norm_inf(n, z), 1e-9);
            int64_t used = 0;
            for (int64_t j = 0; j < n; j++) used += x[k * n + j] != 0.0;
            assert_true(used <= rank);
        }

        // minimum norm: a consistent b = A z gives A x = b with x in the range of A', x = A' (least squares of it)
        double c[20], y[20], w[20];
        random_vector(&random, n, z);
        rico_csc_times(&a, 1.0, z, 0.0, c);
        assert_ok(ctx, rico_factor_solve_minimum_norm(across, c, y));
        assert_at_most(worst_residual(&a, false, 1, c, y), 1e-9);
        assert_ok(ctx, rico_factor_solve(across, 1, y, w)); // w: A' w = y in the least-squares sense ...
        assert_at_most(worst_residual(&turned, false, 1, y, w),
                       1e-9); // ... and exactly, if y is in the range

        assert_ok(ctx, rico_factor_refactor(factor, &a));
        stats = rico_factor_statistics(factor);
        assert_int_equal(stats.rank, rank);
        assert_int_equal(stats.factorizations, 2);
        assert_int_equal(stats.analyses, 2);
        assert_int_equal(rico_factor_solve_transpose(factor, 1, b, x), RICO_UNSUPPORTED);
        assert_string_equal(rico_message(ctx), "QR does not solve with the transpose: factor the transpose");
        rico_factor_destroy(factor);
        rico_factor_destroy(across);
        rico_csc_destroy(&a);
        rico_csc_destroy(&turned);
    }
    limited_finish(&memory, ctx);
    assert_int_equal(below.live, 0);
}


// The estimate of the condition against singular values, which are known for a diagonal matrix.
static void test_conditions_are_of_the_right_size(void **state)
{
    (void)state;
    limited memory;
    rico_context *ctx = limited_context(&memory);
    double table[64] = {0.0};
    for (int i = 0; i < 8; i++) table[9 * i] = pow(10.0, -i);
    rico_csc a = csc_of(ctx, 8, 8, table);
    for (int kind = RICO_CHOLESKY; kind <= RICO_QR; kind++) {
        rico_factor *factor;
        assert_ok(ctx, rico_factor_create((rico_factor_kind)kind, &a, &factor));
        double rough = rico_factor_statistics(factor).reciprocal_condition;
        // UMFPACK scales the rows first, after which this matrix is the identity
        if (kind == RICO_LU)
            assert_near(rough, 1.0, 1e-12);
        else
            assert_true(rough > 0.3e-7 && rough < 3e-7);
        rico_factor_destroy(factor);
    }
    rico_csc_destroy(&a);
    limited_finish(&memory, ctx);
}


static void test_degenerate_shapes(void **state)
{
    (void)state;
    limited memory;
    rico_context *ctx = limited_context(&memory);
    for (int kind = RICO_CHOLESKY; kind <= RICO_QR; kind++) {
        rico_csc a;
        rico_factor *factor;
        assert_ok(ctx, rico_csc_from_triplets(ctx, "A", 0, 0, 0, NULL, NULL, NULL, &a));
        assert_ok(ctx, rico_factor_create((rico_factor_kind)kind, &a, &factor));
        assert_ok(ctx, rico_factor_refactor(factor, &a));
        assert_ok(ctx, rico_factor_solve(factor, 2, NULL, NULL));
        assert_true(rico_factor_statistics(factor).reciprocal_condition == 1.0);
        assert_int_equal(rico_factor_statistics(factor).rank, 0);
        rico_factor_destroy(factor);
        rico_csc_destroy(&a);
    }

    // QR without rows or columns, and without entries: zero is the best solution
    const int64_t shapes[][2] = {{0, 3}, {3, 0}, {3, 2}, {2, 3}};
    for (int s = 0; s < 4; s++) {
        rico_csc a;
        rico_factor *factor;
        double b[3] = {1.0, 2.0, 3.0}, x[3] = {NAN, NAN, NAN};
        assert_ok(ctx, rico_csc_from_triplets(ctx, "A", shapes[s][0], shapes[s][1], 0, NULL, NULL, NULL, &a));
        assert_ok(ctx, rico_factor_create(RICO_QR, &a, &factor));
        assert_int_equal(rico_factor_statistics(factor).rank, 0);
        assert_ok(ctx, rico_factor_solve(factor, 1, b, x));
        for (int64_t j = 0; j < a.cols; j++) assert_true(x[j] == 0.0);
        assert_ok(ctx, rico_factor_solve_minimum_norm(factor, b, x));
        for (int64_t i = 0; i < a.rows; i++) assert_true(x[i] == 0.0);
        rico_factor_destroy(factor);
        rico_csc_destroy(&a);
    }
    rico_factor_destroy(NULL);
    limited_finish(&memory, ctx);
    assert_int_equal(below.live, 0);
}


static void test_wrong_calls_are_refused(void **state)
{
    (void)state;
    limited memory;
    rico_context *ctx = limited_context(&memory);
    rico_random random;
    rico_random_seed(&random, 25);
    rico_csc wide = random_csc(ctx, &random, 2, 3, 4), a = laplacian(ctx, 3, 1, 1.0);
    rico_csc diagonal, larger = laplacian(ctx, 4, 1, 1.0);
    const int64_t index[] = {0, 1, 2};
    const double one[] = {1.0, 1.0, 1.0};
    assert_ok(ctx, rico_csc_from_triplets(ctx, "D", 3, 3, 3, index, index, one, &diagonal));
    rico_factor *factor = NULL;

    assert_int_equal(rico_factor_create(RICO_LU, &wide, &factor), RICO_BAD_ARGUMENT);
    assert_string_equal(rico_message(ctx), "a 2 x 3 matrix has no LU factorization: it must be square");
    assert_int_equal(rico_factor_create(RICO_CHOLESKY, &wide, &factor), RICO_BAD_ARGUMENT);
    assert_string_equal(rico_message(ctx), "a 2 x 3 matrix has no Cholesky factorization: it must be square");
    assert_int_equal(rico_factor_create((rico_factor_kind)7, &a, &factor), RICO_BAD_ARGUMENT);
    assert_string_equal(rico_message(ctx), "7 is no kind of factorization");
    assert_null(factor);

    for (int kind = RICO_CHOLESKY; kind <= RICO_QR; kind++) {
        double x[3] = {1.0, 2.0, 3.0};
        assert_ok(ctx, rico_factor_create((rico_factor_kind)kind, &a, &factor));
        assert_int_equal(rico_factor_refactor(factor, &diagonal), RICO_BAD_ARGUMENT);
        assert_string_equal(rico_message(ctx), "a matrix to factor again has another pattern than at first");
        assert_int_equal(rico_factor_refactor(factor, &larger), RICO_BAD_ARGUMENT);
        assert_int_equal(rico_factor_solve(factor, -1, x, x), RICO_BAD_ARGUMENT);
        assert_string_equal(rico_message(ctx), "-1 is no count of right-hand sides");
        if (kind != RICO_QR) {
            assert_int_equal(rico_factor_solve_minimum_norm(factor, x, x), RICO_UNSUPPORTED);
            assert_string_equal(rico_message(ctx), "a minimum-norm solution needs a QR factorization");
        }

        // a value that is not finite is refused and leaves the factor as it was
        double kept = a.value[1];
        a.value[1] = NAN;
        assert_int_equal(rico_factor_refactor(factor, &a), RICO_BAD_INPUT);
        assert_string_equal(rico_message(ctx), "entry (1, 0) of a matrix to factor is nan");
        rico_factor *other = NULL;
        assert_int_equal(rico_factor_create((rico_factor_kind)kind, &a, &other), RICO_BAD_INPUT);
        assert_null(other);
        a.value[1] = kept;
        assert_ok(ctx, rico_factor_solve(factor, 0, NULL, NULL));
        assert_ok(ctx, rico_factor_solve(factor, 1, x, x));
        rico_factor_destroy(factor);
    }
    rico_csc_destroy(&wide);
    rico_csc_destroy(&a);
    rico_csc_destroy(&diagonal);
    rico_csc_destroy(&larger);
    limited_finish(&memory, ctx);
}


// After a first solve, Cholesky and LU solve for as many right-hand sides without allocating, here or below.
static void test_solves_do_not_allocate(void **state)
{
    (void)state;
    limited memory;
    rico_context *ctx = limited_context(&memory);
    rico_random random;
    rico_random_seed(&random, 26);
    const int64_t sides[] = {9, 12};
    const int dimensions[] = {2, 3}; // simplicial, supernodal
    for (int trial = 0; trial < 2; trial++) {
        rico_csc a = laplacian(ctx, sides[trial], dimensions[trial], 0.5);
        double *x = malloc((size_t)(a.cols * 20) * sizeof *x);
        assert_non_null(x);
        for (int kind = RICO_CHOLESKY; kind <= RICO_LU; kind++) {
            rico_factor *factor;
            assert_ok(ctx, rico_factor_create((rico_factor_kind)kind, &a, &factor));
            random_vector(&random, a.cols * 20, x);
            assert_ok(ctx, rico_factor_solve(factor, 20, x, x));
            int64_t calls = below.calls;
            memory.left = 0;
            for (int64_t count = 1; count <= 20; count++) {
                random_vector(&random, a.cols * count, x);
                assert_ok(ctx, rico_factor_solve(factor, count, x, x));
            }
            memory.left = INT64_MAX;
            assert_int_equal(below.calls, calls);
            rico_factor_destroy(factor);
        }
        free(x);
        rico_csc_destroy(&a);
    }
    limited_finish(&memory, ctx);
    assert_int_equal(below.live, 0);
}


// --- memory that runs out -----------------------------------------------------------------------------------

// A full matrix of this order takes CHOLMOD to its supernodal code (more than 40 operations per entry of L).
enum { MOST_DRILLED = 80 };

typedef struct drill {
    rico_factor_kind kind;
    rico_csc *a, *b; // same pattern
} drill;


// Create, solve, refactor, solve, as a program would. Whatever fails must say so, and must work once there is memory
// again: after a failure everything is allowed and the same call repeated. True when anything failed.
static bool run_drill(const drill *d, limited *memory)
{
    rico_context *ctx = d->a->ctx;
    int64_t m = d->a->rows, n = d->a->cols;
    double b[2 * MOST_DRILLED], x[2 * MOST_DRILLED];
    for (int64_t i = 0; i < 2 * MOST_DRILLED; i++) b[i] = 1.0 + (double)i;
    rico_factor *factor = NULL;
    bool failed = false;

    for (int call = 0; call < 5; call++) {
        for (int attempt = 0; attempt < 2; attempt++) {
            rico_status status = RICO_OK;
            if (call == 0) status = rico_factor_create(d->kind, d->a, &factor);
            if (call == 1 || call == 3) status = rico_factor_solve(factor, 2, b, x);
            if (call == 2) status = rico_factor_refactor(factor, d->b);
            if (call == 4 && d->kind == RICO_QR) status = rico_factor_solve_minimum_norm(factor, b, x);
            if (status == RICO_OK) break;

            if (status != RICO_NO_MEMORY || attempt > 0)
                fail_msg("call %d: %s: %s", call, rico_status_name(status), rico_message(ctx));
            assert_non_null(strstr(rico_message(ctx), "out of memory"));
            if (call == 0) assert_null(factor);
            failed = true;
            memory->left = INT64_MAX;
            below_allow_all();
        }
        if (call == 1 && m == n) assert_at_most(worst_residual(d->a, false, 2, b, x), 1e-10);
        if (call == 3 && m == n) assert_at_most(worst_residual(d->b, false, 2, b, x), 1e-10);
    }
    rico_factor_destroy(factor);
    return failed;
}


static void test_memory_runs_out(void **state)
{
    (void)state;
    limited memory;
    rico_context *ctx = limited_context(&memory);
    rico_random random;
    rico_random_seed(&random, 27);
    int64_t n = MOST_DRILLED;
    rico_csc dense = random_csc(ctx, &random, n, n, n * n), tall = random_csc(ctx, &random, 30, 20, 60);
    rico_csc sparse = random_regular(ctx, &random, 30, 2), grid = laplacian(ctx, 5, 2, 0.5);
    rico_csc gram, turned; // B'B / n + 1, full
    assert_ok(ctx, rico_csc_transpose(&dense, &turned));
    assert_ok(ctx, rico_csc_multiply(&turned, &dense, &gram));
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = gram.start[j]; k < gram.start[j + 1]; k++)
            gram.value[k] = gram.value[k] / (double)n + (gram.row[k] == j ? 1.0 : 0.0);

    rico_csc *matrices[][3] = {{&grid, &gram, NULL}, {&sparse, &grid, &gram}, {&tall, &sparse, &gram}};
    for (int kind = RICO_CHOLESKY; kind <= RICO_QR; kind++) {
        for (int which = 0; which < 3; which++) {
            rico_csc *a = matrices[kind][which], b;
            if (!a) continue;
            assert_ok(ctx, rico_csc_copy(a, &b));
            for (int64_t k = 0; k < rico_csc_count(&b); k++) b.value[k] *= 2.0;
            drill d = {(rico_factor_kind)kind, a, &b};
            int64_t before = memory.live;

            // the context's memory, everything from the k-th block on
            int64_t failures = 0;
            for (int64_t k = 0;; k++) {
                memory.left = k;
                bool failed = run_drill(&d, &memory);
                memory.left = INT64_MAX;
                assert_int_equal(memory.live, before);
                assert_int_equal(below.live, 0);
                if (!failed) break;
                failures++;
            }
            assert_true(failures >= 3);

            // SuiteSparse's: the k-th call alone, then everything from it on
            for (int onward = 0; onward < 2; onward++) {
                failures = 0;
                for (int64_t k = 0;; k++) {
                    below.calls = 0;
                    below.first = k;
                    below.last = onward ? INT64_MAX : k;
                    failures += run_drill(&d, &memory);
                    below_allow_all();
                    assert_int_equal(memory.live, before);
                    assert_int_equal(below.live, 0);
                    if (below.calls <= k) break; // the k-th call did not come any more
                }
                assert_true(failures >= 10);
            }
            rico_csc_destroy(&b);
        }
    }
    rico_csc_destroy(&dense);
    rico_csc_destroy(&tall);
    rico_csc_destroy(&sparse);
    rico_csc_destroy(&grid);
    rico_csc_destroy(&turned);
    rico_csc_destroy(&gram);
    limited_finish(&memory, ctx);
}


// A factor that was only analysed solves nothing; values make it one like any other, with refinement or without.
static void test_analysis_comes_before_values(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    int64_t start[] = {0, 2, 4, 6}, row[] = {0, 1, 1, 2, 0, 2};
    double first[] = {4, 1, 5, -1, 2, 6}, value[] = {3, -1, 4, 2, 1, 5}, b[] = {1, 2, 3};
    rico_csc A = {.ctx = ctx, .rows = 3, .cols = 3, .start = start, .row = row, .value = first};
    rico_factor *factor = NULL;
    assert_ok(ctx, rico_factor_analyse(RICO_LU, &A, &factor));
    double x[3];
    assert_int_equal(rico_factor_solve(factor, 1, b, x), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_factor_statistics(factor).factorizations, 0);

    A.value = value;
    assert_ok(ctx, rico_factor_refactor(factor, &A));
    for (int steps = 2; steps >= 0; steps -= 2) {
        rico_factor_set_refinement(factor, steps);
        assert_ok(ctx, rico_factor_solve(factor, 1, b, x));
        assert_near(3 * x[0] + x[2], 1.0, 1e-14);
        assert_near(-x[0] + 4 * x[1], 2.0, 1e-14);
        assert_near(2 * x[1] + 5 * x[2], 3.0, 1e-14);
    }
    assert_int_equal(rico_factor_statistics(factor).analyses, 1);
    rico_factor_destroy(factor);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cholesky_solves),
        cmocka_unit_test(test_nested_dissection_solves),
        cmocka_unit_test(test_cholesky_reads_the_lower_triangle),
        cmocka_unit_test(test_indefinite_matrices_are_refused),
        cmocka_unit_test(test_lu_solves),
        cmocka_unit_test(test_lu_names_a_singular_column),
        cmocka_unit_test(test_qr_least_squares_and_minimum_norm),
        cmocka_unit_test(test_conditions_are_of_the_right_size),
        cmocka_unit_test(test_degenerate_shapes),
        cmocka_unit_test(test_wrong_calls_are_refused),
        cmocka_unit_test(test_analysis_comes_before_values),
        cmocka_unit_test(test_solves_do_not_allocate),
        cmocka_unit_test(test_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, install_memory, NULL);
}
