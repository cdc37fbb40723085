// What a step of a settled heap costs beside the warm solve of its contact problem alone.
//
// usage: bench_heap [contacts] [steps] [kind of scene ...]
//
// A generated heap (rico generate) becomes a simulation: its M as a part, its H as contacts with constant frames, its load
// swinging between gravity and that with small random forces. The solver alone gets the same problem and the same loads, its impulses carried
// over, at the tolerance of the step. Processor time after the first steps.

#include "ricochet/ricochet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double STEP = 1e-3;
enum { SETTLING = 10 };

typedef struct heap {
    rico_problem *problem;
    int64_t n;
    double *first, *second; // the two loads, as impulses
} heap;


static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}


static double *copy(int64_t n, const double *x)
{
    double *made = malloc((size_t)n * sizeof *made);
    if (made) memcpy(made, x, (size_t)n * sizeof *made);
    return made;
}


static rico_status heap_create(rico_context *ctx, const char *kind, int64_t contacts, heap *out)
{
    rico_scene_recipe recipe = rico_scene_recipe_default();
    rico_problem *later = NULL;
    recipe.kind = kind;
    recipe.contacts = contacts;
    recipe.perturbation = 0.0;
    rico_status status = rico_generate_scene(ctx, &recipe, &out->problem);
    recipe.perturbation = 0.01;
    if (status == RICO_OK) status = rico_generate_scene(ctx, &recipe, &later);
    if (status == RICO_OK) {
        out->n = rico_problem_dofs(out->problem);
        out->first = copy(out->n, rico_problem_force(out->problem));
        out->second = copy(out->n, rico_problem_force(later));
        if (!out->first || !out->second) status = RICO_NO_MEMORY;
    }
    rico_problem_destroy(later);
    return status;
}


static void heap_destroy(heap *h)
{
    rico_problem_destroy(h->problem);
    free(h->first);
    free(h->second);
}


static void impulse_at(const heap *h, double t, double *f)
{
    double share = 0.5 + 0.5 * sin(0.3 * t / STEP);
    for (int64_t i = 0; i < h->n; i++) f[i] = (1.0 - share) * h->first[i] + share * h->second[i];
}


static bool load(void *user, double t, double *f)
{
    const heap *h = user;
    impulse_at(h, t, f);
    for (int64_t i = 0; i < h->n; i++) f[i] /= STEP;
    return true;
}


static rico_status add_contacts(rico_system *system, const heap *h)
{
    rico_sparse_view H = rico_problem_jacobian(h->problem);
    rico_status status = RICO_OK;
    for (int64_t a = 0; status == RICO_OK && a < rico_problem_block_count(h->problem); a++) {
        rico_block block = rico_problem_block(h->problem, a);
        int64_t row = rico_problem_block_offset(h->problem, a), count = H.start[row + 1] - H.start[row];
        char name[32];
        snprintf(name, sizeof name, "c%lld", (long long)a);
        rico_contact contact = {.dimension = (int)block.size,
                                .friction = block.friction,
                                .reach = {count, H.row + H.start[row]},
                                .gradient = H.value + H.start[row],
                                .offset = -1e-6}; // pressed in a little: acts in every step
        status = rico_system_add_contact(system, name, &contact, NULL);
    }
    return status;
}


// Seconds of one step.
static double step_time(rico_context *ctx, heap *h, int steps, double *acting)
{
    rico_system *system = NULL;
    rico_simulation *sim = NULL;
    rico_matrix_part part = {.size = h->n, .M = rico_problem_mass(h->problem), .load = load, .user = h};
    double *zero = calloc((size_t)h->n, sizeof *zero), spent = 0.0;
    rico_status status = rico_system_create(ctx, &system);
    if (status == RICO_OK) status = rico_system_add_matrices(system, "heap", &part, NULL);
    if (status == RICO_OK) status = add_contacts(system, h);
    if (status == RICO_OK) status = rico_simulation_create(system, "moreau-jean", &sim);
    if (status == RICO_OK) status = rico_simulation_set(sim, "activation", "explicit");
    if (status == RICO_OK) status = rico_simulation_start(sim, 0.0, zero, zero);
    for (int k = 0; status == RICO_OK && k < SETTLING + steps; k++) {
        double begin = seconds();
        status = rico_simulation_step(sim, STEP);
        if (k >= SETTLING) spent += seconds() - begin;
    }
    int64_t count = 0, blocks = rico_problem_block_count(h->problem);
    const char *active = status == RICO_OK ? rico_simulation_active(sim) : NULL;
    for (int64_t a = 0; active && a < blocks; a++) count += active[a] != 0;
    *acting = (double)count / (double)blocks;
    if (status != RICO_OK) fprintf(stderr, "%s\n", rico_message(ctx));
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
    free(zero);
    return status == RICO_OK ? spent / steps : NAN;
}


// Seconds of one warm solve.
static double solve_time(rico_context *ctx, heap *h, int steps)
{
    rico_solver *solver = NULL;
    rico_report report;
    int64_t m = rico_problem_rows(h->problem);
    double *r = calloc((size_t)m, sizeof *r), *f = calloc((size_t)h->n, sizeof *f), spent = 0.0;
    rico_status status = rico_solver_create(ctx, "auto", &solver);
    if (status == RICO_OK) status = rico_solver_set(solver, "tol", "1e-10");
    if (status == RICO_OK) status = rico_solver_setup(solver, h->problem);
    for (int k = 0; status == RICO_OK && k < SETTLING + steps; k++) {
        impulse_at(h, STEP * k, f);
        double begin = seconds();
        status = rico_problem_set_force(h->problem, f, NULL);
        if (status == RICO_OK) status = rico_solver_update(solver);
        if (status == RICO_OK) status = rico_solver_solve(solver, r, NULL, &report);
        if (k >= SETTLING) spent += seconds() - begin;
    }
    if (status != RICO_OK) fprintf(stderr, "%s\n", rico_message(ctx));
    rico_solver_destroy(solver);
    free(r);
    free(f);
    return status == RICO_OK ? spent / steps : NAN;
}


int main(int argc, char **argv)
{
    static const char *const standard[] = {"spheres", "bed", "chain"};
    int64_t contacts = argc > 1 ? atoll(argv[1]) : 1000;
    int steps = argc > 2 ? atoi(argv[2]) : 30, kinds = argc > 3 ? argc - 3 : 3;
    rico_context *ctx = rico_context_create(NULL);
    if (!ctx || contacts < 1 || steps < 1) return 2;
    printf("| scene | contacts | acting | ms per step | ms per warm solve | ratio |\n");
    printf("| --- | ---: | ---: | ---: | ---: | ---: |\n");
    for (int i = 0; i < kinds; i++) {
        const char *kind = argc > 3 ? argv[3 + i] : standard[i];
        heap h = {0};
        if (heap_create(ctx, kind, contacts, &h) != RICO_OK) {
            fprintf(stderr, "%s\n", rico_message(ctx));
            heap_destroy(&h);
            continue;
        }
        double acting = 0.0, step = step_time(ctx, &h, steps, &acting), alone = solve_time(ctx, &h, steps);
        printf("| %s | %lld | %.2f | %.2f | %.2f | %.2f |\n", kind,
               (long long)rico_problem_block_count(h.problem), acting, 1e3 * step, 1e3 * alone, step / alone);
        fflush(stdout);
        heap_destroy(&h);
    }
    rico_context_destroy(ctx);
    return 0;
}
