// Projections on harmonics against closed forms: of nonlinearities, of the sign graph, of whole inclusions, of friction with memory.

#include "ricochet/nes.h"
#include "support.h"

static const double PI = 3.14159265358979323846;

static double cube(void *user, const double *r, const double *v)
{
    (void)v;
    return *(double *)user * r[0] * r[0] * r[0];
}


static double sign_of_velocity(void *user, const double *r, const double *v)
{
    (void)user, (void)r;
    return (v[0] > 0.0) - (v[0] < 0.0);
}


static double product(void *user, const double *r, const double *v)
{
    (void)user;
    return r[0] * r[0] * v[1];
}


static void test_complexify(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 1);
    for (int i = 0; i < 100; i++) {
        double w = rico_random_range(&random, 0.1, 5), t = rico_random_range(&random, -9, 9),
               r = rico_random_range(&random, -2, 2), v = rico_random_range(&random, -2, 2), phi[2], r2, v2;
        rico_complexify(w, t, r, v, phi);
        rico_realify(w, t, phi, &r2, &v2);
        assert_near(r2, r, 1e-14 * (1.0 + 1.0 / w));
        assert_near(v2, v, 1e-14);
        assert_near(hypot(phi[0], phi[1]), hypot(v, w * r), 1e-14 * (1.0 + w));
        // phi e^{iwt} = v + i w r
        assert_near(phi[0] * cos(w * t) - phi[1] * sin(w * t), v, 1e-14 * (1.0 + w));
        assert_near(phi[0] * sin(w * t) + phi[1] * cos(w * t), w * r, 1e-14 * (1.0 + w));
    }
}


// <gamma r^3>_1 = -(3 i gamma/(8 w^3)) |phi|^2 phi, <Sign>_1 = (2/pi) e^{i delta}; rules for r and r'.
static void test_projection(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random random;
    rico_random_seed(&random, 2);
    for (int i = 0; i < 50; i++) {
        double w = rico_random_range(&random, 0.3, 3), gamma = rico_random_range(&random, 0.1, 2),
               phi[2] = {rico_random_range(&random, -2, 2), rico_random_range(&random, -2, 2)}, out[12];
        double square = phi[0] * phi[0] + phi[1] * phi[1], c = 3.0 * gamma / (8.0 * w * w * w) * square;
        assert_ok(ctx, rico_project(ctx, w, 1, 1, phi, cube, &gamma, 3, 64, out));
        assert_near(out[0], 0.0, 1e-12 * c);
        assert_near(out[2], c * phi[1], 1e-12 * c);
        assert_near(out[3], -c * phi[0], 1e-12 * c);
        // 8 samples are exact already: 3 + 3 < 8
        double few[8];
        assert_ok(ctx, rico_project(ctx, w, 1, 1, phi, cube, &gamma, 3, 8, few));
        for (int k = 0; k < 8; k++) assert_near(few[k], out[k], 1e-12 * c);
        assert_ok(ctx, rico_project_sign(ctx, 1, phi, 5, out));
        double delta = atan2(phi[1], phi[0]);
        for (int k = 0; k <= 5; k++) {
            double size = k % 2 ? (k % 4 == 1 ? 2.0 : -2.0) / (PI * k) : 0.0;
            assert_near(out[2 * k], size * cos(k * delta), 1e-14);
            assert_near(out[2 * k + 1], size * sin(k * delta), 1e-14);
        }
        // the same by samples, which are of first order for a graph that jumps
        assert_ok(ctx, rico_project(ctx, w, 1, 1, phi, sign_of_velocity, NULL, 1, 4000, few));
        assert_near(few[2], out[2], 2.0 / 4000);
        assert_near(few[3], out[3], 2.0 / 4000);
        // appendix 1: F = (2 i eta/pi) e^{-i w t1} for the zero t1 in [0, pi/w] of N cos(wt + delta)
        double t1 = delta < 0.5 * PI ? 0.5 * PI - delta : 1.5 * PI - delta;
        if (t1 > PI) t1 -= PI;
        double eta = cos(delta) > 0.0 ? 1.0 : -1.0;
        assert_near(2.0 * eta / PI * sin(t1), out[2], 1e-14);
        assert_near(2.0 * eta / PI * cos(t1), out[3], 1e-14);
    }
    // z' = x^2 x' gives phi3 = |phi|^2 phi/(4 w^2): the projection of x^2 x' is half of that
    double w = 1.3, x[] = {0.7, -1.1, 0.7, -1.1}, out[4], square = x[0] * x[0] + x[1] * x[1];
    assert_ok(ctx, rico_project(ctx, w, 2, 1, x, product, NULL, 1, 16, out));
    assert_near(out[2], 0.5 * square * x[0] / (4.0 * w * w), 1e-14);
    assert_near(out[3], 0.5 * square * x[1] / (4.0 * w * w), 1e-14);
    rico_context_destroy(ctx);
}


