// Nonsmooth Gauss-Seidel and projected successive over-relaxation: block after block, each solved by a local solver
// while the others stand still.
//
// Acary et al. 2018, Algorithm 7 and table 3; Jourdan, Alart, Jean 1998. The members differ by what they do with one
// Coulomb contact in space (local_solvers.h); what is done with all other blocks is the same (local.h). `nsgs` is the short name of
// nsgs-exact. The sweeps run on W or, on a global problem of rigid bodies, on H and M without ever forming W (sweep.h).

#include "solve/pace.h"
#include "solve/sweep_order.h"

#include <math.h>

typedef enum nsgs_option {
    OPTION_ORDER,
    OPTION_SEED,
    OPTION_THREADS,
    OPTION_CHECK,
    EXACT_OPTIONS, // the exact solver has nothing to tune
    OPTION_LOCAL_TOL = EXACT_OPTIONS,
    OPTION_LOCAL_TOL_RULE,
    OPTION_LOCAL_MAX_ITER,
    OPTION_RHO_RULE,
    NSGS_OPTIONS,
    OPTION_OMEGA = NSGS_OPTIONS,
    OPTION_OMEGA_RULE,
    PSOR_OPTIONS
} nsgs_option;

typedef enum tolerance_rule { TOLERANCE_FIXED, TOLERANCE_ADAPTIVE } tolerance_rule;

static const char *const tolerance_rules[] = {"fixed", "adaptive", NULL};
typedef enum omega_rule { OMEGA_FIXED, OMEGA_ADAPTIVE } omega_rule;

static const char *const omega_rules[] = {"fixed", "adaptive", NULL};
static const char *const rho_rules[] = {"default",         "one", "norm", "spectral", "split",
                                        "split-condition", NULL};

static const rico_option_info options[] = {
    [OPTION_ORDER] = RICO_ORDER_OPTION,
    [OPTION_SEED] = RICO_SEED_OPTION,
    [OPTION_THREADS] = RICO_THREADS_OPTION,
    [OPTION_CHECK] = {"check-every", "sweeps between two checks of the residual, at most", RICO_INTEGER, 1,
                      1e9, 50, NULL},
    [OPTION_LOCAL_TOL] = {"local-tol", "relative residual at which a local iteration ends", RICO_REAL, 0.0,
                          1.0, 1e-14, NULL},
    [OPTION_LOCAL_TOL_RULE] = {"local-tol-rule",
                               "fixed, or adaptive: a tenth of the last residual, local-tol at least",
                               RICO_CHOICE, 0, 0, TOLERANCE_FIXED, tolerance_rules},
    [OPTION_LOCAL_MAX_ITER] = {"local-max-iter", "local iterations allowed for one block", RICO_INTEGER, 1,
                               1e6, 100, NULL},
    [OPTION_RHO_RULE] = {"rho-rule",
                         "steps of the local maps: one, norm (eq. 109), spectral (110), split (111), "
                         "split-condition (112); default: split for Newton, spectral for projections",
                         RICO_CHOICE, 0, 0, 0, rho_rules},
    [OPTION_OMEGA] = {"omega", "relaxation: below 1 damps, above 1 extrapolates", RICO_REAL, 1e-6, 2.0 - 1e-6,
                      1.0, NULL},
    [OPTION_OMEGA_RULE] = {"omega-rule", "fixed, or adaptive: omega climbs while the sweeps gain by it",
                           RICO_CHOICE, 0, 0, OMEGA_FIXED, omega_rules},
};

// omega is judged over so many sweeps, and changes by this much at a time, within these bounds.
enum { WINDOW = 20 };
static const double OMEGA_STEP = 0.1, OMEGA_LEAST = 0.5, OMEGA_MOST = 1.6;

// An omega that looks for itself: by how much the change of r falls in a window of sweeps says whether the last step of
// omega was one in the right direction.
typedef struct climber {
    bool adaptive;
    double omega, step; // the next step
    double began;       // change of r at the beginning of the window, 0 for none
    double gain;        // of the last window: its logarithm, NaN before the first
    int sweeps;
} climber;

