// The life of a solver: create, options, setup, solve, update, destroy. What a method does lives in its own file.

#include "base/clock.h"
#include "base/option.h"
#include "problem/units.h"
#include "solve/glance.h"
#include "solve/registry.h"

#include <math.h>
#include <string.h>

static int option_total(const rico_solver *solver)
{
    return RICO_COMMON_OPTIONS + solver->method->info.option_count;
}


static const rico_option_info *option_at(const rico_solver *solver, int index)
{
    if (index < RICO_COMMON_OPTIONS) return &rico_solver_common_options(NULL)[index];
    return &solver->method->info.options[index - RICO_COMMON_OPTIONS];
}


// Index of an option by name, -1 if the solver has none of that name.
static int option_find(const rico_solver *solver, const char *name)
{
    for (int i = 0; i < option_total(solver); i++)
        if (strcmp(option_at(solver, i)->name, name) == 0) return i;
    return -1;
}


double rico_option(const rico_solver *solver, int index)
{
    return solver->option[RICO_COMMON_OPTIONS + index];
}


rico_status rico_solver_create(rico_context *ctx, const char *name, rico_solver **out)
{
    const rico_method *method = rico_method_find(name);
    if (!method) return rico_fail(ctx, RICO_BAD_ARGUMENT, "there is no solver \"%s\"", name);

    rico_solver *solver = rico_alloc(ctx, 1, sizeof *solver);
    if (!solver) return RICO_NO_MEMORY;
    solver->ctx = ctx;
    solver->method = method;
    solver->option = rico_alloc(ctx, option_total(solver), sizeof *solver->option);
    if (!solver->option) {
        rico_solver_destroy(solver);
        return RICO_NO_MEMORY;
    }
    for (int i = 0; i < option_total(solver); i++) solver->option[i] = option_at(solver, i)->standard;
    *out = solver;
    return RICO_OK;
}


// Leaves the solver as before any setup.
static void forget_problem(rico_solver *solver)
{
    if (solver->work) solver->method->cleanup(solver);
    solver->work = NULL;
    rico_free(solver->ctx, solver->best); // with trial and velocity
    solver->best = solver->trial = solver->velocity = NULL;
    if (solver->problem != solver->original) rico_problem_destroy(solver->problem);
    solver->problem = solver->original = NULL;
}


void rico_solver_destroy(rico_solver *solver)
{
    if (!solver) return;
    forget_problem(solver);
    rico_free(solver->ctx, solver->history);
    rico_free(solver->ctx, solver->option);
    rico_free(solver->ctx, solver);
}


static rico_status unknown_option(const rico_solver *solver, const char *name)
{
    return rico_fail(solver->ctx, RICO_BAD_ARGUMENT, "the solver %s has no option \"%s\"",
                     solver->method->info.name, name);
}


rico_status rico_solver_set_number(rico_solver *solver, const char *name, double value)
{
    int index = option_find(solver, name);
    if (index < 0) return unknown_option(solver, name);
    rico_status status = rico_option_check(solver->ctx, option_at(solver, index), value);
    if (status == RICO_OK) solver->option[index] = value;
    return status;
}


rico_status rico_solver_set(rico_solver *solver, const char *name, const char *value)
{
    int index = option_find(solver, name);
    if (index < 0) return unknown_option(solver, name);
    return rico_option_parse(solver->ctx, option_at(solver, index), value, &solver->option[index]);
}


rico_status rico_solver_get_number(const rico_solver *solver, const char *name, double *value)
{
    int index = option_find(solver, name);
    if (index < 0) return unknown_option(solver, name);
    *value = solver->option[index];
    return RICO_OK;
}


