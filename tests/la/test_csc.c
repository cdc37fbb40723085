// Compressed columns: assembly, checks at the door, transpose, products, norms.

#include "matrices.h"

// Refuses the view and compares the whole sentence; *out must stay as it was.
static void expect_refusal(rico_sparse_view view, rico_status expected, const char *sentence)
{
    limited memory;
    rico_context *ctx = limited_context(&memory);
    rico_csc out = {.rows = 42};
    assert_int_equal(rico_csc_from_view(ctx, "W", &view, &out), expected);
    assert_string_equal(rico_message(ctx), sentence);
    assert_int_equal(out.rows, 42);
    assert_null(out.start);
    limited_finish(&memory, ctx);
}


static void test_malformed_views_are_refused(void **state)
{
    (void)state;
    const int64_t start[] = {0, 1, 3}, row[] = {0, 0, 1};
    const double value[] = {1.0, 2.0, 3.0};

    expect_refusal((rico_sparse_view){-1, 2, start, row, value}, RICO_BAD_INPUT,
                   "W: a size of -1 x 2 is negative");
    expect_refusal((rico_sparse_view){2, -3, start, row, value}, RICO_BAD_INPUT,
                   "W: a size of 2 x -3 is negative");
    expect_refusal((rico_sparse_view){2, INT64_MAX, start, row, value}, RICO_BAD_INPUT,
                   "W: a size of 2 x 9223372036854775807 is beyond any memory");
    expect_refusal((rico_sparse_view){2, 2, NULL, row, value}, RICO_BAD_ARGUMENT,
                   "W: 2 columns but no start array");
    expect_refusal((rico_sparse_view){2, 2, start, NULL, value}, RICO_BAD_ARGUMENT,
                   "W: 3 entries but no row array");
    expect_refusal((rico_sparse_view){2, 2, start, row, NULL}, RICO_BAD_ARGUMENT,
                   "W: 3 entries but no value array");

    const int64_t late[] = {1, 1, 3}, falling[] = {0, 3, 2}, endless[] = {0, 0, INT64_MAX};
    expect_refusal((rico_sparse_view){2, 2, late, row, value}, RICO_BAD_INPUT,
                   "W: start[0] is 1, it must be 0");
    expect_refusal((rico_sparse_view){2, 2, falling, row, value}, RICO_BAD_INPUT,
                   "W: start decreases from 3 to 2 at column 1");
    expect_refusal((rico_sparse_view){2, 2, endless, row, value}, RICO_BAD_INPUT,
                   "W: 9223372036854775807 entries are beyond any memory");

    const int64_t below[] = {0, -1, 1}, above[] = {0, 0, 2};
    expect_refusal((rico_sparse_view){2, 2, start, below, value}, RICO_BAD_INPUT,
                   "W: row -1 in column 1 is not among the 2 rows");
    expect_refusal((rico_sparse_view){2, 2, start, above, value}, RICO_BAD_INPUT,
                   "W: row 2 in column 1 is not among the 2 rows");

    const double with_nan[] = {1.0, 2.0, -NAN}, with_inf[] = {1.0, INFINITY, 3.0};
    const double with_minus_inf[] = {-INFINITY, 2.0, 3.0};
    expect_refusal((rico_sparse_view){2, 2, start, row, with_nan}, RICO_BAD_INPUT, "W: entry (1, 1) is nan");
    expect_refusal((rico_sparse_view){2, 2, start, row, with_inf}, RICO_BAD_INPUT, "W: entry (0, 1) is inf");
    expect_refusal((rico_sparse_view){2, 2, start, row, with_minus_inf}, RICO_BAD_INPUT,
                   "W: entry (0, 0) is -inf");

    // finite each, not together
    const int64_t twice[] = {0, 1, 1};
    const double huge[] = {1.0, 1e308, 1e308};
    expect_refusal((rico_sparse_view){2, 2, start, twice, huge}, RICO_BAD_INPUT,
                   "W: the entries repeated at (1, 1) add up to infinity");
}


