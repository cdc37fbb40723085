// Finding solvers and their options by name, with a suggestion when the name is wrong.

#include "lab/choose.h"

#include "base/suggest.h"

#include <stdio.h>
#include <string.h>

const char *rico_default_solver(void)
{
    return rico_solver_find("auto") != NULL ? "auto" : "nsgs";
}


rico_status rico_choose_solver(rico_context *ctx, const char *name, const rico_solver_info **out)
{
    *out = rico_solver_find(name);
    if (*out != NULL) return RICO_OK;

    rico_suggestion near;
    rico_suggest_start(&near, name);
    const rico_solver_info *info;
    for (int i = 0; (info = rico_solver_at(i)) != NULL; i++) rico_suggest_offer(&near, info->name);
    char hint[RICO_SUGGEST_SENTENCE];
    rico_suggest_sentence(&near, "", hint);
    return rico_fail(ctx, RICO_BAD_ARGUMENT, "unknown solver '%s'%s", name,
                     hint[0] != '\0' ? hint : "; 'rico solvers' lists them");
}


rico_status rico_choose_option(rico_context *ctx, const rico_solver_info *info, const char *name)
{
    rico_suggestion near;
    rico_suggest_start(&near, name);

    int common_count;
    const rico_option_info *common = rico_solver_common_options(&common_count);
    for (int i = 0; i < common_count; i++) {
        if (strcmp(common[i].name, name) == 0) return RICO_OK;
        rico_suggest_offer(&near, common[i].name);
    }
    for (int i = 0; i < info->option_count; i++) {
        if (strcmp(info->options[i].name, name) == 0) return RICO_OK;
        rico_suggest_offer(&near, info->options[i].name);
    }
    char hint[RICO_SUGGEST_SENTENCE], where[RICO_SUGGEST_SENTENCE];
    rico_suggest_sentence(&near, "", hint);
    snprintf(where, sizeof where, "; 'rico solvers %s' lists its options", info->name);
    return rico_fail(ctx, RICO_BAD_ARGUMENT, "solver '%s' has no option '%s'%s", info->name, name,
                     hint[0] != '\0' ? hint : where);
}
