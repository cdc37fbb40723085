// Sparse matrices in compressed columns.
//
// Sorting is done by transposing: spreading the entries over the rows in column order leaves every row sorted by
// column, so two transpositions sort both ways in time proportional to the entries (Gustavson 1978).

#include "la/csc.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

// Neither a size nor a count beyond this can be real, and sums of two of them still fit.
static const int64_t LARGEST = INT64_MAX / 16;


static rico_status reserve(rico_context *ctx, int64_t rows, int64_t cols, int64_t count, rico_csc *out)
{
    rico_csc made = {ctx, rows, cols, NULL, NULL, NULL};
    made.start = rico_alloc(ctx, cols + 1, sizeof *made.start);
    made.row = rico_alloc(ctx, count, sizeof *made.row);
    made.value = rico_alloc(ctx, count, sizeof *made.value);
    if (!made.start || !made.row || !made.value) {
        rico_csc_destroy(&made);
        return RICO_NO_MEMORY;
    }
    *out = made;
    return RICO_OK;
}


// Turns counts kept one place late (start[j + 1] = entries of j) into starts, kept one place late as well, so
// that start[j + 1]++ hands out the places of j and leaves finished starts behind.
static void counts_to_cursors(int64_t n, int64_t *start)
{
    int64_t sum = 0;
    for (int64_t j = 1; j <= n; j++) {
        int64_t count = start[j];
        start[j] = sum;
        sum += count;
    }
}


// Adds up neighbours that share a place; duplicates must be adjacent. Returns false, with the place, on overflow.
static bool merge_neighbours(rico_csc *a, int64_t *bad_row, int64_t *bad_col)
{
    bool finite = true;
    int64_t kept = 0, begin = 0;
    for (int64_t j = 0; j < a->cols; j++) {
        int64_t end = a->start[j + 1], first = kept;
        for (int64_t k = begin; k < end; k++) {
            if (kept > first && a->row[kept - 1] == a->row[k]) {
                a->value[kept - 1] += a->value[k];
                if (finite && !isfinite(a->value[kept - 1])) {
                    finite = false;
                    *bad_row = a->row[k];
                    *bad_col = j;
                }
            } else {
                a->row[kept] = a->row[k];
                a->value[kept] = a->value[k];
                kept++;
            }
        }
        begin = end;
        a->start[j + 1] = kept;
    }
    return finite;
}


static rico_status check_sizes(rico_context *ctx, const char *name, int64_t rows, int64_t cols)
{
    if (rows < 0 || cols < 0)
        return rico_fail(ctx, RICO_BAD_INPUT, "%s: a size of %lld x %lld is negative", name, (long long)rows,
                         (long long)cols);
    if (rows > LARGEST || cols > LARGEST)
        return rico_fail(ctx, RICO_BAD_INPUT, "%s: a size of %lld x %lld is beyond any memory", name,
                         (long long)rows, (long long)cols);
    return RICO_OK;
}


static rico_status check_value(rico_context *ctx, const char *name, int64_t row, int64_t col, double value)
{
    if (isfinite(value)) return RICO_OK;
    // spelled out: printf would show the sign bit of a NaN, which means nothing
    const char *what = isnan(value) ? "nan" : value > 0.0 ? "inf" : "-inf";
    return rico_fail(ctx, RICO_BAD_INPUT, "%s: entry (%lld, %lld) is %s", name, (long long)row,
                     (long long)col, what);
}


