// rico run: simulates a scene into a result file, with a progress bar and an energy balance at the end.

#include "app/app.h"
#include "base/clock.h"
#include "base/option.h"
#include "base/table.h"
#include "ricochet/import.h"
#include "store/runner.h"
#include "store/target.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

typedef struct run_settings {
    rico_cli_words set;
    const char *derivatives; // and the next word
    const char *of, *with;   // what both say
    const char *output;
    const char *from;
    bool resume, extend, overwrite, quiet, hash;
    double checkpoint, until, at, memory;
    int64_t checkpoint_steps, most_steps;
} run_settings;

static const rico_cli_option OPTIONS[] = {
    {.name = "set",
     .value = "NAME=VALUE",
     .help = "a parameter of the scene, or a key such as time.step or scheme.theta; may be repeated",
     .kind = RICO_CLI_LIST,
     .field = offsetof(run_settings, set)},
    {.name = "output",
     .value = "FILE.h5",
     .help = "the result file; the scene's name with .h5 in this folder unless told otherwise",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(run_settings, output)},
    {.name = "overwrite",
     .help = "replace a result file that is there; no other file is ever replaced",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(run_settings, overwrite)},
    {.name = "resume",
     .help = "go on with a run that was stopped or killed, as if it had never been: with the scene and the "
             "settings that its file holds",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(run_settings, resume)},
    {.name = "until",
     .value = "T",
     .help = "end at T instead of the scene's time.end",
     .kind = RICO_CLI_REAL,
     .field = offsetof(run_settings, until),
     .low = -1e300,
     .high = 1e300},
    {.name = "extend",
     .help = "go on with a run that has finished until --until, as if that had been its end from the start",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(run_settings, extend)},
    {.name = "from",
     .value = "OTHER.h5",
     .help =
         "start from a state of another run instead of the scene's initial one: its last, or that at --at; "
         "the time stays the scene's",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(run_settings, from)},
    {.name = "at",
     .value = "T",
     .help = "the time of the row that --from takes",
     .kind = RICO_CLI_REAL,
     .field = offsetof(run_settings, at),
     .low = -1e300,
     .high = 1e300},
    {.name = "derivatives",
     .value = "of=NAMES with=NAMES",
     .help =
         "derivatives of positions and velocities with respect to parameters of the scene and initial ones "
         "(x@0), in a table `derivatives`",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(run_settings, derivatives)},
    {.name = "checkpoint",
     .value = "S",
     .help = "keep a checkpoint every S seconds; 0 is none",
     .kind = RICO_CLI_REAL,
     .field = offsetof(run_settings, checkpoint),
     .low = 0.0,
     .high = 1e9},
    {.name = "checkpoint-steps",
     .value = "N",
     .help = "keep a checkpoint every N steps too; 0 is none",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(run_settings, checkpoint_steps),
     .low = 0,
     .high = 1000000000000000},
    {.name = "stop-after",
     .value = "N",
     .help = "stop after N steps, as Ctrl-C does; 0 is never",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(run_settings, most_steps),
     .low = 0,
     .high = 1000000000000000},
    RICO_MEMORY_OPTION(run_settings, memory),
    {.name = "hash",
     .help = "print a number made of every bit of the state at the end: equal runs have equal ones",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(run_settings, hash)},
    {.name = "quiet",
     .help = "show no progress and no summary",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(run_settings, quiet)},
    {0},
};

// A bar on the terminal: done, time of the simulation, time left.
typedef struct progress_bar {
    FILE *out;
    bool on, visible;
    double begin;
} progress_bar;


static void draw(void *user, double done, double t)
{
    enum { WIDTH = 30 };
    progress_bar *self = user;
    if (!self->on) return;
    double spent = rico_clock() - self->begin, left = done > 0.0 ? spent * (1.0 - done) / done : 0.0;
    char cells[WIDTH + 1];
    int filled = (int)(done * WIDTH);
    for (int i = 0; i < WIDTH; i++) cells[i] = i < filled ? '#' : '.';
    cells[WIDTH] = '\0';
    fprintf(self->out, "\r\033[K[%s] %3.0f %%  t = %.6g  %.0f s left", cells, 100.0 * done, t, left);
    fflush(self->out);
    self->visible = true;
}


static void erase(progress_bar *self)
{
    if (self->visible) fprintf(self->out, "\r\033[K");
    self->visible = false;
}


static void balance_line(FILE *out, const char *name, double value, bool always)
{
    if (value != 0.0 || always) fprintf(out, "  %-34s %16.9g\n", name, value);
}


