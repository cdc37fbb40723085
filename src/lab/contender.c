// Solvers with options, by label.

#include "lab/contender.h"

#include "lab/choose.h"

#include <stdio.h>
#include <string.h>

enum { WORD_MAX = 128 };

// Copies what stands before any of `ends` and returns where that is; NULL when it is too long for a name.
static const char *take_word(const char *text, const char *ends, char word[WORD_MAX])
{
    size_t length = strcspn(text, ends);
    if (length >= WORD_MAX) return NULL;
    memcpy(word, text, length);
    word[length] = '\0';
    return text + length;
}


static rico_status apply_option(rico_context *ctx, rico_solver *solver, const rico_solver_info *info,
                                const char *word)
{
    char name[WORD_MAX];
    const char *value = take_word(word, "=", name);
    if (value == NULL || *value != '=' || value == word)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "'%s' of the solver '%s' is not OPTION=VALUE", word,
                         info->name);
    // these two belong to the contest, and its results say what they were
    if (strcmp(name, "tol") == 0 || strcmp(name, "time-limit") == 0)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "'%s' is the same for all solvers: use '--%s'", word, name);
    rico_status status = rico_choose_option(ctx, info, name);
    if (status == RICO_OK) status = rico_solver_set(solver, name, value + 1);
    return status == RICO_OK ? RICO_OK : rico_fail_in(ctx, status, info->name);
}


static rico_status lift_iteration_limit(rico_solver *solver)
{
    int count;
    const rico_option_info *common = rico_solver_common_options(&count);
    for (int i = 0; i < count; i++) {
        if (strcmp(common[i].name, "max-iter") == 0)
            return rico_solver_set_number(solver, "max-iter", common[i].high);
    }
    return RICO_OK;
}


rico_status rico_contender_create(rico_context *ctx, const rico_contender *contender,
                                  const rico_contest *contest, rico_solver **out)
{
    rico_solver *solver = NULL;
    rico_status status = rico_solver_create(ctx, contender->info->name, &solver);
    if (status == RICO_OK) status = rico_solver_set_number(solver, "tol", contest->tol);
    if (status == RICO_OK) status = rico_solver_set_number(solver, "time-limit", contest->time_limit);
    if (status == RICO_OK) status = lift_iteration_limit(solver);
    for (int64_t i = 0; status == RICO_OK && i < contest->option_count; i++)
        status = apply_option(ctx, solver, contender->info, contest->options[i]);

    const char *at = contender->label + strcspn(contender->label, ":");
    while (status == RICO_OK && *at == ':') {
        char word[WORD_MAX];
        const char *next = take_word(at + 1, ":", word);
        status = next != NULL
                     ? apply_option(ctx, solver, contender->info, word)
                     : rico_fail(ctx, RICO_BAD_ARGUMENT, "an option in '%s' is too long", contender->label);
        at = next != NULL ? next : at;
    }
    if (status != RICO_OK) {
        rico_solver_destroy(solver);
        return status;
    }
    *out = solver;
    return RICO_OK;
}


static rico_status add(rico_context *ctx, const char *label, size_t length, const rico_contest *contest,
                       rico_contenders *list)
{
    rico_contender *grown = rico_grow(ctx, list->item, list->count, list->count + 1, sizeof *grown);
    if (grown == NULL) return RICO_NO_MEMORY;
    list->item = grown;

    rico_contender *contender = &list->item[list->count];
    contender->label = rico_alloc(ctx, (int64_t)length + 1, 1);
    if (contender->label == NULL) return RICO_NO_MEMORY;
    memcpy(contender->label, label, length);
    list->count++;

    for (int64_t i = 0; i + 1 < list->count; i++) {
        if (strcmp(list->item[i].label, contender->label) == 0)
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "the solver '%s' is named twice", contender->label);
    }
    char name[WORD_MAX];
    if (take_word(contender->label, ":", name) == NULL)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "unknown solver '%.60s...'", contender->label);
    rico_status status = rico_choose_solver(ctx, name, &contender->info);
    rico_solver *trial = NULL;
    if (status == RICO_OK) status = rico_contender_create(ctx, contender, contest, &trial);
    if (status == RICO_OK) rico_solver_destroy(trial);
    return status;
}


rico_status rico_contenders_read(rico_context *ctx, const char *list, const rico_contest *contest,
                                 rico_contenders *out)
{
    rico_status status = RICO_OK;
    *out = (rico_contenders){0};
    if (strcmp(list, "all") == 0) {
        const rico_solver_info *info;
        for (int i = 0; status == RICO_OK && (info = rico_solver_at(i)) != NULL; i++)
            status = add(ctx, info->name, strlen(info->name), contest, out);
    } else {
        for (const char *at = list; status == RICO_OK; at++) {
            size_t length = strcspn(at, ",");
            status = add(ctx, at, length, contest, out);
            at += length;
            if (*at == '\0') break;
        }
    }
    if (status != RICO_OK) rico_contenders_release(ctx, out);
    return status;
}


void rico_contenders_release(rico_context *ctx, rico_contenders *contenders)
{
    for (int64_t i = 0; i < contenders->count; i++) rico_free(ctx, contenders->item[i].label);
    rico_free(ctx, contenders->item);
    *contenders = (rico_contenders){0};
}