// Refuses, in words, a problem that the method cannot take.
static rico_status check_takes(const rico_solver *solver, const rico_problem *problem)
{
    unsigned takes = solver->method->info.takes;
    for (int64_t a = 0; a < problem->block_count; a++) {
        const rico_cone_kind *kind = &rico_cone_kinds[problem->kind[a]];
        // without friction a Coulomb block is a half line with rows that stay at rest
        bool frictionless = kind->frictional && !kind->shaped && problem->friction[a] == 0.0;
        if ((takes & kind->takes) || (frictionless && (takes & RICO_TAKES_FRICTIONLESS))) continue;
        return rico_fail(solver->ctx, RICO_UNSUPPORTED, "the solver %s takes no %s block (block %lld is one)",
                         solver->method->info.name, kind->info.name, (long long)a);
    }
    if (!(takes & RICO_TAKES_REDUCED) && !problem->global)
        return rico_fail(solver->ctx, RICO_UNSUPPORTED,
                         "the solver %s needs M and H, and the problem has only W and q",
                         solver->method->info.name);
    return RICO_OK;
}


// Everything after solver->problem is known.
static rico_status prepare(rico_solver *solver)
{
    rico_context *ctx = solver->ctx;
    rico_problem *problem = solver->problem;
    const rico_array vectors[] = {{&solver->best, problem->rows, sizeof *solver->best},
                                  {&solver->trial, problem->rows, sizeof *solver->trial},
                                  {&solver->velocity, problem->rows, sizeof *solver->velocity}};
    rico_status status = rico_alloc_together(ctx, 3, vectors) ? RICO_OK : RICO_NO_MEMORY;

    // what the residual needs is made here, so that solving allocates nothing
    if (!status && !(solver->method->info.takes & RICO_TAKES_GLOBAL)) status = rico_problem_reduce(problem);
    if (!status) status = rico_problem_need_free_velocity(problem);
    if (!status && solver->method->apart) status = rico_problem_block_norms_apart(problem);
    if (!status) status = rico_problem_block_norms(problem);
    if (!status) status = solver->method->setup(solver);
    return status;
}


// The copy, and everything else that is made for a problem.
static rico_status make_ready(rico_solver *solver)
{
    rico_status status = rico_problem_in_own_units(solver->original, &solver->units, &solver->problem);
    if (!status) status = prepare(solver);
    if (status) forget_problem(solver);
    return status;
}


rico_status rico_solver_setup(rico_solver *solver, rico_problem *problem)
{
    forget_problem(solver);
    rico_status status = check_takes(solver, problem);
    if (status) return status;
    solver->original = problem;
    // where a glance may do, what it would not need is made by the first solve that does
    return solver->method->glances && rico_glance_takes(problem) ? RICO_OK : make_ready(solver);
}


rico_status rico_solver_setup_inner(rico_solver *solver, rico_problem *problem)
{
    forget_problem(solver);
    rico_status status = check_takes(solver, problem);
    if (status) return status;
    solver->units = (rico_units){1.0, 1.0};
    solver->problem = solver->original = problem;
    status = prepare(solver);
    if (status) forget_problem(solver);
    return status;
}


// Follows what changed in the caller's problem, then tells the method. A setup that waits will see the problem as it is then.
static rico_status follow(rico_solver *solver, bool matrix)
{
    if (!solver->original)
        return rico_fail(solver->ctx, RICO_BAD_ARGUMENT, "update of a solver that was not set up");
    if (!solver->problem) return RICO_OK;
    rico_status status = RICO_OK;
    if (solver->problem != solver->original)
        status = rico_problem_follow(solver->original, matrix, &solver->units, solver->problem);
    if (status || !solver->method->update) return status;
    return solver->method->update(solver, matrix);
}


rico_status rico_solver_update(rico_solver *solver)
{
    return follow(solver, false);
}


rico_status rico_solver_update_matrix(rico_solver *solver)
{
    return follow(solver, true);
}


void rico_solver_set_progress(rico_solver *solver, rico_progress_function function, void *user)
{
    solver->progress = function;
    solver->progress_user = user;
}


const rico_history_entry *rico_solver_history(const rico_solver *solver, int64_t *count)
{
    if (count) *count = solver->history_count;
    return solver->history;
}


