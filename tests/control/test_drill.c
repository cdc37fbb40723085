// Linear models of drill-strings: tables 1 and 2 of the chapter, scaling, pipes, reduction, Lur'e form, equilibria, SoftTorque. The
// numbers were computed once by another program (with 50 digits or in NumPy) from the tables.

#include "control/drill_numbers.h"


static rico_drill_linear *table_model(void)
{
    rico_drill_linear *model;
    assert_ok(ctx, rico_drill_matrices(ctx, rico_drill_table(), &model));
    return model;
}


// |T -> w| of a model: ends 0 for the bit, 1 for the top drive.
static double gain(const rico_state_space *system, int from, int to, double hertz)
{
    double response[8];
    assert_ok(ctx, rico_state_space_response(system, 2.0 * PI * hertz, response));
    return hypot(response[2 * (2 * from + to)], response[2 * (2 * from + to) + 1]);
}


static void undamped_frequencies(void **state)
{
    const double expected[] = {0.0, 0.1535490635, 0.3794514359, 0.5310982476};
    double hertz[4];
    (void)state;
    rico_drill_linear *model = table_model();
    assert_ok(ctx, rico_drill_frequencies(ctx, model, hertz));
    assert_near(hertz[0], 0.0, 1e-7); // the root of round-off
    for (int i = 1; i < 4; i++) assert_near(hertz[i], expected[i], 6e-11);
    rico_drill_linear_destroy(ctx, model);
}


// Is there a pole at real + i imag, each within its last printed digit?
static void assert_pole(const rico_state_space *system, double real, double imag, double digit)
{
    double re[64], im[64];
    assert_ok(ctx, rico_state_space_poles(system, re, im));
    for (int64_t i = 0; i < system->states; i++)
        if (fabs(re[i] - real) <= 0.51 * digit && fabs(im[i] - imag) <= 0.51 * digit) return;
    fail_msg("no pole at %g %+gi", real, imag);
}


static void damped_eigenvalues(void **state)
{
    (void)state;
    rico_state_space *lure;
    assert_ok(ctx, rico_drill_lure(ctx, rico_drill_table(), 0.0, &lure));
    assert_int_equal(lure->states, 7);
    assert_pole(lure, 0.0, 0.0, 1e-12);
    assert_pole(lure, -0.00127815, 0.96477661, 1e-8);
    assert_pole(lure, -0.00374317, 2.38416071, 1e-8);
    assert_pole(lure, -0.00363188, 3.33698595, 1e-8);
    rico_state_space_destroy(lure);
}


static void responses_of_table_1(void **state)
{
    static const double TABLE[][4] = {
        {0.05, 0.845311, 0.692146, 0.0263579}, {0.1, 0.711952, 0.232178, 1.51700},
        {0.2, 0.426201, 0.406093, 0.513324},   {0.3, 0.170544, 0.201264, 4.05552},
        {0.45, 0.0940074, 0.133890, 9.02507},  {0.6, 0.0104132, 0.0962799, 16.8066},
        {1.0, 1.12244e-4, 0.0565183, 3.34036}, {2.0, 1.86137e-5, 0.0280401, 1.32657}};
    (void)state;
    rico_drill_linear *model = table_model();
    rico_state_space *system;
    assert_ok(ctx, rico_drill_system(ctx, model, &system));
    for (size_t i = 0; i < sizeof TABLE / sizeof *TABLE; i++) {
        const double *row = TABLE[i];
        const double got[] = {gain(system, 1, 0, row[0]), gain(system, 1, 1, row[0]),
                              gain(system, 0, 0, row[0])};
        for (int k = 0; k < 3; k++) assert_near(got[k], row[k + 1], 5.1e-6 * row[k + 1]);
    }
    rico_state_space_destroy(system);
    rico_drill_linear_destroy(ctx, model);
}


static void assert_peak(const rico_state_space *system, double low, double high, double size,
                        double size_digit, double hertz, double hertz_digit)
{
    double f, peak;
    assert_ok(ctx, rico_drill_peak(system, low, high, &f, &peak));
    assert_near(peak, size, 0.51 * size_digit);
    assert_near(f, hertz, 0.51 * hertz_digit);
}


