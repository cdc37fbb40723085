// Disks that are full, files that may not grow, folders that may not be written: a sentence, and a file that can be
// read up to its last flush, closed for every program and open to a resumed run.

#include "store/sample_run.h"

#include "store/drive.h"

#include <errno.h>
#include <hdf5.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

static char path[64], whole_path[64], checkpoint_path[80];


// No file may grow beyond so many bytes; what would be a signal becomes an error, as in the command line.
static void limit_files(rlim_t bytes)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}


// The rows of `path` are the first ones of the whole run; returns how many.
static int64_t assert_prefix(rico_context *ctx)
{
    rico_results *part = NULL, *whole = NULL;
    assert_ok(ctx, rico_results_open(ctx, path, &part));
    assert_ok(ctx, rico_results_open(ctx, whole_path, &whole));
    assert_false(rico_results_finished(part));
    int64_t rows = rico_results_rows(part, 0);
    double here[SAMPLE_WIDTH], there[SAMPLE_WIDTH];
    for (int64_t row = 0; row < rows; row++) {
        assert_ok(ctx, rico_results_read(part, 0, 1, row, 1, here));
        assert_ok(ctx, rico_results_read(whole, 0, 1, row, 1, there));
        assert_memory_equal(here, there, sizeof here);
    }
    rico_results_destroy(part);
    rico_results_destroy(whole);
    return rows;
}


// One run into a file that may not grow beyond `bytes`, then the same resumed without that limit.
static void fail_and_resume(rico_context *ctx, rlim_t bytes, int64_t steps)
{
    rico_table tables[SAMPLE_TABLES];
    rico_archive_plan plan = sample_plan(tables, 0);
    plan.overwrite = true;
    plan.flush_seconds = 0.0;
    rico_archive *archive = NULL;
    rico_checkpoint checkpoint;
    sample_state run = sample_begin();
    assert_ok(ctx, rico_archive_create(ctx, path, &plan, &archive));

    limit_files(bytes);
    rico_status status = RICO_OK;
    int64_t flushed = 0, saved = 0;
    while (status == RICO_OK && run.step < steps) {
        status = sample_step(archive, &run);
        if (status == RICO_OK && run.step % 40 == 0) {
            status = rico_archive_checkpoint(archive, &run, sizeof run);
            if (status == RICO_OK) flushed = saved = run.step;
        }
    }
    assert_int_equal(status, RICO_IO_ERROR);
    if (!strstr(rico_message(ctx), path) || !strstr(rico_message(ctx), strerror(EFBIG))) {
        fail_msg("not a clear sentence: %s", rico_message(ctx));
    }

    // the failure stays, and closing gives it once more
    char sentence[300];
    snprintf(sentence, sizeof sentence, "%s", rico_message(ctx));
    assert_int_equal(rico_archive_flush(archive), RICO_IO_ERROR);
    assert_int_equal(rico_archive_close(archive, true), RICO_IO_ERROR);
    assert_string_equal(rico_message(ctx), sentence);
    rico_archive_destroy(archive);
    assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
    limit_files(RLIM_INFINITY);

    // everything flushed is there, and any program can open the file
    assert_true(assert_prefix(ctx) >= flushed);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    H5Fclose(file);

    // with more room it goes on to the same end
    assert_ok(ctx, rico_archive_resume(ctx, path, &plan, &archive, &checkpoint));
    if (archive) {
        memcpy(&run, checkpoint.state, sizeof run);
        assert_int_equal(run.step, saved);
        rico_checkpoint_release(ctx, &checkpoint);
        while (run.step < steps) assert_ok(ctx, sample_step(archive, &run));
        assert_ok(ctx, rico_archive_close(archive, true));
        rico_archive_destroy(archive);
        rico_results *a = NULL, *b = NULL;
        char difference[RICO_DIFFERENCE];
        assert_ok(ctx, rico_results_open(ctx, path, &a));
        assert_ok(ctx, rico_results_open(ctx, whole_path, &b));
        assert_ok(ctx, rico_results_compare(a, b, difference));
        assert_string_equal(difference, "");
        rico_results_destroy(a);
        rico_results_destroy(b);
    } else {
        assert_int_equal(saved, 0);
    }
    unlink(path);
}


// The limit at many places: inside blocks, inside metadata, before and after the first checkpoint.
static void test_files_that_may_not_grow(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random random;
    rico_random_seed(&random, 3);
    sample_write(ctx, whole_path, 400, 0);
    struct stat about;
    assert_int_equal(stat(whole_path, &about), 0);
    signal(SIGXFSZ, SIG_IGN);
    for (int k = 0; k < 40; k++) {
        // beyond the skeleton and the checkpoint, below the whole
        double share = rico_random_unit(&random);
        fail_and_resume(ctx, (rlim_t)(12000.0 + share * share * (0.95 * (double)about.st_size - 12000.0)),
                        400);
    }
    signal(SIGXFSZ, SIG_DFL);
    unlink(whole_path);
    rico_context_destroy(ctx);
}


