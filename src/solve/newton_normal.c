// Newton's method on the normal map: F_nor(x) = rho F(P_K(x)) + x - P_K(x), r = P_K(x) (Acary et al. 2018, eq. 52-54).
//
// F(r) = W r + q + g(W r + q). With P' an element of the Jacobian of the projection at x, D that of u + g(u), and dr = P'dx,
// J dx = -F_nor reads dx = dr - rho D W dr - F_nor, and P' times it
//
//     (rho P'D W + 1 - P') dr = -P' F_nor,
//
// the system of the natural map with P' taken at x. Its solution dr gives dx, also where P' is singular. Impulses are
// projections: they obey their cones in every iterate.

#include "la/dense.h"
#include "ricochet/cone.h"
#include "solve/line_search.h"
#include "solve/method.h"
#include "solve/newton_system.h"
#include "solve/rho.h"

#include <math.h>
#include <string.h>

typedef enum normal_option {
    OPTION_RHO_RULE,
    OPTION_SHIFT,
    OPTION_PATIENCE,
    OPTION_M1,
    OPTION_M2,
    OPTION_GROWTH,
    OPTION_TRIES
} normal_option;

static const char *const rules[] = {"norm", "spectral", NULL};

static const rico_option_info options[] = {
    [OPTION_RHO_RULE] = {"rho-rule", "step of each contact: 1/|W_aa|, or 1 over its largest eigenvalue",
                         RICO_CHOICE, 0, 0, 1, rules},
    [OPTION_SHIFT] = {"shift", "what is added to W in the Jacobian, relative to |W_aa|", RICO_REAL, 0, 1, 0,
                      NULL},
    [OPTION_PATIENCE] = {"patience", "iterations without progress before giving up", RICO_INTEGER, 1, 1e9,
                         100, NULL},
    [OPTION_M1] = {"m1", "a step is short enough below m1 times the slope", RICO_REAL, 1e-12, 0.999, 0.1,
                   NULL},
    [OPTION_M2] = {"m2", "and long enough above m2 times it (Goldstein-Price)", RICO_REAL, 1e-3, 0.999999,
                   0.9, NULL},
    [OPTION_GROWTH] = {"a", "factor of extrapolation, 1 for none", RICO_REAL, 1, 100, 2, NULL},
    [OPTION_TRIES] = {"tries", "steps tried in one search", RICO_INTEGER, 1, 1e6, 6, NULL},
};

typedef struct variant {
    rico_line_search *search; // NULL: full steps
} variant;

// A best residual that falls by less than this is no progress.
static const double PROGRESS = 0.9;

typedef struct normal {
    rico_newton_system *system;
    double *rho;                       // of each block
    int rule;                          // it came from, -1 before the first solve
    double *x, *F, *G;                 // the point, the map, P' times it
    double *dx;                        // the step
    double *trial, *trial_r, *trial_u; // of the line search
} normal;


static rico_status setup(rico_solver *solver)
{
    rico_context *ctx = solver->ctx;
    rico_problem *p = solver->problem;
    normal *work = solver->work = rico_alloc(ctx, 1, sizeof *work);
    if (!work) return RICO_NO_MEMORY;
    work->rule = -1;
    work->rho = rico_alloc(ctx, p->block_count, sizeof *work->rho);
    double **all[] = {&work->x, &work->F, &work->G, &work->dx, &work->trial, &work->trial_r, &work->trial_u};
    bool room = work->rho != NULL;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        room = (*all[i] = rico_alloc(ctx, p->rows, sizeof(double))) && room;
    return room ? rico_newton_system_create(p, RICO_NEWTON_AUTO, &work->system) : RICO_NO_MEMORY;
}


static rico_status update(rico_solver *solver, bool matrix)
{
    normal *work = solver->work;
    if (matrix) work->rule = -1;
    return RICO_OK;
}


static void cleanup(rico_solver *solver)
{
    normal *work = solver->work;
    rico_newton_system_destroy(work->system);
    double *all[] = {work->rho, work->x,     work->F,       work->G,
                     work->dx,  work->trial, work->trial_r, work->trial_u};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(solver->ctx, all[i]);
    rico_free(solver->ctx, work);
}


static void choose_rho(rico_solver *solver)
{
    const rico_problem *p = solver->problem;
    normal *work = solver->work;
    int rule = (int)rico_option(solver, OPTION_RHO_RULE);
    if (rule == work->rule) return;
    for (int64_t a = 0; a < p->block_count; a++) {
        const double *W = &p->W.value[p->W.place[p->W.diagonal[a]]];
        bool whole = rule == 0 || rico_problem_is_joint(p, a);
        work->rho[a] =
            rico_rho_from_block(whole ? RICO_RHO_NORM : RICO_RHO_SPECTRAL, p->offset[a + 1] - p->offset[a], W)
                .normal;
    }
    work->rule = rule;
}


