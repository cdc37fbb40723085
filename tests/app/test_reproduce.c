// rico reproduce: every experiment that comes with the program passes, and experiment files mean what the guide says.

#include "program.h"

static int setup(void **state)
{
    char folder[] = "/tmp/rico-reproduce-XXXXXX";
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


static void write_file(const char *folder, const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}


// Runs FOLDER/try.yaml without figures unless asked for.
static outcome reproduce(const char *folder, bool draw)
{
    char path[512];
    snprintf(path, sizeof path, "%s/try.yaml", folder);
    char *words[] = {"reproduce", path, "--output", (char *)(uintptr_t)folder, "--no-figures"};
    return program_run_to(TO_FILE, words, draw ? 4 : 5);
}


static void assert_says(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) fail_msg("'%s' is not in:\n%s", part, text);
}


// All experiments but the chains of balls, which have tests of their own; here their files are read. The pages of the guide run
// frame, masonry, drill-model, nes-manifold and three about vibro-impact problems, and app/guide with them, to the same exit code.
static void test_all(void **state)
{
    char *words[] = {"reproduce", "ball",         "bar",        "bar-remedies",  "cradle",
                     "kane",      "orders",       "oscillator", "rocking-block", "slider-roller",
                     "stick",     "--no-figures", "--output",   *state};
    outcome end = program_run_to(TO_FILE, words, 14);
    if (end.code != 0) fail_msg("ended with %d\n%s%s", end.code, end.out, end.err);
    assert_null(strstr(end.out, "FAILS"));
    static const char *const NAMES[] = {
        "ball: ",          "bar: ",           "kane: ",  "orders: ", "oscillator: ",
        "rocking-block: ", "slider-roller: ", "stick: ", "cradle: ", "bar-remedies: "};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) assert_says(end.out, NAMES[i]);
    release(&end);

    // what docs/guide/tutorials.md runs
    char *lessons[] = {
        "reproduce",     "bars", "impact-oscillator", "belt",         "incline",  "masses", "painleve",
        "pendulum-wall", "puck", "woodpecker",        "--no-figures", "--output", *state};
    end = program_run_to(TO_FILE, lessons, 13);
    if (end.code != 0) fail_msg("ended with %d\n%s%s", end.code, end.out, end.err);
    assert_null(strstr(end.out, "FAILS"));
    release(&end);

    // mechanisms with clearances, and the quick ones of the rings of oscillators; tests/orbit and tests/lab have the numbers of the others
    char *clearances[] = {
        "reproduce",       "ring",       "slider-crank",   "latch",           "ring-closed-form",
        "ring-long-waves", "ring-walls", "ring-compliant", "ring-conjecture", "--no-figures",
        "--output",        *state};
    end = program_run_to(TO_FILE, clearances, 12);
    if (end.code != 0) fail_msg("ended with %d\n%s%s", end.code, end.out, end.err);
    assert_null(strstr(end.out, "FAILS"));
    release(&end);

    // what is bad about schemes for vibro-impact problems
    char *vibro[] = {"reproduce", "vibro-schemes", "--no-figures", "--output", *state};
    end = program_run_to(TO_FILE, vibro, 5);
    if (end.code != 0) fail_msg("ended with %d\n%s%s", end.code, end.out, end.err);
    assert_null(strstr(end.out, "FAILS"));
    release(&end);

    // solvers, but for the long runs
    char *solvers[] = {"reproduce", "solvers", "--quick", "--no-figures", "--output", *state};
    end = program_run_to(TO_FILE, solvers, 6);
    if (end.code != 0) fail_msg("ended with %d\n%s%s", end.code, end.out, end.err);
    assert_null(strstr(end.out, "FAILS"));
    release(&end);

    // drill-strings; tests/control has the numbers of those that take longer
    char *drill[] = {"reproduce", "drill-robust", "--no-figures", "--output", *state};
    end = program_run_to(TO_FILE, drill, 5);
    if (end.code != 0) fail_msg("ended with %d\n%s%s", end.code, end.out, end.err);
    assert_null(strstr(end.out, "FAILS"));
    release(&end);

    // circuits and switching controllers
    char *control[] = {"reproduce", "circuits", "switching", "--no-figures", "--output", *state};
    end = program_run_to(TO_FILE, control, 6);
    if (end.code != 0) fail_msg("ended with %d\n%s%s", end.code, end.out, end.err);
    assert_null(strstr(end.out, "FAILS"));
    release(&end);

    // energy sinks, but for the long runs
    char *sinks[] = {"reproduce",    "nes-response", "nes-design", "--quick",
                     "--no-figures", "--output",     *state};
    end = program_run_to(TO_FILE, sinks, 7);
    if (end.code != 0) fail_msg("ended with %d\n%s%s", end.code, end.out, end.err);
    assert_null(strstr(end.out, "FAILS"));
    release(&end);

    char *list[] = {"reproduce", "--list"};
    static const char *const CHAINS[] = {"\nchains-binary ", "\nchains-dissipation ", "\nchains-exponent ",
                                         "\nchains-masses ", "\nchains-stiffness ",   "\nchains-wall "};
    end = program_run_to(TO_FILE, list, 2);
    assert_int_equal(end.code, 0);
    for (size_t i = 0; i < sizeof CHAINS / sizeof *CHAINS; i++) assert_says(end.out, CHAINS[i]);
    release(&end);
}


