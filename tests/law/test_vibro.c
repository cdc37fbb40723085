// Penalties, rounded corners and angles between contacts, against closed forms and what the chapter states.

#include "nearest_point.h"
#include "ricochet/ricochet.h"

static int setup(void **state)
{
    *state = rico_context_create(NULL);
    return *state ? 0 : 1;
}


static int teardown(void **state)
{
    rico_context_destroy(*state);
    return 0;
}


// ---- penalty ------------------------------------------------------------------------------------------------

// q'' = -2 eps s q' - n q + f by Runge and Kutta's rule with small steps, until q = 0 again: exit velocity and duration.
static bool integrate_blow(double n, double eps, double v0, double f, double *exit, double *duration)
{
    double s = sqrt(n), h = 2e-4 / s, q = 0.0, v = v0;
    for (int64_t k = 0; k < 250000; k++) {
        double q0 = q, v0_ = v, kq[4] = {0.0}, kv[4] = {0.0};
        for (int i = 0; i < 4; i++) {
            double a = i == 0 ? 0.0 : i == 3 ? h : 0.5 * h;
            double x = q0 + (i ? a * kq[i - 1] : 0.0), y = v0_ + (i ? a * kv[i - 1] : 0.0);
            kq[i] = y;
            kv[i] = -2.0 * eps * s * y - n * x + f;
        }
        q += h / 6.0 * (kq[0] + 2.0 * kq[1] + 2.0 * kq[2] + kq[3]);
        v += h / 6.0 * (kv[0] + 2.0 * kv[1] + 2.0 * kv[2] + kv[3]);
        if (q < 0.0) continue;
        double share = -q0 / (q - q0);
        *exit = v0_ + share * (v - v0_);
        *duration = (k + share) * h;
        return true;
    }
    return false;
}


// The numbers of the formula and of blows under g = 9.81 from v = -1.
static void penalty_table(void **state)
{
    rico_context *ctx = *state;
    assert_near(rico_penalty_damping(0.3), 0.357857130503, 1e-12);
    assert_near(rico_penalty_damping(0.5), 0.215453761966, 1e-12);
    assert_near(rico_penalty_damping(0.9), 0.033518449106, 1e-12);
    static const double E[] = {0.9, 0.5, 0.3}, N[] = {1e4, 1e6, 1e8};
    // the closed form with 40 digits
    static const double EXIT[3][3] = {{.886436192539, .898740289162, .899874948291},
                                      {.428272720546, .493586088207, .499365196890},
                                      {.188436500498, .290722815596, .299085786414}};
    // an adaptive integration by another program
    static const double OTHER[3][3] = {{.88643619, .89874022, .89987492},
                                       {.42827269, .49358608, .49936519},
                                       {.18843650, .29072279, .29908578}};
    rico_penalty_blow blow;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double exit = NAN, duration = NAN;
            assert_ok(ctx, rico_penalty_blow_of(ctx, N[j], E[i], -1.0, -9.81, &blow));
            assert_true(blow.leaves);
            assert_near(blow.exit, EXIT[i][j], 2e-12);
            assert_near(blow.exit, OTHER[i][j], 8e-8);
            assert_true(integrate_blow(N[j], rico_penalty_damping(E[i]), -1.0, -9.81, &exit, &duration));
            assert_near(blow.exit, exit, 1e-7);
            assert_near(blow.duration * sqrt(N[j]), duration * sqrt(N[j]), 1e-6);
        }
    const double rests[][2] = {{0.5, 100.0}, {0.3, 1000.0}, {0.3, 100.0}};
    for (int i = 0; i < 3; i++) {
        assert_ok(ctx, rico_penalty_blow_of(ctx, rests[i][1], rests[i][0], -1.0, -9.81, &blow));
        assert_false(blow.leaves);
        assert_true(isinf(blow.duration) && blow.exit == 0.0);
    }
}


