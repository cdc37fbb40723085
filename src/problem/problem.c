// The mixed cone problem: creation with its checks, views of its data, new vectors.

#include "problem/problem.h"

#include "la/dense.h"
#include "problem/mass.h"

#include <math.h>
#include <string.h>

static rico_status check_blocks(rico_context *ctx, int64_t block_count, const rico_block *blocks)
{
    if (block_count < 0 || (block_count > 0 && !blocks))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a problem was asked for with %lld blocks",
                         (long long)block_count);
    if (block_count > INT32_MAX)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "%lld blocks are more than the %lld that a problem can hold",
                         (long long)block_count, (long long)INT32_MAX);

    int64_t rows = 0;
    for (int64_t i = 0; i < block_count; i++) {
        const rico_block *block = &blocks[i];
        if ((int)block->kind < 0 || block->kind >= RICO_BLOCK_KINDS)
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "block %lld has the unknown kind %d", (long long)i,
                             (int)block->kind);

        const rico_cone_kind *kind = &rico_cone_kinds[block->kind];
        int expected = kind->info.size;
        if (expected ? block->size != expected : block->size < 1)
            return rico_fail(ctx, RICO_BAD_INPUT, "block %lld (%s) has %lld rows instead of %s%d",
                             (long long)i, kind->info.name, (long long)block->size,
                             expected ? "" : "at least ", expected ? expected : 1);
        if (block->size > INT64_MAX / 64 - rows)
            return rico_fail(ctx, RICO_BAD_INPUT,
                             "block %lld (%s) has %lld rows, more than a problem can hold", (long long)i,
                             kind->info.name, (long long)block->size);
        rows += block->size;

        rico_cone_fault fault = kind->fault ? kind->fault(block) : (rico_cone_fault){0};
        if (fault.what)
            return rico_fail(ctx, RICO_BAD_INPUT, "block %lld has the %s %g; it must be %s", (long long)i,
                             fault.what, fault.value, fault.rule);
    }
    return RICO_OK;
}


static rico_status check_vector(rico_context *ctx, const char *name, int64_t count, const double *x)
{
    if (count > 0 && !x) return rico_fail(ctx, RICO_BAD_ARGUMENT, "the vector %s is missing", name);
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(x[i]))
            return rico_fail(ctx, RICO_BAD_INPUT, "%s[%lld] is %g", name, (long long)i, x[i]);
    return RICO_OK;
}


static rico_status check_shape(rico_context *ctx, const char *name, const rico_sparse_view *matrix,
                               int64_t rows, int64_t cols)
{
    if (!matrix) return rico_fail(ctx, RICO_BAD_ARGUMENT, "the matrix %s is missing", name);
    if (matrix->rows != rows || matrix->cols != cols)
        return rico_fail(ctx, RICO_BAD_INPUT, "%s is %lld x %lld instead of %lld x %lld", name,
                         (long long)matrix->rows, (long long)matrix->cols, (long long)rows, (long long)cols);
    return RICO_OK;
}


// A problem with room for its blocks, and nothing else; NULL when memory runs out.
static rico_problem *empty(rico_context *ctx, int64_t block_count, int64_t rows)
{
    rico_problem *p, with = {.ctx = ctx, .block_count = block_count, .rows = rows};
    const rico_array parts[] = {{&p, 1, sizeof *p},
                                {&with.kind, block_count, sizeof *with.kind},
                                {&with.offset, block_count + 1, sizeof *with.offset},
                                {&with.friction, block_count, sizeof *with.friction},
                                {&with.row_work, rows, sizeof *with.row_work},
                                {&with.block, block_count, sizeof *with.block}};
    if (!rico_alloc_together(ctx, sizeof parts / sizeof parts[0], parts)) return NULL;
    *p = with;
    return p;
}


