// Computations of modes, forced chains and bars in experiments: small ones against closed forms and each other, and what they refuse.

#include "program.h"

static int setup(void **state)
{
    char folder[] = "/tmp/rico-modes-XXXXXX";
    if (mkdtemp(folder) == NULL) return 1;
    *state = strdup(folder);
    return *state == NULL;
}


static int teardown(void **state)
{
    char command[256];
    snprintf(command, sizeof command, "rm -rf '%s'", (char *)*state);
    int ended = system(command);
    free(*state);
    return ended;
}


static outcome reproduce(const char *folder, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/try.yaml", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    char *words[] = {"reproduce", path, "--output", (char *)(uintptr_t)folder, "--no-figures"};
    return program_run_to(TO_FILE, words, 5);
}


static void all_hold(const char *folder, const char *text)
{
    outcome end = reproduce(folder, text);
    if (end.code != 0) fail_msg("ended with %d\n%s%s", end.code, end.out, end.err);
    release(&end);
}


static void test_modes(void **state)
{
    all_hold(*state,
             "title: Modes\n"
             "runs:\n"
             "  two: {compute: modes-backbones, given: {impacts: 3, periods: [7.9, 10.3], points: 60}}\n"
             "  nine: {compute: modes-orbit, given: {durations: [9], samples: 90}}\n"
             "  pair: {compute: modes-orbit, given: {durations: [1.49, 6.51], samples: 80}}\n"
             "  odd: {compute: modes-sequence, given: {durations: [7.990514], branches: 2, samples: 40}}\n"
             "  sheet: {compute: modes-manifold, given: {periods: [8, 10, 5], samples: 50}}\n"
             "  hbm: {compute: modes-balance, given: {masses: 1, harmonics: 5, frequencies: [1.2, 1.5, 2], "
             "samples: 20}}\n"
             "  kink: {compute: modes-balance, given: {masses: 1, harmonics: 40, kink: true, frequencies: "
             "[1.2, 1.5, 2]}}\n"
             "values:\n"
             "  touch: {run: two, column: linear_energy, take: first}\n"
             "  least3: {run: two, column: least_3}\n"
             "  E9: {run: nine, column: energy}\n"
             "  high9: {run: nine, column: u2, take: max}\n"
             "  still: {run: nine, column: v1, take: first}\n"
             "  E2: {run: pair, column: energy}\n"
             "  spp: {run: odd, column: stick_period}\n"
             "  closed: {run: odd, column: gap_stick, take: first}\n"
             "  ends: {run: odd, column: energy, take: last}\n"
             "  sticks: {run: odd, column: sticking}\n"
             "  orbits: {run: sheet, column: admissible}\n"
             "  highest: {run: sheet, column: highest}\n"
             "  E5: {run: hbm, column: energy, take: first}\n"
             "  exact: {run: hbm, column: exact, take: last}\n"
             "  close: {run: kink, column: energy, take: last}\n"
             "checks:\n"
             "  - {that: abs(touch - 0.26393202) < 1e-8 && least3 > 8 && least3 < 8.4, says: backbones}\n"
             "  - {that: abs(E9 - 0.34579761) < 1e-8 && abs(high9 - 1) < 1e-12 && abs(still) < 1e-12, says: "
             "one impact}\n"
             "  - {that: abs(E2 - 4.1163811086) < 1e-9, says: two impacts}\n"
             "  - {that: abs(spp - 8.00634721) < 1e-8 && closed == 0 && ends > 17.684 && sticks == 1, says: "
             "sticking}\n"
             "  - {that: orbits == 5 && abs(highest - 1) < 1e-9, says: the sheet}\n"
             "  - {that: abs(E5 - 0.915062) < 1e-6 && abs(exact - 2) < 1e-9 && abs(close - 2) < 1e-5, says: "
             "harmonic balance}\n");
}


