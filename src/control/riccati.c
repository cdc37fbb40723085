// Riccati's and Lyapunov's equations by real Schur forms.
//
// X = U2 U1^-1 where the columns of [U1; U2] span the stable invariant subspace of the Hamiltonian [A -R; -Q -A'] (Laub 1979). R may have
// any sign, as the Riccati equations of H-infinity control need it.

#include "ricochet/control.h"

#include "control/response.h"
#include "la/blas.h"
#include "la/dense.h"

#include <lapacke.h>
#include <math.h>

static const double UNEVEN = 1e-6; // largest |X - X'| of a solution, against X


rico_mat rico_mat_riccati(rico_pad *pad, rico_mat a, rico_mat r, rico_mat q, bool *found)
{
    int64_t n = a.rows;
    rico_mat h = rico_mat_zero(pad, 2 * n, 2 * n), x = rico_mat_zero(pad, n, n);
    *found = false;
    rico_mat_put(pad, h, 0, 0, a);
    rico_mat_put(pad, h, 0, n, rico_mat_sum(pad, -1.0, r, 0.0, r));
    rico_mat_put(pad, h, n, 0, rico_mat_sum(pad, -1.0, q, 0.0, q));
    rico_mat_put(pad, h, n, n, rico_mat_sum(pad, -1.0, rico_mat_transpose(pad, a), 0.0, a));
    rico_mat_schur schur = rico_mat_schur_of(pad, h, true);
    if (pad->status != RICO_OK || schur.leading != n) return x;
    // X' = U1'^-1 U2'; no matrix X belongs to a subspace whose U1 is singular
    rico_mat u1 = rico_mat_transpose(pad, rico_mat_part(pad, schur.u, 0, n, 0, n));
    rico_mat u2 = rico_mat_transpose(pad, rico_mat_part(pad, schur.u, n, n, 0, n));
    rico_mat xt = rico_mat_divide(pad, u1, u2);
    if (pad->status == RICO_SINGULAR) {
        pad->status = RICO_OK;
        return x;
    }
    x = rico_mat_sum(pad, 0.5, xt, 0.5, rico_mat_transpose(pad, xt));
    // eigenvalues on the axis itself that round-off sorted by chance: their vectors span no solution, which shows as X != X'
    double uneven = rico_mat_largest(rico_mat_sum(pad, 1.0, xt, -1.0, x));
    *found = pad->status == RICO_OK && uneven <= UNEVEN * rico_mat_largest(x);
    return x;
}


rico_status rico_riccati(rico_context *ctx, int64_t n, const double *a, const double *r, const double *q,
                         double *x)
{
    bool found;
    if (n < 0 || !rico_all_finite(n * n, a) || !rico_all_finite(n * n, r) || !rico_all_finite(n * n, q))
        return rico_fail(ctx, RICO_BAD_INPUT,
                         "a Riccati equation of order %lld with entries that are not finite", (long long)n);
    rico_pad pad = rico_pad_open(ctx);
    rico_mat solution = rico_mat_riccati(&pad, rico_mat_copy(&pad, n, n, a), rico_mat_copy(&pad, n, n, r),
                                         rico_mat_copy(&pad, n, n, q), &found);
    if (pad.status == RICO_OK && !found)
        pad.status = rico_fail(
            ctx, RICO_SINGULAR,
            "the Riccati equation of order %lld has no solution that stabilizes: its Hamiltonian matrix "
            "has no stable subspace over all of x",
            (long long)n);
    for (int64_t i = 0; i < n * n && pad.status == RICO_OK; i++) x[i] = solution.a[i];
    return rico_pad_close(&pad);
}


// With A = U T U': T Y + Y T' = -U'Q U and X = U Y U' (Bartels and Stewart 1972).
rico_status rico_lyapunov(rico_context *ctx, int64_t n, const double *a, const double *q, double *x)
{
    if (n < 0 || !rico_all_finite(n * n, a) || !rico_all_finite(n * n, q))
        return rico_fail(ctx, RICO_BAD_INPUT,
                         "a Lyapunov equation of order %lld with entries that are not finite", (long long)n);
    if (n == 0) return RICO_OK;
    rico_pad pad = rico_pad_open(ctx);
    rico_mat_schur schur = rico_mat_schur_of(&pad, rico_mat_copy(&pad, n, n, a), false);
    rico_mat ut = rico_mat_transpose(&pad, schur.u);
    rico_mat y = rico_mat_product3(&pad, ut, rico_mat_copy(&pad, n, n, q), schur.u);
    if (pad.status == RICO_OK) {
        double scale = 1.0;
        lapack_int order = (lapack_int)n;
        bool held = rico_blas_hold();
        lapack_int info = LAPACKE_dtrsyl_work(LAPACK_COL_MAJOR, 'N', 'T', 1, order, order, schur.t.a, order,
                                              schur.t.a, order, y.a, order, &scale);
        rico_blas_release(held);
        if (info != 0 || scale < 1e-300)
            pad.status =
                rico_fail(ctx, RICO_SINGULAR,
                          "the Lyapunov equation of order %lld is singular: two eigenvalues add up to zero",
                          (long long)n);
        else
            y = rico_mat_sum(&pad, -1.0 / scale, y, 0.0, y);
    }
    rico_mat solution = rico_mat_product3(&pad, schur.u, y, ut);
    for (int64_t j = 0; j < n && pad.status == RICO_OK; j++)
        for (int64_t i = 0; i < n; i++)
            x[i + j * n] = 0.5 * (*rico_mat_at(solution, i, j) + *rico_mat_at(solution, j, i));
    return rico_pad_close(&pad);
}
