// `auto` from a start that is nearly right: when sweeps are left at once, and the few Newton systems that do instead.

#include "solve/auto.h"

#include <math.h>
#include <string.h>

enum { WARM_SYSTEMS = 10 }; // that Newton-like stages need from there


// Does the run begin with an impulse that is nearly right, on a problem whose systems are made body by body?
bool rico_auto_is_warm(const rico_solver *solver, const rico_run *run)
{
    static const double nearly = 0.3; // residual; that of zero is near 1
    const rico_problem *p = solver->problem;
    bool zero = true;
    for (int64_t i = 0; zero && i < p->rows; i++) zero = run->r[i] == 0.0;
    return !zero && rico_option(solver, RICO_AUTO_WARM) != 0.0 && rico_stage_by_bodies(p) &&
           run->residual.relative < nearly;
}


// Sweeps soon mend what neighbours can settle among themselves. Are the first ones far from done, what is left goes from one end
// of the problem to the other, and sweeps are slow at that; Newton-like stages are not, unless their systems cost more than many
// sweeps.
rico_status rico_auto_leaves_sweeps(rico_solver *solver, const rico_run *run, bool *slow)
{
    static const double settled = 3e-3,
                        most = 1500.0; // of the first residual; sweeps that may be spent instead
    rico_auto *work = solver->work;
    *slow = work->warm = false;
    if (run->best_residual.relative < settled * work->first) return RICO_OK;
    double system = INFINITY;
    rico_status status = rico_auto_price(solver, &system);
    *slow = WARM_SYSTEMS * system < most * rico_sweeper_seconds(work->sweeper);
    work->warm = *slow;
    return status;
}


// Near a solution, with the states of most contacts known: a few proximal steps from the best point.
static rico_status find_last_digits(rico_solver *solver, rico_run *run)
{
    static const double nearly = 2e-5;
    rico_auto *work = solver->work;
    if (run->best_residual.relative > nearly) return RICO_OK;
    memcpy(run->r, solver->best, (size_t)solver->problem->rows * sizeof *run->r);
    rico_proximal_options proximal = rico_proximal_default();
    proximal.alpha = fmin(1e-2, fmax(1e-6, run->best_residual.relative));
    proximal.steps = 3;
    proximal.inner = 8;
    return rico_stage_proximal(work->stage, &proximal, run);
}


// Two proximal steps with little regularization, which find out which contacts change their state; then an interior point
// method that begins as near to its boundary as the residual is small.
static rico_status step_by_states(rico_solver *solver, rico_run *run)
{
    rico_auto *work = solver->work;
    rico_proximal_options proximal = rico_proximal_default();
    proximal.alpha = fmin(1e-4, run->best_residual.relative);
    proximal.steps = 2;
    proximal.inner = 12;
    rico_status status = rico_stage_proximal(work->stage, &proximal, run);
    if (status || over(run)) return status;
    memcpy(run->r, solver->best, (size_t)solver->problem->rows * sizeof *run->r);
    rico_interior_options interior = rico_interior_default();
    interior.centre = fmin(1.0, fmax(2.0 * run->best_residual.relative, 1e-5));
    interior.stall = 5;
    return rico_stage_interior(work->stage, &interior, run);
}


// The interior point method from little inside of the cones, as well centred there as it can be.
static rico_status step_inside(rico_solver *solver, rico_run *run)
{
    rico_auto *work = solver->work;
    rico_interior_options interior = rico_interior_default();
    interior.centre = 1e-3;
    interior.near = true;
    interior.stall = 2;
    return rico_stage_interior(work->stage, &interior, run);
}


// From a start that is nearly right. Which of the two ways is the shorter one was measured: by states along a chain or a tower,
// whose systems are slim, inside where walls and beds fill them. Where wedges and folds keep the first from the end, the second goes on
// from the nearest point; where both fail, the other stages begin where the sweeps left.
rico_status rico_auto_step_warmly(rico_solver *solver, rico_run *run)
{
    static const double slim = 5e3; // operations of a factorization for each contact
    rico_auto *work = solver->work;
    size_t bytes = (size_t)solver->problem->rows * sizeof *run->r;
    bool states = rico_body_system_flops(work->stage->bodies) < slim * (double)solver->problem->block_count;
    for (int turn = 0; turn < 2; turn++, states = !states) {
        memcpy(run->r, solver->best, bytes);
        rico_status status = states ? step_by_states(solver, run) : step_inside(solver, run);
        if (status || over(run)) return status;
        status = find_last_digits(solver, run);
        if (status || over(run)) return status;
    }
    memcpy(run->r, work->origin, bytes);
    return RICO_OK;
}
