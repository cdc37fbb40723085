// rico orbit and rico continue on the command line: what they print, write and refuse.

#include "support.h"

#include "shell.h"

static const char SCENE[] =
    "parameters: {omega: 2.4, e: 0.6}\n"
    "parts: {mass: {coordinates: [x], mass: 1, potential: x^2/2, force: cos(omega*t)}}\n"
    "contacts: {wall: {gap: x, restitution: e}}\n"
    "time: {end: 50, step: 0.01}\n";
static const char TABLE[] = "parts: {ball: {coordinates: [y], mass: 1, force: -1}}\n"
                            "contacts: {table: {gap: y - 0.03*sin(5*t), restitution: 0.8}}\n"
                            "initial: {position: {y: 0.2}, velocity: {y: 0.6}}\n"
                            "time: {end: 20, step: 0.01}\n";
static const char SPRING[] = "parts: {mass: {coordinates: [x], mass: 1, potential: x^2/2}}\n"
                             "contacts: {wall: {gap: x + 5, restitution: 1}}\n"
                             "initial: {position: {x: 1}}\n"
                             "time: {end: 50, step: 0.01}\n";


// The same for what goes to the standard output.
static void expect_said(const char *line, const char *words)
{
    char whole[1024];
    snprintf(whole, sizeof whole, "%s >&2", line);
    shell_expect(whole, 0, words);
}


static int setup(void **state)
{
    (void)state;
    if (!shell_begin()) return 1;
    shell_write("scene.yaml", SCENE, 0644);
    shell_write("spring.yaml", SPRING, 0644);
    shell_write("table.yaml", TABLE, 0644);
    return 0;
}


static int teardown(void **state)
{
    (void)state;
    return shell_end();
}


static void orbit(void **state)
{
    (void)state;
    expect_said("rico orbit scene.yaml --period '2*pi/omega' --csv orbit.csv",
                "verdict       stable: largest modulus 0.6");
    expect_said("head -1 orbit.csv", "t,x,v_x,multiplier_real,multiplier_imag");
    expect_said("rico orbit scene.yaml --period '2*pi/omega' --set omega=2.67", ", 2 of the driving");
}


static void refused(void **state)
{
    (void)state;
    shell_expect("rico orbit", 2, "one SCENE is needed, got 0");
    shell_expect("rico orbit none.yaml --period 1", 3, "none.yaml");
    shell_expect("rico orbit scene.yaml", 2, "depend on time");
    shell_expect("rico orbit table.yaml", 2, "depend on time");
    shell_expect("rico orbit scene.yaml --period '2*pi/gamma'", 2, "gamma");
    shell_expect("rico orbit scene.yaml --period '-1'", 2, "must be positive, not -1");
    shell_expect("rico orbit scene.yaml --period 3*pi/omega", 2, "does not have the period 3.9269");
    shell_expect("rico orbit scene.yaml --period 2*pi/omega --free z", 2, "no position or velocity \"z\"");
    shell_expect("rico orbit scene.yaml --period 2*pi/omega --free v_x", 2, "is a velocity");
    shell_expect("rico orbit scene.yaml --period 2*pi/omega --shift x", 2, "NAME=VALUE");
    // keeps its energy, and nobody said so: one of a family
    shell_expect("rico orbit spring.yaml", 1, "family");
    shell_expect("rico orbit spring.yaml --conservative", 2, "say which --period");
    // a linear oscillator comes back after 2 pi and at no other time, and there as a family over its amplitude
    shell_expect("rico orbit spring.yaml --conservative --period 5", 1, "no orbit");
    shell_expect("rico orbit spring.yaml --conservative --period 2*pi", 1, "singular");
    shell_expect("rico continue scene.yaml --period 2*pi/omega", 2, "--over is needed");
    shell_expect("rico continue scene.yaml --period 2*pi/omega --over omega", 2,
                 "--from and --to are needed");
    shell_expect("rico continue scene.yaml --period 2*pi/omega --over omega --from 3 --to 2", 2,
                 "--from and --to are needed");
    shell_expect("rico continue scene.yaml --period 2*pi/omega --over nu --from 2 --to 3", 2,
                 "no parameter \"nu\"");
    shell_expect("rico continue scene.yaml --period 2*pi/omega --over omega --from 2.5 --to 3", 2,
                 "outside of its range");
    shell_expect("rico continue scene.yaml --over period --from 1 --to 2 --period 1", 2, "--conservative");
    shell_expect(
        "rico continue scene.yaml --period 2*pi/omega --over omega --from 2 --to 3 --resume --overwrite", 2,
        "--resume");
    shell_expect("test ! -e scene-branch.h5", 0, "");
}


static void branch(void **state)
{
    (void)state;
    expect_said("rico continue scene.yaml --period 2*pi/omega --over omega --from 2.3 --to 2.8 --resolution "
                "0.2 --csv branch.csv",
                "2.6557788");
    expect_said("head -1 branch.csv", "branch,kind,value,period,growth,events,mark0");
    shell_expect("rico continue scene.yaml --period 2*pi/omega --over omega --from 2.3 --to 2.8", 3,
                 "scene-branch.h5");
    shell_expect("rico continue scene.yaml --period 2*pi/omega --over omega --from 2.3 --to 2.8 --resume", 2,
                 "no checkpoint");
    // a parameter that leaves its range: what was found is kept and told
    expect_said("rico continue scene.yaml --period 2*pi/omega --over e --from -1 --to 0.9 --resolution 0.2 "
                "--way down --output e.h5",
                "restitution");
    shell_expect("test $(rico export e.h5 --table branch --column value | wc -l) -gt 4", 0, "");
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orbit),
        cmocka_unit_test(refused),
        cmocka_unit_test(branch),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
