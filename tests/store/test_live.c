// Reading a file while its run goes on: rows only ever come, in order, and every one of them is whole.

#include "store/sample_run.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

static char path[64];

enum { STEPS = 4000 };


static void rest(long microseconds)
{
    struct timespec pause = {.tv_nsec = microseconds * 1000};
    nanosleep(&pause, NULL);
}


// The run, in a process of its own: bursts of steps with pauses, so that a reader sees it at many moments. Half way it
// waits for a byte from the reader, who is thus sure to see it unfinished.
static pid_t start_run(int compression, int go_ahead)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child > 0) return child;
    rico_context *ctx = rico_context_create(NULL);
    rico_table tables[SAMPLE_TABLES];
    rico_archive_plan plan = sample_plan(tables, compression);
    plan.flush_seconds = 0.001;
    rico_archive *archive = NULL;
    rico_status status = rico_archive_create(ctx, path, &plan, &archive);
    sample_state run = sample_begin();
    while (status == RICO_OK && run.step < STEPS) {
        status = sample_step(archive, &run);
        if (run.step % 37 == 0) rest(300);
        if (status == RICO_OK && run.step == STEPS / 2) {
            char byte;
            status = rico_archive_flush(archive);
            if (read(go_ahead, &byte, 1) != 1) _exit(2);
        }
    }
    if (status == RICO_OK) status = rico_archive_close(archive, true);
    rico_archive_destroy(archive);
    _exit(status == RICO_OK ? 0 : 1);
}


// Rows [from, to) against the run computed anew; the state is that of row `from`.
static void check_rows(rico_context *ctx, rico_results *results, sample_state *model, int64_t to)
{
    double q[SAMPLE_WIDTH], sum;
    for (; model->step < to; model->step++) {
        for (int k = 0; k < 20; k++) {
            int64_t i = rico_random_below(&model->random, SAMPLE_WIDTH);
            model->q[i] += rico_random_normal(&model->random);
            model->sum += sin(model->q[i]);
        }
        (void)rico_random_below(&model->random, 100);
        assert_ok(ctx, rico_results_read(results, SAMPLE_STEPS, 1, model->step, 1, q));
        assert_memory_equal(q, model->q, sizeof q);
        assert_ok(ctx, rico_results_read(results, SAMPLE_STEPS, 2, model->step, 1, &sum));
        assert_true(sum == model->sum);

        // the contacts draw from the same numbers
        int64_t count = rico_random_below(&model->random, 6);
        for (int64_t k = 0; k < count; k++) {
            (void)rico_random_below(&model->random, 1000);
            for (int i = 0; i < 3; i++) (void)rico_random_normal(&model->random);
        }
    }
}


static void read_along(int compression)
{
    rico_context *ctx = rico_context_create(NULL);
    unlink(path);
    int way[2];
    assert_int_equal(pipe(way), 0);
    pid_t child = start_run(compression, way[0]);
    while (access(path, F_OK) != 0) rest(100);
    rico_results *results = NULL;
    assert_ok(ctx, rico_results_open(ctx, path, &results));

    sample_state model = sample_begin();
    int looks = 0;
    bool finished = false;
    while (!finished) {
        finished = rico_results_finished(results);
        int64_t rows = rico_results_rows(results, SAMPLE_STEPS);
        int64_t lists = rico_results_rows(results, SAMPLE_CONTACTS);
        assert_true(rows >= model.step);
        if (rows > model.step) looks++;
        if (rows >= STEPS / 2 && model.step < STEPS / 2) assert_int_equal(write(way[1], "!", 1), 1);
        check_rows(ctx, results, &model, rows);

        // every list of contacts that is announced is there
        int64_t start[2] = {0, 0}, contact;
        if (lists > 0) assert_ok(ctx, rico_results_starts(results, SAMPLE_CONTACTS, lists - 1, 1, start));
        for (int64_t item = start[0]; item < start[1]; item++) {
            assert_ok(ctx, rico_results_read(results, SAMPLE_CONTACTS, 0, item, 1, &contact));
            assert_in_range(contact, 0, 999);
        }
        if (!finished) assert_ok(ctx, rico_results_refresh(results));
    }
    assert_int_equal(model.step, STEPS);
    assert_true(looks >= 2);
    close(way[0]);
    close(way[1]);
    rico_results_destroy(results);

    int how = 0;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
    unlink(path);
    rico_context_destroy(ctx);
}


static void test_reading_along(void **state)
{
    (void)state;
    read_along(0);
}


static void test_reading_along_compressed(void **state)
{
    (void)state;
    read_along(1);
}


// A reader in the process of the writer: a viewer inside the program, or a careless script.
static void test_reading_in_the_same_process(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_table tables[SAMPLE_TABLES];
    rico_archive_plan plan = sample_plan(tables, 0);
    plan.flush_seconds = 0.0;
    rico_archive *archive = NULL;
    rico_results *results = NULL;
    assert_ok(ctx, rico_archive_create(ctx, path, &plan, &archive));
    assert_ok(ctx, rico_results_open(ctx, path, &results));
    assert_int_equal(rico_results_rows(results, SAMPLE_CONTACTS), 0);
    sample_state run = sample_begin(), model = sample_begin();
    for (int round = 0; round < 20; round++) {
        for (int k = 0; k < 50; k++) assert_ok(ctx, sample_step(archive, &run));
        assert_ok(ctx, rico_archive_checkpoint(archive, &run, sizeof run)); // waits for the writing
        assert_ok(ctx, rico_results_refresh(results));
        assert_int_equal(rico_results_rows(results, SAMPLE_STEPS), run.step);
        assert_int_equal(rico_results_rows(results, SAMPLE_CONTACTS), run.step);
        check_rows(ctx, results, &model, run.step);
    }
    assert_ok(ctx, rico_archive_close(archive, true));
    rico_archive_destroy(archive);
    assert_ok(ctx, rico_results_refresh(results));
    assert_true(rico_results_finished(results));
    rico_results_destroy(results);
    unlink(path);
    rico_context_destroy(ctx);
}


int main(void)
{
    sample_path(path, "live");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reading_along),
                                       cmocka_unit_test(test_reading_along_compressed),
                                       cmocka_unit_test(test_reading_in_the_same_process)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
