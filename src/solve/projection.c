// Projection methods on the friction problem as a variational inequality over K, or a quasi-variational one over cylinders.
//
//     vi    F(r) = W r + q + g(W r + q), X = K         (Acary et al. 2018, eq. 40, table 1): fp-ds with a fixed step (Uzawa's
//           algorithm), fp-vi-*, eg-vi-* and pc-vi-* with self-adaptive ones
//     qvi   F(r) = W r + q, X(r) = { s_N >= 0, |s_T| <= mu r_N }         (eq. 42-46, 64): fp-qvi-ds, fp-qvi-*, eg-qvi-*
//
// Equality rows have X = R^d, unilateral ones X = R+. The metric is the identity, |W_aa| on each contact, which is a step of
// its own for each, or W_aa itself (eq. 55-57, 98).

#include "cone/skew.h"
#include "la/dense.h"
#include "la/mat3.h"
#include "solve/convex.h"
#include "solve/method.h"
#include "solve/vi.h"

#include <math.h>
#include <string.h>

typedef enum projection_option {
    OPTION_RHO,
    OPTION_METRIC,
    OPTION_CHECK,
    OPTION_SAFETY,
    OPTION_GROWTH,
    OPTION_FACTOR,
    OPTION_SHRINK,
    OPTION_GAMMA
} projection_option;

typedef enum metric { METRIC_ONE, METRIC_CONTACT, METRIC_BLOCK } metric;
static const char *const metrics[] = {"one", "contact", "block", NULL};
static const char *const cylinder_metrics[] = {"one", "contact", NULL};
static const char *const shrinks[] = {"constant", "ratio", NULL};

#define OPTIONS(METRIC_HELP, METRICS)                                                                        \
    [OPTION_RHO] = {"rho",                                                                                   \
                    "first step, the only one of members *-ds; 0 takes 1 / largest |W_aa|, with a metric 1", \
                    RICO_REAL,                                                                               \
                    0.0,                                                                                     \
                    1e12,                                                                                    \
                    0.0,                                                                                     \
                    NULL},                                                                                   \
    [OPTION_METRIC] = {"metric", METRIC_HELP, RICO_CHOICE, 0, 0, METRIC_ONE, METRICS},                       \
    [OPTION_CHECK] = {"check-every", "iterations between two checks of the residual",                        \
                      RICO_INTEGER,  1,                                                                      \
                      1e9,           10,                                                                     \
                      NULL},                                                                                 \
    [OPTION_SAFETY] =                                                                                        \
        {"safety", "L: a ratio above it shortens the step", RICO_REAL, 0.01, 0.999, 0.9, NULL},              \
    [OPTION_GROWTH] = {"growth", "L_min: a ratio below it lengthens the step", RICO_REAL, 0.0, 0.99, 0.3,    \
                       NULL},                                                                                \
    [OPTION_FACTOR] = {"factor", "nu: by how much steps shrink and grow", RICO_REAL, 0.01, 0.99, 2.0 / 3.0,  \
                       NULL},                                                                                \
    [OPTION_SHRINK] = {"shrink", "a step shrinks by nu, or by nu min(1, 1/ratio)", RICO_CHOICE, 0, 0, 0,     \
                       shrinks},                                                                             \
    [OPTION_GAMMA] = {"gamma", "how much of the correction is taken", RICO_REAL, 0.1, 1.99, 1.8, NULL},

static const rico_option_info options[] = {
    OPTIONS("one step for all; contact: rho / |W_aa|; block: rho / W_aa, in that metric", metrics)};
static const rico_option_info cylinder_options[] = {
    OPTIONS("one step for all; contact: rho / |W_aa|", cylinder_metrics)};

typedef struct variant {
    rico_vi_method method;
    rico_vi_rule rule;
    bool cylinder; // the quasi-variational form
} variant;