static void mobility_of_the_bit(void **state)
{
    rico_state_space *open, *closed, *controller = soft_torque();
    (void)state;
    assert_ok(ctx, rico_drill_mobility(ctx, rico_drill_table(), 0.0, NULL, &open));
    assert_peak(open, 0.14, 0.17, 308.67, 1e-2, 0.153548, 1e-6);
    assert_peak(open, 0.36, 0.40, 234.30, 1e-2, 0.379438, 1e-6);
    assert_peak(open, 0.50, 0.56, 1769.28, 1e-2, 0.531099, 1e-6);
    // of a rigid body at w = 0
    double response[2];
    assert_ok(ctx, rico_state_space_response(open, 1e-6, response));
    assert_near(hypot(response[0], response[1]) * 1e-6 * (0.064 + 2 * 0.708 + 2.845), 1.0, 1e-6);

    rico_drill_steady steady;
    assert_ok(ctx, rico_drill_equilibrium(ctx, rico_drill_table(), rpm(5.5), &steady, NULL));
    assert_ok(ctx, rico_drill_mobility(ctx, rico_drill_table(), steady.delta, controller, &closed));
    // this one is so wide that its place was found to a unit of its last digit only
    assert_peak(closed, 0.08, 0.15, 3.7447, 1e-4, 0.10716, 2e-5);
    assert_peak(closed, 0.36, 0.40, 81.834, 1e-3, 0.379087, 1e-6);
    assert_peak(closed, 0.50, 0.56, 3737.58, 1e-2, 0.531096, 1e-6);
    rico_state_space_destroy(closed);
    double f, size;
    const double expected[] = {3.7410, 79.846, 1742.85}, digit[] = {1e-4, 1e-3, 1e-2},
                 from[] = {0.08, 0.36, 0.5}, to[] = {0.15, 0.40, 0.56};
    assert_ok(ctx, rico_drill_mobility(ctx, rico_drill_table(), 0.0, controller, &closed));
    for (int i = 0; i < 3; i++) {
        assert_ok(ctx, rico_drill_peak(closed, from[i], to[i], &f, &size));
        assert_near(size, expected[i], 0.51 * digit[i]);
    }
    rico_state_space_destroy(closed);
    rico_state_space_destroy(open);
    rico_state_space_destroy(controller);
}


// Without friction and drive the string is passive at the bit: it never gives more than it got.
static void open_mobility_is_passive(void **state)
{
    rico_state_space *open;
    (void)state;
    assert_ok(ctx, rico_drill_mobility(ctx, rico_drill_table(), 0.0, NULL, &open));
    for (int i = 0; i < 400; i++) {
        double response[2], f = 0.01 * pow(1000.0, i / 399.0);
        assert_ok(ctx, rico_state_space_response(open, 2.0 * PI * f, response));
        assert_true(response[0] >= -1e-10 * hypot(response[0], response[1]));
    }
    rico_state_space_destroy(open);
}


static void equilibria(void **state)
{
    const rico_drill_string *table = rico_drill_table();
    rico_drill_steady steady;
    double x[7], rate[7] = {0};
    (void)state;
    assert_near(rpm(5.5), 0.5759586532, 6e-11);
    assert_ok(ctx, rico_drill_equilibrium(ctx, table, rpm(5.5), &steady, x));
    assert_near(steady.bit, 0.2720160336, 6e-11);
    assert_near(steady.drive, 6.2690160336, 6e-11);
    assert_near(steady.delta, 3.062198e-4, 6e-11);
    assert_near(x[0], -0.431771, 6e-7);
    assert_near(x[3], -1.428024, 6e-7);
    assert_near(x[5], -5.111227, 6e-7);

    // A x + G v + B u + G2 v2 = 0, and T_pipe = C x
    rico_state_space *lure;
    assert_ok(ctx, rico_drill_lure(ctx, table, 0.0, &lure));
    const double in[] = {-steady.bit, steady.drive, -table->wall[1], -table->wall[2], -table->wall[3]};
    for (int i = 0; i < 7; i++) {
        for (int j = 0; j < 7; j++) rate[i] += lure->a[i + 7 * j] * x[j];
        for (int j = 0; j < 5; j++) rate[i] += lure->b[i + 7 * j] * in[j];
        assert_near(rate[i], 0.0, 1e-12);
    }
    double pipe = 0.0;
    for (int j = 0; j < 7; j++) pipe += lure->c[2 + 3 * j] * x[j];
    assert_near(pipe, steady.pipe, 1e-12);
    rico_state_space_destroy(lure);

    assert_ok(ctx, rico_drill_equilibrium(ctx, table, rpm(5.0), &steady, NULL));
    assert_near(steady.bit, 0.2720435839, 6e-11);
    assert_near(steady.delta, 8.323918e-4, 6e-11);
    assert_ok(ctx, rico_drill_equilibrium(ctx, table, rpm(3.5), &steady, NULL));
    assert_near(steady.bit, 0.2728754067, 6e-11);
    assert_near(steady.delta, 0.0167190, 6e-8);
}


