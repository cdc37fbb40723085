// Every block of code of README.md and docs/ runs as it stands there, and every example of every help.
//
// A page has an empty folder with two scenes of examples/ in it and, as in a clone, examples/ and build/rico; pkg-config
// finds the library in it. Blocks are taken in order:
//
//   below "`ball.yaml`:"  the block becomes that file; a scene is checked
//   sh                    line by line; a comment `# exit 2` says how one is to end. Lines that build or install (NOT_OURS)
//                         are left out; any other line must run
//   c, python             compiled and run, run; those that import ricochet where the module was built
//   no language, text     what the last of these said: line by line, in this order, lines may be left out. Numbers may
//                         differ by their last digit, or 1e-9; seconds are as they come; ... stands for anything
//   yaml                  without a name: a scene, or keys that replace those of ball.yaml; must pass rico check
//   usage, cmake, formula checked elsewhere or nothing to run

#include "page.h"
#include "shell.h"

#include <glob.h>

static const char *const SCENES[] = {"examples/stick/stick.yaml", "examples/ball/ball.yaml"};
static const char *const NOT_OURS[] = {"make",          "cmake",        "ctest",        "sudo ",
                                       "export ",       "build/bench",  "awk -f bench", "bench/flops.sh",
                                       "rico bench $(", "rico bench $", "xvfb-run ",    "mpirun "};
static const char *const NOTHING_TO_RUN[] = {"usage", "cmake", "formula", "json"};

enum { PARTS = 4 }; // as in tests/CMakeLists.txt
static page shown;
static char heard[1 << 16]; // what the last block that ran said


static bool needs_gnuplot(const char *line)
{
    if (strncmp(line, "build/", 6) == 0) line += 6;
    static const char *const DRAW[] = {"rico plot",   "rico converge", "rico sweep",  "rico reproduce",
                                       "rico impact", "rico modes",    "rico orbit",  "rico continue",
                                       "rico ring",   "rico fit",      "rico basins", "rico control"};
    for (size_t i = 0; i < sizeof DRAW / sizeof *DRAW; i++)
        if (strncmp(line, DRAW[i], strlen(DRAW[i])) == 0) return true;
    return false;
}


// The folder of a page: scenes, examples/, build/rico, and an installed library made of links.
static void begin_folder(void)
{
    strcpy(shell_folder, "/tmp/rico-test-XXXXXX");
    assert_true(shell_begin());
    for (size_t i = 0; i < sizeof SCENES / sizeof *SCENES; i++) shell_scene(SCENES[i]);
    char beside[1024], line[6144], *from[2];
    static const char *const FOLDERS[] = {"examples", "include"};
    for (int i = 0; i < 2; i++) {
        shell_source(FOLDERS[i], beside);
        from[i] = realpath(beside, NULL);
        assert_non_null(from[i]);
    }
    snprintf(
        line, sizeof line,
        "mkdir -p build prefix/lib/pkgconfig && ln -s '%s' build/rico && ln -s '%s' examples && "
        "ln -s '%s' prefix/include && built=$(dirname '%s') && ln -s \"$built\"/libricochet.* prefix/lib && "
        "cp \"$built\"/ricochet.pc prefix/lib/pkgconfig && { ! test -d \"$built\"/python || ln -s "
        "\"$built\"/python "
        "build/python; }",
        program_path(), from[0], from[1], program_path());
    assert_int_equal(shell_run(line, NULL, 0), 0);
    for (int i = 0; i < 2; i++) free(from[i]);
}


static bool have(const char *probe)
{
    return system(probe) == 0;
}


static bool can_run(const char *line)
{
    static int gnuplot = -1, h5py = -1;
    if (gnuplot < 0) gnuplot = have("gnuplot --version > /dev/null 2>&1");
    if (h5py < 0) h5py = have("${RICO_PYTHON:-python3} -c 'import h5py' > /dev/null 2>&1");
    if (strncmp(line, "python3 ", 8) == 0) return h5py;
    return gnuplot || !needs_gnuplot(line);
}


static char *append(char *text, size_t size, const char *more)
{
    size_t length = strlen(text);
    snprintf(text + length, size - length, "%s", more);
    return text;
}


