// Anderson's acceleration: differences kept, small least squares with a ridge, mixing.

#include "solve/anderson.h"

#include "la/dense.h"
#include "la/pair.h"

#include <math.h>
#include <string.h>

// lambda relative to the largest |dF|^2. Differences become nearly parallel as the iteration settles; the ridge keeps
// the coefficients from growing beyond what rounding in f allows.
static const double RIDGE = 1e-12;


// Entries of a chunk: those of all vectors of a window stay in the second-level cache.
enum { CHUNK = 512 };


static int64_t chunks_of(int64_t size)
{
    return (size + CHUNK - 1) / CHUNK;
}


static int64_t end_of_chunk(int64_t chunk, int64_t size)
{
    return (chunk + 1) * CHUNK < size ? (chunk + 1) * CHUNK : size;
}


rico_status rico_anderson_create(rico_context *ctx, int64_t size, int window, rico_anderson *out)
{
    rico_anderson s = {.ctx = ctx, .size = size, .window = window, .threads = 1};
    s.dF = rico_alloc(ctx, window * size, sizeof *s.dF);
    s.dG = rico_alloc(ctx, window * size, sizeof *s.dG);
    s.last_f = rico_alloc(ctx, size, sizeof *s.last_f);
    s.last_G = rico_alloc(ctx, size, sizeof *s.last_G);
    s.weight = rico_alloc(ctx, size, sizeof *s.weight);
    s.gram = rico_alloc(ctx, (int64_t)window * window, sizeof *s.gram);
    s.factor = rico_alloc(ctx, (int64_t)window * window, sizeof *s.factor);
    s.c = rico_alloc(ctx, window, sizeof *s.c);
    s.along = rico_alloc(ctx, window, sizeof *s.along);
    s.partial = rico_alloc(ctx, (chunks_of(size) + 1) * 2 * window, sizeof *s.partial);
    bool vectors = s.dF && s.dG && s.last_f && s.last_G && s.weight;
    if (!vectors || !s.gram || !s.factor || !s.c || !s.along || !s.partial) {
        rico_anderson_destroy(&s);
        return RICO_NO_MEMORY;
    }
    for (int64_t i = 0; i < size; i++) s.weight[i] = 1.0;
    *out = s;
    return RICO_OK;
}


rico_status rico_anderson_board(rico_anderson *s, int64_t count)
{
    s->dV = rico_alloc(s->ctx, s->window * count, sizeof *s->dV);
    s->last_V = rico_alloc(s->ctx, count, sizeof *s->last_V);
    s->passengers = count;
    return s->dV && s->last_V ? RICO_OK : RICO_NO_MEMORY;
}


void rico_anderson_destroy(rico_anderson *s)
{
    if (!s->ctx) return;
    rico_free(s->ctx, s->dF);
    rico_free(s->ctx, s->dG);
    rico_free(s->ctx, s->last_f);
    rico_free(s->ctx, s->last_G);
    rico_free(s->ctx, s->weight);
    rico_free(s->ctx, s->gram);
    rico_free(s->ctx, s->factor);
    rico_free(s->ctx, s->c);
    rico_free(s->ctx, s->along);
    rico_free(s->ctx, s->partial);
    rico_free(s->ctx, s->dV);
    rico_free(s->ctx, s->last_V);
    *s = (rico_anderson){0};
}


void rico_anderson_restart(rico_anderson *s)
{
    s->used = s->next = 0;
    s->has_last = s->has_last_V = false;
}


double rico_anderson_step(const rico_anderson *s, const double *x, const double *G)
{
    int64_t chunks = chunks_of(s->size);
    double square = 0.0, *partial = s->partial;
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(s->threads) if (s->threads > 1)
#endif
    for (int64_t chunk = 0; chunk < chunks; chunk++) {
        double sum = 0.0;
        for (int64_t i = chunk * CHUNK; i < end_of_chunk(chunk, s->size); i++) {
            double f = s->weight[i] * (G[i] - x[i]);
            sum += f * f;
        }
        partial[chunk] = sum;
    }
    for (int64_t chunk = 0; chunk < chunks; chunk++) square += partial[chunk];
    return sqrt(square);
}


// Products of z with x and with y in one pass, each in four partial sums as rico_dot() has them.
static void two_dots(int64_t n, const double *z, const double *x, const double *y, double *zx, double *zy)
{
    rico_pair a0 = {0.0, 0.0}, a1 = a0, b0 = a0, b1 = a0;
    int64_t i = 0;
    for (; i + 4 <= n; i += 4) {
        rico_pair z0 = *(const rico_pair *)(z + i), z1 = *(const rico_pair *)(z + i + 2);
        a0 += z0 * *(const rico_pair *)(x + i);
        a1 += z1 * *(const rico_pair *)(x + i + 2);
        b0 += z0 * *(const rico_pair *)(y + i);
        b1 += z1 * *(const rico_pair *)(y + i + 2);
    }
    for (; i < n; i++) {
        a0[0] += z[i] * x[i];
        b0[0] += z[i] * y[i];
    }
    a0 += a1;
    b0 += b1;
    *zx = a0[0] + a0[1];
    *zy = b0[0] + b0[1];
}


