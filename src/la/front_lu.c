// Multifrontal LU: ordering and supernodes once, fronts of the active rows at every factorization.

#include "la/front_lu.h"

#include "la/blas.h"
#include "la/dense.h"
#include "la/elimination.h"

#include <cblas.h>
#include <float.h>
#include <lapacke.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Pivot columns of a front up to which a plain loop beats the call of LAPACK.
enum { SMALL_PIVOTS = 24 };

// Numbers of a front's pivot columns up to which plain loops beat calls of BLAS, which take a lock each.
enum { SMALL_PANEL = 2000 };

// Supernodes are merged while the zeros this adds stay below a share of the front (relaxed amalgamation).
static const double zeros_allowed = 0.15, zeros_allowed_small = 0.4;
enum { SMALL_SUPERNODE = 6 };

struct rico_front_lu {
    rico_context *ctx;
    const rico_block_matrix *matrix;
    int64_t blocks;

    rico_elimination tree;              // the order of elimination
    int64_t *adjacent_start, *adjacent; // pattern of A + A', block by block
    int64_t nodes;                      // supernodes
    int64_t *first;        // nodes + 1: positions first[s] .. first[s+1]-1 are the pivots of supernode s
    int64_t *border_start; // nodes + 1
    int64_t *border;       // positions beyond the pivots that supernode s touches, increasing
    int64_t *parent;       // supernode, -1 for a root
    int64_t *subtree;      // first supernode of the subtree that ends with each
    int64_t *column_start,
        *column_block; // for each block column: the blocks of A in it (to assemble below pivots)
    int64_t *column_row;
    double flops, entries;
    int64_t largest_front, stack_size;

    // numbers, allocated with the first factorization
    int32_t *active;
    int64_t *pivot_rows, *border_rows;  // of each supernode in the present factorization
    int64_t *panel_start, *pivot_start; // nodes + 1: where its panels and its row exchanges begin
    double *panel; // columns of the pivots (front x pivots), then the rows right of them (pivots x border)
    int32_t *pivots;
    double *front, *stack, *work;
    int64_t *place; // of each position in the present front
    int64_t *gather;
};


void rico_front_lu_destroy(rico_front_lu *lu)
{
    if (!lu) return;
    rico_context *ctx = lu->ctx;
    rico_elimination_destroy(&lu->tree);
    void *const owned[] = {
        lu->adjacent_start, lu->adjacent,     lu->first,        lu->border_start, lu->border, lu->parent,
        lu->subtree,        lu->column_start, lu->column_block, lu->column_row,   lu->active, lu->pivot_rows,
        lu->border_rows,    lu->panel_start,  lu->pivot_start,  lu->panel,        lu->pivots, lu->front,
        lu->stack,          lu->work,         lu->place,        lu->gather};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++) rico_free(ctx, owned[i]);
    rico_free(ctx, lu);
}


