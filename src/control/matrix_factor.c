// Small dense matrices on a pad: factorizations, by LAPACK.

#include "control/matrix.h"
#include "la/blas.h"
#include "la/dense.h"
#include "la/eigenvalues.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>

static const double LEAST_RECIPROCAL_CONDITION = 1e-14;


static void fail(rico_pad *pad, const char *routine, lapack_int info, int64_t order)
{
    pad->status = rico_fail(pad->ctx, RICO_INTERNAL, "%s says %d on a matrix of order %lld", routine,
                            (int)info, (long long)order);
}


// LAPACK may loop or abort on what is not finite.
static bool entries_finite(rico_pad *pad, rico_mat a)
{
    if (pad->status != RICO_OK) return false;
    if (rico_all_finite(a.rows * a.cols, a.a)) return true;
    pad->status =
        rico_fail(pad->ctx, RICO_SINGULAR, "a matrix of %lld x %lld in a formula of control is not finite",
                  (long long)a.rows, (long long)a.cols);
    return false;
}


static double one_norm(rico_mat a)
{
    double largest = 0.0;
    for (int64_t j = 0; j < a.cols; j++) {
        double sum = 0.0;
        for (int64_t i = 0; i < a.rows; i++) sum += fabs(*rico_mat_at(a, i, j));
        largest = fmax(largest, sum);
    }
    return largest;
}


rico_mat rico_mat_divide(rico_pad *pad, rico_mat a, rico_mat b)
{
    int64_t n = a.rows;
    rico_mat x = rico_mat_copy(pad, b.rows, b.cols, b.a), lu = rico_mat_copy(pad, n, n, a.a);
    int32_t *pivot = rico_pad_take(pad, n, sizeof *pivot);
    double *work = rico_pad_take(pad, 4 * n, sizeof *work);
    lapack_int *whole = rico_pad_take(pad, n, sizeof *whole);
    if (!entries_finite(pad, a) || n == 0) return x;
    double reciprocal = 0.0, norm = one_norm(a);
    pad->status = rico_dense_lu(pad->ctx, n, lu.a, pivot);
    if (pad->status != RICO_OK) return x;
    bool held = rico_blas_hold();
    lapack_int info = LAPACKE_dgecon_work(LAPACK_COL_MAJOR, '1', (lapack_int)n, lu.a, (lapack_int)n, norm,
                                          &reciprocal, work, whole);
    rico_blas_release(held);
    if (info != 0)
        fail(pad, "dgecon", info, n);
    else if (reciprocal < LEAST_RECIPROCAL_CONDITION)
        pad->status = rico_fail(pad->ctx, RICO_SINGULAR, "a matrix of order %lld has the condition %.2g",
                                (long long)n, 1.0 / reciprocal);
    else
        rico_dense_lu_solve(n, lu.a, pivot, b.cols, x.a);
    return x;
}


rico_mat_svd rico_mat_svd_of(rico_pad *pad, rico_mat a)
{
    int64_t least = a.rows < a.cols ? a.rows : a.cols, work_size = 10 * (a.rows + a.cols) + 10;
    rico_mat_svd svd = {.u = rico_mat_eye(pad, a.rows), .vt = rico_mat_eye(pad, a.cols)};
    rico_mat copy = rico_mat_copy(pad, a.rows, a.cols, a.a);
    double *work = rico_pad_take(pad, work_size, sizeof *work);
    svd.s = rico_pad_take(pad, least, sizeof *svd.s);
    if (!entries_finite(pad, a) || least == 0) return svd;
    lapack_int rows = (lapack_int)a.rows, cols = (lapack_int)a.cols;
    bool held = rico_blas_hold();
    lapack_int info = LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'A', 'A', rows, cols, copy.a, rows, svd.s,
                                          svd.u.a, rows, svd.vt.a, cols, work, (lapack_int)work_size);
    rico_blas_release(held);
    if (info != 0) fail(pad, "dgesvd", info, a.rows);
    return svd;
}


double rico_mat_norm(rico_pad *pad, rico_mat a)
{
    rico_mat_svd svd = rico_mat_svd_of(pad, a);
    return pad->status == RICO_OK && a.rows > 0 && a.cols > 0 ? svd.s[0] : 0.0;
}


rico_mat_schur rico_mat_schur_of(rico_pad *pad, rico_mat a)
{
    int64_t n = a.rows, work_size = 10 * n + 10;
    rico_mat_schur schur = {.t = rico_mat_copy(pad, n, n, a.a), .u = rico_mat_eye(pad, n)};
    schur.real = rico_pad_take(pad, n, sizeof *schur.real);
    schur.imag = rico_pad_take(pad, n, sizeof *schur.imag);
    double *work = rico_pad_take(pad, work_size, sizeof *work);
    if (!entries_finite(pad, a) || n == 0) return schur;
    lapack_int order = (lapack_int)n, leading = 0;
    bool held = rico_blas_hold();
    lapack_int info =
        LAPACKE_dgees_work(LAPACK_COL_MAJOR, 'V', 'N', NULL, order, schur.t.a, order, &leading, schur.real,
                           schur.imag, schur.u.a, order, work, (lapack_int)work_size, NULL);
    rico_blas_release(held);
    if (info != 0) fail(pad, "dgees", info, n);
    return schur;
}


double rico_mat_least_eigenvalue(rico_pad *pad, rico_mat a)
{
    rico_mat copy = rico_mat_copy(pad, a.rows, a.cols, a.a);
    double *values = rico_pad_take(pad, a.rows, sizeof *values);
    if (!entries_finite(pad, a) || a.rows == 0) return 0.0;
    pad->status = rico_dense_eigen(pad->ctx, a.rows, copy.a, false, values);
    return pad->status == RICO_OK ? values[0] : 0.0;
}


double rico_mat_spectral_radius(rico_pad *pad, rico_mat a)
{
    int64_t n = a.rows;
    double largest = 0.0, *real = rico_pad_take(pad, n, sizeof *real),
           *imag = rico_pad_take(pad, n, sizeof *imag);
    rico_mat copy = rico_mat_copy(pad, n, n, a.a);
    if (pad->status != RICO_OK) return 0.0;
    pad->status = rico_eigenvalues(pad->ctx, n, copy.a, real, imag);
    for (int64_t i = 0; i < n && pad->status == RICO_OK; i++)
        largest = fmax(largest, hypot(real[i], imag[i]));
    return largest;
}
