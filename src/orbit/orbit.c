// An orbit: its pieces and what can be asked of it.

#include "orbit/orbit.h"

#include <math.h>
#include <string.h>

rico_status rico_orbit_create(const rico_orbits *orbits, rico_orbit **out)
{
    rico_context *ctx = orbits->ctx;
    int64_t nv = orbits->nv;
    rico_orbit *self = rico_alloc(ctx, 1, sizeof *self);
    *out = NULL;
    if (!self) return RICO_NO_MEMORY;
    self->ctx = ctx;
    self->nq = orbits->nq;
    self->nv = nv;
    self->constraints = orbits->constraints;
    self->rows = orbits->rows;
    self->conservative = orbits->options.conservative;
    self->graze = -1;
    self->scale = rico_alloc(ctx, 2 * nv, sizeof *self->scale);
    self->monodromy = rico_alloc(ctx, 4 * nv * nv, sizeof *self->monodromy);
    self->real = rico_alloc(ctx, 2 * nv, sizeof *self->real);
    self->imag = rico_alloc(ctx, 2 * nv, sizeof *self->imag);
    if (!self->scale || !self->monodromy || !self->real || !self->imag) {
        rico_orbit_destroy(self);
        return RICO_NO_MEMORY;
    }
    *out = self;
    return RICO_OK;
}


static void release_mode(rico_context *ctx, rico_held_states *mode)
{
    rico_free(ctx, mode->state);
    rico_free(ctx, mode->onset);
    rico_free(ctx, mode->slide);
    rico_free(ctx, mode->anchor);
}


void rico_orbit_destroy(rico_orbit *orbit)
{
    if (!orbit) return;
    rico_context *ctx = orbit->ctx;
    for (int64_t i = 0; i < orbit->count; i++) {
        rico_orbit_piece *piece = &orbit->piece[i];
        release_mode(ctx, &piece->segment.during);
        release_mode(ctx, &piece->segment.after);
        rico_free(ctx, piece->segment.strikes);
        rico_free(ctx, piece->x);
    }
    rico_free(ctx, orbit->piece);
    rico_free(ctx, orbit->scale);
    rico_free(ctx, orbit->monodromy);
    rico_free(ctx, orbit->real);
    rico_free(ctx, orbit->imag);
    rico_free(ctx, orbit->event);
    rico_free(ctx, orbit->name);
    rico_free(ctx, orbit);
}


static bool make_mode(const rico_orbit *orbit, rico_held_states *mode)
{
    mode->state = rico_alloc(orbit->ctx, orbit->constraints, 1);
    mode->onset = rico_alloc(orbit->ctx, orbit->constraints, 1);
    mode->slide = rico_alloc(orbit->ctx, orbit->rows, sizeof *mode->slide);
    mode->anchor = rico_alloc(orbit->ctx, orbit->rows, sizeof *mode->anchor);
    return mode->state && mode->onset && mode->slide && mode->anchor;
}


rico_status rico_orbit_add(rico_orbit *orbit, rico_orbit_piece **out)
{
    if (orbit->count == orbit->room) {
        int64_t room = orbit->room ? 2 * orbit->room : 8;
        rico_orbit_piece *piece = rico_grow(orbit->ctx, orbit->piece, orbit->room, room, sizeof *piece);
        if (!piece) return RICO_NO_MEMORY;
        orbit->piece = piece;
        orbit->room = room;
    }
    rico_orbit_piece *piece = &orbit->piece[orbit->count++]; // unfinished ones are released like the others
    memset(piece, 0, sizeof *piece);
    piece->segment.contact = -1;
    piece->segment.steps = 8;
    piece->x = rico_alloc(orbit->ctx, orbit->nq + orbit->nv, sizeof *piece->x);
    piece->segment.strikes = rico_alloc(orbit->ctx, RICO_ORBIT_BLOWS * orbit->constraints, 1);
    bool whole = piece->x && piece->segment.strikes && make_mode(orbit, &piece->segment.during) &&
                 make_mode(orbit, &piece->segment.after);
    *out = piece;
    return whole ? RICO_OK : RICO_NO_MEMORY;
}


