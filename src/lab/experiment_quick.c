// Experiments without their long runs: what is read from those, and all that follows from it, is left out
// with them.

#include "lab/experiment_private.h"

#include <ctype.h>
#include <string.h>

// Names of what was left out: runs, and values that came from them. They belong to the document.
typedef struct absent {
    rico_context *ctx;
    int64_t count;
    const char **name;
} absent;


static rico_status add(absent *list, const char *name)
{
    const char **more = rico_grow(list->ctx, list->name, list->count, list->count + 1, sizeof *more);
    if (!more) return RICO_NO_MEMORY;
    list->name = more;
    list->name[list->count++] = name;
    return RICO_OK;
}


static bool has(const absent *list, const char *name, size_t length)
{
    for (int64_t i = 0; i < list->count; i++)
        if (strlen(list->name[i]) == length && strncmp(list->name[i], name, length) == 0) return true;
    return false;
}


// Does a formula use one of the names?
static bool mentions(const char *text, const absent *list)
{
    while (text && *text) {
        size_t length = 0;
        while (isalnum((unsigned char)text[length]) || text[length] == '_') length++;
        if (length > 0 && !isdigit((unsigned char)*text) && has(list, text, length)) return true;
        text += length > 0 ? length : 1;
    }
    return false;
}


// Is the run that a text names, "moreau" or "moreau[2]", one of them?
static bool names_run(const char *text, const absent *runs)
{
    return text && has(runs, text, strcspn(text, "["));
}


// Does anything below the node depend on what is absent? Runs are named by keys, values are used by formulas.
static bool depends(const rico_node *node, const absent *runs, const absent *values)
{
    const char *key = node->key ? node->key : "";
    if (node->kind == RICO_NODE_SCALAR) {
        const rico_node *parent = node->parent;
        bool run = strcmp(key, "run") == 0 || (parent && parent->key && strcmp(parent->key, "run") == 0);
        if (run && names_run(node->text, runs)) return true;
        bool formula = strcmp(key, "formula") == 0 || strcmp(key, "that") == 0;
        for (; parent && !formula; parent = parent->parent)
            formula = parent->key && strcmp(parent->key, "points") == 0;
        return formula && mentions(node->text, values);
    }
    for (const rico_node *child = node->first; child; child = child->next)
        if (depends(child, runs, values)) return true;
    return false;
}


// Takes out of a list or mapping the children that `drops` says; their names are kept in `list` unless it is
// NULL.
static rico_status sift(rico_node *parent, const absent *runs, const absent *values,
                        bool (*drops)(const rico_node *, const absent *, const absent *), absent *list)
{
    if (!parent) return RICO_OK;
    rico_status status = RICO_OK;
    rico_node **link = &parent->first, *last = NULL;
    int64_t index = 0;
    while (status == RICO_OK && *link) {
        rico_node *child = *link;
        if (drops(child, runs, values)) {
            if (list && child->key) status = add(list, child->key);
            *link = child->next;
            parent->count--;
        } else {
            child->index = index++;
            last = child;
            link = &child->next;
        }
    }
    parent->last = last;
    return status;
}


static bool is_long(const rico_node *run, const absent *runs, const absent *values)
{
    (void)values;
    const rico_node *mark = rico_node_at(run, "long"), *from = rico_node_at(run, "from");
    return (mark && mark->text && strcmp(mark->text, "true") == 0) || (from && names_run(from->text, runs));
}


static bool is_empty(const rico_node *figure, const absent *runs, const absent *values)
{
    (void)runs, (void)values;
    return rico_node_at(figure, "panels")->count == 0;
}


rico_status rico_experiment_shorten(rico_experiment *experiment)
{
    absent runs = {.ctx = experiment->ctx}, values = {.ctx = experiment->ctx};
    rico_node *figures = rico_experiment_at(experiment, "figures");
    rico_status status = sift(rico_experiment_at(experiment, "runs"), &runs, &values, is_long, &runs);
    if (status == RICO_OK)
        status = sift(rico_experiment_at(experiment, "values"), &runs, &values, depends, &values);
    if (status == RICO_OK)
        status = sift(rico_experiment_at(experiment, "columns"), &runs, &values, depends, NULL);
    if (status == RICO_OK)
        status = sift(rico_experiment_at(experiment, "checks"), &runs, &values, depends, NULL);
    for (rico_node *figure = figures ? figures->first : NULL; status == RICO_OK && figure;
         figure = figure->next)
        status = sift(rico_node_at(figure, "panels"), &runs, &values, depends, NULL);
    if (status == RICO_OK) status = sift(figures, &runs, &values, is_empty, NULL);
    if (status == RICO_OK && rico_experiment_at(experiment, "runs")->count == 0)
        status = rico_document_fail(experiment->document, rico_experiment_at(experiment, "runs"),
                                    "all runs of the experiment are long ones");
    rico_free(experiment->ctx, runs.name);
    rico_free(experiment->ctx, values.name);
    return status;
}
