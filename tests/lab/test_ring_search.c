// Searches for orbits of rings with several impacts: they find what is there, and count what is not.

#include "failing_memory.h"
#include "lab/ring_map.h"
#include "lab/ring_run.h"
#include "lab/ring_search.h"
#include "one_context.h"

#include <math.h>


static double value(const rico_sheet *sheet, const char *name, int64_t row)
{
    const rico_sheet_column *column;
    assert_ok(ctx, rico_sheet_find(sheet, name, &column));
    assert_true(row < column->count);
    return column->value[row];
}


static double sum(const rico_sheet *sheet, const char *name)
{
    const rico_sheet_column *column;
    double total = 0.0;
    assert_ok(ctx, rico_sheet_find(sheet, name, &column));
    for (int64_t i = 0; i < column->count; i++) total += column->value[i];
    return total;
}


// Odd particles strike twice, even ones once: found from impacts at random, the same as from its own times, and run by events.
static void two_and_one(void **state)
{
    (void)state;
    const double T = 5.05;
    const rico_ring_search search = {
        .particles = 2, .coupling = 0.5, .strikes = {2, 1}, .upper = INFINITY, .starts = 60, .seed = 7};
    rico_sheet sheet = {.ctx = ctx};
    assert_ok(ctx, rico_ring_search_sheet(&search, 1, &T, &sheet));
    assert_true(value(&sheet, "different", 0) == 1.0);
    assert_true(value(&sheet, "even", 0) == 1.0);
    assert_true(value(&sheet, "solutions", 0) > value(&sheet, "orbits", 0));

    rico_ring_strike three[] = {{1, false, 0.0, 0.0}, {0, false, 0.23 * T, 0.0}, {0, false, 0.77 * T, 0.0}};
    const rico_ring_sequence start = {2, 0.5, T, INFINITY, 3, three};
    rico_ring_sequence *orbit;
    double error;
    assert_ok(ctx, rico_ring_sequence_solve(ctx, &start, &orbit));
    assert_int_equal(orbit->verdict, RICO_RING_FEASIBLE);
    assert_near(value(&sheet, "energy", 0), orbit->energy, 1e-9 * orbit->energy);
    assert_ok(ctx, rico_ring_return_error(orbit, &error));
    assert_at_most(error, 1e-9);
    rico_ring_sequence_destroy(orbit);
    rico_sheet_release(&sheet);
}


// Two impacts each, one neighbour half a period after the other: none below 4 pi/Omega, one and its mirror image above.
static void two_each(void **state)
{
    (void)state;
    const double graze = 4.0 * M_PI / sqrt(3.0), below[] = {0.5 * graze, 0.8 * graze, 0.99 * graze};
    const double above[] = {1.15 * graze, 1.3 * graze, 1.45 * graze};
    rico_sheet low = {.ctx = ctx}, high = {.ctx = ctx};
    assert_ok(ctx, rico_ring_scan_sheet(0.5, 600, 3, below, &low));
    assert_true(sum(&low, "orbits") == 0.0);
    assert_ok(ctx, rico_ring_scan_sheet(0.5, 600, 3, above, &high));
    for (int i = 0; i < 3; i++) assert_true(value(&high, "orbits", i) == 2.0);
    rico_sheet_release(&low);
    rico_sheet_release(&high);

    // all together at half the period are orbits, but repeated ones
    const rico_ring_search search = {
        .particles = 2, .coupling = 0.5, .strikes = {2, 2}, .upper = INFINITY, .starts = 150, .seed = 3};
    rico_sheet found = {.ctx = ctx};
    assert_ok(ctx, rico_ring_search_sheet(&search, 1, &below[2], &found));
    assert_true(value(&found, "orbits", 0) > 0.0 && value(&found, "different", 0) == 0.0);
    rico_sheet_release(&found);
}


static void refusals(void **state)
{
    (void)state;
    const double T = 5.0;
    rico_sheet sheet = {.ctx = ctx};
    rico_ring_search search = {.particles = 9, .coupling = 0.5, .upper = INFINITY, .starts = 1};
    assert_int_equal(rico_ring_search_sheet(&search, 1, &T, &sheet), RICO_BAD_ARGUMENT);
    search.particles = 2;
    assert_int_equal(rico_ring_search_sheet(&search, 1, &T, &sheet), RICO_BAD_ARGUMENT);
    rico_sheet_release(&sheet);
}


static rico_status act(rico_context *context, void *user)
{
    (void)user;
    const double T = 5.05;
    const rico_ring_search search = {
        .particles = 2, .coupling = 0.5, .strikes = {2, 1}, .upper = INFINITY, .starts = 4, .seed = 7};
    const rico_ring_impact pattern[] = {RICO_RING_AT_START, RICO_RING_NEVER, RICO_RING_NEVER};
    const rico_ring ring = {3, 0.1, 4.0, pattern};
    const rico_ring_area area = {0.1, 0.2, 2, 3.0, 4.0, 0.5};
    rico_sheet sheet = {.ctx = context};
    rico_status status = rico_ring_search_sheet(&search, 1, &T, &sheet);
    if (status == RICO_OK) status = rico_ring_map(&ring, &area, &sheet);
    rico_sheet_release(&sheet);
    return status;
}


static void memory(void **state)
{
    (void)state;
    assert_true(every_allocation_fails(act, NULL) > 20);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_and_one),
        cmocka_unit_test(two_each),
        cmocka_unit_test(refusals),
        cmocka_unit_test(memory),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
