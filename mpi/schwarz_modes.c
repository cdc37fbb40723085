// Soft motions of a part: see schwarz_modes.h.

#include "schwarz_modes.h"

#include "base/random.h"
#include "la/dense.h"

#include <math.h>
#include <string.h>

static const double TOLERABLE = 0.1;   // lambda above which a motion is left to the parts
static const double DEPENDENT = 1e-12; // share of a motion that is new
enum { ROUNDS_FIRST = 4, ROUNDS = 2 }; // of inverse iteration


void rico_mpi_piece_values(const rico_mpi_body_matrix *m, const rico_mpi_piece *piece, const double *C,
                           bool inner, double *value)
{
    const rico_mpi_share *share = m->share;
    const rico_block_matrix *pattern = &piece->pattern;
    int64_t counted = inner ? piece->own : piece->count;
    memset(value, 0, (size_t)pattern->place[pattern->start[pattern->blocks]] * sizeof *value);
    for (int64_t b = 0; b < counted; b++) {
        double *block = &value[pattern->place[pattern->diagonal[b]]];
        memcpy(block, inner ? &m->mass[36 * (piece->first + b)] : &m->diagonal[36 * (int64_t)piece->body[b]],
               36 * sizeof *block);
    }
    for (int64_t k = 0; k < piece->contacts; k++) {
        int64_t c = piece->contact[k];
        for (int side = 0; side < 2; side++) {
            int32_t body = share->body[2 * c + side], other = share->body[2 * c + 1 - side];
            if (body < 0) continue;
            // contacts with the ground count as inner ones, those with other parts do not
            bool mine = body >= piece->first && body < piece->first + piece->own;
            bool both = mine && (other < 0 || (other >= piece->first && other < piece->first + piece->own));
            if (inner && both)
                rico_mpi_body_matrix_couple(share, c, &C[9 * c], side, side,
                                            &value[pattern->place[pattern->diagonal[body - piece->first]]]);
            if (piece->pair[2 * k] >= 0 && (!inner || both))
                rico_mpi_body_matrix_couple(share, c, &C[9 * c], side, 1 - side,
                                            &value[pattern->place[piece->pair[2 * k + side]]]);
        }
    }
}


// A_D of the part adds to its inner contacts the diagonal blocks of those with other parts.
static void hold_border(const rico_mpi_body_matrix *m, const rico_mpi_piece *piece, const double *C,
                        double *value)
{
    const rico_mpi_share *share = m->share;
    const rico_block_matrix *pattern = &piece->pattern;
    for (int64_t k = 0; k < piece->contacts; k++) {
        int64_t c = piece->contact[k];
        for (int side = 0; side < 2; side++) {
            int32_t body = share->body[2 * c + side], other = share->body[2 * c + 1 - side];
            bool mine = body >= piece->first && body < piece->first + piece->own;
            bool theirs = other >= 0 && (other < piece->first || other >= piece->first + piece->own);
            if (mine && theirs)
                rico_mpi_body_matrix_couple(share, c, &C[9 * c], side, side,
                                            &value[pattern->place[pattern->diagonal[body - piece->first]]]);
        }
    }
}


// Y = A X for the own bodies of a piece.
static void times(const rico_mpi_piece *piece, const double *value, int count, const double *X, double *Y)
{
    const rico_block_matrix *pattern = &piece->pattern;
    int64_t n = 6 * piece->own;
    memset(Y, 0, (size_t)(n * count) * sizeof *Y);
    for (int64_t b = 0; b < piece->own; b++)
        for (int64_t k = pattern->start[b]; k < pattern->start[b + 1]; k++) {
            if (pattern->col[k] >= piece->own) continue;
            const double *block = &value[pattern->place[k]];
            for (int j = 0; j < count; j++) {
                const double *x = &X[n * j + 6 * (int64_t)pattern->col[k]];
                double *y = &Y[n * j + 6 * b];
                for (int i = 0; i < 6; i++)
                    for (int l = 0; l < 6; l++) y[i] += block[6 * i + l] * x[l];
            }
        }
}


// G = X'Y, symmetrized; columns of `count` entries.
static void products(int64_t n, int count, const double *X, const double *Y, double *G)
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            double sum = 0.0;
            for (int64_t k = 0; k < n; k++) sum += X[n * i + k] * Y[n * j + k];
            G[i + count * j] = sum;
        }
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            G[i + count * j] = G[j + count * i] = 0.5 * (G[i + count * j] + G[j + count * i]);
}


// X <- X T, T `from` by `to`.
static void combine(int64_t n, int from, int to, const double *T, double *X)
{
    for (int64_t k = 0; k < n; k++) {
        double row[RICO_MPI_MODES];
        for (int i = 0; i < from; i++) row[i] = X[n * i + k];
        for (int j = 0; j < to; j++) {
            double sum = 0.0;
            for (int i = 0; i < from; i++) sum += row[i] * T[i + from * j];
            X[n * j + k] = sum;
        }
    }
}


