// What a run writes beside its steps: states at given times, rows around impacts, forces, sticking and slipping, points of
// a sweep. Expected values are those of a ball under gravity, of a sliding block, and of a linear map from bounce to bounce.

#include "shell.h"

#include <math.h>

static const char BALL[] = "parameters: {e: 0.5}\n"
                           "parts: {ball: {coordinates: [z], mass: [2], force: [-20]}}\n"
                           "contacts: {floor: {gap: z, restitution: e}}\n"
                           "initial: {position: {z: 1}}\n"
                           "time: {end: 1, step: 1e-3}\n";

// On a floor that pushes with m g, slowing down at mu g: it sticks at t = v / (mu g) = 0.25.
static const char BLOCK[] = "parts: {block: {coordinates: [x, y], mass: [2, 2], force: [0, -20]}}\n"
                            "contacts: {floor: {gap: y, tangent: x, friction: 0.4}}\n"
                            "initial: {velocity: {x: 1}}\n"
                            "time: {end: 0.5, step: 1e-3}\n";


static int setup(void **state)
{
    (void)state;
    if (!shell_begin()) return 1;
    shell_write("ball.yaml", BALL, 0644);
    shell_write("block.yaml", BLOCK, 0644);
    return 0;
}


static int teardown(void **state)
{
    (void)state;
    return shell_end();
}


// The next line of numbers of a table; returns how many it has, 0 at the end.
static int next_row(const char **at, double *value, int most)
{
    int count = 0;
    if (**at == '\0') return 0;
    char *end;
    do {
        value[count++] = strtod(*at, &end);
        *at = end + (*end == ',');
    } while (*end == ',' && count < most);
    *at = strchr(end, '\n');
    *at = *at ? *at + 1 : "";
    return count;
}


static char *table(const char *file, const char *name, const char **rows)
{
    char line[256];
    long size;
    snprintf(line, sizeof line, "rico export %s --table %s", file, name);
    shell_expect(line, 0, "");
    char *text = shell_load("out.txt", &size);
    *rows = strchr(text, '\n') + 1;
    return text;
}


// Falling freely, the cubic between two steps is exact: every 1/64 s, whatever the steps are.
static void test_samples_at_exact_times(void **state)
{
    (void)state;
    shell_expect(
        "rico run ball.yaml --set output.interval=1/64 --set output.every=7 --set time.end=0.4 --set "
        "time.step=3e-3 --set scheme.theta=1/2 --quiet --output s.h5",
        0, "");
    const char *at;
    char *text = table("s.h5", "samples", &at);
    double row[3];
    int count = 0;
    for (; next_row(&at, row, 3) == 3; count++) {
        double t = (double)count / 64.0;
        assert_true(row[0] == t);
        assert_near(row[1], 1.0 - 5.0 * t * t, 1e-12);
        assert_near(row[2], -10.0 * t, 1e-12);
    }
    assert_int_equal(count, 26); // 0 to 25/64
    free(text);

    shell_expect("rico run ball.yaml --set output.times=[0,0.1,0.25] --quiet --output l.h5", 0, "");
    text = table("l.h5", "samples", &at);
    const double TIMES[] = {0.0, 0.1, 0.25};
    for (int k = 0; k < 3; k++) {
        assert_int_equal(next_row(&at, row, 3), 3);
        assert_true(row[0] == TIMES[k]);
        assert_near(row[2], -10.0 * TIMES[k], 1e-9);
    }
    assert_string_equal(at, "");
    free(text);
    shell_expect("rico run ball.yaml --set output.times=[0.2,0.1] --output bad.h5", 2, "must ascend");
}


// Few rows, and those around the impact among them: the speed before it is sqrt(2 g h), the one behind e times that.
static void test_rows_around_impacts(void **state)
{
    (void)state;
    shell_expect(
        "rico run ball.yaml --set output.every=1000 --set output.impacts=true --set time.step=1e-4 --set "
        "time.end=0.6 --quiet --output i.h5",
        0, "");
    const char *at;
    char *text = table("i.h5", "state", &at);
    double row[3], before[3] = {0}, speed = sqrt(20.0);
    int jumps = 0;
    for (int k = 0; next_row(&at, row, 3) == 3; k++) {
        if (k > 0) assert_true(row[0] > before[0]);
        if (k > 0 && before[2] < -1.0 && row[2] > 1.0) {
            jumps++;
            assert_near(row[0] - before[0], 1e-4, 1e-10);
            assert_near(before[2], -speed, 3e-3);
            assert_near(row[2], 0.5 * speed, 3e-3);
        }
        memcpy(before, row, sizeof before);
    }
    assert_int_equal(jumps, 1);
    free(text);
}


