// The tables that check experiment files and document them.

#include "lab/computation.h"
#include "lab/experiment.h"
#include "lab/measure_column.h"

#include <math.h>

// "order", and every measure.
static const char *across(int index)
{
    return index == 0 ? "order" : rico_measure_name(index - 1);
}


static const rico_schema_key RUN[] = {
    {"scene", RICO_WANT_PATH, .group = "of", .flags = RICO_KEY_REQUIRED,
     .help = "the scene, beside the experiment"},
    {"compute", RICO_WANT_CHOICE, .group = "of", .choice = rico_computation_name,
     .help = "instead of a scene: a kind of computation, whose columns the run has"},
    {"given", RICO_WANT_ANY,
     .help = "what a computation needs, by name; 'over' may sweep any number among it"},
    {"set", RICO_WANT_TEXTS, .help = "parameters and keys: name=value, scheme=hht, time.step=1e-5"},
    {"from", RICO_WANT_TEXT,
     .help = "another run, of the same unknowns: this one starts from its last state instead of the scene's "
             "initial one"},
    {"over", RICO_WANT_ANY,
     .help = "a sweep, {time.step: [0.1, 0.05]}: one run for each value, called NAME[0], NAME[1], ..."},
    {"impact", RICO_WANT_TEXTS, .least = 1,
     .help = "laws of impact to apply to the initial state instead of simulating it; 'over' may then be a "
             "range as of "
             "`rico impact`, \"eta=log:0.1:10:20\", whose measures are columns of the run"},
    {"options", RICO_WANT_TEXTS, .help = "of those laws: lzb.relative-step=1e-3"},
    {"waves", RICO_WANT_INTEGER, .standard = "0", .low = 0, .high = 1000,
     .help = "contacts whose energy is followed in time, under the first of the laws that integrates"},
    {"waves-until", RICO_WANT_REAL, .standard = "0", .low = 0.0, .high = INFINITY,
     .help = "up to this time, 0: to the end; a shorter stretch is kept in more detail"},
    {"long", RICO_WANT_FLAG, .standard = "false",
     .help = "left out, with all that is read from it, by `rico reproduce --quick`"},
    {NULL},
};

static const rico_schema RUN_SCHEMA = {
    .title = "run", .help = "A run of a scene, or a computation.", .keys = RUN, .shorthand = "scene"};

static const rico_schema_key COLUMN[] = {
    {"formula", RICO_WANT_FORMULA, .flags = RICO_KEY_REQUIRED,
     .help = "of t, dt (time since the row before), coordinates, velocities, terms of the ledger, values, "
             "and columns "
             "above"},
    {"with", RICO_WANT_ANY, .help = "names for other columns: {r: 'impulse:end', tip: 'bar[0]'}"},
    {"before", RICO_WANT_ANY, .help = "names for columns taken from the row before: {x_before: x}"},
    {NULL},
};

static const rico_schema COLUMN_SCHEMA = {.title = "column",
                                          .help = "A formula, row by row, of the columns of a result.",
                                          .keys = COLUMN,
                                          .shorthand = "formula"};

static const rico_schema_key VALUE[] = {
    {"run", RICO_WANT_TEXT, .group = "from", .help = "the run whose result is read"},
    {"formula", RICO_WANT_FORMULA, .group = "from", .flags = RICO_KEY_REQUIRED,
     .help = "of the values above"},
    {"column", RICO_WANT_TEXT, .help = "one of `columns`, or one of the result, as `rico plot` names it"},
    {"take", RICO_WANT_CHOICE, .standard = "last", .choice = rico_measure_name,
     .help = "what is taken of it"},
    {"from", RICO_WANT_REAL, .help = "rows from this time on"},
    {"to", RICO_WANT_REAL, .help = "rows up to this time"},
    {"across", RICO_WANT_CHOICE, .choice = across,
     .help = "of a sweep: one number of those of its runs; `order` is the slope of their logarithms over "
             "that of what "
             "is swept"},
    {NULL},
};

static const rico_schema VALUE_SCHEMA = {.title = "value",
                                         .help = "A number taken from a run, or a formula of others.",
                                         .keys = VALUE,
                                         .shorthand = "formula"};

static const rico_schema_key CHECK[] = {
    {"that", RICO_WANT_FORMULA, .flags = RICO_KEY_REQUIRED,
     .help = "a formula of the values that must be true"},
    {"says", RICO_WANT_TEXT, .flags = RICO_KEY_REQUIRED, .help = "the same in words"},
    {NULL},
};

static const rico_schema CHECK_SCHEMA = {.title = "check", .help = "What must hold.", .keys = CHECK};

// A measure, or a list of them.
static rico_status check_measures(rico_document *document, rico_node *node)
{
    const rico_node *one = node->kind == RICO_NODE_LIST ? node->first : node;
    for (; one; one = node->kind == RICO_NODE_LIST ? one->next : NULL)
        if (one->kind != RICO_NODE_SCALAR || rico_measure_find(one->text) < 0)
            return rico_document_fail(document, one,
                                      "there is no measure '%s'; max, largest, rms, ... are some",
                                      one->text ? one->text : "");
    return RICO_OK;
}


