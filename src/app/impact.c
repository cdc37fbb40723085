// rico impact: one impact of a scene under all laws side by side, or over a range of a parameter.

#include "app/app.h"
#include "base/table.h"
#include "lab/impact_figure.h"
#include "store/target.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

enum { SHOWN = 8, ENDS = 3, CELL = 32 };

typedef struct impact_settings {
    rico_cli_words set, options;
    const char *laws, *over, *output, *csv;
    int64_t waves;
    double until;
} impact_settings;

static const rico_cli_option OPTIONS[] = {
    {.name = "law",
     .value = "NAME,...",
     .help = "laws to compare, or rigid (without a word), compliant, all",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(impact_settings, laws)},
    {.name = "set",
     .value = "NAME=VALUE",
     .help = "a parameter of the scene; may be repeated",
     .kind = RICO_CLI_LIST,
     .field = offsetof(impact_settings, set)},
    {.name = "option",
     .value = "LAW.NAME=VALUE",
     .help = "an option of a law, as lzb.relative-step=1e-3; may be repeated",
     .kind = RICO_CLI_LIST,
     .field = offsetof(impact_settings, options)},
    {.name = "over",
     .value = "NAME=RANGE",
     .help = "the impact for every value of a parameter: FROM:TO:COUNT, log:FROM:TO:COUNT or A,B,...",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(impact_settings, over)},
    {.name = "waves",
     .value = "N",
     .help =
         "follow the energy of the first N contacts under the first law in time, for the figure and the CSV",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(impact_settings, waves),
     .low = 0,
     .high = 1000},
    {.name = "until",
     .value = "TIME",
     .help = "follow it up to this time alone, in more detail",
     .kind = RICO_CLI_REAL,
     .field = offsetof(impact_settings, until),
     .low = 0,
     .high = 1e300},
    {.name = "output",
     .value = "FIGURE",
     .help = "draw the outcome: a file .svg, .png or .pdf",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(impact_settings, output)},
    {.name = "csv",
     .value = "FILE",
     .help = "write the numbers",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(impact_settings, csv)},
    {0},
};


// --- words ---------------------------------------------------------------------------------------------------

// The names of a list "a,b": cut in place.
static int64_t cut(char *text, const char **name, int64_t room)
{
    int64_t count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(text, ",", &rest); word && count < room; word = strtok_r(NULL, ",", &rest))
        name[count++] = word;
    return count;
}


// --- tables --------------------------------------------------------------------------------------------------

static void cell(char *out, double value)
{
    if (isnan(value))
        snprintf(out, CELL, "-");
    else
        snprintf(out, CELL, "%.6g", value);
}


// All velocities of a small system, the ends of a large one.
static int64_t shown(int64_t count, int64_t column)
{
    return count <= SHOWN || column < ENDS ? column : count - 2 * ENDS + column;
}


static void print_row(rico_app *app, const rico_print_column *columns, int64_t n, const char *law,
                      const double *v)
{
    char text[SHOWN][CELL];
    const char *cells[SHOWN + 1] = {law};
    int64_t count = n <= SHOWN ? n : 2 * ENDS;
    for (int64_t k = 0; k < count; k++) {
        cell(text[k], v[shown(n, k)]);
        cells[k + 1] = text[k];
    }
    rico_table_row(app->out, columns, (int)count + 1, cells);
}


static void print_velocities(rico_app *app, const rico_scene *scene, const rico_outcomes *outcomes)
{
    int64_t n = outcomes->dofs, count = n <= SHOWN ? n : 2 * ENDS;
    char name[SHOWN][RICO_SCENE_NAME];
    rico_print_column columns[SHOWN + 1] = {{"law", 7, false}};
    for (int i = 0; i < outcomes->count; i++) rico_table_widen(&columns[0], outcomes->outcome[i].law);
    for (int64_t k = 0; k < count; k++) {
        rico_scene_velocity_name(scene, shown(n, k), name[k]);
        columns[k + 1] = (rico_print_column){name[k], 10, true};
    }
    fprintf(app->out, "Velocities%s:\n\n", n <= SHOWN ? "" : ", of the first and the last coordinates");
    rico_table_head(app->out, columns, (int)count + 1);
    print_row(app, columns, n, "before", outcomes->before);
    for (int i = 0; i < outcomes->count; i++)
        print_row(app, columns, n, outcomes->outcome[i].law, outcomes->outcome[i].velocity);
}


