// The constrained generalized-alpha scheme on scenes: levels, variants, impacts, friction, what it refuses.
//
// Expected values of the variants come from an independent program, exact ones from Runge-Kutta of order 8 at 1e-13 with event
// location (examples/alpha-*; docs/theory/generalized-alpha-constraints.md).

#include "support.h"

#include "ricochet/ricochet.h"

typedef struct play {
    rico_context *ctx;
    rico_scene *scene;
    rico_simulation *sim;
} play;


// A scene of examples/, or a text where it has a line break, with overrides up to NULL.
static rico_status try_open(play *self, const char *scene, const char *const *overrides)
{
    char path[1024];
    const char *here = strstr(__FILE__, "tests/step/");
    int64_t count = 0;
    memset(self, 0, sizeof *self);
    self->ctx = rico_context_create(NULL);
    while (overrides && overrides[count]) count++;
    snprintf(path, sizeof path, "%.*sexamples/%s", (int)(here - __FILE__), __FILE__, scene);
    rico_status status = strchr(scene, '\n')
                             ? rico_scene_parse(self->ctx, "text", scene, (int64_t)strlen(scene), count,
                                                overrides, NULL, 0, &self->scene)
                             : rico_scene_load(self->ctx, path, count, overrides, NULL, 0, &self->scene);
    return status == RICO_OK ? rico_scene_simulate(self->scene, &self->sim) : status;
}


static void open_play(play *self, const char *scene, const char *const *overrides)
{
    rico_status status = try_open(self, scene, overrides);
    assert_ok(self->ctx, status);
}


static void close_play(play *self)
{
    rico_simulation_destroy(self->sim);
    rico_scene_destroy(self->scene);
    rico_context_destroy(self->ctx);
}


static double worst_of(const double *x, int64_t count)
{
    double worst = 0.0;
    for (int64_t i = 0; i < count; i++) worst = fmax(worst, fabs(x[i]));
    return worst;
}


// Steps; the largest residual of each level, of the first `rows` rows, and of the balance.
static void go(play *self, int64_t steps, double h, int64_t rows, double worst[4])
{
    const double *gap;
    memset(worst, 0, 4 * sizeof *worst);
    for (int64_t k = 0; k < steps; k++) {
        assert_ok(self->ctx, rico_simulation_step(self->sim, h));
        assert_ok(self->ctx, rico_simulation_gap(self->sim, &gap));
        worst[0] = fmax(worst[0], worst_of(gap, rows));
        worst[1] = fmax(worst[1], worst_of(rico_simulation_velocity_after(self->sim), rows));
        worst[2] = fmax(worst[2], worst_of(rico_simulation_acceleration(self->sim), rows));
        worst[3] = fmax(worst[3], fabs(rico_simulation_ledger(self->sim)->residual));
    }
}


// --- a joint ---------------------------------------------------------------------------------------------------------

static const char PENDULUM[] = "alpha-pendulum/pendulum.yaml", BOUNCING[] = "alpha-bouncing/pendulum.yaml";

