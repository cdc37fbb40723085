// A sweep of a thousand runs: the same table, byte for byte, by one thread and by two, and no process but this one.

#include "lab/sweep.h"
#include "support.h"

#include "base/file.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum { RUNS = 1000 };

static int forks; // times that anybody has asked for a process


// Takes the place of the system's: there is no other way to a process for what is linked into this program.
pid_t fork(void)
{
    forks++;
    errno = EAGAIN;
    return -1;
}


static const char SCENE[] = "parameters: {e: 0.5, mu: 0.2}\n"
                            "parts: {ball: {coordinates: [x, z], mass: [1, 1], force: [0, -10]}}\n"
                            "contacts: {floor: {gap: z, tangent: x, restitution: e, friction: mu}}\n"
                            "initial: {position: {z: 0.1}, velocity: {x: 1}}\n"
                            "time: {end: 0.5, step: 0.01}\n";


// A folder of this process, its scene in it; the caller removes both.
static void make_folder(char folder[64], char scene[96])
{
    snprintf(folder, 64, "lab_sweep_%ld", (long)getpid());
    snprintf(scene, 96, "%s/scene.yaml", folder);
    mkdir(folder, 0755);
    FILE *file = fopen(scene, "w");
    assert_non_null(file);
    fputs(SCENE, file);
    fclose(file);
}


static void load(rico_context *ctx, const char *folder, int threads, const char *name, char **text)
{
    char path[128];
    size_t length;
    snprintf(path, sizeof path, "%s/%d/%s", folder, threads, name);
    assert_ok(ctx, rico_file_load(ctx, path, text, &length));
}


static void remove_files(const char *folder)
{
    static const char *const NAMES[] = {"1/sweep.csv", "1/points.csv", "1/sweep.yaml", "1",
                                        "2/sweep.csv", "2/points.csv", "2/sweep.yaml", "2",
                                        "scene.yaml"};
    char path[128];
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, NAMES[i]);
        remove(path);
    }
    remove(folder);
}


static void count_up(void *user, int64_t ended, int64_t missing)
{
    assert_int_equal(ended, ++*(int64_t *)user);
    assert_int_equal(missing, RUNS);
}


static void test_a_thousand_runs(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    char folder[64], scene[96], dir[80], *table[3], *points[3];
    make_folder(folder, scene);
    for (int threads = 1; threads <= 2; threads++) {
        snprintf(dir, sizeof dir, "%s/%d", folder, threads);
        const char *over[] = {"e=0:0.99:100", "mu=0,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,bad"};
        const char *measure[] = {"energy:last", "z:max", "x:last", "events.t:rows"}, *column = "v_z";
        int64_t told = 0;
        const rico_sweep_order order = {.scene = scene,
                                        .dir = dir,
                                        .over_count = 2,
                                        .over = over,
                                        .measure_count = 4,
                                        .measure = measure,
                                        .point_count = 1,
                                        .points = &column,
                                        .section = "impacts",
                                        .threads = threads,
                                        .time_limit = 1e6,
                                        .progress = count_up,
                                        .user = &told};
        rico_sweep sweep;
        assert_ok(ctx, rico_sweep_run(ctx, &order, &sweep));
        assert_int_equal(sweep.ended, RUNS);
        int64_t failed = 0;
        for (int64_t i = 0; i < sweep.grid.count; i++) failed += sweep.grid.cell[i].end == RICO_SWEEP_FAILED;
        assert_int_equal(failed, RUNS / 10); // of mu=bad, each in its row
        rico_sweep_close(&sweep);
        load(ctx, folder, threads, "sweep.csv", &table[threads]);
        load(ctx, folder, threads, "points.csv", &points[threads]);
    }
    assert_string_equal(table[1], table[2]);
    assert_string_equal(points[1], points[2]);
    assert_int_equal(forks, 0);
    for (int i = 1; i <= 2; i++) {
        rico_free(ctx, table[i]);
        rico_free(ctx, points[i]);
    }
    remove_files(folder);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_thousand_runs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
