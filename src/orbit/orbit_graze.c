// Where a gap of an orbit closes without a blow, orbits with one blow more begin: the first of them.
//
// Both families meet in the orbit that grazes. Over the strength v of the new blow the parameter changes like v, while the depth that a motion
// without it would reach grows like v^2: from beside the point Newton's method does not find the new family, from the point itself and
// along the time of the blow it does.

#include "orbit/orbit.h"

#include <math.h>
#include <string.h>

enum { MOMENTS = 48 };
static const double NEAR =
    0.1; // minima that coarse parabolas have so near to zero are looked at closely, over the same
static const double DEEP = 1e-11; // gaps that count as crossed, over what the motion may do in a period


// The time within piece k at which the gap is least, near `time`, and the gap there: parabolas through three values, d apart at first.
static rico_status least_gap(rico_orbits *orbits, const rico_orbit *at, int64_t k, int64_t contact, double d,
                             double *time, double *least)
{
    const rico_orbit_piece *whole = &at->piece[k];
    double begin = rico_orbit_piece_time(at, k), s = *time - begin, gap[3];
    rico_segment look = whole->segment;
    double *x = rico_alloc(orbits->ctx, at->nq + at->nv, sizeof *x);
    rico_status status = x ? RICO_OK : RICO_NO_MEMORY;
    look.contact = contact;
    look.which = 0;
    look.blows = 0;
    look.after = look.during;
    for (int n = 0; status == RICO_OK && n < 6; n++, d *= 0.3) {
        for (int i = 0; status == RICO_OK && i < 3; i++) {
            memcpy(x, whole->x, (size_t)(at->nq + at->nv) * sizeof *x);
            status =
                rico_segment_follow(orbits->sim[0], &look, begin, s + (i - 1) * d, at->unfolding, x, &gap[i]);
        }
        double bend = gap[0] - 2.0 * gap[1] + gap[2];
        if (status == RICO_OK && bend > 0.0) s += fmax(-d, fmin(d, 0.5 * d * (gap[0] - gap[2]) / bend));
        *least = gap[1];
    }
    rico_free(orbits->ctx, x);
    if (status == RICO_OK) *time = begin + fmax(0.0, fmin(s, whole->s));
    return status;
}


static double way_of(const rico_orbit *orbit)
{
    double way = 0.0;
    for (int64_t k = 0; k < orbit->nv; k++) way = fmax(way, orbit->scale[k]);
    return way;
}


// Minima of one contact's gap along piece k.
static rico_status look_along(rico_orbits *orbits, rico_orbit *orbit, int64_t k, int64_t contact,
                              const double *gaps)
{
    int64_t stride = orbit->constraints;
    double begin = rico_orbit_piece_time(orbit, k), s = orbit->piece[k].s, way = way_of(orbit);
    for (int64_t i = 1; i < MOMENTS && orbit->graze < 0; i++) {
        double a = gaps[(i - 1) * stride + contact], b = gaps[i * stride + contact],
               c = gaps[(i + 1) * stride + contact];
        if (!(b <= a && b <= c)) continue;
        double bend = a - 2.0 * b + c, least = bend > 0.0 ? b - (a - c) * (a - c) / (8.0 * bend) : b;
        if (least > NEAR * way) continue;
        double part = s / MOMENTS, time = begin + part * (double)i;
        if (bend > 0.0) time += 0.5 * part * (a - c) / bend;
        rico_status status = least_gap(orbits, orbit, k, contact, 0.25 * part, &time, &least);
        if (status != RICO_OK) return status;
        if (least >= -DEEP * way) continue;
        orbit->graze = contact;
        orbit->graze_time = time;
    }
    return RICO_OK;
}


rico_status rico_orbit_look_for_grazing(rico_orbits *orbits, rico_orbit *orbit)
{
    double *gaps = rico_alloc(orbits->ctx, (MOMENTS + 1) * orbit->constraints, sizeof *gaps);
    rico_status status = gaps ? RICO_OK : RICO_NO_MEMORY;
    orbit->graze = -1;
    for (int64_t k = 0; status == RICO_OK && k < orbit->count; k++) {
        const rico_orbit_piece *piece = &orbit->piece[k];
        bool any = false;
        for (int64_t c = 0; c < orbit->constraints; c++) any |= piece->segment.during.state[c] == RICO_OPEN;
        if (!any) continue;
        status = rico_segment_gaps(orbits->sim[0], &piece->segment, rico_orbit_piece_time(orbit, k), piece->s,
                                   orbit->unfolding, piece->x, MOMENTS, gaps);
        for (int64_t c = 0; status == RICO_OK && c < orbit->constraints; c++)
            if (piece->segment.during.state[c] == RICO_OPEN &&
                !rico_step_constraint(orbits->sim[0], c)->joint)
                status = look_along(orbits, orbit, k, c, gaps);
    }
    rico_free(orbits->ctx, gaps);
    return status;
}


