// The scaled symmetric part of W on chosen rows, with its changing diagonal.

#include "problem/subsystem.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

void rico_subsystem_destroy(rico_subsystem *s)
{
    rico_free(s->ctx, s->row);
    rico_free(s->ctx, s->place);
    rico_free(s->ctx, s->scale);
    rico_csc_destroy(&s->S);
    rico_csc_destroy(&s->A);
    rico_factor_destroy(s->factor);
    *s = (rico_subsystem){.ctx = s->ctx};
}


// Counts the entries of the lower triangle, or writes them as triplets. Entries (i, j) and (j, i) of W, i != j,
// both land on the lower one with half their value; diagonal blocks get their whole lower triangle.
static int64_t lower_triplets(const rico_problem *p, const rico_subsystem *s, int64_t *row, int64_t *col,
                              double *value)
{
    const rico_block_matrix *W = &p->W;
    int64_t count = 0;
    for (int64_t i = 0; i < W->blocks; i++) {
        for (int64_t k = W->start[i]; k < W->start[i + 1]; k++) {
            int64_t j = W->col[k];
            int64_t height = W->offset[i + 1] - W->offset[i], width = W->offset[j + 1] - W->offset[j];
            for (int64_t e = 0; e < height * width; e++) {
                int64_t a = s->place[W->offset[i] + e / width], b = s->place[W->offset[j] + e % width];
                double entry = W->value[W->place[k] + e];
                if (a < 0 || b < 0 || (entry == 0.0 && i != j)) continue;
                if (row) {
                    row[count] = a > b ? a : b;
                    col[count] = a > b ? b : a;
                    value[count] = (a == b ? 1.0 : 0.5) * entry * s->scale[a] * s->scale[b];
                }
                count++;
            }
        }
    }
    return count;
}


static rico_status gather(const rico_problem *p, rico_subsystem *s)
{
    rico_context *ctx = s->ctx;
    int64_t count = lower_triplets(p, s, NULL, NULL, NULL);
    int64_t *row = rico_alloc(ctx, count, sizeof *row);
    int64_t *col = rico_alloc(ctx, count, sizeof *col);
    double *value = rico_alloc(ctx, count, sizeof *value);
    rico_status status = row && col && value ? RICO_OK : RICO_NO_MEMORY;
    if (!status) {
        lower_triplets(p, s, row, col, value);

        double sum = 0.0;
        for (int64_t k = 0; k < count; k++)
            if (row[k] == col[k]) sum += fabs(value[k]);
        s->omega = sum > 0.0 ? sum / (double)s->size : 1.0;
        for (int64_t k = 0; k < count; k++) value[k] /= s->omega;
        status = rico_csc_from_triplets(ctx, "W", s->size, s->size, count, row, col, value, &s->S);
    }
    if (!status) status = rico_csc_copy(&s->S, &s->A);
    rico_free(ctx, row);
    rico_free(ctx, col);
    rico_free(ctx, value);
    return status;
}


rico_status rico_subsystem_create(rico_problem *p, const double *scale, rico_subsystem *out)
{
    rico_subsystem s = {.ctx = p->ctx};
    s.row = rico_alloc(p->ctx, p->rows, sizeof *s.row);
    s.place = rico_alloc(p->ctx, p->rows, sizeof *s.place);
    s.scale = rico_alloc(p->ctx, p->rows, sizeof *s.scale);
    rico_status status = s.row && s.place && s.scale ? RICO_OK : RICO_NO_MEMORY;
    if (!status) {
        for (int64_t i = 0; i < p->rows; i++) {
            s.place[i] = -1;
            if (scale[i] == 0.0) continue;
            s.row[s.size] = i;
            s.scale[s.size] = scale[i];
            s.place[i] = s.size++;
        }
        status = gather(p, &s);
    }
    if (status) {
        rico_subsystem_destroy(&s);
        return status;
    }
    *out = s;
    return RICO_OK;
}


int64_t rico_subsystem_entry(const rico_subsystem *s, int64_t i, int64_t j)
{
    int64_t low = s->A.start[j], high = s->A.start[j + 1];
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (s->A.row[middle] < i)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->A.start[j + 1] && s->A.row[low] == i ? low : -1;
}


void rico_subsystem_times(const rico_subsystem *s, const double *x, double *y)
{
    memset(y, 0, (size_t)s->size * sizeof *y);
    for (int64_t j = 0; j < s->size; j++) {
        for (int64_t k = s->S.start[j]; k < s->S.start[j + 1]; k++) {
            int64_t i = s->S.row[k];
            y[i] += s->S.value[k] * x[j];
            if (i != j) y[j] += s->S.value[k] * x[i];
        }
    }
}


void rico_subsystem_reset(rico_subsystem *s, double alpha, double shift)
{
    for (int64_t j = 0; j < s->size; j++)
        for (int64_t k = s->S.start[j]; k < s->S.start[j + 1]; k++)
            s->A.value[k] = alpha * s->S.value[k] + (s->S.row[k] == j ? shift : 0.0);
}


rico_status rico_subsystem_factor(rico_subsystem *s)
{
    if (s->factor) return rico_factor_refactor(s->factor, &s->A);
    return rico_factor_create(RICO_CHOLESKY, &s->A, &s->factor);
}


rico_status rico_subsystem_factor_shifted(rico_subsystem *s, double *shift)
{
    const double least = 1e-9, most = 1e-5;
    rico_status status = RICO_SINGULAR;
    for (*shift = least; *shift < 2.0 * most; *shift *= 10.0) {
        rico_subsystem_reset(s, 1.0, *shift);
        status = rico_subsystem_factor(s);
        if (status != RICO_SINGULAR) break;
    }
    if (status || *shift == least) return status;

    // some eigenvalue is little above -shift: ten times that keeps S + shift I away from singularity
    *shift *= 10.0;
    rico_subsystem_reset(s, 1.0, *shift);
    return rico_subsystem_factor(s);
}


rico_status rico_subsystem_kernel(rico_subsystem *s, double *b, double *work)
{
    // b <- shift (S + shift I)^-1 b leaves the kernel alone and divides a component along an eigenvalue lambda by
    // 1 + lambda / shift: a few passes leave round-off of every eigenvalue well above the shift
    enum { PASSES = 5 };
    double shift;
    rico_status status = rico_subsystem_factor_shifted(s, &shift);
    for (int pass = 0; !status && pass < PASSES; pass++) {
        status = rico_factor_solve(s->factor, 1, b, work);
        if (status) break;
        for (int64_t i = 0; i < s->size; i++) b[i] = shift * work[i];
    }
    return status;
}
