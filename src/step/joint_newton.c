// Newton's step for joints at velocities and positions at once: see joint_newton.h.

#include "step/joint_newton.h"

#include "la/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { REFINEMENTS = 12 };


void rico_joint_newton_destroy(rico_joint_newton *newton)
{
    if (!newton->ctx) return;
    rico_factor_destroy(newton->factor);
    rico_csc_destroy(&newton->matrix);
    void *all[] = {newton->stand_in, newton->right, newton->found, newton->kept, newton->left};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(newton->ctx, all[i]);
    memset(newton, 0, sizeof *newton);
}


static rico_status reserve(rico_joint_newton *newton, int64_t n, int64_t rows, int64_t entries)
{
    rico_context *ctx = newton->ctx;
    if (newton->factor && newton->n == n && newton->rows == rows && newton->entries == entries)
        return RICO_OK;
    rico_joint_newton_destroy(newton);
    newton->ctx = ctx;
    newton->n = n, newton->rows = rows, newton->entries = entries;
    int64_t size = 2 * (n + rows);
    newton->matrix = (rico_csc){.ctx = ctx, .rows = size, .cols = size};
    bool whole = (newton->matrix.start = rico_alloc(ctx, size + 1, sizeof(int64_t))) &&
                 (newton->matrix.row = rico_alloc(ctx, entries, sizeof(int64_t))) &&
                 (newton->matrix.value = rico_alloc(ctx, entries, sizeof(double))) &&
                 (newton->stand_in = rico_alloc(ctx, 2 * rows, sizeof(double))) &&
                 (newton->right = rico_alloc(ctx, size, sizeof(double))) &&
                 (newton->found = rico_alloc(ctx, size, sizeof(double))) &&
                 (newton->kept = rico_alloc(ctx, size, sizeof(double))) &&
                 (newton->left = rico_alloc(ctx, size, sizeof(double)));
    return whole ? RICO_OK : RICO_NO_MEMORY;
}


// Where columns begin: twice A with two entries below it for each entry of J, and twice J with its diagonal.
static void begin_columns(rico_joint_newton *newton, const rico_csc *A, const rico_csc *H, const int64_t *row)
{
    int64_t n = newton->n, rows = newton->rows, *start = newton->matrix.start;
    memset(start, 0, (size_t)(2 * (n + rows) + 1) * sizeof *start);
    for (int64_t j = 0; j < n; j++) start[j + 1] = start[n + j + 1] = A->start[j + 1] - A->start[j];
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t k = H->start[row[i]]; k < H->start[row[i] + 1]; k++) {
            start[H->row[k] + 1] += 2;
            start[n + H->row[k] + 1] += 2;
        }
        start[2 * n + i + 1] = start[2 * n + rows + i + 1] = H->start[row[i] + 1] - H->start[row[i]] + 1;
    }
    for (int64_t j = 0; j < 2 * (n + rows); j++) start[j + 1] += start[j];
}


static void put(rico_csc *K, int64_t row, int64_t col, double value)
{
    int64_t at = K->start[col]++, first = col > 0 ? K->start[col - 1] : 0;
    // constraints may list velocities in any order; those before stand in theirs
    for (; at > first && K->row[at - 1] > row; at--) {
        K->row[at] = K->row[at - 1];
        K->value[at] = K->value[at - 1];
    }
    K->row[at] = row;
    K->value[at] = value;
}


// start[j] serves as the cursor of column j. Columns are filled one after the other from the first on where put() looks back.
static void fill(rico_joint_newton *newton, const rico_iteration *iteration, const rico_csc *H,
                 const double *G, const double *D, double h, const int64_t *row)
{
    const rico_csc *A = &iteration->system->pattern;
    rico_csc *K = &newton->matrix;
    int64_t n = newton->n, rows = newton->rows;
    begin_columns(newton, A, H, row);
    for (int64_t half = 0; half < 2; half++)
        for (int64_t j = 0; j < n; j++)
            for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
                int64_t at = K->start[half * n + j]++;
                K->row[at] = half * n + A->row[k];
                K->value[at] = iteration->value[k] / iteration->lead;
            }
    for (int64_t law = 0; law < 2; law++)
        for (int64_t i = 0; i < rows; i++)
            for (int64_t k = H->start[row[i]]; k < H->start[row[i] + 1]; k++)
                for (int64_t half = 0; half < 2; half++) {
                    int64_t at = K->start[half * n + H->row[k]]++;
                    double turn = law == 0 ? 0.5 * h * D[k] : 0.0;
                    K->row[at] = 2 * n + law * rows + i;
                    K->value[at] = -(law == 0 && half == 1 ? turn : G[k] + turn);
                }
    for (int64_t half = 0; half < 2; half++)
        for (int64_t i = 0; i < rows; i++) {
            int64_t col = 2 * n + half * rows + i;
            for (int64_t k = H->start[row[i]]; k < H->start[row[i] + 1]; k++)
                put(K, half * n + H->row[k], col, -H->value[k]);
            put(K, col, col, -newton->stand_in[half * rows + i]);
        }
    for (int64_t j = 2 * (n + rows); j > 0; j--) K->start[j] = K->start[j - 1];
    K->start[0] = 0;
}


