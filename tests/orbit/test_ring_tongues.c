// Periods at which one particle of thirty can strike alone: a large interval and narrow tongues below linear periods.

#include "ring_patterns.h"

enum { P = 30 };


// Coupling 1: intervals as printed, to 0.004; upper ends are linear periods. A tenth one, below the period of mode 8, is narrower than
// the scan that the printed ones come from.
static void tongues(void **state)
{
    (void)state;
    const double printed[][2] = {{2.010, 2.810}, {3.742, 3.761}, {4.030, 4.071},
                                 {4.362, 4.443}, {4.742, 4.874}, {5.162, 5.345},
                                 {5.566, 5.618}, {5.714, 5.718}, {6.026, 6.034}};
    const int mode[] = {15, 7, 6, 5, 4, 3};
    const pattern one = at_start(P, (const int[]){15, -1});
    rico_ring ring = {P, 1.0, 3.0, one.of};
    rico_ring_interval found[16];
    int64_t count;
    assert_ok(ctx,
              rico_ring_intervals(ctx, &ring, RICO_RING_PERIOD, 1.9, 2.0 * M_PI, 0.0026, 16, found, &count));
    int known = 0;
    for (int i = 0; i < count; i++) {
        if (found[i].high - found[i].low < 0.004 && found[i].high < 3.6) {
            assert_near(found[i].high, 2.0 * M_PI / rico_ring_frequency(P, 1.0, 8), 1e-9);
            continue;
        }
        assert_true(known < 9);
        assert_near(found[i].low, printed[known][0], 0.0041);
        assert_near(found[i].high, printed[known][1], 0.0041);
        if (known < 6)
            assert_near(found[i].high, 2.0 * M_PI / rico_ring_frequency(P, 1.0, mode[known]), 1e-9);
        known++;
    }
    assert_int_equal(known, 9);
    assert_near(found[0].low, rico_ring_blow_up_period(P, 1.0), 1e-9);
    assert_int_equal(found[0].low_end, RICO_RING_DIVERGES);
    assert_int_equal(found[0].high_end, RICO_RING_NO_IMPACT);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tongues)};
    return cmocka_run_group_tests(tests, context_start, context_end);
}
