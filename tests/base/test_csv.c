// CSV: what is written comes back; a record that was torn off does not.

#include "support.h"

#include "base/csv.h"

#include <unistd.h>

static rico_context *ctx;
static char path[] = "/tmp/rico-csv-XXXXXX";

static void write_bytes(const char *text, size_t length)
{
    FILE *out = fopen(path, "w");
    fwrite(text, 1, length, out);
    fclose(out);
}


// Reads the text back and compares its records, fields joined by '|' and records by '/'; returns what was left.
static size_t expect(const char *text, const char *records)
{
    write_bytes(text, strlen(text));
    rico_csv csv;
    assert_ok(ctx, rico_csv_load(ctx, path, &csv));
    char got[512] = "", *field[RICO_CSV_FIELDS];
    int count;
    while ((count = rico_csv_next(&csv, field)) > 0) {
        for (int i = 0; i < count; i++) {
            strcat(got, i > 0 ? "|" : "");
            strcat(got, field[i]);
        }
        strcat(got, "/");
    }
    assert_string_equal(got, records);
    size_t at = csv.at;
    rico_free(ctx, csv.text);
    return at;
}


static void test_records(void **state)
{
    (void)state;
    assert_int_equal(expect("", ""), 0);
    assert_int_equal(expect("a,b\n", "a|b/"), 4);
    assert_int_equal(expect("a,b\r\nc,d\r\n", "a|b/c|d/"), 10);
    assert_int_equal(expect("\n,\n,,x\n", "/|/||x/"), 7);
    expect("\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\"\n", "a,b|say \"hi\"|two\nlines/");
    expect("\"\",\"\"\"\"\n", "|\"/");
}


static void test_torn(void **state)
{
    (void)state;
    assert_int_equal(expect("a,b\nc,d", "a|b/"), 4);
    assert_int_equal(expect("a,b\nc,\"d", "a|b/"), 4);
    assert_int_equal(expect("a,b\nc,\"d\n", "a|b/"), 4);
    assert_int_equal(expect("a", ""), 0);
}


static void test_too_many_fields(void **state)
{
    (void)state;
    char text[3 * RICO_CSV_FIELDS] = "", *field[RICO_CSV_FIELDS];
    for (int i = 0; i < RICO_CSV_FIELDS; i++) strcat(text, "x,");
    strcat(text, "x\ny\n");
    write_bytes(text, strlen(text));
    rico_csv csv;
    assert_ok(ctx, rico_csv_load(ctx, path, &csv));
    assert_int_equal(rico_csv_next(&csv, field), RICO_CSV_FIELDS + 1);
    assert_int_equal(rico_csv_next(&csv, field), 1);
    assert_string_equal(field[0], "y");
    assert_int_equal(csv.line, 2);
    rico_free(ctx, csv.text);
}


// Random fields of awkward characters survive the way there and back.
static void test_round_trip(void **state)
{
    (void)state;
    static const char characters[] = ",\"\n\r a";
    enum { FIELDS = 400, COLUMNS = 4, LENGTH = 8 };
    static char fields[FIELDS][LENGTH];
    rico_random random;
    rico_random_seed(&random, 5);
    FILE *out = fopen(path, "w");
    for (int i = 0; i < FIELDS; i++) {
        int length = (int)rico_random_below(&random, LENGTH);
        for (int j = 0; j < length; j++)
            fields[i][j] = characters[rico_random_below(&random, (int64_t)strlen(characters))];
        rico_csv_field(out, fields[i]);
        fputc((i + 1) % COLUMNS == 0 ? '\n' : ',', out);
    }
    fclose(out);

    rico_csv csv;
    char *field[RICO_CSV_FIELDS];
    assert_ok(ctx, rico_csv_load(ctx, path, &csv));
    for (int i = 0; i < FIELDS; i += COLUMNS) {
        assert_int_equal(rico_csv_next(&csv, field), COLUMNS);
        for (int j = 0; j < COLUMNS; j++) assert_string_equal(field[j], fields[i + j]);
    }
    assert_int_equal(rico_csv_next(&csv, field), 0);
    rico_free(ctx, csv.text);
}


static void test_unreadable(void **state)
{
    (void)state;
    rico_csv csv;
    assert_int_equal(rico_csv_load(ctx, "/nonexistent/file", &csv), RICO_IO_ERROR);
    assert_non_null(strstr(rico_message(ctx), "/nonexistent/file"));
}


static int start(void **state)
{
    (void)state;
    int file = mkstemp(path);
    if (file >= 0) close(file);
    ctx = rico_context_create(NULL);
    return ctx == NULL || file < 0;
}


static int end(void **state)
{
    (void)state;
    rico_context_destroy(ctx);
    return unlink(path);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_records),         cmocka_unit_test(test_torn),
        cmocka_unit_test(test_too_many_fields), cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_unreadable),
    };
    return cmocka_run_group_tests(tests, start, end);
}
