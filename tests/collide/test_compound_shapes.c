// Compounds: mass, names of features, contacts and distances as those of their parts; hulls that are refused; mass and turning normals of hulls.

#include "failing_memory.h"
#include "one_context.h"

#include "collide/narrow.h"
#include "la/mat3.h"
#include "la/quaternion.h"
#include "la/vec3.h"

static rico_random random_state;


static rico_stand anywhere(double reach)
{
    rico_stand at;
    for (int i = 0; i < 3; i++) at.position[i] = rico_random_range(&random_state, -reach, reach);
    do
        for (int i = 0; i < 4; i++) at.orientation[i] = rico_random_normal(&random_state);
    while (!rico_quaternion_normalise(at.orientation));
    return at;
}


// A box cut into two and put together again, turned in its own axes: the mass of the whole.
static void two_halves(void **state)
{
    (void)state;
    rico_shape *whole, *half, *compound, *nested;
    rico_mass_properties one, two;
    assert_ok(ctx, rico_shape_create(ctx, "box", (double[]){2.0, 1.0, 0.5}, 3, &whole));
    assert_ok(ctx, rico_shape_create(ctx, "box", (double[]){1.0, 1.0, 0.5}, 3, &half));
    rico_stand stand[2] = {rico_stand_at(-0.5, 0.0, 0.0), rico_stand_at(0.5, 0.0, 0.0)};
    // half a turn about z changes nothing
    rico_quaternion_set(0.0, 0.0, 0.0, 1.0, stand[1].orientation);
    assert_ok(ctx, rico_shape_compound(ctx, (const rico_shape *[]){half, half}, stand, 2, &compound));
    assert_ok(ctx,
              rico_shape_compound(ctx, (const rico_shape *[]){compound, half},
                                  (rico_stand[]){rico_stand_at(0.0, 0.0, 0.0), rico_stand_at(9.0, 0.0, 0.0)},
                                  2, &nested));
    assert_int_equal(compound->features, 2 * half->features);
    assert_int_equal(nested->features, 3 * half->features);
    assert_ok(ctx, rico_shape_mass(ctx, whole, &one));
    assert_ok(ctx, rico_shape_mass(ctx, compound, &two));
    assert_near(two.mass, one.mass, 1e-15);
    for (int i = 0; i < 3; i++) assert_near(two.center[i], one.center[i], 1e-15);
    for (int i = 0; i < 9; i++) assert_near(two.inertia[i], one.inertia[i], 1e-15);
    // contacts and distance as those of the parts
    for (int trial = 0; trial < 500; trial++) {
        rico_stand at_a = anywhere(1.0), at_b = anywhere(1.5);
        rico_meeting m[64], of_part[64];
        int64_t count, total = 0, found;
        double least = INFINITY;
        assert_ok(ctx, rico_meetings(ctx, nested, &at_a, whole, &at_b, 0.1, 64, m, &count));
        rico_pose A, B;
        rico_pose_of(&at_a, &A);
        rico_pose_of(&at_b, &B);
        for (int k = 0; k < 2; k++) {
            rico_stand at = at_a;
            rico_nearest near;
            rico_pose_point(&A, stand[k].position, at.position);
            rico_quaternion_multiply(at_a.orientation, stand[k].orientation, at.orientation);
            assert_ok(ctx, rico_meetings(ctx, half, &at, whole, &at_b, 0.1, 64, of_part, &found));
            assert_ok(ctx, rico_distance(ctx, half, &at, whole, &at_b, &near));
            least = fmin(least, near.gap);
            total += found;
        }
        assert_int_equal(count, total);
        for (int64_t k = 0; k < count; k++) {
            rico_meeting again = m[k];
            assert_true(rico_meet_again(nested, &A, whole, &B, &again));
            assert_int_equal(again.feature_a, m[k].feature_a);
            assert_true(rico_vec3_dot(again.normal, m[k].normal) > 0.5);
        }
        rico_nearest near;
        assert_ok(ctx, rico_distance(ctx, whole, &at_b, nested, &at_a, &near));
        assert_near(near.gap, least, 4e-15);
    }
    rico_shape_destroy(nested);
    rico_shape_destroy(compound);
    rico_shape_destroy(whole);
    rico_shape_destroy(half);
}


