// Curves of solutions: Newton's method on a bordered system, and steps along its kernel.

#include "orbit/curve.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

enum { MOST = RICO_CURVE_UNKNOWNS, NEWTON = 20 };


// Rows of the derivative first, the border last.
static bool bordered(const rico_curve *curve, const double *x, const double *border, double *J)
{
    int64_t m = curve->equations, size = m + 1;
    for (int64_t c = 0; c < size; c++) {
        double moved[MOST], ahead[MOST], behind[MOST], step = 1e-6 * fmax(0.1, fabs(x[c]));
        memcpy(moved, x, (size_t)size * sizeof *x);
        moved[c] = x[c] + step;
        if (curve->function(curve->user, moved, ahead) != RICO_OK) return false;
        moved[c] = x[c] - step;
        if (curve->function(curve->user, moved, behind) != RICO_OK) return false;
        for (int64_t r = 0; r < m; r++) J[r + size * c] = (ahead[r] - behind[r]) / (2.0 * step);
        J[m + size * c] = border[c];
    }
    return rico_all_finite(size * size, J);
}


bool rico_curve_newton(const rico_curve *curve, const double *border, double *x)
{
    int64_t m = curve->equations, size = m + 1;
    double F[MOST], J[MOST * MOST], before = INFINITY;
    int32_t pivot[MOST];
    for (int round = 0; round < NEWTON; round++) {
        if (curve->function(curve->user, x, F) != RICO_OK || !rico_all_finite(m, F)) return false;
        double now = rico_norm_inf(m, F);
        if (now <= curve->tolerance && (now == 0.0 || now > 0.1 * before)) return true; // no better any more
        if (round > 6 && now <= curve->tolerance) return true;
        before = now;
        F[m] = 0.0;
        if (!bordered(curve, x, border, J) || rico_dense_lu(curve->ctx, size, J, pivot) != RICO_OK)
            return false;
        rico_dense_lu_solve(size, J, pivot, 1, F);
        for (int64_t i = 0; i < size; i++) x[i] -= F[i];
    }
    return false;
}


bool rico_curve_tangent(const rico_curve *curve, const double *x, const double *border, double *out)
{
    int64_t m = curve->equations, size = m + 1;
    double J[MOST * MOST];
    int32_t pivot[MOST];
    if (!bordered(curve, x, border, J) || rico_dense_lu(curve->ctx, size, J, pivot) != RICO_OK) return false;
    for (int64_t i = 0; i < size; i++) out[i] = i == m ? 1.0 : 0.0;
    rico_dense_lu_solve(size, J, pivot, 1, out);
    double length = rico_norm(size, out);
    if (!(length > 0.0 && isfinite(length))) return false;
    for (int64_t i = 0; i < size; i++) out[i] /= length;
    return true;
}


bool rico_curve_advance(const rico_curve *curve, const double *x, const double *along, double h, double *next,
                        double *turned)
{
    int64_t size = curve->equations + 1;
    double off = 0.0;
    for (int64_t i = 0; i < size; i++) next[i] = x[i] + h * along[i];
    if (!rico_curve_newton(curve, along, next)) return false;
    for (int64_t i = 0; i < size; i++) {
        double away = next[i] - x[i] - h * along[i];
        off += away * away;
    }
    if (sqrt(off) > 0.5 * h || !rico_curve_tangent(curve, next, along, turned)) return false;
    return rico_dot(size, turned, along) > 0.9;
}
