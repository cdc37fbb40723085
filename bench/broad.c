// What finding the contacts of a step costs for a body as bodies grow in number: spheres in a settled packing on a plane, all of them moving.
//
// usage: bench_broad [steps] [largest]
//
// "tree" is fitting and searching the tree of boxes alone, "source" everything from (t, q, v) to the list of contacts (poses, boxes,
// pairs, exact distances, sorting), "collect" that and their place in the set of contacts. Processor time in microseconds for a body and
// a step, of all threads; growth is over the smallest number.

#include "ricochet/bodies.h"

#include "model/assembly.h"
#include "model/bodies_search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const double RADIUS = 0.05, STEP = 1.0 / 240.0;


static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}


typedef struct world {
    rico_context *ctx;
    rico_shape *ball, *plane;
    rico_bodies *bodies;
    rico_system *system;
    rico_assembly *assembly;
    rico_bodies_memory *memory;
    double *q, *v;
} world;


// Spheres in the places of a cubic grid, a little apart, each shifted by chance.
static rico_status add_spheres(world *w, int64_t count)
{
    int64_t side = (int64_t)ceil(cbrt((double)count));
    uint64_t chance = 1;
    rico_body body = rico_body_default();
    body.type = RICO_BODY_FIXED;
    body.shape = w->plane;
    rico_status status = rico_bodies_add(w->bodies, &body, NULL);
    body = rico_body_default();
    body.shape = w->ball;
    body.density = 1000.0;
    for (int64_t k = 0; status == RICO_OK && k < count; k++) {
        const int64_t cell[3] = {k % side, k / side % side, k / side / side};
        for (int i = 0; i < 3; i++) {
            chance = chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            double random = (double)(chance >> 33) / 4294967296.0 - 0.25;
            body.stand.position[i] = RADIUS * (1.0 + 1.95 * (double)cell[i] + 0.1 * random);
            body.velocity[i] = 2.0 * random;
        }
        status = rico_bodies_add(w->bodies, &body, NULL);
    }
    return status;
}


static rico_status open_world(world *w, int64_t count)
{
    rico_context *ctx = w->ctx;
    rico_status status = rico_shape_create(ctx, "sphere", &RADIUS, 1, &w->ball);
    if (status == RICO_OK) status = rico_shape_create(ctx, "plane", NULL, 0, &w->plane);
    if (status == RICO_OK) status = rico_bodies_create(ctx, 3, &w->bodies);
    if (status == RICO_OK) status = rico_system_create(ctx, &w->system);
    if (status == RICO_OK) status = add_spheres(w, count);
    if (status == RICO_OK) status = rico_system_add_bodies(w->system, "spheres", w->bodies, NULL);
    if (status == RICO_OK) status = rico_system_complete(w->system);
    if (status == RICO_OK) status = rico_assembly_create(ctx, w->system, &w->assembly);
    w->memory = status == RICO_OK ? rico_bodies_memory_create(w->bodies) : NULL;
    w->q = calloc((size_t)(7 * count), sizeof *w->q);
    w->v = calloc((size_t)(6 * count), sizeof *w->v);
    if (status != RICO_OK || !w->memory || !w->q || !w->v) return status != RICO_OK ? status : RICO_NO_MEMORY;
    rico_bodies_start(w->bodies, w->q, w->v);
    return RICO_OK;
}


static void close_world(world *w)
{
    rico_bodies_memory_destroy(w->memory);
    rico_assembly_destroy(w->assembly);
    rico_system_destroy(w->system);
    rico_bodies_destroy(w->bodies);
    rico_shape_destroy(w->ball);
    rico_shape_destroy(w->plane);
    free(w->q);
    free(w->v);
}


// Everything swings in its place, so that the packing stays one.
static void move(world *w, int64_t count, int step)
{
    for (int64_t k = 0; k < 6 * count; k++)
        if (k % 6 < 3) w->q[7 * (k / 6) + k % 6] += (step % 8 < 4 ? STEP : -STEP) * w->v[k];
}


static rico_status measure(world *w, int64_t count, int steps, double cost[3], int64_t *contacts)
{
    rico_status status = RICO_OK;
    cost[0] = cost[1] = cost[2] = 0.0;
    for (int s = -3; status == RICO_OK && s < steps; s++) {
        bool changed, whole;
        move(w, count, s + 3);
        double t0 = seconds();
        status = rico_bodies_search(w->bodies, w->memory, w->ctx, 0.0, STEP, w->q, w->v);
        double t1 = seconds();
        if (status == RICO_OK) status = rico_tree_update(&w->memory->tree, w->memory->count, w->memory->box);
        if (status == RICO_OK) status = rico_tree_pairs(&w->memory->tree, NULL, NULL, INT64_MAX - 1, &whole);
        double t2 = seconds();
        if (status == RICO_OK) status = rico_assembly_collect(w->assembly, 0.0, STEP, w->q, w->v, &changed);
        double t3 = seconds();
        *contacts = w->assembly->set.now.count;
        if (s < 0) continue;
        cost[0] += t2 - t1, cost[1] += t1 - t0, cost[2] += t3 - t2;
    }
    for (int i = 0; i < 3; i++) cost[i] *= 1e6 / (double)(steps * count);
    return status;
}


int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 20;
    int64_t largest = argc > 2 ? atoll(argv[2]) : 100000;
    double first = 0.0;
    rico_status status = RICO_OK;
    printf("%9s %10s %9s %9s %9s %9s\n", "bodies", "contacts", "tree us", "source us", "collect us",
           "growth");
    for (int64_t count = 1000; status == RICO_OK && count <= largest; count *= 10) {
        world w = {.ctx = rico_context_create(NULL)};
        if (!w.ctx) return 1;
        double cost[3] = {0.0};
        int64_t contacts = 0;
        status = open_world(&w, count);
        if (status == RICO_OK) status = measure(&w, count, steps, cost, &contacts);
        if (status != RICO_OK) fprintf(stderr, "bench_broad: %s\n", rico_message(w.ctx));
        close_world(&w);
        rico_context_destroy(w.ctx);
        if (status != RICO_OK) break;
        if (first == 0.0) first = cost[2];
        printf("%9lld %10lld %9.3f %9.3f %9.3f %9.2f\n", (long long)count, (long long)contacts, cost[0],
               cost[1], cost[2], cost[2] / first);
    }
    return status != RICO_OK;
}
