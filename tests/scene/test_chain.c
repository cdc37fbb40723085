// Chains of balls in scenes: masses, contacts, names, initial values by index, and what is refused.

#include "ricochet/impact.h"
#include "scene/scene.h"
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


static rico_status parse(rico_context *ctx, const char *text, rico_scene **scene)
{
    return rico_scene_parse(ctx, "s", text, (int64_t)strlen(text), 0, NULL, NULL, 0, scene);
}


static void test_chain(void **state)
{
    rico_context *ctx = *state;
    rico_scene *scene = NULL;
    assert_ok(ctx, parse(ctx,
                         "parameters: {n: 4}\n"
                         "parts:\n"
                         "  a: {kind: chain, balls: 2, mass: [3, 4]}\n"
                         "  b: {kind: chain, balls: n, wall: true, mass: 1 + i, restitution: i/n,\n"
                         "      stiffness: [1, 2, 3, 4], exponent: 1}\n"
                         "initial:\n"
                         "  position: {a: -2}\n"
                         "  velocity: {b: i == 0, a: [5, 6]}\n",
                         &scene));
    rico_system *system = rico_scene_system(scene);
    char name[RICO_SCENE_NAME];
    double kinetic, potential, v[6] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
    assert_int_equal(rico_system_positions(system), 6);
    assert_int_equal(rico_system_constraints(system), 5); // 1 and 3 between balls, and the wall
    rico_scene_position_name(scene, 5, name);
    assert_string_equal(name, "b[3]");
    assert_string_equal(rico_system_constraint(system, 0).name, "a[0-1]");
    assert_string_equal(rico_system_constraint(system, 3).name, "b[2-3]");
    assert_string_equal(rico_system_constraint(system, 4).name, "b[3-wall]");
    assert_near(rico_system_constraint(system, 0).restitution, 1.0, 0.0);
    assert_near(rico_system_constraint(system, 0).exponent, 1.5, 0.0);
    assert_near(rico_system_constraint(system, 3).restitution, 0.5, 0.0);
    assert_near(rico_system_constraint(system, 3).stiffness, 3.0, 0.0);
    assert_near(rico_system_constraint(system, 3).exponent, 1.0, 0.0);
    const double q_expected[] = {-2.0, -2.0, 0.0, 0.0, 0.0, 0.0},
                 v_expected[] = {5.0, 6.0, 1.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < 6; i++) {
        assert_near(rico_scene_position(scene)[i], q_expected[i], 0.0);
        assert_near(rico_scene_velocity(scene)[i], v_expected[i], 0.0);
    }
    rico_impact *impact = NULL;
    assert_ok(ctx, rico_impact_create_at(system, 0.0, rico_scene_position(scene), 0.0, &impact));
    assert_ok(ctx, rico_system_energies(system, rico_scene_position(scene), v, &kinetic, &potential));
    assert_near(kinetic, 0.5 * (3 + 4 + 1 + 2 + 3 + 4), 1e-15);
    double gamma[5];
    rico_impact_gap_velocity(impact, rico_scene_velocity(scene), gamma);
    const double expected[] = {1.0, -1.0, 0.0, 0.0, 0.0};
    for (int j = 0; j < 5; j++) assert_near(gamma[j], expected[j], 0.0);
    const double toward[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 2.0}; // the wall is ahead of the last ball
    rico_impact_gap_velocity(impact, toward, gamma);
    assert_near(gamma[4], -2.0, 0.0);
    rico_impact_destroy(impact);
    rico_scene_destroy(scene);
}


