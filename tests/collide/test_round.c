// Round shapes against pairs whose gap and normal are known by construction, and against sampled normals.
//
// RICO_PAIRS=100000 tests as many pairs of every kind, and prints the worst errors of each.

#include "one_context.h"

#include "../../bench/pairs.h"
#include "collide/narrow.h"

static int64_t pairs_asked(int64_t usual)
{
    const char *asked = getenv("RICO_PAIRS");
    return asked ? strtoll(asked, NULL, 10) : usual;
}


static double any_gap(rico_random *random)
{
    double power = -1.0 - (double)rico_random_below(random, 12);
    int64_t sign = rico_random_below(random, 25);
    return sign == 0 ? 0.0 : (sign % 2 ? 1.0 : -1.0) * pow(10.0, power);
}


static bool kind_known(const char *name)
{
    const rico_shape_info *info;
    for (int i = 0; (info = rico_shape_kind_at(i)); i++)
        if (strcmp(info->name, name) == 0) return true;
    return false;
}


typedef struct worst {
    double gap, normal, points, lost, turn;
    int64_t deeper; // pairs with a shallower way out than the one they were made with
} worst;


static rico_shape *shape_of(const pair_half *half)
{
    rico_shape *shape;
    assert_ok(ctx, rico_shape_create(ctx, PAIR_KIND[half->kind].name, half->size, PAIR_KIND[half->kind].sizes,
                                     &shape));
    return shape;
}


static void say(const pair *p, const char *what, double value, int sa, int sb)
{
    print_message("%s %s-%s strata %d %d gap %g firm %g: %g\n", what, PAIR_KIND[p->a.kind].name,
                  PAIR_KIND[p->b.kind].name, sa, sb, p->gap / p->size, p->firm / p->size, value);
}


static void check_pair(const pair *p, int sa, int sb, worst *w)
{
    rico_shape *a = shape_of(&p->a), *b = shape_of(&p->b);
    rico_nearest near;
    assert_ok(ctx, rico_distance(ctx, a, &p->at_a, b, &p->at_b, &near));
    double size = p->size, error;
    // the normal separates as far as it says
    if (p->b.kind != PAIR_PLANE) {
        error = fabs(pair_separation(p, near.normal) - near.gap) / size;
        if (error > 1e-14) say(p, "not the separation of its normal,", error, sa, sb);
        w->gap = fmax(w->gap, error);
    }
    error = (near.gap - p->gap) / size;
    // never below what is known; above only where there is another way out
    if (p->gap >= 0.0 ? fabs(error) > 1e-14 : error < -1e-14) {
        say(p, "gap", error, sa, sb);
        w->lost = fmax(w->lost, fabs(error));
    }
    if (error > 1e-14) w->deeper++;
    if (fabs(error) <= 1e-14) {
        w->gap = fmax(w->gap, fabs(error));
        // two lines hold a normal the worse the more parallel they run
        if (p->firm > 0.02 * size && !(sa == 1 && sb == 1 && p->firm < 3e-4 * PAIR_HARD)) {
            double cross[3];
            rico_vec3_cross(near.normal, p->normal, cross);
            error = rico_vec3_norm(cross) + (rico_vec3_dot(near.normal, p->normal) < 0.0 ? 2.0 : 0.0);
            if (error > 1e-13) say(p, "normal", error, sa, sb);
            w->normal = fmax(w->normal, error);
        }
    }
    for (int i = 0; i < 3; i++) {
        error = fabs(near.on_b[i] - near.on_a[i] - near.gap * near.normal[i]) / size;
        w->points = fmax(w->points, error);
    }
    rico_shape_destroy(a);
    rico_shape_destroy(b);
}


static bool check_kinds(pair_kind a, pair_kind b, int64_t count)
{
    rico_random random;
    worst w = {0};
    rico_random_seed(&random, 1000 + (uint64_t)(a * PAIR_KINDS + b));
    for (int64_t i = 0; i < count; i++) {
        int sa = (int)rico_random_below(&random, PAIR_KIND[a].strata);
        int sb = (int)rico_random_below(&random, PAIR_KIND[b].strata);
        double scale = pow(10.0, rico_random_range(&random, -3.0, 3.0));
        pair p;
        pair_make(&random, a, b, sa, sb, scale, any_gap(&random), &p);
        check_pair(&p, sa, sb, &w);
    }
    if (getenv("RICO_PAIRS"))
        print_message("%s-%s: gap %.1e normal %.1e points %.1e lost %.1e; another way out %lld of %lld\n",
                      PAIR_KIND[a].name, PAIR_KIND[b].name, w.gap, w.normal, w.points, w.lost,
                      (long long)w.deeper, (long long)count);
    return w.lost == 0.0 && w.gap <= 1e-14 && w.normal <= 1e-13 && w.points <= 1e-14;
}


static void test_known_pairs(void **state)
{
    (void)state;
    int64_t count = pairs_asked(2000);
    bool good = true;
    for (int a = 0; a < PAIR_BOX; a++)
        for (int b = a; b < PAIR_KINDS; b++)
            if (kind_known(PAIR_KIND[b].name)) good &= check_kinds((pair_kind)a, (pair_kind)b, count);
    assert_true(good);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_pairs),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