// The blocks of A by columns, and the pattern of A + A' without the diagonal.
static rico_status gather_pattern(rico_front_lu *lu)
{
    rico_context *ctx = lu->ctx;
    const rico_block_matrix *a = lu->matrix;
    int64_t n = lu->blocks, count = a->start[n];
    lu->column_start = rico_alloc(ctx, n + 1, sizeof *lu->column_start);
    lu->column_block = rico_alloc(ctx, count, sizeof *lu->column_block);
    lu->column_row = rico_alloc(ctx, count, sizeof *lu->column_row);
    lu->adjacent_start = rico_alloc(ctx, n + 1, sizeof *lu->adjacent_start);
    lu->adjacent = rico_alloc(ctx, 2 * count, sizeof *lu->adjacent);
    int64_t *mark = rico_alloc(ctx, n, sizeof *mark);
    bool room =
        lu->column_start && lu->column_block && lu->column_row && lu->adjacent_start && lu->adjacent && mark;
    if (!room) {
        rico_free(ctx, mark);
        return RICO_NO_MEMORY;
    }

    for (int64_t k = 0; k < count; k++) lu->column_start[a->col[k] + 1]++;
    for (int64_t j = 0; j < n; j++) lu->column_start[j + 1] += lu->column_start[j];
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = a->start[i]; k < a->start[i + 1]; k++) {
            int64_t at = lu->column_start[a->col[k]]++;
            lu->column_block[at] = k;
            lu->column_row[at] = i;
        }
    for (int64_t j = n; j > 0; j--) lu->column_start[j] = lu->column_start[j - 1];
    lu->column_start[0] = 0;

    int64_t at = 0;
    for (int64_t i = 0; i < n; i++) {
        lu->adjacent_start[i] = at;
        mark[i] = i + 1;
        for (int64_t k = a->start[i]; k < a->start[i + 1]; k++)
            if (mark[a->col[k]] != i + 1) {
                mark[a->col[k]] = i + 1;
                lu->adjacent[at++] = a->col[k];
            }
        for (int64_t k = lu->column_start[i]; k < lu->column_start[i + 1]; k++)
            if (mark[lu->column_row[k]] != i + 1) {
                mark[lu->column_row[k]] = i + 1;
                lu->adjacent[at++] = lu->column_row[k];
            }
    }
    lu->adjacent_start[n] = at;
    rico_free(ctx, mark);
    return RICO_OK;
}


// Groups columns of equal structure, then merges a supernode into the next one where that adds few zeros.
// `first` and `last` receive the supernodes; returns how many there are.
static int64_t group_columns(const rico_elimination *tree, int64_t *first, int64_t *last, double *zeros)
{
    int64_t n = tree->count, nodes = 0;
    for (int64_t j = 0; j < n; j++) {
        bool same = j > 0 && tree->parent[j - 1] == j && tree->below[j - 1] == tree->below[j] + 1 &&
                    last[nodes - 1] == j && zeros[nodes - 1] == 0.0;
        if (same) {
            last[nodes - 1] = j + 1;
        } else {
            first[nodes] = j;
            last[nodes] = j + 1;
            zeros[nodes++] = 0.0;
        }
        // a finished supernode may join the one before it; only when the next column does not extend it
        bool extends = j + 1 < n && tree->parent[j] == j + 1 && tree->below[j] == tree->below[j + 1] + 1;
        while (!extends && nodes > 1 && tree->parent[last[nodes - 2] - 1] == first[nodes - 1]) {
            int64_t a = nodes - 2, b = nodes - 1;
            double na = (double)(last[a] - first[a]), nb = (double)(last[b] - first[b]);
            double border = (double)tree->below[last[b] - 1];
            double added = zeros[a] + zeros[b] + na * (nb + border - (double)tree->below[last[a] - 1]);
            double size = (na + nb) * (na + nb) / 2.0 + (na + nb) * border;
            double allowed = na + nb <= SMALL_SUPERNODE ? zeros_allowed_small : zeros_allowed;
            if (added > allowed * size) break;
            last[a] = last[b];
            zeros[a] = added;
            nodes--;
        }
    }
    return nodes;
}


static int compare_positions(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}


