// Contacts that come and go in results: the same whatever the order of emission, of one piece with the books, and readable.

#include "failing_memory.h"
#include "store/hail.h"

#include "store/columns.h"

static char path[64], other_path[64];


static void run(rico_context *ctx, int order, const char *to)
{
    hail own = {.order = order};
    rico_runner_options options = hail_options(&own, to);
    rico_runner_result result;
    options.overwrite = true;
    assert_ok(ctx, rico_runner_run(ctx, &options, &result));
    assert_true(result.finished);
}


static void assert_same(rico_context *ctx, rico_results *a, rico_results *b)
{
    char difference[RICO_DIFFERENCE];
    assert_ok(ctx, rico_results_compare(a, b, difference));
    assert_string_equal(difference, "");
}


static rico_results *open_results(rico_context *ctx, const char *from)
{
    rico_results *results = NULL;
    assert_ok(ctx, rico_results_open(ctx, from, &results));
    return results;
}


// A whole column; the caller frees it.
static void *read_column(rico_context *ctx, rico_results *results, const char *table, const char *column)
{
    int64_t t = rico_results_find_table(results, table), c = rico_results_find_column(results, t, column);
    assert_true(t >= 0 && c >= 0);
    int64_t items = rico_results_items(results, t), width = rico_results_table(results, t)->columns[c].width;
    void *out = calloc((size_t)(items * (width > 0 ? width : 1) + 1), 8);
    assert_non_null(out);
    assert_ok(ctx, rico_results_read(results, t, c, 0, items, out));
    return out;
}


static void test_order_of_emission_does_not_matter(void **state)
{
    rico_context *ctx = *state;
    run(ctx, 0, path);
    rico_results *first = open_results(ctx, path);
    for (int order = 1; order < 3; order++) {
        run(ctx, order, other_path);
        rico_results *other = open_results(ctx, other_path);
        assert_same(ctx, first, other);
        rico_results_destroy(other);
    }
    // and in memory
    hail own = {.order = 2};
    rico_runner_options options = hail_options(&own, NULL);
    rico_runner_result result;
    rico_results *memory = NULL;
    options.results = &memory;
    assert_ok(ctx, rico_runner_run(ctx, &options, &result));
    assert_same(ctx, first, memory);
    rico_results_destroy(memory);
    rico_results_destroy(first);
}


// A list for each row of the state, sorted by source and key; impulses that push; points as far apart as the gap says.
static void test_rows_hold_together(void **state)
{
    rico_context *ctx = *state;
    run(ctx, 0, path);
    rico_results *results = open_results(ctx, path);
    int64_t table = rico_results_find_table(results, "emitted"), rows = rico_results_rows(results, table);
    assert_true(table >= 0 && rico_results_table(results, table)->ragged);
    assert_int_equal(rows, rico_results_rows(results, rico_results_find_table(results, "state")));
    int64_t *start = malloc((size_t)(rows + 1) * sizeof *start);
    assert_non_null(start);
    assert_ok(ctx, rico_results_starts(results, table, 0, rows, start));
    double *t = read_column(ctx, results, "emitted", "t"), *when = read_column(ctx, results, "state", "t"),
           *gap = read_column(ctx, results, "emitted", "gap"), *a = read_column(ctx, results, "emitted", "a"),
           *b = read_column(ctx, results, "emitted", "b"),
           *p = read_column(ctx, results, "emitted", "impulse");
    int64_t *source = read_column(ctx, results, "emitted", "source"),
            *doing = read_column(ctx, results, "emitted", "state"), most = 0, least = INT64_MAX, closed = 0;
    uint64_t *key = read_column(ctx, results, "emitted", "key");
    for (int64_t row = 0; row < rows; row++) {
        int64_t count = start[row + 1] - start[row];
        most = count > most ? count : most;
        least = count < least ? count : least;
        for (int64_t i = start[row]; i < start[row + 1]; i++) {
            assert_true(t[i] == when[row] && p[3 * i] >= 0.0);
            if (i > start[row])
                assert_true(source[i - 1] < source[i] || (source[i - 1] == source[i] && key[i - 1] < key[i]));
            if (source[i] == 1) assert_true(p[3 * i + 1] == 0.0 && p[3 * i + 2] == 0.0); // it has one row
            if (source[i] == 0) assert_near(b[3 * i + 2] - a[3 * i + 2], gap[i], 1e-14);
            if (p[3 * i] > 0.0) assert_int_not_equal(doing[i], RICO_OPEN);
            closed += doing[i] != RICO_OPEN;
        }
    }
    assert_true(most > least + 4 && closed > 100); // or nothing came and went
    void *all[] = {start, t, when, gap, a, b, p, source, doing, key};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    rico_results_destroy(results);
}


