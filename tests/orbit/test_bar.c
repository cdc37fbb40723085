// A bar against a wall: closed forms, waves on a grid, boundary elements, chains of masses and finite differences.

#include "failing_memory.h"
#include "ricochet/bar.h"

static const double PI = 3.14159265358979323846;
static const rico_bar UNIT = {1.0, 1.0, 1.0, 1.0};

// Exact rational values for L = c = ES = g0 = 1; `grid` cells have all corners on their edges.
static const struct sample {
    int m, grid;
    double T, E, least;
} SAMPLES[] = {{1, 8, 4.0, 0.5, -1.0},
               {1, 8, 15.0 / 4.0, 8.0 / 9.0, -4.0 / 3.0},
               {1, 8, 7.0 / 2.0, 2.0, -2.0},
               {1, 8, 13.0 / 4.0, 8.0, -4.0},
               {2, 48, 4.0 / 3.0, 9.0 / 2.0, -1.0},
               {2, 48, 21.0 / 16.0, 8.0, -3.0 / 2.0},
               {2, 48, 31.0 / 24.0, 18.0, -5.0 / 2.0},
               {3, 180, 4.0 / 5.0, 25.0 / 2.0, NAN},
               {3, 180, 143.0 / 180.0, 200.0 / 9.0, NAN},
               {3, 180, 71.0 / 90.0, 50.0, NAN}};
enum { SAMPLE_COUNT = sizeof SAMPLES / sizeof *SAMPLES };


static void test_energies(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (int i = 0; i < SAMPLE_COUNT; i++) {
        rico_bar_mode mode;
        double least = INFINITY;
        assert_ok(ctx, rico_bar_mode_at(ctx, &UNIT, SAMPLES[i].m, SAMPLES[i].T, &mode));
        assert_near(mode.energy, SAMPLES[i].E, 1e-11 * SAMPLES[i].E);
        for (int k = 0; k <= 4 * SAMPLES[i].grid; k++) {
            double t = SAMPLES[i].T * k / (4.0 * SAMPLES[i].grid), u;
            rico_bar_mode_field(&mode, 1.0, t, &u, NULL, NULL);
            assert_true(u <= 1.0 + 1e-12);
            assert_true(rico_bar_mode_force(&mode, t) >= 0.0);
            least = fmin(least, u);
        }
        for (int k = 0; k < 4 * SAMPLES[i].grid; k++) { // corners lie on the grid of the waves
            double u;
            rico_bar_mode_field(&mode, 1.0, k / (double)SAMPLES[i].grid, &u, NULL, NULL);
            least = fmin(least, u);
        }
        if (!isnan(SAMPLES[i].least)) assert_near(least, SAMPLES[i].least, 1e-12);
    }
    rico_context_destroy(ctx);
}


// Frequencies of mode m over that of the first linear mode: [2m-1, 4m^2/(2m+1)).
static void test_ranges(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    const rico_bar bar = {2.0, 3.0, 5.0, 0.1};
    double first = 4.0 * bar.length / bar.speed, low, high;
    for (int m = 1; m <= 5; m++) {
        rico_bar_mode mode;
        assert_ok(ctx, rico_bar_mode_range(ctx, &bar, m, &low, &high));
        assert_near(first / high, 2.0 * m - 1.0, 1e-13 * m);
        assert_near(first / low, 4.0 * m * m / (2.0 * m + 1.0), 1e-13 * m);
        assert_int_equal(rico_bar_mode_at(ctx, &bar, m, low, &mode), RICO_BAD_ARGUMENT);
        assert_int_equal(rico_bar_mode_at(ctx, &bar, m, 1.001 * high, &mode), RICO_BAD_ARGUMENT);
        assert_ok(ctx, rico_bar_mode_at(ctx, &bar, m, high, &mode));
        assert_near(mode.contact, 0.0, 1e-14);
        // E = ES L g0^2 / (2 (m^2 c T - (2m+1) L)^2)
        double T = 0.5 * (low + high), lack = m * m * bar.speed * T - (2.0 * m + 1.0) * bar.length;
        assert_ok(ctx, rico_bar_mode_at(ctx, &bar, m, T, &mode));
        assert_near(mode.energy, bar.stiffness * bar.length * bar.gap * bar.gap / (2.0 * lack * lack),
                    1e-12 * mode.energy);
        // the end slides at a constant speed, first away from the wall
        double v;
        rico_bar_mode_field(&mode, bar.length, 1e-6 * T, NULL, &v, NULL);
        assert_near(v, -2.0 * bar.speed * mode.alpha, 1e-12 * mode.alpha);
    }
    assert_near(rico_bar_grazing_energy(&UNIT, 1), 0.61685, 5e-6);
    rico_context_destroy(ctx);
}


