// The response of a system with many joints: see joint_response.h.

#include "step/joint_response.h"

#include "la/dense.h"
#include "la/dependent.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double STAND_IN = 1e-8; // of a joint's own compliance, for the 0 on the diagonal
enum { REFINEMENTS = 12, TOGETHER = 48 };


static void forget_matrix(rico_joint_response *r)
{
    rico_factor_destroy(r->factor);
    rico_csc_destroy(&r->matrix);
    rico_csc_destroy(&r->normal);
    rico_free(r->ctx, r->place);
    r->place = NULL;
    r->factor = NULL;
    r->row_room = r->entry_room = 0;
}


void rico_joint_response_destroy(rico_joint_response *r)
{
    if (!r->ctx) return;
    forget_matrix(r);
    void *all[] = {r->which, r->compliance, r->right, r->found, r->left, r->whole, r->dependent};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(r->ctx, all[i]);
    memset(r, 0, sizeof *r);
}


static rico_status reserve(rico_joint_response *r, int64_t entries)
{
    rico_context *ctx = r->ctx;
    int64_t size = r->n + r->rows;
    if (r->rows <= r->row_room && entries <= r->entry_room) return RICO_OK;
    forget_matrix(r);
    r->matrix = (rico_csc){.ctx = ctx};
    r->matrix.start = rico_alloc(ctx, size + 1, sizeof *r->matrix.start);
    r->matrix.row = rico_alloc(ctx, entries, sizeof *r->matrix.row);
    r->matrix.value = rico_alloc(ctx, entries, sizeof *r->matrix.value);
    bool whole = r->matrix.start && r->matrix.row && r->matrix.value &&
                 rico_renew(ctx, &r->which, r->rows, sizeof *r->which) &&
                 rico_renew(ctx, &r->compliance, r->rows, sizeof *r->compliance) &&
                 rico_renew(ctx, &r->whole, size, sizeof *r->whole) &&
                 rico_renew(ctx, &r->dependent, r->rows, sizeof *r->dependent);
    r->column_room = 0;
    if (!whole) return RICO_NO_MEMORY;
    r->row_room = r->rows;
    r->entry_room = entries;
    return RICO_OK;
}


// Room for as many right-hand sides at a time: the velocities of all of them, then their joints' rows.
static rico_status reserve_columns(rico_joint_response *r, int64_t count)
{
    int64_t size = (r->n + r->row_room) * count;
    if (count <= r->column_room) return RICO_OK;
    r->column_room = 0;
    if (!rico_renew(r->ctx, &r->right, size, sizeof *r->right) ||
        !rico_renew(r->ctx, &r->found, size, sizeof *r->found) ||
        !rico_renew(r->ctx, &r->left, size, sizeof *r->left))
        return RICO_NO_MEMORY;
    r->column_room = count;
    return RICO_OK;
}


// What a unit impulse of each row does to its own velocity, other velocities standing still.
static void measure(rico_joint_response *r, const rico_iteration *iteration, const rico_csc *H,
                    const int64_t *row)
{
    const rico_csc *A = &iteration->system->pattern;
    double *diagonal = r->whole;
    for (int64_t j = 0; j < r->n; j++) {
        diagonal[j] = 0.0;
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++)
            if (A->row[k] == j) diagonal[j] = fabs(iteration->value[k] / iteration->lead);
    }
    for (int64_t i = 0; i < r->rows; i++) {
        double sum = 0.0;
        for (int64_t k = H->start[row[i]]; k < H->start[row[i] + 1]; k++)
            if (diagonal[H->row[k]] > 0.0) sum += H->value[k] * H->value[k] / diagonal[H->row[k]];
        r->compliance[i] = sum > 0.0 ? sum : 1.0;
    }
}


// Puts the entries of a column in order: constraints may list velocities in any.
static void sort_column(rico_csc *K, int64_t column)
{
    int64_t first = K->start[column], last = K->start[column + 1];
    for (int64_t k = first + 1; k < last; k++) {
        int64_t row = K->row[k], at = k;
        double value = K->value[k];
        for (; at > first && K->row[at - 1] > row; at--) {
            K->row[at] = K->row[at - 1];
            K->value[at] = K->value[at - 1];
        }
        K->row[at] = row;
        K->value[at] = value;
    }
}


