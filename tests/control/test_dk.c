// The skewed D-K iteration on the drill-string: the constant d, what d(s) gains over it, and a case where d(s) must undo a filter.

#include "drill_string.h"
#include "phases.h"

static rico_dk_options options_of(int64_t iterations)
{
    return (rico_dk_options){.blocks = {1, 1},
                             .measured = 2,
                             .controls = 1,
                             .iterations = iterations,
                             .frequencies = 160,
                             .low = 2.0 * PI * 0.02,
                             .high = 2.0 * PI * 5.0,
                             .tolerance = 1e-4};
}


// Largest skewed mu of F_l(plant, K) over the frequencies of the options. Where it is largest some delta of size 1/mu brings |F_u(N, delta)| to 1, and none
// that is smaller does.
static double sweep(const rico_state_space *plant, const rico_state_space *k, const rico_dk_options *o)
{
    rico_state_space *closed;
    double largest = 0.0, n[2 * LARGEST], worst[2 * LARGEST] = {0.0}, mu;
    assert_ok(ctx, rico_state_space_lft(plant, k, &closed));
    for (int64_t i = 0; i < o->frequencies; i++) {
        double omega = o->low * pow(o->high / o->low, (double)i / (double)(o->frequencies - 1));
        assert_ok(ctx, rico_state_space_response(closed, omega, n));
        assert_ok(ctx, rico_skewed_mu(ctx, closed->outputs, closed->inputs, n, o->blocks, &mu, NULL));
        if (mu <= largest) continue;
        largest = mu;
        memcpy(worst, n, sizeof worst);
    }
    assert_near(over_phases(closed->outputs, closed->inputs, worst, 1.0 / largest), 1.0, 1e-6);
    assert_true(over_phases(closed->outputs, closed->inputs, worst, 0.97 / largest) < 1.0);
    rico_state_space_destroy(closed);
    return largest;
}


// d = 0.178 allows k = 0.133; the best constant and then d(s) allow more, and every controller keeps what its k promises.
static void test_drill_string(void **state)
{
    (void)state;
    drill_string s;
    rico_state_space *plant = weighted_plant(&s, 5.5, rico_drill_high_gain());
    rico_dk_options constant_options = options_of(0), options = options_of(3);
    rico_dk constant, found;
    assert_ok(ctx, rico_dk_synthesis(plant, &constant_options, &constant));
    assert_ok(ctx, rico_dk_synthesis(plant, &options, &found));
    assert_int_equal(constant.steps, 0);
    assert_near(constant.k, constant.constant_k, 0.0);
    assert_near(found.constant_k, constant.k, 0.0);
    assert_true(constant.k > 0.1335);
    assert_true(found.steps >= 1);
    assert_true(found.k > constant.k * (1.0 + 1e-3));
    assert_true(found.skewed_mu < found.constant_mu);
    assert_near(sweep(plant, constant.controller, &options), constant.skewed_mu, 1e-9 * constant.skewed_mu);
    assert_near(sweep(plant, found.controller, &options), found.skewed_mu, 1e-9 * found.skewed_mu);
    assert_true(constant.skewed_mu <= 1.0 / constant.k);
    assert_true(found.skewed_mu <= 1.0 / found.k);
    print_message("constant d = %.4f: k = %.6f, mu^s = %.5f; d(s): k = %.6f, mu^s = %.5f, %d steps\n",
                  found.d, found.constant_k, found.constant_mu, found.k, found.skewed_mu, (int)found.steps);
    rico_state_space *all[] = {plant, constant.controller, found.controller};
    for (int i = 0; i < 3; i++) rico_state_space_destroy(all[i]);
}


// The same plant seen through f(s) on q and 1/f(s) on v: no mu changes, since d(s)/f(s) undoes it, but a constant d cannot. How many steps the
// way takes from there differs with round-off, where it ends does not.
static void test_filter(void **state)
{
    (void)state;
    const double f[] = {1.0, 1.6 * 1.5, 2.25, 1.0, 1.6 * 6.0, 36.0},
                 back[] = {1.0, 1.6 * 6.0, 36.0, 1.0, 1.6 * 1.5, 2.25};
    double ones[25] = {0.0};
    drill_string s;
    rico_state_space *plain = weighted_plant(&s, 5.5, rico_drill_high_gain()), *four, *five, *over, *under,
                     *before, *after, *half, *plant;
    for (int i = 0; i < 5; i++) ones[6 * i] = 1.0;
    assert_ok(ctx, rico_state_space_sections(ctx, 1, f, &over));
    assert_ok(ctx, rico_state_space_sections(ctx, 1, back, &under));
    assert_ok(ctx, rico_state_space_gain(ctx, 5, 5, ones, &five));
    const int64_t lines[] = {0, 1, 2, 3};
    assert_ok(ctx, rico_state_space_select(five, 4, lines, 4, lines, &four));
    assert_ok(ctx, rico_state_space_append(under, four, &before));
    assert_ok(ctx, rico_state_space_append(over, five, &after));
    assert_ok(ctx, rico_state_space_series(before, plain, &half));
    assert_ok(ctx, rico_state_space_series(half, after, &plant));
    rico_dk_options options = options_of(12), constant_options = options_of(0);
    rico_dk straight, found;
    options.tolerance = 1e-3;
    options.frequencies = 80;
    assert_ok(ctx, rico_dk_synthesis(plain, &constant_options, &straight));
    assert_ok(ctx, rico_dk_synthesis(plant, &options, &found));
    print_message("behind a filter, d = %.4f: k = %.6f, mu^s = %.5f; d(s): k = %.6f, mu^s = %.5f, %d steps; "
                  "without it %.6f\n",
                  found.d, found.constant_k, found.constant_mu, found.k, found.skewed_mu, (int)found.steps,
                  straight.k);
    assert_true(found.constant_k < 0.9 * straight.k);
    assert_true(found.k > 0.95 * straight.k);
    assert_true(found.skewed_mu < found.constant_mu);
    rico_state_space *all[] = {
        plain, four, five, over, under, before, after, half, plant, straight.controller, found.controller};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) rico_state_space_destroy(all[i]);
}


static void test_refused(void **state)
{
    (void)state;
    drill_string s;
    rico_state_space *low = weighted_plant(&s, 5.5, rico_drill_low_gain());
    rico_dk_options options = options_of(1);
    rico_dk found;
    assert_refused(rico_dk_synthesis(low, &options, &found), RICO_BAD_INPUT,
                   "the performance alone cannot come below 4.00");
    assert_null(found.controller);
    options.blocks.inputs = 4;
    assert_refused(rico_dk_synthesis(low, &options, &found), RICO_BAD_ARGUMENT, "a first block of 1 x 4");
    options = options_of(1);
    options.high = options.low;
    assert_refused(rico_dk_synthesis(low, &options, &found), RICO_BAD_ARGUMENT, "over 160 frequencies");
    options = options_of(1);
    options.tolerance = 0.0;
    assert_refused(rico_dk_synthesis(low, &options, &found), RICO_BAD_ARGUMENT, "the tolerance 0");
    options = options_of(1);
    options.measured = 6;
    assert_refused(rico_dk_synthesis(low, &options, &found), RICO_BAD_ARGUMENT, "leaves nothing");
    rico_state_space_destroy(low);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_drill_string), cmocka_unit_test(test_filter),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, context_start, context_end);
}
