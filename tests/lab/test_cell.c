// Work in a process of its own: answers arrive whole; crashes, hangs and greed cost their cell and nothing else.


#include "la/factor.h"
#include "lab/cell.h"
#include "lab/timing.h"
#include "one_context.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static const rico_cell_limits LIMITS = {.wall_seconds = 30.0, .cpu_seconds = 30.0};

// Waits for all cells to end.
static void wait_for(rico_cell *cells, int count)
{
    rico_cell *places[16];
    for (int i = 0; i < count; i++) places[i] = &cells[i];
    for (bool running = true; running;) {
        assert_ok(ctx, rico_cell_wait(ctx, places, count, 1.0));
        running = false;
        for (int i = 0; i < count; i++) running = running || cells[i].end == RICO_CELL_RUNNING;
    }
}


static rico_cell run(const rico_cell_limits *limits, rico_cell_work work, void *user, size_t size)
{
    rico_cell cell;
    assert_ok(ctx, rico_cell_start(ctx, limits, work, user, size, &cell));
    wait_for(&cell, 1);
    return cell;
}


// ---- what the children do ----

typedef struct pattern {
    size_t size;
    unsigned seed;
} pattern;

static unsigned char pattern_byte(unsigned seed, size_t i)
{
    return (unsigned char)((i * 2654435761u + seed) >> 7);
}


static void fill(void *user, void *answer)
{
    const pattern *wanted = user;
    unsigned char *bytes = answer;
    for (size_t i = 0; i < wanted->size; i++) bytes[i] = pattern_byte(wanted->seed, i);
    printf("this goes nowhere\n");
    fflush(stdout);
}


static void crash(void *user, void *answer)
{
    (void)answer;
    raise(*(const int *)user);
}


static void leave(void *user, void *answer)
{
    (void)answer;
    _exit(*(const int *)user);
}


static void spin(void *user, void *answer)
{
    (void)user;
    for (volatile unsigned char *byte = answer;; ++*byte) continue;
}


static void sleep_on(void *user, void *answer)
{
    (void)user;
    (void)answer;
    for (;;) pause();
}


// Reports how far it got before memory was refused.
static void eat(void *user, void *answer)
{
    (void)user;
    enum { MEGABYTE = 1 << 20, MOST = 2048 };
    int64_t *megabytes = answer;
    char *block = NULL;
    while (*megabytes < MOST) {
        char *larger = realloc(block, (size_t)(*megabytes + 1) * MEGABYTE);
        if (larger == NULL) break;
        block = larger;
        memset(block + *megabytes * MEGABYTE, 1, MEGABYTE);
        ++*megabytes;
    }
    free(block);
}


// ---- tests ----

// Answers larger than any pipe holds, several at a time.
static void test_answers(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 4096, 65536, 65537, 3000000, 17};
    enum { COUNT = sizeof sizes / sizeof sizes[0] };
    rico_cell cells[COUNT];
    pattern wanted[COUNT];
    for (int i = 0; i < COUNT; i++) {
        wanted[i] = (pattern){sizes[i], (unsigned)(i * 7919)};
        assert_ok(ctx, rico_cell_start(ctx, &LIMITS, fill, &wanted[i], sizes[i], &cells[i]));
    }
    wait_for(cells, COUNT);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(cells[i].end, RICO_CELL_DONE);
        for (size_t j = 0; j < sizes[i]; j++)
            assert_int_equal(cells[i].answer[j], pattern_byte(wanted[i].seed, j));
        rico_cell_release(ctx, &cells[i]);
    }
}


