// Archives in memory: the rows, names and notes of the same run in a file; nothing leaked when memory runs out.

#include "failing_memory.h"
#include "sample_run.h"


static rico_status run(rico_context *ctx, int64_t steps, rico_results **out)
{
    rico_table tables[SAMPLE_TABLES];
    rico_archive_plan plan = sample_plan(tables, 0);
    rico_archive *archive = NULL;
    sample_state state = sample_begin();
    rico_status status = rico_archive_create_memory(ctx, &plan, &archive);
    while (status == RICO_OK && state.step < steps) status = sample_step(archive, &state);
    if (status == RICO_OK) status = rico_archive_set_end(archive, 3.5);
    if (status == RICO_OK) status = rico_archive_close(archive, true);
    if (status == RICO_OK) status = rico_archive_results(archive, out);
    rico_archive_destroy(archive);
    return status;
}


static void test_as_in_a_file(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_results *memory = NULL, *file = NULL;
    char path[64], difference[RICO_DIFFERENCE];
    sample_path(path, "memory");
    for (int64_t steps = 0; steps <= 300; steps += 100) {
        sample_write(ctx, path, steps, 0);
        assert_ok(ctx, rico_results_open(ctx, path, &file));
        assert_ok(ctx, run(ctx, steps, &memory));
        assert_ok(ctx, rico_results_compare(file, memory, difference));
        assert_string_equal(difference, "");
        assert_int_equal(rico_results_rows(memory, SAMPLE_CONTACTS), steps);
        assert_int_equal(rico_results_items(memory, SAMPLE_CONTACTS),
                         rico_results_items(file, SAMPLE_CONTACTS));
        assert_true(rico_results_finished(memory));
        assert_near(rico_results_end(memory), 3.5, 0.0);
        assert_ok(ctx, rico_results_refresh(memory));
        const rico_table *table = rico_results_table(memory, SAMPLE_STEPS);
        assert_string_equal(table->columns[1].unit, "m");
        assert_string_equal(table->columns[2].help, "");
        assert_int_equal(rico_results_note_count(memory), rico_results_note_count(file));
        assert_string_equal(rico_results_note(memory, 0)->text, rico_results_note(file, 0)->text);
        assert_int_equal(rico_results_note(memory, 2)->integer, -7);
        rico_results_destroy(memory);
        rico_results_destroy(file);
    }
    unlink(path);
    rico_context_destroy(ctx);
}


static void test_refusals(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_table tables[SAMPLE_TABLES];
    rico_archive_plan plan = sample_plan(tables, 0);
    rico_archive *archive = NULL;
    rico_results *results = NULL, *again = NULL;
    sample_state sample = sample_begin();
    assert_ok(ctx, rico_archive_create_memory(ctx, &plan, &archive));
    assert_ok(ctx, sample_step(archive, &sample));
    assert_int_equal(rico_archive_checkpoint(archive, &sample, sizeof sample), RICO_UNSUPPORTED);
    assert_non_null(strstr(rico_message(ctx), "has no checkpoints"));
    assert_ok(ctx, rico_archive_keep(archive, &sample, sizeof sample));
    assert_ok(ctx, rico_archive_results(archive, &results));
    assert_false(rico_results_finished(results));
    assert_int_equal(rico_archive_results(archive, &again), RICO_BAD_ARGUMENT);
    assert_int_equal(sample_step(archive, &sample), RICO_BAD_ARGUMENT); // closed
    double numbers[2];
    assert_int_equal(rico_results_read(results, SAMPLE_STEPS, 0, 1, 1, numbers), RICO_BAD_ARGUMENT);
    rico_archive_destroy(archive);
    assert_ok(ctx, rico_results_read(results, SAMPLE_STEPS, 0, 0, 1, numbers)); // they live on their own
    assert_near(numbers[0], 0.125, 0.0);
    rico_results_destroy(results);
    rico_context_destroy(ctx);
}


static rico_status make_and_drop(rico_context *ctx, void *user)
{
    (void)user;
    rico_results *results = NULL;
    rico_status status = run(ctx, 70, &results); // beyond the first block
    rico_results_destroy(results);
    return status;
}


static void test_memory_runs_out(void **state)
{
    (void)state;
    assert_true(every_allocation_fails(make_and_drop, NULL) > 30);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_as_in_a_file), cmocka_unit_test(test_refusals),
                                       cmocka_unit_test(test_memory_runs_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