static const rico_schema_key MAP[] = {
    {"run", RICO_WANT_TEXT, .flags = RICO_KEY_REQUIRED, .help = "whose columns they are"},
    {"x", RICO_WANT_TEXT, .flags = RICO_KEY_REQUIRED, .help = "column of the places along the axis"},
    {"y", RICO_WANT_TEXT, .flags = RICO_KEY_REQUIRED, .help = "of those along the other, which vary faster"},
    {"z", RICO_WANT_TEXT, .flags = RICO_KEY_REQUIRED, .help = "of the quantity that the colours show"},
    {NULL},
};

static const rico_schema MAP_SCHEMA = {
    .title = "map", .help = "A quantity over a grid, by colours, behind the curves.", .keys = MAP};

static const rico_schema_key CURVE[] = {
    {"run", RICO_WANT_TEXT, .flags = RICO_KEY_REQUIRED, .help = "whose columns they are"},
    {"x", RICO_WANT_TEXT, .standard = "t", .help = "column along the axis"},
    {"y", RICO_WANT_TEXT, .flags = RICO_KEY_REQUIRED, .help = "column to draw against it"},
    {"label", RICO_WANT_TEXT, .standard = "''", .help = "for the legend"},
    {"style", RICO_WANT_TEXT, .standard = "line", .help = "line, dashed, points, both or steps"},
    {"grey", RICO_WANT_FLAG, .standard = "false", .help = "without a colour of its own"},
    {NULL},
};

static const rico_schema CURVE_SCHEMA = {
    .title = "curve", .help = "A curve with an axis and a style of its own.", .keys = CURVE};

static const rico_schema_key PANEL[] = {
    {"title", RICO_WANT_TEXT, .standard = "''", .help = "above the panel"},
    {"run", RICO_WANT_ANY, .help = "a run, or a list of them to overlay"},
    {"x", RICO_WANT_TEXT, .standard = "t", .help = "column along the axis"},
    {"y", RICO_WANT_TEXTS, .help = "columns to draw against it"},
    {"take", RICO_WANT_ANY, .check = check_measures,
     .help =
         "of sweeps: one point for each run, what is taken over what is swept; or a list, column by column"},
    {"points", RICO_WANT_ANY, .help = "instead of columns: {label: [[x, y], ...]}, formulas of the values"},
    {"curves", RICO_WANT_LIST, .sub = &CURVE_SCHEMA, .help = "further curves, behind those of 'run'"},
    {"map", RICO_WANT_MAPPING, .sub = &MAP_SCHEMA, .help = "a grid of colours behind the curves"},
    {"labels", RICO_WANT_TEXTS, .help = "for the legend, curve by curve"},
    {"x-label", RICO_WANT_TEXT, .standard = "''", .help = "of the axis; the column's name without it"},
    {"y-label", RICO_WANT_TEXT, .standard = "''", .help = "of the other one"},
    {"from", RICO_WANT_REAL, .help = "first x shown"},
    {"to", RICO_WANT_REAL, .help = "last x shown"},
    {"log-x", RICO_WANT_FLAG, .standard = "false", .help = "logarithmic"},
    {"log-y", RICO_WANT_FLAG, .standard = "false", .help = "logarithmic"},
    {"low", RICO_WANT_REAL, .help = "lowest y shown"},
    {"high", RICO_WANT_REAL, .help = "highest y shown"},
    {"equal", RICO_WANT_FLAG, .standard = "false", .help = "a unit is as long on both axes"},
    {"style", RICO_WANT_ANY, .standard = "line",
     .help = "line, dashed, points, both or steps; or a list, curve by curve, the last for all that follow"},
    {NULL},
};

static const rico_schema PANEL_SCHEMA = {.title = "panel", .help = "Axes with curves.", .keys = PANEL};

static const rico_schema_key FIGURE[] = {
    {"title", RICO_WANT_TEXT, .standard = "''", .help = "above all panels"},
    {"columns", RICO_WANT_INTEGER, .standard = "0", .low = 0, .high = 10,
     .help = "panels side by side; 0: chosen"},
    {"panels", RICO_WANT_LIST, .flags = RICO_KEY_REQUIRED, .least = 1, .sub = &PANEL_SCHEMA,
     .help = "in reading order"},
    {NULL},
};

static const rico_schema FIGURE_SCHEMA = {
    .title = "figure", .help = "A file .svg, .png or .pdf.", .keys = FIGURE};

static const rico_schema_key EXPERIMENT[] = {
    {"title", RICO_WANT_TEXT, .flags = RICO_KEY_REQUIRED, .help = "one line"},
    {"reference", RICO_WANT_TEXT, .standard = "''", .help = "where it was published"},
    {"runs", RICO_WANT_NAMED, .flags = RICO_KEY_REQUIRED, .sub = &RUN_SCHEMA,
     .help = "what is simulated, by name"},
    {"columns", RICO_WANT_NAMED, .sub = &COLUMN_SCHEMA, .help = "further columns of every result, by name"},
    {"values", RICO_WANT_NAMED, .sub = &VALUE_SCHEMA, .help = "numbers taken from the results, by name"},
    {"checks", RICO_WANT_LIST, .sub = &CHECK_SCHEMA, .help = "what must hold of them"},
    {"figures", RICO_WANT_NAMED, .sub = &FIGURE_SCHEMA, .help = "pictures, by file name"},
    {NULL},
};

static const rico_schema EXPERIMENT_SCHEMA = {
    .title = "experiment", .help = "An experiment is a mapping with these keys.", .keys = EXPERIMENT};


const rico_schema *rico_experiment_schema(void)
{
    return &EXPERIMENT_SCHEMA;
}
