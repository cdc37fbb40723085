// Newton-like methods in turn: an interior point method, and proximal steps for what it leaves.

#include "base/clock.h"
#include "proximal.h"
#include "run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 8, FEW = 8 };       // FEW: proximal steps without progress that a walk may make
static const double SYSTEMS = 30.0; // that a solution takes, more or less
enum { STEPS = 100, STALL = 12, SHORT_STEPS = 4 };
static const double SHORT = 0.03, NEARLY = 1e-5;


// The interior point method from p->r, `centre` mean impulses inside of the cones.
static rico_status step_inside(rico_mpi_run *run, rico_mpi_newton *n, double centre)
{
    rico_mpi_problem *p = run->p;
    rico_status status = rico_mpi_interior_begin(n, centre, p->r);
    double best = INFINITY, milestone = INFINITY; // of this walk: the run may have been nearer before
    int since = 0, shorts = 0;
    for (int step = 0; !status && step < STEPS; step++) {
        status = rico_mpi_run_check(run);
        if (status || run->done) return status;
        best = fmin(best, run->residual.relative);
        if (best < 0.7 * milestone) {
            milestone = best;
            since = step;
        }
        if (step - since > STALL || shorts >= SHORT_STEPS) return RICO_OK;
        if (best < NEARLY && step - since >= 2) return RICO_OK; // the last digits are proximal steps'
        if (rico_mpi_run_spent(run)) return RICO_OK;
        double length;
        status = rico_mpi_interior_step(n, p->u, run->residual.velocity, p->r, &length);
        run->systems++;
        if (length == 0.0) return status;
        shorts = length < SHORT ? shorts + 1 : 0;
    }
    return status ? status : rico_mpi_run_check(run);
}


// What stalled once would stall again: parameters change from round to round.
static rico_mpi_proximal_options proximal_of_round(int round, double residual)
{
    static const double alphas[] = {1e-4, 1e-4, 1e-3, 1e-5};
    return (rico_mpi_proximal_options){.alpha =
                                           round == 0 ? fmin(1e-2, fmax(1e-6, residual)) : alphas[round % 4],
                                       .tolerance = round % 2 ? 50.0 : 5.0,
                                       .stall = round == 0 ? 30 : 12};
}


// The interior point method, then proximal steps from where it ended.
static rico_status walk(rico_mpi_run *run, double centre, int stall)
{
    rico_status status = step_inside(run, run->newton, centre);
    if (status || run->done) return status;
    rico_mpi_proximal_options options = proximal_of_round(0, run->residual.relative);
    options.stall = stall;
    return rico_mpi_proximal(run, run->newton, &options);
}


rico_status rico_mpi_run_prepare_newton(rico_mpi_run *run, double *sweeps)
{
    rico_mpi_problem *p = run->p;
    const rico_mpi_options *options = run->options;
    rico_status status = RICO_OK;
    if (!run->newton) {
        // of what was allowed, what stands there already is gone
        double room = options->memory > 0.0 ? fmax(options->memory - p->facts.foreseen, 1.0)
                                            : rico_mpi_available(p->crew);
        status = rico_mpi_newton_create(p->share, room, &run->report->newton_bytes, &run->newton);
        if (status) return status;
    }
    if (sweeps) *sweeps = SYSTEMS * rico_mpi_newton_price(run->newton);
    return status;
}


rico_status rico_mpi_run_newton(rico_mpi_run *run)
{
    rico_mpi_problem *p = run->p;
    size_t bytes = 3 * (size_t)p->share->contacts * sizeof *p->r;
    rico_status status = rico_mpi_run_prepare_newton(run, NULL);
    if (status) return status;
    if (p->crew->rank == 0 && run->options->foreseen)
        run->options->foreseen(run->options->user, run->report->newton_bytes);

    // the central path folds from one start and does not from another: from where the run stands, then from nothing or,
    // where it began so, from little inside of the cones at the best point
    bool from_nothing = run->best.relative == run->first;
    memcpy(p->r, p->best, bytes);
    status = walk(run, 1.0, FEW);
    if (!status && !run->done && !from_nothing) memset(p->r, 0, bytes);
    if (!status && !run->done && from_nothing) memcpy(p->r, p->best, bytes);
    if (!status && !run->done) status = walk(run, from_nothing ? 3e-3 : 1.0, FEW);
    for (int round = 0; !status && !run->done && round < ROUNDS; round++) {
        if (round == 0) memcpy(p->r, p->best, bytes);
        rico_mpi_proximal_options options = proximal_of_round(round, run->best.relative);
        status = rico_mpi_proximal(run, run->newton, &options);
    }
    if (!status && !run->done) {
        snprintf(run->report->solve.note, sizeof run->report->solve.note,
                 "Newton's methods made no more progress at a residual of %.3g", run->best.relative);
        rico_mpi_run_end(run, RICO_STALLED);
    }
    return status;
}
