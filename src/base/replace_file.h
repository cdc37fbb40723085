// Files that appear whole or not at all.

#ifndef RICO_BASE_REPLACE_FILE_H
#define RICO_BASE_REPLACE_FILE_H

#include "base/context.h"

// Puts `size` bytes at `path`: into a new file beside it, down to the disk, then renamed over it. Whatever goes
// wrong, what was at `path` stays and nothing is left beside it. A symbolic link is followed, permissions of a
// file that was there are kept; what is not a regular file is refused. RICO_IO_ERROR, message after the path.
rico_status rico_replace_file(rico_context *ctx, const char *path, const void *bytes, int64_t size);

// The same piece by piece, for what does not fit into memory. Each piece and the end may fail; what began must end,
// with `keep` false to leave everything as it was. After a failure nothing more is written and ending gives it again.
typedef struct rico_replacement {
    rico_context *ctx;
    const char *path;         // the caller's
    char *target, *temporary; // where it goes, and where it is until then
    int descriptor;
    int error;
} rico_replacement;

rico_status rico_replacement_begin(rico_context *ctx, const char *path, rico_replacement *out);
rico_status rico_replacement_write(rico_replacement *file, const void *bytes, int64_t size);
rico_status rico_replacement_end(rico_replacement *file, bool keep);

#endif
