// Text that grows, files in memory, strict numbers, characters of UTF-8.

#include "support.h"

#include "base/file.h"
#include "base/number.h"
#include "base/text.h"
#include "base/utf8.h"

#include <unistd.h>

static void test_text_grows(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_text text = {.ctx = ctx};
    rico_text_add(&text, "%s", "");
    assert_string_equal(text.data, "");
    for (int i = 0; i < 1000; i++) rico_text_add(&text, "%d,", i);
    assert_int_equal(text.status, RICO_OK);
    assert_int_equal(text.length, (int64_t)strlen(text.data));
    assert_int_equal(text.length, 10 * 2 + 90 * 3 + 900 * 4);
    assert_string_equal(text.data + text.length - 8, "998,999,");
    rico_free(ctx, text.data);
    rico_context_destroy(ctx);
}


static void *no_memory(void *user, size_t size)
{
    int *left = user;
    return (*left)-- > 0 ? malloc(size) : NULL;
}


static void release(void *user, void *block)
{
    (void)user;
    free(block);
}


// Once memory ran out nothing more is written, and what was there stays.
static void test_text_without_memory(void **state)
{
    (void)state;
    int left = 2;
    rico_allocator allocator = {no_memory, release, &left};
    rico_context *ctx = rico_context_create(&allocator);
    rico_text text = {.ctx = ctx};
    rico_text_add(&text, "kept");
    rico_text_add(&text, "%0500d", 1);
    assert_int_equal(text.status, RICO_NO_MEMORY);
    rico_text_add(&text, "more");
    assert_string_equal(text.data, "kept");
    rico_free(ctx, text.data);
    rico_context_destroy(ctx);
}


static void test_file(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    char path[] = "/tmp/rico-file-XXXXXX", *text = NULL;
    size_t length = 7;
    enum { LARGE = 300000 };
    close(mkstemp(path));
    assert_ok(ctx, rico_file_load(ctx, path, &text, &length));
    assert_true(length == 0 && text[0] == '\0');
    rico_free(ctx, text);

    FILE *out = fopen(path, "w");
    for (int i = 0; i < LARGE; i++) fputc(i % 251, out);
    fclose(out);
    assert_ok(ctx, rico_file_load(ctx, path, &text, &length));
    assert_int_equal(length, LARGE);
    for (int i = 0; i < LARGE; i++) assert_int_equal((unsigned char)text[i], i % 251);
    assert_int_equal(text[LARGE], '\0');
    rico_free(ctx, text);
    unlink(path);

    static const char *const bad[][2] = {
        {"/no/such", "No such file"}, {"/tmp", "is a directory"}, {"/dev/zero", "is not a regular file"}};
    for (int i = 0; i < 3; i++) {
        text = NULL;
        assert_int_equal(rico_file_load(ctx, bad[i][0], &text, &length), RICO_IO_ERROR);
        assert_non_null(strstr(rico_message(ctx), bad[i][0]));
        assert_non_null(strstr(rico_message(ctx), bad[i][1]));
        assert_null(text);
    }
    rico_context_destroy(ctx);
}


static void test_numbers(void **state)
{
    (void)state;
    double real;
    int64_t integer;
    assert_true(rico_text_to_real("-1.5e-3", &real) && real == -1.5e-3);
    assert_true(rico_text_to_real("+7", &real) && real == 7.0);
    static const char *const reals[] = {"",      " 1",    "1 ", "nan", "inf", "0x10",
                                        "1e999", "1.2.3", "e",  "--1", "1e"};
    for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++)
        assert_false(rico_text_to_real(reals[i], &real));
    assert_true(rico_text_to_integer("-9223372036854775808", &integer) && integer == INT64_MIN);
    static const char *const integers[] = {"", "1.0", "9223372036854775808", "1e3", " 1", "-", "+-1"};
    for (size_t i = 0; i < sizeof integers / sizeof integers[0]; i++)
        assert_false(rico_text_to_integer(integers[i], &integer));
}


static void test_utf8(void **state)
{
    (void)state;
    const struct {
        const char *bytes;
        int length;
    } cases[] = {{"a", 1},
                 {"", 1},
                 {"\xc3\xa9", 2},
                 {"\xe2\x82\xac", 3},
                 {"\xf0\x9f\x98\x80", 4},
                 {"\xc3", 0},             // cut off
                 {"\xa9", 0},             // a middle without its beginning
                 {"\xc0\xaf", 0},         // overlong
                 {"\xe0\x80\xaf", 0},     // overlong
                 {"\xed\xa0\x80", 0},     // a surrogate
                 {"\xf4\x90\x80\x80", 0}, // above U+10FFFF
                 {"\xff", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(rico_utf8_length((const unsigned char *)cases[i].bytes), cases[i].length);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_grows), cmocka_unit_test(test_text_without_memory),
        cmocka_unit_test(test_file),       cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_utf8),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