// Angle, spin and multipliers at t = 1 for h = 2e-3, rho = 0.9; bounds on the levels; both ways to solve. Full Newton takes
// two iterations a step in every variant, which it would not with a tangent that is not exact.
static void variants(void **state)
{
    (void)state;
    static const struct {
        const char *levels;
        double angle, spin, lam[2], level[3];
    } CASES[] = {
        {"P", 10.8243842987, 11.2689142740, {23.16148472, 134.88136287}, {1e-14, 5e-4, 5.1}},
        {"V", 10.8247703257, 11.2694875790, {23.11091263, 134.89715360}, {8e-5, 1e-13, 2.3e-2}},
        {"PV", 10.8244133232, 11.2694798367, {23.15778238, 134.88332359}, {1e-14, 1e-11, 2.1e-2}},
        {"PV-ggl", 10.8245740339, 11.2694837272, {23.13668508, 134.88955755}, {1e-14, 1e-11, 2.1e-2}},
        {"PVV", 10.8244133232, 11.2694798367, {23.15778238, 134.88332359}, {1e-14, 1e-13, 2.1e-2}},
        {"PVA", 10.8244119231, 11.2694763711, {23.15763141, 134.88154615}, {1e-14, 1e-13, 1e-11}},
        {"A", 10.8248344311, 11.2697523227, {23.10219274, 134.89809170}, {3.7e-4, 7.3e-4, 1e-11}},
        {"A-projected", 10.8243935147, 11.2694410316, {23.15995709, 134.88030687}, {1e-14, 1e-13, 1e-11}},
        {"baumgarte", 10.823745926, 11.267646239, {NAN, NAN}, {2e-5, 5e-4, 1.4e-2}},
    };
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++)
        for (int full = 0; full < 2; full++) {
            char levels[64];
            snprintf(levels, sizeof levels, "scheme.levels=%s", CASES[k].levels);
            const char *const set[] = {levels, full ? "scheme.newton=full" : "scheme.newton=decoupled", NULL};
            play self;
            double worst[4];
            open_play(&self, PENDULUM, set);
            go(&self, 500, 2e-3, 2, worst);
            const double *q = rico_simulation_position(self.sim), *v = rico_simulation_velocity(self.sim),
                         *lam = rico_simulation_force(self.sim);
            assert_near(q[2], CASES[k].angle, 1e-9);
            assert_near(v[2], CASES[k].spin, 1e-9);
            for (int i = 0; i < 2 && isfinite(CASES[k].lam[0]); i++)
                assert_near(lam[i], CASES[k].lam[i], 1e-7);
            for (int i = 0; i < 3; i++) assert_at_most(worst[i], CASES[k].level[i]);
            assert_at_most(worst[3], 1e-12);
            if (full)
                assert_at_most((double)rico_simulation_statistics(self.sim)->newton_iterations, 2.02 * 500);
            close_play(&self);
        }
}


// All three levels below 1e-12 of their terms, whatever the number of steps: 10^5 with RICO_LONG.
static void no_drift(void **state)
{
    (void)state;
    int64_t steps = getenv("RICO_LONG") ? 100000 : 5000;
    play self;
    double worst[4];
    open_play(&self, PENDULUM, NULL);
    go(&self, steps, 2e-3, 2, worst);
    // L = 1 m, v about 11 m/s, accelerations about 120 m/s^2
    assert_at_most(worst[0], 1e-12);
    assert_at_most(worst[1], 1e-12 * 11.0);
    assert_at_most(worst[2], 1e-12 * 120.0);
    if (getenv("RICO_LONG"))
        printf("%lld steps: %.2g m, %.2g m/s, %.2g m/s^2\n", (long long)steps, worst[0], worst[1], worst[2]);
    close_play(&self);
}


// Order 2 of angle, spin and multiplier against the exact motion.
static void orders(void **state)
{
    (void)state;
    static const char *const LEVELS[] = {"scheme.levels=PVA",    "scheme.levels=P", "scheme.levels=PV",
                                         "scheme.levels=PV-ggl", "scheme.levels=V", "scheme.levels=A"};
    for (size_t k = 0; k < sizeof LEVELS / sizeof *LEVELS; k++) {
        double error[2][3];
        for (int fine = 0; fine < 2; fine++) {
            const char *const set[] = {LEVELS[k], NULL};
            play self;
            double worst[4];
            open_play(&self, PENDULUM, set);
            go(&self, fine ? 2000 : 1000, fine ? 5e-4 : 1e-3, 2, worst);
            error[fine][0] = fabs(rico_simulation_position(self.sim)[2] - 10.824839998057);
            error[fine][1] = fabs(rico_simulation_velocity(self.sim)[2] - 11.269798959562);
            error[fine][2] = fabs(rico_simulation_force(self.sim)[1] - 134.8992646737);
            close_play(&self);
        }
        for (int i = 0; i < 3; i++) assert_near(log2(error[0][i] / error[1][i]), 2.0, 0.06);
    }
}


