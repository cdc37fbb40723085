// Projected conjugate gradients: Gauss-Seidel sweeps find the states of the contacts, conjugate gradients solve the
// linear problem on that face, the cones cut off what leaves them.
//
// In the manner of Renouf and Alart 2005, who project the direction of the conjugate gradients onto the tangents of the
// friction disks; the alternation of identifying and minimizing is More and Toraldo's (1991). On the face the disks are
// frozen, so that the problem stays symmetric; the sweeps, exact block by block, take the coupling of friction to the
// normal impulse into account again. A correction that does not lower the residual is shortened, then dropped.
//
// The method needs a symmetric W, and refuses one that clearly is not.

#include "la/dense.h"
#include "solve/face.h"
#include "solve/method.h"
#include "solve/sweep.h"

#include <math.h>
#include <string.h>

typedef enum pcg_option { OPTION_SWEEPS, OPTION_INNER, OPTION_FORCING } pcg_option;

static const rico_option_info options[] = {
    [OPTION_SWEEPS] = {"sweeps", "sweeps before each run of conjugate gradients", RICO_INTEGER, 1, 1000, 2,
                       NULL},
    [OPTION_INNER] = {"inner", "conjugate gradient iterations in one run, at most", RICO_INTEGER, 1, 1e6,
                      1000, NULL},
    [OPTION_FORCING] = {"forcing", "a run ends when its residual has shrunk to this", RICO_REAL, 0.0, 0.999,
                        0.05, NULL},
};

// |W - W'| / |W| that passes for symmetric. Gyroscopic terms and linearized rotations leave some 1e-3, and the face's
// problem is an approximation anyhow.
static const double UNSYMMETRIC = 1e-2;

// How often a correction is halved before it is dropped.
enum { SHORTENINGS = 3 };

typedef struct pcg {
    rico_sweeper *sweeper;
    rico_face face;
    double *correction, *g, *z, *d, *Ad, *trial, *u; // m entries each
} pcg;


static rico_status check_symmetry(const rico_problem *p)
{
    rico_csc W = {0};
    rico_status status = rico_block_to_csc(&p->W, &W);
    if (status) return status;
    double defect = rico_csc_symmetry_defect(&W);
    rico_csc_destroy(&W);
    if (defect < 0.0) return RICO_NO_MEMORY;
    if (defect > UNSYMMETRIC)
        return rico_fail(p->ctx, RICO_UNSUPPORTED,
                         "pcg needs a symmetric W, this one has |W - W'| / |W| = %.3g", defect);
    return RICO_OK;
}


static rico_status setup(rico_solver *solver)
{
    rico_problem *p = solver->problem;
    rico_status status = check_symmetry(p);
    if (status) return status;
    pcg *work = solver->work = rico_alloc(solver->ctx, 1, sizeof *work);
    if (!work) return RICO_NO_MEMORY;
    double **vectors[] = {&work->correction, &work->g, &work->z, &work->d, &work->Ad, &work->trial, &work->u};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        if (!(*vectors[i] = rico_alloc(solver->ctx, p->rows, sizeof **vectors[i]))) return RICO_NO_MEMORY;
    status = rico_face_create(p, &work->face);
    return status ? status : rico_sweeper_create(p, &work->sweeper);
}


static rico_status update(rico_solver *solver, bool matrix)
{
    const pcg *work = solver->work;
    rico_status status = matrix ? check_symmetry(solver->problem) : RICO_OK;
    return status ? status : rico_sweeper_update(work->sweeper, matrix);
}


static void cleanup(rico_solver *solver)
{
    pcg *work = solver->work;
    rico_context *ctx = solver->ctx;
    rico_sweeper_destroy(work->sweeper);
    rico_face_destroy(&work->face);
    rico_free(ctx, work->correction);
    rico_free(ctx, work->g);
    rico_free(ctx, work->z);
    rico_free(ctx, work->d);
    rico_free(ctx, work->Ad);
    rico_free(ctx, work->trial);
    rico_free(ctx, work->u);
    rico_free(ctx, work);
}


// correction = approximately -(P (W + C) P)^+ P u. Returns the number of iterations.
static int64_t conjugate_gradients(pcg *work, int64_t m, const double *u, int64_t limit, double forcing)
{
    memset(work->correction, 0, (size_t)m * sizeof *work->correction);
    for (int64_t i = 0; i < m; i++) work->g[i] = -u[i];
    rico_face_restrict(&work->face, work->g);
    rico_face_precondition(&work->face, work->g, work->z);
    memcpy(work->d, work->z, (size_t)m * sizeof *work->d);
    double size = rico_dot(m, work->g, work->z), goal = forcing * forcing * size;
    for (int64_t k = 0; k < limit; k++) {
        if (!(size > goal)) return k;
        rico_face_times(&work->face, work->d, work->Ad);
        double curvature = rico_dot(m, work->d, work->Ad);
        if (!(curvature > 0.0)) return k; // W is not definite along d, to rounding at least
        double alpha = size / curvature;
        rico_axpy(m, alpha, work->d, work->correction);
        rico_axpy(m, -alpha, work->Ad, work->g);
        rico_face_precondition(&work->face, work->g, work->z);
        double last = size;
        size = rico_dot(m, work->g, work->z);
        for (int64_t i = 0; i < m; i++) work->d[i] = work->z[i] + size / last * work->d[i];
    }
    return limit;
}


