// The rocking block (Acary 2012, example 3 and figure 9): two nonlinear contacts, coupled. Direct projection oscillates
// at rest, combined projection does not, and neither enters the ground.

#include "mechanisms.h"

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


enum { STEPS = 200, LAST = 40 }; // h = 1e-2 over 2 s; the last 0.4 s are the rest

typedef struct outcome {
    double violation; // largest penetration of the run
    double swing;     // largest speed of a corner in the last part
    double hop;       // largest gap of a corner there
    double q[3], dissipated;
    double impulse; // of both corners in the last step
} outcome;

static outcome run(rico_context *ctx, const char *scheme, const char *activation, const char *solve)
{
    const double q[] = {0.0, 1.0, 0.2}, v[] = {0.0, 0.0, 0.2}, h = 1e-2;
    rocking_corner corners[2];
    rico_system *system = rocking_block(ctx, 0.5, corners);
    rico_simulation *sim;
    outcome out = {0};
    assert_ok(ctx, rico_simulation_create(system, scheme, &sim));
    if (activation) assert_ok(ctx, rico_simulation_set(sim, "activation", activation));
    if (solve) assert_ok(ctx, rico_simulation_set(sim, "solve", solve));
    assert_ok(ctx, rico_simulation_start(sim, 0.0, q, v));
    double initial = rico_simulation_ledger(sim)->kinetic + 9.81 * q[1];
    for (int k = 0; k < STEPS; k++) {
        const double *gap;
        assert_ok(ctx, rico_simulation_step(sim, h));
        assert_ok(ctx, rico_simulation_gap(sim, &gap));
        for (int i = 0; i < 2; i++) {
            out.violation = fmax(out.violation, -gap[i]);
            if (k < STEPS - LAST) continue;
            out.swing = fmax(out.swing, fabs(rico_simulation_velocity_after(sim)[i]));
            out.hop = fmax(out.hop, gap[i]);
        }
    }
    memcpy(out.q, rico_simulation_position(sim), sizeof out.q);
    out.impulse = rico_simulation_impulse(sim)[0] + rico_simulation_impulse(sim)[1];
    out.dissipated = initial - (rico_simulation_ledger(sim)->kinetic + 9.81 * out.q[1]);
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
    return out;
}


// The block stands on both corners at y = l/2 = 0.75 and carries its weight.
static void assert_stands(const outcome *out)
{
    assert_at_most(out->violation, 1e-10);
    assert_at_most(out->swing, 1e-10);
    assert_at_most(out->hop, 1e-10);
    assert_near(out->q[1], 0.75, 1e-10);
    assert_near(out->q[2], 0.0, 1e-10);
    assert_near(out->impulse, 9.81 * 1e-2, 1e-10);
}


static void combined_rests(void **state)
{
    outcome decoupled = run(*state, "combined-projection", NULL, "decoupled");
    outcome coupled = run(*state, "combined-projection", NULL, "coupled");
    assert_stands(&decoupled);
    assert_stands(&coupled);
}


// It keeps hopping at speeds of order h g, never in the ground; and it loses less energy than the combined scheme does.
static void direct_chatters(void **state)
{
    outcome combined = run(*state, "combined-projection", NULL, NULL);
    static const char *const RULES[] = {"explicit", "closing"};
    for (int r = 0; r < 2; r++) {
        outcome direct = run(*state, "direct-projection", RULES[r], NULL);
        assert_at_most(direct.violation, 1e-10);
        assert_true(direct.swing > 0.3 * 9.81 * 1e-2);
        assert_true(direct.dissipated < combined.dissipated);
    }
    assert_true(run(*state, "direct-projection", "explicit", NULL).hop > 1e-4);
}


// Moreau-Jean's scheme rests as well, but in the ground or above it by O(h), not on it.
static void moreau_jean_is_off(void **state)
{
    outcome free = run(*state, "moreau-jean", "free", NULL);
    assert_at_most(free.swing, 1e-10);
    assert_true(fabs(free.q[1] - 0.75) > 1e-5);
    outcome late = run(*state, "moreau-jean", "explicit", NULL);
    assert_true(late.violation > 1e-3);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(combined_rests, setup, teardown),
        cmocka_unit_test_setup_teardown(direct_chatters, setup, teardown),
        cmocka_unit_test_setup_teardown(moreau_jean_is_off, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
