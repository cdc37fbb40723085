// Factorizations of matrices so small that looking at zeros costs less than avoiding them, and of diagonal ones of any
// size: loops over dense arrays in place, in a fixed order, nothing allocated after the analysis.
//
// Cholesky is L D L' with unit L: no square roots, and the pivots D > 0 tell a definite matrix as those of L L' do. LU
// divides each row by the sum of its sizes, takes the largest of a column for its pivot, and refines solutions as
// UMFPACK does (Arioli, Demmel and Duff 1989).

#include "la/dense.h"
#include "la/factor_kind.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    ALWAYS_DENSE = 12, // up to this order a dense factorization is always the cheaper one
    EVER_DENSE = 48    // up to this one where at least every third entry is there
};


bool rico_factor_is_diagonal(const rico_csc *a)
{
    if (rico_csc_count(a) != a->cols) return false;
    for (int64_t j = 0; j < a->cols; j++)
        if (a->start[j] != j || a->row[j] != j) return false;
    return a->cols > 0;
}


bool rico_factor_is_small(const rico_csc *a)
{
    int64_t n = a->cols;
    return n <= ALWAYS_DENSE || (n <= EVER_DENSE && 3 * rico_csc_count(a) >= n * n);
}


static void release(rico_factor *factor)
{
    rico_free(factor->ctx, factor->dense);
    rico_free(factor->ctx, factor->value);
    rico_free(factor->ctx, factor->scale);
    rico_free(factor->ctx, factor->side);
    rico_free(factor->ctx, factor->pivot);
}


// Smallest over largest pivot.
static double pivot_ratio(int64_t n, int64_t stride, const double *pivot)
{
    double least = INFINITY, most = 0.0;
    for (int64_t i = 0; i < n; i++) {
        double size = fabs(pivot[i * stride]);
        if (size < least) least = size;
        if (size > most) most = size;
    }
    return least / most;
}


// --- diagonal -----------------------------------------------------------------------------------------------


static rico_status diagonal_analyse(rico_factor *factor, const rico_csc *a)
{
    factor->stats.entries = a->cols;
    factor->dense = rico_alloc(factor->ctx, a->cols, sizeof *factor->dense);
    return factor->dense ? RICO_OK : RICO_NO_MEMORY;
}


static rico_status diagonal_factorize(rico_factor *factor, const rico_csc *a)
{
    int64_t n = factor->cols;
    bool definite = factor->kind == RICO_CHOLESKY;
    for (int64_t i = 0; i < n; i++) {
        if (definite && !(a->value[i] > 0.0)) return rico_factor_not_definite(factor, i);
        if (a->value[i] == 0.0) return rico_factor_no_pivot(factor, i);
        factor->dense[i] = a->value[i];
    }
    // rows of an LU are scaled, and then nothing is left to differ
    factor->stats.reciprocal_condition = definite ? pivot_ratio(n, 1, factor->dense) : 1.0;
    return RICO_OK;
}


static rico_status diagonal_solve(rico_factor *factor, bool transpose, int64_t count, const double *b,
                                  double *x)
{
    (void)transpose;
    int64_t n = factor->cols;
    for (int64_t k = 0; k < count; k++)
        for (int64_t i = 0; i < n; i++) x[k * n + i] = b[k * n + i] / factor->dense[i];
    return RICO_OK;
}


const rico_factor_method rico_diagonal_method = {diagonal_analyse, diagonal_factorize, diagonal_solve,
                                                 release, false};


// --- L D L' -------------------------------------------------------------------------------------------------


static rico_status cholesky_analyse(rico_factor *factor, const rico_csc *a)
{
    int64_t n = a->cols;
    factor->stats.entries = n * (n + 1) / 2;
    factor->dense = rico_alloc(factor->ctx, n * n, sizeof *factor->dense);
    return factor->dense ? RICO_OK : RICO_NO_MEMORY;
}


