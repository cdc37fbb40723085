// Files that appear whole or not at all.

#ifndef RICO_PROBLEM_REPLACE_FILE_H
#define RICO_PROBLEM_REPLACE_FILE_H

#include "base/context.h"

// Puts `size` bytes at `path`: into a new file beside it, down to the disk, then renamed over it. Whatever goes
// wrong, what was at `path` stays and nothing is left beside it. A symbolic link is followed, permissions of a
// file that was there are kept; what is not a regular file is refused. RICO_IO_ERROR, message after the path.
rico_status rico_replace_file(rico_context *ctx, const char *path, const void *bytes, int64_t size);

#endif
