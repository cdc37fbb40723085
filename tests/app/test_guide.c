// Every command of the guide, and every example of every help, runs as it stands there.
//
// A page has an empty folder with two scenes of examples/ in it and, as in a clone, examples/ and build/rico. Lines of its
// `sh` blocks that begin with `rico`, `build/rico` or `python3` are run in order; a comment `# exit 2` says how one is to end. A block below a line that is a name in backquotes and a colon
// (`ball.yaml`:) becomes that file. Lines that build or install the program are not ours to run.

#include "shell.h"

#include <glob.h>

static const char *const SCENES[] = {"examples/stick/stick.yaml", "examples/ball/ball.yaml"};


static bool needs_gnuplot(const char *line)
{
    if (strncmp(line, "build/", 6) == 0) line += 6;
    static const char *const DRAW[] = {"rico plot", "rico converge", "rico sweep", "rico reproduce",
                                       "rico impact"};
    for (int i = 0; i < 5; i++)
        if (strncmp(line, DRAW[i], strlen(DRAW[i])) == 0) return true;
    return false;
}


static void begin_folder(void)
{
    strcpy(shell_folder, "/tmp/rico-test-XXXXXX");
    assert_true(shell_begin());
    for (size_t i = 0; i < sizeof SCENES / sizeof *SCENES; i++) shell_scene(SCENES[i]);
    char beside[1024], line[4096];
    shell_source("examples", beside);
    char *examples = realpath(beside, NULL);
    assert_non_null(examples);
    snprintf(line, sizeof line, "mkdir build && ln -s '%s' build/rico && ln -s '%s' examples", program_path(),
             examples);
    free(examples);
    assert_int_equal(shell_run(line, NULL, 0), 0);
}


// Lines that a page asks its reader to type and that are ours to run.
static bool is_command(const char *line)
{
    return strncmp(line, "rico ", 5) == 0 || strncmp(line, "build/rico ", 11) == 0 ||
           strncmp(line, "python3 ", 8) == 0;
}


static bool have_h5py(void)
{
    return system("${RICO_PYTHON:-python3} -c 'import h5py' > /dev/null 2>&1") == 0;
}


static void run_line(const char *from, const char *line, int *run)
{
    static int have_gnuplot = -1;
    if (have_gnuplot < 0) have_gnuplot = system("gnuplot --version > /dev/null 2>&1") == 0;
    if (!have_gnuplot && needs_gnuplot(line)) return;
    char python[1100];
    if (strncmp(line, "python3 ", 8) == 0) { // the one that has h5py, where there is one
        if (!have_h5py()) return;
        snprintf(python, sizeof python, "${RICO_PYTHON:-python3} %s", line + 8);
        line = python;
    }
    char said[1024];
    const char *note = strstr(line, "# exit ");
    int expected = note != NULL ? atoi(note + strlen("# exit ")) : 0,
        ended = shell_run(line, said, sizeof said);
    if (ended != expected)
        fail_msg("%s: %s: ended with %d, expected %d: %s", from, line, ended, expected, said);
    ++*run;
}


// "`ball.yaml`:" names the file that the next block is.
static bool names_file(const char *line, char name[64])
{
    size_t length = strlen(line);
    if (length < 4 || length > 60 || line[0] != '`' || strcmp(line + length - 2, "`:") != 0) return false;
    snprintf(name, 64, "%.*s", (int)(length - 3), line + 1);
    return strpbrk(name, "` /") == NULL && strchr(name, '.') != NULL;
}


static int run_page(const char *path)
{
    char line[1024], name[64] = "", content[16384] = "";
    enum { OUTSIDE, SHELL, DATA, OTHER } inside = OUTSIDE;
    int run = 0;
    FILE *page = fopen(path, "r");
    if (page == NULL) fail_msg("cannot open %s", path);
    while (fgets(line, sizeof line, page) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "```", 3) == 0) {
            if (inside == DATA) shell_write(name, content, 0644);
            if (inside == OUTSIDE)
                inside = strcmp(line, "```sh") == 0 ? SHELL : name[0] != '\0' ? DATA : OTHER;
            else
                inside = OUTSIDE;
            if (inside != DATA) name[0] = '\0';
            content[0] = '\0';
        } else if (inside == SHELL && is_command(line)) {
            run_line(path, line, &run);
        } else if (inside == DATA) {
            assert_true(strlen(content) + strlen(line) + 2 < sizeof content);
            strcat(strcat(content, line), "\n");
        } else if (inside == OUTSIDE && line[0] != '\0' && !names_file(line, name)) {
            name[0] = '\0';
        }
    }
    fclose(page);
    return run;
}


static void test_pages(void **state)
{
    (void)state;
    char pattern[1024];
    glob_t pages;
    int run = 0;
    shell_source("docs/guide/*.md", pattern);
    assert_int_equal(glob(pattern, 0, NULL, &pages), 0);
    for (size_t i = 0; i < pages.gl_pathc; i++) {
        begin_folder();
        run += run_page(pages.gl_pathv[i]);
        assert_int_equal(shell_end(), 0);
    }
    shell_source("README.md", pattern);
    begin_folder();
    assert_true(run_page(pattern) >= 5);
    assert_int_equal(shell_end(), 0);
    assert_true(pages.gl_pathc >= 5);
    assert_true(run >= 30);
    globfree(&pages);
}


// Examples of one help, below the line "Example:".
static void run_examples(const char *command, int *run)
{
    char line[256], examples[8192], *rest = NULL;
    long size;
    snprintf(line, sizeof line, "rico %s --help", command);
    assert_int_equal(shell_run(line, NULL, 0), 0);
    char *help = shell_load("out.txt", &size), *at = strstr(help, "\nExample:\n");
    if (at == NULL) fail_msg("'%s' has no example", line);
    snprintf(examples, sizeof examples, "%s", at + strlen("\nExample:\n"));
    free(help);
    for (char *one = strtok_r(examples, "\n", &rest); one != NULL; one = strtok_r(NULL, "\n", &rest)) {
        if (strncmp(one, "  rico ", 7) != 0) fail_msg("%s: the example '%s' is no command", line, one);
        run_line(line, one + 2, run);
    }
}


static void test_helps(void **state)
{
    (void)state;
    char commands[8192], *rest = NULL;
    long size;
    int run = 0, count = 0;
    begin_folder();
    // files that examples read and no other example makes before
    assert_int_equal(shell_run("rico run stick.yaml --set mu=0.3 --output other.h5", NULL, 0), 0);
    run_examples("", &run);
    assert_int_equal(shell_run("rico help", NULL, 0), 0);
    char *help = shell_load("out.txt", &size);
    snprintf(commands, sizeof commands, "%s", strstr(help, "Commands:\n") + strlen("Commands:\n"));
    free(help);
    for (char *one = strtok_r(commands, "\n", &rest); one != NULL && one[0] == ' ';
         one = strtok_r(NULL, "\n", &rest)) {
        char name[64];
        assert_int_equal(sscanf(one, " %63s", name), 1);
        if (strcmp(name, "help") == 0) continue;
        run_examples(name, &run);
        count++;
    }
    assert_true(count >= 14);
    assert_true(run >= count);
    assert_int_equal(shell_end(), 0);
}


// The reference in scenes.md is what the program prints.
static void test_reference(void **state)
{
    (void)state;
    char path[1024], line[1024];
    char *words[] = {"check", "--reference"};
    outcome end = program_run_to(TO_FILE, words, 2);
    assert_int_equal(end.code, 0);
    shell_source("docs/guide/scenes.md", path);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pages), cmocka_unit_test(test_helps),
                                       cmocka_unit_test(test_reference)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
