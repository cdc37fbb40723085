// rico plot: figures from result files.

#include "app/app.h"
#include "app/paths.h"
#include "app/plot_panels.h"
#include "app/table.h"
#include "app/target.h"

#include <math.h>
#include <string.h>

typedef struct plot_settings {
    const char *x, *y, *output, *title, *labels;
    rico_cli_words panel;
    double from, to;
    int log, style;
    int64_t columns;
} plot_settings;

enum { LOG_NONE, LOG_X, LOG_Y, LOG_XY };
static const char *const LOGS[] = {"none", "x", "y", "xy", NULL};
static const char *const STYLES[] = {"line", "points", "both", "steps", NULL};

static const rico_cli_option OPTIONS[] = {
    {.name = "y",
     .value = "COLUMN,...",
     .help = "the columns to draw, in one panel",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(plot_settings, y)},
    {.name = "x",
     .value = "COLUMN",
     .help = "what to draw them over, instead of time",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(plot_settings, x)},
    {.name = "panel",
     .value = "'TITLE: Y,... vs X'",
     .help = "a panel of its own; title and x may be left out; may be repeated",
     .kind = RICO_CLI_LIST,
     .field = offsetof(plot_settings, panel)},
    {.name = "output",
     .value = "FIGURE",
     .help = "the figure, .svg, .png or .pdf; the first result's name with .svg in this folder unless told "
             "otherwise",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(plot_settings, output)},
    {.name = "title",
     .value = "TEXT",
     .help = "what stands above the figure",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(plot_settings, title)},
    {.name = "labels",
     .value = "TEXT,...",
     .help = "what the legend calls the files; with one file and one panel, the curves",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(plot_settings, labels)},
    {.name = "from",
     .value = "T",
     .help = "leave out what is before this time",
     .kind = RICO_CLI_REAL,
     .field = offsetof(plot_settings, from),
     .low = -INFINITY,
     .high = INFINITY},
    {.name = "to",
     .value = "T",
     .help = "leave out what is after this time",
     .kind = RICO_CLI_REAL,
     .field = offsetof(plot_settings, to),
     .low = -INFINITY,
     .high = INFINITY},
    {.name = "log",
     .help = "logarithmic axes",
     .kind = RICO_CLI_CHOICE,
     .field = offsetof(plot_settings, log),
     .choices = LOGS},
    {.name = "style",
     .help = "how curves are drawn",
     .kind = RICO_CLI_CHOICE,
     .field = offsetof(plot_settings, style),
     .choices = STYLES},
    {.name = "columns",
     .value = "N",
     .help = "panels side by side; 0 lets the program choose",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(plot_settings, columns),
     .low = 0,
     .high = 26},
    {0},
};

// The files, the panels that were asked for, and the curves that came of it.
typedef struct plot {
    rico_context *ctx;
    const plot_settings *settings;
    int64_t file_count;
    const char *const *files;
    rico_columns **columns;
    char (*names)[RICO_PLOT_NAME]; // what the legend calls the files
    rico_plot_panels panels;
    rico_figure_panel *drawn;
    rico_curves *curves;
} plot;


static rico_status open_files(plot *p)
{
    p->columns = rico_alloc(p->ctx, p->file_count, sizeof(rico_columns *));
    p->names = rico_alloc(p->ctx, p->file_count, sizeof *p->names);
    if (!p->columns || !p->names) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < p->file_count; i++) {
        rico_status status = rico_columns_open(p->ctx, p->files[i], &p->columns[i]);
        if (status != RICO_OK) return status;
    }
    return RICO_OK;
}


// "runs/newton.h5" becomes "newton", or keeps its folder where two files share the name.
static void name_files(plot *p)
{
    for (int64_t i = 0; i < p->file_count; i++) {
        const char *shown = rico_path_base(p->files[i]);
        for (int64_t j = 0; j < p->file_count; j++)
            if (j != i && strcmp(rico_path_base(p->files[j]), shown) == 0) shown = p->files[i];
        snprintf(p->names[i], sizeof p->names[i], "%s", shown);
        char *dot = strrchr(p->names[i], '.');
        if (dot && dot != p->names[i] && !strchr(dot, '/')) *dot = '\0';
    }
}


