// What Newton-like stages share: work vectors, scaling, the compressed step.

#include "solve/stage.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

// Rows beyond which W is not formed if that can be avoided.
static const int64_t reduce_rows = 20000;


rico_status rico_stage_create(rico_problem *problem, rico_stage **out)
{
    rico_context *ctx = problem->ctx;
    rico_status status = problem->reduced ? RICO_OK : rico_problem_factor_mass(problem);
    if (status) return status;
    bool whole = problem->reduced || problem->rows <= reduce_rows || !rico_body_system_takes(problem);
    if (whole) status = rico_problem_reduce(problem);
    if (status) return status;
    rico_stage *stage = rico_alloc(ctx, 1, sizeof *stage);
    if (!stage) return RICO_NO_MEMORY;
    int64_t blocks = problem->block_count;
    stage->ctx = ctx;
    stage->problem = problem;
    stage->C = rico_alloc(ctx, 9 * blocks, sizeof *stage->C);
    stage->c = rico_alloc(ctx, problem->rows, sizeof *stage->c);
    stage->dimension = rico_alloc(ctx, blocks, sizeof *stage->dimension);
    stage->cone = rico_alloc(ctx, blocks, sizeof *stage->cone);
    stage->normal = rico_alloc(ctx, blocks, sizeof *stage->normal);
    stage->tangent = rico_alloc(ctx, blocks, sizeof *stage->tangent);
    stage->diagonal = rico_alloc(ctx, 9 * blocks, sizeof *stage->diagonal);
    bool room = stage->diagonal && stage->C && stage->c && stage->dimension && stage->cone && stage->normal &&
                stage->tangent;
    for (int i = 0; room && i < RICO_STAGE_VECTORS; i++)
        room = (stage->vector[i] = rico_alloc(ctx, problem->rows, sizeof *stage->vector[i])) != NULL;
    for (int i = 0; room && i < RICO_STAGE_MATRICES; i++)
        room = (stage->matrix[i] = rico_alloc(ctx, 9 * blocks, sizeof *stage->matrix[i])) != NULL;
    for (int i = 0; room && i < 2; i++)
        room = (stage->block[i] = rico_alloc(ctx, blocks, sizeof *stage->block[i])) != NULL;
    if (room) room = (stage->state = rico_alloc(ctx, blocks, sizeof *stage->state)) != NULL;
    if (room && !whole) {
        status = rico_body_system_create(problem, &stage->bodies);
        if (status) {
            rico_stage_destroy(stage);
            return status;
        }
    }
    if (room) room = (stage->local = rico_alloc(ctx, blocks, sizeof *stage->local)) != NULL;
    status = room ? rico_stage_update(stage) : RICO_NO_MEMORY;
    if (status) {
        rico_stage_destroy(stage);
        return status;
    }
    *out = stage;
    return RICO_OK;
}


void rico_stage_destroy(rico_stage *stage)
{
    if (!stage) return;
    rico_context *ctx = stage->ctx;
    rico_compressed_destroy(stage->system);
    rico_body_system_destroy(stage->bodies);
    rico_free(ctx, stage->diagonal);
    for (int i = 0; i < RICO_STAGE_VECTORS; i++) rico_free(ctx, stage->vector[i]);
    for (int i = 0; i < RICO_STAGE_MATRICES; i++) rico_free(ctx, stage->matrix[i]);
    for (int i = 0; i < 2; i++) rico_free(ctx, stage->block[i]);
    rico_free(ctx, stage->state);
    rico_free(ctx, stage->local);
    rico_free(ctx, stage->C);
    rico_free(ctx, stage->c);
    rico_free(ctx, stage->dimension);
    rico_free(ctx, stage->cone);
    rico_free(ctx, stage->normal);
    rico_free(ctx, stage->tangent);
    rico_free(ctx, stage);
}


// W_aa of a contact into stage->diagonal, which it returns; of an equality, the larger block where it is.
static const double *take_diagonal(rico_stage *stage, int64_t a)
{
    const rico_problem *p = stage->problem;
    double *block = &stage->diagonal[9 * a];
    if (stage->bodies) {
        rico_body_system_diagonal(stage->bodies, a, block);
        return block;
    }
    const double *W = p->W.value + p->W.place[p->W.diagonal[a]];
    int64_t size = p->offset[a + 1] - p->offset[a];
    if (p->kind[a] == RICO_EQUALITY) return W;
    memcpy(block, W, (size_t)(size * size) * sizeof *block);
    return block;
}


rico_status rico_stage_update(rico_stage *stage)
{
    const rico_problem *p = stage->problem;
    stage->contacts = 0;
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t size = p->offset[a + 1] - p->offset[a];
        const double *W = take_diagonal(stage, a);
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
    if (stage->bodies) return RICO_OK;
    rico_compressed_destroy(stage->system);
    stage->system = NULL;
    return rico_compressed_create(p, &stage->system);
}


rico_status rico_stage_factor(rico_stage *stage)
{
    stage->factorizations++;
    if (stage->bodies) return rico_body_system_factor(stage->bodies, stage->C);
    return rico_compressed_factor(stage->system, stage->C);
}


void rico_stage_solve(rico_stage *stage, double *dr, bool refine)
{
    if (stage->bodies)
        rico_body_system_solve(stage->bodies, stage->C, stage->c, dr, refine);
    else
        rico_compressed_solve(stage->system, stage->C, stage->c, dr, refine);
}


double rico_stage_seconds(const rico_stage *stage)
{
    // measured on a 2.8 GHz core: fronts at some GFlop/s, the rest by contact
    double contacts = (double)stage->problem->block_count;
    if (stage->bodies) return rico_body_system_flops(stage->bodies) / 5e9 + 6e-6 * contacts;
    return rico_compressed_statistics(stage->system).flops / 5e9 + 2.5e-6 * contacts;
}


void rico_stage_velocity(const rico_stage *stage, const double *r, double *u)
{
    if (stage->bodies)
        rico_body_system_velocity(stage->bodies, r, u);
    else
        rico_block_times(&stage->problem->W, r, stage->problem->q, u);
}
