// Mechanisms under the default of scenes with joints: energy, redundant rows, singular positions, contacts, and what must not change.

#include "one_context.h"

#include "ricochet/simulation.h"
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static char heard[2048];

static void hear(void *user, rico_log_level level, const char *text)
{
    (void)user;
    if (level == RICO_LOG_WARNING) snprintf(heard, sizeof heard, "%s", text);
}


typedef struct play {
    rico_scene *scene;
    rico_simulation *sim;
    double start, worst, open, residual; // energy less the work of loads; its largest change; joints; books
} play;


static void open_play(play *self, const char *text, const char *scheme)
{
    char set[128];
    const char *const overrides[] = {set};
    memset(self, 0, sizeof *self);
    heard[0] = '\0';
    rico_context_set_log(ctx, hear, NULL, RICO_LOG_WARNING);
    snprintf(set, sizeof set, "scheme=%s", scheme ? scheme : "");
    assert_ok(ctx, rico_scene_parse(ctx, "s", text, (int64_t)strlen(text), scheme != NULL, overrides, NULL, 0,
                                    &self->scene));
    assert_ok(ctx, rico_scene_simulate(self->scene, &self->sim));
    const rico_ledger *total = rico_simulation_ledger_total(self->sim);
    self->start = total->kinetic + total->potential;
}


static void go(play *self, double h, int64_t steps)
{
    const double *gap;
    for (int64_t k = 0; k < steps; k++) {
        assert_ok(ctx, rico_simulation_step(self->sim, h));
        const rico_ledger *total = rico_simulation_ledger_total(self->sim);
        double energy =
            total->kinetic + total->potential - total->external - total->normal - total->tangential;
        self->worst = fmax(self->worst, fabs(energy - self->start));
        self->residual = fmax(self->residual, fabs(rico_simulation_ledger(self->sim)->residual));
        assert_ok(ctx, rico_simulation_gap(self->sim, &gap));
        for (int64_t c = 0; c < rico_simulation_constraints(self->sim); c++) {
            rico_constraint_info info = rico_simulation_constraint(self->sim, c);
            for (int64_t i = info.row; info.joint && i < info.row + info.rows; i++)
                self->open = fmax(self->open, fabs(gap[i]));
        }
    }
}


static void close_play(play *self)
{
    rico_simulation_destroy(self->sim);
    rico_scene_destroy(self->scene);
    rico_context_set_log(ctx, NULL, NULL, RICO_LOG_WARNING);
}


// Pendulums of a body in the plane and in space and of a point on a formula, 100 s at h = 1e-2: no scheme is named.
static void pendulums(void **state)
{
    (void)state;
    static const char *const SCENES[] = {
        "bodies: {rod: {position: [2, 0], mass: 1, inertia: 0.1}}\n"
        "joints: {pin: {kind: revolute, between: [world, rod], at: [0, 0]}}\n"
        "gravity: [0, -9.81]\ntime: {end: 100, step: 1e-2}\n",
        "bodies: {rod: {position: [2, 0, 0], mass: 1, inertia: [0.04, 0.1, 0.1]}}\n"
        "joints: {pin: {kind: revolute, between: [world, rod], at: [0, 0, 0], axis: [0, 1, 0]}}\n"
        "gravity: [0, 0, -9.81]\ntime: {end: 100, step: 1e-2}\n",
        "parts: {bob: {coordinates: [x, y], mass: [1, 1], potential: 9.81*y}}\n"
        "joints: {rod: {equations: [\"x^2 + y^2 - 1\"]}}\n"
        "initial: {position: {x: 1, y: 0}}\ntime: {end: 100, step: 1e-2}\n"};
    for (int k = 0; k < 3; k++) {
        play self;
        open_play(&self, SCENES[k], NULL);
        assert_string_equal(rico_scene_scheme(self.scene), "midpoint-joints");
        go(&self, 1e-2, 10000);
        assert_at_most(self.worst, 1e-11 * 9.81);
        assert_at_most(self.open, 2e-15);
        assert_at_most(self.residual, 1e-12);
        close_play(&self);
    }
}


#define ROD(name, x)                                                                                         \
    "  " name ": {position: [" x                                                                             \
    ", 0.5], rotation: 90, velocity: [0.5, 0], spin: -1, mass: 1, inertia: 1/12}\n"
#define BAR(name, x) "  " name ": {position: [" x ", 1], velocity: [1, 0], mass: 1, inertia: 1/12}\n"
#define PIN(name, a, b, x, y) "  " name ": {kind: revolute, between: [" a ", " b "], at: [" x ", " y "]}\n"
static const char FOUR_BARS[] = "bodies:\n" ROD("v0", "0") ROD("v1", "1") ROD("v2", "2") BAR("h0", "0.5")
    BAR("h1", "1.5") "joints:\n" PIN("A0", "world", "v0", "0", "0") PIN("A1", "world", "v1", "1", "0")
        PIN("A2", "world", "v2", "2", "0") PIN("B0", "v0", "h0", "0", "1") PIN("C0", "h0", "v1", "1", "1")
            PIN("B1", "v1", "h1", "1", "1")
                PIN("C1", "h1", "v2", "2", "1") "gravity: [0, -9.81]\ntime: {end: 20, step: 1e-2}\n";


