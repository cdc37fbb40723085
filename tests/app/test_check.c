// rico check: one verdict for each scene, with line and part where there is something to say.

#include "shell.h"

static int setup(void **state)
{
    (void)state;
    return mkdtemp(shell_folder) ? 0 : 1;
}


static int teardown(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", shell_folder);
    return system(command);
}


// Runs a line; what it printed must begin with `out` (NULL: be empty) and complain with `err` (NULL: not at all).
static void expect(const char *line, int code, const char *out, const char *err)
{
    char said[2048];
    long size;
    int ended = shell_run(line, said, sizeof said);
    char *text = shell_load("out.txt", &size);
    bool right = ended == code && (out ? strncmp(text, out, strlen(out)) == 0 : text[0] == '\0') &&
                 (err ? strstr(said, err) != NULL : said[0] == '\0');
    if (!right) fail_msg("%s: %d\n%s\n%s", line, ended, text, said);
    free(text);
}


static void verdicts(void **state)
{
    (void)state;
    char line[2048], path[1024];
    shell_source("tests/trust/14-check-prints-good-and-error.yaml", path);
    snprintf(line, sizeof line, "rico check '%s'", path);
    expect(line, 2, NULL, ":5:12: the mass of part 'ball' is negative: x gets -1");

    // warnings belong to the verdict
    shell_source("tests/trust/07-gap-not-a-distance.yaml", path);
    snprintf(line, sizeof line, "cp '%s' gap.yaml && rico check gap.yaml", path);
    expect(line, 0, "gap.yaml: good, with 1 warning\n", NULL);
    shell_source("tests/trust/19-sign-force.yaml", path);
    snprintf(line, sizeof line, "cp '%s' sign.yaml && rico check sign.yaml", path);
    expect(line, 0, "sign.yaml: good, with 1 warning\n", NULL);

    // scenes of one impact have no time, and are none the worse for it
    shell_source("examples/chain/chain.yaml", path);
    snprintf(line, sizeof line, "cp '%s' chain.yaml && rico check chain.yaml", path);
    expect(line, 0,
           "chain.yaml: good\n  title: A chain of balls\n  coordinates: 100, joints: 0, contacts: 99 (0 with "
           "friction); linear\n  no 'time'",
           NULL);

    // each scene its own verdict, the worst decides
    shell_write("bad.yaml", "parts: {p: {coordinates: [x], mass: 0}}\ntime: {end: 1, step: 0.1}\n", 0644);
    expect("rico check chain.yaml bad.yaml", 2, "chain.yaml: good\n", "part 'p' is missing");
}


// Angles between contacts: found corners, touching ones, verdicts, and nothing to say.
static void angles(void **state)
{
    (void)state;
    static const char WEDGE[] = "parameters: {e: 0, turn: 0}\n"
                                "parts: {p: {coordinates: [x, y], mass: [1, 4]}}\n"
                                "contacts:\n"
                                "  floor: {gap: x + y, restitution: e}\n"
                                "  side: {gap: x - (1 + turn)*y, restitution: e}\n"
                                "initial: {position: {x: 3}}\n"
                                "time: {end: 1, step: 0.1}\n";
    shell_write("wedge.yaml", WEDGE, 0644);
    // c = (1 - 1/4)/(1 + 1/4): equal masses would make it a right angle
    expect("rico check wedge.yaml --angles | grep -A1 'floor, side'", 0,
           "    floor, side: both touch at x = 0, y = 0\n      c = 0.6, 126.87 degrees inside, e = 0: not "
           "continuous\n",
           NULL);
    expect("rico check wedge.yaml --angles --set turn=3 | tail -2", 0,
           "      c = 0, 90 degrees inside, e = 0: continuous\n"
           "  motions depend continuously on their data where these pairs touch\n",
           NULL);
    expect("rico check wedge.yaml --angles --set turn=9 | tail -2 | grep -c ': continuous'", 0, "1\n", NULL);
    expect("rico check wedge.yaml --angles --set turn=9 --set e=0.5 | tail -2 | grep -c ': not continuous'",
           0, "1\n", NULL);
    shell_write("alone.yaml",
                "parts: {p: {coordinates: [x], mass: 1}}\ncontacts: {c: {gap: x}}\ntime: {end: 1, step: 1}\n",
                0644);
    expect("rico check alone.yaml --angles | tail -1", 0, "  motions depend continuously on their data\n",
           NULL);
}


