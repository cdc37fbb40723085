// The operations of compiled formulas, one at a time: constants are computed with these when a formula is compiled.

#include "scene/operation.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static double sign_of(double a)
{
    return isnan(a) ? a : (double)((a > 0.0) - (a < 0.0));
}


static double modulo(double a, double b)
{
    double rest = fmod(a, b);
    return rest != 0.0 && (rest < 0.0) != (b < 0.0) ? rest + b : rest;
}


static double sech2(double a)
{
    double inverse = 1.0 / cosh(a);
    return inverse * inverse;
}


// The step of splitmix64 (Steele, Lea and Flood 2014): every bit of the input stirs every bit of the output.
static uint64_t stir(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}


static uint64_t bits_of(double x)
{
    uint64_t bits;
    x += 0.0; // -0 is 0
    memcpy(&bits, &x, sizeof bits);
    return bits;
}


// Uniform in [0, 1): a function of its arguments alone, with the same bits on every machine.
static double random_of(double a, double b, uint64_t stream)
{
    return (double)(stir(stir(stir(bits_of(a)) ^ bits_of(b)) ^ stream) >> 11) * 0x1p-53;
}


// Normal with mean 0 and deviation 1 (Box and Muller 1958).
static double random_normal(double a, double b)
{
    double radius = sqrt(-2.0 * log(1.0 - random_of(a, b, 1)));
    return radius * cos(6.28318530717958647692 * random_of(a, b, 2));
}


double rico_operate(rico_operation code, double a, double b, double c)
{
    switch (code) {
    case RICO_DO_ADD:
        return a + b;
    case RICO_DO_SUBTRACT:
        return a - b;
    case RICO_DO_MULTIPLY:
        return a * b;
    case RICO_DO_DIVIDE:
        return a / b;
    case RICO_DO_NEGATE:
        return -a;
    case RICO_DO_POWER:
        return pow(a, b);
    case RICO_DO_SIN:
        return sin(a);
    case RICO_DO_COS:
        return cos(a);
    case RICO_DO_TAN:
        return tan(a);
    case RICO_DO_ASIN:
        return asin(a);
    case RICO_DO_ACOS:
        return acos(a);
    case RICO_DO_ATAN:
        return atan(a);
    case RICO_DO_ATAN2:
        return atan2(a, b);
    case RICO_DO_SINH:
        return sinh(a);
    case RICO_DO_COSH:
        return cosh(a);
    case RICO_DO_TANH:
        return tanh(a);
    case RICO_DO_EXP:
        return exp(a);
    case RICO_DO_LOG:
        return log(a);
    case RICO_DO_LOG10:
        return log10(a);
    case RICO_DO_SQRT:
        return sqrt(a);
    case RICO_DO_HYPOT:
        return hypot(a, b);
    case RICO_DO_ABS:
        return fabs(a);
    case RICO_DO_SIGN:
        return sign_of(a);
    case RICO_DO_MIN:
        return isnan(a) || a < b ? a : b;
    case RICO_DO_MAX:
        return isnan(a) || a > b ? a : b;
    case RICO_DO_FLOOR:
        return floor(a);
    case RICO_DO_CEIL:
        return ceil(a);
    case RICO_DO_MOD:
        return modulo(a, b);
    case RICO_DO_RANDOM:
        return random_of(a, b, 0);
    case RICO_DO_RANDOM_NORMAL:
        return random_normal(a, b);
    case RICO_DO_LESS:
        return a < b;
    case RICO_DO_AT_MOST:
        return a <= b;
    case RICO_DO_GREATER:
        return a > b;
    case RICO_DO_AT_LEAST:
        return a >= b;
    case RICO_DO_EQUAL:
        return a == b;
    case RICO_DO_DIFFERS:
        return a != b;
    case RICO_DO_AND:
        return a != 0.0 && b != 0.0;
    case RICO_DO_OR:
        return a != 0.0 || b != 0.0;
    case RICO_DO_NOT:
        return a == 0.0;
    case RICO_DO_SELECT:
        return c != 0.0 ? a : b;
    case RICO_DO_GUARD:
        return a == 0.0 || b == 0.0 ? 0.0 : a * b;
    case RICO_DO_RATIO:
        return a == 0.0 || b == 0.0 ? 0.0 : a / b;
    case RICO_DO_SECH2:
        return sech2(a);
    case RICO_DO_CONSTANT:
    case RICO_DO_VARIABLE:
    case RICO_DO_SINCOS:
    case RICO_OPERATIONS:
        break;
    }
    return NAN;
}