// Keeps what the last line said, on both its outputs.
static void listen(void)
{
    static const char *const FILES[] = {"out.txt", "err.txt"};
    for (int i = 0; i < 2; i++) {
        long size;
        char *text = shell_load(FILES[i], &size);
        append(heard, sizeof heard, text);
        free(text);
    }
}


static void run_line(const char *from, const char *line, int *run)
{
    static const char SETTING[] =
        "cc() { command \"${RICO_CC:-cc}\" ${RICO_SANITIZE:+-fsanitize=$RICO_SANITIZE} \"$@\"; }; "
        "python3() { command \"${RICO_PYTHON:-python3}\" \"$@\"; }; "
        "unset -f rico; PATH=\"$PWD/build:$PATH\"; export PKG_CONFIG_PATH=\"$PWD/prefix/lib/pkgconfig\" "
        "PYTHONPATH=\"$PWD/build/python\" LC_ALL=C; ";
    if (!can_run(line)) return;
    char command[4096], said[1024];
    snprintf(command, sizeof command, "%s%s", SETTING, line);
    const char *note = strstr(line, "# exit ");
    int expected = note != NULL ? atoi(note + strlen("# exit ")) : 0,
        ended = shell_run(command, said, sizeof said);
    if (ended != expected)
        fail_msg("%s: %s: ended with %d, expected %d: %s", from, line, ended, expected, said);
    listen();
    ++*run;
}


static bool is_one_of(const char *text, const char *const *list, size_t count, bool whole)
{
    for (size_t i = 0; i < count; i++)
        if (whole ? strcmp(text, list[i]) == 0 : strncmp(text, list[i], strlen(list[i])) == 0) return true;
    return false;
}


// Lines of a block of shell; one that ends with a backslash goes on.
static void run_shell(const char *where, char *text, int *run)
{
    char line[2048] = "", *rest = NULL;
    heard[0] = '\0';
    for (char *one = strtok_r(text, "\n", &rest); one != NULL; one = strtok_r(NULL, "\n", &rest)) {
        append(line, sizeof line, one);
        size_t length = strlen(line);
        if (length > 0 && line[length - 1] == '\\') {
            line[length - 1] = ' ';
            continue;
        }
        bool ours = line[0] != '#' && !is_one_of(line, NOT_OURS, sizeof NOT_OURS / sizeof *NOT_OURS, false);
        if (ours) run_line(where, line, run);
        line[0] = '\0';
    }
}


static void run_program(const char *where, const page_block *block, int *run)
{
    heard[0] = '\0';
    if (block->language[0] == 'c') {
        shell_write("page.c", block->text, 0644);
        run_line(
            where,
            "cc page.c $(pkg-config --cflags ricochet) -Wl,-rpath,$(pkg-config --variable=libdir ricochet) "
            "$(pkg-config --libs ricochet) -lm -o page && ./page",
            run);
    } else if (strstr(block->text, "import ricochet") == NULL ||
               shell_run("ls build/python/ricochet/_c*.so", NULL, 0) == 0) {
        shell_write("page.py", block->text, 0644);
        run_line(where, "python3 page.py", run);
    }
}


// The top-level key that a line opens, without its colon; 0 for none.
static size_t key_of(const char *line)
{
    size_t length = strcspn(line, ":\n");
    return line[length] == ':' && line[0] != ' ' && line[0] != '#' ? length : 0;
}


