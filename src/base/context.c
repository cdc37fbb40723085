// The context: one message, one allocator and a book of what it holds, one log function, one interrupt flag.

#include "base/context.h"

#include <limits.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

enum { MESSAGE_SIZE = 1024 };

// In front of every block: its size, in as much room as keeps blocks aligned for any type.
typedef union block_head {
    size_t bytes;
    max_align_t align;
} block_head;

// What a context and its siblings hold together, in bytes: one may release what another asked for, at the same time.
typedef struct memory_book {
    atomic_llong held, peak, foreseen, limit; // limit 0: none
} memory_book;

struct rico_context {
    rico_allocator allocator;
    memory_book own_book, *book; // the book of the context that the first sibling was made from, or its own
    rico_log_function log;
    void *log_user;
    rico_log_level log_level;
    atomic_bool interrupted;
    const void *lent;
    char message[MESSAGE_SIZE]; // inside the context, so that running out of memory can still be told
};


static void *allocate_default(void *user, size_t size)
{
    (void)user;
    return malloc(size);
}


static void release_default(void *user, void *block)
{
    (void)user;
    free(block);
}


const char *rico_status_name(rico_status status)
{
    switch (status) {
    case RICO_OK:
        return "ok";
    case RICO_NO_MEMORY:
        return "out of memory";
    case RICO_BAD_ARGUMENT:
        return "bad argument";
    case RICO_BAD_INPUT:
        return "bad input";
    case RICO_IO_ERROR:
        return "input/output error";
    case RICO_SINGULAR:
        return "singular matrix";
    case RICO_UNSUPPORTED:
        return "unsupported";
    case RICO_INTERRUPTED:
        return "interrupted";
    case RICO_INTERNAL:
        return "internal error";
    }
    return "unknown status";
}


rico_context *rico_context_create(const rico_allocator *allocator)
{
    static const rico_allocator standard = {allocate_default, release_default, NULL};
    if (!allocator) allocator = &standard;

    rico_context *ctx = allocator->allocate(allocator->user, sizeof *ctx);
    if (!ctx) return NULL;

    memset(ctx, 0, sizeof *ctx);
    ctx->allocator = *allocator;
    ctx->book = &ctx->own_book;
    atomic_init(&ctx->own_book.held, 0);
    atomic_init(&ctx->own_book.peak, 0);
    atomic_init(&ctx->own_book.foreseen, 0);
    atomic_init(&ctx->own_book.limit, 0);
    atomic_init(&ctx->interrupted, false);
    return ctx;
}


rico_context *rico_context_sibling(const rico_context *ctx)
{
    rico_context *sibling = rico_context_create(&ctx->allocator);
    if (sibling) sibling->book = ctx->book;
    return sibling;
}


void rico_context_destroy(rico_context *ctx)
{
    if (!ctx) return;
    rico_allocator allocator = ctx->allocator;
    allocator.release(allocator.user, ctx);
}


const char *rico_message(const rico_context *ctx)
{
    return ctx->message;
}


void rico_context_lend(rico_context *ctx, const void *helper)
{
    ctx->lent = helper;
}


const void *rico_context_lent(const rico_context *ctx)
{
    return ctx->lent;
}


