// Structures of blocks in scenes: how many joints they have and where, what they weigh, what is refused.

#include "failing_memory.h"
#include "one_context.h"

#include "model/bodies_look.h"
#include "scene/scene.h"

#define TIME "\ntime: {end: 1, step: 1e-2}\n"


static rico_scene *parse(const char *bodies, bool space)
{
    char text[1024];
    rico_scene *scene = NULL;
    snprintf(text, sizeof text, "gravity: %s\nbodies:\n%s" TIME, space ? "[0, 0, -1]" : "[0, -1]", bodies);
    assert_ok(ctx, rico_scene_parse(ctx, "s", text, (int64_t)strlen(text), 0, NULL, NULL, 0, &scene));
    return scene;
}


// Contacts of the bodies at the start, and the pairs of bodies that have any.
typedef struct touching {
    int64_t pairs, contacts, fewest; // of a pair
    double deepest, highest;         // gaps
} touching;


static touching touch(rico_scene *scene)
{
    int64_t source;
    const rico_bodies *bodies = rico_scene_body_set(scene, NULL, &source);
    int64_t n = rico_bodies_count(bodies);
    touching found = {.fewest = INT64_MAX};
    unsigned char *seen = calloc((size_t)(n * n), 1);
    rico_simulation *sim;
    const double *gap;
    assert_ok(ctx, rico_scene_simulate(scene, &sim));
    assert_ok(ctx, rico_simulation_gap(sim, &gap));
    for (int64_t c = 0; c < rico_simulation_constraints(sim); c++) {
        rico_constraint_info info = rico_simulation_constraint(sim, c);
        int64_t a, b;
        uint32_t on_a, on_b;
        assert_int_equal(info.source, source);
        rico_bodies_contact(bodies, info.key, &a, &b, &on_a, &on_b);
        found.contacts++;
        found.pairs += !seen[a * n + b]++;
        found.deepest = fmin(found.deepest, gap[info.row]);
        found.highest = fmax(found.highest, gap[info.row]);
    }
    for (int64_t i = 0; i < n * n; i++) {
        if (!seen[i]) continue;
        found.fewest = seen[i] < found.fewest ? seen[i] : found.fewest;
    }
    rico_simulation_destroy(sim);
    free(seen);
    return found;
}


// Joints of every structure, counted by hand: pairs of blocks that share a face, and two ends or four corners of each.
static void test_joints(void **state)
{
    (void)state;
    static const struct {
        const char *copies;
        bool space;
        int64_t bodies, pairs;
    } CASES[] = {
        {"arch: {radius: 1, thickness: 0.2, count: 7}", false, 7, 6},
        {"arch: {radius: 1, thickness: 0.2, count: 7, abutments: yes}", false, 9, 8},
        {"arch: {radius: 3, thickness: 0.2, count: 40, angle: 240, abutments: yes}", false, 42, 41},
        {"arch: {radius: 1, thickness: 0.2, count: 20, offset: 0.5, abutments: yes}", false, 22, 21},
        {"arch: {radius: 1, thickness: 0.2, count: 20, piers: [0.3, 2]}", false, 22, 21},
        {"arch: {radius: 1, thickness: 0.2, count: 20, depth: 0.3, abutments: yes}", true, 22, 21},
        {"flat-arch: {span: 2, height: 0.4, center: 2, count: 7, abutments: yes}", false, 9, 8},
        // 2 and 2 + 1 bricks: beds 3 x (2 + 2) less the two outer halves, heads 1 + 2 + 1 + 2
        {"bond: {length: 2, courses: 4, brick: [1, 0.5]}", false, 10, 3 * 4 + 6},
        {"bond: {length: 2, courses: 4, brick: [1, 0.5], depth: 0.5}", true, 10, 3 * 4 + 6},
        {"bond: {length: 1, courses: 2, brick: [1, 0.5]}", false, 3, 2 + 1},
        {"buttress: {courses: 6, height: 3, base: 1, top: 0.5, upright: yes}", false, 6, 5},
        // courses 0, 2, 4: 6 blocks; 1, 3: 7
        {"vault: {radius: 1, thickness: 0.2, count: 5, length: 3, rows: 6, abutments: yes}", true, 34,
         4 * 12 + 3 * 5 + 2 * 6 + 12},
        {"vault: {radius: 1, thickness: 0.2, count: 5, length: 3, rows: 6, bond: stack}", true, 30,
         4 * 6 + 5 * 5},
        {"cross-vault: {radius: 1, thickness: 0.15, side: 2.6, count: 12, rows: 11, abutments: yes}", true,
         8 * 132 + 1, 8 * (121 + 120 + 11) + 4 * 12 + 4 * 11},
        {"dome: {radius: 1, thickness: 0.15, courses: 6, count: 12, opening: 5, keystone: yes, abutments: "
         "yes}",
         true, 6 * 12 + 1 + 12, 5 * 12 + 6 * 12 + 12 + 12},
        {"dome: {radius: 2, thickness: 0.15, courses: 6, count: 40, opening: 20, angle: 60}", true, 240,
         5 * 40 + 6 * 40},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char body[256];
        snprintf(body, sizeof body, "  v: {density: 1, copies: {%s}}", CASES[i].copies);
        rico_scene *scene = parse(body, CASES[i].space);
        touching found = touch(scene);
        int64_t each = CASES[i].space ? 4 : 2;
        if (rico_bodies_count(rico_scene_body_set(scene, NULL, NULL)) != CASES[i].bodies ||
            found.pairs != CASES[i].pairs || found.fewest != each || found.contacts != each * found.pairs)
            fail_msg("%s: %lld joints, %lld contacts", CASES[i].copies, (long long)found.pairs,
                     (long long)found.contacts);
        assert_at_most(-found.deepest, 1e-14);
        assert_at_most(found.highest, 1e-14);
        rico_scene_destroy(scene);
    }
}