static void print_measures(rico_app *app, const rico_outcomes *outcomes)
{
    static const char *const NAMES[] = {"ker",   "dispersion", "collisions", "steps",   "repeated",
                                        "stuck", "gap-moreau", "gap-binary", "gap-lzb", "good"};
    enum { COUNT = sizeof NAMES / sizeof *NAMES };
    int place[COUNT];
    rico_print_column columns[COUNT + 2] = {{"law", 7, false}};
    for (int i = 0; i < outcomes->count; i++) rico_table_widen(&columns[0], outcomes->outcome[i].law);
    for (int k = 0; k < COUNT; k++)
        for (int m = 0; m < rico_outcome_measure_count(); m++)
            if (strcmp(rico_outcome_measure_at(m)->name, NAMES[k]) == 0) {
                place[k] = m;
                columns[k + 1] = (rico_print_column){rico_outcome_measure_at(m)->title, 9, true};
            }
    columns[COUNT + 1] = (rico_print_column){"end", 0, false};
    fprintf(app->out, "\nMeasures (distances in percent):\n\n");
    rico_table_head(app->out, columns, COUNT + 2);
    for (int i = 0; i < outcomes->count; i++) {
        const rico_outcome *outcome = &outcomes->outcome[i];
        char text[COUNT][CELL];
        const char *cells[COUNT + 2] = {outcome->law};
        for (int k = 0; k < COUNT; k++) {
            cell(text[k], outcome->measure[place[k]]);
            cells[k + 1] = text[k];
        }
        cells[COUNT + 1] = rico_impact_stop_name(outcome->stop);
        rico_table_row(app->out, columns, COUNT + 2, cells);
    }
    for (int i = 0; i < outcomes->count; i++)
        if (outcomes->outcome[i].note[0])
            fprintf(app->out, "\n%s: %s\n", outcomes->outcome[i].law, outcomes->outcome[i].note);
    if (outcomes->skipped[0]) fprintf(app->out, "\nLeft out: %s\n", outcomes->skipped);
}


// A sweep: the value, and of each law what tells most.
static void print_sweep(rico_app *app, const rico_sheet *sheet)
{
    static const char *const NAMES[] = {".ker", ".dispersion", ".first", ".last", ".gap-lzb", ".stuck"};
    enum { MOST = 1 + RICO_OUTCOME_LAWS * 6 };
    const rico_sheet_column *kept[MOST];
    rico_print_column columns[MOST];
    int count = 0;
    for (int64_t c = 0; c < sheet->count && count < MOST; c++) {
        const char *dot = strrchr(sheet->column[c].name, '.');
        bool wanted = c == 0;
        for (size_t k = 0; dot && k < sizeof NAMES / sizeof *NAMES; k++) wanted |= strcmp(dot, NAMES[k]) == 0;
        if (!wanted || strcmp(sheet->column[c].name, "lzb.gap-lzb") == 0) continue;
        kept[count] = &sheet->column[c];
        columns[count++] = (rico_print_column){sheet->column[c].name, 9, true};
    }
    rico_table_head(app->out, columns, count);
    for (int64_t row = 0; row < sheet->column[0].count; row++) {
        char text[MOST][CELL];
        const char *cells[MOST];
        for (int c = 0; c < count; c++) {
            cell(text[c], kept[c]->value[row]);
            cells[c] = text[c];
        }
        rico_table_row(app->out, columns, count, cells);
    }
}


// --- doing ---------------------------------------------------------------------------------------------------

typedef struct job {
    rico_app *app;
    const impact_settings *settings;
    const char *scene;
    rico_outcome_options options;
    char excerpt[512];
} job;


static rico_status write_files(const job *self, const rico_sheet *sheet, const char *title, bool sweep)
{
    const impact_settings *settings = self->settings;
    rico_context *ctx = self->app->ctx;
    rico_status status = settings->csv ? rico_sheet_write_csv(sheet, settings->csv) : RICO_OK;
    if (status == RICO_OK && settings->output)
        status = sweep ? rico_impact_draw_sweep(ctx, sheet, title, strstr(settings->over, "=log:") != NULL,
                                                settings->output)
                       : rico_impact_draw(ctx, sheet, title, settings->output);
    return status;
}


static rico_status strike(job *self)
{
    rico_app *app = self->app;
    const impact_settings *settings = self->settings;
    rico_scene *scene = NULL;
    rico_outcomes outcomes = {0};
    rico_sheet sheet = {.ctx = app->ctx};
    rico_status status = rico_scene_load(app->ctx, self->scene, settings->set.count, settings->set.item,
                                         self->excerpt, sizeof self->excerpt, &scene);
    if (status == RICO_OK) status = rico_outcomes_make(app->ctx, scene, &self->options, &outcomes);
    if (status == RICO_OK) {
        if (rico_scene_title(scene)[0]) {
            rico_print_plain(app->out, rico_scene_title(scene));
            fprintf(app->out, "\n");
        }
        fprintf(app->out, "%lld coordinates, %lld contacts, %lld of them closed, fastest approach %.6g\n\n",
                (long long)outcomes.dofs, (long long)outcomes.contacts, (long long)outcomes.closed,
                outcomes.speed);
        print_velocities(app, scene, &outcomes);
        print_measures(app, &outcomes);
        status = rico_outcomes_sheet(&outcomes, &sheet);
    }
    if (status == RICO_OK) status = write_files(self, &sheet, rico_scene_title(scene), false);
    rico_sheet_release(&sheet);
    rico_outcomes_release(&outcomes);
    rico_scene_destroy(scene);
    return status;
}


