// H by blocks in units of the masses: finding the runs, filling the strips, what follows r.

#include "solve/strips.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>


void rico_strips_destroy(rico_strips *s)
{
    if (!s) return;
    if (s->B != s->G) rico_free(s->ctx, s->B);
    rico_free(s->ctx, s->start);
    rico_free(s->ctx, s->value);
    rico_free(s->ctx, s->run);
    rico_free(s->ctx, s->G);
    rico_free(s->ctx, s->root);
    rico_free(s->ctx, s->y);
    rico_free(s->ctx, s->y_free);
    rico_free(s->ctx, s);
}


static int64_t dofs_of(const rico_mass_blocks *bodies, int64_t body)
{
    return bodies->start[body + 1] - bodies->start[body];
}


// Cholesky's factor of one body's mass, row-major, in place of the lower half; false where there is none.
static bool take_root(int64_t n, double *A)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            double sum = A[i * n + j];
            for (int64_t k = 0; k < j; k++) sum -= A[i * n + k] * A[j * n + k];
            if (j < i)
                A[i * n + j] = sum / A[j * n + j];
            else if (sum > 0.0)
                A[i * n + i] = sqrt(sum);
            else
                return false;
        }
    return true;
}


static bool is_symmetric(int64_t n, const double *A)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++)
            if (A[i * n + j] != A[j * n + i]) return false;
    return true;
}


// L of every body; without one for any of them, none.
static rico_status take_roots(const rico_problem *p, rico_strips *s)
{
    const rico_mass_blocks *bodies = p->bodies;
    s->root = rico_alloc(s->ctx, bodies->factor_start[bodies->count], sizeof *s->root);
    if (!s->root) return RICO_NO_MEMORY;
    for (int64_t j = 0; j < p->dofs; j++) {
        int64_t b = bodies->of_dof[j], first = bodies->start[b], size = dofs_of(bodies, b);
        double *block = &s->root[bodies->factor_start[b]];
        for (int64_t k = p->M.start[j]; k < p->M.start[j + 1]; k++)
            block[(bodies->place[p->M.row[k]] - first) * size + bodies->place[j] - first] = p->M.value[k];
    }
    bool rooted = true;
    for (int64_t b = 0; b < bodies->count && rooted; b++) {
        double *block = &s->root[bodies->factor_start[b]];
        rooted = is_symmetric(dofs_of(bodies, b), block) && take_root(dofs_of(bodies, b), block);
    }
    if (rooted) return RICO_OK;
    rico_free(s->ctx, s->root);
    s->root = NULL;
    return RICO_OK;
}


// x <- L^-1 x for one body.
static void apply_root(const rico_mass_blocks *bodies, const rico_strips *s, int64_t body, double *x)
{
    int64_t n = dofs_of(bodies, body);
    const double *L = &s->root[bodies->factor_start[body]];
    for (int64_t i = 0; i < n; i++) {
        double sum = x[i];
        for (int64_t k = 0; k < i; k++) sum -= L[i * n + k] * x[k];
        x[i] = sum / L[i * n + i];
    }
}


static int compare_bodies(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}


// The bodies of block a, increasing, into list; seen[body] == a + 1 afterwards. Returns their number.
static int64_t list_bodies(const rico_problem *p, int64_t a, int64_t *seen, int64_t *list)
{
    int64_t count = 0;
    for (int64_t k = p->H.start[p->offset[a]]; k < p->H.start[p->offset[a + 1]]; k++) {
        int64_t body = p->bodies->of_dof[p->H.row[k]];
        if (seen[body] == a + 1) continue;
        seen[body] = a + 1;
        list[count++] = body;
    }
    if (count > 1) qsort(list, (size_t)count, sizeof *list, compare_bodies);
    return count;
}


// Runs and sizes of all strips; the runs themselves once there is room for them.
static void find_runs(const rico_problem *p, rico_strips *s, int64_t *seen, int64_t *list)
{
    const rico_mass_blocks *bodies = p->bodies;
    int64_t runs = 0;
    memset(seen, 0, (size_t)bodies->count * sizeof *seen);
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t count = list_bodies(p, a, seen, list), dofs = 0;
        for (int64_t k = 0; k < count; k++) {
            int64_t first = bodies->start[list[k]], size = dofs_of(bodies, list[k]);
            dofs += size;
            bool goes_on = k > 0 && bodies->start[list[k - 1] + 1] == first;
            if (s->run && goes_on) s->run[runs - 1].count += (int32_t)size;
            if (goes_on) continue;
            if (s->run) s->run[runs] = (rico_run_of_places){(int32_t)first, (int32_t)size};
            runs++;
        }
        s->start[a + 1] = runs;
        s->value[a + 1] = s->value[a] + dofs * (p->offset[a + 1] - p->offset[a]);
    }
}


