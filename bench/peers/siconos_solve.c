// Siconos' solvers, measured as ours are.
//
// The protocol. A run starts cold, from r = 0, with the problem in memory in the storage that suits the solver
// best; what is timed is the call of the driver alone. Siconos stops by an error of its own (the natural map
// over |q|, or over other norms), which is not the residual that we judge by. So the tolerance that it is given
// is tightened by tens from 1e-5 on, until the residual of what it returns, computed by rico_problem_residual(),
// is at most `tol`: the run that is timed is the cheapest that does, and the attempts before cost it nothing.
// Every attempt has the whole time limit to itself, in seconds of the processor. Short runs are repeated, each on
// a fresh copy of the problem, and the least time counts: by the same code as for our solvers.

#include "siconos_solve.h"

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <GlobalFrictionContactProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsSparseMatrix.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <gfc3d_Solvers.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

enum { FIRST_EXPONENT = 5, LAST_EXPONENT = 13 }; // of the tolerances that Siconos is given
static const double HOPELESS_SECONDS =
    1.0; // whoever gives up after that does not do better when asked for more
static const double SHORT_SECONDS = 0.020; // shorter runs are repeated
enum { DENSE_CONTACTS = 50 };              // dense matrices pay for small problems only
enum { UNLIMITED = 100000000 };            // iterations

// ---- the table ----

enum { DEFAULT = PEER_LINE_SEARCH_DEFAULT, NONE = SICONOS_FRICTION_3D_NSN_LINESEARCH_NO };

