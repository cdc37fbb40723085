// The program as its users meet it: every command, every help, every way to go wrong, with its exit code.

#include "folder.h"

#include "ricochet/ricochet.h"

// Each test works in a folder of its own, filled with three small problems.

static outcome rico(const char *line)
{
    return program_line(TO_FILE, folder, line);
}


// JSON is checked by a parser that is not ours, where there is one.
static void expect_json(const char *line, int code)
{
    outcome got = rico(line);
    assert_int_equal(got.code, code);
    assert_int_equal(got.out[0], '{');
    if (access("/usr/bin/python3", X_OK) == 0) {
        FILE *parser = popen("/usr/bin/python3 -m json.tool > /dev/null 2>&1", "w");
        fputs(got.out, parser);
        if (pclose(parser) != 0) fail_msg("rico %s: not JSON:\n%s", line, got.out);
    }
    release(&got);
}


static int remove_tree(const char *path)
{
    char command[320];
    snprintf(command, sizeof command, "rm -rf '%s'", path);
    return system(command);
}


static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/rico-test-XXXXXX");
    if (mkdtemp(folder) == NULL) return -1;
    outcome got = rico("generate random --contacts 12 --bodies 8 --output %s/a.hdf5");
    int code = got.code;
    release(&got);
    got = rico("generate random --contacts 9 --bodies 4 --seed 3 --form reduced --output %s/b.hdf5");
    code += got.code;
    release(&got);
    FILE *bad = fopen(path_in("bad.hdf5"), "w");
    fputs("this is no HDF5 file\n", bad);
    fclose(bad);
    return code;
}


static int drop_folder(void **state)
{
    (void)state;
    return remove_tree(folder);
}


// ---- help, version, usage ----

static void test_help_everywhere(void **state)
{
    (void)state;
    expect("", 2, "", "Usage: rico COMMAND");
    expect("help", 0, "Exit codes", "");
    expect("--help", 0, "Exit codes", "");
    expect("-h", 0, "Example:\n  rico run", "");
    expect("help help", 0, "Exit codes", "");
    expect("--version", 0, "rico ", "");
    static const char *const commands[] = {"solve", "solvers", "info", "generate", "bench"};
    for (int i = 0; i < 5; i++) {
        char line[64], usage[64], example[64];
        snprintf(usage, sizeof usage, "Usage: rico %s ", commands[i]);
        snprintf(example, sizeof example, "Example:\n  rico %s ", commands[i]);
        snprintf(line, sizeof line, "help %s", commands[i]);
        expect(line, 0, usage, "");
        expect(line, 0, example, "");
        snprintf(line, sizeof line, "%s --help", commands[i]);
        expect(line, 0, usage, "");
        snprintf(line, sizeof line, "%s --nonsense -h", commands[i]);
        expect(line, 0, usage, "");
        snprintf(usage, sizeof usage, "  %s ", commands[i]);
        expect("help", 0, usage, "");
    }
    expect("solve --help", 0, "--time-limit S", "");
    expect("generate --help", 0, "--friction-spread X", "");
}


