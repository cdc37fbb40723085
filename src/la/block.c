// Block-sparse matrices: gathering, products, norms.

#include "la/block.h"

#include "la/dense.h"
#include "la/pair.h"

#include <limits.h>
#include <math.h>
#include <string.h>

// No matrix in memory holds more numbers than this, and two such counts still add up.
static const int64_t LARGEST = INT64_MAX / 16;


static int64_t size_of(const int64_t *offset, int64_t block)
{
    return offset[block + 1] - offset[block];
}


static rico_status check_partition(rico_context *ctx, int64_t rows, int64_t blocks, const int64_t *offset)
{
    if (blocks < 0 || blocks > INT32_MAX)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a partition into %lld blocks: 0 to %ld are possible",
                         (long long)blocks, (long)INT32_MAX);
    if (offset[0] != 0)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a partition begins at row %lld, it must begin at 0",
                         (long long)offset[0]);
    for (int64_t i = 0; i < blocks; i++)
        if (offset[i + 1] <= offset[i] || offset[i + 1] > rows || size_of(offset, i) > INT_MAX)
            return rico_fail(ctx, RICO_BAD_ARGUMENT,
                             "block %lld of a partition of %lld rows goes from %lld to %lld", (long long)i,
                             (long long)rows, (long long)offset[i], (long long)offset[i + 1]);
    if (offset[blocks] != rows)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a partition ends at row %lld of %lld",
                         (long long)offset[blocks], (long long)rows);
    return RICO_OK;
}


static int common_size(int64_t blocks, const int64_t *offset)
{
    if (blocks == 0 || size_of(offset, 0) > 3) return 0;
    for (int64_t i = 1; i < blocks; i++)
        if (size_of(offset, i) != size_of(offset, 0)) return 0;
    return (int)size_of(offset, 0);
}


// Everything whose size depends on the partition alone.
static rico_status reserve_rows(rico_context *ctx, int64_t blocks, const int64_t *offset,
                                rico_block_matrix *made)
{
    *made = (rico_block_matrix){.ctx = ctx, .blocks = blocks, .rows = offset[blocks]};
    made->uniform = common_size(blocks, offset);
    made->offset = rico_alloc(ctx, blocks + 1, sizeof *made->offset);
    made->start = rico_alloc(ctx, blocks + 1, sizeof *made->start);
    made->diagonal = rico_alloc(ctx, blocks, sizeof *made->diagonal);
    if (!made->offset || !made->start || !made->diagonal) return RICO_NO_MEMORY;
    memcpy(made->offset, offset, (size_t)(blocks + 1) * sizeof *offset);
    return RICO_OK;
}


static rico_status reserve_pattern(rico_block_matrix *made, int64_t count)
{
    made->col = rico_alloc(made->ctx, count, sizeof *made->col);
    made->place = rico_alloc(made->ctx, count + 1, sizeof *made->place);
    return made->col && made->place ? RICO_OK : RICO_NO_MEMORY;
}


// Lays the blocks out one after the other, rows by rows, and notes where the diagonal is; start and col are known.
static rico_status lay_out(rico_block_matrix *made)
{
    int64_t place = 0;
    for (int64_t i = 0; i < made->blocks; i++) {
        for (int64_t k = made->start[i]; k < made->start[i + 1]; k++) {
            int64_t area = size_of(made->offset, i) * size_of(made->offset, made->col[k]); // each below 2^31
            if (area > LARGEST - place)
                return rico_fail(made->ctx, RICO_NO_MEMORY,
                                 "out of memory: a block matrix has too many entries");
            made->place[k] = place;
            place += area;
            if (made->col[k] == i) made->diagonal[i] = k;
        }
    }
    made->place[rico_block_count(made)] = place;
    made->value = rico_alloc(made->ctx, place, sizeof *made->value);
    return made->value ? RICO_OK : RICO_NO_MEMORY;
}


// Visits every block (I, J) once, J by J, the diagonal always: counts into start[I + 1] when col is NULL, else
// writes J through the cursor start[I + 1], which ends as the start of I + 1. Columns come out increasing.
static void scan_pattern(const rico_csc *a, const int32_t *block_of, int64_t *seen, int64_t blocks,
                         const int64_t *offset, int64_t *start, int32_t *col)
{
    for (int64_t i = 0; i < blocks; i++) seen[i] = -1;
    for (int64_t j = 0; j < blocks; j++) {
        seen[j] = j;
        int64_t at = start[j + 1]++;
        if (col) col[at] = (int32_t)j;
        for (int64_t k = a->start[offset[j]]; k < a->start[offset[j + 1]]; k++) {
            int64_t i = block_of[a->row[k]];
            if (seen[i] == j) continue;
            seen[i] = j;
            at = start[i + 1]++;
            if (col) col[at] = (int32_t)j;
        }
    }
}


