// Convex subproblems: what is picked and frozen, engines against optimality conditions and against each other.

#include "dense_reference.h"

#include "problem/shift.h"
#include "ricochet/generate.h"
#include "solve/convex.h"

static rico_problem *heap(rico_context *ctx, int dimension, uint64_t seed)
{
    rico_random_heap options = rico_random_heap_default();
    options.contacts = 24;
    options.bodies = 30;
    options.joints = 3;
    options.dimension = dimension;
    options.friction = 0.4;
    options.friction_spread = 0.5;
    options.reduced = true;
    options.seed = seed;
    rico_problem *p = NULL;
    assert_ok(ctx, rico_generate_random(ctx, &options, &p));
    return p;
}


// How far (x, u) of one block is from u in -N(x), case by case as the sets are defined; zero on the law alone.
static double optimality_defect(rico_set_kind set, int64_t rows, double bound, const double *x,
                                const double *u)
{
    double scale = 1.0, defect = 0.0;
    for (int64_t i = 0; i < rows; i++) scale += fabs(x[i]) + fabs(u[i]);
    switch (set) {
    case RICO_SET_SPACE:
        for (int64_t i = 0; i < rows; i++) defect = fmax(defect, fabs(u[i]));
        break;
    case RICO_SET_HALF_LINE:
        defect = fmax(fmax(-x[0], -u[0]), fabs(x[0] * u[0]) / scale);
        break;
    case RICO_SET_CYLINDER:
        defect = fmax(fmax(-x[0], -u[0]), fabs(x[0] * u[0]) / scale);
        return fmax(defect, optimality_defect(RICO_SET_DISK, rows - 1, bound, x + 1, u + 1));
    case RICO_SET_DISK: {
        // maximal dissipation: -u'x = bound |u|
        double speed = rows == 1 ? fabs(u[0]) : hypot(u[0], u[1]);
        double size = rows == 1 ? fabs(x[0]) : hypot(x[0], x[1]);
        double power = u[0] * x[0] + (rows == 2 ? u[1] * x[1] : 0.0);
        defect = fmax(size - bound, fabs(power + bound * speed) / scale);
        break;
    }
    case RICO_SET_CONE: {
        double speed = hypot(u[1], rows == 3 ? u[2] : 0.0), size = hypot(x[1], rows == 3 ? x[2] : 0.0);
        double power = u[0] * x[0] + u[1] * x[1] + (rows == 3 ? u[2] * x[2] : 0.0);
        defect = fmax(fmax(size - bound * x[0], bound * speed - u[0]), fabs(power) / scale);
        break;
    }
    }
    return defect;
}


static const struct {
    rico_pick pick;
    rico_set_kind contact;
} cases[] = {
    {RICO_PICK_ALL, RICO_SET_CYLINDER},
    {RICO_PICK_ALL, RICO_SET_CONE},
    {RICO_PICK_NORMAL, RICO_SET_HALF_LINE},
    {RICO_PICK_TANGENT, RICO_SET_DISK},
};


// A is the part of W that was picked, b the action of the rest, checked entry by entry against a dense W.
static void check_frozen(rico_context *ctx, rico_problem *p, const rico_convex *c, const double *r)
{
    rico_sparse_view W;
    assert_ok(ctx, rico_problem_delassus(p, &W));
    double *Wd = dense_copy(&W);
    const double *q = rico_problem_free_velocity(p);
    double *x = calloc((size_t)c->size + 1, sizeof *x), *y = calloc((size_t)c->size + 1, sizeof *y);
    bool *inside = calloc((size_t)W.rows + 1, sizeof *inside);
    for (int64_t j = 0; j < c->size; j++) inside[c->row[j]] = true;
    for (int64_t i = 0; i < c->size; i++) {
        double expected = q[c->row[i]];
        for (int64_t j = 0; j < W.cols; j++)
            if (!inside[j]) expected += Wd[c->row[i] * W.cols + j] * r[j];
        assert_near(c->b[i], expected, 1e-10 * (1.0 + fabs(expected)));
        assert_true(c->state.z[i] == r[c->row[i]]);
    }
    for (int64_t j = 0; j < c->size; j++) {
        x[j] = 1.0;
        rico_block_times(c->A, x, NULL, y);
        for (int64_t i = 0; i < c->size; i++) assert_true(y[i] == Wd[c->row[i] * W.cols + c->row[j]]);
        x[j] = 0.0;
    }
    free(x);
    free(y);
    free(inside);
    free(Wd);
    rico_sparse_release(ctx, &W);
}


