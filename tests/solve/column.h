// A column of unit masses, each on the one below, the lowest on the ground: what a sweep gets wrong by one contact at a
// time, so that plain Gauss-Seidel needs a number of sweeps that grows with the square of the height. The answer is
// known by hand: contact k, counted from the ground, carries everything above it.

#ifndef RICO_TESTS_COLUMN_H
#define RICO_TESTS_COLUMN_H

#include "support.h"

#include "ricochet/problem.h"

// Every mass weighs `weight` and is pushed by `push` along the first tangent. Contacts are numbered from the ground.
static inline rico_problem *column_problem(rico_context *ctx, int64_t height, double mu, double weight,
                                           double push)
{
    int64_t n = 3 * height, *start = calloc((size_t)n + 1, sizeof *start);
    int64_t *row = calloc(2 * (size_t)n, sizeof *row), *start_M = calloc((size_t)n + 1, sizeof *start_M);
    int64_t *row_M = calloc((size_t)n, sizeof *row_M);
    double *value = calloc(2 * (size_t)n, sizeof *value), *one = calloc((size_t)n, sizeof *one);
    double *f = calloc((size_t)n, sizeof *f), *w = calloc((size_t)n, sizeof *w);
    rico_block *blocks = calloc((size_t)height, sizeof *blocks);
    for (int64_t j = 0; j < n; j++) {
        int64_t at = start[j];
        if (j >= 3) { // the mass below is pushed back
            row[at] = j - 3;
            value[at++] = -1.0;
        }
        row[at] = j;
        value[at++] = 1.0;
        start[j + 1] = at;
        start_M[j + 1] = j + 1;
        row_M[j] = j;
        one[j] = 1.0;
        f[j] = j % 3 == 0 ? -weight : (j % 3 == 1 ? push : 0.0);
        blocks[j / 3] = (rico_block){RICO_COULOMB_3D, 3, mu};
    }
    rico_sparse_view M = {n, n, start_M, row_M, one}, H = {n, n, start, row, value};
    rico_problem *p = NULL;
    assert_ok(ctx, rico_problem_create_global(ctx, height, blocks, &M, &H, f, w, &p));
    free(start);
    free(row);
    free(start_M);
    free(row_M);
    free(value);
    free(one);
    free(f);
    free(w);
    free(blocks);
    return p;
}

#endif
