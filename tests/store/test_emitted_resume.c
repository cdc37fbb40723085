// Runs whose contacts come and go, killed, stopped or made longer: they end as if they had not been. And checkpoints and files
// of theirs that are damaged, which do no harm.

#include "store/hail.h"

#include "store/archive.h"
#include "store/columns.h"
#include "store/recording_private.h"

#include <signal.h>
#include <sys/wait.h>

enum { STEPS = 300, CHECKPOINT_EVERY = 40, FLUSH_EVERY = 7 };
static const double STEP = 2e-3;

static char path[64], whole_path[64], checkpoint_path[80];

// Damage makes HDF5 lose blocks of its own, as in test_bad.c; what we ask of it and must give back is counted.
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libhdf5\n";
}


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


static void remove_all(void)
{
    unlink(path);
    unlink(checkpoint_path);
}


// The whole run without interruption.
static void write_whole(rico_context *ctx)
{
    hail own = {0};
    rico_runner_options options = hail_options(&own, whole_path);
    rico_runner_result result;
    options.overwrite = true;
    assert_ok(ctx, rico_runner_run(ctx, &options, &result));
    assert_int_equal(result.steps, STEPS);
}


// --- kills -------------------------------------------------------------------------------------------------------

// Where a run dies: at a write, counted from its beginning, torn between two pages or not.
typedef struct death {
    int64_t write; // -1: it lives
    bool torn;
} death;

// A recording at work, with what it needs.
typedef struct work {
    hail own;
    rico_scene *scene;
    rico_simulation *sim;
    rico_recording *recording;
} work;


static rico_status begin_work(rico_context *ctx, work *w, int order)
{
    const rico_recording_options notes = {
        .scene_text = HAIL_SCENE, .scene_path = "hail", .overrides = "", .overwrite = true};
    w->own.order = order;
    const rico_scene_options options = {.path = "hail",
                                        .text = HAIL_SCENE,
                                        .length = (int64_t)sizeof HAIL_SCENE - 1,
                                        .extend = hail_add,
                                        .user = &w->own};
    rico_status status = rico_scene_create(ctx, &options, &w->scene);
    if (status == RICO_OK) status = rico_scene_simulate(w->scene, &w->sim);
    if (status == RICO_OK) status = rico_recording_resume(ctx, path, w->scene, w->sim, &notes, &w->recording);
    if (status == RICO_OK && !w->recording)
        status = rico_recording_create(ctx, path, w->scene, w->sim, &notes, &w->recording);
    // by steps, not by seconds: the writes are the same every time
    if (status == RICO_OK) w->recording->archive->flush_seconds = 0.0;
    return status;
}


static void end_work(work *w)
{
    rico_recording_destroy(w->recording);
    rico_simulation_destroy(w->sim);
    rico_scene_destroy(w->scene);
}


static rico_status step(work *w, int64_t steps)
{
    int64_t next = rico_simulation_steps(w->sim) + 1;
    rico_status status = next == steps ? rico_recording_keep(w->recording) : RICO_OK;
    if (status == RICO_OK) status = rico_simulation_step(w->sim, STEP);
    if (status == RICO_OK) status = rico_recording_step(w->recording, next == steps);
    if (status == RICO_OK && next % CHECKPOINT_EVERY == 0)
        status = rico_recording_checkpoint(w->recording);
    else if (status == RICO_OK && next % FLUSH_EVERY == 0)
        status = rico_archive_flush(w->recording->archive);
    return status;
}


// From the last checkpoint, or from the start where there is none, to the end. Each life emits in another order.
static rico_status live(rico_context *ctx, death when, int order)
{
    work w = {0};
    rico_status status = begin_work(ctx, &w, order);
    if (status == RICO_OK && when.write >= 0)
        rico_drive_kill_at(w.recording->archive->drive, when.write, when.torn);
    while (status == RICO_OK && rico_simulation_steps(w.sim) < STEPS) status = step(&w, STEPS);
    if (status == RICO_OK) status = rico_recording_close(w.recording, true);
    end_work(&w);
    return status;
}


// In a process of its own; true when it came to its end.
static bool live_and_die(death when, int order)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        rico_context *ctx = rico_context_create(NULL);
        rico_status status = live(ctx, when, order);
        if (status != RICO_OK) fprintf(stderr, "%s\n", rico_message(ctx));
        _exit(status == RICO_OK ? 0 : 1);
    }
    int how = 0;
    assert_int_equal(waitpid(child, &how, 0), child);
    if (WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL) return false;
    if (!WIFEXITED(how) || WEXITSTATUS(how) != 0) fail_msg("the run ended with %#x", (unsigned)how);
    return true;
}


