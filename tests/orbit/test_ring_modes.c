// Closed forms of modes of a ring of impact oscillators against the chapter's numbers and the boundary value problem.

#include "ring_patterns.h"

static void in_phase(void **state)
{
    (void)state;
    pattern all = {{RICO_RING_NEVER}};
    for (int n = 0; n < 6; n++) all.of[n] = RICO_RING_AT_HALF;
    for (double T = 3.2; T < 6.28; T += 0.17) {
        rico_ring_orbit *orbit = solve_feasible(6, 0.3, T, &all);
        for (int n = 0; n < 6; n++) {
            assert_near(orbit->y[n], rico_ring_in_phase(T, 0.0), 1e-11 * orbit->amplitude);
            assert_near(-orbit->v_half[n], rico_ring_in_phase_speed(T), 1e-11 * orbit->amplitude);
        }
        rico_ring_orbit_destroy(orbit);
    }
}


static void out_of_phase(void **state)
{
    (void)state;
    const struct {
        double coupling, period, speed, place, bound;
    } printed[] = {{0.2, 4.1, 0.63406131, 1.38508840, 6e-9},
                   {0.2, 2.926, 3147.33, 3507.30, 6e-3},
                   {0.4, 4.0 * M_PI / sqrt(2.6), 5.04338211, -1.0, 6e-9},
                   {0.4, 8.0, 3.92584575, -0.79669297, 6e-9},
                   {0.4, 11.1, 0.38739171, -0.00896820, 6e-9},
                   {0.4, 11.6, 0.09458417, 0.61614406, 6e-9}};
    const pattern two = alternating(2);
    for (size_t i = 0; i < sizeof printed / sizeof *printed; i++) {
        double y[2], g = printed[i].coupling, T = printed[i].period;
        rico_ring_out_of_phase(g, T, 0.0, y);
        assert_near(rico_ring_out_of_phase_speed(g, T), printed[i].speed, printed[i].bound);
        assert_near(y[0], printed[i].place, printed[i].bound);
        assert_near(y[1], -1.0, 1e-12 * fmax(1.0, fabs(y[0])));

        // two particles in a ring see their one neighbour on both sides
        rico_ring_orbit *orbit = solve(2, g, T, &two);
        assert_near(orbit->v[0], printed[i].speed, printed[i].bound);
        assert_near(orbit->y[1], printed[i].place, printed[i].bound);
        if (i < 2 || i > 2) assert_int_equal(orbit->verdict, RICO_RING_FEASIBLE);
        rico_ring_orbit_destroy(orbit);
    }
    assert_near(2.0 * M_PI / sqrt(1.8), 4.6832, 6e-5);
    assert_near(rico_ring_out_of_phase_speed(0.2, 2.0 * M_PI / sqrt(1.8)), 0.0, 1e-14);
    assert_near(6.0 * M_PI / sqrt(2.6), 11.68999833, 6e-9);
    assert_near(4.0 * M_PI / sqrt(2.6), 7.79333222, 6e-9);
    assert_near(rico_ring_out_of_phase_speed(0.4, 6.0 * M_PI / sqrt(2.6)), 0.0, 1e-13);
    assert_near(rico_ring_out_of_phase_speed(0.0, PERIOD), 1.0, 1e-14);
}


// Where an impact loses its speed, the mode is a linear one.
static void grazing_limits(void **state)
{
    (void)state;
    const double near = 1e-8;
    for (int i = 0; i < 3; i++) {
        double g = 0.1 + 0.1 * i, W = sqrt(1.0 + 4.0 * g), T = 2.0 * M_PI / W, y[2];
        for (double t = 0.0; t <= 0.5 * T; t += 0.1) {
            rico_ring_out_of_phase(g, T * (1.0 - near), t, y);
            assert_near(y[0], cos(W * t), 1e-6);
            assert_near(y[1], -cos(W * t), 1e-6);
        }
        for (double t = 0.0; t <= 2.0 * M_PI; t += 0.1) {
            rico_ring_out_of_phase(g, 4.0 * M_PI * (1.0 - near), t, y);
            assert_near(y[0], -cos(t), 1e-6);
            assert_near(y[1], -cos(t), 1e-6);
        }
    }
    // three times the period of the linear mode: who strikes at T/2 grazes at T/6 as well
    double T = 6.0 * M_PI / sqrt(2.6), y[2];
    rico_ring_out_of_phase(0.4, T * (1.0 - near), T / 6.0, y);
    assert_near(y[0], -1.0, 1e-6);
}


static void begins(void **state)
{
    (void)state;
    const double at[][2] = {{0.0, M_PI},         {0.05, 3.0852393700}, {0.1, 3.0304018072},
                            {0.2, 2.9255359253}, {0.4, 2.7355738288},  {1.0, 2.3042104962},
                            {5.0, 1.3066854245}};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        assert_near(rico_ring_out_of_phase_start(at[i][0]), at[i][1], 6e-11);
    assert_true(rico_ring_out_of_phase_start(1e6) < 0.01);

    const double blow[][2] = {{0.0, M_PI},        {0.11, 2.86189123}, {0.22, 2.66607017}, {0.33, 2.51687827},
                              {0.55, 2.29762799}, {0.88, 2.07386857}, {1.10, 1.96320769}};
    for (size_t i = 0; i < sizeof blow / sizeof *blow; i++)
        assert_near(rico_ring_blow_up_period(30, blow[i][0]), blow[i][1], 6e-9);
    assert_near(rico_ring_blow_up_period(100, 0.15), 2.7836217985, 6e-11);
    assert_near(rico_ring_blow_up_period(100, 0.15) / PERIOD, 0.590703, 6e-7);
}


static void resonances(void **state)
{
    (void)state;
    assert_near(2.0 * M_PI / rico_ring_frequency(30, 1.0, 1), 6.1502253393, 6e-11);
    assert_near(2.0 * M_PI / rico_ring_frequency(30, 1.0, 3), 5.34479666, 6e-9);
    assert_near(2.0 * M_PI / rico_ring_frequency(30, 1.0, 4), 4.87414551, 6e-9);
    assert_near(2.0 * M_PI / rico_ring_frequency(100, CRITICAL, 50), PERIOD, 1e-14);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_phase), cmocka_unit_test(out_of_phase), cmocka_unit_test(grazing_limits),
        cmocka_unit_test(begins),   cmocka_unit_test(resonances),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
