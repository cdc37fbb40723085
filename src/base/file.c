// Whole files in memory.

#include "base/file.h"

#include "base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Opens what has an end: a device may have none, and a pipe may never begin.
static rico_status open_regular(rico_context *ctx, const char *path, FILE **out)
{
    // without O_NONBLOCK a named pipe would hang here
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat about = {0};
    FILE *in = NULL;
    bool known = descriptor >= 0 && fstat(descriptor, &about) == 0;
    bool regular = known && S_ISREG(about.st_mode);
    if (regular) in = fdopen(descriptor, "r");
    if (in == NULL) {
        int error = errno;
        if (descriptor >= 0) close(descriptor);
        const char *why = !known || regular        ? rico_system_words(error)
                          : S_ISDIR(about.st_mode) ? "is a directory"
                                                   : "is not a regular file";
        return rico_fail(ctx, RICO_IO_ERROR, "cannot read '%s': %s", path, why);
    }
    *out = in;
    return RICO_OK;
}


rico_status rico_file_load(rico_context *ctx, const char *path, char **text, size_t *length)
{
    enum { CHUNK = 1 << 16 };
    FILE *in = NULL;
    rico_status status = open_regular(ctx, path, &in);
    if (status != RICO_OK) return status;

    char *held = NULL;
    size_t used = 0, capacity = 0, got = 1;
    while (got > 0) {
        if (used + CHUNK + 1 > capacity) {
            size_t larger = 2 * capacity + CHUNK + 1;
            char *grown = rico_grow(ctx, held, (int64_t)used, (int64_t)larger, 1);
            if (grown == NULL) {
                rico_free(ctx, held);
                fclose(in);
                return RICO_NO_MEMORY;
            }
            held = grown;
            capacity = larger;
        }
        got = fread(held + used, 1, CHUNK, in);
        used += got;
    }
    bool failed = ferror(in) != 0;
    fclose(in);
    if (failed) {
        rico_free(ctx, held);
        return rico_fail(ctx, RICO_IO_ERROR, "cannot read '%s' to its end", path);
    }
    held[used] = '\0';
    *text = held;
    *length = used;
    return RICO_OK;
}