// Counts kept one place late become cursors kept one place late; returns their sum.
static int64_t counts_to_cursors(int64_t n, int64_t *start)
{
    int64_t sum = 0;
    for (int64_t i = 1; i <= n; i++) {
        int64_t count = start[i];
        start[i] = sum;
        sum += count;
    }
    return sum;
}


// Puts the scalars where their blocks are; cursor[I] follows J along block row I.
static void scatter_values(const rico_csc *a, const int32_t *block_of, int64_t *cursor,
                           rico_block_matrix *made)
{
    for (int64_t i = 0; i < made->blocks; i++) cursor[i] = made->start[i];
    for (int64_t j = 0; j < made->blocks; j++) {
        int64_t width = size_of(made->offset, j);
        for (int64_t c = 0; c < width; c++) {
            int64_t scalar_col = made->offset[j] + c;
            for (int64_t k = a->start[scalar_col]; k < a->start[scalar_col + 1]; k++) {
                int64_t row = a->row[k], i = block_of[row];
                while (made->col[cursor[i]] < j) cursor[i]++;
                made->value[made->place[cursor[i]] + (row - made->offset[i]) * width + c] = a->value[k];
            }
        }
    }
}


rico_status rico_block_from_csc(const rico_csc *a, int64_t blocks, const int64_t *offset,
                                rico_block_matrix *out)
{
    rico_context *ctx = a->ctx;
    if (a->rows != a->cols)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "blocks of a %lld x %lld matrix: it must be square",
                         (long long)a->rows, (long long)a->cols);
    rico_status status = check_partition(ctx, a->rows, blocks, offset);
    if (status != RICO_OK) return status;

    rico_block_matrix made = {0};
    int32_t *block_of = rico_alloc(ctx, a->rows, sizeof *block_of);
    int64_t *work = rico_alloc(ctx, blocks, sizeof *work);
    status = block_of && work ? reserve_rows(ctx, blocks, offset, &made) : RICO_NO_MEMORY;
    if (status != RICO_OK) goto done;
    for (int64_t i = 0; i < blocks; i++)
        for (int64_t row = offset[i]; row < offset[i + 1]; row++) block_of[row] = (int32_t)i;

    scan_pattern(a, block_of, work, blocks, offset, made.start, NULL);
    status = reserve_pattern(&made, counts_to_cursors(blocks, made.start));
    if (status != RICO_OK) goto done;
    scan_pattern(a, block_of, work, blocks, offset, made.start, made.col);
    status = lay_out(&made);
    if (status != RICO_OK) goto done;
    scatter_values(a, block_of, work, &made);
    *out = made;
    made = (rico_block_matrix){0};

done:
    rico_block_destroy(&made);
    rico_free(ctx, work);
    rico_free(ctx, block_of);
    return status;
}


// Rows of A in order, so that the rows of every column increase: counts into start[c + 1] when row is NULL, else
// fills row and value through the cursors start[c + 1].
static void scan_scalars(const rico_block_matrix *a, int64_t *start, int64_t *row, double *value)
{
    for (int64_t i = 0; i < a->blocks; i++) {
        for (int64_t r = 0; r < size_of(a->offset, i); r++) {
            for (int64_t k = a->start[i]; k < a->start[i + 1]; k++) {
                int64_t first = a->offset[a->col[k]], width = size_of(a->offset, a->col[k]);
                const double *line = a->value + a->place[k] + r * width;
                for (int64_t c = 0; c < width; c++) {
                    if (line[c] == 0.0) continue;
                    int64_t at = start[first + c + 1]++;
                    if (!row) continue;
                    row[at] = a->offset[i] + r;
                    value[at] = line[c];
                }
            }
        }
    }
}


rico_status rico_block_to_csc(const rico_block_matrix *a, rico_csc *out)
{
    rico_context *ctx = a->ctx;
    rico_csc made = {ctx, a->rows, a->rows, NULL, NULL, NULL};
    made.start = rico_alloc(ctx, a->rows + 1, sizeof *made.start);
    if (!made.start) return RICO_NO_MEMORY;

    scan_scalars(a, made.start, NULL, NULL);
    int64_t count = counts_to_cursors(a->rows, made.start);
    made.row = rico_alloc(ctx, count, sizeof *made.row);
    made.value = rico_alloc(ctx, count, sizeof *made.value);
    if (!made.row || !made.value) {
        rico_csc_destroy(&made);
        return RICO_NO_MEMORY;
    }
    scan_scalars(a, made.start, made.row, made.value);
    *out = made;
    return RICO_OK;
}