typedef struct projection {
    rico_problem *problem;
    rico_vi_state state;
    metric metric;    // as of the option, at the last solve
    double scale;     // 1 / largest |W_aa|
    double *diagonal; // 9 for each block: W_aa
    rico_skew *skew;  // of each block, where W_aa is the metric
    bool *skewed;     // is it, there?
    double *radius;   // of each block: mu r_N of the step
} projection;


// F(r) = hat(W r + q), in place in F
static void map(void *user, const double *r, double *F)
{
    rico_problem *p = ((projection *)user)->problem;
    // the factor of M was made at setup: nothing here can fail
    (void)rico_problem_velocity(p, r, F, NULL);
    for (int64_t a = 0; a < p->block_count; a++) rico_cone_shift(rico_problem_cone(p, a), &F[p->offset[a]]);
}


static void plain_map(void *user, const double *r, double *F)
{
    (void)rico_problem_velocity(((projection *)user)->problem, r, F, NULL);
}


static void project(void *user, double *r)
{
    const projection *work = user;
    const rico_problem *p = work->problem;
    for (int64_t a = 0; a < p->block_count; a++) {
        if (work->metric == METRIC_BLOCK && work->skewed[a])
            rico_skew_project(&work->skew[a], (int)(p->offset[a + 1] - p->offset[a]), &r[p->offset[a]]);
        else
            rico_problem_project_block(p, a, &r[p->offset[a]]);
    }
}


// Cylinders for contacts, K for all else.
static bool has_cylinder(const rico_problem *p, int64_t a)
{
    return p->kind[a] == RICO_COULOMB_2D || p->kind[a] == RICO_COULOMB_3D;
}


static void settle(void *user, const double *r)
{
    const projection *work = user;
    const rico_problem *p = work->problem;
    for (int64_t a = 0; a < p->block_count; a++)
        if (has_cylinder(p, a)) work->radius[a] = p->friction[a] * fmax(r[p->offset[a]], 0.0);
}


static void project_on_cylinders(void *user, double *r)
{
    const projection *work = user;
    const rico_problem *p = work->problem;
    for (int64_t a = 0; a < p->block_count; a++) {
        if (has_cylinder(p, a))
            rico_convex_project_block(RICO_SET_CYLINDER, p->offset[a + 1] - p->offset[a], work->radius[a],
                                      &r[p->offset[a]]);
        else
            rico_problem_project_block(p, a, &r[p->offset[a]]);
    }
}


// x = R^-1 F and F = R x, block by block.
static void raise(void *user, const double *F, double *x)
{
    const projection *work = user;
    const rico_problem *p = work->problem;
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t first = p->offset[a], size = p->offset[a + 1] - first;
        if (work->metric == METRIC_BLOCK && work->skewed[a]) {
            rico_mat3_lu factor;
            double f3[3] = {F[first], F[first + 1], size > 2 ? F[first + 2] : 0.0};
            if (rico_mat3_factor(work->skew[a].R, &factor)) rico_mat3_factor_solve(&factor, f3, f3);
            memcpy(&x[first], f3, (size_t)size * sizeof *x);
        } else {
            double norm = rico_problem_block_scale(p, a);
            for (int64_t i = first; i < first + size; i++) x[i] = F[i] / norm;
        }
    }
}


static void lower(void *user, const double *x, double *F)
{
    const projection *work = user;
    const rico_problem *p = work->problem;
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t first = p->offset[a], size = p->offset[a + 1] - first;
        if (work->metric == METRIC_BLOCK && work->skewed[a]) {
            double x3[3] = {x[first], x[first + 1], size > 2 ? x[first + 2] : 0.0}, f3[3];
            rico_mat3_times(work->skew[a].R, x3, f3);
            memcpy(&F[first], f3, (size_t)size * sizeof *F);
        } else {
            double norm = rico_problem_block_scale(p, a);
            for (int64_t i = first; i < first + size; i++) F[i] = norm * x[i];
        }
    }
}


