// rico generate: problems made by the program, written as FCLIB files.

#include "ricochet/generate.h"
#include "app/app.h"
#include "app/generate_scene.h"
#include "base/paths.h"
#include "base/suggest.h"
#include "base/table.h"
#include "ricochet/fclib.h"
#include "store/target.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct generate_settings {
    int64_t contacts, bodies, joints, layers, step, seed, count;
    int64_t elements;
    double friction, friction_spread, perturbation, stiffness;
    int dimension, stacking, form;
    const char *output, *scene;
    int64_t every;
    rico_cli_words set;
} generate_settings;

enum { DIMENSION_2, DIMENSION_3 };
enum { STACKING_OFFSET, STACKING_ALIGNED };
enum { FORM_GLOBAL, FORM_REDUCED };
static const char *const DIMENSIONS[] = {"2", "3", NULL};
static const char *const STACKINGS[] = {"offset", "aligned", NULL};
static const char *const FORMS[] = {"global", "reduced", NULL};


static const rico_cli_option OPTIONS[] = {
    {.name = "contacts",
     .value = "N",
     .help = "number of contacts; scenes end with the body that reaches it",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(generate_settings, contacts),
     .low = 0,
     .high = 1e9},
    {.name = "friction",
     .value = "X",
     .help = "coefficient of friction",
     .kind = RICO_CLI_REAL,
     .field = offsetof(generate_settings, friction),
     .low = 0,
     .high = INFINITY},
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
    {.name = "scene",
     .value = "SCENE.yaml",
     .help = "instead of a KIND: the problems that this scene meets on its way, into the folder --output",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(generate_settings, scene)},
    {.name = "every",
     .value = "N",
     .help = "of --scene: steps from one problem to the next",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(generate_settings, every),
     .low = 1,
     .high = 1e15},
    {.name = "set",
     .value = "NAME=VALUE",
     .help = "of --scene: a parameter of it, or a key such as time.step; may be repeated",
     .kind = RICO_CLI_LIST,
     .field = offsetof(generate_settings, set)},
    {.name = "bodies",
     .value = "N",
     .help = "random: number of bodies; fewer than half the contacts make W rank-deficient",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(generate_settings, bodies),
     .low = 1,
     .high = 1e9},
    {.name = "friction-spread",
     .value = "X",
     .help = "random: draw each coefficient within this fraction of --friction",
     .kind = RICO_CLI_REAL,
     .field = offsetof(generate_settings, friction_spread),
     .low = 0,
     .high = 1},
    {.name = "joints",
     .value = "N",
     .help = "random: number of ball joints between bodies",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(generate_settings, joints),
     .low = 0,
     .high = 1e9},
    {.name = "dimension",
     .help = "random: friction in a plane or on a surface",
     .kind = RICO_CLI_CHOICE,
     .field = offsetof(generate_settings, dimension),
     .choices = DIMENSIONS},
    {.name = "perturbation",
     .value = "X",
     .help = "scenes: deviation of the random velocities, over what gravity adds in a step",
     .kind = RICO_CLI_REAL,
     .field = offsetof(generate_settings, perturbation),
     .low = 0,
     .high = INFINITY},
    {.name = "step",
     .value = "N",
     .help = "scenes: the load of this time step, on the same bodies",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(generate_settings, step),
     .low = 0,
     .high = 9e18},
    {.name = "layers",
     .value = "N",
     .help = "bed: number of layers",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(generate_settings, layers),
     .low = 1,
     .high = 1000},
    {.name = "elements",
     .value = "N",
     .help = "cubes: elements along a side",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(generate_settings, elements),
     .low = 1,
     .high = 60},
    {.name = "stiffness",
     .value = "X",
     .help = "cubes, wall-fem: elements that sound crosses in a step; 0: as in the collections of old",
     .kind = RICO_CLI_REAL,
     .field = offsetof(generate_settings, stiffness),
     .low = 0,
     .high = 1e6},
    {.name = "stacking",
     .help = "bed: boxes on four others, or in columns",
     .kind = RICO_CLI_CHOICE,
     .field = offsetof(generate_settings, stacking),
     .choices = STACKINGS},
    {0},
};


