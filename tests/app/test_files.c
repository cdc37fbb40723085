// Files are safe: no command replaces what is not its own kind of output, whatever --output says; what is written
// appears whole or not at all; a reader that goes away ends a command without a word.

#include "shell.h"

static const char BALL[] = "parts: {ball: {coordinates: [z], mass: [1], force: [-10]}}\n"
                           "contacts: {floor: {gap: z, restitution: 0.5}}\n"
                           "initial: {position: {z: 1}}\n"
                           "time: {end: 1, step: 1e-3}\n";


static int setup(void **state)
{
    (void)state;
    if (!shell_begin()) return 1;
    shell_write("ball.yaml", BALL, 0644);
    shell_gnuplot();
    return shell_run("rico run ball.yaml --quiet && rico generate random --contacts 3 --output p.hdf5", NULL,
                     0);
}


static int teardown(void **state)
{
    (void)state;
    return shell_end();
}


// What would not fit is refused in a sentence, before it is asked for; what fits is told.
static void test_memory_is_told(void **state)
{
    (void)state;
    char said[1024];
    assert_int_equal(shell_run("PATH=$PWD/bin:$PATH; rico generate wall --contacts 400 --output w.hdf5 && "
                               "rico solve w.hdf5 --tol 1e-6 --memory 0.001",
                               said, sizeof said),
                     3);
    assert_non_null(strstr(said, "allowed"));
    assert_int_equal(
        shell_run("PATH=$PWD/bin:$PATH; rico solve w.hdf5 --tol 1e-6 --memory 0.5 1>&2", said, sizeof said),
        0);
    assert_non_null(strstr(said, "0.500 GB allowed"));
    assert_int_equal(shell_run("PATH=$PWD/bin:$PATH; rico run ball.yaml --output m.h5 --memory 0.5 1>&2",
                               said, sizeof said),
                     0);
    assert_non_null(strstr(said, "0.500 GB allowed"));
    assert_int_equal(shell_run("PATH=$PWD/bin:$PATH; rico solve w.hdf5 --memory -1", said, sizeof said), 2);
}


// Precious files, by kind: none of them may change, under any of the commands.
static void test_foreign_files_are_left_alone(void **state)
{
    (void)state;
    static const char *const PRECIOUS[] = {"scene.yaml", "source.c", "data.csv",   "notes.svg",
                                           "image.png",  "p.hdf5",   "report.pdf", "prose.csv"};
    static const char *const COMMANDS[] = {
        "rico export ball.h5 --table state --output %s",
        "rico plot ball.h5 --output %s",
        "rico run ball.yaml --output %s --overwrite",
        "rico run ball.yaml --output %s",
        "rico converge ball.yaml --halvings 2 --output %s",
        "rico impact ball.yaml --set time.end=1 --output %s",
        "rico solve p.hdf5 --history %s",
    };
    shell_write("scene.yaml", BALL, 0644);
    shell_write("source.c", "int main(void) { return 0; }\n", 0644);
    shell_write("data.csv", "time,force\n0,1\n", 0644);
    shell_write("prose.csv", "some words, and more\n", 0644);
    shell_write("notes.svg", "not a picture\n", 0644);
    shell_write("image.png", "GIF89a\n", 0644);
    shell_write("report.pdf", "no such thing\n", 0644);
    shell_expect(
        "sha256sum scene.yaml source.c data.csv notes.svg image.png p.hdf5 report.pdf prose.csv > sums", 0,
        "");
    for (size_t c = 0; c < sizeof COMMANDS / sizeof *COMMANDS; c++) {
        for (size_t f = 0; f < sizeof PRECIOUS / sizeof *PRECIOUS; f++) {
            char line[512], with_path[640], said[1024];
            snprintf(line, sizeof line, COMMANDS[c], PRECIOUS[f]);
            snprintf(with_path, sizeof with_path, "PATH=$PWD/bin:$PATH; %s", line);
            int code = shell_run(with_path, said, sizeof said);
            if (code != 2 && code != 3) fail_msg("%s: %d, %s", line, code, said);
            if (!strstr(said, PRECIOUS[f])) fail_msg("%s does not name the file: %s", line, said);
        }
    }
    // generated problems replace problems alone
    for (size_t f = 0; f < sizeof PRECIOUS / sizeof *PRECIOUS; f++) {
        char line[512];
        if (strcmp(PRECIOUS[f], "p.hdf5") == 0) continue;
        snprintf(line, sizeof line, "rico generate random --contacts 3 --output %s", PRECIOUS[f]);
        shell_expect(line, 3, "is left alone");
    }
    shell_expect("rico generate random --contacts 3 --output ball.h5", 3, "is not a contact problem");
    shell_expect("rico generate random --contacts 4 --seed 2 --output q.hdf5", 0, "");
    shell_expect("rico generate random --contacts 5 --seed 2 --output q.hdf5", 0, "");
    shell_expect("sha256sum --quiet -c sums", 0, "");
}


