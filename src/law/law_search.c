// What the checks of laws share (law_search.h).

#include "law/law_search.h"

#include <math.h>
#include <string.h>

enum {
    ROUNDS = 200,
    CHANCES = 12,
    HALVINGS = 24
}; // of steps in all directions; those by chance; of ways back in


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


// A search: the best point so far, and one inside of the domain, the mean of the samples in it.
typedef struct search {
    rico_law_target target;
    const void *problem;
    int size;
    double at[RICO_LAW_LARGEST], inside[RICO_LAW_LARGEST], best, extent;
} search;


static void begin(search *s, int64_t count, const double *samples)
{
    int64_t finite = 0;
    s->best = s->target(s->problem, s->at);
    for (int64_t i = 0; i < count; i++) {
        const double *z = samples + i * s->size;
        double value = s->target(s->problem, z);
        s->extent = fmax(s->extent, rico_law_size(s->size, z));
        if (value == INFINITY) continue;
        finite++;
        for (int k = 0; k < s->size; k++) s->inside[k] += z[k];
        if (!(value < s->best)) continue;
        s->best = value;
        memcpy(s->at, z, (size_t)s->size * sizeof *s->at);
    }
    for (int k = 0; k < s->size && finite > 0; k++) s->inside[k] /= (double)finite;
}


// Takes a point, or where that is outside the last one of the domain on the way to it from the inside, if it is better than the best.
static bool take(search *s, double *next)
{
    double value = s->target(s->problem, next), low = 0.0, high = 1.0, on[RICO_LAW_LARGEST];
    for (int k = 0; value == INFINITY && k < HALVINGS; k++) {
        double middle = 0.5 * (low + high);
        rico_law_between(s->size, middle, next, s->inside, on);
        if (s->target(s->problem, on) < INFINITY)
            low = middle;
        else
            high = middle;
    }
    if (value == INFINITY) {
        rico_law_between(s->size, low, next, s->inside, on);
        memcpy(next, on, (size_t)s->size * sizeof *next);
        value = s->target(s->problem, next);
    }
    if (!(value < s->best)) return false;
    s->best = value;
    memcpy(s->at, next, (size_t)s->size * sizeof *s->at);
    return true;
}


double rico_law_search(rico_law_target target, const void *problem, int size, int64_t count,
                       const double *samples, double enough, rico_random *random)
{
    search s = {.target = target, .problem = problem, .size = size};
    begin(&s, count, samples);
    double step = s.extent > 0.0 ? 0.5 * s.extent : 1.0, least = 1e-9 * step, next[RICO_LAW_LARGEST];
    for (int round = 0; round < ROUNDS && s.best > enough && s.best < INFINITY && step > least; round++) {
        bool better = false;
        // along the axes, along the point itself, and by chance: in all components or in some, the domain may be flat
        for (int k = 0; k < 2 * size + 2 + CHANCES && s.best > enough; k++) {
            double sign = k % 2 ? -1.0 : 1.0, length = rico_law_size(size, s.at);
            bool some = k % 4 < 2;
            for (int i = 0; i < size; i++) {
                double way = rico_random_normal(random);
                if (some && rico_random_unit(random) < 0.5) way = 0.0;
                if (k < 2 * size + 2) way = length > 0.0 ? s.at[i] / length : 0.0;
                if (k < 2 * size) way = i == k / 2 ? 1.0 : 0.0;
                next[i] = s.at[i] + sign * step * way;
            }
            better |= take(&s, next);
        }
        if (!better) step *= 0.5;
    }
    return s.best;
}


rico_law_trial rico_law_searched(const rico_law_trial *trial)
{
    rico_law_trial loose = *trial;
    loose.tol = fmax(rico_law_tolerance(trial), RICO_LAW_SEARCHED);
    return loose;
}
