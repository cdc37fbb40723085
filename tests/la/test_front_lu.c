// Multifrontal block LU against dense elimination: any partition, any part of it active, again and again.

#include "dense_reference.h"

#include "la/front_lu.h"

// A random block matrix: a ring of neighbours plus a few long links, unsymmetric values, heavy diagonal.
static void random_matrix(rico_context *ctx, rico_random *random, int64_t blocks, int sizes, double diagonal,
                          rico_block_matrix *out)
{
    int64_t *offset = calloc((size_t)blocks + 1, sizeof *offset);
    for (int64_t i = 0; i < blocks; i++)
        offset[i + 1] = offset[i] + (sizes > 0 ? sizes : 1 + rico_random_below(random, 4));
    int64_t n = offset[blocks], count = 0, capacity = 64 * blocks * 16 + 1024;
    int64_t *row = malloc((size_t)capacity * sizeof *row), *col = malloc((size_t)capacity * sizeof *col);
    double *value = malloc((size_t)capacity * sizeof *value);
    for (int64_t i = 0; i < blocks; i++)
        for (int64_t k = 0; k < 5; k++) {
            int64_t j = k == 0 ? i : k == 1 ? (i + 1) % blocks : rico_random_below(random, blocks);
            if (k > 2 && rico_random_unit(random) < 0.7) continue;
            for (int64_t x = offset[i]; x < offset[i + 1]; x++)
                for (int64_t y = offset[j]; y < offset[j + 1]; y++) {
                    row[count] = x, col[count] = y;
                    value[count++] = rico_random_normal(random) + (x == y ? diagonal : 0.0);
                    if (k ==
                        1) { // one link is mirrored, so that the pattern is neither symmetric nor one-sided
                        row[count] = y, col[count] = x;
                        value[count++] = rico_random_normal(random);
                    }
                }
        }
    rico_csc csc = {0};
    assert_ok(ctx, rico_csc_from_triplets(ctx, "A", n, n, count, row, col, value, &csc));
    assert_ok(ctx, rico_block_from_csc(&csc, blocks, offset, out));
    rico_csc_destroy(&csc);
    free(offset);
    free(row);
    free(col);
    free(value);
}


// Largest difference to dense elimination on the active rows.
static double check_solution(const rico_block_matrix *a, const int32_t *active, const double *b,
                             const double *x)
{
    int64_t n = 0, *index = malloc((size_t)a->rows * sizeof *index);
    for (int64_t i = 0; i < a->blocks; i++)
        for (int32_t k = 0; k < active[i]; k++) index[n++] = a->offset[i] + k;
    double *dense = calloc((size_t)(n * n) + 1, sizeof *dense),
           *right = malloc((size_t)(n + 1) * sizeof *right);
    double *full = calloc((size_t)(a->rows * a->rows) + 1, sizeof *full);
    for (int64_t i = 0; i < a->blocks; i++)
        for (int64_t k = a->start[i]; k < a->start[i + 1]; k++) {
            int64_t width = a->offset[a->col[k] + 1] - a->offset[a->col[k]];
            for (int64_t p = 0; p < a->place[k + 1] - a->place[k]; p++)
                full[(a->offset[i] + p / width) * a->rows + a->offset[a->col[k]] + p % width] =
                    a->value[a->place[k] + p];
        }
    for (int64_t i = 0; i < n; i++) {
        right[i] = b[index[i]];
        for (int64_t j = 0; j < n; j++) dense[i * n + j] = full[index[i] * a->rows + index[j]];
    }
    dense_solve(n, dense, right);
    double worst = 0.0;
    for (int64_t i = 0; i < n; i++)
        worst = fmax(worst, fabs(right[i] - x[index[i]]) / (1.0 + fabs(right[i])));
    free(index);
    free(dense);
    free(right);
    free(full);
    return worst;
}


static void test_against_elimination(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random random;
    rico_random_seed(&random, 4);
    for (int round = 0; round < 40; round++) {
        rico_block_matrix a = {0};
        rico_front_lu *lu = NULL;
        int64_t blocks = 1 + rico_random_below(&random, 60);
        random_matrix(ctx, &random, blocks, round % 3 == 0 ? 3 : round % 3 == 1 ? 0 : 1, 12.0, &a);
        assert_ok(ctx, rico_front_lu_create(&a, &lu));
        int32_t *active = malloc((size_t)blocks * sizeof *active);
        double *b = malloc((size_t)a.rows * sizeof *b), *x = malloc((size_t)a.rows * sizeof *x);
        for (int again = 0; again < 3; again++) {
            for (int64_t i = 0; i < blocks; i++) {
                int64_t size = a.offset[i + 1] - a.offset[i];
                active[i] = (int32_t)(again == 0 ? size : rico_random_below(&random, size + 1));
            }
            for (int64_t i = 0; i < a.rows; i++) x[i] = b[i] = rico_random_normal(&random);
            assert_ok(ctx, rico_front_lu_factor(lu, active, a.value));
            rico_front_lu_solve(lu, x);
            assert_at_most(check_solution(&a, active, b, x), 1e-11);

            // inactive rows are not touched
            for (int64_t i = 0; i < blocks; i++)
                for (int64_t k = a.offset[i] + active[i]; k < a.offset[i + 1]; k++) assert_true(x[k] == b[k]);
        }
        rico_front_lu_destroy(lu);
        rico_block_destroy(&a);
        free(active);
        free(b);
        free(x);
    }
    rico_context_destroy(ctx);
}


