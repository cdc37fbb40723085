// Branches of several impacts, bridges, sticking orbits, stability, and an integrator of its own that checks them.

#include "orbit/modes.h"
#include "support.h"

static rico_modes *two_masses(rico_context *ctx, double g0)
{
    const double M[] = {1, 0, 0, 1}, K[] = {2, -1, -1, 1}, w[] = {0, -1};
    rico_modes *modes;
    assert_ok(ctx, rico_modes_create(ctx, 2, M, K, w, g0, &modes));
    return modes;
}


static void test_sticking(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_modes *modes = two_masses(ctx, 1.0);
    rico_modes_stick stick[200];
    int64_t count, admissible = 0;
    assert_ok(ctx, rico_modes_sticks(modes, 60.0, 400, 200, stick, &count));
    for (int64_t i = 0; i < count; i++) {
        if (!stick[i].admissible) continue;
        admissible++;
        assert_near(stick[i].flight, 5.95466314, 6e-9);
        assert_near(stick[i].rest, 2.05168407, 6e-9);
        assert_near(stick[i].period, 8.00634721, 6e-9);
        assert_near(stick[i].energy, 17.68409769, 6e-9);
        double q[2], v[2], u1 = 0.0, u2 = 0.0, v1 = 0.0;
        const double *shape = rico_modes_shapes(modes);
        assert_ok(ctx, rico_modes_stick_state(modes, &stick[i], q, v));
        for (int j = 0; j < 2; j++) {
            u1 += shape[2 * j] * q[j];
            u2 += shape[2 * j + 1] * q[j];
            v1 += shape[2 * j] * v[j];
        }
        assert_near(u1, 1.0, 1e-9);
        assert_near(u2, 1.0, 1e-9);
        assert_near(fabs(v1), 5.86243937, 6e-9);
    }
    assert_int_equal(admissible, 1);
    rico_modes_destroy(modes);
    rico_context_destroy(ctx);
}


// --- an integrator that knows nothing of the reduced equations ------------------------------------------------

static void fly(const rico_modes *modes, double time, double *x)
{
    int64_t n = rico_modes_count(modes);
    const double *omega = rico_modes_frequencies(modes);
    for (int64_t j = 0; j < n; j++) {
        double c = cos(omega[j] * time), s = sin(omega[j] * time), q = x[j], v = x[n + j];
        x[j] = c * q + s / omega[j] * v;
        x[n + j] = c * v - omega[j] * s * q;
    }
}


static double gap_of(const rico_modes *modes, const double *x)
{
    double gap = rico_modes_gap_at_rest(modes);
    for (int64_t j = 0; j < rico_modes_count(modes); j++) gap += rico_modes_participations(modes)[j] * x[j];
    return gap;
}


static double rate_of(const rico_modes *modes, const double *x)
{
    double rate = 0.0;
    int64_t n = rico_modes_count(modes);
    for (int64_t j = 0; j < n; j++) rate += rico_modes_participations(modes)[j] * x[n + j];
    return rate;
}


// From just after an impact through a time, with an impact wherever the gap closes; returns how many there were.
static int simulate(const rico_modes *modes, double time, double *x)
{
    enum { STEPS = 4000, MOST = 16 };
    int64_t n = rico_modes_count(modes);
    double h = time / STEPS, left = time;
    int impacts = 0;
    while (left > 0.0) {
        double next[2 * MOST], step = fmin(h, left);
        memcpy(next, x, (size_t)(2 * n) * sizeof *x);
        fly(modes, step, next);
        if (gap_of(modes, next) < 0.0 && rate_of(modes, next) < 0.0) {
            double a = 0.0, b = step;
            for (int i = 0; i < 60; i++) {
                double middle = 0.5 * (a + b);
                memcpy(next, x, (size_t)(2 * n) * sizeof *x);
                fly(modes, middle, next);
                if (gap_of(modes, next) < 0.0 && rate_of(modes, next) < 0.0)
                    b = middle;
                else
                    a = middle;
            }
            memcpy(next, x, (size_t)(2 * n) * sizeof *x);
            fly(modes, b, next);
            rico_modes_reflect(modes, next + n);
            impacts++;
            step = b;
        }
        memcpy(x, next, (size_t)(2 * n) * sizeof *x);
        left -= step;
    }
    return impacts;
}


