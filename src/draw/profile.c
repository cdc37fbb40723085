// rho_s(tau) from a table of costs.

#include "draw/profile.h"

#include <math.h>
#include <stdlib.h>

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}


static double least(const double *cost, int64_t count)
{
    double best = INFINITY;
    for (int64_t i = 0; i < count; i++) best = fmin(best, cost[i]);
    return best;
}


// r_ps; equal costs have the ratio 1 also when they are 0.
static double ratio_to(double cost, double best)
{
    if (isinf(cost)) return INFINITY;
    return cost == best ? 1.0 : cost / best;
}


rico_status rico_profile_create(rico_context *ctx, int64_t problems, int64_t solvers, const double *cost,
                                rico_profile *out)
{
    *out = (rico_profile){.problems = problems, .solvers = solvers};
    for (int64_t i = 0; i < problems * solvers; i++) {
        if (!(cost[i] >= 0.0))
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "the cost %g of problem %lld is not a cost", cost[i],
                             (long long)(i / solvers));
    }
    out->ratio = rico_alloc(ctx, problems * solvers, sizeof *out->ratio);
    if (out->ratio == NULL) return RICO_NO_MEMORY;

    for (int64_t p = 0; p < problems; p++) {
        double best = least(cost + p * solvers, solvers);
        for (int64_t s = 0; s < solvers; s++)
            out->ratio[s * problems + p] = ratio_to(cost[p * solvers + s], best);
    }
    for (int64_t s = 0; s < solvers && problems > 0; s++)
        qsort(out->ratio + s * problems, (size_t)problems, sizeof *out->ratio, compare_numbers);
    return RICO_OK;
}


void rico_profile_release(rico_context *ctx, rico_profile *profile)
{
    rico_free(ctx, profile->ratio);
    *profile = (rico_profile){0};
}


double rico_profile_value(const rico_profile *profile, int64_t solver, double tau)
{
    const double *ratio = profile->ratio + solver * profile->problems;
    int64_t within = 0;
    while (within < profile->problems && ratio[within] <= tau && ratio[within] < INFINITY) within++;
    return profile->problems > 0 ? (double)within / (double)profile->problems : 0.0;
}


int64_t rico_profile_solved(const rico_profile *profile, int64_t solver)
{
    const double *ratio = profile->ratio + solver * profile->problems;
    int64_t solved = 0;
    while (solved < profile->problems && ratio[solved] < INFINITY) solved++;
    return solved;
}
