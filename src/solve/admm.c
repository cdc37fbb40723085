// Alternating directions (ADMM) on the cone problem: a linear system that never changes, a projection, a multiplier.
//
// With r = y split between the quadratic part and the cone and R = diag(rho |W_aa|) one penalty per block,
//
//     y = P_K(p),   w = p - y,   (W + R) r = R (y - w) - q - g,   p <- p + relax (r - y),
//
// where p is the only state: at rest r = y and -R w = hat(u), so that slip is known from w without a product. The
// factors of W + R serve until rho changes by enough. Two rules change rho so that the primal residual r - y and the
// dual one R (y - y before) stay in balance: doubling and halving (Boyd et al. 2011, 3.4.1), and steps of the
// exponent of the condition number of W (Carpentier, Le Lidec, Montaut 2024). Rows of joints are all but solved in
// the linear system: their penalty is tiny and their projection the identity.
//
// p -> p+ is a fixed-point map, sped up by Anderson's extrapolation or by Nesterov's with restart (Goldstein et al.
// 2014). The term of friction g follows w at each iteration, or is frozen for a whole convex problem.

#include "la/dense.h"
#include "la/spectrum.h"
#include "solve/anderson.h"
#include "solve/cone_system.h"
#include "solve/method.h"

#include <math.h>
#include <string.h>

typedef enum admm_option {
    OPTION_PENALTY,
    OPTION_RULE,
    OPTION_RELAX,
    OPTION_COULOMB,
    OPTION_ACCELERATION,
    OPTION_MEMORY,
    OPTION_REFACTOR,
    OPTION_CHECK,
    OPTION_SPACE,
    OPTION_STORAGE
} admm_option;
typedef enum admm_rule { RULE_FIXED, RULE_BALANCE, RULE_SPECTRAL } admm_rule;
typedef enum admm_coulomb { COULOMB_EACH, COULOMB_OUTER } admm_coulomb;
typedef enum admm_acceleration {
    ACCELERATION_NONE,
    ACCELERATION_NESTEROV,
    ACCELERATION_ANDERSON
} admm_acceleration;

static const char *const rules[] = {"fixed", "balance", "spectral", NULL};
static const char *const coulombs[] = {"each", "outer", NULL};
static const char *const accelerations[] = {"none", "nesterov", "anderson", NULL};
static const char *const spaces[] = {"auto", "rows", "dofs", NULL};
static const char *const storages[] = {"auto", "sparse", "dense", NULL};

static const rico_option_info options[] = {
    [OPTION_PENALTY] = {"penalty", "first rho, over |W_aa|, 0 for the spectral rule's; taken at setup",
                        RICO_REAL, 0.0, 1e12, 0.0, NULL},
    [OPTION_RULE] = {"rule", "how rho changes", RICO_CHOICE, 0, 0, RULE_SPECTRAL, rules},
    [OPTION_RELAX] = {"relax", "over-relaxation", RICO_REAL, 0.5, 1.99, 1.6, NULL},
    [OPTION_COULOMB] = {"coulomb", "the term mu |u_T|: renewed at each iteration, or in an outer loop",
                        RICO_CHOICE, 0, 0, COULOMB_EACH, coulombs},
    [OPTION_ACCELERATION] = {"acceleration", "of the fixed point", RICO_CHOICE, 0, 0, ACCELERATION_ANDERSON,
                             accelerations},
    [OPTION_MEMORY] = {"memory", "iterates that Anderson's extrapolation combines; taken at setup",
                       RICO_INTEGER, 1, RICO_ANDERSON_WINDOW, 15, NULL},
    [OPTION_REFACTOR] = {"refactor", "change of rho, as a factor, worth a new factorization", RICO_REAL, 1.0,
                         1e6, 8.0, NULL},
    [OPTION_CHECK] = {"check-every", "iterations between two checks of the residual, at most", RICO_INTEGER,
                      1, 1e9, 10, NULL},
    [OPTION_SPACE] = {"space", "unknowns of the linear systems: rows, or velocities where W is of low rank",
                      RICO_CHOICE, 0, 0, RICO_SPACE_AUTO, spaces},
    [OPTION_STORAGE] = {"storage", "matrices of the linear systems", RICO_CHOICE, 0, 0, RICO_STORAGE_AUTO,
                        storages},
};

