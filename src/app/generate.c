// rico generate: problems made by the program, written as FCLIB files.

#include "ricochet/generate.h"
#include "app/app.h"
#include "app/paths.h"
#include "app/suggest.h"
#include "app/table.h"
#include "ricochet/fclib.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct generate_settings {
    int64_t contacts, bodies, joints, seed, count;
    double friction, friction_spread;
    int dimension, form;
    const char *output;
} generate_settings;

enum { DIMENSION_2, DIMENSION_3 };
enum { FORM_GLOBAL, FORM_REDUCED };
static const char *const DIMENSIONS[] = {"2", "3", NULL};
static const char *const FORMS[] = {"global", "reduced", NULL};


static const rico_cli_option OPTIONS[] = {
    {.name = "contacts",
     .value = "N",
     .help = "number of contacts",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(generate_settings, contacts),
     .low = 0,
     .high = 1e9},
    {.name = "bodies",
     .value = "N",
     .help = "number of bodies; fewer than half the contacts make W rank-deficient",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(generate_settings, bodies),
     .low = 1,
     .high = 1e9},
    {.name = "friction",
     .value = "X",
     .help = "coefficient of friction",
     .kind = RICO_CLI_REAL,
     .field = offsetof(generate_settings, friction),
     .low = 0,
     .high = INFINITY},
    {.name = "friction-spread",
     .value = "X",
     .help = "draw each coefficient within this fraction of --friction",
     .kind = RICO_CLI_REAL,
     .field = offsetof(generate_settings, friction_spread),
     .low = 0,
     .high = 1},
    {.name = "joints",
     .value = "N",
     .help = "number of ball joints between bodies",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(generate_settings, joints),
     .low = 0,
     .high = 1e9},
    {.name = "dimension",
     .help = "friction in a plane or on a surface",
     .kind = RICO_CLI_CHOICE,
     .field = offsetof(generate_settings, dimension),
     .choices = DIMENSIONS},
    {.name = "form",
     .help = "write M, H, f, w, or W and q",
     .kind = RICO_CLI_CHOICE,
     .field = offsetof(generate_settings, form),
     .choices = FORMS},
    {.name = "seed",
     .value = "N",
     .help = "the same seed gives the same problem",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(generate_settings, seed),
     .low = 0,
     .high = 9e18},
    {.name = "count",
     .value = "N",
     .help = "number of problems, with the seeds that follow",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(generate_settings, count),
     .low = 1,
     .high = 1e6},
    {.name = "output",
     .value = "FILE|DIR",
     .help = "where to write: a file, or a folder when --count is above 1",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(generate_settings, output)},
    {0},
};


static generate_settings default_settings(void)
{
    rico_random_heap heap = rico_random_heap_default();
    return (generate_settings){
        .contacts = heap.contacts,
        .bodies = heap.bodies,
        .joints = heap.joints,
        .seed = (int64_t)heap.seed,
        .count = 1,
        .friction = heap.friction,
        .friction_spread = heap.friction_spread,
        .dimension = heap.dimension == 2 ? DIMENSION_2 : DIMENSION_3,
        .form = heap.reduced ? FORM_REDUCED : FORM_GLOBAL,
    };
}


// Makes the problem of one seed and writes it.
static rico_status generate_random(rico_context *ctx, const generate_settings *settings, int64_t seed,
                                   const char *path)
{
    rico_random_heap heap = {
        .contacts = settings->contacts,
        .bodies = settings->bodies,
        .friction = settings->friction,
        .friction_spread = settings->friction_spread,
        .joints = settings->joints,
        .dimension = settings->dimension == DIMENSION_2 ? 2 : 3,
        .reduced = settings->form == FORM_REDUCED,
        .seed = (uint64_t)seed,
    };
    rico_problem *problem = NULL;
    rico_status status = rico_generate_random(ctx, &heap, &problem);
    if (status != RICO_OK) return status;

    char title[64], description[256];
    snprintf(title, sizeof title, "random heap, seed %" PRId64, seed);
    snprintf(description, sizeof description,
             "rico %s generate random --contacts %" PRId64 " --bodies %" PRId64
             " --friction %.17g --friction-spread %.17g --joints %" PRId64
             " --dimension %d --form %s --seed %" PRId64,
             rico_version(), settings->contacts, settings->bodies, settings->friction,
             settings->friction_spread, settings->joints, heap.dimension, FORMS[settings->form], seed);
    rico_fclib_extras extras = {.title = title, .description = description};
    status = rico_fclib_write(problem, &extras, path);
    rico_problem_destroy(problem);
    return status;
}


