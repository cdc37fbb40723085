// Nonlinear energy sinks, slowly: the manifold with its folds, the averaged model and its equilibria.
// Numbers of the table are those recomputed for the chapter by another program.

#include "ricochet/nes.h"
#include "support.h"

static const double PI = 3.14159265358979323846;

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
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_folds_of_table),      cmocka_unit_test(test_manifold),
        cmocka_unit_test(test_couplings),           cmocka_unit_test(test_manifold_harmonics),
        cmocka_unit_test(test_equilibria_of_table), cmocka_unit_test(test_equilibria),
        cmocka_unit_test(test_slow_flow),           cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
