// rico modes: tables, files, numbers of two masses, and refusals.

#include "program.h"

static char folder[] = "/tmp/rico-modes-XXXXXX";

static const char *const TWO_MASSES =
    "parameters: {gap: 1, c: 0, load: 0, mu: 0}\n"
    "parts:\n"
    "  chain: {kind: matrices, mass: {identity: 2}, stiffness: [[2, -1], [-1, 1]],\n"
    "          force: [0, load]}\n"
    "contacts: {wall: {gap: 'gap - chain[1]', restitution: 0.5}}\n";


static void write_file(const char *name, const char *from)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(from, file) >= 0);
    fclose(file);
}


// Linear modes and the ends of branches of one impact, known from theory.
static void test_table(void **state)
{
    (void)state;
    outcome got = program_line(TO_FILE, folder, "modes %s/two.yaml --to 11");
    assert_int_equal(got.code, 0);
    assert_string_equal(got.err, "");
    assert_non_null(strstr(got.out, "2 modes, gap at rest 1"));
    assert_non_null(strstr(got.out, "10.166407                  0.26393202"));
    assert_non_null(strstr(got.out, "energy without bound"));
    assert_non_null(strstr(got.out, "touches between impacts   linear mode that grazes"));
    release(&got);
    // a load of 1 on the second mass shifts its rest by 2: K^-1 (0, 1) = (1, 2)
    got = program_line(TO_FILE, folder, "modes %s/two.yaml --set load=1 --set gap=3 --to 5");
    assert_int_equal(got.code, 0);
    assert_non_null(strstr(got.out, "gap at rest 1\n"));
    release(&got);
}


// Every orbit in a table: two impacts at T = 8 have the energy 4.1163811086, and its neighbours are near.
static void test_csv(void **state)
{
    (void)state;
    outcome got =
        program_line(TO_FILE, folder, "modes %s/two.yaml --impacts 2 --from 7 --to 9 --csv %s/orbits.csv");
    assert_int_equal(got.code, 0);
    release(&got);
    char path[256], line[1024];
    snprintf(path, sizeof path, "%s/orbits.csv", folder);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_int_equal(
        strncmp(line, "branch,impacts,period,frequency,energy,multiplier,duration_1,duration_2,impulse_1",
                81),
        0);
    double nearest = 1.0, energy = 0.0;
    while (fgets(line, sizeof line, file)) {
        double b, k, T, f, E;
        if (sscanf(line, "%lf,%lf,%lf,%lf,%lf", &b, &k, &T, &f, &E) != 5 || k != 2.0 || E > 6.0) continue;
        if (fabs(T - 8.0) < nearest) {
            nearest = fabs(T - 8.0);
            energy = E;
        }
    }
    fclose(file);
    assert_true(nearest < 0.01);
    assert_near(energy, 4.1163811086, 0.05);
}


static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *line, *says;
    } cases[] = {
        {"modes", "one SCENE is needed"},
        {"modes %s/two.yaml --impacts 65", "64"},
        {"modes %s/two.yaml --from 3 --to 2", "no backbones for periods from 3 to 2"},
        {"modes %s/two.yaml --output picture.bmp", "must end in .svg"},
        {"modes %s/two.yaml --set load=2", "wall has -3"},
        {"modes %s/damped.yaml", "without damping"},
        {"modes %s/rough.yaml", "without friction"},
        {"modes %s/loose.yaml", "not positive definite"},
        {"modes %s/many.yaml", "there are 2"},
        {"modes %s/none.yaml", "there are 0"},
    };
    write_file("damped.yaml", "parts: {x: {kind: matrices, mass: 1, stiffness: 1, damping: 0.1}}\n"
                              "contacts: {c: {gap: '1 - x[0]'}}\n");
    write_file("rough.yaml", "parts: {x: {kind: matrices, mass: {identity: 2}, stiffness: {identity: 2}}}\n"
                             "contacts: {c: {gap: '1 - x[0]', tangent: 'x[1]', friction: 0.1}}\n");
    write_file("loose.yaml", "parts: {x: {kind: matrices, mass: 1}}\ncontacts: {c: {gap: '1 - x[0]'}}\n");
    write_file("many.yaml", "parts: {x: {kind: matrices, mass: 1, stiffness: 1}}\n"
                            "contacts: {c: {gap: '1 - x[0]'}, d: {gap: '1 + x[0]'}}\n");
    write_file("none.yaml", "parts: {x: {kind: matrices, mass: 1, stiffness: 1}}\n");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        outcome got = program_line(TO_FILE, folder, cases[k].line);
        if (got.code != 2 || !strstr(got.err, cases[k].says))
            fail_msg("%s: %d: %s", cases[k].line, got.code, got.err);
        release(&got);
    }
}


static int begin(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) return 1;
    write_file("two.yaml", TWO_MASSES);
    return 0;
}


static int end(void **state)
{
    (void)state;
    char line[128];
    snprintf(line, sizeof line, "rm -rf %s", folder);
    return system(line);
}


int main(void)
{
    if (program_path() == NULL) return PROGRAM_SKIP;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
