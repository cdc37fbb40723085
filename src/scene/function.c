// The functions and operators of formulas, with their first and second derivatives.
//
// At a kink a slope is the mean of those on its two sides, and jumps (sign, floor, comparisons) have slope 0
// everywhere: both are what a Newton iteration does least harm with.

#include "scene/function.h"
#include "scene/formula.h"

#include <math.h>
#include <string.h>

// --- operators -----------------------------------------------------------------------------------------------

static void add(int order, double a, double b, rico_taylor *out)
{
    (void)order;
    out->f = a + b;
    out->fa = out->fb = 1.0;
}


static void subtract(int order, double a, double b, rico_taylor *out)
{
    (void)order;
    out->f = a - b;
    out->fa = 1.0;
    out->fb = -1.0;
}


static void multiply(int order, double a, double b, rico_taylor *out)
{
    (void)order;
    out->f = a * b;
    out->fa = b;
    out->fb = a;
    out->fab = 1.0;
}


static void divide(int order, double a, double b, rico_taylor *out)
{
    out->f = a / b;
    if (order == 0) return;
    out->fa = 1.0 / b;
    out->fb = -a / (b * b);
    out->fab = -1.0 / (b * b);
    out->fbb = 2.0 * a / (b * b * b);
}


static void negate(int order, double a, double b, rico_taylor *out)
{
    (void)order, (void)b;
    out->f = -a;
    out->fa = -1.0;
}


// c x^p, where 0 x^p = 0 even at x = 0 with p < 0: the derivatives of x^1 and x^0 at 0.
static double monomial(double c, double x, double p)
{
    return c == 0.0 ? 0.0 : c * pow(x, p);
}


static void power(int order, double a, double b, rico_taylor *out)
{
    out->f = pow(a, b);
    if (order == 0) return;
    out->fa = monomial(b, a, b - 1.0);
    out->faa = monomial(b * (b - 1.0), a, b - 2.0);

    // as the exponent varies: 0^b stays 0 for b > 0
    double log_a = a == 0.0 && b > 0.0 ? 0.0 : log(a);
    out->fb = out->f * log_a;
    out->fbb = out->fb * log_a;
    out->fab = pow(a, b - 1.0) * (1.0 + b * log_a);
}


// The same for an exponent that never varies: no logarithm, and squares, the most common by far, without pow().
static void fixed_power(int order, double a, double b, rico_taylor *out)
{
    out->f = b == 2.0 ? a * a : pow(a, b);
    if (order == 0) return;
    out->fa = b == 2.0 ? 2.0 * a : monomial(b, a, b - 1.0);
    if (order == 1) return;
    out->faa = b == 2.0 ? 2.0 : monomial(b * (b - 1.0), a, b - 2.0);
}


static void less(int order, double a, double b, rico_taylor *out)
{
    (void)order;
    out->f = a < b;
}


static void at_most(int order, double a, double b, rico_taylor *out)
{
    (void)order;
    out->f = a <= b;
}


static void greater(int order, double a, double b, rico_taylor *out)
{
    (void)order;
    out->f = a > b;
}


static void at_least(int order, double a, double b, rico_taylor *out)
{
    (void)order;
    out->f = a >= b;
}


static void equal(int order, double a, double b, rico_taylor *out)
{
    (void)order;
    out->f = a == b;
}


static void differs(int order, double a, double b, rico_taylor *out)
{
    (void)order;
    out->f = a != b;
}


static void both(int order, double a, double b, rico_taylor *out)
{
    (void)order;
    out->f = a != 0.0 && b != 0.0;
}


static void either(int order, double a, double b, rico_taylor *out)
{
    (void)order;
    out->f = a != 0.0 || b != 0.0;
}


static void denies(int order, double a, double b, rico_taylor *out)
{
    (void)order, (void)b;
    out->f = a == 0.0;
}


// --- trigonometry --------------------------------------------------------------------------------------------

static void sine(int order, double a, double b, rico_taylor *out)
{
    (void)b;
    out->f = sin(a);
    if (order == 0) return;
    out->fa = cos(a);
    out->faa = -out->f;
}


static void cosine(int order, double a, double b, rico_taylor *out)
{
    (void)b;
    out->f = cos(a);
    if (order == 0) return;
    out->fa = -sin(a);
    out->faa = -out->f;
}


static void tangent(int order, double a, double b, rico_taylor *out)
{
    (void)order, (void)b;
    out->f = tan(a);
    out->fa = 1.0 + out->f * out->f;
    out->faa = 2.0 * out->f * out->fa;
}


static void arc_sine(int order, double a, double b, rico_taylor *out)
{
    (void)b;
    out->f = asin(a);
    if (order == 0) return;
    double square = (1.0 - a) * (1.0 + a);
    out->fa = 1.0 / sqrt(square);
    out->faa = a * out->fa / square;
}


static void arc_cosine(int order, double a, double b, rico_taylor *out)
{
    arc_sine(order, a, b, out);
    out->f = acos(a);
    out->fa = -out->fa;
    out->faa = -out->faa;
}


