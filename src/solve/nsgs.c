// Nonsmooth Gauss-Seidel: block after block, each solved exactly while the others stand still.
//
// Acary et al. 2018, Algorithm 7 with omega = 1 (NSGS-EXACT); Jourdan, Alart, Jean 1998. The sweeps run on W or,
// on a global problem of rigid bodies, on H and M without ever forming W (sweep.h).

#include "base/random.h"
#include "la/dense.h"
#include "solve/method.h"
#include "solve/sweep.h"

#include <math.h>

typedef enum nsgs_option { OPTION_ORDER, OPTION_SEED, OPTION_CHECK } nsgs_option;
typedef enum nsgs_order { ORDER_GIVEN, ORDER_SHUFFLED_ONCE, ORDER_SHUFFLED } nsgs_order;

static const char *const orders[] = {"given", "shuffled-once", "shuffled", NULL};

static const rico_option_info options[] = {
    [OPTION_ORDER] = {"order", "order of the blocks in a sweep", RICO_CHOICE, 0, 0, ORDER_GIVEN, orders},
    [OPTION_SEED] = {"seed", "seed of the shuffles", RICO_INTEGER, 0, 1e15, 1, NULL},
    [OPTION_CHECK] = {"check-every", "sweeps between two checks of the residual, at most", RICO_INTEGER, 1,
                      1e9, 50, NULL},
};

typedef struct nsgs {
    rico_sweeper *sweeper;
    int64_t *order;
} nsgs;


static rico_status setup(rico_solver *solver)
{
    nsgs *work = solver->work = rico_alloc(solver->ctx, 1, sizeof *work);
    if (!work) return RICO_NO_MEMORY;
    work->order = rico_alloc(solver->ctx, solver->problem->block_count, sizeof *work->order);
    if (!work->order) return RICO_NO_MEMORY;
    return rico_sweeper_create(solver->problem, &work->sweeper);
}


static rico_status update(rico_solver *solver, bool matrix)
{
    const nsgs *work = solver->work;
    return rico_sweeper_update(work->sweeper, matrix);
}


static void cleanup(rico_solver *solver)
{
    nsgs *work = solver->work;
    rico_sweeper_destroy(work->sweeper);
    rico_free(solver->ctx, work->order);
    rico_free(solver->ctx, work);
}


// Checks are dear (a product with W costs as much as a sweep), so they come when the change of r says that it is
// worth it (eq. 132), and otherwise at growing distances.
static rico_status solve(rico_solver *solver, rico_run *run)
{
    rico_problem *p = solver->problem;
    nsgs *work = solver->work;
    nsgs_order order = (nsgs_order)rico_option(solver, OPTION_ORDER);
    int64_t spacing = (int64_t)rico_option(solver, OPTION_CHECK), next_check = 1;
    rico_random random;
    rico_random_seed(&random, (uint64_t)rico_option(solver, OPTION_SEED));
    for (int64_t a = 0; a < p->block_count; a++) work->order[a] = a;
    if (order == ORDER_SHUFFLED_ONCE) rico_random_shuffle(&random, work->order, p->block_count);

    rico_sweeper_restart(work->sweeper);
    double trigger = run->tol; // change of r, relative, at which a check is tried
    for (int64_t sweep = 1;; sweep++) {
        if (order == ORDER_SHUFFLED) rico_random_shuffle(&random, work->order, p->block_count);
        double change = rico_sweep(work->sweeper, work->order, run->r);

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
    }
}


const rico_method rico_nsgs_methods[] = {{
    .info = {.name = "nsgs",
             .family = "splitting",
             .summary = "projected Gauss-Seidel, one block at a time, each solved exactly",
             .reference = "Acary, Bremond, Huber 2018, Algorithm 7; Jourdan, Alart, Jean 1998",
             .takes = RICO_TAKES_REDUCED | RICO_TAKES_GLOBAL | RICO_TAKES_EQUALITY | RICO_TAKES_UNILATERAL |
                      RICO_TAKES_COULOMB_2D | RICO_TAKES_COULOMB_3D | RICO_TAKES_UNSYMMETRIC,
             .option_count = sizeof options / sizeof options[0],
             .options = options},
    .setup = setup,
    .update = update,
    .solve = solve,
    .cleanup = cleanup,
}};

const int rico_nsgs_count = sizeof rico_nsgs_methods / sizeof rico_nsgs_methods[0];