// One impact and one sticking per period, two masses: u1' = 0 where u2 closes the gap in the middle of the flight, by a scan and bisection in another program; all with flights below 40.
static void test_sticking_with_impact(void **state)
{
    (void)state;
    static const double FLIGHT[] = {2 * 4.63545268, 2 * 7.09480690}, REST[] = {2.19326184, 1.92343315},
                        ENERGY[] = {629.98358566, 5.96414133}, SPEED[] = {20.821545, 1.604158};
    rico_context *ctx = rico_context_create(NULL);
    rico_modes *modes = two_masses(ctx, 1.0);
    rico_modes_stick stick[200];
    int64_t count, admissible = 0;
    assert_ok(ctx, rico_modes_sticks_with_impact(modes, 40.0, 200, 200, stick, &count));
    for (int64_t i = 0; i < count; i++) {
        if (!stick[i].admissible) continue;
        assert_true(admissible < 2);
        assert_near(stick[i].flight, FLIGHT[admissible], 2e-8);
        assert_near(stick[i].rest, REST[admissible], 1e-8);
        assert_near(stick[i].energy, ENERGY[admissible], 1e-8 * ENERGY[admissible] + 1e-8);
        assert_near(stick[i].impulse, 2.0 * SPEED[admissible], 2e-6);
        // leaving, and by the impact back: the flight is its own mirror
        double x[4], early[4];
        assert_ok(ctx, rico_modes_stick_state(modes, &stick[i], x, x + 2));
        memcpy(early, x, sizeof x);
        fly(modes, 0.2 * stick[i].flight, early);
        memcpy(x, early, sizeof x);
        assert_int_equal(simulate(modes, 0.6 * stick[i].flight, x), 1);
        for (int j = 0; j < 2; j++) {
            assert_near(x[j], early[j], 1e-8);
            assert_near(x[2 + j], -early[2 + j], 1e-8);
        }
        admissible++;
    }
    assert_int_equal(admissible, 2);
    rico_modes_destroy(modes);
    rico_context_destroy(ctx);
}


// The orbit comes back to where it was, from the middle of its first flight, and its derivative is that of differences.
static void check_orbit(rico_context *ctx, const rico_modes *modes, const rico_modes_orbit *orbit)
{
    int64_t n = rico_modes_count(modes);
    double x[32], start[32], mono[32 * 32], size = sqrt(orbit->energy);
    double begin = 0.5 * orbit->duration[0];
    assert_true(orbit->admissible);
    rico_modes_modal(modes, orbit, begin, start, start + n);
    memcpy(x, start, sizeof x);
    assert_int_equal(simulate(modes, orbit->period, x), orbit->impacts);
    for (int64_t i = 0; i < 2 * n; i++) assert_near(x[i], start[i], 1e-10 * (1.0 + size));

    // the derivative at the middle of the flight is that after the impact, carried along: the same trace
    double trace = 0.0, differences = 0.0, step = 1e-6;
    assert_ok(ctx, rico_modes_monodromy(modes, orbit, mono));
    for (int64_t i = 0; i < 2 * n; i++) {
        double ahead[32], behind[32];
        memcpy(ahead, start, sizeof ahead);
        memcpy(behind, start, sizeof behind);
        ahead[i] += step;
        behind[i] -= step;
        assert_int_equal(simulate(modes, orbit->period, ahead), orbit->impacts);
        assert_int_equal(simulate(modes, orbit->period, behind), orbit->impacts);
        differences += (ahead[i] - behind[i]) / (2.0 * step);
        trace += mono[i + 2 * n * i];
    }
    assert_near(differences, trace, 1e-5 * (1.0 + fabs(trace)));
}