// A problem with its blocks; the matrices follow.
static rico_status create_blocks(rico_context *ctx, int64_t block_count, const rico_block *blocks,
                                 rico_problem **out)
{
    rico_status status = check_blocks(ctx, block_count, blocks);
    if (status) return status;

    int64_t rows = 0;
    for (int64_t i = 0; i < block_count; i++) rows += blocks[i].size;
    rico_problem *p = empty(ctx, block_count, rows);
    if (!p) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < block_count; i++) {
        const rico_cone_kind *kind = &rico_cone_kinds[blocks[i].kind];
        p->kind[i] = (uint8_t)blocks[i].kind;
        p->friction[i] = kind->frictional ? blocks[i].friction : 0.0;
        p->block[i] = blocks[i];
        p->block[i].friction = p->friction[i];
        p->shaped = p->shaped || kind->shaped;
        p->offset[i + 1] = p->offset[i] + blocks[i].size;
    }
    *out = p;
    return RICO_OK;
}


rico_status rico_problem_copy_blocks(const rico_problem *from, rico_problem **out)
{
    rico_problem *p = empty(from->ctx, from->block_count, from->rows);
    if (!p) return RICO_NO_MEMORY;
    memcpy(p->kind, from->kind, (size_t)p->block_count * sizeof *p->kind);
    memcpy(p->offset, from->offset, (size_t)(p->block_count + 1) * sizeof *p->offset);
    memcpy(p->friction, from->friction, (size_t)p->block_count * sizeof *p->friction);
    memcpy(p->block, from->block, (size_t)p->block_count * sizeof *p->block);
    p->shaped = from->shaped;
    *out = p;
    return RICO_OK;
}


static double *copy_vector(rico_context *ctx, int64_t count, const double *x)
{
    double *copy = rico_alloc(ctx, count, sizeof *copy);
    if (copy && count > 0) memcpy(copy, x, (size_t)count * sizeof *copy);
    return copy;
}


rico_status rico_problem_create_reduced(rico_context *ctx, int64_t block_count, const rico_block *blocks,
                                        const rico_sparse_view *W, const double *q, rico_problem **out)
{
    rico_problem *p = NULL;
    rico_status status = create_blocks(ctx, block_count, blocks, &p);
    if (status) return status;

    rico_csc columns = {0};
    status = check_shape(ctx, "W", W, p->rows, p->rows);
    if (!status) status = check_vector(ctx, "q", p->rows, q);
    if (!status) status = rico_csc_from_view(ctx, "W", W, &columns);
    if (!status) status = rico_block_from_csc(&columns, block_count, p->offset, &p->W);
    if (!status) {
        p->q = copy_vector(ctx, p->rows, q);
        if (!p->q) status = RICO_NO_MEMORY;
    }
    rico_csc_destroy(&columns);
    if (status) {
        rico_problem_destroy(p);
        return status;
    }
    p->reduced = true;
    *out = p;
    return RICO_OK;
}


rico_status rico_problem_create_dense(rico_context *ctx, int64_t block_count, const rico_block *blocks,
                                      int64_t rows, const double *W, int64_t down, int64_t right,
                                      const double *q, rico_problem **out)
{
    int64_t *start = rico_alloc(ctx, rows + 1, sizeof *start),
            *row = rico_alloc(ctx, rows * rows, sizeof *row);
    double *value = rico_alloc(ctx, rows * rows, sizeof *value);
    rico_status status = start && row && value ? RICO_OK : RICO_NO_MEMORY;
    if (!status) {
        for (int64_t j = 0; j < rows; j++) {
            start[j + 1] = (j + 1) * rows;
            for (int64_t i = 0; i < rows; i++) {
                row[j * rows + i] = i;
                value[j * rows + i] = W[i * down + j * right];
            }
        }
        rico_sparse_view view = {rows, rows, start, row, value};
        status = rico_problem_create_reduced(ctx, block_count, blocks, &view, q, out);
    }
    rico_free(ctx, start);
    rico_free(ctx, row);
    rico_free(ctx, value);
    return status;
}


