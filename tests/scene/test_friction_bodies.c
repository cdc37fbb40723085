// Laws of friction between bodies, against motions known in closed form; and what is refused.

#include "ricochet/simulation.h"
#include "scene/scene.h"
#include "support.h"

static const char *const SCHEMES[] = {"moreau-jean-projected", "moreau-jean", "midpoint-projection",
                                      "midpoint-joints", "newmark"};
enum { SCHEME_COUNT = sizeof SCHEMES / sizeof *SCHEMES };


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


typedef struct motion {
    double q[14], v[14], residual, tangential;
} motion;


static motion run(rico_context *ctx, const char *text, const char *scheme, int steps)
{
    char word[64];
    const char *override = word;
    rico_scene *scene = NULL;
    rico_simulation *sim = NULL;
    motion out = {0};
    snprintf(word, sizeof word, "scheme=%s", scheme);
    if (rico_scene_parse(ctx, "s", text, (int64_t)strlen(text), 1, &override, NULL, 0, &scene) != RICO_OK ||
        rico_scene_simulate(scene, &sim) != RICO_OK)
        fail_msg("%s: %s", scheme, rico_message(ctx));
    for (int k = 0; k < steps; k++)
        if (rico_simulation_step(sim, 1e-3) != RICO_OK) fail_msg("%s: %s", scheme, rico_message(ctx));
    int64_t nq = rico_system_positions(rico_scene_system(scene)),
            nv = rico_system_velocities(rico_scene_system(scene));
    memcpy(out.q, rico_simulation_position(sim), (size_t)(nq < 14 ? nq : 14) * sizeof(double));
    memcpy(out.v, rico_simulation_velocity(sim), (size_t)(nv < 14 ? nv : 14) * sizeof(double));
    out.residual = rico_simulation_ledger_total(sim)->residual;
    out.tangential = rico_simulation_ledger_total(sim)->tangential;
    rico_simulation_destroy(sim);
    rico_scene_destroy(scene);
    return out;
}


// Rolling without slip, m a = f, (2/5) m R^2 (a/R) = -f R - rolling m g: a = -rolling g / (1.4 R). Spinning on the spot: (2/5) R^2 dw/dt =
// -spinning g. Both stop, and rest. On a plane that turns with the ball, spinning friction has nothing to do.
static void test_ball_rolls_and_spins(void **state)
{
    static const char *const BALL =
        "gravity: [0, 0, -10]\n"
        "materials: {rubber: {friction: {friction: 0.5, rolling: 0.01, spinning: 0.004}}}\n"
        "bodies:\n"
        "  ground: {shape: plane, %s, material: rubber}\n"
        "  ball: {shape: {sphere: 0.1}, density: 1000, material: rubber, position: [0, 0, 0.1], %s}\n"
        "time: {end: 2, step: 1e-3}\n";
    static const char *const ROLLING = "velocity: [1, 0, 0], spin: [0, 10, 3]", *const TURNING =
                                                                                    "spin: [0, 0, 3]";
    char text[1024];
    for (int s = 0; s < SCHEME_COUNT; s++) {
        snprintf(text, sizeof text, BALL, "fixed: yes", ROLLING);
        motion m = run(*state, text, SCHEMES[s], 200);
        double v = 1.0 - 0.2 * 0.01 * 10.0 / 0.14, w = 3.0 - 0.2 * 0.004 * 10.0 / 0.004;
        if (!(fabs(m.v[0] - v) <= 1e-3)) fail_msg("%s: v = %.6g, not %.6g", SCHEMES[s], m.v[0], v);
        double turn = sqrt(m.v[3] * m.v[3] + m.v[4] * m.v[4] + m.v[5] * m.v[5]);
        if (!(fabs(turn - hypot(v / 0.1, w)) <= 3e-2))
            fail_msg("%s: w = %.6g, not %.6g", SCHEMES[s], turn, w);
        assert_true(fabs(m.residual) <= 1e-10);
        m = run(*state, text, SCHEMES[s], 1600); // v = 0 after 1.4 s
        for (int i = 0; i < 6; i++) assert_true(fabs(m.v[i]) <= 1e-9);
        snprintf(text, sizeof text, BALL, "motion: {turn: {angle: 360*3*t/(2*pi), axis: [0, 0, 1]}}",
                 TURNING);
        m = run(*state, text, SCHEMES[s], 100);
        assert_near(sqrt(m.v[3] * m.v[3] + m.v[4] * m.v[4] + m.v[5] * m.v[5]), 3.0, 1e-6);
    }
}