// One chunk of f, of the newest differences, and its share of their products with all of dF: with the newest column
// first, then with f.
static void note_chunk(rico_anderson *s, const double *x, const double *G, int slot, int used, int64_t chunk)
{
    int64_t first = chunk * CHUNK, n = end_of_chunk(chunk, s->size) - first;
    double *f = s->last_f + first, *last = s->last_G + first;
    double *dF = &s->dF[slot * s->size + first], *dG = &s->dG[slot * s->size + first];
    double *share = &s->partial[chunk * 2 * s->window];
    const double *to = G + first, *from = x + first, *weight = s->weight + first;
    for (int64_t i = 0; i < n && s->has_last; i++) dG[i] = to[i] - last[i];
    memcpy(last, to, (size_t)n * sizeof *last);
    for (int64_t i = 0; i < n; i++) {
        double step = weight[i] * (to[i] - from[i]);
        if (s->has_last) dF[i] = step - f[i];
        f[i] = step;
    }
    for (int k = 0; k < used; k++)
        two_dots(n, &s->dF[k * s->size + first], dF, f, &share[k], &share[s->window + k]);
}


// Takes note of x and G(x): the newest difference takes the place of the oldest; its row and column of dF' dF are new.
static void add_difference(rico_anderson *s, const double *x, const double *G)
{
    int64_t chunks = chunks_of(s->size);
    int slot = s->next, used = s->has_last && s->used < s->window ? s->used + 1 : s->used;
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(s->threads) if (s->threads > 1)
#endif
    for (int64_t chunk = 0; chunk < chunks; chunk++) note_chunk(s, x, G, slot, used, chunk);
    for (int k = 0; k < used; k++) {
        double product = 0.0, along = 0.0;
        for (int64_t chunk = 0; chunk < chunks; chunk++) {
            product += s->partial[chunk * 2 * s->window + k];
            along += s->partial[chunk * 2 * s->window + s->window + k];
        }
        if (s->has_last) s->gram[slot * s->window + k] = s->gram[k * s->window + slot] = product;
        s->along[k] = along;
    }
    s->used = used;
    if (s->has_last) s->next = (slot + 1) % s->window;
    s->has_last = true;
}


// (dF' dF + lambda I) c = dF' f by Cholesky's method; false when the matrix is not definite all the same.
static bool least_squares(rico_anderson *s)
{
    int n = s->used, w = s->window;
    double *L = s->factor, *c = s->c, largest = 0.0;
    for (int k = 0; k < n; k++) largest = fmax(largest, s->gram[k * w + k]);
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = s->gram[i * w + j] + (i == j ? RIDGE * largest : 0.0);
            for (int k = 0; k < j; k++) sum -= L[i * w + k] * L[j * w + k];
            if (i != j)
                L[i * w + j] = sum / L[j * w + j];
            else if (sum > 0.0)
                L[i * w + i] = sqrt(sum);
            else
                return false;
        }
    for (int i = 0; i < n; i++) {
        c[i] = s->along[i];
        for (int k = 0; k < i; k++) c[i] -= L[i * w + k] * c[k];
        c[i] /= L[i * w + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) c[i] -= L[k * w + i] * c[k];
        c[i] /= L[i * w + i];
    }
    return rico_all_finite(n, c);
}


// to - sum c_k column_k for `n` entries of vectors of `size`, from the given place on. Two columns at a time: each pass over `to` costs
// as much as one over a column.
static void subtract_columns(const rico_anderson *s, const double *columns, int64_t size, int64_t first,
                             int64_t n, double *to)
{
    int k = 0;
    to += first;
    for (; k + 1 < s->used; k += 2) {
        const double *a = &columns[k * size + first], *b = &columns[(k + 1) * size + first];
        double ca = s->c[k], cb = s->c[k + 1];
        for (int64_t i = 0; i < n; i++) to[i] = (to[i] - ca * a[i]) - cb * b[i];
    }
    if (k < s->used) rico_axpy(n, -s->c[k], &columns[k * size + first], to);
}


int rico_anderson_mix(rico_anderson *s, const double *x, const double *G, double *next)
{
    add_difference(s, x, G);
    bool solved = s->used > 0 && least_squares(s);
    int64_t chunks = chunks_of(s->size);
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(s->threads) if (s->threads > 1)
#endif
    for (int64_t chunk = 0; chunk < chunks; chunk++) {
        int64_t first = chunk * CHUNK, n = end_of_chunk(chunk, s->size) - first;
        memcpy(next + first, s->last_G + first, (size_t)n * sizeof *next);
        if (solved) subtract_columns(s, s->dG, s->size, first, n, next);
    }
    return solved ? s->used : 0;
}


void rico_anderson_carry(rico_anderson *s, int used, bool mix, double *v)
{
    int64_t chunks = chunks_of(s->passengers);
    int slot = (s->next + s->window - 1) % s->window; // of the newest difference
    bool difference = s->has_last_V && s->used > 0;
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(s->threads) if (s->threads > 1)
#endif
    for (int64_t chunk = 0; chunk < chunks; chunk++) {
        int64_t first = chunk * CHUNK, n = end_of_chunk(chunk, s->passengers) - first;
        double *newest = &s->dV[slot * s->passengers];
        for (int64_t i = first; difference && i < first + n; i++) newest[i] = v[i] - s->last_V[i];
        memcpy(s->last_V + first, v + first, (size_t)n * sizeof *v);
        if (mix && used > 0) subtract_columns(s, s->dV, s->passengers, first, n, v);
    }
    s->has_last_V = true;
}
