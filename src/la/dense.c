// Dense kernels: short loops of our own where the order of a sum matters, BLAS and LAPACK for the rest.
//
// OpenBLAS splits long sums between its threads, so that results would depend on their number. Sums over vectors
// are therefore done here, in one fixed order, and BLAS is held to one thread (la/blas.h).

#include "la/dense.h"

#include "la/blas.h"

#include <cblas.h>
#include <float.h>
#include <lapacke.h>
#include <limits.h>
#include <math.h>
#include <string.h>

_Static_assert(sizeof(lapack_int) == sizeof(int32_t), "LAPACK with 32-bit integers is expected");


// Four partial sums: short chains of additions for the processor, a fixed order for everyone.
double rico_dot(int64_t n, const double *x, const double *y)
{
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    int64_t i = 0;
    for (; i + 4 <= n; i += 4) {
        s0 += x[i] * y[i];
        s1 += x[i + 1] * y[i + 1];
        s2 += x[i + 2] * y[i + 2];
        s3 += x[i + 3] * y[i + 3];
    }
    for (; i < n; i++) s0 += x[i] * y[i];
    return (s0 + s2) + (s1 + s3);
}


double rico_norm(int64_t n, const double *x)
{
    // nearly always the plain sum is neither too large nor too small to be trusted
    double square = rico_dot(n, x, x);
    if (square > DBL_MIN / DBL_EPSILON && square <= DBL_MAX) return sqrt(square);

    double largest = rico_norm_inf(n, x);
    if (largest == 0.0 || !isfinite(largest)) return largest;
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) {
        double scaled = x[i] / largest;
        sum += scaled * scaled;
    }
    return largest * sqrt(sum);
}


double rico_norm_inf(int64_t n, const double *x)
{
    double largest = 0.0;
    for (int64_t i = 0; i < n; i++) {
        double size = fabs(x[i]);
        if (isnan(size)) return NAN;
        if (size > largest) largest = size;
    }
    return largest;
}


bool rico_all_finite_long(int64_t n, const double *x)
{
    // 0 x is 0 for a finite x and NaN otherwise; sums need no branch, several of them no waiting for one another
    double sum[8] = {0.0};
    int64_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (int k = 0; k < 8; k++) sum[k] += 0.0 * x[i + k];
    for (; i < n; i++) sum[0] += 0.0 * x[i];
    return sum[0] + sum[1] + sum[2] + sum[3] + sum[4] + sum[5] + sum[6] + sum[7] == 0.0;
}


// y = beta y, where beta = 0 forgets even a NaN.
static void scale(int64_t n, double beta, double *y)
{
    if (beta == 0.0) {
        for (int64_t i = 0; i < n; i++) y[i] = 0.0;
    } else if (beta != 1.0) {
        for (int64_t i = 0; i < n; i++) y[i] *= beta;
    }
}


void rico_dense_times(int64_t rows, int64_t cols, double alpha, const double *a, const double *x, double beta,
                      double *y)
{
    scale(rows, beta, y);
    if (rows <= 0 || cols <= 0) return;
    if (rows <= INT_MAX && cols <= INT_MAX) {
        bool held = rico_blas_hold();
        cblas_dgemv(CblasColMajor, CblasNoTrans, (int)rows, (int)cols, alpha, a, (int)rows, x, 1, 1.0, y, 1);
        rico_blas_release(held);
        return;
    }
    for (int64_t j = 0; j < cols; j++) rico_axpy(rows, alpha * x[j], a + j * rows, y);
}


void rico_dense_transpose_times(int64_t rows, int64_t cols, double alpha, const double *a, const double *x,
                                double beta, double *y)
{
    scale(cols, beta, y);
    if (rows <= 0 || cols <= 0) return;
    if (rows <= INT_MAX && cols <= INT_MAX) {
        bool held = rico_blas_hold();
        cblas_dgemv(CblasColMajor, CblasTrans, (int)rows, (int)cols, alpha, a, (int)rows, x, 1, 1.0, y, 1);
        rico_blas_release(held);
        return;
    }
    for (int64_t j = 0; j < cols; j++) y[j] += alpha * rico_dot(rows, a + j * rows, x);
}