static void test_wrong_words(void **state)
{
    (void)state;
    static const struct {
        const char *line, *err;
    } cases[] = {
        {"slove", "rico: unknown command 'slove'; did you mean 'solve'?"},
        {"banana", "rico: unknown command 'banana'; 'rico help'"},
        {"--vresion", "rico: unknown option '--vresion'; did you mean '--version'?"},
        {"help inof", "unknown command 'inof'; did you mean 'info'?"},
        {"help solve info", "'info'"},
        {"solve", "rico solve: no FILE given"},
        {"solve %s/a.hdf5 --tool 1", "unknown option '--tool'; did you mean '--tol'?"},
        {"solve %s/a.hdf5 --tol", "option '--tol' needs a value"},
        {"solve %s/a.hdf5 --tol abc", "--tol"},
        {"solve %s/a.hdf5 --tol nan", "--tol"},
        {"solve %s/a.hdf5 --tol 1e-8x", "1e-8x"},
        {"solve %s/a.hdf5 --tol -1", "--tol"},
        {"solve %s/a.hdf5 --max-iter 1.5", "--max-iter"},
        {"solve %s/a.hdf5 --max-iter -3", "--max-iter"},
        {"solve %s/a.hdf5 --time-limit=-1", "--time-limit"},
        {"solve %s/a.hdf5 --solver nsgz", "unknown solver 'nsgz'; did you mean 'nsgs'?"},
        {"solve %s/a.hdf5 --solver quantum", "unknown solver 'quantum'; 'rico solvers'"},
        {"solve %s/a.hdf5 --set tol", "needs OPTION=VALUE, got 'tol'"},
        {"solve %s/a.hdf5 --set =1", "needs OPTION=VALUE, got '=1'"},
        {"solve %s/a.hdf5 --solver nsgs --set tll=1", "no option 'tll'; did you mean 'tol'?"},
        {"solve %s/a.hdf5 --set tol=", "--set"},
        {"solve %s/a.hdf5 --guess flie", "must be 'none' or 'file', got 'flie'; did you mean 'file'?"},
        {"solve %s/a.hdf5 --json=yes", "takes no value, got '--json=yes'"},
        {"solvers nsgz", "unknown solver 'nsgz'; did you mean 'nsgs'?"},
        {"solvers nsgs nsgs", "one solver at a time, got also 'nsgs'"},
        {"info", "rico info: no FILE given"},
        {"info --jsn %s/a.hdf5", "did you mean '--json'?"},
        {"generate", "no KIND given to generate; there are random, spheres, bed"},
        {"generate radnom --output %s/x.hdf5", "unknown kind of problem 'radnom'; did you mean 'random'?"},
        {"generate random", "'--output' is missing"},
        {"generate random --contacts 1e3 --output %s/x.hdf5", "needs a whole number, got '1e3'"},
        {"generate random --contacts -1 --output %s/x.hdf5", "got '-1'"},
        {"generate random --bodies 0 --output %s/x.hdf5", "got '0'"},
        {"generate random --friction inf --output %s/x.hdf5", "needs a number, got 'inf'"},
        {"generate random --friction-spread 2 --output %s/x.hdf5", "between 0 and 1, got '2'"},
        {"generate random --dimension 4 --output %s/x.hdf5", "must be '2' or '3', got '4'"},
        {"generate random --form locla --output %s/x.hdf5", "'global' or 'reduced', got 'locla'"},
        {"generate random --count 0 --output %s/x.hdf5", "got '0'"},
        {"generate banana --output %s/x.hdf5", "unknown kind of problem 'banana'; there are random, spheres"},
        {"generate shperes --output %s/x.hdf5", "unknown kind of problem 'shperes'; did you mean 'spheres'?"},
        {"generate bed wall --output %s/x.hdf5", "one KIND at a time, got also 'wall'"},
        {"generate bed --contacts 0 --output %s/x.hdf5", "a scene cannot have 0 contacts"},
        {"generate bed --bodies 7 --output %s/x.hdf5", "option '--bodies' means nothing to 'bed'"},
        {"generate bed --dimension 2 --output %s/x.hdf5", "option '--dimension' means nothing to 'bed'"},
        {"generate wall --layers 7 --output %s/x.hdf5", "option '--layers' means nothing to 'wall'"},
        {"generate wall --stacking aligned --output %s/x.hdf5", "'--stacking' means nothing to 'wall'"},
        {"generate random --step 2 --output %s/x.hdf5", "option '--step' means nothing to 'random'"},
        {"generate random --perturbation 2 --output %s/x.hdf5", "'--perturbation' means nothing to 'random'"},
        {"generate bed --perturbation -1 --output %s/x.hdf5", "--perturbation"},
        {"generate bed --step 1.5 --output %s/x.hdf5", "needs a whole number, got '1.5'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        // one sentence on one line, and not a word of results
        outcome got = rico(cases[i].line);
        bool one_line = strchr(got.err, '\n') == got.err + strlen(got.err) - 1;
        if (got.code != 2 || got.out[0] != '\0' || !one_line || strstr(got.err, cases[i].err) == NULL)
            fail_msg("rico %s: exit %d, '%s', '%s'", cases[i].line, got.code, got.out, got.err);
        release(&got);
    }
    assert_false(exists("x.hdf5"));

    // nothing is made when the words are wrong, wherever the mistake stands
    expect("solve %s/a.hdf5 --write %s/out --history %s/h.csv --tol x", 2, "", "--tol");
    assert_false(exists("out"));
    assert_false(exists("h.csv"));
}


// ---- solve ----

static void test_solve_prints_a_table(void **state)
{
    (void)state;
    expect("solve %s/a.hdf5 %s/b.hdf5", 0, "2 solved, 0 not, 0 unreadable\n", "");
    outcome got = rico("solve %s/a.hdf5 %s/b.hdf5 --solver nsgs --tol 1e-6");
    static const char *const titles[] = {"file",    "contacts", "iterations", "residual",
                                         "|F|/|q|", "seconds",  "stop"};
    for (int i = 0; i < 7; i++) assert_non_null(strstr(got.out, titles[i]));
    assert_non_null(strstr(got.out, path_in("a.hdf5")));
    assert_non_null(strstr(got.out, "converged"));

    // columns end at the same place in the head and in each row: `contacts` is right-aligned
    const char *second = strchr(got.out, '\n') + 1, *third = strchr(second, '\n') + 1;
    size_t end = (size_t)(strstr(got.out, "contacts") - got.out) + strlen("contacts");
    assert_memory_equal(second + end - 3, " 12 ", 4);
    assert_memory_equal(third + end - 2, " 9 ", 3);
    release(&got);
}


static void test_unsolved_says_why(void **state)
{
    (void)state;
    expect("solve %s/a.hdf5 --solver nsgs --max-iter 1 --tol 1e-14", 1, "    not solved: ", "");
    expect("solve %s/a.hdf5 %s/b.hdf5 --solver nsgs --max-iter 0 --tol 0", 1, "0 solved, 2 not, 0 unreadable",
           "");
    expect("solve %s/a.hdf5 --set max-iter=0 --set tol=0", 1, "max-iterations", "");
}


static void test_one_bad_file_stops_no_other(void **state)
{
    (void)state;
    expect("solve %s/bad.hdf5 %s/a.hdf5", 2, "1 solved, 0 not, 1 unreadable", "bad.hdf5");
    expect("solve %s/none.hdf5 %s/a.hdf5", 3, "1 solved, 0 not, 1 unreadable", "none.hdf5");
    expect("solve %s/none.hdf5 %s/bad.hdf5", 3, "0 solved, 0 not, 2 unreadable", NULL);
    expect("solve %s/bad.hdf5 %s/a.hdf5 --max-iter 0 --tol 0", 2, "0 solved, 1 not, 1 unreadable", NULL);
    expect("info %s/none.hdf5 %s/a.hdf5", 3, "rows", "none.hdf5");
    expect("info %s/bad.hdf5", 2, "", "bad.hdf5");

    // an empty file, a file cut short, a folder
    fclose(fopen(path_in("empty.hdf5"), "w"));
    expect("solve %s/empty.hdf5", 2, "1 unreadable", "empty.hdf5");
    FILE *whole = fopen(path_in("a.hdf5"), "rb");
    char bytes[1500];
    size_t count = fread(bytes, 1, sizeof bytes, whole);
    fclose(whole);
    FILE *cut = fopen(path_in("cut.hdf5"), "wb");
    fwrite(bytes, 1, count, cut);
    fclose(cut);
    expect("solve %s/cut.hdf5", 2, "1 unreadable", "cut.hdf5");
    outcome got = rico("solve %s");
    assert_in_range(got.code, 2, 3);
    release(&got);
}


static void test_json_documents(void **state)
{
    (void)state;
    expect_json("solve %s/a.hdf5 %s/b.hdf5 --json", 0);
    expect_json("solve %s/a.hdf5 --json --max-iter 0 --tol 0", 1);
    expect_json("solve %s/bad.hdf5 %s/none.hdf5 %s/a.hdf5 --json", 3);
    expect_json("info %s/a.hdf5 %s/b.hdf5 --json", 0);
    expect_json("info %s/a.hdf5 %s/bad.hdf5 --json", 2);
    expect_json("solvers --json", 0);
    expect_json("solvers nsgs --json", 0);
    expect("solve %s/a.hdf5 --json", 0, "\"solved\": true", "");
    expect("solve %s/bad.hdf5 --json", 2, "\"error\": ", "bad.hdf5");
    expect("info %s/a.hdf5 --json", 0, "\"coulomb_3d\": 12", "");
}


static void test_write(void **state)
{
    (void)state;
    expect("solve %s/a.hdf5 %s/b.hdf5 --write %s/deep/er --tol 1e-9", 0, "2 solved", "");
    assert_true(exists("deep/er/a.hdf5"));

    // the copies hold a solution of that quality, and the problem still
    outcome got = rico("info %s/deep/er/a.hdf5 %s/deep/er/b.hdf5 --json");
    assert_int_equal(got.code, 0);
    int seen = 0;
    for (char *at = got.out; (at = strstr(at, "\"solution_residual\": ")) != NULL; seen++) {
        at += strlen("\"solution_residual\": ");
        assert_at_most(strtod(at, NULL), 1e-9);
        assert_true(*at != 'n');
    }
    assert_int_equal(seen, 2);
    assert_non_null(strstr(got.out, "\"coulomb_3d\": 12"));
    release(&got);

    // into its own folder, directly or through a link; two of one name
    expect("solve %s/a.hdf5 --write %s", 2, "", "would overwrite the input file");
    assert_int_equal(symlink(folder, path_in("self")), 0);
    expect("solve %s/a.hdf5 --write %s/self/", 2, "", "would overwrite the input file");
    expect("solve %s/a.hdf5 %s/b.hdf5 %s/deep/er/a.hdf5 --write %s/twice", 2, "",
           "would both be written to 'a.hdf5'");
    assert_false(exists("twice"));

    // nowhere to go
    expect("solve %s/a.hdf5 --write %s/bad.hdf5/out", 3, "", "cannot make the folder");
    expect("solve %s/a.hdf5 --write /proc/nowhere", 3, "", "/proc/nowhere");
}


static void test_history(void **state)
{
    (void)state;
    expect("solve %s/a.hdf5 %s/b.hdf5 --history %s/h.csv", 0, NULL, "");
    FILE *in = fopen(path_in("h.csv"), "r");
    assert_non_null(in);
    char line[512], file[256];
    assert_non_null(fgets(line, sizeof line, in));
    assert_string_equal(line, "file,iteration,seconds,residual\n");
    int rows = 0;
    double residual = 1.0;
    while (fgets(line, sizeof line, in) != NULL) {
        long long iteration;
        double seconds;
        assert_int_equal(sscanf(line, "%255[^,],%lld,%lf,%lf", file, &iteration, &seconds, &residual), 4);
        rows++;
    }
    fclose(in);
    assert_true(rows >= 2);
    assert_string_equal(file, path_in("b.hdf5"));
    assert_at_most(residual, 1e-8);

    expect("solve %s/a.hdf5 --history %s/a.hdf5", 2, "", "would overwrite the input file");
    expect("solve %s/a.hdf5 --history %s/none/h.csv", 3, "", "none/h.csv");
    expect("info %s/a.hdf5", 0, "rows", "");
}


// Starting from its own solution, a problem is solved before the first iteration; from zero it is not.
static void test_guess(void **state)
{
    (void)state;
    expect("solve %s/a.hdf5 --guess file", 0, "1 solved", "holds no guess; starting from zero");
    expect("solve %s/a.hdf5 --guess none --write %s/out --tol 1e-10", 0, "1 solved", "");

    rico_context *ctx = rico_context_create(NULL);
    rico_fclib *solved;
    assert_ok(ctx, rico_fclib_read(ctx, path_in("out/a.hdf5"), &solved));
    rico_fclib_extras extras = {.guess_count = 1, .guesses = &solved->solution};
    assert_ok(ctx, rico_fclib_write(solved->problem, &extras, path_in("warm.hdf5")));
    rico_fclib_destroy(ctx, solved);
    rico_context_destroy(ctx);

    expect("solve %s/warm.hdf5 --guess none --max-iter 0", 1, "max-iterations", "");
    expect("solve %s/warm.hdf5 --guess file --max-iter 0", 0, "converged", "");
    expect("solve %s/warm.hdf5 --guess file --max-iter 0 --json", 0, "\"guess\": \"file\"", "");

    // a copy keeps the guesses
    expect("solve %s/warm.hdf5 --write %s/out", 0, "1 solved", "");
    expect("info %s/out/warm.hdf5 --json", 0, "\"guesses\": 1", "");
}


// One contact that approaches and cannot be pushed: W = 0, so that u = q whatever r. There is no solution.
static void test_no_solution_is_guaranteed(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_problem *problem;
    const rico_block block = {RICO_COULOMB_3D, 3, 0.5};
    const int64_t start[4] = {0, 1, 2, 3}, row[3] = {0, 1, 2};
    const double zero[3] = {0.0, 0.0, 0.0}, q[3] = {-1.0, 0.0, 0.0};
    rico_sparse_view W = {3, 3, start, row, zero};
    assert_ok(ctx, rico_problem_create_reduced(ctx, 1, &block, &W, q, &problem));
    assert_ok(ctx, rico_fclib_write(problem, &(rico_fclib_extras){0}, path_in("stuck.hdf5")));
    rico_problem_destroy(problem);
    rico_context_destroy(ctx);

    expect("solve %s/stuck.hdf5", 1, "    not solved: ", NULL);
    expect("solve %s/stuck.hdf5", 1, "    no solution is guaranteed: ", NULL);
    expect("solve %s/stuck.hdf5 --json", 1, "\"guaranteed\": false", NULL);
    expect("info %s/stuck.hdf5 --json", 0, "\"guaranteed\": false", "");
}


static void test_odd_file_names(void **state)
{
    (void)state;
    // a quote and a byte that is not UTF-8, then a name that looks like an option
    char odd[256], command[640];
    snprintf(odd, sizeof odd, "%s/q\"\xff.hdf5", folder);
    snprintf(command, sizeof command, "cp '%s/a.hdf5' '%s' && cp '%s/a.hdf5' '%s/--json'", folder, odd,
             folder, folder);
    assert_int_equal(system(command), 0);
    expect_json("solve --json -- %s/q\"\xff.hdf5", 0);
    expect("solve %s/q\"\xff.hdf5", 0, "1 solved", "");
    expect("solve -- --json", 3, "1 unreadable", "--json");
}


// ---- solvers, info, generate ----

static void test_solvers(void **state)
{
    (void)state;
    expect("solvers", 0, "nsgs", "");
    expect("solvers nsgs", 0, "time-limit", "");
    expect("solvers nsgs", 0, "reference", "");
    expect("solvers nsgs", 0, "3D friction", "");
    expect("solvers nsgs --json", 0, "\"common_options\": [", "");
}


static void test_info(void **state)
{
    (void)state;
    expect("info %s/a.hdf5", 0, "friction in 3D        12\n", "");
    expect("info %s/a.hdf5", 0, "global (M, H, f, w)", "");
    expect("info %s/b.hdf5", 0, "reduced (W, q)", "");
    expect("info %s/b.hdf5", 0, "existence", "");
    expect("info %s/b.hdf5", 0, "no solution in the file", "");
}


static void test_generate(void **state)
{
    (void)state;
    expect("generate random --count 3 --seed 9 --contacts 4 --bodies 3 --output %s/many", 0, "random-11.hdf5",
           "");
    assert_true(exists("many/random-09.hdf5"));
    assert_true(exists("many/random-10.hdf5"));
    expect("solve %s/many/random-09.hdf5 %s/many/random-10.hdf5 %s/many/random-11.hdf5", 0, "3 solved", "");

    // an existing folder takes one problem as well; the same seed gives the same bytes of data
    expect("generate random --seed 10 --contacts 4 --bodies 3 --output %s/many/", 0, "many/random-10.hdf5",
           "");
    outcome first = rico("info --json %s/many/random-10.hdf5");
    expect("generate random --seed 10 --contacts 4 --bodies 3 --output %s/many/random-10.hdf5", 0, "wrote",
           "");
    outcome second = rico("info --json %s/many/random-10.hdf5");
    assert_string_equal(first.out, second.out);
    release(&first);
    release(&second);

    // every kind of problem can be written, read and solved
    expect("generate random --dimension 2 --contacts 6 --bodies 4 --output %s/flat.hdf5", 0, "wrote", "");
    expect("info %s/flat.hdf5", 0, "friction in 2D        6\n", "");
    expect("generate random --joints 2 --friction 0.3 --friction-spread 0.5 --output %s/joints.hdf5", 0,
           "wrote", "");
    expect("info %s/joints.hdf5", 0, "equality", "");
    expect("generate random --joints 2 --form reduced --output %s/reduced.hdf5", 0, "wrote", "");
    expect("info %s/reduced.hdf5", 0, "equality", "");
    expect("generate random --contacts 0 --output %s/nothing.hdf5", 0, "wrote", "");
    expect("solve %s/flat.hdf5 %s/nothing.hdf5", 0, "2 solved", "");

    // scenes: every kind, their own options, and a later step beside the first
    expect("generate --help", 0, "\n  chain     a chain of ", "");
    static const char *const scenes[] = {"spheres", "bed --layers 2 --stacking aligned", "chain", "wall",
                                         "tower"};
    for (int i = 0; i < 5; i++) {
        char line[128];
        snprintf(line, sizeof line, "generate %s --contacts 20 --output %%s/scenes/", scenes[i]);
        expect(line, 0, "wrote", "");
    }
    expect("generate bed --contacts 20 --step 2 --output %s/scenes/", 0, "scenes/bed-1-step-2.hdf5\n", "");
    expect("solve %s/scenes/spheres-1.hdf5 %s/scenes/bed-1.hdf5 %s/scenes/chain-1.hdf5", 0, "3 solved", "");
    expect("solve %s/scenes/wall-1.hdf5 %s/scenes/tower-1.hdf5 %s/scenes/bed-1-step-2.hdf5", 0, "3 solved",
           "");
    expect("info %s/scenes/bed-1.hdf5", 0, "friction in 3D        20\n", "");

    expect("generate random --output %s/none/x.hdf5", 3, "", "none/x.hdf5");
    expect("generate random --count 2 --output %s/bad.hdf5", 3, "", "cannot make the folder");
}


// ---- the world outside ----

static void test_output_that_goes_nowhere(void **state)
{
    (void)state;
    static const char *const lines[] = {"help",           "--version",          "solvers",
                                        "solve --help",   "solve %s/a.hdf5",    "solve %s/a.hdf5 --json",
                                        "info %s/a.hdf5", "solvers nsgs --json"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        if (access("/dev/full", W_OK) == 0) {
            outcome got = program_line(TO_FULL_DISK, folder, lines[i]);
            assert_int_equal(got.code, 3);
            assert_non_null(strstr(got.err, "cannot write to the standard output: No space left on device"));
            release(&got);
        }
        for (int j = 0; j < 2; j++) {
            outcome got = program_line(j == 0 ? TO_NOBODY : TO_CLOSED, folder, lines[i]);
            assert_int_equal(got.code, 3);
            assert_string_equal(got.err, "");
            release(&got);
        }
    }

    // with the output closed, nothing printed may land in a file that is written
    outcome got =
        program_line(TO_CLOSED, folder, "generate random --contacts 4 --bodies 3 --output %s/c.hdf5");
    assert_int_equal(got.code, 3);
    release(&got);
    expect("solve %s/c.hdf5", 0, "1 solved", "");
}


// Starts a solve that would never end and interrupts it once the head of its table shows that it is at work.
static void test_interrupt(void **state)
{
    (void)state;
    expect("generate random --contacts 400 --bodies 80 --output %s/big.hdf5", 0, "wrote", "");
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        signal(SIGINT, SIG_DFL);
        char first[256], second[256];
        snprintf(first, sizeof first, "%s/big.hdf5", folder);
        snprintf(second, sizeof second, "%s/a.hdf5", folder);
        execl(program_path(), "rico", "solve", first, second, "--solver", "nsgs", "--tol", "0", "--max-iter",
              "1000000000", (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    FILE *in = fdopen(ends[0], "r");
    char text[4096];
    assert_non_null(fgets(text, sizeof text, in));
    assert_non_null(strstr(text, "iterations"));
    kill(child, SIGINT);
    size_t count = fread(text, 1, sizeof text - 1, in);
    text[count] = '\0';
    fclose(in);
    int ended = 0;
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFEXITED(ended));
    assert_int_equal(WEXITSTATUS(ended), 130);
    assert_non_null(strstr(text, "interrupted, "));
}


// What the program writes to a terminal on its error stream.
static void watch_on_terminal(const char *terminal, const char *extra, char *text, size_t size)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    bool ready = master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0;
    int slave = ready ? open(ptsname(master), O_RDWR | O_NOCTTY) : -1;
    if (slave < 0) {
        if (master >= 0) close(master);
        skip(); // a chroot without /dev/pts has no terminals to lend
    }
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        dup2(slave, STDERR_FILENO);
        dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
        setenv("TERM", terminal, 1);
        char file[256];
        snprintf(file, sizeof file, "%s/a.hdf5", folder);
        execl(program_path(), "rico", "solve", file, extra, (char *)NULL);
        _exit(127);
    }
    close(slave);
    size_t used = 0;
    ssize_t got;
    while (used + 1 < size && (got = read(master, text + used, size - used - 1)) > 0) used += (size_t)got;
    text[used] = '\0';
    close(master);
    int ended = 0;
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFEXITED(ended));
    assert_int_equal(WEXITSTATUS(ended), 0);
}


