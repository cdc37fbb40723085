// Laws of multiple impacts inside simulations: Moreau-Jean's schemes and event-driven integration.

#include "ricochet/ricochet.h"
#include "support.h"

enum { MOST = 5 };

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


// n balls of mass 1 with the contacts between them; gaps are q[i+1] - q[i].
static rico_system *line_of_balls(rico_context *ctx, int64_t n, double e, double friction)
{
    int64_t start[MOST + 1], row[MOST];
    double one[MOST];
    for (int64_t i = 0; i < n; i++) {
        start[i] = row[i] = i;
        one[i] = 1.0;
    }
    start[n] = n;
    rico_system *system = NULL;
    rico_matrix_part part = {.size = n, .M = {n, n, start, row, one}};
    assert_ok(ctx, rico_system_create(ctx, &system));
    assert_ok(ctx, rico_system_add_matrices(system, "balls", &part, NULL));
    for (int64_t i = 0; i + 1 < n; i++) {
        const int64_t dof[] = {i, i + 1};
        const double gradient[] = {-1.0, 1.0, 0.0, 1.0};
        char name[16];
        snprintf(name, sizeof name, "c%d", (int)i);
        rico_contact contact = {.dimension = friction > 0.0 ? 2 : 1,
                                .restitution = e,
                                .friction = friction,
                                .reach = {2, dof},
                                .gradient = gradient};
        assert_ok(ctx, rico_system_add_contact(system, name, &contact, NULL));
    }
    return system;
}


static rico_simulation *simulate(rico_context *ctx, rico_system *system, const char *law, const double *q,
                                 const double *v)
{
    rico_simulation *sim = NULL;
    assert_ok(ctx, rico_simulation_create(system, "moreau-jean", &sim));
    if (law) assert_ok(ctx, rico_simulation_set_impact(sim, law, NULL));
    assert_ok(ctx, rico_simulation_start(sim, 0.0, q, v));
    return sim;
}


// Without forces the step is the law (P14), whatever the law; impulses and works are those of its result.
static void test_one_step(void **state)
{
    rico_context *ctx = *state;
    const double q[5] = {0.0}, v[5] = {1.0};
    for (int k = 0; rico_impact_law_at(k); k++) {
        const char *name = rico_impact_law_at(k)->name;
        rico_system *system = line_of_balls(ctx, 5, 0.9, 0.0);
        rico_simulation *sim = simulate(ctx, system, name, q, v);
        rico_impact *impact = NULL;
        rico_impact_law *law = NULL;
        rico_impact_result result;
        assert_ok(ctx, rico_impact_create_at(system, 0.0, q, 0.0, &impact));
        assert_ok(ctx, rico_impact_law_create(ctx, name, &law));
        assert_ok(ctx, rico_impact_law_setup(law, impact));
        assert_ok(ctx, rico_impact_law_apply(law, v, &result));
        assert_ok(ctx, rico_simulation_step(sim, 1e-3));
        for (int64_t i = 0; i < 5; i++)
            assert_near(rico_simulation_velocity(sim)[i], result.velocity[i], 2e-6); // start-tol of lzb
        for (int64_t j = 0; j < 4; j++) {
            assert_near(rico_simulation_impulse(sim)[j], result.impulse[j], 2e-6);
            assert_near(rico_simulation_normal_work(sim)[j], -result.loss[j], 2e-6);
            assert_near(rico_simulation_velocity_before(sim)[j], j == 0 ? -1.0 : 0.0, 0.0);
        }
        const rico_ledger *ledger = rico_simulation_ledger(sim);
        // all but the springs without a damper lose energy
        bool keeps =
            strcmp(name, "linear") == 0 || strcmp(name, "hertz") == 0 || strcmp(name, "elastic") == 0;
        if (!keeps) assert_true(ledger->normal < -0.04);
        assert_near(ledger->residual, 0.0, 1e-14);
        assert_near(ledger->kinetic - 0.5, ledger->normal, 1e-14);

        // the balls are on their way: nothing more happens
        for (int n = 0; n < 20; n++) assert_ok(ctx, rico_simulation_step(sim, 1e-3));
        for (int64_t i = 0; i < 5; i++)
            assert_near(rico_simulation_velocity(sim)[i], result.velocity[i], 2e-6);
        rico_impact_law_destroy(law);
        rico_impact_destroy(impact);
        rico_simulation_destroy(sim);
        rico_system_destroy(system);
    }
}


