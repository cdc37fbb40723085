// Counting floating-point operations: which events are taken, what is refused and how, and this machine's own counters where it
// has any.

#include "support.h"

#include "lab/flops.h"
#include "lab/timing.h"

#include <errno.h>

// A processor of the imagination, on which every other reading of a counter comes after STEP operations more.
typedef struct machine {
    int events;
    uint64_t event[4];
    double rate[4]; // counted by the event for one operation
    int refusal;    // the errno of every open
    bool lent;      // another program has the counters half of the time
    bool mute;      // cannot be read
    int opened, closed;
    uint64_t of[8];
    int readings[8];
} machine;

enum { STEP = 200000 }; // those of the library's own loop


static int open_counter(void *user, uint64_t event)
{
    machine *m = user;
    if (m->refusal != 0) return -m->refusal;
    m->of[m->opened] = event;
    return m->opened++;
}


static bool read_counter(void *user, int counter, rico_flops_reading *reading)
{
    machine *m = user;
    double rate = 0.0;
    for (int i = 0; i < m->events; i++)
        if (m->event[i] == m->of[counter]) rate = m->rate[i];
    int done = ++m->readings[counter] / 2;
    uint64_t time = (uint64_t)m->readings[counter] * 1000;
    *reading = (rico_flops_reading){
        .count = (uint64_t)llround(rate * done * STEP), .wanted = time, .ran = m->lent ? time / 2 : time};
    return !m->mute;
}


static void close_counter(void *user, int counter)
{
    (void)counter;
    ((machine *)user)->closed++;
}


static rico_flops_source source_of(machine *m, const char *vendor)
{
    rico_flops_source source = {
        .user = m, .open = open_counter, .read = read_counter, .close = close_counter};
    snprintf(source.vendor, sizeof source.vendor, "%s", vendor);
    snprintf(source.processor, sizeof source.processor, "Thinking Reed");
    return source;
}


// ---- what counts ----

static void expect_count(machine *m, const char *vendor, int counters)
{
    rico_context *ctx = rico_context_create(NULL);
    rico_flops_source source = source_of(m, vendor);
    rico_flops flops;
    double operations = -1.0;
    assert_ok(ctx, rico_flops_open(ctx, &source, &flops));
    assert_int_equal(flops.count, counters);
    assert_int_equal(m->opened - m->closed, counters);
    for (int i = 0; i < 3; i++) {
        assert_ok(ctx, rico_flops_start(ctx, &flops));
        assert_ok(ctx, rico_flops_stop(ctx, &flops, &operations));
        assert_near(operations, STEP, 1e-6);
    }
    rico_flops_close(&flops);
    rico_flops_close(&flops);
    assert_int_equal(m->opened, m->closed);
    rico_context_destroy(ctx);
}


// Linux' tables of events: Zen 2 and later; Zen 1, whose lower bits are single precision; Intel with 50 scalar
// instructions, 5 of two lanes and 10 of four for a hundred operations.
static void test_makers(void **state)
{
    (void)state;
    machine zen4 = {.events = 1, .event = {0x0f03}, .rate = {1.0}};
    expect_count(&zen4, "AuthenticAMD", 1);
    machine zen1 = {.events = 2, .event = {0x0f03, 0xf003}, .rate = {0.0, 1.0}};
    expect_count(&zen1, "AuthenticAMD", 1);
    assert_int_equal(zen1.opened, 2);
    machine lake = {.events = 3, .event = {0x01c7, 0x04c7, 0x10c7}, .rate = {0.5, 0.05, 0.1}};
    expect_count(&lake, "GenuineIntel", 4);
}


// ---- what is refused ----

static void expect_refusal(machine *m, const char *vendor, const char *sentence)
{
    rico_context *ctx = rico_context_create(NULL);
    rico_flops_source source = source_of(m, vendor);
    rico_flops flops;
    assert_int_equal(rico_flops_open(ctx, &source, &flops), RICO_UNSUPPORTED);
    assert_string_equal(rico_message(ctx), sentence);
    assert_int_equal(flops.count, 0);
    assert_int_equal(m->opened, m->closed);
    rico_context_destroy(ctx);
}


