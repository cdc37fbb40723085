// The tree of boxes against all pairs, one by one, as boxes move; what is refused.

#include "one_context.h"

#include "collide/tree.h"

enum { BOXES = 400, STEPS = 150 };


static double random_in(rico_random *random, double low, double high)
{
    return rico_random_range(random, low, high);
}


static void place(rico_random *random, rico_box *box, double world)
{
    double size = pow(10.0, random_in(random, -3.0, 0.3));
    for (int i = 0; i < 3; i++) {
        box->lower[i] = random_in(random, -world, world);
        box->upper[i] = box->lower[i] + size * random_in(random, 0.0, 1.0);
    }
}


// Every third pair is not wanted.
static bool wanted(const void *user, int64_t a, int64_t b)
{
    (void)user;
    return (a + b) % 3 != 0;
}


static void assert_pairs(rico_tree *tree, const rico_box *box, int64_t count, rico_pair_filter wants)
{
    bool whole = false;
    int64_t at = 0;
    assert_ok(ctx, rico_tree_pairs(tree, wants, NULL, INT64_MAX - 1, &whole));
    assert_true(whole);
    for (int64_t a = 0; a < count; a++)
        for (int64_t b = a + 1; b < count; b++) {
            if (!rico_box_overlap(&box[a], &box[b]) || (wants && !wants(NULL, a, b))) continue;
            assert_true(at < tree->pair_count && tree->pair[at].a == a && tree->pair[at].b == b);
            at++;
        }
    assert_int_equal(at, tree->pair_count);
}


// Boxes wander, some fast, some without an end now and then: pairs are those of the boxes, in order, whatever was there before.
static void pairs_over_motion(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 1);
    rico_tree tree;
    rico_tree_create(ctx, &tree);
    static rico_box box[BOXES];
    for (int k = 0; k < BOXES; k++) place(&random, &box[k], 2.0);
    int64_t seen = 0;
    for (int step = 0; step < STEPS; step++) {
        for (int k = 0; k < BOXES; k++) {
            double way = k % 7 == 0 ? 1.0 : 0.02;
            for (int i = 0; i < 3; i++) {
                double d = random_in(&random, -way, way);
                box[k].lower[i] += d;
                box[k].upper[i] += d;
            }
            if (step % 20 == 19 && k % 50 == 0) box[k].upper[2] = INFINITY;
            if (step % 20 == 3 && k % 50 == 0) place(&random, &box[k], 2.0);
        }
        int64_t count = step % 40 < 30 ? BOXES : BOXES / 2 + step;
        if (step == 77) rico_tree_forget(&tree);
        assert_ok(ctx, rico_tree_update(&tree, count, box));
        assert_pairs(&tree, box, count, step % 2 ? wanted : NULL);
        seen += tree.pair_count;
    }
    assert_true(seen > 1000);
    rico_tree_destroy(&tree);
}


typedef struct visits {
    int64_t count, last;
    bool seen[BOXES];
} visits;


static bool visit(void *user, int64_t item)
{
    visits *own = user;
    assert_false(own->seen[item]);
    own->seen[item] = true;
    return ++own->count < own->last;
}


static void queries(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 2);
    rico_tree tree;
    rico_tree_create(ctx, &tree);
    static rico_box box[BOXES];
    for (int k = 0; k < BOXES; k++) place(&random, &box[k], 1.0);
    box[17].lower[0] = -INFINITY;
    assert_ok(ctx, rico_tree_update(&tree, BOXES, box));
    for (int n = 0; n < 200; n++) {
        rico_box near;
        place(&random, &near, 1.0);
        visits own = {.last = INT64_MAX};
        assert_true(rico_tree_query(&tree, &near, visit, &own));
        for (int k = 0; k < BOXES; k++) assert_true(own.seen[k] == rico_box_overlap(&near, &box[k]));
        if (own.count < 2) continue;
        visits some = {.last = 2};
        assert_false(rico_tree_query(&tree, &near, visit, &some));
        assert_int_equal(some.count, 2);
    }
    rico_tree_destroy(&tree);
}


// Boxes far out, tiny, flat, touching in a point: single precision inside loses none.
static void extremes(void **state)
{
    (void)state;
    rico_tree tree;
    rico_tree_create(ctx, &tree);
    double scale[] = {1e-320, 1e-50, 1e-30, 1e-3, 1.0, 1e30, 1e38, 1e39, 1e300};
    for (size_t s = 0; s < sizeof scale / sizeof *scale; s++)
        for (int far = 0; far < 2; far++) {
            rico_box box[64];
            for (int k = 0; k < 64; k++)
                for (int i = 0; i < 3; i++) {
                    int cell = k >> 2 * i & 3;
                    double offset = far ? 1e6 : -1.5;
                    // neighbours share their border to the last bit
                    box[k].lower[i] = scale[s] * (offset + cell);
                    box[k].upper[i] = scale[s] * (offset + cell + 1);
                }
            assert_ok(ctx, rico_tree_update(&tree, 64, box));
            assert_pairs(&tree, box, 64, NULL);
        }
    rico_tree_destroy(&tree);
}


static void refused(void **state)
{
    (void)state;
    rico_tree tree;
    rico_tree_create(ctx, &tree);
    rico_box box[3] = {{{0, 0, 0}, {1, 1, 1}}, {{0, 0, 0}, {1, NAN, 1}}, {{0, 0, 0}, {1, 1, 1}}};
    assert_int_equal(rico_tree_update(&tree, 3, box), RICO_BAD_INPUT);
    assert_non_null(strstr(rico_message(ctx), "box 1 reaches from 0 to"));
    box[1].upper[1] = -1.0;
    assert_int_equal(rico_tree_update(&tree, 3, box), RICO_BAD_INPUT);
    bool whole;
    assert_ok(ctx, rico_tree_update(&tree, 0, box));
    assert_ok(ctx, rico_tree_pairs(&tree, NULL, NULL, 0, &whole));
    assert_true(whole && tree.pair_count == 0);
    rico_tree_destroy(&tree);
}


// A million boxes in one place have 5e11 pairs: told as soon as there are too many.
static void one_place(void **state)
{
    (void)state;
    const int64_t count = 1000000;
    rico_tree tree;
    rico_tree_create(ctx, &tree);
    rico_box *box = rico_alloc(ctx, count, sizeof *box);
    assert_non_null(box);
    bool whole = true;
    assert_ok(ctx, rico_tree_update(&tree, count, box));
    assert_ok(ctx, rico_tree_pairs(&tree, NULL, NULL, 5000000, &whole));
    assert_false(whole);
    rico_free(ctx, box);
    rico_tree_destroy(&tree);
}


static void planes(void **state)
{
    (void)state;
    const rico_box box = {{1.0, 2.0, -INFINITY}, {3.0, 5.0, INFINITY}};
    assert_near(rico_box_above_plane(&box, (double[]){0.6, 0.8, 0.0}, 1.0), 1.2, 1e-15);
    assert_near(rico_box_above_plane(&box, (double[]){-0.6, 0.8, 0.0}, 1.0), -1.2, 1e-15);
    assert_true(rico_box_above_plane(&box, (double[]){0.6, 0.0, 0.8}, 1.0) == -INFINITY);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_over_motion), cmocka_unit_test(queries),   cmocka_unit_test(extremes),
        cmocka_unit_test(refused),           cmocka_unit_test(one_place), cmocka_unit_test(planes),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
