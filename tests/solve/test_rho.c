// Rules for rho: numbers by hand, and eigenvalues against LAPACK's.

#include "support.h"

#include "la/dense.h"
#include "solve/rho.h"

static const rico_rho_rule every[] = {RICO_RHO_ONE, RICO_RHO_NORM, RICO_RHO_SPECTRAL, RICO_RHO_SPLIT,
                                      RICO_RHO_SPLIT_CONDITION};


// W = diag(4, 1/2, 2): |W|_F = sqrt(20.25) = 4.5
static void test_by_hand(void **state)
{
    (void)state;
    const double W[9] = {4, 0, 0, 0, 0.5, 0, 0, 0, 2};
    static const double expected[][2] = {
        {1, 1}, {1 / 4.5, 1 / 4.5}, {0.25, 0.25}, {0.25, 0.5}, {0.25, 0.125}};
    for (int i = 0; i < 5; i++) {
        rico_rho rho = rico_rho_from_block(every[i], 3, W);
        assert_near(rho.normal, expected[i][0], 1e-15);
        assert_near(rho.tangent, expected[i][1], 1e-15);
    }

    // in the plane, (5 2; 2 2) has the eigenvalues 6 and 1; |W|_F = sqrt(37)
    const double plane[4] = {5, 2, 2, 2};
    static const double expected_2[][2] = {
        {1, 1}, {0.16439898730535729, 0.16439898730535729}, {1 / 6.0, 1 / 6.0}, {0.2, 0.5}, {0.2, 0.5}};
    for (int i = 0; i < 5; i++) {
        rico_rho rho = rico_rho_from_block(every[i], 2, plane);
        assert_near(rho.normal, expected_2[i][0], 1e-15);
        assert_near(rho.tangent, expected_2[i][1], 1e-15);
    }

    // one row, and an equality of four
    const double one[1] = {8}, four[16] = {2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2};
    for (int i = 1; i < 5; i++) {
        assert_near(rico_rho_from_block(every[i], 1, one).normal, 0.125, 0.0);
        assert_near(rico_rho_from_block(every[i], 4, four).normal, 0.25, 0.0);
    }
}


static void test_against_lapack(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random random;
    rico_random_seed(&random, 5);
    for (int round = 0; round < 1000; round++) {
        // B B' with columns of very different sizes, and a skew part that no rule may see
        double B[9], W[9], symmetric[9], tangent[4], value[3];
        for (int i = 0; i < 9; i++) B[i] = rico_random_normal(&random) * pow(10.0, -(round % 4) * (i % 3));
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                symmetric[3 * i + j] = 0.0;
                for (int k = 0; k < 3; k++) symmetric[3 * i + j] += B[3 * i + k] * B[3 * j + k];
                W[3 * i + j] = symmetric[3 * i + j] + 0.1 * (i - j);
            }
        for (int i = 0; i < 4; i++) tangent[i] = symmetric[3 * (1 + i / 2) + 1 + i % 2];

        assert_ok(ctx, rico_dense_eigen(ctx, 3, symmetric, false, value));
        assert_near(rico_rho_from_block(RICO_RHO_SPECTRAL, 3, W).tangent * value[2], 1.0, 1e-12);
        assert_ok(ctx, rico_dense_eigen(ctx, 2, tangent, false, value));
        rico_rho split = rico_rho_from_block(RICO_RHO_SPLIT, 3, W);
        rico_rho condition = rico_rho_from_block(RICO_RHO_SPLIT_CONDITION, 3, W);
        assert_near(split.normal * W[0], 1.0, 1e-15);
        assert_near(split.tangent * value[1], 1.0, 1e-12);
        if (value[0] > 1e-5 * value[1])
            assert_near(condition.tangent * value[1] * value[1] / value[0], 1.0, 1e-9);
    }
    rico_context_destroy(ctx);
}


// Whatever the block, steps are positive and finite.
static void test_degenerate_blocks(void **state)
{
    (void)state;
    static const double blocks[][9] = {{0},
                                       {-1, 0, 0, 0, -1, 0, 0, 0, -1},
                                       {0, 1, 0, -1, 0, 0, 0, 0, 0},
                                       {1, 0, 0, 0, 1, 1, 0, 1, 1},
                                       {1e-320, 0, 0, 0, 1e-320, 0, 0, 0, 1e-320}};
    for (int i = 0; i < 5; i++)
        for (size_t k = 0; k < sizeof blocks / sizeof blocks[0]; k++)
            for (int64_t order = 1; order <= 3; order++) {
                rico_rho rho = rico_rho_from_block(every[i], order, blocks[k]);
                assert_true(rho.normal > 0.0 && isfinite(rho.normal));
                assert_true(rho.tangent > 0.0 && isfinite(rho.tangent));
            }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_against_lapack),
        cmocka_unit_test(test_degenerate_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
