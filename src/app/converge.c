// rico converge: the same scene with several steps, errors and their orders.

#include "app/app.h"
#include "base/number.h"
#include "base/paths.h"
#include "base/system.h"
#include "base/table.h"
#include "draw/curves.h"
#include "lab/study.h"
#include "store/target.h"

#include <math.h>
#include <string.h>

typedef struct converge_settings {
    const char *steps, *scheme, *output;
    rico_cli_words exact, set;
    int64_t halvings, jobs;
    int norm;
    bool no_figure;
} converge_settings;

enum { UNIFORM, L1, L2, NORMS, STEPS_MAX = 64, SCHEMES_MAX = 8 };
static const char *const NORM_NAMES[] = {"uniform", "l1", "l2", NULL};

static const rico_cli_option OPTIONS[] = {
    {.name = "halvings",
     .value = "N",
     .help = "begin with the scene's step and halve it N times",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(converge_settings, halvings),
     .low = 1,
     .high = 24},
    {.name = "steps",
     .value = "H,...",
     .help = "these steps instead",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(converge_settings, steps)},
    {.name = "exact",
     .value = "NAME=FORMULA",
     .help =
         "a position, or velocity, of the exact solution: a formula of t and of the scene's parameters; may "
         "be repeated",
     .kind = RICO_CLI_LIST,
     .field = offsetof(converge_settings, exact)},
    {.name = "scheme",
     .value = "NAME,...",
     .help = "schemes to compare, instead of the scene's",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(converge_settings, scheme)},
    {.name = "norm",
     .help = "the norm that the figure shows of several schemes",
     .kind = RICO_CLI_CHOICE,
     .field = offsetof(converge_settings, norm),
     .choices = NORM_NAMES},
    {.name = "set",
     .value = "NAME=VALUE",
     .help = "a parameter of the scene, or a key such as scheme.theta; may be repeated",
     .kind = RICO_CLI_LIST,
     .field = offsetof(converge_settings, set)},
    {.name = "output",
     .value = "FIGURE",
     .help = "the figure, .svg, .png or .pdf; SCENE-convergence.svg in this folder unless told otherwise",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(converge_settings, output)},
    {.name = "jobs",
     .value = "N",
     .help = "runs at a time, each on a thread; 0 is one for each core",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(converge_settings, jobs),
     .low = 0,
     .high = 1024},
    {.name = "no-figure",
     .help = "print the table alone",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(converge_settings, no_figure)},
    {0},
};

// The studies, one for each scheme.
typedef struct convergence {
    rico_app *app;
    const converge_settings *settings;
    const char *scene;
    int count;
    double steps[STEPS_MAX];
    int scheme_count;
    char scheme[SCHEMES_MAX][64]; // "" for that of the scene
    rico_study_row rows[SCHEMES_MAX][STEPS_MAX];
    rico_orders orders[SCHEMES_MAX];
} convergence;


static const double *norms_of(const rico_errors *errors, double out[NORMS])
{
    out[UNIFORM] = errors->uniform;
    out[L1] = errors->l1;
    out[L2] = errors->l2;
    return out;
}


// --- what to run ---------------------------------------------------------------------------------------------

// The next piece of a list separated by commas; false when it is empty or too long.
static bool next_piece(const char **at, char *piece, size_t size)
{
    size_t length = strcspn(*at, ",");
    bool fits = length > 0 && length < size;
    if (fits) snprintf(piece, size, "%.*s", (int)length, *at);
    *at += length;
    if (**at == ',') ++*at;
    return fits;
}