// The rotation lets the friction fall: one eigenvalue of A_t is about delta/J_tot.
static void loop_transformation(void **state)
{
    const rico_drill_string *table = rico_drill_table();
    const rico_drill_bit *bit = &table->bit;
    rico_drill_steady steady;
    rico_state_space *string, *turned;
    double abscissa;
    (void)state;
    assert_ok(ctx, rico_drill_equilibrium(ctx, table, rpm(5.5), &steady, NULL));
    assert_ok(ctx, rico_drill_lure(ctx, table, 0.0, &string));
    assert_ok(ctx, rico_drill_lure(ctx, table, steady.delta, &turned));
    assert_ok(ctx, rico_state_space_abscissa(turned, &abscissa));
    assert_near(abscissa, 7.0802e-5, 6e-10);
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 7; j++) {
            // A + delta G H
            double extra = steady.delta * string->b[i] * string->c[3 * j];
            assert_near(turned->a[i + 7 * j], string->a[i + 7 * j] + extra, 1e-15);
        }
    rico_state_space_destroy(string);
    rico_state_space_destroy(turned);

    // phi~(0) = phi~'(0) = 0, and its definition elsewhere
    double speed = rpm(5.5), small = 1e-4;
    assert_near(rico_drill_friction_shifted(bit, speed, 0.0), 0.0, 1e-16);
    double slope =
        (rico_drill_friction_shifted(bit, speed, small) - rico_drill_friction_shifted(bit, speed, -small)) /
        (2.0 * small);
    assert_near(slope, 0.0, 1e-8);
    assert_near(rico_drill_friction_shifted(bit, speed, 0.3),
                rico_drill_friction(bit, speed + 0.3) - steady.bit + 0.3 * steady.delta, 1e-15);
}


static void friction_of_the_bit(void **state)
{
    const rico_drill_bit *bit = &rico_drill_table()->bit;
    (void)state;
    assert_near(bit->decay, 30.0 / (0.5 * PI), 1e-13);
    assert_near(rico_drill_decay(5.0), bit->decay / 10.0, 1e-15);
    assert_near(rico_drill_friction(bit, 1e-15), 1.232, 1e-12);
    assert_near(rico_drill_friction(bit, 100.0), 0.272, 1e-15);
    for (double w = 0.01; w < 2.0; w *= 1.3) {
        assert_true(rico_drill_friction(bit, -w) == -rico_drill_friction(bit, w));
        assert_true(rico_drill_friction_slope(bit, -w) == rico_drill_friction_slope(bit, w));
        double h = 1e-6,
               slope = (rico_drill_friction(bit, w + h) - rico_drill_friction(bit, w - h)) / (2.0 * h);
        assert_near(rico_drill_friction_slope(bit, w), slope, 1e-6);
        assert_near(rico_drill_speed_of_delta(bit, -rico_drill_friction_slope(bit, w)), w, 1e-12);
    }
}