// A motion from a table: the two that leave the corner and conserve energy, one of them by Newton's law; others; what is refused.
static void motions(void **state)
{
    (void)state;
    shell_write("corner.yaml",
                "parts: {point: {coordinates: [x, y], mass: [1, 1]}}\n"
                "contacts: {wall: {gap: -x, restitution: 1}, floor: {gap: y, restitution: 1}}\n"
                "initial: {position: {x: -1}, velocity: {x: 1}}\n"
                "time: {end: 2, step: 0.01}\n",
                0644);
    static const struct {
        const char *after, *end, *verdict;
    } CASES[] = {
        {"-1,0", "-1,0",
         "  solves the problem with impacts and obeys Newton's law, e = 1; energy is conserved\n"},
        {"0,1", "0,1",
         "  solves the problem with impacts, but violates Newton's law, e = 1; energy is conserved\n"},
        {"-0.5,0", "-0.5,0",
         "  solves the problem with impacts, but violates Newton's law, e = 1; impacts take energy\n"},
        {"-2,0", "-2,0",
         "  solves the problem with impacts, but violates Newton's law, e = 1; an impact gains energy\n"},
        {"0,1", "0,2", "  does not solve the problem with impacts: positions\n"},
        {"1,0", "1,0", "  does not solve the problem with impacts: positions\n"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char text[256];
        snprintf(text, sizeof text, "t,x,y,v_x,v_y\n0,-1,0,1,0\n1,0,0,1,0\n1,0,0,%s\n2,%s,%s\n",
                 CASES[i].after, CASES[i].end, CASES[i].after);
        shell_write("motion.csv", text, 0644);
        expect("rico check corner.yaml --motion motion.csv | tail -1", 0, CASES[i].verdict, NULL);
    }
    shell_write("few.csv", "t,x,y,v_x\n0,-1,0,1\n", 0644);
    expect("rico check corner.yaml --motion few.csv > /dev/null", 2, NULL, "this one has no 'v_y'");
    shell_write("three.csv", "t,x,y,v_x,v_y\n0,0,0,0,0\n0,0,0,0,0\n0,0,0,0,0\n", 0644);
    expect("rico check corner.yaml --motion three.csv > /dev/null", 2, NULL, "three rows have the time 0");
    shell_write("hole.csv", "t,x,y,v_x,v_y\n0,0,,0,0\n", 0644);
    expect("rico check corner.yaml --motion hole.csv > /dev/null", 2, NULL, "'y' is missing in row 1");
}


// A block on a belt that moves at V: the tangent's rate counts, so that it ends at the belt's speed.
static void belt(void **state)
{
    (void)state;
    shell_write("belt.yaml",
                "parameters: {V: 0.7}\n"
                "parts: {p: {coordinates: [x, y], mass: [1, 1], potential: 10*y}}\n"
                "contacts: {c: {gap: y, tangent: x - V*t, friction: 0.5}}\n"
                "time: {end: 1, step: 1e-3}\n",
                0644);
    expect(
        "rico run belt.yaml --quiet && rico export belt.h5 --table state | tail -1 | "
        "awk -F, '{ok = ($4 - 0.7)^2 < 1e-20 && ($2 - (0.7 - 0.049))^2 < 1e-5; print ok ? \"right\" : $0}'",
        0, "right", NULL);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts),
        cmocka_unit_test(angles),
        cmocka_unit_test(motions),
        cmocka_unit_test(belt),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
