// Problems of several kinds over however many ranks mpirun gives: certified by the serial library's own residual and
// compared with its solver. Prints a line for each, which must be the same on any number of ranks.

#include "base/context.h"
#include "rico_mpi.h"
#include "ricochet/generate.h"

#include <inttypes.h>
#include <math.h>
#include <petscsys.h>
#include <stdio.h>
#include <stdlib.h>

static int failures;

static void expect(bool right, const char *name, const char *what, double value)
{
    if (right) return;
    fprintf(stderr, "%s: %s (%.3g)\n", name, what, value);
    failures++;
}


// Problems beyond these are not for sweeps.
enum { FIRST_OF_NEWTON = 8, PROBLEMS = 10 };


static bool is_frictionless(int which)
{
    return which == 6 || which == 7;
}


static rico_problem *make(rico_context *ctx, int which, const char **name)
{
    rico_problem *problem = NULL;
    rico_scene_recipe recipe = rico_scene_recipe_default();
    rico_random_heap heap = rico_random_heap_default();
    recipe.friction = 0.3;
    heap.contacts = 400;
    heap.bodies = 150;
    heap.friction_spread = 0.5;
    static const char *const names[] = {"spheres",
                                        "bed",
                                        "heap",
                                        "heap in the plane",
                                        "one contact",
                                        "nothing",
                                        "spheres without friction",
                                        "heap without friction",
                                        "wall",
                                        "tower"};
    *name = names[which];
    rico_status status = RICO_OK;
    if (is_frictionless(which)) recipe.friction = heap.friction = 0.0;
    if (which >= FIRST_OF_NEWTON) recipe.friction = 0.5;
    if (which < 2 || which == 6 || which >= FIRST_OF_NEWTON) {
        recipe.kind = names[which == 6 ? 0 : which];
        recipe.contacts = which % 6 == 0 ? 1500 : which >= FIRST_OF_NEWTON ? 1000 : 400;
        status = rico_generate_scene(ctx, &recipe, &problem);
    } else {
        if (which == 3) heap.dimension = 2;
        if (which == 3) heap.bodies = heap.contacts;
        if (which == 4) heap.contacts = heap.bodies = 1;
        if (which == 5) heap.contacts = 0;
        status = rico_generate_random(ctx, &heap, &problem);
    }
    if (status) {
        fprintf(stderr, "%s: %s\n", *name, rico_message(ctx));
        exit(1);
    }
    return problem;
}


// The difference of contact velocities to those of the serial solver, over the largest. Without friction u is unique,
// and the solver starts from nothing. With friction there are many solutions, which serial solvers differ by as well;
// started from ours, it must stay there.
static double compare(rico_context *ctx, rico_problem *problem, bool frictionless, const double *ours,
                      const double *u)
{
    int64_t rows = rico_problem_rows(problem);
    double *r = calloc((size_t)rows + 1, sizeof *r), *other = calloc((size_t)rows + 1, sizeof *other);
    double largest = 1e-300, apart = 0.0;
    for (int64_t i = 0; i < rows && !frictionless; i++) r[i] = ours[i];
    rico_solver *solver = NULL;
    rico_report report;
    rico_status status = rico_solver_create(ctx, "auto", &solver);
    if (!status) status = rico_solver_set(solver, "tol", "1e-12");
    if (!status) status = rico_solver_setup(solver, problem);
    if (!status) status = rico_solver_solve(solver, r, other, &report);
    for (int64_t i = 0; i < rows; i++) {
        largest = fmax(largest, fabs(other[i]));
        apart = fmax(apart, fabs(other[i] - u[i]));
    }
    rico_solver_destroy(solver);
    free(r);
    free(other);
    return status ? INFINITY : apart / largest;
}


