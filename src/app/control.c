// rico control: a scene as a linear system near its initial state, and what that tells.

#include "app/app.h"
#include "base/table.h"
#include "lab/control_figure.h"
#include "ricochet/linear.h"
#include "store/target.h"

#include <math.h>
#include <string.h>

typedef struct control_settings {
    rico_cli_words set, input, measure;
    const char *output, *csv;
    double from, to, gain_low, gain_high;
    int64_t points;
} control_settings;

static const rico_cli_option OPTIONS[] = {
    {.name = "input",
     .value = "NAME",
     .help = "a coordinate or state on whose equation the input acts; may be repeated",
     .kind = RICO_CLI_LIST,
     .field = offsetof(control_settings, input)},
    {.name = "measure",
     .value = "FORMULA",
     .help = "an output, of coordinates, velocities and states; may be repeated",
     .kind = RICO_CLI_LIST,
     .field = offsetof(control_settings, measure)},
    {.name = "from",
     .value = "W",
     .help = "the lowest frequency in rad/s; a tenth of the slowest mode's unless told otherwise",
     .kind = RICO_CLI_REAL,
     .field = offsetof(control_settings, from),
     .low = 0,
     .high = 1e300},
    {.name = "to",
     .value = "W",
     .help = "the highest; ten times the fastest mode's unless told otherwise",
     .kind = RICO_CLI_REAL,
     .field = offsetof(control_settings, to),
     .low = 0,
     .high = 1e300},
    {.name = "points",
     .value = "N",
     .help = "frequencies between them",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(control_settings, points),
     .low = 2,
     .high = 100000},
    {.name = "gain-low",
     .value = "K",
     .help = "the smallest gain of the root locus",
     .kind = RICO_CLI_REAL,
     .field = offsetof(control_settings, gain_low),
     .low = 1e-300,
     .high = 1e300},
    {.name = "gain-high",
     .value = "K",
     .help = "the largest",
     .kind = RICO_CLI_REAL,
     .field = offsetof(control_settings, gain_high),
     .low = 1e-300,
     .high = 1e300},
    {.name = "set",
     .value = "NAME=VALUE",
     .help = "a parameter of the scene; may be repeated",
     .kind = RICO_CLI_LIST,
     .field = offsetof(control_settings, set)},
    {.name = "output",
     .value = "FIGURE",
     .help = "responses, poles and zeros, root locus, .svg, .png or .pdf",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(control_settings, output)},
    {.name = "csv",
     .value = "FILE",
     .help = "magnitude and phase over the frequencies",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(control_settings, csv)},
    {0},
};


// --- printing ------------------------------------------------------------------------------------------------------

static rico_status print_poles(rico_app *app, const rico_state_space *sys)
{
    rico_print_column columns[] = {{"pole", 0, true},
                                   {"real", 14, true},
                                   {"imaginary", 14, true},
                                   {"size (rad/s)", 14, true},
                                   {"damping", 0, true}};
    double *real = rico_alloc(app->ctx, sys->states, sizeof *real),
           *imag = rico_alloc(app->ctx, sys->states, sizeof *imag), worst = -INFINITY, largest = 0.0;
    rico_status status = real && imag ? rico_state_space_poles(sys, real, imag) : RICO_NO_MEMORY;
    if (status == RICO_OK) rico_table_head(app->out, columns, 5);
    for (int64_t i = 0; status == RICO_OK && i < sys->states; i++) {
        worst = fmax(worst, real[i]);
        largest = fmax(largest, hypot(real[i], imag[i]));
        if (imag[i] < 0.0) continue; // with its partner
        char text[5][32];
        const char *cells[5] = {text[0], text[1], text[2], text[3], text[4]};
        double size = hypot(real[i], imag[i]);
        snprintf(text[0], sizeof text[0], imag[i] > 0.0 ? "%lld, %lld" : "%lld", (long long)i + 1,
                 (long long)i + 2);
        snprintf(text[1], sizeof text[1], "%.8g", real[i]);
        snprintf(text[2], sizeof text[2], imag[i] > 0.0 ? "+-%.8g" : "%.8g", imag[i]);
        snprintf(text[3], sizeof text[3], "%.8g", size);
        snprintf(text[4], sizeof text[4], size > 0.0 ? "%.6g" : "-", -real[i] / size);
        rico_table_row(app->out, columns, 5, cells);
    }
    bool border = fabs(worst) <= 1e-12 * largest; // round-off of a pole at 0
    if (status == RICO_OK)
        fprintf(app->out, "\n%s: the largest real part is %.6g\n",
                border        ? "not asymptotically stable"
                : worst < 0.0 ? "stable"
                              : "unstable",
                border ? 0.0 : worst);
    rico_free(app->ctx, real);
    rico_free(app->ctx, imag);
    return status;
}


