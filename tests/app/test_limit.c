// rico limit on the command line: what it prints, writes and refuses.

#include "support.h"

#include "shell.h"

static const char LADDER[] = "parameters: {mu: 0.4, man: 0, bent: 0, th: pi/3}\n"
                             "parts: {ladder: {coordinates: [x, y, a], mass: [1, 1, 1], potential: y + "
                             "man*(y + sin(a)/2) + bent^2*y}}\n"
                             "contacts:\n"
                             "  floor: {gap: y - sin(a)/2, tangent: x - cos(a)/2, friction: mu}\n"
                             "  wall: {gap: 0 - x - cos(a)/2, tangent: y + sin(a)/2, friction: mu}\n"
                             "initial: {position: {x: -cos(th)/2, y: sin(th)/2, a: th}}\n"
                             "time: {end: 1, step: 0.01}\n";
// a box of 1 x 1 x 2 on the ground, in space
static const char BOX[] = "parameters: {mu: 0.3, up: 0, push: 0}\n"
                          "gravity: [0, 0, -10]\n"
                          "materials: {stone: {friction: mu}}\n"
                          "bodies:\n"
                          "  ground: {shape: plane, fixed: yes, material: stone}\n"
                          "  box: {shape: {box: {size: [1, 1, 2]}}, density: 1, position: [0, 0, 1 + up], "
                          "material: stone, force: [push, 0, 0]}\n"
                          "time: {end: 1, step: 0.01}\n";
static const char PULL_OUT[] = "parameters: {pull: 0}\n"
                               "gravity: [0, -1]\n"
                               "materials: {stone: {friction: 0.5}}\n"
                               "bodies:\n"
                               "  ground: {shape: line, fixed: yes, material: stone}\n"
                               "  wall: {shape: {rectangle: {size: [1, 4]}}, position: [2, 2.5], fixed: yes, "
                               "material: stone, group: wall, meets: [block]}\n"
                               "  plate: {shape: {rectangle: {size: [2, 0.5]}}, density: 1, position: [1, "
                               "0.25], material: stone, force: [pull, 0]}\n"
                               "  block: {shape: {rectangle: {size: [1, 1]}}, density: 1, position: [1, 1], "
                               "material: stone, group: block}\n"
                               "time: {end: 0.1, step: 1e-3}\n";


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
    shell_write("ladder.yaml", LADDER, 0644);
    shell_write("box.yaml", BOX, 0644);
    shell_write("pull-out.yaml", PULL_OUT, 0644);
    return 0;
}


static int teardown(void **state)
{
    (void)state;
    return shell_end();
}


static void ranges(void **state)
{
    (void)state;
    expect_said("rico limit ladder.yaml --ranges all", "0.90619361      1.1501444");
    expect_said("rico limit ladder.yaml --ranges wall",
                "wall.N                   0.28697575     0.23451599     0.37536106");
    expect_said("rico limit ladder.yaml --set mu=0.2", "NO, it does not stand");
    expect_said("rico limit ladder.yaml --ranges floor --csv forces.csv > out.txt; head -2 forces.csv",
                "floor,N,0.99705");
}


// Weight 20: it slides at mu, or turns over at 1/2; in space by successive approximations.
static void loads(void **state)
{
    (void)state;
    expect_said("rico limit box.yaml --gravity 1,0,0", "collapse      0.3   associated bound");
    expect_said("rico limit box.yaml --gravity x --friction 0.8", "collapse      0.5   associated bound");
    expect_said("rico limit box.yaml --gravity x --friction 0.8", "hinging: 1 of 1 bodies move (box)");
    expect_said("rico limit box.yaml --load push", "collapse      6   associated bound");
    expect_said("rico limit box.yaml --gravity 1,1,0 --pyramid 4",
                "0.2121320344   the same with pyramids of 4 facets");
    expect_said("rico limit pull-out.yaml --load pull", "collapse      1.833333333   associated bound");
    expect_said("rico limit pull-out.yaml --load pull",
                "Coulomb       1.3   least load of collapse by Coulomb's law, proved");
    expect_said("rico limit pull-out.yaml --load pull --at 1.9", "at load factor 1.9: NO");
    expect_said("rico limit pull-out.yaml --load pull --output picture.svg > out.txt; grep -c '<' "
                "picture.svg | grep -q . && echo drawn",
                "drawn");
}


static void refused(void **state)
{
    (void)state;
    shell_expect("rico limit", 2, "one SCENE is needed");
    shell_expect("rico limit ladder.yaml --load mann", 2, "no parameter 'mann'; did you mean 'man'?");
    shell_expect("rico limit ladder.yaml --load bent", 2, "forces are not linear in 'bent'");
    shell_expect("rico limit ladder.yaml --load th", 2, "'th' is no load");
    shell_expect("rico limit ladder.yaml --gravity x", 2, "gravity in another direction is of bodies");
    shell_expect("rico limit box.yaml --gravity sideways", 2, "gravity along 'sideways'");
    shell_expect("rico limit box.yaml --gravity x --load push", 2, "one live load at a time");
    shell_expect("rico limit box.yaml --load up", 2, "is no load");
    shell_expect("rico limit box.yaml --set up=1", 2, "nothing touches");
    shell_expect("rico limit pull-out.yaml --gravity z", 2, "bodies in the plane have no z");
    shell_expect("rico limit ladder.yaml --ranges flor", 2, "did you mean 'floor'?");
    shell_expect("rico limit ladder.yaml --at 1", 2, "needs a live load");
    shell_expect("rico limit ladder.yaml --output picture.svg > out.txt", 2, "pictures are of bodies");
    shell_expect("rico limit box.yaml --pyramid 2", 2, "pyramid");
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges),
        cmocka_unit_test(loads),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
