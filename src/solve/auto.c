// `auto`: the default. Sweeps while they pay, then Newton-like stages that take turns until the residual is reached.
//
//     1. Gauss-Seidel sweeps, as long as their measured contraction promises an end before a Newton method's;
//     2. proximal Newton steps from zero where most contacts have a pair of bodies of their own;
//        an interior point method from where the sweeps left: it sees the whole problem at once and does not mind redundant contacts;
//     3. a few proximal Newton steps; if they do not get there, the interior point method's path again, this time
//        around its folds;
//     4. what resists: in turn extrapolated proximal point steps and the curve of proximal points around its folds,
//        each from where the other left; if asked for, a smoothing Newton method too; once, where these get nowhere, they
//        begin again at a fixed point of convex problems; impulses that drown the residual in round-off are made smaller;
//     5. when nothing helps, a search for the proof that there is no solution.
//
// Elliptic contacts are Coulomb's in other units (problem/round.h) and go the same way. Of other kinds (moments, boxes, Tresca) the
// stages know nothing: sweeps, and Newton's method on the natural map where these take long.
//
// The best iterate is kept by the run whatever happens. docs/theory/auto.md has the reasons and what each part is
// worth.

#include "solve/auto.h"

#include "base/clock.h"
#include "la/dense.h"
#include "problem/round.h"
#include "solve/pace.h"
#include "solve/states.h"

#include <math.h>
#include <string.h>

static const rico_option_info options[] = {
    [RICO_AUTO_SWEEPS] = {"sweeps", "begin with Gauss-Seidel sweeps", RICO_FLAG, 0, 1, 1, NULL},
    [RICO_AUTO_INTERIOR] = {"interior", "use the interior point stage", RICO_FLAG, 0, 1, 1, NULL},
    [RICO_AUTO_PROXIMAL] = {"proximal", "use the proximal Newton stage", RICO_FLAG, 0, 1, 1, NULL},
    [RICO_AUTO_SMOOTHING] = {"smoothing", "use the smoothing Newton stage", RICO_FLAG, 0, 1, 0, NULL},
    [RICO_AUTO_PATH] = {"path", "follow the central path around its folds", RICO_FLAG, 0, 1, 1, NULL},
    [RICO_AUTO_PROXIMAL_PATH] = {"proximal-path", "follow the curve of proximal points around its folds",
                                 RICO_FLAG, 0, 1, 1, NULL},
    [RICO_AUTO_ASSOCIATED] =
        {"associated", "begin again from a fixed point of convex problems where nothing else gets near",
         RICO_FLAG, 0, 1, 1, NULL},
    [RICO_AUTO_ROUNDS] = {"rounds", "turns of proximal and smoothing stages", RICO_INTEGER, 0, 1e6, 60, NULL},
    [RICO_AUTO_THREADS] = {"threads",
                           "threads on large problems, 0 for all; the result does not depend on it",
                           RICO_INTEGER, 0, 1024, 1, NULL},
    [RICO_AUTO_WARM] = {"warm", "begin Newton-like stages at a given start that is nearly right", RICO_FLAG,
                        0, 1, 1, NULL},
    [RICO_AUTO_APART] = {"apart", "proximal steps from zero first, where few contacts share a pair of bodies",
                         RICO_FLAG, 0, 1, 1, NULL},
};


static rico_status setup(rico_solver *solver)
{
    rico_problem *p = solver->problem;
    rico_auto *work, with = {0};
    const rico_array parts[] = {{&work, 1, sizeof *work},
                                {&with.origin, p->rows, sizeof *with.origin},
                                {&with.interior, p->rows, sizeof *with.interior}};
    if (!rico_alloc_together(solver->ctx, 3, parts)) return RICO_NO_MEMORY;
    *work = with;
    solver->work = work;
    rico_status status = p->global && !p->reduced ? rico_problem_factor_mass(p) : RICO_OK;
    if (!status && p->rows <= RICO_AUTO_CONDENSE_ROWS && !rico_stage_by_bodies(p))
        status = rico_problem_reduce(p);
    if (!status) status = rico_sweeper_create(p, &work->sweeper);
    if (!status && p->shaped && p->rows <= RICO_AUTO_CONDENSE_ROWS && rico_problem_can_be_round(p)) {
        status = rico_problem_create_round(p, &work->round);
        if (!status) status = rico_solver_create(solver->ctx, "auto", &work->inner);
        if (!status) status = rico_solver_setup_inner(work->inner, work->round);
    }
    return status;
}