// r = cos + b cos 3: r^3 has 3/4 + 3b/4 + 3b^2/2 of cos and 1/4 + 3b/2 + 3b^3/4 of cos 3.
static void test_harmonics(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    double w = 1.7, b = 0.2, one = 1.0, phi[6] = {0.0, w, 0.0, 0.0, 0.0, 3.0 * w * b}, out[16];
    assert_ok(ctx, rico_project(ctx, w, 1, 3, phi, cube, &one, 3, 16, out));
    assert_near(out[2], 0.5 * (0.75 + 0.75 * b + 1.5 * b * b), 1e-15);
    assert_near(out[3], 0.0, 1e-15);
    assert_near(out[6], 0.5 * (0.25 + 1.5 * b + 0.75 * b * b * b), 1e-15);
    // Sign of v = -w (sin + 3 b sin 3): with 3 b = 0.6 it still changes at 0 and pi alone; with 3 b = 2 at sin^2 = 7/8, too
    assert_ok(ctx, rico_project_sign(ctx, 3, phi, 3, out));
    assert_near(out[3], 2.0 / PI, 1e-14);
    assert_near(out[7], 2.0 / (3.0 * PI), 1e-14);
    phi[5] = 2.0 * w;
    double a = asin(sqrt(7.0 / 8.0));
    assert_ok(ctx, rico_project_sign(ctx, 3, phi, 3, out));
    assert_near(out[3], 2.0 / PI * (1.0 - 2.0 * cos(a)), 1e-13);
    // rest, and amplitudes at random against many samples
    rico_random random;
    rico_random_seed(&random, 3);
    double rest[6] = {0.0}, many[16];
    assert_ok(ctx, rico_project_sign(ctx, 3, rest, 2, out));
    for (int k = 0; k < 6; k++) assert_near(out[k], 0.0, 0.0);
    for (int i = 0; i < 20; i++) {
        for (int k = 0; k < 6; k++) phi[k] = rico_random_range(&random, -1, 1);
        assert_ok(ctx, rico_project_sign(ctx, 3, phi, 4, out));
        assert_ok(ctx, rico_project(ctx, w, 1, 3, phi, sign_of_velocity, NULL, 4, 20000, many));
        for (int k = 0; k < 10; k++) assert_near(out[k], many[k], 6.0 / 20000);
    }
    rico_context_destroy(ctx);
}


static rico_nes random_sink(rico_random *random)
{
    rico_nes nes = rico_nes_table();
    nes.omega1 = rico_random_range(random, 0.5, 2.0);
    nes.lambda = nes.omega1 * rico_random_range(random, 0.02, 0.9);
    nes.gamma = rico_random_range(random, 0.05, 2.0);
    nes.sigma = rico_random_range(random, -0.5, 0.5);
    nes.beta = rico_random_range(random, -0.2, 0.5);
    nes.f0 = rico_random_range(random, 0.5, 5.0);
    return nes;
}


// ---- the projected inclusion ----------------------------------------------------------------------------------

