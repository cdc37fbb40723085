// Elliptic contacts in units that make them round: round.h.

#include "problem/round.h"

#include "la/dense.h"

#include <string.h>

bool rico_problem_can_be_round(const rico_problem *problem)
{
    for (int64_t a = 0; a < problem->block_count; a++) {
        const rico_block *block = &problem->block[a];
        if (block->kind == RICO_ELLIPTIC && block->friction > 0.0 && block->friction_2 > 0.0) continue;
        if (rico_cone_kinds[block->kind].shaped) return false;
    }
    return true;
}


// Units of the rows of a block: u' = u_unit u, r = r_unit r'.
static void units_of(const rico_block *block, double u_unit[3], double r_unit[3])
{
    for (int i = 0; i < 3; i++) u_unit[i] = r_unit[i] = 1.0;
    if (block->kind == RICO_ELLIPTIC) rico_elliptic_units(block, u_unit, r_unit);
}


void rico_problem_renew_round(rico_problem *round, const rico_problem *base)
{
    const rico_block_matrix *W = &base->W;
    for (int64_t a = 0; a < base->block_count; a++) {
        double u_unit[3], r_unit[3], unused[3];
        bool round_row = base->kind[a] == RICO_ELLIPTIC;
        units_of(&base->block[a], u_unit, unused);
        int64_t rows = base->offset[a + 1] - base->offset[a];
        for (int64_t i = 0; i < rows; i++)
            round->q[base->offset[a] + i] = (round_row ? u_unit[i] : 1.0) * base->q[base->offset[a] + i];
        for (int64_t k = W->start[a]; k < W->start[a + 1]; k++) {
            int64_t b = W->col[k], cols = base->offset[b + 1] - base->offset[b];
            bool round_col = base->kind[b] == RICO_ELLIPTIC;
            units_of(&base->block[b], unused, r_unit);
            for (int64_t i = 0; i < rows; i++)
                for (int64_t j = 0; j < cols; j++) {
                    double unit = (round_row ? u_unit[i] : 1.0) * (round_col ? r_unit[j] : 1.0);
                    round->W.value[W->place[k] + i * cols + j] = unit * W->value[W->place[k] + i * cols + j];
                }
        }
        int64_t diagonal = W->diagonal[a];
        round->block_norm[a] = rico_norm(rows * rows, &round->W.value[W->place[diagonal]]);
    }
    rico_problem_find_largest_norm(round);
    round->noise = base->noise;
}


rico_status rico_problem_create_round(rico_problem *base, rico_problem **out)
{
    rico_context *ctx = base->ctx;
    rico_problem *p = NULL;
    rico_status status = rico_problem_reduce(base);
    if (!status) status = rico_problem_copy_blocks(base, &p);
    if (status) return status;
    for (int64_t a = 0; a < p->block_count; a++) {
        if (p->kind[a] != RICO_ELLIPTIC) continue;
        p->kind[a] = RICO_COULOMB_3D;
        p->block[a] = (rico_block){RICO_COULOMB_3D, 3, p->friction[a]};
    }
    p->shaped = false;
    p->q = rico_alloc(ctx, p->rows, sizeof *p->q);
    p->block_norm = rico_alloc(ctx, p->block_count, sizeof *p->block_norm);
    status = p->q && p->block_norm ? rico_block_copy(&base->W, 1.0, &p->W) : RICO_NO_MEMORY;
    if (status) {
        rico_problem_destroy(p);
        return status;
    }
    p->reduced = true;
    rico_problem_renew_round(p, base);
    *out = p;
    return RICO_OK;
}


void rico_problem_to_round(const rico_problem *base, const double *r, double *round)
{
    memcpy(round, r, (size_t)base->rows * sizeof *r);
    for (int64_t a = 0; a < base->block_count; a++) {
        double u_unit[3], r_unit[3];
        if (base->kind[a] != RICO_ELLIPTIC) continue;
        units_of(&base->block[a], u_unit, r_unit);
        round[base->offset[a] + 2] /= r_unit[2];
    }
}


void rico_problem_from_round(const rico_problem *base, const double *round, double *r)
{
    memcpy(r, round, (size_t)base->rows * sizeof *r);
    for (int64_t a = 0; a < base->block_count; a++) {
        double u_unit[3], r_unit[3];
        if (base->kind[a] != RICO_ELLIPTIC) continue;
        units_of(&base->block[a], u_unit, r_unit);
        r[base->offset[a] + 2] *= r_unit[2];
    }
}