// F_nor at x, with r = P_K(x) and its u.
static void evaluate(const rico_solver *solver, const double *x, const double *r, const double *u, double *F)
{
    const rico_problem *p = solver->problem;
    const normal *work = solver->work;
    memcpy(F, u, (size_t)p->rows * sizeof *F);
    for (int64_t a = 0; a < p->block_count; a++) {
        rico_cone_shift(rico_problem_cone(p, a), &F[p->offset[a]]);
        for (int64_t i = p->offset[a]; i < p->offset[a + 1]; i++) F[i] = work->rho[a] * F[i] + x[i] - r[i];
    }
}


// P' at x and D at u of one block, row-major with its own width.
static void differentiate(const rico_problem *p, int64_t a, const double *x, const double *u, double P[9],
                          double D[9])
{
    int64_t size = p->offset[a + 1] - p->offset[a];
    if (size == 1) {
        P[0] = x[0] > 0.0 ? 1.0 : 0.0;
        D[0] = 1.0;
        return;
    }
    double x3[3] = {x[0], x[1], size > 2 ? x[2] : 0.0}, u3[3] = {u[0], u[1], size > 2 ? u[2] : 0.0};
    double P3[9], D3[9];
    rico_coulomb_project_jacobian(p->friction[a], x3, P3);
    rico_desaxce_jacobian(p->friction[a], u3, D3);
    for (int64_t i = 0; i < size; i++)
        for (int64_t j = 0; j < size; j++) {
            P[i * size + j] = P3[3 * i + j];
            D[i * size + j] = D3[3 * i + j];
        }
}


// The blocks of the system: D_u = rho P'D, D_r = 1 - P', G = P'F.
static void fill(rico_solver *solver, const double *u)
{
    const rico_problem *p = solver->problem;
    normal *work = solver->work;
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t first = p->offset[a], size = p->offset[a + 1] - first;
        double *du = &work->system->du[9 * a], *dr = &work->system->dr[9 * a], P[9], D[9];
        if (rico_problem_is_joint(p, a)) {
            du[0] = work->rho[a];
            memcpy(&work->G[first], &work->F[first], (size_t)size * sizeof *work->G);
            continue;
        }
        differentiate(p, a, &work->x[first], &u[first], P, D);
        for (int64_t i = 0; i < size; i++) {
            work->G[first + i] = 0.0;
            for (int64_t j = 0; j < size; j++) {
                double sum = 0.0;
                for (int64_t l = 0; l < size; l++) sum += P[i * size + l] * D[l * size + j];
                du[i * size + j] = work->rho[a] * sum;
                dr[i * size + j] = (i == j) - P[i * size + j];
                work->G[first + i] += P[i * size + j] * work->F[first + j];
            }
        }
    }
}


// dx = dr - rho D W dr - F; returns the slope of |F|^2/2 along it, -|F|^2 where the step is exact.
static double complete(rico_solver *solver, const double *u)
{
    const rico_problem *p = solver->problem;
    normal *work = solver->work;
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t first = p->offset[a], size = p->offset[a + 1] - first;
        double P[9], D[9];
        bool joint = rico_problem_is_joint(p, a);
        if (!joint) differentiate(p, a, &work->x[first], &u[first], P, D);
        for (int64_t i = first; i < first + size; i++) {
            double turned = joint ? work->system->Wd[i] : 0.0;
            for (int64_t j = 0; !joint && j < size; j++)
                turned += D[(i - first) * size + j] * work->system->Wd[first + j];
            work->dx[i] = work->system->d[i] - work->rho[a] * turned - work->F[i];
        }
    }
    return -rico_dot(p->rows, work->F, work->F);
}


static void project(const rico_problem *p, const double *x, double *r)
{
    memcpy(r, x, (size_t)p->rows * sizeof *r);
    for (int64_t a = 0; a < p->block_count; a++) rico_problem_project_block(p, a, &r[p->offset[a]]);
}


static double merit(void *user, double t)
{
    const rico_solver *solver = user;
    rico_problem *p = solver->problem;
    normal *work = solver->work;
    for (int64_t i = 0; i < p->rows; i++) work->trial[i] = work->x[i] + t * work->dx[i];
    project(p, work->trial, work->trial_r);
    rico_block_times(&p->W, work->trial_r, p->q, work->trial_u);
    evaluate(solver, work->trial, work->trial_r, work->trial_u, work->G);
    return 0.5 * rico_dot(p->rows, work->G, work->G);
}


