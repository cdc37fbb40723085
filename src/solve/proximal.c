// The proximal point algorithm: a sequence of friction problems with W + alpha I, each easier than the first.
//
// Acary et al. 2018, Algorithm 8 and sections 6.2-6.4. Step k solves the problem of W + alpha_k I and q - alpha_k x_k
// (eq. 122), whose solution z is that of the problem itself when z = x_k, and goes to x_{k+1} = x_k + omega (z - x_k).
// W + alpha I has full rank whatever the redundancy of the contacts, which is what Newton's method asks for. In its
// scaled form alpha is relative: alpha_k |W_aa| for block a.

#include "base/clock.h"
#include "la/dense.h"
#include "problem/shift.h"
#include "solve/method.h"

#include <math.h>
#include <string.h>

typedef enum proximal_option {
    OPTION_RULE,
    OPTION_ALPHA,
    OPTION_SIGMA,
    OPTION_NU,
    OPTION_SCALED,
    OPTION_OMEGA,
    OPTION_INNER_TOL,
    OPTION_INNER_ITERATIONS,
    OPTION_PATIENCE,
    OPTION_FAILURES
} proximal_option;
typedef enum proximal_rule { RULE_HEURISTIC, RULE_RESIDUAL } proximal_rule;

static const char *const rules[] = {"heuristic", "residual", NULL};

typedef struct variant {
    const char *inner;  // the solver of the steps
    int64_t iterations; // that it is given, unless the option says otherwise
} variant;

typedef struct proximal {
    rico_problem *shifted;
    rico_solver *inner;
    double *alpha; // of each block
    double *z;     // m: the solution of a step
} proximal;

// Bounds of alpha; beyond, it makes no difference in double precision or leaves nothing to solve.
static const double SMALLEST_ALPHA = 1e-14, LARGEST_ALPHA = 1e10;

// A best residual that falls by less than this is no progress.
static const double PROGRESS = 0.9;


static rico_status setup(rico_solver *solver)
{
    rico_context *ctx = solver->ctx;
    rico_problem *p = solver->problem;
    const variant *v = solver->method->variant;
    proximal *work = solver->work = rico_alloc(ctx, 1, sizeof *work);
    if (!work) return RICO_NO_MEMORY;
    work->alpha = rico_alloc(ctx, p->block_count, sizeof *work->alpha);
    work->z = rico_alloc(ctx, p->rows, sizeof *work->z);
    if (!work->alpha || !work->z) return RICO_NO_MEMORY;
    rico_status status = rico_problem_create_shifted(p, &work->shifted);
    if (status) return status;

    // the pattern is that of W; values for the inner setup come from a first shift about zero
    rico_problem_shift(work->shifted, p, work->alpha, work->z);
    status = rico_solver_create(ctx, v->inner, &work->inner);
    return status ? status : rico_solver_setup_inner(work->inner, work->shifted);
}


static rico_status update(rico_solver *solver, bool matrix)
{
    // every step shifts q and the diagonal anew; what lies off the diagonal is copied here
    const rico_block_matrix *W = &solver->problem->W;
    proximal *work = solver->work;
    if (matrix)
        memcpy(work->shifted->W.value, W->value, (size_t)W->place[rico_block_count(W)] * sizeof *W->value);
    return RICO_OK;
}


static void cleanup(rico_solver *solver)
{
    proximal *work = solver->work;
    rico_solver_destroy(work->inner); // before the problem that it stands on
    rico_problem_destroy(work->shifted);
    rico_free(solver->ctx, work->alpha);
    rico_free(solver->ctx, work->z);
    rico_free(solver->ctx, work);
}


