// Nonsmooth Newton methods: G(r) = map(W r + q, r) = 0 for the maps of cone.h.
//
// Acary et al. 2018, Algorithm 4: r <- r - J^-1 G(r) with an element J of the generalized Jacobian, J = D_u W + D_r,
// both block-diagonal (newton_system.h). Members gnsn-* take the same steps on the global form, from a system in
// velocities and impulses (eq. 157), and never form W. The merit of the line
// searches is |G|^2 / 2: eq. 113 prints |G| / 2, whose mean slope over a full step that lands on the solution is
// phi'(0) itself, so that Goldstein-Price would refuse just that step for every m2 < 1; the advice m1 < 1/2 < m2 of
// the same section is right for the square.

#include "base/clock.h"
#include "la/dense.h"
#include "solve/line_search.h"
#include "solve/method.h"
#include "solve/newton_map.h"
#include "solve/newton_system.h"
#include "solve/rho.h"

#include <math.h>
#include <string.h>

typedef enum newton_option {
    OPTION_RHO_RULE,
    OPTION_RHO,
    OPTION_ADAPT,
    OPTION_SHIFT,
    OPTION_PATIENCE,
    OPTION_LINEAR, // of the reduced form
    OPTION_COUNT   // then, as far as the member has them, those below, in this order
} newton_option;
typedef enum search_option { SEARCH_M1, SEARCH_M2, SEARCH_GROWTH, SEARCH_TRIES, SEARCH_COUNT } search_option;

static const char *const rules[] = {"standard", "one", "norm", "spectral", "split", "split-condition", NULL};
static const char *const linears[] = {"auto", "sparse", "dense", NULL};
static const char *const jacobians[] = {"element", "modified", "hybrid", "frozen", NULL};

typedef struct variant {
    rico_map_kind map;
    rico_rho_rule rule;       // its standard
    rico_line_search *search; // NULL: full steps
    bool hybrid;              // begins with extragradient iterations
    bool global;              // on M and H
} variant;

// Newton's method gains decades once it is near; a best residual that falls by less than this is no progress.
static const double PROGRESS = 0.9;

// rho goes no further than this from its rule when it adapts.
static const double ADAPTED_MOST = 1e4;

typedef struct newton {
    rico_newton_system *system;
    rico_solver *guess; // of the hybrid
    rico_rho *rho;      // of each block, by the rule that was last used
    int rule;           // which, -1 before the first solve
    double fixed;       // and the fixed value, 0 for none
    bool adapted;       // some rho left its rule
    double *diagonal;   // 9 for each block: W_aa, where W is not there
    uint8_t *states;    // of each block: the predictions of the last two steps, two bits each
    double *spread;     // of each block: how far its rho went from the rule
    rico_newton_map map;
    double *G;     // m: the map
    double *r, *u; // a trial point of the line search
} newton;


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
    work->states = rico_alloc(ctx, p->block_count, sizeof *work->states);
    work->spread = rico_alloc(ctx, p->block_count, sizeof *work->spread);
    if (!work->rho || !work->G || !work->states || !work->spread) return RICO_NO_MEMORY;
    if (v->global) {
        work->diagonal = rico_alloc(ctx, 9 * p->block_count, sizeof *work->diagonal);
        rico_status made = work->diagonal ? rico_problem_diagonal_blocks(p, work->diagonal) : RICO_NO_MEMORY;
        if (made) return made;
    }
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
    rico_newton_linear linear =
        v->global ? RICO_NEWTON_MIXED : (rico_newton_linear)rico_option(solver, OPTION_LINEAR);
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
    rico_free(solver->ctx, work->diagonal);
    rico_free(solver->ctx, work->states);
    rico_free(solver->ctx, work->spread);
    rico_free(solver->ctx, work->G);
    rico_free(solver->ctx, work->r);
    rico_free(solver->ctx, work->u);
    rico_free(solver->ctx, work);
}


// The first of the options beyond those that all members of a form share.
static int own_options(const variant *v)
{
    return v->global ? OPTION_LINEAR : OPTION_COUNT;
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
    if (rule == work->rule && fixed == work->fixed && !work->adapted) return;

    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t size = p->offset[a + 1] - p->offset[a];
        const double *W = work->diagonal ? &work->diagonal[9 * a] : &p->W.value[p->W.place[p->W.diagonal[a]]];
        bool equality = rico_problem_is_joint(p, a); // one rho for all its rows
        rico_rho_rule own = equality && rule != RICO_RHO_ONE ? RICO_RHO_NORM : (rico_rho_rule)rule;
        if (fixed > 0.0)
            work->rho[a] = (rico_rho){fixed, fixed};
        else if (work->diagonal && size > 3) // its entries are not kept, but its norm is
            work->rho[a].normal = work->rho[a].tangent =
                own == RICO_RHO_ONE || !(p->block_norm[a] > 0.0) ? 1.0 : 1.0 / p->block_norm[a];
        else
            work->rho[a] = rico_rho_from_block(own, size, W);
    }
    work->rule = rule;
    work->fixed = fixed;
    work->adapted = false;
}


