// The condition of an operator by LSMR's recurrences: lsmr.h.

#include "la/lsmr.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

typedef struct rotation {
    double c, s, r; // of (a, b) onto (r, 0)
} rotation;


static rotation turn(double a, double b)
{
    double r = hypot(a, b);
    return r > 0.0 ? (rotation){a / r, b / r, r} : (rotation){1.0, 0.0, 0.0};
}


// x = (y - factor x) / length; returns the length.
static double next_vector(int64_t n, const double *y, double factor, double *x)
{
    for (int64_t i = 0; i < n; i++) x[i] = y[i] - factor * x[i];
    double length = rico_norm(n, x);
    for (int64_t i = 0; length > 0.0 && i < n; i++) x[i] /= length;
    return length;
}


// The recurrences from b, with u, v and y as room.
static double estimate(int64_t n, const rico_two_sided *A, const double *b, double tol, int64_t steps,
                       double *u, double *v, double *y)
{
    double beta = next_vector(n, b, 0.0, u), alpha = 0.0, condition = NAN;
    if (beta > 0.0) {
        A->transpose_times(A->user, u, y);
        alpha = next_vector(n, y, 0.0, v);
    }
    double alpha_bar = alpha, rho_bar = 1.0, zeta_bar = alpha * beta, first = zeta_bar, largest = 0.0,
           smallest = INFINITY;
    rotation bar = {1.0, 0.0, 1.0};
    for (int64_t k = 1; alpha > 0.0 && k <= steps; k++) {
        A->times(A->user, v, y);
        beta = next_vector(n, y, alpha, u);
        alpha = 0.0;
        if (beta > 0.0) {
            A->transpose_times(A->user, u, y);
            alpha = next_vector(n, y, beta, v);
        }
        rotation plain = turn(alpha_bar, beta);
        double theta = plain.s * alpha, last = rho_bar, now = bar.c * plain.r;
        alpha_bar = plain.c * alpha;
        bar = turn(now, theta);
        rho_bar = bar.r;
        zeta_bar *= -bar.s;
        if (k > 1) {
            largest = fmax(largest, last);
            smallest = fmin(smallest, last);
        }
        if (now > 0.0) condition = fmax(largest, now) / fmin(smallest, now);
        if (fabs(zeta_bar) <= tol * first) break;
    }
    return condition;
}


rico_status rico_lsmr_condition(rico_context *ctx, int64_t n, const rico_two_sided *A, const double *b,
                                double tol, int64_t steps, double *condition)
{
    double *u = rico_alloc(ctx, n, sizeof *u), *v = rico_alloc(ctx, n, sizeof *v),
           *y = rico_alloc(ctx, n, sizeof *y);
    rico_status status = u && v && y ? RICO_OK : RICO_NO_MEMORY;
    if (!status) *condition = estimate(n, A, b, tol, steps, u, v, y);
    rico_free(ctx, u);
    rico_free(ctx, v);
    rico_free(ctx, y);
    return status;
}
