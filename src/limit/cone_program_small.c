// The linear systems of a small cone program, by orthogonal factors: digits that normal equations would lose.
//
// In scaled coordinates, X~ = S X and A~ = A S^-1, the system reads X~ - A~'Y = S^-1 r1, A~ X~ = r2. With A~' = Q R it is solved by
//
//     a = R'^-1 r2,   Y = R^-1 (a - Q'S^-1 r1),   X~ = S^-1 r1 + Q (a - Q'S^-1 r1),
//
// which depends on the condition of A~ and not on its square. Householder reflections with the rows in the order of their size and the largest column
// first keep the small rows of a matrix whose rows differ by sixteen orders of magnitude (Cox and Higham 1998). A small multiple of the identity below A~'
// stands for equations that depend on one another.

#include "limit/cone_program_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double DAMPING = 1e-14;   // of the identity, over the size of a column
static const double DEPENDENT = 1e-10; // of the diagonal of R: an equation that the others imply

typedef struct sized_row {
    double size;
    int64_t row;
} sized_row;

struct rico_cone_program_small {
    int64_t n, m;     // rows of the matrix, columns and m more; columns
    double *W;        // n x m, column-major: reflectors below R
    double *scratch;  // n
    double *beta;     // m
    int64_t *pivot;   // m
    sized_row *order; // n
    double *work[2];  // n, m
};


rico_status rico_cone_program_small_create(rico_cone_program *p)
{
    rico_cone_program_small *own = rico_alloc(p->ctx, 1, sizeof *own);
    if (!own) return RICO_NO_MEMORY;
    p->system.small = own;
    own->m = p->rows;
    own->n = p->cols + p->rows;
    own->W = rico_alloc(p->ctx, own->n * own->m + 2 * own->n + 2 * own->m, sizeof *own->W);
    own->pivot = rico_alloc(p->ctx, own->m, sizeof *own->pivot);
    own->order = rico_alloc(p->ctx, own->n, sizeof *own->order);
    if (!own->W || !own->pivot || !own->order) return RICO_NO_MEMORY;
    own->scratch = own->W + own->n * own->m;
    own->work[0] = own->scratch + own->n;
    own->work[1] = own->work[0] + own->n;
    own->beta = own->work[1] + own->m;
    return RICO_OK;
}


void rico_cone_program_small_destroy(rico_cone_program *p)
{
    rico_cone_program_small *own = p->system.small;
    if (!own) return;
    rico_free(p->ctx, own->W);
    rico_free(p->ctx, own->pivot);
    rico_free(p->ctx, own->order);
    rico_free(p->ctx, own);
}


// --- the matrix ----------------------------------------------------------------------------------------------------

// S of a coordinate, that of the weight for a free part.
static double scale_of(const rico_cone_program *p, int64_t part, int i)
{
    return p->part[part].kind == RICO_PROGRAM_FREE ? 1.0 / sqrt(p->system.weight[part])
                                                   : p->part[part].frame.s[i];
}


static void fill(rico_cone_program *p)
{
    rico_cone_program_small *own = p->system.small;
    memset(own->W, 0, (size_t)(own->n * own->m) * sizeof *own->W);
    for (int64_t k = 0; k < p->part_count; k++) {
        const rico_cone_program_part *part = &p->part[k];
        double V[9] = {1.0};
        if (part->kind == RICO_PROGRAM_CONE) rico_nt_matrix(&part->frame, V);
        int stride = part->kind == RICO_PROGRAM_CONE ? 3 : 1;
        for (int j = 0; j < part->size; j++)
            for (int64_t at = p->A.start[part->column + j]; at < p->A.start[part->column + j + 1]; at++)
                for (int i = 0; i < part->size; i++)
                    own->W[part->column + i + p->A.row[at] * own->n] +=
                        V[stride * j + i] * p->A.value[at] / scale_of(p, k, i);
    }
    for (int64_t j = 0; j < own->m; j++) {
        double size = 0.0, *column = own->W + j * own->n;
        for (int64_t i = 0; i < p->cols; i++) size += column[i] * column[i];
        column[p->cols + j] = size > 0.0 ? DAMPING * sqrt(size) : 1.0;
    }
}


static int by_size(const void *a, const void *b)
{
    const sized_row *one = a, *two = b;
    if (one->size != two->size) return one->size > two->size ? -1 : 1;
    return one->row < two->row ? -1 : one->row > two->row;
}


// Largest rows first.
static void sort_rows(rico_cone_program_small *own)
{
    for (int64_t i = 0; i < own->n; i++) {
        own->order[i] = (sized_row){0.0, i};
        for (int64_t j = 0; j < own->m; j++)
            own->order[i].size = fmax(own->order[i].size, fabs(own->W[i + j * own->n]));
    }
    qsort(own->order, (size_t)own->n, sizeof *own->order, by_size);
    for (int64_t j = 0; j < own->m; j++) {
        double *column = own->W + j * own->n;
        for (int64_t i = 0; i < own->n; i++) own->scratch[i] = column[own->order[i].row];
        memcpy(column, own->scratch, (size_t)own->n * sizeof *column);
    }
}


