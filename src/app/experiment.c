// Experiments: runs, values, checks and figures.

#include "app/experiment.h"

#include "app/columns.h"
#include "app/figure.h"
#include "app/measure_column.h"
#include "app/outcome.h"
#include "app/paths.h"
#include "app/runner.h"
#include "base/suggest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct rico_experiment {
    rico_context *ctx;
    rico_document *document;
    int64_t value_count;
    rico_symbol *value; // constants, in the order of the file
    rico_scope scope;
    char **result;     // path of each run's file
    rico_sheet *sheet; // of each run that is an impact
};


// --- life ----------------------------------------------------------------------------------------------------

static rico_node *at(const rico_experiment *experiment, const char *key)
{
    return rico_node_at(rico_document_root(experiment->document), key);
}


static int64_t count_of(const rico_node *node)
{
    return node ? node->count : 0;
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
    if (status == RICO_OK) {
        experiment->value = rico_alloc(ctx, count_of(at(experiment, "values")), sizeof *experiment->value);
        experiment->result = rico_alloc(ctx, count_of(at(experiment, "runs")), sizeof *experiment->result);
        experiment->sheet = rico_alloc(ctx, count_of(at(experiment, "runs")), sizeof *experiment->sheet);
        if (!experiment->value || !experiment->result || !experiment->sheet) status = RICO_NO_MEMORY;
    }
    if (status != RICO_OK) {
        if (experiment->document && excerpt && size > 0)
            rico_document_excerpt(experiment->document, excerpt, size);
        rico_experiment_destroy(experiment);
        return status;
    }
    experiment->scope = (rico_scope){0, experiment->value, NULL};
    *out = experiment;
    return RICO_OK;
}


static void forget_results(rico_experiment *experiment, bool keep)
{
    for (int64_t i = 0; experiment->result && i < count_of(at(experiment, "runs")); i++) {
        if (experiment->result[i] && !keep) unlink(experiment->result[i]);
        rico_free(experiment->ctx, experiment->result[i]);
        experiment->result[i] = NULL;
    }
    for (int64_t i = 0; experiment->sheet && i < count_of(at(experiment, "runs")); i++)
        rico_sheet_release(&experiment->sheet[i]);
}


void rico_experiment_destroy(rico_experiment *experiment)
{
    if (!experiment) return;
    rico_context *ctx = experiment->ctx;
    if (experiment->document && rico_document_root(experiment->document)) forget_results(experiment, true);
    rico_free(ctx, experiment->result);
    rico_free(ctx, experiment->sheet);
    rico_free(ctx, experiment->value);
    rico_document_destroy(experiment->document);
    rico_free(ctx, experiment);
}


const char *rico_experiment_title(const rico_experiment *experiment)
{
    return at(experiment, "title")->text;
}


const char *rico_experiment_reference(const rico_experiment *experiment)
{
    return at(experiment, "reference")->text;
}


// --- runs ----------------------------------------------------------------------------------------------------

// The words of a list, to be freed; an empty array without one.
static rico_status words_of(rico_context *ctx, const rico_node *list, int64_t *count, const char ***out)
{
    const char **words = rico_alloc(ctx, count_of(list), sizeof *words);
    if (!words) return RICO_NO_MEMORY;
    *count = 0;
    for (const rico_node *word = list ? list->first : NULL; word; word = word->next)
        words[(*count)++] = word->text;
    *out = words;
    return RICO_OK;
}


