// One context for all tests of a program: cmocka_run_group_tests(tests, context_start, context_end).

#ifndef RICO_TESTS_ONE_CONTEXT_H
#define RICO_TESTS_ONE_CONTEXT_H

#include "support.h"

static rico_context *ctx;


static inline int context_start(void **state)
{
    (void)state;
    ctx = rico_context_create(NULL);
    return ctx == NULL;
}


static inline int context_end(void **state)
{
    (void)state;
    rico_context_destroy(ctx);
    return 0;
}

#endif
