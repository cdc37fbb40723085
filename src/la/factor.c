// Sparse factorizations: CHOLMOD, UMFPACK and SPQR behind one table of kinds.
//
// All three order by minimum degree (AMD, COLAMD). Nested dissection can be better on large meshes, but METIS draws
// from the C library's one random sequence and allocates past SuiteSparse's functions: it would make results depend
// on what else runs in the process, and running out of memory fatal.

#include "la/factor.h"

#include "base/random.h"
#include "la/blas.h"
#include "la/dense.h"

#include <SuiteSparseQR_C.h>
#include <cholmod.h>
#include <math.h>
#include <string.h>
#include <umfpack.h>

_Static_assert(sizeof(SuiteSparse_long) == sizeof(int64_t), "the 64-bit interfaces of SuiteSparse are used");

// Right-hand sides handed down together: enough for blocked kernels, few enough to bound the work space.
enum { BATCH = 16 };

// What one kind does; none of these is called on a matrix without rows or columns.
typedef struct factor_kind {
    rico_status (*analyse)(rico_factor *factor, const rico_csc *a); // NULL: comes with every factorization
    rico_status (*factorize)(rico_factor *factor, const rico_csc *a);
    rico_status (*solve)(rico_factor *factor, bool transpose, int64_t count, const double *b, double *x);
    void (*release)(rico_factor *factor);
    bool square;
} factor_kind;

struct rico_factor {
    rico_context *ctx;
    const factor_kind *kind;
    int64_t rows, cols;
    int64_t *start, *row; // pattern of the matrix
    double *value;        // its values, for UMFPACK's refinement; NULL for the other kinds
    bool ready;           // the numbers are valid
    rico_factor_stats stats;

    cholmod_common common; // CHOLMOD and SPQR
    cholmod_factor *cholesky;
    cholmod_dense *x, *y, *e; // work space of cholmod_l_solve2, kept between solves

    void *symbolic, *numeric;     // UMFPACK
    SuiteSparse_long *index_work; // cols
    double *work;                 // 5 cols with refinement
    double *right_side;           // cols: a copy of b, which may be x
    double control[UMFPACK_CONTROL];

    SuiteSparseQR_C_factorization *qr;
};


// --- what CHOLMOD and SPQR share ----------------------------------------------------------------------------


static void start_cholmod(cholmod_common *common)
{
    cholmod_l_start(common);
    common->print = 0; // nothing is ever printed; failures come back in common->status
    common->error_handler = NULL;
    common->nmethods = 1;
    common->method[0].ordering = CHOLMOD_AMD;
    common->postorder = 1;
    common->final_ll = 1; // LL': LDL' would accept an indefinite matrix
    common->quick_return_if_not_posdef = 1;
    common->useGPU = 0;
    common->SPQR_grain = 1.0; // no tasks
    common->SPQR_nthreads = 1;
}


static rico_status fail_cholmod(rico_factor *factor, const char *what)
{
    if (factor->common.status == CHOLMOD_OUT_OF_MEMORY)
        return rico_fail(factor->ctx, RICO_NO_MEMORY, "out of memory: %s of a %lld x %lld matrix", what,
                         (long long)factor->rows, (long long)factor->cols);
    return rico_fail(factor->ctx, RICO_INTERNAL, "%s of a %lld x %lld matrix failed with CHOLMOD's status %d",
                     what, (long long)factor->rows, (long long)factor->cols, factor->common.status);
}


// The same arrays under CHOLMOD's name. It only reads them, though its types cannot say so.
static cholmod_sparse sparse_view(const rico_csc *a, int stype)
{
    return (cholmod_sparse){.nrow = (size_t)a->rows,
                            .ncol = (size_t)a->cols,
                            .nzmax = (size_t)rico_csc_count(a),
                            .p = a->start,
                            .i = a->row,
                            .x = a->value,
                            .stype = stype,
                            .itype = CHOLMOD_LONG,
                            .xtype = CHOLMOD_REAL,
                            .dtype = CHOLMOD_DOUBLE,
                            .sorted = 1,
                            .packed = 1};
}


static cholmod_dense dense_view(int64_t rows, int64_t cols, const double *x)
{
    return (cholmod_dense){.nrow = (size_t)rows,
                           .ncol = (size_t)cols,
                           .nzmax = (size_t)(rows * cols),
                           .d = (size_t)rows,
                           .x = (double *)x,
                           .xtype = CHOLMOD_REAL,
                           .dtype = CHOLMOD_DOUBLE};
}


