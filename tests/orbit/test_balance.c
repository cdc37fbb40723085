// Harmonic balance with the contact law as it is: numbers of one mass, convergence, independence of alpha.

#include "failing_memory.h"
#include "la/nnls.h"
#include "ricochet/modes.h"

static rico_modes *one_mass(rico_context *ctx)
{
    const double one = 1.0, w = -1.0;
    rico_modes *modes;
    assert_ok(ctx, rico_modes_create(ctx, 1, &one, &one, &w, 1.0, &modes));
    return modes;
}


// m = k = g0 = 1, alpha = 5, 512 points: mean energy and penetration.
static void test_one_mass(void **state)
{
    (void)state;
    static const struct {
        double omega;
        int harmonics;
        double energy, penetration, digit;
    } EXPECTED[] = {{1.2, 2, 1.230464, 0.17444, 6e-6},  {1.2, 5, 0.915062, 0.08300, 6e-6},
                    {1.2, 10, 0.798311, 0.04205, 6e-6}, {1.2, 20, 0.736183, 0.02076, 6e-6},
                    {1.5, 5, 4.718897, 0.2210, 6e-5},   {1.5, 10, 3.164255, 0.1021, 6e-5},
                    {1.5, 20, 2.555333, 0.0496, 6e-5}};
    rico_context *ctx = rico_context_create(NULL);
    rico_modes *modes = one_mass(ctx);
    for (size_t i = 0; i < sizeof EXPECTED / sizeof *EXPECTED; i++) {
        double force[32] = {0.0};
        rico_modes_balance b = {.omega = EXPECTED[i].omega, .harmonics = EXPECTED[i].harmonics, .alpha = 5.0};
        assert_ok(ctx, rico_modes_balance_solve(modes, &b, force));
        assert_near(b.energy, EXPECTED[i].energy, 6e-7);
        assert_near(b.penetration, EXPECTED[i].penetration, EXPECTED[i].digit);
        assert_at_most(b.residual, 1e-11);
    }
    rico_modes_destroy(modes);
    rico_context_destroy(ctx);
}


// C9: deeper and deeper harmonics penetrate less and less, and the energy comes down to the exact one, 2/3 at 1.2 and 2 at 1.5.
static void test_convergence(void **state)
{
    (void)state;
    static const double OMEGA[] = {1.2, 1.5}, EXACT[] = {2.0 / 3.0, 2.0};
    rico_context *ctx = rico_context_create(NULL);
    rico_modes *modes = one_mass(ctx);
    for (int i = 0; i < 2; i++) {
        double before = INFINITY, error = INFINITY;
        rico_modes_orbit orbit;
        assert_ok(ctx, rico_modes_one(modes, 2.0 * acos(-1.0) / OMEGA[i], &orbit));
        double c = cos(acos(-1.0) / OMEGA[i]);
        assert_near(orbit.energy, 0.5 / (c * c), 1e-12);
        assert_near(orbit.energy, EXACT[i], 1e-12);
        for (int N = 5; N <= 80; N *= 2) {
            double force[128] = {0.0};
            rico_modes_balance b = {.omega = OMEGA[i], .harmonics = N, .points = 2048, .alpha = 5.0};
            assert_ok(ctx, rico_modes_balance_solve(modes, &b, force));
            assert_true(b.penetration < 0.6 * before);
            assert_true(fabs(b.energy - EXACT[i]) < 0.6 * error);
            before = b.penetration;
            error = fabs(b.energy - EXACT[i]);
        }
    }
    // one harmonic does not bounce: whatever the frequency and the start, the mass comes to rest
    for (int i = 0; i < 9; i++) {
        double force[2] = {0.0};
        rico_modes_balance b = {.omega = 1.1 + 0.1 * i, .harmonics = 1, .alpha = 5.0};
        if (i > 4) force[0] = 0.1 * i, force[1] = 0.3 * i;
        assert_ok(ctx, rico_modes_balance_solve(modes, &b, force));
        assert_near(b.energy, 0.0, 1e-12);
        assert_near(b.penetration, 0.0, 1e-12);
    }
    rico_modes_destroy(modes);
    rico_context_destroy(ctx);
}