// A body under the constant force -2 from height 1: theta = 1/2 is exact, theta = 1 is off by h t.
static const char *const FALL = "parameters: {theta: 0.5}\n"
                                "parts:\n"
                                "  body: {coordinates: [q], mass: 1, force: -2}\n"
                                "contacts:\n"
                                "  ground: {gap: q + 10}\n"
                                "initial: {position: {q: 1}}\n"
                                "time: {end: 1, step: 0.125}\n"
                                "scheme: {name: moreau-jean, theta: theta}\n";


// Columns by formulas, rows before, aliases, sweeps and orders: all known for the falling body.
static void test_columns(void **state)
{
    write_file(*state, "fall.yaml", FALL);
    write_file(*state, "try.yaml",
               "title: Falling\n"
               "runs:\n"
               "  exact: {scene: fall.yaml}\n"
               "  late: {scene: fall.yaml, set: [theta=1], over: {time.step: [1/4, 1/8, 1/16]}}\n"
               "columns:\n"
               "  solution: height - t^2\n"
               "  error: q - solution\n"
               "  rate: {formula: (q - old)/dt, before: {old: q}}\n"
               "  above: {formula: g - 10, with: {g: 'gap:ground'}}\n"
               "  q: 2*q\n"
               "values:\n"
               "  height: 1\n"
               "  wrong: {run: exact, column: error, take: largest}\n"
               "  fastest: {run: exact, column: rate, take: min}\n"
               "  lowest: {run: exact, column: above}\n"
               "  twice: {run: exact, column: q, take: first}\n"
               "  off: {run: 'late[1]', column: error, take: largest}\n"
               "  order: {run: late, column: error, take: largest, across: order}\n"
               "  worst: {run: late, column: error, take: largest, across: max}\n"
               "  size: {run: exact, column: error, take: mean-size}\n"
               "checks:\n"
               "  - {that: wrong < 1e-14 && size < 1e-14, says: exact}\n"
               "  - {that: abs(fastest + 2 - 0.125) < 1e-12, says: mean velocity of the last step}\n"
               "  - {that: abs(lowest) < 1e-14, says: an alias}\n"
               "  - {that: twice == 2, says: a column of the file under the same name}\n"
               "  - {that: abs(off - 0.125) < 1e-12 && abs(worst - 0.25) < 1e-12, says: h t}\n"
               "  - {that: abs(order - 1) < 1e-12, says: order one}\n");
    outcome end = reproduce(*state, false);
    if (end.code != 0) fail_msg("ended with %d\n%s%s", end.code, end.out, end.err);
    release(&end);
}


