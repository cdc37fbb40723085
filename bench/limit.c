// What statics with friction costs: equilibrium of a scene, force ranges of ten contacts, its load of collapse with cones and with pyramids in their place.
//
//     bench_limit SCENE [load|gravity] [NAME=VALUE ...]
//
// The second word is a parameter of the scene, or a direction x, -x, 1,1,0 of weights. Prints a row of a table of Markdown:
// seconds of the processor for reading the scene, equilibrium, ranges, load, load with pyramids of 8 facets; the reserve and both loads.

#include "lab/limit_study.h"

#include <stdio.h>
#include <string.h>
#include <time.h>


static double seconds_used(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}


static double asked(rico_context *ctx, rico_status status, double since)
{
    if (status != RICO_OK) fprintf(stderr, "bench_limit: %s\n", rico_message(ctx));
    return seconds_used() - since;
}


static rico_limit_order order_of(int argc, char **argv)
{
    bool way = argc > 2 && (strchr(argv[2], ',') || strpbrk(argv[2], "xyz") == argv[2] || argv[2][0] == '-');
    return (rico_limit_order){.scene = argv[1],
                              .load = argc > 2 && !way ? argv[2] : NULL,
                              .gravity = way ? argv[2] : NULL,
                              .set_count = argc > 3 ? argc - 3 : 0,
                              .set = (const char *const *)argv + 3};
}


int main(int argc, char **argv)
{
    if (argc < 3) return fprintf(stderr, "usage: bench_limit SCENE LOAD [NAME=VALUE ...]\n"), 2;
    rico_context *ctx = rico_context_create(NULL);
    rico_limit_order order = order_of(argc, argv);
    rico_limit_study study;
    rico_limit_answer answer;
    double start = seconds_used(), seconds[5], value[3];
    if (rico_limit_study_open(ctx, &order, &study) != RICO_OK)
        return fprintf(stderr, "bench_limit: %s\n", rico_message(ctx)), 1;
    seconds[0] = seconds_used() - start;
    start = seconds_used();
    seconds[1] = asked(ctx, rico_limit_equilibrium(study.limit, 0.0, &answer), start);
    value[0] = answer.value;
    start = seconds_used();
    int64_t blocks = rico_limit_block_count(study.limit);
    for (int k = 0; k < 10; k++)
        for (int sign = -1; sign <= 1; sign += 2)
            asked(ctx,
                  rico_limit_row_extreme(study.limit, 0.0, rico_limit_block_row(study.limit, k * blocks / 10),
                                         sign, &answer),
                  start);
    seconds[2] = seconds_used() - start;
    start = seconds_used();
    seconds[3] = asked(ctx, rico_limit_load(study.limit, 1, &answer), start);
    value[1] = answer.value;
    printf("| %lld bodies, %lld contacts | %.2f | %.2f | %.2f | %.2f ",
           (long long)rico_limit_body_count(study.limit), (long long)blocks, seconds[0], seconds[1],
           seconds[2], seconds[3]);
    rico_limit_study_close(&study);
    order.view.facets = 8;
    if (rico_limit_study_open(ctx, &order, &study) != RICO_OK) return 1;
    start = seconds_used();
    seconds[4] = asked(ctx, rico_limit_load(study.limit, 1, &answer), start);
    value[2] = answer.value;
    printf("| %.2f | %.8g | %.8g | %.8g |\n", seconds[4], value[0], value[1], value[2]);
    rico_limit_study_close(&study);
    rico_context_destroy(ctx);
    return 0;
}