// A contact that goes back and forth between two states has a rho that throws it over: its normal one where it opens and
// closes, its tangential one where it sticks and slides, is multiplied by `factor`.
static void adapt_rho(rico_solver *solver, const double *u, const double *r, double factor)
{
    const rico_problem *p = solver->problem;
    newton *work = solver->work;
    bool single = work->map.kind == RICO_MAP_NATURAL || work->map.kind == RICO_MAP_FISCHER_BURMEISTER ||
                  work->map.kind == RICO_MAP_XUEWEN_SOH_WANJI;
    for (int64_t a = 0; a < p->block_count; a++) {
        unsigned now = rico_newton_map_state(p, a, work->rho[a], &u[p->offset[a]], &r[p->offset[a]]);
        unsigned last = work->states[a] & 3u, before = work->states[a] >> 2 & 3u;
        work->states[a] = (uint8_t)(now | last << 2);
        double spread = work->spread[a] * factor;
        if (now == last || now != before || !(spread < ADAPTED_MOST && spread > 1.0 / ADAPTED_MOST)) continue;
        bool normal = now == RICO_OPEN || last == RICO_OPEN;
        if (normal || single) work->rho[a].normal *= factor;
        if (!normal || single) work->rho[a].tangent *= factor;
        work->spread[a] = spread;
        work->adapted = true;
    }
}


static void evaluate(const rico_solver *solver, const double *u, const double *r, double *G, bool jacobian)
{
    const rico_problem *p = solver->problem;
    const newton *work = solver->work;
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t first = p->offset[a];
        rico_newton_map_block(p, &work->map, a, work->rho[a], &u[first], &r[first], &G[first],
                              jacobian ? &work->system->du[9 * a] : NULL,
                              jacobian ? &work->system->dr[9 * a] : NULL);
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
    int own = own_options(v);
    rico_line_search_options options = {.m1 = rico_option(solver, own + SEARCH_M1),
                                        .m2 = rico_option(solver, own + SEARCH_M2),
                                        .growth = rico_option(solver, own + SEARCH_GROWTH),
                                        .tries = (int)rico_option(solver, own + SEARCH_TRIES)};
    return v->search(&m, longest, &options).t;
}


// The hybrid's starting point: some iterations of the extragradient method, within the time that is left.
static rico_status improve_guess(rico_solver *solver, rico_run *run)
{
    newton *work = solver->work;
    rico_solver *guess = work->guess;
    guess->option[RICO_OPT_TOL] = run->tol;
    guess->option[RICO_OPT_MAX_ITER] = rico_option(solver, own_options(solver->method->variant));
    guess->option[RICO_OPT_TIME_LIMIT] =
        run->deadline < INFINITY ? fmax(run->deadline - rico_clock(), 1e-9) : 0.0;
    rico_report report;
    return rico_solver_solve(guess, run->r, NULL, &report);
}


// Which equations, and that no contact has a history.
static void prepare_map(rico_solver *solver)
{
    const variant *v = solver->method->variant;
    newton *work = solver->work;
    int place = own_options(v) + (v->search ? SEARCH_COUNT : 0);
    work->map = (rico_newton_map){.kind = v->map};
    if (v->map == RICO_MAP_HUEBER_STADLER_WOHLMUTH)
        work->map.jacobian = (rico_newton_jacobian)rico_option(solver, place);
    memset(work->states, 0xff, (size_t)solver->problem->block_count * sizeof *work->states);
    for (int64_t a = 0; a < solver->problem->block_count; a++) work->spread[a] = 1.0;
}


