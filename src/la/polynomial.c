// Real roots of polynomials of low degree, by isolation between the roots of the derivatives.
//
// Between two neighbouring roots of p' the polynomial p is monotone: it has one root there if its ends differ in
// sign, none otherwise. Going up from degree one to the degree of p, each derivative's roots split the line for
// the next. Unlike the closed formulas of degree three and four, nothing is lost to cancellation between radicals,
// and each root is bracketed until the bracket cannot shrink.

#include "la/polynomial.h"

#include <float.h>
#include <math.h>

// Value by Horner's rule, the slope beside it, and the sum of the sizes of the terms, which rounding goes by.
static double evaluate(int degree, const double c[], double t, double *slope, double *size)
{
    double value = c[degree], derivative = 0.0, terms = fabs(c[degree]);
    for (int k = degree - 1; k >= 0; k--) {
        derivative = derivative * t + value;
        value = value * t + c[k];
        terms = terms * fabs(t) + fabs(c[k]);
    }
    *slope = derivative;
    *size = terms;
    return value;
}


// The root between low and high, where p is monotone and of opposite signs: Newton's method, kept in the bracket,
// with bisection wherever a step fails to halve the one before.
static double bracketed_root(int degree, const double c[], double low, double high, double value_low)
{
    double t = 0.5 * low + 0.5 * high, step = high - low;
    for (;;) {
        double slope, size;
        double value = evaluate(degree, c, t, &slope, &size);
        if (value == 0.0) return t;
        if ((value < 0.0) == (value_low < 0.0))
            low = t;
        else
            high = t;

        double newton = t - value / slope;
        double next = newton;
        if (!(newton > low && newton < high) || fabs(newton - t) > 0.5 * step) next = 0.5 * low + 0.5 * high;
        step = fabs(next - t);
        // one more unit in the last place cannot be told from rounding
        if (step <= 0.5 * DBL_EPSILON * fabs(t) || next == t || next == low || next == high) return next;
        t = next;
    }
}


int rico_polynomial_real_roots(int degree, const double c[], double roots[])
{
    while (degree > 0 && c[degree] == 0.0) degree--;
    if (degree == 0) return 0;
    if (degree == 1) {
        roots[0] = -c[0] / c[1];
        return 1;
    }

    double derivative[RICO_POLYNOMIAL_DEGREE] = {0.0}, splits[RICO_POLYNOMIAL_DEGREE];
    for (int k = 1; k <= degree; k++) derivative[k - 1] = k * c[k];
    int split_count = rico_polynomial_real_roots(degree - 1, derivative, splits);

    // all roots lie within 1 + max |c[k]/c[n]| (Cauchy); sharper bounds cost powers and save a few bisections
    double bound = 0.0;
    for (int k = 0; k < degree; k++) bound = fmax(bound, fabs(c[k] / c[degree]));
    bound = fmin(1.0 + bound, DBL_MAX);

    // march from -bound to bound over the splits; a split where p vanishes to rounding is a root of its own
    int count = 0;
    double slope, size;
    double left = -bound, left_value = evaluate(degree, c, left, &slope, &size);
    for (int k = 0; k <= split_count && count < degree; k++) {
        double right = k < split_count ? splits[k] : bound;
        if (right <= left) continue;
        double right_value = evaluate(degree, c, right, &slope, &size);
        if (k < split_count && isfinite(size) && fabs(right_value) <= 4.0 * degree * DBL_EPSILON * size)
            right_value = 0.0;
        if (left_value != 0.0 && right_value != 0.0 && (left_value < 0.0) != (right_value < 0.0))
            roots[count++] = bracketed_root(degree, c, left, right, left_value);
        else if (right_value == 0.0)
            roots[count++] = right;
        left = right;
        left_value = right_value;
    }
    return count;
}
