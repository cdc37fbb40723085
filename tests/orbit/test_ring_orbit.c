// Orbits of rings of impact oscillators against the numbers of the chapter, closed forms and Green's function.

#include "ring_patterns.h"

static void site_centred(void **state)
{
    (void)state;
    const pattern one = at_start(100, (const int[]){50, -1});
    const struct {
        int k;
        double speed, neighbour;
    } printed[] = {{0, 1.000000, NAN},      {1, 0.952704, NAN},      {2, 0.906718, NAN},
                   {5, 0.772025, 0.122539}, {8, 0.632898, NAN},      {10, 0.530004, 0.289561},
                   {12, 0.408211, NAN},     {14, 0.235402, 0.598296}};
    for (size_t i = 0; i < sizeof printed / sizeof *printed; i++) {
        rico_ring_orbit *orbit = solve_feasible(100, printed[i].k * CRITICAL / 15.0, PERIOD, &one);
        assert_near(orbit->v[50], printed[i].speed, 6e-7);
        if (!isnan(printed[i].neighbour)) {
            assert_near(orbit->y[49], printed[i].neighbour, 6e-7);
            assert_near(orbit->y[51], printed[i].neighbour, 6e-7);
        }
        assert_true(orbit->residual < 1e-12);
        rico_ring_orbit_destroy(orbit);
    }
    rico_ring_orbit *orbit = solve_feasible(100, 0.1, PERIOD, &one);
    assert_near(orbit->v[50], 0.64671289220637, 1e-13);
    rico_ring_orbit_destroy(orbit);
}


static void bond_centred(void **state)
{
    (void)state;
    const pattern opposite = pattern_of(100, (const int[]){50, -1}, (const int[]){49, -1});
    const pattern together = at_start(100, (const int[]){49, 50, -1});
    const int k[] = {5, 10, 14};
    const double speed[] = {0.710628, 0.424697, 0.149429};
    for (int i = 0; i < 3; i++) {
        rico_ring_orbit *orbit = solve_feasible(100, k[i] * CRITICAL / 15.0, PERIOD, &opposite);
        assert_near(orbit->v[50], speed[i], 6e-7);
        assert_near(orbit->v_half[49], -speed[i], 6e-7);
        rico_ring_orbit_destroy(orbit);
    }

    // towards the critical coupling the speed stays: no grazing mode there
    rico_ring_orbit *orbit = solve_feasible(100, CRITICAL * (1.0 - 1e-9), PERIOD, &together);
    assert_near(orbit->v[50], 0.46815, 2e-5);
    assert_near(orbit->y[51], 1.01835, 2e-5);
    assert_near(orbit->y[52], -0.96735, 2e-5);
    rico_ring_orbit_destroy(orbit);
}


static void spatial_periods(void **state)
{
    (void)state;
    const pattern two = alternating(100);
    const double speed[] = {0.646480, 0.313966};
    for (int i = 0; i < 2; i++) {
        double coupling = (i == 0 ? 5 : 10) * CRITICAL / 15.0;
        rico_ring_orbit *orbit = solve_feasible(100, coupling, PERIOD, &two);
        for (int n = 0; n < 100; n += 2) assert_near(orbit->v[n], speed[i], 6e-7);
        assert_near(orbit->v[50], rico_ring_out_of_phase_speed(coupling, PERIOD), 1e-12);
        rico_ring_orbit_destroy(orbit);
    }
    pattern six = {{RICO_RING_NEVER}};
    for (int n = 0; n < 96; n++) six.of[n] = n % 6 < 3 ? RICO_RING_AT_START : RICO_RING_AT_HALF;
    const double edge[] = {0.824129, 0.653629};
    for (int i = 0; i < 2; i++) {
        rico_ring_orbit *orbit = solve_feasible(96, (i == 0 ? 5 : 10) * CRITICAL / 15.0, PERIOD, &six);
        assert_near(orbit->v[50], edge[i], 6e-7);
        rico_ring_orbit_destroy(orbit);
    }
}