// Solves the step about run->r into z.
static rico_status proximal_step(rico_solver *solver, const rico_run *run, double alpha, rico_report *report)
{
    const rico_problem *p = solver->problem;
    const variant *v = solver->method->variant;
    proximal *work = solver->work;
    bool scaled = rico_option(solver, OPTION_SCALED) != 0.0;
    for (int64_t a = 0; a < p->block_count; a++)
        work->alpha[a] = scaled && p->block_norm[a] > 0.0 ? alpha * p->block_norm[a] : alpha;
    rico_problem_shift(work->shifted, p, work->alpha, run->r);
    rico_status status = rico_solver_update_matrix(work->inner);
    if (status) return status;

    // A tenth of the present error is enough (section 6.3). The step begins at x, where its natural map is the
    // problem's own; errors are compared as they are, before the two problems divide them by scales of their own:
    // with a large alpha a relative error would be small enough without moving.
    int64_t m = p->rows;
    double scale = fmax(fmax(rico_norm(m, work->shifted->q), rico_norm(m, run->r)), rico_norm(m, run->u));
    double *option = work->inner->option, iterations = rico_option(solver, OPTION_INNER_ITERATIONS);
    option[RICO_OPT_TOL] = rico_option(solver, OPTION_INNER_TOL) * run->residual.absolute / scale;
    option[RICO_OPT_MAX_ITER] = iterations > 0.0 ? iterations : (double)v->iterations;
    option[RICO_OPT_TIME_LIMIT] = run->deadline < INFINITY ? fmax(run->deadline - rico_clock(), 1e-9) : 0.0;
    memcpy(work->z, run->r, (size_t)p->rows * sizeof *work->z);
    return rico_solver_solve(work->inner, work->z, NULL, report);
}


// The parameter of the next step: eq. 125, or a tenth after a success. After a failure it is five times more by either
// rule; eq. 125 alone would ask for the step that has just failed again and again.
static double next_alpha(const rico_solver *solver, const rico_run *run, double alpha, bool success)
{
    double next = 5.0 * alpha;
    if (success && (proximal_rule)rico_option(solver, OPTION_RULE) == RULE_RESIDUAL)
        next =
            rico_option(solver, OPTION_SIGMA) * pow(run->residual.relative, rico_option(solver, OPTION_NU));
    else if (success)
        next = alpha / 10.0;
    return fmin(fmax(next, SMALLEST_ALPHA), LARGEST_ALPHA);
}


static rico_status solve(rico_solver *solver, rico_run *run)
{
    const rico_problem *p = solver->problem;
    const proximal *work = solver->work;
    double omega = rico_option(solver, OPTION_OMEGA), mark = INFINITY;
    int64_t patience = (int64_t)rico_option(solver, OPTION_PATIENCE), reached = 0;
    int64_t failures = (int64_t)rico_option(solver, OPTION_FAILURES);
    double alpha = rico_option(solver, OPTION_ALPHA);
    if ((proximal_rule)rico_option(solver, OPTION_RULE) == RULE_RESIDUAL)
        alpha = next_alpha(solver, run, alpha, true);

    for (int64_t k = 1;; k++) {
        rico_report report;
        rico_status status = proximal_step(solver, run, alpha, &report);
        if (status) return status;
        for (int64_t i = 0; i < p->rows; i++) run->r[i] += omega * (work->z[i] - run->r[i]);
        if (rico_run_check(run, k)) return RICO_OK;
        bool success = report.stop == RICO_CONVERGED;
        if (!success && --failures == 0) {
            rico_run_stop(run, RICO_STALLED, "proximal step %lld did not reach its tolerance: %s",
                          (long long)k, rico_stop_name(report.stop));
            return RICO_OK;
        }
        alpha = next_alpha(solver, run, alpha, success);

        if (run->best_residual.relative < PROGRESS * mark) {
            mark = run->best_residual.relative;
            reached = k;
        } else if (k - reached >= patience) {
            rico_run_stop(run, RICO_STALLED,
                          "the best residual, %.3g, has not fallen by a tenth in %lld proximal steps",
                          run->best_residual.relative, (long long)patience);
            return RICO_OK;
        }
    }
}


