// `auto`: the default. Sweeps while they pay, then Newton-like stages that take turns until the residual is reached.
//
//     1. Gauss-Seidel sweeps, as long as their measured contraction promises an end before a Newton method's;
//     2. an interior point method from there: it sees the whole problem at once and does not mind redundant contacts;
//     3. a few proximal Newton steps; if they do not get there, the interior point method's path again, this time
//        around its folds;
//     4. what resists: in turn extrapolated proximal point steps and the curve of proximal points around its folds,
//        each from where the other left; if asked for, a smoothing Newton method too; once, where these get nowhere, they
//        begin again at a fixed point of convex problems;
//     5. when nothing helps, a search for the proof that there is no solution.
//
// Elliptic contacts are Coulomb's in other units (problem/round.h) and go the same way. Of other kinds (moments, boxes, Tresca) the
// stages know nothing: sweeps, and Newton's method on the natural map where these take long.
//
// The best iterate is kept by the run whatever happens. docs/theory/auto.md has the reasons and what each part is
// worth.

#include "base/clock.h"
#include "la/dense.h"
#include "problem/round.h"
#include "solve/accelerate.h"
#include "solve/natural_newton.h"
#include "solve/pace.h"
#include "solve/stage.h"
#include "solve/states.h"

#include <math.h>
#include <string.h>

typedef enum auto_option {
    OPTION_SWEEPS,
    OPTION_INTERIOR,
    OPTION_PROXIMAL,
    OPTION_SMOOTHING,
    OPTION_PATH,
    OPTION_PROXIMAL_PATH,
    OPTION_ASSOCIATED,
    OPTION_ROUNDS,
    OPTION_THREADS,
    OPTION_WARM
} auto_option;

static const rico_option_info options[] = {
    [OPTION_SWEEPS] = {"sweeps", "begin with Gauss-Seidel sweeps", RICO_FLAG, 0, 1, 1, NULL},
    [OPTION_INTERIOR] = {"interior", "use the interior point stage", RICO_FLAG, 0, 1, 1, NULL},
    [OPTION_PROXIMAL] = {"proximal", "use the proximal Newton stage", RICO_FLAG, 0, 1, 1, NULL},
    [OPTION_SMOOTHING] = {"smoothing", "use the smoothing Newton stage", RICO_FLAG, 0, 1, 0, NULL},
    [OPTION_PATH] = {"path", "follow the central path around its folds", RICO_FLAG, 0, 1, 1, NULL},
    [OPTION_PROXIMAL_PATH] = {"proximal-path", "follow the curve of proximal points around its folds",
                              RICO_FLAG, 0, 1, 1, NULL},
    [OPTION_ASSOCIATED] = {"associated",
                           "begin again from a fixed point of convex problems where nothing else gets near",
                           RICO_FLAG, 0, 1, 1, NULL},
    [OPTION_ROUNDS] = {"rounds", "turns of proximal and smoothing stages", RICO_INTEGER, 0, 1e6, 60, NULL},
    [OPTION_THREADS] = {"threads", "threads on large problems, 0 for all; the result does not depend on it",
                        RICO_INTEGER, 0, 1024, 1, NULL},
    [OPTION_WARM] = {"warm", "begin Newton-like stages at a given start that is nearly right", RICO_FLAG, 0,
                     1, 1, NULL},
};

// Rows up to which a global problem is condensed at once: a Newton stage needs W, sweeps can do without.
static const int64_t condense_rows = 20000;

// Sweeps after which a warm start is judged, systems that Newton-like stages need from there.
enum { WARM_SWEEPS = 20, WARM_SYSTEMS = 10 };

// Sweeps before Anderson's acceleration begins, differences that it looks back on, growth of the step that it allows.
enum { PLAIN_SWEEPS = 4, WINDOW = 5 };
static const double growth = 10.0;

