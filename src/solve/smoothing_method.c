// The smoothing Newton method as a solver: levels of smoothing one after the other (smoothing.c), again from where they stalled.
//
// Acary et al. 2018 name smoothing functions beside eq. 72 and 77 (Fukushima, Luo, Tseng 2001; Hayashi, Yamashita, Fukushima 2005) and
// measure none. A round that does not bring the residual down is followed by one that begins smoother and more regularized.

#include "solve/stage.h"

#include <math.h>
#include <string.h>

typedef enum smoothing_option {
    OPTION_WARM,
    OPTION_ALPHA,
    OPTION_STEPS,
    OPTION_STALL,
    OPTION_ROUNDS
} smoothing_option;

static const rico_option_info options[] = {
    [OPTION_WARM] = {"warm", "first smoothing, relative to the present residual", RICO_REAL, 1e-6, 1e6, 10,
                     NULL},
    [OPTION_ALPHA] = {"alpha", "proximal regularization, times W_NN", RICO_REAL, 0, 1, 1e-8, NULL},
    [OPTION_STEPS] = {"steps", "Newton systems of one round", RICO_INTEGER, 1, 1e9, 60, NULL},
    [OPTION_STALL] = {"stall", "levels without halving the residual that end a round", RICO_INTEGER, 1, 1e9,
                      6, NULL},
    [OPTION_ROUNDS] = {"rounds", "rounds without progress before giving up", RICO_INTEGER, 1, 1e6, 7, NULL},
};

// From one round to the next that failed.
static const double MORE_ALPHA = 30.0, LARGEST_ALPHA = 1.0, PROGRESS = 0.9;


static rico_status setup(rico_solver *solver)
{
    rico_stage *stage = NULL;
    rico_status status = rico_stage_create(solver->problem, NULL, &stage);
    solver->work = stage;
    return status;
}


static rico_status update(rico_solver *solver, bool matrix)
{
    return matrix ? rico_stage_update(solver->work) : RICO_OK;
}


static void cleanup(rico_solver *solver)
{
    rico_stage_destroy(solver->work);
}


static rico_status solve(rico_solver *solver, rico_run *run)
{
    rico_stage *stage = solver->work;
    rico_smoothing_options smoothing = {.warm = rico_option(solver, OPTION_WARM),
                                        .alpha = rico_option(solver, OPTION_ALPHA),
                                        .steps = (int)rico_option(solver, OPTION_STEPS),
                                        .stall = (int)rico_option(solver, OPTION_STALL)};
    double best = run->best_residual.relative, first = smoothing.alpha;
    int64_t idle = 0, rounds = (int64_t)rico_option(solver, OPTION_ROUNDS);
    while (stage->contacts > 0 && idle < rounds) {
        rico_status status = rico_stage_smoothing(stage, &smoothing, run);
        if (status) return status;
        if (run->done && !rico_run_forgive(run)) return RICO_OK;
        bool better = run->best_residual.relative < PROGRESS * best;
        idle = better ? 0 : idle + 1;
        best = fmin(best, run->best_residual.relative);
        smoothing.alpha = better ? first : fmin(MORE_ALPHA * fmax(smoothing.alpha, 1e-10), LARGEST_ALPHA);
        memcpy(run->r, solver->best, (size_t)solver->problem->rows * sizeof *run->r);
    }
    if (stage->contacts == 0)
        rico_run_stop(run, RICO_BREAKDOWN, "there is no contact to smooth");
    else
        rico_run_stop(run, RICO_STALLED, "no progress in %lld rounds", (long long)rounds);
    return RICO_OK;
}


const rico_method rico_smoothing_methods[] = {{
    .info = {.name = "smoothing",
             .family = "newton",
             .summary = "smoothing Newton on the natural map, level after level",
             .reference = "Fukushima, Luo, Tseng 2001; Hayashi, Yamashita, Fukushima 2005",
             .takes = RICO_TAKES_REDUCED | RICO_TAKES_EQUALITY | RICO_TAKES_UNILATERAL |
                      RICO_TAKES_COULOMB_2D | RICO_TAKES_COULOMB_3D | RICO_TAKES_UNSYMMETRIC,
             .option_count = sizeof options / sizeof options[0],
             .options = options},
    .setup = setup,
    .update = update,
    .solve = solve,
    .cleanup = cleanup,
}};
const int rico_smoothing_count = sizeof rico_smoothing_methods / sizeof rico_smoothing_methods[0];