static void test_refusals(void **state)
{
    (void)state;
    expect_refusal(
        &(machine){.refusal = ENOENT}, "AuthenticAMD",
        "cannot count floating-point operations on 'Thinking Reed': perf_event_open() of event 0x0f03: "
        "No such file or directory (errno 2)");
    expect_refusal(
        &(machine){.refusal = EACCES}, "GenuineIntel",
        "cannot count floating-point operations on 'Thinking Reed': perf_event_open() of event 0x01c7: "
        "Permission denied (errno 13); /proc/sys/kernel/perf_event_paranoid has to be 2 or less");
    expect_refusal(
        &(machine){0}, "GenuineReed",
        "cannot count floating-point operations on 'Thinking Reed': no event for them is known here");
    expect_refusal(
        &(machine){0}, "",
        "cannot count floating-point operations on 'Thinking Reed': no event for them is known here");
}


// A counter that opens is not yet one that counts.
static void test_false_counters(void **state)
{
    (void)state;
    expect_refusal(
        &(machine){0}, "AuthenticAMD",
        "cannot count floating-point operations on 'Thinking Reed': event 0xf003 says 0 for 200000");
    // fused operations that count once, say
    expect_refusal(
        &(machine){.events = 1, .event = {0x01c7}, .rate = {0.5}}, "GenuineIntel",
        "cannot count floating-point operations on 'Thinking Reed': event 0x01c7 says 100000 for 200000");
    expect_refusal(
        &(machine){.events = 1, .event = {0x01c7}, .rate = {1.0}, .lent = true}, "GenuineIntel",
        "cannot count floating-point operations on 'Thinking Reed': another program took the counters "
        "for a part of the time");
    expect_refusal(&(machine){.mute = true}, "GenuineIntel",
                   "cannot count floating-point operations on 'Thinking Reed': a counter cannot be read");
}


// ---- around a piece of work ----

static rico_status prepare(void *user)
{
    (void)user;
    return RICO_OK;
}


static rico_status run(void *user, bool *again)
{
    (void)user;
    *again = false;
    return RICO_OK;
}


static void discard(void *user)
{
    (void)user;
}


static void test_trial(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    machine m = {.events = 1, .event = {0x0f03}, .rate = {1.0}};
    rico_flops_source source = source_of(&m, "AuthenticAMD");
    rico_flops flops;
    assert_ok(ctx, rico_flops_open(ctx, &source, &flops));
    rico_trial trial = {.prepare = prepare, .run = run, .discard = discard, .ctx = ctx, .flops = &flops};
    rico_timing timing;
    assert_ok(ctx, rico_time_trial(&trial, 1, &timing));
    assert_near(timing.flops, STEP, 1e-6);
    m.lent = true;
    assert_int_equal(rico_time_trial(&trial, 1, &timing), RICO_UNSUPPORTED);

    trial.flops = NULL;
    assert_ok(ctx, rico_time_trial(&trial, 1, &timing));
    assert_true(isnan(timing.flops));
    rico_flops_close(&flops);
    rico_context_destroy(ctx);
}


// ---- this machine ----

static void test_this_machine(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_flops_source source = rico_flops_machine();
    rico_flops flops;
    if (rico_flops_open(ctx, &source, &flops) != RICO_OK) {
        print_message("%s\n", rico_message(ctx));
        assert_non_null(strstr(rico_message(ctx), "cannot count floating-point operations on '"));
        rico_context_destroy(ctx);
        skip();
    }
    for (int64_t rounds = 1000000; rounds <= 4000000; rounds *= 2) {
        double operations;
        assert_ok(ctx, rico_flops_start(ctx, &flops));
        volatile double result = rico_flops_loop(rounds);
        assert_ok(ctx, rico_flops_stop(ctx, &flops, &operations));
        assert_near(result, 2.0, 1e-12); // where x = 0.75 x + 0.5 comes to rest
        assert_near(operations, 2.0 * (double)rounds, 0.002 * (double)rounds);
    }
    rico_flops_close(&flops);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_makers),         cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_false_counters), cmocka_unit_test(test_trial),
        cmocka_unit_test(test_this_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
