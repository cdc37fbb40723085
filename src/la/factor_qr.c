// Sparse rank-revealing QR, A E = Q R: SPQR, ordered by COLAMD.

#include "base/random.h"
#include "la/dense.h"
#include "la/factor_kind.h"

#include <math.h>
#include <string.h>

// 1 / (|A| |R^-1|) in the 2-norm, each norm by a few steps of power iteration, on A'A and on (R'R)^-1: SPQR does not
// show the diagonal of R. Both norms are underestimated, mildly. 0 below full rank.
static rico_status qr_condition(rico_factor *factor, const rico_csc *a, double *reciprocal)
{
    enum { STEPS = 5 };
    rico_context *ctx = factor->ctx;
    cholmod_common *common = &factor->common;
    int64_t m = factor->rows, n = factor->cols;
    *reciprocal = 0.0;
    if (factor->stats.rank < (m < n ? m : n)) return RICO_OK;

    rico_status status = RICO_NO_MEMORY;
    double *x = rico_alloc(ctx, n, sizeof *x), *y = rico_alloc(ctx, m, sizeof *y);
    if (!x || !y) goto done;

    rico_random random;
    rico_random_seed(&random, 0);
    for (int64_t j = 0; j < n; j++) x[j] = rico_random_normal(&random);
    double stretch = 0.0;
    for (int step = 0; step < STEPS; step++) {
        double size = rico_norm(n, x);
        for (int64_t j = 0; j < n; j++) x[j] /= size;
        rico_csc_times(a, 1.0, x, 0.0, y);
        stretch = rico_norm(m, y);
        rico_csc_transpose_times(a, 1.0, y, 0.0, x);
    }

    for (int64_t i = 0; i < m; i++) y[i] = i < factor->stats.rank ? rico_random_normal(&random) : 0.0;
    double inverse = 0.0;
    for (int step = 0; step < STEPS; step++) {
        double size = rico_norm(m, y);
        for (int64_t i = 0; i < m; i++) y[i] /= size;
        cholmod_dense view = rico_cholmod_dense(m, 1, y);
        cholmod_dense *solved = SuiteSparseQR_C_solve(SPQR_RX_EQUALS_B, factor->qr, &view, common);
        cholmod_dense *back =
            solved ? SuiteSparseQR_C_solve(SPQR_RTX_EQUALS_B, factor->qr, solved, common) : NULL;
        bool both = solved && back;
        if (both) {
            inverse = rico_norm(n, solved->x);
            memcpy(y, back->x, (size_t)m * sizeof *y);
        }
        cholmod_l_free_dense(&solved, common);
        cholmod_l_free_dense(&back, common);
        if (!both) {
            status = rico_cholmod_fail(factor, "condition of the QR factorization");
            goto done;
        }
    }
    *reciprocal = fmin(1.0 / (stretch * inverse), 1.0);
    status = RICO_OK;

done:
    rico_free(ctx, y);
    rico_free(ctx, x);
    return status;
}


static void qr_release(rico_factor *factor)
{
    if (factor->qr) SuiteSparseQR_C_free(&factor->qr, &factor->common);
}


static rico_status qr_factorize(rico_factor *factor, const rico_csc *a)
{
    cholmod_common *common = &factor->common;
    qr_release(factor);
    cholmod_sparse view = rico_cholmod_view(a, 0);
    factor->qr = SuiteSparseQR_C_factorize(SPQR_ORDERING_COLAMD, SPQR_DEFAULT_TOL, &view, common);
    if (!factor->qr || common->status < CHOLMOD_OK) return rico_cholmod_fail(factor, "QR factorization");
    factor->stats.entries =
        common->SPQR_istat[0] + common->SPQR_istat[1]; // of R and of the Householder vectors
    factor->stats.rank = common->SPQR_istat[4];
    return qr_condition(factor, a, &factor->stats.reciprocal_condition);
}


// Multiplies by Q' and solves with R (least squares), or solves with R' and multiplies by Q (minimum norm).
static rico_status qr_apply(rico_factor *factor, bool minimum_norm, int64_t count, const double *b, double *x)
{
    cholmod_common *common = &factor->common;
    int64_t from = minimum_norm ? factor->cols : factor->rows,
            to = minimum_norm ? factor->rows : factor->cols;
    cholmod_dense right = rico_cholmod_dense(from, count, b);
    cholmod_dense *middle, *found = NULL;
    if (minimum_norm) {
        middle = SuiteSparseQR_C_solve(SPQR_RTX_EQUALS_ETB, factor->qr, &right, common);
        if (middle) found = SuiteSparseQR_C_qmult(SPQR_QX, factor->qr, middle, common);
    } else {
        middle = SuiteSparseQR_C_qmult(SPQR_QTX, factor->qr, &right, common);
        if (middle) found = SuiteSparseQR_C_solve(SPQR_RETX_EQUALS_B, factor->qr, middle, common);
    }
    if (found) memcpy(x, found->x, (size_t)(to * count) * sizeof *x);
    rico_status status = found ? RICO_OK : rico_cholmod_fail(factor, "QR solve");
    cholmod_l_free_dense(&middle, common);
    cholmod_l_free_dense(&found, common);
    return status;
}


static rico_status qr_solve(rico_factor *factor, bool transpose, int64_t count, const double *b, double *x)
{
    (void)transpose; // refused by rico_factor_solve_transpose()
    return qr_apply(factor, false, count, b, x);
}


rico_status rico_spqr_minimum_norm(rico_factor *factor, const double *b, double *x)
{
    return qr_apply(factor, true, 1, b, x);
}


const rico_factor_method rico_spqr_method = {NULL, qr_factorize, qr_solve, qr_release, true};