// --- Cholesky -----------------------------------------------------------------------------------------------


static rico_status cholesky_analyse(rico_factor *factor, const rico_csc *a)
{
    cholmod_sparse lower = sparse_view(a, -1);
    factor->cholesky = cholmod_l_analyze(&lower, &factor->common);
    if (!factor->cholesky) return fail_cholmod(factor, "Cholesky analysis");
    factor->stats.entries = (int64_t)factor->common.lnz;
    return RICO_OK;
}


static rico_status cholesky_factorize(rico_factor *factor, const rico_csc *a)
{
    cholmod_sparse lower = sparse_view(a, -1);
    cholmod_factor *L = factor->cholesky;
    cholmod_l_factorize(&lower, L, &factor->common);
    if (factor->common.status < CHOLMOD_OK) return fail_cholmod(factor, "Cholesky factorization");
    if (L->minor < L->n) {
        // L is that of the permuted matrix; name the column as the caller knows it
        int64_t column = L->Perm ? ((const SuiteSparse_long *)L->Perm)[L->minor] : (int64_t)L->minor;
        return rico_fail(factor->ctx, RICO_SINGULAR,
                         "a matrix of order %lld is not positive definite at column %lld",
                         (long long)factor->cols, (long long)column);
    }
    factor->stats.reciprocal_condition = cholmod_l_rcond(L, &factor->common);
    return RICO_OK;
}


// Gives a work matrix the shape that cholmod_l_solve2 asks for, allocating only when it grows. Left to itself,
// cholmod_l_solve2 allocates anew whenever a shape is not exactly right, leaves shapes changed behind it, and crashes
// when Y cannot be allocated but E can (CHOLMOD 3.0.14, supernodal).
static bool shape(rico_factor *factor, cholmod_dense **work, size_t rows, size_t cols)
{
    if (*work && (*work)->nzmax >= rows * cols) {
        (*work)->nrow = (*work)->d = rows;
        (*work)->ncol = cols;
        return true;
    }
    return cholmod_l_ensure_dense(work, rows, cols, rows, CHOLMOD_REAL, &factor->common);
}


static rico_status cholesky_solve(rico_factor *factor, bool transpose, int64_t count, const double *b,
                                  double *x)
{
    (void)transpose; // A is symmetric
    size_t n = (size_t)factor->cols, sides = (size_t)count;
    bool ready = shape(factor, &factor->x, n, sides);
    if (factor->cholesky->is_super)
        ready = ready && shape(factor, &factor->y, n, sides) &&
                shape(factor, &factor->e, sides, factor->cholesky->maxesize);
    else
        ready = ready && shape(factor, &factor->y, sides < 4 ? 4 : sides, n); // four at a time, transposed

    cholmod_dense right = dense_view(factor->cols, count, b);
    if (!ready || !cholmod_l_solve2(CHOLMOD_A, factor->cholesky, &right, NULL, &factor->x, NULL, &factor->y,
                                    &factor->e, &factor->common))
        return fail_cholmod(factor, "Cholesky solve");
    memcpy(x, factor->x->x, n * sides * sizeof *x);
    return RICO_OK;
}


static void cholesky_release(rico_factor *factor)
{
    cholmod_l_free_dense(&factor->x, &factor->common);
    cholmod_l_free_dense(&factor->y, &factor->common);
    cholmod_l_free_dense(&factor->e, &factor->common);
    cholmod_l_free_factor(&factor->cholesky, &factor->common);
}


// --- LU -----------------------------------------------------------------------------------------------------


static rico_status fail_umfpack(rico_factor *factor, const char *what, int64_t status)
{
    if (status == UMFPACK_ERROR_out_of_memory)
        return rico_fail(factor->ctx, RICO_NO_MEMORY, "out of memory: %s of a matrix of order %lld", what,
                         (long long)factor->cols);
    return rico_fail(factor->ctx, RICO_INTERNAL,
                     "%s of a matrix of order %lld failed with UMFPACK's status %lld", what,
                     (long long)factor->cols, (long long)status);
}


