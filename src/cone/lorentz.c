// The algebra of second-order cones of dimension 1 to 3: see lorentz.h.

#include "cone/lorentz.h"

#include "la/vec3.h"

#include <math.h>
#include <stdbool.h>

static double tangential_norm(int n, const double *x)
{
    if (n == 1) return 0.0;
    return n == 2 ? fabs(x[1]) : rico_hypot(x[1], x[2]);
}


static double tangential_dot(int n, const double *x, const double *y)
{
    double sum = 0.0;
    for (int i = 1; i < n; i++) sum += x[i] * y[i];
    return sum;
}


double rico_lorentz_depth(int n, const double *x)
{
    return x[0] - tangential_norm(n, x);
}


double rico_lorentz_determinant(int n, const double *x)
{
    double slope = tangential_norm(n, x);
    return (x[0] - slope) * (x[0] + slope);
}


// Nesterov and Todd 1997; in this form Vandenberghe 2010, "The CVXOPT linear and quadratic cone program solvers".
void rico_lorentz_scale(int n, const double *r, const double *z, rico_lorentz_scaling *out)
{
    double root_r = sqrt(rico_lorentz_determinant(n, r)), root_z = sqrt(rico_lorentz_determinant(n, z));
    double inner = 0.0;
    for (int i = 0; i < n; i++) inner += z[i] / root_z * (r[i] / root_r);
    double gamma = sqrt(0.5 * (1.0 + inner));
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


void rico_lorentz_matrices(int n, const rico_lorentz_scaling *s, double S[9], double inverse[9])
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            bool border = i == 0 || j == 0;
            double bend = border ? 0.0 : s->w[i] * s->w[j] / (1.0 + s->w[0]);
            double entry = border ? s->w[i + j] : (i == j ? 1.0 : 0.0) + bend;
            S[3 * i + j] = s->eta * entry;
            inverse[3 * i + j] = (i == 0) != (j == 0) ? -entry / s->eta : entry / s->eta;
        }
    }
}


void rico_lorentz_product(int n, const double *x, const double *y, double *z)
{
    double first = 0.0;
    for (int i = 0; i < n; i++) first += x[i] * y[i];
    for (int i = 1; i < n; i++) z[i] = x[0] * y[i] + y[0] * x[i];
    z[0] = first;
}


void rico_lorentz_divide(int n, const double *x, const double *y, double *z)
{
    double first = (x[0] * y[0] - tangential_dot(n, x, y)) / rico_lorentz_determinant(n, x);
    for (int i = 1; i < n; i++) z[i] = (y[i] - first * x[i]) / x[0];
    z[0] = first;
}


void rico_lorentz_correct(int n, const double *lambda, double target, double weight, const double *a,
                          const double *b, double *c)
{
    double second[3] = {0.0}, right[3];
    if (weight > 0.0) rico_lorentz_product(n, a, b, second);
    rico_lorentz_product(n, lambda, lambda, right);
    for (int i = 0; i < n; i++) right[i] = (i == 0 ? target : 0.0) - right[i] - weight * second[i];
    rico_lorentz_divide(n, lambda, right, c);
}


// The first positive root of det(x + t d) = a t^2 + 2 b t + c, c > 0, by the form that does not cancel; and no farther than
// where the normal part ends, which counts where d runs along the surface.
double rico_lorentz_reach(int n, const double *x, const double *d)
{
    if (n == 1) return d[0] < 0.0 ? -x[0] / d[0] : INFINITY;
    double a = d[0] * d[0], b = x[0] * d[0], c = fmax(rico_lorentz_determinant(n, x), 0.0), t = INFINITY;
    for (int i = 1; i < n; i++) {
        a -= d[i] * d[i];
        b -= x[i] * d[i];
    }
    double discriminant = b * b - a * c;
    if (a == 0.0) {
        if (b < 0.0) t = -c / (2.0 * b);
    } else if (discriminant >= 0.0) {
        double root = -(b + copysign(sqrt(discriminant), b));
        double t1 = root / a, t2 = root != 0.0 ? c / root : INFINITY;
        if (t1 > 0.0) t = fmin(t, t1);
        if (t2 > 0.0) t = fmin(t, t2);
    }
    if (d[0] < 0.0) t = fmin(t, -x[0] / d[0]);
    return t;
}