// Checks everything; *sorted tells whether the rows already increase strictly in every column.
static rico_status check_view(rico_context *ctx, const char *name, const rico_sparse_view *view, bool *sorted)
{
    rico_status status = check_sizes(ctx, name, view->rows, view->cols);
    if (status != RICO_OK) return status;

    *sorted = true;
    if (!view->start) {
        if (view->cols == 0) return RICO_OK;
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "%s: %lld columns but no start array", name,
                         (long long)view->cols);
    }
    if (view->start[0] != 0)
        return rico_fail(ctx, RICO_BAD_INPUT, "%s: start[0] is %lld, it must be 0", name,
                         (long long)view->start[0]);
    for (int64_t j = 0; j < view->cols; j++)
        if (view->start[j + 1] < view->start[j])
            return rico_fail(ctx, RICO_BAD_INPUT, "%s: start decreases from %lld to %lld at column %lld",
                             name, (long long)view->start[j], (long long)view->start[j + 1], (long long)j);
    int64_t count = view->start[view->cols];
    if (count > LARGEST)
        return rico_fail(ctx, RICO_BAD_INPUT, "%s: %lld entries are beyond any memory", name,
                         (long long)count);
    if (count > 0 && (!view->row || !view->value))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "%s: %lld entries but no %s array", name, (long long)count,
                         view->row ? "value" : "row");

    for (int64_t j = 0; j < view->cols; j++) {
        int64_t last = -1;
        for (int64_t k = view->start[j]; k < view->start[j + 1]; k++) {
            int64_t row = view->row[k];
            if (row < 0 || row >= view->rows)
                return rico_fail(ctx, RICO_BAD_INPUT,
                                 "%s: row %lld in column %lld is not among the %lld rows", name,
                                 (long long)row, (long long)j, (long long)view->rows);
            status = check_value(ctx, name, row, j, view->value[k]);
            if (status != RICO_OK) return status;
            if (row <= last) *sorted = false;
            last = row;
        }
    }
    return RICO_OK;
}


// The transpose of a view already checked; its columns come out sorted, duplicates adjacent in their old order.
static rico_status transpose_view(rico_context *ctx, const rico_sparse_view *view, rico_csc *out)
{
    int64_t count = view->start ? view->start[view->cols] : 0;
    rico_csc made;
    rico_status status = reserve(ctx, view->cols, view->rows, count, &made);
    if (status != RICO_OK) return status;

    for (int64_t k = 0; k < count; k++) made.start[view->row[k] + 1]++;
    counts_to_cursors(made.cols, made.start);
    for (int64_t j = 0; count > 0 && j < view->cols; j++) {
        for (int64_t k = view->start[j]; k < view->start[j + 1]; k++) {
            int64_t at = made.start[view->row[k] + 1]++;
            made.row[at] = j;
            made.value[at] = view->value[k];
        }
    }
    *out = made;
    return RICO_OK;
}


static rico_status copy_view(rico_context *ctx, const rico_sparse_view *view, rico_csc *out)
{
    int64_t count = view->start ? view->start[view->cols] : 0;
    rico_csc made;
    rico_status status = reserve(ctx, view->rows, view->cols, count, &made);
    if (status != RICO_OK) return status;

    if (view->start) memcpy(made.start, view->start, (size_t)(view->cols + 1) * sizeof *made.start);
    if (count > 0) {
        memcpy(made.row, view->row, (size_t)count * sizeof *made.row);
        memcpy(made.value, view->value, (size_t)count * sizeof *made.value);
    }
    *out = made;
    return RICO_OK;
}


// From the transpose with sorted columns and adjacent duplicates to the matrix: sums, then transposes, so that the
// result fits its entries exactly. Consumes `turned`.
static rico_status settle(rico_context *ctx, const char *name, rico_csc *turned, rico_csc *out)
{
    int64_t row = 0, col = 0;
    rico_status status;
    if (merge_neighbours(turned, &col, &row))
        status = rico_csc_transpose(turned, out);
    else
        status = rico_fail(ctx, RICO_BAD_INPUT, "%s: the entries repeated at (%lld, %lld) add up to infinity",
                           name, (long long)row, (long long)col);
    rico_csc_destroy(turned);
    return status;
}


rico_status rico_csc_from_view(rico_context *ctx, const char *name, const rico_sparse_view *view,
                               rico_csc *out)
{
    bool sorted;
    rico_status status = check_view(ctx, name, view, &sorted);
    if (status != RICO_OK) return status;
    if (sorted) return copy_view(ctx, view, out);

    rico_csc turned;
    status = transpose_view(ctx, view, &turned);
    if (status != RICO_OK) return status;
    return settle(ctx, name, &turned, out);
}


