// SuiteSparse's memory from functions of a test, in versions before and since it hides its settings.

#ifndef RICO_TESTS_SUITESPARSE_MEMORY_H
#define RICO_TESTS_SUITESPARSE_MEMORY_H

#include <SuiteSparse_config.h>

static inline void suitesparse_memory(void *(*allocate)(size_t), void *(*allocate_zero)(size_t, size_t),
                                      void *(*move)(void *, size_t), void (*release)(void *))
{
#if SUITESPARSE_MAIN_VERSION >= 6
    SuiteSparse_config_malloc_func_set(allocate);
    SuiteSparse_config_calloc_func_set(allocate_zero);
    SuiteSparse_config_realloc_func_set(move);
    SuiteSparse_config_free_func_set(release);
#else
    SuiteSparse_config.malloc_func = allocate;
    SuiteSparse_config.calloc_func = allocate_zero;
    SuiteSparse_config.realloc_func = move;
    SuiteSparse_config.free_func = release;
#endif
}

#endif