static const double joint_penalty = 1e-5; // over |W_aa|
static const double proximal = 1e-6;   // smallest eigenvalue that the spectral rule assumes, over the largest
static const double usual_power = 0.2; // of the condition number, to begin with, and by how much it changes
static const double power_step = 0.05;
static const double imbalance = 10.0;      // of the two residuals, that calls for another rho
static const double restart = 2.0;         // growth of the step that makes Anderson forget
static const int64_t patience = 5000;      // iterations without a better residual, beyond those that it took
static const double outer_progress = 0.01; // fall of the fixed-point residual after which friction is renewed

typedef struct admm {
    rico_cone_system *system;
    rico_anderson anderson;
    double *scale;             // |W_aa| for each row
    double largest;            // eigenvalue of W in that scale
    double rho, first_rho;     // of the present factors, and of the first of every run
    double power, first_power; // of the condition number in the spectral rule
    double *vectors;
    double *p, *next, *y, *w, *r, *rhs, *old, *before, *weight;
    double *q;     // q, and what the systems leave out of W y
    double *shift; // g, one entry per block
} admm;


// W in the scale of the penalties, for Lanczos' method.
typedef struct scaled_delassus {
    const admm *work;
    rico_status status;
} scaled_delassus;


static void apply_scaled(void *user, const double *x, double *y)
{
    scaled_delassus *s = user;
    const admm *work = s->work;
    int64_t rows = work->system->rows;
    for (int64_t i = 0; i < rows; i++) work->rhs[i] = x[i] / sqrt(work->scale[i]);
    rico_status status = rico_cone_system_response(work->system, work->rhs, y);
    if (status) s->status = status;
    for (int64_t i = 0; i < rows; i++) y[i] /= sqrt(work->scale[i]);
}


static void set_penalty(const rico_problem *p, admm *work, double rho)
{
    work->rho = rho;
    for (int64_t a = 0; a < p->block_count; a++)
        for (int64_t i = p->offset[a]; i < p->offset[a + 1]; i++)
            work->system->shift[i] = work->weight[i] =
                (rico_problem_is_joint(p, a) ? joint_penalty : rho) * work->scale[i];
}


// sqrt(l L) (L/l)^power with L the largest eigenvalue and l the smallest assumed.
static double spectral_penalty(const admm *work, double power)
{
    return pow(1.0 / proximal, power) * work->largest * sqrt(proximal);
}


static rico_status setup(rico_solver *solver)
{
    rico_context *ctx = solver->ctx;
    rico_problem *p = solver->problem;
    admm *work = solver->work = rico_alloc(ctx, 1, sizeof *work);
    if (!work) return RICO_NO_MEMORY;
    rico_status status =
        rico_cone_system_create(p, (rico_space)rico_option(solver, OPTION_SPACE),
                                (rico_storage)rico_option(solver, OPTION_STORAGE), true, &work->system);
    if (!status)
        status = rico_anderson_create(ctx, p->rows, (int)rico_option(solver, OPTION_MEMORY), &work->anderson);
    if (status) return status;

    double **vectors[] = {&work->p,   &work->next,   &work->y,      &work->w,     &work->r, &work->rhs,
                          &work->old, &work->before, &work->weight, &work->scale, &work->q};
    int64_t count = sizeof vectors / sizeof vectors[0];
    work->vectors = rico_alloc(ctx, count * p->rows, sizeof *work->vectors);
    work->shift = rico_alloc(ctx, p->block_count, sizeof *work->shift);
    if (!work->vectors || !work->shift) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < count; i++) *vectors[i] = work->vectors + i * p->rows;

    double mean = 0.0;
    for (int64_t a = 0; a < p->block_count; a++) mean += p->block_norm[a] / (double)p->block_count;
    if (mean == 0.0) mean = 1.0;
    for (int64_t a = 0; a < p->block_count; a++)
        for (int64_t i = p->offset[a]; i < p->offset[a + 1]; i++)
            work->scale[i] = fmax(p->block_norm[a], 1e-12 * mean);

    // a dozen steps of Lanczos' method give the largest eigenvalue well enough
    enum { STEPS = 12 };
    scaled_delassus W = {work, RICO_OK};
    rico_spectrum spectrum = {.largest = 1.0};
    status = rico_lanczos(ctx, p->rows, apply_scaled, &W, STEPS, 0, &spectrum);
    if (!status) status = W.status;
    if (status) return status;
    work->largest = spectrum.largest > 0.0 ? spectrum.largest : 1.0;
    double rho = rico_option(solver, OPTION_PENALTY), usual = spectral_penalty(work, usual_power);
    work->first_rho = rho > 0.0 ? rho : usual;
    work->first_power = usual_power + log(work->first_rho / usual) / log(1.0 / proximal);
    set_penalty(p, work, work->first_rho);
    return rico_cone_system_factor(work->system);
}


