// Archives written and read back: rows, items, notes, texts; what is refused; what CSV says.

#include "store/sample_run.h"

#include "store/drive.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

static char path[64], other_path[64], csv_path[80];


static rico_results *open_results(rico_context *ctx, const char *where)
{
    rico_results *results = NULL;
    assert_ok(ctx, rico_results_open(ctx, where, &results));
    return results;
}


// Every number of a run comes back as it went in, whatever blocks and chunks it went through.
static void check_round_trip(int64_t steps, int compression)
{
    rico_context *ctx = rico_context_create(NULL);
    sample_write(ctx, path, steps, compression);
    rico_results *results = open_results(ctx, path);
    assert_true(rico_results_finished(results));
    assert_int_equal(rico_results_table_count(results), SAMPLE_TABLES);
    assert_int_equal(rico_results_rows(results, SAMPLE_STEPS), steps);
    assert_int_equal(rico_results_rows(results, SAMPLE_CONTACTS), steps);
    assert_string_equal(rico_results_table(results, 0)->help, "one row per step");

    // the same run again, compared with what was read instead of being written
    rico_random random;
    rico_random_seed(&random, 7);
    double q[SAMPLE_WIDTH] = {0}, sum = 0.0, read_q[SAMPLE_WIDTH], read_real = 0.0, impulse[3];
    int64_t read_integer = 0, item = 0, start[2];
    for (int64_t step = 0; step < steps; step++) {
        for (int k = 0; k < 20; k++) {
            int64_t i = rico_random_below(&random, SAMPLE_WIDTH);
            q[i] += rico_random_normal(&random);
            sum += sin(q[i]);
        }
        assert_ok(ctx, rico_results_read(results, 0, 0, step, 1, &read_real));
        assert_true(read_real == 0.125 * (double)(step + 1));
        assert_ok(ctx, rico_results_read(results, 0, 1, step, 1, read_q));
        assert_memory_equal(read_q, q, sizeof q);
        assert_ok(ctx, rico_results_read(results, 0, 2, step, 1, &read_real));
        assert_true(read_real == sum);
        assert_ok(ctx, rico_results_read(results, 0, 3, step, 1, &read_integer));
        assert_int_equal(read_integer, rico_random_below(&random, 100));

        int64_t count = rico_random_below(&random, 6);
        assert_ok(ctx, rico_results_starts(results, 1, step, 1, start));
        assert_int_equal(start[0], item);
        assert_int_equal(start[1], item + count);
        for (int64_t k = 0; k < count; k++, item++) {
            assert_ok(ctx, rico_results_read(results, 1, 0, item, 1, &read_integer));
            assert_int_equal(read_integer, rico_random_below(&random, 1000));
            assert_ok(ctx, rico_results_read(results, 1, 1, item, 1, impulse));
            for (int i = 0; i < 3; i++) assert_true(impulse[i] == rico_random_normal(&random) * sum);
        }
    }
    assert_int_equal(rico_results_items(results, 1), item);
    rico_results_destroy(results);
    rico_context_destroy(ctx);
    unlink(path);
}


static void test_numbers_come_back(void **state)
{
    (void)state;
    const int64_t steps[] = {0, 1, 63, 64, 65, 1024, 1500};
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        check_round_trip(steps[k], 0);
        check_round_trip(steps[k] / 4, 4);
    }
}