// The strip of block a; at[body]: where the numbers of a body begin in its first row, width[body]: from there to the next row.
static void fill_strip(const rico_problem *p, rico_strips *s, int64_t a, int64_t *at, int64_t *width)
{
    const rico_mass_blocks *bodies = p->bodies;
    int64_t size = p->offset[a + 1] - p->offset[a], value = s->value[a];
    for (int64_t k = s->start[a]; k < s->start[a + 1]; k++) {
        int64_t first = s->run[k].first, count = s->run[k].count;
        for (int64_t b = bodies->of_dof[bodies->dof[first]];
             b < bodies->count && bodies->start[b] < first + count; b++) {
            at[b] = value + bodies->start[b] - first;
            width[b] = count;
        }
        value += size * count;
    }
    for (int64_t i = 0; i < size; i++) {
        int64_t row = p->offset[a] + i;
        for (int64_t k = p->H.start[row]; k < p->H.start[row + 1]; k++) {
            int64_t b = bodies->of_dof[p->H.row[k]];
            s->G[at[b] + i * width[b] + bodies->place[p->H.row[k]] - bodies->start[b]] = p->H.value[k];
        }
    }
    for (int64_t k = s->start[a]; k < s->start[a + 1]; k++) {
        int64_t end = s->run[k].first + s->run[k].count;
        for (int64_t b = bodies->of_dof[bodies->dof[s->run[k].first]];
             b < bodies->count && bodies->start[b] < end; b++)
            for (int64_t i = 0; i < size; i++) {
                int64_t to = at[b] + i * width[b];
                if (s->root) {
                    apply_root(bodies, s, b, &s->G[to]);
                } else {
                    memcpy(&s->B[to], &s->G[to], (size_t)dofs_of(bodies, b) * sizeof *s->G);
                    rico_mass_blocks_solve(bodies, b, &s->B[to]);
                }
            }
    }
}


static double bytes_of(const rico_strips *s, int64_t blocks)
{
    double copies = s->root ? 1.0 : 2.0;
    return copies * sizeof(double) * (double)s->value[blocks] + sizeof *s->run * (double)s->start[blocks];
}


static rico_status prepare(const rico_problem *p, rico_strips *s)
{
    rico_context *ctx = s->ctx;
    int64_t bodies = p->bodies->count;
    if (p->dofs > INT32_MAX)
        return rico_fail(ctx, RICO_UNSUPPORTED, "%lld degrees of freedom are too many for sweeps",
                         (long long)p->dofs);
    s->start = rico_alloc(ctx, p->block_count + 1, sizeof *s->start);
    s->value = rico_alloc(ctx, p->block_count + 1, sizeof *s->value);
    s->y = rico_alloc(ctx, p->dofs, sizeof *s->y);
    s->y_free = rico_alloc(ctx, p->dofs, sizeof *s->y_free);
    int64_t *seen = rico_alloc(ctx, bodies, sizeof *seen), *list = rico_alloc(ctx, bodies, sizeof *list);
    bool room = s->start && s->value && s->y && s->y_free && seen && list;
    rico_status status = room ? take_roots(p, s) : RICO_NO_MEMORY;
    if (!status) {
        find_runs(p, s, seen, list);
        status = rico_foresee(ctx, bytes_of(s, p->block_count), "the strips of Gauss-Seidel sweeps");
    }
    if (!status) {
        s->run = rico_alloc(ctx, s->start[p->block_count], sizeof *s->run);
        s->G = rico_alloc(ctx, s->value[p->block_count], sizeof *s->G);
        s->B = s->root ? s->G : rico_alloc(ctx, s->value[p->block_count], sizeof *s->B);
        status = s->run && s->G && s->B ? RICO_OK : RICO_NO_MEMORY;
    }
    if (!status) {
        find_runs(p, s, seen, list);
        for (int64_t a = 0; a < p->block_count; a++) fill_strip(p, s, a, seen, list);
        rico_strips_update(p, s);
    }
    rico_free(ctx, seen);
    rico_free(ctx, list);
    return status;
}


rico_status rico_strips_create(const rico_problem *problem, rico_strips **out)
{
    rico_strips *s = rico_alloc(problem->ctx, 1, sizeof *s);
    if (!s) return RICO_NO_MEMORY;
    s->ctx = problem->ctx;
    rico_status status = prepare(problem, s);
    if (status)
        rico_strips_destroy(s);
    else
        *out = s;
    return status;
}


void rico_strips_update(const rico_problem *p, rico_strips *s)
{
    const rico_mass_blocks *bodies = p->bodies;
    for (int64_t i = 0; i < p->dofs; i++) s->y_free[i] = p->f[bodies->dof[i]];
    for (int64_t b = 0; b < bodies->count; b++) {
        double *x = &s->y_free[bodies->start[b]];
        if (s->root)
            apply_root(bodies, s, b, x);
        else
            rico_mass_blocks_solve(bodies, b, x);
    }
}


void rico_strips_diagonal(const rico_problem *p, const rico_strips *s, int64_t a, double *block)
{
    int64_t size = p->offset[a + 1] - p->offset[a], at = s->value[a];
    memset(block, 0, (size_t)(size * size) * sizeof *block);
    for (int64_t k = s->start[a]; k < s->start[a + 1]; k++) {
        int64_t count = s->run[k].count;
        const double *G = &s->G[at], *B = &s->B[at];
        for (int64_t i = 0; i < size; i++)
            for (int64_t j = 0; j < size; j++)
                for (int64_t d = 0; d < count; d++)
                    block[i * size + j] += G[i * count + d] * B[j * count + d];
        at += size * count;
    }
}


void rico_strips_refresh(const rico_problem *p, rico_strips *s, const double *r)
{
    memcpy(s->y, s->y_free, (size_t)p->dofs * sizeof *s->y);
    for (int64_t a = 0; a < p->block_count; a++)
        rico_strip_write(s, a, p->offset[a + 1] - p->offset[a], &r[p->offset[a]]);
}
