// The mean cost of the exact distance of a pair, by kinds, over random pairs at gaps of +-1e-1 ... +-1e-12 of their size and 0.
//
// usage: bench_distance [PAIRS]; prints nanoseconds a pair, for the nearest points alone and for the whole manifold (margin 1e-3 of the size).

#include "collide/narrow.h"
#include "pairs.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct ready {
    rico_shape *a, *b;
    rico_pose A, B;
    double size;
} ready;

// Of this process alone: others may be at work.
static double cpu_time(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}


static void make_ready(rico_context *ctx, rico_random *random, pair_kind a, pair_kind b, ready *out)
{
    int sa = (int)rico_random_below(random, PAIR_KIND[a].strata);
    int sb = (int)rico_random_below(random, PAIR_KIND[b].strata);
    pair p;
    pair_make(random, a, b, sa, sb, 1.0, pair_any_gap(random), &p);
    rico_shape_create(ctx, PAIR_KIND[a].name, p.a.size, PAIR_KIND[a].sizes, &out->a);
    rico_shape_create(ctx, PAIR_KIND[b].name, p.b.size, PAIR_KIND[b].sizes, &out->b);
    rico_pose_of(&p.at_a, &out->A);
    rico_pose_of(&p.at_b, &out->B);
    out->size = p.size;
}


static void measure(rico_context *ctx, pair_kind a, pair_kind b, int count)
{
    ready *each = calloc((size_t)count, sizeof *each);
    rico_random random;
    rico_random_seed(&random, 7);
    for (int i = 0; i < count; i++) make_ready(ctx, &random, a, b, &each[i]);
    rico_meeting_list list = {.ctx = ctx};
    bool round = a < PAIR_BOX;
    const rico_meeting_kind *kind = round ? &rico_round_meeting : &rico_polytope_meeting;
    double sum = 0.0, begin = cpu_time();
    for (int i = 0; i < count; i++) {
        rico_nearest near;
        kind->nearest(each[i].a, &each[i].A, each[i].b, &each[i].B, &near);
        sum += near.gap;
    }
    double middle = cpu_time();
    int64_t contacts = 0;
    for (int i = 0; i < count; i++) {
        list.count = 0;
        rico_meet(each[i].a, &each[i].A, each[i].b, &each[i].B, 1e-3 * each[i].size, &list);
        contacts += list.count;
    }
    double end = cpu_time();
    printf("%-10s %-10s %8.0f %8.0f %6.2f\n", PAIR_KIND[a].name, PAIR_KIND[b].name,
           1e9 * (middle - begin) / count, 1e9 * (end - middle) / count, (double)contacts / count);
    if (sum == 0.5) printf("\n"); // the sum is used
    for (int i = 0; i < count; i++) {
        rico_shape_destroy(each[i].a);
        rico_shape_destroy(each[i].b);
    }
    rico_meeting_list_destroy(&list);
    free(each);
}


int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 20000;
    rico_context *ctx = rico_context_create(NULL);
    printf("%-10s %-10s %8s %8s %6s\n", "", "", "nearest", "manifold", "points");
    for (int a = 0; a < PAIR_PLANE; a++)
        for (int b = a; b < PAIR_KINDS; b++) measure(ctx, (pair_kind)a, (pair_kind)b, count);
    rico_context_destroy(ctx);
    return 0;
}