// Gaps far smaller than a step: balls that the first blow would drive into the next are met in the same step.
static void test_small_gaps(void **state)
{
    rico_context *ctx = *state;
    const double q[4] = {0.0, 1e-5, 2e-5, 3e-5}, v[4] = {1.0};
    rico_system *system = line_of_balls(ctx, 4, 1.0, 0.0);
    rico_simulation *sim = simulate(ctx, system, "lzb", q, v);
    assert_ok(ctx, rico_simulation_step(sim, 1e-2));
    // taken one by one elastic balls of equal mass hand the velocity on
    for (int64_t i = 0; i < 4; i++) assert_near(rico_simulation_velocity(sim)[i], i == 3 ? 1.0 : 0.0, 1e-3);
    assert_near(rico_simulation_ledger(sim)->residual, 0.0, 1e-14);
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
}


static rico_system *ball_on_ground(rico_context *ctx, double e)
{
    const int64_t start[] = {0, 1}, row[] = {0};
    const double one = 1.0, weight = -9.81;
    rico_system *system = NULL;
    rico_matrix_part part = {.size = 1, .M = {1, 1, start, row, &one}, .force = &weight};
    assert_ok(ctx, rico_system_create(ctx, &system));
    assert_ok(ctx, rico_system_add_matrices(system, "ball", &part, NULL));
    rico_contact contact = {.dimension = 1, .restitution = e, .reach = {1, &(int64_t){0}}, .gradient = &one};
    assert_ok(ctx, rico_system_add_contact(system, "ground", &contact, NULL));
    return system;
}


// One contact alone: Moreau's law at the start of a step bounces as the scheme does, comes to rest, and stays there.
static void test_bouncing_ball(void **state)
{
    rico_context *ctx = *state;
    const double q = 1.0, v = 0.0, h = 1e-4;
    rico_system *a = ball_on_ground(ctx, 0.5), *b = ball_on_ground(ctx, 0.5);
    rico_simulation *plain = simulate(ctx, a, NULL, &q, &v), *law = simulate(ctx, b, "moreau", &q, &v);
    double worst = 0.0;
    for (int n = 0; n < 20000; n++) {
        assert_ok(ctx, rico_simulation_step(plain, h));
        assert_ok(ctx, rico_simulation_step(law, h));
        worst = fmax(worst, fabs(rico_simulation_position(law)[0] - rico_simulation_position(plain)[0]));
    }
    assert_at_most(worst, 50.0 * h);
    // bounces end at sqrt(2/g) (1 + e)/(1 - e) = 1.35 s
    assert_near(rico_simulation_velocity(law)[0], 0.0, 1e-10);
    assert_near(rico_simulation_impulse(law)[0], 9.81 * h, 1e-12);
    const rico_ledger *total = rico_simulation_ledger_total(law);
    assert_near(total->residual, 0.0, 1e-11);
    rico_simulation_destroy(plain);
    rico_simulation_destroy(law);
    rico_system_destroy(a);
    rico_system_destroy(b);
}


// An adaptive run sees the blow of the law and closes in on it.
static void test_adaptive(void **state)
{
    rico_context *ctx = *state;
    const double q = 1.0, v = 0.0, g = 9.81, fall = sqrt(2.0 / g), dt = 0.8 - fall;
    rico_system *system = ball_on_ground(ctx, 0.5);
    rico_simulation *sim = simulate(ctx, system, "newton", &q, &v);
    rico_run_options options = rico_run_defaults(1e-2);
    rico_run_report report;
    options.adaptive = true;
    options.h_impact = 1e-6;
    assert_ok(ctx, rico_simulation_run(sim, 0.8, &options, NULL, NULL, &report));
    assert_int_equal(report.blows, 1);
    assert_near(rico_simulation_time(sim), 0.8, 0.0);
    assert_near(rico_simulation_velocity(sim)[0], 0.5 * g * fall - g * dt, 1e-4);
    assert_near(rico_simulation_position(sim)[0], 0.5 * g * fall * dt - 0.5 * g * dt * dt, 1e-4);
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
}


// A law without an answer fails the step and leaves the state.
static void test_failure(void **state)
{
    rico_context *ctx = *state;
    const double q[3] = {0.0}, v[3] = {1.0};
    rico_system *system = line_of_balls(ctx, 3, 1.0, 0.0);
    rico_simulation *sim = NULL;
    rico_impact_law *law = NULL;
    assert_ok(ctx, rico_simulation_create(system, "moreau-jean", &sim));
    assert_ok(ctx, rico_simulation_set_impact(sim, "lzb", &law));
    assert_ok(ctx, rico_impact_law_set(law, "max-steps", "10"));
    assert_ok(ctx, rico_simulation_start(sim, 0.0, q, v));
    assert_int_equal(rico_simulation_step(sim, 1e-3), RICO_UNSUPPORTED);
    assert_non_null(strstr(rico_message(ctx), "the law of impact has no answer"));
    assert_non_null(strstr(rico_message(ctx), "10 steps"));
    assert_near(rico_simulation_velocity(sim)[0], 1.0, 0.0);
    assert_near(rico_simulation_time(sim), 0.0, 0.0);
    assert_ok(ctx, rico_impact_law_set(law, "max-steps", "1000000"));
    assert_ok(ctx, rico_simulation_step(sim, 1e-3));
    assert_near(rico_simulation_velocity(sim)[2], 0.9945494, 1e-4);
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
}