static rico_status lu_analyse(rico_factor *factor, const rico_csc *a)
{
    int64_t n = factor->cols;
    factor->value = rico_alloc(factor->ctx, rico_csc_count(a), sizeof *factor->value);
    factor->index_work = rico_alloc(factor->ctx, n, sizeof *factor->index_work);
    factor->work = rico_alloc(factor->ctx, 5 * n, sizeof *factor->work);
    factor->right_side = rico_alloc(factor->ctx, n, sizeof *factor->right_side);
    if (!factor->value || !factor->index_work || !factor->work || !factor->right_side) return RICO_NO_MEMORY;

    umfpack_dl_defaults(factor->control);
    factor->control[UMFPACK_ORDERING] = UMFPACK_ORDERING_AMD;
    double info[UMFPACK_INFO];
    int64_t status =
        umfpack_dl_symbolic(n, n, a->start, a->row, a->value, &factor->symbolic, factor->control, info);
    return status == UMFPACK_OK ? RICO_OK : fail_umfpack(factor, "LU analysis", status);
}


// Names the first column of U without a pivot, as the caller counts columns.
static rico_status fail_lu_singular(rico_factor *factor)
{
    int64_t n = factor->cols, found = -1;
    double *diagonal = factor->work;
    SuiteSparse_long *column = factor->index_work;
    if (umfpack_dl_get_numeric(NULL, NULL, NULL, NULL, NULL, NULL, NULL, column, diagonal, NULL, NULL,
                               factor->numeric) == UMFPACK_OK)
        for (int64_t k = n - 1; k >= 0; k--)
            if (diagonal[k] == 0.0) found = column[k];
    if (found < 0)
        return rico_fail(factor->ctx, RICO_SINGULAR, "a matrix of order %lld is singular", (long long)n);
    return rico_fail(factor->ctx, RICO_SINGULAR,
                     "a matrix of order %lld is singular: no pivot in column %lld", (long long)n,
                     (long long)found);
}


static rico_status lu_factorize(rico_factor *factor, const rico_csc *a)
{
    umfpack_dl_free_numeric(&factor->numeric);
    memcpy(factor->value, a->value, (size_t)rico_csc_count(a) * sizeof *a->value);

    double info[UMFPACK_INFO];
    int64_t status = umfpack_dl_numeric(factor->start, factor->row, factor->value, factor->symbolic,
                                        &factor->numeric, factor->control, info);
    if (status == UMFPACK_WARNING_singular_matrix) return fail_lu_singular(factor);
    if (status != UMFPACK_OK) return fail_umfpack(factor, "LU factorization", status);
    factor->stats.entries = (int64_t)(info[UMFPACK_LNZ] + info[UMFPACK_UNZ]);
    factor->stats.reciprocal_condition = info[UMFPACK_RCOND];
    return RICO_OK;
}


static rico_status lu_solve(rico_factor *factor, bool transpose, int64_t count, const double *b, double *x)
{
    int64_t n = factor->cols;
    double info[UMFPACK_INFO];
    for (int64_t k = 0; k < count; k++) {
        memcpy(factor->right_side, b + k * n, (size_t)n * sizeof *b);
        int64_t status = umfpack_dl_wsolve(transpose ? UMFPACK_At : UMFPACK_A, factor->start, factor->row,
                                           factor->value, x + k * n, factor->right_side, factor->numeric,
                                           factor->control, info, factor->index_work, factor->work);
        if (status != UMFPACK_OK) return fail_umfpack(factor, "LU solve", status);
    }
    return RICO_OK;
}


static void lu_release(rico_factor *factor)
{
    umfpack_dl_free_numeric(&factor->numeric);
    umfpack_dl_free_symbolic(&factor->symbolic);
    rico_free(factor->ctx, factor->value);
    rico_free(factor->ctx, factor->index_work);
    rico_free(factor->ctx, factor->work);
    rico_free(factor->ctx, factor->right_side);
}


// --- QR: A E = Q R ------------------------------------------------------------------------------------------


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
        cholmod_dense view = dense_view(m, 1, y);
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
            status = fail_cholmod(factor, "condition of the QR factorization");
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
    cholmod_sparse view = sparse_view(a, 0);
    factor->qr = SuiteSparseQR_C_factorize(SPQR_ORDERING_COLAMD, SPQR_DEFAULT_TOL, &view, common);
    if (!factor->qr || common->status < CHOLMOD_OK) return fail_cholmod(factor, "QR factorization");
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
    cholmod_dense right = dense_view(from, count, b);
    cholmod_dense *middle, *found = NULL;
    if (minimum_norm) {
        middle = SuiteSparseQR_C_solve(SPQR_RTX_EQUALS_ETB, factor->qr, &right, common);
        if (middle) found = SuiteSparseQR_C_qmult(SPQR_QX, factor->qr, middle, common);
    } else {
        middle = SuiteSparseQR_C_qmult(SPQR_QTX, factor->qr, &right, common);
        if (middle) found = SuiteSparseQR_C_solve(SPQR_RETX_EQUALS_B, factor->qr, middle, common);
    }
    if (found) memcpy(x, found->x, (size_t)(to * count) * sizeof *x);
    rico_status status = found ? RICO_OK : fail_cholmod(factor, "QR solve");
    cholmod_l_free_dense(&middle, common);
    cholmod_l_free_dense(&found, common);
    return status;
}