// Of the multipliers two are 1, and with each comes its inverse.
static void check_multipliers(rico_context *ctx, const rico_modes *modes, const rico_modes_orbit *orbit)
{
    int64_t n = 2 * rico_modes_count(modes), ones = 0;
    double re[32], im[32], product = 1.0;
    assert_ok(ctx, rico_modes_multipliers(modes, orbit, re, im));
    for (int64_t i = 0; i < n; i++) {
        if (hypot(re[i] - 1.0, im[i]) < 1e-4) ones++;
        product *= hypot(re[i], im[i]);
    }
    assert_true(ones >= 2);
    assert_near(product, 1.0, 1e-8);
}


static double last_of_one(rico_context *ctx, const rico_modes *modes, double period)
{
    rico_modes_orbit one;
    assert_ok(ctx, rico_modes_one(modes, period, &one));
    return one.impulse[0];
}


// Branches of 1, 2, 3 impacts end ever nearer to the period 8.00634721 of the orbit that sticks.
static void test_three_impacts(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_modes *modes = two_masses(ctx, 1.0);
    static rico_modes_orbit branch[4000];
    rico_modes_orbit three = {.impacts = 3, .duration = {0.9, 0.9, 6.2}};
    assert_ok(ctx, rico_modes_refine(modes, &three));
    assert_near(three.period, 8.0, 1e-12);
    assert_near(three.duration[0], three.duration[1], 1e-9); // symmetric in time
    check_orbit(ctx, modes, &three);
    check_multipliers(ctx, modes, &three);
    for (int direction = -1; direction <= 1; direction += 2) {
        int64_t count;
        rico_modes_end end;
        assert_ok(ctx, rico_modes_follow(modes, &three, direction, 0.02, 4000, branch, &count, &end));
        const rico_modes_orbit *last = &branch[count - 1];
        // it comes from the end of the branch of one impact, at whose touch the other two begin, and leads on towards sticking
        if (direction < 0) {
            rico_modes_range range;
            int64_t ranges;
            assert_int_equal(end, RICO_MODES_END_LOST);
            assert_ok(ctx, rico_modes_ranges(modes, 7.8, 8.2, 0.01, 1, &range, &ranges));
            assert_near(last->period, range.low, 1e-7);
            assert_near(last->impulse[1], last_of_one(ctx, modes, range.low), 1e-6);
        } else {
            assert_int_equal(end, RICO_MODES_END_TOUCH);
            assert_true(last->period > 8.002 && last->period < 8.00634721);
        }
        check_orbit(ctx, modes, &branch[count / 2]);
    }
    rico_modes_destroy(modes);
    rico_context_destroy(ctx);
}


// Gap of the orbit that sticks at a time from the middle of its flight, which is symmetric.
static double sticking_gap(const rico_modes *modes, const rico_modes_stick *stick, double t)
{
    double x[4];
    assert_int_equal(rico_modes_stick_state(modes, stick, x, x + 2), RICO_OK);
    fly(modes, 0.5 * stick->flight + t, x);
    return gap_of(modes, x);
}


