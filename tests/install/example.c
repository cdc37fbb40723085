// A puck of 2 kg hits a floor of friction 1/2 at 1 m/s while it slides at 3 m/s: what impulse does it get?
//
// The floor stops the fall with 2 N s; Coulomb allows half of that along the floor, too little to stop the
// slide. So the impulse is (2, -1, 0), and the puck goes on at 3 - 1/2 = 2.5 m/s.

#include <ricochet/ricochet.h>

#include <stdio.h>

static int fail(rico_context *ctx)
{
    fprintf(stderr, "%s\n", ctx ? rico_message(ctx) : "out of memory");
    rico_context_destroy(ctx);
    return 1;
}


int main(void)
{
    rico_context *ctx = rico_context_create(NULL);
    if (!ctx) return fail(ctx);

    // M v = H r + f, u = H' v + w: three velocities, one contact whose frame is the axes', normal first
    const int64_t start[] = {0, 1, 2, 3}, row[] = {0, 1, 2};
    const double masses[] = {2.0, 2.0, 2.0}, ones[] = {1.0, 1.0, 1.0};
    const rico_sparse_view M = {3, 3, start, row, masses}, H = {3, 3, start, row, ones};
    const double f[] = {2.0 * -1.0, 2.0 * 3.0, 0.0}, w[] = {0.0, 0.0, 0.0};
    const rico_block contact = {.kind = RICO_COULOMB_3D, .size = 3, .friction = 0.5};

    rico_problem *problem;
    if (rico_problem_create_global(ctx, 1, &contact, &M, &H, f, w, &problem) != RICO_OK) return fail(ctx);

    // create, set options, set up, solve
    rico_solver *solver;
    rico_report report;
    double r[3] = {0.0, 0.0, 0.0}, u[3];
    if (rico_solver_create(ctx, "auto", &solver) != RICO_OK) {
        rico_problem_destroy(problem);
        return fail(ctx);
    }
    if (rico_solver_set(solver, "tol", "1e-12") != RICO_OK || rico_solver_setup(solver, problem) != RICO_OK ||
        rico_solver_solve(solver, r, u, &report) != RICO_OK) {
        rico_solver_destroy(solver);
        rico_problem_destroy(problem);
        return fail(ctx);
    }

    printf("%s: impulse %.6f %.6f %.6f, velocity %.6f %.6f %.6f\n", rico_stop_name(report.stop), r[0], r[1],
           r[2], u[0], u[1], u[2]);

    rico_solver_destroy(solver);
    rico_problem_destroy(problem);
    rico_context_destroy(ctx);
    return report.stop == RICO_CONVERGED ? 0 : 1;
}