void rico_dense_transpose_product(int64_t rows, int64_t m, int64_t n, const double *a, const double *b,
                                  double *c)
{
    if (m <= 0 || n <= 0) return;
    if (rows > 0 && rows <= INT_MAX && m <= INT_MAX && n <= INT_MAX) {
        bool held = rico_blas_hold();
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, (int)m, (int)n, (int)rows, 1.0, a, (int)rows, b,
                    (int)rows, 0.0, c, (int)m);
        rico_blas_release(held);
        return;
    }
    for (int64_t j = 0; j < n; j++) rico_dense_transpose_times(rows, m, 1.0, a, b + j * rows, 0.0, c + j * m);
}


// LAPACK counts in 32 bits. Routines with blocked work space of order x block size (at most 64, twice at most)
// are held to an order at which that fits.
static const int64_t LARGEST_BLOCKED = INT32_MAX / 256;


static rico_status check_order(rico_context *ctx, const char *what, int64_t n, int64_t limit)
{
    if (n < 0 || n > limit)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "%s of a dense matrix of order %lld: 0 to %lld is possible",
                         what, (long long)n, (long long)limit);
    return RICO_OK;
}


// A negative info names an argument that LAPACK found wrong: ours to prevent, never the caller's doing.
static rico_status fail_lapack(rico_context *ctx, const char *routine, lapack_int info)
{
    return rico_fail(ctx, RICO_INTERNAL, "LAPACK's %s returned %d", routine, (int)info);
}


// LAPACK makes no promise on what is not finite: some routines go through it, some never end.
static rico_status fail_not_finite(rico_context *ctx, const char *what)
{
    return rico_fail(ctx, RICO_BAD_INPUT, "%s of a dense matrix that is not finite", what);
}


static rico_status check_lower(rico_context *ctx, const char *what, int64_t n, const double *a)
{
    for (int64_t j = 0; j < n; j++)
        if (!rico_all_finite(n - j, a + j * n + j)) return fail_not_finite(ctx, what);
    return RICO_OK;
}


rico_status rico_dense_cholesky(rico_context *ctx, int64_t n, double *a)
{
    rico_status status = check_order(ctx, "Cholesky factorization", n, INT32_MAX);
    if (status != RICO_OK || n == 0) return status;
    status = check_lower(ctx, "Cholesky factorization", n, a);
    if (status != RICO_OK) return status;

    bool held = rico_blas_hold();
    lapack_int info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', (lapack_int)n, a, (lapack_int)n);
    rico_blas_release(held);
    if (info > 0)
        return rico_fail(ctx, RICO_SINGULAR,
                         "a dense matrix of order %lld is not positive definite at column %lld", (long long)n,
                         (long long)info - 1);
    return info < 0 ? fail_lapack(ctx, "dpotrf", info) : RICO_OK;
}


// Right-hand sides go down in batches that LAPACK can count.
static int64_t batch(int64_t left)
{
    return left < INT32_MAX ? left : INT32_MAX;
}


void rico_dense_cholesky_solve(int64_t n, const double *a, int64_t count, double *b)
{
    if (n <= 0) return;
    bool held = rico_blas_hold();
    for (int64_t done = 0; done < count; done += batch(count - done))
        LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', (lapack_int)n, (lapack_int)batch(count - done), a,
                            (lapack_int)n, b + done * n, (lapack_int)n);
    rico_blas_release(held);
}


rico_status rico_dense_lu(rico_context *ctx, int64_t n, double *a, int32_t *pivot)
{
    rico_status status = check_order(ctx, "LU factorization", n, INT32_MAX);
    if (status != RICO_OK || n == 0) return status;
    if (!rico_all_finite(n * n, a)) return fail_not_finite(ctx, "LU factorization");

    bool held = rico_blas_hold();
    lapack_int info =
        LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, (lapack_int)n, (lapack_int)n, a, (lapack_int)n, pivot);
    rico_blas_release(held);
    if (info > 0)
        return rico_fail(ctx, RICO_SINGULAR,
                         "a dense matrix of order %lld is singular: zero pivot in column %lld", (long long)n,
                         (long long)info - 1);
    return info < 0 ? fail_lapack(ctx, "dgetrf", info) : RICO_OK;
}


void rico_dense_lu_solve(int64_t n, const double *a, const int32_t *pivot, int64_t count, double *b)
{
    if (n <= 0) return;
    bool held = rico_blas_hold();
    for (int64_t done = 0; done < count; done += batch(count - done))
        LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', (lapack_int)n, (lapack_int)batch(count - done), a,
                            (lapack_int)n, pivot, b + done * n, (lapack_int)n);
    rico_blas_release(held);
}


