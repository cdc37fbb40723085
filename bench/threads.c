// What a second thread is worth: auto on the same scene with one thread and with more, in one run.
//
//     bench_threads [KIND [CONTACTS [THREADS [REPEATS]]]]        (spheres 100000 2 3)
//
// Each scene is solved from zero at step 0 and from there at step 1, as in bench_scaling, by turns with one thread and
// with several, the best of the repeats of each. The impulses must agree to the last bit.
//
// Printed are wall seconds and the processor seconds of the first thread, which does all that is not shared and its part
// of what is: on a machine that others use too it tells what the wall clock of a quiet one would. For that the threads
// must sleep while they wait: GOMP_SPINCOUNT=0 in the environment.

#include "base/clock.h"
#include "ricochet/ricochet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct seconds {
    double wall, first; // the clock on the wall, the processor time of the first thread
} seconds;

static seconds now(void)
{
    struct timespec spent;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
    return (seconds){rico_clock(), (double)spent.tv_sec + 1e-9 * (double)spent.tv_nsec};
}


static void keep_best(seconds *best, seconds start)
{
    seconds end = now();
    best->wall = fmin(best->wall, end.wall - start.wall);
    best->first = fmin(best->first, end.first - start.first);
}


// Step 0 from zero, then step 1 from there; best[0] and best[1] keep the better of old and new.
static rico_status solve_steps(rico_context *ctx, const rico_scene_recipe *recipe, int threads, double **r,
                               seconds best[2])
{
    rico_scene_recipe second = *recipe;
    second.step = 1;
    rico_problem *problem = NULL, *next = NULL;
    rico_solver *solver = NULL;
    rico_report report;
    rico_status status = rico_generate_scene(ctx, recipe, &problem);
    if (!status) status = rico_generate_scene(ctx, &second, &next);
    if (!status) status = rico_solver_create(ctx, "auto", &solver);
    if (!status) status = rico_solver_set_number(solver, "tol", 1e-6);
    if (!status) status = rico_solver_set_number(solver, "threads", threads);
    if (!status) {
        free(*r);
        *r = calloc((size_t)rico_problem_rows(problem), sizeof **r);
        if (!*r) status = RICO_NO_MEMORY;
    }
    seconds start = now();
    if (!status) status = rico_solver_setup(solver, problem);
    if (!status) status = rico_solver_solve(solver, *r, NULL, &report);
    keep_best(&best[0], start);
    start = now();
    if (!status)
        status = rico_problem_set_force(problem, rico_problem_force(next), rico_problem_offset(next));
    if (!status) status = rico_solver_update(solver);
    if (!status) status = rico_solver_solve(solver, *r, NULL, &report);
    keep_best(&best[1], start);
    if (!status && report.stop != RICO_CONVERGED)
        printf("%d threads: not solved, %s\n", threads, rico_stop_name(report.stop));
    rico_solver_destroy(solver);
    rico_problem_destroy(problem);
    rico_problem_destroy(next);
    return status;
}


int main(int argc, char **argv)
{
    rico_scene_recipe recipe = rico_scene_recipe_default();
    if (argc > 1) recipe.kind = argv[1];
    recipe.contacts = argc > 2 ? strtoll(argv[2], NULL, 10) : 100000;
    int threads = argc > 3 ? atoi(argv[3]) : 2, repeats = argc > 4 ? atoi(argv[4]) : 3;

    rico_context *ctx = rico_context_create(NULL);
    rico_problem *problem = NULL;
    if (!ctx || rico_generate_scene(ctx, &recipe, &problem)) {
        fprintf(stderr, "bench_threads: %s\n", ctx ? rico_message(ctx) : "out of memory");
        return EXIT_FAILURE;
    }
    size_t bytes = (size_t)rico_problem_rows(problem) * sizeof(double);
    rico_problem_destroy(problem);

    double *one = NULL, *several = NULL;
    const seconds never = {INFINITY, INFINITY};
    seconds best[2][2] = {{never, never}, {never, never}};
    bool equal = true;
    rico_status status = RICO_OK;
    for (int k = 0; !status && k < repeats; k++) {
        status = solve_steps(ctx, &recipe, 1, &one, best[0]);
        if (!status) status = solve_steps(ctx, &recipe, threads, &several, best[1]);
        if (!status) equal = equal && memcmp(one, several, bytes) == 0;
    }
    if (status)
        fprintf(stderr, "bench_threads: %s\n", rico_message(ctx));
    else
        for (int k = 0; k < 2; k++)
            printf("| %s | %lld | %s | %.3f | %.3f | %.2f | %.3f | %.3f | %.2f | %s |\n", recipe.kind,
                   (long long)recipe.contacts, k ? "warm" : "cold", best[0][k].wall, best[1][k].wall,
                   best[0][k].wall / best[1][k].wall, best[0][k].first, best[1][k].first,
                   best[0][k].first / best[1][k].first, equal ? "yes" : "NO");
    free(one);
    free(several);
    rico_context_destroy(ctx);
    return status || !equal ? EXIT_FAILURE : EXIT_SUCCESS;
}