// Without force: exit exactly -e v0, duration pi/sqrt(n(1 - eps^2)), depth |v0|/sqrt(n) for e = 1 and |v0|/(sqrt(n) exp(1)) for e = 0, which
// never leaves. With a force: the expansions in 1/sqrt(n).
static void penalty_laws(void **state)
{
    rico_context *ctx = *state;
    rico_random random;
    rico_random_seed(&random, 3);
    rico_penalty_blow blow;
    for (int trial = 0; trial < 300; trial++) {
        double e = trial == 0 ? 1.0 : rico_random_range(&random, 0.02, 1.0), eps = rico_penalty_damping(e);
        double n = pow(10.0, rico_random_range(&random, 0.0, 10.0)),
               v = -rico_random_range(&random, 0.1, 9.0);
        assert_near(rico_penalty_restitution(eps), e, 1e-12);
        assert_ok(ctx, rico_penalty_blow_of(ctx, n, e, v, 0.0, &blow));
        assert_near(blow.exit, -e * v, 1e-12 * fabs(v));
        assert_near(blow.duration * sqrt(n * (1.0 - eps * eps)), M_PI, 1e-12);
        assert_ok(ctx, rico_penalty_blow_of(ctx, n, 1.0, v, 0.0, &blow));
        assert_near(blow.depth * sqrt(n), -v, 1e-12 * fabs(v));
        assert_ok(ctx, rico_penalty_blow_of(ctx, n, 0.0, v, 0.0, &blow));
        assert_false(blow.leaves);
        assert_near(blow.depth * sqrt(n), -v * exp(-1.0), 1e-12 * fabs(v));
        assert_near(blow.lowest * sqrt(n), 1.0, 1e-12);

        double g = rico_random_range(&random, 0.0, 20.0), stiff = 1e12, s = sqrt(stiff);
        if (e < 0.2) continue;
        assert_ok(ctx, rico_penalty_blow_of(ctx, stiff, e, -1.0, -g, &blow));
        assert_near((e - blow.exit) * s, 2.0 * eps * (1.0 + e) * g, 1e-3 * (1.0 + g * g));
        assert_near((blow.duration - M_PI / (s * sqrt(1.0 - eps * eps))) * stiff, (1.0 + e) * g / e,
                    1e-3 * (1.0 + g * g) / (e * e));
    }
    // drawn in so hard that it never turns, and pushed out
    assert_ok(ctx, rico_penalty_blow_of(ctx, 1.0, 0.0, -0.5, -2.0, &blow));
    assert_true(!blow.leaves && isinf(blow.lowest));
    assert_near(blow.depth, 2.0, 1e-15);
    assert_ok(ctx, rico_penalty_blow_of(ctx, 1.0, 0.0, -0.5, 0.1, &blow));
    assert_true(blow.leaves && blow.exit > 0.0);
}


static void penalty_refusals(void **state)
{
    rico_context *ctx = *state;
    rico_penalty_blow blow;
    assert_true(isnan(rico_penalty_damping(-0.1)) && isnan(rico_penalty_damping(1.1)) &&
                isnan(rico_penalty_restitution(2.0)));
    assert_int_equal(rico_penalty_blow_of(ctx, 1.0, 2.0, -1.0, 0.0, &blow), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_penalty_blow_of(ctx, 0.0, 0.5, -1.0, 0.0, &blow), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_penalty_blow_of(ctx, 1.0, 0.5, 1.0, 0.0, &blow), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_penalty_blow_of(ctx, 1.0, 0.5, -1.0, NAN, &blow), RICO_BAD_ARGUMENT);
}


// ---- corners ------------------------------------------------------------------------------------------------

