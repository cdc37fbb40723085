// Existence of solutions: problems whose answer is known on paper (docs/theory/existence.md), and heaps.

#include "support.h"

#include "la/dense.h"
#include "ricochet/generate.h"
#include "ricochet/problem.h"

// A small global problem from dense matrices: M row by row (NULL: identity), H' row by row (m x n).
static rico_problem *global_problem(rico_context *ctx, int64_t count, const rico_block *blocks, int64_t n,
                                    int64_t m, const double *M, const double *Ht, const double *f,
                                    const double *w)
{
    int64_t M_start[8], M_row[64], H_start[32], H_row[256];
    double M_value[64], H_value[256];
    for (int64_t j = 0; j <= n; j++) M_start[j] = j * n;
    for (int64_t j = 0; j < n; j++) {
        for (int64_t i = 0; i < n; i++) {
            M_row[j * n + i] = i;
            M_value[j * n + i] = M ? M[i * n + j] : (double)(i == j);
        }
    }
    for (int64_t j = 0; j <= m; j++) H_start[j] = j * n;
    for (int64_t k = 0; k < m * n; k++) {
        H_row[k] = k % n;
        H_value[k] = Ht[k];
    }
    rico_sparse_view M_view = {n, n, M_start, M_row, M_value}, H_view = {n, m, H_start, H_row, H_value};
    rico_problem *p = NULL;
    assert_ok(ctx, rico_problem_create_global(ctx, count, blocks, &M_view, &H_view, f, w, &p));
    return p;
}


// The same problem through W and q alone, both scaled.
static rico_problem *reduced_problem(rico_context *ctx, rico_problem *p, double W_factor, double q_factor)
{
    rico_sparse_view W;
    assert_ok(ctx, rico_problem_delassus(p, &W));
    int64_t m = rico_problem_rows(p), count = rico_problem_block_count(p);
    rico_block *blocks = rico_alloc(ctx, count, sizeof *blocks);
    double *value = rico_alloc(ctx, W.start[m], sizeof *value);
    double *q = rico_alloc(ctx, m, sizeof *q);
    for (int64_t i = 0; i < count; i++) blocks[i] = rico_problem_block(p, i);
    for (int64_t k = 0; k < W.start[m]; k++) value[k] = W_factor * W.value[k];
    for (int64_t i = 0; i < m; i++) q[i] = q_factor * rico_problem_free_velocity(p)[i];
    rico_sparse_view scaled = {m, m, W.start, W.row, value};
    rico_problem *reduced = NULL;
    assert_ok(ctx, rico_problem_create_reduced(ctx, count, blocks, &scaled, q, &reduced));
    rico_sparse_release(ctx, &W);
    rico_free(ctx, blocks);
    rico_free(ctx, value);
    rico_free(ctx, q);
    return reduced;
}


static rico_existence ask(rico_context *ctx, rico_problem *p)
{
    rico_existence e;
    assert_ok(ctx, rico_problem_existence(p, &e));
    assert_false(e.guaranteed && e.impossible);
    assert_false(e.boundary && !e.guaranteed);
    assert_true(e.margin <= 1.0);
    assert_true(strlen(e.sentence) > 10);
    return e;
}


// Checks a certificate from its definition, on H and w.
static void assert_excluded(rico_context *ctx, rico_problem *p)
{
    rico_existence e = ask(ctx, p);
    assert_true(e.impossible);

    double c[32];
    rico_infeasibility proof;
    assert_ok(ctx, rico_problem_infeasibility(p, c, &proof));
    assert_true(proof.found);
    assert_true(proof.work < 0.0 && proof.impulse_bound > 0.0);
    for (int64_t a = 0; a < rico_problem_block_count(p); a++) {
        rico_block block = rico_problem_block(p, a);
        if (block.kind == RICO_EQUALITY) continue;
        const double *here = &c[rico_problem_block_offset(p, a)];
        assert_true(here[0] >= 0.0);
        for (int64_t i = 1; i < block.size; i++) assert_true(here[i] == 0.0);
    }
    if (!rico_problem_is_global(p)) return;
    rico_sparse_view H = rico_problem_jacobian(p);
    double force[8] = {0};
    for (int64_t j = 0; j < H.cols; j++)
        for (int64_t k = H.start[j]; k < H.start[j + 1]; k++) force[H.row[k]] += H.value[k] * c[j];
    for (int64_t i = 0; i < H.rows; i++) assert_near(force[i], 0.0, 1e-8);
    assert_near(rico_norm_inf(H.cols, c), 1.0, 1e-15);
    double work = rico_dot(H.cols, rico_problem_offset(p), c);
    assert_true(work < 0.0);
    assert_near(proof.work, work, 1e-7 * fabs(work));
}


