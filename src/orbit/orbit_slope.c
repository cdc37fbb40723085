// Derivatives of a piece by difference quotients of fourth order. Neighbours take the same steps with the same states of contacts,
// so that what is differenced is smooth: strides may be large and quotients good to ten digits.

#include "orbit/orbit.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

static const double STRIDE = 2e-4; // over the sizes of the motion
static const double PLACE[] = {-2.0, -1.0, 1.0, 2.0};
static const double WEIGHT[] = {1.0 / 12.0, -2.0 / 3.0, 2.0 / 3.0, -1.0 / 12.0};


rico_status rico_orbit_slopes(const rico_orbit *orbit, rico_orbit_slope **out)
{
    int64_t n = 2 * orbit->nv, columns = n + RICO_BY_OTHERS;
    rico_orbit_slope *slopes = rico_alloc(orbit->ctx, orbit->count, sizeof *slopes);
    bool whole = slopes != NULL;
    for (int64_t i = 0; whole && i < orbit->count; i++) {
        slopes[i].state = rico_alloc(orbit->ctx, n * columns, sizeof *slopes[i].state);
        slopes[i].event = rico_alloc(orbit->ctx, columns, sizeof *slopes[i].event);
        slopes[i].end = rico_alloc(orbit->ctx, orbit->nq + orbit->nv, sizeof *slopes[i].end);
        whole = slopes[i].state && slopes[i].event && slopes[i].end;
    }
    if (!whole) {
        rico_orbit_slopes_free(orbit->ctx, orbit->count, slopes);
        slopes = NULL;
    }
    *out = slopes;
    return whole ? RICO_OK : RICO_NO_MEMORY;
}


void rico_orbit_slopes_free(rico_context *ctx, int64_t count, rico_orbit_slope *slopes)
{
    for (int64_t i = 0; slopes && i < count; i++) {
        rico_free(ctx, slopes[i].state);
        rico_free(ctx, slopes[i].event);
        rico_free(ctx, slopes[i].end);
    }
    rico_free(ctx, slopes);
}


rico_status rico_orbit_follow(rico_orbits *orbits, const rico_orbit *orbit, int64_t piece,
                              rico_orbit_slope *slope)
{
    const rico_orbit_piece *of = &orbit->piece[piece];
    memcpy(slope->end, of->x, (size_t)(orbit->nq + orbit->nv) * sizeof *slope->end);
    return rico_segment_follow(orbits->sim[0], &of->segment, rico_orbit_piece_time(orbit, piece), of->s,
                               orbit->unfolding, slope->end, &slope->value);
}


// One neighbour: column `column` moved by k strides. x: room for a state, left at its end.
static rico_status neighbour(rico_orbits *orbits, const rico_orbit *orbit, int64_t piece, int64_t column,
                             int k, double stride, double *unit, double *x, double *event)
{
    const rico_orbit_piece *of = &orbit->piece[piece];
    rico_simulation *sim = orbits->sim[0];
    int64_t nq = orbit->nq, nv = orbit->nv, n = 2 * nv;
    double t = rico_orbit_piece_time(orbit, piece), s = of->s, unfolding = orbit->unfolding,
           move = PLACE[k] * stride;
    memcpy(x, of->x, (size_t)(nq + nv) * sizeof *x);
    if (column < nv) {
        unit[column] = 1.0;
        rico_status status = rico_assembly_retract(sim->assembly, t, of->x, move, unit, x);
        unit[column] = 0.0;
        if (status != RICO_OK) return status;
    } else if (column < n) {
        x[nq + column - nv] += move;
    } else if (column == n + RICO_BY_TIME) {
        t += move;
    } else if (column == n + RICO_BY_DURATION) {
        s += move;
    } else if (column == n + RICO_BY_VALUE) {
        sim = orbits->sim[1 + k];
    } else {
        unfolding += move;
    }
    return rico_segment_follow(sim, &of->segment, t, s, unfolding, x, event);
}


static double stride_of(const rico_orbits *orbits, const rico_orbit *orbit, int64_t column)
{
    int64_t n = 2 * orbit->nv;
    if (column < n) return STRIDE * orbit->scale[column];
    if (column == n + RICO_BY_VALUE) return orbits->stride;
    double pace = orbit->period / (2.0 * acos(-1.0));
    return STRIDE * (column == n + RICO_BY_UNFOLDING ? 1.0 / pace : pace);
}


rico_status rico_orbit_differentiate(rico_orbits *orbits, const rico_orbit *orbit, int64_t piece, bool value,
                                     rico_orbit_slope *slope)
{
    rico_context *ctx = orbits->ctx;
    int64_t nq = orbit->nq, nv = orbit->nv, n = 2 * nv, size = nq + nv;
    double *room = rico_alloc(ctx, 2 * size + nv, sizeof *room);
    rico_status status = room ? rico_orbit_follow(orbits, orbit, piece, slope) : RICO_NO_MEMORY;
    double *x = room, *sum = room + size, *unit = room + 2 * size, event;
    double at = rico_orbit_piece_time(orbit, piece) + orbit->piece[piece].s;
    for (int64_t column = 0; status == RICO_OK && column < n + RICO_BY_OTHERS; column++) {
        double stride = stride_of(orbits, orbit, column), slant = 0.0;
        memset(sum, 0, (size_t)size * sizeof *sum);
        bool needless = (column == n + RICO_BY_VALUE && !value) ||
                        (column == n + RICO_BY_UNFOLDING && !orbit->conservative);
        for (int k = 0; status == RICO_OK && !needless && k < 4; k++) {
            status = neighbour(orbits, orbit, piece, column, k, stride, unit, x, &event);
            if (status != RICO_OK) break;
            rico_axpy(size, WEIGHT[k] / stride, x, sum);
            slant += WEIGHT[k] / stride * event;
        }
        if (status == RICO_OK)
            status = rico_segment_tangent(orbits->sim[0], at, slope->end, sum, slope->state + column * n);
        memcpy(slope->state + column * n + nv, sum + nq, (size_t)nv * sizeof *sum);
        slope->event[column] = slant;
    }
    rico_free(ctx, room);
    return status;
}
