// Nonlinear energy sinks, slowly: projections against closed forms, the manifold with its folds, the averaged model and its equilibria.
// Numbers of the table are those recomputed for the chapter by another program.

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


// ---- the manifold ---------------------------------------------------------------------------------------------

static void test_folds_of_table(void **state)
{
    (void)state;
    static const double N2[] = {2.1240571449, 3.6422738808}, N1[] = {1.4212980354, 0.3646893394},
                        N3[] = {0.7177868139, 0.0121257668}, LANDING[] = {4.2004082132, 0.3665359745};
    rico_context *ctx = rico_context_create(NULL);
    rico_nes nes = rico_nes_table();
    rico_nes_fold fold[4];
    int64_t count;
    assert_ok(ctx, rico_nes_folds(ctx, &nes, 0.0, 4, fold, &count));
    assert_int_equal(count, 2);
    for (int i = 0; i < 2; i++) {
        assert_near(fold[i].at.n2, N2[i], 5e-11);
        assert_near(fold[i].at.n1, N1[i], 5e-11);
        assert_near(fold[i].at.n3, N3[i], 5e-11);
        assert_near(fold[i].landing, LANDING[i], 5e-11);
        assert_near(fold[i].at.slope, 0.0, 1e-14);
        assert_near(rico_nes_manifold(&nes, fold[i].landing).n1, fold[i].at.n1, 1e-14);
    }
    // the chapter prints 2.124 and 3.642
    assert_near(fold[0].at.n2, 2.124, 5e-4);
    assert_near(fold[1].at.n2, 3.642, 5e-4);
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


// Folds, where dH1/dN2 = 0 and where stability changes, are the same; there are none from lambda/w1 = 1/sqrt 3 on. The inverse has three roots
// between the folds and one beside, all of c^2 X^3 - 2c X^2 + (1 + lambda^2/w1^2) X = N1^2.
static void test_manifold(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random random;
    rico_random_seed(&random, 4);
    int with = 0, without = 0;
    for (int i = 0; i < 100; i++) {
        rico_nes nes = random_sink(&random);
        double a = nes.lambda / nes.omega1, c = 0.75 * nes.gamma / pow(nes.omega1, 4), root[8];
        rico_nes_fold fold[4];
        int64_t folds, roots;
        assert_ok(ctx, rico_nes_folds(ctx, &nes, 0.0, 4, fold, &folds));
        assert_int_equal(folds, a < 1.0 / sqrt(3.0) ? 2 : 0);
        with += folds > 0, without += folds == 0;
        for (int64_t k = 0; k < folds; k++) {
            double at = fold[k].at.n2, h = 1e-4 * at;
            // a maximum first, then a minimum
            assert_true((rico_nes_manifold(&nes, at + h).n1 < fold[k].at.n1) == (k == 0));
            assert_true((rico_nes_manifold(&nes, at - h).n1 < fold[k].at.n1) == (k == 0));
            assert_true(rico_nes_manifold(&nes, at - h).stable == (k == 0));
            assert_true(rico_nes_manifold(&nes, at + h).stable == (k == 1));
        }
        for (int k = 0; k < 20; k++) {
            double n2 = rico_random_range(&random, 0.01, 2.0) / sqrt(c), h = 1e-6 * n2, x = n2 * n2;
            rico_nes_point at = rico_nes_manifold(&nes, n2);
            double slope =
                (rico_nes_manifold(&nes, n2 + h).n1 - rico_nes_manifold(&nes, n2 - h).n1) / (2.0 * h);
            assert_near(at.slope, slope, 1e-7 * (1.0 + fabs(slope)));
            assert_near(at.n1 * at.n1, c * c * x * x * x - 2.0 * c * x * x + (1.0 + a * a) * x,
                        1e-12 * (1.0 + x));
            assert_near(at.n1 * cos(at.phase), n2 * (1.0 - c * x), 1e-13 * (1.0 + n2 + c * n2 * x));
            assert_near(at.n1 * sin(at.phase), -n2 * a, 1e-13 * (1.0 + n2 + c * n2 * x));
            // the fast eigenvalues: sum -lambda, product (w1^2/4)(1 + a^2 - 4cX + 3c^2X^2)
            double turn = 1.0 + a * a - 4.0 * c * x + 3.0 * c * c * x * x, w = nes.omega1;
            assert_near(at.fast[0][0] + at.fast[1][0], -nes.lambda, 1e-14);
            assert_near(at.fast[0][0] * at.fast[1][0] - at.fast[0][1] * at.fast[1][1], 0.25 * w * w * turn,
                        1e-13 * (1.0 + w * w * fabs(turn)));
            assert_true(at.stable == (turn > 0.0));
            assert_ok(ctx, rico_nes_inverse(ctx, &nes, at.n1, 0.0, 8, root, &roots));
            bool between = folds && at.n1 < fold[0].at.n1 && at.n1 > fold[1].at.n1;
            assert_int_equal(roots, between ? 3 : 1);
            double nearest = INFINITY;
            for (int64_t r = 0; r < roots; r++) {
                assert_near(rico_nes_manifold(&nes, root[r]).n1, at.n1, 1e-12 * (1.0 + at.n1));
                nearest = fmin(nearest, fabs(root[r] - n2));
            }
            assert_at_most(nearest, 1e-7 * n2);
        }
    }
    assert_true(with > 20 && without > 20);
    // next to a fold, nothing is missed
    rico_nes nes = rico_nes_table();
    double root[8];
    int64_t roots;
    assert_ok(ctx, rico_nes_inverse(ctx, &nes, 1.4212980354 - 1e-9, 0.0, 8, root, &roots));
    assert_int_equal(roots, 3);
    assert_ok(ctx, rico_nes_inverse(ctx, &nes, 1.4212980354 + 1e-9, 0.0, 8, root, &roots));
    assert_int_equal(roots, 1);
    rico_context_destroy(ctx);
}


static double own_cube(void *user, double s)
{
    return *(double *)user * s * s * s;
}


// Other couplings: a cube of the caller's is the cube; a gap has the stiffness of its projection, and folds where the slope vanishes.
static void test_couplings(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_nes cubic = rico_nes_table(), own = cubic, gap = cubic;
    own.coupling = RICO_NES_OTHER, own.force = own_cube, own.user = &cubic.gamma;
    gap.coupling = RICO_NES_GAP, gap.gap = 1.0, gap.gamma = 3.0;
    for (double n2 = 0.3; n2 < 6.0; n2 += 0.37) {
        rico_nes_point a = rico_nes_manifold(&cubic, n2), b = rico_nes_manifold(&own, n2);
        assert_near(a.n1, b.n1, 1e-13);
        assert_near(a.slope, b.slope, 1e-8);
    }
    rico_nes_fold first[4], second[4];
    int64_t folds;
    assert_ok(ctx, rico_nes_folds(ctx, &cubic, 0.0, 4, first, &folds));
    assert_ok(ctx, rico_nes_folds(ctx, &own, 10.0, 4, second, &folds));
    assert_int_equal(folds, 2);
    for (int i = 0; i < 2; i++) {
        assert_near(second[i].at.n2, first[i].at.n2, 1e-8);
        assert_near(second[i].landing, first[i].landing, 1e-7);
    }
    // the gap: against samples
    for (double n2 = 0.3; n2 < 9.0; n2 += 0.61) {
        double sum = 0.0, h = 1e-6;
        enum { SAMPLES = 200000 };
        for (int i = 0; i < SAMPLES; i++) {
            double c = cos(2.0 * PI * i / SAMPLES);
            sum += 2.0 / SAMPLES * rico_nes_gamma(&gap, n2 * c) * c / n2;
        }
        assert_near(rico_nes_stiffness(&gap, n2), sum, 1e-9);
        double slope = (rico_nes_manifold(&gap, n2 + h).n1 - rico_nes_manifold(&gap, n2 - h).n1) / (2.0 * h);
        assert_near(rico_nes_manifold(&gap, n2).slope, slope, 1e-6);
    }
    assert_ok(ctx, rico_nes_folds(ctx, &gap, 0.0, 4, first, &folds));
    assert_int_equal(folds, 2);
    for (int i = 0; i < 2; i++) {
        assert_near(first[i].at.slope, 0.0, 1e-10);
        assert_near(rico_nes_manifold(&gap, first[i].landing).n1, first[i].at.n1, 1e-10);
        assert_true(rico_nes_manifold(&gap, first[i].landing).stable);
    }
    assert_true(first[0].landing > first[1].at.n2 && first[1].landing < first[0].at.n2);
    rico_context_destroy(ctx);
}


// One period of s'' + lambda s' + gamma s^3 = -w^2 v from the balance with eight harmonics comes back; with one it is the manifold.
static void test_manifold_harmonics(void **state)
{
    (void)state;
    enum { STEPS = 4000 };
    rico_context *ctx = rico_context_create(NULL);
    rico_nes nes = rico_nes_table();
    for (double n2 = 0.5; n2 < 4.6; n2 += 0.5) {
        double phi[2 * RICO_NES_HARMONICS], n1, s[2] = {0.0}, h = 2.0 * PI / STEPS;
        assert_ok(ctx, rico_nes_manifold_harmonics(ctx, &nes, n2, 1, phi, &n1));
        assert_near(n1, rico_nes_manifold(&nes, n2).n1, 1e-13);
        assert_ok(ctx, rico_nes_manifold_harmonics(ctx, &nes, n2, RICO_NES_HARMONICS, phi, &n1));
        for (int i = 0; i < RICO_NES_HARMONICS; i++) {
            s[0] += phi[2 * i + 1] / (2 * i + 1);
            s[1] += phi[2 * i];
        }
        // phi1 from the balance of energy and of forces: integrate with v = (N1/w) sin(wt + delta) for the delta that fits best
        double best = INFINITY;
        for (int k = 0; k < 2; k++) {
            // power: <v' lambda s'> fixes the phase up to the branch of the arc sine; try both
            double power = 0.0;
            for (int i = 0; i < RICO_NES_HARMONICS; i++)
                power += 0.5 * nes.lambda * (phi[2 * i] * phi[2 * i] + phi[2 * i + 1] * phi[2 * i + 1]);
            // <-w^2 v s'> = power: v = Im(phi1 e^{iwt})/w, s' = Re(phi2 e^{iwt}) gives -(w/2) N1 N2 sin(delta)
            double delta = asin(-2.0 * power / (n1 * n2)), x[2] = {s[0], s[1]};
            if (k) delta = PI - delta;
            for (int i = 0; i < STEPS; i++) {
                double slope[2] = {0.0}, sum[2] = {0.0};
                static const double AT[] = {0.0, 0.5, 0.5, 1.0},
                                    WEIGHT[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
                for (int j = 0; j < 4; j++) {
                    double p = x[0] + AT[j] * h * slope[0], u = x[1] + AT[j] * h * slope[1],
                           t = (i + AT[j]) * h;
                    slope[0] = u;
                    slope[1] = -nes.lambda * u - nes.gamma * p * p * p - n1 * sin(t + delta);
                    sum[0] += WEIGHT[j] * slope[0], sum[1] += WEIGHT[j] * slope[1];
                }
                x[0] += h * sum[0], x[1] += h * sum[1];
            }
            best = fmin(best, hypot(x[0] - s[0], x[1] - s[1]));
        }
        assert_at_most(best, 2e-5 * n2);
    }
    rico_context_destroy(ctx);
}


// ---- equilibria -----------------------------------------------------------------------------------------------

static void test_equilibria_of_table(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_nes nes = rico_nes_table(), undamped = nes, bare = nes;
    undamped.a0 = 0.0, bare.a0 = bare.beta = 0.0;
    rico_nes_equilibrium at, all[8];
    rico_nes_fold fold[2];
    int64_t count;
    assert_ok(ctx, rico_nes_folds(ctx, &nes, 0.0, 2, fold, &count));
    // f0 at the folds: corrected, without a0, without a0 and beta; delta1
    static const double F0[3][2] = {{0.749656, 3.809873}, {0.644483, 3.773485}, {0.594602, 3.773567}},
                        DELTA[] = {-0.899265, -1.637290}, PRINTED[] = {0.3933, 3.6311};
    for (int i = 0; i < 2; i++) {
        const rico_nes *which[] = {&nes, &undamped, &bare};
        for (int k = 0; k < 3; k++) {
            assert_ok(ctx, rico_nes_equilibrium_at(ctx, which[k], fold[i].at.n2, &at));
            assert_near(at.f0, F0[k][i], 5e-7);
            if (k == 0) assert_near(at.delta1, DELTA[i], 5e-7);
        }
        // as printed in (47), eta = 1 at the first and -1 at the second, the other sign contradicting itself
        double f0, delta;
        bool compatible;
        assert_ok(ctx, rico_nes_equilibrium_printed(ctx, &nes, fold[i].at.n2, i ? -1 : 1, &f0, &delta,
                                                    &compatible));
        assert_near(f0, PRINTED[i], 5e-5);
        assert_true(compatible);
        assert_ok(ctx, rico_nes_equilibrium_printed(ctx, &nes, fold[i].at.n2, i ? 1 : -1, &f0, &delta,
                                                    &compatible));
        assert_false(compatible);
        // neither is what the chapter says it is: 0.242 and 4.019
        assert_true(fabs(f0 - (i ? 4.019 : 0.242)) > 0.1 && fabs(F0[0][i] - (i ? 4.019 : 0.242)) > 0.1);
    }
    // amplitudes for given f0, to a unit of the last digit that was printed
    static const double GIVEN[] = {0.2, 0.242, 0.4, 0.5, 0.55},
                        N2[] = {0.3132, 0.4872, 1.3454, 1.7106, 1.8225},
                        N1[] = {0.3125, 0.4810, 1.1705, 1.3461, 1.3806};
    for (int i = 0; i < 5; i++) {
        nes.f0 = GIVEN[i];
        assert_ok(ctx, rico_nes_equilibria(ctx, &nes, 0.0, 8, all, &count));
        assert_int_equal(count, 1);
        assert_true(all[0].stable);
        assert_near(all[0].at.n2, N2[i], 1e-4);
        assert_near(all[0].at.n1, N1[i], 1e-4);
        assert_near(all[0].f0, GIVEN[i], 1e-14);
    }
    // f0(N2) turns at 8.1966 and 1.3761: between them there is a detached branch of large N1
    assert_ok(ctx, rico_nes_turning_points(ctx, &nes, 0.0, 8, all, &count));
    assert_int_equal(count, 2);
    assert_near(all[0].f0, 8.1966, 5e-5);
    assert_near(all[0].at.n2, 4.9924, 5e-5);
    assert_near(all[1].f0, 1.3761, 5e-5);
    assert_near(all[1].at.n2, 5.7665, 5e-5);
    nes.f0 = 4.019;
    assert_ok(ctx, rico_nes_equilibria(ctx, &nes, 0.0, 8, all, &count));
    assert_int_equal(count, 3);
    static const double HIGH2[] = {3.7064, 5.5974, 5.8860}, HIGH1[] = {0.3873, 7.58, 9.43};
    for (int i = 0; i < 3; i++) {
        assert_near(all[i].at.n2, HIGH2[i], 1e-4);
        assert_near(all[i].at.n1, HIGH1[i], i ? 5e-3 : 5e-5);
        assert_true(all[i].stable == (i != 1));
    }
    static const double BELOW_OR_ABOVE[] = {1.3, 1.4, 8.1, 8.3};
    static const int64_t HOW_MANY[] = {1, 3, 3, 1};
    for (int i = 0; i < 4; i++) {
        nes.f0 = BELOW_OR_ABOVE[i];
        assert_ok(ctx, rico_nes_equilibria(ctx, &nes, 0.0, 8, all, &count));
        assert_int_equal(count, HOW_MANY[i]);
    }
    rico_context_destroy(ctx);
}


// Of any parameters: at an equilibrium nothing moves in the averaged model and on the manifold, f0^2 = S^2 + C^2, the eigenvalues are those of
// differences of the flow: their sum is its trace, and their product its determinant.
static void test_equilibria(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random random;
    rico_random_seed(&random, 5);
    for (int i = 0; i < 100; i++) {
        rico_nes nes = random_sink(&random);
        double c = 0.75 * nes.gamma / pow(nes.omega1, 4), n2 = rico_random_range(&random, 0.1, 1.8) / sqrt(c),
               rate[4];
        rico_nes_equilibrium at;
        assert_ok(ctx, rico_nes_equilibrium_at(ctx, &nes, n2, &at));
        nes.f0 = at.f0;
        double n1 = at.at.n1, w = nes.omega1,
               S = nes.lambda * n2 * n2 / n1 + 4.0 * nes.alpha0 / PI + nes.a0 * n1,
               C = w * n2 * n2 * (1.0 - c * n2 * n2) / n1 - (w + 2.0 * nes.sigma) * n1 +
                   nes.beta * n1 * n1 * n1 / (4.0 * w * w * w),
               phi[] = {n1 * cos(at.delta1), n1 * sin(at.delta1), n2 * cos(at.delta2), n2 * sin(at.delta2)};
        double scale = 1.0 + n1 + n1 * n1 * n1 + n2 * n2 * n2;
        assert_near(at.f0 * at.f0, S * S + C * C, 1e-12 * at.f0 * at.f0);
        assert_near(at.f0 * sin(at.delta1), -S, 1e-12 * at.f0);
        rico_nes_averaged_flow(&nes, phi, rate);
        for (int k = 0; k < 4; k++) assert_near(rate[k], 0.0, 1e-13 * scale);
        rico_nes_slow_flow(&nes, n2, at.delta2, rate);
        for (int k = 0; k < 2; k++) assert_near(rate[k] * at.at.slope, 0.0, 1e-10 * scale);
        double trace = 0.0, sum = 0.0, J[4][4];
        for (int k = 0; k < 4; k++) {
            double plus[4], minus[4], h = 1e-5, there[4];
            memcpy(there, phi, sizeof there);
            there[k] += h, rico_nes_averaged_flow(&nes, there, plus);
            there[k] -= 2.0 * h, rico_nes_averaged_flow(&nes, there, minus);
            for (int r = 0; r < 4; r++) J[r][k] = (plus[r] - minus[r]) / (2.0 * h);
            trace += J[k][k];
            sum += at.eigenvalue[k][0];
        }
        assert_near(sum, trace, 1e-7 * scale);
        // |det(J - mu)| vanishes at each eigenvalue that is real
        for (int k = 0; k < 4; k++) {
            if (at.eigenvalue[k][1] != 0.0) continue;
            double A[4][4], det = 1.0;
            for (int r = 0; r < 4; r++)
                for (int q = 0; q < 4; q++) A[r][q] = J[r][q] - (r == q ? at.eigenvalue[k][0] : 0.0);
            for (int p = 0; p < 4; p++) {
                int best = p;
                for (int r = p; r < 4; r++)
                    if (fabs(A[r][p]) > fabs(A[best][p])) best = r;
                for (int q = 0; q < 4; q++) {
                    double swap = A[p][q];
                    A[p][q] = A[best][q], A[best][q] = swap;
                }
                det *= A[p][p];
                for (int r = p + 1; r < 4; r++)
                    for (int q = 3; q >= p; q--) A[r][q] -= A[r][p] / A[p][p] * A[p][q];
            }
            assert_near(det, 0.0, 1e-9 * pow(scale, 3));
        }
    }
    rico_context_destroy(ctx);
}


// On the manifold the fast flow rests whatever the phase, and the slow one is what phi1 does: the chain rule, by differences.
static void test_slow_flow(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 6);
    for (int i = 0; i < 100; i++) {
        rico_nes nes = random_sink(&random);
        double c = 0.75 * nes.gamma / pow(nes.omega1, 4), n2 = rico_random_range(&random, 0.1, 1.8) / sqrt(c),
               delta2 = rico_random_range(&random, -3, 3), rate[4], slow[2], h = 1e-6;
        rico_nes_point at = rico_nes_manifold(&nes, n2);
        if (fabs(at.slope) < 0.05) continue;
        double delta1 = delta2 + at.phase,
               phi[] = {at.n1 * cos(delta1), at.n1 * sin(delta1), n2 * cos(delta2), n2 * sin(delta2)};
        rico_nes_averaged_flow(&nes, phi, rate);
        assert_near(hypot(rate[2], rate[3]), 0.0, 1e-13 * (1.0 + n2 * n2 * n2));
        rico_nes_slow_flow(&nes, n2, delta2, slow);
        for (int k = 0; k < 2; k++) {
            double along[2];
            for (int side = 0; side < 2; side++) {
                double step = side ? -h : h, there = n2 + step * slow[0], turn = delta2 + step * slow[1];
                rico_nes_point p = rico_nes_manifold(&nes, there);
                along[side] = p.n1 * (k ? sin(turn + p.phase) : cos(turn + p.phase));
            }
            assert_near((along[0] - along[1]) / (2.0 * h), rate[k] / nes.eps,
                        1e-6 * (1.0 + hypot(slow[0], slow[1]) * (1.0 + slow[0] * slow[0])));
        }
    }
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
    rico_nes nes = rico_nes_table(), wrong = nes;
    rico_nes_equilibrium at;
    rico_nes_fold fold[1];
    double phi[4] = {1.0}, out[8], n1;
    bool compatible;
    int64_t count;
    wrong.gamma = 0.0;
    assert_int_equal(rico_nes_folds(ctx, &wrong, 0.0, 1, fold, &count), RICO_BAD_ARGUMENT);
    assert_string_equal(rico_message(ctx), "gamma of the sink's model must be positive, got 0");
    wrong = nes, wrong.lambda = -0.1;
    assert_int_equal(rico_nes_equilibrium_at(ctx, &wrong, 1.0, &at), RICO_BAD_ARGUMENT);
    wrong = nes, wrong.coupling = (rico_nes_coupling)7;
    assert_int_equal(rico_nes_equilibrium_at(ctx, &wrong, 1.0, &at), RICO_BAD_ARGUMENT);
    assert_string_equal(rico_message(ctx), "a sink has no coupling 7");
    wrong = nes, wrong.f0 = -1.0;
    assert_int_equal(rico_nes_equilibrium_at(ctx, &wrong, 1.0, &at), RICO_BAD_ARGUMENT);
    wrong = nes, wrong.eps = NAN;
    assert_int_equal(rico_nes_equilibria(ctx, &wrong, 0.0, 1, &at, &count), RICO_BAD_ARGUMENT);
    wrong = nes, wrong.f0 = INFINITY;
    assert_int_equal(rico_nes_averaged_advance(ctx, &wrong, 0.1, 1, phi), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_nes_averaged_advance(ctx, &nes, 0.0, 1, phi), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_nes_averaged_advance(ctx, &nes, 1e9, 10, phi), RICO_BAD_ARGUMENT);
    wrong = nes, wrong.coupling = RICO_NES_OTHER;
    assert_int_equal(rico_nes_folds(ctx, &wrong, 0.0, 1, fold, &count), RICO_BAD_ARGUMENT);
    wrong.force = own_cube, wrong.user = &nes.gamma; // has no reach of its own
    assert_int_equal(rico_nes_folds(ctx, &wrong, 0.0, 1, fold, &count), RICO_BAD_ARGUMENT);
    wrong = nes, wrong.coupling = RICO_NES_GAP, wrong.gap = -1.0;
    assert_int_equal(rico_nes_folds(ctx, &wrong, 0.0, 1, fold, &count), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_nes_inverse(ctx, &nes, -1.0, 0.0, 1, out, &count), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_nes_equilibrium_at(ctx, &nes, 0.0, &at), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_nes_equilibrium_printed(ctx, &nes, 1.0, 0.5, out, out + 1, &compatible),
                     RICO_BAD_ARGUMENT);
    assert_int_equal(rico_nes_manifold_harmonics(ctx, &nes, 1.0, RICO_NES_HARMONICS + 1, out, &n1),
                     RICO_BAD_ARGUMENT);
    assert_int_equal(rico_project(ctx, 1.0, 1, 1, phi, cube, NULL, 3, 7, out), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_project(ctx, 0.0, 1, 1, phi, cube, NULL, 1, 64, out), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_project_sign(ctx, 0, phi, 1, out), RICO_BAD_ARGUMENT);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_complexify),         cmocka_unit_test(test_projection),
        cmocka_unit_test(test_harmonics),          cmocka_unit_test(test_folds_of_table),
        cmocka_unit_test(test_manifold),           cmocka_unit_test(test_couplings),
        cmocka_unit_test(test_manifold_harmonics), cmocka_unit_test(test_equilibria_of_table),
        cmocka_unit_test(test_equilibria),         cmocka_unit_test(test_slow_flow),
        cmocka_unit_test(test_projected),          cmocka_unit_test(test_projected_many),
        cmocka_unit_test(test_memory_harmonic),    cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
