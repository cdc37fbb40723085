// All memory of a test program, the context's and SuiteSparse's, counted in one place and failing on demand.

#ifndef RICO_TESTS_COUNTING_MEMORY_H
#define RICO_TESTS_COUNTING_MEMORY_H

#include "suitesparse_memory.h"
#include "support.h"

static struct {
    int64_t until_failure; // allocations left before one fails; negative: never
    int64_t live;          // blocks not given back
    int64_t total;         // allocations asked for
} memory;


static inline bool next_fails(void)
{
    memory.total++;
    return memory.until_failure >= 0 && memory.until_failure-- == 0;
}


static inline void *counting_malloc(size_t size)
{
    if (next_fails()) return NULL;
    memory.live++;
    return malloc(size);
}


static inline void *counting_calloc(size_t count, size_t size)
{
    if (next_fails()) return NULL;
    memory.live++;
    return calloc(count, size);
}


static inline void *counting_realloc(void *block, size_t size)
{
    if (next_fails()) return NULL;
    if (!block) memory.live++;
    return realloc(block, size);
}


static inline void counting_free(void *block)
{
    if (block) memory.live--;
    free(block);
}


static inline void *context_allocate(void *user, size_t size)
{
    (void)user;
    return counting_malloc(size);
}


static inline void context_release(void *user, void *block)
{
    (void)user;
    counting_free(block);
}


// For the contexts of the program.
static const rico_allocator allocator = {context_allocate, context_release, NULL};


// Before the tests run: points SuiteSparse's own hooks at the same counter.
static inline void count_suitesparse_memory(void)
{
    suitesparse_memory(counting_malloc, counting_calloc, counting_realloc, counting_free);
}

#endif