// Puts a block back onto its cone along the disks: the normal impulse decides, friction follows.
static void put_back(const rico_problem *p, int64_t a, int free, double *r)
{
    int64_t size = p->offset[a + 1] - p->offset[a];
    if (rico_problem_is_joint(p, a)) return;
    if (!(r[0] > 0.0)) {
        memset(r, 0, (size_t)size * sizeof *r);
        return;
    }
    if (size == 1) return;
    double friction = size == 3 ? hypot(r[1], r[2]) : fabs(r[1]), radius = p->friction[a] * r[0];
    if (friction > radius || (free < size && friction > 0.0))
        for (int64_t i = 1; i < size; i++) r[i] *= radius / friction;
}


// What a correction must lower: the natural map over all that moves, impulses included. While a column is still being
// loaded a good correction raises the velocities that it leaves, but less than the impulses.
static double merit(const rico_problem *p, const double *u, const double *r)
{
    double map = 0.0, moves = 0.0;
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t first = p->offset[a], size = p->offset[a + 1] - first;
        double norm = rico_problem_block_scale(p, a);
        map += norm * norm *
               rico_cone_natural_map(rico_problem_cone(p, a), 1.0 / norm, &u[first], &r[first], NULL);
        for (int64_t i = first; i < first + size; i++) moves += norm * norm * r[i] * r[i];
    }
    double scale = fmax(fmax(rico_norm(p->rows, p->q), rico_norm(p->rows, u)), sqrt(moves));
    return sqrt(map) / scale;
}


// Adds the correction to r as far as it lowers the merit; returns whether it did. u is the velocity of r.
static bool correct(rico_problem *p, pcg *work, double *r, const double *u, rico_status *status)
{
    double t = 1.0, before = merit(p, u, r);
    for (int k = 0; k <= SHORTENINGS; k++, t *= 0.5) {
        for (int64_t i = 0; i < p->rows; i++) work->trial[i] = r[i] + t * work->correction[i];
        for (int64_t a = 0; a < p->block_count; a++)
            put_back(p, a, work->face.block[a].free, &work->trial[p->offset[a]]);
        *status = rico_problem_velocity(p, work->trial, work->u, NULL);
        if (*status) return false;
        if (merit(p, work->u, work->trial) < before) {
            memcpy(r, work->trial, (size_t)p->rows * sizeof *r);
            return true;
        }
    }
    return false;
}


// How much is done in one round: more conjugate gradients while they pay, more sweeps while they do not, because
// states that are not settled yet want sweeps.
typedef struct effort {
    int64_t sweeps, inner;
} effort;

static effort next_effort(effort now, effort least, effort most, bool corrected, bool cut_short)
{
    if (!corrected) {
        now.sweeps = 2 * now.sweeps < most.sweeps ? 2 * now.sweeps : most.sweeps;
        now.inner = now.inner / 2 > least.inner ? now.inner / 2 : least.inner;
    } else {
        now.sweeps = least.sweeps;
        if (cut_short) now.inner = 2 * now.inner < most.inner ? 2 * now.inner : most.inner;
    }
    return now;
}


static rico_status solve(rico_solver *solver, rico_run *run)
{
    rico_problem *p = solver->problem;
    pcg *work = solver->work;
    effort least = {(int64_t)rico_option(solver, OPTION_SWEEPS), 5};
    effort most = {least.sweeps > 256 ? least.sweeps : 256, (int64_t)rico_option(solver, OPTION_INNER)};
    if (least.inner > most.inner) least.inner = most.inner;
    effort now = {least.sweeps, least.inner};
    double forcing = rico_option(solver, OPTION_FORCING);
    rico_sweeper_restart(work->sweeper);
    for (int64_t round = 1;; round++) {
        double change = 0.0;
        for (int64_t s = 0; s < now.sweeps; s++) {
            change = rico_sweep(work->sweeper, NULL, run->r);
            if (change == 0.0 || rico_run_limits(run, round - 1)) break;
        }
        if (rico_run_check(run, round)) return RICO_OK;

        rico_face_identify(&work->face, run->r, run->u);
        int64_t inner = conjugate_gradients(work, p->rows, run->u, now.inner, forcing);
        rico_status status = RICO_OK;
        bool corrected = correct(p, work, run->r, run->u, &status);
        if (status) return status;
        if (!corrected && change == 0.0) {
            rico_run_stop(run, RICO_STALLED, "neither a sweep nor a correction helps, at a residual of %.3g",
                          run->residual.relative);
            return RICO_OK;
        }
        now = next_effort(now, least, most, corrected, inner == now.inner);
    }
}


const rico_method rico_pcg_methods[] = {{
    .info = {.name = "pcg",
             .family = "splitting",
             .summary = "conjugate gradients on the face that sweeps identify, projected onto the cones",
             .reference = "Renouf, Alart 2005; More, Toraldo 1991",
             .takes = RICO_TAKES_REDUCED | RICO_TAKES_EQUALITY | RICO_TAKES_UNILATERAL |
                      RICO_TAKES_COULOMB_2D | RICO_TAKES_COULOMB_3D,
             .option_count = sizeof options / sizeof options[0],
             .options = options},
    .setup = setup,
    .update = update,
    .solve = solve,
    .cleanup = cleanup,
}};
const int rico_pcg_count = sizeof rico_pcg_methods / sizeof rico_pcg_methods[0];
