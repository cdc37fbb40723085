// What rico plot may be told.

#include "app/plot_options.h"

#include "draw/body_picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const LOGS[] = {"none", "x", "y", "xy", NULL};
static const char *const STYLES[] = {"auto", "line", "points", "both", "steps", "stems", NULL};

const rico_cli_option rico_plot_options[] = {
    {.name = "y",
     .value = "COLUMN,...",
     .help = "the columns to draw, in one panel; formulas of columns too",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(rico_plot_settings, y)},
    {.name = "x",
     .value = "COLUMN",
     .help = "what to draw them over, instead of time; a formula too",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(rico_plot_settings, x)},
    {.name = "panel",
     .value = "'TITLE: Y,... vs X'",
     .help = "a panel of its own; title and x may be left out; may be repeated",
     .kind = RICO_CLI_LIST,
     .field = offsetof(rico_plot_settings, panel)},
    {.name = "bodies",
     .help = "a picture of the rigid bodies instead: shaded, with contact points and impulses as arrows",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(rico_plot_settings, bodies)},
    {.name = "mesh",
     .help = "a picture of the elastic parts instead: displaced, with a field in colour",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(rico_plot_settings, mesh)},
    {.name = "field",
     .value = "NAME",
     .help = "of --mesh: von-mises (unless told otherwise), pressure or status of contacts, u, ux, uy, uz, "
             "v, vx, "
             "vy, vz, sxx, syy, szz, sxy, syz, szx",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(rico_plot_settings, field)},
    {.name = "scale",
     .value = "S",
     .help = "of --mesh: times which displacements are shown; 1 unless told otherwise",
     .kind = RICO_CLI_REAL,
     .field = offsetof(rico_plot_settings, scale),
     .low = -1e300,
     .high = 1e300},
    {.name = "no-edges",
     .help = "of --mesh: no edges of cells",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(rico_plot_settings, no_edges)},
    {.name = "at",
     .value = "T",
     .help = "of --bodies and --mesh: the row nearest to this time; the last one without it",
     .kind = RICO_CLI_REAL,
     .field = offsetof(rico_plot_settings, at),
     .low = -1e300,
     .high = 1e300},
    {.name = "view",
     .help = "of --bodies and --mesh: from above on the right, or along an axis",
     .kind = RICO_CLI_CHOICE,
     .field = offsetof(rico_plot_settings, view),
     .choices = rico_view_names},
    {.name = "no-forces",
     .help = "of --bodies: no contact points and arrows",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(rico_plot_settings, no_forces)},
    {.name = "output",
     .value = "FIGURE",
     .help = "the figure, .svg, .png or .pdf; the first result's name with .svg in this folder unless told "
             "otherwise",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(rico_plot_settings, output)},
    {.name = "title",
     .value = "TEXT",
     .help = "what stands above the figure",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(rico_plot_settings, title)},
    {.name = "labels",
     .value = "TEXT,...",
     .help = "what the legend calls the files; with one file and one panel, the curves",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(rico_plot_settings, labels)},
    {.name = "merge",
     .help = "draw all files alike and without a legend: one diagram of many runs",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(rico_plot_settings, merge)},
    {.name = "x-label",
     .value = "TEXT",
     .help = "what stands below the x-axes",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(rico_plot_settings, x_label)},
    {.name = "y-label",
     .value = "TEXT",
     .help = "what stands beside the y-axis of the only panel",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(rico_plot_settings, y_label)},
    {.name = "unit",
     .value = "COLUMN=UNIT,...",
     .help = "units for the labels of axes, as t=s,x=m,v_x=m/s; may be repeated",
     .kind = RICO_CLI_LIST,
     .field = offsetof(rico_plot_settings, unit)},
    {.name = "from",
     .value = "T",
     .help = "leave out what is before this time",
     .kind = RICO_CLI_REAL,
     .field = offsetof(rico_plot_settings, from),
     .low = -INFINITY,
     .high = INFINITY},
    {.name = "to",
     .value = "T",
     .help = "leave out what is after this time",
     .kind = RICO_CLI_REAL,
     .field = offsetof(rico_plot_settings, to),
     .low = -INFINITY,
     .high = INFINITY},
    {.name = "x-range",
     .value = "LOW:HIGH",
     .help = "ends of the x-axes instead of the data's",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(rico_plot_settings, x_range)},
    {.name = "y-range",
     .value = "LOW:HIGH",
     .help = "ends of the y-axis of the only panel",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(rico_plot_settings, y_range)},
    {.name = "equal",
     .help = "a unit is as long on both axes",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(rico_plot_settings, equal)},
    {.name = "log",
     .help = "logarithmic axes",
     .kind = RICO_CLI_CHOICE,
     .field = offsetof(rico_plot_settings, log),
     .choices = LOGS},
    {.name = "style",
     .help = "how curves are drawn; auto is a line, stems for impulses of impacts, points for events",
     .kind = RICO_CLI_CHOICE,
     .field = offsetof(rico_plot_settings, style),
     .choices = STYLES},
    {.name = "columns",
     .value = "N",
     .help = "panels side by side; 0 lets the program choose",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(rico_plot_settings, columns),
     .low = 0,
     .high = 26},
    {.name = "width",
     .value = "MM",
     .help = "width of the figure; 0 is 88 mm for PDF, a column of a paper, 180 mm with panels side by side, "
             "and large enough for SVG and PNG",
     .kind = RICO_CLI_REAL,
     .field = offsetof(rico_plot_settings, width),
     .low = 0.0,
     .high = 2000.0},
    {.name = "height",
     .value = "MM",
     .help = "height of the figure; 0 follows from its width",
     .kind = RICO_CLI_REAL,
     .field = offsetof(rico_plot_settings, height),
     .low = 0.0,
     .high = 2000.0},
    {.name = "font",
     .value = "NAME",
     .help = "family of the letters, as the system knows it; Helvetica unless told otherwise",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(rico_plot_settings, font)},
    {.name = "font-size",
     .value = "PT",
     .help = "size of the letters in points; 0 is 8 for PDF and 9.75 for others",
     .kind = RICO_CLI_REAL,
     .field = offsetof(rico_plot_settings, font_size),
     .low = 0.0,
     .high = 100.0},
    {0},
};


