// The first part of `auto`: accelerated Gauss-Seidel sweeps, as long as they pay.

#include "solve/auto.h"

#include <math.h>

// Differences that Anderson's acceleration looks back on, growth of the step that it allows.
enum { WINDOW = 5 };
static const double growth = 10.0;


// Large problems are swept by colours, on any number of threads with the same result; small ones as they come.
rico_status rico_auto_begin_sweeps(rico_solver *solver)
{
    rico_auto *work = solver->work;
    const rico_problem *p = solver->problem;
    bool large = p->rows > RICO_AUTO_CONDENSE_ROWS;
    rico_status status = RICO_OK;
    if (!work->order.ctx)
        status = rico_sweep_order_create(work->sweeper, p->ctx, p->block_count, &work->order);
    if (!status)
        status = rico_sweep_order_begin(&work->order, large ? RICO_ORDER_COLOURED : RICO_ORDER_GIVEN, 0,
                                        large ? (int)rico_option(solver, RICO_AUTO_THREADS) : 1);
    if (!status && !work->accelerator.problem)
        status = rico_accelerator_create(p, &work->order, p->rows < WINDOW ? (int)p->rows : WINDOW,
                                         &work->accelerator);
    if (!status) rico_accelerator_begin(&work->accelerator, growth);
    return status;
}


rico_status rico_auto_need_stage(rico_solver *solver)
{
    rico_auto *work = solver->work;
    return work->stage ? RICO_OK : rico_stage_create(solver->problem, &work->graph, &work->stage);
}


rico_status rico_auto_price(rico_solver *solver, double *seconds)
{
    rico_auto *work = solver->work;
    if (!work->stage && rico_stage_by_bodies(solver->problem))
        return rico_stage_foretell(solver->problem, &work->graph, seconds);
    rico_status status = rico_auto_need_stage(solver);
    if (!status) *seconds = rico_stage_seconds(work->stage);
    return status;
}


// The contraction of the sweeps, by windows.
typedef struct contraction {
    double anchor;    // residual at the beginning of the present window
    int64_t anchored; // sweep at which it began
    int waits;        // windows since then at whose end nothing could be said
} contraction;


// At the end of a window: would the sweeps need longer than a Newton method, and has enough been spent on them to believe it? Half of
// what that costs is enough, or a tenth where they are hopeless. Prices are counted, not clocked: the result depends neither on the machine's
// other work nor on the number of threads.
static rico_status judge(rico_solver *solver, const rico_run *run, int64_t sweep, contraction *c, bool *leave)
{
    enum { MOST_WAITS = 2 };
    static const double leap = 2.0, hopelessly = 60.0;
    const rico_auto *work = solver->work;
    const rico_problem *p = solver->problem;
    bool large = p->rows > RICO_AUTO_CONDENSE_ROWS;
    // factorizations that a method takes from there; body by body these are cheap, and on large problems more are needed
    double systems = large && rico_stage_by_bodies(p) ? 50.0 : 16.0, tol = fmax(run->tol, 1e-16);
    double best = run->best_residual.relative;
    // one bad moment of the acceleration must not drive a large problem to factorizations that cost minutes
    if (large && run->residual.relative > leap * best && c->waits < MOST_WAITS) {
        c->waits++;
        return RICO_OK;
    }
    c->waits = 0;
    double each = rico_sweeper_seconds(work->sweeper), elapsed = (double)sweep * each;
    double residual = large ? best : run->residual.relative;
    double decades = log10(residual / c->anchor) / (double)(sweep - c->anchored);
    double left = decades < -1e-7 ? log10(tol / residual) / decades * each : INFINITY;
    // while the sweeps promise to be done before any Newton method, what one costs need not be known
    if (left > systems * rico_stage_seconds_at_least(p)) {
        double system = INFINITY;
        rico_status status = rico_auto_price(solver, &system);
        double newton = systems * system;
        bool hopeless = left > hopelessly * newton && (!large || elapsed > 0.1 * newton);
        *leave = left > newton && (elapsed > 0.5 * newton || hopeless);
        if (status || *leave) return status;
    }
    if (sweep >= c->anchored + 60 || sweep >= 2 * c->anchored) *c = (contraction){residual, sweep, 0};
    return RICO_OK;
}


// Sweeps until they converge or promise to take longer than a Newton method.
rico_status rico_auto_sweep(rico_solver *solver, rico_run *run)
{
    enum { SHORTEST_WINDOW = 30 };
    rico_auto *work = solver->work;
    const rico_problem *p = solver->problem;
    double tol = fmax(run->tol, 1e-16);
    bool large = p->rows > RICO_AUTO_CONDENSE_ROWS, leave = false;
    int64_t plain = large ? 0 : RICO_AUTO_PLAIN_SWEEPS, spacing = large ? SHORTEST_WINDOW : 10;
    if (work->warm && large) spacing = RICO_AUTO_WARM_SWEEPS;
    contraction pace = {.anchor = 1.0};
    double ratio = INFINITY; // of the residual to the change, by the last check
    rico_sweeper_restart(work->sweeper);
    for (int64_t sweep = 1;; sweep++) {
        if (sweep == plain + 1) {
            rico_status status = rico_auto_begin_sweeps(solver);
            if (status) return status;
        }
        double change = sweep <= plain ? rico_sweep(work->sweeper, NULL, run->r)
                                       : rico_accelerator_sweep(&work->accelerator, run->r);
        // checks are dear on large problems (a product with W costs as much as sweeps do): when the change promises
        // success, and now and then
        bool promising = ratio == INFINITY ? sweep == 1 : sqrt(change) * ratio <= tol;
        bool due = promising || sweep <= plain || sweep % spacing == 0 || change == 0.0;
        if (!due) {
            if (rico_run_limits(run, run->iterations + 1)) break;
        } else {
            // sweeps that ran away (an acceleration that went wrong) leave the word to Newton
            if (rico_run_check(run, run->iterations + 1)) {
                rico_run_forgive(run);
                return RICO_OK;
            }
            if (change == 0.0) return RICO_OK; // at rest without being there: Newton's turn
            ratio = run->residual.relative / sqrt(change);
        }
        rico_status status = RICO_OK;
        if (work->warm && sweep == RICO_AUTO_WARM_SWEEPS)
            status = rico_auto_leaves_sweeps(solver, run, &leave);
        if (!status && !leave && sweep % spacing == 0 && sweep >= pace.anchored + SHORTEST_WINDOW)
            status = judge(solver, run, sweep, &pace, &leave);
        if (status || leave) return status;
        if (sweep > plain) rico_accelerator_advance(&work->accelerator, run->r);
    }
    rico_run_check(run, run->iterations);
    return RICO_OK;
}
