// rico plot: the numbers that gnuplot is given are those of the file; what cannot be drawn is refused in words.

#include "shell.h"

// A scene that needs no other, run once into a.h5 and, with more friction, into b.h5.
static const char SCENE[] = "title: A sliding block\n"
                            "parameters: {mu: 0.1}\n"
                            "parts:\n"
                            "  block: {coordinates: [x, y], mass: [2, 2], force: [0, -20]}\n"
                            "contacts:\n"
                            "  floor: {gap: y, tangent: x, restitution: 0.5, friction: mu}\n"
                            "initial: {position: {x: 0, y: 0.01}, velocity: {x: 1, y: 0}}\n"
                            "time: {end: 0.2, step: 1e-3}\n"
                            "scheme: moreau-jean\n";


static int setup(void **state)
{
    (void)state;
    if (!shell_begin()) return 1;
    shell_write("block.yaml", SCENE, 0644);
    shell_gnuplot();
    return shell_run("rico run block.yaml --output a.h5 && rico run block.yaml --set mu=0.4 --output b.h5",
                     NULL, 0);
}


static int teardown(void **state)
{
    (void)state;
    return shell_end();
}


// Every row of `$dP_S << EOD` against two columns of a CSV file.
static int compare_block(const char *script, const char *name, const char *csv)
{
    char head[64];
    snprintf(head, sizeof head, "$%s << EOD\n", name);
    const char *drawn = strstr(script, head);
    assert_non_null(drawn);
    drawn += strlen(head);
    const char *row = strchr(csv, '\n') + 1;
    int rows = 0;
    while (strncmp(drawn, "EOD", 3) != 0) {
        double x, y, csv_x, csv_y;
        assert_int_equal(sscanf(drawn, "%lf %lf", &x, &y), 2);
        assert_int_equal(sscanf(row, "%lf,%lf", &csv_x, &csv_y), 2);
        assert_near(x, csv_x, 1e-8 * (fabs(csv_x) + 1e-300));
        assert_near(y, csv_y, 1e-8 * (fabs(csv_y) + 1e-300));
        drawn = strchr(drawn, '\n') + 1;
        row = strchr(row, '\n') + 1;
        rows++;
    }
    assert_int_equal(*row, '\0'); // all of them
    return rows;
}


static void test_numbers(void **state)
{
    (void)state;
    long size;
    assert_int_equal(
        shell_run("PATH=$PWD/bin:$PATH rico plot a.h5 b.h5 --panel 'friction vs normal: total.tangential "
                  "vs total.normal' --style points --labels little,more --output numbers.svg",
                  NULL, 0),
        0);
    char *script = shell_load("script.txt", &size);
    const char *files[] = {"a", "b"};
    for (int i = 0; i < 2; i++) {
        char line[256], block[8];
        snprintf(line, sizeof line,
                 "rico export %s.h5 --table total --column normal --column tangential --output t.csv",
                 files[i]);
        assert_int_equal(shell_run(line, NULL, 0), 0);
        char *csv = shell_load("t.csv", &size);
        snprintf(block, sizeof block, "d0_%d", i);
        assert_int_equal(compare_block(script, block, csv), 201);
        free(csv);
    }
    assert_non_null(strstr(script, "'friction vs normal'"));
    assert_non_null(strstr(script, "'little'"));
    assert_non_null(strstr(script, "'more'"));
    free(script);
}


// Of a long curve some points are drawn: the line through them stays within a few thousandths of its height.
static void test_thinning(void **state)
{
    (void)state;
    long size;
    assert_int_equal(shell_run("rico run block.yaml --set time.step=1e-5 --output long.h5 --quiet && "
                               "rico export long.h5 --table state --column t --column q --output long.csv && "
                               "PATH=$PWD/bin:$PATH rico plot long.h5 --y y --output long.svg",
                               NULL, 0),
                     0);
    char *script = shell_load("script.txt", &size), *csv = shell_load("long.csv", &size);
    const char *drawn = strstr(script, "$d0_0 << EOD\n") + strlen("$d0_0 << EOD\n"),
               *row = strchr(csv, '\n') + 1;
    double left_t, left_y, right_t, right_y, t, y, worst = 0.0, highest = 0.0;
    int points = 1, rows = 0;
    assert_int_equal(sscanf(drawn, "%lf %lf", &left_t, &left_y), 2);
    right_t = left_t;
    right_y = left_y;
    for (; *row; row = strchr(row, '\n') + 1, rows++) {
        assert_int_equal(sscanf(row, "%lf,%*[^,],%lf", &t, &y), 2);
        while (right_t < t - 1e-9) {
            left_t = right_t;
            left_y = right_y;
            drawn = strchr(drawn, '\n') + 1;
            assert_int_equal(sscanf(drawn, "%lf %lf", &right_t, &right_y), 2);
            points++;
        }
        double part = right_t > left_t ? (t - left_t) / (right_t - left_t) : 1.0;
        worst = fmax(worst, fabs((1.0 - part) * left_y + part * right_y - y));
        highest = fmax(highest, y);
    }
    assert_int_equal(rows, 20001);
    assert_true(points < 1000);
    assert_at_most(worst, 4e-3 * highest);
    free(script);
    free(csv);
}