// Sparse blocks are what the splitting and projection methods work on, columns what the Newton methods factor.
static const peer_solver SOLVERS[] = {
    {"NSGS", 3, PEER_LOCAL, SICONOS_FRICTION_3D_NSGS, 0, NM_SPARSE_BLOCK, DEFAULT},
    {"NSGS-NSN", 3, PEER_LOCAL, SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_NSN, NM_SPARSE_BLOCK,
     DEFAULT},
    {"NSGS-PLI", 3, PEER_LOCAL, SICONOS_FRICTION_3D_NSGS,
     SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration, NM_SPARSE_BLOCK, DEFAULT},
    {"PROX", 3, PEER_LOCAL, SICONOS_FRICTION_3D_PROX, 0, NM_SPARSE_BLOCK, DEFAULT},
    {"PROX-NLS", 3, PEER_LOCAL, SICONOS_FRICTION_3D_PROX, 0, NM_SPARSE_BLOCK, NONE},
    {"PROX-FB", 3, PEER_LOCAL, SICONOS_FRICTION_3D_PROX, SICONOS_FRICTION_3D_NSN_FB, NM_SPARSE_BLOCK,
     DEFAULT},
    {"NSN_AC", 3, PEER_LOCAL, SICONOS_FRICTION_3D_NSN_AC, 0, NM_SPARSE, DEFAULT},
    {"NSN_AC-NLS", 3, PEER_LOCAL, SICONOS_FRICTION_3D_NSN_AC, 0, NM_SPARSE, NONE},
    {"NSN_FB", 3, PEER_LOCAL, SICONOS_FRICTION_3D_NSN_FB, 0, NM_SPARSE, DEFAULT},
    {"NSN_NM", 3, PEER_LOCAL, SICONOS_FRICTION_3D_NSN_NM, 0, NM_SPARSE, DEFAULT},
    {"VI_EG", 3, PEER_LOCAL, SICONOS_FRICTION_3D_VI_EG, 0, NM_SPARSE_BLOCK, DEFAULT},
    {"VI_FPP", 3, PEER_LOCAL, SICONOS_FRICTION_3D_VI_FPP, 0, NM_SPARSE_BLOCK, DEFAULT},
    {"EG", 3, PEER_LOCAL, SICONOS_FRICTION_3D_EG, 0, NM_SPARSE_BLOCK, DEFAULT},
    {"ADMM", 3, PEER_LOCAL, SICONOS_FRICTION_3D_ADMM, 0, NM_SPARSE_BLOCK, DEFAULT},
    {"TFP", 3, PEER_LOCAL, SICONOS_FRICTION_3D_TFP, 0, NM_SPARSE_BLOCK, DEFAULT},
    {"ACLMFP", 3, PEER_LOCAL, SICONOS_FRICTION_3D_ACLMFP, 0, NM_SPARSE_BLOCK, DEFAULT},

    {"NSGS@dense", 3, PEER_LOCAL, SICONOS_FRICTION_3D_NSGS, 0, NM_DENSE, DEFAULT},
    {"NSGS-NSN@dense", 3, PEER_LOCAL, SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_NSN, NM_DENSE,
     DEFAULT},
    {"PROX@dense", 3, PEER_LOCAL, SICONOS_FRICTION_3D_PROX, 0, NM_DENSE, DEFAULT},
    {"PROX-NLS@dense", 3, PEER_LOCAL, SICONOS_FRICTION_3D_PROX, 0, NM_DENSE, NONE},
    {"NSN_AC@dense", 3, PEER_LOCAL, SICONOS_FRICTION_3D_NSN_AC, 0, NM_DENSE, DEFAULT},
    {"NSN_AC-NLS@dense", 3, PEER_LOCAL, SICONOS_FRICTION_3D_NSN_AC, 0, NM_DENSE, NONE},
    {"VI_EG@dense", 3, PEER_LOCAL, SICONOS_FRICTION_3D_VI_EG, 0, NM_DENSE, DEFAULT},
    {"ADMM@dense", 3, PEER_LOCAL, SICONOS_FRICTION_3D_ADMM, 0, NM_DENSE, DEFAULT},

    {"NSGS@cond", 3, PEER_CONDENSED, SICONOS_FRICTION_3D_NSGS, 0, NM_SPARSE_BLOCK, DEFAULT},
    {"NSGS-NSN@cond", 3, PEER_CONDENSED, SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_NSN,
     NM_SPARSE_BLOCK, DEFAULT},
    {"NSGS-PLI@cond", 3, PEER_CONDENSED, SICONOS_FRICTION_3D_NSGS,
     SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration, NM_SPARSE_BLOCK, DEFAULT},
    {"PROX@cond", 3, PEER_CONDENSED, SICONOS_FRICTION_3D_PROX, 0, NM_SPARSE_BLOCK, DEFAULT},
    {"PROX-NLS@cond", 3, PEER_CONDENSED, SICONOS_FRICTION_3D_PROX, 0, NM_SPARSE_BLOCK, NONE},
    {"PROX-FB@cond", 3, PEER_CONDENSED, SICONOS_FRICTION_3D_PROX, SICONOS_FRICTION_3D_NSN_FB, NM_SPARSE_BLOCK,
     DEFAULT},
    {"NSN_AC@cond", 3, PEER_CONDENSED, SICONOS_FRICTION_3D_NSN_AC, 0, NM_SPARSE, DEFAULT},
    {"NSN_AC-NLS@cond", 3, PEER_CONDENSED, SICONOS_FRICTION_3D_NSN_AC, 0, NM_SPARSE, NONE},
    {"NSN_FB@cond", 3, PEER_CONDENSED, SICONOS_FRICTION_3D_NSN_FB, 0, NM_SPARSE, DEFAULT},
    {"NSN_NM@cond", 3, PEER_CONDENSED, SICONOS_FRICTION_3D_NSN_NM, 0, NM_SPARSE, DEFAULT},
    {"VI_EG@cond", 3, PEER_CONDENSED, SICONOS_FRICTION_3D_VI_EG, 0, NM_SPARSE_BLOCK, DEFAULT},
    {"EG@cond", 3, PEER_CONDENSED, SICONOS_FRICTION_3D_EG, 0, NM_SPARSE_BLOCK, DEFAULT},
    {"ADMM@cond", 3, PEER_CONDENSED, SICONOS_FRICTION_3D_ADMM, 0, NM_SPARSE_BLOCK, DEFAULT},

    {"G_NSGS_WR", 3, PEER_GLOBAL, SICONOS_GLOBAL_FRICTION_3D_NSGS_WR, 0, NM_SPARSE, DEFAULT},
    {"G_PROX_WR", 3, PEER_GLOBAL, SICONOS_GLOBAL_FRICTION_3D_PROX_WR, 0, NM_SPARSE, DEFAULT},
    {"G_NSN_AC_WR", 3, PEER_GLOBAL, SICONOS_GLOBAL_FRICTION_3D_NSN_AC_WR, 0, NM_SPARSE, DEFAULT},
    {"G_ADMM_WR", 3, PEER_GLOBAL, SICONOS_GLOBAL_FRICTION_3D_ADMM_WR, 0, NM_SPARSE, DEFAULT},
    {"G_NSGS", 3, PEER_GLOBAL, SICONOS_GLOBAL_FRICTION_3D_NSGS, 0, NM_SPARSE, DEFAULT},
    {"G_NSN_AC", 3, PEER_GLOBAL, SICONOS_GLOBAL_FRICTION_3D_NSN_AC, 0, NM_SPARSE, DEFAULT},
    {"G_VI_EG", 3, PEER_GLOBAL, SICONOS_GLOBAL_FRICTION_3D_VI_EG, 0, NM_SPARSE, DEFAULT},
    {"G_ADMM", 3, PEER_GLOBAL, SICONOS_GLOBAL_FRICTION_3D_ADMM, 0, NM_SPARSE, DEFAULT},
    {"G_IPM", 3, PEER_GLOBAL, SICONOS_GLOBAL_FRICTION_3D_IPM, 0, NM_SPARSE, DEFAULT},

    {"NSGS2D", 2, PEER_LOCAL, SICONOS_FRICTION_2D_NSGS, 0, NM_SPARSE_BLOCK, DEFAULT},
    {"NSGS2D@dense", 2, PEER_LOCAL, SICONOS_FRICTION_2D_NSGS, 0, NM_DENSE, DEFAULT},
    {"CPG2D", 2, PEER_LOCAL, SICONOS_FRICTION_2D_CPG, 0, NM_SPARSE_BLOCK, DEFAULT},
    {"CPG2D@dense", 2, PEER_LOCAL, SICONOS_FRICTION_2D_CPG, 0, NM_DENSE, DEFAULT},
    {"LEMKE2D", 2, PEER_LOCAL, SICONOS_FRICTION_2D_LEMKE, 0, NM_SPARSE_BLOCK, DEFAULT},
    {"LEMKE2D@dense", 2, PEER_LOCAL, SICONOS_FRICTION_2D_LEMKE, 0, NM_DENSE, DEFAULT},
    {"NSGS2D@cond", 2, PEER_CONDENSED, SICONOS_FRICTION_2D_NSGS, 0, NM_SPARSE_BLOCK, DEFAULT},
    {"CPG2D@cond", 2, PEER_CONDENSED, SICONOS_FRICTION_2D_CPG, 0, NM_SPARSE_BLOCK, DEFAULT},
    {"LEMKE2D@cond", 2, PEER_CONDENSED, SICONOS_FRICTION_2D_LEMKE, 0, NM_SPARSE_BLOCK, DEFAULT},
};