// Of each contact, events close and open in turn, one that vanishes while it presses included.
static void test_events_take_turns(void **state)
{
    rico_context *ctx = *state;
    run(ctx, 0, path);
    rico_results *results = open_results(ctx, path);
    int64_t count = rico_results_rows(results, rico_results_find_table(results, "events")), vanished = 0;
    int64_t *closes = read_column(ctx, results, "events", "closes"),
            *constraint = read_column(ctx, results, "events", "constraint"),
            *source = read_column(ctx, results, "events", "source");
    uint64_t *key = read_column(ctx, results, "events", "key");
    double *t = read_column(ctx, results, "events", "t"),
           *impulse = read_column(ctx, results, "events", "impulse");
    bool high = false;
    for (int64_t i = 0; i < count; i++) {
        assert_int_equal(source[i] < 0, constraint[i] >= 0);
        high |= key[i] > (uint64_t)INT64_MAX;
        int64_t before = i - 1;
        while (before >= 0 && (source[before] != source[i] || key[before] != key[i])) before--;
        assert_int_equal(closes[i], before < 0 || !closes[before]);
        if (before >= 0) assert_true(t[before] < t[i]);
        vanished += !closes[i] && impulse[i] == 0.0;
    }
    assert_true(high && vanished > 10);
    void *all[] = {closes, constraint, source, key, t, impulse};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    rico_results_destroy(results);
}


static double *column(rico_context *ctx, rico_columns *columns, const char *name, int64_t rows)
{
    int64_t count = 0;
    double *values = NULL;
    assert_ok(ctx, rico_columns_read(columns, name, &count, &values));
    assert_int_equal(count, rows);
    return values;
}


// Works of contacts add up to those of the ledger; sums over sources to those over all.
static void test_sums_by_row(void **state)
{
    rico_context *ctx = *state;
    run(ctx, 0, path);
    rico_columns *columns = NULL;
    assert_ok(ctx, rico_columns_open(ctx, path, &columns));
    const rico_results *results = rico_columns_results(columns);
    int64_t rows = rico_results_rows(results, rico_results_find_table(results, "state"));
    static const char *const ZERO[] = {
        "count:emitted - count:floor - count:pairs",
        "closed:emitted - closed:floor - closed:pairs",
        "impulse:emitted - impulse:floor - impulse:pairs",
        "gap:emitted - min(gap:floor, gap:pairs)",
        "tangential_work:pairs",
        // the work of the contact that is always there: of its impulse along the mean of its velocities, as theta is 1/2
        "normal - normal_work:emitted - impulse:ground*(before:ground + after:ground)/2",
    };
    for (size_t i = 0; i < sizeof ZERO / sizeof *ZERO; i++) {
        double *values = column(ctx, columns, ZERO[i], rows), worst = 0.0;
        for (int64_t k = 0; k < rows; k++) worst = fmax(worst, fabs(values[k]));
        if (!(worst <= 1e-13)) fail_msg("%s is %g", ZERO[i], worst);
        rico_free(ctx, values);
    }
    assert_string_equal(rico_columns_time_of(columns, "impulse:floor"), "t");
    assert_string_equal(rico_columns_time_of(columns, "emitted.gap"), "emitted.t");
    assert_true(rico_columns_has(columns, "emitted.impulse[2]"));
    assert_false(rico_columns_has(columns, "impulse:floor.t1"));
    assert_false(rico_columns_has(columns, "before:floor"));
    assert_string_equal(rico_columns_source(columns, 1), "pairs");
    assert_string_equal(rico_columns_source(columns, 2), "emitted");
    assert_null(rico_columns_source(columns, 3));
    int64_t count;
    double *values;
    assert_int_equal(rico_columns_read(columns, "impulse:flor", &count, &values), RICO_BAD_ARGUMENT);
    assert_non_null(strstr(rico_message(ctx), "did you mean 'impulse:floor'"));
    rico_columns_destroy(columns);
}


typedef struct sheet {
    char *text;
    size_t length;
} sheet;


static int keep(void *user, const char *text, size_t length)
{
    sheet *to = user;
    char *more = realloc(to->text, to->length + length + 1);
    assert_non_null(more);
    to->text = more;
    memcpy(to->text + to->length, text, length);
    to->length += length;
    to->text[to->length] = '\0';
    return 0;
}


// The long form: a line for each contact, keys with all their digits.
static void test_long_form(void **state)
{
    rico_context *ctx = *state;
    run(ctx, 0, path);
    rico_results *results = open_results(ctx, path);
    int64_t table = rico_results_find_table(results, "emitted"), lines = 0;
    uint64_t *key = read_column(ctx, results, "emitted", "key");
    int64_t *source = read_column(ctx, results, "emitted", "source");
    double *t = read_column(ctx, results, "emitted", "t");
    static const char *const CHOSEN[] = {"t", "source", "key", "impulse"};
    sheet out = {0};
    assert_ok(ctx, rico_results_csv(results, table, 4, CHOSEN, keep, &out));
    assert_int_equal(strncmp(out.text, "row,t,source,key,impulse[0],impulse[1],impulse[2]\n", 50), 0);
    for (char *line = strchr(out.text, '\n') + 1; *line; line = strchr(line, '\n') + 1, lines++) {
        long long row, who;
        unsigned long long name;
        double when;
        assert_int_equal(sscanf(line, "%lld,%lf,%lld,%llu,", &row, &when, &who, &name), 4);
        assert_true(when == t[lines] && who == source[lines] && name == key[lines]);
    }
    assert_int_equal(lines, rico_results_items(results, table));
    free(out.text);
    free(key);
    free(source);
    free(t);
    rico_results_destroy(results);
}


