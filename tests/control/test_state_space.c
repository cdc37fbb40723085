// Systems in state space: identities of transfer functions, poles, zeros, margins, root loci, and what is refused.

#include "systems.h"

static const double OMEGA[] = {0.0, 0.03, 0.7, 1.0, 4.0, 55.0};
enum { OMEGAS = sizeof OMEGA / sizeof *OMEGA };


// C = A B of rows x mid times mid x cols, column by column.
static void product(int64_t rows, int64_t mid, int64_t cols, const double complex *a, const double complex *b,
                    double complex *c)
{
    for (int64_t j = 0; j < cols; j++)
        for (int64_t i = 0; i < rows; i++) {
            c[i + j * rows] = 0.0;
            for (int64_t k = 0; k < mid; k++) c[i + j * rows] += a[i + k * rows] * b[k + j * mid];
        }
}


// B = A^-1 B by Gauss and Jordan with pivots; A is destroyed.
static void divide(int64_t n, int64_t cols, double complex *a, double complex *b)
{
    for (int64_t k = 0; k < n; k++) {
        int64_t pivot = k;
        for (int64_t i = k; i < n; i++)
            if (cabs(a[i + k * n]) > cabs(a[pivot + k * n])) pivot = i;
        for (int64_t j = 0; j < n + cols; j++) {
            double complex *column = j < n ? &a[j * n] : &b[(j - n) * n], swap = column[k];
            column[k] = column[pivot];
            column[pivot] = swap;
        }
        for (int64_t i = 0; i < n; i++) {
            double complex factor = a[i + k * n] / a[k + k * n];
            if (i == k) continue;
            for (int64_t j = 0; j < n; j++) a[i + j * n] -= factor * a[k + j * n];
            for (int64_t j = 0; j < cols; j++) b[i + j * n] -= factor * b[k + j * n];
        }
    }
    for (int64_t j = 0; j < cols; j++)
        for (int64_t i = 0; i < n; i++) b[i + j * n] /= a[i + i * n];
}


static void assert_same(int64_t count, const double complex *a, const double complex *b, double bound)
{
    for (int64_t i = 0; i < count; i++) assert_at_most(cabs(a[i] - b[i]), bound * (1.0 + cabs(b[i])));
}


static void test_transfer(void **state)
{
    (void)state;
    const double over[] = {2.0, -3.0, 5.0}, under[] = {4.0, 1.0, 7.0, 0.5}, same[] = {3.0, 1.0, 0.0, 2.0};
    // (2 s^2 - 3 s + 5)/(4 s^3 + s^2 + 7 s + 1/2), one with a direct gain, and sections
    rico_state_space *lag, *proper, *sections;
    assert_ok(ctx, rico_state_space_transfer(ctx, 2, over, 3, under, &lag));
    assert_ok(ctx, rico_state_space_transfer(ctx, 3, same, 3, under, &proper));
    const double six[] = {0.0, 1.0, 3.0, 0.0, 1.0, 0.2, 1.0, 0.4, 2.0,
                          2.0, 1.0, 5.0, 0.0, 0.0, 3.0, 0.0, 0.0, 2.0};
    assert_ok(ctx, rico_state_space_sections(ctx, 3, six, &sections));
    assert_int_equal(lag->states, 3);
    assert_int_equal(sections->states, 3);
    for (int i = 0; i < OMEGAS; i++) {
        double complex s = OMEGA[i] * I, den = ((4.0 * s + 1.0) * s + 7.0) * s + 0.5;
        double complex want = ((2.0 * s - 3.0) * s + 5.0) / den,
                       direct = ((3.0 * s + 1.0) * s * s + 2.0) / den;
        double complex chain =
            (s + 3.0) / (s + 0.2) * (s * s + 0.4 * s + 2.0) / (2.0 * s * s + s + 5.0) * 1.5;
        assert_at_most(cabs(scalar(lag, OMEGA[i]) - want), 1e-13 * (1.0 + cabs(want)));
        assert_at_most(cabs(scalar(proper, OMEGA[i]) - direct), 1e-13 * (1.0 + cabs(direct)));
        assert_at_most(cabs(scalar(sections, OMEGA[i]) - chain), 1e-13 * (1.0 + cabs(chain)));
    }
    rico_state_space_destroy(lag);
    rico_state_space_destroy(proper);
    rico_state_space_destroy(sections);
}