static rico_status update(rico_solver *solver, bool matrix)
{
    rico_auto *work = solver->work;
    rico_status status = matrix && work->stage ? rico_stage_update(work->stage) : RICO_OK;
    if (!status && matrix && work->newton) status = rico_natural_newton_update(work->newton);
    if (!status && matrix && work->proximal) status = rico_solver_update_matrix(work->proximal);
    if (!status && work->round) {
        rico_problem_renew_round(work->round, solver->problem);
        status = rico_solver_update_matrix(work->inner);
    }
    return status ? status : rico_sweeper_update(work->sweeper, matrix);
}


static void cleanup(rico_solver *solver)
{
    rico_auto *work = solver->work;
    rico_accelerator_destroy(&work->accelerator);
    rico_sweep_order_destroy(&work->order);
    rico_sweeper_destroy(work->sweeper);
    rico_stage_destroy(work->stage);
    rico_body_graph_destroy(work->graph);
    rico_natural_newton_destroy(work->newton);
    rico_solver_destroy(work->proximal);
    rico_solver_destroy(work->inner); // before the problem that it stands on
    rico_problem_destroy(work->round);
    rico_free(solver->ctx, work); // with origin and interior
}


// The parameters change from round to round: what stalled once would stall again.
static rico_proximal_options proximal_of_round(int round, double residual)
{
    static const double alphas[] = {1e-4, 1e-4, 1e-3, 1e-5};
    rico_proximal_options proximal = rico_proximal_default();
    proximal.alpha = round == 0 ? fmin(1e-2, fmax(1e-6, residual)) : alphas[round % 4];
    proximal.exact = (round / 2) % 2 == 1;
    proximal.stall = 12; // the curve of proximal points gets farther from there
    proximal.tolerance = round % 2 ? 50.0 : 5.0;
    return proximal;
}


static rico_smoothing_options smoothing_of_round(int round)
{
    static const double warms[] = {10, 100, 1, 1000, 1e4, 30, 300};
    static const double alphas[] = {1e-8, 1e-6, 1e-4, 1e-8, 1e-7, 1e-5, 1e-3};
    rico_smoothing_options smoothing = rico_smoothing_default();
    smoothing.warm = warms[round % 7];
    smoothing.alpha = alphas[(round + round / 7) % 7];
    return smoothing;
}


// Does an impulse at hand get around a certificate c? Then c'u, which W'c = 0 would make q'c whatever the impulse, is something else by more than
// round-off: W'c is small, and impulses of heavy bodies on light ones are large.
static rico_status refute(rico_problem *p, const rico_run *run, const double *c, double *u, double work,
                          bool *refuted)
{
    static const double much = 0.5, little = 0.1;
    double sum = 0.0, size = 0.0;
    rico_status status = rico_problem_velocity(p, run->solver->best, u, NULL);
    for (int64_t i = 0; i < p->rows && !status; i++) {
        sum += c[i] * u[i];
        size += fabs(c[i]);
    }
    double noise = run->best_residual.rounding * run->best_residual.scale * size;
    *refuted = !status && sum > much * work && noise < little * fabs(work);
    return status;
}


// A certificate that no impulse can keep the contacts from closing in on each other ends the search.
static rico_status look_for_proof(rico_solver *solver, rico_run *run)
{
    rico_problem *p = solver->problem;
    rico_infeasibility proof;
    bool refuted = false;
    double *c = rico_alloc(solver->ctx, 2 * p->rows, sizeof *c);
    if (!c) return RICO_NO_MEMORY;
    rico_status status = rico_problem_infeasibility(p, c, &proof);
    bool found = !status && proof.found;
    if (found) status = refute(p, run, c, c + p->rows, proof.work, &refuted);
    rico_free(solver->ctx, c);
    if (status == RICO_UNSUPPORTED) return RICO_OK;
    if (found && !refuted)
        rico_run_stop(run, RICO_NO_SOLUTION,
                      "some contacts must close whatever the impulses: c'u = %.3g < 0 with W'c = 0",
                      proof.work);
    return status;
}