static void test_crashes(void **state)
{
    (void)state;
    static const struct {
        int signal;
        const char *reason;
    } cases[] = {{SIGABRT, "SIGABRT"}, {SIGFPE, "SIGFPE"}, {SIGKILL, "SIGKILL"}, {SIGTERM, "SIGTERM"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int number = cases[i].signal;
        rico_cell cell = run(&LIMITS, crash, &number, 8);
        assert_int_equal(cell.end, RICO_CELL_CRASHED);
        assert_string_equal(cell.reason, cases[i].reason);
        rico_cell_release(ctx, &cell);
    }
    int code = 3;
    rico_cell cell = run(&LIMITS, leave, &code, 8);
    assert_int_equal(cell.end, RICO_CELL_CRASHED);
    assert_string_equal(cell.reason, "exit code 3");
    rico_cell_release(ctx, &cell);

    // an end without an answer is no success, whatever the exit code says
    code = 0;
    cell = run(&LIMITS, leave, &code, 8);
    assert_int_equal(cell.end, RICO_CELL_CRASHED);
    rico_cell_release(ctx, &cell);
}


static void test_hangs(void **state)
{
    (void)state;
    rico_cell_limits wall = {.wall_seconds = 0.2};
    rico_cell cell = run(&wall, spin, NULL, 8);
    assert_int_equal(cell.end, RICO_CELL_TIMEOUT);
    rico_cell_release(ctx, &cell);
    cell = run(&wall, sleep_on, NULL, 8);
    assert_int_equal(cell.end, RICO_CELL_TIMEOUT);
    rico_cell_release(ctx, &cell);

    // the system counts processor time in whole seconds
    rico_cell_limits cpu = {.wall_seconds = 60.0, .cpu_seconds = 1.0};
    cell = run(&cpu, spin, NULL, 8);
    assert_int_equal(cell.end, RICO_CELL_TIMEOUT);
    assert_false(cell.killed);
    rico_cell_release(ctx, &cell);
}


static void test_interrupted(void **state)
{
    (void)state;
    int number = SIGINT;
    rico_cell cell = run(&LIMITS, crash, &number, 8);
    assert_int_equal(cell.end, RICO_CELL_INTERRUPTED);
    rico_cell_release(ctx, &cell);
}


static void test_memory(void **state)
{
    (void)state;
#if defined(__SANITIZE_ADDRESS__)
    skip(); // the sanitizer's own address space is beyond any limit
#endif
    rico_cell_limits limits = LIMITS;
    limits.memory = 64000000;
    rico_cell cell = run(&limits, eat, NULL, sizeof(int64_t));
    int64_t megabytes;
    assert_int_equal(cell.end, RICO_CELL_DONE);
    memcpy(&megabytes, cell.answer, sizeof megabytes);
    assert_true(megabytes >= 30 && megabytes <= 64);
    rico_cell_release(ctx, &cell);
}


// Releasing a running cell ends its process.
static void test_release_running(void **state)
{
    (void)state;
    rico_cell cell;
    assert_ok(ctx, rico_cell_start(ctx, &LIMITS, spin, NULL, 8, &cell));
    pid_t process = cell.process;
    rico_cell_release(ctx, &cell);
    assert_int_equal(kill(process, 0), -1);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}


// ---- threads ----

// Factors the Laplacian of a cube of 16 x 16 x 16 points, which CHOLMOD does on several threads; true if it succeeds.
static bool factor_cube(void)
{
    enum { N = 16, SIZE = N * N * N };
    static int64_t start[SIZE + 1], row[4 * SIZE];
    static double value[4 * SIZE];
    static const int64_t STRIDE[] = {1, N, N * N};
    int64_t count = 0;
    for (int64_t i = 0; i < SIZE; i++) {
        row[count] = i, value[count++] = 7.0;
        for (int k = 0; k < 3; k++)
            if (i / STRIDE[k] % N < N - 1) row[count] = i + STRIDE[k], value[count++] = -1.0;
        start[i + 1] = count;
    }
    rico_csc matrix = {.ctx = ctx, .rows = SIZE, .cols = SIZE, .start = start, .row = row, .value = value};
    rico_factor *factor = NULL;
    rico_status status = rico_factor_create(RICO_CHOLESKY, &matrix, &factor);
    rico_factor_destroy(factor);
    return status == RICO_OK;
}


static void factor_in_cell(void *user, void *answer)
{
    (void)user;
    *(unsigned char *)answer = factor_cube() ? 1 : 2;
}


// A child whose parent has threads of OpenMP has none, and must not wait for them.
static void test_threads_before(void **state)
{
    (void)state;
    assert_true(factor_cube());
    rico_cell cell = run(&LIMITS, factor_in_cell, NULL, 1);
    assert_int_equal(cell.end, RICO_CELL_DONE);
    assert_int_equal(cell.answer[0], 1);
    rico_cell_release(ctx, &cell);
}


// ---- timing ----

// Counts its calls, and fails at the call that it is told to.
typedef struct counter {
    int prepared, run, discarded, fail_at, last_at;
} counter;

static rico_status prepare(void *user)
{
    ((counter *)user)->prepared++;
    return RICO_OK;
}


static rico_status run_once(void *user, bool *again)
{
    counter *count = user;
    count->run++;
    *again = count->run != count->last_at;
    return count->run == count->fail_at ? RICO_SINGULAR : RICO_OK;
}


static void discard(void *user)
{
    ((counter *)user)->discarded++;
}


static void test_timing(void **state)
{
    (void)state;
    static const struct {
        counter count;
        int64_t most, runs;
        rico_status status;
    } cases[] = {
        {{.fail_at = 0}, 7, 7, RICO_OK},       {{.fail_at = 0}, 1, 1, RICO_OK},
        {{.last_at = 1}, 7, 1, RICO_OK},       {{.last_at = 3}, 7, 3, RICO_OK},
        {{.fail_at = 1}, 7, 0, RICO_SINGULAR}, {{.fail_at = 4}, 7, 3, RICO_SINGULAR},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        counter count = cases[i].count;
        rico_trial trial = {.prepare = prepare, .run = run_once, .discard = discard, .user = &count};
        rico_timing timing;
        assert_int_equal(rico_time_trial(&trial, cases[i].most, &timing), cases[i].status);
        assert_int_equal(timing.runs, cases[i].runs);
        assert_int_equal(count.prepared, count.run);
        assert_int_equal(count.prepared, count.discarded);
        if (timing.runs > 0) assert_true(timing.wall >= 0.0 && timing.cpu >= 0.0 && timing.wall < 60.0);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),         cmocka_unit_test(test_crashes),
        cmocka_unit_test(test_hangs),           cmocka_unit_test(test_interrupted),
        cmocka_unit_test(test_threads_before),  cmocka_unit_test(test_memory),
        cmocka_unit_test(test_release_running), cmocka_unit_test(test_timing),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
