// rico run: results, kills and resumes, full disks, Ctrl-C, readers that go away, scenes that are wrong.

#include "program.h"

#include "ricochet/store.h"

#include <sched.h>
#include <sys/resource.h>

static const char SCENE[] =
    "parameters: {n: 40, e: 1/2}\n"
    "parts:\n"
    "  bar: {kind: bar, elements: n, length: 1, section: 1e-4*pi, young: 210e9, density: 7800}\n"
    "  stick: {coordinates: [x, y, gamma], mass: [1, 1, 1/12], force: [0, -10, 0]}\n"
    "contacts:\n"
    "  wall: bar[0] + 1e-6\n"
    "  end: {gap: y - cos(gamma)/2, tangent: x + sin(gamma)/2, restitution: e, friction: 0.3}\n"
    "initial:\n"
    "  position: {y: 0.5, gamma: 0.7}\n"
    "  velocity: {bar: -0.1, x: 0.3}\n"
    "time: {end: 4e-2, step: 2e-6}\n";


static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}


static int setup(void **state)
{
    *state = rico_context_create(NULL);
    if (!*state) return 1;
    if (program_path()) write_text("test_run.yaml", SCENE);
    return 0;
}


static int teardown(void **state)
{
    const char *files[] = {"test_run.yaml", "test_run_whole.h5", "test_run_killed.h5",
                           "test_run_killed.h5.checkpoint"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) unlink(files[i]);
    rico_context_destroy(*state);
    return 0;
}


static pid_t start(char *const *words, int limit_kilobytes)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        int nowhere = open("/dev/null", O_WRONLY);
        signal(SIGINT, SIG_DFL);
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        if (limit_kilobytes > 0) {
            struct rlimit limit = {(rlim_t)limit_kilobytes * 1024, (rlim_t)limit_kilobytes * 1024};
            setrlimit(RLIMIT_FSIZE, &limit);
        }
        execv(program_path(), words);
        _exit(127);
    }
    return child;
}


// Waits until the run has replaced its checkpoint so many times, or has ended. What the machine does besides changes how
// long that takes, not what comes of it.
static void wait_for_checkpoints(pid_t child, int count)
{
    struct stat about;
    ino_t last = 0;
    siginfo_t end = {0};
    while (count > 0 && end.si_pid == 0) {
        if (stat("test_run_killed.h5.checkpoint", &about) == 0 && about.st_ino != last) {
            last = about.st_ino;
            count--;
        }
        if (waitid(P_PID, (id_t)child, &end, WEXITED | WNOHANG | WNOWAIT) != 0) break;
        sched_yield();
    }
}


static int end_of(pid_t child)
{
    int state;
    assert_int_equal(waitpid(child, &state, 0), child);
    return WIFEXITED(state) ? WEXITSTATUS(state) : -WTERMSIG(state);
}


static void assert_same(rico_context *ctx, const char *a, const char *b)
{
    rico_results *one, *two;
    char difference[RICO_DIFFERENCE];
    assert_ok(ctx, rico_results_open(ctx, a, &one));
    assert_ok(ctx, rico_results_open(ctx, b, &two));
    assert_true(rico_results_finished(one) && rico_results_finished(two));
    assert_ok(ctx, rico_results_compare(one, two, difference));
    assert_string_equal(difference, "");
    rico_results_destroy(one);
    rico_results_destroy(two);
}


#define WORDS(...) ((char *[]){(char *)(uintptr_t)program_path(), __VA_ARGS__, NULL})


static void whole_run(void)
{
    assert_int_equal(
        end_of(start(WORDS("run", "test_run.yaml", "--output", "test_run_whole.h5", "--overwrite"), 0)), 0);
}


// Killed again and again, a few checkpoints on, and finished: the bits of a run that was never killed.
static void killed(void **state)
{
    if (!program_path()) skip();
    rico_random random;
    rico_random_seed(&random, 11);
    whole_run();
    unlink("test_run_killed.h5");
    unlink("test_run_killed.h5.checkpoint");
    pid_t child = start(
        WORDS("run", "test_run.yaml", "--output", "test_run_killed.h5", "--checkpoint-steps", "150"), 0);
    for (int life = 0; life < 30; life++) {
        wait_for_checkpoints(child, 1 + (int)rico_random_below(&random, 3));
        kill(child, SIGKILL);
        if (end_of(child) != -SIGKILL) break;
        child = start(WORDS("run", "test_run.yaml", "--output", "test_run_killed.h5", "--checkpoint-steps",
                            "150", "--resume"),
                      0);
    }
    int code = end_of(child);
    if (code != 0 && access("test_run_killed.h5.checkpoint", F_OK) == 0)
        code = end_of(start(WORDS("run", "test_run_killed.h5", "--resume"), 0));
    assert_true(code == 0 || access("test_run_killed.h5.checkpoint", F_OK) != 0);
    assert_same(*state, "test_run_whole.h5", "test_run_killed.h5");
}


