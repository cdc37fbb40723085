// One solve in progress: checks of the residual, limits, best iterate, history; and the reasons to stop in words.

#include "base/clock.h"
#include "la/dense.h"
#include "solve/method.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *sentence;
} stops[RICO_STOPS] = {
    [RICO_CONVERGED] = {"converged", "the residual reached the tolerance"},
    [RICO_MAX_ITERATIONS] = {"max-iterations", "the iterations allowed were used up"},
    [RICO_TIME_LIMIT] = {"time-limit", "the time allowed was used up"},
    [RICO_STOPPED] = {"interrupted", "the run was interrupted"},
    [RICO_STALLED] = {"stalled", "the iterates made no more progress"},
    [RICO_DIVERGED] = {"diverged", "the iterates ran away"},
    [RICO_BREAKDOWN] = {"breakdown", "the method met something that it cannot handle"},
    [RICO_NO_SOLUTION] = {"no-solution", "the problem has no solution"},
};

// residuals this many times above the best one count as divergence
static const double runaway = 1e8;


const char *rico_stop_name(rico_stop stop)
{
    return (int)stop >= 0 && stop < RICO_STOPS ? stops[stop].name : "unknown";
}


const char *rico_stop_sentence(rico_stop stop)
{
    return (int)stop >= 0 && stop < RICO_STOPS ? stops[stop].sentence : "unknown";
}


static void record(rico_run *run)
{
    rico_solver *solver = run->solver;
    // nobody reads the clock for nobody
    if (!solver->progress && solver->option[RICO_OPT_HISTORY] == 0.0) return;
    rico_history_entry entry = {run->iterations, rico_clock() - run->began, run->residual.relative};
    if (solver->progress) solver->progress(solver->progress_user, &entry);
    if (solver->option[RICO_OPT_HISTORY] == 0.0) return;

    // a history that cannot grow any more stays as long as it is: it is not worth a failed solve
    if (solver->history_count == solver->history_capacity) {
        int64_t larger = solver->history_capacity ? 2 * solver->history_capacity : 256;
        rico_history_entry *moved =
            rico_grow(solver->ctx, solver->history, solver->history_count, larger, sizeof *moved);
        if (!moved) return;
        solver->history = moved;
        solver->history_capacity = larger;
    }
    solver->history[solver->history_count++] = entry;
}


static bool done(rico_run *run, rico_stop stop)
{
    run->stop = stop;
    return run->done = true;
}


bool rico_run_limits(rico_run *run, int64_t iteration)
{
    run->iterations = iteration;
    if (rico_context_interrupted(run->solver->ctx)) return done(run, RICO_STOPPED);
    if (iteration >= run->max_iterations) return done(run, RICO_MAX_ITERATIONS);
    if (run->deadline < INFINITY && rico_clock() >= run->deadline) return done(run, RICO_TIME_LIMIT);
    return false;
}


bool rico_run_check(rico_run *run, int64_t iteration)
{
    rico_solver *solver = run->solver;
    int64_t rows = solver->problem->rows;
    run->iterations = iteration;
    run->settled = false;
    run->failure = rico_problem_residual(solver->problem, run->r, run->u, &run->residual);
    if (run->failure) return done(run, RICO_BREAKDOWN);

    double residual = run->residual.relative;
    if (!run->has_best || residual < run->best_residual.relative) {
        if (rows > 0) memcpy(solver->best, run->r, (size_t)rows * sizeof *run->r);
        run->best_residual = run->residual;
        run->has_best = run->settled = true;
    }
    record(run);

    if (rico_residual_within(&run->residual, run->tol)) return done(run, RICO_CONVERGED);
    if (!(run->residual.absolute <=
          runaway * (1.0 + run->best_residual.absolute + run->best_residual.scale))) {
        rico_run_stop(run, RICO_DIVERGED, "the residual grew to %.3g after %lld iterations",
                      run->residual.absolute, (long long)iteration);
        return true;
    }
    return rico_run_limits(run, iteration);
}


bool rico_run_start(rico_run *run)
{
    rico_solver *solver = run->solver;
    rico_problem *problem = solver->problem;

    // r = 0 is the first candidate, whatever the starting point
    double *zero = solver->best;
    memset(zero, 0, (size_t)problem->rows * sizeof *zero);
    run->residual = rico_problem_residual_of_zero(problem, zero, run->u);
    run->best_residual = run->residual;
    run->has_best = run->settled = true;
    if (run->residual.relative == 0.0) return done(run, RICO_CONVERGED);
    for (int64_t i = 0; i < problem->rows; i++) {
        if (run->r[i] == 0.0) continue;
        if (!rico_run_check(run, 0)) return false;
        // a start that is worse than zero by orders of magnitude is no reason to give up: zero is the start then
        if (!rico_run_forgive(run)) return true;
        run->residual = run->best_residual;
        return false;
    }
    record(run);
    if (rico_residual_within(&run->residual, run->tol)) return done(run, RICO_CONVERGED);
    return rico_run_limits(run, 0);
}


void rico_run_stop(rico_run *run, rico_stop stop, const char *format, ...)
{
    done(run, stop);
    va_list args;
    va_start(args, format);
    vsnprintf(run->note, sizeof run->note, format, args);
    va_end(args);
}


bool rico_run_forgive(rico_run *run)
{
    if (!run->done || run->stop != RICO_DIVERGED || !run->has_best) return false;
    run->done = false;
    run->stop = RICO_STALLED;
    run->note[0] = '\0';
    memcpy(run->r, run->solver->best, (size_t)run->solver->problem->rows * sizeof *run->r);
    return true;
}
