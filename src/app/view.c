// rico view: one result file or two in the browser, from a server on this machine or as one page of HTML.

#include "app/app.h"
#include "base/paths.h"
#include "base/table.h"
#include "draw/page.h"
#include "lab/film_server.h"
#include "store/target.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_RUNS = 2 };

typedef struct view_settings {
    const char *html;
    int64_t frames, port;
    bool no_open;
} view_settings;

static const rico_cli_option OPTIONS[] = {
    {.name = "html",
     .value = "FILE.html",
     .help = "write one page that holds everything, to keep or to send, instead of serving",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(view_settings, html)},
    {.name = "frames",
     .value = "N",
     .help = "show at most so many rows of the run: every second, third, ... and the last",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(view_settings, frames),
     .low = 2,
     .high = 1e6},
    {.name = "port",
     .value = "N",
     .help = "the port of 127.0.0.1 to serve on; 0 takes one that is free",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(view_settings, port),
     .low = 0,
     .high = 65535},
    {.name = "no-open",
     .help = "only print the address, and leave opening it to you",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(view_settings, no_open)},
    {0},
};


// The title of a run, of two where they differ; their names where they have none.
static void add_title(rico_app *app, const char *path, rico_text *title)
{
    rico_results *results = NULL;
    const char *own = NULL;
    if (rico_results_open(app->ctx, path, &results) == RICO_OK) {
        for (int64_t i = 0; i < rico_results_note_count(results); i++) {
            const rico_note *note = rico_results_note(results, i);
            if (strcmp(note->name, "title") == 0 && note->text && note->text[0]) own = note->text;
        }
    }
    if (!own) own = rico_path_base(path);
    if (title->length == 0)
        rico_text_add(title, "%s", own);
    else if (strcmp(title->data, own) != 0)
        rico_text_add(title, " and %s", own);
    rico_results_destroy(results);
}


// What is shown of each run: a line, which has room for more where there is only one.
static void tell_frames(rico_app *app, const rico_film_run *run, int64_t runs)
{
    for (int64_t i = 0; i < runs; i++) {
        const rico_film *film = &run[i].film;
        if (runs > 1) {
            rico_print_plain(app->out, run[i].options.name);
            fprintf(app->out, ": ");
        }
        if (film->stride == 1)
            fprintf(app->out, "%lld frames, one for each row", (long long)film->frames);
        else
            fprintf(app->out, "%lld frames: row 1 of every %lld of %lld, and the last",
                    (long long)film->frames, (long long)film->stride, (long long)film->rows);
        if (runs > 1) fprintf(app->out, "\n");
    }
}


static rico_status write_page(rico_app *app, const view_settings *settings, const char *title,
                              const rico_film_run *run, int64_t runs)
{
    int64_t size = 0;
    rico_status status = RICO_OK;
    const rico_film *film[MOST_RUNS];
    for (int64_t i = 0; i < runs; i++) film[i] = &run[i].film;
    for (int64_t i = 0; status == RICO_OK && i < runs; i++)
        status = rico_target_check_input(app->ctx, settings->html, run[i].path);
    if (status == RICO_OK) status = rico_page_write(app->ctx, title, film, runs, settings->html, &size);
    if (status != RICO_OK) return status;
    tell_frames(app, run, runs);
    fprintf(app->out, "%s%.2f MB written to ", runs > 1 ? "" : "; ", 1e-6 * (double)size);
    rico_print_plain(app->out, settings->html);
    fprintf(app->out, "\n");
    return RICO_OK;
}


// Asks the desktop to open the address, where there is a desktop. Nothing depends on whether it does.
static void open_browser(const char *address)
{
#ifdef __APPLE__
    const char *program = "open";
#else
    const char *program = "xdg-open";
    if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")) return;
#endif
    pid_t child = fork();
    if (child == 0) {
        // a grandchild that nobody waits for, without our streams
        if (fork() != 0) _exit(0);
        int nothing = open("/dev/null", O_RDWR);
        for (int stream = 0; nothing >= 0 && stream <= 2; stream++) dup2(nothing, stream);
        execlp(program, program, address, (char *)NULL);
        _exit(127);
    }
    if (child > 0) waitpid(child, NULL, 0);
}