// Column by column: A and -J' above, -J and the diagonal beside. The rows of J' are gathered by counting.
static void fill(rico_joint_response *r, const rico_iteration *iteration, const rico_csc *H,
                 const int64_t *row)
{
    const rico_csc *A = &iteration->system->pattern;
    rico_csc *K = &r->matrix;
    int64_t n = r->n, size = n + r->rows, *start = K->start;
    memset(start, 0, (size_t)(size + 1) * sizeof *start);
    for (int64_t j = 0; j < n; j++) start[j + 1] = A->start[j + 1] - A->start[j];
    for (int64_t i = 0; i < r->rows; i++) {
        for (int64_t k = H->start[row[i]]; k < H->start[row[i] + 1]; k++) start[H->row[k] + 1]++;
        start[n + i + 1] = H->start[row[i] + 1] - H->start[row[i]] + 1;
    }
    for (int64_t j = 0; j < size; j++) start[j + 1] += start[j];

    // start[j] serves as the cursor of column j and is put back after
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            K->row[start[j]] = A->row[k];
            K->value[start[j]++] = iteration->value[k] / iteration->lead;
        }
    for (int64_t i = 0; i < r->rows; i++) {
        for (int64_t k = H->start[row[i]]; k < H->start[row[i] + 1]; k++) {
            int64_t j = H->row[k];
            K->row[start[j]] = n + i;
            K->value[start[j]++] = -H->value[k];
            K->row[start[n + i]] = j;
            K->value[start[n + i]++] = -H->value[k];
        }
        K->row[start[n + i]] = n + i;
        K->value[start[n + i]++] = -STAND_IN * r->compliance[i];
    }
    for (int64_t j = size; j > 0; j--) start[j] = start[j - 1];
    start[0] = 0;
    K->rows = K->cols = size;
    for (int64_t i = 0; i < r->rows; i++) sort_column(K, n + i);
}


// Calls of `at` for each entry of the lower triangle of A and of J D J', in one fixed order; J is beside A in the matrix.
typedef void (*entry_function)(rico_joint_response *r, int64_t index, int64_t row, int64_t col, double value);

static int64_t each_entry(rico_joint_response *r, entry_function at)
{
    const rico_csc *K = &r->matrix;
    int64_t n = r->n, index = 0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = K->start[j]; k < K->start[j + 1]; k++)
            if (K->row[k] >= j && K->row[k] < n) at(r, index++, K->row[k], j, K->value[k]);
    for (int64_t i = 0; i < r->rows; i++) {
        int64_t first = K->start[n + i], last = K->start[n + i + 1] - 1; // the diagonal stands at the end
        double weight = 1.0 / (STAND_IN * r->compliance[i]);
        for (int64_t a = first; a < last; a++)
            for (int64_t b = first; b < last; b++)
                if (K->row[a] >= K->row[b])
                    at(r, index++, K->row[a], K->row[b], weight * K->value[a] * K->value[b]);
    }
    return index;
}


static void count_entry(rico_joint_response *r, int64_t index, int64_t row, int64_t col, double value)
{
    (void)r, (void)index, (void)row, (void)col, (void)value;
}


// While the pattern is made: row, column and 1, in the arrays of a matrix of triplets that `normal` holds.
static void note_entry(rico_joint_response *r, int64_t index, int64_t row, int64_t col, double value)
{
    (void)value;
    r->normal.row[index] = row;
    r->normal.start[index] = col;
    r->normal.value[index] = 1.0;
}


static void find_entry(rico_joint_response *r, int64_t index, int64_t row, int64_t col, double value)
{
    (void)value;
    int64_t low = r->normal.start[col], high = r->normal.start[col + 1];
    while (high - low > 1) {
        int64_t middle = (low + high) / 2;
        *(r->normal.row[middle] <= row ? &low : &high) = middle;
    }
    r->place[index] = low;
}


static void add_entry(rico_joint_response *r, int64_t index, int64_t row, int64_t col, double value)
{
    (void)row, (void)col;
    r->normal.value[r->place[index]] += value;
}


// The pattern of A + J D J' and where each term goes in it.
static rico_status lay_out(rico_joint_response *r)
{
    rico_context *ctx = r->ctx;
    rico_csc made = {0};
    rico_csc_destroy(&r->normal);
    int64_t count = r->places = each_entry(r, count_entry);
    r->normal = (rico_csc){.ctx = ctx};
    r->normal.start = rico_alloc(ctx, count, sizeof *r->normal.start);
    r->normal.row = rico_alloc(ctx, count, sizeof *r->normal.row);
    r->normal.value = rico_alloc(ctx, count, sizeof *r->normal.value);
    bool whole = r->normal.start && r->normal.row && r->normal.value &&
                 rico_renew(ctx, &r->place, count, sizeof *r->place);
    rico_status status = whole ? RICO_OK : RICO_NO_MEMORY;
    if (whole) {
        each_entry(r, note_entry);
        status = rico_csc_from_triplets(ctx, "A + J D J'", r->n, r->n, count, r->normal.row, r->normal.start,
                                        r->normal.value, &made);
    }
    rico_csc_destroy(&r->normal);
    r->normal = made;
    if (status == RICO_OK) each_entry(r, find_entry);
    return status;
}