// The blow that the motion has beyond the events of `at`; NULL for another change.
static const rico_orbit_piece *new_blow(const rico_orbit *at, const rico_orbit *run, double *time)
{
    int64_t i = 0, j = 0;
    for (;;) {
        while (i < at->count && at->piece[i].segment.contact < 0) i++;
        while (j < run->count && run->piece[j].segment.contact < 0) j++;
        if (j == run->count) return NULL;
        const rico_segment *own = i < at->count ? &at->piece[i].segment : NULL,
                           *other = &run->piece[j].segment;
        bool same = own && own->contact == other->contact && own->which == other->which &&
                    fabs(rico_orbit_piece_time(at, i) + at->piece[i].s - rico_orbit_piece_time(run, j) -
                         run->piece[j].s) < 0.01 * at->period;
        if (!same) break;
        i++;
        j++;
    }
    const rico_orbit_piece *piece = &run->piece[j];
    bool bounces =
        piece->segment.which == 0 && piece->segment.blows > 0 &&
        memcmp(piece->segment.during.state, piece->segment.after.state, (size_t)run->constraints) == 0;
    *time = rico_orbit_piece_time(run, j) + piece->s;
    return bounces ? piece : NULL;
}


// Piece k of `at` in two, with the blow between them.
static rico_status insert(rico_orbits *orbits, const rico_orbit *at, int64_t k, const rico_orbit_piece *blow,
                          double time, rico_orbit *to)
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


static rico_status build(rico_orbits *orbits, const rico_orbit *at, const rico_orbit_piece *blow, double time,
                         rico_orbit **out, int64_t *piece)
{
    rico_orbit *to = NULL;
    rico_status status =
        rico_orbits_at(orbits, at->value, false, at->t, at->piece[0].x, at->piece[0].x + at->nq);
    if (status == RICO_OK) status = rico_orbit_create(orbits, &to);
    *piece = -1;
    for (int64_t i = 0; status == RICO_OK && i < at->count; i++) {
        rico_orbit_piece *copy;
        double begin = rico_orbit_piece_time(at, i);
        bool here = *piece < 0 && time > begin && time < begin + at->piece[i].s;
        if (here) {
            *piece = i;
            double least;
            status = least_gap(orbits, at, i, blow->segment.contact, 1e-3 * at->period, &time, &least);
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


// A blow at the contact that an open piece passes through; those that are closed then take part.
static rico_status insert_graze(rico_orbits *orbits, const rico_orbit *at, const rico_orbit *beyond,
                                rico_orbit **out, int64_t *piece)
{
    rico_orbit_piece blow = {0};
    int64_t k = 0;
    while (k < at->count - 1 && beyond->graze_time > rico_orbit_piece_time(at, k) + at->piece[k].s) k++;
    blow.segment.contact = beyond->graze;
    blow.segment.blows = 1;
    blow.segment.strikes = rico_alloc(orbits->ctx, RICO_ORBIT_BLOWS * at->constraints, 1);
    if (!blow.segment.strikes) return RICO_NO_MEMORY;
    for (int64_t c = 0; c < at->constraints; c++)
        blow.segment.strikes[c] = c == beyond->graze || at->piece[k].segment.during.state[c] != RICO_OPEN;
    rico_status status = build(orbits, at, &blow, beyond->graze_time, out, piece);
    rico_free(orbits->ctx, blow.segment.strikes);
    return status;
}


rico_status rico_orbit_graze(rico_orbits *orbits, const rico_orbit *at, const rico_orbit *beyond,
                             rico_orbit **out, int64_t *piece)
{
    rico_orbit *run = NULL;
    const double *x = beyond->piece[0].x;
    double time = 0.0;
    *out = NULL;
    if (orbits->options.pieces > 1) return RICO_OK; // parts of equal length leave no room between them
    if (beyond->graze >= 0) return insert_graze(orbits, at, beyond, out, piece);
    rico_status status = rico_orbits_at(orbits, beyond->value, false, beyond->t, x, x + beyond->nq);
    if (status == RICO_OK) status = rico_orbit_create(orbits, &run);
    if (status == RICO_OK)
        status = rico_orbit_record(orbits, run, beyond->t, x, x + beyond->nq, beyond->period,
                                   rico_orbit_longest_step(beyond), NULL);
    if (status == RICO_OK) {
        const rico_orbit_piece *blow = new_blow(at, run, &time);
        if (blow) status = build(orbits, at, blow, time, out, piece);
    }
    rico_orbit_destroy(run);
    return status;
}
