// Figures of an experiment: panels of columns, of sweeps and of points.

#include "base/paths.h"
#include "draw/figure.h"
#include "lab/experiment_private.h"
#include "lab/measure_column.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Curves of a panel and its map, and the arrays that they own.
typedef struct curves {
    int64_t count, room;
    rico_figure_series *series;
    rico_figure_map map;
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
    rico_free(ctx, (double *)list->map.x);
    rico_free(ctx, (double *)list->map.y);
    rico_free(ctx, (double *)list->map.z);
}


// "line", "dashed", "points", ...
static rico_status style_of(rico_experiment *experiment, const rico_node *node, rico_figure_series *series)
{
    static const char *const STYLES[] = {"line", "points", "both", "steps"};
    const char *text = node->text ? node->text : "";
    series->dashed = strcmp(text, "dashed") == 0;
    series->style = RICO_SERIES_LINE;
    if (series->dashed) return RICO_OK;
    for (int i = 0; i < 4; i++)
        if (strcmp(text, STYLES[i]) == 0) {
            series->style = (rico_series_style)i;
            return RICO_OK;
        }
    return rico_document_fail(experiment->document, node,
                              "'style' is '%s', expected line, dashed, points, both or steps", text);
}


// A column over another.
static rico_status read_curve(rico_experiment *experiment, const char *path, const rico_node *x,
                              const rico_node *column, rico_figure_series *series)
{
    double *xs = NULL, *ys = NULL;
    int64_t x_count = 0, y_count = 0;
    rico_status status = rico_experiment_column(experiment, path, x, x->text, &x_count, &xs);
    if (status == RICO_OK)
        status = rico_experiment_column(experiment, path, column, column->text, &y_count, &ys);
    series->x = xs;
    series->y = ys;
    series->count = x_count < y_count ? x_count : y_count;
    return status;
}


// One number of each run of a sweep over what was swept.
static rico_status read_sweep(rico_experiment *experiment, const rico_family *family, const rico_node *column,
                              const rico_node *take, rico_figure_series *series)
{
    double *xs = rico_alloc(experiment->ctx, family->count, sizeof *xs);
    double *ys = rico_alloc(experiment->ctx, family->count, sizeof *ys);
    series->x = xs;
    series->y = ys;
    series->count = family->count;
    if (!xs || !ys) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < family->count; i++) {
        xs[i] = family->swept[i];
        rico_status status =
            rico_experiment_measure(experiment, family->result[i], column, rico_measure_find(take->text),
                                    -INFINITY, INFINITY, &ys[i]);
        if (status != RICO_OK) return status;
    }
    return RICO_OK;
}


