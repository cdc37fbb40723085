// rico modes: nonsmooth modes of a scene, their backbones and how these end.

#include "app/app.h"
#include "base/table.h"
#include "lab/backbone.h"
#include "ricochet/scene.h"
#include "store/target.h"

#include <math.h>

typedef struct modes_settings {
    rico_cli_words set;
    const char *output, *csv;
    int64_t impacts, points;
    double from, to;
} modes_settings;

static const rico_cli_option OPTIONS[] = {
    {.name = "impacts",
     .value = "K",
     .help = "branches of 1 to K impacts per period",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(modes_settings, impacts),
     .low = 1,
     .high = RICO_MODES_IMPACTS},
    {.name = "from",
     .value = "T",
     .help = "the shortest period; half of the shortest linear one unless told otherwise",
     .kind = RICO_CLI_REAL,
     .field = offsetof(modes_settings, from),
     .low = 0,
     .high = 1e300},
    {.name = "to",
     .value = "T",
     .help = "the longest period; that of the first linear mode, and a tenth more, unless told otherwise",
     .kind = RICO_CLI_REAL,
     .field = offsetof(modes_settings, to),
     .low = 0,
     .high = 1e300},
    {.name = "points",
     .value = "N",
     .help = "orbits of each branch of one impact, and steps through the periods for others",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(modes_settings, points),
     .low = 2,
     .high = 100000},
    {.name = "set",
     .value = "NAME=VALUE",
     .help = "a parameter of the scene; may be repeated",
     .kind = RICO_CLI_LIST,
     .field = offsetof(modes_settings, set)},
    {.name = "output",
     .value = "FIGURE",
     .help = "energies over frequencies, .svg, .png or .pdf",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(modes_settings, output)},
    {.name = "csv",
     .value = "FILE",
     .help = "every orbit: period, energy, largest multiplier, durations and impulses",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(modes_settings, csv)},
    {0},
};


// --- tables --------------------------------------------------------------------------------------------------

static void print_linear(rico_app *app, const rico_modes *modes)
{
    rico_print_column columns[] = {{"linear mode", 0, true},
                                   {"frequency", 12, true},
                                   {"period", 12, true},
                                   {"energy at which it touches", 0, true}};
    int64_t count = rico_modes_count(modes) < 12 ? rico_modes_count(modes) : 12;
    rico_table_head(app->out, columns, 4);
    for (int64_t j = 0; j < count; j++) {
        char text[4][32];
        const char *cells[4] = {text[0], text[1], text[2], text[3]};
        double omega = rico_modes_frequencies(modes)[j], energy = rico_modes_grazing_energy(modes, j);
        snprintf(text[0], sizeof text[0], "%lld", (long long)j + 1);
        snprintf(text[1], sizeof text[1], "%.8g", omega);
        snprintf(text[2], sizeof text[2], "%.8g", 2.0 * acos(-1.0) / omega);
        snprintf(text[3], sizeof text[3], isfinite(energy) ? "%.8g" : "-", energy);
        rico_table_row(app->out, columns, 4, cells);
    }
    if (count < rico_modes_count(modes))
        fprintf(app->out, "and %lld more\n", (long long)(rico_modes_count(modes) - count));
}


static void print_branches(rico_app *app, const rico_backbones *all)
{
    rico_print_column columns[] = {{"branch", 0, true},        {"impacts", 0, true},
                                   {"period", 12, true},       {"to", 12, true},
                                   {"least energy", 0, true},  {"stable orbits", 0, true},
                                   {"begins with", 24, false}, {"ends with", 0, false}};
    rico_table_head(app->out, columns, 8);
    for (int64_t b = 0; b < all->count; b++) {
        const rico_backbone *branch = &all->branch[b];
        char text[6][48];
        const char *cells[8] = {text[0],
                                text[1],
                                text[2],
                                text[3],
                                text[4],
                                text[5],
                                rico_modes_end_name(branch->begin),
                                rico_modes_end_name(branch->end)};
        double least = INFINITY;
        int64_t stable = 0;
        for (int64_t i = 0; i < branch->count; i++) {
            least = fmin(least, branch->orbit[i].energy);
            stable += rico_backbone_is_stable(branch, i);
        }
        snprintf(text[0], sizeof text[0], "%lld", (long long)b + 1);
        snprintf(text[1], sizeof text[1], "%lld", (long long)branch->impacts);
        snprintf(text[2], sizeof text[2], "%.8g", branch->count ? branch->orbit[0].period : NAN);
        snprintf(text[3], sizeof text[3], "%.8g",
                 branch->count ? branch->orbit[branch->count - 1].period : NAN);
        snprintf(text[4], sizeof text[4], "%.6g", least);
        snprintf(text[5], sizeof text[5], "%lld of %lld", (long long)stable, (long long)branch->count);
        rico_table_row(app->out, columns, 8, cells);
    }
    if (all->count == 0) fprintf(app->out, "no branch of admissible orbits\n");
}