// --- reflections ---------------------------------------------------------------------------------------------------

// x -= beta v v'x from row k on, v in column k with v_k = 1.
static void reflect(const rico_cone_program_small *own, int64_t k, double *x)
{
    const double *v = own->W + k * own->n;
    double sum = x[k];
    for (int64_t i = k + 1; i < own->n; i++) sum += v[i] * x[i];
    sum *= own->beta[k];
    x[k] -= sum;
    for (int64_t i = k + 1; i < own->n; i++) x[i] -= sum * v[i];
}


static double size_below(const rico_cone_program_small *own, int64_t k, int64_t j)
{
    const double *column = own->W + j * own->n;
    double sum = 0.0;
    for (int64_t i = k; i < own->n; i++) sum += column[i] * column[i];
    return sum;
}


static void choose_column(rico_cone_program_small *own, int64_t k)
{
    int64_t best = k;
    double most = size_below(own, k, k);
    for (int64_t j = k + 1; j < own->m; j++) {
        double size = size_below(own, k, j);
        if (size > most) most = size, best = j;
    }
    if (best == k) return;
    int64_t kept = own->pivot[k];
    own->pivot[k] = own->pivot[best], own->pivot[best] = kept;
    double *one = own->W + k * own->n, *two = own->W + best * own->n;
    for (int64_t i = 0; i < own->n; i++) {
        double value = one[i];
        one[i] = two[i], two[i] = value;
    }
}


rico_status rico_cone_program_small_factor(rico_cone_program *p)
{
    rico_cone_program_small *own = p->system.small;
    fill(p);
    sort_rows(own);
    for (int64_t k = 0; k < own->m; k++) own->pivot[k] = k;
    for (int64_t k = 0; k < own->m; k++) {
        choose_column(own, k);
        double *v = own->W + k * own->n, size = sqrt(size_below(own, k, k));
        if (!(size > 0.0) || !isfinite(size)) return RICO_SINGULAR;
        double head = v[k], diagonal = head > 0.0 ? -size : size;
        for (int64_t i = k + 1; i < own->n; i++) v[i] /= head - diagonal;
        own->beta[k] = (diagonal - head) / diagonal;
        v[k] = diagonal;
        for (int64_t j = k + 1; j < own->m; j++) reflect(own, k, own->W + j * own->n);
    }
    return RICO_OK;
}


rico_status rico_cone_program_small_solve(rico_cone_program *p, const double *r1, const double *r2, double *X,
                                          double *Y)
{
    rico_cone_program_small *own = p->system.small;
    double *z = own->work[0], *a = own->work[1];
    int64_t n = own->n, m = own->m;
    for (int64_t i = p->cols; i < n; i++) own->scratch[i] = 0.0;
    for (int64_t k = 0; k < p->part_count; k++)
        for (int i = 0; i < p->part[k].size; i++)
            own->scratch[p->part[k].column + i] = r1[p->part[k].column + i] / scale_of(p, k, i);
    for (int64_t i = 0; i < n; i++) z[i] = own->scratch[own->order[i].row];
    for (int64_t k = 0; k < m; k++) reflect(own, k, z);

    // a = R'^-1 P'r2, then Y = P R^-1 (a - z)
    for (int64_t k = 0; k < m; k++) {
        const double *column = own->W + k * n;
        double sum = r2[own->pivot[k]];
        for (int64_t i = 0; i < k; i++) sum -= column[i] * a[i];
        a[k] = sum / column[k];
    }
    for (int64_t k = m - 1; k >= 0; k--) {
        double sum = a[k] - z[k];
        for (int64_t j = k + 1; j < m; j++) sum -= own->W[k + j * n] * Y[own->pivot[j]];
        Y[own->pivot[k]] = sum / own->W[k + k * n];
    }
    memcpy(z, a, (size_t)m * sizeof *z);
    for (int64_t k = m - 1; k >= 0; k--) reflect(own, k, z);
    for (int64_t i = 0; i < n; i++) own->scratch[own->order[i].row] = z[i];
    for (int64_t k = 0; k < p->part_count; k++)
        for (int i = 0; i < p->part[k].size; i++)
            X[p->part[k].column + i] = own->scratch[p->part[k].column + i] / scale_of(p, k, i);
    return RICO_OK;
}


// An equation that the others imply, b included, says nothing: it becomes 0 = 0. Left in, round-off of b would be its whole right-hand side.
rico_status rico_cone_program_small_thin(rico_cone_program *p)
{
    rico_cone_program_small *own = p->system.small;
    rico_status status = rico_cone_program_small_factor(p);
    for (int64_t k = 0; status == RICO_OK && k < own->m; k++) {
        int64_t row = own->pivot[k];
        if (fabs(own->W[k + k * own->n]) > DEPENDENT * fabs(own->W[0])) continue;
        p->b[row] = 0.0;
        for (int64_t at = 0; at < rico_csc_count(&p->A); at++)
            if (p->A.row[at] == row) p->A.value[at] = 0.0;
    }
    return status;
}