// Makes X orthonormal for A_D, AX = A_D X on entry; what depends on the rest is left out. Returns how many there are.
static rico_status orthonormalize(rico_context *ctx, int64_t n, int *count, double *X, const double *AX)
{
    double G[RICO_MPI_MODES * RICO_MPI_MODES], size[RICO_MPI_MODES], value[RICO_MPI_MODES];
    int all = *count, kept = 0;
    products(n, all, X, AX, G);
    for (int i = 0; i < all; i++) size[i] = G[i + all * i] > 0.0 ? 1.0 / sqrt(G[i + all * i]) : 0.0;
    for (int i = 0; i < all; i++)
        for (int j = 0; j < all; j++) G[i + all * j] *= size[i] * size[j];
    rico_status status = rico_dense_eigen(ctx, all, G, true, value);
    if (status) return status;
    double T[RICO_MPI_MODES * RICO_MPI_MODES];
    for (int j = all - 1; j >= 0; j--) {
        if (!(value[j] > DEPENDENT)) break;
        for (int i = 0; i < all; i++) T[i + all * kept] = size[i] * G[i + all * j] / sqrt(value[j]);
        kept++;
    }
    combine(n, all, kept, T, X);
    *count = kept;
    return RICO_OK;
}


// Rayleigh and Ritz: X becomes the motions of ascending lambda.
static rico_status rotate(rico_context *ctx, int64_t n, int count, double *X, const double *AX,
                          double *lambda)
{
    double K[RICO_MPI_MODES * RICO_MPI_MODES];
    products(n, count, X, AX, K);
    rico_status status = rico_dense_eigen(ctx, count, K, true, lambda);
    if (!status) combine(n, count, count, K, X);
    return status;
}


static void fill_at_random(const rico_mpi_share *share, const rico_mpi_piece *piece, int from, int to)
{
    int64_t n = 6 * piece->own;
    for (int64_t b = 0; b < piece->own; b++) {
        rico_random random;
        rico_random_seed(&random, (uint64_t)share->body_id[piece->first + b]);
        for (int j = 0; j < to; j++)
            for (int i = 0; i < 6; i++) {
                double x = rico_random_range(&random, -1.0, 1.0);
                if (j >= from) piece->modes[n * j + 6 * b + i] = i < share->dofs[piece->first + b] ? x : 0.0;
            }
    }
}


rico_status rico_mpi_piece_modes(rico_mpi_schwarz *s, rico_mpi_piece *piece, const double *symmetric)
{
    rico_mpi_body_matrix *m = s->matrix;
    rico_context *ctx = m->share->crew->ctx;
    int64_t n = 6 * piece->own;
    double *X = piece->modes, *Y = s->work, *held = s->other, lambda[RICO_MPI_MODES] = {0.0};
    int most = s->most < n ? s->most : (int)n, rounds = piece->ready > 0 ? ROUNDS : ROUNDS_FIRST;
    piece->brought = 0;
    if (most == 0) return RICO_OK;
    fill_at_random(m->share, piece, piece->ready < most ? piece->ready : most, most);

    // `value` holds A_N; A_D X is A_N X and the border's share
    rico_mpi_piece_values(m, piece, symmetric, true, s->value);
    for (int64_t b = piece->own; b < piece->count; b++) piece->active[b] = 0;
    rico_status status = rico_front_lu_factor(piece->lu, piece->active, s->value);
    for (int64_t b = piece->own; b < piece->count; b++) piece->active[b] = 6;
    hold_border(m, piece, symmetric, s->value);
    int now = most;
    for (int round = 0; !status && round < rounds; round++) {
        times(piece, s->value, now, X, Y);
        for (int j = 0; j < now; j++) {
            memcpy(s->x, &Y[n * j], (size_t)n * sizeof *s->x);
            rico_front_lu_solve(piece->lu, s->x);
            memcpy(&X[n * j], s->x, (size_t)n * sizeof *s->x);
        }
        if (!rico_all_finite(n * now, X)) status = RICO_SINGULAR;
        if (status) break;
        times(piece, s->value, now, X, Y);
        status = orthonormalize(ctx, n, &now, X, Y);
    }
    if (!status && now > 0) {
        rico_mpi_piece_values(m, piece, symmetric, true, s->value);
        times(piece, s->value, now, X, held);
        status = rotate(ctx, n, now, X, held, lambda);
    }
    piece->ready = status ? 0 : now;
    if (status == RICO_SINGULAR || status == RICO_BAD_INPUT) return RICO_OK; // no coarse motions of this part
    while (piece->brought < now && lambda[piece->brought] <= TOLERABLE) piece->brought++;
    return status;
}
