// Scenes: what they build moves as the same system built in C does; formulas are derived as by hand.

#include "scene/scene.h"
#include "support.h"

#include "../step/systems.h"

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


static rico_scene *parse(rico_context *ctx, const char *text, int64_t count, const char *const *overrides)
{
    rico_scene *scene = NULL;
    assert_ok(ctx, rico_scene_parse(ctx, "test.yaml", text, (int64_t)strlen(text), count, overrides, NULL, 0,
                                    &scene));
    return scene;
}


static const char STICK[] = "title: Impacting stick\n"
                            "parameters: {l: 1, m: 1, mu: 0.01}\n"
                            "parts:\n"
                            "  stick:\n"
                            "    coordinates: [x, y, gamma]\n"
                            "    mass: [m, m, m*l^2/12]\n"
                            "    force: [0, -10*m, 0]\n"
                            "contacts:\n"
                            "  end:\n"
                            "    gap: y - l/2*cos(gamma)\n"
                            "    tangent: x + l/2*sin(gamma)\n"
                            "    restitution: 1\n"
                            "    friction: mu\n"
                            "initial:\n"
                            "  position: {x: l/2*sin(pi/4), y: l/2*cos(pi/4) + 0.01, gamma: pi/4}\n"
                            "  velocity: {x: -0.5, y: 0.1, gamma: 0.1}\n"
                            "time: {end: 0.2, step: 1e-4}\n"
                            "scheme: {name: moreau-jean, theta: 1/2}\n";


// The stick from YAML and the stick from C, step by step.
static void stick(void **state)
{
    rico_context *ctx = *state;
    const char *override = "mu=0.3";
    rico_scene *scene = parse(ctx, STICK, 1, &override);
    const double q[] = {0.5 * sin(M_PI / 4), 0.5 * cos(M_PI / 4) + 0.01, M_PI / 4}, v[] = {-0.5, 0.1, 0.1};
    rico_system *system = impacting_stick(ctx, 1.0, 0.3);
    rico_simulation *a, *b;
    assert_ok(ctx, rico_scene_simulate(scene, &a));
    assert_ok(ctx, rico_simulation_create(system, "moreau-jean", &b));
    assert_ok(ctx, rico_simulation_start(b, 0.0, q, v));
    for (int k = 0; k < 2000; k++) {
        assert_ok(ctx, rico_simulation_step(a, 1e-4));
        assert_ok(ctx, rico_simulation_step(b, 1e-4));
        for (int i = 0; i < 3; i++)
            assert_near(rico_simulation_position(a)[i], rico_simulation_position(b)[i], 1e-12);
    }
    char name[RICO_SCENE_NAME];
    rico_scene_velocity_name(scene, 2, name);
    assert_string_equal(name, "v_gamma");
    rico_simulation_destroy(a);
    rico_simulation_destroy(b);
    rico_system_destroy(system);
    rico_scene_destroy(scene);
}


// A double pendulum by its kinetic energy and by its mass matrix: inertia forces follow from either, energy is kept to
// the order of the scheme.
static void pendulum(void **state)
{
    rico_context *ctx = *state;
    static const char *const INERTIA[] = {
        "    kinetic: v_a^2 + v_b^2/2 + v_a*v_b*cos(a - b)\n",
        "    mass: [[2, cos(a - b)], [cos(a - b), 1]]\n",
    };
    double end[2][2];
    for (int form = 0; form < 2; form++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "parts:\n  arms:\n    coordinates: [a, b]\n%s"
                 "    potential: -9.81*(2*cos(a) + cos(b))\n"
                 "initial: {position: {a: 2, b: 1}}\n"
                 "time: {end: 1, step: 1e-3}\n",
                 INERTIA[form]);
        rico_scene *scene = parse(ctx, text, 0, NULL);
        rico_simulation *sim;
        assert_ok(ctx, rico_scene_simulate(scene, &sim));
        double energy = rico_simulation_ledger(sim)->kinetic + rico_simulation_ledger(sim)->potential;
        for (int k = 0; k < 1000; k++) assert_ok(ctx, rico_simulation_step(sim, 1e-3));
        const rico_ledger *ledger = rico_simulation_ledger(sim);
        assert_near(ledger->kinetic + ledger->potential, energy, 2e-4);
        end[form][0] = rico_simulation_position(sim)[0];
        end[form][1] = rico_simulation_position(sim)[1];
        rico_simulation_destroy(sim);
        rico_scene_destroy(scene);
    }
    assert_near(end[0][0], end[1][0], 1e-9);
    assert_near(end[0][1], end[1][1], 1e-9);
}


// A bar with a contact at one node is linear: one factorization for the whole run.
static void bar(void **state)
{
    rico_context *ctx = *state;
    rico_scene *scene =
        parse(ctx,
              "parts:\n"
              "  bar: {kind: bar, elements: 20, length: 1, section: 1e-4*pi, young: 210e9, density: 7800}\n"
              "contacts: {wall: 'bar[0] + 1e-6'}\n"
              "initial: {velocity: {bar: -0.1}}\n"
              "time: {end: 1e-3, step: 1e-6}\n",
              0, NULL);
    rico_simulation *sim;
    assert_true(rico_system_is_linear(rico_scene_system(scene)));
    assert_ok(ctx, rico_scene_simulate(scene, &sim));
    double largest = 0.0;
    for (int k = 0; k < 1000; k++) {
        assert_ok(ctx, rico_simulation_step(sim, 1e-6));
        largest = fmax(largest, rico_simulation_impulse(sim)[0]);
    }
    assert_true(largest > 0.0);
    assert_int_equal(rico_simulation_statistics(sim)->factorizations, 1);
    assert_true(rico_simulation_velocity(sim)[0] > 0.0);
    rico_simulation_destroy(sim);
    rico_scene_destroy(scene);
}