// Into the quadrant's corner along the direction v of its normal cone: one blow on the arc, at v/|v|_p, whose normal is |v_i|^(p-1). For p = 2
// it comes back, which is Newton's law; for no other p, but along the axes and the diagonal. Two blows may follow.
static void quadrant(void **state)
{
    rico_context *ctx = *state;
    rico_random random;
    rico_random_seed(&random, 4);
    for (int trial = 0; trial < 400; trial++) {
        rico_round_corner corner = {.normal = {{-1.0, 0.0}, {0.0, 1.0}},
                                    .p = trial % 4 ? rico_random_range(&random, 1.2, 6.0) : 2.0};
        double angle = rico_random_range(&random, 0.01, 1.56), v[2] = {cos(angle), -sin(angle)}, after[2],
               n[2], path[2];
        int64_t bounces;
        assert_ok(ctx, rico_round_corner_reflect(ctx, &corner, v, 0.0, after, &bounces, 1, path));
        assert_near(hypot(after[0], after[1]), 1.0, 1e-12);
        assert_true(after[0] <= 1e-15 && after[1] >= -1e-15);
        double size = pow(pow(v[0], corner.p) + pow(-v[1], corner.p), 1.0 / corner.p);
        assert_near(path[0], v[0] / size, 1e-12);
        assert_near(path[1], v[1] / size, 1e-12);
        n[0] = pow(v[0], corner.p - 1.0), n[1] = -pow(-v[1], corner.p - 1.0);
        double share = 2.0 * (n[0] * v[0] + n[1] * v[1]) / (n[0] * n[0] + n[1] * n[1]);
        double once[2] = {v[0] - share * n[0], v[1] - share * n[1]};
        if (once[0] <= -1e-9 && once[1] >= 1e-9) {
            assert_int_equal(bounces, 1);
            for (int i = 0; i < 2; i++) assert_near(after[i], once[i], 1e-9);
        }
        if (corner.p == 2.0)
            for (int i = 0; i < 2; i++) assert_near(after[i], -v[i], 1e-9);
        else if (bounces == 1 && fabs(angle - 0.25 * M_PI) > 0.1 && angle > 0.1 && angle < 1.47 &&
                 fabs(corner.p - 2.0) > 0.2)
            assert_true(hypot(after[0] + v[0], after[1] + v[1]) > 1e-3);
    }
}


// For p = 2 the limit law at any corner is Newton's with e = 1: u+ = Proj_T u- - Proj_N u-, where one blow is enough for it; with acute corners
// motions may bounce on, which the smooth law cannot know.
static void round_corners(void **state)
{
    rico_context *ctx = *state;
    rico_random random;
    rico_random_seed(&random, 6);
    static const double I[] = {1.0, 0.0, 0.0, 1.0}, ZERO[] = {0.0, 0.0};
    int met = 0;
    for (int trial = 0; trial < 600; trial++) {
        double first = rico_random_range(&random, -M_PI, M_PI), open = rico_random_range(&random, 0.3, 2.8);
        rico_round_corner corner = {
            .normal = {{cos(first), sin(first)}, {cos(first + open), sin(first + open)}}, .p = 2.0};
        double angle = rico_random_range(&random, -M_PI, M_PI), v[2] = {cos(angle), sin(angle)}, after[2],
               z[2], lambda[2];
        int64_t bounces;
        assert_ok(ctx, rico_round_corner_reflect(ctx, &corner, v, 0.0, after, &bounces, 0, NULL));
        nearest_point(2, I, 2, corner.normal[0], ZERO, v, z, lambda);
        if (bounces == 0) {
            for (int i = 0; i < 2; i++) assert_near(after[i], v[i], 0.0);
            continue;
        }
        double newton[2] = {2.0 * z[0] - v[0], 2.0 * z[1] - v[1]};
        bool out = true;
        for (int a = 0; a < 2; a++)
            out &= corner.normal[a][0] * newton[0] + corner.normal[a][1] * newton[1] >= 1e-9;
        if (!out) continue;
        assert_int_equal(bounces, 1);
        for (int i = 0; i < 2; i++) assert_near(after[i], newton[i], 1e-9);
        met++;
    }
    assert_true(met > 200);
}


static void corner_refusals(void **state)
{
    rico_context *ctx = *state;
    const double v[] = {1.0, 0.0}, none[] = {0.0, 0.0};
    double after[2];
    int64_t bounces;
    rico_round_corner corner = {.normal = {{-1.0, 0.0}, {0.0, 1.0}}, .p = 1.0};
    assert_int_equal(rico_round_corner_reflect(ctx, &corner, v, 0.0, after, &bounces, 0, NULL),
                     RICO_BAD_ARGUMENT);
    corner.p = 2.0;
    assert_int_equal(rico_round_corner_reflect(ctx, &corner, none, 0.0, after, &bounces, 0, NULL),
                     RICO_BAD_ARGUMENT);
    assert_int_equal(rico_round_corner_reflect(ctx, &corner, v, -9.0, after, &bounces, 0, NULL),
                     RICO_BAD_ARGUMENT);
    corner.normal[1][0] = -3.0, corner.normal[1][1] = 0.0;
    assert_int_equal(rico_round_corner_reflect(ctx, &corner, v, 0.0, after, &bounces, 0, NULL),
                     RICO_BAD_ARGUMENT);
}