// C7: the modes are what waves on a grid do, exactly, with a constant energy; boundary elements see the same end.
static void test_waves(void **state)
{
    (void)state;
    enum { MOST = 180 };
    rico_context *ctx = rico_context_create(NULL);
    for (int i = 0; i < SAMPLE_COUNT; i++) {
        int N = SAMPLES[i].grid, steps = (int)lround(SAMPLES[i].T * N);
        double v[MOST], strain[MOST], now_v[MOST] = {0.0}, now_s[MOST] = {0.0}, u, a, b, end[4 * MOST + 8],
                                      push[4 * MOST + 8];
        double u0[MOST + 1], v0[MOST + 1];
        rico_bar_mode mode;
        rico_bar_wave *wave;
        assert_ok(ctx, rico_bar_mode_at(ctx, &UNIT, SAMPLES[i].m, SAMPLES[i].T, &mode));
        for (int k = 0; k < N; k++) rico_bar_mode_field(&mode, (k + 0.5) / N, 0.0, NULL, &v[k], &strain[k]);
        for (int k = 0; k <= N; k++) {
            rico_bar_mode_field(&mode, (double)k / N, 0.0, &u0[k], NULL, NULL);
            v0[k] = 0.0; // the modes start from rest in the middle of a flight alone: see below
        }
        assert_ok(ctx, rico_bar_wave_create(ctx, &UNIT, N, &wave));
        rico_bar_wave_start(wave, v, strain, 0.0);
        assert_near(rico_bar_wave_end(wave), 1.0, 1e-12);
        assert_near(rico_bar_wave_energy(wave), SAMPLES[i].E, 1e-11 * SAMPLES[i].E);
        for (int n = 1; n <= steps; n++) {
            double t = (double)n / N;
            rico_bar_wave_step(wave, 1.0, NULL);
            rico_bar_mode_field(&mode, 1.0, t, &u, NULL, NULL);
            assert_near(rico_bar_wave_end(wave), u, 1e-11);
            assert_true(rico_bar_wave_push(wave) >= -1e-12);
            assert_near(rico_bar_wave_push(wave), rico_bar_mode_force(&mode, t - 0.5 / N),
                        1e-11 * mode.alpha);
            rico_bar_wave_state(wave, now_v, now_s);
            for (int k = 0; k < N; k++) { // just before the time, where no corner lies
                rico_bar_mode_field(&mode, (k + 0.5) / N, t, NULL, &a, &b);
                assert_near(now_v[k], a, 1e-11 * mode.alpha);
                assert_near(now_s[k], b, 1e-11 * mode.alpha);
            }
            assert_near(rico_bar_wave_energy(wave), SAMPLES[i].E, 1e-11 * SAMPLES[i].E);
        }
        for (int k = 0; k < N; k++) {
            assert_near(now_v[k], v[k], 1e-11 * mode.alpha);
            assert_near(now_s[k], strain[k], 1e-11 * mode.alpha);
        }
        // boundary elements from the state in which it is at rest, if there is one: both from the same displacements
        for (int k = 0; k < N; k++) strain[k] = (u0[k + 1] - u0[k]) * N, v[k] = 0.0;
        rico_bar_wave_start(wave, v, strain, 0.0);
        assert_ok(ctx, rico_bar_boundary(ctx, &UNIT, N, u0, v0, 4 * N, end, push));
        for (int n = 0; n < 4 * N; n++) {
            rico_bar_wave_step(wave, 1.0, NULL);
            assert_near(end[n], rico_bar_wave_end(wave), 1e-11 * (1.0 + mode.alpha));
            assert_near(push[n], rico_bar_wave_push(wave), 1e-9 * mode.alpha);
        }
        rico_bar_wave_destroy(wave);
    }
    rico_context_destroy(ctx);
}


