// rico sweep: every cell as if run alone, failures in their rows, and nothing run twice after a kill.

#include "shell.h"

static int setup(void **state)
{
    (void)state;
    if (!shell_begin()) return 1;
    shell_scene("examples/ball/ball.yaml");
    shell_gnuplot();
    return 0;
}


static int teardown(void **state)
{
    (void)state;
    return shell_end();
}


// The ball leaves the floor with e g fall: its last height is known up to the first order in h.
static void test_numbers(void **state)
{
    (void)state;
    long size;
    shell_expect(
        "rico sweep ball.yaml --over height=0.5,1 --over e=0:1:3 --set time.step=1e-4 --set time.end=0.6 "
        "--measure z:last --measure events.t:first --no-figure --output numbers",
        0, "");
    char *csv = shell_load("numbers/sweep.csv", &size), *row = strchr(csv, '\n') + 1;
    assert_int_equal(strncmp(csv, "height,e,z:last,events.t:first,outcome,note\n", 43), 0);
    for (int i = 0; i < 6; i++) {
        double height, e, z, impact, expected[] = {0.0, 0.5, 1.0};
        assert_int_equal(sscanf(row, "%lf,%lf,%lf,%lf,done,", &height, &e, &z, &impact), 4);
        assert_near(height, i < 3 ? 0.5 : 1.0, 0.0); // in order, the last parameter first
        assert_near(e, expected[i % 3], 0.0);
        double fall = sqrt(2.0 * height / 10.0), since = 0.6 - fall;
        assert_near(impact, fall, 3e-4);
        double arc = e * 10.0 * fall * since - 5.0 * since * since;
        if (arc > 0.0) assert_near(z, arc, 2e-2 * (0.1 + arc));
        row = strchr(row, '\n') + 1;
    }
    assert_int_equal(*row, '\0');
    free(csv);

    // one cell against a run of its own
    double alone, swept;
    shell_expect(
        "rico run ball.yaml --set height=1 --set e=0.5 --set time.step=1e-4 --set time.end=0.6 --output a.h5 "
        "--quiet && rico export a.h5 --table state --column q | tail -1 > last.txt && grep '^1,0.5,' "
        "numbers/sweep.csv | cut -d, -f3 > cell.txt",
        0, "");
    char *last = shell_load("last.txt", &size), *cell = shell_load("cell.txt", &size);
    assert_int_equal(sscanf(last, "%lf", &alone) + sscanf(cell, "%lf", &swept), 2);
    assert_true(alone == swept);
    free(last);
    free(cell);
}


static void test_failures(void **state)
{
    (void)state;
    long size;
    shell_expect("rico sweep ball.yaml --over e=0.5,-1,1 --no-figure --output failures", 1,
                 "rico sweep: 1 of 3 runs did not come to their end");
    char *csv = shell_load("failures/sweep.csv", &size);
    assert_non_null(strstr(csv, "\n-1,,failed,"));
    assert_non_null(strstr(csv, "restitution"));
    assert_non_null(strstr(csv, "\n1,"));
    free(csv);
    // days of steps: whatever the machine does besides, the limit comes first
    shell_expect("rico sweep ball.yaml --over time.step=1e-8 --time-limit 0.3 --no-figure --output late", 1,
                 "rico sweep: 1 of 1 runs did not");
    csv = shell_load("late/sweep.csv", &size);
    assert_non_null(strstr(csv, "\n1e-8,,timeout,"));
    free(csv);
    assert_int_equal(shell_run("ls failures late | grep -q '[.]h5'", NULL, 0), 1); // nothing left behind
}