static double mass_of(const rico_scene *scene)
{
    const rico_bodies *bodies = rico_scene_body_set(scene, NULL, NULL);
    double mass = 0.0;
    for (int64_t i = 0; i < rico_bodies_count(bodies); i++) mass += rico_bodies_mass(bodies, i);
    return mass;
}


// Volumes of the curved solids that the blocks fill as they become many; the straight ones lack the square of the step.
static void test_volumes(void **state)
{
    (void)state;
    const double in = 0.9, out = 1.1, squares = out * out - in * in, cubes = pow(out, 3.0) - pow(in, 3.0);
    const struct {
        const char *copies;
        double volume;
    } CASES[] = {
        {"vault: {radius: 1, thickness: 0.2, count: %d, length: 3, rows: 2}", 3.0 * 0.5 * M_PI * squares},
        {"cross-vault: {radius: 1, thickness: 0.2, side: 3, count: %d, rows: 2}",
         8.0 * (1.5 * 0.25 * M_PI * squares - cubes / 3.0)},
        {"dome: {radius: 1, thickness: 0.2, courses: %d, count: 64, opening: 60}",
         2.0 / 3.0 * M_PI * cubes * 0.5 * sin(2.0 * M_PI / 64.0) / (M_PI / 32.0)},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        double lacks[2];
        for (int k = 0; k < 2; k++) {
            char copies[192], body[256];
            snprintf(copies, sizeof copies, CASES[i].copies, 20 << k);
            snprintf(body, sizeof body, "  v: {density: 2, copies: {%s}}", copies);
            rico_scene *scene = parse(body, true);
            lacks[k] = 1.0 - mass_of(scene) / (2.0 * CASES[i].volume);
            rico_scene_destroy(scene);
        }
        assert_true(lacks[0] > 0.0 && lacks[0] < 2e-2);
        assert_near(lacks[0] / lacks[1], 4.0, 0.05);
    }
}


// Sectors of a ring by a fine sum over them: mass, center and inertia, in the plane and in space.
static void test_sectors(void **state)
{
    (void)state;
    enum { RADII = 60, ANGLES = 120 };
    for (int space = 0; space < 2; space++) {
        rico_scene *scene = parse("  v: {density: 3, copies: {arch: {radius: 2, thickness: 0.8, count: 5, "
                                  "depth: 0.7, angle: 150, weights: sector}}}",
                                  space);
        rico_place place;
        const rico_bodies *bodies = rico_scene_body_set(scene, &place, NULL);
        const double depth = space ? 0.7 : 1.0, *q = rico_scene_position(scene) + place.q;
        for (int k = 0; k < 5; k++) {
            double sum = 0.0, first[2] = {0.0}, second[3] = {0.0};
            for (int i = 0; i < RADII; i++)
                for (int j = 0; j < ANGLES; j++) {
                    double r = 1.6 + 0.8 * (i + 0.5) / RADII,
                           a = (-75.0 + 30.0 * (k + (j + 0.5) / ANGLES)) * M_PI / 180.0;
                    double dm = 3.0 * depth * r * 0.8 / RADII * M_PI / 6.0 / ANGLES, x = r * sin(a),
                           y = r * cos(a);
                    sum += dm, first[0] += x * dm, first[1] += y * dm;
                    second[0] += x * x * dm, second[1] += y * y * dm, second[2] += x * y * dm;
                }
            double x = first[0] / sum, y = first[1] / sum;
            double xx = second[0] - sum * x * x, yy = second[1] - sum * y * y, xy = second[2] - sum * x * y;
            rico_body_look look = rico_bodies_look(bodies, k);
            int64_t at = rico_bodies_position(bodies, k);
            assert_near(look.mass, sum, 1e-12);
            assert_near(q[at], x, 1e-4);
            assert_near(q[at + 1 + space], y, 1e-4);
            if (!space) {
                assert_near(look.inertia[8], xx + yy, 2e-4);
                continue;
            }
            double along = sum * depth * depth / 12.0;
            assert_near(look.inertia[0], along + yy, 2e-4);
            assert_near(look.inertia[4], xx + yy, 2e-4);
            assert_near(look.inertia[8], xx + along, 2e-4);
            assert_near(look.inertia[2], -xy, 2e-4);
        }
        rico_scene_destroy(scene);
    }
}


