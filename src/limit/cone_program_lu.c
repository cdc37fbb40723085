// The linear systems of a large cone program once its normal equations have run out of digits: the whole system, by sparse LU.
//
// In scaled coordinates, X~ = S X and A~ = A S^-1, with S = 1 and 0 in the place of the identity for free parts,
//
//     [ 1   -A~' ] [ X~ ]   [ S^-1 r1 ]
//     [ A~   d   ] [ Y  ] = [ r2      ],
//
// d being next to nothing, for equations that depend on one another. Nothing is squared, and nothing in it is larger than the entries of A~.

#include "limit/cone_program_private.h"

#include <math.h>

static const double NOTHING = 1e-18; // d, over what the normal equations have on their diagonal

struct rico_cone_program_lu {
    rico_csc K;
    rico_factor *factor;
    int64_t entries;
    int64_t *place; // of the entries of A~ and of -A~', in turn, part by part, row by row
    int64_t *one;   // of the diagonal
    double *rhs;    // of the whole
};


// The rows that a part touches; dense ones go by their column alone.
static int64_t rows_of(const rico_cone_program *p, int64_t k, int64_t at)
{
    const rico_cone_program_outer *outer = &p->system.outer[k];
    return outer->rows > 0 ? p->system.row[outer->row + at] : p->A.row[p->A.start[p->part[k].column] + at];
}


static int64_t row_count(const rico_cone_program *p, int64_t k)
{
    int64_t column = p->part[k].column;
    return p->system.outer[k].rows > 0 ? p->system.outer[k].rows
                                       : p->A.start[column + 1] - p->A.start[column];
}


// Entry of a part in one of its rows, along coordinate i, before S.
static double entry_of(const rico_cone_program *p, int64_t k, const double *V, int64_t at, int i)
{
    const rico_cone_program_outer *outer = &p->system.outer[k];
    if (outer->rows == 0) return p->A.value[p->A.start[p->part[k].column] + at];
    const double *a = p->system.entry + outer->entry + at * p->part[k].size;
    return p->part[k].kind == RICO_PROGRAM_CONE ? V[i] * a[0] + V[3 + i] * a[1] + V[6 + i] * a[2] : a[0];
}


static rico_status lay_out(rico_cone_program *p, rico_cone_program_lu *own)
{
    rico_context *ctx = p->ctx;
    int64_t n = p->cols + p->rows, count = 0, total = 2 * own->entries + n;
    int64_t *row = rico_alloc(ctx, total, sizeof *row), *col = rico_alloc(ctx, total, sizeof *col);
    double *zero = rico_alloc(ctx, total, sizeof *zero);
    rico_status status = row && col && zero ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t k = 0; status == RICO_OK && k < p->part_count; k++)
        for (int64_t at = 0; at < row_count(p, k); at++)
            for (int i = 0; i < p->part[k].size; i++) {
                row[count] = p->cols + rows_of(p, k, at), col[count++] = p->part[k].column + i;
                row[count] = p->part[k].column + i, col[count++] = p->cols + rows_of(p, k, at);
            }
    for (int64_t i = 0; status == RICO_OK && i < n; i++, count++) row[count] = col[count] = i;
    if (status == RICO_OK) status = rico_csc_from_triplets(ctx, "K", n, n, count, row, col, zero, &own->K);
    for (int64_t k = 0; status == RICO_OK && k < 2 * own->entries; k++)
        own->place[k] = rico_csc_find(&own->K, row[k], col[k]);
    for (int64_t i = 0; status == RICO_OK && i < n; i++) own->one[i] = rico_csc_find(&own->K, i, i);
    rico_free(ctx, row);
    rico_free(ctx, col);
    rico_free(ctx, zero);
    return status;
}


static rico_status create(rico_cone_program *p)
{
    rico_cone_program_lu *own = rico_alloc(p->ctx, 1, sizeof *own);
    if (!own) return RICO_NO_MEMORY;
    p->system.lu = own;
    for (int64_t k = 0; k < p->part_count; k++) own->entries += row_count(p, k) * p->part[k].size;
    own->place = rico_alloc(p->ctx, 2 * own->entries, sizeof *own->place);
    own->one = rico_alloc(p->ctx, p->cols + p->rows, sizeof *own->one);
    own->rhs = rico_alloc(p->ctx, p->cols + p->rows, sizeof *own->rhs);
    return own->place && own->one && own->rhs ? lay_out(p, own) : RICO_NO_MEMORY;
}


void rico_cone_program_lu_destroy(rico_cone_program *p)
{
    rico_cone_program_lu *own = p->system.lu;
    if (!own) return;
    rico_factor_destroy(own->factor);
    rico_csc_destroy(&own->K);
    rico_free(p->ctx, own->place);
    rico_free(p->ctx, own->one);
    rico_free(p->ctx, own->rhs);
    rico_free(p->ctx, own);
    p->system.lu = NULL;
}


static double scale_of(const rico_cone_program_part *part, int i)
{
    return part->kind == RICO_PROGRAM_FREE ? 1.0 : part->frame.s[i];
}


rico_status rico_cone_program_lu_factor(rico_cone_program *p)
{
    rico_status status = p->system.lu ? RICO_OK : create(p);
    if (status != RICO_OK) return status;
    rico_cone_program_lu *own = p->system.lu;
    const int64_t *place = own->place;
    for (int64_t k = 0; k < p->part_count; k++) {
        const rico_cone_program_part *part = &p->part[k];
        double V[9];
        if (part->kind == RICO_PROGRAM_CONE) rico_nt_matrix(&part->frame, V);
        for (int64_t at = 0; at < row_count(p, k); at++)
            for (int i = 0; i < part->size; i++) {
                double value = entry_of(p, k, V, at, i) / scale_of(part, i);
                own->K.value[*place++] = value;
                own->K.value[*place++] = -value;
            }
        for (int i = 0; i < part->size; i++)
            own->K.value[own->one[part->column + i]] = part->kind == RICO_PROGRAM_FREE ? 0.0 : 1.0;
    }
    for (int64_t i = 0; i < p->rows; i++) {
        double diagonal = p->system.M.value[p->system.diagonal[i]];
        own->K.value[own->one[p->cols + i]] = diagonal > 0.0 ? NOTHING * diagonal : 1.0;
    }
    if (own->factor) return rico_factor_refactor(own->factor, &own->K);
    return rico_factor_create(RICO_LU, &own->K, &own->factor);
}


rico_status rico_cone_program_lu_solve(rico_cone_program *p, const double *r1, const double *r2, double *X,
                                       double *Y)
{
    rico_cone_program_lu *own = p->system.lu;
    for (int64_t k = 0; k < p->part_count; k++)
        for (int i = 0; i < p->part[k].size; i++)
            own->rhs[p->part[k].column + i] = r1[p->part[k].column + i] / scale_of(&p->part[k], i);
    for (int64_t i = 0; i < p->rows; i++) own->rhs[p->cols + i] = r2[i];
    rico_status status = rico_factor_solve(own->factor, 1, own->rhs, own->rhs);
    if (status != RICO_OK) return status;
    for (int64_t k = 0; k < p->part_count; k++)
        for (int i = 0; i < p->part[k].size; i++)
            X[p->part[k].column + i] = own->rhs[p->part[k].column + i] / scale_of(&p->part[k], i);
    for (int64_t i = 0; i < p->rows; i++) Y[i] = own->rhs[p->cols + i];
    return RICO_OK;
}