// Killed in the middle: rows are there; the second time runs the others, and the table is that of one go.
static void test_kill(void **state)
{
    (void)state;
    long size;
    static const char SWEEP[] = "rico sweep ball.yaml --over e=0:1:40 --set time.step=5e-5 --measure z:last "
                                "--no-figure --jobs 2 --output";
    char line[1024], out[64];
    snprintf(line, sizeof line, "%s whole", SWEEP);
    shell_expect(line, 0, "");
    // the shell's own words about the killed process are none of ours
    snprintf(line, sizeof line,
             "'%s'%s cut & process=$!; while [ \"$(wc -l < cut/sweep.csv 2>/dev/null || echo 0)\" -lt 4 ]; "
             "do sleep "
             "0.01; done; kill -9 $process; wait $process; true",
             program_path(), SWEEP + strlen("rico"));
    assert_int_equal(shell_run(line, NULL, 0), 0);
    snprintf(line, sizeof line, "%s cut", SWEEP);
    shell_expect(line, 0, "");
    char *said = shell_load("out.txt", &size);
    int now = 0, before = 0;
    assert_int_equal(sscanf(said, "%d runs now, %d before", &now, &before), 2);
    assert_true(before >= 3);
    assert_int_equal(now + before, 40);
    free(said);
    assert_int_equal(shell_run("cmp whole/sweep.csv cut/sweep.csv", NULL, 0), 0);
    // and a third time there is nothing to do
    shell_expect(line, 0, "");
    said = shell_load("out.txt", &size);
    snprintf(out, sizeof out, "0 runs now, 40 before: 40 done");
    assert_non_null(strstr(said, out));
    free(said);
}


// Few values of the second parameter make curves, many a map; both show the numbers of the table.
static void test_figures(void **state)
{
    (void)state;
    long size;
    shell_expect(
        "PATH=$PWD/bin:$PATH rico sweep ball.yaml --over g=5:15:3 --over e=0,1 --measure z:last --output few",
        0, "");
    char *script = shell_load("script.txt", &size), *csv = shell_load("few/sweep.csv", &size);
    for (int curve = 0; curve < 2; curve++) {
        char head[32];
        snprintf(head, sizeof head, "$d0_%d << EOD\n", curve);
        const char *drawn = strstr(script, head), *row = strchr(csv, '\n') + 1;
        assert_non_null(drawn);
        drawn += strlen(head);
        for (int i = 0; i < 6; i++, row = strchr(row, '\n') + 1) {
            double g, e, z, x, y;
            assert_int_equal(sscanf(row, "%lf,%lf,%lf,done", &g, &e, &z), 3);
            if (i % 2 != curve) continue;
            assert_int_equal(sscanf(drawn, "%lf %lf", &x, &y), 2);
            assert_near(x, g, 1e-8);
            assert_near(y, z, 1e-8 * fabs(z));
            drawn = strchr(drawn, '\n') + 1;
        }
    }
    assert_non_null(strstr(script, "'e = 1'"));
    free(script);
    free(csv);

    shell_expect(
        "PATH=$PWD/bin:$PATH rico sweep ball.yaml --over g=log:5:20:3 --over e=0:1:9 --measure z:last "
        "--output many",
        0, "");
    script = shell_load("script.txt", &size);
    csv = shell_load("many/sweep.csv", &size);
    const char *drawn = strstr(script, "$m0 << EOD\n"), *row = strchr(csv, '\n') + 1;
    assert_non_null(drawn);
    drawn += strlen("$m0 << EOD\n");
    for (int i = 0; i < 27; i++) {
        double g, e, z, cell[7];
        assert_int_equal(sscanf(row, "%lf,%lf,%lf,done", &g, &e, &z), 3);
        assert_int_equal(sscanf(drawn, "%lf %lf %lf %lf %lf %lf %lf", &cell[0], &cell[1], &cell[2], &cell[3],
                                &cell[4], &cell[5], &cell[6]),
                         7);
        assert_near(cell[0], g, 1e-8);
        assert_near(cell[1], e, 1e-8);
        assert_near(cell[2] * cell[3], g * g, 1e-6 * g * g); // edges by even factors, and by even differences
        assert_near(cell[4] + cell[5], 2.0 * e, 1e-7);
        assert_near(cell[6], z, 1e-8 * fabs(z));
        row = strchr(row, '\n') + 1;
        drawn = strchr(drawn, '\n') + 1;
    }
    free(script);
    free(csv);
    if (system("gnuplot --version >/dev/null 2>&1") == 0) {
        shell_expect(
            "rm many/sweep.svg; rico sweep ball.yaml --over g=log:5:20:3 --over e=0:1:9 --measure z:last "
            "--output many && grep -q '</svg>' many/sweep.svg",
            0, "");
    }
}