const peer_solver *peer_solver_at(int index)
{
    int count = (int)(sizeof SOLVERS / sizeof SOLVERS[0]);
    return index >= 0 && index < count ? &SOLVERS[index] : NULL;
}


peer_kind peer_kind_of(const rico_problem *problem)
{
    peer_kind kind = {.global = rico_problem_is_global(problem),
                      .contacts = rico_problem_block_count(problem)};
    for (int64_t i = 0; i < kind.contacts; i++) {
        rico_block_kind block = rico_problem_block(problem, i).kind;
        int dimension = block == RICO_COULOMB_3D ? 3 : block == RICO_COULOMB_2D ? 2 : 0;
        if (i == 0) kind.dimension = dimension;
        if (kind.dimension != dimension) return (peer_kind){0};
    }
    return kind;
}


bool peer_solver_takes(const peer_solver *solver, const peer_kind *kind)
{
    if (solver->dimension != kind->dimension || kind->global != (solver->form != PEER_LOCAL)) return false;
    return solver->storage != NM_DENSE || kind->contacts <= DENSE_CONTACTS;
}


// ---- problems as Siconos has them ----

static double *copy_vector(const double *x, int64_t count)
{
    double *copy = malloc((size_t)(count > 0 ? count : 1) * sizeof *copy);
    if (copy != NULL && count > 0) memcpy(copy, x, (size_t)count * sizeof *copy);
    return copy;
}


