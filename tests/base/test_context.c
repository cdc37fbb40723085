// The context: messages, allocation, logging, interruption; and the random numbers.

#include "support.h"

static void *refuse(void *user, size_t size)
{
    int *left = user;
    return (*left)-- > 0 ? malloc(size) : NULL;
}


static void give_back(void *user, void *block)
{
    (void)user;
    free(block);
}


static void test_messages_are_kept(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    assert_string_equal(rico_message(ctx), "");
    assert_int_equal(rico_fail(ctx, RICO_BAD_INPUT, "row %d is %s", 3, "NaN"), RICO_BAD_INPUT);
    assert_string_equal(rico_message(ctx), "row 3 is NaN");
    rico_fail_in(ctx, RICO_BAD_INPUT, "file.hdf5");
    assert_string_equal(rico_message(ctx), "file.hdf5: row 3 is NaN");

    // a sentence longer than the room for it is cut, not overrun
    for (int i = 0; i < 400; i++) rico_fail_in(ctx, RICO_BAD_INPUT, "deeper");
    assert_true(strlen(rico_message(ctx)) < 1024);
    rico_context_destroy(ctx);
}


static void test_allocation_can_fail(void **state)
{
    (void)state;
    int left = 0;
    rico_allocator allocator = {refuse, give_back, &left};
    assert_null(rico_context_create(&allocator));

    left = 2;
    rico_context *ctx = rico_context_create(&allocator);
    double *block = rico_alloc(ctx, 10, sizeof *block);
    assert_non_null(block);
    for (int i = 0; i < 10; i++) assert_true(block[i] == 0.0);
    assert_null(rico_alloc(ctx, 10, 8));
    assert_non_null(strstr(rico_message(ctx), "80 bytes"));
    assert_null(rico_grow(ctx, block, 10, 20, sizeof *block));
    rico_free(ctx, block);

    // sizes that would overflow are refused before the allocator sees them
    left = 10;
    assert_null(rico_alloc(ctx, INT64_MAX, 8));
    assert_null(rico_alloc(ctx, -1, 8));
    void *empty = rico_alloc(ctx, 0, 8);
    assert_non_null(empty);
    rico_free(ctx, empty);
    rico_context_destroy(ctx);
}


static void test_grow_keeps_and_clears(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    int64_t *items = rico_alloc(ctx, 3, sizeof *items);
    for (int i = 0; i < 3; i++) items[i] = i + 1;
    items = rico_grow(ctx, items, 3, 6, sizeof *items);
    for (int i = 0; i < 6; i++) assert_int_equal(items[i], i < 3 ? i + 1 : 0);
    rico_free(ctx, items);
    rico_context_destroy(ctx);
}


static void count_message(void *user, rico_log_level level, const char *text)
{
    (void)level;
    *(int *)user += (int)strlen(text);
}


static void test_log_goes_where_it_is_sent(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    int heard = 0;
    rico_log(ctx, RICO_LOG_WARNING, "nobody listens");
    rico_context_set_log(ctx, count_message, &heard, RICO_LOG_INFO);
    rico_log(ctx, RICO_LOG_DEBUG, "too fine");
    assert_int_equal(heard, 0);
    rico_log(ctx, RICO_LOG_WARNING, "%s", "abc");
    assert_int_equal(heard, 3);
    rico_context_destroy(ctx);
}


static void test_interrupt_is_raised_and_cleared(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    assert_false(rico_context_interrupted(ctx));
    rico_context_interrupt(ctx);
    assert_true(rico_context_interrupted(ctx));
    rico_context_clear_interrupt(ctx);
    assert_false(rico_context_interrupted(ctx));
    rico_context_destroy(ctx);
}


static void test_random_numbers(void **state)
{
    (void)state;
    rico_random a, b;
    rico_random_seed(&a, 7);
    rico_random_seed(&b, 7);
    double sum = 0.0, squares = 0.0;
    enum { DRAWS = 100000 };
    for (int i = 0; i < DRAWS; i++) {
        double x = rico_random_normal(&a);
        assert_true(x == rico_random_normal(&b));
        sum += x;
        squares += x * x;
    }
    // mean and variance within five standard errors
    assert_near(sum / DRAWS, 0.0, 5.0 / sqrt(DRAWS));
    assert_near(squares / DRAWS, 1.0, 5.0 * sqrt(2.0 / DRAWS));

    int64_t items[50];
    bool seen[50] = {false};
    for (int i = 0; i < 50; i++) items[i] = i;
    rico_random_shuffle(&a, items, 50);
    for (int i = 0; i < 50; i++) seen[items[i]] = true;
    for (int i = 0; i < 50; i++) assert_true(seen[i]);

    int64_t hits[3] = {0};
    for (int i = 0; i < DRAWS; i++) hits[rico_random_below(&a, 3)]++;
    for (int i = 0; i < 3; i++) assert_near((double)hits[i] / DRAWS, 1.0 / 3.0, 0.01);
}


static void test_what_is_lent_is_there(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    int helper = 0;
    assert_null(rico_context_lent(ctx));
    rico_context_lend(ctx, &helper);
    assert_ptr_equal(rico_context_lent(ctx), &helper);
    rico_context_lend(ctx, NULL);
    assert_null(rico_context_lent(ctx));
    rico_context_destroy(ctx);
}


// What a limit leaves is what can be had, to the byte, and the book is right whoever gives back.
static void test_memory_is_counted_and_limited(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    assert_true(rico_context_memory(ctx).held == 0.0);
    char *block = rico_alloc(ctx, 1000, 1);
    rico_context *sibling = rico_context_sibling(ctx);
    char *other = rico_alloc(sibling, 500, 1);
    assert_true(rico_context_memory(ctx).held == 1500.0);
    rico_free(ctx, other);
    rico_context_destroy(sibling);
    assert_true(rico_context_memory(ctx).held == 1000.0);
    assert_true(rico_context_memory(ctx).peak == 1500.0);

    rico_context_set_memory_limit(ctx, 3000.0);
    assert_null(rico_alloc(ctx, 2001, 1));
    assert_non_null(strstr(rico_message(ctx), "2001 bytes"));
    assert_non_null(strstr(rico_message(ctx), "1000 in use"));
    assert_non_null(strstr(rico_message(ctx), "3000 are allowed"));
    other = rico_alloc(ctx, 2000, 1);
    assert_non_null(other);
    rico_free(ctx, other);

    assert_int_equal(rico_foresee(ctx, 2000.0, "a test"), RICO_OK);
    assert_int_equal(rico_foresee(ctx, 2001.0, "a test"), RICO_NO_MEMORY);
    assert_true(strncmp(rico_message(ctx), "a test would need", 17) == 0);
    assert_true(rico_context_memory(ctx).foreseen == 3001.0);
    assert_true(rico_context_memory(ctx).held == 1000.0); // nothing was asked for
    rico_context_set_memory_limit(ctx, INFINITY);
    assert_int_equal(rico_foresee(ctx, 1e18, "a test"), RICO_OK);
    rico_free(ctx, block);
    assert_true(rico_context_memory(ctx).held == 0.0);
    assert_true(rico_machine_memory() > 0.0);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages_are_kept),
        cmocka_unit_test(test_allocation_can_fail),
        cmocka_unit_test(test_memory_is_counted_and_limited),
        cmocka_unit_test(test_grow_keeps_and_clears),
        cmocka_unit_test(test_log_goes_where_it_is_sent),
        cmocka_unit_test(test_interrupt_is_raised_and_cleared),
        cmocka_unit_test(test_random_numbers),
        cmocka_unit_test(test_what_is_lent_is_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
