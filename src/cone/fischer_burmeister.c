// The Fischer-Burmeister map on the second-order cone: phi(x, y) = x + y - (x^2 + y^2)^(1/2) (eq. 76-78).
//
// Of the two self-dual scalings of the source, eq. 68 is used: x = (mu r_N, r_T), y = (hat(u)_N, mu u_T). Eq. 79
// divides y by mu, which weighs velocities against impulses by 1/mu^2 in the normal and is lost to overflow for
// weak friction; eq. 68 divides by nothing. At mu = 0 it would forget r_N; there the law is r_T = 0 and scalar
// complementarity of u_N and r_N, and the map says just that.
//
// With c the direction of x_N x_T + y_N y_T, the spectral values of x^2 + y^2 are sums of squares,
//     lambda_1 = |x_T - x_N c|^2 + |y_T - y_N c|^2,    lambda_2 = |x_T + x_N c|^2 + |y_T + y_N c|^2,
// free of the cancellation of eq. 78 where the square root is least forgiving.

#include "cone/maps.h"

#include "ricochet/cone.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Below this relative size sqrt(lambda_1) is round-off and the point counts as one of the kink.
static const double KINK = 16.0 * DBL_EPSILON;


// What phi and its Jacobian share, for x and y scaled so that their largest entry is 1.
typedef struct spectrum {
    double c[2];    // direction of x_N x_T + y_N y_T
    double root[2]; // square roots of the spectral values, root[0] <= root[1]
} spectrum;

static void decompose(const double x[3], const double y[3], spectrum *s)
{
    double w[2] = {x[0] * x[1] + y[0] * y[1], x[0] * x[2] + y[0] * y[2]};
    double length = hypot(w[0], w[1]);
    s->c[0] = length > 0.0 ? w[0] / length : 1.0; // any direction will do: both spectral values are equal
    s->c[1] = length > 0.0 ? w[1] / length : 0.0;

    double low = 0.0, high = 0.0;
    for (int i = 0; i < 2; i++) {
        double p = x[1 + i] - x[0] * s->c[i], P = x[1 + i] + x[0] * s->c[i];
        double q = y[1 + i] - y[0] * s->c[i], Q = y[1 + i] + y[0] * s->c[i];
        low += p * p + q * q;
        high += P * P + Q * Q;
    }
    s->root[0] = sqrt(low);
    s->root[1] = sqrt(high);
}


// I - L(z)^-1 L(x), z = (x^2 + y^2)^(1/2), from the spectrum of z:
//     L(z)^-1 = (2/root_1) c_1 c_1' + (2/root_2) c_2 c_2' + (2/(root_1 + root_2)) f f',
// c_i = (1, -+c)/2, f = (0, c turned by a right angle). L(x) c_1 = (-c.p, p)/2 with p = x_T - x_N c, so the first
// term stays bounded as root_1 goes to zero: p/root_1 is part of a unit vector. On the kink that vector is free;
// p/root_1 = -x_N c / |(x_N, y_N)| is its value when x and y leave the surface along the axis, into the cone when
// they are on it and into its opposite when they are on that.
static void derivative(const double x[3], const double y[3], const spectrum *s, double matrix[9])
{
    const double *c = s->c;
    double f[2] = {-c[1], c[0]};
    double p[2], P[2];
    for (int i = 0; i < 2; i++) {
        P[i] = (x[1 + i] + x[0] * c[i]) / s->root[1];
        if (s->root[0] > KINK * s->root[1])
            p[i] = (x[1 + i] - x[0] * c[i]) / s->root[0];
        else
            p[i] = -x[0] * c[i] / hypot(x[0], y[0]);
    }

    // rows c_1'L(x), c_2'L(x), f'L(x), each over its spectral value
    double low[3] = {-(c[0] * p[0] + c[1] * p[1]), p[0], p[1]};
    double high[3] = {c[0] * P[0] + c[1] * P[1], P[0], P[1]};
    double mean = 0.5 * (s->root[0] + s->root[1]);
    double turn[3] = {(f[0] * x[1] + f[1] * x[2]) / mean, x[0] * f[0] / mean, x[0] * f[1] / mean};

    for (int j = 0; j < 3; j++) {
        matrix[j] = (j == 0 ? 1.0 : 0.0) - 0.5 * (low[j] + high[j]);
        for (int i = 0; i < 2; i++)
            matrix[3 * (1 + i) + j] =
                (j == 1 + i ? 1.0 : 0.0) - 0.5 * c[i] * (high[j] - low[j]) - f[i] * turn[j];
    }
}