// Series, sum, both side by side, and chosen lines.
static void test_put_together(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 11);
    rico_state_space *g = random_system(&random, 4, 2, 3, false), *h = random_system(&random, 3, 3, 2, false);
    rico_state_space *like = random_system(&random, 5, 2, 3, false), *series, *sum, *both, *chosen;
    const int64_t input[] = {4, 0, 0}, output[] = {1, 3};
    assert_ok(ctx, rico_state_space_series(g, h, &series));
    assert_ok(ctx, rico_state_space_parallel(g, like, &sum));
    assert_ok(ctx, rico_state_space_append(g, h, &both));
    assert_ok(ctx, rico_state_space_select(both, 3, input, 2, output, &chosen));
    for (int k = 0; k < OMEGAS; k++) {
        double complex a[LARGEST], b[LARGEST], c[LARGEST], want[LARGEST], found[LARGEST];
        response(g, OMEGA[k], a);
        response(h, OMEGA[k], b);
        response(like, OMEGA[k], c);
        product(2, 3, 2, b, a, want);
        response(series, OMEGA[k], found);
        assert_same(4, found, want, 1e-12);
        for (int i = 0; i < 6; i++) want[i] = a[i] + c[i];
        response(sum, OMEGA[k], found);
        assert_same(6, found, want, 1e-12);
        // outputs 1 of g and 0 of h; inputs 2 of h, then twice 0 of g
        const double complex lines[] = {0.0, b[0 + 2 * 2], a[1], 0.0, a[1], 0.0};
        response(chosen, OMEGA[k], found);
        assert_same(6, found, lines, 1e-12);
    }
    rico_state_space *all[] = {g, h, like, series, sum, both, chosen};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) rico_state_space_destroy(all[i]);
}


// F_l(P, K) = P11 + P12 K (I - P22 K)^-1 P21 with two lines each way, and (I + G K)^-1 G.
static void test_loops(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 12);
    rico_state_space *p = random_system(&random, 4, 4, 5, false), *k = random_system(&random, 3, 2, 2, false);
    rico_state_space *g = random_system(&random, 4, 2, 2, false), *loop, *back;
    assert_ok(ctx, rico_state_space_lft(p, k, &loop));
    assert_ok(ctx, rico_state_space_feedback(g, k, &back));
    assert_int_equal(loop->states, 7);
    assert_int_equal(loop->inputs, 2);
    assert_int_equal(loop->outputs, 3);
    for (int w = 0; w < OMEGAS; w++) {
        double complex a[LARGEST], c[LARGEST], b[LARGEST], found[LARGEST], inner[4], p21[4], p12[6], kp[4],
            via[6];
        response(p, OMEGA[w], a);
        response(k, OMEGA[w], c);
        response(loop, OMEGA[w], found);
        for (int j = 0; j < 2; j++) {
            for (int i = 0; i < 2; i++) p21[i + 2 * j] = a[3 + i + 5 * j];
            for (int i = 0; i < 3; i++) p12[i + 3 * j] = a[i + 5 * (2 + j)];
        }
        const double complex p22[] = {a[3 + 5 * 2], a[4 + 5 * 2], a[3 + 5 * 3], a[4 + 5 * 3]};
        product(2, 2, 2, p22, c, inner);
        for (int i = 0; i < 4; i++) inner[i] = (i % 3 == 0 ? 1.0 : 0.0) - inner[i];
        divide(2, 2, inner, p21);
        product(2, 2, 2, c, p21, kp);
        product(3, 2, 2, p12, kp, via);
        for (int j = 0; j < 2; j++)
            for (int i = 0; i < 3; i++) via[i + 3 * j] += a[i + 5 * j];
        assert_same(6, found, via, 1e-11);
        response(g, OMEGA[w], b);
        product(2, 2, 2, b, c, inner);
        for (int i = 0; i < 4; i++) inner[i] += i % 3 == 0 ? 1.0 : 0.0;
        divide(2, 2, inner, b);
        response(back, OMEGA[w], found);
        assert_same(4, found, b, 1e-11);
    }
    rico_state_space *all[] = {p, k, g, loop, back};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) rico_state_space_destroy(all[i]);
}


