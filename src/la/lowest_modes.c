// Lowest modes by block Lanczos on (K - s M)^-1 M, which turns the lowest into the largest, far apart (Grimes, Lewis and Simon 1994).
//
// The basis V stays M-orthonormal by orthogonalizing against all of it, twice; T = V'M(K - s M)^-1 M V is small and dense. Blocks find as
// many equal eigenvalues as they are wide, and more by round-off. The last block's coupling R bounds the error of a Ritz pair: |R y_last|, so that
// eigenvalues are known to the square of it.

#include "la/lowest_modes.h"

#include "base/random.h"
#include "la/dense.h"
#include "la/factor.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 6 };

typedef struct lanczos {
    rico_context *ctx;
    const rico_csc *pattern;
    const double *M;
    rico_factor *factor;
    rico_random random;
    int64_t n, size, room; // of the basis
    double *V, *MV;        // n x room
    double *T;             // room x room
    double *R;             // WIDTH x WIDTH: the last block's coupling to what comes next
    double *share, *small, *theta;
} lanczos;

static const double TOLERANCE = 1e-8; // of Ritz vectors; eigenvalues to its square


static void times_mass(const lanczos *self, const double *x, double *y)
{
    const rico_csc *pattern = self->pattern;
    for (int64_t j = 0; j < self->n; j++) {
        double sum = 0.0;
        for (int64_t k = pattern->start[j]; k < pattern->start[j + 1]; k++)
            sum += self->M[k] * x[pattern->row[k]];
        y[j] = sum;
    }
}


// x loses its part in the first `columns` of V; what it loses is added to share.
static void orthogonalize(lanczos *self, int64_t columns, double *x, double *share)
{
    double *part = self->small;
    for (int pass = 0; pass < 2; pass++) {
        rico_dense_transpose_times(self->n, columns, 1.0, self->MV, x, 0.0, part);
        rico_dense_times(self->n, columns, -1.0, self->V, part, 1.0, x);
        for (int64_t i = 0; i < columns; i++) share[i] += part[i];
    }
}


// Puts x, orthogonal to all before, at the end of the basis. Returns its M-norm, or 0 for one of round-off, in whose place goes a random vector.
static double append(lanczos *self, double scale)
{
    double *x = self->V + self->n * self->size, *Mx = self->MV + self->n * self->size, norm = 0.0;
    bool replaced = false;
    for (int attempt = 0; attempt < 4; attempt++) {
        times_mass(self, x, Mx);
        norm = sqrt(fmax(0.0, rico_dot(self->n, x, Mx)));
        if (norm > 1e-12 * scale) break;
        replaced = true;
        scale = 0.0;
        for (int64_t i = 0; i < self->n; i++) x[i] = rico_random_normal(&self->random);
        memset(self->share, 0, (size_t)self->room * sizeof *self->share);
        orthogonalize(self, self->size, x, self->share);
    }
    for (int64_t i = 0; i < self->n; i++) x[i] /= norm, Mx[i] /= norm;
    self->size++;
    return replaced ? 0.0 : norm;
}


// A block more: columns first to first + width - 1 of V are solved for; their images, made orthogonal, go behind the basis. Once the basis spans
// everything, only their coefficients are of use.
static rico_status extend(lanczos *self, int64_t first, int64_t width)
{
    int64_t n = self->n, base = self->size, m = self->room;
    rico_status status = rico_factor_solve(self->factor, width, self->MV + n * first, self->V + n * base);
    if (status != RICO_OK) return status;
    memset(self->R, 0, WIDTH * WIDTH * sizeof *self->R);
    for (int64_t c = 0; c < width; c++) {
        double *x = self->V + n * (base + c), *column = self->T + m * (first + c), scale = 0.0;
        bool more = self->size < m;
        if (more) {
            double *Mx = self->MV + n * self->size;
            times_mass(self, x, Mx);
            scale = sqrt(fmax(0.0, rico_dot(n, x, Mx)));
        }
        memset(self->share, 0, (size_t)m * sizeof *self->share);
        orthogonalize(self, self->size, x, self->share);
        memcpy(column, self->share, (size_t)self->size * sizeof *column);
        if (more) {
            int64_t at = self->size;
            column[at] = append(self, scale);
        }
        for (int64_t i = base; i < self->size; i++) self->R[i - base + WIDTH * c] = column[i];
    }
    return RICO_OK;
}


