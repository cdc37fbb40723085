// Figures of problems whose figures are known on paper.

#include "support.h"

#include "ricochet/generate.h"
#include "ricochet/problem.h"

static rico_problem *dense_problem(rico_context *ctx, int64_t count, const rico_block *blocks, int64_t m,
                                   const double *W, const double *q)
{
    // W is given row by row
    int64_t start[17], row[256];
    double value[256];
    for (int64_t j = 0; j <= m; j++) start[j] = j * m;
    for (int64_t j = 0; j < m; j++) {
        for (int64_t i = 0; i < m; i++) {
            row[j * m + i] = i;
            value[j * m + i] = W[i * m + j];
        }
    }
    rico_sparse_view view = {m, m, start, row, value};
    rico_problem *p = NULL;
    assert_ok(ctx, rico_problem_create_reduced(ctx, count, blocks, &view, q, &p));
    return p;
}


static rico_problem_stats describe(rico_context *ctx, rico_problem *p)
{
    rico_problem_stats s;
    assert_ok(ctx, rico_problem_describe(p, &s));
    return s;
}


// W = [4 2; 2 1] next to an empty row: eigenvalues 5, 0, 0.
static void test_symmetric_of_low_rank(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_block blocks[2] = {{RICO_COULOMB_2D, 2, 0.3}, {RICO_UNILATERAL, 1, 0.0}};
    double W[9] = {4, 2, 0, 2, 1, 0, 0, 0, 0}, q[3] = {3, 0, 4};
    rico_problem *p = dense_problem(ctx, 2, blocks, 3, W, q);
    rico_problem_stats s = describe(ctx, p);
    assert_int_equal(s.blocks[RICO_COULOMB_2D], 1);
    assert_int_equal(s.blocks[RICO_UNILATERAL], 1);
    assert_int_equal(s.blocks[RICO_COULOMB_3D] + s.blocks[RICO_EQUALITY], 0);
    assert_int_equal(s.rows, 3);
    assert_int_equal(s.dofs, 0);
    assert_true(isnan(s.contact_density));
    assert_int_equal(s.delassus_blocks, 1);
    assert_true(s.friction_min == 0.3 && s.friction_max == 0.3);
    assert_true(s.symmetry_defect == 0.0);
    assert_true(s.diagonal_min == 0.0 && s.diagonal_max == 4.0);
    assert_near(s.eigenvalue_min, 0.0, 1e-14);
    assert_near(s.eigenvalue_max, 5.0, 1e-14);
    assert_int_equal(s.rank, 1);
    assert_near(s.condition, 1.0, 1e-14);
    assert_near(s.q_norm, 5.0, 1e-15);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// W = [1 1; -1 1]: symmetric part I, singular values sqrt(2) twice, |W - W'| / |W| = sqrt(8) / 2.
static void test_unsymmetric(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_block blocks[2] = {{RICO_COULOMB_2D, 2, 0.1}, {RICO_COULOMB_2D, 2, 0.7}};
    double W[16] = {1, 1, 0, 0, -1, 1, 0, 0, 0, 0, 10, 0, 0, 0, 0, 10}, q[4] = {0};
    rico_problem *p = dense_problem(ctx, 2, blocks, 4, W, q);
    rico_problem_stats s = describe(ctx, p);
    assert_near(s.symmetry_defect, sqrt(8.0 / 204.0), 1e-15);
    assert_near(s.eigenvalue_min, 1.0, 1e-14);
    assert_near(s.eigenvalue_max, 10.0, 1e-14);
    assert_int_equal(s.rank, 4);
    assert_near(s.condition, 10.0 / sqrt(2.0), 1e-13);
    assert_true(s.friction_min == 0.1 && s.friction_max == 0.7);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


static void test_empty(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random_heap options = rico_random_heap_default();
    options.contacts = 0;
    rico_problem *p = NULL;
    assert_ok(ctx, rico_generate_random(ctx, &options, &p));
    rico_problem_stats s = describe(ctx, p);
    assert_int_equal(s.rows, 0);
    assert_int_equal(s.rank, 0);
    assert_true(s.contact_density == 0.0);
    assert_true(isnan(s.friction_min) && isnan(s.diagonal_min) && isnan(s.condition));
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// One body with many contacts: W = H' M^-1 H has the rank of its six velocities. Contacts that share no body are
// independent: full rank, and only diagonal blocks.
static void test_rank_of_heaps(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random_heap options = rico_random_heap_default();
    options.bodies = 1;
    options.contacts = 20;
    rico_problem *p = NULL;
    assert_ok(ctx, rico_generate_random(ctx, &options, &p));
    rico_problem_stats s = describe(ctx, p);
    assert_int_equal(s.rank, 6);
    assert_near(s.contact_density, 10.0, 1e-15);
    assert_int_equal(s.delassus_blocks, 400);
    rico_problem_destroy(p);

    options.bodies = 40;
    options.contacts = 20; // every contact has two bodies of its own
    assert_ok(ctx, rico_generate_random(ctx, &options, &p));
    s = describe(ctx, p);
    assert_int_equal(s.rank, 60);
    assert_int_equal(s.delassus_blocks, 20);
    assert_true(s.eigenvalue_min > 0.0);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// Past the dense limit the extreme eigenvalues are estimates from inside; the diagonal and Gershgorin's circles
// bound them.
static void test_large_problems_get_estimates(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random_heap options = rico_random_heap_default();
    options.bodies = 1000;
    options.contacts = 600;
    rico_problem *p = NULL;
    assert_ok(ctx, rico_generate_random(ctx, &options, &p));
    rico_problem_stats s = describe(ctx, p);
    assert_int_equal(s.rank, -1);
    assert_true(isnan(s.condition));

    rico_sparse_view W;
    assert_ok(ctx, rico_problem_delassus(p, &W));
    double circle = 0.0;
    for (int64_t j = 0; j < W.cols; j++) {
        double sum = 0.0;
        for (int64_t k = W.start[j]; k < W.start[j + 1]; k++) sum += fabs(W.value[k]);
        circle = fmax(circle, sum);
    }
    rico_sparse_release(ctx, &W);
    // Rayleigh quotients: no diagonal entry lies outside the spectrum, and Lanczos finds the top to a few digits
    assert_true(s.eigenvalue_max >= s.diagonal_max * (1.0 - 1e-6) && s.eigenvalue_max <= circle);
    assert_true(s.eigenvalue_min >= -1e-12 * circle && s.eigenvalue_min <= 1.1 * s.diagonal_min);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_symmetric_of_low_rank),
        cmocka_unit_test(test_unsymmetric),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_rank_of_heaps),
        cmocka_unit_test(test_large_problems_get_estimates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
