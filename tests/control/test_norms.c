// Norms and matrix equations: closed forms, sweeps over frequencies, residuals, and what is refused.

#include "systems.h"

static rico_state_space *oscillator(double zeta, double omega)
{
    const double over[] = {omega * omega}, under[] = {1.0, 2.0 * zeta * omega, omega * omega};
    rico_state_space *sys = NULL;
    assert_ok(ctx, rico_state_space_transfer(ctx, 0, over, 2, under, &sys));
    return sys;
}


// 1/(2 zeta sqrt(1 - zeta^2)) at omega sqrt(1 - 2 zeta^2), and 1 at rest for zeta beyond 1/sqrt(2).
static void test_resonance(void **state)
{
    (void)state;
    const double zeta[] = {1e-6, 1e-3, 0.1, 0.5, 0.7, 0.8, 2.0};
    for (size_t i = 0; i < sizeof zeta / sizeof *zeta; i++) {
        double z = zeta[i], norm, at, omega = 3.7;
        bool peak = z < sqrt(0.5);
        rico_state_space *sys = oscillator(z, omega);
        assert_ok(ctx, rico_hinf_norm(sys, 1e-10, &norm, &at));
        double want = peak ? 1.0 / (2.0 * z * sqrt(1.0 - z * z)) : 1.0;
        assert_near(norm, want, 1e-8 * want);
        assert_near(at, peak ? omega * sqrt(1.0 - 2.0 * z * z) : 0.0, 1e-4 * omega);
        // H2: sqrt(omega/(4 zeta))
        assert_ok(ctx, rico_h2_norm(sys, &norm));
        assert_near(norm, sqrt(omega / (4.0 * z)), 1e-8 * norm);
        rico_state_space_destroy(sys);
    }
}


// (s + 1)/(s + 10) is largest at infinity, (10 - s)/(10 + s) everywhere the same.
static void test_direct_gains(void **state)
{
    (void)state;
    const double lead[] = {1.0, 1.0}, mirror[] = {-1.0, 10.0}, under[] = {1.0, 10.0};
    double norm, at;
    rico_state_space *sys;
    assert_ok(ctx, rico_state_space_transfer(ctx, 1, lead, 1, under, &sys));
    assert_ok(ctx, rico_hinf_norm(sys, 1e-10, &norm, &at));
    assert_near(norm, 1.0, 1e-12);
    assert_true(isinf(at));
    assert_refused(rico_h2_norm(sys, &norm), RICO_BAD_ARGUMENT, "the matrix D is not zero");
    rico_state_space_destroy(sys);
    assert_ok(ctx, rico_state_space_transfer(ctx, 1, mirror, 1, under, &sys));
    assert_ok(ctx, rico_hinf_norm(sys, 1e-10, &norm, &at));
    assert_near(norm, 1.0, 1e-10);
    rico_state_space_destroy(sys);
}


// Systems by chance: no frequency of a fine sweep exceeds the norm, and the frequency that it names attains it.
static void test_sweep(void **state)
{
    (void)state;
    enum { SYSTEMS = 20, FREQUENCIES = 2000 };
    rico_random random;
    rico_random_seed(&random, 21);
    for (int i = 0; i < SYSTEMS; i++) {
        double norm, at, values[4], largest = 0.0;
        rico_state_space *sys = random_system(&random, 6, 3, 2, true);
        assert_ok(ctx, rico_hinf_norm(sys, 1e-9, &norm, &at));
        for (int k = 0; k < FREQUENCIES; k++) {
            double omega = 1e-3 * pow(1e6, (double)k / (FREQUENCIES - 1));
            assert_ok(ctx, rico_state_space_singular_values(sys, omega, values));
            assert_true(values[0] >= values[1]);
            largest = fmax(largest, values[0]);
        }
        assert_at_most(largest, norm * (1.0 + 1e-8));
        if (isfinite(at)) {
            assert_ok(ctx, rico_state_space_singular_values(sys, at, values));
            assert_near(values[0], norm, 1e-12 * norm);
            assert_true(largest > 0.999 * norm || at < 1e-3);
        }
        rico_state_space_destroy(sys);
    }
}


// The square of the H2 norm is 1/(2 pi) times the integral of all |G_ij|^2, with omega = tan(theta).
static void test_h2(void **state)
{
    (void)state;
    enum { STEPS = 4000 };
    rico_random random;
    rico_random_seed(&random, 22);
    rico_state_space *with = random_system(&random, 5, 2, 3, true), *sys;
    assert_ok(ctx, rico_state_space_create(ctx, 5, 2, 3, with->a, with->b, with->c, NULL, &sys));
    double sum = 0.0, norm, pi = acos(-1.0), width = pi / STEPS;
    for (int k = 0; k < STEPS;
         k++) { // the integrand is periodic in theta: the midpoint rule converges at once
        double theta = -0.5 * pi + (k + 0.5) * width, square = 0.0;
        double complex g[LARGEST];
        response(sys, tan(theta), g);
        for (int i = 0; i < 6; i++) square += creal(g[i] * conj(g[i]));
        sum += width * square / (cos(theta) * cos(theta));
    }
    assert_ok(ctx, rico_h2_norm(sys, &norm));
    assert_near(norm, sqrt(sum / (2.0 * pi)), 1e-8 * norm);
    rico_state_space_destroy(with);
    rico_state_space_destroy(sys);
}