static rico_status read_steps(convergence *all, double own)
{
    const converge_settings *settings = all->settings;
    rico_context *ctx = all->app->ctx;
    double finest = INFINITY;
    if (!settings->steps)
        for (; all->count <= settings->halvings; all->count++)
            all->steps[all->count] = ldexp(own, -all->count);
    for (const char *at = settings->steps; at && *at;) {
        char piece[64] = "";
        if (all->count == STEPS_MAX - 1)
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "option '--steps' has more than %d steps",
                             STEPS_MAX - 1);
        if (!next_piece(&at, piece, sizeof piece) || !rico_text_to_real(piece, &all->steps[all->count]) ||
            !(all->steps[all->count] > 0.0))
            return rico_fail(ctx, RICO_BAD_ARGUMENT,
                             "option '--steps' needs positive numbers, got '%s' in '%s'", piece,
                             settings->steps);
        all->count++;
    }
    // without an exact solution a run finer than all others stands for it: four times, so that its own error adds
    // at most a quarter to those of the finest, for order 1
    for (int i = 0; i < all->count; i++) finest = fmin(finest, all->steps[i]);
    if (settings->exact.count == 0) all->steps[all->count++] = finest / 4.0;
    return RICO_OK;
}


static rico_status read_schemes(convergence *all)
{
    all->scheme_count = 1;
    const char *at = all->settings->scheme;
    if (!at) return RICO_OK;
    for (all->scheme_count = 0; *at; all->scheme_count++) {
        if (all->scheme_count == SCHEMES_MAX || !next_piece(&at, all->scheme[all->scheme_count], 64))
            return rico_fail(all->app->ctx, RICO_BAD_ARGUMENT,
                             "option '--scheme' needs at most %d names separated by commas, got '%s'",
                             SCHEMES_MAX, all->settings->scheme);
    }
    return RICO_OK;
}


// --- what came of it -----------------------------------------------------------------------------------------

static void print_table(convergence *all, int scheme)
{
    enum { COLUMNS = 2 + 2 * NORMS };
    rico_print_column columns[COLUMNS] = {{"step", 12, true}, {"steps", 8, true}, {"position max", 12, true},
                                          {"l1", 10, true},   {"l2", 10, true},   {"velocity max", 12, true},
                                          {"l1", 10, true},   {"l2", 10, true}};
    FILE *out = all->app->out;
    rico_table_head(out, columns, COLUMNS);
    for (int i = 0; i <= all->count; i++) {
        bool last = i == all->count; // the orders
        const rico_study_row *row = last ? NULL : &all->rows[scheme][i];
        char text[COLUMNS][32] = {"", "order"};
        const char *cells[COLUMNS];
        double value[2 * NORMS];
        norms_of(last ? &all->orders[scheme].position : &row->position, value);
        norms_of(last ? &all->orders[scheme].velocity : &row->velocity, value + NORMS);
        if (!last) {
            snprintf(text[0], sizeof text[0], "%.6g", row->h);
            snprintf(text[1], sizeof text[1], "%lld", (long long)row->steps);
        }
        for (int k = 0; k < 2 * NORMS; k++) {
            if (!last && row->reference)
                snprintf(text[2 + k], sizeof text[2 + k], "%s", k == 0 ? "reference" : "");
            else
                snprintf(text[2 + k], sizeof text[2 + k], last ? "%.2f" : "%.3e", value[k]);
        }
        for (int k = 0; k < COLUMNS; k++) cells[k] = text[k];
        rico_table_row(out, columns, COLUMNS, cells);
    }
}


// Adds one norm of one study over the steps, without the reference.
static rico_status add_curve(convergence *all, int scheme, bool velocity, int norm, const char *label,
                             rico_curves *curves)
{
    rico_context *ctx = all->app->ctx;
    double *x = rico_alloc(ctx, all->count, sizeof *x), *y = rico_alloc(ctx, all->count, sizeof *y);
    int64_t count = 0;
    for (int i = 0; x && y && i < all->count; i++) {
        const rico_study_row *row = &all->rows[scheme][i];
        double value[NORMS];
        norms_of(velocity ? &row->velocity : &row->position, value);
        if (row->reference || !(value[norm] > 0.0)) continue;
        x[count] = row->h;
        y[count++] = value[norm];
    }
    if (!x || !y) {
        rico_free(ctx, x);
        rico_free(ctx, y);
        return RICO_NO_MEMORY;
    }
    rico_status status = rico_curves_add(ctx, curves, label, count, x, y);
    if (status == RICO_OK) curves->series[curves->count - 1].style = RICO_SERIES_BOTH;
    return status;
}


