// Where a multiplier passes -1, orbits of twice the period begin: the first of them.

#include "orbit/orbit.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

// The eigenvector of the multiplier nearest to -1: inverse iteration from ones.
static rico_status flip_direction(rico_context *ctx, const rico_orbit *flip, double *out)
{
    int64_t n = 2 * flip->nv, rank;
    int32_t *pivot = rico_alloc(ctx, n, sizeof *pivot);
    double *room = rico_alloc(ctx, n * n + n + rico_dense_minimum_norm_work(n), sizeof *room);
    rico_status status = room && pivot ? RICO_OK : RICO_NO_MEMORY;
    double *x = room ? room + n * n : NULL, lambda = -1.0;
    for (int64_t i = 0; i < n; i++)
        if (flip->imag[i] == 0.0 &&
            fabs(flip->real[i] + 1.0) < fabs(lambda + 1.0) + (lambda == -1.0 ? INFINITY : 0.0))
            lambda = flip->real[i];
    for (int64_t i = 0; status == RICO_OK && i < n; i++) x[i] = flip->scale[i];
    for (int k = 0; status == RICO_OK && k < 4; k++) {
        memcpy(room, flip->monodromy, (size_t)(n * n) * sizeof *room);
        for (int64_t i = 0; i < n; i++) room[i * n + i] -= lambda + 1e-9;
        status = rico_dense_minimum_norm(ctx, n, room, x, 1e-15, x + n, pivot, &rank);
        double size = 0.0;
        for (int64_t i = 0; i < n; i++) size = fmax(size, fabs(x[i]) / flip->scale[i]);
        for (int64_t i = 0; size > 0.0 && i < n; i++) x[i] /= size;
    }
    if (status == RICO_OK) memcpy(out, x, (size_t)n * sizeof *out);
    rico_free(ctx, room);
    rico_free(ctx, pivot);
    return status;
}


// The neighbour of the flip orbit along its eigenvector, piece by piece, over two periods: on the second it is on the other side. The largest
// part is 1 in sizes of the motion.
static rico_status flip_tangent(rico_orbits *orbits, const rico_orbit *flip, double *tangent)
{
    rico_context *ctx = orbits->ctx;
    int64_t n = 2 * flip->nv, block = n + 1;
    rico_orbit_slope *slopes = NULL;
    double *y = rico_alloc(ctx, 2 * n, sizeof *y), tau = 0.0;
    rico_status status = y ? rico_orbit_slopes(flip, &slopes) : RICO_NO_MEMORY;
    if (status == RICO_OK) status = flip_direction(ctx, flip, y);
    for (int64_t i = 0; status == RICO_OK && i < flip->count; i++) {
        bool event = flip->piece[i].segment.contact >= 0;
        for (int64_t k = 0; k < n; k++) {
            tangent[i * block + k] = y[k] / flip->scale[k];
            tangent[(flip->count + i) * block + k] = -y[k] / flip->scale[k];
        }
        status = rico_orbit_differentiate(orbits, flip, i, false, &slopes[i]);
        if (status != RICO_OK) break;
        double before = tau;
        status = rico_orbit_carry(flip, &slopes[i], event, i == flip->count - 1, y, 1, &tau, y + n);
        tangent[i * block + n] = (tau - before) / (2.0 * flip->period);
        tangent[(flip->count + i) * block + n] = -tangent[i * block + n];
    }
    rico_orbit_slopes_free(ctx, flip->count, slopes);
    rico_free(ctx, y);
    return status;
}


rico_status rico_orbit_double(rico_orbits *doubled, const rico_orbit *flip, double beside, rico_orbit **out)
{
    rico_context *ctx = doubled->ctx;
    rico_orbit *twice = NULL, *from = NULL;
    rico_orbit_slope *slopes = NULL;
    const double *x = flip->piece[0].x;
    *out = NULL;
    rico_status status = rico_orbits_at(doubled, flip->value, true, flip->t, x, x + flip->nq);
    if (status == RICO_OK) status = rico_orbit_repeat(flip, 2, &twice);
    int64_t n = status == RICO_OK ? rico_orbit_unknowns(twice) : 0;
    double *tangent = rico_alloc(ctx, n, sizeof *tangent);
    if (!tangent && status == RICO_OK) status = RICO_NO_MEMORY;
    if (status == RICO_OK) status = flip_tangent(doubled, flip, tangent);
    if (status == RICO_OK) status = rico_orbit_copy(twice, &from);
    // no orbit of the simple period moves along this tangent: what is found is another one
    double size = status == RICO_OK ? rico_norm(n, tangent) : 1.0;
    for (int64_t i = 0; status == RICO_OK && i < n; i++) tangent[i] /= size;
    rico_orbit_along along = {.tangent = tangent, .from = from, .reach = beside * size};
    if (status == RICO_OK) status = rico_orbit_predict(doubled, twice, tangent, along.reach);
    if (status == RICO_OK) status = rico_orbit_slopes(twice, &slopes);
    if (status == RICO_OK) status = rico_orbit_solve(doubled, twice, &along, slopes);
    if (status == RICO_OK) status = rico_orbit_floquet(doubled, twice, slopes);
    if (status == RICO_OK) status = rico_orbit_confirm(doubled, twice);
    rico_orbit_destroy(from);
    if (twice) rico_orbit_slopes_free(ctx, twice->count, slopes);
    rico_free(ctx, tangent);
    if (status != RICO_OK) {
        rico_orbit_destroy(twice);
        return status;
    }
    *out = twice;
    return RICO_OK;
}
