// Projection onto Coulomb's cone in a metric of its own: skew.h.
//
// On the surface of the cone, where y'J y = 0 with J = diag(mu^2, -1, -1), R(y - x) = lambda J y. In the axes that make both R and J
// diagonal, R = 1 and J = diag(e), y_i = c_i / (1 - lambda e_i) with c the coordinates of x: one equation for lambda, sum e_i y_i^2 = 0,
// whose left-hand side grows with lambda. With s = 1/lambda it has one root, above the positive e where x leans to K, below where it
// leans away.

#include "cone/skew.h"

#include "la/mat3.h"

#include <math.h>

enum { BISECTIONS = 200 };


bool rico_skew_create(int rows, double mu, const double *R, rico_skew *out)
{
    *out = (rico_skew){.mu = mu, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++) out->R[3 * i + j] = 0.5 * (R[i * rows + j] + R[j * rows + i]);
    double values[3], vectors[9], root[9], J[9], turned[9];
    if (!(mu > 0.0)) return false;
    rico_mat3_symmetric_eigen(out->R, values, vectors);
    if (!(values[0] > 1e-12 * values[2])) return false;

    // R^-1/2 (columns scaled), then the eigenvectors of R^-1/2' J R^-1/2
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) root[3 * i + j] = vectors[3 * i + j] / sqrt(values[j]);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            J[3 * i + j] =
                mu * mu * root[i] * root[j] - root[3 + i] * root[3 + j] - root[6 + i] * root[6 + j];
    rico_mat3_symmetric_eigen(J, out->stretch, turned);
    rico_mat3_multiply(root, turned, out->axis);
    if (out->axis[2] < 0.0) // the last axis points into K
        for (int i = 0; i < 3; i++) out->axis[3 * i + 2] *= -1.0;
    return out->stretch[2] > 0.0;
}


// sum e_i c_i^2 / (s - e_i)^2: its sign at s.
static double slope(const rico_skew *k, const double c[3], double s)
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        double y = c[i] / (s - k->stretch[i]);
        sum += k->stretch[i] * y * y;
    }
    return sum;
}


void rico_skew_project(const rico_skew *k, int rows, double *x)
{
    double x3[3] = {x[0], x[1], rows > 2 ? x[2] : 0.0}, Rx[3], c[3], y[3];
    if (hypot(x3[1], x3[2]) <= k->mu * x3[0]) return;
    rico_mat3_times(k->R, x3, Rx);
    if (k->mu * hypot(Rx[1], Rx[2]) <= -Rx[0]) { // the apex: R(0 - x) in K*
        for (int i = 0; i < rows; i++) x[i] = 0.0;
        return;
    }
    rico_mat3_transpose_times(k->axis, Rx, c);

    // positive just above (below) the last stretch, negative far above (at zero)
    double top = k->stretch[2], inner = top, outer = c[2] >= 0.0 ? 2.0 * top : 0.0;
    for (int i = 0; i < BISECTIONS && c[2] >= 0.0 && slope(k, c, outer) > 0.0; i++) outer *= 2.0;
    for (int i = 0; i < BISECTIONS; i++) {
        double middle = 0.5 * (inner + outer);
        if (middle == inner || middle == outer) break;
        if (slope(k, c, middle) > 0.0)
            inner = middle;
        else
            outer = middle;
    }

    // the last coordinate from the equation itself: c_2 / (s - e_2) may be 0/0
    double square = 0.0;
    for (int i = 0; i < 2; i++) {
        y[i] = c[i] * outer / (outer - k->stretch[i]);
        square -= k->stretch[i] * y[i] * y[i];
    }
    y[2] = sqrt(fmax(square, 0.0) / top);
    rico_mat3_times(k->axis, y, c);

    // onto the surface to the last digit
    double slip = hypot(c[1], c[2]), normal = fmax(c[0], 0.0),
           shrink = slip > 0.0 ? k->mu * normal / slip : 0.0;
    x[0] = normal;
    for (int i = 1; i < rows; i++) x[i] = shrink * c[i];
}