typedef struct nsgs {
    rico_sweeper *sweeper;
    rico_sweep_order order;
} nsgs;


static rico_status setup(rico_solver *solver)
{
    rico_problem *p = solver->problem;
    nsgs *work = solver->work = rico_alloc(solver->ctx, 1, sizeof *work);
    if (!work) return RICO_NO_MEMORY;
    rico_status status = rico_sweeper_create(p, &work->sweeper);
    if (!status) status = rico_sweep_order_create(work->sweeper, p->ctx, p->block_count, &work->order);
    if (!status && (rico_sweep_order_kind)rico_option(solver, OPTION_ORDER) == RICO_ORDER_COLOURED)
        status = rico_sweeper_colour(work->sweeper);
    return status;
}


static rico_status update(rico_solver *solver, bool matrix)
{
    const nsgs *work = solver->work;
    return rico_sweeper_update(work->sweeper, matrix);
}


static void cleanup(rico_solver *solver)
{
    nsgs *work = solver->work;
    rico_sweep_order_destroy(&work->order);
    rico_sweeper_destroy(work->sweeper);
    rico_free(solver->ctx, work);
}


// Has the member an omega?
static bool relaxes(const rico_solver *solver)
{
    return solver->method->info.option_count > OPTION_OMEGA;
}


// What the options say about single blocks.
static rico_local_settings local_settings(const rico_solver *solver)
{
    rico_local_settings settings = rico_local_default_settings();
    settings.solver = rico_local_solver_at(*(const rico_local_kind *)solver->method->variant);
    if (settings.solver->iterates) {
        int rule = (int)rico_option(solver, OPTION_RHO_RULE);
        settings.rule = rule == 0 ? settings.solver->rule : (rico_rho_rule)(RICO_RHO_ONE + rule - 1);
        settings.limits.tol = rico_option(solver, OPTION_LOCAL_TOL);
        settings.limits.max_iterations = (int)rico_option(solver, OPTION_LOCAL_MAX_ITER);
    }
    if (relaxes(solver)) settings.omega = rico_option(solver, OPTION_OMEGA);
    return settings;
}


// After a sweep that changed r by `change` (squared). True when omega is another.
static bool climb(climber *c, double change)
{
    if (!c->adaptive || !(change > 0.0)) return false;
    if (c->sweeps++ == 0) c->began = change;
    if (c->sweeps <= WINDOW) return false;
    double gain = 0.5 * log(c->began / change), old = c->omega;
    if (gain < 0.0) { // it grew: back to the plain method, and smaller
        c->omega = fmin(1.0, c->omega - OMEGA_STEP);
        c->step = -OMEGA_STEP;
    } else {
        if (gain < c->gain) c->step = -c->step;
        c->omega += c->step;
    }
    c->omega = fmin(fmax(c->omega, OMEGA_LEAST), OMEGA_MOST);
    c->gain = gain;
    c->sweeps = 0;
    return c->omega != old;
}


static rico_status solve(rico_solver *solver, rico_run *run)
{
    nsgs *work = solver->work;
    rico_local_settings settings = local_settings(solver);
    bool adaptive = settings.solver->iterates &&
                    (tolerance_rule)rico_option(solver, OPTION_LOCAL_TOL_RULE) == TOLERANCE_ADAPTIVE;
    double tightest = settings.limits.tol, share = 0.1; // of the residual, that is the local tolerance
    if (adaptive) settings.limits.tol = fmax(tightest, share * run->residual.relative);
    rico_sweeper_configure(work->sweeper, &settings);
    rico_status status = rico_sweep_order_begin(
        &work->order, (rico_sweep_order_kind)rico_option(solver, OPTION_ORDER),
        (uint64_t)rico_option(solver, OPTION_SEED), (int)rico_option(solver, OPTION_THREADS));
    if (status) return status;

    climber omega = {.adaptive = relaxes(solver) && rico_option(solver, OPTION_OMEGA_RULE) != OMEGA_FIXED,
                     .omega = settings.omega,
                     .step = OMEGA_STEP,
                     .gain = NAN};
    rico_pace pace = rico_pace_begin(run, (int64_t)rico_option(solver, OPTION_CHECK));
    for (int64_t sweep = 1;; sweep++) {
        double change = rico_sweep_order_next(&work->order, run->r);
        if (rico_pace_step(&pace, run, sweep, change)) return RICO_OK;
        if (climb(&omega, change)) {
            settings.omega = omega.omega;
            rico_sweeper_configure(work->sweeper, &settings);
        }
        if (!pace.checked) continue;
        if (change == 0.0 && settings.limits.tol <= tightest) {
            rico_pace_stall(run);
            return RICO_OK;
        }
        if (adaptive) {
            // every block within its tolerance and the whole still not: a tenth is too much here
            if (change == 0.0) share *= 0.1;
            settings.limits.tol = fmax(tightest, share * run->residual.relative);
            rico_sweeper_set_local_tolerance(work->sweeper, settings.limits.tol);
        }
    }
}


