// Newton's system in velocities and impulses: newton_mixed.h.

#include "solve/newton_mixed.h"

#include "la/dense.h"

#include <string.h>

// A reciprocal condition below this is round-off of zero.
static const double SINGULAR_BELOW = 1e-15;

struct rico_newton_mixed {
    rico_context *ctx;
    const rico_problem *problem;
    rico_csc J;  // the matrix, dofs first
    rico_csc HT; // H', rows of a dof in order
    rico_factor *factor;
    int64_t *block_of; // block of each row of r
    double *h;         // one row of H_a, largest block
    double *x;         // right-hand side and solution
};


// A block that stands in D_r whole; an equality has only its diagonal there.
static int64_t block_height(const rico_problem *p, int64_t a)
{
    return rico_problem_is_joint(p, a) ? 1 : p->offset[a + 1] - p->offset[a];
}


// The blocks that touch dof j, one after the other: *k runs over the entries of H'. Gathers the row of H_a in `h` and returns a, or -1
// past the last.
static int64_t next_block(const rico_newton_mixed *mixed, int64_t j, int64_t *k)
{
    const rico_problem *p = mixed->problem;
    const rico_csc *HT = &mixed->HT;
    if (*k >= HT->start[j + 1]) return -1;
    int64_t a = mixed->block_of[HT->row[*k]];
    memset(mixed->h, 0, (size_t)(p->offset[a + 1] - p->offset[a]) * sizeof *mixed->h);
    for (; *k < HT->start[j + 1] && mixed->block_of[HT->row[*k]] == a; ++*k)
        mixed->h[HT->row[*k] - p->offset[a]] = HT->value[*k];
    return a;
}


static int64_t count_entries(const rico_newton_mixed *mixed)
{
    const rico_problem *p = mixed->problem;
    int64_t count = p->M.start[p->dofs] + p->H.start[p->rows], a;
    for (int64_t j = 0; j < p->dofs; j++) {
        int64_t k = mixed->HT.start[j];
        while ((a = next_block(mixed, j, &k)) >= 0) count += p->offset[a + 1] - p->offset[a];
    }
    for (a = 0; a < p->block_count; a++) count += (p->offset[a + 1] - p->offset[a]) * block_height(p, a);
    return count;
}


static void fill_pattern(rico_newton_mixed *mixed)
{
    const rico_problem *p = mixed->problem;
    rico_csc *J = &mixed->J;
    int64_t n = p->dofs, at = 0, a;
    for (int64_t j = 0; j < n; j++) {
        for (int64_t k = p->M.start[j]; k < p->M.start[j + 1]; k++) J->row[at++] = p->M.row[k];
        int64_t k = mixed->HT.start[j];
        while ((a = next_block(mixed, j, &k)) >= 0)
            for (int64_t i = p->offset[a]; i < p->offset[a + 1]; i++) J->row[at++] = n + i;
        J->start[j + 1] = at;
    }
    for (int64_t j = 0; j < p->rows; j++) {
        a = mixed->block_of[j];
        for (int64_t k = p->H.start[j]; k < p->H.start[j + 1]; k++) J->row[at++] = p->H.row[k];
        int64_t first = rico_problem_is_joint(p, a) ? j : p->offset[a];
        for (int64_t i = 0; i < block_height(p, a); i++) J->row[at++] = n + first + i;
        J->start[n + j + 1] = at;
    }
}


// In the order of fill_pattern().
static void fill_values(rico_newton_mixed *mixed, const double *du, const double *dr, double shift)
{
    const rico_problem *p = mixed->problem;
    double *value = mixed->J.value;
    int64_t a;
    for (int64_t j = 0; j < p->dofs; j++) {
        for (int64_t k = p->M.start[j]; k < p->M.start[j + 1]; k++) *value++ = p->M.value[k];
        int64_t k = mixed->HT.start[j];
        while ((a = next_block(mixed, j, &k)) >= 0) {
            int64_t size = p->offset[a + 1] - p->offset[a];
            bool joint = rico_problem_is_joint(p, a);
            for (int64_t i = 0; i < size; i++) {
                double sum = joint ? du[9 * a] * mixed->h[i] : 0.0;
                for (int64_t l = 0; !joint && l < size; l++) sum += du[9 * a + i * size + l] * mixed->h[l];
                *value++ = sum;
            }
        }
    }
    for (int64_t j = 0; j < p->rows; j++) {
        a = mixed->block_of[j];
        int64_t size = p->offset[a + 1] - p->offset[a], column = j - p->offset[a];
        double extra = shift * p->block_norm[a];
        for (int64_t k = p->H.start[j]; k < p->H.start[j + 1]; k++) *value++ = -p->H.value[k];
        if (rico_problem_is_joint(p, a)) {
            *value++ = du[9 * a] * extra;
            continue;
        }
        for (int64_t i = 0; i < size; i++)
            *value++ = dr[9 * a + i * size + column] + extra * du[9 * a + i * size + column];
    }
}


