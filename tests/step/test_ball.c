// The bouncing ball, f = -2, e = 1/2 (Acary 2012, example 1 and figures 4-7): who chatters, who rests, who gains energy.

#include "exact.h"
#include "systems.h"

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


// A height from which no impact falls on the end of a step of 0.05, where round-off would decide.
static const double START = 1.01;

typedef struct ball {
    rico_system *system;
    rico_simulation *sim;
} ball;

static ball ball_create(rico_context *ctx, const char *scheme, const char *activation, double gamma, double e,
                        double q)
{
    ball out = {bouncing_ball(ctx, -2.0, e), NULL};
    const double v = 0.0;
    assert_ok(ctx, rico_simulation_create(out.system, scheme, &out.sim));
    if (activation) assert_ok(ctx, rico_simulation_set(out.sim, "activation", activation));
    assert_ok(ctx, rico_simulation_set_number(out.sim, "activation-gamma", gamma));
    assert_ok(ctx, rico_simulation_start(out.sim, 0.0, &q, &v));
    return out;
}


static void ball_destroy(ball *self)
{
    rico_simulation_destroy(self->sim);
    rico_system_destroy(self->system);
}


static void run(rico_context *ctx, ball *self, double h, double until)
{
    while (rico_simulation_time(self->sim) < until - 0.5 * h)
        assert_ok(ctx, rico_simulation_step(self->sim, h));
}


// At rest direct projection with the explicit forecast falls into a cycle. A step that leaves the ground at u > 0 lets
// the contact go and falls by u - 2h; the next is projected and stops at -e times that: u = 2 h e/(1+e). With
// gamma = 0 the ball hops for one step more. Projections bring back what the impacts dissipate (figure 4).
static void chattering(void **state)
{
    rico_context *ctx = *state;
    const double h = 0.05, e = 0.5;
    for (int gamma = 0; gamma <= 2; gamma++) {
        ball direct = ball_create(ctx, "direct-projection", "explicit", gamma, e, 1.0);
        run(ctx, &direct, h, 6.0);
        int period = gamma == 0 ? 3 : 2;
        double fastest = 0.0, gained = 0.0, lost = 0.0, up = 0.0;
        for (int k = 0; k < 4 * period; k++) {
            assert_ok(ctx, rico_simulation_step(direct.sim, h));
            double v = rico_simulation_velocity(direct.sim)[0];
            fastest = fmax(fastest, fabs(v));
            up = fmax(up, v);
            gained += rico_simulation_ledger(direct.sim)->projection;
            lost += rico_simulation_ledger(direct.sim)->normal;
            assert_true(rico_simulation_position(direct.sim)[0] >= -1e-16);
        }
        // down: two steps of free fall from the impact when gamma = 0, one otherwise
        double u = 2.0 * h * (period - 1) * e / (1.0 + e);
        assert_near(up, u, 1e-3 * h);
        assert_near(fastest, u / e, 1e-3 * h);
        assert_true(gained > 0.0 && lost < 0.0);
        assert_near(gained, -lost, 1e-3 * gained);
        ball_destroy(&direct);
    }
}


// With the free-position forecast Ballard's ball never enters the ground while impacts fall on ends of steps (a power of
// two, for the forecast to be exactly 0 there), so that direct projection is Moreau-Jean's scheme (figure 5); combined projection puts it there exactly. All come to rest and carry the weight.
static void rest(void **state)
{
    rico_context *ctx = *state;
    const double h = 1.0 / 16.0;
    ball moreau = ball_create(ctx, "moreau-jean", "free", 0.0, 0.5, 1.0);
    ball direct = ball_create(ctx, "direct-projection", "free", 0.0, 0.5, 1.0);
    ball combined = ball_create(ctx, "combined-projection", NULL, 0.0, 0.5, 1.0);
    for (int k = 0; k < 120; k++) {
        assert_ok(ctx, rico_simulation_step(moreau.sim, h));
        assert_ok(ctx, rico_simulation_step(direct.sim, h));
        assert_ok(ctx, rico_simulation_step(combined.sim, h));
        if (rico_simulation_time(direct.sim) <= 2.5) {
            assert_true(rico_simulation_position(moreau.sim)[0] == rico_simulation_position(direct.sim)[0]);
            assert_true(rico_simulation_ledger(direct.sim)->projection == 0.0);
        }
        assert_true(rico_simulation_position(combined.sim)[0] >= -1e-16);
        if (k < 80) continue;
        assert_near(rico_simulation_velocity(direct.sim)[0], 0.0, 1e-6);
        assert_near(rico_simulation_velocity(combined.sim)[0], 0.0, 1e-6);
        assert_near(rico_simulation_impulse(direct.sim)[0], 2.0 * h, 1e-6);
        assert_near(rico_simulation_impulse(combined.sim)[0], 2.0 * h, 1e-6);
        assert_near(rico_simulation_position(combined.sim)[0], 0.0, 1e-16);
    }
    ball_destroy(&moreau);
    ball_destroy(&direct);
    ball_destroy(&combined);
}


