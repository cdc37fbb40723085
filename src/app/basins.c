// rico basins: which initial states of a scene end at which attractor.

#include "lab/basins.h"
#include "app/app.h"
#include "base/system.h"
#include "base/table.h"
#include "store/target.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXCERPT = 512, SHOWN = 6 };

typedef struct basins_settings {
    rico_cli_words set;
    const char *name[2], *range[2], *period, *figure, *csv;
    double time;
    int64_t cells, periods, checks, jobs;
    bool quiet;
} basins_settings;

static const rico_cli_option OPTIONS[] = {
    {.name = "x",
     .value = "NAME",
     .help = "the position or velocity along the first axis, as results name it: x, v_x",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(basins_settings, name[0])},
    {.name = "y",
     .value = "NAME",
     .help = "along the second one; none: a line of cells",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(basins_settings, name[1])},
    {.name = "x-range",
     .value = "A:B",
     .help = "values along the first axis",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(basins_settings, range[0])},
    {.name = "y-range",
     .value = "A:B",
     .help = "values along the second one",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(basins_settings, range[1])},
    {.name = "cells",
     .value = "N",
     .help = "cells along each axis",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(basins_settings, cells),
     .low = 2,
     .high = 4000},
    {.name = "set",
     .value = "NAME=VALUE",
     .help = "a parameter of the scene; may be repeated",
     .kind = RICO_CLI_LIST,
     .field = offsetof(basins_settings, set)},
    {.name = "period",
     .value = "FORMULA",
     .help = "period of what drives the scene, a formula of its parameters such as 2*pi/omega",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(basins_settings, period)},
    {.name = "time",
     .value = "T",
     .help = "of a scene that nothing drives: the map is over this time",
     .kind = RICO_CLI_REAL,
     .field = offsetof(basins_settings, time),
     .low = 0.0,
     .high = 1e300},
    {.name = "periods",
     .value = "N",
     .help = "a simulation ends undecided after N of them",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(basins_settings, periods),
     .low = 1,
     .high = 1000000},
    {.name = "checks",
     .value = "N",
     .help = "cells far from all boundaries that are simulated too, at random; N others again, until all are "
             "as the map has them",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(basins_settings, checks),
     .low = 0,
     .high = 1000000},
    {.name = "jobs",
     .value = "N",
     .help = "simulations at a time; 0 is one for each core",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(basins_settings, jobs),
     .low = 0,
     .high = 256},
    {.name = "figure",
     .value = "FIGURE",
     .help = "draw the basins and the attractors: a file .svg, .png or .pdf",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(basins_settings, figure)},
    {.name = "csv",
     .value = "FILE",
     .help = "write the attractor of each cell as a table",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(basins_settings, csv)},
    {.name = "quiet",
     .help = "show no progress",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(basins_settings, quiet)},
    {0},
};

typedef struct watcher {
    rico_app *app;
    bool shown;
} watcher;


static void watch(void *user, const char *stage, int64_t done, int64_t count)
{
    watcher *self = user;
    fprintf(self->app->err, "\r\033[K%s: %lld of %lld cells", stage, (long long)done, (long long)count);
    fflush(self->app->err);
    self->shown = true;
}


static rico_status read_range(rico_context *ctx, const char *axis, const char *text, double *low,
                              double *high)
{
    char *end = NULL;
    if (!text) return rico_fail(ctx, RICO_BAD_ARGUMENT, "from where to where? --%s-range is needed", axis);
    *low = strtod(text, &end);
    bool good = end != text && *end == ':';
    const char *second = good ? end + 1 : text;
    if (good) *high = strtod(second, &end);
    if (!good || end == second || *end != '\0' || !(*low < *high) || !isfinite(*low) || !isfinite(*high))
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "--%s-range reads A:B, the lower end first, as -1:2, not \"%s\"", axis, text);
    return RICO_OK;
}


