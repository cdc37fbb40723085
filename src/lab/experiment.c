// Experiments: their life, and their runs.

#include "base/paths.h"
#include "lab/experiment_private.h"
#include "store/runner.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>


rico_node *rico_experiment_at(const rico_experiment *experiment, const char *key)
{
    return rico_node_at(rico_document_root(experiment->document), key);
}


static int64_t count_of(const rico_node *node)
{
    return node ? node->count : 0;
}


// {time.step: [0.1, 0.05]}: one key, a list of numbers.
static rico_status read_sweep(rico_experiment *experiment, const rico_node *over, rico_family *family)
{
    bool range = over && over->kind == RICO_NODE_SCALAR && rico_node_at(family->node, "impact");
    family->count = 1;
    if (over && !range) { // a range of impacts is one run
        if (over->kind != RICO_NODE_MAPPING || over->count != 1 || over->first->kind != RICO_NODE_LIST)
            return rico_document_fail(experiment->document, over,
                                      "'over' must name one thing and its values: {time.step: [0.1, 0.05]}");
        family->over = over->first;
        rico_status status =
            rico_document_reals(experiment->document, over->first, &family->count, &family->swept);
        if (status != RICO_OK) return status;
    }
    family->result = rico_alloc(experiment->ctx, family->count, sizeof *family->result);
    family->sheet = rico_alloc(experiment->ctx, family->count, sizeof *family->sheet);
    return family->result && family->sheet ? RICO_OK : RICO_NO_MEMORY;
}


static rico_status prepare(rico_experiment *experiment)
{
    rico_context *ctx = experiment->ctx;
    const rico_node *runs = rico_experiment_at(experiment, "runs");
    experiment->value =
        rico_alloc(ctx, count_of(rico_experiment_at(experiment, "values")), sizeof *experiment->value);
    experiment->family = rico_alloc(ctx, runs->count, sizeof *experiment->family);
    if (!experiment->value || !experiment->family) return RICO_NO_MEMORY;
    experiment->scope = (rico_scope){0, experiment->value, NULL};
    for (const rico_node *run = runs->first; run; run = run->next) {
        rico_family *family = &experiment->family[experiment->family_count++];
        family->node = run;
        rico_status status = read_sweep(experiment, rico_node_at(run, "over"), family);
        if (status != RICO_OK) return status;
    }
    return RICO_OK;
}


rico_status rico_experiment_load(rico_context *ctx, const char *path, char *excerpt, size_t size,
                                 rico_experiment **out)
{
    if (excerpt && size > 0) excerpt[0] = '\0';
    rico_experiment *experiment = rico_alloc(ctx, 1, sizeof *experiment);
    if (!experiment) return RICO_NO_MEMORY;
    experiment->ctx = ctx;
    rico_status status = rico_document_create(ctx, &experiment->document);
    if (status == RICO_OK) status = rico_document_load(experiment->document, path);
    if (status == RICO_OK)
        status = rico_schema_apply(experiment->document, rico_document_root(experiment->document),
                                   rico_experiment_schema());
    if (status == RICO_OK) status = prepare(experiment);
    if (status != RICO_OK) {
        if (experiment->document && excerpt && size > 0)
            rico_document_excerpt(experiment->document, excerpt, size);
        rico_experiment_destroy(experiment);
        return status;
    }
    *out = experiment;
    return RICO_OK;
}


static void forget_results(rico_experiment *experiment, bool keep)
{
    rico_experiment_forget_columns(experiment);
    for (int64_t i = 0; i < experiment->family_count; i++) {
        const rico_family *family = &experiment->family[i];
        for (int64_t k = 0; family->result && k < family->count; k++) {
            if (family->result[k] && !keep) unlink(family->result[k]);
            rico_free(experiment->ctx, family->result[k]);
            family->result[k] = NULL;
        }
        for (int64_t k = 0; family->sheet && k < family->count; k++)
            if (family->sheet[k].ctx) rico_sheet_release(&family->sheet[k]);
    }
}


void rico_experiment_destroy(rico_experiment *experiment)
{
    if (!experiment) return;
    rico_context *ctx = experiment->ctx;
    forget_results(experiment, true);
    for (int64_t i = 0; i < experiment->family_count; i++) {
        rico_free(ctx, experiment->family[i].swept);
        rico_free(ctx, experiment->family[i].result);
        rico_free(ctx, experiment->family[i].sheet);
    }
    rico_free(ctx, experiment->family);
    rico_free(ctx, experiment->value);
    rico_document_destroy(experiment->document);
    rico_free(ctx, experiment);
}


