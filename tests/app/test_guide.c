// The examples of docs/guide/command-line.md run as they stand there, in order, in an empty folder.

#include "program.h"

// The guide lies beside the tests; CMake compiles by absolute path.
static FILE *open_guide(void)
{
    char path[1024];
    const char *here = strstr(__FILE__, "tests/app/");
    assert_non_null(here);
    snprintf(path, sizeof path, "%.*sdocs/guide/command-line.md", (int)(here - __FILE__), __FILE__);
    FILE *guide = fopen(path, "r");
    if (guide == NULL) fail_msg("cannot open %s", path);
    return guide;
}


static void test_examples(void **state)
{
    (void)state;
    char folder[] = "/tmp/rico-guide-XXXXXX", line[512], command[2048];
    assert_non_null(mkdtemp(folder));
    FILE *guide = open_guide();
    bool inside = false;
    int run = 0;
    while (fgets(line, sizeof line, guide) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "```", 3) == 0) {
            inside = strcmp(line, "```sh") == 0;
        } else if (inside) {
            const char *note = strstr(line, "# exit ");
            int expected = note != NULL ? atoi(note + strlen("# exit ")) : 0;
            snprintf(command, sizeof command, "rico() { '%s' \"$@\"; }; cd '%s' && { %s\n} > /dev/null 2>&1",
                     program_path(), folder, line);
            int ended = system(command);
            if (!WIFEXITED(ended) || WEXITSTATUS(ended) != expected)
                fail_msg("%s: ended with %d, expected %d", line, WEXITSTATUS(ended), expected);
            run++;
        }
    }
    fclose(guide);
    assert_true(run >= 10);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
}


int main(void)
{
    if (program_path() == NULL) return PROGRAM_SKIP;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_examples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
