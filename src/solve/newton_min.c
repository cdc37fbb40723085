// Newton's method on min(r, u) = 0: guess who is active, solve for that guess, guess again.
//
// Without friction the map is min(r, rho u); in the plane the tangent adds r_T - P(r_T - rho u_T) on the interval of
// half width mu (r_N - rho u_N)+, which is mu r_N at a solution. Both are piecewise linear, so a Newton step is the
// exact answer to one guess: which rows have u = 0, which r = 0, which slide with r_T = +/- mu r_N. Full steps solve
// problems with an M-matrix monotonically and may turn in circles on others (Ben Gharbia, Gilbert 2012), which
// Armijo's rule on |F|^2 prevents where it can. Dense LU: small and medium problems only.

#include "la/dense.h"
#include "solve/method.h"

#include <math.h>
#include <string.h>

typedef enum newton_option { OPTION_SIZE, OPTION_SEARCH, OPTION_PATIENCE } newton_option;

static const rico_option_info options[] = {
    [OPTION_SIZE] = {"max-size", "rows allowed, read at setup", RICO_INTEGER, 1, 40000, 4000, NULL},
    [OPTION_SEARCH] = {"line-search", "shorten steps that do not reduce the map", RICO_FLAG, 0, 1, 1, NULL},
    [OPTION_PATIENCE] = {"patience", "iterations without a better residual before giving up", RICO_INTEGER, 1,
                         1e12, 50, NULL},
};

// Armijo's rule on |F|^2, and how often a step is halved before the full one is taken after all
static const double armijo = 1e-4;
enum { HALVINGS = 12 };

// A pivot this small beside the largest means a singular matrix, and so does a step this far beyond what q suggests:
// the rows u = 0 then get more and more of the identity, up to all of it. The step is regularized, not the equation, so
// the answer is not touched.
static const double singular = 1e-12, reach = 1e6;
static const double shifts[] = {0.0, 1e-9, 1e-6, 1e-3, 1.0};
enum { SHIFTS = sizeof shifts / sizeof shifts[0] };

typedef struct newton {
    double *J;      // m x m, column-major
    int32_t *pivot; // m
    double *rho;    // m: 1 / W_ii
    double *F, *d;  // m: map, step
    double *Wd;     // m
    double *r, *u;  // m: trial
} newton;


static rico_status update(rico_solver *solver, bool matrix)
{
    const rico_problem *p = solver->problem;
    const newton *work = solver->work;
    for (int64_t a = 0; matrix && a < p->block_count; a++) {
        int64_t first = p->offset[a], rows = p->offset[a + 1] - first;
        const double *block = &p->W.value[p->W.place[p->W.diagonal[a]]];
        for (int64_t k = 0; k < rows; k++) {
            double diagonal = block[k * rows + k];
            work->rho[first + k] = diagonal > 0.0 ? 1.0 / diagonal : 1.0;
        }
    }
    return RICO_OK;
}


static rico_status setup(rico_solver *solver)
{
    rico_context *ctx = solver->ctx;
    int64_t m = solver->problem->rows, limit = (int64_t)rico_option(solver, OPTION_SIZE);
    if (m > limit)
        return rico_fail(ctx, RICO_UNSUPPORTED,
                         "newton-min is dense and the problem has %lld rows, more than max-size = %lld",
                         (long long)m, (long long)limit);
    newton *work = solver->work = rico_alloc(ctx, 1, sizeof *work);
    if (!work) return RICO_NO_MEMORY;
    work->J = rico_alloc(ctx, m * m, sizeof *work->J);
    work->pivot = rico_alloc(ctx, m, sizeof *work->pivot);
    work->rho = rico_alloc(ctx, m, sizeof *work->rho);
    work->F = rico_alloc(ctx, m, sizeof *work->F);
    work->d = rico_alloc(ctx, m, sizeof *work->d);
    work->Wd = rico_alloc(ctx, m, sizeof *work->Wd);
    work->r = rico_alloc(ctx, m, sizeof *work->r);
    work->u = rico_alloc(ctx, m, sizeof *work->u);
    bool room = work->J && work->pivot && work->rho && work->F && work->d;
    if (!room || !work->Wd || !work->r || !work->u) return RICO_NO_MEMORY;
    return update(solver, true);
}