static void test_window(void **state)
{
    (void)state;
    long size;
    assert_int_equal(shell_run("PATH=$PWD/bin:$PATH rico plot a.h5 --y x --style points --from 0.0995 --to "
                               "0.1505 --output w.png",
                               NULL, 0),
                     0);
    char *script = shell_load("script.txt", &size), *at = strstr(script, "$d0_0 << EOD\n");
    double first;
    assert_non_null(at);
    assert_int_equal(sscanf(at, "$d0_0 << EOD %lf", &first), 1);
    assert_near(first, 0.1, 1e-9);
    int rows = -1;
    for (; strncmp(at, "EOD", 3) != 0; at = strchr(at, '\n') + 1) rows++;
    assert_int_equal(rows, 51);
    free(script);
}


// Energies, works, gaps and impulses of the default figure: what is there, and nothing that stays zero.
static void test_default(void **state)
{
    (void)state;
    long size;
    assert_int_equal(shell_run("PATH=$PWD/bin:$PATH rico plot a.h5", NULL, 0), 0);
    assert_int_equal(shell_run("test -e a.svg", NULL, 0), 0);
    char *script = shell_load("script.txt", &size);
    const char *there[] = {"positions",  "velocities", "energies",       "works since the start",
                           "gaps",       "impulses",   "'v_{x}'",        "'loads'",
                           "'friction'", "'floor.t1'", "A sliding block"};
    for (size_t i = 0; i < sizeof there / sizeof *there; i++)
        if (!strstr(script, there[i])) fail_msg("no %s in the script", there[i]);
    assert_null(strstr(script, "'damping'"));
    assert_null(strstr(script, "'joints'"));
    free(script);
}


static char *script_of(const char *line)
{
    long size;
    char command[512];
    snprintf(command, sizeof command, "PATH=$PWD/bin:$PATH %s", line);
    assert_int_equal(shell_run(command, NULL, 0), 0);
    return shell_load("script.txt", &size);
}


// Formulas of columns, with the parameters of each run: the numbers are those of a CSV file, reckoned here.
static void test_formulas(void **state)
{
    (void)state;
    const double mu[] = {0.1, 0.4};
    char *script = script_of("rico plot a.h5 b.h5 --x 't + 1' --y 'max(x, 0) - 2*mu*t + total.normal' "
                             "--style points --output f.svg");
    assert_non_null(strstr(script, "set xlabel 't + 1'"));
    for (int i = 0; i < 2; i++) {
        char line[256], head[32];
        long size;
        snprintf(line, sizeof line,
                 "rico export %c.h5 --table state --column t --column q --output q.csv && "
                 "rico export %c.h5 --table total --column normal --output n.csv",
                 'a' + i, 'a' + i);
        assert_int_equal(shell_run(line, NULL, 0), 0);
        char *q = shell_load("q.csv", &size), *n = shell_load("n.csv", &size);
        snprintf(head, sizeof head, "$d0_%d << EOD\n", i);
        const char *drawn = strstr(script, head) + strlen(head), *row = strchr(q, '\n') + 1,
                   *work = strchr(n, '\n') + 1;
        int rows = 0;
        for (; strncmp(drawn, "EOD", 3) != 0; drawn = strchr(drawn, '\n') + 1, rows++) {
            double x, y, t, position, normal;
            assert_int_equal(sscanf(drawn, "%lf %lf", &x, &y), 2);
            assert_int_equal(sscanf(row, "%lf,%lf", &t, &position), 2);
            assert_int_equal(sscanf(work, "%lf", &normal), 1);
            assert_near(x, t + 1.0, 1e-8);
            assert_near(y, fmax(position, 0.0) - 2.0 * mu[i] * t + normal, 1e-8);
            row = strchr(row, '\n') + 1;
            work = strchr(work, '\n') + 1;
        }
        assert_int_equal(rows, 201);
        assert_int_equal(*row, '\0');
        free(q);
        free(n);
    }
    free(script);
}