int64_t rico_dense_minimum_norm_work(int64_t n)
{
    return 4 * n + 64 * (n + 1); // dgelsy, blocks of 64
}


rico_status rico_dense_minimum_norm(rico_context *ctx, int64_t n, double *a, double *b, double rcond,
                                    double *work, int32_t *pivot, int64_t *rank)
{
    rico_status status = check_order(ctx, "least squares", n, LARGEST_BLOCKED);
    *rank = 0;
    if (status != RICO_OK || n == 0) return status;
    if (!rico_all_finite(n * n, a) || !rico_all_finite(n, b)) return fail_not_finite(ctx, "least squares");

    lapack_int found = 0;
    for (int64_t i = 0; i < n; i++) pivot[i] = 0;
    bool held = rico_blas_hold();
    lapack_int info = LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, (lapack_int)n, (lapack_int)n, 1, a, (lapack_int)n,
                                          b, (lapack_int)n, pivot, rcond, &found, work,
                                          (lapack_int)rico_dense_minimum_norm_work(n));
    rico_blas_release(held);
    *rank = found;
    return info == 0 ? RICO_OK : fail_lapack(ctx, "dgelsy", info);
}


rico_status rico_dense_eigen(rico_context *ctx, int64_t n, double *a, bool vectors, double *eigenvalues)
{
    // dsyevd asks for 1 + 6 n + 2 n^2 numbers of work space with vectors, counted in 32 bits
    rico_status status = check_order(ctx, "eigenvalues", n, vectors ? 32765 : LARGEST_BLOCKED);
    if (status != RICO_OK || n == 0) return status;
    status = check_lower(ctx, "eigenvalues", n, a);
    if (status != RICO_OK) return status;

    char job = vectors ? 'V' : 'N';
    double best_work = 0.0;
    lapack_int best_iwork = 0;
    lapack_int info = LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, job, 'L', (lapack_int)n, a, (lapack_int)n,
                                          eigenvalues, &best_work, -1, &best_iwork, -1);
    if (info != 0) return fail_lapack(ctx, "dsyevd", info);

    double *work = rico_alloc(ctx, (int64_t)best_work, sizeof *work);
    lapack_int *iwork = rico_alloc(ctx, best_iwork, sizeof *iwork);
    if (work && iwork) {
        bool held = rico_blas_hold();
        info = LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, job, 'L', (lapack_int)n, a, (lapack_int)n, eigenvalues,
                                   work, (lapack_int)best_work, iwork, best_iwork);
        rico_blas_release(held);
        if (info != 0) status = fail_lapack(ctx, "dsyevd", info);
    } else {
        status = RICO_NO_MEMORY;
    }
    rico_free(ctx, iwork);
    rico_free(ctx, work);
    return status;
}


rico_status rico_dense_singular_values(rico_context *ctx, int64_t rows, int64_t cols, double *a,
                                       double *values)
{
    int64_t larger = rows > cols ? rows : cols, smaller = rows < cols ? rows : cols;
    rico_status status = check_order(ctx, "singular values", smaller < 0 ? smaller : larger, LARGEST_BLOCKED);
    if (status != RICO_OK || smaller == 0) return status;
    if (!rico_all_finite(rows * cols, a)) return fail_not_finite(ctx, "singular values");

    double unused = 0.0, best_work = 0.0;
    lapack_int info = LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'N', 'N', (lapack_int)rows, (lapack_int)cols, a,
                                          (lapack_int)rows, values, &unused, 1, &unused, 1, &best_work, -1);
    if (info != 0) return fail_lapack(ctx, "dgesvd", info);

    double *work = rico_alloc(ctx, (int64_t)best_work, sizeof *work);
    if (!work) return RICO_NO_MEMORY;
    bool held = rico_blas_hold();
    info = LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'N', 'N', (lapack_int)rows, (lapack_int)cols, a,
                               (lapack_int)rows, values, &unused, 1, &unused, 1, work, (lapack_int)best_work);
    rico_blas_release(held);
    rico_free(ctx, work);
    return info == 0 ? RICO_OK : fail_lapack(ctx, "dgesvd", info);
}
