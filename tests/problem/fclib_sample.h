// Small problems with every feature of an FCLIB file, given by formulas that check_fclib.py repeats.

#ifndef RICO_TESTS_FCLIB_SAMPLE_H
#define RICO_TESTS_FCLIB_SAMPLE_H

#include "ricochet/fclib.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum { SAMPLE_DOFS = 9, SAMPLE_CONTACT_ROWS = 6, SAMPLE_EQUALITIES = 2, SAMPLE_ROWS = 8 };

// -0.0 and the smallest denormal stand among the values: they must come through as they are.
static const double SAMPLE_TINY = 4.9406564584124654e-324;


static inline double sample_M(int64_t i, int64_t j)
{
    return i == j ? 2.0 + (double)i / 7.0 : i - j == 1 || j - i == 1 ? 0.125 : 0.0;
}


// contacts in the first six columns, equalities in the last two; *stored tells the pattern
static inline double sample_H(int64_t i, int64_t j, bool *stored)
{
    *stored = j < SAMPLE_CONTACT_ROWS ? (i + 2 * j) % 4 != 1 : (i + j) % 2 == 0;
    if (i == 0 && j == 0) return -0.0;
    if (i == 3 && j == 0) return SAMPLE_TINY;
    return ((double)i - 4.5) / ((double)j + 3.0);
}


// diagonally dominant, unsymmetric between contacts, symmetric where equalities take part
static inline double sample_W(int64_t i, int64_t j, bool *stored)
{
    *stored = i == j || (i + j) % 3 == 0;
    if (i == j) return 3.0 + (double)i / 11.0;
    double skew = i < SAMPLE_CONTACT_ROWS && j < SAMPLE_CONTACT_ROWS ? (double)(i - j) / 64.0 : 0.0;
    return 1.0 / (double)(i + j + 3) + skew;
}


static inline double sample_vector(int64_t i, double slope)
{
    return i == 0 ? -0.0 : i == 1 ? SAMPLE_TINY : ((double)i - 3.25) * slope;
}


// A dense formula in compressed columns; static room, valid until the next call with the same slot.
static inline rico_sparse_view sample_compress(int slot, int64_t rows, int64_t cols, bool mass, bool reduced)
{
    static int64_t start[2][16], row[2][128];
    static double value[2][128];
    int64_t count = 0;
    start[slot][0] = 0;
    for (int64_t j = 0; j < cols; j++) {
        for (int64_t i = 0; i < rows; i++) {
            bool stored = true;
            double x = mass ? sample_M(i, j) : reduced ? sample_W(i, j, &stored) : sample_H(i, j, &stored);
            if (mass) stored = x != 0.0;
            if (!stored) continue;
            row[slot][count] = i;
            value[slot][count++] = x;
        }
        start[slot][j + 1] = count;
    }
    return (rico_sparse_view){rows, cols, start[slot], row[slot], value[slot]};
}


// dimension 2 makes three contacts of the six rows, 3 makes two; without joints the last two rows go.
static inline rico_status sample_create(rico_context *ctx, bool global, int dimension, bool joints,
                                        rico_problem **out)
{
    rico_block blocks[4];
    int64_t count = 0;
    for (int64_t row = 0; row < SAMPLE_CONTACT_ROWS; row += dimension, count++) {
        rico_block_kind kind = dimension == 2 ? RICO_COULOMB_2D : RICO_COULOMB_3D;
        blocks[count] = (rico_block){kind, dimension, (double)count / 3.0};
    }
    int64_t rows = joints ? SAMPLE_ROWS : SAMPLE_CONTACT_ROWS;
    if (joints) blocks[count++] = (rico_block){RICO_EQUALITY, SAMPLE_EQUALITIES, 0.0};

    double f[SAMPLE_DOFS], w[SAMPLE_ROWS];
    for (int64_t i = 0; i < SAMPLE_DOFS; i++) f[i] = sample_vector(i, 1.0 / 3.0);
    for (int64_t i = 0; i < SAMPLE_ROWS; i++) w[i] = sample_vector(i, -1.0 / 7.0);

    if (!global) {
        rico_sparse_view W = sample_compress(0, rows, rows, false, true);
        return rico_problem_create_reduced(ctx, count, blocks, &W, w, out);
    }
    rico_sparse_view M = sample_compress(0, SAMPLE_DOFS, SAMPLE_DOFS, true, false);
    rico_sparse_view H = sample_compress(1, SAMPLE_DOFS, rows, false, false);
    return rico_problem_create_global(ctx, count, blocks, &M, &H, f, w, out);
}


// A state whose numbers tell which it is; u of the equalities is 0, as a reader gives it back.
typedef struct sample_state {
    double u[SAMPLE_ROWS], r[SAMPLE_ROWS], v[SAMPLE_DOFS];
    rico_fclib_state view;
} sample_state;


static inline void sample_fill_state(sample_state *state, bool global, int which)
{
    for (int64_t i = 0; i < SAMPLE_ROWS; i++) {
        state->u[i] = i < SAMPLE_CONTACT_ROWS ? sample_vector(i, which + 0.5) : 0.0;
        state->r[i] = sample_vector(i, which + 0.25);
    }
    for (int64_t i = 0; i < SAMPLE_DOFS; i++) state->v[i] = sample_vector(i, which + 0.75);
    state->view = (rico_fclib_state){state->u, state->r, global ? state->v : NULL};
}


// Writes a sample with texts, a solution and two guesses.
static inline rico_status sample_write(rico_context *ctx, bool global, int dimension, bool joints,
                                       rico_fclib_storage storage, const char *path)
{
    sample_state states[3];
    for (int k = 0; k < 3; k++) sample_fill_state(&states[k], global, k);
    const rico_fclib_state guesses[] = {states[1].view, states[2].view};
    rico_fclib_extras extras = {.title = "sample",
                                .description = "two contacts",
                                .math_info = "",
                                .storage = storage,
                                .solution = &states[0].view,
                                .guess_count = 2,
                                .guesses = guesses};

    rico_problem *problem = NULL;
    rico_status status = sample_create(ctx, global, dimension, joints, &problem);
    if (status == RICO_OK) status = rico_fclib_write(problem, &extras, path);
    rico_problem_destroy(problem);
    return status;
}

#endif