// A system without sources has no table, column or note more than before there were any.
static void test_nothing_more_without_sources(void **state)
{
    rico_context *ctx = *state;
    hail own = {0};
    rico_runner_options options = hail_options(&own, NULL);
    rico_runner_result result;
    rico_results *results = NULL;
    options.add = NULL;
    options.results = &results;
    assert_ok(ctx, rico_runner_run(ctx, &options, &result));
    assert_int_equal(rico_results_table_count(results), 8);
    assert_int_equal(rico_results_note_count(results), 12);
    assert_int_equal(rico_results_find_table(results, "emitted"), -1);
    assert_int_equal(rico_results_table(results, rico_results_find_table(results, "events"))->column_count,
                     6);
    assert_int_equal(rico_results_table(results, rico_results_find_table(results, "sliding"))->column_count,
                     5);
    rico_results_destroy(results);
}


// Neither a file nor results: rows are counted and thrown away.
static void test_runs_that_keep_nothing(void **state)
{
    rico_context *ctx = *state;
    hail own = {0};
    rico_runner_options options = hail_options(&own, path);
    rico_runner_result kept, lost;
    options.overwrite = true;
    assert_ok(ctx, rico_runner_run(ctx, &options, &kept));
    options.output = NULL;
    assert_ok(ctx, rico_runner_run(ctx, &options, &lost));
    assert_true(lost.finished && lost.events == kept.events && lost.violation == kept.violation);
    assert_memory_equal(&lost.total, &kept.total, sizeof lost.total);
    assert_int_equal(strncmp(lost.breaker, "contact floor ", 14), 0);
}


static void test_names_of_added_parts(void **state)
{
    rico_context *ctx = *state;
    run(ctx, 0, path);
    rico_columns *columns = NULL;
    assert_ok(ctx, rico_columns_open(ctx, path, &columns));
    assert_string_equal(rico_columns_position(columns, 1), "y");
    assert_string_equal(rico_columns_position(columns, 2), "hail[0]");
    assert_string_equal(rico_columns_velocity(columns, 1 + HAIL_SIZE), "v_hail[26]");
    assert_null(rico_columns_position(columns, 2 + HAIL_SIZE));
    rico_columns_destroy(columns);
}


static rico_status refuse(void *user, rico_system *system)
{
    (void)system;
    return rico_fail(user, RICO_BAD_ARGUMENT, "no hail today");
}


static void test_what_a_program_adds_may_fail(void **state)
{
    rico_context *ctx = *state;
    hail own = {0};
    rico_runner_options options = hail_options(&own, NULL);
    rico_runner_result result;
    options.add = refuse;
    options.user = ctx;
    assert_int_not_equal(rico_runner_run(ctx, &options, &result), RICO_OK);
    assert_non_null(strstr(rico_message(ctx), "no hail today"));
}


// Some steps in memory, and a sum over them.
static rico_status run_short(rico_context *ctx, void *user)
{
    (void)user;
    hail own = {.order = 2};
    rico_runner_options options = hail_options(&own, NULL);
    rico_runner_result result;
    rico_results *results = NULL;
    rico_columns *columns = NULL;
    int64_t count;
    double *values = NULL;
    options.results = &results;
    options.until = 0.02;
    rico_status status = rico_runner_run(ctx, &options, &result);
    if (status != RICO_OK) rico_results_destroy(results);
    if (status == RICO_OK) status = rico_columns_take(ctx, results, &columns);
    if (status == RICO_OK) status = rico_columns_read(columns, "impulse:floor", &count, &values);
    if (status == RICO_OK) rico_free(ctx, values);
    rico_columns_destroy(columns);
    return status;
}


static void test_memory_runs_out(void **state)
{
    (void)state;
    assert_true(every_allocation_fails(run_short, NULL) > 100);
}


static int begin(void **state)
{
    *state = rico_context_create(NULL);
    return *state ? 0 : -1;
}


static int end(void **state)
{
    rico_context_destroy(*state);
    unlink(path);
    unlink(other_path);
    return 0;
}


int main(void)
{
    snprintf(path, sizeof path, "store_emitted_%ld.h5", (long)getpid());
    snprintf(other_path, sizeof other_path, "store_emitted_%ld_b.h5", (long)getpid());
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_order_of_emission_does_not_matter),
                                       cmocka_unit_test(test_rows_hold_together),
                                       cmocka_unit_test(test_events_take_turns),
                                       cmocka_unit_test(test_sums_by_row),
                                       cmocka_unit_test(test_long_form),
                                       cmocka_unit_test(test_nothing_more_without_sources),
                                       cmocka_unit_test(test_runs_that_keep_nothing),
                                       cmocka_unit_test(test_names_of_added_parts),
                                       cmocka_unit_test(test_what_a_program_adds_may_fail),
                                       cmocka_unit_test(test_memory_runs_out)};
    return cmocka_run_group_tests(tests, begin, end);
}