// Eleven particles together: others graze, at t = 0, a little before the critical coupling.
static void multi_site(void **state)
{
    (void)state;
    const pattern many = at_start(100, (const int[]){45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, -1});
    rico_ring_orbit_destroy(solve_feasible(100, 0.1944096, PERIOD, &many));
    rico_ring_orbit_destroy(solve_feasible(100, 0.1944146272, PERIOD, &many));
    rico_ring_orbit *orbit = solve(100, 0.1944146274, PERIOD, &many);
    assert_int_equal(orbit->verdict, RICO_RING_TOUCHES);
    assert_true(orbit->gap_particle == 43 || orbit->gap_particle == 57);
    assert_near(orbit->gap_time, 0.0, 1e-6);
    rico_ring_orbit_destroy(orbit);
}


// Coupling 0: every pattern, every T in (pi, 2 pi), in closed form; the matrix is diagonal.
static void uncoupled(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 3);
    for (int turn = 0; turn < 20; turn++) {
        pattern any = {{RICO_RING_NEVER}};
        for (int n = 0; n < 12; n++) any.of[n] = (rico_ring_impact)(rico_random_below(&random, 3));
        any.of[turn % 12] = RICO_RING_AT_HALF;
        double T = turn == 0 ? PERIOD : M_PI * (1.05 + 0.9 * rico_random_unit(&random));
        rico_ring_orbit *orbit = solve_feasible(12, 0.0, T, &any);
        if (turn == 0) assert_near(orbit->condition, 1.0, 1e-12);
        for (double t = -1.0; t < 2.0 * T; t += 0.37) {
            double y[12], v[12];
            rico_ring_orbit_at(orbit, t, y, v);
            double half = t - T * round(t / T), other = t - 0.5 * T - T * round((t - 0.5 * T) / T);
            for (int n = 0; n < 12; n++) {
                double exact = any.of[n] == RICO_RING_NEVER     ? 0.0
                               : any.of[n] == RICO_RING_AT_HALF ? rico_ring_in_phase(T, half)
                                                                : rico_ring_in_phase(T, other);
                assert_near(y[n], exact, 1e-12);
            }
        }
        for (int n = 0; n < 12; n++)
            if (any.of[n] == RICO_RING_AT_START) assert_near(orbit->v[n], rico_ring_in_phase_speed(T), 1e-12);
        rico_ring_orbit_destroy(orbit);
    }
}


// Particles driven by blows of their own: the periodic answer of the linear ring, summed over wave numbers.
static double green(int p, double coupling, double T, int d, double s)
{
    double sum = 0.0;
    s -= T * floor(s / T);
    for (int k = 0; k < p; k++) {
        double w = sqrt(1.0 + 4.0 * coupling * pow(sin(M_PI * k / p), 2.0));
        sum += cos(2.0 * M_PI * k * d / p) * cos(w * (s - 0.5 * T)) / (2.0 * w * sin(0.5 * w * T));
    }
    return sum / p;
}


static void by_green_function(void **state)
{
    (void)state;
    enum { P = 9 };
    rico_random random;
    rico_random_seed(&random, 8);
    for (int turn = 0; turn < 40; turn++) {
        pattern any = {{RICO_RING_NEVER}};
        for (int n = 0; n < P; n++) any.of[n] = (rico_ring_impact)(rico_random_below(&random, 3));
        any.of[3] = RICO_RING_AT_START;
        double coupling = 0.5 * rico_random_unit(&random), T = 2.5 + 3.0 * rico_random_unit(&random);
        rico_ring_orbit *orbit = solve(P, coupling, T, &any);
        for (double t = 0.0; t < T; t += 0.31) {
            double y[P], v[P];
            rico_ring_orbit_at(orbit, t, y, v);
            for (int n = 0; n < P; n++) {
                double sum = 0.0;
                for (int i = 0; i < P; i++) {
                    if (any.of[i] == RICO_RING_NEVER) continue;
                    bool start = any.of[i] == RICO_RING_AT_START;
                    double speed = start ? orbit->v[i] : -orbit->v_half[i];
                    sum += 2.0 * speed * green(P, coupling, T, n - i, start ? t : t - 0.5 * T);
                }
                assert_near(y[n], sum, 1e-13 * orbit->condition * (1.0 + orbit->amplitude));
            }
        }
        rico_ring_orbit_destroy(orbit);
    }
}


