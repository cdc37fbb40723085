// A scene that goes from event to event, through a run like any other: results, events at their own times, a run that is stopped
// and taken up again.

#include "support.h"

#include "ricochet/run.h"

#include <unistd.h>

static const char WHOLE[] = "test_store_events_whole.h5", PART[] = "test_store_events_part.h5";

// A ball above an elastic floor, impacts at 1, 3, 5, 7; a block that a belt carries until the spring wins, at t = 1.6.
static const char SCENE[] = "parts:\n"
                            "  ball: {coordinates: [z], mass: 1, force: -2}\n"
                            "  block: {coordinates: [x, y], mass: [1, 1], potential: x^2/2 + y}\n"
                            "contacts:\n"
                            "  floor: {gap: z, restitution: 1}\n"
                            "  belt: {gap: y, tangent: x - t/2, friction: 0.8}\n"
                            "initial: {position: {z: 1}, velocity: {x: 1/2}}\n"
                            "scheme: {name: event-driven, rtol: 1e-11}\n"
                            "time: {end: 8, step: 0.03}\n";


static int setup(void **state)
{
    *state = rico_context_create(NULL);
    return *state ? 0 : 1;
}


static int teardown(void **state)
{
    unlink(WHOLE);
    unlink(PART);
    rico_context_destroy(*state);
    return 0;
}


static void run(rico_context *ctx, const char *path, int64_t most, bool resume, rico_runner_result *result)
{
    rico_runner_options options = rico_runner_defaults();
    options.scene = resume ? NULL : "events.yaml";
    options.text = resume ? NULL : SCENE;
    options.output = path;
    options.overwrite = !resume;
    options.resume = resume;
    options.most_steps = most;
    options.checkpoint_steps = 7;
    rico_status status = rico_runner_run(ctx, &options, result);
    if (!(status == RICO_INTERRUPTED && most > 0)) assert_ok(ctx, status);
}


static void read_column(rico_context *ctx, rico_results *results, const char *table, const char *column,
                        int64_t rows, void *out)
{
    int64_t at = rico_results_find_table(results, table);
    assert_true(at >= 0);
    assert_int_equal(rico_results_rows(results, at), rows);
    int64_t place = rico_results_find_column(results, at, column);
    assert_true(place >= 0);
    assert_ok(ctx, rico_results_read(results, at, place, 0, rows, out));
}


static void events(void **state)
{
    rico_context *ctx = *state;
    rico_runner_result result;
    run(ctx, WHOLE, 0, false, &result);
    assert_true(result.finished);
    assert_string_equal(result.scheme, "event-driven");
    assert_int_equal(result.steps, 267);
    assert_true(result.violation < 1e-9);
    assert_at_most(fabs(result.total.residual), 1e-12);
    assert_true(result.stats.events >= 5 && result.stats.impacts == 4);

    // each impact closes and opens the contact at its time
    rico_results *results;
    double t[8], change[2];
    int64_t closes[8], slips[2];
    assert_ok(ctx, rico_results_open(ctx, WHOLE, &results));
    read_column(ctx, results, "events", "t", 8, t);
    read_column(ctx, results, "events", "closes", 8, closes);
    for (int k = 0; k < 8; k++) {
        assert_near(t[k], 1.0 + (double)(k - k % 2), 1e-10);
        assert_int_equal(closes[k], k % 2 == 0);
    }
    // the block sticks from the start
    read_column(ctx, results, "sliding", "t", 2, change);
    read_column(ctx, results, "sliding", "slips", 2, slips);
    assert_true(change[0] == 0.0 && slips[0] == 0 && slips[1] == 1);
    assert_near(change[1], 1.6, 1e-9);
    rico_results_destroy(results);
}


// Stopped after any number of steps, and taken up again: the same file.
static void resume(void **state)
{
    rico_context *ctx = *state;
    rico_runner_result result;
    char difference[RICO_DIFFERENCE];
    run(ctx, WHOLE, 0, false, &result);
    for (int64_t most = 20; most < 140; most += 37) {
        unlink(PART);
        run(ctx, PART, most, false, &result);
        assert_false(result.finished);
        while (!result.finished) run(ctx, PART, most, true, &result);
        rico_results *one, *two;
        assert_ok(ctx, rico_results_open(ctx, WHOLE, &one));
        assert_ok(ctx, rico_results_open(ctx, PART, &two));
        assert_ok(ctx, rico_results_compare(one, two, difference));
        if (*difference) fail_msg("stopped after %d steps: %s", (int)most, difference);
        rico_results_destroy(one);
        rico_results_destroy(two);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(events, setup, teardown),
        cmocka_unit_test_setup_teardown(resume, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
