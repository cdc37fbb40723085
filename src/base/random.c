// Seeded random numbers: bits, uniform, normal.

#include "base/random.h"

#include <math.h>

static uint64_t rotate(uint64_t bits, int by)
{
    return (bits << by) | (bits >> (64 - by));
}


void rico_random_seed(rico_random *random, uint64_t seed)
{
    // splitmix64: four well-mixed words from any seed, zero included
    for (int i = 0; i < 4; i++) {
        seed += 0x9e3779b97f4a7c15u;
        uint64_t word = seed;
        word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9u;
        word = (word ^ (word >> 27)) * 0x94d049bb133111ebu;
        random->state[i] = word ^ (word >> 31);
    }
}


uint64_t rico_random_bits(rico_random *random)
{
    uint64_t *s = random->state;
    uint64_t result = rotate(s[1] * 5, 7) * 9;
    uint64_t kept = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= kept;
    s[3] = rotate(s[3], 45);
    return result;
}


double rico_random_unit(rico_random *random)
{
    return (double)(rico_random_bits(random) >> 11) * 0x1p-53;
}


double rico_random_range(rico_random *random, double low, double high)
{
    return low + (high - low) * rico_random_unit(random);
}


double rico_random_normal(rico_random *random)
{
    double x, y, square;
    do {
        x = rico_random_range(random, -1.0, 1.0);
        y = rico_random_range(random, -1.0, 1.0);
        square = x * x + y * y;
    } while (square >= 1.0 || square == 0.0);
    return x * sqrt(-2.0 * log(square) / square);
}


int64_t rico_random_below(rico_random *random, int64_t count)
{
    // drop the last, incomplete run of `count` values
    uint64_t n = (uint64_t)count;
    uint64_t limit = UINT64_MAX - UINT64_MAX % n;
    uint64_t bits;
    do {
        bits = rico_random_bits(random);
    } while (bits >= limit);
    return (int64_t)(bits % n);
}


void rico_random_shuffle(rico_random *random, int64_t *items, int64_t count)
{
    for (int64_t last = count - 1; last > 0; last--) {
        int64_t other = rico_random_below(random, last + 1);
        int64_t kept = items[last];
        items[last] = items[other];
        items[other] = kept;
    }
}