typedef struct automatic {
    rico_sweeper *sweeper;
    rico_sweep_order order;       // made with the accelerator
    rico_accelerator accelerator; // made when first needed
    rico_stage *stage;            // made when first needed
    double *origin, *interior;    // where the sweeps and the interior point method left
    bool warm;                    // the present run began near its end, and few Newton systems may do
    double first;                 // residual that it began with
    rico_problem *round; // elliptic contacts in units that make them Coulomb's, and who solves them so
    rico_solver *inner;
    rico_natural_newton *newton; // for kinds that the stages do not know; made when first needed
} automatic;


static rico_status setup(rico_solver *solver)
{
    rico_problem *p = solver->problem;
    automatic *work = solver->work = rico_alloc(solver->ctx, 1, sizeof *work);
    if (!work) return RICO_NO_MEMORY;
    work->origin = rico_alloc(solver->ctx, p->rows, sizeof *work->origin);
    work->interior = rico_alloc(solver->ctx, p->rows, sizeof *work->interior);
    if (!work->origin || !work->interior) return RICO_NO_MEMORY;
    rico_status status = p->global && !p->reduced ? rico_problem_factor_mass(p) : RICO_OK;
    if (!status && p->rows <= condense_rows && !rico_stage_by_bodies(p)) status = rico_problem_reduce(p);
    if (!status) status = rico_sweeper_create(p, &work->sweeper);
    if (!status && p->shaped && p->rows <= condense_rows && rico_problem_can_be_round(p)) {
        status = rico_problem_create_round(p, &work->round);
        if (!status) status = rico_solver_create(solver->ctx, "auto", &work->inner);
        if (!status) status = rico_solver_setup_inner(work->inner, work->round);
    }
    return status;
}


static rico_status update(rico_solver *solver, bool matrix)
{
    automatic *work = solver->work;
    rico_status status = matrix && work->stage ? rico_stage_update(work->stage) : RICO_OK;
    if (!status && matrix && work->newton) status = rico_natural_newton_update(work->newton);
    if (!status && work->round) {
        rico_problem_renew_round(work->round, solver->problem);
        status = rico_solver_update_matrix(work->inner);
    }
    return status ? status : rico_sweeper_update(work->sweeper, matrix);
}


static void cleanup(rico_solver *solver)
{
    automatic *work = solver->work;
    rico_accelerator_destroy(&work->accelerator);
    rico_sweep_order_destroy(&work->order);
    rico_sweeper_destroy(work->sweeper);
    rico_stage_destroy(work->stage);
    rico_natural_newton_destroy(work->newton);
    rico_solver_destroy(work->inner); // before the problem that it stands on
    rico_problem_destroy(work->round);
    rico_free(solver->ctx, work->origin);
    rico_free(solver->ctx, work->interior);
    rico_free(solver->ctx, work);
}


// Large problems are swept by colours, on any number of threads with the same result; small ones as they come.
static rico_status begin_acceleration(rico_solver *solver)
{
    automatic *work = solver->work;
    const rico_problem *p = solver->problem;
    bool large = p->rows > condense_rows;
    rico_status status = RICO_OK;
    if (!work->order.ctx)
        status = rico_sweep_order_create(work->sweeper, p->ctx, p->block_count, &work->order);
    if (!status)
        status = rico_sweep_order_begin(&work->order, large ? RICO_ORDER_COLOURED : RICO_ORDER_GIVEN, 0,
                                        large ? (int)rico_option(solver, OPTION_THREADS) : 1);
    if (!status && !work->accelerator.problem)
        status = rico_accelerator_create(p, &work->order, p->rows < WINDOW ? (int)p->rows : WINDOW,
                                         &work->accelerator);
    if (!status) rico_accelerator_begin(&work->accelerator, growth);
    return status;
}