rico_status rico_block_copy(const rico_block_matrix *a, double factor, rico_block_matrix *out)
{
    int64_t count = rico_block_count(a), size = a->place[count];
    rico_block_matrix made = *a;
    const rico_array parts[] = {
        {&made.offset, a->blocks + 1, sizeof *made.offset}, {&made.start, a->blocks + 1, sizeof *made.start},
        {&made.diagonal, a->blocks, sizeof *made.diagonal}, {&made.col, count, sizeof *made.col},
        {&made.place, count + 1, sizeof *made.place},       {&made.value, size, sizeof *made.value}};
    if (!rico_alloc_together(a->ctx, sizeof parts / sizeof parts[0], parts)) return RICO_NO_MEMORY;
    made.whole = true;
    memcpy(made.offset, a->offset, (size_t)(a->blocks + 1) * sizeof *a->offset);
    memcpy(made.start, a->start, (size_t)(a->blocks + 1) * sizeof *a->start);
    memcpy(made.diagonal, a->diagonal, (size_t)a->blocks * sizeof *a->diagonal);
    memcpy(made.col, a->col, (size_t)count * sizeof *a->col);
    memcpy(made.place, a->place, (size_t)(count + 1) * sizeof *a->place);
    for (int64_t k = 0; k < size; k++) made.value[k] = factor * a->value[k];
    *out = made;
    return RICO_OK;
}


rico_status rico_block_transpose(const rico_block_matrix *a, rico_block_matrix *out)
{
    int64_t count = rico_block_count(a);
    rico_block_matrix made;
    int64_t *cursor = NULL;
    rico_status status = reserve_rows(a->ctx, a->blocks, a->offset, &made);
    if (status == RICO_OK) status = reserve_pattern(&made, count);
    if (status != RICO_OK) goto failed;

    // block rows of A in order leave the columns of A' increasing
    for (int64_t k = 0; k < count; k++) made.start[a->col[k] + 1]++;
    counts_to_cursors(a->blocks, made.start);
    for (int64_t i = 0; i < a->blocks; i++)
        for (int64_t k = a->start[i]; k < a->start[i + 1]; k++)
            made.col[made.start[a->col[k] + 1]++] = (int32_t)i;
    status = lay_out(&made);
    if (status != RICO_OK) goto failed;

    cursor = rico_alloc(a->ctx, a->blocks, sizeof *cursor);
    if (!cursor) {
        status = RICO_NO_MEMORY;
        goto failed;
    }
    if (a->blocks > 0) memcpy(cursor, made.start, (size_t)a->blocks * sizeof *cursor);
    for (int64_t i = 0; i < a->blocks; i++) {
        int64_t height = size_of(a->offset, i);
        for (int64_t k = a->start[i]; k < a->start[i + 1]; k++) {
            int64_t width = size_of(a->offset, a->col[k]);
            const double *from = a->value + a->place[k];
            double *to = made.value + made.place[cursor[a->col[k]]++];
            for (int64_t r = 0; r < height; r++)
                for (int64_t c = 0; c < width; c++) to[c * height + r] = from[r * width + c];
        }
    }
    rico_free(a->ctx, cursor);
    *out = made;
    return RICO_OK;

failed:
    rico_block_destroy(&made);
    return status;
}


void rico_block_destroy(rico_block_matrix *a)
{
    // an empty struct has no context and no arrays
    if (a->ctx) {
        rico_free(a->ctx, a->offset);
        if (!a->whole) {
            rico_free(a->ctx, a->start);
            rico_free(a->ctx, a->col);
            rico_free(a->ctx, a->place);
            rico_free(a->ctx, a->diagonal);
            rico_free(a->ctx, a->value);
        }
    }
    *a = (rico_block_matrix){0};
}


int64_t rico_block_count(const rico_block_matrix *a)
{
    return a->start ? a->start[a->blocks] : 0;
}


int rico_block_size(const rico_block_matrix *a, int64_t block)
{
    return (int)size_of(a->offset, block);
}


// Rows from memory come at the speed of prefetching: the hardware stops at pages and while a contact is solved, so
// the blocks this far ahead are asked for by hand. 48 blocks are two to three rows of a dense heap.
enum { AHEAD = 48 * 9, CACHE_LINE = 8 };