// Stores the supernodes with their parents, and counts what a full factorization costs. The border of a supernode is that of its last
// column.
static rico_status keep_nodes(rico_front_lu *lu, const int64_t *first, const int64_t *last, int64_t nodes)
{
    rico_context *ctx = lu->ctx;
    const int64_t *offset = lu->matrix->offset;
    const rico_elimination *tree = &lu->tree;
    lu->nodes = nodes;
    lu->first = rico_alloc(ctx, nodes + 1, sizeof *lu->first);
    lu->border_start = rico_alloc(ctx, nodes + 1, sizeof *lu->border_start);
    lu->parent = rico_alloc(ctx, nodes, sizeof *lu->parent);
    lu->subtree = rico_alloc(ctx, nodes, sizeof *lu->subtree);
    lu->panel_start = rico_alloc(ctx, nodes + 1, sizeof *lu->panel_start);
    lu->pivot_start = rico_alloc(ctx, nodes + 1, sizeof *lu->pivot_start);
    int64_t *node_of = rico_alloc(ctx, lu->blocks, sizeof *node_of);
    int64_t *waiting = rico_alloc(ctx, nodes, sizeof *waiting); // numbers of the children still on the stack
    bool room = lu->first && lu->border_start && lu->parent && lu->subtree && lu->panel_start &&
                lu->pivot_start && node_of && waiting;
    if (!room) {
        rico_free(ctx, node_of);
        rico_free(ctx, waiting);
        return RICO_NO_MEMORY;
    }

    for (int64_t k = 0; k < nodes; k++)
        for (int64_t j = first[k]; j < last[k]; j++) node_of[j] = k;
    int64_t on_stack = 0;
    for (int64_t k = 0; k < nodes; k++) {
        int64_t column = last[k] - 1;
        lu->first[k] = first[k];
        lu->border_start[k + 1] = lu->border_start[k] + tree->below[column];
        lu->parent[k] = tree->parent[column] >= 0 ? node_of[tree->parent[column]] : -1;

        int64_t pivots = 0, others = tree->rows[column];
        for (int64_t j = first[k]; j < last[k]; j++)
            pivots += offset[tree->perm[j] + 1] - offset[tree->perm[j]];
        double np = (double)pivots, nb = (double)others;
        lu->flops += 2.0 / 3.0 * np * np * np + 2.0 * np * np * nb + 2.0 * np * nb * nb;
        lu->entries += np * (np + 2.0 * nb);
        lu->pivot_start[k + 1] = lu->pivot_start[k] + pivots;
        lu->panel_start[k + 1] = lu->panel_start[k] + pivots * (pivots + 2 * others);
        if (pivots + others > lu->largest_front) lu->largest_front = pivots + others;

        on_stack -= waiting[k];
        if (lu->parent[k] >= 0) {
            waiting[lu->parent[k]] += others * others;
            on_stack += others * others;
        }
        if (on_stack > lu->stack_size) lu->stack_size = on_stack;
    }
    lu->first[nodes] = lu->blocks;
    for (int64_t k = 0; k < nodes; k++) lu->subtree[k] = k;
    for (int64_t k = 0; k < nodes; k++)
        if (lu->parent[k] >= 0 && lu->subtree[k] < lu->subtree[lu->parent[k]])
            lu->subtree[lu->parent[k]] = lu->subtree[k];
    rico_free(ctx, node_of);
    rico_free(ctx, waiting);
    return RICO_OK;
}


// The borders, supernode by supernode: what its pivots touch in A and what the borders of its children reach, beyond its pivots.
static void fill_borders(rico_front_lu *lu, int64_t *mark)
{
    for (int64_t j = 0; j < lu->blocks; j++) mark[j] = -1;
    for (int64_t s = 0; s < lu->nodes; s++) {
        int64_t *list = &lu->border[lu->border_start[s]], count = 0, beyond = lu->first[s + 1];
        for (int64_t j = lu->first[s]; j < beyond; j++) {
            int64_t block = lu->tree.perm[j];
            for (int64_t k = lu->adjacent_start[block]; k < lu->adjacent_start[block + 1]; k++) {
                int64_t i = lu->tree.inverse[lu->adjacent[k]];
                if (i < beyond || mark[i] == s) continue;
                mark[i] = s;
                list[count++] = i;
            }
        }
        for (int64_t child = s - 1; child >= 0 && lu->parent[child] == s; child = lu->subtree[child] - 1)
            for (int64_t k = lu->border_start[child]; k < lu->border_start[child + 1]; k++) {
                int64_t i = lu->border[k];
                if (i < beyond || mark[i] == s) continue;
                mark[i] = s;
                list[count++] = i;
            }
        qsort(list, (size_t)count, sizeof *list, compare_positions);
    }
}


