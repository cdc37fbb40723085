// Branches into a file: stopped and gone on with, refused input, maxima of a series.

#include "lab/branch.h"
#include "one_context.h"

#include <unistd.h>

static const char SCENE[] =
    "parameters: {omega: 2.4, e: 0.6}\n"
    "parts: {mass: {coordinates: [x], mass: 1, potential: x^2/2, force: cos(omega*t)}}\n"
    "contacts: {wall: {gap: x, restitution: e}}\n"
    "time: {end: 50, step: 0.01}\n";
static char folder[64], scene[96], output[96];


static int setup(void **state)
{
    if (context_start(state) != 0) return 1;
    strcpy(folder, "/tmp/rico-branch-XXXXXX");
    if (!mkdtemp(folder)) return 1;
    snprintf(scene, sizeof scene, "%s/scene.yaml", folder);
    snprintf(output, sizeof output, "%s/branch.h5", folder);
    FILE *out = fopen(scene, "w");
    if (!out) return 1;
    fputs(SCENE, out);
    return fclose(out);
}


static int teardown(void **state)
{
    char checkpoint[128];
    snprintf(checkpoint, sizeof checkpoint, "%s.checkpoint", output);
    unlink(checkpoint);
    unlink(output);
    unlink(scene);
    rmdir(folder);
    return context_end(state);
}


static bool stop_after(void *user, const rico_branch_point *point, const char *note)
{
    int *left = user;
    (void)point, (void)note;
    return --*left != 0;
}


static rico_branch_order order_of(int *left)
{
    return (rico_branch_order){
        .where = {.scene = scene, .parameter = "omega", .period = "2*pi/omega", .settle = NAN, .pieces = 1},
        .low = 2.3,
        .high = 2.8,
        .resolution = 0.1,
        .doublings = 1,
        .output = output,
        .overwrite = true,
        .watch = stop_after,
        .user = left};
}


// The last value of each kind of point on each branch.
static double special(const rico_branches *all, int64_t branch, rico_orbit_point kind)
{
    double value = NAN;
    for (int64_t i = 0; i < all->count; i++)
        if (all->point[i].branch == branch && all->point[i].kind == (int64_t)kind)
            value = all->point[i].value;
    return value;
}


// Stopped again and again, the branches have the points that they have in one go.
static void resume(void **state)
{
    rico_branches whole, parts;
    int left = -1, rounds = 0;
    (void)state;
    rico_branch_order order = order_of(&left);
    assert_ok(ctx, rico_branches_follow(ctx, &order, &whole));
    assert_int_equal(whole.branches, 3);
    assert_near(special(&whole, 0, RICO_POINT_FLIP), 2.655778891, 1e-8);
    assert_true(special(&whole, 2, RICO_POINT_FLIP) > 2.73);
    // finished: there is nothing to go on with
    order.resume = true;
    order.overwrite = false;
    assert_int_equal(rico_branches_follow(ctx, &order, &parts), RICO_BAD_INPUT);
    assert_non_null(strstr(rico_message(ctx), "no checkpoint"));
    rico_branches_release(&parts);

    order.resume = false;
    order.overwrite = true;
    for (;; rounds++) {
        if (rounds == 1) { // another range is another branch
            rico_branch_order other = order;
            other.high = 2.9;
            assert_int_equal(rico_branches_follow(ctx, &other, &parts), RICO_BAD_INPUT);
            assert_non_null(strstr(rico_message(ctx), "range or settings"));
            rico_branches_release(&parts);
        }
        left = 9;
        assert_ok(ctx, rico_branches_follow(ctx, &order, &parts));
        bool stopped = parts.stopped;
        if (!stopped) break;
        rico_branches_release(&parts);
        order.resume = true;
        order.overwrite = false;
        assert_true(rounds < 20);
    }
    assert_true(rounds > 2);
    for (int64_t b = 0; b < 3; b += 2)
        assert_near(special(&parts, b, RICO_POINT_FLIP), special(&whole, b, RICO_POINT_FLIP), 1e-8);
    for (int64_t b = 0; b < 3; b++)
        assert_near(special(&parts, b, RICO_POINT_BOUND), special(&whole, b, RICO_POINT_BOUND), 1e-12);
    rico_branches_release(&parts);
    rico_branches_release(&whole);
}


static void refused(void **state)
{
    int left = -1;
    rico_branches out;
    (void)state;
    rico_branch_order order = order_of(&left);
    order.measure = "z";
    assert_int_equal(rico_branches_follow(ctx, &order, &out), RICO_BAD_ARGUMENT);
    assert_non_null(strstr(rico_message(ctx), "\"z\""));
    rico_branches_release(&out);
    order = order_of(&left);
    order.where.parameter = "gamma";
    assert_int_equal(rico_branches_follow(ctx, &order, &out), RICO_BAD_ARGUMENT);
    rico_branches_release(&out);
    order = order_of(&left);
    order.where.period = "2*pi/gamma";
    assert_int_not_equal(rico_branches_follow(ctx, &order, &out), RICO_OK);
    assert_non_null(strstr(rico_message(ctx), "gamma"));
    rico_branches_release(&out);
    order = order_of(&left);
    order.where.period = "0*omega";
    assert_int_not_equal(rico_branches_follow(ctx, &order, &out), RICO_OK);
    rico_branches_release(&out);
    const char *none[] = {"y"};
    order = order_of(&left);
    order.where.free = none;
    order.where.free_count = 1;
    assert_int_equal(rico_branches_follow(ctx, &order, &out), RICO_BAD_ARGUMENT);
    rico_branches_release(&out);
}


static void maxima(void **state)
{
    double y[101], found[8];
    (void)state;
    for (int i = 0; i <= 100; i++) y[i] = sin(0.1 * i);
    assert_int_equal(rico_branch_maxima(101, y, 1, 8, found), 2);
    assert_near(found[0], 1.0, 1e-5);
    assert_near(found[1], 1.0, 1e-5);
    assert_int_equal(rico_branch_maxima(101, y, 1, 1, found), 1);
    assert_int_equal(rico_branch_maxima(2, y, 1, 8, found), 0);
}


// Simulations settle to the branches: at 2.35 to its one orbit, at 2.7 to that of twice the period.
static void simulations(void **state)
{
    int left = -1;
    rico_branches all;
    rico_brute brute;
    (void)state;
    rico_branch_order order = order_of(&left);
    order.low = 2.35;
    order.high = 2.72;
    order.resolution = 0.02;
    assert_ok(ctx, rico_branches_follow(ctx, &order, &all));
    assert_ok(ctx, rico_brute_run(ctx, &all, &order, 3, 2, &brute));
    assert_int_equal(brute.failed, 0);
    assert_true(brute.count > 0);
    for (int64_t i = 0; i < brute.count; i++) {
        double nearest = INFINITY;
        for (int64_t k = 0; k + 1 < all.count; k++) {
            const rico_branch_point *a = &all.point[k], *b = &all.point[k + 1];
            double w = (brute.value[i] - a->value) / (b->value - a->value);
            if (a->branch != b->branch || a->marks != b->marks || !(w >= 0.0 && w <= 1.0)) continue;
            for (int64_t m = 0; m < a->marks; m++)
                nearest = fmin(nearest, fabs((1.0 - w) * a->mark[m] + w * b->mark[m] - brute.mark[i]));
        }
        assert_at_most(nearest, 1e-3);
    }
    rico_brute_release(&brute);
    rico_branches_release(&all);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resume),
        cmocka_unit_test(refused),
        cmocka_unit_test(maxima),
        cmocka_unit_test(simulations),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
