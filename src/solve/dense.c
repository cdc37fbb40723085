// Small problems on a dense W: joints eliminated exactly, contacts by Gauss-Seidel with exact local solutions.

#include "solve/dense.h"

#include "la/dense.h"
#include "solve/one_block.h"

#include <math.h>
#include <string.h>

enum { SWEEPS = 300 };


rico_status rico_dense_reserve(rico_context *ctx, rico_dense *dense, int64_t rows, int64_t blocks)
{
    if (rows <= dense->room && blocks <= dense->block_room) return RICO_OK;
    rico_dense_destroy(ctx, dense);
    dense->W = rico_alloc(ctx, rows * rows, sizeof *dense->W);
    dense->S = rico_alloc(ctx, rows * rows, sizeof *dense->S);
    dense->pivot = rico_alloc(ctx, rows, sizeof *dense->pivot);
    dense->y = rico_alloc(ctx, rows, sizeof *dense->y);
    dense->z = rico_alloc(ctx, rows, sizeof *dense->z);
    dense->cone = rico_alloc(ctx, blocks, sizeof *dense->cone);
    if (!dense->W || !dense->S || !dense->pivot || !dense->y || !dense->z || !dense->cone) {
        rico_dense_destroy(ctx, dense);
        return RICO_NO_MEMORY;
    }
    dense->room = rows;
    dense->block_room = blocks;
    return RICO_OK;
}


void rico_dense_destroy(rico_context *ctx, rico_dense *dense)
{
    void *all[] = {dense->W, dense->S, dense->pivot, dense->y, dense->z, dense->cone};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
    *dense = (rico_dense){.sweeps = dense->sweeps};
}


// Impulses of the joints that were eliminated, backwards, from those of the others and the right-hand side y.
static void substitute(const rico_dense *dense, const double *y, double *known, double *p)
{
    int64_t m = dense->rows;
    for (int64_t s = dense->pivots - 1; s >= 0; s--) {
        int64_t k = dense->pivot[s];
        double sum = y ? y[k] : 0.0;
        for (int64_t j = 0; j < m; j++)
            if (known[j] != 0.0) sum += dense->S[k * m + j] * p[j];
        p[k] = -sum / dense->S[k * m + k];
        known[k] = 1.0;
    }
}


// x'D y over the joints, D what a unit impulse of each does to its own velocity.
static double weighted(const rico_dense *dense, const double *x, const double *y)
{
    double sum = 0.0;
    for (int64_t i = 0; i < dense->joint_rows; i++) sum += x[i] * dense->W[i * (dense->rows + 1)] * y[i];
    return sum;
}


// Impulses that joints may have without doing anything, one for each row that depends on others: into that row of S, which
// nobody needs any more, orthonormal in D. Rows that do nothing by themselves have none.
static void find_kernel(rico_dense *dense)
{
    int64_t m = dense->rows, joints = dense->joint_rows, first = dense->pivots;
    for (int64_t a = first; a < joints; a++) {
        double *x = dense->S + dense->pivot[a] * m, *known = dense->z;
        for (int64_t i = 0; i < m; i++) x[i] = known[i] = 0.0;
        x[dense->pivot[a]] = known[dense->pivot[a]] = 1.0;
        substitute(dense, NULL, known, x);
        for (int64_t b = first; b < a; b++) {
            const double *before = dense->S + dense->pivot[b] * m;
            double share = weighted(dense, before, x);
            for (int64_t i = 0; i < joints; i++) x[i] -= share * before[i];
        }
        double size = sqrt(weighted(dense, x, x));
        for (int64_t i = 0; i < joints; i++) x[i] = size > 0.0 ? x[i] / size : 0.0;
    }
}


