// rico plot: figures from result files.

#include "app/app.h"
#include "app/plot_options.h"
#include "base/paths.h"
#include "base/table.h"
#include "draw/mesh_picture.h"
#include "draw/plot_panels.h"
#include "store/target.h"

#include <math.h>
#include <string.h>

// The files, the panels that were asked for, and the curves that came of it.
typedef struct plot {
    rico_context *ctx;
    const rico_plot_settings *settings;
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
    bool of_files = p->file_count > 1 && !p->settings->merge;
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
    const rico_plot_settings *settings = p->settings;
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


// Impulses of impacts are stems; those of a contact that lasts make a curve as well as forces do.
static rico_status suits(plot *p, rico_columns *columns, const char *name, rico_series_style *style)
{
    bool apart = strncmp(name, "events.", 7) == 0 || strncmp(name, "emitted.", 8) == 0;
    *style = apart ? RICO_SERIES_POINTS : RICO_SERIES_LINE;
    if (strncmp(name, "impulse:", 8) != 0 || !rico_columns_has(columns, name)) return RICO_OK;
    int64_t count = 0, some = 0;
    double *values = NULL;
    rico_status status = rico_columns_read(columns, name, &count, &values);
    for (int64_t i = 0; status == RICO_OK && i < count; i++) some += values[i] != 0.0;
    if (status == RICO_OK) rico_free(p->ctx, values);
    if (some <= 60 || 10 * some <= count) *style = RICO_SERIES_STEMS;
    return status;
}


// What the legend says of a curve: its column, its file, or both; nothing of the only one.
static void label_curve(const plot *p, const rico_plot_panel *asked, int64_t y, int64_t f, char *label,
                        size_t size)
{
    bool several = p->file_count > 1 && !p->settings->merge;
    label[0] = '\0';
    if (p->settings->merge && f > 0) return; // those of the first stand for all
    if (several && asked->count > 1)
        snprintf(label, size, "%s, %s", asked->y[y].label, p->names[f]);
    else if (several || asked->count > 1 || p->settings->labels)
        snprintf(label, size, "%s", several ? p->names[f] : asked->y[y].label);
}


static rico_status read_curve(plot *p, const rico_plot_panel *asked, int64_t y, int64_t f,
                              rico_curves *curves)
{
    const rico_plot_settings *settings = p->settings;
    const char *name = asked->y[y].name;
    rico_series_style style = RICO_SERIES_LINE;
    rico_status status = RICO_OK;
    if (settings->style == RICO_PLOT_STYLE_AUTO)
        status = suits(p, p->columns[f], name, &style);
    else
        style = (rico_series_style)(settings->style - 1);
    char label[2 * RICO_PLOT_NAME + 4];
    label_curve(p, asked, y, f, label, sizeof label);
    rico_columns_show_jumps(p->columns[f], style == RICO_SERIES_LINE);
    if (status == RICO_OK)
        status = rico_curves_read(p->ctx, curves, p->columns[f], asked->x[0] ? asked->x : NULL, name,
                                  settings->from, settings->to, label);
    rico_columns_show_jumps(p->columns[f], false);
    if (status != RICO_OK) return status;
    rico_figure_series *series = &curves->series[curves->count - 1];
    series->style = style;
    series->words = p->file_count > 1 && !settings->labels;
    // colours tell columns apart and dashes files; of a single column, colours the files
    bool alike = settings->merge || asked->count > 1;
    series->colour = (int)(alike ? y : f) + 1;
    series->dashed = alike && !settings->merge ? (int)f : 0;
    return RICO_OK;
}


// The unit that all columns of a panel share, "" without one.
static void common_unit(const plot *p, const rico_plot_panel *asked, char *unit, size_t size)
{
    char other[RICO_PLOT_NAME];
    rico_plot_unit(p->settings, asked->y[0].name, unit, size);
    for (int64_t y = 1; y < asked->count; y++) {
        rico_plot_unit(p->settings, asked->y[y].name, other, sizeof other);
        if (strcmp(unit, other) != 0) unit[0] = '\0';
    }
}


// "v_x (m/s)"; of several columns the unit alone.
static void label_axes(const plot *p, rico_plot_panel *asked)
{
    char unit[RICO_PLOT_NAME];
    const char *x = asked->x[0] ? asked->x : "t";
    rico_plot_unit(p->settings, x, unit, sizeof unit);
    snprintf(asked->x_label, sizeof asked->x_label, unit[0] ? "%s (%s)" : "%s", x, unit);
    common_unit(p, asked, unit, sizeof unit);
    const rico_plot_column *only = &asked->y[0];
    const char *y = asked->count > 1 ? "" : strncmp(only->name, "total.", 6) == 0 ? only->label : only->name;
    snprintf(asked->y_label, sizeof asked->y_label, unit[0] && y[0] ? "%s (%s)" : "%s%s", y, unit);
    if (p->settings->x_label) snprintf(asked->x_label, sizeof asked->x_label, "%s", p->settings->x_label);
    if (p->settings->y_label) snprintf(asked->y_label, sizeof asked->y_label, "%s", p->settings->y_label);
}


static rico_status read_panel(plot *p, rico_plot_panel *asked, rico_curves *curves, rico_figure_panel *out)
{
    const rico_plot_settings *settings = p->settings;
    for (int64_t y = 0; y < asked->count; y++)
        for (int64_t f = 0; f < p->file_count; f++) {
            rico_status status = read_curve(p, asked, y, f, curves);
            if (status != RICO_OK) return place(p, f, status);
        }
    label_axes(p, asked);
    *out = (rico_figure_panel){.title = asked->title,
                               .x_label = asked->x_label,
                               .y_label = asked->y_label,
                               .log_x = settings->log == RICO_PLOT_LOG_X || settings->log == RICO_PLOT_LOG_XY,
                               .log_y = settings->log == RICO_PLOT_LOG_Y || settings->log == RICO_PLOT_LOG_XY,
                               .equal = settings->equal,
                               .series_count = curves->count,
                               .series = curves->series};
    rico_status status = rico_plot_range(p->ctx, "x-range", settings->x_range, &out->x_low, &out->x_high);
    if (status == RICO_OK)
        status = rico_plot_range(p->ctx, "y-range", settings->y_range, &out->y_low, &out->y_high);
    return status;
}


// What is said of one panel cannot be said of several.
static rico_status check_settings(plot *p)
{
    const rico_plot_settings *settings = p->settings;
    const char *one = settings->y_label ? "y-label" : settings->y_range ? "y-range" : NULL;
    if (one && p->panels.count > 1)
        return rico_fail(p->ctx, RICO_BAD_ARGUMENT,
                         "option '--%s' is for one panel, and there are %lld; name columns by --y", one,
                         (long long)p->panels.count);
    if (settings->equal && settings->log != RICO_PLOT_LOG_NONE)
        return rico_fail(p->ctx, RICO_BAD_ARGUMENT, "options '--equal' and '--log' exclude one another");
    return rico_plot_check_units(p->ctx, settings);
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
    const rico_plot_settings *settings = p->settings;
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
    if (status == RICO_OK) status = check_settings(p);
    if (status == RICO_OK) status = read_labels(p);
    if (status == RICO_OK) status = read_panels(p);
    if (status != RICO_OK) return status;
    const rico_figure figure = {.title = title_of(p),
                                .columns = p->settings->columns,
                                .panel_count = p->panels.count,
                                .panels = p->drawn,
                                .look = {.width = p->settings->width,
                                         .height = p->settings->height,
                                         .font = p->settings->font,
                                         .font_size = p->settings->font_size}};
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


// A picture stands alone: one file, and none of the options of curves.
static rico_status draw_picture(rico_context *ctx, const rico_plot_settings *settings,
                                const rico_cli_words *files, const char *path)
{
    const char *which = settings->bodies ? "bodies" : "mesh";
    if (files->count != 1)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "option '--%s' draws one FILE, got %lld", which,
                         (long long)files->count);
    if (settings->y || settings->x || settings->panel.count > 0)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "option '--%s' does not go with --x, --y and --panel",
                         which);
    const rico_mesh_picture_options mesh = {.from = (rico_view_from)settings->view,
                                            .t = settings->at,
                                            .field = settings->field,
                                            .scale = isnan(settings->scale) ? 1.0 : settings->scale,
                                            .no_edges = settings->no_edges,
                                            .width = settings->width * 96.0 / 25.4,
                                            .title = settings->title};
    const rico_picture_options options = {.from = (rico_view_from)settings->view,
                                          .t = settings->at,
                                          .no_forces = settings->no_forces,
                                          .width = settings->width * 96.0 / 25.4,
                                          .title = settings->title};
    rico_results *results = NULL;
    rico_status status = rico_results_open(ctx, files->item[0], &results);
    if (status == RICO_OK)
        status = settings->bodies ? rico_body_picture(ctx, results, &options, path)
                                  : rico_mesh_picture(ctx, results, &mesh, path);
    rico_results_destroy(results);
    return status;
}