// --- doing ---------------------------------------------------------------------------------------------------

static rico_status write_files(rico_app *app, const modes_settings *settings, const rico_modes *modes,
                               const rico_backbones *all, const char *title)
{
    rico_sheet sheet = {.ctx = app->ctx};
    rico_status status = RICO_OK;
    if (settings->csv) {
        status = rico_backbones_sheet(all, &sheet);
        if (status == RICO_OK) status = rico_sheet_write_csv(&sheet, settings->csv);
        rico_sheet_release(&sheet);
    }
    if (status == RICO_OK && settings->output)
        status = rico_backbones_draw(all, modes, title, settings->output);
    return status;
}


static rico_status analyse(rico_app *app, const modes_settings *settings, rico_scene *scene)
{
    rico_modes *modes = NULL;
    rico_backbones all = {.ctx = app->ctx};
    rico_status status = rico_modes_create_of(rico_scene_system(scene), &modes);
    if (status == RICO_OK) {
        int64_t n = rico_modes_count(modes);
        const double *omega = rico_modes_frequencies(modes);
        double pi = acos(-1.0), from = settings->from > 0.0 ? settings->from : pi / omega[n - 1];
        double to = settings->to > 0.0 ? settings->to : 2.2 * pi / omega[0];
        if (rico_scene_title(scene)[0]) {
            rico_print_plain(app->out, rico_scene_title(scene));
            fprintf(app->out, "\n");
        }
        fprintf(app->out, "%lld modes, gap at rest %.8g\n\n", (long long)n, rico_modes_gap_at_rest(modes));
        print_linear(app, modes);
        fprintf(app->out, "\nBackbones for periods from %.6g to %.6g:\n\n", from, to);
        for (int64_t k = 1; status == RICO_OK && k <= settings->impacts; k++)
            status = rico_backbones_find(&all, modes, k, from, to, settings->points);
    }
    if (status == RICO_OK) {
        print_branches(app, &all);
        status = write_files(app, settings, modes, &all, rico_scene_title(scene));
    }
    rico_backbones_release(&all);
    rico_modes_destroy(modes);
    return status;
}


static int run(rico_app *app, int argc, char **argv)
{
    const rico_command *self = &rico_command_modes;
    modes_settings settings = {.impacts = 1, .points = 200};
    rico_cli_words scenes;
    rico_scene *scene = NULL;
    char excerpt[512] = "";
    int code;
    if (!rico_app_parse(app, self, argc, argv, &settings, &scenes, &code)) return code;

    rico_status status = RICO_OK;
    if (scenes.count != 1)
        status =
            rico_fail(app->ctx, RICO_BAD_ARGUMENT, "one SCENE is needed, got %lld", (long long)scenes.count);
    if (status == RICO_OK && settings.output)
        status = rico_target_check(app->ctx, settings.output, RICO_TARGET_PICTURE, NULL, NULL);
    if (status == RICO_OK && settings.csv)
        status = rico_target_check(app->ctx, settings.csv, RICO_TARGET_TABLE, NULL, NULL);
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


const rico_command rico_command_modes = {
    .name = "modes",
    .operands = "SCENE.yaml [options]",
    .summary = "periodic motions with impacts of a linear scene: backbones, stability",
    .text =
        "Takes a scene that is linear, without damping and with one contact without friction, and searches "
        "its\n"
        "periodic motions with elastic impacts: for each number of impacts per period the branches of "
        "motions\n"
        "that stay above the obstacle, their energies, whether they are stable, and how each branch ends.\n"
        "One and two impacts are searched completely in steps of the period, more from random starts.",
    .example = "  rico modes examples/modes/two-masses.yaml --impacts 3 --output backbones.svg\n"
               "  rico modes examples/modes/two-masses.yaml --set gap=2 --from 5 --to 8 --csv orbits.csv",
    .options = OPTIONS,
    .run = run,
};