static void test_names_and_notes_come_back(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    sample_write(ctx, path, 3, 0);
    rico_results *results = open_results(ctx, path);
    const rico_table *steps = rico_results_table(results, rico_results_find_table(results, "steps"));
    assert_int_equal(steps->column_count, 4);
    assert_string_equal(steps->columns[0].name, "time");
    assert_string_equal(steps->columns[0].unit, "s");
    assert_string_equal(steps->columns[0].help, "end of the step");
    assert_int_equal(steps->columns[0].width, 0);
    assert_int_equal(steps->columns[1].width, SAMPLE_WIDTH);
    assert_string_equal(steps->columns[2].unit, "");
    assert_int_equal(steps->columns[3].number, RICO_NUMBER_INTEGER);
    assert_false(steps->ragged);
    assert_true(rico_results_table(results, rico_results_find_table(results, "contacts"))->ragged);
    assert_int_equal(rico_results_find_table(results, "stepz"), -1);
    assert_int_equal(rico_results_find_column(results, 0, "sum"), 2);
    assert_int_equal(rico_results_find_column(results, 0, "start"), -1);
    assert_null(rico_results_table(results, 2));

    assert_int_equal(rico_results_note_count(results), 3);
    assert_string_equal(rico_results_note(results, 0)->name, "scene");
    assert_string_equal(rico_results_note(results, 0)->text, "bodies:\n  - ball \xc3\xa9\n");
    assert_true(rico_results_note(results, 1)->real == 0.125);
    assert_null(rico_results_note(results, 1)->text);
    assert_int_equal(rico_results_note(results, 2)->integer, -7);
    assert_null(rico_results_note(results, 3));

    // ranges that are not there
    double time;
    int64_t start[2];
    assert_int_equal(rico_results_read(results, 0, 0, 3, 1, &time), RICO_BAD_ARGUMENT);
    assert_non_null(strstr(rico_message(ctx), "has 3 rows, not 1 from 3 on"));
    assert_int_equal(rico_results_read(results, 0, 0, -1, 1, &time), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_results_read(results, 0, 0, 1, INT64_MAX, &time), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_results_read(results, 0, 4, 0, 1, &time), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_results_starts(results, 0, 0, 1, start), RICO_BAD_ARGUMENT);
    rico_results_destroy(results);
    rico_context_destroy(ctx);
    unlink(path);
}


static void test_differences_are_found(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    char difference[RICO_DIFFERENCE];
    sample_write(ctx, path, 100, 0);
    sample_write(ctx, other_path, 101, 1);
    rico_results *a = open_results(ctx, path), *b = open_results(ctx, other_path);
    assert_ok(ctx, rico_results_compare(a, a, difference));
    assert_string_equal(difference, "");
    assert_ok(ctx, rico_results_compare(a, b, difference));
    assert_string_equal(difference, "table steps has 100 rows here, 101 there");
    rico_results_destroy(b);

    // one bit of one row, and compression that does not matter
    rico_table tables[SAMPLE_TABLES];
    for (int spoil = 0; spoil < 2; spoil++) {
        rico_archive_plan plan = sample_plan(tables, 1);
        plan.overwrite = true;
        rico_archive *archive = NULL;
        assert_ok(ctx, rico_archive_create(ctx, other_path, &plan, &archive));
        sample_state run = sample_begin();
        while (run.step < 100) {
            if (spoil && run.step == 41) run.q[17] = nextafter(run.q[17], INFINITY);
            assert_ok(ctx, sample_step(archive, &run));
        }
        assert_ok(ctx, rico_archive_close(archive, true));
        rico_archive_destroy(archive);
        b = open_results(ctx, other_path);
        assert_ok(ctx, rico_results_compare(a, b, difference));
        assert_string_equal(difference, spoil ? "table steps differs first in column q, row 41" : "");
        rico_results_destroy(b);
    }
    rico_results_destroy(a);
    rico_context_destroy(ctx);
    unlink(path);
    unlink(other_path);
}


// --- refusals -----------------------------------------------------------------------------------------------

static void assert_refused(rico_context *ctx, const char *where, const rico_archive_plan *plan,
                           rico_status expected, const char *sentence)
{
    rico_archive *archive = NULL;
    assert_int_equal(rico_archive_create(ctx, where, plan, &archive), expected);
    if (!strstr(rico_message(ctx), sentence)) fail_msg("'%s' is not in '%s'", sentence, rico_message(ctx));
}