// A disk that fills up: exit code 3, a readable file, and the rest with --resume once there is room.
static void full_disk(void **state)
{
    if (!program_path()) skip();
    whole_run();
    for (int kilobytes = 1500; kilobytes <= 6000; kilobytes += 1500) {
        unlink("test_run_killed.h5");
        unlink("test_run_killed.h5.checkpoint");
        int code = end_of(start(
            WORDS("run", "test_run.yaml", "--output", "test_run_killed.h5", "--checkpoint-steps", "500"),
            kilobytes));
        assert_int_equal(code, 3);
        rico_results *results;
        assert_ok(*state, rico_results_open(*state, "test_run_killed.h5", &results));
        assert_false(rico_results_finished(results));
        rico_results_destroy(results);
        if (access("test_run_killed.h5.checkpoint", F_OK) == 0) {
            assert_int_equal(
                end_of(start(WORDS("run", "test_run.yaml", "--output", "test_run_killed.h5", "--resume"), 0)),
                0);
            assert_same(*state, "test_run_whole.h5", "test_run_killed.h5");
        }
    }
}


// Ctrl-C ends after the step, says how far it came, and can be resumed. The run would go on for days: whenever the signal
// comes, it finds it at work.
static void interrupted(void **state)
{
    (void)state;
    if (!program_path()) skip();
    unlink("test_run_killed.h5");
    unlink("test_run_killed.h5.checkpoint");
    pid_t child = start(WORDS("run", "test_run.yaml", "--output", "test_run_killed.h5", "--checkpoint-steps",
                              "200", "--until", "4e3", "--set", "output.every=1000"),
                        0);
    wait_for_checkpoints(child, 1); // it listens by then
    kill(child, SIGINT);
    assert_int_equal(end_of(child), 130);
    assert_int_equal(end_of(start(WORDS("run", "test_run_killed.h5", "--resume", "--stop-after", "10"), 0)),
                     130);
}


static void refusals(void **state)
{
    (void)state;
    if (!program_path()) skip();
    static const struct {
        char *words[6];
        int code;
        const char *says;
    } CASES[] = {
        {{"run", "no-such-scene.yaml"}, 3, "no-such-scene.yaml"},
        {{"run"}, 2, "SCENE"},
        {{"run", "test_run.yaml", "--output", "/no/such/folder/x.h5"}, 3, "/no/such/folder"},
        {{"run", "test_run.yaml", "--set", "nn=3"}, 2, "'n'"},
        {{"run", "test_run.yaml", "--set", "scheme=moreau"}, 2, "moreau-jean"},
        {{"run", "test_run.yaml", "--set", "time.step=-1"}, 2, "step"},
        {{"run", "test_run.yaml", "--resume", "--output", "never-run.h5"}, 3, "never-run.h5"},
        {{"check", "test_run.yaml", "--set", "e=-1"}, 2, "restitution"},
        {{"export", "test_run.yaml"}, 2, "test_run.yaml"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        int count = 0;
        while (count < 6 && CASES[i].words[count]) count++;
        outcome run = program_run_to(TO_FILE, CASES[i].words, count);
        if (run.code != CASES[i].code || !strstr(run.err, CASES[i].says))
            fail_msg("%s %s: code %d, %s", CASES[i].words[0], count > 1 ? CASES[i].words[1] : "", run.code,
                     run.err);
        free(run.out);
        free(run.err);
    }
    assert_int_not_equal(access("never-run.h5", F_OK), 0);
}


// A reader of the summary that went away costs the summary, not the results.
static void nobody_reads(void **state)
{
    if (!program_path()) skip();
    whole_run();
    char *words[] = {"run", "test_run.yaml", "--output", "test_run_killed.h5", "--overwrite"};
    outcome run = program_run_to(TO_NOBODY, words, 5);
    free(run.out);
    free(run.err);
    assert_same(*state, "test_run_whole.h5", "test_run_killed.h5");
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(refusals, setup, teardown),
        cmocka_unit_test_setup_teardown(interrupted, setup, teardown),
        cmocka_unit_test_setup_teardown(nobody_reads, setup, teardown),
        cmocka_unit_test_setup_teardown(full_disk, setup, teardown),
        cmocka_unit_test_setup_teardown(killed, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
