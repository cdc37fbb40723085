// Interior points: Newton's method along the central path of the friction problem in symmetric cones.
//
// What a step is stands in ipm.h. The term mu |u_T| makes the problem nonconvex. It is linearized with the rest, or
// follows the iterates, or is frozen for a whole convex problem (option `coulomb`). Linearized, the central path may
// fold; where steps get short, one without the derivative and a few with |u_T| rounded off lead on more often than not.

#include "solve/ipm.h"

#include "la/dense.h"
#include "solve/method.h"

#include <math.h>
#include <string.h>

typedef enum ipm_option {
    OPTION_COULOMB,
    OPTION_SPACE,
    OPTION_STORAGE,
    OPTION_FRACTION,
    OPTION_INSIDE,
    OPTION_PATIENCE
} ipm_option;

static const char *const coulombs[] = {"newton", "fixed-point", "outer", NULL};
static const char *const spaces[] = {"auto", "rows", "dofs", NULL};
static const char *const storages[] = {"auto", "sparse", "dense", NULL};

static const rico_option_info options[] = {
    [OPTION_COULOMB] =
        {"coulomb",
         "the term mu |u_T|: in the Newton step, after each step, or in an outer loop; taken at setup",
         RICO_CHOICE, 0, 0, RICO_IPM_NEWTON, coulombs},
    [OPTION_SPACE] = {"space", "unknowns of the linear systems: rows, or velocities where W is of low rank",
                      RICO_CHOICE, 0, 0, RICO_SPACE_AUTO, spaces},
    [OPTION_STORAGE] = {"storage", "matrices of the linear systems", RICO_CHOICE, 0, 0, RICO_STORAGE_AUTO,
                        storages},
    [OPTION_FRACTION] = {"fraction", "how much of the way to the boundary of the cones a step goes, at least",
                         RICO_REAL, 0.5, 0.9999, 0.95, NULL},
    [OPTION_INSIDE] = {"inside", "depth of the starting point in the cones, relative to the size of r and u",
                       RICO_REAL, 1e-8, 1e6, 1.0, NULL},
    [OPTION_PATIENCE] = {"patience", "iterations without a better residual before giving up", RICO_INTEGER, 1,
                         1e9, 30, NULL},
};

static const double short_step = 0.1;    // a step below this calls for help: the derivative is left out once,
static const double rounding = 0.03;     // and |u_T| is smoothed with this weight
static const int64_t recovery = 6;       // for as many iterations
static const int64_t rescue_rows = 1500; // rows up to which there is a rescue
static const double convex_gap = 1e-15;  // fall of the gap that ends a convex problem of the outer loop


static rico_status setup(rico_solver *solver)
{
    rico_context *ctx = solver->ctx;
    rico_problem *p = solver->problem;
    rico_ipm *work = solver->work = rico_alloc(ctx, 1, sizeof *work);
    if (!work) return RICO_NO_MEMORY;
    work->coulomb = (rico_ipm_coulomb)rico_option(solver, OPTION_COULOMB);
    bool symmetric = work->coulomb != RICO_IPM_NEWTON;
    rico_space space = (rico_space)rico_option(solver, OPTION_SPACE);
    rico_storage storage = (rico_storage)rico_option(solver, OPTION_STORAGE);
    rico_status status = rico_cone_system_create(p, space, storage, symmetric, &work->main);
    if (!status && work->main->dofs && space == RICO_SPACE_AUTO && p->rows <= rescue_rows)
        status = rico_cone_system_create(p, RICO_SPACE_ROWS, RICO_STORAGE_DENSE, symmetric, &work->rescue);
    if (status) return status;
    work->cones = rico_alloc(ctx, p->block_count, sizeof *work->cones);
    work->equality = rico_alloc(ctx, p->rows, sizeof *work->equality);
    double **vectors[] = {&work->r,          &work->u,   &work->dr,     &work->du,
                          &work->correction, &work->rhs, &work->kept_dr};
    int64_t count = sizeof vectors / sizeof vectors[0];
    work->vectors = rico_alloc(ctx, count * p->rows, sizeof *work->vectors);
    if (!work->cones || !work->equality || !work->vectors) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < count; i++) *vectors[i] = work->vectors + i * p->rows;

    int64_t cell = 0;
    for (int64_t a = 0; a < p->block_count; a++) {
        work->norm += p->block_norm[a] / (double)p->block_count;
        if (rico_problem_is_joint(p, a)) {
            for (int64_t i = p->offset[a]; i < p->offset[a + 1]; i++, cell++)
                work->equality[work->equality_count++] = i;
            continue;
        }
        bool friction = p->friction[a] > 0.0;
        work->cones[work->cone_count++] =
            (rico_ipm_cone){.row = p->offset[a],
                            .cell = cell,
                            .size = friction ? (int)(p->offset[a + 1] - p->offset[a]) : 1,
                            .mu = friction ? p->friction[a] : 1.0,
                            .norm = p->block_norm[a]};
        cell++;
    }
    if (work->norm == 0.0) work->norm = 1.0;
    return RICO_OK;
}


