// Monotone and cyclically monotone samples, and Rockafellar's function of them.
//
// Samples are the nodes of a graph whose edge from i to j weighs w_ij = <x_j - x_i, y_i>. Eq. 1 of de Saxce (2018) says that no cycle weighs more
// than 0, and Rockafellar's function (eq. 3) is the longest path from one node to all others, continued to other x by <x - x_m, y_m>: both are
// Bellman and Ford's algorithm. A cycle of fewest edges that weighs more than 0 is the first diagonal entry above 0 among the powers of w, with
// sums for products and maxima for sums.

#include "law/law_search.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 2000 }; // samples: the shortest cycle costs the cube of them

struct rico_rockafellar {
    rico_context *ctx;
    int64_t count;
    int size;
    double *x, *y; // exchanged for the dual
    double *path;  // to each
};


static rico_status ready(rico_context *ctx, const rico_law_trial *trial)
{
    rico_status status = rico_law_ready(ctx, trial, false);
    if (status == RICO_OK && trial->count > MOST)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "%lld samples are too many for cycles among them; at most %d",
                         (long long)trial->count, MOST);
    return status;
}


// Of all products: largest |x| times largest |y|.
static double extent(const rico_law_trial *trial)
{
    double x = 0.0, y = 0.0;
    for (int64_t i = 0; i < trial->count; i++) {
        x = fmax(x, rico_law_size(trial->size, rico_law_x(trial, i)));
        y = fmax(y, rico_law_size(trial->size, rico_law_y(trial, i)));
    }
    return x * y;
}


rico_status rico_law_check_monotone(rico_context *ctx, const rico_law_trial *trial, rico_law_verdict *out)
{
    rico_status status = rico_law_ready(ctx, trial, false);
    if (status != RICO_OK) return status;
    *out = (rico_law_verdict){.holds = true};
    for (int64_t i = 0; i < trial->count; i++)
        for (int64_t j = 0; j < i; j++) {
            const double *x = rico_law_x(trial, i), *y = rico_law_y(trial, i);
            const double *xx = rico_law_x(trial, j), *yy = rico_law_y(trial, j);
            double product = 0.0;
            for (int k = 0; k < trial->size; k++) product += (x[k] - xx[k]) * (y[k] - yy[k]);
            double size = (rico_law_size(trial->size, x) + rico_law_size(trial->size, xx)) *
                          (rico_law_size(trial->size, y) + rico_law_size(trial->size, yy));
            rico_law_note(trial, -product, size, (int64_t[]){i, j}, 2, out);
        }
    return RICO_OK;
}


// w, less what counts as round-off.
static double *weigh(rico_context *ctx, const rico_law_trial *trial, double round_off)
{
    int64_t n = trial->count;
    double *w = rico_alloc(ctx, n * n, sizeof *w);
    for (int64_t i = 0; w && i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            const double *x = rico_law_x(trial, i), *xx = rico_law_x(trial, j), *y = rico_law_y(trial, i);
            double sum = 0.0;
            for (int k = 0; k < trial->size; k++) sum += (xx[k] - x[k]) * y[k];
            w[i * n + j] = sum - round_off;
        }
    return w;
}


// Longest paths, from the values in `path` on; false where a cycle never lets them settle. Gains of at most `least` are none.
static bool longest_paths(int64_t n, const double *w, double least, double *path)
{
    for (int64_t round = 0; round <= n; round++) {
        bool grown = false;
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++)
                if (path[i] + w[i * n + j] > path[j] + least) {
                    path[j] = path[i] + w[i * n + j];
                    grown = true;
                }
        if (!grown) return true;
    }
    return false;
}


// next_j = max_i (path_i + w_ij), with the i of each in `from` unless NULL.
static void extend(int64_t n, const double *w, const double *path, double *next, int64_t *from)
{
    for (int64_t j = 0; j < n; j++) next[j] = -INFINITY;
    for (int64_t i = 0; i < n; i++) {
        if (path[i] == -INFINITY) continue;
        for (int64_t j = 0; j < n; j++)
            if (path[i] + w[i * n + j] > next[j]) {
                next[j] = path[i] + w[i * n + j];
                if (from) from[j] = i;
            }
    }
}


// The walk of `length` edges from a node back to it, by where each came from.
static rico_status trace(rico_context *ctx, int64_t n, const double *w, int64_t start, int64_t length,
                         rico_law_verdict *out)
{
    double *path = rico_alloc(ctx, 2 * n, sizeof *path);
    int64_t *from = rico_alloc(ctx, length * n, sizeof *from);
    if (path && from) {
        double *next = path + n;
        for (int64_t j = 0; j < n; j++) path[j] = j == start ? 0.0 : -INFINITY;
        for (int64_t k = 0; k < length; k++) {
            extend(n, w, path, next, from + k * n);
            memcpy(path, next, (size_t)n * sizeof *path);
        }
        int64_t at = start;
        for (int64_t k = length - 1; k >= 0; k--) {
            at = from[k * n + at];
            if (k < RICO_LAW_WITNESS) out->sample[k] = at;
        }
        out->count = length;
    }
    bool made = path && from;
    rico_free(ctx, path);
    rico_free(ctx, from);
    return made ? RICO_OK : RICO_NO_MEMORY;
}


