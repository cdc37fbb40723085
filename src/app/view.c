// rico view: a result file in the browser, from a server on this machine or as one page of HTML.

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


static const char *title_of(const rico_results *results, const char *path)
{
    for (int64_t i = 0; i < rico_results_note_count(results); i++) {
        const rico_note *note = rico_results_note(results, i);
        if (strcmp(note->name, "title") == 0 && note->text && note->text[0]) return note->text;
    }
    return rico_path_base(path);
}


static void tell_frames(rico_app *app, const rico_film *film)
{
    if (film->stride == 1)
        fprintf(app->out, "%lld frames, one for each row", (long long)film->frames);
    else
        fprintf(app->out, "%lld frames: row 1 of every %lld of %lld, and the last", (long long)film->frames,
                (long long)film->stride, (long long)film->rows);
}


static rico_status write_page(rico_app *app, const view_settings *settings, const char *path,
                              const char *title, const rico_film *film)
{
    int64_t size = 0;
    rico_status status = rico_target_check_input(app->ctx, settings->html, path);
    if (status == RICO_OK) status = rico_page_write(app->ctx, title, film, settings->html, &size);
    if (status != RICO_OK) return status;
    tell_frames(app, film);
    fprintf(app->out, "; %.2f MB written to ", 1e-6 * (double)size);
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


static rico_status serve(rico_app *app, const view_settings *settings, const char *path, const char *title,
                         const rico_film_options *options, const rico_film *film)
{
    rico_film_server server;
    rico_status status = rico_film_server_open(app->ctx, path, title, options, (int)settings->port, &server);
    if (status != RICO_OK) return status;
    char address[128];
    snprintf(address, sizeof address, "http://127.0.0.1:%d/%s/", server.port, server.token);
    tell_frames(app, film);
    fprintf(app->out, "\n%s\nCtrl-C ends it.\n", address);
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
    rico_results *results = NULL;
    rico_film film = {0};
    rico_film_options options = rico_film_defaults();
    if (files->count != 1)
        return rico_fail(app->ctx, RICO_BAD_ARGUMENT, "one result FILE is needed, got %lld",
                         (long long)files->count);
    const char *path = files->item[0];
    options.name = rico_path_base(path);
    options.most_frames = settings->frames;
    // made once in any case: what cannot be shown is refused here, not in the browser
    rico_status status = rico_results_open(app->ctx, path, &results);
    if (status == RICO_OK) {
        status = rico_film_make(app->ctx, results, &options, &film);
        if (status != RICO_OK) status = rico_fail_in(app->ctx, status, path);
    }
    if (status == RICO_OK && settings->html)
        status = write_page(app, settings, path, title_of(results, path), &film);
    else if (status == RICO_OK)
        status = serve(app, settings, path, title_of(results, path), &options, &film);
    rico_film_release(app->ctx, &film);
    rico_results_destroy(results);
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
    .operands = "FILE.h5 [options]",
    .summary = "show a result file in the browser, or write it as one page of HTML",
    .text =
        "Shows bodies, contacts, impulses, the energy ledger and events of a run, also while it goes on. A\n"
        "small server on 127.0.0.1 gives the browser what it needs, under an address with a random token,\n"
        "until Ctrl-C; nothing comes from the network. With --html, one file holds program and data.",
    .example = "  rico view ball.h5 --html ball.html",
    .options = OPTIONS,
    .run = run,
};
