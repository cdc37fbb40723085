// rico basins: what it prints, writes and refuses.

#include "program.h"

static char folder[] = "/tmp/rico-basins-XXXXXX";

static const char WELLS[] = "title: Two wells\n"
                            "parts:\n"
                            "  ball: {coordinates: [x], mass: 1, potential: \"x^4/4 - x^2/2\", force: -v_x}\n"
                            "contacts:\n"
                            "  wall: {gap: x + 2, restitution: 0.5}\n"
                            "time: {end: 100, step: 0.01}\n";


static void expect(const char *line, int code, const char *out, const char *err)
{
    outcome got = program_line(TO_FILE, folder, line);
    if (got.code != code || !strstr(got.out, out) || !strstr(got.err, err))
        fail_msg("%s: code %d\n%s\n%s", line, got.code, got.out, got.err);
    release(&got);
}


static FILE *open_file(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (!file) fail_msg("%s is not there", path);
    return file;
}


static void test_table(void **state)
{
    (void)state;
    static const char LINE[] = "basins %s/wells.yaml --x x --x-range -2.4:2 --y v_x --y-range -1:1 --cells "
                               "11 --time 1 --csv %s/cells.csv";
    expect(LINE, 0, "rest ", "");
    expect(LINE, 0, "11 cells: no motion begins there",
           ""); // the centre of one column of eleven is beyond the wall
    expect(LINE, 0, "121 cells; the cell mapping has", "");
    char line[256];
    int64_t rows = 0, none = 0, most = 0;
    FILE *file = open_file("cells.csv");
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line, "x,v_x,attractor,simulated\r\n");
    while (fgets(line, sizeof line, file)) {
        double x, v, attractor;
        assert_int_equal(sscanf(line, "%lf,%lf,%lf", &x, &v, &attractor), 3);
        rows++;
        none += attractor < 0.0;
        assert_true((attractor < 0.0) == (x < -2.0));
        if (attractor > (double)most) most = (int64_t)attractor;
    }
    fclose(file);
    assert_int_equal(rows, 121);
    assert_int_equal(none, 11);
    assert_int_equal(most, 2);
}


static void test_picture(void **state)
{
    (void)state;
    if (system("gnuplot --version > /dev/null 2>&1") != 0) skip();
    expect("basins %s/wells.yaml --x x --x-range -1:2 --y v_x --y-range -1:1 --cells 6 --time 1 --figure "
           "%s/cells.svg",
           0, "rest", "");
    expect("basins %s/wells.yaml --x x --x-range -1:2 --cells 9 --time 1 --figure %s/line.svg", 0,
           "9 cells\n", "");
    // shades of the colours of both points, 0.45 of these and 0.55 of white, and no scale of numbers between them
    char line[4096];
    bool shade[2] = {false, false};
    FILE *file = open_file("cells.svg");
    while (fgets(line, sizeof line, file)) {
        shade[0] |= strstr(line, "rgb(140, 192, 220)") != NULL;
        shade[1] |= strstr(line, "rgb(236, 183, 140)") != NULL;
        assert_null(strstr(line, "1.4</"));
    }
    fclose(file);
    assert_true(shade[0] && shade[1]);
    fclose(open_file("line.svg"));
}


static void test_refusals(void **state)
{
    (void)state;
    expect("basins", 2, "", "one SCENE is needed");
    expect("basins %s/wells.yaml", 2, "", "--x is needed");
    expect("basins %s/wells.yaml --x x --x-range 0:1", 2, "", "where nothing does, --time");
    expect("basins %s/wells.yaml --x x --time 1", 2, "", "--x-range is needed");
    expect("basins %s/wells.yaml --x x --time 1 --x-range 1:0", 2, "", "not \"1:0\"");
    expect("basins %s/wells.yaml --x x --time 1 --x-range 1", 2, "", "not \"1\"");
    expect("basins %s/wells.yaml --x x --time 1 --x-range 0:inf", 2, "", "not \"0:inf\"");
    expect("basins %s/wells.yaml --x x --time 1 --x-range 0:1 --y v_x", 2, "", "--y-range is needed");
    expect("basins %s/wells.yaml --x x --time 1 --x-range 0:1 --y-range 0:1", 2, "", "--y-range needs --y");
    expect("basins %s/wells.yaml --x x --time 1 --x-range 0:1 --y x --y-range 0:1", 2, "", "both axes are x");
    expect("basins %s/wells.yaml --x v_y --time 1 --x-range 0:1", 2, "",
           "no position or velocity \"v_y\"; did you mean \"v_x\"?");
    expect("basins %s/wells.yaml --x x --time 1 --period 2 --x-range 0:1", 2, "", "do not go together");
    expect("basins %s/wells.yaml --x x --period 2*pi/omega --x-range 0:1", 2, "", "omega");
    expect("basins %s/wells.yaml --x x --period -1 --x-range 0:1", 2, "", "must be positive, not -1");
    expect("basins %s/wells.yaml --x x --time 1 --x-range 0:1 --cells 1", 2, "", "--cells");
    expect("basins %s/wells.yaml --x x --time 1 --x-range 0:1 --figure %s/basins.txt", 2, "", "basins.txt");
    expect("basins %s/none.yaml --x x --time 1 --x-range 0:1", 3, "", "none.yaml");
}


static int make_folder(void **state)
{
    (void)state;
    char path[256];
    if (!mkdtemp(folder)) return 1;
    snprintf(path, sizeof path, "%s/wells.yaml", folder);
    FILE *file = fopen(path, "w");
    if (!file) return 1;
    fputs(WELLS, file);
    return fclose(file);
}


static int remove_folder(void **state)
{
    (void)state;
    char line[300];
    snprintf(line, sizeof line, "rm -rf '%s'", folder);
    return system(line);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_table), cmocka_unit_test(test_picture),
                                       cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