static rico_status make_order(rico_context *ctx, const basins_settings *settings,
                              const rico_cli_words *scenes, rico_basins_order *out)
{
    static const char *const AXES[2] = {"x", "y"};
    if (scenes->count != 1)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "one SCENE is needed, got %lld", (long long)scenes->count);
    if (!settings->name[0])
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "which position or velocity? --x is needed");
    if (!settings->name[1] && settings->range[1])
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "--y-range needs --y, the position or velocity that it is of");
    if (settings->period && settings->time > 0.0)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "the map is over the period of the driving or over a time: --period and --time do "
                         "not go together");
    if (!settings->period && !(settings->time > 0.0))
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "--period is needed, of what drives the scene; where nothing does, --time");
    *out = (rico_basins_order){.scene = scenes->item[0],
                               .set_count = settings->set.count,
                               .set = settings->set.item,
                               .period = settings->period,
                               .time = settings->time,
                               .high = {1.0, 1.0},
                               .cells = {1, 1},
                               .periods = settings->periods,
                               .checks = settings->checks,
                               .threads = settings->jobs > 0 ? (int)settings->jobs : rico_system_cores()};
    rico_status status = RICO_OK;
    for (int k = 0; status == RICO_OK && k < 2; k++) {
        out->name[k] = settings->name[k];
        if (!settings->name[k]) continue;
        out->cells[k] = settings->cells;
        status = read_range(ctx, AXES[k], settings->range[k], &out->low[k], &out->high[k]);
    }
    if (status == RICO_OK && settings->figure)
        status = rico_target_check(ctx, settings->figure, RICO_TARGET_PICTURE, NULL, NULL);
    if (status == RICO_OK && settings->csv)
        status = rico_target_check(ctx, settings->csv, RICO_TARGET_TABLE, NULL, NULL);
    return status;
}


static void print_attractors(rico_app *app, const rico_basins *basins)
{
    rico_print_column columns[] = {{"attractor", 9, true},    {"kind", 12, false}, {"periods", 7, true},
                                   {"events", 7, true},       {"cells", 8, true},  {"share", 7, true},
                                   {"multipliers", 12, false}};
    rico_table_head(app->out, columns, 7);
    for (int64_t a = 0; a < basins->attractors; a++) {
        const rico_attractor *one = &basins->attractor[a];
        char text[6][32], words[160] = "";
        size_t length = 0;
        bool periodic = one->kind == RICO_ATTRACTOR_ORBIT || one->kind == RICO_ATTRACTOR_CYCLE;
        snprintf(text[0], 32, "%lld", (long long)a + 1);
        snprintf(text[1], 32, periodic && !one->cloud ? "%lld" : "", (long long)one->points);
        snprintf(text[2], 32, periodic ? "%lld" : "", (long long)one->events);
        snprintf(text[3], 32, "%lld", (long long)one->cells);
        snprintf(text[4], 32, "%.2f %%", 100.0 * (double)one->cells / (double)basins->count);
        for (int64_t i = 0; i < one->multipliers && length < sizeof words - 48; i++) {
            if (one->imag[i] < 0.0) continue;
            length += (size_t)snprintf(words + length, sizeof words - length, "%s%.6g",
                                       length > 0 ? ", " : "", one->real[i]);
            if (one->imag[i] > 0.0)
                length += (size_t)snprintf(words + length, sizeof words - length, " +- %.6g i", one->imag[i]);
        }
        const char *cells[7] = {
            text[0], rico_attractor_kind_name(one->kind), text[1], text[2], text[3], text[4], words};
        rico_table_row(app->out, columns, 7, cells);
    }
}


static void print_points(rico_app *app, const rico_basins *basins)
{
    int64_t size = basins->nq + basins->nv;
    fprintf(app->out, "\n");
    if (basins->order->period) fprintf(app->out, "once in each period, at t = %.10g:\n", basins->t);
    for (int64_t a = 0; a < basins->attractors; a++) {
        const rico_attractor *one = &basins->attractor[a];
        if (one->cloud && one->kind == RICO_ATTRACTOR_ORBIT)
            fprintf(app->out, "%9lld  period %.10g\n", (long long)a + 1, one->period);
        for (int64_t k = 0; k < one->points && k < SHOWN && !one->cloud; k++) {
            fprintf(app->out, "%9lld ", (long long)a + 1);
            for (int64_t i = 0; i < size && i < SHOWN; i++) {
                char name[RICO_SCENE_NAME];
                rico_basins_name(basins, i, name);
                fprintf(app->out, "%s %s = %.10g", i > 0 ? "," : "", name, one->x[k * size + i]);
            }
            fprintf(app->out, "\n");
        }
    }
}