// Newton's method from where the sweeps have got; what it does not better is as before.
static rico_status step_by_newton(rico_solver *solver, rico_run *run)
{
    rico_auto *work = solver->work;
    size_t bytes = (size_t)solver->problem->rows * sizeof *run->r;
    rico_status status = RICO_OK;
    if (!work->newton) status = rico_natural_newton_create(solver->problem, &work->newton);
    if (!status && rico_run_check(run, run->iterations)) return RICO_OK;
    if (!status) status = rico_natural_newton_solve(work->newton, run);
    if (!status) memcpy(run->r, solver->best, bytes);
    return status;
}


// By every stage, on the round problem; its residual is in its own units, and this run's judges.
static rico_status solve_round(rico_solver *solver, rico_run *run)
{
    rico_auto *work = solver->work;
    double *option = work->inner->option;
    rico_report report;
    option[RICO_OPT_TOL] = 0.1 * run->tol;
    option[RICO_OPT_MAX_ITER] = (double)run->max_iterations;
    option[RICO_OPT_TIME_LIMIT] = run->deadline < INFINITY ? fmax(run->deadline - rico_clock(), 1e-9) : 0.0;
    for (int i = 0; i < (int)(sizeof options / sizeof options[0]); i++)
        option[RICO_COMMON_OPTIONS + i] = rico_option(solver, i);
    rico_problem_to_round(solver->problem, run->r, work->origin);
    rico_status status = rico_solver_solve(work->inner, work->origin, NULL, &report);
    if (status) return status;
    rico_problem_from_round(solver->problem, work->origin, run->r);
    rico_run_check(run, run->iterations + report.iterations);
    return RICO_OK;
}


// Blocks beyond joints and Coulomb contacts are known to the sweeps alone: they go on as long as the run allows, with one
// look for a proof that there is nothing to find.
static rico_status sweep_to_the_end(rico_solver *solver, rico_run *run)
{
    enum { CHECK_EVERY = 50, NEWTON_AFTER = 400, PROOF_AFTER = 1000 };
    rico_auto *work = solver->work;
    bool small = solver->problem->rows <= RICO_NATURAL_ROWS;
    rico_sweeper_restart(work->sweeper);
    rico_status status = rico_auto_begin_sweeps(solver);
    rico_pace pace = rico_pace_begin(run, CHECK_EVERY);
    for (int64_t sweep = 1; !status; sweep++) {
        double change = rico_accelerator_sweep(&work->accelerator, run->r);
        // a leap that the accelerator is about to take back is nothing to judge
        const rico_accelerator *a = &work->accelerator;
        bool wild = a->jumped && a->step > a->growth * a->least;
        if (!wild && rico_pace_step(&pace, run, sweep, change)) break;
        bool stalled = !wild && pace.checked && change == 0.0;
        if (small && sweep == NEWTON_AFTER) {
            status = step_by_newton(solver, run);
            if (status || run->done) break;
            rico_accelerator_begin(&work->accelerator, work->accelerator.growth);
        }
        if (stalled || sweep == PROOF_AFTER) status = look_for_proof(solver, run);
        if (status || run->done) break;
        if (stalled) {
            rico_pace_stall(run);
            break;
        }
        rico_accelerator_advance(&work->accelerator, run->r);
    }
    return status;
}


// Impulses may grow without bound where there is no solution, until the residual is small against them. Such an
// answer is believed only if no proof against it is found.
static rico_status doubt_large_impulses(rico_solver *solver, rico_run *run)
{
    const rico_problem *p = solver->problem;
    double moved = 0.0;
    for (int64_t a = 0; a < p->block_count; a++)
        for (int64_t i = p->offset[a]; i < p->offset[a + 1]; i++)
            moved = fmax(moved, p->block_norm[a] * fabs(run->r[i]));
    double velocity = fmax(rico_norm_inf(p->rows, p->q), rico_norm_inf(p->rows, run->u));
    return moved > RICO_AUTO_SUSPICIOUS * velocity ? look_for_proof(solver, run) : RICO_OK;
}


// A short proximal stage settles most of what the interior point method leaves. Where it does not, the path had a fold:
// follow it from there, as far as it goes, and begin the rounds at its end if that is nearer than its beginning.
static rico_status follow_path(rico_solver *solver, rico_run *run)
{
    rico_auto *work = solver->work;
    size_t bytes = (size_t)solver->problem->rows * sizeof *run->r;
    double before = run->best_residual.relative;
    if (rico_option(solver, RICO_AUTO_PROXIMAL) != 0.0) {
        rico_proximal_options proximal = proximal_of_round(0, before);
        if (before > 1e-3) memcpy(run->r, work->origin, bytes);
        rico_status status = rico_stage_proximal(work->stage, &proximal, run);
        if (status || over(run)) return status;
        memcpy(run->r, work->interior, bytes);
    }
    rico_path_options path = rico_path_default();
    rico_status status = rico_stage_path(work->stage, &path, run);
    if (status || over(run)) return status;
    if (run->residual.relative > before) memcpy(run->r, work->interior, bytes);
    return RICO_OK;
}


