// Least squares with signs, by the active set method of Lawson and Hanson: see nnls.h.

#include "la/nnls.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

rico_status rico_nnls_create(rico_context *ctx, int64_t rows, int64_t room, rico_nnls *out)
{
    int64_t most = rows < room ? rows : room;
    *out = (rico_nnls){.ctx = ctx, .rows = rows, .room = room};
    out->A = rico_alloc(ctx, rows * room, sizeof *out->A);
    out->size = rico_alloc(ctx, room, sizeof *out->size);
    out->x = rico_alloc(ctx, room, sizeof *out->x);
    out->left = rico_alloc(ctx, rows, sizeof *out->left);
    out->Q = rico_alloc(ctx, rows * most, sizeof *out->Q);
    out->R = rico_alloc(ctx, most * most, sizeof *out->R);
    out->y = rico_alloc(ctx, most, sizeof *out->y);
    out->z = rico_alloc(ctx, most, sizeof *out->z);
    out->column = rico_alloc(ctx, most, sizeof *out->column);
    out->is_passive = rico_alloc(ctx, room, sizeof *out->is_passive);
    out->refused = rico_alloc(ctx, room, sizeof *out->refused);
    if (out->A && out->size && out->x && out->left && out->Q && out->R && out->y && out->z && out->column &&
        out->is_passive && out->refused)
        return RICO_OK;
    rico_nnls_destroy(out);
    return RICO_NO_MEMORY;
}


void rico_nnls_destroy(rico_nnls *nnls)
{
    if (!nnls->ctx) return;
    void *all[] = {nnls->A, nnls->size, nnls->x,      nnls->left,       nnls->Q,      nnls->R,
                   nnls->y, nnls->z,    nnls->column, nnls->is_passive, nnls->refused};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(nnls->ctx, all[i]);
    *nnls = (rico_nnls){0};
}


// Makes column j the last passive one, unless it depends on the others: Gram and Schmidt, twice is enough.
static bool enter(rico_nnls *s, int64_t j, const double *b, double tol)
{
    int64_t n = s->rows, k = s->passive, most = n < s->room ? n : s->room;
    if (k == most) return false;
    double *q = s->Q + k * n, *r = s->R + k * most;
    memcpy(q, s->A + j * n, (size_t)n * sizeof *q);
    for (int64_t i = 0; i < k; i++) r[i] = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t i = 0; i < k; i++) {
            double along = rico_dot(n, s->Q + i * n, q);
            r[i] += along;
            rico_axpy(n, -along, s->Q + i * n, q);
        }
    }
    double rest = rico_norm(n, q);
    if (!(rest > tol * s->size[j])) return false;
    for (int64_t i = 0; i < n; i++) q[i] /= rest;
    r[k] = rest;
    s->y[k] = rico_dot(n, q, b);
    s->column[k] = j;
    s->is_passive[j] = true;
    s->passive = k + 1;
    return true;
}


// z of the passive columns by back substitution.
static void solve_passive(rico_nnls *s)
{
    int64_t most = s->rows < s->room ? s->rows : s->room;
    for (int64_t i = s->passive - 1; i >= 0; i--) {
        double sum = s->y[i];
        for (int64_t k = i + 1; k < s->passive; k++) sum -= s->R[k * most + i] * s->z[k];
        s->z[i] = sum / s->R[i * most + i];
    }
}


// Goes from x towards z until a variable reaches 0, and lets all at 0 leave. The factors of the others are made again.
static void leave(rico_nnls *s, const double *b)
{
    double step = 1.0;
    int64_t kept = s->passive;
    for (int64_t k = 0; k < kept; k++) {
        double x = s->x[s->column[k]], z = s->z[k];
        if (z <= 0.0) step = fmin(step, x / (x - z));
    }
    bool blocked = false;
    for (int64_t k = 0; k < kept; k++) {
        int64_t j = s->column[k];
        double x = s->x[j];
        s->x[j] = fmax(x + step * (s->z[k] - x), 0.0);
        if (s->z[k] <= 0.0 && x <= step * (x - s->z[k]) * (1.0 + 1e-15)) s->x[j] = 0.0;
        blocked = blocked || s->x[j] == 0.0;
    }
    s->passive = 0;
    for (int64_t k = 0; k < kept; k++) {
        int64_t j = s->column[k];
        s->is_passive[j] = false;
        if (!(s->x[j] > 0.0) || (!blocked && k == kept - 1))
            s->x[j] = 0.0;
        else if (!enter(s, j, b, 0.0))
            s->x[j] = 0.0;
    }
}


static void update_left(rico_nnls *s, const double *b)
{
    memcpy(s->left, b, (size_t)s->rows * sizeof *b);
    for (int64_t k = 0; k < s->passive; k++) {
        double along = rico_dot(s->rows, s->Q + k * s->rows, s->left);
        rico_axpy(s->rows, -along, s->Q + k * s->rows, s->left);
    }
}


// The column that promises most, per unit of its length; -1 if none promises enough.
static int64_t choose(const rico_nnls *s, double least)
{
    int64_t best = -1;
    for (int64_t j = 0; j < s->count; j++) {
        if (s->is_passive[j] || s->refused[j] || s->size[j] == 0.0) continue;
        double gain = rico_dot(s->rows, s->A + j * s->rows, s->left) / s->size[j];
        if (gain > least) {
            least = gain;
            best = j;
        }
    }
    return best;
}


double rico_nnls_solve(rico_nnls *s, int64_t count, const double *b, double tol)
{
    s->count = count;
    s->passive = 0;
    for (int64_t j = 0; j < count; j++) {
        s->size[j] = rico_norm(s->rows, s->A + j * s->rows);
        s->x[j] = 0.0;
        s->is_passive[j] = s->refused[j] = false;
    }
    double scale = rico_norm(s->rows, b);
    update_left(s, b);
    // each round lowers |A x - b|, so the passive sets cannot repeat; the bound is for round-off
    for (int64_t round = 0; round < 10 * count + 10; round++) {
        int64_t j = choose(s, tol * scale);
        if (j < 0) break;
        if (!enter(s, j, b, tol)) {
            s->refused[j] = true;
            continue;
        }
        solve_passive(s);
        // a column that would come in at 0 or below promised by round-off alone
        if (!(s->z[s->passive - 1] > 0.0)) {
            s->refused[j] = true;
            s->is_passive[j] = false;
            s->passive--;
            continue;
        }
        for (int64_t inner = 0; inner < count; inner++) {
            bool positive = true;
            for (int64_t k = 0; positive && k < s->passive; k++) positive = s->z[k] > 0.0;
            if (positive) break;
            leave(s, b);
            solve_passive(s);
        }
        for (int64_t k = 0; k < s->passive; k++) s->x[s->column[k]] = s->z[k];
        memset(s->refused, 0, (size_t)count * sizeof *s->refused);
        update_left(s, b);
    }
    s->promise = 0.0;
    for (int64_t j = 0; j < count; j++)
        if (s->size[j] > 0.0)
            s->promise = fmax(s->promise, rico_dot(s->rows, s->A + j * s->rows, s->left) / s->size[j]);
    return rico_norm(s->rows, s->left);
}
