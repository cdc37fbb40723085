// Angles between contacts: detectors of corners, and the verdict of proposition 1, on systems whose angles are known.

#include "ricochet/ricochet.h"
#include "support.h"

static int setup(void **state)
{
    *state = rico_context_create(NULL);
    return *state ? 0 : 1;
}


static int teardown(void **state)
{
    rico_context_destroy(*state);
    return 0;
}


// A point of masses (1, m) in the plane with two straight sides.
static rico_system *sides(rico_context *ctx, double m, const double first[2], const double second[2],
                          double e)
{
    const int64_t column[] = {0, 1, 2}, dof[] = {0, 1};
    const double mass[] = {1.0, m};
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_matrix_part part = {.size = 2, .M = {2, 2, column, dof, mass}};
    assert_ok(ctx, rico_system_add_matrices(system, "point", &part, NULL));
    for (int c = 0; c < 2; c++) {
        rico_contact side = {.dimension = 1,
                             .restitution = e,
                             .reach = {2, dof},
                             .gradient = c ? second : first,
                             .offset = c ? 0.5 : 0.25};
        assert_ok(ctx, rico_system_add_contact(system, c ? "right" : "left", &side, NULL));
    }
    return system;
}


// The wedge of the chapter has c = 2/sqrt(5), which continuity forbids for every e; right angles are fine for all, acute ones for e = 0.
static void wedges(void **state)
{
    rico_context *ctx = *state;
    const double floor[] = {0.0, 1.0}, slope[] = {-1.0, 2.0}, wall[] = {-1.0, 0.0}, back[] = {1.0, -0.5};
    const struct {
        const double *second;
        double cosine;
        bool plastic, elastic; // continuous
    } CASES[] = {{slope, 2.0 / sqrt(5.0), false, false},
                 {wall, 0.0, true, true},
                 {back, -0.5 / sqrt(1.25), true, false}};
    for (int k = 0; k < 3; k++)
        for (int e = 0; e < 3; e++) {
            rico_system *system = sides(ctx, 1.0, floor, CASES[k].second, 0.5 * e);
            const double q[] = {3.0, 7.0};
            rico_angles *angles;
            assert_ok(ctx, rico_angles_find(system, 0.0, q, 0.0, &angles));
            assert_int_equal(angles->count, 1);
            assert_int_equal(angles->angle[0].kind, RICO_CORNER_FOUND);
            assert_near(angles->angle[0].cosine, CASES[k].cosine, 1e-14);
            assert_near(cos(M_PI - angles->angle[0].angle), CASES[k].cosine, 1e-14);
            assert_true(angles->angle[0].continuous == (e ? CASES[k].elastic : CASES[k].plastic));
            assert_true(angles->continuous == angles->angle[0].continuous);
            assert_string_equal(angles->angle[0].name[1], "right");
            // the corner: both gaps vanish there
            assert_near(angles->position[1], -0.25, 1e-12);
            double gap =
                0.5 + CASES[k].second[0] * angles->position[0] + CASES[k].second[1] * angles->position[1];
            assert_near(gap, 0.0, 1e-12);
            rico_angles_destroy(ctx, angles);
            // from the corner itself
            assert_ok(ctx, rico_angles_find(system, 0.0, (const double[]){100.0, -2.0}, 1e3, &angles));
            assert_int_equal(angles->angle[0].kind, RICO_CORNER_TOUCHING);
            rico_angles_destroy(ctx, angles);
            rico_system_destroy(system);
        }
}


// The metric counts: gradients (1, 1) and (1, -1) under masses 1 and m have c = (1 - 1/m)/(1 + 1/m).
static void metric(void **state)
{
    rico_context *ctx = *state;
    const double up[] = {1.0, 1.0}, down[] = {1.0, -1.0}, q[] = {0.0, 0.0}, parallel[] = {-2.0, -2.0};
    for (double m = 0.25; m < 5.0; m *= 2.0) {
        rico_system *system = sides(ctx, m, up, down, 0.0);
        rico_angles *angles;
        assert_ok(ctx, rico_angles_find(system, 0.0, q, 0.0, &angles));
        assert_near(angles->angle[0].cosine, (1.0 - 1.0 / m) / (1.0 + 1.0 / m), 1e-14);
        assert_true(angles->continuous == (m <= 1.0));
        rico_angles_destroy(ctx, angles);
        rico_system_destroy(system);
    }
    // opposite walls are never closed at once
    rico_system *system = sides(ctx, 1.0, up, parallel, 1.0);
    rico_angles *angles;
    assert_ok(ctx, rico_angles_find(system, 0.0, q, 0.0, &angles));
    assert_true(angles->count == 0 && angles->apart == 1 && angles->continuous);
    rico_angles_destroy(ctx, angles);
    assert_int_equal(rico_angles_find(system, 0.0, q, -1.0, &angles), RICO_BAD_ARGUMENT);
    rico_system_destroy(system);
}