// A start without accelerations, as an impact leaves it: PVA recovers in one step, P and PV do not.
static void disturbed(void **state)
{
    (void)state;
    static const struct {
        const char *levels;
        double first[2]; // |G vd + gamma| after one and two steps
    } CASES[] = {{"scheme.levels=P", {85.871, 82.874}},
                 {"scheme.levels=V", {85.870, 83.678}},
                 {"scheme.levels=PV", {85.865, 83.678}}};
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        const char *const set[] = {CASES[k].levels, "scheme.start=zero", NULL};
        play self;
        double worst[4];
        open_play(&self, PENDULUM, set);
        for (int i = 0; i < 2; i++) {
            go(&self, 1, 2e-3, 2, worst);
            assert_near(worst[2], CASES[k].first[i], 2e-3);
        }
        close_play(&self);
    }
    static const char *const PVA[] = {"scheme.start=zero", NULL};
    static const double LAM[] = {-81.39681839, -80.00780616, -78.60278745};
    play self;
    double worst[4];
    open_play(&self, PENDULUM, PVA);
    for (int i = 0; i < 3; i++) {
        go(&self, 1, 2e-3, 2, worst);
        assert_at_most(worst[2], 1e-11);
        assert_near(rico_simulation_force(self.sim)[0], LAM[i], 1e-7);
    }
    close_play(&self);
}


// A pivot that is said twice: the same motion, and each half of the joint has half of the force.
static void redundant(void **state)
{
    (void)state;
    static const char TWICE[] = "parts: {rod: {coordinates: [x, y, a], mass: [1, 1, 0.1], potential: 10*y}}\n"
                                "joints:\n"
                                "  pivot: {equations: [\"x - cos(a)\", \"y - sin(a)\"]}\n"
                                "  again: {equations: [\"x - cos(a)\", \"y - sin(a)\"]}\n"
                                "initial: {position: {x: cos(pi/6), y: 0.5, a: pi/6},\n"
                                "          velocity: {x: -5, y: 10*cos(pi/6), a: 10}}\n"
                                "time: {end: 1, step: 2e-3}\n"
                                "scheme: {name: generalized-alpha-constrained, rho-inf: 0.9}\n";
    for (int full = 0; full < 2; full++) {
        const char *const set[] = {full ? "scheme.newton=full" : "scheme.newton=decoupled", NULL};
        play self;
        double worst[4];
        open_play(&self, TWICE, set);
        go(&self, 500, 2e-3, 4, worst);
        const double *lam = rico_simulation_force(self.sim);
        assert_near(rico_simulation_position(self.sim)[2], 10.8244119231, 1e-9);
        for (int i = 0; i < 2; i++) assert_near(lam[i], lam[2 + i], 1e-6 * fabs(lam[i]));
        assert_near(lam[0] + lam[2], 23.15763141, 1e-6);
        assert_at_most(worst[0], 1e-12);
        close_play(&self);
    }
}


