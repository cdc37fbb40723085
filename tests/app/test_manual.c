// The manual page and bash's completion, printed from the tables of commands.

#include "shell.h"

static int setup(void **state)
{
    (void)state;
    if (!shell_begin()) return 1;
    shell_scene("examples/ball/ball.yaml");
    shell_write("other.txt", "", 0644);
    shell_write("results.h5", "", 0644);
    return shell_run("rico help --bash > rico.bash && rico help --man > rico.1", NULL, 0);
}


static int teardown(void **state)
{
    (void)state;
    return shell_end();
}


// What bash offers for the words, the last of which is being typed; blank-separated, in order.
static char *offered(const char *words)
{
    long size;
    char line[2048];
    snprintf(line, sizeof line,
             "bash -c '. ./rico.bash; rico() { \"%s\" \"$@\"; }; COMP_WORDS=(%s); "
             "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _rico; for one in \"${COMPREPLY[@]}\"; do printf \"%%s "
             "\" \"$one\"; done' > offered.txt",
             program_path(), words);
    assert_int_equal(shell_run(line, NULL, 0), 0);
    return shell_load("offered.txt", &size);
}


static void expect_offer(const char *words, const char *expected)
{
    char *text = offered(words);
    if (strcmp(text, expected) != 0) fail_msg("%s: offered '%s', expected '%s'", words, text, expected);
    free(text);
}


static void expect_among(const char *words, const char *expected)
{
    char *text = offered(words);
    if (!strstr(text, expected)) fail_msg("%s: offered '%s', without '%s'", words, text, expected);
    free(text);
}


static void test_completion(void **state)
{
    (void)state;
    if (system("bash --version > /dev/null 2>&1") != 0) skip();
    assert_int_equal(shell_run("bash -n rico.bash", NULL, 0), 0);
    expect_offer("rico conv", "converge ");
    expect_offer("rico plot --st", "--style ");
    expect_offer("rico plot --style st", "steps stems ");
    expect_offer("rico plot --log \"\"", "none x y xy ");
    expect_offer("rico converge --scheme schatz", "schatzman-paoli ");
    expect_offer("rico converge --scheme moreau-jean,schatz", "moreau-jean,schatzman-paoli ");
    expect_among("rico solve --solver ns", "nsgs ");
    expect_among("rico solvers ns", "nsgs ");
    expect_offer("rico schemes schatz", "schatzman-paoli ");
    expect_offer("rico run ba", "ball.yaml ");
    expect_offer("rico run oth", "");
    expect_offer("rico plot re", "results.h5 ");
    expect_offer("rico info oth", "other.txt ");
    expect_offer("rico help sw", "sweep ");
    expect_offer("rico nothing x", "");
}


// Experiments are asked for when the key is pressed.
static void test_experiments(void **state)
{
    (void)state;
    if (system("bash --version > /dev/null 2>&1") != 0) skip();
    char words[1200];
    snprintf(words, sizeof words, "\"%s\" reproduce sti", program_path());
    expect_among(words, "stick ");
}


// Every command and every option that the help shows is in the page, whose markup is sound.
static void test_page(void **state)
{
    (void)state;
    long size;
    char *page = shell_load("rico.1", &size);
    const char *parts[] = {".TH RICO 1",       ".SH NAME",     ".SS rico plot",  ".SS rico sweep",
                           "\\-\\-checkpoint", "default: 10)", ".SH EXIT STATUS"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strstr(page, parts[i])) fail_msg("no '%s' in the page", parts[i]);
    free(page);
    if (system("groff --version > /dev/null 2>&1") == 0) {
        assert_int_equal(shell_run("groff -man -Tascii -ww rico.1 2> complaints.txt", NULL, 0), 0);
        char *complaints = shell_load("complaints.txt", &size);
        if (size > 0) fail_msg("groff: %s", complaints);
        free(complaints);
        char *text = shell_load("out.txt", &size);
        assert_non_null(strstr(text, "rico plot stick.h5 --y v_x,v_y --output velocities.png"));
        free(text);
    }
}


int main(void)
{
    if (program_path() == NULL) return PROGRAM_SKIP;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_completion), cmocka_unit_test(test_experiments),
                                       cmocka_unit_test(test_page)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
