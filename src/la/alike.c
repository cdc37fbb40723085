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


// The products of the columns of the run that begins with column j.
static void run_times(const rico_csc *a, int64_t j, int run, const double *value, const double *x,
                      double sum[MOST])
{
    const int64_t *row = a->row + a->start[j];
    int64_t count = a->start[j + 1] - a->start[j];
    const double *one = value + a->start[j], *two = one + count, *three = two + count;
    double s = 0.0, t = 0.0, u = 0.0;
    if (run == 3)
        for (int64_t k = 0; k < count; k++) {
            double own = x[row[k]];
            s += one[k] * own;
            t += two[k] * own;
            u += three[k] * own;
        }
    else if (run == 2)
        for (int64_t k = 0; k < count; k++) {
            double own = x[row[k]];
            s += one[k] * own;
            t += two[k] * own;
        }
    else
        for (int64_t k = 0; k < count; k++) s += one[k] * x[row[k]];
    sum[0] = s;
    sum[1] = t;
    sum[2] = u;
}


void rico_alike_add(const rico_csc *pattern, const unsigned char *alike, const double *value, double alpha,
                    const double *x, double *y)
{
    for (int64_t j = 0; j < pattern->cols; j += alike[j]) {
        double sum[MOST];
        run_times(pattern, j, alike[j], value, x, sum);
        for (int k = 0; k < alike[j]; k++) y[j + k] += alpha * sum[k];
    }
}


double rico_alike_square(const rico_csc *pattern, const unsigned char *alike, const double *value,
                         const double *x)
{
    double square = 0.0;
    for (int64_t j = 0; j < pattern->cols; j += alike[j]) {
        double sum[MOST];
        run_times(pattern, j, alike[j], value, x, sum);
        for (int k = 0; k < alike[j]; k++) square += sum[k] * x[j + k];
    }
    return square;
}
