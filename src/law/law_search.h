// What the checks of laws share: samples, verdicts, and a search for the least value of a function that may be infinite.

#ifndef RICO_LAW_LAW_SEARCH_H
#define RICO_LAW_LAW_SEARCH_H

#include "base/context.h"
#include "base/random.h"
#include "ricochet/law.h"

enum { RICO_LAW_LARGEST = 16 }; // components of x and of y

// Refuses what no check can work on; `value`: b is needed.
rico_status rico_law_ready(rico_context *ctx, const rico_law_trial *trial, bool value);

double rico_law_tolerance(const rico_law_trial *trial);
int64_t rico_law_trials(const rico_law_trial *trial);

static inline const double *rico_law_x(const rico_law_trial *trial, int64_t i)
{
    return trial->x + i * trial->size;
}


static inline const double *rico_law_y(const rico_law_trial *trial, int64_t i)
{
    return trial->y + i * trial->size;
}


double rico_law_size(int size, const double *z); // Euclidean length
double rico_law_times(int size, const double *x, const double *y);

// z = a p + (1 - a) q.
void rico_law_between(int size, double a, const double *p, const double *q, double *z);

// Notes one case: what must not be positive, over the sizes of its terms. The worst stays, with the samples that made it.
void rico_law_note(const rico_law_trial *trial, double excess, double size, const int64_t *sample,
                   int64_t count, rico_law_verdict *verdict);

// The least value found: from the best of the samples and of 0 by steps along the axes, along the point itself and by chance, which get
// shorter where none is better; what falls outside of the domain comes back to its rim. Over at `enough`. Where a rim is curved or flat it may come to
// rest before the end: what it finds counts as the least within RICO_LAW_SEARCHED of the sizes, rico_law_searched() of a trial.
#define RICO_LAW_SEARCHED 1e-3
typedef double (*rico_law_target)(const void *problem, const double *z);
double rico_law_search(rico_law_target target, const void *problem, int size, int64_t count,
                       const double *samples, double enough, rico_random *random);

rico_law_trial rico_law_searched(const rico_law_trial *trial);

#endif