static void cleanup(rico_solver *solver)
{
    newton *work = solver->work;
    rico_context *ctx = solver->ctx;
    rico_free(ctx, work->J);
    rico_free(ctx, work->pivot);
    rico_free(ctx, work->rho);
    rico_free(ctx, work->F);
    rico_free(ctx, work->d);
    rico_free(ctx, work->Wd);
    rico_free(ctx, work->r);
    rico_free(ctx, work->u);
    rico_free(ctx, work);
}


// What the equation of a row is at (r, u), by the piece of the map that it lies on.
typedef enum row_law {
    LAW_AT_REST, // u = 0
    LAW_FREE,    // r = 0
    LAW_FORWARD, // r_T = +mu r_N
    LAW_BACKWARD // r_T = -mu r_N
} row_law;


static row_law law_of(const rico_problem *p, const double *rho, int64_t a, int64_t i, const double *r,
                      const double *u)
{
    if (rico_problem_is_joint(p, a)) return LAW_AT_REST;
    int64_t n = p->offset[a];
    double normal = r[n] - rho[n] * u[n];
    if (!(normal > 0.0)) return LAW_FREE;
    if (i == n) return LAW_AT_REST;

    double bound = p->friction[a] * normal, tangent = r[i] - rho[i] * u[i];
    if (p->friction[a] == 0.0) return LAW_FREE;
    if (tangent > bound) return LAW_FORWARD;
    return tangent < -bound ? LAW_BACKWARD : LAW_AT_REST;
}


// |F|^2 of the map at (r, u).
static double merit(const rico_problem *p, const double *rho, const double *r, const double *u)
{
    double square = 0.0;
    for (int64_t a = 0; a < p->block_count; a++)
        for (int64_t n = p->offset[a], i = n; i < p->offset[a + 1]; i++) {
            double bound = p->friction[a] * fmax(r[n] - rho[n] * u[n], 0.0), f = r[i];
            switch (law_of(p, rho, a, i, r, u)) {
            case LAW_AT_REST:
                f = rho[i] * u[i];
                break;
            case LAW_FREE:
                break;
            case LAW_FORWARD:
                f -= bound;
                break;
            case LAW_BACKWARD:
                f += bound;
                break;
            }
            square += f * f;
        }
    return square;
}


// The linear equations of the guess, J d = -F. With u_N = 0 among them, mu r_N stands for the bound of a sliding row.
static void linearize(const rico_problem *p, newton *work, const double *r, const double *u, double extra)
{
    int64_t m = p->rows;
    memset(work->J, 0, (size_t)(m * m) * sizeof *work->J);
    for (int64_t a = 0; a < p->block_count; a++)
        for (int64_t n = p->offset[a], i = n; i < p->offset[a + 1]; i++) {
            row_law law = law_of(p, work->rho, a, i, r, u);
            if (law == LAW_AT_REST) {
                const rico_block_matrix *W = &p->W;
                for (int64_t k = W->start[a]; k < W->start[a + 1]; k++) {
                    int64_t left = W->offset[W->col[k]], width = W->offset[W->col[k] + 1] - left;
                    const double *value = &W->value[W->place[k] + (i - n) * width];
                    for (int64_t j = 0; j < width; j++) work->J[(left + j) * m + i] = work->rho[i] * value[j];
                }
                work->J[i * m + i] += extra;
                work->F[i] = work->rho[i] * u[i];
                continue;
            }
            double slope = law == LAW_FORWARD ? p->friction[a] : law == LAW_BACKWARD ? -p->friction[a] : 0.0;
            work->J[i * m + i] = 1.0;
            if (slope != 0.0) work->J[n * m + i] = -slope;
            work->F[i] = r[i] - slope * r[n];
        }
}


// The smallest pivot of the LU factors over the largest.
static double pivot_ratio(int64_t m, const double *J)
{
    double least = INFINITY, largest = 0.0;
    for (int64_t i = 0; i < m; i++) {
        least = fmin(least, fabs(J[i * m + i]));
        largest = fmax(largest, fabs(J[i * m + i]));
    }
    return least / largest;
}


