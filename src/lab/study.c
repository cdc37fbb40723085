// Convergence of a scene: runs made from it, exact solutions from formulas.

#include "lab/study.h"

#include "audit/study.h"
#include "base/context.h"
#include "base/suggest.h"
#include "lab/workers.h"
#include "scene/scene.h"

#include <stdio.h>
#include <string.h>

// One coordinate of the exact solution.
typedef struct solution {
    rico_formula *formula;
    double *work;
    int64_t position, velocity; // which it gives; -1: not
    bool differentiate;         // the velocity is its derivative
} solution;

struct rico_scene_study {
    rico_context *ctx;
    char *path;
    int64_t override_count;
    const char **overrides; // those given, then the scheme, then the step
    char scheme_text[96], step_text[64];
    rico_scene *scene; // read to check; then the one that runs
    rico_simulation *sim;
    char title[160], scheme[64];
    rico_scene_time time;
    int64_t count;
    solution *solutions;
    const char **exact; // the texts of the solutions, which are the caller's
};


static rico_status load(rico_scene_study *study, int64_t override_count)
{
    return rico_scene_load(study->ctx, study->path, override_count, study->overrides, NULL, 0, &study->scene);
}


rico_status rico_scene_study_create(rico_context *ctx, const char *scene, const char *scheme,
                                    int64_t override_count, const char *const *overrides,
                                    rico_scene_study **out)
{
    rico_scene_study *study = rico_alloc(ctx, 1, sizeof *study);
    if (!study) return RICO_NO_MEMORY;
    study->ctx = ctx;
    study->path = rico_alloc(ctx, (int64_t)strlen(scene) + 1, 1);
    study->overrides = rico_alloc(ctx, override_count + 2, sizeof *study->overrides);
    if (!study->path || !study->overrides) {
        rico_scene_study_destroy(study);
        return RICO_NO_MEMORY;
    }
    memcpy(study->path, scene, strlen(scene) + 1);
    for (int64_t i = 0; i < override_count; i++) study->overrides[study->override_count++] = overrides[i];
    if (scheme[0]) {
        snprintf(study->scheme_text, sizeof study->scheme_text, "scheme=%s", scheme);
        study->overrides[study->override_count++] = study->scheme_text;
    }
    rico_status status = load(study, study->override_count);
    if (status != RICO_OK) {
        rico_scene_study_destroy(study);
        return status;
    }
    snprintf(study->title, sizeof study->title, "%s", rico_scene_title(study->scene));
    snprintf(study->scheme, sizeof study->scheme, "%s", rico_scene_scheme(study->scene));
    study->time = rico_scene_times(study->scene);
    *out = study;
    return RICO_OK;
}


void rico_scene_study_destroy(rico_scene_study *study)
{
    if (!study) return;
    rico_context *ctx = study->ctx;
    for (int64_t i = 0; i < study->count; i++) {
        rico_formula_destroy(study->solutions[i].formula);
        rico_free(ctx, study->solutions[i].work);
    }
    rico_free(ctx, study->solutions);
    rico_free(ctx, study->exact);
    rico_scene_destroy(study->scene);
    rico_free(ctx, study->overrides);
    rico_free(ctx, study->path);
    rico_free(ctx, study);
}


const char *rico_scene_study_title(const rico_scene_study *study)
{
    return study->title;
}


const char *rico_scene_study_scheme(const rico_scene_study *study)
{
    return study->scheme;
}


double rico_scene_study_step(const rico_scene_study *study)
{
    return study->time.step;
}


// --- the exact solution --------------------------------------------------------------------------------------

static int64_t find(const rico_scene *scene, int64_t count, const char *name, rico_suggestion *near,
                    char kept[RICO_SCENE_NAME],
                    void (*name_of)(const rico_scene *scene, int64_t index, char name[RICO_SCENE_NAME]))
{
    for (int64_t i = 0; i < count; i++) {
        char own[RICO_SCENE_NAME];
        name_of(scene, i, own);
        if (strcmp(own, name) == 0) return i;
        if (!near) continue;
        rico_suggest_offer(near, own);
        if (near->best == own) near->best = memcpy(kept, own, strlen(own) + 1);
    }
    return -1;
}


