// Pictures drawn by gnuplot. The script goes through a pipe, no shell in between; the picture is made beside its place and
// renamed when it is whole.

#include "draw/gnuplot.h"

#include "base/context.h"
#include "base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// What gnuplot says on its standard error, first line, for the message.
static void read_complaint(int from, char *text, size_t size)
{
    size_t used = 0;
    ssize_t got;
    char chunk[512];
    while ((got = read(from, chunk, sizeof chunk)) > 0)
        for (ssize_t i = 0; i < got && used + 1 < size; i++) text[used++] = chunk[i];
    text[used] = '\0';
    char *line = text;
    while (*line == '\n' || *line == ' ') line++;
    memmove(text, line, strlen(line) + 1);
    text[strcspn(text, "\n")] = '\0';
}


// Starts gnuplot with its standard input and error on pipes; -1 when it cannot.
static pid_t start_gnuplot(int to[2], int from[2])
{
    if (pipe(to) != 0) return -1;
    if (pipe(from) != 0) {
        close(to[0]);
        close(to[1]);
        return -1;
    }
    pid_t child = fork();
    if (child == 0) {
        dup2(to[0], STDIN_FILENO);
        dup2(from[1], STDERR_FILENO);
        int nowhere = open("/dev/null", O_WRONLY); // where gnuplot draws when it cannot open the file
        if (nowhere >= 0) dup2(nowhere, STDOUT_FILENO);
        for (int i = 0; i < 2; i++) {
            close(to[i]);
            close(from[i]);
        }
        execlp("gnuplot", "gnuplot", "-d", "-", (char *)NULL);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    if (child < 0) {
        close(to[1]);
        close(from[0]);
    }
    return child;
}


static rico_status draw(rico_context *ctx, rico_gnuplot_script *script_of, const void *user, const char *path)
{
    int to[2], from[2], state = 0;
    pid_t child = start_gnuplot(to, from);
    if (child < 0)
        return rico_fail(ctx, RICO_IO_ERROR, "gnuplot cannot be started: %s", rico_system_words(errno));

    // gnuplot that dies must not take us with it by SIGPIPE: rico ignores that signal, a test may not
    struct sigaction ignore = {.sa_handler = SIG_IGN}, old;
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGPIPE, &ignore, &old);
    FILE *script = fdopen(to[1], "w");
    if (script) {
        script_of(script, user, path);
        fclose(script);
    } else {
        close(to[1]);
    }
    char complaint[400];
    read_complaint(from[0], complaint, sizeof complaint);
    close(from[0]);
    while (waitpid(child, &state, 0) < 0 && errno == EINTR) continue;
    sigaction(SIGPIPE, &old, NULL);
    if (WIFEXITED(state) && WEXITSTATUS(state) == 127)
        return rico_fail(ctx, RICO_IO_ERROR,
                         "gnuplot was not found; install it to draw (Debian: gnuplot-nox)");
    if (!WIFEXITED(state) || WEXITSTATUS(state) != 0 || access(path, R_OK) != 0)
        return rico_fail(ctx, RICO_IO_ERROR, "gnuplot could not draw '%s': %s", path,
                         complaint[0] ? complaint : "it said nothing");
    return RICO_OK;
}


rico_status rico_gnuplot_write(rico_context *ctx, rico_gnuplot_script *script, const void *user,
                               const char *path)
{
    size_t length = strlen(path);
    char *draft = rico_alloc(ctx, (int64_t)length + 32, 1);
    if (!draft) return RICO_NO_MEMORY;
    snprintf(draft, length + 32, "%s.%ld.part", path, (long)getpid());
    rico_status status = draw(ctx, script, user, draft);
    if (status == RICO_OK && rename(draft, path) != 0)
        status = rico_fail(ctx, RICO_IO_ERROR, "%s: cannot be written: %s", path, rico_system_words(errno));
    if (status != RICO_OK) unlink(draft);
    rico_free(ctx, draft);
    return status;
}
