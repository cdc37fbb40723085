// Checks of a bipotential by samples: Definition 1, Definition 2 and Theorem 3.1 of de Saxce (2018); and the table of all checks.

#include "law/law_search.h"

#include <math.h>
#include <string.h>

static const rico_law_check CHECKS[] = {
    {"graph", "b(x, y) = <x, y> on the graph", rico_law_check_graph},
    {"bound", "b(x, y) >= <x, y> everywhere", rico_law_check_bound},
    {"convex", "b is convex in x and in y", rico_law_check_convex},
    {"strong", "the infimum of b - <x, y> over x, and over y, is 0 or infinite", rico_law_check_strong},
    {"sections", "sections of the graph are convex: there is a bipotential", rico_law_check_sections},
    {"monotone", "<x - x', y - y'> >= 0 on the graph", rico_law_check_monotone},
    {"cyclic", "the graph is cyclically monotone: there is a superpotential", rico_law_check_cyclic},
};


const rico_law_check *rico_law_check_at(int index)
{
    return index >= 0 && index < (int)(sizeof CHECKS / sizeof *CHECKS) ? &CHECKS[index] : NULL;
}


// |x| |y| and what b has beyond it.
static double terms(const rico_law_trial *trial, const double *x, const double *y, double b)
{
    return rico_law_size(trial->size, x) * rico_law_size(trial->size, y) + (isfinite(b) ? fabs(b) : 0.0);
}


rico_status rico_law_check_bound(rico_context *ctx, const rico_law_trial *trial, rico_law_verdict *out)
{
    rico_status status = rico_law_ready(ctx, trial, true);
    if (status != RICO_OK) return status;
    *out = (rico_law_verdict){.holds = true};
    for (int64_t i = 0; i < trial->count; i++)
        for (int64_t j = 0; j < trial->count; j++) {
            const double *x = rico_law_x(trial, i), *y = rico_law_y(trial, j);
            double b = trial->value(trial->user, x, y);
            if (b == INFINITY) continue;
            rico_law_note(trial, rico_law_times(trial->size, x, y) - b, terms(trial, x, y, b),
                          (int64_t[]){i, j}, 2, out);
        }
    return RICO_OK;
}


rico_status rico_law_check_graph(rico_context *ctx, const rico_law_trial *trial, rico_law_verdict *out)
{
    rico_status status = rico_law_ready(ctx, trial, true);
    if (status != RICO_OK) return status;
    *out = (rico_law_verdict){.holds = true};
    for (int64_t i = 0; i < trial->count; i++) {
        const double *x = rico_law_x(trial, i), *y = rico_law_y(trial, i);
        double b = trial->value(trial->user, x, y);
        rico_law_note(trial, fabs(b - rico_law_times(trial->size, x, y)), terms(trial, x, y, b), &i, 1, out);
    }
    return RICO_OK;
}


// One chord, in x at sample j of y or the reverse.
static void try_chord(const rico_law_trial *trial, bool in_x, rico_random *random, rico_law_verdict *out)
{
    double z[RICO_LAW_LARGEST], value[3], a = rico_random_unit(random), size = 0.0;
    int64_t at[3];
    const double *end[2], *fixed;
    for (int k = 0; k < 3; k++) at[k] = rico_random_below(random, trial->count);
    for (int k = 0; k < 2; k++) end[k] = in_x ? rico_law_x(trial, at[k]) : rico_law_y(trial, at[k]);
    fixed = in_x ? rico_law_y(trial, at[2]) : rico_law_x(trial, at[2]);
    rico_law_between(trial->size, a, end[0], end[1], z);
    for (int k = 0; k < 3; k++) {
        const double *moved = k < 2 ? end[k] : z;
        value[k] = trial->value(trial->user, in_x ? moved : fixed, in_x ? fixed : moved);
        size = fmax(size, terms(trial, in_x ? moved : fixed, in_x ? fixed : moved, value[k]));
    }
    double chord = a * value[0] + (1.0 - a) * value[1];
    if (value[0] == INFINITY || value[1] == INFINITY) return;
    rico_law_note(trial, value[2] - chord, size, at, 3, out);
}