// A run that is a computation: at coupling 0 every pattern has the orbit -cos(t)/cos(T/2), whose speed is -tan(T/2).
// Six heaps: one solver ends at the answer, another is not let.
static void test_solver_campaign(void **state)
{
    write_file(*state, "try.yaml",
               "title: Campaign\n"
               "runs:\n"
               "  both:\n"
               "    compute: solver-campaign\n"
               "    given: {kind: random, contacts: [8, 12], problems: 3, bodies: 1, friction: 0.2, "
               "iterations: 500,\n"
               "            solvers: \"nsgs,fp-ds:max-iter=1\"}\n"
               "values:\n"
               "  first: {run: both, column: solved, take: first, from: 1, to: 1}\n"
               "  second: {run: both, column: solved, take: first, from: 2, to: 2}\n"
               "  best: {run: both, column: s1, take: first}\n"
               "  never: {run: both, column: s2, take: max}\n"
               "  far: {run: both, column: residual, take: first, from: 2, to: 2}\n"
               "  near: {run: both, column: residual, take: first, from: 1, to: 1}\n"
               "  most: {run: both, column: contacts, take: max}\n"
               "  problems: {run: both, column: problem, take: rows}\n"
               "  open: {run: both, column: open, take: mean}\n"
               "  stick: {run: both, column: stick, take: mean}\n"
               "  slide: {run: both, column: slide, take: mean}\n"
               "checks:\n"
               "  - {that: first == 1 && second == 0 && best == 1 && never == 0, says: the only one that "
               "solves is the best}\n"
               "  - {that: near <= 1e-8 && far > 1e-8, says: residuals}\n"
               "  - {that: most == 12 && problems == 6, says: sizes times seeds}\n"
               "  - {that: abs(open + stick + slide - 1) < 1e-12 && slide > 0, says: states}\n");
    outcome end = reproduce(*state, false);
    if (end.code != 0) fail_msg("ended with %d\n%s%s", end.code, end.out, end.err);
    release(&end);

    static const struct {
        const char *given, *says;
    } WRONG[] = {
        {"{kind: walls, contacts: [5], solvers: nsgs}", "there is no scene 'walls'"},
        {"{kind: wall, contacts: [5], solvers: nsgss}", "nsgss"},
        {"{kind: wall, contacts: [0.5], solvers: nsgs}", "0.5"},
        {"{kind: wall, contacts: [5], solvers: \"nsgs:omega=1\"}", "omega"},
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        char text[512];
        snprintf(text, sizeof text, "title: Wrong\nruns:\n  bad: {compute: solver-campaign, given: %s}\n",
                 WRONG[i].given);
        write_file(*state, "try.yaml", text);
        end = reproduce(*state, false);
        assert_int_equal(end.code, 2);
        assert_says(end.err, WRONG[i].says);
        release(&end);
    }
}


