// Table 6 and the other measures on a table of cells known by hand.

#include "support.h"

#include "lab/bench_report.h"

static void test_by_hand(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_collection_item items[4] = {{"a/1", "a"}, {"a/2", "a"}, {"a/3", "a"}, {"b/1", "b"}};
    rico_collection problems = {4, items};
    const char *labels[2] = {"x", "y"};
    // a/1: 2 s and 4 s; a/2: 3 s by y alone; a/3 by none; b/1 was not run
    rico_bench_cell cells[8] = {
        {.outcome = RICO_OUTCOME_SOLVED,
         .contacts = 10,
         .iterations = 5,
         .residual = 1e-9,
         .wall = 2.0,
         .cpu = 2.0,
         .flops = 1e3},
        {.outcome = RICO_OUTCOME_SOLVED,
         .contacts = 10,
         .iterations = 20,
         .residual = 1e-10,
         .wall = 4.0,
         .cpu = 4.0,
         .flops = 4e3},
        {.outcome = RICO_OUTCOME_TIMEOUT,
         .contacts = 30,
         .iterations = 7,
         .residual = 1e-3,
         .wall = 9.0,
         .cpu = 9.0},
        {.outcome = RICO_OUTCOME_SOLVED,
         .contacts = 30,
         .iterations = 10,
         .residual = 1e-8,
         .wall = 6.0,
         .cpu = 6.0,
         .flops = 6e3},
        {.outcome = RICO_OUTCOME_TIMEOUT,
         .contacts = 5,
         .iterations = 7,
         .residual = 1e-5,
         .wall = 9.0,
         .cpu = 9.0},
        {.outcome = RICO_OUTCOME_CRASHED,
         .contacts = 5,
         .iterations = -1,
         .residual = NAN,
         .wall = NAN,
         .cpu = NAN},
        {.outcome = RICO_OUTCOME_NONE, .residual = NAN},
        {.outcome = RICO_OUTCOME_NONE, .residual = NAN},
    };
    rico_bench_table table = {&problems, 2, labels, 1e-8, 9.0, "", RICO_CLOCK_WALL, cells, true};
    rico_bench_campaign a = rico_bench_campaign_of(&table, "a"), b = rico_bench_campaign_of(&table, "b");
    assert_int_equal(a.problems, 3);
    assert_int_equal(a.unsolved, 1);
    assert_near(a.seconds, 4.0, 1e-15); // of 2 and 6
    assert_near(a.seconds_deviation, 2.0, 1e-15);
    assert_near(a.by_contact, 0.2, 1e-15); // 0.2 and 0.2
    assert_near(a.by_contact_deviation, 0.0, 1e-8);
    assert_int_equal(b.problems, 0);
    assert_true(isnan(b.seconds));

    double room[4];
    rico_bench_measures x = rico_bench_measure(&table, "a", 0, room),
                        y = rico_bench_measure(&table, NULL, 1, room);
    assert_int_equal(x.cells, 3);
    assert_near(x.residual, 1e-5, 0.0); // the middle of 1e-9, 1e-5, 1e-3
    assert_near(x.worst, 1e-3, 0.0);
    assert_near(x.by_contact, 0.2, 1e-15);
    assert_near(x.by_iteration, 0.04, 1e-15);
    assert_near(y.worst, 1e-8, 0.0); // without the one that crashed
    assert_near(y.by_contact, 0.3, 1e-15);
    assert_near(y.by_iteration, 0.02, 1e-15);
    assert_near(rico_bench_summarize(&table, "a", 0).flops_by_contact, 100.0, 1e-12);
    assert_near(rico_bench_summarize(&table, NULL, 1).flops_by_contact, 300.0, 1e-12); // of 400 and 200
    assert_true(isnan(rico_bench_summarize(&table, "b", 1).flops_by_contact));
    assert_ok(ctx, rico_bench_print(ctx, &table, stderr));
    assert_ok(ctx, rico_bench_print_campaign(ctx, &table, stderr));
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_by_hand)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
