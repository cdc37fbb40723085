// A mass on a spring that strikes the ground, under every scheme (Acary 2016): the exact motion, orders of convergence,
// the identity and the signs of its terms at every step.

#include "moving_schemes.h"
#include "oscillator.h"
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


// The motion, checked by its own equations: energy between impacts, and v+ = -e v- at the first, which comes after a
// phase of 2 pi/3 where the ground is at half the amplitude.
static void exact_motion(void **state)
{
    (void)state;
    const oscillator free = {2.0, 10.0, 0.5, 1.0, 0.0}, hits = {2.0, 0.5, 0.5, 1.0, 0.0};
    double q, v;
    oscillator_at(&free, 0.7, &q, &v);
    assert_near(q, cos(1.4), 1e-15);
    assert_near(v, -2.0 * sin(1.4), 1e-15);

    double t = M_PI / 3.0, speed = 2.0 * sin(2.0 * M_PI / 3.0);
    oscillator_at(&hits, t - 1e-9, &q, &v);
    assert_near(q, -0.5, 1e-8);
    assert_near(v, -speed, 1e-8);
    oscillator_at(&hits, t + 1e-9, &q, &v);
    assert_near(q, -0.5, 1e-8);
    assert_near(v, 0.5 * speed, 1e-8);

    // q' = v between impacts, by differences
    for (int i = 0; i < 100; i++) {
        double at = 0.1 * i + 0.05, before, after, ignored;
        oscillator_at(&hits, at, &q, &v);
        oscillator_at(&hits, at - 1e-6, &before, &ignored);
        oscillator_at(&hits, at + 1e-6, &after, &ignored);
        assert_true(q >= -0.5 - 1e-12);
        assert_near((after - before) / 2e-6, v, 1e-8);
    }
}


// One study: a scheme, its option, the motion.
typedef struct subject {
    rico_context *ctx;
    const char *scheme, *option;
    double value;
    oscillator motion;
    rico_system *system;
} subject;


static rico_status create(void *user, double h, rico_simulation **sim)
{
    (void)h;
    subject *self = user;
    const oscillator *motion = &self->motion;
    self->system =
        bouncing_oscillator(self->ctx, motion->omega * motion->omega, 0.0, motion->offset, motion->e);
    rico_status status = rico_simulation_create(self->system, self->scheme, sim);
    if (status == RICO_OK && self->option)
        status = rico_simulation_set_number(*sim, self->option, self->value);
    return status == RICO_OK ? rico_simulation_start(*sim, 0.0, &motion->q, &motion->v) : status;
}


static void destroy(void *user, rico_simulation *sim)
{
    subject *self = user;
    rico_simulation_destroy(sim);
    rico_system_destroy(self->system);
}


static bool exact(void *user, double t, double *q, double *v)
{
    const subject *self = user;
    oscillator_at(&self->motion, t, q, v);
    return true;
}


static const struct {
    const char *scheme, *option;
    double value, order; // of a smooth motion
} SCHEMES[] = {
    {"moreau-jean", "theta", 0.5, 2},
    {"moreau-jean", "theta", 0.7, 1},
    {"moreau-jean-variant", "theta", 0.7, 1},
    {"moreau-jean-fremond", "theta", 0.5, 2},
    {"newmark", "gamma", 0.5, 2},
    {"newmark", "gamma", 0.6, 1},
    {"hht", "alpha", 0.1, 2},
    {"hht", "alpha", 0.3, 2},
    {"generalized-alpha", "rho-inf", 1.0, 2},
    {"generalized-alpha", "rho-inf", 0.5, 2},
    {"generalized-alpha", "rho-inf", 0.0, 2},
    {"kh-generalized-alpha", "rho-inf", 0.8, 2},
    {"kh-generalized-alpha", "rho-inf", 0, 2},
};
enum { SCHEME_COUNT = sizeof SCHEMES / sizeof *SCHEMES, STEPS = 5 };


// Without impacts each scheme has the order of its smooth parent, in every norm, for positions and velocities.
static void smooth_orders(void **state)
{
    subject self = {.ctx = *state, .motion = {3.0, 10.0, 0.5, 1.0, 0.4}};
    const double h[STEPS] = {0.02, 0.01, 0.005, 0.0025, 0.00125};
    rico_study study = {STEPS, h, 2.0, create, destroy, exact, &self};
    rico_study_row rows[STEPS];
    rico_orders orders;
    for (int s = 0; s < SCHEME_COUNT; s++) {
        self.scheme = SCHEMES[s].scheme;
        self.option = SCHEMES[s].option;
        self.value = SCHEMES[s].value;
        assert_ok(self.ctx, rico_study_run(self.ctx, &study, rows, &orders));
        const rico_errors *both[] = {&orders.position, &orders.velocity};
        for (int i = 0; i < 2; i++) {
            assert_near(both[i]->uniform, SCHEMES[s].order, 0.1);
            assert_near(both[i]->l1, SCHEMES[s].order, 0.1);
            assert_near(both[i]->l2, SCHEMES[s].order, 0.1);
        }
        assert_true(rows[0].violation.position_max == 0.0);
    }
}


