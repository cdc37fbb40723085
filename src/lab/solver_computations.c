// Computations on solvers: problems of one kind are made, several solvers run over them, and what chapter 10 of Acary, Bremond and Huber
// 2018 draws of that becomes columns: performance profiles, what is solved, and the status of contacts beside the fastest solver.
//
// Columns s1, s2, ... are those of the solvers in their order. Seconds are of the processor, on the thread that computes: they differ
// from run to run, and checks are better made of what is solved within so many iterations.

#include "draw/profile.h"
#include "lab/computation.h"
#include "lab/contender.h"
#include "lab/elastic_recipe.h"
#include "lab/measure.h"
#include "lab/scene_problems.h"
#include "ricochet/cone.h"
#include "ricochet/generate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { MOST_SIZES = 16, TAUS = 61, STATES = 3, FALL = 400 };
static const double largest_tau = 1000.0, state_tolerance = 1e-6, elastic_step = 1e-3;

static const rico_schema_key CAMPAIGN[] = {
    {"kind", RICO_WANT_TEXT, .flags = RICO_KEY_REQUIRED,
     .help = "of problems: random, cubes (of so many elements a side), or another scene of rico generate"},
    {"contacts", RICO_WANT_REALS, .flags = RICO_KEY_REQUIRED, .least = 1, .most = MOST_SIZES,
     .help = "numbers of contacts, each `problems` times; of cubes: elements along a side"},
    {"problems", RICO_WANT_INTEGER, .standard = "1", .low = 1, .high = 10000,
     .help = "seeds of each number of contacts"},
    {"bodies", RICO_WANT_REAL, .standard = "0.6", .low = 0.01, .high = 100,
     .help = "random: bodies for each contact; 0.5 and more make W regular"},
    {"friction", RICO_WANT_REAL, .standard = "0.5", .low = 0, .high = 100, .help = "coefficient"},
    {"perturbation", RICO_WANT_REAL, .standard = "0.3", .low = 0, .high = 1e6, .help = "of the scenes"},
    {"solvers", RICO_WANT_TEXT, .flags = RICO_KEY_REQUIRED,
     .help = "as of rico bench: nsgs,psor-ac:omega=0.5"},
    {"tol", RICO_WANT_REAL, .standard = "1e-8", .low = 1e-16, .high = 1, .help = "residual to reach"},
    {"iterations", RICO_WANT_REAL, .standard = "1000000", .low = 1, .high = 1e15,
     .help = "of a solver that does not name max-iter itself"},
    {"limit", RICO_WANT_REAL, .standard = "0", .low = 0, .high = 1e6,
     .help = "seconds of the wall clock for each run; 0: none"},
    {NULL},
};

typedef struct campaign {
    rico_document *document;
    const rico_node *given;
    rico_context *ctx;
    rico_contest contest;
    rico_contenders contenders;
    int64_t problems, sizes, seeds;
    double size[MOST_SIZES];
    double *cost;          // [problem * solvers + solver], INFINITY where it does not solve
    double *residual;      // in the same places
    double *contacts;      // of each problem
    double *share[STATES]; // open, sticking, sliding contacts over all
    double *best;          // the place of the fastest solver, from 1; 0 for none
    double *fastest;       // its seconds
} campaign;


static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}


// The first problem that two elastic cubes meet.
static rico_status make_cubes(const campaign *c, int64_t elements, uint64_t seed, rico_problem **out)
{
    rico_elastic_recipe recipe = {.elements = elements,
                                  .friction = rico_given_real(c->document, c->given, "friction"),
                                  .stiffness = rico_elastic_recipe_stiffness(false, elements),
                                  .step = elastic_step,
                                  .seed = seed};
    rico_elastic_stage stage = {0};
    rico_scene_problems *problems = NULL;
    *out = NULL;
    rico_status status = rico_elastic_stage_open(c->ctx, &recipe, &stage);
    if (!status) status = rico_scene_problems_create(c->ctx, stage.system, &problems);
    for (int step = 0; !status && !*out && step < FALL; step++) {
        status = rico_scene_problems_make(problems, stage.sim, recipe.step, out);
        if (!status && !*out) status = rico_simulation_step(stage.sim, recipe.step);
    }
    rico_scene_problems_destroy(problems);
    rico_elastic_stage_close(&stage);
    if (!status && !*out)
        status = rico_fail(c->ctx, RICO_INTERNAL, "the cubes did not meet in %d steps", FALL);
    return status;
}


static rico_status make_problem(const campaign *c, int64_t contacts, uint64_t seed, rico_problem **out)
{
    const char *kind = rico_given_text(c->given, "kind");
    double friction = rico_given_real(c->document, c->given, "friction");
    if (strcmp(kind, "cubes") == 0) return make_cubes(c, contacts, seed, out);
    if (strcmp(kind, "random") == 0) {
        rico_random_heap heap = rico_random_heap_default();
        heap.contacts = contacts;
        heap.bodies = (int64_t)ceil((double)contacts * rico_given_real(c->document, c->given, "bodies"));
        heap.friction = friction;
        heap.seed = seed;
        return rico_generate_random(c->ctx, &heap, out);
    }
    rico_scene_recipe recipe = rico_scene_recipe_default();
    recipe.kind = kind;
    recipe.contacts = contacts;
    recipe.friction = friction;
    recipe.perturbation = rico_given_real(c->document, c->given, "perturbation");
    recipe.seed = seed;
    return rico_generate_scene(c->ctx, &recipe, out);
}