// Derivatives of gap and normal against differences, for boxes apart and overlapping, alone and in a compound.
static void derivatives(void **state)
{
    (void)state;
    rico_shape *box, *other, *compound;
    assert_ok(ctx, rico_shape_create(ctx, "box", (double[]){1.0, 0.8, 0.6}, 3, &box));
    assert_ok(ctx, rico_shape_create(ctx, "box", (double[]){0.5, 0.9, 0.7}, 3, &other));
    rico_stand stand = anywhere(0.3);
    assert_ok(ctx, rico_shape_compound(ctx, (const rico_shape *[]){box}, &stand, 1, &compound));
    int64_t checked = 0;
    for (int trial = 0; trial < 600; trial++) {
        const rico_shape *a = trial % 2 ? compound : box;
        rico_stand at[2] = {anywhere(0.5), anywhere(1.0)};
        rico_nearest near, moved[2];
        double step = 1e-6, worst_gap = 0.0, worst_normal = 0.0;
        bool same = true;
        assert_ok(ctx, rico_distance(ctx, a, &at[0], other, &at[1], &near));
        if (!near.smooth || fabs(near.gap) < 0.02) continue;
        for (int k = 0; k < 12 && same; k++) {
            for (int side = 0; side < 2; side++) {
                rico_stand there[2] = {at[0], at[1]};
                double h = side ? step : -step, phi[3] = {0.0, 0.0, 0.0}, turn[4];
                if (k % 6 < 3) {
                    there[k / 6].position[k % 3] += h;
                } else {
                    phi[k % 3] = h;
                    rico_quaternion_exp(phi, turn);
                    rico_quaternion_multiply(turn, at[k / 6].orientation, there[k / 6].orientation);
                }
                assert_ok(ctx, rico_distance(ctx, a, &there[0], other, &there[1], &moved[side]));
                same &= moved[side].feature_a == near.feature_a && moved[side].feature_b == near.feature_b;
            }
            double slope = (moved[1].gap - moved[0].gap) / (2.0 * step);
            double expected = k < 3   ? -near.along[k]
                              : k < 6 ? -near.about_a[k - 3]
                              : k < 9 ? near.along[k - 6]
                                      : near.about_b[k - 9];
            worst_gap = fmax(worst_gap, fabs(slope - expected));
            for (int r = 0; r < 3; r++)
                worst_normal =
                    fmax(worst_normal, fabs((moved[1].normal[r] - moved[0].normal[r]) / (2.0 * step) -
                                            near.turn[12 * r + k]));
        }
        if (!same) continue;
        checked++;
        assert_at_most(worst_gap, 1e-8);
        assert_at_most(worst_normal, 1e-6);
    }
    assert_true(checked > 100);
    rico_shape_destroy(compound);
    rico_shape_destroy(box);
    rico_shape_destroy(other);
}


static void refused_hull(const double *point, int64_t count, const char *words)
{
    rico_shape *shape = NULL;
    assert_int_equal(rico_shape_hull(ctx, point, count, &shape), RICO_BAD_ARGUMENT);
    assert_null(shape);
    if (!strstr(rico_message(ctx), words)) fail_msg("'%s' does not say '%s'", rico_message(ctx), words);
}