static void test_progress_on_a_terminal(void **state)
{
    (void)state;
    static const char erased[] = "\r\033[K";
    char text[4096];
    watch_on_terminal("xterm", "--guess=none", text, sizeof text);
    assert_non_null(strstr(text, "[1/1] "));
    assert_non_null(strstr(text, "a.hdf5  reading"));
    assert_true(strlen(text) > strlen(erased));
    assert_string_equal(text + strlen(text) - strlen(erased), erased);

    watch_on_terminal("xterm", "--quiet", text, sizeof text);
    assert_string_equal(text, "");
    watch_on_terminal("dumb", "--guess=none", text, sizeof text);
    assert_string_equal(text, "");
}


int main(void)
{
    if (program_path() == NULL) return PROGRAM_SKIP;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_help_everywhere, make_folder, drop_folder),
        cmocka_unit_test_setup_teardown(test_wrong_words, make_folder, drop_folder),
        cmocka_unit_test_setup_teardown(test_solve_prints_a_table, make_folder, drop_folder),
        cmocka_unit_test_setup_teardown(test_unsolved_says_why, make_folder, drop_folder),
        cmocka_unit_test_setup_teardown(test_one_bad_file_stops_no_other, make_folder, drop_folder),
        cmocka_unit_test_setup_teardown(test_json_documents, make_folder, drop_folder),
        cmocka_unit_test_setup_teardown(test_write, make_folder, drop_folder),
        cmocka_unit_test_setup_teardown(test_history, make_folder, drop_folder),
        cmocka_unit_test_setup_teardown(test_guess, make_folder, drop_folder),
        cmocka_unit_test_setup_teardown(test_no_solution_is_guaranteed, make_folder, drop_folder),
        cmocka_unit_test_setup_teardown(test_odd_file_names, make_folder, drop_folder),
        cmocka_unit_test_setup_teardown(test_solvers, make_folder, drop_folder),
        cmocka_unit_test_setup_teardown(test_info, make_folder, drop_folder),
        cmocka_unit_test_setup_teardown(test_generate, make_folder, drop_folder),
        cmocka_unit_test_setup_teardown(test_output_that_goes_nowhere, make_folder, drop_folder),
        cmocka_unit_test_setup_teardown(test_progress_on_a_terminal, make_folder, drop_folder),
        cmocka_unit_test_setup_teardown(test_interrupt, make_folder, drop_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
