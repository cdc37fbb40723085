// Factorizations behind one table of kinds: small and diagonal matrices by loops of our own, others by SuiteSparse.

#include "la/factor_kind.h"

#include "la/blas.h"
#include "la/dense.h"

#include <math.h>
#include <string.h>

// Right-hand sides handed down together: enough for blocked kernels, few enough to bound the work space.
enum { BATCH = 16 };

static const struct {
    const rico_factor_method *sparse, *small; // small: NULL where there is none
    bool square;
} kinds[] = {
    [RICO_CHOLESKY] = {&rico_cholmod_method, &rico_small_cholesky_method, true},
    [RICO_LU] = {&rico_umfpack_method, &rico_small_lu_method, true},
    [RICO_QR] = {&rico_spqr_method, NULL, false},
};


static const rico_factor_method *method_for(rico_factor_kind kind, const rico_csc *a)
{
    if (!kinds[kind].small) return kinds[kind].sparse;
    if (rico_factor_is_diagonal(a)) return &rico_diagonal_method;
    return rico_factor_is_small(a) ? kinds[kind].small : kinds[kind].sparse;
}


rico_status rico_factor_not_definite(const rico_factor *factor, int64_t column)
{
    return rico_fail(factor->ctx, RICO_SINGULAR,
                     "a matrix of order %lld is not positive definite at column %lld",
                     (long long)factor->cols, (long long)column);
}


rico_status rico_factor_no_pivot(const rico_factor *factor, int64_t column)
{
    long long n = (long long)factor->cols;
    if (column < 0) return rico_fail(factor->ctx, RICO_SINGULAR, "a matrix of order %lld is singular", n);
    return rico_fail(factor->ctx, RICO_SINGULAR,
                     "a matrix of order %lld is singular: no pivot in column %lld", n, (long long)column);
}


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
        bool held = factor->method->sparse && rico_blas_hold();
        rico_status status = factor->method->factorize(factor, a);
        if (factor->method->sparse) rico_blas_release(held);
        if (status != RICO_OK) return status;
        if (!factor->method->analyse) factor->stats.analyses++;
    }
    factor->stats.factorizations++;
    factor->ready = true;
    return RICO_OK;
}


static rico_status analyse(rico_factor_kind kind, rico_ordering ordering, const rico_csc *a,
                           rico_factor **out)
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
    int64_t count = rico_csc_count(a);
    factor->ctx = ctx;
    factor->kind = kind;
    factor->ordering = ordering;
    factor->method = method_for(kind, a);
    factor->refinement = 2;
    if (factor->method->sparse) rico_cholmod_begin(&factor->common);
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

    if (!is_empty(factor) && factor->method->analyse) {
        bool held = factor->method->sparse && rico_blas_hold();
        status = factor->method->analyse(factor, a);
        if (factor->method->sparse) rico_blas_release(held);
        if (status != RICO_OK) goto failed;
        factor->stats.analyses++;
    }
    *out = factor;
    return RICO_OK;

failed:
    rico_factor_destroy(factor);
    return status;
}


rico_status rico_factor_analyse(rico_factor_kind kind, const rico_csc *a, rico_factor **out)
{
    return analyse(kind, RICO_MINIMUM_DEGREE, a, out);
}


rico_status rico_factor_create(rico_factor_kind kind, const rico_csc *a, rico_factor **out)
{
    return rico_factor_create_ordered(kind, RICO_MINIMUM_DEGREE, a, out);
}


rico_status rico_factor_create_ordered(rico_factor_kind kind, rico_ordering ordering, const rico_csc *a,
                                       rico_factor **out)
{
    rico_factor *factor = NULL;
    rico_status status = analyse(kind, ordering, a, &factor);
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
    factor->method->release(factor);
    if (factor->method->sparse) cholmod_l_finish(&factor->common);
    rico_free(factor->ctx, factor->start);
    rico_free(factor->ctx, factor->row);
    rico_free(factor->ctx, factor);
}


void rico_factor_set_refinement(rico_factor *factor, int steps)
{
    factor->refinement = steps;
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
    } else if (!factor->method->sparse) {
        status = factor->method->solve(factor, transpose, count, b, x);
    } else {
        bool held = rico_blas_hold();
        for (int64_t done = 0; done < count && status == RICO_OK; done += BATCH) {
            int64_t batch = count - done < BATCH ? count - done : BATCH;
            status = factor->method->solve(factor, transpose, batch, b + done * factor->rows,
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
    if (factor->kind == RICO_QR)
        return rico_fail(factor->ctx, RICO_UNSUPPORTED,
                         "QR does not solve with the transpose: factor the transpose");
    return solve(factor, true, count, b, x);
}


rico_status rico_factor_solve_minimum_norm(rico_factor *factor_of_transpose, const double *b, double *x)
{
    rico_factor *factor = factor_of_transpose;
    if (factor->kind != RICO_QR)
        return rico_fail(factor->ctx, RICO_UNSUPPORTED, "a minimum-norm solution needs a QR factorization");
    rico_status status = check_ready(factor);
    if (status != RICO_OK) return status;

    if (is_empty(factor)) {
        for (int64_t i = 0; i < factor->rows; i++) x[i] = 0.0;
    } else {
        bool held = rico_blas_hold();
        status = rico_spqr_minimum_norm(factor, b, x);
        rico_blas_release(held);
    }
    if (status == RICO_OK) factor->stats.solves++;
    return status;
}


rico_factor_stats rico_factor_statistics(const rico_factor *factor)
{
    return factor->stats;
}
