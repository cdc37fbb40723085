// rico reproduce: runs published experiments, checks their numbers, draws their figures.

#include "app/app.h"
#include "base/paths.h"
#include "base/suggest.h"
#include "base/system.h"
#include "base/table.h"
#include "lab/experiment.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct reproduce_settings {
    const char *examples, *output;
    int64_t jobs;
    bool list, all, keep, no_figures, quick;
} reproduce_settings;

static const rico_cli_option OPTIONS[] = {
    {.name = "list",
     .help = "name the experiments that there are",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(reproduce_settings, list)},
    {.name = "all",
     .help = "reproduce all of them",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(reproduce_settings, all)},
    {.name = "output",
     .value = "DIR",
     .help = "put figures and results into the folder DIR, one folder for each experiment",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(reproduce_settings, output)},
    {.name = "keep",
     .help = "keep the result files of the runs beside the figures",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(reproduce_settings, keep)},
    {.name = "quick",
     .help = "leave out the runs that an experiment calls long, with all that is read from them",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(reproduce_settings, quick)},
    {.name = "no-figures",
     .help = "check the numbers and draw nothing",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(reproduce_settings, no_figures)},
    {.name = "jobs",
     .value = "N",
     .help = "runs at a time, each on a thread; 0 is one for each core",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(reproduce_settings, jobs),
     .low = 0,
     .high = 1024},
    {.name = "examples",
     .value = "DIR",
     .help = "the folder of the experiments, instead of $RICO_EXAMPLES or the one that came with rico",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(reproduce_settings, examples)},
    {0},
};

// Names of folders that hold an experiment.yaml, sorted.
typedef struct names {
    rico_context *ctx;
    int64_t count;
    char **item;
} names;


static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}


static void release_names(names *list)
{
    for (int64_t i = 0; i < list->count; i++) rico_free(list->ctx, list->item[i]);
    rico_free(list->ctx, list->item);
}


static const char *examples_folder(const reproduce_settings *settings)
{
    const char *told = getenv("RICO_EXAMPLES");
    if (settings->examples != NULL) return settings->examples;
    if (told != NULL && told[0] != '\0') return told;
    return rico_path_is_folder(RICO_EXAMPLES_SOURCE) ? RICO_EXAMPLES_SOURCE : RICO_EXAMPLES_INSTALLED;
}


// "DIR/NAME/experiment.yaml", to be freed.
static rico_status experiment_path(rico_context *ctx, const char *dir, const char *name, char **out)
{
    char *folder = NULL;
    rico_status status = rico_path_join(ctx, dir, name, &folder);
    if (status == RICO_OK) status = rico_path_join(ctx, folder, "experiment.yaml", out);
    rico_free(ctx, folder);
    return status;
}


static rico_status list_names(rico_context *ctx, const char *dir, names *out)
{
    *out = (names){.ctx = ctx};
    DIR *folder = opendir(dir);
    if (folder == NULL)
        return rico_fail(ctx, RICO_IO_ERROR,
                         "the folder of experiments '%s' cannot be read; --examples names another", dir);
    rico_status status = RICO_OK;
    struct dirent *entry;
    while (status == RICO_OK && (entry = readdir(folder)) != NULL) {
        char *path = NULL;
        if (entry->d_name[0] == '.') continue;
        status = experiment_path(ctx, dir, entry->d_name, &path);
        if (status == RICO_OK && access(path, R_OK) == 0) {
            char **more = rico_grow(ctx, out->item, out->count, out->count + 1, sizeof *more);
            char *name = more != NULL ? rico_alloc(ctx, (int64_t)strlen(entry->d_name) + 1, 1) : NULL;
            if (more != NULL) out->item = more;
            if (name == NULL) {
                status = RICO_NO_MEMORY;
            } else {
                memcpy(name, entry->d_name, strlen(entry->d_name) + 1);
                out->item[out->count++] = name;
            }
        }
        rico_free(ctx, path);
    }
    closedir(folder);
    if (out->count > 0) qsort(out->item, (size_t)out->count, sizeof *out->item, compare);
    return status;
}


