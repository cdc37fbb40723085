// rico orbit: what it prints, writes and refuses.

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
    expect("orbit ring --at-start 50", 0, "50  0             0.6467128922", "");
    expect("orbit ring --at-start 50", 0, "verdict       stable", "");
    expect("orbit ring --at-start 50 --at-half 49", 0, "verdict       unstable", "");
    expect("orbit ring --particles 6 --coupling 0 --at-start 0:4:2 --at-half 1,3:5:2", 0,
           "5  T/2                      1", "");
    expect("orbit ring --coupling 0.25 --at-start 50", 1,
           "no orbit: a particle that never strikes touches the wall", "");
    expect("orbit ring --period 7 --at-start 50", 1, "no orbit: an impact has lost its speed (particle 50)",
           "");
}


static void test_branch(void **state)
{
    (void)state;
    expect("orbit ring --particles 20 --coupling 0 --at-start 10 --continue coupling --to 0.3 --step 0.02", 0,
           "ends at coupling 0.194444444", "");
    expect("orbit ring --particles 20 --coupling 0 --at-start 10 --continue coupling --to 0.1 --step 0.02", 0,
           "followed to coupling 0.1\n", "");
}


static void test_files(void **state)
{
    (void)state;
    expect("orbit ring --particles 8 --at-start 3 --csv %s/orbit.csv", 0, "stable", "");
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

    expect("orbit ring --particles 8 --at-start 3 --continue period --to 4.5 --csv %s/branch.csv", 0,
           "followed to period 4.5", "");
    snprintf(path, sizeof path, "%s/branch.csv", folder);
    file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_non_null(strstr(line, "coupling,period,striking,slowest_impact,"));
    fclose(file);
    if (system("gnuplot --version > /dev/null 2>&1") != 0) return;
    expect("orbit ring --particles 8 --at-start 3 --output %s/orbit.svg", 0, "stable", "");
    expect("orbit ring --particles 8 --coupling 0.3 --at-start 3 --output %s/none.svg", 1, "no orbit", "");
    expect("orbit ring --particles 8 --at-start 3 --continue period --to 4.5 --output %s/branch.svg", 0, "",
           "");
    static const char *const drawn[] = {"orbit.svg", "none.svg", "branch.svg"};
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, drawn[i]);
        assert_int_equal(access(path, R_OK), 0);
    }
}


static void test_refusals(void **state)
{
    (void)state;
    expect("orbit", 2, "", "one system is needed");
    expect("orbit chain --at-start 1", 2, "", "got 'chain'");
    expect("orbit ring", 2, "", "who strikes?");
    expect("orbit ring --at-start x", 2, "", "--at-start 'x'");
    expect("orbit ring --at-start 5x", 2, "", "'x' is no list");
    expect("orbit ring --at-half 100", 2, "", "particles are 0 to 99");
    expect("orbit ring --at-half 7:5", 2, "", "rising ranges");
    expect("orbit ring --at-half -1", 2, "", "particles are 0 to 99");
    expect("orbit ring --at-half 1:5:0", 2, "", "rising ranges");
    expect("orbit ring --at-half 3,", 2, "", "a list of particles is needed");
    expect("orbit ring --at-half 3 --at-start 1:5", 2, "", "particle 3 cannot strike both");
    expect("orbit ring --at-start 3 --continue period", 2, "", "needs --to");
    expect("orbit ring --at-start 3 --to 3", 2, "", "--to needs --continue");
    expect("orbit ring --at-start 3 --output %s/orbit.txt", 2, "", "orbit.txt");
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
        cmocka_unit_test(test_orbit),
        cmocka_unit_test(test_branch),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