static rico_status compile(rico_scene_study *study, const char *text, solution *out)
{
    const rico_symbol time = {.name = "t", .kind = RICO_SYMBOL_VARIABLE, .slot = 0};
    const rico_parameters *parameters = rico_scene_parameters(study->scene);
    const rico_scope scope = {1, &time, parameters ? &parameters->scope : NULL};
    rico_status status = rico_formula_create(study->ctx, text, &scope, NULL, &out->formula);
    if (status != RICO_OK) return status;
    out->work = rico_alloc(study->ctx, rico_formula_work(out->formula, 1, 1), sizeof *out->work);
    return out->work ? RICO_OK : RICO_NO_MEMORY;
}


rico_status rico_scene_study_exact(rico_scene_study *study, const char *text)
{
    rico_context *ctx = study->ctx;
    char name[RICO_SCENE_NAME], velocity[RICO_SCENE_NAME + 2], kept[RICO_SCENE_NAME],
        hint[RICO_SUGGEST_SENTENCE];
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || (size_t)(equals - text) >= sizeof name)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "option '--exact' needs NAME=FORMULA, got '%s'", text);
    snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);

    rico_suggestion near;
    rico_suggest_start(&near, name);
    rico_system *system = rico_scene_system(study->scene);
    solution found = {.position = -1, .velocity = -1};
    found.position =
        find(study->scene, rico_system_positions(system), name, &near, kept, rico_scene_position_name);
    found.velocity = found.position >= 0 ? -1
                                         : find(study->scene, rico_system_velocities(system), name, &near,
                                                kept, rico_scene_velocity_name);
    if (found.position < 0 && found.velocity < 0)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "option '--exact' names no position or velocity: '%s'%s",
                         name, rico_suggest_sentence(&near, "", hint));
    if (found.position >= 0) {
        snprintf(velocity, sizeof velocity, "v_%s", name);
        found.velocity = find(study->scene, rico_system_velocities(system), velocity, NULL, NULL,
                              rico_scene_velocity_name);
        found.differentiate = found.velocity >= 0;
    }

    solution *more = rico_grow(ctx, study->solutions, study->count, study->count + 1, sizeof *more);
    if (!more) return RICO_NO_MEMORY;
    study->solutions = more;
    const char **texts = rico_grow(ctx, study->exact, study->count, study->count + 1, sizeof *texts);
    if (!texts) return RICO_NO_MEMORY;
    study->exact = texts;
    study->exact[study->count] = text;
    study->solutions[study->count++] = found; // from here on the study releases it
    rico_status status = compile(study, equals + 1, &study->solutions[study->count - 1]);
    if (status != RICO_BAD_INPUT) return status;
    char sentence[400];
    snprintf(sentence, sizeof sentence, "%s", rico_message(ctx));
    return rico_fail(ctx, RICO_BAD_ARGUMENT, "in '--exact %s': %s", text, sentence);
}


// The solution at time t. Coordinates without a formula are those of the run itself: they add no error.
static bool evaluate(void *user, double t, double *q, double *v)
{
    rico_scene_study *study = user;
    const int64_t slot = 0;
    rico_system *system = rico_scene_system(study->scene);
    memcpy(q, rico_simulation_position(study->sim), (size_t)rico_system_positions(system) * sizeof *q);
    memcpy(v, rico_simulation_velocity(study->sim), (size_t)rico_system_velocities(system) * sizeof *v);
    // derivatives first: a velocity with a formula of its own takes the place of one
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t i = 0; i < study->count; i++) {
            solution *own = &study->solutions[i];
            double slope = 0.0, value = rico_formula_gradient(own->formula, &t, 1, &slot, own->work, &slope);
            if (own->position >= 0) q[own->position] = value;
            if (own->velocity >= 0 && own->differentiate == (pass == 0))
                v[own->velocity] = own->differentiate ? slope : value;
        }
    }
    return true;
}


// --- the runs ------------------------------------------------------------------------------------------------

static void end_run(void *user, rico_simulation *sim)
{
    rico_scene_study *study = user;
    rico_simulation_destroy(sim);
    study->sim = NULL;
}


