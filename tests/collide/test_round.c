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
        pair_make(&random, a, b, sa, sb, scale, pair_any_gap(&random), &p);
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
        for (int b = a; b < PAIR_KINDS; b++) good &= check_kinds((pair_kind)a, (pair_kind)b, count);
    assert_true(good);
}


// --- deep in each other -----------------------------------------------------------------------------------------------

// No sampled normal, and none that a descent from it finds, leads out on a shorter way.
static bool check_deep(rico_random *random, pair_kind a, pair_kind b)
{
    pair p;
    pair_make(random, a, b, 0, 0, 1.0, 0.0, &p);
    // anywhere in each other, or corner in corner by little
    double d[3], by = rico_random_range(random, 0.0, 0.8);
    pair_direction(random, d);
    bool little = rico_random_unit(random) < 0.5;
    for (int i = 0; i < 3; i++)
        p.at_b.position[i] = little ? p.at_b.position[i] + 0.02 * by * (d[i] - 1.5 * p.normal[i])
                                    : p.at_a.position[i] + by * d[i];
    rico_shape *one = shape_of(&p.a), *other = shape_of(&p.b);
    rico_nearest near;
    assert_ok(ctx, rico_distance(ctx, one, &p.at_a, other, &p.at_b, &near));
    assert_near(pair_separation(&p, near.normal), near.gap, 1e-13);
    double best = near.gap;
    for (int k = 0; k < 400; k++) {
        double n[3], step = 0.3;
        pair_direction(random, n);
        double value = pair_separation(&p, n);
        // climb by random steps from the better ones
        for (int i = 0; value > near.gap - 0.05 && i < 60; i++) {
            double next[3], move[3];
            pair_direction(random, move);
            for (int j = 0; j < 3; j++) next[j] = n[j] + step * move[j];
            rico_vec3_normalise(next);
            double tried = pair_separation(&p, next);
            if (tried > value)
                value = tried, rico_vec3_copy(next, n);
            else
                step *= 0.85;
        }
        best = fmax(best, value);
    }
    if (best > near.gap + 1e-13)
        print_message("%s-%s: gap %g, but %g by sampling\n", PAIR_KIND[a].name, PAIR_KIND[b].name, near.gap,
                      best);
    rico_shape_destroy(one);
    rico_shape_destroy(other);
    return best <= near.gap + 1e-13;
}


static void test_deep(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 77);
    int64_t each = getenv("RICO_PAIRS") ? 1000 : 12, missed = 0;
    for (int a = 0; a < PAIR_BOX; a++)
        for (int b = a; b < PAIR_PLANE; b++)
            for (int64_t i = 0; i < each; i++) missed += !check_deep(&random, (pair_kind)a, (pair_kind)b);
    assert_int_equal(missed, 0);
}


// --- degenerate positions ----------------------------------------------------------------------------------------------

static bool check_upright(rico_random *random, pair_kind a, pair_kind b)
{
    static const double SCALES[] = {1e-3, 1.0, 1e3};
    pair p;
    double gap = pair_any_gap(random), scale = SCALES[rico_random_below(random, 3)];
    pair_upright(random, a, b, SCALES[rico_random_below(random, 3)], scale, gap, &p);
    if (rico_random_unit(random) < 0.5) pair_turn_all(random, &p);
    rico_shape *one = shape_of(&p.a), *other = shape_of(&p.b);
    rico_nearest near, back;
    assert_ok(ctx, rico_distance(ctx, one, &p.at_a, other, &p.at_b, &near));
    assert_ok(ctx, rico_distance(ctx, other, &p.at_b, one, &p.at_a, &back));
    double size = fmax(p.size, rico_vec3_norm(p.at_b.position));
    double error = fabs(near.gap - p.gap) / size, claim = fabs(pair_separation(&p, near.normal) - near.gap);
    bool good = error <= 1e-14 && claim <= 1e-14 * size && fabs(back.gap - near.gap) <= 1e-14 * size;
    // the manifold has it, too
    rico_meeting m[64];
    int64_t count;
    double least = INFINITY;
    assert_ok(ctx, rico_meetings(ctx, one, &p.at_a, other, &p.at_b, fmax(near.gap, 0.0) + 1e-6 * size, 64, m,
                                 &count));
    for (int64_t k = 0; k < count && k < 64; k++) least = fmin(least, m[k].gap);
    good = good && fabs(least - near.gap) <= 1e-13 * size;
    if (!good)
        print_message("%s-%s upright at %g %g %g: gap %.17g, is %.17g, error %g, claim %g, back %.17g, least "
                      "of %lld %.17g\n",
                      PAIR_KIND[a].name, PAIR_KIND[b].name, p.at_b.position[0], p.at_b.position[1],
                      p.at_b.position[2], near.gap, p.gap, error, claim / size, back.gap, (long long)count,
                      least);
    rico_shape_destroy(one);
    rico_shape_destroy(other);
    return good;
}