// With a light diagonal determinants of both signs come up.
static void test_sign_of_determinant(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random random;
    rico_random_seed(&random, 6);
    int negative = 0;
    for (int round = 0; round < 40; round++) {
        rico_block_matrix a = {0};
        rico_front_lu *lu = NULL;
        int64_t blocks = 1 + rico_random_below(&random, 20);
        random_matrix(ctx, &random, blocks, round % 2 ? 3 : 0, 1.0, &a);
        int32_t *active = malloc((size_t)blocks * sizeof *active);
        double *dense = calloc((size_t)(a.rows * a.rows), sizeof *dense);
        for (int64_t i = 0; i < blocks; i++) {
            active[i] = (int32_t)(a.offset[i + 1] - a.offset[i]);
            for (int64_t k = a.start[i]; k < a.start[i + 1]; k++) {
                int64_t width = a.offset[a.col[k] + 1] - a.offset[a.col[k]];
                for (int64_t p = 0; p < a.place[k + 1] - a.place[k]; p++)
                    dense[(a.offset[i] + p / width) * a.rows + a.offset[a.col[k]] + p % width] =
                        a.value[a.place[k] + p];
            }
        }
        assert_ok(ctx, rico_front_lu_create(&a, &lu));
        assert_ok(ctx, rico_front_lu_factor(lu, active, a.value));
        int sign = dense_sign(a.rows, dense);
        assert_int_equal(rico_front_lu_sign(lu), sign);
        negative += sign < 0;
        rico_front_lu_destroy(lu);
        rico_block_destroy(&a);
        free(active);
        free(dense);
    }
    assert_in_range(negative, 5, 35);
    rico_context_destroy(ctx);
}


static void test_larger_fronts(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random random;
    rico_random_seed(&random, 5);
    rico_block_matrix a = {0};
    rico_front_lu *lu = NULL;
    random_matrix(ctx, &random, 300, 3, 14.0, &a);
    assert_ok(ctx, rico_front_lu_create(&a, &lu));
    assert_true(rico_front_lu_flops(lu) > 1e5 && rico_front_lu_entries(lu) > 9.0 * 300);
    int32_t active[300];
    double *b = malloc((size_t)a.rows * sizeof *b), *x = malloc((size_t)a.rows * sizeof *x);
    for (int i = 0; i < 300; i++) active[i] = i % 7 == 3 ? 0 : i % 5 == 1 ? 2 : 3;
    for (int64_t i = 0; i < a.rows; i++) x[i] = b[i] = sin((double)i);
    assert_ok(ctx, rico_front_lu_factor(lu, active, a.value));
    rico_front_lu_solve(lu, x);
    assert_at_most(check_solution(&a, active, b, x), 1e-10);
    rico_front_lu_destroy(lu);
    rico_block_destroy(&a);
    free(b);
    free(x);
    rico_context_destroy(ctx);
}


static void test_singular_and_empty(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    int64_t offset[] = {0, 2, 3}, start[] = {0, 1, 1, 1}, row[] = {0};
    double one = 1.0;
    rico_csc csc = {0};
    rico_sparse_view view = {3, 3, start, row, &one};
    rico_block_matrix a = {0};
    rico_front_lu *lu = NULL;
    assert_ok(ctx, rico_csc_from_view(ctx, "A", &view, &csc));
    assert_ok(ctx, rico_block_from_csc(&csc, 2, offset, &a));
    assert_ok(ctx, rico_front_lu_create(&a, &lu));
    int32_t all[] = {2, 1}, part[] = {1, 0}, none[] = {0, 0};
    assert_int_equal(rico_front_lu_factor(lu, all, a.value), RICO_SINGULAR);
    assert_non_null(strstr(rico_message(ctx), "singular"));
    assert_ok(ctx, rico_front_lu_factor(lu, part, a.value));
    double x[3] = {5.0, 6.0, 7.0};
    rico_front_lu_solve(lu, x);
    assert_true(x[0] == 5.0 && x[1] == 6.0 && x[2] == 7.0);
    assert_ok(ctx, rico_front_lu_factor(lu, none, a.value));
    rico_front_lu_destroy(lu);
    rico_front_lu_destroy(NULL);
    rico_block_destroy(&a);
    rico_csc_destroy(&csc);
    rico_context_destroy(ctx);
}


// The first factorization holds what was foreseen, to the index arrays; with a byte less it does not begin.
static void test_memory_is_foreseen(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random random;
    rico_random_seed(&random, 5);
    rico_block_matrix a = {0};
    random_matrix(ctx, &random, 60, 6, 40.0, &a);
    int32_t *active = malloc(60 * sizeof *active);
    for (int i = 0; i < 60; i++) active[i] = 6;
    rico_front_lu *lu = NULL;
    assert_ok(ctx, rico_front_lu_create(&a, &lu));
    double before = rico_context_memory(ctx).held, bytes = rico_front_lu_bytes(lu);
    assert_true(bytes > 8.0 * rico_front_lu_entries(lu)); // the factors are a part of it

    rico_context_set_memory_limit(ctx, before + bytes - 1.0);
    assert_int_equal(rico_front_lu_factor(lu, active, a.value), RICO_NO_MEMORY);
    assert_non_null(strstr(rico_message(ctx), "a factorization would need"));
    assert_true(rico_context_memory(ctx).held == before);

    rico_context_set_memory_limit(ctx, before + bytes);
    assert_ok(ctx, rico_front_lu_factor(lu, active, a.value));
    double taken = rico_context_memory(ctx).held - before;
    assert_true(taken <= bytes && taken > 0.9 * bytes);
    rico_front_lu_destroy(lu);
    rico_block_destroy(&a);
    free(active);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_elimination), cmocka_unit_test(test_sign_of_determinant),
        cmocka_unit_test(test_larger_fronts),       cmocka_unit_test(test_memory_is_foreseen),
        cmocka_unit_test(test_singular_and_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