// Whether the scheme has a tolerance for violations, and so keeps to it.
static bool scheme_projects(const char *name)
{
    const rico_scheme_info *scheme = rico_scheme_find(name);
    return scheme && rico_option_find(scheme->options, scheme->option_count, "violation-tol") >= 0;
}


// What nature does not do, where it is more than round-off and the tolerance of the solver can explain. Cures are options
// of this command, as they stand.
static void print_alarms(FILE *out, const rico_runner_result *result, double energy)
{
    const rico_ledger *end = &result->total;
    if (result->broken > 0.01) {
        fprintf(out, "\nConstraints were BROKEN: ");
        rico_print_plain(out, result->breaker);
        fprintf(out, ", by %.2g times the way that its coordinates moved.\n", result->broken);
        if (!scheme_projects(result->scheme))
            fprintf(out, "--set scheme=midpoint-projection keeps them; with %s, shorter steps do.\n",
                    result->scheme);
    }
    if (result->stats.loose_steps > 0)
        fprintf(
            out,
            "\nImpulses were accepted beyond the tolerance in %lld of %lld steps; the largest residual was "
            "%.2g, at t = %.6g.\n",
            (long long)result->stats.loose_steps, (long long)result->steps, result->stats.loose_residual,
            result->stats.loose_time);
    if (result->strain > 0.0)
        fprintf(out,
                "\nStrains of part %s reached %.2g in element %lld, at t = %.6g: linear elasticity holds for "
                "small "
                "ones.\n",
                result->strained, result->strain, (long long)result->strain_element, result->strain_time);
    if (end->tangential > end->doubt + 1e-12 * energy)
        fprintf(out,
                "\nFriction CREATED energy: Newton's law does that; --set scheme.law=fremond does not.\n");
}


// What a reduction has left out, as far as it shows.
static void print_reduction(FILE *out, const rico_runner_result *result)
{
    char words[64];
    if (result->reduced == 0) return;
    fprintf(out, "  %-34s %16.3g  (", "error of the reduction, estimated", result->reduction_error);
    rico_print_plain(out, result->reduced_part);
    fprintf(out, " at t = %.6g, %lld of %lld unknowns)\n", result->reduction_time,
            (long long)result->reduced_to, (long long)result->reduced);
    if (!isfinite(result->reduction_next)) return;
    snprintf(words, sizeof words, "  of motions above %.4g Hz", result->reduction_next / (2.0 * M_PI));
    fprintf(out, "  %-34s %16.3g  (share in the speed of kept nodes; no mode above is kept)\n", words,
            result->reduction_fast);
}


// How derivatives were found, and whether they belong to one side.
static void print_derivatives(FILE *out, const rico_runner_result *result)
{
    if (result->derivative_steps == 0) return;
    fprintf(out, "\nDerivatives %s",
            result->derivative_differences == 0 ? "from the equations of the steps"
                                                : "by differences of the steps");
    if (result->one_sided == 0)
        fprintf(out, ".\n");
    else
        fprintf(out, "; in %lld of %lld steps they belong to ONE SIDE, first at t = %.6g: %s.\n",
                (long long)result->one_sided, (long long)result->derivative_steps, result->one_sided_time,
                result->one_sided_contact);
    if (result->derivative_blows > 0)
        fprintf(out,
                "Impacts in %lld step%s: %s does not move their times with what is changed. The derivatives "
                "are those "
                "of its\nsteps, not of the motion; --set scheme=event-driven has both.\n",
                (long long)result->derivative_blows, result->derivative_blows == 1 ? "" : "s",
                result->scheme);
}