// The same in the plane: a disc, I = m R^2 / 2, a = -rolling g / (1.5 R).
static void test_disc_rolls(void **state)
{
    static const char *const DISC =
        "gravity: [0, -10]\n"
        "materials: {rubber: {friction: {friction: 0.5, rolling: 0.02}}}\n"
        "bodies:\n"
        "  ground: {shape: line, fixed: yes, material: rubber}\n"
        "  disc: {shape: {disc: 0.1}, density: 1000, material: rubber, position: [0, "
        "0.1], velocity: [1, 0], spin: -10}\n"
        "time: {end: 2, step: 1e-3}\n";
    for (int s = 0; s < SCHEME_COUNT; s++) {
        motion m = run(*state, DISC, SCHEMES[s], 200);
        double v = 1.0 - 0.2 * 0.02 * 10.0 / 0.15;
        if (!(fabs(m.v[0] - v) <= 2e-3)) fail_msg("%s: v = %.6g, not %.6g", SCHEMES[s], m.v[0], v);
        assert_near(m.v[2], -m.v[0] / 0.1, 1e-6);
        assert_true(fabs(m.residual) <= 1e-10);
    }
}


// A wheel by formulas: the same law, with its angles under 'turning'.
static void test_wheel_by_formulas(void **state)
{
    static const char *const WHEEL =
        "parts: {w: {coordinates: [x, y, a], mass: [2, 2, 0.01], force: [0, -20, 0]}}\n"
        "contacts: {floor: {gap: y - 0.1, tangent: x + 0.1*a, turning: a, friction: {friction: 0.5, rolling: "
        "0.02}}}\n"
        "initial: {position: {y: 0.1}, velocity: {x: 1, a: -10}}\n"
        "time: {end: 2, step: 1e-3}\n";
    for (int s = 0; s < SCHEME_COUNT; s++) {
        motion m = run(*state, WHEEL, SCHEMES[s], 200);
        double v = 1.0 - 0.2 * 0.02 * 10.0 / 0.15;
        if (!(fabs(m.v[0] - v) <= 2e-3)) fail_msg("%s: v = %.6g, not %.6g", SCHEMES[s], m.v[0], v);
        assert_near(m.v[2], -m.v[0] / 0.1, 1e-6);
    }
}


// Slides of a flat box, whose moments do not turn it: along the grain, across it, and half way, where it turns aside. The grain points to y.
static void test_grain(void **state)
{
    static const char *const BOX =
        "gravity: [0, 0, -10]\n"
        "materials: {wood: {friction: {along: [0.1, 0.3], direction: [0, 1, 0.2]}}}\n"
        "bodies:\n"
        "  ground: {shape: plane, fixed: yes, material: wood}\n"
        "  box: {shape: {box: {size: [1, 1, 0.001]}}, density: 1000, material: wood, position: [0, 0, "
        "0.0005], "
        "velocity: [%g, %g, 0]}\n"
        "time: {end: 2, step: 1e-3}\n";
    static const double start[][2] = {{0.0, 1.0}, {1.0, 0.0}, {0.6, 0.8}};
    for (int s = 0; s < SCHEME_COUNT; s++)
        for (int k = 0; k < 3; k++) {
            char text[1024];
            double v[2] = {start[k][0], start[k][1]};
            snprintf(text, sizeof text, BOX, v[0], v[1]);
            motion m = run(*state, text, SCHEMES[s], 100);
            for (int i = 0; i < 10000;
                 i++) { // dv/dt = -10 F^2 v / |F v|, F = diag(0.3, 0.1), by Heun's method
                double a[2][2], w[2] = {v[0], v[1]};
                for (int stage = 0; stage < 2; stage++) {
                    double length = hypot(0.3 * w[0], 0.1 * w[1]);
                    a[stage][0] = -10.0 * 0.09 * w[0] / length;
                    a[stage][1] = -10.0 * 0.01 * w[1] / length;
                    for (int j = 0; j < 2; j++) w[j] = v[j] + 1e-5 * a[stage][j];
                }
                for (int j = 0; j < 2; j++) v[j] += 0.5e-5 * (a[0][j] + a[1][j]);
            }
            if (!(fabs(m.v[0] - v[0]) <= 3e-3 && fabs(m.v[1] - v[1]) <= 3e-3))
                fail_msg("%s: v = (%.6g, %.6g), not (%.6g, %.6g)", SCHEMES[s], m.v[0], m.v[1], v[0], v[1]);
            assert_true(fabs(m.residual) <= 1e-10 && m.tangential < 0.0);
        }
}