static void cleanup(rico_solver *solver)
{
    rico_ipm *work = solver->work;
    rico_cone_system_destroy(work->main);
    rico_cone_system_destroy(work->rescue);
    rico_free(solver->ctx, work->cones);
    rico_free(solver->ctx, work->equality);
    rico_free(solver->ctx, work->vectors);
    rico_free(solver->ctx, work);
}


static rico_status update(rico_solver *solver, bool matrix)
{
    // a new W may have another rank: everything is made again
    if (!matrix) return RICO_OK;
    cleanup(solver);
    return setup(solver);
}


// --- the run ------------------------------------------------------------------------------------------------


// Interior points satisfy no complementarity exactly. What is looked at is one projected step from r, which puts open
// contacts to 0 and sliding ones on the surface of their cone.
static void candidate(const rico_problem *p, const rico_ipm *work, double *r)
{
    memcpy(r, work->r, (size_t)p->rows * sizeof *r);
    for (int64_t a = 0; a < p->block_count; a++) {
        if (rico_problem_is_joint(p, a)) continue;
        double step = p->block_norm[a] > 0.0 ? 1.0 / p->block_norm[a] : 1.0, F[3];
        int64_t first = p->offset[a], size = p->offset[a + 1] - first;
        rico_cone_natural_map(rico_problem_cone(p, a), step, &work->u[first], &r[first], F);
        for (int64_t i = 0; i < size; i++) r[first + i] -= F[i];
    }
}


static rico_status solve(rico_solver *solver, rico_run *run)
{
    rico_problem *p = solver->problem;
    rico_ipm *work = solver->work;
    rico_ipm_coulomb coulomb = work->coulomb;
    double fraction = rico_option(solver, OPTION_FRACTION), inside = rico_option(solver, OPTION_INSIDE);
    int64_t patience = (int64_t)rico_option(solver, OPTION_PATIENCE), best_at = 0, helped_at = -recovery;
    double best = INFINITY, step = 1.0, first_gap = 0.0;

    work->system = work->main;
    memcpy(work->r, run->r, (size_t)p->rows * sizeof *work->r);
    rico_status status = rico_problem_velocity(p, work->r, work->u, NULL);
    if (status) return status;
    rico_ipm_renew_shift(work);
    status = rico_ipm_begin(p, work, inside);
    for (int64_t k = 0; !status; k++) {
        status = rico_problem_velocity(p, work->r, work->u, NULL);
        if (status) return status;
        if (k > 0) {
            candidate(p, work, run->r);
            if (rico_run_check(run, k)) return RICO_OK;
            if (run->residual.relative < 0.99 * best) {
                best = run->residual.relative;
                best_at = k;
            }
        }
        double gap = rico_ipm_gap(work);
        if (k - best_at > patience || !(step > 1e-10)) {
            rico_run_stop(run, RICO_STALLED,
                          "no progress for %lld iterations: step %.2g, complementarity %.2g per contact",
                          (long long)(k - best_at), step, gap);
            return RICO_OK;
        }

        if (k == 0) first_gap = gap;
        if (coulomb == RICO_IPM_OUTER && gap <= convex_gap * first_gap) {
            rico_ipm_renew_shift(work);
            status = rico_ipm_begin(p, work, 0.1 * inside);
            if (status) return status;
            first_gap = gap = rico_ipm_gap(work);
        }
        bool help = coulomb == RICO_IPM_NEWTON && step < short_step;
        if (help) helped_at = k;
        rico_ipm_friction term = {
            .frozen = coulomb == RICO_IPM_OUTER,
            .linearized = coulomb == RICO_IPM_NEWTON && !help,
            .smoothing = k - helped_at < recovery && coulomb == RICO_IPM_NEWTON ? rounding : 0.0};
        rico_ipm_measure(work, term, gap);
        status = rico_ipm_iterate(p, work, fraction, gap, &step);
        if (status == RICO_SINGULAR || status == RICO_BAD_INPUT) {
            rico_run_stop(run, RICO_BREAKDOWN, "%s", rico_message(solver->ctx));
            return RICO_OK;
        }
    }
    return status;
}


const rico_method rico_ipm_methods[] = {{
    .info = {.name = "ipm",
             .family = "interior point",
             .summary = "primal-dual interior point with Nesterov-Todd scaling",
             .reference = "Nesterov and Todd 1998; Acary, Armand, Nguyen, Shpakovych 2023",
             .takes = RICO_TAKES_REDUCED | RICO_TAKES_GLOBAL | RICO_TAKES_EQUALITY | RICO_TAKES_UNILATERAL |
                      RICO_TAKES_COULOMB_2D | RICO_TAKES_COULOMB_3D | RICO_TAKES_UNSYMMETRIC,
             .option_count = sizeof options / sizeof options[0],
             .options = options},
    .setup = setup,
    .update = update,
    .solve = solve,
    .cleanup = cleanup,
}};

const int rico_ipm_count = sizeof rico_ipm_methods / sizeof rico_ipm_methods[0];