// A pattern moved or mirrored moves or mirrors its orbit; the alternating one is its own, half a period later.
static void symmetries(void **state)
{
    (void)state;
    enum { P = 10 };
    const pattern some = pattern_of(P, (const int[]){2, 3, 7, -1}, (const int[]){5, -1});
    pattern moved = some, mirrored = some;
    for (int n = 0; n < P; n++) {
        moved.of[(n + 4) % P] = some.of[n];
        mirrored.of[(P - n) % P] = some.of[n];
    }
    rico_ring_orbit *a = solve(P, 0.08, PERIOD, &some), *b = solve(P, 0.08, PERIOD, &moved);
    rico_ring_orbit *c = solve(P, 0.08, PERIOD, &mirrored);
    for (int n = 0; n < P; n++) {
        assert_near(b->y[(n + 4) % P], a->y[n], 1e-13);
        assert_near(b->v[(n + 4) % P], a->v[n], 1e-13);
        assert_near(c->y[(P - n) % P], a->y[n], 1e-13);
        assert_near(c->v[(P - n) % P], a->v[n], 1e-13);
    }
    rico_ring_orbit_destroy(c);
    rico_ring_orbit_destroy(b);
    rico_ring_orbit_destroy(a);

    const pattern two = alternating(P);
    a = solve_feasible(P, 0.1, PERIOD, &two);
    for (double t = 0.0; t < PERIOD; t += 0.21) {
        double y[P], v[P], later[P], other[P], exact[2];
        rico_ring_orbit_at(a, t, y, v);
        rico_ring_orbit_at(a, t + 0.5 * PERIOD, later, other);
        for (int n = 0; n < P; n++) assert_near(y[(n + 1) % P], later[n], 1e-12);
        rico_ring_out_of_phase(0.1, PERIOD, t < 0.5 * PERIOD ? t : PERIOD - t, exact);
        assert_near(y[1], exact[0], 1e-12);
        assert_near(y[0], exact[1], 1e-12);
    }
    rico_ring_orbit_destroy(a);
}


// The smallest gap against a fine sampling, which can only be above it.
static void smallest_gap(void **state)
{
    (void)state;
    enum { P = 10, FINE = 4000 };
    const pattern some = at_start(P, (const int[]){4, 5, -1});
    rico_ring_orbit *orbit = solve_feasible(P, 0.15, PERIOD, &some);
    double least = INFINITY;
    for (int k = 0; k <= FINE; k++) {
        double y[P], v[P];
        rico_ring_orbit_at(orbit, 0.5 * PERIOD * k / FINE * (1.0 - 1e-12), y, v);
        for (int n = 0; n < P; n++)
            if (some.of[n] == RICO_RING_NEVER) least = fmin(least, y[n] + 1.0);
    }
    assert_true(orbit->gap <= least + orbit->gap_uncertainty);
    assert_near(orbit->gap, least, 2e-6);
    assert_at_most(orbit->gap_uncertainty, 1.0001e-6 * orbit->gap);
    rico_ring_orbit_destroy(orbit);
}


static void refusals(void **state)
{
    (void)state;
    pattern none = {{RICO_RING_NEVER}}, one = at_start(4, (const int[]){1, -1});
    const rico_ring wrong[] = {{4, 0.1, 5.0, none.of}, {0, 0.1, 5.0, one.of}, {4, -0.1, 5.0, one.of},
                               {4, 0.1, 0.0, one.of},  {4, NAN, 5.0, one.of}, {4, 0.1, INFINITY, one.of}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        rico_ring_orbit *orbit;
        assert_int_equal(rico_ring_solve(ctx, &wrong[i], &orbit), RICO_BAD_ARGUMENT);
        assert_null(orbit);
    }
    one.of[0] = (rico_ring_impact)7;
    rico_ring_orbit *orbit;
    assert_int_equal(rico_ring_solve(ctx, &(rico_ring){4, 0.1, 5.0, one.of}, &orbit), RICO_BAD_ARGUMENT);
    for (int k = -1; k <= RICO_RING_VERDICTS; k++)
        assert_true(strlen(rico_ring_verdict_words((rico_ring_verdict)k)) > 5);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(site_centred), cmocka_unit_test(bond_centred), cmocka_unit_test(spatial_periods),
        cmocka_unit_test(multi_site),   cmocka_unit_test(uncoupled),    cmocka_unit_test(by_green_function),
        cmocka_unit_test(symmetries),   cmocka_unit_test(smallest_gap), cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
