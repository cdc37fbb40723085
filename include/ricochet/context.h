// Status codes, messages, memory, logging and interruption: what every call of the library shares.
//
// A context carries all of it; there is no global state. Objects remember the context they were made with, so
// it must outlive them. One context serves one thread at a time; several contexts may run side by side. Only
// rico_context_interrupt() may be called from anywhere, signal handlers included.

#ifndef RICOCHET_CONTEXT_H
#define RICOCHET_CONTEXT_H

#include "ricochet/export.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

RICO_API_BEGIN

// What a call came to. Anything but RICO_OK leaves a sentence in rico_message(), and nothing half done.
typedef enum rico_status {
    RICO_OK = 0,
    RICO_NO_MEMORY,    // an allocation failed
    RICO_BAD_ARGUMENT, // the caller's fault: an unknown name, a value out of range, calls in the wrong order
    RICO_BAD_INPUT,    // the data's fault: a file or a problem that contradicts itself or holds NaN
    RICO_IO_ERROR,     // the system could not open, read or write
    RICO_SINGULAR,     // a matrix that had to be regular is not
    RICO_UNSUPPORTED,  // a method was asked for what it cannot do
    RICO_INTERRUPTED,  // rico_context_interrupt() was called
    RICO_INTERNAL      // a library below, or this one, broke its own contract
} rico_status;

// "out of memory", "bad argument", ...; never NULL.
const char *rico_status_name(rico_status status);

// Memory the library may use. allocate() returns NULL when it has none; release() takes NULL.
typedef struct rico_allocator {
    void *(*allocate)(void *user, size_t size);
    void (*release)(void *user, void *block);
    void *user;
} rico_allocator;

typedef struct rico_context rico_context;

// Makes a context; allocator NULL means malloc and free. Returns NULL when even that cannot be allocated.
rico_context *rico_context_create(const rico_allocator *allocator);
void rico_context_destroy(rico_context *ctx);

// The sentence left by the last call that failed, "" when none has. Valid until the next failing call.
const char *rico_message(const rico_context *ctx);

// Memory of a context and of those made from it, in bytes: held now, at most so far, the most that was foreseen before it was
// asked for, and what may be held, 0 for no limit. What libraries below ask the system for themselves is not counted.
typedef struct rico_memory {
    double held, peak, foreseen, limit;
} rico_memory;
rico_memory rico_context_memory(const rico_context *ctx);

// From now on no more than so many bytes: what would exceed them fails with RICO_NO_MEMORY before the system is asked. 0 or
// INFINITY takes the limit away.
void rico_context_set_memory_limit(rico_context *ctx, double bytes);

typedef enum rico_log_level { RICO_LOG_WARNING, RICO_LOG_INFO, RICO_LOG_DEBUG } rico_log_level;
typedef void (*rico_log_function)(void *user, rico_log_level level, const char *text);

// Sends messages up to `level` to `function`; NULL (the default) keeps the library silent.
void rico_context_set_log(rico_context *ctx, rico_log_function function, void *user, rico_log_level level);

// Asks whatever runs in this context to stop at its next check. Safe in a signal handler.
void rico_context_interrupt(rico_context *ctx);
bool rico_context_interrupted(const rico_context *ctx);
void rico_context_clear_interrupt(rico_context *ctx);

// The library's version, "0.1.0".
const char *rico_version(void);

RICO_API_END

#endif