static void copy_mode(const rico_orbit *orbit, const rico_held_states *from, rico_held_states *to)
{
    memcpy(to->state, from->state, (size_t)orbit->constraints);
    memcpy(to->onset, from->onset, (size_t)orbit->constraints);
    memcpy(to->slide, from->slide, (size_t)orbit->rows * sizeof *to->slide);
    memcpy(to->anchor, from->anchor, (size_t)orbit->rows * sizeof *to->anchor);
}


static void copy_piece(const rico_orbit *orbit, const rico_orbit_piece *from, rico_orbit_piece *to)
{
    memcpy(to->x, from->x, (size_t)(orbit->nq + orbit->nv) * sizeof *to->x);
    to->s = from->s;
    to->fall = from->fall;
    to->segment.contact = from->segment.contact;
    to->segment.which = from->segment.which;
    to->segment.steps = from->segment.steps;
    to->segment.blows = from->segment.blows;
    memcpy(to->segment.strikes, from->segment.strikes, (size_t)(RICO_ORBIT_BLOWS * orbit->constraints));
    copy_mode(orbit, &from->segment.during, &to->segment.during);
    copy_mode(orbit, &from->segment.after, &to->segment.after);
}


rico_status rico_orbit_repeat(const rico_orbit *from, int64_t times, rico_orbit **out)
{
    rico_orbit *to = NULL;
    rico_status status = rico_orbit_copy(from, &to);
    for (int64_t k = 1; k < times; k++)
        for (int64_t i = 0; status == RICO_OK && i < from->count; i++) {
            rico_orbit_piece *piece;
            status = rico_orbit_add(to, &piece);
            if (status == RICO_OK) copy_piece(from, &from->piece[i], piece);
        }
    if (status == RICO_OK) {
        to->period = (double)times * from->period;
        to->phase = from->phase / (double)times;
    }
    if (status != RICO_OK) rico_orbit_destroy(to);
    *out = status == RICO_OK ? to : NULL;
    return status;
}


rico_status rico_orbit_copy(const rico_orbit *from, rico_orbit **out)
{
    rico_orbits like = {.ctx = from->ctx,
                        .options = {.conservative = from->conservative},
                        .nq = from->nq,
                        .nv = from->nv,
                        .constraints = from->constraints,
                        .rows = from->rows};
    rico_orbit *to = NULL;
    rico_status status = rico_orbit_create(&like, &to);
    int64_t n = 2 * from->nv;
    *out = NULL;
    for (int64_t i = 0; status == RICO_OK && i < from->count; i++) {
        rico_orbit_piece *piece;
        status = rico_orbit_add(to, &piece);
        if (status == RICO_OK) copy_piece(from, &from->piece[i], piece);
    }
    if (status == RICO_OK && from->event_count > 0) {
        to->event = rico_alloc(from->ctx, from->event_count, sizeof *to->event);
        to->name = rico_alloc(from->ctx, from->event_count, sizeof *to->name);
        if (!to->event || !to->name) status = RICO_NO_MEMORY;
    }
    if (status != RICO_OK) {
        rico_orbit_destroy(to);
        return status;
    }
    to->t = from->t;
    to->phase = from->phase;
    to->period = from->period;
    to->value = from->value;
    to->unfolding = from->unfolding;
    to->residual = from->residual;
    to->iterations = from->iterations;
    to->trivial = from->trivial;
    to->return_error = from->return_error;
    to->lawful = from->lawful;
    to->graze = from->graze;
    to->graze_time = from->graze_time;
    to->event_count = from->event_count;
    memcpy(to->note, from->note, sizeof to->note);
    memcpy(to->scale, from->scale, (size_t)n * sizeof *to->scale);
    memcpy(to->monodromy, from->monodromy, (size_t)(n * n) * sizeof *to->monodromy);
    memcpy(to->real, from->real, (size_t)n * sizeof *to->real);
    memcpy(to->imag, from->imag, (size_t)n * sizeof *to->imag);
    for (int64_t i = 0; i < from->event_count; i++) {
        to->event[i] = from->event[i];
        to->name[i] = from->name[i];
        to->event[i].name = to->name[i].text;
    }
    *out = to;
    return RICO_OK;
}