static rico_status begin_run(void *user, double h, rico_simulation **sim)
{
    rico_scene_study *study = user;
    rico_scene_destroy(study->scene);
    study->scene = NULL;
    snprintf(study->step_text, sizeof study->step_text, "time.step=%.17g", h);
    study->overrides[study->override_count] = study->step_text;
    rico_status status = load(study, study->override_count + 1);
    if (status == RICO_OK) status = rico_scene_simulate(study->scene, &study->sim);
    if (status == RICO_OK) *sim = study->sim;
    return status;
}


// The same study for another thread: the scene is read again, as each run does anyway.
static rico_status clone(rico_context *ctx, const rico_scene_study *from, rico_scene_study **out)
{
    rico_status status =
        rico_scene_study_create(ctx, from->path, "", from->override_count, from->overrides, out);
    for (int64_t i = 0; status == RICO_OK && i < from->count; i++)
        status = rico_scene_study_exact(*out, from->exact[i]);
    return status;
}


typedef struct answer {
    rico_status status;
    rico_study_row row;
    char note[512];
} answer;

typedef struct order {
    const rico_scene_study *study;
    rico_study plan;
    int finest; // the reference, which was run before; -1: there is an exact solution
    rico_study_path reference;
    rico_study_row *rows;
    int64_t failed; // the first that did
    rico_status status;
    char note[512];
} order;


// Pieces are the steps without that of the reference.
static int step_of(const order *all, int64_t piece)
{
    return (int)(all->finest >= 0 && piece >= all->finest ? piece + 1 : piece);
}


static void work(void *user, rico_context *ctx, int64_t piece, void *place)
{
    const order *all = user;
    answer *out = place;
    rico_scene_study *own = NULL;
    rico_study plan = all->plan;
    out->status = clone(ctx, all->study, &own);
    plan.user = own;
    if (out->status == RICO_OK)
        out->status = rico_study_run_one(ctx, &plan, step_of(all, piece),
                                         all->finest >= 0 ? &all->reference : NULL, NULL, &out->row);
    if (out->status != RICO_OK) snprintf(out->note, sizeof out->note, "%s", rico_message(ctx));
    rico_scene_study_destroy(own);
}


static rico_status ended(void *user, int64_t piece, void *place, const rico_work_end *end)
{
    order *all = user;
    const answer *got = place;
    (void)end;
    all->rows[step_of(all, piece)] = got->row;
    if (got->status == RICO_OK || piece >= all->failed) return RICO_OK;
    all->failed = piece;
    all->status = got->status;
    memcpy(all->note, got->note, sizeof all->note);
    return RICO_OK;
}


rico_status rico_scene_study_run(rico_scene_study *study, int count, const double *steps, int threads,
                                 rico_study_row *rows, rico_orders *orders)
{
    rico_context *ctx = study->ctx;
    order all = {.study = study,
                 .plan = {.count = count,
                          .h = steps,
                          .duration = study->time.end - study->time.start,
                          .create = begin_run,
                          .destroy = end_run,
                          .exact = study->count > 0 ? evaluate : NULL,
                          .user = study},
                 .rows = rows,
                 .failed = count};
    rico_status status = rico_study_check(ctx, &all.plan, &all.finest);
    if (all.plan.exact) all.finest = -1;
    if (status == RICO_OK && all.finest >= 0)
        status = rico_study_run_one(ctx, &all.plan, all.finest, NULL, &all.reference, &rows[all.finest]);
    const rico_workers workers = {.ctx = ctx,
                                  .threads = threads,
                                  .count = count - (all.finest >= 0),
                                  .answer = sizeof(answer),
                                  .user = &all,
                                  .work = work,
                                  .ended = ended};
    if (status == RICO_OK) status = rico_workers_run(&workers);
    if (status == RICO_OK && all.failed < count) status = rico_fail(ctx, all.status, "%s", all.note);
    if (status == RICO_OK && rico_context_interrupted(ctx))
        status = rico_fail(ctx, RICO_INTERRUPTED, "interrupted");
    rico_free(ctx, all.reference.point);
    return status == RICO_OK ? rico_study_fit(ctx, count, rows, orders) : status;
}
