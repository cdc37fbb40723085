// The slider and the roller (Acary 2012, figure 8): a torque below mu R m g must not turn the roller for ever.

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


// Angle at 2 s and at 4 s, and the speed of the roller then.
typedef struct outcome {
    double early, late, speed, impulse;
} outcome;

static outcome run(rico_context *ctx, const char *scheme, const char *activation, double share, double h)
{
    const double q[] = {0.1, 0.0}, v[] = {0.0, 0.0};
    slider_roller given = {
        .mass = 1.0, .inertia = 0.05, .radius = 0.2, .gravity = 9.81, .friction = 0.4, .restitution = 0.5};
    given.torque = share * given.friction * given.radius * given.mass * given.gravity;
    rico_system *system = slider_and_roller(ctx, &given);
    rico_simulation *sim;
    outcome out = {0};
    assert_ok(ctx, rico_simulation_create(system, scheme, &sim));
    if (activation) assert_ok(ctx, rico_simulation_set(sim, "activation", activation));
    assert_ok(ctx, rico_simulation_start(sim, 0.0, q, v));
    for (int k = 0; k < (int)(4.0 / h + 0.5); k++) {
        if (k == (int)(2.0 / h + 0.5)) out.early = rico_simulation_position(sim)[1];
        assert_ok(ctx, rico_simulation_step(sim, h));
    }
    out.late = rico_simulation_position(sim)[1];
    out.speed = rico_simulation_velocity(sim)[1];
    out.impulse = rico_simulation_impulse(sim)[0];
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
    return out;
}


// Static equilibrium under a torque of 0.5 and 0.9 of the limit.
static void rests(void **state)
{
    static const struct {
        const char *scheme, *activation;
    } RUNS[] = {{"moreau-jean", "explicit"},
                {"moreau-jean", "free"},
                {"schatzman-paoli", NULL},
                {"combined-projection", NULL}};
    const double h = 5e-3;
    for (int r = 0; r < 4; r++)
        for (int share = 5; share <= 9; share += 4) {
            outcome out = run(*state, RUNS[r].scheme, RUNS[r].activation, 0.1 * share, h);
            assert_near(out.late, out.early, 1e-9);
            assert_near(out.speed, 0.0, 1e-9);
            assert_near(out.impulse, 9.81 * h, 1e-9);
        }
}


// Direct projection keeps bouncing, and the roller slips whenever the slider is off it: the angle grows, the less the
// smaller the step.
static void creeps(void **state)
{
    outcome coarse = run(*state, "direct-projection", "explicit", 0.5, 1e-2);
    outcome fine = run(*state, "direct-projection", "explicit", 0.5, 1e-3);
    double turned = coarse.late - coarse.early, less = fine.late - fine.early;
    assert_true(turned > 1e-3);
    assert_true(less > 1e-5 && less < 0.3 * turned);
}


// Above the limit the roller turns ever faster, whatever the scheme: torque less friction over inertia.
static void turns(void **state)
{
    static const char *const SCHEMES[] = {"moreau-jean", "schatzman-paoli", "combined-projection"};
    const double limit = 0.4 * 0.2 * 9.81, acceleration = 0.2 * limit / 0.05;
    for (int s = 0; s < 3; s++) {
        outcome out = run(*state, SCHEMES[s], s == 0 ? "explicit" : NULL, 1.2, 5e-3);
        // over the first second, the slider bounces: on the mean it carries its weight then as well
        assert_near(out.speed, 4.0 * acceleration, 0.1 * 4.0 * acceleration);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rests, setup, teardown),
        cmocka_unit_test_setup_teardown(creeps, setup, teardown),
        cmocka_unit_test_setup_teardown(turns, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
