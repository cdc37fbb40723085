// What the checks of laws share (law_search.h).

#include "law/law_search.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 400, CHANCES = 24 }; // of steps in all directions; those by chance


rico_status rico_law_ready(rico_context *ctx, const rico_law_trial *trial, bool value)
{
    if (trial->size < 1 || trial->size > RICO_LAW_LARGEST)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "samples of a law have %d components; 1 to %d are expected",
                         trial->size, RICO_LAW_LARGEST);
    if (trial->count < 1) return rico_fail(ctx, RICO_BAD_ARGUMENT, "a law cannot be checked without samples");
    if (value && !trial->value)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "this check is of a function b(x, y), and none is given; 'monotone' and 'cyclic' "
                         "are of samples alone");
    if (!(trial->tol >= 0.0) || trial->trials < 0)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "tol %g and trials %lld must not be negative", trial->tol,
                         (long long)trial->trials);
    for (int64_t i = 0; i < trial->count * trial->size; i++)
        if (!isfinite(trial->x[i]) || !isfinite(trial->y[i]))
            return rico_fail(ctx, RICO_BAD_INPUT, "sample %lld of a law is not finite",
                             (long long)(i / trial->size));
    return RICO_OK;
}


double rico_law_tolerance(const rico_law_trial *trial)
{
    return trial->tol > 0.0 ? trial->tol : 1e-10;
}


int64_t rico_law_trials(const rico_law_trial *trial)
{
    return trial->trials > 0 ? trial->trials : 1000;
}


double rico_law_size(int size, const double *z)
{
    double length = 0.0;
    for (int i = 0; i < size; i++) length = hypot(length, z[i]);
    return length;
}


double rico_law_times(int size, const double *x, const double *y)
{
    double sum = 0.0;
    for (int i = 0; i < size; i++) sum += x[i] * y[i];
    return sum;
}


void rico_law_between(int size, double a, const double *p, const double *q, double *z)
{
    for (int i = 0; i < size; i++) z[i] = a * p[i] + (1.0 - a) * q[i];
}


void rico_law_note(const rico_law_trial *trial, double excess, double size, const int64_t *sample,
                   int64_t count, rico_law_verdict *verdict)
{
    double part = size > 0.0 ? excess / size : excess;
    if (isnan(part)) part = INFINITY; // a function that is not a number anywhere is no bipotential
    if (verdict->tried++ > 0 && !(part > verdict->excess)) return;
    verdict->excess = part;
    verdict->holds = part <= rico_law_tolerance(trial);
    verdict->count = verdict->holds ? 0 : count;
    for (int64_t i = 0; i < count && i < RICO_LAW_WITNESS; i++) verdict->sample[i] = sample[i];
}


double rico_law_search(rico_law_target target, const void *problem, int size, int64_t count,
                       const double *samples, double enough, rico_random *random)
{
    double at[RICO_LAW_LARGEST] = {0.0}, next[RICO_LAW_LARGEST], best = target(problem, at), extent = 0.0;
    for (int64_t i = 0; i < count; i++) {
        double value = target(problem, samples + i * size);
        extent = fmax(extent, rico_law_size(size, samples + i * size));
        if (!(value < best)) continue;
        best = value;
        memcpy(at, samples + i * size, (size_t)size * sizeof *at);
    }
    double step = extent > 0.0 ? 0.5 * extent : 1.0, least = 1e-12 * step;
    for (int round = 0; round < ROUNDS && best > enough && best < INFINITY && step > least; round++) {
        bool better = false;
        // along the axes, along the point itself, and by chance: in all components or in some, the domain may be flat
        for (int k = 0; k < 2 * size + 2 + CHANCES && best > enough; k++) {
            double sign = k % 2 ? -1.0 : 1.0, length = rico_law_size(size, at);
            bool some = k % 4 < 2;
            for (int i = 0; i < size; i++) {
                double way = k < 2 * size                             ? (i == k / 2 ? 1.0 : 0.0)
                             : k < 2 * size + 2                       ? (length > 0.0 ? at[i] / length : 0.0)
                             : some && rico_random_unit(random) < 0.5 ? 0.0
                                                                      : rico_random_normal(random);
                next[i] = at[i] + sign * step * way;
            }
            double value = target(problem, next);
            if (!(value < best)) continue;
            best = value;
            better = true;
            memcpy(at, next, sizeof at);
        }
        if (!better) step *= 0.5;
    }
    return best;
}


rico_law_trial rico_law_searched(const rico_law_trial *trial)
{
    rico_law_trial loose = *trial;
    loose.tol = fmax(rico_law_tolerance(trial), RICO_LAW_SEARCHED);
    return loose;
}