// --labels: one text for every file, or for every curve of the only panel.
static rico_status read_labels(plot *p)
{
    const char *at = p->settings->labels;
    if (!at) return RICO_OK;
    bool of_files = p->file_count > 1;
    if (!of_files && p->panels.count != 1)
        return rico_fail(p->ctx, RICO_BAD_ARGUMENT,
                         "option '--labels' needs several files, or one panel whose curves it names");
    int64_t wanted = of_files ? p->file_count : p->panels.item[0].count, seen = 0;
    for (bool more = true; more; seen++) {
        size_t length = strcspn(at, ",");
        more = at[length] == ',';
        if (seen < wanted)
            snprintf(of_files ? p->names[seen] : p->panels.item[0].y[seen].label, RICO_PLOT_NAME, "%.*s",
                     (int)(length < RICO_PLOT_NAME ? length : RICO_PLOT_NAME), at);
        at += length + 1;
    }
    if (seen == wanted) return RICO_OK;
    return rico_fail(p->ctx, RICO_BAD_ARGUMENT, "option '--labels' has %lld texts for %lld %s",
                     (long long)seen, (long long)wanted, of_files ? "files" : "curves");
}


static rico_status choose_panels(plot *p)
{
    const plot_settings *settings = p->settings;
    rico_status status = RICO_OK;
    if (settings->y) status = rico_plot_panels_add(p->ctx, &p->panels, settings->y, settings->x, false);
    for (int64_t i = 0; status == RICO_OK && i < settings->panel.count; i++)
        status = rico_plot_panels_add(p->ctx, &p->panels, settings->panel.item[i], settings->x, true);
    if (status == RICO_OK && p->panels.count == 0)
        status = rico_plot_panels_default(p->ctx, &p->panels, p->file_count, p->columns, settings->x);
    return status;
}


// Names which of several files a sentence is about.
static rico_status place(plot *p, int64_t file, rico_status status)
{
    if (status != RICO_BAD_ARGUMENT) return status;
    char sentence[512];
    snprintf(sentence, sizeof sentence, "%s", rico_message(p->ctx));
    return rico_fail(p->ctx, status, "%s: %s", p->files[file], sentence);
}


static rico_status read_panel(plot *p, const rico_plot_panel *asked, rico_curves *curves,
                              rico_figure_panel *out)
{
    const plot_settings *settings = p->settings;
    bool several = p->file_count > 1;
    for (int64_t y = 0; y < asked->count; y++) {
        for (int64_t f = 0; f < p->file_count; f++) {
            const rico_plot_column *column = &asked->y[y];
            char label[2 * RICO_PLOT_NAME + 4] = "";
            if (several && asked->count > 1)
                snprintf(label, sizeof label, "%s, %s", column->label, p->names[f]);
            else if (several || asked->count > 1 || settings->labels)
                snprintf(label, sizeof label, "%s", several ? p->names[f] : column->label);
            rico_status status =
                rico_curves_read(p->ctx, curves, p->columns[f], asked->x[0] ? asked->x : NULL, column->name,
                                 settings->from, settings->to, label);
            if (status != RICO_OK) return place(p, f, status);
            rico_figure_series *series = &curves->series[curves->count - 1];
            series->style = (rico_series_style)settings->style;
            // colours tell columns apart and dashes files; of a single column, colours the files
            series->colour = (int)(asked->count > 1 ? y : f) + 1;
            series->dashed = asked->count > 1 ? (int)f : 0;
        }
    }
    *out = (rico_figure_panel){.title = asked->title,
                               .x_label = asked->x[0] ? asked->x : "t",
                               .y_label = asked->count == 1 ? asked->y[0].name : NULL,
                               .log_x = settings->log == LOG_X || settings->log == LOG_XY,
                               .log_y = settings->log == LOG_Y || settings->log == LOG_XY,
                               .series_count = curves->count,
                               .series = curves->series};
    return RICO_OK;
}


static rico_status read_panels(plot *p)
{
    p->drawn = rico_alloc(p->ctx, p->panels.count, sizeof *p->drawn);
    p->curves = rico_alloc(p->ctx, p->panels.count, sizeof *p->curves);
    rico_status status = p->drawn && p->curves ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t i = 0; status == RICO_OK && i < p->panels.count; i++)
        status = read_panel(p, &p->panels.item[i], &p->curves[i], &p->drawn[i]);
    return status;
}


