// Performance profiles of a benchmark.

#include "base/paths.h"
#include "draw/profile.h"
#include "lab/bench_report.h"
#include "store/target.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

// What a profile compares.
typedef enum criterion { BY_TIME, BY_ITERATIONS, BY_FLOPS, CRITERIA } criterion;
static const char *const NAMES[CRITERIA] = {"time", "iterations", "flops"};


static double cost_of(const rico_bench_table *table, const rico_bench_cell *cell, criterion by)
{
    if (cell->outcome != RICO_OUTCOME_SOLVED) return INFINITY;
    if (by == BY_TIME) return rico_bench_seconds(table, cell);
    if (by == BY_FLOPS) return isnan(cell->flops) ? INFINITY : fmax(cell->flops, 1.0);
    // none at all is as good as one: ratios to zero would say nothing
    return fmax((double)cell->iterations, 1.0);
}


static bool complete(const rico_bench_table *table, int64_t problem)
{
    for (int64_t s = 0; s < table->solvers; s++) {
        if (rico_bench_at(table, problem, s)->outcome == RICO_OUTCOME_NONE) return false;
    }
    return true;
}


// The problems of a set (NULL: of all) on which every solver was run, as rows of costs; returns how many.
static int64_t gather_costs(const rico_bench_table *table, const char *set, criterion by, double *cost)
{
    int64_t rows = 0;
    for (int64_t p = 0; p < table->problems->count; p++) {
        if (set != NULL && strcmp(set, table->problems->item[p].set) != 0) continue;
        if (!complete(table, p)) continue;
        for (int64_t s = 0; s < table->solvers; s++)
            cost[rows * table->solvers + s] = cost_of(table, rico_bench_at(table, p, s), by);
        rows++;
    }
    return rows;
}


static rico_status write_figure(rico_context *ctx, const rico_profile *profile, const rico_profile_text *text,
                                const char *path)
{
    rico_target target;
    rico_status status = rico_target_open(ctx, path, RICO_TARGET_PICTURE, &target);
    if (status == RICO_OK) status = rico_profile_draw(ctx, profile, text, target.out);
    return rico_target_close(&target, status);
}


static rico_status draw(rico_context *ctx, const rico_bench_table *table, const char *set, criterion by,
                        const char *dir, const char *name)
{
    double *cost = rico_alloc(ctx, table->problems->count * table->solvers, sizeof *cost);
    if (cost == NULL) return RICO_NO_MEMORY;
    int64_t rows = gather_costs(table, set, by, cost);
    rico_profile profile = {0};
    char *path = NULL;
    rico_status status = RICO_OK;
    if (rows > 0) {
        char title[160], subtitle[160];
        snprintf(title, sizeof title, "Performance profile by %s%s%.80s", NAMES[by], set != NULL ? ": " : "",
                 set != NULL ? set : "");
        snprintf(subtitle, sizeof subtitle, "%" PRId64 " problem%s, residual at most %g within %g s%s%.60s",
                 rows, rows == 1 ? "" : "s", table->tol, table->time_limit,
                 table->options[0] != '\0' ? ", " : "", table->options);
        rico_profile_text text = {
            .title = title, .subtitle = subtitle, .axis = NAMES[by], .labels = table->labels};
        status = rico_profile_create(ctx, rows, table->solvers, cost, &profile);
        if (status == RICO_OK) status = rico_path_join(ctx, dir, name, &path);
        if (status == RICO_OK) status = write_figure(ctx, &profile, &text, path);
    }
    rico_profile_release(ctx, &profile);
    rico_free(ctx, path);
    rico_free(ctx, cost);
    return status;
}


rico_status rico_bench_draw(rico_context *ctx, const rico_bench_table *table, bool per_set, const char *dir)
{
    rico_status status = draw(ctx, table, NULL, BY_TIME, dir, "profile-time.svg");
    if (status == RICO_OK) status = draw(ctx, table, NULL, BY_ITERATIONS, dir, "profile-iterations.svg");
    if (status == RICO_OK && table->flops)
        status = draw(ctx, table, NULL, BY_FLOPS, dir, "profile-flops.svg");
    if (status != RICO_OK || !per_set) return status;

    int64_t count;
    const char **sets;
    status = rico_bench_sets(ctx, table, &count, &sets);
    if (status != RICO_OK) return status;
    for (int64_t i = 0; status == RICO_OK && i < count; i++) {
        char name[300];
        snprintf(name, sizeof name, "profile-time-%.255s.svg", strcmp(sets[i], ".") == 0 ? "here" : sets[i]);
        status = draw(ctx, table, sets[i], BY_TIME, dir, name);
    }
    rico_free(ctx, sets);
    return status;
}
