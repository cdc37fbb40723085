// Nonsmooth Newton methods: G(r) = map(W r + q, r) = 0 for the maps of cone.h.
//
// Acary et al. 2018, Algorithm 4: r <- r - J^-1 G(r) with an element J of the generalized Jacobian, J = D_u W + D_r,
// both block-diagonal (newton_system.h). Unilateral rows take min(rho u, r), equalities rho u. The merit of the line
// searches is |G|^2 / 2: eq. 113 prints |G| / 2, whose mean slope over a full step that lands on the solution is
// phi'(0) itself, so that Goldstein-Price would refuse just that step for every m2 < 1; the advice m1 < 1/2 < m2 of
// the same section is right for the square.

#include "base/clock.h"
#include "la/dense.h"
#include "ricochet/cone.h"
#include "solve/line_search.h"
#include "solve/method.h"
#include "solve/newton_system.h"
#include "solve/rho.h"

#include <math.h>
#include <string.h>

typedef enum newton_option {
    OPTION_RHO_RULE,
    OPTION_RHO,
    OPTION_LINEAR,
    OPTION_SHIFT,
    OPTION_PATIENCE,
    OPTION_OWN, // the first that not every member has
    OPTION_M1 = OPTION_OWN,
    OPTION_M2,
    OPTION_GROWTH,
    OPTION_TRIES,
    OPTION_GUESS = OPTION_OWN
} newton_option;

static const char *const rules[] = {"standard", "one", "norm", "spectral", "split", "split-condition", NULL};
static const char *const linears[] = {"auto", "sparse", "dense", NULL};

typedef struct variant {
    rico_map_kind map;
    rico_rho_rule rule;       // its standard
    rico_line_search *search; // NULL: full steps
    bool hybrid;              // begins with extragradient iterations
} variant;

// Newton's method gains decades once it is near; a best residual that falls by less than this is no progress.
static const double PROGRESS = 0.9;

typedef struct newton {
    rico_newton_system *system;
    rico_solver *guess; // of the hybrid
    rico_rho *rho;      // of each block, by the rule that was last used
    int rule;           // which, -1 before the first solve
    double fixed;       // and the fixed value, 0 for none
    double *G;          // m: the map
    double *r, *u;      // a trial point of the line search
} newton;


// The map of one contact. Two maps have no rho of their own; they get their velocities scaled beforehand, which leaves
// the law as it is.
static void contact_map(rico_map_kind map, double mu, rico_rho rho, const double u[3], const double r[3],
                        double G[3], double du[9], double dr[9])
{
    if (map != RICO_MAP_FISCHER_BURMEISTER && map != RICO_MAP_XUEWEN_SOH_WANJI) {
        rico_map_evaluate(map, mu, rho.normal, rho.tangent, u, r, G, du, dr);
        return;
    }
    double scaled[3] = {rho.normal * u[0], rho.normal * u[1], rho.normal * u[2]};
    rico_map_evaluate(map, mu, 1.0, 1.0, scaled, r, G, du, dr);
    for (int i = 0; du && i < 9; i++) du[i] *= rho.normal;
}


// The map of block a at (u, r) and, unless du is NULL, its Jacobian blocks as newton_system.h wants them.
static void block_map(const rico_problem *p, rico_map_kind map, int64_t a, rico_rho rho, const double *u,
                      const double *r, double *G, double *du, double *dr)
{
    int64_t size = p->offset[a + 1] - p->offset[a];
    double mu = p->friction[a];
    if (rico_problem_is_joint(p, a)) {
        for (int64_t i = 0; i < size; i++) G[i] = rho.normal * u[i];
        if (du) du[0] = rho.normal;
    } else if (size == 1) {
        bool pressed = r[0] - rho.normal * u[0] > 0.0;
        G[0] = pressed ? rho.normal * u[0] : r[0];
        if (!du) return;
        du[0] = pressed ? rho.normal : 0.0;
        dr[0] = pressed ? 0.0 : 1.0;
    } else if (size == 2) {
        // the second tangent is zero throughout, and so are its row and column
        double u3[3] = {u[0], u[1], 0.0}, r3[3] = {r[0], r[1], 0.0}, G3[3], du3[9], dr3[9];
        contact_map(map, mu, rho, u3, r3, G3, du ? du3 : NULL, du ? dr3 : NULL);
        for (int i = 0; i < 2; i++) {
            G[i] = G3[i];
            for (int j = 0; du && j < 2; j++) {
                du[2 * i + j] = du3[3 * i + j];
                dr[2 * i + j] = dr3[3 * i + j];
            }
        }
    } else {
        contact_map(map, mu, rho, u, r, G, du, dr);
    }
}


