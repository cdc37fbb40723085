// Runs that are killed, stopped or cut short, and go on as if they had not been.

#include "store/sample_run.h"

#include "store/archive.h"

#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

static char path[64], whole_path[64], checkpoint_path[80], journal_path[80];


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


// Where a run dies: at a write, counted from its beginning, torn between two pages or not.
typedef struct death {
    int64_t write; // -1: it lives
    bool torn;
} death;

static const death NONE = {-1, false};
enum { FLUSH_EVERY = 7 };


// What `rico run --resume` does: from the last checkpoint, or from the start where there is none. Rows are flushed after
// so many steps, not seconds: the writes are the same every time. Returns the status and leaves the archive closed.
static rico_status run(rico_context *ctx, int64_t steps, int64_t checkpoint_every, int compression,
                       bool finish, death when)
{
    rico_table tables[SAMPLE_TABLES];
    rico_archive_plan plan = sample_plan(tables, compression);
    plan.overwrite = true;
    plan.flush_seconds = 0.0;
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
    if (status == RICO_OK && when.write >= 0) rico_drive_kill_at(archive->drive, when.write, when.torn);
    while (status == RICO_OK && state.step < steps) {
        status = sample_step(archive, &state);
        if (status == RICO_OK && state.step % checkpoint_every == 0)
            status = rico_archive_checkpoint(archive, &state, sizeof state);
        else if (status == RICO_OK && state.step % FLUSH_EVERY == 0)
            status = rico_archive_flush(archive);
    }
    if (status == RICO_OK) status = rico_archive_close(archive, finish);
    rico_archive_destroy(archive);
    return status;
}


// Runs in a process of its own, which dies at a write; true when it came to its end before.
static bool run_and_kill(death when, int64_t steps, int64_t checkpoint_every, int compression)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        rico_context *ctx = rico_context_create(NULL);
        rico_status status = run(ctx, steps, checkpoint_every, compression, true, when);
        if (status != RICO_OK) fprintf(stderr, "%s\n", rico_message(ctx));
        _exit(status == RICO_OK ? 0 : 1);
    }
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


// Life after life, each ended at a write further on or earlier, until it comes to its end; then anew.
static void kill_and_resume(int kills, int64_t steps, int64_t checkpoint_every, int compression,
                            int64_t furthest, uint64_t seed)
{
    rico_context *ctx = rico_context_create(NULL);
    unlink(path);
    unlink(checkpoint_path);
    sample_write(ctx, whole_path, steps, compression);
    rico_results *whole = NULL;
    assert_ok(ctx, rico_results_open(ctx, whole_path, &whole));

    rico_random random;
    rico_random_seed(&random, seed);
    int killed = 0;
    while (killed < kills) {
        // short and long: from before the first checkpoint to beyond the end
        const death when = {(int64_t)exp(rico_random_range(&random, 0.0, log((double)furthest))),
                            killed % 2 == 0};
        bool end = run_and_kill(when, steps, checkpoint_every, compression);
        check_readable(ctx, whole);
        killed += !end;
        if (!end) continue;
        assert_same(ctx, whole_path, path);
        assert_int_not_equal(access(checkpoint_path, F_OK), 0);
        unlink(path);
    }
    assert_ok(ctx, run(ctx, steps, checkpoint_every, compression, true, NONE));
    assert_same(ctx, whole_path, path);

    rico_results_destroy(whole);
    unlink(path);
    unlink(whole_path);
    rico_context_destroy(ctx);
}


static void test_killed_runs_end_the_same(void **state)
{
    (void)state;
    kill_and_resume(24, 600, 60, 0, 300, 1);
}


static void test_killed_compressed_runs_end_the_same(void **state)
{
    (void)state;
    kill_and_resume(8, 120, 30, 1, 400, 2);
}