// A joint that is driven and a wall that moves: the reaction is 2 x'' + dV/dx of the driven motion, at every step; what both
// bring stands under `obstacle`.
static void driven(void **state)
{
    (void)state;
    static const char DRIVE[] =
        "parts: {p: {coordinates: [x, y], mass: [2, 1], potential: \"10*y + 20*(y-x)^2\"}}\n"
        "joints: {drive: {equations: \"x - sin(3*t)\"}}\n"
        "contacts: {wall: {gap: \"y + 2 - 0.3*cos(5*t)\", restitution: 0.5}}\n"
        "initial: {position: {y: 0.0}, velocity: {x: 3}}\n"
        "time: {end: 4, step: 1e-3}\n"
        "scheme: {name: generalized-alpha-constrained, newton: full, rho-inf: 0.9}\n";
    play self;
    double worst[4], struck = 0.0;
    open_play(&self, DRIVE, NULL);
    for (int k = 1; k <= 4000; k++) {
        go(&self, 1, 1e-3, 1, worst);
        for (int i = 0; i < 3; i++) assert_at_most(worst[i], 1e-13);
        assert_at_most(worst[3], 1e-12);
        const double *q = rico_simulation_position(self.sim), t = rico_simulation_time(self.sim);
        assert_near(rico_simulation_force(self.sim)[0], -18.0 * sin(3.0 * t) - 40.0 * (q[1] - q[0]), 1e-10);
        struck += rico_simulation_impulse(self.sim)[1];
    }
    assert_true(struck > 0.1 && fabs(rico_simulation_ledger_total(self.sim)->obstacle) > 0.1);
    close_play(&self);
}


// --- impacts ---------------------------------------------------------------------------------------------------------

static void bouncing(void **state)
{
    (void)state;
    static const struct {
        const char *set[3];
        double energy, angle, lam[3]; // at 1 s, at 2 s, at rest
    } CASES[] = {
        {{"scheme.strategy=3"}, -.8646232279, -.6971049494, {-10.0, 10.0, 10.0}},
        {{"scheme.strategy=3", "scheme.newton=full"}, -.8646232279, -.6971049494, {-10.0, 10.0, 10.0}},
        {{"scheme.strategy=3s"}, -.8970099226, -.6873799118, {-10.0, 10.0, 10.0}},
        {{"scheme.strategy=3", "scheme.set-scale=10"}, -.8646232279, -.6971049494, {-10.0, 10.0, 10.0}},
        {{"scheme.strategy=3", "scheme.set-scale=1000"}, -.8646232279, -.6971049494, {-10.0, 10.0, 10.0}},
        {{"scheme.strategy=2"}, -.8970099226, -.6873799118, {-4.54545455, 5.45454545, 0.0}},
        {{"scheme.levels=PVV"}, -.8970797706, -.6873819904, {-4.54545455, 5.45454545, 0.0}},
        {{"scheme.levels=PVV", "scheme.newton=full"},
         -.8970797706,
         -.6873819904,
         {-4.54545455, 5.45454545, 0.0}},
    };
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        const char *const set[] = {CASES[k].set[0], CASES[k].set[1], NULL};
        play self;
        double worst[4], whole[4] = {0.0};
        open_play(&self, BOUNCING, set);
        for (int second = 0; second < 7; second++) {
            go(&self, 1000, 1e-3, 2, worst);
            for (int i = 0; i < 4; i++) whole[i] = fmax(whole[i], worst[i]);
            const rico_ledger *ledger = rico_simulation_ledger(self.sim);
            if (second == 0) assert_near(ledger->kinetic + ledger->potential, CASES[k].energy, 1e-9);
            if (second == 1) assert_near(rico_simulation_position(self.sim)[2], CASES[k].angle, 1e-9);
            assert_true(rico_simulation_breach(self.sim).depth < 1e-11);
        }
        assert_at_most(whole[0], 1e-14);
        assert_at_most(whole[1], 1e-12);
        assert_at_most(whole[3], 1e-12);
        const double *lam = rico_simulation_force(self.sim), *p = rico_simulation_impulse(self.sim);
        static const double TOTAL[] = {-10.0, 10.0, 10.0};
        for (int i = 0; i < 3; i++) {
            assert_near(lam[i], CASES[k].lam[i], 1e-6);
            assert_near(p[i] / 1e-3, TOTAL[i], 1e-6);
        }
        close_play(&self);
    }
}