// What can be generated: a row here is all that a new kind needs.
typedef struct generator {
    const char *name;
    rico_status (*make)(rico_context *ctx, const generate_settings *settings, int64_t seed, const char *path);
} generator;

static const generator GENERATORS[] = {
    {"random", generate_random},
};
enum { GENERATOR_COUNT = sizeof GENERATORS / sizeof GENERATORS[0] };


static rico_status find_generator(rico_context *ctx, const rico_cli_words *words, const generator **found)
{
    if (words->count == 0)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "no KIND given to generate; there is 'random'");
    if (words->count > 1)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "one KIND at a time, got also '%s'", words->item[1]);
    rico_suggestion near;
    rico_suggest_start(&near, words->item[0]);
    for (int i = 0; i < GENERATOR_COUNT; i++) {
        if (strcmp(GENERATORS[i].name, words->item[0]) == 0) {
            *found = &GENERATORS[i];
            return RICO_OK;
        }
        rico_suggest_offer(&near, GENERATORS[i].name);
    }
    char hint[RICO_SUGGEST_SENTENCE];
    rico_suggest_sentence(&near, "", hint);
    return rico_fail(ctx, RICO_BAD_ARGUMENT, "unknown kind of problem '%s'%s", words->item[0],
                     hint[0] != '\0' ? hint : "; there is 'random'");
}


// The file of one seed: the output itself, or a name in that folder that sorts like the seeds.
static rico_status name_output(rico_context *ctx, const generator *kind, const generate_settings *settings,
                               bool folder, int64_t seed, char **path)
{
    char name[96];
    int digits = snprintf(NULL, 0, "%" PRId64, settings->seed + settings->count - 1);
    snprintf(name, sizeof name, "%s-%0*" PRId64 ".hdf5", kind->name, digits, seed);
    if (folder) return rico_path_join(ctx, settings->output, name, path);

    *path = rico_alloc(ctx, (int64_t)strlen(settings->output) + 1, 1);
    if (*path == NULL) return RICO_NO_MEMORY;
    memcpy(*path, settings->output, strlen(settings->output));
    return RICO_OK;
}


static rico_status generate(rico_app *app, const generator *kind, const generate_settings *settings)
{
    rico_context *ctx = app->ctx;
    if (settings->output == NULL)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "option '--output' is missing: where should the problem go?");

    size_t length = strlen(settings->output);
    bool folder =
        settings->count > 1 || settings->output[length - 1] == '/' || rico_path_is_folder(settings->output);
    rico_status status = folder ? rico_path_make_folder(ctx, settings->output) : RICO_OK;
    for (int64_t i = 0; status == RICO_OK && i < settings->count; i++) {
        if (rico_context_interrupted(ctx)) return RICO_OK;
        int64_t seed = settings->seed + i;
        char *path = NULL;
        status = name_output(ctx, kind, settings, folder, seed, &path);
        if (status == RICO_OK) status = kind->make(ctx, settings, seed, path);
        if (status == RICO_OK) {
            fprintf(app->out, "wrote ");
            rico_print_plain(app->out, path);
            fprintf(app->out, "\n");
        }
        rico_free(ctx, path);
        if (!rico_app_flush(app)) break;
    }
    return status;
}


static int run(rico_app *app, int argc, char **argv)
{
    const rico_command *self = &rico_command_generate;
    generate_settings settings = default_settings();
    rico_cli_words words;
    int code;
    if (!rico_app_parse(app, self, argc, argv, &settings, &words, &code)) return code;

    const generator *kind;
    rico_status status = find_generator(app->ctx, &words, &kind);
    if (status == RICO_OK) status = generate(app, kind, &settings);
    if (status != RICO_OK) code = rico_app_complain(app, self, status);
    rico_cli_release(app->ctx, self->options, &settings, &words);
    return code;
}


const rico_command rico_command_generate = {
    .name = "generate",
    .operands = "random --output FILE|DIR [options]",
    .summary = "write problems made by the program as FCLIB files",
    .text = "Writes random heaps of rigid bodies that touch: every body has a random inertia, each contact\n"
            "joins two bodies or one and the ground. The same options and seed give the same problem.",
    .example = "  rico generate random --contacts 50 --bodies 30 --count 10 --output heaps",
    .options = OPTIONS,
    .run = run,
};