rico_status rico_csc_from_triplets(rico_context *ctx, const char *name, int64_t rows, int64_t cols,
                                   int64_t count, const int64_t *row, const int64_t *col, const double *value,
                                   rico_csc *out)
{
    rico_status status = check_sizes(ctx, name, rows, cols);
    if (status != RICO_OK) return status;
    if (count < 0 || count > LARGEST)
        return rico_fail(ctx, RICO_BAD_INPUT, "%s: %lld is no count of entries", name, (long long)count);
    if (count > 0 && (!row || !col || !value))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "%s: %lld entries but no %s array", name, (long long)count,
                         !row   ? "row"
                         : !col ? "column"
                                : "value");
    for (int64_t k = 0; k < count; k++) {
        if (row[k] < 0 || row[k] >= rows || col[k] < 0 || col[k] >= cols)
            return rico_fail(ctx, RICO_BAD_INPUT, "%s: entry (%lld, %lld) is outside of %lld x %lld", name,
                             (long long)row[k], (long long)col[k], (long long)rows, (long long)cols);
        status = check_value(ctx, name, row[k], col[k], value[k]);
        if (status != RICO_OK) return status;
    }

    // gather by columns, then sort as for a view
    rico_csc gathered, turned;
    status = reserve(ctx, rows, cols, count, &gathered);
    if (status != RICO_OK) return status;
    for (int64_t k = 0; k < count; k++) gathered.start[col[k] + 1]++;
    counts_to_cursors(cols, gathered.start);
    for (int64_t k = 0; k < count; k++) {
        int64_t at = gathered.start[col[k] + 1]++;
        gathered.row[at] = row[k];
        gathered.value[at] = value[k];
    }
    status = rico_csc_transpose(&gathered, &turned);
    rico_csc_destroy(&gathered);
    if (status != RICO_OK) return status;
    return settle(ctx, name, &turned, out);
}


rico_status rico_csc_copy(const rico_csc *a, rico_csc *out)
{
    rico_sparse_view view = rico_csc_view(a);
    return copy_view(a->ctx, &view, out);
}


rico_status rico_csc_transpose(const rico_csc *a, rico_csc *out)
{
    rico_sparse_view view = rico_csc_view(a);
    return transpose_view(a->ctx, &view, out);
}


// Entries of A B, counted column by column; seen[i] = j + 1 marks row i as met in column j. -1 when there are
// more than memory could hold.
static int64_t product_count(const rico_csc *a, const rico_csc *b, int64_t *seen)
{
    int64_t count = 0;
    for (int64_t j = 0; j < b->cols; j++) {
        for (int64_t k = b->start[j]; k < b->start[j + 1]; k++) {
            int64_t middle = b->row[k];
            for (int64_t l = a->start[middle]; l < a->start[middle + 1]; l++) {
                if (seen[a->row[l]] == j + 1) continue;
                seen[a->row[l]] = j + 1;
                count++;
            }
        }
        if (count > LARGEST) return -1;
    }
    return count;
}


// A B with unsorted columns: sum[] gathers one column at a time, seen[] as above.
static void product_fill(const rico_csc *a, const rico_csc *b, int64_t *seen, double *sum, rico_csc *product)
{
    int64_t filled = 0;
    for (int64_t j = 0; j < b->cols; j++) {
        int64_t begin = filled;
        for (int64_t k = b->start[j]; k < b->start[j + 1]; k++) {
            int64_t middle = b->row[k];
            double factor = b->value[k];
            for (int64_t l = a->start[middle]; l < a->start[middle + 1]; l++) {
                int64_t row = a->row[l];
                if (seen[row] != j + 1) {
                    seen[row] = j + 1;
                    product->row[filled++] = row;
                    sum[row] = 0.0;
                }
                sum[row] += a->value[l] * factor;
            }
        }
        for (int64_t k = begin; k < filled; k++) product->value[k] = sum[product->row[k]];
        product->start[j + 1] = filled;
    }
}


rico_status rico_csc_multiply(const rico_csc *a, const rico_csc *b, rico_csc *out)
{
    rico_context *ctx = a->ctx;
    if (a->cols != b->rows)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a product of %lld x %lld with %lld x %lld is not defined",
                         (long long)a->rows, (long long)a->cols, (long long)b->rows, (long long)b->cols);

    rico_status status = RICO_NO_MEMORY;
    rico_csc product = {0}, turned = {0};
    int64_t *seen = rico_alloc(ctx, a->rows, sizeof *seen);
    double *sum = rico_alloc(ctx, a->rows, sizeof *sum);
    if (!seen || !sum) goto done;

    int64_t count = product_count(a, b, seen);
    if (count < 0) {
        status = rico_fail(ctx, RICO_NO_MEMORY, "out of memory: a product has too many entries");
        goto done;
    }
    status = reserve(ctx, a->rows, b->cols, count, &product);
    if (status != RICO_OK) goto done;
    if (a->rows > 0) memset(seen, 0, (size_t)a->rows * sizeof *seen);
    product_fill(a, b, seen, sum, &product);

    // two transpositions sort the rows
    status = rico_csc_transpose(&product, &turned);
    if (status != RICO_OK) goto done;
    rico_csc_destroy(&product);
    status = rico_csc_transpose(&turned, &product);
    if (status != RICO_OK) goto done;
    *out = product;
    product = (rico_csc){0};

