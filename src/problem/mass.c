#include "problem/mass.h"

#include "la/dense.h"

// The root of a dof's component, halving the path on the way (union-find).
static int64_t find_root(int64_t *parent, int64_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}


// Numbers the components in order of their first dof and fills start, dof, place, of_dof.
static rico_status find_bodies(const rico_csc *M, rico_mass_blocks *bodies)
{
    rico_context *ctx = M->ctx;
    int64_t n = M->rows;
    int64_t *parent = rico_alloc(ctx, n, sizeof *parent);
    if (!parent) return RICO_NO_MEMORY;

    for (int64_t i = 0; i < n; i++) parent[i] = i;
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = M->start[j]; k < M->start[j + 1]; k++) {
            int64_t a = find_root(parent, M->row[k]), b = find_root(parent, j);
            if (a < b)
                parent[b] = a; // the smallest dof is the root
            else
                parent[a] = b;
        }

    for (int64_t i = 0; i < n; i++) {
        int64_t root = find_root(parent, i);
        bodies->of_dof[i] = root == i ? bodies->count++ : bodies->of_dof[root];
        bodies->start[bodies->of_dof[i] + 1]++;
    }
    rico_free(ctx, parent);

    rico_status status = RICO_OK;
    for (int64_t b = 0; b < bodies->count; b++) {
        if (bodies->start[b + 1] > RICO_MASS_BLOCK_LIMIT) status = RICO_UNSUPPORTED;
        bodies->start[b + 1] += bodies->start[b];
    }
    if (status) return status;

    // place the dofs; start[b] serves as the cursor and is put back after
    for (int64_t i = 0; i < n; i++) {
        int64_t at = bodies->start[bodies->of_dof[i]]++;
        bodies->dof[at] = i;
        bodies->place[i] = at;
    }
    for (int64_t b = bodies->count; b > 0; b--) bodies->start[b] = bodies->start[b - 1];
    bodies->start[0] = 0;
    return RICO_OK;
}


static rico_status factor_bodies(const rico_csc *M, rico_mass_blocks *bodies)
{
    rico_context *ctx = M->ctx;
    for (int64_t b = 0; b < bodies->count; b++) {
        int64_t size = bodies->start[b + 1] - bodies->start[b];
        bodies->factor_start[b + 1] = bodies->factor_start[b] + size * size;
    }
    bodies->factor = rico_alloc(ctx, bodies->factor_start[bodies->count], sizeof *bodies->factor);
    if (!bodies->factor) return RICO_NO_MEMORY;

    for (int64_t j = 0; j < M->cols; j++) {
        int64_t b = bodies->of_dof[j], first = bodies->start[b], size = bodies->start[b + 1] - first;
        double *block = &bodies->factor[bodies->factor_start[b]];
        for (int64_t k = M->start[j]; k < M->start[j + 1]; k++)
            block[(bodies->place[j] - first) * size + bodies->place[M->row[k]] - first] = M->value[k];
    }
    for (int64_t b = 0; b < bodies->count; b++) {
        int64_t first = bodies->start[b], size = bodies->start[b + 1] - first;
        rico_status status =
            rico_dense_lu(ctx, size, &bodies->factor[bodies->factor_start[b]], &bodies->pivot[first]);
        if (status == RICO_SINGULAR)
            return rico_fail(ctx, RICO_SINGULAR,
                             "the mass matrix M is singular: its %lld x %lld block at row %lld",
                             (long long)size, (long long)size, (long long)bodies->dof[first]);
        if (status) return status;
    }
    return RICO_OK;
}


rico_status rico_mass_blocks_create(const rico_csc *M, rico_mass_blocks **out)
{
    rico_context *ctx = M->ctx;
    int64_t n = M->rows;
    rico_mass_blocks *bodies = rico_alloc(ctx, 1, sizeof *bodies);
    if (!bodies) return RICO_NO_MEMORY;
    bodies->ctx = ctx;
    bodies->start = rico_alloc(ctx, n + 1, sizeof *bodies->start);
    bodies->dof = rico_alloc(ctx, n, sizeof *bodies->dof);
    bodies->place = rico_alloc(ctx, n, sizeof *bodies->place);
    bodies->of_dof = rico_alloc(ctx, n, sizeof *bodies->of_dof);
    bodies->factor_start = rico_alloc(ctx, n + 1, sizeof *bodies->factor_start);
    bodies->pivot = rico_alloc(ctx, n, sizeof *bodies->pivot);

    rico_status status = RICO_NO_MEMORY;
    if (bodies->start && bodies->dof && bodies->place && bodies->of_dof && bodies->factor_start &&
        bodies->pivot) {
        status = find_bodies(M, bodies);
        if (!status) status = factor_bodies(M, bodies);
    }
    if (status) {
        rico_mass_blocks_destroy(bodies);
        return status;
    }
    *out = bodies;
    return RICO_OK;
}


void rico_mass_blocks_destroy(rico_mass_blocks *bodies)
{
    if (!bodies) return;
    rico_context *ctx = bodies->ctx;
    rico_free(ctx, bodies->start);
    rico_free(ctx, bodies->dof);
    rico_free(ctx, bodies->place);
    rico_free(ctx, bodies->of_dof);
    rico_free(ctx, bodies->factor_start);
    rico_free(ctx, bodies->factor);
    rico_free(ctx, bodies->pivot);
    rico_free(ctx, bodies);
}


void rico_mass_blocks_solve(const rico_mass_blocks *bodies, int64_t body, double *x)
{
    int64_t first = bodies->start[body];
    rico_dense_lu_solve(bodies->start[body + 1] - first, &bodies->factor[bodies->factor_start[body]],
                        &bodies->pivot[first], 1, x);
}
