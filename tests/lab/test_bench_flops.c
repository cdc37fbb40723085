// Operations in the files of a benchmark: as they were counted, empty where they were not, and counted when a run goes on that wants them.

#include "support.h"

#include "lab/bench_report.h"

#include <unistd.h>

static char folder[] = "/tmp/rico-bench-flops-XXXXXX";
static rico_collection_item items[2] = {{"a/1", "a"}, {"a/2", "a"}};
static const rico_collection problems = {2, items};
static const char *labels[1] = {"nsgs"};


static rico_bench_table table_of(rico_bench_cell *cells, bool flops)
{
    return (rico_bench_table){.problems = &problems,
                              .solvers = 1,
                              .labels = labels,
                              .tol = 1e-8,
                              .time_limit = 1.0,
                              .options = "",
                              .cell = cells,
                              .flops = flops};
}


static const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}


// Two solved cells, the second of which nobody counted.
static void write_file(rico_context *ctx)
{
    rico_bench_cell cells[2];
    for (int i = 0; i < 2; i++)
        cells[i] = (rico_bench_cell){.outcome = RICO_OUTCOME_SOLVED,
                                     .stop = "converged",
                                     .contacts = 10,
                                     .rows = 30,
                                     .iterations = 7,
                                     .residual = 1e-9,
                                     .relative_q = 1e-9,
                                     .wall = 0.5,
                                     .cpu = 0.5,
                                     .flops = i == 0 ? 123456789.0 : NAN,
                                     .runs = 1};
    rico_bench_table table = table_of(cells, false);
    rico_bench_file file;
    assert_ok(ctx, rico_bench_file_create(ctx, folder, &file));
    assert_ok(ctx, rico_bench_file_add(ctx, &file, &table, 0, 0));
    assert_ok(ctx, rico_bench_file_add(ctx, &file, &table, 1, 0));
    assert_ok(ctx, rico_bench_file_close(ctx, &file));
}


static void test_resume(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    write_file(ctx);
    for (int wanted = 0; wanted < 2; wanted++) {
        rico_bench_cell cells[2] = {{.outcome = RICO_OUTCOME_NONE}, {.outcome = RICO_OUTCOME_NONE}};
        rico_bench_table table = table_of(cells, wanted == 1);
        rico_bench_file file;
        int64_t found;
        assert_ok(ctx, rico_bench_file_resume(ctx, folder, &table, &found, &file));
        assert_ok(ctx, rico_bench_file_close(ctx, &file));
        assert_int_equal(found, wanted == 1 ? 1 : 2);
        assert_int_equal(cells[1].outcome, wanted == 1 ? RICO_OUTCOME_NONE : RICO_OUTCOME_SOLVED);
        assert_near(cells[0].flops, 123456789.0, 0.0);
        if (wanted == 0) assert_true(isnan(cells[1].flops));
        // of what was solved and counted
        assert_near(rico_bench_summarize(&table, NULL, 0).flops_by_contact, 12345678.9, 1e-6);
    }
    unlink(path_of("results.csv"));
    rico_context_destroy(ctx);
}


static void test_profile(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_bench_cell cells[2] = {{.outcome = RICO_OUTCOME_SOLVED, .wall = 1.0, .cpu = 1.0, .flops = 1e6},
                                {.outcome = RICO_OUTCOME_SOLVED, .wall = 1.0, .cpu = 1.0, .flops = NAN}};
    for (int wanted = 0; wanted < 2; wanted++) {
        rico_bench_table table = table_of(cells, wanted == 1);
        assert_ok(ctx, rico_bench_draw(ctx, &table, false, folder));
        assert_int_equal(access(path_of("profile-flops.svg"), F_OK) == 0, wanted);
    }
    unlink(path_of("profile-flops.svg"));
    unlink(path_of("profile-time.svg"));
    unlink(path_of("profile-iterations.svg"));
    rico_context_destroy(ctx);
}


static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) != NULL ? 0 : -1;
}


static int drop_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_resume), cmocka_unit_test(test_profile)};
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