static rico_status qr_solve(rico_factor *factor, bool transpose, int64_t count, const double *b, double *x)
{
    (void)transpose; // refused by rico_factor_solve_transpose()
    return qr_apply(factor, false, count, b, x);
}


// --- the interface ------------------------------------------------------------------------------------------


static const factor_kind kinds[] = {
    [RICO_CHOLESKY] = {cholesky_analyse, cholesky_factorize, cholesky_solve, cholesky_release, true},
    [RICO_LU] = {lu_analyse, lu_factorize, lu_solve, lu_release, true},
    [RICO_QR] = {NULL, qr_factorize, qr_solve, qr_release, false},
};


static bool is_empty(const rico_factor *factor)
{
    return factor->rows == 0 || factor->cols == 0;
}


// Values come from computations as often as from files: one that is not finite is stopped here, since the libraries
// below would carry it into every solution.
static rico_status check_values(const rico_csc *a)
{
    if (rico_all_finite(rico_csc_count(a), a->value)) return RICO_OK;
    for (int64_t j = 0; j < a->cols; j++)
        for (int64_t k = a->start[j]; k < a->start[j + 1]; k++)
            if (!isfinite(a->value[k]))
                return rico_fail(a->ctx, RICO_BAD_INPUT, "entry (%lld, %lld) of a matrix to factor is %s",
                                 (long long)a->row[k], (long long)j, isnan(a->value[k]) ? "nan" : "infinite");
    return RICO_OK;
}


static rico_status factorize(rico_factor *factor, const rico_csc *a)
{
    factor->ready = false;
    factor->stats.reciprocal_condition = 0.0;
    if (is_empty(factor)) {
        factor->stats.reciprocal_condition = 1.0;
    } else {
        bool held = rico_blas_hold();
        rico_status status = factor->kind->factorize(factor, a);
        rico_blas_release(held);
        if (status != RICO_OK) return status;
        if (!factor->kind->analyse) factor->stats.analyses++;
    }
    factor->stats.factorizations++;
    factor->ready = true;
    return RICO_OK;
}


rico_status rico_factor_analyse(rico_factor_kind kind, const rico_csc *a, rico_factor **out)
{
    rico_context *ctx = a->ctx;
    if ((unsigned)kind >= sizeof kinds / sizeof *kinds)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "%d is no kind of factorization", (int)kind);
    if (kinds[kind].square && a->rows != a->cols)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "a %lld x %lld matrix has no %s factorization: it must be square",
                         (long long)a->rows, (long long)a->cols, kind == RICO_LU ? "LU" : "Cholesky");
    rico_status status = check_values(a);
    if (status != RICO_OK) return status;

    rico_factor *factor = rico_alloc(ctx, 1, sizeof *factor);
    if (!factor) return RICO_NO_MEMORY;
    start_cholmod(&factor->common);
    int64_t count = rico_csc_count(a);
    factor->ctx = ctx;
    factor->kind = &kinds[kind];
    factor->rows = a->rows;
    factor->cols = a->cols;
    factor->stats.rank = kind == RICO_QR ? 0 : a->cols;
    factor->start = rico_alloc(ctx, a->cols + 1, sizeof *factor->start);
    factor->row = rico_alloc(ctx, count, sizeof *factor->row);
    if (!factor->start || !factor->row) {
        status = RICO_NO_MEMORY;
        goto failed;
    }
    memcpy(factor->start, a->start, (size_t)(a->cols + 1) * sizeof *a->start);
    memcpy(factor->row, a->row, (size_t)count * sizeof *a->row);

    if (!is_empty(factor) && factor->kind->analyse) {
        bool held = rico_blas_hold();
        status = factor->kind->analyse(factor, a);
        rico_blas_release(held);
        if (status != RICO_OK) goto failed;
        factor->stats.analyses++;
    }
    *out = factor;
    return RICO_OK;