static void hulls(void **state)
{
    (void)state;
    double point[3 * 600];
    memset(point, 0, sizeof point);
    refused_hull(point, 3, "at least 4 points");
    refused_hull(point, 10, "lie in one place");
    for (int k = 0; k < 10; k++) point[3 * k] = k;
    refused_hull(point, 10, "lie on one line");
    for (int k = 0; k < 10; k++) point[3 * k + 1] = k * k;
    refused_hull(point, 10, "lie in one plane");
    point[7] = NAN;
    refused_hull(point, 10, "point 3 of a hull is not finite");
    // a grid of points in a block: only its corners are left
    int64_t count = 0;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++)
            for (int k = 0; k < 5; k++) rico_vec3_set(i, 2.0 * j, 3.0 * k, &point[3 * count++]);
    rico_shape *hull, *box;
    rico_mass_properties unit;
    assert_ok(ctx, rico_shape_hull(ctx, point, count, &hull));
    assert_int_equal(hull->features, 8 + 12 + 6);
    assert_ok(ctx, rico_shape_mass(ctx, hull, &unit));
    assert_near(unit.mass, 4.0 * 8.0 * 12.0, 1e-11);
    assert_near(unit.inertia[8], unit.mass * (16.0 + 64.0) / 12.0, 1e-10);
    rico_shape_destroy(hull);
    // a prism of 300 sides, whose ends are cut into pieces: its mass, and every vertex of its end on a slab
    for (int k = 0; k < 300; k++)
        for (int side = 0; side < 2; side++)
            rico_vec3_set(cos(k * 0.020943951023931952), sin(k * 0.020943951023931952), side,
                          &point[3 * (2 * k + side)]);
    assert_ok(ctx, rico_shape_hull(ctx, point, 600, &hull));
    assert_ok(ctx, rico_shape_mass(ctx, hull, &unit));
    assert_near(unit.mass, 150.0 * sin(0.020943951023931952), 1e-12);
    assert_near(unit.center[2], 0.5, 1e-14);
    assert_ok(ctx, rico_shape_create(ctx, "box", (double[]){4.0, 4.0, 1.0}, 3, &box));
    rico_nearest near;
    rico_stand below = rico_stand_at(0.0, 0.0, -0.5), at = rico_stand_at(0.1, 0.2, 1e-6);
    assert_ok(ctx, rico_distance(ctx, box, &below, hull, &at, &near));
    assert_near(near.gap, 1e-6, 1e-15);
    rico_shape_destroy(hull);
    rico_shape_destroy(box);
}


static rico_status make_compound(rico_context *own, void *user)
{
    (void)user;
    rico_shape *box, *compound;
    rico_status status = rico_shape_create(own, "box", (double[]){1.0, 1.0, 1.0}, 3, &box);
    if (status != RICO_OK) return status;
    rico_stand at = rico_stand_at(0.0, 0.0, 0.0);
    status = rico_shape_compound(own, (const rico_shape *[]){box}, &at, 1, &compound);
    if (status == RICO_OK) rico_shape_destroy(compound);
    rico_shape_destroy(box);
    return status;
}


static void wrong_compounds(void **state)
{
    (void)state;
    rico_shape *box, *compound;
    rico_stand at = rico_stand_at(0.0, NAN, 0.0);
    assert_ok(ctx, rico_shape_create(ctx, "box", (double[]){1.0, 1.0, 1.0}, 3, &box));
    assert_int_equal(rico_shape_compound(ctx, NULL, NULL, 0, &compound), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_shape_compound(ctx, (const rico_shape *[]){box}, &at, 1, &compound),
                     RICO_BAD_ARGUMENT);
    assert_int_equal(rico_shape_compound(ctx, (const rico_shape *[]){NULL}, &at, 1, &compound),
                     RICO_BAD_ARGUMENT);
    rico_shape_destroy(box);
    assert_true(every_allocation_fails(make_compound, NULL) > 4);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_halves),
        cmocka_unit_test(derivatives),
        cmocka_unit_test(hulls),
        cmocka_unit_test(wrong_compounds),
    };
    rico_random_seed(&random_state, 99);
    return cmocka_run_group_tests(tests, context_start, context_end);
}