static void print_ends(rico_app *app, const rico_basins *basins)
{
    static const char *const WORDS[RICO_BASIN_ENDS] = {
        "undecided after the periods that were asked for (--periods)",
        "went farther away than a hundred times the grid", "failed", "no motion begins there"};
    int64_t simulated = 0;
    for (int64_t c = 0; c < basins->count; c++) simulated += basins->simulated[c];
    fprintf(app->out, "\n%lld cells", (long long)basins->count);
    if (basins->plane)
        fprintf(app->out,
                "; the cell mapping has %lld groups and decides %lld of them, simulations corrected %lld",
                (long long)basins->groups, (long long)basins->mapped, (long long)basins->corrected);
    fprintf(app->out, "\n%lld cells were simulated themselves", (long long)simulated);
    if (basins->checked > 0)
        fprintf(app->out, "; of %lld taken at random far from boundaries %lld are as the map has them",
                (long long)basins->checked, (long long)basins->agreed);
    fprintf(app->out, "\n");
    for (int k = 0; k < RICO_BASIN_ENDS; k++)
        if (basins->ends[k] > 0) fprintf(app->out, "%lld cells: %s\n", (long long)basins->ends[k], WORDS[k]);
    if (basins->more)
        fprintf(app->out, "there are more than %d attractors: the others count as undecided\n",
                RICO_ATTRACTORS);
    if (basins->note[0] && basins->ends[2] + basins->ends[3] > 0) {
        fprintf(app->out, "one of them said: ");
        rico_print_plain(app->out, basins->note);
        fprintf(app->out, "\n");
    }
}


static rico_status write_files(const basins_settings *settings, const rico_basins *basins)
{
    rico_sheet sheet = {.ctx = basins->ctx};
    rico_status status = RICO_OK;
    if (settings->csv) {
        status = rico_basins_sheet(basins, &sheet);
        if (status == RICO_OK) status = rico_sheet_write_csv(&sheet, settings->csv);
        rico_sheet_release(&sheet);
    }
    return status == RICO_OK && settings->figure ? rico_basins_draw(basins, settings->figure) : status;
}


static int run(rico_app *app, int argc, char **argv)
{
    const rico_command *self = &rico_command_basins;
    basins_settings settings = {.cells = 100, .periods = 300, .checks = 200};
    rico_cli_words scenes;
    rico_basins_order order;
    rico_basins basins = {.ctx = app->ctx};
    watcher seen = {.app = app};
    char excerpt[EXCERPT] = "";
    int code;
    if (!rico_app_parse(app, self, argc, argv, &settings, &scenes, &code)) return code;
    rico_status status = make_order(app->ctx, &settings, &scenes, &order);
    if (status == RICO_OK) {
        order.excerpt = excerpt;
        order.excerpt_size = sizeof excerpt;
        order.watch = !settings.quiet && isatty(fileno(app->err)) ? watch : NULL;
        order.user = &seen;
        status = rico_basins_find(app->ctx, &order, &basins);
        if (seen.shown) fprintf(app->err, "\r\033[K");
    }
    if (status == RICO_OK) {
        print_attractors(app, &basins);
        print_points(app, &basins);
        print_ends(app, &basins);
        status = write_files(&settings, &basins);
    }
    if (status != RICO_OK) {
        code = rico_app_complain(app, self, status);
        if (excerpt[0]) fprintf(app->err, "%s\n", excerpt);
    }
    rico_basins_release(&basins);
    rico_cli_release(app->ctx, self->options, &settings, &scenes);
    return code;
}


const rico_command rico_command_basins = {
    .name = "basins",
    .operands =
        "SCENE.yaml --x NAME --x-range A:B [--y NAME --y-range A:B] --period FORMULA|--time T [options]",
    .summary = "basins of attraction of a scene: which initial states end at which attractor",
    .text = "Cells of a grid of initial positions and velocities, other coordinates as the scene has them, "
            "are followed\n"
            "from period to period of the driving. Where the grid has all coordinates, simple cell mapping "
            "tells most\n"
            "of them by one period each; what its groups are, all cells near boundaries and some others are "
            "simulated\n"
            "until they stay at an attractor. Attractors are made orbits by Newton's method, with their "
            "multipliers.\n"
            "Cells that remain undecided, fail or lie where no motion begins are counted, and white in the "
            "picture.",
    .example = "  rico basins examples/impact-oscillator/oscillator.yaml --x x --x-range 0:1.5 --y v_x "
               "--y-range -1.5:1.5 "
               "--period '2*pi/omega' --cells 20 --figure basins.svg",
    .options = OPTIONS,
    .run = run,
};
