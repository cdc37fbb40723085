// Small dense matrices on a pad: elementary operations.

#include "control/matrix.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

enum { HEAD = 2 }; // doubles in front of a block: keeps what follows on 16 bytes


rico_pad rico_pad_open(rico_context *ctx)
{
    return (rico_pad){.ctx = ctx, .blocks = NULL, .status = RICO_OK};
}


rico_status rico_pad_close(rico_pad *pad)
{
    while (pad->blocks) {
        void *before;
        memcpy(&before, pad->blocks, sizeof before);
        rico_free(pad->ctx, pad->blocks);
        pad->blocks = before;
    }
    return pad->status;
}


void *rico_pad_take(rico_pad *pad, int64_t count, size_t size)
{
    if (pad->status != RICO_OK) return NULL;
    int64_t doubles = (int64_t)(((size_t)count * size + sizeof(double) - 1) / sizeof(double));
    double *block = rico_alloc(pad->ctx, HEAD + doubles, sizeof *block);
    if (!block) {
        pad->status = RICO_NO_MEMORY;
        return NULL;
    }
    memcpy(block, &pad->blocks, sizeof pad->blocks);
    pad->blocks = block;
    return block + HEAD;
}


rico_mat rico_mat_zero(rico_pad *pad, int64_t rows, int64_t cols)
{
    return (rico_mat){rows, cols, rico_pad_take(pad, rows * cols, sizeof(double))};
}


rico_mat rico_mat_eye(rico_pad *pad, int64_t n)
{
    rico_mat eye = rico_mat_zero(pad, n, n);
    if (eye.a)
        for (int64_t i = 0; i < n; i++) *rico_mat_at(eye, i, i) = 1.0;
    return eye;
}


rico_mat rico_mat_copy(rico_pad *pad, int64_t rows, int64_t cols, const double *a)
{
    rico_mat copy = rico_mat_zero(pad, rows, cols);
    if (copy.a && a)
        for (int64_t i = 0; i < rows * cols; i++) copy.a[i] = a[i];
    return copy;
}


rico_mat rico_mat_transpose(rico_pad *pad, rico_mat a)
{
    rico_mat t = rico_mat_zero(pad, a.cols, a.rows);
    if (!t.a) return t;
    for (int64_t j = 0; j < a.cols; j++)
        for (int64_t i = 0; i < a.rows; i++) *rico_mat_at(t, j, i) = *rico_mat_at(a, i, j);
    return t;
}


rico_mat rico_mat_product(rico_pad *pad, rico_mat a, rico_mat b)
{
    rico_mat c = rico_mat_zero(pad, a.rows, b.cols);
    if (!c.a) return c;
    for (int64_t j = 0; j < b.cols; j++)
        for (int64_t k = 0; k < a.cols; k++)
            rico_axpy(a.rows, *rico_mat_at(b, k, j), &a.a[k * a.rows], &c.a[j * c.rows]);
    return c;
}


rico_mat rico_mat_product3(rico_pad *pad, rico_mat a, rico_mat b, rico_mat c)
{
    return rico_mat_product(pad, a, rico_mat_product(pad, b, c));
}


rico_mat rico_mat_sum(rico_pad *pad, double alpha, rico_mat a, double beta, rico_mat b)
{
    rico_mat c = rico_mat_zero(pad, a.rows, a.cols);
    if (!c.a) return c;
    for (int64_t i = 0; i < a.rows * a.cols; i++) c.a[i] = alpha * a.a[i] + beta * b.a[i];
    return c;
}


rico_mat rico_mat_part(rico_pad *pad, rico_mat a, int64_t row, int64_t rows, int64_t col, int64_t cols)
{
    rico_mat part = rico_mat_zero(pad, rows, cols);
    if (!part.a) return part;
    for (int64_t j = 0; j < cols; j++)
        for (int64_t i = 0; i < rows; i++) *rico_mat_at(part, i, j) = *rico_mat_at(a, row + i, col + j);
    return part;
}


void rico_mat_put(rico_pad *pad, rico_mat into, int64_t row, int64_t col, rico_mat a)
{
    if (pad->status != RICO_OK) return;
    for (int64_t j = 0; j < a.cols; j++)
        for (int64_t i = 0; i < a.rows; i++) *rico_mat_at(into, row + i, col + j) = *rico_mat_at(a, i, j);
}


rico_mat rico_mat_beside(rico_pad *pad, rico_mat a, rico_mat b)
{
    rico_mat both = rico_mat_zero(pad, a.rows, a.cols + b.cols);
    rico_mat_put(pad, both, 0, 0, a);
    rico_mat_put(pad, both, 0, a.cols, b);
    return both;
}


rico_mat rico_mat_over(rico_pad *pad, rico_mat a, rico_mat b)
{
    rico_mat both = rico_mat_zero(pad, a.rows + b.rows, a.cols);
    rico_mat_put(pad, both, 0, 0, a);
    rico_mat_put(pad, both, a.rows, 0, b);
    return both;
}


double rico_mat_largest(rico_mat a)
{
    return a.a ? rico_norm_inf(a.rows * a.cols, a.a) : 0.0;
}


rico_quad rico_quad_of(rico_pad *pad, const rico_state_space *sys)
{
    int64_t n = sys->states, m = sys->inputs, p = sys->outputs;
    return (rico_quad){rico_mat_copy(pad, n, n, sys->a), rico_mat_copy(pad, n, m, sys->b),
                       rico_mat_copy(pad, p, n, sys->c), rico_mat_copy(pad, p, m, sys->d)};
}


void rico_quad_make(rico_pad *pad, rico_quad quad, rico_state_space **out)
{
    *out = NULL;
    if (pad->status != RICO_OK) return;
    pad->status = rico_state_space_create(pad->ctx, quad.a.rows, quad.d.cols, quad.d.rows, quad.a.a, quad.b.a,
                                          quad.c.a, quad.d.a, out);
}
