// rico import: a model of MuJoCo's or ROS's as a scene.

#include "ricochet/import.h"
#include "app/app.h"
#include "base/replace_file.h"

#include <string.h>
#include <sys/stat.h>

typedef struct import_settings {
    const char *output, *key, *table;
    rico_cli_words ignore;
    double end, step, friction;
    bool fixed_base, overwrite;
} import_settings;

static const rico_cli_option OPTIONS[] = {
    {.name = "output",
     .value = "SCENE.yaml",
     .help = "write the scene there instead of the standard output",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(import_settings, output)},
    {.name = "overwrite",
     .help = "replace a SCENE.yaml that is there",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(import_settings, overwrite)},
    {.name = "key",
     .value = "NAME",
     .help = "start from a keyframe of an MJCF file, by its name or its number from 0",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(import_settings, key)},
    {.name = "ignore",
     .value = "WORD",
     .help = "leave out an element or attribute that would be refused, with a warning; may be repeated",
     .kind = RICO_CLI_LIST,
     .field = offsetof(import_settings, ignore)},
    {.name = "end",
     .value = "T",
     .help = "the end of the scene's time",
     .kind = RICO_CLI_REAL,
     .field = offsetof(import_settings, end),
     .low = 1e-12,
     .high = 1e12},
    {.name = "step",
     .value = "H",
     .help = "its step; 0 is that of the file, or 1e-3",
     .kind = RICO_CLI_REAL,
     .field = offsetof(import_settings, step),
     .low = 0.0,
     .high = 1e12},
    {.name = "friction",
     .value = "MU",
     .help = "of links of a URDF file that say none",
     .kind = RICO_CLI_REAL,
     .field = offsetof(import_settings, friction),
     .low = 0.0,
     .high = 1e6},
    {.name = "fixed-base",
     .help = "the first link of a URDF file stands still, whatever its mass",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(import_settings, fixed_base)},
    {.name = "table",
     .value = "FORMAT",
     .help = "print what of MJCF or URDF is taken, ignored and refused, in Markdown",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(import_settings, table)},
    {0},
};


static void print_warning(void *user, rico_log_level level, const char *text)
{
    (void)level;
    fprintf(user, "rico import: warning: %s\n", text);
}


static rico_status print_table(rico_app *app, const char *format)
{
    char *text = NULL;
    rico_status status = rico_import_table(app->ctx, format, &text);
    if (status == RICO_OK) fputs(text, app->out);
    rico_import_free(app->ctx, text);
    return status;
}


static rico_status write_scene(rico_app *app, const import_settings *settings, const char *text)
{
    struct stat about;
    if (!settings->overwrite && stat(settings->output, &about) == 0)
        return rico_fail(app->ctx, RICO_IO_ERROR, "'%s' exists already; --overwrite replaces it",
                         settings->output);
    rico_status status = rico_replace_file(app->ctx, settings->output, text, (int64_t)strlen(text));
    return status == RICO_OK ? status : rico_fail_in(app->ctx, status, settings->output);
}


static int run(rico_app *app, int argc, char **argv)
{
    const rico_command *self = &rico_command_import;
    const rico_import_options standard = rico_import_defaults();
    import_settings settings = {.end = standard.end, .step = standard.step, .friction = standard.friction};
    rico_cli_words files;
    int code;
    if (!rico_app_parse(app, self, argc, argv, &settings, &files, &code)) return code;

    char *text = NULL;
    rico_status status = RICO_OK;
    if (settings.table) {
        status = print_table(app, settings.table);
    } else if (files.count != 1) {
        status =
            rico_fail(app->ctx, RICO_BAD_ARGUMENT, "one MODEL is needed, got %lld", (long long)files.count);
    } else {
        const rico_import_options options = {.key = settings.key,
                                             .folder = settings.output,
                                             .ignore_count = settings.ignore.count,
                                             .ignore = settings.ignore.item,
                                             .end = settings.end,
                                             .step = settings.step,
                                             .friction = settings.friction,
                                             .fixed_base = settings.fixed_base};
        rico_context_set_log(app->ctx, print_warning, app->err, RICO_LOG_WARNING);
        status = rico_import_file(app->ctx, files.item[0], &options, &text);
        rico_context_set_log(app->ctx, NULL, NULL, RICO_LOG_WARNING);
        if (status == RICO_OK && settings.output) status = write_scene(app, &settings, text);
        if (status == RICO_OK && !settings.output) fputs(text, app->out);
    }
    code = status == RICO_OK ? RICO_EXIT_DONE : rico_app_complain(app, self, status);
    rico_import_free(app->ctx, text);
    rico_cli_release(app->ctx, self->options, &settings, &files);
    return code;
}


const rico_command rico_command_import = {
    .name = "import",
    .operands = "MODEL.xml|MODEL.urdf [options]",
    .summary = "write a model of MuJoCo (MJCF) or ROS (URDF) as a scene",
    .text = "Reads a model that was written for another program and writes it as a scene. What it has and a "
            "scene has\n"
            "not is refused, or left out with a warning, by its name and line. 'rico run' and 'rico check' "
            "take such\n"
            "files as they are, with the standard settings of this command.",
    .example = "  rico import examples/import/cart.urdf --output cart.yaml\n"
               "  rico import examples/import/gripper.xml --key grip --output grip.yaml\n"
               "  rico run examples/import/incline.xml --output incline.h5\n"
               "  rico import --table MJCF",
    .options = OPTIONS,
    .run = run,
};
