// Products with matrices whose columns come in runs on the same rows: see alike.h.

#include "la/alike.h"

#include "base/context.h"

#include <string.h>

enum { MOST = 3 };


static bool same_rows(const rico_csc *a, int64_t i, int64_t j)
{
    int64_t count = a->start[i + 1] - a->start[i];
    return a->start[j + 1] - a->start[j] == count &&
           memcmp(a->row + a->start[i], a->row + a->start[j], (size_t)count * sizeof *a->row) == 0;
}


rico_alike *rico_alike_find(const rico_csc *pattern)
{
    rico_alike *alike = rico_alloc(pattern->ctx, pattern->cols, sizeof *alike);
    if (!alike) return NULL;
    for (int64_t j = 0; j < pattern->cols;) {
        const int64_t *row = pattern->row + pattern->start[j];
        int64_t count = pattern->start[j + 1] - pattern->start[j];
        int32_t run = 1, own = 0;
        int64_t before = 0;
        while (run < MOST && j + run < pattern->cols && same_rows(pattern, j, j + run)) run++;
        while (before < count && row[before] < j) before++;
        while (before + own < count && row[before + own] < j + run) own++;
        alike[j] = (rico_alike){run, own, before};
        j += run;
    }
    return alike;
}


// The columns of a run as the sums below read them.
typedef struct upper {
    const int64_t *row;
    const double *value[MOST];
} upper;


static inline upper look(const rico_csc *a, int64_t j, int32_t run, const double *value)
{
    int64_t count = a->start[j + 1] - a->start[j];
    upper u = {.row = a->row + a->start[j]};
    for (int k = 0; k < MOST; k++) u.value[k] = value + a->start[j] + (k < run ? k * count : 0);
    return u;
}


// The products of the columns with rows first to last - 1 of x.
static inline void times(const upper *u, int run, int64_t first, int64_t last, const double *x,
                         double sum[MOST])
{
    const double *one = u->value[0], *two = u->value[1], *three = u->value[2];
    double s = 0.0, t = 0.0, r = 0.0;
    if (run == 3)
        for (int64_t k = first; k < last; k++) {
            double own = x[u->row[k]];
            s += one[k] * own;
            t += two[k] * own;
            r += three[k] * own;
        }
    else if (run == 2)
        for (int64_t k = first; k < last; k++) {
            double own = x[u->row[k]];
            s += one[k] * own;
            t += two[k] * own;
        }
    else
        for (int64_t k = first; k < last; k++) s += one[k] * x[u->row[k]];
    sum[0] = s;
    sum[1] = t;
    sum[2] = r;
}


// What the rows before the columns get from them: the entries below the diagonal.
static inline void spread(const upper *u, int run, int64_t before, const double *x, double *y)
{
    const double *one = u->value[0], *two = u->value[1], *three = u->value[2];
    if (run == 3)
        for (int64_t k = 0; k < before; k++) y[u->row[k]] += one[k] * x[0] + two[k] * x[1] + three[k] * x[2];
    else if (run == 2)
        for (int64_t k = 0; k < before; k++) y[u->row[k]] += one[k] * x[0] + two[k] * x[1];
    else
        for (int64_t k = 0; k < before; k++) y[u->row[k]] += one[k] * x[0];
}


void rico_alike_add(const rico_csc *pattern, const rico_alike *alike, const double *value, double alpha,
                    const double *x, double *y)
{
    for (int64_t j = 0; j < pattern->cols; j += alike[j].run) {
        int32_t run = alike[j].run;
        double sum[MOST], scaled[MOST] = {0.0};
        const upper u = look(pattern, j, run, value);
        times(&u, run, 0, alike[j].before + alike[j].own, x, sum);
        for (int k = 0; k < run; k++) {
            y[j + k] += alpha * sum[k];
            scaled[k] = alpha * x[j + k];
        }
        spread(&u, run, alike[j].before, scaled, y);
    }
}


double rico_alike_square(const rico_csc *pattern, const rico_alike *alike, const double *value,
                         const double *x)
{
    double before = 0.0, own = 0.0;
    for (int64_t j = 0; j < pattern->cols; j += alike[j].run) {
        int32_t run = alike[j].run;
        int64_t split = alike[j].before;
        double sum[MOST];
        const upper u = look(pattern, j, run, value);
        times(&u, run, 0, split, x, sum);
        for (int k = 0; k < run; k++) before += sum[k] * x[j + k];
        times(&u, run, split, split + alike[j].own, x, sum);
        for (int k = 0; k < run; k++) own += sum[k] * x[j + k];
    }
    return 2.0 * before + own;
}