// A grey line of the nearest round order below the curves.
static rico_status add_slope(convergence *all, double order, rico_curves *curves)
{
    rico_context *ctx = all->app->ctx;
    double low = INFINITY, high = 0.0, level = INFINITY, slope = fmax(round(2.0 * order) / 2.0, 0.5);
    if (!isfinite(order)) return RICO_OK;
    for (int64_t s = 0; s < curves->count; s++)
        for (int64_t i = 0; i < curves->series[s].count; i++) {
            low = fmin(low, curves->series[s].x[i]);
            high = fmax(high, curves->series[s].x[i]);
        }
    for (int64_t s = 0; s < curves->count; s++)
        for (int64_t i = 0; i < curves->series[s].count; i++)
            level = fmin(level, curves->series[s].y[i] / pow(curves->series[s].x[i] / high, slope));
    double *x = rico_alloc(ctx, 2, sizeof *x), *y = rico_alloc(ctx, 2, sizeof *y);
    if (!x || !y || !(low < high)) {
        rico_free(ctx, x);
        rico_free(ctx, y);
        return x && y ? RICO_OK : RICO_NO_MEMORY;
    }
    x[0] = low;
    x[1] = high;
    for (int i = 0; i < 2; i++) y[i] = 0.5 * level * pow(x[i] / high, slope);
    char label[32];
    snprintf(label, sizeof label, "slope %g", slope);
    rico_status status = rico_curves_add(ctx, curves, label, 2, x, y);
    if (status != RICO_OK) return status;
    curves->series[curves->count - 1].colour = -1;
    curves->series[curves->count - 1].dashed = 1;
    return RICO_OK;
}


static rico_status make_panel(convergence *all, bool velocity, rico_curves *curves, rico_figure_panel *out)
{
    static const char *const LABELS[] = {"max", "l1", "l2"};
    rico_status status = RICO_OK;
    int norm = all->settings->norm;
    double order[NORMS];
    norms_of(velocity ? &all->orders[0].velocity : &all->orders[0].position, order);
    if (all->scheme_count == 1)
        for (int k = 0; status == RICO_OK && k < NORMS; k++)
            status = add_curve(all, 0, velocity, k, LABELS[k], curves);
    for (int s = 0; status == RICO_OK && all->scheme_count > 1 && s < all->scheme_count; s++)
        status = add_curve(all, s, velocity, norm, all->scheme[s], curves);
    if (status == RICO_OK) status = add_slope(all, order[all->scheme_count == 1 ? L1 : norm], curves);
    *out = (rico_figure_panel){.title = velocity ? "velocities" : "positions",
                               .x_label = "h",
                               .y_label = "error",
                               .log_x = true,
                               .log_y = true,
                               .series_count = curves->count,
                               .series = curves->series};
    return status;
}


static rico_status draw(convergence *all, const char *title, const char *path)
{
    rico_curves curves[2] = {{0}, {0}};
    rico_figure_panel panels[2];
    const rico_figure figure = {.title = title, .panel_count = 2, .panels = panels};
    rico_status status = make_panel(all, false, &curves[0], &panels[0]);
    if (status == RICO_OK) status = make_panel(all, true, &curves[1], &panels[1]);
    if (status == RICO_OK) status = rico_figure_write(all->app->ctx, &figure, path);
    for (int i = 0; i < 2; i++) rico_curves_release(all->app->ctx, &curves[i]);
    return status;
}


// --- all of it -----------------------------------------------------------------------------------------------