// Where impacts fall inside steps the forecast may be too late by h |u| (1 - theta (1+e)): the projection then acts
// once or twice, but the ball rests all the same.
static void rest_from_anywhere(void **state)
{
    rico_context *ctx = *state;
    const double h = 0.05;
    bool projected = false;
    for (int i = 0; i < 20; i++) {
        ball direct = ball_create(ctx, "direct-projection", "free", 0.0, 0.5, 1.0 + 0.01 * i);
        ball combined = ball_create(ctx, "combined-projection", NULL, 0.0, 0.5, 1.0 + 0.01 * i);
        run(ctx, &direct, h, 5.0);
        run(ctx, &combined, h, 5.0);
        projected |= rico_simulation_ledger_total(direct.sim)->projection > 1e-3;
        assert_near(rico_simulation_velocity(direct.sim)[0], 0.0, 1e-6);
        assert_near(rico_simulation_velocity(combined.sim)[0], 0.0, 1e-6);
        assert_near(rico_simulation_impulse(direct.sim)[0], 2.0 * h, 1e-6);
        assert_near(rico_simulation_impulse(combined.sim)[0], 2.0 * h, 1e-6);
        ball_destroy(&direct);
        ball_destroy(&combined);
    }
    assert_true(projected);
}


// e = 1: nothing may gain or lose, but direct projection lifts the ball at impacts for nothing (figure 7).
static void elastic(void **state)
{
    rico_context *ctx = *state;
    ball direct = ball_create(ctx, "direct-projection", "explicit", 0.0, 1.0, START);
    run(ctx, &direct, 0.05, 20.0);
    double v = rico_simulation_velocity(direct.sim)[0], q = rico_simulation_position(direct.sim)[0];
    double energy = 0.5 * v * v + 2.0 * q, gained = rico_simulation_ledger_total(direct.sim)->projection;
    assert_true(energy > 2.0 * START + 0.1);
    assert_near(energy - 2.0 * START, gained, 1e-12); // and the ledger says where it came from
    assert_near(rico_simulation_ledger_total(direct.sim)->normal, 0.0, 1e-12);
    ball_destroy(&direct);
}


// The rule "closing" lets a ball that has bounced go at every second step: the same cycle of velocities, and nothing that
// would put the ball back. It sinks at the mean speed |f| h (1-e) / (2 (1+e)); under the other rules it does not.
static void sinking(void **state)
{
    rico_context *ctx = *state;
    static const char *const RULES[] = {"closing", "explicit", "free"};
    const double h = 0.01, e = 0.5;
    for (int r = 0; r < 3; r++) {
        ball one = ball_create(ctx, "moreau-jean", RULES[r], 0.0, e, 1.0);
        run(ctx, &one, h, 10.0);
        double before = rico_simulation_position(one.sim)[0];
        for (int k = 0; k < 2000; k++) assert_ok(ctx, rico_simulation_step(one.sim, h));
        double speed = (rico_simulation_position(one.sim)[0] - before) / (2000 * h);
        double expected = r == 0 ? -2.0 * h * (1.0 - e) / (2.0 * (1.0 + e)) : 0.0;
        assert_near(speed, expected, 1e-6 * h);
        ball_destroy(&one);
    }
}


// Impacts accumulate at t = 3: every scheme is within O(h) of Ballard's solution, before and after, and rests from
// then on.
static void accumulation(void **state)
{
    rico_context *ctx = *state;
    static const struct {
        const char *scheme, *activation;
    } RUNS[] = {{"moreau-jean", "explicit"},
                {"schatzman-paoli", NULL},
                {"direct-projection", "free"},
                {"combined-projection", NULL}};
    const double h = 1e-4;
    for (int r = 0; r < 4; r++) {
        ball one = ball_create(ctx, RUNS[r].scheme, RUNS[r].activation, 0.0, 0.5, 1.0);
        double last = 0.0;
        for (int k = 0; k < 35000; k++) {
            assert_ok(ctx, rico_simulation_step(one.sim, h));
            double t = rico_simulation_time(one.sim);
            assert_near(rico_simulation_position(one.sim)[0], ballard_ball(t).q, 20.0 * h);
            if (fabs(rico_simulation_velocity(one.sim)[0]) > 100.0 * h) last = t;
        }
        // a flight of speed u lasts u: those of 100 h are over before t = 3, the last of them after 3 - 400 h
        assert_near(last, 3.0, 400.0 * h);
        assert_near(rico_simulation_velocity(one.sim)[0], 0.0, 2.0 * h);
        ball_destroy(&one);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(chattering, setup, teardown),
        cmocka_unit_test_setup_teardown(rest, setup, teardown),
        cmocka_unit_test_setup_teardown(rest_from_anywhere, setup, teardown),
        cmocka_unit_test_setup_teardown(elastic, setup, teardown),
        cmocka_unit_test_setup_teardown(sinking, setup, teardown),
        cmocka_unit_test_setup_teardown(accumulation, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