// d = -J^-1 F, regularized when J has no inverse to speak of.
static rico_status newton_step(rico_solver *solver, const rico_run *run, double longest)
{
    const rico_problem *p = solver->problem;
    newton *work = solver->work;
    int64_t m = p->rows;
    for (int k = 0; k < SHIFTS; k++) {
        linearize(p, work, run->r, run->u, shifts[k]);
        rico_status status = rico_dense_lu(solver->ctx, m, work->J, work->pivot);
        if (status == RICO_SINGULAR || (!status && !(pivot_ratio(m, work->J) > singular))) continue;
        if (status) return status;

        for (int64_t i = 0; i < m; i++) work->d[i] = -work->F[i];
        rico_dense_lu_solve(m, work->J, work->pivot, 1, work->d);
        if (rico_norm(m, work->d) <= longest) return RICO_OK;
    }
    memset(work->d, 0, (size_t)m * sizeof *work->d); // nothing sensible to do
    return RICO_OK;
}


// How much of the step to take: half and half again until |F|^2 falls. Where no length does it, all of it: the next
// guess may be better. u is affine, so one product serves every length.
static double step_length(const rico_problem *p, newton *work, const rico_run *run)
{
    rico_block_times(&p->W, work->d, NULL, work->Wd);
    double before = merit(p, work->rho, run->r, run->u), length = 1.0;
    for (int i = 0; i < HALVINGS; i++, length *= 0.5) {
        for (int64_t j = 0; j < p->rows; j++) {
            work->r[j] = run->r[j] + length * work->d[j];
            work->u[j] = run->u[j] + length * work->Wd[j];
        }
        if (merit(p, work->rho, work->r, work->u) <= (1.0 - 2.0 * armijo * length) * before) return length;
    }
    return 1.0;
}


static rico_status solve(rico_solver *solver, rico_run *run)
{
    const rico_problem *p = solver->problem;
    newton *work = solver->work;
    int64_t m = p->rows, patience = (int64_t)rico_option(solver, OPTION_PATIENCE), best_at = 0;
    bool search = rico_option(solver, OPTION_SEARCH) != 0.0;
    double best = INFINITY, suggested = 0.0;
    for (int64_t i = 0; i < m; i++) suggested = fmax(suggested, fabs(work->rho[i] * p->q[i]));
    double longest = reach * (rico_norm(m, run->r) + sqrt((double)m) * suggested);
    for (int64_t k = 1;; k++) {
        rico_status status = newton_step(solver, run, longest);
        if (status) return status;
        double length = search ? step_length(p, work, run) : 1.0;
        rico_axpy(m, length, work->d, run->r);
        if (rico_run_check(run, k)) return RICO_OK;

        // the absolute residual: the relative one also falls when impulses run away
        if (run->residual.absolute < best) {
            best = run->residual.absolute;
            best_at = k;
        } else if (k - best_at >= patience) {
            rico_run_stop(run, RICO_STALLED, "no progress in %lld iterations: the guesses turn in circles",
                          (long long)patience);
            return RICO_OK;
        }
    }
}


const rico_method rico_newton_min_methods[] = {{
    .info = {.name = "newton-min",
             .family = "complementarity",
             .summary = "nonsmooth Newton on min(r, u), dense; without friction or in the plane",
             .reference = "Aganagic 1984; Hintermueller, Ito, Kunisch 2003; Alart, Curnier 1991",
             .takes = RICO_TAKES_REDUCED | RICO_TAKES_EQUALITY | RICO_TAKES_UNILATERAL |
                      RICO_TAKES_COULOMB_2D | RICO_TAKES_FRICTIONLESS | RICO_TAKES_UNSYMMETRIC,
             .option_count = sizeof options / sizeof options[0],
             .options = options},
    .setup = setup,
    .update = update,
    .solve = solve,
    .cleanup = cleanup,
}};
const int rico_newton_min_count = sizeof rico_newton_min_methods / sizeof rico_newton_min_methods[0];
