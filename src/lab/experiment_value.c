// Values of an experiment, and the checks of them.

#include "base/suggest.h"
#include "lab/experiment_private.h"
#include "lab/measure_column.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>


rico_status rico_experiment_family(rico_experiment *experiment, const rico_node *named,
                                   const rico_family **family, int64_t *index)
{
    rico_suggestion near;
    char hint[RICO_SUGGEST_SENTENCE], name[160];
    snprintf(name, sizeof name, "%s", named->text ? named->text : "");
    int64_t member = -1;
    char *bracket = strchr(name, '['), *end = NULL;
    if (bracket) {
        member = strtoll(bracket + 1, &end, 10);
        *bracket = '\0';
    }
    rico_suggest_start(&near, name);
    for (int64_t i = 0; i < experiment->family_count; i++) {
        const rico_family *one = &experiment->family[i];
        rico_suggest_offer(&near, one->node->key);
        if (strcmp(one->node->key, name) != 0) continue;
        if (end && (strcmp(end, "]") != 0 || member < 0 || member >= one->count))
            return rico_document_fail(experiment->document, named, "'%s' has the runs %s[0] to %s[%lld]",
                                      name, name, name, (long long)one->count - 1);
        *family = one;
        *index = end ? member : one->over ? -1 : 0;
        return RICO_OK;
    }
    return rico_document_fail(experiment->document, named, "there is no run '%s'%s", name,
                              rico_suggest_sentence(&near, "", hint));
}


// A formula of the values so far; what is not finite stays so.
static rico_status evaluate(rico_experiment *experiment, const rico_node *node, double *value)
{
    rico_formula *formula = NULL;
    rico_status status = rico_document_formula(experiment->document, node, &experiment->scope, &formula);
    if (status != RICO_OK) return status;
    double *work = rico_alloc(experiment->ctx, rico_formula_work(formula, 0, 0), sizeof *work);
    if (work) *value = rico_formula_value(formula, NULL, work);
    rico_free(experiment->ctx, work);
    rico_formula_destroy(formula);
    return work ? RICO_OK : RICO_NO_MEMORY;
}


// Slope of log(y) over log(x) by least squares: the order of convergence when x is the step.
static double order(int64_t count, const double *x, const double *y)
{
    double mean_x = 0.0, mean_y = 0.0, product = 0.0, square = 0.0;
    for (int64_t i = 0; i < count; i++) {
        mean_x += log(x[i]) / (double)count;
        mean_y += log(fabs(y[i])) / (double)count;
    }
    for (int64_t i = 0; i < count; i++) {
        double distance = log(x[i]) - mean_x;
        product += distance * (log(fabs(y[i])) - mean_y);
        square += distance * distance;
    }
    return product / square;
}


// One number of each run of a sweep, and one of these.
static rico_status take_across(rico_experiment *experiment, const rico_family *family,
                               const rico_node *column, int measure, const rico_node *across, double from,
                               double to, double *value)
{
    double *taken = rico_alloc(experiment->ctx, family->count, sizeof *taken);
    rico_status status = taken ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t i = 0; status == RICO_OK && i < family->count; i++)
        status = rico_experiment_measure(experiment, family->result[i], column, measure, from, to, &taken[i]);
    if (status == RICO_OK) {
        *value = strcmp(across->text, "order") == 0
                     ? order(family->count, family->swept, taken)
                     : rico_measure_take(rico_measure_find(across->text), family->count, family->swept, taken,
                                         -INFINITY, INFINITY);
    }
    rico_free(experiment->ctx, taken);
    return status;
}


static rico_status take_value(rico_experiment *experiment, const rico_node *node, double *value)
{
    rico_document *document = experiment->document;
    const rico_node *run = rico_node_at(node, "run"), *column = rico_node_at(node, "column"),
                    *from = rico_node_at(node, "from"), *to = rico_node_at(node, "to"),
                    *across = rico_node_at(node, "across");
    if (!run) return evaluate(experiment, rico_node_at(node, "formula"), value);
    if (!column) return rico_document_fail(document, node, "the value '%s' names no 'column'", node->key);
    const rico_family *family = NULL;
    int64_t index = 0;
    double low = -INFINITY, high = INFINITY;
    int measure = rico_measure_find(rico_node_at(node, "take")->text);
    rico_status status = from ? rico_document_real(document, from, &low) : RICO_OK;
    if (status == RICO_OK && to) status = rico_document_real(document, to, &high);
    if (status == RICO_OK) status = rico_experiment_family(experiment, run, &family, &index);
    if (status != RICO_OK || !family) return status;
    if (index < 0 && !across)
        return rico_document_fail(document, node,
                                  "'%s' is a sweep: take one of its runs, %s[0] to %s[%lld], or set 'across'",
                                  run->text, run->text, run->text, (long long)family->count - 1);
    if (index >= 0 && across)
        return rico_document_fail(document, across, "'across' needs a sweep, and '%s' is one run", run->text);
    return index < 0 ? take_across(experiment, family, column, measure, across, low, high, value)
                     : rico_experiment_measure(experiment, family->result[index], column, measure, low, high,
                                               value);
}


rico_status rico_experiment_take_values(rico_experiment *experiment)
{
    experiment->scope.count = 0;
    const rico_node *values = rico_experiment_at(experiment, "values");
    for (const rico_node *node = values ? values->first : NULL; node; node = node->next) {
        double value = NAN;
        rico_status status = take_value(experiment, node, &value);
        if (status != RICO_OK) return status;
        experiment->value[experiment->scope.count++] =
            (rico_symbol){.name = node->key, .kind = RICO_SYMBOL_CONSTANT, .value = value};
    }
    return RICO_OK;
}


// "gain = 0.00011, loss = -3": the values that the text names, in the order of the file.
static void list_values(const rico_experiment *experiment, const char *text, char *out, size_t size)
{
    static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    size_t used = 0;
    out[0] = '\0';
    for (int64_t i = 0; i < experiment->scope.count; i++) {
        const char *name = experiment->value[i].name;
        size_t length = strlen(name);
        for (const char *seen = text; (seen = strstr(seen, name)); seen += length) {
            bool begins = seen == text || !strchr(LETTERS, seen[-1]);
            bool ends = seen[length] == '\0' || !strchr(LETTERS, seen[length]);
            if (!begins || !ends || used >= size) continue;
            used += (size_t)snprintf(out + used, size - used, "%s%s = %.6g", used ? ", " : "", name,
                                     experiment->value[i].value);
            break;
        }
    }
}


rico_status rico_experiment_make_checks(rico_experiment *experiment, const rico_experiment_listener *listener,
                                        int64_t *failed)
{
    const rico_node *checks = rico_experiment_at(experiment, "checks");
    for (const rico_node *node = checks ? checks->first : NULL; node; node = node->next) {
        double value = NAN;
        rico_status status = evaluate(experiment, rico_node_at(node, "that"), &value);
        if (status != RICO_OK) return status;
        rico_experiment_check check = {.says = rico_node_at(node, "says")->text,
                                       .that = rico_node_at(node, "that")->text,
                                       .holds = value == 1.0};
        list_values(experiment, check.that, check.values, sizeof check.values);
        *failed += !check.holds;
        if (listener->check) listener->check(listener->user, &check);
    }
    return RICO_OK;
}
