// The order in which patches of a picture are painted.

#include "one_context.h"

#include "draw/body_paint.h"

// A square of half width `half` about (x, y) that leans by `slope` along x, at depth z.
static void add_square(rico_painting *p, double x, double y, double z, double half, double slope)
{
    static const double SIGN[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    rico_patch *patch = &p->patch[p->patch_count];
    double length = hypot(1.0, slope);
    *patch = (rico_patch){.first = p->point_count,
                          .count = 4,
                          .body = p->patch_count,
                          .normal = {-slope / length, 0.0, 1.0 / length}};
    p->patch_count++;
    patch->offset = (z - slope * x) / length;
    for (int k = 0; k < 4; k++) {
        double *at = p->point + 3 * p->point_count++;
        at[0] = x + SIGN[k][0] * half;
        at[1] = y + SIGN[k][1] * half;
        at[2] = z + slope * SIGN[k][0] * half;
    }
    patch->low[0] = x - half, patch->high[0] = x + half;
    patch->low[1] = y - half, patch->high[1] = y + half;
    patch->low[2] = z - fabs(slope) * half, patch->high[2] = z + fabs(slope) * half;
}


static void add_ball(rico_painting *p, double x, double y, double z, double radius)
{
    p->patch[p->patch_count] = (rico_patch){.disc = true,
                                            .center = {x, y, z},
                                            .radius = radius,
                                            .low = {x - radius, y - radius, z - radius},
                                            .high = {x + radius, y + radius, z + radius},
                                            .body = p->patch_count};
    p->patch_count++;
}


static int64_t place(const rico_painting *p, int64_t patch)
{
    for (int64_t i = 0; i < p->patch_count; i++)
        if (p->order[i] == patch) return i;
    return -1;
}


// A large floor that leans towards the eye on one side has a middle that is nearer than what stands on its far side; yet
// everything that stands on it is painted after it.
static void test_floor(void **state)
{
    (void)state;
    rico_patch patch[8];
    double point[96];
    rico_painting p = {.ctx = ctx, .patch = patch, .point = point, .low = {-10, -10}, .high = {10, 10}};
    add_square(&p, -8.0, 0.0, -7.0, 0.5, 0.0);
    add_square(&p, 0.0, 0.0, 0.0, 10.0, 1.0);
    add_ball(&p, -5.0, 3.0, -4.0, 0.7);
    add_square(&p, 4.0, -3.0, 6.0, 1.0, 0.0);
    add_ball(&p, 4.0, -3.0, 8.0, 1.0);
    add_ball(&p, 4.5, -3.0, 2.0, 1.0); // behind the floor
    assert_ok(ctx, rico_painting_sort(&p));
    assert_true(place(&p, 1) < place(&p, 0));
    assert_true(place(&p, 1) < place(&p, 2));
    assert_true(place(&p, 1) < place(&p, 3));
    assert_true(place(&p, 3) < place(&p, 4));
    assert_true(place(&p, 5) < place(&p, 1));
    rico_free(ctx, p.order);
}


// Three bars that lie upon one another in a circle have no order; each is painted all the same.
static void test_circle(void **state)
{
    (void)state;
    rico_patch patch[3];
    double point[36];
    rico_painting p = {.ctx = ctx, .patch = patch, .point = point, .low = {-2, -2}, .high = {2, 2}};
    for (int i = 0; i < 3; i++) add_square(&p, cos(2.0 * i), sin(2.0 * i), 0.0, 1.5, 1.0 - i);
    assert_ok(ctx, rico_painting_sort(&p));
    for (int i = 0; i < 3; i++) assert_true(place(&p, i) >= 0);
    rico_free(ctx, p.order);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_floor), cmocka_unit_test(test_circle)};
    return cmocka_run_group_tests(tests, context_start, context_end);
}
