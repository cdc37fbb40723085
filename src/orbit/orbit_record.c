// A run of the event-driven scheme over a period, cut at its events: where shooting starts, and what confirms an orbit.

#include "orbit/orbit.h"

#include "step/event_driven.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    STRIDES = 8,
    LEAST_STEPS = 256,
    MOST_STEPS = 8192
}; // steps of the run: a failure of one says where; and of its integrator

typedef struct recorder {
    rico_orbit *orbit;
    rico_status failure;
    bool begun, within; // within an event
    double since;       // when the last piece began
    int64_t many;       // an event with more blows than there is room for
} recorder;


static void take_mode(const rico_orbit *orbit, const rico_event_driven *from, rico_held_states *to)
{
    memcpy(to->state, from->state, (size_t)orbit->constraints);
    memcpy(to->onset, from->onset, (size_t)orbit->constraints);
    memcpy(to->slide, from->slide, (size_t)orbit->rows * sizeof *to->slide);
    memcpy(to->anchor, from->anchor, (size_t)orbit->rows * sizeof *to->anchor);
}


static void begin_piece(recorder *self, const rico_event_driven *from, double t, const double *y)
{
    rico_orbit_piece *piece;
    self->failure = rico_orbit_add(self->orbit, &piece);
    if (self->failure != RICO_OK) return;
    memcpy(piece->x, y, (size_t)(self->orbit->nq + self->orbit->nv) * sizeof *y);
    take_mode(self->orbit, from, &piece->segment.during);
    self->since = t;
}


// Which contact's number vanished: the first that was found, one that closes before others.
static void name_event(rico_segment *segment, const rico_event_driven *from)
{
    segment->contact = -1;
    for (int64_t c = 0; c < from->constraints; c++)
        for (int which = 0; which < 2; which++) {
            bool closes = which == 0 && from->state[c] == RICO_OPEN;
            if (!from->found[2 * c + which] || (segment->contact >= 0 && !closes)) continue;
            segment->contact = c;
            segment->which = which;
            if (closes) return;
        }
}


static bool same_states(const rico_orbit *orbit, const rico_held_states *a, const rico_event_driven *b)
{
    for (int64_t i = 0; i < orbit->rows; i++)
        if (a->slide[i] * b->slide[i] < 0.0) return false;
    return memcmp(a->state, b->state, (size_t)orbit->constraints) == 0;
}


static void watch(void *watcher, const rico_event_driven *from, double t, const double *y,
                  rico_event_moment moment)
{
    recorder *self = watcher;
    rico_orbit *orbit = self->orbit;
    if (self->failure != RICO_OK) return;
    if (moment == RICO_MOMENT_START) {
        if (!self->begun) begin_piece(self, from, t, y);
        self->begun = true;
        return;
    }
    if (!self->begun) return; // what holds at the start
    rico_segment *segment = &orbit->piece[orbit->count - 1].segment;
    if (moment == RICO_MOMENT_BEFORE && !self->within) {
        self->within = true;
        segment->blows = 0;
        name_event(segment, from);
        orbit->piece[orbit->count - 1].s = t - self->since;
    } else if (moment == RICO_MOMENT_BLOW) {
        if (segment->blows < RICO_ORBIT_BLOWS)
            memcpy(segment->strikes + segment->blows++ * orbit->constraints, from->touching,
                   (size_t)orbit->constraints);
        else
            self->many++;
    } else if (moment == RICO_MOMENT_AFTER) {
        self->within = false;
        if (segment->blows == 0 && same_states(orbit, &segment->during, from)) return; // nothing happened
        take_mode(orbit, from, &segment->after);
        begin_piece(self, from, t, y);
    }
}


// Events of a step, with names that stay.
static rico_status keep_events(rico_orbit *orbit, rico_simulation *sim)
{
    int64_t count;
    const rico_event *event = rico_simulation_events(sim, &count);
    if (count == 0) return RICO_OK;
    int64_t before = orbit->event_count, after = before + count;
    rico_event *events = rico_grow(orbit->ctx, orbit->event, before, after, sizeof *events);
    if (events) orbit->event = events;
    rico_orbit_name *names = rico_grow(orbit->ctx, orbit->name, before, after, sizeof *names);
    if (names) orbit->name = names;
    if (!events || !names) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < count; i++) {
        orbit->event[before + i] = event[i];
        snprintf(orbit->name[before + i].text, RICO_ORBIT_NAME, "%s", event[i].name ? event[i].name : "");
    }
    orbit->event_count = after;
    for (int64_t i = 0; i < after; i++) orbit->event[i].name = orbit->name[i].text;
    return RICO_OK;
}