#define TAKES (RICO_TAKES_REDUCED | RICO_TAKES_GLOBAL | RICO_TAKES_ALL_BLOCKS | RICO_TAKES_UNSYMMETRIC)
#define MEMBER(NAME, SUMMARY, LOCAL, OPTIONS)                                                                \
    {                                                                                                        \
        .info = {.name = NAME,                                                                               \
                 .family = "splitting",                                                                      \
                 .summary = SUMMARY,                                                                         \
                 .reference = "Acary, Bremond, Huber 2018, Algorithm 7; Jourdan, Alart, Jean 1998",          \
                 .takes = TAKES,                                                                             \
                 .option_count = OPTIONS,                                                                    \
                 .options = options},                                                                        \
        .setup = setup, .update = update, .solve = solve, .cleanup = cleanup,                                \
        .variant = &(const rico_local_kind)                                                                  \
        {                                                                                                    \
            LOCAL                                                                                            \
        }                                                                                                    \
    }

// variant: the local solver
const rico_method rico_nsgs_methods[] = {
    MEMBER("nsgs", "Gauss-Seidel, one block at a time, each solved exactly", RICO_LOCAL_EXACT, EXACT_OPTIONS),
    MEMBER("nsgs-exact", "the long name of nsgs", RICO_LOCAL_EXACT, EXACT_OPTIONS),
    MEMBER("nsgs-ac", "Gauss-Seidel, contacts by Newton on the Alart-Curnier map", RICO_LOCAL_ALART_CURNIER,
           NSGS_OPTIONS),
    MEMBER("nsgs-jm", "Gauss-Seidel, contacts by Newton on the Jean-Moreau map", RICO_LOCAL_JEAN_MOREAU,
           NSGS_OPTIONS),
    MEMBER("nsgs-ac-gp", "nsgs-ac with Goldstein and Price's line search", RICO_LOCAL_ALART_CURNIER_GP,
           NSGS_OPTIONS),
    MEMBER("nsgs-jm-gp", "nsgs-jm with Goldstein and Price's line search", RICO_LOCAL_JEAN_MOREAU_GP,
           NSGS_OPTIONS),
    MEMBER("nsgs-fp-ds-one", "Gauss-Seidel, one projection for each contact", RICO_LOCAL_ONE_PROJECTION,
           NSGS_OPTIONS),
    MEMBER("nsgs-fp-vi-upk", "Gauss-Seidel, contacts by projections with an adaptive step",
           RICO_LOCAL_PROJECTIONS, NSGS_OPTIONS),
    MEMBER("psor-ac", "successive over-relaxation, contacts by Newton on the Alart-Curnier map",
           RICO_LOCAL_ALART_CURNIER, PSOR_OPTIONS),
    MEMBER("psor-ac-gp", "psor-ac with Goldstein and Price's line search", RICO_LOCAL_ALART_CURNIER_GP,
           PSOR_OPTIONS),
};
const int rico_nsgs_count = sizeof rico_nsgs_methods / sizeof rico_nsgs_methods[0];