static double step_length(rico_solver *solver, double slope)
{
    const variant *v = solver->method->variant;
    const normal *work = solver->work;
    double longest = work->system->longest;
    if (!v->search || !(slope < 0.0)) return longest;
    rico_merit m = {merit, solver, -0.5 * slope, slope};
    rico_line_search_options search = {.m1 = rico_option(solver, OPTION_M1),
                                       .m2 = rico_option(solver, OPTION_M2),
                                       .growth = rico_option(solver, OPTION_GROWTH),
                                       .tries = (int)rico_option(solver, OPTION_TRIES)};
    return v->search(&m, longest, &search).t;
}


static rico_status solve(rico_solver *solver, rico_run *run)
{
    const rico_problem *p = solver->problem;
    normal *work = solver->work;
    int64_t patience = (int64_t)rico_option(solver, OPTION_PATIENCE), reached = 0;
    double mark = INFINITY, shift = rico_option(solver, OPTION_SHIFT);
    choose_rho(solver);

    // of all x above the starting point, the one that its own velocities ask for
    memcpy(work->x, run->u, (size_t)p->rows * sizeof *work->x);
    for (int64_t a = 0; a < p->block_count; a++) {
        rico_cone_shift(rico_problem_cone(p, a), &work->x[p->offset[a]]);
        for (int64_t i = p->offset[a]; i < p->offset[a + 1]; i++)
            work->x[i] = run->r[i] - work->rho[a] * work->x[i];
    }
    project(p, work->x, run->r);
    if (rico_run_check(run, 0)) return RICO_OK;

    for (int64_t k = 1;; k++) {
        evaluate(solver, work->x, run->r, run->u, work->F);
        fill(solver, run->u);
        rico_status status = rico_newton_system_solve(work->system, work->G, &shift);
        if (status == RICO_SINGULAR) {
            rico_run_stop(run, RICO_BREAKDOWN, "no Newton step from iterate %lld: %s", (long long)(k - 1),
                          rico_message(solver->ctx));
            return RICO_OK;
        }
        if (status) return status;
        double slope = complete(solver, run->u);
        rico_axpy(p->rows, step_length(solver, slope), work->dx, work->x);
        project(p, work->x, run->r);
        if (rico_run_check(run, k)) return RICO_OK;

        if (run->best_residual.relative < PROGRESS * mark) {
            mark = run->best_residual.relative;
            reached = k;
        } else if (k - reached >= patience) {
            rico_run_stop(run, RICO_STALLED,
                          "the best residual, %.3g, has not fallen by a tenth in %lld iterations",
                          run->best_residual.relative, (long long)patience);
            return RICO_OK;
        }
    }
}


#define MEMBER(NAME, WORDS, ALGORITHMS, OPTION_COUNT, SEARCH)                                                \
    {                                                                                                        \
        .info = {.name = NAME,                                                                               \
                 .family = "newton",                                                                         \
                 .summary = "nonsmooth Newton, normal map, " WORDS,                                          \
                 .reference = "Acary, Bremond, Huber 2018, " ALGORITHMS ", eq. 52-54",                       \
                 .takes = RICO_TAKES_REDUCED | RICO_TAKES_EQUALITY | RICO_TAKES_UNILATERAL |                 \
                          RICO_TAKES_COULOMB_2D | RICO_TAKES_COULOMB_3D | RICO_TAKES_UNSYMMETRIC,            \
                 .option_count = OPTION_COUNT,                                                               \
                 .options = options},                                                                        \
        .setup = setup, .update = update, .solve = solve, .cleanup = cleanup, .variant = &(const variant)    \
        {                                                                                                    \
            SEARCH                                                                                           \
        }                                                                                                    \
    }

const rico_method rico_newton_normal_methods[] = {
    MEMBER("nsn-nor", "full steps", "Algorithm 4", OPTION_M1, NULL),
    MEMBER("nsn-nor-gp", "Goldstein-Price line search", "Algorithms 4 and 5", OPTION_TRIES + 1,
           rico_line_search_goldstein_price),
    MEMBER("nsn-nor-a", "Armijo line search", "Algorithms 4 and 6", OPTION_TRIES + 1,
           rico_line_search_armijo),
};
const int rico_newton_normal_count = sizeof rico_newton_normal_methods / sizeof rico_newton_normal_methods[0];
