// What the tests of la/ share: an allocator that fails on demand, random sparse matrices, their dense images.

#ifndef RICO_TESTS_LA_MATRICES_H
#define RICO_TESTS_LA_MATRICES_H

#include "support.h"

#include "la/csc.h"

// Gives `left` blocks, then none; `live` counts those not yet given back.
typedef struct limited {
    int64_t left, live;
} limited;

static inline void *limited_allocate(void *user, size_t size)
{
    limited *memory = user;
    if (memory->left <= 0) return NULL;
    void *block = malloc(size);
    if (!block) return NULL;
    memory->left--;
    memory->live++;
    return block;
}


static inline void limited_release(void *user, void *block)
{
    if (block) ((limited *)user)->live--;
    free(block);
}


static inline rico_context *limited_context(limited *memory)
{
    memory->left = INT64_MAX;
    memory->live = 0;
    rico_context *ctx = rico_context_create(&(rico_allocator){limited_allocate, limited_release, memory});
    assert_non_null(ctx);
    return ctx;
}


// Destroys the context and checks that nothing else was left.
static inline void limited_finish(limited *memory, rico_context *ctx)
{
    assert_int_equal(memory->live, 1);
    rico_context_destroy(ctx);
    assert_int_equal(memory->live, 0);
}


// `count` entries at random places (repeated ones add up), normally distributed.
static inline rico_csc random_csc(rico_context *ctx, rico_random *random, int64_t rows, int64_t cols,
                                  int64_t count)
{
    int64_t *row = malloc((size_t)(count + 1) * sizeof *row),
            *col = malloc((size_t)(count + 1) * sizeof *col);
    double *value = malloc((size_t)(count + 1) * sizeof *value);
    assert_true(row && col && value);
    for (int64_t k = 0; k < count; k++) {
        row[k] = rico_random_below(random, rows);
        col[k] = rico_random_below(random, cols);
        value[k] = rico_random_normal(random);
    }
    rico_csc made;
    assert_ok(ctx, rico_csc_from_triplets(ctx, "random", rows, cols, count, row, col, value, &made));
    free(row);
    free(col);
    free(value);
    return made;
}


// The same matrix, column-major, for the naive computation; free() it.
static inline double *dense_of(const rico_csc *a)
{
    double *dense = calloc((size_t)(a->rows * a->cols + 1), sizeof *dense);
    assert_non_null(dense);
    for (int64_t j = 0; j < a->cols; j++)
        for (int64_t k = a->start[j]; k < a->start[j + 1]; k++) dense[a->row[k] + j * a->rows] += a->value[k];
    return dense;
}


// The invariant that csc.h promises.
static inline void assert_csc_sound(const rico_csc *a)
{
    assert_int_equal(a->start[0], 0);
    for (int64_t j = 0; j < a->cols; j++) {
        assert_true(a->start[j] <= a->start[j + 1]);
        for (int64_t k = a->start[j]; k < a->start[j + 1]; k++) {
            assert_in_range(a->row[k], 0, a->rows - 1);
            assert_true(k == a->start[j] || a->row[k - 1] < a->row[k]);
        }
    }
}


static inline void random_vector(rico_random *random, int64_t n, double *x)
{
    for (int64_t i = 0; i < n; i++) x[i] = rico_random_normal(random);
}


// The matrix with the entries of a rows x cols row-major table, zeros left out.
static inline rico_csc csc_of(rico_context *ctx, int64_t rows, int64_t cols, const double *table)
{
    int64_t row[256], col[256], count = 0;
    double value[256];
    assert_true(rows * cols <= 256);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++) {
            if (table[i * cols + j] == 0.0) continue;
            row[count] = i;
            col[count] = j;
            value[count++] = table[i * cols + j];
        }
    rico_csc made;
    assert_ok(ctx, rico_csc_from_triplets(ctx, "table", rows, cols, count, row, col, value, &made));
    return made;
}

#endif