static void test_malformed_triplets_are_refused(void **state)
{
    (void)state;
    limited memory;
    rico_context *ctx = limited_context(&memory);
    rico_csc out = {.rows = 42};
    const int64_t row[] = {0, 1}, col[] = {2, 0}, outside[] = {0, 3}, negative[] = {0, -1}, same[] = {1, 1};
    const double value[] = {1.0, 2.0}, bad[] = {1.0, NAN}, huge[] = {-1e308, -1e308};

    assert_int_equal(rico_csc_from_triplets(ctx, "H", -2, 3, 2, row, col, value, &out), RICO_BAD_INPUT);
    assert_string_equal(rico_message(ctx), "H: a size of -2 x 3 is negative");
    assert_int_equal(rico_csc_from_triplets(ctx, "H", 2, 3, -5, row, col, value, &out), RICO_BAD_INPUT);
    assert_string_equal(rico_message(ctx), "H: -5 is no count of entries");
    assert_int_equal(rico_csc_from_triplets(ctx, "H", 2, 3, 2, row, NULL, value, &out), RICO_BAD_ARGUMENT);
    assert_string_equal(rico_message(ctx), "H: 2 entries but no column array");
    assert_int_equal(rico_csc_from_triplets(ctx, "H", 2, 3, 2, outside, col, value, &out), RICO_BAD_INPUT);
    assert_string_equal(rico_message(ctx), "H: entry (3, 0) is outside of 2 x 3");
    assert_int_equal(rico_csc_from_triplets(ctx, "H", 2, 3, 2, row, negative, value, &out), RICO_BAD_INPUT);
    assert_string_equal(rico_message(ctx), "H: entry (1, -1) is outside of 2 x 3");
    assert_int_equal(rico_csc_from_triplets(ctx, "H", 2, 3, 2, row, col, bad, &out), RICO_BAD_INPUT);
    assert_string_equal(rico_message(ctx), "H: entry (1, 0) is nan");
    assert_int_equal(rico_csc_from_triplets(ctx, "H", 2, 3, 2, same, same, huge, &out), RICO_BAD_INPUT);
    assert_string_equal(rico_message(ctx), "H: the entries repeated at (1, 1) add up to infinity");
    assert_int_equal(out.rows, 42);
    limited_finish(&memory, ctx);
}


// Unsorted columns with repetitions come out sorted and summed, whichever way they came in.
static void test_assembly_sorts_and_sums(void **state)
{
    (void)state;
    limited memory;
    rico_context *ctx = limited_context(&memory);
    rico_random random;
    rico_random_seed(&random, 1);
    for (int trial = 0; trial < 50; trial++) {
        int64_t rows = 1 + rico_random_below(&random, 12), cols = 1 + rico_random_below(&random, 12);
        int64_t count = rico_random_below(&random, 100);
        int64_t row[100], col[100], start[13] = {0}, view_row[100];
        double value[100], view_value[100], expected[144] = {0};
        for (int64_t k = 0; k < count; k++) {
            row[k] = rico_random_below(&random, rows);
            col[k] = rico_random_below(&random, cols);
            value[k] = (double)rico_random_below(&random, 21) - 10.0; // integers: sums are exact in any order
            expected[row[k] + rows * col[k]] += value[k];
        }
        int64_t filled = 0;
        for (int64_t j = 0; j < cols; j++) {
            for (int64_t k = 0; k < count; k++) {
                if (col[k] != j) continue;
                view_row[filled] = row[k];
                view_value[filled++] = value[k];
            }
            start[j + 1] = filled;
        }

        rico_csc a, b;
        assert_ok(ctx, rico_csc_from_triplets(ctx, "A", rows, cols, count, row, col, value, &a));
        rico_sparse_view view = {rows, cols, start, view_row, view_value};
        assert_ok(ctx, rico_csc_from_view(ctx, "A", &view, &b));
        assert_csc_sound(&a);
        assert_csc_sound(&b);
        double *dense = dense_of(&a);
        for (int64_t k = 0; k < rows * cols; k++) assert_true(dense[k] == expected[k]);
        assert_memory_equal(a.start, b.start, (size_t)(cols + 1) * sizeof *a.start);
        for (int64_t k = 0; k < rico_csc_count(&a); k++)
            assert_true(a.row[k] == b.row[k] && a.value[k] == b.value[k]);
        free(dense);
        rico_csc_destroy(&a);
        rico_csc_destroy(&b);
    }
    limited_finish(&memory, ctx);
}


