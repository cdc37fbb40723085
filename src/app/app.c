// What the subcommands share: reading their words, complaining, exit codes, watching the output.

#include "app/app.h"

#include "app/manual.h"

#include <errno.h>
#include <poll.h>

static void print_help(rico_app *app, const rico_command *command, const void *settings)
{
    fprintf(app->out, "Usage: %s %s %s\n\n%s\n", app->program ? app->program : "rico", command->name,
            command->operands, command->text);
    if (command->print_more != NULL) command->print_more(app->out);
    fprintf(app->out, "\nOptions:\n");
    rico_cli_print_options(app->out, command->options, settings);
    fprintf(app->out, "\nExample:\n%s\n", command->example);
}


bool rico_app_parse(rico_app *app, const rico_command *command, int argc, char **argv, void *settings,
                    rico_cli_words *operands, int *code)
{
    // help is looked for first: it wins over mistakes elsewhere, and shows the defaults before they change
    if (rico_cli_wants_help(argc, argv)) {
        if (app->help == RICO_HELP_MAN)
            rico_manual_command(app->out, command, settings);
        else
            print_help(app, command, settings);
        *code = RICO_EXIT_DONE;
        return false;
    }

    rico_status status = rico_cli_parse(app->ctx, command->options, argc, argv, settings, operands);
    if (status != RICO_OK) {
        *code = rico_app_complain(app, command, status);
        return false;
    }
    *code = RICO_EXIT_DONE;
    return true;
}


int rico_app_complain(rico_app *app, const rico_command *command, rico_status status)
{
    // a reader that went away knows that it did
    bool left = status == RICO_IO_ERROR && app->out_failed && app->out_errno == EPIPE;
    if (!left)
        fprintf(app->err, "%s %s: %s\n", app->program ? app->program : "rico", command->name,
                rico_message(app->ctx));
    return rico_exit_of(status);
}


// Was the stream a pipe whose reader is gone? Where the buffer was emptied in the midst of printing, errno is past.
static bool nobody_reads(FILE *out)
{
    struct pollfd end = {.fd = fileno(out), .events = POLLOUT};
    return poll(&end, 1, 0) == 1 && (end.revents & POLLERR) != 0;
}


bool rico_app_flush(rico_app *app)
{
    errno = 0;
    bool failed = fflush(app->out) != 0;
    if (!app->out_failed && (failed || ferror(app->out))) {
        app->out_failed = true;
        app->out_errno = errno != 0 ? errno : nobody_reads(app->out) ? EPIPE : 0;
    }
    return !app->out_failed;
}


bool rico_app_heard(void *app)
{
    return rico_app_flush(app);
}


void rico_app_note(void *app, rico_status status)
{
    rico_app *self = app;
    self->worst = rico_exit_worst(self->worst, rico_exit_of(status));
}


int rico_exit_of(rico_status status)
{
    switch (status) {
    case RICO_OK:
        return RICO_EXIT_DONE;
    case RICO_BAD_ARGUMENT:
    case RICO_BAD_INPUT:
    case RICO_SINGULAR:
    case RICO_UNSUPPORTED:
        return RICO_EXIT_BAD_INPUT;
    case RICO_INTERRUPTED:
        return RICO_EXIT_INTERRUPTED;
    case RICO_NO_MEMORY:
    case RICO_IO_ERROR:
    case RICO_INTERNAL:
        break;
    }
    return RICO_EXIT_SYSTEM;
}


int rico_exit_worst(int a, int b)
{
    return a > b ? a : b;
}


static const double gigabyte = 1e9;


void rico_app_limit_memory(rico_app *app, double gigabytes)
{
    rico_context_set_memory_limit(app->ctx, gigabytes > 0.0 ? gigabyte * gigabytes : rico_machine_memory());
}


void rico_app_tell_memory(rico_app *app, bool asked)
{
    rico_memory memory = rico_context_memory(app->ctx);
    if (!asked && memory.peak < gigabyte) return;
    fprintf(app->out, "memory: %.3f GB at most, %.3f GB foreseen, %.3f GB allowed\n", memory.peak / gigabyte,
            memory.foreseen / gigabyte, memory.limit / gigabyte);
}