// Proximal steps from where the run stands; undone when they end farther away.
static rico_status step_proximally(rico_solver *solver, rico_run *run, int round)
{
    rico_auto *work = solver->work;
    size_t bytes = (size_t)solver->problem->rows * sizeof *run->r;
    double *kept = work->stage->kept;
    if (rico_run_check(run, run->iterations)) return RICO_OK;
    double before = run->residual.relative;
    memcpy(kept, run->r, bytes);
    rico_proximal_options proximal = proximal_of_round(round, before);
    rico_status status = rico_stage_proximal(work->stage, &proximal, run);
    if (status || over(run)) return status;
    if (run->residual.relative > before) memcpy(run->r, kept, bytes);
    return RICO_OK;
}


// Residuals above which Newton's methods have got nowhere, or into a valley of the residual that they do not leave.
static double far_at_round(int round)
{
    return round == 0 ? 1e-3 : round == 2 ? 1e-6 : INFINITY;
}


// Somewhere else to begin from: where the fixed point of convex problems leads as far as it contracts, unless what is known already is
// much nearer.
static rico_status restart_associated(rico_solver *solver, rico_run *run)
{
    static const double nearer = 0.1;
    rico_auto *work = solver->work;
    size_t bytes = (size_t)solver->problem->rows * sizeof *run->r;
    rico_associated_options associated = rico_associated_default();
    rico_status status = rico_stage_associated(work->stage, &associated, run);
    if (status || over(run)) return status;
    if (nearer * run->residual.relative > run->best_residual.relative) memcpy(run->r, solver->best, bytes);
    return RICO_OK;
}


// The curve of proximal points, again and again from where it made the residual a fifth. From where the run stands, and every third round from the
// nearest point that is known: that one lies deep in a valley of the residual, and others often have a shorter way.
static rico_status follow_curve(rico_solver *solver, rico_run *run, int round)
{
    rico_auto *work = solver->work;
    size_t bytes = (size_t)solver->problem->rows * sizeof *run->r;
    rico_proximal_path_options path = rico_proximal_path_default();
    path.seed = round + 1;
    if (round % 3 == 1 && run->residual.relative > 2.0 * run->best_residual.relative)
        memcpy(run->r, solver->best, bytes);
    for (;;) {
        if (rico_run_check(run, run->iterations)) return RICO_OK;
        double before = run->residual.relative;
        rico_status status = rico_stage_proximal_path(work->stage, &path, run);
        if (status || run->done) return status;
        if (!(run->residual.relative <= path.goal * before)) return RICO_OK;
    }
}


// The smoothing method beside the others: what it does not finish is dropped.
static rico_status smooth(rico_solver *solver, rico_run *run, int round)
{
    rico_auto *work = solver->work;
    size_t bytes = (size_t)solver->problem->rows * sizeof *run->r;
    double *kept = work->stage->kept;
    memcpy(kept, run->r, bytes);
    rico_smoothing_options smoothing = smoothing_of_round(round);
    rico_status status = rico_stage_smoothing(work->stage, &smoothing, run);
    if (status || over(run)) return status;
    memcpy(run->r, kept, bytes);
    return RICO_OK;
}


// Where the round-off of W r is about what is allowed, and otherwise the residual nearly is: the nearest point with smaller impulses.
static rico_status shrink(rico_solver *solver, rico_run *run)
{
    static const double about = 0.8, nearly = 100.0; // of the tolerance
    const rico_residual *best = &run->best_residual;
    if (best->rounding < about * run->tol || best->velocity > nearly * run->tol * best->scale) return RICO_OK;
    memcpy(run->r, solver->best, (size_t)solver->problem->rows * sizeof *run->r);
    return rico_stage_shrink(((rico_auto *)solver->work)->stage, run);
}