// Two four-bars turn over and over; rods stay parallel through every position in which joints lose rank, also where steps end in it.
static void four_bars(void **state)
{
    (void)state;
    static const struct {
        double h;
        int steps;
        double parallel;
    } CASES[] = {{1e-2, 2000, 1e-10},
                 {5e-3, 1000, 1e-9},
                 {1e-3, 1500, 1e-9},
                 {0.7143555292929605 / 50, 300, 1e-8},
                 {0.7143555292929605 / 100, 500, 1e-8},
                 {0.7143555292929605 / 1000, 1800, 1e-8}};
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        play self;
        double apart = 0.0;
        open_play(&self, FOUR_BARS, NULL);
        for (int n = 0; n < CASES[k].steps; n++) {
            go(&self, CASES[k].h, 1);
            const double *q = rico_simulation_position(self.sim);
            apart = fmax(apart, fmax(fabs(sin(q[2] - q[5])), fabs(sin(q[2] - q[8]))));
        }
        assert_at_most(apart, CASES[k].parallel);
        assert_at_most(self.worst, 1e-9 * 70.0);
        assert_at_most(self.open, 1e-11);
        close_play(&self);
    }
}


#define HINGE(name, a, b, at, axis)                                                                          \
    "  " name ": {kind: revolute, between: [" a ", " b "], at: [" at "], axis: [" axis "]}\n"
static const char BRICARD[] =
    "parameters: {l: 0.02/12, c: 1.01/12}\n"
    "bodies:\n"
    "  r1: {position: [0.5, 0, 0], mass: 1, inertia: [l, c, c]}\n"
    "  r2: {position: [1, -0.5, 0], mass: 1, inertia: [c, l, c]}\n"
    "  r3: {position: [1, -1, 0.5], mass: 1, inertia: [c, c, l]}\n"
    "  r4: {position: [0.5, -1, 1], mass: 1, inertia: [l, c, c]}\n"
    "  r5: {position: [0, -0.5, 1], mass: 1, inertia: [c, l, c]}\n"
    "joints:\n" HINGE("P0", "world", "r1", "0, 0, 0", "0, 1, 0") HINGE("P1", "r1", "r2", "1, 0, 0", "0, 0, 1")
        HINGE("P2", "r2", "r3", "1, -1, 0", "1, 0, 0") HINGE("P3", "r3", "r4", "1, -1, 1", "0, 1, 0")
            HINGE("P4", "r4", "r5", "0, -1, 1", "0, 0, 1")
                HINGE("P5", "world", "r5", "0, 0, 1",
                      "1, 0, 0") "gravity: [0, -9.81, 0]\ntime: {end: 1, step: 5e-3}\n";


// Five rods on six hinges: one of 30 rows follows from the others, and is named.
static void bricard(void **state)
{
    (void)state;
    play self;
    open_play(&self, BRICARD, NULL);
    assert_non_null(strstr(heard, "1 of the 30 rows of joints follow from the others (row "));
    assert_non_null(strstr(heard, " of P5, a torque about ("));
    go(&self, 5e-3, 200);
    const double *q = rico_simulation_position(self.sim) + 14;
    double corner[3] = {q[0] + q[4] * q[6] + q[3] * q[5], q[1] + q[5] * q[6] - q[3] * q[4],
                        q[2] + 0.5 - q[4] * q[4] - q[5] * q[5]};
    assert_near(corner[0], 0.51050146119, 2e-4);
    assert_near(corner[1], -1.64916759940, 2e-4);
    assert_near(corner[2], 0.14012311455, 2e-4);
    assert_at_most(self.open, 1e-14);
    assert_at_most(self.worst, 1e-10);
    assert_at_most(self.residual, 1e-11);
    close_play(&self);
}