static void test_forced(void **state)
{
    all_hold(
        *state,
        "title: Forced\n"
        "runs:\n"
        "  sweep: {compute: forced-sweep, given: {force: 0.1, at: 1, stiffness-damping: 0.02, periods: [9.3, "
        "9.5, 3], transient: 1500}}\n"
        "  on: {compute: forced-sweep, given: {force: 0.1, at: 1, stiffness-damping: 0.02, periods: [9.3, "
        "9.5, 3], transient: 1500, follow: true}}\n"
        "  branch: {compute: forced-branch, given: {force: 0.1, at: 1, stiffness-damping: 0.02, period: 9.4, "
        "transient: 2000, points: 30}}\n"
        "  weak: {compute: forced-branch, given: {force: 0.05, at: 1, stiffness-damping: 0.01, period: 9.4, "
        "transient: 2000, settle-with: 2, points: 5}}\n"
        "  near: {compute: forced-branch, given: {force: 0.06, at: 1, stiffness-damping: 0.001, durations: "
        "[0.9, 0.9, 6.2], step: 0.01, points: 5}}\n"
        "  panel: {compute: forced-motion, given: {masses: 5, mass: 1/5, stiffness: 5, gap: 1.5, at: 1, "
        "period: 4.4, force: 5, stiffness-damping: 0.1}}\n"
        "  steps: {compute: forced-motion, given: {masses: 5, mass: 1/5, stiffness: 5, gap: 1.5, at: 1, "
        "period: 4.4, force: 5, stiffness-damping: 0.1, steps: 4000, transient: 60}}\n"
        "  shoot: {compute: duffing-branch, given: {period: 9.4, force: 0.1, damping: 0.02, points: 5}}\n"
        "  free: {compute: duffing-branch, given: {period: 9, points: 2}}\n"
        "  line: {compute: duffing-smooth, given: {mode: 2, energy: 1, points: 60}}\n"
        "  peak: {compute: duffing-smooth, given: {force: 0.1, damping: 0.1, frequencies: [0.3, 1], points: "
        "200}}\n"
        "values:\n"
        "  ones: {run: sweep, column: count_1}\n"
        "  rest: {run: sweep, column: energy, take: mean}\n"
        "  on_rest: {run: on, column: energy, take: mean}\n"
        "  E: {run: branch, column: start_energy}\n"
        "  E_weak: {run: weak, column: start_energy}\n"
        "  E_shot: {run: shoot, column: energy, take: mean}\n"
        "  E_near: {run: branch, column: energy, take: mean}\n"
        "  three: {run: near, column: impacts}\n"
        "  k: {run: panel, column: impacts}\n"
        "  r: {run: panel, column: multiple}\n"
        "  low: {run: panel, column: end, take: min}\n"
        "  low_steps: {run: steps, column: end, take: min}\n"
        "  start: {run: free, column: speed, take: mean}\n"
        "  w2: {run: line, column: frequency, take: last}\n"
        "  high: {run: peak, column: energy, take: max}\n"
        "  at_high: {run: peak, column: energy, take: time-of-max}\n"
        "checks:\n"
        "  - {that: ones == 3 && abs(rest/on_rest - 1) < 1e-6, says: the sweep}\n"
        "  - {that: abs(E - 0.322118) < 1e-5 && E_weak > 0.3 && E_weak < E && three == 3, says: branches}\n"
        "  - {that: k == 2 && r == 1 && abs(low - low_steps) < 1e-2, says: a panel by both integrators}\n"
        "  - {that: E_shot > 0.3 && E_shot < 0.36 && abs(start - 0.333752) < 0.05, says: shooting}\n"
        "  - {that: abs(w2 - 1.618034) < 1e-5 && abs(at_high - 0.618) < 0.03 && abs(high - 0.947) < 0.005, "
        "says: without a "
        "wall}\n");
}


static void test_bars(void **state)
{
    all_hold(*state, "title: Bars\n"
                     "runs:\n"
                     "  backbones: {compute: bar-backbones, given: {modes: 2, points: 11, energy: 8}}\n"
                     "  found: {compute: bar-search, given: {cells: 8}}\n"
                     "  sprung: {compute: bar-search, given: {cells: 4, spring: 1e6}}\n"
                     "  mode: {compute: bar-field, given: {period: 3.5, cells: 4, samples: 7}}\n"
                     "  sine: {compute: bar-field, given: {mode: 2, cells: 3, samples: 4}}\n"
                     "  sweep: {compute: bar-sweep, given: {cells: 20, force: 0.1, damping: 0.2, periods: "
                     "[2, 2.2], transient: 40}}\n"
                     "  still: {compute: bar-response, given: {cells: 40, wall: 0.2, period: 4, places: 4, "
                     "every: 10, transient: 1}}\n"
                     "  kept: {compute: bar-response, given: {cells: 40, period: 3.5, from-mode: 3.5, "
                     "places: 4, every: 10, transient: 3}}\n"
                     "  chain: {compute: chain-linear, given: {masses: 20}}\n"
                     "  pulse: {compute: chain-pulse, given: {masses: 20, end: 1, samples: 20}}\n"
                     "  hit: {compute: chain-collision, given: {masses: 10, samples: 200, periods: 1}}\n"
                     "values:\n"
                     "  first: {run: backbones, column: linear_energy, take: first}\n"
                     "  modes: {run: found, column: modes}\n"
                     "  worst: {run: found, column: worst}\n"
                     "  some: {run: sprung, column: energy, take: rows}\n"
                     "  E: {run: mode, column: energy}\n"
                     "  low: {run: mode, column: end, take: min}\n"
                     "  up: {run: sine, column: end, take: first}\n"
                     "  down: {run: sine, column: end, take: min}\n"
                     "  free: {run: sweep, column: contact, take: max}\n"
                     "  moves: {run: sweep, column: energy, take: min}\n"
                     "  none: {run: still, column: energy}\n"
                     "  again: {run: kept, column: multiple}\n"
                     "  E_kept: {run: kept, column: energy}\n"
                     "  part: {run: kept, column: contact}\n"
                     "  w1: {run: chain, column: chain_frequency, take: first}\n"
                     "  shape: {run: chain, column: chain_shape, take: max}\n"
                     "  pushed: {run: pulse, column: u20, take: max}\n"
                     "  bounces: {run: hit, column: impacts}\n"
                     "  below: {run: hit, column: bar, take: min}\n"
                     "checks:\n"
                     "  - {that: abs(first - 0.6168503) < 1e-7, says: linear modes that touch}\n"
                     "  - {that: modes >= 8 && worst < 1e-9 && some > 0, says: the search}\n"
                     "  - {that: E == 2 && abs(low + 2) < 1e-12, says: the field at sevenths of a period}\n"
                     "  - {that: abs(up - 1) < 1e-12 && abs(down + 1) < 1e-12, says: a linear mode}\n"
                     "  - {that: free == 0 && moves > 0 && none == 0, says: too weak to touch}\n"
                     "  - {that: again == 1 && abs(E_kept - 2) < 1e-9 && abs(part - 1/7) < 0.01, says: the "
                     "mode stays on the grid}\n"
                     "  - {that: abs(w1 - 1.53210935) < 1e-8 && shape < 1 + 1e-12 && pushed > 0.04 && pushed "
                     "< 0.08, says: chains}\n"
                     "  - {that: bounces >= 2 && abs(below + 2) < 1e-9, says: a chain chatters}\n");
}