static generate_settings default_settings(void)
{
    rico_random_heap heap = rico_random_heap_default();
    rico_scene_recipe scene = rico_scene_recipe_default();
    return (generate_settings){
        .contacts = heap.contacts,
        .bodies = heap.bodies,
        .joints = heap.joints,
        .layers = scene.layers,
        .step = scene.step,
        .seed = (int64_t)heap.seed,
        .count = 1,
        .every = 1,
        .elements = 5,
        .friction = heap.friction,
        .friction_spread = heap.friction_spread,
        .perturbation = scene.perturbation,
        .dimension = heap.dimension == 2 ? DIMENSION_2 : DIMENSION_3,
        .stacking = scene.aligned ? STACKING_ALIGNED : STACKING_OFFSET,
        .form = heap.reduced ? FORM_REDUCED : FORM_GLOBAL,
    };
}


// What can be generated: 'random', or a scene of the library's table.
typedef struct kind {
    const char *name;
    const char *summary;
    const rico_scene_kind *scene; // NULL for 'random'
    bool elastic, wall;
} kind;

static const char RANDOM[] = "random";
static const kind ELASTIC[] = {
    {.name = "cubes", .summary = "two elastic cubes, one dropped on the other", .elastic = true},
    {.name = "wall-fem", .summary = "a low wall of elastic bricks", .elastic = true, .wall = true},
};


// Is the option out of place with this kind?
static bool is_misplaced(const kind *chosen, const rico_cli_option *option)
{
    static const char *const of_random[] = {"bodies", "friction-spread", "joints", "dimension"};
    static const char *const of_scenes[] = {"perturbation", "step", "layers", "stacking"};
    static const char *const of_layers[] = {"layers", "stacking"};
    static const char *const of_elastic[] = {"stiffness", "elements"};
    for (int i = 0; i < 2; i++)
        if (strcmp(option->name, of_elastic[i]) == 0) return !chosen->elastic || (i == 1 && chosen->wall);
    const bool scene = chosen->scene != NULL, layered = scene && chosen->scene->layered;
    if (chosen->elastic && strcmp(option->name, "contacts") == 0) return true;
    for (int i = 0; i < 4; i++) {
        bool random = strcmp(option->name, of_random[i]) == 0,
             staged = strcmp(option->name, of_scenes[i]) == 0;
        if ((random && (scene || chosen->elastic)) || (staged && !scene)) return true;
    }
    for (int i = 0; scene && !layered && i < 2; i++)
        if (strcmp(option->name, of_layers[i]) == 0) return true;
    return false;
}


// Refuses an option that the kind would not read, rather than let someone believe that it did something. One that
// was given its default value goes unnoticed, and harms nobody.
static rico_status check_places(rico_context *ctx, const kind *chosen, const generate_settings *settings)
{
    const generate_settings defaults = default_settings();
    for (const rico_cli_option *option = OPTIONS; option->name != NULL; option++) {
        const char *given = (const char *)settings + option->field;
        const char *standard = (const char *)&defaults + option->field;
        size_t size = option->kind == RICO_CLI_CHOICE ? sizeof(int) : sizeof(int64_t);
        if (is_misplaced(chosen, option) && memcmp(given, standard, size) != 0)
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "option '--%s' means nothing to '%s'", option->name,
                             chosen->name);
    }
    return RICO_OK;
}


static rico_status make_random(rico_context *ctx, const generate_settings *settings, int64_t seed,
                               rico_problem **out)
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
    return rico_generate_random(ctx, &heap, out);
}


static rico_status make_scene(rico_context *ctx, const kind *chosen, const generate_settings *settings,
                              int64_t seed, rico_problem **out)
{
    const bool layered = chosen->scene->layered;
    rico_scene_recipe recipe = {
        .kind = chosen->name,
        .contacts = settings->contacts,
        .friction = settings->friction,
        .perturbation = settings->perturbation,
        .step = settings->step,
        .layers = layered ? settings->layers : rico_scene_recipe_default().layers,
        .aligned = layered && settings->stacking == STACKING_ALIGNED,
        .reduced = settings->form == FORM_REDUCED,
        .seed = (uint64_t)seed,
    };
    return rico_generate_scene(ctx, &recipe, out);
}