static rico_status setup(rico_solver *solver)
{
    rico_context *ctx = solver->ctx;
    rico_problem *p = solver->problem;
    const variant *v = solver->method->variant;
    newton *work = solver->work = rico_alloc(ctx, 1, sizeof *work);
    if (!work) return RICO_NO_MEMORY;
    work->rule = -1;
    work->rho = rico_alloc(ctx, p->block_count, sizeof *work->rho);
    work->G = rico_alloc(ctx, p->rows, sizeof *work->G);
    if (!work->rho || !work->G) return RICO_NO_MEMORY;
    if (v->search) {
        work->r = rico_alloc(ctx, p->rows, sizeof *work->r);
        work->u = rico_alloc(ctx, p->rows, sizeof *work->u);
        if (!work->r || !work->u) return RICO_NO_MEMORY;
    }
    rico_status status = RICO_OK;
    if (v->hybrid) {
        status = rico_solver_create(ctx, "eg-vi-upk", &work->guess);
        if (!status) status = rico_solver_setup_inner(work->guess, p);
    }
    rico_newton_linear linear = (rico_newton_linear)rico_option(solver, OPTION_LINEAR);
    return status ? status : rico_newton_system_create(p, linear, &work->system);
}


static rico_status update(rico_solver *solver, bool matrix)
{
    newton *work = solver->work;
    if (matrix) work->rule = -1;
    if (!work->guess) return RICO_OK;
    return matrix ? rico_solver_update_matrix(work->guess) : rico_solver_update(work->guess);
}


static void cleanup(rico_solver *solver)
{
    newton *work = solver->work;
    rico_newton_system_destroy(work->system);
    rico_solver_destroy(work->guess);
    rico_free(solver->ctx, work->rho);
    rico_free(solver->ctx, work->G);
    rico_free(solver->ctx, work->r);
    rico_free(solver->ctx, work->u);
    rico_free(solver->ctx, work);
}


// Brings rho up to date with the options, which may change between two solves, and with W.
static void choose_rho(rico_solver *solver)
{
    const rico_problem *p = solver->problem;
    const variant *v = solver->method->variant;
    newton *work = solver->work;
    int choice = (int)rico_option(solver, OPTION_RHO_RULE);
    int rule = choice == 0 ? (int)v->rule : choice - 1; // the choices list "standard" before the rules
    double fixed = rico_option(solver, OPTION_RHO);
    if (rule == work->rule && fixed == work->fixed) return;

    for (int64_t a = 0; a < p->block_count; a++) {
        const double *W = &p->W.value[p->W.place[p->W.diagonal[a]]];
        bool equality = rico_problem_is_joint(p, a); // one rho for all its rows
        rico_rho_rule own = equality && rule != RICO_RHO_ONE ? RICO_RHO_NORM : (rico_rho_rule)rule;
        work->rho[a] = fixed > 0.0 ? (rico_rho){fixed, fixed}
                                   : rico_rho_from_block(own, p->offset[a + 1] - p->offset[a], W);
    }
    work->rule = rule;
    work->fixed = fixed;
}


static void evaluate(const rico_solver *solver, const double *u, const double *r, double *G, bool jacobian)
{
    const rico_problem *p = solver->problem;
    const newton *work = solver->work;
    const variant *v = solver->method->variant;
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t first = p->offset[a];
        block_map(p, v->map, a, work->rho[a], &u[first], &r[first], &G[first],
                  jacobian ? &work->system->du[9 * a] : NULL, jacobian ? &work->system->dr[9 * a] : NULL);
    }
}


typedef struct search_line {
    const rico_solver *solver;
    const rico_run *run;
} search_line;


// |G|^2 / 2 at r + t d; velocities follow as u + t W d.
static double merit(void *user, double t)
{
    const search_line *line = user;
    const newton *work = line->solver->work;
    int64_t rows = line->solver->problem->rows;
    for (int64_t i = 0; i < rows; i++) {
        work->r[i] = line->run->r[i] + t * work->system->d[i];
        work->u[i] = line->run->u[i] + t * work->system->Wd[i];
    }
    evaluate(line->solver, work->u, work->r, work->G, false);
    return 0.5 * rico_dot(rows, work->G, work->G);
}


// phi'(0) = G' J d, from the same blocks as J itself; -|G|^2 for a step without shift.
static double merit_slope(const rico_problem *p, const newton *work)
{
    double slope = 0.0;
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t first = p->offset[a], size = p->offset[a + 1] - first;
        const double *du = &work->system->du[9 * a], *dr = &work->system->dr[9 * a];
        for (int64_t i = 0; i < size; i++) {
            double change = 0.0;
            if (rico_problem_is_joint(p, a)) {
                change = du[0] * work->system->Wd[first + i];
            } else {
                for (int64_t j = 0; j < size; j++)
                    change += du[i * size + j] * work->system->Wd[first + j] +
                              dr[i * size + j] * work->system->d[first + j];
            }
            slope += work->G[first + i] * change;
        }
    }
    return slope;
}