// Norms of a stable system; of another one there are none.
static rico_status print_norms(rico_app *app, const rico_state_space *sys)
{
    double abscissa, norm, frequency, mean;
    rico_status status = rico_state_space_abscissa(sys, &abscissa);
    if (status != RICO_OK) return status;
    if (!(abscissa < 0.0)) {
        fprintf(app->out, "norms: none, the system is not stable\n");
        return RICO_OK;
    }
    status = rico_hinf_norm(sys, 1e-9, &norm, &frequency);
    if (status == RICO_OK) status = rico_h2_norm(sys, &mean);
    if (status == RICO_OK)
        fprintf(app->out, "H-infinity norm %.8g at %.8g rad/s, H2 norm %.8g\n", norm, frequency, mean);
    return status;
}


static void print_margin(rico_app *app, const char *what, double value, const char *unit, double frequency,
                         double none)
{
    if (value == none)
        fprintf(app->out, "  %-7s any\n", what);
    else
        fprintf(app->out, "  %-7s %.6g%s at %.6g rad/s\n", what, value, unit, frequency);
}


static rico_status print_loop(rico_app *app, const rico_state_space *sys)
{
    rico_margins margins;
    double *real = rico_alloc(app->ctx, sys->states, sizeof *real),
           *imag = rico_alloc(app->ctx, sys->states, sizeof *imag);
    int64_t zeros = 0;
    rico_status status = real && imag ? rico_state_space_zeros(sys, real, imag, &zeros) : RICO_NO_MEMORY;
    if (status == RICO_OK) {
        fprintf(app->out, "zeros:%s", zeros ? "" : " none");
        for (int64_t i = 0; i < zeros; i++)
            if (imag[i] >= 0.0) fprintf(app->out, imag[i] > 0.0 ? " %.8g+-%.8gi" : " %.8g", real[i], imag[i]);
        fprintf(app->out, "\n");
        status = rico_state_space_margins(sys, &margins);
    }
    if (status == RICO_OK) {
        fprintf(app->out, "as a loop with negative feedback it is %s; to the border of that:\n",
                margins.stable ? "stable" : "not stable");
        print_margin(app, "gain", margins.gain, " times", margins.gain_frequency, INFINITY);
        print_margin(app, "less", margins.down, " times", margins.down_frequency, 0.0);
        print_margin(app, "phase", margins.phase * 180.0 / acos(-1.0), " degrees", margins.phase_frequency,
                     INFINITY);
        print_margin(app, "delay", margins.delay, " s", margins.delay_frequency, INFINITY);
    }
    rico_free(app->ctx, real);
    rico_free(app->ctx, imag);
    return status;
}


static void print_notes(rico_app *app, const rico_linear_notes *notes)
{
    if (notes->imbalance > 1e-9)
        fprintf(
            app->err,
            "rico control: the initial state is no equilibrium: velocities change by up to %.3g a second; "
            "'initial: {equilibrium: true}' begins in one\n",
            notes->imbalance);
    if (notes->left_out > 0)
        fprintf(app->err, "rico control: %lld contact%s or relation%s left out\n", (long long)notes->left_out,
                notes->left_out == 1 ? "" : "s", notes->left_out == 1 ? " is" : "s are");
}


// --- doing ---------------------------------------------------------------------------------------------------------

static rico_status look(rico_app *app, const control_settings *settings, const rico_scene *scene,
                        const rico_state_space *sys)
{
    rico_control_view view = {.sys = sys,
                              .pairs = settings->input.count > 0,
                              .title = rico_scene_title(scene),
                              .input = (const char *const *)settings->input.item,
                              .output = (const char *const *)settings->measure.item,
                              .points = settings->points,
                              .gain_low = settings->gain_low,
                              .gain_high = settings->gain_high};
    rico_status status = rico_control_range(sys, &view.from, &view.to);
    if (settings->from > 0.0) view.from = settings->from;
    if (settings->to > 0.0) view.to = settings->to;
    if (status == RICO_OK && !(view.from < view.to))
        status = rico_fail(app->ctx, RICO_BAD_ARGUMENT,
                           "frequencies from %g to %g: the second must be larger", view.from, view.to);
    if (status == RICO_OK) status = print_poles(app, sys);
    if (status == RICO_OK && view.pairs) status = print_norms(app, sys);
    if (status == RICO_OK && view.pairs && sys->inputs == 1 && sys->outputs == 1)
        status = print_loop(app, sys);
    if (status == RICO_OK && settings->csv) status = rico_control_write(&view, settings->csv);
    if (status == RICO_OK && settings->output) {
        status = rico_control_draw(&view, settings->output);
        if (status == RICO_OK) fprintf(app->out, "written to %s\n", settings->output);
    }
    return status;
}


