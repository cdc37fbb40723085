// The table of solvers, family by family. Adding one: its file, a declaration and a row here.

#include "solve/registry.h"

#include <string.h>

extern const rico_method rico_auto_methods[];
extern const int rico_auto_count;
extern const rico_method rico_ipm_methods[];
extern const int rico_ipm_count;
extern const rico_method rico_admm_methods[];
extern const int rico_admm_count;
extern const rico_method rico_nsgs_methods[];
extern const int rico_nsgs_count;
extern const rico_method rico_dense_methods[];
extern const int rico_dense_count;
extern const rico_method rico_anderson_methods[];
extern const int rico_anderson_count;
extern const rico_method rico_pcg_methods[];
extern const int rico_pcg_count;
extern const rico_method rico_projection_methods[];
extern const int rico_projection_count;
extern const rico_method rico_newton_methods[];
extern const int rico_newton_count;
extern const rico_method rico_newton_normal_methods[];
extern const int rico_newton_normal_count;
extern const rico_method rico_smoothing_methods[];
extern const int rico_smoothing_count;
extern const rico_method rico_bipotential_methods[];
extern const int rico_bipotential_count;
extern const rico_method rico_proximal_methods[];
extern const int rico_proximal_count;
extern const rico_method rico_alternating_methods[];
extern const int rico_alternating_count;
extern const rico_method rico_pivoting_methods[];
extern const int rico_pivoting_count;
extern const rico_method rico_newton_min_methods[];
extern const int rico_newton_min_count;
extern const rico_method rico_pgs_methods[];
extern const int rico_pgs_count;

static const rico_family families[] = {
    {rico_auto_methods, &rico_auto_count},
    {rico_nsgs_methods, &rico_nsgs_count},
    {rico_dense_methods, &rico_dense_count},
    {rico_anderson_methods, &rico_anderson_count},
    {rico_pcg_methods, &rico_pcg_count},
    {rico_projection_methods, &rico_projection_count},
    {rico_newton_methods, &rico_newton_count},
    {rico_newton_normal_methods, &rico_newton_normal_count},
    {rico_smoothing_methods, &rico_smoothing_count},
    {rico_bipotential_methods, &rico_bipotential_count},
    {rico_proximal_methods, &rico_proximal_count},
    {rico_alternating_methods, &rico_alternating_count},
    {rico_pivoting_methods, &rico_pivoting_count},
    {rico_newton_min_methods, &rico_newton_min_count},
    {rico_pgs_methods, &rico_pgs_count},
    {rico_ipm_methods, &rico_ipm_count},
    {rico_admm_methods, &rico_admm_count},
};

static const rico_option_info common[RICO_COMMON_OPTIONS] = {
    [RICO_OPT_TOL] = {"tol", "relative residual to reach", RICO_REAL, 0.0, 1.0, 1e-8, NULL},
    [RICO_OPT_MAX_ITER] = {"max-iter", "iterations allowed", RICO_INTEGER, 0.0, 1e15, 100000.0, NULL},
    [RICO_OPT_TIME_LIMIT] = {"time-limit", "seconds allowed, 0 for no limit", RICO_REAL, 0.0, 1e9, 0.0, NULL},
    [RICO_OPT_HISTORY] = {"history", "keep the residual of every check", RICO_FLAG, 0.0, 1.0, 0.0, NULL},
};


static const rico_method *method_at(int index)
{
    for (size_t i = 0; index >= 0 && i < sizeof families / sizeof families[0]; i++) {
        if (index < *families[i].count) return &families[i].methods[index];
        index -= *families[i].count;
    }
    return NULL;
}


const rico_method *rico_method_find(const char *name)
{
    const rico_method *method;
    for (int i = 0; (method = method_at(i)); i++)
        if (strcmp(method->info.name, name) == 0) return method;
    return NULL;
}


const rico_solver_info *rico_solver_at(int index)
{
    const rico_method *method = method_at(index);
    return method ? &method->info : NULL;
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