static rico_status analyse(rico_front_lu *lu)
{
    enum { BY_BLOCK = 24, BY_ENTRY = 4 }; // numbers
    rico_context *ctx = lu->ctx;
    int64_t n = lu->blocks;
    double numbers = BY_BLOCK * (double)n + BY_ENTRY * (double)lu->matrix->start[n];
    rico_status status = rico_foresee(ctx, numbers * sizeof(int64_t), "the analysis of a factorization");
    if (!status) status = gather_pattern(lu);
    if (!status)
        status =
            rico_elimination_create(ctx, n, lu->adjacent_start, lu->adjacent, lu->matrix->offset, &lu->tree);
    if (status) return status;
    int64_t *first = rico_alloc(ctx, n, sizeof *first), *last = rico_alloc(ctx, n, sizeof *last);
    double *zeros = rico_alloc(ctx, n, sizeof *zeros);
    status = first && last && zeros ? RICO_OK : RICO_NO_MEMORY;
    if (!status) status = keep_nodes(lu, first, last, group_columns(&lu->tree, first, last, zeros));
    rico_free(ctx, first);
    rico_free(ctx, last);
    rico_free(ctx, zeros);
    return status;
}


rico_status rico_front_lu_create(const rico_block_matrix *a, rico_front_lu **out)
{
    rico_front_lu *lu = rico_alloc(a->ctx, 1, sizeof *lu);
    if (!lu) return RICO_NO_MEMORY;
    lu->ctx = a->ctx;
    lu->matrix = a;
    lu->blocks = a->blocks;
    rico_status status = analyse(lu);
    if (status) {
        rico_front_lu_destroy(lu);
        return status;
    }
    *out = lu;
    return RICO_OK;
}


double rico_front_lu_flops(const rico_front_lu *lu)
{
    return lu->flops;
}


double rico_front_lu_entries(const rico_front_lu *lu)
{
    return lu->entries;
}


double rico_front_lu_bytes(const rico_front_lu *lu)
{
    double front = (double)lu->largest_front, each = sizeof(double);
    double numbers =
        (double)lu->panel_start[lu->nodes] + front * front + (double)lu->stack_size + 2.0 * front;
    double indices = 4.0 * (double)lu->blocks + 2.0 * (double)lu->nodes + (double)lu->matrix->rows +
                     (double)lu->border_start[lu->nodes];
    return each * (numbers + indices);
}


static rico_status allocate_numbers(rico_front_lu *lu)
{
    rico_context *ctx = lu->ctx;
    if (lu->largest_front > INT32_MAX)
        return rico_fail(ctx, RICO_UNSUPPORTED, "a front of %lld rows is too large",
                         (long long)lu->largest_front);
    int64_t rows = lu->matrix->rows, front = lu->largest_front;
    rico_status status = rico_foresee(ctx, rico_front_lu_bytes(lu), "a factorization");
    if (status) return status;
    lu->active = rico_alloc(ctx, lu->blocks, sizeof *lu->active);
    lu->pivot_rows = rico_alloc(ctx, lu->nodes, sizeof *lu->pivot_rows);
    lu->border_rows = rico_alloc(ctx, lu->nodes, sizeof *lu->border_rows);
    lu->place = rico_alloc(ctx, lu->blocks, sizeof *lu->place);
    lu->border = rico_alloc(ctx, lu->border_start[lu->nodes], sizeof *lu->border);
    lu->gather = rico_alloc(ctx, front, sizeof *lu->gather);
    lu->work = rico_alloc(ctx, front, sizeof *lu->work);
    lu->pivots = rico_alloc(ctx, rows, sizeof *lu->pivots);
    lu->front = rico_alloc(ctx, front * front, sizeof *lu->front);
    lu->stack = rico_alloc(ctx, lu->stack_size, sizeof *lu->stack);
    bool room = lu->active && lu->pivot_rows && lu->border_rows && lu->place && lu->border && lu->gather &&
                lu->work && lu->pivots && lu->front && lu->stack;
    lu->panel = room ? rico_alloc(ctx, lu->panel_start[lu->nodes], sizeof *lu->panel) : NULL;
    if (lu->panel) {
        fill_borders(lu, lu->place);
        return RICO_OK;
    }

    // all or nothing, so that the next call starts from a clean slate
    void **const owned[] = {(void **)&lu->active, (void **)&lu->pivot_rows, (void **)&lu->border_rows,
                            (void **)&lu->place,  (void **)&lu->gather,     (void **)&lu->work,
                            (void **)&lu->pivots, (void **)&lu->front,      (void **)&lu->stack,
                            (void **)&lu->border};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++) {
        rico_free(ctx, *owned[i]);
        *owned[i] = NULL;
    }
    return RICO_NO_MEMORY;
}