// Two writes that lie across pages of metadata, torn there. Without the journal they leave a column that cannot be read:
// how this test failed now and then on a busy machine, where a thread loses its core in the middle of a write.
static void test_torn_writes_are_mended(void **state)
{
    (void)state;
    enum { STEPS = 120, CHECKPOINT_EVERY = 60 };
    static const int64_t WRITES[] = {265, 289};
    rico_context *ctx = rico_context_create(NULL);
    sample_write(ctx, whole_path, STEPS, 1);
    rico_results *whole = NULL;
    assert_ok(ctx, rico_results_open(ctx, whole_path, &whole));
    for (int k = 0; k < 2; k++) {
        unlink(path);
        unlink(checkpoint_path);
        assert_false(run_and_kill((death){WRITES[k], true}, STEPS, CHECKPOINT_EVERY, 1));
        if (k == 1) check_readable(ctx, whole); // which mends it, too
        assert_ok(ctx, run(ctx, STEPS, CHECKPOINT_EVERY, 1, true, NONE));
        assert_same(ctx, whole_path, path);
        assert_int_not_equal(access(journal_path, F_OK), 0);
    }
    rico_results_destroy(whole);
    unlink(path);
    unlink(whole_path);
    rico_context_destroy(ctx);
}


// Ctrl-C: the file is closed in order, not finished; going on gives the same end.
static void test_stopped_runs_go_on(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    sample_write(ctx, whole_path, 500, 0);
    assert_ok(ctx, run(ctx, 230, 50, 0, false, NONE));
    rico_results *results = NULL;
    assert_ok(ctx, rico_results_open(ctx, path, &results));
    assert_false(rico_results_finished(results));
    assert_int_equal(rico_results_rows(results, SAMPLE_STEPS),
                     230); // up to the last step, not the last checkpoint
    rico_results_destroy(results);
    assert_ok(ctx, run(ctx, 500, 50, 0, true, NONE));
    assert_same(ctx, whole_path, path);
    assert_int_not_equal(access(checkpoint_path, F_OK), 0);
    unlink(path);
    unlink(whole_path);
    rico_context_destroy(ctx);
}


// A run that goes on but ends earlier than it had come: the rows behind its end go.
static void test_rows_behind_the_end_are_cut(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (int compression = 0; compression < 2; compression++) {
        assert_ok(ctx, run(ctx, 4000, 1500, compression, false, NONE)); // checkpoints at 1500 and 3000
        assert_ok(ctx, run(ctx, 3100, 5000, compression, true, NONE));
        sample_write(ctx, whole_path, 3100, compression);
        assert_same(ctx, whole_path, path);
        unlink(path);
        unlink(whole_path);
    }
    rico_context_destroy(ctx);
}


// Opens for resuming; returns the status, after closing what opened.
static rico_status try_resume(rico_context *ctx, const rico_archive_plan *plan, bool *found)
{
    rico_archive *archive = NULL;
    rico_checkpoint checkpoint;
    rico_status status = rico_archive_resume(ctx, path, plan, &archive, &checkpoint);
    *found = archive != NULL;
    if (archive) {
        rico_checkpoint_release(ctx, &checkpoint);
        assert_ok(ctx, rico_archive_close(archive, false));
        rico_archive_destroy(archive);
    }
    return status;
}


static void assert_not_resumed(rico_context *ctx, const rico_archive_plan *plan, const char *sentence)
{
    bool found;
    assert_int_equal(try_resume(ctx, plan, &found), RICO_BAD_INPUT);
    assert_false(found);
    if (!strstr(rico_message(ctx), sentence)) fail_msg("'%s' is not in '%s'", sentence, rico_message(ctx));
}