// phi(x, y) with the blocks of its Jacobian unless dx is NULL. phi is positively homogeneous, so scaling to size
// one keeps the squares in range. At x = y = 0 the Jacobian is that along x = y = (1, 0, 0): regular, and the
// same in every frame.
static void fischer_burmeister(const double x[3], const double y[3], double phi[3], double dx[9],
                               double dy[9])
{
    double size = 0.0;
    for (int i = 0; i < 3; i++) size += fabs(x[i]) + fabs(y[i]); // a sum, for a NaN to survive
    if (size == 0.0) {
        memset(phi, 0, 3 * sizeof *phi);
        if (!dx) return;
        memset(dx, 0, 9 * sizeof *dx);
        memset(dy, 0, 9 * sizeof *dy);
        for (int i = 0; i < 9; i += 4) dx[i] = dy[i] = 1.0 - sqrt(0.5);
        return;
    }

    double a[3], b[3];
    for (int i = 0; i < 3; i++) {
        a[i] = x[i] / size;
        b[i] = y[i] / size;
    }
    spectrum s;
    decompose(a, b, &s);
    phi[0] = size * (a[0] + b[0] - 0.5 * (s.root[0] + s.root[1]));
    for (int i = 0; i < 2; i++)
        phi[1 + i] = size * (a[1 + i] + b[1 + i] - 0.5 * (s.root[1] - s.root[0]) * s.c[i]);
    if (!dx) return;
    derivative(a, b, &s, dx);
    derivative(b, a, &s, dy);
}


// Frictionless: r_T = 0 and the scalar Fischer-Burmeister function of u_N and r_N.
static void frictionless(const double u[3], const double r[3], double F[3], double du[9], double dr[9])
{
    double size = hypot(u[0], r[0]);
    F[0] = u[0] + r[0] - size;
    F[1] = r[1];
    F[2] = r[2];
    if (!du) return;

    memset(du, 0, 9 * sizeof *du);
    memset(dr, 0, 9 * sizeof *dr);
    du[0] = 1.0 - (size > 0.0 ? u[0] / size : sqrt(0.5));
    dr[0] = 1.0 - (size > 0.0 ? r[0] / size : sqrt(0.5));
    dr[4] = dr[8] = 1.0;
}


void rico_map_fischer_burmeister(double mu, double rho_n, double rho_t, const double u[3], const double r[3],
                                 double F[3], double du[9], double dr[9])
{
    (void)rho_n;
    (void)rho_t;
    if (mu == 0.0) {
        frictionless(u, r, F, du, dr);
        return;
    }

    double hat[3], dx[9], dy[9];
    rico_desaxce(mu, u, hat);
    double x[3] = {mu * r[0], r[1], r[2]};
    double y[3] = {hat[0], mu * hat[1], mu * hat[2]};
    fischer_burmeister(x, y, F, du ? dx : NULL, du ? dy : NULL);
    if (!du) return;

    // dy/du = diag(1, mu, mu) hat'(u), with hat' zero in its slip row when u_T = 0: a path that brings the kink
    // of phi can carry a slip of second order along w or -w, and the mean of the two is taken
    double hat_jacobian[9];
    rico_desaxce_jacobian(mu, u, hat_jacobian);
    for (int i = 0; i < 3; i++) {
        du[3 * i] = dy[3 * i];
        dr[3 * i] = mu * dx[3 * i];
        for (int j = 1; j < 3; j++) {
            du[3 * i + j] = mu * dy[3 * i + j] + dy[3 * i] * hat_jacobian[j];
            dr[3 * i + j] = dx[3 * i + j];
        }
    }
}
