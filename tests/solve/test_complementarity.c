// Complementarity solvers: the dense LCP against its definition, answers known by hand, optimality of what comes out,
// proofs that there is nothing to find, and giving up in words.

#include "solve/cases.h"

#include "problem/lcp.h"

static const char *const names[] = {"lemke", "newton-min", "pgs", "murty", "qp"};
enum { PLANE = 3, ALL = 5 }; // the first three know friction in the plane


static rico_status try_solve(rico_context *ctx, rico_problem *p, const char *name, const char *tol, double *r,
                             rico_report *report)
{
    rico_solver *solver = NULL;
    assert_ok(ctx, rico_solver_create(ctx, name, &solver));
    assert_ok(ctx, rico_solver_set(solver, "tol", tol));
    rico_status status = rico_solver_setup(solver, p);
    if (!status) status = rico_solver_solve(solver, r, NULL, report);
    rico_solver_destroy(solver);
    return status;
}


static void solve(rico_context *ctx, rico_problem *p, const char *name, const char *tol, double *r,
                  rico_report *report)
{
    assert_ok(ctx, try_solve(ctx, p, name, tol, r, report));
}


// Unilateral rows with a small dense W, given row by row.
static rico_problem *unilateral(rico_context *ctx, int64_t n, const double *W, const double *q)
{
    int64_t start[9], row[64];
    double value[64];
    rico_block blocks[8];
    for (int64_t j = 0; j < n; j++) {
        blocks[j] = (rico_block){RICO_UNILATERAL, 1, 0.0};
        for (int64_t i = 0; i < n; i++) {
            row[j * n + i] = i;
            value[j * n + i] = W[i * n + j];
        }
        start[j] = j * n;
    }
    start[n] = n * n;
    rico_sparse_view view = {n, n, start, row, value};
    rico_problem *p = NULL;
    assert_ok(ctx, rico_problem_create_reduced(ctx, n, blocks, &view, q, &p));
    return p;
}


static rico_problem *heap(rico_context *ctx, int dimension, int64_t bodies, double friction, uint64_t seed)
{
    rico_random_heap options = rico_random_heap_default();
    options.contacts = 25;
    options.bodies = bodies;
    options.joints = seed % 2 ? 3 : 0;
    options.dimension = dimension;
    options.friction = friction;
    options.friction_spread = 0.5;
    options.reduced = seed % 3 == 0;
    options.seed = seed;
    rico_problem *p = NULL;
    assert_ok(ctx, rico_generate_random(ctx, &options, &p));
    return p;
}


// How far r is from the law, block by block, from a dense W and the disjunctions themselves.
static double worst_defect(rico_context *ctx, rico_problem *p, const double *r)
{
    rico_sparse_view W;
    assert_ok(ctx, rico_problem_delassus(p, &W));
    double *Wd = dense_copy(&W), *u = calloc((size_t)W.rows + 1, sizeof *u), worst = 0.0;
    for (int64_t i = 0; i < W.rows; i++) {
        u[i] = rico_problem_free_velocity(p)[i];
        for (int64_t j = 0; j < W.cols; j++) u[i] += Wd[i * W.cols + j] * r[j];
    }
    for (int64_t a = 0; a < rico_problem_block_count(p); a++) {
        rico_block block = rico_problem_block(p, a);
        const double *x = &r[rico_problem_block_offset(p, a)], *v = &u[rico_problem_block_offset(p, a)];
        if (block.kind == RICO_EQUALITY) {
            for (int64_t i = 0; i < block.size; i++) worst = fmax(worst, fabs(v[i]));
            continue;
        }
        worst = fmax(worst, fmax(fmax(-x[0], -v[0]), fmin(fabs(x[0]), fabs(v[0]))));
        for (int64_t i = 1; i < block.size; i++) {
            double bound = block.friction * fmax(x[0], 0.0);
            worst = fmax(worst, fabs(x[i]) - bound);
            // no slip, or friction at its bound against it
            if (block.kind == RICO_COULOMB_2D)
                worst = fmax(worst, fmin(fabs(v[i]), fabs(x[i] + copysign(bound, v[i]))));
            else
                assert_true(block.friction == 0.0);
        }
    }
    rico_sparse_release(ctx, &W);
    free(Wd);
    free(u);
    return worst;
}