// With velocities: boundary elements and waves on the grid agree for any start, and the wall only pushes.
static void test_boundary_elements(void **state)
{
    (void)state;
    enum { N = 20, STEPS = 400 };
    rico_context *ctx = rico_context_create(NULL);
    const rico_bar bar = {2.0, 0.5, 3.0, 0.01};
    rico_random random;
    rico_random_seed(&random, 3);
    double u0[N + 1] = {0.0}, v0[N + 1], v[N], strain[N], end[STEPS], push[STEPS];
    rico_bar_wave *wave;
    for (int k = 0; k < N; k++) strain[k] = 0.02 * rico_random_normal(&random);
    for (int k = 0; k < N; k++) u0[k + 1] = u0[k] + strain[k] * bar.length / N;
    if (u0[N] > 0.0)
        for (int k = 0; k <= N; k++) u0[k] = -u0[k];
    for (int k = 0; k < N; k++) strain[k] = (u0[k + 1] - u0[k]) * N / bar.length;
    for (int k = 0; k <= N; k++) v0[k] = 0.05 * rico_random_normal(&random);
    for (int k = 0; k < N; k++) v[k] = 0.5 * (v0[k] + v0[k + 1]);
    assert_ok(ctx, rico_bar_wave_create(ctx, &bar, N, &wave));
    rico_bar_wave_start(wave, v, strain, 0.0);
    double energy = rico_bar_wave_energy(wave);
    assert_ok(ctx, rico_bar_boundary(ctx, &bar, N, u0, v0, STEPS, end, push));
    // the two agree until contact begins within a step: waves then project the end, boundary elements keep its history
    int touched = 0;
    for (int n = 0; n < STEPS; n++) {
        rico_bar_wave_step(wave, bar.gap, NULL);
        if (push[n] > 0.0) touched++;
        if (!touched) assert_near(end[n], rico_bar_wave_end(wave), 1e-13);
        assert_true(push[n] >= -1e-12);
        assert_true(rico_bar_wave_push(wave) >= -1e-12);
        assert_true(rico_bar_wave_end(wave) <= bar.gap + 1e-15);
        assert_near(rico_bar_wave_energy(wave), energy, 1e-12 * energy);
    }
    assert_true(touched > 0);
    rico_bar_wave_destroy(wave);
    rico_context_destroy(ctx);
}


// A spring at the other end keeps the energy; a force and a moving wall work on the bar as much as it gains.
static void test_spring_and_forces(void **state)
{
    (void)state;
    enum { N = 40 };
    rico_context *ctx = rico_context_create(NULL);
    double v[N], strain[N], force[N];
    rico_bar_wave *wave;
    for (int k = 0; k < N; k++) {
        v[k] = 0.5 * sin(PI * (k + 0.5) / (2.0 * N));
        strain[k] = -0.3;
    }
    assert_ok(ctx, rico_bar_wave_create(ctx, &UNIT, N, &wave));
    assert_int_equal(rico_bar_wave_set_spring(wave, 0.0), RICO_BAD_ARGUMENT);
    assert_ok(ctx, rico_bar_wave_set_spring(wave, 0.7));
    rico_bar_wave_start(wave, v, strain, -0.2);
    double energy = rico_bar_wave_energy(wave), dt = rico_bar_wave_time_step(wave);
    bool touched = false;
    for (int n = 0; n < 1000; n++) {
        rico_bar_wave_step(wave, 0.05, NULL);
        touched = touched || rico_bar_wave_push(wave) > 0.0;
        assert_near(rico_bar_wave_energy(wave), energy, 1e-12 * energy);
    }
    assert_true(touched && rico_bar_wave_held(wave) != -0.2);

    // the wall's power is minus its push times its speed; a force's is that at the mean velocity of its kick
    rico_bar_wave_start(wave, v, strain, -0.2);
    double gap = 1.0, work = 0.0;
    energy = rico_bar_wave_energy(wave);
    for (int n = 0; n < 1000; n++) {
        double before = gap;
        gap = 0.15 + 0.02 * cos(3.0 * dt * (n + 1));
        rico_bar_wave_state(wave, v, strain);
        for (int k = 0; k < N; k++) {
            force[k] = 0.05 * sin(2.0 * dt * n);
            work += dt * force[k] * (v[k] + 0.5 * dt * force[k]) / N;
        }
        rico_bar_wave_step(wave, gap, force);
        if (n > 0) work -= rico_bar_wave_push(wave) * (gap - before);
        if (n > 0) assert_near(rico_bar_wave_energy(wave), energy + work, 1e-11 * (1.0 + energy));
    }
    rico_bar_wave_destroy(wave);
    rico_context_destroy(ctx);
}