// Adds a block's active part into the front.
static void add_block(const rico_front_lu *lu, const double *value, int64_t k, int64_t row, int64_t col,
                      int64_t nf)
{
    const rico_block_matrix *a = lu->matrix;
    int64_t width = a->offset[col + 1] - a->offset[col];
    const double *block = value + a->place[k];
    double *at = lu->front + lu->place[lu->tree.inverse[row]] + lu->place[lu->tree.inverse[col]] * nf;
    for (int64_t j = 0; j < lu->active[col]; j++)
        for (int64_t i = 0; i < lu->active[row]; i++) at[i + j * nf] += block[i * width + j];
}


// The original entries that belong to supernode s: rows of its pivots, and columns of its pivots below them.
static void assemble_entries(const rico_front_lu *lu, const double *value, int64_t s, int64_t nf)
{
    const rico_block_matrix *a = lu->matrix;
    for (int64_t j = lu->first[s]; j < lu->first[s + 1]; j++) {
        int64_t block = lu->tree.perm[j];
        if (lu->active[block] == 0) continue;
        for (int64_t k = a->start[block]; k < a->start[block + 1]; k++)
            if (lu->tree.inverse[a->col[k]] >= lu->first[s]) add_block(lu, value, k, block, a->col[k], nf);
        for (int64_t k = lu->column_start[block]; k < lu->column_start[block + 1]; k++)
            if (lu->tree.inverse[lu->column_row[k]] >= lu->first[s + 1])
                add_block(lu, value, lu->column_block[k], lu->column_row[k], block, nf);
    }
}


// LU with row exchanges of the first np columns of the front's pivot block. Zero pivots are refused.
static bool factor_pivots(int64_t np, double *F, int64_t nf, int32_t *pivot)
{
    if (np > SMALL_PIVOTS)
        return LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, (int)np, (int)np, F, (int)nf, pivot) == 0;
    for (int64_t k = 0; k < np; k++) {
        int64_t best = k;
        for (int64_t i = k + 1; i < np; i++)
            if (fabs(F[i + k * nf]) > fabs(F[best + k * nf])) best = i;
        pivot[k] = (int32_t)best + 1;
        if (!(fabs(F[best + k * nf]) > 0.0)) return false;
        if (best != k)
            for (int64_t j = 0; j < np; j++) {
                double kept = F[k + j * nf];
                F[k + j * nf] = F[best + j * nf];
                F[best + j * nf] = kept;
            }
        double scale = 1.0 / F[k + k * nf];
        for (int64_t i = k + 1; i < np; i++) F[i + k * nf] *= scale;
        for (int64_t j = k + 1; j < np; j++) {
            double factor = F[k + j * nf];
            if (factor == 0.0) continue;
            for (int64_t i = k + 1; i < np; i++) F[i + j * nf] -= F[i + k * nf] * factor;
        }
    }
    return true;
}


