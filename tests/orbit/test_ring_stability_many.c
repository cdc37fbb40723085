// Multipliers of orbits of rings in which several particles strike at once, against the numbers of the chapter.

#include "ring_patterns.h"

static void expect(int64_t p, double coupling, const pattern *of, double largest, double bound, int64_t off)
{
    rico_ring_stability *found;
    rico_ring_orbit *orbit = solve_feasible(p, coupling, PERIOD, of);
    assert_ok(ctx, rico_ring_stability_create(orbit, 0.0, &found));
    assert_near(found->largest, largest, bound);
    if (off >= 0) assert_int_equal(found->off_circle, off);
    rico_ring_stability_destroy(found);
    rico_ring_orbit_destroy(orbit);
}


static void bond_centred_together(void **state)
{
    (void)state;
    const pattern together = at_start(100, (const int[]){49, 50, -1});
    expect(100, 5 * CRITICAL / 15.0, &together, 1.023368, 6e-7, 4);
    for (int k = 6; k < 10; k++) expect(100, k * CRITICAL / 15.0, &together, 1.0, INFINITY, 4);
    expect(100, 10 * CRITICAL / 15.0, &together, 1.101253, 6e-7, 4);
    expect(100, 11 * CRITICAL / 15.0, &together, 1.0, INFINITY, 4);
    expect(100, 14 * CRITICAL / 15.0, &together, 2.054985, 6e-7, -1);

    // two pairs leave the circle at 0.063415
    expect(100, 0.063405, &together, 1.0, 1e-5, 0);
    expect(100, 0.063425, &together, 1.0, INFINITY, 4);
}


static void alternating_particles(void **state)
{
    (void)state;
    const pattern two = alternating(100);
    expect(100, 0.0, &two, 1.0, 1e-5, 0);
    expect(100, 1 * CRITICAL / 15.0, &two, 1.689921, 6e-7, -1);
    expect(100, 5 * CRITICAL / 15.0, &two, 4.344039, 6e-7, -1);
    expect(100, 10 * CRITICAL / 15.0, &two, 18.645745, 6e-7, -1);
    expect(100, 14 * CRITICAL / 15.0, &two, 438.375, 6e-4, -1);
}


static void period_six(void **state)
{
    (void)state;
    pattern six = {{RICO_RING_NEVER}};
    for (int n = 0; n < 96; n++) six.of[n] = n % 6 < 3 ? RICO_RING_AT_START : RICO_RING_AT_HALF;
    expect(96, 10 * CRITICAL / 15.0, &six, 3.466210, 6e-7, -1);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bond_centred_together),
        cmocka_unit_test(alternating_particles),
        cmocka_unit_test(period_six),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