static void test_refusals(void **state)
{
    rico_context *ctx = *state;
    rico_simulation *sim = NULL;
    rico_simulation *exact = NULL;
    rico_system *system = line_of_balls(ctx, 3, 1.0, 0.0);
    assert_ok(ctx, rico_simulation_create(system, "moreau-jean", &sim));
    assert_int_equal(rico_simulation_set_impact(sim, "lbz", NULL), RICO_BAD_ARGUMENT);
    rico_simulation_destroy(sim);
    assert_ok(ctx, rico_simulation_create(system, "schatzman-paoli", &sim));
    assert_int_equal(rico_simulation_set_impact(sim, "lzb", NULL), RICO_UNSUPPORTED);
    assert_non_null(strstr(rico_message(ctx), "schatzman-paoli does not take laws"));
    rico_simulation_destroy(sim);
    rico_system_destroy(system);

    system = line_of_balls(ctx, 3, 1.0, 0.3);
    assert_ok(ctx, rico_simulation_create(system, "event-driven", &exact));
    assert_int_equal(rico_simulation_set_impact(exact, "lzb", NULL), RICO_UNSUPPORTED);
    assert_non_null(strstr(rico_message(ctx), "know no friction, and contact c0 has mu = 0.3"));
    rico_simulation_destroy(exact);
    rico_system_destroy(system);

    system = line_of_balls(ctx, 3, 1.5, 0.0);
    assert_ok(ctx, rico_simulation_create(system, "event-driven", &exact));
    assert_int_equal(rico_simulation_set_impact(exact, "lzb", NULL), RICO_UNSUPPORTED);
    assert_non_null(strstr(rico_message(ctx), "contact c0 has e = 1.5"));
    rico_simulation_destroy(exact);
    rico_system_destroy(system);
}


typedef struct diary {
    int impacts;
    double t, impulse[MOST], lost[MOST];
} diary;


static bool note(void *user, rico_simulation *sim)
{
    diary *self = user;
    int64_t count;
    const rico_event *event = rico_simulation_events(sim, &count);
    for (int64_t k = 0; k < count; k++) {
        if (event[k].kind != RICO_EVENT_IMPACT) continue;
        self->impacts++;
        self->t = event[k].t;
        self->impulse[event[k].contact] = event[k].impulse[0];
        self->lost[event[k].contact] = event[k].energy_lost;
    }
    return true;
}


// The first of three balls arrives after 1/4 s at two that touch: one event of two contacts, with LZB's outcome
// (regression numbers of the specification, section 2.3) and the losses of the law at each contact.
static void test_events(void **state)
{
    rico_context *ctx = *state;
    const struct {
        double e, v[3];
    } cases[] = {{1.0, {-0.0709520, 0.0764026, 0.9945494}}, {0.9, {-0.0086119, 0.1041392, 0.9044727}}};
    const double q[3] = {-0.25}, v[3] = {1.0};
    for (int k = 0; k < 2; k++) {
        rico_system *system = line_of_balls(ctx, 3, cases[k].e, 0.0);
        rico_simulation *exact = NULL;
        const rico_run_options options = rico_run_defaults(0.1);
        rico_impact_law *law = NULL;
        diary seen = {0};
        assert_ok(ctx, rico_simulation_create(system, "event-driven", &exact));
        assert_ok(ctx, rico_simulation_set_impact(exact, "lzb", &law));
        assert_ok(ctx, rico_impact_law_set(law, "step", "1e-4"));
        assert_ok(ctx, rico_simulation_start(exact, 0.0, q, v));
        assert_ok(ctx, rico_simulation_run(exact, 1.0, &options, note, &seen, NULL));
        const double *after = rico_simulation_velocity(exact);
        double energy = 0.0;
        for (int i = 0; i < 3; i++) {
            assert_near(after[i], cases[k].v[i], 1e-4);
            energy += 0.5 * after[i] * after[i];
        }
        assert_int_equal(seen.impacts, 2);
        assert_near(seen.t, 0.25, 1e-9);
        assert_near(seen.impulse[0], 1.0 - after[0], 1e-12);
        assert_near(seen.impulse[1], after[2], 1e-12);
        assert_near(seen.lost[0] + seen.lost[1], 0.5 - energy, 1e-12);
        if (k == 1) assert_true(seen.lost[0] > 0.02 && seen.lost[1] > 0.02);
        assert_near(rico_simulation_ledger_total(exact)->residual, 0.0, 1e-12);
        assert_near(rico_simulation_ledger_total(exact)->numerical[0], 0.0, 1e-9);
        rico_simulation_destroy(exact);
        rico_system_destroy(system);
    }
}


