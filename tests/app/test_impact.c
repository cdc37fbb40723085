// rico impact: tables, files, sweeps and refusals; the cradle is reproduced.

#include "program.h"

#include "lab/outcome.h"

static char folder[] = "/tmp/rico-impact-XXXXXX";

static char *load(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file) fail_msg("cannot open %s", path);
    char *text = calloc(1 << 16, 1);
    assert_true(fread(text, 1, (1 << 16) - 1, file) > 0);
    fclose(file);
    return text;
}


static void write_file(const char *name, const char *from)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(from, file) >= 0);
    fclose(file);
}


static double number_after(const char *text, const char *key, int skip)
{
    const char *at = strstr(text, key);
    assert_non_null(at);
    at += strlen(key);
    for (char *end; skip-- > 0; at = end) strtod(at, &end);
    return strtod(at, NULL);
}


// The table of the cradle: Moreau's outcome, that of binary collisions, and LZB's (specification, section 2.3).
static void test_cradle(void **state)
{
    (void)state;
    outcome got = program_line(TO_FILE, folder, "impact %s/cradle.yaml --option lzb.relative-step=2e-5");
    assert_int_equal(got.code, 0);
    assert_string_equal(got.err, "");
    const double expected[] = {-0.0710846, -0.0302735, -0.0144635, 0.1270441, 0.9887776};
    for (int i = 0; i < 5; i++) {
        assert_near(number_after(got.out, "\nmoreau ", i), i == 0 ? -0.6 : 0.4, 1e-6);
        assert_near(number_after(got.out, "\nbinary ", i), i == 4 ? 1.0 : 0.0, 1e-6);
        assert_near(number_after(got.out, "\nlzb ", i), expected[i], 3e-5);
    }
    release(&got);

    // restitutions that differ: Moreau's law says that it has none for them
    write_file("mixed.yaml", "parts: {b: {kind: chain, balls: 3, restitution: [0.5, 1]}}\n"
                             "initial: {velocity: {b: [1, 0, 0]}}\n");
    got = program_line(TO_FILE, folder, "impact %s/mixed.yaml");
    assert_int_equal(got.code, 0);
    assert_non_null(strstr(got.out, "Left out: moreau takes one restitution"));
    assert_null(strstr(got.out, "\nmoreau "));
    assert_non_null(strstr(got.out, "\npoisson "));
    release(&got);
}


// Any scene: a point in a right corner without restitution stops (P8); a coupled mass matrix has no C_KE.
static void test_corner(void **state)
{
    (void)state;
    const char *text = "parts: {p: {coordinates: [x, y], mass: [[2, 1], [1, 2]]}}\n"
                       "contacts: {floor: {gap: y}, side: {gap: x}, far: {gap: 5 - x}}\n"
                       "initial: {velocity: {x: -1, y: -2}}\n";
    write_file("corner.yaml", text);
    outcome got = program_line(TO_FILE, folder, "impact %s/corner.yaml --law moreau");
    assert_int_equal(got.code, 0);
    assert_non_null(strstr(got.out, "2 coordinates, 3 contacts, 2 of them closed, fastest approach 2"));
    assert_near(number_after(got.out, "\nmoreau ", 0), 0.0, 1e-15);
    assert_near(number_after(got.out, "\nmoreau ", 1), 0.0, 1e-15);
    const char *measures = strstr(got.out, "Measures");
    assert_non_null(measures);
    assert_near(number_after(measures, "\nmoreau ", 0), 0.0, 1e-15);
    assert_non_null(strstr(measures, "  -  ")); // no dispersion
    release(&got);
}


static void test_csv(void **state)
{
    (void)state;
    char path[256];
    outcome got = program_line(TO_FILE, folder,
                               "impact %s/cradle.yaml --law moreau,lzb --over e=0,1 --csv %s/sweep.csv");
    assert_int_equal(got.code, 0);
    release(&got);
    snprintf(path, sizeof path, "%s/sweep.csv", folder);
    char *text = load(path);
    assert_int_equal(strncmp(text, "e,moreau.ker,", 13), 0);
    // five equal balls: KER of Moreau's law is (1 + 4 e^2)/5
    assert_near(number_after(text, "\r\n0,", 0), 0.2, 1e-15);
    assert_near(number_after(text, "\r\n1,", 0), 1.0, 1e-14);
    free(text);
}


