// Block-diagonal masses: finding the blocks, factoring them, solving with them.

#include "problem/mass.h"

#include <math.h>

// The root of a dof's component, halving the path on the way (union-find).
static int64_t find_root(int64_t *parent, int64_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}


static void unite(int64_t *parent, int64_t i, int64_t j)
{
    int64_t a = find_root(parent, i), b = find_root(parent, j);
    if (a < b)
        parent[b] = a; // the smallest dof is the root
    else
        parent[a] = b;
}


// Numbers the components in order of their first dof and fills start, dof, place, of_dof.
static rico_status find_bodies(const rico_csc *M, const int64_t *partner, rico_mass_blocks *bodies)
{
    rico_context *ctx = M->ctx;
    int64_t n = M->rows;
    int64_t *parent = rico_alloc(ctx, n, sizeof *parent);
    if (!parent) return RICO_NO_MEMORY;

    for (int64_t i = 0; i < n; i++) parent[i] = i;
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = M->start[j]; k < M->start[j + 1]; k++) unite(parent, M->row[k], j);
    for (int64_t i = 0; partner && i < n; i++) unite(parent, i, partner[i]);

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


// LU with partial pivoting of one small block, column-major, in place; false when a pivot vanishes.
static bool factor_block(int64_t n, double *A, int32_t *pivot)
{
    for (int64_t k = 0; k < n; k++) {
        int64_t best = k;
        for (int64_t i = k + 1; i < n; i++)
            if (fabs(A[k * n + i]) > fabs(A[k * n + best])) best = i;
        pivot[k] = (int32_t)best;
        if (!(fabs(A[k * n + best]) > 0.0)) return false;
        for (int64_t j = 0; best != k && j < n; j++) {
            double kept = A[j * n + k];
            A[j * n + k] = A[j * n + best];
            A[j * n + best] = kept;
        }
        // blocks of finite elements are banded: rows below the last entry of the column stay as they are
        int64_t end = n;
        while (end > k + 1 && A[k * n + end - 1] == 0.0) end--;
        for (int64_t i = k + 1; i < end; i++) A[k * n + i] /= A[k * n + k];
        for (int64_t j = k + 1; j < n; j++) {
            double factor = A[j * n + k];
            if (factor == 0.0) continue;
            for (int64_t i = k + 1; i < end; i++) A[j * n + i] -= A[k * n + i] * factor;
        }
    }
    return true;
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
        if (!factor_block(size, &bodies->factor[bodies->factor_start[b]], &bodies->pivot[first]))
            return rico_fail(ctx, RICO_SINGULAR,
                             "the mass matrix M is singular: its %lld x %lld block at row %lld",
                             (long long)size, (long long)size, (long long)bodies->dof[first]);
    }
    return RICO_OK;
}


rico_status rico_mass_blocks_create_joined(const rico_csc *M, const int64_t *partner, rico_mass_blocks **out)
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
        status = find_bodies(M, partner, bodies);
        if (!status) status = factor_bodies(M, bodies);
    }
    if (status) {
        rico_mass_blocks_destroy(bodies);
        return status;
    }
    *out = bodies;
    return RICO_OK;
}


rico_status rico_mass_blocks_create(const rico_csc *M, rico_mass_blocks **out)
{
    return rico_mass_blocks_create_joined(M, NULL, out);
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
    int64_t first = bodies->start[body], n = bodies->start[body + 1] - first;
    const double *A = &bodies->factor[bodies->factor_start[body]];
    const int32_t *pivot = &bodies->pivot[first];
    for (int64_t k = 0; k < n; k++) {
        double kept = x[k];
        x[k] = x[pivot[k]];
        x[pivot[k]] = kept;
    }
    for (int64_t k = 0; k < n; k++) {
        if (x[k] == 0.0) continue;
        for (int64_t i = k + 1; i < n; i++) x[i] -= A[k * n + i] * x[k];
    }
    for (int64_t k = n - 1; k >= 0; k--) {
        x[k] /= A[k * n + k];
        if (x[k] == 0.0) continue;
        for (int64_t i = 0; i < k; i++) x[i] -= A[k * n + i] * x[k];
    }
}


void rico_mass_blocks_solve_all(const rico_mass_blocks *bodies, double *x)
{
    double part[RICO_MASS_BLOCK_LIMIT];
    for (int64_t b = 0; b < bodies->count; b++) {
        int64_t first = bodies->start[b], n = bodies->start[b + 1] - first;
        for (int64_t i = 0; i < n; i++) part[i] = x[bodies->dof[first + i]];
        rico_mass_blocks_solve(bodies, b, part);
        for (int64_t i = 0; i < n; i++) x[bodies->dof[first + i]] = part[i];
    }
}
