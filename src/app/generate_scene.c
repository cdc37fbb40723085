// rico generate --scene: the contact problems that a scene meets on its way.

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
    const rico_scene_harvest *options;
    rico_scene *scene;
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
    char name[128], title[256], description[512], *path = NULL;
    snprintf(name, sizeof name, "%s-%07lld.hdf5", c->name, (long long)step);
    snprintf(title, sizeof title, "%s, step %lld", c->name, (long long)step);
    snprintf(description, sizeof description, "rico %s generate --scene %s --every %lld: t = %.17g",
             rico_version(), c->options->scene, (long long)c->options->every, rico_simulation_time(c->sim));
    const rico_fclib_extras extras = {.title = title, .description = description};
    rico_status status = rico_path_join(ctx, c->options->output, name, &path);
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


static rico_status run_through(collection *c)
{
    rico_scene_time time = rico_scene_times(c->scene);
    int64_t steps = (int64_t)fmax(1.0, rint((time.end - time.start) / time.step));
    rico_status status = RICO_OK;
    for (int64_t i = 0; status == RICO_OK && i < steps; i++) {
        rico_problem *problem = NULL;
        if (rico_context_interrupted(c->app->ctx) || !rico_app_flush(c->app)) break;
        if (i % c->options->every == 0)
            status = rico_scene_problems_make(c->problems, c->sim, time.step, &problem);
        if (status == RICO_OK && problem && c->options->reduced) status = reduce(c->app->ctx, &problem);
        if (status == RICO_OK && problem) status = write_problem(c, problem, i);
        rico_problem_destroy(problem);
        if (status == RICO_OK) status = rico_simulation_step(c->sim, time.step);
    }
    if (status == RICO_OK && c->written == 0)
        status = rico_fail(c->app->ctx, RICO_BAD_INPUT,
                           "nothing touches in the steps looked at: no problem was written");
    return status;
}


rico_status rico_generate_from_scene(rico_app *app, const rico_scene_harvest *options)
{
    rico_context *ctx = app->ctx;
    collection c = {.app = app, .options = options};
    char excerpt[512] = "";
    if (!options->output)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "option '--output' is missing: into which folder should they go?");
    const char *base = rico_path_base(options->scene);
    snprintf(c.name, sizeof c.name, "%.*s", (int)strcspn(base, "."), base);
    rico_status status = rico_scene_load(ctx, options->scene, options->set->count, options->set->item,
                                         excerpt, sizeof excerpt, &c.scene);
    if (status == RICO_OK) status = rico_scene_simulate(c.scene, &c.sim);
    if (status == RICO_OK) status = rico_scene_problems_create(ctx, c.scene, &c.problems);
    if (status == RICO_OK) status = rico_path_make_folder(ctx, options->output);
    if (status == RICO_OK) status = run_through(&c);
    rico_scene_problems_destroy(c.problems);
    rico_simulation_destroy(c.sim);
    rico_scene_destroy(c.scene);
    return status;
}
