// Laws of friction in scenes, under every scheme that takes them, against motions that are known without any of this code.

#include "moving_schemes.h"
#include "ricochet/simulation.h"
#include "scene/scene.h"
#include "support.h"

static const char *const SCHEMES[] = {"moreau-jean",
                                      "moreau-jean-variant",
                                      "moreau-jean-fremond",
                                      "newmark",
                                      "hht",
                                      "generalized-alpha",
                                      "schatzman-paoli",
                                      "kh-generalized-alpha",
                                      "direct-projection",
                                      "combined-projection",
                                      "midpoint-projection",
                                      "moreau-jean-projected",
                                      "midpoint-joints",
                                      "trapezoidal-position",
                                      "contact-stabilized"};
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


// A block of mass 2 on the plane z = 0 under gravity 10, or on whatever `more` says.
static rico_scene *block(rico_context *ctx, const char *friction, const char *scheme, const char *more)
{
    char text[1024];
    rico_scene *scene = NULL;
    snprintf(text, sizeof text,
             "parts: {b: {coordinates: [x, y, z], mass: [2, 2, 2], force: [px, py, -20 + pz]}}\n"
             "parameters: {px: 0, py: 0, pz: 0}\n"
             "contacts: {floor: {gap: z, tangent: [x, y], friction: %s}}\n"
             "scheme: %s\ntime: {end: 1, step: 1e-3}\n%s",
             friction, scheme, more);
    rico_status status = rico_scene_parse(ctx, "s", text, (int64_t)strlen(text), 0, NULL, NULL, 0, &scene);
    if (status != RICO_OK) fail_msg("%s: %s", scheme, rico_message(ctx));
    return scene;
}


typedef struct motion {
    double q[3], v[3], tangential, normal, residual, energy;
} motion;


static motion run(rico_context *ctx, const char *friction, const char *scheme, const char *more, int steps)
{
    rico_scene *scene = block(ctx, friction, scheme, more);
    rico_simulation *sim = NULL;
    motion out;
    if (rico_scene_simulate(scene, &sim) != RICO_OK) fail_msg("%s: %s", scheme, rico_message(ctx));
    for (int k = 0; k < steps; k++)
        if (rico_simulation_step(sim, 1e-3) != RICO_OK)
            fail_msg("%s, %s, step %d: %s", scheme, friction, k, rico_message(ctx));
    memcpy(out.q, rico_simulation_position(sim), sizeof out.q);
    memcpy(out.v, rico_simulation_velocity(sim), sizeof out.v);
    const rico_ledger *total = rico_simulation_ledger_total(sim);
    out.tangential = total->tangential;
    out.normal = total->normal;
    out.residual = total->residual;
    out.energy = total->kinetic;
    rico_simulation_destroy(sim);
    rico_scene_destroy(scene);
    return out;
}


// Sliding straight on, deceleration d: v = 1 - d t, and all energy that is lost went into friction.
static void test_constant_deceleration(void **state)
{
    static const struct {
        const char *friction;
        double deceleration;
    } laws[] = {
        {"0.3", 3.0},
        {"{tresca: 3}", 1.5},
        {"{friction: 0.5, kinetic: 0.2}", 2.0},
        {"{along: [0.3, 0.15]}", 3.0},
        {"{along: [0.3, 0.15], slip: [0.05, 0.2]}", 3.0},
        {"{formula: 0.25}", 2.5},
        {"{friction: 0.2, cohesion: 10}", 3.0},
        {"{tresca: 3, cohesion: 10}", 1.5},
    };
    for (int s = 0; s < SCHEME_COUNT; s++)
        for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
            motion m = run(*state, laws[k].friction, SCHEMES[s], "initial: {velocity: {x: 1}}", 200);
            double v = 1.0 - 0.2 * laws[k].deceleration;
            if (!(fabs(m.v[0] - v) <= 4e-3))
                fail_msg("%s, %s: v = %.6g instead of %.6g", SCHEMES[s], laws[k].friction, m.v[0], v);
            assert_near(m.v[1], 0.0, 1e-12);
            assert_near(m.v[2], 0.0, 2e-2);
            assert_true(fabs(m.residual) <= 1e-11);
            assert_true(m.tangential < 0.0);
        }
}


