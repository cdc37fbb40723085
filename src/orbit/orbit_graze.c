// Where a gap of an orbit closes without a blow, orbits with one blow more begin: the first of them.
//
// Both families meet in the orbit that grazes. Over the strength v of the new blow the parameter changes like v, while the depth that a motion
// without it would reach grows like v^2: from beside the point Newton's method does not find the new family, from the point itself and
// along the time of the blow it does.

#include "orbit/orbit.h"

#include <math.h>
#include <string.h>

// The blow that the motion has beyond the events of `at`; NULL for another change.
static const rico_orbit_piece *new_blow(const rico_orbit *at, const rico_orbit *run, double *time)
{
    int64_t i = 0, j = 0;
    for (;;) {
        while (i < at->count && at->piece[i].segment.contact < 0) i++;
        while (j < run->count && run->piece[j].segment.contact < 0) j++;
        if (j == run->count) return NULL;
        const rico_segment *own = i < at->count ? &at->piece[i].segment : NULL, *other = &run->piece[j].segment;
        bool same = own && own->contact == other->contact && own->which == other->which &&
                    fabs(rico_orbit_piece_time(at, i) + at->piece[i].s - rico_orbit_piece_time(run, j) -
                         run->piece[j].s) < 0.01 * at->period;
        if (!same) break;
        i++;
        j++;
    }
    const rico_orbit_piece *piece = &run->piece[j];
    bool bounces = piece->segment.which == 0 && piece->segment.blows > 0 &&
                   memcmp(piece->segment.during.state, piece->segment.after.state, (size_t)run->constraints) == 0;
    *time = rico_orbit_piece_time(run, j) + piece->s;
    return bounces ? piece : NULL;
}


// The time within piece k at which the gap is least, near `time`: parabolas through three values.
static rico_status least_gap(rico_orbits *orbits, const rico_orbit *at, int64_t k, int64_t contact, double *time)
{
    const rico_orbit_piece *whole = &at->piece[k];
    double begin = rico_orbit_piece_time(at, k), s = *time - begin, d = 1e-3 * at->period, gap[3];
    rico_segment look = whole->segment;
    double *x = rico_alloc(orbits->ctx, at->nq + at->nv, sizeof *x);
    rico_status status = x ? RICO_OK : RICO_NO_MEMORY;
    look.contact = contact;
    look.which = 0;
    look.blows = 0;
    look.after = look.during;
    for (int n = 0; status == RICO_OK && n < 4; n++, d *= 0.3) {
        for (int i = 0; status == RICO_OK && i < 3; i++) {
            memcpy(x, whole->x, (size_t)(at->nq + at->nv) * sizeof *x);
            status = rico_segment_follow(orbits->sim[0], &look, begin, s + (i - 1) * d, at->unfolding, x, &gap[i]);
        }
        double bend = gap[0] - 2.0 * gap[1] + gap[2];
        if (status == RICO_OK && bend > 0.0) s += fmax(-d, fmin(d, 0.5 * d * (gap[0] - gap[2]) / bend));
    }
    rico_free(orbits->ctx, x);
    if (status == RICO_OK) *time = begin + fmax(0.0, fmin(s, whole->s));
    return status;
}


// Piece k of `at` in two, with the blow between them.
static rico_status insert(rico_orbits *orbits, const rico_orbit *at, int64_t k, const rico_orbit_piece *blow, double time,
                          rico_orbit *to)
{
    const rico_orbit_piece *whole = &at->piece[k];
    double begin = rico_orbit_piece_time(at, k), s = time - begin;
    rico_orbit_piece *first, *second;
    rico_status status = rico_orbit_add_copy(to, whole, &second);
    if (status == RICO_OK) status = rico_orbit_add_copy(to, whole, &second);
    if (status != RICO_OK) return status;
    first = &to->piece[to->count - 2];
    rico_segment *segment = &first->segment;
    first->s = s;
    second->s = whole->s - s;
    segment->contact = -1;
    segment->blows = 0;
    status = rico_segment_follow(orbits->sim[0], segment, begin, s, at->unfolding, second->x, NULL);
    segment->contact = blow->segment.contact;
    segment->which = 0;
    segment->blows = blow->segment.blows;
    memcpy(segment->strikes, blow->segment.strikes, (size_t)(RICO_ORBIT_BLOWS * at->constraints));
    memcpy(segment->after.state, whole->segment.during.state, (size_t)at->constraints);
    memcpy(segment->after.onset, whole->segment.during.onset, (size_t)at->constraints);
    memcpy(segment->after.slide, whole->segment.during.slide, (size_t)at->rows * sizeof(double));
    memcpy(segment->after.anchor, whole->segment.during.anchor, (size_t)at->rows * sizeof(double));
    return status;
}


static rico_status build(rico_orbits *orbits, const rico_orbit *at, const rico_orbit_piece *blow, double time, rico_orbit **out,
                         int64_t *piece)
{
    rico_orbit *to = NULL;
    rico_status status = rico_orbits_at(orbits, at->value, false, at->t, at->piece[0].x, at->piece[0].x + at->nq);
    if (status == RICO_OK) status = rico_orbit_create(orbits, &to);
    *piece = -1;
    for (int64_t i = 0; status == RICO_OK && i < at->count; i++) {
        rico_orbit_piece *copy;
        double begin = rico_orbit_piece_time(at, i);
        bool here = *piece < 0 && time > begin && time < begin + at->piece[i].s;
        if (here) {
            *piece = i;
            status = least_gap(orbits, at, i, blow->segment.contact, &time);
            if (status != RICO_OK) break;
        }
        status = here ? insert(orbits, at, i, blow, time, to) : rico_orbit_add_copy(to, &at->piece[i], &copy);
    }
    if (status != RICO_OK || *piece < 0) {
        rico_orbit_destroy(to);
        return status;
    }
    to->t = at->t;
    to->phase = at->phase;
    to->period = at->period;
    to->value = at->value;
    to->unfolding = at->unfolding;
    memcpy(to->scale, at->scale, 2 * (size_t)at->nv * sizeof *to->scale);
    *out = to;
    return RICO_OK;
}


rico_status rico_orbit_graze(rico_orbits *orbits, const rico_orbit *at, const rico_orbit *beyond, rico_orbit **out,
                             int64_t *piece)
{
    rico_orbit *run = NULL;
    const double *x = beyond->piece[0].x;
    double time = 0.0;
    *out = NULL;
    if (orbits->options.pieces > 1) return RICO_OK; // parts of equal length leave no room between them
    rico_status status = rico_orbits_at(orbits, beyond->value, false, beyond->t, x, x + beyond->nq);
    if (status == RICO_OK) status = rico_orbit_create(orbits, &run);
    if (status == RICO_OK)
        status = rico_orbit_record(orbits, run, beyond->t, x, x + beyond->nq, beyond->period, NULL);
    if (status == RICO_OK) {
        const rico_orbit_piece *blow = new_blow(at, run, &time);
        if (blow) status = build(orbits, at, blow, time, out, piece);
    }
    rico_orbit_destroy(run);
    return status;
}