// One impact under the laws of the run, or over a range: columns in memory, beside the figures as CSV when kept.
static rico_status run_impact(rico_experiment *experiment, const rico_node *run, const char *scene,
                              int64_t set_count, const char *const *set, rico_sheet *sheet)
{
    rico_context *ctx = experiment->ctx;
    const rico_node *over = rico_node_at(run, "over");
    const char **laws = NULL, **words = NULL;
    rico_outcome_options options = {0};
    rico_scene *made = NULL;
    rico_outcomes outcomes = {0};
    rico_status status = words_of(ctx, rico_node_at(run, "impact"), &options.law_count, &laws);
    if (status == RICO_OK)
        status = words_of(ctx, rico_node_at(run, "options"), &options.option_count, &words);
    if (status == RICO_OK)
        status = rico_document_integer(experiment->document, rico_node_at(run, "waves"), &options.waves);
    options.laws = laws;
    options.options = words;
    if (status == RICO_OK && over) {
        rico_outcome_sweep sweep = {.scene = scene,
                                    .override_count = set_count,
                                    .overrides = set,
                                    .options = &options,
                                    .over = over->text};
        status = rico_outcome_sweep_run(ctx, &sweep, sheet);
    } else if (status == RICO_OK) {
        status = rico_scene_load(ctx, scene, set_count, set, NULL, 0, &made);
        if (status == RICO_OK) status = rico_outcomes_make(ctx, made, &options, &outcomes);
        if (status == RICO_OK) status = rico_outcomes_sheet(&outcomes, sheet);
    }
    rico_outcomes_release(&outcomes);
    rico_scene_destroy(made);
    rico_free(ctx, laws);
    rico_free(ctx, words);
    return status;
}


static rico_status run_scene(rico_experiment *experiment, const rico_node *run, const char *dir, bool keep,
                             char **result, rico_sheet *sheet)
{
    rico_context *ctx = experiment->ctx;
    bool impact = rico_node_at(run, "impact") != NULL;
    const char *scene, **words = NULL;
    char name[160];
    int64_t count;
    snprintf(name, sizeof name, "%.140s.%s", run->key, impact ? "csv" : "h5");
    rico_status status = words_of(ctx, rico_node_at(run, "set"), &count, &words);
    if (status == RICO_OK)
        status = rico_document_path(experiment->document, rico_node_at(run, "scene"), &scene);
    if (status == RICO_OK) status = rico_path_join(ctx, dir, name, result);
    if (status == RICO_OK && impact) {
        sheet->ctx = ctx;
        status = run_impact(experiment, run, scene, count, words, sheet);
        if (status == RICO_OK && keep) status = rico_sheet_write_csv(sheet, *result);
        if (status != RICO_OK) rico_fail_in(ctx, status, run->key);
    } else if (status == RICO_OK) {
        rico_runner_result how;
        rico_runner_options options = {.scene = scene,
                                       .override_count = count,
                                       .overrides = words,
                                       .output = *result,
                                       .overwrite = true};
        status = rico_runner_run(ctx, &options, &how);
        if (status != RICO_OK) rico_fail_in(ctx, status, run->key);
    }
    rico_free(ctx, words);
    return status;
}


// The index of a run by the name that a node gives.
static rico_status find_run(rico_experiment *experiment, const rico_node *named, int64_t *index)
{
    rico_suggestion near;
    char hint[RICO_SUGGEST_SENTENCE];
    int64_t i = 0;
    rico_suggest_start(&near, named->text ? named->text : "");
    for (const rico_node *run = at(experiment, "runs")->first; run; run = run->next, i++) {
        if (named->text && strcmp(run->key, named->text) == 0) {
            *index = i;
            return RICO_OK;
        }
        rico_suggest_offer(&near, run->key);
    }
    return rico_document_fail(experiment->document, named, "there is no run '%s'%s",
                              named->text ? named->text : "", rico_suggest_sentence(&near, "", hint));
}


// A sentence about a column gets the place of the node that names it.
static rico_status place(rico_experiment *experiment, const rico_node *node, rico_status status)
{
    if (status == RICO_OK || status == RICO_NO_MEMORY) return status;
    char sentence[400];
    snprintf(sentence, sizeof sentence, "%s", rico_message(experiment->ctx));
    return rico_document_fail(experiment->document, node, "%s", sentence);
}


