// Progress on a terminal: one line, redrawn in place, erased at the end.

#include "lab/progress.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { LINE_SIZE = 512, NAME_WIDTH = 40 };
static const double REDRAW_SECONDS = 0.1;

rico_progress rico_progress_start(FILE *out, bool quiet, int64_t count)
{
    const char *terminal = getenv("TERM");
    bool can_erase = terminal != NULL && strcmp(terminal, "dumb") != 0;
    return (rico_progress){.out = out, .on = !quiet && can_erase && isatty(fileno(out)), .count = count};
}


static int terminal_width(FILE *out)
{
    struct winsize size;
    if (ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    return 80;
}


void rico_progress_line(const rico_progress *progress, const char *stage, const rico_history_entry *entry,
                        int width, char *line, size_t size)
{
    // the end of a path tells files apart better than its beginning
    const char *name = progress->file;
    size_t length = strlen(name);
    const char *dots = "";
    if (length > NAME_WIDTH) {
        name += length - NAME_WIDTH + 3;
        while (((unsigned char)*name & 0xC0) == 0x80) name++; // not into the middle of a character
        dots = "...";
    }

    int used = snprintf(line, size, "[%lld/%lld] %s%s  ", (long long)progress->index + 1,
                        (long long)progress->count, dots, name);
    if (used >= 0 && (size_t)used < size) {
        if (entry != NULL)
            snprintf(line + used, size - (size_t)used, "iteration %lld  residual %.2e  %.1f s",
                     (long long)entry->iteration, entry->residual, entry->seconds);
        else
            snprintf(line + used, size - (size_t)used, "%s", stage);
    }

    // a line that wraps cannot be erased; a control character in a name must not reach the terminal
    for (char *at = line; *at != '\0'; at++) {
        unsigned char byte = (unsigned char)*at;
        if (byte < 0x20 || byte == 0x7F) *at = '?';
        if (at - line + 1 >= width) *at = '\0';
        if (*at == '\0') break;
    }
}


static void draw(rico_progress *progress, const char *stage, const rico_history_entry *entry)
{
    char line[LINE_SIZE];
    rico_progress_line(progress, stage, entry, terminal_width(progress->out), line, sizeof line);
    fprintf(progress->out, "\r%s\033[K", line);
    fflush(progress->out);
    progress->visible = true;
    progress->last = rico_clock();
}


void rico_progress_file(rico_progress *progress, int64_t index, const char *file, const char *stage)
{
    progress->index = index;
    progress->file = file;
    if (progress->on) draw(progress, stage, NULL);
}


void rico_progress_entry(void *user, const rico_history_entry *entry)
{
    rico_progress *progress = user;
    if (progress->on && rico_clock() - progress->last >= REDRAW_SECONDS) draw(progress, "", entry);
}


void rico_progress_erase(rico_progress *progress)
{
    if (!progress->visible) return;
    fprintf(progress->out, "\r\033[K");
    fflush(progress->out);
    progress->visible = false;
}
