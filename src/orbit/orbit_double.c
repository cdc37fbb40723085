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
        if (flip->imag[i] == 0.0 && fabs(flip->real[i] + 1.0) < fabs(lambda + 1.0) + (lambda == -1.0 ? INFINITY : 0.0))
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


rico_status rico_orbit_double(rico_orbits *doubled, const rico_orbit *flip, double beside, rico_orbit **out)
{
    rico_context *ctx = doubled->ctx;
    rico_orbit *twice = NULL;
    rico_orbit_slope *slopes = NULL;
    const double *x = flip->piece[0].x;
    *out = NULL;
    rico_status status = rico_orbits_at(doubled, flip->value, true, flip->t, x, x + flip->nq);
    if (status == RICO_OK) status = rico_orbit_repeat(flip, 2, &twice);
    int64_t n = status == RICO_OK ? rico_orbit_unknowns(twice) : 0;
    double *tangent = rico_alloc(ctx, n, sizeof *tangent);
    if (!tangent && status == RICO_OK) status = RICO_NO_MEMORY;
    // its start moves by `beside` along the eigenvector of the multiplier -1, the state a period later the other way, which no orbit of the
    // simple period does; everything else finds itself
    if (status == RICO_OK) status = flip_direction(ctx, flip, tangent);
    if (status == RICO_OK) {
        for (int64_t i = 0; i < 2 * flip->nv; i++) tangent[i] /= flip->scale[i];
        double size = sqrt(2.0) * rico_norm(2 * flip->nv, tangent), *later = tangent + flip->count * (2 * flip->nv + 1);
        for (int64_t i = 0; i < 2 * flip->nv; i++) {
            tangent[i] /= size;
            later[i] = -tangent[i];
        }
        rico_orbit *from = NULL;
        rico_orbit_along along = {.tangent = tangent, .reach = beside};
        status = rico_orbit_copy(twice, &from);
        along.from = from;
        if (status == RICO_OK) status = rico_orbit_predict(doubled, twice, tangent, beside);
        if (status == RICO_OK) status = rico_orbit_slopes(twice, &slopes);
        if (status == RICO_OK) status = rico_orbit_solve(doubled, twice, &along, slopes);
        if (status == RICO_OK) status = rico_orbit_floquet(doubled, twice, slopes);
        if (status == RICO_OK) status = rico_orbit_confirm(doubled, twice);
        rico_orbit_destroy(from);
    }
    if (twice) rico_orbit_slopes_free(ctx, twice->count, slopes);
    rico_free(ctx, tangent);
    if (status != RICO_OK) {
        rico_orbit_destroy(twice);
        return status;
    }
    *out = twice;
    return RICO_OK;
}