// A column of a sheet, to be freed. Measures are taken over t, which of *count rows is the first column of as many: the
// parameter of a sweep, the index of balls or contacts, the time of waves.
static rico_status copy_column(const rico_sheet *sheet, const char *name, int64_t *count, double **values)
{
    const rico_sheet_column *column = &sheet->column[0];
    bool axis = strcmp(name, "t") == 0;
    for (int64_t i = 0; axis && i < sheet->count && column->count != *count; i++) column = &sheet->column[i];
    rico_status status = axis ? RICO_OK : rico_sheet_find(sheet, name, &column);
    if (status != RICO_OK) return status;
    *values = rico_alloc(sheet->ctx, column->count, sizeof **values);
    if (!*values) return RICO_NO_MEMORY;
    memcpy(*values, column->value, (size_t)column->count * sizeof **values);
    *count = column->count;
    return RICO_OK;
}


static rico_status read_column(rico_experiment *experiment, const rico_node *run, const rico_node *column,
                               const char *name, int64_t *count, double **values)
{
    int64_t index = 0;
    rico_columns *columns = NULL;
    rico_status status = find_run(experiment, run, &index);
    if (status != RICO_OK) return status;
    if (experiment->sheet[index].ctx)
        return place(experiment, column, copy_column(&experiment->sheet[index], name, count, values));
    status = rico_columns_open(experiment->ctx, experiment->result[index], &columns);
    if (status == RICO_OK) status = rico_columns_read(columns, name, count, values);
    rico_columns_destroy(columns);
    return place(experiment, column, status);
}


// --- values and checks ---------------------------------------------------------------------------------------

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


static rico_status take_value(rico_experiment *experiment, const rico_node *node, double *value)
{
    rico_document *document = experiment->document;
    const rico_node *run = rico_node_at(node, "run"), *column = rico_node_at(node, "column"),
                    *from = rico_node_at(node, "from"), *to = rico_node_at(node, "to");
    if (!run) return evaluate(experiment, rico_node_at(node, "formula"), value);
    if (!column) return rico_document_fail(document, node, "the value '%s' names no 'column'", node->key);
    double low = -INFINITY, high = INFINITY, *t = NULL, *y = NULL;
    int64_t count = 0, same;
    bool events = strncmp(column->text, "events.", 7) == 0;
    rico_status status = from ? rico_document_real(document, from, &low) : RICO_OK;
    if (status == RICO_OK && to) status = rico_document_real(document, to, &high);
    if (status == RICO_OK) status = read_column(experiment, run, column, column->text, &count, &y);
    same = count; // a sheet looks for an axis of that length
    if (status == RICO_OK)
        status = read_column(experiment, run, column, events ? "events.t" : "t", &same, &t);
    if (status == RICO_OK)
        *value = rico_measure_take(rico_measure_find(rico_node_at(node, "take")->text),
                                   count < same ? count : same, t, y, low, high);
    rico_free(experiment->ctx, t);
    rico_free(experiment->ctx, y);
    return status;
}