// ball.yaml with the keys of the fragment in place of its own.
static void splice(const char *fragment, char *out, size_t size)
{
    long length;
    char *base = shell_load("ball.yaml", &length), *rest = NULL;
    bool keep = true;
    snprintf(out, size, "%s\n", fragment);
    for (char *line = strtok_r(base, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        size_t key = key_of(line);
        if (key > 0) {
            keep = true;
            for (const char *at = fragment; *at; at += strcspn(at, "\n"), at += *at == '\n')
                if (strncmp(at, line, key + 1) == 0) keep = false;
        }
        if (keep) append(append(out, size, line), size, "\n");
    }
    free(base);
}


static void check_scene(const char *where, const page_block *block, int *run)
{
    static char scene[1 << 15];
    char line[128];
    bool whole = strncmp(block->text, "parts:", 6) == 0 || strstr(block->text, "\nparts:");
    if (block->name[0] != '\0' && !whole) return; // an experiment, a file of numbers
    if (whole)
        snprintf(scene, sizeof scene, "%s", block->text);
    else
        splice(block->text, scene, sizeof scene);
    if (block->name[0] == '\0') shell_write("page.yaml", scene, 0644);
    snprintf(line, sizeof line, "rico check %s", block->name[0] != '\0' ? block->name : "page.yaml");
    run_line(where, line, run);
}


static void compare(const char *where, const page_block *block)
{
    if (heard[0] == '\0') return; // what it came from could not be run here
    const char *missing = page_missing(block->text, heard);
    if (missing != NULL)
        fail_msg("%s: nothing said\n%.*s\nbut\n%s", where, (int)strcspn(missing, "\n"), missing, heard);
}


static void run_block(const char *where, page_block *block, bool fragments, int *run)
{
    const char *language = block->language;
    if (block->name[0] != '\0') shell_write(block->name, block->text, 0644);
    bool yaml = strcmp(language, "yaml") == 0 || strcmp(language, "yml") == 0;
    if (yaml && (fragments || block->name[0] != '\0'))
        check_scene(where, block, run);
    else if (yaml || block->name[0] != '\0' ||
             is_one_of(language, NOTHING_TO_RUN, sizeof NOTHING_TO_RUN / sizeof *NOTHING_TO_RUN, true))
        return;
    else if (strcmp(language, "sh") == 0)
        run_shell(where, block->text, run);
    else if (strcmp(language, "c") == 0 || strcmp(language, "python") == 0)
        run_program(where, block, run);
    else if (language[0] == '\0' || strcmp(language, "text") == 0)
        compare(where, block);
    else
        fail_msg("%s: nobody runs blocks of '%s'", where, language);
}


static int run_page(const char *path)
{
    int run = 0;
    page_load(path, &shown);
    heard[0] = '\0';
    // the fragments of scenes.md have a test of their own, scene/guide
    bool fragments = strstr(path, "scenes.md") == NULL;
    for (int i = 0; i < shown.count; i++) {
        char where[1100];
        snprintf(where, sizeof where, "%s:%d", path, shown.block[i].line);
        run_block(where, &shown.block[i], fragments, &run);
    }
    return run;
}


// ctest runs the pages in parts, side by side: every PARTS-th page from this one on; -1: all of them.
static int part(void)
{
    const char *given = getenv("RICO_PART");
    return given != NULL ? atoi(given) : -1;
}


static void test_pages(void **state)
{
    (void)state;
    static const char *const PAGES[] = {"README.md", "docs/*.md", "docs/guide/*.md", "docs/theory/*.md",
                                        "examples/*/*.md"};
    glob_t pages;
    int run = 0;
    for (size_t i = 0; i < sizeof PAGES / sizeof *PAGES; i++) {
        char pattern[1024];
        shell_source(PAGES[i], pattern);
        glob(pattern, i > 0 ? GLOB_APPEND : 0, NULL, &pages);
    }
    const char *only = getenv("RICO_PAGE"); // part of the path of the one to run
    for (size_t i = 0; i < pages.gl_pathc; i++) {
        if (only != NULL && strstr(pages.gl_pathv[i], only) == NULL) continue;
        if (part() >= 0 && (int)(i % PARTS) != part()) continue;
        begin_folder();
        run += run_page(pages.gl_pathv[i]);
        assert_int_equal(shell_end(), 0);
    }
    assert_true(only != NULL || (pages.gl_pathc >= 20 && run >= (part() >= 0 ? 20 : 100)));
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


// Every scene that comes with the program passes its check; those only struck have no 'time'.
static void test_examples(void **state)
{
    (void)state;
    begin_folder();
    shell_expect("for scene in examples/*/*.yaml; do case $scene in */experiment.yaml) ;; "
                 "*) rico check $scene >> all.txt || { echo $scene >&2; exit 1; };; esac; done; "
                 "test $(grep -c coordinates: all.txt) -ge 14 && grep -q \"no 'time'\" all.txt",
                 0, "");
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
                                       cmocka_unit_test(test_reference), cmocka_unit_test(test_examples)};
    const struct CMUnitTest pages[] = {cmocka_unit_test(test_pages)};
    if (part() > 0) return cmocka_run_group_tests(pages, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
