// What a step costs for a joint as joints grow in number: a mesh of bars in the plane, pinned to each other at the nodes of
// a grid, hanging from one corner. Every node with more than two bars has redundant ways of saying that they meet there.
//
// usage: bench_joints [steps] [largest number of joints] [scheme]
//
// Each bar has its centre and its angle; at a node, each bar is pinned to each other one (the mesh "full"), or to the
// first alone ("tree": nothing is redundant at the node). Processor time of a step after the first two.

#include "../tests/step/bar_mesh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const double STEP = 1e-3;


static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}


static void run(rico_context *ctx, const char *scheme, int64_t side, bool full, int steps, double *first)
{
    bar_mesh m;
    rico_system *system = NULL;
    rico_simulation *sim = NULL;
    if (!bar_mesh_create(side, full, &m)) return;
    double begin = seconds(), spent = 0.0, start;
    double *v = calloc((size_t)(3 * m.bars), sizeof *v);
    rico_status status = bar_mesh_system(ctx, &m, &system);
    if (status == RICO_OK) status = rico_simulation_create(system, scheme, &sim);
    if (status == RICO_OK) status = rico_simulation_start(sim, 0.0, m.q, v);
    if (status == RICO_OK) status = rico_simulation_step(sim, STEP);
    if (status == RICO_OK) status = rico_simulation_step(sim, STEP);
    start = seconds() - begin;
    begin = seconds();
    for (int k = 0; status == RICO_OK && k < steps; k++) status = rico_simulation_step(sim, STEP);
    spent = (seconds() - begin) / steps;
    double each = 1e6 * spent / (double)m.pins, open = 0.0;
    if (status != RICO_OK) fprintf(stderr, "%s\n", rico_message(ctx));
    const double *u = status == RICO_OK ? rico_simulation_velocity_after(sim) : NULL;
    for (int64_t i = 0; u && i < 2 * m.pins; i++) open = fmax(open, fabs(u[i]));
    if (*first == 0.0) *first = each;
    printf("| %s | %lld | %lld | %.2f | %.2f | %.2f | %.2f | %.1e |\n", full ? "full" : "tree",
           (long long)m.bars, (long long)m.pins, start, 1e3 * spent, each, each / *first, open);
    fflush(stdout);
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
    free(v);
    bar_mesh_destroy(&m);
}


int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 10;
    int64_t most = argc > 2 ? atoll(argv[2]) : 11000;
    const char *scheme = argc > 3 ? argv[3] : "moreau-jean";
    rico_context *ctx = rico_context_create(NULL);
    if (!ctx || steps < 1) return 2;
    printf(
        "| mesh | bars | joints | start, s | ms per step | us per joint | growth | joint velocity left |\n");
    printf("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    for (int full = 1; full >= 0; full--) {
        double first = 0.0;
        static const int64_t sides[] = {10, 15, 21, 30, 43, 61};
        for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
            if ((full ? 6 : 3) * sides[i] * sides[i] <= most + 6 * sides[i] * 4)
                run(ctx, scheme, sides[i], full, steps, &first);
    }
    rico_context_destroy(ctx);
    return 0;
}