static rico_status factorize(rico_joint_response *r, bool fresh)
{
    rico_status status = RICO_OK;
    if (r->definite && fresh) status = lay_out(r);
    if (status != RICO_OK) return status;
    const rico_csc *matrix = r->definite ? &r->normal : &r->matrix;
    if (r->definite) {
        memset(r->normal.value, 0, (size_t)rico_csc_count(&r->normal) * sizeof *r->normal.value);
        each_entry(r, add_entry);
    }
    if (!fresh) return rico_factor_refactor(r->factor, matrix);
    status = rico_factor_create(r->definite ? RICO_CHOLESKY : RICO_LU, matrix, &r->factor);
    if (status == RICO_OK) rico_factor_set_refinement(r->factor, 0); // done here, with another matrix
    return status;
}


// The LU factor of the whole applied to one side after the other.
static rico_status apply_whole(rico_joint_response *r, int64_t count, double *x)
{
    rico_status status = RICO_OK;
    for (int64_t s = 0; status == RICO_OK && s < count; s++) {
        double *v = x + s * r->n, *p = x + count * r->n + s * r->rows;
        memcpy(r->whole, v, (size_t)r->n * sizeof *v);
        memcpy(r->whole + r->n, p, (size_t)r->rows * sizeof *p);
        status = rico_factor_solve(r->factor, 1, r->whole, r->whole);
        memcpy(v, r->whole, (size_t)r->n * sizeof *v);
        memcpy(p, r->whole + r->n, (size_t)r->rows * sizeof *p);
    }
    return status;
}


// The factor applied to (b, c) of `count` sides in place: dv = (A + J D J')^-1 (b - J D c), p = -D (c + J'dv), or the LU of the whole.
static rico_status apply(rico_joint_response *r, int64_t count, double *x)
{
    const rico_csc *K = &r->matrix;
    int64_t n = r->n;
    if (!r->definite) return apply_whole(r, count, x);
    for (int64_t s = 0; s < count; s++)
        for (int64_t i = 0; i < r->rows; i++) {
            double share = x[count * n + s * r->rows + i] / (STAND_IN * r->compliance[i]);
            for (int64_t k = K->start[n + i]; share != 0.0 && k < K->start[n + i + 1] - 1; k++)
                x[s * n + K->row[k]] += K->value[k] * share;
        }
    rico_status status = rico_factor_solve(r->factor, count, x, x);
    for (int64_t s = 0; s < count; s++)
        for (int64_t i = 0; i < r->rows; i++) {
            double *own = &x[count * n + s * r->rows + i], sum = *own;
            for (int64_t k = K->start[n + i]; k < K->start[n + i + 1] - 1; k++)
                sum -= K->value[k] * x[s * n + K->row[k]];
            *own = -sum / (STAND_IN * r->compliance[i]);
        }
    return status;
}


bool rico_joint_response_is_of(const rico_joint_response *r, int64_t rows, const int64_t *row)
{
    return r->rows == rows && (rows == 0 || memcmp(r->which, row, (size_t)rows * sizeof *row) == 0);
}


rico_status rico_joint_response_prepare(rico_joint_response *r, const rico_iteration *iteration,
                                        const rico_csc *H, int64_t rows, const int64_t *row)
{
    const rico_csc *A = &iteration->system->pattern;
    r->ctx = iteration->ctx;
    bool other = !rico_joint_response_is_of(r, rows, row);
    r->n = A->cols;
    r->rows = rows;
    int64_t entries = rico_csc_count(A) + rows;
    for (int64_t i = 0; i < rows; i++) entries += 2 * (H->start[row[i] + 1] - H->start[row[i]]);
    rico_status status = reserve(r, entries);
    if (status != RICO_OK) {
        r->rows = 0;
        return status;
    }
    memcpy(r->which, row, (size_t)rows * sizeof *row);
    measure(r, iteration, H, row);
    fill(r, iteration, H, row);
    bool fresh = other || !r->factor || r->definite == iteration->use_lu;
    if (fresh) {
        rico_factor_destroy(r->factor);
        r->factor = NULL;
        r->definite = !iteration->use_lu;
        status = rico_dependent_rows(H, rows, row, RICO_REDUNDANT, r->dependent, &r->redundant);
    }
    if (status == RICO_OK) status = factorize(r, fresh);
    return status;
}