static double entry(int64_t n, const double *a, const double *b, int64_t i, int64_t j)
{
    double sum = 0.0;
    for (int64_t k = 0; k < n; k++) sum += a[i + k * n] * b[k + j * n];
    return sum;
}


static void product(int64_t n, const double *a, const double *b, double *c)
{
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) c[i + j * n] = entry(n, a, b, i, j);
}


// A random matrix times its transpose, times a factor.
static void square(rico_random *random, int64_t n, double factor, double *a)
{
    double b[64] = {0.0};
    for (int64_t i = 0; i < n * n; i++) b[i] = rico_random_range(random, -1.0, 1.0);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            a[i + j * n] = 0.0;
            for (int64_t k = 0; k < n; k++) a[i + j * n] += factor * b[i + k * n] * b[j + k * n];
        }
}


// Residuals over random equations, X symmetric, A - R X stable; one of order 1 by hand.
static void test_riccati(void **state)
{
    (void)state;
    enum { N = 6, CASES = 30 };
    rico_random random;
    rico_random_seed(&random, 23);
    for (int c = 0; c < CASES; c++) {
        double a[N * N], r[N * N], q[N * N], x[N * N], xa[N * N], rx[N * N], xrx[N * N], loop[N * N], real[N],
            imag[N];
        for (int i = 0; i < N * N; i++) a[i] = rico_random_range(&random, -1.0, 1.0);
        square(&random, N, 1.0, r);
        square(&random, N, 1.0, q);
        assert_ok(ctx, rico_riccati(ctx, N, a, r, q, x));
        product(N, x, a, xa);
        product(N, r, x, rx);
        product(N, x, rx, xrx);
        double size = 0.0;
        for (int i = 0; i < N * N; i++) size = fmax(size, fabs(xrx[i]) + fabs(q[i]));
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                int at = i + j * N;
                assert_at_most(fabs(xa[j + i * N] + xa[at] - xrx[at] + q[at]), 1e-11 * size);
                assert_true(x[at] == x[j + i * N]);
            }
        for (int i = 0; i < N * N; i++) loop[i] = a[i] - rx[i];
        rico_state_space *closed;
        assert_ok(ctx, rico_state_space_create(ctx, N, N, N, loop, r, q, NULL, &closed));
        assert_ok(ctx, rico_state_space_poles(closed, real, imag));
        for (int i = 0; i < N; i++) assert_true(real[i] < 0.0);
        rico_state_space_destroy(closed);
    }
    // R of the other sign: -2 x + x^2/4 + 3 = 0 has 2 and 6, and -1 + x/4 < 0 is the smaller
    const double minus = -1.0, quarter = -0.25, three = 3.0, five = 5.0;
    double root;
    assert_ok(ctx, rico_riccati(ctx, 1, &minus, &quarter, &three, &root));
    assert_near(root, 2.0, 1e-14);
    assert_refused(rico_riccati(ctx, 1, &minus, &quarter, &five, &root), RICO_SINGULAR, "no solution");
    // a mode that R does not reach cannot be stabilized
    const double grows[] = {1.0, 0.0, 0.0, 2.0}, reach[] = {1.0, 0.0, 0.0, 0.0},
                 cost[] = {1.0, 0.0, 0.0, 1.0};
    double x[4];
    assert_refused(rico_riccati(ctx, 2, grows, reach, cost, x), RICO_SINGULAR, "no solution");
    const double wrong = NAN;
    assert_refused(rico_riccati(ctx, 1, &wrong, &quarter, &five, &root), RICO_BAD_INPUT, "not finite");
}


