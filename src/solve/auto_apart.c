// `auto` where contacts stand apart: proximal steps from zero, before any interior point method.
//
// Where several contacts share a pair of bodies, as under boxes and planks, they are redundant, and an interior point method on the
// compressed system is at home. Where most have a pair of their own, as between capsules, rods and rocks, compression gains nothing, many of them
// are open, and Newton's method on the few that are not, within a handful of proximal steps from zero, costs a third of it. Sweeps have
// found a valley of the residual by then, and zero is the better place to begin.

#include "solve/auto.h"

#include "base/clock.h"

#include <math.h>
#include <string.h>

enum {
    LARGEST = 6000,
    STEPS = 20
}; // rows, for want of experience beyond; proximal steps, six to nine being usual

// Rows of the compressed system for each of the problem above which contacts stand apart: whatever this is between 0.58 and 0.65 makes
// no difference to speak of.
static const double apart = 0.6;


// Options of the steps: one that fails ends them.
static rico_status make_solver(rico_solver *solver)
{
    rico_auto *work = solver->work;
    rico_status status = rico_solver_create(solver->ctx, "ppa-nsn-ac", &work->proximal);
    if (!status) status = rico_solver_set_number(work->proximal, "failures", 1.0);
    if (!status) status = rico_solver_setup_inner(work->proximal, solver->problem);
    if (status) {
        rico_solver_destroy(work->proximal);
        work->proximal = NULL;
    }
    return status;
}


static bool stand_apart(const rico_solver *solver)
{
    const rico_auto *work = solver->work;
    const rico_problem *p = solver->problem;
    if (rico_option(solver, RICO_AUTO_APART) == 0.0 || p->rows > LARGEST || !work->stage->system)
        return false;
    return (double)rico_compressed_statistics(work->stage->system).rows > apart * (double)p->rows;
}


rico_status rico_auto_step_apart(rico_solver *solver, rico_run *run)
{
    rico_auto *work = solver->work;
    if (!stand_apart(solver)) return RICO_OK;
    rico_status status = work->proximal ? RICO_OK : make_solver(solver);
    if (status || !work->proximal) return status;
    size_t bytes = (size_t)solver->problem->rows * sizeof *run->r;
    double *option = work->proximal->option;
    option[RICO_OPT_TOL] = run->tol;
    option[RICO_OPT_MAX_ITER] = fmin(STEPS, (double)(run->max_iterations - run->iterations));
    option[RICO_OPT_TIME_LIMIT] = run->deadline < INFINITY ? fmax(run->deadline - rico_clock(), 1e-9) : 0.0;
    rico_report report;
    memset(run->r, 0, bytes);
    status = rico_solver_solve(work->proximal, run->r, NULL, &report);
    if (status || rico_run_check(run, run->iterations + report.iterations)) return status;
    memcpy(run->r, work->origin, bytes);
    return RICO_OK;
}