static void test_bad_plans_are_refused(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    const rico_column good = {"x", RICO_NUMBER_REAL, 0, NULL, NULL}, twice[] = {good, good};
    rico_column column = good;
    rico_table tables[2] = {{.name = "t", .column_count = 1, .columns = &column}};
    tables[1] = tables[0];
    rico_archive_plan plan = rico_archive_plan_default();
    plan.table_count = 1;
    plan.tables = tables;

    tables[0].name = "a/b";
    assert_refused(ctx, path, &plan, RICO_BAD_ARGUMENT, "'a/b' is no name for a table");
    tables[0].name = "run";
    assert_refused(ctx, path, &plan, RICO_BAD_ARGUMENT, "the archive uses it itself");
    tables[0].name = "t";
    plan.table_count = 2;
    assert_refused(ctx, path, &plan, RICO_BAD_ARGUMENT, "two tables t");
    plan.table_count = 1;
    column.name = "";
    assert_refused(ctx, path, &plan, RICO_BAD_ARGUMENT, "t: '' is no name for a column");
    column.name = "start";
    tables[0].ragged = true;
    assert_refused(ctx, path, &plan, RICO_BAD_ARGUMENT, "no column may be called 'start'");
    tables[0].ragged = false;
    column = good;
    column.width = -1;
    assert_refused(ctx, path, &plan, RICO_BAD_ARGUMENT, "column x cannot be -1 wide");
    column.width = INT64_C(1) << 40;
    assert_refused(ctx, path, &plan, RICO_BAD_ARGUMENT, "cannot be 1099511627776 wide");
    column = good;
    tables[0].compression = 10;
    assert_refused(ctx, path, &plan, RICO_BAD_ARGUMENT, "compression 10 is not between 0 and 9");
    tables[0].compression = 0;
    tables[0].columns = twice;
    tables[0].column_count = 2;
    assert_refused(ctx, path, &plan, RICO_BAD_ARGUMENT, "table t has two columns x");
    tables[0].column_count = 0;
    assert_refused(ctx, path, &plan, RICO_BAD_ARGUMENT, "table t has no columns");
    tables[0].column_count = 1;
    const rico_note notes[] = {{.name = "n", .text = ""}, {.name = "n"}};
    plan.notes = notes;
    plan.note_count = 2;
    assert_refused(ctx, path, &plan, RICO_BAD_ARGUMENT, "two notes n");
    assert_int_not_equal(access(path, F_OK), 0);
    rico_context_destroy(ctx);
}


static void test_wrong_calls_are_refused(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_table tables[SAMPLE_TABLES];
    rico_archive_plan plan = sample_plan(tables, 0);
    rico_archive *archive = NULL;
    assert_ok(ctx, rico_archive_create(ctx, path, &plan, &archive));
    const void *nothing[] = {NULL, NULL};
    assert_int_equal(rico_archive_append(archive, 2, nothing), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_archive_append(archive, SAMPLE_CONTACTS, nothing), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_archive_append_items(archive, SAMPLE_STEPS, 0, nothing), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_archive_append_items(archive, SAMPLE_CONTACTS, -1, nothing), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_archive_checkpoint(archive, NULL, -1), RICO_BAD_ARGUMENT);
    assert_ok(ctx, rico_archive_append_items(archive, SAMPLE_CONTACTS, 0, nothing));
    assert_int_equal(rico_archive_rows(archive, SAMPLE_CONTACTS), 1);
    assert_ok(ctx, rico_archive_close(archive, true));
    assert_int_equal(rico_archive_close(archive, true), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_archive_append_items(archive, SAMPLE_CONTACTS, 0, nothing), RICO_BAD_ARGUMENT);
    assert_non_null(strstr(rico_message(ctx), "the archive is closed"));
    rico_archive_destroy(archive);
    rico_archive_destroy(NULL);
    rico_results_destroy(NULL);
    rico_context_destroy(ctx);
    unlink(path);
}


static void test_files_are_not_overwritten_by_accident(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_table tables[SAMPLE_TABLES];
    rico_archive_plan plan = sample_plan(tables, 0);
    sample_write(ctx, path, 5, 0);
    assert_refused(ctx, path, &plan, RICO_IO_ERROR, "exists already and is not overwritten");
    rico_results *results = open_results(ctx, path);
    assert_int_equal(rico_results_rows(results, 0), 5);
    rico_results_destroy(results);

    // not even when asked for while another run is at it, in this process or elsewhere
    plan.overwrite = true;
    rico_archive *archive = NULL, *second = NULL;
    rico_checkpoint checkpoint;
    assert_ok(ctx, rico_archive_create(ctx, path, &plan, &archive));
    assert_refused(ctx, path, &plan, RICO_IO_ERROR, "another run is writing this file");
    assert_ok(ctx, rico_archive_checkpoint(archive, "state", 5));
    assert_int_equal(rico_archive_resume(ctx, path, &plan, &second, &checkpoint), RICO_IO_ERROR);
    assert_non_null(strstr(rico_message(ctx), "another run is writing this file"));
    assert_null(second);
    sample_state run = sample_begin();
    while (run.step < 9) assert_ok(ctx, sample_step(archive, &run));
    assert_ok(ctx, rico_archive_close(archive, true));
    rico_archive_destroy(archive);
    results = open_results(ctx, path);
    assert_int_equal(rico_results_rows(results, 0), 9);
    rico_results_destroy(results);
    assert_refused(ctx, ".", &plan, RICO_IO_ERROR, "directory");
    assert_refused(ctx, "/dev/null", &plan, RICO_IO_ERROR, "not a regular file");
    assert_refused(ctx, "no/such/folder/run.h5", &plan, RICO_IO_ERROR, "No such file or directory");
    rico_context_destroy(ctx);
    unlink(path);
}