rico_status rico_plot_range(rico_context *ctx, const char *option, const char *text, double *low,
                            double *high)
{
    *low = *high = 0.0;
    if (!text) return RICO_OK;
    char *end;
    *low = strtod(text, &end);
    bool good = end != text && *end == ':';
    if (good) {
        const char *second = end + 1;
        *high = strtod(second, &end);
        good = end != second && *end == '\0' && isfinite(*low) && isfinite(*high) && *low < *high;
    }
    if (good) return RICO_OK;
    return rico_fail(ctx, RICO_BAD_ARGUMENT,
                     "option '--%s' needs LOW:HIGH, two numbers, such as 0:2.5; got '%s'", option, text);
}


// The next "name=unit" of a list; NULL past the last.
static const char *next_pair(const char *at, size_t *name, size_t *whole)
{
    if (!*at) return NULL;
    *whole = strcspn(at, ",");
    *name = strcspn(at, "=,");
    return at;
}


void rico_plot_unit(const rico_plot_settings *settings, const char *column, char *unit, size_t size)
{
    unit[0] = '\0';
    for (int64_t i = 0; i < settings->unit.count; i++) {
        size_t name, whole;
        for (const char *at = settings->unit.item[i]; (at = next_pair(at, &name, &whole));
             at += whole + (at[whole] == ','))
            if (strlen(column) == name && strncmp(at, column, name) == 0 && name < whole)
                snprintf(unit, size, "%.*s", (int)(whole - name - 1), at + name + 1);
    }
}


rico_status rico_plot_check_units(rico_context *ctx, const rico_plot_settings *settings)
{
    for (int64_t i = 0; i < settings->unit.count; i++) {
        size_t name, whole;
        for (const char *at = settings->unit.item[i]; (at = next_pair(at, &name, &whole));
             at += whole + (at[whole] == ','))
            if (name == 0 || name + 1 >= whole)
                return rico_fail(ctx, RICO_BAD_ARGUMENT,
                                 "option '--unit' needs COLUMN=UNIT, such as t=s,x=m; got '%.*s'", (int)whole,
                                 at);
    }
    return RICO_OK;
}