// Closing the star product of two plants with a third is closing the second with the third, and the first with that.
static void test_star(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 13);
    rico_state_space *p = random_system(&random, 3, 4, 3, false), *q = random_system(&random, 2, 3, 4, false);
    rico_state_space *k = random_system(&random, 2, 2, 1, false), *star, *once, *inner, *twice;
    assert_ok(ctx, rico_state_space_star(p, q, 2, 2, &star));
    assert_int_equal(star->inputs, 3);
    assert_int_equal(star->outputs, 3);
    assert_ok(ctx, rico_state_space_lft(star, k, &once));
    assert_ok(ctx, rico_state_space_lft(q, k, &inner));
    assert_ok(ctx, rico_state_space_lft(p, inner, &twice));
    for (int w = 0; w < OMEGAS; w++) {
        double complex a[LARGEST], b[LARGEST];
        response(once, OMEGA[w], a);
        response(twice, OMEGA[w], b);
        assert_same(once->inputs * once->outputs, a, b, 1e-10);
    }
    rico_state_space *all[] = {p, q, k, star, once, inner, twice};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) rico_state_space_destroy(all[i]);
}


// Skogestad and Postlethwaite's [s - 1, 4; 4.5, 2 (s - 1)]/(s + 2) has its pole at -2 and its zero at 4.
static void test_poles_and_zeros(void **state)
{
    (void)state;
    const double a[] = {-2.0}, b[] = {3.0, -4.0}, c[] = {-1.0, 1.5}, d[] = {1.0, 0.0, 0.0, 2.0};
    const double over[] = {1.0, 4.0, 13.0}, under[] = {1.0, 3.0, 3.0, 1.0, 2.0};
    double real[8], imag[8], abscissa;
    int64_t count;
    rico_state_space *square, *chain, *tall, *gain;
    assert_ok(ctx, rico_state_space_create(ctx, 1, 2, 2, a, b, c, d, &square));
    assert_ok(ctx, rico_state_space_zeros(square, real, imag, &count));
    assert_int_equal(count, 1);
    assert_near(real[0], 4.0, 1e-12);
    assert_ok(ctx, rico_state_space_poles(square, real, imag));
    assert_near(real[0], -2.0, 1e-15);
    // without a direct gain: zeros -2 +- 3 i of degree 2 under 4
    assert_ok(ctx, rico_state_space_transfer(ctx, 2, over, 4, under, &chain));
    assert_ok(ctx, rico_state_space_zeros(chain, real, imag, &count));
    assert_int_equal(count, 2);
    for (int i = 0; i < 2; i++) {
        assert_near(real[i], -2.0, 1e-10);
        assert_near(fabs(imag[i]), 3.0, 1e-10);
    }
    // two outputs of one input, (s + 1)(s + 2) and (s + 1)(s + 3) over (s + 4)^2 (s + 5): -1 is common
    const double first[] = {1.0, 3.0, 2.0}, second[] = {1.0, 4.0, 3.0}, den[] = {1.0, 13.0, 56.0, 80.0};
    rico_state_space *one;
    assert_ok(ctx, rico_state_space_transfer(ctx, 2, first, 3, den, &one));
    double rows[6];
    for (int i = 0; i < 3; i++) rows[2 * i] = first[i], rows[2 * i + 1] = second[i];
    assert_ok(ctx, rico_state_space_create(ctx, 3, 1, 2, one->a, one->b, rows, NULL, &tall));
    assert_ok(ctx, rico_state_space_zeros(tall, real, imag, &count));
    assert_int_equal(count, 1);
    assert_near(real[0], -1.0, 1e-10);
    assert_ok(ctx, rico_state_space_gain(ctx, 2, 2, d, &gain));
    assert_ok(ctx, rico_state_space_abscissa(gain, &abscissa));
    assert_true(isinf(abscissa) && abscissa < 0.0);
    rico_state_space *all[] = {square, chain, tall, one, gain};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) rico_state_space_destroy(all[i]);
}


