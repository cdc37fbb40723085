// The examples of the guide run as they stand there, page by page, in order, each page in an empty folder. Lines of a
// block ```sh are commands; "# exit N" says how one ends. A block after a line "`NAME`:" is the file NAME. As in a clone,
// build/rico and examples/ are there.

#include "program.h"

static const char *const PAGES[] = {
    "README.md",
    "docs/guide/command-line.md",
    "docs/guide/first-scene.md",
    "docs/guide/scenes.md",
    "docs/guide/ledger.md",
    "docs/guide/results.md",
    "docs/guide/choosing.md",
    "docs/guide/reproduce.md",
    "docs/guide/troubleshooting.md",
};


// The root of the source lies above the tests; CMake compiles by absolute path.
static void source_path(const char *page, char *path, size_t size)
{
    const char *here = strstr(__FILE__, "tests/app/");
    assert_non_null(here);
    snprintf(path, size, "%.*s%s", (int)(here - __FILE__), __FILE__, page);
}


static void enter_clone(const char *folder)
{
    char command[4096], beside[1024];
    source_path("examples", beside, sizeof beside);
    char *examples = realpath(beside, NULL); // compilers may be given relative paths
    assert_non_null(examples);
    snprintf(command, sizeof command,
             "mkdir '%s/build' && ln -s '%s' '%s/build/rico' && ln -s '%s' '%s/examples'", folder,
             program_path(), folder, examples, folder);
    free(examples);
    assert_int_equal(system(command), 0);
}


static void run_line(const char *folder, const char *page, const char *line)
{
    char command[2048];
    const char *note = strstr(line, "# exit ");
    int expected = note != NULL ? atoi(note + strlen("# exit ")) : 0;
    snprintf(command, sizeof command,
             "rico() { '%s' \"$@\"; }; make() { true; }; python3() { p=${RICO_PYTHON:-python3}; "
             "\"$p\" -c 'import h5py' 2> /dev/null || return 0; \"$p\" \"$@\"; }; cd '%s' && { %s\n} > "
             "output.txt 2>&1",
             program_path(), folder, line);
    int ended = system(command);
    if (WIFEXITED(ended) && WEXITSTATUS(ended) == expected) return;
    snprintf(command, sizeof command, "cat '%s/output.txt' >&2", folder);
    int shown = system(command);
    fail_msg("%s: %s: ended with %d, expected %d%s", page, line, WEXITSTATUS(ended), expected,
             shown == 0 ? "" : " (its output is lost)");
}


// "`NAME`:" alone on its line; the name, or "".
static void file_named(const char *line, char *name, size_t size)
{
    size_t length = strlen(line);
    name[0] = '\0';
    if (length > 4 && length < size && line[0] == '`' && strcmp(line + length - 2, "`:") == 0 &&
        strchr(line + 1, '`') == line + length - 2)
        snprintf(name, size, "%.*s", (int)(length - 3), line + 1);
}


static int run_page(const char *page)
{
    char folder[] = "/tmp/rico-guide-XXXXXX", path[1024], line[1024], name[200] = "", command[300];
    source_path(page, path, sizeof path);
    FILE *guide = fopen(path, "r");
    if (guide == NULL) fail_msg("cannot open %s", path);
    assert_non_null(mkdtemp(folder));
    enter_clone(folder);
    FILE *file = NULL;
    bool inside = false, commands = false;
    int run = 0;
    while (fgets(line, sizeof line, guide) != NULL) {
        bool fence = strncmp(line, "```", 3) == 0;
        if (file != NULL && !fence) fputs(line, file);
        line[strcspn(line, "\n")] = '\0';
        if (fence) {
            inside = !inside;
            commands = inside && strcmp(line, "```sh") == 0;
            if (file != NULL) fclose(file);
            file = NULL;
            if (inside && name[0] != '\0') {
                snprintf(path, sizeof path, "%s/%s", folder, name);
                file = fopen(path, "w");
                assert_non_null(file);
            }
            name[0] = '\0';
        } else if (commands) {
            run_line(folder, page, line);
            run++;
        } else if (!inside && line[0] != '\0') {
            file_named(line, name, sizeof name);
        }
    }
    fclose(guide);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
    return run;
}


static void test_pages(void **state)
{
    (void)state;
    int run = 0;
    for (size_t i = 0; i < sizeof PAGES / sizeof *PAGES; i++) run += run_page(PAGES[i]);
    assert_true(run >= 50);
}


// The reference in scenes.md is what the program prints.
static void test_reference(void **state)
{
    (void)state;
    char path[1024], line[1024];
    char *words[] = {"check", "--reference"};
    outcome end = program_run_to(TO_FILE, words, 2);
    assert_int_equal(end.code, 0);
    source_path("docs/guide/scenes.md", path, sizeof path);
    FILE *guide = fopen(path, "r");
    assert_non_null(guide);
    const char *at = NULL;
    while (fgets(line, sizeof line, guide) != NULL) {
        if (at == NULL && strcmp(line, "## scene\n") == 0) at = end.out;
        if (at == NULL) continue;
        if (strncmp(at, line, strlen(line)) != 0)
            fail_msg("scenes.md has\n%srico check --reference prints\n%.200s", line, at);
        at += strlen(line);
    }
    fclose(guide);
    assert_non_null(at);
    assert_string_equal(at, "");
    release(&end);
}


int main(void)
{
    if (program_path() == NULL) return PROGRAM_SKIP;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pages), cmocka_unit_test(test_reference)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