// In v = (x + eps y)/(1 + eps) and s = x - y the projection of the inclusion is the averaged model, up to eps.
static void test_projected(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random random;
    rico_random_seed(&random, 7);
    for (int i = 0; i < 20; i++) {
        rico_nes nes = random_sink(&random);
        double phi[4], off[2];
        for (int k = 0; k < 4; k++) phi[k] = rico_random_range(&random, 0.2, 2);
        for (int k = 0; k < 2; k++) {
            rico_dai_master master;
            rico_dai_sink sink;
            nes.eps = k ? 1e-4 : 1e-3;
            rico_dai_model model = rico_nes_as_dai(&nes, &master, &sink);
            double e = nes.eps, both[4], rate[4], averaged[4], slow[4];
            for (int c = 0; c < 2; c++) {
                both[c] = phi[c] + e / (1.0 + e) * phi[2 + c];
                both[2 + c] = phi[c] - phi[2 + c] / (1.0 + e);
            }
            assert_ok(ctx, rico_dai_projected_flow(ctx, &model, 64, both, rate));
            rico_nes_averaged_flow(&nes, phi, averaged);
            off[k] = 0.0;
            for (int c = 0; c < 2; c++) {
                slow[c] = (rate[c] + e * rate[2 + c]) / (1.0 + e);
                slow[2 + c] = rate[c] - rate[2 + c];
                off[k] = fmax(off[k], fabs(slow[c] - averaged[c]) / e);
                off[k] = fmax(off[k], fabs(slow[2 + c] - averaged[2 + c]));
            }
        }
        assert_at_most(off[0], 0.1);
        assert_near(off[0] / off[1], 10.0, 0.5);
    }
    rico_context_destroy(ctx);
}


static void cubic_constraint(void *user, const double *z, const double *x, double *G, double *P, double *Q)
{
    (void)user;
    for (int i = 0; i < 2; i++) G[i] = x[i] * x[i] * x[i] / 3.0 - z[i];
    P[0] = P[3] = -1.0, P[1] = P[2] = 0.0;
    Q[0] = x[0] * x[0], Q[3] = x[1] * x[1], Q[1] = Q[2] = 0.0;
}


static void linear_force(void *user, const double *z, double *h)
{
    const double *beta = user;
    for (int i = 0; i < 2; i++) h[i] = beta[i] * z[i];
}


// Two masters: one sink split in two halves is the same, a constraint of the caller's is, and a master without sinks is alone.
static void test_projected_many(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    double beta[] = {0.1, 0.4};
    const rico_dai_master masters[] = {{.omega = 1.0, .a0 = 0.1, .alpha0 = 0.1, .beta = beta[0], .f0 = 2.0},
                                       {.omega = 1.7, .a0 = 0.3, .alpha0 = 0.2, .beta = beta[1], .f0 = 0.7}};
    rico_dai_sink whole = {.on = 0, .eps = 0.01, .lambda = 0.1, .gamma = 0.3}, half = whole;
    half.eps *= 0.5;
    const rico_dai_sink halves[] = {half, half};
    const rico_dai_algebra algebra = {2, cubic_constraint, linear_force, beta};
    rico_dai_model one =
                       {.eps = 0.01, .w = 1.001, .masters = 2, .sinks = 1, .master = masters, .sink = &whole},
                   two = one, own = one, none = one;
    two.sinks = 2, two.sink = halves;
    own.algebra = &algebra;
    none.sinks = 0;
    const double phi[] = {0.7, -1.2, 0.3, 0.9, 1.4, 0.2, 1.4, 0.2};
    double a[8], b[8], c[8], d[8];
    assert_ok(ctx, rico_dai_projected_flow(ctx, &one, 64, phi, a));
    assert_ok(ctx, rico_dai_projected_flow(ctx, &two, 64, phi, b));
    assert_ok(ctx, rico_dai_projected_flow(ctx, &own, 64, phi, c));
    assert_ok(ctx, rico_dai_projected_flow(ctx, &none, 64, phi, d));
    for (int i = 0; i < 6; i++) {
        assert_near(b[i], a[i], 1e-15);
        assert_near(c[i], a[i], 1e-14);
    }
    for (int i = 0; i < 2; i++) {
        assert_near(b[6 + i], a[4 + i], 1e-15);
        assert_near(d[2 + i], a[2 + i], 1e-15);
        assert_true(d[i] != a[i]);
    }
    rico_context_destroy(ctx);
}