// What resists: proximal steps and the curve of proximal points in turn, with other parameters each time.
static rico_status take_turns(rico_solver *solver, rico_run *run)
{
    rico_status status;
    int rounds = (int)rico_option(solver, RICO_AUTO_ROUNDS);
    bool associated = rico_option(solver, RICO_AUTO_ASSOCIATED) == 0.0; // done, or not wanted
    for (int round = 0; round < rounds; round++) {
        if (!associated && run->best_residual.relative > far_at_round(round)) {
            associated = true;
            status = restart_associated(solver, run);
            if (status || over(run)) return status;
        }
        status = shrink(solver, run);
        if (status || over(run)) return status;
        if (rico_option(solver, RICO_AUTO_PROXIMAL) != 0.0) {
            status = step_proximally(solver, run, round);
            if (status || over(run)) return status;
        }
        if (round == 1) {
            status = look_for_proof(solver, run);
            if (status || over(run)) return status;
        }
        if (rico_option(solver, RICO_AUTO_PROXIMAL_PATH) != 0.0) {
            status = follow_curve(solver, run, round);
            if (status || over(run)) return status;
        }
        if (rico_option(solver, RICO_AUTO_SMOOTHING) != 0.0) {
            status = smooth(solver, run, round);
            if (status || over(run)) return status;
        }
    }
    rico_run_stop(run, RICO_STALLED, "%d rounds of every method end at a residual of %.3g", rounds,
                  run->best_residual.relative);
    return RICO_OK;
}


static rico_status run_stages(rico_solver *solver, rico_run *run)
{
    rico_auto *work = solver->work;
    rico_problem *p = solver->problem;
    size_t bytes = (size_t)p->rows * sizeof *run->r;
    rico_status status = RICO_OK;
    work->warm = rico_auto_is_warm(solver, run);
    work->first = run->residual.relative;
    if (work->inner) {
        status = solve_round(solver, run);
        if (status || over(run)) return status;
    }
    if (p->shaped) return sweep_to_the_end(solver, run);
    if (rico_option(solver, RICO_AUTO_SWEEPS) != 0.0) {
        status = rico_auto_sweep(solver, run);
        if (status || over(run)) return status;
    }
    status = rico_auto_need_stage(solver);
    if (status) return status;
    memcpy(work->origin, run->r, bytes);
    if (work->warm) {
        status = rico_auto_step_warmly(solver, run);
        if (status || over(run)) return status;
    }

    status = rico_auto_step_apart(solver, run);
    if (status || over(run)) return status;
    if (rico_option(solver, RICO_AUTO_INTERIOR) != 0.0) {
        rico_interior_options interior = rico_interior_default();
        status = rico_stage_interior(work->stage, &interior, run);
        if (status || over(run)) return status;
    }
    memcpy(run->r, solver->best, bytes);
    memcpy(work->interior, run->r, bytes);
    status = rico_stage_look_behind(work->stage); // many systems are to come
    if (status) return status;

    if (rico_option(solver, RICO_AUTO_PATH) != 0.0) {
        status = follow_path(solver, run);
        if (status || over(run)) return status;
    }

    // few contacts: a proof, or every combination of their states, before long searches
    if (rico_states_takes(p)) {
        status = look_for_proof(solver, run);
        if (!status && !run->done) status = rico_problem_reduce(p);
        if (!status && !run->done) status = rico_states_search(p, run);
        if (status || over(run)) return status;
        memcpy(run->r, solver->best, bytes);
    }
    return take_turns(solver, run);
}


// The numbers of a glance are those of the first sweeps.
static bool glances(const rico_solver *solver)
{
    return rico_option(solver, RICO_AUTO_SWEEPS) != 0.0;
}


static rico_status solve(rico_solver *solver, rico_run *run)
{
    rico_status status = run_stages(solver, run);
    if (!status && run->stop == RICO_CONVERGED) status = doubt_large_impulses(solver, run);
    return status;
}


const rico_method rico_auto_methods[] = {{
    .info =
        {.name = "auto",
         .family = "rico_auto",
         .summary =
             "the default: sweeps, then interior point, proximal Newton and homotopies as the problem needs",
         .reference = "docs/theory/auto.md",
         .takes = RICO_TAKES_REDUCED | RICO_TAKES_GLOBAL | RICO_TAKES_ALL_BLOCKS | RICO_TAKES_UNSYMMETRIC,
         .option_count = sizeof options / sizeof options[0],
         .options = options},
    .setup = setup,
    .update = update,
    .solve = solve,
    .cleanup = cleanup,
    .glances = glances,
}};
const int rico_auto_count = sizeof rico_auto_methods / sizeof rico_auto_methods[0];