static void soft_torque_damps_the_first_mode_alone(void **state)
{
    rico_state_space *controller = soft_torque(), *closed;
    rico_drill_steady steady;
    double delta, abscissa;
    (void)state;
    assert_ok(ctx, rico_drill_mobility(ctx, rico_drill_table(), 0.0, controller, &closed));
    assert_int_equal(closed->states, 8);
    assert_pole(closed, -0.196115, 0.648290, 1e-6);
    assert_pole(closed, -0.312736, 0.883559, 1e-6);
    assert_pole(closed, -0.011054, 2.382527, 1e-6);
    assert_pole(closed, -0.003687, 3.336974, 1e-6);
    rico_state_space_destroy(closed);
    const double speed[] = {5.5, 5.0}, real[] = {-0.001719, 0.001662}, imag[] = {3.336974, 3.336969};
    for (int i = 0; i < 2; i++) {
        assert_ok(ctx, rico_drill_equilibrium(ctx, rico_drill_table(), rpm(speed[i]), &steady, NULL));
        assert_ok(ctx, rico_drill_mobility(ctx, rico_drill_table(), steady.delta, controller, &closed));
        assert_pole(closed, real[i], imag[i], 1e-6);
        assert_ok(ctx, rico_state_space_abscissa(closed, &abscissa));
        assert_true((abscissa < 0.0) == (speed[i] > 5.2));
        rico_state_space_destroy(closed);
    }
    assert_ok(ctx, rico_drill_critical_delta(ctx, rico_drill_table(), controller, 0.01, &delta));
    assert_near(delta, 5.737728e-4, 6e-11);
    assert_near(rico_drill_speed_of_delta(&rico_drill_table()->bit, delta) * 30.0 / PI, 5.186035, 6e-7);
    rico_state_space_destroy(controller);
}


// The full scale: c1 = 1/6250, c2 = 1/10 back from the laboratory.
static void scaling(void **state)
{
    const rico_drill_string *table = rico_drill_table();
    const double inertia[] = {40.0, 442.5, 442.5, 1778.125}, stiffness[] = {393.75, 1124.375, 685.625, 0.0},
                 damping[] = {0.0, 1.125, 1.5, 0.3125}, wall[] = {0.0, 14356.25, 18987.5, 4137.5};
    rico_drill_string *full, *back;
    rico_drill_linear *model;
    double hertz[4], speed = rpm(55.0);
    (void)state;
    assert_ok(ctx, rico_drill_scaled(ctx, table, 1.0 / 6250.0, 1.0 / 10.0, &full));
    for (int i = 0; i < 4; i++) {
        assert_near(full->inertia[i], inertia[i], 1e-10);
        assert_near(full->wall[i], wall[i], 1e-9);
        assert_near(full->link[i].stiffness, stiffness[i], 1e-10);
        assert_near(full->link[i].damping, damping[i], 1e-12);
    }
    assert_near(full->bit.still, 7700.0, 1e-9);
    assert_near(full->bit.dynamic, 1700.0, 1e-9);
    assert_near(full->bit.decay, rico_drill_decay(5.0), 1e-14);
    assert_ok(ctx, rico_drill_matrices(ctx, full, &model));
    assert_ok(ctx, rico_drill_frequencies(ctx, model, hertz));
    assert_near(hertz[3], 0.5310982476, 6e-11);
    rico_drill_steady small, large;
    assert_ok(ctx, rico_drill_equilibrium(ctx, full, speed, &large, NULL));
    assert_ok(ctx, rico_drill_equilibrium(ctx, table, speed / 10.0, &small, NULL));
    assert_near(large.drive, 6250.0 * small.drive, 1e-9 * large.drive);
    assert_ok(ctx, rico_drill_scaled(ctx, full, 6250.0, 10.0, &back));
    for (int i = 0; i < 4; i++) assert_near(back->inertia[i], table->inertia[i], 1e-15);
    rico_drill_linear_destroy(ctx, model);
    rico_drill_destroy(ctx, full);
    rico_drill_destroy(ctx, back);
}