// Axes parallel, coaxial, rim on rim, corner on corner, edge on edge, large on small: the gap is that of a prism, on every border between pieces.
static void test_degenerate(void **state)
{
    (void)state;
    static const pair_kind KINDS[] = {PAIR_SPHERE, PAIR_CAPSULE, PAIR_CYLINDER, PAIR_BOX};
    rico_random random;
    rico_random_seed(&random, 78);
    int64_t each = pairs_asked(2000), missed = 0;
    for (int a = 0; a < 4; a++)
        for (int b = a; b < 4; b++)
            for (int64_t i = 0; i < each; i++) missed += !check_upright(&random, KINDS[a], KINDS[b]);
    assert_int_equal(missed, 0);
}


// --- derivatives ------------------------------------------------------------------------------------------------------

// Moves a stand by a small translation or turn along one axis.
static rico_stand moved(const rico_stand *at, int k, double by)
{
    rico_stand out = *at;
    if (k < 3) {
        out.position[k] += by;
        return out;
    }
    double phi[3] = {0.0, 0.0, 0.0}, turn[4], next[4];
    phi[k - 3] = by;
    rico_quaternion_exp(phi, turn);
    rico_quaternion_multiply(turn, at->orientation, next);
    memcpy(out.orientation, next, sizeof next);
    return out;
}


static void check_derivatives(const pair *p)
{
    rico_shape *a = shape_of(&p->a), *b = shape_of(&p->b);
    rico_nearest near, plus, minus;
    const double h = 1e-6;
    assert_ok(ctx, rico_distance(ctx, a, &p->at_a, b, &p->at_b, &near));
    for (int k = 0; near.smooth && k < 12; k++) {
        rico_stand a1 = k < 6 ? moved(&p->at_a, k, h) : p->at_a,
                   a2 = k < 6 ? moved(&p->at_a, k, -h) : p->at_a;
        rico_stand b1 = k < 6 ? p->at_b : moved(&p->at_b, k - 6, h);
        rico_stand b2 = k < 6 ? p->at_b : moved(&p->at_b, k - 6, -h);
        assert_ok(ctx, rico_distance(ctx, a, &a1, b, &b1, &plus));
        assert_ok(ctx, rico_distance(ctx, a, &a2, b, &b2, &minus));
        // a change of features is no derivative
        if (plus.feature_a != near.feature_a || plus.feature_b != near.feature_b ||
            minus.feature_a != near.feature_a || minus.feature_b != near.feature_b)
            continue;
        const double *part = k < 3 ? near.along : k < 6 ? near.about_a : k < 9 ? near.along : near.about_b;
        double slope = (k < 6 ? -1.0 : 1.0) * part[k % 3];
        if (fabs((plus.gap - minus.gap) / (2.0 * h) - slope) > 1e-7)
            print_message("%s-%s gap %g features %u %u motion %d\n", PAIR_KIND[p->a.kind].name,
                          PAIR_KIND[p->b.kind].name, near.gap, near.feature_a, near.feature_b, k);
        assert_near((plus.gap - minus.gap) / (2.0 * h), slope, 1e-7);
        for (int i = 0; i < 3; i++)
            assert_near((plus.normal[i] - minus.normal[i]) / (2.0 * h), near.turn[12 * i + k], 1e-5);
    }
    rico_shape_destroy(a);
    rico_shape_destroy(b);
}


static void test_derivatives(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 5);
    for (int a = 0; a < PAIR_BOX; a++)
        for (int b = a; b < PAIR_KINDS; b++)
            for (int i = 0; i < 60; i++) {
                int sa = (int)rico_random_below(&random, PAIR_KIND[a].strata);
                int sb = (int)rico_random_below(&random, PAIR_KIND[b].strata);
                pair p;
                pair_make(&random, (pair_kind)a, (pair_kind)b, sa, sb, 1.0, i % 2 ? 0.05 : -0.01, &p);
                if (p.firm < 0.2 || (sa == 1 && sb == 1 && p.firm < 0.1 * PAIR_HARD)) continue;
                check_derivatives(&p);
            }
}


