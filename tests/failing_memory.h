// Every allocation of a context made to fail in turn, while something is done with it.

#ifndef RICO_TESTS_FAILING_MEMORY_H
#define RICO_TESTS_FAILING_MEMORY_H

#include "support.h"

typedef struct failing_memory {
    int64_t until_failure; // allocations left before one fails; negative: never
    int64_t live;          // blocks not given back
} failing_memory;


static inline void *failing_allocate(void *user, size_t size)
{
    failing_memory *memory = user;
    if (memory->until_failure >= 0 && memory->until_failure-- == 0) return NULL;
    memory->live++;
    return malloc(size);
}


static inline void failing_release(void *user, void *block)
{
    if (block) ((failing_memory *)user)->live--;
    free(block);
}


// Does `act` again and again, each time with more allocations before one fails, until none does: one more, and where there are thousands
// the `share`-th part of those before beside it (0: none). Each failure must be told as RICO_NO_MEMORY, or as what `act` itself makes of
// that, and leave nothing behind. Returns how many there were, or about that.
static inline int64_t allocations_fail(rico_status (*act)(rico_context *ctx, void *user), void *user,
                                       int64_t share)
{
    int64_t failures = 0;
    for (bool survived = false; !survived;
         failures += survived ? 0 : 1 + (share > 0 ? failures / share : 0)) {
        failing_memory memory = {.until_failure = -1};
        rico_context *ctx =
            rico_context_create(&(rico_allocator){failing_allocate, failing_release, &memory});
        assert_non_null(ctx);
        int64_t before = memory.live;
        memory.until_failure = failures;
        rico_status status = act(ctx, user);
        survived = memory.until_failure >= 0;
        memory.until_failure = -1;
        if (survived)
            assert_ok(ctx, status);
        else if (status != RICO_NO_MEMORY)
            fail_msg("allocation %lld: %s: %s", (long long)failures, rico_status_name(status),
                     rico_message(ctx));
        assert_int_equal(memory.live, before);
        rico_context_destroy(ctx);
    }
    return failures;
}


// The same with each of them.
static inline int64_t every_allocation_fails(rico_status (*act)(rico_context *ctx, void *user), void *user)
{
    return allocations_fail(act, user, 0);
}

#endif
