// The mean cost of the exact distance of a pair, by kinds, over random pairs at gaps of +-1e-1 ... +-1e-12 of their size and 0.
//
// usage: bench_distance [PAIRS [KIND KIND]]; prints nanoseconds a pair, for the nearest points alone and for the whole manifold (margin 1e-3 of the size).

#include "collide/narrow.h"
#include "pairs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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


static void time_all(rico_context *ctx, const char *a, const char *b, const ready *each, int count)
{
    rico_meeting_list list = {.ctx = ctx};
    double sum = 0.0, begin = cpu_time();
    for (int i = 0; i < count; i++) {
        rico_nearest near;
        rico_meet_nearest(each[i].a, &each[i].A, each[i].b, &each[i].B, &near);
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
    printf("%-10s %-10s %8.0f %8.0f %6.2f\n", a, b, 1e9 * (middle - begin) / count,
           1e9 * (end - middle) / count, (double)contacts / count);
    if (sum == 0.5) printf("\n"); // the sum is used
    rico_meeting_list_destroy(&list);
}


static void measure(rico_context *ctx, pair_kind a, pair_kind b, int count)
{
    ready *each = calloc((size_t)count, sizeof *each);
    rico_random random;
    rico_random_seed(&random, 7);
    for (int i = 0; i < count; i++) make_ready(ctx, &random, a, b, &each[i]);
    time_all(ctx, PAIR_KIND[a].name, PAIR_KIND[b].name, each, count);
    for (int i = 0; i < count; i++) {
        rico_shape_destroy(each[i].a);
        rico_shape_destroy(each[i].b);
    }
    free(each);
}


// Hulls of 30 random points among themselves, or against boxes, pushed along the normal until they stand at a random gap.
static void measure_hulls(rico_context *ctx, bool boxes, int count)
{
    enum { POOL = 64, POINTS = 30 };
    rico_shape *pool[2][POOL];
    ready *each = calloc((size_t)count, sizeof *each);
    rico_random random;
    rico_random_seed(&random, 8);
    for (int k = 0; k < 2 * POOL; k++) {
        double x[3 * POINTS];
        for (int i = 0; i < POINTS; i++) pair_direction(&random, &x[3 * i]);
        rico_shape **shape = &pool[k % 2][k / 2];
        if (boxes && k % 2)
            rico_shape_create(ctx, "box", (double[]){1.0, 1.5, 0.7}, 3, shape);
        else if (rico_shape_hull(ctx, x, POINTS, shape) != RICO_OK)
            abort();
    }
    for (int i = 0; i < count; i++) {
        rico_stand at[2];
        double away[3];
        rico_nearest near;
        each[i].a = pool[0][rico_random_below(&random, POOL)];
        each[i].b = pool[1][rico_random_below(&random, POOL)];
        each[i].size = 2.0;
        pair_direction(&random, away);
        for (int k = 0; k < 2; k++) {
            rico_vec3_scale(k ? 4.0 : 0.0, away, at[k].position);
            for (int j = 0; j < 4; j++) at[k].orientation[j] = rico_random_normal(&random);
        }
        rico_pose_of(&at[0], &each[i].A);
        rico_pose_of(&at[1], &each[i].B);
        rico_meet_nearest(each[i].a, &each[i].A, each[i].b, &each[i].B, &near);
        rico_vec3_add_scaled(pair_any_gap(&random) - near.gap, near.normal, each[i].B.x);
    }
    time_all(ctx, "hull", boxes ? "box" : "hull", each, count);
    for (int k = 0; k < 2 * POOL; k++) rico_shape_destroy(pool[k % 2][k / 2]);
    free(each);
}


static bool wanted(int argc, char **argv, const char *a, const char *b)
{
    return argc < 4 || (strcmp(argv[2], a) == 0 && strcmp(argv[3], b) == 0);
}


int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 20000;
    rico_context *ctx = rico_context_create(NULL);
    printf("%-10s %-10s %8s %8s %6s\n", "", "", "nearest", "manifold", "points");
    for (int a = 0; a < PAIR_PLANE; a++)
        for (int b = a; b < PAIR_KINDS; b++)
            if (wanted(argc, argv, PAIR_KIND[a].name, PAIR_KIND[b].name))
                measure(ctx, (pair_kind)a, (pair_kind)b, count);
    for (int boxes = 0; boxes < 2; boxes++)
        if (wanted(argc, argv, "hull", boxes ? "box" : "hull")) measure_hulls(ctx, boxes, count);
    rico_context_destroy(ctx);
    return 0;
}
