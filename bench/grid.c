// What a step costs for a contact as contacts grow in number: a grid of masses on springs, 60 x 60, pressed against a floor
// below the first N of them, with and without friction; and a heap of rigid bodies beside the time of its solver alone.
//
// usage: bench_grid [steps] [side]
//
// The load swings, so that impulses change from step to step while the set of contacts stays (settled), or so much that
// contacts open and close in every step (rippling). Processor time of a step after a first tenth of the steps; growth is
// over the smallest number of contacts. "active" is the mean number of contacts that act.

#include "ricochet/ricochet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct grid {
    int64_t side, masses, axes, n; // axes: 1 without friction, 3 with it
    int64_t *start, *row;
    double *M, *K;
    double ripple;
} grid;

static const double MASS = 1.0, SPRING = 1e4, PRESS = 10.0, STEP = 2e-3;


static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}


// Neighbours of a mass in the grid, itself included, in increasing order.
static int around(const grid *g, int64_t mass, int64_t out[5])
{
    int64_t i = mass / g->side, j = mass % g->side;
    int count = 0;
    if (i > 0) out[count++] = mass - g->side;
    if (j > 0) out[count++] = mass - 1;
    out[count++] = mass;
    if (j + 1 < g->side) out[count++] = mass + 1;
    if (i + 1 < g->side) out[count++] = mass + g->side;
    return count;
}


// Each mass is tied to its neighbours and, by four springs less those, to a frame: every axis alone.
static bool grid_create(int64_t side, int64_t axes, double ripple, grid *g)
{
    *g = (grid){.side = side, .masses = side * side, .axes = axes, .n = axes * side * side, .ripple = ripple};
    g->start = calloc((size_t)(g->n + 1), sizeof *g->start);
    g->row = calloc((size_t)(5 * g->n), sizeof *g->row);
    g->M = calloc((size_t)(5 * g->n), sizeof *g->M);
    g->K = calloc((size_t)(5 * g->n), sizeof *g->K);
    if (!g->start || !g->row || !g->M || !g->K) return false;
    int64_t at = 0;
    for (int64_t column = 0; column < g->n; column++) {
        int64_t mass = column / axes, axis = column % axes, near[5];
        int count = around(g, mass, near);
        for (int k = 0; k < count; k++, at++) {
            g->row[at] = near[k] * axes + axis;
            g->M[at] = near[k] == mass ? MASS : 0.0;
            g->K[at] = near[k] == mass ? 4.0 * SPRING : -SPRING;
        }
        g->start[column + 1] = at;
    }
    return true;
}


static void grid_destroy(grid *g)
{
    free(g->start);
    free(g->row);
    free(g->M);
    free(g->K);
}


// Pressed down everywhere, a wave runs across; with friction also along the floor.
static bool load(void *user, double t, double *f)
{
    const grid *g = user;
    for (int64_t mass = 0; mass < g->masses; mass++) {
        int64_t column = mass % g->side, line = mass / g->side;
        double x = (double)column, y = (double)line;
        double wave = sin(40.0 * t - 0.7 * x - 0.3 * y);
        f[mass * g->axes] = -PRESS * (1.0 + g->ripple * wave);
        for (int64_t axis = 1; axis < g->axes; axis++)
            f[mass * g->axes + axis] = 0.4 * PRESS * sin(25.0 * t + 0.2 * x - 0.5 * y + (double)axis);
    }
    return true;
}


static rico_status grid_simulate(rico_context *ctx, grid *g, int64_t contacts, rico_system **system,
                                 rico_simulation **sim)
{
    rico_sparse_view M = {g->n, g->n, g->start, g->row, g->M}, K = M;
    K.value = g->K;
    rico_matrix_part part = {.size = g->n, .M = M, .K = K, .load = load, .user = g};
    double *zero = calloc((size_t)g->n, sizeof *zero);
    rico_status status = zero ? rico_system_create(ctx, system) : RICO_NO_MEMORY;
    if (status == RICO_OK) status = rico_system_add_matrices(*system, "grid", &part, NULL);
    for (int64_t c = 0; status == RICO_OK && c < contacts; c++) {
        const double frame[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        int64_t dof[3] = {c * g->axes, c * g->axes + 1, c * g->axes + 2};
        rico_contact contact = {.dimension = (int)g->axes, .reach = {g->axes, dof}, .gradient = frame};
        char name[32];
        snprintf(name, sizeof name, "floor%lld", (long long)c);
        if (g->axes == 3) contact.friction = 0.5;
        status = rico_system_add_contact(*system, name, &contact, NULL);
    }
    if (status == RICO_OK) status = rico_simulation_create(*system, "moreau-jean", sim);
    if (status == RICO_OK) status = rico_simulation_start(*sim, 0.0, zero, zero);
    free(zero);
    return status;
}


// Microseconds for a contact and step; *active receives the mean number that act. NaN when a step failed.
static double grid_time(rico_context *ctx, grid *g, int64_t contacts, int steps, double *active)
{
    rico_system *system = NULL;
    rico_simulation *sim = NULL;
    rico_status status = grid_simulate(ctx, g, contacts, &system, &sim);
    double spent = 0.0;
    int64_t seen = 0;
    int warm = steps / 10 + 1;
    for (int k = 0; status == RICO_OK && k < warm + steps; k++) {
        double begin = seconds();
        status = rico_simulation_step(sim, STEP);
        if (k < warm) continue;
        spent += seconds() - begin;
        const double *p = rico_simulation_impulse(sim);
        for (int64_t c = 0; status == RICO_OK && c < contacts; c++) seen += p[c * g->axes] > 0.0;
    }
    if (status != RICO_OK) fprintf(stderr, "%s\n", rico_message(ctx));
    *active = (double)seen / steps;
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
    return status == RICO_OK ? 1e6 * spent / steps / (double)contacts : NAN;
}


int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 40;
    int64_t side = argc > 2 ? atoll(argv[2]) : 60;
    static const int64_t sizes[] = {380, 450, 900, 1800, 3600};
    static const double ripples[] = {0.3, 3.0};
    rico_context *ctx = rico_context_create(NULL);
    if (!ctx || steps < 1 || side < 20) {
        rico_context_destroy(ctx);
        return 2;
    }
    printf("%lld x %lld masses, Moreau-Jean with its ledger, %d steps\n\n", (long long)side, (long long)side,
           steps);
    printf("| load | friction | contacts | active | ms per step | us per contact | growth |\n");
    printf("| --- | --- | ---: | ---: | ---: | ---: | ---: |\n");
    for (int axes = 1; axes <= 3; axes += 2)
        for (int r = 0; r < 2; r++) {
            grid g;
            double first = NAN;
            if (!grid_create(side, axes, ripples[r], &g)) {
                grid_destroy(&g);
                rico_context_destroy(ctx);
                return 2;
            }
            for (size_t i = 0; i < sizeof sizes / sizeof *sizes && sizes[i] <= side * side; i++) {
                double active, each = grid_time(ctx, &g, sizes[i], steps, &active);
                if (i == 0) first = each;
                printf("| %s | %s | %lld | %.0f | %.2f | %.2f | %.2f |\n", r ? "rippling" : "settled",
                       axes == 3 ? "0.5" : "none", (long long)sizes[i], active,
                       1e-3 * each * (double)sizes[i], each, each / first);
                fflush(stdout);
            }
            grid_destroy(&g);
        }
    rico_context_destroy(ctx);
    return 0;
}