// Where the energy went, as a bill.
static void print_summary(rico_app *app, const rico_runner_result *result, const char *output)
{
    FILE *out = app->out;
    const rico_ledger *end = &result->total, *first = &result->first;
    const rico_scheme_info *scheme = rico_scheme_find(result->scheme);
    if (result->title[0]) {
        rico_print_plain(out, result->title);
        fprintf(out, "\n");
    }
    fprintf(out, "%s, %lld steps, t = %.10g to %.10g, %.2f s, %lld event%s\n\n", result->scheme,
            (long long)result->steps, result->t_start, result->t, result->seconds, (long long)result->events,
            result->events == 1 ? "" : "s");
    double before = first->kinetic + first->potential + first->algorithmic;
    double after = end->kinetic + end->potential + end->algorithmic;
    balance_line(out, "energy at the start", before, true);
    balance_line(out, "work of loads and forces", end->external, true);
    balance_line(out, "damping", end->damping, false);
    balance_line(out, "contacts, normal", end->normal, true);
    balance_line(out, "contacts, friction", end->tangential, true);
    balance_line(out, "joints", end->joint, false);
    balance_line(out, "moving obstacles and drives", end->obstacle, false);
    balance_line(out, "projection", end->projection, false);
    for (int i = 0; i < RICO_NUMERICAL_TERMS; i++)
        if (scheme && scheme->numerical[i]) balance_line(out, scheme->numerical[i], end->numerical[i], false);
    balance_line(out, "energy at the end", after, true);
    balance_line(out, "residual of the balance", end->residual, true);
    fprintf(out, "\n  %-34s %16.9g\n", "largest violation of a constraint", result->violation);
    print_reduction(out, result);
    print_derivatives(out, result);
    print_alarms(out, result, fabs(before) + fabs(after));
    fprintf(out, "\nwritten to ");
    rico_print_plain(out, output);
    fprintf(out, "\n");
}


// A scheme outside the range in which it is proved to dissipate says so once.
static void print_warning(void *user, rico_log_level level, const char *text)
{
    (void)level;
    fprintf(user, "rico run: warning: %s\n", text);
}


static int finish(rico_app *app, rico_status status, const rico_runner_result *result, const char *output,
                  bool quiet)
{
    if (status == RICO_OK && (result->nothing_left || result->nothing_there)) {
        fprintf(app->err, "rico run: ");
        rico_print_plain(app->err, output);
        fprintf(app->err,
                result->nothing_there
                    ? " does not exist: there is no run to resume\n"
                    : " has no checkpoint: the run has finished, or was stopped before its first one\n");
        return result->nothing_there ? RICO_EXIT_SYSTEM : RICO_EXIT_BAD_INPUT;
    }
    if (status == RICO_OK) {
        if (!quiet) print_summary(app, result, output);
        return RICO_EXIT_DONE;
    }
    int code = rico_app_complain(app, &rico_command_run, status);
    if (result->excerpt[0]) fprintf(app->err, "%s\n", result->excerpt);
    if (result->steps > 0)
        fprintf(app->err, "rico run: %lld steps, up to t = %.10g, are in '%s'; --resume goes on from there\n",
                (long long)result->steps, result->t, output);
    return code;
}


// Options that do not go together.
static rico_status check_settings(rico_context *ctx, const run_settings *settings)
{
    const struct {
        bool wrong;
        const char *says;
    } RULES[] = {
        {settings->extend && isnan(settings->until), "option '--extend' needs '--until T': how far to go"},
        {settings->extend && settings->resume, "options '--extend' and '--resume' exclude each other"},
        {settings->overwrite && (settings->extend || settings->resume),
         "option '--overwrite' begins anew: it does not go with '--resume' and '--extend'"},
        {settings->from && (settings->extend || settings->resume),
         "option '--from' starts a run: it does not go with '--resume' and '--extend'"},
        {!settings->from && !isnan(settings->at), "option '--at' needs '--from OTHER.h5'"},
    };
    for (size_t i = 0; i < sizeof RULES / sizeof *RULES; i++)
        if (RULES[i].wrong) return rico_fail(ctx, RICO_BAD_ARGUMENT, "%s", RULES[i].says);
    return RICO_OK;
}


// "of=x,v_x" or "with=mu": one of the two words of --derivatives.
static bool take_side(const char *word, run_settings *settings)
{
    if (strncmp(word, "of=", 3) == 0) {
        settings->of = word + 3;
        return true;
    }
    if (strncmp(word, "with=", 5) != 0) return false;
    settings->with = word + 5;
    return true;
}


// --derivatives takes two words; the second is among the operands, which lose it.
static rico_status take_derivatives(rico_context *ctx, run_settings *settings, rico_cli_words *operands)
{
    if (!settings->derivatives) return RICO_OK;
    bool good = take_side(settings->derivatives, settings);
    int64_t left = 0;
    for (int64_t i = 0; i < operands->count; i++)
        if (!take_side(operands->item[i], settings)) operands->item[left++] = operands->item[i];
    operands->count = left;
    if (good && settings->of && settings->with) return RICO_OK;
    return rico_fail(ctx, RICO_BAD_ARGUMENT,
                     "option '--derivatives' needs two words: of=x,v_x with=mu; got '%.60s'%s",
                     settings->derivatives, good ? " alone" : "");
}