static rico_status run_studies(convergence *all, const char *path)
{
    const converge_settings *settings = all->settings;
    rico_context *ctx = all->app->ctx;
    char title[160] = "";
    int threads = settings->jobs > 0 ? (int)settings->jobs : rico_system_cores();
    rico_status status = read_schemes(all);
    for (int s = 0; status == RICO_OK && s < all->scheme_count; s++) {
        rico_scene_study *study = NULL;
        status = rico_scene_study_create(ctx, all->scene, all->scheme[s], settings->set.count,
                                         settings->set.item, &study);
        for (int64_t i = 0; status == RICO_OK && i < settings->exact.count; i++)
            status = rico_scene_study_exact(study, settings->exact.item[i]);
        if (status == RICO_OK && s == 0) status = read_steps(all, rico_scene_study_step(study));
        if (status == RICO_OK)
            status =
                rico_scene_study_run(study, all->count, all->steps, threads, all->rows[s], &all->orders[s]);
        if (status == RICO_OK) {
            if (s == 0) snprintf(title, sizeof title, "%s", rico_scene_study_title(study));
            fprintf(all->app->out, "%s%s\n", s ? "\n" : "", rico_scene_study_scheme(study));
            print_table(all, s);
            if (!rico_app_flush(all->app)) status = rico_fail(ctx, RICO_IO_ERROR, "nobody reads the table");
        }
        rico_scene_study_destroy(study);
    }
    if (status != RICO_OK || settings->no_figure) return status;
    status = draw(all, title, path);
    if (status != RICO_OK) return status;
    fprintf(all->app->out, "\nwritten to ");
    rico_print_plain(all->app->out, path);
    fprintf(all->app->out, "\n");
    return RICO_OK;
}


static int run(rico_app *app, int argc, char **argv)
{
    const rico_command *self = &rico_command_converge;
    converge_settings settings = {.halvings = 4, .norm = L1};
    rico_cli_words scenes;
    int code;
    if (!rico_app_parse(app, self, argc, argv, &settings, &scenes, &code)) return code;

    char *output = NULL;
    convergence *all = NULL;
    rico_status status = RICO_OK;
    if (scenes.count != 1)
        status =
            rico_fail(app->ctx, RICO_BAD_ARGUMENT, "one SCENE is needed, got %lld", (long long)scenes.count);
    if (status == RICO_OK && settings.output && !rico_figure_can_write(settings.output))
        status = rico_fail(app->ctx, RICO_BAD_ARGUMENT,
                           "option '--output' must end in .svg, .png or .pdf, got '%s'", settings.output);
    if (status == RICO_OK)
        status = rico_path_with_ending(app->ctx, scenes.item[0], "-convergence.svg", &output);
    if (status == RICO_OK) {
        all = rico_alloc(app->ctx, 1, sizeof *all);
        status = all ? RICO_OK : RICO_NO_MEMORY;
    }
    if (status == RICO_OK) {
        all->app = app;
        all->settings = &settings;
        all->scene = scenes.item[0];
        const char *path = settings.output ? settings.output : output;
        if (!settings.no_figure) status = rico_target_check(app->ctx, path, RICO_TARGET_PICTURE, NULL, NULL);
        if (status == RICO_OK) status = run_studies(all, path);
    }
    code = status == RICO_OK ? RICO_EXIT_DONE : rico_app_complain(app, self, status);
    rico_free(app->ctx, all);
    rico_free(app->ctx, output);
    rico_cli_release(app->ctx, self->options, &settings, &scenes);
    return code;
}


const rico_command rico_command_converge = {
    .name = "converge",
    .operands = "SCENE.yaml [options]",
    .summary = "run a scene with several steps and draw the order of its errors",
    .text =
        "Runs the scene with several steps and prints how far positions and velocities are from the exact\n"
        "solution in the uniform, l1 and l2 norms over time, with orders by least squares. Without --exact, "
        "a\n"
        "run four times finer than the finest stands for the solution. With --exact, only the coordinates "
        "that\n"
        "it names are compared; velocities follow from positions by differentiation unless given. Steps are\n"
        "equal, also where the scene adapts them.\n"
        "\n"
        "Velocities jump at impacts: their uniform error does not fall, l1 falls with h at best.",
    .example =
        "  rico converge ball.yaml --exact 'z=t<fall ? height-g*t^2/2 : e*g*fall*(t-fall)-g*(t-fall)^2/2'\n"
        "  rico converge ball.yaml --scheme moreau-jean,schatzman-paoli --norm uniform --output orders.png\n"
        "  rico converge stick.yaml --steps 1e-3,3e-4,1e-4 --no-figure",
    .options = OPTIONS,
    .run = run,
};
