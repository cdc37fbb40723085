// rico orbit SCENE: a periodic orbit of a scene, its events and its stability.

#include "app/app.h"
#include "app/orbit_options.h"
#include "base/table.h"
#include "lab/orbit_report.h"
#include "store/target.h"

#include <math.h>

enum { LISTED = 40, MULTIPLIERS = 8, EXCERPT = 512 };

typedef struct orbit_settings {
    rico_orbit_words where;
    const char *output, *csv;
} orbit_settings;

static const rico_cli_option OPTIONS[] = {
    RICO_ORBIT_OPTIONS(orbit_settings, where),
    {.name = "output",
     .value = "FIGURE",
     .help = "draw portraits, one period and the multipliers: a file .svg, .png or .pdf",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(orbit_settings, output)},
    {.name = "csv",
     .value = "FILE",
     .help = "write a period of positions and velocities, and the multipliers",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(orbit_settings, csv)},
    {0},
};


static void print_events(rico_app *app, const rico_orbit *orbit)
{
    int64_t count;
    const rico_event *event = rico_orbit_events(orbit, &count);
    rico_print_column columns[] = {
        {"after", 14, true}, {"contact", 16, false}, {"event", 10, false}, {"speed", 12, true}};
    if (count == 0) {
        fprintf(app->out, "no events\n");
        return;
    }
    rico_table_head(app->out, columns, 4);
    for (int64_t i = 0; i < count && i < LISTED; i++) {
        char after[32], speed[32];
        const char *cells[4] = {after, event[i].name, rico_event_kind_name(event[i].kind), speed};
        snprintf(after, sizeof after, "%.10g", event[i].t - rico_orbit_time(orbit));
        snprintf(speed, sizeof speed, event[i].kind == RICO_EVENT_IMPACT ? "%.8g" : "", -event[i].speed);
        rico_table_row(app->out, columns, 4, cells);
    }
    if (count > LISTED) fprintf(app->out, "and %lld more\n", (long long)(count - LISTED));
}


static void print_multipliers(rico_app *app, const rico_orbit *orbit)
{
    const double *real, *imag;
    int64_t count = rico_orbit_multipliers(orbit, &real, &imag);
    for (int64_t i = 0; i < count && i < MULTIPLIERS; i++) {
        if (imag[i] < 0.0) continue;
        fprintf(app->out, "%-13s %.8g", i == 0 ? "multipliers" : "", real[i]);
        if (imag[i] > 0.0) fprintf(app->out, " +- %.8g i", imag[i]);
        fprintf(app->out, "\n");
    }
    if (count > MULTIPLIERS)
        fprintf(app->out, "              and %lld more\n", (long long)(count - MULTIPLIERS));
    fprintf(app->out, "%-13s %s: largest modulus%s %.8g\n", "verdict",
            rico_orbit_stable(orbit) ? "stable" : "unstable",
            rico_orbit_trivial(orbit) > 0 ? " beside those that are 1 for all such orbits" : "",
            rico_orbit_growth(orbit));
}


static void print_orbit(rico_app *app, rico_orbit_search *search, const rico_orbit *orbit)
{
    const char *title = rico_scene_title(rico_scene_family_scene(search->family));
    if (title[0]) {
        rico_print_plain(app->out, title);
        fprintf(app->out, "\n");
    }
    fprintf(app->out, "%-13s %.12g", "period", rico_orbit_period(orbit));
    if (search->options.multiple > 1)
        fprintf(app->out, ", %lld of the driving", (long long)search->options.multiple);
    fprintf(app->out, "\n%-13s t = %.10g", "begins at", rico_orbit_time(orbit));
    for (int64_t i = 0; i < search->nq + search->nv && i < 12; i++) {
        char name[RICO_SCENE_NAME];
        rico_orbit_search_name_of(search, i, name);
        fprintf(app->out, ", %s = %.10g", name,
                i < search->nq ? rico_orbit_position(orbit)[i] : rico_orbit_velocity(orbit)[i - search->nq]);
    }
    fprintf(app->out, "\n\n");
    print_events(app, orbit);
    fprintf(app->out, "\n");
    print_multipliers(app, orbit);
    fprintf(
        app->out,
        "%-13s Newton's method: %lld iterations, residual %.1e; a run over the period comes back to %.1e\n",
        "confirmed", (long long)rico_orbit_iterations(orbit), rico_orbit_residual(orbit),
        rico_orbit_return_error(orbit));
    if (!rico_orbit_lawful(orbit)) fprintf(app->out, "%-13s NO: %s\n", "lawful", rico_orbit_note(orbit));
}


static rico_status write_files(const orbit_settings *settings, rico_orbit_search *search,
                               const rico_orbit *orbit)
{
    rico_sheet sheet = {.ctx = search->ctx};
    rico_status status = RICO_OK;
    if (settings->csv) {
        status = rico_orbit_sheet(search, orbit, &sheet);
        if (status == RICO_OK) status = rico_sheet_write_csv(&sheet, settings->csv);
        rico_sheet_release(&sheet);
    }
    if (status == RICO_OK && settings->output)
        status = rico_orbit_draw(search, orbit, rico_scene_title(rico_scene_family_scene(search->family)),
                                 settings->output);
    return status;
}


static int run(rico_app *app, int argc, char **argv)
{
    const rico_command *self = &rico_command_orbit;
    orbit_settings settings = {.where = {.settle = NAN, .pieces = 1}};
    rico_cli_words scenes;
    rico_orbit_search search = {.ctx = app->ctx};
    rico_orbit *orbit = NULL;
    char excerpt[EXCERPT] = "";
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
    rico_orbit_order order =
        rico_orbit_words_order(&settings.where, status == RICO_OK ? scenes.item[0] : NULL, NULL);
    order.excerpt = excerpt;
    order.excerpt_size = sizeof excerpt;
    bool asked = status == RICO_OK;
    if (status == RICO_OK) status = rico_orbit_search_start(app->ctx, &order, &search);
    if (status == RICO_OK) status = rico_orbit_search_find(&search, &orbit);
    if (status == RICO_OK) {
        print_orbit(app, &search, orbit);
        status = write_files(&settings, &search, orbit);
        if (status == RICO_OK && !rico_orbit_lawful(orbit)) code = RICO_EXIT_UNSOLVED;
    }
    if (status != RICO_OK) {
        code = rico_app_complain(app, self, status);
        if (asked && (status == RICO_UNSUPPORTED || status == RICO_SINGULAR)) code = RICO_EXIT_UNSOLVED;
        if (excerpt[0]) fprintf(app->err, "%s\n", excerpt);
    }
    rico_orbit_destroy(orbit);
    if (search.family) rico_orbit_search_release(&search);
    rico_cli_release(app->ctx, self->options, &settings, &scenes);
    return code;
}


const rico_command rico_command_orbit = {
    .name = "orbit",
    .operands = "SCENE.yaml [options]",
    .summary = "a periodic orbit of a scene, with impacts and friction: events, multipliers",
    .text =
        "Lets the motion of the scene settle, finds out how long it takes to come back, and makes of that a\n"
        "periodic orbit by Newton's method, stable or not: its period, its events, its Floquet multipliers. "
        "A run\n"
        "of the event-driven scheme over one period confirms it. Contacts are those that the scene lists; "
        "bodies\n"
        "that find their contacts by collision are refused.",
    .example =
        "  rico orbit examples/impact-oscillator/oscillator.yaml --period '2*pi/omega' --output orbit.svg\n"
        "  rico orbit examples/woodpecker/woodpecker.yaml --free y",
    .options = OPTIONS,
    .run = run,
};