// From a start that is nearly right sweeps soon mend what neighbours can settle among themselves. Are the first
// WARM_SWEEPS far from done, what is left goes from one end of the problem to the other, and sweeps are slow at that; Newton-like
// stages are not, unless their systems cost more than many sweeps.
static rico_status are_slow(rico_solver *solver, const rico_run *run, bool *slow)
{
    static const double settled = 3e-3,
                        most = 1500.0; // of the first residual; sweeps that may be spent instead
    automatic *work = solver->work;
    *slow = work->warm = false;
    if (run->best_residual.relative < settled * work->first) return RICO_OK;
    rico_status status = work->stage ? RICO_OK : rico_stage_create(solver->problem, &work->stage);
    if (!status)
        *slow = WARM_SYSTEMS * rico_stage_seconds(work->stage) < most * rico_sweeper_seconds(work->sweeper);
    work->warm = *slow;
    return status;
}


// Sweeps until they converge or promise to take longer than a Newton method, which needs some 16 factorizations. The
// contraction is measured over windows of 30 sweeps at least, and an unpromising one is believed once half the price of
// the Newton method has been spent, or at once when it is hopeless. Prices are counted, not clocked: the result depends
// neither on the machine's other work nor on the number of threads.
static rico_status sweep_while_it_pays(rico_solver *solver, rico_run *run)
{
    static const double by_bodies = 0.8e-6, by_contacts = 2.5e-6;
    automatic *work = solver->work;
    const rico_problem *p = solver->problem;
    double cheapest_system =
        rico_stage_by_bodies(p) ? by_bodies : by_contacts; // seconds for a contact, see stage.c
    double anchor = 1.0, tol = fmax(run->tol, 1e-16);
    bool large = p->rows > condense_rows;
    // what a method takes from there, in factorizations; body by body these are cheap, and on large problems more are needed
    double newton_systems = large && rico_stage_by_bodies(p) ? 50.0 : 16.0;
    int64_t anchored = 0, plain = large ? 0 : PLAIN_SWEEPS, spacing = large ? 30 : 10;
    if (work->warm && large) spacing = WARM_SWEEPS;
    double ratio = INFINITY; // of the residual to the change, by the last check
    rico_sweeper_restart(work->sweeper);
    for (int64_t sweep = 1;; sweep++) {
        if (sweep == plain + 1) {
            rico_status status = begin_acceleration(solver);
            if (status) return status;
        }
        double change = sweep <= plain ? rico_sweep(work->sweeper, NULL, run->r)
                                       : rico_accelerator_sweep(&work->accelerator, run->r);
        // checks are dear on large problems (a product with W costs as much as sweeps do): when the change promises
        // success, and now and then
        bool promising = ratio == INFINITY ? sweep == 1 : sqrt(change) * ratio <= tol;
        bool due = promising || sweep <= plain || sweep % spacing == 0 || change == 0.0;
        if (!due) {
            if (rico_run_limits(run, run->iterations + 1)) break;
        } else {
            // sweeps that ran away (an acceleration that went wrong) leave the word to Newton
            if (rico_run_check(run, run->iterations + 1)) {
                rico_run_forgive(run);
                return RICO_OK;
            }
            if (change == 0.0) return RICO_OK; // at rest without being there: Newton's turn
            ratio = run->residual.relative / sqrt(change);
        }
        if (work->warm && sweep == WARM_SWEEPS) {
            bool slow;
            rico_status status = are_slow(solver, run, &slow);
            if (status || slow) return status;
        }
        if (sweep % spacing == 0 && sweep >= anchored + 30) {
            double each = rico_sweeper_seconds(work->sweeper), elapsed = (double)sweep * each;
            // one bad moment of the acceleration must not drive a large problem to factorizations that cost minutes
            double residual = large ? run->best_residual.relative : run->residual.relative,
                   decades = log10(residual / anchor) / (double)(sweep - anchored);
            double left = decades < -1e-7 ? log10(tol / residual) / decades * each : INFINITY;
            // while the sweeps promise to be done before any Newton method, what one costs need not be known
            if (left > newton_systems * cheapest_system * (double)p->block_count) {
                rico_status status = RICO_OK;
                if (!work->stage) status = rico_stage_create(solver->problem, &work->stage);
                if (status) return status;
                double newton = newton_systems * rico_stage_seconds(work->stage);
                bool hopeless = left > 60.0 * newton && (!large || elapsed > 0.1 * newton);
                if (left > newton && (elapsed > 0.5 * newton || hopeless)) return RICO_OK;
            }
            if (sweep >= anchored + 60 || sweep >= 2 * anchored) {
                anchor = residual;
                anchored = sweep;
            }
        }
        if (sweep > plain) rico_accelerator_advance(&work->accelerator, run->r);
    }
    rico_run_check(run, run->iterations);
    return RICO_OK;
}


