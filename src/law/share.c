// Where gradients depend on each other, G is singular and many impulses do the same: the wall that is given twice takes any
// share on either side. Which share is of no account until restitutions differ (Poisson's law). Chosen is
//
//     min sum D_j z_j^2 / 2    over    z >= 0,  G z = G z0,
//
// strictly convex, so that the order of the contacts does not matter; with D_j = G_jj the units of the gaps do not either. By
// the method of multipliers, whose inner problems are those of the active set on G + epsilon D: exact after a few.

#include "law/share.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

enum { MOST_ROUNDS = 1000, FEW_ROUNDS = 20 }; // each gains by the smallest eigenvalue of G over epsilon
static const double EPSILON = 1e-5;
static const double SAME = 1e-15, GOOD = 1e-9; // of the largest impulse: where rounds end, and what is taken


rico_status rico_share_create(rico_context *ctx, const rico_csc *G, rico_share **out)
{
    int64_t h = G->cols, entries = rico_csc_count(G);
    rico_share *share = rico_alloc(ctx, 1, sizeof *share);
    if (!share) return RICO_NO_MEMORY;
    share->ctx = ctx;
    share->G = G;
    share->shifted = *G;
    share->shifted.value = rico_alloc(ctx, entries, sizeof *share->shifted.value);
    share->closed = rico_alloc(ctx, h, sizeof *share->closed);
    share->multiplier = rico_alloc(ctx, h, sizeof *share->multiplier);
    share->q = rico_alloc(ctx, h, sizeof *share->q);
    share->z = rico_alloc(ctx, h, sizeof *share->z);
    if (share->shifted.value && share->closed && share->multiplier && share->q && share->z) {
        *out = share;
        return RICO_OK;
    }
    rico_share_destroy(share);
    return RICO_NO_MEMORY;
}


void rico_share_destroy(rico_share *share)
{
    if (!share) return;
    void *all[] = {share->shifted.value, share->closed, share->multiplier, share->q, share->z, share};
    rico_context *ctx = share->ctx;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
}


static void shift(rico_share *share, const double *weight)
{
    const rico_csc *G = share->G;
    double largest = rico_norm_inf(G->cols, weight), size = 0.0;
    for (int64_t j = 0; j < G->cols; j++)
        for (int64_t k = G->start[j]; k < G->start[j + 1]; k++) {
            share->shifted.value[k] = G->value[k];
            if (G->row[k] == j) size = fmax(size, G->value[k]);
        }
    for (int64_t j = 0; j < G->cols; j++)
        for (int64_t k = G->start[j]; k < G->start[j + 1]; k++)
            if (G->row[k] == j) share->shifted.value[k] += EPSILON * size * weight[j] / largest;
}


// How far x is from having the effect of z: largest |G (x - z)|_j / sqrt(G_jj), in which units of the gaps cancel; and of
// G z alone where x is NULL, by the diagonal.
static double astray(rico_share *share, const double *x, const double *z)
{
    const rico_csc *G = share->G;
    double largest = 0.0;
    for (int64_t j = 0; j < G->cols; j++) {
        double sum = 0.0, diagonal = 0.0;
        for (int64_t k = G->start[j]; k < G->start[j + 1]; k++) {
            if (x) sum += G->value[k] * (x[G->row[k]] - z[G->row[k]]);
            if (G->row[k] == j) diagonal = G->value[k];
        }
        if (!x) sum = diagonal * z[j];
        if (share->closed[j] && diagonal > 0.0) largest = fmax(largest, fabs(sum) / sqrt(diagonal));
    }
    return largest;
}


bool rico_share_least(rico_share *share, rico_active_set *set, const double *weight, double *z)
{
    int64_t h = share->G->cols;
    double *x = share->z, *y = share->multiplier, *q = share->q;
    double off = INFINITY, before = INFINITY, size = astray(share, NULL, z);
    shift(share, weight);
    memset(y, 0, (size_t)h * sizeof *y);
    for (int round = 0; round < MOST_ROUNDS && off > SAME * size; round++) {
        // stationary in x >= 0: epsilon D x + G (x - z) + G y, y the multiplier
        for (int64_t j = 0; j < h; j++) x[j] = y[j] - z[j];
        rico_csc_times(share->G, 1.0, x, 0.0, q);
        if (rico_active_set_solve(set, &share->shifted, share->closed, true, q, x) != RICO_SET_SOLVED)
            return false;
        for (int64_t j = 0; j < h; j++) y[j] += x[j] - z[j];
        before = off;
        off = astray(share, x, z);
        if (round > FEW_ROUNDS && off >= before) break; // round-off
    }
    if (off > GOOD * size) return false;
    memcpy(z, x, (size_t)h * sizeof *z);
    return true;
}