static void cleanup(rico_solver *solver)
{
    admm *work = solver->work;
    rico_cone_system_destroy(work->system);
    rico_anderson_destroy(&work->anderson);
    rico_free(solver->ctx, work->vectors);
    rico_free(solver->ctx, work->shift);
    rico_free(solver->ctx, work);
}


static rico_status update(rico_solver *solver, bool matrix)
{
    if (!matrix) return RICO_OK;
    cleanup(solver);
    return setup(solver);
}


static double slip_of(const rico_problem *p, int64_t a, const double *u)
{
    return p->friction[a] > 0.0 ? rico_cone_slip(p->offset[a + 1] - p->offset[a], u) : 0.0;
}


// y = P_K(p), w = p - y; the term of friction from w when it is to be renewed.
static void split(const rico_problem *p, admm *work, const double *state, bool renew)
{
    memcpy(work->y, state, (size_t)p->rows * sizeof *work->y);
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t first = p->offset[a], last = p->offset[a + 1];
        rico_problem_project_block(p, a, &work->y[first]);
        for (int64_t i = first; i < last; i++) work->w[i] = state[i] - work->y[i];
        if (renew) work->shift[a] = p->friction[a] * work->weight[first] * slip_of(p, a, &work->w[first]);
    }
}


// next = the map at p.
static rico_status map(const rico_problem *p, admm *work, double relax, bool renew)
{
    split(p, work, work->p, renew);
    for (int64_t i = 0; i < p->rows; i++)
        work->rhs[i] = work->weight[i] * (work->y[i] - work->w[i]) - work->q[i];
    for (int64_t a = 0; a < p->block_count; a++) work->rhs[p->offset[a]] -= work->shift[a];
    rico_status status = rico_cone_system_solve(work->system, work->rhs, work->r);
    for (int64_t i = 0; i < p->rows; i++) work->next[i] = work->p[i] + relax * (work->r[i] - work->y[i]);
    return status;
}


// |x - y| in the metric of the penalties, where r and u weigh alike.
static double distance(const rico_problem *p, const admm *work, const double *x, const double *y)
{
    double sum = 0.0;
    for (int64_t i = 0; i < p->rows; i++) sum += work->weight[i] * (x[i] - y[i]) * (x[i] - y[i]);
    return sqrt(sum);
}


// The rho that the residuals ask for, or the one wanted so far.
static double better_penalty(const rico_problem *p, admm *work, admm_rule rule, double wanted)
{
    double primal = distance(p, work, work->r, work->y), dual = distance(p, work, work->y, work->old);
    int direction = primal > imbalance * dual ? 1 : dual > imbalance * primal ? -1 : 0;
    if (rule == RULE_FIXED || direction == 0) return wanted;
    if (rule == RULE_BALANCE) return direction > 0 ? 2.0 * wanted : 0.5 * wanted;
    work->power = fmin(0.5, fmax(-0.5, work->power + direction * power_step));
    return spectral_penalty(work, work->power);
}


