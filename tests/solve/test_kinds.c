// Blocks beyond joints and Coulomb contacts: boxes, elliptic friction, friction with moments, in every solver that takes
// them, against computations that use nothing of the library.
//
// Boxes: all 3^n ways of standing at the lower bound, between or at the upper one are tried in long double; for a positive
// definite W exactly one is lawful. Cones: the law is checked case by case, group of tangents by group of tangents, in
// long double, and single contacts on a diagonal W have answers by hand.

#include "support.h"

#include "base/random.h"
#include "ricochet/solver.h"

enum { MAX_ROWS = 40 };

static const char *const TAKERS[] = {"auto",          "nsgs",      "nsgs-ac",  "nsgs-fp-vi-upk",
                                     "nsgs-anderson", "fp-vi-upk", "eg-vi-upk"};
enum { TAKER_COUNT = sizeof TAKERS / sizeof TAKERS[0] };


// W = A A' / n + shift I, row-major and symmetric.
static void random_matrix(rico_random *random, int n, double shift, double *W)
{
    double A[MAX_ROWS * MAX_ROWS] = {0.0};
    for (int i = 0; i < n * n; i++) A[i] = rico_random_range(random, -1.0, 1.0);
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = i == j ? shift : 0.0;
            for (int k = 0; k < n; k++) sum += A[i * n + k] * A[j * n + k] / n;
            W[i * n + j] = W[j * n + i] = sum;
        }
}


static rico_problem *dense_problem(rico_context *ctx, int count, const rico_block *blocks, int n,
                                   const double *W, const double *q)
{
    int64_t start[MAX_ROWS + 1], row[MAX_ROWS * MAX_ROWS];
    double value[MAX_ROWS * MAX_ROWS];
    for (int j = 0; j <= n; j++) start[j] = j * n;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            row[j * n + i] = i;
            value[j * n + i] = W[i * n + j];
        }
    rico_sparse_view view = {n, n, start, row, value};
    rico_problem *p = NULL;
    assert_ok(ctx, rico_problem_create_reduced(ctx, count, blocks, &view, q, &p));
    return p;
}


static void solve_by(rico_context *ctx, const char *name, rico_problem *p, double *r)
{
    rico_solver *solver = NULL;
    rico_report report;
    assert_ok(ctx, rico_solver_create(ctx, name, &solver));
    assert_ok(ctx, rico_solver_set_number(solver, "tol", 1e-12));
    assert_ok(ctx, rico_solver_set_number(solver, "max-iter", 100000));
    assert_ok(ctx, rico_solver_setup(solver, p));
    memset(r, 0, (size_t)rico_problem_rows(p) * sizeof *r);
    assert_ok(ctx, rico_solver_solve(solver, r, NULL, &report));
    if (report.stop != RICO_CONVERGED)
        fail_msg("%s: %s, residual %.3g after %lld", name, rico_stop_name(report.stop),
                 report.residual.relative, (long long)report.iterations);
    rico_solver_destroy(solver);
}


// ---- boxes, by trying all states ----

// Solves the free rows of W r + q = 0, the others held; Gauss in long double without pivoting, W being positive definite.
static void solve_free(int n, const double *W, const double *q, const int *state, long double *r)
{
    long double A[8][9];
    int free[8], count = 0;
    for (int i = 0; i < n; i++)
        if (state[i] == 0) free[count++] = i;
    for (int a = 0; a < count; a++) {
        A[a][count] = -(long double)q[free[a]];
        for (int j = 0; j < n; j++)
            if (state[j] != 0) A[a][count] -= W[free[a] * n + j] * r[j];
        for (int b = 0; b < count; b++) A[a][b] = W[free[a] * n + free[b]];
    }
    for (int k = 0; k < count; k++)
        for (int a = k + 1; a < count; a++) {
            long double f = A[a][k] / A[k][k];
            for (int b = k; b <= count; b++) A[a][b] -= f * A[k][b];
        }
    for (int k = count - 1; k >= 0; k--) {
        long double sum = A[k][count];
        for (int b = k + 1; b < count; b++) sum -= A[k][b] * r[free[b]];
        r[free[k]] = sum / A[k][k];
    }
}


