// The steps rho of the maps, from the diagonal blocks of W.

#include "solve/rho.h"

#include "la/dense.h"

#include <math.h>

// The condition number of W_TT that rule 112 believes; a larger one would make the tangential step vanish.
static const double LARGEST_CONDITION = 1e6;


static double inverse(double size)
{
    return size > 0.0 && isfinite(1.0 / size) ? 1.0 / size : 1.0;
}


// Eigenvalues of the symmetric matrix (a b; b c), the smaller first.
static void eigenvalues_2(double a, double b, double c, double value[2])
{
    double middle = 0.5 * (a + c), half = hypot(0.5 * (a - c), b);
    value[0] = middle - half;
    value[1] = middle + half;
}


// The largest eigenvalue of the symmetric part of a 3x3 matrix: with S = m I + p B, tr B = 0 and |B|_F^2 = 6, it is
// m + 2 p cos(acos(det B / 2) / 3) (Smith 1961).
static double largest_eigenvalue_3(const double W[9])
{
    double mean = (W[0] + W[4] + W[8]) / 3.0;
    double a = W[0] - mean, b = W[4] - mean, c = W[8] - mean;
    double d = 0.5 * (W[1] + W[3]), e = 0.5 * (W[2] + W[6]), f = 0.5 * (W[5] + W[7]);
    double p = sqrt((a * a + b * b + c * c + 2.0 * (d * d + e * e + f * f)) / 6.0);
    if (!(p > 0.0)) return mean;
    a /= p, b /= p, c /= p, d /= p, e /= p, f /= p;
    double det = a * (b * c - f * f) - d * (d * c - f * e) + e * (d * f - b * e);
    return mean + 2.0 * p * cos(acos(fmin(fmax(0.5 * det, -1.0), 1.0)) / 3.0);
}


static double largest_eigenvalue(int64_t order, const double *W)
{
    if (order == 3) return largest_eigenvalue_3(W);
    if (order == 1) return W[0];
    double value[2];
    eigenvalues_2(W[0], 0.5 * (W[1] + W[2]), W[3], value);
    return value[1];
}


// Eigenvalues of W_TT; both the same in the plane, where it is a number.
static void tangent_eigenvalues(int64_t order, const double *W, double value[2])
{
    if (order == 3)
        eigenvalues_2(W[4], 0.5 * (W[5] + W[7]), W[8], value);
    else
        value[0] = value[1] = W[order * order - 1];
}


rico_rho rico_rho_from_block(rico_rho_rule rule, int64_t order, const double *W)
{
    if (rule == RICO_RHO_ONE) return (rico_rho){1.0, 1.0};
    if (rule == RICO_RHO_NORM || order > 3) {
        double rho = inverse(rico_norm(order * order, W));
        return (rico_rho){rho, rho};
    }
    if (rule == RICO_RHO_SPECTRAL) {
        double rho = inverse(largest_eigenvalue(order, W));
        return (rico_rho){rho, rho};
    }

    double value[2];
    tangent_eigenvalues(order, W, value);
    rico_rho rho = {inverse(W[0]), inverse(value[1])};
    if (rule == RICO_RHO_SPLIT_CONDITION && value[1] > 0.0)
        rho.tangent *= fmax(value[0] / value[1], 1.0 / LARGEST_CONDITION);
    return rho;
}
