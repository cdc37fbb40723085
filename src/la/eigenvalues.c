// Eigenvalues of a general dense matrix, by LAPACK.

#include "la/eigenvalues.h"

#include "la/blas.h"
#include "la/dense.h"

#include <lapacke.h>

enum { WORK = 8 }; // numbers of work space a row: twice what dgeev needs


rico_status rico_eigenvalues(rico_context *ctx, int64_t n, double *a, double *real, double *imag)
{
    double unused = 0.0;
    lapack_int order = (lapack_int)n;
    if (n == 0) return RICO_OK;
    if (!rico_all_finite(n * n, a))
        return rico_fail(ctx, RICO_SINGULAR, "a matrix of order %lld is not finite: it has no eigenvalues",
                         (long long)n);
    double *work = rico_alloc(ctx, WORK * n, sizeof *work);
    if (!work) return RICO_NO_MEMORY;
    bool held = rico_blas_hold();
    lapack_int info = LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'N', 'N', order, a, order, real, imag, &unused, 1,
                                         &unused, 1, work, WORK * order);
    rico_blas_release(held);
    rico_free(ctx, work);
    if (info != 0)
        return rico_fail(ctx, RICO_INTERNAL, "no eigenvalues of a matrix of order %lld: dgeev says %d",
                         (long long)n, (int)info);
    return RICO_OK;
}