// A cube of weight 10 hangs below a ceiling by four corners: held by bonds of 2.6 each, not by 2.4; and by the ledger.
static void test_bonds_of_bodies(void **state)
{
    static const char *const CUBE =
        "gravity: [0, 0, -10]\n"
        "materials: {glue: {friction: {friction: 0.5, cohesion: %g, bond: true}}}\n"
        "bodies:\n"
        "  ceiling: {shape: {box: {size: [3, 3, 1]}}, fixed: yes, material: glue, position: [0, 0, 1]}\n"
        "  cube: {shape: {box: {size: [1, 1, 1]}}, mass: 1, material: glue}\n"
        "time: {end: 2, step: 1e-3}\n";
    for (int s = 0; s < SCHEME_COUNT; s++)
        for (int strong = 0; strong < 2; strong++) {
            char text[1024];
            snprintf(text, sizeof text, CUBE, strong ? 2.6 : 2.4);
            motion m = run(*state, text, SCHEMES[s], 200);
            double z = strong ? 0.0 : -0.2;
            if (!(fabs(m.q[2] - z) <= 5e-3)) fail_msg("%s: z = %.6g, not %.6g", SCHEMES[s], m.q[2], z);
            assert_true(fabs(m.residual) <= 1e-10);
        }
}


static void test_refusals(void **state)
{
#define PARTS "parts: {w: {coordinates: [x, y, a], mass: [2, 2, 0.01]}}\n"
#define LISTED(friction)                                                                                     \
    PARTS "contacts: {floor: {gap: y, tangent: x, friction: " friction "}}\ntime: {end: 1, step: 1e-3}\n"
    static const struct {
        const char *text, *scheme, *words;
    } wrong[] = {
        {LISTED("{friction: 0.2, kinetic: 0.3}"), "moreau-jean",
         "'kinetic' = 0.3 is more than 'friction' = 0.2"},
        {LISTED("{kinetic: 0.3}"), "moreau-jean", "'kinetic' goes with 'friction'"},
        {LISTED("{friction: 0.2, tresca: 3}"), "moreau-jean", "'tresca'"},
        {LISTED("{along: [0.2, 0.3]}"), "moreau-jean",
         "has one tangent, and friction floor has two directions"},
        {LISTED("{friction: -0.2}"), "moreau-jean", "'friction' must be at least 0, got -0.2"},
        {LISTED("{friction: 0.2, rolling: 0.1}"), "moreau-jean", "need 1 angle under 'turning', got 0"},
        {LISTED("{friction: 0.2, bond: true}"), "moreau-jean", "a bond needs a cohesion above 0"},
        {LISTED("{friction: 0.2, slip: [1, 2]}"), "moreau-jean", "'slip' goes with 'along'"},
        {LISTED("{formula: 0.2 - slipp}"), "moreau-jean", "slipp"},
        {LISTED("{friction: 0.2, cohesion: 1}"), "event-driven",
         "event-driven has Coulomb's friction with one"},
        {LISTED("{friction: 0.2, kinetic: 0.1}"), "generalized-alpha-constrained",
         "choose midpoint-projection"},
        {PARTS "contacts: {floor: {gap: y, friction: {tresca: 2}}}\ntime: {end: 1, step: 1e-3}\n",
         "moreau-jean", "needs dimension 2 or 3"},
        {PARTS
         "contacts: {floor: {gap: y, tangent: x, turning: a, friction: 0.2}}\ntime: {end: 1, step: 1e-3}\n",
         "moreau-jean", "'turning' is for friction with 'rolling' or 'spinning'"},
        {"materials: {m: {friction: {along: [0.1, 0.2]}}}\nbodies: {g: {shape: plane, fixed: yes, material: "
         "m}, b: {shape: "
         "{sphere: 1}, mass: 1, material: m}}\ntime: {end: 1, step: 1e-3}\n",
         "moreau-jean", "'along' needs a 'direction'"},
        {"materials: {m: {friction: {friction: 0.1, rolling: 0.2}}, n: {friction: 0.3}}\nbodies: {g: {shape: "
         "plane, fixed: "
         "yes, material: m}, b: {shape: {sphere: 1}, mass: 1, material: n}}\ntime: {end: 1, step: 1e-3}\n",
         "moreau-jean", "laws of friction have no mean"},
        {"materials: {m: {friction: {along: [0.1, 0.2], direction: [1, 0, 0], rolling: 0.1}}}\nbodies: {g: "
         "{shape: plane, "
         "fixed: yes, material: m}, b: {shape: {sphere: 1}, mass: 1, material: m}}\ntime: {end: 1, step: "
         "1e-3}\n",
         "moreau-jean", "they contradict each other"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        char word[64];
        const char *override = word;
        rico_scene *scene = NULL;
        rico_simulation *sim = NULL;
        snprintf(word, sizeof word, "scheme=%s", wrong[k].scheme);
        rico_status status = rico_scene_parse(*state, "s", wrong[k].text, (int64_t)strlen(wrong[k].text), 1,
                                              &override, NULL, 0, &scene);
        if (status == RICO_OK) status = rico_scene_simulate(scene, &sim);
        if (status == RICO_OK) fail_msg("%s is taken", wrong[k].text);
        if (!strstr(rico_message(*state), wrong[k].words))
            fail_msg("\"%s\" instead of \"%s\"", rico_message(*state), wrong[k].words);
        rico_simulation_destroy(sim);
        rico_scene_destroy(scene);
    }
}


// The direction of the grain is along the normal of the wall that the ball stands against: found when they meet.
static void test_grain_across(void **state)
{
    static const char *const TEXT =
        "gravity: [0, 0, -10]\nmaterials: {m: {friction: {along: [0.1, 0.2], direction: [0, 0, 1]}}}\n"
        "bodies: {g: {shape: plane, fixed: yes, material: m}, b: {shape: {sphere: 0.1}, mass: 1, position: "
        "[0, 0, 0.1], "
        "material: m}}\ntime: {end: 1, step: 1e-3}\n";
    rico_scene *scene = NULL;
    rico_simulation *sim = NULL;
    rico_status status = rico_scene_parse(*state, "s", TEXT, (int64_t)strlen(TEXT), 0, NULL, NULL, 0, &scene);
    if (status == RICO_OK) status = rico_scene_simulate(scene, &sim);
    if (status == RICO_OK) status = rico_simulation_step(sim, 1e-3);
    assert_true(status != RICO_OK);
    assert_non_null(strstr(rico_message(*state), "stands across the surface, whose normal is (0, 0, 1)"));
    rico_simulation_destroy(sim);
    rico_scene_destroy(scene);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_ball_rolls_and_spins, setup, teardown),
        cmocka_unit_test_setup_teardown(test_disc_rolls, setup, teardown),
        cmocka_unit_test_setup_teardown(test_wheel_by_formulas, setup, teardown),
        cmocka_unit_test_setup_teardown(test_grain, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bonds_of_bodies, setup, teardown),
        cmocka_unit_test_setup_teardown(test_refusals, setup, teardown),
        cmocka_unit_test_setup_teardown(test_grain_across, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