// The title of the run stands above the default figure, when all files agree on it.
static const char *title_of(const plot *p)
{
    const plot_settings *settings = p->settings;
    if (settings->title || settings->y || settings->panel.count > 0) return settings->title;
    const char *title = rico_columns_title(p->columns[0]);
    for (int64_t i = 1; i < p->file_count; i++)
        if (strcmp(rico_columns_title(p->columns[i]), title) != 0) return NULL;
    return title;
}


static rico_status draw(plot *p, const char *path)
{
    rico_status status = open_files(p);
    if (status == RICO_OK) name_files(p);
    if (status == RICO_OK) status = choose_panels(p);
    if (status == RICO_OK) status = read_labels(p);
    if (status == RICO_OK) status = read_panels(p);
    if (status != RICO_OK) return status;
    const rico_figure figure = {.title = title_of(p),
                                .columns = p->settings->columns,
                                .panel_count = p->panels.count,
                                .panels = p->drawn};
    return rico_figure_write(p->ctx, &figure, path);
}


static void release(plot *p)
{
    for (int64_t i = 0; p->columns && i < p->file_count; i++) rico_columns_destroy(p->columns[i]);
    for (int64_t i = 0; p->curves && i < p->panels.count; i++) rico_curves_release(p->ctx, &p->curves[i]);
    rico_free(p->ctx, p->columns);
    rico_free(p->ctx, p->names);
    rico_free(p->ctx, p->drawn);
    rico_free(p->ctx, p->curves);
    rico_free(p->ctx, p->panels.item);
}


static int run(rico_app *app, int argc, char **argv)
{
    const rico_command *self = &rico_command_plot;
    plot_settings settings = {.from = -INFINITY, .to = INFINITY};
    rico_cli_words files;
    int code;
    if (!rico_app_parse(app, self, argc, argv, &settings, &files, &code)) return code;

    plot p = {.ctx = app->ctx, .settings = &settings, .file_count = files.count, .files = files.item};
    char *output = NULL;
    rico_status status = RICO_OK;
    if (files.count < 1) status = rico_fail(app->ctx, RICO_BAD_ARGUMENT, "a result FILE is needed");
    if (status == RICO_OK && settings.output && !rico_figure_can_write(settings.output))
        status = rico_fail(app->ctx, RICO_BAD_ARGUMENT,
                           "option '--output' must end in .svg, .png or .pdf, got '%s'", settings.output);
    if (status == RICO_OK && !settings.output)
        status = rico_path_with_ending(app->ctx, files.item[0], ".svg", &output);
    const char *path = settings.output ? settings.output : output;
    if (status == RICO_OK) status = rico_target_check(app->ctx, path, RICO_TARGET_PICTURE, NULL, NULL);
    if (status == RICO_OK) status = draw(&p, path);
    if (status == RICO_OK) {
        fprintf(app->out, "written to ");
        rico_print_plain(app->out, path);
        fprintf(app->out, "\n");
    }
    code = status == RICO_OK ? RICO_EXIT_DONE : rico_app_complain(app, self, status);
    release(&p);
    rico_free(app->ctx, output);
    rico_cli_release(app->ctx, self->options, &settings, &files);
    return code;
}


const rico_command rico_command_plot = {
    .name = "plot",
    .operands = "FILE.h5... [options]",
    .summary = "draw columns of result files as SVG, PNG or PDF",
    .text = "Draws columns over time or over one another; several files are laid over one another. Without "
            "--y and\n"
            "--panel: positions, velocities, energies, works, gaps and impulses, those that there are.\n"
            "\n"
            "Columns are named as the scene names them (x, v_x), or\n"
            "  kinetic, potential, energy          energies\n"
            "  normal, tangential, external, ...   works of a step; since the start: total.normal, ...\n"
            "  gap:NAME, impulse:NAME              of a contact; impulse:NAME.t1, .t2 along its tangents\n"
            "  before:NAME, after:NAME             its relative velocities\n"
            "  events.t, events.speed, q[2]        any table, any column, any entry; 'rico export FILE' "
            "lists them",
    .example = "  rico plot stick.h5\n"
               "  rico plot stick.h5 --y v_x,v_y --output velocities.png\n"
               "  rico plot stick.h5 --panel 'phase portrait: v_gamma vs gamma' --panel 'friction: "
               "total.tangential'\n"
               "  rico plot stick.h5 other.h5 --y total.tangential --labels 'mu = 0.01,mu = 0.3' --output "
               "both.pdf",
    .options = OPTIONS,
    .run = run,
};
