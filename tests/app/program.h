// Runs the real program (RICO_PROGRAM) and keeps what it said and how it ended.

#ifndef RICO_TESTS_APP_PROGRAM_H
#define RICO_TESTS_APP_PROGRAM_H

#include "support.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROGRAM_SKIP = 77, PROGRAM_TEXT = 1 << 20 };

// What a run came to. `out` and `err` are cut at PROGRAM_TEXT bytes; release() frees them.
typedef struct outcome {
    int code; // exit code, or -signal
    char *out, *err;
} outcome;

// Where the standard output of the program goes.
typedef enum destination { TO_FILE, TO_FULL_DISK, TO_NOBODY, TO_CLOSED } destination;


static inline const char *program_path(void)
{
    const char *path = getenv("RICO_PROGRAM");
    return path != NULL && path[0] != '\0' ? path : NULL;
}


static inline char *program_read_back(FILE *file)
{
    char *text = malloc(PROGRAM_TEXT);
    rewind(file);
    text[fread(text, 1, PROGRAM_TEXT - 1, file)] = '\0';
    fclose(file);
    return text;
}


// In the child: points the standard output where it should go.
static inline void program_redirect(destination to, FILE *file)
{
    int ends[2];
    switch (to) {
    case TO_FILE:
        dup2(fileno(file), STDOUT_FILENO);
        break;
    case TO_FULL_DISK:
        dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO);
        break;
    case TO_NOBODY:
        if (pipe(ends) != 0) _exit(126);
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        break;
    case TO_CLOSED:
        close(STDOUT_FILENO);
        break;
    }
}


// Runs `rico words...`; the words end with NULL.
static inline outcome program_run_to(destination to, char *const *words, int count)
{
    char **argv = calloc((size_t)count + 2, sizeof *argv);
    argv[0] = (char *)(uintptr_t)program_path();
    for (int i = 0; i < count; i++) argv[i + 1] = words[i];
    FILE *out = tmpfile(), *err = tmpfile();
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        // a harness may have turned these off; the program is to meet them as from a shell
        signal(SIGPIPE, SIG_DFL);
        signal(SIGINT, SIG_DFL);
        dup2(fileno(err), STDERR_FILENO);
        program_redirect(to, out);
        execv(argv[0], argv);
        _exit(127);
    }
    int state = 0;
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &state, 0), child);
    free(argv);
    return (outcome){.code = WIFEXITED(state) ? WEXITSTATUS(state) : -WTERMSIG(state),
                     .out = program_read_back(out),
                     .err = program_read_back(err)};
}


// The same from one line of words, split at blanks; %s in it is replaced by the folder of the test.
static inline outcome program_line(destination to, const char *folder, const char *line)
{
    char text[4096] = "", *words[64];
    int count = 0;
    size_t used = 0;
    for (const char *at = line; *at != '\0'; at++) {
        bool place = at[0] == '%' && at[1] == 's';
        used += (size_t)snprintf(text + used, sizeof text - used, place ? "%s" : "%.1s", place ? folder : at);
        if (place) at++;
    }
    char *rest = NULL;
    for (char *word = strtok_r(text, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
        words[count++] = word;
    return program_run_to(to, words, count);
}


static inline void release(outcome *result)
{
    free(result->out);
    free(result->err);
}

#endif
