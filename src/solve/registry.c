// The table of solvers. Adding one: its file, a declaration and a row here.

#include "solve/registry.h"

#include <string.h>

extern const rico_method rico_method_nsgs;

static const rico_method *const methods[] = {
    &rico_method_nsgs,
};

enum { METHOD_COUNT = sizeof methods / sizeof methods[0] };

static const rico_option_info common[RICO_COMMON_OPTIONS] = {
    [RICO_OPT_TOL] = {"tol", "relative residual to reach", RICO_REAL, 0.0, 1.0, 1e-8, NULL},
    [RICO_OPT_MAX_ITER] = {"max-iter", "iterations allowed", RICO_INTEGER, 0.0, 1e15, 100000.0, NULL},
    [RICO_OPT_TIME_LIMIT] = {"time-limit", "seconds allowed, 0 for no limit", RICO_REAL, 0.0, 1e9, 0.0, NULL},
    [RICO_OPT_HISTORY] = {"history", "keep the residual of every check", RICO_FLAG, 0.0, 1.0, 0.0, NULL},
};


const rico_method *rico_method_find(const char *name)
{
    for (int i = 0; i < METHOD_COUNT; i++)
        if (strcmp(methods[i]->info.name, name) == 0) return methods[i];
    return NULL;
}


const rico_solver_info *rico_solver_at(int index)
{
    return index >= 0 && index < METHOD_COUNT ? &methods[index]->info : NULL;
}


const rico_solver_info *rico_solver_find(const char *name)
{
    const rico_method *method = rico_method_find(name);
    return method ? &method->info : NULL;
}


const rico_option_info *rico_solver_common_options(int *count)
{
    if (count) *count = RICO_COMMON_OPTIONS;
    return common;
}
