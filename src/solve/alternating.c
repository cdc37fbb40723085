// Coulomb's law through a sequence of convex problems: Panagiotopoulos, Tresca, ACLM, and the convex relaxation.
//
// Each freezes something that makes the law nonconvex, solves what is left, and looks again (Acary et al. 2018,
// section 7, Algorithms 10-12):
//
//     pana    normals with the tangents frozen, then tangents in disks of radius mu r_N            eq. 126, 128
//     tresca  everything, over cylinders whose radius mu theta is that of the last normals         eq. 129
//     fpm2    the same cylinders, normals and tangents in turn until their problem is solved (FPMII, section 7.2)
//     aclm    everything, over the cone, with s = g(u) of the last velocity added to q             eq. 130
//     soclcp  the last with s = 0, once: another problem than Coulomb's, and said so               section 7.4
//
// An outer iteration is a short list of stages, each one convex problem with its engine. W is taken as symmetric in
// the theory; on others the engines solve the variational inequalities instead (convex.h). Frictionless problems
// are all alike, and one outer iteration solves them.

#include "la/dense.h"
#include "solve/convex.h"
#include "solve/method.h"

#include <math.h>
#include <string.h>

typedef enum alternating_option {
    OPTION_TOL_FACTOR,
    OPTION_INNER_ITERATIONS,
    OPTION_PATIENCE,
    OPTION_ENGINE, // of the first stage, then of the second
    OPTION_INNER = OPTION_ENGINE
} alternating_option;

// In the order of the enum of engines, and the same behind the member's own.
static const char *const inner_engines[] = {"gs", "fp", "eg", "pg", "apgd", "mprgp", NULL};
static const char *const normal_engines[] = {"standard", "gs", "fp", "eg", "pg", "apgd", "mprgp", "qp", NULL};
static const char *const other_engines[] = {"standard", "gs", "fp", "eg", "pg", "apgd", "mprgp", NULL};

#define COMMON_OPTIONS                                                                                       \
    [OPTION_TOL_FACTOR] = {"inner-tol-factor",                                                               \
                           "accuracy of the convex problems, over the present residual",                     \
                           RICO_REAL,                                                                        \
                           1e-6,                                                                             \
                           1.0,                                                                              \
                           0.1,                                                                              \
                           NULL},                                                                            \
    [OPTION_INNER_ITERATIONS] =                                                                              \
        {"inner-max-iter", "iterations allowed on one convex problem", RICO_INTEGER, 1, 1e12, 1000, NULL},   \
    [OPTION_PATIENCE] = {"patience",   "outer iterations without a better residual before giving up",        \
                         RICO_INTEGER, 1,                                                                    \
                         1e12,         500,                                                                  \
                         NULL}

static const rico_option_info two_options[] = {
    COMMON_OPTIONS,
    [OPTION_ENGINE] =
        {"normal-engine",
         "of the normal problem; standard is the one of the name; qp: eq. 90, for unsymmetric W", RICO_CHOICE,
         0, 0, 0, normal_engines},
    {"tangent-engine", "of the tangential problem", RICO_CHOICE, 0, 0, 0, other_engines},
};
static const rico_option_info one_options[] = {
    COMMON_OPTIONS,
    [OPTION_ENGINE] = {"engine", "of the convex problem; standard is the one of the name", RICO_CHOICE, 0, 0,
                       0, other_engines},
};
static const rico_option_info relaxed_options[] = {
    COMMON_OPTIONS,
    [OPTION_INNER] = {"inner", "engine of the convex problem", RICO_CHOICE, 0, 0, RICO_ENGINE_APGD,
                      inner_engines},
};

enum { STAGES = 2, TURNS = 50 };

// One convex problem of an outer iteration.
typedef struct stage {
    rico_pick pick;        // what it solves for; the other rows stay as they are
    rico_set_kind contact; // the set of what is picked of a contact
    rico_engine_kind engine;
} stage;