rico_status rico_orbit_add_copy(rico_orbit *orbit, const rico_orbit_piece *piece, rico_orbit_piece **out)
{
    rico_status status = rico_orbit_add(orbit, out);
    if (status == RICO_OK) copy_piece(orbit, piece, *out);
    return status;
}


rico_status rico_orbit_add_parts(rico_orbits *orbits, const rico_orbit *from, int64_t i, int64_t parts,
                                 rico_orbit *to)
{
    const rico_orbit_piece *whole = &from->piece[i];
    double t = rico_orbit_piece_time(from, i), s = whole->s / (double)parts;
    rico_status status = RICO_OK;
    for (int64_t k = 0; status == RICO_OK && k < parts; k++) {
        rico_orbit_piece *piece;
        status = rico_orbit_add(to, &piece);
        if (status != RICO_OK) return status;
        copy_piece(from, whole, piece);
        piece->s = s;
        if (k < parts - 1) {
            piece->segment.contact = -1;
            piece->segment.blows = 0;
        }
        if (k == 0) continue;
        const rico_orbit_piece *before = &to->piece[to->count - 2];
        memcpy(piece->x, before->x, (size_t)(from->nq + from->nv) * sizeof *piece->x);
        status = rico_segment_follow(orbits->sim[0], &before->segment, t + (double)(k - 1) * s, s, 0.0,
                                     piece->x, NULL);
    }
    return status;
}


double rico_orbit_piece_time(const rico_orbit *orbit, int64_t piece)
{
    double t = orbit->t;
    for (int64_t i = 0; i < piece; i++) t += orbit->piece[i].s;
    return t;
}


// ---- what can be asked ----------------------------------------------------------------------------------------

double rico_orbit_value(const rico_orbit *orbit)
{
    return orbit->value;
}


double rico_orbit_period(const rico_orbit *orbit)
{
    return orbit->period;
}


double rico_orbit_time(const rico_orbit *orbit)
{
    return orbit->t;
}


const double *rico_orbit_position(const rico_orbit *orbit)
{
    return orbit->piece[0].x;
}


const double *rico_orbit_velocity(const rico_orbit *orbit)
{
    return orbit->piece[0].x + orbit->nq;
}


double rico_orbit_residual(const rico_orbit *orbit)
{
    return orbit->residual;
}


int64_t rico_orbit_iterations(const rico_orbit *orbit)
{
    return orbit->iterations;
}


double rico_orbit_unfolding(const rico_orbit *orbit)
{
    return orbit->unfolding;
}


const double *rico_orbit_monodromy(const rico_orbit *orbit)
{
    return orbit->monodromy;
}


int64_t rico_orbit_multipliers(const rico_orbit *orbit, const double **real, const double **imag)
{
    *real = orbit->real;
    *imag = orbit->imag;
    return 2 * orbit->nv;
}


int64_t rico_orbit_trivial(const rico_orbit *orbit)
{
    return orbit->trivial;
}


double rico_orbit_growth(const rico_orbit *orbit)
{
    // those nearest to 1 are the trivial ones
    int64_t n = 2 * orbit->nv;
    double growth = 0.0;
    for (int64_t i = 0; i < n; i++) {
        double distance = hypot(orbit->real[i] - 1.0, orbit->imag[i]);
        int64_t nearer = 0;
        for (int64_t j = 0; j < n; j++) {
            double other = hypot(orbit->real[j] - 1.0, orbit->imag[j]);
            nearer += other < distance || (other == distance && j < i);
        }
        if (nearer >= orbit->trivial) growth = fmax(growth, hypot(orbit->real[i], orbit->imag[i]));
    }
    return growth;
}


bool rico_orbit_stable(const rico_orbit *orbit)
{
    return rico_orbit_growth(orbit) < 1.0 + (orbit->conservative ? 1e-5 : 0.0);
}


double rico_orbit_return_error(const rico_orbit *orbit)
{
    return orbit->return_error;
}


bool rico_orbit_lawful(const rico_orbit *orbit)
{
    return orbit->lawful;
}


const char *rico_orbit_note(const rico_orbit *orbit)
{
    return orbit->note;
}


const rico_event *rico_orbit_events(const rico_orbit *orbit, int64_t *count)
{
    *count = orbit->event_count;
    return orbit->event;
}