// What there is after a kill can be read, contacts included.
static void check_readable(rico_context *ctx)
{
    rico_columns *columns = NULL;
    int64_t count;
    double *values = NULL;
    if (access(path, F_OK) != 0) return;
    assert_ok(ctx, rico_columns_open(ctx, path, &columns));
    assert_ok(ctx, rico_columns_read(columns, "impulse:emitted", &count, &values));
    rico_free(ctx, values);
    rico_columns_destroy(columns);
}


static void test_killed_runs_end_the_same(void **state)
{
    rico_context *ctx = *state;
    enum { KILLS = 16 };
    rico_random random;
    rico_random_seed(&random, 3);
    remove_all();
    write_whole(ctx);
    for (int killed = 0; killed < KILLS;) {
        const death when = {(int64_t)exp(rico_random_range(&random, 0.0, log(1500.0))), killed % 2 == 0};
        bool end = live_and_die(when, killed % 3);
        check_readable(ctx);
        killed += !end;
        if (!end) continue;
        assert_same(ctx, whole_path, path);
        remove_all();
    }
    assert_true(live_and_die((death){.write = -1}, 1));
    assert_same(ctx, whole_path, path);
    remove_all();
}


// --- stops and extensions ------------------------------------------------------------------------------------------

// After any number of steps, and again behind that.
static void test_stopped_runs_go_on(void **state)
{
    rico_context *ctx = *state;
    static const int64_t STOPS[] = {1, 2, 51, 92, 133, 200};
    hail own = {.order = 1};
    rico_runner_result result;
    write_whole(ctx);
    for (size_t i = 0; i < sizeof STOPS / sizeof *STOPS; i++) {
        rico_runner_options options = hail_options(&own, path);
        options.overwrite = true;
        options.most_steps = STOPS[i];
        assert_int_equal(rico_runner_run(ctx, &options, &result), RICO_INTERRUPTED);
        options = hail_options(&own, path);
        options.scene = options.text = NULL;
        options.resume = true;
        options.most_steps = 3;
        assert_int_equal(rico_runner_run(ctx, &options, &result), RICO_INTERRUPTED);
        options.most_steps = 0;
        assert_ok(ctx, rico_runner_run(ctx, &options, &result));
        assert_true(result.resumed && result.finished);
        assert_same(ctx, whole_path, path);
        remove_all();
    }
}


static void test_longer_runs(void **state)
{
    rico_context *ctx = *state;
    hail own = {.order = 2};
    rico_runner_options options = hail_options(&own, path);
    rico_runner_result result;
    write_whole(ctx);
    options.overwrite = true;
    options.until = 0.3333; // its last step is a short one
    assert_ok(ctx, rico_runner_run(ctx, &options, &result));
    options = hail_options(&own, path);
    options.scene = options.text = NULL;
    options.extend = true;
    options.until = 0.6;
    assert_ok(ctx, rico_runner_run(ctx, &options, &result));
    assert_same(ctx, whole_path, path);
    remove_all();
}


// Steps of many lengths, some tried and given up. Contacts that vanish under a load have no step that is short enough.
static void test_adaptive_runs(void **state)
{
    rico_context *ctx = *state;
    static const char *const ADAPTIVE[] = {"time.adaptive=true", "time.end=0.15", "time.rtol=1e-3"};
    hail own = {.order = 1, .steady = true};
    rico_runner_result result;
    for (int stops = 0; stops < 2; stops++) {
        rico_runner_options options = hail_options(&own, stops ? path : whole_path);
        options.overwrite = true;
        options.override_count = 3;
        options.overrides = ADAPTIVE;
        options.most_steps = stops ? 37 : 0;
        rico_status status = rico_runner_run(ctx, &options, &result);
        if (!stops) assert_ok(ctx, status);
        own.order = 2;
    }
    rico_runner_options options = hail_options(&own, path);
    options.scene = options.text = NULL;
    options.resume = true;
    assert_ok(ctx, rico_runner_run(ctx, &options, &result));
    assert_true(result.resumed && result.finished);
    assert_same(ctx, whole_path, path);
    remove_all();
}


static void test_only_the_same_program_goes_on(void **state)
{
    rico_context *ctx = *state;
    hail own = {0};
    rico_runner_options options = hail_options(&own, path);
    rico_runner_result result;
    options.overwrite = true;
    options.most_steps = 20;
    assert_int_equal(rico_runner_run(ctx, &options, &result), RICO_INTERRUPTED);
    options = hail_options(&own, path);
    options.scene = options.text = NULL;
    options.resume = true;
    options.add = NULL;
    assert_int_equal(rico_runner_run(ctx, &options, &result), RICO_BAD_INPUT);
    assert_non_null(
        strstr(rico_message(ctx), "contacts come from the source 'floor' in the file, from 'none' now"));
    remove_all();
}


