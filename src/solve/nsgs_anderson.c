// Gauss-Seidel sweeps under Anderson's acceleration.
//
// accelerate.h has the method and its safeguards; here it becomes a solver.

#include "solve/accelerate.h"
#include "solve/pace.h"

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
    rico_accelerator accelerator;
} accelerated;


// Room for the window that the options ask for now.
static rico_status fit_window(rico_solver *solver)
{
    accelerated *work = solver->work;
    const rico_problem *p = solver->problem;
    int window = (int)rico_option(solver, OPTION_WINDOW);
    if (work->accelerator.mixer.window == window) return RICO_OK;
    rico_accelerator_destroy(&work->accelerator);
    return rico_accelerator_create(p, &work->order, window, &work->accelerator);
}


static rico_status setup(rico_solver *solver)
{
    rico_problem *p = solver->problem;
    accelerated *work = solver->work = rico_alloc(solver->ctx, 1, sizeof *work);
    if (!work) return RICO_NO_MEMORY;
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
    rico_accelerator_destroy(&work->accelerator);
    rico_sweep_order_destroy(&work->order);
    rico_sweeper_destroy(work->sweeper);
    rico_free(solver->ctx, work);
}


static rico_status begin(rico_solver *solver)
{
    accelerated *work = solver->work;
    rico_status status = fit_window(solver);
    if (!status)
        status = rico_sweep_order_begin(
            &work->order, (rico_sweep_order_kind)rico_option(solver, OPTION_ORDER),
            (uint64_t)rico_option(solver, OPTION_SEED), (int)rico_option(solver, OPTION_THREADS));
    if (!status) rico_accelerator_begin(&work->accelerator, rico_option(solver, OPTION_GROWTH));
    return status;
}


static rico_status solve(rico_solver *solver, rico_run *run)
{
    accelerated *work = solver->work;
    rico_status status = begin(solver);
    if (status) return status;

    rico_pace pace = rico_pace_begin(run, (int64_t)rico_option(solver, OPTION_CHECK));
    for (int64_t sweep = 1;; sweep++) {
        double change = rico_accelerator_sweep(&work->accelerator, run->r);

        // a sweep's point obeys the law block by block, an accelerated one need not: checks look at the former
        if (rico_pace_step(&pace, run, sweep, change)) return RICO_OK;
        if (pace.checked && change == 0.0) {
            rico_pace_stall(run);
            return RICO_OK;
        }
        rico_accelerator_advance(&work->accelerator, run->r);
    }
}


const rico_method rico_anderson_methods[] = {{
    .info = {.name = "nsgs-anderson",
             .family = "splitting",
             .summary = "Gauss-Seidel with exact blocks under Anderson's acceleration, safeguarded",
             .reference = "Anderson 1965; Walker, Ni 2011; Acary, Bremond, Huber 2018, Algorithm 7",
             .takes = RICO_TAKES_REDUCED | RICO_TAKES_GLOBAL | RICO_TAKES_ALL_BLOCKS | RICO_TAKES_UNSYMMETRIC,
             .option_count = sizeof options / sizeof options[0],
             .options = options},
    .setup = setup,
    .update = update,
    .solve = solve,
    .cleanup = cleanup,
}};
const int rico_anderson_count = sizeof rico_anderson_methods / sizeof rico_anderson_methods[0];
