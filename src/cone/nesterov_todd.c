// The Nesterov-Todd scaling of the second-order cone, by light-cone coordinates that lose no digits at its boundary.

#include "cone/nesterov_todd.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double root_half = 0.70710678118654752440;


double rico_lorentz_point_normal(const rico_lorentz_point *x)
{
    return x->depth + hypot(x->t[0], x->t[1]);
}


// x_N - (-t).x_T and the like: depth + |x_T| + along, where `along` is about -|x_T| when x is near the ray -t.
static double beyond(double depth, double slope, double along, double across)
{
    double rest = along >= 0.0 ? slope + along : across * across / (slope - along);
    return depth + rest;
}


// x'z = x_N z_N - |x_T||z_T| + |x_T||z_T| (1 + cosine), each part without cancellation.
double rico_lorentz_point_inner(const rico_lorentz_point *x, const rico_lorentz_point *z)
{
    double a = hypot(x->t[0], x->t[1]), b = hypot(z->t[0], z->t[1]);
    double facing = 0.0;
    if (a > 0.0 && b > 0.0) {
        double sum[2] = {x->t[0] / a + z->t[0] / b, x->t[1] / a + z->t[1] / b};
        facing = 0.5 * a * b * (sum[0] * sum[0] + sum[1] * sum[1]);
    }
    return x->depth * b + z->depth * a + x->depth * z->depth + facing;
}


static double root_of_determinant(const rico_lorentz_point *x)
{
    return sqrt(x->depth) * sqrt(x->depth + 2.0 * hypot(x->t[0], x->t[1]));
}


// S = eta (w_N, w_T'; w_T, I + w_T w_T'/(1 + w_N)) with det(w) = 1 (Vandenberghe 2010) has the spectral values
// eta (w_N +- |w_T|) along v_0 and v_1, eta along v_2.
void rico_nt_scale(const rico_lorentz_point *x, const rico_lorentz_point *z, rico_nt_frame *frame,
                   double lambda[3])
{
    double root_x = root_of_determinant(x), root_z = root_of_determinant(z);
    double gamma = sqrt(0.5 * (1.0 + rico_lorentz_point_inner(x, z) / root_x / root_z));
    double w[2] = {(z->t[0] / root_z - x->t[0] / root_x) / (2.0 * gamma),
                   (z->t[1] / root_z - x->t[1] / root_x) / (2.0 * gamma)};
    double slope = hypot(w[0], w[1]), omega = sqrt(1.0 + slope * slope) + slope, eta = sqrt(root_z / root_x);
    frame->t[0] = slope > 0.0 ? w[0] / slope : 1.0;
    frame->t[1] = slope > 0.0 ? w[1] / slope : 0.0;
    frame->s[0] = eta * omega;
    frame->s[1] = eta / omega;
    frame->s[2] = eta;

    // along v_0 z is large and x small, along v_1 the reverse: take lambda from the large one
    double c[3], d[3];
    rico_nt_point(frame, x, c);
    rico_nt_point(frame, z, d);
    lambda[0] = d[0] / frame->s[0];
    lambda[1] = c[1] * frame->s[1];
    lambda[2] = 0.5 * (c[2] * eta + d[2] / eta);
}


void rico_nt_point(const rico_nt_frame *f, const rico_lorentz_point *x, double c[3])
{
    double slope = hypot(x->t[0], x->t[1]);
    double along = f->t[0] * x->t[0] + f->t[1] * x->t[1], across = f->t[0] * x->t[1] - f->t[1] * x->t[0];
    c[0] = root_half * beyond(x->depth, slope, along, across);
    c[1] = root_half * beyond(x->depth, slope, -along, across);
    c[2] = across;
}


void rico_nt_coordinates(const rico_nt_frame *f, const double v[3], double c[3])
{
    double along = f->t[0] * v[1] + f->t[1] * v[2], across = f->t[0] * v[2] - f->t[1] * v[1];
    c[0] = root_half * (v[0] + along);
    c[1] = root_half * (v[0] - along);
    c[2] = across;
}


void rico_nt_vector(const rico_nt_frame *f, const double c[3], double v[3])
{
    double along = root_half * (c[0] - c[1]), across = c[2];
    v[0] = root_half * (c[0] + c[1]);
    v[1] = f->t[0] * along - f->t[1] * across;
    v[2] = f->t[1] * along + f->t[0] * across;
}


void rico_nt_product(const double x[3], const double y[3], double z[3])
{
    double both = x[2] * y[2];
    double across = root_half * ((x[0] + x[1]) * y[2] + (y[0] + y[1]) * x[2]);
    z[0] = root_half * (2.0 * x[0] * y[0] + both);
    z[1] = root_half * (2.0 * x[1] * y[1] + both);
    z[2] = across;
}


void rico_nt_divide(const double x[3], const double y[3], double z[3])
{
    // with the third coordinate eliminated two equations are left; their determinant is det(x)
    double sum = x[0] + x[1], det = 2.0 * x[0] * x[1] - x[2] * x[2], e = x[2] / sum, root = 2.0 * root_half;
    double a = y[0] - e * y[2], b = y[1] - e * y[2];
    double half = 0.5 * x[2] * e;
    double z0 = root * ((x[1] - half) * a + half * b) / det, z1 = root * ((x[0] - half) * b + half * a) / det;
    z[0] = z0;
    z[1] = z1;
    z[2] = (root * y[2] - (z0 + z1) * x[2]) / sum;
}


void rico_nt_matrix(const rico_nt_frame *f, double matrix[9])
{
    double t0 = root_half * f->t[0], t1 = root_half * f->t[1];
    const double V[9] = {root_half, root_half, 0.0, t0, -t0, -f->t[1], t1, -t1, f->t[0]};
    memcpy(matrix, V, sizeof V);
}


// det(x + step d) = a step^2 + 2 b step + c
static void expand(const rico_nt_frame *f, const rico_lorentz_point *x, const double d[3], double *a,
                   double *b, double *c)
{
    double p[3];
    rico_nt_point(f, x, p);
    *a = 2.0 * d[0] * d[1] - d[2] * d[2];
    *b = p[0] * d[1] + p[1] * d[0] - p[2] * d[2];
    *c = x->depth * (x->depth + 2.0 * hypot(x->t[0], x->t[1]));
}


double rico_nt_reach(const rico_nt_frame *frame, const rico_lorentz_point *x, const double d[3])
{
    double a, b, c;
    expand(frame, x, d, &a, &b, &c);
    double discriminant = b * b - a * c;
    if (discriminant < 0.0) return INFINITY;

    // the first root beyond which it is negative, without cancellation
    double root = sqrt(discriminant);
    if (b > 0.0) return a < 0.0 ? (root + b) / -a : INFINITY;
    return root - b > 0.0 ? c / (root - b) : INFINITY;
}


void rico_nt_move(const rico_nt_frame *frame, double step, const double d[3], rico_lorentz_point *x)
{
    double a, b, c, v[3];
    expand(frame, x, d, &a, &b, &c);
    rico_nt_vector(frame, d, v);
    double normal = rico_lorentz_point_normal(x) + step * v[0];
    double det = (a * step + 2.0 * b) * step + c;
    x->t[0] += step * v[1];
    x->t[1] += step * v[2];
    double slope = hypot(x->t[0], x->t[1]), depth = det / (normal + slope);
    // what rounding leaves of a step that ends on the boundary
    x->depth = depth > DBL_EPSILON * x->depth ? depth : DBL_EPSILON * x->depth;
}