// With Newton's law, which contacts and laws of impact share, both ways through an event agree.
static void test_events_agree(void **state)
{
    rico_context *ctx = *state;
    const double q[4] = {-0.1, 0.0, 0.0, 0.0}, v[4] = {1.0, 0.1, 0.1, 0.1};
    double end[2][4];
    for (int k = 0; k < 2; k++) {
        rico_system *system = line_of_balls(ctx, 4, 0.7, 0.0);
        rico_simulation *exact = NULL;
        const rico_run_options options = rico_run_defaults(0.1);
        assert_ok(ctx, rico_simulation_create(system, "event-driven", &exact));
        if (k == 1) assert_ok(ctx, rico_simulation_set_impact(exact, "newton", NULL));
        assert_ok(ctx, rico_simulation_start(exact, 0.0, q, v));
        assert_ok(ctx, rico_simulation_run(exact, 1.0, &options, NULL, NULL, NULL));
        memcpy(end[k], rico_simulation_velocity(exact), sizeof end[k]);
        rico_simulation_destroy(exact);
        rico_system_destroy(system);
    }
    for (int i = 0; i < 4; i++) assert_near(end[1][i], end[0][i], 1e-9);
    assert_true(end[0][0] < 0.2);
}


// Moeller and Glocker's two stages, the impact first and impact-free motion after it: with theta = 1/2 and linear springs the
// energy changes by the loss of the impact alone, for elastic and partly elastic blows, and never grows.
static void test_two_stages(void **state)
{
    rico_context *ctx = *state;
    const int64_t start[] = {0, 1, 2, 3}, row[] = {0, 1, 2}, ends[][2] = {{0, 1}, {1, 2}};
    const double mass[] = {1.0, 2.0, 1.0}, spring[] = {9.0, 16.0, 25.0}, gradient[] = {-1.0, 1.0};
    const double q[] = {-0.3, 0.05, 0.2}, v[] = {0.4, -0.2, 0.0};
    for (int k = 0; k < 2; k++) {
        rico_system *system = NULL;
        rico_simulation *sim = NULL;
        rico_matrix_part part = {.size = 3, .M = {3, 3, start, row, mass}, .K = {3, 3, start, row, spring}};
        assert_ok(ctx, rico_system_create(ctx, &system));
        assert_ok(ctx, rico_system_add_matrices(system, "balls", &part, NULL));
        for (int c = 0; c < 2; c++) {
            rico_contact contact = {.dimension = 1,
                                    .restitution = k == 0 ? 1.0 : 0.6,
                                    .reach = {2, ends[c]},
                                    .gradient = gradient};
            assert_ok(ctx, rico_system_add_contact(system, c == 0 ? "a" : "b", &contact, NULL));
        }
        assert_ok(ctx, rico_simulation_create(system, "moreau-jean", &sim));
        assert_ok(ctx, rico_simulation_set_number(sim, "theta", 0.5));
        assert_ok(ctx, rico_simulation_set_impact(sim, "newton", NULL));
        assert_ok(ctx, rico_simulation_start(sim, 0.0, q, v));
        double energy = 0.5 * (0.16 + 2.0 * 0.04) + 0.5 * (9.0 * 0.09 + 16.0 * 0.0025 + 25.0 * 0.04),
               first = energy;
        int blows = 0;
        for (int n = 0; n < 6000; n++) {
            assert_ok(ctx, rico_simulation_step(sim, 1e-3));
            const rico_ledger *ledger = rico_simulation_ledger(sim);
            double now = ledger->kinetic + ledger->potential;
            assert_near(now - energy, ledger->normal, 1e-13);
            assert_at_most(ledger->normal, 1e-13);
            blows += rico_simulation_impulse(sim)[0] > 0.0 || rico_simulation_impulse(sim)[1] > 0.0;
            energy = now;
        }
        assert_true(blows > 3);
        if (k == 0) assert_near(energy, first, 1e-11);
        if (k == 1) assert_true(energy < 0.9 * first);
        rico_simulation_destroy(sim);
        rico_system_destroy(system);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_step),      cmocka_unit_test(test_small_gaps),
        cmocka_unit_test(test_bouncing_ball), cmocka_unit_test(test_failure),
        cmocka_unit_test(test_refusals),      cmocka_unit_test(test_events),
        cmocka_unit_test(test_events_agree),  cmocka_unit_test(test_adaptive),
        cmocka_unit_test(test_two_stages),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
