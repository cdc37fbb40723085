// Generalized minimal residuals over ranks: see krylov.h.

#include "krylov.h"

#include <math.h>
#include <string.h>

static const double GAIN = 0.5; // of the residual in one cycle, that another one may follow


double rico_mpi_krylov_bytes(const rico_mpi_share *share)
{
    return 8.0 * (6.0 * (RICO_MPI_KRYLOV + 4) * (double)share->own + 6.0 * (double)share->bodies);
}


void rico_mpi_krylov_destroy(rico_mpi_krylov *k)
{
    if (!k) return;
    rico_context *ctx = k->matrix->share->crew->ctx;
    void *owned[] = {k->basis, k->w, k->weighted, k->rest, k->z, k->sum};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++) rico_free(ctx, owned[i]);
    rico_free(ctx, k);
}


rico_status rico_mpi_krylov_create(rico_mpi_body_matrix *matrix, rico_mpi_schwarz *schwarz,
                                   rico_mpi_krylov **out)
{
    const rico_mpi_share *share = matrix->share;
    rico_context *ctx = share->crew->ctx;
    rico_mpi_krylov *k = rico_alloc(ctx, 1, sizeof *k);
    int64_t rows = 6 * share->own;
    if (k) {
        k->matrix = matrix;
        k->schwarz = schwarz;
        k->basis = rico_alloc(ctx, (RICO_MPI_KRYLOV + 1) * rows, sizeof *k->basis);
        k->w = rico_alloc(ctx, rows, sizeof *k->w);
        k->weighted = rico_alloc(ctx, rows, sizeof *k->weighted);
        k->rest = rico_alloc(ctx, rows, sizeof *k->rest);
        k->z = rico_alloc(ctx, 6 * share->bodies, sizeof *k->z);
        k->sum = rico_alloc(ctx, RICO_MPI_KRYLOV + 3, sizeof *k->sum);
    }
    bool room = k && k->basis && k->w && k->weighted && k->rest && k->z && k->sum;
    rico_status status = rico_crew_agree(share->crew, room ? RICO_OK : RICO_NO_MEMORY);
    if (status) {
        rico_mpi_krylov_destroy(k);
        return status;
    }
    *out = k;
    return RICO_OK;
}


// x' of each of `count` vectors of the basis and of `last`, summed over all ranks; NAN where something is not finite.
static void products(rico_mpi_krylov *k, const double *x, int count, const double *last, double *out)
{
    const rico_mpi_share *share = k->matrix->share;
    int64_t rows = 6 * share->own;
    memset(k->sum, 0, (size_t)(count + 2) * sizeof *k->sum);
    for (int p = 0; p < share->parts; p++)
        for (int j = 0; j <= count; j++) {
            const double *y = j < count ? &k->basis[rows * j] : last;
            double sum = 0.0;
            for (int64_t i = 6 * share->part_start[p]; i < 6 * share->part_start[p + 1]; i++)
                sum += x[i] * y[i];
            rico_exact_add(isfinite(sum) ? &k->sum[j] : &k->sum[count + 1], isfinite(sum) ? sum : 1.0);
        }
    rico_crew_sum(share->crew, count + 2, k->sum);
    bool finite = rico_exact_value(&k->sum[count + 1]) == 0.0;
    for (int j = 0; j <= count; j++) out[j] = finite ? rico_exact_value(&k->sum[j]) : NAN;
}


// The next vector of the basis from w, and column j of h. False when something is not finite.
static bool orthogonalize(rico_mpi_krylov *k, int j)
{
    int64_t rows = 6 * k->matrix->share->own;
    double found[RICO_MPI_KRYLOV + 1], square = 0.0;
    for (int i = 0; i <= j + 1; i++) k->h[i][j] = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        rico_mpi_body_matrix_divide(k->matrix, k->w, k->weighted);
        products(k, k->weighted, j + 1, k->w, found);
        square = found[j + 1];
        if (!isfinite(square)) return false;
        for (int i = 0; i <= j; i++) {
            const double *q = &k->basis[rows * i];
            for (int64_t t = 0; t < rows; t++) k->w[t] -= found[i] * q[t];
            k->h[i][j] += found[i];
            square -= found[i] * found[i];
        }
    }
    double size = square > 0.0 ? sqrt(square) : 0.0;
    k->h[j + 1][j] = size;
    for (int64_t t = 0; t < rows; t++) k->basis[rows * (j + 1) + t] = size > 0.0 ? k->w[t] / size : 0.0;
    return true;
}