// What the values of W decide: the step, and the metric of each contact with friction.
static rico_status prepare(projection *work)
{
    rico_problem *p = work->problem;
    double largest = 0.0;
    for (int64_t a = 0; a < p->block_count; a++) largest = fmax(largest, p->block_norm[a]);
    work->scale = largest > 0.0 ? 1.0 / largest : 1.0;
    rico_status status = rico_problem_diagonal_blocks(p, work->diagonal);
    for (int64_t a = 0; !status && a < p->block_count; a++)
        work->skewed[a] =
            has_cylinder(p, a) && rico_skew_create((int)(p->offset[a + 1] - p->offset[a]), p->friction[a],
                                                   &work->diagonal[9 * a], &work->skew[a]);
    return status;
}


static rico_status setup(rico_solver *solver)
{
    rico_context *ctx = solver->ctx;
    rico_problem *p = solver->problem;
    projection *work = solver->work = rico_alloc(ctx, 1, sizeof *work);
    if (!work) return RICO_NO_MEMORY;
    work->problem = p;
    work->diagonal = rico_alloc(ctx, 9 * p->block_count, sizeof *work->diagonal);
    work->skew = rico_alloc(ctx, p->block_count, sizeof *work->skew);
    work->skewed = rico_alloc(ctx, p->block_count, sizeof *work->skewed);
    work->radius = rico_alloc(ctx, p->block_count, sizeof *work->radius);
    if (!work->diagonal || !work->skew || !work->skewed || !work->radius) return RICO_NO_MEMORY;
    rico_status status = prepare(work);
    return status ? status : rico_vi_state_create(ctx, p->rows, &work->state);
}


static rico_status update(rico_solver *solver, bool matrix)
{
    return matrix ? prepare(solver->work) : RICO_OK;
}


static rico_status solve(rico_solver *solver, rico_run *run)
{
    rico_problem *p = solver->problem;
    projection *work = solver->work;
    const variant *v = solver->method->variant;
    double rho = rico_option(solver, OPTION_RHO);
    work->metric = (metric)rico_option(solver, OPTION_METRIC);
    bool skew = work->metric != METRIC_ONE;
    rico_vi vi = {.size = p->rows,
                  .map = v->cylinder ? plain_map : map,
                  .project = v->cylinder ? project_on_cylinders : project,
                  .settle = v->cylinder ? settle : NULL,
                  .raise = skew ? raise : NULL,
                  .lower = skew ? lower : NULL,
                  .user = work};
    rico_vi_options step = rico_vi_default_options();
    step.method = v->method;
    step.rule = v->rule;
    step.rho = rho > 0.0 ? rho : skew ? 1.0 : work->scale;
    if (v->rule != RICO_VI_FIXED) { // members with a fixed step have none of these
        step.safety = rico_option(solver, OPTION_SAFETY);
        step.growth = rico_option(solver, OPTION_GROWTH);
        step.factor = rico_option(solver, OPTION_FACTOR);
        step.by_ratio = rico_option(solver, OPTION_SHRINK) != 0.0;
    }
    if (v->method == RICO_VI_CORRECTION) step.gamma = rico_option(solver, OPTION_GAMMA);
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
    rico_context *ctx = solver->ctx;
    rico_vi_state_destroy(&work->state);
    rico_free(ctx, work->diagonal);
    rico_free(ctx, work->skew);
    rico_free(ctx, work->skewed);
    rico_free(ctx, work->radius);
    rico_free(ctx, work);
}