// At rest under a push of 0.35 of the weight it stays with mu = 0.4 at rest, whatever the kinetic coefficient; once it slides, it goes on
// with the kinetic one: a = 3.5 - 2.
static void test_static_and_kinetic(void **state)
{
    for (int s = 0; s < SCHEME_COUNT; s++) {
        motion rest = run(*state, "{friction: 0.4, kinetic: 0.2}", SCHEMES[s], "", 100);
        assert_near(rest.v[0], 0.0, 1e-12);
    }
    static const char *const pushed = "initial: {velocity: {x: %s}}\n";
    for (int s = 0; s < SCHEME_COUNT; s++) {
        char text[1024];
        for (int moving = 0; moving < 2; moving++) {
            rico_scene *scene = NULL;
            rico_simulation *sim = NULL;
            snprintf(text, sizeof text,
                     "parts: {b: {coordinates: [x, z], mass: [2, 2], force: [7, -20]}}\n"
                     "contacts: {floor: {gap: z, tangent: x, friction: {friction: 0.4, kinetic: 0.2}}}\n"
                     "scheme: %s\ntime: {end: 1, step: 1e-3}\n",
                     SCHEMES[s]);
            size_t at = strlen(text);
            snprintf(text + at, sizeof text - at, pushed, moving ? "0.1" : "0");
            assert_ok(*state,
                      rico_scene_parse(*state, "s", text, (int64_t)strlen(text), 0, NULL, NULL, 0, &scene));
            assert_ok(*state, rico_scene_simulate(scene, &sim));
            for (int k = 0; k < 200; k++) assert_ok(*state, rico_simulation_step(sim, 1e-3));
            double v = rico_simulation_velocity(sim)[0];
            if (!(fabs(v - (moving ? 0.1 + 0.2 * 1.5 : 0.0)) <= (moving ? 3e-3 : 1e-12)))
                fail_msg("%s, %s: v = %.6g", SCHEMES[s], moving ? "moving" : "at rest", v);
            rico_simulation_destroy(sim);
            rico_scene_destroy(scene);
        }
    }
}


// A force that grows breaks it loose where it reaches the static friction, whatever round-off it stands on: 70 t = 0.4 * 20 at t = 0.8/7.
static void test_breaks_loose(void **state)
{
    for (int s = 0; s < SCHEME_COUNT; s++) {
        char text[1024];
        rico_scene *scene = NULL;
        rico_simulation *sim = NULL;
        snprintf(text, sizeof text,
                 "parts: {b: {coordinates: [x, z], mass: [2, 2], force: [70*t, -20]}}\n"
                 "contacts: {floor: {gap: z, tangent: x, friction: {friction: 0.4, kinetic: 0.2}}}\n"
                 "scheme: %s\ntime: {end: 1, step: 1e-3}\n",
                 SCHEMES[s]);
        assert_ok(*state,
                  rico_scene_parse(*state, "s", text, (int64_t)strlen(text), 0, NULL, NULL, 0, &scene));
        assert_ok(*state, rico_scene_simulate(scene, &sim));
        double loose = 0.0;
        for (int k = 0; k < 200; k++) {
            assert_ok(*state, rico_simulation_step(sim, 1e-3));
            if (loose == 0.0 && fabs(rico_simulation_velocity(sim)[0]) > 1e-6)
                loose = rico_simulation_time(sim);
        }
        if (!(fabs(loose - 0.8 / 7.0) <= 3e-3)) fail_msg("%s: breaks loose at %.6g", SCHEMES[s], loose);
        rico_simulation_destroy(sim);
        rico_scene_destroy(scene);
    }
}


// dv/dt = -10 mu(|v|) v/|v| by Runge and Kutta's method, with S and F of an ellipse: -10 F^2 S v / |F S v|.
static void reference(double (*mu)(double), const double F[2], const double S[2], double t_end, double v[2])
{
    enum { STEPS = 20000 };
    double h = t_end / STEPS;
    for (int k = 0; k < STEPS; k++) {
        double stage[4][2], at[2];
        for (int i = 0; i < 4; i++) {
            static const double weight[] = {0.0, 0.5, 0.5, 1.0};
            for (int j = 0; j < 2; j++) at[j] = v[j] + (i > 0 ? weight[i] * h * stage[i - 1][j] : 0.0);
            double length = hypot(F[0] * S[0] * at[0], F[1] * S[1] * at[1]), factor = mu(hypot(at[0], at[1]));
            for (int j = 0; j < 2; j++) stage[i][j] = -10.0 * factor * F[j] * F[j] * S[j] * at[j] / length;
        }
        for (int j = 0; j < 2; j++)
            v[j] += h / 6.0 * (stage[0][j] + 2.0 * stage[1][j] + 2.0 * stage[2][j] + stage[3][j]);
    }
}


static double one(double slip)
{
    (void)slip;
    return 1.0;
}


static double stribeck(double slip)
{
    return 0.2 + 0.2 * exp(-slip / 0.3);
}