// --- CSV ----------------------------------------------------------------------------------------------------

typedef struct collected {
    char text[4000];
    size_t length;
    int error;
} collected;


static int collect(void *user, const char *text, size_t length)
{
    collected *into = user;
    if (into->error) return into->error;
    if (into->length + length >= sizeof into->text) return ENOSPC;
    memcpy(into->text + into->length, text, length);
    into->length += length;
    into->text[into->length] = '\0';
    return 0;
}


static void test_csv_says_the_same(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    const rico_column columns[] = {{"t", RICO_NUMBER_REAL, 0, NULL, NULL},
                                   {"v", RICO_NUMBER_REAL, 2, NULL, NULL},
                                   {"n", RICO_NUMBER_INTEGER, 0, NULL, NULL}};
    const rico_table tables[] = {{.name = "a", .column_count = 3, .columns = columns},
                                 {.name = "b", .ragged = true, .column_count = 1, .columns = &columns[2]},
                                 {.name = "c", .ragged = true, .column_count = 1, .columns = &columns[2]}};
    rico_archive_plan plan = rico_archive_plan_default();
    plan.table_count = 3, plan.tables = tables;
    rico_archive *archive = NULL;
    assert_ok(ctx, rico_archive_create(ctx, path, &plan, &archive));
    const double t[] = {0.1, 1.0 / 3.0, NAN}, v[][2] = {{1e300, -0.0}, {INFINITY, -INFINITY}, {5e-324, 1.0}};
    const int64_t n[] = {INT64_MIN, 0, INT64_MAX};
    for (int k = 0; k < 3; k++) {
        const void *row[] = {&t[k], v[k], &n[k]};
        assert_ok(ctx, rico_archive_append(archive, 0, row));
    }
    const void *items[] = {n};
    assert_ok(ctx, rico_archive_append_items(archive, 1, 0, items));
    assert_ok(ctx, rico_archive_append_items(archive, 1, 2, items));
    assert_ok(ctx, rico_archive_append_items(archive, 1, 0, items));
    assert_ok(ctx, rico_archive_append_items(archive, 1, 1, items));
    assert_ok(ctx, rico_archive_close(archive, true));
    rico_archive_destroy(archive);

    rico_results *results = open_results(ctx, path);
    collected csv = {.length = 0};
    assert_ok(ctx, rico_results_csv(results, 0, 0, NULL, collect, &csv));
    assert_string_equal(csv.text, "t,v[0],v[1],n\n"
                                  "0.1,1e+300,-0,-9223372036854775808\n"
                                  "0.33333333333333331,inf,-inf,0\n"
                                  "nan,4.94065645841247e-324,1,9223372036854775807\n");
    csv = (collected){.length = 0};
    const char *const some[] = {"n", "t"};
    assert_ok(ctx, rico_results_csv(results, 0, 2, some, collect, &csv));
    assert_string_equal(csv.text,
                        "n,t\n-9223372036854775808,0.1\n0,0.33333333333333331\n9223372036854775807,nan\n");
    csv = (collected){.length = 0};
    assert_ok(ctx, rico_results_csv(results, 1, 0, NULL, collect, &csv));
    assert_string_equal(csv.text, "row,n\n1,-9223372036854775808\n1,0\n3,-9223372036854775808\n");
    csv = (collected){.length = 0};
    assert_ok(ctx, rico_results_csv(results, 2, 0, NULL, collect, &csv));
    assert_string_equal(csv.text, "row,n\n");

    const char *const wrong[] = {"n", "m"};
    assert_int_equal(rico_results_csv(results, 0, 2, wrong, collect, &csv), RICO_BAD_ARGUMENT);
    assert_non_null(strstr(rico_message(ctx), "table a has no column m"));
    assert_int_equal(rico_results_csv(results, 3, 0, NULL, collect, &csv), RICO_BAD_ARGUMENT);
    csv.error = EPIPE;
    assert_int_equal(rico_results_csv(results, 0, 0, NULL, collect, &csv), RICO_IO_ERROR);
    assert_non_null(strstr(rico_message(ctx), "Broken pipe"));

    // a file: whole, or not at all
    assert_ok(ctx, rico_results_csv_file(results, 0, 2, some, csv_path));
    FILE *file = fopen(csv_path, "r");
    char text[200] = "";
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    assert_string_equal(text,
                        "n,t\n-9223372036854775808,0.1\n0,0.33333333333333331\n9223372036854775807,nan\n");
    assert_int_equal(rico_results_csv_file(results, 0, 2, wrong, csv_path), RICO_BAD_ARGUMENT);
    struct stat about;
    assert_int_equal(stat(csv_path, &about), 0);
    assert_int_equal(about.st_size, strlen(text));
    assert_int_equal(rico_results_csv_file(results, 0, 0, NULL, "no/such/folder/t.csv"), RICO_IO_ERROR);
    rico_results_destroy(results);
    rico_context_destroy(ctx);
    unlink(csv_path);
    unlink(path);
}


