// Heaps of balls in a box with each law of friction: every problem of every step solved to 1e-8, and the books closed.

#include "ricochet/simulation.h"
#include "scene/scene.h"
#include "support.h"

static const char *const HEAP = "gravity: [0, 0, -9.81]\n"
                                "materials: {bead: {restitution: 0.1, friction: %s}}\n"
                                "bodies:\n"
                                "  floor: {shape: plane, fixed: yes, material: bead}\n"
                                "  left: {shape: {box: {size: [0.02, 0.24, 0.3]}}, fixed: yes, position: "
                                "[-0.11, 0, 0.15], material: bead}\n"
                                "  right: {shape: {box: {size: [0.02, 0.24, 0.3]}}, fixed: yes, position: "
                                "[0.11, 0, 0.15], material: bead}\n"
                                "  front: {shape: {box: {size: [0.2, 0.02, 0.3]}}, fixed: yes, position: [0, "
                                "-0.11, 0.15], material: bead}\n"
                                "  back: {shape: {box: {size: [0.2, 0.02, 0.3]}}, fixed: yes, position: [0, "
                                "0.11, 0.15], material: bead}\n"
                                "  ball:\n"
                                "    shape: {sphere: 0.03}\n"
                                "    density: 1000\n"
                                "    position: [0, 0, 0.05]\n"
                                "    copies: {pour: {count: [2, 2, 4], spacing: [0.075], jitter: 0.004}}\n"
                                "    material: bead\n"
                                "scheme: {name: moreau-jean-fremond, tol: 1e-8}\n"
                                "time: {end: 0.4, step: 2e-3}\n";

static const char *const LAWS[] = {"0.4",
                                   "{along: [0.5, 0.3], direction: [1, 0.3, 0.2]}",
                                   "{along: [0.5, 0.3], slip: [0.2, 0.4], direction: [1, 0.3, 0.2]}",
                                   "{friction: 0.4, spinning: 0.002}",
                                   "{friction: 0.4, rolling: 0.005}",
                                   "{friction: 0.4, rolling: 0.005, spinning: 0.002}",
                                   "{friction: 0.5, kinetic: 0.4}",
                                   "{formula: 0.3 + 0.2*exp(-slip/0.1)}",
                                   "{formula: 0.3 + 0.2*sin(10*x)*cos(5*t)}",
                                   "{friction: 0.4, cohesion: 0.2}",
                                   "{friction: 0.4, cohesion: 0.2, bond: true}",
                                   "{tresca: 0.3}"};


static void test_heaps(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof LAWS / sizeof *LAWS; k++) {
        char text[2048];
        rico_context *ctx = rico_context_create(NULL);
        rico_scene *scene = NULL;
        rico_simulation *sim = NULL;
        snprintf(text, sizeof text, HEAP, LAWS[k]);
        assert_ok(ctx, rico_scene_parse(ctx, "s", text, (int64_t)strlen(text), 0, NULL, NULL, 0, &scene));
        assert_ok(ctx, rico_scene_simulate(scene, &sim));
        for (int step = 0; step < 200; step++) {
            if (rico_simulation_step(sim, 2e-3) != RICO_OK) fail_msg("%s: %s", LAWS[k], rico_message(ctx));
            // on the mean velocity of a step friction never gains
            assert_true(rico_simulation_ledger(sim)->tangential <= 1e-9);
        }
        const rico_ledger *total = rico_simulation_ledger_total(sim);
        assert_true(fabs(total->residual) <= 1e-12);
        assert_true(total->tangential < 0.0);
        rico_simulation_destroy(sim);
        rico_scene_destroy(scene);
        rico_context_destroy(ctx);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_heaps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
