// De Saxce's bipotential as a nonlinear program (Acary et al. 2018, eq. 81-84):
//
//     min  r'(W r + q) + sum mu_a r_N,a |u_T,a|     subject to  r in K,  u_N >= 0,  u = W r + q,  u = 0 on equality rows.
//
// The cost is 0 at the solutions of the friction problem and only there. It is neither smooth nor convex: |u_T| is rounded,
// sqrt(|u_T|^2 + e^2), the constraints on u go into an augmented Lagrangian, and what is left, a smooth function over K, is brought
// down by spectral projected gradients with a search that may go uphill (Birgin, Martinez, Raydan 2000). Where that ends at a positive
// cost, a local minimum was met, which the authors warn of; the report says so. Impulses are read over |W_aa|^(1/2), so that
// all blocks count alike.

#include "la/dense.h"
#include "solve/method.h"

#include <math.h>
#include <string.h>

typedef enum bipotential_option { OPTION_INNER, OPTION_PATIENCE, OPTION_ROUNDING } bipotential_option;

static const rico_option_info options[] = {
    [OPTION_INNER] = {"inner-max-iter", "projected gradients between two updates of the multipliers",
                      RICO_INTEGER, 1, 1e9, 200, NULL},
    [OPTION_PATIENCE] = {"patience", "updates without a better residual before giving up", RICO_INTEGER, 1,
                         1e9, 40, NULL},
    [OPTION_ROUNDING] = {"rounding", "of |u_T| at first, relative to |u|; falls with the residual", RICO_REAL,
                         1e-12, 1, 0.1, NULL},
};

enum { MEMORY = 10, BACKTRACKS = 40 };
static const double SUFFICIENT = 1e-4, SHORTEST = 1e-12, LONGEST = 1e12;
static const double GROWTH = 4.0;  // of the penalty when the constraints do not close in
static const double CLOSING = 0.5; // by this much at least

typedef struct bipotential {
    double *u, *gradient, *trial, *trial_gradient, *direction, *weight, *multiplier;
    double *scale; // of each row: |W_aa|^(1/2)
    rico_block_matrix transposed;
} bipotential;

typedef struct objective {
    const rico_problem *p;
    bipotential *work;
    double penalty, rounding;
} objective;


static rico_status set_matrix(rico_solver *solver)
{
    const rico_problem *p = solver->problem;
    bipotential *work = solver->work;
    rico_block_destroy(&work->transposed);
    for (int64_t a = 0; a < p->block_count; a++)
        for (int64_t i = p->offset[a]; i < p->offset[a + 1]; i++)
            work->scale[i] = sqrt(rico_problem_block_scale(p, a));
    return rico_block_transpose(&p->W, &work->transposed);
}


static rico_status setup(rico_solver *solver)
{
    rico_context *ctx = solver->ctx;
    bipotential *work = solver->work = rico_alloc(ctx, 1, sizeof *work);
    if (!work) return RICO_NO_MEMORY;
    double **all[] = {&work->u,         &work->gradient, &work->trial,      &work->trial_gradient,
                      &work->direction, &work->weight,   &work->multiplier, &work->scale};
    bool room = true;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        room = (*all[i] = rico_alloc(ctx, solver->problem->rows, sizeof(double))) && room;
    return room ? set_matrix(solver) : RICO_NO_MEMORY;
}


static rico_status update(rico_solver *solver, bool matrix)
{
    return matrix ? set_matrix(solver) : RICO_OK;
}


static void cleanup(rico_solver *solver)
{
    bipotential *work = solver->work;
    double *all[] = {work->u,         work->gradient, work->trial,      work->trial_gradient,
                     work->direction, work->weight,   work->multiplier, work->scale};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(solver->ctx, all[i]);
    rico_block_destroy(&work->transposed);
    rico_free(solver->ctx, work);
}