// A blow of speed v is over after about v/a: steps must be shorter.
double rico_orbit_longest_step(const rico_orbit *orbit)
{
    double step = orbit->period / LEAST_STEPS, a = 0.0;
    for (int64_t k = 0; k < orbit->nv; k++)
        a = fmax(a, orbit->scale[orbit->nv + k] * 2.0 * acos(-1.0) / orbit->period);
    for (int64_t i = 0; i < orbit->count; i++)
        if (orbit->piece[i].segment.blows > 0 && a > 0.0) step = fmin(step, fabs(orbit->piece[i].fall) / a);
    return fmax(step, orbit->period / MOST_STEPS);
}


rico_status rico_orbit_record(rico_orbits *orbits, rico_orbit *orbit, double t, const double *q,
                              const double *v, double period, double longest, double *end)
{
    rico_simulation *sim = orbits->sim[0];
    rico_event_driven *scheme = sim->own;
    recorder self = {.orbit = orbit};
    // blows that are over within a step of the integrator would be missed
    rico_status status =
        rico_simulation_set_number(sim, "max-step", longest > 0.0 ? longest : period / LEAST_STEPS);
    if (status == RICO_OK) status = rico_simulation_start(sim, t, q, v);
    scheme->watch = watch;
    scheme->watcher = &self;
    for (int n = 0; status == RICO_OK && n < STRIDES; n++) {
        double to = t + period * (n + 1) / STRIDES;
        status = rico_simulation_step(sim, to - rico_simulation_time(sim));
        if (status == RICO_OK) status = self.failure;
        if (status == RICO_OK) status = keep_events(orbit, sim);
    }
    scheme->watch = NULL;
    if (status != RICO_OK) return status;
    if (self.many > 0)
        return rico_fail(orbits->ctx, RICO_UNSUPPORTED, "an event has more than %d impacts at one instant",
                         RICO_ORBIT_BLOWS);
    orbit->piece[orbit->count - 1].s = t + period - self.since;
    orbit->t = t;
    orbit->phase = t / period;
    orbit->period = period;
    orbit->value = orbits->value;
    if (end) {
        memcpy(end, rico_simulation_position(sim), (size_t)orbit->nq * sizeof *end);
        memcpy(end + orbit->nq, rico_simulation_velocity(sim), (size_t)orbit->nv * sizeof *end);
    }
    return RICO_OK;
}


bool rico_orbit_needs_turn(const rico_orbit *orbit)
{
    int64_t first = 0, last = orbit->count - 1;
    double before = 0.0, after = 0.0, longest = 0.0, run = 0.0;
    for (int64_t i = 0; i < orbit->count; i++) { // parts of a piece together
        run += orbit->piece[i].s;
        if (i < last && orbit->piece[i].segment.contact < 0) continue;
        longest = fmax(longest, run);
        run = 0.0;
    }
    while (first < last && orbit->piece[first].segment.contact < 0) before += orbit->piece[first++].s;
    if (first == last) return false; // there is no event
    before += orbit->piece[first].s;
    for (int64_t i = last; i > first && (i == last || orbit->piece[i].segment.contact < 0); i--)
        after += orbit->piece[i].s;
    return fmin(before, after) < 0.125 * fmax(longest, before + after);
}


rico_status rico_orbit_turn(rico_orbits *orbits, const rico_orbit *from, rico_orbit **out)
{
    int64_t longest = 0, nq = from->nq, nv = from->nv;
    rico_orbit *turned = NULL;
    *out = NULL;
    for (int64_t i = 1; i < from->count; i++)
        if (from->piece[i].s > from->piece[longest].s) longest = i;
    const rico_orbit_piece *piece = &from->piece[longest];
    rico_segment half = piece->segment;
    half.contact = -1;
    double *x = rico_alloc(orbits->ctx, nq + nv, sizeof *x), t = rico_orbit_piece_time(from, longest),
           s = 0.5 * piece->s;
    if (!x) return RICO_NO_MEMORY;
    memcpy(x, piece->x, (size_t)(nq + nv) * sizeof *x);
    rico_status status = rico_orbits_at(orbits, from->value, false, t, x, x + nq);
    if (status == RICO_OK)
        status = rico_segment_follow(orbits->sim[0], &half, t, s, from->unfolding, x, NULL);
    if (status == RICO_OK) status = rico_orbit_create(orbits, &turned);
    // the driving has the period: turns of it make no difference
    double at = t + s;
    if (rico_orbits_driven(orbits)) at -= from->period * floor(at / from->period);
    if (!rico_orbits_driven(orbits)) at = from->t;
    if (status == RICO_OK)
        status = rico_orbit_record(orbits, turned, at, x, x + nq, from->period, rico_orbit_longest_step(from),
                                   NULL);
    if (status == RICO_OK) turned->unfolding = from->unfolding;
    rico_free(orbits->ctx, x);
    if (status != RICO_OK) {
        rico_orbit_destroy(turned);
        return status;
    }
    *out = turned;
    return RICO_OK;
}