static void test_computations(void **state)
{
    write_file(*state, "try.yaml",
               "title: Computed\n"
               "runs:\n"
               "  one: {compute: ring-orbit, given: {particles: 6, coupling: 0, period: 4, at-half: 2}}\n"
               "  many: {compute: ring-orbit, given: {particles: 6, coupling: 0, at-half: \"0:5\"},\n"
               "         over: {period: [3.5, 4, 5]}}\n"
               "columns:\n"
               "  error: y2 + cos(min(time, 4 - time))/cos(2)\n"
               "  twice: {formula: 2*n, with: {n: particle}}\n"
               "values:\n"
               "  wrong: {run: one, column: error, take: largest}\n"
               "  speed: {run: one, column: slowest}\n"
               "  rows: {run: one, column: error, take: rows}\n"
               "  last: {run: one, column: twice}\n"
               "  slow: {run: many, column: slowest, across: min}\n"
               "  later: {run: one, column: y, from: 3, take: rows}\n"
               "checks:\n"
               "  - {that: wrong < 1e-13 && abs(speed + tan(2)) < 1e-13, says: closed form}\n"
               "  - {that: rows == 401 && last == 10 && later == 3, says: tables of two lengths}\n"
               "  - {that: abs(slow + tan(2.5)) < 1e-13, says: the sweep}\n");
    outcome end = reproduce(*state, false);
    if (end.code != 0) fail_msg("ended with %d\n%s%s", end.code, end.out, end.err);
    release(&end);

    static const struct {
        const char *run, *says;
    } WRONG[] = {
        {"{compute: ring-orbits, given: {at-half: 2}}", "did you mean 'ring-orbit'?"},
        {"{compute: ring-orbit}", "the computation needs 'given'"},
        {"{compute: ring-orbit, given: {at-halve: 2}}", "did you mean 'at-half'?"},
        {"{compute: ring-orbit, given: {at-half: 2}, set: [a=1]}", "'set' belongs to scenes"},
        {"{scene: fall.yaml, given: {at-half: 2}}", "'given' belongs to computations"},
        {"{compute: ring-orbit, scene: fall.yaml, given: {}}", "exclude each other"},
        {"{given: {}}", "the key 'scene' or 'compute' is missing"},
        {"{compute: ring-orbit, given: {at-half: 2}, over: {coupling: [-1]}}", "must be from 0"},
        {"{compute: ring-orbit, given: {at-half: 200}}", "particles are 0 to 99"},
        {"{compute: ring-orbit, given: {}}", "no particle strikes"},
        {"{compute: ring-closed-form, given: {periods: [1, 2, 2.5]}}", "2.5 is no number of points"},
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        char text[512];
        snprintf(text, sizeof text, "title: Wrong\nruns:\n  bad: %s\n", WRONG[i].run);
        write_file(*state, "try.yaml", text);
        end = reproduce(*state, false);
        assert_int_equal(end.code, 2);
        assert_says(end.err, WRONG[i].says);
        release(&end);
    }
}


// A run that starts from the last state of another: q = 1 - t^2 with q(1) = 0 and v(1) = -2, then q = -2 t - t^2 from there.
static void test_from(void **state)
{
    write_file(*state, "fall.yaml", FALL);
    write_file(*state, "try.yaml",
               "title: Falling on\n"
               "runs:\n"
               "  first: {scene: fall.yaml}\n"
               "  second: {scene: fall.yaml, from: first}\n"
               "  others: {scene: fall.yaml, from: first, over: {time.step: [1/4, 1/8]}}\n"
               "values:\n"
               "  start: {run: second, column: q, take: first}\n"
               "  end: {run: second, column: q}\n"
               "  least: {run: others, column: q, across: min}\n"
               "checks:\n"
               "  - {that: abs(start) < 1e-14 && abs(end + 3) < 1e-14 && abs(least + 3) < 1e-14, says: it "
               "falls on}\n");
    outcome end = reproduce(*state, false);
    if (end.code != 0) fail_msg("ended with %d\n%s%s", end.code, end.out, end.err);
    release(&end);

    static const char *const WRONG[] = {"second", "nobody", "many"};
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "title: Wrong\nruns:\n  many: {scene: fall.yaml, over: {time.step: [1/4, 1/8]}}\n"
                 "  second: {scene: fall.yaml, from: %s}\n",
                 WRONG[i]);
        write_file(*state, "try.yaml", text);
        end = reproduce(*state, false);
        assert_int_equal(end.code, 2);
        assert_says(end.err, "is no run to start from");
        release(&end);
    }
}


// Rows of contacts that come and go are more than those of the state: measures and formulas take all of them, and do not mix the two.
static void test_tables(void **state)
{
    write_file(*state, "rest.yaml",
               "gravity: [0, 0, -10]\n"
               "bodies:\n"
               "  ground: {shape: plane, fixed: yes}\n"
               "  cube: {shape: {box: {size: [1, 1, 1]}}, mass: 2, position: [0, 0, 0.5]}\n"
               "time: {end: 0.1, step: 0.01}\n");
    static const char *const HEAD = "title: Resting\nruns:\n  rest: {scene: rest.yaml}\ncolumns:\n";
    char text[1024];
    snprintf(text, sizeof text,
             "%s"
             "  twice: {formula: 2*n, with: {n: emitted.gap}}\n"
             "values:\n"
             "  contacts: {run: rest, column: emitted.gap, take: rows}\n"
             "  doubled: {run: rest, column: twice, take: rows}\n"
             "  late: {run: rest, column: twice, take: rows, from: 0.055}\n"
             "checks:\n"
             "  - {that: contacts == 44 && doubled == 44 && late == 20, says: four corners at the start and "
             "in each of ten "
             "steps}\n",
             HEAD);
    write_file(*state, "try.yaml", text);
    outcome end = reproduce(*state, false);
    if (end.code != 0) fail_msg("ended with %d\n%s%s", end.code, end.out, end.err);
    release(&end);
    snprintf(text, sizeof text,
             "%s  mixed: {formula: n + energy, with: {n: emitted.gap}}\nvalues:\n  a: {run: rest, column: "
             "mixed}\n",
             HEAD);
    write_file(*state, "try.yaml", text);
    end = reproduce(*state, false);
    assert_int_equal(end.code, 2);
    assert_says(end.err, "they are of different tables");
    release(&end);
}