static void test_degenerate_shapes(void **state)
{
    (void)state;
    limited memory;
    rico_context *ctx = limited_context(&memory);
    const int64_t shapes[][2] = {{0, 0}, {0, 3}, {3, 0}, {3, 3}, {1, 1}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        int64_t rows = shapes[s][0], cols = shapes[s][1];
        rico_csc a, turned, product, copy;
        assert_ok(ctx, rico_csc_from_triplets(ctx, "A", rows, cols, 0, NULL, NULL, NULL, &a));
        assert_csc_sound(&a);
        assert_ok(ctx, rico_csc_transpose(&a, &turned));
        assert_int_equal(turned.rows, cols);
        assert_int_equal(turned.cols, rows);
        assert_ok(ctx, rico_csc_multiply(&turned, &a, &product));
        assert_int_equal(product.rows, cols);
        assert_int_equal(rico_csc_count(&product), 0);
        assert_ok(ctx, rico_csc_copy(&a, &copy));
        assert_true(rico_csc_norm_frobenius(&a) == 0.0);
        assert_true(rico_csc_norm_one(&a) == 0.0);
        assert_true(rico_csc_norm_inf(&a) == 0.0);
        if (rows == cols) assert_true(rico_csc_symmetry_defect(&a) == 0.0);

        double x[3] = {1.0, 2.0, 3.0}, y[3] = {4.0, 5.0, NAN};
        rico_csc_times(&a, 1.0, x, 0.0, y);
        for (int64_t i = 0; i < rows; i++) assert_true(y[i] == 0.0);
        rico_csc_destroy(&a);
        rico_csc_destroy(&turned);
        rico_csc_destroy(&product);
        rico_csc_destroy(&copy);
    }

    // an all-zero view is the empty matrix, an all-zero struct can be destroyed
    rico_csc a = {0};
    rico_csc_destroy(&a);
    assert_ok(ctx, rico_csc_from_view(ctx, "A", &(rico_sparse_view){0}, &a));
    assert_csc_sound(&a);
    assert_int_equal(rico_csc_count(&a), 0);
    rico_csc_destroy(&a);
    limited_finish(&memory, ctx);
}


static void test_products_against_dense(void **state)
{
    (void)state;
    limited memory;
    rico_context *ctx = limited_context(&memory);
    rico_random random;
    rico_random_seed(&random, 2);
    for (int trial = 0; trial < 30; trial++) {
        int64_t m = 1 + rico_random_below(&random, 20), n = 1 + rico_random_below(&random, 20);
        int64_t p = 1 + rico_random_below(&random, 20);
        rico_csc a = random_csc(ctx, &random, m, n, rico_random_below(&random, 80));
        rico_csc b = random_csc(ctx, &random, n, p, rico_random_below(&random, 80));
        rico_csc c, turned, copy;
        assert_ok(ctx, rico_csc_multiply(&a, &b, &c));
        assert_ok(ctx, rico_csc_transpose(&a, &turned));
        assert_ok(ctx, rico_csc_copy(&a, &copy));
        assert_csc_sound(&c);
        assert_csc_sound(&turned);
        assert_csc_sound(&copy);

        double *da = dense_of(&a), *db = dense_of(&b), *dc = dense_of(&c), *dt = dense_of(&turned);
        double *again = dense_of(&copy);
        for (int64_t i = 0; i < m; i++) {
            for (int64_t j = 0; j < p; j++) {
                double sum = 0.0;
                for (int64_t k = 0; k < n; k++) sum += da[i + k * m] * db[k + j * n];
                assert_near(dc[i + j * m], sum, 1e-12);
            }
            for (int64_t j = 0; j < n; j++) {
                assert_true(dt[j + i * n] == da[i + j * m]);
                assert_true(again[i + j * m] == da[i + j * m]);
            }
        }

        double x[20], y[20], z[20], old[20];
        random_vector(&random, 20, x);
        random_vector(&random, 20, old);
        memcpy(y, old, sizeof y);
        rico_csc_times(&a, 2.0, x, -0.5, y);
        for (int64_t i = 0; i < m; i++) {
            double sum = -0.5 * old[i];
            for (int64_t j = 0; j < n; j++) sum += 2.0 * da[i + j * m] * x[j];
            assert_near(y[i], sum, 1e-12);
        }
        for (int i = 0; i < 20; i++) y[i] = z[i] = NAN; // beta = 0 must not look
        rico_csc_transpose_times(&a, 3.0, x, 0.0, y);
        rico_csc_times(&turned, 3.0, x, 0.0, z);
        for (int64_t j = 0; j < n; j++) assert_near(y[j], z[j], 1e-12);
        rico_csc_transpose_times(&a, 1.0, x, 2.0, y);
        for (int64_t j = 0; j < n; j++) assert_near(y[j], z[j] * (2.0 + 1.0 / 3.0), 1e-11);

        free(da);
        free(db);
        free(dc);
        free(dt);
        free(again);
        rico_csc_destroy(&a);
        rico_csc_destroy(&b);
        rico_csc_destroy(&c);
        rico_csc_destroy(&turned);
        rico_csc_destroy(&copy);
    }

    rico_csc a = random_csc(ctx, &random, 3, 4, 5), c = {.rows = 42};
    assert_int_equal(rico_csc_multiply(&a, &a, &c), RICO_BAD_ARGUMENT);
    assert_string_equal(rico_message(ctx), "a product of 3 x 4 with 3 x 4 is not defined");
    assert_int_equal(c.rows, 42);
    rico_csc_destroy(&a);
    limited_finish(&memory, ctx);
}


