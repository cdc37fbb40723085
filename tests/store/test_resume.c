// Runs that are killed, stopped or cut short, and go on as if they had not been.

#include "store/sample_run.h"

#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

static char path[64], whole_path[64], checkpoint_path[80];


static void assert_same(rico_context *ctx, const char *a_path, const char *b_path)
{
    rico_results *a = NULL, *b = NULL;
    char difference[RICO_DIFFERENCE];
    assert_ok(ctx, rico_results_open(ctx, a_path, &a));
    assert_ok(ctx, rico_results_open(ctx, b_path, &b));
    assert_ok(ctx, rico_results_compare(a, b, difference));
    if (*difference) fail_msg("%s and %s: %s", a_path, b_path, difference);
    rico_results_destroy(a);
    rico_results_destroy(b);
}


// What `rico run --resume` does: from the last checkpoint, or from the start where there is none. Returns the status
// and leaves the archive closed.
static rico_status run(rico_context *ctx, int64_t steps, int64_t checkpoint_every, int compression,
                       bool finish, double flush_seconds)
{
    rico_table tables[SAMPLE_TABLES];
    rico_archive_plan plan = sample_plan(tables, compression);
    plan.overwrite = true;
    plan.flush_seconds = flush_seconds;
    sample_state state = sample_begin();
    rico_archive *archive = NULL;
    rico_checkpoint checkpoint;
    rico_status status = rico_archive_resume(ctx, path, &plan, &archive, &checkpoint);
    if (status != RICO_OK) return status;
    if (archive) {
        memcpy(&state, checkpoint.state, sizeof state);
        rico_checkpoint_release(ctx, &checkpoint);
        if (rico_archive_rows(archive, SAMPLE_STEPS) != state.step) status = RICO_INTERNAL;
        if (rico_archive_rows(archive, SAMPLE_CONTACTS) != state.step) status = RICO_INTERNAL;
    } else {
        status = rico_archive_create(ctx, path, &plan, &archive);
    }
    while (status == RICO_OK && state.step < steps) {
        status = sample_step(archive, &state);
        if (status == RICO_OK && state.step % checkpoint_every == 0) {
            status = rico_archive_checkpoint(archive, &state, sizeof state);
        }
    }
    if (status == RICO_OK) status = rico_archive_close(archive, finish);
    rico_archive_destroy(archive);
    return status;
}


// Runs in a process of its own, which is killed after a while; true when it had ended by itself.
static bool run_and_kill(int64_t microseconds, int64_t steps, int64_t checkpoint_every, int compression)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        rico_context *ctx = rico_context_create(NULL);
        rico_status status = run(ctx, steps, checkpoint_every, compression, true, 0.002);
        if (status != RICO_OK) fprintf(stderr, "%s\n", rico_message(ctx));
        _exit(status == RICO_OK ? 0 : 1);
    }
    struct timespec wait = {.tv_nsec = (long)microseconds * 1000};
    nanosleep(&wait, NULL);
    kill(child, SIGKILL);
    int how = 0;
    assert_int_equal(waitpid(child, &how, 0), child);
    if (WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL) return false;
    if (!WIFEXITED(how) || WEXITSTATUS(how) != 0) fail_msg("the run ended with %#x", (unsigned)how);
    return true;
}


// After a kill at any moment: the file can be read, no row in it is wrong, and the checkpoint is usable.
static void check_readable(rico_context *ctx, rico_results *whole)
{
    rico_results *part = NULL;
    if (access(path, F_OK) != 0) return; // killed before there was a file
    assert_ok(ctx, rico_results_open(ctx, path, &part));
    int64_t rows = rico_results_rows(part, SAMPLE_STEPS);
    if (rows > 0) {
        double here = 0.0, there = 1.0;
        assert_ok(ctx, rico_results_read(part, SAMPLE_STEPS, 2, rows - 1, 1, &here));
        assert_ok(ctx, rico_results_read(whole, SAMPLE_STEPS, 2, rows - 1, 1, &there));
        assert_memory_equal(&here, &there, sizeof here);
    }
    rico_results_destroy(part);
}


static void kill_and_resume(int kills, int64_t steps, int64_t checkpoint_every, int compression,
                            uint64_t seed)
{
    rico_context *ctx = rico_context_create(NULL);
    unlink(path);
    unlink(checkpoint_path);
    sample_write(ctx, whole_path, steps, compression);
    rico_results *whole = NULL;
    assert_ok(ctx, rico_results_open(ctx, whole_path, &whole));

    rico_random random;
    rico_random_seed(&random, seed);
    int killed = 0, ended = 0;
    for (int k = 0; k < kills; k++) {
        // short and long: from before the first checkpoint to beyond the end
        int64_t wait = (int64_t)exp(rico_random_range(&random, log(300.0), log(40000.0)));
        bool end = run_and_kill(wait, steps, checkpoint_every, compression);
        check_readable(ctx, whole);
        if (!end) {
            killed++;
            continue;
        }
        ended++;
        assert_same(ctx, whole_path, path);
        assert_int_not_equal(access(checkpoint_path, F_OK), 0);
        unlink(path);
    }
    assert_ok(ctx, run(ctx, steps, checkpoint_every, compression, true, 1.0));
    assert_same(ctx, whole_path, path);
    print_message("%d kills, %d runs ended before theirs\n", killed, ended);
    assert_true(killed > kills / 4);

    rico_results_destroy(whole);
    unlink(path);
    unlink(whole_path);
    rico_context_destroy(ctx);
}


static void test_killed_runs_end_the_same(void **state)
{
    (void)state;
    kill_and_resume(100, 6000, 150, 0, 1);
}


static void test_killed_compressed_runs_end_the_same(void **state)
{
    (void)state;
    kill_and_resume(30, 1000, 60, 1, 2);
}


int main(void)
{
    sample_path(path, "resume");
    sample_path(whole_path, "whole");
    snprintf(checkpoint_path, sizeof checkpoint_path, "%s.checkpoint", path);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_killed_runs_end_the_same),
                                       cmocka_unit_test(test_killed_compressed_runs_end_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