// k/(s (s + 1)(s + 2)): phase -180 degrees at sqrt(2), where |L| = k/6; 1/s: 90 degrees at 1.
static void test_margins(void **state)
{
    (void)state;
    const double two[] = {2.0}, under[] = {1.0, 3.0, 2.0, 0.0}, one[] = {1.0}, integrator[] = {1.0, 0.0};
    const double falls[] = {10.0}, unstable[] = {1.0, -1.0};
    rico_margins m;
    rico_state_space *third, *first, *caught, *turned;
    assert_ok(ctx, rico_state_space_transfer(ctx, 0, two, 3, under, &third));
    assert_ok(ctx, rico_state_space_margins(third, &m));
    assert_true(m.stable);
    assert_near(m.gain, 3.0, 1e-9);
    assert_near(m.gain_frequency, sqrt(2.0), 1e-9);
    double w = m.phase_frequency, lag = acos(-1.0) / 2.0 - atan(w) - atan(0.5 * w);
    assert_near(2.0 / (w * sqrt((1.0 + w * w) * (4.0 + w * w))), 1.0, 1e-9); // |L| = 1 there
    assert_near(m.phase, lag, 1e-9);
    assert_near(m.delay, lag / w, 1e-9);
    assert_true(m.down <= 0.0);
    assert_ok(ctx, rico_state_space_transfer(ctx, 0, one, 1, integrator, &first));
    assert_ok(ctx, rico_state_space_margins(first, &m));
    assert_true(isinf(m.gain));
    assert_near(m.phase, acos(-1.0) / 2.0, 1e-12);
    assert_near(m.delay, acos(-1.0) / 2.0, 1e-12);
    // 10/(s - 1) is stable from the gain 1/10 of it on: L(0) = -10
    assert_ok(ctx, rico_state_space_transfer(ctx, 0, falls, 1, unstable, &caught));
    assert_ok(ctx, rico_state_space_margins(caught, &m));
    assert_true(m.stable && isinf(m.gain));
    assert_near(m.down, 0.1, 1e-12);
    assert_near(m.phase, atan(sqrt(99.0)), 1e-9);
    const double eight[] = {8.0};
    assert_ok(ctx, rico_state_space_transfer(ctx, 0, eight, 3, under, &turned));
    assert_ok(ctx, rico_state_space_margins(turned, &m));
    assert_false(m.stable);
    assert_near(m.down, 0.75, 1e-9);
    rico_state_space *all[] = {third, first, caught, turned};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) rico_state_space_destroy(all[i]);
}


// k/(s (s + 2)): -1 +- sqrt(1 - k).
static void test_root_locus(void **state)
{
    (void)state;
    const double one[] = {1.0}, under[] = {1.0, 2.0, 0.0}, gain[] = {0.0, 0.75, 1.0, 5.0};
    double real[8], imag[8];
    rico_state_space *loop;
    assert_ok(ctx, rico_state_space_transfer(ctx, 0, one, 2, under, &loop));
    assert_ok(ctx, rico_state_space_root_locus(loop, 4, gain, real, imag));
    for (int i = 0; i < 4; i++) {
        double complex root = csqrt(1.0 - gain[i]);
        for (int j = 0; j < 2; j++) {
            assert_near(fabs(real[2 * i + j] + 1.0), creal(root), 1e-7);
            assert_near(fabs(imag[2 * i + j]), cimag(root), 1e-7);
        }
    }
    rico_state_space_destroy(loop);
}