static void test_what_cannot_be_resumed(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_table tables[SAMPLE_TABLES];
    rico_archive_plan plan = sample_plan(tables, 0);
    bool found;
    unlink(path);

    // nothing there at all; a run that has finished
    assert_ok(ctx, try_resume(ctx, &plan, &found));
    assert_false(found);
    sample_write(ctx, path, 10, 0);
    assert_ok(ctx, try_resume(ctx, &plan, &found));
    assert_false(found);
    unlink(path);

    // other tables than those of the file
    assert_ok(ctx, run(ctx, 100, 30, 0, false, NONE));
    rico_column wide = sample_step_columns[1];
    wide.width++;
    rico_table other[SAMPLE_TABLES] = {tables[0], tables[1]};
    plan.tables = other;
    other[0].columns = &wide;
    other[0].column_count = 1;
    assert_not_resumed(ctx, &plan, "column steps/q is not as this run would write it");
    other[0] = tables[0];
    other[0].name = "steppes";
    assert_not_resumed(ctx, &plan, "column steppes/time is not as this run would write it");
    plan.tables = tables;
    plan.table_count = 1;
    assert_not_resumed(ctx, &plan, "its checkpoint is of other tables");
    plan.table_count = SAMPLE_TABLES;
    assert_ok(ctx, try_resume(ctx, &plan, &found));
    assert_true(found);

    // the checkpoint of another run
    char kept[96];
    snprintf(kept, sizeof kept, "%s.kept", checkpoint_path);
    assert_int_equal(rename(checkpoint_path, kept), 0);
    assert_ok(ctx, run(ctx, 100, 30, 0, false, NONE));
    assert_int_equal(rename(kept, checkpoint_path), 0);
    assert_not_resumed(ctx, &plan, "its checkpoint is of another run");

    // a checkpoint without its file, and one beside something else
    assert_int_equal(unlink(path), 0);
    assert_int_equal(try_resume(ctx, &plan, &found), RICO_IO_ERROR);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int k = 0; k < 1000; k++) fprintf(file, "no HDF5 here\n");
    fclose(file);
    assert_not_resumed(ctx, &plan, "is damaged and cannot be resumed");
    unlink(path);
    unlink(checkpoint_path);
    rico_context_destroy(ctx);
}


// Every byte of a checkpoint counts, and every length but its own is refused.
static void test_damaged_checkpoints_are_refused(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_table tables[SAMPLE_TABLES];
    rico_archive_plan plan = sample_plan(tables, 0);
    assert_ok(ctx, run(ctx, 20, 10, 0, false, NONE));
    char bytes[8192];
    FILE *file = fopen(checkpoint_path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_true(size > sizeof(sample_state) && size < sizeof bytes);

    rico_random random;
    rico_random_seed(&random, 11);
    for (int k = 0; k < 300; k++) {
        size_t length = k % 3 == 0 ? (size_t)rico_random_below(&random, (int64_t)size) : size;
        size_t at = (size_t)rico_random_below(&random, (int64_t)size);
        char spoiled = (char)(bytes[at] ^ (1 << rico_random_below(&random, 8)));
        file = fopen(checkpoint_path, "wb");
        assert_non_null(file);
        fwrite(bytes, 1, length, file);
        if (length == size) {
            fseek(file, (long)at, SEEK_SET);
            fputc(spoiled, file);
        }
        fclose(file);
        assert_not_resumed(ctx, &plan, length < 48 || at < 8 ? "checkpoint" : "damaged checkpoint");
    }
    unlink(path);
    unlink(checkpoint_path);
    rico_context_destroy(ctx);
}


int main(void)
{
    sample_path(path, "resume");
    sample_path(whole_path, "whole");
    snprintf(checkpoint_path, sizeof checkpoint_path, "%s.checkpoint", path);
    snprintf(journal_path, sizeof journal_path, "%s.journal", path);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_killed_runs_end_the_same),
                                       cmocka_unit_test(test_killed_compressed_runs_end_the_same),
                                       cmocka_unit_test(test_torn_writes_are_mended),
                                       cmocka_unit_test(test_stopped_runs_go_on),
                                       cmocka_unit_test(test_rows_behind_the_end_are_cut),
                                       cmocka_unit_test(test_what_cannot_be_resumed),
                                       cmocka_unit_test(test_damaged_checkpoints_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