// --- the drive ----------------------------------------------------------------------------------------------

// HDF5 keeps its printing as the program had set it, and no object of ours stays open.
static void test_nothing_stays_open(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    sample_write(ctx, path, 200, 0);
    rico_results *results = open_results(ctx, path);
    rico_results_destroy(results);
    assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
    H5E_auto2_t handler = NULL;
    void *data = NULL;
    assert_true(H5Eget_auto2(H5E_DEFAULT, &handler, &data) >= 0);
    assert_non_null(handler);
    rico_context_destroy(ctx);
    unlink(path);
}


// --- memory -------------------------------------------------------------------------------------------------

typedef struct ration {
    int64_t left, held;
} ration;


static void *take(void *user, size_t size)
{
    ration *r = user;
    if (r->left-- <= 0) return NULL;
    void *block = malloc(size);
    if (block) r->held++;
    return block;
}


static void give_back(void *user, void *block)
{
    if (block) ((ration *)user)->held--;
    free(block);
}


// A short life: written, checkpointed, stopped, resumed, finished, read, exported.
static rico_status live(rico_context *ctx)
{
    rico_table tables[SAMPLE_TABLES];
    rico_archive_plan plan = sample_plan(tables, 0);
    plan.overwrite = true;
    rico_archive *archive = NULL;
    rico_results *results = NULL;
    rico_checkpoint checkpoint = {0};
    sample_state run = sample_begin();
    rico_status status = rico_archive_create(ctx, path, &plan, &archive);
    if (status == RICO_OK) status = sample_step(archive, &run);
    if (status == RICO_OK) status = rico_archive_checkpoint(archive, &run, sizeof run);
    if (status == RICO_OK) status = rico_archive_close(archive, false);
    rico_archive_destroy(archive);
    archive = NULL;
    if (status == RICO_OK) status = rico_archive_resume(ctx, path, &plan, &archive, &checkpoint);
    rico_checkpoint_release(ctx, &checkpoint);
    if (status == RICO_OK) status = rico_archive_close(archive, true);
    rico_archive_destroy(archive);
    if (status == RICO_OK) status = rico_results_open(ctx, path, &results);
    if (status == RICO_OK) status = rico_results_csv_file(results, 0, 0, NULL, csv_path);
    char difference[RICO_DIFFERENCE];
    if (status == RICO_OK) status = rico_results_compare(results, results, difference);
    rico_results_destroy(results);
    return status;
}


static void test_memory_that_runs_out(void **state)
{
    (void)state;
    rico_status status = RICO_NO_MEMORY;
    int64_t most = 1;
    for (; status != RICO_OK; most++) {
        ration r = {.left = most};
        const rico_allocator allocator = {take, give_back, &r};
        rico_context *ctx = rico_context_create(&allocator);
        assert_non_null(ctx);
        status = live(ctx);
        if (status != RICO_OK) assert_int_equal(status, RICO_NO_MEMORY);
        assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
        rico_context_destroy(ctx);
        assert_int_equal(r.held, 0);
        unlink(path);
    }
    assert_true(most > 30); // it did run out many times
    char left_over[100];
    snprintf(left_over, sizeof left_over, "%s.checkpoint", path);
    unlink(left_over);
    unlink(csv_path);
}


int main(void)
{
    sample_path(path, "archive");
    sample_path(other_path, "other");
    snprintf(csv_path, sizeof csv_path, "%s.csv", path);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers_come_back),
                                       cmocka_unit_test(test_names_and_notes_come_back),
                                       cmocka_unit_test(test_differences_are_found),
                                       cmocka_unit_test(test_bad_plans_are_refused),
                                       cmocka_unit_test(test_wrong_calls_are_refused),
                                       cmocka_unit_test(test_files_are_not_overwritten_by_accident),
                                       cmocka_unit_test(test_csv_says_the_same),
                                       cmocka_unit_test(test_nothing_stays_open),
                                       cmocka_unit_test(test_memory_that_runs_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