// The cycle of fewest edges above 0, of those the heaviest; there is one. A walk that passes a node twice is no such: a part of it would be one.
static rico_status shortest_cycle(rico_context *ctx, int64_t n, const double *w, rico_law_verdict *out)
{
    double *paths = rico_alloc(ctx, n * n, sizeof *paths), *row = rico_alloc(ctx, n, sizeof *row);
    rico_status status = paths && row ? RICO_OK : RICO_NO_MEMORY;
    if (status == RICO_OK) memcpy(paths, w, (size_t)(n * n) * sizeof *paths);
    for (int64_t length = 2; status == RICO_OK && length <= n && out->count == 0; length++) {
        double best = 0.0;
        int64_t start = -1;
        for (int64_t s = 0; s < n; s++) {
            extend(n, w, paths + s * n, row, NULL);
            memcpy(paths + s * n, row, (size_t)n * sizeof *row);
            if (row[s] > best) {
                best = row[s];
                start = s;
            }
        }
        if (rico_context_interrupted(ctx))
            status = rico_fail(ctx, RICO_INTERRUPTED, "interrupted in the search for a cycle");
        if (status == RICO_OK && start >= 0) {
            out->excess = best;
            status = trace(ctx, n, w, start, length, out);
        }
    }
    rico_free(ctx, paths);
    rico_free(ctx, row);
    return status;
}


rico_status rico_law_check_cyclic(rico_context *ctx, const rico_law_trial *trial, rico_law_verdict *out)
{
    rico_status status = ready(ctx, trial);
    if (status != RICO_OK) return status;
    int64_t n = trial->count;
    double size = extent(trial), round_off = rico_law_tolerance(trial) * size;
    double *w = weigh(ctx, trial, round_off), *path = rico_alloc(ctx, n, sizeof *path);
    status = w && path ? RICO_OK : RICO_NO_MEMORY;
    *out = (rico_law_verdict){.holds = true, .tried = n};
    if (status == RICO_OK && size > 0.0 && !longest_paths(n, w, 0.0, path)) {
        out->holds = false;
        status = shortest_cycle(ctx, n, w, out);
        out->excess = (out->excess + (double)out->count * round_off) / size;
    }
    rico_free(ctx, w);
    rico_free(ctx, path);
    return status;
}


// ---- Rockafellar's function ----

static rico_status refuse_cycle(rico_context *ctx, const rico_law_verdict *verdict)
{
    char text[200] = "";
    size_t used = 0;
    for (int64_t k = 0; k < verdict->count && k < RICO_LAW_WITNESS && used < sizeof text - 24; k++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%lld", k ? ", " : "",
                                 (long long)verdict->sample[k]);
    return rico_fail(
        ctx, RICO_BAD_INPUT,
        "the samples are not cyclically monotone: the cycle %s%s exceeds 0 by %.3g of its terms; "
        "there is no superpotential",
        text, verdict->count > RICO_LAW_WITNESS ? ", ..." : "", verdict->excess);
}


rico_status rico_rockafellar_create(rico_context *ctx, const rico_law_trial *trial, int64_t start, bool dual,
                                    rico_law_verdict *verdict, rico_rockafellar **out)
{
    rico_law_verdict own = {0};
    rico_law_trial turned = *trial;
    if (dual) {
        turned.x = trial->y;
        turned.y = trial->x;
    }
    verdict = verdict ? verdict : &own;
    rico_status status = rico_law_check_cyclic(ctx, &turned, verdict);
    if (status != RICO_OK) return status;
    if (start < 0 || start >= trial->count)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "there is no sample %lld to start from; there are %lld",
                         (long long)start, (long long)trial->count);
    if (!verdict->holds) return refuse_cycle(ctx, verdict);

    int64_t n = trial->count;
    rico_rockafellar *potential = rico_alloc(ctx, 1, sizeof *potential);
    if (!potential) return RICO_NO_MEMORY;
    potential->ctx = ctx;
    potential->count = n;
    potential->size = trial->size;
    potential->x = rico_alloc(ctx, n * trial->size, sizeof *potential->x);
    potential->y = rico_alloc(ctx, n * trial->size, sizeof *potential->y);
    potential->path = rico_alloc(ctx, n, sizeof *potential->path);
    double *w = weigh(ctx, &turned, 0.0);
    if (!potential->x || !potential->y || !potential->path || !w) {
        rico_free(ctx, w);
        rico_rockafellar_destroy(potential);
        return RICO_NO_MEMORY;
    }
    memcpy(potential->x, turned.x, (size_t)(n * trial->size) * sizeof *potential->x);
    memcpy(potential->y, turned.y, (size_t)(n * trial->size) * sizeof *potential->y);
    for (int64_t j = 0; j < n; j++) potential->path[j] = w[start * n + j];
    // cycles within round-off of 0 would turn for ever
    longest_paths(n, w, 1e-14 * extent(trial), potential->path);
    rico_free(ctx, w);
    *out = potential;
    return RICO_OK;
}


void rico_rockafellar_destroy(rico_rockafellar *potential)
{
    if (!potential) return;
    rico_context *ctx = potential->ctx;
    rico_free(ctx, potential->x);
    rico_free(ctx, potential->y);
    rico_free(ctx, potential->path);
    rico_free(ctx, potential);
}


double rico_rockafellar_value(const rico_rockafellar *potential, const double *z)
{
    double best = -INFINITY;
    for (int64_t m = 0; m < potential->count; m++) {
        double sum = potential->path[m];
        for (int i = 0; i < potential->size; i++) {
            int64_t k = m * potential->size + i;
            sum += (z[i] - potential->x[k]) * potential->y[k];
        }
        best = fmax(best, sum);
    }
    return best;
}