// A force F cos(omega t) on the mass towards the wall, so that push = -F: p G(0) + F/(1 - omega^2) = 1 gives the exact impulse, and cosines come to its
// energy with the first order. Too weak for contact, the linear response: (F/(1 - omega^2))^2 (1 + omega^2)/4.
static void test_push(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_modes *modes = one_mass(ctx);
    double omega = 1.3, T = 2.0 * acos(-1.0) / omega, F = 0.1, before = INFINITY;
    double linear = F / (1.0 - omega * omega),
           G = 1.0 / (2.0 * tan(0.5 * T)); // response of the mass to impulses of the wall, -p
    double p = (linear - 1.0) / G, speed = 0.5 * p, u0 = linear - p * G, exact = 0.0;
    assert_near(u0, 1.0, 1e-14);
    for (int k = 0; k < 4000; k++) { // mean of u = linear cos(omega t) - p cos(t - T/2)/(2 sin(T/2))
        double t = T * (k + 0.5) / 4000;
        double u = linear * cos(omega * t) - p * cos(t - 0.5 * T) / (2.0 * sin(0.5 * T));
        double v = -linear * omega * sin(omega * t) + p * sin(t - 0.5 * T) / (2.0 * sin(0.5 * T));
        exact += 0.5 * (u * u + v * v) / 4000;
        assert_true(u <= 1.0 + 1e-12);
    }
    assert_true(speed > 0.0);
    for (int N = 10; N <= 80; N *= 2) {
        double force[256] = {0.0};
        rico_modes_balance b = {.omega = omega, .harmonics = N, .points = 1024, .alpha = 5.0, .push = -F};
        assert_ok(ctx, rico_modes_balance_solve(modes, &b, force));
        assert_true(fabs(b.energy - exact) < 0.6 * before);
        before = fabs(b.energy - exact);
        assert_near(rico_modes_balance_gap(modes, &b, force, 0.0), 0.0, 2.0 / N);
        if (N == 80)
            assert_near(rico_modes_balance_gap(modes, &b, force, 0.5 * T),
                        1.0 - (-linear - p / (2.0 * sin(0.5 * T))), 0.06);
    }
    assert_at_most(before, 0.06 * exact);
    double force[4] = {-0.1, 0.0, 0.0, 0.0};
    rico_modes_balance b = {.omega = 0.4, .harmonics = 2, .alpha = 5.0, .push = 0.3};
    assert_ok(ctx, rico_modes_balance_solve(modes, &b, force));
    assert_near(b.energy, 0.25 * pow(0.3 / (1.0 - 0.16), 2.0) * 1.16, 1e-12);
    b.harmonics = 0;
    assert_int_equal(rico_modes_balance_solve(modes, &b, force), RICO_BAD_ARGUMENT);
    rico_modes_destroy(modes);
    rico_context_destroy(ctx);
}