// <q>_1 of a master with nothing but friction: its flow without friction less that with it.
static void harmonic_of_friction(rico_context *ctx, rico_nes_friction kind, double stiffness,
                                 const double phi[2], int64_t samples, double out[2])
{
    rico_dai_master master = {
        .omega = 1.0, .alpha0 = 1.0, .friction = kind, .stiffness = stiffness, .shape = 1.0, .exponent = 1.0};
    rico_dai_model model = {.eps = 1.0, .w = 1.0, .masters = 1, .master = &master};
    assert_ok(ctx, rico_dai_projected_flow(ctx, &model, samples, phi, out));
    out[0] = -out[0], out[1] = -out[1];
}


// A Saint-Venant element on x = A cos: below yield a spring, above it Caughey's (kA/pi)(t - sin(2t)/2) in phase, cos t = 1 - 2/(kA), and 4 (A - 1/k)
// of energy per cycle; very stiff, the sign graph. Dahl's friction is Bouc and Wen's of shape and exponent 1 and takes
// 4 A - (4/k) tanh(kA) per cycle: dq/dx = k (1 - q sgn x') solved along both halves of the loop.
static void test_memory_harmonic(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random random;
    rico_random_seed(&random, 8);
    for (int i = 0; i < 40; i++) {
        double k = rico_random_range(&random, 0.2, 8.0),
               phi[] = {rico_random_range(&random, -2, 2), rico_random_range(&random, -2, 2)}, q[2], other[2];
        double A = hypot(phi[0], phi[1]), t = k * A > 1.0 ? acos(1.0 - 2.0 / (k * A)) : PI,
               spring = k * A / PI * (t - 0.5 * sin(2.0 * t));
        harmonic_of_friction(ctx, RICO_NES_SAINT_VENANT, k, phi, 2000, q);
        // <x>_1 = phi/(2i): q's part in phase with x is twice Re(<q>_1 conj(phi/i))/A
        assert_near(2.0 * (q[0] * phi[1] - q[1] * phi[0]) / A, spring, 1e-4 * (1.0 + spring));
        double work = 2.0 * PI * (q[0] * phi[0] + q[1] * phi[1]);
        assert_near(work, k * A > 1.0 ? 4.0 * (A - 1.0 / k) : 0.0, 1e-4 * (1.0 + A));
        harmonic_of_friction(ctx, RICO_NES_DAHL, k, phi, 2000, q);
        harmonic_of_friction(ctx, RICO_NES_BOUC_WEN, k, phi, 2000, other);
        for (int c = 0; c < 2; c++) assert_near(other[c], q[c], 1e-8);
        work = 2.0 * PI * (q[0] * phi[0] + q[1] * phi[1]);
        assert_near(work, 4.0 * A - 4.0 / k * tanh(k * A), 1e-4 * (1.0 + A));
        harmonic_of_friction(ctx, RICO_NES_SAINT_VENANT, 1e9, phi, 2000, q);
        harmonic_of_friction(ctx, RICO_NES_SIGN, 0.0, phi, 64, other);
        for (int c = 0; c < 2; c++) assert_near(q[c], other[c], 1e-3);
    }
    rico_context_destroy(ctx);
}


static void test_refusals(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    double phi[2] = {1.0}, out[8];
    assert_int_equal(rico_project(ctx, 1.0, 1, 1, phi, cube, NULL, 3, 7, out), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_project(ctx, 0.0, 1, 1, phi, cube, NULL, 1, 64, out), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_project_sign(ctx, 0, phi, 1, out), RICO_BAD_ARGUMENT);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_complexify),     cmocka_unit_test(test_projection),
        cmocka_unit_test(test_harmonics),      cmocka_unit_test(test_projected),
        cmocka_unit_test(test_projected_many), cmocka_unit_test(test_memory_harmonic),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