static double *copy_friction(const rico_problem *problem)
{
    int64_t count = rico_problem_block_count(problem);
    double *mu = malloc((size_t)count * sizeof *mu);
    for (int64_t i = 0; mu != NULL && i < count; i++) mu[i] = rico_problem_block(problem, i).friction;
    return mu;
}


static NumericsMatrix *make_matrix(const rico_sparse_view *view, int storage, int block)
{
    int rows = (int)view->rows, cols = (int)view->cols;
    if (storage == NM_DENSE) {
        NumericsMatrix *dense = NM_create(NM_DENSE, rows, cols);
        memset(dense->matrix0, 0, (size_t)rows * (size_t)cols * sizeof(double));
        for (int64_t j = 0; j < view->cols; j++) {
            for (int64_t k = view->start[j]; k < view->start[j + 1]; k++)
                dense->matrix0[view->row[k] + j * view->rows] += view->value[k];
        }
        return dense;
    }

    NumericsMatrix *sparse = NM_create(NM_SPARSE, rows, cols);
    NM_triplet_alloc(sparse, view->start[view->cols] + 1);
    sparse->matrix2->origin = NSM_TRIPLET;
    for (int64_t j = 0; j < view->cols; j++) {
        for (int64_t k = view->start[j]; k < view->start[j + 1]; k++)
            NM_entry(sparse, (int)view->row[k], (int)j, view->value[k]);
    }
    if (storage == NM_SPARSE) return sparse;

    SparseBlockStructuredMatrix *blocks = SBM_new();
    SBM_from_csparse(block, NM_csc(sparse), blocks);
    NM_free(sparse);
    return NM_new_SBM(rows, cols, blocks);
}


// ---- one run ----

typedef struct peer_run {
    const peer_task *task;
    double tol; // that Siconos is given
    double *r, *u, *v;
    FrictionContactProblem *local;
    GlobalFrictionContactProblem *global;
    SolverOptions *options;
    int info;
    int iterations;
} peer_run;


static SolverOptions *make_options(const peer_solver *solver, double tol)
{
    SolverOptions *options = solver_options_create(solver->id);
    if (options == NULL) return NULL;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = UNLIMITED;
    options->dparam[SICONOS_DPARAM_TOL] = tol;
    if (solver->inner != 0) solver_options_update_internal(options, 0, solver->inner);
    if (solver->line_search != PEER_LINE_SEARCH_DEFAULT) {
        SolverOptions *newton =
            options->numberOfInternalSolvers > 0 ? solver_options_get_internal_solver(options, 0) : options;
        newton->iparam[SICONOS_FRICTION_3D_NSN_LINESEARCH] = solver->line_search;
    }
    return options;
}


static rico_status prepare(void *user)
{
    peer_run *run = user;
    const peer_solver *solver = run->task->solver;
    rico_problem *problem = run->task->problem;
    int64_t rows = rico_problem_rows(problem), dofs = rico_problem_dofs(problem);
    memset(run->r, 0, (size_t)rows * sizeof *run->r);
    run->u = calloc((size_t)rows, sizeof *run->u);
    run->v = calloc((size_t)dofs + 1, sizeof *run->v);
    run->options = make_options(solver, run->tol);
    if (run->u == NULL || run->v == NULL || run->options == NULL) return RICO_NO_MEMORY;

    int contacts = (int)rico_problem_block_count(problem);
    if (solver->form == PEER_GLOBAL) {
        rico_sparse_view M = rico_problem_mass(problem), H = rico_problem_jacobian(problem);
        run->global = globalFrictionContactProblem_new();
        run->global->dimension = solver->dimension;
        run->global->numberOfContacts = contacts;
        run->global->M = make_matrix(&M, solver->storage, solver->dimension);
        run->global->H = make_matrix(&H, solver->storage, solver->dimension);
        run->global->q = copy_vector(rico_problem_force(problem), dofs);
        run->global->b = copy_vector(rico_problem_offset(problem), rows);
        run->global->mu = copy_friction(problem);
        return RICO_OK;
    }
    rico_sparse_view W;
    rico_status status = rico_problem_delassus(problem, &W);
    if (status != RICO_OK) return status;
    run->local = frictionContactProblem_new_with_data(
        solver->dimension, contacts, make_matrix(&W, solver->storage, solver->dimension),
        copy_vector(rico_problem_free_velocity(problem), rows), copy_friction(problem));
    rico_sparse_release(run->task->ctx, &W);
    return RICO_OK;
}