static void arc_tangent(int order, double a, double b, rico_taylor *out)
{
    (void)b;
    out->f = atan(a);
    if (order == 0) return;
    out->fa = 1.0 / (1.0 + a * a);
    out->faa = -2.0 * a * out->fa * out->fa;
}


// The angle of the point (b, a).
static void arc_tangent_2(int order, double a, double b, rico_taylor *out)
{
    out->f = atan2(a, b);
    if (order == 0) return;
    double square = a * a + b * b;
    out->fa = b / square;
    out->fb = -a / square;
    out->faa = -2.0 * out->fa * a / square;
    out->fbb = 2.0 * out->fa * a / square;
    out->fab = (a - b) * (a + b) / (square * square);
}


// --- exponentials --------------------------------------------------------------------------------------------

static void hyperbolic_sine(int order, double a, double b, rico_taylor *out)
{
    (void)b;
    out->f = sinh(a);
    if (order == 0) return;
    out->fa = cosh(a);
    out->faa = out->f;
}


static void hyperbolic_cosine(int order, double a, double b, rico_taylor *out)
{
    (void)b;
    out->f = cosh(a);
    if (order == 0) return;
    out->fa = sinh(a);
    out->faa = out->f;
}


static void hyperbolic_tangent(int order, double a, double b, rico_taylor *out)
{
    (void)b;
    out->f = tanh(a);
    if (order == 0) return;
    // 1 - tanh^2 would lose its figures where tanh is close to 1
    double inverse = 1.0 / cosh(a);
    out->fa = inverse * inverse;
    out->faa = -2.0 * out->f * out->fa;
}


static void exponential(int order, double a, double b, rico_taylor *out)
{
    (void)order, (void)b;
    out->f = out->fa = out->faa = exp(a);
}


static void logarithm(int order, double a, double b, rico_taylor *out)
{
    (void)order, (void)b;
    out->f = log(a);
    out->fa = 1.0 / a;
    out->faa = -1.0 / (a * a);
}


static void logarithm_10(int order, double a, double b, rico_taylor *out)
{
    static const double log_of_10 = 2.302585092994045684;
    logarithm(order, a, b, out);
    out->f = log10(a);
    out->fa /= log_of_10;
    out->faa /= log_of_10;
}


static void square_root(int order, double a, double b, rico_taylor *out)
{
    (void)b;
    out->f = sqrt(a);
    if (order == 0) return;
    out->fa = 0.5 / out->f;
    out->faa = -0.5 * out->fa / a;
}


// sqrt(a^2 + b^2) without overflow; slope 0 at the tip of the cone.
static void length(int order, double a, double b, rico_taylor *out)
{
    out->f = hypot(a, b);
    if (order == 0 || out->f == 0.0) return;
    out->fa = a / out->f;
    out->fb = b / out->f;
    out->faa = out->fb * out->fb / out->f;
    out->fbb = out->fa * out->fa / out->f;
    out->fab = -out->fa * out->fb / out->f;
}


// --- kinks and jumps -----------------------------------------------------------------------------------------

static double sign_of(double a)
{
    return isnan(a) ? a : (double)((a > 0.0) - (a < 0.0));
}


static void sign(int order, double a, double b, rico_taylor *out)
{
    (void)order, (void)b;
    out->f = sign_of(a);
}


static void absolute(int order, double a, double b, rico_taylor *out)
{
    (void)order, (void)b;
    out->f = fabs(a);
    out->fa = sign_of(a);
}


// Unlike fmin() and fmax(), these let NaN through: a mistake must stay visible.
static void smaller(int order, double a, double b, rico_taylor *out)
{
    (void)order;
    out->f = isnan(a) || a < b ? a : b;
    out->fa = a < b ? 1.0 : a == b ? 0.5 : 0.0;
    out->fb = 1.0 - out->fa;
}


static void larger(int order, double a, double b, rico_taylor *out)
{
    (void)order;
    out->f = isnan(a) || a > b ? a : b;
    out->fa = a > b ? 1.0 : a == b ? 0.5 : 0.0;
    out->fb = 1.0 - out->fa;
}


static void round_down(int order, double a, double b, rico_taylor *out)
{
    (void)order, (void)b;
    out->f = floor(a);
}


static void round_up(int order, double a, double b, rico_taylor *out)
{
    (void)order, (void)b;
    out->f = ceil(a);
}


// a - b floor(a / b): in [0, b) for b > 0, whatever the sign of a. By fmod(), which is exact.
static void modulo(int order, double a, double b, rico_taylor *out)
{
    (void)order;
    double rest = fmod(a, b);
    if (rest != 0.0 && (rest < 0.0) != (b < 0.0)) rest += b;
    out->f = rest;
    out->fa = 1.0;
    out->fb = -floor(a / b);
}


static void random_uniform(int order, double a, double b, rico_taylor *out)
{
    (void)order;
    out->f = rico_operate(RICO_DO_RANDOM, a, b, 0.0);
}


static void random_normal(int order, double a, double b, rico_taylor *out)
{
    (void)order;
    out->f = rico_operate(RICO_DO_RANDOM_NORMAL, a, b, 0.0);
}


