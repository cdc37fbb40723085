// Block-sparse matrices: gathering, products, transpose, norms, on every kind of partition.

#include "matrices.h"

#include "la/block.h"

enum { MOST_BLOCKS = 30, MOST_ROWS = 30 * 7 };

// A partition of `blocks` blocks: all of one size, or of mixed sizes 1 to 7 when size is 0.
static void make_partition(rico_random *random, int64_t blocks, int size, int64_t *offset)
{
    offset[0] = 0;
    for (int64_t i = 0; i < blocks; i++)
        offset[i + 1] = offset[i] + (size > 0 ? size : 1 + rico_random_below(random, 7));
}


static void assert_block_sound(const rico_block_matrix *a)
{
    int64_t place = 0;
    assert_int_equal(a->start[0], 0);
    for (int64_t i = 0; i < a->blocks; i++) {
        assert_in_range(a->diagonal[i], a->start[i], a->start[i + 1] - 1);
        assert_int_equal(a->col[a->diagonal[i]], i);
        for (int64_t k = a->start[i]; k < a->start[i + 1]; k++) {
            assert_in_range(a->col[k], 0, a->blocks - 1);
            assert_true(k == a->start[i] || a->col[k - 1] < a->col[k]);
            assert_int_equal(a->place[k], place);
            place += (int64_t)rico_block_size(a, i) * rico_block_size(a, a->col[k]);
        }
    }
    assert_int_equal(a->place[rico_block_count(a)], place);
}


static void check_products(const rico_block_matrix *a, const double *dense, rico_random *random)
{
    int64_t n = a->rows;
    double x[MOST_ROWS] = {0}, b[MOST_ROWS] = {0}, y[MOST_ROWS], row[7];
    random_vector(random, n, x);
    random_vector(random, n, b);
    rico_block_times(a, x, b, y);
    for (int64_t i = 0; i < n; i++) {
        double sum = b[i];
        for (int64_t j = 0; j < n; j++) sum += dense[i + j * n] * x[j];
        assert_near(y[i], sum, 1e-12 * (double)n);
    }
    for (int64_t i = 0; i < a->blocks; i++) {
        rico_block_row_times(a, i, x, b + a->offset[i], row);
        for (int r = 0; r < rico_block_size(a, i); r++) assert_true(row[r] == y[a->offset[i] + r]);
    }

    // without b the rest is the same, and b may be y
    double bare[MOST_ROWS];
    rico_block_times(a, x, NULL, bare);
    for (int64_t i = 0; i < n; i++) assert_true(bare[i] + b[i] == y[i]);
    rico_block_times(a, x, b, b);
    for (int64_t i = 0; i < n; i++) assert_true(b[i] == y[i]);
}


static void test_against_dense(void **state)
{
    (void)state;
    limited memory;
    rico_context *ctx = limited_context(&memory);
    rico_random random;
    rico_random_seed(&random, 11);
    const int sizes[] = {1, 2, 3, 0, 5};
    for (int trial = 0; trial < 60; trial++) {
        int size = sizes[trial % 5];
        int64_t blocks = 1 + rico_random_below(&random, MOST_BLOCKS), offset[MOST_BLOCKS + 1];
        make_partition(&random, blocks, size, offset);
        int64_t n = offset[blocks];
        rico_csc a = random_csc(ctx, &random, n, n, rico_random_below(&random, 6 * n));
        rico_block_matrix block, turned, copy;
        rico_csc back, turned_back;
        assert_ok(ctx, rico_block_from_csc(&a, blocks, offset, &block));
        assert_block_sound(&block);
        assert_int_equal(block.rows, n);
        if (size >= 1 && size <= 3) assert_int_equal(block.uniform, size);
        if (size == 5) assert_int_equal(block.uniform, 0);

        assert_ok(ctx, rico_block_to_csc(&block, &back));
        assert_csc_sound(&back);
        double *dense = dense_of(&a), *again = dense_of(&back);
        assert_memory_equal(dense, again, (size_t)(n * n) * sizeof *dense);
        check_products(&block, dense, &random);
        assert_near(rico_block_norm_frobenius(&block), rico_csc_norm_frobenius(&a), 1e-12 * (double)n);
        assert_near(rico_block_norm_inf(&block), rico_csc_norm_inf(&a), 1e-12 * (double)n);

        assert_ok(ctx, rico_block_transpose(&block, &turned));
        assert_block_sound(&turned);
        assert_ok(ctx, rico_block_to_csc(&turned, &turned_back));
        double *across = dense_of(&turned_back);
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++) assert_true(across[i + j * n] == dense[j + i * n]);

        assert_ok(ctx, rico_block_copy(&block, 1.0, &copy));
        assert_block_sound(&copy);
        assert_int_equal(copy.uniform, block.uniform);
        assert_int_equal(rico_block_count(&copy), rico_block_count(&block));
        check_products(&copy, dense, &random);

        free(dense);
        free(again);
        free(across);
        rico_csc_destroy(&a);
        rico_csc_destroy(&back);
        rico_csc_destroy(&turned_back);
        rico_block_destroy(&block);
        rico_block_destroy(&turned);
        rico_block_destroy(&copy);
    }
    limited_finish(&memory, ctx);
}


