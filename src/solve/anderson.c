#include "solve/anderson.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

// lambda relative to the largest |dF|^2. Differences become nearly parallel as the iteration settles; the ridge keeps
// the coefficients from growing beyond what rounding in f allows.
static const double RIDGE = 1e-12;


rico_status rico_anderson_create(rico_context *ctx, int64_t size, int window, rico_anderson *out)
{
    rico_anderson s = {.ctx = ctx, .size = size, .window = window};
    s.dF = rico_alloc(ctx, window * size, sizeof *s.dF);
    s.dG = rico_alloc(ctx, window * size, sizeof *s.dG);
    s.last_f = rico_alloc(ctx, size, sizeof *s.last_f);
    s.last_G = rico_alloc(ctx, size, sizeof *s.last_G);
    s.f = rico_alloc(ctx, size, sizeof *s.f);
    s.weight = rico_alloc(ctx, size, sizeof *s.weight);
    s.gram = rico_alloc(ctx, (int64_t)window * window, sizeof *s.gram);
    s.factor = rico_alloc(ctx, (int64_t)window * window, sizeof *s.factor);
    s.c = rico_alloc(ctx, window, sizeof *s.c);
    bool vectors = s.dF && s.dG && s.last_f && s.last_G && s.f && s.weight;
    if (!vectors || !s.gram || !s.factor || !s.c) {
        rico_anderson_destroy(&s);
        return RICO_NO_MEMORY;
    }
    for (int64_t i = 0; i < size; i++) s.weight[i] = 1.0;
    *out = s;
    return RICO_OK;
}


void rico_anderson_destroy(rico_anderson *s)
{
    if (!s->ctx) return;
    rico_free(s->ctx, s->dF);
    rico_free(s->ctx, s->dG);
    rico_free(s->ctx, s->last_f);
    rico_free(s->ctx, s->last_G);
    rico_free(s->ctx, s->f);
    rico_free(s->ctx, s->weight);
    rico_free(s->ctx, s->gram);
    rico_free(s->ctx, s->factor);
    rico_free(s->ctx, s->c);
    *s = (rico_anderson){0};
}


void rico_anderson_restart(rico_anderson *s)
{
    s->used = s->next = 0;
    s->has_last = false;
}


double rico_anderson_step(const rico_anderson *s, const double *x, const double *G)
{
    double square = 0.0;
    for (int64_t i = 0; i < s->size; i++) {
        double f = s->weight[i] * (G[i] - x[i]);
        square += f * f;
    }
    return sqrt(square);
}


// The newest difference takes the place of the oldest; its row and column of dF' dF are new.
static void add_difference(rico_anderson *s, const double *G)
{
    double *dF = &s->dF[s->next * s->size], *dG = &s->dG[s->next * s->size];
    for (int64_t i = 0; i < s->size; i++) {
        dF[i] = s->f[i] - s->last_f[i];
        dG[i] = G[i] - s->last_G[i];
    }
    if (s->used < s->window) s->used++;
    for (int k = 0; k < s->used; k++) {
        double product = rico_dot(s->size, dF, &s->dF[k * s->size]);
        s->gram[s->next * s->window + k] = s->gram[k * s->window + s->next] = product;
    }
    s->next = (s->next + 1) % s->window;
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
        c[i] = rico_dot(s->size, &s->dF[i * s->size], s->f);
        for (int k = 0; k < i; k++) c[i] -= L[i * w + k] * c[k];
        c[i] /= L[i * w + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) c[i] -= L[k * w + i] * c[k];
        c[i] /= L[i * w + i];
    }
    return rico_all_finite(n, c);
}


int rico_anderson_mix(rico_anderson *s, const double *x, const double *G, double *next)
{
    for (int64_t i = 0; i < s->size; i++) s->f[i] = s->weight[i] * (G[i] - x[i]);
    if (s->has_last) add_difference(s, G);
    memcpy(s->last_f, s->f, (size_t)s->size * sizeof *s->f);
    memcpy(s->last_G, G, (size_t)s->size * sizeof *G);
    s->has_last = true;

    memcpy(next, s->last_G, (size_t)s->size * sizeof *next);
    if (s->used == 0 || !least_squares(s)) return 0;
    for (int k = 0; k < s->used; k++) rico_axpy(s->size, -s->c[k], &s->dG[k * s->size], next);
    return s->used;
}
