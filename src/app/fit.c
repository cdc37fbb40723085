// rico fit: parameters of a scene from measured data, by least squares.

#include "lab/fit.h"
#include "app/app.h"
#include "base/clock.h"
#include "base/table.h"

#include <math.h>
#include <unistd.h>

typedef struct fit_settings {
    rico_cli_words set;
    const char *data, *fit, *output;
    int64_t most;
    bool quiet;
} fit_settings;

static const rico_cli_option OPTIONS[] = {
    {.name = "data",
     .value = "FILE.csv",
     .help =
         "measured values: t and positions or velocities of the scene, named in the first line; sigma_x is "
         "the standard deviation of x",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(fit_settings, data)},
    {.name = "fit",
     .value = "NAMES",
     .help =
         "parameters of the scene to find, between commas; the scene's values are where the search begins",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(fit_settings, fit)},
    {.name = "set",
     .value = "NAME=VALUE",
     .help = "a parameter of the scene, or a key such as time.step or scheme; may be repeated",
     .kind = RICO_CLI_LIST,
     .field = offsetof(fit_settings, set)},
    {.name = "most",
     .value = "N",
     .help = "iterations before it gives up",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(fit_settings, most),
     .low = 1,
     .high = 100000},
    {.name = "output",
     .value = "FIGURE",
     .help = "data and fit, .svg, .png or .pdf",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(fit_settings, output)},
    {.name = "quiet",
     .help = "show no progress",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(fit_settings, quiet)},
    {0},
};


static void watch(void *user, int64_t iteration, double rms)
{
    FILE *out = user;
    if (!out) return;
    fprintf(out, "\r\033[Kiteration %lld, residual %.6g", (long long)iteration, rms);
    fflush(out);
}


static void print_correlations(FILE *out, const rico_fit *fit)
{
    int64_t n = fit->parameters;
    if (n < 2) return;
    fprintf(out, "\n  correlations\n");
    for (int64_t i = 1; i < n; i++)
        for (int64_t j = 0; j < i; j++)
            fprintf(out, "  %-16s %-16s %8.4f\n", fit->name[i], fit->name[j], fit->correlation[i + j * n]);
}


static void print_fit(FILE *out, const rico_fit *fit)
{
    fprintf(out, "%lld values, %lld iterations, %lld runs\n\n", (long long)fit->data.measured,
            (long long)fit->iterations, (long long)fit->runs);
    fprintf(out, "  %-16s %14s %14s %14s\n", "parameter", "at first", "value", "deviation");
    for (int64_t i = 0; i < fit->parameters; i++)
        fprintf(out, "  %-16s %14.8g %14.8g %14.3g\n", fit->name[i], fit->begin[i], fit->value[i],
                fit->deviation[i]);
    print_correlations(out, fit);
    fprintf(out, "\n  residual, root mean square%s: %.6g at first, %.6g now\n",
            fit->data.weighted ? " over sigma" : "", fit->rms_begin, fit->rms);
    if (fit->one_sided > 0)
        fprintf(
            out,
            "\nIn %lld steps the derivatives belong to ONE SIDE: some contact is about to change there.\n",
            (long long)fit->one_sided);
    if (fit->blows > 0)
        fprintf(out,
                "\nImpacts in %lld step%s: this scheme does not move their times with the parameters, --set "
                "scheme=event-driven does.\n",
                (long long)fit->blows, fit->blows == 1 ? "" : "s");
    if (!fit->converged)
        fprintf(out, "\nThe search did NOT converge: what stands here is where it stopped.\n");
}


static rico_status check(rico_context *ctx, const fit_settings *settings, const rico_cli_words *scenes)
{
    if (scenes->count != 1)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "one SCENE is needed, got %lld", (long long)scenes->count);
    if (!settings->data)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "option '--data FILE.csv' is needed: what to fit to");
    if (!settings->fit)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "option '--fit NAMES' is needed: the parameters to find");
    return RICO_OK;
}


static int run(rico_app *app, int argc, char **argv)
{
    const rico_command *self = &rico_command_fit;
    fit_settings settings = {.most = 50};
    rico_cli_words scenes;
    int code;
    if (!rico_app_parse(app, self, argc, argv, &settings, &scenes, &code)) return code;
    char excerpt[512] = "";
    bool seen = !settings.quiet && isatty(fileno(app->err));
    rico_fit fit = {0};
    rico_status status = check(app->ctx, &settings, &scenes);
    if (status == RICO_OK) {
        const rico_fit_options options = {.scene = scenes.item[0],
                                          .override_count = settings.set.count,
                                          .overrides = settings.set.item,
                                          .data = settings.data,
                                          .fit = settings.fit,
                                          .most = settings.most,
                                          .progress = watch,
                                          .user = seen ? app->err : NULL,
                                          .excerpt = excerpt,
                                          .excerpt_size = sizeof excerpt};
        status = rico_fit_run(app->ctx, &options, &fit);
        if (seen) fprintf(app->err, "\r\033[K");
    }
    if (status == RICO_OK) print_fit(app->out, &fit);
    if (status == RICO_OK && settings.output) status = rico_fit_draw(app->ctx, &fit, settings.output);
    if (status != RICO_OK) {
        code = rico_app_complain(app, self, status);
        if (excerpt[0]) fprintf(app->err, "%s\n", excerpt);
    } else {
        code = fit.converged ? RICO_EXIT_DONE : RICO_EXIT_UNSOLVED;
    }
    rico_fit_release(app->ctx, &fit);
    rico_cli_release(app->ctx, self->options, &settings, &scenes);
    return code;
}


const rico_command rico_command_fit = {
    .name = "fit",
    .operands = "SCENE.yaml --data FILE.csv --fit NAMES [options]",
    .summary = "find parameters of a scene from measured data",
    .text = "Finds the values of parameters with which the motion of the scene comes nearest to measured "
            "data, by\n"
            "least squares with the derivatives of the motion. Prints values, standard deviations, "
            "correlations and\n"
            "residuals; exits with 1 where the search does not converge. Values that the scene refuses are "
            "avoided.",
    .example = "  rico fit examples/slope/slope.yaml --data examples/slope/measured.csv --fit mu,v0 --output "
               "fit.svg",
    .options = OPTIONS,
    .run = run,
};