// The augmented Lagrangian at r, its gradient unless NULL. u becomes the velocity.
//
// d/dr of r'u is u + W'r; of mu r_N s(u_T), mu s on the normal row and W' times mu r_N u_T / s; of the penalty, -W' times what the
// multipliers ask of u.
static double evaluate(const objective *o, const double *r, double *gradient)
{
    const rico_problem *p = o->p;
    bipotential *work = o->work;
    double *u = work->u, *weight = work->weight;
    rico_block_times(&p->W, r, p->q, u);
    double value = rico_dot(p->rows, r, u);
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t first = p->offset[a], size = p->offset[a + 1] - first;
        double mu = p->friction[a], square = o->rounding * o->rounding, c = o->penalty;
        for (int64_t i = first; i < first + size; i++) {
            double x = work->scale[i] * work->scale[i], pull = work->multiplier[i] - c * u[i] / x;
            bool bound = i == first && !rico_problem_is_joint(p, a);
            if (i > first && !rico_problem_is_joint(p, a)) pull = 0.0;
            if (bound && pull < 0.0) pull = 0.0;
            value += 0.5 * x / c * (pull * pull - work->multiplier[i] * work->multiplier[i]);
            weight[i] = r[i] - pull;
            if (i > first) square += u[i] * u[i];
        }
        if (rico_problem_is_joint(p, a) || size < 2) continue;
        double slip = sqrt(square);
        value += mu * r[first] * (slip - o->rounding);
        for (int64_t i = first + 1; i < first + size; i++) weight[i] += mu * r[first] * u[i] / slip;
    }
    if (!gradient) return value;
    rico_block_times(&work->transposed, weight, NULL, gradient);
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t first = p->offset[a], size = p->offset[a + 1] - first;
        double square = o->rounding * o->rounding;
        for (int64_t i = first; i < first + size; i++) {
            gradient[i] += u[i];
            if (i > first) square += u[i] * u[i];
        }
        if (!rico_problem_is_joint(p, a) && size > 1)
            gradient[first] += p->friction[a] * (sqrt(square) - o->rounding);
    }
    return value;
}


// direction = P_K(r - t S^-2 gradient) - r; returns its size in the metric S^2.
static double aim(const objective *o, const double *r, double t)
{
    const rico_problem *p = o->p;
    bipotential *work = o->work;
    double square = 0.0;
    for (int64_t i = 0; i < p->rows; i++)
        work->direction[i] = r[i] - t * work->gradient[i] / (work->scale[i] * work->scale[i]);
    for (int64_t a = 0; a < p->block_count; a++)
        rico_problem_project_block(p, a, &work->direction[p->offset[a]]);
    for (int64_t i = 0; i < p->rows; i++) {
        work->direction[i] -= r[i];
        double size = work->scale[i] * work->direction[i];
        square += size * size;
    }
    return sqrt(square);
}


// Spectral projected gradients from run->r; false when limits cut them short.
static bool descend(const objective *o, rico_run *run, int64_t outer, int64_t steps)
{
    const rico_problem *p = o->p;
    bipotential *work = o->work;
    double past[MEMORY], t = 1.0, value = evaluate(o, run->r, work->gradient), first = -1.0;
    for (int i = 0; i < MEMORY; i++) past[i] = value;
    for (int64_t k = 0; k < steps; k++) {
        if (rico_run_limits(run, outer)) return false;
        double size = aim(o, run->r, 1.0);
        if (first < 0.0) first = size;
        if (size <= 1e-3 * first || size == 0.0) return true;
        aim(o, run->r, t);
        double slope = rico_dot(p->rows, work->gradient, work->direction), highest = past[0], length = 1.0,
               next = 0.0;
        for (int i = 1; i < MEMORY; i++) highest = fmax(highest, past[i]);
        int tries = 0;
        for (; tries < BACKTRACKS; tries++, length *= 0.5) {
            for (int64_t i = 0; i < p->rows; i++) work->trial[i] = run->r[i] + length * work->direction[i];
            next = evaluate(o, work->trial, NULL);
            if (next <= highest + SUFFICIENT * length * slope) break;
        }
        if (tries == BACKTRACKS) return true;
        next = evaluate(o, work->trial, work->trial_gradient);

        // Barzilai and Borwein's step in the metric of the impulses
        double along = 0.0, square = 0.0;
        for (int64_t i = 0; i < p->rows; i++) {
            double s = work->trial[i] - run->r[i], x = work->scale[i];
            along += s * (work->trial_gradient[i] - work->gradient[i]);
            square += x * x * s * s;
        }
        t = along > 0.0 ? fmin(fmax(square / along, SHORTEST), LONGEST) : LONGEST;
        memcpy(run->r, work->trial, (size_t)p->rows * sizeof *run->r);
        memcpy(work->gradient, work->trial_gradient, (size_t)p->rows * sizeof *work->gradient);
        past[k % MEMORY] = next;
    }
    return true;
}