rico_status rico_law_check_convex(rico_context *ctx, const rico_law_trial *trial, rico_law_verdict *out)
{
    rico_status status = rico_law_ready(ctx, trial, true);
    if (status != RICO_OK) return status;
    rico_random random;
    rico_random_seed(&random, trial->seed);
    *out = (rico_law_verdict){.holds = true};
    for (int64_t i = 0; i < 2 * rico_law_trials(trial); i++) try_chord(trial, i % 2, &random, out);
    return RICO_OK;
}


// ---- the strong condition ----

typedef struct excess_at {
    const rico_law_trial *trial;
    bool over_x;
    const double *fixed; // the other
} excess_at;


static double excess(const void *problem, const double *z)
{
    const excess_at *p = problem;
    const double *x = p->over_x ? z : p->fixed, *y = p->over_x ? p->fixed : z;
    double b = p->trial->value(p->trial->user, x, y);
    return b == INFINITY ? INFINITY : b - rico_law_times(p->trial->size, x, y);
}


// At samples, at what is between two of them, and at their multiples: on the graph itself the infimum is 0 by what that is.
rico_status rico_law_check_strong(rico_context *ctx, const rico_law_trial *trial, rico_law_verdict *out)
{
    rico_status status = rico_law_ready(ctx, trial, true);
    if (status != RICO_OK) return status;
    rico_random random;
    rico_random_seed(&random, trial->seed);
    *out = (rico_law_verdict){.holds = true};
    rico_law_trial loose = rico_law_searched(trial);
    int64_t trials = rico_law_trials(trial) < 200 ? rico_law_trials(trial) : 200;
    for (int64_t t = 0; t < 2 * trials; t++) {
        double fixed[RICO_LAW_LARGEST], extent = 0.0, a = rico_random_unit(&random);
        double grow = exp(rico_random_normal(&random));
        int64_t at[2] = {rico_random_below(&random, trial->count), rico_random_below(&random, trial->count)};
        bool over_x = t % 2;
        const double *from = over_x ? trial->y : trial->x, *over = over_x ? trial->x : trial->y;
        rico_law_between(trial->size, a, from + at[0] * trial->size, from + at[1] * trial->size, fixed);
        for (int i = 0; i < trial->size; i++) fixed[i] *= grow;
        for (int64_t i = 0; i < trial->count; i++)
            extent = fmax(extent, rico_law_size(trial->size, over + i * trial->size));
        double size = extent * rico_law_size(trial->size, fixed);
        excess_at problem = {trial, over_x, fixed};
        double found = rico_law_search(excess, &problem, trial->size, trial->count, over,
                                       0.5 * rico_law_tolerance(trial) * size, &random);
        if (found < INFINITY) rico_law_note(&loose, fabs(found), size, at, 2, out);
    }
    return RICO_OK;
}


// ---- sections ----

static bool same(int size, const double *p, const double *q)
{
    return memcmp(p, q, (size_t)size * sizeof *p) == 0;
}


rico_status rico_law_check_sections(rico_context *ctx, const rico_law_trial *trial, rico_law_verdict *out)
{
    rico_status status = rico_law_ready(ctx, trial, true);
    if (status != RICO_OK) return status;
    int n = trial->size;
    *out = (rico_law_verdict){.holds = true};
    for (int64_t i = 0; i < trial->count; i++)
        for (int64_t j = 0; j < i; j++)
            for (int side = 0; side < 2; side++) {
                const double *fixed = side ? trial->y : trial->x, *moved = side ? trial->x : trial->y;
                double z[RICO_LAW_LARGEST];
                if (!same(n, fixed + i * n, fixed + j * n)) continue;
                rico_law_between(n, 0.5, moved + i * n, moved + j * n, z);
                const double *x = side ? z : fixed + i * n, *y = side ? fixed + i * n : z;
                double b = trial->value(trial->user, x, y);
                rico_law_note(trial, b - rico_law_times(n, x, y), terms(trial, x, y, b), (int64_t[]){i, j}, 2,
                              out);
            }
    return RICO_OK;
}
