// States along an orbit.

#include "orbit/orbit.h"

#include <math.h>
#include <string.h>

// The state a time s after the start of a piece, before the event at its end.
static rico_status within(rico_orbits *orbits, const rico_orbit *orbit, int64_t piece, double s, double *x)
{
    rico_segment part = orbit->piece[piece].segment;
    memcpy(x, orbit->piece[piece].x, (size_t)(orbit->nq + orbit->nv) * sizeof *x);
    if (s == 0.0) return RICO_OK;
    part.contact = -1;
    return rico_segment_follow(orbits->sim[0], &part, rico_orbit_piece_time(orbit, piece), s,
                               orbit->unfolding, x, NULL);
}


static rico_status ready(rico_orbits *orbits, const rico_orbit *orbit)
{
    const double *x = orbit->piece[0].x;
    return rico_orbits_at(orbits, orbit->value, false, orbit->t, x, x + orbit->nq);
}


rico_status rico_orbit_sample(rico_orbits *orbits, const rico_orbit *orbit, int64_t each,
                              rico_orbit_samples *out)
{
    int64_t size = orbit->nq + orbit->nv;
    memset(out, 0, sizeof *out);
    rico_status status = ready(orbits, orbit);
    if (status != RICO_OK) return status;
    out->t = rico_alloc(orbits->ctx, orbit->count * (each + 1), sizeof *out->t);
    out->x = rico_alloc(orbits->ctx, orbit->count * (each + 1) * size, sizeof *out->x);
    if (!out->t || !out->x) status = RICO_NO_MEMORY;
    for (int64_t i = 0; i < orbit->count; i++)
        for (int64_t k = 0; status == RICO_OK && k <= each; k++) {
            double s = orbit->piece[i].s * (double)k / (double)each;
            out->t[out->count] = rico_orbit_piece_time(orbit, i) + s;
            status = within(orbits, orbit, i, s, out->x + out->count * size);
            out->count++;
        }
    if (status != RICO_OK) rico_orbit_samples_free(orbits, out);
    return status;
}


void rico_orbit_samples_free(rico_orbits *orbits, rico_orbit_samples *samples)
{
    rico_free(orbits->ctx, samples->t);
    rico_free(orbits->ctx, samples->x);
    memset(samples, 0, sizeof *samples);
}


rico_status rico_orbit_state(rico_orbits *orbits, const rico_orbit *orbit, double t, double *x)
{
    rico_status status = ready(orbits, orbit);
    if (status != RICO_OK) return status;
    double since = t - orbit->t;
    since -= orbit->period * floor(since / orbit->period);
    int64_t piece = 0;
    while (piece < orbit->count - 1 && since > orbit->piece[piece].s) since -= orbit->piece[piece++].s;
    return within(orbits, orbit, piece, fmin(since, orbit->piece[piece].s), x);
}
