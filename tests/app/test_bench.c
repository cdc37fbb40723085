// rico bench as its users meet it: the table, the files, limits of time, and going on after any kind of end.

#include "folder.h"

#include "base/csv.h"

#include <time.h>

static rico_context *ctx;

enum {
    FIELDS = 18,
    FILE_FIELD = 0,
    SOLVER = 4,
    OUTCOME = 8,
    STOP = 9,
    ITERATIONS = 10,
    RESIDUAL = 11,
    FLOPS = 16
};


// The same for a benchmark of six problems: looks at the line of the summary for the solver nsgs on all of them.
static void expect_summary(const char *line, int solved, int timeouts)
{
    outcome got = program_line(TO_FILE, folder, line);
    const char *row = strstr(got.out, "\nall ");
    int of_six = -1, total = -1, late = -1;
    bool good = got.code == 0 && row != NULL &&
                sscanf(row, " all nsgs %d %d %d", &of_six, &total, &late) == 3 &&
                (solved < 0 || of_six == solved) && total == 6 && (timeouts < 0 || late == timeouts);
    if (!good) fail_msg("rico %s: exit %d\nstdout: %s\nstderr: %s", line, got.code, got.out, got.err);
    release(&got);
}


static void shell(const char *format)
{
    char command[1024];
    size_t used = 0;
    for (const char *at = format; *at != '\0'; at++) {
        bool place = at[0] == '%' && at[1] == 's';
        used += (size_t)snprintf(command + used, sizeof command - used, place ? "%s" : "%.1s",
                                 place ? folder : at);
        if (place) at++;
    }
    assert_int_equal(system(command), 0);
}


// The results, loaded; every line has all its fields. Cells must be released.
typedef struct results {
    rico_csv csv;
    int count;
    char *field[256][FIELDS];
} results;

static results load(const char *name)
{
    results all = {0};
    char *field[RICO_CSV_FIELDS];
    assert_ok(ctx, rico_csv_load(ctx, path_in(name), &all.csv));
    assert_int_equal(rico_csv_next(&all.csv, field), FIELDS);
    assert_string_equal(field[SOLVER], "solver");
    assert_string_equal(field[OUTCOME], "outcome");
    assert_string_equal(field[RESIDUAL], "residual");
    for (int count; (count = rico_csv_next(&all.csv, field)) > 0; all.count++) {
        assert_int_equal(count, FIELDS);
        memcpy(all.field[all.count], field, sizeof all.field[all.count]);
    }
    assert_int_equal(all.csv.at, all.csv.length);
    return all;
}


static char **cell(results *all, const char *file, const char *solver)
{
    char **found = NULL;
    for (int i = 0; i < all->count; i++) {
        if (strcmp(all->field[i][FILE_FIELD], file) != 0 || strcmp(all->field[i][SOLVER], solver) != 0)
            continue;
        if (found != NULL) fail_msg("%s with %s is there twice", file, solver);
        found = all->field[i];
    }
    if (found == NULL) fail_msg("%s with %s is missing", file, solver);
    return found;
}


// ---- what it writes ----

static void check_xml(const char *name)
{
    char command[512];
    if (!exists(name)) fail_msg("%s was not written", name);
    if (access("/usr/bin/python3", X_OK) != 0) return;
    snprintf(command, sizeof command,
             "/usr/bin/python3 -c 'import sys, xml.dom.minidom as x; x.parse(\"%s\")'", path_in(name));
    assert_int_equal(system(command), 0);
}


static void check_json(const char *name)
{
    char command[512];
    if (!exists(name)) fail_msg("%s was not written", name);
    if (access("/usr/bin/python3", X_OK) != 0) return;
    snprintf(command, sizeof command, "/usr/bin/python3 -m json.tool '%s' > /dev/null", path_in(name));
    assert_int_equal(system(command), 0);
}


static void test_results(void **state)
{
    (void)state;
    expect_summary("bench %s/loose %s/tight --solvers nsgs,nsgs:order=shuffled,fp-vi-upts --output "
                   "%s/out/deep --profiles-per-set --cells",
                   6, 0);
    results all = load("out/deep/results.csv");
    assert_int_equal(all.count, 18);
    for (int i = 0; i < all.count; i++) {
        assert_string_equal(all.field[i][OUTCOME], "solved");
        assert_string_equal(all.field[i][FLOPS], "");
        assert_at_most(atof(all.field[i][RESIDUAL]), 1e-8);
    }
    // the two orders are two solvers
    assert_string_not_equal(cell(&all, path_in("tight/random-1.hdf5"), "nsgs")[RESIDUAL],
                            cell(&all, path_in("tight/random-1.hdf5"), "nsgs:order=shuffled")[RESIDUAL]);
    rico_free(ctx, all.csv.text);
    check_json("out/deep/results.json");
    check_xml("out/deep/profile-time.svg");
    check_xml("out/deep/profile-iterations.svg");
    check_xml("out/deep/profile-time-loose.svg");
    check_xml("out/deep/profile-time-tight.svg");
}