// Multipliers follow; returns how far u is from its constraints, over the scale.
static double follow(const objective *o)
{
    const rico_problem *p = o->p;
    bipotential *work = o->work;
    double square = 0.0;
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t first = p->offset[a], last = rico_problem_is_joint(p, a) ? p->offset[a + 1] : first + 1;
        for (int64_t i = first; i < last; i++) {
            double x = work->scale[i] * work->scale[i],
                   pull = work->multiplier[i] - o->penalty * work->u[i] / x;
            if (!rico_problem_is_joint(p, a)) pull = fmax(pull, 0.0);
            double change = (pull - work->multiplier[i]) * work->scale[i] / o->penalty;
            square += change * change;
            work->multiplier[i] = pull;
        }
    }
    return sqrt(square);
}


static rico_status solve(rico_solver *solver, rico_run *run)
{
    const rico_problem *p = solver->problem;
    bipotential *work = solver->work;
    int64_t steps = (int64_t)rico_option(solver, OPTION_INNER);
    int64_t patience = (int64_t)rico_option(solver, OPTION_PATIENCE), reached = 0;
    double share = rico_option(solver, OPTION_ROUNDING), mark = INFINITY, distance = INFINITY;
    objective o = {.p = p, .work = work, .penalty = 1.0};
    memset(work->multiplier, 0, (size_t)p->rows * sizeof *work->multiplier);
    for (int64_t k = 1;; k++) {
        o.rounding = fmax(share * fmin(run->residual.relative, 1.0), 1e-14) * run->residual.scale /
                     sqrt((double)(p->rows > 0 ? p->rows : 1));
        if (!descend(&o, run, k - 1, steps)) {
            rico_run_check(run, k);
            return RICO_OK;
        }
        double value = evaluate(&o, run->r, NULL), now = follow(&o);
        if (now > CLOSING * distance) o.penalty = fmin(o.penalty * GROWTH, 1e6);
        distance = now;
        if (rico_run_check(run, k)) return RICO_OK;
        if (run->best_residual.relative < 0.9 * mark) {
            mark = run->best_residual.relative;
            reached = k;
        } else if (k - reached >= patience) {
            rico_run_stop(run, RICO_STALLED,
                          "no progress in %lld updates, at a cost of %.1e: a local minimum",
                          (long long)patience, value);
            return RICO_OK;
        }
    }
}


const rico_method rico_bipotential_methods[] = {{
    .info = {.name = "bipotential",
             .family = "optimization",
             .summary = "De Saxce's bipotential as a nonlinear program, spectral projected gradients",
             .reference = "Acary, Bremond, Huber 2018, eq. 81-84; Birgin, Martinez, Raydan 2000",
             .takes = RICO_TAKES_REDUCED | RICO_TAKES_EQUALITY | RICO_TAKES_UNILATERAL |
                      RICO_TAKES_COULOMB_2D | RICO_TAKES_COULOMB_3D | RICO_TAKES_UNSYMMETRIC,
             .option_count = sizeof options / sizeof options[0],
             .options = options},
    .setup = setup,
    .update = update,
    .solve = solve,
    .cleanup = cleanup,
}};
const int rico_bipotential_count = sizeof rico_bipotential_methods / sizeof rico_bipotential_methods[0];