rico_status rico_orbit_measure(rico_orbits *orbits, rico_orbit *orbit)
{
    double energy = 0.0;
    for (int64_t i = 0; i < orbit->count; i++) {
        const rico_orbit_piece *piece = &orbit->piece[i];
        // along the piece too: both of its ends may be at rest
        double *x = rico_alloc(orbit->ctx, orbit->nq + orbit->nv, sizeof *x),
               t = rico_orbit_piece_time(orbit, i);
        if (!x) return RICO_NO_MEMORY;
        rico_status status = RICO_OK;
        for (int k = 0; status == RICO_OK && k < 4; k++) {
            rico_segment part = piece->segment;
            memcpy(x, piece->x, (size_t)(orbit->nq + orbit->nv) * sizeof *x);
            part.contact = -1;
            if (k > 0)
                status = rico_segment_follow(orbits->sim[0], &part, t, 0.25 * k * piece->s, 0.0, x, NULL);
            if (status == RICO_OK)
                energy = fmax(energy, rico_segment_kinetic(orbits->sim[0], t + 0.25 * k * piece->s, x));
        }
        rico_free(orbit->ctx, x);
        if (status != RICO_OK) return status;
    }
    if (!(energy > 0.0) || !isfinite(energy))
        return rico_fail(orbits->ctx, RICO_UNSUPPORTED,
                         "nothing moves over the period %.10g: this is a rest, not an orbit", orbit->period);
    rico_segment_scales(orbits->sim[0], energy, orbit->period / (2.0 * acos(-1.0)), orbit->scale);
    return RICO_OK;
}


static const char *event_words(const rico_segment *segment)
{
    bool open = segment->during.state[segment->contact] == RICO_OPEN;
    if (segment->which == 0) return open ? "closes" : "lets go";
    return segment->during.state[segment->contact] == RICO_STICKING ? "begins to slide" : "stops sliding";
}


// Pieces of an orbit that end with an event.
static const rico_orbit_piece *next_event(const rico_orbit *orbit, int64_t *at)
{
    while (*at < orbit->count && orbit->piece[*at].segment.contact < 0) (*at)++;
    return *at < orbit->count ? &orbit->piece[(*at)++] : NULL;
}


// The same contact's number vanishes, or the same contacts strike together: which of them is named first is up to round-off.
static bool same_event(const rico_orbit *orbit, const rico_segment *a, const rico_segment *b)
{
    if (a->blows == 0 && b->blows == 0) return a->contact == b->contact && a->which == b->which;
    if (a->blows == 0 || b->blows == 0) return false;
    for (int64_t c = 0; c < orbit->constraints; c++)
        if (!a->strikes[c] != !b->strikes[c]) return false;
    return true;
}


bool rico_orbit_alike(const rico_orbit *a, const rico_orbit *b, rico_simulation *sim,
                      char note[RICO_ORBIT_NOTE])
{
    int64_t i = 0, j = 0;
    note[0] = '\0';
    for (;;) {
        const rico_orbit_piece *first = next_event(a, &i), *second = next_event(b, &j);
        if (!first && !second) return true;
        bool same =
            first && second && same_event(a, &first->segment, &second->segment) &&
            memcmp(first->segment.during.state, second->segment.during.state, (size_t)a->constraints) == 0 &&
            memcmp(first->segment.after.state, second->segment.after.state, (size_t)a->constraints) == 0;
        if (same) continue;
        char words[2][96] = {"nothing more", "nothing more"};
        const rico_orbit_piece *pair[2] = {first, second};
        for (int k = 0; k < 2; k++)
            if (pair[k])
                snprintf(words[k], sizeof words[k], "contact %s %s",
                         rico_step_constraint(sim, pair[k]->segment.contact)->name,
                         event_words(&pair[k]->segment));
        snprintf(note, RICO_ORBIT_NOTE, "where the orbit has the event '%s', the motion has '%s'", words[0],
                 words[1]);
        return false;
    }
}