static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *line, *says;
    } cases[] = {
        {"impact", "one SCENE is needed"},
        {"impact %s/cradle.yaml --law moreua", "did you mean 'moreau'"},
        {"impact %s/cradle.yaml --option step=1", "write LAW.OPTION=VALUE"},
        {"impact %s/cradle.yaml --option lzb.stepp=1", "lzb has no option"},
        {"impact %s/cradle.yaml --over e", "must read NAME=FROM:TO:COUNT"},
        {"impact %s/cradle.yaml --over e=log:0:1:3", "logarithmic and not positive"},
        {"impact %s/cradle.yaml --over e=0:1:0", "0 values, expected 1 to"},
        {"impact %s/cradle.yaml --over e=2,3", "e=2: "},
        {"impact %s/cradle.yaml --over f=0,1", "f"},
        {"impact %s/cradle.yaml --output picture.bmp", "must end in .svg"},
        {"impact %s/open.yaml", "no contact of the scene is closed"},
        {"impact %s/rough.yaml --law newton", "newton knows no friction"},
        {"run %s/cradle.yaml", "the scene has no 'time'"},
    };
    write_file("open.yaml", "parts: {b: {kind: chain, balls: 2}}\ninitial: {position: {b: i}}\n");
    write_file("rough.yaml", "parts: {p: {coordinates: [x, y], mass: [1, 1]}}\n"
                             "contacts: {c: {gap: y, tangent: x, friction: 0.1, restitution: 1}}\n"
                             "initial: {velocity: {x: 1, y: -1}}\n");
    outcome rubs = program_line(TO_FILE, folder, "impact %s/rough.yaml"); // 1 - 2 mu is left of the slip
    if (rubs.code != 0 || !strstr(rubs.out, "lzb-friction") || !strstr(rubs.out, "0.8") ||
        !strstr(rubs.out, "Left out: moreau knows no friction"))
        fail_msg("%d: %s%s", rubs.code, rubs.out, rubs.err);
    release(&rubs);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        outcome got = program_line(TO_FILE, folder, cases[k].line);
        if (got.code != 2 || !strstr(got.err, cases[k].says))
            fail_msg("%s: %d: %s", cases[k].line, got.code, got.err);
        release(&got);
    }
}


// The experiment of the cradle holds; its runs are impacts and simulations.
static void test_reproduce(void **state)
{
    (void)state;
    outcome got = program_line(TO_FILE, folder, "reproduce cradle --no-figures --keep --output %s/out");
    if (got.code != 0) fail_msg("%s%s", got.out, got.err);
    assert_null(strstr(got.out, "FAILS"));
    release(&got);
    char path[256];
    snprintf(path, sizeof path, "%s/out/cradle/hertz.csv", folder);
    char *text = load(path);
    assert_int_equal(strncmp(text, "i,v,moreau.v,", 13), 0);
    free(text);
}


static void test_ranges(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    char name[RICO_SHEET_NAME];
    int64_t count;
    double *x;
    assert_ok(ctx, rico_range_read(ctx, "eta=log:0.01:100:5", name, &count, &x));
    assert_string_equal(name, "eta");
    assert_int_equal(count, 5);
    for (int i = 0; i < 5; i++) assert_near(x[i] / pow(10.0, i - 2), 1.0, 1e-14);
    rico_free(ctx, x);
    assert_ok(ctx, rico_range_read(ctx, "time.step=-1:1:3", name, &count, &x));
    assert_true(count == 3 && x[0] == -1.0 && x[1] == 0.0 && x[2] == 1.0);
    rico_free(ctx, x);
    assert_ok(ctx, rico_range_read(ctx, "e=0.5", name, &count, &x));
    assert_true(count == 1 && x[0] == 0.5);
    rico_free(ctx, x);
    static const char *const bad[] = {"",       "e",      "=1",        "e=",        "e=1:2:x",  "e=1:2:2.5",
                                      "e=1,,2", "e=1,2,", "e=1:2:3:4", "e=log:1:2", "e=1:2:1e9"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        assert_int_equal(rico_range_read(ctx, bad[k], name, &count, &x), RICO_BAD_ARGUMENT);
    rico_context_destroy(ctx);
}


static int start(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL) return 1;
    write_file("cradle.yaml", "parameters: {eta: 3/2, e: 1}\n"
                              "parts: {balls: {kind: chain, balls: 5, exponent: eta, restitution: e}}\n"
                              "initial: {velocity: {balls: [1, 0, 0, 0, 0]}}\n");
    return 0;
}


static int end(void **state)
{
    (void)state;
    char command[256];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}


int main(void)
{
    if (program_path() == NULL) return PROGRAM_SKIP;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cradle),  cmocka_unit_test(test_corner),    cmocka_unit_test(test_csv),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_reproduce), cmocka_unit_test(test_ranges),
    };
    return cmocka_run_group_tests(tests, start, end);
}