// --- chains --------------------------------------------------------------------------------------------------

static void test_chain(void **state)
{
    (void)state;
    static const double FIVE[] = {1.42314838, 4.15415013, 6.54860734},
                        TWENTY[] = {1.53210935, 4.58733702, 7.61564437};
    rico_context *ctx = rico_context_create(NULL);
    rico_modes *modes, *same;
    assert_ok(ctx, rico_bar_chain(ctx, &UNIT, 20, &modes));
    for (int j = 0; j < 3; j++) assert_near(rico_modes_frequencies(modes)[j], TWENTY[j], 6e-9);
    rico_modes_destroy(modes);
    assert_ok(ctx, rico_bar_chain(ctx, &UNIT, 5, &modes));
    for (int j = 0; j < 3; j++) assert_near(rico_modes_frequencies(modes)[j], FIVE[j], 6e-9);
    assert_near(rico_modes_frequencies(modes)[4], 9.59492974, 6e-9);

    // against the matrices: m = 1/5, k = 5 tridiag(-1, 2, -1) with a last entry of 5
    double M[25] = {0.0}, K[25] = {0.0}, w[5] = {0, 0, 0, 0, -1};
    for (int i = 0; i < 5; i++) {
        M[6 * i] = 0.2;
        K[6 * i] = i < 4 ? 10.0 : 5.0;
        if (i < 4) K[6 * i + 1] = K[6 * i + 5] = -5.0;
    }
    assert_ok(ctx, rico_modes_create(ctx, 5, M, K, w, 1.0, &same));
    for (int j = 0; j < 5; j++) {
        assert_near(rico_modes_frequencies(same)[j], rico_modes_frequencies(modes)[j], 1e-12);
        assert_near(fabs(rico_modes_participations(same)[j]), fabs(rico_modes_participations(modes)[j]),
                    1e-12);
    }
    rico_modes_orbit a, b;
    assert_ok(ctx, rico_modes_one(modes, 4.2, &a));
    assert_ok(ctx, rico_modes_one(same, 4.2, &b));
    assert_near(a.energy, b.energy, 1e-11 * a.energy);
    rico_modes_destroy(same);
    rico_modes_destroy(modes);

    // dispersion: the wave number of a chain is above omega/c, up to pi/dx at the cut-off 2c/dx
    double dx = 0.1, before = 0.0;
    for (double omega = 1.0; omega < 20.0; omega += 1.0) {
        double kappa = rico_bar_chain_wave_number(&UNIT, dx, omega);
        assert_near(cos(kappa * dx), 1.0 - 0.5 * omega * omega * dx * dx, 1e-13);
        assert_true(kappa > omega && kappa > before);
        before = kappa;
    }
    assert_near(rico_bar_chain_wave_number(&UNIT, dx, 20.0), PI / dx, 1e-12);
    assert_true(isnan(rico_bar_chain_wave_number(&UNIT, dx, 20.1)));
    rico_context_destroy(ctx);
}


// One impact per period at T = 4 against the triangle 1 - t of the continuous bar: near, but not nearer with every mass more.
static void test_triangle(void **state)
{
    (void)state;
    static const struct {
        int n;
        double error, digit, energy;
    } EXPECTED[] = {{10, 0.148, 6e-4, NAN},  {20, 0.0727, 6e-5, NAN},  {100, 0.0330, 6e-5, 0.5758},
                    {500, 0.391, 6e-4, NAN}, {2000, 0.092, 6e-4, NAN}, {5000, 0.0044, 6e-5, 0.5434}};
    rico_context *ctx = rico_context_create(NULL);
    for (size_t i = 0; i < sizeof EXPECTED / sizeof *EXPECTED; i++) {
        rico_modes *modes;
        rico_modes_orbit orbit;
        double worst = 0.0;
        assert_ok(ctx, rico_bar_chain(ctx, &UNIT, EXPECTED[i].n, &modes));
        assert_ok(ctx, rico_modes_one(modes, 4.0, &orbit));
        for (int k = 0; k <= 2000; k++) {
            double t = 2.0 * k / 2000.0, gap;
            rico_modes_gap(modes, &orbit, t, &gap, NULL);
            worst = fmax(worst, fabs(1.0 - gap - (1.0 - t)));
        }
        assert_near(worst, EXPECTED[i].error, EXPECTED[i].digit);
        if (!isnan(EXPECTED[i].energy)) assert_near(orbit.energy, EXPECTED[i].energy, 6e-5);
        rico_modes_destroy(modes);
    }
    rico_context_destroy(ctx);
}