static void laplacians(void **state)
{
    rico_random random;
    (void)state;
    rico_random_seed(&random, 8);
    for (int trial = 0; trial < 20; trial++) {
        rico_drill_link link[12];
        double inertia[6], wall[6] = {0}, energy = 0.0;
        for (int i = 0; i < 6; i++) inertia[i] = rico_random_range(&random, 0.1, 2.0);
        for (int l = 0; l < 12; l++) {
            int64_t a = rico_random_below(&random, 6), b = (a + 1 + rico_random_below(&random, 5)) % 6;
            link[l] = (rico_drill_link){a, b, rico_random_unit(&random), rico_random_unit(&random)};
        }
        const rico_drill_string string = {6, 12, inertia, link, wall, {1.0, 0.5, 1.0}};
        rico_drill_linear *model;
        assert_ok(ctx, rico_drill_matrices(ctx, &string, &model));
        double z[6];
        for (int i = 0; i < 6; i++) z[i] = rico_random_range(&random, -1.0, 1.0);
        for (int i = 0; i < 6; i++) {
            double rows[2] = {0.0, 0.0};
            for (int j = 0; j < 6; j++) {
                rows[0] += model->K[i + 6 * j];
                rows[1] += model->D[i + 6 * j];
                assert_true(model->K[i + 6 * j] == model->K[j + 6 * i]);
                energy += z[i] * model->K[i + 6 * j] * z[j];
            }
            assert_near(rows[0], 0.0, 1e-14);
            assert_near(rows[1], 0.0, 1e-14);
        }
        double expected = 0.0;
        for (int l = 0; l < 12; l++) expected += link[l].stiffness * pow(z[link[l].a] - z[link[l].b], 2.0);
        assert_near(energy, expected, 1e-13);
        rico_drill_linear_destroy(ctx, model);
    }
}


// A uniform pipe, free at the bit, an inertia at the top: tan x = -(J_td/J_pipe) x, w = x c/L.
static void pipes_and_their_reduction(void **state)
{
    enum { ELEMENTS = 64, MODES = 4 };
    const rico_drill_pipe pipe = {ELEMENTS, 6000.0, 0.14, 0.1, 79.3e9, 7850.0};
    rico_drill_pipe half = pipe;
    rico_drill_linear *whole, *small, *same;
    double all[ELEMENTS + 1], few[MODES], again[ELEMENTS + 1], coarse[ELEMENTS / 2 + 1];
    (void)state;
    double moment = PI / 32.0 * (pow(0.14, 4.0) - pow(0.1, 4.0)), string = 7850.0 * moment * 6000.0,
           top = 2.0 * string, c = sqrt(79.3e9 / 7850.0);
    half.elements = ELEMENTS / 2;
    assert_ok(ctx, rico_drill_pipes(ctx, 1, &half, top, 1e-3, &whole));
    assert_ok(ctx, rico_drill_frequencies(ctx, whole, coarse));
    rico_drill_linear_destroy(ctx, whole);
    assert_ok(ctx, rico_drill_pipes(ctx, 1, &pipe, top, 1e-3, &whole));
    assert_near(whole->total, 3.0 * string, 1e-10 * string);
    assert_ok(ctx, rico_drill_frequencies(ctx, whole, all));
    for (int mode = 1; mode < MODES; mode++) {
        // sin x + 2 x cos x = 0 once in ((m - 1/2) pi, m pi)
        double low = (mode - 0.5) * PI, high = mode * PI;
        for (int i = 0; i < 60; i++) {
            double x = 0.5 * (low + high), f = sin(x) + 2.0 * x * cos(x), g = sin(low) + 2.0 * low * cos(low);
            if ((f < 0.0) == (g < 0.0))
                low = x;
            else
                high = x;
        }
        double hertz = low * c / 6000.0 / (2.0 * PI);
        // consistent masses: frequencies from above, of second order in the length of elements
        assert_true(all[mode] > hertz);
        assert_near((coarse[mode] - hertz) / (all[mode] - hertz), 4.0, 0.02);
    }
    assert_ok(ctx, rico_drill_reduce(ctx, whole, MODES, &small));
    assert_ok(ctx, rico_drill_frequencies(ctx, small, few));
    for (int i = 1; i < MODES; i++) assert_near(few[i], all[i], 1e-9 * all[i]);
    for (int i = 0; i < MODES; i++)
        for (int j = 0; j < MODES; j++) {
            assert_near(small->M[i + MODES * j], i == j, 1e-11);
            assert_near(small->D[i + MODES * j], 1e-3 * small->K[i + MODES * j], 1e-9);
        }
    // all modes are the model itself
    rico_state_space *a, *b;
    assert_ok(ctx, rico_drill_reduce(ctx, whole, ELEMENTS + 1, &same));
    assert_ok(ctx, rico_drill_frequencies(ctx, same, again));
    assert_near(again[ELEMENTS], all[ELEMENTS], 1e-9 * all[ELEMENTS]);
    assert_ok(ctx, rico_drill_system(ctx, whole, &a));
    assert_ok(ctx, rico_drill_system(ctx, same, &b));
    for (int to = 0; to < 2; to++)
        for (double f = 0.05; f < 2.0; f *= 1.37)
            assert_near(gain(b, 1, to, f) / gain(a, 1, to, f), 1.0, 1e-6);
    rico_state_space_destroy(a);
    rico_state_space_destroy(b);
    rico_drill_linear_destroy(ctx, whole);
    rico_drill_linear_destroy(ctx, small);
    rico_drill_linear_destroy(ctx, same);
}


