#include "problem/shift.h"

#include "la/dense.h"

#include <string.h>

rico_status rico_problem_create_shifted(rico_problem *base, rico_problem **out)
{
    rico_context *ctx = base->ctx;
    rico_status status = rico_problem_reduce(base);
    if (status) return status;

    rico_problem *p = rico_alloc(ctx, 1, sizeof *p);
    if (!p) return RICO_NO_MEMORY;
    p->ctx = ctx;
    p->block_count = base->block_count;
    p->rows = base->rows;
    p->kind = rico_alloc(ctx, p->block_count, sizeof *p->kind);
    p->offset = rico_alloc(ctx, p->block_count + 1, sizeof *p->offset);
    p->friction = rico_alloc(ctx, p->block_count, sizeof *p->friction);
    p->q = rico_alloc(ctx, p->rows, sizeof *p->q);
    p->row_work = rico_alloc(ctx, p->rows, sizeof *p->row_work);
    p->block_norm = rico_alloc(ctx, p->block_count, sizeof *p->block_norm);
    bool room = p->kind && p->offset && p->friction && p->q && p->row_work && p->block_norm;
    status = room ? rico_block_copy(&base->W, &p->W) : RICO_NO_MEMORY;
    if (status) {
        rico_problem_destroy(p);
        return status;
    }
    p->reduced = true;
    memcpy(p->kind, base->kind, (size_t)p->block_count * sizeof *p->kind);
    memcpy(p->offset, base->offset, (size_t)(p->block_count + 1) * sizeof *p->offset);
    memcpy(p->friction, base->friction, (size_t)p->block_count * sizeof *p->friction);
    memcpy(p->q, base->q, (size_t)p->rows * sizeof *p->q);
    *out = p;
    return RICO_OK;
}


void rico_problem_shift(rico_problem *p, const rico_problem *base, const double *alpha, const double *x)
{
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t k = p->W.diagonal[a], at = p->W.place[k], size = p->offset[a + 1] - p->offset[a];
        for (int64_t i = 0; i < size; i++) {
            int64_t row = p->offset[a] + i;
            p->W.value[at + i * size + i] = base->W.value[at + i * size + i] + alpha[a];
            p->q[row] = base->q[row] - alpha[a] * x[row];
        }
        p->block_norm[a] = rico_norm(size * size, &p->W.value[at]);
    }
}