// A ball dropped from rest has v = -g t until it strikes: the curve goes there, and up again at the same instant.
static void test_jumps(void **state)
{
    (void)state;
    assert_int_equal(shell_run("rico run block.yaml --set 'initial.position.y=0.2' --set time.end=0.4 --set "
                               "time.step=0.01 --output drop.h5 --quiet",
                               NULL, 0),
                     0);
    char *script = script_of("rico plot drop.h5 --y v_y --output drop.svg");
    const char *at = strstr(script, "$d0_0 << EOD\n") + strlen("$d0_0 << EOD\n");
    double t, v, last_t = -1.0, last_v = 0.0;
    bool jumped = false;
    for (; strncmp(at, "EOD", 3) != 0 && !jumped; at = strchr(at, '\n') + 1) {
        assert_int_equal(sscanf(at, "%lf %lf", &t, &v), 2);
        if (v > 0.0) {
            assert_near(t, last_t, 1e-12); // no slant
            jumped = true;
        } else {
            assert_near(v, -10.0 * t, 1e-7);
        }
        last_t = t;
        last_v = v;
    }
    assert_true(jumped && last_v > 0.0);
    free(script);
    script =
        script_of("rico plot drop.h5 --y v_y --style points --output drop.svg"); // the rows and nothing else
    int rows = 0;
    for (at = strstr(script, "$d0_0 << EOD\n"); strncmp(at, "EOD", 3) != 0; at = strchr(at, '\n') + 1) rows++;
    assert_int_equal(rows - 1, 41);
    free(script);
}


// Each piece of text stands in the script of that command.
static void expect_script(const char *line, const char *const *pieces)
{
    char *script = script_of(line);
    for (; *pieces; pieces++)
        if (!strstr(script, *pieces)) fail_msg("%s: no %s in the script", line, *pieces);
    free(script);
}


static void test_looks(void **state)
{
    (void)state;
    // 88 mm over 25.4 are 3.46457 inches; gnuplot's pdfcairo takes 6 for 8 points
    expect_script("rico plot a.h5 --y y --output a.pdf",
                  (const char *[]){"size 3.46457in", "font 'Helvetica,6'", NULL});
    expect_script("rico plot a.h5 --y y --width 127 --height 76.2 --font 'Liberation Serif' --font-size 10 "
                  "--output a.pdf",
                  (const char *[]){"size 5in,3in", "font 'Liberation Serif,7.5'", NULL});
    expect_script("rico plot a.h5 --y y --x-label 'time in s' --y-label 'height' --x-range 0:0.5 "
                  "--y-range=-1:2 --output a.svg",
                  (const char *[]){"set xlabel 'time in s'", "set ylabel 'height'", "set xrange [0:0.5]",
                                   "set yrange [-1:2]", NULL});
    expect_script("rico plot a.h5 --y v_x --unit t=s,v_x=m/s --output a.svg",
                  (const char *[]){"set xlabel 't (s)'", "set ylabel 'v_{x} (m/s)'", NULL});
    expect_script("rico plot a.h5 --y x,y --unit x=m --unit y=m --output a.svg",
                  (const char *[]){"set ylabel 'm'", NULL});
    expect_script("rico plot drop.h5 --y impulse:floor --output a.svg",
                  (const char *[]){"with impulses", NULL});
    expect_script("rico plot a.h5 --y x --style stems --output a.svg",
                  (const char *[]){"with impulses", NULL});
    expect_script("rico plot a.h5 --y x,y,t,v_x,v_y,kinetic,energy,normal,residual --output a.svg",
                  (const char *[]){"$d0_7 using 1:2 with lines lw 1.6 lc rgb '#f0e442' dt 1",
                                   "$d0_8 using 1:2 with lines lw 1.6 lc rgb '#0072b2' dt (7,4)", NULL});
}


// Many runs in one diagram: a parameter of each along x, over events or over rows, all of one colour.
static void test_merge(void **state)
{
    (void)state;
    char *script =
        script_of("rico plot a.h5 b.h5 --merge --x mu --y events.impulse --style points --output m.svg");
    const double mu[] = {0.1, 0.4};
    for (int i = 0; i < 2; i++) {
        char head[32];
        snprintf(head, sizeof head, "$d0_%d << EOD\n", i);
        const char *at = strstr(script, head) + strlen(head);
        int rows = 0;
        for (; strncmp(at, "EOD", 3) != 0; at = strchr(at, '\n') + 1, rows++) {
            double x, y;
            assert_int_equal(sscanf(at, "%lf %lf", &x, &y), 2);
            assert_near(x, mu[i], 1e-12);
        }
        assert_true(rows > 0);
        snprintf(head, sizeof head, "$d0_%d using 1:2", i);
        const char *drawn = strstr(script, head);
        assert_non_null(drawn);
        assert_ptr_equal(strstr(drawn, "#0072b2"), strchr(drawn, '#'));
    }
    free(script);
}


