// Gauss-Seidel sweeps under Anderson's acceleration.
//
// G is one sweep with exact local solutions, whose fixed points are the solutions of the problem. While the contacts
// keep their states G is nearly affine and the acceleration works as a Krylov method would; when states change, the
// differences lie. Hence two safeguards on the step |G(x) - x|, measured in energy (each block weighted by the root of
// |W_aa|). An accelerated point whose step exceeds `growth` times the smallest seen is given up for the plain sweep
// before it. And if the smallest step has not come down for a while, although no single point was that bad, the
// acceleration is walking in circles. Either way the differences are forgotten and plain sweeps follow, twice as many
// each time until acceleration makes progress again: at worst the method costs about twice what nsgs does.

#include "la/dense.h"
#include "solve/anderson.h"
#include "solve/method.h"
#include "solve/sweep_order.h"

#include <math.h>
#include <string.h>

typedef enum anderson_option {
    OPTION_ORDER,
    OPTION_SEED,
    OPTION_THREADS,
    OPTION_CHECK,
    OPTION_WINDOW,
    OPTION_GROWTH
} anderson_option;

static const rico_option_info options[] = {
    [OPTION_ORDER] = RICO_ORDER_OPTION,
    [OPTION_SEED] = RICO_SEED_OPTION,
    [OPTION_THREADS] = RICO_THREADS_OPTION,
    [OPTION_CHECK] = {"check-every", "sweeps between two checks of the residual, at most", RICO_INTEGER, 1,
                      1e9, 50, NULL},
    [OPTION_WINDOW] = {"window", "differences that the acceleration looks back on", RICO_INTEGER, 1,
                       RICO_ANDERSON_WINDOW, 10, NULL},
    [OPTION_GROWTH] = {"growth", "an accelerated point whose step grew by more than this is given up",
                       RICO_REAL, 0.0, 1e6, 10.0, NULL},
};

typedef struct accelerated {
    rico_sweeper *sweeper;
    rico_sweep_order order;
    rico_anderson mixer;
    double *x, *plain; // the point before the sweep; the last sweep's point, to go back to
} accelerated;


// Room for the window that the options ask for now.
static rico_status fit_window(rico_solver *solver)
{
    accelerated *work = solver->work;
    const rico_problem *p = solver->problem;
    int window = (int)rico_option(solver, OPTION_WINDOW);
    if (work->mixer.window == window) return RICO_OK;
    rico_anderson_destroy(&work->mixer);
    return rico_anderson_create(p->ctx, p->rows, window, &work->mixer);
}


static rico_status setup(rico_solver *solver)
{
    rico_problem *p = solver->problem;
    accelerated *work = solver->work = rico_alloc(solver->ctx, 1, sizeof *work);
    if (!work) return RICO_NO_MEMORY;
    work->x = rico_alloc(solver->ctx, p->rows, sizeof *work->x);
    work->plain = rico_alloc(solver->ctx, p->rows, sizeof *work->plain);
    if (!work->x || !work->plain) return RICO_NO_MEMORY;
    rico_status status = rico_sweeper_create(p, &work->sweeper);
    if (!status) status = rico_sweep_order_create(work->sweeper, p->ctx, p->block_count, &work->order);
    if (!status && (rico_sweep_order_kind)rico_option(solver, OPTION_ORDER) == RICO_ORDER_COLOURED)
        status = rico_sweeper_colour(work->sweeper);
    return status ? status : fit_window(solver);
}


static rico_status update(rico_solver *solver, bool matrix)
{
    const accelerated *work = solver->work;
    return rico_sweeper_update(work->sweeper, matrix);
}


static void cleanup(rico_solver *solver)
{
    accelerated *work = solver->work;
    rico_anderson_destroy(&work->mixer);
    rico_sweep_order_destroy(&work->order);
    rico_sweeper_destroy(work->sweeper);
    rico_free(solver->ctx, work->x);
    rico_free(solver->ctx, work->plain);
    rico_free(solver->ctx, work);
}


static rico_status begin(rico_solver *solver)
{
    accelerated *work = solver->work;
    const rico_problem *p = solver->problem;
    rico_status status = fit_window(solver);
    if (status) return status;
    rico_anderson_restart(&work->mixer);
    for (int64_t a = 0; a < p->block_count; a++)
        for (int64_t i = p->offset[a]; i < p->offset[a + 1]; i++)
            work->mixer.weight[i] = p->block_norm[a] > 0.0 ? sqrt(p->block_norm[a]) : 1.0;
    return rico_sweep_order_begin(&work->order, (rico_sweep_order_kind)rico_option(solver, OPTION_ORDER),
                                  (uint64_t)rico_option(solver, OPTION_SEED),
                                  (int)rico_option(solver, OPTION_THREADS));
}