// Figure 9: branches of 1, 3, 5, 7 and of 2, 4, 6 impacts begin where the one before touches, and come nearer and nearer to the orbit that sticks, in
// energy and in time; to 29 and 28 they do so, too. The energy left is some 5.8/k; the period passes that of the limit, and comes back.
static void test_sequences(void **state)
{
    (void)state;
    enum { BRANCHES = 14 };
    rico_context *ctx = rico_context_create(NULL);
    rico_modes *modes = two_masses(ctx, 1.0);
    rico_modes_stick all[200], stick = {0};
    int64_t count;
    assert_ok(ctx, rico_modes_sticks(modes, 10.0, 100, 200, all, &count));
    for (int64_t i = 0; i < count; i++)
        if (all[i].admissible) stick = all[i];
    assert_near(stick.period, 8.00634721, 6e-9);
    for (int sequence = 0; sequence < 2; sequence++) {
        rico_modes_orbit start = {.impacts = 2, .duration = {1.49, 6.51}}, last[BRANCHES];
        rico_modes_junction junction[BRANCHES];
        rico_modes_end end;
        int direction = 1;
        if (sequence == 0) { // from where the branch of one impact touches
            rico_modes_range range;
            rico_modes_orbit one;
            assert_ok(ctx, rico_modes_ranges(modes, 7.8, 8.2, 0.01, 1, &range, &count));
            assert_ok(ctx, rico_modes_one(modes, range.low, &one));
            assert_ok(ctx, rico_modes_beyond(modes, &one, &start, &direction));
            assert_int_equal(start.impacts, 3);
        } else {
            assert_ok(ctx, rico_modes_refine(modes, &start));
        }
        assert_ok(ctx, rico_modes_sequence(modes, &start, direction, 0.02, &stick, BRANCHES, junction, last,
                                           &count, &end));
        assert_int_equal(count, BRANCHES);
        assert_int_equal(end, RICO_MODES_END_STICKING);
        double before = INFINITY, apart_before = INFINITY;
        for (int64_t i = 0; i < count; i++) {
            double apart = 0.0, middle = 0.0, gap;
            int64_t longest = 0;
            assert_int_equal(junction[i].impacts, 2 * i + (sequence == 0 ? 3 : 2));
            assert_true(last[i].admissible);
            assert_true(junction[i].energy - stick.energy > 0.0 && junction[i].energy < before);
            before = junction[i].energy;
            for (int64_t k = 0; k < last[i].impacts; k++)
                if (last[i].duration[k] > last[i].duration[longest]) longest = k;
            for (int64_t k = 0; k < longest; k++) middle += last[i].duration[k];
            middle += 0.5 * last[i].duration[longest];
            for (int k = 0; k <= 50; k++) {
                double t = 0.05 * k;
                rico_modes_gap(modes, &last[i], middle + t, &gap, NULL);
                apart = fmax(apart, fabs(gap - sticking_gap(modes, &stick, t)));
            }
            assert_true(apart < apart_before);
            apart_before = apart;
        }
        assert_at_most(before - stick.energy, 0.21);
        assert_near((before - stick.energy) * (double)last[BRANCHES - 1].impacts, 5.7, 0.1);
        assert_true(last[6].period > last[BRANCHES - 1].period && last[BRANCHES - 1].period > stick.period);
        // without the orbit that sticks, or with another, the same sequence just touches
        stick.energy += 0.9;
        assert_ok(ctx, rico_modes_sequence(modes, &start, direction, 0.02, &stick, 7, junction, NULL, &count,
                                           &end));
        assert_int_equal(end, RICO_MODES_END_TOUCH);
        stick.energy -= 0.9;
    }
    rico_modes_destroy(modes);
    rico_context_destroy(ctx);
}


// An orbit's own velocity x' comes back to itself, M x' = x': with the state after the first impact, of every orbit of three branches.
static void check_branch(rico_context *ctx, const rico_modes *modes, int64_t count,
                         const rico_modes_orbit *branch)
{
    const double *omega = rico_modes_frequencies(modes);
    for (int64_t i = 0; i < count; i++) {
        double x[4], rate[4], mono[16], size = 0.0, length = 0.0, worst = 0.0;
        rico_modes_after(modes, &branch[i], 0, x, x + 2);
        for (int j = 0; j < 2; j++) rate[j] = x[2 + j], rate[2 + j] = -omega[j] * omega[j] * x[j];
        assert_ok(ctx, rico_modes_monodromy(modes, &branch[i], mono));
        for (int r = 0; r < 4; r++) {
            double back = -rate[r];
            for (int c = 0; c < 4; c++) {
                back += mono[r + 4 * c] * rate[c];
                size = fmax(size, fabs(mono[r + 4 * c]));
            }
            worst = fmax(worst, fabs(back));
            length = fmax(length, fabs(rate[r]));
        }
        assert_at_most(worst, 1e-9 * size * length);
    }
}


