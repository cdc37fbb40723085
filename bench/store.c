// What writing results costs: rows of 2002 + 40 numbers, as the 1000-element bar makes one every 30 microseconds.
//
// The same bytes four ways in one run: copied in memory, written with fwrite(), archived, archived with compression.
// A pause that works stands for the step between two rows, since a run computes while its rows are written; what the
// archive adds to it is what the run pays. Usage: bench_store [folder [rows [microseconds of work per row]]]

#include "ricochet/store.h"
#include "base/clock.h"
#include "ricochet/ricochet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { NODES = 1001, SCALARS = 40, ROUNDS = 3 };

typedef struct row {
    double q[NODES], v[NODES], scalar[SCALARS];
} row;


// A wave in a bar with a little of everything: no digit of it is worth compressing by luck.
static void advance(row *now, int64_t step)
{
    double t = 1e-5 * (double)step;
    for (int i = (int)(step % 10); i < NODES; i += 10) { // a tenth of the nodes, to keep this cheap
        now->q[i] += 1e-5 * now->v[i];
        now->v[i] = sin(0.01 * i - 40.0 * t) + 0.1 * now->v[i];
    }
    for (int k = 0; k < SCALARS; k++) now->scalar[k] = t * (k + 1) / 3.0;
}


static volatile double sink;

// Stands for the step: so many rounds of arithmetic. A clock would hide what other programs take from us.
static void work(int64_t rounds)
{
    double x = 0.5;
    for (int64_t k = 0; k < rounds; k++) x = x * 0.9999999 + 1e-9;
    sink = x;
}


static double clock_of(clockid_t which)
{
    struct timespec now;
    return clock_gettime(which, &now) == 0 ? (double)now.tv_sec + 1e-9 * (double)now.tv_nsec : NAN;
}


// Rounds of work that take so many seconds on an idle core.
static int64_t calibrate(double seconds)
{
    enum { PROBE = 1000000 };
    double best = INFINITY;
    for (int k = 0; k < 10; k++) {
        double start = clock_of(CLOCK_THREAD_CPUTIME_ID);
        work(PROBE);
        best = fmin(best, clock_of(CLOCK_THREAD_CPUTIME_ID) - start);
    }
    return (int64_t)(seconds * PROBE / best);
}


// What a run took, closing included: on the wall, of the thread that computes, of all threads.
typedef struct cost {
    double wall, thread, process;
} cost;


static cost clocks(void)
{
    return (cost){rico_clock(), clock_of(CLOCK_THREAD_CPUTIME_ID), clock_of(CLOCK_PROCESS_CPUTIME_ID)};
}


static cost since(cost start)
{
    cost now = clocks();
    return (cost){now.wall - start.wall, now.thread - start.thread, now.process - start.process};
}


static void keep_best(cost *best, cost now)
{
    *best =
        (cost){fmin(best->wall, now.wall), fmin(best->thread, now.thread), fmin(best->process, now.process)};
}


static int complain(rico_context *ctx)
{
    fprintf(stderr, "%s\n", rico_message(ctx));
    exit(1);
}


static cost run_archive(rico_context *ctx, const char *path, int64_t rows, int64_t rounds, int compression)
{
    rico_column columns[2 + SCALARS] = {{"q", RICO_NUMBER_REAL, NODES, "m", NULL},
                                        {"v", RICO_NUMBER_REAL, NODES, "m/s", NULL}};
    char names[SCALARS][16];
    const void *values[2 + SCALARS];
    row now = {0};
    values[0] = now.q, values[1] = now.v;
    for (int k = 0; k < SCALARS; k++) {
        snprintf(names[k], sizeof names[k], "scalar%d", k);
        columns[2 + k] = (rico_column){names[k], RICO_NUMBER_REAL, 0, NULL, NULL};
        values[2 + k] = &now.scalar[k];
    }
    const rico_table table = {
        .name = "steps", .compression = compression, .column_count = 2 + SCALARS, .columns = columns};
    rico_archive_plan plan = rico_archive_plan_default();
    plan.table_count = 1, plan.tables = &table, plan.overwrite = true;
    rico_archive *archive;
    if (rico_archive_create(ctx, path, &plan, &archive)) complain(ctx);

    cost start = clocks();
    for (int64_t step = 0; step < rows; step++) {
        work(rounds);
        advance(&now, step);
        if (rico_archive_append(archive, 0, values)) complain(ctx);
    }
    if (rico_archive_close(archive, true)) complain(ctx);
    cost spent = since(start);
    rico_archive_destroy(archive);
    return spent;
}


