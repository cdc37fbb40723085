// The Jordan algebra of the second-order cone L = { x : |x_T| <= x_N } in R^3.
//
// An interior-point method lives near the boundary of L, where x_N - |x_T| is many orders below x_N and the plain
// difference has no correct digit left. What cancels is therefore summed in twice the precision, and the small
// spectral value is det(x) over the large one. Scaling by powers of two, which is exact, keeps the products in range.

#include "cone/jordan.h"

#include "la/precise.h"

#include <math.h>

// x_N y_N - x_T.y_T, rounded as if once.
static double lorentz(const double x[3], const double y[3])
{
    return rico_dot_precise(0.0, 3, x, (double[3]){y[0], -y[1], -y[2]});
}


// a b - c d to an ulp or two, however much it cancels (Kahan).
static double difference_of_products(double a, double b, double c, double d)
{
    double product = c * d;
    double error = fma(-c, d, product);
    return fma(a, b, -product) + error;
}


// y = 2^-e x with the largest entry of y in [1/2, 1); returns e.
static int normalize(const double x[3], double y[3])
{
    int exponent = 0;
    frexp(fmax(fabs(x[0]), fmax(fabs(x[1]), fabs(x[2]))), &exponent);
    for (int i = 0; i < 3; i++) y[i] = ldexp(x[i], -exponent);
    return exponent;
}


void rico_jordan_product(const double x[3], const double y[3], double z[3])
{
    double normal = x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
    double t1 = y[0] * x[1] + x[0] * y[1];
    double t2 = y[0] * x[2] + x[0] * y[2];
    z[0] = normal;
    z[1] = t1;
    z[2] = t2;
}


double rico_jordan_det(const double x[3])
{
    double y[3];
    int exponent = normalize(x, y);
    return ldexp(lorentz(y, y), 2 * exponent);
}


// Both spectral values x_N -+ |x_T|, each to its own relative accuracy.
static void spectral_values(const double x[3], double lambda[2])
{
    double y[3];
    int exponent = normalize(x, y);
    double slip = hypot(y[1], y[2]);
    double low = y[0] - slip, high = y[0] + slip;

    // the one that cancels is the determinant over the other
    if (slip > 0.5 * fabs(y[0])) {
        if (y[0] > 0.0) low = lorentz(y, y) / high;
        if (y[0] < 0.0) high = lorentz(y, y) / low;
    }
    lambda[0] = ldexp(low, exponent);
    lambda[1] = ldexp(high, exponent);
}


// Eq. 73-74. Without tangential part any direction will do; the first tangent is taken.
void rico_jordan_spectrum(const double x[3], double lambda[2], double c[2][3])
{
    double slip = hypot(x[1], x[2]);
    double along[2] = {1.0, 0.0};
    if (slip > 0.0) {
        along[0] = x[1] / slip;
        along[1] = x[2] / slip;
    }

    spectral_values(x, lambda);
    for (int i = 0; i < 2; i++) {
        double half = i == 0 ? -0.5 : 0.5;
        c[i][0] = 0.5;
        c[i][1] = half * along[0];
        c[i][2] = half * along[1];
    }
}


// Eq. 71, with s = (sqrt(lambda_1) + sqrt(lambda_2))/2. A spectral value that round-off made negative counts as
// zero.
void rico_jordan_sqrt(const double x[3], double root[3])
{
    double lambda[2];
    spectral_values(x, lambda);
    double normal = 0.5 * (sqrt(fmax(0.0, lambda[0])) + sqrt(fmax(0.0, lambda[1])));

    root[0] = normal;
    root[1] = normal > 0.0 ? 0.5 * x[1] / normal : 0.0;
    root[2] = normal > 0.0 ? 0.5 * x[2] / normal : 0.0;
}


void rico_jordan_inverse(const double x[3], double inv[3])
{
    // one division per spectral value: their product may leave the range that both are in
    double lambda[2];
    spectral_values(x, lambda);
    inv[0] = x[0] / lambda[1] / lambda[0];
    inv[1] = -x[1] / lambda[1] / lambda[0];
    inv[2] = -x[2] / lambda[1] / lambda[0];
}