// --- manifolds --------------------------------------------------------------------------------------------------------

enum { ROOM = 64 };

// The smallest gap is the distance, points stand opposite each other, features are named once, and the same features give the same contact.
static void check_manifold(const pair *p, double margin)
{
    rico_shape *a = shape_of(&p->a), *b = shape_of(&p->b);
    rico_nearest near;
    rico_meeting m[ROOM];
    int64_t count;
    assert_ok(ctx, rico_distance(ctx, a, &p->at_a, b, &p->at_b, &near));
    assert_ok(ctx, rico_meetings(ctx, a, &p->at_a, b, &p->at_b, margin, ROOM, m, &count));
    assert_true(count <= ROOM && (count > 0) == (near.gap <= margin));
    double least = INFINITY;
    rico_pose A, B;
    assert_true(rico_pose_of(&p->at_a, &A) && rico_pose_of(&p->at_b, &B));
    for (int64_t i = 0; i < count; i++) {
        least = fmin(least, m[i].gap);
        assert_at_most(m[i].gap, margin);
        for (int k = 0; k < 3; k++)
            assert_near(m[i].on_b[k] - m[i].on_a[k], m[i].gap * m[i].normal[k], 1e-13);
        for (int64_t j = 0; j < i; j++)
            assert_false(m[i].feature_a == m[j].feature_a && m[i].feature_b == m[j].feature_b);
        rico_meeting again = m[i];
        if (rico_meet_again(a, &A, b, &B, &again)) assert_near(again.gap, m[i].gap, 1e-12);
    }
    if (count > 0) assert_near(least, near.gap, 2e-13);
    rico_shape_destroy(a);
    rico_shape_destroy(b);
}


static void test_manifolds(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 6);
    for (int a = 0; a < PAIR_BOX; a++)
        for (int b = a; b < PAIR_KINDS; b++)
            for (int i = 0; i < 300; i++) {
                int sa = (int)rico_random_below(&random, PAIR_KIND[a].strata);
                int sb = (int)rico_random_below(&random, PAIR_KIND[b].strata);
                pair p;
                pair_make(&random, (pair_kind)a, (pair_kind)b, sa, sb, 1.0, pair_any_gap(&random), &p);
                check_manifold(&p, 0.02);
                // and nearly so
                for (int k = 3; k < 6; k++)
                    p.at_b = moved(&p.at_b, k, rico_random_range(&random, -1e-3, 1e-3));
                check_manifold(&p, 0.02);
            }
}


static int64_t contacts(const char *kind, const double *size, int sizes, const rico_stand *at,
                        const char *ground, const double *ground_size, int ground_sizes, rico_meeting m[ROOM])
{
    rico_shape *a, *b;
    int64_t count;
    rico_stand origin = rico_stand_at(0.0, 0.0, 0.0);
    assert_ok(ctx, rico_shape_create(ctx, kind, size, sizes, &a));
    assert_ok(ctx, rico_shape_create(ctx, ground, ground_size, ground_sizes, &b));
    assert_ok(ctx, rico_meetings(ctx, a, at, b, &origin, 1e-3, ROOM, m, &count));
    rico_shape_destroy(a);
    rico_shape_destroy(b);
    return count;
}


