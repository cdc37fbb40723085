// Chains of balls over masses, stiffnesses, at a wall and by binary collisions: Nguyen and Brogliato 2018, in
// the sizes that take seconds; and what --quick leaves out.

#include "chains.h"

static void test_chains(void **state)
{
    (void)state;
    assert_reproduces("chains-binary", 10);
    assert_reproduces("chains-wall", 10);
    assert_reproduces("chains-masses", 8);
    assert_reproduces("chains-stiffness", 8);
}


static void put(const char *name, const char *text)
{
    FILE *file = fopen(path_in(name), "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}


// A long run goes with its values, what is computed from these, its checks and panels; nothing else does.
static void test_quick(void **state)
{
    (void)state;
    put("pair.yaml", "parts:\n  balls: {kind: chain, balls: 2, restitution: 1/2}\ninitial:\n  velocity: "
                     "{balls: [1, 0]}\n");
    put("try.yaml", "title: Two balls\n"
                    "runs:\n"
                    "  a: {scene: pair.yaml, impact: [newton]}\n"
                    "  b: {scene: pair.yaml, impact: [newton], over: {e0: [1]}, long: true}\n"
                    "values:\n"
                    "  last: {run: a, column: newton.last}\n"
                    "  far: {run: 'b[0]', column: newton.last}\n"
                    "  farther: 2*far\n"
                    "  twice: 2*last\n"
                    "checks:\n"
                    "  - {that: twice == 1.5, says: kept}\n"
                    "  - {that: farther > last, says: gone}\n"
                    "figures:\n"
                    "  one.svg: {panels: [{run: a, x: i, y: [newton.v]}, {points: {p: [[0, farther]]}}]}\n"
                    "  two.svg: {panels: [{run: [a, 'b[0]'], x: i, y: [newton.v]}]}\n");
    outcome got = program_line(TO_FILE, folder, "reproduce %s/try.yaml --quick --output %s");
    if (got.code != 0) fail_msg("ended with %d\n%s%s", got.code, got.out, got.err);
    assert_non_null(strstr(got.out, "holds  kept"));
    assert_null(strstr(got.out, "gone"));
    assert_non_null(strstr(got.out, "one.svg"));
    assert_null(strstr(got.out, "two.svg"));
    release(&got);
    expect("reproduce %s/try.yaml --output %s", 2, NULL,
           "e0"); // in full, the long run is refused for its parameter
    put("try.yaml", "title: Nothing\nruns:\n  a: {scene: pair.yaml, impact: [newton], long: true}\n");
    expect("reproduce %s/try.yaml --quick --output %s", 2, NULL, "all runs");
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_chains), cmocka_unit_test(test_quick)};
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