// --- telling -------------------------------------------------------------------------------------------------

typedef struct teller {
    rico_app *app;
    bool watched;
} teller;


static void erase(const teller *self)
{
    if (self->watched) fprintf(self->app->err, "\r\033[K");
}


static void tell_run(void *user, const char *name, int64_t index, int64_t count)
{
    teller *self = user;
    if (!self->watched) return;
    fprintf(self->app->err, "\r\033[Krun %lld of %lld: %s", (long long)index + 1, (long long)count, name);
    fflush(self->app->err);
}


static void tell_check(void *user, const rico_experiment_check *check)
{
    teller *self = user;
    erase(self);
    fprintf(self->app->out, "  %s  ", check->holds ? "holds" : "FAILS");
    rico_print_plain(self->app->out, check->says);
    fprintf(self->app->out, "\n         ");
    rico_print_plain(self->app->out, check->that);
    if (check->values[0] != '\0') {
        fprintf(self->app->out, "  with  ");
        rico_print_plain(self->app->out, check->values);
    }
    fprintf(self->app->out, "\n");
}


static void tell_figure(void *user, const char *path)
{
    teller *self = user;
    erase(self);
    fprintf(self->app->out, "  drawn  ");
    rico_print_plain(self->app->out, path);
    fprintf(self->app->out, "\n");
}


// --- doing ---------------------------------------------------------------------------------------------------

static int complain(rico_app *app, rico_status status, const char *excerpt)
{
    int code = rico_app_complain(app, &rico_command_reproduce, status);
    if (excerpt[0] != '\0') fprintf(app->err, "%s\n", excerpt);
    return code;
}


static int reproduce(rico_app *app, const reproduce_settings *settings, const char *name, const char *path)
{
    rico_context *ctx = app->ctx;
    rico_experiment *experiment = NULL;
    char excerpt[512] = "", *dir = NULL;
    int64_t failed = 0;
    rico_status status =
        rico_experiment_load(ctx, path, settings->quick, excerpt, sizeof excerpt, &experiment);
    if (status != RICO_OK) return complain(app, status, excerpt);
    fprintf(app->out, "%s: ", name);
    rico_print_plain(app->out, rico_experiment_title(experiment));
    if (rico_experiment_reference(experiment)[0] != '\0') {
        fprintf(app->out, " (");
        rico_print_plain(app->out, rico_experiment_reference(experiment));
        fprintf(app->out, ")");
    }
    fprintf(app->out, "\n");
    status = rico_path_join(ctx, settings->output, name, &dir);
    if (status == RICO_OK) status = rico_path_make_folder(ctx, dir);
    if (status == RICO_OK) {
        teller user = {app, isatty(fileno(app->err)) == 1};
        rico_experiment_listener listener = {tell_run, tell_check, tell_figure, &user};
        int threads = settings->jobs > 0 ? (int)settings->jobs : rico_system_cores();
        status = rico_experiment_run(experiment, dir, settings->keep, !settings->no_figures, threads,
                                     &listener, &failed);
        erase(&user);
    }
    int code = status == RICO_OK ? RICO_EXIT_DONE : complain(app, status, "");
    if (status == RICO_OK && failed > 0) {
        fprintf(app->out, "  %lld of its checks fail\n", (long long)failed);
        code = RICO_EXIT_UNSOLVED;
    }
    rico_free(ctx, dir);
    rico_experiment_destroy(experiment);
    return code;
}


static rico_status refuse(rico_context *ctx, const names *known, const char *name)
{
    rico_suggestion near;
    char hint[RICO_SUGGEST_SENTENCE];
    rico_suggest_start(&near, name);
    for (int64_t i = 0; i < known->count; i++) rico_suggest_offer(&near, known->item[i]);
    return rico_fail(ctx, RICO_BAD_ARGUMENT, "there is no experiment '%s'%s; --list names them", name,
                     rico_suggest_sentence(&near, "", hint));
}


