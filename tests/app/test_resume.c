// rico run --resume: the run that was started, from what its file holds; anything else is refused by its name.
//
// The scene is tests/trust/02-resume.yaml: stopped, and then resumed with another parameter, with none, after an edit,
// it went on with another model without a word.

#include "shell.h"

#include "ricochet/store.h"


static void assert_same(const char *a, const char *b)
{
    char path[2][256], difference[RICO_DIFFERENCE];
    rico_context *ctx = rico_context_create(NULL);
    rico_results *one = NULL, *two = NULL;
    snprintf(path[0], sizeof path[0], "%s/%s", shell_folder, a);
    snprintf(path[1], sizeof path[1], "%s/%s", shell_folder, b);
    assert_ok(ctx, rico_results_open(ctx, path[0], &one));
    assert_ok(ctx, rico_results_open(ctx, path[1], &two));
    assert_true(rico_results_finished(one) && rico_results_finished(two));
    assert_ok(ctx, rico_results_compare(one, two, difference));
    if (*difference) fail_msg("%s and %s: %s", a, b, difference);
    rico_results_destroy(one);
    rico_results_destroy(two);
    rico_context_destroy(ctx);
}


static int setup(void **state)
{
    (void)state;
    strcpy(shell_folder, "/tmp/rico-test-XXXXXX");
    if (!shell_begin()) return 1;
    shell_scene("tests/trust/02-resume.yaml");
    return shell_run(
        "mv 02-resume.yaml run.yaml && rico run run.yaml --set mu=0.5 --until 1.5 --output whole.h5 "
        "--quiet && { rico run run.yaml --set mu=0.5 --until 1.5 --output cut.h5 --stop-after 3333 "
        "--quiet; test $? = 130; }",
        NULL, 0);
}


static int teardown(void **state)
{
    (void)state;
    return shell_end();
}


static void test_goes_on_with_what_the_file_holds(void **state)
{
    (void)state;
    shell_expect("rico run run.yaml --resume --output cut.h5 --quiet", 0, "");
    assert_same("whole.h5", "cut.h5");
}


// The same settings given again, in other words, are the same; several stops make no difference.
static void test_same_settings_are_the_same(void **state)
{
    (void)state;
    shell_expect("rico run run.yaml --resume --output cut.h5 --set mu=0.50 --stop-after 7", 130,
                 "stopped after 7");
    shell_expect("rico run run.yaml --resume --output cut.h5 --set mu=1/2 --set g=9.81 --stop-after 7", 130,
                 "");
    shell_expect("rico run cut.h5 --resume --until 1.5 --quiet", 0, "");
    assert_same("whole.h5", "cut.h5");
}


static void test_differences_are_named(void **state)
{
    (void)state;
    static const char *const CASES[][2] = {
        {"rico run run.yaml --resume --output cut.h5 --set mu=0.3",
         "parameter mu is 0.5 in the file, 0.3 now"},
        {"rico run run.yaml --resume --output cut.h5 --set e=0.5", "parameter e is 0.6 in the file, 0.5 now"},
        {"rico run run.yaml --resume --output cut.h5 --set time.step=1e-4", "time.step is as the scene says"},
        {"rico run run.yaml --resume --output cut.h5 --set scheme=hht", "scheme is as the scene says"},
        {"rico run run.yaml --resume --output cut.h5 --set mi=1", "the scene has no parameter 'mi'"},
        {"rico run run.yaml --resume --output cut.h5 --until 9", "until t = 1.5 in the file, 9 now"},
        {"sed -i 's/g: 9.81/g: 9.7/' run.yaml; rico run run.yaml --resume --output cut.h5", "run.yaml:2: "},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) shell_expect(CASES[i][0], 2, CASES[i][1]);
    // the remedy that is printed works as printed
    shell_expect("rico run cut.h5 --resume --quiet", 0, "");
    assert_same("whole.h5", "cut.h5");
}


// A matrix that the scene reads is part of the run.
static void test_changed_files_are_refused(void **state)
{
    (void)state;
    shell_write("K.csv", "2,-1\n-1,2\n", 0644);
    shell_write("bodies.yaml",
                "parts:\n  two: {kind: matrices, mass: [[1, 0], [0, 1]], stiffness: {file: K.csv}}\n"
                "initial: {position: {two: [1, 0]}}\ntime: {end: 1, step: 1e-3}\n",
                0644);
    shell_expect("rico run bodies.yaml --output b.h5 --stop-after 100 --quiet", 130, "");
    shell_write("K.csv", "3,-1\n-1,3\n", 0644);
    shell_expect("rico run bodies.yaml --resume --output b.h5", 2, "the file 'K.csv', which the scene reads");
    shell_write("K.csv", "2,-1\n-1,2\n", 0644);
    shell_expect("rico run bodies.yaml --resume --output b.h5 --quiet", 0, "");
    shell_expect("rico run bodies.yaml --output c.h5 --quiet", 0, "");
    assert_same("b.h5", "c.h5");
}


// A finished run made longer equals the long one, with equal steps and adaptive ones, however often it is stopped.
static void test_extended_runs_are_long_runs(void **state)
{
    (void)state;
    shell_expect("rico run run.yaml --set mu=0.5 --until 1.00003 --output e.h5 --quiet", 0, "");
    shell_expect("rico run e.h5 --extend --until 0.5", 2, "is not later");
    shell_expect("rico run e.h5 --extend --until 1.5 --stop-after 100", 130, "");
    shell_expect("rico run run.yaml --resume --output e.h5 --quiet", 0, "");
    assert_same("whole.h5", "e.h5");

    static const char ADAPTIVE[] = "--set time.adaptive=true --set output.every=3 --quiet";
    char line[512];
    snprintf(line, sizeof line, "rico run run.yaml %s --until 1.5 --output a.h5", ADAPTIVE);
    shell_expect(line, 0, "");
    snprintf(line, sizeof line,
             "rico run run.yaml %s --until 0.6 --output b.h5 && rico run b.h5 --extend --until 1 --quiet && "
             "rico run "
             "b.h5 --extend --until 1.5 --quiet",
             ADAPTIVE);
    shell_expect(line, 0, "");
    assert_same("a.h5", "b.h5");
    shell_expect("rico run run.yaml --extend --output e.h5", 2, "'--until T'");
}


int main(void)
{
    if (program_path() == NULL) return PROGRAM_SKIP;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_goes_on_with_what_the_file_holds, setup, teardown),
        cmocka_unit_test_setup_teardown(test_same_settings_are_the_same, setup, teardown),
        cmocka_unit_test_setup_teardown(test_differences_are_named, setup, teardown),
        cmocka_unit_test_setup_teardown(test_changed_files_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(test_extended_runs_are_long_runs, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