// Is (state, r) lawful? state: -1 at low, 0 between, 1 at high.
static bool lawful(int n, const double *W, const double *q, const rico_block *box, const int *state,
                   const long double *r)
{
    for (int i = 0; i < n; i++) {
        long double u = q[i];
        for (int j = 0; j < n; j++) u += W[i * n + j] * r[j];
        if (state[i] == 0 && (r[i] < box[i].low || r[i] > box[i].high)) return false;
        if (state[i] < 0 && u < 0.0L) return false;
        if (state[i] > 0 && u > 0.0L) return false;
    }
    return true;
}


static int try_all_states(int n, const double *W, const double *q, const rico_block *box, long double *found)
{
    int ways = 1, lawful_count = 0;
    for (int i = 0; i < n; i++) ways *= 3;
    for (int way = 0; way < ways; way++) {
        int state[8], code = way;
        long double r[8];
        bool possible = true;
        for (int i = 0; i < n; i++, code /= 3) {
            state[i] = code % 3 - 1;
            r[i] = state[i] < 0 ? box[i].low : box[i].high;
            if (state[i] != 0 && isinf((double)r[i])) possible = false;
        }
        if (!possible) continue;
        solve_free(n, W, q, state, r);
        if (!lawful(n, W, q, box, state, r)) continue;
        lawful_count++;
        memcpy(found, r, sizeof r);
    }
    return lawful_count;
}


