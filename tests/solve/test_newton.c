// Newton methods: answers known by hand, full-rank heaps to 1e-12 by every map, all kinds of blocks, the speed of local
// convergence, and honest endings where there is nothing to find.

#include "dense_reference.h"

#include "ricochet/generate.h"
#include "ricochet/solver.h"
#include "solve/method.h"

typedef struct member {
    const char *name;
    bool plane; // takes 2D contacts
} member;

static const member maps[] = {{"nsn-ac", true}, {"nsn-jm", true},   {"nsn-nm", true},
                              {"nsn-fb", true}, {"nsn-xsw", false}, {"nsn-hsw", true}};
static const char *const endings[] = {"", "-gp", "-a"};
enum { MAPS = sizeof maps / sizeof maps[0], ENDINGS = 3 };


// Name of map i with ending j, valid until the next call.
static const char *name_of(int i, int j)
{
    static char name[32];
    snprintf(name, sizeof name, "%s%s", maps[i].name, endings[j]);
    return name;
}


static rico_solver *make_solver(rico_context *ctx, const char *name, double tol)
{
    rico_solver *solver = NULL;
    assert_ok(ctx, rico_solver_create(ctx, name, &solver));
    assert_ok(ctx, rico_solver_set_number(solver, "tol", tol));
    return solver;
}


// Solves from r and checks what every ending must keep: finite answers, a report that tells the truth.
static rico_report run(rico_context *ctx, rico_solver *solver, rico_problem *p, double *r)
{
    rico_report report;
    rico_residual residual;
    double tol;
    assert_ok(ctx, rico_solver_setup(solver, p));
    assert_ok(ctx, rico_solver_solve(solver, r, NULL, &report));
    for (int64_t i = 0; i < rico_problem_rows(p); i++) assert_true(isfinite(r[i]));
    assert_ok(ctx, rico_problem_residual(p, r, NULL, &residual));
    assert_near(residual.relative, report.residual.relative, 1e-3 * residual.relative);
    assert_ok(ctx, rico_solver_get_number(solver, "tol", &tol));
    assert_int_equal(report.stop == RICO_CONVERGED, rico_residual_within(&residual, tol));
    return report;
}


static rico_report solve(rico_context *ctx, const char *name, double tol, rico_problem *p, double *r)
{
    rico_solver *solver = make_solver(ctx, name, tol);
    rico_report report = run(ctx, solver, p, r);
    rico_solver_destroy(solver);
    return report;
}


static rico_problem *make_heap(rico_context *ctx, rico_random_heap heap)
{
    rico_problem *p = NULL;
    assert_ok(ctx, rico_generate_random(ctx, &heap, &p));
    return p;
}


// More bodies than contacts: W has full rank.
static rico_random_heap full_rank(uint64_t seed)
{
    rico_random_heap heap = rico_random_heap_default();
    heap.contacts = 40;
    heap.bodies = 60;
    heap.friction = 0.2;
    heap.reduced = true;
    heap.seed = seed;
    return heap;
}


// A problem from a dense row-major W.
static rico_problem *from_dense(rico_context *ctx, int64_t block_count, const rico_block *blocks, int64_t n,
                                const double *W, const double *q)
{
    int64_t *start = calloc((size_t)n + 1, sizeof *start), *row = calloc((size_t)(n * n), sizeof *row);
    double *value = calloc((size_t)(n * n), sizeof *value);
    for (int64_t j = 0; j < n; j++) {
        start[j + 1] = start[j];
        for (int64_t i = 0; i < n; i++)
            if (W[i * n + j] != 0.0) {
                row[start[j + 1]] = i;
                value[start[j + 1]++] = W[i * n + j];
            }
    }
    rico_sparse_view view = {n, n, start, row, value};
    rico_problem *p = NULL;
    assert_ok(ctx, rico_problem_create_reduced(ctx, block_count, blocks, &view, q, &p));
    free(start);
    free(row);
    free(value);
    return p;
}