// A wall that gives way with the stiffness k: free from contact to contact, then half a wave about k/(1 + k). Energies of harmonic balance come to those of that motion, fast, and the
// motion comes to that of the rigid wall as k grows.
static void test_compliant(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_modes *modes = one_mass(ctx);
    double omega = 1.2, T = 2.0 * acos(-1.0) / omega, rigid = 2.0 / 3.0, far = INFINITY;
    for (double k = 10.0; k < 2e3; k *= 10.0) {
        double fast = sqrt(1.0 + k), centre = k / (1.0 + k), low = 1.0 + 1e-12, high = 10.0, t1 = 0.0,
               t2 = 0.0;
        for (int i = 0; i < 200; i++) { // amplitude A whose period is T; it falls as A grows
            double A = 0.5 * (low + high), v = sqrt(A * A - 1.0);
            t1 = 2.0 * (acos(-1.0) - acos(1.0 / A));
            t2 = 2.0 * atan2(v / fast, 1.0 - centre) / fast;
            if (t1 + t2 > T)
                low = A;
            else
                high = A;
        }
        double A = low, exact = 0.0, size = hypot(1.0 - centre, sqrt(A * A - 1.0) / fast);
        for (int i = 0; i < 20000;
             i++) { // mean of (u^2 + v^2)/2 over the free part, where it stays, and contact
            double t = t2 * ((i + 0.5) / 20000 - 0.5), u = centre + size * cos(fast * t),
                   v = size * fast * sin(fast * t);
            exact += 0.5 * (u * u + v * v) / 20000 * t2 / T;
        }
        exact += 0.5 * A * A * t1 / T;
        double force[61] = {0.0};
        rico_modes_balance b = {
            .omega = omega, .harmonics = 60, .points = 512, .alpha = 5.0, .compliance = 1.0 / k};
        assert_ok(ctx, rico_modes_balance_solve(modes, &b, force));
        assert_near(b.energy, exact, (k < 200.0 ? 1e-3 : 1e-2) * exact);
        assert_near(b.penetration, centre + size - 1.0, 0.1 * b.penetration);
        assert_true(fabs(exact - rigid) < far);
        far = fabs(exact - rigid);
    }
    assert_at_most(far, 0.05);
    rico_modes_balance bad = {.omega = omega, .harmonics = 2, .alpha = 5.0, .compliance = -1.0};
    double force[3] = {0.0};
    assert_int_equal(rico_modes_balance_solve(modes, &bad, force), RICO_BAD_ARGUMENT);
    rico_modes_destroy(modes);
    rico_context_destroy(ctx);
}


// With a kink among the shape functions the energy converges with the third order, and the impulse is that of the exact orbit in the limit.
static void test_kink(void **state)
{
    (void)state;
    static const double OMEGA[] = {1.2, 1.5}, EXACT[] = {2.0 / 3.0, 2.0}, PLAIN[] = {0.736183, 2.555333};
    rico_context *ctx = rico_context_create(NULL);
    rico_modes *modes = one_mass(ctx);
    for (int i = 0; i < 2; i++) {
        double before = NAN, p;
        rico_modes_orbit orbit;
        assert_ok(ctx, rico_modes_one(modes, 2.0 * acos(-1.0) / OMEGA[i], &orbit));
        for (int N = 10; N <= 160; N *= 2) {
            rico_modes_balance b = {.omega = OMEGA[i], .harmonics = N};
            assert_ok(ctx, rico_modes_balance_kink(modes, &b, &p));
            double error = fabs(b.energy - EXACT[i]);
            assert_near(b.penetration, 0.0, 0.0);
            if (N > 10) assert_near(log2(before / error), 3.0, 0.15);
            if (N == 20)
                assert_at_most(error, 1e-3 * fabs(PLAIN[i] - EXACT[i])); // the cosines alone, as above
            before = error;
        }
        assert_near(p, orbit.impulse[0], 1e-6 * p);
    }
    rico_modes_destroy(modes);
    // two masses: T = 9 has p = 0.66750455 and E = 0.34579761
    const double M[] = {1, 0, 0, 1}, K[] = {2, -1, -1, 1}, w[] = {0, -1};
    double p;
    rico_modes_balance b = {.omega = 2.0 * acos(-1.0) / 9.0, .harmonics = 200};
    assert_ok(ctx, rico_modes_create(ctx, 2, M, K, w, 1.0, &modes));
    assert_ok(ctx, rico_modes_balance_kink(modes, &b, &p));
    assert_near(p, 0.66750455, 1e-6);
    assert_near(b.energy, 0.34579761, 1e-6);
    b.omega = 0.5;
    b.harmonics = -1;
    assert_int_equal(rico_modes_balance_kink(modes, &b, &p), RICO_BAD_ARGUMENT);
    rico_modes_destroy(modes);
    rico_context_destroy(ctx);
}