static void test_boxes_against_all_states(void **unused)
{
    (void)unused;
    rico_context *ctx = rico_context_create(NULL);
    static const char *const own[] = {"pgs"};
    rico_random random;
    rico_random_seed(&random, 7);
    for (int trial = 0; trial < 40; trial++) {
        enum { N = 6 };
        double W[N * N], q[N], r[N], unit = pow(10.0, (double)(trial % 5) * 3 - 6.0);
        rico_block box[N];
        random_matrix(&random, N, 0.1, W);
        for (int i = 0; i < N; i++) {
            double low = rico_random_range(&random, -1.0, 0.2),
                   high = low + rico_random_range(&random, 0.0, 2.0);
            q[i] = unit * rico_random_range(&random, -1.0, 1.0);
            if (rico_random_below(&random, 6) == 0) low = -INFINITY;
            if (rico_random_below(&random, 6) == 0) high = INFINITY;
            box[i] = (rico_block){RICO_BOX, 1, .low = unit * low, .high = unit * high};
        }
        long double found[8] = {0.0L};
        assert_int_equal(try_all_states(N, W, q, box, found), 1);
        rico_problem *p = dense_problem(ctx, N, box, N, W, q);
        for (int s = 0; s < TAKER_COUNT + 1; s++) {
            solve_by(ctx, s < TAKER_COUNT ? TAKERS[s] : own[0], p, r);
            for (int i = 0; i < N; i++) assert_near(r[i] / unit, (double)(found[i] / unit), 1e-9);
        }
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


// ---- cones, by their cases ----

// Half axes of the section r_N = 1 along each tangential row, and how many rows each group has.
static int groups_of(const rico_block *b, int group[3], double axis[5])
{
    int count = 1;
    group[0] = 2;
    axis[0] = b->friction;
    if (b->kind == RICO_ROLLING_2D) {
        group[0] = group[1] = 1;
        axis[1] = b->rolling;
        return 2;
    }
    axis[1] = b->kind == RICO_ELLIPTIC ? b->friction_2 : b->friction;
    if (b->kind == RICO_ROLLING || b->kind == RICO_ROLLING_SPINNING) {
        group[count++] = 2;
        axis[2] = axis[3] = b->rolling;
    }
    if (b->kind == RICO_SPINNING || b->kind == RICO_ROLLING_SPINNING) {
        group[count++] = 1;
        axis[b->size - 2] = b->spinning;
    }
    return count;
}


// Tresca's: the normal on its own, tangents at rest within the disc or at its rim against the slip.
static void check_tresca(const rico_block *b, const long double *u, const double *r, long double tol)
{
    long double speed = fabsl(u[1]), push = fabsl(r[1]);
    if (b->size > 2) speed = hypotl(u[1], u[2]), push = hypotl(r[1], r[2]);
    assert_true(r[0] >= 0.0 && u[0] >= -tol && (r[0] <= tol || u[0] <= tol));
    assert_true(push <= b->high + tol);
    for (int i = 1; speed > tol && i < b->size; i++)
        assert_true(fabsl(r[i] + b->high * u[i] / speed) <= tol * (1.0L + b->high / speed));
}


// Slip along the gradient of a potential of its own: r on the rim of the ellipse, and u_T ~ -(r_i / p_i^2).
static void check_slip(const rico_block *b, const long double *u, const double *r, long double tol)
{
    long double speed = hypotl(u[1], u[2]), across;
    long double along[2] = {r[1] / (b->slip_1 * b->slip_1), r[2] / (b->slip_2 * b->slip_2)};
    long double filled = hypotl(r[1] / b->friction, r[2] / b->friction_2),
                length = hypotl(along[0], along[1]);
    assert_true(r[0] >= 0.0 && u[0] >= -tol && filled <= r[0] + tol / fmin(b->friction, b->friction_2));
    assert_true(r[0] <= tol || u[0] <= tol);
    if (r[0] <= tol || speed <= 1e-6L) return;
    assert_true(filled >= r[0] - 1e-3L * r[0]);
    across = (along[0] * u[2] - along[1] * u[1]) / length;
    assert_true(fabsl(across) <= 1e-6L && along[0] * u[1] + along[1] * u[2] < 0.0L);
}


// The law of one contact: open, or pressed with u_N = 0 and each group at rest within its section or moving with the
// impulse that dissipates most, r_g = -r_N (a_i^2 u_i) / |(a_i u_i)|.
static void check_law(const rico_block *b, const long double *u, const double *r, long double tol)
{
    int group[3], count;
    double axis[5];
    if (b->kind == RICO_TRESCA_2D || b->kind == RICO_TRESCA_3D) {
        check_tresca(b, u, r, tol);
        return;
    }
    if (b->kind == RICO_ELLIPTIC && b->slip_1 > 0.0) {
        check_slip(b, u, r, tol);
        return;
    }
    count = groups_of(b, group, axis);
    assert_true(r[0] >= 0.0 && u[0] >= -tol);
    if (u[0] > tol) {
        for (int i = 0; i < b->size; i++) assert_true(fabsl(r[i]) <= tol);
        return;
    }
    for (int g = 0, row = 1; g < count; row += group[g++]) {
        long double speed = 0.0L, filled = 0.0L, support = 0.0L;
        for (int i = row; i < row + group[g]; i++) {
            speed = hypotl(speed, u[i]);
            support = hypotl(support, axis[i - 1] * u[i]);
            if (axis[i - 1] > 0.0) filled = hypotl(filled, r[i] / axis[i - 1]);
            if (axis[i - 1] == 0.0) assert_true(r[i] == 0.0);
        }
        assert_true(filled <= r[0] + tol);
        if (speed <= tol || support <= tol) continue;
        // moving: against the slip, to the error that the direction of a small slip has
        for (int i = row; i < row + group[g]; i++) {
            long double want = -r[0] * axis[i - 1] * axis[i - 1] * u[i] / support;
            assert_true(fabsl(r[i] - want) <= tol * (1.0L + r[0] / speed));
        }
    }
}


static rico_block random_block(rico_random *random)
{
    static const rico_block_kind kinds[] = {RICO_BOX,       RICO_ELLIPTIC,         RICO_SPINNING,
                                            RICO_ROLLING,   RICO_ROLLING_SPINNING, RICO_ROLLING_2D,
                                            RICO_TRESCA_2D, RICO_TRESCA_3D};
    rico_block b = {.kind = kinds[rico_random_below(random, 8)]};
    b.size = rico_block_describe(b.kind)->size;
    b.friction = rico_random_range(random, 0.0, 1.0);
    b.friction_2 = rico_random_below(random, 5) ? rico_random_range(random, 0.0, 1.0) : 0.0;
    b.rolling = rico_random_below(random, 5) ? rico_random_range(random, 0.0, 0.5) : 0.0;
    b.spinning = rico_random_range(random, 0.0, 0.5);
    b.low = -rico_random_unit(random);
    b.high = rico_random_unit(random);
    if (b.kind == RICO_ELLIPTIC && b.friction_2 > 0.0 && rico_random_below(random, 2)) {
        b.friction += 0.05;
        b.friction_2 += 0.05;
        b.slip_1 = 0.3 + rico_random_unit(random);
        b.slip_2 = 0.3 + rico_random_unit(random);
    }
    return b;
}


static void check_blocks(int count, const rico_block *blocks, int n, const double *W, const double *q,
                         const double *r)
{
    int first = 0;
    for (int a = 0; a < count; first += (int)blocks[a++].size) {
        long double u[6] = {0.0L};
        for (int i = 0; i < blocks[a].size; i++) {
            u[i] = q[first + i];
            for (int j = 0; j < n; j++) u[i] += (long double)W[(first + i) * n + j] * r[j];
        }
        if (blocks[a].kind != RICO_BOX) {
            check_law(&blocks[a], u, &r[first], 1e-8L);
            continue;
        }
        double x = r[first];
        assert_true(x >= blocks[a].low && x <= blocks[a].high);
        if (x > blocks[a].low + 1e-9) assert_true(u[0] <= 1e-8L);
        if (x < blocks[a].high - 1e-9) assert_true(u[0] >= -1e-8L);
    }
}


static void test_mixtures_obey_their_laws(void **unused)
{
    (void)unused;
    rico_context *ctx = rico_context_create(NULL);
    rico_random random;
    rico_random_seed(&random, 11);
    for (int trial = 0; trial < 30; trial++) {
        rico_block blocks[6];
        double W[MAX_ROWS * MAX_ROWS], q[MAX_ROWS], r[MAX_ROWS];
        int n = 0, count = 1 + (int)rico_random_below(&random, 6);
        for (int a = 0; a < count; a++) {
            blocks[a] = random_block(&random);
            n += (int)blocks[a].size;
        }
        random_matrix(&random, n, 0.3, W);
        for (int i = 0; i < n; i++) q[i] = rico_random_range(&random, -1.0, 0.5);
        rico_problem *p = dense_problem(ctx, count, blocks, n, W, q);
        for (int s = 0; s < TAKER_COUNT; s++) {
            solve_by(ctx, TAKERS[s], p, r);
            check_blocks(count, blocks, n, W, q, r);
        }
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


// A wheel on a plane, W diagonal: each group is pushed on its own, and the answers are those of one group.
static void test_a_wheel_by_hand(void **unused)
{
    (void)unused;
    rico_context *ctx = rico_context_create(NULL);
    const rico_block wheel = {RICO_ROLLING, 5, .friction = 0.5, .rolling = 0.1};
    double W[25] = {0}, r[5];
    for (int i = 0; i < 5; i++) W[6 * i] = i < 3 ? 0.5 : 2.0;
    static const struct {
        double q[5], r[5];
    } cases[] = {
        {{-2, 0.4, 0, 0.2, 0}, {4, -0.8, 0, -0.1, 0}},     // grips and does not roll
        {{-2, 0.4, 0, 3, 4}, {4, -0.8, 0, -0.24, -0.32}},  // rolls without slipping
        {{-2, 3, 4, 0.2, 0}, {4, -1.2, -1.6, -0.1, 0}},    // slips without rolling
        {{-2, 3, 4, 3, -4}, {4, -1.2, -1.6, -0.24, 0.32}}, // both
        {{1, 3, 4, 3, -4}, {0, 0, 0, 0, 0}},               // takes off
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rico_problem *p = dense_problem(ctx, 1, &wheel, 5, W, cases[i].q);
        for (int s = 0; s < TAKER_COUNT; s++) {
            solve_by(ctx, TAKERS[s], p, r);
            for (int k = 0; k < 5; k++) assert_near(r[k], cases[i].r[k], 1e-10);
        }
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


// Wheels between bodies of six velocities: what is found on M and H, in any order and by colours on two threads, must hold
// on W, and the law is checked there.
static void test_wheels_between_bodies(void **unused)
{
    (void)unused;
    enum { BODIES = 5, WHEELS = 7, DOFS = 6 * BODIES, ROWS = 5 * WHEELS };
    rico_context *ctx = rico_context_create(NULL);
    rico_random random;
    rico_random_seed(&random, 17);
    for (int trial = 0; trial < 6; trial++) {
        rico_block wheels[WHEELS];
        int64_t start_M[DOFS + 1], row_M[DOFS], start_H[ROWS + 1] = {0}, row_H[ROWS * 12] = {0};
        double mass[DOFS], H[ROWS * 12] = {0}, f[DOFS], w[ROWS], r[ROWS], W[ROWS * ROWS] = {0}, q[ROWS];
        for (int i = 0; i < DOFS; i++) {
            start_M[i] = row_M[i] = i;
            mass[i] = rico_random_range(&random, 0.5, 2.0);
            f[i] = rico_random_range(&random, -1.0, 1.0);
        }
        start_M[DOFS] = DOFS;
        for (int a = 0, k = 0; a < WHEELS; a++) {
            int one = a % BODIES, other = (a + 1 + a / BODIES) % BODIES;
            if (one > other) one = other, other = a % BODIES;
            wheels[a] = (rico_block){RICO_ROLLING, 5, .friction = 0.4, .rolling = 0.1 * a};
            for (int j = 5 * a; j < 5 * a + 5; j++, start_H[j] = k)
                for (int i = 0; i < 12; i++, k++) {
                    row_H[k] = 6 * (i < 6 ? one : other) + i % 6;
                    H[k] = rico_random_range(&random, -1.0, 1.0);
                }
        }
        for (int j = 0; j < ROWS; j++) {
            w[j] = q[j] = j % 5 == 0 ? -0.3 : 0.0;
            for (int64_t k = start_H[j]; k < start_H[j + 1]; k++) {
                q[j] += H[k] * f[row_H[k]] / mass[row_H[k]];
                for (int i = 0; i < ROWS; i++)
                    for (int64_t l = start_H[i]; l < start_H[i + 1]; l++)
                        if (row_H[l] == row_H[k]) W[i * ROWS + j] += H[l] * H[k] / mass[row_H[k]];
            }
        }
        rico_sparse_view M = {DOFS, DOFS, start_M, row_M, mass}, J = {DOFS, ROWS, start_H, row_H, H};
        static const char *const orders[] = {"given", "shuffled", "coloured"};
        for (int o = 0; o < 3; o++) {
            rico_problem *p = NULL;
            rico_solver *solver = NULL;
            rico_report report;
            assert_ok(ctx, rico_problem_create_global(ctx, WHEELS, wheels, &M, &J, f, w, &p));
            assert_ok(ctx, rico_solver_create(ctx, "nsgs", &solver));
            assert_ok(ctx, rico_solver_set(solver, "order", orders[o]));
            assert_ok(ctx, rico_solver_set(solver, "threads", "2"));
            assert_ok(ctx, rico_solver_set(solver, "tol", "1e-12"));
            assert_ok(ctx, rico_solver_setup(solver, p));
            memset(r, 0, sizeof r);
            assert_ok(ctx, rico_solver_solve(solver, r, NULL, &report));
            assert_int_equal(report.stop, RICO_CONVERGED);
            check_blocks(WHEELS, wheels, ROWS, W, q, r);
            rico_solver_destroy(solver);
            rico_problem_destroy(p);
        }
    }
    rico_context_destroy(ctx);
}


// With one coefficient for both tangents an elliptic block is a Coulomb block, and with no moments so is a rolling one.
static void test_agrees_with_coulomb(void **unused)
{
    (void)unused;
    rico_context *ctx = rico_context_create(NULL);
    rico_random random;
    rico_random_seed(&random, 13);
    for (int trial = 0; trial < 20; trial++) {
        double W[81], q[9], coulomb[9], elliptic[9], mu = rico_random_unit(&random);
        rico_block round[3], ellipse[3];
        for (int a = 0; a < 3; a++) {
            round[a] = (rico_block){RICO_COULOMB_3D, 3, mu};
            ellipse[a] = (rico_block){RICO_ELLIPTIC, 3, mu, .friction_2 = mu};
        }
        random_matrix(&random, 9, 0.2, W);
        for (int i = 0; i < 9; i++) q[i] = rico_random_range(&random, -1.0, 0.5);
        rico_problem *p = dense_problem(ctx, 3, round, 9, W, q), *e = dense_problem(ctx, 3, ellipse, 9, W, q);
        solve_by(ctx, "nsgs", p, coulomb);
        for (int s = 0; s < TAKER_COUNT; s++) {
            rico_residual residual;
            solve_by(ctx, TAKERS[s], e, elliptic);
            for (int i = 0; i < 9; i++) assert_near(elliptic[i], coulomb[i], 1e-9);
            assert_ok(ctx, rico_problem_residual(p, elliptic, NULL, &residual));
            assert_true(residual.relative <= 1e-11);
        }
        rico_problem_destroy(p);
        rico_problem_destroy(e);
    }
    rico_context_destroy(ctx);
}


// Whoever cannot take a kind says so by name; whoever says that it can, sets up.
static void test_others_refuse_by_name(void **unused)
{
    (void)unused;
    rico_context *ctx = rico_context_create(NULL);
    static const struct {
        rico_block block;
        unsigned flag;
        const char *words;
    } kinds[] = {
        {{RICO_BOX, 1, .low = -1.0, .high = 1.0}, RICO_TAKES_BOX, "takes no box block (block 0 is one)"},
        {{RICO_ELLIPTIC, 3, 0.5, .friction_2 = 0.2}, RICO_TAKES_ELLIPTIC, "takes no elliptic block"},
        {{RICO_SPINNING, 4, 0.5, .spinning = 0.2}, RICO_TAKES_ROLLING, "takes no spinning block"},
        {{RICO_ROLLING, 5, 0.5, .rolling = 0.2}, RICO_TAKES_ROLLING, "takes no rolling block"},
        {{RICO_ROLLING_SPINNING, 6, 0.5}, RICO_TAKES_ROLLING, "takes no rolling and spinning block"},
        {{RICO_ROLLING_2D, 3, 0.5, .rolling = 0.1}, RICO_TAKES_ROLLING, "takes no rolling 2D block"},
        {{RICO_TRESCA_2D, 2, .high = 0.1}, RICO_TAKES_TRESCA, "takes no Tresca 2D block"},
        {{RICO_TRESCA_3D, 3, .high = 0.1}, RICO_TAKES_TRESCA, "takes no Tresca 3D block"},
    };
    double W[36] = {0}, q[6] = {-1, 1, 1, 1, 1, 1};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        int n = (int)kinds[k].block.size;
        for (int i = 0; i < n * n; i++) W[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
        rico_problem *p = dense_problem(ctx, 1, &kinds[k].block, n, W, q);
        const rico_solver_info *info;
        for (int s = 0; (info = rico_solver_at(s)); s++) {
            rico_solver *solver = NULL;
            assert_ok(ctx, rico_solver_create(ctx, info->name, &solver));
            rico_status status = rico_solver_setup(solver, p);
            if (info->takes & kinds[k].flag) {
                assert_ok(ctx, status);
            } else {
                assert_int_equal(status, RICO_UNSUPPORTED);
                assert_non_null(strstr(rico_message(ctx), kinds[k].words));
            }
            rico_solver_destroy(solver);
        }
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes_against_all_states), cmocka_unit_test(test_mixtures_obey_their_laws),
        cmocka_unit_test(test_a_wheel_by_hand),          cmocka_unit_test(test_agrees_with_coulomb),
        cmocka_unit_test(test_others_refuse_by_name),    cmocka_unit_test(test_wheels_between_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
