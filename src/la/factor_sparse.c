// Sparse Cholesky and LU factorizations: CHOLMOD and UMFPACK.
//
// Both order by minimum degree (AMD). Nested dissection leaves fewer entries on large meshes, but METIS draws from the C library's one
// random sequence and allocates past SuiteSparse's functions: here it is used on request alone. It sets the seed itself whenever it starts, so that
// its orders are always the same as long as nobody else draws meanwhile; the lock keeps other factors of ours from doing so.

#include "la/factor_kind.h"

#include <pthread.h>
#include <string.h>


// --- what CHOLMOD and SPQR share ----------------------------------------------------------------------------


void rico_cholmod_begin(cholmod_common *common)
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


rico_status rico_cholmod_fail(rico_factor *factor, const char *what)
{
    if (factor->common.status == CHOLMOD_OUT_OF_MEMORY)
        return rico_fail(factor->ctx, RICO_NO_MEMORY, "out of memory: %s of a %lld x %lld matrix", what,
                         (long long)factor->rows, (long long)factor->cols);
    return rico_fail(factor->ctx, RICO_INTERNAL, "%s of a %lld x %lld matrix failed with CHOLMOD's status %d",
                     what, (long long)factor->rows, (long long)factor->cols, factor->common.status);
}


// The same arrays under CHOLMOD's name. It only reads them, though its types cannot say so.
cholmod_sparse rico_cholmod_view(const rico_csc *a, int stype)
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


cholmod_dense rico_cholmod_dense(int64_t rows, int64_t cols, const double *x)
{
    return (cholmod_dense){.nrow = (size_t)rows,
                           .ncol = (size_t)cols,
                           .nzmax = (size_t)(rows * cols),
                           .d = (size_t)rows,
                           .x = (double *)x,
                           .xtype = CHOLMOD_REAL,
                           .dtype = CHOLMOD_DOUBLE};
}


cholmod_factor *rico_cholmod_dissect(cholmod_sparse *lower, cholmod_common *common)
{
    static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
    common->method[0].ordering = CHOLMOD_METIS;
    pthread_mutex_lock(&one_at_a_time);
    cholmod_factor *found = cholmod_l_analyze(lower, common);
    pthread_mutex_unlock(&one_at_a_time);
    return found;
}


// --- Cholesky -----------------------------------------------------------------------------------------------


static rico_status cholesky_analyse(rico_factor *factor, const rico_csc *a)
{
    cholmod_sparse lower = rico_cholmod_view(a, -1);
    if (factor->ordering == RICO_NESTED_DISSECTION) {
        factor->cholesky = rico_cholmod_dissect(&lower, &factor->common);
        // CHOLMOD may be without METIS
        if (!factor->cholesky) factor->common.method[0].ordering = CHOLMOD_AMD;
    }
    if (!factor->cholesky) factor->cholesky = cholmod_l_analyze(&lower, &factor->common);
    if (!factor->cholesky) return rico_cholmod_fail(factor, "Cholesky analysis");
    factor->stats.entries = (int64_t)factor->common.lnz;
    return RICO_OK;
}


static rico_status cholesky_factorize(rico_factor *factor, const rico_csc *a)
{
    cholmod_sparse lower = rico_cholmod_view(a, -1);
    cholmod_factor *L = factor->cholesky;
    cholmod_l_factorize(&lower, L, &factor->common);
    if (factor->common.status < CHOLMOD_OK) return rico_cholmod_fail(factor, "Cholesky factorization");
    if (L->minor < L->n) {
        // L is that of the permuted matrix; name the column as the caller knows it
        int64_t column = L->Perm ? ((const SuiteSparse_long *)L->Perm)[L->minor] : (int64_t)L->minor;
        return rico_factor_not_definite(factor, column);
    }
    size_t numbers = L->is_super ? L->xsize : L->nzmax, indices = L->is_super ? L->ssize : L->nzmax + L->n;
    factor->stats.bytes = (int64_t)(numbers * sizeof(double) + indices * sizeof(int64_t));
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

    cholmod_dense right = rico_cholmod_dense(factor->cols, count, b);
    if (!ready || !cholmod_l_solve2(CHOLMOD_A, factor->cholesky, &right, NULL, &factor->x, NULL, &factor->y,
                                    &factor->e, &factor->common))
        return rico_cholmod_fail(factor, "Cholesky solve");
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
    return rico_factor_no_pivot(factor, found);
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
    factor->control[UMFPACK_IRSTEP] = factor->refinement;
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


const rico_factor_method rico_cholmod_method = {cholesky_analyse, cholesky_factorize, cholesky_solve,
                                                cholesky_release, true};
const rico_factor_method rico_umfpack_method = {lu_analyse, lu_factorize, lu_solve, lu_release, true};