static void test_refused(void **state)
{
    (void)state;
    const double one[] = {1.0}, minus[] = {-1.0}, pole[] = {1.0, 0.0}, wrong[] = {1.0, NAN, 0.0, 1.0},
                 two[] = {1.0, 1.0};
    const double zero[] = {0.0, 1.0};
    const int64_t beyond[] = {1};
    double real[4], imag[4], numbers[2];
    rico_margins margins;
    rico_state_space *gain, *back, *wide, *integrator, *out;
    assert_refused(rico_state_space_create(ctx, 2, 1, 1, wrong, one, one, NULL, &out), RICO_BAD_INPUT,
                   "entry 1 of the matrix A");
    assert_refused(rico_state_space_create(ctx, -1, 1, 1, NULL, NULL, NULL, NULL, &out), RICO_BAD_ARGUMENT,
                   "-1 states");
    assert_refused(rico_state_space_create(ctx, 1, 1, 1, one, NULL, one, NULL, &out), RICO_BAD_ARGUMENT,
                   "the matrix B of a system is missing");
    assert_refused(rico_state_space_gain(ctx, 1, 1, NULL, &out), RICO_BAD_ARGUMENT, "without its matrix");
    assert_refused(rico_state_space_transfer(ctx, 1, two, 0, one, &out), RICO_BAD_ARGUMENT,
                   "degree 1 over a denominator of degree 0");
    assert_refused(rico_state_space_transfer(ctx, 0, one, 1, zero, &out), RICO_BAD_INPUT, "begins with 0");
    assert_refused(rico_state_space_transfer(ctx, 0, one, 1, wrong, &out), RICO_BAD_INPUT, "not finite");
    assert_ok(ctx, rico_state_space_gain(ctx, 1, 1, one, &gain));
    assert_ok(ctx, rico_state_space_gain(ctx, 1, 1, minus, &back));
    assert_ok(ctx, rico_state_space_gain(ctx, 1, 2, two, &wide));
    assert_ok(ctx, rico_state_space_transfer(ctx, 0, one, 1, pole, &integrator));
    // y = r + y has no solution
    assert_refused(rico_state_space_feedback(gain, back, &out), RICO_SINGULAR, "the loop is not well posed");
    assert_null(out);
    assert_refused(rico_state_space_feedback(gain, wide, &out), RICO_BAD_ARGUMENT, "2 inputs");
    assert_refused(rico_state_space_series(gain, wide, &out), RICO_BAD_ARGUMENT, "1 outputs cannot drive 2");
    assert_refused(rico_state_space_parallel(gain, wide, &out), RICO_BAD_ARGUMENT, "cannot be added");
    assert_refused(rico_state_space_lft(gain, wide, &out), RICO_BAD_ARGUMENT, "no star product");
    assert_refused(rico_state_space_select(gain, 1, beyond, 1, beyond, &out), RICO_BAD_ARGUMENT,
                   "no input 1 among 1");
    assert_refused(rico_state_space_connect(gain, one, 0, NULL, 1, one, &out), RICO_BAD_ARGUMENT,
                   "0 references");
    assert_refused(rico_state_space_connect(gain, wrong + 1, 1, one, 1, one, &out), RICO_BAD_INPUT,
                   "not finite");
    assert_refused(rico_state_space_response(integrator, 0.0, numbers), RICO_SINGULAR, "a pole");
    assert_refused(rico_state_space_response(integrator, NAN, numbers), RICO_BAD_ARGUMENT, "frequency nan");
    assert_refused(rico_state_space_margins(wide, &margins), RICO_BAD_ARGUMENT, "2 inputs");
    assert_refused(rico_state_space_root_locus(gain, 1, minus, real, imag), RICO_SINGULAR, "gain -1");
    assert_refused(rico_state_space_root_locus(wide, 1, minus, real, imag), RICO_BAD_ARGUMENT, "2 inputs");
    rico_state_space *all[] = {gain, back, wide, integrator, NULL};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) rico_state_space_destroy(all[i]);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_transfer),        cmocka_unit_test(test_put_together),
        cmocka_unit_test(test_loops),           cmocka_unit_test(test_star),
        cmocka_unit_test(test_poles_and_zeros), cmocka_unit_test(test_margins),
        cmocka_unit_test(test_root_locus),      cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, context_start, context_end);
}