// Eliminates the pivots of a front: U12 = L11^-1 P F12, L21 = F21 U11^-1, F22 -= L21 U12.
static bool factor_front(int64_t np, int64_t nb, double *F, int32_t *pivot)
{
    int64_t nf = np + nb;
    if (!factor_pivots(np, F, nf, pivot)) return false;
    if (nb == 0) return true;
    double *F12 = F + np * nf, *F21 = F + np, *F22 = F12 + np;
    LAPACKE_dlaswp_work(LAPACK_COL_MAJOR, (int)nb, F12, (int)nf, 1, (int)np, pivot, 1);
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, (int)np, (int)nb, 1.0, F,
                (int)nf, F12, (int)nf);
    cblas_dtrsm(CblasColMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, (int)nb, (int)np, 1.0, F,
                (int)nf, F21, (int)nf);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, (int)nb, (int)nb, (int)np, -1.0, F21, (int)nf, F12,
                (int)nf, 1.0, F22, (int)nf);
    return true;
}


rico_status rico_front_lu_factor(rico_front_lu *lu, const int32_t *active, const double *value)
{
    if (!lu->panel) {
        rico_status status = allocate_numbers(lu);
        if (status) return status;
    }
    memcpy(lu->active, active, (size_t)lu->blocks * sizeof *active);

    // contributions of the children lie on a stack; those of one parent are its topmost in postorder
    double *top = lu->stack;
    for (int64_t s = 0; s < lu->nodes; s++) {
        int64_t np = 0, nf = 0;
        const int64_t *border = &lu->border[lu->border_start[s]];
        int64_t border_count = lu->border_start[s + 1] - lu->border_start[s];
        for (int64_t j = lu->first[s]; j < lu->first[s + 1]; j++) {
            lu->place[j] = np;
            np += active[lu->tree.perm[j]];
        }
        nf = np;
        for (int64_t i = 0; i < border_count; i++) {
            lu->place[border[i]] = nf;
            nf += active[lu->tree.perm[border[i]]];
        }
        int64_t nb = nf - np;
        lu->pivot_rows[s] = np;
        lu->border_rows[s] = nb;
        memset(lu->front, 0, (size_t)(nf * nf) * sizeof *lu->front);
        assemble_entries(lu, value, s, nf);

        // children, last one first: s - 1, then the one before its subtree, and so on
        for (int64_t child = s - 1; child >= 0 && lu->parent[child] == s; child = lu->subtree[child] - 1) {
            int64_t size = lu->border_rows[child], at = 0;
            top -= size * size;
            const int64_t *theirs = &lu->border[lu->border_start[child]];
            int64_t count = lu->border_start[child + 1] - lu->border_start[child];
            for (int64_t i = 0; i < count; i++)
                for (int64_t x = 0; x < active[lu->tree.perm[theirs[i]]]; x++)
                    lu->gather[at++] = lu->place[theirs[i]] + x;
            for (int64_t y = 0; y < size; y++) {
                double *column = lu->front + lu->gather[y] * nf;
                for (int64_t x = 0; x < size; x++) column[lu->gather[x]] += top[y * size + x];
            }
        }

        bool held = rico_blas_hold();
        bool regular = np == 0 || factor_front(np, nb, lu->front, &lu->pivots[lu->pivot_start[s]]);
        rico_blas_release(held);
        if (!regular)
            return rico_fail(lu->ctx, RICO_SINGULAR, "the matrix is singular at block %lld",
                             (long long)lu->tree.perm[lu->first[s]]);
        double *panel = &lu->panel[lu->panel_start[s]];
        memcpy(panel, lu->front, (size_t)(nf * np) * sizeof *panel);
        for (int64_t j = 0; j < nb; j++)
            memcpy(panel + nf * np + j * np, lu->front + (np + j) * nf, (size_t)np * sizeof *panel);
        if (lu->parent[s] >= 0) {
            for (int64_t j = 0; j < nb; j++)
                memcpy(top + j * nb, lu->front + np + (np + j) * nf, (size_t)nb * sizeof *top);
            top += nb * nb;
        }
    }
    return RICO_OK;
}


