// Newton's method on M and H: the steps of the reduced form from another system, W never formed, refusals; and the Jacobians of
// Hueber, Stadler and Wohlmuth.

#include "solve/cases.h"
#include "solve/method.h"
#include "solve/newton_map.h"

static const char *const endings[] = {"ac",    "ac-gp", "ac-a",  "jm",     "jm-gp", "nm",
                                      "nm-gp", "fb",    "fb-gp", "hsw-gp", "hsw",   "ac-hybrid"};
enum { ENDINGS = sizeof endings / sizeof endings[0] };


static const char *global_name(int i)
{
    static char name[32];
    snprintf(name, sizeof name, "gnsn-%s", endings[i]);
    return name;
}


// More bodies than contacts.
static rico_problem *full_rank(rico_context *ctx, int64_t joints, int dimension, uint64_t seed)
{
    return heap_of(ctx, 40, 60, 0.2, joints, dimension, false, seed);
}


static void test_answers_known_by_hand(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (int i = 0; i < ENDINGS; i++) check_block_on_a_plane(ctx, &(solver_choice){.name = global_name(i)});
    rico_context_destroy(ctx);
}


// The same step from W = H'M^-1 H and from M and H, and where the steps lead. Later steps may part: an open contact has r = 0 exactly
// here and to round-off there, which is a kink of the natural map.
static void test_steps_are_those_of_the_reduced_form(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        rico_problem *p = full_rank(ctx, 0, seed % 3 ? 3 : 2, seed);
        int64_t m = rico_problem_rows(p);
        double *r = calloc((size_t)m, sizeof *r);
        for (int i = 0; i < ENDINGS; i++) {
            double first[2] = {0.0, 0.0};
            for (int form = 0; form < 2; form++) {
                rico_solver *solver = NULL;
                rico_report report;
                int64_t count;
                char name[32];
                snprintf(name, sizeof name, "%s%s", form ? "gnsn-" : "nsn-", endings[i]);
                assert_ok(ctx, rico_solver_create(ctx, name, &solver));
                assert_ok(ctx, rico_solver_set(solver, "history", "true"));
                assert_ok(ctx, rico_solver_set(solver, "tol", "1e-12"));
                assert_ok(ctx, rico_solver_setup(solver, p));
                memset(r, 0, (size_t)m * sizeof *r);
                assert_ok(ctx, rico_solver_solve(solver, r, NULL, &report));
                if (report.stop != RICO_CONVERGED) fail_msg("%s, seed %d: %s", name, (int)seed, report.note);
                const rico_history_entry *history = rico_solver_history(solver, &count);
                for (int64_t k = 0; k < count; k++)
                    if (history[k].iteration == 1) first[form] = history[k].residual;
                rico_solver_destroy(solver);
            }
            assert_true(first[0] > 0.0 || i == ENDINGS - 1); // a guess may be good enough
            assert_near(first[1], first[0], 1e-9 * first[0] + 1e-13);
        }
        free(r);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


// A chain of masses in one piece, tridiagonal, with contacts along it.
static rico_problem *elastic_chain(rico_context *ctx)
{
    enum { NODES = 60, DOFS = 3 * NODES, CONTACTS = 10, ROWS = 3 * CONTACTS };
    int64_t start[DOFS + 1] = {0}, row[3 * DOFS], h_start[ROWS + 1], h_row[ROWS], count = 0;
    double value[3 * DOFS], one[ROWS], f[DOFS], w[ROWS] = {0};
    rico_block blocks[CONTACTS];
    for (int64_t j = 0; j < DOFS; j++) {
        for (int64_t i = j - 3; i <= j + 3; i += 3) {
            if (i < 0 || i >= DOFS) continue;
            row[count] = i;
            value[count++] = i == j ? 4.0 : -1.0;
        }
        start[j + 1] = count;
        f[j] = j % 3 == 0 ? -1.0 : 0.1 * (double)(j % 11 - 5);
    }
    for (int64_t c = 0; c < CONTACTS; c++) blocks[c] = (rico_block){RICO_COULOMB_3D, 3, 0.4};
    for (int64_t j = 0; j < ROWS; j++) {
        h_start[j] = j;
        h_row[j] = 3 * (6 * (j / 3)) + j % 3;
        one[j] = 1.0;
    }
    h_start[ROWS] = ROWS;
    rico_sparse_view M = {DOFS, DOFS, start, row, value}, H = {DOFS, ROWS, h_start, h_row, one};
    rico_problem *p = NULL;
    assert_ok(ctx, rico_problem_create_global(ctx, CONTACTS, blocks, &M, &H, f, w, &p));
    return p;
}


// A mass that does not fall apart makes others form W; these do not.
static void test_w_is_never_formed(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_problem *p = elastic_chain(ctx);
    int64_t m = rico_problem_rows(p);
    double *r = calloc((size_t)m, sizeof *r), *expected = calloc((size_t)m, sizeof *expected);
    for (int i = 0; i < ENDINGS; i++) {
        rico_solver *solver = NULL;
        rico_report report;
        assert_ok(ctx, rico_solver_create(ctx, global_name(i), &solver));
        assert_ok(ctx, rico_solver_set(solver, "tol", "1e-12"));
        assert_ok(ctx, rico_solver_setup(solver, p));
        memset(r, 0, (size_t)m * sizeof *r);
        assert_ok(ctx, rico_solver_solve(solver, r, NULL, &report));
        assert_int_equal(report.stop, RICO_CONVERGED);
        assert_false(solver->problem->reduced);
        rico_solver_destroy(solver);
        assert_false(p->reduced);
    }
    const char *const tight[] = {"tol", "1e-12", NULL};
    assert_int_equal(run_solver(ctx, p, "nsgs", tight, expected).stop, RICO_CONVERGED);
    for (int64_t k = 0; k < m; k++) assert_near(r[k], expected[k], 1e-9);

    // the norms that judge, and the blocks behind them, are those of W
    double *blocks = calloc((size_t)(9 * p->block_count), sizeof *blocks), norm[16];
    rico_problem *apart = elastic_chain(ctx), *formed = elastic_chain(ctx);
    assert_ok(ctx, rico_problem_block_norms_apart(apart));
    assert_ok(ctx, rico_problem_diagonal_blocks(apart, blocks));
    assert_false(apart->reduced);
    assert_ok(ctx, rico_problem_reduce(formed));
    for (int64_t a = 0; a < formed->block_count; a++) {
        const double *W = &formed->W.value[formed->W.place[formed->W.diagonal[a]]];
        double square = 0.0;
        for (int i = 0; i < 9; i++) {
            assert_near(blocks[9 * a + i], W[i], 1e-14);
            square += W[i] * W[i];
        }
        norm[a] = sqrt(square);
        assert_near(apart->block_norm[a], norm[a], 1e-14);
    }
    free(blocks);
    free(r);
    free(expected);
    rico_problem_destroy(p);
    rico_problem_destroy(apart);
    rico_problem_destroy(formed);
    rico_context_destroy(ctx);
}


// Without M and H there is nothing to work on, and the sentence says so.
static void test_reduced_problems_are_refused(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_problem *p = heap_of(ctx, 10, 20, 0.3, 0, 3, true, 1);
    for (int i = 0; i < ENDINGS; i++) {
        rico_solver *solver = NULL;
        assert_ok(ctx, rico_solver_create(ctx, global_name(i), &solver));
        assert_int_equal(rico_solver_setup(solver, p), RICO_UNSUPPORTED);
        assert_non_null(strstr(rico_message(ctx), global_name(i)));
        assert_non_null(strstr(rico_message(ctx), "M and H"));
        rico_solver_destroy(solver);
    }
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


static void test_no_solution(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    // squeezed between two planes that close in: M = 1, H = (1, -1), w = (-1, -1)
    int64_t start1[] = {0, 1}, zero[] = {0, 0}, start2[] = {0, 1, 2};
    double one[] = {1.0}, sides[] = {1.0, -1.0}, f[] = {0.0}, w[] = {-1.0, -1.0};
    const rico_block pair[] = {{RICO_UNILATERAL, 1, 0}, {RICO_UNILATERAL, 1, 0}};
    rico_sparse_view M = {1, 1, start1, zero, one}, H = {1, 2, start2, zero, sides};
    rico_problem *p = NULL;
    assert_ok(ctx, rico_problem_create_global(ctx, 2, pair, &M, &H, f, w, &p));
    for (int i = 0; i < ENDINGS; i++) {
        double r[2] = {0};
        rico_report report = run_solver(ctx, p, global_name(i), NULL, r);
        assert_int_not_equal(report.stop, RICO_CONVERGED);
        assert_true(isfinite(r[0]) && isfinite(r[1]) && strlen(report.note) > 10);
    }
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// ---- Hueber, Stadler and Wohlmuth ----

static const rico_newton_map modified = {RICO_MAP_HUEBER_STADLER_WOHLMUTH, RICO_JACOBIAN_MODIFIED};


static rico_problem *one_contact(rico_context *ctx, double mu)
{
    const rico_block block = {RICO_COULOMB_3D, 3, mu};
    int64_t start[] = {0, 1, 2, 3}, row[] = {0, 1, 2};
    double one[] = {1, 1, 1}, q[] = {-1, 0, 0};
    rico_sparse_view W = {3, 3, start, row, one};
    rico_problem *p = NULL;
    assert_ok(ctx, rico_problem_create_reduced(ctx, 1, &block, &W, q, &p));
    return p;
}


// Where the law holds, sliding, the modified Jacobian is the derivative of r_T - P_D(r_T - rho u_T) by central differences.
static void test_modified_jacobian_is_exact_at_solutions(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random random;
    rico_random_seed(&random, 5);
    rico_problem *p = one_contact(ctx, 0.6);
    for (int round = 0; round < 50; round++) {
        double angle = rico_random_range(&random, 0.0, 6.28), slip = rico_random_range(&random, 0.5, 2.0);
        double normal = rico_random_range(&random, 0.5, 2.0), c = cos(angle), s = sin(angle), h = 1e-6;
        double u[3] = {0.0, slip * c, slip * s}, r[3] = {normal, -0.6 * normal * c, -0.6 * normal * s};
        double G[3], du[9], dr[9];
        rico_rho rho = {0.7, 1.3};
        rico_newton_map_block(p, &modified, 0, rho, u, r, G, du, dr);
        for (int i = 0; i < 3; i++) assert_near(G[i], 0.0, 1e-12);
        for (int j = 0; j < 6; j++) {
            double high[3], low[3], *at = j < 3 ? &u[j] : &r[j - 3], kept = *at;
            *at = kept + h;
            rico_newton_map_block(p, &modified, 0, rho, u, r, high, NULL, NULL);
            *at = kept - h;
            rico_newton_map_block(p, &modified, 0, rho, u, r, low, NULL, NULL);
            *at = kept;
            for (int i = 0; i < 3; i++)
                assert_near((j < 3 ? du[3 * i + j] : dr[3 * i + j - 3]), (high[i] - low[i]) / (2.0 * h),
                            1e-7);
        }
    }
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


static double determinant(const double a[9])
{
    return a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) +
           a[2] * (a[3] * a[7] - a[4] * a[6]);
}


// With W = 1 and rho = 1 the matrix of one step stays regular wherever it is taken: its determinant is at least that of 1 + (1 - beta) M
// with M monotone, 1. The element of the map's own Jacobian vanishes at u_T = r_T = 0, r_N = 0.
static void test_modified_jacobian_is_regular_everywhere(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random random;
    rico_random_seed(&random, 6);
    rico_problem *p = one_contact(ctx, 0.6);
    const rico_rho rho = {1.0, 1.0};
    for (int round = 0; round < 5000; round++) {
        double u[3], r[3], G[3], du[9], dr[9], J[9];
        for (int i = 0; i < 3; i++) {
            u[i] = rico_random_normal(&random);
            r[i] = rico_random_normal(&random);
        }
        rico_newton_map_block(p, &modified, 0, rho, u, r, G, du, dr);
        for (int i = 0; i < 9; i++) J[i] = du[i] + dr[i];
        assert_true(determinant(J) >= 1.0 - 1e-12);
    }
    double u[3] = {0.5, 0, 0}, r[3] = {0}, G[3], du[9], dr[9], J[9];
    rico_newton_map element = {RICO_MAP_HUEBER_STADLER_WOHLMUTH, RICO_JACOBIAN_ELEMENT};
    rico_newton_map_block(p, &element, 0, rho, u, r, G, du, dr);
    for (int i = 0; i < 9; i++) J[i] = du[i] + dr[i];
    assert_near(determinant(J), 0.0, 0.0);
    rico_newton_map_block(p, &modified, 0, rho, u, r, G, du, dr);
    for (int i = 0; i < 9; i++) J[i] = du[i] + dr[i];
    assert_near(determinant(J), 1.0, 1e-15);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// Every Jacobian, and a rho that adapts, find solutions of problems of full rank; in space, without joints, there is one.
static void test_all_jacobians_solve(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    static const solver_choice choices[] = {
        {"nsn-hsw", {"jacobian=element"}},   {"nsn-hsw", {"jacobian=modified"}},
        {"nsn-hsw-gp", {"jacobian=hybrid"}}, {"nsn-hsw", {"jacobian=frozen"}},
        {"gnsn-hsw", {"jacobian=hybrid"}},   {"nsn-ac", {"rho-adapt=0.5"}},
        {"nsn-nm", {"rho-adapt=0.5"}},       {"gnsn-ac-gp", {"rho-adapt=2"}},
    };
    for (uint64_t seed = 1; seed <= 4; seed++) {
        rico_problem *p = full_rank(ctx, seed % 2 ? 3 : 0, seed % 3 ? 3 : 2, seed);
        int64_t m = rico_problem_rows(p);
        double *r = calloc((size_t)m, sizeof *r), *expected = calloc((size_t)m, sizeof *expected), size = 0.0;
        rico_report report;
        must_solve(ctx, &(solver_choice){.name = "nsgs"}, p, "1e-12", expected, &report);
        for (int64_t k = 0; k < m; k++) size = fmax(size, fabs(expected[k]));
        for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
            memset(r, 0, (size_t)m * sizeof *r);
            must_solve(ctx, &choices[i], p, "1e-11", r, &report);
            for (int64_t k = 0; seed % 2 == 0 && k < m; k++) assert_near(r[k], expected[k], 1e-7 * size);
        }
        free(r);
        free(expected);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers_known_by_hand),
        cmocka_unit_test(test_steps_are_those_of_the_reduced_form),
        cmocka_unit_test(test_w_is_never_formed),
        cmocka_unit_test(test_reduced_problems_are_refused),
        cmocka_unit_test(test_no_solution),
        cmocka_unit_test(test_modified_jacobian_is_exact_at_solutions),
        cmocka_unit_test(test_modified_jacobian_is_regular_everywhere),
        cmocka_unit_test(test_all_jacobians_solve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