// A bar that lets go: strategy 3s never pulls, and has the motion of PVV, which has no contact in its smooth motion at all.
static void lets_go(void **state)
{
    (void)state;
    static const char *const SETS[][4] = {{"N=40", "scheme.strategy=3s"}, {"N=40", "scheme.levels=PVV"}};
    play one, two;
    double low = 0.0, pressed = 0.0;
    open_play(&one, "alpha-bar/bar.yaml", SETS[0]);
    open_play(&two, "alpha-bar/bar.yaml", SETS[1]);
    for (int k = 0; k < 750; k++) {
        assert_ok(one.ctx, rico_simulation_step(one.sim, 2e-3));
        assert_ok(two.ctx, rico_simulation_step(two.sim, 2e-3));
        low = fmin(low, rico_simulation_impulse(one.sim)[0]);
        pressed += rico_simulation_impulse(one.sim)[0];
        for (int i = 0; i <= 40; i++)
            assert_near(rico_simulation_position(one.sim)[i], rico_simulation_position(two.sim)[i], 1e-8);
        assert_at_most(fabs(rico_simulation_ledger(one.sim)->residual), 1e-10);
    }
    assert_true(low == 0.0 && pressed > 190.0);
    close_play(&one);
    close_play(&two);
}


// Error of the angle after the first impact against the exact motion: order 1, the moment of the impact being known to a step.
static void order_across_impacts(void **state)
{
    (void)state;
    double sum[2] = {0.0};
    for (int fine = 0; fine < 2; fine++)
        for (int grid = 0; grid < 8; grid++) {
            static const char *const SET[] = {"scheme.strategy=3s", NULL};
            play self;
            double worst[4];
            int64_t steps = fine ? 4000 + 317 * grid : 400 + 31 * grid; // the impact falls anywhere in a step
            open_play(&self, BOUNCING, SET);
            go(&self, steps, 1.0 / (double)steps, 2, worst);
            sum[fine] += fabs(rico_simulation_position(self.sim)[2] + 0.150239108145);
            close_play(&self);
        }
    if (!(sum[0] > 4.0 * sum[1] && sum[0] < 25.0 * sum[1])) fail_msg("%g, then %g", sum[0], sum[1]);
}


// --- friction --------------------------------------------------------------------------------------------------------

static const char SLIDE[] = "parts: {p: {coordinates: [x, y], mass: [1, 1], potential: 10*y}}\n"
                            "contacts: {floor: {gap: y, tangent: x, friction: 0.3}}\n"
                            "initial: {velocity: {x: 1}}\n"
                            "time: {end: 0.5, step: 1e-2}\n"
                            "scheme: {name: generalized-alpha-constrained, rho-inf: 0.9}\n";

// A mass that slides to rest: exactly 1/6 m, order 2, and friction takes all of its energy.
static void slides(void **state)
{
    (void)state;
    static const char *const WAYS[][2] = {{"scheme.strategy=1", "scheme.newton=decoupled"},
                                          {"scheme.strategy=2", "scheme.newton=decoupled"},
                                          {"scheme.strategy=3", "scheme.newton=full"},
                                          {"scheme.strategy=3s", "scheme.newton=decoupled"},
                                          {"scheme.levels=PVV", "scheme.newton=full"}};
    for (size_t k = 0; k < sizeof WAYS / sizeof *WAYS; k++)
        for (int fine = 0; fine < 2; fine++) {
            const char *const set[] = {WAYS[k][0], WAYS[k][1], NULL};
            play self;
            double worst[4], h = fine ? 5e-3 : 1e-2;
            open_play(&self, SLIDE, set);
            go(&self, fine ? 100 : 50, h, 0, worst);
            assert_near(rico_simulation_position(self.sim)[0], fine ? 0.166675 : 0.1667, 1e-10);
            assert_near(rico_simulation_velocity(self.sim)[0], 0.0, 1e-13);
            assert_near(rico_simulation_ledger_total(self.sim)->tangential, -0.5, 1e-12);
            assert_near(rico_simulation_impulse(self.sim)[0], 10.0 * h, 1e-11);
            assert_at_most(worst[3], 1e-13);
            close_play(&self);
        }
}


