// The mixed cone problem: what it refuses, its reduction, its residual.

#include "dense_reference.h"

#include "ricochet/generate.h"
#include "ricochet/problem.h"

static const rico_block contact_3d = {RICO_COULOMB_3D, 3, 0.5};

static int64_t identity_start[] = {0, 1, 2, 3, 4, 5, 6};
static int64_t identity_row[] = {0, 1, 2, 3, 4, 5};
static double identity_value[] = {1, 1, 1, 1, 1, 1};


static rico_sparse_view identity(int64_t n)
{
    return (rico_sparse_view){n, n, identity_start, identity_row, identity_value};
}


static void test_refuses_what_is_wrong(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_problem *p = NULL;
    double q[3] = {-1, 0, 0};
    rico_sparse_view W = identity(3), W2 = identity(2);

    static const struct {
        rico_block block;
        const char *words;
    } wrong[] = {
        {{RICO_COULOMB_3D, 2, 0.5}, "block 0 (Coulomb 3D) has 2 rows instead of 3"},
        {{RICO_COULOMB_3D, 3, -0.1}, "friction coefficient -0.1"},
        {{RICO_COULOMB_3D, 3, NAN}, "friction coefficient nan"},
        {{RICO_COULOMB_3D, 3, INFINITY}, "friction coefficient inf"},
        {{RICO_EQUALITY, 0, 0}, "at least 1"},
        {{RICO_EQUALITY, INT64_MAX, 0}, "more than a problem can hold"},
        {{(rico_block_kind)17, 3, 0}, "unknown kind 17"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_not_equal(rico_problem_create_reduced(ctx, 1, &wrong[i].block, &W, q, &p), RICO_OK);
        assert_non_null(strstr(rico_message(ctx), wrong[i].words));
        assert_null(p);
    }

    assert_int_equal(rico_problem_create_reduced(ctx, 1, &contact_3d, &W2, q, &p), RICO_BAD_INPUT);
    assert_string_equal(rico_message(ctx), "W is 2 x 2 instead of 3 x 3");
    assert_int_equal(rico_problem_create_reduced(ctx, -1, &contact_3d, &W, q, &p), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_problem_create_reduced(ctx, 1, &contact_3d, NULL, q, &p), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_problem_create_reduced(ctx, 1, &contact_3d, &W, NULL, &p), RICO_BAD_ARGUMENT);
    q[1] = NAN;
    assert_int_equal(rico_problem_create_reduced(ctx, 1, &contact_3d, &W, q, &p), RICO_BAD_INPUT);
    assert_string_equal(rico_message(ctx), "q[1] is nan");

    // a singular mass is found when it is first needed, and named
    double singular[3] = {1, 0, 1}, f[3] = {0, 0, 0}, r[3] = {1, 0, 0};
    q[1] = 0.0;
    rico_sparse_view M = identity(3), H = identity(3);
    M.value = singular;
    assert_ok(ctx, rico_problem_create_global(ctx, 1, &contact_3d, &M, &H, f, q, &p));
    rico_residual residual;
    assert_int_equal(rico_problem_residual(p, r, NULL, &residual), RICO_SINGULAR);
    assert_non_null(strstr(rico_message(ctx), "mass matrix M"));
    assert_int_equal(rico_problem_reduce(p), RICO_SINGULAR);
    rico_problem_destroy(p);

    rico_problem_destroy(NULL);
    rico_context_destroy(ctx);
}


static void test_empty_problem(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_problem *p = NULL;
    int64_t start = 0;
    double none = 0.0;
    rico_sparse_view W = {0, 0, &start, NULL, NULL};
    assert_ok(ctx, rico_problem_create_reduced(ctx, 0, NULL, &W, NULL, &p));
    rico_residual residual;
    assert_ok(ctx, rico_problem_residual(p, &none, NULL, &residual));
    assert_true(residual.relative == 0.0);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// W and q of the reduction against dense elimination, whether M falls apart into bodies or not.
static void check_reduction(rico_context *ctx, rico_problem *p)
{
    int64_t n = rico_problem_dofs(p), m = rico_problem_rows(p);
    rico_sparse_view M = rico_problem_mass(p), H = rico_problem_jacobian(p), W;
    double *Md = dense_copy(&M), *Hd = dense_copy(&H);
    assert_ok(ctx, rico_problem_delassus(p, &W));
    double *Wd = dense_copy(&W);
    const double *q = rico_problem_free_velocity(p), *w = rico_problem_offset(p);

    double *a = malloc((size_t)(n * n) * sizeof *a), *x = malloc((size_t)n * sizeof *x);
    for (int64_t j = -1; j < m; j++) {
        memcpy(a, Md, (size_t)(n * n) * sizeof *a);
        for (int64_t i = 0; i < n; i++) x[i] = j < 0 ? rico_problem_force(p)[i] : Hd[i * m + j];
        dense_solve(n, a, x);
        for (int64_t i = 0; i < m; i++) {
            double expected = j < 0 ? w[i] : 0.0, size = fabs(expected) + 1.0;
            for (int64_t k = 0; k < n; k++) {
                expected += Hd[k * m + i] * x[k];
                size += fabs(Hd[k * m + i] * x[k]);
            }
            assert_near(j < 0 ? q[i] : Wd[i * m + j], expected, 1e-12 * size);
        }
    }
    rico_sparse_release(ctx, &W);
    free(Md);
    free(Hd);
    free(Wd);
    free(a);
    free(x);
}


// The same problem with a weak spring between consecutive dofs, so that M is one large component.
static rico_problem *couple_masses(rico_context *ctx, const rico_problem *p)
{
    int64_t n = rico_problem_dofs(p), nb = rico_problem_block_count(p);
    rico_sparse_view M = rico_problem_mass(p), H = rico_problem_jacobian(p);
    int64_t count = M.start[n] + 2 * (n - 1);
    int64_t *start = calloc((size_t)n + 1, sizeof *start), *row = malloc((size_t)count * sizeof *row);
    double *value = malloc((size_t)count * sizeof *value);
    int64_t at = 0;
    for (int64_t j = 0; j < n; j++) {
        for (int64_t k = M.start[j]; k < M.start[j + 1]; k++, at++) {
            row[at] = M.row[k];
            value[at] = M.value[k];
        }
        if (j > 0) row[at] = j - 1, value[at++] = 1e-3;
        if (j < n - 1) row[at] = j + 1, value[at++] = 1e-3;
        start[j + 1] = at;
    }
    rico_block *blocks = malloc((size_t)nb * sizeof *blocks);
    for (int64_t a = 0; a < nb; a++) blocks[a] = rico_problem_block(p, a);
    rico_sparse_view coupled = {n, n, start, row, value};
    rico_problem *out = NULL;
    assert_ok(ctx, rico_problem_create_global(ctx, nb, blocks, &coupled, &H, rico_problem_force(p),
                                              rico_problem_offset(p), &out));
    free(start);
    free(row);
    free(value);
    free(blocks);
    return out;
}


static void test_reduction_matches_elimination(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        rico_random_heap heap = rico_random_heap_default();
        heap.contacts = 9;
        heap.bodies = 7;
        heap.joints = (int64_t)seed % 3;
        heap.dimension = seed % 2 ? 3 : 2;
        heap.seed = seed;
        rico_problem *p = NULL;
        assert_ok(ctx, rico_generate_random(ctx, &heap, &p));
        rico_problem *coupled = couple_masses(ctx, p);
        check_reduction(ctx, p);
        check_reduction(ctx, coupled);
        rico_problem_destroy(coupled);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


static void test_velocity_is_the_same_in_both_forms(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random random;
    rico_random_seed(&random, 3);
    rico_random_heap heap = rico_random_heap_default();
    heap.contacts = 20;
    heap.bodies = 15;
    heap.joints = 2;
    rico_problem *p = NULL;
    assert_ok(ctx, rico_generate_random(ctx, &heap, &p));
    int64_t m = rico_problem_rows(p);
    double *r = malloc((size_t)m * sizeof *r), *u = malloc((size_t)m * sizeof *u);
    for (int64_t i = 0; i < m; i++) r[i] = rico_random_normal(&random);

    rico_residual before, after;
    assert_ok(ctx, rico_problem_residual(p, r, u, &before));
    rico_sparse_view W;
    assert_ok(ctx, rico_problem_delassus(p, &W));
    double *Wd = dense_copy(&W);
    for (int64_t i = 0; i < m; i++) {
        double expected = rico_problem_free_velocity(p)[i];
        for (int64_t j = 0; j < m; j++) expected += Wd[i * m + j] * r[j];
        assert_near(u[i], expected, 1e-10 * (1.0 + fabs(expected)));
    }
    assert_ok(ctx, rico_problem_residual(p, r, u, &after));
    assert_near(after.relative, before.relative, 1e-12);
    assert_near(after.relative_q, before.relative_q, 1e-12);

    // new vectors on the same matrices
    int64_t n = rico_problem_dofs(p);
    double *f = calloc((size_t)n, sizeof *f), *w = calloc((size_t)m, sizeof *w);
    for (int64_t i = 0; i < m; i++) w[i] = i;
    assert_ok(ctx, rico_problem_set_force(p, f, w));
    for (int64_t i = 0; i < m; i++) assert_true(rico_problem_free_velocity(p)[i] == (double)i);
    f[n - 1] = NAN;
    assert_int_equal(rico_problem_set_force(p, f, NULL), RICO_BAD_INPUT);
    assert_int_equal(rico_problem_set_free_velocity(p, w), RICO_BAD_ARGUMENT);

    rico_sparse_release(ctx, &W);
    free(Wd);
    free(r);
    free(u);
    free(f);
    free(w);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// One block of each kind, W = identity: every figure of the residual by hand.
static void test_residual_by_hand(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    const rico_block blocks[] = {{RICO_COULOMB_3D, 3, 1.0}, {RICO_UNILATERAL, 1, 0}, {RICO_EQUALITY, 2, 0}};
    rico_sparse_view W = identity(6);
    double q[6] = {-2, 0, 0, -3, 5, 0}, r[6] = {2, 0, 0, 3, -5, 0};
    rico_problem *p = NULL;
    rico_residual residual;
    assert_ok(ctx, rico_problem_create_reduced(ctx, 3, blocks, &W, q, &p));

    // sticking, closed, joined: u = 0 throughout
    assert_ok(ctx, rico_problem_residual(p, r, NULL, &residual));
    assert_true(residual.absolute == 0.0 && residual.velocity == 0.0 && residual.relative_q == 0.0);
    assert_true(residual.rounding > 0.0 && residual.rounding < 1e-15);

    // r = 0: u = q; the contact gives F = 0 - P_K(2, 0, 0) = (-2, 0, 0), the others -3 and 5
    memset(r, 0, sizeof r);
    assert_ok(ctx, rico_problem_residual(p, r, NULL, &residual));
    assert_near(residual.absolute, sqrt(4.0 + 9.0 + 25.0), 1e-15);
    assert_near(residual.relative, 1.0, 1e-15);
    assert_near(residual.relative_q, 1.0, 1e-15);
    assert_near(residual.scale, sqrt(38.0), 1e-15);

    // sliding against a wall of friction 1: u_T = (1, 0), r = (2, -2, 0) is on the cone and opposite: lawful
    double sliding[6] = {2, -2, 0, 3, -5, 0}, qs[6] = {-2, 3, 0, -3, 5, 0};
    assert_ok(ctx, rico_problem_set_free_velocity(p, qs));
    assert_ok(ctx, rico_problem_residual(p, sliding, NULL, &residual));
    assert_at_most(residual.absolute, 1e-15);

    // NaN is never hidden
    sliding[3] = NAN;
    assert_ok(ctx, rico_problem_residual(p, sliding, NULL, &residual));
    assert_true(isnan(residual.relative) && isnan(residual.absolute) && isnan(residual.relative_q));

    // small data is data: no size counts as nothing
    double tiny[6] = {-1e-17, 0, 0, 0, 0, 0}, zero[6] = {0};
    assert_ok(ctx, rico_problem_set_free_velocity(p, tiny));
    assert_ok(ctx, rico_problem_residual(p, zero, NULL, &residual));
    assert_near(residual.relative, 1.0, 1e-15);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// The residual does not see units: impulses times c, W and mass by c, is the same problem.
static void test_residual_is_free_of_scale(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    const rico_block blocks[] = {
        {RICO_COULOMB_3D, 3, 0.7}, {RICO_COULOMB_2D, 2, 0.3}, {RICO_UNILATERAL, 1, 0}};
    const double q[6] = {-1, 0.4, 0.2, 0.3, -2, -1}, r[6] = {0.5, 0.1, -0.4, 0.2, 0.3, 0.1};
    double reference = NAN;
    for (double c = 1e-9; c < 1e10; c *= 1e3) {
        double value[6], scaled_r[6];
        for (int i = 0; i < 6; i++) {
            value[i] = c * (1.0 + i);
            scaled_r[i] = r[i] / c;
        }
        rico_sparse_view W = identity(6);
        W.value = value;
        rico_problem *p = NULL;
        rico_residual residual;
        assert_ok(ctx, rico_problem_create_reduced(ctx, 3, blocks, &W, q, &p));
        assert_ok(ctx, rico_problem_residual(p, scaled_r, NULL, &residual));
        if (isnan(reference)) reference = residual.relative;
        assert_near(residual.relative, reference, 1e-14);
        rico_problem_destroy(p);
    }
    assert_true(reference > 0.01);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refuses_what_is_wrong),
        cmocka_unit_test(test_empty_problem),
        cmocka_unit_test(test_reduction_matches_elimination),
        cmocka_unit_test(test_velocity_is_the_same_in_both_forms),
        cmocka_unit_test(test_residual_by_hand),
        cmocka_unit_test(test_residual_is_free_of_scale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