typedef struct variant {
    int stages;
    stage stage[STAGES];
    bool desaxce; // add g(u) of the last iterate to q
    bool relaxed; // leave g(u) out, and stop there
    bool nested;  // the stages in turn until the thresholds' problem is solved
    bool plain;   // the engine is not an option
} variant;

// Impulses this many times beyond those that q and the starting point suggest are no solution's: where there is none,
// W has directions along which they grow for ever and leave the residual, which is relative to them, behind.
static const double reach = 1e6;

typedef struct alternating {
    rico_convex *sub[STAGES];
} alternating;


static rico_status setup(rico_solver *solver)
{
    const variant *v = solver->method->variant;
    alternating *work = solver->work = rico_alloc(solver->ctx, 1, sizeof *work);
    if (!work) return RICO_NO_MEMORY;
    for (int i = 0; i < v->stages; i++) {
        rico_status status =
            rico_convex_create(solver->problem, v->stage[i].pick, v->stage[i].contact, &work->sub[i]);
        if (status) return status;
    }
    return RICO_OK;
}


static rico_status update(rico_solver *solver, bool matrix)
{
    const alternating *work = solver->work;
    for (int i = 0; matrix && i < STAGES; i++)
        if (work->sub[i]) rico_convex_update(work->sub[i]);
    return RICO_OK;
}


static void cleanup(rico_solver *solver)
{
    alternating *work = solver->work;
    for (int i = 0; i < STAGES; i++) rico_convex_destroy(work->sub[i]);
    rico_free(solver->ctx, work);
}


// b += g(u), for a subproblem that has picked everything.
static void add_desaxce(const rico_problem *p, const double *u, double *b)
{
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t first = p->offset[a];
        if (p->friction[a] > 0.0)
            b[first] += p->friction[a] * rico_cone_slip(p->offset[a + 1] - first, &u[first]);
    }
}


// The relaxed problem is solved. Its answer goes out even where another iterate has the better Coulomb residual: it
// is what was asked for, and the report says what it is worth.
static void stop_relaxed(rico_run *run, double associated)
{
    rico_solver *solver = run->solver;
    memcpy(solver->best, run->r, (size_t)solver->problem->rows * sizeof *run->r);
    run->best_residual = run->residual;
    rico_run_stop(run, RICO_STALLED, "solved the associated problem to %.1e, its Coulomb residual is %.1e",
                  associated, run->residual.relative);
}


static rico_engine_kind engine_of(const rico_solver *solver, int index)
{
    const variant *v = solver->method->variant;
    if (v->plain) return v->stage[index].engine;
    int choice = (int)rico_option(solver, OPTION_ENGINE + index);
    if (v->relaxed) return (rico_engine_kind)choice;
    return choice == 0 ? v->stage[index].engine : (rico_engine_kind)(choice - 1);
}


// How far the first stage is from solved now that the second has moved.
static double first_error(rico_convex *sub, const double *r)
{
    rico_convex_freeze(sub, r);
    return rico_convex_error(sub);
}


// The stages of one outer iteration, once or, with thresholds held, until they agree. False when the run is over.
static bool run_stages(rico_solver *solver, rico_run *run, int64_t k, double wanted,
                       rico_convex_result *inner)
{
    rico_problem *p = solver->problem;
    alternating *work = solver->work;
    const variant *v = solver->method->variant;
    int64_t inner_max = (int64_t)rico_option(solver, OPTION_INNER_ITERATIONS);
    int turns = v->nested ? TURNS : 1;
    for (int i = 0; v->nested && i < v->stages; i++) rico_convex_set_radii(work->sub[i], run->r);
    for (int turn = 0; turn < turns && !inner->cut; turn++) {
        for (int i = 0; i < v->stages && !inner->cut; i++) {
            rico_convex *sub = work->sub[i];
            rico_convex_freeze(sub, run->r);
            if (!v->nested) rico_convex_set_radii(sub, run->r);
            if (v->desaxce) add_desaxce(p, run->u, sub->b);
            *inner = rico_convex_solve(sub, engine_of(solver, i), wanted, inner_max, run, k - 1);
            if (inner->lost) {
                rico_run_stop(run, RICO_DIVERGED, "the impulses of a convex problem grow without bound");
                return false;
            }
            rico_convex_scatter(sub, run->r);
        }
        if (v->nested && first_error(work->sub[0], run->r) <= wanted) break;
    }
    return true;
}