// Diagonal blocks are there even when nothing was assembled; stored zeros vanish on the way back.
static void test_empty_matrices_keep_their_diagonal(void **state)
{
    (void)state;
    limited memory;
    rico_context *ctx = limited_context(&memory);
    const int64_t offset[] = {0, 3, 6};
    rico_csc a, back;
    rico_block_matrix block, copy, turned;
    assert_ok(ctx, rico_csc_from_triplets(ctx, "W", 6, 6, 0, NULL, NULL, NULL, &a));
    assert_ok(ctx, rico_block_from_csc(&a, 2, offset, &block));
    assert_block_sound(&block);
    assert_int_equal(rico_block_count(&block), 2);
    assert_true(rico_block_norm_inf(&block) == 0.0);
    assert_ok(ctx, rico_block_to_csc(&block, &back));
    assert_int_equal(rico_csc_count(&back), 0);
    rico_csc_destroy(&back);
    rico_csc_destroy(&a);
    rico_block_destroy(&block);

    // no block at all
    assert_ok(ctx, rico_csc_from_triplets(ctx, "W", 0, 0, 0, NULL, NULL, NULL, &a));
    assert_ok(ctx, rico_block_from_csc(&a, 0, offset, &block));
    assert_block_sound(&block);
    rico_block_times(&block, NULL, NULL, NULL);
    assert_true(rico_block_norm_frobenius(&block) == 0.0);
    assert_ok(ctx, rico_block_copy(&block, 1.0, &copy));
    assert_ok(ctx, rico_block_transpose(&block, &turned));
    assert_ok(ctx, rico_block_to_csc(&block, &back));
    rico_csc_destroy(&back);
    rico_csc_destroy(&a);
    rico_block_destroy(&block);
    rico_block_destroy(&copy);
    rico_block_destroy(&turned);

    // nothing in it
    rico_block_matrix nothing = {0};
    assert_int_equal(rico_block_count(&nothing), 0);
    assert_true(rico_block_norm_frobenius(&nothing) == 0.0);
    rico_block_destroy(&nothing);
    limited_finish(&memory, ctx);
}


static void expect_refusal(const rico_csc *a, int64_t blocks, const int64_t *offset, const char *sentence)
{
    rico_block_matrix out = {.blocks = 42};
    assert_int_equal(rico_block_from_csc(a, blocks, offset, &out), RICO_BAD_ARGUMENT);
    assert_string_equal(rico_message(a->ctx), sentence);
    assert_int_equal(out.blocks, 42);
}


static void test_bad_partitions_are_refused(void **state)
{
    (void)state;
    limited memory;
    rico_context *ctx = limited_context(&memory);
    rico_random random;
    rico_random_seed(&random, 12);
    rico_csc a = random_csc(ctx, &random, 6, 6, 10), wide = random_csc(ctx, &random, 6, 7, 10);
    const int64_t good[] = {0, 3, 6}, late[] = {1, 3, 6}, empty[] = {0, 3, 3, 6}, falling[] = {0, 4, 2, 6};
    const int64_t early[] = {0, 3, 5}, beyond[] = {0, 3, 9};

    expect_refusal(&wide, 2, good, "blocks of a 6 x 7 matrix: it must be square");
    expect_refusal(&a, -1, good, "a partition into -1 blocks: 0 to 2147483647 are possible");
    expect_refusal(&a, (int64_t)INT32_MAX + 1, good,
                   "a partition into 2147483648 blocks: 0 to 2147483647 are possible");
    expect_refusal(&a, 2, late, "a partition begins at row 1, it must begin at 0");
    expect_refusal(&a, 3, empty, "block 1 of a partition of 6 rows goes from 3 to 3");
    expect_refusal(&a, 3, falling, "block 1 of a partition of 6 rows goes from 4 to 2");
    expect_refusal(&a, 2, beyond, "block 1 of a partition of 6 rows goes from 3 to 9");
    expect_refusal(&a, 2, early, "a partition ends at row 5 of 6");
    rico_csc_destroy(&a);
    rico_csc_destroy(&wide);
    limited_finish(&memory, ctx);
}


static void test_memory_runs_out(void **state)
{
    (void)state;
    limited memory;
    rico_context *ctx = limited_context(&memory);
    rico_random random;
    rico_random_seed(&random, 13);
    const int64_t offset[] = {0, 3, 4, 9};
    rico_csc a = random_csc(ctx, &random, 9, 9, 40);
    rico_block_matrix block;
    assert_ok(ctx, rico_block_from_csc(&a, 3, offset, &block));
    int64_t before = memory.live;

    for (int what = 0; what < 4; what++) {
        rico_status status = RICO_NO_MEMORY;
        int64_t limit = 0;
        for (; status != RICO_OK && limit < 100; limit++) {
            rico_block_matrix out = {0};
            rico_csc csc = {0};
            memory.left = limit;
            if (what == 0) status = rico_block_from_csc(&a, 3, offset, &out);
            if (what == 1) status = rico_block_copy(&block, 1.0, &out);
            if (what == 2) status = rico_block_transpose(&block, &out);
            if (what == 3) status = rico_block_to_csc(&block, &csc);
            memory.left = INT64_MAX;
            if (status != RICO_OK) {
                assert_int_equal(status, RICO_NO_MEMORY);
                assert_null(out.start);
                assert_null(csc.start);
            }
            rico_block_destroy(&out);
            rico_csc_destroy(&csc);
            assert_int_equal(memory.live, before);
        }
        assert_true(status == RICO_OK && limit > 1);
    }
    rico_csc_destroy(&a);
    rico_block_destroy(&block);
    limited_finish(&memory, ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_dense),
        cmocka_unit_test(test_empty_matrices_keep_their_diagonal),
        cmocka_unit_test(test_bad_partitions_are_refused),
        cmocka_unit_test(test_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