// The row of a 3x3 partition. Nine running sums, one for each entry of the blocks, keep the chain of dependent
// additions as short as the row; each block is read in pairs as it lies. b is added last.
static void row_times_3(const rico_block_matrix *a, int64_t i, const double *x, const double *b, double *y)
{
    const double *v = a->value + 9 * a->start[i];
    rico_pair s01 = {0.0, 0.0}, s23 = s01, s45 = s01, s67 = s01;
    double s8 = 0.0;
    for (int64_t k = a->start[i]; k < a->start[i + 1]; k++, v += 9) {
        __builtin_prefetch(v + AHEAD);
        __builtin_prefetch(v + AHEAD + CACHE_LINE);
        const double *xj = x + 3 * (int64_t)a->col[k];
        rico_pair x01 = *(const rico_pair *)xj, x12 = *(const rico_pair *)(xj + 1), x20 = {xj[2], xj[0]};
        s01 += *(const rico_pair *)v * x01;
        s23 += *(const rico_pair *)(v + 2) * x20;
        s45 += *(const rico_pair *)(v + 4) * x12;
        s67 += *(const rico_pair *)(v + 6) * x01;
        s8 += v[8] * xj[2];
    }
    double y0 = s01[0] + s01[1] + s23[0], y1 = s23[1] + s45[0] + s45[1], y2 = s67[0] + s67[1] + s8;
    y[0] = b ? y0 + b[0] : y0;
    y[1] = b ? y1 + b[1] : y1;
    y[2] = b ? y2 + b[2] : y2;
}


// The other uniform sizes. Sums run over the blocks from left to right, each block's share added as one term.
static void row_times_2(const rico_block_matrix *a, int64_t i, const double *x, const double *b, double *y)
{
    const double *v = a->value + 4 * a->start[i];
    double y0 = 0.0, y1 = 0.0;
    for (int64_t k = a->start[i]; k < a->start[i + 1]; k++, v += 4) {
        const double *xj = x + 2 * (int64_t)a->col[k];
        y0 += v[0] * xj[0] + v[1] * xj[1];
        y1 += v[2] * xj[0] + v[3] * xj[1];
    }
    y[0] = b ? y0 + b[0] : y0;
    y[1] = b ? y1 + b[1] : y1;
}


static void row_times_1(const rico_block_matrix *a, int64_t i, const double *x, const double *b, double *y)
{
    double sum = 0.0;
    for (int64_t k = a->start[i]; k < a->start[i + 1]; k++) sum += a->value[k] * x[a->col[k]];
    y[0] = b ? sum + b[0] : sum;
}


// Any partition: one scalar row at a time across the blocks of the row. b is read before y is written, so that
// they may be the same array.
static void row_times_any(const rico_block_matrix *a, int64_t i, const double *x, const double *b, double *y)
{
    int64_t height = size_of(a->offset, i);
    for (int64_t r = 0; r < height; r++) {
        double sum = 0.0;
        for (int64_t k = a->start[i]; k < a->start[i + 1]; k++) {
            int64_t first = a->offset[a->col[k]], width = a->offset[a->col[k] + 1] - first;
            const double *line = a->value + a->place[k] + r * width;
            double share = 0.0;
            for (int64_t c = 0; c < width; c++) share += line[c] * x[first + c];
            sum += share;
        }
        y[r] = b ? sum + b[r] : sum;
    }
}


void rico_block_row_times(const rico_block_matrix *a, int64_t i, const double *x, const double *b_i,
                          double *y_i)
{
    switch (a->uniform) {
    case 3:
        row_times_3(a, i, x, b_i, y_i);
        break;
    case 2:
        row_times_2(a, i, x, b_i, y_i);
        break;
    case 1:
        row_times_1(a, i, x, b_i, y_i);
        break;
    default:
        row_times_any(a, i, x, b_i, y_i);
    }
}


int64_t rico_block_find(const rico_block_matrix *a, int64_t row, int64_t col)
{
    int64_t low = a->start[row], high = a->start[row + 1] - 1;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (a->col[middle] < col)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}


void rico_block_times(const rico_block_matrix *a, const double *x, const double *b, double *y)
{
    for (int64_t i = 0; i < a->blocks; i++) {
        int64_t row = a->offset[i];
        rico_block_row_times(a, i, x, b ? b + row : NULL, y + row);
    }
}


double rico_block_norm_frobenius(const rico_block_matrix *a)
{
    return a->place ? rico_norm(a->place[rico_block_count(a)], a->value) : 0.0;
}


double rico_block_norm_inf(const rico_block_matrix *a)
{
    double largest = 0.0;
    for (int64_t i = 0; i < a->blocks; i++) {
        for (int64_t r = 0; r < size_of(a->offset, i); r++) {
            double sum = 0.0;
            for (int64_t k = a->start[i]; k < a->start[i + 1]; k++) {
                int64_t width = size_of(a->offset, a->col[k]);
                const double *line = a->value + a->place[k] + r * width;
                for (int64_t c = 0; c < width; c++) sum += fabs(line[c]);
            }
            if (sum > largest) largest = sum;
        }
    }
    return largest;
}
