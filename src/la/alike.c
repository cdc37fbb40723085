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


unsigned char *rico_alike_find(const rico_csc *pattern)
{
    unsigned char *alike = rico_alloc(pattern->ctx, pattern->cols, 1);
    if (!alike) return NULL;
    for (int64_t j = 0; j < pattern->cols;) {
        int run = 1;
        while (run < MOST && j + run < pattern->cols && same_rows(pattern, j, j + run)) run++;
        for (int k = 0; k < run; k++) alike[j + k] = 1;
        alike[j] = (unsigned char)run;
        j += run;
    }
    return alike;
}


// Where the rows before column j end, and those of the run with it.
typedef struct upper {
    const int64_t *row;
    const double *value[MOST];
    int64_t before, own;
} upper;


static upper look(const rico_csc *a, int64_t j, int run, const double *value)
{
    int64_t count = a->start[j + 1] - a->start[j];
    upper u = {.row = a->row + a->start[j]};
    for (int k = 0; k < MOST; k++) u.value[k] = value + a->start[j] + (k < run ? k * count : 0);
    int64_t low = 0, high = count;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (u.row[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    u.before = u.own = low;
    while (u.own < count && u.row[u.own] < j + run) u.own++;
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
static inline void spread(const upper *u, int run, const double *x, double *y)
{
    const double *one = u->value[0], *two = u->value[1], *three = u->value[2];
    if (run == 3)
        for (int64_t k = 0; k < u->before; k++)
            y[u->row[k]] += one[k] * x[0] + two[k] * x[1] + three[k] * x[2];
    else if (run == 2)
        for (int64_t k = 0; k < u->before; k++) y[u->row[k]] += one[k] * x[0] + two[k] * x[1];
    else
        for (int64_t k = 0; k < u->before; k++) y[u->row[k]] += one[k] * x[0];
}


void rico_alike_add(const rico_csc *pattern, const unsigned char *alike, const double *value, double alpha,
                    const double *x, double *y)
{
    for (int64_t j = 0; j < pattern->cols; j += alike[j]) {
        int run = alike[j];
        double sum[MOST], scaled[MOST] = {0.0};
        const upper u = look(pattern, j, run, value);
        times(&u, run, 0, u.own, x, sum);
        for (int k = 0; k < run; k++) {
            y[j + k] += alpha * sum[k];
            scaled[k] = alpha * x[j + k];
        }
        spread(&u, run, scaled, y);
    }
}


double rico_alike_square(const rico_csc *pattern, const unsigned char *alike, const double *value,
                         const double *x)
{
    double before = 0.0, own = 0.0;
    for (int64_t j = 0; j < pattern->cols; j += alike[j]) {
        int run = alike[j];
        double sum[MOST];
        const upper u = look(pattern, j, run, value);
        times(&u, run, 0, u.before, x, sum);
        for (int k = 0; k < run; k++) before += sum[k] * x[j + k];
        times(&u, run, u.before, u.own, x, sum);
        for (int k = 0; k < run; k++) own += sum[k] * x[j + k];
    }
    return 2.0 * before + own;
}