// Column by column, each subtracted from those on its right.
static rico_status cholesky_factorize(rico_factor *factor, const rico_csc *a)
{
    int64_t n = factor->cols;
    double *L = factor->dense;
    memset(L, 0, (size_t)(n * n) * sizeof *L);
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = a->start[j]; k < a->start[j + 1]; k++)
            if (a->row[k] >= j) L[j * n + a->row[k]] = a->value[k];

    for (int64_t k = 0; k < n; k++) {
        double *column = L + k * n, d = column[k];
        if (!(d > 0.0)) return rico_factor_not_definite(factor, k);
        for (int64_t j = k + 1; j < n; j++) {
            if (column[j] == 0.0) continue;
            double share = column[j] / d, *right = L + j * n;
            for (int64_t i = j; i < n; i++) right[i] -= share * column[i];
        }
        for (int64_t i = k + 1; i < n; i++) column[i] /= d;
    }
    factor->stats.reciprocal_condition = pivot_ratio(n, n + 1, L);
    return RICO_OK;
}


static rico_status cholesky_solve(rico_factor *factor, bool transpose, int64_t count, const double *b,
                                  double *x)
{
    (void)transpose; // A is symmetric
    int64_t n = factor->cols;
    const double *L = factor->dense;
    if (x != b) memmove(x, b, (size_t)(n * count) * sizeof *x);
    for (; count > 0; count--, x += n) {
        for (int64_t k = 0; k < n; k++) {
            double known = x[k];
            if (known == 0.0) continue;
            for (int64_t i = k + 1; i < n; i++) x[i] -= L[k * n + i] * known;
        }
        for (int64_t k = n - 1; k >= 0; k--) {
            double sum = x[k] / L[k * n + k];
            for (int64_t i = k + 1; i < n; i++) sum -= L[k * n + i] * x[i];
            x[k] = sum;
        }
    }
    return RICO_OK;
}


const rico_factor_method rico_small_cholesky_method = {cholesky_analyse, cholesky_factorize, cholesky_solve,
                                                       release, false};


// --- P R A = L U --------------------------------------------------------------------------------------------


static rico_status lu_analyse(rico_factor *factor, const rico_csc *a)
{
    rico_context *ctx = factor->ctx;
    int64_t n = a->cols;
    factor->stats.entries = n * (n + 1);
    factor->value = rico_alloc(ctx, rico_csc_count(a), sizeof *factor->value);
    factor->dense = rico_alloc(ctx, n * n, sizeof *factor->dense);
    factor->scale = rico_alloc(ctx, n, sizeof *factor->scale);
    factor->side = rico_alloc(ctx, 3 * n, sizeof *factor->side);
    factor->pivot = rico_alloc(ctx, n, sizeof *factor->pivot);
    bool whole = factor->value && factor->dense && factor->scale && factor->side && factor->pivot;
    return whole ? RICO_OK : RICO_NO_MEMORY;
}


// A with its rows divided by their sums of sizes.
static void lu_scatter(rico_factor *factor, const rico_csc *a)
{
    int64_t n = factor->cols;
    double *U = factor->dense, *scale = factor->scale;
    memset(U, 0, (size_t)(n * n) * sizeof *U);
    memset(scale, 0, (size_t)n * sizeof *scale);
    memcpy(factor->value, a->value, (size_t)rico_csc_count(a) * sizeof *a->value);
    for (int64_t k = 0; k < a->start[n]; k++) scale[a->row[k]] += fabs(a->value[k]);
    for (int64_t i = 0; i < n; i++)
        if (!(scale[i] >= DBL_MIN && scale[i] <= DBL_MAX)) scale[i] = 1.0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = a->start[j]; k < a->start[j + 1]; k++)
            U[j * n + a->row[k]] = a->value[k] / scale[a->row[k]];
}


static void exchange(int64_t n, double *U, int64_t i, int64_t k)
{
    for (int64_t j = 0; i != k && j < n; j++) {
        double swap = U[j * n + i];
        U[j * n + i] = U[j * n + k];
        U[j * n + k] = swap;
    }
}