// One solver on one problem, from zero; the residual is computed anew on the problem that it did not see.
static rico_status run_one(campaign *c, rico_problem *problem, int64_t p, int64_t s, double *r, double *u)
{
    rico_context *ctx = c->ctx;
    const rico_contender *contender = &c->contenders.item[s];
    rico_problem *copy = NULL;
    rico_solver *solver = NULL;
    rico_report report;
    rico_residual residual;
    int64_t m = rico_problem_rows(problem);
    memset(r, 0, (size_t)m * sizeof *r);
    rico_status status = rico_problem_copy_data(ctx, problem, &copy);
    if (!status) status = rico_contender_create(ctx, contender, &c->contest, &solver);
    if (!status && !strstr(contender->label, "max-iter"))
        status =
            rico_solver_set_number(solver, "max-iter", rico_given_real(c->document, c->given, "iterations"));
    double began = processor_seconds();
    if (!status) status = rico_solver_setup(solver, copy);
    if (!status) status = rico_solver_solve(solver, r, u, &report);
    double seconds = processor_seconds() - began;
    if (!status) status = rico_problem_residual(problem, r, u, &residual);
    rico_solver_destroy(solver);
    rico_problem_destroy(copy);
    if (status) return status;
    bool solved = rico_residual_within(&residual, c->contest.tol);
    c->residual[p * c->contenders.count + s] = residual.relative;
    c->cost[p * c->contenders.count + s] = solved ? seconds : INFINITY;
    return RICO_OK;
}


// What contacts do in the answer r of the fastest solver so far.
static void take_states(campaign *c, const rico_problem *problem, int64_t p, const double *r, const double *u)
{
    int64_t blocks = rico_problem_block_count(problem), count[STATES] = {0};
    double largest = 0.0, fastest = 0.0;
    for (int64_t i = 0; i < rico_problem_rows(problem); i++) {
        largest = fmax(largest, fabs(r[i]));
        fastest = fmax(fastest, fabs(u[i]));
    }
    for (int64_t a = 0; a < blocks; a++) {
        int64_t at = rico_problem_block_offset(problem, a);
        rico_block block = rico_problem_block(problem, a);
        double slip = 0.0;
        for (int64_t i = 1; i < block.size; i++) slip = hypot(slip, u[at + i]);
        bool open = r[at] <= state_tolerance * largest, sticks = slip <= state_tolerance * fastest;
        count[open ? 0 : sticks ? 1 : 2]++;
    }
    for (int k = 0; k < STATES; k++) c->share[k][p] = blocks > 0 ? (double)count[k] / (double)blocks : 0.0;
}


static rico_status run_problem(campaign *c, int64_t p, int64_t contacts, uint64_t seed)
{
    rico_problem *problem = NULL;
    rico_status status = make_problem(c, contacts, seed, &problem);
    if (status) return status;
    int64_t m = rico_problem_rows(problem);
    double *r = rico_alloc(c->ctx, m, sizeof *r), *u = rico_alloc(c->ctx, m, sizeof *u);
    if (!r || !u) status = RICO_NO_MEMORY;
    c->contacts[p] = (double)rico_problem_block_count(problem);
    c->fastest[p] = INFINITY;
    for (int64_t s = 0; !status && s < c->contenders.count; s++) {
        status = run_one(c, problem, p, s, r, u);
        double seconds = c->cost[p * c->contenders.count + s];
        if (status || !(seconds < c->fastest[p])) continue;
        c->fastest[p] = seconds;
        c->best[p] = (double)(s + 1);
        take_states(c, problem, p, r, u);
    }
    rico_free(c->ctx, r);
    rico_free(c->ctx, u);
    rico_problem_destroy(problem);
    return status;
}


// ---- columns ----

// tau, and rho_s(tau) of each solver as s1, s2, ...
static rico_status add_profiles(campaign *c, rico_sheet *sheet)
{
    rico_profile profile = {0};
    double tau[TAUS], value[TAUS];
    rico_status status = rico_profile_create(c->ctx, c->problems, c->contenders.count, c->cost, &profile);
    for (int i = 0; i < TAUS; i++) tau[i] = pow(largest_tau, (double)i / (TAUS - 1));
    if (!status) status = rico_sheet_add(sheet, "tau", TAUS, tau, NULL);
    for (int64_t s = 0; !status && s < c->contenders.count; s++) {
        char name[32];
        for (int i = 0; i < TAUS; i++) value[i] = rico_profile_value(&profile, s, tau[i]);
        snprintf(name, sizeof name, "s%lld", (long long)s + 1);
        status = rico_sheet_add(sheet, name, TAUS, value, NULL);
    }
    rico_profile_release(c->ctx, &profile);
    return status;
}


