// What Newton-like stages share: work vectors, scaling, the compressed step.

#include "solve/stage.h"

#include "la/dense.h"
#include "solve/hidden_bodies.h"

#include <math.h>
#include <string.h>

enum { MOST_VECTORS = 11, MOST_SQUARES = 3 }; // lent to one stage: the curve of proximal points takes all

// Rows beyond which W is not formed if that can be avoided; where joints, which are soft body by body, make that less exact.
static const int64_t body_rows = 900, jointed_rows = 20000;


bool rico_stage_by_bodies(const rico_problem *problem)
{
    if (problem->reduced || problem->rows <= body_rows || !rico_body_graph_takes(problem)) return false;
    bool joints = false;
    for (int64_t a = 0; a < problem->block_count && !joints; a++) joints = rico_problem_is_joint(problem, a);
    return !joints || problem->rows > jointed_rows;
}


rico_status rico_stage_create(rico_problem *problem, rico_body_graph **graph, rico_stage **out)
{
    rico_context *ctx = problem->ctx;
    rico_status status = problem->reduced ? RICO_OK : rico_problem_factor_mass(problem);
    if (status) return status;
    bool whole = !rico_stage_by_bodies(problem);
    if (whole) status = rico_problem_reduce(problem);
    if (status) return status;
    // vectors by row, squares by block, and what else each block has
    double by_row = (double)problem->rows * (MOST_VECTORS + 2) * sizeof(double),
           by_block = (double)problem->block_count * ((MOST_SQUARES + 2) * 9 + 8) * sizeof(double) +
                      (double)problem->block_count * sizeof(rico_one_contact);
    status = rico_foresee(ctx, by_row + by_block, "Newton's method");
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
    if (room) {
        stage->vectors = rico_alloc(ctx, MOST_VECTORS * problem->rows, sizeof *stage->vectors);
        stage->squares = rico_alloc(ctx, MOST_SQUARES * 9 * blocks, sizeof *stage->squares);
        stage->kept = rico_alloc(ctx, problem->rows, sizeof *stage->kept);
        stage->step_length = rico_alloc(ctx, blocks, sizeof *stage->step_length);
        stage->state = rico_alloc(ctx, blocks, sizeof *stage->state);
        room = stage->vectors && stage->squares && stage->kept && stage->step_length && stage->state;
    }
    if (room && !whole) {
        status = rico_body_system_create(problem, graph, &stage->bodies);
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


static void drop_hidden(rico_stage *stage)
{
    if (!stage->hidden) return;
    rico_body_system_destroy(stage->bodies);
    rico_problem_destroy(stage->hidden);
    stage->bodies = NULL;
    stage->hidden = NULL;
}


void rico_stage_destroy(rico_stage *stage)
{
    if (!stage) return;
    rico_context *ctx = stage->ctx;
    rico_compressed_destroy(stage->system);
    drop_hidden(stage);
    rico_body_system_destroy(stage->bodies);
    rico_free(ctx, stage->diagonal);
    rico_free(ctx, stage->vectors);
    rico_free(ctx, stage->squares);
    rico_free(ctx, stage->kept);
    rico_free(ctx, stage->step_length);
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


void rico_stage_lend(const rico_stage *stage, double **const *rows, double **const *squares)
{
    for (int i = 0; i < MOST_VECTORS && rows[i]; i++) *rows[i] = stage->vectors + i * stage->problem->rows;
    for (int i = 0; i < MOST_SQUARES && squares && squares[i]; i++)
        *squares[i] = stage->squares + i * 9 * stage->problem->block_count;
}


// Is W there? The bodies behind it give directions alone; velocities and diagonals are its own.
static bool has_matrix(const rico_stage *stage)
{
    return !stage->bodies || stage->hidden;
}


// W_aa of a contact into stage->diagonal, which it returns; of a joint the block where it is, or without W the largest of
// its diagonal alone.
static const double *take_diagonal(rico_stage *stage, int64_t a)
{
    const rico_problem *p = stage->problem;
    double *block = &stage->diagonal[9 * a];
    if (!has_matrix(stage)) {
        if (rico_problem_is_joint(p, a))
            block[0] = rico_body_system_joint_scale(stage->bodies, a);
        else
            rico_body_system_diagonal(stage->bodies, a, block);
        return block;
    }
    const double *W = p->W.value + p->W.place[p->W.diagonal[a]];
    int64_t size = p->offset[a + 1] - p->offset[a];
    if (rico_problem_is_joint(p, a)) return W;
    memcpy(block, W, (size_t)(size * size) * sizeof *block);
    return block;
}


rico_status rico_stage_look_behind(rico_stage *stage)
{
    static const double worth = 0.7; // of the operations
    if (stage->bodies || stage->looked || stage->problem->rows <= body_rows) return RICO_OK;
    stage->looked = true;
    rico_status status = rico_hidden_bodies_create(stage->system, &stage->hidden);
    if (!status && stage->hidden) status = rico_problem_factor_mass(stage->hidden);
    if (!status && stage->hidden) status = rico_body_system_create(stage->hidden, NULL, &stage->bodies);
    bool cheaper =
        !status && stage->hidden &&
        rico_body_system_flops(stage->bodies) <= worth * rico_compressed_statistics(stage->system).flops;
    if (!cheaper) {
        // groups do as well: a mass that cannot be factored is no reason to stop
        drop_hidden(stage);
        return status == RICO_NO_MEMORY ? status : RICO_OK;
    }
    rico_compressed_destroy(stage->system);
    stage->system = NULL;
    return RICO_OK;
}


rico_status rico_stage_update(rico_stage *stage)
{
    const rico_problem *p = stage->problem;
    stage->contacts = 0;
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t size = p->offset[a + 1] - p->offset[a];
        const double *W = take_diagonal(stage, a);
        bool equality = rico_problem_is_joint(p, a), frictional = p->friction[a] > 0.0;
        stage->dimension[a] = (int32_t)(equality || frictional ? size : 1);
        stage->cone[a] = frictional ? p->friction[a] : 1.0;
        if (!equality) stage->contacts++;

        double normal = W[0], tangent = 0.0;
        if (equality && has_matrix(stage))
            for (int64_t i = 1; i < size; i++) normal = fmax(normal, W[i * size + i]);
        else if (!equality && size == 2)
            tangent = W[3];
        else if (!equality && size == 3)
            tangent = 0.5 * (W[4] + W[8]) + hypot(0.5 * (W[4] - W[8]), 0.5 * (W[5] + W[7]));
        stage->normal[a] = normal > 0.0 ? normal : 1.0;
        stage->tangent[a] = tangent > 0.0 ? tangent : stage->normal[a];
    }
    if (!has_matrix(stage)) return RICO_OK;
    rico_compressed_destroy(stage->system);
    stage->system = NULL;
    drop_hidden(stage);
    stage->looked = false;
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


int rico_stage_sign(const rico_stage *stage)
{
    return stage->bodies ? rico_body_system_sign(stage->bodies) : rico_compressed_sign(stage->system);
}


// Both measured on a 2.8 GHz core: fronts at some GFlop/s, larger ones at more, the rest by contact.
static const double by_bodies = 0.8e-6, by_contacts = 2.5e-6;


double rico_stage_seconds(const rico_stage *stage)
{
    double contacts = (double)stage->problem->block_count;
    if (stage->bodies) return rico_body_system_flops(stage->bodies) / 2e10 + by_bodies * contacts;
    return rico_compressed_statistics(stage->system).flops / 5e9 + by_contacts * contacts;
}


rico_status rico_stage_foretell(rico_problem *problem, rico_body_graph **graph, double *seconds)
{
    if (!*graph) {
        rico_status status = rico_body_graph_create(problem, graph);
        if (status) return status;
    }
    *seconds = rico_front_lu_flops((*graph)->lu) / 2e10 + by_bodies * (double)problem->block_count;
    return RICO_OK;
}


double rico_stage_seconds_at_least(const rico_problem *problem)
{
    return (rico_stage_by_bodies(problem) ? by_bodies : by_contacts) * (double)problem->block_count;
}


void rico_stage_velocity(const rico_stage *stage, const double *r, double *u)
{
    if (!has_matrix(stage))
        rico_body_system_velocity(stage->bodies, r, true, u);
    else
        rico_block_times(&stage->problem->W, r, stage->problem->q, u);
}


void rico_stage_multiply(const rico_stage *stage, const double *r, double *W_r)
{
    if (!has_matrix(stage))
        rico_body_system_velocity(stage->bodies, r, false, W_r);
    else
        rico_block_times(&stage->problem->W, r, NULL, W_r);
}


void rico_stage_product(const rico_stage *stage, double *W_dr)
{
    if (stage->bodies)
        rico_body_system_product(stage->bodies, W_dr);
    else
        rico_compressed_product(stage->system, W_dr);
}