static rico_status serve(rico_app *app, const view_settings *settings, const char *title, rico_film_run *run,
                         int64_t runs)
{
    rico_film_server server;
    rico_status status = rico_film_server_open(app->ctx, title, run, runs, (int)settings->port, &server);
    if (status != RICO_OK) return status;
    char address[128];
    snprintf(address, sizeof address, "http://127.0.0.1:%d/%s/", server.port, server.token);
    tell_frames(app, run, runs);
    fprintf(app->out, "%s%s\nCtrl-C ends it.\n", runs > 1 ? "" : "\n", address);
    if (rico_app_flush(app)) {
        if (!settings->no_open) open_browser(address);
        status = rico_film_server_run(&server);
    }
    rico_film_server_close(&server);
    // to be interrupted is how it ends
    rico_context_clear_interrupt(app->ctx);
    return status;
}


static rico_status view(rico_app *app, const view_settings *settings, const rico_cli_words *files)
{
    rico_film_run run[MOST_RUNS] = {{0}};
    rico_text title = {.ctx = app->ctx};
    if (files->count < 1)
        return rico_fail(app->ctx, RICO_BAD_ARGUMENT, "a result FILE is needed, or two to compare, got none");
    if (files->count > MOST_RUNS)
        return rico_fail(app->ctx, RICO_BAD_ARGUMENT,
                         "%lld result files are too many: one is shown, or two side by side",
                         (long long)files->count);
    // made once in any case: what cannot be shown is refused here, not in the browser
    rico_status status = RICO_OK;
    for (int64_t i = 0; status == RICO_OK && i < files->count; i++) {
        run[i] = (rico_film_run){.path = files->item[i], .options = rico_film_defaults()};
        run[i].options.name = rico_path_base(run[i].path);
        run[i].options.most_frames = settings->frames;
        // two share what a browser takes
        run[i].options.most_bytes /= files->count;
        status = rico_film_run_update(app->ctx, &run[i]);
        if (status == RICO_OK) add_title(app, run[i].path, &title);
    }
    if (status == RICO_OK) status = title.status;
    if (status == RICO_OK && settings->html)
        status = write_page(app, settings, title.data, run, files->count);
    else if (status == RICO_OK)
        status = serve(app, settings, title.data, run, files->count);
    for (int64_t i = 0; i < files->count; i++) rico_film_run_release(app->ctx, &run[i]);
    rico_free(app->ctx, title.data);
    return status;
}


static int run(rico_app *app, int argc, char **argv)
{
    const rico_command *self = &rico_command_view;
    view_settings settings = {.frames = rico_film_defaults().most_frames};
    rico_cli_words files;
    int code;
    if (!rico_app_parse(app, self, argc, argv, &settings, &files, &code)) return code;
    rico_status status = view(app, &settings, &files);
    code = status == RICO_OK ? RICO_EXIT_DONE : rico_app_complain(app, self, status);
    rico_cli_release(app->ctx, self->options, &settings, &files);
    return code;
}


const rico_command rico_command_view = {
    .name = "view",
    .operands = "FILE.h5 [OTHER.h5] [options]",
    .summary = "show a result file in the browser, or write it as one page of HTML",
    .text =
        "Shows bodies, contacts, impulses, the energy ledger and events of a run, also while it goes on; "
        "two\n"
        "runs side by side with one clock and one camera. A small server on 127.0.0.1 gives the browser "
        "what\n"
        "it needs, under an address with a random token, until Ctrl-C; nothing comes from the network. With\n"
        "--html, one file holds program and data. Press ? in the browser for its keys: pictures, videos,\n"
        "camera paths and models (.glb) are among them.",
    .example = "  rico view ball.h5 --html ball.html",
    .options = OPTIONS,
    .run = run,
};