static rico_status take_values(rico_experiment *experiment)
{
    experiment->scope.count = 0;
    const rico_node *values = at(experiment, "values");
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


static rico_status make_checks(rico_experiment *experiment, const rico_experiment_listener *listener,
                               int64_t *failed)
{
    const rico_node *checks = at(experiment, "checks");
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


// --- figures -------------------------------------------------------------------------------------------------

// Curves of a panel, and the arrays that they own.
typedef struct curves {
    int64_t count, room;
    rico_figure_series *series;
} curves;


static rico_figure_series *add_curve(rico_context *ctx, curves *list)
{
    if (list->count == list->room) {
        rico_figure_series *more =
            rico_grow(ctx, list->series, list->room, 2 * list->room + 4, sizeof *list->series);
        if (!more) return NULL;
        list->series = more;
        list->room = 2 * list->room + 4;
    }
    return &list->series[list->count++];
}


static void release_curves(rico_context *ctx, curves *list)
{
    for (int64_t i = 0; i < list->count; i++) {
        rico_free(ctx, (double *)list->series[i].x);
        rico_free(ctx, (double *)list->series[i].y);
    }
    rico_free(ctx, list->series);
}


static rico_status style_of(rico_experiment *experiment, const rico_node *node, rico_series_style *out)
{
    static const char *const STYLES[] = {"line", "points", "both", "steps"};
    for (int i = 0; i < 4; i++)
        if (strcmp(node->text, STYLES[i]) == 0) {
            *out = (rico_series_style)i;
            return RICO_OK;
        }
    return rico_document_fail(experiment->document, node,
                              "'style' is '%s', expected line, points, both or steps", node->text);
}


static rico_status draw_columns(rico_experiment *experiment, const rico_node *panel, const rico_node *run,
                                const char *prefix, curves *list)
{
    const rico_node *x = rico_node_at(panel, "x"), *y = rico_node_at(panel, "y");
    for (const rico_node *column = y ? y->first : NULL; column; column = column->next) {
        double *xs = NULL, *ys = NULL;
        int64_t x_count = 0, y_count = 0;
        rico_status status = read_column(experiment, run, column, column->text, &y_count, &ys);
        x_count = y_count;
        if (status == RICO_OK) status = read_column(experiment, run, x, x->text, &x_count, &xs);
        rico_figure_series *series = status == RICO_OK ? add_curve(experiment->ctx, list) : NULL;
        if (!series) {
            rico_free(experiment->ctx, xs);
            rico_free(experiment->ctx, ys);
            return status == RICO_OK ? RICO_NO_MEMORY : status;
        }
        *series = (rico_figure_series){.label = prefix ? prefix : column->text,
                                       .count = x_count < y_count ? x_count : y_count,
                                       .x = xs,
                                       .y = ys};
    }
    return RICO_OK;
}


// {label: [[x, y], ...]}
static rico_status draw_points(rico_experiment *experiment, const rico_node *points, curves *list)
{
    rico_document *document = experiment->document;
    if (points->kind != RICO_NODE_MAPPING)
        return rico_document_fail(document, points, "'points' must be a mapping {label: [[x, y], ...]}");
    for (const rico_node *curve = points->first; curve; curve = curve->next) {
        if (curve->kind != RICO_NODE_LIST)
            return rico_document_fail(document, curve, "expected a list of [x, y]");
        rico_figure_series *series = add_curve(experiment->ctx, list);
        double *x = rico_alloc(experiment->ctx, curve->count, sizeof *x);
        double *y = rico_alloc(experiment->ctx, curve->count, sizeof *y);
        if (series)
            *series = (rico_figure_series){.label = curve->key, .count = curve->count, .x = x, .y = y};
        if (!series || !x || !y) return RICO_NO_MEMORY;
        int64_t i = 0;
        for (const rico_node *pair = curve->first; pair; pair = pair->next, i++) {
            if (pair->kind != RICO_NODE_LIST || pair->count != 2)
                return rico_document_fail(document, pair, "expected [x, y]");
            rico_status status = rico_document_real(document, pair->first, &x[i]);
            if (status == RICO_OK) status = rico_document_real(document, pair->first->next, &y[i]);
            if (status != RICO_OK) return status;
        }
    }
    return RICO_OK;
}


static rico_status draw_panel(rico_experiment *experiment, const rico_node *node, curves *list,
                              rico_figure_panel *out)
{
    rico_document *document = experiment->document;
    const rico_node *run = rico_node_at(node, "run"), *points = rico_node_at(node, "points"),
                    *labels = rico_node_at(node, "labels"), *y = rico_node_at(node, "y"),
                    *from = rico_node_at(node, "from"), *to = rico_node_at(node, "to");
    rico_status status = RICO_OK;
    if (!run && !points)
        return rico_document_fail(document, node, "the panel has neither 'run' nor 'points'");
    if (run && run->kind == RICO_NODE_LIST) {
        for (const rico_node *one = run->first; status == RICO_OK && one; one = one->next)
            status = draw_columns(experiment, node, one, count_of(y) == 1 ? one->text : NULL, list);
    } else if (run) {
        status = draw_columns(experiment, node, run, NULL, list);
    }
    if (status == RICO_OK && points) status = draw_points(experiment, points, list);
    if (status != RICO_OK) return status;

    rico_series_style style = RICO_SERIES_LINE;
    status = style_of(experiment, rico_node_at(node, "style"), &style);
    if (status != RICO_OK) return status;
    const rico_node *label = labels ? labels->first : NULL;
    for (int64_t i = 0; i < list->count; i++) {
        list->series[i].style = style;
        if (label) list->series[i].label = label->text;
        label = label ? label->next : NULL;
    }
    const char *x_label = rico_node_at(node, "x-label")->text;
    *out = (rico_figure_panel){.title = rico_node_at(node, "title")->text,
                               .x_label = x_label[0] ? x_label : rico_node_at(node, "x")->text,
                               .y_label = rico_node_at(node, "y-label")->text,
                               .series_count = list->count,
                               .series = list->series};
    status = rico_document_flag(document, rico_node_at(node, "log-x"), &out->log_x);
    if (status == RICO_OK) status = rico_document_flag(document, rico_node_at(node, "log-y"), &out->log_y);
    if (status == RICO_OK && from) status = rico_document_real(document, from, &out->x_low);
    if (status == RICO_OK && to) status = rico_document_real(document, to, &out->x_high);
    return status;
}


static rico_status draw_figure(rico_experiment *experiment, const rico_node *node, const char *dir,
                               const rico_experiment_listener *listener)
{
    rico_context *ctx = experiment->ctx;
    const rico_node *panels = rico_node_at(node, "panels");
    rico_figure_panel *panel = rico_alloc(ctx, panels->count, sizeof *panel);
    curves *list = rico_alloc(ctx, panels->count, sizeof *list);
    rico_figure figure = {
        .title = rico_node_at(node, "title")->text, .panel_count = panels->count, .panels = panel};
    rico_status status = panel && list ? RICO_OK : RICO_NO_MEMORY;
    if (status == RICO_OK)
        status = rico_document_integer(experiment->document, rico_node_at(node, "columns"), &figure.columns);
    int64_t i = 0;
    for (const rico_node *one = panels->first; status == RICO_OK && one; one = one->next, i++)
        status = draw_panel(experiment, one, &list[i], &panel[i]);
    char *path = NULL;
    if (status == RICO_OK) status = rico_path_join(ctx, dir, node->key, &path);
    if (status == RICO_OK) status = rico_figure_write(ctx, &figure, path);
    if (status == RICO_OK && listener->figure) listener->figure(listener->user, path);
    for (i = 0; list && i < panels->count; i++) release_curves(ctx, &list[i]);
    rico_free(ctx, path);
    rico_free(ctx, list);
    rico_free(ctx, panel);
    return status;
}


// --- all of it -----------------------------------------------------------------------------------------------

rico_status rico_experiment_run(rico_experiment *experiment, const char *dir, bool keep, bool draw,
                                const rico_experiment_listener *listener, int64_t *failed)
{
    const rico_node *runs = at(experiment, "runs"), *figures = at(experiment, "figures");
    rico_status status = RICO_OK;
    int64_t i = 0;
    *failed = 0;
    for (const rico_node *run = runs->first; status == RICO_OK && run; run = run->next, i++) {
        if (listener->run) listener->run(listener->user, run->key, i, runs->count);
        status = run_scene(experiment, run, dir, keep, &experiment->result[i], &experiment->sheet[i]);
    }
    if (status == RICO_OK) status = take_values(experiment);
    rico_document_set_scope(experiment->document, &experiment->scope);
    if (status == RICO_OK) status = make_checks(experiment, listener, failed);
    for (const rico_node *node = draw && figures ? figures->first : NULL; status == RICO_OK && node;
         node = node->next)
        status = draw_figure(experiment, node, dir, listener);
    rico_document_set_scope(experiment->document, NULL);
    forget_results(experiment, keep);
    return status;
}