static void test_refusals(void **state)
{
    (void)state;
    shell_expect("rico sweep ball.yaml", 2, "'--over' is needed");
    shell_expect("rico sweep --over e=0:1:3", 2, "one SCENE is needed");
    shell_expect("rico sweep ball.yaml --over e", 2, "needs name=a:b:n or name=a,b,c");
    shell_expect("rico sweep ball.yaml --over e=0:1", 2, "needs name=a:b:n or name=a,b,c");
    shell_expect("rico sweep ball.yaml --over e=0:1:1", 2, "needs from 2 to");
    shell_expect("rico sweep ball.yaml --over e=log:0:1:3", 2, "positive ends");
    shell_expect("rico sweep ball.yaml --over e=0,1 --over e=1,2", 2, "twice");
    shell_expect("rico sweep ball.yaml --over ee=0,1", 2, "did you mean 'e'?");
    shell_expect("rico sweep ball.yaml --over e=0,1 --measure z:lats", 2, "did you mean 'last'?");
    shell_expect("rico sweep ball.yaml --over e=0,1 --measure z", 2, "COLUMN:TAKE");
    // a folder that holds something else is left alone
    shell_expect("rico sweep ball.yaml --over e=0,1 --no-figure --output own", 0, "");
    shell_expect("rico sweep ball.yaml --over g=9,10 --no-figure --output own", 2, "choose another --output");
    shell_expect("rico sweep ball.yaml --over e=0,0.5 --no-figure --output own", 2,
                 "choose another --output");
    shell_expect("rico sweep ball.yaml --over e=0,1 --set g=9 --no-figure --output own", 2,
                 "choose another --output");
    shell_expect("rico sweep ball.yaml --over e=0,0.5,1 --no-figure --output own", 0,
                 ""); // a larger grid goes on
}


// Measures may be formulas of columns: their table is written, and found again by the next call.
static void test_formula_measures(void **state)
{
    (void)state;
    static const char LINE[] =
        "rico sweep drop.yaml --over g=1,2 --measure 'y + g*t^2/2:last' --measure 'max(y, "
        "0):first' --no-figure --quiet --output formulas";
    shell_write("drop.yaml",
                "parameters: {g: 1}\nparts: {body: {coordinates: [y], mass: 1, force: -g}}\n"
                "initial: {position: {y: 3}}\ntime: {end: 1, step: 0.1}\n",
                0644);
    for (int again = 0; again < 2; again++) {
        shell_expect(LINE, 0, "");
        long size;
        char *table = shell_load("formulas/sweep.csv", &size);
        int g;
        double fallen, start;
        const char *row = strchr(table, '\n') + 1;
        for (int i = 0; i < 2; i++, row = strchr(row, '\n') + 1) {
            assert_int_equal(sscanf(row, "%d,%lf,%lf,done", &g, &fallen, &start), 3);
            assert_near(fallen, 3.0, 1e-12); // y = 3 - g t^2/2
            assert_near(start, 3.0, 0.0);
        }
        free(table);
    }
}


int main(void)
{
    if (program_path() == NULL) return PROGRAM_SKIP;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),  cmocka_unit_test(test_failures),
        cmocka_unit_test(test_kill),     cmocka_unit_test(test_figures),
        cmocka_unit_test(test_refusals), cmocka_unit_test(test_formula_measures)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
