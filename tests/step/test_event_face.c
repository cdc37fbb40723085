// The event-driven scheme behind the face of all schemes: steps of any length, saved states, ledger, refusals, contacts that
// come and go; and the events that schemes of time stepping report.

#include "belt.h"
#include "diary.h"
#include "moving_schemes.h"
#include "ricochet/source.h"

#include <pthread.h>

// Works of a step are those along relative velocities; the belt's own stand apart. It sticks until t = mu/w, pulled by x = w t,
// and then slides with the friction mu.
static void belt_ledger(void **state)
{
    rico_context *ctx = *state;
    double w = 0.5;
    const double mu = 0.8, q[] = {0.0, 0.0}, v[] = {0.0, 0.5}, t_end = 3.0, slip = mu / w;
    rico_system *system = block_on_belt(ctx, &w, mu);
    rico_simulation *exact = start(ctx, system, q, v);
    assert_ok(ctx, run_to(exact, t_end, NULL));
    const rico_ledger *total = rico_simulation_ledger_total(exact);
    double pulled = 0.5 * w * slip * slip + mu * (t_end - slip), s = t_end - slip;
    double way = 0.5 * sin(s) - w * s; // along the belt
    assert_near(total->obstacle, w * pulled, 1e-9);
    assert_near(total->tangential, mu * way, 1e-9);
    assert_near(total->normal, 0.0, 1e-12);
    assert_near(total->external, 0.0, 1e-12);
    assert_ledger(exact, 1e-9);
    const rico_ledger *last = rico_simulation_ledger(exact);
    assert_near(last->obstacle, w * mu * t_end / 13.0, 1e-9);
    assert_near(rico_simulation_impulse(exact)[0], t_end / 13.0, 1e-9);
    assert_near(rico_simulation_impulse(exact)[1], mu * t_end / 13.0, 1e-9);
    assert_near(rico_simulation_normal_work(exact)[0] + rico_simulation_tangential_work(exact)[0],
                last->normal + last->tangential, 1e-15);
    rico_simulation_destroy(exact);
    rico_system_destroy(system);
}


// --- saved states

// A run that is saved after every step and taken up by another simulation has the bits of one that is not.
static void resume_one(rico_context *ctx, rico_system *system, const double *q, const double *v, double h,
                       int steps)
{
    rico_simulation *whole, *piece = NULL;
    assert_ok(ctx, rico_simulation_create(system, "event-driven", &whole));
    if (rico_simulation_start(whole, 0.0, q, v) != RICO_OK) {
        rico_simulation_destroy(whole);
        return;
    }
    assert_ok(ctx, rico_simulation_create(system, "event-driven", &piece));
    assert_ok(ctx, rico_simulation_start(piece, 0.0, q, v));
    for (int k = 0; k < steps; k++) {
        int64_t size = rico_simulation_state_size(piece), count, again;
        char *bytes = malloc((size_t)size), *end = malloc((size_t)size);
        rico_simulation_save(piece, bytes);
        rico_simulation_destroy(piece);
        assert_ok(ctx, rico_simulation_create(system, "event-driven", &piece));
        assert_ok(ctx, rico_simulation_load(piece, bytes, size));
        rico_status status = rico_simulation_step(whole, h);
        assert_int_equal(rico_simulation_step(piece, h), status);
        rico_simulation_save(whole, bytes);
        rico_simulation_save(piece, end);
        assert_memory_equal(bytes, end, (size_t)size);
        const rico_event *one = rico_simulation_events(whole, &count),
                         *two = rico_simulation_events(piece, &again);
        if (status == RICO_OK) assert_int_equal(count, again);
        for (int64_t e = 0; status == RICO_OK && e < count; e++)
            assert_true(one[e].t == two[e].t && one[e].kind == two[e].kind &&
                        one[e].energy_lost == two[e].energy_lost);
        free(bytes);
        free(end);
        if (status != RICO_OK) break;
    }
    rico_simulation_destroy(whole);
    rico_simulation_destroy(piece);
}