static void test_picks_what_it_says(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (int dimension = 2; dimension <= 3; dimension++) {
        rico_problem *base = heap(ctx, dimension, 3), *p = NULL;
        assert_ok(ctx, rico_problem_create_shifted(base, &p));
        int64_t m = rico_problem_rows(p), blocks = rico_problem_block_count(p);
        rico_random random;
        rico_random_seed(&random, 9);
        double *r = malloc((size_t)m * sizeof *r), *alpha = malloc((size_t)blocks * sizeof *alpha);
        for (int64_t i = 0; i < m; i++) r[i] = rico_random_normal(&random);
        for (int64_t a = 0; a < blocks; a++) alpha[a] = 0.0;
        rico_problem_shift(p, base, alpha, r);

        int64_t rows[4];
        for (int k = 0; k < 4; k++) {
            rico_convex *c = NULL;
            assert_ok(ctx, rico_convex_create(p, cases[k].pick, cases[k].contact, &c));
            rows[k] = c->size;
            rico_convex_freeze(c, r);
            check_frozen(ctx, p, c, r);

            // new values of W arrive in the picked matrix
            for (int64_t a = 0; a < blocks; a++) alpha[a] = 1.0 + (double)a;
            rico_problem_shift(p, base, alpha, r);
            rico_convex_update(c);
            rico_convex_freeze(c, r);
            check_frozen(ctx, p, c, r);
            rico_convex_destroy(c);
        }
        assert_int_equal(rows[0], m);
        assert_int_equal(rows[2], 24 + 3 * 3 - (dimension == 2 ? 3 : 0)); // a joint in the plane has two rows
        assert_int_equal(rows[2] + rows[3], m);
        free(r);
        free(alpha);
        rico_problem_destroy(p);
        rico_problem_destroy(base);
    }
    rico_context_destroy(ctx);
}


