// Sums that do not depend on the order of their terms: exact, in integers.
//
// A double is an integer times a power of two. Written into limbs of 32 bits, each kept in 64, terms add without rounding
// and without carrying (2^31 of them fit), so that any order, any grouping and any number of ranks give the same limbs.
// One rounding, to the nearest, ends it. Ranks add limbs by MPI_SUM over integers.

#ifndef RICO_MPI_EXACT_H
#define RICO_MPI_EXACT_H

#include <stdint.h>

// 2^-1074, the smallest double, is bit 0; the largest has bit 2097.
enum { RICO_EXACT_LIMBS = 68 };

typedef struct rico_exact {
    int64_t limb[RICO_EXACT_LIMBS];
} rico_exact;

// x must be finite.
void rico_exact_add(rico_exact *sum, double x);

// The sum, rounded to the nearest double.
double rico_exact_value(const rico_exact *sum);

#endif