// h' diag(A)^-1 h of each row.
static void measure(rico_joint_newton *newton, const rico_iteration *iteration, const rico_csc *H,
                    double stand_in, const int64_t *row)
{
    const rico_csc *A = &iteration->system->pattern;
    double *diagonal = newton->left;
    for (int64_t j = 0; j < newton->n; j++) {
        diagonal[j] = 0.0;
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++)
            if (A->row[k] == j) diagonal[j] = fabs(iteration->value[k] / iteration->lead);
    }
    for (int64_t i = 0; i < newton->rows; i++) {
        double sum = 0.0;
        for (int64_t k = H->start[row[i]]; k < H->start[row[i] + 1]; k++)
            if (diagonal[H->row[k]] > 0.0) sum += H->value[k] * H->value[k] / diagonal[H->row[k]];
        newton->stand_in[i] = newton->stand_in[newton->rows + i] = stand_in * (sum > 0.0 ? sum : 1.0);
    }
}


rico_status rico_joint_newton_prepare(rico_joint_newton *newton, const rico_iteration *iteration,
                                      const rico_csc *H, const double *G, const double *D, double h,
                                      double stand_in, int64_t rows, const int64_t *row)
{
    const rico_csc *A = &iteration->system->pattern;
    newton->ctx = iteration->ctx;
    int64_t entries = 2 * rico_csc_count(A) + 2 * rows;
    for (int64_t i = 0; i < rows; i++) entries += 6 * (H->start[row[i] + 1] - H->start[row[i]]);
    rico_status status = reserve(newton, A->cols, rows, entries);
    if (status != RICO_OK) return status;
    measure(newton, iteration, H, stand_in, row);
    fill(newton, iteration, H, G, D, h, row);
    if (newton->factor) return rico_factor_refactor(newton->factor, &newton->matrix);
    status = rico_factor_create(RICO_LU, &newton->matrix, &newton->factor);
    if (status == RICO_OK) rico_factor_set_refinement(newton->factor, 0); // done here, with another matrix
    return status;
}


// left = right - K found with 0 for the stand-ins; the largest of what it leaves of the laws over the largest of their terms.
static double defect(const rico_joint_newton *newton)
{
    int64_t n = newton->n, rows = newton->rows, size = 2 * (n + rows);
    memcpy(newton->left, newton->right, (size_t)size * sizeof *newton->left);
    rico_csc_times(&newton->matrix, -1.0, newton->found, 1.0, newton->left);
    for (int64_t i = 0; i < 2 * rows; i++)
        newton->left[2 * n + i] -= newton->stand_in[i] * newton->found[2 * n + i];
    double largest = 0.0, left = 0.0;
    for (int64_t i = 0; i < 2 * rows; i++) {
        const rico_csc *K = &newton->matrix;
        double unit = sqrt(newton->stand_in[i]), terms = fabs(newton->right[2 * n + i]);
        // the columns of impulses have J, which is near enough to G for a size
        for (int64_t k = K->start[2 * n + i]; k < K->start[2 * n + i + 1] - 1; k++)
            terms += fabs(K->value[k] * newton->found[K->row[k]]);
        largest = fmax(largest, terms / unit);
        left = fmax(left, fabs(newton->left[2 * n + i]) / unit);
    }
    return largest > 0.0 ? left / largest : 0.0;
}


rico_status rico_joint_newton_solve(rico_joint_newton *newton, double h, const double *b, const double *r,
                                    const double *g, double *dv, double *dc, double *p)
{
    int64_t n = newton->n, rows = newton->rows, size = 2 * (n + rows);
    double before = INFINITY;
    memset(newton->right, 0, (size_t)size * sizeof *newton->right);
    memcpy(newton->right, b, (size_t)n * sizeof *b);
    for (int64_t i = 0; i < rows; i++) {
        newton->right[2 * n + i] = r[i];
        newton->right[2 * n + rows + i] = 2.0 * g[i] / h;
    }
    rico_status status = rico_factor_solve(newton->factor, 1, newton->right, newton->found);
    for (int k = 0; status == RICO_OK && k < REFINEMENTS; k++) {
        double error = defect(newton);
        // what makes it worse is taken back: rows that determine nothing
        if (!(error < before)) memcpy(newton->found, newton->kept, (size_t)size * sizeof *newton->kept);
        if (error <= 4.0 * DBL_EPSILON || !(error < 0.5 * before)) break;
        before = error;
        memcpy(newton->kept, newton->found, (size_t)size * sizeof *newton->kept);
        status = rico_factor_solve(newton->factor, 1, newton->left, newton->left);
        if (status == RICO_OK) rico_axpy(size, 1.0, newton->left, newton->found);
    }
    if (status != RICO_OK) return status;
    memcpy(dv, newton->found, (size_t)n * sizeof *dv);
    for (int64_t i = 0; i < n; i++) dc[i] = 0.5 * h * newton->found[n + i];
    memcpy(p, newton->found + 2 * n, (size_t)rows * sizeof *p);
    return RICO_OK;
}