static rico_status solve(rico_solver *solver, rico_run *run)
{
    rico_problem *p = solver->problem;
    alternating *work = solver->work;
    const variant *v = solver->method->variant;
    double factor = rico_option(solver, OPTION_TOL_FACTOR), best = INFINITY;
    int64_t patience = (int64_t)rico_option(solver, OPTION_PATIENCE), best_at = 0;

    for (int i = 0; i < v->stages; i++)
        work->sub[i]->reach =
            reach * (rico_norm(p->rows, run->r) + work->sub[i]->first_step * rico_norm(p->rows, p->q));
    for (int64_t k = 1;; k++) {
        double wanted = v->relaxed ? run->tol * run->residual.scale : factor * run->residual.absolute;
        rico_convex_result inner = {0};
        if (!run_stages(solver, run, k, wanted, &inner)) return RICO_OK;
        if (rico_run_check(run, k)) return RICO_OK;

        // progress is that of the problem which is being solved, and absolute: a residual relative to impulses also
        // falls when they run away
        double associated = inner.error / run->residual.scale;
        if (v->relaxed && associated <= run->tol) {
            stop_relaxed(run, associated);
            return RICO_OK;
        }
        double measure = v->relaxed ? inner.error : run->residual.absolute;
        if (measure < best) {
            best = measure;
            best_at = k;
        } else if (k - best_at >= patience) {
            rico_run_stop(run, RICO_STALLED, "no progress in %lld iterations", (long long)patience);
            return RICO_OK;
        }
    }
}


#define TAKES                                                                                                \
    (RICO_TAKES_REDUCED | RICO_TAKES_EQUALITY | RICO_TAKES_UNILATERAL | RICO_TAKES_COULOMB_2D |              \
     RICO_TAKES_COULOMB_3D | RICO_TAKES_UNSYMMETRIC)