// A mass on a plane, W = I/2: held, pushed and sticking, sliding, taking off. Every member finds every answer, except
// that Xuewen-Soh-Wanji's map, whose last row is quadratic around u_T = 0, is asked for the last two and damped.
static void test_block_on_a_plane(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    const rico_block contact = {RICO_COULOMB_3D, 3, 0.5};
    const double W[9] = {0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5};
    static const struct {
        double q[3], r[3];
    } cases[] = {
        {{-2, 0, 0}, {4, 0, 0}},
        {{-2, 0.95, 0}, {4, -1.9, 0}},
        {{-2, 1.5, 2}, {4, -1.2, -1.6}}, // slip (3, 4)/10 times 2, friction 2 against it
        {{0.5, 1.5, 2}, {0, 0, 0}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        rico_problem *p = from_dense(ctx, 1, &contact, 3, W, cases[k].q);
        for (int i = 0; i < MAPS; i++)
            for (int j = 0; j < ENDINGS; j++) {
                if (!maps[i].plane && (k < 2 || j == 0)) continue;
                double r[3] = {1.0, 0.1, -0.1};
                rico_report report = solve(ctx, name_of(i, j), 1e-12, p, r);
                if (report.stop != RICO_CONVERGED)
                    fail_msg("%s on case %zu: %s, residual %g", name_of(i, j), k, report.note,
                             report.residual.relative);
                for (int c = 0; c < 3; c++) assert_near(r[c], cases[k].r[c], 2e-11);
            }
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


// Heaps of full rank, cold start: 1e-12 by every map but Xuewen-Soh-Wanji's (whose Jacobian is singular at open and at
// sticking contacts), and the same answer as Gauss-Seidel's.
static void test_full_rank_heaps(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        rico_random_heap heap = full_rank(seed);
        heap.joints = seed % 2 ? 4 : 0;
        rico_problem *p = make_heap(ctx, heap);
        int64_t m = rico_problem_rows(p);
        double *r = calloc((size_t)m, sizeof *r), *expected = calloc((size_t)m, sizeof *expected), size = 0.0;
        assert_int_equal(solve(ctx, "nsgs", 1e-12, p, expected).stop, RICO_CONVERGED);
        for (int64_t k = 0; k < m; k++) size = fmax(size, fabs(expected[k]));
        assert_true(size > 1e-3);
        for (int i = 0; i < MAPS; i++)
            for (int j = 0; j < ENDINGS; j++) {
                if (!maps[i].plane) continue;
                memset(r, 0, (size_t)m * sizeof *r);
                rico_report report = solve(ctx, name_of(i, j), 1e-12, p, r);
                if (report.stop != RICO_CONVERGED)
                    fail_msg("%s, seed %d: %s, residual %g", name_of(i, j), (int)seed,
                             rico_stop_name(report.stop), report.residual.relative);
                assert_true(report.iterations <= 40);
                for (int64_t k = 0; k < m; k++) assert_near(r[k], expected[k], 1e-8 * size);
            }
        free(r);
        free(expected);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


// Contacts in the plane, and the refusal of the map that has no place there.
static void test_plane(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random_heap heap = full_rank(3);
    heap.dimension = 2;
    heap.joints = 3;
    rico_problem *p = make_heap(ctx, heap);
    int64_t m = rico_problem_rows(p);
    double *r = calloc((size_t)m, sizeof *r);
    for (int i = 0; i < MAPS; i++)
        for (int j = 0; j < ENDINGS; j++) {
            memset(r, 0, (size_t)m * sizeof *r);
            if (maps[i].plane) {
                assert_int_equal(solve(ctx, name_of(i, j), 1e-12, p, r).stop, RICO_CONVERGED);
                continue;
            }
            rico_solver *solver = make_solver(ctx, name_of(i, j), 1e-12);
            assert_int_equal(rico_solver_setup(solver, p), RICO_UNSUPPORTED);
            assert_non_null(strstr(rico_message(ctx), "Coulomb 2D"));
            rico_solver_destroy(solver);
        }
    free(r);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// All kinds of blocks in one problem, W = B B' + I with a skew part. Each law is checked here from W and q.
static void test_mixed_blocks(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    enum { BLOCKS = 24 };
    rico_random random;
    rico_random_seed(&random, 11);
    for (int round = 0; round < 4; round++) {
        rico_block blocks[BLOCKS];
        int64_t n = 0;
        for (int b = 0; b < BLOCKS; b++) {
            static const rico_block kinds[] = {{RICO_COULOMB_3D, 3, 0.4},
                                               {RICO_UNILATERAL, 1, 0.0},
                                               {RICO_COULOMB_2D, 2, 0.3},
                                               {RICO_EQUALITY, 4, 0.0}};
            blocks[b] = kinds[b % 4];
            n += blocks[b].size;
        }
        double *B = calloc((size_t)(n * n), sizeof *B), *W = calloc((size_t)(n * n), sizeof *W);
        double *q = calloc((size_t)n, sizeof *q), *r = calloc((size_t)n, sizeof *r);
        for (int64_t i = 0; i < n * n; i++)
            B[i] = rico_random_unit(&random) < 0.06 ? rico_random_normal(&random) : 0.0;
        for (int64_t i = 0; i < n; i++) {
            for (int64_t j = 0; j < n; j++) {
                for (int64_t k = 0; k < n; k++) W[i * n + j] += B[i * n + k] * B[j * n + k];
                if (W[i * n + j] != 0.0 && i != j) W[i * n + j] += i < j ? 0.02 : -0.02;
            }
            W[i * n + i] += 1.0;
            q[i] = rico_random_normal(&random);
        }
        rico_problem *p = from_dense(ctx, BLOCKS, blocks, n, W, q);

        static const char *const names[] = {"nsn-ac", "nsn-jm", "nsn-nm", "nsn-fb-gp", "nsn-ac-hybrid"};
        for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
            memset(r, 0, (size_t)n * sizeof *r);
            rico_report report = solve(ctx, names[k], 1e-13, p, r);
            if (report.stop != RICO_CONVERGED) fail_msg("%s, round %d: %s", names[k], round, report.note);
            int64_t first = 0;
            for (int b = 0; b < BLOCKS; first += blocks[b].size, b++) {
                double u[4] = {0};
                for (int64_t i = 0; i < blocks[b].size; i++) {
                    u[i] = q[first + i];
                    for (int64_t j = 0; j < n; j++) u[i] += W[(first + i) * n + j] * r[j];
                }
                const double *ra = &r[first];
                if (blocks[b].kind == RICO_EQUALITY)
                    for (int i = 0; i < 4; i++) assert_near(u[i], 0.0, 1e-10);
                else if (blocks[b].kind == RICO_UNILATERAL)
                    assert_near(fmin(u[0], ra[0]), 0.0, 1e-10);
                else
                    assert_near(coulomb_defect(blocks[b].friction,
                                               (double[]){u[0], u[1], blocks[b].size == 3 ? u[2] : 0.0},
                                               (double[]){ra[0], ra[1], blocks[b].size == 3 ? ra[2] : 0.0}),
                                0.0, 1e-10);
            }
        }
        rico_problem_destroy(p);
        free(B);
        free(W);
        free(q);
        free(r);
    }
    rico_context_destroy(ctx);
}


// Near the solution the number of digits doubles: e_{k+1} <= C e_k^2, far from a linear rate and from luck, over
// several problems. The last step before round-off is judged.
static void test_local_convergence_is_quadratic(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    static const char *const names[] = {"nsn-ac", "nsn-jm", "nsn-nm", "nsn-ac-gp", "nsn-ac-a"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        int judged = 0;
        for (uint64_t seed = 1; seed <= 10; seed++) {
            rico_random_heap heap = full_rank(seed);
            heap.friction = 0.5;
            rico_problem *p = make_heap(ctx, heap);
            double *r = calloc((size_t)rico_problem_rows(p), sizeof *r);
            rico_solver *solver = make_solver(ctx, names[k], 1e-13);
            assert_ok(ctx, rico_solver_set(solver, "history", "true"));
            assert_int_equal(run(ctx, solver, p, r).stop, RICO_CONVERGED);
            int64_t count;
            const rico_history_entry *h = rico_solver_history(solver, &count);
            for (int64_t i = 0; i + 1 < count; i++)
                if (h[i].residual < 1e-3 && h[i].residual > 1e-7) {
                    assert_at_most(h[i + 1].residual, 1e3 * h[i].residual * h[i].residual + 1e-15);
                    judged++;
                }
            rico_solver_destroy(solver);
            free(r);
            rico_problem_destroy(p);
        }
        assert_true(judged >= 5);
    }
    rico_context_destroy(ctx);
}


// Frictionless contacts without tangential coupling: G is piecewise linear, and Newton ends after finitely many steps
// exactly at the solution of the complementarity problem.
static void test_piecewise_linear_ends_exactly(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    // u = W r + q with W = (2 1; 1 2): q = (-3, -1.5) gives r = (1.5, 0), u = (0, 0)
    // q = (-3, -1) gives r = (1.5, 0), u = (0, 0.5); q = (-3, -3) gives r = (1, 1)
    const rico_block blocks[2] = {{RICO_UNILATERAL, 1, 0}, {RICO_UNILATERAL, 1, 0}};
    const double W[4] = {2, 1, 1, 2};
    static const double q[][2] = {{-3, -1}, {-3, -3}, {1, 1}, {-3, -1.5}};
    static const double expected[][2] = {{1.5, 0}, {1, 1}, {0, 0}, {1.5, 0}};
    for (int i = 0; i < 4; i++) {
        rico_problem *p = from_dense(ctx, 2, blocks, 2, W, q[i]);
        double r[2] = {5, 5};
        rico_report report = solve(ctx, "nsn-ac", 1e-15, p, r);
        assert_int_equal(report.stop, RICO_CONVERGED);
        assert_true(report.iterations <= 3);
        for (int k = 0; k < 2; k++) assert_near(r[k], expected[i][k], 1e-15);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


// The answer depends neither on the factorization nor on the rule for rho.
static void test_options_agree(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random_heap heap = full_rank(5);
    heap.joints = 4;
    rico_problem *p = make_heap(ctx, heap);
    int64_t m = rico_problem_rows(p);
    double *r = calloc((size_t)m, sizeof *r), *expected = calloc((size_t)m, sizeof *expected);
    assert_int_equal(solve(ctx, "nsn-ac", 1e-13, p, expected).stop, RICO_CONVERGED);
    static const struct {
        const char *solver, *option, *value;
    } cases[] = {
        {"nsn-ac", "linear", "sparse"},
        {"nsn-ac", "linear", "dense"},
        {"nsn-ac-gp", "rho-rule", "norm"},
        {"nsn-ac-gp", "rho-rule", "spectral"},
        {"nsn-ac-gp", "rho-rule", "one"},
        {"nsn-ac-gp", "rho-rule", "split-condition"},
        {"nsn-nm-gp", "rho-rule", "split"},
        {"nsn-fb-gp", "rho-rule", "one"},
        {"nsn-ac-gp", "rho", "0.7"},
        {"nsn-ac-a", "a", "1"},
        {"nsn-ac-gp", "tries", "20"},
        {"nsn-ac", "shift", "1e-8"},
        {"nsn-ac-hybrid", "guess-iterations", "7"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        memset(r, 0, (size_t)m * sizeof *r);
        rico_solver *solver = make_solver(ctx, cases[i].solver, 1e-13);
        assert_ok(ctx, rico_solver_set(solver, cases[i].option, cases[i].value));
        rico_report report = run(ctx, solver, p, r);
        if (report.stop != RICO_CONVERGED)
            fail_msg("%s %s=%s: %s", cases[i].solver, cases[i].option, cases[i].value, report.note);
        for (int64_t k = 0; k < m; k++) assert_near(r[k], expected[k], 1e-9);
        rico_solver_destroy(solver);
    }

    // a plain member has no line search to set, and says so
    rico_solver *plain = make_solver(ctx, "nsn-ac", 1e-8);
    assert_int_equal(rico_solver_set(plain, "m1", "0.1"), RICO_BAD_ARGUMENT);
    rico_solver_destroy(plain);
    free(r);
    free(expected);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// New vectors on the same matrices, a warm start at the solution, a problem given in its global form.
static void test_update_and_warm_start(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random_heap heap = full_rank(8);
    heap.reduced = false;
    rico_problem *p = make_heap(ctx, heap);
    int64_t m = rico_problem_rows(p), n = rico_problem_dofs(p);
    double *r = calloc((size_t)m, sizeof *r), *f = calloc((size_t)n, sizeof *f);
    rico_solver *solver = make_solver(ctx, "nsn-ac", 1e-12);
    assert_int_equal(run(ctx, solver, p, r).stop, RICO_CONVERGED);
    rico_report report;
    assert_ok(ctx, rico_solver_solve(solver, r, NULL, &report));
    assert_int_equal(report.iterations, 0);

    for (int64_t i = 0; i < n; i++) f[i] = 1.3 * rico_problem_force(p)[i] + 0.1;
    assert_ok(ctx, rico_problem_set_force(p, f, NULL));
    assert_ok(ctx, rico_solver_update(solver));
    assert_ok(ctx, rico_solver_solve(solver, r, NULL, &report));
    assert_int_equal(report.stop, RICO_CONVERGED);
    assert_true(report.iterations > 0);
    rico_solver_destroy(solver);
    free(r);
    free(f);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// A joint with nothing on its diagonal (u_e = r_c1 + ... alone): elimination by blocks meets a zero pivot there, and a
// factorization that exchanges rows must step in. 30 contacts, so that blocks are tried at all.
static void test_zero_diagonal_needs_pivoting(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    enum { CONTACTS = 30, ROWS = 3 * CONTACTS + 2 };
    rico_block blocks[CONTACTS + 1];
    double *W = calloc((size_t)ROWS * ROWS, sizeof *W), q[ROWS] = {0}, r[ROWS] = {0};
    for (int64_t a = 0; a < CONTACTS; a++) {
        blocks[a] = (rico_block){RICO_COULOMB_3D, 3, 0.3};
        for (int64_t i = 0; i < 3; i++) {
            int64_t row = 3 * a + i;
            W[row * ROWS + row] = 1.0;
            if (a > 0) W[row * ROWS + row - 3] = W[(row - 3) * ROWS + row] = 0.3;
        }
        q[3 * a] = -1.0;
        q[3 * a + 1] = 0.05 * (double)(a % 7);
    }
    // W = (A V; -V' 0): the joint holds the friction of the first contact at (0.1, -0.05)
    blocks[CONTACTS] = (rico_block){RICO_EQUALITY, 2, 0.0};
    for (int i = 0; i < 2; i++) {
        int joint = 3 * CONTACTS + i, contact = 1 + i;
        W[contact * ROWS + joint] = 1.0;
        W[joint * ROWS + contact] = -1.0;
    }
    q[3 * CONTACTS] = 0.1;
    q[3 * CONTACTS + 1] = -0.05;
    rico_problem *p = from_dense(ctx, CONTACTS + 1, blocks, ROWS, W, q);
    rico_report report = solve(ctx, "nsn-ac-gp", 1e-12, p, r);
    if (report.stop != RICO_CONVERGED) fail_msg("%s: %s", rico_stop_name(report.stop), report.note);
    assert_near(r[1], 0.1, 1e-10);
    assert_near(r[2], -0.05, 1e-10);
    rico_problem_destroy(p);
    free(W);
    rico_context_destroy(ctx);
}


// Twice the same contact: W is singular and the impulses are free to move between the two. The shifted step finds one
// of the solutions.
static void test_redundant_contact(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    const rico_block blocks[2] = {{RICO_COULOMB_3D, 3, 0.5}, {RICO_COULOMB_3D, 3, 0.5}};
    double W[36] = {0}, q[6] = {-2, 0.3, 0, -2, 0.3, 0};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) W[i * 6 + j] = i % 3 == j % 3 ? 0.5 : 0.0;
    rico_problem *p = from_dense(ctx, 2, blocks, 6, W, q);
    static const char *const names[] = {"nsn-ac", "nsn-ac-gp", "nsn-jm-gp", "nsn-nm-gp"};
    for (int i = 0; i < 4; i++) {
        double r[6] = {0};
        rico_report report = solve(ctx, names[i], 1e-10, p, r);
        assert_int_equal(report.stop, RICO_CONVERGED);
        assert_near(r[0] + r[3], 4.0, 1e-8);
        assert_near(r[1] + r[4], -0.6, 1e-8);
    }
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// No impulse can change the velocity (W = 0), which approaches: no solution. Neither can two contacts that press
// against each other, q = (-1, -1) with W = (1 -1; -1 1). Every member ends by itself and does not claim success.
static void test_impossible_problems(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    const rico_block contact = {RICO_COULOMB_3D, 3, 0.5};
    const rico_block pair[2] = {{RICO_UNILATERAL, 1, 0}, {RICO_UNILATERAL, 1, 0}};
    const double zero[9] = {0}, down[3] = {-1, 0.1, 0};
    const double squeeze[4] = {1, -1, -1, 1}, both[2] = {-1, -1};
    rico_problem *problems[2] = {from_dense(ctx, 1, &contact, 3, zero, down),
                                 from_dense(ctx, 2, pair, 2, squeeze, both)};
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < MAPS; i++)
            for (int j = 0; j < ENDINGS; j++) {
                double r[3] = {0};
                rico_report report = solve(ctx, name_of(i, j), 1e-8, problems[k], r);
                if (report.stop != RICO_BREAKDOWN && report.stop != RICO_STALLED &&
                    report.stop != RICO_DIVERGED)
                    fail_msg("%s on problem %d: %s, residual %g", name_of(i, j), k,
                             rico_stop_name(report.stop), report.residual.relative);
                assert_true(strlen(report.note) > 10);
                assert_true(report.iterations < 5000);
            }
        rico_problem_destroy(problems[k]);
    }
    rico_context_destroy(ctx);
}


// A heap with far more contact rows than dofs: full steps need not find anything, but they must end in words.
static void test_rank_deficient_ends_honestly(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random_heap heap = full_rank(2);
    heap.contacts = 60;
    heap.bodies = 8;
    heap.friction = 0.8;
    rico_problem *p = make_heap(ctx, heap);
    double *r = calloc((size_t)rico_problem_rows(p), sizeof *r);
    int gave_up = 0;
    for (int i = 0; i < MAPS; i++) {
        memset(r, 0, (size_t)rico_problem_rows(p) * sizeof *r);
        rico_report report = solve(ctx, name_of(i, 0), 1e-10, p, r);
        if (report.stop == RICO_CONVERGED) continue;
        gave_up++;
        assert_true(strlen(report.note) > 10);
        assert_true(report.residual.relative < 1e3);
    }
    assert_true(gave_up > 0);
    free(r);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


static void interrupt(void *user, const rico_history_entry *entry)
{
    if (entry->iteration >= 2) rico_context_interrupt(user);
}


static void test_limits(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_problem *p = make_heap(ctx, full_rank(4));
    int64_t m = rico_problem_rows(p);
    double *r = calloc((size_t)m, sizeof *r);

    rico_solver *solver = make_solver(ctx, "nsn-ac-gp", 1e-13);
    assert_ok(ctx, rico_solver_set(solver, "max-iter", "2"));
    rico_report report = run(ctx, solver, p, r);
    assert_int_equal(report.stop, RICO_MAX_ITERATIONS);
    assert_int_equal(report.iterations, 2);

    assert_ok(ctx, rico_solver_set(solver, "max-iter", "1000"));
    memset(r, 0, (size_t)m * sizeof *r);
    rico_solver_set_progress(solver, interrupt, ctx);
    assert_ok(ctx, rico_solver_solve(solver, r, NULL, &report));
    assert_int_equal(report.stop, RICO_STOPPED);
    assert_int_equal(report.iterations, 2);
    rico_context_clear_interrupt(ctx);
    rico_solver_destroy(solver);

    // the hybrid's first phase obeys the same clock and the same flag
    solver = make_solver(ctx, "nsn-ac-hybrid", 1e-15);
    assert_ok(ctx, rico_solver_set(solver, "guess-iterations", "1e9"));
    assert_ok(ctx, rico_solver_set(solver, "time-limit", "0.05"));
    memset(r, 0, (size_t)m * sizeof *r);
    report = run(ctx, solver, p, r);
    assert_true(report.stop == RICO_TIME_LIMIT || report.stop == RICO_CONVERGED);
    assert_true(report.seconds < 5.0);
    rico_solver_destroy(solver);
    free(r);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// A poor start for full steps is a good one after a hundred iterations of the extragradient method.
static void test_hybrid_needs_fewer_steps(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    int64_t plain = 0, hybrid = 0;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        rico_problem *p = make_heap(ctx, full_rank(seed));
        double *r = calloc((size_t)rico_problem_rows(p), sizeof *r);
        plain += solve(ctx, "nsn-ac", 1e-12, p, r).iterations;
        memset(r, 0, (size_t)rico_problem_rows(p) * sizeof *r);
        rico_report report = solve(ctx, "nsn-ac-hybrid", 1e-12, p, r);
        assert_int_equal(report.stop, RICO_CONVERGED);
        hybrid += report.iterations;
        free(r);
        rico_problem_destroy(p);
    }
    assert_true(hybrid < plain);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_block_on_a_plane),
        cmocka_unit_test(test_full_rank_heaps),
        cmocka_unit_test(test_plane),
        cmocka_unit_test(test_mixed_blocks),
        cmocka_unit_test(test_local_convergence_is_quadratic),
        cmocka_unit_test(test_piecewise_linear_ends_exactly),
        cmocka_unit_test(test_options_agree),
        cmocka_unit_test(test_update_and_warm_start),
        cmocka_unit_test(test_zero_diagonal_needs_pivoting),
        cmocka_unit_test(test_redundant_contact),
        cmocka_unit_test(test_impossible_problems),
        cmocka_unit_test(test_rank_deficient_ends_honestly),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_hybrid_needs_fewer_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