static void resume(void **state)
{
    rico_context *ctx = *state;
    for (int seed = 0; seed < 60; seed += 4) {
        random_system one;
        rico_random random;
        rico_random_seed(&random, (uint64_t)seed);
        random_system_create(ctx, &random, 3 + seed % 6, 1 + (seed / 3) % 3, 1 + seed % 3,
                             seed % 8 ? 0.0 : 0.7, 0.6, seed % 5 == 0, &one);
        resume_one(ctx, one.system, one.q, one.v, 0.13, 15);
        random_system_destroy(&one);
    }
    double w = 0.5;
    const double q[] = {0.0, 2.8}, v[] = {0.0, 0.0};
    rico_system *system = block_on_belt(ctx, &w, 0.8);
    resume_one(ctx, system, q, v, 0.37, 27);
    rico_system_destroy(system);
}


// --- refusals

static void refusals(void **state)
{
    rico_context *ctx = *state;
    rico_system *system = bouncing_ball(ctx, -2.0, 0.5);
    const double q = 1.0, v = 0.0;
    rico_simulation *exact = start(ctx, system, &q, &v);
    rico_run_options options = rico_run_defaults(0.1);
    options.adaptive = true;
    assert_int_equal(rico_simulation_run(exact, 1.0, &options, NULL, NULL, NULL), RICO_UNSUPPORTED);
    assert_non_null(strstr(rico_message(ctx), "event-driven controls its own error"));
    assert_int_equal(rico_simulation_set(exact, "activation", "free"), RICO_BAD_ARGUMENT);
    assert_non_null(strstr(rico_message(ctx), "event-driven has no option \"activation\""));

    // a step that fails leaves everything as it was, events as well
    assert_ok(ctx, rico_simulation_step(exact, 1.7));
    int64_t size = rico_simulation_state_size(exact), count;
    char *before = malloc((size_t)size), *after = malloc((size_t)size);
    rico_simulation_save(exact, before);
    assert_int_equal(rico_simulation_step(exact, 2.0), RICO_UNSUPPORTED);
    assert_non_null(strstr(rico_message(ctx), "step 2 at t = 1.7"));
    assert_non_null(strstr(rico_message(ctx), "contact ground accumulate at t = 3"));
    rico_simulation_save(exact, after);
    assert_memory_equal(before, after, (size_t)size);
    const rico_event *event = rico_simulation_events(exact, &count);
    assert_int_equal(count, 1);
    assert_near(event[0].t, 1.0, 1e-10);
    assert_near(event[0].speed, -2.0, 1e-9);
    assert_ok(ctx, rico_simulation_step(exact, 1.0));
    rico_simulation_events(exact, &count);
    assert_int_equal(count, 2);
    free(before);
    free(after);
    rico_simulation_destroy(exact);
    rico_system_destroy(system);
}


// An impact at the very start is the first step's; the state that was given stays as it is until then.
static void impact_at_start(void **state)
{
    rico_context *ctx = *state;
    rico_system *system = bouncing_ball(ctx, -2.0, 1.0);
    const double q = 0.0, v = -2.0;
    rico_simulation *exact = start(ctx, system, &q, &v);
    int64_t count;
    assert_true(rico_simulation_velocity(exact)[0] == -2.0);
    rico_simulation_events(exact, &count);
    assert_int_equal(count, 0);
    assert_ok(ctx, rico_simulation_step(exact, 0.5));
    const rico_event *event = rico_simulation_events(exact, &count);
    assert_int_equal(count, 1);
    assert_int_equal(event[0].kind, RICO_EVENT_IMPACT);
    assert_true(event[0].t == 0.0);
    assert_near(rico_simulation_position(exact)[0], 0.75, 1e-9);
    assert_near(rico_simulation_impulse(exact)[0], 4.0, 1e-9);
    assert_ledger(exact, 1e-10);
    rico_simulation_destroy(exact);
    rico_system_destroy(system);
}


// --- contacts that come and go

// Floors that a ball may meet: one, of the key 7, is emitted where it is near; others below come in random order and never act.
typedef struct floors {
    rico_random random;
} floors;