// The command that makes the same problem again.
static void describe(const kind *chosen, const generate_settings *settings, int64_t seed, size_t size,
                     char *text)
{
    int used = snprintf(text, size, "rico %s generate %s --contacts %" PRId64 " --friction %.17g",
                        rico_version(), chosen->name, settings->contacts, settings->friction);
    if (chosen->scene == NULL)
        used += snprintf(text + used, size - (size_t)used,
                         " --bodies %" PRId64 " --friction-spread %.17g --joints %" PRId64 " --dimension %s",
                         settings->bodies, settings->friction_spread, settings->joints,
                         DIMENSIONS[settings->dimension]);
    else
        used += snprintf(text + used, size - (size_t)used, " --perturbation %.17g --step %" PRId64,
                         settings->perturbation, settings->step);
    if (chosen->scene != NULL && chosen->scene->layered)
        used += snprintf(text + used, size - (size_t)used, " --layers %" PRId64 " --stacking %s",
                         settings->layers, STACKINGS[settings->stacking]);
    snprintf(text + used, size - (size_t)used, " --form %s --seed %" PRId64, FORMS[settings->form], seed);
}


// Makes the problem of one seed and writes it.
static rico_status make_and_write(rico_context *ctx, const kind *chosen, const generate_settings *settings,
                                  int64_t seed, const char *path)
{
    rico_problem *problem = NULL;
    rico_status status = chosen->scene == NULL ? make_random(ctx, settings, seed, &problem)
                                               : make_scene(ctx, chosen, settings, seed, &problem);
    if (status != RICO_OK) return status;

    // numbers have at most 24 characters here: neither text can be cut
    char title[64], description[512];
    snprintf(title, sizeof title, "%s, seed %" PRId64, chosen->scene == NULL ? "random heap" : chosen->name,
             seed);
    describe(chosen, settings, seed, sizeof description, description);
    rico_fclib_extras extras = {.title = title, .description = description};
    status = rico_target_check(ctx, path, RICO_TARGET_PROBLEM, NULL, NULL);
    if (status == RICO_OK) status = rico_fclib_write(problem, &extras, path);
    rico_problem_destroy(problem);
    return status;
}


// The kind at a place of the list; false past its end.
static bool kind_at(int index, kind *out)
{
    const int elastic = sizeof ELASTIC / sizeof *ELASTIC;
    int scenes = 0;
    while (rico_scene_kind_at(scenes)) scenes++;
    const rico_scene_kind *scene = index > 0 ? rico_scene_kind_at(index - 1) : NULL;
    int place = index - 1 - scenes;
    if (index == 0)
        *out = (kind){.name = RANDOM, .summary = "bodies that touch at random points, with random inertia"};
    else if (scene)
        *out = (kind){.name = scene->name, .summary = scene->summary, .scene = scene};
    else if (place < elastic)
        *out = ELASTIC[place];
    else
        return false;
    return true;
}


static void print_kinds(FILE *out)
{
    kind one;
    fprintf(out, "\nKinds:\n");
    for (int i = 0; kind_at(i, &one); i++) fprintf(out, "  %-8s  %s\n", one.name, one.summary);
}


static rico_status find_kind(rico_context *ctx, const rico_cli_words *words, kind *chosen)
{
    if (words->count > 1)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "one KIND at a time, got also '%s'", words->item[1]);

    const char *word = words->count == 1 ? words->item[0] : "";
    rico_suggestion near;
    rico_suggest_start(&near, word);
    char names[256] = "";
    for (int i = 0; kind_at(i, chosen); i++) {
        if (strcmp(chosen->name, word) == 0) return RICO_OK;
        rico_suggest_offer(&near, chosen->name);
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "", chosen->name);
    }
    if (words->count == 0)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "no KIND given to generate; there are %s", names);
    char hint[RICO_SUGGEST_SENTENCE];
    rico_suggest_sentence(&near, "", hint);
    if (hint[0] != '\0')
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "unknown kind of problem '%s'%s", word, hint);
    return rico_fail(ctx, RICO_BAD_ARGUMENT, "unknown kind of problem '%s'; there are %s", word, names);
}


// The file of one seed: the output itself, or a name in that folder that sorts like the seeds. Step 0 has the plain
// name, others stand beside it.
static rico_status name_output(rico_context *ctx, const kind *chosen, const generate_settings *settings,
                               bool folder, int64_t seed, char **path)
{
    char name[96], step[32] = "";
    int digits = snprintf(NULL, 0, "%" PRId64, settings->seed + settings->count - 1);
    if (settings->step > 0) snprintf(step, sizeof step, "-step-%" PRId64, settings->step);
    snprintf(name, sizeof name, "%s-%0*" PRId64 "%s.hdf5", chosen->name, digits, seed, step);
    if (folder) return rico_path_join(ctx, settings->output, name, path);

    *path = rico_alloc(ctx, (int64_t)strlen(settings->output) + 1, 1);
    if (*path == NULL) return RICO_NO_MEMORY;
    memcpy(*path, settings->output, strlen(settings->output));
    return RICO_OK;
}