// Least distance programming (Lawson and Hanson 1974, chapter 23): min |y| with G y >= h is the least squares of [G' ; h'] u = (0, ..., 0, 1), u >= 0. The
// quadratic program of Gauss' principle, which the library has in closed form.
static void program(rico_context *ctx, const rico_modes *modes, const rico_modes_gauss *gauss, double *q)
{
    enum { POINTS = 65 };
    int64_t n = rico_modes_count(modes), size = n * (gauss->harmonics + 1);
    const double *own = rico_modes_frequencies(modes), *b = rico_modes_participations(modes);
    double *right = calloc((size_t)size + 1, sizeof *right), *weight = calloc((size_t)size, sizeof *weight);
    rico_nnls nnls;
    assert_ok(ctx, rico_nnls_create(ctx, size + 1, POINTS + 1, &nnls));
    for (int64_t j = 0; j <= gauss->harmonics; j++)
        for (int64_t i = 0; i < n; i++) {
            double drive = (double)j * gauss->omega;
            weight[i + n * j] = fabs(own[i] * own[i] - drive * drive) * (j ? sqrt(0.5) : 1.0);
        }
    for (int64_t k = 0; k <= POINTS;
         k++) { // the gap at every point of half a period, and its opposite at the first
        double sign = k < POINTS ? 1.0 : -1.0, x = acos(-1.0) * (double)(k % POINTS) / (POINTS - 1);
        for (int64_t j = 0; j <= gauss->harmonics; j++)
            for (int64_t i = 0; i < n; i++)
                nnls.A[i + n * j + (size + 1) * k] = sign * b[i] * cos((double)j * x) / weight[i + n * j];
        nnls.A[size + (size + 1) * k] = -sign * rico_modes_gap_at_rest(modes);
    }
    right[size] = 1.0;
    rico_nnls_solve(&nnls, POINTS + 1, right, 1e-13);
    for (int64_t i = 0; i < size; i++) q[i] = -nnls.left[i] / nnls.left[size] / weight[i];
    rico_nnls_destroy(&nnls);
    free(weight);
    free(right);
}


// The closed form is what the program finds; the force acts where the gap is open, so that it is no motion.
static void test_gauss(void **state)
{
    (void)state;
    enum { N = 12 };
    const double M[] = {1, 0, 0, 1}, K[] = {2, -1, -1, 1}, w[] = {0, -1};
    rico_context *ctx = rico_context_create(NULL);
    for (int masses = 1; masses <= 2; masses++) {
        rico_modes *modes = masses == 1 ? one_mass(ctx) : NULL;
        if (masses == 2) assert_ok(ctx, rico_modes_create(ctx, 2, M, K, w, 1.0, &modes));
        for (int i = 0; i < 4; i++) {
            double q[2 * (N + 1)], expected[2 * (N + 1)];
            rico_modes_gauss gauss = {.omega = masses == 1 ? 1.1 + 0.2 * i : 0.31 + 0.29 * i, .harmonics = N};
            assert_ok(ctx, rico_modes_gauss_solve(modes, &gauss, q));
            program(ctx, modes, &gauss, expected);
            for (int j = 0; j < masses * (N + 1); j++) assert_near(q[j], expected[j], 1e-8);
            assert_true(gauss.astray > 0.1);
        }
        rico_modes_destroy(modes);
    }
    rico_modes *modes = one_mass(ctx);
    rico_modes_gauss bad = {.omega = 0.5, .harmonics = 3};
    double q[4];
    assert_int_equal(rico_modes_gauss_solve(modes, &bad, q), RICO_SINGULAR);
    bad.omega = -1.0;
    assert_int_equal(rico_modes_gauss_solve(modes, &bad, q), RICO_BAD_ARGUMENT);
    rico_modes_destroy(modes);
    rico_context_destroy(ctx);
}