// How far to go along d: all the way, or what the line search says. The kinks of G make directions possible that do
// not descend; they are gone along in full, and what comes after need not be worse.
static double step_length(const rico_solver *solver, const rico_run *run)
{
    const variant *v = solver->method->variant;
    const newton *work = solver->work;
    const rico_problem *p = solver->problem;
    double longest = work->system->longest;
    if (!v->search) return longest;

    search_line line = {solver, run};
    rico_merit m = {merit, &line, 0.5 * rico_dot(p->rows, work->G, work->G), merit_slope(p, work)};
    if (!(m.slope < 0.0)) return longest;
    rico_line_search_options options = {.m1 = rico_option(solver, OPTION_M1),
                                        .m2 = rico_option(solver, OPTION_M2),
                                        .growth = rico_option(solver, OPTION_GROWTH),
                                        .tries = (int)rico_option(solver, OPTION_TRIES)};
    return v->search(&m, longest, &options).t;
}


// The hybrid's starting point: some iterations of the extragradient method, within the time that is left.
static rico_status improve_guess(rico_solver *solver, rico_run *run)
{
    newton *work = solver->work;
    rico_solver *guess = work->guess;
    guess->option[RICO_OPT_TOL] = run->tol;
    guess->option[RICO_OPT_MAX_ITER] = rico_option(solver, OPTION_GUESS);
    guess->option[RICO_OPT_TIME_LIMIT] =
        run->deadline < INFINITY ? fmax(run->deadline - rico_clock(), 1e-9) : 0.0;
    rico_report report;
    return rico_solver_solve(guess, run->r, NULL, &report);
}