// New factors for another rho; hat(u) = -R w and y stay what they are, and p follows.
static rico_status change_penalty(const rico_problem *p, admm *work, double rho)
{
    double shrink = work->rho / rho;
    for (int64_t a = 0; a < p->block_count; a++)
        for (int64_t i = p->offset[a]; !rico_problem_is_joint(p, a) && i < p->offset[a + 1]; i++)
            work->next[i] += (shrink - 1.0) * work->w[i];
    set_penalty(p, work, rho);
    return rico_cone_system_factor(work->system);
}


static void set_metric(admm *work, int64_t rows)
{
    for (int64_t i = 0; i < rows; i++) work->anderson.weight[i] = sqrt(work->weight[i]);
    rico_anderson_restart(&work->anderson);
}


// The systems may hold a W that is a little off: what that makes at y goes into q. u = W y + q.
static void correct_model(const rico_problem *p, admm *work, const double *u)
{
    if (work->system->exact) return;
    rico_cone_system_model(work->system, work->y, work->q);
    for (int64_t i = 0; i < p->rows; i++) work->q[i] = u[i] - work->q[i];
}


// p = y + w from r and its velocity, with the first rho: what a run does must not depend on the one before.
static rico_status begin(rico_problem *p, admm *work, const double *r)
{
    rico_status status = rico_problem_velocity(p, r, work->rhs, NULL);
    work->power = work->first_power;
    if (!status && work->rho != work->first_rho) {
        set_penalty(p, work, work->first_rho);
        status = rico_cone_system_factor(work->system);
    }
    if (status) return status;
    memcpy(work->q, p->q, (size_t)p->rows * sizeof *work->q);
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t first = p->offset[a];
        work->shift[a] = p->friction[a] * slip_of(p, a, &work->rhs[first]);
        for (int64_t i = first; i < p->offset[a + 1]; i++) {
            double hat = work->rhs[i] + (i == first ? work->shift[a] : 0.0);
            work->p[i] = r[i] - (rico_problem_is_joint(p, a) ? 0.0 : hat / work->weight[i]);
        }
    }
    return RICO_OK;
}


// The next p from the map's value in work->next, extrapolated when told to. Steps that grow restart everything.
static void advance(admm *work, int64_t rows, admm_acceleration how, double change, double last,
                    double *momentum)
{
    size_t bytes = (size_t)rows * sizeof *work->p;
    if (how == ACCELERATION_ANDERSON) {
        if (change > restart * last) rico_anderson_restart(&work->anderson);
        rico_anderson_mix(&work->anderson, work->p, work->next, work->p);
    } else if (how == ACCELERATION_NESTEROV) {
        // Goldstein et al. 2014, Algorithm 8
        double next = 0.5 * (1.0 + sqrt(1.0 + 4.0 * *momentum * *momentum));
        double weight = change < 0.999 * last ? (*momentum - 1.0) / next : 0.0;
        *momentum = weight > 0.0 || *momentum == 1.0 ? next : 1.0;
        for (int64_t i = 0; i < rows; i++)
            work->p[i] = work->next[i] + weight * (work->next[i] - work->before[i]);
        memcpy(work->before, work->next, bytes);
    } else {
        memcpy(work->p, work->next, bytes);
    }
}