static rico_status solve(void *user, bool *again)
{
    peer_run *run = user;
    if (run->global != NULL)
        run->info = gfc3d_driver(run->global, run->r, run->u, run->v, run->options);
    else if (run->task->solver->dimension == 2)
        run->info = fc2d_driver(run->local, run->r, run->u, run->options);
    else
        run->info = fc3d_driver(run->local, run->r, run->u, run->options);
    *again = true;
    return RICO_OK;
}


static void discard(void *user)
{
    peer_run *run = user;
    if (run->options != NULL) {
        run->iterations = run->options->iparam[SICONOS_IPARAM_ITER_DONE];
        solver_options_delete(run->options);
        free(run->options);
    }
    if (run->local != NULL) frictionContactProblem_free(run->local);
    if (run->global != NULL) globalFrictionContact_free(run->global);
    free(run->u);
    free(run->v);
    run->options = NULL;
    run->local = NULL;
    run->global = NULL;
    run->u = run->v = NULL;
}


// ---- the ladder of tolerances ----

// From here the process has that many seconds of the processor; SIGPROF ends it then. 0 takes the limit away.
static void arm_limit(double seconds)
{
    struct timeval value = {.tv_sec = (time_t)seconds, .tv_usec = (suseconds_t)(fmod(seconds, 1.0) * 1e6)};
    signal(SIGPROF, SIG_DFL);
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value = value}, NULL);
}


static rico_status attempt(peer_run *run, int64_t most_runs, rico_timing *timing)
{
    rico_trial trial = {.prepare = prepare, .run = solve, .discard = discard, .user = run};
    arm_limit(run->task->time_limit * 1.02);
    rico_status status = rico_time_trial(&trial, most_runs, timing);
    arm_limit(0.0);
    return status;
}


void peer_measure(const peer_task *task, void *answer)
{
    rico_measure *measure = answer;
    peer_run run = {.task = task, .r = rico_measure_impulses(answer)};
    measure->stop = RICO_BREAKDOWN;
    numerics_set_verbose(0);
    for (int exponent = FIRST_EXPONENT; exponent <= LAST_EXPONENT; exponent++) {
        rico_residual residual = {0};
        run.tol = pow(10.0, -exponent);
        measure->status = attempt(&run, 1, &measure->timing);
        if (measure->status == RICO_OK)
            measure->status = rico_problem_residual(task->problem, run.r, NULL, &residual);
        if (measure->status != RICO_OK) {
            snprintf(measure->note, sizeof measure->note, "%s", rico_message(task->ctx));
            return;
        }
        measure->iterations = run.iterations;
        snprintf(measure->note, sizeof measure->note, "Siconos' tolerance %.0e, info %d", run.tol, run.info);
        if (residual.relative <= task->tol) {
            measure->stop = RICO_CONVERGED;
            break;
        }
        if (run.info != 0 && measure->timing.wall > HOPELESS_SECONDS) return;
    }
    if (measure->stop != RICO_CONVERGED || measure->timing.wall > SHORT_SECONDS || task->most_runs == 1)
        return;

    rico_timing better;
    measure->status = attempt(&run, task->most_runs - 1, &better);
    measure->timing.wall = fmin(measure->timing.wall, better.wall);
    measure->timing.cpu = fmin(measure->timing.cpu, better.cpu);
    measure->timing.runs += better.runs;
}
