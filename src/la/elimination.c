// The order of an elimination, its tree, the lengths of its columns.

#include "la/elimination.h"

#include "la/factor_kind.h"

#include <amd.h>
#include <string.h>

// Operations from which on a second order is looked for: dissection takes as long as some ten millions.
static const double worth_dissecting = 1e8;


// What the pattern is given by.
typedef struct pattern {
    const int64_t *start, *neighbour, *offset;
} pattern;


void rico_elimination_destroy(rico_elimination *e)
{
    if (!e->ctx) return;
    rico_free(e->ctx, e->perm);
    rico_free(e->ctx, e->inverse);
    rico_free(e->ctx, e->parent);
    rico_free(e->ctx, e->below);
    rico_free(e->ctx, e->rows);
    *e = (rico_elimination){0};
}


static rico_status order_by_degree(rico_elimination *e, const pattern *p)
{
    int64_t n = e->count;
    if (n == 0) return RICO_OK;
    int result =
        (int)amd_l_order(n, (const SuiteSparse_long *)p->start, (const SuiteSparse_long *)p->neighbour,
                         (SuiteSparse_long *)e->perm, NULL, NULL);
    if (result == AMD_OUT_OF_MEMORY)
        return rico_fail(e->ctx, RICO_NO_MEMORY, "out of memory while ordering %lld blocks", (long long)n);
    if (result != AMD_OK && result != AMD_OK_BUT_JUMBLED)
        return rico_fail(e->ctx, RICO_INTERNAL, "the ordering of %lld blocks failed", (long long)n);
    return RICO_OK;
}


// Nested dissection into e->perm; false where there is none to be had: no METIS, no memory.
static bool order_by_dissection(rico_elimination *e, const pattern *p)
{
    int64_t n = e->count, entries = 0;
    cholmod_common common;
    rico_cholmod_begin(&common);
    cholmod_sparse *lower = cholmod_l_allocate_sparse((size_t)n, (size_t)n, (size_t)(p->start[n] / 2), 0, 1,
                                                      -1, CHOLMOD_PATTERN, &common);
    cholmod_factor *found = NULL;
    if (lower) {
        int64_t *start = lower->p, *row = lower->i;
        for (int64_t j = 0; j < n; j++) {
            start[j] = entries;
            for (int64_t k = p->start[j]; k < p->start[j + 1]; k++)
                if (p->neighbour[k] > j) row[entries++] = p->neighbour[k];
        }
        start[n] = entries;
        common.supernodal = CHOLMOD_SIMPLICIAL; // nothing but the order is wanted
        found = rico_cholmod_dissect(lower, &common);
    }
    bool good = found && common.status == CHOLMOD_OK;
    if (good) memcpy(e->perm, found->Perm, (size_t)n * sizeof *e->perm);
    cholmod_l_free_factor(&found, &common);
    cholmod_l_free_sparse(&lower, &common);
    cholmod_l_finish(&common);
    return good;
}


// The parent of j is the first row below the diagonal of its column: each row i hangs the roots that its entries lead to under
// itself. Ways that were gone once are cut short.
static void find_parents(rico_elimination *e, const pattern *p, int64_t *ancestor)
{
    for (int64_t i = 0; i < e->count; i++) {
        e->parent[i] = ancestor[i] = -1;
        int64_t column = e->perm[i];
        for (int64_t k = p->start[column]; k < p->start[column + 1]; k++) {
            int64_t j = e->inverse[p->neighbour[k]];
            while (j >= 0 && j < i) {
                int64_t next = ancestor[j];
                ancestor[j] = i;
                if (next < 0) e->parent[j] = i;
                j = next;
            }
        }
    }
}


// Renumbers so that every subtree is contiguous and ends with its root. Uses all three work arrays.
static void postorder(rico_elimination *e, int64_t *head, int64_t *next, int64_t *path)
{
    int64_t n = e->count, done = 0, *order = e->below;
    for (int64_t j = 0; j < n; j++) head[j] = -1;
    for (int64_t j = n - 1; j >= 0; j--)
        if (e->parent[j] >= 0) {
            next[j] = head[e->parent[j]];
            head[e->parent[j]] = j;
        }
    for (int64_t root = 0; root < n; root++) {
        if (e->parent[root] >= 0) continue;
        int64_t depth = 0;
        path[depth++] = root;
        while (depth > 0) {
            int64_t j = path[depth - 1], child = head[j];
            if (child >= 0) {
                head[j] = next[child];
                path[depth++] = child;
            } else {
                order[done++] = j;
                depth--;
            }
        }
    }
    for (int64_t k = 0; k < n; k++) head[order[k]] = k; // old position -> new one
    for (int64_t k = 0; k < n; k++) {
        int64_t parent = e->parent[order[k]];
        next[k] = parent >= 0 ? head[parent] : -1;
        path[k] = e->perm[order[k]];
    }
    memcpy(e->parent, next, (size_t)n * sizeof *next);
    memcpy(e->perm, path, (size_t)n * sizeof *path);
    for (int64_t k = 0; k < n; k++) e->inverse[e->perm[k]] = k;
}