const char *rico_experiment_title(const rico_experiment *experiment)
{
    return rico_experiment_at(experiment, "title")->text;
}


const char *rico_experiment_reference(const rico_experiment *experiment)
{
    return rico_experiment_at(experiment, "reference")->text;
}


// --- runs ----------------------------------------------------------------------------------------------------

// Runs one of a family into DIR/NAME.h5, or DIR/NAME-3.h5 in a sweep; an impact into a sheet, and NAME.csv to keep.
static rico_status run_scene(rico_experiment *experiment, const rico_family *family, int64_t index,
                             const char *dir, bool keep)
{
    rico_context *ctx = experiment->ctx;
    const rico_node *run = family->node, *set = rico_node_at(run, "set");
    const char *scene;
    bool impact = rico_node_at(run, "impact") != NULL;
    const char *ending = impact ? "csv" : "h5";
    char name[200], swept[200];
    if (family->over) {
        snprintf(name, sizeof name, "%.140s-%lld.%s", run->key, (long long)index, ending);
        snprintf(swept, sizeof swept, "%.140s=%.17g", family->over->key, family->swept[index]);
    } else {
        snprintf(name, sizeof name, "%.140s.%s", run->key, ending);
    }
    // what goes again at the end must not be what another run has kept there
    if (!keep) {
        char *dot = strrchr(name, '.');
        snprintf(dot, sizeof name - (size_t)(dot - name), ".%ld.%s", (long)getpid(), ending);
    }
    const char **words = rico_alloc(ctx, count_of(set) + 1, sizeof *words);
    if (!words) return RICO_NO_MEMORY;
    int64_t count = 0;
    for (const rico_node *word = set ? set->first : NULL; word; word = word->next)
        words[count++] = word->text;
    if (family->over) words[count++] = swept;
    rico_status status = rico_document_path(experiment->document, rico_node_at(run, "scene"), &scene);
    if (status == RICO_OK) status = rico_path_join(ctx, dir, name, &family->result[index]);
    if (status == RICO_OK && impact) {
        rico_sheet *sheet = &family->sheet[index];
        sheet->ctx = ctx;
        status = rico_experiment_impact(experiment, run, scene, count, words, sheet);
        if (status == RICO_OK && keep) status = rico_sheet_write_csv(sheet, family->result[index]);
        if (status != RICO_OK) rico_fail_in(ctx, status, run->key);
    } else if (status == RICO_OK) {
        rico_runner_result how;
        rico_runner_options options = rico_runner_defaults();
        options.scene = scene;
        options.override_count = count;
        options.overrides = words;
        options.output = family->result[index];
        options.overwrite = true;
        status = rico_runner_run(ctx, &options, &how);
        if (status != RICO_OK) rico_fail_in(ctx, status, run->key);
    }
    rico_free(ctx, words);
    return status;
}


rico_status rico_experiment_run(rico_experiment *experiment, const char *dir, bool keep, bool draw,
                                const rico_experiment_listener *listener, int64_t *failed)
{
    const rico_node *figures = rico_experiment_at(experiment, "figures");
    rico_status status = RICO_OK;
    int64_t done = 0, runs = 0;
    *failed = 0;
    for (int64_t i = 0; i < experiment->family_count; i++) runs += experiment->family[i].count;
    for (int64_t i = 0; i < experiment->family_count; i++) {
        const rico_family *family = &experiment->family[i];
        for (int64_t k = 0; status == RICO_OK && k < family->count; k++) {
            if (listener->run) listener->run(listener->user, family->node->key, done++, runs);
            status = run_scene(experiment, family, k, dir, keep);
        }
    }
    // values become known one after the other, to all that comes below them
    rico_document_set_scope(experiment->document, &experiment->scope);
    if (status == RICO_OK) status = rico_experiment_take_values(experiment);
    if (status == RICO_OK) status = rico_experiment_make_checks(experiment, listener, failed);
    for (const rico_node *node = draw && figures ? figures->first : NULL; status == RICO_OK && node;
         node = node->next)
        status = rico_experiment_draw(experiment, node, dir, listener);
    rico_document_set_scope(experiment->document, NULL);
    forget_results(experiment, keep);
    return status;
}