// What lies or stands flat rests on enough points, level to round-off.
static void test_resting(void **state)
{
    (void)state;
    rico_meeting m[ROOM];
    double box[3] = {4.0, 4.0, 1.0}, disc[2] = {2.0, 1.0}, tube[2] = {0.5, 2.0};
    rico_stand up = rico_stand_at(0.1, 0.2, 1.0), lying = rico_stand_at(0.1, 0.2, 0.5);
    double turn[3] = {0.0, 1.5707963267948966, 0.0};
    rico_quaternion_exp(turn, lying.orientation);
    assert_int_equal(contacts("cylinder", tube, 2, &up, "plane", NULL, 0, m), 8);
    assert_true(contacts("cylinder", tube, 2, &lying, "plane", NULL, 0, m) >= 2);
    assert_true(contacts("capsule", tube, 2, &lying, "plane", NULL, 0, m) == 2);
    up.position[2] = 1.5, lying.position[2] = 1.0;
    assert_int_equal(contacts("cylinder", tube, 2, &up, "box", box, 3, m), 8);
    assert_int_equal(contacts("cone", tube, 2, &up, "box", box, 3, m), 8);
    assert_true(contacts("cylinder", tube, 2, &lying, "box", box, 3, m) >= 2);
    assert_true(contacts("capsule", tube, 2, &lying, "box", box, 3, m) >= 2);
    // half over the edge: marks within, and where the rim crosses the edge
    up.position[0] = 2.0;
    int64_t count = contacts("cylinder", tube, 2, &up, "box", box, 3, m);
    double reach = -INFINITY;
    for (int64_t i = 0; i < count; i++) {
        assert_near(m[i].gap, 0.0, 1e-15);
        assert_true(m[i].on_a[0] <= 2.0 + 1e-12);
        reach = fmax(reach, fabs(m[i].on_a[1] - 0.2));
    }
    assert_near(reach, 0.5, 1e-12);
    rico_stand top = rico_stand_at(1.8, 0.0, 1.5);
    count = contacts("cylinder", tube, 2, &top, "cylinder", disc, 2, m);
    assert_true(count >= 5); // marks of the small one, and two crossings
    rico_stand beside = rico_stand_at(1.0, 0.0, 0.3);
    assert_int_equal(contacts("cylinder", tube, 2, &beside, "cylinder", tube, 2, m), 2);
    assert_int_equal(contacts("capsule", tube, 2, &beside, "capsule", tube, 2, m), 2);
}


// --- mass and bounds --------------------------------------------------------------------------------------------------

static void check_mass(const char *kind, const double *sizes, int count)
{
    rico_shape *shape;
    rico_mass_properties is, sum = {0};
    assert_ok(ctx, rico_shape_create(ctx, kind, sizes, count, &shape));
    assert_ok(ctx, rico_shape_mass(ctx, shape, &is));
    rico_stand origin = rico_stand_at(0.0, 0.0, 0.0);
    double low[3], high[3];
    rico_shape_bounds(shape, &origin, low, high);
    // by random points, inside where a speck of dust is
    rico_random random;
    rico_random_seed(&random, 3);
    enum { POINTS = 40000 };
    double box = (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]), dust = 1e-6;
    rico_shape *speck;
    assert_ok(ctx, rico_shape_create(ctx, "sphere", &dust, 1, &speck));
    for (int i = 0; i < POINTS; i++) {
        double x[3], weight = box / POINTS;
        rico_nearest near;
        for (int j = 0; j < 3; j++) x[j] = rico_random_range(&random, low[j], high[j]);
        rico_stand at = rico_stand_at(x[0], x[1], x[2]);
        assert_ok(ctx, rico_distance(ctx, speck, &at, shape, &origin, &near));
        bool inside = near.gap < -dust;
        if (!inside) continue;
        sum.mass += weight;
        for (int j = 0; j < 3; j++) {
            double y = x[(j + 1) % 3] - is.center[(j + 1) % 3], z = x[(j + 2) % 3] - is.center[(j + 2) % 3];
            sum.center[j] += weight * x[j];
            sum.inertia[4 * j] += weight * (y * y + z * z);
        }
    }
    assert_near(sum.mass / is.mass, 1.0, 0.03);
    for (int j = 0; j < 3; j++) {
        assert_near(sum.center[j] / is.mass, is.center[j], 0.03);
        assert_near(sum.inertia[4 * j] / is.inertia[4 * j], 1.0, 0.05);
    }
    rico_shape_destroy(speck);
    rico_shape_destroy(shape);
}


static void test_mass(void **state)
{
    (void)state;
    check_mass("sphere", (double[]){0.7}, 1);
    check_mass("capsule", (double[]){0.5, 1.2}, 2);
    check_mass("cylinder", (double[]){0.6, 1.1}, 2);
    check_mass("cone", (double[]){0.9, 1.3}, 2);
    check_mass("ellipsoid", (double[]){0.5, 0.8, 1.1}, 3);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_pairs), cmocka_unit_test(test_deep),
        cmocka_unit_test(test_degenerate),  cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_manifolds),   cmocka_unit_test(test_resting),
        cmocka_unit_test(test_mass),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