// Poles need neither input nor output: without them, the first velocity stands for both.
static rico_status analyse(rico_app *app, const control_settings *settings, rico_scene *scene)
{
    char name[RICO_SCENE_NAME], moved[RICO_SCENE_NAME];
    const char *some = name, *seen = name;
    bool given = settings->input.count > 0;
    rico_scene_velocity_name(scene, 0, name);
    rico_scene_position_name(scene, 0, moved);
    if (strncmp(name, "v_", 2) == 0 && strcmp(name + 2, moved) == 0) some = moved; // no state: its coordinate
    const rico_linear_options options = {.inputs = given ? settings->input.count : 1,
                                         .outputs = given ? settings->measure.count : 1,
                                         .input = given ? (const char *const *)settings->input.item : &some,
                                         .output =
                                             given ? (const char *const *)settings->measure.item : &seen};
    rico_linear_notes notes = {0};
    rico_state_space *sys = NULL;
    rico_status status = rico_scene_linearize(scene, &options, &notes, &sys);
    if (status == RICO_OK) {
        if (rico_scene_title(scene)[0]) {
            rico_print_plain(app->out, rico_scene_title(scene));
            fprintf(app->out, "\n");
        }
        print_notes(app, &notes);
        status = look(app, settings, scene, sys);
    }
    rico_state_space_destroy(sys);
    return status;
}


static rico_status check(rico_app *app, const control_settings *settings, int64_t scenes)
{
    rico_status status = RICO_OK;
    if (scenes != 1)
        status = rico_fail(app->ctx, RICO_BAD_ARGUMENT, "one SCENE is needed, got %lld", (long long)scenes);
    else if ((settings->input.count > 0) != (settings->measure.count > 0))
        status = rico_fail(app->ctx, RICO_BAD_ARGUMENT, "'--input' and '--measure' go together");
    else if (settings->csv && settings->input.count == 0)
        status = rico_fail(app->ctx, RICO_BAD_ARGUMENT, "'--csv' needs '--input' and '--measure'");
    else if (!(settings->gain_low < settings->gain_high))
        status = rico_fail(app->ctx, RICO_BAD_ARGUMENT, "gains from %g to %g: the second must be larger",
                           settings->gain_low, settings->gain_high);
    if (status == RICO_OK && settings->output)
        status = rico_target_check(app->ctx, settings->output, RICO_TARGET_PICTURE, NULL, NULL);
    if (status == RICO_OK && settings->csv)
        status = rico_target_check(app->ctx, settings->csv, RICO_TARGET_TABLE, NULL, NULL);
    return status;
}


static int run(rico_app *app, int argc, char **argv)
{
    const rico_command *self = &rico_command_control;
    control_settings settings = {.points = 400, .gain_low = 1e-2, .gain_high = 1e4};
    rico_cli_words scenes;
    rico_scene *scene = NULL;
    char excerpt[512] = "";
    int code;
    if (!rico_app_parse(app, self, argc, argv, &settings, &scenes, &code)) return code;
    rico_status status = check(app, &settings, scenes.count);
    if (status == RICO_OK)
        status = rico_scene_load(app->ctx, scenes.item[0], settings.set.count, settings.set.item, excerpt,
                                 sizeof excerpt, &scene);
    if (status == RICO_OK) status = analyse(app, &settings, scene);
    rico_scene_destroy(scene);
    if (status != RICO_OK) {
        code = rico_app_complain(app, self, status);
        if (excerpt[0]) fprintf(app->err, "%s\n", excerpt);
    }
    rico_cli_release(app->ctx, self->options, &settings, &scenes);
    return code;
}


const rico_command rico_command_control = {
    .name = "control",
    .operands = "SCENE.yaml [options]",
    .summary = "a scene as a linear system: poles, responses, norms, margins, root locus",
    .text =
        "Makes a scene linear about its initial state, its continuous controllers included, and tells its "
        "poles.\n"
        "With --input and --measure, also the responses from the one to the other: norms of a stable "
        "system, and\n"
        "for one input and one output its zeros, and the margins of the loop that negative feedback would "
        "close.\n"
        "Contacts and relations are left out as if they were open; joints need constant gradients.",
    .example = "  rico control examples/switching/cart.yaml\n"
               "  rico control examples/switching/cart.yaml --input x --measure x --output cart.svg",
    .options = OPTIONS,
    .run = run,
};