// The representative of j among those that have been hung under it, with ways cut short.
static int64_t find_root(int64_t *ancestor, int64_t j)
{
    int64_t root = j;
    while (ancestor[root] != root) root = ancestor[root];
    while (ancestor[j] != root) {
        int64_t next = ancestor[j];
        ancestor[j] = root;
        j = next;
    }
    return root;
}


// Row i of the factor is a subtree, which ends with i and whose leaves are the entries of row i of the matrix that no other one lies
// below. The length of column j is the number of subtrees that contain j: one is added at each leaf, one taken away where two of
// its branches meet and above its root, and all of this summed up the tree. The same with the rows of each column.
static void count_columns(rico_elimination *e, const pattern *p, int64_t *ancestor, int64_t *last_leaf,
                          int64_t *first)
{
    int64_t n = e->count, *below = e->below, *rows = e->rows;
    memset(below, 0, (size_t)n * sizeof *below);
    memset(rows, 0, (size_t)n * sizeof *rows);
    for (int64_t j = 0; j < n; j++) {
        ancestor[j] = first[j] = j; // first: where the subtree of each begins
        last_leaf[j] = -1;          // of row j's subtree, so far
    }
    for (int64_t j = 0; j < n; j++)
        if (e->parent[j] >= 0 && first[j] < first[e->parent[j]]) first[e->parent[j]] = first[j];
    for (int64_t j = 0; j < n; j++) {
        int64_t column = e->perm[j], own = p->offset[column + 1] - p->offset[column];
        if (first[j] == j) below[j]++, rows[j] += own;
        if (e->parent[j] >= 0) below[e->parent[j]]--, rows[e->parent[j]] -= own;
        for (int64_t k = p->start[column]; k < p->start[column + 1]; k++) {
            int64_t other = p->neighbour[k], i = e->inverse[other];
            if (i <= j || last_leaf[i] >= first[j]) continue;
            int64_t width = p->offset[other + 1] - p->offset[other];
            below[j]++, rows[j] += width;
            if (last_leaf[i] >= 0) {
                int64_t meeting = find_root(ancestor, last_leaf[i]);
                below[meeting]--, rows[meeting] -= width;
            }
            last_leaf[i] = j;
        }
        if (e->parent[j] >= 0) ancestor[j] = e->parent[j];
    }
    for (int64_t j = 0; j < n; j++) {
        int64_t column = e->perm[j];
        if (e->parent[j] >= 0) below[e->parent[j]] += below[j], rows[e->parent[j]] += rows[j];
        below[j]--; // the diagonal
        rows[j] -= p->offset[column + 1] - p->offset[column];
    }
}


// Everything that follows from e->perm.
static void follow(rico_elimination *e, const pattern *p, int64_t *const work[3])
{
    for (int64_t j = 0; j < e->count; j++) e->inverse[e->perm[j]] = j;
    find_parents(e, p, work[0]);
    postorder(e, work[0], work[1], work[2]);
    count_columns(e, p, work[0], work[1], work[2]);
    e->flops = 0.0;
    for (int64_t j = 0; j < e->count; j++) {
        double own = (double)(p->offset[e->perm[j] + 1] - p->offset[e->perm[j]]), rows = (double)e->rows[j];
        e->flops += 2.0 * own * (own * own / 3.0 + own * rows + rows * rows);
    }
}


static rico_status allocate(rico_elimination *e)
{
    e->perm = rico_alloc(e->ctx, e->count, sizeof *e->perm);
    e->inverse = rico_alloc(e->ctx, e->count, sizeof *e->inverse);
    e->parent = rico_alloc(e->ctx, e->count, sizeof *e->parent);
    e->below = rico_alloc(e->ctx, e->count, sizeof *e->below);
    e->rows = rico_alloc(e->ctx, e->count, sizeof *e->rows);
    return e->perm && e->inverse && e->parent && e->below && e->rows ? RICO_OK : RICO_NO_MEMORY;
}


rico_status rico_elimination_create(rico_context *ctx, int64_t count, const int64_t *start,
                                    const int64_t *neighbour, const int64_t *offset, rico_elimination *out)
{
    pattern p = {start, neighbour, offset};
    rico_elimination e = {.ctx = ctx, .count = count}, other = e;
    int64_t *work[3];
    rico_status status = allocate(&e);
    for (int i = 0; i < 3; i++) {
        work[i] = rico_alloc(ctx, count, sizeof *work[i]);
        if (!work[i]) status = RICO_NO_MEMORY;
    }
    if (!status) status = order_by_degree(&e, &p);
    if (!status) follow(&e, &p, work);
    if (!status && e.flops > worth_dissecting) {
        status = allocate(&other);
        if (!status && order_by_dissection(&other, &p)) {
            follow(&other, &p, work);
            if (other.flops < e.flops) {
                rico_elimination dearer = e;
                e = other;
                other = dearer;
            }
        }
    }
    for (int i = 0; i < 3; i++) rico_free(ctx, work[i]);
    rico_elimination_destroy(&other);
    if (status)
        rico_elimination_destroy(&e);
    else
        *out = e;
    return status;
}