rico_status rico_newton_mixed_create(const rico_problem *p, rico_newton_mixed **out)
{
    rico_context *ctx = p->ctx;
    rico_newton_mixed *mixed = rico_alloc(ctx, 1, sizeof *mixed);
    if (!mixed) return RICO_NO_MEMORY;
    mixed->ctx = ctx;
    mixed->problem = p;
    int64_t n = p->dofs + p->rows, largest = 1;
    mixed->block_of = rico_alloc(ctx, p->rows, sizeof *mixed->block_of);
    for (int64_t a = 0; mixed->block_of && a < p->block_count; a++) {
        if (p->offset[a + 1] - p->offset[a] > largest) largest = p->offset[a + 1] - p->offset[a];
        for (int64_t i = p->offset[a]; i < p->offset[a + 1]; i++) mixed->block_of[i] = a;
    }
    mixed->h = rico_alloc(ctx, largest, sizeof *mixed->h);
    mixed->x = rico_alloc(ctx, n, sizeof *mixed->x);
    rico_status status = mixed->block_of && mixed->h && mixed->x ? RICO_OK : RICO_NO_MEMORY;
    if (!status) status = rico_csc_transpose(&p->H, &mixed->HT);
    if (!status) {
        int64_t count = count_entries(mixed);
        mixed->J = (rico_csc){.ctx = ctx, .rows = n, .cols = n};
        mixed->J.start = rico_alloc(ctx, n + 1, sizeof *mixed->J.start);
        mixed->J.row = rico_alloc(ctx, count, sizeof *mixed->J.row);
        mixed->J.value = rico_alloc(ctx, count, sizeof *mixed->J.value);
        if (!mixed->J.start || !mixed->J.row || !mixed->J.value) status = RICO_NO_MEMORY;
    }
    if (status) {
        rico_newton_mixed_destroy(mixed);
        return status;
    }
    fill_pattern(mixed);
    *out = mixed;
    return RICO_OK;
}


void rico_newton_mixed_destroy(rico_newton_mixed *mixed)
{
    if (!mixed) return;
    rico_factor_destroy(mixed->factor);
    rico_csc_destroy(&mixed->J);
    rico_csc_destroy(&mixed->HT);
    rico_free(mixed->ctx, mixed->block_of);
    rico_free(mixed->ctx, mixed->h);
    rico_free(mixed->ctx, mixed->x);
    rico_free(mixed->ctx, mixed);
}


rico_status rico_newton_mixed_solve(rico_newton_mixed *mixed, const double *du, const double *dr,
                                    const double *G, double shift, double *d, double *Wd)
{
    const rico_problem *p = mixed->problem;
    int64_t n = p->dofs, m = p->rows;
    fill_values(mixed, du, dr, shift);
    if (!rico_all_finite(rico_csc_count(&mixed->J), mixed->J.value))
        return rico_fail(mixed->ctx, RICO_SINGULAR,
                         "the Newton matrix of %lld velocities and %lld impulses is not finite", (long long)n,
                         (long long)m);
    rico_status status = mixed->factor ? rico_factor_refactor(mixed->factor, &mixed->J)
                                       : rico_factor_create(RICO_LU, &mixed->J, &mixed->factor);
    if (status) return status;
    memset(mixed->x, 0, (size_t)n * sizeof *mixed->x);
    for (int64_t i = 0; i < m; i++) mixed->x[n + i] = -G[i];
    if (rico_factor_statistics(mixed->factor).reciprocal_condition > SINGULAR_BELOW)
        status = rico_factor_solve(mixed->factor, 1, mixed->x, mixed->x);
    else
        status = RICO_SINGULAR;
    if (status == RICO_SINGULAR || (!status && !rico_all_finite(n + m, mixed->x)))
        return rico_fail(mixed->ctx, RICO_SINGULAR,
                         "the Newton matrix of %lld velocities and %lld impulses is singular to round-off",
                         (long long)n, (long long)m);
    if (status) return status;
    memcpy(d, mixed->x + n, (size_t)m * sizeof *d);
    rico_csc_transpose_times(&p->H, 1.0, mixed->x, 0.0, Wd);
    return RICO_OK;
}


int64_t rico_newton_mixed_entries(const rico_newton_mixed *mixed)
{
    return rico_csc_count(&mixed->J);
}


int64_t rico_newton_mixed_fill(const rico_newton_mixed *mixed)
{
    return mixed->factor ? rico_factor_statistics(mixed->factor).entries : 0;
}