// A box around a block as it stands.
static void bounds_of(const rico_scene *scene, const char *name, double lower[3], double upper[3])
{
    rico_place place;
    rico_stand stand;
    const rico_bodies *bodies = rico_scene_body_set(scene, &place, NULL);
    int64_t body = rico_bodies_find(bodies, name);
    if (body < 0) fail_msg("there is no body %s", name);
    assert_true(rico_bodies_stand(bodies, body, 0.0, rico_scene_position(scene) + place.q, &stand));
    rico_shape_bounds(rico_bodies_shape(bodies, body), &stand, lower, upper);
}


// Where blocks stand: the point of a pointed arch, piers below its springings, what is fixed; names and masses.
static void test_places(void **state)
{
    (void)state;
    double lower[3], upper[3];
    rico_scene *scene =
        parse("  v: {density: 1, position: [5, 1], copies: {arch: {radius: 1, thickness: 0.2, "
              "count: 10, offset: 0.5, piers: [0.3, 2]}}}",
              false);
    bounds_of(scene, "v-5", lower, upper);
    assert_near(upper[0], 5.0, 1e-15);
    assert_near(upper[1], 1.0 + sqrt(1.1 * 1.1 - 0.25), 1e-14);
    bounds_of(scene, "v-10", lower, upper);
    assert_near(upper[0], 5.0 + 0.6, 1e-14);
    bounds_of(scene, "v-pier-right", lower, upper);
    assert_near(lower[0], 5.0 + 0.4, 1e-15);
    assert_near(upper[0], 5.0 + 0.7, 1e-15);
    assert_near(lower[1], -1.0, 1e-15);
    assert_near(upper[1], 1.0, 1e-15);
    rico_scene_destroy(scene);

    scene =
        parse("  v: {mass: 4, force: [1, 0], copies: {arch: {radius: 1, thickness: 0.2, count: 10, weights: "
              "sector, abutments: yes}}}",
              false);
    const rico_bodies *bodies = rico_scene_body_set(scene, NULL, NULL);
    assert_int_equal(rico_bodies_type(bodies, rico_bodies_find(bodies, "v-left")), RICO_BODY_FIXED);
    assert_near(rico_bodies_mass(bodies, 3), 4.0, 1e-15);
    rico_scene_destroy(scene);

    scene =
        parse("  v: {density: 1, copies: {dome: {radius: 1, thickness: 0.2, courses: 3, count: 8, opening: "
              "10, keystone: yes, abutments: yes}}}",
              true);
    bounds_of(scene, "v-keystone", lower, upper);
    assert_near(upper[2], 1.1 * cos(M_PI / 18.0), 1e-14);
    bounds_of(scene, "v-base-8", lower, upper);
    assert_near(upper[2], 0.0, 1e-15);
    bounds_of(scene, "v-24", lower, upper);
    assert_near(upper[2], 1.1 * cos(M_PI / 18.0), 1e-14);
    rico_scene_destroy(scene);
}


