// The JSON writer, against texts that RFC 8259 and RFC 3629 determine.

#include "support.h"

#include "base/json.h"

// A document in memory: start, write, then take the text.
typedef struct document {
    char *text;
    size_t size;
    rico_json json;
} document;

static void start(document *doc)
{
    FILE *out = open_memstream(&doc->text, &doc->size);
    doc->json = rico_json_start(out);
}


static void expect(document *doc, const char *text)
{
    fclose(doc->json.out);
    assert_string_equal(doc->text, text);
    free(doc->text);
}


static void test_nesting_and_commas(void **state)
{
    (void)state;
    document doc;
    start(&doc);
    rico_json *json = &doc.json;
    rico_json_open_object(json);
    rico_json_key(json, "a");
    rico_json_integer(json, -3);
    rico_json_key(json, "b");
    rico_json_open_array(json);
    rico_json_bool(json, true);
    rico_json_bool(json, false);
    rico_json_null(json);
    rico_json_open_object(json);
    rico_json_close(json);
    rico_json_open_array(json);
    rico_json_close(json);
    rico_json_close(json);
    rico_json_key(json, "c");
    rico_json_text(json, "d");
    rico_json_close(json);
    expect(&doc, "{\n  \"a\": -3,\n  \"b\": [\n    true,\n    false,\n    null,\n    {},\n    []\n  ],\n"
                 "  \"c\": \"d\"\n}\n");
}


static void expect_text(const char *text, const char *written)
{
    document doc;
    start(&doc);
    rico_json_text(&doc.json, text);
    expect(&doc, written);
}


static void test_escapes(void **state)
{
    (void)state;
    expect_text("", "\"\"");
    expect_text(NULL, "null");
    expect_text("a/b \"c\" \\d", "\"a/b \\\"c\\\" \\\\d\"");
    expect_text("\n\t\r\x01\x1f\x7f", "\"\\n\\t\\u000d\\u0001\\u001f\\u007f\"");

    // UTF-8 of two, three and four bytes passes
    expect_text("\xc3\xa9\xe2\x82\xac\xf0\x9d\x84\x9e", "\"\xc3\xa9\xe2\x82\xac\xf0\x9d\x84\x9e\"");
    expect_text("\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf", "\"\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf\"");

    // what is not UTF-8 is replaced byte by byte: stray, cut off, overlong, surrogate, beyond U+10FFFF
    expect_text("\x80z", "\"\\ufffdz\"");
    expect_text("a\xe2\x82", "\"a\\ufffd\\ufffd\"");
    expect_text("\xc3", "\"\\ufffd\"");
    expect_text("\xc0\xaf", "\"\\ufffd\\ufffd\"");
    expect_text("\xe0\x80\xaf", "\"\\ufffd\\ufffd\\ufffd\"");
    expect_text("\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"");
    expect_text("\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
    expect_text("\xff", "\"\\ufffd\"");

    // keys are texts too
    document doc;
    start(&doc);
    rico_json_open_object(&doc.json);
    rico_json_key(&doc.json, "\"");
    rico_json_null(&doc.json);
    rico_json_close(&doc.json);
    expect(&doc, "{\n  \"\\\"\": null\n}\n");
}


static void expect_number(double value, const char *written)
{
    document doc;
    start(&doc);
    rico_json_number(&doc.json, value);
    expect(&doc, written);
}


static void test_numbers(void **state)
{
    (void)state;
    expect_number(0.0, "0");
    expect_number(-1.5, "-1.5");
    expect_number(0.1, "0.1");
    expect_number(1e-8, "1e-08");
    expect_number(1e300, "1e+300");
    expect_number(NAN, "null");
    expect_number(INFINITY, "null");
    expect_number(-INFINITY, "null");

    document doc;
    start(&doc);
    rico_json_integer(&doc.json, INT64_MIN);
    expect(&doc, "-9223372036854775808");
}


static void test_numbers_read_back_exactly(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 11);
    for (int i = 0; i < 2000; i++) {
        double value =
            rico_random_normal(&random) * pow(10.0, (double)rico_random_below(&random, 600) - 300.0);
        document doc;
        start(&doc);
        rico_json_number(&doc.json, value);
        fclose(doc.json.out);
        assert_true(strtod(doc.text, NULL) == value);
        assert_int_equal(strspn(doc.text, "+-.0123456789e"), doc.size);
        free(doc.text);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nesting_and_commas),
        cmocka_unit_test(test_escapes),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_numbers_read_back_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