// A pin that is said twice: the same motion, named, and half of the force in each, in every scheme that takes joints.
static void doubled(void **state)
{
    (void)state;
    static const char *const SCHEMES[] = {NULL, "midpoint-projection", "moreau-jean-projected",
                                          "generalized-alpha-constrained", "moreau-jean"};
    static const char HEAD[] = "bodies: {rod: {position: [2, 0], mass: 1, inertia: 0.1}}\njoints:\n"
                               "  pin: {kind: revolute, between: [world, rod], at: [0, 0]}\n",
                      AGAIN[] = "  again: {kind: revolute, between: [world, rod], at: [0, 0]}\n",
                      TAIL[] = "gravity: [0, -9.81]\ntime: {end: 1, step: 1e-2}\n";
    char once[512], twice[512];
    snprintf(once, sizeof once, "%s%s", HEAD, TAIL);
    snprintf(twice, sizeof twice, "%s%s%s", HEAD, AGAIN, TAIL);
    for (size_t k = 0; k < sizeof SCHEMES / sizeof *SCHEMES; k++) {
        play one, two;
        open_play(&one, once, SCHEMES[k]);
        assert_string_equal(heard, "");
        open_play(&two, twice, SCHEMES[k]);
        assert_non_null(strstr(heard, "2 of the 4 rows of joints follow from the others (row 0 of again"));
        go(&one, 1e-2, 100);
        go(&two, 1e-2, 100);
        for (int i = 0; i < 3; i++)
            assert_near(rico_simulation_position(two.sim)[i], rico_simulation_position(one.sim)[i], 1e-10);
        for (int i = 0; i < 4; i++)
            assert_near(rico_simulation_impulse(two.sim)[i], 0.5 * rico_simulation_impulse(one.sim)[i % 2],
                        1e-8);
        close_play(&one);
        close_play(&two);
    }
}


// A ball beside a pendulum flies as if it were alone, and two bodies on a hinge keep the momentum that they have.
static void others(void **state)
{
    (void)state;
    play self;
    open_play(&self,
              "bodies:\n  rod: {position: [2, 0], mass: 1, inertia: 0.1}\n"
              "  ball: {position: [9, 0], velocity: [1, 3], mass: 2, inertia: 0.3, spin: 5}\n"
              "joints: {pin: {kind: revolute, between: [world, rod], at: [0, 0]}}\n"
              "gravity: [0, -9.81]\ntime: {end: 1, step: 1e-2}\n",
              NULL);
    go(&self, 1e-2, 100);
    assert_near(rico_simulation_position(self.sim)[3], 10.0, 1e-13);
    assert_near(rico_simulation_position(self.sim)[4], 3.0 - 0.5 * 9.81, 1e-12);
    assert_near(rico_simulation_velocity(self.sim)[5], 5.0, 1e-14);
    close_play(&self);

    open_play(&self,
              "bodies:\n  a: {position: [0, 0, 0], velocity: [0, 1, 0], mass: 1, inertia: [0.1, 0.2, 0.3]}\n"
              "  b: {position: [1, 0, 0], velocity: [0, 3, 0], spin: [0, 0, 2], mass: 3, inertia: [0.3, 0.2, "
              "0.4]}\n"
              "joints: {hinge: {kind: spherical, between: [a, b], at: [0, 0, 0]}}\n"
              "time: {end: 1, step: 1e-2}\n",
              NULL);
    go(&self, 1e-2, 100);
    const double *v = rico_simulation_velocity(self.sim);
    assert_near(v[0] + 3.0 * v[6], 0.0, 1e-12);
    assert_near(v[1] + 3.0 * v[7], 10.0, 1e-12);
    assert_at_most(self.open, 1e-14);
    close_play(&self);
}


// A rod on a pin falls on a floor with friction and comes to rest on it: joints hold to round-off through impacts and contact, nothing
// is entered, energy is never gained and the books close.
static void landing(void **state)
{
    (void)state;
    play self;
    const double *gap;
    double deepest = 0.0, last = INFINITY;
    open_play(&self,
              "materials: {default: {friction: 0.3, restitution: 0.4}}\n"
              "bodies:\n  floor: {fixed: true, position: [0, -1.5], shape: {rectangle: {size: [10, 1]}}}\n"
              "  rod: {position: [1, 0], mass: 1, shape: {rectangle: {size: [2.2, 0.1]}}}\n"
              "  tail: {position: [3, 0], mass: 1, shape: {rectangle: {size: [2.2, 0.1]}}}\n"
              "joints:\n  pin: {kind: revolute, between: [world, rod], at: [0, 0]}\n"
              "  knee: {kind: revolute, between: [rod, tail], at: [2, 0]}\n"
              "gravity: [0, -9.81]\ntime: {end: 4, step: 2e-3}\n",
              NULL);
    for (int n = 0; n < 2000; n++) {
        go(&self, 2e-3, 1);
        assert_ok(ctx, rico_simulation_gap(self.sim, &gap));
        for (int64_t c = 0; c < rico_simulation_constraints(self.sim); c++) {
            rico_constraint_info info = rico_simulation_constraint(self.sim, c);
            if (!info.joint) deepest = fmax(deepest, -gap[info.row]);
        }
        const rico_ledger *total = rico_simulation_ledger_total(self.sim);
        double energy = total->kinetic + total->potential - total->external;
        assert_at_most(energy, last + 1e-4);
        last = energy;
    }
    assert_at_most(deepest, 1e-6);
    assert_at_most(self.open, 1e-13);
    assert_at_most(fabs(rico_simulation_velocity(self.sim)[5]), 0.05);
    close_play(&self);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pendulums), cmocka_unit_test(four_bars), cmocka_unit_test(bricard),
        cmocka_unit_test(doubled),   cmocka_unit_test(others),    cmocka_unit_test(landing),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