// The rows alone, copied to a block in memory or written through stdio.
static cost run_plain(const char *path, int64_t rows, int64_t rounds, bool copy)
{
    enum { BLOCK = 64 };
    row now = {0}, *block = copy ? malloc(BLOCK * sizeof *block) : NULL;
    FILE *file = path ? fopen(path, "wb") : NULL;
    cost start = clocks();
    for (int64_t step = 0; step < rows; step++) {
        work(rounds);
        advance(&now, step);
        if (block) {
            memcpy(&block[step % BLOCK], &now, sizeof now);
            sink = block[step % BLOCK].q[step % NODES];
        }
        if (file && fwrite(&now, sizeof now, 1, file) != 1) exit(1);
    }
    if (file && fclose(file) != 0) exit(1);
    cost spent = since(start);
    free(block);
    return spent;
}


static double size_of(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 ? (double)about.st_size : NAN;
}


int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : ".";
    int64_t rows = argc > 2 ? atoll(argv[2]) : 20000;
    double pause = 1e-6 * (argc > 3 ? atof(argv[3]) : 30.0);
    char path[4096];
    snprintf(path, sizeof path, "%s/bench_store.%ld.h5", folder, (long)getpid());
    rico_context *ctx = rico_context_create(NULL);
    double raw = (double)rows * sizeof(row);
    int64_t rounds = calibrate(pause);
    printf("%lld rows of %zu bytes, %.0f MB; %.0f us of work between two rows; best of %d, per row beyond "
           "the work:\n",
           (long long)rows, sizeof(row), raw / 1e6, 1e6 * pause, ROUNDS);

    static const struct {
        const char *name;
        enum { PLAIN, COPY, WRITE, ARCHIVE } way;
        int compression;
    } ways[] = {{"nothing", PLAIN, 0},
                {"memcpy", COPY, 0},
                {"fwrite", WRITE, 0},
                {"archive", ARCHIVE, 0},
                {"archive, deflate 1", ARCHIVE, 1}};
    enum { WAYS = sizeof ways / sizeof *ways };
    cost best[WAYS];
    double size[WAYS];
    for (int k = 0; k < WAYS; k++) best[k] = (cost){INFINITY, INFINITY, INFINITY}, size[k] = NAN;

    // in turn, so that what else the machine does strikes all alike
    for (int round = 0; round < ROUNDS; round++) {
        for (int k = 0; k < WAYS; k++) {
            if (ways[k].compression > 0 && round > 0) continue; // slow, and not in doubt
            keep_best(&best[k],
                      ways[k].way == ARCHIVE
                          ? run_archive(ctx, path, rows, rounds, ways[k].compression)
                          : run_plain(ways[k].way == WRITE ? path : NULL, rows, rounds, ways[k].way == COPY));
            if (ways[k].way >= WRITE) size[k] = size_of(path);
            unlink(path);
        }
    }

    printf("%-20s %12s %12s %12s %12s %10s\n", "", "wall, us", "wall, %", "thread, us", "process, us",
           "size/raw");
    for (int k = 1; k < WAYS; k++) {
        double wall = best[k].wall - best[0].wall, each = 1e6 / (double)rows;
        printf("%-20s %12.2f %12.1f %12.2f %12.2f %10.3f\n", ways[k].name, each * wall,
               100.0 * wall / best[0].wall, each * (best[k].thread - best[0].thread),
               each * (best[k].process - best[0].process), size[k] / raw);
    }
    rico_context_destroy(ctx);
    return 0;
}
