// The problem of one proximal step.

#include "problem/shift.h"

#include "la/dense.h"

#include <string.h>

rico_status rico_problem_create_shifted(rico_problem *base, rico_problem **out)
{
    rico_context *ctx = base->ctx;
    rico_status status = rico_problem_reduce(base);
    if (status) return status;

    rico_problem *p = NULL;
    status = rico_problem_copy_blocks(base, &p);
    if (status) return status;
    p->q = rico_alloc(ctx, p->rows, sizeof *p->q);
    p->block_norm = rico_alloc(ctx, p->block_count, sizeof *p->block_norm);
    status = p->q && p->block_norm ? rico_block_copy(&base->W, 1.0, &p->W) : RICO_NO_MEMORY;
    if (status) {
        rico_problem_destroy(p);
        return status;
    }
    p->reduced = true;
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
    rico_problem_find_largest_norm(p);
}