// The force of a resting contact is the weight; a block sticks once, where Coulomb says.
static void test_forces_and_sliding(void **state)
{
    (void)state;
    shell_expect("rico run block.yaml --quiet --output f.h5", 0, "");
    const char *at;
    char *text = table("f.h5", "contacts --column force", &at);
    double row[5];
    assert_int_equal(next_row(&at, row, 5), 2); // nothing has acted at the start
    assert_true(row[0] == 0.0);
    for (int k = 1; next_row(&at, row, 5) == 2; k++) {
        if (k < 3) continue;
        assert_near(row[0], 20.0, 1e-6);
        if (k < 245) assert_near(row[1], -8.0, 1e-6);
        if (k > 255) assert_near(row[1], 0.0, 1e-6);
    }
    free(text);
    text = table("f.h5", "sliding", &at);
    assert_int_equal(next_row(&at, row, 5), 5);
    assert_near(row[0], 0.25, 2e-3);
    assert_true(row[2] == 0.0 && row[3] == 0.0);
    assert_string_equal(at, "");
    free(text);
}


// Bounce after bounce the speed falls by e: points at impacts, over e.
static void test_points_of_a_sweep(void **state)
{
    (void)state;
    shell_expect("rico sweep ball.yaml --over e=0.5,0.8 --set time.step=1e-4 --set time.end=1.2 --points v_z "
                 "--section "
                 "impacts --no-figure --output impacts",
                 0, "");
    long size;
    char *text = shell_load("impacts/points.csv", &size);
    assert_int_equal(strncmp(text, "e,t,v_z\n", 8), 0);
    const char *at = strchr(text, '\n') + 1;
    double row[3], before = 0.0;
    int pairs = 0;
    for (int k = 0; next_row(&at, row, 3) == 3; k++) {
        if (k > 0 && row[1] > 0.5) {
            assert_near(row[2] / before, row[0], 0.01);
            pairs++;
        }
        before = row[2];
        if (pairs >= 1 && row[0] > 0.6) break;
    }
    assert_true(pairs >= 2);
    free(text);

    // once per period of a formula, behind a time that is one too; and where a column passes zero downwards
    shell_expect(
        "rico sweep ball.yaml --over e=0.5,0.8 --set time.end=0.4 --points z --section every:e/10 --after "
        "e/5 --no-figure --output periods",
        0, "");
    text = shell_load("periods/points.csv", &size);
    at = strchr(text, '\n') + 1;
    int count = 0;
    for (; next_row(&at, row, 3) == 3; count++) {
        double periods = row[1] / (row[0] / 10.0);
        assert_near(periods, round(periods), 1e-9);
        assert_true(row[1] >= row[0] / 5.0 - 1e-12);
        assert_near(row[2], 1.0 - 5.0 * row[1] * row[1], 1e-2);
    }
    assert_int_equal(count, 7 + 4); // 0.1 to 0.4 by 0.05, 0.16 to 0.4 by 0.08
    free(text);
    shell_expect("rico sweep ball.yaml --over e=0.5 --points t --section down:z --no-figure --output no", 0,
                 "");
    shell_expect("rico sweep ball.yaml --over e=0.5 --points z --section dwon:z --output no2", 2,
                 "'--section'");
    shell_expect("rico sweep ball.yaml --over e=0.5 --points z --output no2", 2, "'--section'");
}


// A state of another run, by its time.
static void test_starting_from_another_run(void **state)
{
    (void)state;
    shell_expect(
        "rico run ball.yaml --quiet --output a.h5 && rico run ball.yaml --from a.h5 --at 0.2 --until 0.2 "
        "--quiet --output b.h5",
        0, "");
    const char *at;
    double row[3];
    char *text = table("b.h5", "state", &at);
    assert_int_equal(next_row(&at, row, 3), 3);
    assert_true(row[0] == 0.0);
    assert_near(row[1], 1.0 - 5.0 * 0.04, 1e-2);
    assert_near(row[2], -2.0, 1e-9);
    free(text);
    shell_expect("rico run ball.yaml --from a.h5 --at 0.20005 --output c.h5", 2, "the nearest are at");
    shell_expect("rico run block.yaml --from a.h5 --output c.h5", 2,
                 "position 0 is 'z' there and 'x' in the scene");
    shell_expect("rico run ball.yaml --at 1 --output c.h5", 2, "'--from OTHER.h5'");
}


int main(void)
{
    if (program_path() == NULL) return PROGRAM_SKIP;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples_at_exact_times),    cmocka_unit_test(test_rows_around_impacts),
        cmocka_unit_test(test_forces_and_sliding),        cmocka_unit_test(test_points_of_a_sweep),
        cmocka_unit_test(test_starting_from_another_run),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