#define MEMBER(NAME, FAMILY, SUMMARY, SOURCE, OPTIONS, OPTION_COUNT, ...)                                    \
    {                                                                                                        \
        .info = {.name = NAME,                                                                               \
                 .family = FAMILY,                                                                           \
                 .summary = SUMMARY,                                                                         \
                 .reference = SOURCE,                                                                        \
                 .takes = TAKES,                                                                             \
                 .option_count = OPTION_COUNT,                                                               \
                 .options = OPTIONS},                                                                        \
        .setup = setup, .update = update, .solve = solve, .cleanup = cleanup, .variant = &(const variant)    \
        {                                                                                                    \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }
#define ALTERNATE(NAME, WORDS, SOURCE, NORMAL, TANGENT, NESTED)                                              \
    MEMBER(NAME, "optimization", WORDS, "Acary, Bremond, Huber 2018, " SOURCE, two_options,                  \
           OPTION_ENGINE + 2, .stages = 2,                                                                   \
           .stage = {{RICO_PICK_NORMAL, RICO_SET_HALF_LINE, NORMAL},                                         \
                     {RICO_PICK_TANGENT, RICO_SET_DISK, TANGENT}},                                           \
           .nested = NESTED)
#define PANA(NAME, WORDS, NORMAL, TANGENT)                                                                   \
    ALTERNATE(NAME, "normals and tangents in turn (Panagiotopoulos): " WORDS, "Algorithm 10", NORMAL,        \
              TANGENT, false)
#define TRESCA(NAME, WORDS, ENGINE)                                                                          \
    MEMBER(NAME, "optimization", "given friction thresholds (Tresca), cylinders by " WORDS,                  \
           "Acary, Bremond, Huber 2018, Algorithm 11", one_options, OPTION_ENGINE + 1, .stages = 1,          \
           .stage = {{RICO_PICK_ALL, RICO_SET_CYLINDER, ENGINE}})
#define ACLM(NAME, WORDS, ENGINE)                                                                            \
    MEMBER(NAME, "optimization", "given De Saxce term, cones by " WORDS,                                     \
           "Acary, Cadoux, Lemarechal, Malick 2011; Acary, Bremond, Huber 2018, Algorithm 12", one_options,  \
           OPTION_ENGINE + 1, .stages = 1, .stage = {{RICO_PICK_ALL, RICO_SET_CONE, ENGINE}},                \
           .desaxce = true)
#define RELAXED(NAME, FAMILY, WORDS, SOURCE, OPTION_COUNT, PLAIN)                                            \
    MEMBER(NAME, FAMILY, WORDS, SOURCE, relaxed_options, OPTION_COUNT, .stages = 1,                          \
           .stage = {{RICO_PICK_ALL, RICO_SET_CONE, RICO_ENGINE_APGD}}, .relaxed = true, .plain = PLAIN)

const rico_method rico_alternating_methods[] = {
    PANA("pana-pgs-fp-vi-upk", "Gauss-Seidel, fixed point", RICO_ENGINE_GS, RICO_ENGINE_FP),
    PANA("pana-pgs-eg-vi-upk", "Gauss-Seidel, extragradient", RICO_ENGINE_GS, RICO_ENGINE_EG),
    PANA("pana-pgs-convexqp-pg", "Gauss-Seidel, projected gradient", RICO_ENGINE_GS, RICO_ENGINE_PG),
    PANA("pana-convexqp-pg", "projected gradient for both", RICO_ENGINE_PG, RICO_ENGINE_PG),
    PANA("pana-mprgp", "conjugate gradients on active sets for both", RICO_ENGINE_MPRGP, RICO_ENGINE_MPRGP),
    TRESCA("tresca-nsgs-fp-vi-upk", "block Gauss-Seidel", RICO_ENGINE_GS),
    TRESCA("tresca-fp-vi-upk", "fixed point", RICO_ENGINE_FP),
    TRESCA("tresca-eg-vi-upk", "extragradient", RICO_ENGINE_EG),
    TRESCA("tresca-convexqp-pg", "projected gradient", RICO_ENGINE_PG),
    TRESCA("tresca-mprgp", "conjugate gradients on active sets", RICO_ENGINE_MPRGP),
    ALTERNATE("fpm2-pgs-fp-vi-upk",
              "given friction thresholds (Tresca), normals and tangents in turn: Gauss-Seidel, fixed point",
              "section 7.2 (FPMII)", RICO_ENGINE_GS, RICO_ENGINE_FP, true),
    ALTERNATE("fpm2-mprgp",
              "given friction thresholds (Tresca), normals and tangents in turn: conjugate gradients",
              "section 7.2 (FPMII)", RICO_ENGINE_MPRGP, RICO_ENGINE_MPRGP, true),
    ACLM("aclm-nsgs-fp-vi-upk", "block Gauss-Seidel", RICO_ENGINE_GS),
    ACLM("aclm-fp-vi-upk", "fixed point", RICO_ENGINE_FP),
    ACLM("aclm-eg-vi-upk", "extragradient", RICO_ENGINE_EG),
    ACLM("aclm-convexqp-pg", "projected gradient", RICO_ENGINE_PG),
    RELAXED("soclcp", "optimization",
            "convex relaxation: associated friction instead of Coulomb's, any engine",
            "Acary, Bremond, Huber 2018, section 7.4", OPTION_INNER + 1, false),
    RELAXED("qp", "complementarity",
            "quadratic program over the cones by accelerated gradients; exact without friction",
            "Mazhar, Heyn, Negrut, Tasora 2015", OPTION_INNER, true),
};
const int rico_alternating_count = sizeof rico_alternating_methods / sizeof rico_alternating_methods[0];