// --- the table -----------------------------------------------------------------------------------------------

static const rico_function table[] = {
    {"sin", 1, false, "sine", sine, false, RICO_DO_SIN},
    {"cos", 1, false, "cosine", cosine, false, RICO_DO_COS},
    {"tan", 1, false, "tangent", tangent, false, RICO_DO_TAN},
    {"asin", 1, false, "inverse sine, in [-pi/2, pi/2]", arc_sine, false, RICO_DO_ASIN},
    {"acos", 1, false, "inverse cosine, in [0, pi]", arc_cosine, false, RICO_DO_ACOS},
    {"atan", 1, false, "inverse tangent, in (-pi/2, pi/2)", arc_tangent, false, RICO_DO_ATAN},
    {"atan2", 2, false, "atan2(y, x): angle of the point (x, y), in (-pi, pi]", arc_tangent_2, false,
     RICO_DO_ATAN2},
    {"sinh", 1, false, "hyperbolic sine", hyperbolic_sine, false, RICO_DO_SINH},
    {"cosh", 1, false, "hyperbolic cosine", hyperbolic_cosine, false, RICO_DO_COSH},
    {"tanh", 1, false, "hyperbolic tangent", hyperbolic_tangent, false, RICO_DO_TANH},
    {"exp", 1, false, "exponential", exponential, false, RICO_DO_EXP},
    {"log", 1, false, "natural logarithm", logarithm, false, RICO_DO_LOG},
    {"log10", 1, false, "decimal logarithm", logarithm_10, false, RICO_DO_LOG10},
    {"sqrt", 1, false, "square root", square_root, false, RICO_DO_SQRT},
    {"hypot", 2, false, "hypot(a, b): sqrt(a^2 + b^2), of slope 0 at the origin", length, false,
     RICO_DO_HYPOT},
    {"abs", 1, false, "absolute value, of slope 0 at 0", absolute, false, RICO_DO_ABS},
    {"sign", 1, false, "-1, 0 or 1, of slope 0", sign, true, RICO_DO_SIGN},
    {"min", 2, true, "smallest of two or more", smaller, false, RICO_DO_MIN},
    {"max", 2, true, "largest of two or more", larger, false, RICO_DO_MAX},
    {"floor", 1, false, "largest integer below, of slope 0", round_down, true, RICO_DO_FLOOR},
    {"ceil", 1, false, "smallest integer above, of slope 0", round_up, true, RICO_DO_CEIL},
    {"mod", 2, false, "mod(a, b): a - b floor(a/b), in [0, b) for b > 0", modulo, true, RICO_DO_MOD},
    {"random", 2, false, "random(seed, i): uniform in [0, 1), always the same for the same two numbers",
     random_uniform, true, RICO_DO_RANDOM},
    {"random_normal", 2, false, "random_normal(seed, i): normal, of mean 0 and deviation 1, in the same way",
     random_normal, true, RICO_DO_RANDOM_NORMAL},
    {"+", 2, false, NULL, add, false, RICO_DO_ADD},
    {"-", 2, false, NULL, subtract, false, RICO_DO_SUBTRACT},
    {"*", 2, false, NULL, multiply, false, RICO_DO_MULTIPLY},
    {"/", 2, false, NULL, divide, false, RICO_DO_DIVIDE},
    {"^", 2, false, NULL, power, false, RICO_DO_POWER},
    {"^constant", 2, false, NULL, fixed_power, false, RICO_DO_POWER},
    {"neg", 1, false, NULL, negate, false, RICO_DO_NEGATE},
    {"<", 2, false, NULL, less, true, RICO_DO_LESS},
    {"<=", 2, false, NULL, at_most, true, RICO_DO_AT_MOST},
    {">", 2, false, NULL, greater, true, RICO_DO_GREATER},
    {">=", 2, false, NULL, at_least, true, RICO_DO_AT_LEAST},
    {"==", 2, false, NULL, equal, true, RICO_DO_EQUAL},
    {"!=", 2, false, NULL, differs, true, RICO_DO_DIFFERS},
    {"&&", 2, false, NULL, both, true, RICO_DO_AND},
    {"||", 2, false, NULL, either, true, RICO_DO_OR},
    {"!", 1, false, NULL, denies, true, RICO_DO_NOT},
};
enum { TABLE_SIZE = sizeof table / sizeof table[0] };


const rico_function *rico_function_at(int index)
{
    return index >= 0 && index < TABLE_SIZE && table[index].help ? &table[index] : NULL;
}


const rico_function *rico_function_find(const char *name, int64_t length_of_name)
{
    for (int i = 0; rico_function_at(i); i++) {
        if ((int64_t)strlen(table[i].name) == length_of_name &&
            memcmp(table[i].name, name, (size_t)length_of_name) == 0)
            return &table[i];
    }
    return NULL;
}


const rico_function *rico_operator(const char *name)
{
    int i = 0;
    while (i < TABLE_SIZE - 1 && strcmp(table[i].name, name) != 0) i++;
    return &table[i];
}