// Iterations and residual are those of `rico solve`, whose report they do not come from.
static void test_same_as_solve(void **state)
{
    (void)state;
    expect("bench %s/loose/random-2.hdf5 --solvers nsgs --tol 1e-6 --output %s/one", 0, NULL, "");
    results all = load("one/results.csv");
    char **row = cell(&all, path_in("loose/random-2.hdf5"), "nsgs");
    char iterations[64], residual[64];
    snprintf(iterations, sizeof iterations, "\"iterations\": %s,", row[ITERATIONS]);
    snprintf(residual, sizeof residual, "\"relative\": %.8s", row[RESIDUAL]);
    expect("solve %s/loose/random-2.hdf5 --solver nsgs --tol 1e-6 --json", 0, iterations, "");
    expect("solve %s/loose/random-2.hdf5 --solver nsgs --tol 1e-6 --json", 0, residual, "");
    rico_free(ctx, all.csv.text);
}


static void test_jobs(void **state)
{
    (void)state;
    expect("bench %s/tight %s/loose --solvers nsgs,fp-ds,fp-vi-upk --output %s/j1 --quiet", 0, NULL, "");
    expect("bench %s/tight %s/loose --solvers nsgs,fp-ds,fp-vi-upk --output %s/j3 --jobs 3", 0, NULL, "");
    results one = load("j1/results.csv"), three = load("j3/results.csv");
    assert_int_equal(one.count, 18);
    assert_int_equal(three.count, 18);
    for (int i = 0; i < one.count; i++) {
        char **other = cell(&three, one.field[i][FILE_FIELD], one.field[i][SOLVER]);
        assert_string_equal(one.field[i][OUTCOME], other[OUTCOME]);
        if (strcmp(other[OUTCOME], "solved") == 0)
            assert_string_equal(one.field[i][RESIDUAL], other[RESIDUAL]);
    }
    rico_free(ctx, one.csv.text);
    rico_free(ctx, three.csv.text);
}


static void test_json(void **state)
{
    (void)state;
    outcome got = program_line(TO_FILE, folder, "bench %s/loose --solvers nsgs --json");
    assert_int_equal(got.code, 0);
    assert_string_equal(got.err, "");
    FILE *out = fopen(path_in("printed.json"), "w");
    fputs(got.out, out);
    fclose(out);
    check_json("printed.json");
    release(&got);
    expect("bench %s/loose --solvers nsgs --json", 0, "\"interrupted\": false", "");
}


// Operations are counted by the processor or refused in a sentence; never is there a column of nothing.
static void test_flops(void **state)
{
    (void)state;
    outcome got = program_line(TO_FILE, folder, "bench %s/loose --solvers nsgs --flops --output %s/flops");
    if (got.code != 0) {
        assert_int_equal(got.code, 2);
        assert_string_equal(got.out, "");
        assert_non_null(strstr(got.err, "rico bench: cannot count floating-point operations on '"));
        assert_false(exists("flops"));
    } else {
        assert_non_null(strstr(got.out, "flops per contact"));
        check_xml("flops/profile-flops.svg");
        results all = load("flops/results.csv");
        for (int i = 0; i < all.count; i++) assert_true(atof(all.field[i][FLOPS]) > 1e3);
        rico_free(ctx, all.csv.text);
    }
    release(&got);
}


// ---- cells that go wrong ----

static void test_timeout(void **state)
{
    (void)state;
    // nothing reaches a residual of 0
    static const char *const clocks[] = {"wall", "cpu", "least"};
    for (int i = 0; i < 3; i++) {
        char line[256], name[64];
        snprintf(line, sizeof line,
                 "bench %%s/tight/random-1.hdf5 --solvers nsgs --tol 0 --time-limit 0.1 --clock %s --output "
                 "%%s/late-%s",
                 clocks[i], clocks[i]);
        expect(line, 0, "tight  nsgs         0    1        1 ", "");
        snprintf(name, sizeof name, "late-%s/results.csv", clocks[i]);
        results all = load(name);
        assert_int_equal(all.count, 1);
        assert_string_equal(all.field[0][OUTCOME], "timeout");
        assert_string_equal(all.field[0][STOP], "time-limit");
        rico_free(ctx, all.csv.text);
    }
}