int rico_front_lu_sign(const rico_front_lu *lu)
{
    int sign = 1;
    for (int64_t s = 0; s < lu->nodes; s++) {
        int64_t np = lu->pivot_rows[s], nf = np + lu->border_rows[s];
        const double *panel = &lu->panel[lu->panel_start[s]];
        const int32_t *pivot = &lu->pivots[lu->pivot_start[s]];
        for (int64_t k = 0; k < np; k++) {
            if (panel[k + k * nf] < 0.0) sign = -sign;
            if (pivot[k] != k + 1) sign = -sign;
        }
    }
    return sign;
}


// Copies the active rows of supernode s, pivots then border, between x and the work vector.
static void exchange(const rico_front_lu *lu, int64_t s, double *x, bool in, bool border_too)
{
    const int64_t *offset = lu->matrix->offset;
    int64_t pivots = lu->first[s + 1] - lu->first[s], at = 0;
    int64_t count = pivots + (border_too ? lu->border_start[s + 1] - lu->border_start[s] : 0);
    for (int64_t k = 0; k < count; k++) {
        int64_t position = k < pivots ? lu->first[s] + k : lu->border[lu->border_start[s] + k - pivots];
        int64_t block = lu->tree.perm[position];
        double *rows = x + offset[block];
        for (int32_t i = 0; i < lu->active[block]; i++, at++) {
            if (in)
                lu->work[at] = rows[i];
            else
                rows[i] = lu->work[at];
        }
    }
}


// t <- L^-1 t of the pivots, and what that takes from the border. The columns of L go on through the border's rows.
static void solve_ahead(int np, int nf, const double *panel, double *t)
{
    if (np * nf > SMALL_PANEL) {
        cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasUnit, np, panel, nf, t, 1);
        if (nf > np)
            cblas_dgemv(CblasColMajor, CblasNoTrans, nf - np, np, -1.0, panel + np, nf, t, 1, 1.0, t + np, 1);
        return;
    }
    for (int64_t k = 0; k < np; k++) rico_axpy(nf - k - 1, -t[k], &panel[k * (nf + 1) + 1], &t[k + 1]);
}


// t <- U^-1 (t - U12 border) of the pivots, the border behind them.
static void solve_back(int np, int nf, const double *panel, double *t)
{
    const double *U12 = panel + (int64_t)nf * np;
    if (np * nf > SMALL_PANEL) {
        if (nf > np)
            cblas_dgemv(CblasColMajor, CblasNoTrans, np, nf - np, -1.0, U12, np, t + np, 1, 1.0, t, 1);
        cblas_dtrsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, np, panel, nf, t, 1);
        return;
    }
    for (int64_t j = 0; j < nf - np; j++) rico_axpy(np, -t[np + j], &U12[j * np], t);
    for (int64_t k = np - 1; k >= 0; k--) {
        t[k] /= panel[k * (nf + 1)];
        rico_axpy(k, -t[k], &panel[k * nf], t);
    }
}


void rico_front_lu_solve(rico_front_lu *lu, double *x)
{
    double *t = lu->work;
    bool held = rico_blas_hold();
    for (int64_t s = 0; s < lu->nodes; s++) {
        int np = (int)lu->pivot_rows[s], nb = (int)lu->border_rows[s], nf = np + nb;
        if (np == 0) continue;
        const double *panel = &lu->panel[lu->panel_start[s]];
        const int32_t *pivot = &lu->pivots[lu->pivot_start[s]];
        exchange(lu, s, x, true, true);
        for (int i = 0; i < np; i++) {
            double kept = t[i];
            t[i] = t[pivot[i] - 1];
            t[pivot[i] - 1] = kept;
        }
        solve_ahead(np, nf, panel, t);
        exchange(lu, s, x, false, true);
    }
    for (int64_t s = lu->nodes - 1; s >= 0; s--) {
        int np = (int)lu->pivot_rows[s], nb = (int)lu->border_rows[s], nf = np + nb;
        if (np == 0) continue;
        const double *panel = &lu->panel[lu->panel_start[s]];
        exchange(lu, s, x, true, true);
        solve_back(np, nf, panel, t);
        exchange(lu, s, x, false, false);
    }
    rico_blas_release(held);
}