static bool emit_floor(rico_emission *out, rico_contact_key key, double gap)
{
    rico_emitted contact = {.key = key,
                            .a = {.part = -1},
                            .b = {.part = 0},
                            .gap = gap,
                            .frame = {0.0, 1.0, 0.0, 1.0, 0.0, 0.0},
                            .dimension = 2,
                            .restitution = 0.5,
                            .friction = 0.3};
    return rico_emit(out, &contact);
}


static bool emit(void *user, void *memory, double t, double h, const double *q, const double *v,
                 rico_emission *out)
{
    (void)memory, (void)t;
    floors *self = user;
    double reach = 0.05 + h * fabs(v[1]) + 5.0 * h * h;
    bool well = true;
    int64_t below = rico_random_below(&self->random, 3);
    for (int64_t k = 0; well && k < below; k++)
        well = emit_floor(out, (rico_contact_key)(100 - 3 * k), q[1] + 1.0 + (double)k);
    if (well && q[1] < reach) well = emit_floor(out, 7, q[1]);
    for (int64_t k = below; well && k < 3; k++)
        well = emit_floor(out, (rico_contact_key)(100 - 3 * k), q[1] + 1.0 + (double)k);
    return well;
}


static rico_system *flying_point(rico_context *ctx, floors *under, bool fixed)
{
    const int64_t column[] = {0, 1, 2}, dof[] = {0, 1};
    const double ones[] = {1.0, 1.0}, weight[] = {0.0, -10.0}, frame[] = {0.0, 1.0, 1.0, 0.0};
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_matrix_part part = {.size = 2, .M = {2, 2, column, dof, ones}, .force = weight, .dimension = 2};
    assert_ok(ctx, rico_system_add_matrices(system, "point", &part, NULL));
    rico_contact contact = {
        .dimension = 2, .restitution = 0.5, .friction = 0.3, .reach = {2, dof}, .gradient = frame};
    rico_contact_source source = {.emit = emit, .user = under};
    if (fixed)
        assert_ok(ctx, rico_system_add_contact(system, "floor", &contact, NULL));
    else
        assert_ok(ctx, rico_system_add_source(system, "floors", &source));
    return system;
}


// The same motion as with a floor that is always there, up to the tolerance; and bit for bit when it is taken up again.
static void sources(void **state)
{
    rico_context *ctx = *state;
    floors one, two;
    rico_random_seed(&one.random, 5);
    rico_random_seed(&two.random, 5);
    const double q[] = {0.0, 1.0}, v[] = {4.0, 0.0}, h = 0.01;
    rico_system *fixed = flying_point(ctx, &one, true), *come = flying_point(ctx, &one, false),
                *twin = flying_point(ctx, &two, false);
    rico_simulation *exact = start(ctx, fixed, q, v), *with = start(ctx, come, q, v),
                    *piece = start(ctx, twin, q, v);
    int hits = 0;
    for (int k = 0; k < 110; k++) {
        int64_t count, size = rico_simulation_state_size(piece);
        char *bytes = malloc((size_t)size);
        rico_simulation_save(piece, bytes);
        assert_ok(ctx, rico_simulation_load(piece, bytes, size));
        free(bytes);
        assert_ok(ctx, rico_simulation_step(exact, h));
        assert_ok(ctx, rico_simulation_step(with, h));
        assert_ok(ctx, rico_simulation_step(piece, h));
        for (int i = 0; i < 2; i++) {
            assert_near(rico_simulation_position(with)[i], rico_simulation_position(exact)[i], 1e-9);
            assert_true(rico_simulation_position(with)[i] == rico_simulation_position(piece)[i]);
            assert_true(rico_simulation_velocity(with)[i] == rico_simulation_velocity(piece)[i]);
        }
        const rico_event *event = rico_simulation_events(with, &count);
        for (int64_t e = 0; e < count; e++) {
            assert_int_equal(rico_simulation_constraint(with, event[e].contact).key, 7);
            hits += event[e].kind == RICO_EVENT_IMPACT;
        }
        assert_near(rico_simulation_ledger(with)->residual, 0.0, 1e-12);
    }
    assert_true(hits >= 2);
    rico_simulation_destroy(exact);
    rico_simulation_destroy(with);
    rico_simulation_destroy(piece);
    rico_system_destroy(fixed);
    rico_system_destroy(come);
    rico_system_destroy(twin);
}