static int print_names(rico_app *app, const char *dir, const names *known)
{
    rico_print_column columns[] = {{"name", 0, false}, {"experiment", 0, false}, {"reference", 0, false}};
    int code = RICO_EXIT_DONE;
    for (int64_t i = 0; i < known->count; i++) rico_table_widen(&columns[0], known->item[i]);
    columns[1].width = 60;
    rico_table_head(app->out, columns, 3);
    for (int64_t i = 0; i < known->count; i++) {
        char *path = NULL, excerpt[512] = "";
        rico_experiment *experiment = NULL;
        rico_status status = experiment_path(app->ctx, dir, known->item[i], &path);
        if (status == RICO_OK)
            status = rico_experiment_load(app->ctx, path, false, excerpt, sizeof excerpt, &experiment);
        if (status == RICO_OK) {
            const char *cells[] = {known->item[i], rico_experiment_title(experiment),
                                   rico_experiment_reference(experiment)};
            rico_table_row(app->out, columns, 3, cells);
        } else {
            code = complain(app, status, excerpt);
        }
        rico_experiment_destroy(experiment);
        rico_free(app->ctx, path);
    }
    return code;
}


// By name in the folder of experiments, or by the path of a file.
static int reproduce_word(rico_app *app, const reproduce_settings *settings, const char *dir,
                          const names *known, const char *word)
{
    size_t length = strlen(word);
    if (length > 5 && strcmp(word + length - 5, ".yaml") == 0) {
        char name[80];
        snprintf(name, sizeof name, "%.*s", (int)(strlen(rico_path_base(word)) - 5), rico_path_base(word));
        return reproduce(app, settings, name, word);
    }
    for (int64_t i = 0; i < known->count; i++) {
        if (strcmp(known->item[i], word) != 0) continue;
        char *path = NULL;
        rico_status status = experiment_path(app->ctx, dir, word, &path);
        int code = status == RICO_OK ? reproduce(app, settings, word, path) : complain(app, status, "");
        rico_free(app->ctx, path);
        return code;
    }
    return complain(app, refuse(app->ctx, known, word), "");
}


static int run(rico_app *app, int argc, char **argv)
{
    const rico_command *self = &rico_command_reproduce;
    reproduce_settings settings = {.output = "out/reproduce"};
    rico_cli_words words;
    int code;
    if (!rico_app_parse(app, self, argc, argv, &settings, &words, &code)) return code;

    const char *dir = examples_folder(&settings);
    names known = {.ctx = app->ctx};
    rico_status status = list_names(app->ctx, dir, &known);
    if (status == RICO_OK && words.count == 0 && !settings.all && !settings.list)
        status = rico_fail(app->ctx, RICO_BAD_ARGUMENT,
                           "no NAME given to reproduce; --list names the experiments");
    code = RICO_EXIT_DONE;
    if (status != RICO_OK) {
        code = complain(app, status, "");
    } else if (settings.list) {
        code = print_names(app, dir, &known);
    } else {
        for (int64_t i = 0; settings.all && i < known.count; i++) {
            if (!rico_app_flush(app) || rico_context_interrupted(app->ctx)) break;
            code = rico_exit_worst(code, reproduce_word(app, &settings, dir, &known, known.item[i]));
        }
        for (int64_t i = 0; i < words.count; i++) {
            if (!rico_app_flush(app) || rico_context_interrupted(app->ctx)) break;
            code = rico_exit_worst(code, reproduce_word(app, &settings, dir, &known, words.item[i]));
        }
    }
    release_names(&known);
    rico_cli_release(app->ctx, self->options, &settings, &words);
    return code;
}


const rico_command rico_command_reproduce = {
    .name = "reproduce",
    .operands = "NAME... [options]",
    .summary = "run published experiments, check their numbers, draw their figures",
    .text =
        "Runs the scenes of an experiment, compares what comes out with what was published, and draws the\n"
        "figures. NAME is one that --list names, or the path of an experiment file. Ends with 1 when a "
        "check\n"
        "fails.",
    .example = "  rico reproduce stick --output out",
    .options = OPTIONS,
    .run = run,
};