// The bars of tests/trust: marks of the axes in thousandths, none of them on another.
static void test_crowded_marks(void **state)
{
    (void)state;
    shell_scene("tests/trust/16-bars-tick-labels.yaml");
    assert_int_equal(
        shell_run("rico run 16-bars-tick-labels.yaml --set n=20 --set 'contacts.c.gap=gap0 + b[0] - "
                  "a[20]' --set time.step=1e-5 --output bars.h5 --quiet",
                  NULL, 0),
        0);
    char *script = script_of("rico plot bars.h5 --output bars.svg");
    int axes = 0;
    for (const char *at = script; (at = strstr(at, "set xtics nomirror out scale 0.6 (")); at++, axes++) {
        const char *end = strchr(at, '\n');
        double characters = 0.0;
        for (const char *c = at + strlen("set xtics nomirror out scale 0.6 ("); c < end; c++)
            if (*c == '\'') {
                const char *close = strchr(c + 1, '\'');
                characters += (double)(close - c - 1) + 1.0; // and a blank
                c = close;
            }
        // 330 pixels, letters of 13: digits are about 0.6 of that wide
        if (characters * 0.6 * 13.0 > 330.0) fail_msg("%.*s", (int)(end - at), at);
    }
    assert_int_equal(axes, 6);
    assert_non_null(strstr(script, "'\u00d710^{\u22123}'"));
    free(script);
}


static void test_pictures(void **state)
{
    (void)state;
    if (system("gnuplot --version >/dev/null 2>&1") != 0) skip();
    long size;
    assert_int_equal(
        shell_run("rico plot a.h5 b.h5 --output all.png && rico plot a.h5 --y x,y --output few.svg && "
                  "rico plot a.h5 --y energy --log y --style steps --output energy.pdf",
                  NULL, 0),
        0);
    char *png = shell_load("all.png", &size);
    assert_memory_equal(png, "\x89PNG\r\n\x1a\n", 8);
    assert_memory_equal(png + size - 8, "IEND\xae\x42\x60\x82", 8);
    free(png);
    char *svg = shell_load("few.svg", &size);
    assert_non_null(strstr(svg, "</svg>"));
    free(svg);
    char *pdf = shell_load("energy.pdf", &size);
    assert_memory_equal(pdf, "%PDF-", 5);
    free(pdf);
}


static void test_refusals(void **state)
{
    (void)state;
    shell_expect("rico plot", 2, "a result FILE is needed");
    shell_expect("rico plot a.h5 --y vv_x", 2, "a.h5: there is no column 'vv_x'; did you mean 'v_x'?");
    shell_expect("rico plot a.h5 --y totl.normal", 2, "did you mean 'total.normal'?");
    shell_expect("rico plot a.h5 --y gap:flor", 2, "did you mean 'gap:floor'?");
    shell_expect("rico plot a.h5 --y x --x events.t", 2, "cannot be drawn over one another");
    shell_expect("rico plot a.h5 --y x,,y", 2, "the name of a column to draw is empty");
    shell_expect("rico plot a.h5 --panel 'x vs '", 2, "the column behind 'vs' is empty");
    shell_expect("rico plot a.h5 b.h5 --y x --labels one", 2, "1 texts for 2 files");
    shell_expect("rico plot a.h5 --y x --output a.bmp", 2, ".svg, .png or .pdf");
    shell_expect("rico plot block.yaml", 2, "block.yaml");
    shell_expect("rico plot none.h5", 3, "none.h5");
    shell_expect("rico plot a.h5 --y 'x +* 2'", 2, "'x +* 2' is no column and no formula of columns");
    shell_expect("rico plot a.h5 --y 'x + ww'", 2, "there is no column 'ww'");
    shell_expect("rico plot a.h5 --y 'x + events.t'", 2, "cannot stand in one formula");
    shell_expect("rico plot a.h5 --y x --width 20", 2, "at least 4");
    shell_expect("rico plot a.h5 --y x --x-range 3:1", 2, "'--x-range' needs LOW:HIGH");
    shell_expect("rico plot a.h5 --y x --unit =m", 2, "'--unit' needs COLUMN=UNIT");
    shell_expect("rico plot a.h5 --y-label y", 2, "'--y-label' is for one panel");
    shell_expect("PATH= rico plot a.h5 --y x", 3, "gnuplot was not found");
}


int main(void)
{
    if (program_path() == NULL) return PROGRAM_SKIP;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers),  cmocka_unit_test(test_thinning),
                                       cmocka_unit_test(test_window),   cmocka_unit_test(test_default),
                                       cmocka_unit_test(test_pictures), cmocka_unit_test(test_refusals),
                                       cmocka_unit_test(test_formulas), cmocka_unit_test(test_jumps),
                                       cmocka_unit_test(test_looks),    cmocka_unit_test(test_crowded_marks),
                                       cmocka_unit_test(test_merge)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
