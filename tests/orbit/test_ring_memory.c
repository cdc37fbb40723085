// Orbits of rings when memory runs out: every allocation fails once.

#include "failing_memory.h"
#include "ring_patterns.h"

enum { P = 5 };


static rico_status act(rico_context *context, void *user)
{
    const pattern *of = user;
    rico_ring ring = {P, 0.05, PERIOD, of->of};
    rico_ring_orbit *orbit = NULL;
    rico_ring_stability *found = NULL;
    rico_ring_end end;
    rico_ring_interval interval[4];
    int64_t count;
    rico_ring_path path = {
        .parameter = RICO_RING_COUPLING, .to = 0.6, .largest_step = 0.05, .switching = true};
    rico_status status = rico_ring_solve(context, &ring, &orbit);
    if (status == RICO_OK) status = rico_ring_stability_create(orbit, 0.0, &found);
    if (status == RICO_OK) status = rico_ring_continue(context, &ring, &path, &end);
    if (status == RICO_OK)
        status = rico_ring_intervals(context, &ring, RICO_RING_PERIOD, 4.0, 6.3, 0.4, 4, interval, &count);
    rico_ring_stability_destroy(found);
    rico_ring_orbit_destroy(orbit);

    rico_ring_strike strikes[] = {{0, false, 0.1, 0.0}, {1, false, 2.0, 0.0}};
    const rico_ring_sequence start = {P, 0.05, PERIOD, INFINITY, 2, strikes};
    rico_ring_sequence *sequence = NULL;
    found = NULL;
    if (status == RICO_OK) status = rico_ring_sequence_solve(context, &start, &sequence);
    if (status == RICO_OK) status = rico_ring_sequence_stability(sequence, 0.0, &found);
    rico_ring_stability_destroy(found);
    rico_ring_sequence_destroy(sequence);
    return status;
}


static void memory(void **state)
{
    (void)state;
    pattern two = pattern_of(P, (const int[]){1, 2, -1}, (const int[]){4, -1});
    assert_true(every_allocation_fails(act, &two) > 50);
    rico_ring_orbit_destroy(NULL);
    rico_ring_stability_destroy(NULL);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(memory)};
    return cmocka_run_group_tests(tests, context_start, context_end);
}