// Ritz values of the first `solved` columns, descending in theta; true when the `count` largest are settled.
static rico_status ritz(lanczos *self, int64_t solved, int64_t count, double *Y, bool *settled)
{
    for (int64_t j = 0; j < solved; j++)
        for (int64_t i = 0; i < solved; i++)
            Y[i + solved * j] = 0.5 * (self->T[i + self->room * j] + self->T[j + self->room * i]);
    rico_status status = rico_dense_eigen(self->ctx, solved, Y, true, self->theta);
    *settled = status == RICO_OK && solved >= count;
    for (int64_t k = 0; *settled && solved < self->n && k < count; k++) {
        const double *last = Y + solved * (solved - 1 - k) + solved - WIDTH;
        double error = 0.0;
        for (int i = 0; i < WIDTH; i++) {
            double sum = 0.0;
            for (int j = 0; j < WIDTH; j++) sum += self->R[i + WIDTH * j] * last[j];
            error += sum * sum;
        }
        *settled = sqrt(error) <= TOLERANCE * self->theta[solved - 1 - k];
    }
    return status;
}


static rico_status iterate(lanczos *self, int64_t count, double shift, double *Y, double *values,
                           double *vectors)
{
    int64_t n = self->n, solved = 0;
    bool settled = false;
    for (int c = 0; c < WIDTH && self->size < n; c++) {
        double *x = self->V + n * self->size;
        for (int64_t i = 0; i < n; i++) x[i] = rico_random_normal(&self->random);
        memset(self->share, 0, (size_t)self->room * sizeof *self->share);
        orthogonalize(self, self->size, x, self->share);
        append(self, 0.0);
    }
    while (!settled) {
        int64_t width = self->size - solved;
        if (width > WIDTH) width = WIDTH;
        if (self->room < n && self->size + width > self->room)
            return rico_fail(
                self->ctx, RICO_UNSUPPORTED,
                "the %lld lowest modes have not settled in %lld vectors: take a shift nearer to them",
                (long long)count, (long long)self->size);
        rico_status status = extend(self, solved, width);
        if (status != RICO_OK) return status;
        solved += width;
        if (solved >= count || solved == n) status = ritz(self, solved, count, Y, &settled);
        if (status != RICO_OK) return status;
    }
    for (int64_t k = 0; k < count; k++) {
        values[k] = shift + 1.0 / self->theta[solved - 1 - k];
        if (vectors)
            rico_dense_times(n, solved, 1.0, self->V, Y + solved * (solved - 1 - k), 0.0, vectors + n * k);
    }
    return RICO_OK;
}


static rico_status factor_shifted(rico_context *ctx, const rico_csc *pattern, const double *K,
                                  const double *M, double shift, rico_factor **out)
{
    rico_csc A = *pattern;
    int64_t entries = rico_csc_count(pattern);
    A.ctx = ctx;
    A.value = rico_alloc(ctx, entries, sizeof *A.value);
    if (!A.value) return RICO_NO_MEMORY;
    for (int64_t k = 0; k < entries; k++) A.value[k] = K[k] - shift * M[k];
    rico_status status = rico_factor_create(RICO_CHOLESKY, &A, out);
    rico_free(ctx, A.value);
    return status;
}


rico_status rico_lowest_modes(rico_context *ctx, const rico_csc *pattern, const double *K, const double *M,
                              double shift, int64_t count, double *values, double *vectors)
{
    int64_t n = pattern->cols;
    if (count < 1 || count > n)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "%lld lowest modes of a system of order %lld",
                         (long long)count, (long long)n);
    lanczos self = {.ctx = ctx, .pattern = pattern, .M = M, .n = n, .room = 12 * count + 120};
    if (self.room > n) self.room = n;
    int64_t m = self.room;
    rico_random_seed(&self.random, 20);
    rico_status status = factor_shifted(ctx, pattern, K, M, shift, &self.factor);
    double *Y = NULL;
    if (status == RICO_OK) {
        self.V = rico_alloc(ctx, n * (m + WIDTH), sizeof *self.V);
        self.MV = rico_alloc(ctx, n * m, sizeof *self.MV);
        self.T = rico_alloc(ctx, m * m, sizeof *self.T);
        self.R = rico_alloc(ctx, WIDTH * WIDTH, sizeof *self.R);
        self.share = rico_alloc(ctx, m, sizeof *self.share);
        self.small = rico_alloc(ctx, m, sizeof *self.small);
        self.theta = rico_alloc(ctx, m, sizeof *self.theta);
        Y = rico_alloc(ctx, m * m, sizeof *Y);
        bool all = self.V && self.MV && self.T && self.R && self.share && self.small && self.theta && Y;
        status = all ? iterate(&self, count, shift, Y, values, vectors) : RICO_NO_MEMORY;
    }
    void *block[] = {self.V, self.MV, self.T, self.R, self.share, self.small, self.theta, Y};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) rico_free(ctx, block[i]);
    rico_factor_destroy(self.factor);
    return status;
}