// With impacts all are of first order in positions and in the l1 norm of velocities. A jump that falls into the wrong
// step, which some steps do and others do not, costs |jump| h in l1 and |jump| sqrt(h) in l2; penetration is O(h).
static void impact_orders(void **state)
{
    subject self = {.ctx = *state, .motion = {3.0, 0.3, 0.7, 1.0, 0.4}};
    const double h[STEPS] = {3.7e-3, 1.9e-3, 0.97e-3, 0.48e-3, 0.23e-3};
    rico_study study = {STEPS, h, 2.5, create, destroy, exact, &self};
    rico_study_row rows[STEPS];
    rico_orders orders;
    for (int s = 0; s < SCHEME_COUNT; s++) {
        self.scheme = SCHEMES[s].scheme;
        self.option = SCHEMES[s].option;
        self.value = SCHEMES[s].value;
        assert_ok(self.ctx, rico_study_run(self.ctx, &study, rows, &orders));
        assert_near(orders.position.uniform, 1.0, 0.4);
        assert_near(orders.position.l2, 1.0, 0.4);
        assert_near(orders.velocity.l1, 1.0, 0.5);
        for (int i = 0; i < STEPS; i++) {
            assert_at_most(rows[i].position.uniform, 6.0 * rows[i].h);
            assert_at_most(rows[i].velocity.l1, 25.0 * rows[i].h);
            assert_at_most(rows[i].velocity.l2, 8.0 * sqrt(rows[i].h));
            assert_at_most(rows[i].violation.position_max,
                           3.2 * rows[i].h); // speeds stay below omega * radius
        }
    }
}


// Every scheme of the table at its defaults: the identity at every step, no term that brings energy, and for e = 1 an
// energy that impacts leave alone.
static void every_scheme(void **state)
{
    rico_context *ctx = *state;
    const double q = 1.0, v = 0.4, h = 1e-2;
    const rico_scheme_info *scheme;
    for (int s = 0; (scheme = moving_scheme_at(s)); s++)
        for (int elastic = 0; elastic < 2; elastic++) {
            rico_system *system = bouncing_oscillator(ctx, 9.0, 0.0, 0.3, elastic ? 1.0 : 0.5);
            rico_simulation *sim;
            assert_ok(ctx, rico_simulation_create(system, scheme->name, &sim));
            assert_ok(ctx, rico_simulation_start(sim, 0.0, &q, &v));
            double impulses = 0.0, projected = 0.0;
            bool proved = strncmp(scheme->name, "moreau-jean", 11) == 0 ||
                          strcmp(scheme->name, "newmark") == 0 || strcmp(scheme->name, "hht") == 0 ||
                          (strstr(scheme->name, "generalized-alpha") && !scheme->levels);
            for (int k = 0; k < 1000; k++) {
                assert_ok(ctx, rico_simulation_step(sim, h));
                const rico_ledger *ledger = rico_simulation_ledger(sim);
                if (scheme->identity) assert_at_most(fabs(ledger->residual), 1e-12 * energy_scale(ledger));
                impulses += rico_simulation_impulse(sim)[0];
                projected -= ledger->projection;
                if (!proved) continue;
                assert_at_most(ledger->normal, 1e-14);
                if (elastic) assert_at_most(-ledger->normal, 1e-14);
                for (int i = 0; k > 0 && i < RICO_NUMERICAL_TERMS; i++)
                    assert_at_most(ledger->numerical[i], 1e-15);
            }
            // a stabilised predictor leaves nothing of a lone mass to the contact force: the projection stops it
            bool stabilised = strcmp(scheme->name, "contact-stabilized") == 0;
            assert_true(stabilised ? projected > 1.0 : impulses > 1.0);
            rico_simulation_destroy(sim);
            rico_system_destroy(system);
        }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_motion),
        cmocka_unit_test_setup_teardown(smooth_orders, setup, teardown),
        cmocka_unit_test_setup_teardown(impact_orders, setup, teardown),
        cmocka_unit_test_setup_teardown(every_scheme, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
