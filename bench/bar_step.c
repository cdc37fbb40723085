// What a step of the impacting bar costs beside what it must cost: one solve with the same factor and one product with
// K. The bar is that of Acary 2012, section 6.2: rod elements in a row, one end hits a wall.
//
// usage: bench_bar_step [elements] [steps] [scheme]
//
// Prints microseconds, the best of several rounds taken in turns, and the ratio. The bar of the project is 1.5.

#include "base/clock.h"
#include "step/simulation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 15 };

typedef struct rod_chain {
    int64_t n;
    int64_t *start, *row;
    double *M, *K;
} rod_chain;


// Linear rods: M_e = rho S l/6 [2 1; 1 2], K_e = E S / l [1 -1; -1 1].
static bool bar_create(int64_t elements, rod_chain *out)
{
    double S = M_PI * 1e-4, l = 1.0 / (double)elements, m = 7800.0 * S * l / 6.0, k = 210e9 * S / l;
    int64_t n = out->n = elements + 1;
    out->start = malloc((size_t)(n + 1) * sizeof *out->start);
    out->row = malloc((size_t)(3 * n) * sizeof *out->row);
    out->M = malloc((size_t)(3 * n) * sizeof *out->M);
    out->K = malloc((size_t)(3 * n) * sizeof *out->K);
    if (!out->start || !out->row || !out->M || !out->K) return false;
    int64_t at = 0;
    for (int64_t j = 0; j < n; j++) {
        out->start[j] = at;
        for (int64_t i = j - 1; i <= j + 1; i++) {
            if (i < 0 || i >= n) continue;
            double ends = i == j ? (j == 0 || j == n - 1 ? 1.0 : 2.0) : 1.0;
            out->row[at] = i;
            out->M[at] = i == j ? 2.0 * m * ends : m;
            out->K[at++] = i == j ? k * ends : -k;
        }
    }
    out->start[n] = at;
    return true;
}


static void bar_destroy(rod_chain *bar)
{
    free(bar->start);
    free(bar->row);
    free(bar->M);
    free(bar->K);
}


static double steps_time(rico_simulation *sim, int steps, double h)
{
    double begin = rico_clock();
    for (int k = 0; k < steps; k++)
        if (rico_simulation_step(sim, h) != RICO_OK) return NAN;
    return (rico_clock() - begin) / steps;
}


// One solve in place of a copy of b, and one product.
static double floor_time(rico_simulation *sim, int steps, double *b, double *x, double *y)
{
    int64_t n = sim->nv;
    double begin = rico_clock(), seen = 0.0;
    for (int k = 0; k < steps; k++) {
        if (rico_iteration_solve(&sim->iteration, 1, b, x) != RICO_OK) return NAN;
        memset(y, 0, (size_t)n * sizeof *y);
        rico_assembly_multiply(sim->assembly, sim->assembly->K, 1.0, x, y);
        seen += y[0];
    }
    double time = (rico_clock() - begin) / steps;
    return isfinite(seen) ? time : NAN;
}


static rico_status simulate(rico_context *ctx, const rod_chain *bar, const char *scheme, const char *ledger,
                            rico_system **system, rico_simulation **sim)
{
    const int64_t tip[] = {0};
    const double one[] = {1.0};
    rico_sparse_view M = {bar->n, bar->n, bar->start, bar->row, bar->M}, K = M;
    K.value = bar->K;
    rico_matrix_part part = {.size = bar->n, .M = M, .K = K};
    rico_contact wall = {.dimension = 1, .reach = {1, tip}, .gradient = one, .offset = 1e-6};
    double *q = calloc((size_t)bar->n, sizeof *q), *v = calloc((size_t)bar->n, sizeof *v);
    for (int64_t i = 0; v && i < bar->n; i++) v[i] = -0.1;
    rico_status status = q && v ? rico_system_create(ctx, system) : RICO_NO_MEMORY;
    if (status == RICO_OK) status = rico_system_add_matrices(*system, "bar", &part, NULL);
    if (status == RICO_OK) status = rico_system_add_contact(*system, "wall", &wall, NULL);
    if (status == RICO_OK) status = rico_simulation_create(*system, scheme, sim);
    if (status == RICO_OK) status = rico_simulation_set(*sim, "ledger", ledger);
    if (status == RICO_OK) status = rico_simulation_start(*sim, 0.0, q, v);
    free(q);
    free(v);
    return status;
}


int main(int argc, char **argv)
{
    int64_t elements = argc > 1 ? atoll(argv[1]) : 1000;
    int steps = argc > 2 ? atoi(argv[2]) : 2000;
    const char *scheme = argc > 3 ? argv[3] : "moreau-jean";
    rod_chain bar = {0};
    rico_context *ctx = rico_context_create(NULL);
    if (elements < 1 || steps < 1 || !ctx || !bar_create(elements, &bar)) {
        bar_destroy(&bar);
        rico_context_destroy(ctx);
        return 2;
    }
    rico_system *system[2] = {NULL, NULL};
    rico_simulation *sim[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++)
        if (simulate(ctx, &bar, scheme, i ? "true" : "false", &system[i], &sim[i]) != RICO_OK) {
            fprintf(stderr, "%s\n", rico_message(ctx));
            bar_destroy(&bar);
            return 1;
        }
    double *b = calloc((size_t)bar.n, sizeof *b), *x = calloc((size_t)bar.n, sizeof *x),
           *y = calloc((size_t)bar.n, sizeof *y);
    for (int64_t i = 0; i < bar.n; i++) b[i] = sin((double)i);

    double h = 2e-7, best[3] = {INFINITY, INFINITY, INFINITY};
    for (int round = 0; round < ROUNDS; round++) {
        best[0] = fmin(best[0], steps_time(sim[0], steps, h));
        best[1] = fmin(best[1], steps_time(sim[1], steps, h));
        best[2] = fmin(best[2], floor_time(sim[0], steps, b, x, y));
    }
    printf("%s, %lld elements, %d steps per round, best of %d rounds\n\n", scheme, (long long)elements, steps,
           ROUNDS);
    printf("| | microseconds | ratio |\n| --- | --- | --- |\n");
    printf("| one solve and one product with K | %.2f | 1 |\n", 1e6 * best[2]);
    printf("| a step | %.2f | %.2f |\n", 1e6 * best[0], best[0] / best[2]);
    printf("| a step with its ledger | %.2f | %.2f |\n", 1e6 * best[1], best[1] / best[2]);
    for (int i = 0; i < 2; i++) {
        rico_simulation_destroy(sim[i]);
        rico_system_destroy(system[i]);
    }
    free(b);
    free(x);
    free(y);
    bar_destroy(&bar);
    rico_context_destroy(ctx);
    return 0;
}