static void try_problem(rico_context *ctx, int rank, int which, rico_mpi_method method)
{
    static const char *const methods[] = {
        [RICO_MPI_SWEEPS] = "sweeps", [RICO_MPI_NEWTON] = "newton", [RICO_MPI_AUTO] = "auto"};
    const char *name;
    rico_problem *problem = make(ctx, which, &name);
    int64_t rows = rico_problem_rows(problem), dofs = rico_problem_dofs(problem);
    double *r = calloc((size_t)rows + 1, sizeof *r), *u = calloc((size_t)rows + 1, sizeof *u);
    double *v = calloc((size_t)dofs + 1, sizeof *v);
    rico_mpi_options options = rico_mpi_defaults();
    rico_mpi_problem *shared = NULL;
    rico_mpi_report report;
    options.tol = 1e-10;
    options.method = method;
    rico_status status = rico_mpi_take(ctx, MPI_COMM_WORLD, rank == 0 ? problem : NULL, &options, &shared);
    if (!status) status = rico_mpi_solve(shared, &options, &report);
    if (!status) status = rico_mpi_gather(shared, r, u, v);
    if (status) {
        fprintf(stderr, "%s: %s\n", name, rico_message(ctx));
        exit(1);
    }
    if (rank == 0) {
        rico_residual serial;
        double *own = calloc((size_t)rows + 1, sizeof *own), apart = 0.0;
        status = rico_problem_residual(problem, r, own, &serial);
        expect(!status && rico_residual_within(&serial, options.tol * 1.0001), name, "the serial residual",
               serial.relative);
        expect(report.solve.stop == RICO_CONVERGED, name, "did not converge", report.solve.residual.relative);
        expect(fabs(serial.relative - report.solve.residual.relative) <= 1e-3 * options.tol, name,
               "the residual differs from the serial one", report.solve.residual.relative);
        for (int64_t i = 0; i < rows; i++) apart = fmax(apart, fabs(own[i] - u[i]));
        expect(apart <= 1e-12 * (1.0 + serial.scale), name, "u is not that of r", apart);
        // walls and towers have solutions far apart, and the serial solver goes from one to another for its last digits
        apart = which >= FIRST_OF_NEWTON ? 0.0 : compare(ctx, problem, is_frictionless(which), r, u);
        expect(apart <= 1e-6, name, "u differs from the serial solver's", apart);
        expect(report.sweeps + report.systems == report.solve.iterations, name, "iterations are not counted",
               (double)report.solve.iterations);
        expect(method != RICO_MPI_AUTO || report.systems > 0, name, "sweeps went on", (double)report.sweeps);
        printf("%s by %s: %s, %" PRId64 " sweeps, %" PRId64 " systems, %" PRId64
               " products, residual %.17g, digest %016" PRIx64 "\n",
               name, methods[method], rico_stop_name(report.solve.stop), report.sweeps, report.systems,
               report.products, report.solve.residual.relative, report.digest);
        free(own);
    }
    // from its own result there is nothing left to do
    status = rico_mpi_guess(shared, r);
    if (!status) status = rico_mpi_solve(shared, &options, &report);
    expect(!status && report.solve.iterations == 0, name, "sweeps from the solution",
           (double)report.solve.iterations);
    rico_mpi_destroy(shared);
    rico_problem_destroy(problem);
    free(r);
    free(u);
    free(v);
}


// What cannot be taken is refused on all ranks, with the same sentence.
static void try_refusals(rico_context *ctx, int rank)
{
    rico_random_heap heap = rico_random_heap_default();
    rico_mpi_options options = rico_mpi_defaults();
    heap.contacts = 30;
    heap.bodies = 15;
    for (int which = 0; which < 2; which++) {
        rico_problem *problem = NULL;
        rico_mpi_problem *shared = NULL;
        heap.joints = which == 0 ? 2 : 0;
        heap.reduced = which == 1;
        if (rico_generate_random(ctx, &heap, &problem)) exit(1);
        rico_status status =
            rico_mpi_take(ctx, MPI_COMM_WORLD, rank == 0 ? problem : NULL, &options, &shared);
        expect(status == RICO_UNSUPPORTED, which == 0 ? "joints" : "local form", "not refused", status);
        if (rank == 0) printf("refused: %s\n", rico_message(ctx));
        rico_mpi_destroy(shared);
        rico_problem_destroy(problem);
    }
}


int main(void)
{
    int rank;
    MPI_Init(NULL, NULL);
    PetscInitialize(NULL, NULL, NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    rico_context *ctx = rico_context_create(NULL);
    if (!ctx) return 1;
    for (int which = 0; which < FIRST_OF_NEWTON; which++) try_problem(ctx, rank, which, RICO_MPI_SWEEPS);
    // the heap in space takes as many products as all others together, and shows nothing that they do not
    for (int which = 0; which < PROBLEMS; which++)
        if (which != 2) try_problem(ctx, rank, which, RICO_MPI_NEWTON);
    for (int which = FIRST_OF_NEWTON; which < PROBLEMS; which++) try_problem(ctx, rank, which, RICO_MPI_AUTO);
    try_refusals(ctx, rank);
    rico_context_destroy(ctx);
    MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    PetscFinalize();
    MPI_Finalize();
    return failures > 0;
}