static void test_gave_up(void **state)
{
    (void)state;
    expect_summary("bench %s/tight %s/loose --solvers nsgs --set max-iter=2 --tol 1e-13 --output %s/gave-up",
                   0, 0);
    results all = load("gave-up/results.csv");
    for (int i = 0; i < all.count; i++) {
        assert_string_equal(all.field[i][OUTCOME], "unsolved");
        assert_string_equal(all.field[i][STOP], "max-iterations");
        assert_string_equal(all.field[i][ITERATIONS], "2");
    }
    rico_free(ctx, all.csv.text);
}


static void test_unreadable(void **state)
{
    (void)state;
    shell("mkdir %s/mixed; cp %s/loose/random-1.hdf5 %s/mixed; echo no > %s/mixed/a.hdf5; echo > "
          "%s/mixed/b.txt");
    expect("bench %s/mixed --solvers nsgs,fp-ds --output %s/mixed-out", 2, NULL, "a.hdf5");
    results all = load("mixed-out/results.csv");
    assert_int_equal(all.count, 2);
    rico_free(ctx, all.csv.text);
}


static void test_usage(void **state)
{
    (void)state;
    expect("bench", 2, NULL, "no DIR or FILE");
    expect("bench %s/nowhere", 3, NULL, "cannot open");
    expect("bench %s/loose --solvers nsgss", 2, NULL, "did you mean 'nsgs'?");
    expect("bench %s/loose --solvers nsgs,,fp-ds", 2, NULL, "unknown solver ''");
    expect("bench %s/loose --solvers nsgs,nsgs", 2, NULL, "named twice");
    expect("bench %s/loose --solvers nsgs:ordr=given", 2, NULL, "did you mean 'order'?");
    expect("bench %s/loose --solvers nsgs:order", 2, NULL, "not OPTION=VALUE");
    expect("bench %s/loose --solvers nsgs:order=upside-down", 2, NULL, "upside-down");
    expect("bench %s/loose --solvers nsgs:tol=1e-3", 2, NULL, "use '--tol'");
    expect("bench %s/loose --set time-limit=1", 2, NULL, "use '--time-limit'");
    expect("bench %s/loose --resume", 2, NULL, "needs '--output'");
    expect("bench %s/loose --profiles-per-set", 2, NULL, "needs '--output'");
    expect("bench %s/loose --time-limit 0", 2, NULL, "--time-limit");
    expect("bench %s/loose --jobs 0", 2, NULL, "--jobs");
    expect("bench %s/loose --memory-limit 10", 2, NULL, "--memory-limit");
    shell("mkdir %s/empty");
    expect("bench %s/empty", 2, NULL, "no problem file");
    expect("bench %s/loose --solvers nsgs --output %s/twice", 0, NULL, "");
    expect("bench %s/loose --solvers nsgs --output %s/twice", 2, NULL, "--resume");
    shell("mkdir %s/strange; echo a,b,c > %s/strange/results.csv");
    expect("bench %s/loose --solvers nsgs --output %s/strange --resume", 2, NULL, "no table of results");
}


// ---- going on ----

// Starts a long run, waits until its file has some lines, and sends a signal. Returns how it ended.
static int run_and_stop(const char *name, int number)
{
    char output[256];
    snprintf(output, sizeof output, "%s/%s", folder, name);
    char tight[256], loose[256];
    snprintf(tight, sizeof tight, "%s/tight", folder);
    snprintf(loose, sizeof loose, "%s/loose", folder);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        signal(SIGINT, SIG_DFL);
        execl(program_path(), "rico", "bench", tight, loose, "--solvers", "nsgs,fp-ds", "--tol", "0",
              "--time-limit", "0.15", "--output", output, (char *)NULL);
        _exit(127);
    }
    // a line for each cell, and the head
    char path[300], text[8192];
    snprintf(path, sizeof path, "%s/results.csv", output);
    for (int lines = 0; lines < 4;) {
        assert_int_equal(waitpid(child, NULL, WNOHANG), 0);
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
        FILE *in = fopen(path, "r");
        size_t length = in != NULL ? fread(text, 1, sizeof text, in) : 0;
        if (in != NULL) fclose(in);
        lines = 0;
        for (size_t i = 0; i < length; i++) lines += text[i] == '\n';
    }
    kill(child, number);
    int ended;
    assert_int_equal(waitpid(child, &ended, 0), child);
    return WIFEXITED(ended) ? WEXITSTATUS(ended) : -WTERMSIG(ended);
}