static void test_norms(void **state)
{
    (void)state;
    limited memory;
    rico_context *ctx = limited_context(&memory);
    const double table[] = {1.0, -2.0, 0.0, 4.0, 0.0, -3.0};
    rico_csc a = csc_of(ctx, 2, 3, table);
    assert_near(rico_csc_norm_frobenius(&a), sqrt(30.0), 1e-15);
    assert_true(rico_csc_norm_one(&a) == 5.0);
    assert_true(rico_csc_norm_inf(&a) == 7.0);
    rico_csc_destroy(&a);

    // |A - A'|_F^2 = 2 (2 - 5)^2, |A|_F^2 = 4 + 25 + 49
    const double skewed[] = {0.0, 2.0, 5.0, 7.0};
    a = csc_of(ctx, 2, 2, skewed);
    assert_near(rico_csc_symmetry_defect(&a), sqrt(18.0 / 78.0), 1e-15);
    rico_csc_destroy(&a);
    const double one_sided[] = {0.0, 1e200, 0.0, 0.0}; // its square overflows
    a = csc_of(ctx, 2, 2, one_sided);
    assert_near(rico_csc_symmetry_defect(&a), sqrt(2.0), 1e-15);
    assert_near(rico_csc_norm_frobenius(&a) / 1e200, 1.0, 1e-15);
    rico_csc_destroy(&a);
    const double symmetric[] = {1.0, 2.0, 2.0, 0.0};
    a = csc_of(ctx, 2, 2, symmetric);
    assert_true(rico_csc_symmetry_defect(&a) == 0.0);
    rico_csc_destroy(&a);
    limited_finish(&memory, ctx);
}


// Every allocation of every function fails in turn; nothing leaks and outputs stay untouched.
static void test_memory_runs_out(void **state)
{
    (void)state;
    limited memory;
    rico_context *ctx = limited_context(&memory);
    rico_random random;
    rico_random_seed(&random, 3);
    rico_csc a = random_csc(ctx, &random, 9, 9, 40);
    const int64_t start[] = {0, 3}, row[] = {2, 0, 2};
    const double value[] = {1.0, 2.0, 3.0};
    rico_sparse_view unsorted = {3, 1, start, row, value};
    int64_t before = memory.live;

    for (int what = 0; what < 7; what++) {
        bool worked = false;
        int64_t limit = 0;
        for (; !worked && limit < 100; limit++) {
            rico_csc out = {0};
            rico_status status = RICO_OK;
            double norm = 0.0;
            memory.left = limit;
            if (what == 0) status = rico_csc_copy(&a, &out);
            if (what == 1) status = rico_csc_transpose(&a, &out);
            if (what == 2) status = rico_csc_multiply(&a, &a, &out);
            if (what == 3) status = rico_csc_from_view(ctx, "A", &unsorted, &out);
            if (what == 4) status = rico_csc_from_triplets(ctx, "A", 3, 3, 3, row, row, value, &out);
            if (what == 5) norm = rico_csc_norm_inf(&a);
            if (what == 6) norm = rico_csc_symmetry_defect(&a);
            memory.left = INT64_MAX;
            worked = status == RICO_OK && norm >= 0.0;
            if (!worked) {
                assert_true(norm == -1.0 || status == RICO_NO_MEMORY);
                assert_null(out.start);
                assert_non_null(strstr(rico_message(ctx), "out of memory"));
            }
            rico_csc_destroy(&out);
            assert_int_equal(memory.live, before);
        }
        assert_true(worked && limit > 1);
    }
    rico_csc_destroy(&a);
    limited_finish(&memory, ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_malformed_views_are_refused),
        cmocka_unit_test(test_malformed_triplets_are_refused),
        cmocka_unit_test(test_assembly_sorts_and_sums),
        cmocka_unit_test(test_degenerate_shapes),
        cmocka_unit_test(test_products_against_dense),
        cmocka_unit_test(test_norms),
        cmocka_unit_test(test_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
