// Structures taken from scenes of bodies: a wall in bond, large enough for the sparse solver, against what a rigid wall does.

#include "ricochet/limit.h"
#include "ricochet/scene.h"
#include "support.h"

// 6 courses of bricks 0.2 x 0.1 x 0.06: 0.36 high, 0.1 thick.
static const char WALL[] = "parameters: {lean: 0, mu: 0.6}\n"
                           "gravity: [0, lean, -1]\n"
                           "materials: {stone: {friction: mu}}\n"
                           "bodies:\n"
                           "  ground: {shape: plane, fixed: yes, material: stone}\n"
                           "  brick: {shape: {box: {size: [0.2, 0.1, 0.06]}}, density: 1000, copies: {wall: "
                           "{length: 6, courses: 6}}, material: stone}\n"
                           "time: {end: 1, step: 0.01}\n";


static rico_limit *wall(rico_context *ctx, const char *override, rico_limit_view view, rico_scene **scene)
{
    const char *set[] = {override};
    rico_limit *limit;
    assert_ok(ctx, rico_scene_parse(ctx, "wall.yaml", WALL, (int64_t)strlen(WALL), override != NULL, set,
                                    NULL, 0, scene));
    assert_ok(ctx, rico_limit_create_at(rico_scene_system(*scene), 0.0, rico_scene_position(*scene), 0.0,
                                        &view, &limit));
    double *live = calloc((size_t)rico_limit_dofs(limit), sizeof *live);
    for (int64_t i = 1; i < rico_limit_dofs(limit); i += 6) live[i] = -rico_limit_dead(limit)[i + 1];
    assert_ok(ctx, rico_limit_set_live(limit, live));
    free(live);
    return limit;
}


// Thickness over height, as a rigid wall that turns over its edge; or mu.
static void test_wall_pushed_over(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (int slides = 0; slides < 2; slides++) {
        rico_scene *scene;
        rico_limit *limit = wall(ctx, slides ? "mu=0.2" : NULL, (rico_limit_view){0}, &scene);
        rico_limit_answer a;
        rico_limit_mechanism m;
        double expected = slides ? 0.2 : 0.1 / 0.36;
        assert_int_equal(rico_limit_body_count(limit), 36);
        assert_int_equal(rico_limit_floating(limit), -1);
        assert_true(rico_limit_rows(limit) > 900);
        assert_ok(ctx, rico_limit_load(limit, 1, &a));
        assert_int_equal(a.finding, RICO_LIMIT_FOUND);
        assert_near(a.value, expected, slides ? 1e-7 : 1e-9);
        assert_near(a.bound, expected, slides ? 1e-7 : 1e-9);
        assert_ok(ctx, rico_limit_describe(limit, a.velocity, NULL, NULL, &m));
        assert_string_equal(m.name, slides ? "sliding" : "hinging");
        if (!slides) { // where every contact slides, the turns end before they settle
            assert_ok(ctx, rico_limit_approach(limit, NULL, 40, NULL, &a));
            assert_int_equal(a.finding, RICO_LIMIT_FOUND);
            assert_near(a.value, expected, 1e-6);
        }
        rico_limit_destroy(limit);
        rico_scene_destroy(scene);
    }
    rico_context_destroy(ctx);
}


// Pyramids inside and around the cones bound the load from both sides.
static void test_pyramids_bracket(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    double load[3];
    for (int k = 0; k < 3; k++) {
        rico_scene *scene;
        rico_limit *limit =
            wall(ctx, "mu=0.25", (rico_limit_view){.facets = k == 1 ? 0 : 8, .outer = k == 2}, &scene);
        rico_limit_answer a;
        double *live = calloc((size_t)rico_limit_dofs(limit), sizeof *live);
        for (int64_t i = 0; i < rico_limit_dofs(limit); i += 6) {
            double weight = -rico_limit_dead(limit)[i + 2];
            live[i] = weight * cos(0.3), live[i + 1] = weight * sin(0.3);
        }
        assert_ok(ctx, rico_limit_set_live(limit, live));
        assert_ok(ctx, rico_limit_load(limit, 1, &a));
        assert_int_equal(a.finding, RICO_LIMIT_FOUND);
        load[k] = a.value;
        free(live);
        rico_limit_destroy(limit);
        rico_scene_destroy(scene);
    }
    assert_true(load[0] < load[1] - 1e-5 && load[1] < load[2] - 1e-5);
    rico_context_destroy(ctx);
}


// The ground bears the whole weight, whatever the forces; a wall that leans too far has a motion that proves it.
static void test_ground_and_lean(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_scene *scene;
    rico_limit *limit = wall(ctx, NULL, (rico_limit_view){0}, &scene);
    double *weight = calloc((size_t)rico_limit_rows(limit), sizeof *weight),
           total = 36.0 * 0.2 * 0.1 * 0.06 * 1000.0;
    rico_limit_answer a;
    rico_limit_mechanism m;
    for (int64_t k = 0; k < rico_limit_block_count(limit); k++)
        if (strncmp(rico_limit_block_name(limit, k), "ground/", 7) == 0)
            weight[rico_limit_block_row(limit, k)] = 1.0;
    for (int sign = -1; sign <= 1; sign += 2) {
        assert_ok(ctx, rico_limit_extreme(limit, 0.0, weight, sign, &a));
        assert_int_equal(a.finding, RICO_LIMIT_FOUND);
        assert_near(a.value, total, 1e-7 * total);
    }
    free(weight);
    rico_limit_destroy(limit);
    rico_scene_destroy(scene);

    limit = wall(ctx, "lean=0.3", (rico_limit_view){0}, &scene);
    assert_ok(ctx, rico_limit_equilibrium(limit, 0.0, &a));
    assert_int_equal(a.finding, RICO_LIMIT_NONE);
    assert_ok(ctx, rico_limit_describe(limit, a.velocity, NULL, NULL, &m));
    assert_true(m.dead > 0.0);
    assert_at_most(m.entering, 1e-8);
    rico_limit_destroy(limit);
    rico_scene_destroy(scene);
    rico_context_destroy(ctx);
}


static void test_refused(void **state)
{
    (void)state;
    static const char RUBS[] =
        "bodies: {arm: {mass: 1, inertia: 1, position: [1, 0], shape: {rectangle: {size: [2, 0.1]}}}}\n"
        "joints: {pin: {kind: revolute, between: [world, arm], at: [0, 0], friction: {friction: 0.3, radius: "
        "0.1}}}\n"
        "gravity: [0, -1]\n"
        "time: {end: 1, step: 0.01}\n";
    rico_context *ctx = rico_context_create(NULL);
    rico_scene *scene;
    rico_limit *limit = NULL;
    assert_ok(ctx, rico_scene_parse(ctx, "arm.yaml", RUBS, (int64_t)strlen(RUBS), 0, NULL, NULL, 0, &scene));
    assert_int_equal(
        rico_limit_create_at(rico_scene_system(scene), 0.0, rico_scene_position(scene), 0.0, NULL, &limit),
        RICO_UNSUPPORTED);
    assert_non_null(strstr(rico_message(ctx), "friction of a joint"));
    assert_int_equal(
        rico_limit_create_at(rico_scene_system(scene), 0.0, rico_scene_position(scene), -1.0, NULL, &limit),
        RICO_BAD_ARGUMENT);
    rico_scene_destroy(scene);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wall_pushed_over),
        cmocka_unit_test(test_pyramids_bracket),
        cmocka_unit_test(test_ground_and_lean),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
