// The context: one message, one allocator, one log function, one interrupt flag.

#include "base/context.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_SIZE = 1024 };

struct rico_context {
    rico_allocator allocator;
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
    atomic_init(&ctx->interrupted, false);
    return ctx;
}


rico_context *rico_context_sibling(const rico_context *ctx)
{
    return rico_context_create(&ctx->allocator);
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


void *rico_alloc(rico_context *ctx, int64_t count, size_t size)
{
    if (count < 0 || (size > 0 && (uint64_t)count > SIZE_MAX / 2 / size)) {
        rico_fail(ctx, RICO_NO_MEMORY, "out of memory: %lld items of %zu bytes were asked for",
                  (long long)count, size);
        return NULL;
    }
    size_t bytes = (size_t)count * size;
    if (bytes == 0) bytes = 1;

    void *block = ctx->allocator.allocate(ctx->allocator.user, bytes);
    if (!block) {
        rico_fail(ctx, RICO_NO_MEMORY, "out of memory: %zu bytes were asked for", bytes);
        return NULL;
    }
    memset(block, 0, bytes);
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
    if (block) ctx->allocator.release(ctx->allocator.user, block);
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
