// The diagonal blocks W_aa = H_a' M^-1 H_a and their norms, read off W where it is there and a column at a time where not.

#include "problem/problem.h"

#include "la/dense.h"
#include "problem/mass.h"

#include <math.h>
#include <string.h>

enum { SMALL = 3, BATCH = 12 }; // rows of a block whose entries are kept; columns solved for at once

// Where the diagonal blocks go: their norms, their entries (9 for each block of at most 3 rows), or both.
typedef struct sink {
    double *norm, *entry;
} sink;


// x <- M^-1 h_j for one column of H, touching only the bodies that h_j touches; x is zero outside of them. `touched`
// lists those bodies, and `mark` (one entry per body, anything but `stamp`) tells them apart.
static int64_t solve_column(const rico_problem *p, int64_t j, int64_t stamp, int64_t *mark, int64_t *touched,
                            double *x)
{
    const rico_mass_blocks *bodies = p->bodies;
    int64_t count = 0;
    for (int64_t k = p->H.start[j]; k < p->H.start[j + 1]; k++) {
        int64_t body = bodies->of_dof[p->H.row[k]];
        x[bodies->place[p->H.row[k]]] = p->H.value[k];
        if (mark[body] == stamp) continue;
        mark[body] = stamp;
        touched[count++] = body;
    }
    for (int64_t b = 0; b < count; b++)
        rico_mass_blocks_solve(bodies, touched[b], &x[bodies->start[touched[b]]]);
    return count;
}


// Column j of block a, given M^-1 h_j with the dofs in the order of `place` (NULL: their own). Returns the sum of squares.
static double take_column(const rico_problem *p, sink out, int64_t a, int64_t j, const int64_t *place,
                          const double *x)
{
    int64_t first = p->offset[a], size = p->offset[a + 1] - first;
    double square = 0.0;
    for (int64_t i = 0; i < size; i++) {
        double entry = 0.0;
        for (int64_t k = p->H.start[first + i]; k < p->H.start[first + i + 1]; k++)
            entry += p->H.value[k] * x[place ? place[p->H.row[k]] : p->H.row[k]];
        square += entry * entry;
        if (out.entry && size <= SMALL) out.entry[9 * a + i * size + j - first] = entry;
    }
    return square;
}


// A column at a time, body by body.
static rico_status by_bodies(rico_problem *p, sink out)
{
    const rico_mass_blocks *bodies = p->bodies;
    int64_t *mark = rico_alloc(p->ctx, bodies->count, sizeof *mark);
    int64_t *touched = rico_alloc(p->ctx, bodies->count, sizeof *touched);
    rico_status status = mark && touched ? RICO_OK : RICO_NO_MEMORY;
    double *x = p->dof_work;
    memset(x, 0, (size_t)p->dofs * sizeof *x);
    for (int64_t a = 0; !status && a < p->block_count; a++) {
        double square = 0.0;
        for (int64_t j = p->offset[a]; j < p->offset[a + 1]; j++) {
            int64_t count = solve_column(p, j, j + 1, mark, touched, x);
            square += take_column(p, out, a, j, bodies->place, x);
            for (int64_t b = 0; b < count; b++)
                for (int64_t i = bodies->start[touched[b]]; i < bodies->start[touched[b] + 1]; i++)
                    x[i] = 0.0;
        }
        if (out.norm) out.norm[a] = sqrt(square);
    }
    rico_free(p->ctx, mark);
    rico_free(p->ctx, touched);
    return status;
}


// Some columns at a time, through the factor of a mass that does not fall apart: as many solves as W has columns, but none of its entries.
static rico_status by_factor(rico_problem *p, sink out)
{
    int64_t n = p->dofs;
    double *x = rico_alloc(p->ctx, n * BATCH, sizeof *x);
    double *square = rico_alloc(p->ctx, p->block_count, sizeof *square);
    rico_status status = x && square ? RICO_OK : RICO_NO_MEMORY;
    int64_t a = 0;
    for (int64_t from = 0; !status && from < p->rows; from += BATCH) {
        int64_t count = p->rows - from < BATCH ? p->rows - from : BATCH;
        memset(x, 0, (size_t)(count * n) * sizeof *x);
        for (int64_t c = 0; c < count; c++)
            for (int64_t k = p->H.start[from + c]; k < p->H.start[from + c + 1]; k++)
                x[c * n + p->H.row[k]] = p->H.value[k];
        status = rico_problem_solve_mass(p, count, x);
        for (int64_t c = 0; !status && c < count; c++) {
            while (p->offset[a + 1] <= from + c) a++;
            square[a] += take_column(p, out, a, from + c, NULL, x + c * n);
        }
    }
    for (int64_t i = 0; !status && out.norm && i < p->block_count; i++) out.norm[i] = sqrt(square[i]);
    rico_free(p->ctx, x);
    rico_free(p->ctx, square);
    return status;
}


// Off W as it stands.
static void by_reading(const rico_problem *p, sink out)
{
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t k = p->W.diagonal[a], count = p->W.place[k + 1] - p->W.place[k];
        const double *W = &p->W.value[p->W.place[k]];
        if (out.norm) out.norm[a] = rico_norm(count, W);
        if (out.entry && p->offset[a + 1] - p->offset[a] <= SMALL)
            memcpy(&out.entry[9 * a], W, (size_t)count * sizeof *W);
    }
}


static rico_status collect(rico_problem *p, sink out)
{
    if (p->reduced) {
        by_reading(p, out);
        return RICO_OK;
    }
    rico_status status = rico_problem_factor_mass(p);
    if (status) return status;
    return p->bodies ? by_bodies(p, out) : by_factor(p, out);
}


void rico_problem_find_largest_norm(rico_problem *p)
{
    p->largest_norm = 0.0;
    for (int64_t a = 0; a < p->block_count; a++) p->largest_norm = fmax(p->largest_norm, p->block_norm[a]);
    if (p->largest_norm == 0.0) p->largest_norm = 1.0;
}


rico_status rico_problem_block_norms_apart(rico_problem *p)
{
    if (p->block_norm) return RICO_OK;
    double *norm = rico_alloc(p->ctx, p->block_count, sizeof *norm);
    if (!norm) return RICO_NO_MEMORY;
    rico_status status = collect(p, (sink){.norm = norm});
    if (status) {
        rico_free(p->ctx, norm);
        return status;
    }
    p->block_norm = norm;
    rico_problem_find_largest_norm(p);
    return RICO_OK;
}


rico_status rico_problem_block_norms(rico_problem *p)
{
    if (p->block_norm) return RICO_OK;

    // without small bodies the columns of M^-1 H are dense, and W is what they make
    rico_status status = p->reduced ? RICO_OK : rico_problem_factor_mass(p);
    if (!status && !p->reduced && !p->bodies) status = rico_problem_reduce(p);
    return status ? status : rico_problem_block_norms_apart(p);
}


rico_status rico_problem_diagonal_blocks(rico_problem *p, double *blocks)
{
    return collect(p, (sink){.entry = blocks});
}