static rico_scene *parse(rico_context *ctx, const char *text)
{
    rico_scene *scene;
    char excerpt[256];
    assert_ok(ctx, rico_scene_parse(ctx, "here", text, (int64_t)strlen(text), 0, NULL, excerpt,
                                    sizeof excerpt, &scene));
    return scene;
}


// Three balls in a row: c = -1/sqrt((1 + m2/m1)(1 + m2/m3)) wherever they are. Continuous for e = 0 alone.
static void balls(void **state)
{
    rico_context *ctx = *state;
    rico_scene *scene = parse(ctx, "parts: {balls: {coordinates: [a, b, c], mass: [1, 2, 3]}}\n"
                                   "contacts: {left: {gap: b - a - 1}, right: {gap: c - b - 1}}\n"
                                   "initial: {position: {a: 0, b: 3, c: 9}}\n"
                                   "time: {end: 1, step: 0.1}\n");
    rico_angles *angles;
    assert_ok(ctx, rico_angles_find(rico_scene_system(scene), 0.0, rico_scene_position(scene), 0.0, &angles));
    assert_int_equal(angles->count, 1);
    assert_near(angles->angle[0].cosine, -1.0 / sqrt((1.0 + 2.0) * (1.0 + 2.0 / 3.0)), 1e-14);
    assert_true(angles->continuous);
    rico_angles_destroy(ctx, angles);
    rico_scene_destroy(scene);
}


// Curved sides: circles of radius 5 about (0, 0) and (6, 0), K outside both, meet at (3, 4) and (3, -4), with normals (3, 4)/5 and (-3, 4)/5. A third
// side that cuts the corner off leaves it outside; a joint y = 4 leaves x alone, against whose motion both normals stand: c = -1.
static void curved(void **state)
{
    rico_context *ctx = *state;
    static const char CIRCLES[] = "parts: {point: {coordinates: [x, y], mass: [1, 1]}}\n"
                                  "contacts:\n"
                                  "  one: {gap: 'hypot(x, y) - 5', restitution: 0.5}\n"
                                  "  two: {gap: 'hypot(x - 6, y) - 5', restitution: 0.5}\n";
    static const char *const ENDS[] = {"", "  cut: {gap: y - 5}\n", "joints: {rail: {equations: [y - 4]}}\n"};
    for (int k = 0; k < 3; k++) {
        char text[900];
        snprintf(text, sizeof text, "%s%sinitial: {position: {%s}}\ntime: {end: 1, step: 0.1}\n", CIRCLES,
                 ENDS[k], k == 2 ? "x: 3, y: 4" : "x: 3.5, y: 6");
        rico_scene *scene = parse(ctx, text);
        rico_angles *angles;
        assert_ok(ctx,
                  rico_angles_find(rico_scene_system(scene), 0.0, rico_scene_position(scene), 0.0, &angles));
        assert_near(angles->angle[0].cosine, k == 2 ? -1.0 : (-9.0 + 16.0) / 25.0, 1e-12);
        assert_int_equal(angles->angle[0].kind, k == 2   ? RICO_CORNER_TOUCHING
                                                : k == 1 ? RICO_CORNER_OUTSIDE
                                                         : RICO_CORNER_FOUND);
        assert_near(angles->position[0], 3.0, 1e-9);
        assert_near(angles->position[1], 4.0, 1e-9);
        assert_false(angles->continuous);
        rico_angles_destroy(ctx, angles);
        rico_scene_destroy(scene);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wedges),
        cmocka_unit_test(metric),
        cmocka_unit_test(balls),
        cmocka_unit_test(curved),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
