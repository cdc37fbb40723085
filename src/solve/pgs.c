// Scalar projected Gauss-Seidel: one row at a time, each kept within its bounds.
//
// For unilateral rows r >= 0, for equality rows no bound, for boxes their own, for the tangent of a plane contact the interval
// [-mu r_N, mu r_N] of the normal impulse as it stands (Cryer 1971 for the overrelaxed form; Moreau 1999 for the bounds
// that follow). Runs on the sparse W; with several contacts between two rigid bodies it is slow but does not mind.

#include "solve/pace.h"

#include <math.h>

typedef enum pgs_option { OPTION_OMEGA, OPTION_CHECK } pgs_option;

static const rico_option_info options[] = {
    [OPTION_OMEGA] = {"omega", "relaxation of each row's step", RICO_REAL, 0.01, 1.99, 1.0, NULL},
    [OPTION_CHECK] = {"check-every", "sweeps between two checks of the residual, at most", RICO_INTEGER, 1,
                      1e9, 50, NULL},
};


// solver->work: velocities of the largest block.
static rico_status setup(rico_solver *solver)
{
    const rico_problem *p = solver->problem;
    int64_t largest = 0;
    for (int64_t a = 0; a < p->block_count; a++)
        if (p->offset[a + 1] - p->offset[a] > largest) largest = p->offset[a + 1] - p->offset[a];
    solver->work = rico_alloc(solver->ctx, largest, sizeof(double));
    return solver->work ? RICO_OK : RICO_NO_MEMORY;
}


static void cleanup(rico_solver *solver)
{
    rico_free(solver->ctx, solver->work);
}


// Row k of block a moved from x: where its bounds allow it to be, r being the impulses of the block.
static double bounded(const rico_problem *p, int64_t a, int64_t k, const double *r, double x)
{
    if (!rico_problem_is_contact(p, a)) {
        // a joint leaves x as it is, a box clamps it
        if (!rico_problem_is_joint(p, a)) rico_problem_project_block(p, a, &x);
        return x;
    }
    if (k == 0) return fmax(x, 0.0);
    double bound = p->friction[a] * r[0];
    return fmax(-bound, fmin(bound, x));
}


// One sweep; returns the squared change of r.
static double sweep(const rico_problem *p, double omega, double *u, double *r)
{
    double change = 0.0;
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t first = p->offset[a], rows = p->offset[a + 1] - first;
        const double *block = &p->W.value[p->W.place[p->W.diagonal[a]]];
        double *r_a = &r[first];
        rico_block_row_times(&p->W, a, r, &p->q[first], u);
        for (int64_t k = 0; k < rows; k++) {
            // a row that no motion answers to takes no step, but its bounds may have moved
            double pivot = block[k * rows + k], step = pivot > 0.0 ? -omega * u[k] / pivot : 0.0;
            double d = bounded(p, a, k, r_a, r_a[k] + step) - r_a[k];
            if (d == 0.0) continue;
            r_a[k] += d;
            change += d * d;
            for (int64_t j = k + 1; j < rows; j++) u[j] += block[j * rows + k] * d;
        }
    }
    return change;
}


static rico_status solve(rico_solver *solver, rico_run *run)
{
    double omega = rico_option(solver, OPTION_OMEGA);
    rico_pace pace = rico_pace_begin(run, (int64_t)rico_option(solver, OPTION_CHECK));
    for (int64_t k = 1;; k++) {
        double change = sweep(solver->problem, omega, solver->work, run->r);
        if (rico_pace_step(&pace, run, k, change)) return RICO_OK;
        if (pace.checked && change == 0.0) {
            rico_pace_stall(run);
            return RICO_OK;
        }
    }
}


const rico_method rico_pgs_methods[] = {{
    .info = {.name = "pgs",
             .family = "complementarity",
             .summary = "scalar projected Gauss-Seidel; without friction or in the plane",
             .reference = "Cryer 1971; Cottle, Pang, Stone 1992, section 5.2",
             .takes = RICO_TAKES_REDUCED | RICO_TAKES_EQUALITY | RICO_TAKES_UNILATERAL |
                      RICO_TAKES_COULOMB_2D | RICO_TAKES_FRICTIONLESS | RICO_TAKES_BOX |
                      RICO_TAKES_UNSYMMETRIC,
             .option_count = sizeof options / sizeof options[0],
             .options = options},
    .setup = setup,
    .solve = solve,
    .cleanup = cleanup,
}};
const int rico_pgs_count = sizeof rico_pgs_methods / sizeof rico_pgs_methods[0];