// Eliminates the joints' rows from S by symmetric pivots, the largest left first. Rows that depend on earlier ones are
// skipped: their condition follows from the others', or the joints contradict each other and no impulse can help.
static void eliminate(rico_dense *dense)
{
    int64_t m = dense->rows, joints = dense->joint_rows;
    double *S = dense->S, *done = dense->z;
    memcpy(S, dense->W, (size_t)(m * m) * sizeof *S);
    for (int64_t i = 0; i < m; i++) done[i] = 0.0;
    dense->pivots = 0;
    for (int64_t step = 0; step < joints; step++) {
        int64_t k = -1;
        double best = 1e-12;
        for (int64_t i = 0; i < joints; i++) {
            double left = S[i * m + i] / dense->W[i * m + i];
            if (done[i] == 0.0 && left > best) {
                best = left;
                k = i;
            }
        }
        if (k < 0) break;
        done[k] = 1.0;
        dense->pivot[dense->pivots++] = k;
        for (int64_t i = 0; i < m; i++) {
            if (done[i] != 0.0) continue;
            double factor = S[i * m + k] / S[k * m + k];
            if (factor == 0.0) continue;
            for (int64_t j = 0; j < m; j++)
                if (done[j] == 0.0) S[i * m + j] -= factor * S[k * m + j];
            S[i * m + k] = factor; // kept for the right-hand side
        }
    }
    int64_t last = dense->pivots;
    for (int64_t i = 0; i < joints; i++)
        if (done[i] == 0.0) dense->pivot[last++] = i;
    find_kernel(dense);
}


void rico_dense_renew_cones(rico_dense *dense)
{
    int64_t m = dense->rows;
    for (int64_t a = 0; a < dense->count; a++) {
        if (dense->block[a].kind != RICO_COULOMB_3D) continue;
        double block[9];
        const double *at = dense->S + dense->offset[a] * m + dense->offset[a];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) block[3 * i + j] = at[i * m + j];
        rico_one_contact_prepare(&dense->cone[a], block, dense->block[a].friction);
    }
}


void rico_dense_prepare(rico_dense *dense, int64_t count, const rico_block *block, const int64_t *offset,
                        int64_t rows)
{
    dense->count = count;
    dense->block = block;
    dense->offset = offset;
    dense->rows = rows;
    dense->joint_rows = 0;
    for (int64_t a = 0; a < count && block[a].kind == RICO_EQUALITY; a++) dense->joint_rows += block[a].size;
    eliminate(dense);
    rico_dense_renew_cones(dense);
}


void rico_dense_begin(rico_dense *dense, const double *c)
{
    int64_t m = dense->rows;
    double *y = dense->y, *done = dense->z;
    memcpy(y, c, (size_t)m * sizeof *y);
    for (int64_t i = 0; i < m; i++) done[i] = 0.0;
    for (int64_t s = 0; s < dense->pivots; s++) {
        int64_t k = dense->pivot[s];
        done[k] = 1.0;
        for (int64_t i = 0; i < m; i++)
            if (done[i] == 0.0) y[i] -= dense->S[i * m + k] * y[k];
    }
}