rico_status rico_problem_create_global(rico_context *ctx, int64_t block_count, const rico_block *blocks,
                                       const rico_sparse_view *M, const rico_sparse_view *H, const double *f,
                                       const double *w, rico_problem **out)
{
    rico_problem *p = NULL;
    rico_status status = create_blocks(ctx, block_count, blocks, &p);
    if (status) return status;

    int64_t dofs = M ? M->rows : 0;
    p->dofs = dofs;
    status = check_shape(ctx, "M", M, dofs, dofs);
    if (!status) status = check_shape(ctx, "H", H, dofs, p->rows);
    if (!status) status = check_vector(ctx, "f", dofs, f);
    if (!status) status = check_vector(ctx, "w", p->rows, w);
    if (!status) status = rico_csc_from_view(ctx, "M", M, &p->M);
    if (!status) status = rico_csc_from_view(ctx, "H", H, &p->H);
    if (!status) {
        p->f = copy_vector(ctx, dofs, f);
        p->w = copy_vector(ctx, p->rows, w);
        p->dof_work = rico_alloc(ctx, dofs, sizeof *p->dof_work);
        if (!p->f || !p->w || !p->dof_work) status = RICO_NO_MEMORY;
    }
    if (status) {
        rico_problem_destroy(p);
        return status;
    }
    p->global = true;
    *out = p;
    return RICO_OK;
}


void rico_problem_destroy(rico_problem *p)
{
    if (!p) return;
    rico_context *ctx = p->ctx;
    rico_csc_destroy(&p->M);
    rico_csc_destroy(&p->H);
    rico_free(ctx, p->f);
    rico_free(ctx, p->w);
    rico_mass_blocks_destroy(p->bodies);
    rico_factor_destroy(p->mass_factor);
    rico_free(ctx, p->dof_work);
    rico_block_destroy(&p->W);
    rico_free(ctx, p->q);
    rico_free(ctx, p->block_norm);
    rico_free(ctx, p); // with kind, offset, friction, block, row_work
}


int64_t rico_problem_block_count(const rico_problem *p)
{
    return p->block_count;
}


int64_t rico_problem_rows(const rico_problem *p)
{
    return p->rows;
}


int64_t rico_problem_dofs(const rico_problem *p)
{
    return p->dofs;
}


bool rico_problem_is_global(const rico_problem *p)
{
    return p->global;
}


rico_block rico_problem_block(const rico_problem *p, int64_t index)
{
    return p->block[index];
}


int64_t rico_problem_block_offset(const rico_problem *p, int64_t index)
{
    return p->offset[index];
}


rico_sparse_view rico_problem_mass(const rico_problem *p)
{
    return rico_csc_view(&p->M);
}


rico_sparse_view rico_problem_jacobian(const rico_problem *p)
{
    return rico_csc_view(&p->H);
}


const double *rico_problem_force(const rico_problem *p)
{
    return p->f;
}


const double *rico_problem_offset(const rico_problem *p)
{
    return p->w;
}


const double *rico_problem_free_velocity(const rico_problem *p)
{
    return p->q;
}


rico_status rico_problem_set_free_velocity(rico_problem *p, const double *q)
{
    if (p->global)
        return rico_fail(p->ctx, RICO_BAD_ARGUMENT,
                         "q of a global problem follows from f and w; set those instead");
    rico_status status = check_vector(p->ctx, "q", p->rows, q);
    if (status) return status;
    if (p->rows > 0) memcpy(p->q, q, (size_t)p->rows * sizeof *q);
    return RICO_OK;
}


rico_status rico_problem_set_force(rico_problem *p, const double *f, const double *w)
{
    if (!p->global)
        return rico_fail(p->ctx, RICO_BAD_ARGUMENT, "a reduced problem has no f and w; set q instead");
    rico_status status = RICO_OK;
    if (f) status = check_vector(p->ctx, "f", p->dofs, f);
    if (!status && w) status = check_vector(p->ctx, "w", p->rows, w);
    if (status) return status;

    if (f && p->dofs > 0) memcpy(p->f, f, (size_t)p->dofs * sizeof *f);
    if (w && p->rows > 0) memcpy(p->w, w, (size_t)p->rows * sizeof *w);
    return p->q ? rico_problem_free_velocity_update(p) : RICO_OK;
}