// A source that sees a point at rest on its floor for the first time: it is carried from the first step on.
static bool late(void *user, void *memory, double t, double h, const double *q, const double *v,
                 rico_emission *out)
{
    (void)user, (void)memory, (void)h, (void)v;
    return t < 0.3 - 1e-9 || emit_floor(out, 7, q[1] + 0.45);
}


static void late_floor(void **state)
{
    rico_context *ctx = *state;
    const int64_t column[] = {0, 1, 2}, dof[] = {0, 1};
    const double ones[] = {1.0, 1.0}, weight[] = {0.0, -10.0}, q[] = {0.0, 0.0}, v[] = {0.0, 0.0};
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_matrix_part part = {.size = 2, .M = {2, 2, column, dof, ones}, .force = weight, .dimension = 2};
    assert_ok(ctx, rico_system_add_matrices(system, "point", &part, NULL));
    rico_contact_source source = {.emit = late};
    assert_ok(ctx, rico_system_add_source(system, "floors", &source));
    rico_simulation *exact = start(ctx, system, q, v);
    for (int k = 0; k < 4; k++) assert_ok(ctx, rico_simulation_step(exact, 0.1));
    // it has fallen by 0.45 at t = 0.3, where the floor appears: an impact with the speed 3
    int64_t count;
    const rico_event *event = rico_simulation_events(exact, &count);
    assert_true(count >= 1 && event[0].kind == RICO_EVENT_IMPACT);
    assert_near(event[0].t, 0.3, 1e-12);
    assert_near(event[0].speed, -3.0, 1e-9);
    rico_simulation_destroy(exact);
    rico_system_destroy(system);
}


// --- what time stepping says of events

// A slide that turns may rest for a step on its way.
static void pass_through_rest(diary *log, double within)
{
    for (int k = 0; k + 1 < log->count; k++) {
        rico_event *one = &log->event[k];
        if (one[0].kind != RICO_EVENT_STICK || one[1].kind != RICO_EVENT_SLIP || one[1].t - one[0].t > within)
            continue;
        one->kind = RICO_EVENT_REVERSE;
        log->count--;
        memmove(one + 1, one + 2, (size_t)(log->count - k - 1) * sizeof *one);
    }
}


static void events_of_schemes(void **state)
{
    rico_context *ctx = *state;
    const rico_scheme_info *scheme;
    double w = 0.5;
    const double q[] = {0.0, 2.8}, v[] = {0.0, 0.0}, h = 1e-3;
    rico_system *system = block_on_belt(ctx, &w, 0.8);
    diary exact = {0};
    rico_simulation *sim = start(ctx, system, q, v);
    assert_ok(ctx, run_to(sim, 10.0, &exact));
    assert_int_equal(exact.count, 3);
    rico_simulation_destroy(sim);
    for (int s = 0; (scheme = moving_scheme_at(s)); s++) {
        // velocities at the ends of steps change their sign there, at closed contacts or under friction that sees the mean
        if (strcmp(scheme->name, "trapezoidal-position") == 0) continue;
        if (strcmp(scheme->name, "contact-stabilized") == 0) continue;
        if (strcmp(scheme->name, "moreau-jean-fremond") == 0) continue;
        diary log = {0};
        const rico_run_options options = rico_run_defaults(h);
        assert_ok(ctx, rico_simulation_create(system, scheme->name, &sim));
        assert_ok(ctx, rico_simulation_start(sim, 0.0, q, v));
        assert_ok(ctx, rico_simulation_run(sim, 10.0, &options, note, &log, NULL));
        assert_int_equal(rico_simulation_statistics(sim)->events, log.count);
        // the first step may report that the block, which no step has carried yet, touches
        int first = log.count > 0 && log.event[0].kind == RICO_EVENT_TOUCH ? 1 : 0;
        if (log.count > 64) fail_msg("%s: %d events", scheme->name, log.count);
        pass_through_rest(&log, 2.0 * h);
        if (log.count - first != 3) fail_msg("%s: %d events", scheme->name, log.count);
        for (int k = 0; k < 3; k++) {
            assert_int_equal(log.event[first + k].kind, exact.event[k].kind);
            assert_near(log.event[first + k].t, exact.event[k].t, 10.0 * h);
        }
        rico_simulation_destroy(sim);
    }
    rico_system_destroy(system);

    // a bounce is one event, with the impulse of its step and the energy that it took
    const double height = 1.0, rest = 0.0;
    system = bouncing_ball(ctx, -2.0, 0.5);
    diary log = {0};
    const rico_run_options options = rico_run_defaults(h);
    assert_ok(ctx, rico_simulation_create(system, "moreau-jean", &sim));
    assert_ok(ctx, rico_simulation_start(sim, 0.0, &height, &rest));
    assert_ok(ctx, rico_simulation_run(sim, 2.2, &options, note, &log, NULL));
    assert_int_equal(log.count, 2);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(log.event[k].kind, RICO_EVENT_IMPACT);
        assert_int_equal(log.event[k].after, RICO_OPEN);
        assert_near(log.event[k].t, 1.0 + k, 10.0 * h);
        assert_near(log.event[k].speed, k == 0 ? -2.0 : -1.0, 10.0 * h);
        assert_near(log.event[k].impulse[0], k == 0 ? 3.0 : 1.5, 10.0 * h);
        assert_near(log.event[k].energy_lost, k == 0 ? 1.5 : 0.375, 10.0 * h);
    }
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
}


