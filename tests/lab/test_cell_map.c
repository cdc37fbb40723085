// Simple cell mapping: maps by hand, and maps at random against following every cell to its end.

#include "lab/cell_map.h"

#include "failing_memory.h"
#include "one_context.h"


static void by_hand(void **state)
{
    (void)state;
    // 0 -> 1 -> 2 -> 0 goes round; 3 joins it; 4 stays; 5 -> 6 -> out; 7 -> 4
    static const int64_t image[] = {1, 2, 0, 1, 4, 6, RICO_CELL_SINK, 4};
    static const int64_t group[] = {0, 0, 0, 0, 1, RICO_CELL_SINK, RICO_CELL_SINK, 1},
                         steps[] = {0, 0, 0, 1, 0, 2, 1, 1};
    rico_cell_map map;
    assert_ok(ctx, rico_cell_map_make(ctx, 8, image, &map));
    assert_int_equal(map.groups, 2);
    assert_int_equal(map.size[0], 3);
    assert_int_equal(map.first[0], 0);
    assert_int_equal(map.size[1], 1);
    assert_int_equal(map.first[1], 4);
    for (int i = 0; i < 8; i++) {
        assert_int_equal(map.group[i], group[i]);
        assert_int_equal(map.steps[i], steps[i]);
    }
    rico_cell_map_release(ctx, &map);
}


// After so many steps as there are cells, a cell has left or goes round: two cells end together exactly where their rings share a cell.
static void at_random(void **state)
{
    (void)state;
    enum { MOST = 60, DRAWS = 400 };
    rico_random random;
    rico_random_seed(&random, 7);
    for (int n = 0; n < DRAWS; n++) {
        int64_t count = 1 + rico_random_below(&random, MOST), image[MOST], ring[MOST];
        for (int64_t i = 0; i < count; i++) image[i] = rico_random_below(&random, count + 3) - 3;
        rico_cell_map map;
        assert_ok(ctx, rico_cell_map_make(ctx, count, image, &map));
        for (int64_t i = 0; i < count; i++) {
            int64_t at = i, after = i, step;
            for (step = 0; step < count && at >= 0; step++) at = image[at];
            ring[i] = at;
            if (at < 0) {
                assert_int_equal(map.group[i], RICO_CELL_SINK);
                for (step = 0; after >= 0; step++) after = image[after];
                assert_int_equal(map.steps[i], step);
                continue;
            }
            for (int64_t k = 0; k < count; k++) { // the least cell of the ring
                at = image[at];
                if (at < ring[i]) ring[i] = at;
            }
            assert_true(map.group[i] >= 0);
            assert_int_equal(map.first[map.group[i]], ring[i]);
            for (step = 0; step < map.steps[i]; step++) { // not yet in the ring
                assert_true(map.steps[after] > 0);
                after = image[after];
            }
            assert_int_equal(map.steps[after], 0);
        }
        rico_cell_map_release(ctx, &map);
    }
}


static rico_status make(rico_context *own, void *user)
{
    static const int64_t image[] = {1, 0, 3, RICO_CELL_SINK};
    rico_cell_map map;
    (void)user;
    rico_status status = rico_cell_map_make(own, 4, image, &map);
    rico_cell_map_release(own, &map);
    return status;
}


static void out_of_memory(void **state)
{
    (void)state;
    assert_true(every_allocation_fails(make, NULL) >= 5);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand), cmocka_unit_test(at_random),
                                       cmocka_unit_test(out_of_memory)};
    return cmocka_run_group_tests(tests, context_start, context_end);
}