// Every engine on every kind of set: optimal by the definition of the set, and all with the same velocity (x itself is
// not unique where two bodies touch more than once).
static void test_engines_agree(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (int dimension = 2; dimension <= 3; dimension++) {
        rico_problem *p = heap(ctx, dimension, 7);
        int64_t m = rico_problem_rows(p);
        double *normals = calloc((size_t)m, sizeof *normals), *zero = calloc((size_t)m, sizeof *zero);
        rico_random random;
        rico_random_seed(&random, 4);
        for (int64_t i = 0; i < m; i++) normals[i] = rico_random_range(&random, -0.02, 0.2);

        for (int k = 0; k < 4; k++) {
            rico_convex *c = NULL;
            assert_ok(ctx, rico_convex_create(p, cases[k].pick, cases[k].contact, &c));
            double *first = calloc((size_t)m, sizeof *first), *u = calloc((size_t)m, sizeof *u);
            for (int e = 0; e < RICO_ENGINE_QP; e++) {
                rico_convex_freeze(c, zero);
                rico_convex_set_radii(c, normals);
                rico_convex_result result = rico_convex_solve(c, (rico_engine_kind)e, 1e-11, 200000, NULL, 0);
                if (!(result.error <= 1e-11))
                    fail_msg("case %d, %s: %.3g after %lld steps", k, rico_engine_name((rico_engine_kind)e),
                             result.error, (long long)result.iterations);

                const double *x = c->state.z;
                rico_block_times(c->A, x, c->b, u);
                for (int64_t i = 0; i < c->A->blocks; i++) {
                    int64_t at = c->A->offset[i], rows = c->A->offset[i + 1] - at;
                    rico_set_kind set = (rico_set_kind)c->set[i];
                    assert_at_most(optimality_defect(set, rows, c->bound[i], &x[at], &u[at]), 1e-10);
                }
                for (int64_t i = 0; i < c->size; i++) {
                    if (e == 0) first[i] = u[i];
                    assert_near(u[i], first[i], 1e-8);
                }
            }
            free(first);
            free(u);
            rico_convex_destroy(c);
        }
        free(normals);
        free(zero);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


static rico_problem *one_contact(rico_context *ctx, const double value[9], const double q[3])
{
    static const int64_t start[] = {0, 3, 6, 9}, row[] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
    const rico_block contact = {RICO_COULOMB_3D, 3, 0.75};
    rico_sparse_view W = {3, 3, start, row, value};
    rico_problem *p = NULL;
    assert_ok(ctx, rico_problem_create_reduced(ctx, 1, &contact, &W, q, &p));
    return p;
}


// The program of eq. 90, made for half lines: with an unsymmetric W its minimum is the complementarity problem's answer, with joints too.
static void test_program_for_unsymmetric_matrices(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random random;
    rico_random_seed(&random, 21);
    for (int round = 0; round < 12; round++) {
        enum { N = 6 };
        int64_t start[N + 1], row[N * N];
        double value[N * N], q[N], zero[N] = {0}, r[N] = {0}, B[N][N];
        rico_block blocks[N];
        for (int i = 0; i < N; i++) {
            blocks[i] = (rico_block){round % 2 && i == 0 ? RICO_EQUALITY : RICO_UNILATERAL, 1, 0};
            q[i] = rico_random_normal(&random);
            for (int j = 0; j < N; j++) B[i][j] = rico_random_normal(&random);
        }
        for (int j = 0; j <= N; j++) start[j] = j * N;
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                row[j * N + i] = i;
                value[j * N + i] = i == j ? 1.0 : i < j ? 1.5 : -1.5;
                for (int k = 0; k < N; k++) value[j * N + i] += B[i][k] * B[j][k];
            }
        rico_sparse_view W = {N, N, start, row, value};
        rico_problem *p = NULL;
        rico_convex *c = NULL;
        assert_ok(ctx, rico_problem_create_reduced(ctx, N, blocks, &W, q, &p));
        assert_ok(ctx, rico_convex_create(p, RICO_PICK_NORMAL, RICO_SET_HALF_LINE, &c));
        rico_convex_freeze(c, zero);
        rico_convex_result result = rico_convex_solve(c, RICO_ENGINE_QP, 1e-9, 1000000, NULL, 0);
        assert_at_most(result.error, 1e-9);
        rico_convex_scatter(c, r);
        for (int i = 0; i < N; i++) {
            double u = q[i];
            for (int j = 0; j < N; j++) u += value[j * N + i] * r[j];
            assert_near((blocks[i].kind == RICO_EQUALITY ? u : fmin(u, r[i])), 0.0, 2e-9);
        }
        rico_convex_destroy(c);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


// A = 2 I: the answer is the projection of -b/2.
static void test_known_answers(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    static const double W[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2}, q[3] = {-4, 3, 4}, zero[3] = {0};
    const double normals[3] = {4.0 / 3.0, 0, 0}; // radius 0.75 * 4/3 = 1
    rico_problem *p = one_contact(ctx, W, q);
    // -q/2 = (2, -1.5, -2): a tangent of 2.5 along (-0.6, -0.8); on the cone |x_T| = 3/4 x_N the foot of
    // (2, 2.5) is t (1, 0.75), t = (2 + 0.75 * 2.5) / 1.5625 = 2.48
    static const struct {
        rico_set_kind set;
        double x[3];
    } expected[] = {
        {RICO_SET_CYLINDER, {2, -0.6, -0.8}},
        {RICO_SET_CONE, {2.48, -1.116, -1.488}},
    };
    for (size_t k = 0; k < 2; k++) {
        rico_convex *c = NULL;
        assert_ok(ctx, rico_convex_create(p, RICO_PICK_ALL, expected[k].set, &c));
        for (int e = 0; e < RICO_ENGINE_QP; e++) {
            double r[3];
            rico_convex_freeze(c, zero);
            rico_convex_set_radii(c, normals);
            rico_convex_result result = rico_convex_solve(c, (rico_engine_kind)e, 1e-14, 1000, NULL, 0);
            assert_at_most(result.error, 1e-14);
            rico_convex_scatter(c, r);
            for (int i = 0; i < 3; i++) assert_near(r[i], expected[k].x[i], 1e-13);
        }
        rico_convex_destroy(c);
    }
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// A joint whose rows pull on each other: simultaneous steps (Jacobi) would diverge, 1 - 2.9/1 being below -1, and one
// after the other converges to x = -b / 2.9.
static void test_rows_of_a_joint_in_turn(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    static const int64_t start[] = {0, 3, 6, 9}, row[] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
    static const double value[] = {1, 0.95, 0.95, 0.95, 1, 0.95, 0.95, 0.95, 1}, q[] = {-2.9, -2.9, -2.9};
    const rico_block joint = {RICO_EQUALITY, 3, 0.0};
    rico_sparse_view W = {3, 3, start, row, value};
    rico_problem *p = NULL;
    rico_convex *c = NULL;
    double r[3] = {0};
    assert_ok(ctx, rico_problem_create_reduced(ctx, 1, &joint, &W, q, &p));
    assert_ok(ctx, rico_convex_create(p, RICO_PICK_NORMAL, RICO_SET_HALF_LINE, &c));
    rico_convex_freeze(c, r);
    rico_convex_result result = rico_convex_solve(c, RICO_ENGINE_GS, 1e-12, 2000, NULL, 0);
    assert_at_most(result.error, 1e-12);
    rico_convex_scatter(c, r);
    for (int i = 0; i < 3; i++) assert_near(r[i], 1.0, 1e-9);
    rico_convex_destroy(c);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// An unsymmetric monotone A has no minimum to look for; the variational inequality has one solution, and all but the
// accelerated engine find it.
static void test_unsymmetric(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    static const double W[9] = {3, 1, 0, -1, 2, 0.5, 0, -0.5, 2}, q[3] = {-2, 1, 3}, zero[3] = {0};
    rico_problem *p = one_contact(ctx, W, q);
    rico_convex *c = NULL;
    assert_ok(ctx, rico_convex_create(p, RICO_PICK_ALL, RICO_SET_CONE, &c));
    double first[3], u[3];
    for (int e = RICO_ENGINE_GS; e <= RICO_ENGINE_PG; e++) {
        rico_convex_freeze(c, zero);
        rico_convex_result result = rico_convex_solve(c, (rico_engine_kind)e, 1e-13, 100000, NULL, 0);
        assert_at_most(result.error, 1e-13);
        rico_block_times(c->A, c->state.z, c->b, u);
        assert_at_most(optimality_defect(RICO_SET_CONE, 3, 0.75, c->state.z, u), 1e-12);
        for (int i = 0; i < 3; i++) {
            if (e == RICO_ENGINE_GS) first[i] = c->state.z[i];
            assert_near(c->state.z[i], first[i], 1e-11);
        }
    }
    assert_true(first[0] > 0.1); // not the apex, which would prove little
    rico_convex_destroy(c);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// One step at least, no more than allowed, and none that leaves the sets or the numbers.
static void test_limits(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_problem *p = heap(ctx, 3, 12);
    rico_convex *c = NULL;
    double *zero = calloc((size_t)rico_problem_rows(p), sizeof *zero);
    assert_ok(ctx, rico_convex_create(p, RICO_PICK_ALL, RICO_SET_CONE, &c));
    for (int e = 0; e < RICO_ENGINE_QP; e++)
        for (int64_t allowed = 1; allowed <= 7; allowed += 6) {
            rico_convex_freeze(c, zero);
            rico_convex_result result = rico_convex_solve(c, (rico_engine_kind)e, 0.0, allowed, NULL, 0);
            assert_int_equal(result.iterations, allowed);
            rico_convex_freeze(c, zero);
            result = rico_convex_solve(c, (rico_engine_kind)e, INFINITY, 7, NULL, 0);
            assert_int_equal(result.iterations, 1);
        }
    rico_convex_destroy(c);
    rico_problem_destroy(p);

    // nothing answers: no engine may hang, and Gauss-Seidel leaves x alone
    static const double nothing[9] = {0}, q[3] = {-1, 0.5, 0};
    p = one_contact(ctx, nothing, q);
    assert_ok(ctx, rico_convex_create(p, RICO_PICK_ALL, RICO_SET_CONE, &c));
    for (int e = 0; e < RICO_ENGINES; e++) {
        rico_convex_freeze(c, zero);
        rico_convex_result result = rico_convex_solve(c, (rico_engine_kind)e, 1e-8, 50, NULL, 0);
        assert_true(result.error > 0.1);
        if (e == RICO_ENGINE_GS) assert_true(c->state.z[0] == 0.0 && c->state.z[1] == 0.0);
    }
    rico_convex_destroy(c);
    rico_problem_destroy(p);
    free(zero);
    assert_string_equal(rico_engine_name(RICO_ENGINE_APGD), "apgd");
    assert_null(rico_engine_name(RICO_ENGINES));
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_picks_what_it_says),
        cmocka_unit_test(test_engines_agree),
        cmocka_unit_test(test_known_answers),
        cmocka_unit_test(test_program_for_unsymmetric_matrices),
        cmocka_unit_test(test_rows_of_a_joint_in_turn),
        cmocka_unit_test(test_unsymmetric),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
