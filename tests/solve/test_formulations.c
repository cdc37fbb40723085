// The formulations and variants of chapter 10 beside the main ones: metrics, moving cylinders, corrections, the normal map, facets, the
// bipotential, engines inside the alternating methods, relaxation that adapts, smoothing; and the rank of Newton's matrices.

#include "la/dense.h"
#include "solve/cases.h"
#include "solve/method.h"
#include "solve/newton_map.h"

// Those that converge, if slowly, on well-posed problems of full rank.
static const solver_choice choices[] = {
    {"fp-vi-upk", {"metric=contact"}},
    {"fp-vi-upk", {"metric=block"}},
    {"fp-vi-upts", {"shrink=ratio"}},
    {"eg-vi-upk", {"metric=contact", "shrink=ratio"}},
    {"eg-vi-upts", {"metric=block"}},
    {"fp-ds", {"metric=block", "rho=0.2"}},
    {"pc-vi-upk", {NULL}},
    {"pc-vi-upk", {"metric=contact"}},
    {"pc-vi-upts", {"metric=block", "gamma=1.2"}},
    {"fp-qvi-ds", {"metric=contact", "rho=0.2"}},
    {"fp-qvi-upk", {NULL}},
    {"fp-qvi-upts", {"metric=contact"}},
    {"eg-qvi-upk", {NULL}},
    {"nsn-nor", {NULL}},
    {"nsn-nor-gp", {NULL}},
    {"nsn-nor-a", {"rho-rule=norm"}},
    {"smoothing", {NULL}},
    {"pana-mprgp", {NULL}},
    {"pana-pgs-fp-vi-upk", {"normal-engine=mprgp", "tangent-engine=apgd"}},
    {"pana-pgs-fp-vi-upk", {"normal-engine=qp"}},
    {"fpm2-mprgp", {"normal-engine=qp", "inner-max-iter=5000"}},
    {"tresca-mprgp", {NULL}},
    {"tresca-nsgs-fp-vi-upk", {"engine=pg"}},
    {"aclm-fp-vi-upk", {"engine=mprgp"}},
    {"fpm2-pgs-fp-vi-upk", {NULL}},
    {"fpm2-mprgp", {NULL}},
    {"psor-ac-gp", {NULL}},
    {"psor-ac", {"omega-rule=adaptive"}},
    {"psor-ac-gp", {"omega-rule=adaptive", "omega=0.8"}},
    {"ppa-nsn-jm", {NULL}},
    {"ppa-nsn-jm-gp", {NULL}},
    {"ppa-nsn-nm", {NULL}},
    {"ppa-nsn-nm-gp", {NULL}},
    {"ppa-nsn-fb", {NULL}},
    {"ppa-nsn-fb-gp", {NULL}},
};
enum { CHOICES = sizeof choices / sizeof choices[0] };


static void for_each(void (*check)(rico_context *ctx, const solver_choice *choice))
{
    rico_context *ctx = rico_context_create(NULL);
    for (int i = 0; i < CHOICES; i++) check(ctx, &choices[i]);
    rico_context_destroy(ctx);
}


static void test_answers_known_by_hand(void **state)
{
    (void)state;
    for_each(check_block_on_a_plane);
}


static void check_full_rank(rico_context *ctx, const solver_choice *choice)
{
    for (uint64_t seed = 1; seed <= 3; seed++) {
        rico_problem *p = heap_of(ctx, 20, 40, 0.2, 0, seed % 3 ? 3 : 2, seed % 2, seed);
        int64_t m = rico_problem_rows(p);
        double *r = calloc((size_t)m, sizeof *r), *expected = calloc((size_t)m, sizeof *expected), size = 0.0;
        rico_report report;
        must_solve(ctx, &(solver_choice){.name = "nsn-ac-gp"}, p, "1e-12", expected, &report);
        must_solve(ctx, choice, p, "1e-9", r, &report);
        for (int64_t k = 0; k < m; k++) size = fmax(size, fabs(expected[k]));
        for (int64_t k = 0; k < m; k++) assert_near(r[k], expected[k], 1e-5 * size);
        free(r);
        free(expected);
        rico_problem_destroy(p);
    }
}


static void test_full_rank(void **state)
{
    (void)state;
    for_each(check_full_rank);
}


static void check_unsymmetric_problem(rico_context *ctx, const solver_choice *choice)
{
    check_unsymmetric(ctx, choice, "1e-9");
}


static void test_unsymmetric_problems(void **state)
{
    (void)state;
    for_each(check_unsymmetric_problem);
}


static void test_without_solution(void **state)
{
    (void)state;
    for_each(check_no_solution);
}


