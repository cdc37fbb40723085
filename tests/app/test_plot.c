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
                  "vs total.normal' --labels little,more --output numbers.svg",
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
    assert_int_equal(
        shell_run("PATH=$PWD/bin:$PATH rico plot a.h5 --y x --from 0.0995 --to 0.1505 --output w.png", NULL,
                  0),
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
                           "gaps",       "impulses",   "'v\\_x'",        "'loads'",
                           "'friction'", "'floor.t1'", "A sliding block"};
    for (size_t i = 0; i < sizeof there / sizeof *there; i++)
        if (!strstr(script, there[i])) fail_msg("no %s in the script", there[i]);
    assert_null(strstr(script, "'damping'"));
    assert_null(strstr(script, "'joints'"));
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
    shell_expect("PATH= rico plot a.h5 --y x", 3, "gnuplot was not found");
}


int main(void)
{
    if (program_path() == NULL) return PROGRAM_SKIP;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers),  cmocka_unit_test(test_thinning),
                                       cmocka_unit_test(test_window),   cmocka_unit_test(test_default),
                                       cmocka_unit_test(test_pictures), cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