static rico_status generate(rico_app *app, const kind *chosen, const generate_settings *settings)
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
        status = name_output(ctx, chosen, settings, folder, seed, &path);
        if (status == RICO_OK) status = make_and_write(ctx, chosen, settings, seed, path);
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


// Problems of a scene: no KIND beside it.
static rico_status from_scene(rico_app *app, const generate_settings *settings, const rico_cli_words *words)
{
    if (words->count > 0)
        return rico_fail(app->ctx, RICO_BAD_ARGUMENT, "option '--scene' stands for a KIND, got also '%s'",
                         words->item[0]);
    const rico_scene_harvest options = {.scene = settings->scene,
                                        .output = settings->output,
                                        .set = &settings->set,
                                        .every = settings->every,
                                        .reduced = settings->form == FORM_REDUCED};
    return rico_generate_from_scene(app, &options);
}


// Problems that elastic bodies meet, --count of them, step by step.
static rico_status from_elastic(rico_app *app, const kind *chosen, const generate_settings *settings)
{
    char text[256];
    double usual = rico_elastic_recipe_stiffness(chosen->wall, settings->elements);
    const rico_elastic_recipe recipe = {.wall = chosen->wall,
                                        .elements = settings->elements,
                                        .friction = settings->friction,
                                        .stiffness = settings->stiffness > 0.0 ? settings->stiffness : usual,
                                        .step = 1e-3,
                                        .seed = (uint64_t)settings->seed};
    snprintf(
        text, sizeof text,
        "%s --elements %" PRId64 " --friction %.17g --stiffness %.17g --seed %" PRId64 " --count %" PRId64,
        chosen->name, recipe.elements, recipe.friction, recipe.stiffness, settings->seed, settings->count);
    const rico_elastic_harvest options = {.name = chosen->name,
                                          .description = text,
                                          .output = settings->output,
                                          .recipe = &recipe,
                                          .count = settings->count,
                                          .reduced = settings->form == FORM_REDUCED};
    return rico_generate_elastic(app, &options);
}


static int run(rico_app *app, int argc, char **argv)
{
    const rico_command *self = &rico_command_generate;
    generate_settings settings = default_settings();
    rico_cli_words words;
    int code;
    if (!rico_app_parse(app, self, argc, argv, &settings, &words, &code)) return code;

    kind chosen = {0};
    rico_status status =
        settings.scene ? from_scene(app, &settings, &words) : find_kind(app->ctx, &words, &chosen);
    bool done = settings.scene != NULL;
    if (status == RICO_OK && !done && (settings.every != 1 || settings.set.count > 0))
        status = rico_fail(app->ctx, RICO_BAD_ARGUMENT, "option '--%s' needs '--scene'",
                           settings.every != 1 ? "every" : "set");
    if (status == RICO_OK && !done) status = check_places(app->ctx, &chosen, &settings);
    if (status == RICO_OK && !done)
        status = chosen.elastic ? from_elastic(app, &chosen, &settings) : generate(app, &chosen, &settings);
    if (status != RICO_OK) code = rico_app_complain(app, self, status);
    rico_cli_release(app->ctx, self->options, &settings, &words);
    return code;
}


const rico_command rico_command_generate = {
    .name = "generate",
    .operands = "KIND|--scene SCENE.yaml --output FILE|DIR [options]",
    .summary = "write problems made by the program as FCLIB files",
    .text =
        "Writes contact problems of rigid bodies under gravity: heaps that touch at random points, and "
        "scenes\n"
        "that stand in equilibrium until random velocities disturb them. The same options and seed give the\n"
        "same problem. Elastic bodies (cubes, wall-fem) give the problems of their first --count steps with "
        "contact,\n"
        "into the folder --output. With --scene, writes the problem of every n-th step of a scene, as its "
        "motion meets "
        "it.",
    .print_more = print_kinds,
    .example = "  rico generate random --contacts 50 --bodies 30 --count 10 --output heaps\n"
               "  rico generate spheres --contacts 1000 --output spheres.hdf5\n"
               "  rico generate --scene stick.yaml --output problems",
    .options = OPTIONS,
    .run = run,
};