// The parameters change from round to round: what stalled once would stall again.
static rico_proximal_options proximal_of_round(int round, double residual)
{
    static const double alphas[] = {1e-4, 1e-4, 1e-3, 1e-5};
    rico_proximal_options proximal = rico_proximal_default();
    proximal.alpha = round == 0 ? fmin(1e-2, fmax(1e-6, residual)) : alphas[round % 4];
    proximal.exact = (round / 2) % 2 == 1;
    proximal.stall = round == 0 ? 30 : 12;
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


// A certificate that no impulse can keep the contacts from closing in on each other ends the search.
static rico_status look_for_proof(rico_solver *solver, rico_run *run)
{
    rico_infeasibility proof;
    rico_status status = rico_problem_infeasibility(solver->problem, NULL, &proof);
    if (status == RICO_UNSUPPORTED) return RICO_OK;
    if (!status && proof.found)
        rico_run_stop(run, RICO_NO_SOLUTION,
                      "some contacts must close whatever the impulses: c'u = %.3g < 0 with W'c = 0",
                      proof.work);
    return status;
}


// Blocks beyond joints and Coulomb contacts are known to the sweeps alone: they go on as long as the run allows, with one
// look for a proof that there is nothing to find.
// Newton's method from where the sweeps have got; what it does not better is as before.
static rico_status step_by_newton(rico_solver *solver, rico_run *run)
{
    automatic *work = solver->work;
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
    automatic *work = solver->work;
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


static rico_status sweep_to_the_end(rico_solver *solver, rico_run *run)
{
    enum { CHECK_EVERY = 50, NEWTON_AFTER = 400, PROOF_AFTER = 1000 };
    automatic *work = solver->work;
    bool small = solver->problem->rows <= RICO_NATURAL_ROWS;
    rico_sweeper_restart(work->sweeper);
    rico_status status = begin_acceleration(solver);
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
            rico_accelerator_begin(&work->accelerator, growth);
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
    static const double suspicious = 1e5;
    const rico_problem *p = solver->problem;
    double moved = 0.0;
    for (int64_t a = 0; a < p->block_count; a++)
        for (int64_t i = p->offset[a]; i < p->offset[a + 1]; i++)
            moved = fmax(moved, p->block_norm[a] * fabs(run->r[i]));
    double velocity = fmax(rico_norm_inf(p->rows, p->q), rico_norm_inf(p->rows, run->u));
    return moved > suspicious * velocity ? look_for_proof(solver, run) : RICO_OK;
}


// Is nothing left to do? Iterates that ran away leave the word to the next stage, which begins at the best one.
static bool over(rico_run *run)
{
    return run->done && !rico_run_forgive(run);
}


// A short proximal stage settles most of what the interior point method leaves. Where it does not, the path had a fold:
// follow it from there, as far as it goes, and begin the rounds at its end if that is nearer than its beginning.
static rico_status follow_path(rico_solver *solver, rico_run *run)
{
    static const int patience = 12;
    automatic *work = solver->work;
    size_t bytes = (size_t)solver->problem->rows * sizeof *run->r;
    double before = run->best_residual.relative;
    if (rico_option(solver, OPTION_PROXIMAL) != 0.0) {
        rico_proximal_options proximal = proximal_of_round(0, before);
        proximal.stall = patience;
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
    automatic *work = solver->work;
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
    automatic *work = solver->work;
    size_t bytes = (size_t)solver->problem->rows * sizeof *run->r;
    rico_associated_options associated = rico_associated_default();
    rico_status status = rico_stage_associated(work->stage, &associated, run);
    if (status || over(run)) return status;
    if (nearer * run->residual.relative > run->best_residual.relative) memcpy(run->r, solver->best, bytes);
    return RICO_OK;
}


// The curve of proximal points, again from where it halved the residual: as long as it does, it is cheaper than proximal steps in between.
// From where the run stands, which leads elsewhere, and every third round from the nearest point that is known.
static rico_status follow_curve(rico_solver *solver, rico_run *run, int round)
{
    enum { TURNS = 4 };
    automatic *work = solver->work;
    size_t bytes = (size_t)solver->problem->rows * sizeof *run->r;
    rico_proximal_path_options path = rico_proximal_path_default();
    path.seed = round + 1;
    if (round % 3 == 1 && run->residual.relative > 2.0 * run->best_residual.relative)
        memcpy(run->r, solver->best, bytes);
    for (int turn = 0; turn < TURNS; turn++) {
        if (rico_run_check(run, run->iterations)) return RICO_OK;
        double before = run->residual.relative;
        rico_status status = rico_stage_proximal_path(work->stage, &path, run);
        if (status || run->done) return status;
        if (run->residual.relative > path.goal * before) break;
    }
    return RICO_OK;
}


// Does the run begin with an impulse that is nearly right, on a problem whose systems are made body by body?
static bool is_warm(const rico_solver *solver, const rico_run *run)
{
    static const double nearly = 0.3; // residual; that of zero is near 1
    const rico_problem *p = solver->problem;
    bool zero = true;
    for (int64_t i = 0; zero && i < p->rows; i++) zero = run->r[i] == 0.0;
    return !zero && rico_option(solver, OPTION_WARM) != 0.0 && rico_stage_by_bodies(p) &&
           run->residual.relative < nearly;
}


// Near a solution, with the states of most contacts known: a few proximal steps from the best point.
static rico_status find_last_digits(rico_solver *solver, rico_run *run)
{
    static const double nearly = 2e-5;
    automatic *work = solver->work;
    if (run->best_residual.relative > nearly) return RICO_OK;
    memcpy(run->r, solver->best, (size_t)solver->problem->rows * sizeof *run->r);
    rico_proximal_options proximal = proximal_of_round(0, run->best_residual.relative);
    proximal.steps = 3;
    proximal.inner = 8;
    return rico_stage_proximal(work->stage, &proximal, run);
}


// Two proximal steps with little regularization, which find out which contacts change their state; then an interior point
// method that begins as near to its boundary as the residual is small.
static rico_status step_by_states(rico_solver *solver, rico_run *run)
{
    automatic *work = solver->work;
    rico_proximal_options proximal = rico_proximal_default();
    proximal.alpha = 1e-4;
    proximal.steps = 2;
    proximal.inner = 12;
    rico_status status = rico_stage_proximal(work->stage, &proximal, run);
    if (status || over(run)) return status;
    memcpy(run->r, solver->best, (size_t)solver->problem->rows * sizeof *run->r);
    rico_interior_options interior = rico_interior_default();
    interior.centre = fmin(1.0, fmax(2.0 * run->best_residual.relative, 1e-5));
    interior.stall = 5;
    return rico_stage_interior(work->stage, &interior, run);
}


// The interior point method from little inside of the cones: what was at rest against a side stays near it.
static rico_status step_inside(rico_solver *solver, rico_run *run)
{
    automatic *work = solver->work;
    rico_interior_options interior = rico_interior_default();
    interior.centre = 3e-3;
    interior.stall = 5;
    return rico_stage_interior(work->stage, &interior, run);
}


// From a start that is nearly right. Which of the two ways is the shorter one was measured: by states along a chain or a tower,
// whose systems are slim, inside where walls and beds fill them. Where wedges and folds keep both from the end, the other
// stages begin where the sweeps left.
static rico_status step_warmly(rico_solver *solver, rico_run *run)
{
    static const double slim = 5e3; // operations of a factorization for each contact
    automatic *work = solver->work;
    size_t bytes = (size_t)solver->problem->rows * sizeof *run->r;
    bool states = rico_body_system_flops(work->stage->bodies) < slim * (double)solver->problem->block_count;
    for (int turn = 0; turn < 2; turn++, states = !states) {
        memcpy(run->r, work->origin, bytes);
        rico_status status = states ? step_by_states(solver, run) : step_inside(solver, run);
        if (status || over(run)) return status;
        status = find_last_digits(solver, run);
        if (status || over(run)) return status;
    }
    memcpy(run->r, work->origin, bytes);
    return RICO_OK;
}


static rico_status run_stages(rico_solver *solver, rico_run *run)
{
    automatic *work = solver->work;
    rico_problem *p = solver->problem;
    size_t bytes = (size_t)p->rows * sizeof *run->r;
    rico_status status = RICO_OK;
    work->warm = is_warm(solver, run);
    work->first = run->residual.relative;
    if (work->inner) {
        status = solve_round(solver, run);
        if (status || over(run)) return status;
    }
    if (p->shaped) return sweep_to_the_end(solver, run);
    if (rico_option(solver, OPTION_SWEEPS) != 0.0) {
        status = sweep_while_it_pays(solver, run);
        if (status || over(run)) return status;
    }
    if (!work->stage) status = rico_stage_create(p, &work->stage);
    if (status) return status;
    memcpy(work->origin, run->r, bytes);
    if (work->warm) {
        status = step_warmly(solver, run);
        if (status || over(run)) return status;
    }

    if (rico_option(solver, OPTION_INTERIOR) != 0.0) {
        rico_interior_options interior = rico_interior_default();
        status = rico_stage_interior(work->stage, &interior, run);
        if (status || over(run)) return status;
    }
    memcpy(run->r, solver->best, bytes);
    memcpy(work->interior, run->r, bytes);

    if (rico_option(solver, OPTION_PATH) != 0.0) {
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

    int rounds = (int)rico_option(solver, OPTION_ROUNDS);
    bool associated = rico_option(solver, OPTION_ASSOCIATED) == 0.0; // done, or not wanted
    for (int round = 0; round < rounds; round++) {
        if (!associated && run->best_residual.relative > far_at_round(round)) {
            associated = true;
            status = restart_associated(solver, run);
            if (status || over(run)) return status;
        }
        if (rico_option(solver, OPTION_PROXIMAL) != 0.0) {
            status = step_proximally(solver, run, round);
            if (status || over(run)) return status;
        }
        if (round == 1) {
            status = look_for_proof(solver, run);
            if (status || over(run)) return status;
        }
        if (rico_option(solver, OPTION_PROXIMAL_PATH) != 0.0) {
            status = follow_curve(solver, run, round);
            if (status || over(run)) return status;
        }
        if (rico_option(solver, OPTION_SMOOTHING) != 0.0) {
            double *kept = work->stage->kept;
            memcpy(kept, run->r, bytes);
            rico_smoothing_options smoothing = smoothing_of_round(round);
            status = rico_stage_smoothing(work->stage, &smoothing, run);
            if (status || over(run)) return status;
            memcpy(run->r, kept, bytes);
        }
    }
    rico_run_stop(run, RICO_STALLED, "%d rounds of every method end at a residual of %.3g", rounds,
                  run->best_residual.relative);
    return RICO_OK;
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
         .family = "automatic",
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
}};
const int rico_auto_count = sizeof rico_auto_methods / sizeof rico_auto_methods[0];