static rico_status draw_columns(rico_experiment *experiment, const rico_node *panel, const rico_node *run,
                                bool several, curves *list)
{
    const rico_node *x = rico_node_at(panel, "x"), *y = rico_node_at(panel, "y"),
                    *take = rico_node_at(panel, "take");
    const rico_family *family = NULL;
    int64_t index = 0;
    rico_status status = rico_experiment_family(experiment, run, &family, &index);
    if (status != RICO_OK) return status;
    if ((index < 0) != (take != NULL))
        return rico_document_fail(experiment->document, run,
                                  index < 0
                                      ? "'%s' is a sweep: the panel needs 'take', or a run such as %s[0]"
                                      : "'take' draws sweeps, and '%s' is one run%.0s",
                                  run->text, run->text);
    const rico_node *measure = take && take->kind == RICO_NODE_LIST ? take->first : take;
    for (const rico_node *column = y ? y->first : NULL; column; column = column->next) {
        rico_figure_series *series = add_curve(experiment->ctx, list);
        if (!series) return RICO_NO_MEMORY;
        *series = (rico_figure_series){.label = several && y->count == 1 ? run->text : column->text};
        status = measure ? read_sweep(experiment, family, column, measure, series)
                         : read_curve(experiment, family->result[index], x, column, series);
        if (measure && take->kind == RICO_NODE_LIST && measure->next) measure = measure->next;
        if (status != RICO_OK) return status;
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


// {run: map, x: gamma, y: T_1, label: ..., style: dashed}
static rico_status draw_curve(rico_experiment *experiment, const rico_node *curve, curves *list)
{
    const rico_node *run = rico_node_at(curve, "run");
    const rico_family *family = NULL;
    int64_t index = 0;
    bool grey = false;
    rico_status status = rico_experiment_family(experiment, run, &family, &index);
    if (status != RICO_OK) return status;
    if (index < 0)
        return rico_document_fail(experiment->document, run, "'%s' is a sweep: a curve is of one of its runs",
                                  run->text);
    rico_figure_series *series = add_curve(experiment->ctx, list);
    if (!series) return RICO_NO_MEMORY;
    *series = (rico_figure_series){.label = rico_node_at(curve, "label")->text};
    status = read_curve(experiment, family->result[index], rico_node_at(curve, "x"), rico_node_at(curve, "y"),
                        series);
    if (status == RICO_OK) status = style_of(experiment, rico_node_at(curve, "style"), series);
    if (status == RICO_OK)
        status = rico_document_flag(experiment->document, rico_node_at(curve, "grey"), &grey);
    if (grey) series->colour = -1;
    return status;
}


// A grid from three columns of as many rows: x stays while y goes through all its places.
static rico_status draw_map(rico_experiment *experiment, const rico_node *node, rico_figure_map *map)
{
    const rico_node *run = rico_node_at(node, "run");
    const rico_node *column[] = {rico_node_at(node, "x"), rico_node_at(node, "y"), rico_node_at(node, "z")};
    const rico_family *family = NULL;
    int64_t index = 0, rows[3] = {0};
    double *value[3] = {NULL};
    rico_status status = rico_experiment_family(experiment, run, &family, &index);
    if (status == RICO_OK && index < 0)
        status = rico_document_fail(experiment->document, run, "'%s' is a sweep: a map is of one of its runs",
                                    run->text);
    for (int i = 0; i < 3 && status == RICO_OK; i++)
        status = rico_experiment_column(experiment, family->result[index], column[i], column[i]->text,
                                        &rows[i], &value[i]);
    *map = (rico_figure_map){.x = value[0], .y = value[1], .z = value[2]};
    if (status != RICO_OK) return status;
    while (map->y_count < rows[0] && value[0][map->y_count] == value[0][0]) map->y_count++;
    if (rows[0] != rows[1] || rows[0] != rows[2] || map->y_count == 0 || rows[0] % map->y_count != 0)
        return rico_document_fail(
            experiment->document, node,
            "'%s', '%s' and '%s' are no grid: as many rows of each, y going through all "
            "its places at each x, are",
            column[0]->text, column[1]->text, column[2]->text);
    map->x_count = rows[0] / map->y_count;
    for (int64_t i = 0; i < map->x_count; i++) value[0][i] = value[0][i * map->y_count];
    return RICO_OK;
}


// Styles and labels, curve by curve; the last style holds for what follows it.
static rico_status dress(rico_experiment *experiment, const rico_node *panel, curves *list)
{
    const rico_node *style = rico_node_at(panel, "style"), *labels = rico_node_at(panel, "labels");
    const rico_node *label = labels ? labels->first : NULL;
    if (style->kind == RICO_NODE_LIST) style = style->first;
    for (int64_t i = 0; style && i < list->count; i++) {
        rico_status status = style_of(experiment, style, &list->series[i]);
        if (status != RICO_OK) return status;
        if (style->parent->kind == RICO_NODE_LIST && style->next) style = style->next;
        if (label) list->series[i].label = label->text;
        label = label ? label->next : NULL;
    }
    return RICO_OK;
}


// What stands along the axis: a column, or what a sweep has varied.
static const char *x_name(rico_experiment *experiment, const rico_node *panel)
{
    const rico_node *run = rico_node_at(panel, "run");
    const rico_family *family;
    int64_t index;
    const char *told = rico_node_at(panel, "x-label")->text;
    if (told[0]) return told;
    if (run && run->kind == RICO_NODE_LIST) run = run->first;
    if (run && rico_node_at(panel, "take") &&
        rico_experiment_family(experiment, run, &family, &index) == RICO_OK && family->over)
        return family->over->key;
    return run ? rico_node_at(panel, "x")->text : "";
}


static rico_status draw_panel(rico_experiment *experiment, const rico_node *node, curves *list,
                              rico_figure_panel *out)
{
    rico_document *document = experiment->document;
    const rico_node *run = rico_node_at(node, "run"), *points = rico_node_at(node, "points"),
                    *from = rico_node_at(node, "from"), *to = rico_node_at(node, "to"),
                    *low = rico_node_at(node, "low"), *high = rico_node_at(node, "high");
    rico_status status = RICO_OK;
    const rico_node *map = rico_node_at(node, "map"), *further = rico_node_at(node, "curves");
    if (!run && !points && !map && !further)
        return rico_document_fail(document, node,
                                  "the panel has none of 'run', 'points', 'curves' and 'map'");
    if (run && run->kind == RICO_NODE_LIST) {
        for (const rico_node *one = run->first; status == RICO_OK && one; one = one->next)
            status = draw_columns(experiment, node, one, true, list);
    } else if (run) {
        status = draw_columns(experiment, node, run, false, list);
    }
    if (status == RICO_OK && points) status = draw_points(experiment, points, list);
    if (status == RICO_OK && map) status = draw_map(experiment, map, &list->map);
    if (status == RICO_OK) status = dress(experiment, node, list);
    for (const rico_node *curve = further ? further->first : NULL; status == RICO_OK && curve;
         curve = curve->next)
        status = draw_curve(experiment, curve, list);
    if (status != RICO_OK) return status;

    *out = (rico_figure_panel){.title = rico_node_at(node, "title")->text,
                               .x_label = x_name(experiment, node),
                               .y_label = rico_node_at(node, "y-label")->text,
                               .series_count = list->count,
                               .series = list->series,
                               .map = map ? &list->map : NULL};
    // a curve alone needs no legend: its name stands at the axis
    if (list->count == 1 && !rico_node_at(node, "labels")) {
        if (!out->y_label[0]) out->y_label = list->series[0].label;
        list->series[0].label = NULL;
    }
    status = rico_document_flag(document, rico_node_at(node, "log-x"), &out->log_x);
    if (status == RICO_OK) status = rico_document_flag(document, rico_node_at(node, "log-y"), &out->log_y);
    if (status == RICO_OK) status = rico_document_flag(document, rico_node_at(node, "equal"), &out->equal);
    if (status == RICO_OK && from) status = rico_document_real(document, from, &out->x_low);
    if (status == RICO_OK && to) status = rico_document_real(document, to, &out->x_high);
    if (status == RICO_OK && low) status = rico_document_real(document, low, &out->y_low);
    if (status == RICO_OK && high) status = rico_document_real(document, high, &out->y_high);
    return status;
}


rico_status rico_experiment_draw(rico_experiment *experiment, const rico_node *node, const char *dir,
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