static void test_every_monodromy(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_modes *modes = two_masses(ctx, 1.0);
    static rico_modes_orbit branch[4000];
    rico_modes_orbit start = {.impacts = 3, .duration = {0.9, 0.9, 6.2}};
    int direction = 1;
    assert_ok(ctx, rico_modes_refine(modes, &start));
    for (int64_t impacts = 3; impacts <= 7; impacts += 2) {
        int64_t count;
        rico_modes_end end;
        assert_int_equal(start.impacts, impacts);
        assert_ok(ctx, rico_modes_follow(modes, &start, direction, 0.02, 4000, branch, &count, &end));
        assert_int_equal(end, RICO_MODES_END_TOUCH);
        check_branch(ctx, modes, count, branch);
        assert_ok(ctx, rico_modes_beyond(modes, &branch[count - 1], &start, &direction));
    }
    rico_modes_destroy(modes);
    rico_context_destroy(ctx);
}


// Two impacts at T = 8: with shorter periods the energy grows, with longer ones the gap closes in the long flight.
static void test_two_impacts(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_modes *modes = two_masses(ctx, 1.0);
    static rico_modes_orbit branch[4000];
    rico_modes_orbit pair = {.impacts = 2, .duration = {1.49, 6.51}};
    int64_t count;
    rico_modes_end end;
    assert_ok(ctx, rico_modes_refine(modes, &pair));
    assert_near(pair.duration[0], 1.4932235945, 6e-11);
    check_orbit(ctx, modes, &pair);
    check_multipliers(ctx, modes, &pair);
    assert_ok(ctx, rico_modes_follow(modes, &pair, -1, 0.02, 4000, branch, &count, &end));
    assert_int_equal(end, RICO_MODES_END_ENERGY);
    check_orbit(ctx, modes, &branch[count / 2]);
    assert_ok(ctx, rico_modes_follow(modes, &pair, 1, 0.02, 4000, branch, &count, &end));
    assert_int_equal(end, RICO_MODES_END_TOUCH);
    check_orbit(ctx, modes, &branch[count / 2]);
    assert_true(branch[count - 1].period > 7.9906 && branch[count - 1].period < 8.0046);
    // where it ends the gap of the long flight has a minimum of zero, in its middle by symmetry
    const rico_modes_orbit *last = &branch[count - 1];
    double gap, rate;
    rico_modes_gap(modes, last, 0.5 * last->duration[0], &gap, &rate);
    assert_near(rate, 0.0, 1e-9);
    rico_modes_gap(modes, last, last->duration[0] + 0.5 * last->duration[1], &gap, &rate);
    assert_near(rate, 0.0, 1e-9);
    rico_modes_destroy(modes);
    rico_context_destroy(ctx);
}


// Orbits of one impact come back too; at a bridge the multipliers other than 1 are both -1, so that the trace vanishes.
static void test_bridges(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_modes *modes = two_masses(ctx, 1.0);
    double T[8];
    int64_t count;
    for (double period = 3.6; period < 10.0; period += 0.7) {
        rico_modes_orbit one;
        assert_ok(ctx, rico_modes_one(modes, period, &one));
        if (one.admissible) check_orbit(ctx, modes, &one);
    }
    assert_ok(ctx, rico_modes_bridges(modes, 5.0, 20.0, 8, T, &count));
    assert_int_equal(count, 2);
    for (int64_t i = 0; i < count; i++) {
        rico_modes_orbit one, two;
        double mono[16], before = 0.0;
        assert_ok(ctx, rico_modes_one(modes, 0.5 * T[i], &one));
        assert_ok(ctx, rico_modes_monodromy(modes, &one, mono));
        assert_near(mono[0] + mono[5] + mono[10] + mono[15], 0.0, 1e-7);
        for (int step = 1; step < 4; step++) { // the energy varies at one period
            assert_ok(ctx, rico_modes_bridge(modes, T[i], 0.02 * step * one.impulse[0], &two));
            assert_at_most(two.residual, 1e-11);
            assert_true(two.energy > before + 1e-6);
            before = two.energy;
            check_orbit(ctx, modes, &two);
        }
    }
    rico_modes_destroy(modes);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sticking),        cmocka_unit_test(test_sticking_with_impact),
        cmocka_unit_test(test_two_impacts),     cmocka_unit_test(test_three_impacts),
        cmocka_unit_test(test_sequences),       cmocka_unit_test(test_bridges),
        cmocka_unit_test(test_every_monodromy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
