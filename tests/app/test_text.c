// What is left of the shared pieces: tables, the line of progress, paths and folders, histories, exit codes.

#include "support.h"

#include "app/app.h"
#include "app/history.h"
#include "base/paths.h"
#include "base/table.h"
#include "lab/progress.h"

#include <unistd.h>

static void test_tables_are_aligned(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    rico_print_column columns[] = {{"file", 0, false}, {"n", 3, true}, {"stop", 0, false}};
    rico_table_widen(&columns[0], "\xc3\xa9t\xc3\xa9.hdf5"); // eight characters in ten bytes
    rico_table_head(out, columns, 3);
    const char *first[] = {"\xc3\xa9t\xc3\xa9.hdf5", "12", "yes"};
    const char *second[] = {"a\nb\x1b[2J", "123456", "no"};
    rico_table_row(out, columns, 3, first);
    rico_table_row(out, columns, 3, second);
    fclose(out);
    assert_string_equal(text, "file        n  stop\n"
                              "\xc3\xa9t\xc3\xa9.hdf5   12  yes\n"
                              "a?b?[2J   123456  no\n");
    free(text);
}


static void test_progress_line_fits(void **state)
{
    (void)state;
    rico_progress progress = {.index = 1, .count = 12, .file = "a.hdf5"};
    rico_history_entry entry = {.iteration = 300, .seconds = 1.25, .residual = 3.0e-5};
    char line[512];
    rico_progress_line(&progress, "reading", NULL, 80, line, sizeof line);
    assert_string_equal(line, "[2/12] a.hdf5  reading");
    rico_progress_line(&progress, "", &entry, 80, line, sizeof line);
    assert_string_equal(line, "[2/12] a.hdf5  iteration 300  residual 3.00e-05  1.2 s");
    rico_progress_line(&progress, "", &entry, 20, line, sizeof line);
    assert_string_equal(line, "[2/12] a.hdf5  iter");

    // of a long path the end is shown, and no control character reaches the terminal
    progress.file = "0123456789/0123456789/0123456789/0123456789/0123456789/\x1b.hdf5";
    rico_progress_line(&progress, "reading", NULL, 80, line, sizeof line);
    assert_string_equal(line, "[2/12] ...23456789/0123456789/0123456789/?.hdf5  reading");
    assert_null(strchr(line, '\x1b'));
    assert_in_range(strlen(line), 1, 79);
}


static void test_progress_is_off_in_a_file(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    setenv("TERM", "xterm", 1);
    FILE *out = tmpfile();
    rico_progress progress = rico_progress_start(out, false, 3);
    rico_history_entry entry = {.iteration = 1};
    rico_progress_file(&progress, 0, "a", "reading");
    rico_progress_entry(&progress, &entry);
    rico_progress_erase(&progress);
    assert_int_equal(ftell(out), 0);
    fclose(out);

    // what it would draw, if someone watched, it erases
    out = open_memstream(&text, &size);
    progress = (rico_progress){.out = out, .on = true, .count = 3};
    rico_progress_file(&progress, 0, "a", "reading");
    rico_progress_erase(&progress);
    rico_progress_erase(&progress);
    fclose(out);
    assert_string_equal(text, "\r[1/3] a  reading\033[K\r\033[K");
    free(text);
}