static const rico_block two_walls[2] = {{RICO_COULOMB_3D, 3, 0.3}, {RICO_COULOMB_3D, 3, 0.3}};
static const double ball_between_walls[18] = {1, 0, 0, 0, 1, 0, 0, 0, 1, -1, 0, 0, 0, 1, 0, 0, 0, 1};


static void test_ball_on_the_floor(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    double f[3] = {-1, 0.5, 0}, w[3] = {-2, 0, 0};
    rico_problem *p = global_problem(ctx, 1, two_walls, 3, 3, NULL, ball_between_walls, f, w);
    rico_existence e = ask(ctx, p);
    assert_true(e.guaranteed && !e.boundary);
    assert_near(e.margin, 1.0, 1e-3);
    rico_infeasibility proof;
    double c[3] = {7, 7, 7};
    assert_ok(ctx, rico_problem_infeasibility(p, c, &proof));
    assert_false(proof.found);
    assert_true(proof.impulse_bound == 0.0 && c[0] == 0.0 && c[1] == 0.0 && c[2] == 0.0);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// u_N = v_x + w_1 and -v_x + w_2: the largest margin is (w_1 + w_2) / 2, over the largest |q_i| (here f_y).
static void test_ball_between_two_walls(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    const double gap[] = {0.5, 0.0, -0.5};
    for (int k = 0; k < 3; k++) {
        double f[3] = {0.3, 2, 0}, w[6] = {gap[k] + 0.7, 0, 0, gap[k] - 0.7, 0, 0};
        rico_problem *global = global_problem(ctx, 2, two_walls, 3, 6, NULL, ball_between_walls, f, w);
        rico_problem *forms[3] = {global, reduced_problem(ctx, global, 1.0, 1.0),
                                  reduced_problem(ctx, global, 1e6, 1e-9)};
        for (int form = 0; form < 3; form++) {
            rico_existence e = ask(ctx, forms[form]);
            assert_near(e.margin, gap[k] / 2.0, 1e-7);
            assert_true(e.guaranteed == (gap[k] >= 0.0));
            assert_true(e.boundary == (gap[k] == 0.0));
            if (gap[k] < 0.0) assert_excluded(ctx, forms[form]);
            rico_problem_destroy(forms[form]);
        }
    }
    rico_context_destroy(ctx);
}


// M with a gyroscopic part makes W unsymmetric; the answer is about H and w, so it stays.
static void test_unsymmetric_mass(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    const double M[9] = {2, 0.4, -0.3, -0.4, 1, 0.2, 0.3, -0.2, 3}, f[3] = {1, 2, 3};
    for (int k = -1; k <= 1; k++) {
        double w[6] = {k, 0, 0, k, 0, 0};
        rico_problem *p = global_problem(ctx, 2, two_walls, 3, 6, M, ball_between_walls, f, w);
        rico_existence e = ask(ctx, p);
        assert_true(e.guaranteed == (k >= 0));
        if (k < 0) assert_excluded(ctx, p);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


// Walls sliding in opposite directions cost mu: the margin of K* is gap - mu. Below zero nothing is decided, as the
// normals alone can be satisfied; and indeed v = 0, r = 0 is a solution for f = 0.
static void test_walls_that_slide_apart(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    const double gap[] = {0.8, 0.2}, f[3] = {0, 0, 0};
    for (int k = 0; k < 2; k++) {
        double w[6] = {gap[k], 1, 0, gap[k], -1, 0};
        rico_problem *p = global_problem(ctx, 2, two_walls, 3, 6, NULL, ball_between_walls, f, w);
        rico_existence e = ask(ctx, p);
        assert_near(e.margin, gap[k] - 0.3, 1e-7);
        assert_true(e.guaranteed == (gap[k] > 0.3));
        assert_false(e.impossible);

        double r[6] = {0};
        rico_residual residual;
        assert_ok(ctx, rico_problem_residual(p, r, NULL, &residual));
        assert_at_most(residual.relative, 1e-15);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


// A groove of half angle 30 degrees whose walls slide down. Above mu = tan 30 there is no solution, but v = 0 satisfies
// the normals: honest silence. Below, K* can be satisfied by lifting.
static void test_groove(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    double s = 0.5, c = sqrt(0.75), f[2] = {0, -1}, w[4] = {0, 1, 0, 1};
    double Ht[8] = {c, s, -s, c, -c, s, s, c};
    const double mu[] = {0.4, 0.8};
    for (int k = 0; k < 2; k++) {
        rico_block blocks[2] = {{RICO_COULOMB_2D, 2, mu[k]}, {RICO_COULOMB_2D, 2, mu[k]}};
        rico_problem *p = global_problem(ctx, 2, blocks, 2, 4, NULL, Ht, f, w);
        rico_existence e = ask(ctx, p);
        assert_true(e.guaranteed == (mu[k] < tan(acos(c))));
        assert_false(e.impossible);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


static void test_joints_that_contradict_each_other(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_block blocks[2] = {{RICO_EQUALITY, 3, 0.0}, {RICO_UNILATERAL, 1, 0.0}};
    // rows 0 and 2 hold the same velocity; row 1 another; the contact a third
    double Ht[12] = {1, 1, 0, 0, 1, 0, 2, 2, 0, 0, 0, 1}, f[3] = {0.1, 0.2, 0.3};
    double good[4] = {0.5, 3, 1.0, -1}, bad[4] = {0.5, 3, 1.1, -1}, zero[4] = {0.5, 0, 0, -1};

    rico_problem *p = global_problem(ctx, 2, blocks, 3, 4, NULL, Ht, f, good);
    assert_true(ask(ctx, p).guaranteed);
    rico_problem_destroy(p);
    p = global_problem(ctx, 2, blocks, 3, 4, NULL, Ht, f, bad);
    assert_excluded(ctx, p);
    rico_problem_destroy(p);
    // the contradiction involves a row whose own offset is zero
    p = global_problem(ctx, 2, blocks, 3, 4, NULL, Ht, f, zero);
    assert_excluded(ctx, p);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// A joint holds the ball, a wall moves into it: neither alone is contradictory.
static void test_joint_against_contact(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_block blocks[2] = {{RICO_EQUALITY, 3, 0.0}, {RICO_COULOMB_3D, 3, 0.5}};
    double Ht[18] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0.6, 0.8, 0, -0.8, 0.6, 0, 0, 0, 1}, f[3] = {1, 1, 1};
    double into[6] = {0, 0, 0, -1, 0, 0}, away[6] = {0, 0, 0, 1, 0, 0}, rest[6] = {0};

    rico_problem *p = global_problem(ctx, 2, blocks, 3, 6, NULL, Ht, f, into);
    assert_excluded(ctx, p);
    rico_problem_destroy(p);
    p = global_problem(ctx, 2, blocks, 3, 6, NULL, Ht, f, away);
    rico_existence e = ask(ctx, p);
    assert_true(e.guaranteed && !e.boundary);
    rico_problem_destroy(p);
    p = global_problem(ctx, 2, blocks, 3, 6, NULL, Ht, f, rest);
    e = ask(ctx, p);
    assert_true(e.guaranteed && e.boundary);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// Walls from random directions that surround a ball: closing in excludes a solution, opening guarantees one. They
// surround it when no direction leads away from all of them, here because the last one is minus the sum of the rest.
static void test_random_cages(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random random;
    rico_random_seed(&random, 11);
    for (int trial = 0; trial < 40; trial++) {
        enum { WALLS = 5 };
        rico_block blocks[WALLS];
        double Ht[9 * WALLS] = {0}, w[3 * WALLS] = {0}, f[3], rest[3] = {0};
        for (int a = 0; a < WALLS; a++) {
            double *normal = &Ht[9 * a], *first = normal + 3, *second = normal + 6;
            blocks[a] = (rico_block){RICO_COULOMB_3D, 3, rico_random_range(&random, 0.0, 1.0)};
            for (int k = 0; k < 3; k++) {
                normal[k] = a < WALLS - 1 ? rico_random_normal(&random) : -rest[k];
                rest[k] += normal[k];
            }
            double norm = rico_norm(3, normal);
            for (int k = 0; k < 3; k++) normal[k] /= norm;
            // any two directions across the normal will do
            double across = hypot(normal[0], normal[1]);
            first[0] = -normal[1] / across;
            first[1] = normal[0] / across;
            second[0] = normal[1] * first[2] - normal[2] * first[1];
            second[1] = normal[2] * first[0] - normal[0] * first[2];
            second[2] = normal[0] * first[1] - normal[1] * first[0];
            w[3 * a] = rico_random_range(&random, 0.1, 1.0);
        }
        for (int k = 0; k < 3; k++) f[k] = rico_random_normal(&random);

        rico_problem *p = global_problem(ctx, WALLS, blocks, 3, 3 * WALLS, NULL, Ht, f, w);
        assert_true(ask(ctx, p).guaranteed);
        for (int a = 0; a < WALLS; a++) w[3 * a] = -w[3 * a];
        assert_ok(ctx, rico_problem_set_force(p, NULL, w));
        assert_excluded(ctx, p);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


// Heaps have w = 0: a solution exists whatever the friction, the joints and the form; without joints and with little
// friction a heap can always be lifted off, which is a strictly feasible velocity.
static void test_heaps(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (uint64_t seed = 1; seed <= 24; seed++) {
        rico_random_heap options = rico_random_heap_default();
        options.seed = seed;
        options.contacts = 30 * (int64_t)(1 + seed % 5);
        options.friction = seed % 4 == 0 ? 5.0 : 0.2 * (double)(seed % 4);
        options.joints = seed % 3 == 0 ? 12 : 0;
        options.dimension = seed % 2 ? 3 : 2;
        options.reduced = seed % 6 > 2;
        rico_problem *p = NULL;
        assert_ok(ctx, rico_generate_random(ctx, &options, &p));
        rico_existence e = ask(ctx, p);
        assert_true(e.guaranteed);
        rico_infeasibility proof;
        assert_ok(ctx, rico_problem_infeasibility(p, NULL, &proof));
        assert_false(proof.found);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


static void test_indefinite_matrix_is_left_alone(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_block block = {RICO_COULOMB_2D, 2, 0.5};
    int64_t start[3] = {0, 1, 2}, row[2] = {0, 1};
    double value[2] = {1, -1}, q[2] = {-1, 0};
    rico_sparse_view W = {2, 2, start, row, value};
    rico_problem *p = NULL;
    assert_ok(ctx, rico_problem_create_reduced(ctx, 1, &block, &W, q, &p));
    rico_existence e = ask(ctx, p);
    assert_false(e.guaranteed || e.impossible);
    assert_non_null(strstr(e.sentence, "semidefinite"));
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


static void test_sizes_at_both_ends(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random_heap options = rico_random_heap_default();
    rico_problem *p = NULL;
    options.contacts = 0;
    assert_ok(ctx, rico_generate_random(ctx, &options, &p));
    assert_true(ask(ctx, p).guaranteed);
    rico_problem_destroy(p);

    // too large to search, yet w = 0 speaks for the global form
    options.contacts = 1700;
    options.bodies = 1000;
    assert_ok(ctx, rico_generate_random(ctx, &options, &p));
    rico_existence e = ask(ctx, p);
    assert_true(e.guaranteed && e.boundary && e.margin == 0.0 && e.iterations == 0);
    rico_infeasibility proof;
    assert_int_equal(rico_problem_infeasibility(p, NULL, &proof), RICO_UNSUPPORTED);
    assert_non_null(strstr(rico_message(ctx), "5100"));
    rico_problem_destroy(p);

    options.reduced = true;
    assert_ok(ctx, rico_generate_random(ctx, &options, &p));
    e = ask(ctx, p);
    assert_false(e.guaranteed || e.impossible);
    assert_string_equal(e.sentence, "not checked: too large");
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


static void *ration_allocate(void *user, size_t size)
{
    int *left = user;
    return (*left)-- > 0 ? malloc(size) : NULL;
}


static void ration_release(void *user, void *block)
{
    (void)user;
    free(block);
}


static void test_memory_may_run_out_anywhere(void **state)
{
    (void)state;
    int left = 1000000;
    rico_allocator allocator = {ration_allocate, ration_release, &left};
    rico_context *ctx = rico_context_create(&allocator);
    double f[3] = {0, 0, 0}, w[6] = {-1, 0, 0, -1, 0, 0};
    rico_problem *p = global_problem(ctx, 2, two_walls, 3, 6, NULL, ball_between_walls, f, w);
    assert_ok(ctx, rico_problem_reduce(p));
    int failures = 0;
    for (;; failures++) {
        rico_existence e;
        left = failures;
        rico_status status = rico_problem_existence(p, &e);
        if (status == RICO_OK) break;
        assert_int_equal(status, RICO_NO_MEMORY);
    }
    assert_true(failures > 20);
    left = 1000000;
    assert_excluded(ctx, p);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball_on_the_floor),
        cmocka_unit_test(test_ball_between_two_walls),
        cmocka_unit_test(test_unsymmetric_mass),
        cmocka_unit_test(test_walls_that_slide_apart),
        cmocka_unit_test(test_groove),
        cmocka_unit_test(test_joints_that_contradict_each_other),
        cmocka_unit_test(test_joint_against_contact),
        cmocka_unit_test(test_random_cages),
        cmocka_unit_test(test_heaps),
        cmocka_unit_test(test_indefinite_matrix_is_left_alone),
        cmocka_unit_test(test_sizes_at_both_ends),
        cmocka_unit_test(test_memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