// What the safeguards remember.
typedef struct guard {
    double least;  // smallest step of a point that was kept
    double mark;   // the same when progress was last noted
    int64_t idle;  // accelerated points since then
    int64_t pause; // plain sweeps that the last failure cost
} guard;

typedef enum verdict {
    KEEP,
    GIVE_UP, // go back to the plain sweep
    REST     // go on from here, plainly
} verdict;

// Judges the present point by its step; `jumped` says that it is an accelerated one.
static verdict judge(guard *g, bool jumped, double step, double growth, int patience)
{
    enum { LONGEST_PAUSE = 1024 };
    if (step < 0.9 * g->mark) {
        g->mark = step;
        g->idle = 0;
        if (jumped) g->pause = 0;
    } else if (jumped) {
        g->idle++;
    }
    bool bad = jumped && !(step <= growth * g->least);
    if (!bad && g->idle <= patience) {
        g->least = fmin(g->least, step);
        return KEEP;
    }
    g->idle = 0;
    g->pause = 2 * g->pause + 1 < LONGEST_PAUSE ? 2 * g->pause + 1 : LONGEST_PAUSE;
    return bad ? GIVE_UP : REST;
}


static rico_status solve(rico_solver *solver, rico_run *run)
{
    const rico_problem *p = solver->problem;
    accelerated *work = solver->work;
    rico_status status = begin(solver);
    if (status) return status;

    size_t bytes = (size_t)p->rows * sizeof *run->r;
    double growth = rico_option(solver, OPTION_GROWTH), trigger = run->tol;
    int64_t spacing = (int64_t)rico_option(solver, OPTION_CHECK), next_check = 1;
    guard safe = {INFINITY, INFINITY, 0, 0};
    int64_t rest = 0;    // plain sweeps left
    bool jumped = false; // the present point is an accelerated one
    for (int64_t sweep = 1;; sweep++) {
        memcpy(work->x, run->r, bytes);
        double change = rico_sweep_order_next(&work->order, run->r);
        double step = rico_anderson_step(&work->mixer, work->x, run->r);

        // a sweep's point obeys the law block by block, an accelerated one need not: checks look at the former
        bool small = sqrt(change) <= trigger * rico_norm(p->rows, run->r);
        if (small || sweep >= next_check || sweep == run->max_iterations) {
            if (rico_run_check(run, sweep)) return RICO_OK;
            if (change == 0.0) {
                rico_run_stop(run, RICO_STALLED, "a sweep changed nothing, at a residual of %.3g",
                              run->residual.relative);
                return RICO_OK;
            }
            if (small) trigger *= 0.25; // the change of r was an optimist
            int64_t wait = 1 + sweep / 4;
            next_check = sweep + (wait < spacing ? wait : spacing);
        } else if (rico_run_limits(run, sweep)) {
            rico_run_check(run, sweep);
            return RICO_OK;
        }

        verdict found = judge(&safe, jumped, step, growth, 3 * work->mixer.window);
        if (found != KEEP) {
            rest = safe.pause;
            rico_anderson_restart(&work->mixer);
        }
        if (found == GIVE_UP) {
            memcpy(run->r, work->plain, bytes);
            rico_sweeper_restart(work->sweeper);
            jumped = false;
            continue;
        }
        // the mixer takes note of plain sweeps too
        memcpy(work->plain, run->r, bytes);
        jumped = rico_anderson_mix(&work->mixer, work->x, work->plain, run->r) > 0 && rest == 0;
        if (jumped) {
            rico_sweeper_restart(work->sweeper); // r does not come from the sweep
        } else {
            memcpy(run->r, work->plain, bytes);
            if (rest > 0) rest--;
        }
    }
}


const rico_method rico_anderson_methods[] = {{
    .info = {.name = "nsgs-anderson",
             .family = "splitting",
             .summary = "Gauss-Seidel with exact blocks under Anderson's acceleration, safeguarded",
             .reference = "Anderson 1965; Walker, Ni 2011; Acary, Bremond, Huber 2018, Algorithm 7",
             .takes = RICO_TAKES_REDUCED | RICO_TAKES_GLOBAL | RICO_TAKES_EQUALITY | RICO_TAKES_UNILATERAL |
                      RICO_TAKES_COULOMB_2D | RICO_TAKES_COULOMB_3D | RICO_TAKES_UNSYMMETRIC,
             .option_count = sizeof options / sizeof options[0],
             .options = options},
    .setup = setup,
    .update = update,
    .solve = solve,
    .cleanup = cleanup,
}};
const int rico_anderson_count = sizeof rico_anderson_methods / sizeof rico_anderson_methods[0];
