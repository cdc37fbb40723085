// Thin factors of block matrices: W = C'B to rounding, as many rows as the rank, and refusals.

#include "dense_reference.h"
#include "failing_memory.h"

#include "la/low_rank.h"

enum { BODIES = 6, PAIRS = 14, ROWS = 3 * PAIRS };

// Contacts between random bodies of six velocities (the first is fixed) with M^-1 = I + skew on each: W = H'M^-1 H has
// rank 6 (BODIES - 1) at most. Row-major; partition into threes.
static void make_contacts(uint64_t seed, double skew, double W[ROWS * ROWS])
{
    enum { DOFS = 6 * BODIES };
    static double H[DOFS][ROWS], X[DOFS][ROWS];
    memset(H, 0, sizeof H);
    rico_random random;
    rico_random_seed(&random, seed);
    for (int pair = 0; pair < PAIRS; pair++) {
        int first = pair % BODIES, second = (pair + 1 + pair / BODIES) % BODIES;
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 3; j++) {
                if (first > 0) H[6 * first + i][3 * pair + j] = rico_random_normal(&random);
                if (second > 0) H[6 * second + i][3 * pair + j] = rico_random_normal(&random);
            }
    }
    for (int j = 0; j < ROWS; j++)
        for (int body = 0; body < BODIES; body++)
            for (int i = 0; i < 6; i++)
                X[6 * body + i][j] = H[6 * body + i][j] + (i % 2 ? skew : -skew) * H[6 * body + (i ^ 1)][j];
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < ROWS; j++) {
            W[i * ROWS + j] = 0.0;
            for (int k = 0; k < DOFS; k++) W[i * ROWS + j] += H[k][i] * X[k][j];
        }
}


static void gather(rico_context *ctx, const double *W, rico_block_matrix *out)
{
    int64_t start[ROWS + 1], row[ROWS * ROWS], offset[PAIRS + 1], count = 0;
    double value[ROWS * ROWS];
    start[0] = 0;
    for (int j = 0; j < ROWS; j++) {
        for (int i = 0; i < ROWS; i++) {
            if (W[i * ROWS + j] == 0.0) continue;
            row[count] = i;
            value[count++] = W[i * ROWS + j];
        }
        start[j + 1] = count;
    }
    for (int a = 0; a <= PAIRS; a++) offset[a] = 3 * a;
    rico_sparse_view view = {ROWS, ROWS, start, row, value};
    rico_csc columns = {0};
    assert_ok(ctx, rico_csc_from_view(ctx, "W", &view, &columns));
    assert_ok(ctx, rico_block_from_csc(&columns, PAIRS, offset, out));
    rico_csc_destroy(&columns);
}


// Largest entry of W - C'B, column by column.
static double largest_error(const rico_low_rank *f, const double *W)
{
    double middle[ROWS], x[ROWS], y[ROWS], largest = 0.0;
    for (int j = 0; j < ROWS; j++) {
        for (int i = 0; i < ROWS; i++) x[i] = i == j ? 1.0 : 0.0;
        rico_low_rank_times(f, x, middle);
        rico_low_rank_transpose_times(f, middle, y);
        for (int i = 0; i < ROWS; i++) largest = fmax(largest, fabs(y[i] - W[i * ROWS + j]));
    }
    return largest;
}


static void test_factors_make_the_matrix(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (int round = 0; round < 20; round++) {
        double W[ROWS * ROWS], skew = round % 2 ? 0.3 : 0.0;
        make_contacts((uint64_t)round, skew, W);
        rico_block_matrix blocks = {0};
        rico_low_rank factors = {0};
        gather(ctx, W, &blocks);
        assert_ok(ctx, rico_low_rank_create(&blocks, ROWS, &factors));
        assert_int_equal(factors.rank, 6 * (BODIES - 1));
        assert_true(factors.blocks == PAIRS);
        assert_true((factors.b == factors.c) == (skew == 0.0));
        assert_at_most(largest_error(&factors, W), 1e-9);
        for (int64_t a = 0; a < PAIRS; a++)
            for (int64_t k = factors.start[a] + 1; k < factors.start[a + 1]; k++)
                assert_true(factors.row[k - 1] < factors.row[k]);
        rico_low_rank_destroy(&factors);
        rico_block_destroy(&blocks);
    }
    rico_context_destroy(ctx);
}