// ---- impacts by the two projections -------------------------------------------------------------------------

// (8) with every projection found by trying all sets of faces: random M, gradients and e, and what P1 and P2 say of the result.
static void newton_law(void **state)
{
    enum { N = 5, MOST = 4 };
    rico_context *ctx = *state;
    rico_random random;
    rico_random_seed(&random, 9);
    int several = 0;
    for (int trial = 0; trial < 400; trial++) {
        int count = 1 + trial % MOST;
        double B[N * N], M[N * N], A[MOST * N], zero[MOST] = {0.0}, v[N], z[N] = {0.0}, lambda[MOST] = {0.0};
        double e = trial % 7 == 0 ? 0.0 : trial % 7 == 1 ? 1.0 : rico_random_unit(&random);
        int64_t start[N + 1], row[N * N], columns[MOST + 1], rows[MOST * N];
        for (int i = 0; i < N * N; i++) B[i] = rico_random_normal(&random);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                M[i + j * N] = i == j ? 0.3 : 0.0;
                for (int k = 0; k < N; k++) M[i + j * N] += B[i * N + k] * B[j * N + k] / N;
            }
        for (int j = 0; j <= N; j++) start[j] = (int64_t)j * N;
        for (int k = 0; k < N * N; k++) row[k] = k % N;
        for (int j = 0; j <= count; j++) columns[j] = (int64_t)j * N;
        for (int k = 0; k < count * N; k++) rows[k] = k % N, A[k] = rico_random_normal(&random);
        for (int i = 0; i < N; i++) v[i] = rico_random_normal(&random);
        rico_sparse_view mass = {N, N, start, row, M}, normals = {N, count, columns, rows, A};
        rico_impact *impact;
        rico_impact_law *law;
        rico_impact_result result;
        assert_ok(ctx, rico_impact_create(ctx, &mass, &normals, &impact));
        assert_ok(ctx, rico_impact_set_restitution(impact, RICO_ALL_CONTACTS, e));
        assert_ok(ctx, rico_impact_law_create(ctx, "moreau", &law));
        assert_ok(ctx, rico_impact_law_setup(law, impact));
        assert_ok(ctx, rico_impact_law_apply(law, v, &result));
        nearest_point(N, M, count, A, zero, v, z, lambda);
        double before = 0.0, after = 0.0, across = 0.0;
        int pressed = 0;
        for (int i = 0; i < N; i++) {
            assert_near(result.velocity[i], -e * v[i] + (1.0 + e) * z[i], 1e-9);
            for (int j = 0; j < N; j++) {
                before += 0.5 * v[i] * M[i + j * N] * v[j];
                after += 0.5 * result.velocity[i] * M[i + j * N] * result.velocity[j];
                across += z[i] * M[i + j * N] * (v[j] - z[j]);
            }
        }
        assert_near(across, 0.0, 1e-9); // z and v - z are orthogonal
        assert_at_most(after, before * (1.0 + 1e-12));
        if (e == 1.0) assert_near(after, before, 1e-9 * before);
        for (int c = 0; c < count; c++) {
            double in = 0.0, out = 0.0;
            for (int i = 0; i < N; i++) in += A[c * N + i] * v[i], out += A[c * N + i] * result.velocity[i];
            assert_at_most(-(out + e * in), 1e-9);
            assert_near(result.impulse[c], (1.0 + e) * lambda[c], 1e-8);
            pressed += lambda[c] > 1e-9;
        }
        several += pressed > 1;
        if (pressed == 0)
            for (int i = 0; i < N; i++) assert_near(result.velocity[i], v[i], 1e-14);
        rico_impact_law_destroy(law);
        rico_impact_destroy(impact);
    }
    assert_true(several > 50);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(penalty_table), cmocka_unit_test(penalty_laws),  cmocka_unit_test(penalty_refusals),
        cmocka_unit_test(quadrant),      cmocka_unit_test(round_corners), cmocka_unit_test(corner_refusals),
        cmocka_unit_test(newton_law),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
