// Seeded random numbers: xoshiro256** (Blackman and Vigna 2018), seeded through splitmix64.
//
// The sequence depends on the seed alone, on every machine, so that a generated problem or a shuffled order can
// be named by its seed.

#ifndef RICO_BASE_RANDOM_H
#define RICO_BASE_RANDOM_H

#include <stdint.h>

typedef struct rico_random {
    uint64_t state[4];
} rico_random;

void rico_random_seed(rico_random *random, uint64_t seed);

// 64 random bits.
uint64_t rico_random_bits(rico_random *random);

// Uniform in [0, 1).
double rico_random_unit(rico_random *random);

// Uniform in [low, high).
double rico_random_range(rico_random *random, double low, double high);

// Normal with mean 0 and deviation 1 (Marsaglia's polar method).
double rico_random_normal(rico_random *random);

// Uniform integer in [0, count), without modulo bias; count > 0.
int64_t rico_random_below(rico_random *random, int64_t count);

// Shuffles items in place (Fisher and Yates).
void rico_random_shuffle(rico_random *random, int64_t *items, int64_t count);

#endif
