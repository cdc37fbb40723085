// Whole files in memory.

#ifndef RICO_BASE_FILE_H
#define RICO_BASE_FILE_H

#include "base/context.h"

// Reads a regular file to its end. *text holds *length bytes and a NUL behind them; rico_free() releases it. On
// failure both stay untouched, and the sentence names the path.
rico_status rico_file_load(rico_context *ctx, const char *path, char **text, size_t *length);

#endif