static void test_refused(void **state)
{
    rico_context *ctx = *state;
    static const struct {
        const char *text, *place, *part;
    } cases[] = {
        {"parts: {b: {kind: chain, balls: 0}}\n", "s:1:33:", "'balls'"},
        {"parts: {b: {kind: chain, balls: 3, mass: [1, 2]}}\n", "s:1:42:", "'mass' has 2 values, expected 3"},
        {"parts: {b: {kind: chain, balls: 3, mass: 1 - i}}\n",
         "s:1:42:", "ball 1 has the mass 0, expected > 0"},
        {"parts: {b: {kind: chain, balls: 3, mass: 1/i}}\n", "s:1:42:", "'mass' is inf for i = 0"},
        {"parts: {b: {kind: chain, balls: 3, restitution: 1 + i}}\n",
         "s:1:49:", "'restitution' is 2 at contact 1, expected at least 0 and at most 1"},
        {"parts: {b: {kind: chain, balls: 3, exponent: 0}}\n",
         "s:1:46:", "'exponent' is 0 at contact 0, expected more than 0"},
        {"parts: {b: {kind: chain, balls: 3, stiffness: 1 + j}}\n", "s:1:51:", "unknown name 'j'"},
        {"parts: {b: {kind: chain, balls: 3, wall: perhaps}}\n", "s:1:42:", "needs true or false"},
        {"parts: {b: {kind: chain, balls: 3, masses: 1}}\n", "s:1:36:", "did you mean 'mass'"},
        {"parts: {b: {kind: chain, balls: 2}}\nimpact: lbz\n", "s:2:9:", "did you mean 'lzb'? ('rico laws'"},
        {"parts: {b: {kind: chain, balls: 2}}\nimpact: {name: lzb, setp: 1}\n",
         "s:2:21:", "did you mean 'step'"},
        {"parts: {b: {kind: chain, balls: 2}}\nimpact: {name: lzb, step: -1}\n", "s:2:27:", "step"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rico_scene *scene = NULL;
        rico_status status = parse(ctx, cases[k].text, &scene);
        assert_null(scene);
        if (status != RICO_BAD_INPUT ||
            strncmp(rico_message(ctx), cases[k].place, strlen(cases[k].place)) != 0 ||
            !strstr(rico_message(ctx), cases[k].part))
            fail_msg("%s: %s", cases[k].text, rico_message(ctx));
    }
}


// A scene of one impact needs no time, but cannot be simulated; the law of its 'impact' reaches the simulation.
static void test_time(void **state)
{
    rico_context *ctx = *state;
    rico_scene *scene = NULL;
    rico_simulation *sim = NULL;
    assert_ok(ctx, parse(ctx, "parts: {b: {kind: chain, balls: 2}}\n", &scene));
    assert_false(rico_scene_has_time(scene));
    assert_int_equal(rico_scene_simulate(scene, &sim), RICO_BAD_INPUT);
    assert_non_null(strstr(rico_message(ctx), "the scene has no 'time'"));
    rico_scene_destroy(scene);

    assert_ok(ctx, parse(ctx,
                         "parts: {b: {kind: chain, balls: 3}}\n"
                         "initial: {velocity: {b: [1, 0, 0]}}\n"
                         "time: {end: 1, step: 0.1}\n"
                         "impact: {name: lzb, relative-step: 1/10000}\n",
                         &scene));
    assert_ok(ctx, rico_scene_simulate(scene, &sim));
    assert_ok(ctx, rico_simulation_step(sim, 0.1));
    assert_near(rico_simulation_velocity(sim)[2], 0.9945494, 1e-4);
    rico_simulation_destroy(sim);
    rico_scene_destroy(scene);

    const char *other = "impact=binary"; // elastic, equal masses: everything to the last ball
    const char *text = "parts: {b: {kind: chain, balls: 3}}\ninitial: {velocity: {b: [1, 0, 0]}}\n"
                       "time: {end: 1, step: 0.1}\nimpact: lzb\n";
    assert_ok(ctx, rico_scene_parse(ctx, "s", text, (int64_t)strlen(text), 1, &other, NULL, 0, &scene));
    assert_ok(ctx, rico_scene_simulate(scene, &sim));
    assert_ok(ctx, rico_simulation_step(sim, 0.1));
    assert_near(rico_simulation_velocity(sim)[2], 1.0, 1e-14);
    rico_simulation_destroy(sim);
    rico_scene_destroy(scene);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_time),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