// Links that are no chain: the dense equilibrium is that of A x = 0 too.
static void equilibrium_of_any_graph(void **state)
{
    const rico_drill_link link[] = {
        {1, 0, 0.7, 0.1}, {2, 1, 1.1, 0.0}, {2, 3, 0.9, 0.2}, {0, 3, 0.3, 0.05}, {1, 3, 0.2, 0.0}};
    const double inertia[] = {0.1, 0.5, 0.6, 2.0}, wall[] = {0.0, 1.0, 2.0, 0.5};
    const rico_drill_string string = {4, 5, inertia, link, wall, {1.2, 0.3, 10.0}};
    rico_drill_steady steady;
    rico_state_space *lure;
    double x[7], pipe = 0.0;
    (void)state;
    assert_ok(ctx, rico_drill_equilibrium(ctx, &string, 0.7, &steady, x));
    assert_ok(ctx, rico_drill_lure(ctx, &string, 0.0, &lure));
    const double in[] = {-steady.bit, steady.drive, -1.0, -2.0, -0.5};
    for (int i = 0; i < 7; i++) {
        double rate = 0.0;
        for (int j = 0; j < 7; j++) rate += lure->a[i + 7 * j] * x[j];
        for (int j = 0; j < 5; j++) rate += lure->b[i + 7 * j] * in[j];
        assert_near(rate, 0.0, 1e-12);
        pipe += lure->c[2 + 3 * i] * x[i];
    }
    assert_near(pipe, steady.pipe, 1e-12);
    rico_state_space_destroy(lure);
}


// Lur'e form and M, D, K have one response each way, for all six links of four discs; T_pipe is what the top drive lacks.
static void lure_form_of_any_graph(void **state)
{
    rico_random random;
    (void)state;
    rico_random_seed(&random, 11);
    for (int trial = 0; trial < 10; trial++) {
        rico_drill_link link[6];
        double inertia[4], wall[4] = {0};
        int64_t l = 0;
        for (int64_t a = 0; a < 4; a++) {
            inertia[a] = rico_random_range(&random, 0.1, 2.0);
            for (int64_t b = a + 1; b < 4; b++, l++)
                link[l] =
                    (rico_drill_link){l % 2 ? a : b, l % 2 ? b : a, rico_random_range(&random, 0.1, 2.0),
                                      l == 2 || l == 4 ? 0.0 : rico_random_range(&random, 0.01, 0.2)};
        }
        const rico_drill_string string = {4, 6, inertia, link, wall, {1.0, 0.5, 1.0}};
        rico_drill_linear *model;
        rico_state_space *lure, *system;
        assert_ok(ctx, rico_drill_matrices(ctx, &string, &model));
        assert_ok(ctx, rico_drill_system(ctx, model, &system));
        assert_ok(ctx, rico_drill_lure(ctx, &string, 0.0, &lure));
        for (double f = 0.02; f < 2.0; f *= 1.5) {
            double a[8], b[2 * 15], omega = 2.0 * PI * f;
            assert_ok(ctx, rico_state_space_response(system, omega, a));
            assert_ok(ctx, rico_state_space_response(lure, omega, b));
            for (int in = 0; in < 2; in++)
                for (int out = 0; out < 2; out++)
                    for (int part = 0; part < 2; part++)
                        assert_near(b[2 * (3 * in + out) + part], a[2 * (2 * in + out) + part], 1e-9);
            // J_N i w w_td = u - T_pipe where every damping that ends there is its neighbour's
            for (int in = 0; in < 2; in++) {
                double real = -inertia[3] * omega * b[2 * (3 * in + 1) + 1],
                       imag = inertia[3] * omega * b[2 * (3 * in + 1)];
                assert_near(b[2 * (3 * in + 2)], (in == 1) - real, 1e-9);
                assert_near(b[2 * (3 * in + 2) + 1], -imag, 1e-9);
            }
        }
        rico_state_space_destroy(lure);
        rico_state_space_destroy(system);
        rico_drill_linear_destroy(ctx, model);
    }
}


