// Dependent columns by a rank-revealing sparse QR factorization.

#include "la/dependent.h"

#include "la/blas.h"
#include "la/factor_kind.h"

#include <math.h>
#include <string.h>

enum { FEW = 1000 }; // columns that stay in their order: those named follow from the ones before them

// R is a staircase: a column without an entry on the next step adds nothing to those before it. E: the order of columns,
// or NULL. Marks the columns that add.
static void mark_steps(const cholmod_sparse *R, const SuiteSparse_long *E, char *adds)
{
    const SuiteSparse_long *start = R->p, *row = R->i;
    int64_t step = 0;
    for (int64_t j = 0; j < (int64_t)R->ncol; j++) {
        int64_t last = -1;
        for (int64_t k = start[j]; k < start[j + 1]; k++)
            if (row[k] > last) last = row[k];
        if (last < step) continue;
        step++;
        adds[E ? E[j] : j] = 1;
    }
}


rico_status rico_dependent_columns(const rico_csc *a, double tol, int64_t *list, int64_t *count)
{
    rico_context *ctx = a->ctx;
    *count = 0;
    if (a->cols == 0) return RICO_OK;
    char *adds = rico_alloc(ctx, a->cols, 1);
    if (!adds) return RICO_NO_MEMORY;
    memset(adds, 0, (size_t)a->cols);

    bool held = rico_blas_hold();
    cholmod_common common;
    rico_cholmod_begin(&common);
    cholmod_sparse view = rico_cholmod_view(a, 0), *R = NULL;
    view.sorted = 0;
    SuiteSparse_long *E = NULL;
    int64_t rank = a->rows == 0
                       ? 0
                       : SuiteSparseQR_C(a->cols <= FEW ? SPQR_ORDERING_FIXED : SPQR_ORDERING_COLAMD, tol, 0,
                                         0, &view, NULL, NULL, NULL, NULL, &R, &E, NULL, NULL, NULL, &common);
    rico_status status = RICO_OK;
    if (rank < 0 || (a->rows > 0 && !R))
        status = rico_fail(ctx, common.status == CHOLMOD_OUT_OF_MEMORY ? RICO_NO_MEMORY : RICO_INTERNAL,
                           "%sthe rank of a %lld x %lld matrix was not found (CHOLMOD's status %d)",
                           common.status == CHOLMOD_OUT_OF_MEMORY ? "out of memory: " : "",
                           (long long)a->rows, (long long)a->cols, common.status);
    if (status == RICO_OK && R) mark_steps(R, E, adds);
    for (int64_t j = 0; status == RICO_OK && j < a->cols; j++)
        if (!adds[j]) list[(*count)++] = j;
    cholmod_l_free_sparse(&R, &common);
    if (E) cholmod_l_free((size_t)a->cols, sizeof *E, E, &common);
    cholmod_l_finish(&common);
    rico_blas_release(held);
    rico_free(ctx, adds);
    return status;
}


rico_status rico_dependent_rows(const rico_csc *H, int64_t rows, const int64_t *row, double tol,
                                int64_t *list, int64_t *count)
{
    rico_context *ctx = H->ctx;
    int64_t entries = 0, at = 0;
    for (int64_t i = 0; i < rows; i++) entries += H->start[row[i] + 1] - H->start[row[i]];
    rico_csc J = {.ctx = ctx, .rows = H->rows, .cols = rows};
    J.start = rico_alloc(ctx, rows + 1, sizeof *J.start);
    J.row = rico_alloc(ctx, entries, sizeof *J.row);
    J.value = rico_alloc(ctx, entries, sizeof *J.value);
    rico_status status = J.start && J.row && J.value ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t i = 0; status == RICO_OK && i < rows; i++) {
        double size = 0.0;
        for (int64_t k = H->start[row[i]]; k < H->start[row[i] + 1]; k++) size = hypot(size, H->value[k]);
        for (int64_t k = H->start[row[i]]; k < H->start[row[i] + 1]; k++) {
            J.row[at] = H->row[k];
            J.value[at++] = size > 0.0 ? H->value[k] / size : 0.0;
        }
        J.start[i + 1] = at;
    }
    if (status == RICO_OK) status = rico_dependent_columns(&J, tol, list, count);
    rico_csc_destroy(&J);
    return status;
}
