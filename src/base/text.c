// Text that grows as it is written.

#include "base/text.h"

#include <stdio.h>

void rico_text_add(rico_text *text, const char *format, ...)
{
    if (text->status != RICO_OK) return;
    va_list args;
    va_start(args, format);
    int needed = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (needed < 0) {
        text->status = rico_fail(text->ctx, RICO_INTERNAL, "text cannot be formatted: %s", format);
        return;
    }

    if (text->length + needed + 1 > text->capacity) {
        int64_t larger = 2 * text->capacity + needed + 64;
        char *grown = rico_grow(text->ctx, text->data, text->length, larger, 1);
        if (!grown) {
            text->status = RICO_NO_MEMORY;
            return;
        }
        text->data = grown;
        text->capacity = larger;
    }
    va_start(args, format);
    vsnprintf(text->data + text->length, (size_t)needed + 1, format, args);
    va_end(args);
    text->length += needed;
}