static rico_status solve(rico_solver *solver, rico_run *run)
{
    rico_problem *p = solver->problem;
    admm *work = solver->work;
    double relax = rico_option(solver, OPTION_RELAX), refactor = rico_option(solver, OPTION_REFACTOR);
    admm_rule rule = (admm_rule)rico_option(solver, OPTION_RULE);
    admm_coulomb coulomb = (admm_coulomb)rico_option(solver, OPTION_COULOMB);
    admm_acceleration how = (admm_acceleration)rico_option(solver, OPTION_ACCELERATION);
    int64_t spacing = (int64_t)rico_option(solver, OPTION_CHECK);
    size_t bytes = (size_t)p->rows * sizeof *work->p;

    rico_status status = begin(p, work, run->r);
    set_metric(work, p->rows);
    double wanted = work->rho, last = INFINITY, momentum = 1.0, first_change = 0.0, trigger = run->tol;
    double best = INFINITY;
    int64_t best_at = 0;
    bool renew = coulomb == COULOMB_EACH;
    memcpy(work->before, work->p, bytes);
    for (int64_t k = 1; !status; k++) {
        memcpy(work->old, work->y, bytes);
        status = map(p, work, relax, renew);
        if (status) return status;
        double change = distance(p, work, work->next, work->p), size = distance(p, work, work->y, work->w);
        if (!isfinite(change)) {
            rico_run_stop(run, RICO_DIVERGED, "the iterates grew beyond all bounds after %lld iterations",
                          (long long)k);
            return RICO_OK;
        }

        bool small = change <= trigger * size;
        if (small || k % spacing == 0 || k >= run->max_iterations) {
            memcpy(run->r, work->y, bytes);
            if (rico_run_check(run, k)) return RICO_OK;
            correct_model(p, work, run->u);
            if (run->best_residual.relative < best) {
                best = run->best_residual.relative;
                best_at = k;
            }
            if (k - best_at > patience + best_at) {
                rico_run_stop(run, RICO_STALLED, "the best residual, %.3g, is from iteration %lld of %lld",
                              best, (long long)best_at, (long long)k);
                return RICO_OK;
            }
            if (change == 0.0) {
                rico_run_stop(run, RICO_STALLED, "an iteration changed nothing, at a residual of %.3g",
                              run->residual.relative);
                return RICO_OK;
            }
            if (small) trigger *= 0.25;
        } else if (rico_run_limits(run, k)) {
            memcpy(run->r, work->y, bytes);
            rico_run_check(run, k);
            return RICO_OK;
        }

        // the convex problem of the outer loop is solved well enough: look at the slip again
        if (renew || k == 1) first_change = change; // the first with this friction
        renew = coulomb == COULOMB_EACH || change <= outer_progress * first_change;
        if (coulomb == COULOMB_OUTER && renew) rico_anderson_restart(&work->anderson);

        wanted = k > 1 ? better_penalty(p, work, rule, wanted) : wanted;
        if (wanted > refactor * work->rho || wanted < work->rho / refactor) {
            status = change_penalty(p, work, wanted);
            set_metric(work, p->rows);
            memcpy(work->p, work->next, bytes);
            memcpy(work->before, work->next, bytes);
            momentum = 1.0;
            last = INFINITY;
            continue;
        }
        advance(work, p->rows, how, change, last, &momentum);
        last = change;
    }
    if (status == RICO_SINGULAR || status == RICO_BAD_INPUT) {
        rico_run_stop(run, RICO_BREAKDOWN, "%s", rico_message(solver->ctx));
        return RICO_OK;
    }
    return status;
}


const rico_method rico_admm_methods[] = {{
    .info = {.name = "admm",
             .family = "splitting",
             .summary = "alternating directions: one linear system, projections, an adaptive penalty",
             .reference = "Boyd et al. 2011; Carpentier, Le Lidec, Montaut 2024; Goldstein et al. 2014",
             .takes = RICO_TAKES_REDUCED | RICO_TAKES_GLOBAL | RICO_TAKES_EQUALITY | RICO_TAKES_UNILATERAL |
                      RICO_TAKES_COULOMB_2D | RICO_TAKES_COULOMB_3D | RICO_TAKES_UNSYMMETRIC,
             .option_count = sizeof options / sizeof options[0],
             .options = options},
    .setup = setup,
    .update = update,
    .solve = solve,
    .cleanup = cleanup,
}};

const int rico_admm_count = sizeof rico_admm_methods / sizeof rico_admm_methods[0];