// State feedback and observer: the poles of the closed loop are those of the two, all stable, and the third mode is damped.
static void observer(void **state)
{
    const rico_drill_observer want = {
        .bit = 1.0, .effort = 0.5, .bit_noise = 0.1, .speed_noise = 0.02, .torque_noise = 0.05};
    rico_state_space *controller, *closed, *soft = soft_torque(), *with_soft;
    rico_drill_steady steady;
    double abscissa, f, peak, soft_peak;
    (void)state;
    assert_ok(ctx, rico_drill_equilibrium(ctx, rico_drill_table(), rpm(5.5), &steady, NULL));
    assert_ok(ctx, rico_drill_observer_create(ctx, rico_drill_table(), steady.delta, &want, &controller));
    assert_int_equal(controller->states, 7);
    assert_ok(ctx, rico_drill_mobility(ctx, rico_drill_table(), steady.delta, controller, &closed));
    assert_int_equal(closed->states, 14);
    assert_ok(ctx, rico_state_space_abscissa(closed, &abscissa));
    assert_true(abscissa < -0.01);
    assert_ok(ctx, rico_drill_mobility(ctx, rico_drill_table(), steady.delta, soft, &with_soft));
    assert_ok(ctx, rico_drill_peak(closed, 0.5, 0.56, &f, &peak));
    assert_ok(ctx, rico_drill_peak(with_soft, 0.5, 0.56, &f, &soft_peak));
    assert_true(peak < 0.2 * soft_peak);

    // separation: A_cl has the eigenvalues of A - B F and of A - L C, both parts of what the controller is made of
    rico_state_space *lure;
    assert_ok(ctx, rico_drill_lure(ctx, rico_drill_table(), steady.delta, &lure));
    double fed[49], seen[49], re[7], im[7];
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 7; j++) {
            fed[i + 7 * j] = lure->a[i + 7 * j] + lure->b[i + 7] * controller->c[j];
            seen[i + 7 * j] = lure->a[i + 7 * j] + controller->b[i] * lure->c[1 + 3 * j] +
                              controller->b[i + 7] * lure->c[2 + 3 * j];
        }
    const double *parts[] = {fed, seen};
    for (int p = 0; p < 2; p++) {
        rico_state_space *part;
        assert_ok(ctx, rico_state_space_create(ctx, 7, 1, 1, parts[p], lure->b, parts[p], NULL, &part));
        assert_ok(ctx, rico_state_space_poles(part, re, im));
        for (int i = 0; i < 7; i++) assert_pole(closed, re[i], im[i], 1e-7);
        rico_state_space_destroy(part);
    }
    rico_state_space_destroy(lure);
    rico_state_space_destroy(controller);
    rico_state_space_destroy(closed);
    rico_state_space_destroy(soft);
    rico_state_space_destroy(with_soft);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(undamped_frequencies),
        cmocka_unit_test(damped_eigenvalues),
        cmocka_unit_test(responses_of_table_1),
        cmocka_unit_test(mobility_of_the_bit),
        cmocka_unit_test(open_mobility_is_passive),
        cmocka_unit_test(equilibria),
        cmocka_unit_test(equilibrium_of_any_graph),
        cmocka_unit_test(loop_transformation),
        cmocka_unit_test(friction_of_the_bit),
        cmocka_unit_test(soft_torque_damps_the_first_mode_alone),
        cmocka_unit_test(scaling),
        cmocka_unit_test(laplacians),
        cmocka_unit_test(pipes_and_their_reduction),
        cmocka_unit_test(lure_form_of_any_graph),
        cmocka_unit_test(observer),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
