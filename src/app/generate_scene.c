// rico generate --scene, cubes and wall-fem: the contact problems that a motion meets on its way.

#include "app/generate_scene.h"

#include "base/paths.h"
#include "base/table.h"
#include "lab/scene_problems.h"
#include "ricochet/fclib.h"
#include "ricochet/run.h"
#include "store/target.h"

#include <math.h>
#include <string.h>

typedef struct collection {
    rico_app *app;
    const char *output; // a folder
    char description[512];
    rico_simulation *sim;
    rico_scene_problems *problems;
    char name[64]; // of the scene, without its ending
    int64_t written;
} collection;


// W and q in the place of M, H, f and w.
static rico_status reduce(rico_context *ctx, rico_problem **problem)
{
    rico_sparse_view W;
    rico_problem *small = NULL;
    rico_status status = rico_problem_delassus(*problem, &W);
    if (status != RICO_OK) return status;
    int64_t count = rico_problem_block_count(*problem);
    rico_block *block = rico_alloc(ctx, count, sizeof *block);
    for (int64_t i = 0; block && i < count; i++) block[i] = rico_problem_block(*problem, i);
    status = block ? rico_problem_create_reduced(ctx, count, block, &W, rico_problem_free_velocity(*problem),
                                                 &small)
                   : RICO_NO_MEMORY;
    rico_sparse_release(ctx, &W);
    rico_free(ctx, block);
    if (status != RICO_OK) return status;
    rico_problem_destroy(*problem);
    *problem = small;
    return RICO_OK;
}


static rico_status write_problem(collection *c, rico_problem *problem, int64_t step)
{
    rico_context *ctx = c->app->ctx;
    char name[128], title[256], description[640], *path = NULL;
    snprintf(name, sizeof name, "%s-%07lld.hdf5", c->name, (long long)step);
    snprintf(title, sizeof title, "%s, step %lld", c->name, (long long)step);
    snprintf(description, sizeof description, "rico %s generate %s: t = %.17g", rico_version(),
             c->description, rico_simulation_time(c->sim));
    const rico_fclib_extras extras = {.title = title, .description = description};
    rico_status status = rico_path_join(ctx, c->output, name, &path);
    if (status == RICO_OK) status = rico_target_check(ctx, path, RICO_TARGET_PROBLEM, NULL, NULL);
    if (status == RICO_OK) status = rico_fclib_write(problem, &extras, path);
    if (status == RICO_OK) {
        fprintf(c->app->out, "wrote ");
        rico_print_plain(c->app->out, path);
        fprintf(c->app->out, "\n");
        c->written++;
    }
    rico_free(ctx, path);
    return status;
}


// The problem of the step that comes, where something touches.
static rico_status take_problem(collection *c, double h, bool reduced, int64_t step)
{
    rico_problem *problem = NULL;
    rico_status status = rico_scene_problems_make(c->problems, c->sim, h, &problem);
    if (status == RICO_OK && problem && reduced) status = reduce(c->app->ctx, &problem);
    if (status == RICO_OK && problem) status = write_problem(c, problem, step);
    rico_problem_destroy(problem);
    return status;
}


static bool stopped(const collection *c)
{
    return rico_context_interrupted(c->app->ctx) || !rico_app_flush(c->app);
}


static rico_status check_written(const collection *c, rico_status status)
{
    if (status != RICO_OK || c->written > 0) return status;
    return rico_fail(c->app->ctx, RICO_BAD_INPUT,
                     "nothing touches in the steps looked at: no problem was written");
}


static rico_status run_through(collection *c, rico_scene *scene, const rico_scene_harvest *options)
{
    rico_scene_time time = rico_scene_times(scene);
    int64_t steps = (int64_t)fmax(1.0, rint((time.end - time.start) / time.step));
    rico_status status = RICO_OK;
    for (int64_t i = 0; status == RICO_OK && i < steps && !stopped(c); i++) {
        if (i % options->every == 0) status = take_problem(c, time.step, options->reduced, i);
        if (status == RICO_OK) status = rico_simulation_step(c->sim, time.step);
    }
    return check_written(c, status);
}


static rico_status check_output(rico_context *ctx, const char *output)
{
    if (!output)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "option '--output' is missing: into which folder should they go?");
    return RICO_OK;
}


rico_status rico_generate_from_scene(rico_app *app, const rico_scene_harvest *options)
{
    rico_context *ctx = app->ctx;
    collection c = {.app = app, .output = options->output};
    rico_scene *scene = NULL;
    char excerpt[512] = "";
    rico_status status = check_output(ctx, options->output);
    if (status != RICO_OK) return status;
    const char *base = rico_path_base(options->scene);
    snprintf(c.name, sizeof c.name, "%.*s", (int)strcspn(base, "."), base);
    snprintf(c.description, sizeof c.description, "--scene %s --every %lld", options->scene,
             (long long)options->every);
    status = rico_scene_load(ctx, options->scene, options->set->count, options->set->item, excerpt,
                             sizeof excerpt, &scene);
    if (status == RICO_OK) status = rico_scene_simulate(scene, &c.sim);
    if (status == RICO_OK) status = rico_scene_problems_create(ctx, rico_scene_system(scene), &c.problems);
    if (status == RICO_OK) status = rico_path_make_folder(ctx, options->output);
    if (status == RICO_OK) status = run_through(&c, scene, options);
    rico_scene_problems_destroy(c.problems);
    rico_simulation_destroy(c.sim);
    rico_scene_destroy(scene);
    return status;
}


rico_status rico_generate_elastic(rico_app *app, const rico_elastic_harvest *options)
{
    enum { PATIENCE = 20 }; // steps for each problem: bodies that bounce touch in few of them
    collection c = {.app = app, .output = options->output};
    rico_elastic_stage stage = {0};
    double h = options->recipe->step;
    rico_status status = check_output(app->ctx, options->output);
    if (status != RICO_OK) return status;
    snprintf(c.name, sizeof c.name, "%s", options->name);
    snprintf(c.description, sizeof c.description, "%s", options->description);
    status = rico_elastic_stage_open(app->ctx, options->recipe, &stage);
    c.sim = stage.sim;
    if (status == RICO_OK) status = rico_scene_problems_create(app->ctx, stage.system, &c.problems);
    if (status == RICO_OK) status = rico_path_make_folder(app->ctx, options->output);
    for (int64_t i = 0; status == RICO_OK && c.written < options->count && i < PATIENCE * options->count;
         i++) {
        if (stopped(&c)) break;
        status = take_problem(&c, h, options->reduced, i);
        if (status == RICO_OK && c.written < options->count) status = rico_simulation_step(c.sim, h);
    }
    status = check_written(&c, status);
    rico_scene_problems_destroy(c.problems);
    rico_elastic_stage_close(&stage);
    return status;
}
