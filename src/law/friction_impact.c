// Impacts with Coulomb friction: tangential directions beside the normals, and the Delassus matrix of both.

#include "law/impact.h"

#include <math.h>
#include <string.h>

// [W T] as one matrix: normals first, then the directions of contact 0, 1, ...
static rico_status join(const rico_csc *W, const rico_sparse_view *T, rico_csc *out)
{
    int64_t entries = W->start[W->cols] + T->start[T->cols];
    *out = (rico_csc){.ctx = W->ctx, .rows = W->rows, .cols = W->cols + T->cols};
    out->start = rico_alloc(W->ctx, out->cols + 1, sizeof *out->start);
    out->row = rico_alloc(W->ctx, entries, sizeof *out->row);
    out->value = rico_alloc(W->ctx, entries, sizeof *out->value);
    if (!out->start || !out->row || !out->value) return RICO_NO_MEMORY;
    int64_t first = W->start[W->cols];
    for (int64_t j = 0; j <= W->cols; j++) out->start[j] = W->start[j];
    for (int64_t j = 1; j <= T->cols; j++) out->start[W->cols + j] = first + T->start[j];
    for (int64_t k = 0; k < first; k++) {
        out->row[k] = W->row[k];
        out->value[k] = W->value[k];
    }
    for (int64_t k = 0; k < T->start[T->cols]; k++) {
        out->row[first + k] = T->row[k];
        out->value[first + k] = T->value[k];
    }
    return RICO_OK;
}


rico_status rico_impact_set_friction(rico_impact *impact, const rico_sparse_view *T, const double *friction)
{
    int64_t h = impact->contacts, directions = h > 0 ? T->cols / h : 0;
    if (h == 0 || T->rows != impact->dofs || T->cols != h * directions || directions < 1 || directions > 2)
        return rico_fail(
            impact->ctx, RICO_BAD_ARGUMENT,
            "friction needs one or two directions for each of %lld contacts, and T is %lld x %lld",
            (long long)h, (long long)T->rows, (long long)T->cols);
    for (int64_t j = 0; j < h; j++)
        if (!(friction[j] >= 0.0 && isfinite(friction[j])))
            return rico_fail(impact->ctx, RICO_BAD_ARGUMENT,
                             "the friction %g of contact %lld is negative or no number", friction[j],
                             (long long)j);
    rico_csc both = {0};
    rico_impact *full = NULL;
    double *mu = rico_alloc(impact->ctx, h, sizeof *mu);
    rico_status status = mu ? join(&impact->W, T, &both) : RICO_NO_MEMORY;
    if (!status) {
        const rico_sparse_view M = rico_csc_view(&impact->M), columns = rico_csc_view(&both);
        status = rico_impact_create(impact->ctx, &M, &columns, &full);
    }
    rico_csc_destroy(&both);
    if (status) {
        rico_free(impact->ctx, mu);
        return status;
    }
    rico_impact_destroy(impact->full);
    rico_free(impact->ctx, impact->friction);
    memcpy(mu, friction, (size_t)h * sizeof *mu);
    impact->full = full;
    impact->friction = mu;
    impact->directions = directions;
    return RICO_OK;
}