// Through links, too: the file behind the name counts.
static void test_links_are_no_way_round(void **state)
{
    (void)state;
    shell_write("model.yaml", BALL, 0644);
    shell_expect("ln -sf model.yaml linked.h5; ln -f model.yaml hard.h5; ln -sf ball.h5 same.hdf5", 0, "");
    shell_expect("rico run model.yaml --output linked.h5 --overwrite", 3, "is not a result file of rico");
    shell_expect("rico run model.yaml --output hard.h5 --overwrite", 3, "is not a result file of rico");
    shell_expect("rico run model.yaml --output linked.h5", 3, "is not a result file of rico");
    shell_expect("rico solve p.hdf5 --write .", 2, "overwrite the input");
    shell_expect("rico run ball.yaml --output .", 3, "directory");
    shell_expect("rico run ball.yaml --output /dev/full --overwrite", 3, "not a regular file");
    shell_expect("rico export ball.h5 --output t.csv", 2, "needs '--table NAME'");
    shell_expect("rico export ball.h5 --column t", 2, "needs '--table NAME'");
    shell_expect("rico export ball.h5 --table state --output /dev/full", 3, "not a regular file");
    shell_expect("rico export ball.h5 --table state > /dev/full", 3, "No space left");
    char *text;
    long size;
    text = shell_load("model.yaml", &size);
    assert_string_equal(text, BALL);
    free(text);
}


// A sweep writes into a folder of the user's: its own files there, and no others.
static void test_sweeps_keep_to_their_files(void **state)
{
    (void)state;
    long size;
    shell_expect("mkdir -p mine && cp ball.yaml mine/scene.yaml && cp ball.yaml mine/sweep.yaml", 0, "");
    shell_expect("rico sweep mine/scene.yaml --over time.step=1e-2,2e-2 --no-figure --output mine", 2,
                 "line 5 of 'mine/sweep.yaml'");
    char *text = shell_load("mine/sweep.yaml", &size);
    assert_string_equal(text, BALL);
    free(text);
    shell_expect("rm mine/sweep.yaml; echo a,b > mine/sweep.csv", 0, "");
    shell_expect("rico sweep mine/scene.yaml --over time.step=1e-2,2e-2 --no-figure --output mine", 2,
                 "without 'mine/sweep.yaml'");
    shell_expect(
        "rm mine/sweep.csv; rico sweep mine/scene.yaml --over time.step=1e-2,2e-2 --no-figure --output mine",
        0, "");
    text = shell_load("mine/scene.yaml", &size);
    assert_string_equal(text, BALL);
    free(text);
    // what the cells have in common has changed since: rows of before are not mixed with others
    shell_expect("sed -i 's/0.5/0.6/' mine/scene.yaml; rico sweep mine/scene.yaml --over time.step=1e-2,2e-2 "
                 "--no-figure --output mine",
                 2, "line 2 of 'mine/sweep.yaml'");
    // a misspelt measure is found before the first run, and leaves no trace
    shell_expect("rico sweep ball.yaml --over time.step=1e-8,2e-8 --measure zz:last --output typo", 2,
                 "there is no column 'zz'; did you mean 'z'?");
    shell_expect("test ! -e typo", 0, "");
    shell_expect("rico sweep ball.yaml --over time.step=1e-8,2e-8 --points w --section impacts --output typo",
                 2, "there is no column 'w'");
    shell_expect("test ! -e typo", 0, "");
}


// Of a table or a picture that is ours, the new one takes the place.
static void test_own_files_are_replaced(void **state)
{
    (void)state;
    shell_expect(
        "rico export ball.h5 --table state --output t.csv && rico export ball.h5 --table ledger --column "
        "kinetic --output t.csv && head -1 t.csv | grep -qx kinetic",
        0, "");
    shell_expect("rico run ball.yaml --output new.h5 --quiet && rico run ball.yaml --output new.h5 "
                 "--overwrite --quiet",
                 0, "");
    shell_expect("rico run ball.yaml --output new.h5", 3, "--overwrite replaces it");
    shell_expect("mkdir closed && rico export ball.h5 --table state --output closed/no/t.csv", 3,
                 "closed/no/t.csv");
    shell_expect("ls | grep -q 'tmp$'", 1, "");
}


// A table that is longer than any pipe holds, into a reader that takes one line.
static void test_closed_pipes_are_quiet(void **state)
{
    (void)state;
    static const char *const COMMANDS[] = {
        "rico run ball.yaml --set time.step=1e-5 --output long.h5 --quiet; rico export long.h5 --table state",
        "rico export long.h5",
        "rico schemes",
        "rico check --reference",
        "rico solve p.hdf5",
        "rico converge ball.yaml --halvings 2 --no-figure",
        "rico help",
    };
    for (size_t i = 0; i < sizeof COMMANDS / sizeof *COMMANDS; i++) {
        char line[512], said[1024];
        // the reader is gone before the first word comes
        snprintf(line, sizeof line, "mkfifo pipe%zu; { head -c 0 < pipe%zu; } & { wait; %s; } > pipe%zu", i,
                 i, COMMANDS[i], i);
        shell_run(line, said, sizeof said);
        if (*said) fail_msg("%s: %s", COMMANDS[i], said);
    }
}


int main(void)
{
    if (program_path() == NULL) return PROGRAM_SKIP;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_is_told),         cmocka_unit_test(test_foreign_files_are_left_alone),
        cmocka_unit_test(test_links_are_no_way_round), cmocka_unit_test(test_sweeps_keep_to_their_files),
        cmocka_unit_test(test_own_files_are_replaced), cmocka_unit_test(test_closed_pipes_are_quiet),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