// --- one system, several threads

typedef struct job {
    rico_context *ctx;
    rico_simulation *sim;
    rico_status status;
} job;

static void *work(void *user)
{
    job *self = user;
    for (int k = 0; self->status == RICO_OK && k < 40; k++)
        self->status = rico_simulation_step(self->sim, 0.25);
    return NULL;
}


static void threads(void **state)
{
    rico_context *ctx = *state;
    double w = 0.5;
    const double q[] = {0.0, 2.8}, v[] = {0.0, 0.0};
    rico_system *system = block_on_belt(ctx, &w, 0.8);
    assert_ok(ctx, rico_system_complete(system));
    job jobs[5];
    pthread_t thread[5];
    for (int k = 0; k < 5; k++) {
        jobs[k] = (job){.ctx = rico_context_create(NULL)};
        assert_ok(jobs[k].ctx, rico_simulation_create_in(jobs[k].ctx, system, "event-driven", &jobs[k].sim));
        assert_ok(jobs[k].ctx, rico_simulation_start(jobs[k].sim, 0.0, q, v));
    }
    work(&jobs[0]);
    for (int k = 1; k < 5; k++) assert_int_equal(pthread_create(&thread[k], NULL, work, &jobs[k]), 0);
    for (int k = 1; k < 5; k++) pthread_join(thread[k], NULL);
    for (int k = 0; k < 5; k++) {
        assert_ok(jobs[k].ctx, jobs[k].status);
        assert_memory_equal(rico_simulation_position(jobs[k].sim), rico_simulation_position(jobs[0].sim),
                            2 * sizeof(double));
        assert_memory_equal(rico_simulation_ledger_total(jobs[k].sim),
                            rico_simulation_ledger_total(jobs[0].sim), sizeof(rico_ledger));
    }
    for (int k = 4; k >= 0; k--) {
        rico_simulation_destroy(jobs[k].sim);
        rico_context_destroy(jobs[k].ctx);
    }
    rico_system_destroy(system);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(belt_ledger, setup, teardown),
        cmocka_unit_test_setup_teardown(resume, setup, teardown),
        cmocka_unit_test_setup_teardown(refusals, setup, teardown),
        cmocka_unit_test_setup_teardown(impact_at_start, setup, teardown),
        cmocka_unit_test_setup_teardown(sources, setup, teardown),
        cmocka_unit_test_setup_teardown(late_floor, setup, teardown),
        cmocka_unit_test_setup_teardown(events_of_schemes, setup, teardown),
        cmocka_unit_test_setup_teardown(threads, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
