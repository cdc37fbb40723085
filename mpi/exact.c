// Exact sums: see exact.h.

#include "exact.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { LIMB_BITS = 32, LOWEST_EXPONENT = -1074, MANTISSA = 53 };
static const int64_t LIMB = INT64_C(1) << LIMB_BITS;


void rico_exact_add(rico_exact *sum, double x)
{
    if (x == 0.0) return;
    int exponent;
    double fraction = frexp(fabs(x), &exponent);
    exponent -= MANTISSA;
    // a subnormal has fewer bits; its last one is still bit 0
    if (exponent < LOWEST_EXPONENT) {
        fraction = ldexp(fraction, exponent - LOWEST_EXPONENT);
        exponent = LOWEST_EXPONENT;
    }
    uint64_t mantissa = (uint64_t)ldexp(fraction, MANTISSA);
    int place = exponent - LOWEST_EXPONENT, k = place / LIMB_BITS, shift = place % LIMB_BITS;

    // the mantissa, shifted, spreads over three limbs
    uint64_t low = mantissa << shift, mask = (uint64_t)LIMB - 1;
    uint64_t high = shift > 0 ? mantissa >> (64 - shift) : 0;
    int64_t sign = x < 0.0 ? -1 : 1;
    sum->limb[k] += sign * (int64_t)(low & mask);
    sum->limb[k + 1] += sign * (int64_t)(low >> LIMB_BITS);
    sum->limb[k + 2] += sign * (int64_t)high;
}


// Carries, so that every limb but the last is in [0, 2^32).
static void carry(int64_t *limb)
{
    for (int k = 0; k + 1 < RICO_EXACT_LIMBS; k++) {
        int64_t rest = limb[k] % LIMB;
        if (rest < 0) rest += LIMB;
        limb[k + 1] += (limb[k] - rest) / LIMB;
        limb[k] = rest;
    }
}


double rico_exact_value(const rico_exact *sum)
{
    int64_t limb[RICO_EXACT_LIMBS];
    memcpy(limb, sum->limb, sizeof limb);
    carry(limb);
    bool negative = limb[RICO_EXACT_LIMBS - 1] < 0;
    if (negative) {
        for (int k = 0; k < RICO_EXACT_LIMBS; k++) limb[k] = -limb[k];
        carry(limb);
    }
    int top = RICO_EXACT_LIMBS - 1;
    while (top > 0 && limb[top] == 0) top--;
    if (limb[top] == 0) return 0.0;

    // the leading 64 bits; what lies below them leaves its trace in the last, which no rounding to 53 takes for a tie
    uint64_t leading = (uint64_t)limb[top];
    int exponent = LOWEST_EXPONENT + LIMB_BITS * top, left = 64;
    for (uint64_t t = leading; t > 0; t >>= 1) left--;
    int k = top - 1;
    for (; left >= LIMB_BITS && k >= 0; k--, left -= LIMB_BITS) {
        leading = leading << LIMB_BITS | (uint64_t)limb[k];
        exponent -= LIMB_BITS;
    }
    bool below = false;
    if (left > 0 && k >= 0) {
        uint64_t next = (uint64_t)limb[k--];
        leading = leading << left | next >> (LIMB_BITS - left);
        exponent -= left;
        below = (next & ((UINT64_C(1) << (LIMB_BITS - left)) - 1)) != 0;
    }
    for (; !below && k >= 0; k--) below = limb[k] != 0;
    double value = ldexp((double)(leading | (below ? 1 : 0)), exponent);
    return negative ? -value : value;
}