static void tell(void *user, int64_t done, int64_t all)
{
    rico_app *app = user;
    if (isatty(fileno(app->err)) != 1) return;
    fprintf(app->err, "\r\033[Kimpact %lld of %lld", (long long)done + 1, (long long)all);
    fflush(app->err);
}


static rico_status sweep(job *self)
{
    rico_app *app = self->app;
    rico_sheet sheet = {.ctx = app->ctx};
    rico_outcome_sweep plan = {.scene = self->scene,
                               .override_count = self->settings->set.count,
                               .overrides = self->settings->set.item,
                               .options = &self->options,
                               .over = self->settings->over,
                               .progress = tell,
                               .user = app};
    rico_status status = rico_outcome_sweep_run(app->ctx, &plan, &sheet);
    if (isatty(fileno(app->err)) == 1) fprintf(app->err, "\r\033[K");
    memcpy(self->excerpt, plan.excerpt, sizeof self->excerpt);
    if (status == RICO_OK) print_sweep(app, &sheet);
    if (status == RICO_OK) status = write_files(self, &sheet, self->scene, true);
    rico_sheet_release(&sheet);
    return status;
}


static int run(rico_app *app, int argc, char **argv)
{
    const rico_command *self = &rico_command_impact;
    impact_settings settings = {0};
    rico_cli_words scenes;
    int code;
    if (!rico_app_parse(app, self, argc, argv, &settings, &scenes, &code)) return code;

    char names[512] = "";
    const char *law[RICO_OUTCOME_LAWS + 1];
    rico_status status = RICO_OK;
    job work = {.app = app, .settings = &settings};
    if (scenes.count != 1)
        status =
            rico_fail(app->ctx, RICO_BAD_ARGUMENT, "one SCENE is needed, got %lld", (long long)scenes.count);
    if (status == RICO_OK && settings.output)
        status = rico_target_check(app->ctx, settings.output, RICO_TARGET_PICTURE, NULL, NULL);
    if (status == RICO_OK && settings.csv)
        status = rico_target_check(app->ctx, settings.csv, RICO_TARGET_TABLE, NULL, NULL);
    if (status == RICO_OK) {
        snprintf(names, sizeof names, "%s", settings.laws ? settings.laws : "");
        work.scene = scenes.item[0];
        work.options = (rico_outcome_options){.law_count = cut(names, law, RICO_OUTCOME_LAWS + 1),
                                              .laws = law,
                                              .option_count = settings.options.count,
                                              .options = settings.options.item,
                                              .waves = settings.waves,
                                              .waves_until = settings.until};
        status = settings.over ? sweep(&work) : strike(&work);
    }
    if (status != RICO_OK) {
        code = rico_app_complain(app, self, status);
        if (work.excerpt[0]) fprintf(app->err, "%s\n", work.excerpt);
    }
    rico_cli_release(app->ctx, self->options, &settings, &scenes);
    return code;
}


static void print_laws(FILE *out)
{
    fprintf(out, "\nLaws and their options:\n");
    const rico_impact_law_info *info;
    for (int i = 0; (info = rico_impact_law_at(i)) != NULL; i++) {
        fprintf(out, "  %-14s%s\n", info->name, info->summary);
        for (int k = 0; k < info->option_count; k++)
            fprintf(out, "                %s: %s\n", info->options[k].name, info->options[k].help);
    }
}


const rico_command rico_command_impact = {
    .name = "impact",
    .operands = "SCENE.yaml [options]",
    .summary = "one impact of a scene under several laws, side by side",
    .text =
        "Takes the scene in its initial state, with the contacts that are closed there, and applies the "
        "laws\n"
        "of multiple impacts to it: velocities after the impact, energy, dispersion, distances between the\n"
        "laws. With --over, the same for every value of a parameter of the scene.",
    .print_more = print_laws,
    .example = "  rico impact examples/cradle/cradle.yaml --law moreau,lzb --output cradle.svg\n"
               "  rico impact examples/chain/chain.yaml --over exponent=1,1.5,2 --csv exponents.csv",
    .options = OPTIONS,
    .run = run,
};