// On an ellipse it turns while it slides; with a slip potential of its own it turns otherwise; a coefficient that falls with the speed.
static void test_turning_and_falling(void **state)
{
    static const struct {
        const char *friction;
        double (*mu)(double);
        double F[2], S[2];
    } laws[] = {
        {"{along: [0.3, 0.1]}", one, {0.3, 0.1}, {1.0, 1.0}},
        {"{along: [0.3, 0.15], slip: [0.2, 0.2]}", one, {0.3, 0.15}, {4.0 / 9.0, 16.0 / 9.0}},
        {"{along: [0.3, 0.15], slip: [0.05, 0.2]}", one, {0.3, 0.15}, {1.0 / 36.0, 16.0 / 9.0}},
        {"{formula: 0.2 + 0.2*exp(-slip/0.3)}", stribeck, {1.0, 1.0}, {1.0, 1.0}},
    };
    for (int s = 0; s < SCHEME_COUNT; s++)
        for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
            double v[2] = {1.0, 0.8};
            motion m = run(*state, laws[k].friction, SCHEMES[s], "initial: {velocity: {x: 1, y: 0.8}}", 200);
            reference(laws[k].mu, laws[k].F, laws[k].S, 0.2, v);
            if (!(fabs(m.v[0] - v[0]) <= 5e-3 && fabs(m.v[1] - v[1]) <= 5e-3))
                fail_msg("%s, %s: v = (%.6g, %.6g) instead of (%.6g, %.6g)", SCHEMES[s], laws[k].friction,
                         m.v[0], m.v[1], v[0], v[1]);
            assert_true(fabs(m.residual) <= 1e-11);
        }
}


// Cohesion of 30 holds the block, of weight 20, under a ceiling; of 15 it does not, and pulls as long as it touches: not at all.
static void test_cohesion_holds(void **state)
{
    static const char *const CEILING =
        "parts: {b: {coordinates: [x, z], mass: [2, 2], force: [0*%d, -20]}}\n"
        "contacts: {ceiling: {gap: -z, tangent: x, friction: {friction: 0.5, cohesion: %g, bond: %s}}}\n"
        "scheme: %s\ntime: {end: 1, step: 1e-3}\n";
    for (int s = 0; s < SCHEME_COUNT; s++)
        for (int bond = 0; bond < 2; bond++) {
            double fall[2];
            for (int strong = 0; strong < 2; strong++) {
                char text[1024];
                rico_scene *scene = NULL;
                rico_simulation *sim = NULL;
                snprintf(text, sizeof text, CEILING, 0, strong ? 30.0 : 15.0, bond ? "true" : "false",
                         SCHEMES[s]);
                assert_ok(*state, rico_scene_parse(*state, "s", text, (int64_t)strlen(text), 0, NULL, NULL, 0,
                                                   &scene));
                assert_ok(*state, rico_scene_simulate(scene, &sim));
                for (int k = 0; k < 100; k++)
                    if (rico_simulation_step(sim, 1e-3) != RICO_OK)
                        fail_msg("%s: %s", SCHEMES[s], rico_message(*state));
                fall[strong] = rico_simulation_position(sim)[1];
                assert_true(fabs(rico_simulation_ledger_total(sim)->residual) <= 1e-11);
                rico_simulation_destroy(sim);
                rico_scene_destroy(scene);
            }
            if (!(fabs(fall[1]) <= 1e-9)) fail_msg("%s: fell by %g", SCHEMES[s], fall[1]);
            if (!(fabs(fall[0] + 0.05) <= 2e-3)) fail_msg("%s: at %g", SCHEMES[s], fall[0]);
        }
}


// A bond that has opened is gone: thrown against the ceiling again, the block falls; cohesion without a bond catches it.
static void test_bonds_break(void **state)
{
    for (int bond = 0; bond < 2; bond++) {
        char text[1024];
        rico_scene *scene = NULL;
        rico_simulation *sim = NULL;
        snprintf(text, sizeof text,
                 "parts: {b: {coordinates: [z], mass: [2], force: ['-20 - if(t < 0.05, 40, 0) + if(t > 0.05 "
                 "&& t < 0.2, "
                 "120, 0)']}}\n"
                 "contacts: {ceiling: {gap: -z, friction: {cohesion: 30, bond: %s}}}\n"
                 "scheme: moreau-jean\ntime: {end: 1, step: 1e-3}\n",
                 bond ? "true" : "false");
        if (rico_scene_parse(*state, "s", text, (int64_t)strlen(text), 0, NULL, NULL, 0, &scene) != RICO_OK)
            fail_msg("%s", rico_message(*state));
        assert_ok(*state, rico_scene_simulate(scene, &sim));
        for (int k = 0; k < 400; k++) assert_ok(*state, rico_simulation_step(sim, 1e-3));
        double z = rico_simulation_position(sim)[0];
        if (bond) assert_true(z < -0.1);
        if (!bond) assert_true(fabs(z) < 0.01);
        rico_simulation_destroy(sim);
        rico_scene_destroy(scene);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_constant_deceleration, setup, teardown),
        cmocka_unit_test_setup_teardown(test_static_and_kinetic, setup, teardown),
        cmocka_unit_test_setup_teardown(test_breaks_loose, setup, teardown),
        cmocka_unit_test_setup_teardown(test_turning_and_falling, setup, teardown),
        cmocka_unit_test_setup_teardown(test_cohesion_holds, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bonds_break, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