void rico_jordan_arrow(const double x[3], double matrix[9])
{
    matrix[0] = matrix[4] = matrix[8] = x[0];
    matrix[1] = matrix[3] = x[1];
    matrix[2] = matrix[6] = x[2];
    matrix[5] = matrix[7] = 0.0;
}


// Q(x) = 2 x x' - det(x) diag(1, -1, -1): the definition 2 L(x)^2 - L(x^2) worked out, without its cancellation.
void rico_jordan_quadratic(const double x[3], double matrix[9])
{
    double det = rico_jordan_det(x);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) matrix[3 * i + j] = 2.0 * x[i] * x[j];
    matrix[0] = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    matrix[4] += det;
    matrix[8] += det;
}


// With x and s brought to unit determinant, w = theta (x + R s) / |x + R s|_det, R = diag(1, -1, -1), where
// det(x + R s) = 2 (1 + x's) and theta = (det x / det s)^(1/4) puts the sizes back.
void rico_jordan_nesterov_todd(const double x[3], const double s[3], double w[3], double w_sqrt[3])
{
    double a[3], b[3];
    int x_exponent = normalize(x, a), s_exponent = normalize(s, b);
    double a_root = sqrt(lorentz(a, a)), b_root = sqrt(lorentz(b, b));

    // near complementarity x's cancels as well, down to the distance from the boundary
    double cosine = rico_dot_precise(0.0, 3, a, b) / a_root / b_root;
    double gamma = sqrt(0.5 * (1.0 + cosine));

    // theta = sqrt(2^(x_exponent - s_exponent) a_root / b_root): an odd exponent goes into the root
    int exponent = x_exponent - s_exponent;
    int half = exponent / 2;
    double theta = ldexp(sqrt(ldexp(a_root / b_root, exponent - 2 * half)), half);

    for (int i = 0; i < 3; i++) {
        double mirrored = i == 0 ? b[i] : -b[i];
        w[i] = theta * ((a[i] / a_root + mirrored / b_root) / (2.0 * gamma));
    }

    // det(w) = theta^2 by construction, better than w could give it back
    double root = sqrt(0.5 * (w[0] + theta));
    w_sqrt[0] = root;
    w_sqrt[1] = 0.5 * w[1] / root;
    w_sqrt[2] = 0.5 * w[2] / root;
}


// det(x + t d) = a t^2 + 2 b t + c; its first root after which it is negative, written so that nothing cancels.
double rico_jordan_step(const double x[3], const double d[3], double limit)
{
    double lambda[2], y[3], e[3];
    spectral_values(d, lambda);
    if (lambda[0] >= 0.0) return limit; // d in L: never leaves

    int exponent = normalize(x, y) - normalize(d, e);
    double a = lorentz(e, e);
    double b = lorentz(y, e);
    double c = fmax(0.0, lorentz(y, y));

    // b^2 - a c = |y_N e_T - e_N y_T|^2 - (y_T x e_T)^2 (Lagrange), which vanishes term by term as d turns to -x
    double minors[3] = {difference_of_products(y[1], e[2], y[2], e[1]),
                        difference_of_products(y[0], e[1], e[0], y[1]),
                        difference_of_products(y[0], e[2], e[0], y[2])};
    double root = sqrt(fmax(0.0, -lorentz(minors, minors)));

    double t;
    if (b > 0.0)
        t = (b + root) / -a; // d is not in L and not in -L, so a < 0
    else if (root - b > 0.0)
        t = c / (root - b);
    else
        t = a < 0.0 ? 0.0 : HUGE_VAL; // x and d on one ray of the surface: the apex decides
    if (e[0] < 0.0) t = fmin(t, -y[0] / e[0]);

    return fmax(0.0, fmin(limit, ldexp(t, exponent)));
}