failed:
    rico_factor_destroy(factor);
    return status;
}


rico_status rico_factor_create(rico_factor_kind kind, const rico_csc *a, rico_factor **out)
{
    rico_factor *factor = NULL;
    rico_status status = rico_factor_analyse(kind, a, &factor);
    if (status != RICO_OK) return status;
    status = factorize(factor, a);
    if (status != RICO_OK) {
        rico_factor_destroy(factor);
        return status;
    }
    *out = factor;
    return RICO_OK;
}


static bool same_pattern(const rico_factor *factor, const rico_csc *a)
{
    return a->rows == factor->rows && a->cols == factor->cols &&
           memcmp(a->start, factor->start, (size_t)(a->cols + 1) * sizeof *a->start) == 0 &&
           memcmp(a->row, factor->row, (size_t)rico_csc_count(a) * sizeof *a->row) == 0;
}


rico_status rico_factor_refactor(rico_factor *factor, const rico_csc *a)
{
    if (!same_pattern(factor, a))
        return rico_fail(factor->ctx, RICO_BAD_ARGUMENT,
                         "a matrix to factor again has another pattern than at first");
    rico_status status = check_values(a);
    if (status != RICO_OK) return status;
    return factorize(factor, a);
}


void rico_factor_destroy(rico_factor *factor)
{
    if (!factor) return;
    factor->kind->release(factor);
    cholmod_l_finish(&factor->common);
    rico_free(factor->ctx, factor->start);
    rico_free(factor->ctx, factor->row);
    rico_free(factor->ctx, factor);
}


void rico_factor_set_refinement(rico_factor *factor, int steps)
{
    factor->control[UMFPACK_IRSTEP] = steps;
}


static rico_status check_ready(const rico_factor *factor)
{
    if (factor->ready) return RICO_OK;
    return rico_fail(factor->ctx, RICO_BAD_ARGUMENT, "a solve with a factor whose last factorization failed");
}


static rico_status solve(rico_factor *factor, bool transpose, int64_t count, const double *b, double *x)
{
    if (count < 0)
        return rico_fail(factor->ctx, RICO_BAD_ARGUMENT, "%lld is no count of right-hand sides",
                         (long long)count);
    rico_status status = check_ready(factor);
    if (status != RICO_OK) return status;

    if (is_empty(factor)) {
        for (int64_t k = 0; k < factor->cols * count; k++) x[k] = 0.0;
    } else {
        bool held = rico_blas_hold();
        for (int64_t done = 0; done < count && status == RICO_OK; done += BATCH) {
            int64_t batch = count - done < BATCH ? count - done : BATCH;
            status = factor->kind->solve(factor, transpose, batch, b + done * factor->rows,
                                         x + done * factor->cols);
        }
        rico_blas_release(held);
    }
    if (status == RICO_OK) factor->stats.solves += count;
    return status;
}


rico_status rico_factor_solve(rico_factor *factor, int64_t count, const double *b, double *x)
{
    return solve(factor, false, count, b, x);
}


rico_status rico_factor_solve_transpose(rico_factor *factor, int64_t count, const double *b, double *x)
{
    if (factor->kind == &kinds[RICO_QR])
        return rico_fail(factor->ctx, RICO_UNSUPPORTED,
                         "QR does not solve with the transpose: factor the transpose");
    return solve(factor, true, count, b, x);
}


rico_status rico_factor_solve_minimum_norm(rico_factor *factor_of_transpose, const double *b, double *x)
{
    rico_factor *factor = factor_of_transpose;
    if (factor->kind != &kinds[RICO_QR])
        return rico_fail(factor->ctx, RICO_UNSUPPORTED, "a minimum-norm solution needs a QR factorization");
    rico_status status = check_ready(factor);
    if (status != RICO_OK) return status;

    if (is_empty(factor)) {
        for (int64_t i = 0; i < factor->rows; i++) x[i] = 0.0;
    } else {
        bool held = rico_blas_hold();
        status = qr_apply(factor, true, 1, b, x);
        rico_blas_release(held);
    }
    if (status == RICO_OK) factor->stats.solves++;
    return status;
}


rico_factor_stats rico_factor_statistics(const rico_factor *factor)
{
    return factor->stats;
}
