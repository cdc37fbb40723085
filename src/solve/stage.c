#include "solve/stage.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

rico_status rico_stage_create(rico_problem *problem, rico_stage **out)
{
    rico_context *ctx = problem->ctx;
    rico_status status = rico_problem_reduce(problem);
    if (status) return status;
    rico_stage *stage = rico_alloc(ctx, 1, sizeof *stage);
    if (!stage) return RICO_NO_MEMORY;
    int64_t blocks = problem->block_count, numbers = problem->W.place[rico_block_count(&problem->W)];
    stage->ctx = ctx;
    stage->problem = problem;
    stage->value = rico_alloc(ctx, numbers, sizeof *stage->value);
    stage->active = rico_alloc(ctx, blocks, sizeof *stage->active);
    stage->dimension = rico_alloc(ctx, blocks, sizeof *stage->dimension);
    stage->cone = rico_alloc(ctx, blocks, sizeof *stage->cone);
    stage->normal = rico_alloc(ctx, blocks, sizeof *stage->normal);
    stage->tangent = rico_alloc(ctx, blocks, sizeof *stage->tangent);
    stage->right = rico_alloc(ctx, problem->rows, sizeof *stage->right);
    bool room = stage->value && stage->active && stage->dimension && stage->cone && stage->normal &&
                stage->tangent && stage->right;
    for (int i = 0; room && i < RICO_STAGE_VECTORS; i++)
        room = (stage->vector[i] = rico_alloc(ctx, problem->rows, sizeof *stage->vector[i])) != NULL;
    for (int i = 0; room && i < RICO_STAGE_MATRICES; i++)
        room = (stage->matrix[i] = rico_alloc(ctx, 9 * blocks, sizeof *stage->matrix[i])) != NULL;
    for (int i = 0; room && i < 2; i++)
        room = (stage->block[i] = rico_alloc(ctx, blocks, sizeof *stage->block[i])) != NULL;
    if (room) room = (stage->local = rico_alloc(ctx, blocks, sizeof *stage->local)) != NULL;
    status = room ? rico_front_lu_create(&problem->W, &stage->lu) : RICO_NO_MEMORY;
    if (status) {
        rico_stage_destroy(stage);
        return status;
    }
    rico_stage_update(stage);
    *out = stage;
    return RICO_OK;
}


void rico_stage_destroy(rico_stage *stage)
{
    if (!stage) return;
    rico_context *ctx = stage->ctx;
    rico_front_lu_destroy(stage->lu);
    for (int i = 0; i < RICO_STAGE_VECTORS; i++) rico_free(ctx, stage->vector[i]);
    for (int i = 0; i < RICO_STAGE_MATRICES; i++) rico_free(ctx, stage->matrix[i]);
    for (int i = 0; i < 2; i++) rico_free(ctx, stage->block[i]);
    rico_free(ctx, stage->local);
    rico_free(ctx, stage->value);
    rico_free(ctx, stage->active);
    rico_free(ctx, stage->dimension);
    rico_free(ctx, stage->cone);
    rico_free(ctx, stage->normal);
    rico_free(ctx, stage->tangent);
    rico_free(ctx, stage->right);
    rico_free(ctx, stage);
}


void rico_stage_update(rico_stage *stage)
{
    const rico_problem *p = stage->problem;
    stage->contacts = 0;
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t size = p->offset[a + 1] - p->offset[a];
        const double *W = &p->W.value[p->W.place[p->W.diagonal[a]]];
        bool equality = p->kind[a] == RICO_EQUALITY, frictional = p->friction[a] > 0.0;
        stage->dimension[a] = (int32_t)(equality || frictional ? size : 1);
        stage->cone[a] = frictional ? p->friction[a] : 1.0;
        if (!equality) stage->contacts++;

        double normal = W[0], tangent = 0.0;
        if (equality)
            for (int64_t i = 1; i < size; i++) normal = fmax(normal, W[i * size + i]);
        else if (size == 2)
            tangent = W[3];
        else if (size == 3)
            tangent = 0.5 * (W[4] + W[8]) + hypot(0.5 * (W[4] - W[8]), 0.5 * (W[5] + W[7]));
        stage->normal[a] = normal > 0.0 ? normal : 1.0;
        stage->tangent[a] = tangent > 0.0 ? tangent : stage->normal[a];
    }
}


rico_status rico_stage_factor(rico_stage *stage)
{
    stage->factorizations++;
    return rico_front_lu_factor(stage->lu, stage->active, stage->value);
}


void rico_stage_solve(rico_stage *stage, double *x, bool refine)
{
    const rico_block_matrix *W = &stage->problem->W;
    double *b = stage->right;
    if (refine && W->rows > 0) memcpy(b, x, (size_t)W->rows * sizeof *b);
    rico_front_lu_solve(stage->lu, x);
    if (!refine) return;

    // b <- b - A x on the active rows, then x += A^-1 of that
    for (int64_t a = 0; a < W->blocks; a++) {
        double *left = &b[W->offset[a]];
        for (int64_t k = W->start[a]; stage->active[a] > 0 && k < W->start[a + 1]; k++) {
            int64_t c = W->col[k], width = W->offset[c + 1] - W->offset[c];
            const double *block = &stage->value[W->place[k]], *y = &x[W->offset[c]];
            for (int32_t i = 0; i < stage->active[a]; i++)
                for (int32_t j = 0; j < stage->active[c]; j++) left[i] -= block[i * width + j] * y[j];
        }
    }
    rico_front_lu_solve(stage->lu, b);
    for (int64_t a = 0; a < W->blocks; a++)
        for (int32_t i = 0; i < stage->active[a]; i++) x[W->offset[a] + i] += b[W->offset[a] + i];
}


double rico_stage_seconds(const rico_stage *stage)
{
    // measured on a 2.8 GHz core: fronts at some GFlop/s, assembly and small blocks apart
    const rico_block_matrix *W = &stage->problem->W;
    return rico_front_lu_flops(stage->lu) / 4e9 + 6e-9 * (double)W->place[rico_block_count(W)] +
           1.5e-6 * (double)W->blocks;
}


void rico_stage_velocity(const rico_stage *stage, const double *r, double *u)
{
    rico_block_times(&stage->problem->W, r, stage->problem->q, u);
}