done:
    rico_csc_destroy(&turned);
    rico_csc_destroy(&product);
    rico_free(ctx, sum);
    rico_free(ctx, seen);
    return status;
}


void rico_csc_destroy(rico_csc *a)
{
    // an empty struct has no context and no arrays
    if (a->ctx) {
        rico_free(a->ctx, a->start);
        rico_free(a->ctx, a->row);
        rico_free(a->ctx, a->value);
    }
    *a = (rico_csc){0};
}


rico_sparse_view rico_csc_view(const rico_csc *a)
{
    return (rico_sparse_view){a->rows, a->cols, a->start, a->row, a->value};
}


int64_t rico_csc_count(const rico_csc *a)
{
    return a->start ? a->start[a->cols] : 0;
}


int64_t rico_csc_find(const rico_csc *a, int64_t row, int64_t col)
{
    int64_t low = a->start[col], high = a->start[col + 1];
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (a->row[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}


void rico_csc_times(const rico_csc *a, double alpha, const double *x, double beta, double *y)
{
    if (beta == 0.0) {
        for (int64_t i = 0; i < a->rows; i++) y[i] = 0.0;
    } else if (beta != 1.0) {
        for (int64_t i = 0; i < a->rows; i++) y[i] *= beta;
    }
    for (int64_t j = 0; j < a->cols; j++) {
        double factor = alpha * x[j];
        for (int64_t k = a->start[j]; k < a->start[j + 1]; k++) y[a->row[k]] += factor * a->value[k];
    }
}


void rico_csc_transpose_times(const rico_csc *a, double alpha, const double *x, double beta, double *y)
{
    for (int64_t j = 0; j < a->cols; j++) {
        double sum = 0.0;
        for (int64_t k = a->start[j]; k < a->start[j + 1]; k++) sum += a->value[k] * x[a->row[k]];
        y[j] = beta == 0.0 ? alpha * sum : beta * y[j] + alpha * sum;
    }
}


double rico_csc_norm_frobenius(const rico_csc *a)
{
    return rico_norm(rico_csc_count(a), a->value);
}


double rico_csc_norm_one(const rico_csc *a)
{
    double largest = 0.0;
    for (int64_t j = 0; j < a->cols; j++) {
        double sum = 0.0;
        for (int64_t k = a->start[j]; k < a->start[j + 1]; k++) sum += fabs(a->value[k]);
        if (sum > largest) largest = sum;
    }
    return largest;
}


double rico_csc_norm_inf(const rico_csc *a)
{
    if (rico_csc_count(a) == 0) return 0.0;
    double *sums = rico_alloc(a->ctx, a->rows, sizeof *sums);
    if (!sums) return -1.0;

    for (int64_t k = 0; k < rico_csc_count(a); k++) sums[a->row[k]] += fabs(a->value[k]);
    double largest = 0.0;
    for (int64_t i = 0; i < a->rows; i++)
        if (sums[i] > largest) largest = sums[i];
    rico_free(a->ctx, sums);
    return largest;
}


double rico_csc_symmetry_defect(const rico_csc *a)
{
    double norm = rico_csc_norm_frobenius(a);
    if (norm == 0.0) return 0.0;
    rico_csc turned;
    if (rico_csc_transpose(a, &turned) != RICO_OK) return -1.0;

    // both columns are sorted: merge them; divided by the norm before squaring, so that nothing overflows
    double sum = 0.0;
    for (int64_t j = 0; j < a->cols; j++) {
        int64_t k = a->start[j], l = turned.start[j];
        while (k < a->start[j + 1] || l < turned.start[j + 1]) {
            int64_t row = k < a->start[j + 1] ? a->row[k] : INT64_MAX;
            int64_t other = l < turned.start[j + 1] ? turned.row[l] : INT64_MAX;
            double difference = 0.0;
            if (row <= other) difference += a->value[k++] / norm;
            if (other <= row) difference -= turned.value[l++] / norm;
            sum += difference * difference;
        }
    }
    rico_csc_destroy(&turned);
    return sqrt(sum);
}
