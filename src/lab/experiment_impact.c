// Runs of an experiment that are impacts: laws applied to the initial state of a scene, their outcomes as columns.

#include "lab/experiment_private.h"
#include "lab/outcome.h"

// The words of a list, to be freed; an empty array without one.
static rico_status words_of(rico_context *ctx, const rico_node *list, int64_t *count, const char ***out)
{
    const char **words = rico_alloc(ctx, list ? list->count : 0, sizeof *words);
    if (!words) return RICO_NO_MEMORY;
    *count = 0;
    for (const rico_node *word = list ? list->first : NULL; word; word = word->next)
        words[(*count)++] = word->text;
    *out = words;
    return RICO_OK;
}


static rico_status strike(rico_context *ctx, const char *scene, int64_t set_count, const char *const *set,
                          const rico_outcome_options *options, rico_sheet *sheet)
{
    rico_scene *made = NULL;
    rico_outcomes outcomes = {0};
    rico_status status = rico_scene_load(ctx, scene, set_count, set, NULL, 0, &made);
    if (status == RICO_OK) status = rico_outcomes_make(ctx, made, options, &outcomes);
    if (status == RICO_OK) status = rico_outcomes_sheet(&outcomes, sheet);
    rico_outcomes_release(&outcomes);
    rico_scene_destroy(made);
    return status;
}


rico_status rico_experiment_impact(rico_experiment *experiment, const rico_node *run, const char *scene,
                                   int64_t set_count, const char *const *set, rico_sheet *sheet)
{
    rico_context *ctx = experiment->ctx;
    const rico_node *over = rico_node_at(run, "over");
    const char **laws = NULL, **words = NULL;
    rico_outcome_options options = {0};
    rico_status status = words_of(ctx, rico_node_at(run, "impact"), &options.law_count, &laws);
    if (status == RICO_OK)
        status = words_of(ctx, rico_node_at(run, "options"), &options.option_count, &words);
    if (status == RICO_OK)
        status = rico_document_integer(experiment->document, rico_node_at(run, "waves"), &options.waves);
    if (status == RICO_OK)
        status =
            rico_document_real(experiment->document, rico_node_at(run, "waves-until"), &options.waves_until);
    options.laws = laws;
    options.options = words;
    if (status == RICO_OK && over && over->kind == RICO_NODE_SCALAR) {
        rico_outcome_sweep range = {.scene = scene,
                                    .override_count = set_count,
                                    .overrides = set,
                                    .options = &options,
                                    .over = over->text};
        status = rico_outcome_sweep_run(ctx, &range, sheet);
    } else if (status == RICO_OK) {
        status = strike(ctx, scene, set_count, set, &options, sheet);
    }
    rico_free(ctx, laws);
    rico_free(ctx, words);
    return status;
}
