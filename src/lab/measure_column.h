// One number from a column of a result: its largest, last, sum, ...; what sweeps and experiments compare.

#ifndef RICO_LAB_MEASURE_COLUMN_H
#define RICO_LAB_MEASURE_COLUMN_H

#include <stdint.h>

// The names of the measures; NULL past the last. Index of a name, -1 when there is none.
const char *rico_measure_name(int index);
int rico_measure_find(const char *name);

// Takes the measure over the rows whose time lies in [from, to]; t may be NULL where rows have none. NaN when no row is
// left. Rows that are not numbers count as they stand: NaN spreads.
double rico_measure_take(int measure, int64_t count, const double *t, const double *y, double from,
                         double to);

#endif
