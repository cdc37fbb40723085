// Fixed point and extragradient methods on the friction problem as a variational inequality over K.
//
// F(r) = W r + q + g(W r + q), X = K (Acary et al. 2018, eq. 40, table 1): fp-ds with a fixed step (Uzawa's
// algorithm), fp-vi-* and eg-vi-* with self-adaptive ones. Equality rows have X = R^d, unilateral ones X = R+.

#include "la/dense.h"
#include "solve/method.h"
#include "solve/vi.h"

#include <math.h>
#include <string.h>

typedef enum projection_option {
    OPTION_RHO,
    OPTION_SAFETY,
    OPTION_GROWTH,
    OPTION_FACTOR,
    OPTION_CHECK
} projection_option;

static const rico_option_info options[] = {
    [OPTION_RHO] = {"rho", "first step, the only one of fp-ds; 0 takes 1 / largest |W_aa|", RICO_REAL, 0.0,
                    1e12, 0.0, NULL},
    [OPTION_SAFETY] = {"safety", "L: a ratio above it shortens the step", RICO_REAL, 0.01, 0.999, 0.9, NULL},
    [OPTION_GROWTH] = {"growth", "L_min: a ratio below it lengthens the step", RICO_REAL, 0.0, 0.99, 0.3,
                       NULL},
    [OPTION_FACTOR] = {"factor", "nu: by how much steps shrink and grow", RICO_REAL, 0.01, 0.99, 2.0 / 3.0,
                       NULL},
    [OPTION_CHECK] = {"check-every", "iterations between two checks of the residual", RICO_INTEGER, 1, 1e9,
                      10, NULL},
};

typedef struct variant {
    bool extragradient;
    rico_vi_rule rule;
} variant;

typedef struct projection {
    rico_vi_state state;
    double scale; // 1 / largest |W_aa|
} projection;


// F(r) = hat(W r + q), in place in F
static void map(void *user, const double *r, double *F)
{
    rico_problem *p = user;
    // the factor of M was made at setup: nothing here can fail
    (void)rico_problem_velocity(p, r, F, NULL);
    for (int64_t a = 0; a < p->block_count; a++) rico_cone_shift(rico_problem_cone(p, a), &F[p->offset[a]]);
}


static void project(void *user, double *r)
{
    const rico_problem *p = user;
    for (int64_t a = 0; a < p->block_count; a++) rico_problem_project_block(p, a, &r[p->offset[a]]);
}


static rico_status setup(rico_solver *solver)
{
    rico_problem *p = solver->problem;
    projection *work = solver->work = rico_alloc(solver->ctx, 1, sizeof *work);
    if (!work) return RICO_NO_MEMORY;
    double largest = 0.0;
    for (int64_t a = 0; a < p->block_count; a++) largest = fmax(largest, p->block_norm[a]);
    work->scale = largest > 0.0 ? 1.0 / largest : 1.0;
    return rico_vi_state_create(solver->ctx, p->rows, &work->state);
}


static rico_status solve(rico_solver *solver, rico_run *run)
{
    rico_problem *p = solver->problem;
    projection *work = solver->work;
    const variant *v = solver->method->variant;
    double rho = rico_option(solver, OPTION_RHO);
    rico_vi vi = {.size = p->rows, .map = map, .project = project, .user = p};
    rico_vi_options step = {.extragradient = v->extragradient,
                            .rule = v->rule,
                            .rho = rho > 0.0 ? rho : work->scale,
                            .safety = rico_option(solver, OPTION_SAFETY),
                            .growth = rico_option(solver, OPTION_GROWTH),
                            .factor = rico_option(solver, OPTION_FACTOR)};
    int64_t spacing = (int64_t)rico_option(solver, OPTION_CHECK);

    memcpy(work->state.z, run->r, (size_t)p->rows * sizeof *run->r);
    rico_vi_begin(&work->state, &step);
    for (int64_t k = 1;; k++) {
        double change = rico_vi_step(&vi, &step, &work->state);
        bool due = k % spacing == 0 || change == 0.0 || k == run->max_iterations;
        if (due) {
            memcpy(run->r, work->state.z, (size_t)p->rows * sizeof *run->r);
            if (rico_run_check(run, k)) return RICO_OK;
            if (change == 0.0) {
                rico_run_stop(run, RICO_STALLED, "the step shrank to %.3g and moves nothing",
                              work->state.rho);
                return RICO_OK;
            }
        } else if (rico_run_limits(run, k)) {
            memcpy(run->r, work->state.z, (size_t)p->rows * sizeof *run->r);
            rico_run_check(run, k);
            return RICO_OK;
        }
    }
}


static void cleanup(rico_solver *solver)
{
    projection *work = solver->work;
    rico_vi_state_destroy(&work->state);
    rico_free(solver->ctx, work);
}


#define TAKES (RICO_TAKES_REDUCED | RICO_TAKES_GLOBAL | RICO_TAKES_ALL_BLOCKS | RICO_TAKES_UNSYMMETRIC)
#define MEMBER(NAME, SUMMARY, ALGORITHM, EXTRAGRADIENT, RULE)                                                \
    {                                                                                                        \
        .info = {.name = NAME,                                                                               \
                 .family = "projection",                                                                     \
                 .summary = SUMMARY,                                                                         \
                 .reference = "Acary, Bremond, Huber 2018, " ALGORITHM,                                      \
                 .takes = TAKES,                                                                             \
                 .option_count = sizeof options / sizeof options[0],                                         \
                 .options = options},                                                                        \
        .setup = setup, .solve = solve, .cleanup = cleanup, .variant = &(const variant)                      \
        {                                                                                                    \
            EXTRAGRADIENT, RULE                                                                              \
        }                                                                                                    \
    }

const rico_method rico_projection_methods[] = {
    MEMBER("fp-ds", "fixed point with a fixed step (Uzawa)", "Algorithm 1", false, RICO_VI_FIXED),
    MEMBER("fp-vi-upk", "fixed point, step from the ratio of norms", "Algorithms 1 and 3 (eq. 101)", false,
           RICO_VI_UPK),
    MEMBER("fp-vi-upts", "fixed point, step from the inner product", "Algorithms 1 and 3 (eq. 102)", false,
           RICO_VI_UPTS),
    MEMBER("eg-vi-upk", "extragradient, step from the ratio of norms", "Algorithms 2 and 3 (eq. 101)", true,
           RICO_VI_UPK),
    MEMBER("eg-vi-upts", "extragradient, step from the inner product", "Algorithms 2 and 3 (eq. 102)", true,
           RICO_VI_UPTS),
};
const int rico_projection_count = sizeof rico_projection_methods / sizeof rico_projection_methods[0];