static rico_status lu_factorize(rico_factor *factor, const rico_csc *a)
{
    int64_t n = factor->cols;
    double *U = factor->dense;
    lu_scatter(factor, a);
    for (int64_t k = 0; k < n; k++) {
        double *column = U + k * n;
        int64_t best = k;
        for (int64_t i = k + 1; i < n; i++)
            if (fabs(column[i]) > fabs(column[best])) best = i;
        factor->pivot[k] = best;
        if (column[best] == 0.0) return rico_factor_no_pivot(factor, k);
        exchange(n, U, best, k);
        for (int64_t i = k + 1; i < n; i++) column[i] /= column[k];
        for (int64_t j = k + 1; j < n; j++) {
            double share = U[j * n + k];
            if (share == 0.0) continue;
            for (int64_t i = k + 1; i < n; i++) U[j * n + i] -= column[i] * share;
        }
    }
    factor->stats.reciprocal_condition = pivot_ratio(n, n + 1, U);
    return RICO_OK;
}


// x = U^-1 L^-1 P R x in place.
static void lu_forward(const rico_factor *factor, double *x)
{
    int64_t n = factor->cols;
    const double *U = factor->dense;
    for (int64_t i = 0; i < n; i++) x[i] /= factor->scale[i];
    for (int64_t k = 0; k < n; k++) {
        double known = x[factor->pivot[k]];
        x[factor->pivot[k]] = x[k];
        x[k] = known;
    }
    for (int64_t k = 0; k < n; k++)
        for (int64_t i = k + 1; i < n; i++) x[i] -= U[k * n + i] * x[k];
    for (int64_t k = n - 1; k >= 0; k--) {
        x[k] /= U[k * n + k];
        for (int64_t i = 0; i < k; i++) x[i] -= U[k * n + i] * x[k];
    }
}


// x = R P' L'^-1 U'^-1 x in place.
static void lu_transposed(const rico_factor *factor, double *x)
{
    int64_t n = factor->cols;
    const double *U = factor->dense;
    for (int64_t k = 0; k < n; k++) {
        double sum = x[k];
        for (int64_t i = 0; i < k; i++) sum -= U[k * n + i] * x[i];
        x[k] = sum / U[k * n + k];
    }
    for (int64_t k = n - 1; k >= 0; k--)
        for (int64_t i = k + 1; i < n; i++) x[k] -= U[k * n + i] * x[i];
    for (int64_t k = n - 1; k >= 0; k--) {
        double known = x[factor->pivot[k]];
        x[factor->pivot[k]] = x[k];
        x[k] = known;
    }
    for (int64_t i = 0; i < n; i++) x[i] /= factor->scale[i];
}


// left = b - A x, or with A'; returns the largest of |left_i| / (|A| |x| + |b|)_i: how far A and b would have to change.
static double backward_error(const rico_factor *factor, bool transpose, const double *b, const double *x,
                             double *left, double *size)
{
    int64_t n = factor->cols;
    for (int64_t i = 0; i < n; i++) {
        left[i] = b[i];
        size[i] = fabs(b[i]);
    }
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = factor->start[j]; k < factor->start[j + 1]; k++) {
            int64_t to = transpose ? j : factor->row[k], from = transpose ? factor->row[k] : j;
            double term = factor->value[k] * x[from];
            left[to] -= term;
            size[to] += fabs(term);
        }
    double worst = 0.0;
    for (int64_t i = 0; i < n; i++)
        if (size[i] > 0.0) worst = fmax(worst, fabs(left[i]) / size[i]);
    return worst;
}


static rico_status lu_solve(rico_factor *factor, bool transpose, int64_t count, const double *b, double *x)
{
    int64_t n = factor->cols;
    double *right = factor->side, *left = right + n, *size = left + n;
    for (int64_t k = 0; k < count; k++, b += n, x += n) {
        memcpy(right, b, (size_t)n * sizeof *b);
        if (x != b) memcpy(x, b, (size_t)n * sizeof *b);
        transpose ? lu_transposed(factor, x) : lu_forward(factor, x);
        double before = INFINITY;
        for (int step = 0; step < factor->refinement; step++) {
            double error = backward_error(factor, transpose, right, x, left, size);
            // good enough, or no longer getting better by half
            if (!(error > DBL_EPSILON) || !(error <= 0.5 * before)) break;
            before = error;
            transpose ? lu_transposed(factor, left) : lu_forward(factor, left);
            rico_axpy(n, 1.0, left, x);
        }
    }
    return RICO_OK;
}


const rico_factor_method rico_small_lu_method = {lu_analyse, lu_factorize, lu_solve, release, false};