static void test_paths(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    assert_string_equal(rico_path_base("a/b.hdf5"), "b.hdf5");
    assert_string_equal(rico_path_base("b.hdf5"), "b.hdf5");
    assert_string_equal(rico_path_base("/"), "");

    char *joined;
    assert_ok(ctx, rico_path_join(ctx, "a", "b", &joined));
    assert_string_equal(joined, "a/b");
    rico_free(ctx, joined);
    assert_ok(ctx, rico_path_join(ctx, "/", "b", &joined));
    assert_string_equal(joined, "/b");
    rico_free(ctx, joined);

    char folder[] = "/tmp/rico-paths-XXXXXX", deep[128], file[128], link_to[128];
    assert_non_null(mkdtemp(folder));
    snprintf(deep, sizeof deep, "%s/a//b/c/", folder);
    snprintf(file, sizeof file, "%s/file", folder);
    snprintf(link_to, sizeof link_to, "%s/a/link", folder);
    assert_false(rico_path_is_folder(deep));
    assert_ok(ctx, rico_path_make_folder(ctx, deep));
    assert_true(rico_path_is_folder(deep));
    assert_ok(ctx, rico_path_make_folder(ctx, deep));

    fclose(fopen(file, "w"));
    assert_int_equal(symlink("../file", link_to), 0);
    assert_true(rico_path_same(file, link_to));
    assert_false(rico_path_same(file, deep));
    assert_false(rico_path_same("/no/such", "/no/such"));

    // a file is in the way, at the end or before
    assert_int_equal(rico_path_make_folder(ctx, file), RICO_IO_ERROR);
    assert_non_null(strstr(rico_message(ctx), file));
    snprintf(deep, sizeof deep, "%s/file/below", folder);
    assert_int_equal(rico_path_make_folder(ctx, deep), RICO_IO_ERROR);

    unlink(link_to);
    unlink(file);
    const char *made[] = {"/a/b/c", "/a/b", "/a", ""};
    for (int i = 0; i < 4; i++) {
        snprintf(deep, sizeof deep, "%s%s", folder, made[i]);
        assert_int_equal(rmdir(deep), 0);
    }
    rico_context_destroy(ctx);
}


static void test_histories(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    char path[] = "/tmp/rico-history-XXXXXX";
    close(mkstemp(path));
    rico_history_file history;
    assert_ok(ctx, rico_history_open(ctx, path, &history));
    rico_history_entry entries[] = {{0, 0.0, 1.0}, {10, 0.25, 0.125}};
    rico_history_add(&history, "plain", entries, 2);
    rico_history_add(&history, "with, \"both\"", entries, 1);
    rico_history_add(&history, "none", NULL, 0);
    assert_ok(ctx, rico_history_close(&history));

    char text[512];
    FILE *in = fopen(path, "r");
    text[fread(text, 1, sizeof text - 1, in)] = '\0';
    fclose(in);
    unlink(path);
    assert_string_equal(text, "file,iteration,seconds,residual\n"
                              "plain,0,0.000000,1\nplain,10,0.250000,0.125\n"
                              "\"with, \"\"both\"\"\",0,0.000000,1\n");

    // nothing kept, nowhere to write, no room
    history = (rico_history_file){0};
    rico_history_add(&history, "x", entries, 2);
    assert_ok(ctx, rico_history_close(&history));
    assert_int_equal(rico_history_open(ctx, "/no/such/folder/h.csv", &history), RICO_IO_ERROR);
    assert_non_null(
        strstr(rico_message(ctx), "/no/such/folder/h.csv: no file can be created beside it: No such file"));
    if (access("/dev/full", W_OK) == 0) {
        assert_int_equal(rico_history_open(ctx, "/dev/full", &history), RICO_IO_ERROR);
        assert_non_null(strstr(rico_message(ctx), "not a regular file"));
    }
    rico_context_destroy(ctx);
}


static void test_exit_codes(void **state)
{
    (void)state;
    assert_int_equal(rico_exit_of(RICO_OK), 0);
    assert_int_equal(rico_exit_of(RICO_BAD_ARGUMENT), 2);
    assert_int_equal(rico_exit_of(RICO_BAD_INPUT), 2);
    assert_int_equal(rico_exit_of(RICO_IO_ERROR), 3);
    assert_int_equal(rico_exit_of(RICO_NO_MEMORY), 3);
    assert_int_equal(rico_exit_of(RICO_INTERRUPTED), 130);
    assert_int_equal(rico_exit_worst(1, 3), 3);
    assert_int_equal(rico_exit_worst(2, 1), 2);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables_are_aligned),
        cmocka_unit_test(test_progress_line_fits),
        cmocka_unit_test(test_progress_is_off_in_a_file),
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_histories),
        cmocka_unit_test(test_exit_codes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