// A check that does not hold is told, with the numbers that it read, and ends with 1.
static void test_failing(void **state)
{
    write_file(*state, "fall.yaml", FALL);
    write_file(*state, "try.yaml",
               "title: Wrong\nruns:\n  fall: {scene: fall.yaml}\nvalues:\n  end: {run: fall, column: q}\n"
               "checks:\n  - {that: end > 1, says: it rises}\n  - {that: 1/(end - end) > 0, says: infinite}\n"
               "  - {that: 0/(end - end) < 1, says: not a number}\n");
    outcome end = reproduce(*state, false);
    assert_int_equal(end.code, 1);
    assert_says(end.out, "FAILS  it rises");
    assert_says(end.out, "end = 0");
    assert_says(end.out, "FAILS  not a number");
    assert_says(end.out, "2 of its checks fail");
    release(&end);
}


// What is wrong in a file is told with its place and a remedy.
static void test_messages(void **state)
{
    static const struct {
        const char *text, *says;
    } CASES[] = {
        {"values:\n  a: {run: fell, column: q}\n",
         "try.yaml:6:12: there is no run 'fell'; did you mean 'fall'?"},
        {"values:\n  a: {run: fall, column: qq}\n", "there is no column 'qq'; did you mean 'q'?"},
        {"values:\n  a: {run: many, column: q}\n",
         "'many' is a sweep: take one of its runs, many[0] to many[1]"},
        {"values:\n  a: {run: 'many[2]', column: q}\n", "'many' has the runs many[0] to many[1]"},
        {"values:\n  a: {run: fall, column: q, across: max}\n", "'across' needs a sweep"},
        {"values:\n  a: {run: fall, column: q, take: maximum}\n", "maximum"},
        {"columns:\n  a: x + 1\nvalues:\n  b: {run: fall, column: a}\n", "unknown name 'x'"},
        {"columns:\n  a: b\n  b: q\nvalues:\n  c: {run: fall, column: a}\n", "unknown name 'b'"},
        {"columns:\n  a: {formula: a, with: {a: a}}\nvalues:\n  c: {run: fall, column: a}\n",
         "there is no column 'a'"},
        {"columns:\n  a: {formula: q, with: [q]}\nvalues:\n  c: {run: fall, column: a}\n",
         "must be a mapping"},
        {"checks:\n  - {that: unknown > 1, says: x}\n", "unknown name 'unknown'"},
    };
    write_file(*state, "fall.yaml", FALL);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "title: Wrong\nruns:\n  fall: {scene: fall.yaml}\n"
                 "  many: {scene: fall.yaml, over: {time.step: [1/4, 1/8]}}\n%s",
                 CASES[i].text);
        write_file(*state, "try.yaml", text);
        outcome end = reproduce(*state, false);
        assert_int_equal(end.code, 2);
        assert_says(end.err, CASES[i].says);
        release(&end);
    }
    write_file(*state, "try.yaml", "title: Wrong\nruns:\n  fall: {scene: fall.yaml, over: {time.step: 1}}\n");
    outcome end = reproduce(*state, false);
    assert_int_equal(end.code, 2);
    assert_says(end.err, "'over' must name one thing and its values");
    release(&end);
}