// States that differ by factors, up to 1e12 in all, and poles a little to the left of the axis beside fast ones: oscillators that the control
// reaches weakly, x'' + 2 z w x' + w^2 x = u and no cost but eps x'^2. Of each X is known by hand: diag(w^2 p, p) with
// r p^2 + 4 z w p - eps = 0.
static void test_riccati_scales(void **state)
{
    (void)state;
    enum { PAIRS = 8, N = 2 * PAIRS };
    double a[N * N] = {0.0}, r[N * N] = {0.0}, q[N * N] = {0.0}, x[N * N], p[PAIRS], w[PAIRS], scale[N];
    for (int i = 0; i < PAIRS; i++) {
        double z = 1e-7, reach = pow(10.0, i - 4), cost = 1e-3;
        w[i] = pow(10.0, 0.75 * i - 2.0);
        scale[2 * i] = pow(10.0, 6 - i), scale[2 * i + 1] = pow(10.0, i - 6);
        int at = 2 * i + 2 * i * N;
        a[at + N] = 1.0;
        a[at + 1] = -w[i] * w[i];
        a[at + 1 + N] = -2.0 * z * w[i];
        r[at + 1 + N] = reach;
        q[at + 1 + N] = cost;
        double half = 2.0 * z * w[i];
        p[i] = cost / (half + sqrt(half * half + reach * cost));
    }
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            a[i + j * N] *= scale[j] / scale[i];
            r[i + j * N] /= scale[i] * scale[j];
            q[i + j * N] *= scale[i] * scale[j];
        }
    assert_ok(ctx, rico_riccati(ctx, N, a, r, q, x));
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            double one = w[i / 2], other = w[j / 2];
            double left = sqrt(p[i / 2]) * (i % 2 == 0 ? one : 1.0) * scale[i],
                   right = sqrt(p[j / 2]) * (j % 2 == 0 ? other : 1.0) * scale[j];
            assert_near(x[i + j * N], i == j ? left * right : 0.0, 1e-9 * left * right);
        }
}


// Without a cost, poles on the axis stay there: no X stabilizes, and what round-off makes of double eigenvalues must not pass for one.
static void test_riccati_axis(void **state)
{
    (void)state;
    enum { N = 4 };
    rico_random random;
    rico_random_seed(&random, 29);
    for (int c = 0; c < 20; c++) {
        double a[N * N] = {0.0}, r[N * N], q[N * N] = {0.0}, x[N * N];
        for (int i = 0; i < N; i += 2) {
            double omega = rico_random_range(&random, 0.1, 10.0);
            a[i + 1 + i * N] = -omega, a[i + (i + 1) * N] = omega;
        }
        square(&random, N, 1.0, r);
        assert_refused(rico_riccati(ctx, N, a, r, q, x), RICO_SINGULAR, "no solution");
    }
}


static void test_lyapunov(void **state)
{
    (void)state;
    enum { N = 7, CASES = 20 };
    rico_random random;
    rico_random_seed(&random, 24);
    for (int c = 0; c < CASES; c++) {
        double a[N * N], q[N * N], x[N * N], ax[N * N];
        for (int i = 0; i < N * N; i++) a[i] = rico_random_range(&random, -1.0, 1.0);
        square(&random, N, c % 2 == 0 ? 1.0 : -1.0, q);
        assert_ok(ctx, rico_lyapunov(ctx, N, a, q, x));
        product(N, a, x, ax);
        double size = 1.0;
        for (int i = 0; i < N * N; i++) size = fmax(size, fabs(x[i]));
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++)
                assert_at_most(fabs(ax[i + j * N] + ax[j + i * N] + q[i + j * N]), 1e-12 * size);
    }
    const double swing[] = {0.0, -1.0, 1.0, 0.0}, eye[] = {1.0, 0.0, 0.0, 1.0};
    double x[4];
    assert_refused(rico_lyapunov(ctx, 2, swing, eye, x), RICO_SINGULAR, "add up to zero");
    const double wrong[] = {0.0, -1.0, NAN, 0.0};
    assert_refused(rico_lyapunov(ctx, 2, wrong, eye, x), RICO_BAD_INPUT, "not finite");
}


static void test_refused(void **state)
{
    (void)state;
    const double one[] = {1.0}, grows[] = {1.0, -2.0}, still[] = {1.0, 0.0};
    double norm;
    rico_state_space *sys;
    assert_ok(ctx, rico_state_space_transfer(ctx, 0, one, 1, grows, &sys));
    assert_refused(rico_hinf_norm(sys, 1e-6, &norm, NULL), RICO_BAD_ARGUMENT, "its pole 2 +0i is not stable");
    assert_refused(rico_h2_norm(sys, &norm), RICO_BAD_ARGUMENT, "its pole 2 +0i is not stable");
    rico_state_space_destroy(sys);
    assert_ok(ctx, rico_state_space_transfer(ctx, 0, one, 1, still, &sys));
    assert_refused(rico_hinf_norm(sys, 1e-6, &norm, NULL), RICO_BAD_ARGUMENT, "is not stable");
    assert_refused(rico_hinf_norm(sys, 0.0, &norm, NULL), RICO_BAD_ARGUMENT, "the tolerance 0");
    rico_state_space_destroy(sys);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_resonance),    cmocka_unit_test(test_direct_gains),
        cmocka_unit_test(test_sweep),        cmocka_unit_test(test_h2),
        cmocka_unit_test(test_riccati),      cmocka_unit_test(test_riccati_scales),
        cmocka_unit_test(test_riccati_axis), cmocka_unit_test(test_lyapunov),
        cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, context_start, context_end);
}