// solver, solved (a fraction), seconds (geometric, of what it solved), by_contact (seconds, mean), residual (geometric, of all).
static rico_status add_solvers(campaign *c, rico_sheet *sheet)
{
    int64_t n = c->contenders.count;
    double *column[5];
    static const char *const names[] = {"solver", "solved", "seconds", "by_contact", "residual"};
    for (int k = 0; k < 5; k++) {
        rico_status status = rico_sheet_add(sheet, names[k], n, NULL, &column[k]);
        if (status) return status;
    }
    for (int64_t s = 0; s < n; s++) {
        double logs = 0.0, share = 0.0, residuals = 0.0;
        int64_t solved = 0;
        for (int64_t p = 0; p < c->problems; p++) {
            double cost = c->cost[p * n + s];
            residuals += log(fmax(c->residual[p * n + s], 1e-17));
            if (!isfinite(cost)) continue;
            solved++;
            logs += log(fmax(cost, 1e-9));
            share += cost / c->contacts[p];
        }
        column[0][s] = (double)(s + 1);
        column[1][s] = (double)solved / (double)c->problems;
        column[2][s] = solved > 0 ? exp(logs / (double)solved) : NAN;
        column[3][s] = solved > 0 ? share / (double)solved : NAN;
        column[4][s] = exp(residuals / (double)c->problems);
    }
    return RICO_OK;
}


// problem, contacts, open, stick, slide, best, fastest.
static rico_status add_problems(campaign *c, rico_sheet *sheet)
{
    double *number;
    rico_status status = rico_sheet_add(sheet, "problem", c->problems, NULL, &number);
    for (int64_t p = 0; !status && p < c->problems; p++) number[p] = (double)(p + 1);
    if (!status) status = rico_sheet_add(sheet, "contacts", c->problems, c->contacts, NULL);
    static const char *const states[STATES] = {"open", "stick", "slide"};
    for (int k = 0; !status && k < STATES; k++)
        status = rico_sheet_add(sheet, states[k], c->problems, c->share[k], NULL);
    if (!status) status = rico_sheet_add(sheet, "best", c->problems, c->best, NULL);
    for (int64_t p = 0; p < c->problems; p++)
        if (!isfinite(c->fastest[p])) c->fastest[p] = NAN;
    return status ? status : rico_sheet_add(sheet, "fastest", c->problems, c->fastest, NULL);
}


static rico_status read_sizes(campaign *c)
{
    const rico_node *list = rico_node_at(c->given, "contacts");
    const rico_node *one = list->first;
    for (c->sizes = 0; one && c->sizes < MOST_SIZES; c->sizes++, one = one->next) {
        rico_status status = rico_document_real(c->document, one, &c->size[c->sizes]);
        if (status) return status;
        if (!(c->size[c->sizes] >= 1.0 && c->size[c->sizes] <= 1e8))
            return rico_fail(c->ctx, RICO_BAD_ARGUMENT, "a problem cannot have %g contacts",
                             c->size[c->sizes]);
    }
    return RICO_OK;
}


static rico_status compute_campaign(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    campaign c = {.document = document, .given = given, .ctx = sheet->ctx};
    c.contest.tol = rico_given_real(document, given, "tol");
    c.contest.time_limit = rico_given_real(document, given, "limit");
    c.seeds = rico_given_integer(document, given, "problems");
    rico_status status = read_sizes(&c);
    if (!status)
        status = rico_contenders_read(c.ctx, rico_given_text(given, "solvers"), &c.contest, &c.contenders);
    if (status) return status;
    c.problems = c.sizes * c.seeds;
    double **line[] = {&c.contacts, &c.share[0], &c.share[1], &c.share[2], &c.best, &c.fastest};
    bool room = true;
    for (size_t i = 0; i < sizeof line / sizeof *line; i++)
        room = (*line[i] = rico_alloc(c.ctx, c.problems, sizeof(double))) && room;
    c.cost = rico_alloc(c.ctx, c.problems * c.contenders.count, sizeof *c.cost);
    c.residual = rico_alloc(c.ctx, c.problems * c.contenders.count, sizeof *c.residual);
    if (!room || !c.cost || !c.residual) status = RICO_NO_MEMORY;
    for (int64_t p = 0; !status && p < c.problems; p++)
        status = run_problem(&c, p, (int64_t)c.size[p / c.seeds], (uint64_t)(p % c.seeds + 1));
    if (!status) status = add_profiles(&c, sheet);
    if (!status) status = add_solvers(&c, sheet);
    if (!status) status = add_problems(&c, sheet);
    for (size_t i = 0; i < sizeof line / sizeof *line; i++) rico_free(c.ctx, *line[i]);
    rico_free(c.ctx, c.cost);
    rico_free(c.ctx, c.residual);
    rico_contenders_release(c.ctx, &c.contenders);
    return status;
}


const rico_computation rico_solver_computations[] = {
    {"solver-campaign", "solvers on problems made for it: profiles, what is solved, contact status", CAMPAIGN,
     compute_campaign},
    {NULL},
};