static const rico_option_info options[] = {
    [OPTION_RULE] = {"alpha-rule", "heuristic: a tenth or five times; residual: sigma error^nu", RICO_CHOICE,
                     0, 0, RULE_HEURISTIC, rules},
    [OPTION_ALPHA] = {"alpha", "the first proximal parameter of the heuristic", RICO_REAL, 1e-14, 1e10, 1,
                      NULL},
    [OPTION_SIGMA] = {"sigma", "factor of the residual rule", RICO_REAL, 1e-14, 1e14, 5, NULL},
    [OPTION_NU] = {"nu", "power of the residual rule", RICO_REAL, 0, 10, 1, NULL},
    [OPTION_SCALED] = {"scaled", "alpha is relative to |W_aa|", RICO_FLAG, 0, 1, 1, NULL},
    [OPTION_OMEGA] = {"omega", "relaxation of the steps", RICO_REAL, 1e-3, 2, 1, NULL},
    [OPTION_INNER_TOL] = {"inner-tol", "tolerance of a step, relative to the present residual", RICO_REAL,
                          1e-12, 1, 0.1, NULL},
    [OPTION_INNER_ITERATIONS] = {"inner-iterations", "iterations of a step, 0 for the member's own",
                                 RICO_INTEGER, 0, 1e15, 0, NULL},
    [OPTION_PATIENCE] = {"patience", "steps without progress before giving up", RICO_INTEGER, 1, 1e9, 100,
                         NULL},
    [OPTION_FAILURES] = {"failures", "steps that may fail before giving up", RICO_INTEGER, 1, 1e9, 1e9, NULL},
};

#define MEMBER(NAME, SUMMARY, INNER, ITERATIONS)                                                             \
    {                                                                                                        \
        .info = {.name = NAME,                                                                               \
                 .family = "proximal",                                                                       \
                 .summary = "proximal point algorithm, " SUMMARY,                                            \
                 .reference = "Acary, Bremond, Huber 2018, Algorithm 8",                                     \
                 .takes = RICO_TAKES_REDUCED | RICO_TAKES_EQUALITY | RICO_TAKES_UNILATERAL |                 \
                          RICO_TAKES_COULOMB_2D | RICO_TAKES_COULOMB_3D | RICO_TAKES_UNSYMMETRIC,            \
                 .option_count = sizeof options / sizeof options[0],                                         \
                 .options = options},                                                                        \
        .setup = setup, .update = update, .solve = solve, .cleanup = cleanup, .variant = &(const variant)    \
        {                                                                                                    \
            INNER, ITERATIONS                                                                                \
        }                                                                                                    \
    }

const rico_method rico_proximal_methods[] = {
    MEMBER("ppa-nsn-ac", "each step by nsn-ac", "nsn-ac", 25),
    MEMBER("ppa-nsn-ac-gp", "each step by nsn-ac-gp", "nsn-ac-gp", 25),
    MEMBER("ppa-nsn-jm", "each step by nsn-jm", "nsn-jm", 25),
    MEMBER("ppa-nsn-jm-gp", "each step by nsn-jm-gp", "nsn-jm-gp", 25),
    MEMBER("ppa-nsn-nm", "each step by nsn-nm", "nsn-nm", 25),
    MEMBER("ppa-nsn-nm-gp", "each step by nsn-nm-gp", "nsn-nm-gp", 25),
    MEMBER("ppa-nsn-fb", "each step by nsn-fb", "nsn-fb", 25),
    MEMBER("ppa-nsn-fb-gp", "each step by nsn-fb-gp", "nsn-fb-gp", 25),
    MEMBER("ppa-nsgs", "each step by nsgs", "nsgs", 1000),
    MEMBER("ppa-nsgs-ac", "each step by nsgs-ac", "nsgs-ac", 1000),
};
const int rico_proximal_count = sizeof rico_proximal_methods / sizeof rico_proximal_methods[0];