static rico_status solve(rico_solver *solver, rico_run *run)
{
    const rico_problem *p = solver->problem;
    const variant *v = solver->method->variant;
    newton *work = solver->work;
    int64_t patience = (int64_t)rico_option(solver, OPTION_PATIENCE), reached = 0;
    double mark = INFINITY, shift = rico_option(solver, OPTION_SHIFT); // a shift once needed stays
    choose_rho(solver);
    if (v->hybrid) {
        rico_status status = improve_guess(solver, run);
        if (status) return status;
        if (rico_run_check(run, 0)) return RICO_OK;
    }

    for (int64_t k = 1;; k++) {
        evaluate(solver, run->u, run->r, work->G, true);
        rico_status status = rico_newton_system_solve(work->system, work->G, &shift);
        if (status == RICO_SINGULAR) {
            rico_run_stop(run, RICO_BREAKDOWN, "no Newton step from iterate %lld: %s", (long long)(k - 1),
                          rico_message(solver->ctx));
            return RICO_OK;
        }
        if (status) return status;

        rico_axpy(p->rows, step_length(solver, run), work->system->d, run->r);
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


#define COMMON_OPTIONS                                                                                       \
    [OPTION_RHO_RULE] = {"rho-rule",                                                                         \
                         "steps of the map: standard is split for the disk maps, spectral otherwise",        \
                         RICO_CHOICE,                                                                        \
                         0,                                                                                  \
                         0,                                                                                  \
                         0,                                                                                  \
                         rules},                                                                             \
    [OPTION_RHO] =                                                                                           \
        {"rho", "the same step for all contacts; 0 goes by the rule", RICO_REAL, 0, 1e12, 0, NULL},          \
    [OPTION_LINEAR] = {"linear",    "factorization, chosen at setup; auto goes by size and fill",            \
                       RICO_CHOICE, 0,                                                                       \
                       0,           0,                                                                       \
                       linears},                                                                             \
    [OPTION_SHIFT] = {"shift", "what is added to W in the Jacobian, relative to |W_aa|", RICO_REAL, 0, 1, 0, \
                      NULL},                                                                                 \
    [OPTION_PATIENCE] = {                                                                                    \
        "patience", "iterations without progress before giving up", RICO_INTEGER, 1, 1e9, 100, NULL}

static const rico_option_info plain_options[] = {COMMON_OPTIONS};
static const rico_option_info search_options[] = {
    COMMON_OPTIONS,
    [OPTION_M1] = {"m1", "a step is short enough below m1 times the slope", RICO_REAL, 1e-12, 0.999, 0.1,
                   NULL},
    [OPTION_M2] = {"m2", "and long enough above m2 times it (Goldstein-Price)", RICO_REAL, 1e-3, 0.999999,
                   0.9, NULL},
    [OPTION_GROWTH] = {"a", "factor of extrapolation, 1 for none", RICO_REAL, 1, 100, 2, NULL},
    [OPTION_TRIES] = {"tries", "steps tried in one search", RICO_INTEGER, 1, 1e6, 6, NULL},
};
static const rico_option_info hybrid_options[] = {
    COMMON_OPTIONS,
    [OPTION_GUESS] = {"guess-iterations", "iterations of eg-vi-upk beforehand", RICO_INTEGER, 0, 1e9, 100,
                      NULL},
};

#define TAKES_ALL                                                                                            \
    (RICO_TAKES_REDUCED | RICO_TAKES_EQUALITY | RICO_TAKES_UNILATERAL | RICO_TAKES_COULOMB_2D |              \
     RICO_TAKES_COULOMB_3D | RICO_TAKES_UNSYMMETRIC)
// Xuewen-Soh-Wanji's second and third rows are the slip and its alignment: in a plane one row too many
#define TAKES_SPACE (TAKES_ALL & ~(unsigned)RICO_TAKES_COULOMB_2D)

#define MEMBER(NAME, SUMMARY, REFERENCE, TAKES, OPTIONS, MAP, RULE, SEARCH, HYBRID)                          \
    {                                                                                                        \
        .info = {.name = NAME,                                                                               \
                 .family = "newton",                                                                         \
                 .summary = SUMMARY,                                                                         \
                 .reference = "Acary, Bremond, Huber 2018, " REFERENCE,                                      \
                 .takes = TAKES,                                                                             \
                 .option_count = sizeof OPTIONS / sizeof OPTIONS[0],                                         \
                 .options = OPTIONS},                                                                        \
        .setup = setup, .update = update, .solve = solve, .cleanup = cleanup, .variant = &(const variant)    \
        {                                                                                                    \
            MAP, RULE, SEARCH, HYBRID                                                                        \
        }                                                                                                    \
    }

// One map: with full steps, with Goldstein-Price, with Armijo.
#define THREE(NAME, SUMMARY, EQUATION, TAKES, MAP, RULE)                                                     \
    MEMBER(NAME, "nonsmooth Newton, " SUMMARY ", full steps", "Algorithm 4, " EQUATION, TAKES,               \
           plain_options, MAP, RULE, NULL, false),                                                           \
        MEMBER(NAME "-gp", "nonsmooth Newton, " SUMMARY ", Goldstein-Price line search",                     \
               "Algorithms 4 and 5, " EQUATION, TAKES, search_options, MAP, RULE,                            \
               rico_line_search_goldstein_price, false),                                                     \
        MEMBER(NAME "-a", "nonsmooth Newton, " SUMMARY ", Armijo line search",                               \
               "Algorithms 4 and 6, " EQUATION, TAKES, search_options, MAP, RULE, rico_line_search_armijo,   \
               false)

const rico_method rico_newton_methods[] = {
    THREE("nsn-ac", "Alart-Curnier map", "eq. 63", TAKES_ALL, RICO_MAP_ALART_CURNIER, RICO_RHO_SPLIT),
    THREE("nsn-jm", "Jean-Moreau map", "eq. 61", TAKES_ALL, RICO_MAP_JEAN_MOREAU, RICO_RHO_SPLIT),
    THREE("nsn-nm", "natural map", "eq. 51", TAKES_ALL, RICO_MAP_NATURAL, RICO_RHO_SPECTRAL),
    THREE("nsn-fb", "Fischer-Burmeister map", "eq. 79", TAKES_ALL, RICO_MAP_FISCHER_BURMEISTER,
          RICO_RHO_SPECTRAL),
    THREE("nsn-xsw", "Xuewen-Soh-Wanji map", "eq. 65", TAKES_SPACE, RICO_MAP_XUEWEN_SOH_WANJI,
          RICO_RHO_SPECTRAL),
    THREE("nsn-hsw", "Hueber-Stadler-Wohlmuth map", "eq. 66", TAKES_ALL, RICO_MAP_HUEBER_STADLER_WOHLMUTH,
          RICO_RHO_SPLIT),
    MEMBER("nsn-ac-hybrid", "nonsmooth Newton, Alart-Curnier map, from an extragradient guess",
           "Algorithms 2 and 4, eq. 63", TAKES_ALL, hybrid_options, RICO_MAP_ALART_CURNIER, RICO_RHO_SPLIT,
           NULL, true),
};
const int rico_newton_count = sizeof rico_newton_methods / sizeof rico_newton_methods[0];