// Members with a fixed step have no rule to tune, and only corrections have a gamma.
#define TAKES (RICO_TAKES_REDUCED | RICO_TAKES_GLOBAL | RICO_TAKES_ALL_BLOCKS | RICO_TAKES_UNSYMMETRIC)
#define TAKES_CYLINDERS (TAKES & ~(unsigned)(RICO_TAKES_ELLIPTIC | RICO_TAKES_ROLLING))
#define MEMBER(NAME, SUMMARY, REFERENCE, KINDS, OPTIONS_OF, OPTION_COUNT, METHOD, RULE, CYLINDER)            \
    {                                                                                                        \
        .info = {.name = NAME,                                                                               \
                 .family = "projection",                                                                     \
                 .summary = SUMMARY,                                                                         \
                 .reference = REFERENCE,                                                                     \
                 .takes = KINDS,                                                                             \
                 .option_count = OPTION_COUNT,                                                               \
                 .options = OPTIONS_OF},                                                                     \
        .setup = setup, .update = update, .solve = solve, .cleanup = cleanup, .variant = &(const variant)    \
        {                                                                                                    \
            METHOD, RULE, CYLINDER                                                                           \
        }                                                                                                    \
    }
#define CHAPTER "Acary, Bremond, Huber 2018, "
#define VI(NAME, SUMMARY, ALGORITHM, METHOD, RULE)                                                           \
    MEMBER(NAME, SUMMARY, CHAPTER ALGORITHM, TAKES, options, OPTION_GAMMA, METHOD, RULE, false)
#define QVI(NAME, SUMMARY, ALGORITHM, METHOD, RULE)                                                          \
    MEMBER(NAME, SUMMARY " on moving cylinders", CHAPTER "eq. 42-46, rule " ALGORITHM, TAKES_CYLINDERS,      \
           cylinder_options, OPTION_GAMMA, METHOD, RULE, true)
#define PC(NAME, SUMMARY, ALGORITHM, RULE)                                                                   \
    MEMBER(NAME, SUMMARY, "He, Liao 2002; " CHAPTER ALGORITHM, TAKES, options, OPTION_GAMMA + 1,             \
           RICO_VI_CORRECTION, RULE, false)

const rico_method rico_projection_methods[] = {
    MEMBER("fp-ds", "fixed point with a fixed step (Uzawa)", CHAPTER "Algorithm 1", TAKES, options,
           OPTION_SAFETY, RICO_VI_FIXED_POINT, RICO_VI_FIXED, false),
    VI("fp-vi-upk", "fixed point, step from the ratio of norms", "Algorithms 1 and 3 (eq. 101)",
       RICO_VI_FIXED_POINT, RICO_VI_UPK),
    VI("fp-vi-upts", "fixed point, step from the inner product", "Algorithms 1 and 3 (eq. 102)",
       RICO_VI_FIXED_POINT, RICO_VI_UPTS),
    VI("eg-vi-upk", "extragradient, step from the ratio of norms", "Algorithms 2 and 3 (eq. 101)",
       RICO_VI_EXTRAGRADIENT, RICO_VI_UPK),
    VI("eg-vi-upts", "extragradient, step from the inner product", "Algorithms 2 and 3 (eq. 102)",
       RICO_VI_EXTRAGRADIENT, RICO_VI_UPTS),
    PC("pc-vi-upk", "prediction and correction, step from the ratio of norms", "Algorithm 3 (eq. 101)",
       RICO_VI_UPK),
    PC("pc-vi-upts", "prediction and correction, step from the inner product", "Algorithm 3 (eq. 102)",
       RICO_VI_UPTS),
    MEMBER("fp-qvi-ds", "fixed point with a fixed step on moving cylinders", CHAPTER "eq. 42-46, 64",
           TAKES_CYLINDERS, cylinder_options, OPTION_SAFETY, RICO_VI_FIXED_POINT, RICO_VI_FIXED, true),
    QVI("fp-qvi-upk", "fixed point, step from the ratio of norms,", "101", RICO_VI_FIXED_POINT, RICO_VI_UPK),
    QVI("fp-qvi-upts", "fixed point, step from the inner product,", "102", RICO_VI_FIXED_POINT, RICO_VI_UPTS),
    QVI("eg-qvi-upk", "extragradient, step from the ratio of norms,", "101", RICO_VI_EXTRAGRADIENT,
        RICO_VI_UPK),
};
const int rico_projection_count = sizeof rico_projection_methods / sizeof rico_projection_methods[0];