// --- damage ----------------------------------------------------------------------------------------------------------

// A checkpoint whose bytes are not what was saved, with a checksum that says they are: taken or refused, and no more.
static void test_spoiled_checkpoints_do_no_harm(void **state)
{
    rico_context *ctx = *state;
    enum { TRIES = 120 };
    rico_random random;
    rico_random_seed(&random, 4);
    int refused = 0;
    for (int k = 0; k < TRIES; k++) {
        work w = {0};
        remove_all();
        assert_ok(ctx, begin_work(ctx, &w, 0));
        while (rico_simulation_steps(w.sim) < 3 * (k % 20)) assert_ok(ctx, step(&w, STEPS));
        assert_ok(ctx, rico_recording_checkpoint(w.recording));
        int64_t size = (int64_t)sizeof(int64_t) * 7 + rico_simulation_state_size(w.sim);
        char *bytes = w.recording->state;
        // counts stand in front; numbers behind
        int64_t reach = k % 3 == 0 ? 250 : size, changes = 1 + rico_random_below(&random, 4);
        for (int64_t i = 0; i < changes; i++)
            bytes[rico_random_below(&random, reach)] = (char)rico_random_bits(&random);
        int64_t length = k % 5 == 0 ? rico_random_below(&random, size) : size;
        assert_ok(ctx, rico_archive_checkpoint(w.recording->archive, bytes, length));
        assert_ok(ctx, rico_recording_close(w.recording, false));
        end_work(&w);

        w = (work){0};
        rico_status status = begin_work(ctx, &w, 0);
        for (int i = 0; status == RICO_OK && i < 3; i++) status = step(&w, STEPS);
        refused += status != RICO_OK;
        end_work(&w);
    }
    assert_true(refused > TRIES / 5);
    remove_all();
}


static void test_damaged_files_do_no_harm(void **state)
{
    rico_context *ctx = *state;
    static const char *const NAMES[] = {"count:floor", "gap:emitted", "emitted.key", "emitted.b[2]",
                                        "events.source"};
    write_whole(ctx);
    FILE *file = fopen(whole_path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    char *good = malloc(size), *bytes = malloc(size);
    assert_true(good && bytes);
    rewind(file);
    assert_int_equal(fread(good, 1, size, file), size);
    fclose(file);
    int whole = 0, tries = 120;
    for (int k = 0; k < tries; k++) {
        rico_random random;
        rico_random_seed(&random, (uint64_t)k);
        memcpy(bytes, good, size);
        int64_t reach = k % 4 == 0 ? (int64_t)size : 40000 < size ? 40000 : (int64_t)size;
        for (int64_t i = 0; i <= k % 8; i++)
            bytes[rico_random_below(&random, reach)] = (char)rico_random_bits(&random);
        file = fopen(path, "wb");
        assert_non_null(file);
        fwrite(bytes, 1, k % 5 == 0 ? size / 120 * (size_t)k : size, file);
        fclose(file);
        rico_columns *columns = NULL;
        rico_status status = rico_columns_open(ctx, path, &columns);
        for (size_t i = 0; status == RICO_OK && i < sizeof NAMES / sizeof *NAMES; i++) {
            int64_t count;
            double *values = NULL;
            status = rico_columns_read(columns, NAMES[i], &count, &values);
            if (status == RICO_OK) rico_free(ctx, values);
        }
        whole += status == RICO_OK;
        rico_columns_destroy(columns);
        assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
    }
    assert_true(whole > 0 && whole < tries);
    free(good);
    free(bytes);
    remove_all();
}


static int begin(void **state)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    *state = rico_context_create(NULL);
    return *state ? 0 : -1;
}


static int end(void **state)
{
    rico_context_destroy(*state);
    remove_all();
    unlink(whole_path);
    return 0;
}


int main(void)
{
    snprintf(path, sizeof path, "store_hail_%ld.h5", (long)getpid());
    snprintf(whole_path, sizeof whole_path, "store_hail_%ld_whole.h5", (long)getpid());
    snprintf(checkpoint_path, sizeof checkpoint_path, "%s.checkpoint", path);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_killed_runs_end_the_same),
                                       cmocka_unit_test(test_stopped_runs_go_on),
                                       cmocka_unit_test(test_longer_runs),
                                       cmocka_unit_test(test_adaptive_runs),
                                       cmocka_unit_test(test_only_the_same_program_goes_on),
                                       cmocka_unit_test(test_spoiled_checkpoints_do_no_harm),
                                       cmocka_unit_test(test_damaged_files_do_no_harm)};
    return cmocka_run_group_tests(tests, begin, end);
}