// Curves, sweeps and points in one figure, every style; skipped where gnuplot is not.
static void test_figure(void **state)
{
    if (system("command -v gnuplot > /dev/null 2>&1") != 0) skip();
    write_file(*state, "fall.yaml", FALL);
    write_file(*state, "try.yaml",
               "title: Drawn\n"
               "runs:\n"
               "  fall: {scene: fall.yaml}\n"
               "  many: {scene: fall.yaml, set: [theta=1], over: {time.step: [1/4, 1/8]}}\n"
               "columns: {solution: 1 - t^2, error: q - solution}\n"
               "figures:\n"
               "  all.svg:\n"
               "    panels:\n"
               "      - {run: fall, y: [q, solution], style: [both, dashed], low: 0, high: 2}\n"
               "      - {run: many, y: [error, error], take: [largest, rms], style: points, log-x: true,\n"
               "         points: {slope 1: [[1/8, 1/8], [1/4, 1/4]]}}\n");
    outcome end = reproduce(*state, true);
    if (end.code != 0) fail_msg("ended with %d\n%s%s", end.code, end.out, end.err);
    char path[512], text[64] = "";
    snprintf(path, sizeof path, "%s/try/all.svg", (char *)*state);
    FILE *drawn = fopen(path, "r");
    assert_non_null(drawn);
    assert_non_null(fgets(text, sizeof text, drawn));
    assert_says(text, "<?xml");
    fclose(drawn);
    release(&end);
}


// Grids by colours and curves with axes of their own; what is no grid and what is no single run is refused.
static void test_maps(void **state)
{
    if (system("command -v gnuplot > /dev/null 2>&1") != 0) skip();
    static const char *const HEAD = "title: Drawn\n"
                                    "runs:\n"
                                    "  go: {compute: ring-run, given: {particles: 3, coupling: 0.02, "
                                    "at-start: 1, periods: 1, samples: 4, "
                                    "last: 2}}\n"
                                    "  many: {compute: ring-linear, given: {}, over: {mode: [1, 2]}}\n"
                                    "figures:\n"
                                    "  all.svg:\n"
                                    "    panels:\n";
    static const struct {
        const char *panel, *says;
        int code;
    } CASES[] = {
        {"{map: {run: go, x: grid_time, y: grid_particle, z: grid_y}, equal: true, curves: [{run: 'many[1]', "
         "x: particle, y: y, label: wave, style: dashed, grey: true}]}",
         "", 0},
        {"{map: {run: go, x: time, y: grid_particle, z: grid_y}}", "are no grid", 2},
        {"{map: {run: many, x: particle, y: y, z: v}}", "'many' is a sweep: a map is of one of its runs", 2},
        {"{curves: [{run: many, x: particle, y: y}]}", "'many' is a sweep: a curve is of one of its runs", 2},
        {"{curves: [{run: go, y: off, style: wavy}]}", "'style' is 'wavy'", 2},
        {"{title: empty}", "none of 'run', 'points', 'curves' and 'map'", 2},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char text[1024];
        snprintf(text, sizeof text, "%s      - %s\n", HEAD, CASES[i].panel);
        write_file(*state, "try.yaml", text);
        outcome end = reproduce(*state, true);
        if (end.code != CASES[i].code) fail_msg("ended with %d\n%s%s", end.code, end.out, end.err);
        assert_says(end.err, CASES[i].says);
        release(&end);
    }
}


int main(void)
{
    if (program_path() == NULL) return PROGRAM_SKIP;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_all, setup, teardown),
        cmocka_unit_test_setup_teardown(test_columns, setup, teardown),
        cmocka_unit_test_setup_teardown(test_solver_campaign, setup, teardown),
        cmocka_unit_test_setup_teardown(test_computations, setup, teardown),
        cmocka_unit_test_setup_teardown(test_from, setup, teardown),
        cmocka_unit_test_setup_teardown(test_tables, setup, teardown),
        cmocka_unit_test_setup_teardown(test_failing, setup, teardown),
        cmocka_unit_test_setup_teardown(test_messages, setup, teardown),
        cmocka_unit_test_setup_teardown(test_figure, setup, teardown),
        cmocka_unit_test_setup_teardown(test_maps, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