// A run that nobody follows and that is allowed as many sweeps as a glance makes may be none at all.
static bool solved_at_a_glance(rico_solver *solver, double *r, double *u, rico_report *report)
{
    enum { SWEEPS_ALLOWED = 16 };
    const double *option = solver->option;
    if (!solver->method->glances(solver) || solver->progress || option[RICO_OPT_HISTORY] != 0.0 ||
        option[RICO_OPT_MAX_ITER] < SWEEPS_ALLOWED || rico_context_interrupted(solver->ctx))
        return false;
    double began = rico_clock();
    if (!rico_glance(solver->original, option[RICO_OPT_TOL], r, u, &report->residual, &report->iterations))
        return false;
    report->stop = RICO_CONVERGED;
    report->note[0] = '\0';
    report->seconds = rico_clock() - began;
    solver->history_count = 0;
    return true;
}


// The method's turn, on the copy; r is finite.
static rico_status run_method(rico_solver *solver, double *r, double *u, rico_report *report)
{
    rico_problem *problem = solver->problem;
    rico_run run = {.solver = solver,
                    .r = solver->trial,
                    .u = solver->velocity,
                    .tol = solver->option[RICO_OPT_TOL],
                    .max_iterations = (int64_t)solver->option[RICO_OPT_MAX_ITER],
                    .began = rico_clock(),
                    .stop = RICO_BREAKDOWN};
    double limit = solver->option[RICO_OPT_TIME_LIMIT];
    run.deadline = limit > 0.0 ? run.began + limit : INFINITY;
    double impulse = solver->units.ratio * solver->units.velocity;
    for (int64_t i = 0; i < problem->rows; i++) run.r[i] = r[i] / impulse;
    solver->history_count = 0;

    // the starting point may do already; it is in any case the first candidate for the best iterate
    rico_status status = RICO_OK;
    if (!rico_run_start(&run)) status = solver->method->solve(solver, &run);
    if (!status) status = run.failure;
    if (status) return status;

    // the best iterate goes out, with a residual computed for it afresh unless that was the last thing done
    double *best = solver->best, *velocity = solver->velocity;
    if (run.settled && run.stop == RICO_CONVERGED) {
        report->residual = run.best_residual;
        rico_problem_residual_convert(problem, &solver->units, best, velocity, &report->residual);
    } else {
        status = rico_problem_residual_in(problem, &solver->units, best, velocity, &report->residual);
        if (status) return status;
    }
    for (int64_t i = 0; i < problem->rows; i++)
        if (!isfinite(impulse * best[i]) || !isfinite(solver->units.velocity * velocity[i]))
            return rico_fail(
                solver->ctx, RICO_BAD_INPUT,
                "row %lld: the solution, an impulse of %g times %g, is no number that a double holds",
                (long long)i, best[i], impulse);
    for (int64_t i = 0; i < problem->rows; i++) r[i] = impulse * best[i];
    for (int64_t i = 0; u && i < problem->rows; i++) u[i] = solver->units.velocity * velocity[i];
    bool solved = rico_residual_within(&report->residual, run.tol) && run.stop != RICO_NO_SOLUTION;
    report->stop = solved ? RICO_CONVERGED : run.stop == RICO_CONVERGED ? RICO_STALLED : run.stop;
    report->iterations = run.iterations;
    report->seconds = rico_clock() - run.began;
    memcpy(report->note, run.note, sizeof report->note);
    // nobody wants to read -0
    for (int64_t i = 0; i < problem->rows; i++) r[i] += 0.0;
    for (int64_t i = 0; u && i < problem->rows; i++) u[i] += 0.0;
    return RICO_OK;
}


rico_status rico_solver_solve(rico_solver *solver, double *r, double *u, rico_report *report)
{
    if (!solver->original)
        return rico_fail(solver->ctx, RICO_BAD_ARGUMENT, "solve with a solver that was not set up");
    for (int64_t i = 0; i < solver->original->rows; i++)
        if (!isfinite(r[i]))
            return rico_fail(solver->ctx, RICO_BAD_INPUT, "the starting point has r[%lld] = %g", (long long)i,
                             r[i]);
    if (!solver->problem) {
        if (solved_at_a_glance(solver, r, u, report)) return RICO_OK;
        rico_problem *original = solver->original;
        rico_status status = make_ready(solver);
        solver->original = original; // it may be tried again
        if (status) return status;
    }
    return run_method(solver, r, u, report);
}