// Replaces p of one contact by the solution of its own block; returns the change in velocity units.
static double relax(const rico_dense *dense, int64_t a, double *p)
{
    int64_t m = dense->rows, at = dense->offset[a], size = dense->block[a].size;
    const double *S = dense->S;
    double q[RICO_LARGEST_CONE] = {0.0}, r[RICO_LARGEST_CONE], change = 0.0;
    for (int64_t i = 0; i < size; i++) {
        const double *line = S + (at + i) * m;
        double sum = dense->y[at + i];
        for (int64_t j = dense->joint_rows; j < m; j++)
            if (j < at || j >= at + size) sum += line[j] * p[j];
        q[i] = sum;
        r[i] = p[at + i];
    }
    if (size == 1) {
        double pivot = S[at * m + at];
        r[0] = pivot > 0.0 && q[0] < 0.0 ? -q[0] / pivot : 0.0;
        if (dense->block[a].kind == RICO_BOX)
            r[0] = fmin(fmax(pivot > 0.0 ? -q[0] / pivot : 0.0, dense->block[a].low), dense->block[a].high);
    } else if (dense->block[a].kind == RICO_COULOMB_2D) {
        const double *d = S + at * m + at;
        rico_one_contact_2d contact = {{d[0], d[1], d[m], d[m + 1]}, dense->block[a].friction};
        rico_one_contact_2d_solve(&contact, q, r);
    } else if (dense->block[a].kind == RICO_COULOMB_3D) {
        rico_one_contact_solve(&dense->cone[a], q, r);
    } else {
        rico_one_block own;
        double block[RICO_LARGEST_CONE * RICO_LARGEST_CONE];
        for (int64_t i = 0; i < size; i++)
            for (int64_t j = 0; j < size; j++) block[i * size + j] = S[(at + i) * m + at + j];
        rico_one_block_prepare(&own, &dense->block[a], block);
        rico_one_block_solve(&own, q, r);
    }
    for (int64_t i = 0; i < size; i++) {
        change = fmax(change, fabs(r[i] - p[at + i]) * fabs(S[(at + i) * m + at + i]));
        p[at + i] = r[i];
    }
    return change;
}


double rico_dense_sweep(rico_dense *dense, double *p)
{
    double change = 0.0;
    for (int64_t a = 0; a < dense->count; a++)
        if (dense->block[a].kind != RICO_EQUALITY) change = fmax(change, relax(dense, a, p));
    dense->sweeps++;
    return change;
}


bool rico_dense_settle(rico_dense *dense, double scale, double *p)
{
    int64_t contacts = 0;
    for (int64_t a = 0; a < dense->count; a++) contacts += dense->block[a].kind != RICO_EQUALITY;
    for (int s = 0; s < SWEEPS; s++) {
        double change = rico_dense_sweep(dense, p);
        if (contacts <= 1 || change <= 4e-16 * scale) return true;
        if (s > 20 && change <= 1e-14 * scale) return true;
        if (!isfinite(change)) return false;
    }
    return false;
}


// Backwards through the elimination; of impulses of joints that do the same, the least.
void rico_dense_finish(rico_dense *dense, double *p)
{
    int64_t m = dense->rows, joints = dense->joint_rows;
    double *known = dense->z;
    for (int64_t i = 0; i < m; i++) known[i] = i >= joints;
    for (int64_t i = 0; i < joints; i++) p[i] = 0.0;
    substitute(dense, dense->y, known, p);
    for (int64_t a = dense->pivots; a < joints; a++) {
        const double *x = dense->S + dense->pivot[a] * m;
        double share = weighted(dense, x, p);
        for (int64_t i = 0; i < joints; i++) p[i] -= share * x[i];
    }
}


static double block_norm(const rico_dense *dense, int64_t a)
{
    int64_t m = dense->rows, first = dense->offset[a], size = dense->block[a].size;
    double square = 0.0;
    for (int64_t i = first; i < first + size; i++)
        for (int64_t j = first; j < first + size; j++) square += dense->W[i * m + j] * dense->W[i * m + j];
    return sqrt(square);
}


rico_residual rico_dense_judge(const rico_dense *dense, const double *c, const double *p, double noise,
                               double *u)
{
    int64_t m = dense->rows;
    double largest = 0.0;
    for (int64_t a = 0; a < dense->count; a++) largest = fmax(largest, block_norm(dense, a));
    if (largest == 0.0) largest = 1.0;
    for (int64_t i = 0; i < m; i++) u[i] = c[i] + rico_dot(m, dense->W + i * m, p);

    rico_tally tally = {.ratio = 1.0};
    for (int64_t a = 0; a < dense->count; a++) {
        const rico_block *block = &dense->block[a];
        double norm = block_norm(dense, a);
        rico_tally_block(&tally, block, norm > 0.0 ? norm : largest, u + dense->offset[a],
                         p + dense->offset[a]);
    }
    return rico_tally_close(&tally, rico_norm(m, c), noise);
}
