// A folder of the test, and lines of `rico` in which %s is that folder.

#ifndef RICO_TESTS_APP_FOLDER_H
#define RICO_TESTS_APP_FOLDER_H

#include "program.h"

static char folder[64];


static inline const char *path_in(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}


static inline bool exists(const char *name)
{
    return access(path_in(name), F_OK) == 0;
}


// Runs a line and checks the exit code and a piece of either stream; "" asks for silence, NULL for nothing.
static inline void expect(const char *line, int code, const char *out, const char *err)
{
    outcome got = program_line(TO_FILE, folder, line);
    bool out_good = out == NULL || (out[0] == '\0' ? got.out[0] == '\0' : strstr(got.out, out) != NULL);
    bool err_good = err == NULL || (err[0] == '\0' ? got.err[0] == '\0' : strstr(got.err, err) != NULL);
    if (got.code != code || !out_good || !err_good)
        fail_msg("rico %s: exit %d, expected %d with '%s' and '%s'\nstdout: %s\nstderr: %s", line, got.code,
                 code, out != NULL ? out : "(any)", err != NULL ? err : "(any)", got.out, got.err);
    release(&got);
}

#endif