rico_status rico_fail(rico_context *ctx, rico_status status, const char *format, ...)
{
    // written apart first: the arguments may point into the message itself
    char text[MESSAGE_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    memcpy(ctx->message, text, sizeof text);
    return status;
}


rico_status rico_fail_in(rico_context *ctx, rico_status status, const char *prefix)
{
    return rico_fail(ctx, status, "%s: %s", prefix, ctx->message);
}


static void raise_to(atomic_llong *mark, long long value)
{
    long long seen = atomic_load(mark);
    while (seen < value && !atomic_compare_exchange_weak(mark, &seen, value)) continue;
}


// Would so many bytes more be too many?
static bool exceeds(const memory_book *book, double bytes)
{
    double limit = (double)atomic_load(&book->limit);
    return limit > 0.0 && (double)atomic_load(&book->held) + bytes > limit;
}


rico_status rico_foresee(rico_context *ctx, double bytes, const char *what)
{
    static const double gigabyte = 1e9, most = 9e18;
    memory_book *book = ctx->book;
    double held = (double)atomic_load(&book->held), limit = (double)atomic_load(&book->limit);
    raise_to(&book->foreseen, held + bytes < most ? (long long)(held + bytes) : LLONG_MAX);
    if (exceeds(book, bytes))
        return rico_fail(ctx, RICO_NO_MEMORY,
                         "%s would need %.3f GB of memory beside the %.3f GB in use, and %.3f GB are allowed",
                         what, bytes / gigabyte, held / gigabyte, limit / gigabyte);
    rico_log(ctx, RICO_LOG_DEBUG, "memory: %.3f GB for %s beside %.3f GB in use", bytes / gigabyte, what,
             held / gigabyte);
    return RICO_OK;
}


void rico_context_set_memory_limit(rico_context *ctx, double bytes)
{
    static const double most = 9e18;
    atomic_store(&ctx->book->limit, bytes < most ? (long long)bytes : 0);
}


rico_memory rico_context_memory(const rico_context *ctx)
{
    const memory_book *book = ctx->book;
    return (rico_memory){.held = (double)atomic_load(&book->held),
                         .peak = (double)atomic_load(&book->peak),
                         .foreseen = (double)atomic_load(&book->foreseen),
                         .limit = (double)atomic_load(&book->limit)};
}


void *rico_alloc(rico_context *ctx, int64_t count, size_t size)
{
    if (count < 0 || (size > 0 && (uint64_t)count > SIZE_MAX / 2 / size)) {
        rico_fail(ctx, RICO_NO_MEMORY, "out of memory: %lld items of %zu bytes were asked for",
                  (long long)count, size);
        return NULL;
    }
    size_t bytes = (size_t)count * size;
    if (exceeds(ctx->book, (double)bytes)) {
        rico_fail(ctx, RICO_NO_MEMORY,
                  "out of memory: %zu bytes were asked for beside %lld in use, and %lld are allowed", bytes,
                  atomic_load(&ctx->book->held), atomic_load(&ctx->book->limit));
        return NULL;
    }
    block_head *head = ctx->allocator.allocate(ctx->allocator.user, sizeof *head + bytes);
    if (!head) {
        rico_fail(ctx, RICO_NO_MEMORY, "out of memory: %zu bytes were asked for", bytes);
        return NULL;
    }
    head->bytes = bytes;
    raise_to(&ctx->book->peak, atomic_fetch_add(&ctx->book->held, (long long)bytes) + (long long)bytes);
    memset(head + 1, 0, bytes);
    return head + 1;
}


// Arrays begin where an allocation of their own might, with a byte or more between them.
static size_t room_for(const rico_array *array)
{
    enum { ALIGNMENT = 16 };
    return ((size_t)array->count * array->size / ALIGNMENT + 1) * ALIGNMENT;
}


// Under the address sanitizer nobody may touch what is between two arrays, as if each had been allocated by itself.
static void guard(char *end, const char *next)
{
#ifdef __SANITIZE_ADDRESS__
    ASAN_POISON_MEMORY_REGION(end, (size_t)(next - end));
#else
    (void)end;
    (void)next;
#endif
}


void *rico_alloc_together(rico_context *ctx, int count, const rico_array *arrays)
{
    size_t total = 0;
    for (int i = 0; i < count; i++) {
        const rico_array *array = &arrays[i];
        size_t most = (SIZE_MAX / 4 - total) / (array->size + 1);
        if (array->count < 0 || (uint64_t)array->count > most) {
            rico_fail(ctx, RICO_NO_MEMORY, "out of memory: %lld items of %zu bytes were asked for",
                      (long long)array->count, array->size);
            return NULL;
        }
        total += room_for(array);
    }
    char *block = rico_alloc(ctx, (int64_t)total, 1), *at = block;
    for (int i = 0; block && i < count; i++) {
        char *end = at + (size_t)arrays[i].count * arrays[i].size;
        memcpy(arrays[i].at, &at, sizeof at);
        at += room_for(&arrays[i]);
        guard(end, at);
    }
    return block;
}


void *rico_grow(rico_context *ctx, void *block, int64_t old_count, int64_t new_count, size_t size)
{
    void *moved = rico_alloc(ctx, new_count, size);
    if (!moved) return NULL;

    int64_t kept = old_count < new_count ? old_count : new_count;
    if (block && kept > 0) memcpy(moved, block, (size_t)kept * size);
    rico_free(ctx, block);
    return moved;
}


bool rico_renew(rico_context *ctx, void *at, int64_t count, size_t size)
{
    void *made = rico_alloc(ctx, count, size), *old;
    if (!made) return false;
    memcpy(&old, at, sizeof old);
    rico_free(ctx, old);
    memcpy(at, &made, sizeof made);
    return true;
}


void rico_free(rico_context *ctx, void *block)
{
    if (!block) return;
    block_head *head = (block_head *)block - 1;
    atomic_fetch_sub(&ctx->book->held, (long long)head->bytes);
    ctx->allocator.release(ctx->allocator.user, head);
}


void rico_context_set_log(rico_context *ctx, rico_log_function function, void *user, rico_log_level level)
{
    ctx->log = function;
    ctx->log_user = user;
    ctx->log_level = level;
}


bool rico_log_wanted(const rico_context *ctx, rico_log_level level)
{
    return ctx->log && level <= ctx->log_level;
}


void rico_log(rico_context *ctx, rico_log_level level, const char *format, ...)
{
    if (!rico_log_wanted(ctx, level)) return;

    char text[MESSAGE_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    ctx->log(ctx->log_user, level, text);
}


void rico_context_interrupt(rico_context *ctx)
{
    atomic_store(&ctx->interrupted, true);
}


bool rico_context_interrupted(const rico_context *ctx)
{
    return atomic_load(&ctx->interrupted);
}


void rico_context_clear_interrupt(rico_context *ctx)
{
    atomic_store(&ctx->interrupted, false);
}