// Steps of one size for all contacts suit the largest |W_aa|; a step for each does not care that a contact has 10^4 of another's.
static void test_metric_evens_scales_out(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    enum { CONTACTS = 4, N = 3 * CONTACTS };
    int64_t start[N + 1], row[N];
    double value[N], q[N];
    rico_block blocks[CONTACTS];
    for (int a = 0; a < CONTACTS; a++) blocks[a] = (rico_block){RICO_COULOMB_3D, 3, 0.4};
    for (int i = 0; i < N; i++) {
        start[i] = row[i] = i;
        int block = i / 3;
        value[i] = pow(10.0, -2.0 * block);
        q[i] = i % 3 == 0 ? -1.0 : 0.9;
    }
    start[N] = N;
    rico_sparse_view W = {N, N, start, row, value};
    rico_problem *p = NULL;
    assert_ok(ctx, rico_problem_create_reduced(ctx, CONTACTS, blocks, &W, q, &p));
    static const char *const names[] = {"fp-vi-upk", "eg-vi-upk", "pc-vi-upk", "fp-qvi-upk"};
    for (int i = 0; i < 4; i++) {
        double one[N] = {0}, each[N] = {0};
        const char *const same[] = {"tol", "1e-8", NULL}, *const own[] = {"tol", "1e-8", "metric", "contact",
                                                                          NULL};
        rico_report single = run_solver(ctx, p, names[i], same, one),
                    metric = run_solver(ctx, p, names[i], own, each);
        assert_int_equal(metric.stop, RICO_CONVERGED);
        assert_true(metric.iterations <= 200);
        assert_true(single.stop != RICO_CONVERGED || single.iterations > 20 * metric.iterations);
    }
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// The normal map's iterates obey the cones: cut off anywhere, r is in K.
static void test_normal_map_stays_in_the_cone(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_problem *p = heap_of(ctx, 30, 50, 0.4, 0, 3, true, 5);
    double r[90];
    for (int steps = 1; steps < 6; steps++) {
        char limit[16];
        snprintf(limit, sizeof limit, "%d", steps);
        const char *const options[] = {"max-iter", limit, NULL};
        for (int i = 0; i < 90; i++) r[i] = 0.0;
        run_solver(ctx, p, "nsn-nor", options, r);
        for (int a = 0; a < 30; a++)
            assert_true(hypot(r[3 * a + 1], r[3 * a + 2]) <= 0.4 * r[3 * a] * (1.0 + 1e-12) + 1e-15);
    }
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// What has no place is refused by name.
static void test_refusals(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_solver *solver = NULL;
    assert_ok(ctx, rico_solver_create(ctx, "fp-qvi-upk", &solver));
    assert_int_equal(rico_solver_set(solver, "metric", "block"), RICO_BAD_ARGUMENT);
    const rico_block elliptic = {RICO_ELLIPTIC, 3, 0.5, .friction_2 = 0.3};
    int64_t start[] = {0, 1, 2, 3}, row[] = {0, 1, 2};
    double one[] = {1, 1, 1}, q[] = {-1, 0.5, 0};
    rico_sparse_view W = {3, 3, start, row, one};
    rico_problem *p = NULL;
    assert_ok(ctx, rico_problem_create_reduced(ctx, 1, &elliptic, &W, q, &p));
    assert_int_equal(rico_solver_setup(solver, p), RICO_UNSUPPORTED);
    assert_non_null(strstr(rico_message(ctx), "fp-qvi-upk"));
    rico_solver_destroy(solver);
    assert_ok(ctx, rico_solver_create(ctx, "fp-ds", &solver));
    assert_int_equal(rico_solver_set(solver, "safety", "0.5"), RICO_BAD_ARGUMENT);
    rico_solver_destroy(solver);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// ---- facets ----

// A mass pushed along (cos, sin) with friction against it: W = 1, q = (-1, 2 cos, 2 sin). On a cone with F facets, friction is the point of
// the polygon with corners mu d_j that opposes the slip most: at a corner, and the normal impulse is 1.
static void test_facets_oppose_the_slip_at_a_corner(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    const rico_block contact = {RICO_COULOMB_3D, 3, 0.5};
    int64_t start[] = {0, 1, 2, 3}, row[] = {0, 1, 2};
    double one[] = {1, 1, 1};
    rico_sparse_view W = {3, 3, start, row, one};
    for (int F = 3; F <= 32; F++) {
        char facets[16];
        snprintf(facets, sizeof facets, "%d", F);
        const char *const options[] = {"facets", facets, NULL};
        for (int k = 0; k < 40; k++) {
            double angle = 0.157 * k + 0.01, q[3] = {-1.0, 2.0 * cos(angle), 2.0 * sin(angle)}, r[3] = {0};
            rico_problem *p = NULL;
            assert_ok(ctx, rico_problem_create_reduced(ctx, 1, &contact, &W, q, &p));
            run_solver(ctx, p, "lemke-faceted", options, r);

            // the corner with the largest -d'u_T, u_T = q_T + mu d; or, between two, an edge with both alike
            double best = -INFINITY, mine = -(r[1] * (q[1] + r[1]) + r[2] * (q[2] + r[2])),
                   inside = -INFINITY;
            for (int j = 0; j < F; j++) {
                double turn = 6.283185307179586 * j / F, d[2] = {0.5 * cos(turn), 0.5 * sin(turn)};
                best = fmax(best, -(d[0] * (q[1] + r[1]) + d[1] * (q[2] + r[2])));
                double edge = 6.283185307179586 * (j + 0.5) / F;
                inside = fmax(inside, r[1] * cos(edge) + r[2] * sin(edge));
            }
            assert_near(r[0], 1.0, 1e-12);
            assert_true(inside <= 0.5 * cos(3.141592653589793 / F) + 1e-12); // r_T in the polygon
            assert_near(mine, best, 1e-10);                                  // and as dissipative as it gets
            rico_problem_destroy(p);
        }
    }
    rico_context_destroy(ctx);
}


// Friction points to the nearest corner, half a facet off at most: the error falls with their number.
static void test_facets_converge(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    double mean[3] = {0.0, 0.0, 0.0};
    static const char *const facets[] = {"6", "12", "48"};
    for (uint64_t seed = 1; seed <= 10; seed++) {
        rico_problem *p = heap_of(ctx, 6, 12, 0.3, seed % 2 ? 2 : 0, 3, true, seed);
        int64_t m = rico_problem_rows(p);
        double *r = calloc((size_t)m, sizeof *r), *expected = calloc((size_t)m, sizeof *expected);
        rico_report report;
        must_solve(ctx, &(solver_choice){.name = "nsgs"}, p, "1e-11", expected, &report);
        for (int i = 0; i < 3; i++) {
            const char *const options[] = {"facets", facets[i], NULL};
            report = run_solver(ctx, p, "lemke-faceted", options, r);
            if (report.stop != RICO_CONVERGED) assert_non_null(strstr(report.note, "facets"));
            for (int64_t k = 0; k < m; k++) mean[i] += fabs(r[k] - expected[k]);
        }
        free(r);
        free(expected);
        rico_problem_destroy(p);
    }
    assert_true(mean[0] > 0.0);
    assert_true(mean[2] < mean[0] / 4.0);
    assert_true(mean[1] < mean[0]);
    rico_context_destroy(ctx);
}


// ---- the bipotential ----

// Where it converges, the cost is 0 and so is the residual; without friction it is the quadratic program (90), exact for unsymmetric W.
static void test_bipotential(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    const solver_choice choice = {.name = "bipotential"};
    for (int i = 0; i < PLANE_CASES; i++) {
        double r[3] = {0}, expected[3];
        rico_report report;
        rico_problem *p = block_on_a_plane(ctx, i, expected);
        must_solve(ctx, &choice, p, "1e-7", r, &report);
        for (int k = 0; k < 3; k++) assert_near(r[k], expected[k], 1e-5);
        rico_problem_destroy(p);
    }

    rico_random random;
    rico_random_seed(&random, 2);
    for (int round = 0; round < 10; round++) {
        enum { N = 5 };
        int64_t start[N + 1], row[N * N];
        double value[N * N], q[N], r[N] = {0}, B[N][N];
        rico_block blocks[N];
        for (int i = 0; i < N; i++) {
            blocks[i] = (rico_block){RICO_UNILATERAL, 1, 0};
            q[i] = rico_random_normal(&random);
            for (int j = 0; j < N; j++) B[i][j] = rico_random_normal(&random);
        }
        for (int j = 0; j <= N; j++) start[j] = j * N;
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                row[j * N + i] = i;
                value[j * N + i] = i == j ? 2.0 : i < j ? 0.7 : -0.7;
                for (int k = 0; k < N; k++) value[j * N + i] += B[i][k] * B[j][k];
            }
        rico_sparse_view W = {N, N, start, row, value};
        rico_problem *p = NULL;
        rico_report report;
        assert_ok(ctx, rico_problem_create_reduced(ctx, N, blocks, &W, q, &p));
        must_solve(ctx, &choice, p, "1e-7", r, &report);
        for (int i = 0; i < N; i++) {
            double u = q[i];
            for (int j = 0; j < N; j++) u += value[j * N + i] * r[j];
            assert_near(fmin(u, r[i]), 0.0, 1e-5);
        }
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


static void test_bipotential_ends_honestly(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    check_no_solution(ctx, &(solver_choice){.name = "bipotential"});
    int solved = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        rico_problem *p = heap_of(ctx, 8, 16, 0.6, 0, 3, true, seed);
        double r[24] = {0};
        const char *const options[] = {"tol", "1e-6", "max-iter", "300", NULL};
        rico_report report = run_solver(ctx, p, "bipotential", options, r);
        solved += report.stop == RICO_CONVERGED;
        if (report.stop == RICO_STALLED) assert_non_null(strstr(report.note, "local minimum"));
        rico_problem_destroy(p);
    }
    assert_true(solved > 0);
    rico_context_destroy(ctx);
}


// ---- the rank of Newton's matrices ----

// The number of singular values of J = D_u W + D_r above round-off, for one map at (u, r), rows over their largest entry.
static int64_t rank_of(rico_context *ctx, rico_problem *p, rico_map_kind kind, const double *u,
                       const double *r)
{
    int64_t m = rico_problem_rows(p), rank = 0;
    double *J = calloc((size_t)(m * m), sizeof *J), *values = calloc((size_t)m, sizeof *values);
    rico_newton_map map = {.kind = kind};
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t first = p->offset[a];
        const double *W = &p->W.value[p->W.place[p->W.diagonal[a]]];
        rico_rho rho = rico_rho_from_block(RICO_RHO_SPECTRAL, 3, W);
        double G[3], du[9], dr[9];
        rico_newton_map_block(p, &map, a, rho, &u[first], &r[first], G, du, dr);
        for (int64_t k = p->W.start[a]; k < p->W.start[a + 1]; k++) {
            int64_t at = p->offset[p->W.col[k]];
            const double *block = &p->W.value[p->W.place[k]];
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    for (int l = 0; l < 3; l++)
                        J[(at + j) * m + first + i] += du[3 * i + l] * block[3 * l + j];
        }
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) J[(first + j) * m + first + i] += dr[3 * i + j];
    }
    assert_ok(ctx, rico_dense_singular_values(ctx, m, m, J, values));
    for (int64_t i = 0; i < m; i++) rank += values[i] > 1e-10 * values[0];
    free(J);
    free(values);
    return rank;
}


// Where every contact sticks, J = D_u W with D_u regular: its rank is that of W, the velocities' number where contacts are many, and
// Newton's system is singular by every map. An open contact brings its rows back.
static void test_deficient_matrices_make_jacobians_singular(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    static const rico_map_kind maps[] = {RICO_MAP_ALART_CURNIER, RICO_MAP_JEAN_MOREAU, RICO_MAP_NATURAL,
                                         RICO_MAP_FISCHER_BURMEISTER, RICO_MAP_HUEBER_STADLER_WOHLMUTH};
    for (int bodies = 4; bodies <= 64; bodies *= 4) {
        enum { CONTACTS = 20, M = 3 * CONTACTS };
        rico_problem *p = heap_of(ctx, CONTACTS, bodies, 0.5, 0, 3, false, 7);
        int64_t dofs = rico_problem_dofs(p);
        rico_problem_stats stats;
        assert_ok(ctx, rico_problem_describe(p, &stats));
        assert_true(stats.rank <= dofs);
        if (bodies == 4) assert_true(stats.rank < M);
        if (bodies == 64) assert_int_equal(stats.rank, M);

        double u[M] = {0}, r[M] = {0};
        for (int a = 0; a < CONTACTS; a++) {
            r[3 * a] = 1.0;
            r[3 * a + 1] = 0.1;
        }
        for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++)
            assert_int_equal(rank_of(ctx, p, maps[i], u, r), stats.rank);

        // all but one contact open: six velocities at least carry it
        for (int a = 1; a < CONTACTS; a++) {
            r[3 * a] = r[3 * a + 1] = 0.0;
            u[3 * a] = 1.0;
        }
        for (size_t i = 0; i < 4; i++) assert_int_equal(rank_of(ctx, p, maps[i], u, r), M);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers_known_by_hand),
        cmocka_unit_test(test_full_rank),
        cmocka_unit_test(test_unsymmetric_problems),
        cmocka_unit_test(test_without_solution),
        cmocka_unit_test(test_metric_evens_scales_out),
        cmocka_unit_test(test_normal_map_stays_in_the_cone),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_facets_oppose_the_slip_at_a_corner),
        cmocka_unit_test(test_facets_converge),
        cmocka_unit_test(test_bipotential),
        cmocka_unit_test(test_bipotential_ends_honestly),
        cmocka_unit_test(test_deficient_matrices_make_jacobians_singular),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
