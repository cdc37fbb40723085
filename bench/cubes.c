// What a step of two elastic cubes that are pressed and slid on each other costs against a solve with the factor of their matrix.
//
// usage: bench_cubes [faces|mortar|faces-dissect|mortar-dissect] [steps] [elements a side ...]
//
// Cubes of n x n x n H8, the lower one held below, the upper one turned by 20 degrees about the vertical, under a pressure, sliding over faces at
// 1 m/s and spinning a little; moreau-jean with steps of one length. A solve is one with the factor, by the same function that a step calls. `allowed` is 3 solves and one
// for each row of a contact that opened, closed, stuck or slid since the step before. Memory: the peak of the process against what the factor
// takes. -dissect orders by nested dissection. Each size runs in a process of its own.

#include "ricochet/ricochet.h"
#include "ricochet/touch.h"
#include "step/simulation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WARM = 8, MOST = 400 };

typedef struct cubes {
    rico_context *ctx;
    rico_mesh *mesh;
    rico_system *system;
    rico_simulation *sim;
    int64_t known; // contacts of the step before
    uint64_t key[1 << 14];
    char state[1 << 14];
} cubes;


static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now); // the machine may be shared
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}


static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}


static double median(double *x, int count)
{
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


static rico_status add_cube(cubes *c, bool upper, double angle, double h)
{
    rico_elastic_material material = rico_elastic_material_default();
    material.young = 1e7, material.poisson = 0.3, material.density = 1000.0;
    material.beta = h; // without it light contacts of a sliding face chatter for ever
    rico_elastic_part part = rico_elastic_default(c->mesh, RICO_SOLID);
    const rico_elastic_support held = {"bottom", RICO_HOLD_X | RICO_HOLD_Y | RICO_HOLD_Z};
    const rico_elastic_load loads[] = {
        {.kind = RICO_LOAD_BODY, .value = {0.0, 0.0, -9810.0}},
        {.kind = RICO_LOAD_TRACTION, .group = "top", .value = {0.0, 0.0, -2e4}}};
    part.materials = 1, part.material = &material;
    part.load = loads, part.loads = upper ? 2 : 1;
    if (!upper) part.supports = 1, part.support = &held;
    if (upper) {
        const double turn[9] = {cos(angle), -sin(angle), 0.0, sin(angle), cos(angle), 0.0, 0.0, 0.0, 1.0};
        memcpy(part.rotation, turn, sizeof turn);
        part.position[2] = 1.0;
        part.position[0] = 0.07;
    }
    return rico_system_add_elastic(c->system, upper ? "upper" : "lower", &part, NULL);
}


static rico_status build(cubes *c, int64_t n, bool mortar, double h)
{
    rico_mesh_box box = rico_mesh_box_default();
    box.kind = RICO_CELL_H8;
    for (int i = 0; i < 3; i++) box.origin[i] = -0.5, box.size[i] = 1.0, box.cells[i] = n;
    rico_status status = rico_mesh_make_box(c->ctx, &box, &c->mesh);
    if (status == RICO_OK) status = rico_system_create(c->ctx, &c->system);
    if (status == RICO_OK) status = add_cube(c, false, 0.0, h);
    if (status == RICO_OK) status = add_cube(c, true, 20.0 * acos(-1.0) / 180.0, h);
    const rico_touch_side below = {0, c->mesh, "top"}, above = {1, c->mesh, "bottom"};
    const rico_touch how = {.law = {.friction = 0.3}};
    if (status != RICO_OK) return status;
    if (mortar) return rico_system_touch_mortar(c->system, "contact", &above, &below, false, &how);
    return rico_system_touch_faces(c->system, "contact", &above, &below, false, &how);
}


static rico_status start(cubes *c, bool dissect)
{
    int64_t nv = 0;
    rico_status status = rico_simulation_create(c->system, "moreau-jean", &c->sim);
    if (status != RICO_OK) return status;
    nv = rico_system_velocities(c->system);
    double *q = calloc((size_t)nv, sizeof *q), *v = calloc((size_t)nv, sizeof *v);
    if (!q || !v) return RICO_NO_MEMORY;
    const rico_mesh_view mesh = rico_mesh_look(c->mesh);
    for (int64_t node = 0; node < mesh.nodes; node++) {
        const double *x = mesh.position + 3 * node;
        v[rico_elastic_velocity(c->system, 1, node, 0)] = 1.0 - 0.3 * x[1];
        v[rico_elastic_velocity(c->system, 1, node, 1)] = 0.3 * x[0];
        v[rico_elastic_velocity(c->system, 1, node, 2)] = -0.01;
    }
    status = rico_simulation_set(c->sim, "theta", "1");
    if (status == RICO_OK && dissect) status = rico_simulation_set(c->sim, "ordering", "nested-dissection");
    if (status == RICO_OK) status = rico_simulation_start(c->sim, 0.0, q, v);
    free(q);
    free(v);
    return status;
}


// Rows of the contacts that are not as in the step before.
static int64_t changed_rows(cubes *c)
{
    int64_t count = rico_simulation_constraints(c->sim), changed = 0, at = 0, known = 0;
    static uint64_t key[1 << 14];
    static char state[1 << 14];
    for (int64_t k = 0; k < count && k < 1 << 14; k++) {
        rico_constraint_info info = rico_simulation_constraint(c->sim, k);
        char now = (char)rico_simulation_contact_state(c->sim, k);
        while (at < c->known && c->key[at] < info.key) changed += c->state[at++] != RICO_OPEN ? 3 : 0;
        bool same = at < c->known && c->key[at] == info.key;
        char before = same ? c->state[at++] : (char)RICO_OPEN;
        changed += before != now ? info.rows : 0;
        key[known] = info.key;
        state[known++] = now;
    }
    memcpy(c->key, key, (size_t)known * sizeof *key);
    memcpy(c->state, state, (size_t)known);
    c->known = known;
    return changed;
}


// One solve, beside each step: what else runs on the machine then slows both.
static double time_of_solve(cubes *c, double *x)
{
    int64_t n = rico_system_velocities(c->system);
    for (int64_t i = 0; i < n; i++) x[i] = (double)(i % 7);
    double begin = seconds();
    if (rico_iteration_solve(&c->sim->iteration, 1, x, x) != RICO_OK) return NAN;
    return seconds() - begin;
}


static int run(int64_t n, bool mortar, bool dissect, int steps)
{
    static cubes c;
    static double taken[MOST], over[MOST], rows[MOST], solves[MOST];
    double h = 2e-3 * 10.0 / (double)n, begin = seconds();
    c.ctx = rico_context_create(NULL);
    rico_status status = c.ctx ? build(&c, n, mortar, h) : RICO_NO_MEMORY;
    if (status == RICO_OK) status = start(&c, dissect);
    int64_t contacts = 0, active = 0;
    double made = seconds() - begin, first = 0.0;
    for (int k = 0; status == RICO_OK && k < WARM; k++) {
        begin = seconds();
        status = rico_simulation_step(c.sim, h);
        if (k == 0) first = seconds() - begin;
        if (status == RICO_OK) changed_rows(&c);
    }
    double *x = calloc((size_t)rico_system_velocities(c.system) + 1, sizeof *x), solve = 0.0;
    if (!x) return 1;
    int64_t before = status == RICO_OK ? rico_factor_statistics(c.sim->iteration.factor).solves : 0;
    for (int k = 0; status == RICO_OK && k < steps; k++) {
        begin = seconds();
        status = rico_simulation_step(c.sim, h);
        taken[k] = seconds() - begin;
        if (status != RICO_OK) break;
        rows[k] = (double)changed_rows(&c);
        solves[k] = time_of_solve(&c, x);
        over[k] = taken[k] / ((3.0 + rows[k]) * solves[k]);
        contacts = c.known;
        active = c.sim->contacts.rows;
    }
    if (status != RICO_OK) {
        fprintf(stderr, "n = %lld: %s\n", (long long)n, rico_message(c.ctx));
        return 1;
    }
    rico_factor_stats factor = rico_factor_statistics(c.sim->iteration.factor);
    double megabytes = 1e-6 * (double)factor.bytes, peak = peak_megabytes(), mean = 0.0, total = 0.0;
    for (int k = 0; k < steps; k++) mean += rows[k] / steps, total += taken[k] / steps;
    solve = median(solves, steps);
    free(x);
    const rico_step_stats *stats = rico_simulation_statistics(c.sim);
    printf("| %lld | %s | %lld | %.2f | %lld/%lld | %.2f | %.2f | %.2f | %.1f | %.2f | %.2f | %.0f | %.0f | "
           "%.2f | %.2f | %lld | %lld | %.2f | %.2f |\n",
           (long long)n,
           mortar    ? (dissect ? "mortar, dissected" : "mortar")
           : dissect ? "faces, dissected"
                     : "faces",
           (long long)rico_system_velocities(c.system), 1e-6 * (double)factor.entries, (long long)contacts,
           (long long)active, 1e3 * solve, 1e3 * median(taken, steps), 1e3 * total, mean,
           total / ((3.0 + mean) * solve), median(over, steps), megabytes, peak, peak / megabytes,
           (double)(factor.solves - before) / steps - 1.0, (long long)stats->solver_calls,
           (long long)stats->sweeps, made, first);
    return 0;
}


int main(int argc, char **argv)
{
    static const int64_t usual[] = {5, 10, 20, 30};
    bool mortar = argc > 1 && strstr(argv[1], "mortar"), dissect = argc > 1 && strstr(argv[1], "dissect");
    int steps = argc > 2 ? atoi(argv[2]) : 40, sizes = argc > 3 ? argc - 3 : 4, bad = 0;
    if (steps < 1 || steps > MOST) return 2;
    printf("| n | contact | unknowns | factor, 1e6 | contacts/rows | solve, ms | step, ms | mean | rows "
           "changed | step/allowed | "
           "median | factor, MB | peak, MB | ratio | solves a step | solver calls | sweeps | setup, s | "
           "first, s |\n");
    printf("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- "
           "| --- | --- |\n");
    fflush(stdout);
    for (int k = 0; k < sizes; k++) {
        pid_t child = fork();
        if (child == 0) {
            int code = run(argc > 3 ? atoll(argv[3 + k]) : usual[k], mortar, dissect, steps);
            fflush(NULL);
            _exit(code);
        }
        int state = 0;
        if (child < 0 || waitpid(child, &state, 0) < 0 || state != 0) bad = 1;
    }
    return bad;
}
