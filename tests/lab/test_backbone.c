// The search for backbones: how branches of two masses hang together, and every allocation made to fail.

#include "failing_memory.h"
#include "lab/backbone.h"

static rico_status two_masses(rico_context *ctx, rico_modes **out)
{
    const double M[] = {1, 0, 0, 1}, K[] = {2, -1, -1, 1}, w[] = {0, -1};
    return rico_modes_create(ctx, 2, M, K, w, 1.0, out);
}


// Branches of 1, 3, 5, 7 and of 2, 4, 6 impacts are joined end to end and approach the orbit that sticks, T = 8.00634721.
static void test_sequence(void **state)
{
    (void)state;
    const double sticking = 8.00634721;
    rico_context *ctx = rico_context_create(NULL);
    rico_modes *modes;
    assert_ok(ctx, two_masses(ctx, &modes));
    double lost[8] = {0.0}, touch[8] = {0.0};
    rico_backbones all = {.ctx = ctx};
    for (int k = 1; k <= 7; k++) {
        int64_t before = all.count; // branches of more impacts begin where these touch
        assert_ok(ctx, rico_backbones_find(&all, modes, k, 7.0, 9.0, 60));
        assert_true(all.count > before);
        for (int64_t b = before; b < all.count; b++) {
            const rico_backbone *branch = &all.branch[b];
            assert_int_equal(branch->impacts, k);
            for (int side = 0; side < 2; side++) {
                double T = branch->orbit[side ? branch->count - 1 : 0].period;
                rico_modes_end end = side ? branch->end : branch->begin;
                if (T < 7.98 || T > 8.02) continue;
                if (end == RICO_MODES_END_LOST) lost[k] = T;
                if (end == RICO_MODES_END_TOUCH) touch[k] = T;
            }
        }
    }
    rico_backbones_release(&all);
    for (int k = 3; k <= 7; k++) assert_near(lost[k], touch[k - 2], k == 3 ? 1e-3 : 1e-7);
    for (int k = 2; k <= 7; k++) {
        assert_true(touch[k] < sticking);
        assert_true(sticking - touch[k] < 0.6 * (sticking - touch[k - 1]));
    }
    rico_modes_destroy(modes);
    rico_context_destroy(ctx);
}


static rico_status search(rico_context *ctx, void *user)
{
    (void)user;
    rico_modes *modes;
    rico_backbones all = {.ctx = ctx};
    rico_sheet sheet = {.ctx = ctx};
    rico_status status = two_masses(ctx, &modes);
    if (status != RICO_OK) return status;
    status = rico_backbones_find(&all, modes, 1, 9.0, 9.5, 2);
    if (status == RICO_OK) status = rico_backbones_find(&all, modes, 2, 7.4, 8.6, 2);
    if (status == RICO_OK) status = rico_backbones_sheet(&all, &sheet);
    rico_sheet_release(&sheet);
    rico_backbones_release(&all);
    rico_modes_destroy(modes);
    return status;
}


static void test_no_memory(void **state)
{
    (void)state;
    assert_true(every_allocation_fails(search, NULL) > 10);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sequence),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
