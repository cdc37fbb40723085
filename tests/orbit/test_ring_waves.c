// Long waves in a ring of thirty at coupling 1: blocks of particles that strike together, against the chapter's numbers.

#include "ring_patterns.h"

enum { P = 30 };

static double slowest_wave(void)
{
    return 2.0 * M_PI / rico_ring_frequency(P, 1.0, 1);
}


// Blocks around particles 15 and 30, of 2 j + 1 each.
static pattern blocks(int j)
{
    pattern made = {{RICO_RING_NEVER}};
    for (int n = -j; n <= j; n++) {
        made.of[(n + P) % P] = RICO_RING_AT_HALF;
        made.of[15 + n] = RICO_RING_AT_START;
    }
    return made;
}


// Between the ends printed lie narrow intervals without orbits.
static void first_branch(void **state)
{
    (void)state;
    const double end[] = {NAN,         0.990564976, 0.977141463, 0.961818829,
                          0.920723759, 0.764136861, 0.579835232, 0.503598785};
    const struct {
        int j;
        double low, high;
    } hole[] = {{6, 0.688316779, 0.689839661}, {6, 0.715760799, 0.723944448}, {5, 0.825149962, 0.836949092}};
    double T1 = slowest_wave();
    size_t holes = sizeof hole / sizeof *hole;
    for (int j = 2; j <= 7; j++) {
        double expected[8] = {0.0};
        int count = 0;
        expected[count++] = end[j];
        for (size_t i = 0; i < holes; i++) {
            if (hole[i].j != j) continue;
            expected[count++] = hole[i].low;
            expected[count++] = hole[i].high;
        }
        expected[count++] = end[j - 1];

        const pattern both = blocks(j);
        rico_ring ring = {P, 1.0, T1, both.of};
        rico_ring_interval found[8];
        int64_t intervals;
        assert_ok(ctx, rico_ring_intervals(ctx, &ring, RICO_RING_PERIOD, (end[j] - 0.004) * T1,
                                           (end[j - 1] + 0.004) * T1, 0.00075 * T1, 8, found, &intervals));
        assert_int_equal(2 * intervals, count);
        for (int i = 0; i < intervals; i++) {
            assert_near(found[i].low / T1, expected[2 * i], 6e-10);
            assert_near(found[i].high / T1, expected[2 * i + 1], 6e-10);
        }
        if (j == 7) assert_int_equal(found[0].low_end, RICO_RING_DIVERGES);
        if (j < 7) assert_int_equal(found[0].low_end, RICO_RING_TOUCHES);
        assert_int_equal(found[intervals - 1].high_end, RICO_RING_NO_IMPACT);
        if (j == 2) assert_int_equal(found[0].high_particle % 15, 0);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(first_branch)};
    return cmocka_run_group_tests(tests, context_start, context_end);
}