// left = right - K found with 0 for the stand-ins, of side s; the largest of what it leaves of the joints' rows over the largest of their
// terms, each as the root of an energy, so that units of rows do not count.
static double defect(const rico_joint_response *r, int64_t count, int64_t s)
{
    const rico_csc *K = &r->matrix;
    int64_t n = r->n, rows = r->rows;
    const double *v = r->found + s * n, *p = r->found + count * n + s * rows;
    const double *asked = r->right + count * n + s * rows;
    double *left = r->left + s * n, *rest = r->left + count * n + s * rows, largest = 0.0, most = 0.0;
    memcpy(left, r->right + s * n, (size_t)n * sizeof *left);
    // columns of K: A, which is symmetric where p was eliminated and is taken as it is, with -J' below; then -J
    for (int64_t i = 0; i < rows; i++) rest[i] = asked[i];
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = K->start[j]; k < K->start[j + 1]; k++)
            *(K->row[k] < n ? &left[K->row[k]] : &rest[K->row[k] - n]) -= K->value[k] * v[j];
    for (int64_t i = 0; i < rows; i++) {
        double terms = fabs(asked[i]), unit = sqrt(r->compliance[i]);
        for (int64_t k = K->start[n + i]; k < K->start[n + i + 1] - 1; k++) {
            left[K->row[k]] -= K->value[k] * p[i];
            terms += fabs(K->value[k] * v[K->row[k]]);
        }
        largest = fmax(largest, terms / unit);
        most = fmax(most, fabs(rest[i]) / unit);
    }
    return largest > 0.0 ? most / largest : 0.0;
}


// What is left of each side, nothing of those that get no better; false where no side does.
static bool look(const rico_joint_response *r, int64_t count, double *before)
{
    bool any = false;
    for (int64_t s = 0; s < count; s++) {
        double error = before[s] > 0.0 ? defect(r, count, s) : 0.0;
        bool better = error > 4.0 * DBL_EPSILON && error < 0.5 * before[s];
        before[s] = better ? error : 0.0;
        any |= better;
        if (better) continue;
        memset(r->left + s * r->n, 0, (size_t)r->n * sizeof *r->left);
        memset(r->left + count * r->n + s * r->rows, 0, (size_t)r->rows * sizeof *r->left);
    }
    return any;
}


// found from right, for all sides together: a factor is read once for them.
static rico_status find(rico_joint_response *r, int64_t count)
{
    int64_t size = (r->n + r->rows) * count;
    double before[TOGETHER];
    for (int64_t s = 0; s < count; s++) before[s] = INFINITY;
    memcpy(r->found, r->right, (size_t)size * sizeof *r->found);
    rico_status status = apply(r, count, r->found);
    for (int k = 0; status == RICO_OK && k < REFINEMENTS && look(r, count, before); k++) {
        status = apply(r, count, r->left);
        if (status == RICO_OK) rico_axpy(size, 1.0, r->left, r->found);
    }
    return status;
}


rico_status rico_joint_response_solve(rico_joint_response *r, const double *b, const double *c, double *dv,
                                      double *p)
{
    int64_t n = r->n;
    rico_status status = reserve_columns(r, 1);
    if (status != RICO_OK) return status;
    memcpy(r->right, b, (size_t)n * sizeof *b);
    for (int64_t i = 0; i < r->rows; i++) r->right[n + i] = c ? c[i] : 0.0;
    status = find(r, 1);
    if (status != RICO_OK) return status;
    memcpy(dv, r->found, (size_t)n * sizeof *dv);
    if (p) memcpy(p, r->found + n, (size_t)r->rows * sizeof *p);
    return RICO_OK;
}


static rico_status answer(rico_joint_response *r, int64_t count, double *x)
{
    size_t bytes = (size_t)(r->n * count) * sizeof *x;
    rico_status status = reserve_columns(r, count);
    if (status != RICO_OK) return status;
    memcpy(r->right, x, bytes);
    memset(r->right + r->n * count, 0, (size_t)(r->rows * count) * sizeof *x);
    status = find(r, count);
    if (status == RICO_OK) memcpy(x, r->found, bytes);
    return status;
}


rico_status rico_joint_response_answer(rico_joint_response *r, int64_t count, double *x)
{
    rico_status status = RICO_OK;
    for (int64_t first = 0; status == RICO_OK && first < count; first += TOGETHER)
        status = answer(r, count - first < TOGETHER ? count - first : TOGETHER, x + first * r->n);
    return status;
}