static void test_what_cannot_be_factored_is_refused(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    double W[ROWS * ROWS];
    rico_block_matrix blocks = {0};
    rico_low_rank factors = {0};
    make_contacts(3, 0.0, W);
    gather(ctx, W, &blocks);
    assert_int_equal(rico_low_rank_create(&blocks, 6 * (BODIES - 1) - 1, &factors), RICO_UNSUPPORTED);
    rico_block_destroy(&blocks);

    // indefinite: the two rows are round-off on the diagonal and not beside it
    memset(W, 0, sizeof W);
    W[0 * ROWS + 4] = W[4 * ROWS + 0] = 1.0;
    gather(ctx, W, &blocks);
    assert_int_equal(rico_low_rank_create(&blocks, ROWS, &factors), RICO_UNSUPPORTED);
    rico_block_destroy(&blocks);
    assert_null(factors.b);
    rico_context_destroy(ctx);
}


static void test_factors_of_a_given_matrix(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    // 4 x 6, blocks of 3, 1 and 2 columns, rows out of order within a block
    int64_t start[] = {0, 2, 3, 5, 6, 6, 8}, row[] = {2, 3, 0, 0, 3, 1, 2, 0}, offset[] = {0, 3, 4, 6};
    double value[] = {1, 2, 3, 4, 5, 6, 7, 8}, x[] = {1, 10, 100, 1000, 1e4, 1e5}, y[4], z[6];
    rico_sparse_view view = {4, 6, start, row, value};
    rico_csc H = {0};
    rico_low_rank factors = {0};
    assert_ok(ctx, rico_csc_from_view(ctx, "H", &view, &H));
    assert_ok(ctx, rico_low_rank_from_csc(&H, 3, offset, &factors));
    assert_int_equal(factors.rank, 4);
    rico_low_rank_times(&factors, x, y);
    const double expected[] = {3 * 10 + 4 * 100 + 8e5, 6000, 1 + 7e5, 2 + 500};
    for (int i = 0; i < 4; i++) assert_true(y[i] == expected[i]);
    const double v[] = {1, 2, 3, 4}, transposed[] = {3 + 8, 3, 4 + 20, 12, 0, 21 + 8};
    rico_low_rank_transpose_times(&factors, v, z);
    for (int i = 0; i < 6; i++) assert_true(z[i] == transposed[i]);
    rico_low_rank_destroy(&factors);
    rico_csc_destroy(&H);
    rico_context_destroy(ctx);
}


static void test_out_of_memory(void **state)
{
    (void)state;
    failing_memory memory;
    const rico_allocator allocator = {failing_allocate, failing_release, &memory};
    double W[ROWS * ROWS];
    make_contacts(5, 0.2, W);
    for (int64_t k = 0;; k++) {
        memory.until_failure = -1;
        memory.live = 0;
        rico_context *ctx = rico_context_create(&allocator);
        rico_block_matrix blocks = {0};
        rico_low_rank factors = {0};
        gather(ctx, W, &blocks);
        memory.until_failure = k;
        rico_status status = rico_low_rank_create(&blocks, ROWS, &factors);
        bool survived = memory.until_failure >= 0;
        memory.until_failure = -1;
        assert_int_equal(status, survived ? RICO_OK : RICO_NO_MEMORY);
        rico_low_rank_destroy(&factors);
        rico_block_destroy(&blocks);
        rico_context_destroy(ctx);
        assert_int_equal(memory.live, 0);
        if (survived) break;
        assert_true(k < 1000);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_factors_make_the_matrix),
        cmocka_unit_test(test_what_cannot_be_factored_is_refused),
        cmocka_unit_test(test_factors_of_a_given_matrix),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