// A driven coordinate follows its motion.
static void driven(void **state)
{
    rico_context *ctx = *state;
    rico_scene *scene = parse(ctx,
                              "parts:\n"
                              "  cart: {coordinates: [x, y], mass: [1, 2], potential: 50*(x - y)^2}\n"
                              "joints: {drive: {equations: [x - sin(3*t)]}}\n"
                              "initial: {velocity: {x: 3}}\n"
                              "time: {end: 1, step: 1e-3}\n",
                              0, NULL);
    rico_simulation *sim;
    assert_ok(ctx, rico_scene_simulate(scene, &sim));
    for (int k = 0; k < 1000; k++) assert_ok(ctx, rico_simulation_step(sim, 1e-3));
    assert_near(rico_simulation_position(sim)[0], sin(3.0), 1e-5);
    const rico_ledger *total = rico_simulation_ledger_total(sim);
    // what the drive put in, by its motion and by the correction that keeps it to the path, is what the two masses and
    // the spring hold, less the start
    assert_near(total->obstacle + total->projection, total->kinetic + total->potential - 4.5, 1e-9);
    assert_near(total->joint, 0.0, 1e-9);
    rico_simulation_destroy(sim);
    rico_scene_destroy(scene);
}


static void messages(void **state)
{
    rico_context *ctx = *state;
    static const struct {
        const char *text, *place, *part;
    } CASES[] = {
        {"parts: {b: {coordinates: [x], mass: 1}}\ntime: {end: 1, stepp: 1}\n", ":2:16:", "step"},
        {"parts: {b: {coordinates: [x], mass: 1}}\ntime: {end: 1, step: 0}\n", ":2:22:", "step"},
        {"parts: {b: {coordinates: [x], mass: 1}}\ntime: {end: -1, step: 1}\n", ":2:13:", "after"},
        {"parts: {b: {coordinates: [x], mass: y}}\ntime: {end: 1, step: 1}\n", ":1:37:", "y"},
        {"parts: {b: {coordinates: [x, x], mass: [1, 1]}}\ntime: {end: 1, step: 1}\n", ":1:30:", "taken"},
        {"parts: {b: {coordinates: [x], mass: [1, 2]}}\ntime: {end: 1, step: 1}\n", ":1:37:", "1 formulas"},
        {"parts: {b: {coordinates: [x], mass: v_x}}\ntime: {end: 1, step: 1}\n", ":1:37:", "coordinates"},
        {"parts: {b: {coordinates: [x], mass: 1}}\ntime: {end: 1, step: 1}\nscheme: moreau-jeen\n",
         ":3:9:", "moreau-jean"},
        {"parts: {b: {coordinates: [x], mass: 1}}\ntime: {end: 1, step: 1}\nscheme: {name: moreau-jean, "
         "thata: 1}\n",
         ":3:29:", "theta"},
        {"parts: {b: {coordinates: [x], mass: 1}}\ntime: {end: 1, step: 1}\nscheme: {name: moreau-jean, "
         "theta: 2}\n",
         ":3:36:", "[0, 1]"},
        {"parts: {b: {coordinates: [x], mass: 1}}\ntime: {end: 1, step: 1}\ncontacts: {c: {gap: x, friction: "
         "1}}\n",
         ":3:34:", "tangent"},
        {"parts: {b: {coordinates: [x], mass: 1}}\ntime: {end: 1, step: 1}\ncontacts: {c: {gap: x, friction: "
         "-1}}\n",
         ":3:34:", "-1"},
        {"parts: {b: {coordinates: [x], mass: 1}}\ntime: {end: 1, step: 1}\ncontacts: {c: {gap: 3}}\n",
         ":3:21:", "no coordinate"},
        {"parts: {b: {coordinates: [x], mass: 1}}\ntime: {end: 1, step: 1}\ninitial: {position: {z: 1}}\n",
         ":3:22:", "no coordinate"},
        {"parts: {b: {kind: matrices, mass: [[1, 2], [3, 4]]}}\ntime: {end: 1, step: 1}\n",
         ":1:9:", "symmetric"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        rico_scene *scene = NULL;
        char excerpt[256];
        rico_status status = rico_scene_parse(ctx, "bad.yaml", CASES[i].text, (int64_t)strlen(CASES[i].text),
                                              0, NULL, excerpt, sizeof excerpt, &scene);
        if (status != RICO_BAD_INPUT || !strstr(rico_message(ctx), CASES[i].place) ||
            !strstr(rico_message(ctx), CASES[i].part))
            fail_msg("%s gave %s: %s", CASES[i].text, rico_status_name(status), rico_message(ctx));
        assert_non_null(strchr(excerpt, '^'));
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(stick, setup, teardown),
        cmocka_unit_test_setup_teardown(pendulum, setup, teardown),
        cmocka_unit_test_setup_teardown(bar, setup, teardown),
        cmocka_unit_test_setup_teardown(driven, setup, teardown),
        cmocka_unit_test_setup_teardown(messages, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