// A model of another program, as the text of a scene.
static rico_status import(rico_context *ctx, const char *path, char **text)
{
    const rico_import_options options = rico_import_defaults();
    return rico_import_file(ctx, path, &options, text);
}


static int run(rico_app *app, int argc, char **argv)
{
    const rico_command *self = &rico_command_run;
    run_settings settings = {.checkpoint = 10.0, .until = NAN, .at = NAN};
    rico_cli_words scenes;
    int code;
    if (!rico_app_parse(app, self, argc, argv, &settings, &scenes, &code)) return code;

    char *output = NULL, *text = NULL;
    rico_status status = take_derivatives(app->ctx, &settings, &scenes);
    if (status == RICO_OK && scenes.count != 1)
        status =
            rico_fail(app->ctx, RICO_BAD_ARGUMENT, "one SCENE is needed, got %lld", (long long)scenes.count);
    if (status == RICO_OK) status = check_settings(app->ctx, &settings);
    // a run that goes on may be named by its file alone: it holds the scene
    bool goes_on = status == RICO_OK && (settings.resume || settings.extend);
    bool model = status == RICO_OK && rico_import_takes(scenes.item[0]);
    bool held = goes_on && (model || rico_target_is_hdf5(scenes.item[0]));
    if (held && !model && !settings.output) settings.output = scenes.item[0];
    if (status == RICO_OK && !settings.output)
        status = rico_runner_default_output(app->ctx, scenes.item[0], &output);
    if (status != RICO_OK) {
        code = rico_app_complain(app, self, status);
    } else {
        progress_bar bar = {app->err, !settings.quiet && isatty(fileno(app->err)), false, rico_clock()};
        rico_runner_options options = {.scene = held ? NULL : scenes.item[0],
                                       .override_count = settings.set.count,
                                       .overrides = settings.set.item,
                                       .output = settings.output ? settings.output : output,
                                       .overwrite = settings.overwrite,
                                       .resume = settings.resume,
                                       .extend = settings.extend,
                                       .until = settings.until,
                                       .from = settings.from,
                                       .derivatives_of = settings.of,
                                       .derivatives_with = settings.with,
                                       .from_time = settings.at,
                                       .checkpoint_seconds = settings.checkpoint,
                                       .checkpoint_steps = settings.checkpoint_steps,
                                       .most_steps = settings.most_steps,
                                       .progress = draw,
                                       .user = &bar};
        rico_runner_result result = {.finished = false};
        rico_app_limit_memory(app, settings.memory);
        if (!settings.quiet) rico_context_set_log(app->ctx, print_warning, app->err, RICO_LOG_WARNING);
        if (model && !held) status = import(app->ctx, scenes.item[0], &text);
        options.text = text;
        if (status == RICO_OK) status = rico_runner_run(app->ctx, &options, &result);
        rico_context_set_log(app->ctx, NULL, NULL, RICO_LOG_WARNING);
        erase(&bar);
        code = finish(app, status, &result, options.output, settings.quiet);
        if (!settings.quiet && status == RICO_OK) rico_app_tell_memory(app, settings.memory > 0.0);
        if (code == RICO_EXIT_DONE && settings.hash) fprintf(app->out, "hash %016" PRIx64 "\n", result.hash);
    }
    rico_free(app->ctx, output);
    rico_import_free(app->ctx, text);
    rico_cli_release(app->ctx, self->options, &settings, &scenes);
    return code;
}


const rico_command rico_command_run = {
    .name = "run",
    .operands = "SCENE.yaml|MODEL.xml|RUN.h5 [options]",
    .summary = "simulate a scene",
    .text =
        "Simulates the scene and writes states, impulses, energies, counters and events to an HDF5 file,\n"
        "which can be read while the run goes on. Prints the energy balance at the end.\n"
        "Ctrl-C ends the run after the step it is in; --resume goes on from there, with what the file holds: "
        "a "
        "scene,\n"
        "a setting or a matrix that has changed since is refused by name. RUN.h5 alone will do for --resume "
        "and\n"
        "--extend.",
    .example = "  rico run stick.yaml --set mu=0.3 --output stick.h5\n"
               "  rico run stick.h5 --extend --until 2\n"
               "  rico run stick.yaml --derivatives of=x,v_x with=mu,x@0 --output derivatives.h5\n"
               "  rico run stick.yaml --from stick.h5 --at 0.5 --output again.h5",
    .options = OPTIONS,
    .run = run,
};
