// A million unknowns in the plane: a square of n x n Q4 falls on a floor with friction, turned a little, so that its side comes down node by node.
//
// usage: bench_million [elements a side] [steps] [minimum-degree|nested-dissection]
//
// moreau-jean, theta = 1/2. Processor time of the setup, of the first step (which factors), of steps without contact and of steps with it, the
// latter against a solve with the factor; peak memory against the factor's.

#include "ricochet/ricochet.h"
#include "ricochet/touch.h"
#include "step/simulation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 1000 };

typedef struct square {
    rico_context *ctx;
    rico_mesh *mesh;
    rico_system *system;
    rico_simulation *sim;
} square;


static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}


static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}


static double median(double *x, int count)
{
    if (count == 0) return NAN;
    qsort(x, (size_t)count, sizeof *x, compare);
    return x[count / 2];
}


static double peak_megabytes(void)
{
    char line[256];
    double kilobytes = 0.0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "VmHWM:", 6) == 0) kilobytes = strtod(line + 6, NULL);
    if (file) fclose(file);
    return kilobytes / 1024.0;
}


static bool floor_of(void *user, double t, const double x[3], double *g, double gradient[3], double *rate)
{
    (void)user, (void)t;
    *g = x[1];
    gradient[0] = gradient[2] = 0.0, gradient[1] = 1.0;
    *rate = 0.0;
    return true;
}


static rico_status build(square *s, int64_t n)
{
    const double turn = 2e-4;
    rico_mesh_rectangle rectangle = rico_mesh_rectangle_default();
    rico_elastic_material material = rico_elastic_material_default();
    rectangle.kind = RICO_CELL_Q4;
    for (int i = 0; i < 2; i++) rectangle.size[i] = 1.0, rectangle.cells[i] = n;
    material.young = 1e7, material.poisson = 0.3, material.density = 1000.0;
    rico_status status = rico_mesh_make_rectangle(s->ctx, &rectangle, &s->mesh);
    if (status == RICO_OK) status = rico_system_create(s->ctx, &s->system);
    if (status != RICO_OK) return status;
    rico_elastic_part part = rico_elastic_default(s->mesh, RICO_PLANE_STRAIN);
    const rico_elastic_load weight = {.kind = RICO_LOAD_BODY, .value = {0.0, -9810.0, 0.0}};
    const double rotation[9] = {cos(turn), -sin(turn), 0.0, sin(turn), cos(turn), 0.0, 0.0, 0.0, 1.0};
    part.materials = 1, part.material = &material;
    part.loads = 1, part.load = &weight;
    part.position[1] = 4e-4;
    memcpy(part.rotation, rotation, sizeof rotation);
    status = rico_system_add_elastic(s->system, "square", &part, NULL);
    const rico_touch_side side = {0, s->mesh, "bottom"};
    const rico_touch how = {.law = {.friction = 0.3}};
    if (status == RICO_OK)
        status = rico_system_touch_surface(s->system, "floor", &side, floor_of, NULL, false, &how);
    return status;
}


static rico_status start(square *s, const char *ordering)
{
    rico_status status = rico_simulation_create(s->system, "moreau-jean", &s->sim);
    int64_t nv = status == RICO_OK ? rico_system_velocities(s->system) : 0;
    double *q = calloc((size_t)nv + 1, sizeof *q), *v = calloc((size_t)nv + 1, sizeof *v);
    if (!q || !v) status = RICO_NO_MEMORY;
    for (int64_t i = 0; v && i < nv; i++) v[i] = i % 2 ? -0.5 : 0.2;
    if (status == RICO_OK) status = rico_simulation_set(s->sim, "ordering", ordering);
    if (status == RICO_OK) status = rico_simulation_start(s->sim, 0.0, q, v);
    free(q);
    free(v);
    return status;
}


int main(int argc, char **argv)
{
    square s = {.ctx = rico_context_create(NULL)};
    int64_t n = argc > 1 ? atoll(argv[1]) : 700, rows = 0;
    int steps = argc > 2 ? atoi(argv[2]) : 60, flights = 0, touches = 0;
    static double flying[MOST], touching[MOST];
    if (!s.ctx || n < 1 || steps < 1 || steps > MOST) return 2;
    double begin = seconds(), h = 1e-4;
    rico_status status = build(&s, n);
    if (status == RICO_OK) status = start(&s, argc > 3 ? argv[3] : "minimum-degree");
    double made = seconds() - begin, first = 0.0, all = 0.0;
    for (int k = 0; status == RICO_OK && k < steps; k++) {
        begin = seconds();
        status = rico_simulation_step(s.sim, h);
        double taken = seconds() - begin;
        all += taken;
        if (k == 0)
            first = taken;
        else if (s.sim->contacts.rows == 0)
            flying[flights++] = taken;
        else
            touching[touches++] = taken;
        if (s.sim->contacts.rows > rows) rows = s.sim->contacts.rows;
    }
    if (status != RICO_OK) {
        fprintf(stderr, "%s\n", rico_message(s.ctx));
        return 1;
    }
    rico_factor_stats factor = rico_factor_statistics(s.sim->iteration.factor);
    int64_t nv = rico_system_velocities(s.system);
    double *x = calloc((size_t)nv, sizeof *x);
    begin = seconds();
    status = x ? rico_iteration_solve(&s.sim->iteration, 1, x, x) : RICO_NO_MEMORY;
    double solve = seconds() - begin;
    free(x);
    if (status != RICO_OK) return 1;
    printf("| unknowns | factor, 1e6 | MB | setup, s | first step, s | solve, s | free flight, s | with "
           "contact, s "
           "| mean, s | rows, most | peak, MB | residual |\n| --- | --- | --- | --- | --- | --- | --- | --- "
           "| --- | --- | --- | "
           "--- |\n");
    printf("| %lld | %.1f | %.0f | %.1f | %.1f | %.2f | %.2f | %.2f | %.2f | %lld | %.0f | %.1e |\n",
           (long long)nv, 1e-6 * (double)factor.entries, 1e-6 * (double)factor.bytes, made, first, solve,
           median(flying, flights), median(touching, touches), (all - first) / (steps - 1), (long long)rows,
           peak_megabytes(), rico_simulation_ledger_total(s.sim)->residual);
    rico_simulation_destroy(s.sim);
    rico_system_destroy(s.system);
    rico_mesh_destroy(s.mesh);
    rico_context_destroy(s.ctx);
    return 0;
}