static void test_refusals(void **state)
{
    (void)state;
    static const char *const CASES[][2] = {
        {"arch: {radius: 1, thickness: 2, count: 5}", "s:3:"},
        {"arch: {radius: 1, thickness: 2, count: 5}", "there is no room in it"},
        {"arch: {radius: 1, thickness: 0.1, count: 1, angle: 180}", "are not convex; make more of them"},
        {"arch: {radius: 1, thickness: 0.1, count: 10, offset: 0.5, angle: 90}",
         "springs level; remove 'angle'"},
        {"arch: {radius: 1, thickness: 0.1, count: 10, offset: 0.95}", "must be below the inner radius 0.95"},
        {"arch: {radius: 1, thickness: 0.1, count: 9, offset: 0.5}", "'count' must be even, got 9"},
        {"arch: {radius: 1, thickness: 0.1, count: 8, offset: 0.5, weights: sector}",
         "belongs to round arches"},
        {"arch: {radius: 1, thickness: 0.3, count: 20, offset: 0.5}",
         "cross in its middle; make it thinner than 0.3"},
        {"arch: {radius: 1, thickness: 0.1, count: 8, weights: heavy}", "has no choice 'heavy'"},
        {"arch: {radius: 1, thickness: 0.1, count: 8, piers: [1, 1], abutments: yes}", "not both"},
        {"arch: {radius: 1, thickness: 0.1, count: 8, piers: [1, 1], angle: 90}",
         "springs level; remove 'angle'"},
        {"arch: {radius: 1, thickness: 0.1, count: 8, piers: [1]}", "'piers' needs 2 entries, got 1"},
        {"arch: {radius: 1, thickness: 0.1, count: 8, piers: [1, 0]}", "must be above 0"},
        {"arch: {radius: 1, thickness: 0.1, count: 8, angle: 330, abutments: yes}", "no room for abutments"},
        {"flat-arch: {span: 2, height: 0.4, center: 0, count: 7}", "'center' must be above 0"},
        {"bond: {length: 0, courses: 4, brick: [1, 0.5]}", "'length' must be"},
        {"bond: {length: 100000, courses: 100000, brick: [1, 0.5]}", "blocks are too many, at most 1000000"},
        {"buttress: {courses: 6, height: 3, base: 1}", "'top' is missing"},
        {"dome: {radius: 1, thickness: 0.1, courses: 3, count: 8, opening: 10}", "'dome' stands in space"},
    };
    static const char *const IN_SPACE[][2] = {
        {"dome: {radius: 1, thickness: 0.1, courses: 3, count: 8, opening: 50, angle: 40}",
         "'opening' is 50 degrees, and must be below 'angle', 40"},
        {"cross-vault: {radius: 1, thickness: 0.1, side: 2, count: 5, rows: 5}",
         "'side' is 2, and must exceed twice the outer radius, 2.1"},
        {"vault: {radius: 1, thickness: 0.1, count: 1, length: 2, rows: 5}", "are not convex"},
        {"vault: {radius: 1, thickness: 3, count: 10, length: 2, rows: 5}", "there is no room in it"},
    };
    size_t plane = sizeof CASES / sizeof *CASES, all = plane + sizeof IN_SPACE / sizeof *IN_SPACE;
    for (size_t i = 0; i < all; i++) {
        const char *const *one = i < plane ? CASES[i] : IN_SPACE[i - plane];
        char text[512];
        rico_scene *scene = NULL;
        snprintf(text, sizeof text, "gravity: %s\nbodies:\n  v: {density: 1, copies: {%s}}" TIME,
                 i < plane ? "[0, -1]" : "[0, 0, -1]", one[0]);
        rico_status status =
            rico_scene_parse(ctx, "s", text, (int64_t)strlen(text), 0, NULL, NULL, 0, &scene);
        if (status == RICO_OK) fail_msg("taken: %s", one[0]);
        if (!strstr(rico_message(ctx), one[1])) fail_msg("'%s' instead of '%s'", rico_message(ctx), one[1]);
    }
}


static rico_status load_all(rico_context *own, void *user)
{
    static const char SCENE[] =
        "gravity: [0, 0, -1]\n"
        "bodies:\n"
        "  a: {density: 1, copies: {arch: {radius: 1, thickness: 0.2, count: 4, weights: sector, piers: [1, "
        "1]}}}\n"
        "  b: {density: 1, position: [9, 0, 0], copies: {bond: {length: 1, courses: 2, brick: [1, 1]}}}\n"
        "  d: {density: 1, position: [19, 0, 0], copies: {dome: {radius: 1, thickness: 0.2, courses: 2, "
        "count: "
        "4, opening: 9, keystone: yes, abutments: yes}}}\n" TIME;
    rico_scene *scene = NULL;
    (void)user;
    rico_status status = rico_scene_parse(own, "s", SCENE, (int64_t)strlen(SCENE), 0, NULL, NULL, 0, &scene);
    rico_scene_destroy(scene);
    return status;
}


static void test_memory(void **state)
{
    (void)state;
    assert_true(every_allocation_fails(load_all, NULL) > 100);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_joints), cmocka_unit_test(test_volumes),  cmocka_unit_test(test_sectors),
        cmocka_unit_test(test_places), cmocka_unit_test(test_refusals), cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
