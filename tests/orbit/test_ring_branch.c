// Branches of orbits of rings, their ends and the names of those, against the chapter's numbers.

#include "ring_patterns.h"

static rico_ring_end follow(int64_t p, double coupling, double period, const pattern *of,
                            rico_ring_parameter parameter, double to, double step)
{
    rico_ring_end end;
    rico_ring ring = {p, coupling, period, of->of};
    rico_ring_path path = {.parameter = parameter, .to = to, .largest_step = step};
    assert_ok(ctx, rico_ring_continue(ctx, &ring, &path, &end));
    return end;
}


static void site_centred(void **state)
{
    (void)state;
    // in the coupling: to the linear mode at which neighbours move oppositely
    const pattern one = at_start(40, (const int[]){20, -1});
    rico_ring_end end = follow(40, 0.0, PERIOD, &one, RICO_RING_COUPLING, 0.3, 0.02);
    assert_near(end.value, CRITICAL, 1e-9);
    assert_int_equal(end.reason, RICO_RING_NO_IMPACT);
    assert_int_equal(end.particle, 20);

    // in the period: up to infinity
    const pattern hundred = at_start(100, (const int[]){50, -1});
    end = follow(100, 0.15, PERIOD, &hundred, RICO_RING_PERIOD, 2.0, 0.5);
    assert_near(end.value, 2.7836217985, 1e-9);
    assert_int_equal(end.reason, RICO_RING_DIVERGES);
    assert_int_equal(end.particle, -1);

    // and where nothing is in the way
    end = follow(40, 0.0, PERIOD, &one, RICO_RING_COUPLING, 0.1, 0.02);
    assert_true(end.value == 0.1);
    assert_int_equal(end.reason, RICO_RING_FEASIBLE);
}


static void multi_site(void **state)
{
    (void)state;
    const pattern many = at_start(100, (const int[]){45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, -1});
    rico_ring_end end = follow(100, 0.19441, PERIOD, &many, RICO_RING_COUPLING, 0.19445, 1e-5);
    assert_near(end.value, 0.1944146273, 6e-10);
    assert_int_equal(end.reason, RICO_RING_TOUCHES);
    assert_true(end.particle == 43 || end.particle == 57);
    assert_near(end.time, 0.0, 1e-4);
}


// The second branch of the mode in which neighbours strike in turn: from 4 pi / W, to 4 pi for a coupling below 5/16 (the mode in which
// all move together), to 6 pi / W above.
static void second_branch(void **state)
{
    (void)state;
    const pattern two = alternating(2);
    const double couplings[] = {0.2, 0.3, 0.33, 0.4};
    for (int i = 0; i < 4; i++) {
        double W = sqrt(1.0 + 4.0 * couplings[i]), low = 4.0 * M_PI / W;
        rico_ring_end end = follow(2, couplings[i], low + 0.01, &two, RICO_RING_PERIOD, 14.0, 0.05);
        assert_near(end.value, couplings[i] < 5.0 / 16.0 ? 4.0 * M_PI : 6.0 * M_PI / W, 1e-9);
        assert_int_equal(end.reason, RICO_RING_NO_IMPACT);
        end = follow(2, couplings[i], low + 0.01, &two, RICO_RING_PERIOD, 1.0, 0.05);
        assert_near(end.value, low, 1e-9);
        assert_int_equal(end.reason, RICO_RING_SECOND_CONTACT);
        // who strikes at T/2 touches at 0, the other at T/2
        double other = two.of[end.particle] == RICO_RING_AT_HALF ? 0.0 : 0.5 * low;
        assert_near(end.time, other, 1e-3);
    }

    // the first one: from infinity to grazing
    rico_ring_end end = follow(2, 0.2, 4.1, &two, RICO_RING_PERIOD, 1.0, 0.05);
    assert_near(end.value, 2.9255359253, 1e-9);
    assert_int_equal(end.reason, RICO_RING_DIVERGES);
    end = follow(2, 0.2, 4.1, &two, RICO_RING_PERIOD, 6.0, 0.05);
    assert_near(end.value, 2.0 * M_PI / sqrt(1.8), 1e-9);
    assert_int_equal(end.reason, RICO_RING_NO_IMPACT);
}


static bool first_only(void *user, const rico_ring_orbit *orbit)
{
    (void)orbit;
    return ++*(int *)user < 3;
}


static void refusals(void **state)
{
    (void)state;
    const pattern one = at_start(6, (const int[]){1, -1});
    rico_ring ring = {6, 0.1, 6.5, one.of};
    rico_ring_path path = {.parameter = RICO_RING_PERIOD, .to = 7.0};
    rico_ring_end end;
    assert_int_equal(rico_ring_continue(ctx, &ring, &path, &end), RICO_BAD_INPUT);
    ring.period = PERIOD;
    path.to = -1.0;
    assert_int_equal(rico_ring_continue(ctx, &ring, &path, &end), RICO_BAD_ARGUMENT);
    int64_t count;
    assert_int_equal(rico_ring_intervals(ctx, &ring, RICO_RING_PERIOD, 3.0, 4.0, 0.0, 0, NULL, &count),
                     RICO_BAD_ARGUMENT);

    // who listens may have heard enough
    int heard = 0;
    path = (rico_ring_path){.parameter = RICO_RING_PERIOD, .to = 4.0, .observe = first_only, .user = &heard};
    assert_ok(ctx, rico_ring_continue(ctx, &ring, &path, &end));
    assert_int_equal(heard, 3);
    assert_int_equal(end.points, 3);
    assert_true(end.value > 4.0 && end.value < PERIOD);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(site_centred),
        cmocka_unit_test(multi_site),
        cmocka_unit_test(second_branch),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