// Options that mean nothing without --bodies or --mesh.
static rico_status check_pictures(rico_context *ctx, const rico_plot_settings *settings)
{
    const char *either = !isnan(settings->at) ? "at" : settings->view != 0 ? "view" : NULL;
    const char *mesh = settings->field           ? "field"
                       : !isnan(settings->scale) ? "scale"
                       : settings->no_edges      ? "no-edges"
                                                 : NULL;
    if (settings->bodies && settings->mesh)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "options '--bodies' and '--mesh' exclude each other");
    if (either && !settings->bodies && !settings->mesh)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "option '--%s' needs '--bodies' or '--mesh'", either);
    if (settings->no_forces && !settings->bodies)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "option '--no-forces' needs '--bodies'");
    if (mesh && !settings->mesh)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "option '--%s' needs '--mesh'", mesh);
    return RICO_OK;
}


static int run(rico_app *app, int argc, char **argv)
{
    const rico_command *self = &rico_command_plot;
    rico_plot_settings settings = {.from = -INFINITY, .to = INFINITY, .at = NAN, .scale = NAN};
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
    if (status == RICO_OK) status = check_pictures(app->ctx, &settings);
    if (status == RICO_OK)
        status = settings.bodies || settings.mesh ? draw_picture(app->ctx, &settings, &files, path)
                                                  : draw(&p, path);
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
    .text =
        "Draws columns over time or over one another; several files are laid over one another. Without "
        "--y and\n"
        "--panel: positions, velocities, energies, works, gaps and impulses, those that there are.\n"
        "\n"
        "Columns are named as the scene names them (x, v_x), or\n"
        "  kinetic, potential, energy          energies\n"
        "  normal, tangential, external, ...   works of a step; since the start: total.normal, ...\n"
        "  gap:NAME, impulse:NAME              of a contact; impulse:NAME.t1, .t2 along its tangents\n"
        "  before:NAME, after:NAME, force:NAME its relative velocities, its impulse over the step\n"
        "  count:NAME, closed:NAME, impulse:NAME  over the contacts of a source that come and go; 'emitted' "
        "is "
        "all of\n"
        "                                      them; gap (the smallest), normal_work, tangential_work "
        "likewise\n"
        "  tip.u_x, floor.fy, top.fx           probes, contacts and reactions of elastic parts\n"
        "  events.t, events.speed, q[2]        any table, any column, any entry; 'rico export FILE' "
        "lists them\n"
        "  x - V*t, max(x, 0)/dt               formulas of columns and of the run's parameters; dt is the "
        "step\n"
        "Names are set as in print: theta as a Greek letter, v_x with an index. Velocities jump where an "
        "impact\n"
        "falls between two rows.",
    .example =
        "  rico plot stick.h5\n"
        "  rico plot stick.h5 --y v_x,v_y --output velocities.png\n"
        "  rico plot stick.h5 --panel 'phase portrait: v_gamma vs gamma' --panel 'friction: "
        "total.tangential'\n"
        "  rico plot stick.h5 other.h5 --y total.tangential --labels 'mu = 0.01,mu = 0.3' --output "
        "both.pdf\n"
        "  rico plot stick.h5 --y 'x + l/2*sin(gamma)' --unit t=s --y-label 'foot (m)' --output foot.pdf",
    .options = rico_plot_options,
    .run = run,
};
