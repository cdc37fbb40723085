// What one nsgs sweep costs, against the time to read its matrix blocks once from memory.
//
// The bound is measured in the same run: the blocks of W are summed, eight partial sums wide, which is as fast as
// one core can stream them. The problem must be larger than the last cache for the comparison to mean anything;
// its size is printed. Usage: bench_nsgs_sweep [contacts [bodies]]

#include "base/clock.h"
#include "problem/problem.h"
#include "ricochet/ricochet.h"
#include "solve/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 20 };

static double stream(const double *x, int64_t count)
{
    double sum[8] = {0};
    int64_t i = 0;
    for (; i + 8 <= count; i += 8)
        for (int k = 0; k < 8; k++) sum[k] += x[i + k];
    for (; i < count; i++) sum[0] += x[i];
    return sum[0] + sum[1] + sum[2] + sum[3] + sum[4] + sum[5] + sum[6] + sum[7];
}


static int complain(rico_context *ctx)
{
    fprintf(stderr, "%s\n", rico_message(ctx));
    return 1;
}


int main(int argc, char **argv)
{
    rico_context *ctx = rico_context_create(NULL);
    rico_random_heap heap = rico_random_heap_default();
    heap.contacts = argc > 1 ? atoll(argv[1]) : 100000;
    heap.bodies = argc > 2 ? atoll(argv[2]) : heap.contacts / 5;
    heap.friction = 0.5;
    heap.reduced = true;
    rico_problem *p = NULL;
    if (rico_generate_random(ctx, &heap, &p)) return complain(ctx);

    int64_t blocks = p->W.start[p->block_count], numbers = p->W.place[blocks];
    double megabytes = (double)numbers * sizeof(double) / 1e6;
    printf("%lld contacts, %lld blocks (%.1f a row), %.0f MB of blocks\n", (long long)heap.contacts,
           (long long)blocks, (double)blocks / (double)heap.contacts, megabytes);

    rico_sweeper *sweeper = NULL;
    double *r = calloc((size_t)rico_problem_rows(p), sizeof *r);
    if (!r || rico_sweeper_create(p, &sweeper)) {
        free(r);
        return complain(ctx);
    }
    for (int i = 0; i < 20; i++)
        rico_sweep(sweeper, NULL, r); // to a typical state: most contacts have decided

    double best_sweep = INFINITY, best_stream = INFINITY, sink = 0.0;
    for (int round = 0; round < ROUNDS; round++) {
        double start = rico_clock();
        sink += rico_sweep(sweeper, NULL, r);
        double sweep = rico_clock() - start;
        double began = rico_clock();
        sink += stream(p->W.value, numbers);
        double streamed = rico_clock() - began;
        if (sweep < best_sweep) best_sweep = sweep;
        if (streamed < best_stream) best_stream = streamed;
    }
    printf("best: sweep %.2f ms (%.0f ns a contact), stream %.2f ms (%.1f GB/s), ratio %.2f (bar: 2)%s\n",
           1e3 * best_sweep, 1e9 * best_sweep / (double)heap.contacts, 1e3 * best_stream,
           megabytes / 1e3 / best_stream, best_sweep / best_stream, sink == 0.5 ? " " : "");
    rico_sweeper_destroy(sweeper);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
    free(r);
    return 0;
}