static const char RESUME[] =
    "bench %s/tight %s/loose --solvers nsgs,fp-ds --tol 0 --time-limit 0.15 --resume ";

// After the run that goes on, all twelve cells are there once, and those of the first run as they were.
static void check_resumed(const char *name, results *before)
{
    results after = load(name);
    assert_true(before->count >= 3 && before->count < 12);
    assert_int_equal(after.count, 12);
    for (int i = 0; i < before->count; i++) {
        for (int j = 0; j < FIELDS; j++) assert_string_equal(before->field[i][j], after.field[i][j]);
    }
    for (int i = 0; i < after.count; i++) cell(&after, after.field[i][FILE_FIELD], after.field[i][SOLVER]);
    rico_free(ctx, after.csv.text);
}


static void test_resume_after_kill(void **state)
{
    (void)state;
    assert_int_equal(run_and_stop("killed", SIGKILL), -SIGKILL);
    results before = load("killed/results.csv");
    // as if the end had come in the middle of a line
    FILE *out = fopen(path_in("killed/results.csv"), "a");
    fprintf(out, "%s/tight/random-3.hdf5,tight,30,\"9", folder);
    fclose(out);
    char line[256];
    snprintf(line, sizeof line, "%s --output %%s/killed", RESUME);
    expect_summary(line, -1, -1);
    check_resumed("killed/results.csv", &before);
    rico_free(ctx, before.csv.text);

    // nothing is left to do; other settings make other cells
    expect_summary(line, -1, -1);
    results after = load("killed/results.csv");
    assert_int_equal(after.count, 12);
    rico_free(ctx, after.csv.text);
    expect("bench %s/tight %s/loose --solvers nsgs --time-limit 0.15 --resume --output %s/killed", 0, NULL,
           "");
    after = load("killed/results.csv");
    assert_int_equal(after.count, 18);
    rico_free(ctx, after.csv.text);
}


static void test_resume_after_interrupt(void **state)
{
    (void)state;
    assert_int_equal(run_and_stop("stopped", SIGINT), 130);
    check_json("stopped/results.json");
    results before = load("stopped/results.csv");
    char line[256];
    snprintf(line, sizeof line, "%s --output %%s/stopped", RESUME);
    expect(line, 0, NULL, "");
    check_resumed("stopped/results.csv", &before);
    rico_free(ctx, before.csv.text);
}


// Every cut of the file leaves something to go on from.
static void test_resume_from_any_cut(void **state)
{
    (void)state;
    expect("bench %s/loose --solvers nsgs --output %s/whole", 0, NULL, "");
    results whole = load("whole/results.csv");
    size_t length = whole.csv.length;
    rico_free(ctx, whole.csv.text);
    shell("mkdir %s/cut");
    for (size_t kept = 0; kept <= length; kept += length / 9) {
        char command[512];
        snprintf(command, sizeof command, "head -c %zu %s/whole/results.csv > %s/cut/results.csv", kept,
                 folder, folder);
        assert_int_equal(system(command), 0);
        expect("bench %s/loose --solvers nsgs --output %s/cut --resume", 0, "loose  nsgs         3    3 ",
               "");
        results again = load("cut/results.csv");
        assert_int_equal(again.count, 3);
        rico_free(ctx, again.csv.text);
    }
}


// ---- the folder of the tests ----

static int make_folder(void **state)
{
    (void)state;
    ctx = rico_context_create(NULL);
    strcpy(folder, "/tmp/rico-bench-XXXXXX");
    if (ctx == NULL || mkdtemp(folder) == NULL) return -1;
    expect("generate random --contacts 20 --bodies 12 --count 3 --output %s/loose", 0, NULL, "");
    expect("generate random --contacts 24 --bodies 6 --count 3 --form reduced --output %s/tight", 0, NULL,
           "");
    return 0;
}


static int drop_folder(void **state)
{
    (void)state;
    rico_context_destroy(ctx);
    shell("rm -rf '%s'");
    return 0;
}


int main(void)
{
    if (program_path() == NULL) return PROGRAM_SKIP;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results),
        cmocka_unit_test(test_same_as_solve),
        cmocka_unit_test(test_jobs),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_flops),
        cmocka_unit_test(test_timeout),
        cmocka_unit_test(test_gave_up),
        cmocka_unit_test(test_unreadable),
        cmocka_unit_test(test_usage),
        cmocka_unit_test(test_resume_after_kill),
        cmocka_unit_test(test_resume_after_interrupt),
        cmocka_unit_test(test_resume_from_any_cut),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
