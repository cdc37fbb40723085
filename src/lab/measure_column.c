// One number from a column of a result.

#include "lab/measure_column.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

// What goes over the rows once: everything that a measure may need.
typedef struct summary {
    int64_t rows, positive, reversals;
    double first, last, low, high, sum, sizes, squares, variation, t_low, t_high, t_positive;
} summary;


static double first(const summary *s)
{
    return s->first;
}


static double last(const summary *s)
{
    return s->last;
}


static double high(const summary *s)
{
    return s->high;
}


static double low(const summary *s)
{
    return s->low;
}


static double largest(const summary *s)
{
    return fmax(fabs(s->low), fabs(s->high));
}


static double sum(const summary *s)
{
    return s->sum;
}


static double mean(const summary *s)
{
    return s->sum / (double)s->rows;
}


static double mean_size(const summary *s)
{
    return s->sizes / (double)s->rows;
}


static double root_mean_square(const summary *s)
{
    return sqrt(s->squares / (double)s->rows);
}


static double variation(const summary *s)
{
    return s->variation;
}


static double rows(const summary *s)
{
    return (double)s->rows;
}


static double positive(const summary *s)
{
    return (double)s->positive;
}


static double reversals(const summary *s)
{
    return (double)s->reversals;
}


static double t_high(const summary *s)
{
    return s->t_high;
}


static double t_low(const summary *s)
{
    return s->t_low;
}


static double t_positive(const summary *s)
{
    return s->t_positive;
}


static const struct {
    const char *name;
    double (*take)(const summary *s);
} MEASURES[] = {
    {"last", last},
    {"first", first},
    {"max", high},
    {"min", low},
    {"largest", largest},
    {"sum", sum},
    {"mean", mean},
    {"mean-size", mean_size},
    {"rms", root_mean_square},
    {"variation", variation},
    {"rows", rows},
    {"positive", positive},
    {"reversals", reversals},
    {"time-of-max", t_high},
    {"time-of-min", t_low},
    {"first-positive", t_positive},
};
enum { MEASURE_COUNT = sizeof MEASURES / sizeof *MEASURES };


const char *rico_measure_name(int index)
{
    return index >= 0 && index < MEASURE_COUNT ? MEASURES[index].name : NULL;
}


int rico_measure_find(const char *name)
{
    for (int i = 0; i < MEASURE_COUNT; i++)
        if (strcmp(MEASURES[i].name, name) == 0) return i;
    return -1;
}


double rico_measure_take(int measure, int64_t count, const double *t, const double *y, double from, double to)
{
    summary s = {.low = INFINITY, .high = -INFINITY, .t_positive = NAN};
    double slope = 0.0;
    for (int64_t i = 0; i < count; i++) {
        double time = t ? t[i] : (double)i;
        if (time < from || time > to) continue;
        if (isnan(y[i])) return NAN;
        if (s.rows == 0) s.first = y[i];
        if (s.rows > 0) {
            double step = y[i] - s.last;
            s.variation += fabs(step);
            s.reversals += step * slope < 0.0;
            if (step != 0.0) slope = step;
        }
        if (y[i] > s.high) {
            s.high = y[i];
            s.t_high = time;
        }
        if (y[i] < s.low) {
            s.low = y[i];
            s.t_low = time;
        }
        if (y[i] > 0.0 && s.positive++ == 0) s.t_positive = time;
        s.last = y[i];
        s.sum += y[i];
        s.sizes += fabs(y[i]);
        s.squares += y[i] * y[i];
        s.rows++;
    }
    return s.rows > 0 ? MEASURES[measure].take(&s) : NAN;
}