// C12: lambda = max(lambda - alpha g, 0) says the same for every alpha; asked for at points, so does the whole motion.
static void test_alpha(void **state)
{
    (void)state;
    static const double ALPHA[] = {0.1, 1.0, 5.0, 30.0};
    rico_context *ctx = rico_context_create(NULL);
    rico_modes *modes = one_mass(ctx);
    rico_random random;
    rico_random_seed(&random, 5);
    for (int trial = 0; trial < 2000; trial++) {
        double lambda = rico_random_normal(&random), gap = rico_random_normal(&random);
        if (trial % 3 == 0) lambda = 0.0;
        if (trial % 4 == 0) gap = 0.0;
        bool holds = lambda >= 0.0 && gap >= 0.0 && lambda * gap == 0.0;
        for (int a = 0; a < 4; a++)
            assert_int_equal(fabs(rico_modes_complementarity(lambda, gap, ALPHA[a])) < 1e-14, holds);
    }
    double reference[16], energy = NAN;
    for (int a = 0; a < 4; a++) {
        double force[16] = {0.0};
        if (a > 0) memcpy(force, reference, sizeof force);
        rico_modes_balance b = {.omega = 1.2, .harmonics = 15, .points = 16, .alpha = ALPHA[a]};
        assert_ok(ctx, rico_modes_balance_solve(modes, &b, force));
        if (a == 0) {
            memcpy(reference, force, sizeof force);
            energy = b.energy;
            assert_true(energy > 0.1);
            assert_at_most(b.penetration, 1e-10);
        }
        for (int j = 0; j < 16; j++) assert_near(force[j], reference[j], 1e-10);
        assert_near(b.energy, energy, 1e-10);
    }
    rico_modes_destroy(modes);
    rico_context_destroy(ctx);
}


static void test_refusals(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_modes *modes = one_mass(ctx);
    double force[8] = {0.0};
    rico_modes_balance b = {.omega = -1.0, .harmonics = 3, .alpha = 1.0};
    assert_int_equal(rico_modes_balance_solve(modes, &b, force), RICO_BAD_ARGUMENT);
    b = (rico_modes_balance){.omega = 1.2, .harmonics = 3, .points = 6, .alpha = 1.0};
    assert_int_equal(rico_modes_balance_solve(modes, &b, force), RICO_BAD_ARGUMENT);
    b = (rico_modes_balance){.omega = 1.2, .harmonics = 3, .alpha = 0.0};
    assert_int_equal(rico_modes_balance_solve(modes, &b, force), RICO_BAD_ARGUMENT);
    b = (rico_modes_balance){.omega = 0.5, .harmonics = 3, .alpha = 1.0};
    assert_int_equal(rico_modes_balance_solve(modes, &b, force), RICO_SINGULAR);
    rico_modes_destroy(modes);
    rico_context_destroy(ctx);
}


static rico_status solve_once(rico_context *ctx, void *user)
{
    (void)user;
    const double one = 1.0, w = -1.0;
    rico_modes *modes;
    double force[4] = {0.0};
    rico_modes_balance b = {.omega = 1.2, .harmonics = 3, .alpha = 5.0};
    rico_status status = rico_modes_create(ctx, 1, &one, &one, &w, 1.0, &modes);
    if (status != RICO_OK) return status;
    status = rico_modes_balance_solve(modes, &b, force);
    rico_modes_destroy(modes);
    return status;
}


static void test_no_memory(void **state)
{
    (void)state;
    assert_true(every_allocation_fails(solve_once, NULL) > 5);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_mass), cmocka_unit_test(test_push),     cmocka_unit_test(test_compliant),
        cmocka_unit_test(test_kink),     cmocka_unit_test(test_gauss),    cmocka_unit_test(test_convergence),
        cmocka_unit_test(test_alpha),    cmocka_unit_test(test_refusals), cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
