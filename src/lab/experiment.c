// Experiments: their life, and their order of work.

#include "lab/computation.h"
#include "lab/experiment_private.h"
#include "store/columns.h"

#include <stdio.h>


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
    family->columns = rico_alloc(experiment->ctx, family->count, sizeof(rico_columns *));
    return family->result && family->sheet && family->columns ? RICO_OK : RICO_NO_MEMORY;
}


// A number that is swept takes its place in `given`, where it is checked as if it stood there.
rico_status rico_experiment_give(rico_experiment *experiment, const rico_family *family, int64_t index)
{
    char path[200], number[32];
    if (family->over) {
        snprintf(path, sizeof path, "runs.%.80s.given.%.80s", family->node->key, family->over->key);
        snprintf(number, sizeof number, "%.17g", family->swept[index]);
        rico_status status = rico_document_set(experiment->document, path, number);
        if (status != RICO_OK) return status;
    }
    return rico_computation_check(experiment->document, family->node);
}


// A computation has what its kind asks for and nothing that scenes have; a scene is given nothing.
static rico_status check_computation(rico_experiment *experiment, const rico_family *family)
{
    const rico_node *run = family->node;
    static const char *const OF_SCENES[] = {"set", "from", "impact", "options"};
    const rico_node *given = rico_node_at(run, "given");
    if (!rico_node_at(run, "compute")) {
        if (!given) return RICO_OK;
        return rico_document_fail_key(experiment->document, given,
                                      "'given' belongs to computations, and '%s' runs a scene", run->key);
    }
    for (size_t i = 0; i < sizeof OF_SCENES / sizeof *OF_SCENES; i++) {
        const rico_node *wrong = rico_node_at(run, OF_SCENES[i]);
        if (wrong)
            return rico_document_fail_key(experiment->document, wrong,
                                          "'%s' belongs to scenes, and '%s' is a computation", OF_SCENES[i],
                                          run->key);
    }
    if (!given) return rico_document_fail(experiment->document, run, "the computation needs 'given'");
    return rico_experiment_give(experiment, family, 0);
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
        if (status == RICO_OK) status = check_computation(experiment, family);
        if (status != RICO_OK) return status;
    }
    return RICO_OK;
}


rico_status rico_experiment_load(rico_context *ctx, const char *path, bool quick, char *excerpt, size_t size,
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
    if (status == RICO_OK && quick) status = rico_experiment_shorten(experiment);
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


static void forget_results(rico_experiment *experiment)
{
    rico_experiment_forget_columns(experiment);
    for (int64_t i = 0; i < experiment->family_count; i++) {
        const rico_family *family = &experiment->family[i];
        for (int64_t k = 0; family->result && k < family->count; k++) {
            rico_free(experiment->ctx, family->result[k]);
            family->result[k] = NULL;
        }
        for (int64_t k = 0; family->columns && k < family->count; k++) {
            rico_columns_destroy(family->columns[k]);
            family->columns[k] = NULL;
        }
        for (int64_t k = 0; family->sheet && k < family->count; k++)
            if (family->sheet[k].ctx) rico_sheet_release(&family->sheet[k]);
    }
}


void rico_experiment_destroy(rico_experiment *experiment)
{
    if (!experiment) return;
    rico_context *ctx = experiment->ctx;
    forget_results(experiment);
    for (int64_t i = 0; i < experiment->family_count; i++) {
        rico_free(ctx, experiment->family[i].swept);
        rico_free(ctx, experiment->family[i].result);
        rico_free(ctx, experiment->family[i].sheet);
        rico_free(ctx, experiment->family[i].columns);
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


rico_status rico_experiment_run(rico_experiment *experiment, const char *dir, bool keep, bool draw,
                                int threads, const rico_experiment_listener *listener, int64_t *failed)
{
    const rico_node *figures = rico_experiment_at(experiment, "figures");
    *failed = 0;
    rico_status status = rico_experiment_run_scenes(experiment, dir, keep, threads, listener);
    // values become known one after the other, to all that comes below them
    rico_document_set_scope(experiment->document, &experiment->scope);
    if (status == RICO_OK) status = rico_experiment_take_values(experiment);
    if (status == RICO_OK) status = rico_experiment_make_checks(experiment, listener, failed);
    for (const rico_node *node = draw && figures ? figures->first : NULL; status == RICO_OK && node;
         node = node->next)
        status = rico_experiment_draw(experiment, node, dir, listener);
    rico_document_set_scope(experiment->document, NULL);
    forget_results(experiment);
    return status;
}