// Givens' rotations make column j triangular; returns what is left of the residual.
static double rotate(rico_mpi_krylov *k, int j)
{
    for (int i = 0; i < j; i++) {
        double upper = k->h[i][j], lower = k->h[i + 1][j];
        k->h[i][j] = k->cosine[i] * upper + k->sine[i] * lower;
        k->h[i + 1][j] = k->cosine[i] * lower - k->sine[i] * upper;
    }
    double size = sqrt(k->h[j][j] * k->h[j][j] + k->h[j + 1][j] * k->h[j + 1][j]);
    k->cosine[j] = size > 0.0 ? k->h[j][j] / size : 1.0;
    k->sine[j] = size > 0.0 ? k->h[j + 1][j] / size : 0.0;
    k->h[j][j] = size;
    k->g[j + 1] = -k->sine[j] * k->g[j];
    k->g[j] *= k->cosine[j];
    return fabs(k->g[j + 1]);
}


// v += P (basis y), y of the triangular system of `count` columns.
static rico_status move(rico_mpi_krylov *k, int count, double *v)
{
    int64_t rows = 6 * k->matrix->share->own;
    double y[RICO_MPI_KRYLOV] = {0.0};
    for (int i = count - 1; i >= 0; i--) {
        y[i] = k->g[i];
        for (int j = i + 1; j < count; j++) y[i] -= k->h[i][j] * y[j];
        y[i] = k->h[i][i] > 0.0 ? y[i] / k->h[i][i] : 0.0;
    }
    memset(k->w, 0, (size_t)rows * sizeof *k->w);
    for (int j = 0; j < count; j++)
        for (int64_t t = 0; t < rows; t++) k->w[t] += y[j] * k->basis[rows * j + t];
    rico_status status = rico_mpi_schwarz_apply(k->schwarz, k->w, k->z);
    for (int64_t t = 0; t < rows; t++) v[t] += k->z[t];
    return status;
}


rico_status rico_mpi_krylov_solve(rico_mpi_krylov *k, const double *b, double goal, int64_t most, double *v,
                                  double *left)
{
    int64_t rows = 6 * k->matrix->share->own, spent = 0;
    memset(v, 0, (size_t)rows * sizeof *v);
    memcpy(k->rest, b, (size_t)rows * sizeof *b);
    double before = INFINITY;
    for (;;) {
        double square;
        rico_mpi_body_matrix_divide(k->matrix, k->rest, k->weighted);
        products(k, k->weighted, 0, k->rest, &square);
        *left = sqrt(fmax(square, 0.0));
        if (!isfinite(square)) *left = INFINITY;
        if (!(*left > goal) || !(*left < GAIN * before) || spent >= most) return RICO_OK;
        before = *left;
        for (int64_t t = 0; t < rows; t++) k->basis[t] = k->rest[t] / *left;
        k->g[0] = *left;
        int j = 0;
        double now = *left;
        rico_status status = RICO_OK;
        while (j < RICO_MPI_KRYLOV && spent < most && now > 0.9 * goal) {
            status = rico_mpi_schwarz_apply(k->schwarz, &k->basis[rows * j], k->z);
            if (!status) status = rico_mpi_body_matrix_times(k->matrix, k->z, k->w);
            if (status) return status;
            spent++;
            k->iterations++;
            if (!orthogonalize(k, j)) break;
            now = rotate(k, j++);
            if (k->h[j - 1][j - 1] == 0.0) break;
        }
        status = move(k, j, v);
        if (!status) status = rico_mpi_body_matrix_times(k->matrix, v, k->w);
        if (status) return status;
        for (int64_t t = 0; t < rows; t++) k->rest[t] = b[t] - k->w[t];
    }
}