static void test_refusals(void **state)
{
    static const struct {
        const char *run, *says;
    } WRONG[] = {
        {"{compute: modes-orbit, given: {masses: 401, durations: [9]}}", "too long to be shown"},
        {"{compute: modes-orbit, given: {durations: []}}", "durations"},
        {"{compute: modes-orbit, given: {durations: [1, -1]}}", "must be positive"},
        {"{compute: modes-backbones, given: {periods: [3, 2]}}", "no backbones for periods from 3 to 2"},
        {"{compute: modes-sequence, given: {durations: [9]}}", "touches nowhere between its impacts"},
        {"{compute: modes-sequence, given: {durations: [1.49, 6.51], flight: 1}}",
         "there is no orbit that sticks"},
        {"{compute: modes-manifold, given: {periods: [8, 9, 2.5]}}", "2.5 is no number of points"},
        {"{compute: forced-motion, given: {period: 4, at: 3}}", "there are 2 masses, and none is 3"},
        {"{compute: forced-motion, given: {period: 4, restitution: 2}}", "restitution"},
        {"{compute: forced-branch, given: {}}", "starts at a 'period' or from 'durations'"},
        {"{compute: forced-branch, given: {period: 4, force: 0.001, stiffness-damping: 0.5}}",
         "does not touch the obstacle"},
        {"{compute: forced-branch, given: {force: 1e-6, stiffness-damping: 0.1, durations: [0.9, 0.9, 6.2]}}",
         "no phase of the force keeps the free orbit"},
        {"{compute: duffing-branch, given: {period: 9, gap: 0}}", "gap"},
        {"{compute: bar-field, given: {period: 2.5}}", "has periods above 3"},
        {"{compute: bar-response, given: {period: 3.5, from-mode: 5}}", "has periods above 3"},
        {"{compute: chain-linear, given: {masses: 3, mode: 4}}", "a chain of 3 masses has no mode 4"},
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        char text[512];
        snprintf(text, sizeof text, "title: Wrong\nruns:\n  bad: %s\n", WRONG[i].run);
        outcome end = reproduce(*state, text);
        assert_int_equal(end.code, 2);
        if (!strstr(end.err, WRONG[i].says)) fail_msg("'%s' is not in:\n%s", WRONG[i].says, end.err);
        release(&end);
    }
}


// Two of the experiments that come with the program; the others take too long, and what they assert is in tests/orbit.
static void test_experiments(void **state)
{
    char *words[] = {"reproduce", "modes-balance", "modes-discrete", "--no-figures", "--output", *state};
    outcome end = program_run_to(TO_FILE, words, 6);
    if (end.code != 0) fail_msg("ended with %d\n%s%s", end.code, end.out, end.err);
    assert_null(strstr(end.out, "FAILS"));
    release(&end);
}


int main(void)
{
    if (program_path() == NULL) return PROGRAM_SKIP;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_modes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_forced, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bars, setup, teardown),
        cmocka_unit_test_setup_teardown(test_refusals, setup, teardown),
        cmocka_unit_test_setup_teardown(test_experiments, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