// The impacting stick: friction gains under Newton's law and loses under Fremond's, at every contact and step. Impulses to
// O(h^2) of those of an independent program whose positions move with half a step of friction.
static void stick(void **state)
{
    (void)state;
    for (int fremond = 0; fremond < 2; fremond++) {
        const char *const set[] = {
            fremond ? "scheme={name: generalized-alpha-constrained, strategy: 2, rho-inf: 1, law: fremond}"
                    : "scheme={name: generalized-alpha-constrained, strategy: 2, rho-inf: 1, law: newton}",
            NULL};
        play self;
        double first[2] = {0.0}, worst = 0.0;
        open_play(&self, "stick/stick.yaml", set);
        for (int k = 0; k < 2000; k++) {
            assert_ok(self.ctx, rico_simulation_step(self.sim, 1e-4));
            const double *p = rico_simulation_impulse(self.sim);
            if (first[0] == 0.0) memcpy(first, p, sizeof first);
            worst = fmax(worst, fabs(rico_simulation_ledger(self.sim)->residual));
            if (fremond) assert_at_most(rico_simulation_ledger(self.sim)->tangential, 1e-15);
        }
        assert_near(first[0], fremond ? .3686570049 : .3730752792, 1e-6);
        assert_near(first[1], fremond ? .0036865700 : -.0037307528, 1e-8);
        assert_near(rico_simulation_ledger_total(self.sim)->tangential,
                    fremond ? -1.3001436910e-3 : 1.1289854486e-4, 1e-8);
        assert_near(rico_simulation_ledger_total(self.sim)->normal, 0.0, 1e-15);
        assert_at_most(worst, 1e-14);
        close_play(&self);
    }
}


// --- the rest --------------------------------------------------------------------------------------------------------

// A saved state goes on bit for bit, whatever the simulation that loads it did before.
static void resumes(void **state)
{
    (void)state;
    play one, two;
    double worst[4];
    open_play(&one, BOUNCING, NULL);
    open_play(&two, BOUNCING, NULL);
    go(&one, 486, 1e-3, 2, worst); // into the first impact
    go(&two, 100, 1e-3, 2, worst);
    int64_t size = rico_simulation_state_size(one.sim);
    void *bytes = malloc((size_t)size);
    rico_simulation_save(one.sim, bytes);
    assert_ok(two.ctx, rico_simulation_load(two.sim, bytes, size));
    go(&one, 1500, 1e-3, 2, worst);
    go(&two, 1500, 1e-3, 2, worst);
    assert_true(rico_simulation_hash(one.sim) == rico_simulation_hash(two.sim));
    free(bytes);
    close_play(&one);
    close_play(&two);
}


static void refuses(void **state)
{
    (void)state;
    static const struct {
        const char *set, *sentence;
    } CASES[] = {{"scheme.levels=P", "takes joints alone, and there are contacts"},
                 {"scheme.alpha-m=0.2", "all four of alpha-m, alpha-f, beta and gamma"}};
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        const char *const set[] = {CASES[k].set, NULL};
        play self;
        assert_true(try_open(&self, BOUNCING, set) != RICO_OK);
        if (!strstr(rico_message(self.ctx), CASES[k].sentence)) fail_msg("%s", rico_message(self.ctx));
        close_play(&self);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(variants),  cmocka_unit_test(no_drift),
                                       cmocka_unit_test(orders),    cmocka_unit_test(disturbed),
                                       cmocka_unit_test(redundant), cmocka_unit_test(driven),
                                       cmocka_unit_test(bouncing),  cmocka_unit_test(order_across_impacts),
                                       cmocka_unit_test(lets_go),   cmocka_unit_test(slides),
                                       cmocka_unit_test(stick),     cmocka_unit_test(resumes),
                                       cmocka_unit_test(refuses)};
    return cmocka_run_group_tests_name("constrained generalized-alpha", tests, NULL, NULL);
}