// No room even for the skeleton: what was there stays, nothing is left beside it.
static void test_no_room_at_all(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    sample_write(ctx, path, 7, 0);
    rico_table tables[SAMPLE_TABLES];
    rico_archive_plan plan = sample_plan(tables, 0);
    plan.overwrite = true;
    rico_archive *archive = NULL;
    limit_files(1000);
    assert_int_equal(rico_archive_create(ctx, path, &plan, &archive), RICO_IO_ERROR);
    limit_files(RLIM_INFINITY);
    assert_null(archive);
    assert_non_null(strstr(rico_message(ctx), strerror(EFBIG)));
    char beside[80];
    snprintf(beside, sizeof beside, "%s.new", path);
    assert_int_not_equal(access(beside, F_OK), 0);
    rico_results *results = NULL;
    assert_ok(ctx, rico_results_open(ctx, path, &results));
    assert_int_equal(rico_results_rows(results, 0), 7);
    rico_results_destroy(results);
    unlink(path);
    rico_context_destroy(ctx);
}


// A device that takes nothing: HDF5 closes in peace all the same, and the drive knows why nothing was written.
static void test_full_device(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_drive *drive = NULL;
    if (access("/dev/full", W_OK) != 0 || rico_drive_create(ctx, "/dev/full", false, &drive) != RICO_OK) {
        rico_context_destroy(ctx);
        skip();
    }
    hid_t access_list = H5Pcreate(H5P_FILE_ACCESS);
    assert_true(rico_drive_attach(drive, access_list) >= 0);
    hid_t file = H5Fcreate("full", H5F_ACC_TRUNC, H5P_DEFAULT, access_list);
    assert_true(file >= 0);
    hid_t group = H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(group >= 0);
    assert_true(H5Gclose(group) >= 0);
    assert_true(H5Fclose(file) >= 0);
    assert_int_equal(rico_drive_drain(drive), ENOSPC);
    H5Pclose(access_list);
    rico_drive_destroy(drive);
    rico_context_destroy(ctx);
}


static void test_folders_that_may_not_be_written(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    char folder[80], inside[100];
    snprintf(folder, sizeof folder, "%s.folder", path);
    snprintf(inside, sizeof inside, "%s/run.h5", folder);
    assert_int_equal(mkdir(folder, 0555), 0);
    rico_table tables[SAMPLE_TABLES];
    rico_archive_plan plan = sample_plan(tables, 0);
    rico_archive *archive = NULL;

    // the superuser may write anywhere: be somebody else for a moment
    bool super = geteuid() == 0;
    if (super) assert_int_equal(seteuid(65534), 0);
    rico_status status = rico_archive_create(ctx, inside, &plan, &archive);
    if (super) assert_int_equal(seteuid(0), 0);
    assert_int_equal(status, RICO_IO_ERROR);
    assert_non_null(strstr(rico_message(ctx), inside));
    // who may not even reach the folder is told the same
    assert_non_null(strstr(rico_message(ctx), strerror(EACCES)));
    rmdir(folder);
    rico_context_destroy(ctx);
}


// A checkpoint that cannot be written leaves the one before, and the run may go on.
static void test_checkpoints_that_cannot_be_written(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_table tables[SAMPLE_TABLES];
    rico_archive_plan plan = sample_plan(tables, 0);
    plan.overwrite = true;
    rico_archive *archive = NULL;
    sample_state run = sample_begin();
    assert_ok(ctx, rico_archive_create(ctx, path, &plan, &archive));
    for (int k = 0; k < 10; k++) assert_ok(ctx, sample_step(archive, &run));
    assert_ok(ctx, rico_archive_checkpoint(archive, &run, sizeof run));
    for (int k = 0; k < 10; k++) assert_ok(ctx, sample_step(archive, &run));

    enum { LARGE = 1 << 24 };
    void *large = calloc(1, LARGE);
    signal(SIGXFSZ, SIG_IGN);
    limit_files(LARGE / 2);
    assert_int_equal(rico_archive_checkpoint(archive, large, LARGE), RICO_IO_ERROR);
    limit_files(RLIM_INFINITY);
    signal(SIGXFSZ, SIG_DFL);
    free(large);
    assert_non_null(strstr(rico_message(ctx), checkpoint_path));
    assert_non_null(strstr(rico_message(ctx), "the checkpoint before stays"));

    assert_ok(ctx, sample_step(archive, &run));
    assert_ok(ctx, rico_archive_close(archive, false));
    rico_archive_destroy(archive);
    rico_checkpoint checkpoint;
    assert_ok(ctx, rico_archive_resume(ctx, path, &plan, &archive, &checkpoint));
    assert_non_null(archive);
    assert_int_equal(checkpoint.size, sizeof run);
    assert_int_equal(((const sample_state *)checkpoint.state)->step, 10);
    rico_checkpoint_release(ctx, &checkpoint);
    assert_ok(ctx, rico_archive_close(archive, true));
    rico_archive_destroy(archive);
    unlink(path);
    rico_context_destroy(ctx);
}


int main(void)
{
    sample_path(path, "failures");
    sample_path(whole_path, "whole");
    snprintf(checkpoint_path, sizeof checkpoint_path, "%s.checkpoint", path);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files_that_may_not_grow), cmocka_unit_test(test_no_room_at_all),
        cmocka_unit_test(test_full_device), cmocka_unit_test(test_folders_that_may_not_be_written),
        cmocka_unit_test(test_checkpoints_that_cannot_be_written)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
