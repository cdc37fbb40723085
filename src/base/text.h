// Text that grows as it is written.

#ifndef RICO_BASE_TEXT_H
#define RICO_BASE_TEXT_H

#include "base/context.h"

// Start it with {.ctx = ctx}; rico_free(ctx, text.data) releases it. Out of memory stops the writing and stays in
// `status`, so that only the end needs to look.
typedef struct rico_text {
    rico_context *ctx;
    char *data; // NUL at its end; NULL while nothing was written
    int64_t length, capacity;
    rico_status status;
} rico_text;

void rico_text_add(rico_text *text, const char *format, ...) RICO_PRINTF(2, 3);

#endif