static rico_status solve(rico_solver *solver, rico_run *run)
{
    const rico_problem *p = solver->problem;
    const variant *v = solver->method->variant;
    newton *work = solver->work;
    int64_t patience = (int64_t)rico_option(solver, OPTION_PATIENCE), reached = 0;
    double mark = INFINITY, shift = rico_option(solver, OPTION_SHIFT); // a shift once needed stays
    double adapt = rico_option(solver, OPTION_ADAPT);
    prepare_map(solver);
    choose_rho(solver);
    if (v->hybrid) {
        rico_status status = improve_guess(solver, run);
        if (status) return status;
        if (rico_run_check(run, 0)) return RICO_OK;
    }

    for (int64_t k = 1;; k++) {
        if (adapt != 1.0) adapt_rho(solver, run->u, run->r, adapt);
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
    [OPTION_ADAPT] = {"rho-adapt",                                                                           \
                      "factor on the rho of a contact that goes back and forth between two states; 1 for "   \
                      "none",                                                                                \
                      RICO_REAL,                                                                             \
                      1e-3,                                                                                  \
                      1e3,                                                                                   \
                      1,                                                                                     \
                      NULL},                                                                                 \
    [OPTION_SHIFT] = {"shift", "what is added to W in the Jacobian, relative to |W_aa|", RICO_REAL, 0, 1, 0, \
                      NULL},                                                                                 \
    [OPTION_PATIENCE] = {                                                                                    \
        "patience", "iterations without progress before giving up", RICO_INTEGER, 1, 1e9, 100, NULL}
#define LINEAR_OPTION                                                                                        \
    [OPTION_LINEAR] = {"linear",    "factorization, chosen at setup; auto goes by size and fill",            \
                       RICO_CHOICE, 0,                                                                       \
                       0,           0,                                                                       \
                       linears}
#define SEARCH_OPTIONS                                                                                       \
    {"m1", "a step is short enough below m1 times the slope", RICO_REAL, 1e-12, 0.999, 0.1, NULL},           \
        {"m2", "and long enough above m2 times it (Goldstein-Price)", RICO_REAL, 1e-3, 0.999999, 0.9, NULL}, \
        {"a", "factor of extrapolation, 1 for none", RICO_REAL, 1, 100, 2, NULL},                            \
    {                                                                                                        \
        "tries", "steps tried in one search", RICO_INTEGER, 1, 1e6, 6, NULL                                  \
    }
#define GUESS_OPTION                                                                                         \
    {                                                                                                        \
        "guess-iterations", "iterations of eg-vi-upk beforehand", RICO_INTEGER, 0, 1e9, 100, NULL            \
    }
#define JACOBIAN_OPTION                                                                                      \
    {                                                                                                        \
        "jacobian",                                                                                          \
            "element: of the map; modified: regular far from the solution; hybrid: that, bound mu r_N; "     \
            "frozen: "                                                                                       \
            "that, bound held in a step",                                                                    \
            RICO_CHOICE, 0, 0, RICO_JACOBIAN_MODIFIED, jacobians                                             \
    }

// Of the members on W, and of those on M and H.
static const rico_option_info plain_options[] = {COMMON_OPTIONS, LINEAR_OPTION};
static const rico_option_info search_options[] = {COMMON_OPTIONS, LINEAR_OPTION, SEARCH_OPTIONS};
static const rico_option_info hybrid_options[] = {COMMON_OPTIONS, LINEAR_OPTION, GUESS_OPTION};
static const rico_option_info plain_hsw_options[] = {COMMON_OPTIONS, LINEAR_OPTION, JACOBIAN_OPTION};
static const rico_option_info search_hsw_options[] = {COMMON_OPTIONS, LINEAR_OPTION, SEARCH_OPTIONS,
                                                      JACOBIAN_OPTION};
static const rico_option_info global_plain_options[] = {COMMON_OPTIONS};
static const rico_option_info global_search_options[] = {COMMON_OPTIONS, SEARCH_OPTIONS};
static const rico_option_info global_hybrid_options[] = {COMMON_OPTIONS, GUESS_OPTION};
static const rico_option_info global_plain_hsw_options[] = {COMMON_OPTIONS, JACOBIAN_OPTION};
static const rico_option_info global_search_hsw_options[] = {COMMON_OPTIONS, SEARCH_OPTIONS, JACOBIAN_OPTION};

#define TAKES_ALL                                                                                            \
    (RICO_TAKES_REDUCED | RICO_TAKES_EQUALITY | RICO_TAKES_UNILATERAL | RICO_TAKES_COULOMB_2D |              \
     RICO_TAKES_COULOMB_3D | RICO_TAKES_UNSYMMETRIC)
// Xuewen-Soh-Wanji's second and third rows are the slip and its alignment: in a plane one row too many
#define TAKES_SPACE (TAKES_ALL & ~(unsigned)RICO_TAKES_COULOMB_2D)
#define TAKES_APART ((TAKES_ALL & ~(unsigned)RICO_TAKES_REDUCED) | RICO_TAKES_GLOBAL)

#define MEMBER(NAME, SUMMARY, REFERENCE, TAKES, OPTIONS, MAP, RULE, SEARCH, HYBRID, GLOBAL)                  \
    {                                                                                                        \
        .info = {.name = NAME,                                                                               \
                 .family = "newton",                                                                         \
                 .summary = SUMMARY,                                                                         \
                 .reference = "Acary, Bremond, Huber 2018, " REFERENCE,                                      \
                 .takes = TAKES,                                                                             \
                 .option_count = sizeof OPTIONS / sizeof OPTIONS[0],                                         \
                 .options = OPTIONS},                                                                        \
        .setup = setup, .update = update, .solve = solve, .cleanup = cleanup, .apart = GLOBAL,               \
        .variant = &(const variant)                                                                          \
        {                                                                                                    \
            MAP, RULE, SEARCH, HYBRID, GLOBAL                                                                \
        }                                                                                                    \
    }

// One map: with full steps, with Goldstein-Price, with Armijo.
#define THREE(NAME, SUMMARY, EQUATION, TAKES, PLAIN, SEARCHING, MAP, RULE, GLOBAL)                           \
    MEMBER(NAME, "nonsmooth Newton, " SUMMARY ", full steps", "Algorithm 4, " EQUATION, TAKES, PLAIN, MAP,   \
           RULE, NULL, false, GLOBAL),                                                                       \
        MEMBER(NAME "-gp", "nonsmooth Newton, " SUMMARY ", Goldstein-Price line search",                     \
               "Algorithms 4 and 5, " EQUATION, TAKES, SEARCHING, MAP, RULE,                                 \
               rico_line_search_goldstein_price, false, GLOBAL),                                             \
        MEMBER(NAME "-a", "nonsmooth Newton, " SUMMARY ", Armijo line search",                               \
               "Algorithms 4 and 6, " EQUATION, TAKES, SEARCHING, MAP, RULE, rico_line_search_armijo, false, \
               GLOBAL)
#define REDUCED(NAME, SUMMARY, EQUATION, TAKES, MAP, RULE)                                                   \
    THREE("nsn-" NAME, SUMMARY, EQUATION, TAKES, plain_options, search_options, MAP, RULE, false)
#define APART(NAME, SUMMARY, EQUATION, MAP, RULE)                                                            \
    THREE("gnsn-" NAME, SUMMARY " on M and H", EQUATION, TAKES_APART, global_plain_options,                  \
          global_search_options, MAP, RULE, true)

const rico_method rico_newton_methods[] = {
    REDUCED("ac", "Alart-Curnier map", "eq. 63", TAKES_ALL, RICO_MAP_ALART_CURNIER, RICO_RHO_SPLIT),
    REDUCED("jm", "Jean-Moreau map", "eq. 61", TAKES_ALL, RICO_MAP_JEAN_MOREAU, RICO_RHO_SPLIT),
    REDUCED("nm", "natural map", "eq. 51", TAKES_ALL, RICO_MAP_NATURAL, RICO_RHO_SPECTRAL),
    REDUCED("fb", "Fischer-Burmeister map", "eq. 79", TAKES_ALL, RICO_MAP_FISCHER_BURMEISTER,
            RICO_RHO_SPECTRAL),
    REDUCED("xsw", "Xuewen-Soh-Wanji map", "eq. 65", TAKES_SPACE, RICO_MAP_XUEWEN_SOH_WANJI,
            RICO_RHO_SPECTRAL),
    THREE("nsn-hsw", "Hueber-Stadler-Wohlmuth map", "eq. 66", TAKES_ALL, plain_hsw_options,
          search_hsw_options, RICO_MAP_HUEBER_STADLER_WOHLMUTH, RICO_RHO_SPLIT, false),
    MEMBER("nsn-ac-hybrid", "nonsmooth Newton, Alart-Curnier map, from an extragradient guess",
           "Algorithms 2 and 4, eq. 63", TAKES_ALL, hybrid_options, RICO_MAP_ALART_CURNIER, RICO_RHO_SPLIT,
           NULL, true, false),
    APART("ac", "Alart-Curnier map", "eq. 63, 157", RICO_MAP_ALART_CURNIER, RICO_RHO_SPLIT),
    APART("jm", "Jean-Moreau map", "eq. 61, 157", RICO_MAP_JEAN_MOREAU, RICO_RHO_SPLIT),
    APART("nm", "natural map", "eq. 51, 157", RICO_MAP_NATURAL, RICO_RHO_SPECTRAL),
    APART("fb", "Fischer-Burmeister map", "eq. 79, 157", RICO_MAP_FISCHER_BURMEISTER, RICO_RHO_SPECTRAL),
    THREE("gnsn-hsw", "Hueber-Stadler-Wohlmuth map on M and H", "eq. 66, 157", TAKES_APART,
          global_plain_hsw_options, global_search_hsw_options, RICO_MAP_HUEBER_STADLER_WOHLMUTH,
          RICO_RHO_SPLIT, true),
    MEMBER("gnsn-ac-hybrid", "nonsmooth Newton, Alart-Curnier map on M and H, from an extragradient guess",
           "Algorithms 2 and 4, eq. 63, 157", TAKES_APART, global_hybrid_options, RICO_MAP_ALART_CURNIER,
           RICO_RHO_SPLIT, NULL, true, true),
};
const int rico_newton_count = sizeof rico_newton_methods / sizeof rico_newton_methods[0];