// --- finite differences --------------------------------------------------------------------------------------

static double advection_error(rico_advection kind, double nu, int n, int steps, bool jump)
{
    double *a = calloc((size_t)n, sizeof *a), *b = calloc((size_t)n, sizeof *b), sum = 0.0;
    for (int i = 0; i < n; i++) a[i] = jump ? (i < n / 2) : sin(2.0 * PI * i / n);
    for (int s = 0; s < steps; s++) {
        rico_advect(kind, nu, n, a, b);
        double *kept = a;
        a = b;
        b = kept;
    }
    for (int i = 0; i < n; i++) {
        double x = i - nu * steps, exact = sin(2.0 * PI * x / n);
        if (jump) exact = x - n * floor(x / n) < 0.5 * n;
        sum += fabs(a[i] - exact) / n;
    }
    free(a);
    free(b);
    return sum;
}


static void test_differences(void **state)
{
    (void)state;
    static const double ORDER[] = {1, 1, 2, 2, NAN, NAN};
    for (int kind = 0; kind < RICO_ADVECT_KINDS; kind++) {
        // a shift by one cell at nu = 1, jumps and all
        if (kind != RICO_ADVECT_FTCS)
            assert_near(advection_error((rico_advection)kind, 1.0, 50, 37, true), 0.0, 1e-14);
        if (isnan(ORDER[kind])) continue;
        double coarse = advection_error((rico_advection)kind, 0.5, 200, 200, false);
        double fine = advection_error((rico_advection)kind, 0.5, 400, 400, false);
        assert_near(log2(coarse / fine), ORDER[kind], 0.05);
    }
    // jumps: Lax and Wendroff overshoot, limited fluxes and upwind do not
    for (int kind = 0; kind < RICO_ADVECT_KINDS; kind++) {
        double a[60], b[60], most = 0.0;
        for (int i = 0; i < 60; i++) a[i] = i < 30;
        for (int s = 0; s < 20; s++) {
            rico_advect((rico_advection)kind, 0.5, 60, a, b);
            memcpy(a, b, sizeof a);
        }
        for (int i = 0; i < 60; i++) most = fmax(most, a[i]);
        if (kind == RICO_ADVECT_LAX_WENDROFF || kind == RICO_ADVECT_MACCORMACK || kind == RICO_ADVECT_FTCS)
            assert_true(most > 1.05);
        else
            assert_true(most <= 1.0 + 1e-12);
    }
}


static rico_status build(rico_context *ctx, void *user)
{
    (void)user;
    rico_bar_wave *wave;
    rico_modes *modes;
    double zero[3] = {0.0}, end[4], push[4];
    rico_status status = rico_bar_wave_create(ctx, &UNIT, 2, &wave);
    if (status != RICO_OK) return status;
    rico_bar_wave_destroy(wave);
    status = rico_bar_chain(ctx, &UNIT, 4, &modes);
    if (status != RICO_OK) return status;
    rico_modes_destroy(modes);
    return rico_bar_boundary(ctx, &UNIT, 2, zero, zero, 4, end, push);
}


static void test_no_memory(void **state)
{
    (void)state;
    assert_true(every_allocation_fails(build, NULL) > 5);
    rico_context *ctx = rico_context_create(NULL);
    rico_bar_wave *wave;
    const rico_bar none = {1.0, 1.0, 0.0, 1.0};
    assert_int_equal(rico_bar_wave_create(ctx, &none, 2, &wave), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_bar_wave_create(ctx, &UNIT, 0, &wave), RICO_BAD_ARGUMENT);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_energies),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_waves),
        cmocka_unit_test(test_boundary_elements),
        cmocka_unit_test(test_spring_and_forces),
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_triangle),
        cmocka_unit_test(test_differences),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
