// rico ring: what it prints, writes and refuses.

#include "program.h"

static char folder[] = "/tmp/rico-orbit-XXXXXX";


static void expect(const char *line, int code, const char *out, const char *err)
{
    outcome got = program_line(TO_FILE, folder, line);
    if (got.code != code || !strstr(got.out, out) || !strstr(got.err, err))
        fail_msg("%s: code %d\n%s\n%s", line, got.code, got.out, got.err);
    release(&got);
}


static void test_orbit(void **state)
{
    (void)state;
    expect("ring --at-start 50", 0, "50  0             0.6467128922", "");
    expect("ring --at-start 50", 0, "verdict       stable", "");
    expect("ring --at-start 50 --at-half 49", 0, "verdict       unstable", "");
    expect("ring --particles 6 --coupling 0 --at-start 0:4:2 --at-half 1,3:5:2", 0,
           "5  T/2                      1", "");
    expect("ring --coupling 0.25 --at-start 50", 1,
           "no orbit: a particle that never strikes touches the wall", "");
    expect("ring --period 7 --at-start 50", 1, "no orbit: an impact has lost its speed (particle 50)", "");
}


static void test_branch(void **state)
{
    (void)state;
    expect("ring --particles 20 --coupling 0 --at-start 10 --continue coupling --to 0.3 --step 0.02", 0,
           "ends at coupling 0.194444444", "");
    expect("ring --particles 20 --coupling 0 --at-start 10 --continue coupling --to 0.1 --step 0.02", 0,
           "followed to coupling 0.1\n", "");
}


static void test_files(void **state)
{
    (void)state;
    expect("ring --particles 8 --at-start 3 --csv %s/orbit.csv", 0, "stable", "");
    char path[256], line[512];
    snprintf(path, sizeof path, "%s/orbit.csv", folder);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line, "time,y0,y1,y2,y3,y4,y5,y6,y7,multiplier_real,multiplier_imag\r\n");
    assert_non_null(fgets(line, sizeof line, file));
    double t, y[4];
    assert_int_equal(sscanf(line, "%lf,%lf,%lf,%lf,%lf", &t, y, y + 1, y + 2, y + 3), 5);
    assert_true(t == 0.0);
    assert_near(y[3], -1.0, 1e-14);
    fclose(file);

    expect("ring --particles 8 --at-start 3 --continue period --to 4.5 --csv %s/branch.csv", 0,
           "followed to period 4.5", "");
    snprintf(path, sizeof path, "%s/branch.csv", folder);
    file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_non_null(strstr(line, "coupling,period,striking,slowest_impact,"));
    fclose(file);
    if (system("gnuplot --version > /dev/null 2>&1") != 0) return;
    expect("ring --particles 8 --at-start 3 --output %s/orbit.svg", 0, "stable", "");
    expect("ring --particles 8 --coupling 0.3 --at-start 3 --output %s/none.svg", 1, "no orbit", "");
    expect("ring --particles 8 --at-start 3 --continue period --to 4.5 --output %s/branch.svg", 0, "", "");
    static const char *const drawn[] = {"orbit.svg", "none.svg", "branch.svg"};
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, drawn[i]);
        assert_int_equal(access(path, R_OK), 0);
    }
}


// Any number of impacts: between two walls a particle strikes with cot(T/4); two of one and one of the other; and where it ends.
static void test_strikes(void **state)
{
    (void)state;
    expect("ring --particles 1 --coupling 0 --period 4 --upper 1 --strikes 0@0,0^0.5", 0, "0.6420926159", "");
    expect("ring --particles 2 --coupling 0.5 --period 5.05 --strikes 1@0,0@0.23,0@0.77 --csv "
           "%s/strikes.csv",
           0, "verdict       unstable", "");
    expect("ring --particles 2 --coupling 0.2 --period 4 --strikes 1@0,0@0.5 --continue period --to 6", 0,
           "ends at period 4.68320", "");
    expect("ring --particles 2 --coupling 0.2 --period 7 --strikes 0@0", 1, "verdict       no orbit", "");
    expect("ring --strikes 0@0,1@", 2, "", "'1@' is no impact");
    expect("ring --strikes 0@0;1@0", 2, "", "is no list of impacts");
    expect("ring --strikes 0@0 --at-start 1", 2, "", "do not go with it");
    expect("ring --at-start 1 --upper 1", 2, "", "an upper wall needs --strikes");
    expect("ring --strikes 200@0", 2, "", "particle 200; there are 0 to 99");
}


// Intervals end at the linear periods 2 pi/sqrt(5) and T_7, T_6 of thirty particles.
static void test_intervals(void **state)
{
    (void)state;
    const char *line = "ring --particles 30 --coupling 1 --at-start 15 --intervals period=2:4.2 --step 0.015 "
                       "--csv %s/intervals.csv";
    expect(line, 0, "3 intervals of the period", "");
    expect(line, 0, "2.809925892", "");
    expect(line, 0, "the amplitude diverges", "");
    expect("ring --particles 8 --at-start 3 --map 0:0.2:3 --periods 3:6.2 --csv %s/map.csv", 0,
           "at 3 couplings from 0 to 0.2", "");
    expect("ring --at-start 3 --intervals speed=1:2", 2, "", "period=2:6.28 or coupling=0:1 is needed");
    expect("ring --at-start 3 --intervals period=2", 2, "", "a range is needed");
    expect("ring --at-start 3 --map 0:1 --periods 2:6", 2, "", "a range is needed");
    expect("ring --at-start 3 --map 0:1:2", 2, "", "--map and --periods go together");
    expect("ring --at-start 3 --intervals period=2:3 --continue period --to 3", 2, "", "ask one");
    expect("ring --at-start 3 --intervals period=2:3 --output a.svg", 2, "", "intervals are a table");
}


static void test_refusals(void **state)
{
    (void)state;
    expect("ring chain --at-start 1", 2, "", "got 'chain'");
    expect("ring", 2, "", "who strikes?");
    expect("ring --at-start x", 2, "", "--at-start 'x'");
    expect("ring --at-start 5x", 2, "", "'x' is no list");
    expect("ring --at-half 100", 2, "", "particles are 0 to 99");
    expect("ring --at-half 7:5", 2, "", "rising ranges");
    expect("ring --at-half -1", 2, "", "particles are 0 to 99");
    expect("ring --at-half 1:5:0", 2, "", "rising ranges");
    expect("ring --at-half 3,", 2, "", "a list of particles is needed");
    expect("ring --at-half 3 --at-start 1:5", 2, "", "particle 3 cannot strike both");
    expect("ring --at-start 3 --continue period", 2, "", "needs --to");
    expect("ring --at-start 3 --to 3", 2, "", "--to needs --continue");
    expect("ring --at-start 3 --output %s/orbit.txt", 2, "", "orbit.txt");
}


static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL;
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orbit),   cmocka_unit_test(test_branch),    cmocka_unit_test(test_files),
        cmocka_unit_test(test_strikes), cmocka_unit_test(test_intervals), cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
