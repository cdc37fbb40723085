// Second-order cones with Nesterov-Todd scaling: depth, scaling, Jordan products, the way to the boundary.

#include "cone/lorentz.h"

#include <math.h>

static double tangential_norm(int n, const double *x)
{
    if (n == 1) return 0.0;
    return n == 2 ? fabs(x[1]) : hypot(x[1], x[2]);
}


static double tangential_dot(int n, const double *x, const double *y)
{
    double sum = 0.0;
    for (int i = 1; i < n; i++) sum += x[i] * y[i];
    return sum;
}


// sqrt(x_N^2 - |x_T|^2), as a product so that points near the surface keep their digits
static double root_of_determinant(int n, const double *x)
{
    double slope = tangential_norm(n, x);
    return sqrt((x[0] - slope) * (x[0] + slope));
}


double rico_lorentz_depth(int n, const double *x)
{
    return x[0] - tangential_norm(n, x);
}


// Nesterov and Todd 1997; in this form Vandenberghe 2010, "The CVXOPT linear and quadratic cone program solvers".
void rico_lorentz_scale(int n, const double *r, const double *z, rico_lorentz_scaling *out)
{
    double root_r = root_of_determinant(n, r), root_z = root_of_determinant(n, z);
    double inner = r[0] * z[0] + tangential_dot(n, r, z);
    double gamma = sqrt(0.5 * (1.0 + inner / (root_r * root_z)));
    out->w[0] = (z[0] / root_z + r[0] / root_r) / (2.0 * gamma);
    for (int i = 1; i < n; i++) out->w[i] = (z[i] / root_z - r[i] / root_r) / (2.0 * gamma);
    out->eta = sqrt(root_z / root_r);
}


void rico_lorentz_times(int n, const rico_lorentz_scaling *s, const double *x, double *y)
{
    double along = tangential_dot(n, s->w, x);
    double first = s->w[0] * x[0] + along;
    double lift = x[0] + along / (1.0 + s->w[0]);
    for (int i = 1; i < n; i++) y[i] = s->eta * (x[i] + lift * s->w[i]);
    y[0] = s->eta * first;
}


void rico_lorentz_inverse(int n, const rico_lorentz_scaling *s, const double *x, double *y)
{
    double along = tangential_dot(n, s->w, x);
    double first = s->w[0] * x[0] - along;
    double lift = along / (1.0 + s->w[0]) - x[0];
    for (int i = 1; i < n; i++) y[i] = (x[i] + lift * s->w[i]) / s->eta;
    y[0] = first / s->eta;
}


double rico_lorentz_square(int n, const rico_lorentz_scaling *s, int i, int j)
{
    // S^2 = eta^2 (2 w w' - J), J = diag(1, -1, -1)
    double J = i != j ? 0.0 : (i == 0 ? 1.0 : -1.0);
    return n == 1 ? s->eta * s->eta : s->eta * s->eta * (2.0 * s->w[i] * s->w[j] - J);
}


void rico_lorentz_product(int n, const double *x, const double *y, double *z)
{
    double first = x[0] * y[0] + tangential_dot(n, x, y);
    for (int i = 1; i < n; i++) z[i] = x[0] * y[i] + y[0] * x[i];
    z[0] = first;
}


void rico_lorentz_divide(int n, const double *x, const double *y, double *z)
{
    double root = root_of_determinant(n, x);
    double first = (x[0] * y[0] - tangential_dot(n, x, y)) / (root * root);
    for (int i = 1; i < n; i++) z[i] = (y[i] - first * x[i]) / x[0];
    z[0] = first;
}


double rico_lorentz_reach(int n, const double *x, const double *d)
{
    if (n == 1) return d[0] < 0.0 ? -x[0] / d[0] : INFINITY;

    // first positive root of a s^2 + 2 b s + c, c > 0
    double a = d[0] * d[0] - tangential_dot(n, d, d);
    double b = x[0] * d[0] - tangential_dot(n, x, d);
    double root = root_of_determinant(n, x);
    double discriminant = b * b - a * root * root;
    if (discriminant < 0.0) return INFINITY;
    double denominator = sqrt(discriminant) - b;
    return denominator > 0.0 ? root * root / denominator : INFINITY;
}
