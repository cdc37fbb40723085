// The context as the library itself sees it: raising errors, allocating, logging.

#ifndef RICO_BASE_CONTEXT_H
#define RICO_BASE_CONTEXT_H

#include "ricochet/context.h"

#include <stdarg.h>

#if defined(__GNUC__)
#define RICO_PRINTF(format_at, first_at) __attribute__((format(printf, format_at, first_at)))
#else
#define RICO_PRINTF(format_at, first_at)
#endif

// A context with the memory of another, for a thread of its own: what one allocates, the other may release. The functions of
// that memory must then be ready for two threads, as malloc() and free() are.
rico_context *rico_context_sibling(const rico_context *ctx);

// What a program lends to whatever runs in this context, for those who know what it is (step/helper.h); NULL at first.
void rico_context_lend(rico_context *ctx, const void *helper);
const void *rico_context_lent(const rico_context *ctx);

// Leaves a sentence in the context and returns `status`, so that callers write `return rico_fail(...)`.
rico_status rico_fail(rico_context *ctx, rico_status status, const char *format, ...) RICO_PRINTF(3, 4);

// Puts `prefix: ` in front of the sentence already there, for a caller that knows the file or the object.
rico_status rico_fail_in(rico_context *ctx, rico_status status, const char *prefix);

// count * size bytes, zeroed, never NULL for a count of zero. On failure leaves a message and returns NULL.
void *rico_alloc(rico_context *ctx, int64_t count, size_t size);

// Several arrays, zeroed, in one block of memory: for what is made and released together, where an allocation for each would cost as much
// as the work on a small problem. `at` is the address of a pointer, which is set. The first of them is what rico_free() takes; on
// failure NULL is returned and none is set.
typedef struct rico_array {
    void *at;
    int64_t count;
    size_t size;
} rico_array;
void *rico_alloc_together(rico_context *ctx, int count, const rico_array *arrays);

// Before something large: `bytes` more will be asked for, for `what` ("the factors of 1000 bodies"). Takes note of it, and
// refuses what would exceed the limit, in a sentence and before any of it is asked for.
rico_status rico_foresee(rico_context *ctx, double bytes, const char *what);

// Bytes that the machine, or the group of processes that this one belongs to, can give yet; INFINITY where it does not tell.
double rico_machine_memory(void);

// Moves a block to a new count; the old block stays valid on failure. New elements are zero.
void *rico_grow(rico_context *ctx, void *block, int64_t old_count, int64_t new_count, size_t size);

// Another block, zeroed, in the place of the one at *at, a pointer to any pointer: what that held is of no use any more. On
// failure it stays.
bool rico_renew(rico_context *ctx, void *at, int64_t count, size_t size);

// Releases a block; takes NULL.
void rico_free(rico_context *ctx, void *block);

void rico_log(rico_context *ctx, rico_log_level level, const char *format, ...) RICO_PRINTF(3, 4);

// True when a message of this level would be seen: lets a caller skip the work of preparing it.
bool rico_log_wanted(const rico_context *ctx, rico_log_level level);

#endif
