// The tables that check experiment files and document them.

#include "app/experiment.h"
#include "app/measure_column.h"

#include <math.h>

static const rico_schema_key RUN[] = {
    {"scene", RICO_WANT_PATH, .flags = RICO_KEY_REQUIRED, .help = "the scene, beside the experiment"},
    {"set", RICO_WANT_TEXTS, .help = "parameters and keys: name=value, scheme=hht, time.step=1e-5"},
    {"impact", RICO_WANT_TEXTS, .least = 1,
     .help = "laws of impact to apply to the initial state instead of simulating it"},
    {"options", RICO_WANT_TEXTS, .help = "of those laws: lzb.relative-step=1e-3"},
    {"over", RICO_WANT_TEXT, .help = "the impact for every value of a parameter: eta=log:0.1:10:20"},
    {"waves", RICO_WANT_INTEGER, .standard = "0", .low = 0, .high = 1000,
     .help = "contacts whose energy under lzb is followed in time"},
    {NULL},
};

static const rico_schema RUN_SCHEMA = {
    .title = "run", .help = "A run of a scene.", .keys = RUN, .shorthand = "scene"};

static const rico_schema_key VALUE[] = {
    {"run", RICO_WANT_TEXT, .group = "from", .help = "the run whose result is read"},
    {"formula", RICO_WANT_FORMULA, .group = "from", .flags = RICO_KEY_REQUIRED,
     .help = "of the values above"},
    {"column", RICO_WANT_TEXT, .help = "a column, as `rico plot` names it"},
    {"take", RICO_WANT_CHOICE, .standard = "last", .choice = rico_measure_name,
     .help = "what is taken of it"},
    {"from", RICO_WANT_REAL, .help = "rows from this time on"},
    {"to", RICO_WANT_REAL, .help = "rows up to this time"},
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

static const rico_schema_key PANEL[] = {
    {"title", RICO_WANT_TEXT, .standard = "''", .help = "above the panel"},
    {"run", RICO_WANT_ANY, .help = "a run, or a list of them to overlay"},
    {"x", RICO_WANT_TEXT, .standard = "t", .help = "column along the axis"},
    {"y", RICO_WANT_TEXTS, .help = "columns to draw against it"},
    {"points", RICO_WANT_ANY, .help = "instead of columns: {label: [[x, y], ...]}, formulas of the values"},
    {"labels", RICO_WANT_TEXTS, .help = "for the legend, curve by curve"},
    {"x-label", RICO_WANT_TEXT, .standard = "''", .help = "of the axis; the column's name without it"},
    {"y-label", RICO_WANT_TEXT, .standard = "''", .help = "of the other one"},
    {"from", RICO_WANT_REAL, .help = "first x shown"},
    {"to", RICO_WANT_REAL, .help = "last x shown"},
    {"log-x", RICO_WANT_FLAG, .standard = "false", .help = "logarithmic"},
    {"log-y", RICO_WANT_FLAG, .standard = "false", .help = "logarithmic"},
    {"style", RICO_WANT_TEXT, .standard = "line", .help = "line, points, both or steps"},
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