// For any z, M z + q is what the header says of the impulses that z stands for, and joints do not move.
static void test_lcp_is_what_it_says(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        rico_problem *p = heap(ctx, 2, 30, seed == 4 ? 0.0 : 0.4, seed);
        rico_lcp *lcp = NULL;
        assert_ok(ctx, rico_lcp_create(p, 1000, 0, &lcp));
        int64_t m = rico_problem_rows(p), n = lcp->size;
        assert_int_equal(n, seed == 4 ? 25 : 100);
        double *z = malloc((size_t)n * sizeof *z), *w = malloc((size_t)n * sizeof *w);
        double *again = malloc((size_t)n * sizeof *again);
        double *r = malloc((size_t)m * sizeof *r), *u = malloc((size_t)m * sizeof *u);
        rico_random random;
        rico_random_seed(&random, seed);
        for (int64_t i = 0; i < n; i++) z[i] = rico_random_unit(&random);
        if (seed != 4)
            for (int64_t i = 0; i < n; i += 4) z[i + 1 + (int64_t)(z[i] > 0.5)] = 0.0; // l+ or l-, not both
        for (int64_t i = 0; i < n; i++) {
            w[i] = lcp->q[i];
            for (int64_t j = 0; j < n; j++) w[i] += lcp->M[j * n + i] * z[j];
        }
        rico_lcp_impulse(lcp, z, r);
        assert_ok(ctx, rico_problem_velocity(p, r, u, NULL));

        int64_t i = 0;
        for (int64_t a = 0; a < rico_problem_block_count(p); a++) {
            rico_block block = rico_problem_block(p, a);
            const double *x = &r[rico_problem_block_offset(p, a)], *v = &u[rico_problem_block_offset(p, a)];
            if (block.kind == RICO_EQUALITY) {
                for (int64_t k = 0; k < block.size; k++) assert_near(v[k], 0.0, 1e-11);
                continue;
            }
            const double *D = &lcp->scale[i];
            assert_near(x[0], D[0] * z[i], 1e-14);
            assert_near(w[i], D[0] * v[0], 1e-11);
            i++;
            if (seed == 4) {
                assert_true(x[1] == 0.0);
                continue;
            }
            double plus = D[1] * z[i], minus = D[2] * z[i + 1], slip = D[3] * z[i + 2];
            assert_near(x[1], plus - minus, 1e-14);
            assert_near(w[i], D[1] * (v[1] + slip), 1e-11);
            assert_near(w[i + 1], D[2] * (slip - v[1]), 1e-11);
            assert_near(w[i + 2], D[3] * (block.friction * x[0] - plus - minus), 1e-11);
            i += 3;
        }
        assert_int_equal(i, n);

        // back again: everything but the slip speeds, which come from u
        rico_lcp_guess(lcp, r, u, again);
        for (i = 0; i < n; i++) {
            double expected = lcp->from[i] >= 0 ? z[i] : fabs(u[lcp->row[lcp->from[i - 1]]]) / lcp->scale[i];
            assert_near(again[i], expected, 1e-12);
        }
        free(z);
        free(w);
        free(again);
        free(r);
        free(u);
        rico_lcp_destroy(lcp);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


static void test_known_answers(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    static const struct {
        int64_t n;
        double W[9], q[3], r[3];
    } cases[] = {
        {2, {2, 1, 1, 2}, {-5, -6}, {4.0 / 3.0, 7.0 / 3.0}},               // both pressed
        {2, {2, 1, 1, 2}, {-4, -1}, {2, 0}},                               // the second opens at speed 1
        {2, {2, 1, 1, 2}, {1, 2}, {0, 0}},                                 // nothing to do
        {2, {1, 0.5, 0.5, 1}, {-1, -0.5}, {1, 0}},                         // degenerate: r_2 = u_2 = 0
        {3, {2, -1, 0, -1, 2, -1, 0, -1, 2}, {-1, -1, -1}, {1.5, 2, 1.5}}, // a string on the ground
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        rico_problem *p = unilateral(ctx, cases[c].n, cases[c].W, cases[c].q);
        for (int k = 0; k < ALL; k++) {
            double r[3] = {0};
            rico_report report;
            solve(ctx, p, names[k], "1e-13", r, &report);
            assert_int_equal(report.stop, RICO_CONVERGED);
            for (int64_t i = 0; i < cases[c].n; i++) assert_near(r[i], cases[c].r[i], 1e-11);
        }
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


// Frictionless heaps in space, with joints: Coulomb blocks with mu = 0 are taken as unilateral.
static void test_frictionless_heaps(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        rico_problem *p = heap(ctx, 3, 60, 0.0, seed);
        double *r = calloc((size_t)rico_problem_rows(p), sizeof *r);
        rico_report report;
        for (int k = 0; k < ALL; k++) {
            memset(r, 0, (size_t)rico_problem_rows(p) * sizeof *r);
            solve(ctx, p, names[k], "1e-11", r, &report);
            if (report.stop != RICO_CONVERGED)
                fail_msg("%s on heap %d: %s at %.3g, %s", names[k], (int)seed, rico_stop_name(report.stop),
                         report.residual.relative, report.note);
            assert_at_most(worst_defect(ctx, p, r), 1e-8);
        }
        free(r);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


// Friction in the plane, W regular (60 bodies) or not (12). Lemke's path ends at a solution of all of them.
static void test_plane_heaps(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    int solved[PLANE] = {0};
    for (uint64_t seed = 1; seed <= 12; seed++) {
        rico_problem *p = heap(ctx, 2, seed <= 6 ? 60 : 12, seed % 2 ? 0.2 : 0.7, seed);
        double *r = calloc((size_t)rico_problem_rows(p), sizeof *r);
        rico_report report;
        for (int k = 0; k < PLANE; k++) {
            memset(r, 0, (size_t)rico_problem_rows(p) * sizeof *r);
            solve(ctx, p, names[k], "1e-9", r, &report);
            if (report.stop == RICO_CONVERGED) {
                solved[k]++;
                assert_at_most(worst_defect(ctx, p, r), 1e-6);
            }
        }
        free(r);
        rico_problem_destroy(p);
    }
    assert_int_equal(solved[0], 12);
    assert_true(solved[1] >= 10); // Newton may turn in circles
    assert_int_equal(solved[2], 12);
    rico_context_destroy(ctx);
}


// A plank on sixteen supports, all alike: W of rank two and every pivot a tie. And a joint that is said twice.
static void test_degenerate_and_redundant(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    enum { SUPPORTS = 16 };
    int64_t startM[] = {0, 1, 2}, rowM[] = {0, 1}, startH[SUPPORTS + 3], rowH[2 * SUPPORTS + 4];
    double mass[] = {3, 1}, value[2 * SUPPORTS + 4], f[] = {-6, 0}, w[SUPPORTS + 2] = {0};
    rico_block blocks[SUPPORTS + 1];
    for (int i = 0; i < SUPPORTS; i++) {
        blocks[i] = (rico_block){RICO_UNILATERAL, 1, 0};
        startH[i] = 2 * i;
        rowH[2 * i] = 0;
        rowH[2 * i + 1] = 1;
        value[2 * i] = 1.0;
        value[2 * i + 1] = i - 0.5 * (SUPPORTS - 1);
    }
    startH[SUPPORTS] = 2 * SUPPORTS;
    rico_sparse_view M = {2, 2, startM, rowM, mass}, H = {2, SUPPORTS, startH, rowH, value};
    rico_problem *p = NULL;
    assert_ok(ctx, rico_problem_create_global(ctx, SUPPORTS, blocks, &M, &H, f, w, &p));
    static const char *const singular[] = {"lemke", "newton-min", "pgs", "qp"};
    for (int k = 0; k < 4; k++) {
        double r[SUPPORTS + 2] = {0}, weight = 0.0;
        rico_report report;
        solve(ctx, p, singular[k], "1e-11", r, &report);
        assert_int_equal(report.stop, RICO_CONVERGED);
        for (int i = 0; i < SUPPORTS; i++) weight += r[i];
        assert_near(weight, 6.0, 1e-8);
    }
    rico_problem_destroy(p);

    // principal pivoting wants a P-matrix, and says so: two supports at one point, W exactly singular
    int64_t start2[] = {0, 2, 4}, row2[] = {0, 1, 0, 1};
    double ones[] = {1, 1, 1, 1}, weight2[] = {-1, -1};
    rico_sparse_view W2 = {2, 2, start2, row2, ones};
    double r[SUPPORTS + 2] = {0};
    rico_report report;
    assert_ok(ctx, rico_problem_create_reduced(ctx, 2, blocks, &W2, weight2, &p));
    solve(ctx, p, "murty", "1e-11", r, &report);
    assert_int_equal(report.stop, RICO_BREAKDOWN);
    assert_non_null(strstr(report.note, "P-matrix"));
    rico_problem_destroy(p);

    // two rows that hold the rotation at speed 1, the second in thirds; one support at the end carries what is left
    blocks[1] = (rico_block){RICO_EQUALITY, 2, 0};
    startH[1] = 2;
    startH[2] = 3;
    startH[3] = 4;
    rowH[2] = rowH[3] = 1;
    value[1] = -7.5;
    value[2] = 1.0;
    value[3] = 1.0 / 3.0;
    w[1] = -1.0;
    w[2] = -1.0 / 3.0;
    H.cols = 3;
    assert_ok(ctx, rico_problem_create_global(ctx, 2, blocks, &M, &H, f, w, &p));
    for (int k = 0; k < ALL; k++) {
        memset(r, 0, sizeof r);
        solve(ctx, p, names[k], "1e-11", r, &report);
        assert_int_equal(report.stop, RICO_CONVERGED);
        // v_2 = 1; u = v_1 - 7.5 = 0, so 3 * 7.5 = r_0 - 6 and 1 = -7.5 r_0 + (r_1 + r_2 / 3)
        assert_near(r[0], 28.5, 1e-8);
        assert_near(r[1] + r[2] / 3.0, 1.0 + 7.5 * 28.5, 1e-7);
    }
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// More joint rows than velocities: joints that follow from each other, and contacts that they hold still. What is left
// of W there is round-off, and no pivot may be made of it.
static void test_overconstrained_heaps(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (int64_t bodies = 3; bodies <= 12; bodies += 3)
        for (uint64_t seed = 1; seed <= 8; seed++) {
            rico_random_heap options = rico_random_heap_default();
            options.contacts = 12;
            options.bodies = bodies;
            options.joints = 10;
            options.dimension = 2;
            options.friction = 0.3;
            options.seed = seed;
            rico_problem *p = NULL;
            rico_report report;
            assert_ok(ctx, rico_generate_random(ctx, &options, &p));
            double *r = calloc((size_t)rico_problem_rows(p), sizeof *r);
            solve(ctx, p, "lemke", "1e-10", r, &report);
            if (report.stop != RICO_CONVERGED)
                fail_msg("%d bodies, seed %d: %s, %s", (int)bodies, (int)seed, rico_stop_name(report.stop),
                         report.note);
            assert_at_most(worst_defect(ctx, p, r), 1e-8);
            free(r);
            rico_problem_destroy(p);
        }
    rico_context_destroy(ctx);
}


// Where there is no solution, Lemke's ray proves it: u_1 + u_2 = -1/2 whatever r is; the same with friction.
static void test_no_solution_is_proved(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    static const double W[] = {1, -1, -1, 1}, q[] = {-1, 0.5}, edge[] = {-1, 1};
    rico_problem *p = unilateral(ctx, 2, W, q);
    rico_report report;
    double r[8] = {0};
    solve(ctx, p, "lemke", "1e-8", r, &report);
    assert_int_equal(report.stop, RICO_NO_SOLUTION);
    assert_non_null(strstr(report.note, "proves"));
    rico_problem_destroy(p);

    // the others have no proof to offer and claim nothing; qp is left out: it runs until its patience ends
    static const char *const others[] = {"newton-min", "murty"};
    p = unilateral(ctx, 2, W, q);
    for (int k = 0; k < 2; k++) {
        memset(r, 0, sizeof r);
        solve(ctx, p, others[k], "1e-8", r, &report);
        assert_int_not_equal(report.stop, RICO_CONVERGED);
        assert_int_not_equal(report.stop, RICO_NO_SOLUTION);
        for (int i = 0; i < 2; i++) assert_true(isfinite(r[i]));
    }
    rico_problem_destroy(p);

    // on the edge of that there is one, r_1 = 1 + r_2
    p = unilateral(ctx, 2, W, edge);
    memset(r, 0, sizeof r);
    solve(ctx, p, "lemke", "1e-12", r, &report);
    assert_int_equal(report.stop, RICO_CONVERGED);
    assert_near(r[0] - r[1], 1.0, 1e-12);
    rico_problem_destroy(p);

    // two plane contacts press on one body from both sides: u_N sum to -1/2, friction does not help
    int64_t start[] = {0, 4, 8, 12, 16}, row[16];
    double value[] = {1, 0, -1, 0, 0, 1, 0, -1, -1, 0, 1, 0, 0, -1, 0, 1}, pressed[] = {-1, 0.3, 0.5, 0.1};
    for (int k = 0; k < 16; k++) row[k] = k % 4;
    const rico_block blocks[] = {{RICO_COULOMB_2D, 2, 0.5}, {RICO_COULOMB_2D, 2, 0.5}};
    rico_sparse_view view = {4, 4, start, row, value};
    assert_ok(ctx, rico_problem_create_reduced(ctx, 2, blocks, &view, pressed, &p));
    memset(r, 0, sizeof r);
    solve(ctx, p, "lemke", "1e-8", r, &report);
    assert_int_equal(report.stop, RICO_NO_SOLUTION);
    rico_problem_destroy(p);

    // a solution, (2/3, 2), that the path misses (W indefinite): a ray, but no proof
    static const double indefinite[] = {0, 1, 3, 0}, both[] = {-2, -2};
    p = unilateral(ctx, 2, indefinite, both);
    memset(r, 0, sizeof r);
    solve(ctx, p, "lemke", "1e-8", r, &report);
    assert_int_equal(report.stop, RICO_BREAKDOWN);
    assert_non_null(strstr(report.note, "secondary ray"));
    r[0] = 2.0 / 3.0;
    r[1] = 2.0;
    rico_residual residual;
    assert_ok(ctx, rico_problem_residual(p, r, NULL, &residual));
    assert_at_most(residual.relative, 1e-15);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// A P-matrix on which plain Newton-min goes round {1,3}, {2,3}, {1,2} for ever from (1, 0, 0) (the kind of Ben Gharbia and
// Gilbert 2012) and Gauss-Seidel runs away; the answer is (1/3, 1/3, 1/3).
static void test_circles(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    static const double W[] = {1, 0, 2, 2, 1, 0, 0, 2, 1}, q[] = {-1, -1, -1};
    rico_problem *p = unilateral(ctx, 3, W, q);
    rico_report report;
    rico_solver *solver = NULL;
    assert_ok(ctx, rico_solver_create(ctx, "newton-min", &solver));
    assert_ok(ctx, rico_solver_set(solver, "line-search", "false"));
    assert_ok(ctx, rico_solver_setup(solver, p));
    double r[3] = {1, 0, 0};
    assert_ok(ctx, rico_solver_solve(solver, r, NULL, &report));
    assert_int_equal(report.stop, RICO_STALLED);
    assert_non_null(strstr(report.note, "circles"));
    rico_solver_destroy(solver);

    static const char *const finite[] = {"lemke", "murty"};
    for (int k = 0; k < 2; k++) {
        double x[3] = {1, 0, 0};
        solve(ctx, p, finite[k], "1e-14", x, &report);
        assert_int_equal(report.stop, RICO_CONVERGED);
        for (int i = 0; i < 3; i++) assert_near(x[i], 1.0 / 3.0, 1e-14);
    }
    double x[3] = {1, 0, 0};
    solve(ctx, p, "pgs", "1e-8", x, &report);
    assert_int_not_equal(report.stop, RICO_CONVERGED);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


static void test_refusals(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_report report;
    rico_problem *p = heap(ctx, 3, 60, 0.3, 1);
    double *r = calloc((size_t)rico_problem_rows(p), sizeof *r);
    for (int k = 0; k < 4; k++) {
        assert_int_equal(try_solve(ctx, p, names[k], "1e-8", r, &report), RICO_UNSUPPORTED);
        assert_non_null(strstr(rico_message(ctx), "Coulomb 3D"));
    }
    rico_lcp *lcp = NULL;
    assert_int_equal(rico_lcp_create(p, 1000, 0, &lcp), RICO_UNSUPPORTED);
    assert_null(lcp);
    free(r);
    rico_problem_destroy(p);

    p = heap(ctx, 2, 60, 0.3, 2);
    r = calloc((size_t)rico_problem_rows(p), sizeof *r);
    assert_int_equal(try_solve(ctx, p, "murty", "1e-8", r, &report), RICO_UNSUPPORTED);
    static const struct {
        const char *name, *size, *words;
    } limits[] = {{"lemke", "99", "100 unknowns, more than the limit of 99"},
                  {"newton-min", "49", "50 rows, more than max-size = 49"}};
    for (int k = 0; k < 2; k++) {
        rico_solver *solver = NULL;
        assert_ok(ctx, rico_solver_create(ctx, limits[k].name, &solver));
        assert_ok(ctx, rico_solver_set(solver, "max-size", limits[k].size));
        assert_int_equal(rico_solver_setup(solver, p), RICO_UNSUPPORTED);
        assert_non_null(strstr(rico_message(ctx), limits[k].words));
        rico_solver_destroy(solver);
    }
    free(r);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// Limits, warm starts, new vectors.
static void test_life_of_the_solvers(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_problem *p = heap(ctx, 2, 60, 0.0, 3);
    int64_t m = rico_problem_rows(p);
    double *r = calloc((size_t)m, sizeof *r), *q = malloc((size_t)m * sizeof *q);
    for (int k = 0; k < ALL; k++) {
        rico_solver *solver = NULL;
        rico_report report;
        assert_ok(ctx, rico_solver_create(ctx, names[k], &solver));
        assert_ok(ctx, rico_solver_set(solver, "max-iter", "1"));
        assert_ok(ctx, rico_solver_set(solver, "tol", "0"));
        assert_ok(ctx, rico_solver_setup(solver, p));
        memset(r, 0, (size_t)m * sizeof *r);
        assert_ok(ctx, rico_solver_solve(solver, r, NULL, &report));
        assert_int_equal(report.stop, RICO_MAX_ITERATIONS);
        assert_int_equal(report.iterations, 1);

        assert_ok(ctx, rico_solver_set(solver, "max-iter", "100000"));
        assert_ok(ctx, rico_solver_set(solver, "tol", "1e-10"));
        for (int round = 0; round < 2; round++) {
            memset(r, 0, (size_t)m * sizeof *r);
            assert_ok(ctx, rico_solver_solve(solver, r, NULL, &report));
            assert_int_equal(report.stop, RICO_CONVERGED);
            assert_true(report.iterations > 0);
            assert_ok(ctx, rico_solver_solve(solver, r, NULL, &report));
            assert_int_equal(report.iterations, 0);
            for (int64_t i = 0; i < m; i++) q[i] = -0.7 * rico_problem_free_velocity(p)[i];
            assert_ok(ctx, rico_problem_set_free_velocity(p, q));
            assert_ok(ctx, rico_solver_update(solver));
        }
        rico_context_interrupt(ctx);
        memset(r, 0, (size_t)m * sizeof *r);
        assert_ok(ctx, rico_solver_solve(solver, r, NULL, &report));
        assert_int_equal(report.stop, RICO_STOPPED);
        rico_context_clear_interrupt(ctx);
        rico_solver_destroy(solver);
    }
    free(r);
    free(q);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


static rico_problem *smooth_heap(rico_context *ctx)
{
    return heap(ctx, 3, 60, 0.0, 3);
}


static void test_solving_allocates_nothing(void **state)
{
    (void)state;
    check_solving_allocates_nothing(ALL, names, smooth_heap);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lcp_is_what_it_says),
        cmocka_unit_test(test_known_answers),
        cmocka_unit_test(test_frictionless_heaps),
        cmocka_unit_test(test_plane_heaps),
        cmocka_unit_test(test_degenerate_and_redundant),
        cmocka_unit_test(test_overconstrained_heaps),
        cmocka_unit_test(test_no_solution_is_proved),
        cmocka_unit_test(test_circles),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_life_of_the_solvers),
        cmocka_unit_test(test_solving_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
